// Explains JSON texts about a model that have none of its sizes: the files of tokenizers, of
// sentence-transformers and of DeepSpeed, the index of a model's weights, and what the Hub's API
// returns for a model.

import { textOf } from "../../counting/messages.js"
import { accountOfLabels } from "../labels/account.js"
import { fitsOfTotal } from "../labels/totals.js"
import { accountInSentences, code, enumeration, link, words } from "../words.js"
import { refusal } from "./refusals.js"
import { configText } from "./text.js"

const MAX_LENGTH = 2 ** 20 // the maximum number of characters of one of these files
const MAX_MODULES = 8 // the maximum number of modules that a sentence names

/** The files without sizes, each with keys that must all occur in it. @type {[keys: string[], words: string][]} */
const FILES = [
  [["added_tokens", "model"], "a tokenizer, with its vocabulary"],
  [["tokenizer_class"], "a tokenizer's config"],
  [["unk_token", "mask_token"], "a tokenizer's list of special tokens"],
  [["__version__"], "sentence-transformers' list of versions and prompts"],
  [["zero_optimization"], "DeepSpeed's training config"],
  [["train_micro_batch_size_per_gpu"], "DeepSpeed's training config"],
]

/** The account of a file beside a config; null for any other text. @param {string} text @returns {Account | null} */
export function accountOfOtherFile(text) {
  if (text.length > MAX_LENGTH || !/^\s*[[{]/.test(text)) return null
  if (/^\s*\[/.test(text)) return accountOfModules(text)
  const { entries } = configText(text) ?? {}
  if (!entries) return null
  const [, file] = FILES.find(([keys]) => keys.every((key) => entries.has(key))) ?? []
  if (file) return refusal(words`This is ${file}: ${textOf("no-sizes")}.`)
  return accountOfHubModel(text, entries.get("safetensors")) ?? accountOfDense(entries)
}

/** The class of a model, as the Hub's API gives it. */
const CLASS_IN_CONFIG = /"architectures"\s*:\s*\[\s*"(\w{1,60})"/

/** The account of what the Hub's API returns for a model, by its class and the numbers in its files; null if it gives
 * no numbers.
 * @param {string} text @param {unknown} files  the value of `safetensors` @returns {Account | null} */
function accountOfHubModel(text, files) {
  if (typeof files !== "object" || !files || !("parameters" in files)) return null
  const [, modelClass = ""] = CLASS_IN_CONFIG.exec(text) ?? []
  return accountOfLabels(`${modelClass} ${JSON.stringify(files)}`)
}

/** The account of the config of sentence-transformers' dense layer; null for any other.
 * @param {Map<string, unknown>} entries */
function accountOfDense(entries) {
  const [inputs, outputs] = ["in_features", "out_features"].map((key) => Number(entries.get(key)))
  const hasBias = entries.get("bias") !== false
  const total = inputs * outputs + (hasBias ? outputs : 0)
  if (!Number.isSafeInteger(total) || total <= 0) return null
  const bias = hasBias ? words` + ${outputs}` : ""
  return accountInSentences(
    words`This is the config of one dense layer, from ${inputs} to ${outputs} features: ${inputs} × ${outputs}${bias} = ${total} parameters.`,
    [words`They come on top of those of the model before it, which has a config.json of its own.`],
  )
}

/** The config of a dense layer in a text. */
const DENSE_CONFIG = /\{[^{}]{0,400}"in_features"[^{}]{0,400}\}/

/** The account of sentence-transformers' modules.json, a list of modules, or of the config of a dense layer below it;
 * null for any other list.
 * @param {string} text */
function accountOfModules(text) {
  const types = [...text.matchAll(/"type"\s*:\s*"sentence_transformers\.[\w.]{0,60}\.(\w{1,40})"/g)]
  if (!types.length) return null
  const { entries } = configText(DENSE_CONFIG.exec(text)?.[0] ?? "") ?? {}
  const denseAccount = entries ? accountOfDense(entries) : null
  if (denseAccount) return denseAccount
  const names = enumeration(types.slice(0, MAX_MODULES).map(([, name]) => code(name)))
  return refusal(
    words`This is sentence-transformers' list of a model's modules, ${names}: it has none of their sizes, which are in the config.json of each module.`,
    [words`Pooling and normalisation have no parameters.`],
  )
}

/** The account of the index of a model's weights, by the number of bytes in it; null for any other text, and for a
 * number that 4 does not divide.
 * @param {string} text @returns {Account | null} */
export function accountOfIndex(text) {
  if (text.length > MAX_LENGTH || !text.includes('"weight_map"')) return null
  const [, digits = ""] = /"total_size"\s*:\s*([0-9]{1,15})\b/.exec(text) ?? []
  const bytes = Number(digits)
  if (!bytes || bytes % 4) return null
  const [fit = null] = fitsOfTotal(bytes / 4)
  const account = accountInSentences(
    words`${code("total_size")} is in bytes: ${bytes} are ${bytes / 4} parameters of 4 bytes each (float32), or ${bytes / 2} of 2 bytes.`,
    [],
  )
  if (!fit) return account
  const { model, modelClass } = fit.line
  return {
    ...account,
    headline: [
      ...account.headline,
      ...words` ${bytes / 4} is ${link(model.page, model.title)}, as ${code(modelClass)}.`,
    ],
    model: { name: model.name, modelClass, total: bytes / 4 },
  }
}
