// Reads summaries: tables of modules with a column of counts, as Keras, torchinfo,
// torchsummary and Lightning print them. A row may cover several tensors, and numbers in
// other columns (output shapes, operations) are not counts.
//
// The heading shows where the column of counts begins. Cells that were wrapped over
// several lines are joined again. If columns are no longer under their headings, the
// count of a row is its last whole number outside brackets.

import { sumBy } from "../../counting/engine.js"
import { numberOfDigits } from "../../explaining/read.js"
import { numbersOf, textRow } from "./text-row.js"

/** A word in the heading of the column of counts. */
const HEADING = /param(?:s|eter(?:s)?)?\b|#elements\b|参数|parám/i
/** A word in the heading of another column, such as that of modules. */
const OTHER_HEADING = /layer|module|name|type|part|层|名称/i
/** A bar between the cells of a table. */
export const BAR = /[|│┃]/
/** The bar in Markdown's tables, in whose cells torchinfo's tree may be drawn with another. */
const MARKDOWN_BAR = /\|/
/** A line that consists only of characters that tables are drawn with. */
const RULE = /^[\s\-=_─━═+|│┃┡┢╇╋┼┏┓┗┛┌┐└┘├┤┬┴╞╡╪*:]+$/
/** A character that begins a branch in a tree. */
const BRANCH = /[├└│|+]/

const MAX_LINES_BEFORE = 400 // the maximum number of lines that are searched for the heading
const MAX_HEADING_LENGTH = 400 // the maximum number of characters in a heading

/** Whether a line is only part of a table's frame, such as a rule between rows. @param {string} text */
export const isRule = (text) => RULE.test(text) && /[-=_─━═]{3}|^\s*[|│+├└╞]/.test(text)

/** The factors of the letters after rounded counts. */
const SCALES = { K: 1e3, M: 1e6, B: 1e9, G: 1e9, T: 1e12 }

/** The count in a cell as an interval; null if there is none. `16.6 M` gives the interval of all numbers that may be
 * printed like this.
 * @param {string} cell @returns {{ low: number, high: number } | null} */
export function countIn(cell) {
  const text = cell
    .trim()
    .replace(/^\((.*)\)$/, "$1")
    .replace(/\*+/g, "")
    .trim()
  if (/^[0-9]{1,3}(?:([,._' ])[0-9]{3})(?:\1[0-9]{3})*$|^[0-9]+$/.test(text)) {
    const number = numberOfDigits(text)
    return { low: number, high: number }
  }
  const [, digits, scale] = /^([0-9]+(?:\.[0-9]+)?)\s*([KMBGT])(?:\b|$)/i.exec(text) ?? []
  if (!scale) return null
  const unit = SCALES[/** @type {keyof typeof SCALES} */ (scale.toUpperCase())]
  const unitOfLastDigit = unit / 10 ** (digits.split(".")[1]?.length ?? 0)
  const number = Number(digits) * unit
  // Most tools round to the last digit. Lightning truncates, so up to a whole unit of that digit may be missing.
  return { low: Math.ceil(number - unitOfLastDigit / 2), high: Math.floor(number + unitOfLastDigit) }
}

/** The heading of a summary, and the positions of its columns.
 * @typedef {object} Heading
 * @property {number} index  the index of its line
 * @property {number} secondStart  the position at which the second column begins
 * @property {number} countStart  the position at which the column of counts begins
 * @property {number} countEnd  the position at which the next column begins
 * @property {RegExp | null} bar  what separates the cells; null if only spaces do
 * @property {number} countIndex  the index of the cell with the counts, if the cells are separated by bars */

/** The heading of a summary; null if the lines have none. @param {TextLine[]} lines @returns {Heading | null} */
function headingOf(lines) {
  for (const [index, { text }] of lines.entries()) {
    if (index > MAX_LINES_BEFORE) return null
    // A line with a number of at least four digits is a row or a total.
    const hasCount = /[0-9]{4}|[0-9][,.][0-9]{3}(?![0-9])/.test(text)
    if (!HEADING.test(text) || !OTHER_HEADING.test(text) || hasCount || text.length > MAX_HEADING_LENGTH) continue
    const tableBar = MARKDOWN_BAR.test(text) ? MARKDOWN_BAR : BAR
    const cells = text.split(tableBar)
    const bar = cells.length > 2 ? tableBar : null
    const countIndex = cells.findIndex((cell) => HEADING.test(cell) && !/%|kernel|share/i.test(cell))
    const countStart = text.search(HEADING)
    const countEnd = columnAfter(text, countStart) ?? Infinity
    const secondStart = columnAfter(text, 0) ?? -1
    if (bar ? countIndex >= 0 : secondStart > 0) return { index, countStart, countEnd, secondStart, bar, countIndex }
    // If the columns were squeezed together, rows are read without column positions.
    if (/^\s*layer \(type/i.test(text))
      return { index, countStart: Infinity, countEnd: Infinity, secondStart: Infinity, bar, countIndex }
  }
  return null
}

/** Whether lines have the heading of a summary. @param {TextLine[]} lines */
export const hasHeading = (lines) => headingOf(lines) !== null

/** The position of the next column of a heading, after two or more spaces; undefined if there is none.
 * @param {string} text @param {number} from */
function columnAfter(text, from) {
  const gap = /(?<=\S)\s{2,}(?=\S)/.exec(text.slice(from))
  return gap ? from + gap.index + gap[0].length : undefined
}

/** The name and class of a module in a cell: `bert (TFBertMainLayer)`, `BertLayer (0): 3-1`, `Linear-4`.
 * @param {string} cell */
export function nameIn(cell) {
  const text = cell
    .replace(/^[\s│├└─|+\\`-]+/, "") // the branches of a tree
    .replace(/:\s*[0-9]+-[0-9]+\s*$/, "") // torchinfo's depth and index
    .replace(/\s{2,}.*$|\s(?:\[|\(None|\(-1|multiple\b|\d).*$/, "") // another column: an output shape or a count
    .trim()
  const [, first, second] = /^(\S+)\s*\((.*?)\)?$/.exec(text) ?? []
  if (!first) return { name: text, type: text.replace(/[-_][0-9]+$/, "") }
  // torchinfo writes the class first and the name in brackets; Keras does the reverse.
  return /^[A-Z]/.test(first) && /^[\w.]*$/.test(second) && !/^[A-Z]\w*$/.test(second)
    ? { name: second, type: first }
    : { name: first, type: second }
}

const SHORTEST_BRANCH = 2 // the length of "├─", as torchinfo draws it
const INDENT = 5 // the length of "│    ", which torchinfo adds per level

/** The depth of a row in its tree; -1 if the table is not a tree. @param {string} cell */
function depthOf(cell) {
  const [, index] = /:\s*([0-9]+)-[0-9]+\s*$/.exec(cell.trim()) ?? []
  if (index) return Number(index)
  const [branch] = /^[\s│├└─|+]+/.exec(cell) ?? [""]
  return BRANCH.test(branch) ? Math.round((branch.length - SHORTEST_BRANCH) / INDENT) + 1 : -1
}

/** A shape in brackets, which may be cut off. */
const BRACKETS = /\[[^\]]*\]?|\((?:None|[^()]*,)[^()]*\)?/g

/** A count in brackets at the end of a line, as torchinfo prints the number of frozen parameters. */
const FROZEN_COUNT = /\(([0-9]{1,3}(?:,[0-9]{3})+)\)(?=\s*(?:True|False|--)?\s*$)/

/** A number with decimals, such as a share; a dot before three digits separates thousands. */
const DECIMAL = /^[0-9]+\.(?:[0-9]{1,2}|[0-9]{4,})$/

/** The digits of the last whole number outside brackets on a line; "" if there is none.
 * @param {string} text @returns {string} */
function lastNumber(text) {
  const cells = text.replace(FROZEN_COUNT, "$1").replace(BRACKETS, " ").split(/\s+/)
  const numbers = cells.filter(
    (cell) => /^\(?[0-9][0-9,._']*\)?$/.test(cell) && !/[,.]$/.test(cell) && !DECIMAL.test(cell),
  )
  return numbers.at(-1) ?? ""
}

/** A row of a summary before its count is read: its first line, the cells of its name and count, and the text of that
 * line (`lineText`).
 * @typedef {{ line: TextLine, name: string, count: string, lineText: string }} Cells */

/** Adds the row on a line with bars, or appends its cells to the last row if the line continues that one. Returns
 * whether the line has a row.
 * @param {Cells[]} rows @param {TextLine} line @param {Heading & { bar: RegExp }} heading
 * @param {boolean} isAfterGap  whether a rule or an empty line has ended the last row */
function readLineWithBars(rows, line, { bar, countIndex }, isAfterGap) {
  const cells = line.text.split(bar)
  const row = rowWithBars(line, cells, countIndex)
  if (!row) return false
  const last = rows.at(-1)
  if (last && !isAfterGap && isContinued(cells, countIndex, last)) appendCells(last, row)
  else rows.push(row)
  return true
}

/** Adds the row on a line whose columns are separated by spaces, or appends what the line has to the last row if it
 * continues that one. Returns whether the line has more than the last digits of a count.
 * @param {Cells[]} rows @param {TextLine} line @param {Heading} heading @param {boolean} isAfterGap
 * @param {boolean} isWrapped  whether the table wraps long names */
function readLineInColumns(rows, line, heading, isAfterGap, isWrapped) {
  const { text } = line
  const last = rows.at(-1)
  // A narrow window may have wrapped the last digits of a count.
  if (last && /^\s*[0-9]{1,2}\s*$/.test(text) && /,[0-9]{1,2}$/.test(last.count)) {
    last.count += text.trim()
    return false
  }
  const { row, isAligned } = rowInColumns(line, heading)
  if (last && !isAfterGap && isAligned && hasLastDigits(row, last)) {
    last.count += row.count
    return false
  }
  const isNewRow = isAfterGap || (/^\s?\S+ \(/.test(row.name) && /[0-9]/.test(row.count)) || !isWrapped
  if (last && !isNewRow) appendCells(last, isAligned ? row : { ...row, count: "" })
  else rows.push(isAligned && row.count ? row : { ...row, count: lastNumber(text) })
  return true
}

/** The cells of all rows, with continued lines joined.
 * @param {TextLine[]} lines @param {Heading} heading @returns {Cells[]} */
function cellsOf(lines, heading) {
  const linesBelow = lines.slice(heading.index + 1)
  // Keras 2 wraps long names, which moves the bracket after a class to the next line.
  const isWrapped = linesBelow.some(({ text }) => /^\s*[a-z]*\)/.test(text.slice(0, heading.secondStart)))
  /** @type {Cells[]} */
  const rows = []
  let isAfterGap = true // whether a rule or an empty line has ended the previous row
  for (const line of linesBelow) {
    const { text } = line
    if (!text.trim() || isRule(text) || text.trim() === lines[heading.index].text.trim()) {
      isAfterGap = true
      continue
    }
    const { bar } = heading
    const hasRow = bar
      ? readLineWithBars(rows, line, { ...heading, bar }, isAfterGap)
      : readLineInColumns(rows, line, heading, isAfterGap, isWrapped)
    if (hasRow) isAfterGap = false
  }
  return rows
}

/** Whether a line has the last digits of a count, which Keras 2 wraps after seven.
 * @param {Cells} row @param {Cells} last  the row that the line may continue */
const hasLastDigits = ({ name, count }, last) =>
  !name.trim() && /^[0-9]{1,3}$/.test(count) && /^[0-9]{7}$/.test(last.count)

/** Appends the cells of a line to the row that it continues. @param {Cells} row @param {Cells} line */
function appendCells(row, { name, count }) {
  row.name += name.trim()
  row.count += count.trim()
}

/** A cell with a class, rather than with the shape of an output. */
const CLASS_CELL = /^\s*[A-Za-z_][\w.]*\s*$/

/** The row on a line with bars; null if it has too few cells. Lightning prints the class in a cell of its own; here it
 * follows the name in brackets, as in Keras.
 * @param {TextLine} line @param {string[]} cells @param {number} countIndex  the index of the cell with the count
 * @returns {Cells | null} */
function rowWithBars(line, cells, countIndex) {
  if (cells.length <= countIndex) return null
  const [name = "", type = ""] = cells.slice(0, countIndex).filter((text) => /[A-Za-z]/.test(text))
  return {
    line,
    name: CLASS_CELL.test(type) ? `${name.trim()} (${type.trim()})` : name,
    count: cells[countIndex],
    lineText: line.text,
  }
}

/** The row on a line whose columns are separated by spaces, and whether its count is under the heading.
 * @param {TextLine} line @param {Heading} heading */
function rowInColumns(line, { secondStart, countStart, countEnd }) {
  const { text } = line
  const count = text.slice(countStart, countEnd).trim()
  // Nothing, torchinfo's dashes for no count, a count that may be rounded or frozen, or a module printed before.
  const isCount = /^$|^-+$|^\(?[0-9][0-9,.]*\)?(?: ?[KMBG])?$|^\(recursive\)$/i.test(count)
  const row = { line, name: text.slice(0, secondStart).trimEnd(), count, lineText: text }
  return { row, isAligned: isCount && text[countStart - 1] === " " }
}

/** Whether a line of a table with bars continues the row above it, because Keras 3 wraps long names and counts.
 * @param {string[]} cells @param {number} countIndex  the index of the cell with the count @param {Cells} last */
function isContinued(cells, countIndex, last) {
  const count = cells[countIndex]
  const firstContent = cells.find((text) => text.trim()) ?? ""
  const isRestOfClass = /^\s*\w*\)\s*$/.test(firstContent)
  const isBracketOpen = !/[0-9]/.test(count) && /\([^)]*$/.test(last.name)
  const isRestOfCount = /^\s*[0-9]{1,3}\s*$/.test(count) && !cells.slice(0, countIndex).some((text) => text.trim())
  return isRestOfClass || isBracketOpen || isRestOfCount
}

/** A cell that consists of an unrounded count. */
const COUNT_CELL = /^\s*[0-9][0-9,]*\s*$/
/** The rest of a name with the class in brackets, which may be cut off. */
const NAME_WITH_CLASS = /^(?:[\w-]*\s?)\([A-Z]\w*[\w.…]*\)?$/

/** The lines, with each row of a drawn table joined into one line. Keras 3 wraps contents that are too long for a cell,
 * but every row of its tables has only one count.
 * @param {TextLine[]} lines @returns {TextLine[]} */
export function withJoinedBoxes(lines) {
  /** @type {TextLine[]} */
  const joinedLines = []
  for (const [index, line] of lines.entries()) {
    const last = joinedLines.at(-1)
    if (last && isRestOfBox(last.text, line.text, lines[index + 1]?.text ?? ""))
      last.text = joinCells(last.text, line.text)
    else joinedLines.push({ ...line })
  }
  return joinedLines
}

/** Whether the second of two lines of a drawn table continues the row of the first: it has no count, and either no name
 * or the rest of one.
 * @param {string} line @param {string} nextLine @param {string} lineAfter  the line after `nextLine` */
function isRestOfBox(line, nextLine, lineAfter) {
  const [cells, rest, further] = [line, nextLine, lineAfter].map((text) => text.split(BAR).map((cell) => cell.trim()))
  if (!/^\s*│/.test(line) || cells.length < 4 || cells.length !== rest.length) return false
  const isCount = (/** @type {string} */ cell) => COUNT_CELL.test(cell)
  if (!cells.some(isCount) || rest.some(isCount)) return false
  const [, name] = cells
  const [, restOfName] = rest
  if (!restOfName) return true
  if (name.endsWith(")")) return false
  return NAME_WITH_CLASS.test(restOfName) || (/^[\w-]+$/.test(restOfName) && NAME_WITH_CLASS.test(further[1] ?? ""))
}

/** Two lines of a drawn table, joined cell by cell. @param {string} line @param {string} nextLine */
function joinCells(line, nextLine) {
  const rest = nextLine.split("│").map((cell) => cell.trim())
  return line
    .split("│")
    .map((cell, index) => {
      const gap = /^\(/.test(rest[index]) ? " " : ""
      return rest[index] ? `${cell.trimEnd()}${gap}${rest[index]} ` : cell
    })
    .join("│")
}

/** A line below the table that gives a size in memory. */
const MEMORY = /size \([KMG]i?B\)/i

/** The rows of a summary; null if the lines are not a summary.
 * @param {TextLine[]} allLines @returns {TextRow[] | null} */
export function summaryRows(allLines) {
  const lines = withJoinedBoxes(allLines)
  const heading = headingOf(lines)
  if (!heading) return null
  const rows = cellsOf(lines, heading).flatMap(({ line, name, count, lineText }) => {
    if (isTotal(lineText) || MEMORY.test(lineText)) return []
    // fvcore prints the shape of a tensor in place of its count.
    const [, sizes] = /^\s*\(([0-9, ]+)\)\s*$/.exec(count) ?? []
    if (sizes && !countIn(count)) return [textRow(line, { name: name.trim(), shape: numbersOf(sizes) })]
    const interval = countIn(count)
    const { name: moduleName, type } = nameIn(name)
    // torchinfo gives the modules of a list numbers for names.
    if (!moduleName || !/\p{L}/u.test(moduleName + type)) return []
    return textRow(line, {
      name: moduleName,
      type,
      low: interval?.low ?? null,
      high: interval?.high ?? null,
      depth: depthOf(name),
      isTrainable: trainableIn(lineText, count),
    })
  })
  return rows.some(({ low }) => low !== null) ? rows : null
}

/** The rows, without those of tensors below the row of their module, which gets the exact sum of their elements. fvcore
 * rounds the count of a module, but prints the shapes of its tensors. A module that also contains other modules is left
 * unchanged.
 * @param {TextRow[]} rows */
export function withExactCounts(rows) {
  const moduleOf = (/** @type {TextRow} */ { name }) => name.slice(0, Math.max(0, name.lastIndexOf(".")))
  const moduleNames = new Set(rows.flatMap(({ name, shape }) => (shape ? [] : [name])))
  const modulesWithRowsBelow = new Set(rows.filter((row) => !row.shape).map(moduleOf))
  const tensors = rows.filter((row) => {
    const module = moduleOf(row)
    return row.shape && moduleNames.has(module) && !modulesWithRowsBelow.has(module)
  })
  return rows
    .filter((row) => !tensors.includes(row))
    .map((row) => {
      const ownTensors = tensors.filter((tensor) => moduleOf(tensor) === row.name)
      const count = sumBy(ownTensors, ({ low }) => low ?? 0)
      return count ? { ...row, low: count, high: count } : row
    })
}

/** Whether the tensors of a row are trained, according to the end of the row or to brackets around the count, in which
 * torchinfo prints frozen counts; null if neither shows it.
 * @param {string} text @param {string} count */
function trainableIn(text, count) {
  if (/\bTrue\s*$/.test(text)) return true
  return /\bFalse\s*$/.test(text) || count.trim().startsWith("(") ? false : null
}

/** A line with a word for totals, and a number after it unless the line begins with "total" or "sum" or the word is
 * Chinese. */
const TOTAL =
  /\b(?:total|trainable|non-trainable|sum|all|together|params size|estimated)\b.*[0-9]|总|合计|總|^\s*[|]?\s*\**(?:total|sum)\b/i

/** Whether a line states a total, rather than a tensor whose name contains a word for totals. @param {string} text */
export const isTotal = (text) => TOTAL.test(text) && !/[a-z]\.[a-z0-9_]+\.(?:weight|bias)/.test(text)
