// Explains a text with several print-outs, such as those of a model before and after
// its vocabulary was resized. Their rows are not added up: each print-out is explained on
// its own.
//
// Headings may separate the print-outs (headed-print-outs.js). Without them,
// print(model) begins each print-out with the model's class, and in other texts, a new print-out
// begins where the name of the first row recurs. That alone proves little, because a table may
// use a name again, so such a text is taken for several print-outs only if each of them is a
// whole model without a fault.

import { differenceByParts } from "../two-models.js"
import { accountWith, finding, words } from "../words.js"
import { factsIn, rowsWith } from "./facts.js"
import { findingsOf } from "./findings.js"
import { headlineOf } from "./headline.js"
import { linesOf } from "./lines.js"
import { isOutermost } from "./modules.js"

/** @typedef {import("./facts.js").Facts} Facts */

const MAX_PRINT_OUTS = 4 // a name that recurs more often in a text is that of a row in each layer

/** The facts about each model of a text in which print(model) shows several; empty for any other text, or if any of
 * them is not counted here.
 * @param {PrintOut} printOut @returns {Facts[]} */
function factsOfPrintedModels(printOut) {
  const starts = printOut.rows.flatMap((row, index) => (isOutermost(row) ? [index] : []))
  if (starts.length < 2 || starts.length > MAX_PRINT_OUTS || starts[0]) return []
  const facts = starts.map((start, index) => {
    const rows = printOut.rows.slice(start, starts[index + 1])
    return factsIn({ ...printOut, rows, totals: [], depths: [], mentions: rows.map(({ type }) => type) })
  })
  return facts.every((factsOfPrintOut) => factsOfPrintOut !== null) ? facts : []
}

/** The facts about each print-out of a text with several; empty for any other text, or unless each of them is a whole
 * model without a fault.
 * @param {PrintOut} printOut @returns {Facts[]} */
function factsOfPrintOuts(printOut) {
  const first = printOut.rows.find(({ name, isContainer }) => name && !isContainer)
  const starts = printOut.rows.flatMap(({ name, isContainer }, index) =>
    name === first?.name && !isContainer ? [index] : [],
  )
  if (starts.length < 2 || starts.length > MAX_PRINT_OUTS) return []
  const facts = starts.map((start, index) =>
    // Nothing shows to which print-out a total belongs.
    factsIn({ ...printOut, rows: printOut.rows.slice(start, starts[index + 1]), totals: [] }),
  )
  return facts.every((factsOfPrintOut) => factsOfPrintOut && isFaultless(factsOfPrintOut))
    ? /** @type {Facts[]} */ (facts)
    : []
}

/** Whether a print-out shows every part of a model, and every row is right. @param {Facts} facts */
function hasRightRows({ alignment }) {
  const faults = [...rowsWith(alignment, "wrong"), ...rowsWith(alignment, "unknown")]
  return !alignment.missing.length && !faults.length
}

/** Whether a print-out shows every part of a model correctly, and only once. @param {Facts} facts */
const isFaultless = (facts) => hasRightRows(facts) && facts.sum === facts.total

/** The account of a text with several print-outs; null for any other text.
 * @param {PrintOut} printOut @returns {Account | null} */
export function accountOfPrintOuts(printOut) {
  const factsOfModels = factsOfPrintedModels(printOut)
  const allFacts = factsOfModels.length ? factsOfModels : factsOfPrintOuts(printOut)
  return allFacts.length ? accountOfEach(allFacts) : null
}

/** The account of a text with print-outs below headings; null if any of them shows no model that is counted here.
 * @param {PrintOut[]} printOuts @returns {Account | null} */
export function accountOfHeadedPrintOuts(printOuts) {
  const allFacts = printOuts.flatMap((printOut) => factsIn(printOut) ?? [])
  return allFacts.length > 1 && allFacts.length === printOuts.length ? accountOfEach(allFacts) : null
}

/** The account of several print-outs, each explained on its own.
 * @param {Facts[]} allFacts @returns {Account} */
function accountOfEach(allFacts) {
  const [first, ...others] = allFacts
  const headlines = allFacts.map((facts, index) => words` Print-out ${index + 1}: ${headlineOf(facts)}`)
  return accountWith({
    kind: "rows",
    headline: words`Your text has ${allFacts.length} print-outs.${headlines.flat()}`,
    findings: [
      ...(allFacts.every(hasRightRows) ? others.map((facts, index) => differenceFrom(first, facts, index + 2)) : []),
      ...allFacts.flatMap((facts, index) => (isFaultless(facts) ? [] : findingsOfPrintOut(facts, index))),
    ],
    lines: allFacts.flatMap(linesOf),
  })
}

/** A finding on the difference between two print-outs.
 * @param {Facts} first @param {Facts} other @param {number} number  of the other print-out, from 1 */
function differenceFrom(first, other, number) {
  const amount = other.total - first.total
  const parts = differenceByParts(other.recognised, first.recognised, amount)
  const difference = amount ? words`${Math.abs(amount)} ${amount > 0 ? "more" : "fewer"} than` : words`as many as`
  return finding(
    60,
    words`Print-out ${number} has ${other.total} parameters, ${difference} the first${parts.length ? words`: ${parts}` : []}.`,
  )
}

/** The findings on a print-out, each with its number. @param {Facts} facts @param {number} index */
const findingsOfPrintOut = (facts, index) =>
  findingsOf(facts).map(({ words: sentence, ...fields }) => ({
    ...fields,
    words: words`Print-out ${index + 1}: ${sentence}`,
  }))
