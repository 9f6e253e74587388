// Hands a text over to the page that explains it: it is stored in the browser, for the next page in
// the same tab, so it is not sent to the server. That page makes a short text part of its own
// address, so that the answer can be linked to.

const STORAGE_KEY = "bert-counted-pasted"
const MAX_LENGTH = 200 // characters; a longer text would be unwieldy in a link

/** The fragment in an address that makes a page read the stored text. */
export const PASTED_FRAGMENT = "#pasted"

/** Whether a text may become part of an address, because it is short and has a single line. @param {string} text */
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

/** The address at which a page explains a text. If the text cannot be stored, it becomes part of the address; the
 * result is "" if it does not fit there either.
 * @param {string} page  the address of that page @param {string} text */
export function addressFor(page, text) {
  if (storeText(text)) return page + PASTED_FRAGMENT
  return fitsInAddress(text) ? `${page}?${new URLSearchParams({ n: text.trim() })}` : ""
}
