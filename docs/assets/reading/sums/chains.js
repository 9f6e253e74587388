// Splits a chain of calculations where one goes on with the result of another, as in
// "768 × 768 = 589,824 + 768 = 590,592". Taken at its word, such a line says that 768 × 768 is
// 590,592. So each calculation becomes a statement of its own, with the number that the next one
// goes on with as its result.
//
// An equals sign between two forms of the same number, as in 4 × (768 × 768 + 768) = 4 × 590,592,
// does not begin a new calculation. If the results differ, the later form goes on with the earlier
// result if it contains that number, or begins with one that is near it.
//
// Two kinds of lines look like chains but are not. In "98,380,800 + 6 × 7,087,872 = 42,527,232", the
// result is that of the product alone. In "30,522 × 128 = 3,906,816 + 512 × 128 = 65,536 + 256 =
// 3,972,608", each term is followed by its own result; without these results, it is a single sum.
// The result of this sum may be missing.

import { whole } from "../../counting/engine.js"
import { hasNumber, isNumber, numeral, resultOf } from "./expressions.js"
import { layersNamed } from "./labels.js"

/** @typedef {import("./expressions.js").Expression} Expression */
/** @typedef {import("./statements.js").Statement} Statement */

const MIN_RESULT = 300_000 // the minimum of a number that is taken for a result; few vocabularies have as many rows
const MAX_SLIP = 0.1 // the largest error of a miscopied result, as a share of the result

/** Words at the end of a label for several things, one of which the first formula counts: Q, K, V each 768 × 768. */
const OF_EACH = /(?:each|apiece|jeweils|je|chacune?|cada un[oa]|每个?)$/i

/** The number with which an expression begins; null if it begins with a name or a power.
 * @param {Expression} expression @returns {Expression | null} */
function firstNumberOf(expression) {
  if (isNumber(expression)) return expression
  return expression.kind === "sum" || expression.kind === "product" ? firstNumberOf(expression.parts[0]) : null
}

/** The result of an expression if the next one goes on with it, as written there; null if it does not, if both are the
 * same number, or if the result is rounded.
 * @param {Expression} expression @param {Expression} next */
function resultTakenUp(expression, next) {
  const first = firstNumberOf(next)
  const [result, nextResult] = [resultOf(expression), resultOf(next)]
  if (isNumber(next) || !first || first.tolerance || result === nextResult) return null
  if (isNumber(expression)) return result >= MIN_RESULT && first.value === result ? first : null
  if (hasNumber(next, result)) return numeral(result)
  if (Number.isNaN(result)) return goesOnFromLetters(expression, next) && first.value >= MIN_RESULT ? first : null
  const slip = Math.abs(first.value - result)
  return slip < Math.min(MAX_SLIP * result, Math.abs(nextResult - result)) ? first : null
}

/** Whether an expression goes on with the result of an expression with letters, by multiplying it. A sum of numbers, or
 * a product after a product, more likely repeats that expression with the values of its letters.
 * @param {Expression} expression @param {Expression} next */
const goesOnFromLetters = ({ kind }, next) =>
  kind !== "product" && (next.kind === "sum" ? next.parts[0] : next).kind === "product"

/** Whether the number after a calculation can be its result, perhaps with a slip; true if there is no such number, or
 * if the calculation has letters.
 * @param {Expression[]} link */
const mayHaveOwnResult = ([formula, next]) =>
  isNumber(formula) || !next || !isNumber(next) || !(Math.abs(next.value - resultOf(formula)) >= MAX_SLIP * next.value)

/** A statement as a single sum with its result if each term in it is followed by its own result, as in "30,522 × 128 =
 * 3,906,816 + 512 × 128 = 65,536 + 256 = 3,972,608"; any other statement unchanged.
 * @param {Statement} statement @returns {Statement} */
function withoutResultsOfTerms(statement) {
  const formulas = statement.expressions.slice(0, -1)
  const total = statement.expressions[formulas.length]
  /** @type {Expression[]} */
  const terms = []
  let isChain = true // whether each calculation goes on with the whole result of the one before
  for (const [index, formula] of formulas.entries()) {
    const parts = formula.kind === "sum" ? formula.parts : [formula]
    if (formula.kind === "sum" && formula.signs.some((sign) => sign < 0)) return statement
    if (index && !(isNumber(parts[0]) && parts[0].value === resultOf(terms[terms.length - 1]))) return statement
    if (index && resultOf(parts[0]) !== resultOf(formulas[index - 1])) isChain = false
    terms.push(...parts.slice(index ? 1 : 0))
  }
  const sum = formulas.find(({ kind }) => kind === "sum")
  if (!sum || !isNumber(total)) return statement
  const sumOfTerms = { ...sum, parts: terms, signs: terms.map(() => 1) }
  // The last number is the result of the last term, so no number is that of the sum.
  if (terms.length > 1 && total.value === resultOf(terms[terms.length - 1]))
    return { ...statement, expressions: [sumOfTerms] }
  const result = terms.reduce((subtotal, term) => subtotal + resultOf(term), 0)
  if (isChain || !(Math.abs(result - total.value) < MAX_SLIP * total.value)) return statement
  return { ...statement, expressions: [sumOfTerms, total] }
}

/** A statement as a list: one statement for each calculation of a chain.
 * @param {Statement} original @returns {Statement[]} */
export function splitChain(original) {
  const statement = withoutResultsOfTerms(original)
  const { words, expressions, after } = statement
  /** @type {Expression[][]} */
  const links = []
  /** The result of each calculation but the last. @type {Expression[]} */
  const results = []
  for (const [index, expression] of expressions.entries()) {
    const sharedNumber = index ? resultTakenUp(expressions[index - 1], expression) : null
    if (sharedNumber) results.push(sharedNumber)
    if (sharedNumber || !index) links.push([expression])
    else links[links.length - 1].push(expression)
  }
  if (links.length < 2 || OF_EACH.test(words.trim()) || !links.every(mayHaveOwnResult)) return [statement]
  const labelledIndex = indexOfLabelled(words, links)
  const terms = termsOf(statement)
  return links.map((link, index) => {
    const isLast = index === links.length - 1
    const first = expressions.indexOf(link[0])
    const texts = terms?.slice(first, first + link.length) ?? [statement.text]
    const result = isLast || isNumber(link[link.length - 1]) ? [] : [results[index]]
    return {
      ...statement,
      ...(index === labelledIndex ? {} : { words: "", name: "", times: 0 }),
      after: isLast ? after : "",
      text: [...texts, ...(terms ? result.map(({ value }) => whole(value)) : [])].join(" = "),
      expressions: [...link, ...result],
    }
  })
}

/** The index of the calculation that the label of a chain names. It is the last one if no calculation after the first
 * is a product, as with the number of layers. Otherwise it is the one before this product, or the product itself if
 * the label gives the number of layers.
 * @param {string} words @param {Expression[][]} links */
function indexOfLabelled(words, links) {
  const product = links.findIndex(([{ kind }], index) => index > 0 && kind === "product")
  if (product < 0) return links.length - 1
  return layersNamed(words) > 1 ? product : product - 1
}

/** The text of each expression of a statement, that of the first with its label; null if the text has fewer equals
 * signs than it should, because a result is in brackets.
 * @param {Statement} statement */
function termsOf({ text, expressions }) {
  const terms = text.split(/[-=]?[=>→≈]/).map((term) => term.trim())
  const surplus = terms.length - expressions.length
  return surplus < 0 ? null : [terms.slice(0, surplus + 1).join(" = "), ...terms.slice(surplus + 1)]
}
