// Answers statements that compare a part of a model with another part or with the whole model, but
// give no number of parameters: "two thirds of the encoder is feed-forward", "attention is 1/3 of each
// layer", or "the FFN has twice as many parameters as attention". The answer gives both numbers and
// their ratio, for BERT base if the text names no model. A percentage of a single part, as in "the biases make
// up 1% of BERT", is compared with the right one; percentages without a part are explained elsewhere.

import { models } from "../../counting/engine.js"
import { answer, MAX_LENGTH } from "../questions/question-accounts.js"
import { partNamesLeftOut, questionedParts } from "../questions/questioned-parts.js"
import { link, words } from "../words.js"
import { asClass, titleOf } from "./meanings.js"
import { nameOfOnlyModel } from "./mentions.js"
import {
  ALL_LAYERS,
  countOfPart,
  ENCODER,
  numberOfPart,
  ONE_LAYER,
  partsNamed,
  partWithVerb,
  shareInPercent,
} from "./named-parts.js"
import { roundsTo } from "./stated-comparisons.js"
import { classAndTotal } from "./totals.js"

/** @typedef {import("./named-parts.js").NamedPart} NamedPart */

/** Denominators, each with a pattern for the word that names it. @type {[RegExp, number][]} */
const DENOMINATORS = [
  [/^half|^halves/i, 2],
  [/^third/i, 3],
  [/^quarter|^fourth/i, 4],
  [/^fifth/i, 5],
  [/^sixth/i, 6],
  [/^tenth/i, 10],
]
/** Numerators, by the words that name them. Any other word before a denominator means one.
 * @type {Record<string, number>} */
const NUMERATORS = { two: 2, three: 3, four: 4, five: 5 }

/** A fraction in words or with a slash, and the "of" that follows it, or the "the" of "half the encoder". */
const FRACTION =
  /\b(?:(?<numerator>an?|one|two|three|four|five)[\s-])?(?<denominator>half|halves|thirds?|quarters?|fourths?|fifths?|sixths?|tenths?)\b(?:\s(?:of|the))(?=\s|$)|(?<![0-9./])(?<above>[1-9])\s?[/⁄]\s?(?<below>[2-9]|10)(?![0-9/.])\s(?:of|the)\b/i

/** A factor in words or figures, with the "as many" that follows it. */
const MULTIPLE =
  /\b(?:twice|double|two times|three times|triple|[0-9](?:\.[0-9]+)?\s?(?:x|×|times))\s(?:as\s(?:many|large|big|much)|the (?:number|size|amount|param\w*))\b/i

/** The account of a statement that a part is a fraction or a multiple of another one; null for any other text, and for
 * one with a number of parameters or an amount of memory.
 * @param {LabelledText} labelledText @returns {Account | null} */
export function accountOfStatedFraction({ text, numbers, mentions, parts }) {
  const name = nameOfOnlyModel(mentions)
  const isLong = text.length > MAX_LENGTH || text.trim().includes("\n")
  if (isLong || !name || !parts.length || numbers.some(({ role }) => role === "count" || role === "memory")) return null
  const fraction = FRACTION.exec(text)
  if (fraction) return accountOfFraction(fraction, text, parts, name)
  const multiple = MULTIPLE.exec(text)
  return multiple && accountOfMultiple(multiple, parts, name)
}

/** The account of a part as a fraction of another one, or of the model; null unless the text names exactly one part and
 * what it is a fraction of.
 * @param {RegExpExecArray} match @param {string} text @param {LabelledText["parts"]} parts @param {string} name
 * @returns {Account | null} */
function accountOfFraction({ index, 0: phrase, groups = {} }, text, parts, name) {
  const { numerator = "", denominator = "", above, below } = groups
  const [, divisor = Number(below)] = DENOMINATORS.find(([pattern]) => pattern.test(denominator)) ?? []
  const dividend = Number(above ?? NUMERATORS[numerator.toLowerCase()] ?? 1)
  const end = index + phrase.length
  const rest = text.slice(end)
  const wholeInText = wholeAfter(rest, parts, end)
  const [partInText, ...others] = parts.filter((other) => other !== wholeInText && other.words !== ONE_LAYER)
  if (!partInText || others.length || (!wholeInText && !OF_MODEL.test(rest))) return null
  const isOneLayer = wholeInText?.words === ONE_LAYER
  const partName = partInText.words === LAYER_NORM && !wholeInText ? ALL_LAYER_NORMS : partInText.words
  const part = partIn(partName, name, isOneLayer)
  const whole = wholeInText ? partIn(wholeInText.words, name, isOneLayer) : null
  const { modelClass, total } = classAndTotal(name)
  const wholeNumber = whole?.number ?? total
  if (!part || (wholeInText && !whole) || part.number >= wholeNumber) return null
  const fraction = phrase.replace(/\s(?:of|the)$/i, "").toLowerCase()
  return answer(
    words`${partWithVerb(part)} ${part.number} of the ${wholeNumber} parameters ${ofWhole(whole, name, modelClass)}: ${shareInPercent(part.number, wholeNumber)}. As a percentage, ${fraction} is ${shareInPercent(dividend, divisor)}.`,
  )
}

/** The words for what a share is taken of: a part, or a class of the model.
 * @param {NamedPart | null} whole @param {string} name  of the model @param {string} modelClass */
const ofWhole = (whole, name, modelClass) =>
  whole
    ? words`of ${link(whole.page, whole.words)} in ${titleOf(name)}`
    : words`of ${titleOf(name)}, ${asClass(modelClass)}`

/** The account of a statement that one part has several times as many parameters as another; null if the text does not
 * name both.
 * @param {RegExpExecArray} match @param {LabelledText["parts"]} parts @param {string} name @returns {Account | null} */
function accountOfMultiple({ index, 0: phrase }, parts, name) {
  const partBefore = parts.filter(({ end }) => end <= index).at(-1)
  const partAfter = parts.find(({ start }) => start >= index + phrase.length)
  const [one, other] = [partBefore, partAfter].map((part) => part && partIn(part.words, name, true))
  if (!one || !other || one.words === other.words) return null
  return answer(
    words`${partWithVerb(one)} ${one.number} parameters in ${titleOf(name)}, and ${link(other.page, other.words)} ${other.number}: ${(one.number / other.number).toFixed(2)} times as many.`,
  )
}

/** Words right before a percentage that make it an upper or a lower bound. */
const AT_MOST = /\b(?:under|less\sthan|below|at\smost|up\sto|not\seven|fewer\sthan)\s$|[<≤]\s?$/i
const AT_LEAST = /\b(?:over|more\sthan|above|at\sleast)\s$|[>≥]\s?$/i
/** Words for percentages of something else: what is trained, what is left, or a difference. */
const OF_OTHERS =
  /\b(?:train\w*|froze\w*|freez\w*|prun\w*|smaller|larger|bigger|fewer|lighter|sav\w+|reduc\w+|accura\w+)\b/i

/** The account of a statement with the percentage that a part is of its model; null for any other text, for one with
 * further numbers, and unless it names exactly one part.
 * @param {LabelledText} labelledText @returns {Account | null} */
export function accountOfStatedPercentage(labelledText) {
  const { text, numbers, quantities, mentions } = labelledText
  const [quantity, ...others] = quantities
  const name = nameOfOnlyModel(mentions)
  if (quantity?.role !== "share" || others.length || !numbers.length || !name || text.length > MAX_LENGTH) return null
  if (OF_OTHERS.test(text) || partNamesLeftOut(labelledText).length) return null
  const rest = text.slice(quantity.end).replace(/^\s(?:of|in)\b/, "")
  const isOfLayer = OF_LAYER.test(rest) || labelledText.parts.some((part) => part.words === ONE_LAYER)
  const otherEnding = isOfLayer ? " in all layers" : " in one layer"
  const [part, ...otherParts] = questionedParts(labelledText).filter(
    (one) => one.words !== ONE_LAYER && !one.words.endsWith(otherEnding),
  )
  const { modelClass, total: ofModel } = classAndTotal(name)
  const { sizes } = models.get(name)
  const layer = isOfLayer ? partIn(ONE_LAYER, name, true) : null
  const total = layer?.number ?? ofModel
  const number = part ? countOfPart(part, modelClass, sizes) : 0
  if (!number || otherParts.length || number >= total || isOfLayer !== / in one layer$/.test(part.words)) return null
  const digits = quantity.typed.replace(/[^0-9.,]/g, "").replace(",", ".")
  const share = (100 * number) / total
  const before = text.slice(0, quantity.start)
  return answer(
    words`${partWithVerb(part)} ${number} of the ${total} parameters ${ofWhole(layer, name, modelClass)}: ${shareInPercent(number, total)}${verdictOnPercentage(quantity.typed, share, digits, before)}.`,
  )
}

/** The clause on a stated percentage.
 * @param {string} typed @param {number} share  the right one @param {string} digits  those of `typed`
 * @param {string} before  the text before it */
function verdictOnPercentage(typed, share, digits, before) {
  const statedShare = Number(digits)
  if (AT_MOST.test(before))
    return share <= statedShare ? `, which is at most ${typed}` : `, which is more than ${typed}`
  if (AT_LEAST.test(before))
    return share >= statedShare ? `, which is at least ${typed}` : `, which is less than ${typed}`
  return roundsTo(share, digits) ? `; ${typed} is this share, rounded` : `, not ${typed}`
}

const LAYER_NORM = "LayerNorm"
const ALL_LAYER_NORMS = "all LayerNorms in the model"
/** The full names of parts, by the short names that texts use. @type {Record<string, string>} */
const FULL_NAMES = { [ENCODER]: ALL_LAYERS, [LAYER_NORM]: "the LayerNorms" }

/** The words after a fraction if it is one of a layer, and if it is one of the model. */
const OF_LAYER =
  /^(?:\s(?:the\s|all\s|its\s)?(?:parameters|weights)\s(?:of|in))?\s(?:(?:an?|each|every|one|the|per)\s)?(?:single\s)?(?:(?:encoder|transformer|bert)\s)?(?:layer|block)\b/i
const OF_MODEL =
  /^(?:\s(?:the|all|its|of|total|whole|\w+['’]s))*\s(?:model|network|param\w*|weights|total|size|\w*BERT\w*)\b/i

/** The part that a fraction is taken of: the one named after it without a verb between them; null if there is none, as
 * in "two thirds of the model".
 * @param {string} rest  the text after the fraction @param {LabelledText["parts"]} parts
 * @param {number} start  of the rest @returns {Pick<LabelledText["parts"][0], "words"> | null} */
function wholeAfter(rest, parts, start) {
  if (OF_LAYER.test(rest)) return { words: ONE_LAYER }
  const isNext = (/** @type {LabelledText["parts"][0]} */ part) =>
    part.start >= start && !/[,;:]|\b(?:is|are|in|belongs?|goes|go)\b/.test(rest.slice(0, part.start - start))
  return parts.find(isNext) ?? null
}

/** The part that a name means, in one layer or in all layers; null if the model lacks it.
 * @param {string} partName @param {string} name  of the model @param {boolean} isOneLayer @returns {NamedPart | null}
 */
function partIn(partName, name, isOneLayer) {
  const possibleParts = partsNamed([FULL_NAMES[partName] ?? partName])
  const ending = isOneLayer ? / in one layer$|^one encoder layer$/ : / in all layers$|^all encoder layers$/
  const part = possibleParts.find(({ words: text }) => ending.test(text)) ?? possibleParts[0]
  const number = part ? numberOfPart(part, name) : 0
  return number ? { ...part, number } : null
}
