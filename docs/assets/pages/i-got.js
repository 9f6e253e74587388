// The page where readers type a number: reads the form and the address, and
// shows the answer.

import { addressOf, answerTo } from "../answering/answer.js"
import { element } from "../answering/elements.js"
import { models } from "../counting/engine.js"
import { explainInSteps, prepare } from "../explaining/explain.js"

/** @typedef {HTMLFormElement & { n: HTMLInputElement, model: HTMLSelectElement }} Question  the form and its fields */
const form = /** @type {Question} */ (document.querySelector("#question"))
const answer = /** @type {HTMLElement} */ (document.querySelector("#answer"))

const chosenModel = () => (models.has(form.model.value) ? form.model.value : "")

let questions = 0 // how many were asked, of which only the last is answered

async function ask() {
  const [text, model, question] = [form.n.value, chosenModel(), ++questions]
  answer.replaceChildren()
  const found = await explainInSteps(text, model)
  if (question === questions) answer.replaceChildren(...answerTo(text, model, found))
}

form.addEventListener("submit", (event) => {
  event.preventDefault()
  history.replaceState(null, "", addressOf(form.n.value, chosenModel()))
  ask()
})
form.model.addEventListener("change", () => form.n.value.trim() && form.requestSubmit())

// Without scripts there is nothing to press.
form.append(element("button", { class: "md-button md-button--primary", type: "submit" }, "Explain"))

const query = new URLSearchParams(location.search)
const [asked, model] = [query.get("n"), query.get("model")]
if (model !== null) form.model.value = models.has(model) ? model : ""
if (asked !== null) {
  form.n.value = asked
  ask()
}

// Work begins while the reader types; who only reads pays nothing.
form.addEventListener("focusin", prepare, { once: true })
