// The headline of a print-out's account: which model it shows, and whether its total is
// right. Texts without sizes, texts that may leave out layers, and texts that show only
// part of a model have headlines of their own, because a different total is not an
// error there.

import { sumBy } from "../../counting/engine.js"
import { code, words } from "../words.js"
import {
  confidenceOf,
  countRoundedAdditions,
  hasOtherTotal,
  isBodyOfLargerModel,
  isWithoutSizes,
  rowsWith,
  unsizedRows,
} from "./facts.js"
import {
  bodyInWords,
  choicesInWords,
  countInWords,
  labelsInWords,
  modelInWords,
  prunedInWords,
  withClosingComma,
} from "./model-in-words.js"

/** @typedef {import("./facts.js").Facts} Facts */

const MAX_MISSING_SHARE = 0.05 // a text that leaves out a larger share of the model shows only part of it

/** The number of parameters in the tensors that a text does not show. @param {Facts} facts */
const hiddenCountIn = ({ alignment: { missing } }) => sumBy(missing, ({ elements }) => elements)

/** The words for the model of a text, with its class, its labels and its choices. @param {Facts} facts */
const variantInWords = (facts) =>
  words`${modelInWords(facts.recognised)}, as ${code(facts.recognised.modelClass)}${labelsInWords(facts)}${choicesInWords(facts)}${prunedInWords(facts)}`

/** The headline of a print-out's account. @param {Facts} facts @returns {Words} */
export function headlineOf(facts) {
  if (isWithoutSizes(facts)) return headlineOfNames(facts)
  const { recognised, alignment, sum, statedTotal, addedSum, total } = facts
  const { ruler } = alignment
  const hiddenCount = hiddenCountIn(facts)
  if (recognised.assumed.includes("L") && !hiddenCount) {
    const onSum = sum === total ? "" : words`; its rows add up to ${sum}`
    return words`Your text shows ${countInWords(ruler.sizes.L, "layer")} of ${variantInWords(facts)} and leaves rows out, so there may be more. What it shows holds ${ruler.total} parameters${onSum}.`
  }
  if (hiddenCount > ruler.total * MAX_MISSING_SHARE) return headlineOfPart(facts)
  const statedOrSum = statedTotal ?? sum
  const verb = confidenceOf(facts) === "certain" ? "This is" : "This looks like"
  const roundedAdditions = countRoundedAdditions(alignment)
  const exactAdditionWords = addedSum ? words`, and ${addedSum} more that are not part of it: ${total} in all` : []
  const addedWords = roundedAdditions
    ? words`, and ${countInWords(roundedAdditions, "layer")} of your own, rounded in your text`
    : exactAdditionWords
  const opening = words`${verb} ${variantInWords(facts)}: ${total - addedSum} parameters${addedWords}.`
  if (statedOrSum === total) return words`${opening} ${agreementInWords(facts)}.`
  const subject = statedTotal === null ? "Your rows add up to" : "Your total is"
  const fewOrMany = statedOrSum < total ? "few" : "many"
  return words`${opening} ${subject} ${statedOrSum}, which is ${Math.abs(statedOrSum - total)} too ${fewOrMany}.`
}

/** The headline for a text that names tensors without their sizes. @param {Facts} facts @returns {Words} */
function headlineOfNames(facts) {
  const { recognised, alignment, statedTotal } = facts
  const { ruler } = alignment
  const model = modelInWords(recognised)
  const ofClass = words`${code(recognised.modelClass)} with ${countInWords(ruler.sizes.L, "layer")}`
  if (hasOtherTotal(facts))
    return words`These are the tensors of ${ofClass}. Your text gives no sizes, and its total, ${statedTotal ?? 0}, is not that of ${model}.`
  const hiddenCount = hiddenCountIn(facts)
  const confirmation = statedTotal === ruler.total ? ", which is the total in your text" : ""
  if (!hiddenCount)
    return words`These are the tensors of ${ofClass}. Your text gives no sizes; with those of ${withClosingComma(model)} they hold ${ruler.total} parameters${confirmation}.`
  return words`These are names of tensors of ${ofClass}, but not all of them. Your text gives no sizes; with those of ${withClosingComma(model)} the model has ${ruler.total} parameters, and the tensors in your text hold ${ruler.total - hiddenCount} of them.`
}

/** The headline for a text that shows only part of its model. @param {Facts} facts @returns {Words} */
function headlineOfPart(facts) {
  const { recognised, sum, statedTotal, addedSum, total } = facts
  const statedOrSum = statedTotal ?? sum
  const ofText = sum === statedOrSum ? [] : words`; the total in your text is ${statedOrSum}`
  const onRounding = rowsWith(facts.alignment, "rounded").length ? "Before rounding, your" : "Your"
  const sums = words`${onRounding} rows add up to ${sum}${ofText}${statedOrSum === total ? ", which is right" : ""}.`
  if (isBodyOfLargerModel(facts))
    return words`This looks like part of ${modelInWords(recognised)}. ${bodyInWords(facts)} ${sums}`
  const verb = recognised.assumed.includes("L") ? "looks like" : "is"
  return words`This ${verb} part of ${variantInWords(facts)}, which has ${total - addedSum} parameters. ${sums}`
}

/** The clause that states how much of a text is right if its total is right. @param {Facts} facts */
function agreementInWords({ alignment, statedTotal, sum, total, addedSum }) {
  const goodVerdicts = ["right", "rounded", "subtotal", "added"]
  const isRight =
    sum === total && !alignment.missing.length && alignment.rows.every(({ verdict }) => goodVerdicts.includes(verdict))
  if (!isRight) return statedTotal === null ? "Your rows add up to it" : "Your total is right"
  const ofModel = addedSum || countRoundedAdditions(alignment) ? " of the model" : ""
  const rightRow = `row${ofModel}${unsizedRows(alignment).length ? " with a size" : ""}`
  return statedTotal === null
    ? `Every ${rightRow} is right and none is missing`
    : `Your total is right, as is every ${rightRow}`
}
