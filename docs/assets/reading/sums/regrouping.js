// Regroups the statements of a sum done by hand. A statement that gives two results, such as a
// number and the total after it, is split into two, and a chain of calculations (chains.js) into
// its links. A statement that only describes or counts what the next statement works out is joined
// with it, and a statement that only repeats a result or states an error is left out.

import { whole } from "../../counting/engine.js"
import { splitChain } from "./chains.js"
import { isNumber, MAX_COUNT, numeral, productOf, resultOf } from "./expressions.js"
import { layersNamed, partsMeant, saysTotal } from "./labels.js"
import { OF_EACH_LAYER } from "./line-reader.js"
import { factorsOf, thingsCountedIn } from "./results.js"

/** @typedef {import("./statements.js").Statement} Statement */

/** A statement as a list, split into two if it has a number, perhaps with its formula, and the total after it, as in
 * "pooler 590,592 → 109,482,240", or a product of the total, as in "LayerNorm 1,536 → 7,087,872 × 12 = 85,054,464". If
 * the second number is the first times a number of layers or things, both stay in one statement, as a product and its
 * result.
 * @param {Statement} statement @returns {Statement[]} */
function splitTotal(statement) {
  const { expressions } = statement
  const [first, second] = expressions
  const last = expressions[expressions.length - 1]
  if (expressions.length > 2 && isNumber(first) && factorsOf(second).some((factor) => factor > first.value))
    return [
      { ...statement, expressions: [first] },
      { ...statement, words: "", after: "", name: "", expressions: expressions.slice(1) },
    ]
  const isTotalAfterResult =
    expressions.length === 3 &&
    !isNumber(first) &&
    expressions.slice(1).every((expression) => isNumber(expression) && !expression.tolerance) &&
    resultOf(first) === resultOf(second) &&
    resultOf(last) > resultOf(second)
  if (isTotalAfterResult) return [{ ...statement, expressions: [first, second] }, totalOf(statement, last)]
  const times = layersNamed(statement.words) || thingsCountedIn(statement.words)
  if (expressions.length === 2 && times > 1 && isNumber(first) && first.value * times === last.value)
    return [{ ...statement, expressions: [productOf([numeral(times), first]), last] }]
  if (expressions.length !== 2 || !expressions.every(isNumber) || last.tolerance || first.value >= last.value)
    return [statement]
  return [{ ...statement, expressions: [first] }, totalOf(statement, last)]
}

/** A statement of the total at the end of another statement.
 * @param {Statement} statement @param {import("./expressions.js").Expression} total @returns {Statement} */
const totalOf = (statement, total) => ({
  ...statement,
  words: "total",
  after: "",
  name: "",
  text: `= ${whole(resultOf(total))}`,
  expressions: [total],
})

/** Words after a number that only states how far another one is off. */
const OF_ERROR = /^(?:\w+ )?(?:too (?:many|few|much|large|small|high|low)|zu viele?|zu wenige?|de trop)(?!\p{L})/iu

/** Whether a statement only states how far another number is off, as in "Why do I get 23 million too many?".
 * @param {Statement} statement */
const isOfError = ({ expressions, after }) => expressions.every(isNumber) && OF_ERROR.test(after.trim())

/** The statements, with those split in two whose result is the sum of all formulas on the line, into the formula and
 * the total: W1 768 × 3072, W2 3072 × 768 = 4,718,592.
 * @param {Statement[]} statements */
function splitLineTotals(statements) {
  /** The sum of the formulas on a line since its last total; NaN once no number can be their total any more. */
  let sum = 0
  return statements.flatMap((statement, index) => {
    const { expressions, line, after } = statement
    const [formula, total] = expressions
    if (statements[index - 1]?.line !== line) sum = 0
    if (isNumber(formula) || expressions.length > 2) {
      sum = NaN
      return [statement]
    }
    const isFirst = sum === 0
    sum += resultOf(formula)
    if (!total) return [statement]
    const isTotal = !isFirst && isNumber(total) && Math.abs(total.value - sum) <= total.tolerance
    sum = 0 // the next total of the line is that of the formulas after this one
    if (!isTotal) return [statement]
    const { value } = total
    return [
      { ...statement, after: "", text: statement.text.replace(/ ?=.*$/, ""), expressions: [formula] },
      { ...statement, words: `total${after}`, after: "", name: "", text: `= ${whole(value)}`, expressions: [total] },
    ]
  })
}

/** The statements without those that only count something, as in "12 layers together: 85,054,464" or "encoder (12
 * layers): 85,054,464". The next statement, which is changed in place, then begins with their words, unless they are
 * about what each layer has, because these are its heading already.
 * @param {Statement[]} statements */
const withoutCounts = (statements) =>
  statements.filter(({ words, after, expressions, line }, index) => {
    const next = statements[index + 1]
    const [only] = expressions
    const countedWords = `${only.words} ${after}`.trim()
    const isCount = isNumber(only) && expressions.length === 1 && only.value <= MAX_COUNT && countedWords !== ""
    if (!isCount || next?.line !== line) return true
    const phrase = `${words} ${only.value} ${countedWords}`.trim()
    if (OF_EACH_LAYER.test(phrase)) return false
    next.text = `${phrase} ${next.text}`
    next.words = countedWords.endsWith(next.words) ? phrase : `${phrase} ${next.words}`
    return false
  })

/** The statements without those that only describe what the next one works out, as in "12 heads, each with Q, K, V of
 * 768 × 768: 12 × 3 × 768 × 768". The next statement, which is changed in place, takes their words.
 * @param {Statement[]} statements */
const withoutDescriptions = (statements) =>
  statements.filter(({ words, after, expressions, line, text }, index) => {
    const next = statements[index + 1]
    // The words between the two may have been taken for those of the next one.
    if (next?.line !== line || (next.words && next.words !== after.trim()) || expressions.length > 1) return true
    const [factors, nextFactors] = [expressions, next.expressions].map(([expression]) => factorsOf(expression))
    const isShorter = factors.length < nextFactors.length || /matri|shape|table/i.test(`${words} ${after}`)
    const isDescription = factors.length > 0 && isShorter
    if (!isDescription || !factors.every((factor) => nextFactors.includes(factor))) return true
    next.words = `${words} ${after}`.trim()
    next.text = `${text}: ${next.text}`
    return false
  })

/** A label in lower case and without punctuation, to compare with others. @param {string} label */
const bareLabel = (label) =>
  label
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

/** Words before a number that draw the conclusion from what is before them. */
const CONCLUSION = /^\W*(?:so|thus|hence|therefore|that['’]?s)\W*$/i

/** Whether a statement is only a number that an earlier formula with the same label has as its result.
 * @param {Statement} statement @param {Statement[]} earlierStatements */
const isOutput = ({ words, expressions: [only] }, earlierStatements) =>
  earlierStatements.some(
    ({ words: earlierWords, name, expressions: [formula] }) =>
      !isNumber(formula) &&
      resultOf(formula) === only.value &&
      [earlierWords, name].some((label) => bareLabel(label) === bareLabel(words)),
  )

/** Whether a label means any LayerNorm, of which a layer has two of the same size. @param {string} label */
const isOfAnyNorm = (label) => partsMeant(label).some(({ path, tag }) => !path && tag === "LayerNorm")

/** The statements without those numbers that only repeat the result of a formula: of an earlier one with the same
 * label, as the output of code does below it; of the one before, as in "4 × 768 × 768 + 4 × 768, so 2,362,368"; or of a
 * sum after them, as in "one layer has 7,087,872, but 2,363,904 + 2,362,368 + 2,361,600 = 7,087,872". If only the
 * number of a LayerNorm recurs, it is that of the second one in a layer.
 * @param {Statement[]} statements */
function withoutRepetitions(statements) {
  const isLabelledNumber = (/** @type {Statement} */ { words, expressions: [only, ...others] }) =>
    isNumber(only) && !only.tolerance && !others.length && bareLabel(words) !== ""
  const outputs = statements.filter(
    (statement, index) => isLabelledNumber(statement) && isOutput(statement, statements.slice(0, index)),
  )
  const areOfNorms = outputs.every(({ words }) => isOfAnyNorm(words))
  return statements.filter((statement, index) => {
    if (!isLabelledNumber(statement)) return true
    const {
      words,
      expressions: [{ value }],
    } = statement
    const formulaAfter = statements[index + 1]?.expressions[0]
    if (formulaAfter?.kind === "sum" && resultOf(formulaAfter) === value) return false
    const formulaBefore = statements[index - 1]?.expressions[0]
    const isConclusion = (CONCLUSION.test(words) || saysTotal(words)) && partsMeant(words).length === 0
    if (formulaBefore && !isNumber(formulaBefore) && resultOf(formulaBefore) === value && isConclusion) return false
    return areOfNorms || !outputs.includes(statement)
  })
}

/** The statements of a text in new groups. Chains come first, because a link may repeat, count or describe something,
 * and totals last, because a total on a line is that of what remains.
 * @param {Statement[]} statements @returns {Statement[]} */
export function regroup(statements) {
  const links = statements.filter((statement) => !isOfError(statement)).flatMap(splitChain)
  return splitLineTotals(withoutDescriptions(withoutCounts(withoutRepetitions(links)))).flatMap(splitTotal)
}
