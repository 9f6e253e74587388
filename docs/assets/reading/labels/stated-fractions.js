// Checks statements that set two parts of a model against each other without a number of parameters:
// "two thirds of the encoder is feed-forward", "attention is 1/3 of each layer", or "the FFN has twice
// as many parameters as attention". The model is BERT base if the text names none. Percentages, which
// identify parts by their value, are explained elsewhere.

import { answer, MAX_LENGTH } from "../questions/words.js"
import { isPlural, link, withCapital, words } from "../words.js"
import { asClass, titleOf } from "./meanings.js"
import { nameOfOnlyModel } from "./mentions.js"
import { ALL_LAYERS, numberOfPart, ONE_LAYER, partsNamed } from "./named-parts.js"
import { classAndTotal } from "./totals.js"

/** A part with its number of parameters in the model. @typedef {import("./named-parts.js").NamedPart} NamedPart */

/** The denominators of fractions, by the beginnings of their words. @type {[RegExp, number][]} */
const DENOMINATORS = [
  [/^half|^halves/i, 2],
  [/^third/i, 3],
  [/^quarter|^fourth/i, 4],
  [/^fifth/i, 5],
  [/^sixth/i, 6],
  [/^tenth/i, 10],
]
/** The words for numerators. Any other word before a denominator means one. @type {Record<string, number>} */
const NUMERATORS = { two: 2, three: 3, four: 4, five: 5 }

/** A fraction in words or with a slash, before what it is a fraction of. "Half the encoder" needs no "of". */
const FRACTION =
  /\b(?:(?<numerator>an?|one|two|three|four|five)[\s-])?(?<denominator>half|halves|thirds?|quarters?|fourths?|fifths?|sixths?|tenths?)\b(?:\s(?:of|the))(?=\s|$)|(?<![0-9./])(?<above>[1-9])\s?[/⁄]\s?(?<below>[2-9]|10)(?![0-9/.])\s(?:of|the)\b/i

/** A number of times in words or figures, before "as many". */
const TIMES =
  /\b(?:(?<twice>twice|double|two times)|(?<thrice>three times|triple)|(?<times>[0-9](?:\.[0-9]+)?)\s?(?:x|×|times))\s(?:as\s(?:many|large|big|much)|the (?:number|size|amount|param\w*))\b/i

/** The account of a statement about a fraction or a multiple of a part; null for any other text, and for one with a
 * number of parameters.
 * @param {LabelledText} labelledText @returns {Account | null} */
export function accountOfStatedFraction({ text, numbers, mentions, parts }) {
  const name = nameOfOnlyModel(mentions)
  const isLong = text.length > MAX_LENGTH || text.includes("\n")
  if (isLong || !name || !parts.length || numbers.some(({ role }) => role === "count" || role === "memory")) return null
  const fraction = FRACTION.exec(text)
  if (fraction) return accountOfFraction(fraction, text, parts, name)
  const times = TIMES.exec(text)
  return times && accountOfMultiple(times, parts, name)
}

/** The account of a part as a fraction of another one, or of the model.
 * @param {RegExpExecArray} match @param {string} text @param {LabelledText["parts"]} parts @param {string} name
 * @returns {Account | null} */
function accountOfFraction({ index, 0: typed, groups = {} }, text, parts, name) {
  const { numerator = "", denominator = "", above, below } = groups
  const [, divisor = Number(below)] = DENOMINATORS.find(([pattern]) => pattern.test(denominator)) ?? []
  const dividend = Number(above ?? NUMERATORS[numerator.toLowerCase()] ?? 1)
  const rest = text.slice(index + typed.length)
  const whole = wholeIn(rest, parts, index + typed.length)
  const [part, ...others] = parts.filter((other) => other !== whole && other.words !== ONE_LAYER)
  if (!part || others.length || (!whole && !OF_MODEL.test(rest))) return null
  const isOneLayer = whole?.words === ONE_LAYER
  const partOfModel = part.words === LAYER_NORM && !whole ? ALL_LAYER_NORMS : part.words
  const partCounted = partIn(partOfModel, name, isOneLayer)
  const wholeCounted = whole ? partIn(whole.words, name, isOneLayer) : null
  const { modelClass, total } = classAndTotal(name)
  const all = wholeCounted?.number ?? total
  if (!partCounted || (whole && !wholeCounted) || partCounted.number >= all) return null
  const ofWhole = wholeCounted
    ? words`of ${link(wholeCounted.page, wholeCounted.words)} in ${titleOf(name)}`
    : words`of ${titleOf(name)}, ${asClass(modelClass)}`
  const fraction = typed.replace(/\s(?:of|the)$/i, "").toLowerCase()
  return answer(
    words`${subjectOf(partCounted)} ${partCounted.number} of the ${all} parameters ${ofWhole}: ${percent(partCounted.number / all)}. As a percentage, ${fraction} is ${percent(dividend / divisor)}.`,
  )
}

/** The account of two parts of which one has several times as many parameters as the other.
 * @param {RegExpExecArray} match @param {LabelledText["parts"]} parts @param {string} name @returns {Account | null} */
function accountOfMultiple({ index, 0: typed }, parts, name) {
  const before = parts.filter(({ end }) => end <= index).at(-1)
  const after = parts.find(({ start }) => start >= index + typed.length)
  const [one, other] = [before, after].map((part) => part && partIn(part.words, name, true))
  if (!one || !other || one.words === other.words) return null
  return answer(
    words`${subjectOf(one)} ${one.number} parameters in ${titleOf(name)}, and ${link(other.page, other.words)} ${other.number}: ${(one.number / other.number).toFixed(2)} times as many.`,
  )
}

const LAYER_NORM = "LayerNorm"
const ALL_LAYER_NORMS = "all LayerNorms in the model"
/** The names of parts whose names in a text are short. @type {Record<string, string>} */
const FULL_NAMES = { "encoder layer": ALL_LAYERS, [LAYER_NORM]: "the LayerNorms" }

/** What words say that a fraction is of: a layer, or the model. */
const OF_LAYER =
  /^\s(?:(?:an?|each|every|one|the|per)\s)?(?:single\s)?(?:(?:encoder|transformer|bert)\s)?(?:layer|block)\b/i
const OF_MODEL =
  /^(?:\s(?:the|all|its|of|total|whole|\w+['’]s))*\s(?:model|network|param\w*|weights|total|size|\w*BERT\w*)\b/i

/** The part that a fraction is of, which follows it before any verb; null if it is the whole model.
 * @param {string} rest  the text after the fraction @param {LabelledText["parts"]} parts
 * @param {number} start  of the rest @returns {Pick<LabelledText["parts"][0], "words"> | null} */
function wholeIn(rest, parts, start) {
  if (OF_LAYER.test(rest)) return { words: ONE_LAYER }
  const isNext = (/** @type {LabelledText["parts"][0]} */ part) =>
    part.start >= start && !/[,;:]|\b(?:is|are|in|belongs?|goes|go)\b/.test(rest.slice(0, part.start - start))
  return parts.find(isNext) ?? null
}

/** The part that a name means, in one layer or in all layers; null if the model lacks it.
 * @param {string} partName @param {string} name  of the model @param {boolean} isOneLayer @returns {NamedPart | null} */
function partIn(partName, name, isOneLayer) {
  const possibleParts = partsNamed([FULL_NAMES[partName] ?? partName])
  const ending = isOneLayer ? / in one layer$|^one encoder layer$/ : / in all layers$|^all encoder layers$/
  const part = possibleParts.find(({ words: text }) => ending.test(text)) ?? possibleParts[0]
  const number = part ? numberOfPart(part, name) : 0
  return number ? { ...part, number } : null
}

/** A part with its verb, as the beginning of a sentence. @param {NamedPart} part */
const subjectOf = ({ page, words: text }) =>
  words`${withCapital([link(page, text)])} ${isPlural([text]) ? "have" : "has"}`

/** A ratio as a percentage. @param {number} ratio */
const percent = (ratio) => `${(100 * ratio).toFixed(ratio < 0.01 ? 2 : 1)}%`
