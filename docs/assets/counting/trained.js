// Turns a configuration of the calculator into a model that training.js counts: with the
// exported name for what is trained of it, and with the bytes of its weights, gradients
// and optimiser states, which follow from its tensors. What activations take depends on how
// the libraries work, so it is exported for the choices that have been recorded; for any other,
// the name is "", and training.js refuses the model.

import exported from "../../data/training.js"
import { count, METHODS, settled, sizesOfMethod } from "./changes.js"
import { classes, product, sumBy } from "./engine.js"
import { longest } from "./operations.js"

/** The block of the tensors that PEFT copies. It trains them in the data type of the model. */
const COPY = "copied-head"

/** Whether a row is a tensor that PEFT adds. It keeps such tensors in 32 bits. @param {CountedRow} row */
const isOfAdapter = ({ added }) => Boolean(added) && added !== COPY

/** Whether a row is the table of an embedding layer. macros/counting/changes/optimisers.py has the same rule.
 * @param {CountedRow} row */
const isEmbedding = (row) =>
  isOfAdapter(row)
    ? row.name.endsWith("embedding.weight")
    : row.shape.length > 1 && !/\/(?:kernel|output_weights)$/.test(row.path)

/** The bytes of the states that an optimiser keeps for rows. @param {StatesOfOptimiser} rule @param {CountedRow[]} rows */
function statesOf(rule, rows) {
  const trainedRows = rows.filter(({ trainable }) => trainable)
  const isSmall = (/** @type {CountedRow} */ row) => row.one < rule.least || (rule.embeddings && isEmbedding(row))
  const largeRows = trainedRows.filter((row) => !isSmall(row))
  const ofLarge = sumBy(largeRows, ({ trainable, one, shape }) => {
    const tensors = trainable / one
    const isFactored = rule.factored && shape.length > 1
    const states = isFactored ? tensors * sumBy(shape, (size) => size) : trainable
    const blocks = rule.block && Math.ceil(one / rule.block)
    return states * rule.each + tensors * (rule.tensor + blocks * rule.scales)
  })
  const ofSmall = sumBy(trainedRows.filter(isSmall), ({ trainable }) => trainable * rule.small)
  return ofLarge + ofSmall + (largeRows.length ? rule.tables : 0)
}

/** The bytes of weights, of gradients and, by optimiser, of states, for a model in 32 and in 16 bits.
 * @param {Pick<CountedConfiguration, "rows">} counted @returns {TrainedModel["fixed"]} */
function fixedOf({ rows }) {
  const { widths, optimisers } = exported
  const [ofAdapters, ofModel] = [rows.filter(isOfAdapter), rows.filter((row) => !isOfAdapter(row))]
  /** @param {keyof typeof widths} type @returns {FixedBytes} */
  const bytesOf = (type) => {
    const bytes = (/** @type {"number" | "trainable"} */ field) =>
      widths[type] * sumBy(ofModel, (row) => row[field]) + widths.full * sumBy(ofAdapters, (row) => row[field])
    const states = Object.entries(optimisers[type]).map(([name, rule]) => {
      // Rows of one type are counted together: an optimiser may keep something once for all of them.
      const bytesOfStates =
        type === "full" ? statesOf(rule, rows) : statesOf(rule, ofModel) + statesOf(optimisers.full[name], ofAdapters)
      return [name, bytesOfStates]
    })
    return [bytes("number"), bytes("trainable"), Object.fromEntries(states)]
  }
  return { full: bytesOf("full"), short: bytesOf("short") }
}

/** The exported name for what a configuration trains; "" if no polynomials are exported for that.
 * @param {Configuration} configuration @param {number} depth  the number of layers with weights of their own */
function nameOf({ lora, frozen, biases }, depth) {
  const { embeddings, layers, all_but_head: body } = frozen
  if (!lora) {
    const frozenLayers = layers > 0 && (layers < depth ? "layers" : "all-layers")
    return body ? "all-but-head" : [embeddings && "embeddings", frozenLayers].filter(Boolean).join() || "all"
  }
  if (embeddings || layers > 0 || body) return ""
  if (exported.lora.includes(lora.method)) return `lora:${[...lora.modules].sort().join()}`
  return biases ? lora.method : ""
}

/** The model that a configuration trains. @param {Configuration} configuration @returns {TrainedModel} */
export function trainedModel(configuration) {
  const { architecture, modelClass, sizes, choices, frozen, lora, pruned } = settled(configuration)
  const depth = product(classes.get(modelClass).layers, sizes)
  const method = pruned ? "pruned" : lora && METHODS.get(lora.method).adds.length ? lora.method : ""
  return {
    architecture,
    modelClass,
    choices,
    sizes: { ...sizes, ...(lora && sizesOfMethod(lora)), K: frozen.layers },
    trained: nameOf(configuration, depth),
    method: exported.lora.includes(method) ? "" : method,
    fixed: fixedOf(count(configuration)),
    most: longest(architecture, sizes),
  }
}
