// Checks a percentage by which one of two counts before it is smaller or larger than the other, as in
// "student: 66,955,010, teacher: 109,483,778. Is it 40% smaller?"

import { verdictOnDifference } from "./stated-comparisons.js"

const MIN_COUNT = 1_000_000 // a smaller number may count something other than the parameters of a model

/** A percentage that compares the two counts before it, and the verdict on it.
 * @typedef {import("./stated-comparisons.js").VerdictOnShare & { quantity: Quantity }} ComparedCounts */

/** The percentages in a text that compare the only two counts before them.
 * @param {LabelledText} labelledText @returns {ComparedCounts[]} */
export const comparedCounts = ({ numbers, text }) =>
  numbers.flatMap((quantity, index) => {
    if (quantity.role !== "share") return []
    const counts = numbers
      .slice(0, index)
      .flatMap(({ role, number }) => (role === "count" && number.exact && number.low >= MIN_COUNT ? [number.low] : []))
    if (counts.length !== 2 || counts[0] === counts[1]) return []
    const verdict = verdictOnDifference(
      quantity.typed,
      lineAround(text, quantity),
      Math.min(...counts),
      Math.max(...counts),
    )
    return verdict ? [{ quantity, ...verdict }] : []
  })

/** The line of a text that has a quantity. @param {string} text @param {Quantity} quantity */
const lineAround = (text, { start, end }) =>
  text.slice(text.lastIndexOf("\n", start) + 1, end) + text.slice(end).split("\n", 1)[0]
