// Entries: what one adds up to a number in a sum by hand, with its formula. An entry has the
// number that its formula gives and the number that it states, so a slip of arithmetic
// stays apart from a wrong formula.

import { letterOf } from "./names.js"

/** @typedef {import("./expressions.js").Expression} Expression */
/** @typedef {import("./statements.js").Statement} Statement */

/** What one adds up to a number. `formula` is null if only the number is there, and `children` are the entries that
 * it adds up then. `exact` is what the formula gives, `carried` the same with what its entries state.
 * @typedef {{
 *   statement: Statement, label: string, formula: Linked | null, children: { entry: Entry, times: number }[],
 *   stated: { value: number, width: number } | null, exact: number, carried: number, slip: number, isCopy: boolean,
 *   isRounded: boolean, absorbs: boolean, isOneLayer: boolean, isUsed: boolean,
 * }} Entry */

/** An expression in which numbers and names may stand for entries.
 * @typedef {Omit<Expression, "parts"> & { parts: Linked[], entry: Entry | null }} Linked */

/** What an expression is built with: the sizes, by letter and by name.
 * @typedef {{ sizes: Sizes, names: Record<string, number> }} Values */

/** The number that a name stands for; NaN if that is not known. @param {string} name @param {Values} values */
export function valueOfName(name, { sizes, names }) {
  if (Object.hasOwn(names, name)) return names[name]
  const letter = letterOf(name)
  if (letter === "H/A") return sizes.H / sizes.A
  return letter && Object.hasOwn(sizes, letter) ? sizes[letter] : NaN
}

/** What an expression gives, with a number for each leaf.
 * @param {Linked} one @param {(leaf: Linked) => number} numberOf @returns {number} */
export function worked(one, numberOf) {
  if (one.entry || !one.parts.length) return numberOf(one)
  const values = one.parts.map((part) => worked(part, numberOf))
  if (one.kind === "power") return values[0] ** one.value
  if (one.kind === "sum") return values.reduce((sum, value, place) => sum + one.signs[place] * value, 0)
  return values.reduce((product, value, place) => (one.signs[place] > 0 ? product * value : product / value), 1)
}

/** The number that an entry passes on to the one that adds it. @param {Entry} entry */
export const passedOn = (entry) => entry.stated?.value ?? entry.carried

/** @param {Expression} one @returns {Linked} */
export const unlinked = (one) => ({ ...one, parts: one.parts.map(unlinked), entry: null })

/** Whether an expression holds an entry. @param {Linked} one @returns {boolean} */
export const hasEntries = (one) => one.entry !== null || one.parts.some(hasEntries)

/** Marks the entries of an expression as added. @param {Linked} one */
export function use(one) {
  if (one.entry) one.entry.isUsed = true
  one.parts.forEach(use)
}
