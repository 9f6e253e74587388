// Configurations: a config.json, a printed `BertConfig {...}`, keyword arguments or lines
// of keys and values, and a model's name. Keys are read by `config-text.js` and judged by
// `config-keys.js`; what is counted, and why something is not, is decided by
// `counting/configuration.js`, as in the calculator. A total is stated as a fact only if
// every key is counted or is known to size nothing.

import table from "../../../data/table.js"
import { note, read } from "../../counting/configuration.js"
import { classesOf, classOfBare, MOST, noun } from "../../counting/engine.js"
import { cut } from "../../counting/short.js"
import { linesOf } from "../clean.js"
import { code, listed, words } from "../words.js"
import { architectureOfConfig, DEFAULTS, effectOf, isKeyOfModels, isSize, usualKey } from "./keys.js"
import { extras, linesOfClasses, published, totalIn, wayIntoCalculator } from "./model-account.js"
import { accountOfName, inTorch, modelOfName } from "./model-names.js"
import { configText } from "./text.js"

/** @typedef {import("./text.js").ConfigText} ConfigText */

/** Characters of a text that is read as a configuration. A config has a few thousand. */
const LONGEST = 4 * 2 ** 20

/** Characters of a key or a class that an answer repeats. */
const LONGEST_NAME = 60

const MOST_KEYS = 8

const OF_SUMS = /(?:^|_)(?:totals?|params?|parameters?|sum|counts?)(?:_|$)/i
const PRODUCT = /[A-Za-z)]\s*[*×+·]\s*[A-Za-z0-9(]|[\w)]\s+\/\s+[\w(]/

/** @type {Record<string, string>} */
const TITLES = Object.fromEntries(table.architectures.map(({ name, title }) => [name, title]))

/** The account of a configuration or of a model's name; null if the text is neither.
 * @param {string} text @returns {Account | null} */
export function accountOfConfig(text) {
  const name = accountOfName(text)
  if (name) return name
  if (text.length > LONGEST) return null
  const config = configIn(text)
  return config && accountOf(config)
}

// --- Recognizing a configuration ----------------------------------------------

/** The configuration in a text; null if it holds none.
 * @param {string} text @returns {ConfigText | null} */
function configIn(text) {
  const config = configText(text)
  if (config && isConfig(config)) return config
  if (text.length > 20_000) return null
  // What a terminal, a mail or a log has put before each line is taken away; so are comments on lines of their own.
  const lines = linesOf(text).filter(({ source }) => !/^\s*(?:#|```|[-|:+=\s]+$)/.test(source))
  const again = configText(lines.map((line) => withPlainKey(line.text)).join("\n"))
  return again && isConfig(again) ? again : null
}

/** A line with a key as Python writes it: "hidden size: 768" becomes "hidden_size: 768", without words in another
 * language before it or in brackets after it, and each option of a command line stands on a line of its own.
 * @param {string} line */
const withPlainKey = (line) =>
  line
    .replace(/^[^\x20-\x7e]+\s*(?=[A-Za-z_])/, "")
    .replace(/\s?\([^()]{0,40}\)\s*(?=[:=])/, "")
    .replace(/\s--(?=[a-z])/g, "\n--")
    .replace(/^([\s|*•-]*)([A-Za-z]+(?:[ -][A-Za-z]+){1,3})(?=\s*[:=|])/, (_, before, key) => {
      return `${before}${key.replace(/[ -]/g, "_")}`
    })

/** Whether keys and values are those of a model.
 * @param {ConfigText} config */
function isConfig({ className, entries, form, rest }) {
  if (isMore(rest)) return false
  const keys = [...entries.keys()]
  if (["weight_map", "cells", "__metadata__", "data_offsets"].some((key) => entries.has(key))) return false
  if (className) return true
  if (form === "object") {
    if (["model_type", "architectures"].some((key) => entries.has(key))) return keys.some(isSize) || keys.length > 1
    return keys.filter(isSize).length > 1
  }
  // A line with a total or a product of letters belongs to a sum or a print-out.
  if (keys.some((key) => OF_SUMS.test(key) || PRODUCT.test(String(entries.get(key))))) return false
  const sizes = keys.filter((key) => isSize(usualKey(key)) && Number.isInteger(entries.get(key)))
  const known = keys.filter((key) => isSize(usualKey(key)) || isKeyOfModels(key))
  const isWhole = ["hidden_size", "num_hidden_layers"].every((key) => sizes.some((size) => usualKey(size) === key))
  return sizes.length > 1 && known.length * 2 > keys.length && (sizes.some(isSize) || (isWhole && sizes.length > 2))
}

/** Whether the text around a configuration is what has to be explained: a sum, a print-out or a warning.
 * @param {string} rest */
function isMore(rest) {
  if (/newly initialized|not used when|LOAD REPORT|size mismatch|state_dict|trainable/i.test(rest)) return true
  return (
    (rest.match(/[0-9)]\s*[*×+]\s*[0-9(]/g) ?? []).length > 1 || (rest.match(/[0-9][0-9,._]{4,}/g) ?? []).length > 3
  )
}

// --- The account ----------------------------------------------------------------

/** @param {Words} headline @param {Words[]} more @returns {Account} */
const refusal = (headline, more = []) => ({
  kind: "refusal",
  headline,
  findings: more.map((sentence, place) => ({ weight: 50 - place, words: sentence, amount: null })),
  lines: [],
  bridge: null,
  model: null,
  confidence: "certain",
})

const ANY_MODEL = words`Drop the model's safetensors file here instead: its header counts any model exactly.`

/** @param {ConfigText} config @returns {Account} */
function accountOf(config) {
  const entries = withUsualKeys(config)
  const auto = entries.get("auto_map")
  if (auto && typeof auto === "object" && Object.keys(auto).length) return ofOwnCode(auto)
  const type = typeOf(config, entries)
  if (type === null)
    return refusal(
      words`This config cannot be counted: it is a ${code(short(config.className))}, and other models have other tensors.`,
      [ANY_MODEL],
    )
  if (type) entries.set("model_type", type)
  const positions = entries.get("position_embedding_type")
  if (typeof positions === "string" && positions !== "absolute" && !positions.startsWith("relative"))
    return ofAnother(
      words`its ${code("position_embedding_type")} is ${code(short(positions))}, which transformers' BERT does not have`,
    )
  // google-research/bert has a class of this name with another default.
  if (/\bmodeling\n/.test(config.rest) && !entries.has("type_vocab_size")) entries.set("type_vocab_size", 16)
  const taken = addDefaults(entries, type)
  const result = readEntries(entries)
  const relative = result.configuration && !type ? relativeWith(result.configuration, entries) : ""
  if (relative) return ofRelative(config, entries, relative)
  if (result.configuration) return ofConfiguration(config, entries, result, taken, type)
  if (!type && result.errors.every(({ message }) => isMissing(message))) return supposed(config, entries)
  const [first, ...others] = result.errors
  const isOther = first.key === "model_type" || first.key === "architectures"
  return refusal(words`This config cannot be counted: ${first.message}.`, [
    ...others.slice(0, 5).map(({ message }) => words`Also, ${message}.`),
    ...(isOther ? [ANY_MODEL] : []),
  ])
}

/** The other architecture that sizes belong to, if no BERT but a relative with the same keys was published with them.
 * @param {Configuration} configuration @param {Map<string, unknown>} entries @returns {string} */
function relativeWith(configuration, entries) {
  if (entries.has("architectures") || published(configuration).length) return ""
  const others = table.architectures.filter(({ name, keys }) => {
    return name !== configuration.architecture && Object.keys(keys).join() === Object.keys(configuration.sizes).join()
  })
  return others.find(({ name }) => published({ ...configuration, architecture: name }).length)?.name ?? ""
}

/** The account of sizes without an architecture that are those of a published relative.
 * @param {ConfigText} config @param {Map<string, unknown>} entries @param {string} architecture @returns {Account} */
function ofRelative(config, entries, architecture) {
  entries.set("model_type", architecture)
  const account = ofConfiguration(config, entries, readEntries(entries), [], architecture)
  return { ...account, confidence: "likely" }
}

/** @param {string} text */
const short = (text) => cut(text, LONGEST_NAME)

/** Whether an error says only that a size is missing. @param {string} message */
const isMissing = (message) => / is missing; add it/.test(message)

/** The keys and values, with other names of sizes replaced where no class says what they are called.
 * @param {ConfigText} config */
function withUsualKeys({ className, entries, form }) {
  /** @type {Map<string, unknown>} */
  const usual = new Map()
  const isDistil = className === "DistilBertConfig" || entries.get("model_type") === "distilbert"
  for (const [key, value] of entries) {
    const isOld = key === "vocab_size_or_config_json_file"
    const name = isOld || (form === "lines" && !isDistil) ? usualKey(key) : key
    const isType =
      form === "lines" && /^(?:type|model|architecture)$/.test(key) && String(value).toLowerCase() in DEFAULTS
    if (isType) usual.set("model_type", String(value).toLowerCase())
    else if (!usual.has(name) || name === key) usual.set(name, value)
  }
  return usual
}

/** The architecture that class or `model_type` names; "" if neither is there, and null if the class is not counted.
 * @param {ConfigText} config @param {Map<string, unknown>} entries @returns {string | null} */
function typeOf({ className }, entries) {
  if (entries.has("model_type")) {
    const type = entries.get("model_type")
    return typeof type === "string" ? type : ""
  }
  if (!className || /^(?:PreTrained|Pretrained|Auto|My|Model)?Config$/.test(className)) return ""
  return architectureOfConfig(className) || null
}

/** Adds the sizes that transformers takes where none is given, and returns their keys.
 * @param {Map<string, unknown>} entries @param {string} type */
function addDefaults(entries, type) {
  if (!Object.hasOwn(DEFAULTS, type)) return []
  const instead = INSTEAD[type] ?? {}
  return Object.entries(DEFAULTS[type]).flatMap(([key, size]) => {
    if (entries.has(key) || (instead[key] && entries.has(instead[key]))) return []
    entries.set(key, size)
    return [key]
  })
}

/** Keys that stand for others. @type {Record<string, Record<string, string>>} */
const INSTEAD = { distilbert: { dim: "hidden_size", n_layers: "num_hidden_layers", n_heads: "num_attention_heads" } }

/** @param {Map<string, unknown>} entries */
const readEntries = (entries) => read(JSON.stringify(Object.fromEntries(entries)))

/** The keys among those that were not counted which may size tensors, with the reasons; and those that are unknown.
 * @param {string[]} ignored @param {Map<string, unknown>} entries @param {Configuration} configuration */
function judged(ignored, entries, { architecture, sizes }) {
  /** @type {[string, string][]} */
  const stopping = []
  /** @type {string[]} */
  const unknown = []
  for (const key of ignored) {
    const effect = effectOf(key, entries.get(key), architecture, { hidden: sizes.H, labels: sizes.C, heads: sizes.A })
    if (effect === null) unknown.push(key)
    else if (effect) stopping.push([key, effect])
  }
  return { stopping, unknown }
}

/** The account of a configuration whose code is its own.
 * @param {object} auto @returns {Account} */
function ofOwnCode(auto) {
  const classes = Object.values(auto)
    .flat()
    .filter((one) => typeof one === "string")
  const from = classes.length ? words` (${code(short(String(classes.at(-1))))})` : []
  return {
    ...refusal(
      words`This model is built by code of its own${from}, so no total follows from its config: ${code("auto_map")} names classes that transformers does not have.`,
      [ANY_MODEL],
    ),
    kind: "config",
  }
}

/** The account of a configuration with keys that may size tensors.
 * @param {[string, string][]} stopping @returns {Account} */
function withoutTotal(stopping) {
  const keys = listed(stopping.slice(0, MOST_KEYS).map(([key]) => code(short(key))))
  const are = stopping.length === 1 ? "is a key" : "are keys"
  return {
    ...refusal(words`We can't tell this model's total from its config: ${keys} ${are} that we do not count.`, [
      ...stopping.slice(0, MOST_KEYS).map(([key, why]) => words`${code(short(key))}: ${why}.`),
      words`The other sizes alone would give the total of another model.`,
      ANY_MODEL,
    ]),
    kind: "config",
  }
}

/** The account of a configuration that is not of the model whose sizes it has.
 * @param {Words} why @returns {Account} */
const ofAnother = (why) => ({
  ...refusal(words`We can't tell this model's total from its config: ${why}.`, [ANY_MODEL]),
  kind: "config",
})

/** The class that a configuration is counted in, and the one that it names if that is another.
 * @param {ConfigText} config @param {Map<string, unknown>} entries @param {Configuration} configuration */
function classOf({ rest }, entries, { architecture }) {
  const names = classesOf(architecture).map(({ name }) => name)
  const bare = classOfBare(architecture)
  const named = [entries.get("architectures")].flat()[0]
  if (typeof named === "string" && named) {
    const counted = names.find((name) => name === inTorch(named))
    return counted
      ? { modelClass: counted, named: counted, uncounted: "" }
      : { modelClass: bare, named: "", uncounted: named }
  }
  // Code around the keyword arguments may build one class: `BertForMaskedLM(BertConfig(...))`.
  const around = rest.length < LONGEST / 64 ? [...new Set(rest.match(/\b[A-Z]\w{3,60}/g) ?? [])].map(inTorch) : []
  const used = names.filter((name) => around.includes(name))
  const [only = ""] = used.length === 1 ? used : []
  return { modelClass: only || bare, named: only, uncounted: "" }
}

/** Whether a class is of another model of transformers, such as NezhaForPreTraining in a configuration of BERT.
 * @param {string} name @param {string} architecture */
function isOfAnotherModel(name, architecture) {
  const [, stem = ""] = /^(\w+?)(?:Model|For[A-Z]\w*|LMHeadModel)$/.exec(inTorch(name)) ?? []
  return stem !== "" && `${stem}Model` !== classOfBare(architecture)
}

/** The account of a configuration that is read.
 * @param {ConfigText} config @param {Map<string, unknown>} entries @param {ReadConfig} result
 * @param {string[]} taken  the keys of defaults @param {string} type
 * @returns {Account} */
function ofConfiguration(config, entries, { configuration, ignored }, taken, type) {
  const counted = /** @type {Configuration} */ (configuration)
  const { stopping, unknown } = judged(ignored, entries, counted)
  if (stopping.length) return withoutTotal(stopping)
  const { modelClass, named, uncounted } = classOf(config, entries, counted)
  if (uncounted && isOfAnotherModel(uncounted, counted.architecture))
    return ofAnother(
      words`it names ${code(short(uncounted))}, a class of another model than ${TITLES[counted.architecture]}`,
    )
  const total = totalIn(counted, modelClass)
  if (total === null)
    return refusal(
      words`This config cannot be counted: its sizes make more than the ${MOST} parameters that are counted exactly here.`,
    )
  const { title, sentence, name } = whatItIs(counted, modelClass, entries)
  const findings = [
    ...aboutClass(counted, modelClass, named, uncounted),
    ...aboutKeys(config, entries, taken, unknown, type),
    ...aboutModel(counted, title, entries),
    ...aboutRest(config, counted),
    wayIntoCalculator(counted, modelClass),
  ]
  const isSure = !unknown.length && !uncounted && !config.isCut && !config.others
  return {
    kind: "config",
    headline: words`${sentence}${extras(counted, modelClass)}: ${total} parameters.`,
    findings: findings.sort((one, other) => other.weight - one.weight),
    lines: linesOfClasses(counted),
    bridge: null,
    model: { name, modelClass, total },
    confidence: isSure ? "certain" : "likely",
  }
}

/** The model in words.
 * @param {Configuration} configuration @param {string} modelClass @param {Map<string, unknown>} entries
 * @returns {{ title: string, name: string, sentence: Words }} */
function whatItIs(configuration, modelClass, entries) {
  const { architecture, sizes } = configuration
  const same = published(configuration)
  const path = entries.get("_name_or_path")
  const own = typeof path === "string" ? modelOfName(path) : null
  const model = same.find(({ name }) => name === own?.model.name) ?? same[0]
  const asThis = words`as ${code(modelClass)}`
  if (!model) {
    const a = /^(?:[AEIO]|MPN|XLM)/.test(TITLES[architecture]) ? "an" : "a"
    const shape = words`${sizes.L} ${noun(sizes.L, "layer")} and hidden size ${sizes.H}`
    return { title: "", name: "", sentence: words`This is ${a} ${TITLES[architecture]} with ${shape}, ${asThis}` }
  }
  const { title, name, group } = model
  const isNamed = own ? own.model.name === name : !path
  if (isNamed && group !== "course")
    return { title, name, sentence: words`This is ${own?.isAlso ? own.name : title}, ${asThis}` }
  return { title, name, sentence: words`This has the sizes of ${title}; ${asThis}, it is` }
}

/** @param {number} weight @param {Words} sentence @returns {Finding} */
const finding = (weight, sentence) => ({ weight, words: sentence, amount: null })

/** What there is to know about the class.
 * @param {Configuration} configuration @param {string} modelClass @param {string} named @param {string} uncounted
 * @returns {Finding[]} */
function aboutClass(configuration, modelClass, named, uncounted) {
  if (uncounted) {
    const own = code(short(uncounted))
    return [
      finding(
        60,
        words`It names ${own}, a class that we do not know. We count ${code(modelClass)}, and what ${own} has besides is missing here.`,
      ),
    ]
  }
  const bare = classOfBare(configuration.architecture)
  if (named && named !== bare) {
    const total = totalIn(configuration, bare)
    return total === null ? [] : [finding(20, words`It names ${code(named)}; the bare ${code(bare)} has ${total}.`)]
  }
  return named ? [] : [finding(20, words`It names no class, so this is the bare model.`)]
}

/** What there is to know about the keys.
 * @param {ConfigText} config @param {Map<string, unknown>} entries @param {string[]} taken @param {string[]} unknown
 * @param {string} type @returns {Finding[]} */
function aboutKeys({ isCut, repeated, others }, entries, taken, unknown, type) {
  const findings = []
  if (unknown.length) {
    const keys = listed(unknown.slice(0, MOST_KEYS).map((key) => code(short(key))))
    const more = unknown.length > MOST_KEYS ? words` and ${unknown.length - MOST_KEYS} more` : []
    const them = unknown.length === 1 ? "it" : "them"
    findings.push(finding(50, words`We do not know ${keys}${more}; transformers' own classes size nothing by ${them}.`))
  }
  if (taken.length && Object.hasOwn(DEFAULTS, type)) {
    const sizes = listed(taken.map((key) => words`${code(key)} = ${DEFAULTS[type][key]}`))
    findings.push(finding(40, words`It does not give every size, so these are transformers' defaults: ${sizes}.`))
  }
  if (isCut) findings.push(finding(55, words`The text ends before the config does, so keys may be missing.`))
  if (repeated.length) {
    const sizes = listed(
      repeated.slice(0, MOST_KEYS).map((key) => words`${code(short(key))} (${String(entries.get(key)).slice(0, 30)})`),
    )
    findings.push(
      finding(45, words`A key stands twice with different values; as in Python, the last one counts: ${sizes}.`),
    )
  }
  if (others) findings.push(finding(45, words`Only the first of the ${others + 1} configs in this text is counted.`))
  return findings
}

/** What there is to know about the model.
 * @param {Configuration} configuration @param {string} title @param {Map<string, unknown>} entries
 * @returns {Finding[]} */
function aboutModel(configuration, title, entries) {
  const findings = []
  const odd = note(configuration)
  if (odd) findings.push(finding(30, words`${odd}.`))
  const [first] = published(configuration)
  if (title && first?.also && !entries.get("_name_or_path")) {
    const several = listed(first.also.slice(0, 4).map((name) => code(name)))
    findings.push(finding(10, words`Other checkpoints have the same sizes, such as ${several}.`))
  }
  return findings
}

/** What the numbers around the configuration are, if they are totals of it.
 * @param {ConfigText} config @param {Configuration} configuration @returns {Finding[]} */
function aboutRest({ rest }, configuration) {
  if (rest.length > 20_000) return []
  const numbers = new Set(
    (rest.match(/\b[0-9]{1,3}(?:[,_. ][0-9]{3}){1,4}\b|\b[0-9]{5,15}\b/g) ?? []).map((text) =>
      Number(text.replace(/[^0-9]/g, "")),
    ),
  )
  const totals = linesOfClasses(configuration).filter(({ right }) => right !== null && numbers.has(right))
  return [...new Set(totals.map(({ right }) => Number(right)))].slice(0, 3).map((total) => {
    const several = totals.filter(({ right }) => right === total).map(({ source }) => code(source))
    return finding(35, words`The ${total} beside the config is the total of ${listed(several)}.`)
  })
}

/** The account of sizes without an architecture, some of which are missing: what they are if it is a BERT.
 * @param {ConfigText} config @param {Map<string, unknown>} entries @returns {Account} */
function supposed(config, entries) {
  const taken = addDefaults(entries, "bert")
  const result = readEntries(entries)
  if (!result.configuration) return refusal(words`This config cannot be counted: ${result.errors[0].message}.`)
  const account = ofConfiguration(config, entries, result, taken, "bert")
  if (!account.model) return account
  const sizes = listed(taken.map((key) => words`${code(key)} = ${DEFAULTS.bert[key]}`))
  const { modelClass, total } = account.model
  return {
    ...account,
    headline: words`If this is a BERT that takes the rest from transformers' defaults (${sizes}), it has ${total} parameters as ${code(modelClass)}.`,
    findings: account.findings.filter(({ weight }) => weight !== 40),
    confidence: "possible",
  }
}
