// Polynomials: sums of terms, some of them once and some in every layer, and how
// they are written. The rules are those of macros/counting/polynomials.py.

import { factorsOf, getOrMake, product, sumBy, whole } from "./engine.js"

/** The elements of an item as a term.
 * @param {{ shape: Dimension[], layers: string[] }} item @returns {Term} */
export function termOf({ shape, layers }) {
  const factors = shape.flatMap(factorsOf)
  const letters = factors.filter((factor) => typeof factor === "string")
  const numbers = factors.filter((factor) => typeof factor === "number")
  return { coefficient: product(numbers, {}), letters, layers }
}

/** Lists of the items that have one key, in the order of their first items.
 * @template T @param {Iterable<T>} items @param {(item: T) => string} key @returns {Map<string, T[]>} */
export function grouped(items, key) {
  /** @type {Map<string, T[]>} */
  const lists = new Map()
  for (const item of items) getOrMake(lists, key(item), () => []).push(item)
  return lists
}

/** Like terms added up: H·F and F·H are alike, and keep the first spelling. The highest degree comes first.
 * @param {Term[]} terms */
export function merged(terms) {
  const alike = grouped(terms, ({ layers, letters }) => `${layers} ${[...letters].sort()}`)
  return [...alike.values()]
    .map((like) => ({ ...like[0], coefficient: sumBy(like, ({ coefficient }) => coefficient) }))
    .sort((one, other) => other.letters.length - one.letters.length)
}

/** The terms in the order of reading, with the letters of their layers: the tables, the layers, the rest.
 * @param {Term[]} terms @returns {[string, Term[]][]} */
export function groups(terms) {
  /** @param {Term} term */
  const isTable = ({ letters }) => letters.some((letter) => "VPS".includes(letter))
  const { "": once = [], ...repeated } = Object.fromEntries(grouped(terms, ({ layers }) => layers.join("·")))
  const [tables, others] = [once.filter(isTable), once.filter((term) => !isTable(term))]
  /** @type {[string, Term[]][]} */
  const inOrder = [["", tables], ...Object.entries(repeated), ["", others]]
  return inOrder.filter(([, group]) => group.length)
}

/** A term as text. @param {Term} term */
function textOf({ coefficient, letters }) {
  /** @param {string} letter */
  const power = (letter) => (letters.filter((other) => other === letter).length > 1 ? "²" : "")
  const factors = [...new Set(letters)].map((letter) => letter + power(letter))
  const size = Math.abs(coefficient)
  if (size !== 1 || !factors.length) factors.unshift(whole(size))
  return (coefficient < 0 ? "−" : "") + factors.join("·")
}

/** A sum of terms as text, with brackets around what is in every layer. @param {Term[]} terms */
export function formula(terms) {
  const pieces = groups(terms).map(([layers, group]) => {
    // A single term needs no brackets: L becomes its first letter, after its number.
    const isAlone = layers && group.length === 1
    const written = isAlone ? [{ ...group[0], letters: [layers, ...group[0].letters] }] : group
    const text = signedSum(written.map(textOf))
    return layers && !isAlone ? `${layers}·(${text})` : text
  })
  return signedSum(pieces) || "0"
}

/** A sum as text: its pieces with plus and minus signs between them. @param {string[]} pieces */
export const signedSum = (pieces) => pieces.join(" + ").replaceAll("+ −", "− ")
