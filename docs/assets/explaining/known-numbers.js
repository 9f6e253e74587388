// Unpacks the known numbers: totals that people may plausibly get, with the ways
// that lead to them. The build computes them in macros/counting/search/known_numbers.py;
// macros/rendering/files/known_numbers.py explains how they are packed, and what a form is. They
// are unpacked once and sorted by number, so that looking one up is quick.

import exported from "../../data/known-numbers.js"
import table from "../../data/table.js"
import { lazily, sumBy } from "../counting/engine.js"

const { costs, discounts, groups, spaces } = exported

/** Every part, with the ways in which people count it and their costs. @type {Part[]} */
export const parts = table.explanations.parts.map((part, index) =>
  Object.assign({ cost: 0, if_rounded: 0 }, part, exported.parts[index]),
)
const formNames = Object.keys(costs)

/** The sets of forms that are tried with a group of classes. A set's total is exported as its excess over the
 * value predicted from the set's subsets: the total without the last form, plus the total without the first, less the
 * total without both.
 * @param {string} text @returns {KnownSet[]} */
function setsOf(text) {
  const sets = text.split(",").map((set) => set.split(" ").filter(Boolean))
  const indexOfSet = new Map(sets.map((forms, index) => [forms.join(), index]))
  return sets.map((forms) => ({
    subsets: [forms.slice(0, -1), forms.slice(1), forms.slice(1, -1)].map(
      (subset) => indexOfSet.get(subset.join()) ?? 0,
    ),
    mistakes: forms.flatMap((form) => formNames[Number(form)].split(" + ")),
    // From the third form on, each costs one less, as in `cost_together`, because people who slip twice are more
    // likely to slip again.
    cost: sumBy(forms, (form) => costs[formNames[Number(form)]]) - Math.max(forms.length - 2, 0),
  }))
}

/** The discount on the cost of mistakes in a relative. @param {string[]} mistakes */
const discountOf = (mistakes) => sumBy(mistakes, (mistake) => discounts[mistake] ?? 0)

/** The ways of every space; the first of each leads to its correct total. */
const waysBySpace = lazily(() => {
  const sets = groups.map((group) => setsOf(group.sets))
  return spaces.map(({ models, group, cost, deviating, totals: text }) => {
    /** @type {number[]} */
    const totals = []
    return text.split(",").map((excess, index) => {
      const { subsets, mistakes, cost: mistakesCost } = sets[group][index]
      const [withoutLast, withoutFirst, withoutBoth] = subsets.map((subset) => totals[subset] ?? 0)
      const number = Number(excess) + withoutLast + withoutFirst - withoutBoth // NaN if this space lacks the set
      totals.push(number)
      // In the spaces of relatives, any mistake has an additional cost, against which the discount counts.
      const discount = deviating > cost ? discountOf(mistakes) : 0
      const wayCost = index ? deviating + mistakesCost - discount : cost
      return { number, models, classes: groups[group].classes, mistakes, cost: wayCost }
    })
  })
})

// A sort key is a number times this factor, plus an index. The factor exceeds the number of ways and of parts, and its
// product with the largest number is still exact.
const KEY_FACTOR = 2 ** 17

/** A function that finds the items whose numbers are in a range, in ascending order.
 * @template T @param {T[]} items @param {(item: T) => number} numberOf  returns the number of an item
 * @returns {(low: number, high: number) => T[]} */
export function finder(items, numberOf) {
  const keys = Float64Array.from(items, (item, index) => numberOf(item) * KEY_FACTOR + index).sort()
  /** The index of the first key that is not below a number, by bisection. @param {number} min */
  const firstFrom = (min) => {
    let [low, high] = [0, keys.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (keys[middle] < min * KEY_FACTOR) low = middle + 1
      else high = middle
    }
    return low
  }
  // The end is exclusive: the first key of a number above `high`.
  return (low, high) =>
    Array.from(keys.subarray(firstFrom(low), firstFrom(Math.floor(high) + 1)), (key) => items[key % KEY_FACTOR])
}

/** Finds the ways to totals, each with the index of its space. */
const waysFinder = lazily(() => {
  const ways = waysBySpace().flatMap((ofSpace, space) => ofSpace.map((way) => ({ way, space })))
  return finder(
    ways.filter(({ way }) => way.number > 0),
    ({ way }) => way.number,
  )
})

/** All ways to the numbers from `low` to `high`, those of likelier models first.
 * @param {number} low @param {number} high @returns {KnownTotal[]} */
export const knownTotalsWithin = (low, high) =>
  waysFinder()(low, high)
    .sort((one, other) => one.space - other.space)
    .map(({ way }) => way)

/** The way to the correct total of every space. */
export const rightWays = () => waysBySpace().map(([way]) => way)

/** The totals that grow with a size, by its letter, each with its slope: the parameters that one more unit adds. */
export const linesBySize = lazily(() => {
  /** @type {Record<string, Line[]>} */
  const lines = {}
  spaces.forEach(({ slopes }, space) => {
    for (const [letter, text] of Object.entries(slopes)) {
      lines[letter] ??= []
      text.split(",").forEach((slope, set) => {
        if (slope) lines[letter].push({ total: waysBySpace()[space][set], slope: Number(slope) })
      })
    }
  })
  return lines
})
