// Explains tables that compare models, with one column of counts for each:
//
//   | part       | BERT base  | BERT large |
//   | embeddings | 23,837,184 | 31,782,912 |
//
// A reader of rows or of sums would take the numbers of all models for those of one. Each column is therefore
// explained on its own, as a text of lines with a label and a number.

import { modelsIn } from "./labels/mentions.js"
import { accountWith, finding, words } from "./words.js"

/** The separators of cells. Commas separate none, because they occur in counts. */
const SEPARATORS = [/\s*[|│┃]\s*/, /\t/, /\s{2,}/]
/** A count, perhaps rounded, or a percentage, which is not a count but may have a row. */
const COUNT = /^[*_~≈]*[0-9][0-9.,_' ]*(?: ?(?:[KMB]|million|Mio\.?|%))?[*_]*$/
const MIN_ROWS = 2
const MAX_COLUMNS = 4
const MAX_LINES = 100 // the maximum number of lines of a text with such a table; a longer list is of one model

/** A table with a column for each model: the names of the models, and the rows with their labels.
 * @typedef {{ headings: string[], rows: { label: string, counts: string[] }[] }} ModelTable */

/** The cells of each line that has any. @param {string} text @param {RegExp} separator */
const cellsIn = (text, separator) =>
  text
    .split("\n")
    .map((line) => line.trim().replace(/^[|│┃]|[|│┃]$/g, ""))
    .filter((line) => /\p{L}/u.test(line))
    .map((line) => line.trim().split(separator))

/** The table of models in a text whose cells are separated in one way; null if there is none.
 * @param {string} text @param {RegExp} separator @returns {ModelTable | null} */
function tableIn(text, separator) {
  const lines = cellsIn(text, separator)
  const headingIndex = lines.findIndex(
    (cells) => cells.filter((cell) => modelsIn(cell).length === 1 && !COUNT.test(cell)).length > 1,
  )
  if (headingIndex < 0) return null
  const rows = lines.slice(headingIndex + 1).map(([label, ...counts]) => ({ label, counts }))
  const columnCount = rows[0]?.counts.length ?? 0
  const headings = lines[headingIndex].slice(-columnCount)
  const isWhole =
    rows.length >= MIN_ROWS &&
    columnCount > 1 &&
    columnCount <= MAX_COLUMNS &&
    headings.every((heading) => modelsIn(heading).length === 1) &&
    rows.every(
      ({ label, counts }) => label && counts.length === columnCount && counts.every((cell) => COUNT.test(cell)),
    )
  return isWhole ? { headings, rows } : null
}

/** The account of a table with a column of counts for each of several models; null for any other text.
 * @param {string} text @param {(text: string) => Account | null} accountOf  explains a column
 * @returns {Account | null} */
export function accountOfModelColumns(text, accountOf) {
  const isShort = text.split("\n").length <= MAX_LINES
  const table = isShort && SEPARATORS.map((separator) => tableIn(text, separator)).find(Boolean)
  if (!table) return null
  const { headings, rows } = table
  const accounts = headings.map((heading, index) =>
    accountOf(
      [heading, ...rows.map(({ label, counts }) => `${label}: ${counts[index].replace(/[*_~≈]/g, "")}`)].join("\n"),
    ),
  )
  if (!accounts.every((account) => account !== null)) return null
  const areCertain = accounts.every(({ confidence }) => confidence === "certain")
  return accountWith({
    kind: "rows",
    headline: words`Your table has ${accounts.length} models.${accounts.flatMap(({ headline }, index) => words` ${headings[index]}: ${headline}`)}`,
    findings: accounts.flatMap(({ findings }, index) =>
      findings.map((item) => finding(item.weight, words`${headings[index]}: ${item.words}`, item.amount)),
    ),
    lines: accounts.flatMap(({ lines }) => lines),
    confidence: areCertain ? "certain" : "likely",
  })
}
