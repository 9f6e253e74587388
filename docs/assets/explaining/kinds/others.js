// Other models: those that are not built like BERT and are often taken for it.

import table from "../../../data/table.js"
import { EMPTY } from "../ways.js"

const { others, costs } = table.explanations

/** @type {Kind} */
export const kind = ({ low, high, amount }) =>
  others
    .filter(({ number }) => amount === "count" && number >= low && number <= high)
    .map((each) => ({
      ...EMPTY,
      kind: "other",
      number: each.number,
      cost: costs.ways.other,
      classes: [each.class],
      models: [],
      terms: [{ times: 1, words: each.title, page: "", number: each.number }],
    }))
