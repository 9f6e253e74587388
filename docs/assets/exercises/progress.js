// Progress: which variants a reader has solved. It stays in this browser.

import { load, save } from "./storage.js"

const KEY = "bert-counted: solved exercises"

/** @param {string} set @returns {number[]} */
export function solvedOf(set) {
  const seeds = load(KEY)[set]
  return Array.isArray(seeds) ? [...new Set(seeds.filter(Number.isInteger))] : []
}

/** @param {string} set @param {number} seed */
export const add = (set, seed) => save(KEY, { ...load(KEY), [set]: [...new Set([...solvedOf(set), seed])] })
export const reset = () => save(KEY, {})
