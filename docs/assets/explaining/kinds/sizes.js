// Sizes: a total of a model that has another number of layers, positions,
// tokens, segments, labels or inner units. A total is linear in each of these,
// so each is solved for, and a value that somebody might choose is accepted.

import exported from "../../../data/known-numbers.js"
import table from "../../../data/table.js"
import { Counter, classes, deviations, models } from "../../counting/engine.js"
import { linesBySize } from "../known-numbers.js"
import { EMPTY } from "../ways.js"

const { costs, limits } = table.explanations

/** What speaks against a size in place of the model's; Infinity where nobody would choose it.
 * @param {string} letter @param {number} value @param {Sizes} sizes */
function against(letter, value, sizes) {
  const [of, own, others] = exported.sizes[letter]
  const rules = [...(own[sizes[of]] ?? []), ...others]
  const [, , , cost] = rules.find(([least, most, step]) => value >= least && value <= most && value % step === 0) ?? []
  return cost ?? Infinity
}

/** @param {number} number @returns {Meaning[]} */
const ofSizes = (number) =>
  Object.entries(linesBySize()).flatMap(([letter, lines]) =>
    lines.flatMap(({ total, slope }) => {
      const more = (number - total.number) / slope
      return more && Number.isInteger(more) ? solved(number, total, letter, more) : []
    }),
  )

/** @param {number} number @param {TotalFound} total @param {string} letter @param {number} more @returns {Meaning[]} */
function solved(number, total, letter, more) {
  const { sizes } = models.get(total.models[0])
  const value = sizes[letter] + more
  const ofLabels = letter === "C"
  const besides = total.mistakes.length ? costs.ways[ofLabels ? "labels-and-more" : "size-and-more"] : 0
  const cost = total.cost + against(letter, value, sizes) + besides
  if (cost > limits.possible) return []
  const open = total.classes.filter((each) => !ofLabels || classes.get(each).labels === null)
  const found = { ...total, classes: open, number, cost, sizes: { [letter]: value }, labels: ofLabels ? value : 0 }
  /** @type {Meaning} */
  const each = { ...EMPTY, ...found, kind: ofLabels ? "labels" : "size" }
  return holds(each) ? [each] : []
}

/** Whether the number is that of the other sizes, with which a share such as one layer's may not be whole; and whether
 * each mistake changes it there: where there is one layer, that one is all. @param {Meaning} each */
function holds({ models: [model], classes: [modelClass], mistakes, sizes, number }) {
  const counter = new Counter(modelClass, { ...models.get(model).sizes, ...sizes })
  /** @param {string[]} made */
  const gives = (made) => counter.number(made.map((name) => deviations.get(name))) === number
  return gives(mistakes) && !mistakes.some((one) => gives(mistakes.filter((each) => each !== one)))
}

/** @type {Kind} */
export const kind = ({ low, exact, amount }) => (exact && amount === "count" && low > 0 ? ofSizes(low) : [])
