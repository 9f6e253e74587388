// The tensors of the calculator's model, one row for those that are alike in
// all layers. The letter of the field with the cursor lights the rows that hold it.

import { code, element } from "../answering/elements.js"
import { whole } from "../counting/engine.js"
import { element as form, letterInHand } from "./form.js"
import { cell, liveTable, place, swatch, what } from "./live.js"

const table = liveTable("tensors", { tensor: "text", shape: "prose", each: "num", times: "num", together: "num" })

/** @param {CountedRow} row @returns {[string, Cell[]]} */
const rowOf = ({ path, added, name, tied, block, letters, shape, one, layers, number }) => [
  `${path} ${added}`,
  [
    cell(`${name} ${tied}`, () => [swatch(block), code(name), ...(tied ? [what("tied to ", code(tied))] : [])]),
    cell(`${letters} ${shape}`, () => [
      element("span", { class: "bc-letters" }, letters.join(" × ")),
      what(shape.map(whole).join(" × ")),
    ]),
    ...[whole(one), whole(layers), tied ? "tied" : whole(number)],
  ],
]

/** @type {CountedRow[]} */
let rows = []

/** @param {Shown} shown */
function show({ counted, configuration: { modelClass, lora, sizes } }) {
  rows = counted.rows
  const layers =
    "G" in sizes
      ? "the first * stands for every group of layers, the second for every layer in it"
      : "* stands for every layer"
  table.show(
    `The tensors of ${modelClass}, as ${lora ? "PEFT" : "transformers"} lists them; ${layers}`,
    rows.map(rowOf),
    ["total", "", "", "", whole(counted.total)],
  )
  light()
}

/** Light the rows that hold the letter in hand. */
function light() {
  const letter = letterInHand()
  for (const { path, added, letters } of rows) {
    const lit = Boolean(letter) && (letters.includes(letter) || (letter === "L" && path.includes("layer_*")))
    table.rowOf(`${path} ${added}`)?.classList.toggle("bc-lit", lit)
  }
}

form.addEventListener("focusin", light)
form.addEventListener("focusout", () => setTimeout(light))
/** @type {Panel} */
export const panel = { show, place: place("tensors-place") }
