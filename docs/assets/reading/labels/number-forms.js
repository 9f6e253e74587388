// The forms in which people and tools write numbers, with their units, and the scales of columns: 110M,
// 1.1亿, 109 482 240, "Params (M)". Numbers that count something else (dates, versions, learning
// rates) are blanked out, that is, replaced with spaces of the same length, so that positions in
// the text do not change.

import exported from "../../../data/reading.js"
import table from "../../../data/table.js"
import { read } from "../../explaining/read.js"

const { scales, units: otherUnits } = exported.labels
const { units } = table

/** Parts of a text that contain digits, but no number to explain. */
const OTHER_NUMBERS = [
  /[\w./-]+\.py:[0-9]+/g, // the start of a line in a log
  /https?:\/\/\S+/g,
  /\bresize_token_embeddings\([^()\n]*\)/g, // the size of a vocabulary
  /\b(?:type|token_type)_vocab_size\b["']?\s?[:=]?\s?[0-9]{1,2}\b/g, // the number of segments, not of tokens
  /\b[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}(?:[T ][0-9:.]+)?/g, // 2024-05-01T12:00
  /\b[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?:[.,][0-9]+)?\b/g, // 12:00:05
  /\b[0-9]{1,2}[./][0-9]{1,2}[./](?:19|20)[0-9]{2}\b/g, // 1.5.2024
  // Versions such as 4.38.2, but not 109.482.240, which is a number in other languages.
  /\b[vV]?[0-9]+\.[0-9]+\.[0-9]+(?:[.+-]?[a-z]+[0-9]*)?\b(?![.,]?[0-9])(?<!\b[0-9]{1,3}(?:\.[0-9]{3})+)/g,
  /[0-9.,]+\s?(?:[kKMG]i?B|it|s|samples|steps|tokens|examples)\/(?:s|sec|it|step)\b/g, // speeds
  /\b[0-9.]+e-[0-9]+\b/g, // learning rates
  /\b[0-9]{1,3}%\s?\|[^|\n]*\|?/g, // progress bars
  /(?<=[0-9][kKMG]B?)\/\s?[0-9.]+[kKMG]B?\b(?=\s*\[)/g, // the second size in "110M/440M [00:05<", in a progress bar
  /\b[0-9]{1,3}%(?=\s+[0-9.]+[kKMG])/g, // the share of a download before its size, as wget prints it
  /"I64"\s*:\s*[0-9]+/g, // the buffers of a file, such as position_ids, which the Hub lists next to its parameters
  /\[[0-9]{1,3}\](?=[\s.,]|$)/gm, // references
  /\b[0-9]{2,5}\s?(?:→|->)\s?[0-9]{2,5}(?=\s?:\s)/g, // the widths of a layer before its number: 768→3072: 2,362,368
  /(?<=[0-9][a-zA-Z]{0,3})\.{2,3}(?=[0-9])/g, // the sign of a range: 110M..340M
  /^\s*\(?[0-9]{1,2}[.)]\s/gm, // the numbers of a list
  // Numbers of tables, steps, versions and the like, unless a word for a count follows.
  /\b(?:table|figure|fig\.?|section|chapter|page|p\.|eq\.?|equation|step|epoch|line|v|version|release|python|torch|cuda|layer|gpu|seed)\s?[0-9]{1,5}(?![0-9]|[,.'_][0-9]{3})(?:\.[0-9]+)*(?:\s?\/\s?[0-9]+)?\b(?!\s?[,.]?[0-9]*\s?(?:[MBkK]|million|billion|param))/gi,
  /第\s?[0-9]+\s?[页章节轮步]/g, // pages, chapters, sections, rounds and steps in Chinese
  /(?<![0-9])[A-Za-z_][A-Za-z_-]*[-_.]?[0-9]+[A-Za-z0-9_.-]*(?<![.,])/g, // names, such as float32 and layer_11
]

/** A number with commas between its thousands. In a text with one, a point comes before decimals, so a number with
 * three digits after its point is not a count. */
const WITH_COMMAS = /\b[0-9]{1,3}(?:,[0-9]{3}){2,}\b/
const WITH_THREE_DECIMALS = /(?<![0-9.,])[0-9]{1,3}\.[0-9]{3}(?![0-9.,]|\s?[%\p{L}(])/gu

/** The text without scales, and without whatever else contains digits but no number to explain.
 * @param {string} text  without names */
export function withoutOtherNumbers(text) {
  const blankedText = [SCALE, ...OTHER_NUMBERS].reduce(blankOut, text)
  return WITH_COMMAS.test(blankedText) ? blankOut(blankedText, WITH_THREE_DECIMALS) : blankedText
}

/** The text with spans replaced by as many spaces.
 * @param {string} text @param {{ start: number, end: number }[]} spans */
export const withoutSpans = (text, spans) =>
  spans.reduce(
    (remainder, { start, end }) => remainder.slice(0, start) + " ".repeat(end - start) + remainder.slice(end),
    text,
  )

/** The text with every match of a pattern replaced by as many spaces. @param {string} text @param {RegExp} pattern */
const blankOut = (text, pattern) => text.replace(pattern, (span) => " ".repeat(span.length))

/** Sorts longer names before shorter ones, because a regular expression takes the first alternative that matches.
 * @param {string} one @param {string} other */
const longestFirst = (one, other) => other.length - one.length

/** The source of a regular expression that matches exactly this text. @param {string} text */
const asPattern = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")

const UNIT = Object.keys({ ...units.counts, ...units.bytes, ...otherUnits })
  .sort(longestFirst)
  .map((name) => asPattern(name).replace(/ /g, "\\s+"))
  .join("|")
const FLOPS = table.explanations.words.flops.replace(/ /g, "|")
const MACS = table.explanations.words.macs.replace(/ /g, "|")
const HAN = "〇零一二两三四五六七八九十百千万萬亿億"
/** Two groups of digits with a space between them, such as 109 482. */
const PAIR_OF_GROUPS = String.raw`(?<![=x×]\s?)[1-9][0-9]{0,2}[ \u00a0\u202f\u2009][0-9]{3}(?![0-9])`
/** A number with spaces between its thousands: at least three groups of digits, or two before the word for parameters
 * or the end of a clause. Elsewhere, two groups are one number only in a text that has spaces in another number. */
const WITH_SPACES = new RegExp(
  [
    String.raw`[0-9]{1,3}(?:[ \u00a0\u202f\u2009][0-9]{3}){2,}(?![0-9])`,
    String.raw`${PAIR_OF_GROUPS}(?=\s*(?:par[aàá]m|пара|пар\.|entra|$|[\n,;:)!?|]|\.(?:\s|$)))`,
  ].join("|"),
  "i",
)
/** The forms of the digits of a number, for a text with or without spaces between thousands.
 * @param {boolean} hasSpaces */
const digitForms = (hasSpaces) => [
  String.raw`(?<![0-9/.,])[0-9]{1,2}\/[0-9]{1,2}(?![0-9/.,])`, // 12/12: layers and heads
  String.raw`[0-9]+(?:[.,][0-9]+)?\s?억(?:\s*[0-9][0-9,]*(?:\.[0-9]+)?\s?천?\s?만)?`, // Korean: 1억 948만
  `(?:[0-9]+[${HAN}]+){2,}|[${HAN}]*[万萬亿億][${HAN}]*`, // Chinese: 1亿948万, and in words
  WITH_SPACES.source, // 109 482 240
  ...(hasSpaces ? [PAIR_OF_GROUPS] : []),
  "[0-9]{1,2}(?:,[0-9]{2}){2,},[0-9]{3}(?![0-9,])", // Indian: 10,94,82,240
  // 109,482,240 with any mark between the thousands, and perhaps with decimals after another mark.
  String.raw`[0-9]{1,3}(?<mark>[,.'’_\u00a0\u202f\u2009])[0-9]{3}(?:\k<mark>[0-9]{3})*(?![0-9])(?:(?!\k<mark>)[.,][0-9]+)?`,
  String.raw`[0-9]+(?:[.,][0-9]+)?(?:e\+?[0-9]{1,2}(?![0-9]))?(?:\s?[x×*·]\s?10\s?\^\s?[0-9]{1,2})?`, // 1.1e8, 1.1 × 10^8
]
/** A number with its unit: operations, a unit of counts or bytes, or a percent sign. A Latin or Cyrillic letter after a
 * unit makes it the start of a word, except in "110Mparams". The second pattern is for texts with spaces between
 * thousands. */
const [NUMBER, NUMBER_WITH_SPACES] = [false, true].map(
  (hasSpaces) =>
    new RegExp(
      String.raw`(?<![0-9.,][.,]?)(?<digits>${digitForms(hasSpaces).join("|")})(?:\s?(?<operations>[kmgt]?(?:${FLOPS}|${MACS}))(?!\p{L})|\s?-?(?<unit>${UNIT})(?![\p{Script=Latin}\p{Script=Cyrillic}](?!arams?\b))|\s?(?<share>%|percent\b|prozent\b))?`,
      "giu",
    ),
)

/** The matches of numbers with their units. @param {string} text  as `withoutOtherNumbers` returns it */
export function numbersIn(text) {
  const hasSpaces = WITH_SPACES.test(text) && !WITH_COMMAS.test(text)
  return [...text.matchAll(hasSpaces ? NUMBER_WITH_SPACES : NUMBER)]
}

/** The scale of a column or label, as in "Params (M)" and "size in MB". */
export const SCALE = new RegExp(
  `(?:[([]\\s*|\\bin |/\\s*|_)(${Object.keys(scales).sort(longestFirst).map(asPattern).join("|")})(?![\\p{L}\\p{N}]|\\.[\\p{L}_])`,
  "giu",
)

/** The unit that a scale in a label means; "" for none. @param {string} scale */
export const unitOfScale = (scale) => (scale ? scales[scale.toLowerCase()] : "")

/** The heading of a column, and the unit that a scale in it gives to the numbers below; "" if it has none.
 * @param {string} heading @returns {{ label: string, unit: string }} */
export function headingWithUnit(heading) {
  const [, scale = ""] = [...heading.matchAll(SCALE)].at(-1) ?? []
  return {
    label: heading
      .replace(SCALE, " ")
      .replace(/[()[\]]/g, " ")
      .trim(),
    unit: unitOfScale(scale),
  }
}

/** The scale in brackets in a label that follows its number, as in "409.077 params size (MB)"; "" if there is none.
 * @param {string} rest */
export const bracketedScaleIn = (rest) =>
  [...rest.matchAll(SCALE)].find(({ 0: match }) => /^[([]/.test(match))?.[1] ?? ""

/** A number in a form that `read` understands, with Korean units as Chinese ones and with a unit that `read` knows.
 * @param {string} digits @param {string} unit
 * @param {boolean} isRomance  whether the text seems to be in a Romance language */
export function canonicalForm(digits, unit, isRomance) {
  const [, high, low, thousands] = /^([0-9.,]+)\s?억(?:\s*([0-9.,]+)\s?(천)?\s?만)?/.exec(digits) ?? []
  const [highDigits, lowDigits] = [high, low].map((text = "") => Number(text.replace(/,/g, low ? "" : ".")))
  // 1억 1천만 has two significant figures, like 1.1亿.
  if (high && low && thousands) return `${(highDigits * 10 + lowDigits) / 10}亿`
  if (high && low) return `${highDigits * 1e4 + lowDigits}万`
  if (high) return `${high}亿`
  const name = unit.toLowerCase().replace(/\s+/g, " ")
  // In Romance languages, mil after a large number is a thousand; otherwise it is short for a million.
  if (name === "mil") return `${digits} ${isRomance && Number.parseFloat(digits) >= 1000 ? "k" : "M"}`
  const readableUnit = Object.hasOwn(otherUnits, name) ? otherUnits[name] : unit
  return `${digits.replace(/[’'\u202f\u2009\u00a0]/g, "'")}${readableUnit && ` ${readableUnit}`}`
}

const MIN_DECIMALS = 9 // decimals of a number that is printed in full, and so must be a share

/** The form in which a number is read. If the text leaves out the unit of bytes, operations or percentages, it is
 * added.
 * @param {string} text @param {{ isFile: boolean, roles: string[], hasUnit: boolean, hasOperations: boolean }} label */
export function formOf(text, { isFile, roles, hasUnit, hasOperations }) {
  const [, whole = "", decimals = "", unit = ""] = /^([0-9]+)[.,]([0-9]{5,})\s?(MB|GB)$/i.exec(text) ?? []
  // An amount whose decimals reach down to single bytes is exact.
  if (unit && decimals.length === { mb: 6, gb: 9 }[unit.toLowerCase()]) return `${whole}${decimals} bytes`
  if (isFile) return `${text}B`
  if (roles[0] === "memory" && !hasUnit && /^[0-9]{7,}$/.test(text.replace(/\D/g, ""))) return `${text} bytes`
  if (roles.includes("operations") && !hasOperations && read(text)?.amount === "count")
    return `${text}${hasUnit ? "" : " "}FLOPs`
  const isBare = /^[0-9]*[.,][0-9]+$/.test(text)
  if (isBare && (roles.includes("share") || text.split(/[.,]/)[1].length >= MIN_DECIMALS)) return `${text} %`
  return text
}
