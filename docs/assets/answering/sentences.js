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

/** @param {Part} part @param {number} layers  how many of them are meant, or 0 */
export const wordsOf = ({ words }, layers) =>
  layers
    ? words
        .replace("in one layer", `in ${layers} layers`)
        .replace(/one encoder layer without its/, `${layers} layers without their`)
        .replace("one encoder layer", `${layers} layers`)
    : words

/** @param {Explanation} each @param {string} chosen */
function partsOf(each, chosen) {
  const links = each.parts.map((part) => link(part.page, wordsOf(part, each.layers)))
  return said`${links.length > 1 ? ["either ", ...listed(links, "or")] : links} of ${modelLink(each, chosen)}`
}

/** What a right number counts. @param {Explanation} each @param {string} chosen */
const counted = (each, chosen) =>
  each.parts.length
    ? said`the size of ${partsOf(each, chosen)}`
    : said`the number of parameters in ${where(each, chosen)}`

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
function bytesOf({ dtype, width }) {
  if (dtype === "float32 with buffers")
    return said`4 bytes each (${code("float32")}), and the two buffers of ${code("int64")} numbers, as accelerate counts`
  if (dtype === "dynamic int8")
    return said`with the matrices of dense layers at 1 byte and everything else at 4 (dynamic ${code("int8")} quantisation)`
  const kept = width / table.dtypes[dtype]
  const what = kept === 3 ? ", with Adam's moments" : kept === 4 ? ", with gradients and Adam's moments" : ""
  return said`${whole(width)} ${noun(width, "byte")} each (${code(dtype)}${what})`
}

/** @param {Explanation} each */
export const parametersOf = ({ number: bytes, frame, width }) => (bytes - frame) / width

const NOT_BERT = ", which is not BERT"

/** @type {Record<ExplanationKind, (each: Explanation, chosen: string, alike: Explanation[], is: string) => Content[]>} */
const SENTENCES = {
  total(each, chosen, alike, is) {
    const not = isBert(each, chosen) ? "" : NOT_BERT
    if (!each.mistakes.length) return said`${number(each.number)}${is}${counted(each, chosen)}${not}.`
    const made = `${not && `${not},`}${condition(each, chosen, alike)}`
    return said`${would(each)}${number(each.number)} for ${where(each, chosen)}${made}.`
  },
  size(each, chosen) {
    const also = each.mistakes.length ? `,${condition(each, chosen).replace(" if you", " if you also")}` : ""
    return said`${would(each)}${number(each.number)} for ${where(each, chosen)}${otherSize(each, chosen)}${also}.`
  },
  labels(each, chosen, _, is) {
    const labels = ` with ${whole(each.labels)} ${noun(each.labels, "label")}`
    return each.mistakes.length
      ? said`${would(each)}${number(each.number)} for ${where(each, chosen)}${labels}${condition(each, chosen)}.`
      : said`${number(each.number)}${is}${counted(each, chosen)}${labels}.`
  },
  part: (each, chosen, _, is) =>
    each.mistakes.length
      ? said`${would(each)}${number(each.number)} for ${partsOf(each, chosen)}${condition(each, chosen)}.`
      : said`${number(each.number)}${is}${counted(each, chosen)}.`,
  tensors: (each, chosen) =>
    said`${number(each.number)} counts the ${link(pages.tensors, "tensors")} of ${where(each, chosen)}, not its parameters.`,
  memory(each, chosen) {
    const { number: bytes, frame, unit, width, mistakes } = each
    const parameters = parametersOf(each)
    const of = width ? said`${number(parameters)} ${noun(parameters, "parameter")} of ` : "the parameters of "
    const file = frame ? said`, and ${number(frame)} ${noun(frame, "byte")} of a file's names and frame` : ""
    const divided = unit > 1 ? said`, ${link(pages.memory, "divided")} by ${whole(unit)}` : ""
    const made = mistakes.length ? `,${condition(each, chosen)}` : ""
    const are = noun(bytes, "byte is", "bytes are")
    return said`${perhaps(each)}${number(bytes)} ${are} ${of}${where(each, chosen)}, ${bytesOf(each)}${file}${divided}${made}.`
  },
  other: ({ number: total, terms, classes: alike }, _, __, is) =>
    said`${number(total)}${is}the number of parameters in ${terms[0].words} (${listed(alike.map(code))})${NOT_BERT}.`,
  difference({ number: result, terms: [one, two] }, _, __, is) {
    const [first, second] = [one, two ?? one].map(({ page, words }) => link(page, words))
    if (!two) return said`${number(result)}${is}${whole(one.times)} times the number of parameters in ${first}.`
    return said`${number(result)}${is}the ${two.times < 0 ? "difference between" : "sum of"} ${first} and ${second}.`
  },
  training: (each, _, __, is) => said`${perhaps(each)}${number(each.number)}${is}${each.words}.`,
  share({ terms: [part, total] }) {
    const all = link(total.page, total.words)
    if (part.number > total.number) {
      const times = (part.number / total.number).toFixed(2)
      return said`${number(part.number)} / ${number(total.number)} = ${times}: ${link(part.page, part.words)} has that many times the parameters of ${all}.`
    }
    const words = link(part.page, part.words.replace(` in ${total.words}`, ""))
    return said`${number(part.number)} / ${number(total.number)} gives this share: ${words} in ${all}.`
  },
  near(each, chosen) {
    const away = whole(Math.abs(each.rest))
    const right = number(each.number)
    const what = counted(each, chosen)
    if (each.slip)
      return said`${number(each.number + each.rest)} looks like ${right} ${SLIPS[each.slip]}: that is ${what}, ${away} away.`
    return said`${each.nearest ? "The nearest right number is" : "Near it is"} ${right}, ${away} away: ${what}.`
  },
}

/** @param {Explanation} each @param {string} chosen @param {Explanation[]} alike  ways that are about as likely and give the same
 * @param {boolean} also  whether something else has been said of the number before */
export const sentence = (each, chosen, alike = [], also = false) =>
  SENTENCES[each.kind](each, chosen, alike, also ? " is also " : " is ")
