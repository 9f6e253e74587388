// Reads tables of settings: one setting in each row, with a column for each model, or one in each
// column, with a row for each model. Cells are separated by bars, tabs, commas, semicolons, the
// ampersands of LaTeX, or several spaces.

import { isKeyOfModels, isSizeKey } from "./keys.js"
import { isClassName } from "./named-classes.js"
import { valueOfUnquoted } from "./reader.js"

const MAX_LENGTH = 20_000 // characters
const MAX_COLUMNS = 100
const MIN_SIZES = 3 // the minimum number of sizes under transformers' own keys, so that other tables are left to other readers

const SEPARATORS = [/\|/, /\t/, /,/, /;/, /&/, / {2,}/]

/** The rule between the head and the rows of a table, and commands for rules in LaTeX. */
const RULE = /^(?:[-|:+=\s]+|\s*\\[a-z]+(?:\{[^{}]*\})?)$/
/** The end of a row in LaTeX. */
const END_OF_ROW = /\\\\(?: ?\\[a-z]{1,20}){0,3}$/

/** A row without the bars at both ends, or the end of a row in LaTeX. @param {string} line */
const withoutBorders = (line) =>
  line
    .replace(/^ *\|| +$/g, "")
    .replace(/\|$/, "")
    .replace(END_OF_ROW, "")

/** The key of a number that is counted, rather than set. */
const COUNT = /param|total|count/i

/** The rows of a table, with as many cells each as the first; null for any other text. Further separators belong to the
 * last cell of a row, in which they become bars, as in c2p|p2c.
 * @param {string[]} lines @param {RegExp} separator @returns {string[][] | null} */
function rowsOf(lines, separator) {
  const rows = lines.map((line) => line.split(separator))
  const [{ length: columns }] = rows
  if (columns < 2 || columns > MAX_COLUMNS || rows.length < 2) return null
  if (rows.some((cells) => cells.length < columns)) return null
  return rows.map((cells) => [...cells.slice(0, columns - 1), cells.slice(columns - 1).join("|")])
}

/** A cell without quotation marks and marks of Markdown. @param {string} cell */
const plainCell = (cell) => cell.trim().replace(/^(["'`*_]{0,3})(.*?)\1$/, "$2")

/** The value in a cell, which may be a list in JSON. @param {string} cell @returns {unknown} */
function valueInCell(cell) {
  if (!/^[[{]/.test(cell)) return valueOfUnquoted(cell)
  try {
    return JSON.parse(cell)
  } catch {
    return cell
  }
}

/** Rows as columns. @param {string[][]} rows */
const transposed = (rows) => rows[0].map((_, column) => rows.map((row) => row[column]))

/** The number of cells that are keys of sizes. @param {string[]} cells */
const countSizes = (cells) => cells.filter(isSizeKey).length

/** Whether a cell is a key of a configuration, rather than a heading. @param {string} cell */
const isKey = (cell) => isSizeKey(cell) || isKeyOfModels(cell)

/** Columns without their first cells, a heading and the names of the models. A name that is a class is the class of its
 * model.
 * @param {string[][]} columns */
function withoutHeading([[, ...keys], ...models]) {
  const hasClasses = models.every(([name]) => isClassName(name))
  return hasClasses ? [["architectures", ...keys], ...models] : [keys, ...models.map(([, ...cells]) => cells)]
}

/** A word in the keys of sizes. */
const MAY_HAVE_SIZES = /size|layers|heads|dim/

/** The configurations in a table, each as keys and values; null for any other text, and for a table with counts.
 * @param {string} text @returns {Record<string, unknown>[] | null} */
function configsInTable(text) {
  if (text.length > MAX_LENGTH) return null
  const lines = text.split("\n").filter((line) => line.trim() && !RULE.test(line))
  if (lines.length < 2 || !MAY_HAVE_SIZES.test(text)) return null
  const plainLines = lines.map(withoutBorders)
  for (const separator of SEPARATORS) {
    const rows = rowsOf(plainLines, separator)?.map((row) => row.map(plainCell))
    if (!rows) continue
    const columns = countSizes(rows[0]) < MIN_SIZES ? transposed(rows) : rows
    const [keys, ...models] = isKey(columns[0][0]) ? columns : withoutHeading(columns)
    if (countSizes(keys) < MIN_SIZES || keys.some((key) => COUNT.test(key) && !isSizeKey(key))) continue
    return models
      .map((cells) => entriesOf(keys, cells))
      .filter((entries) => Object.entries(entries).some(([key, value]) => isSizeKey(key) && Number.isInteger(value)))
  }
  return null
}

/** The values of a model, by key, without empty cells and without those for a heading or any other text that is no key.
 * @param {string[]} keys @param {string[]} cells */
const entriesOf = (keys, cells) =>
  Object.fromEntries(
    keys.flatMap((key, index) => (/^[a-z]\w*$/.test(key) && cells[index] ? [[key, valueInCell(cells[index])]] : [])),
  )

/** The configurations in a table as objects of JSON, one after another; any other text unchanged.
 * @param {string} text */
export function withoutTable(text) {
  const configs = configsInTable(text)
  return configs?.length ? configs.map((entries) => JSON.stringify(entries)).join("\n") : text
}
