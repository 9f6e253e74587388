// Explains a total of a model with another number of layers, positions, tokens,
// segments, labels or inner units. A total is linear in each of these, so each is
// solved for, and the solution counts if it is a value that somebody might choose.

import exported from "../../../data/known-numbers.js"
import table from "../../../data/table.js"
import { Counter, classes, deviations, models } from "../../counting/engine.js"
import { linesBySize } from "../known-numbers.js"
import { BLANK_MEANING } from "../ways.js"

const { costs, limits } = table.explanations

/** The cost of a size in place of the model's; Infinity if nobody would choose it. The first rule that
 * fits decides; they are those of macros/counting/search/other_sizes.py.
 * @param {string} letter @param {number} value @param {Sizes} sizes */
function costOfSize(letter, value, sizes) {
  const [baseLetter, rulesByBase, rulesForAll] = exported.sizes[letter]
  const rules = [...(rulesByBase[sizes[baseLetter]] ?? []), ...rulesForAll]
  const [, , , cost] =
    rules.find(([smallest, largest, step]) => value >= smallest && value <= largest && value % step === 0) ?? []
  return cost ?? Infinity
}

/** Every total with another size that comes to a number. @param {number} number @returns {Meaning[]} */
const ofSizes = (number) =>
  Object.entries(linesBySize()).flatMap(([letter, lines]) =>
    lines.flatMap(({ total, slope }) => {
      const addedUnits = (number - total.number) / slope
      return addedUnits && Number.isInteger(addedUnits) ? solutions(number, total, letter, addedUnits) : []
    }),
  )

/** A total with more of one size, as a meaning; empty if that is too unlikely, or not true.
 * @param {number} number @param {TotalFound} total @param {string} letter @param {number} addedUnits
 * @returns {Meaning[]} */
function solutions(number, total, letter, addedUnits) {
  const { sizes } = models.get(total.models[0])
  const value = sizes[letter] + addedUnits
  const isOfLabels = letter === "C"
  const withMistakes = total.mistakes.length ? costs.ways[isOfLabels ? "labels-and-more" : "size-and-more"] : 0
  const cost = total.cost + costOfSize(letter, value, sizes) + withMistakes
  if (cost > limits.max_cost) return []
  const open = total.classes.filter((name) => !isOfLabels || classes.get(name).labels === null)
  const fields = { ...total, classes: open, number, cost, sizes: { [letter]: value }, labels: isOfLabels ? value : 0 }
  /** @type {Meaning} */
  const meaning = {
    ...BLANK_MEANING,
    ...fields,
    kind: isOfLabels ? "labels" : "size",
    hasUnusualSize: isUnusual(letter, value, sizes),
  }
  return holds(meaning) ? [meaning] : []
}

const FEW_TOKENS = 2 // a vocabulary that differs by so few tokens was extended on purpose, not solved for
const STEP = 64 // people choose multiples of it for a vocabulary or a number of positions

/** Whether a vocabulary or a number of positions is one that nobody is known to use.
 * @param {string} letter @param {number} value @param {Sizes} sizes */
const isUnusual = (letter, value, sizes) =>
  (letter === "V" || letter === "P") &&
  value % STEP !== 0 &&
  Math.abs(value - sizes[letter]) > FEW_TOKENS &&
  !table.models.some((model) => model.sizes[letter] === value)

/** Whether the number is really that of the other sizes, and each mistake makes a difference there. With
 * another number of layers, a share of one layer may not be whole; and with one layer, counting one layer
 * is no mistake.
 * @param {Meaning} meaning */
function holds({ models: [model], classes: [modelClass], mistakes, sizes, number }) {
  const counter = new Counter(modelClass, { ...models.get(model).sizes, ...sizes })
  /** Whether the model has the number with these mistakes. @param {string[]} names */
  const gives = (names) => counter.number(names.map((name) => deviations.get(name))) === number
  return gives(mistakes) && !mistakes.some((one) => gives(mistakes.filter((other) => other !== one)))
}

/** @type {Kind} */
export const kind = ({ low, exact, amount }) => (exact && amount === "count" && low > 0 ? ofSizes(low) : [])
