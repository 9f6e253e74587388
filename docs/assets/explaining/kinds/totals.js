// Totals: what a model has in one of its classes, rightly or with up to three
// deviations; what is in print; and short formulas that are taken for the whole.

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
 * @param {number} number @returns {Iterable<Explanation>} */
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

/** The totals from one number to another.
 * @param {number} low @param {number} high @param {string} model @param {number} [mistakes]  how many deviations there may be */
export function totalsWithin(low, high, model, mistakes = limits.most_mistakes) {
  const found = within(low, high)
    .filter((each) => (!model || each.models.includes(model)) && each.mistakes.length <= mistakes)
    .map((each) => ({ ...EMPTY, ...each }))
  return [...found, ...printed().filter(({ number }) => number >= low && number <= high)]
}

/** @type {Kind} */
export const kind = ({ low, high, exact, amount }, model) => {
  // Nobody has a negative total, or none.
  if (amount !== "count" || high <= 0) return []
  return exact
    ? [...totalsWithin(low, high, model), ...insteadOf(low)]
    : totalsWithin(low, high, model, 1).filter((each) => each.cost <= limits.simple)
}
