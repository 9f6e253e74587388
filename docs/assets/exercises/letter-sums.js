// Sums of exercises: the lines of a sum with the sizes of a model put in. What
// the lines are, and what they are called, is exported by
// macros/teaching/letter_sums.py, whose rules these are.

import { sumBy, whole } from "../counting/engine.js"

const OF_LINE = "#" // stands before the place of the line whose result a factor is
const OVER = "/" // stands before a letter that divides

/** The lines worked out. @param {LineInLetters[]} lines @param {Sizes} sizes */
export function withSizes(lines, sizes) {
  /** @type {WorkedLine[]} */
  const found = []
  /** @param {string} factor */
  const numberOf = (factor) =>
    factor[0] === OF_LINE ? found[Number(factor.slice(1))].result : (sizes[factor] ?? Number(factor))
  for (const { summands } of lines) {
    const products = summands.map((factors) => factors.split(" ").map(numberOf))
    const result = sumBy(products, (each) => each.reduce((one, other) => one * other))
    const text = products.map((each) => each.map(whole).join(" × ")).join(" + ")
    found.push({ text: /[×+]/.test(text) ? `${text} = ${whole(result)}` : text, result })
  }
  return found
}

/** What a question asks for. @param {Ask} ask @param {Sizes} sizes */
export const answerTo = ({ lines }, sizes) => withSizes(lines, sizes)[lines.length - 1].result

/** A sum of products such as `-1 H H + 3 H H /A`. @param {string} text @param {Sizes} sizes */
export const evaluated = (text, sizes) =>
  sumBy(text ? text.split(" + ") : [], (each) =>
    each.split(" ").reduce((product, factor) => {
      if (factor[0] === OVER) return product / sizes[factor.slice(1)]
      return product * (sizes[factor] ?? Number(factor))
    }, 1),
  )
