// Configurations as people give them: a config.json, fields that somebody typed,
// or the name of a published model. What a config may say is in the exported
// table; the rules are those of macros/counting/config.py and models.py, and a
// test compares what comes out.

import table from "../../data/table.js"
import { CHOICES, LORA, METHODS, settled, UNPRUNED } from "./changes.js"
import { classes, classesOf, classOfBare, MOST, models, product, usualChoices, whole } from "./engine.js"
import { textOf } from "./messages.js"
import { cut } from "./short.js"

const { flags, foreign, most_bytes: MOST_BYTES, name_it: NAME_IT, settings } = table.configs
/** @type {Frozen} */
export const FREE = { embeddings: false, layers: 0, all_but_head: false }

/** @typedef {Map<string, unknown>} Config */
/** @typedef {Table["architectures"][0]} Architecture */

const [BERT] = table.architectures
/** @param {string} name */
const architectureOf = (name) => /** @type {Architecture} */ (table.architectures.find((each) => each.name === name))

/** The sizes of an architecture, in the order of reading. @param {Architecture} architecture */
const symbolsOf = (architecture) =>
  Object.entries(architecture.keys).map(([letter, key]) => {
    const symbol = /** @type {Table["symbols"][0]} */ (table.symbols.find((each) => each.letter === letter))
    const own = { minimum: architecture.minimum[letter] ?? symbol.minimum }
    return { ...symbol, key, ...own, usual: letter in architecture.usual ? architecture.usual[letter] : symbol.usual }
  })

/** Whether Python takes a value for false. @param {unknown} value */
const isEmpty = (value) => (typeof value === "object" && value ? !Object.keys(value).length : !value)
/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value)

/** A value as a reader typed it, on one line, with all escaped that cannot be printed, and cut. @param {unknown} value */
function shown(value) {
  try {
    return cut(JSON.stringify(value).replace(UNPRINTABLE, escaped), 60)
  } catch {
    return "nested too deeply"
  }
}

const UNPRINTABLE = /(?! )[\p{C}\p{Z}]/gu // controls, and what turns text around or breaks its lines
/** A character as JSON escapes it. @param {string} character */
const escaped = (character) =>
  character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("")

/** Whether the heads of layers cannot share the hidden size equally. @param {Architecture} architecture @param {Sizes} sizes */
const areOdd = ({ layers }, sizes) =>
  Boolean(sizes.H && sizes.A && sizes.H % sizes.A && layers.every((each) => sizes[each]))
/** @param {Sizes} sizes @param {string} width */
const uneven = ({ H, A }, width = "H") => `${width} is ${whole(H)}, which ${whole(A)} heads do not divide equally`
/** What transformers makes of such heads where the embeddings have a width of their own; otherwise it refuses them.
 * @param {Sizes} sizes @param {string} [width] */
const narrower = (sizes, width) => textOf("narrower-heads", { odd: uneven(sizes, width) })

/** What is to be said of a configuration that can be counted but not built, or nothing. @param {Configuration} configuration */
export const note = ({ architecture, sizes }) =>
  areOdd(architectureOf(architecture), sizes) ? textOf("refused-heads", { odd: uneven(sizes) }) : ""

// --- Reading a config ---------------------------------------------------------

/** The architecture that a config names, or else the only one that its other keys leave. @param {Config} config @returns {Architecture | WrongField} */
function architectureIn(config) {
  const key = "model_type"
  if (!config.has(key)) return unnamed(config)
  const known = table.architectures.map((each) => each.name).join(", ")
  const message = textOf("other-model", { key, value: shown(config.get(key)), known })
  return table.architectures.find((each) => each.name === config.get(key)) ?? { key, message }
}

/** The keys that an architecture reads. @param {Architecture} architecture */
const keysOf = ({ keys, settings: own }) => [...Object.values(keys), ...own.map((place) => settings[place].key)]

/** The architecture of a config that names none, as those of Google's releases: BERT unless a key says otherwise. @param {Config} config @returns {Architecture | WrongField} */
function unnamed(config) {
  const key = "architectures"
  const classes = config.get(key)
  if (!isEmpty(classes)) {
    const message = textOf("other-class", { key, value: shown(classes), name_it: NAME_IT })
    return table.architectures.find((each) => classIn(config, each)) ?? { key, message }
  }
  const other = foreign.find((each) => config.has(each))
  /** @param {string[]} keys @param {string} models  which have them */
  const wrong = (keys, models) => {
    return { key: keys[0], message: textOf("foreign-keys", { keys: keys.join(", "), models, name_it: NAME_IT }) }
  }
  if (other) return wrong([other], "other models")
  const own = new Set(table.architectures.flatMap(keysOf).filter((each) => config.has(each)))
  for (const each of keysOf(BERT)) own.delete(each)
  const fitting = table.architectures.filter((each) => [...own].every((one) => keysOf(each).includes(one)))
  if (!own.size) return BERT
  if (fitting.length === 1) return fitting[0]
  const titles = fitting.map((each) => each.title)
  const have = titles.join(", ").replace(/, (?=[^,]*$)/, " and ") || "several models"
  return wrong([...own].sort(), have)
}

/** What a config names first as its class. @param {Config} config */
const namedIn = (config) => [config.get("architectures")].flat()[0]

/** The class that a config names first, if an architecture has it. @param {Config} config @param {Architecture} architecture */
const classIn = (config, { classes }) => classes.find(({ name }) => name === namedIn(config))?.name

/** Reads a config key by key; keeps which keys it was asked for, and what is wrong. */
class Keys {
  /** @type {WrongField[]} */
  errors = []

  /** @param {Config} config @param {Architecture} architecture */
  constructor(config, { keys, instead }) {
    this.config = config
    this.asked = new Set(["model_type", "architectures", ...Object.values(keys), ...Object.values(instead)])
  }

  /** What a key says, or else what is usual; what is not right is refused, with what it must be.
   * @param {string} key @param {unknown} usual @param {(value: any) => boolean} isRight @param {string} must @returns {any} */
  expect(key, usual, isRight, must) {
    const value = this.config.has(key) ? this.config.get(key) : usual
    this.asked.add(key)
    if (!isRight(value)) this.errors.push({ key, message: `${key} is ${shown(value)}; ${must}` })
    return value
  }

  /** @param {string} key @returns {boolean} */
  flag(key) {
    return this.expect(key, flags[key], (value) => typeof value === "boolean", textOf("flag"))
  }
}

/** What the config decides besides the sizes; whether there is cross-attention only where there can be any.
 * @param {Keys} keys @param {Architecture} architecture @returns {Choices} */
function choicesIn(keys, { name, classes }) {
  const choices = { ...usualChoices(name), tied: keys.flag("tie_word_embeddings") }
  const mayCross = classes.some((each) => each.rows.some((row) => table.rows[row].when === "cross_attention"))
  if (!mayCross) return { ...choices, cross_attention: false }
  const [isDecoder, key] = [keys.flag("is_decoder"), "add_cross_attention"]
  if (isDecoder === false) keys.expect(key, false, (value) => value !== true, textOf("decoder"))
  return { ...choices, cross_attention: keys.flag(key) }
}

/** The sizes; how many labels `id2label` has is the usual number of them, as transformers takes num_labels before it.
 * @param {Keys} keys @param {Architecture} architecture @returns {Sizes} */
function sizesIn(keys, architecture) {
  // Whatever the keys are, transformers reads them as integers, and two that read alike are one label.
  const labels = keys.expect(
    "id2label",
    null,
    (value) => value === null || Boolean(integers(value).length),
    textOf("labels"),
  )
  const many = new Set(integers(labels)).size
  /** @type {Sizes} */
  const found = {}
  for (const { letter, key: own, meaning, usual, minimum } of symbolsOf(architecture)) {
    const other = architecture.instead[letter]
    const key = other && keys.config.has(other) ? other : own
    /** @param {any} value */
    const isRight = (value) => Number.isSafeInteger(value) && value >= minimum
    const must = textOf("size", { least: String(minimum), most: String(MOST) })
    // transformers checks both, and takes the other one.
    if (key !== own) keys.expect(own, minimum, isRight, must)
    if (keys.config.has(key) || usual !== null) {
      const otherwise = (own === "num_labels" && many) || usual
      found[letter] = keys.expect(key, otherwise, isRight, must)
    } else keys.errors.push({ key, message: textOf("missing-size", { key, meaning }) })
  }
  return found
}

/** The keys of an object as Python reads integers; none where it is no such object. @param {unknown} value */
function integers(value) {
  const keys = isObject(value) ? Object.keys(value) : []
  const isRight = keys.every((each) => /^\s*[+-]?[0-9]+(?:_[0-9]+)*\s*$/.test(each))
  return isRight ? keys.map((each) => Number(each.replaceAll("_", ""))) : []
}

/** What must be so between keys of which each is right. @param {Keys} keys @param {Architecture} architecture @param {Sizes} sizes */
function checkTogether(keys, architecture, sizes) {
  if (keys.config.has("embedding_size") && areOdd(architecture, sizes))
    keys.errors.push({ key: architecture.keys.A, message: narrower(sizes, architecture.keys.H) })
  // A padding token must have a row in every table that keeps one for it; transformers builds no other model.
  const least = Math.min(MOST + 1, ...architecture.padded.map((each) => sizes[each]))
  /** @param {any} token */
  const isRight = (token) => token === null || (Number.isSafeInteger(token) && -least <= token && token < least)
  keys.expect("pad_token_id", architecture.padding, isRight, textOf("padding-token", { least: String(least) }))
}

/** @param {...WrongField} errors @returns {ReadConfig} */
const refused = (...errors) => ({ configuration: null, named: null, uncounted: null, ignored: [], errors })

/** What a config.json says: as text, or as the bytes of a file. @param {string | ArrayBuffer | Uint8Array} source @returns {ReadConfig} */
export function read(source) {
  const bytes = typeof source === "string" ? new TextEncoder().encode(source) : new Uint8Array(source)
  /** @param {string} message */
  const refusedWhole = (message) => refused({ key: "", message })
  if (bytes.length > MOST_BYTES) return refusedWhole(textOf("too-large", { most: String(MOST_BYTES) }))
  let [text, parsed] = ["\0", null]
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    parsed = JSON.parse(text)
  } catch (error) {
    // No JSON has a NUL, and text in UTF-16 has many.
    if (text.includes("\0")) return refusedWhole(textOf("no-text"))
    return refusedWhole(textOf("no-json", { why: /** @type {Error} */ (error).message }))
  }
  if (!isObject(parsed)) return refusedWhole(textOf("no-object", { value: shown(parsed) }))
  const config = new Map(Object.entries(parsed))
  const architecture = architectureIn(config)
  if ("message" in architecture) return refused(architecture)
  const keys = new Keys(config, architecture)
  for (const place of architecture.settings) {
    const { key, usual, why, values = [], empty, texts_but: not, same_as: other = "", times } = settings[place]
    const same = (/** @type {unknown} */ value) => {
      if (!config.has(key) || !times) return !config.has(key) || value === config.get(other)
      const factors = [value, config.get(times)]
      return factors.every(Number.isInteger) && factors[0] * factors[1] === config.get(other)
    }
    const isText = (/** @type {any} */ value) => typeof value === "string" && !not?.includes(value)
    const isList = (/** @type {any} */ value) => Array.isArray(value) && value.every((each) => typeof each === "string")
    const isOne = (/** @type {any} */ value) => values.includes(isList(value) ? value.join("|") : value)
    keys.expect(key, usual, empty ? isEmpty : not ? isText : other ? same : isOne, why)
  }
  const choices = choicesIn(keys, architecture)
  const sizes = sizesIn(keys, architecture)
  if (!keys.errors.length) checkTogether(keys, architecture, sizes)
  if (keys.errors.length) return refused(...keys.errors)
  const ignored = [...config.keys()].filter((each) => !keys.asked.has(each))
  const named = classIn(config, architecture) ?? null
  const uncounted = named || isEmpty(namedIn(config)) ? null : shown(namedIn(config))
  return { configuration: configured(architecture.name, sizes, choices), named, uncounted, ignored, errors: [] }
}

/** A configuration in which nothing is changed. @param {string} architecture @param {Sizes} sizes @param {Choices} choices @param {string} modelClass @returns {Configuration} */
const configured = (architecture, sizes, choices, modelClass = classOfBare(architecture)) => ({
  ...{ architecture, modelClass, sizes, choices: { ...choices }, biases: true },
  ...{ frozen: { ...FREE }, lora: null, pruned: 0 },
})

/** A published model, by its name, in a class or one that is for the same; the bare one where there is none.
 * @param {string} name @param {string} modelClass */
export function ofModel(name, modelClass = "") {
  const { architecture, sizes } = models.get(name)
  const names = classesOf(architecture).map((each) => each.name)
  const ending = /For[A-Z][A-Za-z]*$/.exec(modelClass)?.[0] ?? "?"
  const like = names.includes(modelClass) ? modelClass : names.find((each) => each.endsWith(ending))
  return configured(architecture, { ...sizes }, usualChoices(architecture), like)
}

/** The config.json that gives a configuration, as far as a config can say it. @param {Configuration} configuration */
export function config(configuration) {
  const { architecture, sizes, choices } = settled(configuration)
  /** @type {Record<string, number | boolean | string>} */
  const found = { model_type: architecture }
  for (const { letter, key, usual } of symbolsOf(architectureOf(architecture)))
    if (usual === null || sizes[letter] !== usual) found[key] = sizes[letter]
  // A small vocabulary has no row for the padding token of a large one.
  const { padding, settings: own } = architectureOf(architecture)
  if (sizes.V <= padding) found.pad_token_id = 0
  // What is counted here and not usual in transformers.
  for (const { key, usual, values = [] } of own.map((place) => settings[place]))
    if (values.length && !values.includes(usual)) found[key] = /** @type {string | boolean} */ (values[0])
  if (!choices.tied) found.tie_word_embeddings = false
  if (choices.cross_attention) Object.assign(found, { is_decoder: true, add_cross_attention: true })
  return found
}

// --- Fields -------------------------------------------------------------------

const GROUPED = /^[0-9]{1,3}([,._'’ \u202f\u2009])[0-9]{3}(?:\1[0-9]{3})*$/

/** A whole number as people type it; null where it is none. @param {string} text */
export function typed(text) {
  const plain = text.normalize("NFKC").trim()
  const digits = GROUPED.test(plain) ? plain.replace(/[^0-9]/g, "") : plain
  return /^[0-9]+$/.test(digits) ? Number(digits) : null
}

/** A configuration from what is in the fields of the calculator, and the size that the vocabulary is resized to; or every
 * field that is wrong. @param {Fields} fields @returns {CheckedFields} */
export function check(fields) {
  const { architecture: name, labels: only } = classes.get(fields.class)
  const architecture = architectureOf(name)
  /** @type {WrongField[]} */
  const errors = []
  /** @param {string} key @param {string} what @param {number} least @param {number} most @param {number | null} usual  where it is empty */
  function number(key, what, least, most = MOST, usual = null) {
    const text = fields[key].trim()
    if (!text && usual !== null) return usual
    const found = typed(text)
    if (found !== null && least <= found && found <= most) return found
    const range = `a whole number from ${whole(least)} to ${whole(most)}`
    const message = text ? `“${cut(text, 40)}” is not ${range}; enter ${what}` : `Enter ${what}, ${range}`
    errors.push({ key, message })
    return 0
  }
  /** @type {Sizes} */
  const sizes = {}
  let vocabulary = 0
  for (const { letter, meaning, usual, minimum } of symbolsOf(architecture)) {
    // A width needs no "number of".
    const what = `the ${meaning.startsWith("width") ? "" : "number of "}${meaning}`
    sizes[letter] = number(letter, what, minimum, MOST, usual)
    if (letter === "V") vocabulary = number("vocabulary", what, minimum, MOST, sizes.V)
  }
  if (sizes.E && areOdd(architecture, sizes)) errors.push({ key: "A", message: narrower(sizes) })
  const other = `${fields.class} takes ${only} labels and no other number; enter ${only}, or choose another class`
  if (only !== null && sizes.C && sizes.C !== only) errors.push({ key: "C", message: other })
  const isDepthKnown = !errors.some((each) => architecture.layers.includes(each.key))
  const depth = isDepthKnown ? product(architecture.layers, sizes) : MOST
  const still = listed(fields.frozen)
  const method = METHODS.get(fields.method)
  const { title, takes } = method
  const isPut = isMade(fields)
  const [modules, feedforward] = ["modules", "feedforward"].map((each) => (each in takes ? listed(fields[each]) : []))
  const rank = isPut && takes.rank ? number("rank", method.asks, 1) : 0
  const width = isPut && takes.width ? number("width", method.asks_width, 1, MOST, sizes[method.usual_width] ?? 0) : 0
  const within = feedforward.filter((each) => modules.includes(each))
  const lora = isPut ? { method: method.name, rank, width, modules, feedforward: within } : null
  if (lora && takes.modules && !modules.length) errors.push({ key: "modules", message: method.lacking })
  if (lora && method.refused[name]) errors.push({ key: "modules", message: method.refused[name] })
  // PEFT freezes the whole model, whatever else is frozen.
  const layers = lora ? 0 : number("layers", "how many layers are frozen", 0, depth, 0)
  const [embeddings, all_but_head] = ["embeddings", "all-but-head"].map((each) => !lora && still.includes(each))
  const pruned = number("pruned", "how many heads are pruned", 0, MOST, 0)
  const most = depth * (sizes.A - 1)
  const heads = textOf("pruned-heads", { heads: depth * sizes.A, most })
  const put = lora && method.library !== "transformers" ? `${title}; empty this field, or choose another method` : ""
  const unlike = layers ? "frozen first layers, since layers may differ then; empty one of both fields" : ""
  const beside = (put || unlike) && `pruned heads are not counted together with ${put || unlike}`
  const message = UNPRUNED[name] || (pruned > most ? heads : beside)
  if (pruned && message) errors.push({ key: "pruned", message })
  if (errors.length) return { configuration: null, vocabulary, errors }
  const choices = { ...usualChoices(name) }
  for (const choice of CHOICES) choices[choice] = fields[choice] === "yes"
  const changes = { biases: fields.biases !== "no", frozen: { embeddings, layers, all_but_head }, lora, pruned }
  return { configuration: { ...configured(name, sizes, choices, fields.class), ...changes }, vocabulary, errors }
}

/** Whether a method is chosen, as some size or module of the first says of that. @param {Fields} fields */
export const isMade = ({ method, rank, modules }) => Boolean(rank || modules || method !== LORA)
/** The names of the boxes that are checked. @param {string} text */
export const listed = (text) => text.split(",").filter(Boolean)
