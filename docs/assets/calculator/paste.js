// A config.json that is pasted, opened or dropped: fills the fields, and says
// which keys count nothing and what is wrong. It stays in the browser.

import { code, element } from "../answering/elements.js"
import * as configuration from "../counting/configuration.js"
import { place } from "./live.js"
import { stateOfConfiguration } from "./state.js"

const MOST_SHOWN = 12

const text = /** @type {HTMLTextAreaElement} */ (
  element("textarea", {
    id: "calculator-config",
    rows: "4",
    spellcheck: "false",
    autocomplete: "off",
    "aria-describedby": "calculator-config-says",
  })
)
const file = /** @type {HTMLInputElement} */ (
  element("input", { id: "calculator-file", type: "file", accept: ".json,application/json" })
)
const says = element("div", { id: "calculator-config-says", class: "bc-read", role: "status" })
const panel = element(
  "details",
  { class: "bc-paste" },
  element("summary", {}, "Paste or drop a ", code("config.json")),
  element("label", { for: text.id }, "Its text"),
  text,
  element("label", { for: file.id }, "or the file"),
  file,
  says,
)
const around = place("calculator")
place("calculator-form").append(panel)

/** @type {Listen} */
export function listen(current, changed) {
  /** @param {string | ArrayBuffer} source @param {string} name */
  function take(source, name) {
    const read = configuration.read(source)
    text.removeAttribute("aria-invalid")
    if (!read.configuration) {
      text.setAttribute("aria-invalid", "true")
      says.replaceChildren(
        element("p", { class: "bc-fault" }, `${name} cannot be counted:`),
        element(
          "ul",
          { class: "bc-fault" },
          read.errors.map(({ message }) => element("li", {}, `${message}.`)),
        ),
      )
      return
    }
    const { configuration: found, ignored, named } = read
    says.replaceChildren(
      element(
        "p",
        {},
        `${name} fills the fields${named ? `, with the class that it names, ` : ""}`,
        named ? code(named) : "",
        ".",
      ),
      ...(ignored.length ? [element("p", { class: "bc-hint" }, ...ignoredKeys(ignored))] : []),
    )
    changed({ ...stateOfConfiguration(found, named ?? found.modelClass), beside: current().beside }, "model")
  }

  text.form?.addEventListener("reset", () => {
    text.value = file.value = ""
    text.removeAttribute("aria-invalid")
    says.replaceChildren()
  })
  text.addEventListener("input", () => (text.value.trim() ? take(text.value, "This text") : says.replaceChildren()))
  /** @param {File | undefined} dropped */
  async function open(dropped) {
    if (!dropped) return
    panel.setAttribute("open", "")
    take(await dropped.arrayBuffer(), `“${dropped.name.slice(0, 60)}”`)
  }
  file.addEventListener("change", () => open(file.files?.[0]))
  around.addEventListener("dragover", (event) => {
    event.preventDefault()
    around.classList.add("bc-over")
  })
  around.addEventListener("dragleave", () => around.classList.remove("bc-over"))
  around.addEventListener("drop", (event) => {
    event.preventDefault()
    around.classList.remove("bc-over")
    const dropped = event.dataTransfer?.files[0]
    if (dropped) open(dropped)
    else {
      text.value = event.dataTransfer?.getData("text") ?? ""
      panel.setAttribute("open", "")
      text.dispatchEvent(new Event("input"))
    }
  })
}

/** @param {string[]} ignored @returns {Content[]} */
const ignoredKeys = (ignored) => [
  `${ignored.length === 1 ? "One key sizes nothing and was" : `${ignored.length} keys size nothing and were`} passed over: `,
  ...listed(ignored),
]

/** Keys in a line, those that are too many as a number. @param {string[]} keys @returns {Content[]} */
function listed(keys) {
  const shown = keys.slice(0, MOST_SHOWN)
  const more = keys.length - shown.length
  return [
    ...shown.flatMap((key, place) => [place ? ", " : "", code(key.slice(0, 60))]),
    more ? ` and ${more} more.` : ".",
  ]
}
