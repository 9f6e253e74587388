// Undoes the packing of quantised weights. bitsandbytes keeps two weights of four bits in each byte, so
// a matrix of 768 × 768 prints as [294912, 1], and others keep eight in an integer of 32 bits. The biases
// are not packed, so they give the widths that the matrices should have.

import { moduleOf } from "./fits.js"

/** The numbers of weights that one element may hold: weights of 4 bits in 8 or 32 bits, and of 8 bits in 32. */
const WEIGHTS_PER_ELEMENT = [2, 8, 4]
const MIN_MATRICES = 2 // a single matrix may have another size for any reason

/** The matrix of a dense layer and the number of inputs that it would have if each of its elements were a weight.
 * @typedef {[TextRow, number]} MatrixWithInputs */

/** The rows, with packed matrices as if their weights were not packed: each row then counts the weights and keeps the
 * number of elements in `stated`. Rows are returned unchanged unless at least two matrices, and at least half of all,
 * are packed.
 * @param {TextRow[]} rows */
export function withUnpackedWeights(rows) {
  const biases = new Map(rows.flatMap(({ name, low }) => (/\.bias$/.test(name) && low ? [[moduleOf(name), low]] : [])))
  const widths = new Set(biases.values())
  const matrices = rows.flatMap((row) => {
    const outputs = biases.get(moduleOf(row.name))
    // A LayerNorm's scale has as many elements as its bias.
    return outputs && /\.q?weight$/.test(row.name) && row.low && row.low === row.high && row.low > outputs
      ? [/** @type {MatrixWithInputs} */ ([row, row.low / outputs])]
      : []
  })
  const packedWith = (/** @type {number} */ weights) =>
    matrices.filter(([, inputs]) => !widths.has(inputs) && widths.has(inputs * weights)).map(([row]) => row)
  for (const weights of WEIGHTS_PER_ELEMENT) {
    const packedRows = new Set(packedWith(weights))
    if (packedRows.size < Math.max(MIN_MATRICES, matrices.length / 2)) continue
    return rows.map((row) => {
      if (!packedRows.has(row) || row.low === null) return row
      const size = row.low * weights
      return {
        ...row,
        name: row.name.replace(/qweight$/, "weight"),
        shape: null,
        low: size,
        high: size,
        stated: row.low,
        packing: weights,
      }
    })
  }
  return rows
}
