// The field for anything on a page that explains nothing itself: what is in it, or in a
// file, is handed over to the page that does.

import { faultOf, takeAnything, textOf } from "../answering/field.js"
import { addressFor } from "../answering/pasted.js"

const form = /** @type {HTMLFormElement & { n: HTMLTextAreaElement }} */ (document.querySelector("form.bc-anything"))
const status = /** @type {HTMLElement} */ (form.querySelector("[role=status]"))

/** @param {string} text */
function handOver(text) {
  const address = addressFor(form.action, text)
  if (address) location.assign(address)
  else status.textContent = "This is too long to be handed over. Bring it to the page “I got another number”."
}

takeAnything(form, async (file) => {
  status.textContent = "Reading the file…"
  await textOf(file).then(handOver, (error) => (status.textContent = faultOf(error)))
})
form.addEventListener("submit", (event) => {
  event.preventDefault()
  handOver(form.n.value)
})
