// Works out the depth of a model. A total or a number of tensors in the text decides first,
// then words such as "12 x", then the layers that the text shows. If a text shows only a few
// layers, or leaves out rows, the model may have more.

import { classes } from "../../counting/engine.js"
import { rulerOf } from "./ruler.js"

/** A class with its sizes and choices. @typedef {Pick<Recognised, "modelClass" | "sizes" | "choices">} Variant */

/** The depth of a model, whether rows of further layers may have been left out (`isOpen`), and whether the text ends
 * within a layer, so that it was probably cut off (`isCutOff`).
 * @typedef {{ depth: number, isOpen: boolean, isCutOff: boolean }} Depth */

const MAX_LAYERS = 1000 // more layers than any model has
const FEW_LAYERS = 3 // a text with at most this many layers may have been shortened by hand

/** The layer numbers in each name of a tensor that belongs to a layer. @param {NameMatch[]} matches */
const numbersInLayers = (matches) =>
  matches.flatMap(({ rows, numbers }) => ([...rows].some(({ repeated }) => repeated) ? [numbers] : []))

/** The number of layers that the names in a text show, from the largest layer number; at most `MAX_LAYERS`.
 * @param {NameMatch[]} matches */
export const visibleDepthOf = (matches) =>
  Math.min(Math.max(-1, ...numbersInLayers(matches).map((numbers) => numbers.at(-1) ?? 0)) + 1, MAX_LAYERS)

/** How many layers the names show, by letter. BERT has one letter. ALBERT has two, because its layers are in groups,
 * and shows at least one group and at least one layer in it.
 * @param {string[]} letters @param {NameMatch[]} matches @returns {Sizes} */
export function visibleDepthsOf(letters, matches) {
  if (letters.length === 1) return { [letters[0]]: visibleDepthOf(matches) }
  const numbers = numbersInLayers(matches)
  return Object.fromEntries(
    letters.map((letter, index) => [letter, Math.max(0, ...numbers.map((list) => list[index] ?? 0)) + 1]),
  )
}

/** The number of tensors in a layer that a text names. @param {NameMatch[]} matches @param {number} layer */
const countInLayer = (matches, layer) => matches.filter(({ numbers }) => numbers.at(-1) === layer).length

const LAYERS_UP_TO_9 = 10

/** Whether a text shows the end of the last layer, because a part after the layers follows the layer with the largest
 * number. If that number is 9, this proves nothing: in alphabetical order, layer 9 is the last of any model with ten or
 * more.
 * @param {NameMatch[]} matches @param {number} visibleDepth */
function showsLastLayer(matches, visibleDepth) {
  const lastInLayers = matches.filter(({ numbers }) => numbers.length).at(-1)
  const isLast = lastInLayers?.numbers.at(-1) === visibleDepth - 1
  return isLast && lastInLayers !== matches.at(-1) && visibleDepth !== LAYERS_UP_TO_9
}

/** Whether a text ends within its last layer: that layer has fewer tensors than the first, and nothing follows it.
 * @param {NameMatch[]} matches @param {number} visibleDepth */
const endsWithinLayer = (matches, visibleDepth) =>
  visibleDepth > 1 &&
  matches.at(-1)?.numbers.at(-1) === visibleDepth - 1 &&
  countInLayer(matches, visibleDepth - 1) < countInLayer(matches, 0)

/** The depth of a model whose layers are not in groups.
 * @param {PrintOut} printOut @param {NameMatch[]} matches @param {Variant} variant @returns {Depth} */
export function depthOf({ totals, depths, isOpen }, matches, variant) {
  const visibleDepth = visibleDepthOf(matches)
  const statedDepths = depths.filter((depth) => depth >= visibleDepth && depth < MAX_LAYERS)
  const depth = depthByTotal(totals, visibleDepth, variant) || Math.max(0, ...statedDepths)
  if (depth) return { depth, isOpen: false, isCutOff: false }
  // If a text shows only a few layers, or not the first, and does not mention others, the model may have any depth.
  return {
    depth: visibleDepth,
    isOpen:
      (isOpen && !showsLastLayer(matches, visibleDepth)) || visibleDepth <= FEW_LAYERS || !countInLayer(matches, 0),
    isCutOff: endsWithinLayer(matches, visibleDepth),
  }
}

/** The depth at which a class has a stated total or number of tensors; 0 if there is none, and for a model whose layers
 * are in groups.
 * @param {StatedTotal[]} totals @param {number} visibleDepth @param {Variant} variant */
export function depthByTotal(totals, visibleDepth, { modelClass, sizes, choices }) {
  if (classes.get(modelClass).layers.join() !== "L") return 0
  // Totals are linear in the depth, so two depths suffice. A depth of 1 is not used, because the first layer of some
  // models lacks a tensor.
  const [ofTwoLayers, ofThreeLayers] = [2, 3].map((L) => rulerOf(modelClass, { ...sizes, L }, choices))
  /** The number of tensors that are not tied. */
  const untiedCountIn = (/** @type {Ruler} */ { tensors }) => tensors.filter(({ tied }) => !tied).length
  for (const { kind, low, high } of totals) {
    if (low !== high || (kind !== "tensors" && kind !== "total")) continue
    const [ofTwo, perLayer] =
      kind === "total"
        ? [ofTwoLayers.total, ofThreeLayers.total - ofTwoLayers.total]
        : [untiedCountIn(ofTwoLayers), untiedCountIn(ofThreeLayers) - untiedCountIn(ofTwoLayers)]
    const depth = 2 + (low - ofTwo) / perLayer
    if (Number.isInteger(depth) && depth >= Math.max(visibleDepth, 1) && depth < MAX_LAYERS) return depth
  }
  return 0
}
