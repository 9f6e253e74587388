// Whether a training step fits on a card: the form of the page on training memory, and of
// the calculator, which loads this module when its fold is opened. The memory of a step is
// that of the weights and of the optimiser's states, and of either the activations or the
// gradients, whichever is more; macros/counting/training/step.py explains why. The build
// exports the coefficients from which the activations of a batch follow
// (macros/rendering/files/training.py).

import exported from "../../data/training.js"

/**
 * @typedef {{ model: string, trained: string, dtype: string, attention: string, padded: boolean,
 *   checkpointing: boolean, tokens: number }} Step
 * @typedef {{ weights: number, states: number, copies: number, activations: number, gradients: number,
 *   all: number, peak: number }} Parts
 */

const GIB = 2 ** 30
const GB = 1e9
const MB = 1e6
const TENTH = GB / 10

const form = /** @type {HTMLFormElement} */ (document.querySelector("#batch-form"))

/** The line with the largest batch, which comes second if the reader has typed a batch. */
const lineOfLargest = /** @type {HTMLElement} */ (form.querySelector("[data-answer]"))

/** The value of a polynomial for a batch. @param {number[]} coefficients @param {number} texts @param {number} tokens */
function bytesOf(coefficients, texts, tokens) {
  /** @type {Record<string, number>} */
  const sizes = { N: texts, T: tokens, Q: Math.ceil(tokens / exported.rounding) * exported.rounding }
  const terms = exported.letters.map((letters, index) =>
    Array.from(letters).reduce((product, letter) => product * sizes[letter], coefficients[index]),
  )
  return terms.reduce((sum, term) => sum + term, 0)
}

/** The bytes of a step in memory, part by part, with their sum at the end of the forward pass (`all`) and the largest sum
 * (`peak`); undefined if there is no such step. @param {Step} step @param {number} texts
 * @returns {Parts | undefined} */
function partsOf(step, texts) {
  const of = exported.models[step.model][step.trained]
  const way = of?.ways[`${step.dtype} ${step.attention || "sdpa"} ${Number(step.padded)} ${Number(step.checkpointing)}`]
  if (!way) return undefined
  const [weights, gradients, states] = of.fixed[step.dtype === "pure-bf16" ? "short" : "full"]
  const [keptCoefficients, againCoefficients, copies] = way
  const kept = bytesOf(keptCoefficients, texts, step.tokens) + bytesOf(againCoefficients, texts, step.tokens)
  const all = weights + states + kept
  const peak = weights + states + Math.max(kept, gradients)
  return { weights, states, copies, activations: kept - copies, gradients, all, peak }
}

/** The bytes that one more text takes. @param {Step} step */
const textBytes = (step) => (partsOf(step, 2)?.all ?? 0) - (partsOf(step, 1)?.all ?? 0)

/** The most texts that fit. @param {Step} step @param {number} bytes */
function largestOf(step, bytes) {
  const one = /** @type {Parts} */ (partsOf(step, 1))
  if (one.peak > bytes) return 0
  return 1 + Math.floor((bytes - one.all) / textBytes(step))
}

/** @param {number} number @param {number} unit */
const inUnit = (number, unit) =>
  (number / unit).toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** The changes of a step that may make room, by name. @type {Record<string, Partial<Step>>} */
const HELPS = {
  checkpointing: { checkpointing: true },
  lora: { trained: "lora" },
  bf16: { dtype: "bf16" },
  "pure-bf16": { dtype: "pure-bf16" },
  sdpa: { attention: "" },
}

/** @param {string} name */
const field = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name))
/** @param {string} selector @param {string} text */
const write = (selector, text) => {
  for (const output of form.querySelectorAll(selector)) output.textContent = text
}
/** @param {string} selector @param {boolean} isShown */
const show = (selector, isShown) => {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll(selector))) {
    element.hidden = !isShown
  }
}

/** The number that a reader has typed, with a point or a comma. @param {string} name */
const numberIn = (name) => Number(field(name).value.trim().replace(",", "."))

/** The step that the fields describe, and the name of the first field that is empty or invalid. */
function read() {
  const memory = numberIn("memory")
  const reserve = numberIn("reserve")
  const tokens = Number(field("tokens").value)
  const texts = field("texts").value.trim()
  const step = {
    model: field("model").value,
    trained: field("trained").value,
    dtype: field("dtype").value,
    attention: field("attention").value,
    padded: field("padded").checked,
    checkpointing: field("checkpointing").checked,
    tokens,
  }
  const most = Number(form.dataset.mostTokens)
  const faults = {
    memory: !(memory > 0 && memory < 1e6),
    reserve: !(field("reserve").value.trim() && reserve >= 0 && reserve < 100),
    tokens: !(Number.isInteger(tokens) && tokens >= 1 && tokens <= most),
    mask: step.padded && step.attention === "" && tokens % Number(form.dataset.maskStep) !== 0,
    texts: texts !== "" && !(Number.isInteger(Number(texts)) && Number(texts) >= 1 && Number(texts) < 1e9),
    way: !partsOf(step, 1),
  }
  const fault = Object.entries(faults).find(([, isFault]) => isFault)?.[0] ?? ""
  const bytes = memory * GIB
  return { step, bytes, room: Math.floor((bytes * (100 - reserve)) / 100), texts: Number(texts), fault }
}

/** Draw the bar: every part as wide as its share of the larger of the step and the card.
 * @param {Parts} parts @param {number} bytes  the memory of the card @param {number} room  without the reserve */
function draw(parts, bytes, room) {
  const full = Math.max(parts.peak, bytes)
  const isGradients = parts.peak > parts.all
  /** @type {Record<string, number>} */
  const drawn = isGradients ? { ...parts, copies: 0, activations: 0 } : { ...parts, gradients: 0 }
  for (const bar of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-bar]"))) {
    bar.style.width = `${(100 * drawn[bar.dataset.bar ?? ""]) / full}%`
  }
  form.style.setProperty("--bc-edge", `${(100 * bytes) / full}%`)
  form.style.setProperty("--bc-reserve", `${(100 * (bytes - room)) / full}%`)
}

function answer() {
  const { step, bytes, room, texts: typed, fault } = read()
  show("[data-fault], [data-verdict], [data-fits]", false)
  lineOfLargest.toggleAttribute("data-is-second", Boolean(typed && !fault))
  show(".bc-fits-bar, .bc-legend, .bc-fits-text, .bc-fits-helps", !fault)
  if (fault) {
    lineOfLargest.hidden = false
    show(`[data-fault=${fault}]`, true)
    return write("[data-output=batch]", "…")
  }
  const largest = largestOf(step, room)
  const texts = typed || Math.max(1, largest)
  const parts = /** @type {Parts} */ (partsOf(step, texts))
  write("[data-output=batch]", largest.toLocaleString("en"))
  write("[data-output=limit]", largestOf(step, bytes).toLocaleString("en"))
  write("[data-output=texts]", texts.toLocaleString("en"))
  write("[data-output=peak]", inUnit(parts.peak, GB))
  write("[data-output=card]", inUnit(bytes, GB))
  write("[data-output=text]", inUnit(textBytes(step), MB))
  for (const [name, number] of Object.entries(parts)) write(`[data-part=${name}] output`, inUnit(number, GB))
  const isOver = parts.peak > bytes
  const beyond = parts.peak - (isOver ? bytes : room)
  const verdict = isOver ? "over" : beyond > 0 ? "reserve" : "free"
  write("[data-part=reserve] output", inUnit(bytes - room, GB))
  write("[data-part=room] output, [data-output=needed]", inUnit(Math.abs(beyond), GB))
  show(`[data-fits=${verdict}]`, Math.abs(beyond) >= TENTH / 2)
  if (typed) show(`[data-verdict=${verdict}]`, true)
  else show("[data-verdict=none]", largest === 0)
  lineOfLargest.hidden = largest === 0
  show("[data-part=reserve]", room < bytes)
  show("[data-part=copies]", parts.copies > 0)
  draw(parts, bytes, room)
  help(step, texts, parts)
}

/** Say what each change would save, the most first; a change that saves nothing is not shown.
 * @param {Step} step @param {number} texts @param {Parts} parts */
function help(step, texts, parts) {
  const list = /** @type {HTMLElement} */ (form.querySelector(".bc-fits-helps ul"))
  const items = Object.entries(HELPS).map(([name, changes]) => {
    const peak = partsOf({ ...step, ...changes }, texts)?.peak ?? parts.peak
    return { name, peak, saved: parts.peak - peak }
  })
  for (const { name, peak, saved } of items.sort((one, other) => other.saved - one.saved)) {
    const item = /** @type {HTMLElement} */ (list.querySelector(`[data-help=${name}]`))
    item.hidden = saved < TENTH
    // The difference of the numbers as they are shown, so that the reader's subtraction is right.
    const shown = Math.round(parts.peak / TENTH) - Math.round(peak / TENTH)
    const sum = `${inUnit(shown * TENTH, GB)} GB, from ${inUnit(parts.peak, GB)} to ${inUnit(peak, GB)}`
    write(`[data-help=${name}] output`, sum)
    list.append(item)
  }
  show(
    ".bc-fits-helps",
    items.some(({ saved }) => saved >= TENTH),
  )
}

/** Choose a published model and what of it is trained. @param {string} model @param {string} trained */
export function choose(model, trained) {
  field("model").value = model
  field("trained").value = trained
  answer()
}

const card = /** @type {HTMLSelectElement} */ (form.elements.namedItem("card"))

/** Choose the card with the memory that is typed, or none. */
function followMemory() {
  const memory = field("memory").value.trim()
  card.value = Array.from(card.options).some(({ value }) => value === memory) ? memory : ""
}

form.addEventListener("input", ({ target }) => {
  if (target === card && card.value) field("memory").value = card.value
  if (target === field("memory")) followMemory()
  answer()
})
form.addEventListener("submit", (event) => event.preventDefault())

// --- The address -------------------------------------------------------------------

/** The fields that the address names if they differ from what they are at first; the card follows from the memory. */
const FIELDS = Array.from(form.elements, (element) => /** @type {HTMLInputElement} */ (element)).filter(
  ({ name }) => name && name !== "card",
)
/** @param {HTMLInputElement} field */
const textOf = ({ type, checked, value }) => (type === "checkbox" ? (checked ? "yes" : "no") : value.trim())
const FIRST = new Map(FIELDS.map((field) => [field.name, textOf(field)]))

/** Fill in the fields that the address names. */
function readAddress() {
  const query = new URLSearchParams(location.search)
  for (const field of FIELDS) {
    const text = query.get(field.name)
    if (text === null) continue
    if (field.type === "checkbox") field.checked = text === "yes"
    else if (!(field instanceof HTMLSelectElement)) field.value = text
    else if (Array.from(field.options).some(({ value }) => value === text)) field.value = text
  }
}

function writeAddress() {
  const other = FIELDS.filter((field) => textOf(field) !== FIRST.get(field.name))
  const query = new URLSearchParams(other.map((field) => [field.name, textOf(field)]))
  history.replaceState(history.state, "", `${location.pathname}${query.size ? `?${query}` : ""}${location.hash}`)
}

// In the calculator, the address is that of the configuration.
if (!form.closest("#fits")) {
  readAddress()
  followMemory()
  form.addEventListener("input", writeAddress)
}
form.hidden = false
answer()
