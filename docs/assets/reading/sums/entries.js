// The entries of a sum done by hand: its numbers, each with the formula or the other
// entries that it adds up. An entry has both the number that its formula gives and the
// number that it states, so a slip of arithmetic can be distinguished from a wrong
// formula. tree.js builds the entries; the functions here work them out.

import { letterOf } from "./names.js"

/** @typedef {import("./expressions.js").Expression} Expression */
/** @typedef {import("./statements.js").Statement} Statement */

/** A number of a sum. `formula` is null if the text gives only the number; `children` are then the entries that it adds
 * up. `exact` is the result of the formula, `carried` its result with the numbers that its entries state.
 * @typedef {{
 *   statement: Statement, label: string, formula: LinkedExpression | null, children: { entry: Entry, times: number }[],
 *   stated: { value: number, tolerance: number } | null, exact: number, carried: number, slip: number, isCopy: boolean,
 *   isRounded: boolean, absorbsSlips: boolean, isOneLayer: boolean, isUsed: boolean,
 * }} Entry */

/** An expression in which numbers and names may stand for entries.
 * @typedef {Omit<Expression, "parts"> & { parts: LinkedExpression[], entry: Entry | null }} LinkedExpression */

/** The values that an expression may refer to: the sizes, by letter and by name.
 * @typedef {{ sizes: Sizes, names: Record<string, number> }} Values */

/** The number that a name stands for; NaN if that is not known. @param {string} name @param {Values} values */
export function valueOfName(name, { sizes, names }) {
  if (Object.hasOwn(names, name)) return names[name]
  const letter = letterOf(name)
  if (letter === "H/A") return sizes.H / sizes.A
  return letter && Object.hasOwn(sizes, letter) ? sizes[letter] : NaN
}

/** The result of an expression whose leaves have the numbers that `numberOf` gives.
 * @param {LinkedExpression} one @param {(leaf: LinkedExpression) => number} numberOf @returns {number} */
export function evaluate(one, numberOf) {
  if (one.entry || !one.parts.length) return numberOf(one)
  const values = one.parts.map((part) => evaluate(part, numberOf))
  if (one.kind === "power") return values[0] ** one.value
  if (one.kind === "sum") return values.reduce((sum, value, index) => sum + one.signs[index] * value, 0)
  return values.reduce((product, value, index) => (one.signs[index] > 0 ? product * value : product / value), 1)
}

/** The number that an entry passes on to the one that adds it. @param {Entry} entry */
export const contributionOf = (entry) => entry.stated?.value ?? entry.carried

/** An expression that refers to no entries yet. @param {Expression} one @returns {LinkedExpression} */
export const withoutEntries = (one) => ({ ...one, parts: one.parts.map(withoutEntries), entry: null })

/** Whether an expression holds an entry. @param {LinkedExpression} one @returns {boolean} */
export const hasEntries = (one) => one.entry !== null || one.parts.some(hasEntries)

/** Marks the entries of an expression as added. @param {LinkedExpression} one */
export function markUsed(one) {
  if (one.entry) one.entry.isUsed = true
  one.parts.forEach(markUsed)
}
