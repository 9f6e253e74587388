// Compares the terms of a typed sum with those of the right one, and finds which are right,
// which are missing and which do not belong there. The terms reveal more about a mistake than
// their total does, because several mistakes may lead to the same total.
//
// A term may count any part of the right sum, from a whole layer to a single bias, or several
// parts at once; and several terms may add up to one part. Terms are right if their value is that
// of parts that no other terms count. Brackets are expanded only if the term as a whole is not a
// part.

import exercises from "../../data/exercises.js"
import { inWords } from "../answering/elements.js"
import { sumBy, whole } from "../counting/engine.js"
import { fillIn } from "../counting/messages.js"
import { readWithSizes } from "../explaining/letters.js"
import { valueOfProduct, withSizes } from "./letter-sums.js"

const { texts } = exercises

/** The result of a comparison: the missing parts, the number of wrong terms, and a description of both.
 * @typedef {{ missing: string[], extra: number, feedback: string }} Comparison */

/** A term as typed, and its value. @typedef {{ text: string, value: number }} TypedTerm */

/** The right sum as a tree: the answer at the root, and below each part the parts that add up to it.
 * @param {Ask} ask @param {Sizes} sizes @returns {PartOfSum} */
export function sumTree({ lines, slips, words }, sizes) {
  const workedLines = withSizes(lines, sizes)
  // The slips that leave out an addend contain its label.
  const labels = new Map(slips.map(([name, , label]) => [name, label]))
  /** The parts of a line that is counted `times` times. @param {number} index @param {number} times
   * @returns {PartOfSum[]} */
  const partsOfLine = (index, times) => {
    const { summands } = lines[index]
    const parts = summands.map((summand, summandIndex) => {
      const number = times * valueOfProduct(summand, workedLines, sizes)
      const [, line] = /(?:^| )#([0-9]+)$/.exec(summand) ?? []
      const parts = line ? partsOfLine(Number(line), number / workedLines[Number(line)].result) : []
      return { what: labels.get(`lacking:${index}.${summandIndex}`) ?? "", number, parts }
    })
    // A single product is the line itself.
    return parts.length > 1 ? parts : parts[0].parts
  }
  const last = lines.length - 1
  return { what: words, number: workedLines[last].result, parts: partsOfLine(last, 1) }
}

const [OPEN, CLOSE] = ["([{（", ")]}）"]

/** For each character of a text, whether it is outside all brackets. @param {string} text */
function outsideBrackets(text) {
  let depth = 0
  return [...text].map((character) => {
    if (CLOSE.includes(character)) depth--
    const isOutside = depth === 0
    if (OPEN.includes(character)) depth++
    return isOutside
  })
}

/** The terms of a sum, split only at plus signs outside brackets. @param {string} text */
function termsOf(text) {
  const outside = outsideBrackets(text)
  const ends = [...text].flatMap((character, index) => (/[+＋]/.test(character) && outside[index] ? [index] : []))
  return [...ends, text.length].map((end, index) => text.slice(index ? ends[index - 1] + 1 : 0, end).trim())
}

/** The beginning of an exponent: a superscript, `^` or `**`. A single star is a product. */
const POWER = /^\s*(?:[²³^]|\*\*)/

/** The terms of a product after a sum in brackets is expanded; empty if the product contains no such sum, or
 * raises it to a power.
 * @param {string} product */
function multiplyOut(product) {
  const outside = outsideBrackets(product)
  const start = [...product].findIndex((character, index) => OPEN.includes(character) && outside[index])
  const end = [...product].findIndex((character, index) => index > start && CLOSE.includes(character) && outside[index])
  if (start < 0 || end < 0 || POWER.test(product.slice(end + 1))) return []
  const terms = termsOf(product.slice(start + 1, end))
  return terms.length > 1 ? terms.map((term) => `${product.slice(0, start)}(${term})${product.slice(end + 1)}`) : []
}

/** The terms with their values; null if one of them cannot be read as an exact count.
 * @param {string[]} termTexts @param {Sizes} sizes
 * @returns {TypedTerm[] | null} */
function withValues(termTexts, sizes) {
  const terms = termTexts.map((text) => {
    const reading = readWithSizes(text, sizes)
    return reading?.exact && reading.amount === "count" ? { text, value: reading.low } : null
  })
  return terms.every((term) => term !== null) ? terms : null
}

/** A part and all parts below it. @param {PartOfSum} part @returns {PartOfSum[]} */
const allParts = (part) => [part, ...part.parts.flatMap(allParts)]

/** The terms of a typed sum. A term whose value is not the number of a part is expanded. Null if a term cannot be read.
 * @param {string[]} termTexts @param {PartOfSum} rightSum @param {Sizes} sizes @returns {TypedTerm[] | null} */
function expandTerms(termTexts, rightSum, sizes) {
  const terms = withValues(termTexts, sizes)
  if (!terms) return null
  const numbers = new Set(allParts(rightSum).map(({ number }) => number))
  const expandedTerms = terms.map((term) => {
    const innerTexts = numbers.has(term.value) ? [] : multiplyOut(term.text)
    return innerTexts.length ? expandTerms(innerTexts, rightSum, sizes) : [term]
  })
  return expandedTerms.every((list) => list !== null) ? expandedTerms.flat() : null
}

const MAX_ADDENDS = 12 // all selections are tried, so with more addends this would take too long

/** The fewest addends that add up to a total; empty if there are none, or too many addends to try.
 * @template A @param {A[]} addends @param {(addend: A) => number} numberOf @param {number} total @returns {A[]} */
function fewestAddends(addends, numberOf, total) {
  /** @type {A[]} */
  let shortestSelection = []
  if (addends.length > MAX_ADDENDS) return shortestSelection
  for (let selection = 1; selection < 2 ** addends.length; selection++) {
    const selectedAddends = addends.filter((_, index) => (selection >> index) & 1)
    if (
      sumBy(selectedAddends, numberOf) === total &&
      (!shortestSelection.length || selectedAddends.length < shortestSelection.length)
    )
      shortestSelection = selectedAddends
  }
  return shortestSelection
}

/** Removes the fewest terms that add up to a part. Returns whether such terms were found.
 * @param {TypedTerm[]} unmatchedTerms @param {PartOfSum} part */
function removeTermsOf(unmatchedTerms, { number }) {
  const terms = fewestAddends(unmatchedTerms, ({ value }) => value, number)
  unmatchedTerms.splice(0, unmatchedTerms.length, ...unmatchedTerms.filter((term) => !terms.includes(term)))
  return terms.length > 0
}

/** The smallest parts that no term counts. The terms that count a part are removed from `unmatchedTerms`. Larger parts
 * are matched first, so a term that may be a LayerNorm or a bias within attention counts the LayerNorm.
 * @param {PartOfSum[]} parts @param {TypedTerm[]} unmatchedTerms  the terms that no part matches yet
 * @returns {PartOfSum[]} */
function missingParts(parts, unmatchedTerms) {
  const uncountedParts = parts.filter((part) => !removeTermsOf(unmatchedTerms, part))
  const smallestParts = uncountedParts.filter((part) => !part.parts.length)
  const partsBelow = uncountedParts.flatMap((part) => part.parts)
  return partsBelow.length ? [...smallestParts, ...missingParts(partsBelow, unmatchedTerms)] : smallestParts
}

/** The missing parts within a part. If everything below a part is missing, the part itself takes its place.
 * @param {PartOfSum} part @param {Set<PartOfSum>} smallestMissing  the smallest missing parts @returns {PartOfSum[]} */
function gatherMissing(part, smallestMissing) {
  if (!part.parts.length) return smallestMissing.has(part) ? [part] : []
  const missingBelow = part.parts.flatMap((child) => gatherMissing(child, smallestMissing))
  return missingBelow.length === part.parts.length && part.parts.every((child) => missingBelow.includes(child))
    ? [part]
    : missingBelow
}

/** A term as shown to readers: with commas in a number, and without brackets around a single factor.
 * @param {TypedTerm} term */
const readableTerm = ({ text, value }) =>
  /^[0-9]+$/.test(text) ? whole(value) : text.replace(/\((\s*(?:[0-9][0-9.,]*|\p{L})\s*)\)/gu, "$1")

/** The comparison of a typed sum's terms with the right sum; null if none of the terms is right, if there is only one,
 * if one cannot be read as an exact count, if something is subtracted, or if a missing part has no label.
 * @param {string} typedSum @param {PartOfSum} rightSum @param {Sizes} sizes
 * @returns {Comparison | null} */
export function compareTerms(typedSum, rightSum, sizes) {
  if (/[-−–]/.test(typedSum)) return null
  const terms = expandTerms(termsOf(typedSum), rightSum, sizes)
  if (!terms || terms.length < 2) return null
  const unmatchedTerms = [...terms]
  const smallestMissingParts = new Set(missingParts([rightSum], unmatchedTerms))
  // A term such as 2·H·F counts several parts at once.
  const extraTerms = unmatchedTerms.filter(({ value }) => {
    const partsOfTerm = fewestAddends([...smallestMissingParts], ({ number }) => number, value)
    for (const part of partsOfTerm) smallestMissingParts.delete(part)
    return !partsOfTerm.length
  })
  const labels = gatherMissing(rightSum, smallestMissingParts).map(({ what }) => what)
  if (extraTerms.length === terms.length || labels.includes("")) return null
  const nameIfExtra = labels.length ? "terms-wrong" : "terms-extra"
  const text = texts[extraTerms.length ? nameIfExtra : "terms-missing"]
  const values = { what: inWords(extraTerms.map(readableTerm)).join(""), other: inWords(labels).join("") }
  return { missing: labels, extra: extraTerms.length, feedback: fillIn(text, values) }
}
