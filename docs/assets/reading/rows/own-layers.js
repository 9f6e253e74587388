// Explains dense layers of the reader's own, which Keras shows below a model with the shape
// of their output and a count. A layer has (inputs + 1) × outputs parameters, or inputs ×
// outputs without a bias; its inputs are the outputs of another row, or the model's.

import { words } from "../words.js"

/** The shape of an output, with its last size, which is the number of features. */
const OUTPUT = /[([](?:None|-?[0-9]+),\s*(?:(?:None|-?[0-9]+),\s*)*([0-9]+)[)\]]/
const DENSE = /^(?:Dense|Linear)$/

/** The number of features that a row puts out; NaN if it shows none. @param {TextRow} text */
const outputsOf = ({ line }) => Number(OUTPUT.exec(line.text)?.[1] ?? Number.NaN)

/** The words for a dense layer of the reader's own; empty for any other row, and if no row has as many outputs as the
 * layer would have inputs.
 * @param {TextRow} text @param {TextRow[]} rows  of the whole text @param {number} width  of the model's output
 * @returns {Words} */
export function denseInWords(text, rows, width) {
  const outputs = outputsOf(text)
  const { type, low, high } = text
  if (!DENSE.test(type) || !outputs || !low || low !== high || low % outputs) return []
  const widths = new Set([width, ...rows.filter((row) => row !== text).map(outputsOf)])
  const withoutBias = low / outputs
  if (widths.has(withoutBias - 1))
    return words`a dense layer of your own: (${withoutBias - 1} + 1) × ${outputs} = ${low}`
  return widths.has(withoutBias)
    ? words`a dense layer of your own without a bias: ${withoutBias} × ${outputs} = ${low}`
    : []
}
