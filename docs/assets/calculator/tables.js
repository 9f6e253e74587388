// What the calculator lists: the parts of a model, its tensors, the sum worked
// out, its bytes, and every change on the way from a published checkpoint, to scale. The letter of the field with the cursor lights the tensors that hold it.

import exported from "../../data/table.js"
import { code, link, signed } from "../answering/elements.js"
import { waterfall } from "../answering/waterfall.js"
import { count, METHODS, steps as stepsBetween } from "../counting/changes.js"
import { ofModel } from "../counting/configuration.js"
import { MOST, models, noun, whole } from "../counting/engine.js"
import { html } from "../drawing/html.js"
import { FREEZING, form, labelOf, wordsOf } from "./form.js"
import { percentage, placeIn, say, showTable, swatch, what } from "./live.js"
import { partsBeside } from "./state.js"

// --- Part by part -------------------------------------------------------------

/** @type {Columns} */
const PARTS = { part: "text", parameters: "num", share: "num", trainable: "num", difference: "num" }

/** @param {number} value */
const difference = (value) => (value ? signed(value) : "")

/** What each part holds, its share, and how far it is from the published model. @param {Shown} shown */
function showParts({ counted, configuration, fields }) {
  const name = fields.from || fields.model
  const published = count(ofModel(name, configuration.modelClass))
  const { total, trainable } = counted
  const rows = partsBeside(counted, published).map(({ block, title, page, number, share, trainable, more }) => [
    [swatch(block), link(page, title)],
    ...[whole(number), percentage(share), whole(trainable), difference(more)],
  ])
  const other = `it differs from ${models.get(name).title}, in the same class`
  const caption = `${configuration.modelClass}, part by part, and how ${other}; each share is rounded by itself`
  const last = ["total", whole(total), "100.0%", whole(trainable), difference(total - published.total)]
  const shown = showTable("calculator-parts", caption, PARTS, rows, last)
  shown.classList.toggle("bc-all-trained", trainable === total)
}

// --- Tensor by tensor -----------------------------------------------------------

/** @type {Columns} */
const TENSORS = { tensor: "text", shape: "prose", each: "num", times: "num", "in all": "num" }

/** @param {CountedRow} row */
const tensorRow = ({ name, tied, block, letters, shape, one, layers, number }) => [
  [swatch(block), code(name), ...(tied ? [what("tied to ", code(tied))] : [])],
  [html`<span class="bc-letters">${letters.join(" × ")}</span>`, what(shape.map(whole).join(" × "))],
  ...[whole(one), whole(layers), tied ? "tied" : whole(number)],
]

/** @type {CountedRow[]} */
let listed = []

/** One row for those that are alike in all layers. @param {Shown} shown */
function showTensors({ counted, configuration: { modelClass, lora, sizes } }) {
  listed = counted.rows
  const groups = "the first * stands for every group of layers, the second for every layer in it"
  const layers = "G" in sizes ? groups : "* stands for every layer"
  const caption = `The tensors of ${modelClass}, as ${lora ? METHODS.get(lora.method).library : "transformers"} lists them; ${layers}`
  const total = ["total", "", "", "", whole(counted.total)]
  showTable("calculator-tensors", caption, TENSORS, listed.map(tensorRow), total)
  light()
}

/** Light the rows that hold the letter of the field with the cursor. */
function light() {
  const field = document.activeElement?.closest("#calculator-form [data-size]")
  const letter = field?.getAttribute("data-size") ?? ""
  for (const [order, row] of document.querySelectorAll("#calculator-tensors tbody tr").entries()) {
    const { letters, path } = listed[order]
    row.classList.toggle("bc-lit", letters.includes(letter) || (letter === "L" && path.includes("layer_*")))
  }
}
form.addEventListener("focusin", light)
form.addEventListener("focusout", () => setTimeout(light))

// --- Worked out -----------------------------------------------------------------

const [formula, steps] = ["code", "ol"].map((each) => placeIn("worked-place", each))
/** The formula of the total, and the sum worked out to its result. @param {Shown} shown */
function showWorked({ counted }) {
  say(formula, counted.formula)
  const lines = counted.sum.map(({ block, text, what: words }) => {
    const key = html`<span class="${block ? `bc-key bc-${block}` : "bc-key"}"></span>`
    return html`<li>${key}<span class="bc-line-of-sum">${text}</span>${what(words)}</li>`
  })
  steps.replaceChildren(...lines)
}

// --- Memory ---------------------------------------------------------------------

/** @type {Columns} */
const BYTES = { "data type": "text", weights: "num", gradients: "num", "Adam's moments": "num", total: "num" }
const UNITS = ["kB", "MB", "GB", "TB"]

/** Bytes in the smallest unit that leaves three digits before the point, rounded to one after it. @param {number} bytes */
export function inUnits(bytes) {
  if (bytes < 1000) return `${whole(bytes)} ${noun(bytes, "byte")}`
  const tenths = UNITS.map((_, order) => Math.round((10 * bytes) / 1000 ** (order + 1)))
  const order = tenths.findIndex((each) => each < 10_000)
  const [found, unit] = order < 0 ? [tenths[3], "TB"] : [tenths[order], UNITS[order]]
  return `${whole(Math.floor(found / 10))}.${found % 10} ${unit}`
}

/** To the byte, where a number can hold so many. @param {number} bytes */
const amount = (bytes) => [Number.isSafeInteger(bytes) ? whole(bytes) : "", what(inUnits(bytes))]

/** @param {Shown} shown */
function showBytes({ counted }) {
  const rows = Object.entries(counted.bytes).map(([dtype, { weights, scales, gradients, adam, all }]) => {
    const { [dtype]: width } = exported.dtypes
    const packed = exported.changes.storages.find((each) => each.title === dtype)
    const name = packed
      ? [packed.title, what(packed.what)]
      : [code(dtype), what(`${width} ${noun(width, "byte")} each`)]
    const kept = scales ? [what(`with ${inUnits(scales)} of scales`)] : []
    return [name, [...amount(weights), ...kept], ...[gradients, adam, all].map(amount)]
  })
  const caption = "Bytes of the weights, and what training with Adam keeps beside them"
  showTable("calculator-bytes", caption, BYTES, rows)
}

// --- From a published checkpoint --------------------------------------------------

const figure = placeIn("bridge-place", ".bc-waterfall")
/** @type {Columns} */
const STEPS = { change: "text", parameters: "num", trainable: "num", formula: "prose" }

/** What a step changes, in words. @param {ChangeStep} step @param {string} stage  the what-if that brings it, or "" */
function words({ kind, key, from, to, value }, stage) {
  const what = wordsOf(stage) || (stage === "frozen" ? FREEZING : METHODS.get(stage)?.does)
  const [old, now] = [from, to].map((each) => whole(Number(each)))
  if (what) return `${what}${kind === "size" ? `: ${key} = ${now}` : ""}`
  if (kind === "size") return `${stage ? "vocabulary resized" : labelOf(key)}: ${key} = ${now}, not ${old}`
  if (kind === "class" || kind === "architecture") {
    const title = exported.changes.blocks.find((each) => each.name === key)?.title
    const [less, more] = [from, to].map(
      (each) => exported.architectures.find(({ name }) => name === each)?.title ?? each,
    )
    return value > 0 ? `${title} of ${more}` : `${title}, without what only ${less} has`
  }
  return `${labelOf(kind)}: ${to ? "yes" : "no"}`
}

/** Every change on the way, those of the typed sizes first; null where it leads through a model that is too large to count.
 * @param {Pick<Shown, "stages">} shown @param {Configuration} start */
export function way({ stages }, start) {
  const found = stages.map(({ name, configuration }, order) =>
    stepsBetween(order ? stages[order - 1].configuration : start, configuration)?.map((step) => {
      return { ...step, label: words(step, name) }
    }),
  )
  return found.every((each) => each !== undefined) ? found.flat() : null
}

/** @param {Shown} shown */
function showBridge(shown) {
  const { counted, fields } = shown
  const name = fields.from || fields.model
  const { title } = models.get(name)
  const start = ofModel(name)
  const from = count(start)
  const all = way(shown, start)
  const found = all ?? []
  const most = `: on the way there are more than the ${whole(MOST)} parameters that are counted here`
  const nothing = found.length ? "" : ": nothing differs"
  const caption = `From ${title} as ${start.modelClass} to ${shown.configuration.modelClass}${all ? nothing : most}`
  const rows = found.map(({ label, value, trainable, formula }) => {
    return [label, signed(value), signed(trainable), formula && code(formula)]
  })
  const first = [title, whole(from.total), whole(from.trainable), ""]
  const last = ["your model", whole(counted.total), whole(counted.trainable), ""]
  const made = showTable("calculator-bridge", caption, STEPS, [first, ...rows], last)
  made.classList.toggle("bc-all-trained", counted.trainable === counted.total)
  const isDrawn = found.some((each) => each.value)
  figure.replaceChildren(...(isDrawn ? [waterfall(from.total, found, [title, last[0]])] : []))
}

/** All of them. @param {Shown} shown */
export function show(shown) {
  for (const each of [showParts, showTensors, showWorked, showBytes, showBridge]) each(shown)
}
