// Answers which of several models is the largest or the smallest, or has a given number of parameters.

import { modelsByUse } from "../../explaining/ways.js"
import { subjectOf, titleOf } from "../labels/meanings.js"
import { classAndTotal } from "../labels/totals.js"
import { code, enumeration, words } from "../words.js"
import { answer, MAX_LENGTH } from "./question-accounts.js"

/** Words that ask for one of several things, and for the largest or the smallest of them. */
const ASKING = /\b(?:which|what(?:'s|\sis)?|who)\b|哪|welche|quel|cuál/i
const LARGEST = /\b(?:largest|biggest|larger|bigger|most\sparam\w*|größte\w*|größer|plus\sgrand)\b|最大/i
const SMALLEST = /\b(?:smallest|smaller|lightest|fewest|fewer|kleinste\w*|kleiner|plus\spetit)\b|最小/i
/** Words for the largest or the smallest that begin a text without a verb: "smallest of these". */
const SUPERLATIVE = /^\W*(?:the\s)?(?:largest|biggest|smallest|lightest|most\sparam\w*|fewest\sparam\w*)\b/i
const MAX_MODELS = 8
const MAX_ERROR = 0.05 // the largest difference between a total and a rounded number, as a share of the number

/** A question that asks which model has a number of parameters. */
const WHICH_MODEL = /\b(?:which|what)\s(?:(?:\w+\s){0,2}models?|(?:\w+\s)?bert)\b/i
const MAX_NAMED = 3 // the maximum number of models in an answer

/** The account of a question about which model has a rounded number of parameters; null for any other text, and if the
 * total of no model is near.
 * @param {LabelledText} labelledText @returns {Account | null} */
export function accountOfModelWithTotal({ text, mentions, quantities, parts, classes }) {
  const [quantity, ...others] = quantities
  if (text.length > MAX_LENGTH || mentions.length || parts.length || classes.length || others.length) return null
  if (quantity?.role !== "count" || quantity.number.exact || !WHICH_MODEL.test(text)) return null
  const middle = (quantity.number.low + quantity.number.high) / 2
  const nearModels = modelsByUse
    .map(({ name }) => ({ name, ...classAndTotal(name) }))
    .filter(({ total }) => Math.abs(total / middle - 1) <= MAX_ERROR)
  // Many models have the same sizes. Of those, the best known one is named.
  const [first, ...otherModels] = nearModels.filter(
    ({ total }, index) => nearModels.findIndex((model) => model.total === total) === index,
  )
  if (!first) return null
  return answer(
    words`${subjectOf(first.name)} has ${first.total} parameters as ${code(first.modelClass)}.${otherModels.length ? words` ${listOf(otherModels.slice(0, MAX_NAMED - 1))}.` : []}`,
    first,
  )
}

/** The account of a question about which of several models is the largest or the smallest, or has a number of
 * parameters; null for any other text, and for one with a model that is not counted.
 * @param {LabelledText} labelledText @returns {Account | null} */
export function accountOfChoice({ text, mentions, numbers, parts, classes }) {
  if (text.length > MAX_LENGTH || parts.length || classes.length) return null
  const names = [...new Set(mentions.map(({ models: [name] }) => name))]
  if (!ASKING.test(text) && !(names.length > 2 && SUPERLATIVE.test(text))) return null
  if (names.length < 2 || names.length > MAX_MODELS || names.some((name) => !name)) return null
  const bySize = names.map((name) => ({ name, ...classAndTotal(name) })).sort((one, other) => other.total - one.total)
  const [quantity, ...otherNumbers] = numbers
  if (quantity) return otherNumbers.length ? null : accountOfTotalAmong(bySize, quantity)
  const isOfSmallest = SMALLEST.test(text)
  if (!isOfSmallest && !LARGEST.test(text)) return null
  const [first, ...others] = isOfSmallest ? bySize.reverse() : bySize
  const [ofTwo, ofSeveral] = isOfSmallest ? ["smaller one", "smallest"] : ["larger one", "largest"]
  return answer(
    words`${subjectOf(first.name)} is the ${others.length === 1 ? ofTwo : ofSeveral}, with ${first.total} parameters as ${code(first.modelClass)}. ${listOf(others)}.`,
    first,
  )
}

/** The account of the model whose total is nearest to a number; null if no total is near.
 * @param {{ name: string, modelClass: string, total: number }[]} modelsWithTotals @param {Quantity} quantity */
function accountOfTotalAmong(modelsWithTotals, { number: { low, high }, role, typed }) {
  const middle = (low + high) / 2
  const errorOf = (/** @type {{ total: number }} */ { total }) => Math.abs(total / middle - 1)
  const [nearest, ...others] = [...modelsWithTotals].sort((one, other) => errorOf(one) - errorOf(other))
  if (role !== "count" || errorOf(nearest) > MAX_ERROR) return null
  return answer(
    words`${typed} fits ${titleOf(nearest.name)}, which has ${nearest.total} parameters as ${code(nearest.modelClass)}. ${listOf(others)}.`,
    nearest,
  )
}

/** The totals of models as a clause. @param {{ name: string, total: number }[]} modelsWithTotals */
const listOf = (modelsWithTotals) =>
  enumeration(
    modelsWithTotals.map(({ name, total }, index) =>
      index ? words`${subjectOf(name)} ${total}` : words`${subjectOf(name)} has ${total}`,
    ),
  )
