// Explains the dense layers that people put on top of a model. Summaries list each of them with
// the shape of its output and a count, but without the number of its inputs. A dense layer has
// (inputs + 1) × outputs parameters, or inputs × outputs without a bias, so the inputs follow from
// the count. They must be the outputs of another row or of the model.

import { words } from "../words.js"

/** The shape of an output, whose last size is the number of features. */
const OUTPUT_SHAPE = /[([](?:None|-?[0-9]+),\s*(?:(?:None|-?[0-9]+),\s*)*([0-9]+)[)\]]/
/** The classes of dense layers in PyTorch and Keras. */
export const DENSE = /^(?:Dense|Linear)$/

/** The number of output features of a row; NaN if it shows none. @param {TextRow} row */
const outputsOf = ({ line }) => Number(OUTPUT_SHAPE.exec(line.text)?.[1] ?? NaN)

/** The words for a dense layer of the reader's own; empty for any other row, and if neither the model nor another row
 * has as many outputs as the layer has inputs.
 * @param {TextRow} row @param {TextRow[]} rows  all rows of the text @param {number} width  the model's output width
 * @returns {Words} */
export function denseInWords(row, rows, width) {
  const outputs = outputsOf(row)
  const { type, low, high } = row
  if (!DENSE.test(type) || !outputs || !low || low !== high || low % outputs) return []
  const widths = new Set([width, ...rows.filter((other) => other !== row).map(outputsOf)])
  const withoutBias = low / outputs
  if (widths.has(withoutBias - 1))
    return words`a dense layer of your own: (${withoutBias - 1} + 1) × ${outputs} = ${low}`
  return widths.has(withoutBias)
    ? words`a dense layer of your own without a bias: ${withoutBias} × ${outputs} = ${low}`
    : []
}
