// Decides what an account says about a number, given its likeliest meaning: whether there is anything
// to say, how the number ranks among those of its text, how certain its meaning is, and its model, line
// and bridge.

import { deviations, models, sumBy } from "../../counting/engine.js"
import { isRight } from "../../explaining/explain.js"
import { words } from "../words.js"
import { isOfGraphFile, weightsBelow } from "./file-sizes.js"
import { classOf, meaning, stepsUndoing } from "./meanings.js"
import { partMeant, partWithoutPart } from "./meant-parts.js"
import { isGeneric } from "./mentions.js"
import { fitsByChance, isInWrongUnit, modelOf, rivalOf } from "./resolving.js"
import { classAndTotal } from "./totals.js"

/** Whether a number that is not exact stands for a right total. Numbers in Chinese and Japanese
 * are often rounded further than their last digit shows, as in 1億1000万.
 * @param {ResolvedNumber} resolvedNumber */
export const isRoundedTotal = ({ quantity, first, agrees }) =>
  agrees && quantity.role === "count" && !quantity.number.exact && first !== null && isRight(first)

/** Whether a number may be about the same model as the one with which the headline begins. Operations must be those of
 * that model.
 * @param {ResolvedNumber} resolvedNumber @param {ResolvedNumber} headlineNumber */
export const isOfSameModel = ({ quantity, first }, headlineNumber) =>
  quantity.role !== "operations" || first?.models.some((name) => headlineNumber.first?.models.includes(name))

/** Whether the line of a number shows its meaning.
 * @param {ResolvedNumber} resolvedNumber @param {ResolvedNumber} headlineNumber */
export function showsMeaning(resolvedNumber, headlineNumber) {
  const { quantity, first, context, agrees } = resolvedNumber
  if (!first || !isOfSameModel(resolvedNumber, headlineNumber) || isOfGraphFile(resolvedNumber)) return false
  if (fitsByChance(first, quantity, context)) return false
  if (first.kind === "near" && !context.mention) return false
  return quantity.role !== "memory" || agrees || first.confidence !== "possible"
}

/** The rank of a number among those of a text. It is higher if the number is exact, agrees with the model or is right,
 * and lower if it is the size of a graph's file or counts trained parameters.
 * @param {ResolvedNumber} resolvedNumber */
export const rankOf = ({ quantity, first, agrees, context }) =>
  (quantity.number.exact ? 2 : 0) -
  (isOfGraphFile({ quantity, first, context }) ? 1 : 0) +
  (agrees ? 1 : 0) +
  (first && isRight(first) ? 1 : 0) -
  (quantity.roles.includes("trainable") ? 0.5 : 0)

const LIKELY_COST = 2.5 // the largest cost of a way that is at least likely if the words agree
const POSSIBLE_COST = 4 // the largest cost of a way that is only possible by itself, but likely if the words agree
const MAX_DISTANCE = 0.05 // the largest relative distance of a rounded number from the right one

/** Whether there is anything to say about a number. @param {ResolvedNumber} resolvedNumber */
export const hasAnswer = ({ first, context, quantity }) => {
  if (context.mention)
    return (
      quantity.role === "count" ||
      Boolean(first) ||
      isInWrongUnit(quantity, context.mention) ||
      weightsBelow(quantity, context.mention) !== null
    )
  if (!first || fitsByChance(first, quantity, context)) return false
  // A number with one significant digit, such as 100M, fits too many models. A number with a decimal, such as the Hub's
  // 0.1B params, is plainly rounded.
  const { low, high, decimals } = quantity.number
  const isPlainlyRounded = decimals > 0 && quantity.roles.includes("count")
  if (quantity.role === "count" && !isPlainlyRounded && Math.abs((2 * first.number) / (low + high) - 1) > MAX_DISTANCE)
    return false
  // If nothing shows that a number counts parameters, the nearest total means nothing.
  if (first.kind === "near" && !quantity.roles.includes("count") && !context.parts.length) return false
  if (quantity.role === "count") return true
  if (quantity.role === "memory") return first.cost <= LIKELY_COST || first.confidence !== "possible"
  return first.confidence !== "possible" || quantity.role !== "share" || context.parts.length > 0
}

/** The model that an answer is about, with its class, its total, and the sizes that it has instead of the published
 * ones; null if there is none.
 * @param {ResolvedNumber} resolvedNumber */
export function modelOfAnswer({ first, context, agrees }) {
  const { mention } = context
  if (first && (agrees || !mention) && first.models.length && first.kind !== "near") {
    const name = modelOf(first, mention)
    const modelClass = classOf(first, context) ?? classAndTotal(name).modelClass
    const isTotal = first.kind === "labels" || (first.kind === "total" && isRight(first))
    return {
      name,
      modelClass,
      total: isTotal ? first.number : classAndTotal(name, modelClass).total,
      sizes: first.sizes,
    }
  }
  if (mention?.models.length) {
    const [name] = mention.models
    return { name, ...classAndTotal(name), sizes: {} }
  }
  return null
}

/** The number of figures in a number as it is typed. @param {string} typed */
const figuresOf = (typed) => typed.replace(/[^0-9]/g, "").length

/** The confidence in the answer about a number.
 * @param {ResolvedNumber} resolvedNumber @returns {Account["confidence"]} */
export function confidenceOf(resolvedNumber) {
  const { first, context, agrees, cost, quantity } = resolvedNumber
  const { mention } = context
  if (!first) return mention ? "likely" : "possible"
  if (mention && !agrees) return isGeneric(mention) ? "possible" : "likely"
  if (first.kind === "near" || isOfGraphFile(resolvedNumber)) return "possible"
  // A rounded number with at most two figures, such as 84M, fits too many mistakes to suggest one.
  if (first.mistakes.length && !quantity.number.exact && figuresOf(quantity.typed) < 3) return "possible"
  if (rivalOf(resolvedNumber)) return first.confidence === "possible" && !mention ? "possible" : "likely"
  if (mention && agrees && cost <= LIKELY_COST) return isRight(first) || quantity.number.exact ? "certain" : "likely"
  if (mention && agrees && cost <= POSSIBLE_COST && first.confidence === "possible") return "likely"
  return first.confidence
}

/** The words for the meaning of a number; empty if it is not known. @param {ResolvedNumber} resolvedNumber */
export function meaningInWords(resolvedNumber) {
  const { first, context, agrees } = resolvedNumber
  if (!first || (!agrees && context.mention)) return []
  const name = modelOf(first, context.mention)
  const withoutPart = partWithoutPart(resolvedNumber, name)
  if (withoutPart) return withoutPart
  const rival = rivalOf(resolvedNumber)
  return rival
    ? words`${meaning(first, name, context)}; or ${meaning(rival, name, context)}`
    : meaning(first, name, context)
}

/** The right number; null if it is not known, and for a number with mistakes, an amount of memory or a share.
 * @param {ResolvedNumber} resolvedNumber */
export function rightNumberOf({ quantity, first, context, agrees }) {
  if (first && (agrees || !context.mention))
    return first.mistakes.length || first.kind === "memory" || first.kind === "share" ? null : first.number
  const [name] = context.mention?.models ?? []
  return name ? (partMeant({ quantity, first, context }, name)?.number ?? classAndTotal(name).total) : null
}

/** A bridge from a number with mistakes to the right one; null if there is none.
 * @param {ResolvedNumber} resolvedNumber @returns {AccountBridge | null} */
export function bridgeOf({ first, context, quantity, agrees }) {
  if (!first?.mistakes.length || !["total", "labels", "size"].includes(first.kind) || !quantity.number.exact)
    return null
  if (context.mention && !agrees) return null
  const name = modelOf(first, context.mention)
  const sizes = { ...models.get(name).sizes, ...first.sizes }
  if (first.mistakes.some((mistake) => !deviations.has(mistake))) return null
  const modelClass = first.classes[0] ?? classAndTotal(name).modelClass
  const steps = stepsUndoing(modelClass, sizes, first.mistakes)
  const end = first.number + sumBy(steps, ({ value }) => value)
  return {
    start: first.number,
    startLabel: "your number",
    steps,
    end,
    endLabel: `${models.get(name).title}, as ${modelClass}`,
  }
}
