// Memory: bytes instead of parameters, with a unit or without one: of a model, a
// part or another model; what an optimizer keeps besides; and files, which hold
// names beside the numbers.

import table from "../../../data/table.js"
import { Counter, classesOf, classOfBare, lazily, models, tensors as tensorsOf } from "../../counting/engine.js"
import { berts, costOf, EMPTY, usual } from "../ways.js"
import { othersWithin } from "./others.js"
import { rightParts } from "./parts.js"
import { roundTotals } from "./totals.js"

const { costs, limits, stored: STORED } = table.explanations

/** Numbers of parameters that take from so many to so many bytes, right totals first.
 * @param {number} least @param {number} most @returns {Iterable<Meaning>} */
function* stored(least, most) {
  for (const { dtype, width, cost, kept } of STORED) {
    const [low, high] = [Math.ceil(least / width), Math.floor(most / width)]
    for (const each of [...roundTotals(low, high), ...othersWithin(low, high), ...rightParts(low, high)]) {
      // A buffer's numbers are of another type than the weights.
      if (each.mistakes.some((name) => name.startsWith("buffer"))) continue
      yield {
        ...each,
        kind: "memory",
        number: Math.ceil(each.number * width),
        cost: each.cost + cost,
        dtype,
        width,
        kept,
      }
    }
  }
}

const BUFFERS = "float32 with buffers"

// What is stored in more than one type: with dynamic quantisation the matrices of dense layers take a byte a number
// and all else four; and the bare model with its two buffers, which hold whole numbers of eight bytes.
const mixed = lazily(
  /** @returns {Meaning[]} */ () =>
    usual.flatMap(({ name, sizes }) =>
      classesOf(berts[0].architecture).flatMap((each) => {
        const counter = new Counter(each.name, sizes)
        if (counter.rows.listed.some((row) => row.tied_to)) return []
        const [all, matrices] = [counter.number([]) ?? NaN, counter.number([], "", "kernel") ?? NaN]
        const found = { ...EMPTY, models: [name], classes: [each.name], kind: /** @type {const} */ ("memory") }
        const quantised = {
          ...found,
          number: 4 * all - 3 * matrices,
          cost: costs.ways.quantised + costOf(found),
          dtype: "dynamic int8",
        }
        const buffered = { ...found, number: 4 * all + 2 * 8 * sizes.P, cost: costOf(found) + 1, dtype: BUFFERS }
        return each.name === classOfBare(berts[0].architecture) ? [quantised, buffered] : [quantised]
      }),
    ),
)

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

/** A plain number as bytes: right totals only, since anything else may be chance.
 * @param {number} number @returns {Iterable<Meaning>} */
function* plain(number) {
  for (const each of [
    ...stored(number, number),
    ...mixed().filter((each) => each.number === number),
    ...files(number),
  ]) {
    // A byte for each parameter is the number itself.
    if (each.width !== 1 && !each.mistakes.length && !each.parts.length)
      yield { ...each, cost: each.cost + costs.ways.bytes }
  }
}

const LEAST = 1_000_000 // bytes of what somebody gives without a unit

/** @type {Kind} */
export const kind = ({ amount, low, high, exact, size }) => {
  if (amount === "count") return exact && low >= LEAST ? plain(low) : []
  if (amount === "share") return []
  const fitting = mixed().filter(({ number }) => number >= low && number <= high)
  return [...stored(low, high), ...fitting, ...(exact ? files(low) : [])].map((each) => ({ ...each, unit: size }))
}
