// Explaining: every way to a number, the likeliest first, each with how sure it is.
//
// What is most likely meant by a text is what somebody would write so most often:
// how usual a way is, times how well its number fits what was typed, shared among
// all that fit and what we do not know of. How usual each thing is, and how much we
// do not know, is data: macros/counting/data/search.toml. A cost there is a
// logarithm: each one more makes a way so many times less likely.

import table from "../../data/table.js"
import { models as everyModel, sumBy } from "../counting/engine.js"
import { kind as entries } from "./entries.js"
import { kind as changes } from "./kinds/changes.js"
import { kind as memory } from "./kinds/memory.js"
import { byDistance, bySlip } from "./kinds/near.js"
import { measured, kind as operations } from "./kinds/operations.js"
import { kind as parts, partsWithin } from "./kinds/parts.js"
import { kind as shares } from "./kinds/shares.js"
import { kind as sizes } from "./kinds/sizes.js"
import { linesBySize, within } from "./known-numbers.js"
import { fit, readings } from "./readings.js"
import { costOfModel, grouped, isReleased } from "./ways.js"

const { costs, limits, odds, unknown } = table.explanations
const KINDS = [entries, parts, changes, sizes, memory, shares, operations]

/** @template T @param {T[][]} lists */
const distinct = (lists) => [...new Set(lists.flat())]

/** Explanations that differ only in model, class or who prints them as one.
 * @param {Explanation[]} found */
function merged(found) {
  const bare = { models: [], classes: [], cost: 0, printed_in: [], reading: null }
  return grouped(found, (each) => ({ ...each, ...bare })).map((group) => {
    const likeliest = group.reduce((best, each) => (each.cost < best.cost ? each : best))
    const sameModels = group.filter((each) => each.models.join() === likeliest.models.join())
    // A formula that is taken for the whole is that of any class.
    const sameClasses = group.filter((each) => ["", likeliest.classes.join()].includes(each.classes.join()))
    return {
      ...likeliest,
      models: distinct(sameClasses.map((each) => each.models)),
      classes: distinct(sameModels.map((each) => each.classes)),
      printed_in: distinct(group.map((each) => each.printed_in)),
    }
  })
}

/** @param {Meaning} each */
export const isRight = ({ kind, mistakes, parts, terms, sizes }) =>
  ["total", "other", "memory"].includes(kind) && ![mistakes, parts, terms, Object.keys(sizes)].flat().length

const ROUGH = 0.0005 // wide enough that a number was rounded to be remembered, and not as it is printed

/** What people round are totals rather than what they made of them. @param {Meaning} each */
function roughly(each) {
  const isMade = each.mistakes.length && !each.printed_in.length
  return isRight(each) ? 0 : costs.ways["rounded-other"] + (isMade ? costs.ways["rounded-mistake"] : 0)
}

/** Whether it is what somebody prints, so many mistakes that nobody else would make them all.
 * @param {Meaning} each @param {Reading} reading */
const isPrinted = ({ printed_in: prints, mistakes }, { printed }) =>
  mistakes.length > 1 && prints.some(({ low, high }) => low === printed[0] && high === printed[1])

/** What speaks against a way where a text is read in one way. @param {Meaning} each @param {Reading} reading */
function costAs(each, reading) {
  const rough = isPrinted(each, reading) ? -costs.ways.printed : reading.width > ROUGH ? roughly(each) : 0
  const isTrained = each.trained || each.mistakes.some((name) => name.startsWith("lora"))
  const untrained = reading.trainable && !isTrained ? costs.ways.trainable : 0
  return each.cost + reading.cost + fit(each.number, reading) + rough + untrained
}

/** The ways of a kind that fit a reading; of right totals all, and of the parts that an exact number is, however rare the
 * model. Thousands do not fit a rounded number well enough, so only what does is copied.
 * @param {Kind} kind @param {Reading} reading @param {string} model @returns {Explanation[]} */
function fitting(kind, reading, model) {
  /** @type {Explanation[]} */
  const found = []
  for (const each of kind(reading, model)) {
    const cost = costAs(each, reading)
    const isPart = each.kind === "part" && !each.mistakes.length && !reading.width
    if (cost <= limits.possible || (Number.isFinite(cost) && (isPart || isRight(each))))
      found.push({ ...each, reading, cost })
  }
  return found
}

/** How likely it is that what was typed is none of what we know: many numbers round to it, or leave its remainder by the
 * hidden size, as nearly all totals do. @param {Explanation} each */
function background({ models, number, frame, reading }) {
  if (reading.amount === "share") return unknown.share * reading.width
  if (frame) return (unknown.file * limits.frame) / number // any file that is a little larger fits
  if (reading.width) return unknown.rounded * reading.width
  const step = models.length ? everyModel.get(models[0]).sizes.H : 1
  return unknown.exact * Math.min(step / Math.max(number, 1), unknown.most)
}

/** How sure each is: its number beside other numbers that fit, and itself beside what we do not know.
 * @param {Explanation[]} found @returns {Explanation[]} */
function weighed(found) {
  const weight = (/** @type {Explanation} */ { cost }) => odds ** -cost
  const numbers = new Map()
  for (const each of found) numbers.set(each.number, (numbers.get(each.number) ?? 0) + weight(each))
  const all = sumBy(found, weight)
  return found.map((each) => {
    const [own, chance] = [weight(each), background(each)]
    const share = Math.min(numbers.get(each.number) / (all + chance), own / (own + chance))
    return { ...each, confidence: share >= limits.certain ? "certain" : share >= limits.likely ? "likely" : "possible" }
  })
}

/** @param {Explanation} each */
const isRelative = ({ models }) => models.length > 0 && !models.some(isReleased)

const LAST = ["memory", "other"]
/** Of what costs the same, what is right and plain comes first. @param {Explanation} one @param {Explanation} other */
const order = (one, other) =>
  one.cost - other.cost ||
  Number(one.kind === "size") - Number(other.kind === "size") ||
  Number(isRelative(one)) - Number(isRelative(other)) ||
  Number(isRight(other)) - Number(isRight(one)) ||
  LAST.indexOf(one.kind) - LAST.indexOf(other.kind) ||
  one.mistakes.length - other.mistakes.length ||
  costOfModel(one.models[0]) - costOfModel(other.models[0])

/** The same as `explain`, a step at a time. @param {string} text @param {string} model @returns {Generator<void, Explanation[] | null>} */
function* explaining(text, model) {
  const read = readings(text, meantBy(model).sizes)
  if (!read) return null
  const [asked] = read
  if (asked.low > limits.largest && asked.amount === "count") return []
  // None and one are numbers of anything.
  if (asked.exact && asked.low <= 1 && asked.amount === "count") return []
  /** @param {Meaning} each */
  const holds = (each) => !model || each.models.includes(model)
  /** A share by which something is smaller is no share of it. @param {Meaning} each */
  const isAsSaid = ({ kind, less }) => kind !== "share" || less || !asked.smaller
  const plain = asked.exact && asked.amount === "count" && asked.low > 0
  /** @type {Explanation[]} */
  const fits = []
  for (const reading of read) {
    for (const kind of KINDS) {
      for (const each of fitting(kind, reading, model)) if (holds(each) && isAsSaid(each)) fits.push(each)
      yield
    }
  }
  const ways = merged(fits)
  yield
  const known = weighed(ways).sort(order)
  if (!plain || asked.bare) return known
  const isSure = known.some((each) => each.confidence !== "possible")
  // What the number is exactly is not what rounds to it.
  if (isSure && !known[0].reading.width && known.some(({ reading }) => reading.width))
    return known.filter(({ reading }) => !reading.width)
  if (isSure && known[0].cost <= costs.ways["off-by-one"]) return known
  // A slip is likely where nothing likelier gives the number.
  const slips = bySlip(asked.low, holds).map((each) => ({ ...each, reading: asked, confidence: LIKELY }))
  if (isSure) return slips.length && slips[0].cost < known[0].cost ? [...slips, ...known] : known
  const near = byDistance(asked.low, holds)
    .filter(({ number }) => !slips.some((slip) => slip.number === number))
    .map((each) => ({ ...each, reading: asked }))
  return slips.length ? [...slips, ...near, ...known] : [...known, ...near]
}

/** Every way to a number, the likeliest first; null where the text holds no number.
 * @param {string} text @param {string} model  the one that is meant, or "" for any
 * @returns {Explanation[] | null} */
export function explain(text, model = "") {
  const steps = explaining(text, model)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

const STRETCH = 40 // milliseconds of work between two pauses

const pause = () => new Promise((resolve) => setTimeout(resolve))

/** The same with pauses, in which the page responds to its reader; without any where it is quick.
 * @param {string} text @param {string} model @returns {Promise<Explanation[] | null>} */
export async function explainInSteps(text, model = "") {
  if (!isPrepared) await prepare()
  const steps = explaining(text, model)
  let start = performance.now()
  let step = steps.next()
  while (!step.done) {
    if (performance.now() - start > STRETCH) {
      await pause()
      start = performance.now()
    }
    step = steps.next()
  }
  return step.value
}

/** The model whose sizes letters stand for: the chosen one, or the first. @param {string} model  its name, or "" */
export const meantBy = (model) => (model ? everyModel.get(model) : table.models[0])

export const LIKELY = /** @type {const} */ ("likely")

const PIECES = [() => within(1, 1), () => partsWithin(1, 1), linesBySize, () => byDistance(1, () => true), measured]

let isPrepared = false

/** What every answer needs, a piece at a time, so that the page stays responsive meanwhile. */
export async function prepare() {
  for (const piece of PIECES) {
    await pause()
    piece()
  }
  isPrepared = true
}
