// Settings: a size that a config states, such as 768, or the width of a head.

import table from "../../../data/table.js"
import { costOfModel, EMPTY, grouped } from "../ways.js"

const { settings } = table.explanations

/** What a model calls a value: the letters that have it, or whose quotient does. @param {Sizes} sizes @param {number} value */
const called = (sizes, value) =>
  settings.filter(({ letters: [one, other] }) => (other ? sizes[one] / sizes[other] : sizes[one]) === value)

/** @type {Kind} */
export function kind({ low, exact, amount }) {
  if (amount !== "count" || !exact || !low) return []
  const found = table.models.flatMap(({ name, sizes }) => {
    const names = called(sizes, low)
    const cost = costOfModel(name) + Math.min(...names.map((each) => each.cost))
    const words = names.map((each) => each.words).join(" and ")
    return names.length
      ? [{ ...EMPTY, kind: /** @type {const} */ ("setting"), number: low, cost, models: [name], words }]
      : []
  })
  // Models that call it the same stand together, the likeliest first.
  return grouped(found, (each) => each.words).map((group) => {
    const [first, ...more] = group.sort((one, other) => one.cost - other.cost)
    return { ...first, models: [first, ...more].flatMap(({ models }) => models) }
  })
}
