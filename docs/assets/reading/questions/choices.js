// Answers which of several models is the largest or the smallest, or has a given number of parameters.

import { subjectOf, titleOf } from "../labels/meanings.js"
import { classAndTotal } from "../labels/totals.js"
import { code, enumeration, words } from "../words.js"
import { answer, MAX_LENGTH } from "./question-accounts.js"

/** Words that ask for one of several things, and for the largest or the smallest of them. */
const ASKING = /\b(?:which|what(?:'s|\sis)?|who)\b|哪|welche|quel|cuál/i
const LARGEST = /\b(?:largest|biggest|larger|bigger|most\sparam\w*|größte\w*|größer|plus\sgrand)\b|最大/i
const SMALLEST = /\b(?:smallest|smaller|lightest|fewest|fewer|kleinste\w*|kleiner|plus\spetit)\b|最小/i
const MAX_MODELS = 8
const MAX_ERROR = 0.05 // of a rounded number

/** The account of a question about which of several models is the largest or the smallest, or has a number of
 * parameters; null for any other text, and for one with a model that is not counted.
 * @param {LabelledText} labelledText @returns {Account | null} */
export function accountOfChoice({ text, mentions, numbers, parts, classes }) {
  if (text.length > MAX_LENGTH || !ASKING.test(text) || parts.length || classes.length) return null
  const names = [...new Set(mentions.map(({ models: [name] }) => name))]
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
