// Configurations side by side: what stands in the fields, and up to two that
// were kept, with their sizes, parts and totals, to one scale.

import table from "../../data/table.js"
import { code } from "../answering/elements.js"
import { count, offered, shareOf } from "../counting/changes.js"
import { models, whole } from "../counting/engine.js"
import { html } from "../drawing/html.js"
import { placeIn, what } from "./live.js"
import { differences, evaluated, MOST_BESIDE, stateOf } from "./state.js"
import { inUnits } from "./tables.js"

const [keep, select, region] = ["button", "select", ".bc-scroll"].map((each) => placeIn("compare-place", each))

/** Puts other configurations beside. @type {(beside: (before: Fields[]) => Fields[]) => void} */
let put

/** @typedef {{ fields: Fields, configuration: Configuration, counted: Counted }} Compared */

/** What one is called, what makes it another than the published model, and its class. @param {Compared} of @param {number} order */
function heading({ fields, configuration: { modelClass } }, order) {
  const title = (order ? "" : "What you type: ") + models.get(fields.model).title
  const differing = differences(fields).filter(([name]) => name !== "class")
  const words = what(differing.map((each) => each.join(" = ")).join(", "))
  const remove = html`<button type="button" class="bc-button">Remove</button>`
  remove.addEventListener("click", () => {
    put((before) => before.filter((_, place) => place !== order - 1))
    keep.focus()
  })
  const shown = [html`<span class="bc-title">${title}</span>`, words, what(code(modelClass)), order ? remove : ""]
  return html`<th scope="col" class="bc-num">${shown}</th>`
}

/** The parts of one as a bar, so long as it is among the others. @param {Counted} counted @param {number} most */
function bar({ parts }, most) {
  let at = 0
  const pieces = parts.map(({ block, number }) => {
    const wide = 100 * shareOf(number, most)
    at += wide
    return `<rect x="${(at - wide).toFixed(4)}%" width="${wide.toFixed(4)}%" height="100%" class="bc-${block}"/>`
  })
  const svg = html`<svg class="bc-bars bc-side" aria-hidden="true"></svg>`
  svg.innerHTML = pieces.join("")
  return svg
}

/** @param {Shown} shown */
export function show({ fields, beside, configuration, counted }) {
  keep.disabled = select.disabled = beside.length >= MOST_BESIDE
  region.hidden = !beside.length
  if (!beside.length) return
  /** @type {Compared[]} */
  const columns = [{ fields, configuration, counted }]
  for (const each of beside) {
    const found = evaluated(each).configuration
    if (found) columns.push({ fields: each, configuration: found, counted: count(found) })
  }
  const most = Math.max(1, ...columns.map((each) => each.counted.total))
  /** @param {string} name @param {(each: Compared) => Content | number | undefined} of @param {string} [style] */
  const row = (name, of, style = "") => {
    const values = columns.map(of)
    const same = values.every((each) => each === values[0]) ? " bc-same-in-all" : ""
    const shown = values.map((each) => (typeof each === "number" ? whole(each) : (each ?? "none")))
    const cells = shown.map((each) => html`<td class="bc-num">${each}</td>`)
    return html`<tr class="${style}${same}"><th scope="row" class="bc-text">${name}</th>${cells}</tr>`
  }
  const letters = table.symbols
    .map(({ letter }) => letter)
    .filter((letter) =>
      columns.some(({ configuration: each }) => letter in each.sizes && (letter !== "C" || offered(each).labels)),
    )
  const titles = new Set(columns.flatMap((each) => each.counted.parts.map((part) => part.title)))
  region.replaceChildren(html`
    <table class="bc bc-${columns.length} bc-compared">
      <caption id="beside-caption"><span class="bc-caption">Side by side; bars are to one scale</span></caption>
      <thead><tr><td class="bc-corner"></td>${columns.map(heading)}</tr></thead>
      <tbody>${[
        row("parameters", (each) => each.counted.total, "bc-totalled"),
        row("to scale", (each) => bar(each.counted, most)),
        row("trainable", (each) => each.counted.trainable),
        ...letters.map((letter) => row(letter, (each) => each.configuration.sizes[letter])),
        ...[...titles].map((title) =>
          row(title, (each) => each.counted.parts.find((part) => part.title === title)?.number ?? 0),
        ),
        row("weights in float32", (each) => inUnits(each.counted.bytes.float32.weights)),
      ]}</tbody>
    </table>`)
}

/** @type {Listen} */
export function listen(current, changed) {
  put = (beside) => changed({ ...current(), beside: beside(current().beside).slice(0, MOST_BESIDE) }, "beside")
  keep.addEventListener("click", () => {
    const { fields } = current()
    if (evaluated(fields).configuration) put((before) => [...before, { ...fields, from: "" }])
  })
  select.addEventListener("change", () => {
    if (models.has(select.value)) put((before) => [...before, stateOf(select.value)])
    select.value = ""
  })
}
