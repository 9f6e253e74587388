// Recognises a configuration: keys and values that describe a model. If the text itself
// is not one, the prefixes that terminals and logs add to lines are removed, and the rest
// is tried. Sums, print-outs and warnings have keys and values, too, but are left to
// other modules.

import { linesOf } from "../clean.js"
import { withTransformersKeys } from "./keras-hub.js"
import { isKeyOfModels, isOfTransformers, isSizeKey, usualKey } from "./keys.js"
import { isClassName, isConfigClassName } from "./named-classes.js"
import { configInSentence } from "./sentences.js"
import { configText } from "./text.js"

/** @typedef {import("./text.js").ConfigText} ConfigText */

/** A key of a total or a count. */
const COUNT_KEY = /(?:^|_)(?:totals?|params?|parameters?|sum|counts?)(?:_|$)/i
/** A product or sum of letters or numbers, or a division with spaces around its sign. */
const PRODUCT = /[A-Za-z)]\s*[*×+·]\s*[A-Za-z0-9(]|[\w)]\s+\/\s+[\w(]/
/** A number at the end of a sentence, with another sentence after it. */
const END_OF_SENTENCE = /^[0-9][0-9,_]*\.\s/

/** The rule below the heading of a table in Markdown. */
const TABLE_RULE = /^\s*\|?[-:\s]*-{3}[-|:\s]*$/

const MAX_LENGTH_WITH_PREFIXES = 20_000 // the maximum number of characters of a text whose lines are cleaned one by one

/** A size in a sentence: hidden_size=512. */
const SIZE_IN_SENTENCE = /\b[a-z]+(?:_[a-z]+)+ ?= ?[0-9][0-9_]*\b/g
const MIN_SIZES_IN_SENTENCE = 3

/** The sizes in a sentence, one on each line; any other text unchanged. @param {string} text */
function withoutSentence(text) {
  const sizes =
    /^\s*[A-Z][a-z']* [a-z]/.test(text) && !/[{}()\n]/.test(text.trim()) ? text.match(SIZE_IN_SENTENCE) : null
  return sizes && sizes.length >= MIN_SIZES_IN_SENTENCE ? sizes.join("\n") : text
}

/** A line of YAML that names a class for Hydra to build; the group is the name. */
const TARGET = /^[ \t]*_target_[ \t]*:[ \t]*["']?([\w.]+)["']?[ \t]*$/gm

/** The configuration in a text; null if there is none. The classes that Hydra builds may be several, one within the
 * other, so they are taken out of the text before its keys are read.
 * @param {string} source @returns {ConfigText | null} */
export function configIn(source) {
  const targets = [...source.matchAll(TARGET)].map(([, name]) => name)
  const config = configWithClasses(targets.length ? source.replace(TARGET, "") : source)
  return config && withClassesAround({ ...config, rest: [config.rest, ...targets].join("\n") })
}

/** A configuration without the values that are names of classes, which are added to the text around it. In
 * transformers' files, "architectures" gives them.
 * @param {ConfigText} config @returns {ConfigText} */
function withClassesAround(config) {
  const classEntries = [...config.entries].filter(
    ([key, value]) => key !== "architectures" && (isClassName(value) || isConfigClassName(value)),
  )
  if (!classEntries.length) return config
  const keys = classEntries.map(([key]) => key)
  const entries = new Map([...config.entries].filter(([key]) => !keys.includes(key)))
  return { ...config, entries, rest: [config.rest, ...classEntries.map(([, name]) => name)].join("\n") }
}

/** A value that OmegaConf takes from another key, as in ${.encoder_seq_length} or ${model.hidden_size}. */
const INTERPOLATION = /\$\{(?:\w+\.|\.)*(\w{1,60})\}/g

/** The text with the values of other keys in place of references to them; a reference to a key that the text lacks
 * becomes the key.
 * @param {string} text */
const withoutInterpolation = (text) =>
  text.replace(INTERPOLATION, (_, key) => {
    const [, value = key] = new RegExp(String.raw`^[ \t]*${key}[ \t]*:[ \t]*([\w.]+)`, "m").exec(text) ?? []
    return value
  })

/** The heading of a section in YAML that describes no model. */
const FOREIGN_HEADING =
  /^([ \t]*)(?:tokenizers?|optim(?:izer)?|(?:lr_)?sched(?:uler)?|trainer|training|exp_manager|logg(?:er|ing)|callbacks?|checkpointing|wandb|hydra|launcher):[ \t]*$/

/** A key at the beginning of a line. */
const KEY_OF_LINE = /^[ \t]*["']?([A-Za-z_]\w*)["']?[ \t]*:/

/** A text in YAML without the sections that describe no model; those with sizes of a model are kept.
 * @param {string} text */
function withoutForeignSections(text) {
  const lines = text.split("\n")
  const indentOf = (/** @type {string} */ line) => /^[ \t]*/.exec(line)?.[0].length ?? 0
  let end = 0 // of the section that is being left out
  return lines
    .filter((line, index) => {
      if (index < end) return false
      const [, indent] = FOREIGN_HEADING.exec(line) ?? []
      if (indent === undefined) return true
      const next = lines.findIndex((other, place) => place > index && other.trim() && indentOf(other) <= indent.length)
      const sectionEnd = next < 0 ? lines.length : next
      const keys = lines.slice(index + 1, sectionEnd).map((other) => KEY_OF_LINE.exec(other)?.[1] ?? "")
      if (!keys.some((key) => isSizeKey(usualKey(key)))) end = sectionEnd
      return end !== sectionEnd
    })
    .join("\n")
}

/** The configuration in a text, with all its entries; null if there is none.
 * @param {string} source @returns {ConfigText | null} */
function configWithClasses(source) {
  const sentenceConfig = configInSentence(source)
  if (sentenceConfig) return sentenceConfig
  const textOfModel = withoutForeignSections(withoutInterpolation(withoutSentence(source)))
  const text = textOfModel.replace(WEIGHTS_AND_BIASES, "$1: $2")
  const parsedConfig = configText(text)
  const config = parsedConfig && withTransformersKeys(withPlainEntries(parsedConfig))
  if (config && isConfig(config)) return config
  const nestedConfig = config && configWithin(config)
  if (nestedConfig) return nestedConfig
  if (text.length > MAX_LENGTH_WITH_PREFIXES) return null
  // Remove what terminals, mail programs and logs put before lines, comments on lines of their own, the lines around
  // the assignments in a class, and the headings of tables, which have a rule below them.
  const lines = linesOf(text).filter(
    ({ source }, index, allLines) =>
      !/^\s*(?:#|```|[-|:+=\s]+$)/.test(source) &&
      !FRAME.test(source) &&
      !TABLE_RULE.test(allLines[index + 1]?.source ?? ""),
  )
  const cleanedConfig = configText(lines.map((line) => withPlainKey(line.text)).join("\n"))
  const plainConfig = cleanedConfig && withPlainEntries(cleanedConfig)
  return plainConfig && isConfig(plainConfig) ? plainConfig : null
}

/** A setting in a config of Weights & Biases, whose value is on a line of its own. */
const WEIGHTS_AND_BIASES = /^([A-Za-z_]\w{0,60}):[ \t]*\n(?:[ \t]+desc:[^\n]*\n)?[ \t]+value:[ \t]*([^\n]*)$/gm

/** A configuration without the sections before its keys, as in model.hidden_size = 512, without capitals in keys of
 * models, and without the descriptions of its values, as in {"hidden_size": {"desc": null, "value": 512}}.
 * @param {ConfigText} config @returns {ConfigText} */
function withPlainEntries(config) {
  const entries = new Map()
  for (const [key, value] of config.entries) {
    const lastPart = key.slice(key.lastIndexOf(".") + 1)
    const plainKey = [lastPart, lastPart.toLowerCase()].find((name) => isSizeKey(name) || isKeyOfModels(name)) ?? key
    entries.set(entries.has(plainKey) ? key : plainKey, withoutDescription(value))
  }
  return { ...config, entries }
}

/** The value in an object that has nothing else but a description; any other value unchanged. @param {unknown} value */
const withoutDescription = (value) =>
  typeof value === "object" &&
  value &&
  "value" in value &&
  Object.keys(value).every((key) => /^(?:value|desc)$/.test(key))
    ? value.value
    : value

const MAX_LEVELS = 3 // the maximum number of objects around a config

/** The only configuration among the values of an object, at any of the first levels, as in {"model": {"config":
 * {...}}}; null if there is none or more than one, which may be the parts of one model. What the Hub's API returns
 * for a model (`safetensors`) has no sizes.
 * @param {ConfigText} config @param {number} [levels]  the number of levels that are still searched
 * @returns {ConfigText | null} */
function configWithin(config, levels = MAX_LEVELS) {
  if (config.form !== "object" || !levels || config.entries.has("safetensors")) return null
  const configs = [...config.entries.values()].flatMap((value) => {
    if (typeof value !== "object" || !value || Array.isArray(value)) return []
    const inner = withTransformersKeys({ ...withClassesAround(config), entries: new Map(Object.entries(value)) })
    return (isConfig(inner) ? inner : configWithin(inner, levels - 1)) ?? []
  })
  return configs.length === 1 ? configs[0] : null
}

/** A command that runs a script of Python, before the first of its long options, or of Hydra's settings. */
const COMMAND =
  /^\s*(?:[\w./=$-]+ ){0,20}[\w./-]+\.py(?:\s+-[a-z]\s+[^\s-]\S*)*(?=\s+--[a-z]|\s+\+{0,2}[a-z][\w.]*=|\s*\\$)/

/** A line without the command before its options or settings. Each of Hydra's settings gets a line of its own.
 * @param {string} line */
const withoutCommand = (line) =>
  COMMAND.test(line) ? line.replace(COMMAND, "").replace(/\s\+{0,2}(?=[a-z_][\w.]*=[^\s=])/gi, "\n") : line

/** The option of transformers' scripts that gives settings of a config: --config_overrides
 * hidden_size=512,vocab_size=8000. */
const OVERRIDES = /--config_overrides[ =]["']?([\w=,.-]+)["']?/

/** A line around assignments: the name of a section, or Python's decorators, strings alone, and the first and last
 * lines of classes and functions. */
const FRAME =
  /^\s*(?:\[[\w.-]+\]|@\w[\w.]*(?:\(.*\))?|"""[^"]*(?:""")?|class\s\w+(?:\(.*\))?:|def\s\w+\((?:self\).*:)?|(?:self|super\(.*),?|\).*:)\s*$/

/** The definition of an option of a command line with a default, in argparse. The groups are the name and the
 * default. */
const OPTION =
  /^.*\badd_argument\(\s*(?:["']-\w+["']\s*,\s*)?["']-{0,2}([\w-]+)["'].*\bdefault\s*=\s*(["'][^"']*["']|[\w.]+).*$/

/** An option of a command line without a value. */
const SWITCH = /^--[a-z][\w-]*(?=\s*$)/gm

/** A line of keys and numbers, separated only by spaces. */
const PAIRS = /^\s*(?:[a-z]+(?:_[a-z]+)+\s+[0-9][0-9_]*(?:\s+|$)){3,}$/

/** A line with its key in Python's spelling, so that "hidden size: 768" becomes "hidden_size: 768". Words in other
 * scripts before the key, and brackets and types after it, are removed, and each option of a command line gets a line
 * of its own.
 * @param {string} line */
const withPlainKey = (line) =>
  withoutCommand(line)
    .replace(/^\s*(?:export |\+{1,2})(?=[\w.]+=)/, "")
    .replace(/^([\s|•*-]*?)(\*\*|__|`)([A-Za-z][\w -]*)(:?)\2(?=\s*[:=]|(?<=:\S{1,3})\s)/, "$1$3$4")
    .replace(OPTION, "$1 = $2")
    .replace(/^\s*def\s\w+\((?:\s*\w+\s*,)*(.*)\).*:\s*$/, "$1")
    .replace(/(?<=^\s*\w+)\s*:\s*(?:int|float|str|bool|Optional\[\w+\])\s*(?==)/, " ")
    .replace(/^[^\x20-\x7e]+\s*(?=[A-Za-z_])/, "")
    .replace(/\s?\([^()]{0,40}\)\s*(?=[:=])/, "")
    .replace(OVERRIDES, (_, settings) => `--${settings.replaceAll(",", " --")}`)
    .replace(/\s--(?=[a-z])/g, "\n--")
    .replace(/\s\\$/gm, "")
    .replace(SWITCH, "$& true")
    .replace(PAIRS, (pairs) => pairs.trim().replace(/(?<=[0-9])\s+(?=[a-z])/g, "\n"))
    .replace(/^\s*(?:\w+\.)*(?:bert_config|config|cfg|self|args|hparams)\.(?=\w+\s*=)/, "")
    .replace(/^([\s|*•-]*)([A-Za-z]+(?:[ -][A-Za-z0-9]+){1,3})(?=\s*[:=|])/, (_, before, key) => {
      return `${before}${key.replace(/[ -]/g, "_")}`
    })

/** The number of sizes that make a text a config although most of its keys are of something else. */
const MANY_SIZES = 4

/** Whether keys and values describe a model. @param {ConfigText} config */
function isConfig({ className, entries, form, rest }) {
  // The sentences between lines of keys and values may ask about trainable parameters.
  if (form !== "lines" && isOtherText(rest)) return false
  const keys = [...entries.keys()]
  if (["weight_map", "cells", "__metadata__", "data_offsets", "safetensors"].some((key) => entries.has(key)))
    return false
  if (className) return true
  if (form === "object") {
    if (entries.has("peft_type")) return true
    if (isOfTransformers(entries)) return true
    const sizeKeys = keys.filter(isSizeKey)
    if (sizeKeys.length > 1 || sizeKeys.some((key) => Number(entries.get(key)) < 1)) return true
  }
  // These are words of a statement or command, not keys.
  if (["class", "def", "python", "python3"].some((word) => entries.has(word) && !isClassName(entries.get(word))))
    return false
  // A line with a total or an operation belongs to a sum or a print-out.
  const isOfSum = keys.some((key) => {
    const value = String(entries.get(key))
    return (
      (COUNT_KEY.test(key) && !isKeyOfModels(key) && /[0-9]/.test(value)) ||
      PRODUCT.test(value) ||
      END_OF_SENTENCE.test(value)
    )
  })
  if (isOfSum) return false
  const sizes = keys.filter((key) => isSizeKey(usualKey(key)) && Number.isInteger(entries.get(key)))
  const keysOfModels = keys.filter((key) => isSizeKey(usualKey(key)) || isKeyOfModels(key))
  const keysWithValues = keys.filter((key) => entries.get(key) !== null) // others may be headings in YAML
  if (sizes.length < 2) return false
  const hasMainSizes = ["hidden_size", "num_hidden_layers"].every((key) => sizes.some((size) => usualKey(size) === key))
  // Options of training may outnumber sizes, but not in a text with only some of the sizes.
  if (keysOfModels.length * 2 <= keysWithValues.length) return hasMainSizes && sizes.length >= MANY_SIZES
  // Informal keys, such as "layers", also occur in other texts, so more of them are required.
  return sizes.some(isSizeKey) || (hasMainSizes && sizes.length > 2)
}

/** The maximum number of characters of another file of a model, such as the tokenizer's. */
const MAX_OTHER_LENGTH = 20_000

/** The smallest number that may be a total. Lengths and widths in other files are smaller, except for unlimited
 * lengths, which are not safe integers. */
const MIN_TOTAL = 10_000

/** Whether a text is another file of a model, without its sizes, such as the pooling config of sentence-transformers:
 * an object with booleans, but without keys of sizes or totals and without large numbers.
 * @param {string} text */
export function isOtherFile(text) {
  if (text.length > MAX_OTHER_LENGTH || !/^\s*\{/.test(text)) return false
  const config = configText(text)
  if (config?.form !== "object" || config.isCut || isOtherText(config.rest)) return false
  const [keys, values] = [[...config.entries.keys()], [...config.entries.values()]]
  if (keys.some((key) => isSizeKey(usualKey(key)) || COUNT_KEY.test(key) || /[./]/.test(key))) return false
  /** Whether a value is large enough to be a total. */
  const mayBeTotal = (/** @type {unknown} */ value) => Number.isSafeInteger(value) && Number(value) >= MIN_TOTAL
  return values.some((value) => typeof value === "boolean") && !values.some(mayBeTotal)
}

/** Whether the text around a configuration shows that it is part of a sum, a print-out or a warning.
 * @param {string} rest */
function isOtherText(rest) {
  if (/newly initialized|not used when|LOAD REPORT|size mismatch|state_dict|(?<!print_)trainable/i.test(rest))
    return true
  return (
    (rest.match(/[0-9)]\s*[*×+]\s*[0-9(]/g) ?? []).length > 1 ||
    (rest.match(/[0-9][0-9,._]{3,}[0-9]/g) ?? []).length > 3
  )
}
