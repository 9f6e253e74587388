// Converts the keys and values of any configuration to those of a config.json: other names
// for sizes are replaced, the class before a bracket becomes a `model_type`, and missing
// sizes get transformers' defaults.

import { classes, inTorch } from "../../counting/engine.js"
import { architectureOfConfig, DEFAULTS, isDistilBert, isOfTransformers, usualKey } from "./keys.js"
import { architectureNamedIn } from "./named-classes.js"
import { isMaxLength } from "./own-names.js"
import { configIn } from "./recognising.js"

/** @typedef {import("./text.js").ConfigText} ConfigText */

/** Other keys for an architecture's sizes, by the architecture's own keys.
 * @type {Record<string, Record<string, string>>} */
const OTHER_KEYS = { distilbert: { dim: "hidden_size", n_layers: "num_hidden_layers", n_heads: "num_attention_heads" } }

/** The switches in the configs of Nomic's own code that turn biases off, as transformers' NomicBERT does. */
const BIASES_OF_NOMIC = ["qkv_proj_bias", "mlp_fc1_bias", "mlp_fc2_bias"]

/** The class of a config that names no architecture, such as one of the reader's own. */
const GENERIC_CONFIG = /^(?:PreTrained|Pretrained|Auto|My|Model)?Config$/

/** The keys and values of a configuration, under the usual keys. Other names for the model type are replaced unless
 * transformers printed the text. Other names for sizes are replaced unless the text is a file of transformers or
 * describes a DistilBERT; in a file of a NomicBERT, they are replaced as well, because its own code has names of its
 * own. A name for a size that another key gives differently stays as it is.
 * @param {ConfigText} config */
export function withUsualKeys({ className, entries, form }) {
  const isDistil = isDistilBert(entries, className)
  const isNomic = entries.get("model_type") === "nomic_bert"
  const isOfOwnClass = form === "arguments" && GENERIC_CONFIG.test(className) && !isOfTransformers(entries)
  const hasOwnNames = form === "lines" || (form === "object" && !isOfTransformers(entries)) || isOfOwnClass
  /** The usual name for a key with this value. */
  const nameOf = (/** @type {string} */ key, /** @type {unknown} */ value) => {
    const isOldVocabularyKey = key === "vocab_size_or_config_json_file"
    const isOtherLetter = key.length === 1 && !Number.isInteger(value) // such as p = 0.1, the rate of dropout
    const mayBeOtherName = isOldVocabularyKey || isNomic || (hasOwnNames && !isDistil && !isOtherLetter)
    return mayBeOtherName ? usualKey(key) : key
  }
  const namedEntries = [...entries]
    .filter(([key, value]) => !(isNomic && value === false && BIASES_OF_NOMIC.includes(key)))
    .map(([key, value]) => {
      const isType =
        form !== "printed" && /^(?:type|model|architecture)$/.test(key) && String(value).toLowerCase() in DEFAULTS
      return isType
        ? { key, name: "model_type", value: String(value).toLowerCase() }
        : { key, name: nameOf(key, value), value }
    })
  const result = new Map(namedEntries.filter(({ key, name }) => key === name).map(({ key, value }) => [key, value]))
  for (const { key, name, value } of namedEntries)
    if (!result.has(name)) result.set(name, value)
    else if (result.get(name) !== value) result.set(key, value)
  if (isDistil && hasOwnNames && !result.has("model_type")) result.set("model_type", "distilbert")
  const maxLengthKey = hasOwnNames ? maxLengthKeyIn(entries) : ""
  if (maxLengthKey && !result.has(POSITIONS)) {
    result.set(POSITIONS, result.get(maxLengthKey))
    result.delete(maxLengthKey)
  }
  return result
}

const POSITIONS = "max_position_embeddings"

/** The key of the greatest length of a text, which is the number of positions in code with names of the reader's own;
 * "" if there is none, or if the hidden size has transformers' name, because the length may then be the tokenizer's.
 * @param {Map<string, unknown>} entries */
export const maxLengthKeyIn = (entries) =>
  entries.has("hidden_size")
    ? ""
    : ([...entries].find(([key, value]) => isMaxLength(key) && Number.isInteger(value))?.[0] ?? "")

/** The architecture that is named by `model_type`, by the class of the configuration or of the model, or by a class in
 * the text around it; "" if none names one, and null if the configuration's class is not counted.
 * @param {ConfigText} config @param {Map<string, unknown>} entries @returns {string | null} */
export function typeOf({ className, rest }, entries) {
  if (entries.has("model_type")) {
    const type = entries.get("model_type")
    return typeof type === "string" ? type : ""
  }
  if (!className || GENERIC_CONFIG.test(className)) {
    const [modelClass] = [entries.get("architectures")].flat()
    if (typeof modelClass === "string") return classes.get(inTorch(modelClass))?.architecture ?? ""
    return architectureNamedIn(rest)
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
  // A value that only running the code would give is an error or an unknown key, rather than a default.
  for (const piece of config.unreadCode ?? []) {
    const [key, ...values] = piece.split("=")
    entries.set(key, values.join("=") || piece)
  }
  addDefaults(entries, type || "bert")
  return JSON.stringify(Object.fromEntries(entries))
}
