// The form of the calculator with its what-ifs. It fills its fields, turns each change to one
// of them into a new state, and marks the fields with errors.
//
// The state belongs to the page, which passes its fields back to `fill` after every change. `fill`
// sets all fields, because one change may entail others: a model sets its sizes, and a rank
// selects the usual modules.

import table from "../../data/table.js"
import { withSign } from "../answering/elements.js"
import { METHODS, missingInPlace, usualModules } from "../counting/changes.js"
import { checkedNames, hasMethod, ofModel, wholeNumber } from "../counting/configuration.js"
import { classesOf, classLabel, models, noun, whole } from "../counting/engine.js"
import { sentence } from "../counting/short.js"
import { byId, firstIn, setText } from "./live.js"
import { fieldsOfModel, NO_METHOD } from "./state.js"

/** The element of the form. */
export const form = /** @type {HTMLFormElement} */ (byId("calculator-form"))
const inputs = /** @type {HTMLInputElement[]} */ ([...form.elements]).filter((input) => input.name)
const [checkboxes, textFields] = ["checkbox", "text"].map((type) => inputs.filter((input) => input.type === type))

/** The field with this name. @param {string} name */
const fieldOf = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name))
// The other lists of published models are copies of the form's.
for (const name of ["bridge-from", "compare-with"])
  byId(name).append(...[...fieldOf("model").children].map((group) => group.cloneNode(true)))

/**
 * The element that holds a field, its label and its buttons.
 * @param {HTMLInputElement} field
 */
const wrapperOf = (field) => /** @type {HTMLElement} */ (field.closest(".bc-size, .bc-switch"))

/**
 * The label of a field, without its letter; "" without a field.
 * @param {HTMLInputElement | undefined} field
 */
const labelIn = (field) => (field && wrapperOf(field).querySelector("label")?.lastChild?.textContent?.trim()) ?? ""

/**
 * The label of the field for a letter.
 * @param {string} letter
 */
export const labelOf = (letter) => labelIn(fieldOf(letter))

/**
 * The checkbox of a what-if; undefined for other changes.
 * @param {string} name
 */
const boxOf = (name) => checkboxes.find((box) => box.id === `what-if-${name}`)

/**
 * The label of a what-if; empty for other changes.
 * @param {string} name
 */
export const whatIfLabel = (name) => labelIn(boxOf(name))

/** The words for freezing parts, with a lower-case first letter, for use within a sentence. */
export const FREEZING_LABEL = (firstIn("what-if-freezing", "legend").textContent ?? "").replace(/^./, (first) =>
  first.toLowerCase(),
)

const ALL_LINEAR = table.changes.all_linear // the value that PEFT accepts for all dense layers, instead of module names

/**
 * The labels of the sizes of methods, by letter.
 * @type {Record<string, string>}
 */
const LABELS_OF_SIZES = { r: "Rank", t: "Virtual tokens", m: "Width of an adapter" }

// --- Showing ----------------------------------------------------------------

/**
 * Shows values in the fields.
 * @param {Fields} fields
 */
export function fill(fields) {
  const { architecture } = models.get(fields.model)
  if (form.dataset.architecture !== architecture) {
    const options = classesOf(architecture).map((modelClass) => new Option(classLabel(modelClass), modelClass.name))
    fieldOf("class").replaceChildren(...options)
    form.dataset.architecture = architecture
  }
  /** @type {Fields} */
  const values = { ...fields, from: fields.from || fields.model }
  for (const input of inputs)
    if (input.type === "checkbox") input.checked = checkedNames(fields[input.name]).includes(input.value)
    // Setting a value moves the cursor. A field that already has the right text is left alone, because the reader may
    // be typing in it.
    else if (input.value !== values[input.name]) input.value = values[input.name] ?? ""
  // A method such as LoRA already freezes the whole model.
  byId("what-if-freezing").toggleAttribute("disabled", hasMethod(fields))
}

/**
 * Hides the fields without effect, and shows the effects of the what-ifs, the errors, and the notes on the number of
 * heads and on a resized vocabulary.
 * @param {View} view
 */
export function annotate(view) {
  const { fields, whatIfs, available, errors, note } = view
  // The method is read from its field, because `fields` is the last valid state, in which the method may differ.
  const { takes } = METHODS.get(fieldOf("method").value)
  const effects = new Map(whatIfs.map(({ name, value }) => [boxOf(name), value ? withSign(value) : "changes nothing"]))
  /** @type {Record<string, (box: HTMLInputElement) => boolean | undefined>} */
  const visibilityTests = {
    C: () => available.labels,
    more: (box) => effects.has(box),
    frozen: ({ value }) => value === "embeddings" || available.head,
    modules: ({ value }) => "modules" in takes && available.modules.includes(value),
    feedforward: ({ value }) => "feedforward" in takes && boxOf(`lora-${value}`)?.checked,
    rank: () => "rank" in takes,
    width: () => "width" in takes,
  }
  for (const field of [...checkboxes, ...textFields]) {
    const { name } = field
    const isShown = visibilityTests[name]?.(field) ?? available[/** @type {keyof Choices} */ (name)] ?? name in fields
    wrapperOf(field).hidden = !isShown
  }
  setText(firstIn("what-if-adapters", "label[for=what-if-rank]"), LABELS_OF_SIZES[takes.rank] ?? "Rank")
  byId("what-if-feedforward").hidden = !("feedforward" in takes)
  for (const [box, effect] of effects) setText(/** @type {Element} */ (box?.parentElement?.lastElementChild), effect)
  /** The error message for a field; "" if its value is valid. @param {string} key */
  const errorOf = (key) => errors.find((error) => error.key === key)?.message ?? ""
  for (const field of textFields) showError(field, errorOf(field.name))
  setText(byId("calculator-note"), note && `${sentence(note)} Use + and − to find a number that fits.`)
  setText(byId("what-if-modules-says"), sentence(errorOf("modules")))
  setText(byId("what-if-resized"), resizingNote(view))
}

/**
 * Shows an error below a field, or removes it if `error` is empty.
 * @param {HTMLInputElement} field
 * @param {string} error
 */
function showError(field, error) {
  if (error) field.setAttribute("aria-invalid", "true")
  else field.removeAttribute("aria-invalid")
  setText(byId(`${field.id}-says`), sentence(error))
}

/**
 * A sentence on the different total that transformers gives if the vocabulary of an existing model is resized; empty if
 * the total is the same.
 * @param {View} view
 */
function resizingNote({ stages: [start, next], configuration: { biases } }) {
  const resizedConfiguration = next?.name === "vocabulary" && { ...next.configuration, biases }
  const missingNumber = resizedConfiguration && missingInPlace(start.configuration, resizedConfiguration)
  if (!missingNumber) return ""
  const number = Math.abs(missingNumber)
  const difference = `${whole(number)} ${missingNumber > 0 ? "fewer" : "more"} ${noun(number, "parameter")}`
  const reason = "because it does not resize both biases of an untied head"
  return `This counts a model built with this vocabulary; resize_token_embeddings() leaves ${difference}, ${reason}.`
}

// --- Steps --------------------------------------------------------------------

const MAX_TO_DIVIDE = 1e6 // the largest hidden size for which the search for a divisor is quick enough

/**
 * The next size up or down; null if there is none, or if the field has no whole number. For a hidden size, it is the
 * next multiple of the number of heads; for a number of heads, the next one that divides the hidden size.
 * @param {string} letter
 * @param {number} step  1 or -1
 * @returns {number | null}
 */
function nextSize(letter, step) {
  const [size, hiddenSize, heads] = [letter, "H", "A"].map((name) => wholeNumber(fieldOf(name).value))
  if (!Number.isSafeInteger(size) || size === null) return null
  let next = size + step
  if (letter === "H" && heads) {
    const multiple = step > 0 ? Math.floor(size / heads) + 1 : Math.ceil(size / heads) - 1
    next = multiple * heads
  }
  if (letter === "A" && hiddenSize && hiddenSize < MAX_TO_DIVIDE)
    while (next > 0 && next <= hiddenSize && hiddenSize % next) next += step
  const minimum = table.symbols.find((symbol) => symbol.letter === letter)?.minimum ?? 1
  return next < minimum || (letter === "A" && hiddenSize && next > hiddenSize) ? null : next
}

/**
 * Changes a size by one step after an event at its field. Returns false if the event happened elsewhere, or if `step`
 * is 0.
 * @param {EventTarget | null} target
 * @param {number} step  1, -1 or 0
 */
function changeByStep(target, step) {
  const field = step && /** @type {HTMLElement} */ (target).closest("[data-size]")?.querySelector("input")
  if (!field) return false
  field.value = String(nextSize(field.name, step) ?? field.value)
  return field.dispatchEvent(new Event("input", { bubbles: true }))
}

// --- Typing -----------------------------------------------------------------

/**
 * Reports every change to a field, including those made by a button or an arrow key.
 * @type {Listen}
 */
export function listen(currentState, onChange) {
  form.addEventListener("submit", (event) => event.preventDefault())
  // The listener is on the document because the what-ifs belong to the form but are outside its element.
  document.addEventListener("input", ({ target }) => {
    const field = /** @type {HTMLInputElement} */ (target)
    const { fields, beside } = currentState()
    if (field.form !== form || !field.name) return
    onChange({ fields: fieldsAfter(field, fields), beside }, field.type === "select-one" ? field.name : labelIn(field))
  })
  form.addEventListener("click", ({ target }) =>
    changeByStep(target, Number(/** @type {HTMLElement} */ (target).dataset.step ?? 0)),
  )
  form.addEventListener("keydown", (event) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (step && event.target instanceof HTMLInputElement && changeByStep(event.target, step)) event.preventDefault()
  })
}

/**
 * The fields after a change to one of them. Typing a rank first also selects the usual modules, and choosing a module
 * first also fills in the usual rank, so that one change is enough to see a result.
 * @param {HTMLInputElement} field
 * @param {Fields} fields  before the change
 * @returns {Fields}
 */
function fieldsAfter({ name, value, checked }, fields) {
  const text = new FormData(form).getAll(name).join()
  if (name === "model")
    return { ...fieldsOfModel(text, ofModel(text, fields.class).modelClass), B: fields.B, T: fields.T }
  const method = name === "method" ? text : fields.method
  const { usual: usualRank } = METHODS.get(method)
  const modules = usualModules(method, models.get(fields.model).architecture)
  if (name === "method") return { ...fields, method, ...NO_METHOD, rank: usualRank, ...modules }
  if (name === "rank") {
    const change = text.trim()
      ? { rank: text, ...(hasMethod(fields) ? {} : modules) }
      : { ...NO_METHOD, width: fields.width }
    return { ...fields, ...change }
  }
  if (name !== "modules") return { ...fields, [name]: text }
  // PEFT's choice "all linear layers" excludes single modules.
  const singleModules = checkedNames(text).filter((module) => module !== ALL_LINEAR)
  const choice = value === ALL_LINEAR && checked ? ALL_LINEAR : singleModules.join()
  return { ...fields, modules: choice, rank: fields.rank || (choice && usualRank) }
}
