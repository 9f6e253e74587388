// Other models: those that are not built like BERT and are often taken for it.

import table from "../../../data/table.js"
import { EMPTY, grouped } from "../ways.js"

const { others, costs } = table.explanations

// Each total with all the classes that have it: a tied head adds nothing.
const totals = others.flatMap(({ title, totals }) =>
  grouped(Object.entries(totals), ([, number]) => number).map((alike) => ({
    title,
    classes: alike.map(([name]) => name),
    number: alike[0][1],
  })),
)

/** @type {Kind} */
export const kind = ({ low, high, amount }) =>
  totals
    .filter(({ number }) => amount === "count" && number >= low && number <= high)
    .map(({ title, classes, number }) => ({
      ...EMPTY,
      kind: "other",
      number,
      cost: costs.ways.other,
      classes,
      models: [],
      terms: [{ times: 1, words: title, page: "", number }],
    }))
