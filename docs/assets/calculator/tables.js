// The tables of the calculator: the parts of a model, its tensors and bytes, the sum worked
// out, and the steps from a published checkpoint, with their waterfall.
// While the cursor is in the field for a size, the tensors whose shapes contain that size
// are highlighted.
//
// Every table is rebuilt after each change. The build writes the same tables for the first
// model, so they are on the page before any script runs.

import exported from "../../data/table.js"
import { code, link, withSign } from "../answering/elements.js"
import { waterfall } from "../answering/waterfall.js"
import { count, METHODS, steps as stepsBetween } from "../counting/changes.js"
import { ofModel } from "../counting/configuration.js"
import { MAX_NUMBER, models, noun, whole } from "../counting/engine.js"
import { html } from "../drawing/html.js"
import { FREEZING_LABEL, form, labelOf, whatIfLabel } from "./form.js"
import { byId, firstIn, percentage, setText, showTable, smallPrint, swatch } from "./live.js"
import { comparedParts } from "./state.js"

// --- Part by part -------------------------------------------------------------

/** @type {Columns} */
const PARTS_COLUMNS = { part: "text", parameters: "num", share: "num", trainable: "num", difference: "num" }

/** A difference with its sign; "" if it is 0. @param {number} value */
const signedDifference = (value) => (value ? withSign(value) : "")

/**
 * Shows the parts with their parameters and shares, and the difference of each from the published model.
 * @param {View} view
 */
function showParts({ counts, configuration, fields }) {
  const name = fields.from || fields.model
  const publishedCounts = count(ofModel(name, configuration.modelClass))
  const { total, trainable } = counts
  const rows = comparedParts(counts, publishedCounts).map(({ block, title, page, number, share, trainable, more }) => [
    [swatch(block), link(page, title)],
    whole(number),
    percentage(share),
    whole(trainable),
    signedDifference(more),
  ])
  const comparison = `it differs from ${models.get(name).title}, in the same class`
  const caption = `${configuration.modelClass}, part by part, and how ${comparison}; each share is rounded separately`
  const foot = ["total", whole(total), "100.0%", whole(trainable), signedDifference(total - publishedCounts.total)]
  const table = showTable("calculator-parts", caption, PARTS_COLUMNS, rows, foot)
  table.classList.toggle("bc-all-trained", trainable === total)
}

// --- Tensor by tensor -----------------------------------------------------------

/** @type {Columns} */
const TENSORS_COLUMNS = { tensor: "text", shape: "prose", each: "num", times: "num", "in all": "num" }

/** The cells of a tensor. @param {CountedRow} row */
const tensorRow = ({ name, tied, block, letters, shape, elementsPerLayer, layers, number }) => [
  [swatch(block), code(name), ...(tied ? [smallPrint("tied to ", code(tied))] : [])],
  [html`<span class="bc-letters">${letters.join(" × ")}</span>`, smallPrint(shape.map(whole).join(" × "))],
  whole(elementsPerLayer),
  whole(layers),
  tied ? "tied" : whole(number),
]

/**
 * The tensors in the table, in the order of its rows.
 * @type {CountedRow[]}
 */
let tensors = []

/**
 * Shows the tensors. Tensors with the same name in all layers share a row.
 * @param {View} view
 */
function showTensors({ counts, configuration: { modelClass, tuning, sizes } }) {
  tensors = counts.rows
  const groups = "the first * stands for every group of layers, the second for every layer in it"
  const layers = "G" in sizes ? groups : "* stands for every layer"
  const library = tuning ? METHODS.get(tuning.method).library : "transformers"
  const caption = `The tensors of ${modelClass}, as ${library} lists them; ${layers}`
  const foot = ["total", "", "", "", whole(counts.total)]
  showTable("calculator-tensors", caption, TENSORS_COLUMNS, tensors.map(tensorRow), foot)
  highlight()
}

/** Highlights only the tensors whose shapes contain the letter of the field with the cursor or, for L, those of the
 * layers. */
function highlight() {
  const field = document.activeElement?.closest("#calculator-form [data-size]")
  const letter = field?.getAttribute("data-size") ?? ""
  for (const [index, row] of document.querySelectorAll("#calculator-tensors tbody tr").entries()) {
    const { letters, path } = tensors[index]
    row.classList.toggle("bc-lit", letters.includes(letter) || (letter === "L" && path.includes("layer_*")))
  }
}
form.addEventListener("focusin", highlight)
// Deferred, because no element has the focus during the event.
form.addEventListener("focusout", () => setTimeout(highlight))

// --- Worked out -----------------------------------------------------------------

const [formulaPlace, stepsList] = ["code", "ol"].map((selector) => firstIn("worked-place", selector))
/**
 * Shows the formula for the total, and the sum worked out line by line.
 * @param {View} view
 */
function showSum({ counts }) {
  setText(formulaPlace, counts.formula)
  const lines = counts.sum.map(({ block, text, what }) => {
    const key = html`<span class="${block ? `bc-key bc-${block}` : "bc-key"}"></span>`
    return html`<li>${key}<span class="bc-line-of-sum">${text}</span>${smallPrint(what)}</li>`
  })
  stepsList.replaceChildren(...lines)
}

// --- Memory ---------------------------------------------------------------------

/** @type {Columns} */
const BYTES_COLUMNS = { "data type": "text", weights: "num", gradients: "num", "Adam's moments": "num", total: "num" }
const UNITS = ["kB", "MB", "GB", "TB"]

/**
 * A number of bytes: below 1,000 in full, otherwise with one decimal, in the smallest unit that leaves at most three
 * digits before the point, or else in the largest.
 * @param {number} bytes
 */
export function inUnits(bytes) {
  if (bytes < 1000) return `${whole(bytes)} ${noun(bytes, "byte")}`
  // Rounded to tenths first, so that 999,950 bytes become 1.0 MB and not 1,000.0 kB.
  const tenthsByUnit = UNITS.map((_, power) => Math.round((10 * bytes) / 1000 ** (power + 1)))
  const smallestUnit = tenthsByUnit.findIndex((tenths) => tenths < 10_000)
  const index = smallestUnit < 0 ? UNITS.length - 1 : smallestUnit
  const tenths = tenthsByUnit[index]
  return `${whole(Math.floor(tenths / 10))}.${tenths % 10} ${UNITS[index]}`
}

/**
 * A number of bytes in full, and below it in the unit that `inUnits` chooses. The full number is left out if JavaScript
 * cannot hold it exactly.
 * @param {number} bytes
 */
const amountCell = (bytes) => [Number.isSafeInteger(bytes) ? whole(bytes) : "", smallPrint(inUnits(bytes))]

/**
 * Shows the bytes of the weights by data type, and the additional bytes that training with Adam keeps.
 * @param {View} view
 */
function showBytes({ counts }) {
  const rows = Object.entries(counts.bytes).map(([dtype, { weights, scales, gradients, adam, all }]) => {
    const { [dtype]: bytesEach } = exported.dtypes
    const storage = exported.changes.storages.find(({ title }) => title === dtype)
    const name = storage
      ? [storage.title, smallPrint(storage.what)]
      : [code(dtype), smallPrint(`${bytesEach} ${noun(bytesEach, "byte")} each`)]
    const scalesNote = scales ? [smallPrint(`with ${inUnits(scales)} of scales`)] : []
    // Integers have no gradients.
    const trainingCells = dtype.startsWith("int") && !storage ? ["", "", ""] : [gradients, adam, all].map(amountCell)
    return [name, [...amountCell(weights), ...scalesNote], ...trainingCells]
  })
  const caption = "Bytes of the weights, and what training with Adam keeps in addition"
  showTable("calculator-bytes", caption, BYTES_COLUMNS, rows)
}

// --- From a published checkpoint --------------------------------------------------

const figure = firstIn("bridge-place", ".bc-waterfall")
/** @type {Columns} */
const BRIDGE_COLUMNS = { change: "text", parameters: "num", trainable: "num", formula: "prose" }

/**
 * The label of a step.
 * @param {ChangeStep} step
 * @param {string} stage  the name of the stage that the step belongs to; empty for the typed sizes
 */
function stepWords({ kind, key, from, to, value }, stage) {
  const change = whatIfLabel(stage) || (stage === "frozen" ? FREEZING_LABEL : METHODS.get(stage)?.does)
  const [oldSize, newSize] = [from, to].map((size) => whole(Number(size)))
  if (change) return `${change}${kind === "size" ? `: ${key} = ${newSize}` : ""}`
  if (kind === "size") return `${stage ? "vocabulary resized" : labelOf(key)}: ${key} = ${newSize}, not ${oldSize}`
  if (kind === "class" || kind === "architecture") {
    const title = exported.changes.blocks.find((block) => block.name === key)?.title
    const [oldTitle, newTitle] = [from, to].map(
      (model) => exported.architectures.find(({ name }) => name === model)?.title ?? model,
    )
    return value > 0 ? `${title} of ${newTitle}` : `${title}, without what only ${oldTitle} has`
  }
  return `${labelOf(kind)}: ${to ? "yes" : "no"}`
}

/**
 * All steps from a published model to the current one, beginning with those of the typed sizes; null if an intermediate
 * model is too large to count.
 * @param {Pick<View, "stages">} view
 * @param {Configuration} start
 */
export function stepsFrom({ stages }, start) {
  const stepsByStage = stages.map(({ name, configuration }, index) =>
    stepsBetween(index ? stages[index - 1].configuration : start, configuration)?.map((step) => {
      return { ...step, label: stepWords(step, name) }
    }),
  )
  return stepsByStage.every((steps) => steps !== undefined) ? stepsByStage.flat() : null
}

/** Shows the bridge from the published model to the configuration in the fields. @param {View} view */
function showBridge(view) {
  const { counts, fields } = view
  const name = fields.from || fields.model
  const { title } = models.get(name)
  const start = ofModel(name)
  const startCounts = count(start)
  const countedSteps = stepsFrom(view, start)
  const steps = countedSteps ?? []
  const tooLargeNote = `: a model on the way has more than the ${whole(MAX_NUMBER)} parameters that can be counted here`
  const caption = `From ${title}, as ${start.modelClass}, to ${view.configuration.modelClass}${countedSteps ? "" : tooLargeNote}`
  const rows = steps.map(({ label, value, trainable, formula }) => {
    return [label, withSign(value), withSign(trainable), formula && code(formula)]
  })
  const first = [title, whole(startCounts.total), whole(startCounts.trainable), ""]
  const last = ["your model", whole(counts.total), whole(counts.trainable), ""]
  const table = showTable("calculator-bridge", caption, BRIDGE_COLUMNS, [first, ...rows], last)
  table.classList.toggle("bc-all-trained", counts.trainable === counts.total)
  // If nothing differs, two equal totals would only puzzle the reader.
  table.hidden = countedSteps !== null && !steps.length
  setText(
    byId("bridge-nothing"),
    table.hidden ? `So far, your model is ${title}, as ${start.modelClass}. Change something to see the steps.` : "",
  )
  const hasChanges = steps.some((step) => step.value)
  figure.replaceChildren(...(hasChanges ? [waterfall(startCounts.total, steps, [title, last[0]])] : []))
}

/** Shows all tables of the calculator. @param {View} view */
export function show(view) {
  for (const showPart of [showParts, showTensors, showSum, showBytes, showBridge]) showPart(view)
}
