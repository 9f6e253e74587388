// The lines of a print-out's account: each line of the text with its part of the model, the
// number that it states, and the right number. Equal lines of several layers are merged if
// they are right or rounded. A wrong line stays separate, because the reader is looking for it.

import { sumBy } from "../../counting/engine.js"
import { groupBy } from "../../counting/polynomials.js"
import { additionInWords } from "./additions.js"
import { sumOf, untiedElements } from "./aligning.js"
import { sumOfRight } from "./facts.js"
import { denseInWords } from "./own-layers.js"
import { partInWords } from "./parts-in-words.js"

/** @typedef {import("./facts.js").Facts} Facts */
/** A line of the account, with its rows. @typedef {{ rows: AlignedRow[], line: AccountLine }} LineOfRows */

/** The lines of the account in the order of the text, including those that were not read. Right or rounded lines that
 * are the same in several layers become one, with the numbers of one layer.
 * @param {Facts} facts @returns {AccountLine[]} */
export function linesOf({ alignment, printOut }) {
  const { ruler } = alignment
  const rowsByLine = [...groupBy(alignment.rows, ({ text }) => String(text.line.index)).values()]
  // If the whole text is on one line, each row is shown under its name.
  const isOneLine = rowsByLine.length === 1 && alignment.rows.length > 2
  const pieces = isOneLine ? alignment.rows.map((row) => [row]) : rowsByLine
  const lines = pieces.map((rows) => ({ rows, line: lineOf(rows, ruler, printOut.rows, isOneLine) }))
  const foldedLines = foldLayers(lines, ruler)
  const unreadLines = printOut.unread.map(({ source, index }) => ({
    index,
    line: { source, part: [], stated: null, right: null, verdict: /** @type {const} */ ("not read"), times: 1 },
  }))
  return [...foldedLines.map(({ rows, line }) => ({ index: rows[0].text.line.index, line })), ...unreadLines]
    .sort((one, other) => one.index - other.index)
    .map(({ line }) => line)
}

/** The verdicts, the most serious first. A line with several rows gets the most serious verdict among them.
 * @type {LineVerdict[]} */
const BY_GRAVITY = [
  "wrong",
  "counted twice",
  "not a parameter",
  "added",
  "unknown",
  "packed",
  "rounded",
  "right",
  "subtotal",
]

/** The place of a row's verdict in `BY_GRAVITY`. @param {AlignedRow} row */
const gravityOf = ({ verdict }) => BY_GRAVITY.indexOf(verdict)

/** The account's line for rows on the same line of the text.
 * @param {AlignedRow[]} rows @param {Ruler} ruler @param {TextRow[]} allRows  all rows of the text
 * @param {boolean} isPiece  whether the rows are only part of the reader's line
 * @returns {AccountLine} */
function lineOf(rows, ruler, allRows, isPiece) {
  const tensors = rows.flatMap((row) => row.tensors)
  const layers = new Set(tensors.map(({ numbers }) => numbers.join("."))).size
  const [{ verdict }] = [...rows].sort((one, other) => gravityOf(one) - gravityOf(other))
  const stated = rows.some((row) => row.stated !== null) ? sumOf(rows) : null
  const right = rows.some((row) => row.right !== null) ? sumOfRight(rows) : null
  // A line that is printed once for all layers is shown with the numbers of one layer.
  const isPerLayer = layers > 1 && rows.length > 1 && [stated ?? 0, right ?? 0].every((sum) => sum % layers === 0)
  const times = isPerLayer ? layers : 1
  const part = partOfRowsInWords(rows, tensors, ruler, allRows)
  const [{ text }] = rows
  // Of a shape that JSON has on several lines, the last line is only a bracket.
  const isBracket = !/[\p{L}0-9]/u.test(text.line.source)
  return {
    source: (isPiece || isBracket) && text.name ? text.name : text.line.source,
    part: isPerLayer ? perLayerWords(part) : part,
    stated: stated === null ? null : stated / times,
    right: right === null ? null : right / times,
    verdict,
    times,
  }
}

/** The words for what the rows of a line show, such as a part of the model or a buffer; empty if it is unknown.
 * @param {AlignedRow[]} rows @param {RulerTensor[]} tensors @param {Ruler} ruler @param {TextRow[]} allRows
 * @returns {Words} */
function partOfRowsInWords(rows, tensors, ruler, allRows) {
  const part = partInWords(tensors, ruler)
  const [{ text, verdict }] = rows
  const right = sumOfRight(rows)
  const isSubtotal = verdict === "subtotal" && text.low === null
  if (part.length) {
    const elementsOfPart = sumBy(tensors, untiedElements)
    return isSubtotal && right > elementsOfPart ? [...part, ", including the added parameters"] : part
  }
  if (verdict === "added") {
    const addition = additionInWords(text)
    return addition.length ? addition : denseInWords(text, allRows, ruler.sizes.H)
  }
  if (verdict === "not a parameter") return [/adam_[mv]/.test(text.name) ? "a state of the optimiser" : "a buffer"]
  if (isSubtotal && right) return additionInWords(text)
  const isEmpty = isSubtotal || (verdict === "right" && !right)
  if (!isEmpty) return []
  return [/recursive/i.test(text.line.source) ? "the same layer again, which counts once" : "no parameters"]
}

/** Words about a part of several layers, rephrased to describe each of them. @param {Words} part @returns {Words} */
const perLayerWords = (part) =>
  part.map((piece) => {
    if (typeof piece === "string") return perLayerText(piece)
    return "page" in piece ? { ...piece, text: perLayerText(piece.text) } : piece
  })

/** Text about several layers, rephrased to describe each of them. @param {string} text */
const perLayerText = (text) =>
  text
    .replace("in all layers", "in each layer")
    .replace("all encoder layers", "each encoder layer")
    .replace(/in layers (?=[0-9])/, "in each of layers ")
    .replace(/^encoder layers (?=[0-9])/, "each of encoder layers ")

/** The lines, with right or rounded lines that are equal in several layers merged into one.
 * @param {LineOfRows[]} lines @param {Ruler} ruler @returns {LineOfRows[]} */
function foldLayers(lines, ruler) {
  /** The key of a line: equal for lines to be merged, unique for any other. @param {LineOfRows} lineOfRows */
  const keyOf = (lineOfRows) => {
    const { verdict, times, stated } = lineOfRows.line
    const isInLayer = lineOfRows.rows[0].tensors[0]?.numbers.length
    if (!isInLayer || times > 1 || (verdict !== "right" && verdict !== "rounded"))
      return `line ${lines.indexOf(lineOfRows)}`
    return `${lineOfRows.rows.flatMap((row) => row.tensors.map((tensor) => tensor.row.path)).join()} ${stated}`
  }
  return [...groupBy(lines, keyOf).values()].map((group) => {
    const [first] = group
    if (group.length < 2) return first
    const tensors = group.flatMap(({ rows }) => rows.flatMap((row) => row.tensors))
    return { ...first, line: { ...first.line, part: perLayerWords(partInWords(tensors, ruler)), times: group.length } }
  })
}
