// Sentences: what an explanation says, in the words of a good teacher.
// In all that follows, `each` is an explanation, and `chosen` the name of the
// model that the reader chose, or "".

import table from "../../data/table.js"
import { inOrder } from "../counting/bridge.js"
import { classes, classOfBare, deviations, models, noun, resized, whole } from "../counting/engine.js"
import { code, link, listed, number, said } from "./elements.js"

const { nouns, pages } = table.explanations

/** @param {Explanation} each @param {string} chosen */
export const modelOf = (each, chosen) => models.get(each.models.includes(chosen) ? chosen : each.models[0])
/** @param {Explanation} each */
export const classOf = (each) => each.classes[0] ?? "BertModel"
/** A class by its name, and what it is for where it has a head. @param {string} name */
function withPurpose(name) {
  const { purpose, architecture } = classes.get(name)
  return [code(name), name === classOfBare(architecture) ? "" : `, ${purpose}`]
}
/** @param {Explanation} each @param {string} chosen */
const isBert = (each, chosen) => modelOf(each, chosen).architecture === table.models[0].architecture

/** What was done, as the end of "if you", with the size that is taken and the one that it stands for.
 * @param {string[]} mistakes @param {Sizes} sizes */
function done(mistakes, sizes) {
  const clauses = inOrder(mistakes).map((name) => {
    const each = deviations.get(name)
    const [taken, own] = [resized(sizes, [each]), sizes].map((of) => whole(of[each.letter]))
    return each.done + (each.letter ? ` (${each.letter} = ${taken} instead of ${own})` : "")
  })
  return listed(clauses).join("")
}

/** The clause with what was done, and the same done otherwise where that gives the same number.
 * @param {Explanation} each @param {string} chosen @param {Explanation[]} alike */
function condition(each, chosen, alike = []) {
  if (!each.mistakes.length) return ""
  const ways = [each, ...alike].map(({ mistakes }) => done(mistakes, modelOf(each, chosen).sizes))
  const also = each.kind === "size" ? ", if you also" : " if you"
  return `${also} ${ways.length > 1 ? `either ${ways.join(", or ")}` : ways[0]}`
}

/** Another size than the model's; a number of labels is instead of none. @param {Explanation} each @param {string} chosen */
function otherSize(each, chosen) {
  const [[letter, value] = ["", 0]] = Object.entries(each.sizes)
  if (!letter) return ""
  const words = ` with ${whole(value)} ${noun(value, nouns[letter].replace(/s\b/, ""), nouns[letter])}`
  return letter === "C" ? words : `${words} instead of ${whole(modelOf(each, chosen).sizes[letter])}`
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

const MOST_LINKS = 3 // in a sentence

/** @param {Explanation} each */
function bytesOf({ dtype, width, kept }) {
  if (dtype === "float32 with buffers")
    return said`4 bytes each (${code("float32")}), and its buffers of ${code("int64")} numbers, as ${code("get_memory_footprint()")} adds them up`
  if (dtype === "dynamic int8")
    return said`with the matrices of dense layers at 1 byte and everything else at 4 (dynamic ${code("int8")} quantisation)`
  const bytes = width < 1 ? "4 bits" : `${whole(width)} ${noun(width, "byte")}`
  return said`${bytes} each (${code(dtype)}${kept && `, ${kept}`})`
}

/** @param {Explanation} each */
export const parametersOf = ({ number, frame, width }) => (width ? (number - frame) / width : number)

/** @type {Record<number, string>} */
const UNITS = { 1000: "kB", 1024: "KiB", 1e6: "MB", 1048576: "MiB", 1e9: "GB", 1073741824: "GiB" }

/** Bytes in the unit that was meant, as read: 417.6 MiB. @param {Explanation} each */
export const sized = ({ number, unit }) => `${(number / unit).toFixed(unit < 10 ** 9 ? 1 : 2)} ${UNITS[unit]}`

/** @param {number} ratio */
const percent = (ratio) => `${ratio < 0.01 ? (100 * ratio).toPrecision(4) : (100 * ratio).toFixed(1)}%`

/** @param {Explanation} each @param {string} chosen */
const notBert = (each, chosen) => (each.models.length && isBert(each, chosen) ? "" : ", which is not BERT")

/** What an explanation is about, as a noun: a model in a class, one or more parts of it, or another model.
 * @param {Explanation} each @param {string} chosen */
function subject(each, chosen) {
  if (!each.models.length) return said`${link(pages.other, each.words)} (${listed(each.classes.map(code))})`
  const { page, title } = modelOf(each, chosen)
  const links = each.parts.map((part) => link(part.page, wordsOf(part, each.layers)))
  if (!links.length) return said`${link(page, title)} (${withPurpose(classOf(each))})`
  const others = `or any of ${whole(links.length - 1)} more parts`
  const either = links.length > 1 ? ["either ", ...listed(links, "or")] : links
  return said`${links.length > MOST_LINKS ? said`${links[0]} ${others}` : either} of ${link(page, title)}`
}

/** The terms of a difference or a share, as links. @param {Explanation} each */
const linksOf = ({ terms }) => terms.map(({ page, words }) => link(page, wordsOf({ words }, 0)))

/** @param {Explanation} each @param {string} chosen */
const parametersIn = (each, chosen) =>
  said`the number of parameters in ${subject(each, chosen)}${otherSize(each, chosen)}${notBert(each, chosen)}`

/** Words for what a number is. @type {Record<ExplanationKind, (each: Explanation, chosen: string) => Content[]>} */
const PHRASES = {
  total: parametersIn,
  labels: parametersIn,
  size: parametersIn,
  other: parametersIn,
  part: (each, chosen) => said`the size of ${subject(each, chosen)}`,
  near: (each, chosen) => PHRASES[each.parts.length ? "part" : "total"](each, chosen),
  setting(each, chosen) {
    const [{ page, title }, more] = [modelOf(each, chosen), each.models.length - 1]
    return said`${each.words} of ${link(page, title)}${more ? `, and of ${whole(more)} more ${noun(more, "model")}` : ""}`
  },
  tensors: (each, chosen) => said`the number of ${link(pages.tensors, "tensors")} of ${subject(each, chosen)}`,
  memory(each, chosen) {
    const { frame, width } = each
    if (each.terms.length) return [each.words]
    const parameters = parametersOf(each)
    const of = width ? said`${number(parameters)} ${noun(parameters, "parameter")} of ` : "the parameters of "
    const file = frame
      ? said`, and ${number(frame)} ${noun(frame, "byte")} for the names and the header of the file`
      : ""
    return said`${of}${subject(each, chosen)}${notBert(each, chosen)}, ${bytesOf(each)}${file}`
  },
  difference(each) {
    const [[one, two], [first, second]] = [each.terms, linksOf(each)]
    if (!two) return said`${whole(one.times)} times the number of parameters in ${first}`
    return said`the ${two.times < 0 ? "difference between" : "sum of"} ${first} and ${second}`
  },
  change: (each) => [each.words],
  operations(each, chosen) {
    const { tokens, texts, words, profiler } = each
    const batch = `${texts > 1 ? `${whole(texts)} texts` : "one text"} of ${whole(tokens)} tokens`
    const what = link(`${pages.operations}${profiler ? `#profiler-${profiler}` : ""}`, words)
    return said`${what}, for ${subject(each, chosen)} and ${batch}`
  },
  share(each) {
    const [one, all] = linksOf(each)
    return said`${one} ${each.parts.length ? "in" : "compared with"} ${all}`
  },
}

/** What a number is, as a noun, and what is done otherwise. @param {Explanation} each @param {string} chosen */
export const phrase = (each, chosen) =>
  said`${PHRASES[each.kind](each, chosen)}${each.mistakes.length ? `,${condition(each, chosen)}` : ""}`

/** Sentences that say more than that the number is something.
 * @type {Partial<Record<ExplanationKind, (each: Explanation, chosen: string) => Content[]>>} */
const SENTENCES = {
  tensors: (each, chosen) =>
    said`${number(each.number)} counts the ${link(pages.tensors, "tensors")} of ${subject(each, chosen)}, not its parameters.`,
  memory(each, chosen) {
    const inUnit = each.unit > 1 ? said` (${link(pages.memory, sized(each))})` : ""
    return said`${perhaps(each)}${number(each.number)} ${noun(each.number, "byte")}${inUnit} ${noun(each.number, "is", "are")} ${phrase(each, chosen)}.`
  },
  share(each) {
    const [[part, total], [one, all]] = [each.terms, linksOf(each)]
    const ratio = part.number / total.number
    const division = said`${number(part.number)} / ${number(total.number)}`
    /** @param {Content[]} is */
    const about = (is) => said`${perhaps(each)}${division} ≈ ${ratio > 1 ? ratio.toFixed(2) : percent(ratio)}: ${is}.`
    if (each.less)
      return said`${perhaps(each)}1 − ${division} ≈ ${percent(1 - ratio)}: ${one} saves that share of the parameters of ${all}.`
    if (ratio > 1) return about(said`${one} has that many times the parameters of ${all}`)
    if (part.words.startsWith("what is trained in ")) return about(said`that is ${one}`)
    if (each.parts.length) return about(said`that is the share of ${one} in ${all}`)
    return about(said`${one} has that share of the parameters of ${all}`)
  },
  near(each, chosen) {
    const away = whole(Math.abs(each.rest))
    const [right, what] = [number(each.number), phrase(each, chosen)]
    if (each.slip)
      return said`${number(each.number + each.rest)} looks like ${right} ${each.slip}: that is ${what}, ${away} away.`
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
  if (!each.mistakes.length && each.kind !== "size")
    return said`${perhaps(each)}${number(each.number)}${is}${phrase(each, chosen)}.`
  const not = each.parts.length ? "" : notBert(each, chosen)
  const who = said`${subject(each, chosen)}${otherSize(each, chosen)}${not}${not && ","}`
  return said`${would(each)}${number(each.number)} for ${who}${condition(each, chosen, alike)}.`
}
