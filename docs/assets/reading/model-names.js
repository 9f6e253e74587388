// Models by name: an id of the hub, its address, a name in words such as "BERT large", and
// a class of transformers beside it. A name that is not known is answered with a name
// that is close in kind, or with none: another family of models is no suggestion.

import table from "../../data/table.js"
import { ofModel } from "../counting/configuration.js"
import { classes, classOfBare, models } from "../counting/engine.js"
import { cut } from "../counting/short.js"
import { extras, linesOfClasses, totalIn, wayIntoCalculator } from "./model-account.js"
import { code, listed, words } from "./words.js"

/** @typedef {{ model: Model, name: string, isAlso: boolean, isSure: boolean }} NamedModel
 * A model; the name that was read, whether it is that of another checkpoint with the same sizes, and whether it is
 * surely that checkpoint's. */

/** Characters of a text that may be a name. */
const LONGEST = 160

/** Who publishes the models in the table, on the hub. Names of others may stand for other models. */
export const ORGANISATIONS = new Set([
  "google-bert",
  "google",
  "facebookai",
  "distilbert",
  "albert",
  "microsoft",
  "sentence-transformers",
  "cross-encoder",
  "nreimers",
  "intfloat",
  "baai",
  "thenlper",
  "facebook",
  "prosusai",
  "nlpaueb",
  "allenai",
  "dmis-lab",
  "emilyalsentzer",
  "huawei-noah",
  "deepset",
  "dccuchile",
  "neuralmind",
  "aubmindlab",
  "skt",
  "klue",
  "tohoku-nlp",
  "cl-tohoku",
  "cointegrated",
  "ai-forever",
  "answerdotai",
  "vinai",
  "hfl",
  "deeppavlov",
  "mixedbread-ai",
])

/** Every name of a checkpoint in small letters, with the model that has its sizes.
 * @type {Map<string, { model: Model, name: string, isAlso: boolean }>} */
const BY_NAME = new Map()
for (const model of table.models)
  for (const name of [model.name, ...(model.also ?? [])])
    if (model.group !== "course" && !BY_NAME.has(name.toLowerCase()))
      BY_NAME.set(name.toLowerCase(), { model, name, isAlso: name !== model.name })

// --- Reading a name -------------------------------------------------------------

const ADDRESS = /^(?:https?:\/\/)?(?:www\.)?(?:huggingface\.co|hf\.co|hf-mirror\.com)\/(?:models\/)?/i
const FROM_PRETRAINED =
  /^(?:\w+\s*=\s*)?(?:transformers\.)?(\w+)\.from_pretrained\(\s*["']([^"'\n]{1,120})["'][^()\n]*\)\s*;?$/

/** A name without address, quotation marks and the words around it.
 * @param {string} text */
function bareName(text) {
  const name = text
    .trim()
    .replace(/^["'`(]+|["'`),.;?]+$/g, "")
    .trim()
  if (!ADDRESS.test(name))
    return { name: name.replace(/^(?:model|name)\s*[:=]\s*/i, "").replace(/^["'`]|["'`]$/g, ""), isAddress: false }
  const [owner = "", repository = ""] = name.replace(ADDRESS, "").split(/[?#]/)[0].split("/")
  return { name: isFolder(repository) || !repository ? owner : `${owner}/${repository}`, isAddress: true }
}

/** Whether a part of an address is below a model's own. @param {string} part */
const isFolder = (part) => ["tree", "blob", "resolve", "discussions", "raw"].includes(part)

/** The model of a name or of an id of the hub; null if none has it.
 * @param {string} text @returns {NamedModel | null} */
export function modelOfName(text) {
  const name = text.trim().replace(/\/+$/, "").toLowerCase()
  const whole = BY_NAME.get(name)
  if (whole) return { ...whole, isSure: true }
  const [owner, last, ...more] = name.split("/")
  if (more.length || !last) return null
  const own = BY_NAME.get(last)
  return own ? { ...own, isSure: ORGANISATIONS.has(owner) } : null
}

// --- Names in words --------------------------------------------------------------

/** @param {string} text */
const tokensOf = (text) =>
  text
    .toLowerCase()
    .replace(/中文|汉语|漢語/g, " chinese ")
    .replace(/多语言|多語言/g, " multilingual ")
    .replace(/\bm-?bert\b/g, "multilingual bert")
    .replace(/\bxlm-?r\b/g, "xlm roberta")
    .replace(/\bxlmroberta\b/g, "xlm roberta")
    .replace(/\b(bert|roberta|electra|albert)[-_{ ]*(base|large|tiny|mini|small|medium)\b/g, "$1 $2")
    .replace(/\bdebertav3\b/g, "deberta v3")
    .replace(/whole[ -]word[ -]mask(?:ing|ed)?|\bwwm\b/g, "whole word masking")
    .match(/[a-z]+[0-9]*|[0-9]+/g) ?? []

/** Words around a name that say nothing about it. */
const AROUND = new Set(
  `a an and are by count counts does exact exactly for from google has have hf hub hugging face how huggingface in is
  its many me model models much number of original paper params param parameter parameters pretrained pre please
  released show size tell the there total trained version what whats english en
  参数 参数量`.split(/\s+/),
)

const SIZES = ["base", "large", "small", "xsmall", "xlarge", "xxlarge", "tiny", "mini", "medium"]

/** Words that are in many names and name no family alone. */
const COMMON = new Set([
  ...SIZES,
  ...["uncased", "cased", "multilingual", "chinese", "german", "japanese", "spanish", "version", "layers", "layer"],
  ...[
    "v1",
    "v2",
    "v3",
    "whole",
    "word",
    "masking",
    "with",
    "and",
    "retrained",
    "miniature",
    "miniatures",
    "discriminator",
  ],
  ...["generator", "l", "h", "a", "en", "zh", "m3", "lm", "wwm", "general", "qa", "multi", "cos", "arabertv", "xlm"],
])

const IN_WORDS = [...models.values()]
  .filter(({ group }) => group !== "course")
  .map((model) => ({
    model,
    tokens: new Set([...tokensOf(model.title), ...tokensOf(model.name)]),
    title: tokensOf(model.title),
  }))

/** The models whose title or name has all of some words, those with the fewest other words in their title first.
 * @param {string[]} tokens @returns {Model[]} */
function modelsInWords(tokens) {
  if (!tokens.some((token) => !COMMON.has(token) && !/^[0-9]+$/.test(token))) return []
  // DeBERTa without a version is the first one, which is another model.
  if (tokens.includes("deberta") && !tokens.includes("v3")) return []
  const excess = (/** @type {string[]} */ title) => title.filter((token) => !tokens.includes(token)).length
  return IN_WORDS.filter((one) => tokens.every((token) => one.tokens.has(token)))
    .sort((one, other) => excess(one.title) - excess(other.title))
    .map(({ model }) => model)
}

/** The same, of the size that is meant if none is named.
 * @param {string[]} tokens */
function meantInWords(tokens) {
  const isSized = tokens.some((token) => SIZES.includes(token) || /^[0-9]+$/.test(token))
  const base = isSized ? [] : modelsInWords([...tokens, "base"])
  return base.length ? base : modelsInWords(tokens)
}

// --- What is close ----------------------------------------------------------------

/** The number of characters to insert, delete, replace or swap to get from one text to another; more than `most` is not
 * told apart.
 * @param {string} one @param {string} other @param {number} most */
function distance(one, other, most) {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let [last, row] = [/** @type {number[]} */ ([]), Array.from({ length: other.length + 1 }, (_, place) => place)]
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1]
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        next[j] = Math.min(next[j], last[j - 2] + 1)
    }
    ;[last, row] = [row, next]
  }
  return row[other.length]
}

/** The numbers in a name: one that differs in them is another model. @param {string} name */
const numbersIn = (name) => (name.match(/[0-9]+/g) ?? []).join()

/** The known name that an unknown one may be a misspelling of; null if none is close.
 * @param {string} name @returns {string | null} */
export function suggestionFor(name) {
  const last = (name.toLowerCase().split("/").pop() ?? "").replaceAll("_", "-").slice(0, LONGEST)
  const most = last.length < 8 ? 1 : last.length < 16 ? 2 : 3
  let [best, least] = [/** @type {string | null} */ (null), most + 1]
  for (const [other, { name: own }] of BY_NAME) {
    const known = other.split("/").pop()?.replaceAll("_", "-") ?? ""
    if (numbersIn(known) !== numbersIn(last)) continue
    const far = distance(last, known, most)
    if (far < least) [best, least] = [own, far]
  }
  return best
}

/** The known checkpoint from whose name another name begins, as those of fine-tuned models do.
 * @param {string} last @returns {NamedModel | null} */
function origin(last) {
  const name = last.toLowerCase()
  const known = [...BY_NAME.keys()].filter((one) => name.startsWith(`${one}-`) || name.startsWith(`${one}_`))
  const [longest] = known.sort((one, other) => other.length - one.length)
  const found = longest && BY_NAME.get(longest)
  return found ? { ...found, isSure: false } : null
}

// --- The account -------------------------------------------------------------------

/** Models that are none of BERT's family and have names of one word. */
const OF_OTHERS =
  /^(?:gpt-?[0-9j]|gpt-?neo|distilgpt2|t5|mt5|flan|bart|mbart|llama|mistral|mixtral|qwen|gemma|phi-?[0-9]|falcon|bloom|opt-[0-9]|clip|vit-|whisper|wav2vec|xlnet|bigbird|longformer|pegasus|deepseek)/i

/** Whether an unknown name has the form of a model's: an id of the hub, or one of a family that is known here.
 * @param {string} name */
function isLikeName(name) {
  if (!/^[\w.-]{1,96}(?:\/[\w.-]{1,96})?$/.test(name) || !/[a-z]/i.test(name)) return false
  const [owner, last] = name.split("/")
  if (!last)
    return (
      OF_OTHERS.test(name) ||
      (/[-_]/.test(name) && /bert|electra|mpnet|minilm/i.test(name) && !/[._](?:weight|bias|layer)/.test(name))
    )
  if (
    !/[a-z]/i.test(owner) ||
    /^(?:kernel|bias|gamma|beta|weight|dense|self|output|query|key|value)\b|^layer_?[0-9]*$/i.test(last)
  )
    return false
  return (
    ORGANISATIONS.has(owner.toLowerCase()) ||
    OF_OTHERS.test(last) ||
    /bert|electra|mpnet|minilm/i.test(last) ||
    (/[-_.0-9]/.test(last) && /[a-z]{2}/i.test(last) && /[a-z]{2}/i.test(owner))
  )
}

/** The account of a model's name; null if a text is none.
 * @param {string} text @returns {Account | null} */
export function accountOfName(text) {
  const line = text.trim()
  if (!line || line.length > LONGEST || line.includes("\n")) return null
  const [, loader = "", loaded = ""] = FROM_PRETRAINED.exec(line) ?? []
  const { name, isAddress } = bareName(loaded || line)
  const named = modelOfName(name)
  if (named) return ofName(named, loader, [])
  const isOneWord = !/\s/.test(name)
  const last = name.split("/").pop() ?? ""
  const derived = isOneWord ? origin(last) : null
  if (derived) return ofOrigin(derived, last, loader)
  const inWords = inWordsOf(isOneWord ? last : name)
  if (inWords && (!name.includes("/") || isLikeName(name) || isAddress))
    return ofName(inWords.named, loader || inWords.modelClass, inWords.others)
  return isOneWord && (isAddress || loaded || isLikeName(name)) ? unknown(name) : null
}

/** The model that a text names in words, the class beside it, and other models that have these words; null if a word
 * belongs to no name.
 * @param {string} text @returns {{ named: NamedModel, modelClass: string, others: Model[] } | null} */
function inWordsOf(text) {
  const pieces = text.split(/[\s,;()?!:"']+/).filter(Boolean)
  const modelClass = pieces.find((piece) => classes.has(piece.replace(/^(?:TF|Flax)/, ""))) ?? ""
  const rest = pieces.filter((piece) => piece !== modelClass).join(" ")
  if (/[^\x20-\x7e\p{L}]/u.test(rest) || /(?:^|\s)[0-9][0-9.,]*[a-z%]?(?:\s|$)/i.test(rest)) return null
  const exact = rest.split(" ").map((piece) => modelOfName(piece))
  const tokens = tokensOf(rest).filter((token) => !AROUND.has(token))
  const letters = rest.replace(/[\x20-\x7e]|中文|汉语|漢語|多语言|多語言|参数量?|的|有多少|是多少/g, "")
  if (letters) return null
  const known = exact.find(Boolean)
  const besides = known
    ? rest
        .split(" ")
        .filter((_, place) => !exact[place])
        .flatMap(tokensOf)
        .filter((token) => !AROUND.has(token))
    : []
  if (known && !besides.length) return { named: known, modelClass, others: [] }
  const architecture = modelClass && classes.get(modelClass.replace(/^(?:TF|Flax)/, "")).architecture
  if (!tokens.length) {
    const first = architecture ? table.models.find((model) => model.architecture === architecture) : undefined
    return first
      ? { named: { model: first, name: first.name, isAlso: false, isSure: false }, modelClass, others: [] }
      : null
  }
  const [model, ...others] = meantInWords([...new Set(tokens)])
  return model ? { named: { model, name: model.name, isAlso: false, isSure: false }, modelClass, others } : null
}

/** The account of a known model.
 * @param {NamedModel} named @param {string} loader  the class that is named beside it, if any
 * @param {Model[]} others  other models that may be meant
 * @returns {Account} */
function ofName({ model, name, isAlso, isSure }, loader, others) {
  const configuration = ofModel(model.name, loader.replace(/^(?:TF|Flax)/, ""))
  const { modelClass } = configuration
  const total = /** @type {number} */ (totalIn(configuration, modelClass))
  const title = isAlso ? words`${name}, which has the sizes of ${model.title},` : words`${model.title},`
  const findings = [wayIntoCalculator(configuration, modelClass)]
  const bare = classOfBare(model.architecture)
  if (modelClass === bare)
    findings.push({
      weight: 20,
      words: words`This is the bare model; a class with a head has more, as the list shows.`,
      amount: null,
    })
  const alternatives = others.slice(0, 3).flatMap((other) => {
    const otherTotal = totalIn(ofModel(other.name, loader), ofModel(other.name, loader).modelClass)
    return otherTotal === null || otherTotal === total ? [] : [words`${other.title}, has ${otherTotal}`]
  })
  if (alternatives.length)
    findings.push({ weight: 30, words: words`If you mean another: ${listed(alternatives)}.`, amount: null })
  return {
    kind: "name",
    headline: words`${title} has ${total} parameters as ${code(modelClass)}${extras(configuration, modelClass)}.`,
    findings: findings.sort((one, other) => other.weight - one.weight),
    lines: linesOfClasses(configuration),
    bridge: null,
    model: { name: model.name, modelClass, total },
    confidence: isSure ? "certain" : "likely",
  }
}

/** The account of a model that is not known, but whose name begins as a known one's.
 * @param {NamedModel} named @param {string} name @param {string} loader @returns {Account} */
function ofOrigin(named, name, loader) {
  const account = ofName(named, loader, [])
  const { modelClass, total } = /** @type {NonNullable<Account["model"]>} */ (account.model)
  return {
    ...account,
    headline: words`We do not know ${code(cut(name, 80))}. If it is ${named.isAlso ? named.name : named.model.title}, fine-tuned, as its name suggests, it has ${total} parameters as ${code(modelClass)}.`,
    findings: [
      {
        weight: 40,
        words: words`Its own config.json says which class it is and how many labels it has: paste it here.`,
        amount: null,
      },
      ...account.findings,
    ],
    confidence: "possible",
  }
}

/** The account of a name that is not known.
 * @param {string} name @returns {Account} */
function unknown(name) {
  const near = suggestionFor(name)
  const hint = near ? words` Did you mean ${code(near)}?` : []
  return {
    kind: "refusal",
    headline: words`We do not know a model called ${code(cut(name, 80))}.${hint}`,
    findings: [
      {
        weight: 10,
        words: words`Paste its config.json, or drop its safetensors file: the header counts any model exactly.`,
        amount: null,
      },
    ],
    lines: [],
    bridge: null,
    model: null,
    confidence: "certain",
  }
}
