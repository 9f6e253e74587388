// Finds pruned heads in a print-out. transformers prunes a head by cutting its rows out of the
// query, key and value projections and its columns out of the output projection. If all of these
// tensors of a layer lack the same number of heads, their sizes are not mistakes.

import table from "../../../data/table.js"
import { architectures, dimensions, product, rows, sumBy } from "../../counting/engine.js"
import { groupBy } from "../../counting/polynomials.js"

/** The pruned heads of a text: their number, the number of layers that lack heads, the number of heads that each of
 * these layers lacks (0 if the numbers differ), and the number of their parameters.
 * @typedef {{ heads: number, layers: number, perLayer: number, elements: number }} PrunedHeads */

/** The shape that the row of a tensor loses with each pruned head; null if it loses nothing. @param {Row} row */
const shapeLost = (row) => table.changes.pruned[rows.indexOf(row)] ?? null

/** The number of heads that an aligned row lacks: 0 if it has all of them, and NaN if its size has another cause.
 * @param {AlignedRow} aligned @param {Sizes} sizes  including D, the width of a head */
function missingHeadsIn({ tensors: [tensor], stated }, sizes) {
  const perHead = product(dimensions(shapeLost(tensor.row) ?? ""), sizes)
  const heads = (tensor.elements - (stated ?? tensor.elements)) / perHead
  return Number.isInteger(heads) && heads >= 0 && heads < sizes.A ? heads : Number.NaN
}

/** The pruned heads of a text; null if there are none. Marks the rows that lack them as right.
 * @param {Alignment} alignment @returns {PrunedHeads | null} */
export function acceptPruning({ ruler, rows: alignedRows }) {
  if (!ruler.sizes.A || !alignedRows.some(({ verdict }) => verdict === "wrong")) return null
  const width = ruler.sizes[architectures.get(ruler.architecture).heads_share]
  const sizes = { ...ruler.sizes, D: width / ruler.sizes.A }
  const prunableRows = new Set(ruler.tensors.flatMap(({ row }) => (row.repeated && shapeLost(row) ? [row] : [])))
  const shownRows = alignedRows.filter(
    ({ verdict, tensors }) =>
      (verdict === "right" || verdict === "wrong") && tensors.length === 1 && prunableRows.has(tensors[0].row),
  )
  const byLayer = groupBy(shownRows, ({ tensors: [tensor] }) => tensor.numbers.join("."))
  const prunedLayers = [...byLayer.values()].flatMap((rowsOfLayer) => {
    const [heads, ...otherNumbers] = new Set(rowsOfLayer.map((row) => missingHeadsIn(row, sizes)))
    const isPruned = rowsOfLayer.length === prunableRows.size && heads > 0 && !otherNumbers.length
    return isPruned ? [{ rowsOfLayer, heads }] : []
  })
  if (!prunedLayers.length) return null
  const prunedRows = prunedLayers.flatMap(({ rowsOfLayer }) => rowsOfLayer)
  const elements = sumBy(prunedRows, ({ right, stated }) => (right ?? 0) - (stated ?? 0))
  for (const row of prunedRows) Object.assign(row, { verdict: "right", right: row.stated })
  const [{ heads: perLayer }] = prunedLayers
  return {
    heads: sumBy(prunedLayers, ({ heads }) => heads),
    layers: prunedLayers.length,
    perLayer: prunedLayers.every(({ heads }) => heads === perLayer) ? perLayer : 0,
    elements,
  }
}
