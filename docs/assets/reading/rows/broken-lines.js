// Rejoins lines that a narrow window has broken within a name or a shape, between a name and its
// size, or between a shape and its count. Lines of loops that print the name, the shape and the
// count of each tensor on lines of their own are joined as well.

import { numberOfDigits } from "../../explaining/read.js"
import { isSlip, pathsIn, TENSOR } from "./named-rows.js"
import { asPrintedName } from "./names.js"
import { elementsOf, numbersOf } from "./text-row.js"

const MAX_CUT_LINE_LENGTH = 400 // the maximum number of characters in a line that a window has broken

/** The lines, after rejoining those that a narrow window has broken. @param {TextLine[]} lines */
export function joinLines(lines) {
  /** @type {TextLine[]} */
  const joinedLines = []
  for (const line of lines) {
    const last = joinedLines.at(-1)
    if (last && isCut(last.text, line.text)) last.text = joinedText(last.text, line.text)
    else joinedLines.push({ ...line })
  }
  return joinedLines
}

// Patterns for the end of a line that may be broken, and for the start of the line that may continue it.
const NAME_AT_END = /[A-Za-z_][\w./]*$/
const NAME_AT_START = /^\s*[\w.]+/
const SHAPE_AT_END = /[[(][0-9, ]*$/
const SHAPE_AT_START = /^[0-9, ]*[\])]/
const SIZE_AT_START = /^\W*(?:torch\.Size|[[(]?[0-9])/
/** A whole shape at the end of a line, and a number alone on a line. */
const WHOLE_SHAPE_AT_END = /[[(]([0-9, ]+)[\])]{1,2}$/
const NUMBER_ALONE = /^\s*([0-9][0-9,._]*)\s*$/
/** The rest of a name, alone on a line, such as "ght" after "query.wei". */
const REST_OF_NAME = /^\s*[a-z_]{1,8}\s*$/

/** Whether the second of two lines continues the first, which lacks the end of a name or of a shape, the size after a
 * name, or the count after a shape.
 * @param {string} line @param {string} nextLine */
function isCut(line, nextLine) {
  if (!/[./]/.test(line) || line.length > MAX_CUT_LINE_LENGTH) return false
  const path = pathsIn(line).at(-1)
  if (path && SHAPE_AT_END.test(line) && SHAPE_AT_START.test(nextLine)) return true
  if (path && isCountOfShape(line, nextLine)) return true
  if (!path || !asPrintedName(path[0])) return continuesName(line, nextLine)
  // If the name is complete and no number follows it, its size may be on the next line.
  const rest = line.slice(path.index + path[0].length)
  return !/[0-9_]/.test(rest) && SIZE_AT_START.test(nextLine) && !pathsIn(nextLine).length
}

/** Whether the second of two lines has only the number of elements of the shape that ends the first, perhaps mistyped.
 * @param {string} line @param {string} nextLine */
function isCountOfShape(line, nextLine) {
  const [, sizes] = WHOLE_SHAPE_AT_END.exec(line) ?? []
  const [, digits] = NUMBER_ALONE.exec(nextLine) ?? []
  if (!sizes || !digits) return false
  const [elements, number] = [elementsOf(numbersOf(sizes)) ?? 0, numberOfDigits(digits)]
  return number === elements || isSlip(number, elements)
}

/** Whether the end of one line and the start of the next form one name.
 * @param {string} line @param {string} nextLine */
function continuesName(line, nextLine) {
  const [end] = NAME_AT_END.exec(line) ?? []
  const [start] = NAME_AT_START.exec(nextLine) ?? []
  if (!end || !start) return false
  if (REST_OF_NAME.test(nextLine) && !TENSOR.test(end) && TENSOR.test(end + nextLine.trim())) return true
  return /[./]/.test(end) && asPrintedName(end + start.trim()) !== null
}

/** Two lines joined by a space, or directly within a name or a shape. @param {string} line @param {string} nextLine */
const joinedText = (line, nextLine) =>
  SHAPE_AT_END.test(line) || continuesName(line, nextLine) ? line + nextLine.trim() : `${line} ${nextLine.trim()}`
