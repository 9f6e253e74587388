// The keys of configurations: transformers' defaults for sizes, the keys by which a text is
// recognised as a configuration, and the other names that people give to sizes. All lists
// are data that the build exports; only a few keys that most configurations have, and that
// size nothing, are named here.

import table from "../../../data/table.js"
import { sizesElsewhere, sizesNothing } from "../../counting/config-keys.js"

const { defaults, nothing_in, other_names } = table.configs.keys

/** The default sizes of transformers, by architecture. */
export const DEFAULTS = defaults

/** The architecture of a class of configurations, such as BertConfig; "" if it is not counted here.
 * @param {string} name */
export const architectureOfConfig = (name) => table.architectures.find(({ config }) => config === name)?.name ?? ""

/** Keys that choose tensors rather than sizes. */
const SETTINGS = table.configs.settings.map(({ key }) => key)

/** The keys by which a text is recognised as a configuration of a model. */
const KEYS_OF_MODELS = new Set([
  ...table.architectures.flatMap(({ keys, instead }) => [...Object.values(keys), ...Object.values(instead)]),
  ...SETTINGS,
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

/** Whether a key is one that configurations of models have. @param {string} key */
export const isKeyOfModels = (key) => KEYS_OF_MODELS.has(key) || sizesNothing(key) || sizesElsewhere(key)

/** The keys of sizes in any architecture. */
const SIZES = new Set(Object.values(DEFAULTS).flatMap((sizes) => Object.keys(sizes)))

/** Whether a key is a size. @param {string} key */
export const isSize = (key) => SIZES.has(key)

/** The key of BERT's configuration that a name stands for, or the name itself. @param {string} name */
export function usualKey(name) {
  const key = name.replace(/^-+/, "").replaceAll("-", "_")
  const lowerCase = key.toLowerCase()
  if (SIZES.has(lowerCase)) return lowerCase
  return Object.hasOwn(other_names, lowerCase) ? other_names[lowerCase] : key
}
