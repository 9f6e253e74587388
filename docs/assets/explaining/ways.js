// Ways: what every kind of reason shares. A kind is a function that takes what
// was asked and the model that is meant, and gives explanations; each stands in
// a file of its own in kinds/.

import table from "../../data/table.js"
import { deviations, models } from "../counting/engine.js"

const { costs } = table.explanations

/** @type {Meaning} */
export const EMPTY = {
  ...{ kind: "total", number: 0, cost: 0, confidence: "possible", printed_in: [] },
  ...{ models: [], classes: [], mistakes: [], parts: [], layers: 0, sizes: {}, labels: 0, terms: [], words: "" },
  ...{ dtype: "", width: 0, kept: "", frame: 0, unit: 1 },
  ...{ rest: 0, slip: "", nearest: false, less: false, trained: false },
}

/** @template T @param {Iterable<T>} items @param {(each: T) => unknown} key  items of one key together */
export function grouped(items, key) {
  /** @type {Map<string, T[]>} */
  const groups = new Map()
  for (const each of items) {
    const name = JSON.stringify(key(each))
    const group = groups.get(name)
    if (group) group.push(each)
    else groups.set(name, [each])
  }
  return [...groups.values()]
}

/** @param {string} name  a model */
export const costOfModel = (name) => costs.models[name]

/** What speaks against the likeliest of the models, the likeliest of the classes, and all of the deviations.
 * @param {{ models: string[], classes: string[], mistakes?: string[] }} found */
export function costOf({ models: ofModels, classes, mistakes = [] }) {
  const likeliest = Math.min(...ofModels.map(costOfModel))
  const chosen = classes.length ? Math.min(...classes.map((name) => costs.classes[name])) : 0
  // Of models that are no BERT few people count anything but the right total.
  const strange = mistakes.length && !ofModels.some(isReleased) ? costs.ways["relative-and-more"] : 0
  return mistakes.reduce((sum, name) => sum + deviations.get(name).usual + 1, likeliest + chosen + strange)
}

/** @param {string} name  whether a model is one of the published BERTs, and not only shaped like them */
export const isReleased = (name) => models.get(name).group !== "relative"

/** The models whose numbers are explained with some deviations, parts and other sizes: those of BERT's architecture.
 * @type {Model[]} */
export const berts = table.models.filter((each) => each.architecture === table.models[0].architecture)
/** The rest. */
export const relatives = table.models.filter((each) => !berts.includes(each))
/** The BERTs that people most likely mean. */
export const usual = berts.filter((each) => costOfModel(each.name) === 0)
/** These, and those that they mean now and then. */
export const likely = berts.filter((each) => costOfModel(each.name) <= 1)
