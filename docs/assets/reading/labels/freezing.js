// Finds out which parts of a model are frozen if only a given number of its parameters is
// trained. The total leads to the model (`totals.js`), and the difference between the two numbers
// must be exactly the size of parts that people freeze, such as the body, the embeddings, or the
// first layers with or without the embeddings.

import exported from "../../../data/reading.js"
import { count } from "../../counting/engine.js"
import { byCost } from "../../explaining/ways.js"
import { likelyFits } from "./totals.js"

const { frozen: frozenWords } = exported.labels

const MAX_FITS = 6 // the maximum number of models and classes with the total that are tried

/** A model with a given total, and the clause that says what is frozen in it.
 * @typedef {import("./totals.js").Fit & { frozenClause: string }} Freezing */

/** The ways to freeze parts of a model with `total` parameters so that exactly `trainedCount` of them stay trainable,
 * the likeliest first.
 * @param {number} trainedCount @param {number} total @param {Hints} hints @returns {Freezing[]} */
export function frozenWays(trainedCount, total, hints) {
  const frozenCount = total - trainedCount
  return likelyFits(total, hints.costOf)
    .slice(0, MAX_FITS)
    .flatMap((fit) => {
      const { model, modelClass } = fit.line
      /** @type {Sizes} */
      const sizes = { ...model.sizes, ...(fit.labels ? { C: fit.labels } : {}) }
      /** The number of parameters in a part. */
      const countOf = (/** @type {string} */ path) => count({ modelClass, sizes, part: path })
      const [body, embeddings, encoder, pooler] = ["bert", "bert/embeddings", "bert/encoder", "bert/pooler"].map(
        countOf,
      )
      const layer = countOf("bert/encoder/layer_0")
      const tables = count({ modelClass, sizes, tag: "embedding-table" })
      // A LayerNorm's shift is its bias, by name.
      const [biases, head, biasesOfHead] = ["vector -gamma", "task-head", "task-head vector -gamma"].map((tag) =>
        count({ modelClass, sizes, tag }),
      )
      /** @type {[frozen: number, words: string, cost: number][]} */
      const ways = [
        [body, frozenWords.head, 0.3],
        [embeddings + encoder, pooler ? frozenWords.body : frozenWords.head, 0.6],
        [embeddings, frozenWords.embeddings, 0.5],
        [encoder, frozenWords.encoder, 1],
        [tables, frozenWords.tables, 1],
        [countOf("bert/embeddings/word_embeddings"), frozenWords.words, 1],
        [total - biases, frozenWords.matrices, 1],
        [head ? total - biases - head + biasesOfHead : 0, frozenWords.matrices_of_body, 1],
      ]
      for (let layers = 1; layers < sizes.L; layers++) {
        const firstLayers = layers === 1 ? "the first layer" : `the first ${layers} layers`
        ways.push(
          [layers * layer, `${firstLayers} ${layers === 1 ? "is" : "are"} frozen`, 1.2],
          [embeddings + layers * layer, `the embeddings and ${firstLayers} are frozen`, 0.8],
        )
      }
      return ways
        .filter(([number]) => number > 0 && number === frozenCount)
        .map(([, frozenClause, cost]) => ({ ...fit, frozenClause, cost: fit.cost + cost }))
    })
    .sort(byCost)
}
