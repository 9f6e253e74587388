// The last level of the map: a tensor to scale, and beside it a table that magnifies
// a few of its rows and columns. One element of the table, a single parameter, is
// selected; another can be selected by pointer, by keyboard, or by entering its row
// and column. One picture can stand for several tensors, one of which is chosen too.
//
// The selection is one list of numbers, called a cell: the row and column (or only the
// position in a vector), the layer, and which of the tensors. The address of the map has the
// same numbers. Everything is drawn anew after each move, from this list alone.

import { placeOf } from "../counting/files.js"
import { contentOf, escaped, html } from "./html.js"

const MAX_SIDE = 260 // pixels of a tensor's longer side in the picture, so that the table fits beside it
const CELL_SIDE = 36 // the side of an element in the table, in pixels
const TABLE_LIMITS = { rows: 9, columns: 7 } // the most of each in the table; odd, so that one is in the middle

// The same as in counting/engine.js and, below, the marks of levels.js. Either would fetch the exported table, which the
// page of the map does without.

/** A whole number with commas between thousands. @param {number} number */
const whole = (number) => number.toLocaleString("en")

/**
 * The sizes of a tensor: its rows and columns, or for a vector only the columns.
 * @param {Tensor} tensor
 * @param {Sizes} sizes
 */
const shapeOf = ({ shape }, sizes) => shape.map((axis) => sizes[axis] ?? Number(axis))

/**
 * How many values each part of a cell can have: its row and column, or for a vector its position; then the number of its
 * layer, and that of its tensor among those that share the picture.
 * @param {Tensor} tensor
 * @param {Sizes} sizes
 */
const limitsOf = (tensor, sizes) => [
  ...shapeOf(tensor, sizes),
  tensor.copies[0].file.includes("*") ? sizes.L : 1,
  tensor.copies.length,
]

/**
 * The cell of a tensor that is nearest to a position, which may lie outside the tensor or lack a coordinate.
 * @param {(number | undefined)[]} position
 * @param {number[]} limits
 */
const nearest = (position, limits) => limits.map((size, axis) => Math.min(Math.max(position[axis] || 0, 0), size - 1))

/**
 * The tokens of a word table's rows. They belong to one vocabulary, so they fit only a table with as many rows.
 * @param {Tensor} tensor
 * @param {Sizes} sizes
 */
const tokensOf = ({ tokens }, { V }) => tokens?.find(({ rows }) => rows === V)

/**
 * The cell that an address names, or the one that is selected first.
 * @param {Tensor} tensor
 * @param {number[]} cell
 * @param {Sizes} sizes
 */
export const cellOf = (tensor, cell, sizes) =>
  nearest(cell.length ? cell : [tokensOf(tensor, sizes)?.start], limitsOf(tensor, sizes))

/**
 * The numbers by which an address names a cell: those of the layer and of the tensor are left out if all after them
 * are zero.
 * @param {Tensor} tensor
 * @param {number[]} cell
 */
export function numbersOf({ shape }, cell) {
  const numbers = [...cell]
  while (numbers.length > shape.length && !numbers.at(-1)) numbers.pop()
  return numbers
}

/**
 * Up to `most` consecutive numbers below `size`, with `number` in the middle unless it is too close to an end.
 * @param {number} number
 * @param {number} size
 * @param {number} most
 */
function consecutive(number, size, most) {
  const start = Math.max(0, Math.min(number - Math.floor(most / 2), size - most))
  return Array.from({ length: Math.min(most, size) }, (_, offset) => start + offset)
}

/**
 * A value as pages print it.
 * @param {number} value
 */
const valueText = (value) => String(value).replace("-", "−")

/**
 * A name in pieces, whose lines may end with a full stop and nowhere else.
 * @param {string} name
 */
const breakable = (name) =>
  name
    .split(/(?<=\.)/)
    .flatMap((piece) => [html`<span class="bc-joined">${piece}</span>`, document.createElement("wbr")])

/** A text with a capital at its beginning. @param {string} text */
const capitalised = (text) => text[0].toUpperCase() + text.slice(1)

/**
 * The rows and columns by which each key moves the selection.
 * @type {Record<string, [number, number]>}
 */
const MOVES = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  PageUp: [-TABLE_LIMITS.rows, 0],
  PageDown: [TABLE_LIMITS.rows, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, -Infinity],
  End: [0, Infinity],
}

/**
 * A tensor as a section of the map.
 * @param {Tensor} tensor
 * @param {MapModel} model
 * @param {TensorFile} file  the file of the model
 * @param {string} id
 * @param {string} explanation  the address of the page about it
 * @param {number[]} cell  the one that is chosen at first, as `cellOf` returns it
 * @param {(cell: number[], words: string) => void} onChoice  called with another cell, and with words to announce,
 *   which are empty if the keyboard's focus announces the cell anyway
 */
export function cellsOf(tensor, { title, sizes, values }, file, id, explanation, cell, onChoice) {
  const { axes, style, copies } = tensor
  const limits = limitsOf(tensor, sizes)
  const shape = shapeOf(tensor, sizes)
  const [columns, rows = 1] = [...shape].reverse()
  const times = Math.ceil((CELL_SIDE * Math.max(rows, columns)) / MAX_SIDE) // how much the table magnifies
  const unit = CELL_SIDE / times // the side of an element in the picture, in pixels
  const [width, height] = [columns * unit, rows * unit]
  const kind = shape.length > 1 ? "matrix" : "vector"
  const headWidth = sizes.H / sizes.A
  const total = `${shape.length > 1 ? `${whole(rows)} × ${whole(columns)} = ` : ""}${whole(rows * columns)}`

  const texts = tokensOf(tensor, sizes)?.texts ?? {}
  /**
   * The token of a row, if it is known.
   * @param {number} number
   * @param {number} axis
   */
  const token = (number, axis) => (axis === 0 && number in texts ? `“${texts[number]}”` : "")
  /**
   * The words for a row or a column. In the exported ones, # stands for its number, @ for that of the head it belongs to,
   * and ~ for its number within the head.
   * @param {number} number
   * @param {number} axis
   */
  const axisWords = (number, axis) => {
    const [head, within] = [Math.floor(number / headWidth), number % headWidth].map(String)
    const axisName = axes[axis].replace("#", String(number)).replace("@", head).replace("~", within)
    return `${axisName} ${token(number, axis)}`.trim()
  }
  /** The tensor that is chosen among those that share the picture. */
  const copy = () => copies[cell[shape.length + 1]]
  /** The words for a place in the tensor, in which {0} and {1} stand for its row and its column.
   * @param {number[]} position  a row and a column, or a place in a vector */
  const words = (position) => copy().words.replace(/{(.)}/g, (_, axis) => axisWords(position[axis], Number(axis)))
  /**
   * The value of a parameter; empty if it is not known.
   * @param {number[]} position
   */
  const valueAt = ([first, second]) => {
    const value = values?.[copy().path][first]
    return value === undefined ? "" : valueText(Array.isArray(value) ? value[second] : value)
  }

  // Heads lie side by side along the axis whose words name them.
  const headAxis = axes.findIndex((text) => text.includes("@"))
  const lines = Array.from({ length: headAxis < 0 ? 0 : sizes.A - 1 }, (_, head) => {
    const edge = (head + 1) * headWidth * unit
    return headAxis === axes.length - 1 ? `M${edge} 0v${height}` : `M0 ${edge}h${width}`
  })
  const svg = html`<svg role="img" width="${width}" height="${height}" aria-label="${tensor.title}, to scale">
    <rect width="100%" height="100%"/><path class="bc-between" d="${lines.join("")}"/><rect class="bc-frame"/>
    <svg class="bc-mark"><path d="M0 0l-5 -8h10z"/></svg><svg class="bc-mark" x="100%"><path d="M0 0l8 -5v10z"/></svg></svg>`
  const [frame, columnMark, rowMark] = svg.querySelectorAll(".bc-frame, .bc-mark")
  const table = html`<table class="bc-grid" role="grid" aria-label="${tensor.title}, magnified"></table>`
  const options = copies.map(({ name }, index) => html`<option value="${index}">${name}</option>`)
  const controls = limits.map((size, part) =>
    part > shape.length
      ? html`<select>${options}</select>`
      : html`<input type="number" min="0" max="${size - 1}" required>`,
  )
  const fields = /** @type {(HTMLInputElement | HTMLSelectElement)[]} */ (controls)
  const names = [...(shape.length > 1 ? ["Row", "Column"] : ["Place"]), "Layer", "Which one"]
  // There is nothing to choose in a model of one layer, or if the tensor has a picture of its own.
  const labels = fields.flatMap((field, part) =>
    part < shape.length || limits[part] > 1 ? [html`<label>${names[part]} ${field}</label>`] : [],
  )
  const sentence = html`<p class="bc-cell-words"></p>`
  const inFile = html`<dl class="bc-in-file"></dl>`
  const notes = `${tensor.kernel ? ", as (in, out)" : ""}${lines.length ? ", with lines between the heads" : ""}`
  const link = html`<p class="bc-cell-links"><a href="${explanation}">What this ${kind} is for</a></p>`
  const isWhole = rows <= TABLE_LIMITS.rows && columns <= TABLE_LIMITS.columns
  const caption = isWhole
    ? `The whole ${kind}${notes}.`
    : `The whole ${kind} is to scale${notes}. The framed part is magnified ${whole(times)} times in both directions.`
  const section = html`<section class="bc-level" id="${id}">
    <h2>${tensor.title} <small>${title}: ${total} parameters</small></h2>
    <figure class="bc-figure bc-cells bc-${style}">${isWhole ? [] : svg}${table}
      <figcaption>${caption}</figcaption></figure>
    <div>${sentence}<p class="bc-question">${labels}</p>${inFile}${link}</div></section>`

  /** Whether a head begins at a number of an axis, other than the first one.
   * @param {number} number @param {number} axis */
  const isEdge = (number, axis) => axis === headAxis && number > 0 && number % headWidth === 0

  /** Draws the selection: the marks and the frame in the picture, the table, and the words below. */
  function draw() {
    const [column, row = 0] = cell.slice(0, shape.length).reverse()
    const rowNumbers = consecutive(row, rows, TABLE_LIMITS.rows)
    const columnNumbers = consecutive(column, columns, TABLE_LIMITS.columns)
    columnMark.setAttribute("x", String((column + 0.5) * unit))
    rowMark.setAttribute("y", String((row + 0.5) * unit))
    // Rows and columns; times the side of an element, they are pixels.
    const framePlace = { x: columnNumbers[0], y: rowNumbers[0], width: columnNumbers.length, height: rowNumbers.length }
    for (const [name, value] of Object.entries(framePlace)) frame.setAttribute(name, String(value * unit))
    const tableRows = rowNumbers.map((rowNumber) => {
      const cells = columnNumbers.map((columnNumber) => {
        const position = [rowNumber, columnNumber].slice(-shape.length)
        const isChosen = position.every((number, axis) => number === cell[axis])
        const focus = `tabindex="${isChosen ? 0 : -1}" aria-selected="${isChosen}"`
        const edges = ["bc-head-above", "bc-head-left"].slice(-shape.length)
        const style = edges.filter((_, axis) => isEdge(position[axis], axis)).join(" ")
        const value = valueAt(position)
        const label = escaped([words(position), value].filter(Boolean).join(": "))
        return `<td data-cell="${position}" class="${style}" ${focus} aria-label="${label}">${value}</td>`
      })
      const name = rows > 1 ? [String(rowNumber), escaped(token(rowNumber, 0))].filter(Boolean).join("<br>") : ""
      return `<tr><th scope="row">${name}</th>${cells.join("")}</tr>`
    })
    const head = columnNumbers.map((columnNumber) => `<th scope="col">${columnNumber}</th>`).join("")
    table.innerHTML = `<thead><tr><td></td>${head}</tr></thead><tbody>${tableRows.join("")}</tbody>`
    const position = cell.slice(0, shape.length)
    const value = valueAt(position)
    const ofAll = contentOf(`: this is one parameter; there are ${total} in this ${kind}.`)
    sentence.replaceChildren(html`<strong>${capitalised(words(position))}${value && ` is ${value}`}</strong>`, ...ofAll)
    const place = placeOf(tensor, shape, position, copy().file.replace("*", String(cell[shape.length])), file)
    inFile.replaceChildren(
      html`<div><dt>Name in PyTorch</dt><dd><code>${breakable(place.name)}</code></dd></div>`,
      html`<div><dt>Offset in this tensor</dt><dd>${whole(place.inTensor)} bytes</dd></div>`,
      html`<div><dt>Offset in the <a href="#in-the-file">file</a></dt><dd>${whole(place.inFile)} bytes</dd></div>`,
    )
    // The field in use keeps what was typed, which may be the beginning of a number.
    for (const [part, field] of fields.entries()) if (field !== document.activeElement) field.value = String(cell[part])
  }

  /** The selected cell of the table, the only one that the Tab key reaches. */
  const chosenCell = () => /** @type {HTMLElement} */ (table.querySelector("[tabindex='0']"))

  /** Chooses a cell. @param {(number | undefined)[]} position  the numbers that it lacks stay as they are */
  function choose(position) {
    const hadFocus = table.contains(document.activeElement)
    cell = nearest([...position, ...cell.slice(position.length)], limits)
    draw()
    if (hadFocus) chosenCell().focus()
    onChoice(cell, hadFocus ? "" : (sentence.textContent ?? ""))
  }

  section.addEventListener("input", () => {
    if (fields.every(({ value }) => value)) choose(fields.map(({ value }) => Number(value)))
  })
  section.addEventListener("change", draw) // replaces a number out of range with that of the nearest cell
  section.addEventListener("keydown", (event) => {
    const move = MOVES[event.key]
    const isElsewhere = !table.contains(/** @type {Node} */ (event.target))
    if (!move || isElsewhere || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    choose(move.slice(-shape.length).map((step, axis) => cell[axis] + step))
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
