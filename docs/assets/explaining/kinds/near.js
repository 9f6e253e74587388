// Finds correct numbers close to one that nothing explains well: the nearest totals and parts,
// and those from which it differs by a single slip. The nearest number is not an
// explanation, but it shows readers who expected it how far off they are.

import table from "../../../data/table.js"
import { lazily } from "../../counting/engine.js"
import { entriesWithin } from "../entries.js"
import { rightWays } from "../known-numbers.js"
import { BLANK_MEANING } from "../ways.js"
import { asMeanings, partsWithin } from "./parts.js"

const { costs, limits } = table.explanations

/** The meanings of all correct numbers. @type {() => Meaning[]} */
const rightNumbers = lazily(() => {
  const totals = rightWays().map((way) => ({ ...BLANK_MEANING, ...way }))
  const parts = partsWithin(1, Infinity).filter(({ mistakes, part }) => !mistakes.length && !part.share)
  return [...totals, ...asMeanings(parts, costs.ways.part), ...entriesWithin(["other"], 1, Infinity)]
})

/** The likeliest meaning of each number. @param {Meaning[]} meanings */
function likeliestMeanings(meanings) {
  /** @type {Map<number, Meaning>} */
  const bestByNumber = new Map()
  for (const meaning of meanings)
    if (meaning.cost < (bestByNumber.get(meaning.number)?.cost ?? Infinity)) bestByNumber.set(meaning.number, meaning)
  return [...bestByNumber.values()]
}

// The meanings of the numbers that people are likely to copy by hand.
const copyableMeanings = lazily(() =>
  likeliestMeanings(rightNumbers()).filter(({ cost }) => cost <= limits.max_cost_at_hand),
)

const MIN_DIGITS = 6 // with fewer digits, one slip leads to too many numbers

/** The typing error that turns the right digits into the typed ones, in words; "" if no single error does.
 * @param {string} typedDigits @param {string} rightDigits
 * @param {number} [maxDistance]  the length of the longest run of digits whose first and last may be swapped */
export function slipOf(typedDigits, rightDigits, maxDistance = rightDigits.length) {
  if (typedDigits === rightDigits || Math.abs(typedDigits.length - rightDigits.length) > 1) return ""
  let start = 0
  while (typedDigits[start] === rightDigits[start]) start++
  let end = 0
  while (
    end < Math.min(typedDigits.length, rightDigits.length) - start &&
    typedDigits.at(-1 - end) === rightDigits.at(-1 - end)
  )
    end++
  // The digits of each number between the common beginning and the common end.
  const [typedRest, rightRest] = [typedDigits, rightDigits].map((text) => text.slice(start, text.length - end))
  if (typedRest.length + rightRest.length === 1) {
    if (!typedRest) return "with a digit missing"
    const isDoubled = [typedDigits[start - 1], typedDigits[start + 1]].includes(typedRest)
    return isDoubled ? "with a digit doubled" : "with a digit too many"
  }
  if (typedRest.length !== rightRest.length) return ""
  if (typedRest.length === 1) return "with one digit wrong"
  const swappedRest = rightRest.at(-1) + rightRest.slice(1, -1) + rightRest[0]
  const isSwapped = typedRest.length <= maxDistance && typedRest === swappedRest
  return isSwapped ? "with two digits swapped" : ""
}

/** The correct numbers from which a number differs by one slip, the likeliest first.
 * @param {number} number @param {(meaning: Meaning) => boolean} isMeant @returns {Meaning[]} */
export function numbersBySlip(number, isMeant) {
  const digits = String(number)
  if (digits.length < MIN_DIGITS) return []
  return copyableMeanings()
    .flatMap((meaning) => {
      const difference = number - meaning.number
      const isOffByOne = Math.abs(difference) === 1
      const slip = isOffByOne ? "off by one" : slipOf(digits, String(meaning.number))
      const cost = meaning.cost + costs.ways[isOffByOne ? "off-by-one" : "slip"]
      return slip && isMeant(meaning) ? [{ ...meaning, kind: NEAR, slip, excess: difference, cost }] : []
    })
    .sort((one, other) => one.cost - other.cost)
    .slice(0, limits.max_near)
}

const NEAR = /** @type {const} */ ("near")

/** The nearest correct numbers, each with its likeliest meaning.
 * @param {number} number @param {(meaning: Meaning) => boolean} isMeant @returns {Meaning[]} */
export function nearestNumbers(number, isMeant) {
  const meanings = likeliestMeanings(rightNumbers().filter((meaning) => meaning.number !== number && isMeant(meaning)))
  const nearestMeanings = meanings
    .map((meaning) => ({ ...meaning, kind: NEAR, excess: number - meaning.number }))
    .sort((one, other) => Math.abs(one.excess) - Math.abs(other.excess))
    .slice(0, limits.max_near)
  return nearestMeanings.map((meaning) => ({
    ...meaning,
    isNearest: Math.abs(meaning.excess) === Math.abs(nearestMeanings[0].excess),
  }))
}
