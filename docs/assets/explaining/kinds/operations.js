// Explains numbers of operations: those of a forward pass or a training step, by the
// conventions that people use and as profilers print them, for the models, classes and
// text lengths that people usually mean. A convention has a price for each kind of
// operation; the build exports the conventions in data/operations.js.

import exported from "../../../data/operations.js"
import { countWith, deviations, lazily, models, sumBy } from "../../counting/engine.js"
import { elementsOf, withBatch } from "../../counting/operations.js"
import { rightWays } from "../known-numbers.js"
import { BLANK_MEANING, DECODER_UNTIED } from "../ways.js"

const { search } = exported
/** The deviation that leaves out the tables of embeddings, as some rules of thumb do. */
const WITHOUT_TABLES = "embeddings-excluded"
/** The smallest mantissa of a rounded number for which batches are tried. A number with fewer than three figures fits
 * too many of them. */
const MIN_MANTISSA_FOR_BATCHES = 100

/** The elements that a class computes for one text, by kind of operation, and the parameters that rules of thumb
 * multiply.
 * @param {string} modelClass @param {Sizes} sizes @param {number} tokens */
export function countsOf(modelClass, sizes, tokens) {
  const parameters = (/** @type {string[]} */ deviationNames) => countWith({ modelClass, sizes }, deviationNames) ?? NaN
  const total = parameters([])
  // A rule that multiplies by the parameters means those in use, and the weights of a tied decoder are used twice. In a
  // class without a tied decoder, the deviation does not apply.
  const totalWithDecoder = deviations.has(DECODER_UNTIED) ? parameters([DECODER_UNTIED]) : NaN
  return {
    ...elementsOf(modelClass, withBatch(sizes, tokens)),
    "parameters per text": totalWithDecoder || total,
    "parameters per token": total * tokens,
    "parameters outside the tables per token": parameters([WITHOUT_TABLES]) * tokens,
  }
}

/** Every combination of a model, a class and a text length that people may plausibly mean, with its counts.
 * @type {() => ModelOperations[]} */
export const countedModels = lazily(() =>
  rightWays().flatMap(({ models: names, classes, cost }) =>
    search.tokens.flatMap(([tokens, tokensCost]) => {
      if (cost + tokensCost > search.reach) return []
      const { sizes } = models.get(names[0]) // the models of a way have the same sizes
      return classes.map((name) => ({
        models: names,
        classes: [name],
        tokens,
        cost: cost + tokensCost,
        counts: countsOf(name, sizes, tokens),
      }))
    }),
  ),
)

/** The meaning of a number as the operations for one or more texts, counted by a convention.
 * @param {ModelOperations} countedModel @param {Convention} convention @param {number} texts @param {number} number
 * @param {number} cost @returns {Meaning} */
function meaning(countedModel, { words, why = "", profiler = "", counts: prices }, texts, number, cost) {
  const { counts, tokens, models, classes } = countedModel
  const terms = Object.entries(prices).flatMap(([kind, price]) =>
    counts[kind] ? [{ times: price, number: texts * counts[kind], words: kind, page: "" }] : [],
  )
  return {
    ...BLANK_MEANING,
    kind: "operations",
    models,
    classes,
    tokens,
    texts,
    number,
    terms,
    words,
    why,
    profiler,
    cost,
  }
}

/** The operations of models that a number of operations may count. @type {FindMeanings} */
export function findMeanings({ amount, low, high, exact, operationUnit, mantissa }) {
  if (amount !== "operations") return []
  // For a rounded number, batches are tried only if no single text is a likely explanation.
  const meaningsOfOneText = exact ? [] : meaningsOfBatches([1], low, high, operationUnit)
  const isPrecise = exact || mantissa >= MIN_MANTISSA_FOR_BATCHES
  const isLikely = meaningsOfOneText.some(({ cost }) => cost <= search.reach)
  return isLikely || !isPrecise
    ? meaningsOfOneText
    : meaningsOfBatches([1, ...search.batches], low, high, operationUnit)
}

/** Every counted model in every convention, with the number of operations for one text. */
const pricedModels = lazily(() =>
  countedModels().flatMap((countedModel) =>
    search.conventions.map((convention) => {
      const perText = sumBy(
        Object.entries(convention.counts),
        ([kind, price]) => price * (countedModel.counts[kind] || 0),
      )
      return { countedModel, convention, perText }
    }),
  ),
)

/** The meanings with numbers from `low` to `high`, for batches of any of these sizes.
 * @param {number[]} batchSizes  numbers of texts @param {number} low @param {number} high @param {string} operationUnit
 * @returns {Meaning[]} */
function meaningsOfBatches(batchSizes, low, high, operationUnit) {
  return pricedModels().flatMap(({ countedModel, convention, perText }) => {
    const otherNameCost = operationUnit && operationUnit !== convention.called ? search["other-name"] : 0
    const costOf = (/** @type {number} */ batch) =>
      countedModel.cost + convention.cost + otherNameCost + (batch > 1 ? search.batch : 0)
    return batchSizes
      .filter((batch) => perText * batch >= low && perText * batch <= high && costOf(batch) <= search.reach + 1)
      .map((batch) => meaning(countedModel, convention, batch, perText * batch, costOf(batch)))
  })
}
