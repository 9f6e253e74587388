// Takes apart the tensors of layers that are stacked in one array, as JAX stores them for nn.scan() or lax.scan(). The
// first dimension of each is the number of layers:
//
//     encoder.layers.attention.self.query.kernel (12, 768, 768)

import { elementsOf } from "./text-row.js"

/** The path of the layers, without a number after it, and the rest of the name. */
const IN_LAYERS = /^((?:.*\.)?(?:layers?|blocks?|h|FlaxScanLayers))\.(?!\d)(.+)$/

const MIN_ROWS = 4 // fewer rows may have the same first dimension by chance
const [MIN_LAYERS, MAX_LAYERS] = [2, 64]
const MAX_TENSORS = 4000 // more, in all layers, take long to read, and no encoder has as many

/** The rows, each row for stacked layers replaced by one for each layer, if all rows in the layers have the same small
 * first dimension and one of them is a stack of matrices; otherwise unchanged.
 * @param {TextRow[]} rows */
export function withLayersApart(rows) {
  const stackedRows = rows.filter(({ name, shape }) => shape && IN_LAYERS.test(name))
  const shapes = stackedRows.flatMap(({ shape }) => (shape ? [shape] : []))
  const [depth = 0] = shapes[0] ?? []
  const areStacked =
    shapes.length >= MIN_ROWS &&
    depth >= MIN_LAYERS &&
    depth <= MAX_LAYERS &&
    shapes.length * depth <= MAX_TENSORS &&
    shapes.every((shape) => shape[0] === depth && shape.length > 1) &&
    shapes.some((shape) => shape.length > 2)
  if (!areStacked) return rows
  const stacks = new Set(stackedRows)
  return rows.flatMap((row) => (stacks.has(row) ? layersOf(row, depth) : [row]))
}

/** The rows of the layers that are stacked in one row. @param {TextRow} row @param {number} depth */
function layersOf(row, depth) {
  const [, path, rest] = /** @type {RegExpExecArray} */ (IN_LAYERS.exec(row.name))
  const shape = row.shape?.slice(1) ?? null
  const elements = elementsOf(shape)
  return Array.from({ length: depth }, (_, layer) => ({
    ...row,
    name: `${path}.${layer}.${rest}`,
    shape,
    low: elements,
    high: elements,
    stated: null,
  }))
}
