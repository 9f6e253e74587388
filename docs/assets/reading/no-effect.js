// Answers questions about settings that do not affect the number of parameters, such as the number of
// heads, the length of the texts or of the training, and the batch size, and about things without
// parameters, such as softmax. A sum in such a question may be right in itself, so it must not be judged.
// Texts that are longer than the position table allows are the exception, because they need a longer
// table.

import { classesOf, count, models, whole } from "../counting/engine.js"
import { maxTokensOf } from "../counting/operations.js"
import { subjectOf } from "./labels/meanings.js"
import { nameOfModel } from "./labels/mentions.js"
import { classAndTotal } from "./labels/totals.js"
import { accountInSentences, code, inParagraph, words } from "./words.js"

const MAX_LENGTH = 400 // characters of a question
/** The signs of a question. */
const QUESTION_WORDS = /\?|\bhow\s(?:many|much)\b|\bwhat\b|^\s*do(?:es)?\b/i

/** Words for parameters, or for more or fewer of them. */
const PARAMETERS = /\b(?:param(?:eter)?s?|weights|bigger|larger|smaller|counted)\b/i
/** Two lines with counts, one after the other, which are rows of a print-out beside the question. */
const ROWS = /(?:^.*[0-9][0-9,.]{5,}.*\n){2}/m
/** Words that compare two values of a setting, or ask whether it matters. */
const CHANGE =
  /\b(?:instead\sof|from\s[0-9]+\sto\s[0-9]+|chang\w*|increas\w*|reduc\w*|doubl\w*|halv\w*|longer|shorter|affects?|adds?|depends?|matters?|influences?|makes?|leaves?|(?:only|just)\s(?:one|a\ssingle)|(?:more|fewer|less|any|have)\s(?:attention\s|trainable\s)?(?:heads|param\w*|weights))\b/i
/** The length of the texts or the size of the batch as a number, which a question takes for a size of the model. */
const STATED_SETTING =
  /\b(?:len(?:gth)?|batch(?:[_\s]size)?)(?:\s(?:of|is))?\s?[=:]?\s?[0-9]+\b|\b[0-9]+[\s-](?:long|texts|sentences)\b/i
/** Words for other changes, which do change the number of parameters. */
const OTHER_CHANGE =
  /\b(?:bytes?|memory|[gmt]i?b|4[\s-]?bits?|int4|nf4|prun\w*|remov\w*|drop(?:s|ped|ping)?\s(?:heads?|layers?)|head_mask|hidden_size|hidden\ssize|layers\sinstead|position_embeddings|positions?(?!\sids)|vocab\w*|lora|adapters?)\b/i

const LENGTH = "The length of the texts"

/** Words for types in which each parameter is one element of a tensor. Types of 4 bits are not among them, because they
 * store two parameters in an element. */
const DATA_TYPES =
  /\bquanti[sz]\w+|\bint8\b|\bb?f(?:loat|p)?16\b|\b(?:half|mixed|lower|reduced|single|full)[\s-]precision\b/i

/** The settings without an effect on the number of parameters, each with a pattern and a name. `letter` is that of the
 * setting's size, "" for none: the setting does have an effect in a model in which it is a dimension of a tensor.
 * `reason` says why there is no effect, and is null for a model with sizes to which it does not apply.
 * @type {{ pattern: RegExp, name: string, letter: string, reason: (sizes: Sizes) => Words | null }[]} */
const SETTINGS = [
  {
    pattern:
      /\bnum_(?:attention_)?heads\b|\battention\sheads\b|\bnumber\sof\sheads\b|\b(?:[0-9]+|more|fewer)\sheads\b|\b(?:only|just)\s(?:one|a\ssingle)\s(?:attention\s)?head\b|\bheads\sfrom\s[0-9]/i,
    name: "The number of heads",
    letter: "A", // some models have a bias per head
    reason: ({ H }) =>
      words`the heads divide the ${H} columns of the same matrices among them, so more heads are narrower ones`,
  },
  {
    pattern:
      /\bmax[_\s]?(?:seq(?:uence)?[_\s]?)?len(?:gth)?\b|\b(?:max(?:imum)?\s)?(?:seq(?:uence)?|text|input)[_\s]len(?:gth)?\b|\b(?:short|long)\w*\s(?:input\s)?(?:sequences?|sentences?|texts?|inputs?)\b|\b(?:sequences?|sentences?|texts?|inputs?)\sof\s(?:length\s)?[0-9]+\b/i,
    name: LENGTH,
    letter: "",
    reason: ({ P }) => (P ? words`the position table keeps its ${P} rows, whether the texts use them or not` : null),
  },
  {
    pattern: /\bbatch(?:[_\s]size)?\b/i,
    name: "The batch size",
    letter: "",
    reason: () => words`all texts of a batch use the same parameters`,
  },
  {
    pattern: /\b(?:gradient|activation)[\s_]checkpointing\b/i,
    name: "Gradient checkpointing",
    letter: "",
    reason: () => words`the backward pass computes activations again instead of keeping them`,
  },
  {
    pattern:
      /\bepochs?\b|\btraining\s(?:steps|longer|data|tokens|corpus|time)\b|\btrain\w*\s(?:\w+\s){0,2}longer\b|\b(?:data|texts?|tokens|words|corpus)\b.{0,30}\btrained\son\b|\bon\smore\s(?:data|text|tokens)\b/i,
    name: "The length of the training",
    letter: "",
    reason: () => words`training changes the values of the parameters, not how many there are`,
  },
  {
    pattern: /\bfsdp\b|\bzero(?:[\s-]?[1-3]\b|\sstage)|\bdeepspeed\b|\bshard\w*|\bdata[\s-]parallel\w*/i,
    name: "Splitting a model among GPUs",
    letter: "",
    reason: () => words`the GPUs keep shares or copies of the same parameters`,
  },
  {
    pattern: /^(?!.*train).*\b(?:freezing|frozen)\b/is,
    name: "Freezing",
    letter: "",
    reason: () => words`frozen parameters stay in the model, and are only not trained`,
  },
  {
    pattern: DATA_TYPES,
    name: "The data type",
    letter: "",
    reason: () => words`each parameter takes more or fewer bytes, but there are as many of them`,
  },
  {
    pattern: /\bdropout\b/i,
    name: "Dropout",
    letter: "",
    reason: () => words`it sets activations to zero at random, and has no parameters of its own`,
  },
]

/** A stated length of the texts, in tokens. */
const TOKENS = /len(?:gth)?(?:\s(?:of|is|from\s[0-9]+\sto))?\s?[=:]?\s?(?<tokens>[0-9]{2,5})(?![\d.,]*[0-9])/i

/** The account of a question about texts that are longer than the position table allows; null for any other length, and
 * for a model without such a table.
 * @param {string} text @param {string} name  of the model @returns {Account | null} */
function accountOfLongTexts(text, name) {
  const { sizes, architecture } = models.get(name)
  const tokens = Number(TOKENS.exec(text)?.groups?.tokens ?? 0)
  const maxTokens = sizes.P ? maxTokensOf(architecture, sizes) : Infinity
  if (tokens <= maxTokens) return null
  const { modelClass, total } = classAndTotal(name)
  const P = sizes.P + tokens - maxTokens
  const otherTotal = count({ modelClass, sizes: { ...sizes, P } })
  return accountInSentences(
    words`${subjectOf(name)} reads at most ${whole(maxTokens)} tokens. To read ${whole(tokens)}, it needs ${P} rows in the position table instead of ${sizes.P}: ${otherTotal} parameters as ${code(modelClass)}, ${otherTotal - total} more than the usual ${total}.`,
    [],
    { kind: "labels", model: { name, modelClass, total } },
  )
}

/** The words for things without parameters, and each thing as the subject of a sentence.
 * @type {[RegExp, string][]} */
const WITHOUT_PARAMETERS = [
  [/\bsoftmax\b/i, "Softmax"],
  [/\bdropout\b/i, "Dropout"],
  [/\b(?:gelu|relu|tanh|activation\sfunctions?)\b/i, "An activation function"],
  [/\b(?:residual|skip)\sconnections?\b/i, "A residual connection"],
  [/\battention\smasks?\b/i, "An attention mask"],
  [/\bposition[\s_]ids\b/i, "A tensor of position ids"],
]
const MAX_SHORT = 100 // characters of a question about something without parameters, which has no numbers either

/** The account of a question about the parameters of something that has none; null for any other text.
 * @param {string} text @returns {Account | null} */
function accountOfParameterless(text) {
  const things = WITHOUT_PARAMETERS.filter(([pattern]) => pattern.test(text)).map(([, thing]) => thing)
  if (!things.length || text.length > MAX_SHORT || /[0-9]/.test(text)) return null
  const isOfSetting = CHANGE.test(text) && SETTINGS.some(({ pattern }) => pattern.test(text))
  if (isOfSetting || OTHER_CHANGE.test(text)) return null
  const sentences = things.map((thing) => words`${thing} has no parameters.`)
  return accountInSentences(inParagraph(sentences), [], { kind: "labels" })
}

/** Whether a text is a short statement without numbers other than those of a change: "more heads means more
 * parameters".
 * @param {string} text */
const isShortStatement = (text) =>
  text.length <= MAX_SHORT && !/(?<![a-z0-9])[0-9]/i.test(text.replace(/\bfrom\s[0-9]+\sto\s[0-9]+/i, ""))

/** The account of a question about a setting that does not affect the number of parameters, or about something without
 * parameters; null for any other text.
 * @param {string} text @returns {Account | null} */
export function accountOfNoEffect(text) {
  if (!PARAMETERS.test(text)) return null
  const parameterless = accountOfParameterless(text)
  if (parameterless) return parameterless
  if (text.length > MAX_LENGTH || !(QUESTION_WORDS.test(text) || isShortStatement(text)) || ROWS.test(text)) return null
  if (!(CHANGE.test(text) || STATED_SETTING.test(text)) || OTHER_CHANGE.test(text)) return null
  const namedSettings = SETTINGS.filter(({ pattern }) => pattern.test(text))
  const name = namedSettings.length ? nameOfModel(text) : ""
  if (!name) return null
  const hasLength = namedSettings.some((setting) => setting.name === LENGTH)
  const accountOfLength = hasLength ? accountOfLongTexts(text, name) : null
  if (accountOfLength) return accountOfLength
  const sentences = namedSettings.flatMap((setting) => {
    const sentence = sentenceOn(setting, name)
    return sentence ? [sentence] : []
  })
  if (sentences.length < namedSettings.length) return null
  const { modelClass, total } = classAndTotal(name)
  const lastSentence = words`${subjectOf(name)} has ${total} as ${code(modelClass)} in any case.`
  return accountInSentences(inParagraph([...sentences, lastSentence]), [], {
    kind: "labels",
    model: { name, modelClass, total },
  })
}

/** The sentence on a setting of a model; null if the number of parameters depends on the setting, or if the reason does
 * not apply to the model.
 * @param {(typeof SETTINGS)[number]} setting @param {string} name  of the model */
function sentenceOn({ name: setting, letter, reason }, name) {
  const { sizes, architecture } = models.get(name)
  const [{ rows }] = classesOf(architecture)
  const reasonInModel = reason(sizes)
  if (!reasonInModel || rows.some(({ dimensions }) => dimensions.includes(letter))) return null
  return words`${setting} does not affect the number of parameters: ${reasonInModel}.`
}
