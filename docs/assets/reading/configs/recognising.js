// Recognises a configuration: keys and values that are those of a model. What a
// terminal or a log has put before each line is removed first. Sums, print-outs and
// warnings have keys and values too, and are left to their own readers.

import { linesOf } from "../clean.js"
import { isKeyOfModels, isSize, usualKey } from "./keys.js"
import { configText } from "./text.js"

/** @typedef {import("./text.js").ConfigText} ConfigText */

/** A key that a total or a count has. */
const COUNT_KEY = /(?:^|_)(?:totals?|params?|parameters?|sum|counts?)(?:_|$)/i
/** A product of letters or numbers, or a division with blanks around its sign. */
const PRODUCT = /[A-Za-z)]\s*[*×+·]\s*[A-Za-z0-9(]|[\w)]\s+\/\s+[\w(]/

const MAX_LENGTH_WITH_PREFIXES = 20_000 // characters of a text whose lines are cleaned one by one

/** The configuration in a text; null if it holds none.
 * @param {string} text @returns {ConfigText | null} */
export function configIn(text) {
  const config = configText(text)
  if (config && isConfig(config)) return config
  if (text.length > MAX_LENGTH_WITH_PREFIXES) return null
  // What a terminal, a mail or a log has put before each line is taken away; so are comments on lines of their own.
  const lines = linesOf(text).filter(({ source }) => !/^\s*(?:#|```|[-|:+=\s]+$)/.test(source))
  const again = configText(lines.map((line) => withPlainKey(line.text)).join("\n"))
  return again && isConfig(again) ? again : null
}

/** A line with a key as Python writes it: "hidden size: 768" becomes "hidden_size: 768", without words in another
 * language before it or in brackets after it, and with each option of a command line on a line of its own.
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
  if (isOtherText(rest)) return false
  const keys = [...entries.keys()]
  if (["weight_map", "cells", "__metadata__", "data_offsets"].some((key) => entries.has(key))) return false
  if (className) return true
  if (form === "object") {
    if (entries.has("peft_type")) return true
    if (["model_type", "architectures"].some((key) => entries.has(key))) return keys.some(isSize) || keys.length > 1
    return keys.filter(isSize).length > 1
  }
  // A line with a total or a product of letters belongs to a sum or a print-out.
  if (keys.some((key) => (COUNT_KEY.test(key) && !isKeyOfModels(key)) || PRODUCT.test(String(entries.get(key)))))
    return false
  const sizes = keys.filter((key) => isSize(usualKey(key)) && Number.isInteger(entries.get(key)))
  const keysOfModels = keys.filter((key) => isSize(usualKey(key)) || isKeyOfModels(key))
  if (sizes.length < 2 || keysOfModels.length * 2 <= keys.length) return false
  // Keys of people's own, such as "layers", are words of other texts as well, so that it takes more of them.
  const isWhole = ["hidden_size", "num_hidden_layers"].every((key) => sizes.some((size) => usualKey(size) === key))
  return sizes.some(isSize) || (isWhole && sizes.length > 2)
}

/** Characters of a file beside a model, such as that of its tokenizer. */
const MAX_OTHER_LENGTH = 20_000

/** The least number that may be a total. A file beside a model has lengths and widths, which are smaller, or a length
 * without a limit, which is not a safe integer. */
const MIN_TOTAL = 10_000

/** Whether a text is a file that lies beside a model but has none of its sizes, such as the one in which
 * sentence-transformers says how it pools: an object with switches and without large numbers or sums.
 * @param {string} text */
export function isOtherFile(text) {
  if (text.length > MAX_OTHER_LENGTH || !/^\s*\{/.test(text)) return false
  const config = configText(text)
  if (config?.form !== "object" || config.isCut || isOtherText(config.rest)) return false
  const [keys, values] = [[...config.entries.keys()], [...config.entries.values()]]
  if (keys.some((key) => isSize(usualKey(key)) || COUNT_KEY.test(key) || /[./]/.test(key))) return false
  /** Whether a value is large enough to be a total. */
  const mayBeTotal = (/** @type {unknown} */ value) => Number.isSafeInteger(value) && Number(value) >= MIN_TOTAL
  return values.some((value) => typeof value === "boolean") && !values.some(mayBeTotal)
}

/** Whether the text around a configuration is a sum, a print-out or a warning, of which the configuration is a part.
 * @param {string} rest */
function isOtherText(rest) {
  if (/newly initialized|not used when|LOAD REPORT|size mismatch|state_dict|(?<!print_)trainable/i.test(rest))
    return true
  return (
    (rest.match(/[0-9)]\s*[*×+]\s*[0-9(]/g) ?? []).length > 1 || (rest.match(/[0-9][0-9,._]{4,}/g) ?? []).length > 3
  )
}
