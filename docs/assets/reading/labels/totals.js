// Computes the total of a published model loaded as a given class, and conversely finds the models,
// classes and numbers of labels that lead to a given total. A total is linear in the number of
// labels, so each class of each model is one straight line, which is solved for the labels. The
// lines of a model are computed when they are first needed, because it takes a while to compute
// those of all models.

import table from "../../../data/table.js"
import {
  Counter,
  classes,
  classesOf,
  classOfBare,
  count,
  getOrMake,
  models,
  rows,
  sumOf,
} from "../../counting/engine.js"
import { byCost, costOfModel } from "../../explaining/ways.js"
import { words } from "../words.js"

/** The rows of the heads that PEFT copies. */
const COPIED_ROWS = new Set(table.changes.selected.copied.map((index) => rows[index]))
export const MAX_LABELS = 1000 // with more labels, nearly any number is the total of some class
export const MAX_PLAUSIBLE_LABELS = 100 // more labels are implausible if only numbers of trained parameters imply them
export const MAX_MODEL_COST = 4 // the maximum cost of a model, so that a rare one with a good fit is not ruled out
const RARE_CLASS_COST = 1 // the cost of a class that few people train
const UNUSUAL_ANSWER_COST = 4 // the cost of a question-answering head without exactly two labels, a start and an end

/** The name of a class, by default the bare one, and the model's total in it. The total is 0 if the model's
 * architecture lacks the class.
 * @param {string} name @param {string} modelClass */
export function classAndTotal(name, modelClass = "") {
  const { architecture, sizes } = models.get(name)
  const className = modelClass || classOfBare(architecture)
  const hasClass = /** @type {Map<string, ModelClass>} */ (classes).get(className)?.architecture === architecture
  return { modelClass: className, total: hasClass ? count({ modelClass: className, sizes }) : 0 }
}

const MIN_RATIO = 1.02 // of two totals with a smaller ratio, only the difference is given

/** The words that compare a total with another one, to follow it: how many more or fewer it has and, unless the two are
 * nearly equal, how many times as many.
 * @param {number} total @param {number} other @returns {Words} */
export function comparisonOf(total, other) {
  const difference = total - other
  if (!difference) return words`, just as many`
  const ratio = total / other
  const inTimes = Math.max(ratio, 1 / ratio) < MIN_RATIO ? "" : `, or ${ratio.toFixed(2)} times as many`
  return words`: ${Math.abs(difference)} ${difference > 0 ? "more" : "fewer"}${inTimes}`
}

/** The total of a model in a class, as a straight line over the number of labels. `base` is the total without labels,
 * and `perLabel` the number of parameters that each label adds. `copyBase` and `copyPerLabel` are the corresponding
 * numbers for the head that PEFT copies. `cost` is the cost of assuming that this class of this model is meant.
 * @typedef {{ model: Model, modelClass: string, base: number, perLabel: number, copyBase: number, copyPerLabel: number,
 *   cost: number }} TotalLine */

/** A line with the number of labels at which it reaches a number, or 0 if it has no labels.
 * @typedef {{ line: TotalLine, labels: number, cost: number }} Fit */

/** The total of a model with its labels. @param {Pick<Fit, "line" | "labels">} fit */
export const totalOf = ({ line, labels }) => line.base + line.perLabel * labels

/** The size of the head that PEFT copies; 0 without one. @param {Pick<Fit, "line" | "labels">} fit */
export const copyOf = ({ line, labels }) => line.copyBase + line.copyPerLabel * labels

/** Whether a class has a head that PEFT copies. @param {TotalLine} line */
export const hasHead = ({ copyBase, copyPerLabel }) => Boolean(copyBase || copyPerLabel)

/** The model that an account states. @param {Pick<Fit, "line" | "labels">} fit */
export const modelOfFit = (fit) => ({ name: fit.line.model.name, modelClass: fit.line.modelClass, total: totalOf(fit) })

/** A function that computes its results once for each model, class and further arguments.
 * @template {Pick<TotalLine, "model" | "modelClass">} Line @template {unknown[]} Rest @template Result
 * @param {(line: Line, ...rest: Rest) => Result} compute @returns {(line: Line, ...rest: Rest) => Result} */
export function onceByClass(compute) {
  /** @type {Map<string, Result>} */
  const results = new Map()
  return (line, ...rest) =>
    getOrMake(results, [line.model.name, line.modelClass, ...rest].join(), () => compute(line, ...rest))
}

/** The costs of classes that people often train, by the endings of their names. The bare class costs nothing. */
const CLASS_COSTS = /** @type {const} */ ([
  ["ForSequenceClassification", 0.2],
  ["ForTokenClassification", 0.6],
  ["ForMaskedLM", 0.5],
  ["ForPreTraining", 0.5],
  ["ForQuestionAnswering", 0.5],
])

/** The cache of `linesOf`. @type {Map<string, TotalLine[]>} */
const linesByModel = new Map()

/** The lines of all classes of a model. @param {Model} model */
const linesOf = (model) =>
  getOrMake(linesByModel, model.name, () =>
    classesOf(model.architecture).map((modelClass, index) => {
      const [withOne, withTwo] = [1, 2].map((C) => {
        const sizes = { ...model.sizes, C: modelClass.labels ?? C }
        const items = new Counter(modelClass.name, sizes).items([])
        const copiedItems = items.filter(({ row }) => row && COPIED_ROWS.has(row))
        return { base: sumOf(items, sizes) ?? Number.NaN, copy: sumOf(copiedItems, sizes) ?? Number.NaN }
      })
      const [perLabel, copyPerLabel] = [withTwo.base - withOne.base, withTwo.copy - withOne.copy]
      const classCost = CLASS_COSTS.find(([ending]) => modelClass.name.endsWith(ending))?.[1] ?? RARE_CLASS_COST
      return {
        model,
        modelClass: modelClass.name,
        base: withOne.base - perLabel,
        perLabel,
        copyBase: withOne.copy - copyPerLabel,
        copyPerLabel,
        cost: Math.min(costOfModel(model.name), MAX_MODEL_COST) + (index ? classCost : 0),
      }
    }),
  )

/** The lines of every model that satisfies a condition. @param {(model: Model) => boolean} isCandidate */
export const linesOfModels = (isCandidate) => table.models.filter(isCandidate).flatMap(linesOf)

/** The cache of the totals of bare models. @type {Map<string, number>} */
const bareTotals = new Map()

/** An upper bound on the total number of parameters in heads, a copy of them and a pooler: four square matrices, two
 * heads for labels, and two biases as long as the vocabulary.
 * @param {Model} model */
const maxAddition = ({ sizes: { H, V } }) => 4 * H * H + 2 * MAX_LABELS * (H + 1) + 2 * V

/** The cache of `tableSumOf`. @type {Map<string, number>} */
const tableSums = new Map()

/** The number of parameters in a model's embedding tables. @param {Model} model */
export const tableSumOf = ({ name, architecture, sizes }) =>
  getOrMake(tableSums, name, () => count({ modelClass: classOfBare(architecture), sizes, tag: "embedding-table" }))

/** The lines of the models whose bare total is so close to a number that heads may account for the difference.
 * @param {number} number @param {boolean} [mayDoubleTables]  whether the number may count the tables twice */
export const linesNear = (number, mayDoubleTables = false) =>
  linesOfModels((model) => {
    const total = getOrMake(bareTotals, model.name, () => classAndTotal(model.name).total)
    /** Whether heads may account for the difference between the number and a total. */
    const isNear = (/** @type {number} */ candidate) => Math.abs(number - candidate) <= maxAddition(model)
    // The tables are counted only where they may matter, because it takes a while to count those of all models.
    const mayHaveTwoTables = mayDoubleTables && number > total && number <= 2 * total + maxAddition(model)
    return isNear(total) || (mayHaveTwoTables && isNear(total + tableSumOf(model)))
  })

/** The number of labels at which a line reaches a number; 0 if a line without labels has this number, and NaN if the
 * line does not reach it with up to `MAX_LABELS` labels.
 * @param {number} number @param {number} base @param {number} perLabel */
export function labelsReaching(number, base, perLabel) {
  if (!perLabel) return number === base ? 0 : Number.NaN
  const labels = (number - base) / perLabel
  return Number.isInteger(labels) && labels >= 1 && labels <= MAX_LABELS ? labels : Number.NaN
}

/** The cost of a number of labels. One or two are usual, and hundreds are not. Question-answering heads should have
 * two: one for the start of the answer and one for its end.
 * @param {number} labels @param {TotalLine} line */
export function costOfLabels(labels, { modelClass, perLabel }) {
  if (perLabel && labels !== 2 && modelClass.endsWith("ForQuestionAnswering")) return UNUSUAL_ANSWER_COST
  if (labels <= 2) return 0
  if (labels <= 10) return 0.5
  return labels <= 100 ? 1 : 5
}

/** The lines that reach exactly this number, each with its number of labels, the likeliest first.
 * @param {number} number @returns {Fit[]} */
export const fitsOfTotal = (number) =>
  linesNear(number)
    .flatMap((line) => {
      const labels = labelsReaching(number, line.base, line.perLabel)
      return Number.isNaN(labels) ? [] : [{ line, labels, cost: line.cost + costOfLabels(labels, line) }]
    })
    .sort(byCost)

// Changes to the cost of a model, a class or a number of labels. Of two constants, the first applies if the text names
// it, the second if the text names a different one. A model that is named costs nothing for being rare.
const LESS_LIKELY_NAME = 0.3 // for each likelier model of the same name, and each model of a name before it
const OTHER_MODEL = 6
const UNKNOWN_MODEL = 4 // for any model if the text names only one that we do not count
const [NAMED_CLASS, OTHER_CLASS] = [-1, 2]
const [NAMED_PURPOSE, OTHER_PURPOSE] = [-1, 1]
const [NAMED_LABELS, OTHER_LABELS] = [-1, 3]

/** A function that returns the extra cost of a class of a model with its labels, given the names in a text; negative if
 * they agree.
 * @param {{ mentions: Mention[], classes: string[], endings: string[], labels: number }} names
 * @returns {Hints["costOf"]} */
export function costByNames({ mentions, classes: namedClasses, endings, labels }) {
  const modelNames = mentions.flatMap((mention) => mention.models)
  return ({ model, modelClass }, C) => {
    let cost = 0
    if (modelNames.includes(model.name))
      cost += modelNames.indexOf(model.name) * LESS_LIKELY_NAME - Math.min(costOfModel(model.name), MAX_MODEL_COST)
    else if (modelNames.length) cost += OTHER_MODEL
    else if (mentions.length) cost += UNKNOWN_MODEL
    if (namedClasses.length) cost += namedClasses.includes(modelClass) ? NAMED_CLASS : OTHER_CLASS
    else if (endings.length) cost += endings.some((end) => modelClass.endsWith(end)) ? NAMED_PURPOSE : OTHER_PURPOSE
    if (labels && labels === C) cost += NAMED_LABELS
    else if (labels && C) cost += OTHER_LABELS
    return cost
  }
}

/** The lines that reach exactly this number, the likeliest first given the names in a text.
 * @param {number} number @param {Hints["costOf"]} costOf */
export const likelyFits = (number, costOf) =>
  fitsOfTotal(number)
    .map((fit) => ({ ...fit, cost: fit.cost + costOf(fit.line, fit.labels) }))
    .sort(byCost)

const LIKELY_LABELS = [2, 3] // the numbers of labels that are tried if the class has labels
const MAX_USUAL_COST = 2 // the largest cost of a line that is tried

/** The totals of usual models and classes that are near a number, the nearest first.
 * @param {number} number @param {number} share  the largest distance of a total from the number, as a share of the
 * number */
export function totalsNear(number, share) {
  const lines = linesNear(number).filter(({ cost }) => cost <= MAX_USUAL_COST)
  const totals = lines.flatMap(({ base, perLabel }) =>
    perLabel ? LIKELY_LABELS.map((labels) => base + perLabel * labels) : [base],
  )
  const distance = (/** @type {number} */ total) => Math.abs(total - number)
  return [...new Set(totals)]
    .filter((total) => distance(total) <= share * number)
    .sort((one, other) => distance(one) - distance(other))
}
