// Memory: bytes instead of parameters, with a unit or without one; what an
// optimizer keeps besides; and files, which hold names beside the numbers.

import table from "../../../data/table.js"
import { Counter, classesOf, classOfBare, lazily, models, tensors as tensorsOf } from "../../counting/engine.js"
import { bounds } from "../read.js"
import { berts, costOf, EMPTY, usual } from "../ways.js"
import { totalsWithin } from "./totals.js"

const { costs, limits, twins } = table.explanations

/** @typedef {{ dtype: string, width: number, cost: number }} Stored  how a parameter is stored: its type, and all bytes that are kept for it */

/** @type {Stored[]} */
const STORED = [
  ...Object.entries(table.dtypes).map(([dtype, width]) => ({ dtype, width, cost: costs.dtypes[dtype] })),
  // Adam keeps two moments; gradients make four numbers of each parameter.
  ...[3, 4].map((times) => ({ dtype: "float32", width: times * table.dtypes.float32, cost: costs.ways.optimizer })),
]

/** Totals that take from so many to so many bytes.
 * @param {number} least @param {number} most @param {string} model @param {number} mistakes @param {Partial<Explanation>} how
 * @returns {Iterable<Explanation>} */
function* stored(least, most, model, mistakes, { cost: against = 0, ...how }) {
  for (const { dtype, width, cost } of STORED) {
    for (const each of totalsWithin(Math.ceil(least / width), Math.floor(most / width), model, mistakes)) {
      // A buffer's numbers are of another type than the weights.
      if (each.mistakes.some((name) => name.startsWith("buffer"))) continue
      yield {
        ...each,
        ...how,
        kind: "memory",
        number: each.number * width,
        cost: each.cost + cost + against,
        dtype,
        width,
      }
    }
  }
}

const BUFFERS = "float32 with buffers"

// What is stored in more than one type: with dynamic quantisation the matrices of dense layers take a byte a number
// and all else four; and the bare model with its two buffers, which hold whole numbers of eight bytes.
const mixed = lazily(
  /** @returns {Explanation[]} */ () =>
    usual.flatMap(({ name, sizes }) =>
      classesOf(berts[0].architecture).flatMap((each) => {
        const counter = new Counter(each.name, sizes)
        if (counter.rows.listed.some((row) => row.tied_to)) return []
        const [all, matrices] = [counter.number([]) ?? NaN, counter.number([], "", "kernel") ?? NaN]
        const found = { ...EMPTY, models: [name], classes: [each.name], kind: /** @type {const} */ ("memory") }
        const quantised = {
          ...found,
          number: 4 * all - 3 * matrices,
          cost: costs.dtypes.int8 + costOf(found),
          dtype: "dynamic int8",
        }
        const buffered = { ...found, number: 4 * all + 2 * 8 * sizes.P, cost: costOf(found), dtype: BUFFERS }
        return each.name === classOfBare(berts[0].architecture) ? [quantised, buffered] : [quantised]
      }),
    ),
)

/** @param {NumberRead} asked @param {string} model @returns {Iterable<Explanation>} */
function* withUnit(asked, model) {
  for (const unit of new Set([asked.size, twins[asked.size] ?? asked.size])) {
    const [least, most] = bounds(asked, unit)
    const against = unit === asked.size ? 0 : costs.ways["other-unit"]
    yield* stored(least, most, model, 1, { unit, cost: against })
    for (const each of mixed()) {
      if (each.number >= least && each.number <= most) yield { ...each, unit, cost: each.cost + against }
    }
    if (asked.exact) yield* files(asked.low, model)
  }
}

/** A plain number as bytes: right totals only, since anything else may be chance.
 * @param {number} number @param {string} model @returns {Iterable<Explanation>} */
function* plain(number, model) {
  for (const each of stored(number, number, model, 0, { cost: costs.ways.bytes })) {
    // A byte a parameter is the number itself.
    if (each.width > 1) yield each
  }
  for (const each of mixed()) if (each.number === number) yield { ...each, cost: each.cost + costs.ways.bytes }
  yield* files(number, model)
}

/** Files of right totals: a frame, and a name and a place for each tensor.
 * @param {number} number @param {string} model @returns {Iterable<Explanation>} */
function* files(number, model) {
  const against = costs.ways.bytes + costs.ways.file
  for (const each of stored(number - limits.frame, number - 1, model, 0, { cost: against })) {
    if (each.width > 4 || each.dtype === "int8") continue
    const frame = number - each.number
    const tensors = tensorsOf(each.classes[0], models.get(each.models[0]).sizes)
    if (frame <= tensors * limits.frame_of_tensor) yield { ...each, number, frame }
  }
}

/** @type {Kind} */
export const kind = (asked, model) => {
  if (asked.amount === "memory") return withUnit(asked, model)
  return asked.amount === "count" && asked.exact && asked.low >= 1_000_000 ? plain(asked.low, model) : []
}
