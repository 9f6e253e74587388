// The page where readers type a number. It reads the form and the address, and shows
// the answer, which explaining/ finds and answering/ words.

import { addressOf, answerTo } from "../answering/answer.js"
import { element } from "../answering/elements.js"
import { models } from "../counting/engine.js"
import { explainInSteps, prepare } from "../explaining/explain.js"

/** @typedef {HTMLFormElement & { n: HTMLInputElement, model: HTMLSelectElement }} Question  the form and its fields */
const form = /** @type {Question} */ (document.querySelector("#question"))
const answer = /** @type {HTMLElement} */ (document.querySelector("#answer"))

/** The name of the model in the form, or "" for any model. */
const formModel = () => (models.has(form.model.value) ? form.model.value : "")

let questions = 0 // the number of questions so far; only the last one is answered

async function ask() {
  const [text, model, question] = [form.n.value, formModel(), ++questions]
  answer.replaceChildren()
  const explanations = await explainInSteps(text, model)
  if (question === questions) answer.replaceChildren(...answerTo(text, model, explanations))
}

form.addEventListener("submit", (event) => {
  event.preventDefault()
  history.replaceState(null, "", addressOf(form.n.value, formModel()))
  ask()
})
form.model.addEventListener("change", () => form.n.value.trim() && form.requestSubmit())

// The button is added here because it would do nothing without scripts.
form.append(element("button", { class: "md-button md-button--primary", type: "submit" }, "Explain"))

const query = new URLSearchParams(location.search)
const [typed, model] = [query.get("n"), query.get("model")]
if (model !== null) form.model.value = models.has(model) ? model : ""
if (typed !== null) {
  form.n.value = typed
  ask()
}

// The search prepares while the reader types, and not at all for someone who only reads.
form.addEventListener("focusin", prepare, { once: true })
