// Finds the entries that a number without a formula adds up. A subtotal follows its summands, so
// these are the last entries that no other number has added: each once or as often as there are
// things that it applies to, or some or all of them once for each layer. These ways are listed,
// and the writer is taken to mean the one whose sum is the number. If no way has this sum, the
// writer may have made a slip.

import { contributionOf, sumOf } from "./entries.js"
import { mayInclude, saysTotal } from "./labels.js"

/** @typedef {import("./entries.js").Entry} Entry */
/** @typedef {import("./entries.js").Addend} Addend */

// A logarithm of a ratio. A sum that differs from the number by a factor of more than about two is not a slip.
const MAX_DISTANCE = 0.7

/** The ways to add up the last open entries: each once; each as often as there are things that it applies to; those of
 * one layer once for each layer, and the others once; and, if words say that the number is a total or counts layers,
 * all of them once for each layer.
 * @param {Entry[]} openEntries @param {number} layers
 * @param {boolean} isPlain  whether no words say that the number is a total or counts layers */
export function waysToAdd(openEntries, layers, isPlain) {
  const suffixes = openEntries.map((_, index) => openEntries.slice(index))
  /** Entries with the number of times that each is added.
   * @param {Entry[]} entries @param {(entry: Entry) => number} times */
  const withTimes = (entries, times) => entries.map((entry) => ({ entry, times: times(entry) }))
  const simpleWays = suffixes.filter(({ length }) => length > 1).map((entries) => withTimes(entries, () => 1))
  // A total may count the entries of one layer once for each layer without saying so.
  const impliedWays = suffixes
    .filter((entries) => entries.some(({ isOneLayer }) => isOneLayer) && entries.length > 1)
    .map((entries) => withTimes(entries, ({ isOneLayer }) => (isOneLayer ? layers : 1)))
  const waysWithThings = suffixes
    .filter((entries) => entries.some(({ things }) => things > 1))
    .map((entries) => withTimes(entries, ({ things }) => things))
  const repeatedWays = isPlain || layers < 2 ? [] : suffixes.map((entries) => withTimes(entries, () => layers))
  return [...simpleWays, ...waysWithThings, ...impliedWays, ...repeatedWays]
}

/** The last open entry, once for each layer, as a list of ways; empty unless the entry counts one layer and the product
 * is exactly the number. The words need not mention layers: "two of them: 396,544".
 * @param {Entry[]} openEntries @param {number} times  the number of layers @param {number} value */
export function waysToRepeatLayer(openEntries, times, value) {
  /** Whether an entry counts one layer, and its product with the number of layers is the given number. */
  const isLayerOf = (/** @type {Entry} */ entry) =>
    entry.isOneLayer && times > 1 && contributionOf(entry) * times === value
  return openEntries
    .slice(-1)
    .filter(isLayerOf)
    .map((entry) => [{ entry, times }])
}

/** The way whose sum is nearest to a number; null if none is near. If `layers` exceeds 1, the way must add every entry
 * once for each layer.
 * @param {Addend[][]} ways @param {number} value
 * @param {number} layers  the number of layers that the words give; 0 if they give none */
export function nearestWay(ways, value, layers) {
  const [closest] = ways
    .filter((way) => layers < 2 || way.every(({ times }) => times === layers))
    .map((way) => ({ way, distance: Math.abs(Math.log(sumOf(way) / value)) }))
    .sort((one, other) => one.distance - other.distance)
  return closest && closest.distance < MAX_DISTANCE ? closest.way : null
}

/** Whether words may mean the sum of these entries. A number that is labelled as a part cannot add up entries of other
 * parts, even if their sum agrees. In BERT base, for example, the matrices of attention have as many elements as the
 * first matrix of the feed-forward network.
 * @param {string} label @param {{ entry: Entry }[]} way */
export function mayMeanSum(label, way) {
  return saysTotal(label) || way.every(({ entry }) => mayInclude(label, entry.label))
}
