// Near: the right totals and parts that are nearest by distance, and those whose
// digits differ from what was typed by one slip.

import table from "../../../data/table.js"
import { lazily } from "../../counting/engine.js"
import { entriesWithin } from "../entries.js"
import { firstFrom, rightWays } from "../known-numbers.js"
import { EMPTY } from "../ways.js"
import { asOne, listedParts } from "./parts.js"

const { costs, limits } = table.explanations

/** @type {() => Meaning[]} */
const right = lazily(() => {
  const totals = rightWays().map((each) => ({ ...EMPTY, ...each }))
  const parts = asOne(
    listedParts().filter((each) => !each.mistakes.length && !each.part.share),
    costs.ways.part,
  )
  return [...totals, ...parts, ...entriesWithin(["other"], 1, Infinity)]
    .filter((each) => each.number > 0)
    .sort((one, other) => one.number - other.number)
})

// What somebody has at hand to type: totals of models that people mean, and parts that tables show.
const byNumber = lazily(() => {
  /** @type {Map<number, Meaning>} */
  const found = new Map()
  for (const each of right().filter(({ cost }) => cost <= limits.at_hand)) {
    const known = found.get(each.number)
    if (!known || each.cost < known.cost) found.set(each.number, each)
  }
  return found
})

const FEWEST_DIGITS = 6 // with fewer, one slip leads to many numbers

/** What slip of the fingers makes some digits of others, in words; "" where none does.
 * @param {string} typed @param {string} right */
export function slipOf(typed, right) {
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
  const isSwapped = one === other.at(-1) + other.slice(1, -1) + other[0]
  return isSwapped ? "with two digits swapped" : ""
}

/** The right numbers that one slip leads to: the least unlikely of them.
 * @param {number} number @param {(each: Meaning) => boolean} holds @returns {Meaning[]} */
export function bySlip(number, holds) {
  const digits = String(number)
  if (digits.length < FEWEST_DIGITS) return []
  return [...byNumber().values()]
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

const numbers = lazily(() => Float64Array.from(right(), (each) => each.number))

/** The nearest by distance: outwards from the place where the number would stand; of the same number the likeliest.
 * @param {number} number @param {(each: Meaning) => boolean} holds @returns {Meaning[]} */
export function byDistance(number, holds) {
  let above = firstFrom(numbers(), number)
  let below = above - 1
  /** @type {Map<number, Meaning>} */
  const found = new Map()
  while (below >= 0 || above < right().length) {
    const [down, up] = [number - (numbers()[below] ?? -Infinity), (numbers()[above] ?? Infinity) - number]
    const each = right()[down <= up ? below-- : above++]
    const known = found.get(each.number)
    if (!known && found.size === limits.most_near) break
    if (each.number !== number && holds(each) && (!known || each.cost < known.cost)) found.set(each.number, each)
  }
  const nearest = Math.min(...[...found.keys()].map((each) => Math.abs(each - number)))
  return [...found.values()].map((each) => {
    const rest = number - each.number
    return { ...each, kind: NEAR, rest, nearest: Math.abs(rest) === nearest }
  })
}
