// Configurations side by side: what stands in the fields, and up to two that
// were kept, with their sizes, parts and totals, to one scale.

import table from "../../data/table.js"
import { code } from "../answering/elements.js"
import { count, offered, shareOf } from "../counting/changes.js"
import { models, whole } from "../counting/engine.js"
import { html } from "../drawing/html.js"
import { button, modelSelect, panel as panelOf, place, styleOf, what } from "./live.js"
import { differences, evaluated, MOST_BESIDE, stateOf } from "./state.js"
import { inUnits } from "./tables.js"

const around = place("compare-place")
const keep = /** @type {HTMLButtonElement} */ (around.querySelector("button"))
const select = modelSelect("compare-with")
const shownBeside = /** @type {HTMLElement} */ (around.querySelector(".bc-beside"))

/** @type {{ current: () => Typed, changed: (typed: Typed, key: string) => void }} */
let page

/** @typedef {{ typed: Typed, configuration: Configuration, counted: Counted }} Compared */

/** What one is called, what makes it another than the published model, and its class. @param {Compared} of @param {number} order */
function heading({ typed, configuration: { modelClass } }, order) {
  const title = (order ? "" : "What you type: ") + models.get(typed.model).title
  const [, ...differing] = differences(typed).filter(([name]) => name !== "class")
  const remove = button("Remove", () => {
    const now = page.current()
    page.changed({ ...now, beside: now.beside.filter((_, place) => place !== order - 1) }, "beside")
    keep.focus()
  })
  return html`<th scope="col" class="bc-num"><span class="bc-title">${title}</span>${what(
    differing.map(([name, value]) => `${name} = ${value}`).join(", "),
  )}${what(code(modelClass))}${order ? remove : ""}</th>`
}

/** The parts of one as a bar, so long as it is among the others. @param {Counted} counted @param {number} most */
function bar({ parts }, most) {
  let at = 0
  const pieces = parts.map(({ block, number }) => {
    const wide = 100 * shareOf(number, most)
    at += wide
    return `<rect x="${(at - wide).toFixed(4)}%" width="${wide.toFixed(4)}%" height="100%" class="${styleOf(block)}"/>`
  })
  const svg = html`<svg class="bc-bars bc-side" aria-hidden="true"></svg>`
  svg.innerHTML = pieces.join("")
  return svg
}

let before = ""

/** @param {Shown} shown */
function show({ typed, configuration, counted }) {
  const key = JSON.stringify([typed, typed.beside.length ? String(counted.total) : ""])
  keep.disabled = select.disabled = typed.beside.length >= MOST_BESIDE
  if (key === before) return
  before = key
  if (!typed.beside.length) return shownBeside.replaceChildren()
  /** @type {Compared[]} */
  const columns = [
    { typed, configuration, counted },
    ...typed.beside.map((each) => {
      const found = /** @type {Configuration} */ (evaluated(each).configuration)
      return { typed: each, configuration: found, counted: count(found) }
    }),
  ]
  const most = Math.max(1, ...columns.map((each) => each.counted.total))
  /** @param {string} name @param {(each: Compared) => Content} content @param {string} [style] */
  const row = (name, content, style = "") =>
    html`<tr class="${style}"><th scope="row" class="bc-text">${name}</th>${columns.map(
      (each) => html`<td class="bc-num">${content(each)}</td>`,
    )}</tr>`
  /** @param {string} name @param {(each: Compared) => number | undefined} of */
  const numbers = (name, of, style = "") => {
    const values = new Set(columns.map(of))
    return row(
      name,
      (each) => {
        const value = of(each)
        return value === undefined ? "none" : whole(value)
      },
      `${style}${values.size > 1 ? "" : " bc-same-in-all"}`,
    )
  }
  const letters = table.symbols
    .map(({ letter }) => letter)
    .filter((letter) =>
      columns.some(({ configuration: each }) => letter in each.sizes && (letter !== "C" || offered(each).labels)),
    )
  const titles = new Map(columns.flatMap((each) => each.counted.parts.map((part) => [part.block, part.title])))
  shownBeside.replaceChildren(html`
    <div class="bc-scroll" role="region" aria-labelledby="beside-caption" tabindex="0">
      <table class="bc bc-${columns.length} bc-compared">
        <caption id="beside-caption"><span class="bc-caption">Side by side; bars are to one scale</span></caption>
        <thead><tr><td class="bc-corner"></td>${columns.map(heading)}</tr></thead>
        <tbody>${[
          numbers("parameters", (each) => each.counted.total, "bc-totalled"),
          row("to scale", (each) => bar(each.counted, most), "bc-row-of-bars"),
          numbers("trainable", (each) => each.counted.trainable),
          ...letters.map((letter) => numbers(letter, (each) => each.configuration.sizes[letter])),
          ...[...titles].map(([block, title]) =>
            numbers(title, (each) => each.counted.parts.find((part) => part.block === block)?.number ?? 0),
          ),
          row("weights in float32", (each) => inUnits(each.counted.bytes.float32.weights)),
        ]}</tbody>
      </table>
    </div>`)
}

/** @type {Listen} */
export function listen(current, changed) {
  page = { current, changed }
  /** @param {Typed} other */
  const add = (other) => {
    const typed = current()
    changed({ ...typed, beside: [...typed.beside, { ...other, beside: [], to: "" }].slice(0, MOST_BESIDE) }, "beside")
  }
  keep.addEventListener("click", () => evaluated(current()).configuration && add(current()))
  select.addEventListener("change", () => {
    if (models.has(select.value)) add(stateOf(select.value))
    select.value = ""
  })
}

export const panel = panelOf("compare-place", show)
