// Reads the configs of KerasHub: a file in which Keras has saved a backbone with its class and arguments, or a
// call that builds one. Only backbones with the tensors of transformers' bare model are read; KerasHub's
// RoBERTa, for example, has neither a segment table nor a pooler.

import table from "../../../data/table.js"

/** @typedef {import("./text.js").ConfigText} ConfigText */

/** The architecture whose bare model has the tensors of a backbone, by the class of the backbone.
 * @type {Record<string, string>} */
const BACKBONES = { BertBackbone: "bert", DistilBertBackbone: "distilbert", AlbertBackbone: "albert" }

/** The letters of sizes by KerasHub's arguments. @type {Record<string, string>} */
const LETTERS = {
  vocabulary_size: "V",
  num_layers: "L",
  num_heads: "A",
  hidden_dim: "H",
  intermediate_dim: "F",
  max_sequence_length: "P",
  num_segments: "S",
  embedding_dim: "E",
  num_groups: "G",
  num_inner_repetitions: "I",
}

/** The arguments of every Keras layer, which give no size. */
const COMMON_ARGUMENTS = ["name", "trainable", "dtype"]

const BACKBONE = /^\w+Backbone$/

/** The class and the arguments of a backbone that Keras has saved as an object; the config itself otherwise.
 * @param {ConfigText} config @returns {ConfigText} */
function savedBackbone(config) {
  const [className, inner] = ["class_name", "config"].map((key) => config.entries.get(key))
  return typeof className === "string" && BACKBONE.test(className) && inner && typeof inner === "object"
    ? { ...config, className, entries: new Map(Object.entries(inner)) }
    : config
}

/** A config of KerasHub with the class and the keys of transformers; any other config unchanged. A backbone with other
 * tensors keeps its class, which is not counted.
 * @param {ConfigText} source @returns {ConfigText} */
export function withTransformersKeys(source) {
  const config = savedBackbone(source)
  const { className, entries } = config
  if (!Object.hasOwn(BACKBONES, className)) return config
  const architecture = table.architectures.find(({ name }) => name === BACKBONES[className])
  if (!architecture) return config
  /** @type {Record<string, string>} */
  const keys = architecture.keys
  const renamedEntries = [...entries].flatMap(([key, value]) => {
    if (COMMON_ARGUMENTS.includes(key)) return []
    return [/** @type {const} */ ([keys[LETTERS[key] ?? ""] ?? key, value])]
  })
  return { ...config, className: architecture.config, entries: new Map(renamedEntries) }
}
