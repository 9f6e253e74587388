// Reads configurations from a config.json, from the fields of the calculator, or from
// the name of a published model, and writes them as a config.json. The exported table specifies
// what a config may contain. The rules are those of macros/counting/config.py and models.py, and
// tests/scripts/test_configs.py compares the results.
//
// A misread config could lead to a total that merely looks right. So unknown keys are reported, and
// values that would change the tensors in a way that is not counted are refused. Errors in
// several keys or fields are collected, so that the reader sees all of them at once.

import table from "../../data/table.js"
import { CHOICES, LORA, METHODS, UNPRUNED, withFixedChoices } from "./changes.js"
import { hasModelCode, reasonAgainst, reasonAgainstType } from "./config-keys.js"
import {
  architectures,
  classes,
  classesOf,
  classOfBare,
  defaultChoices,
  inTorch,
  MAX_NUMBER,
  models,
  product,
  whole,
} from "./engine.js"
import { textOf } from "./messages.js"
import { cut } from "./short.js"

const {
  flags,
  foreign,
  largest_odd_width: largestOddWidth,
  most_bytes: MAX_BYTES,
  name_it: NAME_IT,
  settings,
} = table.configs

const MAX_VALUE_LENGTH = 60 // characters of a value that a message quotes
const ADAPTER_KEY = "peft_type" // a key in PEFT's configs of adapters, but in no config of a model
const ADAPTER_MESSAGE =
  "it is PEFT's config of an adapter, which names a model and has none of its sizes; the page “I got N” counts it"

/** The published models with this architecture and these sizes. The number of labels may differ, because it depends on
 * the task and not on the model.
 * @param {Pick<Configuration, "architecture" | "sizes">} configuration */
export const publishedModels = ({ architecture, sizes }) =>
  table.models.filter(
    (model) =>
      model.architecture === architecture &&
      Object.entries(sizes).every(([letter, size]) => letter === "C" || model.sizes[letter] === size),
  )

/** The value of `frozen` if nothing is frozen. @type {Frozen} */
export const NOTHING_FROZEN = { embeddings: false, layers: 0, all_but_head: false }

/** @typedef {Map<string, unknown>} Config */
/** @typedef {Table["architectures"][0]} Architecture */

const [BERT] = table.architectures

/** The symbol with this letter in the exported table. @param {string} letter */
const symbolOf = (letter) =>
  /** @type {Table["symbols"][0]} */ (table.symbols.find((symbol) => symbol.letter === letter))

/** The default value of a size that follows from others: another size, or the quotient of two, rounded down.
 * @param {string} formula  such as A or H/A @param {Sizes} sizes */
const derivedSize = (formula, sizes) => {
  const [numerator, denominator] = formula.split("/")
  return Math.floor(sizes[numerator] / (denominator ? sizes[denominator] : 1))
}

/** The symbols of an architecture's sizes, in reading order, with the architecture's keys, minimums and defaults.
 * @param {Architecture} architecture */
const symbolsOf = (architecture) =>
  Object.entries(architecture.keys).map(([letter, key]) => {
    const symbol = symbolOf(letter)
    return {
      ...symbol,
      key,
      minimum: architecture.minimum[letter] ?? symbol.minimum,
      default: letter in architecture.default ? architecture.default[letter] : symbol.default,
    }
  })

/** Whether a value is falsy in Python, which is how transformers tests many keys. @param {unknown} value */
const isFalsy = (value) => (typeof value === "object" && value ? !Object.keys(value).length : !value)

/** Whether a JSON value is an object, rather than a list or a scalar.
 * @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value)

/** A value as JSON on one line, cut if too long, with unprintable characters escaped. If the value is nested too deeply
 * for that, the result says so.
 * @param {unknown} value */
function quote(value) {
  try {
    return cut(JSON.stringify(value).replace(UNPRINTABLE, escapeCharacter), MAX_VALUE_LENGTH)
  } catch {
    return "nested too deeply"
  }
}

const UNPRINTABLE = /(?! )[\p{C}\p{Z}]/gu // such as line breaks, and marks that reverse the direction of text

/** A character as JSON escapes it, as in \u200b. @param {string} character */
const escapeCharacter = (character) =>
  character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("")

/** Whether the number of heads does not divide the width that they share, in a model with layers.
 * @param {Architecture} architecture @param {Sizes} sizes */
const hasUnevenHeads = ({ layers, heads_share: share }, sizes) =>
  Boolean(sizes[share] && sizes.A && sizes[share] % sizes.A && layers.every((letter) => sizes[letter]))

/** A clause that explains why the number of heads does not fit.
 * @param {Architecture} architecture @param {Sizes} sizes @param {string} [width]  the name of the width */
const unevenHeadsInWords = ({ heads_share: share }, sizes, width = share) =>
  `${width} = ${whole(sizes[share])} is not divisible by ${whole(sizes.A)} heads`

/** The message about a number of heads that does not fit, for a model that transformers builds nevertheless, with
 * narrower matrices.
 * @param {Architecture} architecture @param {Sizes} sizes @param {string} [width]  the name of the width */
const narrowerHeadsMessage = (architecture, sizes, width) =>
  textOf("narrower-heads", { odd: unevenHeadsInWords(architecture, sizes, width) })

/** The letters of two widths whose difference is a dimension of a matrix, if the difference is negative; undefined if
 * there are none. transformers cannot build such a matrix.
 * @param {Architecture} architecture @param {Sizes} sizes */
const negativeWidth = ({ differences }, sizes) =>
  differences.find(([wider, narrower]) => sizes[wider] < sizes[narrower])

/** A note about a configuration that can be counted, but that transformers refuses to build; "" for any other.
 * @param {Configuration} configuration */
export function note({ architecture: name, sizes }) {
  const architecture = architectures.get(name)
  if (!hasUnevenHeads(architecture, sizes)) return ""
  return textOf("refused-heads", { odd: unevenHeadsInWords(architecture, sizes) })
}

// --- Reading a config ---------------------------------------------------------

/** The architecture that a config names or, if it names none, the one that follows from its other keys; an error if
 * that is not counted here, or if none follows.
 * @param {Config} config @returns {Architecture | WrongField} */
function architectureIn(config) {
  const key = "model_type"
  if (!config.has(key)) return unnamedArchitecture(config)
  const type = config.get(key)
  const architecture = table.architectures.find(({ name }) => name === type)
  if (architecture) return architecture
  const why = typeof type === "string" ? reasonAgainstType(type) : ""
  const names = table.architectures.map(({ name }) => name).join(", ")
  const value = quote(type)
  const message = why
    ? textOf("uncounted-type", { key, value, why })
    : textOf("other-model", { key, value, known: names })
  return { key, message }
}

/** The last comma of a list, with the space after it. */
const LAST_COMMA = /, (?=[^,]*$)/

/** The keys that an architecture reads. @param {Architecture} architecture */
const keysOf = ({ keys, settings: indices, flags: choices }) => [
  ...Object.values(keys),
  ...Object.keys(keys).flatMap((letter) => symbolOf(letter).only_if || []),
  ...indices.map((index) => settings[index].key),
  ...choices,
]

/** The architecture of a config that names none, like the configs in Google's releases. If it lists a class, that class
 * decides. Otherwise the architecture is BERT, unless a key belongs to another one. An error if no architecture
 * follows.
 * @param {Config} config @returns {Architecture | WrongField} */
function unnamedArchitecture(config) {
  const key = "architectures"
  const listedClasses = config.get(key)
  if (!isFalsy(listedClasses)) {
    const message = textOf("other-class", { key, value: quote(listedClasses), name_it: NAME_IT })
    return table.architectures.find((architecture) => classIn(config, architecture)) ?? { key, message }
  }
  /** The error that keys belong to other models.
   * @param {string[]} keys @param {string} modelsInWords  the models with these keys @returns {WrongField} */
  const foreignKeysError = (keys, modelsInWords) => {
    return {
      key: keys[0],
      message: textOf("foreign-keys", { keys: keys.join(", "), models: modelsInWords, name_it: NAME_IT }),
    }
  }
  if (config.has(ADAPTER_KEY)) return { key: ADAPTER_KEY, message: ADAPTER_MESSAGE }
  const foreignKey = foreign.find((name) => config.has(name))
  if (foreignKey) return foreignKeysError([foreignKey], "other models")
  const sizeKeys = table.architectures.flatMap(({ keys }) => Object.values(keys))
  if (!sizeKeys.some((name) => config.has(name))) return { key: sizeKeys[0], message: textOf("no-sizes") }
  const keysNotOfBert = new Set(table.architectures.flatMap(keysOf).filter((name) => config.has(name)))
  for (const bertKey of [...keysOf(BERT), ...Object.keys(flags)]) keysNotOfBert.delete(bertKey)
  if (!keysNotOfBert.size) return BERT
  const candidates = table.architectures.filter((architecture) =>
    [...keysNotOfBert].every((name) => keysOf(architecture).includes(name)),
  )
  if (candidates.length === 1) return candidates[0]
  const titles = candidates.map(({ title }) => title)
  const candidatesInWords = titles.join(", ").replace(LAST_COMMA, " and ") || "several models"
  return foreignKeysError([...keysNotOfBert].sort(), candidatesInWords)
}

/** The first name in a config's list of classes. A class of TensorFlow or Flax is replaced by the one of PyTorch with
 * the same tensors, if that is counted here.
 * @param {Config} config */
function classNameIn(config) {
  const [name] = [config.get("architectures")].flat()
  const inPyTorch = typeof name === "string" ? inTorch(name) : ""
  return classes.has(inPyTorch) ? inPyTorch : name
}

/** The name of the class that a config names first, if the architecture has it.
 * @param {Config} config @param {Architecture} architecture */
const classIn = (config, { classes }) => classes.find(({ name }) => name === classNameIn(config))?.name

/** Reads a config key by key, and records the keys that a rule reads and the errors in their values. */
class KeyReader {
  /** @type {WrongField[]} */
  errors = []

  /** @param {Config} config @param {Architecture} architecture */
  constructor(config, { keys, instead }) {
    this.config = config
    this.knownKeys = new Set(["model_type", "architectures", ...Object.values(keys), ...Object.values(instead)])
  }

  /** The value of a key, or its default. An invalid value is returned, too, and adds an error that states what it must
   * be.
   * @param {string} key @param {unknown} defaultValue @param {(value: any) => boolean} isValid
   * @param {string} requirement  the end of a sentence @returns {any} */
  expect(key, defaultValue, isValid, requirement) {
    const value = this.config.has(key) ? this.config.get(key) : defaultValue
    this.knownKeys.add(key)
    if (!isValid(value)) this.errors.push({ key, message: `${key} is ${quote(value)}; ${requirement}` })
    return value
  }

  /** The value of a key that must be true or false.
   * @param {string} key @param {boolean} [defaultValue] @returns {boolean} */
  flag(key, defaultValue = flags[key]) {
    return this.expect(key, defaultValue, (value) => typeof value === "boolean", textOf("flag"))
  }
}

/** The choices in a config. Cross-attention is only read for architectures that can have it.
 * @param {KeyReader} reader @param {Architecture} architecture @returns {Choices} */
function choicesIn(reader, { name, classes, flags: keysOfChoices }) {
  // If an architecture never ties anything, the flag has no effect.
  const hasTies = classes.some(({ rows }) => rows.some((row) => table.rows[row].tied_to))
  const defaults = defaultChoices(name)
  const choices = { ...defaults, tied: hasTies ? reader.flag("tie_word_embeddings", defaults.tied) : true }
  reader.knownKeys.add("tie_word_embeddings")
  for (const key of /** @type {(keyof Choices)[]} */ (keysOfChoices)) choices[key] = reader.flag(key, choices[key])
  const mayCross = classes.some(({ rows }) => rows.some((row) => table.rows[row].when === "cross_attention"))
  if (!mayCross) return { ...choices, cross_attention: false }
  const [isDecoder, key] = [reader.flag("is_decoder"), "add_cross_attention"]
  if (isDecoder === false) reader.expect(key, false, (value) => value !== true, textOf("decoder"))
  return { ...choices, cross_attention: reader.flag(key) }
}

/** The sizes in a config. As in transformers, num_labels defaults to the number of labels in `id2label`.
 * @param {KeyReader} reader @param {Architecture} architecture @returns {Sizes} */
function sizesIn(reader, architecture) {
  // transformers converts the keys of `id2label` to integers, so two keys with the same value, such as "1" and "01",
  // are the same label.
  const labels = reader.expect(
    "id2label",
    null,
    (value) => value === null || Boolean(integerKeys(value).length),
    textOf("labels"),
  )
  const labelCount = new Set(integerKeys(labels)).size
  /** @type {Sizes} */
  const sizes = {}
  for (const { letter, key: mainKey, meaning, default: defaultSize, minimum, only_if: onlyIf, otherwise } of symbolsOf(
    architecture,
  )) {
    if (onlyIf && !reader.flag(onlyIf, false)) {
      sizes[letter] = 0
      reader.knownKeys.add(mainKey)
      continue
    }
    if (otherwise && (reader.config.get(mainKey) ?? null) === null) {
      sizes[letter] = derivedSize(otherwise, sizes)
      reader.knownKeys.add(mainKey)
      continue
    }
    const secondKey = architecture.instead[letter]
    const key = secondKey && reader.config.has(secondKey) ? secondKey : mainKey
    /** Whether a value can be this size. @param {any} value */
    const isValid = (value) => Number.isSafeInteger(value) && value >= minimum
    const requirement = textOf("size", { least: String(minimum), most: whole(MAX_NUMBER) })
    // If both keys are present, transformers checks both and uses the second.
    if (key !== mainKey) reader.expect(mainKey, minimum, isValid, requirement)
    if (reader.config.has(key) || defaultSize !== null) {
      const ifMissing = (mainKey === "num_labels" && labelCount) || defaultSize
      sizes[letter] = reader.expect(key, ifMissing, isValid, requirement)
    } else reader.errors.push({ key, message: textOf("missing-size", { key, meaning }) })
  }
  return sizes
}

/** The keys of an object, converted to integers as in Python; an empty list if one of them is not an integer.
 * @param {unknown} value */
function integerKeys(value) {
  const keys = isObject(value) ? Object.keys(value) : []
  const isValid = keys.every((key) => /^\s*[+-]?[0-9]+(?:_[0-9]+)*\s*$/.test(key))
  return isValid ? keys.map((key) => Number(key.replaceAll("_", ""))) : []
}

/** Checks the keys that depend on each other, after each key has been checked individually.
 * @param {KeyReader} reader @param {Architecture} architecture @param {Sizes} sizes */
function checkDependentKeys(reader, architecture, sizes) {
  if ((architecture.rounds_heads || reader.config.has("embedding_size")) && hasUnevenHeads(architecture, sizes))
    reader.errors.push({
      key: architecture.keys.A,
      message: narrowerHeadsMessage(architecture, sizes, architecture.keys[architecture.heads_share]),
    })
  const [wide, narrow] = negativeWidth(architecture, sizes) ?? []
  if (wide && narrow) {
    const names = { wider: architecture.keys[narrow], narrower: architecture.keys[wide], most: String(sizes[wide]) }
    reader.errors.push({ key: architecture.keys[narrow], message: textOf("negative-width", names) })
  }
  const width = sizes.Q ?? Math.floor(sizes.H / sizes.A)
  if (architecture.pairs_features && width > largestOddWidth && width % 2)
    reader.errors.push({
      key: architecture.keys.A,
      message: textOf("odd-width", { heads: String(sizes.A), width: String(width) }),
    })
  // transformers only builds the model if every table that reserves a row for the padding token has that row.
  const smallestTable = Math.min(MAX_NUMBER + 1, ...architecture.padded.map((letter) => sizes[letter]))
  /** Whether these tables have a row for a padding token, if there is one. A negative id counts from the end.
   * @param {any} token */
  const isValid = (token) =>
    token === null || (Number.isSafeInteger(token) && -smallestTable <= token && token < smallestTable)
  reader.expect(
    "pad_token_id",
    architecture.padding,
    isValid,
    textOf("padding-token", { least: String(smallestTable) }),
  )
}

/** The fault in a text that is not JSON: its position if the browser reports it, otherwise what seems to be wrong.
 * @param {string} text @param {Error} error */
function faultIn(text, { message }) {
  const [, line, column] = /line ([0-9]+) column ([0-9]+)/.exec(message) ?? []
  if (line) return `line ${line}, column ${column}`
  return text.trimStart().startsWith("{")
    ? "something in it or after it is missing or too much"
    : "it does not begin with a brace"
}

/** The result for a config that cannot be counted. @param {...WrongField} errors @returns {ReadConfig} */
const refusal = (...errors) => {
  return {
    configuration: null,
    namedClass: null,
    uncountedClass: null,
    ignoredKeys: [],
    unknownKeys: [],
    blockingKeys: [],
    errors,
  }
}

/** Whether a model with this value of a setting can be counted. The fields of the setting determine which values are
 * accepted.
 * @param {Table["configs"]["settings"][0]} setting @param {any} value @param {Config} config */
function isSettingCounted({ key, values = [], empty, texts_but: refusedTexts, same_as: other, times }, value, config) {
  if (empty) return isFalsy(value)
  if (refusedTexts) return typeof value === "string" && !refusedTexts.includes(value)
  if (other) {
    if (!config.has(key)) return true
    if (!times) return value === config.get(other)
    const factors = [value, config.get(times)]
    return factors.every(Number.isInteger) && factors[0] * factors[1] === config.get(other)
  }
  const isList = Array.isArray(value) && value.every((item) => typeof item === "string")
  return values.includes(isList ? value.join("|") : value)
}

/** The object in a config.json, or an error message if it contains none or is too large.
 * @param {string | ArrayBuffer | Uint8Array} source  its text, or the bytes of the file
 * @returns {object | string} */
function objectIn(source) {
  const bytes = typeof source === "string" ? new TextEncoder().encode(source) : new Uint8Array(source)
  if (bytes.length > MAX_BYTES) return textOf("too-large", { most: String(MAX_BYTES) })
  let [text, value] = ["\0", null]
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    value = JSON.parse(text)
  } catch (error) {
    // JSON never contains NUL characters, but English text in UTF-16 is full of them.
    if (text.includes("\0")) return textOf("no-text")
    return textOf("no-json", { why: faultIn(text, /** @type {Error} */ (error)) })
  }
  return isObject(value) ? value : textOf("no-object", { value: quote(value) })
}

/** The keys of a config that no rule has read: those without an effect on sizes, the unknown ones, and those that
 * prevent counting, with the reasons.
 * @param {Config} config @param {Set<string>} knownKeys  the keys that a rule has read @param {string} architecture
 * @param {Sizes} sizes */
function unreadKeys(config, knownKeys, architecture, sizes) {
  /** @type {{ ignoredKeys: string[], unknownKeys: string[], blockingKeys: [string, string][] }} */
  const keys = { ignoredKeys: [], unknownKeys: [], blockingKeys: [] }
  for (const [key, value] of config) {
    if (knownKeys.has(key)) continue
    const reason = reasonAgainst(key, value, architecture, sizes)
    if (reason === null) keys.unknownKeys.push(key)
    else if (reason) keys.blockingKeys.push([key, reason])
    else keys.ignoredKeys.push(key)
  }
  return keys
}

/** The configuration in a config.json, or the reasons why it cannot be counted.
 * @param {string | ArrayBuffer | Uint8Array} source  its text, or the bytes of the file
 * @returns {ReadConfig} */
export function read(source) {
  const object = objectIn(source)
  if (typeof object === "string") return refusal({ key: "", message: object })
  const config = new Map(Object.entries(object))
  if (hasModelCode(config.get("auto_map"))) return refusal({ key: "auto_map", message: textOf("own-code") })
  const architecture = architectureIn(config)
  if ("message" in architecture) return refusal(architecture)
  const reader = new KeyReader(config, architecture)
  for (const index of architecture.settings) {
    const { key, default: defaultValue, why } = settings[index]
    reader.expect(key, defaultValue, (value) => isSettingCounted(settings[index], value, config), why)
  }
  const choices = choicesIn(reader, architecture)
  const sizes = sizesIn(reader, architecture)
  if (!reader.errors.length) checkDependentKeys(reader, architecture, sizes)
  if (reader.errors.length) return refusal(...reader.errors)
  const { ignoredKeys, unknownKeys, blockingKeys } = unreadKeys(config, reader.knownKeys, architecture.name, sizes)
  if (blockingKeys.length) {
    const errors = blockingKeys.map(([key, why]) => {
      return { key, message: `${key} is ${quote(config.get(key))}; ${textOf("uncounted-key", { why })}` }
    })
    return { ...refusal(...errors), blockingKeys }
  }
  const namedClass = classIn(config, architecture) ?? null
  const className = classNameIn(config)
  const uncountedClass = namedClass || isFalsy(className) ? null : quote(className)
  const configuration = unchangedConfiguration(architecture.name, sizes, choices)
  return { configuration, namedClass, uncountedClass, ignoredKeys, unknownKeys, blockingKeys, errors: [] }
}

/** A configuration without changes, by default of the class without a head.
 * @param {string} architecture @param {Sizes} sizes @param {Choices} choices @param {string} modelClass
 * @returns {Configuration} */
const unchangedConfiguration = (architecture, sizes, choices, modelClass = classOfBare(architecture)) => ({
  architecture,
  modelClass,
  sizes,
  choices: { ...choices },
  biases: true,
  frozen: { ...NOTHING_FROZEN },
  tuning: null,
  pruned: 0,
})

/** The configuration of a published model in a class. If the model's architecture lacks the class, the architecture's
 * own class for the same purpose is used or, failing that, its class without a head.
 * @param {string} name @param {string} modelClass */
export function ofModel(name, modelClass = "") {
  const { architecture, sizes } = models.get(name)
  const names = classesOf(architecture).map(({ name: className }) => className)
  const ending = /For[A-Z][A-Za-z]*$/.exec(modelClass)?.[0] ?? "?"
  const classOfModel = names.includes(modelClass) ? modelClass : names.find((other) => other.endsWith(ending))
  return unchangedConfiguration(architecture, { ...sizes }, defaultChoices(architecture), classOfModel)
}

/** The config.json of a configuration, as far as a config can express it.
 * @param {Configuration} configuration */
export function configOf(configuration) {
  const { architecture: name, sizes, choices } = withFixedChoices(configuration)
  const architecture = architectures.get(name)
  /** @type {Record<string, number | boolean | string>} */
  const content = { model_type: name }
  for (const { letter, key, default: defaultSize, only_if: onlyIf } of symbolsOf(architecture)) {
    if (onlyIf && !sizes[letter]) continue
    if (onlyIf) content[onlyIf] = true
    if (defaultSize === null || sizes[letter] !== defaultSize) content[key] = sizes[letter]
  }
  // A small vocabulary does not include the default padding token.
  if (sizes.V <= architecture.padding) content.pad_token_id = 0
  // Settings whose default in transformers differs from the value that is counted here.
  for (const { key, default: defaultValue, values = [] } of architecture.settings.map((index) => settings[index]))
    if (values.length && !values.includes(defaultValue)) content[key] = /** @type {string | boolean} */ (values[0])
  const defaults = defaultChoices(name)
  for (const key of /** @type {(keyof Choices)[]} */ (architecture.flags))
    if (choices[key] !== defaults[key]) content[key] = choices[key]
  if (choices.tied !== defaults.tied) content.tie_word_embeddings = choices.tied
  if (choices.cross_attention) Object.assign(content, { is_decoder: true, add_cross_attention: true })
  return content
}

// --- The fields of the calculator ---------------------------------------------

/** Digits in groups of three, with the same separator between all groups. */
const GROUPED = /^[0-9]{1,3}([,._'’ \u202f\u2009])[0-9]{3}(?:\1[0-9]{3})*$/

/** The whole number in a typed text; null if the text is not a whole number. @param {string} text */
export function wholeNumber(text) {
  const normalisedText = text.normalize("NFKC").trim()
  const digits = GROUPED.test(normalisedText) ? normalisedText.replace(/[^0-9]/g, "") : normalisedText
  return /^[0-9]+$/.test(digits) ? Number(digits) : null
}

/** The name of a size in a message. A width is named after its key in BERT's config, such as "hidden size"; any other
 * size is named "number of …", with the meaning of its letter.
 * @param {string} letter @param {string} key @param {string} meaning */
const nameOf = (letter, key, meaning) =>
  /\bwidth\b/.test(meaning) ? (BERT.keys[letter] ?? key).replaceAll("_", " ") : `number of ${meaning.split(",")[0]}`

/** The sizes of a published model of an architecture, as examples of valid input; empty if none is published.
 * @param {Architecture} architecture @returns {Sizes} */
const exampleSizes = ({ name }) => [...models.values()].find((model) => model.architecture === name)?.sizes ?? {}

/** Reads the fields of the calculator, and collects the errors in them. */
class FieldCheck {
  /** @type {WrongField[]} */
  errors = []
  /** @type {Sizes} */
  sizes = {}
  /** The size to which the vocabulary is resized. */
  vocabulary = 0

  /** @param {Fields} fields */
  constructor(fields) {
    this.fields = fields
    this.architecture = architectures.get(classes.get(fields.class).architecture)
  }

  /** The number in a field. If it is invalid, 0 is returned, and an error is added that states what it must be.
   * @param {string} key @param {string} title  its name, as in "the hidden size"
   * @param {number} min @param {number} max
   * @param {number | null} ifEmpty  the value of an empty field; null if it must not be empty
   * @param {number | string} example  a plausible number, for the message */
  number(key, title, min, max = MAX_NUMBER, ifEmpty = null, example = "") {
    const text = this.fields[key].trim()
    if (!text && ifEmpty !== null) return ifEmpty
    const value = wholeNumber(text)
    if (value !== null && min <= value && value <= max) return value
    const suchAs = example && `, such as ${typeof example === "number" ? whole(example) : example}`
    let expectation = `a whole number${suchAs}`
    if (max < MAX_NUMBER) expectation = `a whole number from ${whole(min)} to ${whole(max)}`
    else if (value !== null) expectation = value < min ? `at least ${whole(min)}` : `at most ${whole(MAX_NUMBER)}`
    this.errors.push({ key, message: `${title[0].toUpperCase()}${title.slice(1)} must be ${expectation}` })
    return 0
  }

  /** Reads the sizes, and checks that a model with them can be built. */
  readSizes() {
    const { architecture, fields, sizes } = this
    const examples = exampleSizes(architecture)
    for (const { letter, key, meaning, default: defaultSize, minimum, otherwise } of symbolsOf(architecture)) {
      const title = `the ${nameOf(letter, key, meaning)}`
      const ifEmpty = otherwise ? derivedSize(otherwise, sizes) : defaultSize
      sizes[letter] = this.number(letter, title, minimum, MAX_NUMBER, ifEmpty, examples[letter])
      if (letter === "V") this.vocabulary = this.number("vocabulary", title, minimum, MAX_NUMBER, sizes.V, examples.V)
    }
    if ((architecture.rounds_heads || sizes.E) && hasUnevenHeads(architecture, sizes))
      this.errors.push({ key: "A", message: narrowerHeadsMessage(architecture, sizes) })
    const [wide, narrow] = negativeWidth(architecture, sizes) ?? []
    if (wide && narrow && sizes[wide]) {
      const values = { wider: narrow, narrower: wide, most: whole(sizes[wide]) }
      this.errors.push({ key: narrow, message: textOf("negative-width", values) })
    }
    const { labels: onlyLabels } = classes.get(fields.class)
    if (onlyLabels !== null && sizes.C && sizes.C !== onlyLabels)
      this.errors.push({
        key: "C",
        message: `${fields.class} takes ${onlyLabels} labels and no other number; enter ${onlyLabels}, or choose another class`,
      })
  }

  /** The number of layers, or `MAX_NUMBER` if the fields for it are invalid. */
  get depth() {
    const { layers } = this.architecture
    const isValid = !this.errors.some(({ key }) => layers.includes(key))
    return isValid ? product(layers, this.sizes) : MAX_NUMBER
  }

  /** The chosen method with its sizes and modules; null if none is chosen. An error is added for each of its fields
   * that is invalid, and if the architecture does not support it. */
  tuning() {
    const { fields, sizes } = this
    if (!hasMethod(fields)) return null
    const method = METHODS.get(fields.method)
    const { takes } = method
    const [modules, feedforward] = ["modules", "feedforward"].map((key) =>
      key in takes ? checkedNames(fields[key]) : [],
    )
    const rank = takes.rank ? this.number("rank", method.asks, 1, MAX_NUMBER, null, method.usual) : 0
    const defaultWidth = sizes[method.usual_width] ?? 0
    const width = takes.width ? this.number("width", method.asks_width, 1, MAX_NUMBER, defaultWidth) : 0
    if (takes.modules && !modules.length) this.errors.push({ key: "modules", message: method.lacking })
    const refusalMessage = method.refused[this.architecture.name]
    if (refusalMessage) this.errors.push({ key: "modules", message: refusalMessage })
    const feedforwardModules = feedforward.filter((name) => modules.includes(name))
    return { method: method.name, rank, width, modules, feedforward: feedforwardModules }
  }

  /** The number of pruned heads. An error is added if this many, or any, cannot be pruned.
   * @param {Configuration["tuning"]} tuning @param {number} frozenLayers  the number of frozen layers */
  prunedHeads(tuning, frozenLayers) {
    const { architecture, depth, sizes } = this
    const pruned = this.number("pruned", "the number of pruned heads", 0, MAX_NUMBER, 0)
    const maxPruned = depth * (sizes.A - 1)
    const tooManyMessage = textOf("pruned-heads", { heads: depth * sizes.A, most: maxPruned })
    const message =
      UNPRUNED[architecture.name] || (pruned > maxPruned ? tooManyMessage : conflictWithPruned(tuning, frozenLayers))
    if (pruned && message) this.errors.push({ key: "pruned", message })
    return pruned
  }
}

/** The message about pruned heads combined with a method or with frozen layers; "" if the combination can be counted.
 * @param {Configuration["tuning"]} tuning @param {number} frozenLayers  the number of frozen layers */
function conflictWithPruned(tuning, frozenLayers) {
  const method = tuning && METHODS.get(tuning.method)
  const methodConflict =
    method && method.library !== "transformers" ? `${method.title}; empty this field, or choose another method` : ""
  const frozenConflict = frozenLayers
    ? "frozen first layers, since layers may differ then; empty one of the two fields"
    : ""
  const conflict = methodConflict || frozenConflict
  return conflict && `pruned heads are not counted together with ${conflict}`
}

/** The configuration in the fields of the calculator and the size to which the vocabulary is resized, or an error for
 * every invalid field.
 * @param {Fields} fields @returns {CheckedFields} */
export function check(fields) {
  const fieldCheck = new FieldCheck(fields)
  const { architecture, errors } = fieldCheck
  fieldCheck.readSizes()
  const tuning = fieldCheck.tuning()
  // A method freezes the rest of the model anyway.
  const layers = tuning ? 0 : fieldCheck.number("layers", "the number of frozen layers", 0, fieldCheck.depth, 0)
  const frozenParts = checkedNames(fields.frozen)
  const [embeddings, all_but_head] = ["embeddings", "all-but-head"].map((part) => !tuning && frozenParts.includes(part))
  const pruned = fieldCheck.prunedHeads(tuning, layers)
  const { sizes, vocabulary } = fieldCheck
  if (errors.length) return { configuration: null, vocabulary, errors }
  const choices = { ...defaultChoices(architecture.name) }
  for (const choice of CHOICES) choices[choice] = fields[choice] === "yes"
  const changes = { biases: fields.biases !== "no", frozen: { embeddings, layers, all_but_head }, tuning, pruned }
  return {
    configuration: { ...unchangedConfiguration(architecture.name, sizes, choices, fields.class), ...changes },
    vocabulary,
    errors,
  }
}

/** Whether a method is chosen. The first in the list is selected initially, so it only counts if one of its fields is
 * filled in.
 * @param {Fields} fields */
export const hasMethod = ({ method, rank, modules }) => Boolean(rank || modules || method !== LORA)

/** The names of the checked boxes in a group. @param {string} text  the names, joined with commas */
export const checkedNames = (text) => text.split(",").filter(Boolean)
