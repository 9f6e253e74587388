// Explains terms: exact numbers with signs between them, but without a result. Their result is explained
// as if it were a number in the text. If a text states the result of its terms, another module explains
// its numbers, and checks.js checks the result.

import { sumBy } from "../../counting/engine.js"
import { isPlausible, waysTo } from "../../explaining/explain.js"
import { accountWith, words } from "../words.js"
import { meaning } from "./meanings.js"

/** A sign that compares two models, as in "2x the layers". In "12 × the 7,087,872 of a layer" it means a product. */
export const COMPARISON = /(?:[×*]|\bx\b)(?=\s(?:the\s(?:layers|heads|depth|width|size)|as|more|fewer)\b)/g

/** The sign between two numbers, whatever words surround it: "+", "×" or "="; "" unless there is exactly one sign.
 * @param {string} text */
function signBetween(text) {
  const signs = text.replace(COMPARISON, " ").match(/[+=×*]|\bx\b/g) ?? []
  return signs.length === 1 ? signs[0].replace(/[*x]/, "×") : ""
}

/** The result of terms. Products are worked out before sums.
 * @param {number[]} terms @param {string[]} signs  before each term but the first */
function resultOf(terms, signs) {
  /** @type {number[]} */
  const products = []
  terms.forEach((term, index) => {
    if (index && signs[index - 1] === "×") products[products.length - 1] *= term
    else products.push(term)
  })
  return sumBy(products, (product) => product)
}

/** The account of exact numbers that only + and × connect; null for any other text, or if nothing explains their
 * result.
 * @param {LabelledText} labelledText @returns {Account | null} */
export function accountOfTerms({ text, quantities }) {
  const exactNumbers = quantities.filter(({ number }) => number.exact)
  if (exactNumbers.length < 2 || exactNumbers.length < quantities.length) return null
  const signs = exactNumbers.slice(1).map(({ start }, index) => signBetween(text.slice(exactNumbers[index].end, start)))
  if (!signs.every((sign) => sign === "+" || sign === "×")) return null
  const terms = exactNumbers.map(({ number }) => number.low)
  const value = resultOf(terms, signs)
  const way = waysTo(value).find(isPlausible)
  if (!way) return null
  const [name = ""] = way.models
  const model = name && way.kind !== "part" ? { name, modelClass: way.classes[0] ?? "", total: value } : null
  const sum = terms.flatMap((term, index) => [...(index ? [` ${signs[index - 1]} `] : []), { number: term }])
  const explanation = way.mistakes.length
    ? words`You would get that for ${meaning(way)}`
    : words`That is ${meaning(way)}`
  return accountWith({
    kind: "labels",
    headline: words`${sum} = ${value}. ${explanation}.`,
    lines: exactNumbers.map(({ typed, number }) => ({
      source: typed,
      part: ["a term of your sum"],
      stated: number.low,
      right: null,
      verdict: "explained",
      times: 1,
    })),
    model: way.mistakes.length ? null : model,
    confidence: way.confidence,
  })
}
