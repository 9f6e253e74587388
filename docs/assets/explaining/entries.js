// Entries: numbers that are looked up as they stand, totals among them. The build finds
// and counts them: macros/counting/search/known_numbers.py and entries.py.

import exported from "../../data/known-numbers.js"
import table from "../../data/table.js"
import { lazily } from "../counting/engine.js"
import { within } from "./known-numbers.js"
import { EMPTY } from "./ways.js"

const { limits } = table.explanations
const { kinds, classes: names, terms } = exported.entries

/** @typedef {{ models?: number[], classes?: number[], terms?: [times: number, place: number][] }} Row */

const entries = lazily(() =>
  Object.entries(kinds).flatMap(([kind, { fields, rows }]) =>
    rows.map((row) => {
      /** @type {Row} */
      const each = Object.fromEntries(fields.map((field, place) => [field, row[place]]))
      const { models = [], classes = [], terms: listed = [] } = each
      return /** @type {Meaning} */ ({
        ...EMPTY,
        ...each,
        kind,
        models: models.map((place) => table.models[place].name),
        classes: classes.map((place) => names[place]),
        terms: listed.map(([times, place]) => {
          const [words, page, number] = terms[place]
          return { times, words, page, number }
        }),
      })
    }),
  ),
)

/** Those of some kinds, from one number to another. @param {ExplanationKind[]} which @param {number} low @param {number} high */
export const entriesWithin = (which, low, high) =>
  entries().filter(({ kind, number }) => number >= low && number <= high && which.includes(kind))

/** All totals from one number to another, what is in print, and formulas that are taken for the whole, which are of no class.
 * @param {number} low @param {number} high @returns {Meaning[]} */
const totalsWithin = (low, high) => [
  ...within(low, high).map((each) => ({ ...EMPTY, ...each })),
  ...entriesWithin(["total"], low, high),
]

/** Whether people round a total: a right one, or one with a deviation that many make.
 * @param {Pick<Meaning, "mistakes" | "classes" | "cost">} each */
const isRounded = ({ mistakes, classes, cost }) =>
  !mistakes.length || (classes.length > 0 && mistakes.length === 1 && cost <= limits.rounded)

/** Those that people round, and what is in print. @param {number} low @param {number} high @returns {Meaning[]} */
export const roundTotals = (low, high) => [
  ...within(low, high)
    .filter(isRounded)
    .map((each) => ({ ...EMPTY, ...each })),
  ...entriesWithin(["total"], low, high).filter((each) => isRounded(each) || each.printed_in.length > 0),
]

const LEAST_DIGITS = 100 // of a rounded number that may be a difference: fewer figures fit too many

/** @type {Kind} */
export const kind = ({ low, high, exact, amount, digits }) => {
  // Nobody has a negative number, or none.
  if (amount !== "count" || high <= 0) return []
  /** @type {ExplanationKind[]} */
  const rough = digits >= LEAST_DIGITS ? ["other", "difference"] : ["other"]
  if (!exact) return [...roundTotals(low, high), ...entriesWithin(rough, low, high)]
  return [...totalsWithin(low, high), ...entriesWithin(["other", "setting", "tensors", "difference"], low, high)]
}
