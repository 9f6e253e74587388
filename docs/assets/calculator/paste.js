// A config.json that is pasted, opened or dropped: fills the fields, and says
// which keys count nothing and what is wrong. It stays in the browser.

import { code, listed } from "../answering/elements.js"
import * as configuration from "../counting/configuration.js"
import { html } from "../drawing/html.js"
import { place } from "./live.js"
import { stateOfConfiguration } from "./state.js"

const text = /** @type {HTMLTextAreaElement} */ (place("calculator-config"))
const file = /** @type {HTMLInputElement} */ (place("calculator-file"))
const says = place("calculator-config-says")
const around = place("calculator")

/** What is said of a config that was read, or cannot be counted. @param {string} name @param {ReadConfig} read */
function answer(name, { configuration: found, named, uncounted, ignored, errors }) {
  if (errors.length) {
    const wrong = errors.map(({ message }) => html`<li>${message}.</li>`)
    return [html`<p class="bc-fault">${name} cannot be counted:</p>`, html`<ul class="bc-fault">${wrong}</ul>`]
  }
  const words = named ? [", with the class that it names, ", code(named)] : []
  const fills = [html`<p>${name} fills the fields${words}.</p>`]
  if (uncounted && found) {
    const instead = ", which is none of the classes that are counted here for this model, so the class is "
    fills.push(html`<p>It names ${code(uncounted)}${instead}${code(found.modelClass)}.</p>`)
  }
  if (!ignored.length) return fills
  const many = ignored.length === 1 ? "One key sizes nothing and was" : `${ignored.length} keys size nothing and were`
  const keys = listed(ignored.map((key) => code(key.slice(0, 60))))
  return [...fills, html`<p class="bc-hint">${many} passed over: ${keys}.</p>`]
}

/** @type {Listen} */
export function listen(current, changed) {
  /** @param {string | ArrayBuffer} source @param {string} name */
  function take(source, name) {
    const read = configuration.read(source)
    const { configuration: found, named } = read
    if (found) text.removeAttribute("aria-invalid")
    else text.setAttribute("aria-invalid", "true")
    says.replaceChildren(...answer(name, read))
    if (!found) return
    const fields = stateOfConfiguration(found, named ?? found.modelClass)
    changed({ fields, beside: current().beside }, "model")
  }

  text.form?.addEventListener("reset", () => {
    text.value = file.value = ""
    text.removeAttribute("aria-invalid")
    says.replaceChildren()
  })
  text.addEventListener("input", () => (text.value.trim() ? take(text.value, "This text") : says.replaceChildren()))
  /** @param {File | undefined} opened */
  const open = async (opened) => opened && take(await opened.arrayBuffer(), `“${opened.name.slice(0, 60)}”`)
  file.addEventListener("change", () => open(file.files?.[0]))
  around.addEventListener("dragover", (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault())
  around.addEventListener("drop", (event) => {
    const [dropped] = event.dataTransfer?.files ?? []
    if (!dropped) return // a text goes where it is dropped
    event.preventDefault()
    text.closest("details")?.setAttribute("open", "")
    open(dropped)
  })
}
