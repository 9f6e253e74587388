// The findings on the trainable part of a print-out: how many of its parameters are trained,
// if the text says so of a total or of each row, and what part of the model they are. A
// rounded total does not give their number, unless the head of the model rounds to it.

import { noun, sumBy } from "../../counting/engine.js"
import { finding, words } from "../words.js"
import { sumOf } from "./aligning.js"
import { isWithoutSizes, rowsWith } from "./facts.js"
import { namesInWords, partInWords } from "./parts-in-words.js"

/** @typedef {import("./facts.js").Facts} Facts */

/** A finding on the trainable parameters of a text that says of each tensor whether it is trained, but not its
 * size.
 * @param {Facts} facts @returns {Finding[]} */
function findingsOnTensors({ alignment: { rows, ruler, missing } }) {
  if (missing.length || rows.some(({ text }) => text.trainable === null)) return []
  const trainedTensors = rows
    .filter(({ text }) => text.trainable)
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

/** A finding on the trainable parameters, if the text states them. @param {Facts} facts @returns {Finding[]} */
export function trainableFindings(facts) {
  if (isWithoutSizes(facts) && facts.alignment.rows.some(({ text }) => text.trainable === false))
    return findingsOnTensors(facts)
  const { total } = facts
  const head = headIn(facts)
  const number = trainedNumber(facts, head.number)
  // If there are as many trainable parameters as parameters, or more, nothing need be frozen.
  if (number === null || number >= total || number === facts.stated) return []
  const part = number > 0 && number === head.number ? words`, ${head.part},` : []
  return [
    finding(
      40,
      words`${number} of the ${total} parameters${part} are trained; the other ${total - number} are frozen.`,
    ),
  ]
}

/** The number of trainable parameters; null if the text does not say exactly how many there are.
 * @param {Facts} facts @param {number} head  the parameters of the head */
function trainedNumber({ alignment, print }, head) {
  const stated = print.totals.find(({ kind }) => kind === "trainable")
  if (stated) {
    if (stated.low === stated.high) return stated.low
    // A rounded number says what is trained only if the head rounds to it.
    return stated.low <= head && head <= stated.high ? head : null
  }
  const rowsWithCounts = alignment.rows.filter(({ text, verdict }) => verdict !== "subtotal" && text.low !== null)
  const isAnyFrozen = rowsWithCounts.some(({ text }) => text.trainable === false)
  return isAnyFrozen ? sumOf(rowsWithCounts.filter(({ text }) => text.trainable)) : null
}

/** The head of a model for a task, or a layer that somebody has added: its number, 0 if there is none, and the words
 * for it.
 * @param {Facts} facts @returns {{ number: number, part: Words }} */
function headIn({ alignment, added }) {
  const { ruler } = alignment
  const tensors = ruler.tensors.filter(({ row, tied }) => row.block === "task-head" && !tied)
  if (tensors.length) return { number: sumBy(tensors, ({ elements }) => elements), part: partInWords(tensors, ruler) }
  const rows = rowsWith(alignment, "added")
  return { number: added, part: namesInWords([...new Set(rows.map(({ text }) => text.name))]) }
}
