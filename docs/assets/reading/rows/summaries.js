// Reads summaries: tables of modules with a count in a column, as Keras, torchinfo,
// torchsummary and Lightning print them. A row may stand for several tensors, and numbers
// in other columns (shapes of outputs, operations) are not counts.
//
// The heading says where the column of counts begins. Cells that were wrapped over
// several lines are joined again: a line continues the row above unless it begins one.
// If columns are no longer under their headings, the count of a row is its last whole
// number outside brackets.

import { textRow } from "./text-row.js"

const HEADING = /param(?:s|eter(?:s)?)?\b|参数|parám/i
const NAMES = /layer|module|name|type|part|层|名称/i
const RULE = /^[\s\-=_─━═+|│┃┡┢╇╋┼┏┓┗┛┌┐└┘├┤┬┴╞╡╪*:]+$/
const TREE = /[├└│|+\\][─\-_]*|depth-idx/

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
  const size = SCALES[/** @type {keyof typeof SCALES} */ (scale.toUpperCase())]
  const half = size / 10 ** (digits.split(".")[1]?.length ?? 0) / 2
  const middle = Number(digits) * size
  // Lightning cuts where others round, so a whole unit above belongs to it too.
  return { low: Math.ceil(middle - half), high: Math.floor(middle + 2 * half) }
}

/** The heading of a summary, and where its columns begin.
 * @typedef {object} Heading
 * @property {number} index  its line
 * @property {number} second  where the second column begins
 * @property {number} count  where the column of counts begins
 * @property {number} next  where the column after that begins
 * @property {"bar" | ""} separator  what is between cells; "" if there are only blanks
 * @property {number} cell  which cell has the counts, if bars separate the cells */

/** The heading of a summary; null if the lines have none. @param {TextLine[]} lines @returns {Heading | null} */
export function headingOf(lines) {
  for (const [index, { text }] of lines.entries()) {
    if (index > 400) return null
    if (!HEADING.test(text) || !NAMES.test(text) || /[0-9]{4}/.test(text) || text.length > 400) continue
    const bars = text.match(/[|│┃]/g) ?? []
    /** @type {"bar" | ""} */
    const separator = bars.length >= 2 ? "bar" : ""
    const cells = text.split(/[|│┃]/)
    const cell = cells.findIndex((one) => HEADING.test(one) && !/%|kernel|share/i.test(one))
    const start = /** @type {RegExpExecArray} */ (HEADING.exec(text)).index
    const after = text.slice(start).search(/(?<=\S)\s{2,}(?=\S)/)
    const next =
      after < 0
        ? Infinity
        : start + after + /** @type {RegExpExecArray} */ (/\s{2,}/.exec(text.slice(start + after)))[0].length
    const gap = /(?<=\S)\s{2,}(?=\S)/.exec(text)
    const second = gap ? gap.index + gap[0].length : -1
    if (separator ? cell >= 0 : second > 0) return { index, count: start, next, second, separator, cell }
    // Where columns were squeezed together, rows are read without them.
    if (/^\s*layer \(type/i.test(text))
      return { index, count: Infinity, next: Infinity, second: Infinity, separator, cell }
  }
  return null
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
  return TREE.test(branch) ? Math.round((branch.length - 2) / 5) + 1 : -1
}

const BRACKETS = /\[[^\]]*\]?|\((?:None|[^()]*,)[^()]*\)?/g

/** A count in brackets at the end of a line, as torchinfo writes those of frozen parameters. */
const FROZEN = /\(([0-9]{1,3}(?:,[0-9]{3})+)\)(?=\s*(?:True|False|--)?\s*$)/

/** The last whole number of a line outside brackets. @param {string} text @returns {string} */
function lastNumber(text) {
  const cells = text.replace(FROZEN, "$1").replace(BRACKETS, " ").split(/\s+/)
  const numbers = cells.filter((cell) => /^\(?[0-9][0-9,._']*\)?$/.test(cell) && !/[,.]$/.test(cell))
  return numbers.at(-1) ?? ""
}

/** A row of a summary before its count is read.
 * @typedef {{ line: TextLine, name: string, count: string, rest: string }} Cells */

/** The cells of all rows, with continued lines joined.
 * @param {TextLine[]} lines @param {Heading} heading @returns {Cells[]} */
function cellsOf(lines, heading) {
  /** @type {Cells[]} */
  const rows = []
  let startsAnew = true // whether a rule or an empty line has ended the row before
  const wraps = lines.slice(heading.index + 1).some(({ text }) => /^\s*[a-z]*\)/.test(text.slice(0, heading.second)))
  for (const line of lines.slice(heading.index + 1)) {
    const { text } = line
    if (!text.trim() || isRule(text) || text.trim() === lines[heading.index].text.trim()) {
      startsAnew = true
      continue
    }
    if (heading.separator) {
      const cells = text.split(/[|│┃]/)
      if (cells.length <= heading.cell) continue
      const [name = "", ...others] = cells.slice(0, heading.cell).filter((cell) => /[A-Za-z]/.test(cell))
      const count = cells[heading.cell]
      const last = rows.at(-1)
      if (last && !startsAnew && heading.index >= 0 && isContinued(cells, heading.cell, last)) {
        last.name += name.trim()
        last.count += count.trim()
      } else rows.push({ line, name: others.length ? `${name.trim()} (${others[0].trim()})` : name, count, rest: text })
      startsAnew = false
      continue
    }
    const above = rows.at(-1)
    if (above && /^\s*[0-9]{1,2}\s*$/.test(text) && /,[0-9]{1,2}$/.test(above.count)) {
      above.count += text.trim() // the end of a count that a narrow window has wrapped
      continue
    }
    const name = text.slice(0, heading.second).trimEnd()
    const count = text.slice(heading.count, heading.next).trim()
    const isAligned =
      /^$|^-+$|^\(?[0-9][0-9,.]*\)?(?: ?[KMBG])?$|^\(recursive\)$/i.test(count) && text[heading.count - 1] === " "
    const begins = startsAnew || (/^\s?\S+ \(/.test(name) && /[0-9]/.test(count)) || !wraps
    const last = rows.at(-1)
    if (begins || !last) rows.push({ line, name, count: isAligned && count ? count : lastNumber(text), rest: text })
    else {
      last.name += name.trim()
      if (isAligned) last.count += count
    }
    startsAnew = false
  }
  return rows
}

/** Whether a line of a table with bars continues the row above it: Keras 3 wraps a name or a count that is too long.
 * @param {string[]} cells @param {number} cell @param {Cells} last */
const isContinued = (cells, cell, last) =>
  /^\s*[\w]*\)\s*$/.test(cells.find((one) => one.trim()) ?? "") ||
  (!/[0-9]/.test(cells[cell]) && /\([^)]*$/.test(last.name)) ||
  (/^\s*[0-9]{1,3}\s*$/.test(cells[cell]) && !cells.slice(0, cell).some((one) => one.trim()))

const SIZE = /size \([KMG]i?B\)/i // of inputs and outputs in memory, below the table

/** The rows of a summary; null if the lines are not a summary.
 * @param {TextLine[]} lines @returns {TextRow[] | null} */
export function summaryRows(lines) {
  const heading = headingOf(lines)
  if (!heading) return null
  const rows = cellsOf(lines, heading).flatMap(({ line, name, count, rest }) => {
    if (isTotal(rest) || SIZE.test(rest)) return []
    const interval = countIn(count)
    const { name: own, type } = nameIn(name)
    if (!own || !/[A-Za-z\p{L}]/u.test(own)) return []
    return textRow(line, {
      name: own,
      type,
      low: interval?.low ?? null,
      high: interval?.high ?? null,
      depth: depthOf(name),
      trainable: /\bTrue\s*$/.test(rest) ? true : /\bFalse\s*$/.test(rest) || /^\(/.test(count.trim()) ? false : null,
    })
  })
  return rows.some(({ low }) => low !== null) ? rows : null
}

/** Whether a line states a total. @param {string} text */
export const isTotal = (text) =>
  /\b(?:total|trainable|non-trainable|sum|all|together|params size|estimated)\b.*[0-9]|总|合计|總|^\s*[|]?\s*\**(?:total|sum)\b/i.test(
    text,
  ) && !/[a-z]\.[a-z0-9_]+\.(?:weight|bias)/.test(text)
