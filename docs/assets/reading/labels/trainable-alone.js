// Explains trainable parameters alone: their number without the total, or a percentage that is
// printed in full, from which both numbers follow.
//
// Without a total, many combinations of model, method and rank lead to the same number. So only models
// that the text names or that are widely used are tried, and methods only if a word names one or
// the text gives a rank. A percentage in full precision leaves few pairs of numbers, because both
// are whole.

import { classesOf, count, noun } from "../../counting/engine.js"
import { byCost, costOfModel } from "../../explaining/ways.js"
import { accountWith, finding, words } from "../words.js"
import {
  currentHeads,
  HEAD_COUNTS,
  MAX_COST,
  numbersAsPrinted,
  otherWays,
  SURE_COST,
  usualWaysTo,
  waysOf,
} from "./adapted-models.js"
import { accountOfAdapted } from "./adapted-pairs.js"
import { countAdded, TRAINS_ALL } from "./adding.js"
import { NO_EXTRAS } from "./extras.js"
import { lineOfNumber } from "./lines.js"
import { hintsOf, methodInWords, modelWords, percentage, whatMethodTrains } from "./methods.js"
import { countOfPart, partWithWords } from "./named-parts.js"
import { labelsReaching, linesOfModels, MAX_PLAUSIBLE_LABELS, modelOfFit, totalOf } from "./totals.js"

/** @typedef {import("./totals.js").TotalLine} TotalLine */

const CERTAIN_COST = 2 // the largest cost of a way that is certain
const LIKELY_COST = 4 // the largest cost of a way that is unlikely to be a coincidence
const UNNAMED_COST = 2 // the largest cost of a model that people mean without naming it

const OTHER_LABELS_COST = 0.5 // the cost of a head with a number of labels other than two
const MAX_OTHERS = 3 // other methods that are listed
const MIN_COUNT = 100 // a smaller number may count steps or examples

const HEAD = "the sequence-classification head" // as the table of parts has it

/** The account of a count of trainable parameters, those of a method or of a head, that is given without the total;
 * null if there is none.
 * @param {LabelledText} labelledText @returns {Account | null} */
export function trainableAccount(labelledText) {
  const hints = hintsOf(labelledText)
  const counts = labelledText.numbers.filter(
    ({ role, number }) => role === "count" && number.exact && number.low >= MIN_COUNT,
  )
  // If the text also names the pooler, its number is not that of the head alone.
  const isHead = labelledText.parts.length > 0 && labelledText.parts.every(({ words: part }) => part === HEAD)
  const quantity =
    counts.find(({ roles }) => roles.includes("trainable") && !roles.includes("frozen")) ??
    (hints.methods.length || isHead ? counts[0] : null)
  if (!quantity || counts.length > 1 || labelledText.mentions.some(({ models }) => !models.length)) return null
  const trainedCount = quantity.number.low
  const [way] = waysToTrained(trainedCount, hints)
  if (!way || way.cost > (hints.methods.length || hints.rank ? MAX_COST : LIKELY_COST)) return null
  const { line, labels, copy } = way
  if (!way.method && namesAbsentPooler(labelledText, line)) return null
  const isLikely = way.cost <= LIKELY_COST
  const withHead = way.head.trained && copy ? words`, with the classifier of ${labels} ${noun(labels, "label")},` : ""
  const aside = isHead ? "" : ", which is trained while everything else is frozen,"
  const part = way.method
    ? words`${whatMethodTrains(way)}${withHead}`
    : words`${headOf(way, trainedCount)} with ${labels} ${noun(labels, "label")}${aside}`
  const model = modelWords(way)
  const { total } = modelOfFit(way)
  const { all } = numbersAsPrinted(way)
  const share = way.method
    ? words` That is ${percentage(trainedCount, all)} of ${all}, the ${total} of the model and what is added.`
    : words` That is ${percentage(trainedCount, total)} of ${total}.`
  const confidenceIfUncertain = isLikely ? "likely" : "possible"
  return accountWith({
    kind: "labels",
    headline: words`${isLikely ? "" : "This may be a coincidence, but "}${trainedCount} is ${part} in ${model}.${share}`,
    findings: way.method ? findingsOnMethod(way, hints) : [],
    lines: labelledText.numbers.map((candidate) =>
      lineOfNumber(
        labelledText,
        candidate,
        candidate === quantity ? part : [],
        candidate === quantity ? trainedCount : null,
        line.model.name,
      ),
    ),
    model: modelOfFit(way),
    confidence: way.cost <= CERTAIN_COST ? "certain" : confidenceIfUncertain,
  })
}

/** The words for the head that a way trains alone, or for its output layer if that has as many parameters.
 * @param {import("./adapted-models.js").AdaptedModel} way @param {number} trainedCount */
function headOf({ line: { model, modelClass }, labels }, trainedCount) {
  const head = partWithWords(HEAD)
  const ofWholeHead = head && countOfPart(head, modelClass, { ...model.sizes, C: labels })
  return ofWholeHead && ofWholeHead !== trainedCount
    ? "the output layer of the classification head"
    : "the classification head"
}

/** Whether a text names the pooler but a model has none, so that another model is meant.
 * @param {LabelledText} labelledText @param {TotalLine} line */
const namesAbsentPooler = ({ parts }, { model, modelClass }) =>
  parts.some(({ words: part }) => part === "the pooler") &&
  count({ modelClass, sizes: model.sizes, part: "bert/pooler" }) === 0

/** The findings on a method: the number of parameters that LoRA adds by default, and other methods that train as many.
 * @param {import("./adapted-models.js").AdaptedModel} way @param {Hints} hints @returns {Finding[]} */
function findingsOnMethod(way, hints) {
  /** @type {Finding[]} */
  const findings = []
  const addedByDefault = way.method === "lora" && hints.rank === way.rank ? addedByLora(way.line, way.rank) : 0
  if (addedByDefault && addedByDefault !== way.adapters)
    findings.push(
      finding(
        5,
        words`On query and value, where PEFT puts it by default, LoRA of rank ${way.rank} adds ${addedByDefault}.`,
      ),
    )
  const likelyMethods = otherWays(way, hints)
    .filter(({ cost }) => cost < LIKELY_COST)
    .slice(0, MAX_OTHERS)
  if (likelyMethods.length)
    findings.push(
      finding(
        1,
        words`The same number of parameters is trained by ${likelyMethods.map((method) => methodInWords({ ...way, ...method })).join(", or by ")}.`,
      ),
    )
  return findings
}

/** The number of parameters that LoRA of this rank adds to query and value.
 * @param {TotalLine} line @param {number} rank */
const addedByLora = (line, rank) => countAdded(line, "lora", rank, ["query", "value"])

/** The ways in which exactly this many parameters of a model that is named or well known are trained, the likeliest
 * first. Methods are tried only if the text names one or gives a rank.
 * @param {number} trainedCount @param {Hints} hints */
function waysToTrained(trainedCount, hints) {
  /** @type {import("./adapted-models.js").AdaptedModel[]} */
  const ways = []
  for (const { line, cost } of likelyLines(hints)) {
    if (ways.length && cost >= ways[0].cost) break
    ways.push(...waysOfLine(line, cost, trainedCount, hints))
    ways.sort(byCost)
  }
  return ways
}

/** The classes of models that the text names, or that people mean without naming them, the likeliest first.
 * @param {Hints} hints */
function likelyLines(hints) {
  /** Whether the names in the text make a line likelier than it would be without them.
   * @param {Pick<TotalLine, "model" | "modelClass">} line */
  const isLikelier = (line) => hints.costOf(line, 0) < 0
  /** Whether people may mean a model without naming it. @param {Model} model */
  const mayBeUnnamed = (model) => costOfModel(model.name) <= UNNAMED_COST
  return (
    linesOfModels(
      (model) =>
        mayBeUnnamed(model) ||
        classesOf(model.architecture).some(({ name }) => isLikelier({ model, modelClass: name })),
    )
      .filter((line) => isLikelier(line) || mayBeUnnamed(line.model))
      // A class with labels is left out if PEFT does not copy its head.
      .filter((line) => line.copyPerLabel > 0 || !line.perLabel)
      .map((line) => ({ line, cost: line.cost + hints.costOf(line, hints.labels) }))
      .filter(({ cost }) => cost <= SURE_COST)
      .sort(byCost)
  )
}

/** The ways in which exactly this many parameters of a model are trained: its head alone and, if the text names a
 * method or gives a rank, methods.
 * @param {TotalLine} line @param {number} cost  of the model @param {number} trainedCount @param {Hints} hints
 * @returns {import("./adapted-models.js").AdaptedModel[]} */
function waysOfLine(line, cost, trainedCount, hints) {
  const [copiedHead] = HEAD_COUNTS
  const labels = line.perLabel ? hints.labels || 2 : 0
  const hasMethodHints = hints.methods.length > 0 || hints.rank > 0
  const waysByMethods = (hasMethodHints ? currentHeads(line) : []).flatMap((head) =>
    waysOf(
      { line, labels, head, extras: NO_EXTRAS, untrainedCount: 0, cost: cost + head.cost },
      { trained: trainedCount, hints },
      true,
    ),
  )
  const labelsOfHead = line.copyPerLabel ? labelsReaching(trainedCount, line.copyBase, line.copyPerLabel) : Number.NaN
  if (!(labelsOfHead <= MAX_PLAUSIBLE_LABELS)) return waysByMethods
  const headAlone = {
    line,
    method: "",
    rank: 0,
    modules: [],
    feedforward: [],
    width: 0,
    extras: NO_EXTRAS,
    adapters: 0,
    ...TRAINS_ALL,
    methodCost: 0,
    labels: labelsOfHead,
    head: copiedHead,
    copy: trainedCount,
    cost: cost + (labelsOfHead === 2 ? 0 : OTHER_LABELS_COST),
  }
  return [headAlone, ...waysByMethods]
}

// --- A percentage in full precision -----------------------------------------------

const MIN_DECIMALS = 8 // a percentage with fewer decimals is rounded
const PRECISION = 1e-14 // the relative difference allowed for rounding in 64 bits

/** Whether a number is a percentage that was printed with all of its digits. @param {Quantity} quantity */
export const isInFull = ({ role, typed }) =>
  role === "share" && (/[.,]([0-9]+)/.exec(typed)?.[1].length ?? 0) >= MIN_DECIMALS

/** The account of a percentage that is printed in full, from which both numbers follow; null if there is none.
 * @param {LabelledText} labelledText @returns {Account | null} */
export function percentageAccount(labelledText) {
  const quantity = labelledText.numbers.find(isInFull)
  if (!quantity || labelledText.numbers.some(({ role }) => role === "count")) return null
  const value = Number(/[0-9.,]+/.exec(quantity.typed)?.[0].replace(",", ".")) / 100
  if (!(value > 0 && value < 1)) return null
  const hints = hintsOf(labelledText)
  const totals = linesOfModels(() => true).flatMap((line) =>
    (line.perLabel ? FEW_LABELS : [0]).map((labels) => totalOf({ line, labels })),
  )
  // The percentage and the total of a model give the trained parameters, which must be a whole number.
  const pairs = totals
    .map((total) => ({ total, trained: Math.round((value * total) / (1 - value)) }))
    .filter(({ trained, total }) => trained > 0 && Math.abs(trained / (total + trained) / value - 1) < PRECISION)
  const [likeliest] = pairs
    .map(({ trained, total }) => ({ trained, all: total + trained, ...usualWaysTo({ trained, rest: total, hints }) }))
    .filter(({ ways }) => ways.length)
    .sort((one, other) => one.ways[0].cost - other.ways[0].cost)
  if (!likeliest || likeliest.ways[0].cost > MAX_COST) return null
  const account = accountOfAdapted(
    labelledText,
    { ...likeliest, frozen: null, quantities: { trained: null, all: null, frozen: null } },
    likeliest.ways,
    hints,
  )
  return { ...account, headline: words`In full precision, the percentage leads to both numbers. ${account.headline}` }
}

/** The numbers of labels that are tried for a percentage. */
const FEW_LABELS = Array.from({ length: 50 }, (_, index) => index + 1)
