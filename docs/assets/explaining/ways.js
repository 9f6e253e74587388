// Ways: what every kind of reason shares. A kind is a function that takes what
// was asked and the model that is meant, and gives explanations; each stands in
// a file of its own in kinds/.

import table from "../../data/table.js"
import { classOfBare, count, deviations, models } from "../counting/engine.js"

const { costs } = table.explanations

/** @type {Meaning} */
export const EMPTY = {
  kind: "total",
  number: 0,
  cost: 0,
  confidence: "possible",
  models: [],
  classes: [],
  mistakes: [],
  parts: [],
  sizes: {},
  layers: 0,
  labels: 0,
  dtype: "",
  width: 0,
  less: false,
  trained: false,
  kept: "",
  frame: 0,
  unit: 1,
  terms: [],
  rest: 0,
  slip: "",
  nearest: false,
  printed_in: [],
  words: "",
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
export const costOfModel = (name) => costs.models[name] ?? costs.groups[models.get(name).group]
/** @param {string} name  a class */
const costOfClass = (name) => costs.classes[counterpart(name)] ?? costs.classes.other
/** BERT's class that another architecture's is like. @param {string} name */
const counterpart = (name) => `Bert${name.slice(name.search(/For|LMHead|Model/))}`
/** @param {string} name  a deviation */
const costOfDeviation = (name) => deviations.get(name).usual + 1

/** What speaks against the likeliest of the models, the likeliest of the classes, and all of the deviations.
 * @param {{ models: string[], classes: string[], mistakes?: string[] }} found */
export function costOf({ models: ofModels, classes, mistakes = [] }) {
  const likeliest = Math.min(...ofModels.map(costOfModel))
  const chosen = classes.length ? Math.min(...classes.map(costOfClass)) : 0
  // Of models that are no BERT few people count anything but the right total.
  const strange = mistakes.length && !ofModels.some(isReleased) ? costs.ways["relative-and-more"] : 0
  return mistakes.reduce((sum, name) => sum + costOfDeviation(name), likeliest + chosen + strange)
}

/** @param {string} name  whether a model is one of the published BERTs, and not only shaped like them */
export const isReleased = (name) => models.get(name).group !== "relative"

/** The total of a model in a class as a term of a difference or a share.
 * @param {Model} model @param {string} modelClass @returns {ExplanationTerm} */
export const termOf = ({ architecture, title, sizes, page }, modelClass = classOfBare(architecture)) => ({
  times: 1,
  words: `${title} (${modelClass})`,
  page,
  number: count({ modelClass, sizes }) ?? NaN,
})

/** The models whose numbers are explained with some deviations, parts and other sizes: those of BERT's architecture.
 * @type {Model[]} */
export const berts = table.models.filter((each) => each.architecture === table.models[0].architecture)
/** The rest. */
export const relatives = table.models.filter((each) => !berts.includes(each))
/** The BERTs that people most likely mean. */
export const usual = berts.filter((each) => costOfModel(each.name) === 0)
/** These, and those that they mean now and then. */
export const likely = berts.filter((each) => costOfModel(each.name) <= 1)
