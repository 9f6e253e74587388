// Puts an explanation into a sentence, in the words of a teacher.
//
// Each kind of explanation has a noun phrase, in PHRASES. The sentence is "N is ..." followed
// by this phrase or, for a mistake, "You would get N for ... if you ...". Kinds with more to
// say have complete sentences of their own, in SENTENCES. Sentences are lists of content
// rather than strings, because they contain links and numbers.
//
// Throughout this module, `modelName` is the name of the model that the reader chose, or "".

import table from "../../data/table.js"
import { inOrder } from "../counting/bridge.js"
import { classes, classOfBare, deviations, models, noun, sizesAfter, sizeWithNoun, whole } from "../counting/engine.js"
import { isBinaryMillion } from "../explaining/readings.js"
import { UNIT_NAMES } from "../explaining/units.js"
import { isFileRounded, statedNumber } from "../explaining/ways.js"
import { code, content, inWords, link, number } from "./elements.js"

const { pages } = table.explanations

/** The model that an answer is about: the chosen one if it is among those of the explanation, otherwise the likeliest.
 * @param {Explanation} explanation @param {string} modelName */
export const modelOf = (explanation, modelName) =>
  models.get(explanation.models.includes(modelName) ? modelName : explanation.models[0])

/** The class that an answer is about; BertModel if the explanation names none. @param {Explanation} explanation */
export const classOf = (explanation) => explanation.classes[0] ?? "BertModel"

/** The name of a class, followed by its purpose if it has a head. @param {string} name */
function withPurpose(name) {
  const { purpose, architecture } = classes.get(name)
  return [code(name), name === classOfBare(architecture) ? "" : `, ${purpose}`]
}

/** Whether an explanation is about a BERT, rather than a relative.
 * @param {Explanation} explanation @param {string} modelName */
const isBert = (explanation, modelName) => modelOf(explanation, modelName).architecture === table.models[0].architecture

/** The mistakes as a clause to follow "if you". A mistake that replaces a size is followed by both values.
 * @param {string[]} mistakes @param {Sizes} sizes */
function mistakesInWords(mistakes, sizes) {
  const clauses = inOrder(mistakes).map((name) => {
    const deviation = deviations.get(name)
    const { letter } = deviation
    const [otherSize, rightSize] = [sizesAfter(sizes, [deviation]), sizes].map((allSizes) => whole(allSizes[letter]))
    return deviation.done + (letter ? ` (${letter} = ${otherSize} instead of ${rightSize})` : "")
  })
  return inWords(clauses).join("")
}

/** The clause "if you ..." with the mistakes of an explanation, or of several that lead to the same number; "" if it
 * has no mistakes.
 * @param {Explanation} explanation @param {string} modelName @param {Explanation[]} alternatives */
function mistakesClause(explanation, modelName, alternatives = []) {
  if (!explanation.mistakes.length) return ""
  const ways = [explanation, ...alternatives].map(({ mistakes }) =>
    mistakesInWords(mistakes, modelOf(explanation, modelName).sizes),
  )
  const conjunction = explanation.kind === "size" ? ", if you also" : " if you"
  return `${conjunction} ${ways.length > 1 ? `either ${ways.join(", or ")}` : ways[0]}`
}

/** The clause about a replaced size; "" if there is none. A number of labels is stated without the one it replaces.
 * @param {Explanation} explanation @param {string} modelName */
function replacedSizeClause(explanation, modelName) {
  const [[letter, value] = ["", 0]] = Object.entries(explanation.sizes)
  if (!letter) return ""
  const words = ` with ${sizeWithNoun(letter, value)}`
  return letter === "C" ? words : `${words} instead of ${whole(modelOf(explanation, modelName).sizes[letter])}`
}

/** A warning before an explanation that may be a coincidence; "" for any other. @param {Explanation} explanation */
const coincidenceWarning = ({ confidence }) => (confidence === "possible" ? "This may be a coincidence, but " : "")

/** The beginning of a sentence about a mistake or a replaced size, including the warning if it may be a coincidence.
 * @param {Explanation} explanation */
const youWouldGet = (explanation) =>
  coincidenceWarning(explanation) ? `${coincidenceWarning(explanation)}you would get ` : "You would get "

/** The words for a part. The exported words are about one layer; for several layers, they are put into the plural.
 * @param {{ words: string }} part
 * @param {number} layers  the number of layers, or 0 for one or all */
export function wordsOf({ words }, layers) {
  if (!layers) return words.replace(/ in the model$/, "") // because the name of the model follows
  return words
    .replace("in one layer", `in ${layers} layers`)
    .replace("one encoder layer without its", `${layers} layers without their`)
    .replace("one encoder layer", `${layers} layers`)
}

/** The number of labels, to follow the words for a sequence classifier; "" for any other part.
 * @param {{ path: string }} part @param {Sizes} sizes */
const labelsClause = ({ path }, { C = 2 }) =>
  path.endsWith("sequence_classifier") ? ` for ${sizeWithNoun("C", C)}` : ""

const MAX_LINKS = 3 // a sentence about more parts than this links only to the first

/** The clause about the bytes per parameter. @param {Explanation} explanation */
function bytesClause({ dtype, bytesPerParameter, kept }) {
  if (dtype === "float32 with buffers")
    return content`4 bytes each (${code("float32")}), and its buffers of ${code("int64")} numbers, as ${code("get_memory_footprint()")} adds them up`
  if (dtype === "dynamic int8")
    return content`with the matrices of dense layers at 1 byte and everything else at 4 (dynamic ${code("int8")} quantisation)`
  const bytes = bytesPerParameter < 1 ? "4 bits" : `${whole(bytesPerParameter)} ${noun(bytesPerParameter, "byte")}`
  return content`${bytes} each (${code(dtype)}${kept && `, ${kept}`})`
}

/** The number of parameters in an explanation, even if its own number is in bytes. @param {Explanation} explanation */
export const parametersOf = ({ number, frame, bytesPerParameter }) =>
  bytesPerParameter ? (number - frame) / bytesPerParameter : number

const MAX_DECIMALS = 5 // the most decimals of an amount; with more, the number of bytes itself would be easier to compare

/** An amount of memory in the unit that was meant, as in 417.6 MiB. If possible, it has enough decimals to round to
 * what was typed, as 1.248 GiB rounds to 1.2 but 1.25 GiB does not.
 * @param {Explanation} explanation */
export function amountInUnit(explanation) {
  const { unit, reading } = explanation
  const size = statedNumber(explanation) / unit
  const typedDecimals = reading?.size === unit ? reading.decimals : null
  /** Whether the amount with these decimals rounds to what was typed. */
  const isPreciseEnough = (/** @type {number} */ decimals) =>
    typedDecimals === null || Number(size.toFixed(decimals)).toFixed(typedDecimals) === size.toFixed(typedDecimals)
  let decimals = unit < 10 ** 9 ? 1 : 2
  while (decimals < MAX_DECIMALS && !isPreciseEnough(decimals)) decimals++
  return `${size.toFixed(decimals)} ${UNIT_NAMES[unit]}`
}

/** A ratio as a percentage: with one decimal or, below 1%, where that would be too coarse, with four significant
 * figures.
 * @param {number} ratio */
const percent = (ratio) => `${ratio < 0.01 ? (100 * ratio).toPrecision(4) : (100 * ratio).toFixed(1)}%`

/** A clause that points out that a model is not a BERT; "" if it is one.
 * @param {Explanation} explanation @param {string} modelName */
const notBertClause = (explanation, modelName) =>
  explanation.models.length && isBert(explanation, modelName) ? "" : ", which is not BERT"

/** The subject of an explanation: a model with its class, one or more parts of a model, or a model that is not counted
 * here.
 * @param {Explanation} explanation @param {string} modelName */
function subject(explanation, modelName) {
  if (!explanation.models.length)
    return content`${link(pages.other, explanation.words)} (${inWords(explanation.classes.map(code))})`
  const { page, title, sizes } = modelOf(explanation, modelName)
  const links = explanation.parts.map((part) =>
    link(part.page, wordsOf(part, explanation.layers) + labelsClause(part, sizes)),
  )
  if (!links.length) return content`${link(page, title)} (${withPurpose(classOf(explanation))})`
  const moreParts = `or any of ${whole(links.length - 1)} more parts`
  const allParts = links.length > 1 ? ["either ", ...inWords(links, "or")] : links
  return content`${links.length > MAX_LINKS ? content`${links[0]} ${moreParts}` : allParts} of ${link(page, title)}`
}

/** The terms of a difference or a share, as links. @param {Explanation} explanation */
const linksOf = ({ terms }) => terms.map(({ page, words }) => link(page, wordsOf({ words }, 0)))

/** The words for the number of parameters in the subject of an explanation.
 * @param {Explanation} explanation @param {string} modelName */
const parametersIn = (explanation, modelName) =>
  content`the number of parameters in ${subject(explanation, modelName)}${replacedSizeClause(explanation, modelName)}${notBertClause(explanation, modelName)}`

/** The noun phrases for numbers, by kind of explanation.
 * @type {Record<ExplanationKind, (explanation: Explanation, modelName: string) => Content[]>} */
const PHRASES = {
  total: parametersIn,
  labels: parametersIn,
  size: parametersIn,
  other: parametersIn,
  part: (explanation, modelName) => content`the size of ${subject(explanation, modelName)}`,
  near: (explanation, modelName) => PHRASES[explanation.parts.length ? "part" : "total"](explanation, modelName),
  setting(explanation, modelName) {
    const [{ page, title }, moreCount] = [modelOf(explanation, modelName), explanation.models.length - 1]
    return content`${explanation.words} of ${link(page, title)}${moreCount ? `, and of ${whole(moreCount)} more ${noun(moreCount, "model")}` : ""}`
  },
  tensors: (explanation, modelName) =>
    content`the number of ${link(pages.tensors, "tensors")} of ${subject(explanation, modelName)}`,
  memory(explanation, modelName) {
    const { frame, bytesPerParameter } = explanation
    if (explanation.terms.length) return [explanation.words]
    const parameters = parametersOf(explanation)
    const parameterWords = bytesPerParameter
      ? content`${number(parameters)} ${noun(parameters, "parameter")} of `
      : "the parameters of "
    const fileClause = isFileRounded(explanation)
      ? ", in a file that holds their names as well"
      : content`, and ${number(frame)} ${noun(frame, "byte")} for the names and the header of the file`
    return content`${parameterWords}${subject(explanation, modelName)}${notBertClause(explanation, modelName)}, ${bytesClause(explanation)}${frame ? fileClause : ""}`
  },
  difference(explanation) {
    const [[first, second], [firstLink, secondLink]] = [explanation.terms, linksOf(explanation)]
    if (!second) return content`${whole(first.times)} times the number of parameters in ${firstLink}`
    return content`the ${second.times < 0 ? "difference between" : "sum of"} ${firstLink} and ${secondLink}`
  },
  change: (explanation) => [explanation.words],
  operations(explanation, modelName) {
    const { tokens, texts, words, profiler } = explanation
    const batch = `${texts > 1 ? `${whole(texts)} texts` : "one text"} of ${whole(tokens)} tokens`
    const operationLink = link(`${pages.operations}${profiler ? `#profiler-${profiler}` : ""}`, words)
    return content`${operationLink}, for ${subject(explanation, modelName)} and ${batch}`
  },
  quoted: ({ terms: [{ page, words }] }) => [link(page, words)],
  share(explanation) {
    const [partLink, totalLink] = linksOf(explanation)
    return content`${partLink} ${explanation.parts.length ? "in" : "compared with"} ${totalLink}`
  },
}

/** A noun phrase for a number, with the mistakes that lead to it.
 * @param {Explanation} explanation @param {string} modelName */
export const phrase = (explanation, modelName) =>
  content`${PHRASES[explanation.kind](explanation, modelName)}${explanation.mistakes.length ? `,${mistakesClause(explanation, modelName)}` : ""}`

/** A sentence about the layer from TensorFlow Hub, which shows one parameter more than the bare BERT; "" for any other
 * class or difference.
 * @param {Explanation} explanation */
const hubLayerNote = ({ excess, classes: [modelClass = ""] }) =>
  excess === 1 && modelClass === table.architectures[0].classes[0].name
    ? content` A ${code("KerasLayer")} from TensorFlow Hub ${link("disagreements/what-your-tool-prints.html#tf-hub", "shows one more")}: besides the model, it holds a scalar that nothing trains.`
    : ""

/** The complete sentences of kinds that have more to say than "the number is ...".
 * @type {Partial<Record<ExplanationKind, (explanation: Explanation, modelName: string) => Content[]>>} */
const SENTENCES = {
  tensors: (explanation, modelName) =>
    content`${number(explanation.number)} counts the ${link(pages.tensors, "tensors")} of ${subject(explanation, modelName)}, not its parameters.`,
  memory(explanation, modelName) {
    const unitNote = explanation.unit > 1 ? content` (${link(pages.memory, amountInUnit(explanation))})` : ""
    const bytes = statedNumber(explanation)
    return content`${coincidenceWarning(explanation)}${number(bytes)} ${noun(bytes, "byte")}${unitNote} ${noun(bytes, "is", "are")} ${phrase(explanation, modelName)}.`
  },
  share(explanation) {
    const [[part, total], [partLink, totalLink]] = [explanation.terms, linksOf(explanation)]
    const ratio = part.number / total.number
    const division = content`${number(part.number)} / ${number(total.number)}`
    /** The sentence that a clause about the ratio completes. @param {Content[]} clause */
    const ratioSentence = (clause) =>
      content`${coincidenceWarning(explanation)}${division} ≈ ${ratio > 1 ? ratio.toFixed(2) : percent(ratio)}: ${clause}.`
    if (explanation.isReduction)
      return content`${coincidenceWarning(explanation)}1 − ${division} ≈ ${percent(1 - ratio)}: ${partLink} saves that share of the parameters of ${totalLink}.`
    if (ratio > 1) return ratioSentence(content`${partLink} has that many times the parameters of ${totalLink}`)
    if (part.words.startsWith("what is trained in ")) return ratioSentence(content`that is ${partLink}`)
    if (explanation.parts.length) return ratioSentence(content`that is the share of ${partLink} in ${totalLink}`)
    return ratioSentence(content`${partLink} has that share of the parameters of ${totalLink}`)
  },
  near(explanation, modelName) {
    const away = whole(Math.abs(explanation.excess))
    const [rightNumber, meaningWords] = [number(explanation.number), phrase(explanation, modelName)]
    if (Math.abs(explanation.excess) === 1)
      return content`${number(explanation.number + explanation.excess)} is one ${explanation.excess > 0 ? "more" : "less"} than ${rightNumber}, which is ${meaningWords}.${hubLayerNote(explanation)}`
    if (explanation.slip)
      return content`${number(explanation.number + explanation.excess)} looks like ${rightNumber} ${explanation.slip}: that is ${meaningWords}, ${away} away.${hubLayerNote(explanation)}`
    return content`${explanation.isNearest ? "The nearest right number is" : "Near it is"} ${rightNumber}, ${away} away: ${meaningWords}.`
  },
}

/** A sentence on the divisor of a number that was divided by 2^20, not by a million; "" for any other.
 * @param {Explanation} explanation */
function divisionNote({ number: parameters, reading }) {
  const { size, decimals } = reading
  if (!isBinaryMillion(reading)) return ""
  const quotient = (parameters / size).toFixed(decimals)
  return content` Divided by ${number(size)} (1,024 × 1,024), it is ${quotient}; in millions, it is ${(parameters / 1e6).toFixed(decimals)}.`
}

/** An explanation as a sentence.
 * @param {Explanation} explanation @param {string} modelName
 * @param {Explanation[]} alternatives  ways to the same number that are about as likely
 * @param {boolean} isFurther  whether another explanation of the number precedes this one
 * @returns {Content[]} */
export function sentence(explanation, modelName, alternatives = [], isFurther = false) {
  const sentenceOfKind = SENTENCES[explanation.kind]
  if (sentenceOfKind) return sentenceOfKind(explanation, modelName)
  const verb = isFurther ? " is also " : " is "
  if (!explanation.mistakes.length && explanation.kind !== "size")
    return content`${coincidenceWarning(explanation)}${number(explanation.number)}${verb}${phrase(explanation, modelName)}.${divisionNote(explanation)}`
  const aside = explanation.parts.length ? "" : notBertClause(explanation, modelName)
  const subjectWords = content`${subject(explanation, modelName)}${replacedSizeClause(explanation, modelName)}${aside}${aside && ","}`
  return content`${youWouldGet(explanation)}${number(explanation.number)} for ${subjectWords}${mistakesClause(explanation, modelName, alternatives)}.`
}
