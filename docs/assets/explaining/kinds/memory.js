// Explains memory: bytes instead of parameters, with or without a unit. They may be those of
// a model, of a part, with what an optimiser keeps, or of a file, which also holds
// names.

import table from "../../../data/table.js"
import { models, tensors as tensorsOf } from "../../counting/engine.js"
import { entriesWithin, roundTotals } from "../entries.js"
import { changedWithin } from "./changes.js"
import { rightParts } from "./parts.js"

const { costs, limits, stored: STORAGES } = table.explanations

/** Parameters that take from `least` to `most` bytes in some data type.
 * @param {number} least @param {number} most @param {number} [unit]  the unit in which the bytes were given
 * @returns {Iterable<Meaning>} */
function* meaningsOfBytes(least, most, unit = 1) {
  for (const { dtype, width: bytesPerParameter, cost, kept } of STORAGES) {
    const [low, high] = [Math.ceil(least / bytesPerParameter), Math.floor(most / bytesPerParameter)]
    const counts = [...roundTotals(low, high), ...entriesWithin(["other"], low, high), ...rightParts(low, high)]
    for (const one of counts) {
      // The numbers in buffers have another data type than the weights.
      if (one.mistakes.some((name) => name.startsWith("buffer"))) continue
      const number = Math.ceil(one.number * bytesPerParameter)
      yield { ...one, kind: "memory", number, cost: one.cost + cost, dtype, bytesPerParameter, kept, unit }
    }
  }
}

/** Files with the weights of a whole model, which take from `low` to `high` bytes. The rest of a file is its frame: names
 * and places of tensors. How large that is depends on the format, so of a rounded size it is only a guess.
 * @param {number} low @param {number} high @param {number} [unit]  the unit in which the bytes were given
 * @returns {Iterable<Meaning>} */
function* files(low, high, unit = 1) {
  for (const one of meaningsOfBytes(low - limits.max_frame, low - 1, unit)) {
    const isWhole = one.kept === "" && !one.parts.length && !one.mistakes.length && one.models.length > 0
    if (!isWhole || one.bytesPerParameter < 2) continue
    const tensors = tensorsOf(one.classes[0], models.get(one.models[0]).sizes)
    // Fewer bytes are no header: memory is given out in whole blocks, and may hold buffers as well.
    const smallestFrame = Math.max(tensors * limits.min_frame_of_tensor, low - one.number)
    const largestFrame = Math.min(tensors * limits.max_frame_of_tensor, high - one.number)
    const frame = Math.round((smallestFrame + largestFrame) / 2)
    if (smallestFrame <= largestFrame)
      yield { ...one, number: one.number + frame, frame, cost: one.cost + costs.ways.file }
  }
}

/** Bytes in more than one data type. @param {number} low @param {number} high @param {boolean} exact */
const ofMixedTypes = (low, high, exact) => [
  ...entriesWithin(["memory"], low, high),
  ...changedWithin(low, high, exact, true),
]

/** A number without a unit as bytes. Only right totals are looked for, since anything else may be a
 * coincidence; with one byte per parameter the number would be the total itself.
 * @param {number} number @returns {Meaning[]} */
const ofPlainNumber = (number) =>
  [...meaningsOfBytes(number, number), ...ofMixedTypes(number, number, true), ...files(number, number)]
    .filter(({ bytesPerParameter, mistakes, parts }) => bytesPerParameter !== 1 && !mistakes.length && !parts.length)
    .map((one) => ({ ...one, cost: one.cost + costs.ways.bytes }))

const MIN_BYTES = 1_000_000 // a smaller number without a unit is not read as bytes

/** @type {Kind} */
export const kind = ({ amount, low, high, exact, size }) => {
  if (amount === "count") return exact && low >= MIN_BYTES ? ofPlainNumber(low) : []
  if (amount === "share") return []
  const ofMixed = ofMixedTypes(low, high, exact).map((one) => ({ ...one, unit: size }))
  return [...meaningsOfBytes(low, high, size), ...files(low, high, size), ...ofMixed]
}
