// Sentences: what an explanation says, in the words of a good teacher.
// In all that follows, `each` is an explanation, and `chosen` the name of the
// model that the reader chose, or "".

import table from "../../data/table.js"
import { inOrder } from "../counting/bridge.js"
import { classes, classOfBare, deviations, models, noun, resized, whole } from "../counting/engine.js"
import { code, link, listed, number, said } from "./elements.js"

const { pages } = table.explanations

/** @param {Explanation} each @param {string} chosen */
export const modelOf = (each, chosen) => models.get(each.models.includes(chosen) ? chosen : each.models[0])
/** @param {Explanation} each */
export const classOf = (each) => each.classes[0] ?? "BertModel"
/** @param {Explanation} each @param {string} chosen */
const modelLink = (each, chosen) => link(modelOf(each, chosen).page, modelOf(each, chosen).title)
/** @param {Explanation} each @param {string} chosen */
const where = (each, chosen) => said`${modelLink(each, chosen)} (${withPurpose(classOf(each))})`
/** A class by its name, and what it is for where it has a head. @param {string} name */
function withPurpose(name) {
  const { purpose, architecture } = classes.get(name)
  return [code(name), name === classOfBare(architecture) ? "" : `, ${purpose}`]
}
/** @param {Explanation} each @param {string} chosen */
const isBert = (each, chosen) => modelOf(each, chosen).architecture === table.models[0].architecture

/** What was done, as the end of "if you". @param {string[]} mistakes @param {Sizes} sizes */
const done = (mistakes, sizes) =>
  listed(
    inOrder(mistakes)
      .map((name) => deviations.get(name))
      .map((each) => each.done + taken(each, sizes)),
  ).join("")

/** The size that is taken and the one that it stands for. @param {Deviation} each @param {Sizes} sizes */
const taken = (each, sizes) =>
  each.letter
    ? ` (${each.letter} = ${whole(resized(sizes, [each])[each.letter])} instead of ${whole(sizes[each.letter])})`
    : ""

/** The clause with what was done, and the same done otherwise where that gives the same number.
 * @param {Explanation} each @param {string} chosen @param {Explanation[]} alike */
function condition(each, chosen, alike = []) {
  if (!each.mistakes.length) return ""
  const ways = [each, ...alike].map(({ mistakes }) => done(mistakes, modelOf(each, chosen).sizes))
  return ` if you ${ways.length > 1 ? `either ${ways.join(", or ")}` : ways[0]}`
}

/** @type {Record<string, [one: string, many: string]>} */
const NOUNS = {
  L: ["layer", "layers"],
  V: ["token in the vocabulary", "tokens in the vocabulary"],
  P: ["position", "positions"],
  S: ["segment", "segments"],
  F: ["inner unit in the feed-forward network", "inner units in the feed-forward network"],
}

/** @param {Explanation} each @param {string} chosen */
function otherSize(each, chosen) {
  const [letter, value] = Object.entries(each.sizes)[0]
  return ` with ${whole(value)} ${noun(value, ...NOUNS[letter])} instead of ${whole(modelOf(each, chosen).sizes[letter])}`
}

/** What comes before an explanation that may be chance. @param {Explanation} each */
const perhaps = ({ confidence }) => (confidence === "possible" ? "This may be a coincidence, but " : "")
/** @param {Explanation} each */
const would = (each) => (perhaps(each) ? `${perhaps(each)}you would get ` : "You would get ")

/** @param {{ words: string }} part @param {number} layers  how many of them are meant, or 0 */
export const wordsOf = ({ words }, layers) =>
  layers
    ? words
        .replace("in one layer", `in ${layers} layers`)
        .replace(/one encoder layer without its/, `${layers} layers without their`)
        .replace("one encoder layer", `${layers} layers`)
    : words.replace(/ in the model$/, "") // whose name follows

/** @param {Explanation} each @param {string} chosen */
function partsOf(each, chosen) {
  const links = each.parts.map((part) => link(part.page, wordsOf(part, each.layers)))
  if (links.length > MOST_LINKS)
    return said`${links[0]} or any of ${whole(links.length - 1)} more parts of ${modelLink(each, chosen)}`
  return said`${links.length > 1 ? ["either ", ...listed(links, "or")] : links} of ${modelLink(each, chosen)}`
}

const MOST_LINKS = 3 // in a sentence

const SLIPS = {
  swapped: "with two digits swapped",
  wrong: "with one digit wrong",
  missing: "with a digit missing",
  doubled: "with a digit doubled",
  extra: "with a digit too many",
  one: "off by one",
  "": "",
}

/** @param {Explanation} each */
function bytesOf({ dtype, width, kept }) {
  if (dtype === "float32 with buffers")
    return said`4 bytes each (${code("float32")}), and the two buffers of ${code("int64")} numbers, as accelerate counts`
  if (dtype === "dynamic int8")
    return said`with the matrices of dense layers at 1 byte and everything else at 4 (dynamic ${code("int8")} quantisation)`
  const bytes = width < 1 ? "4 bits" : `${whole(width)} ${noun(width, "byte")}`
  return said`${bytes} each (${code(dtype)}${kept && `, ${kept}`})`
}

/** @param {Explanation} each */
export const parametersOf = ({ number, frame, width }) => (width ? (number - frame) / width : number)

/** @type {[number, string][]} */
const UNITS = [
  [2 ** 30, "GiB"],
  [10 ** 9, "GB"],
  [2 ** 20, "MiB"],
  [10 ** 6, "MB"],
  [2 ** 10, "KiB"],
  [10 ** 3, "kB"],
]

/** Bytes in the unit that was meant, as read: 417.6 MiB. @param {Explanation} each */
export const sized = ({ number: bytes, unit }) =>
  `${(bytes / unit).toFixed(unit < 10 ** 9 ? 1 : 2)} ${UNITS.find(([size]) => size === unit)?.[1]}`

/** @param {number} ratio */
const percent = (ratio) => `${ratio < 0.01 ? (100 * ratio).toPrecision(4) : (100 * ratio).toFixed(1)}%`

const TRAINED = "what is trained in "

const NOT_BERT = ", which is not BERT"
/** @param {Explanation} each @param {string} chosen */
const not = (each, chosen) => (each.models.length && !isBert(each, chosen) ? NOT_BERT : "")
/** @param {number} labels */
const withLabels = (labels) => (labels ? ` with ${whole(labels)} ${noun(labels, "label")}` : "")

/** What an explanation is about, as a noun: a model in a class, one or more parts of it, or another model.
 * @param {Explanation} each @param {string} chosen */
function subject(each, chosen) {
  if (each.parts.length) return partsOf(each, chosen)
  if (!each.models.length) return said`${link(pages.other, each.words)} (${listed(each.classes.map(code))})`
  return where(each, chosen)
}

/** Words for what a number is. @type {Record<ExplanationKind, (each: Explanation, chosen: string) => Content[]>} */
const PHRASES = {
  total: (each, chosen) => said`the number of parameters in ${subject(each, chosen)}${not(each, chosen)}`,
  labels: (each, chosen) => said`the number of parameters in ${subject(each, chosen)}${withLabels(each.labels)}`,
  size: (each, chosen) => said`the number of parameters in ${subject(each, chosen)}${otherSize(each, chosen)}`,
  other: (each, chosen) => said`the number of parameters in ${subject(each, chosen)}${NOT_BERT}`,
  part: (each, chosen) => said`the size of ${subject(each, chosen)}`,
  near: (each, chosen) => PHRASES[each.parts.length ? "part" : "total"](each, chosen),
  setting: (each, chosen) => {
    const [first, ...more] = each.models.filter((name) => name !== chosen)
    const many = chosen ? [first, ...more].filter(Boolean).length : more.length
    return said`${each.words} of ${modelLink(each, chosen)}${many ? ` and ${whole(many)} more ${noun(many, "model")}` : ""}`
  },
  tensors: (each, chosen) => said`the number of ${link(pages.tensors, "tensors")} of ${subject(each, chosen)}`,
  memory(each, chosen) {
    const { frame, width } = each
    const parameters = parametersOf(each)
    const of = width ? said`${number(parameters)} ${noun(parameters, "parameter")} of ` : "the parameters of "
    const file = frame
      ? said`, and ${number(frame)} ${noun(frame, "byte")} for the names and the header of the file`
      : ""
    return said`${of}${subject(each, chosen)}${not(each, chosen)}, ${bytesOf(each)}${file}`
  },
  difference({ terms: [one, two] }) {
    const [first, second] = [one, two ?? one].map(({ page, words }) => link(page, words))
    if (!two) return said`${whole(one.times)} times the number of parameters in ${first}`
    return said`the ${two.times < 0 ? "difference between" : "sum of"} ${first} and ${second}`
  },
  change: (each) => [each.words],
  share(each) {
    const [part, total] = each.terms
    const [one, all] = [part, total].map(({ page, words }) => link(page, wordsOf({ words }, 0)))
    return each.parts.length ? said`${one} in ${all}` : said`${one} compared with ${all}`
  },
}

/** What a number is, as a noun, and what is done otherwise. @param {Explanation} each @param {string} chosen */
export const phrase = (each, chosen) =>
  said`${PHRASES[each.kind](each, chosen)}${each.mistakes.length ? `,${condition(each, chosen)}` : ""}`

/** @param {Explanation} each @param {string} chosen  what somebody gets who counts otherwise, or another size */
const gets = (each, chosen) => (each.parts.length ? partsOf(each, chosen) : where(each, chosen))

/** Sentences that say more than that the number is something.
 * @type {Partial<Record<ExplanationKind, (each: Explanation, chosen: string) => Content[]>>} */
const SENTENCES = {
  size(each, chosen) {
    const also = each.mistakes.length ? `,${condition(each, chosen).replace(" if you", " if you also")}` : ""
    return said`${would(each)}${number(each.number)} for ${where(each, chosen)}${otherSize(each, chosen)}${also}.`
  },
  tensors: (each, chosen) =>
    said`${number(each.number)} counts the ${link(pages.tensors, "tensors")} of ${where(each, chosen)}, not its parameters.`,
  memory(each, chosen) {
    const inUnit = each.unit > 1 ? said` (${link(pages.memory, sized(each))})` : ""
    return said`${perhaps(each)}${number(each.number)} ${noun(each.number, "byte")}${inUnit} ${noun(each.number, "is", "are")} ${phrase(each, chosen)}.`
  },
  share(each) {
    const [part, total] = each.terms
    const [one, all] = [part, total].map(({ page, words }) => link(page, wordsOf({ words }, 0)))
    const division = said`${number(part.number)} / ${number(total.number)}`
    const ratio = part.number / total.number
    if (each.less)
      return said`${perhaps(each)}1 − ${division} ≈ ${percent(1 - ratio)}: ${one} saves that share of the parameters of ${all}.`
    if (ratio > 1)
      return said`${perhaps(each)}${division} ≈ ${ratio.toFixed(2)}: ${one} has that many times the parameters of ${all}.`
    if (total.words.endsWith(part.words.replace(TRAINED, "")))
      return said`${perhaps(each)}${division} ≈ ${percent(ratio)}: that is ${one}.`
    const is = each.parts.length
      ? said`that is the share of ${one} in ${all}`
      : said`${one} has that share of the parameters of ${all}`
    return said`${perhaps(each)}${division} ≈ ${percent(ratio)}: ${is}.`
  },
  near(each, chosen) {
    const away = whole(Math.abs(each.rest))
    const [right, what] = [number(each.number), phrase(each, chosen)]
    if (each.slip)
      return said`${number(each.number + each.rest)} looks like ${right} ${SLIPS[each.slip]}: that is ${what}, ${away} away.`
    return said`${each.nearest ? "The nearest right number is" : "Near it is"} ${right}, ${away} away: ${what}.`
  },
}

/** @param {Explanation} each @param {string} chosen @param {Explanation[]} alike  ways that are about as likely and give the same
 * @param {boolean} also  whether something else has been said of the number before
 * @returns {Content[]} */
export function sentence(each, chosen, alike = [], also = false) {
  const own = SENTENCES[each.kind]
  if (own) return own(each, chosen)
  const is = also ? " is also " : " is "
  if (!each.mistakes.length) return said`${perhaps(each)}${number(each.number)}${is}${phrase(each, chosen)}.`
  const labels = withLabels(each.labels)
  const not = !each.parts.length && !isBert(each, chosen) ? `${NOT_BERT},` : ""
  return said`${would(each)}${number(each.number)} for ${gets(each, chosen)}${labels}${not}${condition(each, chosen, alike)}.`
}
