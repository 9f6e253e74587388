// Stores values in the browser between visits. If the browser stores nothing, as in a
// sandboxed frame without an origin, the values last as long as the page.

/** The values that the browser refused to store, by name. @type {Map<string, Record<string, unknown>>} */
const valuesUntilReload = new Map()

/** The value that is stored under a name; an empty object if there is none, or if it cannot be read.
 * @param {string} name @returns {Record<string, unknown>} */
export function load(name) {
  try {
    return valuesUntilReload.get(name) ?? Object(JSON.parse(localStorage.getItem(name) ?? "{}"))
  } catch {
    return {}
  }
}

/** Whether the browser lets this page use its storage. */
export function hasStorage() {
  try {
    return Boolean(localStorage)
  } catch {
    return false
  }
}

/** Stores a value under a name. @param {string} name @param {Record<string, unknown>} value */
export function save(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value))
    valuesUntilReload.delete(name)
  } catch {
    valuesUntilReload.set(name, value)
  }
}
