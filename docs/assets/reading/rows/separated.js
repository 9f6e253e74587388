// Reads tables whose cells are plain numbers: embeddings.LayerNorm.weight,768,,768. Spreadsheets
// and `to_csv` separate cells by commas, semicolons or tabs, Markdown by bars, and programs by
// spaces.
//
// Nothing on a single line shows which of its numbers is the count and which are sizes of the
// shape, and an empty cell shifts them. The columns of the whole table show it: the count is
// the product of the sizes. Each line is therefore rewritten as the other readers expect it,
// with the shape in brackets and the count after it.

import { withoutPrefixes } from "../clean.js"
import { BAR, isRule } from "./summaries.js"
import { BYTES_PER_ELEMENT } from "./text-row.js"

/** A name, which may be quoted. Only the name of a total may have several words. */
const NAME = /^"?([A-Za-z_][\w./:-]*)"?$/
const NAME_OF_TOTAL = /^"?((?:grand |sub)?(?:total|sum)\b[\w ]{0,30}):?"?$/i
const NUMBER = /^([0-9]{1,15})(?:\.0+)?$/ // a column of whole numbers with empty cells may become one of decimals
const WORD = /^[A-Za-z][\w.]*$/ // a data type or whether the tensor is trained
/** The heading of a column of counts. */
const COUNT_HEADING = /^"?(?:n(?:um(?:ber)?)?[_ ]?(?:of[_ ])?)?(?:counts?|numel|params?|parameters?|elements)"?$/i
/** How the cells of a line may be separated. The other readers understand a single number unless it follows a comma, so
 * lines with a separator other than a comma are rewritten only if the count is a product (`needsSizes`). If empty cells
 * are lost, the cells of a row are aligned on the right (`isRightAligned`).
 * @type {{ cellsOf: (line: TextLine) => string[], needsSizes: boolean, isRightAligned: boolean }[]} */
const SEPARATORS = [
  { cellsOf: ({ text }) => text.split(","), needsSizes: false, isRightAligned: false },
  // A cleaned line has spaces in place of tabs.
  { cellsOf: ({ source }) => withoutPrefixes(source).split("\t"), needsSizes: true, isRightAligned: false },
  { cellsOf: ({ text }) => text.split(";"), needsSizes: true, isRightAligned: false },
  { cellsOf: ({ text }) => withoutBorders(text).split(BAR), needsSizes: true, isRightAligned: false },
  // An empty cell between spaces cannot be seen. The count is usually in the last cell.
  { cellsOf: ({ text }) => text.trim().split(/\s+/), needsSizes: true, isRightAligned: true },
]
const MAX_CELLS = 12 // the maximum number of cells of a row; longer lines are lists of numbers or sentences
const MIN_SHARE = 0.5 // the minimum share of rows whose count is the product of their sizes; the others may be wrong

/** A line without the bars at its ends. @param {string} text */
const withoutBorders = (text) => text.trim().replace(/^[|│┃]|[|│┃]$/g, "")

/** The name and the cells after it on a line of a table. `numbers` has null for a cell without a number, and `words`
 * are the cells with words.
 * @typedef {{ line: TextLine, name: string, isTotal: boolean, numbers: (number | null)[], words: string[] }} CellRow */

/** The row on a line of a table; null for any other line.
 * @param {TextLine} line @param {(typeof SEPARATORS)[0]} separator @returns {CellRow | null} */
function cellRow(line, { cellsOf }) {
  const cells = cellsOf(line).map((cell) => cell.trim())
  if (cells.length > MAX_CELLS) return null
  // Spreadsheets and data frames may number the rows.
  const nameIndex = NUMBER.test(cells[0]) || !cells[0] ? 1 : 0
  const [, total] = NAME_OF_TOTAL.exec(cells[nameIndex] ?? "") ?? []
  const [, name = total] = NAME.exec(cells[nameIndex] ?? "") ?? []
  const others = cells.slice(nameIndex + 1)
  if (!name || !others.length) return null
  if (!others.every((cell) => !cell || NUMBER.test(cell) || WORD.test(cell))) return null
  const numbers = others.map((cell) => (NUMBER.test(cell) ? Number.parseInt(cell, 10) : null))
  if (numbers.every((number) => number === null)) return null
  return { line, name, isTotal: Boolean(total), numbers, words: others.filter((cell) => WORD.test(cell)) }
}

/** The columns of a table: that of the count, or −1, and those of the sizes.
 * @typedef {{ count: number, sizes: number[] }} NumberColumns */

/** The columns of a table; null if they remain unclear.
 * @param {CellRow[]} rows  without totals @param {string[]} heading  the last cells of the line above, one per column
 * @param {boolean} needsSizes  whether the table must have sizes @returns {NumberColumns | null} */
function columnsOf(rows, heading, needsSizes) {
  const columns = heading.flatMap((_, index) => (rows.some(({ numbers }) => isNumber(numbers[index])) ? [index] : []))
  const [first, ...others] = columns
  for (const count of [...columns].reverse()) {
    const sizes = columns.filter((index) => index !== count)
    if (isProduct(rows, count, sizes)) return { count, sizes }
  }
  if (needsSizes) return null
  if (!others.length) return { count: first, sizes: [] }
  const namedColumns = columns.filter((index) => COUNT_HEADING.test(heading[index]))
  if (namedColumns.length === 1) return { count: namedColumns[0], sizes: [] }
  /** Whether a column is the same multiple of the first one throughout, as a number of bytes is. */
  const isInBytes = (/** @type {number} */ index) =>
    BYTES_PER_ELEMENT.some((bytes) => rows.every(({ numbers }) => numbers[index] === Number(numbers[first]) * bytes))
  if (others.every(isInBytes)) return { count: first, sizes: [] }
  return areSizes(rows, columns) ? { count: -1, sizes: columns } : null
}

/** Whether a cell holds a number. @param {number | null | undefined} cell @returns {cell is number} */
const isNumber = (cell) => typeof cell === "number"

/** Whether a column is the product of the sizes in at least `MIN_SHARE` of all rows, and in as large a share of those
 * with several sizes.
 * @param {CellRow[]} rows @param {number} count @param {number[]} sizes */
function isProduct(rows, count, sizes) {
  const sizesOf = (/** @type {CellRow} */ { numbers }) => sizes.flatMap((index) => numbers[index] ?? [])
  const isProductOfSizes = (/** @type {CellRow} */ row) =>
    row.numbers[count] === sizesOf(row).reduce((product, size) => product * size, 1)
  // In a vector, the number equals the only size, whatever the column means.
  const matrices = rows.filter((row) => sizesOf(row).length > 1)
  return [rows, matrices].every(
    (list) => list.length && list.filter(isProductOfSizes).length >= list.length * MIN_SHARE,
  )
}

const LARGEST_OF_THREE_DIGITS = 999

/** Whether columns are the sizes of shapes without a count: vectors have no second size. If no first size has more than
 * three digits, the cells may instead be the parts of numbers such as 589,824.
 * @param {CellRow[]} rows @param {number[]} columns */
function areSizes(rows, [first, second, ...others]) {
  const matrices = rows.filter(({ numbers }) => isNumber(numbers[second]))
  return (
    !others.length &&
    rows.every(({ numbers }) => isNumber(numbers[first])) &&
    matrices.length < rows.length &&
    matrices.some(({ numbers }) => Number(numbers[first]) > LARGEST_OF_THREE_DIGITS)
  )
}

/** The cells of the last non-empty line above a table. @param {TextLine[]} lines @param {CellRow} firstRow
 * @param {(typeof SEPARATORS)[0]} separator */
function cellsAbove(lines, firstRow, { cellsOf }) {
  const lineAbove = lines
    .filter(({ index, text }) => index < firstRow.line.index && text.trim() && !isRule(text))
    .at(-1)
  return lineAbove ? cellsOf(lineAbove).map((cell) => cell.trim()) : []
}

/** A row as a line with its name, its words, its shape in brackets and its count.
 * @param {CellRow} row @param {NumberColumns} columns */
function lineOf({ line, name, numbers, words }, { count, sizes }) {
  const shape = sizes.flatMap((index) => numbers[index] ?? [])
  const shapeCell = shape.length ? `(${shape.join(", ")}${shape.length > 1 ? "" : ","})` : ""
  const text = [name, ...words, shapeCell, numbers[count] ?? ""].filter((cell) => cell !== "").join("  ")
  return { ...line, text }
}

/** The lines, with those of a table of plain numbers rewritten so that shapes are in brackets.
 * @param {TextLine[]} lines @returns {TextLine[]} */
export function withShapesInBrackets(lines) {
  const tables = SEPARATORS.map((separator) => ({
    separator,
    rows: lines.flatMap((line) => cellRow(line, separator) ?? []),
  }))
  const { separator, rows } = tables.reduce((best, table) => (table.rows.length > best.rows.length ? table : best))
  if (rows.every(({ isTotal }) => isTotal)) return lines
  const width = rows.reduce((widest, { numbers }) => Math.max(widest, numbers.length), 0)
  // The columns are counted from the right, because row numbers may precede the names.
  const heading = cellsAbove(lines, rows[0], separator).slice(-width)
  const alignedRows = rows.map((row) => {
    const missingCells = separator.isRightAligned ? width - row.numbers.length : 0
    return { ...row, numbers: [...Array(missingCells).fill(null), ...row.numbers] }
  })
  const columns = columnsOf(
    alignedRows.filter(({ isTotal }) => !isTotal),
    Array.from({ length: width }, (_, index) => heading[index - width + heading.length] ?? ""),
    separator.needsSizes,
  )
  if (!columns) return lines
  const rewrittenLines = new Map(alignedRows.map((row) => [row.line.index, lineOf(row, columns)]))
  return lines.map((line) => rewrittenLines.get(line.index) ?? line)
}
