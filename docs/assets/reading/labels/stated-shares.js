// Checks the shares of parts: a percentage after two numbers, the first of which is part of the
// second, as in "85,054,464 of 109,482,240, i.e. 77.7%". Pairs of trainable and all parameters are
// left to pairs.js.

import { OF } from "./contexts.js"
import { checkOfShare } from "./stated-pairs.js"

const MAX_DISTANCE = 40 // characters between the second number and the percentage

/** A percentage with the two counts before it, whether it follows from them, and the right percentage.
 * @typedef {{ quantity: Quantity, part: number, all: number, follows: boolean, right: string }} StatedShare */

/** The percentages in a text that follow a part and a whole.
 * @param {Pick<LabelledText, "numbers" | "text">} labelledText @returns {StatedShare[]} */
export const statedShares = ({ numbers, text }) =>
  numbers.flatMap((quantity, index) => {
    const [part, all] = numbers.slice(Math.max(index - 2, 0), index)
    if (quantity.role !== "share" || !all || [part, all].some(({ role, number }) => role !== "count" || !number.exact))
      return []
    const gap = text.slice(all.end, quantity.start)
    const isPart = part.number.low < all.number.low && OF.test(text.slice(part.end, all.start))
    if (!isPart || gap.length > MAX_DISTANCE || /[\n0-9]/.test(gap)) return []
    const check = checkOfShare({ trained: part.number.low, all: all.number.low }, quantity)
    return check ? [{ quantity, part: part.number.low, all: all.number.low, ...check }] : []
  })
