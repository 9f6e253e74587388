// Progress: which variants a reader has solved. It stays in this browser, and
// where the browser keeps nothing it lasts as long as the page.

import exercises from "../../data/exercises.js"

const KEY = "bert-counted: solved exercises"

/** @type {Record<string, number[]>} */
let solved = {}

/** What was kept, if it is what it should be. @param {unknown} kept @returns {Record<string, number[]>} */
function checked(kept) {
  if (typeof kept !== "object" || kept === null) return {}
  return Object.fromEntries(
    exercises.sets.map(({ name }) => {
      const seeds = Object.hasOwn(kept, name) ? Reflect.get(kept, name) : []
      return [name, Array.isArray(seeds) ? [...new Set(seeds.filter(Number.isInteger))] : []]
    }),
  )
}

try {
  solved = checked(JSON.parse(localStorage.getItem(KEY) ?? "{}"))
} catch {
  // The browser keeps nothing, or something else was kept under the name.
}

function keep() {
  try {
    localStorage.setItem(KEY, JSON.stringify(solved))
  } catch {
    // It lasts as long as the page.
  }
}

/** @param {string} set */
export const solvedOf = (set) => solved[set] ?? []

/** @param {string} set @param {number} seed */
export function add(set, seed) {
  solved[set] = [...new Set([...solvedOf(set), seed])]
  keep()
}

export function reset() {
  solved = {}
  keep()
}
