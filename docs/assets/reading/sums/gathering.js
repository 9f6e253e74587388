// Gathers the entries that a number without a formula adds up. A subtotal follows its
// summands, so they are the last that nothing has added yet: each once, or those of one
// layer as often as there are layers. All such ways are listed, and the one that comes to the
// number is the one that was meant; if none does, the writer may have made a slip.

import { contributionOf } from "./entries.js"
import { partsMeant, saysTotal } from "./labels.js"

/** @typedef {import("./entries.js").Entry} Entry */

/** The ways to add up the last open entries: each once, all times the number of layers, or those of one layer
 * times that number.
 * @param {Entry[]} open @param {number} layers @param {boolean} isPlain  whether nothing says that it is a sum */
export function waysToAdd(open, layers, isPlain) {
  const suffixes = open.map((_, index) => open.slice(index))
  /** Entries with the number of times that each is added. @param {Entry[]} entries @param {(entry: Entry) => number} times */
  const withTimes = (entries, times) => entries.map((entry) => ({ entry, times: times(entry) }))
  const once = suffixes.filter(({ length }) => length > 1).map((some) => withTimes(some, () => 1))
  // Entries of one layer among others, which the total has once for each layer without saying so.
  const withOneLayer = suffixes.filter((some) => some.some(({ isOneLayer }) => isOneLayer) && some.length > 1)
  const implied = withOneLayer.map((some) => withTimes(some, ({ isOneLayer }) => (isOneLayer ? layers : 1)))
  const repeated = layers > 1 ? suffixes.map((some) => withTimes(some, () => layers)) : []
  return isPlain ? [...once, ...implied] : [...once, ...implied, ...repeated]
}

/** The last layer in all layers, if that comes to a number exactly: "two of them: 396,544" has no word for a layer.
 * @param {Entry[]} open @param {number} times  the number of layers @param {number} value */
export function allLayers(open, times, value) {
  /** Whether an entry counts one layer, and the factor makes it all layers. */
  const isLayerOf = (/** @type {Entry} */ entry) =>
    entry.isOneLayer && times > 1 && contributionOf(entry) * times === value
  return open
    .slice(-1)
    .filter(isLayerOf)
    .map((entry) => [{ entry, times }])
}

/** The way whose sum is nearest to a number, if it is near at all.
 * @param {{ entry: Entry, times: number }[][]} ways @param {number} value @param {number} layers */
export function nearest(ways, value, layers) {
  const [nearestWay] = ways
    .filter((way) => !layers || way.every(({ times }) => times === layers) || layers === 1)
    .map((way) => ({ way, distance: Math.abs(Math.log(sumOf(way) / value)) }))
    .sort((one, other) => one.distance - other.distance)
  return nearestWay && nearestWay.distance < NEAR ? nearestWay.way : null
}

/** Whether words may mean the sum of some entries: a part does not add up others. Attention is as large as the first
 * matrix of the feed-forward network, for one.
 * @param {string} label @param {{ entry: Entry }[]} way */
export function mayMeanSum(label, way) {
  const paths = partsMeant(label).map(({ path }) => path)
  if (!paths.length || saysTotal(label)) return true
  /** Whether a path begins with one of the paths. */
  const within = (/** @type {string} */ inner) => paths.some((path) => inner.startsWith(path))
  return way.every(({ entry }) => partsMeant(entry.label).every(({ path }) => !path || within(path)))
}

const NEAR = 0.7 // as a logarithm; a sum that is twice as large is not a slip

/** The sum of some entries, by the numbers that they state. @param {{ entry: Entry, times: number }[]} way */
export const sumOf = (way) => way.reduce((sum, { entry, times }) => sum + times * contributionOf(entry), 0)

/** The sum of some entries, by the numbers that their formulas give. @param {{ entry: Entry, times: number }[]} way */
export const exactSumOf = (way) => way.reduce((sum, { entry, times }) => sum + times * entry.exact, 0)
