// The form of the calculator: fills the fields from a state, reads what a
// reader types into one, and marks what is wrong beside its field.

import table from "../../data/table.js"
import { CHOICES } from "../counting/changes.js"
import { symbols, typed as wholeNumber } from "../counting/configuration.js"
import { classes, classesOf, classOfBare, models, noun, whole } from "../counting/engine.js"
import { button, hold, place } from "./live.js"
import { architectureOf, stateOf } from "./state.js"

const form = /** @type {HTMLFormElement} */ (place("calculator-form"))
const fields = /** @type {HTMLElement[]} */ ([...form.querySelectorAll("[data-size]")])
const model = /** @type {HTMLSelectElement} */ (form.elements.namedItem("model"))
const modelClass = /** @type {HTMLSelectElement} */ (form.elements.namedItem("class"))

/** @param {string} letter */
const inputOf = (letter) => /** @type {HTMLInputElement} */ (form.elements.namedItem(letter))
/** What the field of a letter is called. @param {string} letter */
export const labelOf = (letter) => inputOf(letter).labels?.[0].lastChild?.textContent?.trim() ?? ""
/** @param {keyof Choices} choice */
const switchOf = (choice) => /** @type {HTMLInputElement} */ (form.elements.namedItem(choice))

// --- Showing ----------------------------------------------------------------

let architecture = ""

/** The fields and classes of an architecture. @param {string} wanted */
function dress(wanted) {
  if (wanted === architecture) return
  architecture = wanted
  const letters = new Set(symbols(wanted).map((each) => each.letter))
  for (const field of fields) field.hidden = !letters.has(field.dataset.size ?? "")
  modelClass.replaceChildren(
    ...classesOf(wanted).map((each) => new Option(`${each.name} (${each.purpose})`, each.name)),
  )
}

/** Show a state in the fields. @param {Typed} typed */
export function fill(typed) {
  dress(architectureOf(typed))
  hold(model, typed.model)
  hold(modelClass, typed.modelClass)
  for (const [letter, text] of Object.entries(typed.sizes)) hold(inputOf(letter), text)
  for (const choice of CHOICES) switchOf(choice).checked = typed.choices[choice]
}

/** Which fields do anything: those of labels and choices depend on the class. @param {Offered} offered */
export function offer(offered) {
  const labels = inputOf("C").closest("div")
  if (labels) labels.hidden = !offered.labels
  for (const choice of CHOICES) {
    const around = /** @type {HTMLElement} */ (switchOf(choice).parentElement)
    around.hidden = !offered[choice]
  }
}

/** Mark the fields that are wrong, with the reason beside each, and say what is noted of the heads.
 * @param {WrongField[]} errors @param {string} note */
export function mark(errors, note) {
  for (const field of fields) {
    const letter = field.dataset.size ?? ""
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
  const ofHeads = input === inputOf("A")
  // What would put the heads right depends on the hidden size.
  const key = ofHeads && text ? `${text} ${inputOf("H").value}` : text
  if (says.dataset.message === key) return
  says.dataset.message = key
  says.replaceChildren(text, ...(ofHeads && text ? remedies() : []))
}

// --- Heads that divide the hidden size --------------------------------------

/** The number of heads that divides a hidden size and makes them about as wide as they were; 0 where that takes too long to find.
 * @param {number} size @param {Sizes} sizes */
function headsFor(size, { H, A }) {
  if (size > MOST_TRIED) return 0
  const wanted = H / A
  let best = 1
  for (let each = 1; each <= size; each++) {
    if (size % each === 0 && Math.abs(Math.log(size / each / wanted)) < Math.abs(Math.log(size / best / wanted)))
      best = each
  }
  return best
}
const MOST_TRIED = 1e6

/** What would put the heads right, as a button. @returns {Content[]} */
function remedies() {
  if (inputOf("H").matches("[aria-invalid]")) return []
  const { sizes } = models.get(model.value)
  const width = wholeNumber(inputOf("H").value) ?? NaN
  const heads = headsFor(width, sizes)
  if (!heads) return []
  return [
    " ",
    button(
      `Take ${whole(heads)} ${noun(heads, "head")}, ${whole(width / heads)} wide${heads === 1 ? "" : " each"}`,
      () => {
        inputOf("A").value = String(heads)
        inputOf("A").dispatchEvent(new Event("input", { bubbles: true }))
        inputOf("A").focus()
      },
    ),
  ]
}

// --- Typing -----------------------------------------------------------------

/** The next size up or down: of the hidden size the next that the heads divide, of the heads the next that divide it.
 * @param {string} letter @param {number} step @returns {string | null} */
function stepped(letter, step) {
  /** @param {string} of */
  const sizeOf = (of) => {
    const digits = inputOf(of).value.replace(/[\s,_]/g, "")
    return /^[0-9]{1,15}$/.test(digits) ? Number(digits) : null
  }
  const size = sizeOf(letter)
  if (size === null) return null
  const least = table.symbols.find((each) => each.letter === letter)?.minimum ?? 1
  let next = size + step
  const [hidden, heads] = [sizeOf("H"), sizeOf("A")]
  if (letter === "H" && heads) next = (step > 0 ? Math.floor(size / heads) + 1 : Math.ceil(size / heads) - 1) * heads
  if (letter === "A" && hidden && hidden < 1_000_000) while (next > 0 && next <= hidden && hidden % next) next += step
  return next < least || (letter === "A" && hidden && next > hidden) ? null : String(next)
}

/** @param {HTMLInputElement} input @param {number} step */
function move(input, step) {
  const next = stepped(input.name, step)
  if (next === null) return
  input.value = next
  input.dispatchEvent(new Event("input", { bubbles: true }))
}

/** @type {Listen} */
export function listen(current, changed) {
  form.addEventListener("submit", (event) => event.preventDefault())
  form.addEventListener("input", ({ target }) => {
    const typed = current()
    if (target === model) changed({ ...stateOf(model.value, sameClass(typed)), beside: typed.beside }, "model")
    else if (target === modelClass) changed({ ...typed, modelClass: modelClass.value }, "class")
    else if (target instanceof HTMLInputElement && target.closest("[data-size]")) {
      changed({ ...typed, sizes: { ...typed.sizes, [target.name]: target.value } }, target.name)
    } else if (target instanceof HTMLInputElement && target.type === "checkbox") {
      changed({ ...typed, choices: { ...typed.choices, [target.name]: target.checked } }, target.name)
    }
  })
  form.addEventListener("click", ({ target }) => {
    const step = target instanceof HTMLElement ? target.dataset.step : undefined
    const input = step && /** @type {HTMLElement} */ (target).closest("[data-size]")?.querySelector("input")
    if (input) move(input, Number(step))
  })
  form.addEventListener("keydown", (event) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    const input = event.target instanceof HTMLInputElement && event.target.closest("[data-size]") ? event.target : null
    if (!step || !input) return
    event.preventDefault()
    move(input, step)
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
