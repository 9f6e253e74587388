// The last level of the map: a tensor to scale, next to a table that magnifies a few of its
// rows and columns. One element of the table, a single parameter, is selected. The reader can
// select another one with the pointer, with the keyboard, or by entering its row and column.
// Several tensors may share a picture; then the reader also selects one of them.
//
// The selection is a list of numbers, called a cell: the row and the column (or only the
// position in a vector), the layer, and the index of the tensor. The address of the map
// contains the same numbers. After each move, everything is redrawn from this list alone.
// A position is the beginning of a cell: the numbers that identify an element in its tensor.

import { placeOf } from "../counting/files.js"
import { contentOf, escapeHtml, html } from "./html.js"

const MAX_SIDE = 260 // the greatest length of the picture's longer side, in pixels, with room for the table beside it
const CELL_SIDE = 36 // the side of an element in the table, in pixels
const TABLE_LIMITS = { rows: 9, columns: 7 } // the largest table; both odd, so that the selection can be in the middle

// `whole` duplicates the function in counting/engine.js, and the triangles in `pictureToScale` duplicate those in
// levels.js. Importing either module would fetch the exported table, which the page of the map does not need.

/** A whole number with commas between thousands. @param {number} number */
const whole = (number) => number.toLocaleString("en")

/**
 * The dimensions of a tensor: its rows and columns, or the length of a vector.
 * @param {Tensor} tensor
 * @param {Sizes} sizes
 */
const shapeOf = ({ shape }, sizes) => shape.map((axis) => sizes[axis] ?? Number(axis))

/**
 * The number of values that each part of a cell can have: the row and the column, or the position in a vector; the
 * layer; and the index of the tensor among those that share the picture.
 * @param {Tensor} tensor
 * @param {Sizes} sizes
 */
const limitsOf = (tensor, sizes) => [
  ...shapeOf(tensor, sizes),
  tensor.copies[0].file.includes("*") ? sizes.L : 1,
  tensor.copies.length,
]

/**
 * The cell nearest to these numbers, which may be out of range or missing.
 * @param {(number | undefined)[]} numbers
 * @param {number[]} limits
 */
const nearestCell = (numbers, limits) =>
  limits.map((limit, part) => Math.min(Math.max(numbers[part] || 0, 0), limit - 1))

/**
 * The tokens for the rows of a word table. They belong to a particular vocabulary, so the result is undefined if none
 * are exported for a vocabulary of this size, or if the tensor is not a word table.
 * @param {Tensor} tensor
 * @param {Sizes} sizes
 */
const tokensOf = ({ tokens }, { V }) => tokens?.find(({ rows }) => rows === V)

/**
 * The cell that an address specifies; if it has no numbers, the cell that is selected initially.
 * @param {Tensor} tensor
 * @param {number[]} numbers  those in the address
 * @param {Sizes} sizes
 */
export const cellOf = (tensor, numbers, sizes) =>
  nearestCell(numbers.length ? numbers : [tokensOf(tensor, sizes)?.start], limitsOf(tensor, sizes))

/**
 * The numbers that specify a cell in an address, without trailing zeros for the layer and the tensor.
 * @param {Tensor} tensor
 * @param {number[]} cell
 */
export function numbersOf({ shape }, cell) {
  const numbers = [...cell]
  while (numbers.length > shape.length && !numbers.at(-1)) numbers.pop()
  return numbers
}

/**
 * Up to `maxCount` consecutive numbers below `size`, with `number` in the middle unless it is too close to an end.
 * @param {number} number
 * @param {number} size
 * @param {number} maxCount
 */
function consecutiveNumbers(number, size, maxCount) {
  const start = Math.max(0, Math.min(number - Math.floor(maxCount / 2), size - maxCount))
  return Array.from({ length: Math.min(maxCount, size) }, (_, offset) => start + offset)
}

/**
 * A value as pages print it, with a minus sign instead of a hyphen.
 * @param {number} value
 */
const valueText = (value) => String(value).replace("-", "−")

/**
 * A name as elements that let a line break only after a dot.
 * @param {string} name
 */
const breakableName = (name) =>
  name
    .split(/(?<=\.)/)
    .flatMap((piece) => [html`<span class="bc-joined">${piece}</span>`, document.createElement("wbr")])

/** A text with a capital letter at its beginning. @param {string} text */
const capitalise = (text) => text[0].toUpperCase() + text.slice(1)

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

/** Called with every newly selected cell and the words to announce, which are empty if the keyboard's focus announces
 * the cell anyway.
 * @typedef {(cell: number[], words: string) => void} OnChoice */

/** A section of the map: a tensor, and the cell that is selected in it. */
class TensorSection {
  /**
   * @param {Tensor} tensor
   * @param {MapModel} model
   * @param {TensorFile} file  the file of the model
   * @param {number[]} cell  the cell that is selected initially, as `cellOf` returns it
   * @param {OnChoice} onChoice
   */
  constructor(tensor, model, file, cell, onChoice) {
    const { sizes } = model
    this.tensor = tensor
    this.model = model
    this.file = file
    this.cell = cell
    this.onChoice = onChoice
    this.limits = limitsOf(tensor, sizes)
    this.shape = shapeOf(tensor, sizes)
    const [columns, rows = 1] = [...this.shape].reverse()
    this.columns = columns
    this.rows = rows
    this.kind = this.shape.length > 1 ? "matrix" : "vector"
    /** The factor by which the table magnifies. */
    this.magnification = Math.ceil((CELL_SIDE * Math.max(rows, columns)) / MAX_SIDE)
    /** The side of an element in the picture, in pixels. */
    this.unit = CELL_SIDE / this.magnification
    this.headWidth = sizes.H / sizes.A
    /** The axis that the heads divide: the one whose exported words contain @; -1 if none does. */
    this.headAxis = tensor.axes.findIndex((text) => text.includes("@"))
    this.tokenTexts = tokensOf(tensor, sizes)?.texts ?? {}
    this.picture = this.pictureToScale()
    this.table = html`<table class="bc-grid" role="grid" aria-label="${tensor.title}, magnified"></table>`
    this.fields = this.fieldsOfCell()
    this.sentence = html`<p class="bc-cell-words"></p>`
    this.inFile = html`<dl class="bc-in-file"></dl>`
  }

  // --- Words ------------------------------------------------------------------

  /** The number of parameters as text; for a matrix, preceded by the product of the dimensions, as in `2 × 3 = 6`. */
  get totalText() {
    const factors = this.shape.length > 1 ? `${whole(this.rows)} × ${whole(this.columns)} = ` : ""
    return `${factors}${whole(this.rows * this.columns)}`
  }

  /**
   * The token of a row, in quotation marks; "" if it is unknown or the axis has no tokens.
   * @param {number} number
   * @param {number} axis
   */
  token(number, axis) {
    return axis === 0 && number in this.tokenTexts ? `“${this.tokenTexts[number]}”` : ""
  }

  /**
   * The words for a row or a column. In the exported words, `#` means its number, `@` the number of its head, and `~`
   * its number within the head.
   * @param {number} number
   * @param {number} axis
   */
  axisWords(number, axis) {
    const [head, within] = this.placeInHead(number).map(String)
    const axisName = this.tensor.axes[axis].replace("#", String(number)).replace("@", head).replace("~", within)
    return `${axisName} ${this.token(number, axis)}`.trim()
  }

  /** The selected tensor among those that share the picture. */
  get selectedTensor() {
    return this.tensor.copies[this.cell[this.shape.length + 1]]
  }

  /**
   * The words for a parameter. In the exported words, {0} means its row and {1} its column.
   * @param {number[]} position  a row and a column, or a position in a vector
   */
  parameterWords(position) {
    return this.selectedTensor.words.replace(/{(.)}/g, (_, axis) => this.axisWords(position[axis], Number(axis)))
  }

  /**
   * The value of a parameter; empty if it is unknown.
   * @param {number[]} position
   */
  valueAt([first, second]) {
    const value = this.model.values?.[this.selectedTensor.path][first]
    return value === undefined ? "" : valueText(Array.isArray(value) ? value[second] : value)
  }

  // --- Elements ---------------------------------------------------------------

  /** The number of lines between heads in the picture. */
  get headLineCount() {
    return this.headAxis < 0 ? 0 : this.model.sizes.A - 1
  }

  /** The picture of the whole tensor, with a frame around the part in the table and marks for the selected row and
   * column. */
  pictureToScale() {
    const [width, height] = [this.columns * this.unit, this.rows * this.unit]
    const lines = Array.from({ length: this.headLineCount }, (_, head) => {
      const edge = (head + 1) * this.headWidth * this.unit
      return this.headAxis === this.tensor.axes.length - 1 ? `M${edge} 0v${height}` : `M0 ${edge}h${width}`
    })
    return html`<svg role="img" width="${width}" height="${height}" aria-label="${this.tensor.title}, to scale">
    <rect width="100%" height="100%"/><path class="bc-between" d="${lines.join("")}"/><rect class="bc-frame"/>
    <svg class="bc-mark"><path d="M0 0l-5 -8h10z"/></svg><svg class="bc-mark" x="100%"><path d="M0 0l8 -5v10z"/></svg></svg>`
  }

  /** The fields for the numbers of a cell. The last one selects one of the tensors that share the picture. */
  fieldsOfCell() {
    const options = this.tensor.copies.map(({ name }, index) => html`<option value="${index}">${name}</option>`)
    const fields = this.limits.map((size, part) =>
      part > this.shape.length
        ? html`<select>${options}</select>`
        : html`<input type="number" min="0" max="${size - 1}" required>`,
    )
    return /** @type {(HTMLInputElement | HTMLSelectElement)[]} */ (fields)
  }

  /** The fields with their labels. A field that offers no choice is left out: the layer, if there is only one or none,
   * and the tensor, if it does not share its picture. */
  labelledFields() {
    const names = [...(this.shape.length > 1 ? ["Row", "Column"] : ["Position"]), "Layer", "Which one"]
    return this.fields.flatMap((field, part) =>
      part < this.shape.length || this.limits[part] > 1 ? [html`<label>${names[part]} ${field}</label>`] : [],
    )
  }

  /**
   * The section. `draw` has yet to fill in everything that depends on the selection.
   * @param {string} id
   * @param {string} explanationAddress  the address of the page about the tensor
   */
  section(id, explanationAddress) {
    const { kernel, style, title } = this.tensor
    const notes = `${kernel ? ", as (in, out)" : ""}${this.headLineCount > 0 ? ", with lines between the heads" : ""}`
    const link = html`<p class="bc-cell-links"><a href="${explanationAddress}">What this ${this.kind} is for</a></p>`
    const fitsInTable = this.rows <= TABLE_LIMITS.rows && this.columns <= TABLE_LIMITS.columns
    const caption = fitsInTable
      ? `The whole ${this.kind}${notes}.`
      : `The whole ${this.kind} is to scale${notes}. The framed part is magnified ${whole(this.magnification)} times in both directions.`
    return html`<section class="bc-level" id="${id}">
    <h2>${title} <small>${this.model.title}: ${this.totalText} parameters</small></h2>
    <figure class="bc-figure bc-cells bc-${style}">${fitsInTable ? [] : this.picture}${this.table}
      <figcaption>${caption}</figcaption></figure>
    <div>${this.sentence}<p class="bc-question">${this.labelledFields()}</p>${this.inFile}${link}</div></section>`
  }

  // --- Drawing ----------------------------------------------------------------

  /** Draws everything that depends on the selection: the marks and the frame in the picture, the table, the description
   * and the fields. */
  draw() {
    const [column, row = 0] = this.cell.slice(0, this.shape.length).reverse()
    const rowNumbers = consecutiveNumbers(row, this.rows, TABLE_LIMITS.rows)
    const columnNumbers = consecutiveNumbers(column, this.columns, TABLE_LIMITS.columns)
    const [frame, columnMark, rowMark] = this.picture.querySelectorAll(".bc-frame, .bc-mark")
    columnMark.setAttribute("x", String((column + 0.5) * this.unit))
    rowMark.setAttribute("y", String((row + 0.5) * this.unit))
    // In rows and columns; `unit` converts them to pixels.
    const frameArea = { x: columnNumbers[0], y: rowNumbers[0], width: columnNumbers.length, height: rowNumbers.length }
    for (const [name, value] of Object.entries(frameArea)) frame.setAttribute(name, String(value * this.unit))
    const head = columnNumbers.map((columnNumber) => `<th scope="col">${columnNumber}</th>`).join("")
    const tableRows = rowNumbers.map((rowNumber) => this.tableRow(rowNumber, columnNumbers)).join("")
    this.table.innerHTML = `<thead><tr><td></td>${head}</tr></thead><tbody>${tableRows}</tbody>`
    this.describe(this.cell.slice(0, this.shape.length))
    // The focused field keeps the typed text, which may be an unfinished number.
    for (const [part, field] of this.fields.entries())
      if (field !== document.activeElement) field.value = String(this.cell[part])
  }

  /**
   * A row of the table, as HTML: its number, its token if it has one, and its elements.
   * @param {number} rowNumber
   * @param {number[]} columnNumbers
   */
  tableRow(rowNumber, columnNumbers) {
    const cells = columnNumbers.map((columnNumber) =>
      this.tableCell([rowNumber, columnNumber].slice(-this.shape.length)),
    )
    const rowNames = [String(rowNumber), escapeHtml(this.token(rowNumber, 0))].filter(Boolean)
    return `<tr><th scope="row">${this.rows > 1 ? rowNames.join("<br>") : ""}</th>${cells.join("")}</tr>`
  }

  /**
   * An element of the tensor as a cell of the table, as HTML.
   * @param {number[]} position
   */
  tableCell(position) {
    const isSelected = position.every((number, axis) => number === this.cell[axis])
    const focus = `tabindex="${isSelected ? 0 : -1}" aria-selected="${isSelected}"`
    const edges = ["bc-head-above", "bc-head-left"].slice(-this.shape.length)
    const style = edges.filter((_, axis) => this.beginsHead(position[axis], axis)).join(" ")
    const value = this.valueAt(position)
    const label = escapeHtml([this.parameterWords(position), value].filter(Boolean).join(": "))
    return `<td data-cell="${position}" class="${style}" ${focus} aria-label="${label}">${value}</td>`
  }

  /**
   * Whether a head other than the first begins at this row or column.
   * @param {number} number
   * @param {number} axis
   */
  beginsHead(number, axis) {
    const [head, within] = this.placeInHead(number)
    return axis === this.headAxis && head > 0 && within === 0
  }

  /** The head to which a row or column belongs, and its number within that head. @param {number} number */
  placeInHead(number) {
    return [Math.floor(number / this.headWidth), number % this.headWidth]
  }

  /**
   * Describes the selected parameter in words, and its position in the file.
   * @param {number[]} position
   */
  describe(position) {
    const value = this.valueAt(position)
    this.sentence.replaceChildren(
      html`<strong>${capitalise(this.parameterWords(position))}${value && ` is ${value}`}</strong>`,
      ...contentOf(`: this is one parameter; there are ${this.totalText} in this ${this.kind}.`),
    )
    const fileName = this.selectedTensor.file.replace("*", String(this.cell[this.shape.length]))
    const { name, inTensor, inFile } = placeOf(this.tensor, this.shape, position, fileName, this.file)
    this.inFile.replaceChildren(
      html`<div><dt>Name in PyTorch</dt><dd><code>${breakableName(name)}</code></dd></div>`,
      html`<div><dt>Offset in this tensor</dt><dd>${whole(inTensor)} bytes</dd></div>`,
      html`<div><dt>Offset in the <a href="#in-the-file">file</a></dt><dd>${whole(inFile)} bytes</dd></div>`,
    )
  }

  // --- Choosing ---------------------------------------------------------------

  /** The selected `<td>` of the table, which is the only one that the Tab key reaches. */
  get selectedTd() {
    return /** @type {HTMLElement} */ (this.table.querySelector("[tabindex='0']"))
  }

  /** Selects a cell. @param {(number | undefined)[]} position  its first numbers; the remaining ones do not change */
  choose(position) {
    const hadFocus = this.table.contains(document.activeElement)
    this.cell = nearestCell([...position, ...this.cell.slice(position.length)], this.limits)
    this.draw()
    if (hadFocus) this.selectedTd.focus()
    this.onChoice(this.cell, hadFocus ? "" : (this.sentence.textContent ?? ""))
  }

  /** Selects the cell whose numbers are in the fields, unless a field is empty. */
  readFields() {
    if (this.fields.every(({ value }) => value)) this.choose(this.fields.map(({ value }) => Number(value)))
  }

  /** Moves the selection when a key is pressed in the table. @param {KeyboardEvent} event */
  moveByKey(event) {
    const move = MOVES[event.key]
    const isElsewhere = !this.table.contains(/** @type {Node} */ (event.target))
    if (!move || isElsewhere || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    this.choose(move.slice(-this.shape.length).map((step, axis) => this.cell[axis] + step))
  }

  /** Selects the cell under the pointer, in the table or in the picture. @param {MouseEvent} event */
  chooseAtPointer({ target, clientX, clientY }) {
    const { cell: numbers } = /** @type {HTMLElement} */ (target).dataset
    const { left, top } = this.picture.getBoundingClientRect()
    if (numbers) {
      this.selectedTd.focus()
      this.choose(numbers.split(",").map(Number))
    } else if (this.picture.contains(/** @type {Node} */ (target))) {
      const distances = [clientY - top, clientX - left].slice(-this.shape.length)
      this.choose(distances.map((distance) => Math.floor(distance / this.unit)))
    }
  }
}

/**
 * A tensor as a section of the map.
 * @param {Tensor} tensor
 * @param {MapModel} model
 * @param {TensorFile} file  the file of the model
 * @param {string} id
 * @param {string} explanationAddress  the address of the page about the tensor
 * @param {number[]} cell  the cell that is selected initially, as `cellOf` returns it
 * @param {OnChoice} onChoice
 */
export function sectionOfTensor(tensor, model, file, id, explanationAddress, cell, onChoice) {
  const tensorSection = new TensorSection(tensor, model, file, cell, onChoice)
  const section = tensorSection.section(id, explanationAddress)
  section.addEventListener("input", () => tensorSection.readFields())
  // If a field has a number out of range, a redraw replaces it with that of the nearest cell.
  section.addEventListener("change", () => tensorSection.draw())
  section.addEventListener("keydown", (event) => tensorSection.moveByKey(event))
  section.addEventListener("click", (event) => tensorSection.chooseAtPointer(event))
  tensorSection.draw()
  return section
}
