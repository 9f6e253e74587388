// The words for the model of a print-out: its title or sizes, its labels, and what it has or
// lacks compared with its class. The headline and the findings both use them, so a model has
// the same name throughout an account.

import { architectures, classOfBare, defaultChoices, models, noun, whole } from "../../counting/engine.js"
import { articleFor, asPlainText, code, enumeration, linkTo, words } from "../words.js"
import { hasPooler } from "./facts.js"
import { rulerOf } from "./ruler.js"

/** @typedef {import("./facts.js").Facts} Facts */

/** The words for sizes by letter, to be put before or after a number. @type {Record<string, string>} */
const SIZE_NAMES = {
  V: "vocabulary size",
  P: "positions",
  S: "segments",
  E: "embedding size",
  H: "hidden size",
  F: "feed-forward size",
  A: "attention heads",
  R: "relative positions",
  X: "coordinates on a page",
  C: "labels",
}

/** The words for a size without its value, such as "the hidden size"; the letter itself if there are no words for it.
 * @param {string} letter */
export function sizeAlone(letter) {
  const size = SIZE_NAMES[letter]
  if (!size) return letter
  return size.endsWith("size") ? `the ${size}` : `the number of ${size}`
}

/** A number with its noun, such as "12 layers".
 * @param {number} number @param {string} singular @param {string} [plural] */
export const countInWords = (number, singular, plural) => `${whole(number)} ${noun(number, singular, plural)}`

/** A shape as readers see it, such as "768 × 3,072"; "1" for a scalar. @param {number[]} shape */
export const shapeInWords = (shape) => shape.map(whole).join(" × ") || "1"

/** The words for a product of numbers, such as "12 × 768 × 768". @param {number[]} factors @returns {Words} */
export const productInWords = (factors) => factors.flatMap((factor, index) => words`${index ? " × " : ""}${factor}`)

/** The words for a model: its title, or its sizes if no published model has them.
 * @param {Recognised} recognised @returns {Words} */
export function modelInWords({ name, architecture, sizes }) {
  const model = name ? models.get(name) : null
  if (model) return [linkTo(model)]
  const { title } = architectures.get(architecture)
  const letters = ["H", "F", "V"].filter((letter) => sizes[letter] !== undefined)
  const size = letters.map((letter) => `${SIZE_NAMES[letter]} ${whole(sizes[letter])}`)
  const sizeWords = sizes.L === undefined ? size : [countInWords(sizes.L, "layer"), ...size]
  return [`${articleFor(title)} ${title} with `, ...enumeration(sizeWords)]
}

/** Words followed by a comma if they contain one, as in "BERT base, uncased,".
 * @param {Words} phrase @returns {Words} */
export const withClosingComma = (phrase) => (/,/.test(asPlainText(phrase)) ? [...phrase, ","] : phrase)

/** The words for what the model has or lacks compared with its class; "" if it has exactly what its class has.
 * @param {Facts} facts @returns {string} */
export function choicesInWords({ recognised: { choices, architecture, modelClass } }) {
  if (choices.cross_attention) return " with cross-attention"
  if (modelClass !== classOfBare(architecture) || !hasPooler(architecture)) return ""
  const hasPoolerByDefault = defaultChoices(architecture).pooler
  if ((choices.pooler ?? hasPoolerByDefault) === hasPoolerByDefault) return ""
  return hasPoolerByDefault ? " without its pooler" : " with a pooler"
}

/** The words for the pruned heads; empty if there are none. @param {Facts} facts @returns {Words} */
export function prunedInWords({ prunedHeads, alignment: { ruler } }) {
  if (!prunedHeads) return []
  const { A, L } = ruler.sizes
  const isInEachLayer = prunedHeads.layers === L && prunedHeads.perLayer
  return isInEachLayer
    ? words`, with ${prunedHeads.perLayer} of ${A} heads pruned in each layer`
    : words`, with ${prunedHeads.heads} of ${A * L} heads pruned`
}

/** The words for the number of labels; "" if the class has none. @param {Facts} facts */
export const labelsInWords = ({ alignment: { ruler } }) =>
  ruler.tensors.some(({ row }) => /\bC\b/.test(row.shape)) ? ` with ${countInWords(ruler.sizes.C, "label")}` : ""

/** The sentence about the body of a model whose head the text does not show. @param {Facts} facts @returns {Words} */
export function bodyInWords({ recognised: { architecture, modelClass, sizes } }) {
  const { prefix } = architectures.get(architecture)
  return words`The names in your text begin with ${code(prefix)}, as in the classes with a head, so this is not ${code(modelClass)} itself, which has ${rulerOf(modelClass, sizes).total} parameters; your text does not show which class it is.`
}
