// Configurations as people give them: a config.json, fields that somebody typed,
// or the name of a published model. What a config may say is in the exported
// table; the rules are those of macros/counting/config.py and models.py, and a
// test compares what comes out.

import table from "../../data/table.js"
import { MODULES, settled } from "./changes.js"
import { classesOf, classOfBare, MOST, models, whole } from "./engine.js"

const { flags, foreign, most_bytes: MOST_BYTES, name_it: NAME_IT, settings } = table.configs
const LARGEST = MOST
export const FREE = { embeddings: false, layers: 0, all_but_head: false }

/** @typedef {Map<string, unknown>} Config */
/** @typedef {Table["architectures"][0]} Architecture */

const symbolOf = new Map(table.symbols.map((each) => [each.letter, each]))
const [BERT] = table.architectures
/** @param {string} name */
const architectureOf = (name) => /** @type {Architecture} */ (table.architectures.find((each) => each.name === name))

/** The sizes of an architecture, in the order of reading. @param {Architecture} architecture */
const sizesIn = (architecture) =>
  Object.entries(architecture.keys).map(([letter, key]) => {
    const symbol = /** @type {Table["symbols"][0]} */ (symbolOf.get(letter))
    return {
      letter,
      key,
      meaning: symbol.meaning,
      usual: symbol.usual,
      minimum: architecture.minimum[letter] ?? symbol.minimum,
    }
  })

/** Whether its layers can attend to another text. @param {Architecture} architecture */
const mayCross = ({ classes }) =>
  classes.some((each) => each.rows.some((row) => table.rows[row].when === "cross_attention"))

/** Whether Python takes a value for false. @param {unknown} value */
const isEmpty = (value) => (typeof value === "object" && value ? !Object.keys(value).length : !value)

/** A value as a reader typed it, on one line and cut. @param {unknown} value */
function shown(value, limit = 60) {
  const [start = "", ...rest] = written(value).match(new RegExp(`.{1,${limit - 3}}`, "gsu")) ?? []
  return rest.join("").length > 3 ? `${start}...` : start + rest.join("")
}
/** @param {unknown} value */
function written(value) {
  try {
    return JSON.stringify(value)
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
  const known = table.architectures.map((each) => each.name)
  const found = table.architectures.find((each) => each.name === named)
  const message = `${key} is ${shown(named)}; other models have other tensors, and only these are counted here: ${known.join(", ")}`
  return found ?? { key, message }
}

/** @param {Architecture} architecture  the keys that it reads */
const keysOf = (architecture) =>
  new Set([...Object.values(architecture.keys), ...architecture.settings.map((each) => settings[each].key)])

/** The architecture of a config that names none, as those of Google's releases: BERT unless a key says otherwise. @param {Config} config @returns {Architecture | WrongField} */
function unnamed(config) {
  const key = "architectures"
  const classes = config.get(key)
  if (!isEmpty(classes)) {
    const first = firstClass(classes)
    const message = `${key} is ${shown(classes)}, which is not counted here; ${NAME_IT}`
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
  /** @param {Config} config @param {Architecture} architecture */
  constructor(config, architecture) {
    this.config = config
    this.architecture = architecture
    /** @type {WrongField[]} */
    this.errors = []
  }

  /** @param {string} key @param {string} message */
  refuse(key, message) {
    this.errors.push({ key, message })
  }

  settings() {
    for (const place of this.architecture.settings) {
      const { key, usual, why, values = [], empty, texts_but: not } = settings[place]
      const value = this.config.has(key) ? this.config.get(key) : usual
      const isCounted = empty
        ? isEmpty(value)
        : not
          ? typeof value === "string" && !not.includes(value)
          : values.some((each) => each === value)
      if (!isCounted) this.refuse(key, `${key} is ${shown(value)}; ${why}`)
    }
  }

  /** @param {string} key */
  flag(key) {
    const value = this.config.has(key) ? this.config.get(key) : flags[key]
    if (typeof value !== "boolean") this.refuse(key, `${key} is ${shown(value)}; it must be true or false`)
    return value === true
  }

  /** What the config decides besides the sizes; whether there is cross-attention only where there can be any. @returns {Choices} */
  choices() {
    const tied = this.flag("tie_word_embeddings")
    if (!mayCross(this.architecture)) return { ...table.choices, tied, cross_attention: false }
    const before = this.errors.length
    const [isDecoder, crossing] = [this.flag("is_decoder"), this.flag("add_cross_attention")]
    if (crossing && !isDecoder && this.errors.length === before) {
      this.refuse(
        "add_cross_attention",
        "add_cross_attention is true but is_decoder is not; transformers builds cross-attention only in a decoder, so set is_decoder to true",
      )
    }
    return { ...table.choices, tied, cross_attention: crossing }
  }

  /** How many labels `id2label` has; null where it does not decide, as transformers takes num_labels before it. */
  labels() {
    const labels = this.config.get("id2label") ?? null
    if (labels === null) return null
    // Whatever the keys are, transformers reads them as integers, and two that read alike are one label.
    const keys = isObject(labels) ? Object.keys(labels).map(integer) : []
    if (!keys.length || keys.includes(NaN)) {
      const message = `id2label is ${shown(labels)}; it must be an object with one entry per label, whose keys are integers ("0", "1", ...), or leave it out`
      this.refuse("id2label", message)
      return null
    }
    return this.config.has("num_labels") ? null : new Set(keys).size
  }

  /** @param {number | null} labels @returns {Sizes} */
  sizes(labels) {
    /** @type {Sizes} */
    const found = {}
    for (const { letter, key: own, meaning, usual, minimum } of sizesIn(this.architecture)) {
      const other = this.architecture.instead[letter]
      const key = other && this.config.has(other) ? other : own
      const value = own === "num_labels" && labels !== null ? labels : this.config.get(key)
      if (value === undefined && usual === null)
        this.refuse(key, `${key} is missing; add it, an integer: the number of ${meaning}`)
      else if (value === undefined) found[letter] = /** @type {number} */ (usual)
      else if (isWhole(value) && value >= minimum) found[letter] = value
      else this.refuse(key, `${key} is ${shown(value)}; it must be an integer from ${minimum} to ${LARGEST}`)
    }
    if (this.config.has("embedding_size") && areOdd(this.architecture, found)) {
      const { H: width, A: heads } = this.architecture.keys
      this.refuse(
        heads,
        `${width} ${found.H} is not a multiple of ${heads} ${found.A}; ${NARROWER}, so choose a number of heads that divides it`,
      )
    }
    return found
  }

  /** A padding token must have a row in every table that keeps one for it; transformers builds no other model. @param {Sizes} sizes */
  padding(sizes) {
    const key = "pad_token_id"
    const token = this.config.get(key) ?? null
    const tables = this.architecture.padded.map((each) => sizes[each]).filter((each) => each !== undefined)
    if (token === null || tables.length < this.architecture.padded.length) return
    const least = Math.min(...tables)
    if (!isWhole(token) || token < -least || token >= least) {
      this.refuse(key, `${key} is ${shown(token)}; it must be null or an integer below ${least}`)
    }
  }

  /** The keys that size nothing. */
  ignored() {
    const { architecture } = this
    const read = new Set([
      ...keysOf(architecture),
      ...Object.values(architecture.instead),
      ...["model_type", "architectures", "id2label", "pad_token_id", "tie_word_embeddings"],
      ...(mayCross(architecture) ? Object.keys(flags) : []),
    ])
    return [...this.config.keys()].filter((each) => !read.has(each))
  }
}

/** @param {unknown} value @returns {value is number} */
const isWhole = (value) => Number.isSafeInteger(value)
/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value)

/** The key of a label as Python reads an integer; NaN where it is none. @param {string} key */
const integer = (key) => (/^\s*[+-]?[0-9]+(?:_[0-9]+)*\s*$/.test(key) ? Number(key.replaceAll("_", "")) : NaN)

/** What a text is in that is not in UTF-8, by how it begins, as Python's `json` tells: JSON begins with ASCII;
 * empty where nobody can tell. @param {Uint8Array} bytes */
function encodingOf(bytes) {
  const [a, b, c, d] = bytes
  if ((a === 0xff && b === 0xfe && !c && !d && bytes.length > 3) || (!a && !b && c === 0xfe && d === 0xff))
    return "UTF-32"
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) return "UTF-16"
  if (a === 0xef && b === 0xbb && c === 0xbf) return ""
  if (bytes.length >= 4) {
    if (!a) return b ? "UTF-16" : "UTF-32"
    if (!b) return c || d ? "UTF-16" : "UTF-32"
  } else if (bytes.length === 2 && (!a || !b)) return "UTF-16"
  return ""
}

/** A text, whatever it was given as; null where it is none. @param {string | ArrayBuffer | Uint8Array} source */
function textOf(source) {
  if (typeof source === "string") return source.replace(/^\ufeff/, "")
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(source)
  } catch {
    return null
  }
}

/** @param {string | ArrayBuffer | Uint8Array} source */
const bytesIn = (source) =>
  typeof source !== "string"
    ? source.byteLength
    : source.length > MOST_BYTES
      ? source.length
      : new TextEncoder().encode(source).length

/** @param {WrongField[]} errors @returns {ReadConfig} */
const refused = (errors) => ({ configuration: null, named: null, ignored: [], errors })
/** @param {string} message */
const refusedWhole = (message) => refused([{ key: "", message }])

/** What a config.json says: as text, or as the bytes of a file. @param {string | ArrayBuffer | Uint8Array} source @returns {ReadConfig} */
export function read(source) {
  if (bytesIn(source) > MOST_BYTES)
    return refusedWhole(`is larger than ${MOST_BYTES} bytes; give a config.json, a few kilobytes`)
  const text = textOf(source)
  const encoding = typeof source === "string" ? "" : encodingOf(new Uint8Array(source))
  let parsed
  try {
    parsed = JSON.parse(text ?? "")
  } catch (error) {
    if (encoding) return refusedWhole(`is ${encoding} text; save it as UTF-8 and try again`)
    const reason = text === null ? "it is not text in UTF-8" : /** @type {Error} */ (error).message
    return refusedWhole(`is not JSON (${reason}); give a config.json`)
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
  architecture,
  modelClass,
  sizes,
  choices: { ...choices },
  biases: true,
  frozen: { ...FREE },
  lora: null,
})

/** The class of an architecture that is for the same as one of any; the bare one where there is none. @param {string} architecture @param {string} modelClass */
function classLike(architecture, modelClass) {
  const ending = /For[A-Z][A-Za-z]*$/.exec(modelClass)?.[0]
  const names = classesOf(architecture).map((each) => each.name)
  if (names.includes(modelClass)) return modelClass
  return names.find((each) => ending && each.endsWith(ending)) ?? classOfBare(architecture)
}

/** A published model, by its name, in a class or one that is for the same. @param {string} name @param {string} modelClass */
export function ofModel(name, modelClass = "") {
  const { architecture, sizes } = models.get(name)
  return configured(architecture, { ...sizes }, table.choices, classLike(architecture, modelClass))
}

/** The config.json that gives a configuration, as far as a config can say it. @param {Configuration} configuration */
export function config(configuration) {
  const {
    architecture,
    sizes,
    choices: { tied, cross_attention: crossing },
  } = settled(configuration)
  /** @type {Record<string, number | boolean | string>} */
  const found = { model_type: architecture }
  for (const { letter, key, usual } of sizesIn(architectureOf(architecture))) {
    if (usual === null || sizes[letter] !== usual) found[key] = sizes[letter]
  }
  if (!tied) found.tie_word_embeddings = false
  if (crossing) Object.assign(found, { is_decoder: true, add_cross_attention: true })
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

/** What is wrong with a number that somebody typed, or the number. @param {string} text @param {string} what @param {number} least @param {number} most @returns {number | string} */
function numberIn(text, what, least, most = LARGEST) {
  const range = `from ${whole(least)} to ${whole(most)}`
  if (!text.trim()) return `Enter ${what}, a whole number ${range}`
  const number = typed(text)
  const given = [...text.trim()].length > 40 ? `${[...text.trim()].slice(0, 37).join("")}...` : text.trim()
  if (number === null) return `“${given}” is not a whole number; enter ${what} in digits, ${range}`
  if (number < least || number > most)
    return `${number > LARGEST ? given : whole(number)} is too ${number < least ? "small" : "large"}; enter ${what}, ${range}`
  return number
}

/** A configuration from what somebody typed, or every field that is wrong. @param {Fields} fields @returns {CheckedFields} */
export function check({
  architecture: name,
  modelClass,
  sizes: given,
  choices,
  biases = true,
  frozen = {},
  lora = null,
}) {
  /** @type {WrongField[]} */
  const errors = []
  /** @param {string} key @param {number | string} found */
  const kept = (key, found) => {
    if (typeof found === "string") errors.push({ key, message: found })
    return typeof found === "string" ? 0 : found
  }
  const architecture = table.architectures.find((each) => each.name === name)
  if (!architecture)
    return {
      configuration: null,
      errors: [
        { key: "architecture", message: `Choose one of ${table.architectures.map((each) => each.title).join(", ")}` },
      ],
    }
  const chosen = architecture.classes.find((each) => each.name === modelClass)
  if (!chosen)
    errors.push({
      key: "modelClass",
      message: `Choose a class of ${architecture.title}, such as ${architecture.classes[0].name}`,
    })
  /** @type {Sizes} */
  const sizes = {}
  for (const { letter, meaning, usual, minimum } of sizesIn(architecture)) {
    const text = given[letter] ?? ""
    const isSilent = usual !== null && !text.trim()
    sizes[letter] = isSilent ? usual : kept(letter, numberIn(text, `the ${ofMeaning(meaning)}`, minimum))
  }
  const { C, E } = sizes
  if (E && areOdd(architecture, sizes))
    errors.push({ key: "A", message: `${sharing(sizes)}; ${NARROWER}, so choose a number of heads that divides H` })
  const only = chosen?.labels ?? null
  if (only !== null && C && C !== only)
    errors.push({
      key: "C",
      message: `${modelClass} takes ${only} labels and no other number; enter ${only}, or choose another class`,
    })
  const isDepthKnown = !errors.some((each) => architecture.layers.includes(each.key))
  const depth = isDepthKnown ? architecture.layers.reduce((all, each) => all * sizes[each], 1) : LARGEST
  const layers = frozen.layers?.trim()
    ? kept("layers", numberIn(frozen.layers, "how many layers are frozen", 0, depth))
    : 0
  /** @type {Lora | null} */
  const adapters = lora && {
    rank: kept("rank", numberIn(lora.rank, "the rank of LoRA", 1)),
    modules: [...lora.modules],
  }
  const wrong = lora && wrongModules(lora.modules)
  if (wrong) errors.push({ key: "modules", message: wrong })
  if (errors.length) return { configuration: null, errors }
  const frozenParts = { embeddings: frozen.embeddings ?? false, layers, all_but_head: frozen.all_but_head ?? false }
  return {
    configuration: {
      ...configured(name, sizes, { ...table.choices, ...choices }, modelClass),
      biases,
      frozen: frozenParts,
      lora: adapters,
    },
    errors: [],
  }
}

/** @param {string} meaning  a width needs no "number of" */
const ofMeaning = (meaning) => (meaning.startsWith("width") ? meaning : `number of ${meaning}`)

/** What is wrong with the modules that are chosen for LoRA, or nothing. @param {string[]} modules */
function wrongModules(modules) {
  const { all_linear: every } = table.changes
  const unknown = modules.find((each) => !MODULES.includes(each))
  if (unknown !== undefined) return `There is no module ${unknown} for LoRA; choose from ${MODULES.join(", ")}`
  if (!modules.length) return "Choose at least one module for LoRA"
  return modules.length > 1 && modules.includes(every) ? `${every} has every module already; choose it alone` : ""
}

/** The sizes of an architecture. @param {string} name */
export const symbols = (name) => sizesIn(architectureOf(name))
