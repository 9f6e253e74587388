// Shared by all kinds of explanation: a blank meaning, and the costs and order of models. A
// kind is a function that takes a reading and the model that is meant, and returns meanings.
// Most kinds have a file of their own in kinds/. A meaning says how a number comes about, and
// at what cost: the higher the cost, the less likely the meaning. A meaning that fits what was
// typed becomes an explanation, in explain.js.

import table from "../../data/table.js"
import { deviations, models, sumBy } from "../counting/engine.js"
import { groupBy } from "../counting/polynomials.js"

const { costs } = table.explanations

/** A meaning with the default of every field; the function for a kind sets the fields it needs. @type {Meaning} */
export const BLANK_MEANING = {
  kind: "total",
  number: 0,
  cost: 0,
  confidence: "possible",
  printed_in: [],
  models: [],
  classes: [],
  mistakes: [],
  parts: [],
  layers: 0,
  sizes: {},
  labels: 0,
  terms: [],
  words: "",
  tokens: 0,
  texts: 0,
  why: "",
  profiler: "",
  dtype: "",
  bytesPerParameter: 0,
  kept: "",
  frame: 0,
  unit: 1,
  excess: 0,
  slip: "",
  isNearest: false,
  isReduction: false,
  trained: false,
  hasUnusualSize: false,
}

/** Lists of the items that have equal keys, in the order of their first items.
 * @template T @param {Iterable<T>} items @param {(item: T) => unknown} key */
export const groupByValue = (items, key) => [...groupBy(items, (item) => JSON.stringify(key(item))).values()]

/** The cost of a model; 0 if no model is given. @param {string | undefined} name */
export const costOfModel = (name) => (name ? costs.models[name] : 0)

/** Compares two models, for sorting the most commonly used first.
 * @param {{ name: string }} one @param {{ name: string }} other */
export const byUse = (one, other) => costOfModel(one.name) - costOfModel(other.name)

/** The cost of a model that was counted with these mistakes. @param {string} model @param {string[]} mistakes */
export const costWithMistakes = (model, mistakes = []) =>
  costOfModel(model) + sumBy(mistakes, (name) => deviations.get(name).rarity + 1)

/** Whether a model is one of the published BERTs, rather than a relative of them. @param {string} name */
export const isPublishedBert = (name) => models.get(name).group !== "relative"

/** Whether an explanation is that of a rounded size of a file, so that it does not say what the file holds beside the
 * weights.
 * @param {Explanation} explanation */
export const isFileRounded = ({ frame, reading }) => frame > 0 && !reading.exact

/** The number in an explanation that is stated: of a file whose size is rounded, the bytes of its weights.
 * @param {Explanation} explanation */
export const statedNumber = (explanation) => explanation.number - (isFileRounded(explanation) ? explanation.frame : 0)
