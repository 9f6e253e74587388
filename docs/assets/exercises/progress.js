// Progress: which variants a reader has solved. It stays in this browser, and
// where the browser keeps nothing it lasts as long as the page.

const KEY = "bert-counted: solved exercises"

/** @type {Map<string, number[]>} */
let solved = new Map()

try {
  /** @type {[string, unknown][]} */
  const kept = Object.entries(JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {})
  for (const [set, seeds] of kept)
    if (Array.isArray(seeds)) solved.set(set, [...new Set(seeds.filter(Number.isInteger))])
} catch {
  // The browser keeps nothing, or something else was kept under the name.
}

function keep() {
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(solved)))
  } catch {
    // It lasts as long as the page.
  }
}

/** @param {string} set */
export const solvedOf = (set) => solved.get(set) ?? []

/** @param {string} set @param {number} seed */
export function add(set, seed) {
  solved.set(set, [...new Set([...solvedOf(set), seed])])
  keep()
}

export function reset() {
  solved = new Map()
  keep()
}
