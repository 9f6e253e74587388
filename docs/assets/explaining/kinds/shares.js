// Shares: a percentage, which part of a total it is.

import table from "../../../data/table.js"
import * as engine from "../../counting/engine.js"
import { lazily } from "../../counting/engine.js"
import { costOf, EMPTY, likely, termOf } from "../ways.js"

const { costs, parts } = table.explanations

const LAYERS = "bert/encoder"
const FARTHEST = costs.groups.relative // models that people compare with BERT cost no more
const DEEPEST = 3 // steps of a path that people give the share of

/** @typedef {{ model: string, parts: Part[], cost: number, terms: [ExplanationTerm, ExplanationTerm] }} Shared */

const shares = lazily(() =>
  likely.flatMap((model) => {
    const { name, title, sizes } = model
    const total = termOf(model)
    const [layers] = parts.filter((part) => part.path === LAYERS && !part.tag)
    const encoder = { times: -1, words: `${layers.words} of ${title}`, page: layers.page, number: count(layers, sizes) }
    /** @type {Shared[]} */
    const found = parts
      .filter((part) => !part.share && !part.path.startsWith("cls") && part.class !== "BertForSequenceClassification")
      .flatMap((part) => {
        const one = { times: 1, words: part.words, page: part.page, number: count(part, sizes) }
        const cost = (part.tag ? 1 : 0) + (part.path.split("/").length > DEEPEST ? 1 : 0)
        const inEncoder = part.path.startsWith(LAYERS) && !part.path.includes("layer_0") && one.number < encoder.number
        return [
          { model: name, parts: [part], cost, terms: [one, { ...total, times: -1 }] },
          ...(inEncoder
            ? [
                {
                  model: name,
                  parts: [part],
                  cost: cost + 1,
                  terms: /** @type {[ExplanationTerm, ExplanationTerm]} */ ([one, encoder]),
                },
              ]
            : []),
        ]
      })
    const others = table.models.filter((each) => costs.groups[each.group] <= FARTHEST && each.name !== name)
    return [
      ...found,
      ...others.map((other) => ({
        model: name,
        parts: [],
        cost: 1,
        terms: /** @type {[ExplanationTerm, ExplanationTerm]} */ ([termOf(other), { ...total, times: -1 }]),
      })),
    ]
  }),
)

/** @param {Part} part @param {Sizes} sizes */
const count = (part, sizes) => engine.count({ modelClass: part.class, sizes, part: part.path, tag: part.tag }) ?? NaN

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
