// Works a number out to its last digit, as one would write it down.

import { addedBy, Counter, isOneLayer, product as productOf, sized, sumBy, whole } from "../counting/engine.js"
import { groupByValue } from "../explaining/ways.js"

/** A product with its sizes: 768 × 768. @param {Dimension[]} shape @param {Sizes} sizes */
const product = (shape, sizes) => shape.map((size) => whole(sized(size, sizes))).join(" × ")

/** The sum of the shapes of some rows; equal ones are one product with their number before it.
 * @param {Row[]} rows @param {Sizes} sizes */
function sumOf(rows, sizes) {
  const products = groupByValue(rows, (row) => product(row.dimensions, sizes))
  const pieces = products.map(
    ({ length, 0: { dimensions } }) => (length > 1 ? `${length} × ` : "") + product(dimensions, sizes),
  )
  return pieces.join(" + ")
}

/** The sum for a part, from the shapes of its tensors; "" if it has no parameters.
 * @param {Part} part @param {Sizes} sizes
 * @param {number} layers  the number of layers, unless it is one or all of them */
export function ofPart(part, sizes, layers) {
  const { rows } = new Counter(part.class, sizes)
  const own = [...rows.selected(part.path, part.tag ?? "")].filter((row) => !row.tied_to)
  const isInLayers = (/** @type {Row} */ row) => row.repeated && !isOneLayer(part.path)
  const [once, inside] = [own.filter((row) => !isInLayers(row)), own.filter(isInLayers)].map((some) =>
    sumOf(some, sizes),
  )
  const repeated = inside && `${whole(sizes.L)} × ${inside.includes("+") ? `(${inside})` : inside}`
  const sum = [once, repeated].filter(Boolean).join(" + ")
  const bracketed = sum.includes("+") && (part.share || layers) ? `(${sum})` : sum
  return `${layers ? `${layers} × ` : ""}${bracketed}${part.share ? ` / ${sizes.A}` : ""}`
}

const LAYERS = "bert/encoder/layer_*"

/** The sum for a total, from its blocks: the embeddings, the layers, and what is on top. A block that is
 * left out or counted twice shows that.
 * @param {string} modelClass @param {Sizes} sizes @param {string[]} mistakes */
export function ofTotal(modelClass, sizes, mistakes) {
  const counter = new Counter(modelClass, sizes)
  const several = counter.deviationsNamed(mistakes) ?? []
  const formula = several.find(({ instead }) => instead)
  const changedSizes = counter.sizesWith(several)
  if (formula) return formula.shapes.map(({ shape }) => product(shape, changedSizes)).join(" + ")
  const depth = productOf(counter.rows.layers, changedSizes)
  const blocks = counter.rows.list.map(({ block, repeated }) => (repeated && !several.length ? LAYERS : block))
  const pieces = [...new Set(blocks)].flatMap((block) => {
    const isLayers = block === LAYERS
    // A LayerNorm after the last layer belongs to the block of those in the layers, which are counted with these.
    const paths = counter.rows.list.flatMap((row) => (row.block === block && !row.repeated ? row.path : []))
    const part = isLayers ? LAYERS : several.length ? "" : paths.join(", ")
    const number = counter.number(several, part, isLayers || part ? "" : block)
    if (!number) return []
    // Where the first layer lacks a tensor, the layers are not alike.
    return isLayers && depth > 1 && number % depth === 0 ? `${depth} × ${whole(number / depth)}` : whole(number)
  })
  const addition = sumBy(several, (one) => addedBy(one, changedSizes))
  const sum = pieces.join(" + ") || "0"
  return addition ? `${sum} ${addition > 0 ? "+" : "−"} ${whole(Math.abs(addition))}` : sum
}
