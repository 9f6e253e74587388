// Lets a page that explains nothing itself accept a number, a text or a file. The page that
// explains the input receives it in the address or through the browser's storage (see
// pasted-text.js).

import { readErrorText, readFile, takeAnything } from "./field.js"
import { addressFor } from "./pasted-text.js"

/** Lets a form accept any text or file and hand it over to the page in the form's `action`.
 * @param {HTMLFormElement & { n: HTMLTextAreaElement }} form */
export function handOverFrom(form) {
  const status = /** @type {HTMLElement} */ (form.querySelector("[role=status]"))

  /** Opens the page that explains a text. @param {string} text */
  function handOver(text) {
    const address = addressFor(form.action, text)
    if (address) location.assign(address)
    else status.textContent = "This is too long to be handed over. Bring it to the page “I got a different number”."
  }

  takeAnything(form, async (file) => {
    status.textContent = "Reading the file…"
    await readFile(file).then(handOver, (error) => (status.textContent = readErrorText(error)))
  })
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    handOver(form.n.value)
  })
}
