// A config.json that is pasted, opened or dropped: fills the fields, and says
// which keys count nothing and what is wrong. It stays in the browser.

import { code } from "../answering/elements.js"
import * as configuration from "../counting/configuration.js"
import { html } from "../drawing/html.js"
import { place } from "./live.js"
import { stateOfConfiguration } from "./state.js"

const MOST_SHOWN = 12

const text = /** @type {HTMLTextAreaElement} */ (place("calculator-config"))
const file = /** @type {HTMLInputElement} */ (place("calculator-file"))
const says = place("calculator-config-says")
const around = place("calculator")

/** @type {Listen} */
export function listen(current, changed) {
  /** @param {string | ArrayBuffer} source @param {string} name */
  function take(source, name) {
    const { configuration: found, ignored, named, errors } = configuration.read(source)
    if (found) text.removeAttribute("aria-invalid")
    else text.setAttribute("aria-invalid", "true")
    if (!found) {
      const wrong = errors.map(({ message }) => html`<li>${message}.</li>`)
      return says.replaceChildren(
        html`<p class="bc-fault">${name} cannot be counted:</p>`,
        html`<ul class="bc-fault">${wrong}</ul>`,
      )
    }
    const words = named ? [", with the class that it names, ", code(named)] : []
    says.replaceChildren(
      html`<p>${name} fills the fields${words}.</p>`,
      ...(ignored.length ? [ignoredKeys(ignored)] : []),
    )
    changed({ ...stateOfConfiguration(found, named ?? found.modelClass), beside: current().beside }, "model")
  }

  function clear() {
    text.value = file.value = ""
    text.removeAttribute("aria-invalid")
    says.replaceChildren()
  }
  text.form?.addEventListener("reset", clear)
  text.addEventListener("input", () => (text.value.trim() ? take(text.value, "This text") : says.replaceChildren()))
  const unfold = () => text.closest("details")?.setAttribute("open", "")
  /** @param {File | undefined} dropped */
  async function open(dropped) {
    if (!dropped) return
    unfold()
    take(await dropped.arrayBuffer(), `“${dropped.name.slice(0, 60)}”`)
  }
  file.addEventListener("change", () => open(file.files?.[0]))
  for (const kind of /** @type {const} */ (["dragover", "dragleave", "drop"]))
    around.addEventListener(kind, (event) => {
      around.classList.toggle("bc-over", kind === "dragover")
      if (kind !== "dragleave") event.preventDefault()
    })
  around.addEventListener("drop", ({ dataTransfer }) => {
    const dropped = dataTransfer?.files[0]
    if (dropped) return void open(dropped)
    text.value = dataTransfer?.getData("text") ?? ""
    unfold()
    text.dispatchEvent(new Event("input"))
  })
}

/** Keys in a line, those that are too many as a number. @param {string[]} keys */
function ignoredKeys(keys) {
  const many = keys.length === 1 ? "One key sizes nothing and was" : `${keys.length} keys size nothing and were`
  const shown = keys.slice(0, MOST_SHOWN).flatMap((key, order) => [order ? ", " : "", code(key.slice(0, 60))])
  const more = keys.length - MOST_SHOWN
  return html`<p class="bc-hint">${many} passed over: ${shown}${more > 0 ? ` and ${more} more.` : "."}</p>`
}
