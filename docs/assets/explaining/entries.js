// Looks up entries: numbers that the build has listed as they are. The build finds and
// counts them, in macros/counting/search/entries.py; the totals among the known
// numbers are added here.

import exported from "../../data/known-numbers.js"
import table from "../../data/table.js"
import { lazily } from "../counting/engine.js"
import { knownTotalsWithin } from "./known-numbers.js"
import { BLANK_MEANING } from "./ways.js"

const { limits } = table.explanations
const { kinds, classes: names, terms } = exported.entries

/** An entry as it is exported: models, classes and terms as indexes.
 * @typedef {{ models?: number[], classes?: number[], terms?: [times: number, place: number][] }} Row */

/** Every entry as a meaning. */
const entries = lazily(() =>
  Object.entries(kinds).flatMap(([kind, { fields, rows }]) =>
    rows.map((row) => {
      /** @type {Row} */
      const entry = Object.fromEntries(fields.map((field, place) => [field, row[place]]))
      const { models = [], classes = [], terms: places = [] } = entry
      return /** @type {Meaning} */ ({
        ...BLANK_MEANING,
        ...entry,
        kind,
        models: models.map((place) => table.models[place].name),
        classes: classes.map((place) => names[place]),
        terms: places.map(([times, place]) => {
          const [words, page, number] = terms[place]
          return { times, words, page, number }
        }),
      })
    }),
  ),
)

/** The entries of some kinds, from one number to another.
 * @param {ExplanationKind[]} kindsToFind @param {number} low @param {number} high */
export const entriesWithin = (kindsToFind, low, high) =>
  entries().filter(({ kind, number }) => number >= low && number <= high && kindsToFind.includes(kind))

/** All totals from one number to another: those of the known numbers, those in print, and formulas that
 * stand for a whole model.
 * @param {number} low @param {number} high @returns {Meaning[]} */
const totalsWithin = (low, high) => [
  ...knownTotalsWithin(low, high).map((way) => ({ ...BLANK_MEANING, ...way })),
  ...entriesWithin(["total"], low, high),
]

/** Whether people are likely to round a total: a right one, or one with a single common mistake.
 * @param {Pick<Meaning, "mistakes" | "classes" | "cost">} total */
const isRounded = ({ mistakes, classes, cost }) =>
  !mistakes.length || (classes.length > 0 && mistakes.length === 1 && cost <= limits.max_cost_rounded)

/** The totals that people round, and those in print, from one number to another.
 * @param {number} low @param {number} high @returns {Meaning[]} */
export const roundTotals = (low, high) => [
  ...knownTotalsWithin(low, high)
    .filter(isRounded)
    .map((way) => ({ ...BLANK_MEANING, ...way })),
  ...entriesWithin(["total"], low, high).filter((entry) => isRounded(entry) || entry.printed_in.length > 0),
]

const SMALLEST_OF_THREE_FIGURES = 100 // a rounded number of less than three figures fits too many differences

/** @type {Kind} */
export const kind = ({ low, high, exact, amount, mantissa }) => {
  // Nobody gets zero or a negative number.
  if (amount !== "count" || high <= 0) return []
  /** @type {ExplanationKind[]} */
  const roundKinds = mantissa >= SMALLEST_OF_THREE_FIGURES ? ["other", "difference"] : ["other"]
  if (!exact) return [...roundTotals(low, high), ...entriesWithin(roundKinds, low, high)]
  return [...totalsWithin(low, high), ...entriesWithin(["other", "setting", "tensors", "difference"], low, high)]
}
