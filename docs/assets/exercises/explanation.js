// Explains a wrong answer to an exercise as the page "I got a different number" does. The page of exercises loads this
// module, and with it all known numbers, only when a reader begins to answer.

import exercises from "../../data/exercises.js"
import { sentence } from "../answering/sentences.js"
import { fillIn } from "../counting/messages.js"
import { explainInSteps, isRight, LIKELY, prepare } from "../explaining/explain.js"
import { readAs } from "./judge.js"

const { texts } = exercises

/** Prepares the search for explanations, so that the first answer need not wait for it. */
export const prepareExplanation = () => prepare()

/** The explanation of a wrong number, as elements; empty if there is none, or if it would give the answer away.
 * A plain number that ends in 000 and has no explanation gets a note on rounding.
 *
 * The explanation is the likeliest one from the page "I got a different number" that suits a beginner and is related to
 * the question: the right total of a model in the exercises, or anything about the model in question except a change to
 * it. Coincidences and differences do not suit. Neither does a part that equals the result of a sum, because its terms
 * would have shown it.
 * @param {string} text @param {Pick<Exercise, "answer" | "unit" | "model" | "sizes">} exercise
 * @param {boolean} isSlip  whether the answer looks like a typing error, in which case only a certain explanation is
 * likelier
 * @returns {Promise<Content[]>} */
export async function explanation(text, { answer, unit, model, sizes }, isSlip) {
  const typedNumber = readAs(text, unit, sizes)
  const isPlain = typedNumber?.exact && typedNumber.amount === "count"
  const textWithUnit = isPlain ? `${typedNumber.low} ${unit}` : text
  // A plain number means the unit of the question, so explanations that assume another unit are dropped.
  const explanations = ((await explainInSteps(textWithUnit)) ?? []).filter(({ reading }) => !reading.isUnitAssumed)
  const familiarModels = [model, ...exercises.draw.models]
  /** Whether an explanation suits a beginner. @param {Explanation} candidate */
  const isPlausible = (candidate) => {
    const { kind, models, terms, confidence, reading } = candidate
    return (
      kind !== "near" &&
      kind !== "change" &&
      (kind !== "part" || !typedNumber?.typedSum) &&
      (models.includes(model) || (isRight(candidate) && familiarModels.includes(models[0]))) &&
      terms.every(({ times }) => times > 0) && // a difference has a negative term
      (confidence !== "possible" || reading.uncertainty > 0) // an exact number that is only possible is a coincidence
    )
  }
  const [first] = explanations.filter((candidate) => candidate.number !== answer && isPlausible(candidate))
  // A number with this many trailing zeros is most likely rounded.
  if (!first && isPlain && /000$/.test(String(typedNumber.low)))
    return [fillIn(texts.round, { number: typedNumber.low })]
  const isSure = first === explanations[0] && first?.confidence === "certain"
  // The verdict already states that a number is too small to be a count, unless a certain explanation is about this
  // model.
  const isTooSmall = typedNumber?.exact && typedNumber.low < sizes.H && !(isSure && first.models.includes(model))
  if (!first || isTooSmall || (isSlip && !isSure)) return []
  const hasMistake = first.mistakes.length > 0 || Object.keys(first.sizes).length > 0
  const likelyOpening = hasMistake ? "You probably counted something else. " : ""
  const opening = first.confidence === "possible" ? "Did you perhaps count something else? " : likelyOpening
  // If a rounded number fits several, the likeliest is still a better guess than coincidence.
  const guess = first.reading.uncertainty ? { ...first, confidence: LIKELY } : first
  return [opening, ...sentence(guess, model)]
}
