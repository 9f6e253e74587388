// Translates the configs of KerasHub into those of transformers. Such a config is a file in which Keras has saved a
// backbone with its class and arguments, or a call that builds one. Only the backbones that have the same tensors as
// transformers' bare model are translated; KerasHub's RoBERTa, for example, has neither a segment table nor a pooler.

import table from "../../../data/table.js"

/** @typedef {import("./text.js").ConfigText} ConfigText */

/** The architectures whose bare models have the tensors of a backbone, by the backbone's class.
 * @type {Record<string, string>} */
const ARCHITECTURES = { BertBackbone: "bert", DistilBertBackbone: "distilbert", AlbertBackbone: "albert" }

/** The letters of sizes, by KerasHub's names for them. @type {Record<string, string>} */
const SIZE_LETTERS = {
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

/** Arguments that every Keras layer has. They give no size. */
const COMMON_ARGUMENTS = ["name", "trainable", "dtype"]

/** The class of a backbone, such as BertBackbone. */
const BACKBONE_CLASS = /^\w+Backbone$/

/** A config in which Keras has saved a backbone, with the backbone's class and arguments; any other config unchanged.
 * @param {ConfigText} config @returns {ConfigText} */
function withArgumentsOfBackbone(config) {
  const className = config.entries.get("class_name")
  const backboneArguments = config.entries.get("config")
  if (typeof className !== "string" || !BACKBONE_CLASS.test(className)) return config
  if (!backboneArguments || typeof backboneArguments !== "object") return config
  return { ...config, className, entries: new Map(Object.entries(backboneArguments)) }
}

/** A config of KerasHub with the class and the keys of transformers; any other config unchanged. A backbone that is not
 * in `ARCHITECTURES` keeps the name of its class, for which it is refused.
 * @param {ConfigText} source @returns {ConfigText} */
export function withTransformersKeys(source) {
  const config = withArgumentsOfBackbone(source)
  const { className, entries } = config
  if (!Object.hasOwn(ARCHITECTURES, className)) return config
  const architecture = table.architectures.find(({ name }) => name === ARCHITECTURES[className])
  if (!architecture) return config
  /** @type {Record<string, string>} */
  const keysByLetter = architecture.keys
  /** @type {ConfigText["entries"]} */
  const entriesOfTransformers = new Map()
  for (const [argument, value] of entries)
    if (!COMMON_ARGUMENTS.includes(argument))
      entriesOfTransformers.set(keysByLetter[SIZE_LETTERS[argument]] ?? argument, value)
  return { ...config, className: architecture.config, entries: entriesOfTransformers }
}
