// Explains numbers as the sizes of parts. A part is a block, a module, a tensor or a selection
// of tensors, in one layer or several, for one head or for all. It is counted correctly, or
// with a deviation that multiplies some of its tensors.

import table from "../../../data/table.js"
import {
  Counter,
  classOfBare,
  count,
  deviations,
  isOneLayer,
  lazily,
  models,
  sizesAfter,
  sumOf,
} from "../../counting/engine.js"
import { finder, parts } from "../known-numbers.js"
import { BLANK_MEANING, costOfModel, costWithMistakes, DECODER_UNTIED, groupByValue } from "../ways.js"

const { costs } = table.explanations

const [{ architecture: BERT, sizes: BERT_SIZES }] = table.models

const MAX_MODEL_COST = 1 // mistakes in parts are only tried for models of at most this cost

// The items of each part, counted correctly and with each deviation that multiplies some of them. They do not depend on
// the sizes, so one model is enough.
const itemsOfParts = lazily(() =>
  parts.map((part) => {
    const counter = new Counter(part.class, BERT_SIZES)
    const miscounts = (part.deviation_indices ?? []).map((index) => [deviations.get(table.deviations[index].name)])
    const forms = [[], ...miscounts].map((deviationsOfForm) => ({
      deviationsOfForm,
      items: counter.itemsUnder(deviationsOfForm, part.path, part.tag ?? ""),
    }))
    return { part, forms }
  }),
)

/** The parts of a BERT with their counts. For likely models, they include miscounted parts.
 * @param {Model} model @returns {PartCount[]} */
const partsOfBert = ({ name, sizes }) =>
  itemsOfParts().flatMap(({ part, forms }) => {
    const formsToTry = costOfModel(name) <= MAX_MODEL_COST ? forms : forms.slice(0, 1)
    const counts = formsToTry.map(({ deviationsOfForm, items }) => {
      const number = sumOf(items, sizesAfter(sizes, deviationsOfForm), isOneLayer(part.path)) ?? NaN
      const mistakes = deviationsOfForm.map((deviation) => deviation.name)
      return { model: name, part, mistakes, number: part.share ? Math.floor(number / sizes.A) : number }
    })
    return counts.filter(({ number }, index) => !index || (number !== counts[0].number && !Number.isNaN(number)))
  })

/** The parts of a model other than BERT that people count. @param {Model} model @returns {PartCount[]} */
const partsOfRelative = ({ name, architecture, sizes }) =>
  parts.flatMap((partOfBert) => {
    const part = { ...partOfBert, class: classOfBare(architecture) }
    const number = partOfBert.is_counted_in_relatives && count({ modelClass: part.class, sizes, part: part.path })
    return number ? [{ model: name, part, mistakes: [], number }] : []
  })

/** Every part of every model with its count, and the miscounted parts of likely BERTs. */
export const everyPart = lazily(() =>
  table.models.flatMap((model) => (model.architecture === BERT ? partsOfBert(model) : partsOfRelative(model))),
)
/** The function that finds parts by their counts. */
const partsFinder = lazily(() => finder(everyPart(), ({ number }) => number))

/** The parts with counts from `low` to `high`, in ascending order. @param {number} low @param {number} high */
export const partsWithin = (low, high) => partsFinder()(low, high)

/** Parts as meanings. Parts of the same model with the same mistakes and count share a meaning.
 * @param {PartCount[]} countedParts @param {number} kindCost @param {number} layers @returns {Meaning[]} */
export const asMeanings = (countedParts, kindCost, layers = 0) =>
  groupByValue(countedParts, ({ model, mistakes, number }) => [model, mistakes, number]).map((alikeParts) => {
    const [{ model, mistakes, number }] = alikeParts
    const cost = Math.min(...alikeParts.map(({ part }) => part.cost))
    return {
      ...BLANK_MEANING,
      kind: "part",
      number: number * (layers || 1),
      cost: kindCost + cost + costWithMistakes(model, mistakes),
      models: [model],
      mistakes,
      parts: alikeParts.map(({ part }) => part), // in the order in which the model has them
      layers,
    }
  })

const partsInLayers = lazily(() =>
  everyPart().filter(
    ({ model, part, mistakes }) => part.is_counted_in_some_layers && !mistakes.length && !costOfModel(model),
  ),
)

/** Meanings of a number as the count of a layer, or of a part of one, in more than one layer but not in all.
 * @param {number} number @returns {Meaning[]} */
const meaningsInLayers = (number) =>
  partsInLayers().flatMap((countedPart) => {
    const layers = number / countedPart.number
    const isPossible = Number.isInteger(layers) && layers > 1 && layers < models.get(countedPart.model).sizes.L
    return isPossible ? asMeanings([countedPart], costs.ways.layers, layers) : []
  })

/** Parts as meanings, with the additional cost of a rounded count. @param {PartCount[]} countedParts */
const asRounded = (countedParts) =>
  asMeanings(countedParts, costs.ways.part + costs.ways["rounded-part"]).map((meaning) => ({
    ...meaning,
    cost: meaning.cost + Math.min(...meaning.parts.map((part) => part.if_rounded)),
  }))

/** The correctly counted parts from `low` to `high` as meanings, with the additional cost of a rounded count.
 * @param {number} low @param {number} high */
export const rightParts = (low, high) => asRounded(partsWithin(low, high).filter(({ mistakes }) => !mistakes.length))

/** Whether the only mistake in a part's count is that it includes the tied decoder, as it does in tools that print the
 * count of a single module.
 * @param {Pick<Meaning, "mistakes">} part */
export const isWithDecoder = ({ mistakes }) => mistakes.length === 1 && mistakes[0] === DECODER_UNTIED

/** The parts of models whose numbers a count may be. @type {FindMeanings} */
export function findMeanings({ low, high, amount, uncertainty }) {
  if (amount !== "count") return []
  if (uncertainty) return [...rightParts(low, high), ...asRounded(partsWithin(low, high).filter(isWithDecoder))]
  return [...asMeanings(partsWithin(low, low), costs.ways.part), ...meaningsInLayers(low)]
}
