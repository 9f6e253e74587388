"use strict"
// Other models: those that are not built like BERT and are often taken for it.
{
  const { table, ways } = bertCounted
  const { others, costs } = table.explanations

  ways.kinds.push(({ low, high, amount }) =>
    others
      .filter(({ number }) => amount === "count" && number >= low && number <= high)
      .map((each) => ({ ...ways.EMPTY, kind: "other", number: each.number, cost: costs.ways.other, classes: [each.class], models: [], terms: [{ times: 1, words: each.title, page: "", number: each.number }] })),
  )
}
