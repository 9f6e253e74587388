// Operations: what a forward pass or a training step takes, by convention and as
// profilers print it, of the models, classes and lengths that people mean. A
// convention is a list of prices; the build exports them in data/operations.js.

import exported from "../../../data/operations.js"
import { count, deviations, lazily, models, sumBy } from "../../counting/engine.js"
import { batchOf, elementsOf } from "../../counting/operations.js"
import { rightWays } from "../known-numbers.js"
import { EMPTY } from "../ways.js"

const { search } = exported
const OUTSIDE = "embeddings-excluded"

/** What is counted of a class on one text, by kind, parameters too. @param {string} name @param {Sizes} sizes @param {number} tokens */
function countsOf(name, sizes, tokens) {
  const parameters = (/** @type {string[]} */ made) => count({ modelClass: name, sizes, deviations: made }) ?? NaN
  const all = parameters([])
  const twice = deviations.has("decoder-untied") && parameters(["decoder-untied"])
  return {
    ...elementsOf(name, batchOf(sizes, tokens)),
    "parameters per text": twice || all,
    "parameters per token": all * tokens,
    "parameters outside the tables per token": parameters([OUTSIDE]) * tokens,
  }
}

/** Every model in every class at every length that somebody is believed to mean. @type {() => Measured[]} */
export const measured = lazily(() =>
  rightWays().flatMap(({ models: names, classes, cost }) =>
    search.tokens.flatMap(([tokens, against]) => {
      if (cost + against > search.reach) return []
      const { sizes } = models.get(names[0])
      return classes.map((name) => ({
        ...{ models: names, classes: [name], tokens, cost: cost + against },
        counts: countsOf(name, sizes, tokens),
      }))
    }),
  ),
)

/** @param {Measured} each @param {Convention} convention @param {number} texts @param {number} number @param {number} cost @returns {Meaning} */
function meaning(each, { words, why = "", profiler = "", counts: prices }, texts, number, cost) {
  const { counts, tokens, models, classes } = each
  const terms = Object.entries(prices).flatMap(([kind, price]) =>
    counts[kind] ? [{ times: price, number: texts * counts[kind], words: kind, page: "" }] : [],
  )
  const batch = { tokens, texts, why, profiler }
  return { ...EMPTY, models, classes, ...batch, kind: "operations", number, terms, words, cost }
}

/** @type {Kind} */
export function kind({ amount, low, high, exact, called }) {
  if (amount !== "operations") return []
  const texts = exact ? [1, ...search.batches] : [1]
  return measured().flatMap((each) =>
    search.conventions.flatMap((convention) => {
      const one = sumBy(Object.entries(convention.counts), ([kind, price]) => price * (each.counts[kind] || 0))
      const other = called && called !== convention.called ? search["other-name"] : 0
      const costOf = (/** @type {number} */ many) => each.cost + convention.cost + other + (many > 1 ? search.batch : 0)
      return texts
        .filter((many) => one * many >= low && one * many <= high && costOf(many) <= search.reach + 1)
        .map((many) => meaning(each, convention, many, one * many, costOf(many)))
    }),
  )
}
