// Configurations as people give them: a config.json, fields that somebody typed,
// or the name of a published model. What a config may say is in the exported
// table; the rules are those of macros/counting/config.py and models.py, and a
// test compares what comes out.

import table from "../../data/table.js"
import { MODULES, settled } from "./changes.js"
import { classesOf, classOfBare, MOST, models, product, whole } from "./engine.js"

const { flags, foreign, most_bytes: MOST_BYTES, name_it: NAME_IT, settings } = table.configs
/** @type {Frozen} */
export const FREE = { embeddings: false, layers: 0, all_but_head: false }

/** @typedef {Map<string, unknown>} Config */
/** @typedef {Table["architectures"][0]} Architecture */

const [BERT] = table.architectures
/** @param {string} name */
const architectureOf = (name) => /** @type {Architecture} */ (table.architectures.find((each) => each.name === name))

/** The sizes of an architecture, in the order of reading. @param {Architecture} architecture */
const sizesIn = (architecture) =>
  Object.entries(architecture.keys).map(([letter, key]) => {
    const symbol = /** @type {Table["symbols"][0]} */ (table.symbols.find((each) => each.letter === letter))
    return { ...symbol, key, minimum: architecture.minimum[letter] ?? symbol.minimum }
  })
/** @param {string} name */
export const symbols = (name) => sizesIn(architectureOf(name))

/** Whether its layers can attend to another text. @param {Architecture} architecture */
const mayCross = ({ classes }) =>
  classes.some((each) => each.rows.some((row) => table.rows[row].when === "cross_attention"))

/** Whether Python takes a value for false. @param {unknown} value */
const isEmpty = (value) => (typeof value === "object" && value ? !Object.keys(value).length : !value)
/** @param {unknown} value @returns {value is number} */
const isWhole = (value) => Number.isSafeInteger(value)
/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value)

/** A text of so many characters at most, cut where it is longer. @param {string} text @param {number} limit */
const cut = (text, limit) => ([...text].length > limit ? `${[...text].slice(0, limit - 3).join("")}...` : text)
/** A value as a reader typed it, on one line and cut. @param {unknown} value */
function shown(value) {
  try {
    return cut(JSON.stringify(value), 60)
  } catch {
    return "nested too deeply"
  }
}

/** Whether the heads of layers cannot share the hidden size equally. @param {Architecture} architecture @param {Sizes} sizes */
const areOdd = ({ layers }, sizes) =>
  Boolean(sizes.H && sizes.A && sizes.H % sizes.A && layers.every((each) => sizes[each]))
/** What transformers makes of such heads where the embeddings have a width of their own; otherwise it refuses them. */
const NARROWER = "transformers then builds narrower matrices, which fail when used and are not counted here"

/** @param {Sizes} sizes */
const sharing = ({ H, A }) => `H is ${whole(H)}, which ${whole(A)} heads do not divide equally`

/** What is to be said of a configuration that can be counted but not built, or nothing. @param {Configuration} configuration */
export const note = ({ architecture, sizes }) =>
  areOdd(architectureOf(architecture), sizes)
    ? `${sharing(sizes)}, so transformers refuses this model; the number stands, since heads are in no shape`
    : ""

// --- Reading a config ---------------------------------------------------------

/** The architecture that a config names, or else the only one that its other keys leave. @param {Config} config @returns {Architecture | WrongField} */
function architectureIn(config) {
  const key = "model_type"
  const named = config.get(key)
  if (named === undefined) return unnamed(config)
  const known = table.architectures.map((each) => each.name).join(", ")
  const message = `${key} is ${shown(named)}; other models have other tensors, and only these are counted here: ${known}`
  return table.architectures.find((each) => each.name === named) ?? { key, message }
}

/** The keys that an architecture reads. @param {Architecture} architecture */
const keysOf = ({ keys, settings: own }) =>
  new Set([...Object.values(keys), ...own.map((place) => settings[place].key)])

/** The architecture of a config that names none, as those of Google's releases: BERT unless a key says otherwise. @param {Config} config @returns {Architecture | WrongField} */
function unnamed(config) {
  const key = "architectures"
  const classes = config.get(key)
  if (!isEmpty(classes)) {
    const message = `${key} is ${shown(classes)}, which is not counted here; ${NAME_IT}`
    const first = firstClass(classes)
    return table.architectures.find((each) => each.classes.some(({ name }) => name === first)) ?? { key, message }
  }
  const other = foreign.find((each) => config.has(each))
  if (other) return { key: other, message: `has ${other}, a key of other models than are counted here; ${NAME_IT}` }
  const berts = keysOf(BERT)
  const own = [...new Set(table.architectures.flatMap((each) => [...keysOf(each)]))]
    .filter((each) => !berts.has(each) && config.has(each))
    .sort()
  const fitting = own.length ? table.architectures.filter((each) => own.every((one) => keysOf(each).has(one))) : [BERT]
  if (fitting.length === 1) return fitting[0]
  const have = fitting.map((each) => each.title).join(" and ") || "several models"
  return { key: own[0], message: `has ${own.join(", ")}, which ${have} have and BERT has not; ${NAME_IT}` }
}

/** @param {unknown} classes */
const firstClass = (classes) => (Array.isArray(classes) ? classes[0] : classes)

/** Reads a config key by key, and keeps what is wrong. */
class Keys {
  /** @type {WrongField[]} */
  errors = []

  /** @param {Config} config @param {Architecture} architecture */
  constructor(config, architecture) {
    this.config = config
    this.architecture = architecture
  }

  /** @param {string} key @param {string} message */
  refuse(key, message) {
    this.errors.push({ key, message })
  }

  /** What a key says, or else what is usual. @param {string} key @param {unknown} usual */
  given(key, usual) {
    return this.config.has(key) ? this.config.get(key) : usual
  }

  settings() {
    for (const place of this.architecture.settings) {
      const { key, usual, why, values = [], empty, texts_but: not } = settings[place]
      const value = this.given(key, usual)
      const isText = () => typeof value === "string" && !not?.includes(value)
      const isCounted = empty ? isEmpty(value) : not ? isText() : values.some((each) => each === value)
      if (!isCounted) this.refuse(key, `${key} is ${shown(value)}; ${why}`)
    }
  }

  /** @param {string} key */
  flag(key) {
    const value = this.given(key, flags[key])
    if (typeof value !== "boolean") this.refuse(key, `${key} is ${shown(value)}; it must be true or false`)
    return value
  }

  /** What the config decides besides the sizes; whether there is cross-attention only where there can be any. @returns {Choices} */
  choices() {
    const tied = this.flag("tie_word_embeddings") === true
    if (!mayCross(this.architecture)) return { ...table.choices, tied, cross_attention: false }
    const key = "add_cross_attention"
    const [isDecoder, crossing] = [this.flag("is_decoder"), this.flag(key)]
    const needs = `${key} is true but is_decoder is not; transformers builds cross-attention only in a decoder`
    if (crossing === true && isDecoder === false) this.refuse(key, `${needs}, so set is_decoder to true`)
    return { ...table.choices, tied, cross_attention: crossing === true }
  }

  /** How many labels `id2label` has; null where it does not decide, as transformers takes num_labels before it. */
  labels() {
    const labels = this.given("id2label", null)
    if (labels === null) return null
    // Whatever the keys are, transformers reads them as integers, and two that read alike are one label.
    const keys = isObject(labels) ? Object.keys(labels).map(integer) : []
    if (keys.length && !keys.includes(NaN)) return this.config.has("num_labels") ? null : new Set(keys).size
    const must = `it must be an object with one entry per label, whose keys are integers ("0", "1", ...), or leave it out`
    this.refuse("id2label", `id2label is ${shown(labels)}; ${must}`)
    return null
  }

  /** @param {number | null} labels @returns {Sizes} */
  sizes(labels) {
    /** @type {Sizes} */
    const found = {}
    for (const { letter, key: own, meaning, usual, minimum } of sizesIn(this.architecture)) {
      const other = this.architecture.instead[letter]
      const key = other && this.config.has(other) ? other : own
      const value = own === "num_labels" && labels !== null ? labels : this.given(key, usual ?? undefined)
      if (isWhole(value) && value >= minimum) found[letter] = value
      else if (value === undefined) this.refuse(key, `${key} is missing; add it, an integer: the number of ${meaning}`)
      else this.refuse(key, `${key} is ${shown(value)}; it must be an integer from ${minimum} to ${MOST}`)
    }
    if (this.config.has("embedding_size") && areOdd(this.architecture, found)) {
      const { H: width, A: heads } = this.architecture.keys
      const not = `${width} ${found.H} is not a multiple of ${heads} ${found.A}`
      this.refuse(heads, `${not}; ${NARROWER}, so choose a number of heads that divides it`)
    }
    return found
  }

  /** A padding token must have a row in every table that keeps one for it; transformers builds no other model. @param {Sizes} sizes */
  padding(sizes) {
    const key = "pad_token_id"
    const token = this.given(key, null)
    const tables = this.architecture.padded.map((each) => sizes[each])
    const least = Math.min(...tables)
    if (token === null || tables.some((each) => each === undefined)) return
    if (!isWhole(token) || token < -least || token >= least)
      this.refuse(key, `${key} is ${shown(token)}; it must be null or an integer below ${least}`)
  }

  /** The keys that size nothing. */
  ignored() {
    const read = new Set([
      ...keysOf(this.architecture),
      ...Object.values(this.architecture.instead),
      ...["model_type", "architectures", "id2label", "pad_token_id", "tie_word_embeddings"],
      ...(mayCross(this.architecture) ? Object.keys(flags) : []),
    ])
    return [...this.config.keys()].filter((each) => !read.has(each))
  }
}

/** The key of a label as Python reads an integer; NaN where it is none. @param {string} key */
const integer = (key) => (/^\s*[+-]?[0-9]+(?:_[0-9]+)*\s*$/.test(key) ? Number(key.replaceAll("_", "")) : NaN)

/** What a text is in that is not in UTF-8, by its mark or where its first bytes are zero, as Python's `json` tells: JSON
 * begins with ASCII; empty where nobody can tell. @param {Uint8Array} bytes */
function encodingOf(bytes) {
  const start = [...bytes.slice(0, 4)]
  const mark = start.map((each) => each.toString(16).padStart(2, "0")).join("")
  const zeros = start.map((each) => (each ? "x" : "0")).join("")
  if (/^(?:fffe0000|0000feff)/.test(mark) || /^(?:00..|x000)$/.test(zeros)) return "UTF-32"
  return /^(?:fffe|feff)/.test(mark) || /^(?:0x..|x0..|0.|x0)$/.test(zeros) ? "UTF-16" : ""
}

/** @param {WrongField[]} errors @returns {ReadConfig} */
const refused = (errors) => ({ configuration: null, named: null, ignored: [], errors })
/** @param {string} message */
const refusedWhole = (message) => refused([{ key: "", message }])

/** What a config.json says: as text, or as the bytes of a file. @param {string | ArrayBuffer | Uint8Array} source @returns {ReadConfig} */
export function read(source) {
  const isText = typeof source === "string"
  // A text has no fewer bytes than characters.
  const bytes = isText ? new TextEncoder().encode(source.slice(0, MOST_BYTES + 1)) : new Uint8Array(source)
  if (bytes.length > MOST_BYTES)
    return refusedWhole(`is larger than ${MOST_BYTES} bytes; give a config.json, a few kilobytes`)
  let parsed
  let reason = "it is not text in UTF-8"
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    reason = ""
    parsed = JSON.parse(text)
  } catch (error) {
    const encoding = isText ? "" : encodingOf(bytes)
    if (encoding) return refusedWhole(`is ${encoding} text; save it as UTF-8 and try again`)
    return refusedWhole(`is not JSON (${reason || /** @type {Error} */ (error).message}); give a config.json`)
  }
  return readIn(parsed)
}

/** What a parsed config says. @param {unknown} parsed @returns {ReadConfig} */
function readIn(parsed) {
  if (!isObject(parsed)) return refusedWhole(`holds ${shown(parsed)}; a config is one JSON object, in braces`)
  const config = new Map(Object.entries(parsed))
  const architecture = architectureIn(config)
  if ("message" in architecture) return refused([architecture])
  const keys = new Keys(config, architecture)
  keys.settings()
  const choices = keys.choices()
  const sizes = keys.sizes(keys.labels())
  keys.padding(sizes)
  if (keys.errors.length) return refused(keys.errors)
  const first = firstClass(config.get("architectures"))
  const named = architecture.classes.find(({ name }) => name === first)?.name ?? null
  return { configuration: configured(architecture.name, sizes, choices), named, ignored: keys.ignored(), errors: [] }
}

/** A configuration in which nothing is changed. @param {string} architecture @param {Sizes} sizes @param {Choices} choices @param {string} modelClass @returns {Configuration} */
const configured = (architecture, sizes, choices = table.choices, modelClass = classOfBare(architecture)) => ({
  ...{ architecture, modelClass, sizes, choices: { ...choices } },
  ...{ biases: true, frozen: { ...FREE }, lora: null },
})

/** A published model, by its name, in a class or one that is for the same; the bare one where there is none.
 * @param {string} name @param {string} modelClass */
export function ofModel(name, modelClass = "") {
  const { architecture, sizes } = models.get(name)
  const names = classesOf(architecture).map((each) => each.name)
  const ending = /For[A-Z][A-Za-z]*$/.exec(modelClass)?.[0] ?? "?"
  const like = names.includes(modelClass) ? modelClass : names.find((each) => each.endsWith(ending))
  return configured(architecture, { ...sizes }, table.choices, like)
}

/** The config.json that gives a configuration, as far as a config can say it. @param {Configuration} configuration */
export function config(configuration) {
  const { architecture, sizes, choices } = settled(configuration)
  /** @type {Record<string, number | boolean | string>} */
  const found = { model_type: architecture }
  for (const { letter, key, usual } of symbols(architecture))
    if (usual === null || sizes[letter] !== usual) found[key] = sizes[letter]
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

/** What is wrong with a number that somebody typed, or the number. @param {string} text @param {string} what @param {number} least @param {number} most */
function numberIn(text, what, least, most = MOST) {
  const range = `from ${whole(least)} to ${whole(most)}`
  const given = cut(text.trim(), 40)
  if (!given) return `Enter ${what}, a whole number ${range}`
  const number = typed(text)
  if (number === null) return `“${given}” is not a whole number; enter ${what} in digits, ${range}`
  if (number >= least && number <= most) return number
  return `${number > MOST ? given : whole(number)} is too ${number < least ? "small" : "large"}; enter ${what}, ${range}`
}

/** A configuration from what somebody typed, or every field that is wrong. @param {Fields} fields @returns {CheckedFields} */
export function check(fields) {
  const { architecture: name, modelClass, sizes: given, choices, biases = true, frozen = {}, lora = null } = fields
  /** @type {WrongField[]} */
  const errors = []
  /** @param {string} key @param {number | string} found  a number, or what is wrong */
  const kept = (key, found) => {
    if (typeof found === "number") return found
    if (found) errors.push({ key, message: found })
    return 0
  }
  const architecture = architectureOf(name)
  if (!architecture) {
    kept("architecture", `Choose one of ${table.architectures.map((each) => each.title).join(", ")}`)
    return { configuration: null, errors }
  }
  const chosen = architecture.classes.find((each) => each.name === modelClass)
  if (!chosen) kept("modelClass", `Choose a class of ${architecture.title}, such as ${architecture.classes[0].name}`)
  /** @type {Sizes} */
  const sizes = {}
  for (const { letter, meaning, usual, minimum } of sizesIn(architecture)) {
    const text = given[letter] ?? ""
    // A width needs no "number of".
    const what = meaning.startsWith("width") ? meaning : `number of ${meaning}`
    sizes[letter] = usual !== null && !text.trim() ? usual : kept(letter, numberIn(text, `the ${what}`, minimum))
  }
  if (sizes.E && areOdd(architecture, sizes))
    kept("A", `${sharing(sizes)}; ${NARROWER}, so choose a number of heads that divides H`)
  const only = chosen?.labels ?? sizes.C
  if (sizes.C && sizes.C !== only)
    kept("C", `${modelClass} takes ${only} labels and no other number; enter ${only}, or choose another class`)
  const isDepthKnown = !errors.some((each) => architecture.layers.includes(each.key))
  const depth = isDepthKnown ? product(architecture.layers, sizes) : MOST
  const text = frozen.layers?.trim()
  const layers = text ? kept("layers", numberIn(text, "how many layers are frozen", 0, depth)) : 0
  const rank = lora && kept("rank", numberIn(lora.rank, "the rank of LoRA", 1))
  if (lora) kept("modules", wrongModules(lora.modules))
  if (errors.length) return { configuration: null, errors }
  const { embeddings = false, all_but_head = false } = frozen
  const configuration = {
    ...configured(name, sizes, { ...table.choices, ...choices }, modelClass),
    biases,
    frozen: { embeddings, layers, all_but_head },
    lora: lora && { rank: rank ?? 0, modules: [...lora.modules] },
  }
  return { configuration, errors: [] }
}

/** What is wrong with the modules that are chosen for LoRA, or nothing. @param {string[]} modules */
function wrongModules(modules) {
  const { all_linear: every } = table.changes
  const unknown = modules.find((each) => !MODULES.includes(each))
  if (unknown !== undefined) return `There is no module ${unknown} for LoRA; choose from ${MODULES.join(", ")}`
  if (!modules.length) return "Choose at least one module for LoRA"
  return modules.length > 1 && modules.includes(every) ? `${every} has every module already; choose it alone` : ""
}
