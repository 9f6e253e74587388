// Counts the operations that a class needs to process a batch of texts. Operations are
// represented as items, which the engine counts like parameters: the shape of a matrix product
// includes the sizes of the batch, T tokens and B texts. The build exports the operations of
// each row; macros/rendering/files/operations_of_rows.py explains the fields.

import exported from "../../data/operations.js"
import { Counter, classes, dimensions, getOrMake, isOneLayer, rows, sumOf } from "./engine.js"
import { groupBy } from "./polynomials.js"
import { roundedUp } from "./rounding.js"

/** The kinds of operations, matrix products first; the exported rows refer to them by index. */
const KINDS = Object.keys(exported.costs)

/** The two kinds of matrix products, whose elements are multiply-adds. */
export const PRODUCTS = KINDS.slice(0, 2)

/** The sizes of a model together with those of a batch. U is the number of tokens that cross-attention reads, which
 * here equals the length of the text.
 * @param {Sizes} sizes @param {number} tokens @param {number} [texts] */
export const withBatch = (sizes, tokens, texts = 1) => ({ ...sizes, T: tokens, B: texts, U: tokens })

/** The operations of several rows, as one item per row and kind.
 * @param {string} architecture @param {Row[]} list @returns {OperationItem[]} */
const operationsOf = (architecture, list) =>
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

/** The items, by kind, of each list of rows whose operations have been counted.
 * @type {Map<Row[], Map<string, OperationItem[]>>} */
const cache = new Map()

/** The reason why the operations of a class are not counted; "" if they are. @param {string} name @returns {string} */
export const refusal = (name) => exported.refused[name] ?? ""

/** The default settings of sparse attention by config key; empty if every token attends to every other.
 * @param {string} architecture @returns {Record<string, string | number>} */
export const attentionOf = (architecture) => exported.attention[architecture] ?? {}

/** By architecture, the sizes that describe sparse attention to one text, with the letters of
 * macros/counting/operations.py. The `attention_extent` functions in macros/counting/architectures explain them.
 * @type {Record<string, (name: string, tokens: number, choices?: Partial<Choices>) => Sizes>} */
const ATTENTION_EXTENTS = {
  longformer(name, tokens) {
    const window = Number(attentionOf("longformer").attention_window)
    const p = roundedUp(tokens, window)
    const g = name === "LongformerForSequenceClassification" ? 1 : 0
    const pairsOfBoth = 2 * g * p
    return {
      p,
      s: (2 * p - window) * window + pairsOfBoth,
      e: p * (window + 1) + pairsOfBoth,
      x: (p * 3 * window) / 2 + pairsOfBoth,
      g,
      y: g ? p : 0,
    }
  },
  big_bird(_, tokens, choices) {
    const { block_size, num_random_blocks } = attentionOf("big_bird")
    const [size, random] = [Number(block_size), Number(num_random_blocks)]
    const isFull = choices?.cross_attention || tokens <= (5 + 2 * random) * size
    const p = isFull ? tokens : roundedUp(tokens, size)
    const blocks = p / size
    const blockPairs = 2 * blocks + 2 * (4 + random) + (blocks - 4) * (5 + random)
    const pairs = isFull ? tokens ** 2 : blockPairs * size ** 2
    return { p, s: pairs, e: pairs, x: pairs, g: 0, y: 0 }
  },
}

/** The length in tokens of the longest text for which a model has positions.
 * @param {string} architecture @param {Sizes} sizes */
export const maxTokensOf = (architecture, { P }) => P - exported.first[architecture]

/** The number of multiply-adds in the matrix products of a part of a class, in one layer if the part is in one.
 * @param {string} name @param {Sizes} sizes  including those of a batch @param {Pick<Part, "path" | "tag">} part */
export function multiplyAddsOfPart(name, sizes, { path, tag = "" }) {
  const { architecture } = classes.get(name)
  const items = operationsOf(architecture, [...new Counter(name, sizes).rows.rowsUnder(path, tag)])
    .filter(({ kind }) => PRODUCTS.includes(kind))
    .map((item) => (isOneLayer(path) ? { ...item, layers: [] } : item))
  return sumOf(items, { ...sizes, ...ATTENTION_EXTENTS[architecture]?.(name, sizes.T) }) ?? 0
}

/** The number of elements that a class computes, by kind.
 * @param {string} name @param {Sizes} sizes  including those of a batch
 * @param {Partial<Choices>} [choices] @returns {Record<string, number>} */
export function elementsOf(name, sizes, choices) {
  const { list } = new Counter(name, sizes, choices).rows
  const { architecture } = classes.get(name)
  const items = getOrMake(cache, list, () => groupBy(operationsOf(architecture, list), ({ kind }) => kind))
  const allSizes = { ...sizes, ...ATTENTION_EXTENTS[architecture]?.(name, sizes.T, choices) }
  return Object.fromEntries([...items].map(([kind, itemsOfKind]) => [kind, sumOf(itemsOfKind, allSizes) ?? NaN]))
}
