// Finds the parts of a model that words name, and states their sizes. Words such as "attention" do not say
// whether they mean one layer or all of them, so they may name two parts. A number in the text then decides, or
// the answer gives both.

import table from "../../../data/table.js"
import { classesOf, count, models } from "../../counting/engine.js"
import { enumeration, link, verbFor, withCapital, words } from "../words.js"
import { asClass, isPartNamed, partWords, subjectOf, titleOf } from "./meanings.js"
import { IN_LAYERS } from "./mentions.js"
import { classAndTotal } from "./totals.js"

const { parts } = table.explanations

/** BERT base and BERT large, which a text means if it names no model. */
export const USUAL_MODELS = table.models.slice(0, 2).map(({ name }) => name)

/** A part with its number of parameters in a model.
 * @typedef {Pick<Part, "path" | "tag" | "words" | "page"> & { number: number }} NamedPart */

/** The words for one layer and for all layers, as the table of parts has them. */
export const ONE_LAYER = "one encoder layer"
export const ALL_LAYERS = "all encoder layers"

/** The words for the parts that a bare model consists of. */
export const PARTS_OF_MODEL = [ALL_LAYERS, "the embeddings", "the pooler"]

/** The name of the encoder in labels.toml, which may be one of its layers, all of them, or a model such as BERT. */
export const ENCODER = "encoder layer"

/** The tags of the biases of dense layers, and of the shifts of LayerNorms. */
export const [BIASES, SHIFTS] = ["bias", "beta"]

/** The parts whose words contain one of these names, such as "LayerNorm". @param {string[]} partNames */
const partsWithName = (partNames) =>
  parts.filter(({ words: text, share }) => !share && partNames.some((partName) => isPartNamed(text, partName)))

/** The part with exactly these words; null if there is none. @param {string} wordsForPart */
export const partWithWords = (wordsForPart) => parts.find(({ words: text }) => text === wordsForPart) ?? null

/** The parts that words name: a single one, or one in one layer and in all layers; none if they name none.
 * @param {string[]} partNames */
export function partsNamed(partNames) {
  const possibleParts = partsWithName(partNames)
  // "The FFN per layer" is a part of one layer, not the whole layer. The last name is the innermost, as in a path.
  const namesInLayer = partNames.includes(ONE_LAYER) ? partNames.filter((partName) => partName !== ONE_LAYER) : []
  const partInLayer = possibleParts.find(
    ({ words: text }) => text.toLowerCase() === `${namesInLayer.at(-1)?.toLowerCase()} in one layer`,
  )
  if (partInLayer) return [partInLayer]
  const partsOfLayers = possibleParts.filter(
    ({ words: text }) => IN_LAYERS.test(text) && partNames.includes(text.replace(IN_LAYERS, "")),
  )
  if (partsOfLayers.length) return partsOfLayers
  // "the pooler" is also among the words for the pooler with a head.
  const partWithSameWords = possibleParts.find(({ words: text }) => partNames.includes(text))
  return partWithSameWords ? [partWithSameWords] : []
}

/** The words and the size, in a model, of the part that a text names; null if there is none. Of a part in one layer and
 * in all layers, the one whose size is nearer to the number in the text is meant.
 * @param {string} name @param {string[]} partNames @param {number} [number]  in the text @returns {NamedPart | null} */
export function partOfModel(name, partNames, number = NaN) {
  const namedParts = partsNamed(partNames)
  const candidates = namedParts.length ? namedParts : partsWithName(partNames).slice(0, 1)
  const [nearest] = candidates
    .map((part) => ({ part, size: numberOfPart(part, name) }))
    .filter(({ size }) => size > 0)
    // Without a number, no part is nearer than another, so the first one is taken.
    .map(({ part, size }) => ({ part, size, distance: number ? Math.abs(Math.log(size / number)) : 0 }))
    .sort((one, other) => one.distance - other.distance)
  if (!nearest) return null
  const { path, tag, words: text, page } = nearest.part
  return { path, tag, words: text, page, number: nearest.size }
}

/** The path of the output layer of the sequence-classification head, and of the layers before it in the architectures
 * that have them at a path of their own, such as ModernBERT. */
const CLASSIFIER = "sequence_classifier"
const BEFORE_CLASSIFIER = "sequence_head"

/** The number of parameters of a part in a class with these sizes; 0 if the class lacks it. The sequence-classification
 * head includes the layers before its output layer.
 * @param {Pick<Part, "path" | "tag">} part @param {string} modelClass @param {Sizes} sizes */
export function countOfPart({ path, tag }, modelClass, sizes) {
  const isHead = path.split(", ").includes(CLASSIFIER)
  return count({ modelClass, sizes, part: isHead ? `${BEFORE_CLASSIFIER}, ${path}` : path, tag })
}

/** The number of parameters of a part in the first class that has it, because the bare model lacks the heads; 0 if no
 * class has it. If the part consists of several, a class with all of them counts.
 * @param {Pick<Part, "path" | "tag">} part @param {string} name  of the model
 * @param {number} [labels]  of a classifier; by default, the model's own */
export function numberOfPart(part, name, labels = models.get(name).sizes.C) {
  const { architecture, sizes: ownSizes } = models.get(name)
  const sizes = { ...ownSizes, C: labels }
  const numbers = classesOf(architecture).map((modelClass) => countOfPart(part, modelClass.name, sizes))
  return part.path.includes(",") ? Math.max(...numbers) : (numbers.find(Boolean) ?? 0)
}

/** The number of parameters of each layer of a model; 0 if its layers differ, or share their weights.
 * @param {string} name */
export function sizeOfEachLayer(name) {
  const [ofOne, ofAll] = [ONE_LAYER, ALL_LAYERS].map((part) => numberOfPart(partsNamed([part])[0], name))
  return ofAll === models.get(name).sizes.L * ofOne ? ofOne : 0
}

/** A part as a percentage of a whole, with two decimals if it is less than one per cent, otherwise with one; if it is
 * less than a tenth of a per cent, with two figures.
 * @param {number} part @param {number} whole */
export function shareInPercent(part, whole) {
  const share = (100 * part) / whole
  if (share && share < 0.1) return `${Number(share.toPrecision(2))}%`
  return `${share.toFixed(share < 1 ? 2 : 1)}%`
}

/** The shares of parts in a model, as a sentence without its full stop; empty if no class has all of them.
 * @param {Pick<Part, "path" | "tag" | "words" | "page">[]} namedParts @param {string} name  of the model
 * @param {string} [namedClass]  the class that counts if it has the parts; otherwise the first that has them
 * @returns {Words} */
export function sharesOfParts(namedParts, name, namedClass = "") {
  const { architecture, sizes } = models.get(name)
  const classNames = classesOf(architecture).map((modelClass) => modelClass.name)
  /** The numbers of parameters of the parts in a class; 0 for a part that the class lacks. */
  const numbersIn = (/** @type {string} */ modelClass) => namedParts.map((part) => countOfPart(part, modelClass, sizes))
  const modelClass = [namedClass, ...classNames].find(
    (candidate) => classNames.includes(candidate) && numbersIn(candidate).every(Boolean),
  )
  if (!modelClass) return []
  const { total } = classAndTotal(name, modelClass)
  const clauses = numbersIn(modelClass).map((number, index) => {
    const { page, words: text } = namedParts[index]
    return words`${number} (${shareInPercent(number, total)}) ${index ? "" : "belong "}to ${link(page, text)}`
  })
  return words`Of the ${total} parameters of ${titleOf(name)}, ${asClass(modelClass)}, ${enumeration(clauses)}`
}

/** The number of parameters of a part of a model, as the beginning of a sentence.
 * @param {NamedPart} part @param {string} name  of the model */
export const sizeOfPart = (part, name) =>
  words`${withCapital([partWords(part, 0)])} of ${subjectOf(name)} ${verbFor([part.words])} ${part.number}`

/** The beginning of a sentence on what a part has. @param {Pick<Part, "words" | "page">} part */
export const partWithVerb = ({ page, words: text }) => words`${withCapital([link(page, text)])} ${verbFor([text])}`

/** The path of the query, key or value projection after that of attention. */
const PROJECTION = /\/(?:query|key|value)(?:\/.*)?$/

/** Whether a part is one of the projections whose matrices a model joins into one.
 * @param {Pick<Part, "path" | "tag">} part @param {string} name  of the model */
export const isJoined = ({ path, tag }, name) =>
  PROJECTION.test(path) &&
  !numberOfPart({ path, tag }, name) &&
  numberOfPart({ path: path.replace(PROJECTION, ""), tag }, name) > 0

/** A sentence on what the other layers of a model have of a part in its first layer; empty if they have as much, share
 * its weights, or lack it, and for parts in all layers.
 * @param {Pick<Part, "path" | "tag">} part @param {string} name  of the model @returns {Words} */
export function sentenceOnOtherLayers({ path, tag }, name) {
  const otherPath = path.replaceAll("layer_0", "layer_1")
  const [ofFirst, ofOther] = [path, otherPath].map((ofLayer) => numberOfPart({ path: ofLayer, tag }, name))
  const { L } = models.get(name).sizes
  if (otherPath === path || !(L > 1) || !ofOther || ofFirst === ofOther) return []
  return words` That is for its first layer; the second has ${ofOther}.`
}

/** The number of parameters of a part in one or two models, as a sentence without its full stop.
 * @param {Pick<Part, "path" | "tag" | "words" | "page">} part @param {string[]} names  of the models
 * @returns {Words} */
export function sizesOfPart(part, names) {
  const sizes = names.map((name, index) => {
    const number = numberOfPart(part, name) || (index ? "none" : "no")
    return words`${number}${index ? "" : " parameters"} in ${titleOf(name)}`
  })
  // The titles of models have commas, too.
  const ending = sizes.length > 1 ? words`, and ${sizes[1]}` : []
  return words`${partWithVerb(part)} ${sizes[0]}${ending}`
}
