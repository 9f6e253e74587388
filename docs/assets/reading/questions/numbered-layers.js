// Answers questions about a layer that is named by its number, such as "How many parameters are in layer
// 5?". All layers of a model have the same size, so the answer does not depend on whether the first one
// is called 0 or 1.

import { models } from "../../counting/engine.js"
import { titleOf } from "../labels/meanings.js"
import { ALL_LAYERS, IN_LAYERS, numberOfPart, ONE_LAYER, partsNamed } from "../labels/named-parts.js"
import { link, withCapital, words } from "../words.js"
import { questionedParts } from "./questioned-parts.js"
import { answer, PARAMETERS } from "./words.js"

const ORDINALS = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|last"
/** A layer with its number, but not a layer of something smaller, as in "the first layer of the FFN". */
const NUMBERED_LAYER = new RegExp(
  String.raw`\b(?:layer|block)[\s._]?(?:no\.?|number|#)?\s?(?<index>[0-9]{1,3})(?![\w.,]*[0-9])|\b(?<ordinal>[0-9]{1,3}(?:st|nd|rd|th)|${ORDINALS})\s(?:(?:encoder|transformer|hidden)\s)?(?:layer|block)\b(?!\sof\s(?:the\s)?(?:ffn|feed|mlp|head|pooler|classif))`,
  "i",
)
/** Words for anything but the size of the layer. */
const OTHER_QUESTIONS =
  /\b(?:freez\w*|frozen|train\w*|tun\w*|remov\w*|prun\w*|drop\w*|keep\w*|without|output\w*|activation\w*)\b/i

/** The account of a question about a layer that has a number, or about a part of it; null for any other text, and for
 * a model whose layers differ or share their weights.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
export function accountOfNumberedLayer(labelledText, name) {
  const { text, quantities } = labelledText
  const match = NUMBERED_LAYER.exec(text)
  if (!match || !PARAMETERS.test(text) || OTHER_QUESTIONS.test(text)) return null
  const [layer, index = ""] = match
  const isWithin = (/** @type {Quantity} */ { start, end }) => start >= match.index && end <= match.index + layer.length
  if (!quantities.every(isWithin)) return null
  const { L } = models.get(name).sizes
  const [sizeOfLayer, sizeOfAll] = [ONE_LAYER, ALL_LAYERS].map((part) => numberOfPart(partsNamed([part])[0], name))
  if (!sizeOfLayer || sizeOfAll !== L * sizeOfLayer) return null
  const layerInWords = index ? words`layer ${index}` : words`${layer.replace(/^(?!the)/i, "the ").toLowerCase()}`
  if (Number(layer.match(/[0-9]+/) ?? 1) > L)
    return answer(words`${titleOf(name)} has ${L} layers, of ${sizeOfLayer} parameters each.`)
  const parts = questionedParts(labelledText).filter((part) => / in one layer$/.test(part.words))
  const likeOthers = words`, like each of its ${L} layers`
  if (!parts.length)
    return answer(words`${withCapital(layerInWords)} of ${titleOf(name)} has ${sizeOfLayer} parameters${likeOthers}.`)
  return answer(
    parts.flatMap((part) => {
      const partInWords = link(part.page, part.words.replace(IN_LAYERS, ""))
      return words`${withCapital([partInWords])} in ${layerInWords} of ${titleOf(name)} has ${numberOfPart(part, name)} parameters, as in each of its ${L} layers. `
    }),
  )
}
