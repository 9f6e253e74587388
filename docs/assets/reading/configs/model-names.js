// Models by name: an id of the hub, its address, a name in words such as "BERT large", and
// a class of transformers beside it. A name that is not known is answered with a name
// that is close in kind, or with none: another family of models is no suggestion.

import table from "../../../data/table.js"
import { ofModel } from "../../counting/configuration.js"
import { classes, classOfBare, models } from "../../counting/engine.js"
import { cut } from "../../counting/short.js"
import { code, listed, words } from "../words.js"
import { extras, linesOfClasses, totalIn, wayIntoCalculator } from "./model-account.js"

/** @typedef {{ model: Model, name: string, isAlso: boolean, isSure: boolean }} NamedModel
 * A model; the name that was read, whether it is that of another checkpoint with the same sizes, and whether it is
 * surely that checkpoint's. */

/** Characters of a text that may be a name. */
const LONGEST = 160

/** A class of transformers without the prefix of TensorFlow and Flax, whose tensors are the same. @param {string} name */
export const inTorch = (name) => name.replace(/^(?:TF|Flax)(?=[A-Z])/, "")

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
  for (const name of [model.name, ...(model.also ?? [])]) {
    // Nobody published a model under the name of a course.
    const isCourse = model.group === "course" && name === model.name
    if (!isCourse && !BY_NAME.has(name.toLowerCase()))
      BY_NAME.set(name.toLowerCase(), { model, name, isAlso: name !== model.name })
  }

/** The same without hyphens and the like, for "bert_base_uncased" and "ms-marco-MiniLM-L-6-v2".
 * @param {string} name */
const squeezed = (name) => name.replace(/[-_.]/g, "")

const BY_SQUEEZED = new Map([...BY_NAME].map(([name, named]) => [squeezed(name), named]))

/** The folders of google-research/bert, such as uncased_L-12_H-768_A-12, by what stands before and after the first
 * underscore of their sizes. @type {Record<string, string>} */
const FOLDERS = {
  "uncased 12 768 12": "bert-base-uncased",
  "cased 12 768 12": "bert-base-cased",
  "uncased 24 1024 16": "bert-large-uncased",
  "cased 24 1024 16": "bert-large-cased",
  "wwm_uncased 24 1024 16": "bert-large-uncased-whole-word-masking",
  "wwm_cased 24 1024 16": "bert-large-cased-whole-word-masking",
  "multi_cased 12 768 12": "bert-base-multilingual-cased",
  "multilingual 12 768 12": "bert-base-multilingual-uncased",
  "chinese 12 768 12": "bert-base-chinese",
}

/** The name of the model in a folder of google-research/bert, or the text itself. @param {string} text */
function withoutFolder(text) {
  const [, kind, ...sizes] = /^([a-z_]+)_l-([0-9]+)_h-([0-9]+)_a-([0-9]+)(?:\.zip)?$/.exec(text) ?? []
  const name = kind && (FOLDERS[[kind, ...sizes].join(" ")] ?? (kind === "uncased" ? `bert_${text}` : ""))
  return (name || text).replace(/\.zip$/, "")
}

// --- Reading a name -------------------------------------------------------------

const ADDRESS = /^(?:https?:\/\/)?(?:www\.)?(?:huggingface\.co|hf\.co|hf-mirror\.com)\/(?:models\/)?/i
const ASSIGNED =
  /^(?:model|name|checkpoint|model[_ ]?(?:name|id|checkpoint)(?:_or_path)?|pretrained_model_name_or_path)\s*[:=]\s*/i
const FILE = /\.(?:json|txt|bin|safetensors|py|md|csv|pt|pth|h5|ckpt|gguf|onnx|ipynb|log|ya?ml)$/i
const FROM_PRETRAINED =
  /^(?:\w+\s*=\s*)?(?:transformers\.)?(\w+)\.from_pretrained\(\s*["']([^"'\n]{1,120})["']([^()\n]*)\)\s*;?$/

/** A name without address, quotation marks and the words around it.
 * @param {string} text */
function bareName(text) {
  const name = text
    .trim()
    .replace(/^["'`(]+|["'`),.;?]+$/g, "")
    .trim()
  if (!ADDRESS.test(name)) return { name: name.replace(ASSIGNED, "").replace(/^["'`]|["'`]$/g, ""), isAddress: false }
  const [owner = "", repository = ""] = name.replace(ADDRESS, "").split(/[?#]/)[0].split("/")
  return { name: isFolder(repository) || !repository ? owner : `${owner}/${repository}`, isAddress: true }
}

/** Whether a part of an address is below a model's own. @param {string} part */
const isFolder = (part) => ["tree", "blob", "resolve", "discussions", "raw"].includes(part)

/** The model of a name or of an id of the hub; null if none has it.
 * @param {string} text @returns {NamedModel | null} */
export function modelOfName(text) {
  const name = withoutFolder(text.trim().replace(/\/+$/, "").toLowerCase())
  const whole = BY_NAME.get(name)
  if (whole) return { ...whole, isSure: true }
  const [owner, last, ...more] = name.split("/")
  if (more.length || !owner) return null
  const own = (last && BY_NAME.get(last)) || BY_SQUEEZED.get(squeezed(last ?? owner))
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
    .replace(/\b([0-9]+) layers?\b/g, "$1")
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
  ...["generator", "l", "h", "a", "en", "zh", "m3", "lm", "wwm", "general", "qa", "multi", "cos", "arabertv"],
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
  const all = IN_WORDS.filter((one) => tokens.every((token) => one.tokens.has(token))).sort(
    (one, other) => excess(one.title) - excess(other.title),
  )
  // The others are of the same family: XLM-RoBERTa is not among those called RoBERTa.
  const first = all[0]?.title.filter((token) => !COMMON.has(token)).join(" ")
  const isAlike = (/** @type {string[]} */ title) => title.filter((token) => !COMMON.has(token)).join(" ") === first
  return all.filter(({ title }) => isAlike(title)).map(({ model }) => model)
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

/** The words in a name that say which family of models it is of. @param {string} name */
const familyOf = (name) =>
  tokensOf(name.replaceAll("_", "-")).filter((token) => !COMMON.has(token) && !/^[0-9]+$/.test(token))

/** @param {string} name */
const sizesIn = (name) => tokensOf(name).filter((token) => SIZES.includes(token))

const FAMILIES = new Set([...BY_NAME.keys()].flatMap(familyOf))

/** Whether a known name is of the family that an unknown one says or misspells.
 * @param {string} unknown @param {string} known */
function isOfOneFamily(unknown, known) {
  const [own, other] = [familyOf(unknown), familyOf(known)]
  const most = (/** @type {string} */ word) => (word.length < 7 ? 1 : 2)
  const isNear = (/** @type {string} */ word) =>
    own.some((one) => (FAMILIES.has(one) ? one === word : distance(one, word, 2) <= most(word)))
  if (sizesIn(unknown).some((size) => !sizesIn(known).includes(size))) return false
  return own.every((word) => !FAMILIES.has(word) || other.includes(word)) && other.every(isNear)
}

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
    if (far < least && isOfOneFamily(last, known)) [best, least] = [own, far]
  }
  return best
}

/** Words after the name of a checkpoint that say that it was fine-tuned, and so has the same body. */
const FINE_TUNED =
  /fine-?_?tun|squad|sst-?[0-9]|nli|\bner\b|\bpos\b|conll|imdb|yelp|qqp|mrpc|\brte\b|cola|\bsts|news|emotion|sentiment|toxic|hate|spam|offens|irony|detect|classif|\bqa\b|question/

/** Whether a name is that of a fine-tuned model. @param {string} name */
export const wasFineTuned = (name) => !modelOfName(name) && FINE_TUNED.test(name.toLowerCase())

/** The known checkpoint from whose name another name begins, as those of fine-tuned models do.
 * @param {string} last @returns {NamedModel | null} */
function origin(last) {
  const name = last.toLowerCase()
  const known = [...BY_NAME.keys()].filter((one) => name.startsWith(`${one}-`) || name.startsWith(`${one}_`))
  const [longest] = known.sort((one, other) => other.length - one.length)
  const found = longest && BY_NAME.get(longest)
  return found && FINE_TUNED.test(name.slice(longest.length)) ? { ...found, isSure: false } : null
}

// --- The account -------------------------------------------------------------------

/** Models that are none of BERT's family and have names of one word. */
const OF_OTHERS =
  /^(?:gpt-?[0-9j]|gpt-?neo|distilgpt2|t5|mt5|flan|bart|mbart|llama|mistral|mixtral|qwen|gemma|phi-?[0-9]|falcon|bloom|opt-[0-9]|clip|vit-|whisper|wav2vec|xlnet|bigbird|longformer|pegasus|deepseek)/i

/** Whether an unknown name has the form of a model's: an id of the hub, or one of a family that is known here.
 * @param {string} name */
function isLikeName(name) {
  if (FILE.test(name) || !/^[\w.-]{1,96}(?:\/[\w.-]{1,96})?$/.test(name) || !/[a-z]/i.test(name)) return false
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

/** @typedef {{ modelClass: string, labels: number, text: string, others: Model[] }} Beside
 * What a text says beside a name: a class, a number of labels, the name as it was written if it is one word, and other
 * models that may be meant. */

/** The account of a model's name; null if a text is none.
 * @param {string} text @returns {Account | null} */
export function accountOfName(text) {
  const line = text.trim()
  if (!line || line.length > LONGEST || line.includes("\n")) return null
  const [, loader = "", loaded = "", options = ""] = FROM_PRETRAINED.exec(line) ?? []
  const { name, isAddress } = bareName(loaded || line)
  const labels = Number(/\bnum_labels\s*=\s*([0-9]{1,6})\b/.exec(options)?.[1] ?? 2)
  /** @type {Beside} */
  const beside = { modelClass: inTorch(loader), labels, text: name, others: [] }
  const named = modelOfName(name)
  if (named) return ofName(named, beside)
  const isOneWord = !/\s/.test(name)
  const last = name.split("/").pop() ?? ""
  const derived = isOneWord ? origin(last) : null
  if (derived) return ofOrigin(derived, last, beside)
  const meant = inWordsOf(isOneWord ? last : name)
  // Whoever publishes a "bert-base-..." need not mean the first of that name, so only a name without a rest is taken.
  const isMeant = meant && (!name.includes("/") || (meant.isWhole && (isLikeName(name) || isAddress)))
  if (isMeant) {
    const { model, others } = meant
    const modelClass = beside.modelClass || meant.modelClass
    return ofName(model, { ...beside, modelClass, others, text: name.includes("/") ? name : "" })
  }
  return isOneWord && (isAddress || loaded || isLikeName(name)) ? unknown(name) : null
}

/** What people call the task of a class, by the end of its name.
 * @type {[string, RegExp][]} */
const PURPOSES = [
  ["ForMaskedLM", /\b(?:for )?(?:masked[- ]?(?:lm|language model(?:l?ing)?)|mlm)\b/i],
  ["ForSequenceClassification", /\b(?:for )?(?:sequence|text) classification\b/i],
  ["ForTokenClassification", /\b(?:for )?(?:token classification|ner)\b/i],
  ["ForQuestionAnswering", /\b(?:for )?(?:question answering|squad)\b/i],
  ["ForMultipleChoice", /\b(?:for )?multiple choice\b/i],
  ["ForPreTraining", /\b(?:for )?pre-?training\b/i],
]

/** Signs of a text that is in words: letters, hyphens and the like, and Chinese words that are known. */
const UNKNOWN_SIGNS = /中文|汉语|漢語|多语言|多語言|参数量?|有多少|是多少|的|[\x20-\x7e]/g

/** The model that a text names in words, the class beside it, and other models that have these words; null if a word
 * belongs to no name.
 * @param {string} text @returns {{ model: NamedModel, modelClass: string, others: Model[], isWhole: boolean } | null} */
function inWordsOf(text) {
  const pieces = text.split(/[\s,;()?!:"']+/).filter(Boolean)
  const ownClass = pieces.find((piece) => classes.has(inTorch(piece))) ?? ""
  const words = pieces.filter((piece) => piece !== ownClass).join(" ")
  // A number is a claim or a size, which is for other readers.
  if (words.replace(UNKNOWN_SIGNS, "") || /(?:^|\s)[0-9][0-9.,]*[a-z%]?(?:\s|$)/i.test(words)) return null
  const [ending = "", purpose = /$^/] = PURPOSES.find(([, words]) => words.test(text)) ?? []
  const modelClass = inTorch(ownClass) || ending
  const named = words.replace(purpose, " ").split(" ").filter(Boolean)
  const exact = named.flatMap((piece) => modelOfName(piece) ?? [])
  const rest = named.filter((piece) => !modelOfName(piece)).flatMap(tokensOf)
  const [first, ...more] = exact
  if (first && rest.every((token) => AROUND.has(token)))
    return { model: first, modelClass, others: more.map(({ model }) => model), isWhole: true }
  const said = [...new Set(tokensOf(named.join(" ")))].filter((token) => !AROUND.has(token))
  const isClassAlone = !said.length && classes.has(modelClass)
  const [model, ...similar] = isClassAlone ? ofArchitecture(classes.get(modelClass).architecture) : meantInWords(said)
  if (!model) return null
  const isWhole = !ending && tokensOf(model.title).every((token) => said.includes(token))
  const others = isClassAlone ? [] : similar
  return { model: { model, name: model.name, isAlso: false, isSure: false }, modelClass, others, isWhole }
}

/** @param {string} architecture */
const ofArchitecture = (architecture) => table.models.filter((model) => model.architecture === architecture)

/** The configuration of a model with a class and a number of labels.
 * @param {Model} model @param {Beside} beside */
function configurationOf({ name }, { modelClass, labels }) {
  const configuration = ofModel(name, modelClass)
  return { ...configuration, sizes: { ...configuration.sizes, C: labels } }
}

/** A title as a subject: one with a comma in it has another after it. @param {string} title */
export const asSubject = (title) => (title.includes(", ") ? `${title},` : title)

/** The account of a known model.
 * @param {NamedModel} named @param {Beside} beside @returns {Account} */
function ofName({ model, name, isAlso, isSure }, beside) {
  const configuration = configurationOf(model, beside)
  const { modelClass } = configuration
  const total = totalIn(configuration, modelClass) ?? 0
  const likeOther = model.group === "course" ? words`${name}` : words`${name}, which has the sizes of ${model.title},`
  const title = isAlso ? likeOther : words`${asSubject(model.title)}`
  const isOfOthers = !isSure && beside.text.includes("/")
  const by = isOfOthers ? words`By its name, ${code(cut(beside.text, 80))} is ` : []
  const has = isOfOthers ? words`${isAlso ? name : model.title}, which has` : words`${title} has`
  const findings = [
    ...aboutOthers(total, beside),
    ...aboutClasses(configuration),
    wayIntoCalculator(configuration, modelClass),
  ]
  return {
    kind: "name",
    headline: words`${by}${has} ${total} parameters as ${code(modelClass)}${extras(configuration, modelClass)}.`,
    findings,
    lines: linesOfClasses(configuration),
    bridge: null,
    model: { name: model.name, modelClass, total },
    confidence: isSure ? "certain" : "likely",
  }
}

/** Other models that the words may mean, if their totals differ.
 * @param {number} total @param {Beside} beside @returns {Finding[]} */
function aboutOthers(total, beside) {
  const totals = beside.others.flatMap((other) => {
    const configuration = configurationOf(other, beside)
    const own = totalIn(configuration, configuration.modelClass)
    return own === null || own === total ? [] : [words`${asSubject(other.title)} has ${own}`]
  })
  if (!totals.length) return []
  return [{ weight: 30, words: words`Of the others with that name, ${listed(totals.slice(0, 3))}.`, amount: null }]
}

/** @param {Configuration} configuration @returns {Finding[]} */
function aboutClasses({ architecture, modelClass }) {
  if (modelClass !== classOfBare(architecture)) return []
  const sentence = words`This is the bare model; other classes have a head, and some of them no pooler.`
  return classes.get(modelClass).offers.includes("pooler") ? [{ weight: 20, words: sentence, amount: null }] : []
}

/** The account of a model that is not known, but whose name begins as a known one's.
 * @param {NamedModel} named @param {string} name @param {Beside} beside @returns {Account} */
function ofOrigin(named, name, beside) {
  const account = ofName({ ...named, isSure: true }, beside)
  const { modelClass, total } = /** @type {NonNullable<Account["model"]>} */ (account.model)
  const title = named.isAlso ? named.name : named.model.title
  const hint = words`Its own config.json says which class it is and how many labels it has: paste it here.`
  return {
    ...account,
    headline: words`We do not know ${code(cut(name, 80))}. If it is ${asSubject(title)} fine-tuned, as its name suggests, it has ${total} parameters as ${code(modelClass)}.`,
    findings: [{ weight: 40, words: hint, amount: null }, ...account.findings],
    confidence: "possible",
  }
}

/** The account of a name that is not known.
 * @param {string} name @returns {Account} */
function unknown(name) {
  const near = suggestionFor(name)
  const hint = near ? words` Did you mean ${code(near)}?` : []
  const instead = words`Paste its config.json, or drop its safetensors file: the header counts any model exactly.`
  return {
    kind: "refusal",
    headline: words`We do not know a model called ${code(cut(name, 80))}.${hint}`,
    findings: [{ weight: 10, words: instead, amount: null }],
    lines: [],
    bridge: null,
    model: null,
    confidence: "certain",
  }
}
