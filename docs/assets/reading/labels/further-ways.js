// Lists the ways to a number that the search for single numbers does not try: parts of a named model,
// its right totals with any number of labels, totals with a mistake, and the contents of a file of llama.cpp.

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
import { costByNames, likelyFits } from "./totals.js"

const { parts: allParts } = table.explanations

const MANY_LABELS = 100
const COST_OF_PART = 1 // the same as in the search for single numbers
const MAX_LABELS = 1000 // of a classifier
const MAX_WAYS = 2 // right totals that are considered for one number

/** A blank explanation of a number as it stands in the text, for ways that the search for single numbers does not try.
 * @param {NumberRead} number @returns {Explanation} */
const explanationOf = (number) => ({
  ...BLANK_MEANING,
  number: number.low,
  reading: { ...number, cost: 0, windows: [], uncertainty: 0, printedBounds: [number.low, number.high] },
})

/** The likeliest way to the tensors or the rounded parameters of a file of llama.cpp, which leaves out the pooler; none
 * if no BERT has this number.
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

/** The parts of each model with their sizes, once they are needed.
 * @type {Map<string, { part: Part, size: number }[]>} */
const partsOfModels = new Map()

/** The parts of a model with their sizes. @param {string} name */
const partsOfModel = (name) =>
  getOrMake(partsOfModels, name, () =>
    allParts
      .filter(({ share }) => !share)
      .map((part) => ({ part: { ...part, cost: COST_OF_PART, if_rounded: 0 }, size: numberOfPart(part, name) })),
  )

/** The parts of the named model with this number of parameters, as a way; none if there are none. The search for single
 * numbers tries all parts of BERT, but only the large ones of its relatives. A rounded number fits some part or other,
 * so only those that the text names are tried with it.
 * @param {Quantity} quantity @param {Context} context @returns {Explanation[]} */
export function waysOfParts({ number }, { mention, parts: partNames }) {
  const namedParts = number.exact ? [] : partsNamed(partNames)
  return (mention?.models ?? []).slice(0, MAX_WAYS).flatMap((name) => {
    const fittingParts = partsOfModel(name).filter(
      ({ part, size }) =>
        size >= number.low &&
        size <= number.high &&
        (number.exact || namedParts.some(({ words }) => words === part.words)),
    )
    if (!fittingParts.length) return []
    return [
      {
        ...explanationOf(number),
        kind: /** @type {const} */ ("part"),
        number: fittingParts[0].size,
        cost: costOfModel(name) + COST_OF_PART,
        confidence: /** @type {const} */ ("certain"),
        models: [name],
        parts: fittingParts.filter(({ size }) => size === fittingParts[0].size).map(({ part }) => part),
      },
    ]
  })
}

/** The classes of the named model with this number of tensors, as a way; none if there are none.
 * @param {Quantity} quantity @param {Context} context @returns {Explanation[]} */
export const waysOfTensors = ({ number }, { mention }) =>
  (mention?.models ?? []).slice(0, MAX_WAYS).flatMap((name) => {
    const { architecture, sizes } = models.get(name)
    const classNames = classesOf(architecture)
      .map((modelClass) => modelClass.name)
      .filter((modelClass) => countTensors(modelClass, sizes) === number.low)
    return classNames.length
      ? [
          {
            ...explanationOf(number),
            kind: /** @type {const} */ ("tensors"),
            cost: costOfModel(name),
            confidence: /** @type {const} */ ("certain"),
            models: [name],
            classes: classNames,
          },
        ]
      : []
  })

/** The classifiers of the named model, alone or with the pooler, that have this number of parameters with some number of
 * labels, as ways.
 * @param {Quantity} quantity @param {Context} context @returns {Explanation[]} */
export function waysOfClassifiers({ number }, { mention, parts: partNames }) {
  const [name] = mention?.models ?? []
  if (!name || !number.exact) return []
  return partsNamed(partNames).flatMap((part) => {
    const perLabel = numberOfPart(part, name, 2) - numberOfPart(part, name, 1)
    const labels = 1 + (number.low - numberOfPart(part, name, 1)) / perLabel
    if (!perLabel || !Number.isInteger(labels) || labels < 1 || labels > MAX_LABELS) return []
    const words = `${part.words} for ${labels} ${noun(labels, "label")}`
    return [
      {
        ...explanationOf(number),
        kind: /** @type {const} */ ("part"),
        cost: costOfModel(name) + COST_OF_PART,
        confidence: /** @type {const} */ ("certain"),
        models: [name],
        parts: [{ ...part, words, cost: COST_OF_PART, if_rounded: 0 }],
      },
    ]
  })
}

/** The cost of a number of labels in a right total. @param {number} labels */
function costOfRightLabels(labels) {
  if (labels > MANY_LABELS) return 3
  return labels > 2 ? 1 : 0.5
}

/** The totals of the named model with something added by mistake, such as a buffer, that the search for single numbers
 * does not try with it, as ways. A number below the total more often lacks several parts that happen to be as large as
 * a mistake.
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

const COST_OF_MISTAKE = 3 // of a total with one mistake, if the text names the model

/** The classes of models whose right total is this number for a number of labels, the likeliest first given the
 * words.
 * @param {number} number @param {Context} context */
export const rightTotals = (number, { mention, classes, endings, labels }) =>
  likelyFits(number, costByNames({ mentions: mention ? [mention] : [], classes, endings, labels }))
