// Lists the ways to a number that the search for single numbers does not try: parts and tensors of a named
// model, its right totals with any number of labels, totals with a mistake, and the contents of a file of
// llama.cpp.

import table from "../../../data/table.js"
import {
  classesOf,
  classOfBare,
  count,
  countTensors,
  countWith,
  deviations,
  getOrMake,
  models,
  noun,
} from "../../counting/engine.js"
import { BLANK_MEANING, costOfModel, modelsByUse } from "../../explaining/ways.js"
import { POOLER_TENSORS } from "./contexts.js"
import { isBert } from "./meanings.js"
import { numberOfPart, partsNamed } from "./named-parts.js"
import { costByNames, likelyFits, MAX_LABELS } from "./totals.js"

const { parts: allParts } = table.explanations

const MANY_LABELS = 100 // a right total with more labels is likelier to be a coincidence
const MAX_WAYS = 2 // the maximum number of right totals that are considered for one number
const MAX_MODELS = 2 // the maximum number of models, of those that a name may mean, whose parts and tensors are tried
/** The cost of a part, as in the search for single numbers. */
const COST_OF_PART = { cost: 1, if_rounded: 0 }

/** A blank explanation of a number as the text gives it, for ways that the search for single numbers does not try.
 * @param {NumberRead} number @returns {Explanation} */
const explanationOf = (number) => ({
  ...BLANK_MEANING,
  number: number.low,
  reading: { ...number, cost: 0, windows: [], uncertainty: 0, printedBounds: [number.low, number.high] },
})

/** The likeliest way to the number of tensors, or the number of parameters, in a file of llama.cpp, which leaves out
 * the pooler; none if the number was not printed for such a file, or if the file of no BERT has it.
 * @param {Quantity} quantity @param {Context} context @returns {Explanation[]} */
export function waysOfFile({ role, number }, { isGguf, mention }) {
  if (!isGguf || (role !== "tensors" && role !== "count")) return []
  const countsTensors = role === "tensors"
  /** The number of tensors or of parameters in the file of a model. @param {Model} model */
  const numberInFile = ({ architecture, sizes }) => {
    const modelClass = classOfBare(architecture)
    if (countsTensors) return countTensors(modelClass, sizes) - POOLER_TENSORS
    return count({ modelClass, sizes }) - count({ modelClass, sizes, part: "bert/pooler" })
  }
  const likeliestModel = modelsByUse
    .filter(({ name }) => isBert(name) && (!mention?.models.length || mention.models.includes(name)))
    .find((model) => numberInFile(model) >= number.low && numberInFile(model) <= number.high)
  if (!likeliestModel) return []
  return [
    {
      ...explanationOf(number),
      kind: countsTensors ? "tensors" : "total",
      number: numberInFile(likeliestModel),
      cost: -1,
      confidence: "likely",
      models: [likeliestModel.name],
      classes: [classOfBare(likeliestModel.architecture)],
      mistakes: countsTensors ? [] : ["pooler-left-out"],
      why: countsTensors ? "without the two of the pooler, which llama.cpp leaves out" : "",
    },
  ]
}

/** Right totals of the named model, with any number of labels, as ways. @param {Quantity} quantity
 * @param {Context} context @returns {Explanation[]} */
export const rightWays = ({ number }, context) =>
  rightTotals(number.low, context)
    .filter(
      ({ line: { model }, labels }) =>
        context.mention?.models.includes(model.name) &&
        (context.mention.text || context.labels) &&
        (labels !== model.sizes.H || labels === context.labels), // such a head has the size of a pooler
    )
    .slice(0, MAX_WAYS)
    .map(({ line: { model, modelClass }, labels }) => ({
      ...explanationOf(number),
      kind: labels && labels !== model.sizes.C ? "labels" : "total",
      cost: costOfModel(model.name) + costOfRightLabels(labels),
      confidence: labels > MANY_LABELS ? "likely" : "certain",
      models: [model.name],
      classes: [modelClass],
      labels: labels === model.sizes.C ? 0 : labels,
    }))

/** The cache of `partsOfModel`, by the names of models.
 * @type {Map<string, { part: Part, size: number }[]>} */
const partsOfModels = new Map()

/** The parts of a model with their sizes. @param {string} name */
const partsOfModel = (name) =>
  getOrMake(partsOfModels, name, () =>
    allParts
      .filter(({ share }) => !share)
      .map((part) => ({ part: { ...part, ...COST_OF_PART }, size: numberOfPart(part, name) })),
  )

/** A way to a number in a named model.
 * @param {Quantity} quantity @param {string} name @param {Partial<Explanation>} fields
 * @returns {Explanation} */
const wayInModel = ({ number }, name, fields) => ({
  ...explanationOf(number),
  cost: costOfModel(name),
  confidence: "certain",
  models: [name],
  ...fields,
})

/** A way to a part of a named model.
 * @param {Quantity} quantity @param {string} name @param {Part[]} parts  of the same size @param {number} size */
const wayToPart = (quantity, name, parts, size) =>
  wayInModel(quantity, name, { kind: "part", number: size, parts, cost: costOfModel(name) + COST_OF_PART.cost })

/** The ways to a number in the named model: to its tensors if the number counts these, otherwise to its parts or, if
 * none has the number, to its classifiers. The search for single numbers tries all parts of BERT, but only the large
 * ones of its relatives.
 * @param {Quantity} quantity @param {Context} context @returns {Explanation[]} */
export function waysInNamedModel(quantity, context) {
  const names = (context.mention?.models ?? []).slice(0, MAX_MODELS)
  if (quantity.role === "tensors") return names.flatMap((name) => wayToTensors(quantity, name))
  if (quantity.role !== "count") return []
  const ways = names.flatMap((name) => wayToParts(quantity, name, context.parts))
  return ways.length ? ways : names.slice(0, 1).flatMap((name) => waysToClassifiers(quantity, name, context.parts))
}

/** The parts of a model with this number of parameters, as a way; none if there are none. A rounded number fits some
 * part or other, so only those that the text names are tried with it.
 * @param {Quantity} quantity @param {string} name @param {string[]} partNames @returns {Explanation[]} */
function wayToParts(quantity, name, partNames) {
  const { low, high, exact } = quantity.number
  const namedParts = exact ? [] : partsNamed(partNames)
  const fittingParts = partsOfModel(name).filter(
    ({ part, size }) => size >= low && size <= high && (exact || namedParts.some(({ words }) => words === part.words)),
  )
  if (!fittingParts.length) return []
  const [{ size }] = fittingParts
  const parts = fittingParts.filter((other) => other.size === size).map(({ part }) => part)
  return [wayToPart(quantity, name, parts, size)]
}

/** The classes of a model with this number of tensors, as a way; none if there are none.
 * @param {Quantity} quantity @param {string} name @returns {Explanation[]} */
function wayToTensors(quantity, name) {
  const { architecture, sizes } = models.get(name)
  const classNames = classesOf(architecture)
    .map((modelClass) => modelClass.name)
    .filter((modelClass) => countTensors(modelClass, sizes) === quantity.number.low)
  return classNames.length ? [wayInModel(quantity, name, { kind: "tensors", classes: classNames })] : []
}

/** The classifiers that the text names, alone or with the pooler, that have this number of parameters with some number
 * of labels, as ways.
 * @param {Quantity} quantity @param {string} name @param {string[]} partNames @returns {Explanation[]} */
function waysToClassifiers(quantity, name, partNames) {
  const { low, exact } = quantity.number
  if (!exact) return []
  return partsNamed(partNames).flatMap((part) => {
    const [forOne, forTwo] = [1, 2].map((labels) => numberOfPart(part, name, labels))
    const labels = 1 + (low - forOne) / (forTwo - forOne)
    if (!Number.isInteger(labels) || labels < 1 || labels > MAX_LABELS) return []
    const words = `${part.words} for ${labels} ${noun(labels, "label")}`
    return [wayToPart(quantity, name, [{ ...part, ...COST_OF_PART, words }], low)]
  })
}

/** The cost of a number of labels in a right total. @param {number} labels */
function costOfRightLabels(labels) {
  if (labels > MANY_LABELS) return 3
  return labels > 2 ? 1 : 0.5
}

/** The likeliest single mistake, such as counting a buffer, that leads from the total of the named model's bare class
 * to a larger number, as a way; empty if none does. The search for single numbers does not try every mistake with every
 * model. A number below the total more often lacks several parts that together happen to be as large as a mistake.
 * @param {Quantity} quantity @param {Mention} mention @returns {Explanation[]} */
export function waysByMistake({ number }, { models: [name] }) {
  const { architecture, sizes } = models.get(name)
  const modelClass = classOfBare(architecture)
  if (number.low < count({ modelClass, sizes })) return []
  return [...deviations.values()]
    .filter((deviation) => countWith({ modelClass, sizes }, [deviation.name]) === number.low)
    .sort((one, other) => one.rarity - other.rarity)
    .slice(0, 1)
    .map((deviation) => ({
      ...explanationOf(number),
      kind: "total",
      cost: COST_OF_MISTAKE + costOfModel(name),
      confidence: "likely",
      models: [name],
      classes: [modelClass],
      mistakes: [deviation.name],
    }))
}

const COST_OF_MISTAKE = 3 // the cost of a total with one mistake, if the text names the model

/** The classes of models whose right total is this number, each with its number of labels; given the names in the
 * context, the likeliest first.
 * @param {number} number @param {Context} context */
export const rightTotals = (number, { mention, classes, endings, labels }) =>
  likelyFits(number, costByNames({ mentions: mention ? [mention] : [], classes, endings, labels }))
