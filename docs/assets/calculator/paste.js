// Fills the fields from a config.json that is pasted, opened or dropped, and reports
// its errors and the keys that do not affect any size. The file never leaves the
// browser.

import { code, inWords } from "../answering/elements.js"
import * as configuration from "../counting/configuration.js"
import { html } from "../drawing/html.js"
import { byId } from "./live.js"
import { stateOfConfiguration } from "./state.js"

const MAX_LENGTH = 60 // in characters; a longer name of a key or file is cut, because it may be of any length

const text = /** @type {HTMLTextAreaElement} */ (byId("calculator-config"))
const file = /** @type {HTMLInputElement} */ (byId("calculator-file"))
const report = byId("calculator-config-says")
const calculator = byId("calculator")

/**
 * The report on a config: how it fills the fields, or why it cannot be counted.
 * @param {string} name
 * @param {ReadConfig} read
 */
function reportOn(name, { configuration: counted, named, uncounted, ignored, errors }) {
  if (errors.length) {
    const items = errors.map(({ message }) => html`<li>${message}.</li>`)
    return [html`<p class="bc-fault">${name} cannot be counted:</p>`, html`<ul class="bc-fault">${items}</ul>`]
  }
  const withClass = named ? [", with the class that it names, ", code(named)] : []
  const paragraphs = [html`<p>${name} fills the fields${withClass}.</p>`]
  if (uncounted && counted) {
    const instead = ", which is not one of the classes that are counted here for this model, so the class is "
    paragraphs.push(html`<p>It names ${code(uncounted)}${instead}${code(counted.modelClass)}.</p>`)
  }
  if (!ignored.length) return paragraphs
  const many =
    ignored.length === 1
      ? "One key does not affect any size and was"
      : `${ignored.length} keys do not affect any size and were`
  const keys = inWords(ignored.map((key) => code(key.slice(0, MAX_LENGTH))))
  return [...paragraphs, html`<p class="bc-hint">${many} ignored: ${keys}.</p>`]
}

/** @type {Listen} */
export function listen(current, changed) {
  /**
   * @param {string | ArrayBuffer} source
   * @param {string} name
   */
  function take(source, name) {
    const read = configuration.read(source)
    const { configuration: counted, named } = read
    if (counted) text.removeAttribute("aria-invalid")
    else text.setAttribute("aria-invalid", "true")
    report.replaceChildren(...reportOn(name, read))
    if (!counted) return
    const fields = stateOfConfiguration(counted, named ?? counted.modelClass)
    changed({ fields, beside: current().beside }, "model")
  }

  text.form?.addEventListener("reset", () => {
    text.value = file.value = ""
    text.removeAttribute("aria-invalid")
    report.replaceChildren()
  })
  text.addEventListener("input", () => (text.value.trim() ? take(text.value, "This text") : report.replaceChildren()))
  /** @param {File | undefined} opened */
  const open = async (opened) => opened && take(await opened.arrayBuffer(), `“${opened.name.slice(0, MAX_LENGTH)}”`)
  file.addEventListener("change", () => open(file.files?.[0]))
  // Without this, the browser would open a file that is dropped in place of the page.
  calculator.addEventListener(
    "dragover",
    (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault(),
  )
  calculator.addEventListener("drop", (event) => {
    const [dropped] = event.dataTransfer?.files ?? []
    if (!dropped) return // a text that is dropped goes into the field under the pointer
    event.preventDefault()
    text.closest("details")?.setAttribute("open", "")
    open(dropped)
  })
}
