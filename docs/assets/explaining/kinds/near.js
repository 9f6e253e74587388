// Near: the right totals and parts that are nearest by distance, and those whose
// digits differ from what was typed by one slip.

import table from "../../../data/table.js"
import { lazily } from "../../counting/engine.js"
import { entriesWithin } from "../entries.js"
import { rightWays } from "../known-numbers.js"
import { EMPTY } from "../ways.js"
import { asOne, partsWithin } from "./parts.js"

const { costs, limits } = table.explanations

/** @type {() => Meaning[]} */
const right = lazily(() => {
  const totals = rightWays().map((each) => ({ ...EMPTY, ...each }))
  const parts = partsWithin(1, Infinity).filter((each) => !each.mistakes.length && !each.part.share)
  return [...totals, ...asOne(parts, costs.ways.part), ...entriesWithin(["other"], 1, Infinity)]
})

/** Of each number the likeliest. @param {Meaning[]} found */
function likeliest(found) {
  /** @type {Map<number, Meaning>} */
  const known = new Map()
  for (const each of found) if (each.cost < (known.get(each.number)?.cost ?? Infinity)) known.set(each.number, each)
  return [...known.values()]
}

// What somebody has at hand to type: totals of models that people mean, and parts that tables show.
const atHand = lazily(() => likeliest(right()).filter(({ cost }) => cost <= limits.at_hand))

const FEWEST_DIGITS = 6 // with fewer, one slip leads to many numbers

/** What slip of the fingers makes some digits of others, in words; "" where none does.
 * @param {string} typed @param {string} right @param {number} [most]  from the first to the last of digits that are swapped */
export function slipOf(typed, right, most = right.length) {
  if (typed === right || Math.abs(typed.length - right.length) > 1) return ""
  let start = 0
  while (typed[start] === right[start]) start++
  let end = 0
  while (end < Math.min(typed.length, right.length) - start && typed.at(-1 - end) === right.at(-1 - end)) end++
  const [one, other] = [typed, right].map((each) => each.slice(start, each.length - end))
  if (one.length + other.length === 1) {
    const isDoubled = one && [typed[start - 1], typed[start + 1]].includes(one)
    return isDoubled ? "with a digit doubled" : one ? "with a digit too many" : "with a digit missing"
  }
  if (one.length !== other.length) return ""
  if (one.length === 1) return "with one digit wrong"
  const isSwapped = one.length <= most && one === other.at(-1) + other.slice(1, -1) + other[0]
  return isSwapped ? "with two digits swapped" : ""
}

/** The right numbers that one slip leads to: the least unlikely of them.
 * @param {number} number @param {(each: Meaning) => boolean} holds @returns {Meaning[]} */
export function bySlip(number, holds) {
  const digits = String(number)
  if (digits.length < FEWEST_DIGITS) return []
  return atHand()
    .flatMap((known) => {
      const rest = number - known.number
      const isOne = Math.abs(rest) === 1
      const slip = isOne ? "off by one" : slipOf(digits, String(known.number))
      const cost = known.cost + costs.ways[isOne ? "off-by-one" : "slip"]
      return slip && holds(known) ? [{ ...known, kind: NEAR, slip, rest, cost }] : []
    })
    .sort((one, other) => one.cost - other.cost)
    .slice(0, limits.most_near)
}
const NEAR = /** @type {const} */ ("near")

/** The nearest by distance; of the same number the likeliest.
 * @param {number} number @param {(each: Meaning) => boolean} holds @returns {Meaning[]} */
export function byDistance(number, holds) {
  const found = likeliest(right().filter((each) => each.number !== number && holds(each)))
    .map((each) => ({ ...each, kind: NEAR, rest: number - each.number }))
    .sort((one, other) => Math.abs(one.rest) - Math.abs(other.rest))
    .slice(0, limits.most_near)
  return found.map((each) => ({ ...each, nearest: Math.abs(each.rest) === Math.abs(found[0].rest) }))
}
