// Working: a number worked out to its last digit, as somebody would write it down.

import table from "../../data/table.js"
import { added as addedBy, Counter, product as productOf, whole } from "../counting/engine.js"

/** A product with its sizes: 768 × 768. @param {Dimension[]} shape @param {Sizes} sizes */
const product = (shape, sizes) => shape.map((each) => whole(typeof each === "number" ? each : sizes[each])).join(" × ")

/** Products that are alike as one, with how many there are. @param {string[]} products */
function summed(products) {
  /** @type {Map<string, number>} */
  const times = new Map()
  for (const each of products) times.set(each, (times.get(each) ?? 0) + 1)
  return [...times].map(([each, count]) => (count > 1 ? `${count} × ${each}` : each)).join(" + ")
}

/** A part from the shapes of its tensors; "" where it counts nothing.
 * @param {Part} part @param {Sizes} sizes @param {number} layers  how often it is taken, where that is not once or in all layers */
export function ofPart(part, sizes, layers) {
  const { rows } = new Counter(part.class, sizes)
  const chosen = [...rows.selected(part.path, part.tag ?? "")].filter((row) => !row.tied_to)
  const repeated = chosen.filter((row) => row.repeated)
  const isOneLayer = part.path.includes("layer_0")
  const once = chosen.filter((row) => !row.repeated || isOneLayer)
  const pieces = once.length ? [summed(once.map((row) => product(row.dimensions, sizes)))] : []
  if (repeated.length && !isOneLayer) {
    const inside = summed(repeated.map((row) => product(row.dimensions, sizes)))
    pieces.push(`${whole(sizes.L)} × ${inside.includes("+") ? `(${inside})` : inside}`)
  }
  const sum = pieces.join(" + ")
  const bracketed = sum.includes("+") && (part.share || layers) ? `(${sum})` : sum
  return `${layers ? `${layers} × ` : ""}${bracketed}${part.share ? ` / ${sizes.A}` : ""}`
}

const LAYER_BLOCKS = new Set(["self-attention", "feed-forward", "encoder-norms"])

/**
 * A total from its blocks: the embeddings, the layers, what stands on top.
 * @param {string} modelClass @param {Sizes} sizes @param {string[]} mistakes
 */
export function ofTotal(modelClass, sizes, mistakes) {
  const counter = new Counter(modelClass, sizes)
  const made = counter.made(mistakes) ?? []
  const instead = made.find((each) => each.instead)
  const taken = counter.sizesWith(made)
  if (instead) return instead.shapes.map(({ shape }) => product(shape, taken)).join(" + ")
  const present = new Set(counter.rows.listed.map((row) => row.block))
  const blocks = [...new Set([...Object.keys(table.blocks), ...present])].filter((each) => present.has(each))
  const sizeOf = (/** @type {string} */ block) => counter.number(made, "", block) ?? NaN
  const depth = productOf(counter.rows.layers, taken)
  const layers = blocks.filter((each) => LAYER_BLOCKS.has(each))
  const inLayers = layers.reduce((sum, block) => sum + sizeOf(block), 0)
  const pieces = blocks.flatMap((block) => {
    // What is left out or multiplied shows in its own block.
    if (!LAYER_BLOCKS.has(block) || made.length) return sizeOf(block) ? [whole(sizeOf(block))] : []
    return block === layers[0] && inLayers
      ? [depth > 1 ? `${depth} × ${whole(inLayers / depth)}` : whole(inLayers)]
      : []
  })
  const added = made.reduce((sum, each) => sum + addedBy(each, taken), 0)
  const sum = pieces.join(" + ") || "0"
  return added ? `${sum} ${added > 0 ? "+" : "−"} ${whole(Math.abs(added))}` : sum
}
