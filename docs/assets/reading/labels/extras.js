// Counts extras: saved modules and biases, which PEFT trains in addition to the adapters and the
// head if its options modules_to_save and bias select them. PEFT copies a saved module, trains
// the copy and keeps the original frozen. Biases are trained in place.

import { sumBy } from "../../counting/engine.js"
import { isInHead, KINDS, matricesOf, matricesOfHead, rowsOf } from "./matrices.js"
import { onceByClass } from "./totals.js"

/** @typedef {import("./totals.js").TotalLine} TotalLine */
/** @typedef {import("./matrices.js").Matrix} Matrix */

/** Parameters that are trained in addition to the adapters, with the options that select them and the cost of this
 * choice. `trained` is their number, and `rest` the amount by which they increase the number of all other parameters.
 * Each label adds `perLabel` to `trained` and subtracts it from `rest`.
 * @typedef {{ bias: "" | "all" | "lora_only", saved: string, trained: number, rest: number, perLabel: number,
 *   cost: number }} Extras */

/** The modules that people save as a whole, by the endings of their names, each with its cost.
 * @type {[string, number][]} */
const SAVED_MODULES = [
  ["pooler", 2.5], // with a classifier, as large as the head of ELECTRA or RoBERTa, which is far more common
  ["word_embeddings", 1.5],
  ["tok_embeddings", 1.5],
  ["embeddings", 1.5],
  ["cls", 1],
  ["lm_head", 1],
  ["generator_lm_head", 1],
  ["vocab_projector", 1.5],
  ["lm_predictions", 1.5],
  ["decoder", 1.5],
  ["head", 2],
  ["LayerNorm", 2],
]
const TRAINED_BIASES_COST = 1.5 // the cost of training biases

/** No extras: nothing but the adapters and the head is trained. @type {Extras} */
export const NO_EXTRAS = { bias: "", saved: "", trained: 0, rest: 0, perLabel: 0, cost: 0 }

/** The number of a tensor's enclosing modules whose names end with `end`. @param {string} name @param {string} end */
const countEnclosing = (name, end) => {
  const components = name.split(".")
  return components.filter((_, index) => index > 0 && components.slice(0, index).join(".").endsWith(end)).length
}

/** Whether a module or tensor is in a saved module, or is one: the dot at the end makes a name enclose itself.
 * @param {string} name @param {string} savedModule  "" for none */
const isSaved = (name, savedModule) => savedModule !== "" && countEnclosing(`${name}.`, savedModule) > 0

/** The number of elements in rows. A row that is tied to another of these rows does not count.
 * @param {CountedRow[]} rows */
const sizeOf = (rows) => {
  const names = new Set(rows.map(({ name }) => name))
  return sumBy(rows, ({ tied, elementsPerLayer, layers }) => (names.has(tied) ? 0 : elementsPerLayer * layers))
}

/** The ways to save modules of a model. A module within a saved one is copied once more, and PEFT trains that copy,
 * too, if it is given a task type. */
const waysToSave = onceByClass((/** @type {TotalLine} */ line) =>
  SAVED_MODULES.flatMap(([end, cost]) => {
    const savedRows = rowsOf(line).filter(({ name }) => countEnclosing(name, end) > 0)
    const nestedCount = sizeOf(savedRows.filter(({ name }) => countEnclosing(name, end) > 1))
    const number = sizeOf(savedRows)
    if (!number || savedRows.some((row) => isInHead(row) || row.letters.includes("C"))) return []
    const extras = { ...NO_EXTRAS, saved: end, trained: number, rest: nestedCount, cost }
    return nestedCount ? [extras, { ...extras, trained: number + nestedCount }] : [extras]
  }),
)

/** The extras, extended by all biases that are not copied.
 * @param {TotalLine} line @param {Extras} extras @param {boolean} isHeadCopied @returns {Extras} */
function withBiases(line, extras, isHeadCopied) {
  const biases = rowsOf(line).filter(
    (row) =>
      row.name.includes("bias") && !row.tied && !isSaved(row.name, extras.saved) && !(isHeadCopied && isInHead(row)),
  )
  const labelBiasCount = biases.filter(({ letters }) => letters.includes("C")).length
  const fixedCount = sumBy(biases, ({ letters, number }) => (letters.includes("C") ? 0 : number))
  const { trained, rest, cost } = extras
  return {
    ...extras,
    bias: "all",
    trained: trained + fixedCount,
    rest: rest - fixedCount,
    perLabel: labelBiasCount,
    cost: cost + TRAINED_BIASES_COST,
  }
}

/** The extras that do not change the number of a model's other parameters.
 * @param {TotalLine} line @returns {Extras[]} */
export const usualExtrasOf = (line) => [NO_EXTRAS, ...waysToSave(line).filter(({ rest }) => !rest)]

/** The extras that change the number of a model's other parameters, except for those that train only the biases of
 * adapted matrices.
 * @param {TotalLine} line @param {boolean} isHeadCopied @returns {Extras[]} */
export function rareExtrasOf(line, isHeadCopied) {
  const extrasWithoutBiases = [NO_EXTRAS, ...waysToSave(line)]
  return [
    ...extrasWithoutBiases.filter(({ rest }) => rest),
    ...extrasWithoutBiases.map((extras) => withBiases(line, extras, isHeadCopied)),
  ]
}

/** The matrices of modules to which PEFT adds adapters. They include those of a head that is not copied, but none
 * in a saved module.
 * @param {TotalLine} line @param {string[]} modules
 * @param {number | null} labels  the number of labels; null if the head is copied
 * @param {string} savedModule  the saved module @returns {Matrix[]} */
export const adaptedMatrices = (line, modules, labels, savedModule) =>
  modules
    .flatMap((name) => matricesOf(line)[name] ?? [])
    .concat(labels === null ? [] : matricesOfHead(line, modules, labels))
    .filter(({ name }) => !isSaved(name, savedModule))

/** The extras without biases, each with the number of elements in the biases of adapted matrices, by kind of module. */
const biasCountsOf = onceByClass((/** @type {TotalLine} */ line) =>
  [NO_EXTRAS, ...waysToSave(line)].map((extras) => {
    const ofModule = (/** @type {string} */ name) =>
      sumBy(adaptedMatrices(line, [name], null, extras.saved), ({ bias, layers }) => bias * layers)
    return { extras, biases: Object.fromEntries(KINDS.map((name) => [name, ofModule(name)])) }
  }),
)

/** The extras for adapters on modules if the biases of the adapted matrices are trained, too.
 * @param {TotalLine} line @param {string[]} modules @returns {Extras[]} */
export const extrasWithAdaptedBiases = (line, modules) =>
  biasCountsOf(line).flatMap(({ extras, biases: biasCounts }) => {
    const number = sumBy(modules, (name) => biasCounts[name])
    const { trained, rest, cost } = extras
    return number
      ? [
          {
            ...extras,
            bias: "lora_only",
            trained: trained + number,
            rest: rest - number,
            cost: cost + TRAINED_BIASES_COST,
          },
        ]
      : []
  })
