// The last level of the map: a tensor to scale, and beside it a few of its rows
// and columns, magnified, of which one element is chosen: one parameter.

import { escaped, html, unbroken } from "./html.js"

const SIDE = 260 // pixels: the most that the longer side of a tensor takes
const CELL = 36 // pixels: the side of an element
const SHOWN = { rows: 9, columns: 7 }

/** @param {number} number */
const whole = (number) => number.toLocaleString("en")

/** Rows and columns of a tensor; a vector has columns only. @param {Tensor} tensor @param {Sizes} sizes */
const shapeOf = ({ shape }, sizes) => shape.map((each) => sizes[each] ?? Number(each))

/** The element that there is, nearest to what is asked for. @param {(number | undefined)[]} cell @param {number[]} shape */
const clamped = (cell, shape) => shape.map((size, axis) => Math.min(Math.max(cell[axis] || 0, 0), size - 1))

/** The element that an address names, or the one to start with. @param {Tensor} tensor @param {number[]} cell @param {Sizes} sizes */
export function cellOf(tensor, cell, sizes) {
  const shape = shapeOf(tensor, sizes)
  const { tokens } = tensor
  return clamped(cell.length || tokens?.rows !== shape[0] ? cell : [tokens.start], shape)
}

/** A few numbers around one, as many as there are room for. @param {number} number @param {number} size @param {number} most */
function around(number, size, most) {
  const start = Math.max(0, Math.min(number - Math.floor(most / 2), size - most))
  return Array.from({ length: Math.min(most, size) }, (_, place) => start + place)
}

/** @param {string} text */
const capital = (text) => text[0].toUpperCase() + text.slice(1)

/** How far a key moves, in rows and columns. @type {Record<string, [number, number]>} */
const MOVES = {
  ...{ ArrowUp: [-1, 0], ArrowDown: [1, 0], PageUp: [-SHOWN.rows, 0], PageDown: [SHOWN.rows, 0] },
  ...{ ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -Infinity], End: [0, Infinity] },
}

/** A tensor as a section of the map, which says when another element of it is chosen.
 * @param {Tensor} tensor @param {MapModel} model @param {string} id @param {string} explained  the page about it
 * @param {number[]} cell @param {(cell: number[], words: string) => void} chosen */
export function cellsOf(tensor, { title, sizes }, id, explained, cell, chosen) {
  const { axes, tokens, style } = tensor
  const shape = shapeOf(tensor, sizes)
  const [columns, rows = 1] = [...shape].reverse()
  const times = Math.ceil((CELL * Math.max(rows, columns)) / SIDE)
  const unit = CELL / times
  const [width, height] = [columns * unit, rows * unit]
  const kind = shape.length > 1 ? "matrix" : "vector"
  const size = sizes.H / sizes.A
  const total = `${shape.length > 1 ? `${whole(rows)} × ${whole(columns)} = ` : ""}${whole(rows * columns)}`

  const texts = tokens?.rows === rows ? tokens.texts : {}
  /** The token of a row, where it is known. @param {number} number @param {number} axis */
  const token = (number, axis) => (axis === 0 && number in texts ? `“${texts[number]}”` : "")
  /** What a row or a column is. @param {number} number @param {number} axis */
  const named = (number, axis) =>
    `${axes[axis].replace("#", String(number)).replace("@", String(Math.floor(number / size)))} ${token(number, axis)}`.trim()
  /** @param {number[]} place */
  const words = (place) => place.map(named).join(", ")

  // Heads lie side by side along the dimension that names them.
  const headed = axes.findIndex((each) => each.includes("@"))
  const lines = Array.from({ length: headed < 0 ? 0 : sizes.A - 1 }, (_, head) => {
    const at = (head + 1) * size * unit
    return headed === axes.length - 1 ? `M${at} 0v${height}` : `M0 ${at}h${width}`
  })
  const svg = html`<svg role="img" width="${width}" height="${height}" aria-label="${tensor.title}, to scale">
    <rect width="100%" height="100%"/><path class="bc-between" d="${lines.join("")}"/><rect class="bc-frame"/>
    <svg class="bc-mark"><path d="M0 0l-5 -8h10z"/></svg><svg class="bc-mark" x="100%"><path d="M0 0l8 -5v10z"/></svg></svg>`
  const [frame, top, left] = svg.querySelectorAll(".bc-frame, .bc-mark")
  const table = html`<table class="bc-grid" role="grid" aria-label="${tensor.title}, magnified"></table>`
  const inputs = shape.map((each) => html`<input type="number" min="0" max="${each - 1}" required>`)
  const fields = /** @type {HTMLInputElement[]} */ (inputs)
  const labels = fields.map((field, axis) => html`<label>${capital(axes[axis].split(" #")[0])} ${field}</label>`)
  const said = html`<p class="bc-cell-words"></p>`
  const noted = `${tensor.kernel ? ", as (in, out)" : ""}${lines.length ? ", with lines between the heads" : ""}`
  const section = html`<section class="bc-level" id="${id}">
    <h2>${tensor.title} <small>${title}: ${total} parameters</small></h2>
    <figure class="bc-figure bc-cells bc-${style}">${svg}${table}<figcaption>The whole ${kind} is to scale${noted}.
      What is framed is magnified ${whole(times)} times in both directions.</figcaption></figure>
    <div>${said}<p class="bc-question">${labels}</p><p><a href="${explained}">What this ${kind} is for</a></p></div></section>`

  function draw() {
    const [column, row = 0] = [...cell].reverse()
    const [down, across] = [around(row, rows, SHOWN.rows), around(column, columns, SHOWN.columns)]
    top.setAttribute("x", String((column + 0.5) * unit))
    left.setAttribute("y", String((row + 0.5) * unit))
    const framed = { x: across[0], y: down[0], width: across.length, height: down.length }
    for (const [name, value] of Object.entries(framed)) frame.setAttribute(name, String(value * unit))
    const cells = down.map((each) => {
      const row = across.map((other) => {
        const place = [each, other].slice(-shape.length)
        const isChosen = place.every((number, axis) => number === cell[axis])
        return `<td data-cell="${place}" tabindex="${isChosen ? 0 : -1}" aria-selected="${isChosen}" aria-label="${escaped(words(place))}"></td>`
      })
      const name = rows > 1 ? [String(each), escaped(token(each, 0))].filter(Boolean).join("<br>") : ""
      return `<tr><th scope="row">${name}</th>${row.join("")}</tr>`
    })
    const head = across.map((each) => `<th scope="col">${each}</th>`).join("")
    table.innerHTML = `<thead><tr><td></td>${head}</tr></thead><tbody>${cells.join("")}</tbody>`
    const ofAll = unbroken(`: this is one parameter; there are ${total} in this ${kind}.`)
    said.replaceChildren(html`<strong>${capital(words(cell))}</strong>`, ...ofAll)
    for (const [axis, field] of fields.entries()) if (field !== document.activeElement) field.value = String(cell[axis])
  }

  /** The cell that is chosen. */
  const start = () => /** @type {HTMLElement} */ (table.querySelector("[tabindex='0']"))

  /** @param {(number | undefined)[]} place */
  function choose(place) {
    const hadFocus = table.contains(document.activeElement)
    cell = clamped(place, shape)
    draw()
    if (hadFocus) start().focus()
    chosen(cell, hadFocus ? "" : (said.textContent ?? "")) // what has the keyboard is read anyway
  }

  section.addEventListener("input", () => {
    if (fields.every(({ value }) => value)) choose(fields.map(({ value }) => Number(value)))
  })
  section.addEventListener("change", draw)
  section.addEventListener("keydown", (event) => {
    const move = MOVES[event.key]
    const isElsewhere = !table.contains(/** @type {Node} */ (event.target))
    if (!move || isElsewhere || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    choose(cell.map((number, axis) => number + move.slice(-shape.length)[axis]))
  })
  section.addEventListener("click", ({ target, clientX, clientY }) => {
    const { cell } = /** @type {HTMLElement} */ (target).dataset
    const { left, top } = svg.getBoundingClientRect()
    if (cell) {
      start().focus()
      choose(cell.split(",").map(Number))
    } else if (svg.contains(/** @type {Node} */ (target)))
      choose([clientY - top, clientX - left].slice(-shape.length).map((each) => Math.floor(each / unit)))
  })
  draw()
  return section
}
