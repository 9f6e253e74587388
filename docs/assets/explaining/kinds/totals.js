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

/** The right totals from one number to another, what is in print, and totals with one deviation that people round.
 * @param {number} low @param {number} high */
export const roundTotals = (low, high) =>
  [...within(low, high).map((each) => ({ ...EMPTY, ...each })), ...printed()].filter(
    ({ number, mistakes, printed_in: prints, cost }) =>
      number >= low &&
      number <= high &&
      (!mistakes.length || prints.length || (mistakes.length === 1 && cost <= limits.rounded)),
  )

/** @type {Kind} */
export const kind = ({ low, high, amount, width }) => {
  // Nobody has a negative total, or none.
  if (amount !== "count" || high <= 0) return []
  if (width) return roundTotals(low, high)
  const exact = [...within(low, low).map((each) => ({ ...EMPTY, ...each })), ...printed()]
  return [...exact.filter((each) => each.number === low), ...insteadOf(low)]
}
