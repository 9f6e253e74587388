// The bridge from the total of a print-out to the right one.
//
// It is the alignment read as a sum. From the sum of the text's rows, it subtracts those that
// are counted twice or are not parameters, corrects the wrong rows, unpacks packed weights and
// adds the missing tensors, including those of LoRA. If a text states a total, the bridge begins there.
// A first step takes up whatever difference remains, so the bridge closes by construction.

import { models, sumBy } from "../../counting/engine.js"
import { code, words } from "../words.js"
import { sumOf } from "./aligning.js"
import { isWithoutSizes, rowsWith, sumOfRight } from "./facts.js"
import { MAX_GROUPS, nameOfRows, rowsByModule } from "./findings.js"
import { groupsOf, namesInWords, partInWords } from "./parts-in-words.js"

/** @typedef {import("./facts.js").Facts} Facts */

/** The bridge from the stated total or, without one, from the sum of the rows; null if that number is right, or if no
 * row has a size.
 * @param {Facts} facts @returns {AccountBridge | null} */
export function bridgeOf(facts) {
  const { alignment, recognised, sum, statedTotal, total } = facts
  const start = statedTotal ?? sum
  if (start === total || isWithoutSizes(facts)) return null
  /** @type {AccountStep[]} */
  const steps = []
  /** Adds a step unless its value is 0. */
  const add = (/** @type {Words} */ label, /** @type {number} */ value) => {
    if (value) steps.push({ label, value, formula: "" })
  }
  const sumOfTensors = (/** @type {RulerTensor[]} */ tensors) => sumBy(tensors, ({ elements }) => elements)
  for (const rows of rowsByModule(rowsWith(alignment, "wrong")))
    add(words`correct ${nameOfRows(rows)}`, sumOfRight(rows) - sumOf(rows))
  for (const rows of rowsByModule(rowsWith(alignment, "counted twice")))
    add(words`count ${nameOfRows(rows)} once`, sumOfRight(rows) - sumOf(rows))
  const packedRows = rowsWith(alignment, "packed")
  add(["unpack the weights"], sumOfRight(packedRows) - sumOf(packedRows))
  const buffers = rowsWith(alignment, "not a parameter")
  const bufferNames = buffers.map(({ text }) => text.name)
  add(words`leave out ${namesInWords(bufferNames, 1)}`, -sumOf(buffers))
  const groups = groupsOf(alignment.missing, alignment.ruler)
  if (groups.length > MAX_GROUPS) add(["add what is missing"], sumOfTensors(alignment.missing))
  else for (const tensors of groups) add(words`add ${partInWords(tensors, alignment.ruler)}`, sumOfTensors(tensors))
  for (const { name, elements } of facts.missingMatrices) add(words`add ${code(name)}`, elements)
  const difference = total - start - sumBy(steps, ({ value }) => value)
  if (difference)
    steps.unshift({
      label: statedTotal === null ? ["what the rows do not explain"] : ["add up the rows"],
      value: difference,
      formula: "",
    })
  const title = recognised.name ? models.get(recognised.name).title : "the right total"
  const withPrunedHeads = facts.prunedHeads ? ", with pruned heads" : ""
  const withAdditions = facts.addedSum ? ", and what was added" : ""
  return {
    start,
    startLabel: statedTotal === null ? "your rows" : "your total",
    steps,
    end: total,
    endLabel: `${title} (${recognised.modelClass})${withPrunedHeads}${withAdditions}`,
  }
}
