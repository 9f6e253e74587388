// Finds correct numbers close to one that nothing explains well: the nearest totals and parts,
// and those from which it differs by a single slip. The nearest number is not an
// explanation, but it shows readers who expected it how far off they are.

import table from "../../../data/table.js"
import { lazily } from "../../counting/engine.js"
import { entriesWithin } from "../entries.js"
import { rightWays } from "../known-numbers.js"
import { BLANK_MEANING } from "../ways.js"
import { asMeanings, partsWithin } from "./parts.js"
import { slipOf } from "./slips.js"

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
