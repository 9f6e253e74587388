// Answers questions that compare numbers: the share of a part in its model, the largest part, and which of
// two parts, or of several models or classes, has more parameters. Two models may also be compared by one
// attention head of each.

import { count, models } from "../../counting/engine.js"
import { asClass, ON_SHARED_LAYERS, subjectOf, titleOf } from "../labels/meanings.js"
import { IN_LAYERS } from "../labels/mentions.js"
import {
  numberOfPart,
  ONE_LAYER,
  PARTS_OF_MODEL,
  partsNamed,
  shareInPercent,
  sharesOfParts,
  USUAL_MODELS,
} from "../labels/named-parts.js"
import { sizesInWords, sizesOf } from "../labels/settings.js"
import { classAndTotal, comparisonOf } from "../labels/totals.js"
import { link, verbFor, words } from "../words.js"
import { ONE_HEAD, sizeOfAttentionHead } from "./own-sizes.js"
import { answer, answerInSentences } from "./question-accounts.js"
import { partNamesLeftOut, questionedParts, tablesNamedByRows, withoutParts } from "./questioned-parts.js"

/** Words that ask for a share, in several languages. To share weights is something else. */
const SHARE =
  /\bpercent|%|\bshare (?:of|in)\b|\b(?:what|which|the|large|big) share\b|\bfraction\b|\bmost(?:ly)?\s(?:of\b|(?:of\s)?(?:the|its|their)?\s?param|embeddings\b)|\bmajority\b|\bmainly\b|\bproportion\b|\bratio of\b|\bhow (?:many|much) of (?:them|these|those|it|that)\b|\bhow much of (?:[\w'’-]+ ){1,4}(?:is|are|belongs?|goes)\b|anteil|prozent|pourcentage|porcentaje|占比|比例|百分|其中.{0,40}多少|占多少|davon/i
/** Words that ask for the part with the most parameters, or for all parts. */
const LARGEST_PART =
  /\bbreak\s?-?downs?\b|\bcomposition\b|\b(?:which|what) (?:parts?|components?|blocks?)\b.{0,40}\b(?:most|largest|biggest)\b|\b(?:largest|biggest) (?:part|component|block)\b|\bwhere (?:are|is) (?:most|the majority)\b/i
/** The parts that every layer has, besides its LayerNorms. */
const PARTS_OF_LAYERS = ["the feed-forward network", "self-attention"]
/** Words that compare two things. */
const COMPARING =
  /\b(?:more|fewer|less|same|than|compared?|comparison|bigger|larger|smaller|times|vs|versus|between|mehr|weniger|größer|kleiner|unterschied|entre|que)\b|\bdiffer|差|比/i
const MAX_COMPARED = 6 // the maximum number of models or classes in a comparison

/** Words that compare one thing with another in size. */
const LARGER_OR_SMALLER = /\b(?:larger|bigger|smaller|fewer|(?<!\bany )more|größer|kleiner)\b/i
/** Words that say that two parts are of the same size. */
const EQUAL = /\b(?:as (?:large|big|many|small)|same (?:size|number)|genau so viele|so groß wie)\b/i

/** Whether a text compares two things. @param {string} text */
export const isComparing = (text) => COMPARING.test(text) || EQUAL.test(text)

/** Whether a text asks for a share, for the largest part, or for a comparison. @param {string} text */
export const asksForShareOrComparison = (text) =>
  isComparing(text) || [SHARE, LARGEST_PART].some((pattern) => pattern.test(text))

/** The account of a question about the share of a part in each of some models, or about the part with the most
 * parameters; null for any other text.
 * @param {LabelledText} labelledText @param {string[]} names  of the models @returns {Account | null} */
export function accountOfShares(labelledText, names) {
  const { text, classes } = labelledText
  const isOfLargest = LARGEST_PART.test(text)
  if (!isOfLargest && !SHARE.test(text)) return null
  const parts = isOfLargest
    ? partsOfModel(labelledText, names)
    : questionedParts(labelledText).filter(({ words: part }, _, allParts) => !isOneOfAll(part, allParts))
  if (!parts.length) parts.push(...tablesNamedByRows(labelledText))
  if (!parts.length) return null
  const [namedClass] = classes.flatMap(({ modelClass }) => modelClass?.name ?? [])
  const shares = names.map((name) => sharesOfParts(parts, name, namedClass)).filter(({ length }) => length)
  return answerInSentences(shares.map((share) => words`${share}.`))
}

/** The parts that make up some models. If the text names a part of the layers, they are those of all layers.
 * @param {LabelledText} labelledText @param {string[]} names  of the models */
function partsOfModel(labelledText, names) {
  const areInLayers = questionedParts(labelledText).some(({ words: part }) => IN_LAYERS.test(part))
  const partNames = areInLayers ? [...PARTS_OF_LAYERS, ...PARTS_OF_MODEL.slice(1)] : PARTS_OF_MODEL
  return partNames
    .flatMap((partName) => partsNamed([partName]))
    .filter((part, _, allParts) => !isOneOfAll(part.words, allParts) && names.every((name) => numberOfPart(part, name)))
}

/** Whether words name a part in one layer that a list also has in all layers.
 * @param {string} part @param {{ words: string }[]} parts */
const isOneOfAll = (part, parts) =>
  parts.some((other) => other.words !== part && other.words === part.replace(/ in one layer$/, " in all layers"))

/** The two parts that a text compares: in one layer if both are in the layers, if one of them is a whole layer, or if
 * they are called equal; otherwise in all layers. Empty if it names any other number of parts.
 * @param {ReturnType<typeof questionedParts>} parts @param {boolean} areEqual */
function comparedParts(parts, areEqual) {
  const isInOneLayer = (/** @type {{ words: string }} */ { words: part }) =>
    part.endsWith(" in one layer") || part === ONE_LAYER
  const isInAllLayers = (/** @type {{ words: string }} */ { words: part }) => part.endsWith(" in all layers")
  const partsInOneLayer = parts.filter((part) => !isInAllLayers(part))
  if (partsInOneLayer.length === 2 && (areEqual || partsInOneLayer.every(isInOneLayer))) return partsInOneLayer
  const partsInAllLayers = parts.some(({ words: part }) => part === ONE_LAYER)
    ? partsInOneLayer
    : parts.filter((part) => !isInOneLayer(part))
  return partsInAllLayers.length === 2 ? partsInAllLayers : []
}

/** The parts that a text names, in one layer unless they are outside the layers, if it names one layer, too; otherwise
 * empty.
 * @param {LabelledText} labelledText */
function partsOfOneLayer({ parts }) {
  const names = [...new Set(parts.map((part) => part.words))]
  if (!names.includes(ONE_LAYER)) return []
  return names.filter((name) => name !== ONE_LAYER).flatMap((name) => partsNamed([name]).slice(0, 1))
}

/** The account of a question that compares two parts of a model, the smaller one first; null for any other text.
 * @param {LabelledText} labelledText @param {string[]} names  of the models @returns {Account | null} */
export function accountOfComparedParts(labelledText, names) {
  const areCompared = [LARGER_OR_SMALLER, EQUAL].some((pattern) => pattern.test(labelledText.text))
  if (!areCompared || partNamesLeftOut(labelledText).length) return null
  const parts = [partsOfOneLayer(labelledText), questionedParts(labelledText)]
    .map((possibleParts) => comparedParts(possibleParts, EQUAL.test(labelledText.text)))
    .find(({ length }) => length)
  if (!parts) return null
  const sentences = names.map((name) => {
    const [[smaller, smallerNumber], [larger, largerNumber]] = parts
      .map((part) => /** @type {const} */ ([part, numberOfPart(part, name)]))
      .sort(([, one], [, other]) => one - other)
    const [first, second] = [smaller, larger].map(({ page, words: part }) => link(page, part))
    return words`In ${titleOf(name)}, ${first} ${verbFor([smaller.words])} ${smallerNumber} parameters, and ${second} ${verbFor([larger.words])} ${largerNumber}${comparisonOf(largerNumber, smallerNumber)}.`
  })
  return answerInSentences(sentences)
}

/** The account of a comparison of several models, of several classes of one model, or of one attention head in each of
 * two models; null for any other text.
 * @param {LabelledText} labelledText
 * @param {boolean} [isList]  whether the text lists models, without words that compare
 * @returns {Account | null} */
export function accountOfComparison(labelledText, isList = false) {
  const { text, mentions, classes } = labelledText
  if (ONE_HEAD.test(text)) return accountOfHeads(labelledText)
  const isOfReason = REASON.test(text) && comparedNames(text, mentions).length > 1
  if (
    !(isList || isComparing(text) || isOfReason) ||
    mentions.some(({ models: [name], isForeign }) => isForeign || !name)
  )
    return null
  const names = comparedNames(text, mentions)
  // "Why is multilingual BERT larger?" compares with the usual BERT.
  if (names.length === 1 && names[0] !== USUAL_MODELS[0] && LARGER_OR_SMALLER.test(text)) names.push(USUAL_MODELS[0])
  const namedClasses = classes.flatMap(({ modelClass }) => modelClass?.name ?? [])
  const [name = USUAL_MODELS[0]] = names
  const comparedModels =
    names.length > 1
      ? names.map((other) => ({ name: other, ...classAndTotal(other) }))
      : [...new Set(namedClasses)].map((modelClass) => ({ name, ...classAndTotal(name, modelClass) }))
  if (comparedModels.length < 2 || comparedModels.length > MAX_COMPARED || comparedModels.some(({ total }) => !total))
    return null
  // A part that the text leaves out may belong to one of the models, or to all of them.
  if (comparedModels.length > 2 || partNamesLeftOut(labelledText).length)
    return answerInSentences(
      comparedModels.map(
        (one) =>
          words`${subjectOf(one.name)} has ${one.total} parameters ${asClass(one.modelClass)}${withoutParts(labelledText, one)}.`,
      ),
    )
  const [larger, smaller] = comparedModels.sort((one, other) => other.total - one.total)
  const percentage = PERCENT.test(text)
    ? words` That is ${shareInPercent(larger.total - smaller.total, larger.total)} fewer, or ${shareInPercent(larger.total - smaller.total, smaller.total)} more.`
    : []
  return answer(
    words`${sentencesOnTwo(smaller, larger)}${percentage}`,
    null,
    REASON.test(text) ? [sentenceOnSizes(smaller.name, larger.name)].filter(({ length }) => length) : [],
  )
}

/** Words that ask for a percentage. */
const PERCENT = /\bper\s?cent(?:age)?\b|%|prozent|pour\s?cent|por\s?cien|porcentaje|百分/i

/** Words that ask for a reason or give one, in several languages. */
const REASON =
  /\b(?:why|because|since|reason|explain\w*|due\sto|comes?\sfrom|warum|weil|pourquoi|parce|porque)\b|por qué|为什么|因为/i

/** The sizes that may differ between two models. */
const SIZE_LETTERS = ["L", "H", "F", "V", "P", "S", "E"]

/** A sentence on the sizes in which two models differ; empty if they differ in none.
 * @param {string} one @param {string} other @returns {Words} */
function sentenceOnSizes(one, other) {
  const [sizes, otherSizes] = [one, other].map((name) => models.get(name).sizes)
  const letters = SIZE_LETTERS.filter(
    (letter) => sizes[letter] && otherSizes[letter] && sizes[letter] !== otherSizes[letter],
  )
  // The width of the embeddings says nothing new where it follows the hidden size.
  const shownLetters = letters.filter(
    (letter) => letter !== "E" || sizes.E !== sizes.H || otherSizes.E !== otherSizes.H,
  )
  if (!shownLetters.length) return []
  const [inWords, othersInWords] = [sizes, otherSizes].map((own) => sizesInWords(sizesOf(shownLetters, own)))
  const onSharing = [one, other].some(sharesLayers) ? words` ${ON_SHARED_LAYERS}` : []
  return words`${subjectOf(one)} has ${inWords}; ${subjectOf(other)} has ${othersInWords}.${onSharing}`
}

/** Whether the total of a model does not depend on the number of its layers. @param {string} name */
export function sharesLayers(name) {
  const { modelClass, total } = classAndTotal(name)
  const { sizes } = models.get(name)
  return sizes.L > 1 && count({ modelClass, sizes: { ...sizes, L: 1 } }) === total
}

/** The account of a comparison of one head in each of two models; null for any other number of them, and if the heads
 * of one do not share the columns of its projections.
 * @param {LabelledText} labelledText @returns {Account | null} */
function accountOfHeads({ text, mentions }) {
  const heads = comparedNames(text, mentions).map((name) => ({ name, number: name ? sizeOfAttentionHead(name) : 0 }))
  if (heads.length !== 2 || heads.some(({ number }) => !number)) return null
  const [one, other] = heads
  return answer(
    words`One head of ${subjectOf(one.name)} uses ${one.number} parameters for query, key and value, and one head of ${subjectOf(other.name)} uses ${other.number}${comparisonOf(other.number, one.number)}.`,
  )
}

/** A model with one of its classes and the total in it.
 * @typedef {{ name: string, modelClass: string, total: number }} CountedModel */

/** The sentences on the totals of two models. @param {CountedModel} smaller @param {CountedModel} larger */
export const sentencesOnTwo = (smaller, larger) =>
  words`${subjectOf(smaller.name)} has ${smaller.total} parameters ${asClass(smaller.modelClass)}. ${subjectOf(larger.name)} has ${larger.total} ${asClass(larger.modelClass)}${comparisonOf(larger.total, smaller.total)}.`

/** Pairs of words for the variants of a model. After a model with one of them, the other alone names its counterpart:
 * "BERT base and large". */
const VARIANTS = [
  ["uncased", "cased"],
  ["base", "large"],
]

/** The models that a text compares, with the counterparts that a variant alone names (`VARIANTS`). A model that we do
 * not count is undefined.
 * @param {string} text @param {Mention[]} mentions */
export function comparedNames(text, mentions) {
  const names = [...new Set(mentions.map(({ models: [name] }) => name))]
  const [name = ""] = names
  if (names.length !== 1) return names
  const isNamed = (/** @type {string} */ word) => new RegExp(`\\b${word}\\b`, "i").test(text)
  const counterparts = VARIANTS.filter((variants) => variants.every(isNamed)).map(([one, other]) =>
    name.includes(one) ? name.replace(one, other) : name.replace(other, one),
  )
  const isKnown = (/** @type {string} */ other) => /** @type {Map<string, Model>} */ (models).has(other)
  return [name, ...counterparts.filter((other) => other !== name && isKnown(other))]
}
