// Sums of exercises: the lines of a sum with the sizes of a model put in, and
// the same sum with a slip in it. What the lines are, and what they are called,
// is exported by macros/teaching/letter_sums.py, whose rules these are.

import { whole } from "../counting/engine.js"

const OF_LINE = "#" // stands before the place of the line whose result a factor is

/** @param {string} factor @param {Sizes} sizes @param {WorkedLine[]} found */
const numberOf = (factor, sizes, found) =>
  factor[0] === OF_LINE ? found[Number(factor.slice(1))].result : factor in sizes ? sizes[factor] : Number(factor)

/** The lines worked out. @param {LineInLetters[]} lines @param {Sizes} sizes */
export function withSizes(lines, sizes) {
  /** @type {WorkedLine[]} */
  const found = []
  for (const { summands } of lines) {
    const products = summands.map(([factors]) => factors.split(" ").map((factor) => numberOf(factor, sizes, found)))
    const result = products.reduce((sum, each) => sum + each.reduce((product, factor) => product * factor, 1), 0)
    const text = products.map((each) => each.map(whole).join(" × ")).join(" + ")
    const alone = products.length === 1 && products[0].length === 1
    found.push({ text: alone ? text : `${text} = ${whole(result)}`, result })
  }
  return found
}

/** The sum with other summands in one line. @param {LineInLetters[]} lines @param {number} place @param {Summand[]} summands */
const changed = (lines, place, summands) => lines.map((line, at) => (at === place ? { ...line, summands } : line))

/** The same sum where one line lacks one of its summands. @param {LineInLetters[]} lines @param {number} place @param {number} summand */
export const withoutSummand = (lines, place, summand) =>
  changed(
    lines,
    place,
    lines[place].summands.filter((_, at) => at !== summand),
  )

/** The same sum where equal things are counted once. @param {LineInLetters[]} lines @param {number} place @param {number} summand */
export const countedOnce = (lines, place, summand) =>
  changed(
    lines,
    place,
    lines[place].summands.map((each, at) =>
      at === summand ? [each[0].split(" ").slice(1).join(" "), each[1], ""] : each,
    ),
  )

/** The same sum with another letter in the place of one. @param {LineInLetters[]} lines @param {string} letter @param {string} other */
export const withLetter = (lines, letter, other) =>
  lines.map((line) => ({
    ...line,
    summands: line.summands.map(
      /** @returns {Summand} */ ([factors, what, times]) => [
        factors
          .split(" ")
          .map((each) => (each === letter ? other : each))
          .join(" "),
        what,
        times,
      ],
    ),
  }))
