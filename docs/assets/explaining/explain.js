// Explains a number: finds the ways to it, ranks them from the likeliest to the least
// likely, and rates the confidence in each.
//
// A way fits a text if its number is in one of the windows of the text's readings. Its
// probability depends on its cost, on everything else that fits, and on everything that
// we have not thought of. The docstring of macros/counting/search/__init__.py explains
// the method in full, with examples and open questions; the costs and limits are in
// macros/counting/data/search.toml. Here, `costAsExplanation` adds up the costs of a way,
// `weightOfUnknown` returns the weight of the unknown, and `withConfidence` compares the two.

import table from "../../data/table.js"
import { deviations, models as everyModel, sumBy } from "../counting/engine.js"
import { findMeanings as entries } from "./entries.js"
import { findMeanings as changes } from "./kinds/changes.js"
import { findMeanings as memory } from "./kinds/memory.js"
import { nearestNumbers, numbersBySlip } from "./kinds/near.js"
import { countedModels, findMeanings as operations } from "./kinds/operations.js"
import { isWithDecoder, findMeanings as parts, partsWithin } from "./kinds/parts.js"
import { isAnyCalledByFigure, findMeanings as quoted } from "./kinds/quoted.js"
import { findMeanings as shares } from "./kinds/shares.js"
import { findMeanings as sizes } from "./kinds/sizes.js"
import { knownTotalsWithin, linesBySize } from "./known-numbers.js"
import { costOfFit, readings } from "./readings.js"
import { agreeingWith, restrictsModels } from "./typed-sizes.js"
import { BLANK_MEANING, byCost, costOfModel, groupByValue, isPublishedBert } from "./ways.js"

const { costs, limits, odds, unknown } = table.explanations
/** The functions that find the meanings of a reading, one for each kind of explanation. */
const MEANING_FINDERS = [entries, parts, changes, sizes, memory, shares, operations, quoted]

/** The distinct items of several lists. @template T @param {T[][]} lists */
const union = (lists) => [...new Set(lists.flat())]

/** The explanations, with those merged that differ only in model, class, source, reading or cost. A merged explanation
 * is the likeliest of its group, extended by the models that share its class and the classes that share its models.
 * @param {Explanation[]} explanations */
function mergeAlike(explanations) {
  const ignoredFields = { models: [], classes: [], cost: 0, printed_in: [], reading: null }
  return groupByValue(explanations, (explanation) => ({ ...explanation, ...ignoredFields })).map((group) => {
    const likeliest = group.reduce((best, other) => (other.cost < best.cost ? other : best))
    const sameModels = group.filter(({ models }) => models.join() === likeliest.models.join())
    // A formula for the whole model applies to any class.
    const sameClasses = group.filter(({ classes }) => ["", likeliest.classes.join()].includes(classes.join()))
    return {
      ...likeliest,
      models: union(sameClasses.map(({ models }) => models)),
      classes: union(sameModels.map(({ classes }) => classes)),
      printed_in: union(group.map((explanation) => explanation.printed_in)),
    }
  })
}

/** Whether a meaning is the correct total, in parameters or bytes, of a model with its own sizes.
 * @param {Meaning} meaning */
export const isRight = ({ kind, mistakes, parts, terms, sizes }) =>
  ["total", "other", "memory"].includes(kind) && ![mistakes, parts, terms, Object.keys(sizes)].flat().length

/** The correct totals that are equal to a number, those of likelier models first. @param {number} number */
export const correctTotals = (number) =>
  knownTotalsWithin(number, number)
    .map((known) => ({ ...BLANK_MEANING, ...known }))
    .filter(isRight)
    .sort(byCost)

const OWN_VOCABULARY_COST = 1.5 // the additional cost of a replaced vocabulary if the number is also a correct total

/** The ways, with a higher cost for a replaced vocabulary if another way to the same number is the correct total of a
 * model.
 * @param {Explanation[]} ways */
function demoteOwnVocabularies(ways) {
  const rightTotals = ways.filter((explanation) => explanation.kind === "total" && isRight(explanation))
  /** Whether an explanation replaces the vocabulary without any mistake, and its number is a correct total. */
  const isDemoted = (/** @type {Explanation} */ { kind, mistakes, number, sizes }) =>
    kind === "size" && !mistakes.length && sizes.V && rightTotals.some((explanation) => explanation.number === number)
  return ways.map((explanation) =>
    isDemoted(explanation) ? { ...explanation, cost: explanation.cost + OWN_VOCABULARY_COST } : explanation,
  )
}

// Above this uncertainty, a number was rounded to be remembered, and not merely printed with a unit.
const ROUGH_UNCERTAINTY = 0.0005

/** The additional cost of a roughly rounded number; 0 for a correct total, because such totals are often rounded.
 * @param {Meaning} meaning */
function costOfRounding(meaning) {
  const isModule = meaning.kind === "part" && isWithDecoder(meaning)
  const hasMistake = meaning.mistakes.length && !meaning.printed_in.length && !isModule
  return isRight(meaning) ? 0 : costs.ways["rounded-other"] + (hasMistake ? costs.ways["rounded-mistake"] : 0)
}

/** Whether a meaning has more than one mistake, and a source prints exactly the number that was typed. Hardly anybody
 * makes the same combination of mistakes independently, so such a number was probably copied from the source.
 * @param {Meaning} meaning @param {Reading} reading */
const hasPrintedMistakes = ({ printed_in: prints, mistakes }, { printedBounds }) =>
  mistakes.length > 1 && prints.some(({ low, high }) => low === printedBounds[0] && high === printedBounds[1])

/** Whether a meaning is the correct total of a model that people fine-tune, perhaps with a number of labels of its own.
 * Fine-tuning usually trains the whole model.
 * @param {Meaning} meaning */
const isWholeModel = ({ kind, mistakes, parts, terms }) =>
  ["total", "labels"].includes(kind) && ![mistakes, parts, terms].flat().length

/** The cost of a meaning as an explanation of a reading; Infinity if its number is in none of the reading's windows.
 * @param {Meaning} meaning @param {Reading} reading */
function costAsExplanation(meaning, reading) {
  const roundingCost = reading.uncertainty > ROUGH_UNCERTAINTY ? costOfRounding(meaning) : 0
  const sourceCost = hasPrintedMistakes(meaning, reading) ? -costs.ways.printed : roundingCost
  const isTrainable =
    meaning.isTrainable || isWholeModel(meaning) || meaning.mistakes.some((name) => name.startsWith("lora"))
  const untrainedCost = reading.trainable && !isTrainable ? costs.ways.trainable : 0
  // A model's correct total is as likely as a well-known number if the model is called by this figure.
  const isCalledByFigure =
    reading.uncertainty && meaning.kind === "total" && isRight(meaning) && isAnyCalledByFigure(meaning.models, reading)
  const cost = isCalledByFigure ? Math.min(meaning.cost, costs.ways.known) : meaning.cost
  return cost + reading.cost + costOfFit(meaning.number, reading) + sourceCost + untrainedCost
}

/** The explanations of a kind that fit a reading and are not too unlikely. Correct totals are kept even if the model is
 * rare, and so are correct parts if the number is exact. A rounded number has thousands of meanings that do not fit
 * well enough, so only those that do are copied.
 * @param {FindMeanings} findMeanings @param {Reading} reading @param {string} model @returns {Explanation[]} */
function fittingExplanations(findMeanings, reading, model) {
  /** @type {Explanation[]} */
  const explanations = []
  for (const meaning of findMeanings(reading, model)) {
    const cost = costAsExplanation(meaning, reading)
    const isPart = meaning.kind === "part" && !meaning.mistakes.length && !reading.uncertainty
    if (cost <= limits.max_cost || (Number.isFinite(cost) && (isPart || isRight(meaning))))
      explanations.push({ ...meaning, reading, cost })
  }
  return explanations
}

/** The weight of all unknown ways that would fit equally well, as a multiple of the weight of a way that costs nothing.
 * @param {Explanation} explanation */
function weightOfUnknown({ models, number, frame, reading }) {
  if (reading.amount === "share") return unknown.share * reading.uncertainty
  if (frame) return (unknown.file * limits.max_frame) / number // because any slightly larger file fits
  if (reading.uncertainty) return unknown.rounded * reading.uncertainty
  // Nearly all totals with the same hidden size H leave the same remainder modulo H, so only one number in H can fit.
  const step = models.length ? everyModel.get(models[0]).sizes.H : 1
  return unknown.exact * Math.min(step / Math.max(number, 1), unknown.max_part)
}

/** The explanations with their confidence. It follows from the smaller of two shares: that of the number among all
 * numbers that fit, and that of the explanation against the unknown.
 * @param {Explanation[]} explanations @returns {Explanation[]} */
function withConfidence(explanations) {
  /** The weight of an explanation, which each point of cost divides by `odds`. */
  const weightOf = (/** @type {Explanation} */ { cost }) => odds ** -cost
  const weightByNumber = new Map()
  for (const explanation of explanations)
    weightByNumber.set(explanation.number, (weightByNumber.get(explanation.number) ?? 0) + weightOf(explanation))
  const allWeight = sumBy(explanations, weightOf)
  return explanations.map((explanation) => {
    const [weight, unknownWeight] = [weightOf(explanation), weightOfUnknown(explanation)]
    const shareOfNumber = weightByNumber.get(explanation.number) / (allWeight + unknownWeight)
    const share = Math.min(shareOfNumber, weight / (weight + unknownWeight))
    return { ...explanation, confidence: confidenceOf(share, explanation.hasUnusualSize) }
  })
}

/** The confidence that a share gives. Solving for a size fits many numbers, so an unusual size is never certain.
 * @param {number} share @param {boolean} hasUnusualSize @returns {Explanation["confidence"]} */
function confidenceOf(share, hasUnusualSize) {
  if (share >= limits.certain && !hasUnusualSize) return "certain"
  return share >= limits.likely ? LIKELY : "possible"
}

/** The distance of an explanation from the published BERTs: 0 if it is about one of them or about no particular model,
 * 1 if it is only about relatives, and 2 if it is about models whose totals are all that we know.
 * @param {Explanation} explanation */
function distanceFromBert({ kind, models }) {
  if (kind === "other") return 2
  return models.length > 0 && !models.some(isPublishedBert) ? 1 : 0
}

const LAST_KINDS = ["memory", "other"] // the kinds that come after others of equal cost, in this order

/** Whether an explanation is about the memory of a miscounted model. Only a model as it is can be stored, perhaps
 * without a part such as the pooler, as by a convention.
 * @param {Explanation} explanation */
const isStoredWithMistakes = ({ kind, mistakes }) =>
  kind === "memory" && mistakes.some((name) => deviations.get(name).kind !== "convention")

/** Compares two explanations, for sorting by cost. Several criteria break ties: for example, explanations with replaced
 * sizes or changed models come last, and published BERTs come before other models.
 * @param {Explanation} one @param {Explanation} other */
const compareExplanations = (one, other) =>
  one.cost - other.cost ||
  Number(isStoredWithMistakes(one)) - Number(isStoredWithMistakes(other)) ||
  Number(one.hasUnusualSize) - Number(other.hasUnusualSize) ||
  Number(one.kind === "size") - Number(other.kind === "size") ||
  Number(one.kind === "change") - Number(other.kind === "change") ||
  distanceFromBert(one) - distanceFromBert(other) ||
  Number(isRight(other)) - Number(isRight(one)) ||
  LAST_KINDS.indexOf(one.kind) - LAST_KINDS.indexOf(other.kind) ||
  one.mistakes.length - other.mistakes.length ||
  costOfModel(one.models[0]) - costOfModel(other.models[0])

/** Every way to a number, as `explain` returns them, computed step by step: the generator yields between pieces of
 * work.
 * @param {string} text @param {string} model @returns {Generator<void, Explanation[] | null>} */
function* explanationSteps(text, model) {
  const allReadings = readings(text, modelForLetters(model).sizes)
  if (!allReadings) return null
  const [typedReading] = allReadings
  if (typedReading.low > limits.max_number && typedReading.amount === "count") return []
  // Anything may be 0 or 1, so these are not looked up.
  if (typedReading.exact && typedReading.low <= 1 && typedReading.amount === "count") return []
  /** Whether a meaning applies to the model that the reader chose; true if the reader chose none.
   * @param {Meaning} meaning */
  const hasChosenModel = (meaning) => !model || meaning.models.includes(model)
  const narrowToSizes = agreeingWith(typedReading.typedSum)
  /** Whether a share is a reduction if the text says "smaller"; true for all other meanings.
   * @param {Meaning} meaning */
  const hasTypedDirection = ({ kind, isReduction }) => kind !== "share" || isReduction || !typedReading.smaller
  const isExactCount = typedReading.exact && typedReading.amount === "count" && typedReading.low > 0
  /** @type {Explanation[]} */
  const explanations = []
  for (const reading of allReadings) {
    for (const findMeanings of MEANING_FINDERS) {
      for (const candidate of fittingExplanations(findMeanings, reading, model)) {
        const explanation = narrowToSizes(candidate)
        if (explanation && hasChosenModel(explanation) && hasTypedDirection(explanation)) explanations.push(explanation)
      }
      yield
    }
  }
  const ways = demoteOwnVocabularies(mergeAlike(explanations))
  yield
  const knownWays = withConfidence(ways).sort(compareExplanations)
  /** Whether a meaning applies to the chosen model and agrees with the sizes in a typed sum.
   * @param {Meaning} meaning */
  const isMeant = (meaning) => hasChosenModel(meaning) && narrowToSizes(meaning) !== null
  return isExactCount && !typedReading.bare ? withNearNumbers(knownWays, typedReading, isMeant) : knownWays
}

const MAX_COST_OF_LIKELY_SLIP = costs.ways.slip + 1 // the largest cost of a slip that is likely

/** The ways to an exact count, with slips and near numbers added. If a way is likely or certain, near numbers are not
 * added. If the first way is then exact and others are rounded, only the exact ones are returned; otherwise, slips are
 * added if the first of them costs less than the first way.
 * @param {Explanation[]} knownWays  the likeliest first @param {Reading} typedReading  the number as typed
 * @param {(meaning: Meaning) => boolean} isMeant */
function withNearNumbers(knownWays, typedReading, isMeant) {
  const isSure = knownWays.some(({ confidence }) => confidence !== "possible")
  // If the exact number has an explanation, it was not rounded.
  if (isSure && !knownWays[0].reading.uncertainty && knownWays.some(({ reading }) => reading.uncertainty))
    return knownWays.filter(({ reading }) => !reading.uncertainty)
  if (isSure && knownWays[0].cost <= costs.ways["off-by-one"]) return knownWays
  // A slip in a number that people often copy is called likely without being weighed, because nothing likelier explains
  // the typed one. In a rarer number, it is only a guess.
  const slips = numbersBySlip(typedReading.low, isMeant).map((slip) => ({
    ...slip,
    reading: typedReading,
    confidence: slip.cost > MAX_COST_OF_LIKELY_SLIP ? /** @type {const} */ ("possible") : LIKELY,
  }))
  if (isSure) return slips.length && slips[0].cost < knownWays[0].cost ? [...slips, ...knownWays] : knownWays
  // Nobody mistypes the result of a sum with the sizes of a model, so a total that is merely near is a coincidence.
  const nearNumbers = (restrictsModels(typedReading.typedSum) ? [] : nearestNumbers(typedReading.low, isMeant))
    .filter(({ number }) => !slips.some((slip) => slip.number === number))
    .map((meaning) => ({ ...meaning, reading: typedReading }))
  return slips[0]?.confidence === LIKELY
    ? [...slips, ...nearNumbers, ...knownWays]
    : [...knownWays, ...slips, ...nearNumbers]
}

/** Every way to a number, the likeliest first; null if the text contains no number.
 * @param {string} text @param {string} model  the name of the only model to consider, or "" for any
 * @returns {Explanation[] | null} */
export function explain(text, model = "") {
  const steps = explanationSteps(text, model)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/** Every way to a whole number, the likeliest first.
 * @param {number} number @param {string} [model]  as for `explain` */
export const waysTo = (number, model) => explain(String(number), model) ?? []

/** Whether a way leads to the number itself, and is more than merely possible. @param {Explanation} way */
export const isPlausible = ({ kind, confidence }) => kind !== "near" && confidence !== "possible"

const MAX_WORK = 40 // milliseconds between two pauses; the reader would notice a longer delay while typing

/** Resolves once the page has had time to respond. */
const pause = () => new Promise((resolve) => setTimeout(resolve))

/** Every way to a number, as `explain` returns them. Longer work is interrupted by pauses, so that the page stays
 * responsive.
 * @param {string} text @param {string} model @returns {Promise<Explanation[] | null>} */
export async function explainInSteps(text, model = "") {
  if (!isPrepared) await prepare()
  const steps = explanationSteps(text, model)
  let start = performance.now()
  let step = steps.next()
  while (!step.done) {
    if (performance.now() - start > MAX_WORK) {
      await pause()
      start = performance.now()
    }
    step = steps.next()
  }
  return step.value
}

/** The model whose sizes replace letters: the chosen one, or the first.
 * @param {string} model  its name, or "" */
export const modelForLetters = (model) => (model ? everyModel.get(model) : table.models[0])

/** The confidence of an explanation that is likely, but not certain. */
export const LIKELY = /** @type {const} */ ("likely")

// Functions, each of which builds a table that would otherwise be built on first use.
const PREPARATIONS = [
  () => knownTotalsWithin(1, 1),
  () => partsWithin(1, 1),
  linesBySize,
  () => nearestNumbers(1, () => true),
  countedModels,
]

let isPrepared = false

/** Builds the tables that answers need, with a pause before each, so that the page stays responsive. */
export async function prepare() {
  for (const prepareTable of PREPARATIONS) {
    await pause()
    prepareTable()
  }
  isPrepared = true
}
