// Totals: what a model has in one of its classes, rightly or with deviations;
// what is in print; and short formulas that are taken for the whole.

import table from "../../../data/table.js"
import { entriesWithin } from "../entries.js"
import { within } from "../known-numbers.js"
import { EMPTY } from "../ways.js"

const { limits } = table.explanations

/** All totals from one number to another. @param {number} low @param {number} high @returns {Meaning[]} */
const totalsWithin = (low, high) => [
  ...within(low, high).map((each) => ({ ...EMPTY, ...each })),
  ...entriesWithin(["total"], low, high),
]

/** Those that people round: right ones, what is in print, and some with one deviation. @param {number} low @param {number} high */
export const roundTotals = (low, high) =>
  totalsWithin(low, high).filter(
    ({ mistakes, classes, printed_in: prints, cost }) =>
      !mistakes.length || prints.length || (classes.length && mistakes.length === 1 && cost <= limits.rounded),
  )

/** @type {Kind} */
export const kind = ({ low, high, amount, width }) => {
  // Nobody has a negative total, or none.
  if (amount !== "count" || high <= 0) return []
  return width ? roundTotals(low, high) : totalsWithin(low, low)
}
