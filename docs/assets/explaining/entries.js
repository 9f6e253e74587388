// Looks up entries: numbers that the build lists one by one, each with its explanation
// (see macros/counting/search/entries.py). The known totals, which are packed more
// tightly, are looked up together with them.

import exported from "../../data/known-numbers.js"
import table from "../../data/table.js"
import { lazily } from "../counting/engine.js"
import { knownTotalsWithin } from "./known-numbers.js"
import { BLANK_MEANING } from "./ways.js"

const { limits } = table.explanations
const { kinds, classes: classNames, terms } = exported.entries

/** An entry as exported, with models, classes and terms given by their indices.
 * @typedef {{ models?: number[], classes?: number[], terms?: [times: number, index: number][] }} ExportedEntry */

/** The smallest mantissa of a rounded number for which differences are tried. A number with fewer than three figures
 * fits too many of them. */
const MIN_MANTISSA_FOR_DIFFERENCES = 100

/** All entries, as meanings. */
const entries = lazily(() =>
  Object.entries(kinds).flatMap(([kind, { fields, rows }]) =>
    rows.map((row) => {
      /** @type {ExportedEntry} */
      const entry = Object.fromEntries(fields.map((field, index) => [field, row[index]]))
      const { models = [], classes = [], terms: exportedTerms = [] } = entry
      return /** @type {Meaning} */ ({
        ...BLANK_MEANING,
        ...entry,
        kind,
        models: models.map((index) => table.models[index].name),
        classes: classes.map((index) => classNames[index]),
        terms: exportedTerms.map(([times, index]) => {
          const [words, page, number] = terms[index]
          return { times, words, page, number }
        }),
      })
    }),
  ),
)

/** The entries of some kinds with numbers from `low` to `high`.
 * @param {ExplanationKind[]} kindsToFind @param {number} low @param {number} high */
export const entriesWithin = (kindsToFind, low, high) =>
  entries().filter(({ kind, number }) => number >= low && number <= high && kindsToFind.includes(kind))

/** A known total as a meaning. @param {ReturnType<typeof knownTotalsWithin>[0]} way @returns {Meaning} */
const asMeaning = (way) => ({ ...BLANK_MEANING, ...way })

/** All totals from `low` to `high`: the known ones, those in print, and the results of formulas for a whole model.
 * @param {number} low @param {number} high @returns {Meaning[]} */
const totalsWithin = (low, high) => [
  ...knownTotalsWithin(low, high).map(asMeaning),
  ...entriesWithin(["total"], low, high),
]

/** Whether people are likely to round a total: it must be right, or the total of a class with a single common mistake.
 * @param {Pick<Meaning, "mistakes" | "classes" | "cost">} total */
const isLikelyRounded = ({ mistakes, classes, cost }) =>
  !mistakes.length || (classes.length > 0 && mistakes.length === 1 && cost <= limits.max_cost_rounded)

/** The totals from `low` to `high` that people round or that are in print.
 * @param {number} low @param {number} high @returns {Meaning[]} */
export const likelyRoundedTotals = (low, high) => [
  ...knownTotalsWithin(low, high).filter(isLikelyRounded).map(asMeaning),
  ...entriesWithin(["total"], low, high).filter((entry) => isLikelyRounded(entry) || entry.printed_in.length > 0),
]

/** The known totals and the entries that a count may be. @type {FindMeanings} */
export const findMeanings = ({ low, high, exact, amount, mantissa }) => {
  if (amount !== "count" || high <= 0) return []
  /** @type {ExplanationKind[]} */
  const kindsIfRounded = mantissa >= MIN_MANTISSA_FOR_DIFFERENCES ? ["other", "difference"] : ["other"]
  if (!exact) return [...likelyRoundedTotals(low, high), ...entriesWithin(kindsIfRounded, low, high)]
  return [...totalsWithin(low, high), ...entriesWithin(["other", "setting", "tensors", "difference"], low, high)]
}
