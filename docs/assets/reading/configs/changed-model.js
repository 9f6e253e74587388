// Reads the configuration that code derives from a published model's: from_pretrained with other
// sizes, as arguments, in a call of update(), or assigned to attributes of the config.

import { publishedModels, read } from "../../counting/configuration.js"
import { architectures } from "../../counting/engine.js"
import { modelOfName } from "../model-names.js"
import { vocabularySizeIn } from "../resizing.js"
import { isSizeKey } from "./keys.js"
import { laterValuesIn } from "./text.js"

const MAX_LENGTH = 10_000 // characters; longer code does more than change a configuration

/** A call that loads a model or its configuration, with further arguments. */
const CALL = /\.from_pretrained\(\s*["']([^"'\n]{1,120})["']((?:[^()]|\([^()\n]{0,200}\)){0,1000})\)/
/** A dictionary with which a configuration is updated. */
const UPDATE = /\.update\(\s*\{([^{}]{1,1000})\}/g
/** An argument, or an entry of a dictionary, whose value is a whole number. */
const SIZE = /["']?\b([a-z]\w{0,60})["']?\s*[=:]\s*([0-9][0-9_]{0,15})(?![\w.*])/g

/** The keys and sizes in the arguments of a call or the entries of a dictionary. @param {string} text
 * @returns {[key: string, value: unknown][]} */
const sizesIn = (text) => [...text.matchAll(SIZE)].map(([, key, digits]) => [key, Number(digits.replaceAll("_", ""))])

/** A module or a tensor of a print-out, which shows what the code has built. */
const PRINT_OUT = /\(\w+\): \w+\(|torch\.Size|\.(?:weight|bias)\b/

/** The configuration that code derives from a published model's by changing sizes; null for any other text, and for code
 * with a print-out.
 * @param {string} text @returns {import("./text.js").ConfigText | null} */
export function changedConfigIn(text) {
  const call = text.length > MAX_LENGTH || PRINT_OUT.test(text) ? null : CALL.exec(text)
  const { model } = (call && modelOfName(call[1])) ?? {}
  if (!call || !model) return null
  const below = text.slice(call.index + call[0].length)
  const updates = [...below.matchAll(UPDATE)].flatMap(([, entries]) => sizesIn(entries))
  const changes = [...sizesIn(call[2]), ...updates, ...laterValuesIn(below)]
  if (!changes.some(([key]) => isSizeKey(key))) return null
  const { name: architecture, keys } = architectures.get(model.architecture)
  const sizes = Object.entries(keys).flatMap(([letter, key]) =>
    letter in model.sizes ? [/** @type {const} */ ([key, model.sizes[letter]])] : [],
  )
  const entries = [/** @type {const} */ (["model_type", architecture]), ...sizes]
  // Without their other settings, the configurations of some models are those of others.
  const { configuration } = read(JSON.stringify(Object.fromEntries(entries)))
  if (!configuration || !publishedModels(configuration).includes(model)) return null
  return {
    className: "",
    form: "object",
    entries: new Map([...entries, ...changes, ...vocabularySizeIn(below)]),
    isCut: false,
    repeatedKeys: [],
    rest: text,
    furtherConfigs: 0,
  }
}
