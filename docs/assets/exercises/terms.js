// Compares the terms of a typed sum with those of the right one: which are right, which
// are missing and which are too much. The terms that somebody typed say more about a
// mistake than their total, to which several mistakes may lead.
//
// A term may stand for any part of the right sum, large or small: for a whole layer as
// well as for one bias. It is right if it has the number of a part that no other term
// stands for. Brackets are multiplied out only where a term as a whole is no part.

import exercises from "../../data/exercises.js"
import { inWords } from "../answering/elements.js"
import { sumBy, whole } from "../counting/engine.js"
import { filled } from "../counting/messages.js"
import { readWith } from "../explaining/letters.js"
import { valueOfProduct, withSizes } from "./letter-sums.js"

const { texts } = exercises

/** The result of a comparison: the parts that are missing, the number of terms that are not right, and this in words.
 * @typedef {{ missing: string[], extra: number, says: string }} Comparison */

/** A term as it was typed, and its value. @typedef {{ text: string, value: number }} Term */

/** The right sum as a tree: the answer, and what it is the sum of, with the number of each part.
 * @param {Ask} ask @param {Sizes} sizes @returns {PartOfSum} */
export function partsOf({ lines, slips, words }, sizes) {
  const results = withSizes(lines, sizes)
  // The slip of leaving out an addend names it.
  const labels = new Map(slips.map(([name, , label]) => [name, label]))
  /** The parts of a line that is counted so many times. @param {number} index @param {number} times @returns {PartOfSum[]} */
  const partsOfLine = (index, times) => {
    const { summands } = lines[index]
    const parts = summands.map((summand, order) => {
      const number = times * valueOfProduct(summand, results, sizes)
      const [, line] = /(?:^| )#([0-9]+)$/.exec(summand) ?? []
      const parts = line ? partsOfLine(Number(line), number / results[Number(line)].result) : []
      return { what: labels.get(`lacking:${index}.${order}`) ?? "", number, parts }
    })
    // A product alone is the line itself.
    return parts.length > 1 ? parts : parts[0].parts
  }
  const last = lines.length - 1
  return { what: words, number: results[last].result, parts: partsOfLine(last, 1) }
}

const [OPEN, CLOSE] = ["([{（", ")]}）"]

/** The places of a text outside all brackets. @param {string} text */
function outsideBrackets(text) {
  let depth = 0
  return [...text].map((sign) => {
    if (CLOSE.includes(sign)) depth--
    const isOutside = depth === 0
    if (OPEN.includes(sign)) depth++
    return isOutside
  })
}

/** The terms of a sum, apart from those within brackets. @param {string} text */
function termsOf(text) {
  const outside = outsideBrackets(text)
  const ends = [...text].flatMap((sign, index) => (/[+＋]/.test(sign) && outside[index] ? [index] : []))
  return [...ends, text.length].map((end, order) => text.slice(order ? ends[order - 1] + 1 : 0, end).trim())
}

/** The terms of a product with a sum in brackets once it is multiplied out; empty if it has none, or a power of it.
 * @param {string} product */
function multipliedOut(product) {
  const outside = outsideBrackets(product)
  const start = [...product].findIndex((sign, index) => OPEN.includes(sign) && outside[index])
  const end = [...product].findIndex((sign, index) => index > start && CLOSE.includes(sign) && outside[index])
  if (start < 0 || end < 0 || /^\s*[\^²³*]{1,2}\s*[0-9²³]?$/u.test(product.slice(end + 1))) return []
  const terms = termsOf(product.slice(start + 1, end))
  return terms.length > 1 ? terms.map((term) => `${product.slice(0, start)}(${term})${product.slice(end + 1)}`) : []
}

/** Some terms with their values; null if one cannot be read. @param {string[]} texts @param {Sizes} sizes
 * @returns {Term[] | null} */
function withValues(texts, sizes) {
  const terms = texts.map((text) => {
    const reading = readWith(text, sizes)
    return reading?.exact && reading.amount === "count" ? { text, value: reading.low } : null
  })
  return terms.every((term) => term !== null) ? terms : null
}

/** Every part of a tree. @param {PartOfSum} part @returns {PartOfSum[]} */
const allParts = (part) => [part, ...part.parts.flatMap(allParts)]

/** The terms of a typed sum, multiplied out where no part has the number of a term; null if they cannot be told apart.
 * @param {string[]} texts @param {PartOfSum} rightSum @param {Sizes} sizes @returns {Term[] | null} */
function smallTerms(texts, rightSum, sizes) {
  const terms = withValues(texts, sizes)
  if (!terms) return null
  const numbers = new Set(allParts(rightSum).map(({ number }) => number))
  const smaller = terms.map((term) => {
    const inner = numbers.has(term.value) ? [] : multipliedOut(term.text)
    return inner.length ? smallTerms(inner, rightSum, sizes) : [term]
  })
  return smaller.every((some) => some !== null) ? smaller.flat() : null
}

const MAX_ADDENDS = 12 // of which all selections are tried

/** The fewest of some numbers that add up to another; empty if none do.
 * @template A @param {A[]} addends @param {(addend: A) => number} numberOf @param {number} total @returns {A[]} */
function addingUpTo(addends, numberOf, total) {
  /** @type {A[]} */
  let best = []
  if (addends.length > MAX_ADDENDS) return best
  for (let selection = 1; selection < 2 ** addends.length; selection++) {
    const selectedAddends = addends.filter((_, index) => (selection >> index) & 1)
    if (sumBy(selectedAddends, numberOf) === total && (!best.length || selectedAddends.length < best.length))
      best = selectedAddends
  }
  return best
}

/** Takes the terms that stand for a part: as few as possible that add up to it. Whether there were any.
 * @param {Term[]} open @param {PartOfSum} part */
function take(open, { number }) {
  const terms = addingUpTo(open, ({ value }) => value, number)
  open.splice(0, open.length, ...open.filter((term) => !terms.includes(term)))
  return terms.length > 0
}

/** The smallest parts for which no term stands. Larger parts are looked for first: a term that may be a LayerNorm or a
 * bias within attention stands for the LayerNorm.
 * @param {PartOfSum[]} parts @param {Term[]} open  the terms that stand for no part yet @returns {PartOfSum[]} */
function missingParts(parts, open) {
  const missing = parts.filter((part) => !take(open, part))
  const smallest = missing.filter((part) => !part.parts.length)
  const smaller = missing.flatMap((part) => part.parts)
  return smaller.length ? [...smallest, ...missingParts(smaller, open)] : smallest
}

/** The missing parts, where a part of which everything is missing is named as a whole.
 * @param {PartOfSum} part @param {Set<PartOfSum>} missing  the smallest ones @returns {PartOfSum[]} */
function gathered(part, missing) {
  if (!part.parts.length) return missing.has(part) ? [part] : []
  const missingBelow = part.parts.flatMap((one) => gathered(one, missing))
  return missingBelow.length === part.parts.length && part.parts.every((one) => missingBelow.includes(one))
    ? [part]
    : missingBelow
}

/** A term as readers are shown it: with commas in a number, and without brackets around a single factor.
 * @param {Term} term */
const readable = ({ text, value }) =>
  /^[0-9]+$/.test(text) ? whole(value) : text.replace(/\((\s*(?:[0-9][0-9.,]*|\p{L})\s*)\)/gu, "$1")

/** Compares the terms of a typed sum with the right one; null if none of several is right, or if something is taken away.
 * @param {string} typed @param {PartOfSum} rightSum @param {Sizes} sizes
 * @returns {Comparison | null} */
export function compareTerms(typed, rightSum, sizes) {
  if (/[-−–]/.test(typed)) return null
  const terms = smallTerms(termsOf(typed), rightSum, sizes)
  if (!terms || terms.length < 2) return null
  const open = [...terms]
  const missing = new Set(missingParts([rightSum], open))
  // A term such as 2·H·F stands for several parts at once.
  const extra = open.filter(({ value }) => {
    const together = addingUpTo([...missing], ({ number }) => number, value)
    for (const part of together) missing.delete(part)
    return !together.length
  })
  const labels = gathered(rightSum, missing).map(({ what }) => what)
  if (extra.length === terms.length || labels.includes("")) return null
  const text = texts[!extra.length ? "terms-missing" : !labels.length ? "terms-extra" : "terms-wrong"]
  const values = { what: inWords(extra.map(readable)).join(""), other: inWords(labels).join("") }
  return { missing: labels, extra: extra.length, says: filled(text, values) }
}
