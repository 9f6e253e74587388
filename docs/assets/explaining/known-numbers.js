// Known numbers: every total that somebody is believed to get, with the ways that
// lead to it. The build finds and counts them; what is exported is said in
// macros/rendering/files/known_numbers.py.

import exported from "../../data/known-numbers.js"
import table from "../../data/table.js"
import { lazily } from "../counting/engine.js"

const { costs, groups, spaces } = exported

/** Every part, and how people count it. @type {Part[]} */
export const parts = table.explanations.parts.map((part, place) =>
  Object.assign({ cost: 0, rounded: 0 }, part, exported.parts[place]),
)
const names = Object.keys(costs)

const BASE = names.length + 1
/** A set of forms as a number whose digits in this base they are. @param {number[]} made */
const codeOf = (made) => made.reduce((code, each) => code * BASE + each + 1, 0)

/** The sets of forms that are tried with a group of classes. Each total is exported as what it exceeds the sum
 * by that its parts lead one to expect: all but the last, all but the first, less all but both.
 * @param {string} text @returns {KnownSets} */
function setsOf(text) {
  const listed = text.split(",").map((each) => (each ? each.split(" ").map(Number) : []))
  const codes = listed.map(codeOf)
  const places = new Map(codes.map((code, place) => [code, place]))
  /** @param {(code: number, place: number) => number} part */
  const placesOf = (part) => Int32Array.from(codes, (code, place) => places.get(part(code, place)) ?? 0)
  /** @param {number} code @param {number} place */
  const withoutFirst = (code, place) => code % BASE ** Math.max(listed[place].length - 1, 0)
  return {
    withoutLast: placesOf((code) => Math.floor(code / BASE)),
    withoutFirst: placesOf(withoutFirst),
    withoutBoth: placesOf((code, place) => Math.floor(withoutFirst(code, place) / BASE)),
    mistakes: listed.map((made) => made.flatMap((each) => names[each].split(" + "))),
    // Who has erred in two blocks errs more easily in a third.
    costs: listed.map((made) => made.reduce((sum, each, place) => sum + costs[names[each]] - (place > 1 ? 1 : 0), 0)),
  }
}

const PLACES = 2 ** 17 // more than there are totals; times the largest of them it is still exact

/** The totals of all sets in all spaces, one space after the other; and the places of those above zero, each in what is
 * left of a key by `PLACES`, in the order of numbers. */
const all = lazily(() => {
  const sets = groups.map((each) => setsOf(each.sets))
  const starts = [0]
  for (const { group } of spaces) starts.push(starts[starts.length - 1] + sets[group].costs.length)
  const totals = new Float64Array(starts[spaces.length])
  const spaceAt = new Uint16Array(totals.length)
  const keys = new Float64Array(totals.length)
  let found = 0
  spaces.forEach(({ group, totals: text }, space) => {
    const { withoutLast, withoutFirst, withoutBoth } = sets[group]
    const excess = text.split(",")
    const start = starts[space]
    for (let set = 0; set < excess.length; set++) {
      const expected =
        totals[start + withoutLast[set]] + totals[start + withoutFirst[set]] - totals[start + withoutBoth[set]]
      const total = Number(excess[set]) + expected // a set that is missing is no number
      totals[start + set] = total
      spaceAt[start + set] = space
      if (total > 0) keys[found++] = total * PLACES + start + set
    }
  })
  return { sets, starts, totals, spaceAt, keys: keys.subarray(0, found).sort() }
})

/** @param {number} place @returns {TotalFound} */
function wayAt(place) {
  const { sets, starts, totals, spaceAt } = all()
  const space = spaceAt[place]
  const { models, group, cost, deviating } = spaces[space]
  const set = place - starts[space]
  const { mistakes, costs: more } = sets[group]
  const { classes } = groups[group]
  return { number: totals[place], models, classes, mistakes: mistakes[set], cost: set ? deviating + more[set] : cost }
}

/** The place of the first of some sorted numbers that is no smaller.
 * @param {ArrayLike<number>} numbers @param {number} number */
export function firstFrom(numbers, number) {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle] < number) low = middle + 1
    else high = middle
  }
  return low
}

/** The places of all totals from `low` to `high`, in the order of numbers. @param {number} low @param {number} high */
function* placesWithin(low, high) {
  const { keys } = all()
  const end = (Math.floor(high) + 1) * PLACES
  for (let at = firstFrom(keys, Math.ceil(low) * PLACES); keys[at] < end; at++) yield keys[at] % PLACES
}

/** All ways to a number from `low` to `high`, those of likelier models first. @param {number} low @param {number} high */
export function within(low, high) {
  const { spaceAt } = all()
  return [...placesWithin(low, high)].sort((one, other) => spaceAt[one] - spaceAt[other]).map(wayAt)
}

/** The ways to all right totals. */
export const rightWays = () => all().starts.slice(0, -1).map(wayAt)

/** The totals of which it is known what one more of a size adds, by the letter of the size. */
export const linesBySize = lazily(() => {
  /** @type {Record<string, Line[]>} */
  const found = {}
  spaces.forEach(({ slopes }, space) => {
    for (const [letter, text] of Object.entries(slopes)) {
      const lines = (found[letter] ??= [])
      text.split(",").forEach((slope, set) => {
        if (slope) lines.push({ total: wayAt(all().starts[space] + set), slope: Number(slope) })
      })
    }
  })
  return found
})
