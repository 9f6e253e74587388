// Shares: a percentage, which part of a total it is.

import table from "../../../data/table.js"
import { classOfBare, count as countOf, lazily } from "../../counting/engine.js"
import { costOf, costOfModel, EMPTY, likely, termOf } from "../ways.js"

const { costs, parts } = table.explanations

const [LAYERS, WORDS] = ["bert/encoder", "bert/embeddings/word_embeddings"]
const DEEPEST = 3 // steps of a path that people give the share of

/** @typedef {{ model: string, parts: Part[], cost: number, terms: [ExplanationTerm, ExplanationTerm], less?: boolean }} Shared */

/** The share, or how much is missing from the whole. @param {Shared} shared */
const ratio = ({ terms: [one, whole], less }) => (less ? 1 - one.number / whole.number : one.number / whole.number)

/** @param {string} model @param {number} cost @param {ExplanationTerm} one @param {ExplanationTerm} whole @param {Part[]} ofModel @returns {Shared} */
const share = (model, cost, one, whole, ...ofModel) => ({
  model,
  parts: ofModel,
  cost,
  terms: [one, { ...whole, times: -1 }],
})

/** @param {string} tag  whether it selects a block, as readers count it */
const isBlock = (tag) => Object.hasOwn(table.blocks, tag)

// The word table is the part of a model that differs most between models.
const wordTables = lazily(() =>
  table.models.map((model) => {
    const modelClass = classOfBare(model.architecture)
    const number = countOf({ modelClass, sizes: model.sizes, part: WORDS }) ?? NaN
    const [part] = parts.filter(({ path, tag }) => path === WORDS && !tag)
    return share(model.name, 0, { times: 1, words: part.words, page: part.page, number }, termOf(model), part)
  }),
)

const ofLikely = lazily(() =>
  likely.flatMap((model) => {
    const { name, title, sizes } = model
    const total = termOf(model)
    const [layers] = parts.filter((part) => part.path === LAYERS && !part.tag)
    const encoder = { times: 1, words: `${layers.words} of ${title}`, page: layers.page, number: count(layers, sizes) }
    const found = parts
      .filter((part) => !part.share && !part.path.startsWith("cls") && part.class !== "BertForSequenceClassification")
      .flatMap((part) => {
        const one = { times: 1, words: part.words, page: part.page, number: count(part, sizes) }
        const cost = (part.tag && !isBlock(part.tag) ? 1 : 0) + (part.path.split("/").length > DEEPEST ? 1 : 0)
        const inEncoder = part.path.startsWith(LAYERS) && !part.path.includes("layer_0") && one.number < encoder.number
        return inEncoder
          ? [share(name, cost, one, total, part), share(name, cost + 1, one, encoder, part)]
          : [share(name, cost, one, total, part)]
      })
    return found
  }),
)

const FARTHEST = 3 // of the models that people compare with BERT

// One model in another, or so many times as large; and how much smaller one is.
const ofModels = lazily(() =>
  likely.flatMap((model) => {
    const total = termOf(model)
    const others = table.models.filter((each) => each !== model && costOfModel(each.name) <= FARTHEST)
    return others.flatMap((other) => {
      const [one, against] = [termOf(other), costOfModel(other.name)]
      const isLikely = likely.includes(other)
      const smaller = { ...share(model.name, against + 0.5, one, total), less: one.number < total.number }
      const ofBoth = isLikely ? [] : [share(model.name, against, total, one)]
      return [share(model.name, against, one, total), ...ofBoth, ...(smaller.less ? [smaller] : [])]
    })
  }),
)

/** @param {Part} part @param {Sizes} sizes */
const count = (part, sizes) => countOf({ modelClass: part.class, sizes, part: part.path, tag: part.tag }) ?? NaN

/** @type {Kind} */
export const kind = ({ share, amount }) => {
  if (amount !== "share" || !share) return []
  const listed = [...ofLikely(), ...wordTables().filter(({ model }) => !likely.some(({ name }) => name === model))]
  return [...listed, ...ofModels()]
    .filter((each) => ratio(each) >= share[0] && ratio(each) < share[1])
    .map(({ model, parts: ofModel, cost, terms, less }) => ({
      ...EMPTY,
      kind: "share",
      number: terms[0].number,
      cost: cost + costs.ways.part + costOf({ models: [model], classes: [] }),
      models: [model],
      classes: ["BertModel"],
      parts: ofModel,
      terms,
      less: Boolean(less),
    }))
}
