// Counts operations: what a class computes for a batch of texts, as items that the
// engine counts like parameters. The build exports the operations of each row, and
// macros/rendering/files/operations_of_rows.py explains the fields.

import exported from "../../data/operations.js"
import { Counter, classes, dimensions, getOrMake, rows, sumOf } from "./engine.js"
import { grouped } from "./polynomials.js"

const KINDS = Object.keys(exported.costs)

/** The two kinds of matrix products, whose elements are multiply-adds. */
export const PRODUCTS = KINDS.slice(0, 2)

/** The sizes of a model, together with those of a batch.
 * @param {Sizes} sizes @param {number} tokens @param {number} [texts] */
export const batchOf = (sizes, tokens, texts = 1) => ({ ...sizes, T: tokens, B: texts, U: tokens })

/** The operations of some rows, as one item per row and kind.
 * @param {string} architecture @param {Row[]} list @returns {OperationItem[]} */
export const operationsOf = (architecture, list) =>
  list.flatMap((row) =>
    (exported.rows[architecture][rows.indexOf(row)] ?? []).map(([kind, shape, layers]) => ({
      row,
      path: row.path,
      block: row.block,
      kind: KINDS[kind],
      factors: [],
      above: [],
      below: [],
      shape: dimensions(shape),
      layers: layers ? layers.split(",") : [],
    })),
  )

/** The items of each list of rows for which operations were counted, by kind. @type {Map<Row[], Map<string, OperationItem[]>>} */
const cache = new Map()

/** Why the operations of an architecture are not counted; "" if they are. @param {string} architecture @returns {string} */
export const refusal = (architecture) => exported.refused[architecture] ?? ""

/** The length in tokens of the longest text for which a model has positions.
 * @param {string} architecture @param {Sizes} sizes */
export const longest = (architecture, { P }) => P - exported.first[architecture]

/** The numbers of elements that a class computes, by kind.
 * @param {string} name @param {Sizes} sizes  with those of a batch
 * @param {Partial<Choices>} [choices] @returns {Record<string, number>} */
export function elementsOf(name, sizes, choices) {
  const { list } = new Counter(name, sizes, choices).rows
  const items = getOrMake(cache, list, () =>
    grouped(operationsOf(classes.get(name).architecture, list), ({ kind }) => kind),
  )
  return Object.fromEntries([...items].map(([kind, ofKind]) => [kind, sumOf(ofKind, sizes) ?? NaN]))
}
