// Memory: bytes instead of parameters, with a unit or without one: of a model, a
// part or another model; what an optimizer keeps besides; and files, which hold
// names beside the numbers.

import table from "../../../data/table.js"
import { models, tensors as tensorsOf } from "../../counting/engine.js"
import { entriesWithin, roundTotals } from "../entries.js"
import { changedWithin } from "./changes.js"
import { rightParts } from "./parts.js"

const { costs, limits, stored: STORED } = table.explanations

/** Numbers of parameters that take from so many to so many bytes, right totals first.
 * @param {number} least @param {number} most @param {number} [unit]  in which the bytes are given @returns {Iterable<Meaning>} */
function* stored(least, most, unit = 1) {
  for (const { dtype, width, cost, kept } of STORED) {
    const [low, high] = [Math.ceil(least / width), Math.floor(most / width)]
    for (const each of [...roundTotals(low, high), ...entriesWithin(["other"], low, high), ...rightParts(low, high)]) {
      // A buffer's numbers are of another type than the weights.
      if (each.mistakes.some((name) => name.startsWith("buffer"))) continue
      const number = Math.ceil(each.number * width)
      yield { ...each, kind: "memory", number, cost: each.cost + cost, dtype, width, kept, unit }
    }
  }
}

/** Files of right totals: a frame, and a name and a place for each tensor.
 * @param {number} number @returns {Iterable<Meaning>} */
function* files(number) {
  for (const each of stored(number - limits.frame, number - 1)) {
    const isWhole = each.kept === "" && !each.parts.length && !each.mistakes.length && each.models.length > 0
    if (!isWhole || each.width < 2) continue
    const frame = number - each.number
    const tensors = tensorsOf(each.classes[0], models.get(each.models[0]).sizes)
    if (frame <= tensors * limits.frame_of_tensor) yield { ...each, number, frame, cost: each.cost + costs.ways.file }
  }
}

/** What is of several types. @param {number} low @param {number} high @param {boolean} exact */
const mixed = (low, high, exact) => [...entriesWithin(["memory"], low, high), ...changedWithin(low, high, exact, true)]

/** A plain number as bytes: right totals only, since anything else may be chance. A byte for each is the number itself.
 * @param {number} number @returns {Meaning[]} */
const plain = (number) =>
  [...stored(number, number), ...mixed(number, number, true), ...files(number)]
    .filter((each) => each.width !== 1 && !each.mistakes.length && !each.parts.length)
    .map((each) => ({ ...each, cost: each.cost + costs.ways.bytes }))

const LEAST = 1_000_000 // bytes of what somebody gives without a unit

/** @type {Kind} */
export const kind = ({ amount, low, high, exact, size }) => {
  if (amount === "count") return exact && low >= LEAST ? plain(low) : []
  if (amount === "share") return []
  const others = [...mixed(low, high, exact), ...(exact ? files(low) : [])]
  return [...stored(low, high, size), ...others.map((each) => ({ ...each, unit: size }))]
}
