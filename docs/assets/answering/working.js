// Works numbers out to the last digit, as people would write them down. The number for a
// part is the sum of the products of its tensors' shapes, such as 768 × 768 + 768. A total is
// the sum of the numbers of its blocks, such as 23,837,184 + 12 × 7,087,872 + 590,592.

import { addedBy, Counter, isOneLayer, product, sizeOfDimension, sumBy, whole } from "../counting/engine.js"
import { groupByValue } from "../explaining/ways.js"

/** The product of a shape, written out with its sizes: 768 × 768. @param {Dimension[]} shape @param {Sizes} sizes */
const productText = (shape, sizes) => shape.map((size) => whole(sizeOfDimension(size, sizes))).join(" × ")

/** The sum of the products of the rows' shapes, in which equal products are combined: 3 × 768 × 768.
 * @param {Row[]} rows @param {Sizes} sizes */
function sumOf(rows, sizes) {
  const groups = groupByValue(rows, (row) => productText(row.dimensions, sizes))
  const terms = groups.map((group) => {
    const term = productText(group[0].dimensions, sizes)
    return group.length > 1 ? `${group.length} × ${term}` : term
  })
  return terms.join(" + ")
}

/** The sum for a part, from the shapes of its tensors.
 * @param {Part} part @param {Sizes} sizes
 * @param {number} layers  the number of layers to multiply by; 0 if the path covers one layer or all */
export function sumOfPart(part, sizes, layers) {
  const { rows } = new Counter(part.class, sizes)
  const untiedRows = [...rows.rowsUnder(part.path, part.tag ?? "")].filter((row) => !row.tied_to)
  /** Whether a row counts once for each layer. */
  const isInLayers = (/** @type {Row} */ row) => row.repeated && !isOneLayer(part.path)
  const sumOnce = sumOf(
    untiedRows.filter((row) => !isInLayers(row)),
    sizes,
  )
  const sumInLayer = sumOf(untiedRows.filter(isInLayers), sizes)
  const sumInLayers = sumInLayer && `${whole(sizes.L)} × ${inBrackets(sumInLayer)}`
  const sum = [sumOnce, sumInLayers].filter(Boolean).join(" + ")
  const headDivision = part.share ? ` / ${sizes.A}` : "" // the part belongs to a single head
  return `${layers ? `${layers} × ` : ""}${layers || headDivision ? inBrackets(sum) : sum}${headDivision}`
}

/** A sum in brackets, unless it is a single term. @param {string} sum */
const inBrackets = (sum) => (sum.includes("+") ? `(${sum})` : sum)

const LAYERS_PATH = "bert/encoder/layer_*"

/** The sum for a total, with a term for all layers and one for each block outside them. With mistakes, each block
 * has a term of its own, so that the sum shows which blocks are left out or miscounted.
 * @param {string} modelClass @param {Sizes} sizes @param {string[]} mistakes */
export function sumOfTotal(modelClass, sizes, mistakes) {
  const counter = new Counter(modelClass, sizes)
  const deviations = counter.deviationsNamed(mistakes) ?? []
  // A mistake that replaces the whole sum, such as a formula from an article, has no blocks.
  const replacement = deviations.find(({ instead }) => instead)
  const changedSizes = counter.sizesWith(deviations)
  if (replacement) return replacement.shapes.map(({ shape }) => productText(shape, changedSizes)).join(" + ")
  const depth = product(counter.rows.layers, changedSizes)
  // With mistakes, the blocks within a layer are separate terms, because a mistake may treat them differently.
  const blocks = counter.rows.list.map(({ block, repeated }) => (repeated && !deviations.length ? LAYERS_PATH : block))
  /** The number of parameters in a block. @param {string} block */
  const numberIn = (block) => {
    if (deviations.length) return counter.number(deviations, "", block)
    if (block === LAYERS_PATH) return counter.number([], LAYERS_PATH)
    // A LayerNorm after the last layer is in the same block as those in the layers, which are counted with the layers.
    const paths = counter.rows.list.flatMap((row) => (row.block === block && !row.repeated ? row.path : []))
    return counter.number([], paths.join(", "))
  }
  const terms = [...new Set(blocks)].flatMap((block) => {
    const number = numberIn(block)
    if (!number) return []
    // If the first layer lacks a tensor, the layers differ.
    const isMultiple = block === LAYERS_PATH && depth > 1 && number % depth === 0
    return isMultiple ? `${depth} × ${whole(number / depth)}` : whole(number)
  })
  const addition = sumBy(deviations, (deviation) => addedBy(deviation, changedSizes))
  const sum = terms.join(" + ") || "0"
  return addition ? `${sum} ${addition > 0 ? "+" : "−"} ${whole(Math.abs(addition))}` : sum
}
