// Explains custom dense layers, which Keras lists below a model with the shape of their
// output and a count. Such a layer has (inputs + 1) × outputs parameters, or
// inputs × outputs without a bias. Its inputs are the outputs of another row or of the
// model.

import { words } from "../words.js"

/** The shape of an output; the group is its last size, the number of features. */
const OUTPUT = /[([](?:None|-?[0-9]+),\s*(?:(?:None|-?[0-9]+),\s*)*([0-9]+)[)\]]/
/** The classes of dense layers in PyTorch and Keras. */
export const DENSE = /^(?:Dense|Linear)$/

/** The number of output features of a row; NaN if it shows none. @param {TextRow} text */
const outputsOf = ({ line }) => Number(OUTPUT.exec(line.text)?.[1] ?? Number.NaN)

/** The words for a custom dense layer; empty for any other row, or if the number of inputs that follows
 * from its count is not the output width of the model or of another row.
 * @param {TextRow} text @param {TextRow[]} rows  all rows of the text @param {number} width  the model's output width
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
