// Works out the sums of exercises, whose lines are written with letters, for the
// sizes of a model. macros/teaching/letter_sums.py exports the lines and their
// labels, and explains how a factor is written.

import { sumBy, whole } from "../counting/engine.js"

const OF_LINE = "#" // marks a factor as the result of an earlier line
const OVER = "/" // marks a letter that divides

/** The lines worked out for the sizes of a model. @param {LineInLetters[]} lines @param {Sizes} sizes */
export function withSizes(lines, sizes) {
  /** @type {WorkedLine[]} */
  const worked = []
  /** @param {string} factor */
  const numberOf = (factor) =>
    factor[0] === OF_LINE ? worked[Number(factor.slice(1))].result : (sizes[factor] ?? Number(factor))
  for (const { summands } of lines) {
    const products = summands.map((factors) => factors.split(" ").map(numberOf))
    const result = sumBy(products, (factors) => factors.reduce((one, other) => one * other))
    const text = products.map((factors) => factors.map(whole).join(" × ")).join(" + ")
    worked.push({ text: /[×+]/.test(text) ? `${text} = ${whole(result)}` : text, result })
  }
  return worked
}

/** The answer to a question, for the sizes of a model. @param {Ask} ask @param {Sizes} sizes */
export const answerTo = ({ lines }, sizes) => withSizes(lines, sizes)[lines.length - 1].result

/** The value of a sum of products such as `-1 H H + 3 H H /A`. @param {string} text @param {Sizes} sizes */
export const valueOfSum = (text, sizes) =>
  sumBy(text ? text.split(" + ") : [], (product) =>
    product.split(" ").reduce((value, factor) => {
      if (factor[0] === OVER) return value / sizes[factor.slice(1)]
      return value * (sizes[factor] ?? Number(factor))
    }, 1),
  )
