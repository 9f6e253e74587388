// Reads the settings that a sentence gives a class: "BertForMaskedLM with hidden_size 512, 8 layers
// and an intermediate size of 2048". A key may have spaces for underscores, and a number may come
// before the name of what it counts.

import table from "../../../data/table.js"
import { architectures } from "../../counting/engine.js"
import { partsIn } from "../labels/mentions.js"
import { DEFAULTS, isKeyOfModels, isSizeKey, usualKey } from "./keys.js"
import { architectureNamedIn, countModelClasses } from "./named-classes.js"
import { valueOfUnquoted } from "./reader.js"

const MAX_LENGTH = 2000 // characters
const MAX_WORDS = 6 // the maximum number of words of a key before the last one
const MIN_TOTAL = 1_000_000 // a number as large as this is a total, rather than a size

/** Patterns for the texts that settings may have as values, such as "layer_norm". */
const TEXTS = table.configs.settings
  .flatMap(({ values = [] }) => values)
  .filter((value) => typeof value === "string" && value !== "")
  .map((value) => String(value).replaceAll("|", "\\|"))

const NUMBER = String.raw`[0-9][0-9_]*(?:,[0-9]{3})*(?:\.[0-9]+)?(?:e-?[0-9]+)?(?![\w%])`
const VALUE = String.raw`(?:${NUMBER}|True|False|None|true|false|null|${TEXTS.join("|")})(?!\w)`
/** Words, of which one in the middle may begin with a digit, as in "max 2d position embeddings". */
const WORDS = String.raw`(?:\b[A-Za-z]\w{0,60}[ -](?:[0-9][a-z]\w{0,60}[ -])?){0,${MAX_WORDS}}\b[A-Za-z]\w{0,60}`

/** Words with a value after them, perhaps with a sign between. */
const WORDS_AND_VALUE = new RegExp(
  String.raw`(?<words>${WORDS})(?:\s?[:=]\s?|\s)["'\u0060]?(?<value>${VALUE})["'\u0060]?`,
  "g",
)
/** A number with the name of what it counts after it. */
const NUMBER_AND_WORDS = new RegExp(String.raw`(?<value>(?<![\w.=])${NUMBER})[ -](?<words>${WORDS})`, "g")

/** Words for labels, whose number has the key num_labels. */
const LABELS = /^(?:labels|classes)$/

/** The key that the last or the first words of a text name, and the other words; null if they name none.
 * @param {string} text @param {boolean} isAtEnd  whether the last words are meant */
function keyIn(text, isAtEnd) {
  const words = text.replace(/\s(?:of|is|to|as|equals?)$/, "").split(/[ -]/)
  for (let count = words.length; count; count--) {
    const [nameWords, otherWords] = isAtEnd
      ? [words.slice(-count), words.slice(0, -count)]
      : [words.slice(0, count), words.slice(count)]
    const name = nameWords.join("_").toLowerCase()
    const key = LABELS.test(name) ? "num_labels" : name
    if (isKeyOfModels(key) || isSizeKey(usualKey(key))) return { key, others: otherWords.join(" ") }
  }
  return null
}

/** The settings that matches of a pattern give, and the text without them.
 * @param {string} text @param {RegExp} pattern @param {boolean} isKeyBefore  whether a key comes before its value */
function settingsIn(text, pattern, isKeyBefore) {
  /** @type {[key: string, value: unknown][]} */
  const settings = []
  const rest = text.replace(pattern, (match, ...args) => {
    const { words, value } = args.at(-1)
    const setting = keyIn(words, isKeyBefore)
    if (!setting || Number(valueOfUnquoted(value)) >= MIN_TOTAL) return match
    settings.push([setting.key, valueOfUnquoted(value)])
    return `${setting.others} `
  })
  return { settings, rest }
}

const MIN_SIZES = 3 // the minimum number of sizes in a sentence; with fewer, a question supposes changes of a published model

/** Whether a sentence gives enough sizes, or the number of labels and one size that differs from the default. If it
 * gives a hidden size other than the default, it must also give the inner width, which otherwise might follow from it.
 * @param {Map<string, unknown>} entries @param {string} architecture */
function hasEnoughSizes(entries, architecture) {
  const { keys } = architectures.get(architecture)
  const defaults = DEFAULTS[architecture]
  /** @type {Map<string, unknown>} */
  const sizes = new Map(
    [...entries].map(([key, value]) => [Object.values(keys).includes(key) ? key : usualKey(key), value]),
  )
  const sizeKeys = [...sizes.keys()].filter(isSizeKey)
  const isOtherWithLabels = entries.has("num_labels") && sizeKeys.some((key) => sizes.get(key) !== defaults[key])
  const hasUsualWidth = !sizes.has(keys.H) || sizes.get(keys.H) === defaults[keys.H]
  return (sizeKeys.length >= MIN_SIZES || isOtherWithLabels) && (hasUsualWidth || sizes.has(keys.F))
}

/** A number that may be a rounded total. */
const ROUNDED_NUMBER = /[0-9]\s?(?:M|B|k|million|billion)\b/i
/** Words of questions about things other than the total of a model. */
const OTHER_QUESTION =
  /\b(?:memory|bytes?|[GM]i?B|flops?|macs|gpus?|trainable|trained|frozen|freez\w*|lora|adapters?|difference|(?:per|one|each|every|single) layer)\b/i

/** A line break, a bracket of an object, or one directly after a name, as in a call. */
const CODE = /[{}\n]|\w\(/

/** The configuration that a sentence gives a class; null for any other text, for a sentence with too few sizes, for one
 * with a number that may be a rounded total, and for a question on a part or on anything other than parameters.
 * @param {string} text @returns {import("./text.js").ConfigText | null} */
export function configInSentence(text) {
  const isSentence = text.length <= MAX_LENGTH && !CODE.test(text.trim()) && countModelClasses(text) === 1
  const architecture = isSentence ? architectureNamedIn(text) : ""
  if (!architecture) return null
  const withKeysFirst = settingsIn(text, WORDS_AND_VALUE, true)
  const { settings, rest } = settingsIn(withKeysFirst.rest, NUMBER_AND_WORDS, false)
  const entries = new Map([...withKeysFirst.settings, ...settings])
  if (!hasEnoughSizes(entries, architecture) || ROUNDED_NUMBER.test(rest)) return null
  if (OTHER_QUESTION.test(rest) || partsIn(rest).length) return null
  return { className: "", form: "lines", entries, isCut: false, repeatedKeys: [], rest, furtherConfigs: 0 }
}
