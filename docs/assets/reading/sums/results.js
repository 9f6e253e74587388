// Finds the result among the expressions of a statement, and the formulas that lead to it. If the
// words say how many layers or things the result is for, the formula is multiplied by their number. A
// formula for everything before it, such as "so one layer is 12 × 768²", is replaced by its number, which
// is then read as the sum of the earlier statements.

import { isNumber, numeral, productOf, resultOf, widestTolerance } from "./expressions.js"
import { layersNamed } from "./labels.js"
import { numberOf } from "./outline.js"

/** @typedef {import("./expressions.js").Expression} Expression */
/** @typedef {import("./statements.js").Statement} Statement */

/** Whether a number rounds another one, as 110M rounds 109,482,240.
 * @param {Expression} rounding @param {Expression} other */
const isRoundingOf = (rounding, other) =>
  other.tolerance < rounding.tolerance && Math.abs(rounding.value - other.value) <= widestTolerance(rounding)

/** A statement with its result: the last of its expressions, if that is a number alone, or else the first, as in
 * 85,054,464 = 12 × 7,087,872. A number that only rounds the one before it, as in 109,482,240 ≈ 110M, restates the
 * result.
 * @param {Statement} statement @returns {Statement} */
export function withResult(statement) {
  const { expressions } = statement
  const [first] = expressions
  if (!isNumber(expressions[expressions.length - 1])) {
    if (expressions.length < 2 || !isNumber(first)) return statement
    const stated = { value: first.value, tolerance: first.tolerance }
    return { ...statement, stated, expressions: expressions.filter((expression) => !isNumber(expression)) }
  }
  const result = expressions.reduce((before, next) => {
    const isRestated = isNumber(before) && isNumber(next) && isRoundingOf(next, before)
    return isRestated ? before : next
  })
  const stated = { value: result.value, tolerance: result.tolerance }
  return { ...statement, stated, expressions: formulasOf(expressions, result) }
}

/** The formulas among expressions. In a row of a table such as 768 × 768 | 1 | 12 | 7,077,888, the numbers of matrices
 * and layers are factors. If the product is not the result, the numbers mean something else.
 * @param {Expression[]} expressions @param {Expression} result */
function formulasOf([first, ...others], result) {
  const counts = others.filter((expression) => isNumber(expression) && expression !== result)
  const areCells = !isNumber(first) && counts.length > 0 && counts.length === others.length - 1
  if (!areCells || result.tolerance) return [first, ...others].filter((expression) => !isNumber(expression))
  const product = productOf([...counts, first])
  return resultOf(product) === result.value ? [product] : []
}

/** A small number at the end of a text, with up to four words after it: "4 matrices with". */
const COUNT_OF_THINGS = /(?<![0-9.,])([0-9]{1,2}) (?:[\p{L}-]+,? ?){1,4}$/u

/** The number of things that the words before a number count; 0 if they count none. @param {string} words */
export const thingsCountedIn = (words) => Number(COUNT_OF_THINGS.exec(words)?.[1] ?? 0)

/** The numeric factors of a product; none for any other expression. @param {Expression} expression */
export const factorsOf = ({ kind, parts }) =>
  kind === "product" ? parts.filter(isNumber).map(({ value }) => value) : []

/** The number of things that a label lists before a formula for each of them: Q, K, V: 768 × 768 each; 0 if the text
 * does not say "each".
 * @param {Statement} statement */
const timesOfEach = ({ words, text }) => (OF_EACH.test(text) ? words.split(",").length : 0)
const OF_EACH = /\b(?:each|jeweils|je)\b(?!\s(?:of|layer|schicht))/i

/** The number of things for each of which a statement gives a number, as in "Q, K, V each 590,592"; 1 if it does not
 * say so.
 * @param {Statement} statement */
export const countOfEach = (statement) =>
  OF_EACH.test(statement.words) ? Math.max(thingsCountedIn(statement.words), timesOfEach(statement), 1) : 1

/** A whole number of one or two digits among words. */
const SMALL_NUMBER = /(?<![0-9.,])[0-9]{1,2}(?![0-9.,]*[0-9])/g

/** The number in the words of a statement, or the product of two, by which its formula must be multiplied to give its
 * exact result, as in "2 LayerNorms: 2 × 768 = 3,072"; 0 if there is none.
 * @param {Statement} statement */
function timesOfResult({ words, expressions: [formula], stated }) {
  if (!stated || stated.tolerance) return 0
  const numbers = (words.match(SMALL_NUMBER) ?? []).map(Number)
  const products = numbers.flatMap((one, index) => numbers.slice(index + 1).map((other) => one * other))
  const ofOne = resultOf(formula)
  return [...numbers, ...products].find((number) => number > 1 && number * ofOne === stated.value) ?? 0
}

/** A statement with its formula multiplied by a number of layers or things, if the formula is for one of them and the
 * result for all: 4 matrices with 768 × 768 + 768 = 2,362,368. After a note such as "(× 12)", the stated result may be
 * wrong. If it is nearer to the result of the formula than to the multiplied one, it is for one layer.
 * @param {Statement} statement @returns {Statement} */
export function withTimes(statement) {
  const { words, expressions, stated, times: timesInNote } = statement
  const times = timesInNote || thingsCountedIn(words) || layersNamed(words) || timesOfEach(statement)
  const [formula] = expressions
  const timesInResult = expressions.length === 1 ? timesOfResult(statement) : 0
  if (timesInResult) return { ...statement, expressions: [productOf([numeral(timesInResult), formula])] }
  if (times < 2 || expressions.length !== 1 || factorsOf(formula).includes(times)) return statement
  const [ofOne, ofAll] = [resultOf(formula), times * resultOf(formula)]
  const isOfAll = stated ? Math.abs(stated.value - ofAll) < Math.abs(stated.value - ofOne) : true
  if (timesInNote ? isOfAll : stated && Math.abs(stated.value - ofAll) <= stated.tolerance)
    return { ...statement, expressions: [productOf([numeral(times), formula])] }
  return timesInNote ? { ...statement, heading: "per layer" } : statement
}

/** Words that say that a formula is for a whole layer or for everything so far, and words beside them. */
const WHOLE_WORDS = new Set(["layer", "block", "total", "altogether", "so", "thus", "hence", "therefore"])
const FURTHER_WORDS = new Set("the a an one each per whole encoder in then is has have".split(" "))
const MAX_SUMMANDS = 20 // the maximum number of statements that a formula may add up

/** Whether words are only about a whole layer or about everything so far: "so one layer is".
 * @param {string} text */
function areOfWhole(text) {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  return (
    words.some((word) => WHOLE_WORDS.has(word)) &&
    words.every((word) => WHOLE_WORDS.has(word) || FURTHER_WORDS.has(word))
  )
}

/** The statements, in which a formula for a whole layer or for everything so far has given way to its number if earlier
 * statements add up to it. It is then read as their sum, not as a further summand: "attention = 4 × 768², FFN =
 * 8 × 768², so one layer is 12 × 768²".
 * @param {Statement[]} statements @returns {Statement[]} */
export const withSumsOfEarlier = (statements) =>
  statements.map((statement, index) => {
    if (statement.expressions.length !== 1 || !areOfWhole(statement.words)) return statement
    const number = numberOf(statement)
    const earlierStatements = statements.slice(Math.max(0, index - MAX_SUMMANDS), index).reverse()
    let sum = 0
    const isSum = earlierStatements.some((earlier, count) => {
      sum += numberOf(earlier)
      return count > 0 && sum === number
    })
    return isSum ? { ...statement, expressions: [], stated: { value: number, tolerance: 0 } } : statement
  })
