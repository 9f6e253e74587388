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

/** What a slip of the fingers makes of some digits, and what it is called.
 * @param {string} digits @returns {Iterable<[string, string]>} */
function* slipsOf(digits) {
  const letters = [...digits]
  /** @param {number} from @param {number} cut @param {string} put */
  const changed = (from, cut, put) => digits.slice(0, from) + put + digits.slice(from + cut)
  for (const [one, letter] of letters.entries()) {
    for (let two = one + 1; two < letters.length; two++)
      yield [changed(one, two - one + 1, letters[two] + digits.slice(one + 1, two) + letter), "with two digits swapped"]
    for (const digit of "0123456789") {
      yield [changed(one, 1, digit), "with one digit wrong"]
      yield [changed(one, 0, digit), "with a digit missing"]
      if (one === letters.length - 1) yield [digits + digit, "with a digit missing"]
    }
    const doubled = [letters[one - 1], letters[one + 1]].includes(letter)
    yield [changed(one, 1, ""), doubled ? "with a digit doubled" : "with a digit too many"]
  }
}

const FEWEST_DIGITS = 6 // with fewer, one slip leads to many numbers

/** The right numbers that one slip leads to: the least unlikely of them.
 * @param {number} number @param {(each: Meaning) => boolean} holds @returns {Meaning[]} */
export function bySlip(number, holds) {
  /** @type {Map<number, Meaning>} */
  const found = new Map()
  const digits = String(number)
  if (digits.length < FEWEST_DIGITS) return []
  /** @param {number} other @param {string} slip @param {number} cost */
  const take = (other, slip, cost) => {
    const known = byNumber().get(other)
    if (known && other !== number && holds(known) && !found.has(other))
      found.set(other, { ...known, kind: "near", slip, rest: number - other, cost: cost + known.cost })
  }
  for (const other of [number - 1, number + 1]) take(other, "off by one", costs.ways["off-by-one"])
  for (const [text, slip] of slipsOf(digits)) if (text[0] !== "0") take(Number(text), slip, costs.ways.slip)
  return [...found.values()].sort((one, other) => one.cost - other.cost).slice(0, limits.most_near)
}

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
    return { ...each, kind: /** @type {const} */ ("near"), rest, nearest: Math.abs(rest) === nearest }
  })
}
