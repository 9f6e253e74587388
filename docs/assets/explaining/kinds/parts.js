// Explains parts: a block, a module, a tensor or a selection of them, in one layer, in some
// layers or in all, for one head or for all heads; counted correctly, or with a
// deviation that multiplies a part of it.

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
import { BLANK_MEANING, costOfModel, costWithMistakes, groupByValue } from "../ways.js"

const { costs } = table.explanations

const [{ architecture: BERT, sizes: SIZES }] = table.models

const MAX_COST = 1 // of a model in whose parts people are taken to make mistakes

// The items of each part, which do not depend on the sizes: counted correctly, and with each deviation that
// multiplies some of it.
const itemsOfParts = lazily(() =>
  parts.map((part) => {
    const counter = new Counter(part.class, SIZES)
    const wrong = (part.miscounted ?? []).map((index) => [deviations.get(table.deviations[index].name)])
    const forms = [[], ...wrong].map((deviationsOfForm) => ({
      deviationsOfForm,
      items: counter.itemsUnder(deviationsOfForm, part.path, part.tag ?? ""),
    }))
    return { part, forms }
  }),
)

/** The parts of a BERT; with deviations only for likely models.
 * @param {Model} model @returns {PartFound[]} */
const ofBert = ({ name, sizes }) =>
  itemsOfParts().flatMap(({ part, forms }) => {
    const formsToTry = costOfModel(name) <= MAX_COST ? forms : forms.slice(0, 1)
    const counts = formsToTry.map(({ deviationsOfForm, items }) => {
      const number = sumOf(items, resized(sizes, deviationsOfForm), isOneLayer(part.path)) ?? NaN
      const mistakes = deviationsOfForm.map((deviation) => deviation.name)
      return { model: name, part, mistakes, number: part.share ? Math.floor(number / sizes.A) : number }
    })
    return counts.filter(({ number }, index) => !index || (number !== counts[0].number && !Number.isNaN(number)))
  })

/** The parts that people count in a model that is not BERT. @param {Model} model @returns {PartFound[]} */
const ofRelative = ({ name, architecture, sizes }) =>
  parts.flatMap((partOfBert) => {
    const part = { ...partOfBert, class: classOfBare(architecture) }
    const number = partOfBert.elsewhere && count({ modelClass: part.class, sizes, part: part.path })
    return number ? [{ model: name, part, mistakes: [], number }] : []
  })

/** Every part of every model with its count, in the order of the model. */
export const everyPart = lazily(() =>
  table.models.flatMap((model) => (model.architecture === BERT ? ofBert(model) : ofRelative(model))),
)
const find = lazily(() => finder(everyPart(), ({ number }) => number))

/** The parts whose counts are between two numbers, the smallest first. @param {number} low @param {number} high */
export const partsWithin = (low, high) => find()(low, high)

/** Parts as meanings; those of one model with one number make one meaning.
 * @param {PartFound[]} countedParts @param {number} kindCost @param {number} layers @returns {Meaning[]} */
export const asMeanings = (countedParts, kindCost, layers = 0) =>
  groupByValue(countedParts, ({ model, mistakes, number }) => [model, mistakes, number]).map((alike) => {
    const [{ model, mistakes, number }] = alike
    const cost = Math.min(...alike.map(({ part }) => part.cost))
    return {
      ...BLANK_MEANING,
      kind: "part",
      number: number * (layers || 1),
      cost: kindCost + cost + costWithMistakes(model, mistakes),
      models: [model],
      mistakes,
      parts: alike.map(({ part }) => part), // in the order of the model, as they are listed
      layers,
    }
  })

const partsInLayers = lazily(() =>
  everyPart().filter(({ model, part, mistakes }) => part.stacked && !mistakes.length && !costOfModel(model)),
)

/** Layers, or blocks of them, that are counted in more than one layer and not in all.
 * @param {number} number @returns {Meaning[]} */
const inLayers = (number) =>
  partsInLayers().flatMap((one) => {
    const layers = number / one.number
    const isSome = Number.isInteger(layers) && layers > 1 && layers < models.get(one.model).sizes.L
    return isSome ? asMeanings([one], costs.ways.layers, layers) : []
  })

/** Parts that somebody may round, as meanings. @param {PartFound[]} countedParts */
const asRounded = (countedParts) =>
  asMeanings(countedParts, costs.ways.part + costs.ways["rounded-part"]).map((meaning) => ({
    ...meaning,
    cost: meaning.cost + Math.min(...meaning.parts.map((part) => part.if_rounded)),
  }))

/** The correct counts between two numbers that somebody may round, as meanings.
 * @param {number} low @param {number} high */
export const rightParts = (low, high) => asRounded(partsWithin(low, high).filter(({ mistakes }) => !mistakes.length))

/** Whether a part is counted together with its tied decoder, as tools that print one module do.
 * @param {Pick<Meaning, "mistakes">} part */
export const isWithDecoder = ({ mistakes }) => mistakes.length === 1 && mistakes[0] === UNTIED
const UNTIED = "decoder-untied"

/** @type {Kind} */
export function kind({ low, high, amount, uncertainty }) {
  if (amount !== "count") return []
  if (uncertainty) return [...rightParts(low, high), ...asRounded(partsWithin(low, high).filter(isWithDecoder))]
  return [...asMeanings(partsWithin(low, low), costs.ways.part), ...inLayers(low)]
}
