// Shows whether a training step fits on a GPU. This module drives the form on the page about
// training memory and the one in the calculator, which loads the module when the reader opens
// the section with the form. counting/training.js computes the memory of a step.
//
// All sentences except refusals are in the HTML, with an `<output>` for each number. This
// script fills the outputs, and shows the sentences that apply. Amounts of 1 GB or more are
// rounded to a tenth of a gigabyte, and adjusted so that the displayed numbers add up.

import { sentence } from "../counting/short.js"
import {
  bytesByPart,
  hasAnswerFor,
  largestBatch,
  maxBytesPerText,
  publishedModel,
  refusal,
} from "../counting/training.js"

/** @typedef {{ model: TrainedModel, settings: StepSettings }} TrainingStep */

const GIB = 2 ** 30
const GB = 1e9
const MB = 1e6
const TENTH = GB / 10 // amounts in GB are rounded to it, and a smaller saving is not worth showing
const [MEMORY_LIMIT, RESERVE_LIMIT, TEXTS_LIMIT] = [1e6, 100, 1e9] // exclusive upper limits, in GiB, per cent and texts

const form = /** @type {HTMLFormElement} */ (document.querySelector("#batch-form"))

/** The line with the largest batch, which comes second if the reader has entered a batch size. */
const lineOfLargest = /** @type {HTMLElement} */ (form.querySelector("[data-answer]"))

/** A number in a larger unit, to one decimal. @param {number} number @param {number} unit */
const inUnit = (number, unit) =>
  (number / unit).toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** A number of bytes in GB, or in MB if there is less than a GB. @param {number} bytes */
const amountText = (bytes) => (bytes < GB ? `${inUnit(bytes, MB)} MB` : `${inUnit(bytes, GB)} GB`)

/** A number of bytes, rounded to a tenth of a gigabyte. @param {number} bytes */
const toTenths = (bytes) => Math.round(bytes / TENTH) * TENTH

/** The difference between two amounts. In GB, it is taken between the rounded amounts, so that it agrees with the
 * numbers shown.
 * @param {number} larger @param {number} smaller */
const differenceText = (larger, smaller) =>
  amountText(larger - smaller < GB ? larger - smaller : toTenths(larger) - toTenths(smaller))

/** Settings that may save memory, by name. @type {Record<string, Partial<StepSettings>>} */
const MEMORY_SAVERS = {
  checkpointing: { checkpointing: true },
  bf16: { dtype: "bf16" },
  "pure-bf16": { dtype: "pure-bf16" },
  "adamw-8bit": { optimiser: "adamw-8bit" },
  sdpa: { attention: "" }, // a fused kernel, if it accepts the width of the heads
}

/** The field with this name. @param {string} name */
const field = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name))

/** Writes a text into all elements that match a selector. @param {string} selector @param {string} text */
const write = (selector, text) => {
  for (const output of form.querySelectorAll(selector)) output.textContent = text
}

/** Shows or hides all elements that match a selector. @param {string} selector @param {boolean} isShown */
const show = (selector, isShown) => {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll(selector))) {
    element.hidden = !isShown
  }
}

/** The number that a reader has typed, with a decimal point or comma. @param {string} name */
const numberIn = (name) => Number(field(name).value.trim().replace(",", "."))

/** The calculator's model, without and with LoRA; undefined on the page where the reader chooses a published model.
 * @type {{ model: TrainedModel, withLora: TrainedModel | null } | undefined} */
let calculatorModels

/** The model that is trained, without and with LoRA. */
function models() {
  if (calculatorModels) return calculatorModels
  const [name, trainedPart] = ["model", "trained"].map((name) => field(name).value)
  return { model: publishedModel(name, trainedPart), withLora: publishedModel(name, "lora") }
}

/** The content of the fields: the step, the GPU's memory with and without the reserve, the number of texts (0 if
 * none is entered), whether each field is invalid, and the reason why the step is not counted, if there is one. */
function readForm() {
  const memory = numberIn("memory")
  const reserve = numberIn("reserve")
  const tokens = Number(field("tokens").value)
  const texts = field("texts").value.trim()
  const { model } = models()
  const settings = {
    dtype: field("dtype").value,
    attention: field("attention").value,
    optimiser: field("optimiser").value,
    padded: field("padded").checked,
    checkpointing: field("checkpointing").checked,
    tokens,
  }
  const faults = {
    memory: !(memory > 0 && memory < MEMORY_LIMIT),
    reserve: !(field("reserve").value.trim() && reserve >= 0 && reserve < RESERVE_LIMIT),
    tokens: !(Number.isInteger(tokens) && tokens >= 1),
    texts: texts !== "" && !(Number.isInteger(Number(texts)) && Number(texts) >= 1 && Number(texts) < TEXTS_LIMIT),
  }
  const memoryBytes = memory * GIB
  const usableBytes = Math.floor((memoryBytes * (100 - reserve)) / 100)
  const stepRefusal = faults.tokens ? null : refusal(model, settings)
  return { step: { model, settings }, memoryBytes, usableBytes, texts: Number(texts), faults, stepRefusal }
}

/** The reason for a refusal, with the titles of optimisers, as in their field, in place of their names on the command
 * line.
 * @param {Refusal} stepRefusal */
function withTitles({ field: name, message }) {
  const select = form.elements.namedItem(name)
  const options = name === "optimiser" && select instanceof HTMLSelectElement ? [...select.options] : []
  const titles = Object.fromEntries(options.map(({ value, text }) => [value, text]))
  return message.replace(/[\w-]+/g, (word) => titles[word] ?? word)
}

/** Shows the faults and the refusal, if any, at their fields. Returns whether there are any.
 * @param {Record<string, boolean>} faults @param {Refusal | null} stepRefusal */
function showFaults(faults, stepRefusal) {
  write("[data-refusal]", "")
  if (stepRefusal) write(`[data-refusal=${stepRefusal.field}]`, sentence(withTitles(stepRefusal)))
  for (const [name, isFault] of Object.entries(faults)) {
    show(`[data-fault=${name}]`, isFault)
    field(name).ariaInvalid = isFault || stepRefusal?.field === name ? "true" : null
  }
  return Boolean(stepRefusal) || Object.values(faults).includes(true)
}

/** The parts that are in memory at the peak, with zero for the others.
 * @param {StepParts} parts @returns {Record<string, number>} */
function partsAtPeak({ weights, states, copies, activations, gradients, layer, temporary, all, peak }) {
  // Only the backward pass can need more than the end of the forward pass. Gradients then take the place of
  // activations.
  if (peak > all) return { weights, states, copies: 0, activations: layer, gradients, temporary }
  return { weights, states, copies, activations, gradients: 0, temporary }
}

/** Writes the parts. If the largest is in GB, it absorbs the rounding error, so that the displayed parts add up to the
 * peak.
 * @param {Record<string, number>} peakParts @param {number} peak */
function writeParts(peakParts, peak) {
  const largestPart = Object.keys(peakParts).reduce((best, name) => (peakParts[name] > peakParts[best] ? name : best))
  let remainingBytes = toTenths(peak)
  for (const [name, number] of Object.entries(peakParts)) {
    show(`[data-part=${name}]`, number > 0)
    if (name === largestPart) continue
    remainingBytes -= number < GB ? number : toTenths(number)
    write(`[data-part=${name}] output`, amountText(number))
  }
  write(
    `[data-part=${largestPart}] output`,
    amountText(peakParts[largestPart] < GB ? peakParts[largestPart] : remainingBytes),
  )
}

/** Draws the bar: each part's width is its share of the step's peak or the GPU's memory, whichever is larger.
 * @param {Record<string, number>} parts @param {number} peak
 * @param {number} memoryBytes  the memory of the GPU @param {number} usableBytes  without the reserve */
function drawBar(parts, peak, memoryBytes, usableBytes) {
  const fullWidthBytes = Math.max(peak, memoryBytes)
  for (const bar of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-bar]"))) {
    bar.style.width = `${(100 * parts[bar.dataset.bar ?? ""]) / fullWidthBytes}%`
  }
  form.style.setProperty("--bc-edge", `${(100 * memoryBytes) / fullWidthBytes}%`)
  form.style.setProperty("--bc-reserve", `${(100 * (memoryBytes - usableBytes)) / fullWidthBytes}%`)
}

/** Shows the answer: the verdict on the entered batch size or, if there is none, the largest batch; the parts; the bar;
 * and the changes that would save memory. */
function answer() {
  const { step, memoryBytes, usableBytes, texts: typedBatchSize, faults, stepRefusal } = readForm()
  const { model, settings } = step
  const isFaulty = showFaults(faults, stepRefusal)
  show("[data-verdict], [data-fits], [data-answer], [data-limit]", false)
  show(".bc-fits-bar, .bc-legend, [data-step], .bc-fits-helps", !isFaulty)
  if (isFaulty) return
  const largestBatchSize = largestBatch(model, settings, usableBytes)
  const largestWithoutReserve = largestBatch(model, settings, memoryBytes)
  const texts = typedBatchSize || Math.max(1, largestBatchSize)
  const parts = bytesByPart(model, settings, texts)
  write("[data-output=batch]", largestBatchSize.toLocaleString("en"))
  write("[data-output=limit]", largestWithoutReserve.toLocaleString("en"))
  write("[data-output=texts]", texts.toLocaleString("en"))
  write("[data-output=peak]", amountText(parts.peak))
  write("[data-output=card]", amountText(memoryBytes))
  write("[data-output=memory]", (memoryBytes / GIB).toLocaleString("en"))
  write("[data-output=text]", `${inUnit(maxBytesPerText(model, settings), MB)} MB`)
  const verdict = showDistance(parts.peak, memoryBytes, usableBytes)
  if (typedBatchSize) show(`[data-verdict=${verdict}]`, true)
  else show("[data-verdict=none]", largestBatchSize === 0)
  show("[data-answer]", largestBatchSize > 0)
  show("[data-limit]", largestWithoutReserve > 0 && usableBytes < memoryBytes)
  lineOfLargest.toggleAttribute("data-is-second", Boolean(typedBatchSize))
  show("[data-part=reserve]", usableBytes < memoryBytes)
  const peakParts = partsAtPeak(parts)
  writeParts(peakParts, parts.peak)
  drawBar(peakParts, parts.peak, memoryBytes, usableBytes)
  showSavings(step, texts, parts)
}

/**
 * Shows how far the peak is above or below the threshold, which is all the memory if even that is too small, and
 * otherwise the memory without the reserve. Returns the verdict: "over", "reserve" or "free".
 * @param {number} peak
 * @param {number} memoryBytes
 * @param {number} usableBytes  the memory without the reserve
 */
function showDistance(peak, memoryBytes, usableBytes) {
  const isOver = peak > memoryBytes
  const threshold = isOver ? memoryBytes : usableBytes
  const isBeyond = peak > threshold
  const distance = isBeyond ? differenceText(peak, threshold) : differenceText(threshold, peak)
  const verdictWithin = isBeyond ? "reserve" : "free"
  const verdict = isOver ? "over" : verdictWithin
  write("[data-part=reserve] output", differenceText(memoryBytes, usableBytes))
  write("[data-part=room] output", distance)
  write("[data-output=needed]", distance)
  show(`[data-fits=${verdict}]`, true)
  return verdict
}

/** Shows how much memory each change would save, the largest saving first. Savings below a tenth of a gigabyte are left
 * out.
 * @param {TrainingStep} step @param {number} texts @param {StepParts} parts */
function showSavings({ model, settings }, texts, parts) {
  const list = /** @type {HTMLElement} */ (form.querySelector(".bc-fits-helps ul"))
  const { withLora } = models()
  /** @type {[name: string, step: TrainingStep][]} */
  const changedSteps = Object.entries(MEMORY_SAVERS).map(([name, changes]) => [
    name,
    { model, settings: { ...settings, ...changes } },
  ])
  changedSteps.push(["lora", { model: withLora ?? model, settings }])
  const items = changedSteps.map(([name, changedStep]) => {
    const isCounted = hasAnswerFor(changedStep.model) && !refusal(changedStep.model, changedStep.settings)
    const peak = isCounted ? bytesByPart(changedStep.model, changedStep.settings, texts).peak : parts.peak
    return { name, peak, saving: parts.peak - peak }
  })
  for (const { name, peak, saving } of items.sort((one, other) => other.saving - one.saving)) {
    const item = /** @type {HTMLElement} */ (list.querySelector(`[data-help=${name}]`))
    item.hidden = saving < TENTH
    // The saving is the difference of the rounded numbers, so that it agrees with the numbers shown.
    const savedTenths = Math.round(parts.peak / TENTH) - Math.round(peak / TENTH)
    const savingText = `${inUnit(savedTenths * TENTH, GB)} GB, from ${inUnit(parts.peak, GB)} to ${inUnit(peak, GB)}`
    write(`[data-help=${name}] output`, savingText)
    list.append(item)
  }
  show(
    ".bc-fits-helps",
    items.some(({ saving }) => saving >= TENTH),
  )
}

/** Answers for the calculator's model instead of a published one, if its steps are known. Returns whether they are.
 * @param {TrainedModel} model @param {TrainedModel | null} withLora  the same with LoRA; null if that is not offered */
export function useModel(model, withLora) {
  if (!hasAnswerFor(model)) return false
  calculatorModels = { model, withLora }
  for (const name of ["model", "trained"]) field(name)?.closest(".bc-field")?.remove()
  answer()
  return true
}

const card = /** @type {HTMLSelectElement} */ (form.elements.namedItem("card"))

/** Selects the GPU with the entered memory, or "another GPU" if there is none. */
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

/** The fields that the query string records when they differ from their initial values. The GPU is left out: it follows
 * from the memory. */
const FIELDS_IN_ADDRESS = Array.from(form.elements, (element) => /** @type {HTMLInputElement} */ (element)).filter(
  ({ name }) => name && name !== "card",
)
/** A field's value as written in the query string. @param {HTMLInputElement} field */
function queryValue({ type, checked, value }) {
  if (type === "checkbox") return checked ? "yes" : "no"
  return value.trim()
}
const INITIAL_VALUES = new Map(FIELDS_IN_ADDRESS.map((input) => [input.name, queryValue(input)]))

/** Fills in the fields that the address names. */
function readAddress() {
  const query = new URLSearchParams(location.search)
  for (const input of FIELDS_IN_ADDRESS) {
    const text = query.get(input.name)
    if (text === null) continue
    if (input.type === "checkbox") input.checked = text === "yes"
    else if (!(input instanceof HTMLSelectElement)) input.value = text
    else if (Array.from(input.options).some(({ value }) => value === text)) input.value = text
  }
}

/** Records in the address the fields that the reader has changed. */
function writeAddress() {
  const changedFields = FIELDS_IN_ADDRESS.filter((input) => queryValue(input) !== INITIAL_VALUES.get(input.name))
  const query = new URLSearchParams(changedFields.map((input) => [input.name, queryValue(input)]))
  history.replaceState(history.state, "", `${location.pathname}${query.size ? `?${query}` : ""}${location.hash}`)
}

// In the calculator, the URL already records the configuration.
if (!form.closest("#fits")) {
  readAddress()
  followMemory()
  form.addEventListener("input", writeAddress)
}
form.hidden = false
answer()
