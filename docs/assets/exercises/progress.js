// Progress: which variants a reader has solved. It stays in this browser.

import { load, save } from "./storage.js"

const KEY = "bert-counted: solved exercises"

/** @type {Map<string, unknown>} */
let solved = new Map(Object.entries(load(KEY)))

/** @param {string} set @returns {number[]} */
export function solvedOf(set) {
  const seeds = solved.get(set)
  return Array.isArray(seeds) ? [...new Set(seeds.filter(Number.isInteger))] : []
}

/** @param {string} set @param {number} seed */
export function add(set, seed) {
  solved.set(set, [...new Set([...solvedOf(set), seed])])
  save(KEY, Object.fromEntries(solved))
}

export function reset() {
  solved = new Map()
  save(KEY, {})
}
