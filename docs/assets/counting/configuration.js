// Reads configurations from a config.json, from the fields of the calculator, or from
// the name of a published model. The exported table says what a config may contain.
// The rules are those of macros/counting/config.py and models.py, and
// tests/scripts/test_configs.py compares the results.

import table from "../../data/table.js"
import { CHOICES, LORA, METHODS, settled, UNPRUNED } from "./changes.js"
import { namesOwnCode, reasonAgainst } from "./config-keys.js"
import { classes, classesOf, classOfBare, inTorch, MOST, models, product, usualChoices, whole } from "./engine.js"
import { textOf } from "./messages.js"
import { cut } from "./short.js"

const {
  flags,
  foreign,
  largest_odd_width: largestOddWidth,
  most_bytes: MOST_BYTES,
  name_it: NAME_IT,
  settings,
} = table.configs

/** The published models of the same architecture with the same sizes; the number of labels belongs to none.
 * @param {Pick<Configuration, "architecture" | "sizes">} configuration */
export const publishedModels = ({ architecture, sizes }) =>
  table.models.filter(
    (model) =>
      model.architecture === architecture &&
      Object.entries(sizes).every(([letter, size]) => letter === "C" || model.sizes[letter] === size),
  )

/** The value of `frozen` if nothing is frozen. @type {Frozen} */
export const FREE = { embeddings: false, layers: 0, all_but_head: false }

/** @typedef {Map<string, unknown>} Config */
/** @typedef {Table["architectures"][0]} Architecture */

const [BERT] = table.architectures

/** @param {string} name */
const architectureOf = (name) => /** @type {Architecture} */ (table.architectures.find((one) => one.name === name))

/** @param {string} letter */
const symbolOf = (letter) => /** @type {Table["symbols"][0]} */ (table.symbols.find((one) => one.letter === letter))

/** The default of a size in terms of other sizes: another one, or a quotient of two, rounded down.
 * @param {string} formula  such as A, or H/A @param {Sizes} sizes */
const derived = (formula, sizes) => {
  const [above, below] = formula.split("/")
  return Math.floor(sizes[above] / (below ? sizes[below] : 1))
}

/** The sizes of an architecture, in the order of reading. @param {Architecture} architecture */
const symbolsOf = (architecture) =>
  Object.entries(architecture.keys).map(([letter, key]) => {
    const symbol = symbolOf(letter)
    const ownFields = { minimum: architecture.minimum[letter] ?? symbol.minimum }
    return {
      ...symbol,
      key,
      ...ownFields,
      usual: letter in architecture.usual ? architecture.usual[letter] : symbol.usual,
    }
  })

/** Whether a value counts as false in Python, as transformers tests many keys. @param {unknown} value */
const isEmpty = (value) => (typeof value === "object" && value ? !Object.keys(value).length : !value)

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value)

/** A value as the reader wrote it, shortened and on one line, with unprintable characters escaped.
 * @param {unknown} value */
function quoted(value) {
  try {
    return cut(JSON.stringify(value).replace(UNPRINTABLE, escaped), 60)
  } catch {
    return "nested too deeply"
  }
}

const UNPRINTABLE = /(?! )[\p{C}\p{Z}]/gu // controls, line breaks, and marks that reverse the direction of text

/** A character escaped as in JSON. @param {string} character */
const escaped = (character) =>
  character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("")

/** Whether the number of heads does not divide the width that they share.
 * @param {Architecture} architecture @param {Sizes} sizes */
const areOdd = ({ layers, heads_share: share }, sizes) =>
  Boolean(sizes[share] && sizes.A && sizes[share] % sizes.A && layers.every((letter) => sizes[letter]))

/** @param {Architecture} architecture @param {Sizes} sizes @param {string} [width] */
const uneven = ({ heads_share: share }, sizes, width = share) =>
  `${width} = ${whole(sizes[share])} is not divisible by ${whole(sizes.A)} heads`

/** The message about such heads for a model whose embeddings have a width of their own. transformers then builds narrower
 * matrices; any other model with such heads it refuses.
 * @param {Architecture} architecture @param {Sizes} sizes @param {string} [width] */
const narrower = (architecture, sizes, width) => textOf("narrower-heads", { odd: uneven(architecture, sizes, width) })

/** The letters of two widths whose difference is that of a matrix, if it is negative; transformers builds no such matrix.
 * @param {Architecture} architecture @param {Sizes} sizes */
const negative = ({ differences }, sizes) => differences.find(([wider, less]) => sizes[wider] < sizes[less])

/** A note on a configuration that can be counted but not built; empty for any other.
 * @param {Configuration} configuration */
export const note = ({ architecture, sizes }) =>
  areOdd(architectureOf(architecture), sizes)
    ? textOf("refused-heads", { odd: uneven(architectureOf(architecture), sizes) })
    : ""

// --- Reading a config ---------------------------------------------------------

/** The architecture that a config names; if it names none, the only one that has all of its keys.
 * @param {Config} config @returns {Architecture | WrongField} */
function architectureIn(config) {
  const key = "model_type"
  if (!config.has(key)) return unnamed(config)
  const names = table.architectures.map(({ name }) => name).join(", ")
  const message = textOf("other-model", { key, value: quoted(config.get(key)), known: names })
  return table.architectures.find(({ name }) => name === config.get(key)) ?? { key, message }
}

/** The keys that an architecture reads. @param {Architecture} architecture */
const keysOf = ({ keys, settings: own, flags: choices }) => [
  ...Object.values(keys),
  ...Object.keys(keys).flatMap((letter) => symbolOf(letter).only_if || []),
  ...own.map((index) => settings[index].key),
  ...choices,
]

/** The architecture of a config that names none, such as those of Google's releases: BERT, unless a key
 * belongs to another.
 * @param {Config} config @returns {Architecture | WrongField} */
function unnamed(config) {
  const key = "architectures"
  const classes = config.get(key)
  if (!isEmpty(classes)) {
    const message = textOf("other-class", { key, value: quoted(classes), name_it: NAME_IT })
    return table.architectures.find((architecture) => classIn(config, architecture)) ?? { key, message }
  }
  const other = foreign.find((one) => config.has(one))
  /** @param {string[]} keys @param {string} models  that have these keys */
  const wrong = (keys, models) => {
    return { key: keys[0], message: textOf("foreign-keys", { keys: keys.join(", "), models, name_it: NAME_IT }) }
  }
  if (other) return wrong([other], "other models")
  const sizes = table.architectures.flatMap(({ keys }) => Object.values(keys))
  if (!sizes.some((size) => config.has(size))) return { key: sizes[0], message: textOf("no-sizes") }
  const knownKeys = new Set(table.architectures.flatMap(keysOf).filter((one) => config.has(one)))
  for (const ofBert of [...keysOf(BERT), ...Object.keys(flags)]) knownKeys.delete(ofBert)
  const fitting = table.architectures.filter((one) => [...knownKeys].every((ownKey) => keysOf(one).includes(ownKey)))
  if (!knownKeys.size) return BERT
  if (fitting.length === 1) return fitting[0]
  const titles = fitting.map(({ title }) => title)
  const have = titles.join(", ").replace(/, (?=[^,]*$)/, " and ") || "several models"
  return wrong([...knownKeys].sort(), have)
}

/** The first name in a config's list of classes; one of TensorFlow or Flax as in PyTorch, where its tensors are the same.
 * @param {Config} config */
function namedIn(config) {
  const [named] = [config.get("architectures")].flat()
  const inPyTorch = typeof named === "string" ? inTorch(named) : ""
  return classes.has(inPyTorch) ? inPyTorch : named
}

/** The name of that class, if an architecture has it.
 * @param {Config} config @param {Architecture} architecture */
const classIn = (config, { classes }) => classes.find(({ name }) => name === namedIn(config))?.name

/** Reads a config key by key, and remembers which keys were read and the errors in them. */
class Keys {
  /** @type {WrongField[]} */
  errors = []

  /** @param {Config} config @param {Architecture} architecture */
  constructor(config, { keys, instead }) {
    this.config = config
    this.known = new Set(["model_type", "architectures", ...Object.values(keys), ...Object.values(instead)])
  }

  /** The value of a key, or its default. A wrong value adds an error that says what it must be.
   * @param {string} key @param {unknown} usual @param {(value: any) => boolean} isRight
   * @param {string} must @returns {any} */
  expect(key, usual, isRight, must) {
    const value = this.config.has(key) ? this.config.get(key) : usual
    this.known.add(key)
    if (!isRight(value)) this.errors.push({ key, message: `${key} is ${quoted(value)}; ${must}` })
    return value
  }

  /** The value of a key that is true or false.
   * @param {string} key @param {boolean} [usual] @returns {boolean} */
  flag(key, usual = flags[key]) {
    return this.expect(key, usual, (value) => typeof value === "boolean", textOf("flag"))
  }
}

/** The choices of a config. Cross-attention is only read for architectures that can have it.
 * @param {Keys} keys @param {Architecture} architecture @returns {Choices} */
function choicesIn(keys, { name, classes, flags: own }) {
  // Where nothing is ever tied, the flag has no effect.
  const hasTies = classes.some(({ rows }) => rows.some((row) => table.rows[row].tied_to))
  const usual = usualChoices(name)
  const choices = { ...usual, tied: hasTies ? keys.flag("tie_word_embeddings", usual.tied) : true }
  keys.known.add("tie_word_embeddings")
  for (const key of /** @type {(keyof Choices)[]} */ (own)) choices[key] = keys.flag(key, choices[key])
  const mayCross = classes.some(({ rows }) => rows.some((row) => table.rows[row].when === "cross_attention"))
  if (!mayCross) return { ...choices, cross_attention: false }
  const [isDecoder, key] = [keys.flag("is_decoder"), "add_cross_attention"]
  if (isDecoder === false) keys.expect(key, false, (value) => value !== true, textOf("decoder"))
  return { ...choices, cross_attention: keys.flag(key) }
}

/** The sizes of a config. The default for num_labels is the number of labels in `id2label`, as in
 * transformers.
 * @param {Keys} keys @param {Architecture} architecture @returns {Sizes} */
function sizesIn(keys, architecture) {
  // transformers converts the keys to integers, so two keys with the same value, such as "1" and "01", are one label.
  const labels = keys.expect(
    "id2label",
    null,
    (value) => value === null || Boolean(integers(value).length),
    textOf("labels"),
  )
  const labelCount = new Set(integers(labels)).size
  /** @type {Sizes} */
  const sizes = {}
  for (const { letter, key: own, meaning, usual, minimum, only_if: onlyIf, otherwise } of symbolsOf(architecture)) {
    if (onlyIf && !keys.flag(onlyIf, false)) {
      sizes[letter] = 0
      keys.known.add(own)
      continue
    }
    if (otherwise && (keys.config.get(own) ?? null) === null) {
      sizes[letter] = derived(otherwise, sizes)
      keys.known.add(own)
      continue
    }
    const other = architecture.instead[letter]
    const key = other && keys.config.has(other) ? other : own
    /** @param {any} value */
    const isRight = (value) => Number.isSafeInteger(value) && value >= minimum
    const must = textOf("size", { least: String(minimum), most: whole(MOST) })
    // If both keys are present, transformers checks both and uses the other one.
    if (key !== own) keys.expect(own, minimum, isRight, must)
    if (keys.config.has(key) || usual !== null) {
      const defaultSize = (own === "num_labels" && labelCount) || usual
      sizes[letter] = keys.expect(key, defaultSize, isRight, must)
    } else keys.errors.push({ key, message: textOf("missing-size", { key, meaning }) })
  }
  return sizes
}

/** The keys of an object, converted to integers as in Python; an empty list if one of them is not an integer.
 * @param {unknown} value */
function integers(value) {
  const keys = isObject(value) ? Object.keys(value) : []
  const isRight = keys.every((key) => /^\s*[+-]?[0-9]+(?:_[0-9]+)*\s*$/.test(key))
  return isRight ? keys.map((key) => Number(key.replaceAll("_", ""))) : []
}

/** Checks the keys that depend on each other. Each of them must be valid by itself.
 * @param {Keys} keys @param {Architecture} architecture @param {Sizes} sizes */
function checkTogether(keys, architecture, sizes) {
  if ((architecture.rounds_heads || keys.config.has("embedding_size")) && areOdd(architecture, sizes))
    keys.errors.push({
      key: architecture.keys.A,
      message: narrower(architecture, sizes, architecture.keys[architecture.heads_share]),
    })
  const [wide, narrow] = negative(architecture, sizes) ?? []
  if (wide && narrow) {
    const names = { wider: architecture.keys[narrow], narrower: architecture.keys[wide], most: String(sizes[wide]) }
    keys.errors.push({ key: architecture.keys[narrow], message: textOf("negative-width", names) })
  }
  const width = sizes.Q ?? Math.floor(sizes.H / sizes.A)
  if (architecture.pairs_features && width > largestOddWidth && width % 2)
    keys.errors.push({
      key: architecture.keys.A,
      message: textOf("odd-width", { heads: String(sizes.A), width: String(width) }),
    })
  // The padding token must have a row in every table that reserves one for it, or transformers does not build the model.
  const least = Math.min(MOST + 1, ...architecture.padded.map((letter) => sizes[letter]))
  /** @param {any} token */
  const isRight = (token) => token === null || (Number.isSafeInteger(token) && -least <= token && token < least)
  keys.expect("pad_token_id", architecture.padding, isRight, textOf("padding-token", { least: String(least) }))
}

/** Where a text is no JSON: the place, if the browser names it.
 * @param {string} text @param {Error} error */
function faultIn(text, { message }) {
  const [, line, column] = /line ([0-9]+) column ([0-9]+)/.exec(message) ?? []
  if (line) return `line ${line}, column ${column}`
  return text.trimStart().startsWith("{")
    ? "something in it or after it is missing or too much"
    : "it does not begin with a brace"
}

/** @param {...WrongField} errors @returns {ReadConfig} */
const refusal = (...errors) => {
  return { configuration: null, named: null, uncounted: null, ignored: [], unknown: [], stopping: [], errors }
}

/** The configuration in a config.json, or every reason why it cannot be counted.
 * @param {string | ArrayBuffer | Uint8Array} source  its text, or the bytes of a file
 * @returns {ReadConfig} */
export function read(source) {
  const bytes = typeof source === "string" ? new TextEncoder().encode(source) : new Uint8Array(source)
  /** @param {string} message */
  const refusedWhole = (message) => refusal({ key: "", message })
  if (bytes.length > MOST_BYTES) return refusedWhole(textOf("too-large", { most: String(MOST_BYTES) }))
  let [text, value] = ["\0", null]
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    value = JSON.parse(text)
  } catch (error) {
    // JSON never contains a NUL, and English text in UTF-16 is full of them.
    if (text.includes("\0")) return refusedWhole(textOf("no-text"))
    return refusedWhole(textOf("no-json", { why: faultIn(text, /** @type {Error} */ (error)) }))
  }
  if (!isObject(value)) return refusedWhole(textOf("no-object", { value: quoted(value) }))
  const config = new Map(Object.entries(value))
  if (namesOwnCode(config.get("auto_map"))) return refusal({ key: "auto_map", message: textOf("own-code") })
  const architecture = architectureIn(config)
  if ("message" in architecture) return refusal(architecture)
  const keys = new Keys(config, architecture)
  for (const index of architecture.settings) {
    const { key, usual, why, values = [], empty, texts_but: not, same_as: other = "", times } = settings[index]
    const same = (/** @type {unknown} */ value) => {
      if (!config.has(key) || !times) return !config.has(key) || value === config.get(other)
      const factors = [value, config.get(times)]
      return factors.every(Number.isInteger) && factors[0] * factors[1] === config.get(other)
    }
    const isText = (/** @type {any} */ value) => typeof value === "string" && !not?.includes(value)
    const isList = (/** @type {any} */ value) => Array.isArray(value) && value.every((one) => typeof one === "string")
    const isOne = (/** @type {any} */ value) => values.includes(isList(value) ? value.join("|") : value)
    keys.expect(key, usual, empty ? isEmpty : not ? isText : other ? same : isOne, why)
  }
  const choices = choicesIn(keys, architecture)
  const sizes = sizesIn(keys, architecture)
  if (!keys.errors.length) checkTogether(keys, architecture, sizes)
  if (keys.errors.length) return refusal(...keys.errors)
  /** @type {[string, string][]} */
  const stopping = []
  /** @type {string[]} */
  const unknown = []
  /** @type {string[]} */
  const ignored = []
  for (const [key, value] of config) {
    if (keys.known.has(key)) continue
    const reason = reasonAgainst(key, value, architecture.name, sizes)
    if (reason === null) unknown.push(key)
    else if (reason) stopping.push([key, reason])
    else ignored.push(key)
  }
  if (stopping.length) {
    const errors = stopping.map(([key, why]) => {
      return { key, message: `${key} is ${quoted(config.get(key))}; ${textOf("uncounted-key", { why })}` }
    })
    return { ...refusal(...errors), stopping }
  }
  const namedClass = classIn(config, architecture) ?? null
  const uncounted = namedClass || isEmpty(namedIn(config)) ? null : quoted(namedIn(config))
  return {
    configuration: configured(architecture.name, sizes, choices),
    named: namedClass,
    uncounted,
    ignored,
    unknown,
    stopping,
    errors: [],
  }
}

/** A configuration without changes.
 * @param {string} architecture @param {Sizes} sizes @param {Choices} choices @param {string} modelClass
 * @returns {Configuration} */
const configured = (architecture, sizes, choices, modelClass = classOfBare(architecture)) => ({
  architecture,
  modelClass,
  sizes,
  choices: { ...choices },
  biases: true,
  frozen: { ...FREE },
  lora: null,
  pruned: 0,
})

/** A published model in a class, or in its own class for the same purpose; without a head if it has neither class.
 * @param {string} name @param {string} modelClass */
export function ofModel(name, modelClass = "") {
  const { architecture, sizes } = models.get(name)
  const names = classesOf(architecture).map((one) => one.name)
  const ending = /For[A-Z][A-Za-z]*$/.exec(modelClass)?.[0] ?? "?"
  const like = names.includes(modelClass) ? modelClass : names.find((other) => other.endsWith(ending))
  return configured(architecture, { ...sizes }, usualChoices(architecture), like)
}

/** The config.json of a configuration, as far as a config can express it.
 * @param {Configuration} configuration */
export function config(configuration) {
  const { architecture, sizes, choices } = settled(configuration)
  /** @type {Record<string, number | boolean | string>} */
  const content = { model_type: architecture }
  const { flags: ownFlags } = architectureOf(architecture)
  for (const { letter, key, usual, only_if: onlyIf } of symbolsOf(architectureOf(architecture))) {
    if (onlyIf && !sizes[letter]) continue
    if (onlyIf) content[onlyIf] = true
    if (usual === null || sizes[letter] !== usual) content[key] = sizes[letter]
  }
  // A small vocabulary has no row for the default padding token.
  const { padding, settings: own } = architectureOf(architecture)
  if (sizes.V <= padding) content.pad_token_id = 0
  // Settings whose default in transformers differs from the value that is counted here.
  for (const { key, usual, values = [] } of own.map((index) => settings[index]))
    if (values.length && !values.includes(usual)) content[key] = /** @type {string | boolean} */ (values[0])
  for (const key of /** @type {(keyof Choices)[]} */ (ownFlags))
    if (choices[key] !== usualChoices(architecture)[key]) content[key] = choices[key]
  if (choices.tied !== usualChoices(architecture).tied) content.tie_word_embeddings = choices.tied
  if (choices.cross_attention) Object.assign(content, { is_decoder: true, add_cross_attention: true })
  return content
}

// --- Fields -------------------------------------------------------------------

const GROUPED = /^[0-9]{1,3}([,._'’ \u202f\u2009])[0-9]{3}(?:\1[0-9]{3})*$/

/** The whole number that somebody typed; null if the text is not a whole number. @param {string} text */
export function wholeNumber(text) {
  const plain = text.normalize("NFKC").trim()
  const digits = GROUPED.test(plain) ? plain.replace(/[^0-9]/g, "") : plain
  return /^[0-9]+$/.test(digits) ? Number(digits) : null
}

/** The name of a size in a message: for a width the key of BERT's config in words, such as "hidden size", and
 * otherwise the number of what its letter means.
 * @param {string} letter @param {string} key @param {string} meaning */
const nameOf = (letter, key, meaning) =>
  meaning.startsWith("width") ? (BERT.keys[letter] ?? key).replaceAll("_", " ") : `number of ${meaning.split(",")[0]}`

/** The sizes of a published model of an architecture, as examples of what to type into a field.
 * @param {Architecture} architecture @returns {Sizes} */
const exampleOf = ({ name }) => [...models.values()].find((model) => model.architecture === name)?.sizes ?? {}

/** The configuration in the fields of the calculator, with the size to which the vocabulary is resized; or an error for
 * every field that is invalid.
 * @param {Fields} fields @returns {CheckedFields} */
export function check(fields) {
  const { architecture: name, labels: only } = classes.get(fields.class)
  const architecture = architectureOf(name)
  /** @type {WrongField[]} */
  const errors = []
  /** The number in a field, or 0 with an error that names the size and says what it must be.
   * @param {string} key @param {string} what  its name, as in "the hidden size"
   * @param {number} least @param {number} most
   * @param {number | null} usual  the value of an empty field; null if it must not be empty
   * @param {number | string} example  a plausible number, for the message */
  function number(key, what, least, most = MOST, usual = null, example = "") {
    const text = fields[key].trim()
    if (!text && usual !== null) return usual
    const value = wholeNumber(text)
    if (value !== null && least <= value && value <= most) return value
    const suchAs = example && `, such as ${typeof example === "number" ? whole(example) : example}`
    let expectation = `a whole number${suchAs}`
    if (most < MOST) expectation = `a whole number from ${whole(least)} to ${whole(most)}`
    else if (value !== null) expectation = value < least ? `at least ${whole(least)}` : `at most ${whole(MOST)}`
    errors.push({ key, message: `${what[0].toUpperCase()}${what.slice(1)} must be ${expectation}` })
    return 0
  }
  /** @type {Sizes} */
  const sizes = {}
  let vocabulary = 0
  const examples = exampleOf(architecture)
  for (const { letter, key, meaning, usual, minimum, otherwise } of symbolsOf(architecture)) {
    const what = `the ${nameOf(letter, key, meaning)}`
    sizes[letter] = number(letter, what, minimum, MOST, otherwise ? derived(otherwise, sizes) : usual, examples[letter])
    if (letter === "V") vocabulary = number("vocabulary", what, minimum, MOST, sizes.V, examples.V)
  }
  if ((architecture.rounds_heads || sizes.E) && areOdd(architecture, sizes))
    errors.push({ key: "A", message: narrower(architecture, sizes) })
  const [wide, narrow] = negative(architecture, sizes) ?? []
  if (wide && narrow && sizes[wide]) {
    const most = { wider: narrow, narrower: wide, most: whole(sizes[wide]) }
    errors.push({ key: narrow, message: textOf("negative-width", most) })
  }
  const other = `${fields.class} takes ${only} labels and no other number; enter ${only}, or choose another class`
  if (only !== null && sizes.C && sizes.C !== only) errors.push({ key: "C", message: other })
  const isDepthKnown = !errors.some(({ key }) => architecture.layers.includes(key))
  const depth = isDepthKnown ? product(architecture.layers, sizes) : MOST
  const frozenParts = checkedNames(fields.frozen)
  const method = METHODS.get(fields.method)
  const { title, takes } = method
  const isMethodChosen = hasMethod(fields)
  const [modules, feedforward] = ["modules", "feedforward"].map((key) =>
    key in takes ? checkedNames(fields[key]) : [],
  )
  const rank = isMethodChosen && takes.rank ? number("rank", method.asks, 1, MOST, null, method.usual) : 0
  const width =
    isMethodChosen && takes.width ? number("width", method.asks_width, 1, MOST, sizes[method.usual_width] ?? 0) : 0
  const modulesOfBlock = feedforward.filter((name) => modules.includes(name))
  const lora = isMethodChosen ? { method: method.name, rank, width, modules, feedforward: modulesOfBlock } : null
  if (lora && takes.modules && !modules.length) errors.push({ key: "modules", message: method.lacking })
  if (lora && method.refused[name]) errors.push({ key: "modules", message: method.refused[name] })
  // PEFT freezes the whole model anyway.
  const layers = lora ? 0 : number("layers", "the number of frozen layers", 0, depth, 0)
  const [embeddings, all_but_head] = ["embeddings", "all-but-head"].map((part) => !lora && frozenParts.includes(part))
  const pruned = number("pruned", "the number of pruned heads", 0, MOST, 0)
  const most = depth * (sizes.A - 1)
  const heads = textOf("pruned-heads", { heads: depth * sizes.A, most })
  const withMethod =
    lora && method.library !== "transformers" ? `${title}; empty this field, or choose another method` : ""
  const withFrozen = layers ? "frozen first layers, since layers may differ then; empty one of both fields" : ""
  const conflict =
    (withMethod || withFrozen) && `pruned heads are not counted together with ${withMethod || withFrozen}`
  const message = UNPRUNED[name] || (pruned > most ? heads : conflict)
  if (pruned && message) errors.push({ key: "pruned", message })
  if (errors.length) return { configuration: null, vocabulary, errors }
  const choices = { ...usualChoices(name) }
  for (const choice of CHOICES) choices[choice] = fields[choice] === "yes"
  const changes = { biases: fields.biases !== "no", frozen: { embeddings, layers, all_but_head }, lora, pruned }
  return { configuration: { ...configured(name, sizes, choices, fields.class), ...changes }, vocabulary, errors }
}

/** Whether a method is chosen. The first in the list, which is selected at the start, counts only if one of its fields
 * is filled in.
 * @param {Fields} fields */
export const hasMethod = ({ method, rank, modules }) => Boolean(rank || modules || method !== LORA)

/** The names of the checked boxes. @param {string} text */
export const checkedNames = (text) => text.split(",").filter(Boolean)
