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
 * @typedef {{ weights: number, states: number, activations: number, gradients: number, peak: number }} Parts
 */

const GIB = 2 ** 30
const GB = 1e9
const MB = 1e6
const TENTH = GB / 10

const form = /** @type {HTMLFormElement} */ (document.querySelector("#batch-form"))

/** The value of a polynomial for a batch. @param {number[]} coefficients @param {number} texts @param {number} tokens */
function bytesOf(coefficients, texts, tokens) {
  /** @type {Record<string, number>} */
  const sizes = { N: texts, T: tokens, Q: Math.ceil(tokens / exported.rounding) * exported.rounding }
  const terms = exported.letters.map((letters, index) =>
    Array.from(letters).reduce((product, letter) => product * sizes[letter], coefficients[index]),
  )
  return terms.reduce((sum, term) => sum + term, 0)
}

/** The bytes of a step in memory, part by part; undefined if there is no such step. @param {Step} step @param {number} texts
 * @returns {Parts | undefined} */
function partsOf(step, texts) {
  const of = exported.models[step.model][step.trained]
  const way = of?.ways[`${step.dtype} ${step.attention || "sdpa"} ${Number(step.padded)} ${Number(step.checkpointing)}`]
  if (!way) return undefined
  const [weights, gradients, states] = of.fixed[step.dtype === "pure-bf16" ? "short" : "full"]
  const activations = bytesOf(way[0], texts, step.tokens) + bytesOf(way[1], texts, step.tokens)
  const fixed = weights + states
  return { weights, states, activations, gradients, peak: fixed + Math.max(activations, gradients) }
}

/** The bytes that one more text takes. @param {Step} step */
const textBytes = (step) => (partsOf(step, 2)?.activations ?? 0) - (partsOf(step, 1)?.activations ?? 0)

/** The most texts that fit. @param {Step} step @param {number} bytes */
function largestOf(step, bytes) {
  const one = /** @type {Parts} */ (partsOf(step, 1))
  if (one.peak > bytes) return 0
  return 1 + Math.floor((bytes - one.weights - one.states - one.activations) / textBytes(step))
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

/** The step that the fields describe, and the name of the first field that is empty or invalid. */
function read() {
  const memory = Number(field("memory").value.trim().replace(",", "."))
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
    tokens: !(Number.isInteger(tokens) && tokens >= 1 && tokens <= most),
    mask: step.padded && step.attention === "" && tokens % Number(form.dataset.maskStep) !== 0,
    texts: texts !== "" && !(Number.isInteger(Number(texts)) && Number(texts) >= 1 && Number(texts) < 1e9),
    way: !partsOf(step, 1),
  }
  const fault = Object.entries(faults).find(([, isFault]) => isFault)?.[0] ?? ""
  return { step, bytes: memory * GIB, texts: Number(texts), fault }
}

/** Draw the bar: every part as wide as its share of the larger of the step and the card.
 * @param {Parts} parts @param {number} bytes */
function draw(parts, bytes) {
  const full = Math.max(parts.peak, bytes)
  const isGradients = parts.gradients > parts.activations
  /** @type {Record<string, number>} */
  const drawn = {
    ...parts,
    gradients: isGradients ? parts.gradients : 0,
    activations: isGradients ? 0 : parts.activations,
  }
  for (const bar of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-bar]"))) {
    bar.style.width = `${(100 * drawn[bar.dataset.bar ?? ""]) / full}%`
  }
  form.style.setProperty("--bc-edge", `${(100 * bytes) / full}%`)
}

function answer() {
  const { step, bytes, texts: typed, fault } = read()
  show("[data-fault]", false)
  show(".bc-fits-bar, .bc-legend, .bc-fits-text, .bc-fits-helps", !fault)
  if (fault) {
    show(`[data-fault=${fault}]`, true)
    return write("[data-output=batch]", "…")
  }
  const largest = largestOf(step, bytes)
  const texts = typed || Math.max(1, largest)
  const parts = /** @type {Parts} */ (partsOf(step, texts))
  write("[data-output=batch]", largest.toLocaleString("en"))
  write("[data-output=texts]", texts.toLocaleString("en"))
  write("[data-output=peak]", inUnit(parts.peak, GB))
  write("[data-output=card]", inUnit(bytes, GB))
  write("[data-output=text]", inUnit(textBytes(step), MB))
  for (const [name, number] of Object.entries(parts)) write(`[data-part=${name}] output`, inUnit(number, GB))
  write("[data-part=room] output", inUnit(Math.abs(bytes - parts.peak), GB))
  show("[data-fits=free]", parts.peak <= bytes)
  show("[data-fits=over]", parts.peak > bytes)
  draw(parts, bytes)
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

form.addEventListener("input", ({ target }) => {
  const card = /** @type {HTMLSelectElement} */ (form.elements.namedItem("card"))
  if (target === card && card.value) field("memory").value = card.value
  if (target === field("memory")) {
    const options = Array.from(card.options, ({ value }) => value)
    card.value = options.includes(field("memory").value.trim()) ? field("memory").value.trim() : ""
  }
  answer()
})
form.addEventListener("submit", (event) => event.preventDefault())
form.hidden = false
answer()
