// Findings on the trainable part of a print-out: the number of trained parameters, if a
// total or the rows show it, and the part of the model that they make up. A rounded total
// gives this number only if the size of the model's head rounds to that total.

import { noun, sumBy } from "../../counting/engine.js"
import { finding, words } from "../words.js"
import { sumOf } from "./aligning.js"
import { countedRows, isWithoutSizes, rowsWith } from "./facts.js"
import { namesInWords, partInWords } from "./parts-in-words.js"
import { mayBe } from "./text-row.js"

/** @typedef {import("./facts.js").Facts} Facts */

/** A finding on the trainable parameters of a text that gives no sizes; empty unless the text shows for every tensor
 * whether it is trained.
 * @param {Facts} facts @returns {Finding[]} */
function findingsOnTrainableWithoutSizes({ alignment: { rows, ruler, missing } }) {
  if (missing.length || rows.some(({ text }) => text.isTrainable === null)) return []
  const trainedTensors = rows
    .filter(({ text }) => text.isTrainable)
    .flatMap(({ tensors }) => tensors.filter(({ tied }) => !tied))
  const number = sumBy(trainedTensors, ({ elements }) => elements)
  const part = number && number < ruler.total ? words`, ${partInWords(trainedTensors, ruler)},` : []
  const otherNames = rows.flatMap(({ text, tensors }) => (text.isTrainable && !tensors.length ? [text.name] : []))
  const others = otherNames.length
    ? words` ${namesInWords(otherNames)} ${noun(otherNames.length, "is", "are")} also trained, but your text does not give ${noun(otherNames.length, "its size", "their sizes")}.`
    : []
  return [
    finding(
      40,
      words`${number} of the ${ruler.total} parameters${part} ${noun(number, "is", "are")} trained; the other ${ruler.total - number} are frozen.${others}`,
    ),
  ]
}

/** Findings on the trainable parameters: their number, and any other number that the text states for them; empty if the
 * text does not show them, if none are frozen, or if their number is the total that the text states.
 * @param {Facts} facts @returns {Finding[]} */
export function findingsOnTrainable(facts) {
  if (isWithoutSizes(facts) && facts.alignment.rows.some(({ text }) => text.isTrainable === false))
    return findingsOnTrainableWithoutSizes(facts)
  const { total } = facts
  const head = headIn(facts)
  const number = trainedCount(facts, head.number)
  // If all parameters are trainable, or the text gives their number as its total, there is nothing to report.
  if (number === null || number >= total || number === facts.statedTotal) return []
  const part = number > 0 && number === head.number ? words`, ${head.part},` : []
  return [
    finding(
      40,
      words`${number} of the ${total} parameters${part} are trained; the other ${total - number} are frozen.`,
    ),
    ...findingsOnOtherCount(facts, number),
  ]
}

/** A finding on a number of trainable parameters that the text states and its rows contradict; empty if there is none.
 * @param {Facts} facts @param {number} number  of trainable parameters @returns {Finding[]} */
function findingsOnOtherCount({ printOut }, number) {
  const { low: stated = number, high = number } = statedCountIn(printOut) ?? {}
  if (stated !== high || stated === number) return []
  return [
    finding(
      45,
      words`Your text says that ${stated} parameters are trained, which is ${Math.abs(number - stated)} ${stated < number ? "fewer" : "more"} than there are in the rows that it marks as trained.`,
    ),
  ]
}

/** The number of trainable parameters that a text states, as an interval; undefined if it states none.
 * @param {PrintOut} printOut */
const statedCountIn = ({ totals }) => totals.find(({ kind }) => kind === "trainable")

/** The sum of the rows that a list of tensors marks as trained; null unless it marks every row, and some as frozen. It
 * is also null for a table, whose marks may be those of whole modules that are only partly trained, for an open
 * print-out that lacks tensors, and for one that lacks a matrix of LoRA.
 * @param {Facts} facts */
function countByMarks({ alignment, printOut, missingMatrices }) {
  const rows = countedRows(alignment)
  const areMarked =
    !printOut.isTable &&
    !missingMatrices.length &&
    !(printOut.isOpen && alignment.missing.length) &&
    rows.every(({ text }) => text.isTrainable !== null)
  if (!areMarked || rows.every(({ text }) => text.isTrainable)) return null
  return sumOf(rows.filter(({ text }) => text.isTrainable))
}

/** The number of trainable parameters; null if the text does not give it exactly.
 * @param {Facts} facts @param {number} headSize  the number of parameters of the head */
function trainedCount(facts, headSize) {
  const { alignment, printOut } = facts
  const markedCount = countByMarks(facts)
  if (markedCount !== null) return markedCount
  const statedCount = statedCountIn(printOut)
  if (statedCount) {
    if (statedCount.low === statedCount.high) return statedCount.low
    // A rounded number is taken as the head's if the head rounds to it, and otherwise ignored.
    return mayBe(statedCount, headSize) ? headSize : null
  }
  // Rows that a text leaves out may be trained as well.
  if (printOut.isOpen && alignment.missing.length) return null
  const rows = countedRows(alignment)
  const isAnyFrozen = rows.some(({ text }) => text.isTrainable === false)
  if (!isAnyFrozen) return null
  // A text that marks only what is frozen trains everything else.
  const isAnyTrained = rows.some(({ text }) => text.isTrainable)
  return sumOf(rows.filter(({ text }) => (isAnyTrained ? text.isTrainable : text.isTrainable === null)))
}

/** The task head of a model or, without one, the added rows: the number of parameters, and the words for the part.
 * @param {Facts} facts @returns {{ number: number, part: Words }} */
function headIn({ alignment, addedSum }) {
  const { ruler } = alignment
  const tensors = ruler.tensors.filter(({ row, tied }) => row.block === "task-head" && !tied)
  if (tensors.length) return { number: sumBy(tensors, ({ elements }) => elements), part: partInWords(tensors, ruler) }
  const rows = rowsWith(alignment, "added")
  return { number: addedSum, part: namesInWords([...new Set(rows.map(({ text }) => text.name))]) }
}
