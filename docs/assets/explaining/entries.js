// Entries: numbers that are looked up as they stand. The build finds and counts
// them: macros/counting/disagreements/entries.py.

import exported from "../../data/known-numbers.js"
import table from "../../data/table.js"
import { lazily } from "../counting/engine.js"
import { EMPTY } from "./ways.js"

const { kinds, classes: names, terms } = exported.entries

/** @typedef {Omit<Meaning, "models" | "classes" | "terms"> & { models: number[], classes: number[], terms: [number, number][] }} Row */

export const entries = lazily(() =>
  Object.entries(kinds).flatMap(([kind, { fields, rows }]) =>
    rows.map((row) => {
      const each = /** @type {Row} */ (Object.fromEntries(fields.map((field, place) => [field, row[place]])))
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

const LEAST_DIGITS = 100 // of a rounded number that may be a difference: fewer figures fit too many

/** @type {Kind} */
export const kind = ({ low, high, exact, amount, digits }) => {
  if (amount !== "count") return []
  if (exact) return entriesWithin(["other", "setting", "tensors", "difference"], low, high)
  return entriesWithin(digits >= LEAST_DIGITS ? ["other", "difference"] : ["other"], low, high)
}
