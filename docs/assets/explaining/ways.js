// Holds the functions that all kinds of explanations share. A kind is a function that takes a
// reading and the model that is meant, and returns meanings; most have a file of
// their own in kinds/. A meaning says how a number comes about and what that costs: the more,
// the less likely. A meaning that fits what was typed becomes an explanation, in explain.js.

import table from "../../data/table.js"
import { deviations, models, sumBy } from "../counting/engine.js"
import { groupBy } from "../counting/polynomials.js"

const { costs } = table.explanations

/** A meaning with every field empty; a kind fills in those that it needs. @type {Meaning} */
export const EMPTY = {
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
  width: 0,
  kept: "",
  frame: 0,
  unit: 1,
  rest: 0,
  slip: "",
  nearest: false,
  less: false,
  trained: false,
  free: false,
}

/** Lists of the items that have equal keys, in the order of their first items.
 * @template T @param {Iterable<T>} items @param {(item: T) => unknown} key */
export const groupByValue = (items, key) => [...groupBy(items, (item) => JSON.stringify(key(item))).values()]

/** The cost of a model; nothing if there is none. @param {string | undefined} name */
export const costOfModel = (name) => (name ? costs.models[name] : 0)

/** The order of models from the most usual to the rarest.
 * @param {{ name: string }} one @param {{ name: string }} other */
export const byUse = (one, other) => costOfModel(one.name) - costOfModel(other.name)

/** The cost of a model with some deviations. @param {string} model @param {string[]} mistakes */
export const costOf = (model, mistakes = []) =>
  costOfModel(model) + sumBy(mistakes, (name) => deviations.get(name).usual + 1)

/** Whether a model is one of the published BERTs, and not only built like them. @param {string} name */
export const isReleased = (name) => models.get(name).group !== "relative"
