// The keys of configurations: transformers' defaults for sizes, the keys that show that a
// text is a configuration, and the names that people use for sizes. The build exports
// these lists. This module adds a few common keys that determine no size, and three letters for sizes.

import table from "../../../data/table.js"
import { isSizeElsewhere, isSizeless } from "../../counting/config-keys.js"
import { keyByWords } from "./own-names.js"

const { defaults, nothing_in, other_names } = table.configs.keys

/** The default sizes in transformers, by architecture. */
export const DEFAULTS = defaults

/** The architecture of a configuration class, such as BertConfig; "" if it is not counted here. @param {string} name */
export const architectureOfConfig = (name) => table.architectures.find(({ config }) => config === name)?.name ?? ""

/** The keys of settings, which select tensors rather than give sizes. */
const SETTING_KEYS = table.configs.settings.map(({ key }) => key)

/** The keys that show that a text is the configuration of a model. */
const KEYS_OF_MODELS = new Set([
  ...table.architectures.flatMap(({ keys, instead }) => [...Object.values(keys), ...Object.values(instead)]),
  ...SETTING_KEYS,
  ...Object.values(nothing_in).flat(),
  "model_type",
  "architectures",
  "id2label",
  "auto_map",
  "is_decoder",
  "layer_norm_eps",
  "initializer_range",
  "hidden_dropout_prob",
  "attention_probs_dropout_prob",
  "transformers_version",
])

/** Whether a key occurs in configurations of models. @param {string} key */
export const isKeyOfModels = (key) => KEYS_OF_MODELS.has(key) || isSizeless(key) || isSizeElsewhere(key)

/** The keys of sizes in all architectures. */
const SIZE_KEYS = new Set(Object.values(DEFAULTS).flatMap((sizes) => Object.keys(sizes)))

/** Whether a key is that of a size. @param {string} key */
export const isSizeKey = (key) => SIZE_KEYS.has(key)

/** Whether entries name a model type or a class, as the configs that transformers saves do.
 * @param {Map<string, unknown>} entries */
export const isOfTransformers = (entries) => ["model_type", "architectures"].some((key) => entries.has(key))

/** The keys that DistilBERT has in place of BERT's. */
const KEYS_OF_DISTILBERT = Object.keys(DEFAULTS.distilbert).filter((key) => !Object.hasOwn(DEFAULTS.bert, key))

/** Whether entries are those of a DistilBERT: by its name, or because both widths have the names that it gives them.
 * @param {Map<string, unknown>} entries @param {string} className */
export const isDistilBert = (entries, className) =>
  className === "DistilBertConfig" ||
  entries.get("model_type") === "distilbert" ||
  (entries.has("dim") && entries.has("hidden_dim"))

/** The keys for the letters of sizes that a config may use for anything else, such as p for the rate of dropout. Only
 * texts with sizes in letters mean sizes by them.
 * @type {Record<string, string>} */
const KEYS_OF_LETTERS = { f: "intermediate_size", p: "max_position_embeddings", s: "type_vocab_size" }

/** The usual key for a name of a size, also for DistilBERT's names. If it is unknown, the name itself, without leading
 * hyphens and with underscores in place of the others.
 * @param {string} name */
export function usualKey(name) {
  const key = name.replace(/^-+/, "").replaceAll("-", "_")
  const lowerCase = key.toLowerCase()
  const isOfDistilBert = KEYS_OF_DISTILBERT.includes(lowerCase)
  if (SIZE_KEYS.has(lowerCase) && !isOfDistilBert) return lowerCase
  if (Object.hasOwn(KEYS_OF_LETTERS, lowerCase)) return KEYS_OF_LETTERS[lowerCase]
  if (Object.hasOwn(other_names, lowerCase)) return other_names[lowerCase]
  return ((isOfDistilBert || !isKeyOfModels(key)) && keyByWords(key)) || key
}
