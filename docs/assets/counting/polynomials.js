// Polynomials: sums of terms, some of them once and some in every layer, and how
// they are written. The rules are those of macros/counting/polynomials.py.

import { factorsOf, kept, product, sumBy, whole } from "./engine.js"

/** @param {{ shape: Dimension[], layers: string[] }} item @returns {Term} */
export function termOf({ shape, layers }) {
  const factors = shape.flatMap(factorsOf)
  const letters = factors.filter((each) => typeof each === "string")
  const coefficient = product(
    factors.filter((each) => typeof each === "number"),
    {},
  )
  return { coefficient, letters, layers }
}

/** What has the same key together. @template T @param {Iterable<T>} items @param {(each: T) => string} key @returns {Map<string, T[]>} */
export function grouped(items, key) {
  /** @type {Map<string, T[]>} */
  const found = new Map()
  for (const each of items) kept(found, key(each), () => []).push(each)
  return found
}

/** Like terms added up: H·F and F·H are alike, and keep the first spelling. The highest degree comes first.
 * @param {Term[]} terms */
export function merged(terms) {
  const alike = grouped(terms, ({ layers, letters }) => `${layers} ${[...letters].sort()}`)
  return [...alike.values()]
    .map((each) => ({ ...each[0], coefficient: sumBy(each, ({ coefficient }) => coefficient) }))
    .sort((one, other) => other.letters.length - one.letters.length)
}

/** The terms in the order of reading, with the letters of their layers: the tables, the layers, the rest.
 * @param {Term[]} terms @returns {[string, Term[]][]} */
export function groups(terms) {
  /** @param {Term} term */
  const isTable = ({ letters }) => letters.some((each) => "VPS".includes(each))
  const { "": once = [], ...repeated } = Object.fromEntries(grouped(terms, ({ layers }) => layers.join("·")))
  const [tables, others] = [once.filter(isTable), once.filter((term) => !isTable(term))]
  /** @type {[string, Term[]][]} */
  const found = [["", tables], ...Object.entries(repeated), ["", others]]
  return found.filter(([, each]) => each.length)
}

/** @param {Term} term */
function written({ coefficient, letters }) {
  /** @param {string} letter */
  const power = (letter) => (letters.filter((each) => each === letter).length > 1 ? "²" : "")
  const factors = [...new Set(letters)].map((letter) => letter + power(letter))
  const size = Math.abs(coefficient)
  if (size !== 1 || !factors.length) factors.unshift(whole(size))
  return (coefficient < 0 ? "−" : "") + factors.join("·")
}

/** @param {Term[]} terms */
export function formula(terms) {
  const pieces = groups(terms).map(([layers, each]) => {
    // A number comes before all letters.
    const isAlone = layers && each.length === 1
    const text = added((isAlone ? [{ ...each[0], letters: [layers, ...each[0].letters] }] : each).map(written))
    return layers && !isAlone ? `${layers}·(${text})` : text
  })
  return added(pieces) || "0"
}

/** Pieces of a sum with their signs between them. @param {string[]} pieces */
export const added = (pieces) => pieces.join(" + ").replaceAll("+ −", "− ")
