// Converts the keys and values of any configuration to those of a config.json: other names
// for sizes are replaced, the class before a bracket becomes a `model_type`, and missing
// sizes get transformers' defaults.

import { classes, inTorch } from "../../counting/engine.js"
import { architectureOfConfig, DEFAULTS, usualKey } from "./keys.js"
import { configIn } from "./recognising.js"

/** @typedef {import("./text.js").ConfigText} ConfigText */

/** Other keys for an architecture's sizes, by the architecture's own keys.
 * @type {Record<string, Record<string, string>>} */
const OTHER_KEYS = { distilbert: { dim: "hidden_size", n_layers: "num_hidden_layers", n_heads: "num_attention_heads" } }

/** The switches in the configs of Nomic's own code that turn biases off, as transformers' NomicBERT does. */
const BIASES_OF_NOMIC = ["qkv_proj_bias", "mlp_fc1_bias", "mlp_fc2_bias"]

/** The keys and values of a configuration. In lines of keys and values, names for the model type are replaced by the
 * usual key, and so are names for sizes, except in a DistilBERT. The sizes of a NomicBERT have other names in its own
 * code.
 * @param {ConfigText} config */
export function withUsualKeys({ className, entries, form }) {
  /** @type {Map<string, unknown>} */
  const result = new Map()
  // For a DistilBERT, DistilBERT's own keys must not be replaced by BERT's.
  const isDistil = className === "DistilBertConfig" || entries.get("model_type") === "distilbert"
  const isNomic = entries.get("model_type") === "nomic_bert"
  for (const [key, value] of entries) {
    if (isNomic && value === false && BIASES_OF_NOMIC.includes(key)) continue
    const isOldVocabularyKey = key === "vocab_size_or_config_json_file"
    const isOtherLetter = key.length === 1 && !Number.isInteger(value) // such as p = 0.1, the rate of dropout
    const mayBeOtherName = isOldVocabularyKey || isNomic || (form === "lines" && !isDistil && !isOtherLetter)
    const name = mayBeOtherName ? usualKey(key) : key
    const isType =
      form === "lines" && /^(?:type|model|architecture)$/.test(key) && String(value).toLowerCase() in DEFAULTS
    if (isType) result.set("model_type", String(value).toLowerCase())
    else if (!result.has(name) || name === key) result.set(name, value)
  }
  return result
}

/** The architecture that `model_type`, the configuration's class or the model's class names; "" if none names one, and
 * null if the configuration's class is not counted.
 * @param {ConfigText} config @param {Map<string, unknown>} entries @returns {string | null} */
export function typeOf({ className }, entries) {
  if (entries.has("model_type")) {
    const type = entries.get("model_type")
    return typeof type === "string" ? type : ""
  }
  if (!className || /^(?:PreTrained|Pretrained|Auto|My|Model)?Config$/.test(className)) {
    const [modelClass] = [entries.get("architectures")].flat()
    return (typeof modelClass === "string" && classes.get(inTorch(modelClass))?.architecture) || ""
  }
  return architectureOfConfig(className) || null
}

/** Adds transformers' defaults for missing sizes and returns their keys.
 * @param {Map<string, unknown>} entries @param {string} type */
export function addDefaults(entries, type) {
  if (!Object.hasOwn(DEFAULTS, type)) return []
  const otherKeys = OTHER_KEYS[type] ?? {}
  return Object.entries(DEFAULTS[type]).flatMap(([key, size]) => {
    if (entries.has(key) || (otherKeys[key] && entries.has(otherKeys[key]))) return []
    entries.set(key, size)
    return [key]
  })
}

/** The config.json for a configuration that is not JSON, such as keyword arguments or the output of transformers; any
 * other text unchanged.
 * @param {string} text */
export function asFile(text) {
  const isJson = /^\s*\{(?!\s*')/.test(text)
  const config = isJson ? null : configIn(text)
  if (!config) return text
  const entries = withUsualKeys(config)
  const type = typeOf(config, entries)
  // The name of an uncounted class makes a better error than a missing key.
  entries.set("model_type", type ?? config.className)
  if (type === "") entries.delete("model_type")
  addDefaults(entries, type || "bert")
  return JSON.stringify(Object.fromEntries(entries))
}
