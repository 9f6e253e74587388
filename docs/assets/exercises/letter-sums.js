// Sums of exercises: the lines of a sum with the sizes of a model put in. What
// the lines are, and what they are called, is exported by
// macros/teaching/letter_sums.py, whose rules these are.

import { product, sumBy, whole } from "../counting/engine.js"

const OF_LINE = "#" // stands before the place of the line whose result a factor is

/** @param {string} factor @param {Sizes} sizes @param {WorkedLine[]} found */
const numberOf = (factor, sizes, found) =>
  factor[0] === OF_LINE ? found[Number(factor.slice(1))].result : (sizes[factor] ?? Number(factor))

/** The lines worked out. @param {LineInLetters[]} lines @param {Sizes} sizes */
export function withSizes(lines, sizes) {
  /** @type {WorkedLine[]} */
  const found = []
  for (const { summands } of lines) {
    const products = summands.map(([factors]) => factors.split(" ").map((factor) => numberOf(factor, sizes, found)))
    const result = sumBy(products, (each) => product(each, sizes))
    const text = products.map((each) => each.map(whole).join(" × ")).join(" + ")
    const alone = products.length === 1 && products[0].length === 1
    found.push({ text: alone ? text : `${text} = ${whole(result)}`, result })
  }
  return found
}
