// Other models: those that are not built like BERT and are often taken for it.

import table from "../../../data/table.js"
import { EMPTY, grouped } from "../ways.js"

const { others, pages } = table.explanations

// Each total with all the classes that have it: a tied head adds nothing.
const totals = others.flatMap(({ title, totals, cost }) =>
  grouped(Object.entries(totals), ([, number]) => number).map((alike) => ({
    title,
    classes: alike.map(([name]) => name),
    number: alike[0][1],
    cost,
  })),
)

/** Their totals from one number to another. @param {number} low @param {number} high @returns {Meaning[]} */
export const othersWithin = (low, high) =>
  totals
    .filter(({ number }) => number >= low && number <= high)
    .map(({ title, classes, number, cost }) => ({
      ...EMPTY,
      kind: "other",
      number,
      cost,
      classes,
      terms: [{ times: 1, words: title, page: pages.other, number }],
    }))

/** @type {Kind} */
export const kind = ({ low, high, amount }) => (amount === "count" ? othersWithin(low, high) : [])
