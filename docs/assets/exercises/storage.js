// What the browser keeps from visit to visit; where it keeps nothing, as in a
// frame whose sandbox lets it have no origin, it lasts as long as the page.

/** @type {Map<string, Record<string, unknown>>} */
const remembered = new Map()

/** What is kept under a name, or nothing: something else may be kept there. @param {string} name @returns {Record<string, unknown>} */
export function load(name) {
  try {
    return remembered.get(name) ?? Object(JSON.parse(localStorage.getItem(name) ?? "{}"))
  } catch {
    return {}
  }
}

/** Whether the browser keeps anything for this page. */
export function keeps() {
  try {
    return Boolean(localStorage)
  } catch {
    return false
  }
}

/** @param {string} name @param {Record<string, unknown>} value */
export function save(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value))
  } catch {
    remembered.set(name, value)
  }
}
