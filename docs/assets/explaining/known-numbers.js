// Known numbers: every total that somebody is believed to get, with the ways that
// lead to it. The build finds and counts them; what is exported is said in
// macros/rendering/files/known_numbers.py.

import exported from "../../data/known-numbers.js"
import { lazily } from "../counting/engine.js"

/** The sets of deviations that are tried with a group of classes. Each total is exported as what it exceeds the sum
 * by that its parts lead one to expect: all but the last, all but the first, less all but both.
 * @param {string} sets @returns {KnownSet[]} */
function setsOf(sets) {
  const { costs } = exported
  const names = Object.keys(costs)
  const keys = sets.split(",")
  const places = new Map(keys.map((key, place) => [key, place]))
  return keys.map((key) => {
    const made = key ? key.split(" ") : []
    const parts = [made.slice(0, -1), made.slice(1), made.slice(1, -1)].map((part) =>
      Number(places.get(part.join(" "))),
    )
    const mistakes = made.map((each) => names[Number(each)])
    return { parts, mistakes, cost: mistakes.reduce((sum, name) => sum + costs[name], 0) }
  })
}

/** The ways to every known total, those of likelier models first, and the places of all from the smallest number on. */
const all = lazily(() => {
  const groups = exported.groups.map(({ classes, sets }) => ({ classes, sets: setsOf(sets) }))
  /** @type {TotalFound[]} */
  const ways = []
  for (const { models, group, cost, deviating, totals } of exported.spaces) {
    const { classes, sets } = groups[group]
    /** @type {number[]} */
    const numbers = []
    totals.split(",").forEach((excess, place) => {
      const { parts, mistakes, cost: more } = sets[place]
      const [first, last, both] = parts.map((each) => numbers[each])
      // A set that is missing here is no number.
      const number = Number(excess) + (place ? first + last - both : 0)
      numbers.push(number)
      if (number > 0) ways.push({ number, models, classes, mistakes, cost: place ? deviating + more : cost })
    })
  }
  const order = ways.map((_, place) => place).sort((one, other) => ways[one].number - ways[other].number)
  return { ways, order, numbers: Float64Array.from(order, (place) => ways[place].number) }
})

/** The place of the first of some sorted numbers that is no smaller.
 * @param {ArrayLike<number>} numbers @param {number} number */
function firstFrom(numbers, number) {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle] < number) low = middle + 1
    else high = middle
  }
  return low
}

/** All ways to a number from `low` to `high`. @param {number} low @param {number} high */
function within(low, high) {
  const { ways, order, numbers } = all()
  const places = order.slice(firstFrom(numbers, low), firstFrom(numbers, Math.floor(high) + 1))
  return places.sort((one, other) => one - other).map((place) => ways[place])
}

/** All ways whose deviations satisfy a condition. @param {(each: TotalFound) => boolean} condition */
const waysWhere = (condition) => all().ways.filter(condition)

const REACH = 0.1 // how far numbers are near, as a share of the number itself

/** How many in a thousand of the numbers near have a way that costs no more: of those that leave the same
 * remainder by the hidden size, since nearly all totals do.
 * @param {number} number @param {number} wide  the hidden size @param {number} cost */
function chance(number, wide, cost) {
  const [low, high] = [number * (1 - REACH), number * (1 + REACH)]
  const reached = within(low, high).filter((each) => each.cost <= cost && (each.number - number) % wide === 0)
  return (1000 * new Set(reached.map((each) => each.number)).size) / Math.max(1, (high - low) / wide)
}

export { chance, firstFrom, waysWhere, within }
