// Turns a configuration of the calculator into a model that training.js can count: with the
// exported name of its trained part, and with the bytes of its weights, gradients and optimiser
// states, which follow from its tensors. The memory of activations depends on the libraries, so
// it is exported only for the choices that were recorded. For any other choice, training.js
// finds no polynomials, and cannot count the model.

import exported from "../../data/training.js"
import { COPIED_BLOCK, count, METHODS, sizesOfMethod, withFixedChoices } from "./changes.js"
import { classes, product, sumBy } from "./engine.js"
import { maxTokensOf } from "./operations.js"

/** Whether a row is a tensor that a method adds. PEFT keeps such tensors in 32 bits, but trains its copies in the data
 * type of the model.
 * @param {CountedRow} row */
const isOfAdapter = ({ added }) => Boolean(added) && added !== COPIED_BLOCK

/** Whether a row is the table of an embedding layer. macros/counting/changes/optimisers.py has the same rule.
 * @param {CountedRow} row */
const isEmbedding = (row) =>
  isOfAdapter(row)
    ? row.name.endsWith("embedding.weight")
    : row.shape.length > 1 && !/\/(?:kernel|output_weights)$/.test(row.path)

/** The bytes of the states that an optimiser keeps for the trained rows among `rows`.
 * @param {StatesOfOptimiser} rule @param {CountedRow[]} rows */
function bytesOfStates(rule, rows) {
  const trainedRows = rows.filter(({ trainable }) => trainable)
  /** Whether the optimiser keeps the states of a row in full, because the row is small or an embedding. */
  const isKeptInFull = (/** @type {CountedRow} */ row) =>
    row.elementsPerLayer < rule.least || (rule.embeddings && isEmbedding(row))
  const reducedRows = trainedRows.filter((row) => !isKeptInFull(row))
  const reducedBytes = sumBy(reducedRows, ({ trainable, elementsPerLayer, shape }) => {
    const tensorCount = trainable / elementsPerLayer
    const isFactored = rule.factored && shape.length > 1
    const states = isFactored ? tensorCount * sumBy(shape, (size) => size) : trainable
    const blocksPerTensor = rule.block && Math.ceil(elementsPerLayer / rule.block)
    return states * rule.each + tensorCount * (rule.tensor + blocksPerTensor * rule.scales)
  })
  const fullBytes = sumBy(trainedRows.filter(isKeptInFull), ({ trainable }) => trainable * rule.small)
  return reducedBytes + fullBytes + (reducedRows.length ? rule.tables : 0)
}

/** The bytes of weights, of gradients and, by optimiser, of states, for a model in 32 and in 16 bits.
 * @param {Pick<CountedConfiguration, "rows">} configuration @returns {TrainedModel["fixed"]} */
function bytesWithoutActivations({ rows }) {
  const { widths, optimisers } = exported
  const [adapterRows, modelRows] = [rows.filter(isOfAdapter), rows.filter((row) => !isOfAdapter(row))]
  /** The bytes for a model in 32 bits ("full") or in 16 ("short").
   * @param {keyof typeof widths} type @returns {FixedBytes} */
  const bytesOf = (type) => {
    /** The bytes of all parameters, or of the trainable ones. */
    const bytes = (/** @type {"number" | "trainable"} */ field) =>
      widths[type] * sumBy(modelRows, (row) => row[field]) + widths.full * sumBy(adapterRows, (row) => row[field])
    const states = Object.entries(optimisers[type]).map(([name, rule]) => {
      // Rows of one type are counted together, because an optimiser may keep one set of tables for all of them.
      const stateBytes =
        type === "full"
          ? bytesOfStates(rule, rows)
          : bytesOfStates(rule, modelRows) + bytesOfStates(optimisers.full[name], adapterRows)
      return [name, stateBytes]
    })
    return [bytes("number"), bytes("trainable"), Object.fromEntries(states)]
  }
  return { full: bytesOf("full"), short: bytesOf("short") }
}

/** The name under which the polynomials for the part that a configuration trains are exported, if they were recorded;
 * "" for a part that is never recorded.
 * @param {Configuration} configuration @param {number} depth  the number of layers with weights of their own */
function exportedNameOf({ tuning, frozen, biases }, depth) {
  const { embeddings, layers, all_but_head: body } = frozen
  if (!tuning) {
    const frozenLayers = layers > 0 && (layers < depth ? "layers" : "all-layers")
    return body ? "all-but-head" : [embeddings && "embeddings", frozenLayers].filter(Boolean).join() || "all"
  }
  if (embeddings || layers > 0 || body) return ""
  if (exported.lora.includes(tuning.method)) return `lora:${[...tuning.modules].sort().join()}`
  return biases ? tuning.method : ""
}

/** The model that a configuration trains. @param {Configuration} configuration @returns {TrainedModel} */
export function modelToTrain(configuration) {
  const { architecture, modelClass, sizes, choices, frozen, tuning, pruned } = withFixedChoices(configuration)
  const depth = product(classes.get(modelClass).layers, sizes)
  const addingMethod = tuning && METHODS.get(tuning.method).adds.length ? tuning.method : ""
  const change = pruned ? "pruned" : addingMethod
  return {
    architecture,
    modelClass,
    choices,
    sizes: { ...sizes, ...(tuning && sizesOfMethod(tuning)), K: frozen.layers },
    trained: exportedNameOf(configuration, depth),
    method: exported.lora.includes(change) ? "" : change,
    fixed: bytesWithoutActivations(count(configuration)),
    maxTokens: maxTokensOf(architecture, sizes),
  }
}
