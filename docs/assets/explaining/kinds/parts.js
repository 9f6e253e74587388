// Parts: a block, a module, a tensor or a selection of them, in one layer, in
// some or in all, of one head or of all; counted rightly, or with a deviation
// that multiplies some of it.

import table from "../../../data/table.js"
import {
  Counter,
  classOfBare,
  count,
  deviations,
  isOneLayer,
  lazily,
  models,
  resized,
  sumOf,
} from "../../counting/engine.js"
import { finder, parts } from "../known-numbers.js"
import { costOf, costOfModel, EMPTY, grouped } from "../ways.js"

const { costs } = table.explanations

const [{ architecture: BERT, sizes: SIZES }] = table.models

// What is counted of each part, whatever the sizes: rightly, and with each deviation that multiplies some of it.
const counted = lazily(() =>
  parts.map((part) => {
    const counter = new Counter(part.class, SIZES)
    const wrong = (part.miscounted ?? []).map((place) => [deviations.get(table.deviations[place].name)])
    const forms = [[], ...wrong].map((made) => ({ made, items: counter.itemsUnder(made, part.path, part.tag ?? "") }))
    return { part, forms }
  }),
)

/** @param {Model} model @returns {PartFound[]} */
const ofBert = ({ name, sizes }) =>
  counted().flatMap(({ part, forms }) => {
    const tried = costOfModel(name) <= 1 ? forms : forms.slice(0, 1)
    const found = tried.map(({ made, items }) => {
      const number = sumOf(items, resized(sizes, made), isOneLayer(part.path)) ?? NaN
      const mistakes = made.map((each) => each.name)
      return { model: name, part, mistakes, number: part.share ? Math.floor(number / sizes.A) : number }
    })
    return found.filter(({ number }, place) => !place || (number !== found[0].number && !Number.isNaN(number)))
  })

/** What people count of a model that is not BERT. @param {Model} model @returns {PartFound[]} */
const ofRelative = ({ name, architecture, sizes }) =>
  parts.flatMap((each) => {
    const part = { ...each, class: classOfBare(architecture) }
    const number = each.elsewhere && count({ modelClass: part.class, sizes, part: part.path })
    return number ? [{ model: name, part, mistakes: [], number }] : []
  })

/** Every part of every model with its count, in the order of the model. */
export const everyPart = lazily(() =>
  table.models.flatMap((model) => (model.architecture === BERT ? ofBert(model) : ofRelative(model))),
)
const found = lazily(() => finder(everyPart(), (each) => each.number))
/** Those from one number to another, the smallest first. @param {number} low @param {number} high */
export const partsWithin = (low, high) => found()(low, high)

/** Parts of one model and one number as one explanation.
 * @param {PartFound[]} found @param {number} against @param {number} layers @returns {Meaning[]} */
export const asOne = (found, against, layers = 0) =>
  grouped(found, (each) => [each.model, each.mistakes, each.number]).map((alike) => {
    const [{ model, mistakes, number }] = alike
    const cost = Math.min(...alike.map(({ part }) => part.cost))
    return {
      ...EMPTY,
      kind: "part",
      number: number * (layers || 1),
      cost: against + cost + costOf(model, mistakes),
      models: [model],
      mistakes,
      parts: alike.map(({ part }) => part), // in the order of the model, as they are listed
      layers,
    }
  })

const stacked = lazily(() =>
  everyPart().filter(({ model, part, mistakes }) => part.stacked && !mistakes.length && !costOfModel(model)),
)

/** A layer, or a block of it, in more than one layer and not in all.
 * @param {number} number @returns {Meaning[]} */
const inLayers = (number) =>
  stacked().flatMap((each) => {
    const layers = number / each.number
    const some = Number.isInteger(layers) && layers > 1 && layers < models.get(each.model).sizes.L
    return some ? asOne([each], costs.ways.layers, layers) : []
  })

/** The parts from one number to another that somebody may round, counted rightly, those of one number together.
 * @param {number} low @param {number} high */
export const rightParts = (low, high) =>
  asOne(
    partsWithin(low, high).filter((each) => !each.mistakes.length),
    costs.ways.part + costs.ways["rounded-part"],
  ).map((each) => ({ ...each, cost: each.cost + Math.min(...each.parts.map(({ rounded }) => rounded)) }))

/** @type {Kind} */
export function kind({ low, high, amount, width }) {
  if (amount !== "count") return []
  return width ? rightParts(low, high) : [...asOne(partsWithin(low, low), costs.ways.part), ...inLayers(low)]
}
