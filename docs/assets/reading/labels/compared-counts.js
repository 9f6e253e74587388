// Checks a percentage by which one of two counts before it is smaller or larger than the other, as in
// "student: 66,955,010, teacher: 109,483,778. Is it 40% smaller?"

import { LESS, MORE, roundsTo, verdictOnShare } from "./stated-comparisons.js"

const MIN_COUNT = 1_000_000 // a smaller number may count something other than the parameters of a model

/** A percentage, the sentence on whether it compares the two counts before it, and whether it does.
 * @typedef {{ quantity: Quantity, sentence: Words, isRight: boolean }} ComparedCounts */

/** The percentages in a text that compare the only two counts before them.
 * @param {Pick<LabelledText, "numbers" | "text">} labelledText @returns {ComparedCounts[]} */
export const comparedCounts = ({ numbers, text }) =>
  numbers.flatMap((quantity, index) => {
    if (quantity.role !== "share") return []
    const counts = numbers
      .slice(0, index)
      .flatMap(({ role, number }) => (role === "count" && number.exact && number.low >= MIN_COUNT ? [number.low] : []))
    const [smaller, larger] = [...counts].sort((one, other) => one - other)
    const line = lineAround(text, quantity)
    const isLess = LESS.test(line)
    if (counts.length !== 2 || smaller === larger || !(isLess || MORE.test(line))) return []
    const share = (larger - smaller) / (isLess ? larger : smaller)
    const digits = quantity.typed.replace(/[^0-9.,]/g, "").replace(",", ".")
    const [subject, ending] = isLess ? ["The smaller one has", "fewer"] : ["The larger one has", "more"]
    return [
      {
        quantity,
        sentence: verdictOnShare(quantity.typed, digits, share, subject, ending),
        isRight: roundsTo(100 * share, digits),
      },
    ]
  })

/** The line of a text that has a quantity. @param {string} text @param {Quantity} quantity */
const lineAround = (text, { start, end }) =>
  text.slice(text.lastIndexOf("\n", start) + 1, end) + text.slice(end).split("\n", 1)[0]
