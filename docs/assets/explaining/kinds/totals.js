// Totals: what a model has in one of its classes, rightly or with deviations;
// what is in print; and short formulas that are taken for the whole.

import table from "../../../data/table.js"
import { added, count, deviations, lazily, models } from "../../counting/engine.js"
import { within } from "../known-numbers.js"
import { berts, costOf, EMPTY } from "../ways.js"

const { costs, limits } = table.explanations

const printed = lazily(() =>
  table.explanations.known.map((each) => {
    const { sizes } = models.get(each.model)
    const number = count({ modelClass: each.class, sizes, deviations: each.deviations }) ?? NaN
    return {
      ...EMPTY,
      number,
      cost: costs.ways.known,
      models: [each.model],
      classes: [each.class],
      mistakes: each.deviations,
      printed_in: each.printed_in,
    }
  }),
)

/** Formulas that are taken for the whole.
 * @param {number} number @returns {Iterable<Meaning>} */
function* insteadOf(number) {
  for (const { name, sizes } of berts) {
    for (const each of deviations.values()) {
      if (each.instead && number === added(each, sizes)) {
        const found = { models: [name], classes: [], mistakes: [each.name] }
        yield { ...EMPTY, ...found, number, cost: costOf(found) }
      }
    }
  }
}

/** All totals from one number to another, and what is in print. @param {number} low @param {number} high @returns {Meaning[]} */
const totalsWithin = (low, high) => [
  ...within(low, high).map((each) => ({ ...EMPTY, ...each })),
  ...printed().filter(({ number }) => number >= low && number <= high),
]

/** Those that people round: right ones, what is in print, and some with one deviation. @param {number} low @param {number} high */
export const roundTotals = (low, high) =>
  totalsWithin(low, high).filter(
    ({ mistakes, printed_in: prints, cost }) =>
      !mistakes.length || prints.length || (mistakes.length === 1 && cost <= limits.rounded),
  )

/** @type {Kind} */
export const kind = ({ low, high, amount, width }) => {
  // Nobody has a negative total, or none.
  if (amount !== "count" || high <= 0) return []
  return width ? roundTotals(low, high) : [...totalsWithin(low, low), ...insteadOf(low)]
}
