// Tensors: counted instead of parameters.

import table from "../../../data/table.js"
import { classesOf, lazily, tensors } from "../../counting/engine.js"
import { berts, costOf, EMPTY } from "../ways.js"

const { costs } = table.explanations

const everyCount = lazily(() => {
  const names = classesOf(berts[0].architecture)
  return berts.flatMap(({ name, sizes }) =>
    names.map((each) => ({ models: [name], classes: [each.name], number: tensors(each.name, sizes) })),
  )
})

/** @type {Kind} */
export const kind = ({ low, exact, amount }) =>
  everyCount()
    .filter(({ number }) => amount === "count" && exact && number === low)
    .map((each) => ({ ...EMPTY, ...each, kind: "tensors", cost: costs.ways.tensors + costOf(each) }))
