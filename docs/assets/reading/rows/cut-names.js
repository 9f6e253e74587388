// Completes the names of tensors that a data frame has cut at the width of its column, as pandas does after 50
// characters: bert.encoder.layer.0.attention.output.dense.we...
//
// A cut name is the beginning of one or more names in transformers. It is completed to the first of them whose tensor
// has as many dimensions as the shape on the line and to which no cut name above has been completed: two tensors of a
// LayerNorm whose names are cut alike are listed in order.

import table from "../../../data/table.js"
import { getOrMake, lazily } from "../../counting/engine.js"
import { namesOf } from "./ruler.js"

/** A name of two or more parts whose end has been replaced by dots. */
const CUT_NAME = /(?<![\w./-])[A-Za-z_]\w*(?:\.\w+)+\.?(?:\.{3}|…)(?!\S)/g
const MAX_NAME_LENGTH = 300 // characters; anything longer is no name
/** The number of a layer, as a part of a name that is not its last. */
const LAYER_NUMBER = /(?<=\.)[0-9]+(?=\.)/g
/** A shape in brackets. */
const SHAPE = /[[(]\s*([0-9]+(?:\s*,\s*[0-9]+)*)\s*,?\s*[\])]/

/** The names in transformers, with asterisks for layer numbers, and the ranks of the tensors that have them. Each is
 * listed with and without the prefix of a class with a head.
 * @type {() => Map<string, Set<number>>} */
const ranksByName = lazily(() => {
  const ranks = new Map()
  for (const { name: architecture, prefix } of table.architectures)
    for (const [{ dimensions }, name] of namesOf(architecture))
      for (const printedName of [name, name.startsWith(prefix) ? name.slice(prefix.length) : name])
        getOrMake(ranks, printedName, () => new Set()).add(dimensions.length)
  return ranks
})

/** The completions of beginnings of names, which are cached because every layer has the same.
 * @type {Map<string, { end: string, ranks: Set<number> }[]>} */
const completionsByBeginning = new Map()

/** The ends of the names with this beginning, and the ranks of their tensors; empty if no name has it. A wrapper in
 * front of the beginning is ignored.
 * @param {string} beginning  with asterisks for layer numbers */
const completionsOf = (beginning) =>
  getOrMake(completionsByBeginning, beginning, () => {
    const parts = beginning.split(".")
    for (let start = 0; start < parts.length - 1; start++) {
      const inner = parts.slice(start).join(".")
      const completions = [...ranksByName()].flatMap(([name, ranks]) =>
        name.startsWith(inner) ? [{ end: name.slice(inner.length), ranks }] : [],
      )
      if (completions.length) return completions
    }
    return []
  })

/** The text, with cut names of tensors completed where possible. @param {string} text */
export function withCompleteNames(text) {
  if (!/\w\.{3}|\w…/.test(text)) return text
  /** @type {Set<string>} */
  const completedNames = new Set()
  return text
    .split("\n")
    .map((line) =>
      line.replace(CUT_NAME, (cutName) => {
        if (cutName.length > MAX_NAME_LENGTH) return cutName
        const beginning = cutName.replace(/(?:\.{3}|…)$/, "")
        const rank = SHAPE.exec(line)?.[1].split(",").length
        const completion = completionsOf(beginning.replace(LAYER_NUMBER, "*")).find(
          ({ end, ranks }) => (rank === undefined || ranks.has(rank)) && !completedNames.has(beginning + end),
        )
        if (!completion) return cutName
        completedNames.add(beginning + completion.end)
        return beginning + completion.end
      }),
    )
    .join("\n")
}
