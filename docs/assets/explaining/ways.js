// Ways: what every kind of reason shares. A kind is a function that takes what
// was asked and the model that is meant, and gives explanations; each stands in
// a file of its own in kinds/.

import table from "../../data/table.js"
import { deviations, models, sumBy } from "../counting/engine.js"
import { grouped as groupedBy } from "../counting/polynomials.js"

const { costs } = table.explanations

/** @type {Meaning} */
export const EMPTY = {
  ...{ kind: "total", number: 0, cost: 0, confidence: "possible", printed_in: [] },
  ...{ models: [], classes: [], mistakes: [], parts: [], layers: 0, sizes: {}, labels: 0, terms: [], words: "" },
  ...{ tokens: 0, texts: 0, why: "", profiler: "" },
  ...{ dtype: "", width: 0, kept: "", frame: 0, unit: 1 },
  ...{ rest: 0, slip: "", nearest: false, less: false, trained: false },
}

/** @template T @param {Iterable<T>} items @param {(each: T) => unknown} key  items of one key together */
export const grouped = (items, key) => [...groupedBy(items, (each) => JSON.stringify(key(each))).values()]

/** @param {string | undefined} name  a model, if there is one */
export const costOfModel = (name) => (name ? costs.models[name] : 0)

/** What speaks against a model and some deviations. @param {string} model @param {string[]} mistakes */
export const costOf = (model, mistakes = []) =>
  costOfModel(model) + sumBy(mistakes, (name) => deviations.get(name).usual + 1)

/** @param {string} name  whether a model is one of the published BERTs, and not only shaped like them */
export const isReleased = (name) => models.get(name).group !== "relative"
