// Explains a number: finds every way to it, the likeliest first, each with how sure it is.
//
// A way fits a text if its number is in one of the windows that the text stands for.
// How likely it is follows from its cost, from everything else that fits, and from
// everything that we have not thought of. The head of
// macros/counting/search/__init__.py explains this from beginning to end, with
// examples and doubts; the figures are in macros/counting/data/search.toml. Here,
// `costAs` adds up the costs of a way, `weightOfUnknown` gives the weight of the unknown,
// and `withConfidence` compares.

import table from "../../data/table.js"
import { models as everyModel, sumBy } from "../counting/engine.js"
import { agreeingWith, restrictsModels } from "./agreeing.js"
import { kind as entries } from "./entries.js"
import { kind as changes } from "./kinds/changes.js"
import { kind as memory } from "./kinds/memory.js"
import { byDistance, bySlip } from "./kinds/near.js"
import { countedModels, kind as operations } from "./kinds/operations.js"
import { isWithDecoder, kind as parts, partsWithin } from "./kinds/parts.js"
import { areCalled, kind as quoted } from "./kinds/quoted.js"
import { kind as shares } from "./kinds/shares.js"
import { kind as sizes } from "./kinds/sizes.js"
import { knownTotalsWithin, linesBySize } from "./known-numbers.js"
import { costOfFit, readings } from "./readings.js"
import { costOfModel, groupByValue, isPublishedBert } from "./ways.js"

const { costs, limits, odds, unknown } = table.explanations
/** The kinds of explanations, each a function that returns those that fit a reading. */
const KINDS = [entries, parts, changes, sizes, memory, shares, operations, quoted]

/** The items of some lists, each once. @template T @param {T[][]} lists */
const union = (lists) => [...new Set(lists.flat())]

/** Explanations after a merge of those that differ only in model, class or source. A merged one costs as much as the
 * likeliest of them, and names the models and classes that share its class or its model; others are left out.
 * @param {Explanation[]} explanations */
function mergeAlike(explanations) {
  const ignoredFields = { models: [], classes: [], cost: 0, printed_in: [], reading: null }
  return groupByValue(explanations, (one) => ({ ...one, ...ignoredFields })).map((group) => {
    const likeliest = group.reduce((best, other) => (other.cost < best.cost ? other : best))
    const sameModels = group.filter(({ models }) => models.join() === likeliest.models.join())
    // A formula that stands for the whole model belongs to any class.
    const sameClasses = group.filter(({ classes }) => ["", likeliest.classes.join()].includes(classes.join()))
    return {
      ...likeliest,
      models: union(sameClasses.map(({ models }) => models)),
      classes: union(sameModels.map(({ classes }) => classes)),
      printed_in: union(group.map((one) => one.printed_in)),
    }
  })
}

/** Whether a meaning is a right total, in parameters or bytes, of a model with its own sizes.
 * @param {Meaning} meaning */
export const isRight = ({ kind, mistakes, parts, terms, sizes }) =>
  ["total", "other", "memory"].includes(kind) && ![mistakes, parts, terms, Object.keys(sizes)].flat().length

const OWN_VOCABULARY = 1.5 // the further cost of a vocabulary that a published model has as its own

/** The ways, in which another vocabulary costs more if a published model among them has it as its own.
 * @param {Explanation[]} ways */
function demoteOwnVocabularies(ways) {
  const rightTotals = ways.filter((one) => one.kind === "total" && isRight(one))
  /** Whether an explanation replaces the vocabulary and comes to a right total all the same. */
  const isOwn = (/** @type {Explanation} */ { kind, mistakes, number, sizes }) =>
    kind === "size" && !mistakes.length && sizes.V && rightTotals.some((one) => one.number === number)
  return ways.map((one) => (isOwn(one) ? { ...one, cost: one.cost + OWN_VOCABULARY } : one))
}

// From this width on a number was rounded to be remembered, and not merely printed with a unit.
const ROUGH = 0.0005

/** The further cost in a wide window: people round totals rather than anything else.
 * @param {Meaning} meaning */
function costOfRounding(meaning) {
  const isModule = meaning.kind === "part" && isWithDecoder(meaning)
  const hasMistake = meaning.mistakes.length && !meaning.printed_in.length && !isModule
  return isRight(meaning) ? 0 : costs.ways["rounded-other"] + (hasMistake ? costs.ways["rounded-mistake"] : 0)
}

/** Whether a source prints exactly what was typed, and with more than one mistake. Hardly anybody makes the same
 * combination of mistakes independently.
 * @param {Meaning} meaning @param {Reading} reading */
const hasPrintedMistakes = ({ printed_in: prints, mistakes }, { printedBounds }) =>
  mistakes.length > 1 && prints.some(({ low, high }) => low === printedBounds[0] && high === printedBounds[1])

/** The cost of a meaning if a text is read in one way; Infinity if its number is in none of the windows.
 * @param {Meaning} meaning @param {Reading} reading */
function costAs(meaning, reading) {
  const ifRounded = reading.uncertainty > ROUGH ? costOfRounding(meaning) : 0
  const inPrint = hasPrintedMistakes(meaning, reading) ? -costs.ways.printed : ifRounded
  const isTrained = meaning.trained || meaning.mistakes.some((name) => name.startsWith("lora"))
  const untrained = reading.trainable && !isTrained ? costs.ways.trainable : 0
  // The right total of a model that is called by this figure is as likely as one in print.
  const isCalled =
    reading.uncertainty && meaning.kind === "total" && isRight(meaning) && areCalled(meaning.models, reading)
  const cost = isCalled ? Math.min(meaning.cost, costs.ways.known) : meaning.cost
  return cost + reading.cost + costOfFit(meaning.number, reading) + inPrint + untrained
}

/** The explanations of a kind that fit a reading and are not too unlikely. Right totals are kept however
 * rare the model, and so are right parts if the number is exact. A rounded number has thousands of
 * meanings that do not fit well enough, so only those that do are copied.
 * @param {Kind} kind @param {Reading} reading @param {string} model @returns {Explanation[]} */
function fitting(kind, reading, model) {
  /** @type {Explanation[]} */
  const explanations = []
  for (const meaning of kind(reading, model)) {
    const cost = costAs(meaning, reading)
    const isPart = meaning.kind === "part" && !meaning.mistakes.length && !reading.uncertainty
    if (cost <= limits.max_cost || (Number.isFinite(cost) && (isPart || isRight(meaning))))
      explanations.push({ ...meaning, reading, cost })
  }
  return explanations
}

/** The weight of everything that we do not know of and that fits as well, in units of a way that costs
 * nothing.
 * @param {Explanation} explanation */
function weightOfUnknown({ models, number, frame, reading }) {
  if (reading.amount === "share") return unknown.share * reading.uncertainty
  if (frame) return (unknown.file * limits.max_frame) / number // any slightly larger file fits
  if (reading.uncertainty) return unknown.rounded * reading.uncertainty
  // Nearly all totals of one hidden size leave the same remainder, so chance can hit only one number in H.
  const step = models.length ? everyModel.get(models[0]).sizes.H : 1
  return unknown.exact * Math.min(step / Math.max(number, 1), unknown.max_part)
}

/** Explanations with their confidence. It follows from the smaller of two shares: that of the number among
 * all numbers that fit, and that of the explanation beside the unknown.
 * @param {Explanation[]} explanations @returns {Explanation[]} */
function withConfidence(explanations) {
  /** The weight of an explanation: each point of cost divides it by `odds`. */
  const weightOf = (/** @type {Explanation} */ { cost }) => odds ** -cost
  const weightByNumber = new Map()
  for (const one of explanations) weightByNumber.set(one.number, (weightByNumber.get(one.number) ?? 0) + weightOf(one))
  const allWeight = sumBy(explanations, weightOf)
  return explanations.map((one) => {
    const [weight, unknownWeight] = [weightOf(one), weightOfUnknown(one)]
    const shareOfNumber = weightByNumber.get(one.number) / (allWeight + unknownWeight)
    const share = Math.min(shareOfNumber, weight / (weight + unknownWeight))
    return { ...one, confidence: confidenceOf(share, one.hasUnusualSize) }
  })
}

/** How sure a share is. A size that is solved for fits many numbers, so it is certain only if people use that size.
 * @param {number} share @param {boolean} hasUnusualSize @returns {Explanation["confidence"]} */
function confidenceOf(share, hasUnusualSize) {
  if (share >= limits.certain && !hasUnusualSize) return "certain"
  return share >= limits.likely ? LIKELY : "possible"
}

/** The distance of an explanation from the published BERTs: 0 if it is about one of them, 1 if it is about relatives
 * alone, and 2 if it is about models whose totals alone are known.
 * @param {Explanation} explanation */
function distance({ kind, models }) {
  if (kind === "other") return 2
  return models.length > 0 && !models.some(isPublishedBert) ? 1 : 0
}

const LAST_KINDS = ["memory", "other"] // the kinds that come after others of equal cost, in this order

/** The order of answers: by cost; among equal costs, other sizes come last, then what is about no published BERT, and right
 * totals come before mistakes.
 * @param {Explanation} one @param {Explanation} other */
const order = (one, other) =>
  one.cost - other.cost ||
  Number(one.kind === "size") - Number(other.kind === "size") ||
  distance(one) - distance(other) ||
  Number(isRight(other)) - Number(isRight(one)) ||
  LAST_KINDS.indexOf(one.kind) - LAST_KINDS.indexOf(other.kind) ||
  one.mistakes.length - other.mistakes.length ||
  costOfModel(one.models[0]) - costOfModel(other.models[0])

/** The same as `explain`, with a pause after each piece of work.
 * @param {string} text @param {string} model @returns {Generator<void, Explanation[] | null>} */
function* explaining(text, model) {
  const list = readings(text, meantBy(model).sizes)
  if (!list) return null
  const [plainly] = list
  if (plainly.low > limits.max_number && plainly.amount === "count") return []
  // There is one of everything, so 0 and 1 are not looked up.
  if (plainly.exact && plainly.low <= 1 && plainly.amount === "count") return []
  /** Whether a meaning is true of the model that the reader chose. @param {Meaning} meaning */
  const holds = (meaning) => !model || meaning.models.includes(model)
  const ofSizes = agreeingWith(plainly.typedSum)
  /** Whether a share is one of "smaller" if the text says so. @param {Meaning} meaning */
  const agrees = ({ kind, isReduction }) => kind !== "share" || isReduction || !plainly.smaller
  const isExactCount = plainly.exact && plainly.amount === "count" && plainly.low > 0
  /** @type {Explanation[]} */
  const fits = []
  for (const reading of list) {
    for (const kind of KINDS) {
      for (const any of fitting(kind, reading, model)) {
        const one = ofSizes(any)
        if (one && holds(one) && agrees(one)) fits.push(one)
      }
      yield
    }
  }
  const ways = demoteOwnVocabularies(mergeAlike(fits))
  yield
  const knownWays = withConfidence(ways).sort(order)
  /** Whether a meaning is true of the chosen model and agrees with the sizes in a typed sum. @param {Meaning} meaning */
  const isMeant = (meaning) => holds(meaning) && ofSizes(meaning) !== null
  return isExactCount && !plainly.bare ? withNear(knownWays, plainly, isMeant) : knownWays
}

/** The ways to an exact count, with slips and near numbers unless something surely gives the number.
 * @param {Explanation[]} knownWays  the likeliest first @param {Reading} plainly  the number as it is typed
 * @param {(meaning: Meaning) => boolean} isMeant */
function withNear(knownWays, plainly, isMeant) {
  const isSure = knownWays.some(({ confidence }) => confidence !== "possible")
  // If the number itself is known, it was not rounded.
  if (isSure && !knownWays[0].reading.uncertainty && knownWays.some(({ reading }) => reading.uncertainty))
    return knownWays.filter(({ reading }) => !reading.uncertainty)
  if (isSure && knownWays[0].cost <= costs.ways["off-by-one"]) return knownWays
  // A slip is called likely without being weighed, because nothing likelier gives the number.
  const slips = bySlip(plainly.low, isMeant).map((slip) => ({ ...slip, reading: plainly, confidence: LIKELY }))
  if (isSure) return slips.length && slips[0].cost < knownWays[0].cost ? [...slips, ...knownWays] : knownWays
  // Nobody mistypes the result of a sum with the sizes of a model, so a total that is merely near is a coincidence.
  const near = (restrictsModels(plainly.typedSum) ? [] : byDistance(plainly.low, isMeant))
    .filter(({ number }) => !slips.some((slip) => slip.number === number))
    .map((one) => ({ ...one, reading: plainly }))
  return slips.length ? [...slips, ...near, ...knownWays] : [...knownWays, ...near]
}

/** Every way to a number, the likeliest first; null if the text holds no number.
 * @param {string} text @param {string} model  the name of the only model that is meant, or "" for any
 * @returns {Explanation[] | null} */
export function explain(text, model = "") {
  const steps = explaining(text, model)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

const MAX_WORK = 40 // milliseconds of work between two pauses; a longer one would be felt while typing

/** Resolves once the page has had time to respond. */
const pause = () => new Promise((resolve) => setTimeout(resolve))

/** The same as `explain`, with pauses in which the page can respond to its reader; without any if it is quick.
 * @param {string} text @param {string} model @returns {Promise<Explanation[] | null>} */
export async function explainInSteps(text, model = "") {
  if (!isPrepared) await prepare()
  const steps = explaining(text, model)
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

/** The model whose sizes letters stand for: the one that is chosen, or the first.
 * @param {string} model  its name, or "" */
export const meantBy = (model) => (model ? everyModel.get(model) : table.models[0])

export const LIKELY = /** @type {const} */ ("likely")

// Each of these makes one of the tables that are made when they are first needed.
const PREPARATIONS = [
  () => knownTotalsWithin(1, 1),
  () => partsWithin(1, 1),
  linesBySize,
  () => byDistance(1, () => true),
  countedModels,
]

let isPrepared = false

/** Computes what every answer needs, a piece at a time, so that the page stays responsive. */
export async function prepare() {
  for (const prepareTable of PREPARATIONS) {
    await pause()
    prepareTable()
  }
  isPrepared = true
}
