// Shows configurations side by side: the one in the fields and up to two others,
// with their sizes, parts and totals, and bars to the same scale.
//
// Like the first configuration, the others are stored in the page's state as fields, so the
// address records them too. They are counted again whenever the table is drawn.

import table from "../../data/table.js"
import { code } from "../answering/elements.js"
import { available, count, shareOf } from "../counting/changes.js"
import { models, whole } from "../counting/engine.js"
import { html } from "../drawing/html.js"
import { firstIn, smallPrint } from "./live.js"
import { differences, evaluate, fieldsOfModel, MAX_BESIDE } from "./state.js"
import { inUnits } from "./tables.js"

const [keepButton, modelList, tableRegion] = ["button", "select", ".bc-scroll"].map((selector) =>
  firstIn("compare-place", selector),
)

/**
 * Replaces the configurations that are compared with the one in the fields. `listAfter` returns the new list,
 * given the old one. `listen` sets this function.
 * @type {(listAfter: (oldList: Fields[]) => Fields[]) => void}
 */
let changeBeside

/** One column of the table.
 * @typedef {{ fields: Fields, configuration: Configuration, counts: Counts }} ComparedColumn */

/**
 * The heading of a column: the model, its differences from the published one, the class and, except in the first
 * column, a button that removes the column.
 * @param {ComparedColumn} column
 * @param {number} index  0 for the configuration in the fields
 */
function heading({ fields, configuration: { modelClass } }, index) {
  const title = (index ? "" : "Your model: ") + models.get(fields.model).title
  const pairs = differences(fields).filter(([name]) => name !== "class")
  const differencesLine = smallPrint(pairs.map((pair) => pair.join(" = ")).join(", "))
  const removeButton = html`<button type="button" class="bc-button">Remove</button>`
  removeButton.addEventListener("click", () => {
    // Two columns may have equal fields, so the column to remove is identified by its object.
    changeBeside((oldList) => oldList.filter((other) => other !== fields))
    keepButton.focus() // because the button that had the focus no longer exists
  })
  const lines = [
    html`<span class="bc-title">${title}</span>`,
    differencesLine,
    smallPrint(code(modelClass)),
    index ? removeButton : "",
  ]
  return html`<th scope="col" class="bc-num">${lines}</th>`
}

/**
 * The parts of a configuration as a bar; the largest total fills the width.
 * @param {Counts} counts
 * @param {number} largestTotal
 */
function bar({ parts }, largestTotal) {
  let end = 0
  const pieces = parts.map(({ block, number }) => {
    const width = 100 * shareOf(number, largestTotal)
    end += width
    return `<rect x="${(end - width).toFixed(4)}%" width="${width.toFixed(4)}%" height="100%" class="bc-${block}"/>`
  })
  const svg = html`<svg class="bc-bars bc-side" aria-hidden="true"></svg>`
  svg.innerHTML = pieces.join("")
  return svg
}

/** Shows the configuration in the fields next to those that it is compared with. @param {View} view */
export function show({ fields, beside, configuration, counts }) {
  keepButton.disabled = modelList.disabled = beside.length >= MAX_BESIDE
  tableRegion.hidden = !beside.length
  if (!beside.length) return
  /** @type {ComparedColumn[]} */
  const columns = [{ fields, configuration, counts }]
  for (const fieldsBeside of beside) {
    const { configuration } = evaluate(fieldsBeside)
    if (configuration) columns.push({ fields: fieldsBeside, configuration, counts: count(configuration) })
  }
  tableRegion.replaceChildren(html`
    <table class="bc bc-${columns.length} bc-compared">
      <caption id="beside-caption"><span class="bc-caption">Side by side, with bars to the same scale</span></caption>
      <thead><tr><td class="bc-corner"></td>${columns.map(heading)}</tr></thead>
      <tbody>${rowsOf(columns)}</tbody>
    </table>`)
}

/**
 * The rows of the table: the totals, as numbers and as bars, and the trainable parameters; the sizes that affect any
 * column; the parts that any column has; and the memory of the weights.
 * @param {ComparedColumn[]} columns
 */
function rowsOf(columns) {
  /**
   * A row of the table, greyed out if all columns have the same value.
   * @param {string} name
   * @param {(column: ComparedColumn) => Content | number | undefined} valueIn  undefined if a column has no such size
   * @param {string} [style]
   */
  const row = (name, valueIn, style = "") => {
    const values = columns.map(valueIn)
    const greyClass = values.every((value) => value === values[0]) ? " bc-same-in-all" : ""
    const contents = values.map((value) => (typeof value === "number" ? whole(value) : (value ?? "none")))
    const cells = contents.map((content) => html`<td class="bc-num">${content}</td>`)
    return html`<tr class="${style}${greyClass}"><th scope="row" class="bc-text">${name}</th>${cells}</tr>`
  }
  const largestTotal = Math.max(1, ...columns.map((column) => column.counts.total)) // at least 1, because it is a divisor
  const letters = table.symbols
    .map(({ letter }) => letter)
    .filter((letter) => columns.some((column) => isUsedIn(letter, column)))
  const titles = new Set(columns.flatMap((column) => column.counts.parts.map((part) => part.title)))
  return [
    row("parameters", (column) => column.counts.total, "bc-totalled"),
    row("to scale", (column) => bar(column.counts, largestTotal)),
    row("trainable", (column) => column.counts.trainable),
    ...letters.map((letter) => row(letter, (column) => column.configuration.sizes[letter])),
    ...[...titles].map((title) =>
      row(title, (column) => column.counts.parts.find((part) => part.title === title)?.number ?? 0),
    ),
    row("weights in float32", (column) => inUnits(column.counts.bytes.float32.weights)),
  ]
}

/**
 * Whether a size affects a column. Every configuration has a number of labels, which only some classes use.
 * @param {string} letter
 * @param {ComparedColumn} column
 */
const isUsedIn = (letter, { configuration }) =>
  letter in configuration.sizes && (letter !== "C" || available(configuration).labels)

/**
 * Adds a configuration when the reader uses the button or the list. A configuration that cannot be counted is not
 * added.
 * @type {Listen}
 */
export function listen(currentState, onChange) {
  changeBeside = (listAfter) =>
    onChange({ ...currentState(), beside: listAfter(currentState().beside).slice(0, MAX_BESIDE) }, "beside")
  keepButton.addEventListener("click", () => {
    const { fields } = currentState()
    // A copy, because the same fields may be added twice. It has no `from`, the start of a bridge, which is not
    // compared.
    if (evaluate(fields).configuration) changeBeside((oldList) => [...oldList, { ...fields, from: "" }])
  })
  modelList.addEventListener("change", () => {
    if (models.has(modelList.value)) changeBeside((oldList) => [...oldList, fieldsOfModel(modelList.value)])
    modelList.value = "" // so that the same model can be chosen again
  })
}
