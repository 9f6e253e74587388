// Shares: a percentage, which part of a total it is, and how much smaller one
// model is than another.

import table from "../../../data/table.js"
import { classOfBare, count, kept, lazily, models } from "../../counting/engine.js"
import { costOf, costOfModel, EMPTY, isReleased } from "../ways.js"
import { everyPart } from "./parts.js"

const { costs } = table.explanations

const [LAYERS, LAYER, WORDS] = ["bert/encoder", "bert/encoder/layer_0", "bert/embeddings/word_embeddings"]

// The BERTs that people mean, if only now and then.
const likely = table.models.filter(({ name }) => isReleased(name) && costOfModel(name) <= 1)

/** @param {Model} model @param {number} cost @param {ExplanationTerm} one @param {ExplanationTerm} whole @param {Part[]} parts @returns {Meaning} */
const share = ({ name }, cost, one, whole, ...parts) => ({
  ...EMPTY,
  kind: "share",
  number: one.number,
  cost: cost + costs.ways.part + costOf(name),
  models: [name],
  classes: ["BertModel"],
  parts,
  terms: [one, { ...whole, times: -1 }],
})

/** @type {Map<Model, ExplanationTerm>} */
const totals = new Map()
/** The total of a model without a head. @param {Model} model */
const totalOf = (model) =>
  kept(totals, model, () => {
    const { architecture, title, sizes, page } = model
    const modelClass = classOfBare(architecture)
    return { times: 1, words: `${title} (${modelClass})`, page, number: count({ modelClass, sizes }) ?? NaN }
  })

/** @param {PartFound} found @returns {ExplanationTerm} */
const term = ({ number, part: { words, page } }) => ({ times: 1, number, words, page })

// Parts in the model, and those of the layers in all of them. The word table is the part that differs most between models.
const ofParts = lazily(() => {
  const right = everyPart().filter(({ mistakes }) => !mistakes.length)
  const ofLayers = right.filter(({ part }) => part.path === LAYERS && !part.tag)
  const layers = new Map(ofLayers.map((each) => [each.model, each]))
  return right.flatMap((each) => {
    const { part, number } = each
    const model = models.get(each.model)
    const { compared } = part
    if (compared === undefined || !(part.path === WORDS || likely.includes(model))) return []
    const found = share(model, compared, term(each), totalOf(model), part)
    const around = layers.get(model.name)
    const inside = around && number < around.number && part.path.startsWith(LAYERS) && !part.path.startsWith(LAYER)
    if (!inside || !likely.includes(model)) return [found]
    const whole = { ...term(around), words: `${around.part.words} of ${model.title}` }
    return [found, share(model, compared + 1, term(each), whole, part)]
  })
})

const FARTHEST = 3 // of the models that people compare with BERT

// One model in another, or so many times as large; and how much smaller one is.
const ofModels = lazily(() =>
  likely.flatMap((model) => {
    const others = table.models.filter((each) => each !== model && costOfModel(each.name) <= FARTHEST)
    return others.flatMap((other) => {
      const [total, one, against] = [totalOf(model), totalOf(other), costOfModel(other.name)]
      const found = [share(model, against, one, total)]
      if (!likely.includes(other)) found.push(share(model, against, total, one))
      if (one.number < total.number) found.push({ ...share(model, against + 0.5, one, total), less: true })
      return found
    })
  }),
)

/** @type {Kind} */
export const kind = ({ share, amount }) => {
  if (amount !== "share" || !share) return []
  return [...ofParts(), ...ofModels()].filter(({ terms: [one, whole], less }) => {
    const ratio = one.number / whole.number
    return (less ? 1 - ratio : ratio) >= share[0] && (less ? 1 - ratio : ratio) < share[1]
  })
}
