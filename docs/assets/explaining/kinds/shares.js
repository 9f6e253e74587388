// Explains a percentage or a ratio: as the share of a part in a total, as the ratio of two
// models, or as the percentage by which one model is smaller than another.

import table from "../../../data/table.js"
import { classOfBare, count, getOrMake, lazily, models } from "../../counting/engine.js"
import { BLANK_MEANING, costOfModel, costWithMistakes, isPublishedBert } from "../ways.js"
import { everyPart } from "./parts.js"

const { costs } = table.explanations

const [ENCODER, FIRST_LAYER, WORD_TABLE] = ["bert/encoder", "bert/encoder/layer_0", "bert/embeddings/word_embeddings"]

// The published BERTs that people are likely to mean.
const likelyModels = table.models.filter(({ name }) => isPublishedBert(name) && costOfModel(name) <= 1)

/** A share as a meaning: a number of parameters in proportion to the whole.
 * @param {Model} model @param {number} cost @param {ExplanationTerm} part @param {ExplanationTerm} whole
 * @param {Part[]} parts @returns {Meaning} */
const shareMeaning = ({ name }, cost, part, whole, ...parts) => ({
  ...BLANK_MEANING,
  kind: "share",
  number: part.number,
  cost: cost + costs.ways.part + costWithMistakes(name),
  models: [name],
  classes: ["BertModel"],
  parts,
  terms: [part, { ...whole, times: -1 }],
})

/** The cached results of `totalOf`, because each model is in many ratios. @type {Map<Model, ExplanationTerm>} */
const totals = new Map()

/** The total of a model without a head, as a term. @param {Model} model */
const totalOf = (model) =>
  getOrMake(totals, model, () => {
    const { architecture, title, sizes, page } = model
    const modelClass = classOfBare(architecture)
    return { times: 1, words: `${title} (${modelClass})`, page, number: count({ modelClass, sizes }) }
  })

/** A part as a term of a ratio. @param {PartCount} part @returns {ExplanationTerm} */
const term = ({ number, part: { words, page } }) => ({ times: 1, number, words, page })

const COST_IN_LAYERS = 1 // the additional cost of a share in the layers, rather than in the whole model

// The share of each part in its model and, for a part of the layers, in all layers. For unlikely models, only the share
// of the word table is included, because models differ most in it.
const sharesOfParts = lazily(() => {
  const rightParts = everyPart().filter(({ mistakes }) => !mistakes.length)
  const encoderParts = rightParts.filter(({ part }) => part.path === ENCODER && !part.tag)
  const layers = new Map(encoderParts.map((countedPart) => [countedPart.model, countedPart]))
  return rightParts.flatMap((countedPart) => {
    const { part, number } = countedPart
    const model = models.get(countedPart.model)
    const percentageCost = part.percentage_cost
    if (percentageCost === undefined || !(part.path === WORD_TABLE || likelyModels.includes(model))) return []
    const shareInModel = shareMeaning(model, percentageCost, term(countedPart), totalOf(model), part)
    const layersOfModel = layers.get(model.name)
    // A part of a single layer is compared with the whole model only.
    const isInLayers =
      layersOfModel &&
      number < layersOfModel.number &&
      part.path.startsWith(ENCODER) &&
      !part.path.startsWith(FIRST_LAYER)
    if (!isInLayers || !likelyModels.includes(model)) return [shareInModel]
    const layersTerm = { ...term(layersOfModel), words: `${layersOfModel.part.words} of ${model.title}` }
    return [shareInModel, shareMeaning(model, percentageCost + COST_IN_LAYERS, term(countedPart), layersTerm, part)]
  })
})

const MAX_MODEL_COST = 3 // the largest cost of a model that people compare with BERT
const COST_OF_REDUCTION = 0.5 // the additional cost of "40% smaller", which is less common than "60% of"

// The ratios of two models, in both directions, and the percentages by which one is smaller.
const ratiosOfModels = lazily(() =>
  likelyModels.flatMap((model) => {
    const otherModels = table.models.filter((other) => other !== model && costOfModel(other.name) <= MAX_MODEL_COST)
    return otherModels.flatMap((other) => {
      const [total, otherTotal, cost] = [totalOf(model), totalOf(other), costOfModel(other.name)]
      const shares = [shareMeaning(model, cost, otherTotal, total)]
      if (!likelyModels.includes(other)) shares.push(shareMeaning(model, cost, total, otherTotal))
      if (otherTotal.number < total.number)
        shares.push({ ...shareMeaning(model, cost + COST_OF_REDUCTION, otherTotal, total), isReduction: true })
      return shares
    })
  }),
)

/** The shares that a ratio or a percentage may be. @type {FindMeanings} */
export const findMeanings = ({ share, amount }) => {
  if (amount !== "share" || !share) return []
  return [...sharesOfParts(), ...ratiosOfModels()].filter(({ terms: [part, whole], isReduction }) => {
    const ratio = part.number / whole.number
    const value = isReduction ? 1 - ratio : ratio
    return value >= share[0] && value < share[1]
  })
}
