// Totals: what a model has in one of its classes, rightly or with up to three
// deviations; what is in print; and short formulas that are taken for the whole.

import table from "../../../data/table.js"
import { added, classesOf, count, deviations, models } from "../../counting/engine.js"
import { search } from "../spaces.js"
import { berts, costOf, EMPTY, lazily, stepwise } from "../ways.js"

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
function within(low, high, model, mistakes) {
  const found = search(low, high, model, mistakes).map((each) => ({ ...EMPTY, ...each }))
  return [...found, ...printed().filter(({ number }) => number >= low && number <= high)]
}

/** @type {Kind} */
export const kind = ({ low, high, exact, amount }, model) => {
  // Nobody has a negative total, or none.
  if (amount !== "count" || high <= 0) return []
  return exact
    ? [...within(low, high, model), ...insteadOf(low)]
    : within(low, high, model, 1).filter((each) => each.cost <= limits.simple)
}

// The right totals alone, which are there at once.
/** @type {Explanation[]} */
const rights = []
function* steps() {
  for (const { name, architecture, sizes } of table.models) {
    for (const { name: modelClass } of classesOf(architecture)) {
      const found = { models: [name], classes: [modelClass] }
      rights.push({ ...EMPTY, ...found, number: count({ modelClass, sizes }) ?? NaN, cost: costOf(found) })
    }
    yield
  }
}
const right = stepwise(steps, () => rights, "sure")

// Asked of exact counts only.
/** @type {Kind} */
export const sure = ({ low }) => [...right(), ...printed()].filter(({ number }) => number === low)

export { within as totalsWithin }
