// Fills the fields from a config.json that the reader pastes, opens or drops, and reports
// its errors, the keys that affect no size, and the unknown keys. The fields can also be
// filled from the name of a model, such as its id on the Hugging Face hub. Nothing is sent
// to a server.
//
// A text that may be JSON is read at once. If a text looks like a printed config or like a
// name, the scripts that read it are fetched first, and the text in the field may have
// changed by the time they have loaded.

import { code, inWords } from "../answering/elements.js"
import * as configuration from "../counting/configuration.js"
import { sentence } from "../counting/short.js"
import { html } from "../drawing/html.js"
import { asPlainText } from "../reading/words.js"
import { byId } from "./live.js"
import { fieldsOfConfiguration, fieldsOfModel } from "./state.js"

const MAX_LENGTH = 60 // characters; the names of keys and files may have any length, so longer ones are cut

/** The beginning of a config that transformers or Python printed, or of its keyword arguments: `BertConfig {`,
 * `config = transformers.BertConfig(`, or a dictionary with single quotation marks. */
const CONFIG_START = /^(?:[\w\s=.]{0,200}Config\s*[({]|\{\s*')/

/** A line that may be the name of a model, or a call that loads one, with or without quotation marks, but not JSON. 160
 * characters are enough for an address on the Hub. */
const POSSIBLE_NAME = /^[^\n{[]{2,160}$/

const textField = /** @type {HTMLTextAreaElement} */ (byId("calculator-config"))
const fileField = /** @type {HTMLInputElement} */ (byId("calculator-file"))
const report = byId("calculator-config-says")
const calculator = byId("calculator")

/**
 * The report on a config: how it fills the fields, or why it cannot be counted.
 * @param {string} name  the name of the file, or "This text"
 * @param {ReadConfig} config
 */
function reportOn(name, { configuration: config, namedClass, uncountedClass, ignoredKeys, unknownKeys, errors }) {
  if (errors.length) {
    const items = errors.map(({ key, message }) => html`<li>${key ? `${message}.` : sentence(message)}</li>`)
    return [html`<p class="bc-fault">${name} cannot be counted:</p>`, html`<ul class="bc-fault">${items}</ul>`]
  }
  const classNote = namedClass ? [", with the class that it names, ", code(namedClass)] : []
  const paragraphs = [html`<p>${name} fills the fields${classNote}.</p>`]
  if (uncountedClass && config) {
    const instead = ", which is not one of the classes that are counted here for this model, so the class is "
    paragraphs.push(html`<p>It names ${code(uncountedClass)}${instead}${code(config.modelClass)}.</p>`)
  }
  /** Keys in a list, each cut if it is long. @param {string[]} keys */
  const keyList = (keys) => inWords(keys.map((key) => code(key.slice(0, MAX_LENGTH))))
  if (unknownKeys.length) {
    const ifSize =
      unknownKeys.length === 1 ? "If it sets the size of a tensor" : "If one of them sets the size of a tensor"
    paragraphs.push(
      html`<p class="bc-fault">We do not know ${keyList(unknownKeys)}. ${ifSize}, the total is wrong.</p>`,
    )
  }
  if (!ignoredKeys.length) return paragraphs
  const keysHave = ignoredKeys.length === 1 ? "One key has" : `${ignoredKeys.length} keys have`
  return [...paragraphs, html`<p class="bc-hint">${keysHave} no effect on any size: ${keyList(ignoredKeys)}.</p>`]
}

/** Fills the calculator's fields from what readers paste, open or drop. */
class ConfigReader {
  /**
   * @param {Parameters<Listen>[0]} currentState
   * @param {Parameters<Listen>[1]} onChange
   */
  constructor(currentState, onChange) {
    this.currentState = currentState
    this.onChange = onChange
  }

  /**
   * Fills the fields from a config, and shows a report on it, or the reasons why it cannot be counted.
   * @param {string | ArrayBuffer} source
   * @param {string} name  the name of the file, or "This text"
   */
  takeConfig(source, name) {
    const result = configuration.read(source)
    const { configuration: config, namedClass } = result
    if (config) textField.removeAttribute("aria-invalid")
    else textField.setAttribute("aria-invalid", "true")
    report.replaceChildren(...reportOn(name, result))
    if (config) this.fill(fieldsOfConfiguration(config, namedClass ?? config.modelClass))
  }

  /**
   * Fills the fields from the account of a model's name, or shows why the model is not counted.
   * @param {Account} account
   */
  takeModel({ model, headline }) {
    if (!model) return this.refuse(asPlainText(headline))
    textField.removeAttribute("aria-invalid")
    report.replaceChildren(html`<p>${asPlainText(headline)}</p>`)
    this.fill(fieldsOfModel(model.name, model.modelClass))
  }

  /**
   * Shows why a text cannot fill the fields.
   * @param {string} reason
   */
  refuse(reason) {
    textField.setAttribute("aria-invalid", "true")
    report.replaceChildren(html`<p class="bc-fault">${reason}</p>`)
  }

  /**
   * Fills the fields. The configurations that they are compared with stay.
   * @param {ReturnType<typeof fieldsOfModel>} fields
   */
  fill(fields) {
    this.onChange({ fields, beside: this.currentState().beside }, "model")
  }

  /** Reads the text in the field, whatever its form. */
  readText() {
    const pastedText = textField.value.trim()
    if (!pastedText) report.replaceChildren()
    else if (CONFIG_START.test(pastedText) || POSSIBLE_NAME.test(pastedText)) this.takeConfigOrName(pastedText)
    else this.takeConfig(textField.value, "This text")
  }

  /**
   * Fills the fields from a text that looks like a printed config or a name. A single line that is neither is
   * refused; any other text is read as JSON.
   * @param {string} pastedText
   */
  async takeConfigOrName(pastedText) {
    // The scripts that read such texts are only loaded when the reader pastes one.
    const [{ asFile }, { accountOfName }] = await Promise.all([
      import("../reading/configs/entries.js"),
      import("../reading/configs/name-account.js"),
    ])
    if (textField.value.trim() !== pastedText) return
    const account = POSSIBLE_NAME.test(pastedText) ? accountOfName(pastedText) : null
    const source = asFile(pastedText)
    if (account) this.takeModel(account)
    else if (source === pastedText && POSSIBLE_NAME.test(pastedText))
      this.refuse(`“${pastedText.slice(0, MAX_LENGTH)}” is neither a config.json nor a model that we know.`)
    else this.takeConfig(source, "This text")
  }

  /** Fills the fields from a file that was opened or dropped. @param {File | undefined} file */
  async open(file) {
    if (file) this.takeConfig(await file.arrayBuffer(), `“${file.name.slice(0, MAX_LENGTH)}”`)
  }

  /** Reads a dropped file. A dropped text is left to the browser, which inserts it into the field under the pointer.
   * @param {DragEvent} event */
  takeDrop(event) {
    const [file] = event.dataTransfer?.files ?? []
    if (!file) return
    event.preventDefault()
    textField.closest("details")?.setAttribute("open", "") // because it contains the report on the file
    this.open(file)
  }
}

/** Clears the fields for texts and files, and the report. */
function clear() {
  textField.value = fileField.value = ""
  textField.removeAttribute("aria-invalid")
  report.replaceChildren()
}

/**
 * Fills the fields whenever a text is pasted or typed into the field for it, or a file is chosen or dropped.
 * @type {Listen}
 */
export function listen(currentState, onChange) {
  const reader = new ConfigReader(currentState, onChange)
  textField.form?.addEventListener("reset", clear)
  textField.addEventListener("input", () => reader.readText())
  fileField.addEventListener("change", () => reader.open(fileField.files?.[0]))
  // Without this, the browser would leave the page to open a dropped file.
  calculator.addEventListener(
    "dragover",
    (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault(),
  )
  calculator.addEventListener("drop", (event) => reader.takeDrop(event))
}
