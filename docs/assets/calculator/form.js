// The form of the calculator: fills the fields from a state, reads what a
// reader types into one, and marks what is wrong beside its field.

import table from "../../data/table.js"
import { CHOICES } from "../counting/changes.js"
import { symbols, typed as wholeNumber } from "../counting/configuration.js"
import { classes, classesOf, classOfBare, models, noun, whole } from "../counting/engine.js"
import { button, formAt, hold, place } from "./live.js"
import { architectureOf, stateOf } from "./state.js"

const { form, fieldOf: inputOf } = formAt("calculator-form")
const sizes = /** @type {HTMLElement[]} */ ([...form.querySelectorAll("[data-size]")])
const [model, modelClass] = ["model", "class"].map(inputOf)
/** What the field of a letter is called. @param {string} letter */
export const labelOf = (letter) => inputOf(letter).labels?.[0].lastChild?.textContent?.trim() ?? ""

// --- Showing ----------------------------------------------------------------

let architecture = ""

/** The fields and classes of an architecture. @param {string} wanted */
function dress(wanted) {
  if (wanted === architecture) return
  architecture = wanted
  const letters = new Set(symbols(wanted).map((each) => each.letter))
  for (const field of sizes) field.hidden = !letters.has(field.dataset.size ?? "")
  modelClass.replaceChildren(...classesOf(wanted).map(({ name, purpose }) => new Option(`${name} (${purpose})`, name)))
}

/** Show a state in the fields. @param {Typed} typed */
export function fill(typed) {
  dress(architectureOf(typed))
  hold(model, typed.model)
  hold(modelClass, typed.modelClass)
  for (const [letter, text] of Object.entries(typed.sizes)) hold(inputOf(letter), text)
  for (const choice of CHOICES) inputOf(choice).checked = typed.choices[choice]
}

/** Which fields do anything: those of labels and choices depend on the class. @param {Offered} offered */
export function offer(offered) {
  const around = (/** @type {string} */ name) =>
    /** @type {HTMLElement} */ (inputOf(name).closest(".bc-size, .bc-switch"))
  around("C").hidden = !offered.labels
  for (const choice of CHOICES) around(choice).hidden = !offered[choice]
}

/** Mark the fields that are wrong, with the reason beside each, and say what is noted of the heads.
 * @param {WrongField[]} errors @param {string} note */
export function mark(errors, note) {
  for (const {
    dataset: { size: letter = "" },
  } of sizes) {
    const message = errors.find(({ key }) => key === letter)?.message ?? ""
    tell(inputOf(letter), message || (letter === "A" ? note : ""), Boolean(message))
  }
}

/** @param {HTMLInputElement} input @param {string} message @param {boolean} isWrong */
export function tell(input, message, isWrong = Boolean(message)) {
  const says = place(`${input.id}-says`)
  if (isWrong) input.setAttribute("aria-invalid", "true")
  else input.removeAttribute("aria-invalid")
  says.classList.toggle("bc-note", Boolean(message) && !isWrong)
  const text = message && `${message[0].toUpperCase()}${message.slice(1)}.`
  const ofHeads = text && input === inputOf("A")
  // What would put the heads right depends on the hidden size.
  const key = ofHeads ? `${text} ${inputOf("H").value}` : text
  if (says.dataset.message === key) return
  says.dataset.message = key
  says.replaceChildren(text, ...(ofHeads ? remedies() : []))
}

// --- Heads that divide the hidden size --------------------------------------

const MOST_TRIED = 1e6

/** The number of heads that divides a hidden size and makes them about as wide as they were; 0 where that takes too long to find.
 * @param {number} size @param {Sizes} sizes */
function headsFor(size, { H, A }) {
  if (size > MOST_TRIED) return 0
  /** @param {number} heads */
  const off = (heads) => Math.abs(Math.log((size / heads / H) * A))
  let best = 1
  for (let each = 2; each <= size; each++) if (size % each === 0 && off(each) < off(best)) best = each
  return best
}

/** What would put the heads right, as a button. @returns {Content[]} */
function remedies() {
  const width = wholeNumber(inputOf("H").value) ?? NaN
  const heads = inputOf("H").matches("[aria-invalid]") ? 0 : headsFor(width, models.get(model.value).sizes)
  if (!heads) return []
  const words = `Take ${whole(heads)} ${noun(heads, "head")}, ${whole(width / heads)} wide${heads === 1 ? "" : " each"}`
  return [
    " ",
    button(words, () => {
      enter(inputOf("A"), String(heads))
      inputOf("A").focus()
    }),
  ]
}

/** Change a field as a reader does. @param {HTMLInputElement} input @param {string} text */
function enter(input, text) {
  input.value = text
  input.dispatchEvent(new Event("input", { bubbles: true }))
}

// --- Typing -----------------------------------------------------------------

/** The next size up or down: of the hidden size the next that the heads divide, of the heads the next that divide it.
 * @param {string} letter @param {number} step @returns {string | null} */
function stepped(letter, step) {
  const [size, hidden, heads] = [letter, "H", "A"].map((each) => {
    const digits = inputOf(each).value.replace(/[\s,_]/g, "")
    return /^[0-9]{1,15}$/.test(digits) ? Number(digits) : null
  })
  if (size === null) return null
  let next = size + step
  if (letter === "H" && heads) next = (step > 0 ? Math.floor(size / heads) + 1 : Math.ceil(size / heads) - 1) * heads
  if (letter === "A" && hidden && hidden < MOST_TRIED) while (next > 0 && next <= hidden && hidden % next) next += step
  const least = table.symbols.find((each) => each.letter === letter)?.minimum ?? 1
  return next < least || (letter === "A" && hidden && next > hidden) ? null : String(next)
}

/** Step the field that an event is in; whether there is one. @param {EventTarget | null} target @param {number} step */
function move(target, step) {
  const input = step && /** @type {HTMLElement} */ (target).closest("[data-size]")?.querySelector("input")
  const next = input && stepped(input.name, step)
  if (next) enter(input, next)
  return Boolean(input)
}

/** @type {Listen} */
export function listen(current, changed) {
  form.addEventListener("submit", (event) => event.preventDefault())
  form.addEventListener("input", ({ target }) => {
    const typed = current()
    const { name, type, value, checked } = /** @type {HTMLInputElement} */ (target)
    if (target === model) changed({ ...stateOf(value, sameClass(typed)), beside: typed.beside }, name)
    else if (target === modelClass) changed({ ...typed, modelClass: value }, name)
    else if (type === "checkbox") changed({ ...typed, choices: { ...typed.choices, [name]: checked } }, name)
    else if (name in typed.sizes) changed({ ...typed, sizes: { ...typed.sizes, [name]: value } }, name)
  })
  form.addEventListener("click", ({ target }) =>
    move(target, Number(/** @type {HTMLElement} */ (target).dataset.step ?? 0)),
  )
  form.addEventListener("keydown", (event) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (step && event.target instanceof HTMLInputElement && move(event.target, step)) event.preventDefault()
  })
}

/** The class of the same purpose in the model that was chosen, where it has one. @param {Typed} typed */
function sameClass(typed) {
  const { architecture } = models.get(model.value)
  const { purpose, architecture: own } = classes.get(typed.modelClass)
  // What the bare model consists of differs between architectures.
  if (typed.modelClass === classOfBare(own)) return classOfBare(architecture)
  return classesOf(architecture).find((each) => each.purpose === purpose)?.name
}

/** The letter whose field has the cursor, or "". */
export const letterInHand = () =>
  document.activeElement?.closest("#calculator-form [data-size]")?.getAttribute("data-size") ?? ""

export { form as element }
