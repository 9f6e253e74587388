// Reads small tables of models as spreadsheets save them and leaderboards show them, with a heading for
// each column and commas or bars between the cells. The labels of the cells are in the heading only, so
// each cell is given its own.

import { headingWithUnit } from "./number-forms.js"

/** A heading of a column that has numbers of parameters or sizes of files. */
const HEADING = /param|size|memory|(?:^|[^a-z])(?:mb|gb|mib|gib|bytes)(?:$|[^a-z])/i
/** A cell with a number, and a cell that begins a row with the name of a model. */
const NUMBER = /^[0-9]+(?:\.[0-9]+)?$/
const NAME = /^[A-Za-z][\w./ -]*$/
const MAX_CELLS = 12 // the maximum number of cells in a row; a longer row does not come from a small table
const MAX_LENGTH = 4000 // characters; a longer text is not a small table

/** The rule below the heading of a table in Markdown, and the bars at the ends of its lines. */
const RULE = /^[\s|:-]+$/
const BORDERS = /^\s*\||\|\s*$/g

/** The cells of a line. @param {string} line @param {string} separator */
const cellsOf = (line, separator) =>
  (separator === "|" ? line.replace(BORDERS, "") : line)
    .split(separator)
    .map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"))

/** A number of a table with the unit and the label of its column; any other cell unchanged.
 * @param {string} cell @param {string} heading */
function labelledCell(cell, heading) {
  const { label, unit } = headingWithUnit(heading)
  return NUMBER.test(cell) ? [cell, unit, label].filter(Boolean).join(" ") : cell
}

/** The text of a table of models, with the label of its column after each number; any other text unchanged. The cells
 * may be separated by commas, semicolons or tabs, or by bars if a heading has the unit of its column. Columns before
 * the names, such as ranks, are left out.
 * @param {string} text */
export function withLabelledCells(text) {
  if (text.length > MAX_LENGTH) return text
  const lines = text.split("\n").filter((line) => line.trim() && !RULE.test(line))
  if (lines.length < 2) return text
  const separator = ["\t", ";", ",", "|"].find((sign) => lines.every((line) => line.includes(sign)))
  if (!separator) return text
  const cellsOfLines = lines.map((line) => cellsOf(line, separator))
  const nameColumn = cellsOfLines[0].findIndex((_, index) =>
    cellsOfLines.every((cells) => NAME.test(cells[index] ?? "")),
  )
  const [headings, ...rows] = cellsOfLines.map((cells) => cells.slice(Math.max(nameColumn, 0)))
  if (separator === "|" && !headings.some((heading) => HEADING.test(heading) && headingWithUnit(heading).unit))
    return text
  const isTable =
    headings.length <= MAX_CELLS &&
    headings.some((heading) => HEADING.test(heading)) &&
    !headings.some((heading) => NUMBER.test(heading)) &&
    rows.every(
      (cells) => cells.length === headings.length && NAME.test(cells[0]) && cells.some((cell) => NUMBER.test(cell)),
    )
  if (!isTable) return text
  return rows
    .map(([name, ...cells]) =>
      [name, ...cells.map((cell, index) => labelledCell(cell, headings[index + 1]))].join("; "),
    )
    .join("\n")
}
