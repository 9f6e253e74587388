// The lines of a print-out's account: each line of the text beside what it is, what it
// states and what it should state. Equal lines of several layers become one, but a line that
// is wrong stays by itself, because it is the one that a reader looks for.

import { sumBy } from "../../counting/engine.js"
import { groupBy } from "../../counting/polynomials.js"
import { addedInWords } from "./additions.js"
import { sumOf } from "./aligning.js"
import { sumOfRight } from "./facts.js"
import { denseInWords } from "./own-layers.js"
import { partInWords } from "./parts-in-words.js"

/** @typedef {import("./facts.js").Facts} Facts */
/** A line of the account, with the rows that it shows. @typedef {{ rows: AlignedRow[], line: AccountLine }} LineOfRows */

/** The reader's lines, each once. Lines that are the same in several layers are one line, with the numbers of one
 * layer.
 * @param {Facts} facts @returns {AccountLine[]} */
export function linesOf({ alignment, print }) {
  const { ruler } = alignment
  const byLine = [...groupBy(alignment.rows, ({ text }) => String(text.line.index)).values()]
  // If a whole text is on one line, each of its rows is shown by its name.
  const isOneLine = byLine.length === 1 && alignment.rows.length > 2
  const pieces = isOneLine ? alignment.rows.map((row) => [row]) : byLine
  const lines = pieces.map((rows) => ({ rows, line: lineOf(rows, ruler, print.rows, isOneLine) }))
  const folded = foldedLayers(lines, ruler)
  const unread = print.unread.map(({ source, index }) => ({
    index,
    line: { source, part: [], stated: null, right: null, verdict: /** @type {const} */ ("not read"), times: 1 },
  }))
  return [...folded.map(({ rows, line }) => ({ index: rows[0].text.line.index, line })), ...unread]
    .sort((one, other) => one.index - other.index)
    .map(({ line }) => line)
}

/** The verdicts, the gravest first. A line with several rows has the first of these that one of its rows has.
 * @type {LineVerdict[]} */
const BY_GRAVITY = ["wrong", "counted twice", "not a parameter", "added", "unknown", "rounded", "right", "subtotal"]

/** The line of some rows.
 * @param {AlignedRow[]} rows @param {Ruler} ruler @param {TextRow[]} all  the rows of the text
 * @param {boolean} isPiece  whether they are only a piece of the reader's line
 * @returns {AccountLine} */
function lineOf(rows, ruler, all, isPiece) {
  const tensors = rows.flatMap((row) => row.tensors)
  const layers = new Set(tensors.map(({ numbers }) => numbers.join("."))).size
  const verdict = BY_GRAVITY.find((one) => rows.some((row) => row.verdict === one)) ?? "unknown"
  const stated = rows.some((row) => row.stated !== null) ? sumOf(rows) : null
  const right = rows.some((row) => row.right !== null) ? sumOfRight(rows) : null
  // A line that is printed once for all layers is shown with what it holds in one of them.
  const isEach = layers > 1 && rows.length > 1 && [stated ?? 0, right ?? 0].every((sum) => sum % layers === 0)
  const times = isEach ? layers : 1
  const part = partOf(rows, tensors, ruler, all)
  return {
    source: isPiece && rows[0].text.name ? rows[0].text.name : rows[0].text.line.source,
    part: isEach ? inEach(part) : part,
    stated: stated === null ? null : stated / times,
    right: right === null ? null : right / times,
    verdict,
    times,
  }
}

/** The words for what the rows of a line are.
 * @param {AlignedRow[]} rows @param {RulerTensor[]} tensors @param {Ruler} ruler @param {TextRow[]} all
 * @returns {Words} */
function partOf(rows, tensors, ruler, all) {
  const part = partInWords(tensors, ruler)
  const [{ text, verdict }] = rows
  const right = sumOfRight(rows)
  const isSubtotal = verdict === "subtotal" && text.low === null
  if (part.length) {
    const elementsOfPart = sumBy(tensors, ({ tied, elements }) => (tied ? 0 : elements))
    return isSubtotal && right > elementsOfPart ? [...part, ", with what was added"] : part
  }
  if (verdict === "added") {
    const addition = addedInWords(text)
    return addition.length ? addition : denseInWords(text, all, ruler.sizes.H)
  }
  if (verdict === "not a parameter") return [/adam_[mv]/.test(text.name) ? "the optimiser's memory" : "a buffer"]
  if (isSubtotal && right) return addedInWords(text)
  const isEmpty = isSubtotal || (verdict === "right" && !right)
  if (!isEmpty) return []
  return [/recursive/i.test(text.line.source) ? "the same again, which counts once" : "no parameters"]
}

/** The words for a part of several layers, turned into words for what each of them has.
 * @param {Words} part @returns {Words} */
const inEach = (part) =>
  part.map((piece) => {
    if (typeof piece === "string") return eachLayer(piece)
    return "page" in piece ? { ...piece, text: eachLayer(piece.text) } : piece
  })

/** A text about several layers, turned into one about each of them. @param {string} text */
const eachLayer = (text) =>
  text
    .replace("in all layers", "in each layer")
    .replace("all encoder layers", "each encoder layer")
    .replace(/in layers (?=[0-9])/, "in each of layers ")
    .replace(/^encoder layers (?=[0-9])/, "each of encoder layers ")

/** The lines, in which those that say the same of several layers are one, if all of these are right.
 * @param {LineOfRows[]} lines @param {Ruler} ruler @returns {LineOfRows[]} */
function foldedLayers(lines, ruler) {
  /** The key that lines of several layers have in common if they are one; every other line has its own.
   * @param {LineOfRows} one */
  const keyOf = (one) => {
    const { verdict, times, stated } = one.line
    const isInLayer = one.rows[0].tensors[0]?.numbers.length
    if (!isInLayer || times > 1 || (verdict !== "right" && verdict !== "rounded")) return `line ${lines.indexOf(one)}`
    return `${one.rows.flatMap((row) => row.tensors.map((tensor) => tensor.row.path)).join()} ${stated}`
  }
  return [...groupBy(lines, keyOf).values()].map((group) => {
    const [first] = group
    if (group.length < 2) return first
    const tensors = group.flatMap(({ rows }) => rows.flatMap((row) => row.tensors))
    return { ...first, line: { ...first.line, part: inEach(partInWords(tensors, ruler)), times: group.length } }
  })
}
