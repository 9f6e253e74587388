// Hands a text over to the page that explains it. A short text becomes part of the address,
// so that the answer can be linked to. A long text is stored in the browser, for the next
// page in the same tab.

const STORAGE_KEY = "bert-counted-pasted"
const MAX_LENGTH = 200 // characters of a text that may become part of an address; more would be unwieldy in a link

/** The fragment in an address that makes a page read the stored text. */
export const PASTED_FRAGMENT = "#pasted"

/** Whether a text may become part of an address. @param {string} text */
export const fitsInAddress = (text) => text.length <= MAX_LENGTH && !text.trim().includes("\n")

/** Stores a text for the page that is opened next. Returns whether the browser could store it. @param {string} text */
export function storeText(text) {
  try {
    sessionStorage.setItem(STORAGE_KEY, text)
    return true
  } catch {
    return false // the browser has no storage, as in a sandboxed frame, or not enough
  }
}

/** The stored text; "" if there is none. */
export function loadText() {
  try {
    return sessionStorage.getItem(STORAGE_KEY) ?? ""
  } catch {
    return ""
  }
}

/** The address at which a page explains a text; "" if the text is too long for the address and cannot be stored.
 * @param {string} page  the address of that page @param {string} text */
export function addressFor(page, text) {
  if (fitsInAddress(text)) return `${page}?${new URLSearchParams({ n: text.trim() })}`
  return storeText(text) ? page + PASTED_FRAGMENT : ""
}
