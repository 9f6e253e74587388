// Reads summaries: tables of modules with a count in a column, as Keras, torchinfo,
// torchsummary and Lightning print them. A row may stand for several tensors, and numbers
// in other columns (shapes of outputs, operations) are not counts.
//
// The heading says where the column of counts begins. Cells that were wrapped over
// several lines are joined again: a line continues the row above unless it begins one.
// If columns are no longer under their headings, the count of a row is its last whole
// number outside brackets.

import { textRow } from "./text-row.js"

/** The headings of the column of counts, and of that of modules. */
const HEADING = /param(?:s|eter(?:s)?)?\b|参数|parám/i
const NAMES = /layer|module|name|type|part|层|名称/i
/** A bar between the cells of a table. */
export const BAR = /[|│┃]/
/** A line of nothing but the signs that tables are drawn with. */
const RULE = /^[\s\-=_─━═+|│┃┡┢╇╋┼┏┓┗┛┌┐└┘├┤┬┴╞╡╪*:]+$/
/** The sign of a branch in a tree. */
const TREE = /[├└│|+\\][─\-_]*|depth-idx/

const MAX_LINES_BEFORE = 400 // lines among which the heading is looked for
const MAX_HEADING_LENGTH = 400 // characters

/** Whether a line is only drawn, such as a rule between rows. @param {string} text */
export const isRule = (text) => RULE.test(text) && /[-=_─━═]{3}|^\s*[|│+├└╞]/.test(text)

const SCALES = { K: 1e3, M: 1e6, B: 1e9, G: 1e9, T: 1e12 }

/** The count in a cell as an interval; null if the cell holds none. `16.6 M` stands for everything that rounds to it.
 * @param {string} cell @returns {{ low: number, high: number } | null} */
export function countIn(cell) {
  const text = cell
    .trim()
    .replace(/^\((.*)\)$/, "$1")
    .replace(/\*+/g, "")
    .trim()
  if (/^[0-9]{1,3}(?:([,._' ])[0-9]{3})(?:\1[0-9]{3})*$|^[0-9]+$/.test(text)) {
    const number = Number(text.replace(/[^0-9]/g, ""))
    return { low: number, high: number }
  }
  const [, digits, scale] = /^([0-9]+(?:\.[0-9]+)?)\s*([KMBGT])(?:\b|$)/i.exec(text) ?? []
  if (!scale) return null
  const unit = SCALES[/** @type {keyof typeof SCALES} */ (scale.toUpperCase())]
  const lastDigit = unit / 10 ** (digits.split(".")[1]?.length ?? 0)
  const number = Number(digits) * unit
  // Most tools round to the last digit. Lightning cuts the rest off, so a whole unit of that digit may be missing.
  return { low: Math.ceil(number - lastDigit / 2), high: Math.floor(number + lastDigit) }
}

/** The heading of a summary, and where its columns begin.
 * @typedef {object} Heading
 * @property {number} index  its line
 * @property {number} second  where the second column begins
 * @property {number} count  where the column of counts begins
 * @property {number} next  where the column after that begins
 * @property {boolean} hasBars  whether bars separate the cells, rather than blanks alone
 * @property {number} cell  which cell has the counts, if bars separate the cells */

/** The heading of a summary; null if the lines have none. @param {TextLine[]} lines @returns {Heading | null} */
function headingOf(lines) {
  for (const [index, { text }] of lines.entries()) {
    if (index > MAX_LINES_BEFORE) return null
    // A number of four digits makes it a row or a total.
    if (!HEADING.test(text) || !NAMES.test(text) || /[0-9]{4}/.test(text) || text.length > MAX_HEADING_LENGTH) continue
    const cells = text.split(BAR)
    const hasBars = cells.length > 2
    const cell = cells.findIndex((one) => HEADING.test(one) && !/%|kernel|share/i.test(one))
    const count = text.search(HEADING)
    const next = columnAfter(text, count) ?? Infinity
    const second = columnAfter(text, 0) ?? -1
    if (hasBars ? cell >= 0 : second > 0) return { index, count, next, second, hasBars, cell }
    // Where columns were squeezed together, rows are read without them.
    if (/^\s*layer \(type/i.test(text))
      return { index, count: Infinity, next: Infinity, second: Infinity, hasBars, cell }
  }
  return null
}

/** Where the next column of a heading begins: after two blanks or more. Undefined if there is none.
 * @param {string} text @param {number} from */
function columnAfter(text, from) {
  const gap = /(?<=\S)\s{2,}(?=\S)/.exec(text.slice(from))
  return gap ? from + gap.index + gap[0].length : undefined
}

/** The name and class of a module in a cell: `bert (TFBertMainLayer)`, `BertLayer (0): 3-1`, `Linear-4`.
 * @param {string} cell */
export function nameIn(cell) {
  const text = cell
    .replace(/^[\s│├└─|+\\`-]+/, "")
    .replace(/:\s*[0-9]+-[0-9]+\s*$/, "")
    .replace(/\s{2,}.*$|\s(?:\[|\(None|\(-1|multiple\b|\d).*$/, "")
    .trim()
  const [, first, second] = /^(\S+)\s*\((.*?)\)?$/.exec(text) ?? []
  if (!first) return { name: text, type: text.replace(/[-_][0-9]+$/, "") }
  // torchinfo writes the class first and the name in brackets, Keras the other way round.
  return /^[A-Z]/.test(first) && /^[\w.]*$/.test(second) && !/^[A-Z]\w*$/.test(second)
    ? { name: second, type: first }
    : { name: first, type: second }
}

/** How deep a row is in its tree; -1 if the table is not a tree. @param {string} cell */
function depthOf(cell) {
  const [, index] = /:\s*([0-9]+)-[0-9]+\s*$/.exec(cell.trim()) ?? []
  if (index) return Number(index)
  const [branch] = /^[\s│├└─|+]+/.exec(cell) ?? [""]
  return TREE.test(branch) ? Math.round((branch.length - SHORTEST_BRANCH) / INDENT) + 1 : -1
}
const SHORTEST_BRANCH = 2 // "├─", as torchinfo draws it
const INDENT = 5 // "│    " for each level

/** A shape in brackets, which may be cut off. */
const BRACKETS = /\[[^\]]*\]?|\((?:None|[^()]*,)[^()]*\)?/g

/** A count in brackets at the end of a line, as torchinfo writes those of frozen parameters. */
const FROZEN = /\(([0-9]{1,3}(?:,[0-9]{3})+)\)(?=\s*(?:True|False|--)?\s*$)/

/** The last whole number of a line outside brackets. @param {string} text @returns {string} */
function lastNumber(text) {
  const cells = text.replace(FROZEN, "$1").replace(BRACKETS, " ").split(/\s+/)
  const numbers = cells.filter((cell) => /^\(?[0-9][0-9,._']*\)?$/.test(cell) && !/[,.]$/.test(cell))
  return numbers.at(-1) ?? ""
}

/** A row of a summary before its count is read: its first line, the texts of its name and count, and the whole text.
 * @typedef {{ line: TextLine, name: string, count: string, rest: string }} Cells */

/** The cells of all rows, with continued lines joined.
 * @param {TextLine[]} lines @param {Heading} heading @returns {Cells[]} */
function cellsOf(lines, heading) {
  const below = lines.slice(heading.index + 1)
  // Keras 2 wraps long names, so that the bracket after a class is on the next line.
  const isWrapped = below.some(({ text }) => /^\s*[a-z]*\)/.test(text.slice(0, heading.second)))
  /** @type {Cells[]} */
  const rows = []
  let startsAnew = true // whether a rule or an empty line has ended the row before
  for (const line of below) {
    const { text } = line
    if (!text.trim() || isRule(text) || text.trim() === lines[heading.index].text.trim()) {
      startsAnew = true
      continue
    }
    const last = rows.at(-1)
    if (heading.hasBars) {
      const row = rowWithBars(line, heading)
      if (!row) continue
      if (last && !startsAnew && isContinued(text.split(BAR), heading.cell, last)) addTo(last, row)
      else rows.push(row)
    } else if (last && /^\s*[0-9]{1,2}\s*$/.test(text) && /,[0-9]{1,2}$/.test(last.count)) {
      last.count += text.trim() // the end of a count that a narrow window has wrapped
      continue
    } else {
      const { row, isAligned } = rowInColumns(line, heading)
      const begins = startsAnew || (/^\s?\S+ \(/.test(row.name) && /[0-9]/.test(row.count)) || !isWrapped
      if (last && !begins) addTo(last, isAligned ? row : { ...row, count: "" })
      else rows.push(isAligned && row.count ? row : { ...row, count: lastNumber(text) })
    }
    startsAnew = false
  }
  return rows
}

/** Adds the cells of a line to the row that it continues. @param {Cells} row @param {Cells} line */
function addTo(row, { name, count }) {
  row.name += name.trim()
  row.count += count.trim()
}

/** A line with bars as a row; null if it has too few cells. Lightning has the class in a cell of its own, which is put
 * in brackets after the name, as Keras has it.
 * @param {TextLine} line @param {Heading} heading @returns {Cells | null} */
function rowWithBars(line, { cell }) {
  const cells = line.text.split(BAR)
  if (cells.length <= cell) return null
  const [name = "", type] = cells.slice(0, cell).filter((one) => /[A-Za-z]/.test(one))
  return {
    line,
    name: type === undefined ? name : `${name.trim()} (${type.trim()})`,
    count: cells[cell],
    rest: line.text,
  }
}

/** A line with blanks between its columns as a row, and whether its count is under the heading of counts.
 * @param {TextLine} line @param {Heading} heading */
function rowInColumns(line, { second, count: start, next }) {
  const { text } = line
  const count = text.slice(start, next).trim()
  const isCount = /^$|^-+$|^\(?[0-9][0-9,.]*\)?(?: ?[KMBG])?$|^\(recursive\)$/i.test(count)
  const row = { line, name: text.slice(0, second).trimEnd(), count, rest: text }
  return { row, isAligned: isCount && text[start - 1] === " " }
}

/** Whether a line of a table with bars continues the row above it: Keras 3 wraps a name or a count that is too long.
 * @param {string[]} cells @param {number} cell  which has the count @param {Cells} last */
const isContinued = (cells, cell, last) =>
  /^\s*[\w]*\)\s*$/.test(cells.find((one) => one.trim()) ?? "") ||
  (!/[0-9]/.test(cells[cell]) && /\([^)]*$/.test(last.name)) ||
  (/^\s*[0-9]{1,3}\s*$/.test(cells[cell]) && !cells.slice(0, cell).some((one) => one.trim()))

/** A whole count in a cell. */
const COUNT_CELL = /^\s*[0-9][0-9,]*\s*$/
/** The end of a name with the class in brackets, which may be cut off. */
const NAME_WITH_CLASS = /^(?:[\w-]*\s?)\([A-Z]\w*[\w.…]*\)?$/

/** The lines, in which each row of a drawn table is one. Keras 3 wraps what is too long for a cell, and every row of its
 * tables has one count.
 * @param {TextLine[]} lines @returns {TextLine[]} */
export function withJoinedBoxes(lines) {
  /** @type {TextLine[]} */
  const result = []
  for (const [index, line] of lines.entries()) {
    const last = result.at(-1)
    if (last && isRestOfBox(last.text, line.text, lines[index + 1]?.text ?? ""))
      last.text = joinedCells(last.text, line.text)
    else result.push({ ...line })
  }
  return result
}

/** Whether a line of a drawn table continues the cells of the one above: it has no count, and no name or the end of one.
 * @param {string} one @param {string} other @param {string} after  the line after that */
function isRestOfBox(one, other, after) {
  const [cells, rest, further] = [one, other, after].map((text) => text.split(BAR).map((cell) => cell.trim()))
  if (!/^\s*│/.test(one) || cells.length < 4 || cells.length !== rest.length) return false
  /** Whether a cell holds a count. */
  const isCount = (/** @type {string} */ cell) => COUNT_CELL.test(cell)
  if (!cells.some(isCount) || rest.some(isCount)) return false
  const [, name] = cells
  const [, restOfName] = rest
  if (!restOfName) return true
  if (name.endsWith(")")) return false
  return NAME_WITH_CLASS.test(restOfName) || (/^[\w-]+$/.test(restOfName) && NAME_WITH_CLASS.test(further[1] ?? ""))
}

/** Two lines of a drawn table as one, cell by cell. @param {string} one @param {string} other */
function joinedCells(one, other) {
  const rest = other.split("│").map((cell) => cell.trim())
  return one
    .split("│")
    .map((cell, index) => {
      const gap = /^\(/.test(rest[index]) ? " " : ""
      return rest[index] ? `${cell.trimEnd()}${gap}${rest[index]} ` : cell
    })
    .join("│")
}

/** A line below the table on the memory of inputs and outputs. */
const MEMORY = /size \([KMG]i?B\)/i

/** The rows of a summary; null if the lines are not a summary.
 * @param {TextLine[]} source @returns {TextRow[] | null} */
export function summaryRows(source) {
  const lines = withJoinedBoxes(source)
  const heading = headingOf(lines)
  if (!heading) return null
  const rows = cellsOf(lines, heading).flatMap(({ line, name, count, rest }) => {
    if (isTotal(rest) || MEMORY.test(rest)) return []
    const interval = countIn(count)
    const { name: own, type } = nameIn(name)
    if (!own || !/[A-Za-z\p{L}]/u.test(own)) return []
    return textRow(line, {
      name: own,
      type,
      low: interval?.low ?? null,
      high: interval?.high ?? null,
      depth: depthOf(name),
      trainable: trainableIn(rest, count),
    })
  })
  return rows.some(({ low }) => low !== null) ? rows : null
}

/** Whether a row says at its end that it is trained; null if it does not say. torchinfo puts a frozen count in brackets.
 * @param {string} text @param {string} count */
function trainableIn(text, count) {
  if (/\bTrue\s*$/.test(text)) return true
  return /\bFalse\s*$/.test(text) || count.trim().startsWith("(") ? false : null
}

/** Words before a total, or alone for one. */
const TOTAL =
  /\b(?:total|trainable|non-trainable|sum|all|together|params size|estimated)\b.*[0-9]|总|合计|總|^\s*[|]?\s*\**(?:total|sum)\b/i

/** Whether a line states a total, and is not that of a tensor whose name has such a word. @param {string} text */
export const isTotal = (text) => TOTAL.test(text) && !/[a-z]\.[a-z0-9_]+\.(?:weight|bias)/.test(text)
