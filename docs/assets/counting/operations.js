// Operations: what a class computes for a batch of texts, as items that the
// engine counts like parameters. Which row takes part in what is exported by the
// build: macros/rendering/files/operations_of_rows.py says what the fields mean.

import exported from "../../data/operations.js"
import { Counter, classes, dimensions, kept, rows, sumOf } from "./engine.js"
import { grouped } from "./polynomials.js"

const KINDS = Object.keys(exported.costs)
/** The kinds of matrix products, of which a multiply-add is an element. */
export const PRODUCTS = KINDS.slice(0, 2)

/** The sizes of a model with those of a batch. @param {Sizes} sizes @param {number} tokens @param {number} [texts] */
export const batchOf = (sizes, tokens, texts = 1) => ({ ...sizes, T: tokens, B: texts, U: tokens })

/** Everything that some rows compute, one item for each kind of each row. @param {string} architecture @param {Row[]} listed @returns {OperationItem[]} */
export const operationsOf = (architecture, listed) =>
  listed.flatMap((row) =>
    (exported.rows[architecture][rows.indexOf(row)] ?? []).map(([kind, shape, layers]) => ({
      ...{ row, path: row.path, block: row.block, kind: KINDS[kind], factors: [], above: [], below: [] },
      shape: dimensions(shape),
      layers: layers ? layers.split(",") : [],
    })),
  )

/** @type {Map<Row[], Map<string, OperationItem[]>>} */
const known = new Map()

/** Tokens of the longest text that a model has positions for. @param {string} architecture @param {Sizes} sizes */
export const longest = (architecture, { P }) => P - exported.first[architecture]

/** The numbers of elements of a class by kind. @param {string} name @param {Sizes} sizes  with those of a batch @param {Partial<Choices>} [choices] @returns {Record<string, number>} */
export function elementsOf(name, sizes, choices) {
  const { listed } = new Counter(name, sizes, choices).rows
  const items = kept(known, listed, () =>
    grouped(operationsOf(classes.get(name).architecture, listed), (each) => each.kind),
  )
  return Object.fromEntries([...items].map(([kind, each]) => [kind, sumOf(each, sizes) ?? NaN]))
}
