// Creates the rows of a print-out, before their tensors are known. The readers of all
// layouts return such rows, so that recognising and aligning do not depend on the layout.

import { product } from "../../counting/engine.js"

export const BYTES_PER_ELEMENT = [1, 2, 4, 8] // those of the data types for which tools print sizes in bytes

const MAX_SOURCE_LENGTH = 200 // the maximum number of characters of a line that an account shows

/** The default values of a row's fields, except its line. @type {Omit<TextRow, "line">} */
const EMPTY = {
  name: "",
  type: "",
  shape: null,
  low: null,
  high: null,
  stated: null,
  depth: -1,
  isTrainable: null,
  isBuffer: false,
  isContainer: false,
  packing: 1,
}

/** The number of elements of a shape; null if there is no shape. @param {number[] | null} shape */
export const elementsOf = (shape) => (shape ? product(shape, {}) : null)

/** The numbers in a string without thousands separators, such as a shape. @param {string} text */
export const numbersOf = (text) => (text.match(/[0-9]+/g) ?? []).map(Number)

/** Whether a count, which may be rounded, can be this number.
 * @param {{ low: number | null, high: number | null }} count @param {number} number */
export const mayBe = ({ low, high }, number) => low !== null && high !== null && low <= number && number <= high

/** A row with the given fields. If they include a shape, its number of elements is the count unless `low` and `high`
 * are given.
 * @param {TextLine} line @param {Partial<TextRow>} fields @returns {TextRow} */
export function textRow(line, fields) {
  const elements = elementsOf(fields.shape ?? null)
  return { ...EMPTY, low: elements, high: elements, ...fields, line }
}

/** Whether a row is a matrix that ONNX has numbered instead of naming it, because it stores the transpose.
 * @param {Pick<TextRow, "name">} row */
export const isNumberedMatrix = ({ name }) => name.startsWith("onnx::")

/** The source text that an account shows for a row: the whole line, or the name if the line is too long.
 * @param {Pick<TextRow, "line" | "name">} row */
export const sourceOrName = ({ line, name }) => (line.source.length > MAX_SOURCE_LENGTH ? name : line.source)
