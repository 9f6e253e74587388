// The bytes of the calculator's model: weights, gradients and Adam's moments.

import exported from "../../data/table.js"
import { code, element, link } from "../answering/elements.js"
import { noun, whole } from "../counting/engine.js"
import { cell, liveTable, place } from "./live.js"

const { dtypes } = exported
/** @type {Column[]} */
const COLUMNS = [
  ["data type", "text"],
  ["weights", "num"],
  ["gradients", "num"],
  ["Adam's moments", "num"],
  ["together", "num"],
]
const table = liveTable("calculator-bytes", "Memory", COLUMNS)
place("memory-place").append(
  table.element,
  element(
    "p",
    { class: "bc-hint" },
    "Gradients and moments are kept for what is trained only. Activations come on top; they are not parameters. ",
    link("totals/memory.html", "How memory is counted"),
  ),
)
const UNITS = /** @type {[string, number][]} */ ([
  ["TB", 10 ** 12],
  ["GB", 10 ** 9],
  ["MB", 10 ** 6],
  ["kB", 10 ** 3],
])

/** Bytes in the largest unit that leaves a digit before the point, rounded to one after it; what rounds to a thousand
 * of one unit is one of the next. @param {number} bytes */
export function inUnits(bytes) {
  // Half of a tenth of the unit below is the 20,000th part of a unit.
  const [unit, size] = UNITS.find(([, each]) => bytes + each / 20_000 >= each) ?? ["bytes", 1]
  if (size === 1) return `${whole(bytes)} ${noun(bytes, "byte")}`
  const tenths = Math.floor((20 * bytes + size) / (2 * size))
  return `${whole(Math.floor(tenths / 10))}.${tenths % 10} ${unit}`
}

/** To the byte, where a number can hold so many. @param {number} bytes */
const amount = (bytes) =>
  cell(String(bytes), () => [
    Number.isSafeInteger(bytes) ? whole(bytes) : "",
    element("span", { class: "bc-what" }, inUnits(bytes)),
  ])

/** @param {Shown} shown */
function show({ counted }) {
  table.say("Bytes of the weights, and what training with Adam keeps beside them")
  table.show(
    Object.entries(counted.bytes).map(([dtype, bytes]) => ({
      name: dtype,
      cells: [
        cell(dtype, () => [
          code(dtype),
          element("span", { class: "bc-what" }, `${dtypes[dtype]} ${noun(dtypes[dtype], "byte")} each`),
        ]),
        ...[bytes.weights, bytes.gradients, bytes.adam, bytes.all].map(amount),
      ],
    })),
  )
}

/** @type {Panel} */
export const panel = { show, place: place("memory-place") }
