// What the reader of configurations knows of keys: the sizes that transformers takes where
// none is given, which keys show that a text is a configuration, and other names of sizes.
//
// Sources: transformers 5.23, the configuration file of each architecture.

import table from "../../../data/table.js"
import { sizesElsewhere, sizesNothing } from "../../counting/config-keys.js"

const { other_names } = table.configs.keys

const BASE = { hidden_size: 768, num_hidden_layers: 12, num_attention_heads: 12, intermediate_size: 3072 }
const TABLES = { max_position_embeddings: 512, type_vocab_size: 2 }

/** The sizes that transformers takes if a configuration does not give them, by architecture.
 * @type {Record<string, Record<string, number>>} */
export const DEFAULTS = {
  bert: { vocab_size: 30522, ...BASE, ...TABLES },
  roberta: { vocab_size: 50265, ...BASE, ...TABLES },
  "xlm-roberta": { vocab_size: 30522, ...BASE, ...TABLES },
  distilbert: { vocab_size: 30522, max_position_embeddings: 512, n_layers: 6, n_heads: 12, dim: 768, hidden_dim: 3072 },
  albert: {
    vocab_size: 30000,
    embedding_size: 128,
    hidden_size: 4096,
    num_hidden_layers: 12,
    num_attention_heads: 64,
    intermediate_size: 16384,
    ...TABLES,
  },
  electra: {
    vocab_size: 30522,
    embedding_size: 128,
    hidden_size: 256,
    num_hidden_layers: 12,
    num_attention_heads: 4,
    intermediate_size: 1024,
    ...TABLES,
  },
  mpnet: { vocab_size: 30527, ...BASE, max_position_embeddings: 512, relative_attention_num_buckets: 32 },
  modernbert: {
    vocab_size: 50368,
    hidden_size: 768,
    num_hidden_layers: 22,
    num_attention_heads: 12,
    intermediate_size: 1152,
  },
  "deberta-v2": {
    vocab_size: 128100,
    hidden_size: 1536,
    num_hidden_layers: 24,
    num_attention_heads: 24,
    intermediate_size: 6144,
  },
}

/** The architecture of a class of configurations, such as BertConfig; "" if it is not counted here.
 * @param {string} name */
export const architectureOfConfig = (name) =>
  table.architectures.find(({ classes }) => classes[0].name.replace(/Model$/, "Config") === name)?.name ?? ""

const SETTINGS = table.configs.settings.map(({ key }) => key)

/** Every key that says that a text is a configuration of a model. */
const OF_MODELS = new Set([
  ...table.architectures.flatMap(({ keys, instead }) => [...Object.values(keys), ...Object.values(instead)]),
  ...SETTINGS,
  ...["model_type", "architectures", "id2label", "auto_map", "is_decoder", "layer_norm_eps", "initializer_range"],
  ...["hidden_dropout_prob", "attention_probs_dropout_prob", "transformers_version"],
])

/** @param {string} key */
export const isKeyOfModels = (key) => OF_MODELS.has(key) || sizesNothing(key) || sizesElsewhere(key)

const SIZES = new Set(Object.values(DEFAULTS).flatMap((sizes) => Object.keys(sizes)))

/** Whether a key is a size. @param {string} key */
export const isSize = (key) => SIZES.has(key)

/** The key of BERT's configuration that a name stands for, or the name itself. @param {string} name */
export function usualKey(name) {
  const key = name.replace(/^-+/, "").replaceAll("-", "_")
  const low = key.toLowerCase()
  if (SIZES.has(low)) return low
  return Object.hasOwn(other_names, low) ? other_names[low] : key
}
