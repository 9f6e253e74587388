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

/** The bytes of weights, gradients and optimiser states, for a model in 32 and in 16 bits. PEFT keeps adapters in 32
 * bits.
 * @param {Pick<CountedConfiguration, "rows">} counted @returns {TrainedModel["fixed"]} */
function fixedOf({ rows }) {
  const { full, short } = exported.bytes
  /** @param {typeof full} model @returns {FixedBytes} */
  const bytesOf = (model) => {
    const typeOf = (/** @type {CountedRow} */ { added }) => (added && added !== COPY ? full : model)
    return [
      sumBy(rows, (row) => row.number * typeOf(row).number),
      sumBy(rows, (row) => row.trainable * typeOf(row).number),
      sumBy(rows, (row) => row.trainable * typeOf(row).state + (row.trainable / (row.one || 1)) * typeOf(row).tensor),
    ]
  }
  return { full: bytesOf(full), short: bytesOf(short) }
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
