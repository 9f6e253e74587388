// Takes a text to the page that explains it. A short one goes into the address,
// so that the answer can be linked to; a long one stays in the browser, which keeps it
// for the page that is opened next in the same tab.

const STORAGE_KEY = "bert-counted-pasted"
const MAX_LENGTH = 200 // characters of a text that may become part of an address; more would be unwieldy in a link

/** The end of the address of a page that is to read the text that the browser keeps. */
export const PASTED = "#pasted"

/** Whether a text may become part of an address. @param {string} text */
export const isShort = (text) => text.length <= MAX_LENGTH && !text.trim().includes("\n")

/** Keeps a text for the page that is opened next; says whether the browser does. @param {string} text */
export function keep(text) {
  try {
    sessionStorage.setItem(STORAGE_KEY, text)
    return true
  } catch {
    return false // there is no storage, as in a sandboxed frame, or too little
  }
}

/** The text that the browser keeps, or "". */
export function loadText() {
  try {
    return sessionStorage.getItem(STORAGE_KEY) ?? ""
  } catch {
    return ""
  }
}

/** The address at which a page explains a text; "" if the text can neither become part of it nor be kept.
 * @param {string} page  the address of that page @param {string} text */
export function addressFor(page, text) {
  if (isShort(text)) return `${page}?${new URLSearchParams({ n: text.trim() })}`
  return keep(text) ? page + PASTED : ""
}
