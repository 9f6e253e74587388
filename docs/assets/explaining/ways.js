// Shared by all kinds of explanation: the fields of a meaning, the costs by which ways to a number are
// compared, and the order of models.
//
// Each kind of explanation has a function, `findMeanings`, that takes a reading and a model and
// returns meanings. Most kinds have a module of their own in kinds/. A meaning states how a number
// arises, and has a cost: the higher the cost, the less likely the meaning. In explain.js, a meaning
// that fits what was typed becomes an explanation. All of these are ways to get a number.

import table from "../../data/table.js"
import { deviations, models, sumBy } from "../counting/engine.js"
import { groupBy } from "../counting/polynomials.js"

const { costs } = table.explanations

/** The deviation that counts the matrix of a tied decoder again. */
export const DECODER_UNTIED = "decoder-untied"

/** A meaning with default values, from which every kind sets the fields that it needs. @type {Meaning} */
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
  isTrainable: false,
  hasUnusualSize: false,
}

/** The items in groups with equal keys, ordered by the first item of each group.
 * @template T @param {Iterable<T>} items @param {(item: T) => unknown} key */
export const groupByValue = (items, key) => [...groupBy(items, (item) => JSON.stringify(key(item))).values()]

/** The cost of a model; 0 if no model is given. @param {string | undefined} name */
export const costOfModel = (name) => (name ? costs.models[name] : 0)

/** Compares two models, for sorting the most commonly used first.
 * @param {{ name: string }} one @param {{ name: string }} other */
export const byUse = (one, other) => costOfModel(one.name) - costOfModel(other.name)

/** Compares two ways by cost, for sorting the likeliest first.
 * @param {{ cost: number }} one @param {{ cost: number }} other */
export const byCost = (one, other) => one.cost - other.cost

/** The published models, the most commonly used first. */
export const modelsByUse = [...models.values()].sort(byUse)

/** The cost of a model plus that of the mistakes with which it is counted, each of which costs one in addition to its
 * rarity.
 * @param {string} model @param {string[]} mistakes */
export const costWithMistakes = (model, mistakes = []) =>
  costOfModel(model) + sumBy(mistakes, (name) => deviations.get(name).rarity + 1)

/** Whether a model is one of the published BERTs, rather than a relative. @param {string} name */
export const isPublishedBert = (name) => models.get(name).group !== "relative"

/** Whether an explanation is about a file size that was rounded, which leaves the size of the frame unknown.
 * @param {Explanation} explanation */
export const isFileRounded = ({ frame, reading }) => frame > 0 && !reading.exact

/** The number that an answer states. Of a rounded file size, that is only the bytes of the weights, because the size of
 * the frame is unknown.
 * @param {Explanation} explanation */
export const statedNumber = (explanation) => explanation.number - (isFileRounded(explanation) ? explanation.frame : 0)
