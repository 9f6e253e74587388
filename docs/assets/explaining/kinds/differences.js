// Differences and sums: of two totals or two parts that somebody may compare.

import table from "../../../data/table.js"
import { classesOf, count, lazily } from "../../counting/engine.js"
import { costOfModel, EMPTY, isReleased, likely, termOf, usual } from "../ways.js"

const { costs, parts } = table.explanations

const CLASSES = ["BertModel", "BertForPreTraining", "BertForMaskedLM"]
const BLOCKS = [
  "bert/embeddings",
  "bert/encoder",
  "bert/encoder/layer_0",
  "bert/embeddings/word_embeddings",
  "bert/pooler",
  "cls/predictions",
]

/** @typedef {{ number: number, terms: ExplanationTerm[], model: string }} Compared */

const compared = lazily(() => {
  /** @type {Compared[]} */
  const found = []
  /** @param {Summed} one @param {Summed} other */
  const pair = (one, other) => {
    const [more, less] = one.number > other.number ? [one, other] : [other, one]
    if (more.number > less.number)
      found.push({ model: more.model, number: more.number - less.number, terms: [term(more, 1), term(less, -1)] })
  }
  for (const totals of [
    ...CLASSES.map((modelClass) => likely.map((model) => totalOf(model, modelClass))),
    ...usual.map((model) => classesOf(model.architecture).map((each) => totalOf(model, each.name))),
  ])
    totals.forEach((one, place) => totals.slice(place + 1).forEach((other) => pair(one, other)))
  const [base, ...others] = usual
  for (const relative of table.models.filter(({ name }) => !isReleased(name))) pair(totalOf(base), totalOf(relative))
  for (const model of usual) {
    for (const each of classesOf(model.architecture)) {
      for (const quoted of table.explanations.rounded) {
        pair(
          { times: 1, number: quoted, words: `the quoted ${quoted / 1e6}M`, page: "", model: model.name },
          totalOf(model, each.name),
        )
      }
    }
  }
  for (const other of others) {
    for (const path of BLOCKS) pair(partOf(base, path), partOf(other, path))
    const [one, two] = [base, other].map((model) => totalOf(model))
    found.push({ model: two.model, number: one.number + two.number, terms: [term(one, 1), term(two, 1)] })
  }
  for (const model of usual) {
    const total = totalOf(model)
    found.push({ model: model.name, number: 2 * total.number, terms: [term(total, 2)] })
  }
  return found
})

/** @typedef {ExplanationTerm & { model: string }} Summed */

/** @param {Model} model @param {string} [modelClass] @returns {Summed} */
const totalOf = (model, modelClass) => ({ ...termOf(model, modelClass), model: model.name })

/** @param {Model} model @param {string} path @returns {Summed} */
function partOf({ name, title, sizes }, path) {
  const part = /** @type {Part} */ (parts.find((each) => each.path === path && !each.tag))
  const number = count({ modelClass: part.class, sizes, part: path }) ?? NaN
  return { times: 1, number, words: `${part.words} of ${title}`, page: part.page, model: name }
}

/** @param {Summed} summed @param {number} times @returns {ExplanationTerm} */
const term = ({ number, words, page }, times) => ({ times, words, page, number })

const LEAST_DIGITS = 100 // of a rounded number that may be a difference: fewer figures fit too many

/** @type {Kind} */
export const kind = ({ low, high, exact, amount, digits }) =>
  amount === "count" && (exact || digits >= LEAST_DIGITS)
    ? compared()
        .filter(({ number }) => number >= low && number <= high)
        .map(({ number, terms, model }) => ({
          ...EMPTY,
          kind: "difference",
          number,
          cost: costs.ways.difference + costOfModel(model),
          models: [model],
          terms,
        }))
    : []
