// Adds up polynomials in the sizes and writes them as formulas. A polynomial is a sum of
// terms, some of which have a number of layers as a factor, as in V·H + L·(H² + H). The
// rules are those of macros/counting/polynomials.py.

import { factorsOf, getOrMake, product, sumBy, whole } from "./engine.js"

/** The number of elements of an item as a term.
 * @param {{ shape: Dimension[], layers: string[] }} item @returns {Term} */
export function termOf({ shape, layers }) {
  const factors = shape.flatMap(factorsOf)
  const letters = factors.filter((factor) => typeof factor === "string")
  const numbers = factors.filter((factor) => typeof factor === "number")
  return { coefficient: product(numbers, {}), letters, layers }
}

/** A term expanded into terms without differences: V·(H − E) becomes V·H − V·E. @param {Term} term @returns {Term[]} */
export function expandDifferences(term) {
  const difference = term.letters.find((letter) => letter.includes("−"))
  if (!difference) return [term]
  const [, first, second] = /^\((.) − (.)\)$/.exec(difference) ?? []
  const differenceIndex = term.letters.indexOf(difference)
  /** The letters of the term, with `letter` in place of the difference. @param {string} letter */
  const lettersWith = (letter) => term.letters.map((other, index) => (index === differenceIndex ? letter : other))
  const minuend = { ...term, letters: lettersWith(first) }
  const subtrahend = { ...term, letters: lettersWith(second), coefficient: -term.coefficient }
  return [...expandDifferences(minuend), ...expandDifferences(subtrahend)]
}

/** The items grouped by key, in the order in which the keys first occur.
 * @template T @param {Iterable<T>} items @param {(item: T) => string} key @returns {Map<string, T[]>} */
export function groupBy(items, key) {
  /** @type {Map<string, T[]>} */
  const lists = new Map()
  for (const item of items) getOrMake(lists, key(item), () => []).push(item)
  return lists
}

/** The terms of a sum after like terms are combined, by descending degree. H·F and F·H are like terms; the first
 * spelling is kept.
 * @param {Term[]} terms */
export function mergeTerms(terms) {
  const groupsOfLikeTerms = groupBy(terms, ({ layers, letters }) => `${layers} ${[...letters].sort()}`)
  return [...groupsOfLikeTerms.values()]
    .map((likeTerms) => ({ ...likeTerms[0], coefficient: sumBy(likeTerms, ({ coefficient }) => coefficient) }))
    .sort((one, other) => other.letters.length - one.letters.length)
}

/** The terms in groups, in reading order: tables, terms in layers, and other terms. Each group is paired with the
 * factor for its number of layers, which is "" outside the layers.
 * @param {Term[]} terms @returns {[string, Term[]][]} */
export function groups(terms) {
  /** Whether a term counts a table, which has a row for each word, position or segment. @param {Term} term */
  const isTable = ({ letters }) => letters.some((letter) => "VPS".includes(letter))
  const { "": outsideLayers = [], ...inLayers } = Object.fromEntries(groupBy(terms, ({ layers }) => layers.join("·")))
  const [tableTerms, otherTerms] = [outsideLayers.filter(isTable), outsideLayers.filter((term) => !isTable(term))]
  /** @type {[string, Term[]][]} */
  const groupsInOrder = [["", tableTerms], ...Object.entries(inLayers), ["", otherTerms]]
  return groupsInOrder.filter(([, group]) => group.length)
}

/** A term as text, such as 2·V·H or −H². @param {Term} term */
function textOf({ coefficient, letters }) {
  /** A superscript two if a letter occurs more than once; otherwise "". @param {string} letter */
  const power = (letter) => (letters.filter((other) => other === letter).length > 1 ? "²" : "")
  const factors = [...new Set(letters)].map((letter) => letter + power(letter))
  const magnitude = Math.abs(coefficient)
  if (magnitude !== 1 || !factors.length) factors.unshift(whole(magnitude))
  return (coefficient < 0 ? "−" : "") + factors.join("·")
}

/** A sum of terms as text, with brackets around several terms that are multiplied by a number of layers.
 * @param {Term[]} terms */
export function formula(terms) {
  const pieces = groups(terms).map(([layers, group]) => {
    // A single term needs no brackets: the number of layers becomes its first letter, after the coefficient.
    const isAlone = layers && group.length === 1
    const summands = isAlone ? [{ ...group[0], letters: [layers, ...group[0].letters] }] : group
    const text = signedSum(summands.map(textOf))
    return layers && !isAlone ? `${layers}·(${text})` : text
  })
  return signedSum(pieces) || "0"
}

/** A sum as text, with plus and minus signs between its pieces. @param {string[]} pieces */
export const signedSum = (pieces) => pieces.join(" + ").replaceAll("+ −", "− ")
