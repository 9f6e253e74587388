// Puts an explanation of a number into a noun phrase, such as "BERT base, uncased, as
// BertModel". The words are those of answers to single numbers, but as data (words.js), so
// that they can be part of a longer sentence.

import table from "../../../data/table.js"
import { bridge, inOrder } from "../../counting/bridge.js"
import {
  classes,
  classOfBare,
  deviations,
  models,
  noun,
  sizesAfter,
  sizeWithNoun,
  whole,
} from "../../counting/engine.js"
import { isFileRounded } from "../../explaining/ways.js"
import { asSubject, code, enumeration, firstOf, link, linkTo, words } from "../words.js"

const { pages } = table.explanations

/** A sentence on ALBERT, whose layers share their weights. */
export const ON_SHARED_LAYERS = "ALBERT uses the same layer at every depth, so it counts once."

/** The words for a class, with its number of labels unless that is 0.
 * @param {string} name @param {number} labels @returns {Words} */
export const asClass = (name, labels = 0) => words`as ${code(name)}${withLabels(labels)}`

/** The words for a number of labels, to follow a class; "" for none. @param {number} labels */
const withLabels = (labels) => (labels ? ` with ${whole(labels)} ${noun(labels, "label")}` : "")

/** A model as a link. @param {string} name @returns {Words} */
export const titleOf = (name) => [linkTo(models.get(name))]

/** A model as a link in front of a verb: a title that contains a comma is followed by one.
 * @param {string} name @returns {Words} */
export function subjectOf(name) {
  const { page, title } = models.get(name)
  return [link(page, asSubject(title))]
}

/** Whether a model is built like BERT. @param {string} name */
export const isBert = (name) => models.get(name).architecture === table.models[0].architecture

/** The number of labels that a class has by default; 0 if it has no labels, or always the same number.
 * @param {string} name @param {string} model */
export function usualLabels(name, model) {
  const { labels, offers } = classes.get(name)
  return offers.includes("labels") && labels === null ? models.get(model).sizes.C : 0
}

/** The words for a class with the number of labels that it has by default.
 * @param {string} name @param {string} model */
export const asUsualClass = (name, model) => asClass(name, usualLabels(name, model))

/** The mistakes that lead to a number, as the end of "if you ...".
 * @param {string[]} mistakes @param {Sizes} sizes @param {string} [and]  the word before the last @returns {Words} */
export const mistakesInWords = (mistakes, sizes, and = "and") =>
  enumeration(
    inOrder(mistakes).map((name) => {
      const deviation = deviations.get(name)
      const { letter } = deviation
      const [wrongSize, usualSize] = [sizesAfter(sizes, [deviation]), sizes].map((comparedSizes) =>
        whole(comparedSizes[letter]),
      )
      return words`${deviation.done}${letter ? ` (${letter} = ${wrongSize} instead of ${usualSize})` : ""}`
    }),
    and,
  )

/** The steps that undo mistakes, from the total with them to the right one.
 * @param {string} modelClass @param {Sizes} sizes @param {string[]} mistakes @returns {AccountStep[]} */
export const stepsUndoing = (modelClass, sizes, mistakes) =>
  bridge(modelClass, sizes, mistakes).map(({ deviation, value, formula }) => ({
    label: words`${deviations.get(deviation).undo}`,
    value,
    formula,
  }))

/** The words for a part, in as many layers as it is counted in.
 * @param {{ words: string }} part @param {number} layers  their number; 0 for a part that is not counted by layers */
export const partWords = ({ words: text }, layers) =>
  layers
    ? text
        .replace("in one layer", `in ${layers} layers`)
        .replace(/one encoder layer without its/, `${layers} layers without their`)
        .replace("one encoder layer", `${layers} layers`)
    : text.replace(/ in the model$/, "")

/** The words for a size that differs from the model's, to follow the model; "" if none does. The number of labels
 * does not count.
 * @param {Meaning} way @param {string} model */
function otherSizeInWords({ sizes, kind }, model) {
  const [[letter, value] = ["", 0]] = Object.entries(sizes)
  if (!letter || letter === "C" || kind === "labels") return ""
  const usualSize = whole(models.get(model).sizes[letter])
  return ` with ${sizeWithNoun(letter, value)} instead of ${usualSize}`
}

/** The class to name for an explanation: one that the words around the number name or suggest, or else a likely one.
 * @param {Meaning} way @param {ContextNames} [contextNames] */
export function classOf({ classes: names }, contextNames) {
  const nameInContext =
    names.find((name) => contextNames?.classes.includes(name)) ??
    names.find((name) => contextNames?.endings.some((end) => name.endsWith(end)))
  if (nameInContext) return nameInContext
  const [first] = names
  // Few people use these two classes, which are as large as one for sequence classification.
  if (!/NextSentence|MultipleChoice/.test(first)) return first
  return names.find((name) => name.endsWith("ForSequenceClassification")) ?? first
}

/** The classes, purposes and parts that the words around a number name.
 * @typedef {Pick<Context, "classes" | "endings" | "parts" | "partsInText">} ContextNames */

/** The words for the model of an explanation in its class, or in several classes that the number fits if the words
 * around it name none of them.
 * @param {Meaning} way @param {string} model @param {ContextNames} [contextNames] @returns {Words} */
export function modelInClass(way, model, contextNames) {
  const name = classOf(way, contextNames) ?? classOfBare(models.get(model).architecture)
  /** The number of labels to name after a class; 0 if it has none, or always the same number. */
  const labelsToName = (/** @type {string} */ className) =>
    usualLabels(className, model) ? way.labels || usualLabels(className, model) : 0
  const condition = way.mistakes.length ? words`, if you ${mistakesInWords(way.mistakes, models.get(model).sizes)}` : ""
  const otherNames =
    isNamed(name, contextNames) || way.mistakes.length ? [] : way.classes.filter((className) => className !== name)
  const otherClasses = otherNames
    .slice(0, MAX_CLASSES - 1)
    .map((other) => words`${code(other)}${withLabels(labelsToName(other))}`)
  return words`${titleOf(model)}, ${enumeration([asClass(name, labelsToName(name)), ...otherClasses], "or")}${otherSizeInWords(way, model)}${condition}`
}

const MAX_CLASSES = 3 // if a number is the total of several classes, this many are listed

/** Whether words name a class or its purpose. @param {string} name @param {ContextNames} [contextNames] */
const isNamed = (name, contextNames) =>
  Boolean(
    contextNames &&
      (contextNames.classes.includes(name) || contextNames.endings.some((ending) => name.endsWith(ending))),
  )

/** The meaning of a number according to an explanation, as a noun phrase.
 * @param {Explanation} way @param {string} model  the model to name, if the explanation is about it
 * @param {ContextNames} [contextNames] @returns {Words} */
export function meaning(way, model = "", contextNames) {
  const name = way.models.includes(model) ? model : way.models[0]
  const { kind, parts, terms, dtype, bytesPerParameter, frame, kept } = way
  if (kind === "change") return words`${way.words}`
  if (kind === "quoted") return words`${link(terms[0].page, terms[0].words)}`
  if (kind === "share") return shareInWords(way)
  if (kind === "difference") return termsInWords(terms)
  if (kind === "memory" && terms.length) return words`${way.words}`
  if (kind === "setting") return words`${way.words} of ${titleOf(name)}`
  if (kind === "tensors")
    return words`the number of parameter tensors of ${modelInClass(way, name, contextNames)}${way.why && `, ${way.why}`}`
  if (kind === "memory") {
    const parameters = (way.number - frame) / bytesPerParameter
    const bytes =
      dtype === "float32 with buffers" ? words`4 bytes each and its buffers` : bytesOf(bytesPerParameter, dtype, kept)
    const [part] = parts
    const ofPart = part ? words`${link(part.page, partWords(part, way.layers))} of ${titleOf(name)}` : null
    const subject = ofPart ?? (name ? modelInClass(way, name, contextNames) : words`${way.words}`)
    const clauseOnHeader = isFileRounded(way)
      ? ", in a file that holds their names as well"
      : words` (${way.number - frame} bytes), and ${frame} for the header of the file`
    const fileClause = frame ? clauseOnHeader : ""
    return Number.isInteger(parameters) && bytesPerParameter
      ? words`the ${parameters} parameters of ${subject}, at ${bytes}${fileClause}`
      : words`the parameters of ${subject}, at ${bytes}${fileClause}`
  }
  if (kind === "operations") {
    const batch = `${way.texts > 1 ? `${whole(way.texts)} texts` : "one text"} of ${whole(way.tokens)} tokens`
    return words`${link(pages.operations, way.words)}, for ${modelInClass(way, name, contextNames)} and ${batch}`
  }
  if (!name) return words`${link(pages.other, way.words)} (${code(way.classes[0] ?? "")}), which is not BERT`
  if (parts.length && kind !== "total" && kind !== "labels") {
    /** The first of the parts of this size that has one of these names; undefined if there is none.
     * @param {string[]} names */
    const partNamed = (names = []) =>
      parts.find((candidate) => names.some((text) => isPartNamed(partWords(candidate, way.layers), text)))
    const part = partNamed(contextNames?.parts) ?? partNamed(contextNames?.partsInText) ?? parts[0]
    const condition = way.mistakes.length
      ? words`, if you ${mistakesInWords(way.mistakes, models.get(name).sizes)}`
      : ""
    return words`${link(part.page, partWords(part, way.layers))} of ${titleOf(name)}${condition}`
  }
  return modelInClass(way, name, contextNames)
}

const MAX_PARTS = 4 // if several parts have the same size, this many are listed

/** The words for parts of the same size. A part with which the words for a change end comes first.
 * @param {Meaning} way @param {string} [changeText]  the words for the change @returns {Words} */
export function partsOfSameSize({ parts, layers, models: [model] }, changeText = "") {
  /** 1 if the words for the change name a part, otherwise 0. */
  const priorityOf = (/** @type {string} */ part) => Number(changeText.endsWith(part))
  const names = parts.map(({ words: part, page }) => ({ page, part: partWords({ words: part }, layers) }))
  names.sort((one, other) => priorityOf(other.part) - priorityOf(one.part))
  const links = names.map(({ page, part }) => link(page, part))
  return words`${firstOf(links, MAX_PARTS, "or", "part")} of ${titleOf(model)}`
}

/** Whether the words for a part contain a name that the text uses. @param {string} part @param {string} name */
export const isPartNamed = (part, name) => part.includes(name.replace(/^the /, ""))

/** The words for the bytes of each parameter.
 * @param {number} bytes @param {string} dtype
 * @param {string} kept  the words for what memory holds besides the weights; "" for nothing @returns {Words} */
const bytesOf = (bytes, dtype, kept) =>
  dtype === "dynamic int8"
    ? words`1 byte each in the matrices of dense layers and 4 bytes elsewhere (${code(dtype)})`
    : words`${bytes < 1 ? "4 bits" : `${whole(bytes)} ${noun(bytes, "byte")}`} each (${code(dtype)}${kept && `, ${kept}`})`

/** The words for a share. @param {Explanation} way @returns {Words} */
function shareInWords({ terms: [partTerm, wholeTerm], isReduction, parts }) {
  const [part, total] = [partTerm, wholeTerm].map(
    ({ words: text, page, number }) => words`${link(page, text.replace(/ in the model$/, ""))} (${number})`,
  )
  if (isReduction) return words`by how much ${part} is smaller than ${total}`
  if (partTerm.words.startsWith("what is trained in "))
    return words`${partTerm.number} of ${wholeTerm.number}, the share of ${partTerm.words}`
  return parts.length ? words`the share of ${part} in ${total}` : words`${part} as a share of ${total}`
}

/** The words for a multiple, a sum or a difference. @param {ExplanationTerm[]} terms @returns {Words} */
function termsInWords([first, second]) {
  if (!second) return words`${whole(first.times)} times ${link(first.page, first.words)}`
  return words`the ${second.times < 0 ? "difference between" : "sum of"} ${link(first.page, first.words)} and ${link(second.page, second.words)}`
}

/** A number as it was typed, except that an exact count has commas, and memory always has a unit.
 * @param {Quantity} quantity @returns {Words} */
export const asTyped = ({ typed, number, role, canonical }) =>
  number.exact && role === "count"
    ? words`${number.low}`
    : words`${/^[0-9.,]+$/.test(typed) && role === "memory" ? canonical : typed}`
