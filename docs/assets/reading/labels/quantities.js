// Reads the numbers of a line or sentence, each with the meaning of the words beside it.
//
// A number is a text of its own with a unit ("110M", "1.1亿", "417.6 MiB"), which
// `explaining/read.js` reads. Its label is the word right after it ("12 layers"), or
// else the words before it in the same clause ("trainable params: 1,538"); a number alone
// on its line takes the line before it, as in code with its result. Numbers that count
// something else (dates, versions, learning rates) are covered up first, and so are names
// of models, which have digits of their own.

import exported from "../../../data/reading.js"
import table from "../../../data/table.js"
import { read } from "../../explaining/read.js"
import { pattern } from "./phrases.js"

const { words, parts, scales, units: otherUnits } = exported.labels
const { units } = table

/** The roles of numbers that are settings of a model or of its training, with the largest value of each.
 * @type {Record<string, [least: number, most: number]>} */
const SETTINGS = {
  layers: [1, 200],
  hidden: [16, 20_000],
  heads: [1, 200],
  inner: [16, 100_000],
  labels: [1, 50_000],
  vocabulary: [100, 1_000_000],
  positions: [16, 100_000],
  tokens: [1, 100_000],
  batch: [1, 100_000],
  rank: [1, 2048],
  virtual: [1, 1024],
  bottleneck: [1, 4096],
  tensors: [2, 5000],
}

// Pieces of a text that have digits, but no number to explain.
const COVERED = [
  /[\w./-]+\.py:[0-9]+/g, // what logs begin with
  /https?:\/\/\S+/g,
  /\b[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}(?:[T ][0-9:.]+)?/g,
  /\b[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?:[.,][0-9]+)?\b/g,
  /\b[0-9]{1,2}[./][0-9]{1,2}[./](?:19|20)[0-9]{2}\b/g,
  /\b[vV]?[0-9]+\.[0-9]+\.[0-9]+(?:[.+-]?[a-z]+[0-9]*)?\b(?![.,]?[0-9])(?<!\b[0-9]{1,3}(?:\.[0-9]{3})+)/g,
  /[0-9.,]+\s?(?:[kKMG]i?B|it|s|samples|steps|tokens|examples)\/(?:s|sec|it|step)\b/g,
  /\b[0-9.]+e-[0-9]+\b/g,
  /\b[0-9]{1,3}%\s?\|[^|\n]*\|?/g, // bars of progress
  /(?<=[0-9][kKMG]B?)\/\s?[0-9.]+[kKMG]B?\b/g,
  /\b[0-9]{1,3}%(?=\s+[0-9.]+[kKMG])/g,
  /\[[0-9]{1,3}\](?=[\s.,]|$)/gm,
  /^\s*\(?[0-9]{1,2}[.)]\s/gm,
  /\b(?:table|figure|fig\.?|section|chapter|page|p\.|eq\.?|equation|step|epoch|line|v|version|release|python|torch|cuda|layer|gpu|seed)\s?[0-9]+(?:\.[0-9]+)*(?:\s?\/\s?[0-9]+)?\b(?!\s?[,.]?[0-9]*\s?(?:[MBkK]|million|billion|param))/gi,
  /第\s?[0-9]+\s?[页章节轮步]/g,
  /(?<![0-9])[A-Za-z_][A-Za-z_-]*[-_.]?[0-9]+[A-Za-z0-9_.-]*(?<![.,])/g, // names, such as float32 and layer_11
]

/** A text of the same length, with spaces in place of some pieces. @param {string} text @param {RegExp} what */
const cover = (text, what) => text.replace(what, (span) => " ".repeat(span.length))

const UNIT_NAMES = [...Object.keys({ ...units.counts, ...units.bytes, ...otherUnits })].sort(
  (one, other) => other.length - one.length,
)
const escaped = (/** @type {string} */ text) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")
const UNIT = UNIT_NAMES.map((name) => escaped(name).replace(/ /g, "\\s+")).join("|")
const FLOPS = table.explanations.words.flops.replace(/ /g, "|")
const MACS = table.explanations.words.macs.replace(/ /g, "|")
const HAN = "〇零一二两三四五六七八九十百千万萬亿億"
const DIGITS = [
  String.raw`(?<![0-9/.,])[0-9]{1,2}\/[0-9]{1,2}(?![0-9/.,])`,
  String.raw`[0-9]+(?:[.,][0-9]+)?\s?억(?:\s*[0-9][0-9,]*(?:\.[0-9]+)?\s?천?\s?만)?`,
  `(?:[0-9]+[${HAN}]+){2,}|[${HAN}]*[万萬亿億][${HAN}]*`,
  String.raw`[0-9]{1,3}(?:[ \u00a0\u202f\u2009][0-9]{3}){2,}(?![0-9])`,
  String.raw`(?<![=x×]\s?)[1-9][0-9]{0,2}[ \u00a0\u202f\u2009][0-9]{3}(?=\s*(?:par[aàá]m|пара|пар\.|entra|$|[\n,;:)!?|]))`,
  String.raw`[0-9]{1,3}(?<mark>[,.'’_\u00a0\u202f\u2009])[0-9]{3}(?:\k<mark>[0-9]{3})*(?![0-9])(?:(?!\k<mark>)[.,][0-9]+)?`,
  String.raw`[0-9]+(?:[.,][0-9]+)?(?:e\+?[0-9]{1,2}(?![0-9]))?(?:\s?[x×*]\s?10\s?\^\s?[0-9]{1,2})?`,
].join("|")
const NUMBER = new RegExp(
  String.raw`(?<![0-9.,][.,]?)(?<digits>${DIGITS})(?:\s?(?<operations>[kmgt]?(?:${FLOPS}|${MACS}))(?!\p{L})|\s?-?(?<unit>${UNIT})(?![\p{Script=Latin}\p{Script=Cyrillic}](?!arams?\b))|\s?(?<share>%|percent\b|prozent\b))?`,
  "giu",
)

/** @typedef {{ role: string, start: number, end: number, text: string }} Label */

const LABEL = pattern({ ...words, part: Object.keys(parts) })

/** The labels of a text, in order. @param {string} text @returns {Label[]} */
const labelsIn = (text) =>
  LABEL(text).filter(({ text: label, end }) => !/^[a-z]$/i.test(label) || /^\s*[=:]/.test(text.slice(end)))

const SCALE = new RegExp(
  `(?:[([]\\s*|\\bin |/\\s*|_)(${Object.keys(scales)
    .sort((one, other) => other.length - one.length)
    .map(escaped)
    .join("|")})(?![\\p{L}\\p{N}])`,
  "giu",
)

/** The unit that a scale in a label stands for; "" for none. @param {string} scale */
const scaleOf = (scale) => (scale ? scales[scale.toLowerCase()] : "")

/** The scale in brackets in a label that follows its number, as in "409.077 params size (MB)". @param {string} rest */
const unitIn = (rest) => [...rest.matchAll(SCALE)].find(({ 0: match }) => /^[([]/.test(match))?.[1] ?? ""

// A clause ends here. A bracket ends one only if there are digits in it.
const BOUNDARY = /\n|\|+|;|,(?=\s|$|[^0-9\s])|\.(?=\s|$)|[。、→]/g
const BRACKETS = /\([^()]*[0-9][^()]*\)/g

/** The places where clauses end, in order. @param {string} text */
const boundaries = (text) =>
  [
    ...[...text.matchAll(BOUNDARY)].map(({ index }) => index),
    ...[...text.matchAll(BRACKETS)].flatMap(({ index, 0: match }) => [index, index + match.length - 1]),
  ].sort((one, other) => one - other)

/** A number as `read` understands it: Korean myriads in digits, and with a unit that it knows.
 * @param {string} digits @param {string} unit @param {boolean} isRomance */
function canonical(digits, unit, isRomance) {
  const [, high, low, thousands] = /^([0-9.,]+)\s?억(?:\s*([0-9.,]+)\s?(천)?\s?만)?/.exec(digits) ?? []
  if (high && low) {
    const part = Number(low.replace(/,/g, "")) * (thousands ? 1e3 : 1)
    return `${Number(high.replace(",", ".")) * 1e4 + part}万`
  }
  if (high) return `${high}亿`
  const name = unit.toLowerCase().replace(/\s+/g, " ")
  // In Romance languages mil is a thousand, elsewhere short for a million.
  if (name === "mil") return `${digits} ${isRomance && Number.parseFloat(digits) >= 1000 ? "k" : "M"}`
  const known = Object.hasOwn(otherUnits, name) ? otherUnits[name] : unit
  return `${digits.replace(/[’'\u202f\u2009\u00a0]/g, "'")}${known && ` ${known}`}`
}

const EXACT = 9 // a decimal with more places was not rounded, but printed in full

/** A number in the form in which it is read: bytes of a file, operations, and percentages without their sign.
 * @param {string} text @param {{ isFile: boolean, roles: string[], hasUnit: boolean, operations: boolean }} as */
function formOf(text, { isFile, roles, hasUnit, operations }) {
  const [, whole = "", decimals = "", unit = ""] = /^([0-9]+)[.,]([0-9]{5,})\s?(MB|GB)$/i.exec(text) ?? []
  // An amount with as many decimals as there are bytes in its unit is exact.
  if (unit && decimals.length === { mb: 6, gb: 9 }[unit.toLowerCase()]) return `${whole}${decimals} bytes`
  if (isFile) return `${text}B`
  if (roles[0] === "memory" && !hasUnit && /^[0-9]{7,}$/.test(text.replace(/\D/g, ""))) return `${text} bytes`
  if (roles.includes("operations") && !operations && read(text)?.amount === "count")
    return `${text}${hasUnit ? "" : " "}FLOPs`
  const isBare = /^[0-9]*[.,][0-9]+$/.test(text)
  if (isBare && (roles.includes("share") || text.split(/[.,]/)[1].length >= EXACT)) return `${text} %`
  return text
}

const ROMANCE = /parámetros|parametros|parâmetros|millones|capas|modelo|parametri/i

/** The label of a number: the one right after it, or else the nearest before it in its clause.
 * @param {Label[]} before @param {Label[]} after  those of its clause, in order
 * @param {string} gap  what is between the last label before the number and the number
 * @param {string} rest  the text after it in its clause @param {string} text  the whole text */
function labelOf(before, after, gap, rest, text, isFollowed = false) {
  const [next] = after
  // In "Params 102M FLOPs 22G" each label comes before its number.
  const isLabelFirst = isFollowed && before.length > 0 && after.length === 1 && /^\s*$/.test(gap + rest.slice(next.end))
  if (isLabelFirst) return phraseOf([...before].reverse(), text)
  const isNext = next && next.start <= 14 && !/[:=]/.test(rest.slice(0, next.start))
  const last = before.at(-1)
  const isBound = last && /^["'\])\s]*(?:[:=]|is\b|are\b|为|是|约|は|:|≈|~)/i.test(gap)
  const isEqual = /^["'\])\s]*=/.test(gap)
  if (isBound && (isEqual || !(isNext && next.start <= 2 && next.role !== "all")))
    return phraseOf([...before].reverse(), text)
  if (isNext) return phraseOf(after, rest)
  if (last) return phraseOf([...before].reverse(), text)
  return after.slice(0, 2)
}

/** The roles of words that qualify another label beside them. */
const COMBINED = new Set([
  "count",
  "all",
  "trainable",
  "frozen",
  "share",
  "size",
  "memory",
  "part",
  "operations",
  "other",
])

/** The labels that make up one phrase beside a number, from the nearest one outwards.
 * @param {Label[]} outwards @param {string} text  in which they stand */
function phraseOf(outwards, text) {
  const end = outwards.findIndex((label, place) => {
    const next = outwards[place + 1]
    if (!next) return true
    if (!COMBINED.has(next.role)) return true
    const [from, to] = label.start < next.start ? [label.end, next.start] : [next.end, label.start]
    const gap = text.slice(from, to)
    return gap.length > (/[^\x00-\x7f]/.test(gap) ? 2 : 14)
  })
  return outwards.slice(0, end + 1)
}

/** The role of a number with these labels, the nearest first.
 * @param {NumberRead} number @param {string[]} roles @param {boolean} hasUnit */
function roleOf({ amount, low, exact }, roles, hasUnit) {
  const isCalled = roles.includes("count") && low >= 100_000
  if (roles[0] === "other" && amount !== "operations" && !isCalled) return "other"
  if (amount === "memory" || amount === "operations") return amount
  if (amount === "share") return roles[0] === "other" ? "other" : hasUnit || roles.includes("share") ? "share" : ""
  const nearest =
    roles.find((role) => !["all", "trainable", "frozen", "size", "share", "part"].includes(role)) ?? roles[0]
  if (nearest === "other" && !isCalled) return "other"
  if (nearest === "operations") return "operations"
  if (nearest === "memory" && hasUnit) return "memory"
  const setting = SETTINGS[nearest]
  if (setting && exact && low >= setting[0] && low <= setting[1] && !hasUnit) return nearest
  if (setting && (nearest === "tokens" || nearest === "batch")) return "other"
  if (nearest === "vocabulary" && low <= SETTINGS.vocabulary[1]) return "vocabulary"
  if (roles.some((role) => ["count", "all", "trainable", "frozen"].includes(role))) return "count"
  if (roles.includes("part") && exact && low >= 100) return "count"
  if (hasUnit && low >= 1e5) return "count"
  return exact && low >= 10_000 ? "count" : ""
}

/** The quantities of a text, in order. Those that are not about a model have the role "other", and those of unknown
 * meaning "".
 * @param {string} text  in plain characters
 * @param {[start: number, end: number][]} names  where names are, whose digits are not read
 * @returns {Quantity[]} */
export function quantitiesIn(text, names) {
  let plain = text
  for (const [start, end] of names) plain = plain.slice(0, start) + " ".repeat(end - start) + plain.slice(end)
  const scaled = plain
  plain = plain.replace(SCALE, (span) => " ".repeat(span.length))
  plain = COVERED.reduce(cover, plain)
  const labels = labelsIn(scaled)
  const ends = boundaries(plain)
  const isRomance = ROMANCE.test(text)
  const matches = [...plain.matchAll(NUMBER)].map((match) => ({ match, groups: match.groups ?? {} }))
  const spans = matches.map(({ match }) => [match.index, match.index + match[0].trimEnd().length])
  let usedEnd = 0
  return matches.flatMap(({ match, groups }, place) => {
    const [start, end] = spans[place]
    // A number alone on its line belongs to the line before it.
    const lineStart = plain.lastIndexOf("\n", start) + 1
    const isAlone =
      !/[\p{L}\p{N}]/u.test(scaled.slice(lineStart, start)) && !/[\p{L}\p{N}]/u.test(plain.slice(end).split("\n")[0])
    const limit = isAlone ? Math.max(plain.lastIndexOf("\n", lineStart - 2), 0) : 0
    const from = Math.max(
      place ? spans[place - 1][1] : 0,
      isAlone ? limit : (ends.filter((index) => index < start).at(-1) ?? -1) + 1,
    )
    const next = ends.find((index) => index >= end) ?? plain.length
    const to = Math.min(spans[place + 1]?.[0] ?? plain.length, next)
    const before = labels.filter((label) => label.start >= Math.max(from, usedEnd) && label.end <= start)
    const after = labels
      .filter((label) => label.start >= end && label.end <= to)
      .map((label) => ({ ...label, start: label.start - end, end: label.end - end }))
    const gap = before.length ? scaled.slice(/** @type {Label} */ (before.at(-1)).end, start) : ""
    const own = labelOf(
      before,
      after,
      gap.replace(SCALE, " ").replace(/\(\s*\)?/g, " "),
      scaled.slice(end, to),
      scaled,
      to === spans[place + 1]?.[0],
    )
    if (own.length && after.includes(own[0])) usedEnd = end + /** @type {Label} */ (own.at(-1)).end
    const [, scale = ""] =
      [...scaled.slice(Math.max(from, usedEnd > start ? 0 : usedEnd), start).matchAll(SCALE)].at(-1) ?? []
    const { digits, unit = "", operations = "", share = "" } = groups
    const unitName =
      unit ||
      operations ||
      (share && "%") ||
      scaleOf(scale || (own.length && after.includes(own[0]) ? unitIn(scaled.slice(end, to)) : ""))
    const roles = own.map(({ role }) => role)
    const isFile = roles[0] === "memory" && /^[kmg]$/i.test(unitName ?? "")
    const typed = canonical(digits, unitName ?? "", isRomance)
    const asRead = formOf(typed, { isFile, roles, hasUnit: Boolean(unitName), operations: Boolean(operations) })
    const value = read(asRead)
    if (!value) return []
    const isYear = !own.length && !unitName && value.exact && value.low >= 1950 && value.low <= 2040
    return [
      {
        typed: match[0].trim(),
        canonical: asRead,
        number: value,
        role: isYear ? "other" : roleOf(value, roles, Boolean(unitName) || /[万亿]|%$/.test(asRead)),
        roles,
        label: own.map((one) => one.text).join(" "),
        start,
        end,
      },
    ]
  })
}
