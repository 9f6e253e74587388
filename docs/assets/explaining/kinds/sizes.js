// Explains totals of a model with a different number of layers, positions, tokens,
// segments, labels or inner units. A total is linear in each of these sizes, so it can be
// solved for each. A solution is accepted if it is a value that people might choose.

import exported from "../../../data/known-numbers.js"
import table from "../../../data/table.js"
import { Counter, classes, deviations, models } from "../../counting/engine.js"
import { linesBySize } from "../known-numbers.js"
import { BLANK_MEANING } from "../ways.js"

const { costs, limits } = table.explanations

/** The cost of a value that replaces one of the model's sizes; Infinity if nobody would choose it. The first matching
 * rule applies. The rules come from macros/counting/search/other_sizes.py.
 * @param {string} letter @param {number} value @param {Sizes} sizes */
function costOfSize(letter, value, sizes) {
  const [baseLetter, rulesByBase, rulesForAll] = exported.sizes[letter]
  const rules = [...(rulesByBase[sizes[baseLetter]] ?? []), ...rulesForAll]
  const [, , , cost] =
    rules.find(([smallest, largest, step]) => value >= smallest && value <= largest && value % step === 0) ?? []
  return cost ?? Infinity
}

/** The totals with a replaced size that equal a number, without those that are too unlikely.
 * @param {number} number @returns {Meaning[]} */
const meaningsOfSizes = (number) =>
  Object.entries(linesBySize()).flatMap(([letter, lines]) =>
    lines.flatMap(({ total, slope }) => {
      const addedUnits = (number - total.number) / slope
      return addedUnits && Number.isInteger(addedUnits) ? meaningsWith(number, total, letter, addedUnits) : []
    }),
  )

/** The total with `addedUnits` added to one size, as a meaning; empty if that is too unlikely, or if `isConfirmed`
 * returns false.
 * @param {number} number @param {KnownTotal} total @param {string} letter @param {number} addedUnits
 * @returns {Meaning[]} */
function meaningsWith(number, total, letter, addedUnits) {
  const { sizes } = models.get(total.models[0])
  const value = sizes[letter] + addedUnits
  const isOfLabels = letter === "C"
  const costOfMistakes = total.mistakes.length ? costs.ways["size-and-more"] : 0
  const costOfInvention = total.mistakes.length && isInvented(letter, value, sizes) ? COST_OF_INVENTION : 0
  const cost = total.cost + costOfSize(letter, value, sizes) + costOfMistakes + costOfInvention
  if (cost > limits.max_cost) return []
  const possibleClasses = total.classes.filter((name) => !isOfLabels || classes.get(name).labels === null)
  const fields = {
    ...total,
    classes: possibleClasses,
    number,
    cost,
    sizes: { [letter]: value },
    labels: isOfLabels ? value : 0,
  }
  /** @type {Meaning} */
  const meaning = {
    ...BLANK_MEANING,
    ...fields,
    kind: isOfLabels ? "labels" : "size",
    hasUnusualSize: isUnusual(letter, value, sizes),
  }
  return isConfirmed(meaning) ? [meaning] : []
}

const MAX_ADDED_TOKENS = 2 // the most tokens by which people extend a vocabulary on purpose
const STEP = 64 // people choose multiples of it for a vocabulary size or a number of positions

/** Whether a vocabulary size or a number of positions is one that no known model uses and that people hardly choose.
 * @param {string} letter @param {number} value @param {Sizes} sizes */
const isUnusual = (letter, value, sizes) =>
  (letter === "V" || letter === "P") &&
  value % STEP !== 0 &&
  Math.abs(value - sizes[letter]) > MAX_ADDED_TOKENS &&
  !isOfKnownModel(letter, value)

/** Whether this is the size of a published model. @param {string} letter @param {number} value */
const isOfKnownModel = (letter, value) => table.models.some((model) => model.sizes[letter] === value)

const COST_OF_INVENTION = 1 // the additional cost of an invented vocabulary together with a mistake: many numbers fit

/** Whether a vocabulary size is neither that of a known model nor the model's own with a few tokens added.
 * @param {string} letter @param {number} value @param {Sizes} sizes */
const isInvented = (letter, value, sizes) =>
  letter === "V" && Math.abs(value - sizes.V) > limits.max_tokens && !isOfKnownModel(letter, value)

/** Whether the number is really the total with the replaced size, and each mistake makes a difference to it. With a
 * different number of layers, a share of one layer may not be whole; and in a model with one layer, counting only one
 * is not a mistake.
 * @param {Meaning} meaning */
function isConfirmed({ models: [model], classes: [modelClass], mistakes, sizes, number }) {
  const counter = new Counter(modelClass, { ...models.get(model).sizes, ...sizes })
  /** Whether these mistakes lead to the number. @param {string[]} names */
  const isTotalWith = (names) => counter.number(names.map((name) => deviations.get(name))) === number
  return (
    isTotalWith(mistakes) && !mistakes.some((mistake) => isTotalWith(mistakes.filter((other) => other !== mistake)))
  )
}

/** The totals with other sizes that a count may be. @type {FindMeanings} */
export const findMeanings = ({ low, exact, amount }) =>
  exact && amount === "count" && low > 0 ? meaningsOfSizes(low) : []
