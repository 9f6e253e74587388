// The entries of a sum done by hand. An entry is a number, with its formula or with the entries
// that it adds up. It has both the result of the formula and the number that the text states, so
// that slips of arithmetic can be distinguished from wrong formulas. tree.js builds the entries;
// the functions here evaluate them.

import { letterOf } from "./names.js"

/** @typedef {import("./expressions.js").Expression} Expression */
/** @typedef {import("./statements.js").Statement} Statement */

/** A number of a sum. `formula` is null if the text gives only the number, and `children` are then the entries that it
 * adds up. `exact` is the result without any slips, and `carried` the result of the numbers that the text states for
 * other entries. `slip` is what the stated number adds to this result. An entry `absorbsSlips` if its stated number is
 * closer to `exact` than to `carried`.
 * @typedef {{
 *   statement: Statement, label: string, formula: LinkedExpression | null, children: { entry: Entry, times: number }[],
 *   stated: { value: number, tolerance: number } | null, exact: number, carried: number, slip: number, isCopy: boolean,
 *   isRounded: boolean, absorbsSlips: boolean, isOneLayer: boolean, isUsed: boolean,
 * }} Entry */

/** An expression whose numbers and names may refer to entries.
 * @typedef {Omit<Expression, "parts"> & { parts: LinkedExpression[], entry: Entry | null }} LinkedExpression */

/** The sizes that an expression may refer to, by letter and by the names that the text defines.
 * @typedef {{ sizes: Sizes, names: Record<string, number> }} Values */

/** The value of a name; NaN if it is not known. @param {string} name @param {Values} values */
export function valueOfName(name, { sizes, names }) {
  if (Object.hasOwn(names, name)) return names[name]
  const letter = letterOf(name)
  if (letter === "H/A") return sizes.H / sizes.A
  return letter && Object.hasOwn(sizes, letter) ? sizes[letter] : NaN
}

/** The result of an expression, with the value of each leaf from `numberOf`.
 * @param {LinkedExpression} one @param {(leaf: LinkedExpression) => number} numberOf @returns {number} */
export function evaluate(one, numberOf) {
  if (one.entry || !one.parts.length) return numberOf(one)
  const values = one.parts.map((part) => evaluate(part, numberOf))
  if (one.kind === "power") return values[0] ** one.value
  if (one.kind === "sum") return values.reduce((sum, value, index) => sum + one.signs[index] * value, 0)
  return values.reduce((product, value, index) => (one.signs[index] > 0 ? product * value : product / value), 1)
}

/** The number that an entry contributes to a sum: the stated one if there is one. @param {Entry} entry */
export const contributionOf = (entry) => entry.stated?.value ?? entry.carried

/** An expression that refers to no entries yet. @param {Expression} one @returns {LinkedExpression} */
export const withoutEntries = (one) => ({ ...one, parts: one.parts.map(withoutEntries), entry: null })

/** Whether an expression refers to an entry. @param {LinkedExpression} one @returns {boolean} */
export const hasEntries = (one) => one.entry !== null || one.parts.some(hasEntries)

/** Marks the entries of an expression as used. @param {LinkedExpression} one */
export function markUsed(one) {
  if (one.entry) one.entry.isUsed = true
  one.parts.forEach(markUsed)
}
