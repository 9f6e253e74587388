// Sizes: a total of a model that has another number of layers, positions,
// tokens, segments, labels or inner units. A total is linear in each of these,
// so each is solved for, and a value that somebody might choose is accepted.

import exported from "../../../data/known-numbers.js"
import table from "../../../data/table.js"
import { Counter, deviations, classes as everyClass, models as everyModel, resized } from "../../counting/engine.js"
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

const resizing = [...deviations.values()].filter((each) => each.letter)
/** Whether a deviation gives a letter this size, and is found as such.
 * @param {string} letter @param {number} value @param {Sizes} sizes */
const isKnown = (letter, value, sizes) =>
  resizing.some((each) => each.letter === letter && resized(sizes, [each])[letter] === value)

/** @param {number} number @returns {Iterable<Meaning>} */
function* ofSizes(number) {
  for (const [letter, ofLetter] of Object.entries(linesBySize())) {
    for (const { total, slope } of ofLetter) {
      const more = (number - total.number) / slope
      if (more && Number.isInteger(more)) yield* solved(number, total, letter, more)
    }
  }
}

/** @param {number} number @param {TotalFound} total @param {string} letter @param {number} more @returns {Iterable<Meaning>} */
function* solved(number, total, letter, more) {
  const { sizes } = everyModel.get(total.models[0])
  const value = sizes[letter] + more
  const besides = total.mistakes.length ? costs.ways[letter === "C" ? "labels-and-more" : "size-and-more"] : 0
  const cost = total.cost + against(letter, value, sizes) + besides
  if (cost > limits.possible || isKnown(letter, value, sizes)) return
  /** @type {Meaning} */
  const other = {
    ...EMPTY,
    ...total,
    classes: total.classes.filter((each) => letter !== "C" || everyClass.get(each).labels === null),
    number,
    cost,
    kind: letter === "C" ? "labels" : "size",
    sizes: { [letter]: value },
  }
  if (holds(other)) yield { ...other, labels: letter === "C" ? value : 0 }
}

/** Whether the number is that of the other sizes, with which a share such as one layer's may not be whole; and whether
 * each mistake changes it there: where there is one layer, that one is all. @param {Meaning} each */
function holds({ models, classes, mistakes, sizes: others, number }) {
  const { sizes } = everyModel.get(models[0])
  const counter = new Counter(classes[0], { ...sizes, ...others })
  /** @param {string[]} made */
  const gives = (made) => counter.number(made.map((name) => deviations.get(name))) === number
  return gives(mistakes) && !mistakes.some((one) => gives(mistakes.filter((each) => each !== one)))
}

/** @type {Kind} */
export const kind = ({ low, exact, amount }) => (exact && amount === "count" && low > 0 ? ofSizes(low) : [])
