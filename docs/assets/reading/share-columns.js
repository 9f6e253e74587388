// Removes the column of shares from a table of parts. Without a percent sign, its numbers look like further counts:
//
//   | part   | parameters | %   |
//   | pooler | 590,592    | 0.5 |

/** The heading of a column of shares, in several languages. */
const HEADING = /^(?:%.{0,20}|(?:share|percent(?:age)?|fraction|ratio|anteil|占比|比例)(?: .{0,20}|\s*[([]%[)\]])?)$/i
/** A percentage without its sign, a fraction of one, a dash, or an empty cell. */
const SHARE = /^[*_]*(?:(?:100|[0-9]{1,2})(?:[.,][0-9]+)?|[-–—])?[*_]*$/
const MIN_ROWS = 2
const MAX_LINES = 200 // the maximum number of lines of a text with such a table

/** The text without the cells of a column of shares, if bars or tabs separate its cells; any other text unchanged.
 * @param {string} text */
export function withoutShareColumn(text) {
  const lines = text.split("\n")
  const separator = ["|", "\t"].find((sign) => text.includes(sign))
  if (!separator || lines.length > MAX_LINES) return text
  const cellsOfLines = lines.map((line) => line.split(separator))
  const headingIndex = cellsOfLines.findIndex((cells) => cells.some((cell) => HEADING.test(cell.trim())))
  if (headingIndex < 0) return text
  const column = cellsOfLines[headingIndex].findIndex((cell) => HEADING.test(cell.trim()))
  const columnCount = cellsOfLines[headingIndex].length
  /** Whether the cells of a line are those of a row below the heading. */
  const isRow = (/** @type {string[]} */ cells, /** @type {number} */ index) =>
    index > headingIndex && cells.length === columnCount && /[0-9]/.test(cells.join(""))
  const rows = cellsOfLines.filter(isRow)
  const hasNumberBeside = rows.every((cells) => cells.some((cell, index) => index !== column && /[0-9]/.test(cell)))
  if (rows.length < MIN_ROWS || !hasNumberBeside || !rows.every((cells) => SHARE.test(cells[column].trim())))
    return text
  return cellsOfLines
    .map((cells) =>
      cells.length === columnCount
        ? cells.filter((_, index) => index !== column).join(separator)
        : cells.join(separator),
    )
    .join("\n")
}
