// Answers questions about a layer that is named by its number, such as "How many parameters are in layer
// 5?". In most models, all layers have the same size, so the answer does not depend on whether the first
// one is called 0 or 1. Questions about other models are left to other readers.

import { models, noun } from "../../counting/engine.js"
import { subjectOf } from "../labels/meanings.js"
import { IN_LAYERS } from "../labels/mentions.js"
import { numberOfPart, partWithWords, sizeOfEachLayer } from "../labels/named-parts.js"
import { link, verbFor, withCapital, words } from "../words.js"
import { ONE_HEAD } from "./own-sizes.js"
import { answer, answerInSentences, PARAMETERS } from "./question-accounts.js"
import { questionedParts } from "./questioned-parts.js"

const ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(" ")
/** A layer with its number, but not a layer of something smaller, as in "the first layer of the FFN". */
export const NUMBERED_LAYER = new RegExp(
  String.raw`\b(?:layer|block)[\s._]?(?:no\.?|number|#)?\s?(?<index>[0-9]{1,3})(?![\w.,]*[0-9])|\b(?<ordinal>[0-9]{1,3}(?:st|nd|rd|th)|${ORDINALS.join("|")}|last)\s(?:(?:encoder|transformer|hidden)\s)?(?:layer|block)\b(?!\sof\s(?:the\s)?(?:ffn|feed|mlp|head|pooler|classif))`,
  "i",
)
/** A question about the layer with the most or the fewest parameters. */
const LARGEST_LAYER =
  /\b(?:which|what)\s(?:encoder\s)?(?:layer|block)\b.{0,40}\b(?:most|largest|biggest|fewest|smallest)\b/i
/** Words of questions about something other than the size of a layer. */
const OTHER_QUESTIONS =
  /\b(?:freez\w*|frozen|train\w*|tun\w*|remov\w*|prun\w*|drop\w*|keep\w*|without|output\w*|activation\w*)\b/i

/** The words for a kind of tensors in one layer, given those for it in the model. @param {string} partWords */
const inOneLayer = (partWords) => partWords.replace(/^all /, "the ").replace(/ in the model$/, " in one layer")

/** The account of a question about a layer with a number, or about a part of it; null for any other text, and for a
 * model whose layers differ or share their weights.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
export function accountOfNumberedLayer(labelledText, name) {
  const { text, quantities } = labelledText
  const match = NUMBERED_LAYER.exec(text)
  const isOfLargest = LARGEST_LAYER.test(text)
  const isOther = OTHER_QUESTIONS.test(text) || ONE_HEAD.test(text)
  if (!(match || isOfLargest) || !PARAMETERS.test(text) || isOther) return null
  const { L } = models.get(name).sizes
  const sizeOfLayer = sizeOfEachLayer(name)
  if (!sizeOfLayer) return null
  if (!match)
    return answer(words`All ${L} layers of ${subjectOf(name)} have the same number of parameters: ${sizeOfLayer} each.`)
  const [layer, index = "", ordinal = ""] = match
  const isWithin = (/** @type {Quantity} */ { start, end }) => start >= match.index && end <= match.index + layer.length
  if (!quantities.every(isWithin)) return null
  const layerInWords = index ? words`layer ${index}` : words`${layer.replace(/^(?!the)/i, "the ").toLowerCase()}`
  const number = Number.parseInt(index || ordinal, 10) || ORDINALS.indexOf(ordinal.toLowerCase()) + 1
  if (number > L)
    return answer(words`${subjectOf(name)} has only ${L} ${noun(L, "layer")}, each with ${sizeOfLayer} parameters.`)
  const parts = questionedParts(labelledText)
    .map((part) => partWithWords(inOneLayer(part.words)) ?? part)
    .filter((part) => / in one layer$/.test(part.words))
  const likeOthers = words`, like each of its ${L} layers`
  if (!parts.length)
    return answer(words`${withCapital(layerInWords)} of ${subjectOf(name)} has ${sizeOfLayer} parameters${likeOthers}.`)
  return answerInSentences(
    parts.map((part) => {
      const partInWords = [link(part.page, part.words.replace(IN_LAYERS, ""))]
      return words`${withCapital(partInWords)} in ${layerInWords} of ${subjectOf(name)} ${verbFor(partInWords)} ${numberOfPart(part, name)} parameters, as in each of its ${L} layers.`
    }),
  )
}
