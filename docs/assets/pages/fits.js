// Shows whether a training step fits on a GPU: runs the form of the page on training
// memory, and of the calculator, which loads this module when its fold is opened. What
// a step has in memory is counted in counting/training.js.
//
// All sentences are in the page, each with an output for its number. This script fills
// the outputs, and shows the sentences that apply. Numbers are printed to a tenth of a
// gigabyte, and sums of printed numbers are made to come out right.

import { sentence } from "../counting/short.js"
import { isKnown, largestBatch, partsOf, publishedModel, refusal, textBytes } from "../counting/training.js"

/** @typedef {{ model: TrainedModel, way: TrainingWay }} Step */

const GIB = 2 ** 30
const GB = 1e9
const MB = 1e6
const TENTH = GB / 10 // what amounts are rounded to, and the least that is worth a sentence
const [MOST_MEMORY, MOST_RESERVE, MOST_TEXTS] = [1e6, 100, 1e9] // in GiB, per cent and texts; fields take less

const form = /** @type {HTMLFormElement} */ (document.querySelector("#batch-form"))

/** The line with the largest batch, which comes second if the reader has typed a batch. */
const lineOfLargest = /** @type {HTMLElement} */ (form.querySelector("[data-answer]"))

/** A number in a unit, to one decimal. @param {number} number @param {number} unit */
const inUnit = (number, unit) =>
  (number / unit).toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** A number of bytes in GB, or in MB if there is less than a GB. @param {number} bytes */
const amount = (bytes) => (bytes < GB ? `${inUnit(bytes, MB)} MB` : `${inUnit(bytes, GB)} GB`)

/** Bytes rounded to tenths of a gigabyte. @param {number} bytes */
const rounded = (bytes) => Math.round(bytes / TENTH) * TENTH

/** The difference of two amounts. In GB it is that of the amounts as they are shown, so that the reader's subtraction is
 * right.
 * @param {number} more @param {number} less */
const difference = (more, less) => amount(more - less < GB ? more - less : rounded(more) - rounded(less))

/** The ways of running a step that may make room, by name. @type {Record<string, Partial<TrainingWay>>} */
const MEMORY_SAVERS = {
  checkpointing: { checkpointing: true },
  bf16: { dtype: "bf16" },
  "pure-bf16": { dtype: "pure-bf16" },
  "adamw-8bit": { optimiser: "adamw-8bit" },
  sdpa: { attention: "" },
}

/** The field of a name. @param {string} name */
const field = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name))

/** Writes a text into each place that a selector finds. @param {string} selector @param {string} text */
const write = (selector, text) => {
  for (const output of form.querySelectorAll(selector)) output.textContent = text
}

/** Shows or hides what a selector finds. @param {string} selector @param {boolean} isShown */
const show = (selector, isShown) => {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll(selector))) {
    element.hidden = !isShown
  }
}

/** The number that a reader has typed, with a point or a comma. @param {string} name */
const numberIn = (name) => Number(field(name).value.trim().replace(",", "."))

/** The model of the calculator, and the same with LoRA; none where the reader chooses a published one.
 * @type {{ model: TrainedModel, withLora: TrainedModel | null } | undefined} */
let ofCalculator

/** The model that is trained, and the same with LoRA. */
function models() {
  if (ofCalculator) return ofCalculator
  const [name, trained] = ["model", "trained"].map((name) => field(name).value)
  return { model: publishedModel(name, trained), withLora: publishedModel(name, "lora") }
}

/** The step that the fields describe, the fields whose number is not valid, and why the step is not counted. */
function read() {
  const memory = numberIn("memory")
  const reserve = numberIn("reserve")
  const tokens = Number(field("tokens").value)
  const texts = field("texts").value.trim()
  const { model } = models()
  const way = {
    dtype: field("dtype").value,
    attention: field("attention").value,
    optimiser: field("optimiser").value,
    padded: field("padded").checked,
    checkpointing: field("checkpointing").checked,
    tokens,
  }
  const faults = {
    memory: !(memory > 0 && memory < MOST_MEMORY),
    reserve: !(field("reserve").value.trim() && reserve >= 0 && reserve < MOST_RESERVE),
    tokens: !(Number.isInteger(tokens) && tokens >= 1),
    texts: texts !== "" && !(Number.isInteger(Number(texts)) && Number(texts) >= 1 && Number(texts) < MOST_TEXTS),
  }
  const bytes = memory * GIB
  const room = Math.floor((bytes * (100 - reserve)) / 100)
  const refused = faults.tokens ? null : refusal(model, way)
  return { step: { model, way }, bytes, room, texts: Number(texts), faults, refused }
}

/** Shows each fault at its field, and returns whether there is one.
 * @param {Record<string, boolean>} faults @param {Refusal | null} refused */
function showFaults(faults, refused) {
  write("[data-refusal]", "")
  if (refused) write(`[data-refusal=${refused.field}]`, sentence(refused.message))
  for (const [name, isFault] of Object.entries(faults)) {
    show(`[data-fault=${name}]`, isFault)
    field(name).ariaInvalid = isFault || refused?.field === name ? "true" : null
  }
  return Boolean(refused) || Object.values(faults).includes(true)
}

/** The parts that are in memory at the peak, with zero for the others.
 * @param {StepParts} parts @returns {Record<string, number>} */
function partsAtPeak({ weights, states, copies, activations, gradients, layer, temporary, all, peak }) {
  if (peak > all) return { weights, states, copies: 0, activations: layer, gradients, temporary }
  return { weights, states, copies, activations, gradients: 0, temporary }
}

/** Writes the parts. If the largest is in GB, it takes what rounding leaves, so that the reader's sum of them is the peak.
 * @param {Record<string, number>} atPeak @param {number} peak */
function writeParts(atPeak, peak) {
  const largest = Object.keys(atPeak).reduce((one, other) => (atPeak[other] > atPeak[one] ? other : one))
  let rest = rounded(peak)
  for (const [name, number] of Object.entries(atPeak)) {
    show(`[data-part=${name}]`, number > 0)
    if (name === largest) continue
    rest -= number < GB ? number : rounded(number)
    write(`[data-part=${name}] output`, amount(number))
  }
  write(`[data-part=${largest}] output`, amount(atPeak[largest] < GB ? atPeak[largest] : rest))
}

/** Draws the bar: every part is as wide as its share of the larger of the step and the GPU's memory.
 * @param {Record<string, number>} drawn @param {number} peak
 * @param {number} bytes  the memory of the GPU @param {number} room  without the reserve */
function draw(drawn, peak, bytes, room) {
  const full = Math.max(peak, bytes)
  for (const bar of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-bar]"))) {
    bar.style.width = `${(100 * drawn[bar.dataset.bar ?? ""]) / full}%`
  }
  form.style.setProperty("--bc-edge", `${(100 * bytes) / full}%`)
  form.style.setProperty("--bc-reserve", `${(100 * (bytes - room)) / full}%`)
}

/** Answers for what the fields hold: the largest batch or the typed one, the parts, the bar, and what would help. */
function answer() {
  const { step, bytes, room, texts: typedTexts, faults, refused } = read()
  const { model, way } = step
  const isFaulty = showFaults(faults, refused)
  show("[data-verdict], [data-fits], [data-answer], [data-limit]", false)
  show(".bc-fits-bar, .bc-legend, [data-step], .bc-fits-helps", !isFaulty)
  if (isFaulty) return
  const largest = largestBatch(model, way, room)
  const limit = largestBatch(model, way, bytes)
  const texts = typedTexts || Math.max(1, largest)
  const parts = partsOf(model, way, texts)
  write("[data-output=batch]", largest.toLocaleString("en"))
  write("[data-output=limit]", limit.toLocaleString("en"))
  write("[data-output=texts]", texts.toLocaleString("en"))
  write("[data-output=peak]", amount(parts.peak))
  write("[data-output=card]", amount(bytes))
  write("[data-output=memory]", (bytes / GIB).toLocaleString("en"))
  write("[data-output=text]", `${inUnit(textBytes(model, way), MB)} MB`)
  const isOver = parts.peak > bytes
  // The memory if that is too small, else the room before the reserve; what is missing of it, or what is free.
  const edge = isOver ? bytes : room
  const isBeyond = parts.peak > edge
  const distance = isBeyond ? difference(parts.peak, edge) : difference(edge, parts.peak)
  const verdictWithin = isBeyond ? "reserve" : "free"
  const verdict = isOver ? "over" : verdictWithin
  write("[data-part=reserve] output", difference(bytes, room))
  write("[data-part=room] output", distance)
  write("[data-output=needed]", distance)
  show(`[data-fits=${verdict}]`, true)
  if (typedTexts) show(`[data-verdict=${verdict}]`, true)
  else show("[data-verdict=none]", largest === 0)
  show("[data-answer]", largest > 0)
  show("[data-limit]", limit > 0 && room < bytes)
  lineOfLargest.toggleAttribute("data-is-second", Boolean(typedTexts))
  show("[data-part=reserve]", room < bytes)
  const atPeak = partsAtPeak(parts)
  writeParts(atPeak, parts.peak)
  draw(atPeak, parts.peak, bytes, room)
  help(step, texts, parts)
}

/** Says what each change would save, the most first; a change that saves nothing is not shown.
 * @param {Step} step @param {number} texts @param {StepParts} parts */
function help({ model, way }, texts, parts) {
  const list = /** @type {HTMLElement} */ (form.querySelector(".bc-fits-helps ul"))
  const { withLora } = models()
  /** @type {[name: string, step: Step][]} */
  const others = Object.entries(MEMORY_SAVERS).map(([name, changes]) => [name, { model, way: { ...way, ...changes } }])
  others.push(["lora", { model: withLora ?? model, way }])
  const items = others.map(([name, other]) => {
    const isCounted = isKnown(other.model) && !refusal(other.model, other.way)
    const peak = isCounted ? partsOf(other.model, other.way, texts).peak : parts.peak
    return { name, peak, saved: parts.peak - peak }
  })
  for (const { name, peak, saved } of items.sort((one, other) => other.saved - one.saved)) {
    const item = /** @type {HTMLElement} */ (list.querySelector(`[data-help=${name}]`))
    item.hidden = saved < TENTH
    // The difference of the numbers as they are shown, so that the reader's subtraction is right.
    const difference = Math.round(parts.peak / TENTH) - Math.round(peak / TENTH)
    const sum = `${inUnit(difference * TENTH, GB)} GB, from ${inUnit(parts.peak, GB)} to ${inUnit(peak, GB)}`
    write(`[data-help=${name}] output`, sum)
    list.append(item)
  }
  show(
    ".bc-fits-helps",
    items.some(({ saved }) => saved >= TENTH),
  )
}

/** Answers for a model of the calculator, if its steps are known, in place of a published one, and returns whether they
 * are.
 * @param {TrainedModel} model @param {TrainedModel | null} withLora  the same with LoRA; null if that is not offered */
export function choose(model, withLora) {
  if (!isKnown(model)) return false
  ofCalculator = { model, withLora }
  for (const name of ["model", "trained"]) field(name)?.closest(".bc-field")?.remove()
  answer()
  return true
}

const card = /** @type {HTMLSelectElement} */ (form.elements.namedItem("card"))

/** Chooses the card with the memory that is typed, or none. */
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
const FIELDS_IN_ADDRESS = Array.from(form.elements, (element) => /** @type {HTMLInputElement} */ (element)).filter(
  ({ name }) => name && name !== "card",
)
/** The value of a field as the address has it. @param {HTMLInputElement} field */
function textOf({ type, checked, value }) {
  if (type === "checkbox") return checked ? "yes" : "no"
  return value.trim()
}
const FIRST_TEXTS = new Map(FIELDS_IN_ADDRESS.map((field) => [field.name, textOf(field)]))

/** Fills in the fields that the address names. */
function readAddress() {
  const query = new URLSearchParams(location.search)
  for (const field of FIELDS_IN_ADDRESS) {
    const text = query.get(field.name)
    if (text === null) continue
    if (field.type === "checkbox") field.checked = text === "yes"
    else if (!(field instanceof HTMLSelectElement)) field.value = text
    else if (Array.from(field.options).some(({ value }) => value === text)) field.value = text
  }
}

/** Records in the address the fields that the reader has changed. */
function writeAddress() {
  const changedFields = FIELDS_IN_ADDRESS.filter((field) => textOf(field) !== FIRST_TEXTS.get(field.name))
  const query = new URLSearchParams(changedFields.map((field) => [field.name, textOf(field)]))
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
