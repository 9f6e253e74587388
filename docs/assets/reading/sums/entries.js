// The entries of a sum done by hand. An entry is a number, with its formula or with the entries
// that it adds up. It has both the result of the formula and the number that the text states, so
// that slips of arithmetic can be distinguished from wrong formulas. tree.js builds the entries;
// the functions here evaluate them.

import { sumBy } from "../../counting/engine.js"
import { letterOf } from "./names.js"

/** @typedef {import("./expressions.js").Expression} Expression */
/** @typedef {import("./statements.js").Statement} Statement */

/** A number of a sum. `formula` is null if the text gives only the number, and `children` are then the entries that it
 * adds up. `exact` is the result without any slips, and `carried` the result with the numbers that the text states for
 * the other entries. `slip` is the stated number less the closer of these two; `absorbsSlips` is true if `exact` is
 * the closer one. `isOutlined` is true if its children are the lines below a heading or a subtotal (outline.js),
 * `isCopy` if it repeats the result of its only child with a typing error, `isRounded` if it states its result
 * rounded, `isOneLayer` if it counts one layer, and `isUsed` if another entry adds it. `things` is the number of
 * things to each of which the number applies, 1 unless the label gives one.
 * @typedef {{
 * statement: Statement, label: string, formula: LinkedExpression | null, children: Addend[],
 * stated: { value: number, tolerance: number } | null, exact: number, carried: number, slip: number, isCopy: boolean,
 * isRounded: boolean, isOutlined: boolean, absorbsSlips: boolean, isOneLayer: boolean, isUsed: boolean, things: number,
 * }} Entry */

/** An entry that another one adds, and how often. @typedef {{ entry: Entry, times: number }} Addend */

/** An expression whose numbers and names may refer to entries.
 * @typedef {Omit<Expression, "parts"> & { parts: LinkedExpression[], entry: Entry | null }} LinkedExpression */

/** The sizes that an expression may refer to, by letter and by the names that the text defines.
 * @typedef {{ sizes: Sizes, names: Record<string, number> }} Values */

/** The value of a name; NaN if it is not known. @param {string} name @param {Values} values */
function valueOfName(name, { sizes, names }) {
  if (Object.hasOwn(names, name)) return names[name]
  const letter = letterOf(name)
  if (letter === "H/A") return sizes.H / sizes.A
  return letter && Object.hasOwn(sizes, letter) ? sizes[letter] : NaN
}

/** The result of an expression, with the value of each leaf from `numberOf`.
 * @param {LinkedExpression} expression @param {(leaf: LinkedExpression) => number} numberOf @returns {number} */
export function evaluate(expression, numberOf) {
  if (expression.entry || !expression.parts.length) return numberOf(expression)
  const values = expression.parts.map((part) => evaluate(part, numberOf))
  if (expression.kind === "power") return values[0] ** expression.value
  if (expression.kind === "sum") return values.reduce((sum, value, index) => sum + expression.signs[index] * value, 0)
  return values.reduce((product, value, index) => (expression.signs[index] > 0 ? product * value : product / value), 1)
}

/** The number that an entry contributes to a sum: the stated one if there is one. @param {Entry} entry */
export const contributionOf = (entry) => entry.stated?.value ?? entry.carried

/** The result of an expression, with the number of each of its entries from `numberOf`.
 * @param {LinkedExpression} expression @param {Values} values @param {(entry: Entry) => number} numberOf */
const resultWith = (expression, values, numberOf) =>
  evaluate(expression, ({ entry, kind, name, value }) => {
    if (entry) return numberOf(entry)
    return kind === "name" ? valueOfName(name, values) : value
  })

/** The result of an expression, with the exact results of its entries.
 * @param {LinkedExpression} expression @param {Values} values */
export const exactResult = (expression, values) => resultWith(expression, values, ({ exact }) => exact)

/** The result of an expression, with the numbers that its entries contribute.
 * @param {LinkedExpression} expression @param {Values} values */
export const carriedResult = (expression, values) => resultWith(expression, values, contributionOf)

/** The sum of entries, with the numbers that they contribute. @param {Addend[]} addends */
export const sumOf = (addends) => sumBy(addends, ({ entry, times }) => times * contributionOf(entry))

/** The sum of entries, with their exact results. @param {Addend[]} addends */
export const exactSumOf = (addends) => sumBy(addends, ({ entry, times }) => times * entry.exact)

/** An expression that refers to no entries yet. @param {Expression} expression @returns {LinkedExpression} */
export const withoutEntries = (expression) => ({
  ...expression,
  parts: expression.parts.map(withoutEntries),
  entry: null,
})

/** Whether an expression refers to an entry. @param {LinkedExpression} expression @returns {boolean} */
export const hasEntries = (expression) => expression.entry !== null || expression.parts.some(hasEntries)

/** Whether an entry adds up or multiplies other entries. @param {Entry} entry */
export const isSubtotal = ({ children, formula }) => children.length > 0 || (formula !== null && hasEntries(formula))

/** The entries that an expression refers to. @param {LinkedExpression} expression @returns {Entry[]} */
const entriesOfExpression = ({ entry, parts }) => [...(entry ? [entry] : []), ...parts.flatMap(entriesOfExpression)]

/** The entries that an entry adds up or multiplies. @param {Entry} entry @returns {Entry[]} */
export const entriesIn = ({ formula, children }) => [
  ...(formula ? entriesOfExpression(formula) : []),
  ...children.map(({ entry }) => entry),
]

/** Marks the entries that an entry adds up or multiplies as used. @param {Entry} entry */
export function markUsed(entry) {
  for (const usedEntry of entriesIn(entry)) usedEntry.isUsed = true
}

/** Whether an expression has a rounded number. @param {LinkedExpression} expression @returns {boolean} */
const hasRounded = ({ entry, tolerance, parts }) =>
  entry ? isOfRounded(entry) || (entry.stated?.tolerance ?? 0) > 0 : tolerance > 0 || parts.some(hasRounded)

/** Whether an entry works out its result from rounded numbers. @param {Entry} entry @returns {boolean} */
export const isOfRounded = ({ formula, children }) =>
  formula ? hasRounded(formula) : children.some(({ entry }) => (entry.stated?.tolerance ?? 0) > 0 || isOfRounded(entry))
