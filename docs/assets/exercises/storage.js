// Stores values in the browser from one visit to the next. Where the browser stores
// nothing, as in a sandboxed frame without an origin, they last as long as the page.

/** The values that the browser refused to store. @type {Map<string, Record<string, unknown>>} */
const untilReload = new Map()

/** The value under a name; an empty object if there is none, or if it is not readable as JSON.
 * @param {string} name @returns {Record<string, unknown>} */
export function load(name) {
  try {
    return untilReload.get(name) ?? Object(JSON.parse(localStorage.getItem(name) ?? "{}"))
  } catch {
    return {}
  }
}

/** Whether the browser keeps values for this page. */
export function keeps() {
  try {
    return Boolean(localStorage)
  } catch {
    return false
  }
}

/** Keeps a value under a name. @param {string} name @param {Record<string, unknown>} value */
export function save(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value))
  } catch {
    untilReload.set(name, value)
  }
}
