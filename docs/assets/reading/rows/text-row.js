// Makes the rows of a print-out, before it is known which tensors they stand for. Every
// reader of a layout returns such rows, so that recognising and aligning them does not
// depend on the layout.

import { product } from "../../counting/engine.js"

const MAX_SOURCE_LENGTH = 200 // characters of a line that an account shows

/** A row of which nothing is known. @type {Omit<TextRow, "line">} */
const EMPTY = {
  name: "",
  type: "",
  shape: null,
  low: null,
  high: null,
  stated: null,
  depth: -1,
  trainable: null,
  buffer: false,
  container: false,
}

/** The elements of a shape; null if there is no shape. @param {number[] | null} shape */
export const elementsOf = (shape) => (shape ? product(shape, {}) : null)

/** The numbers in a text that writes no marks between thousands, such as a shape. @param {string} text */
export const numbersOf = (text) => (text.match(/[0-9]+/g) ?? []).map(Number)

/** A row of a line with some of its fields. A shape gives its elements, unless the fields give them.
 * @param {TextLine} line @param {Partial<TextRow>} fields @returns {TextRow} */
export function textRow(line, fields) {
  const elements = elementsOf(fields.shape ?? null)
  return { ...EMPTY, low: elements, high: elements, ...fields, line }
}

/** A line as an account shows it: the whole line, or the name of its row if the line is long.
 * @param {Pick<TextRow, "line" | "name">} row */
export const sourceOrName = ({ line, name }) => (line.source.length > MAX_SOURCE_LENGTH ? name : line.source)
