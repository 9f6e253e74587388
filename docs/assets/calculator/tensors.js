// The tensors of the calculator's model, one row for those that are alike in
// all layers. The letter of the field with the cursor lights the rows that hold it.

import { code, element } from "../answering/elements.js"
import { whole } from "../counting/engine.js"
import { element as form, letterInHand } from "./form.js"
import { cell, liveTable, place, swatch } from "./live.js"

/** @type {Column[]} */
const COLUMNS = [
  ["tensor", "text"],
  ["shape", "prose"],
  ["each", "num"],
  ["times", "num"],
  ["together", "num"],
]
const table = liveTable("calculator-tensors", "Tensor by tensor", COLUMNS)
place("tensors-place").append(table.element)

/** @param {CountedRow} row */
const shapeOf = (row) =>
  cell(`${row.letters.join()} ${row.shape.join()}`, () => [
    element("span", { class: "bc-letters" }, row.letters.join(" × ")),
    element("span", { class: "bc-what" }, row.shape.map((each) => whole(each)).join(" × ")),
  ])

/** @type {Counted | null} */
let shownRows = null

/** @param {Shown} shown */
function show({ counted, configuration }) {
  shownRows = counted
  const rows = counted.rows.map((row) => ({
    name: `${row.path} ${row.added}`,
    cells: [
      cell(`${row.name} ${row.tied}`, () => [
        swatch(row.block),
        code(row.name),
        ...(row.tied ? [element("span", { class: "bc-what" }, "tied to ", code(row.tied))] : []),
      ]),
      shapeOf(row),
      whole(row.one),
      whole(row.layers),
      row.tied ? "tied" : whole(row.number),
    ],
  }))
  const layers =
    "G" in configuration.sizes
      ? "the first * stands for every group of layers, the second for every layer in it"
      : "* stands for every layer"
  table.say(
    `The tensors of ${configuration.modelClass}, as ${configuration.lora ? "PEFT" : "transformers"} lists them; ${layers}`,
  )
  table.show(rows, ["total", "", "", "", whole(counted.total)])
  light()
}

/** Light the rows that hold the letter in hand. */
function light() {
  const letter = letterInHand()
  for (const row of shownRows?.rows ?? []) {
    const lit = Boolean(letter) && (row.letters.includes(letter) || (letter === "L" && row.path.includes("layer_*")))
    table.rowOf(`${row.path} ${row.added}`)?.classList.toggle("bc-lit", lit)
  }
}

form.addEventListener("focusin", light)
form.addEventListener("focusout", () => setTimeout(light))
/** @type {Panel} */
export const panel = { show, place: place("tensors-place") }
