// The last level of the map: a tensor to scale, and beside it a few of its rows
// and columns, magnified, of which one element is chosen: one parameter.

import { Counter, product, whole } from "../counting/engine.js"
import { escaped, html } from "./html.js"
import { at, below, leadsTo, levels, MODEL_CLASS, trail } from "./levels.js"

const SIDE = 260 // pixels: the most that the longer side of a tensor takes
const CELL = 36 // pixels: the side of an element
const SHOWN = { rows: 9, columns: 7 }

/** The tensors below the levels by their path on the map. @type {Map<string, Grid>} */
export const grids = new Map()
for (const level of levels)
  for (const block of level.blocks) {
    const [title, ...axes] = block.cells ?? []
    const path = below(level, block)
    if (path && axes.length) grids.set(path, { path, title, axes, block })
  }

/** Rows and columns of a tensor; a vector has columns only. @param {Grid} grid @param {Sizes} sizes */
function shapeOf({ block: { part = "", tag = "" } }, sizes) {
  const [row] = new Counter(MODEL_CLASS, sizes).rows.selected(part, tag)
  return row.dimensions.map((each) => product([each], sizes))
}

/** A number that a dimension has, the nearest to what is asked for. @param {number | undefined} number @param {number} size */
const within = (number, size) => Math.min(Math.max(number || 0, 0), size - 1)
/** @param {(number | undefined)[]} cell @param {number[]} shape */
const clamped = (cell, shape) => shape.map((size, axis) => within(cell[axis], size))

/** The element that an address names, or the one to start with. @param {Grid} grid @param {number[]} cell @param {Sizes} sizes */
export function cellOf(grid, cell, sizes) {
  const shape = shapeOf(grid, sizes)
  const { tokens } = grid.block
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
 * @param {Grid} grid @param {Sizes} sizes @param {string} title  what the model is called @param {string} root
 * @param {number[]} cell @param {(cell: number[], words: string) => void} chosen */
export function cellsOf(grid, sizes, title, root, cell, chosen) {
  const { axes, block, path } = grid
  const shape = shapeOf(grid, sizes)
  const [columns, rows = 1] = [...shape].reverse()
  const times = Math.ceil((CELL * Math.max(rows, columns)) / SIDE)
  const unit = CELL / times
  const [width, height] = [columns * unit, rows * unit]
  const kind = rows > 1 ? "matrix" : "vector"
  const size = sizes.H / sizes.A
  const total = `${rows > 1 ? `${whole(rows)} × ${whole(columns)} = ` : ""}${whole(rows * columns)}`

  const texts = block.tokens?.rows === rows ? block.tokens.texts : {}
  /** The token of a row, where it is known. @param {number} axis @param {number} number */
  const token = (axis, number) => (axis === 0 && number in texts ? `“${texts[number]}”` : "")
  /** What a row or a column is. @param {number} axis @param {number} number */
  const named = (axis, number) =>
    [axes[axis].replace("#", String(number)).replace("@", String(Math.floor(number / size))), token(axis, number)]
      .filter(Boolean)
      .join(" ")
  /** @param {number[]} place */
  const words = (place) => place.map((number, axis) => named(axis, number)).join(", ")

  // Heads lie side by side along the dimension that names them.
  const headed = axes.findIndex((each) => each.includes("@"))
  const isAcross = headed === axes.length - 1
  const lines = Array.from({ length: headed < 0 ? 0 : sizes.A - 1 }, (_, head) =>
    isAcross ? `M${(head + 1) * size * unit} 0v${height}` : `M0 ${(head + 1) * size * unit}h${width}`,
  )
  const section = html`<section class="bc-level" id="${at(root, path)}"></section>`
  section.innerHTML =
    `<h2>${grid.title} <small></small></h2><figure class="bc-figure bc-cells bc-${block.style}"><svg role="img" width="${width}" height="${height}">` +
    `<title>${grid.title}, to scale</title><rect width="100%" height="100%"/><path class="bc-between" d="${lines.join("")}"/>` +
    `<rect class="bc-frame"/><svg class="bc-mark"><path d="M0 0l-5 -8h10z"/></svg><svg class="bc-mark" x="100%"><path d="M0 0l8 -5v10z"/></svg></svg>` +
    `<table class="bc-grid" role="grid" aria-label="${grid.title}, magnified"></table>` +
    `<figcaption>The whole ${kind} is to scale${block.tag === "kernel" ? ", as (in, out)" : ""}${lines.length ? ", with lines between the heads" : ""}. What is framed is magnified ${whole(times)} times in both directions.</figcaption></figure>` +
    `<div><p class="bc-cell-words"></p><p class="bc-question"></p><p><a href="${leadsTo(block, "")}">What this ${kind} is for</a></p></div>${trail(grid, sizes, root)}`
  /** @template {Element} [T=HTMLElement] @param {string} selector @returns {T} */
  const inside = (selector) => /** @type {T} */ (section.querySelector(selector))
  inside("small").textContent = `${title}: ${total} parameters`

  const fields = shape.map((each, axis) => {
    const field = html`<input type="number" min="0" max="${each - 1}" required>`
    inside(".bc-question").append(html`<label>${capital(axes[axis].split(" #")[0])} ${field}</label>`)
    return /** @type {HTMLInputElement} */ (field)
  })
  const [table, svg] = [inside("table"), /** @type {SVGSVGElement} */ (inside("svg"))]

  function draw() {
    const [column, row = 0] = [...cell].reverse()
    const [down, across] = [around(row, rows, SHOWN.rows), around(column, columns, SHOWN.columns)]
    const [top, left] = svg.querySelectorAll(".bc-mark")
    top.setAttribute("x", String((column + 0.5) * unit))
    left.setAttribute("y", String((row + 0.5) * unit))
    const frame = { x: across[0], y: down[0], width: across.length, height: down.length }
    for (const [name, value] of Object.entries(frame)) inside(".bc-frame").setAttribute(name, String(value * unit))
    const cells = down.map((each) => {
      const row = across.map((other) => {
        const place = [each, other].slice(-shape.length)
        const isChosen = place.every((number, axis) => number === cell[axis])
        return `<td data-cell="${place}" tabindex="${isChosen ? 0 : -1}" aria-selected="${isChosen}" aria-label="${escaped(words(place))}"></td>`
      })
      return `<tr><th scope="row">${rows > 1 ? each : ""}${rows > 1 && token(0, each) ? `<br>${escaped(token(0, each))}` : ""}</th>${row.join("")}</tr>`
    })
    const head = across.map((each) => `<th scope="col">${each}</th>`).join("")
    table.innerHTML = `<thead><tr><td></td>${head}</tr></thead><tbody>${cells.join("")}</tbody>`
    const text = words(cell)
    inside(".bc-cell-words").innerHTML =
      `<strong>${escaped(capital(text))}</strong>: this is one parameter; there are ${total} in this ${kind}.`
    fields.forEach((field, axis) => {
      if (field !== document.activeElement) field.value = String(cell[axis])
    })
  }

  /** @param {(number | undefined)[]} place */
  function choose(place) {
    const hadFocus = table.contains(document.activeElement)
    cell = clamped(place, shape)
    draw()
    if (hadFocus) inside("[aria-selected=true]").focus()
    chosen(cell, hadFocus ? "" : (inside(".bc-cell-words").textContent ?? "")) // what has the keyboard is read anyway
  }

  section.addEventListener("input", () => {
    if (fields.every(({ value }) => value)) choose(fields.map(({ value }) => Number(value)))
  })
  section.addEventListener("change", draw)
  section.addEventListener("keydown", (event) => {
    const move = MOVES[event.key]
    if (!move || !table.contains(/** @type {Node} */ (event.target)) || event.ctrlKey || event.metaKey || event.altKey)
      return
    event.preventDefault()
    choose(cell.map((number, axis) => number + move.slice(-shape.length)[axis]))
  })
  section.addEventListener("click", ({ target, clientX, clientY }) => {
    const { dataset } = /** @type {HTMLElement} */ (target)
    const { left, top } = svg.getBoundingClientRect()
    if (dataset?.cell) {
      inside("[tabindex='0']").focus()
      choose(dataset.cell.split(",").map(Number))
    } else if (svg.contains(/** @type {Node} */ (target)))
      choose([clientY - top, clientX - left].slice(-shape.length).map((each) => Math.floor(each / unit)))
  })
  draw()
  return section
}
