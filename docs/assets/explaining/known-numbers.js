// Known numbers: every total that somebody is believed to get, with the ways that
// lead to it. The build finds and counts them; what is exported is said in
// macros/rendering/files/known_numbers.py.

import exported from "../../data/known-numbers.js"
import table from "../../data/table.js"
import { lazily, sumBy } from "../counting/engine.js"

const { costs, groups, spaces } = exported

/** Every part, and how people count it. @type {Part[]} */
export const parts = table.explanations.parts.map((part, place) =>
  Object.assign({ cost: 0, rounded: 0 }, part, exported.parts[place]),
)
const names = Object.keys(costs)

/** The sets of forms that are tried with a group of classes. Each total is exported as what it exceeds the sum
 * by that its parts lead one to expect: all but the last, all but the first, less all but both.
 * @param {string} text @returns {KnownSet[]} */
function setsOf(text) {
  const listed = text.split(",").map((each) => each.split(" ").filter(Boolean))
  const places = new Map(listed.map((made, place) => [made.join(), place]))
  return listed.map((made) => ({
    parts: [made.slice(0, -1), made.slice(1), made.slice(1, -1)].map((part) => places.get(part.join()) ?? 0),
    mistakes: made.flatMap((each) => names[Number(each)].split(" + ")),
    // Who has erred in two blocks errs more easily in a third.
    cost: sumBy(made, (each) => costs[names[Number(each)]]) - Math.max(made.length - 2, 0),
  }))
}

/** The ways of every space, the one to its right total first. */
const all = lazily(() => {
  const sets = groups.map((each) => setsOf(each.sets))
  return spaces.map(({ models, group, cost, deviating, totals: text }) => {
    /** @type {number[]} */
    const totals = []
    return text.split(",").map((excess, place) => {
      const { parts, mistakes, cost: more } = sets[group][place]
      const [last, first, both] = parts.map((each) => totals[each] ?? 0)
      const number = Number(excess) + last + first - both // a set that is missing is no number
      totals.push(number)
      return { number, models, classes: groups[group].classes, mistakes, cost: place ? deviating + more : cost }
    })
  })
})

const PLACES = 2 ** 17 // more than there are ways or parts; times the largest number it is still exact

/** What finds things by their numbers, from one to another, the smallest first.
 * @template T @param {T[]} listed @param {(each: T) => number} number @returns {(low: number, high: number) => T[]} */
export function finder(listed, number) {
  const keys = Float64Array.from(listed, (each, place) => number(each) * PLACES + place).sort()
  /** @param {number} least */
  const firstFrom = (least) => {
    let [low, high] = [0, keys.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (keys[middle] < least * PLACES) low = middle + 1
      else high = middle
    }
    return low
  }
  return (low, high) =>
    Array.from(keys.subarray(firstFrom(low), firstFrom(Math.floor(high) + 1)), (key) => listed[key % PLACES])
}

const found = lazily(() => {
  const ways = all().flatMap((listed, space) => listed.map((way) => ({ way, space })))
  return finder(
    ways.filter(({ way }) => way.number > 0),
    ({ way }) => way.number,
  )
})

/** All ways to a number from `low` to `high`, those of likelier models first.
 * @param {number} low @param {number} high @returns {TotalFound[]} */
export const within = (low, high) =>
  found()(low, high)
    .sort((one, other) => one.space - other.space)
    .map(({ way }) => way)

/** The ways to all right totals. */
export const rightWays = () => all().map(([way]) => way)

/** The totals of which it is known what one more of a size adds, by the letter of the size. */
export const linesBySize = lazily(() => {
  /** @type {Record<string, Line[]>} */
  const lines = {}
  spaces.forEach(({ slopes }, space) => {
    for (const [letter, text] of Object.entries(slopes)) {
      lines[letter] ??= []
      text.split(",").forEach((slope, set) => {
        if (slope) lines[letter].push({ total: all()[space][set], slope: Number(slope) })
      })
    }
  })
  return lines
})
