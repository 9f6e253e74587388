// Compares the model of a print-out, a sum or a config with whatever else the question beside it gives: another
// total, another model, or the totals before and after a change.

import { models, noun, whole } from "../../counting/engine.js"
import { correctTotals } from "../../explaining/explain.js"
import { numberOfDigits } from "../../explaining/read.js"
import { asClass, modelInClass, subjectOf } from "../labels/meanings.js"
import { modelsIn } from "../labels/mentions.js"
import { sizeOfEachLayer } from "../labels/named-parts.js"
import { classAndTotal, comparisonOf } from "../labels/totals.js"
import { differenceByParts } from "../two-models.js"
import { asPlainText, words } from "../words.js"
import { isComparing } from "./comparisons.js"

/** @typedef {import("./beside-print-outs.js").QuestionOnModel} QuestionOnModel */

/** A whole number of at least a million, with the separators of any language. */
const TOTAL = String.raw`(?<![\w.,])(?:[0-9]{1,3}(?:[,._' ][0-9]{3}){2,3}|[0-9]{7,12})(?![\w]|[,.'][0-9])`
const TOTALS = new RegExp(TOTAL, "g")

/** The answer to "why do I not get 110,106,428?", unless a finding has that number: which class has that total, if
 * possible of the same model.
 * @param {QuestionOnModel} subject @returns {Words | null} */
export function onOtherTotal({ question, model: { name, total }, account }) {
  const statedNumbers = account.lines.map(({ stated }) => stated)
  const findings = account.findings.map((one) => asPlainText(one.words)).join("\n")
  for (const digits of question.match(TOTALS) ?? []) {
    const number = numberOfDigits(digits)
    if (number === total || statedNumbers.includes(number) || findings.includes(whole(number))) continue
    /** Whether a way is to a total of another model. */
    const isOfOther = (/** @type {{ models: string[] }} */ way) => !way.models.includes(name)
    const [way] = correctTotals(number).sort((one, other) => Number(isOfOther(one)) - Number(isOfOther(other)))
    if (!way) continue
    const meaning = modelInClass(way, isOfOther(way) ? way.models[0] : name)
    return words`${number} is ${meaning}: ${Math.abs(number - total)} ${number > total ? "more" : "fewer"} than the ${total} of your model.`
  }
  return null
}

/** Words that compare a model with another one beside it, in addition to those that compare any two things. */
const COMPARED_WITH = /\b(?:as (?:big|large|small|many)|plus|extra|on top of)\b/i

/** The answer to "is it smaller than BERT base?". @param {QuestionOnModel} subject @returns {Words | null} */
export function onOtherModel({ question, model: { name, modelClass, total }, sizes }) {
  if (!isComparing(question) && !COMPARED_WITH.test(question)) return null
  const [other, ...further] = new Set(
    modelsIn(question).flatMap(({ models: [mentioned], isForeign }) => (isForeign || !mentioned ? [] : [mentioned])),
  )
  if (!other || further.length || other === name) return null
  const { modelClass: otherClass, total: otherTotal } = classAndTotal(other)
  const parts = differenceByParts(
    { name, modelClass, sizes },
    { name: other, modelClass: otherClass, sizes: models.get(other).sizes },
    total - otherTotal,
  )
  return words`${subjectOf(other)} has ${otherTotal} parameters ${asClass(otherClass)}. This model has ${total}${comparisonOf(total, otherTotal)}.${parts.length ? words` The difference: ${parts}.` : []}`
}

/** Patterns for the words that introduce the total before a change, and for those that introduce the total after it. */
const BEFORE_AND_AFTER = [
  String.raw`\bbefore|\bold\b|\bvorher|\bavant\b|\bantes\b`,
  String.raw`\bafter|\bnew\b|\bnow\b|\bnachher|\baprès\b|\bdespués\b`,
]
const TOTALS_OF_CHANGE = BEFORE_AND_AFTER.map(
  (introduction) => new RegExp(`(?:${introduction})[^0-9\\n]{0,60}(${TOTAL})`, "i"),
)
const CHANGE = /\bwhat (?:has |is |was )?(?:changed?|different)|\bdifference\b|\bwhere did\b|\bgone\b|\blost\b/i

/** The answer to "what changed?" if the totals before and after it differ by whole layers.
 * @param {QuestionOnModel} subject @returns {Words | null} */
export function onChangedLayers({ question, text, model: { name, total }, sizes }) {
  if (!CHANGE.test(question) || !sizes) return null
  const totals = TOTALS_OF_CHANGE.map((pattern) => numberOfDigits(pattern.exec(text)?.[1] ?? ""))
  const [before, after] = totals
  const difference = Math.abs(after - before)
  const ofEachLayer = sizeOfEachLayer(name)
  const layers = difference / ofEachLayer
  if (!totals.includes(total) || !before || !after || !layers || !Number.isInteger(layers)) return null
  return words`The model ${after < before ? "lost" : "gained"} ${layers} ${noun(layers, "layer")} of ${ofEachLayer} parameters each: ${difference} in all.`
}
