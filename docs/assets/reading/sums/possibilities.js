// The models and classes that have the total of a sum. exact-sums.js and rest.js find out which of them the
// summands count.

import { classesOf, count } from "../../counting/engine.js"
import { modelsIn } from "../labels/mentions.js"
import { costByNames, labelsReaching, likelyFits } from "../labels/totals.js"

/** @typedef {import("./candidates.js").Candidate} Candidate */
/** @typedef {import("./outcome.js").Outcome} Outcome */

/** A model and a class that a sum may count. @typedef {{ model: Candidate, modelClass: string }} Possibility */

/** The outcome of a sum that counts a whole class. `alikeClasses` are the other classes of the model that it may count
 * as well; empty if the text names the class.
 * @typedef {Outcome & { model: Candidate, alikeClasses: string[] }} ClassOutcome */

const MAX_FITS = 40 // the maximum number of published models and classes with the same total that are compared

/** The classes of a model with this total, each with the number of labels that leads to it. A rounded total leaves the
 * number of labels open, so it is that of the model.
 * @param {Candidate} model @param {{ value: number, tolerance: number }} total @returns {Possibility[]} */
const classesWithTotal = (model, { value, tolerance }) =>
  classesOf(model.architecture).flatMap(({ name: modelClass, labels: fixedLabels }) => {
    /** The total with a number of labels. @param {number} C */
    const totalWith = (C) => count({ modelClass, sizes: { ...model.sizes, C: fixedLabels ?? C } })
    if (tolerance) return Math.abs(totalWith(model.sizes.C) - value) <= tolerance ? [{ model, modelClass }] : []
    const perLabel = totalWith(2) - totalWith(1)
    const labels = labelsReaching(value, totalWith(1) - perLabel, perLabel)
    if (Number.isNaN(labels)) return []
    return [{ model: { ...model, sizes: { ...model.sizes, C: labels || model.sizes.C } }, modelClass }]
  })

/** The published models and classes that have exactly this total, the likeliest first.
 * @param {number} total @param {string[]} namedClasses @param {string} text @returns {Possibility[]} */
function publishedWithTotal(total, namedClasses, text) {
  const mentions = modelsIn(text)
  const costOf = costByNames({ mentions, classes: namedClasses, endings: [], labels: 0 })
  return likelyFits(total, costOf)
    .slice(0, MAX_FITS)
    .map(({ line: { model, modelClass }, labels }) => {
      const sizes = { ...model.sizes, C: labels || model.sizes.C }
      const candidate = { ...model, sizes, agreement: 0, reference: "", statedSizes: {} }
      return { model: candidate, modelClass }
    })
}

/** The models and classes with this total: the candidates and, unless the total is rounded, every published model.
 * Those of classes that the text names come first, and then those of published sizes. A question-answering head
 * without exactly two labels, a start and an end, comes last.
 * @param {{ value: number, tolerance: number }} total @param {Candidate[]} candidates @param {string[]} namedClasses
 * @param {string} text @returns {Possibility[]} */
export function possibilitiesWithTotal(total, candidates, namedClasses, text) {
  const ofCandidates = candidates.flatMap((model) => classesWithTotal(model, total))
  const published = total.tolerance ? [] : publishedWithTotal(total.value, namedClasses, text)
  /** The place of a possibility in the order, the smallest first. */
  const placeOf = (/** @type {Possibility} */ { model, modelClass }) =>
    (namedClasses.includes(modelClass) ? 0 : 2) +
    (model.name ? 0 : 1) +
    (modelClass.endsWith("ForQuestionAnswering") && model.sizes.C !== 2 ? 4 : 0)
  return [...ofCandidates, ...published]
    .filter(({ model }) => model.sizes.C !== model.sizes.H) // a dense layer has as many parameters as such a classifier
    .sort((one, other) => placeOf(one) - placeOf(other))
}

/** The first outcome among possibilities, with the other classes of its model that have one; null if none has.
 * @param {Possibility[]} possibilities @param {string[]} namedClasses
 * @param {(possibility: Possibility) => (Outcome & { model: Candidate }) | null} outcomeOf
 * @returns {ClassOutcome | null} */
export function bestOf(possibilities, namedClasses, outcomeOf) {
  const [best, ...others] = possibilities.flatMap((possibility) => outcomeOf(possibility) ?? [])
  if (!best) return null
  const { model, target } = best
  const classesOfModel = others
    .filter((other) => other.model.architecture === model.architecture && other.model.name === model.name)
    .map((other) => other.target.modelClass)
  const alikeClasses = new Set(classesOfModel.filter((name) => name !== target.modelClass))
  return { ...best, alikeClasses: namedClasses.includes(target.modelClass) ? [] : [...alikeClasses] }
}
