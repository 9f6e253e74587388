// Explains numbers of bytes, with or without a unit. They may be the memory of a model or of
// a part, with or without what an optimiser keeps, or the size of a file, which also
// contains the names of the tensors.

import table from "../../../data/table.js"
import { countTensors, deviations, models } from "../../counting/engine.js"
import { entriesWithin, likelyRoundedTotals } from "../entries.js"
import { changesWithin } from "./changes.js"
import { rightParts } from "./parts.js"

const { costs, limits, stored: STORAGES } = table.explanations

/** Counts of parameters that take from `minBytes` to `maxBytes` in some data type.
 * @param {number} minBytes @param {number} maxBytes @param {number} [unit]  the unit in which the bytes were given
 * @returns {Iterable<Meaning>} */
function* meaningsOfBytes(minBytes, maxBytes, unit = 1) {
  for (const { dtype, width: bytesPerParameter, cost, kept } of STORAGES) {
    const [low, high] = [Math.ceil(minBytes / bytesPerParameter), Math.floor(maxBytes / bytesPerParameter)]
    const counts = [...likelyRoundedTotals(low, high), ...entriesWithin(["other"], low, high), ...rightParts(low, high)]
    for (const meaning of counts) {
      // Buffers have a data type other than that of the weights.
      if (meaning.mistakes.some((name) => name.startsWith("buffer"))) continue
      const number = Math.ceil(meaning.number * bytesPerParameter)
      yield { ...meaning, kind: "memory", number, cost: meaning.cost + cost, dtype, bytesPerParameter, kept, unit }
    }
  }
}

/** Files of `low` to `high` bytes that hold the weights of a whole model. The rest of a file is its frame: the names
 * and offsets of the tensors. The size of the frame depends on the format, so it can only be estimated if the size of
 * the file is rounded.
 * @param {number} low @param {number} high @param {number} [unit]  the unit in which the bytes were given
 * @returns {Iterable<Meaning>} */
function* meaningsOfFiles(low, high, unit = 1) {
  for (const meaning of meaningsOfBytes(low - limits.max_frame, low - 1, unit)) {
    const isWhole =
      meaning.kept === "" && !meaning.parts.length && !meaning.mistakes.length && meaning.models.length > 0
    if (!isWhole || meaning.bytesPerParameter < 2) continue
    const tensorCount = countTensors(meaning.classes[0], models.get(meaning.models[0]).sizes)
    // A smaller excess is not a frame: memory is allocated in whole blocks, and may hold buffers too.
    const smallestFrame = Math.max(tensorCount * limits.min_frame_of_tensor, low - meaning.number)
    const largestFrame = Math.min(tensorCount * limits.max_frame_of_tensor, high - meaning.number)
    const frame = Math.round((smallestFrame + largestFrame) / 2)
    const isUsual = smallestFrame <= tensorCount * limits.usual_frame_of_tensor
    const cost = meaning.cost + costs.ways.file + (isUsual ? 0 : costs.ways["large-file"])
    if (smallestFrame <= largestFrame) yield { ...meaning, number: meaning.number + frame, frame, cost }
  }
}

/** Whether a meaning has no mistakes but conventions, by which tools and libraries count too, such as leaving out the
 * pooler.
 * @param {Meaning} meaning */
const isRightByConvention = ({ mistakes }) => mistakes.every((name) => deviations.get(name).kind === "convention")

/** Numbers of bytes of models that mix data types. @param {number} low @param {number} high @param {boolean} exact */
const meaningsOfMixedTypes = (low, high, exact) => [
  ...entriesWithin(["memory"], low, high),
  ...changesWithin(low, high, exact, true),
]

/** Meanings of a number without a unit as bytes. Mistakes, except for conventions, and single parts are not tried,
 * since they may be coincidences. One byte per parameter is not tried either, because the number would then be the
 * total itself.
 * @param {number} number @returns {Meaning[]} */
const meaningsOfPlainNumber = (number) =>
  [
    ...meaningsOfBytes(number, number),
    ...meaningsOfMixedTypes(number, number, true),
    ...meaningsOfFiles(number, number),
  ]
    .filter((meaning) => meaning.bytesPerParameter !== 1 && isRightByConvention(meaning) && !meaning.parts.length)
    .map((meaning) => ({ ...meaning, cost: meaning.cost + costs.ways.bytes }))

const MIN_BYTES = 1_000_000 // a smaller number without a unit is not read as bytes

const UNIT_SIZES = new Set(Object.values(table.units.bytes))

/** The models and parts whose bytes an amount of memory, or a large enough exact number without a unit, may be.
 * @type {FindMeanings} */
export const findMeanings = ({ amount, low, high, exact, size }) => {
  if (amount === "count") return exact && low >= MIN_BYTES ? meaningsOfPlainNumber(low) : []
  if (amount !== "memory") return []
  const unit = UNIT_SIZES.has(size) ? size : 1 // for a product, `size` is its uncertainty, not a unit
  const mixedMeanings = meaningsOfMixedTypes(low, high, exact).map((meaning) => ({ ...meaning, unit }))
  return [...meaningsOfBytes(low, high, unit), ...meaningsOfFiles(low, high, unit), ...mixedMeanings]
}
