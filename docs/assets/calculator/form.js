// The form of the calculator with its what-ifs: fills the fields from a state,
// reads what a reader types into one, and marks what is wrong beside its field.

import table from "../../data/table.js"
import { signed } from "../answering/elements.js"
import { METHODS, missingInPlace, usualModules } from "../counting/changes.js"
import { isMade, listed, ofModel, typed as wholeNumber } from "../counting/configuration.js"
import { classesOf, models, noun, whole } from "../counting/engine.js"
import { place, placeIn, say } from "./live.js"
import { NONE, stateOf } from "./state.js"

export const form = /** @type {HTMLFormElement} */ (place("calculator-form"))
const inputs = /** @type {HTMLInputElement[]} */ ([...form.elements]).filter((each) => each.name)
const [boxes, texts] = ["checkbox", "text"].map((type) => inputs.filter((each) => each.type === type))
/** @param {string} name */
const fieldOf = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name))
// Everywhere a published model is chosen from the same.
for (const each of ["bridge-from", "compare-with"])
  place(each).append(...[...fieldOf("model").children].map((group) => group.cloneNode(true)))
/** A field with its label and what else stands beside it. @param {HTMLInputElement} field */
const around = (field) => /** @type {HTMLElement} */ (field.closest(".bc-size, .bc-switch"))
/** What a field is called, without its letter. @param {HTMLInputElement | undefined} field */
const wordsIn = (field) => (field && around(field).querySelector("label")?.lastChild?.textContent?.trim()) ?? ""
/** What the field of a letter is called. @param {string} letter */
export const labelOf = (letter) => wordsIn(fieldOf(letter))
/** The box of a what-if, by its name; none of other changes. @param {string} name */
const boxOf = (name) => boxes.find((each) => each.id === `what-if-${name}`)
/** What a what-if is called; "" for other changes. @param {string} name */
export const wordsOf = (name) => wordsIn(boxOf(name))

/** What freezing parts is called, as in a sentence. */
export const FREEZING = (placeIn("what-if-freezing", "legend").textContent ?? "").replace(/^./, (first) =>
  first.toLowerCase(),
)

const ALL = table.changes.all_linear

// --- Showing ----------------------------------------------------------------

/** Show a state in the fields. @param {Fields} state */
export function fill(state) {
  const { architecture } = models.get(state.model)
  if (form.dataset.architecture !== architecture) {
    const options = classesOf(architecture).map(({ name, purpose }) => new Option(`${name} (${purpose})`, name))
    fieldOf("class").replaceChildren(...options)
    form.dataset.architecture = architecture
  }
  /** @type {Fields} */
  const shown = { ...state, from: state.from || state.model }
  for (const each of inputs)
    if (each.type === "checkbox") each.checked = listed(state[each.name]).includes(each.value)
    else if (each.value !== shown[each.name]) each.value = shown[each.name] ?? "" // what is being typed is left alone
  // A method freezes the whole model, whatever else is frozen.
  place("what-if-freezing").toggleAttribute("disabled", isMade(state))
}

/** Show the fields that do anything, and what each what-if does; mark what is wrong, and say what is noted of the heads.
 * @param {Shown} shown */
export function mark(shown) {
  const { fields, whatIfs, offered, errors, note } = shown
  const { takes } = METHODS.get(fieldOf("method").value) // which may be given what is wrong
  const effects = new Map(whatIfs.map(({ name, value }) => [boxOf(name), value ? signed(value) : "changes nothing"]))
  /** @type {Record<string, (box: HTMLInputElement) => boolean | undefined>} */
  const isOffered = {
    C: () => offered.labels,
    more: (box) => effects.has(box),
    frozen: ({ value }) => value === "embeddings" || offered.head,
    modules: ({ value }) => "modules" in takes && offered.modules.includes(value),
    feedforward: ({ value }) => "feedforward" in takes && boxOf(`lora-${value}`)?.checked,
    rank: () => "rank" in takes,
    width: () => "width" in takes,
  }
  for (const box of [...boxes, ...texts]) {
    const { name } = box
    around(box).hidden = !(isOffered[name]?.(box) ?? offered[/** @type {keyof Choices} */ (name)] ?? name in fields)
  }
  place("what-if-feedforward").hidden = !("feedforward" in takes)
  for (const [box, effect] of effects) say(/** @type {Element} */ (box?.parentElement?.lastElementChild), effect)
  /** @param {string} key */
  const wrong = (key) => errors.find((each) => each.key === key)?.message ?? ""
  const uneven = note && `${note}; the buttons beside it lead to numbers that do divide it`
  for (const field of texts) tell(field, wrong(field.name), field.name === "A" ? uneven : "")
  say(place("what-if-modules-says"), sentence(wrong("modules")))
  say(place("what-if-resized"), resizing(shown))
}

/** @param {string} text */
const sentence = (text) => text && `${text[0].toUpperCase()}${text.slice(1)}.`

/** @param {HTMLInputElement} field @param {string} wrong @param {string} note */
function tell(field, wrong, note) {
  const says = place(`${field.id}-says`)
  if (wrong) field.setAttribute("aria-invalid", "true")
  else field.removeAttribute("aria-invalid")
  says.classList.toggle("bc-note", !wrong && Boolean(note))
  say(says, sentence(wrong || note))
}

/** What transformers makes of a model that is there already, where that is something else. @param {Shown} shown */
function resizing({ stages: [start, next], configuration: { biases } }) {
  const to = next?.name === "vocabulary" && { ...next.configuration, biases }
  const missing = to && missingInPlace(start.configuration, to)
  if (!missing) return ""
  const many = `${whole(Math.abs(missing))} ${noun(Math.abs(missing), "parameter")} ${missing > 0 ? "fewer" : "more"}`
  const why = "because it does not resize both biases of an untied head"
  return `This counts a model built with this vocabulary; resize_token_embeddings() leaves ${many}, ${why}.`
}

// --- Steps --------------------------------------------------------------------

const MOST_TRIED = 1e6

/** The next size up or down: of the hidden size the next that the heads divide, of the heads the next that divide it.
 * @param {string} letter @param {number} step @returns {number | null} */
function stepped(letter, step) {
  const [size, hidden, heads] = [letter, "H", "A"].map((each) => wholeNumber(fieldOf(each).value))
  if (!Number.isSafeInteger(size) || size === null) return null
  let next = size + step
  if (letter === "H" && heads) next = (step > 0 ? Math.floor(size / heads) + 1 : Math.ceil(size / heads) - 1) * heads
  if (letter === "A" && hidden && hidden < MOST_TRIED) while (next > 0 && next <= hidden && hidden % next) next += step
  const least = table.symbols.find((each) => each.letter === letter)?.minimum ?? 1
  return next < least || (letter === "A" && hidden && next > hidden) ? null : next
}

/** Step the field that an event is in; whether there is one. @param {EventTarget | null} target @param {number} step */
function move(target, step) {
  const field = step && /** @type {HTMLElement} */ (target).closest("[data-size]")?.querySelector("input")
  if (!field) return false
  field.value = String(stepped(field.name, step) ?? field.value)
  return field.dispatchEvent(new Event("input", { bubbles: true }))
}

// --- Typing -----------------------------------------------------------------

/** @type {Listen} */
export function listen(current, changed) {
  form.addEventListener("submit", (event) => event.preventDefault())
  // The what-ifs belong to the form and stand elsewhere.
  document.addEventListener("input", ({ target }) => {
    const field = /** @type {HTMLInputElement} */ (target)
    const { fields, beside } = current()
    if (field.form !== form || !field.name) return
    changed({ fields: read(field, fields), beside }, field.type === "select-one" ? field.name : wordsIn(field))
  })
  form.addEventListener("click", ({ target }) =>
    move(target, Number(/** @type {HTMLElement} */ (target).dataset.step ?? 0)),
  )
  form.addEventListener("keydown", (event) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (step && event.target instanceof HTMLInputElement && move(event.target, step)) event.preventDefault()
  })
}

/** The state once a field was changed. LoRA takes the usual modules with a rank, and the usual rank with a module.
 * @param {HTMLInputElement} field @param {Fields} state @returns {Fields} */
function read({ name, value, checked }, state) {
  const said = new FormData(form).getAll(name).join()
  if (name === "model") return { ...stateOf(said, ofModel(said, state.class).modelClass), B: state.B, T: state.T }
  const method = name === "method" ? said : state.method
  const { usual } = METHODS.get(method)
  const modules = usualModules(method, models.get(state.model).architecture)
  if (name === "method") return { ...state, method, ...NONE, rank: usual, ...modules }
  if (name === "rank") {
    const given = said.trim() ? { rank: said, ...(isMade(state) ? {} : modules) } : { ...NONE, width: state.width }
    return { ...state, ...given }
  }
  if (name !== "modules") return { ...state, [name]: said }
  // All linear layers are PEFT's own choice, which stands alone.
  const others = listed(said).filter((each) => each !== ALL)
  const chosen = value === ALL && checked ? ALL : others.join()
  return { ...state, modules: chosen, rank: state.rank || (chosen && usual) }
}
