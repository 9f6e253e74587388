// What the calculator lists: the parts of a model, its tensors, the sum worked
// out, and its bytes. The letter of the field with the cursor lights the tensors that hold it.

import exported from "../../data/table.js"
import { code, link, signed } from "../answering/elements.js"
import { models, noun, whole } from "../counting/engine.js"
import { html } from "../drawing/html.js"
import { form } from "./form.js"
import { percentage, placeIn, say, showTable, swatch, what } from "./live.js"
import { partsBeside } from "./state.js"

// --- Part by part -------------------------------------------------------------

/** @type {Columns} */
const PARTS = { part: "text", parameters: "num", share: "num", trainable: "num", difference: "num" }

/** @param {number} value */
const difference = (value) => (value ? signed(value) : "")

/** What each part holds, its share, and how far it is from the published model. @param {Shown} shown */
function showParts({ counted, published, configuration, fields }) {
  const { total, trainable } = counted
  const rows = partsBeside(counted, published).map(({ block, title, page, number, share, trainable, more }) => [
    [swatch(block), link(page, title)],
    ...[whole(number), percentage(share), whole(trainable), difference(more)],
  ])
  const other = `it differs from ${models.get(fields.from || fields.model).title} in the same class`
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
  const caption = `The tensors of ${modelClass}, as ${lora ? "PEFT" : "transformers"} lists them; ${layers}`
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
  const rows = Object.entries(counted.bytes).map(([dtype, { weights, gradients, adam, all }]) => {
    const width = exported.dtypes[dtype]
    const name = [code(dtype), what(`${width} ${noun(width, "byte")} each`)]
    return [name, ...[weights, gradients, adam, all].map(amount)]
  })
  const caption = "Bytes of the weights, and what training with Adam keeps beside them"
  showTable("calculator-bytes", caption, BYTES, rows)
}

/** All of them. @param {Shown} shown */
export function show(shown) {
  for (const each of [showParts, showTensors, showWorked, showBytes]) each(shown)
}
