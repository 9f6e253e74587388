// Working: a number worked out to its last digit, as somebody would write it down.

import { added as addedBy, Counter, isOneLayer, product as productOf, sized, sumBy, whole } from "../counting/engine.js"
import { grouped } from "../explaining/ways.js"

/** A product with its sizes: 768 × 768. @param {Dimension[]} shape @param {Sizes} sizes */
const product = (shape, sizes) => shape.map((each) => whole(sized(each, sizes))).join(" × ")

/** Products of some sizes, those that are alike as one, with how many there are. @param {Row[]} rows @param {Sizes} sizes */
function summed(rows, sizes) {
  const products = grouped(rows, (row) => product(row.dimensions, sizes))
  const pieces = products.map(
    ({ length, 0: { dimensions } }) => (length > 1 ? `${length} × ` : "") + product(dimensions, sizes),
  )
  return pieces.join(" + ")
}

/** A part from the shapes of its tensors; "" where it counts nothing.
 * @param {Part} part @param {Sizes} sizes @param {number} layers  how often it is taken, where that is not once or in all layers */
export function ofPart(part, sizes, layers) {
  const { rows } = new Counter(part.class, sizes)
  const chosen = [...rows.selected(part.path, part.tag ?? "")].filter((row) => !row.tied_to)
  const isInLayers = (/** @type {Row} */ row) => row.repeated && !isOneLayer(part.path)
  const [once, inside] = [chosen.filter((row) => !isInLayers(row)), chosen.filter(isInLayers)].map((each) =>
    summed(each, sizes),
  )
  const repeated = inside && `${whole(sizes.L)} × ${inside.includes("+") ? `(${inside})` : inside}`
  const sum = [once, repeated].filter(Boolean).join(" + ")
  const bracketed = sum.includes("+") && (part.share || layers) ? `(${sum})` : sum
  return `${layers ? `${layers} × ` : ""}${bracketed}${part.share ? ` / ${sizes.A}` : ""}`
}

const LAYERS = "bert/encoder"

/** A total from its blocks: the embeddings, the layers, what stands on top. What is left out or multiplied shows in its own block.
 * @param {string} modelClass @param {Sizes} sizes @param {string[]} mistakes */
export function ofTotal(modelClass, sizes, mistakes) {
  const counter = new Counter(modelClass, sizes)
  const made = counter.made(mistakes) ?? []
  const instead = made.find((each) => each.instead)
  const taken = counter.sizesWith(made)
  if (instead) return instead.shapes.map(({ shape }) => product(shape, taken)).join(" + ")
  const depth = productOf(counter.rows.layers, taken)
  const blocks = counter.rows.listed.map(({ block, repeated }) => (repeated && !made.length ? LAYERS : block))
  const pieces = [...new Set(blocks)].flatMap((block) => {
    const isLayers = block === LAYERS
    const number = counter.number(made, isLayers ? LAYERS : "", isLayers ? "" : block)
    if (!number) return []
    return isLayers && depth > 1 ? `${depth} × ${whole(number / depth)}` : whole(number)
  })
  const added = sumBy(made, (each) => addedBy(each, taken))
  const sum = pieces.join(" + ") || "0"
  return added ? `${sum} ${added > 0 ? "+" : "−"} ${whole(Math.abs(added))}` : sum
}
