// Counts saved modules and biases, which PEFT trains beside adapters and the head if
// its options modules_to_save and bias ask for it. A saved module is copied: the copy
// is trained, and the original stays, frozen. Biases are trained in place.

import { getOrMake, sumBy } from "../../counting/engine.js"
import { isInHead, KINDS, matricesOf, matricesOfHead, rowsOf } from "./matrices.js"

/** @typedef {import("./totals.js").TotalLine} TotalLine */
/** @typedef {import("./matrices.js").Matrix} Matrix */

/** Parameters that are trained beside the adapters: the options that select them; how many are trained; by how many all
 * parameters less the trainable ones change; what each label adds to these two numbers; and the cost.
 * @typedef {{ bias: "" | "all" | "lora_only", saved: string, trained: number, rest: number, perLabel: number,
 *   isSaved: (name: string) => boolean, cost: number }} Extras */

/** The modules that people save as a whole, by the ends of their names, each with its cost.
 * @type {[string, number][]} */
const SAVED = [
  ["pooler", 2.5], // with a classifier, as large as the head of ELECTRA or RoBERTa, which is trained far more often
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
const TRAINED_BIASES = 1.5 // the cost of training biases

/** Nothing is trained beside the adapters. @type {Extras} */
export const NO_EXTRAS = { bias: "", saved: "", trained: 0, rest: 0, perLabel: 0, isSaved: () => false, cost: 0 }

/** How many of the modules around a tensor have a name with this end. @param {string} name @param {string} end */
const depthOf = (name, end) => {
  const steps = name.split(".")
  return steps.filter((_, index) => index > 0 && steps.slice(0, index).join(".").endsWith(end)).length
}

/** The sum of the elements of rows; a tensor that shares the weights of another of them counts once.
 * @param {CountedRow[]} rows */
const sizeOf = (rows) => {
  const names = new Set(rows.map(({ name }) => name))
  return sumBy(rows, ({ tied, one, layers }) => (names.has(tied) ? 0 : one * layers))
}

/** The ways to save modules that have been counted before. @type {Map<string, Extras[]>} */
const savedByClass = new Map()

/** The ways to save modules of a model. A module within a saved one is copied once more, and with a task type PEFT
 * trains that copy as well.
 * @param {TotalLine} line @returns {Extras[]} */
const savedIn = (line) =>
  getOrMake(savedByClass, `${line.model.name} ${line.modelClass}`, () =>
    SAVED.flatMap(([end, cost]) => {
      const within = rowsOf(line).filter(({ name }) => depthOf(name, end) > 0)
      const again = sizeOf(within.filter(({ name }) => depthOf(name, end) > 1))
      const number = sizeOf(within)
      if (!number || within.some((row) => isInHead(row) || row.letters.includes("C"))) return []
      /** Whether a tensor is in a saved module. */
      const isSaved = (/** @type {string} */ name) => depthOf(`${name}.`, end) > 0
      const one = { ...NO_EXTRAS, saved: end, trained: number, rest: again, isSaved, cost }
      return again ? [one, { ...one, trained: number + again }] : [one]
    }),
  )

/** The parts trained beside the adapters, with all biases that are not copied.
 * @param {TotalLine} line @param {Extras} extras @param {boolean} isHeadCopied @returns {Extras} */
function withBiases(line, extras, isHeadCopied) {
  const biases = rowsOf(line).filter(
    (row) => row.name.includes("bias") && !row.tied && !extras.isSaved(row.name) && !(isHeadCopied && isInHead(row)),
  )
  const biasesOfLabels = biases.filter(({ letters }) => letters.includes("C")).length
  const fixed = sumBy(biases, ({ letters, number }) => (letters.includes("C") ? 0 : number))
  const { trained, rest, cost } = extras
  return {
    ...extras,
    bias: "all",
    trained: trained + fixed,
    rest: rest - fixed,
    perLabel: biasesOfLabels,
    cost: cost + TRAINED_BIASES,
  }
}

/** The parameters that may be trained beside the adapters of a model without changing the size of its frozen part.
 * @param {TotalLine} line @returns {Extras[]} */
export const extrasOf = (line) => [NO_EXTRAS, ...savedIn(line).filter(({ rest }) => !rest)]

/** The other parameters that may be trained, except for the biases of adapted matrices alone.
 * @param {TotalLine} line @param {boolean} isHeadCopied @returns {Extras[]} */
export function rareExtrasOf(line, isHeadCopied) {
  const without = [NO_EXTRAS, ...savedIn(line)]
  return [...without.filter(({ rest }) => rest), ...without.map((extras) => withBiases(line, extras, isHeadCopied))]
}

/** The matrices of rows modules that get adapters: those of a head that is not copied are included, and what is saved
 * gets none.
 * @param {TotalLine} line @param {string[]} modules
 * @param {number | null} labels  of a head that is not copied; null if it is
 * @param {Extras} extras @returns {Matrix[]} */
export const adaptedMatrices = (line, modules, labels, { isSaved }) =>
  modules
    .flatMap((name) => matricesOf(line)[name] ?? [])
    .concat(labels === null ? [] : matricesOfHead(line, modules, labels))
    .filter(({ name }) => !isSaved(name))

/** The biases that have been counted before.
 * @type {Map<string, { extras: Extras, biases: Record<string, number> }[]>} */
const adaptedBiases = new Map()

/** The modules that may be saved beside adapters, each with the elements of the biases that the matrices of each module
 * then have.
 * @param {TotalLine} line */
const biasesOf = (line) =>
  getOrMake(adaptedBiases, `${line.model.name} ${line.modelClass}`, () =>
    [NO_EXTRAS, ...savedIn(line)].map((extras) => {
      /** The elements of the biases in one kind of module. */
      const ofModule = (/** @type {string} */ name) =>
        sumBy(adaptedMatrices(line, [name], null, extras), ({ bias, layers }) => bias * layers)
      return { extras, biases: Object.fromEntries(KINDS.map((name) => [name, ofModule(name)])) }
    }),
  )

/** The parameters that may be trained beside adapters on rows modules if the biases of their matrices are trained as
 * well.
 * @param {TotalLine} line @param {string[]} modules @returns {Extras[]} */
export const withAdaptedBiases = (line, modules) =>
  biasesOf(line).flatMap(({ extras, biases }) => {
    const number = sumBy(modules, (name) => biases[name])
    const { trained, rest, cost } = extras
    return number
      ? [{ ...extras, bias: "lora_only", trained: trained + number, rest: rest - number, cost: cost + TRAINED_BIASES }]
      : []
  })
