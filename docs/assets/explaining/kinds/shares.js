// Shares: a percentage, which part of a total it is.

import table from "../../../data/table.js"
import { count as countOf, lazily } from "../../counting/engine.js"
import { costOf, EMPTY, likely, termOf } from "../ways.js"

const { costs, parts } = table.explanations

const LAYERS = "bert/encoder"
const FARTHEST = costs.groups.relative // models that people compare with BERT cost no more
const DEEPEST = 3 // steps of a path that people give the share of

/** @typedef {{ model: string, parts: Part[], cost: number, terms: [ExplanationTerm, ExplanationTerm] }} Shared */

/** @param {string} model @param {number} cost @param {ExplanationTerm} one @param {ExplanationTerm} whole @param {Part[]} ofModel @returns {Shared} */
const share = (model, cost, one, whole, ...ofModel) => ({
  model,
  parts: ofModel,
  cost,
  terms: [one, { ...whole, times: -1 }],
})

const shares = lazily(() =>
  likely.flatMap((model) => {
    const { name, title, sizes } = model
    const total = termOf(model)
    const [layers] = parts.filter((part) => part.path === LAYERS && !part.tag)
    const encoder = { times: 1, words: `${layers.words} of ${title}`, page: layers.page, number: count(layers, sizes) }
    const found = parts
      .filter((part) => !part.share && !part.path.startsWith("cls") && part.class !== "BertForSequenceClassification")
      .flatMap((part) => {
        const one = { times: 1, words: part.words, page: part.page, number: count(part, sizes) }
        const cost = (part.tag ? 1 : 0) + (part.path.split("/").length > DEEPEST ? 1 : 0)
        const inEncoder = part.path.startsWith(LAYERS) && !part.path.includes("layer_0") && one.number < encoder.number
        return inEncoder
          ? [share(name, cost, one, total, part), share(name, cost + 1, one, encoder, part)]
          : [share(name, cost, one, total, part)]
      })
    const others = table.models.filter((each) => costs.groups[each.group] <= FARTHEST && each.name !== name)
    return [...found, ...others.map((other) => share(name, 1, termOf(other), total))]
  }),
)

/** @param {Part} part @param {Sizes} sizes */
const count = (part, sizes) => countOf({ modelClass: part.class, sizes, part: part.path, tag: part.tag }) ?? NaN

/** @type {Kind} */
export const kind = ({ share, amount }) => {
  if (amount !== "share" || !share) return []
  return shares()
    .filter(
      ({ terms: [part, whole] }) => part.number / whole.number >= share[0] && part.number / whole.number < share[1],
    )
    .map(({ model, parts: ofModel, cost, terms }) => ({
      ...EMPTY,
      kind: "share",
      number: terms[0].number,
      cost: cost + costs.ways.part + costOf({ models: [model], classes: [] }),
      models: [model],
      classes: ["BertModel"],
      parts: ofModel,
      terms,
    }))
}
