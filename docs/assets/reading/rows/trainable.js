// Findings on the trainable part of a print-out: the number of trained parameters, if a
// total or the rows show it, and the part of the model that they make up. A rounded total
// gives this number only if the size of the model's head rounds to that total.

import { noun, sumBy } from "../../counting/engine.js"
import { finding, words } from "../words.js"
import { sumOf } from "./aligning.js"
import { isWithoutSizes, rowsWith } from "./facts.js"
import { namesInWords, partInWords } from "./parts-in-words.js"

/** @typedef {import("./facts.js").Facts} Facts */

/** A finding on the trainable parameters of a text that gives no sizes; empty unless the text shows for every tensor
 * whether it is trained.
 * @param {Facts} facts @returns {Finding[]} */
function findingsOnTensors({ alignment: { rows, ruler, missing } }) {
  if (missing.length || rows.some(({ text }) => text.isTrainable === null)) return []
  const trainedTensors = rows
    .filter(({ text }) => text.isTrainable)
    .flatMap(({ tensors }) => tensors.filter(({ tied }) => !tied))
  const number = sumBy(trainedTensors, ({ elements }) => elements)
  const part = number && number < ruler.total ? words`, ${partInWords(trainedTensors, ruler)},` : []
  return [
    finding(
      40,
      words`${number} of the ${ruler.total} parameters${part} ${noun(number, "is", "are")} trained; the other ${ruler.total - number} are frozen.`,
    ),
  ]
}

/** A finding on the trainable parameters; empty if the text does not show them or none are frozen.
 * @param {Facts} facts @returns {Finding[]} */
export function findingsOnTrainable(facts) {
  if (isWithoutSizes(facts) && facts.alignment.rows.some(({ text }) => text.isTrainable === false))
    return findingsOnTensors(facts)
  const { total } = facts
  const head = headIn(facts)
  const number = trainedCount(facts, head.number)
  // If all parameters are trainable, there is nothing to report.
  if (number === null || number >= total || number === facts.stated) return []
  const part = number > 0 && number === head.number ? words`, ${head.part},` : []
  return [
    finding(
      40,
      words`${number} of the ${total} parameters${part} are trained; the other ${total - number} are frozen.`,
    ),
  ]
}

/** The number of trainable parameters; null if the text does not give it exactly.
 * @param {Facts} facts @param {number} headSize  the number of parameters of the head */
function trainedCount({ alignment, printOut }, headSize) {
  const statedTotal = printOut.totals.find(({ kind }) => kind === "trainable")
  if (statedTotal) {
    if (statedTotal.low === statedTotal.high) return statedTotal.low
    // A rounded number is taken as the head's if the head rounds to it, and otherwise ignored.
    return statedTotal.low <= headSize && headSize <= statedTotal.high ? headSize : null
  }
  const rowsWithCounts = alignment.rows.filter(({ text, verdict }) => verdict !== "subtotal" && text.low !== null)
  const isAnyFrozen = rowsWithCounts.some(({ text }) => text.isTrainable === false)
  return isAnyFrozen ? sumOf(rowsWithCounts.filter(({ text }) => text.isTrainable)) : null
}

/** The task head of a model or, without one, the added rows: the number of parameters, and the words for the part.
 * @param {Facts} facts @returns {{ number: number, part: Words }} */
function headIn({ alignment, added }) {
  const { ruler } = alignment
  const tensors = ruler.tensors.filter(({ row, tied }) => row.block === "task-head" && !tied)
  if (tensors.length) return { number: sumBy(tensors, ({ elements }) => elements), part: partInWords(tensors, ruler) }
  const rows = rowsWith(alignment, "added")
  return { number: added, part: namesInWords([...new Set(rows.map(({ text }) => text.name))]) }
}
