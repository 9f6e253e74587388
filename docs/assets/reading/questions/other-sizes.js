// Answers questions about sizes that a model does not have: "How many parameters would BERT base
// have with 24 layers?", or "What if the hidden size is doubled?". The model keeps its other sizes.
// Only those that follow from the hidden size change with it: an inner width that is four times as
// large, and a size of the embeddings that is the same. Layers that share their weights are counted as a
// single layer.

import { publishedModels } from "../../counting/configuration.js"
import { count, models, sumBy } from "../../counting/engine.js"
import { modelsByUse } from "../../explaining/ways.js"
import { asClass, subjectOf, titleOf } from "../labels/meanings.js"
import { IN_LAYERS, isGeneric, nameOfOnlyModel } from "../labels/mentions.js"
import { ALL_LAYERS, countOfPart, ENCODER, ONE_LAYER } from "../labels/named-parts.js"
import { LETTERS, sizeNamesIn, sizesIn, sizesInWords, sizesOf, withSizesThatFollow } from "../labels/settings.js"
import { classAndTotal, comparisonOf } from "../labels/totals.js"
import { enumeration, link, verbFor, words } from "../words.js"
import { PRUNING } from "./pruned-heads.js"
import { answer, HOW_MANY, MAX_LENGTH, PARAMETERS } from "./question-accounts.js"
import { questionedParts, sentenceWithout } from "./questioned-parts.js"

/** Words that suppose something, or ask for an amount. A statement such as "BERT base has 24 layers" has none. */
const SUPPOSING =
  /\btotals?\?|\b(?:would|if|suppos\w+|assum\w+|instead|rather than|chang\w+|increas\w+|reduc\w+|with|using|how\s(?:many|much|big|large)|what|mit|wenn|avec|con|com)\b|->|→|如果|改成|改为/i
/** Verbs of a statement. */
const STATING = /\b(?:has|have|is|are|was|uses?|contains?)\b/i
const MAX_WORDS = 8 // words in a text that consists of a model and a size: "bert-base hidden size 1024"

/** Words that ask for an amount, or what would happen, or that replace one size with another. */
const QUESTION_WORDS = /\bhow\s(?:many|big|large)\b|\bwhat\sif\b|\binstead\sof\b|->|→|\btotals?\?/i

const ON_CALCULATOR = words`${link("try/calculator.html", "The calculator")} counts a model with any sizes.`

/** Words for a multiple of a size. @type {[RegExp, number][]} */
const MULTIPLES = [
  [/\b(?:doubl\w*|twice)\b/i, 2],
  [/\b(?:tripl\w*|three\stimes)\b/i, 3],
  [/\b(?:halv\w*|half(?!\sa\s(?:million|billion)|[\s-]precision))\b/i, 1 / 2],
]

/** Words of a statement that a model has a multiple of another one's sizes. */
const HAVING_MULTIPLE =
  /^(?!.*\b(?:if|what|how|suppose)\b).*\b(?:has|have|had)\s(?:exactly\s|about\s)?(?:twice|double|half|three times)\b/i

/** Half of a single layer, which is a share of it. */
const HALF_OF_LAYER = /\bhalf\s(?:of\s)?(?:an?|each|every|one)\s(?:[\w-]+\s){0,2}(?:layer|block)\b/i

/** Words for freezing, which changes no size: half of the layers then stay in the model. */
const FREEZING = /\bfr(?:o|ee)z/i

/** A model with other sizes than its own, counted in one class.
 * @typedef {object} Supposition
 * @property {string} name  of the model
 * @property {string} modelClass
 * @property {Sizes} sizes  the model's own
 * @property {Sizes} otherSizes
 * @property {number} total  with the model's own sizes
 * @property {number} otherTotal  with the other sizes
 * @property {string[]} statedLetters  of the sizes that the text states and that differ from the model's */

/** The account of a text that gives a model other sizes than its own, as a supposition, perhaps with the rounded number
 * of parameters that follows from them; null for any other text. An exact number is explained elsewhere.
 * @param {LabelledText} labelledText @returns {Account | null} */
export function accountOfOtherSizes({ text, numbers: typedNumbers, mentions, classes }) {
  const name = nameOfOnlyModel(mentions)
  const numbers = name
    ? typedNumbers.map((quantity) => vocabularyInFull(quantity, models.get(name).sizes.V))
    : typedNumbers
  const [statedCount = null, ...furtherCounts] = numbers.filter(({ role }) => role === "count")
  const isTerse = mentions.length > 0 && !statedCount && !STATING.test(text) && text.split(/\s+/).length <= MAX_WORDS
  if (text.length > MAX_LENGTH || !(SUPPOSING.test(text) || isTerse) || furtherCounts.length) return null
  if (!name || !numbers.every((quantity) => quantity === statedCount || LETTERS[quantity.role])) return null
  const [mention] = mentions
  if (BY_LAYERS.test(text) && (!mention || isGeneric(mention)) && !SUPPOSED.test(text))
    return accountOfModelWithLayers(sizesIn(numbers))
  if (!mention && !PARAMETERS.test(text) && !QUESTION_WORDS.test(text)) return null
  const [namedClass] = classes.flatMap(({ modelClass }) => modelClass?.name ?? [])
  const { sizes } = models.get(name)
  const statedSizes = ofEmbeddings(sizesIn(withoutUsualSizes(numbers, sizes)), text, sizes)
  const supposition = suppositionOf(name, namedClass, statedSizes)
  if (!supposition) return null
  const headline = !mention || isGeneric(mention) ? aboutAnyModel(supposition) : aboutNamedModel(supposition)
  if (!statedCount) return accountOfSupposition(headline, supposition)
  const { total, otherTotal } = supposition
  if (statedCount.number.exact || !fits(otherTotal, statedCount) || fits(total, statedCount)) return null
  return accountOfSupposition(words`${headline} ${statedCount.typed} is this number, rounded.`, supposition)
}

/** Words for a published model by the number of its layers: "the 24-layer BERT". */
const BY_LAYERS = /\bthe\s[0-9]{1,2}[\s-]layer(?:ed)?\s(?:bert|model|version|variant)\b/i
/** Words that suppose a model instead of naming one. */
const SUPPOSED = /\b(?:if|would|with|suppos\w+|instead)\b/i

/** The account of the most widely used BERT of the paper's authors with a number of layers; null if a text states other
 * sizes, or if none has this number.
 * @param {Sizes} sizes @returns {Account | null} */
function accountOfModelWithLayers({ L, ...otherSizes }) {
  const model = Object.keys(otherSizes).length
    ? undefined
    : modelsByUse.find((one) => one.name.startsWith("bert-") && one.sizes.L === L)
  if (!model) return null
  const { modelClass, total } = classAndTotal(model.name)
  const headline = words`${titleOf(model.name)}, which has ${L} layers, has ${total} parameters ${asClass(modelClass)}.`
  return { ...answer(headline, { name: model.name, modelClass, total }), confidence: "likely" }
}

/** Words for the width of the embeddings. */
const EMBEDDING_SIZE = /\bembeddings?[\s_-](?:size|dim\w*|width)\b|\bE\s?=/

/** Stated sizes, in which that of the embeddings is not the hidden size if the model's embeddings are narrower.
 * @param {Sizes} statedSizes @param {string} text @param {Sizes} sizes  of the model @returns {Sizes} */
function ofEmbeddings(statedSizes, text, { E, H: hiddenSize }) {
  const { H, ...otherSizes } = statedSizes
  return H && EMBEDDING_SIZE.test(text) && E && E !== hiddenSize ? { ...otherSizes, E: H } : statedSizes
}

/** Whether a part of a text ends right before a number, which is then its size. @param {string} text
 * @param {number} end @param {number} start  of the number */
const isRightBefore = (text, end, start) =>
  /^(?:\s?[=:]?\s?|\s(?:of|is)\s)$/.test(text.slice(end, start)) && end < start

/** The account of a question about parts of a model whose sizes the text gives, such as one layer with a hidden size of
 * 512; null for any other text. The model has all other sizes of the one that the text names, or of BERT base.
 * @param {LabelledText} labelledText @returns {Account | null} */
export function accountOfPartsWithSizes(labelledText) {
  const { text, numbers, quantities, mentions } = labelledText
  const hasOnlySizes = quantities.every((quantity) => numbers.includes(quantity) && LETTERS[quantity.role])
  const name = nameOfOnlyModel(mentions)
  if (text.length > MAX_LENGTH || !(PARAMETERS.test(text) || HOW_MANY.test(text)) || !hasOnlySizes || !name) return null
  const { sizes } = models.get(name)
  const statedSizes = ofEmbeddings(sizesIn(numbers), text, sizes)
  const otherSizes = withSizesThatFollow(sizes, statedSizes)
  const { modelClass, total } = classAndTotal(name)
  // The "position embeddings" in "max_position_embeddings" and the "FFN" in "FFN size" or "FFN 2048" name no part.
  const sizeNames = sizeNamesIn(text)
  const parts = labelledText.parts.filter(
    ({ start, end }) =>
      text[start - 1] !== "_" &&
      !sizeNames.some((size) => size.start <= start && size.end > end) &&
      !numbers.some((size) => isRightBefore(text, end, size.start)),
  )
  const partsWithNumbers = questionedParts({ ...labelledText, parts })
    .map((part) => ({ part, number: countOfPart(part, modelClass, otherSizes) }))
    .filter(({ number }) => number)
  if (!partsWithNumbers.length || Object.keys(statedSizes).some((letter) => !sizes[letter])) return null
  const numbersInWords = partsWithNumbers.map(
    ({ part, number }) => words`${link(part.page, part.words)} ${verbFor([part.words])} ${number}`,
  )
  const letters = [...new Set([...Object.keys(statedSizes), ...lettersThatDiffer(otherSizes, sizes)])]
  const hasOwnSizes = letters.every((letter) => otherSizes[letter] === sizes[letter])
  const withoutTensors = hasOwnSizes
    ? partsWithNumbers.flatMap(({ part }) => sentenceWithout(labelledText, part, [name]))
    : []
  return answer(
    words`With ${sizesWithNames(letters, otherSizes)}, and otherwise the sizes of ${titleOf(name)}, ${enumeration(numbersInWords)} parameters.${withoutTensors}${sentenceOnSum(text, partsWithNumbers)}`,
    { name, modelClass, total },
    [ON_CALCULATOR],
  )
}

/** Words that ask for the sum of several parts. */
const TOGETHER = /\b(?:together|combined|altogether|in total|sum|zusammen|juntos|ensemble)\b|一共|总共/i

/** The sentence on the sum of several parts, none of which is in the layers; empty if a text does not ask for it.
 * @param {string} text @param {{ part: { words: string }, number: number }[]} parts @returns {Words} */
function sentenceOnSum(text, parts) {
  const areApart = parts.length > 1 && parts.every(({ part }) => !IN_LAYERS.test(part.words))
  return TOGETHER.test(text) && areApart ? words` Together, that is ${sumBy(parts, ({ number }) => number)}.` : []
}

/** The size of a vocabulary in thousands, such as 50k, as a whole number; any other quantity, and the rounded
 * vocabulary of the model itself, as it is.
 * @param {Quantity} quantity @param {number} vocabulary  the model's own @returns {Quantity} */
function vocabularyInFull(quantity, vocabulary) {
  const { role, number, typed } = quantity
  const [, digits] = /^([0-9]+(?:\.[0-9]+)?)\s?k$/i.exec(typed) ?? []
  if (!digits || LETTERS[role] !== "V") return quantity
  const isOwn = vocabulary >= number.low && vocabulary <= number.high
  const isOwnCut = Math.floor(vocabulary / 1000) === Number(digits)
  const size = Math.round(1000 * Number(digits))
  return isOwn || isOwnCut ? quantity : { ...quantity, number: { ...number, low: size, high: size, exact: true } }
}

/** The numbers without those that repeat the model's own size beside another one for it: "12 layers -> 24 layers".
 * @param {Quantity[]} numbers @param {Sizes} sizes */
const withoutUsualSizes = (numbers, sizes) =>
  numbers.filter(
    ({ role, number }) =>
      number.low !== sizes[LETTERS[role]] ||
      !numbers.some((other) => other.role === role && other.number.low !== number.low),
  )

/** Words for a multiple of a size with its factor in digits: "10 times larger", "4x as many". */
const TIMES_LARGER =
  /(?<![0-9.,])([0-9]{1,3})(?:\s?[x×]|\stimes)\s(?:as\s)?(?:the\s|larger|large|bigger|big|wider|wide|deeper|many|more)/i

/** The factor by which a text multiplies a size; 0 if it names none. @param {string} text */
function factorIn(text) {
  const [, digits] = TIMES_LARGER.exec(text) ?? []
  if (digits) return Number(digits)
  const [, factor = 0] = MULTIPLES.find(([pattern]) => pattern.test(text)) ?? []
  return factor
}

/** Words that compare the inner width with the hidden size: "an FFN twice as wide as the hidden size". */
const INNER_TO_HIDDEN =
  /\b(?:ffn|feed[\s-]forward|mlp|inner|intermediate)\b.*\b(?:as\s(?:wide|large|big)\sas|times|twice|half|double)\s(?:the|its|of\sthe)\shidden\b/i

/** The account of a question about a multiple of one size of a model, without other numbers; null for any other text.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
export function accountOfMultiple({ text, quantities, purposes }, name) {
  const factor = factorIn(text)
  const roles = new Set(sizeNamesIn(text).map(({ role }) => role))
  const isOfInnerWidth = INNER_TO_HIDDEN.test(text)
  if (
    !factor ||
    !(roles.size === 1 || isOfInnerWidth) ||
    quantities.some(({ number }) => number.low !== factor) ||
    FREEZING.test(text)
  )
    return null
  // "BERT large has twice as many layers" compares two models, and "the NSP head" is no head of attention.
  if (purposes.length || HAVING_MULTIPLE.test(text) || HALF_OF_LAYER.test(text)) return null
  // Heads that are pruned leave the others as wide as they were.
  if (roles.has("heads") && PRUNING.test(text)) return null
  const [letter] = isOfInnerWidth ? ["F"] : [...roles].map((role) => LETTERS[role])
  const { sizes } = models.get(name)
  const supposition = suppositionOf(name, "", { [letter]: sizes[isOfInnerWidth ? "H" : letter] * factor })
  return supposition && accountOfSupposition(aboutNamedModel(supposition), supposition)
}

/** Words for layers that share their weights. In "the share of the parameters", the word is a noun. */
const SHARING =
  /(?<!\b(?:the|what|which|whose|a|large|big|small)\s)\bshar(?:e|es|ed|ing)\b.{0,30}\b(?:layers?|weights|parameters)\b|\b(?:layers?|weights|parameters)\b.{0,30}\bshar(?:e|ed|ing)\b(?!\s(?:of|in)\b)|\bt(?:ie|ied|ies|ying)\b.{0,30}\blayers\b|\bcompart\w+\b.{0,40}\bcapas\b|\bmism[ao]s?\s(?:capa|pesos)\b|\bpartag\w+\b.{0,40}\bcouches\b|\bmême\scouche\b|\bteil\w*\b.{0,40}\b(?:schichten|gewichte)\b|\bgleichen?\s(?:schicht|gewichte)\b|\bsame\slayer\b|共享|同一层/i

/** Words for projections of attention, which may share weights within a layer. */
const PROJECTIONS = /\bprojections?\b|\b(?:quer(?:y|ies)|keys?|values?)\b|\bQ\b.{0,10}\b[KV]\b/

/** The account of a question about a model whose layers share their weights, as ALBERT's do; null for any other text,
 * and for a model whose total does not depend on its layers.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
export function accountOfSharedLayers({ text, quantities, parts }, name) {
  const { L } = models.get(name).sizes
  if (!SHARING.test(text) || quantities.some(({ number }) => number.low !== L) || !(L > 1)) return null
  const isOfOtherParts = parts.some(({ words: part }) => ![ALL_LAYERS, ONE_LAYER, ENCODER].includes(part))
  if (isOfOtherParts || PROJECTIONS.test(text)) return null
  const supposition = suppositionOf(name, "", { L: 1 })
  if (supposition && supposition.total === supposition.otherTotal) return accountOfUnsharedLayers(text, name)
  if (!supposition) return null
  const { modelClass, total, otherTotal } = supposition
  return answer(
    words`The ${L} layers of ${subjectOf(name)} share no weights. If they shared those of one, as ALBERT's do, the model would have ${otherTotal} parameters ${asClass(modelClass)}, instead of ${total}.`,
    { name, modelClass, total },
  )
}

/** Words for layers that do not share their weights. */
const NOT_SHARING =
  /\b(?:not|n['’]t|without|un|no|stop\w*|instead\sof)[\s-]?(?:parameter\s|weight\s)?(?:shar|tie|tying)/i

/** The account of a question about a model whose layers share weights, if they did not; null for any other text.
 * @param {string} text @param {string} name  of the model */
function accountOfUnsharedLayers(text, name) {
  const { L } = models.get(name).sizes
  const supposition = NOT_SHARING.test(text) ? suppositionOf(name, "", { G: L }) : null
  if (!supposition) return null
  const { modelClass, total, otherTotal } = supposition
  return answer(
    words`The ${L} layers of ${subjectOf(name)} share their weights, so the model has ${total} parameters ${asClass(modelClass)}. If each of the ${L} layers had weights of its own, it would have ${otherTotal}${comparisonOf(otherTotal, total)}.`,
    { name, modelClass, total },
  )
}

/** A model with the sizes that a text states; null if they are its own, or not whole numbers, or if the model's
 * architecture lacks the class or a size.
 * @param {string} name @param {string | undefined} namedClass @param {Sizes} statedSizes
 * @returns {Supposition | null} */
export function suppositionOf(name, namedClass, statedSizes) {
  const { sizes } = models.get(name)
  const otherSizes = withSizesThatFollow(sizes, statedSizes)
  const { modelClass, total } = classAndTotal(name, namedClass)
  const statedLetters = lettersThatDiffer(statedSizes, sizes)
  const otherTotal = count({ modelClass, sizes: otherSizes })
  const isCounted = total && otherTotal && Object.values(otherSizes).every(Number.isInteger)
  if (!isCounted || !statedLetters.length || statedLetters.some((letter) => !sizes[letter])) return null
  // If the total depends on the number of heads, a size that this does not divide gives no model.
  const totalWithOneHead = count({ modelClass, sizes: { ...otherSizes, A: 1 } })
  if (!headsDivideWidth(otherSizes) && totalWithOneHead !== otherTotal) return null
  return { name, modelClass, sizes, otherSizes, total, otherTotal, statedLetters }
}

/** Whether the number of heads divides the hidden size. @param {Sizes} sizes */
const headsDivideWidth = ({ H, A }) => !A || H % A === 0

/** The sizes of a supposition that differ from the model's own, in words. @param {Supposition} supposition */
const otherSizesInWords = ({ sizes, otherSizes }) => sizesWithNames(lettersThatDiffer(otherSizes, sizes), otherSizes)

/** Whether the width of the embeddings only follows the hidden size.
 * @param {string[]} letters @param {Sizes} sizes */
const isOfHiddenSize = (letters, { E, H }) => E === H && letters.includes("H")

/** Sizes in words. @param {string[]} letters @param {Sizes} sizes */
const sizesWithNames = (letters, sizes) =>
  sizesInWords(sizesOf(isOfHiddenSize(letters, sizes) ? letters.filter((letter) => letter !== "E") : letters, sizes))

/** The headline for a text that names no published model: the total first, and that of the usual model to compare.
 * @param {Supposition} supposition */
function aboutAnyModel(supposition) {
  const { name, modelClass, otherSizes, total, otherTotal } = supposition
  const difference = Math.abs(total - otherTotal)
  const moreOrFewer = otherTotal > total ? "more" : "fewer"
  const comparison = difference
    ? words`${difference} ${moreOrFewer} than the ${total} of ${titleOf(name)}`
    : words`as many as ${titleOf(name)}`
  const [publishedModel] = publishedModels({ architecture: models.get(name).architecture, sizes: otherSizes })
  if (publishedModel)
    return words`These are the sizes of ${publishedModel.title}, which has ${otherTotal} parameters ${asClass(modelClass)}, ${comparison}.`
  return words`With ${otherSizesInWords(supposition)}, and otherwise the sizes of ${titleOf(name)}, a model has ${otherTotal} parameters ${asClass(modelClass)}, ${comparison}.`
}

/** The headline for a text about a published model: its total, and the total that it would have with the other sizes.
 * @param {Supposition} supposition */
export function aboutNamedModel(supposition) {
  const { name, modelClass, sizes, total, otherTotal, statedLetters } = supposition
  return words`${subjectOf(name)} has ${sizesInWords(sizesOf(statedLetters, sizes))}, and ${total} parameters ${asClass(modelClass)}. With ${otherSizesInWords(supposition)}, it would have ${otherTotal}${comparisonOf(otherTotal, total)}.`
}

/** The account of a supposition. @param {Words} headline @param {Supposition} supposition */
export function accountOfSupposition(headline, { name, modelClass, otherSizes, total }) {
  const { H, A } = otherSizes
  const onHeads = words`${H} is not a multiple of ${A}, so the model would also need another number of heads, which does not change the total.`
  const sentences = headsDivideWidth(otherSizes) ? [ON_CALCULATOR] : [onHeads, ON_CALCULATOR]
  return answer(headline, { name, modelClass, total }, sentences)
}

/** Whether a total is the number in a text, perhaps rounded. @param {number} total @param {Quantity} quantity */
const fits = (total, { number }) => total >= number.low && total <= number.high

/** The letters of the sizes that differ from others. @param {Sizes} sizes @param {Sizes} others */
const lettersThatDiffer = (sizes, others) => Object.keys(sizes).filter((letter) => sizes[letter] !== others[letter])
