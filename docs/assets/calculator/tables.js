// What the calculator lists: the parts of a model, its tensors, the sum worked
// out, and its bytes. The letter of the field with the cursor lights the tensors that hold it.

import exported from "../../data/table.js"
import { code, link, signed } from "../answering/elements.js"
import { models, noun, whole } from "../counting/engine.js"
import { html } from "../drawing/html.js"
import { element as form, letterInHand } from "./form.js"
import { cell, liveTable, panel, percentage, place, say, styleOf, swatch, what } from "./live.js"

// --- Part by part -------------------------------------------------------------

const parts = liveTable("parts", { part: "text", parameters: "num", share: "num", trainable: "num", difference: "num" })

/** @param {number} value */
const difference = (value) => (value ? signed(value) : "")

/** What each part holds, its share, and how far it is from the published model. @param {Shown} shown */
function showParts({ counted, published, configuration, typed }) {
  const { total, trainable } = counted
  /** @param {string} block */
  const there = (block) => published.parts.find((each) => each.block === block)?.number ?? 0
  const gone = published.parts.filter((each) => !counted.parts.some(({ block }) => block === each.block))
  const rows = [...counted.parts, ...gone.map((each) => ({ ...each, number: 0, trainable: 0, share: 0 }))].map(
    ({ block, title, page, number, share, trainable }) => {
      const name = cell(title, () => [swatch(block), link(page, title)])
      const numbers = [whole(number), percentage(share), whole(trainable), difference(number - there(block))]
      return /** @type {[string, Cell[]]} */ ([block, [name, ...numbers]])
    },
  )
  const other = `it differs from ${models.get(typed.to || typed.model).title} in the same class`
  parts.element.classList.toggle("bc-all-trained", trainable === total)
  parts.show(`${configuration.modelClass}, part by part, and how ${other}; each share is rounded by itself`, rows, [
    "total",
    whole(total),
    "100.0%",
    whole(trainable),
    difference(total - published.total),
  ])
}

// --- Tensor by tensor -----------------------------------------------------------

const tensors = liveTable("tensors", { tensor: "text", shape: "prose", each: "num", times: "num", "in all": "num" })
/** @type {CountedRow[]} */
let listed = []

/** @param {CountedRow} row */
const nameOf = ({ path, added }) => `${path} ${added}`

/** @param {CountedRow} row @returns {[string, Cell[]]} */
function tensorRow(row) {
  const { name, tied, block, letters, shape, one, layers, number } = row
  const title = () => [swatch(block), code(name), ...(tied ? [what("tied to ", code(tied))] : [])]
  const sizes = () => [html`<span class="bc-letters">${letters.join(" × ")}</span>`, what(shape.map(whole).join(" × "))]
  const numbers = [whole(one), whole(layers), tied ? "tied" : whole(number)]
  return [nameOf(row), [cell(`${name} ${tied}`, title), cell(`${letters} ${shape}`, sizes), ...numbers]]
}

/** One row for those that are alike in all layers. @param {Shown} shown */
function showTensors({ counted, configuration: { modelClass, lora, sizes } }) {
  listed = counted.rows
  const groups = "the first * stands for every group of layers, the second for every layer in it"
  const layers = "G" in sizes ? groups : "* stands for every layer"
  const library = lora ? "PEFT" : "transformers"
  const total = ["total", "", "", "", whole(counted.total)]
  tensors.show(`The tensors of ${modelClass}, as ${library} lists them; ${layers}`, listed.map(tensorRow), total)
  light()
}

/** Light the rows that hold the letter in hand. */
function light() {
  const letter = letterInHand()
  for (const row of listed) {
    const lit = row.letters.includes(letter) || (letter === "L" && row.path.includes("layer_*"))
    tensors.rowOf(nameOf(row))?.classList.toggle("bc-lit", lit)
  }
}
form.addEventListener("focusin", light)
form.addEventListener("focusout", () => setTimeout(light))

// --- Worked out -----------------------------------------------------------------

const [formula, steps] = ["code", "ol"].map(
  (each) => /** @type {Element} */ (place("worked-place").querySelector(each)),
)
/** The formula of the total, and the sum worked out to its result. @param {Shown} shown */
function showWorked({ counted }) {
  const { sum } = counted // worked out when it is asked for
  say(formula, counted.formula)
  while (steps.children.length > sum.length) steps.lastElementChild?.remove()
  while (steps.children.length < sum.length)
    steps.append(html`<li><span></span><span class="bc-line-of-sum"></span><span class="bc-what"></span></li>`)
  sum.forEach((line, order) => {
    const [key, text, what] = steps.children[order].children
    const style = line.block ? `bc-key ${styleOf(line.block)}` : "bc-key"
    if (key.className !== style) key.className = style
    say(text, line.text)
    say(what, line.what)
  })
}

// --- Memory ---------------------------------------------------------------------

const COLUMNS = /** @type {const} */ ({ weights: "num", gradients: "num", "Adam's moments": "num", total: "num" })
const bytes = liveTable("memory", { "data type": "text", ...COLUMNS }, "bytes")
place("memory-place").prepend(bytes.element)
const UNITS = ["TB", "GB", "MB", "kB"]

/** Bytes in the largest unit that leaves a digit before the point, rounded to one after it; what rounds to a thousand
 * of one unit is one of the next. @param {number} bytes */
export function inUnits(bytes) {
  const sizes = UNITS.map((_, order) => 1000 ** (UNITS.length - order))
  // Half of a tenth of the unit below is the 20,000th part of a unit.
  const order = sizes.findIndex((each) => bytes + each / 20_000 >= each)
  if (order < 0) return `${whole(bytes)} ${noun(bytes, "byte")}`
  const tenths = Math.floor((20 * bytes + sizes[order]) / (2 * sizes[order]))
  return `${whole(Math.floor(tenths / 10))}.${tenths % 10} ${UNITS[order]}`
}

/** To the byte, where a number can hold so many. @param {number} bytes */
const amount = (bytes) =>
  cell(String(bytes), () => [Number.isSafeInteger(bytes) ? whole(bytes) : "", what(inUnits(bytes))])

/** @param {Shown} shown */
function showBytes({ counted }) {
  const rows = Object.entries(counted.bytes).map(([dtype, { weights, gradients, adam, all }]) => {
    const width = exported.dtypes[dtype]
    const name = cell(dtype, () => [code(dtype), what(`${width} ${noun(width, "byte")} each`)])
    return /** @type {[string, Cell[]]} */ ([dtype, [name, ...[weights, gradients, adam, all].map(amount)]])
  })
  bytes.show("Bytes of the weights, and what training with Adam keeps beside them", rows)
}

export const panels = [
  panel("parts-place", showParts),
  panel("tensors-place", showTensors),
  panel("worked-place", showWorked),
  panel("memory-place", showBytes),
]
