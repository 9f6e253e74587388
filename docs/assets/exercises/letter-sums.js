// Works out the sums of exercises, whose lines are in letters, for the sizes of a model.
// macros/teaching/letter_sums.py exports the lines and their labels, and explains the
// notation: "H H + H"; "12 #0", in which #0 is the result of line 0; "3 H H /A".

import { sumBy, whole } from "../counting/engine.js"

const LINE_MARK = "#" // marks a factor as the result of an earlier line
const DIVISOR_MARK = "/" // marks a letter that divides

/** The value of a factor or divisor: a number, the size of a letter, or the result of an earlier line.
 * @param {string} factor @param {WorkedLine[]} workedLines @param {Sizes} sizes */
function valueOfFactor(factor, workedLines, sizes) {
  if (factor[0] === LINE_MARK) return workedLines[Number(factor.slice(1))].result
  const size = factor.replace(DIVISOR_MARK, "")
  return sizes[size] ?? Number(size)
}

/** The value of a product.
 * @param {string} product @param {WorkedLine[]} workedLines  the results of earlier lines @param {Sizes} sizes */
export const valueOfProduct = (product, workedLines, sizes) =>
  product.split(" ").reduce((value, factor) => {
    const number = valueOfFactor(factor, workedLines, sizes)
    return factor[0] === DIVISOR_MARK ? value / number : value * number
  }, 1)

/** The lines in numbers, with their results, for the sizes of a model.
 * @param {LineInLetters[]} lines @param {Sizes} sizes */
export function withSizes(lines, sizes) {
  /** @type {WorkedLine[]} */
  const workedLines = []
  /** The value of a factor in these lines. @param {string} factor */
  const numberOf = (factor) => valueOfFactor(factor, workedLines, sizes)
  /** A product in numbers: 12 × 768 ÷ 12. @param {string} product */
  const textOfProduct = (product) =>
    product
      .split(" ")
      .map((factor, index) => {
        const sign = factor[0] === DIVISOR_MARK ? " ÷ " : " × "
        return `${index ? sign : ""}${whole(numberOf(factor))}`
      })
      .join("")
  for (const { summands } of lines) {
    const result = sumBy(summands, (product) => valueOfProduct(product, workedLines, sizes))
    const text = summands.map(textOfProduct).join(" + ")
    workedLines.push({ text: /[×÷+]/.test(text) ? `${text} = ${whole(result)}` : text, result })
  }
  return workedLines
}

/** The answer to a question, for the sizes of a model. @param {Ask} ask @param {Sizes} sizes */
export const answerTo = ({ lines }, sizes) => withSizes(lines, sizes)[lines.length - 1].result

/** The value of a sum of products such as `-1 H H + 3 H H /A`. @param {string} text @param {Sizes} sizes */
export const valueOfSum = (text, sizes) =>
  sumBy(text ? text.split(" + ") : [], (product) => valueOfProduct(product, [], sizes))
