// Checks statements that compare the totals of two models, with one number: "DistilBERT is 40% smaller
// than BERT base", "BERT large has 225M more parameters", or "three times as many". The bare models
// are compared unless the text names classes. A model that is named alone is compared with BERT base if
// the text gives a percentage by which the model is smaller or larger, or says what multiple of the layers
// and what multiple of the parameters it has.

import { sentencesOnTwo } from "../questions/comparisons.js"
import { answer, MAX_LENGTH } from "../questions/question-accounts.js"
import { words } from "../words.js"
import { USUAL_MODELS } from "./named-parts.js"
import { sizeNamesIn } from "./settings.js"
import { classAndTotal } from "./totals.js"

/** Words that say that one of two models is smaller, and words that say that one is larger. */
const LESS = /\b(?:smaller|fewer|less|reduc\w*|lighter|saves?)\b/i
const MORE = /\b(?:larger|bigger|greater|more|exceeds?)\b/i
/** Words and signs for the difference between two totals. */
const DIFFERENCE = /\bdiffer\w*|\bgap\b|\w\s[-−–]\s\w/i
/** A factor in figures or words, as in "3x", "7.5 ×", "4 times" or "twice". */
const FACTOR =
  /(?<![0-9.,])([0-9]{1,4}(?:\.[0-9]+)?)\s?(?:x(?![0-9])|×|-?fold\b|times\b)|\b(?:half\s(?:as\smany|the)\sparam\w*|twice|double|(?:two|three|four) times|triple)\b/i
/** Factors, each with a pattern for the words that name it. @type {[RegExp, string][]} */
const FACTORS_IN_WORDS = [
  [/^(?:twice|double|two|half)/i, "2"],
  [/^(?:three|triple)/i, "3"],
  [/^four/i, "4"],
]

/** A multiple of another model's layers, heads or blocks, which does not determine that of its parameters. */
const MULTIPLE_OF_LAYERS = /\b(?:twice|double|half|three times)\s(?:as many|the)\s(?:layers|heads|blocks)\b/i

/** "Base" alone at the end, as the name of the other model. */
const SHORT_NAME = /\b(?:of|as|than)\s(?:the\s)?base(?:\smodel)?[.?!]?\s*$/i

/** The account of a comparison of the totals of two models; null for any other text.
 * @param {LabelledText} labelledText @returns {Account | null} */
export function accountOfStatedComparison({ text: typedText, numbers, mentions, classes, parts }) {
  const text = typedText.replace(MULTIPLE_OF_LAYERS, (clause) => " ".repeat(clause.length))
  const hasMultiple = text !== typedText && /\bparam\w*/i.test(text)
  if (text.length > MAX_LENGTH || parts.length || (sizeNamesIn(text).length && !hasMultiple)) return null
  const namedModels = mentions.map(({ models: [name] }) => name)
  // In "BERT large has 3 times the parameters of base", the second name is short.
  if (namedModels.length === 1 && SHORT_NAME.test(text)) namedModels.push(USUAL_MODELS[0])
  const isComparedWithUsualModel =
    namedModels.length === 1 && (hasMultiple || (numbers[0]?.role === "share" && (LESS.test(text) || MORE.test(text))))
  const names = isComparedWithUsualModel ? [...namedModels, USUAL_MODELS[0]] : namedModels
  if (names.length !== 2 || names.some((name) => !name) || names[0] === names[1]) return null
  const factor = FACTOR.exec(text)
  const [statedQuantity, ...others] = numbers.filter(
    ({ start, end }) => !factor || end <= factor.index || start >= factor.index + factor[0].length,
  )
  if (others.length || Boolean(statedQuantity) === Boolean(factor)) return null
  const comparedModels = names.map((name, index) => ({ name, ...classAndTotal(name, classes[index]?.name) }))
  const [smaller, larger] = [...comparedModels].sort((one, other) => one.total - other.total)
  if (!smaller.total) return null
  const verdict = factor
    ? verdictOnFactor(factor[0].trim(), factor[1] ?? digitsOfFactor(factor[0]), larger.total / smaller.total)
    : verdictOnNumber(statedQuantity, text, smaller.total, larger.total)
  if (!verdict) return null
  const isReversed = (LESS.test(text) ? larger : smaller) === comparedModels[0] && /\bthan\b/i.test(text)
  return answer(words`${sentencesOnTwo(smaller, larger)} ${isReversed ? "It is the other way round." : verdict}`)
}

/** The sentence on a stated percentage or number of parameters; null if the words do not say what it compares.
 * @param {Quantity} quantity @param {string} text @param {number} smallerTotal @param {number} largerTotal
 * @returns {Words | null} */
function verdictOnNumber({ typed, number, role }, text, smallerTotal, largerTotal) {
  if (role === "share") {
    const ofLarger = /** @type {const} */ (["The smaller one has", "of the parameters of the larger one"])
    const verdict =
      verdictOnDifference(typed, text, smallerTotal, largerTotal) ??
      verdictOnShare(typed, smallerTotal / largerTotal, ...ofLarger)
    return verdict.sentence
  }
  const difference = largerTotal - smallerTotal
  if (role !== "count" || ![LESS, MORE, DIFFERENCE].some((pattern) => pattern.test(text))) return null
  const { low, high, exact } = number
  const fits = (/** @type {number} */ total) => total >= low && total <= high
  if (!fits(difference) && [smallerTotal, largerTotal].some(fits))
    return words`${typed} is one of these totals${exact ? "" : ", rounded"}.`
  if (exact) return low === difference ? words`${typed} is this difference.` : words`The difference is not ${typed}.`
  if (difference >= low && difference <= high) return words`${typed} is this difference, rounded.`
  const isRoundedDown = difference > high && difference < (low + high) / 2 + (high - low)
  return isRoundedDown ? words`${typed} is this difference, rounded down.` : words`The difference is not ${typed}.`
}

/** The sentence on a stated percentage, and whether the percentage is right.
 * @typedef {{ sentence: Words, isRight: boolean }} VerdictOnShare */

/** The verdict on a stated percentage by which one of two counts is smaller or larger than the other; null if the words
 * around it say neither.
 * @param {string} typed @param {string} text @param {number} smaller @param {number} larger
 * @returns {VerdictOnShare | null} */
export function verdictOnDifference(typed, text, smaller, larger) {
  const difference = larger - smaller
  if (LESS.test(text)) return verdictOnShare(typed, difference / larger, "The smaller one has", "fewer")
  if (MORE.test(text)) return verdictOnShare(typed, difference / smaller, "The larger one has", "more")
  return null
}

/** The verdict on a stated percentage.
 * @param {string} typed @param {number} share  the right one, as a fraction
 * @param {string} subject @param {string} ending  of the clause with the right percentage
 * @returns {VerdictOnShare} */
function verdictOnShare(typed, share, subject, ending) {
  const isRight = roundsTo(100 * share, typed.replace(/[^0-9.,]/g, "").replace(",", "."))
  const rightClause = words`${subject} ${(100 * share).toFixed(1)}% ${ending}`
  const sentence = isRight
    ? words`${rightClause}; ${typed} is this figure, rounded.`
    : words`${rightClause}, not ${typed}.`
  return { sentence, isRight }
}

/** The digits of a factor that is typed in words; "" if the words are not known. @param {string} typed */
const digitsOfFactor = (typed) => FACTORS_IN_WORDS.find(([pattern]) => pattern.test(typed))?.[1] ?? ""

const MAX_ERROR_OF_FACTOR = 0.15 // "twice" rounds 1.9, but not 1.6

/** The sentence on a stated factor.
 * @param {string} typed @param {string} digits  the factor in digits @param {number} ratio  the right factor */
const verdictOnFactor = (typed, digits, ratio) =>
  roundsTo(ratio, digits) && Math.abs(ratio / Number(digits) - 1) < MAX_ERROR_OF_FACTOR
    ? words`${typed[0].toUpperCase()}${typed.slice(1)} is this ratio, rounded.`
    : words`The ratio is not ${digits}.`

/** Whether a number rounds to these digits, to as many figures as they have. Zeros at the end of a whole number are no
 * figures, so 38.6 rounds to 40, but 5.1 does not round to 10.
 * @param {number} number @param {string} digits */
export function roundsTo(number, digits) {
  const [whole, decimals = ""] = digits.split(".")
  const figures = (decimals ? `${whole}${decimals}` : whole.replace(/0+$/, "")).replace(/^0+/, "").length
  return Number(number.toPrecision(Math.max(figures, 1))) === Number(digits)
}
