// Judges the keys in a config that its architecture does not read: whether the total still
// follows from the config, and if not, why. macros/counting/config_keys.py explains the
// rules; the keys and words are part of the exported table.

import table from "../../data/table.js"
import { architectures } from "./engine.js"
import { textOf } from "./messages.js"

const { nothing, nothing_in, widths, head_widths, elsewhere, words, other_names, input_classes } = table.configs.keys

const SIZELESS_KEYS = new Set(nothing)
// Words in the names of keys: those about tensors, about training, and about the absence of something.
const [TENSOR_WORDS, TRAINING_WORDS, ABSENCE_WORDS] = [words.tensors, words.training, words.without].map(
  (list) => new Set(list),
)

/** The keys for sizes in any architecture. */
const SIZE_KEYS = new Set(table.architectures.flatMap(({ keys }) => Object.values(keys)))

/** Whether a key is known to affect no size in any architecture. @param {string} key */
export const isSizeless = (key) => SIZELESS_KEYS.has(key)

/** Whether a key is known to affect the size of tensors that no architecture here has. @param {string} key */
export const isSizeElsewhere = (key) => Object.hasOwn(elsewhere, key)

/** The words in a key, whether underscores or capital letters separate them. @param {string} key */
export const wordsOf = (key) =>
  key
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z]+/)

/** A value and all values in it, at any depth. @param {unknown} value @returns {Generator<unknown>} */
function* valuesIn(value) {
  // A loop rather than recursion, because JSON may be nested more deeply than the call stack allows.
  const stack = [value]
  while (stack.length) {
    const inner = stack.pop()
    yield inner
    // One by one, because a call accepts only a limited number of arguments.
    if (typeof inner === "object" && inner) for (const child of Object.values(inner)) stack.push(child)
  }
}

/** Whether a value means that something is absent: false, 0, null, an empty string, or a list or object that contains
 * nothing but nulls, empty lists and empty objects.
 * @param {unknown} value */
function isNothing(value) {
  if (typeof value !== "object") return value === false || value === 0 || value === ""
  for (const inner of valuesIn(value)) if (typeof inner !== "object") return false
  return true
}

/** Whether a value is or contains an object with the key of a size, such as the config of another model.
 * @param {unknown} value */
function hasSizeKey(value) {
  for (const inner of valuesIn(value)) {
    const isObject = typeof inner === "object" && inner && !Array.isArray(inner)
    if (isObject && Object.keys(inner).some((key) => SIZE_KEYS.has(key))) return true
  }
  return false
}

/** Whether the `auto_map` of a config names code for a model, rather than only code that prepares its input.
 * @param {unknown} autoMap */
export function hasModelCode(autoMap) {
  if (typeof autoMap !== "object" || !autoMap) return Boolean(autoMap)
  const names = Array.isArray(autoMap) ? ["AutoModel"] : Object.keys(autoMap)
  return Object.keys(autoMap).length > 0 && !names.every((name) => input_classes.includes(name))
}

/** The key that transformers reads in place of this one; "" if there is none.
 * @param {string} key */
const usualName = (key) => (Object.hasOwn(other_names, key.toLowerCase()) ? other_names[key.toLowerCase()] : "")

/** The letter of the size that a key gives under a different name; "" if the architecture has no such size.
 * @param {string} key @param {string} architecture */
function letterOf(key, architecture) {
  const { keys } = architectures.get(architecture)
  const usualKey = usualName(key)
  return Object.keys(keys).find((letter) => keys[letter] === usualKey) ?? ""
}

/** Whether a key merely states a value that follows from the sizes, or that the position embeddings are of the usual
 * type.
 * @param {string} key @param {unknown} value @param {string} architecture @param {Sizes} sizes */
function isRedundant(key, value, architecture, sizes) {
  if (key === "position_embedding_type" && value === "absolute") return true
  if (typeof value !== "number") return false
  const { H, A, C } = sizes
  return (
    value === sizes[letterOf(key, architecture)] ||
    (widths.includes(key) && value === H) ||
    (head_widths.includes(key) && value === H / A) ||
    (key === "_num_labels" && value === C) ||
    (key === "num_key_value_heads" && value === A)
  )
}

/** The reasons why models are not counted, by model type in lower case without hyphens or underscores. */
const REASONS = new Map(
  table.configs.uncounted.flatMap(({ types, why }) => types.map((type) => /** @type {const} */ ([type, why]))),
)

/** The reason why models of this type or config class are not counted; "" if none is known. @param {string} type */
export function reasonAgainstType(type) {
  const normalisedType = type
    .toLowerCase()
    .replace(/[-_]/g, "")
    .replace(/config$/, "")
  return REASONS.get(normalisedType) ?? ""
}

/** The reason why no total follows from a config with this key; "" if the key with this value affects no size, and null
 * if the key is unknown and probably affects none.
 * @param {string} key @param {unknown} value @param {string} architecture @param {Sizes} sizes
 * @returns {string | null} */
export function reasonAgainst(key, value, architecture, sizes) {
  const sizelessHere = Object.hasOwn(nothing_in, architecture) ? nothing_in[architecture] : []
  if (SIZELESS_KEYS.has(key) || sizelessHere.includes(key) || isRedundant(key, value, architecture, sizes)) return ""
  if (isSizeElsewhere(key)) return isNothing(value) ? "" : elsewhere[key]
  const wordsOfKey = wordsOf(key)
  const hasWordOf = (/** @type {Set<string>} */ vocabulary) => wordsOfKey.some((word) => vocabulary.has(word))
  // A key such as "without_x" means that x is present if its value is false.
  if (isNothing(value) && !(value === false && hasWordOf(ABSENCE_WORDS))) return ""
  if (hasSizeKey(value)) return textOf("nested-config")
  if (table.configs.foreign.includes(key)) return textOf("key-of-another-config")
  const usualKey = usualName(key)
  if (usualKey && usualKey !== key && !SIZE_KEYS.has(key)) return textOf("key-read-instead", { key: usualKey })
  if (SIZE_KEYS.has(key)) return textOf("key-of-another-size")
  if (hasWordOf(TRAINING_WORDS)) return null
  return hasWordOf(TENSOR_WORDS) ? textOf("unknown-key") : null
}
