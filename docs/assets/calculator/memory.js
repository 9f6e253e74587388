// The bytes of the calculator's model: weights, gradients and Adam's moments.

import exported from "../../data/table.js"
import { code } from "../answering/elements.js"
import { noun, whole } from "../counting/engine.js"
import { cell, liveTable, place, what } from "./live.js"

const { dtypes } = exported
const around = place("memory-place")
const table = liveTable(
  "memory",
  { "data type": "text", weights: "num", gradients: "num", "Adam's moments": "num", together: "num" },
  "bytes",
)
around.prepend(table.element)
const UNITS = ["TB", "GB", "MB", "kB"]

/** Bytes in the largest unit that leaves a digit before the point, rounded to one after it; what rounds to a thousand
 * of one unit is one of the next. @param {number} bytes */
export function inUnits(bytes) {
  const sizes = UNITS.map((_, order) => 1000 ** (UNITS.length - order))
  // Half of a tenth of the unit below is the 20,000th part of a unit.
  const order = sizes.findIndex((each) => bytes + each / 20_000 >= each)
  if (order < 0) return `${whole(bytes)} ${noun(bytes, "byte")}`
  const tenths = Math.floor((20 * bytes + sizes[order]) / (2 * sizes[order]))
  return `${whole(Math.floor(tenths / 10))}.${tenths % 10} ${UNITS[order]}`
}

/** To the byte, where a number can hold so many. @param {number} bytes */
const amount = (bytes) =>
  cell(String(bytes), () => [Number.isSafeInteger(bytes) ? whole(bytes) : "", what(inUnits(bytes))])

/** @param {Shown} shown */
function show({ counted }) {
  table.show(
    "Bytes of the weights, and what training with Adam keeps beside them",
    Object.entries(counted.bytes).map(([dtype, { weights, gradients, adam, all }]) => [
      dtype,
      [
        cell(dtype, () => [code(dtype), what(`${dtypes[dtype]} ${noun(dtypes[dtype], "byte")} each`)]),
        ...[weights, gradients, adam, all].map(amount),
      ],
    ]),
  )
}

/** @type {Panel} */
export const panel = { show, place: around }
