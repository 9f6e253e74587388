// The last level of the map: a tensor to scale, and beside it a table that magnifies
// a few of its rows and columns. One element of the table, a single parameter, is
// selected; another can be selected by pointer, by keyboard, or by entering its row
// and column.

import { escaped, html, unbroken } from "./html.js"

const LONGER_SIDE = 260 // the longest side that a tensor may have in the picture, in pixels
const CELL_SIDE = 36 // the side of an element in the table, in pixels
const SHOWN = { rows: 9, columns: 7 } // the most elements in the table; odd, so that one is in the middle

/** @param {number} number */
const whole = (number) => number.toLocaleString("en")

/**
 * The sizes of a tensor: its rows and columns, or for a vector only the columns.
 * @param {Tensor} tensor
 * @param {Sizes} sizes
 */
const shapeOf = ({ shape }, sizes) => shape.map((axis) => sizes[axis] ?? Number(axis))

/**
 * The element of a tensor that is nearest to a position, which may lie outside the tensor or lack a coordinate.
 * @param {(number | undefined)[]} position
 * @param {number[]} shape
 */
const nearest = (position, shape) => shape.map((size, axis) => Math.min(Math.max(position[axis] || 0, 0), size - 1))

/**
 * The element that an address names, or the one that is selected first.
 * @param {Tensor} tensor
 * @param {number[]} cell
 * @param {Sizes} sizes
 */
export function cellOf(tensor, cell, sizes) {
  const shape = shapeOf(tensor, sizes)
  const { tokens } = tensor
  // The tokens belong to one vocabulary, so they fit only a table with the same number of rows.
  return nearest(cell.length || tokens?.rows !== shape[0] ? cell : [tokens.start], shape)
}

/**
 * Up to `most` consecutive numbers below `size`, with `number` in the middle unless it is too close to an end.
 * @param {number} number
 * @param {number} size
 * @param {number} most
 */
function around(number, size, most) {
  const start = Math.max(0, Math.min(number - Math.floor(most / 2), size - most))
  return Array.from({ length: Math.min(most, size) }, (_, offset) => start + offset)
}

/** @param {string} text */
const capitalised = (text) => text[0].toUpperCase() + text.slice(1)

/**
 * The rows and columns by which each key moves the selection.
 * @type {Record<string, [number, number]>}
 */
const MOVES = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  PageUp: [-SHOWN.rows, 0],
  PageDown: [SHOWN.rows, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, -Infinity],
  End: [0, Infinity],
}

/**
 * A tensor as a section of the map.
 * @param {Tensor} tensor
 * @param {MapModel} model
 * @param {string} id
 * @param {string} explanation  the address of the page about it
 * @param {number[]} cell  the element that is chosen at first
 * @param {(cell: number[], words: string) => void} onChoice  called with another element, and with words to announce,
 *   which are empty if the keyboard's focus announces the element anyway
 */
export function cellsOf(tensor, { title, sizes }, id, explanation, cell, onChoice) {
  const { axes, tokens, style } = tensor
  const shape = shapeOf(tensor, sizes)
  const [columns, rows = 1] = [...shape].reverse()
  const times = Math.ceil((CELL_SIDE * Math.max(rows, columns)) / LONGER_SIDE)
  const unit = CELL_SIDE / times
  const [width, height] = [columns * unit, rows * unit]
  const kind = shape.length > 1 ? "matrix" : "vector"
  const headWidth = sizes.H / sizes.A
  const total = `${shape.length > 1 ? `${whole(rows)} × ${whole(columns)} = ` : ""}${whole(rows * columns)}`

  const texts = tokens?.rows === rows ? tokens.texts : {}
  /**
   * The token of a row, if it is known.
   * @param {number} number
   * @param {number} axis
   */
  const token = (number, axis) => (axis === 0 && number in texts ? `“${texts[number]}”` : "")
  /**
   * The words for a row or a column.
   * @param {number} number
   * @param {number} axis
   */
  const axisWords = (number, axis) => {
    const head = String(Math.floor(number / headWidth))
    return `${axes[axis].replace("#", String(number)).replace("@", head)} ${token(number, axis)}`.trim()
  }
  /** @param {number[]} position */
  const words = (position) => position.map(axisWords).join(", ")

  // Heads lie side by side along the axis whose words name them.
  const headAxis = axes.findIndex((text) => text.includes("@"))
  const lines = Array.from({ length: headAxis < 0 ? 0 : sizes.A - 1 }, (_, head) => {
    const edge = (head + 1) * headWidth * unit
    return headAxis === axes.length - 1 ? `M${edge} 0v${height}` : `M0 ${edge}h${width}`
  })
  const svg = html`<svg role="img" width="${width}" height="${height}" aria-label="${tensor.title}, to scale">
    <rect width="100%" height="100%"/><path class="bc-between" d="${lines.join("")}"/><rect class="bc-frame"/>
    <svg class="bc-mark"><path d="M0 0l-5 -8h10z"/></svg><svg class="bc-mark" x="100%"><path d="M0 0l8 -5v10z"/></svg></svg>`
  const [frame, top, left] = svg.querySelectorAll(".bc-frame, .bc-mark")
  const table = html`<table class="bc-grid" role="grid" aria-label="${tensor.title}, magnified"></table>`
  const inputs = shape.map((size) => html`<input type="number" min="0" max="${size - 1}" required>`)
  const fields = /** @type {HTMLInputElement[]} */ (inputs)
  const labels = fields.map((field, axis) => html`<label>${capitalised(axes[axis].split(" #")[0])} ${field}</label>`)
  const sentence = html`<p class="bc-cell-words"></p>`
  const notes = `${tensor.kernel ? ", as (in, out)" : ""}${lines.length ? ", with lines between the heads" : ""}`
  const link = html`<p><a href="${explanation}">What this ${kind} is for</a></p>`
  const section = html`<section class="bc-level" id="${id}">
    <h2>${tensor.title} <small>${title}: ${total} parameters</small></h2>
    <figure class="bc-figure bc-cells bc-${style}">${svg}${table}<figcaption>The whole ${kind} is to scale${notes}.
      The framed part is magnified ${whole(times)} times in both directions.</figcaption></figure>
    <div>${sentence}<p class="bc-question">${labels}</p>${link}</div></section>`

  function draw() {
    const [column, row = 0] = [...cell].reverse()
    const [down, across] = [around(row, rows, SHOWN.rows), around(column, columns, SHOWN.columns)]
    top.setAttribute("x", String((column + 0.5) * unit))
    left.setAttribute("y", String((row + 0.5) * unit))
    const framed = { x: across[0], y: down[0], width: across.length, height: down.length }
    for (const [name, value] of Object.entries(framed)) frame.setAttribute(name, String(value * unit))
    const tableRows = down.map((rowNumber) => {
      const cells = across.map((columnNumber) => {
        const position = [rowNumber, columnNumber].slice(-shape.length)
        const isChosen = position.every((number, axis) => number === cell[axis])
        const focus = `tabindex="${isChosen ? 0 : -1}" aria-selected="${isChosen}"`
        return `<td data-cell="${position}" ${focus} aria-label="${escaped(words(position))}"></td>`
      })
      const name = rows > 1 ? [String(rowNumber), escaped(token(rowNumber, 0))].filter(Boolean).join("<br>") : ""
      return `<tr><th scope="row">${name}</th>${cells.join("")}</tr>`
    })
    const head = across.map((columnNumber) => `<th scope="col">${columnNumber}</th>`).join("")
    table.innerHTML = `<thead><tr><td></td>${head}</tr></thead><tbody>${tableRows.join("")}</tbody>`
    const ofAll = unbroken(`: this is one parameter; there are ${total} in this ${kind}.`)
    sentence.replaceChildren(html`<strong>${capitalised(words(cell))}</strong>`, ...ofAll)
    for (const [axis, field] of fields.entries()) if (field !== document.activeElement) field.value = String(cell[axis])
  }

  /** The selected cell of the table, the only one that the Tab key reaches. */
  const chosenCell = () => /** @type {HTMLElement} */ (table.querySelector("[tabindex='0']"))

  /** @param {(number | undefined)[]} position */
  function choose(position) {
    const hadFocus = table.contains(document.activeElement)
    cell = nearest(position, shape)
    draw()
    if (hadFocus) chosenCell().focus()
    onChoice(cell, hadFocus ? "" : (sentence.textContent ?? ""))
  }

  section.addEventListener("input", () => {
    if (fields.every(({ value }) => value)) choose(fields.map(({ value }) => Number(value)))
  })
  section.addEventListener("change", draw) // replaces a number out of range with that of the nearest element
  section.addEventListener("keydown", (event) => {
    const move = MOVES[event.key]
    const isElsewhere = !table.contains(/** @type {Node} */ (event.target))
    if (!move || isElsewhere || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    choose(cell.map((number, axis) => number + move.slice(-shape.length)[axis]))
  })
  section.addEventListener("click", ({ target, clientX, clientY }) => {
    const { cell: chosen } = /** @type {HTMLElement} */ (target).dataset
    const { left, top } = svg.getBoundingClientRect()
    if (chosen) {
      chosenCell().focus()
      choose(chosen.split(",").map(Number))
    } else if (svg.contains(/** @type {Node} */ (target)))
      choose([clientY - top, clientX - left].slice(-shape.length).map((distance) => Math.floor(distance / unit)))
  })
  draw()
  return section
}
