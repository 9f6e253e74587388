// Answers the usual questions that people ask beside a print-out, a sum or a config, for example why the total
// is not 110M, where the heads or the pooler are, why a tied or shared tensor is listed once, whether another
// data type or a wrapper changes the number, or how many parameters a layer of the reader's own adds. Each
// answer becomes a finding of the account, which is otherwise about the numbers alone.
//
// A question is recognised by its words. It is answered only if the account names a model, and only by what is true of
// that model and class.

import table from "../../../data/table.js"
import { classes, count, models, sumBy, whole } from "../../counting/engine.js"
import { accountOfLabels } from "../labels/account.js"
import { ON_SHARED_LAYERS, subjectOf } from "../labels/meanings.js"
import { modelsIn } from "../labels/mentions.js"
import { BIASES, sizeOfEachLayer } from "../labels/named-parts.js"
import { asPlainText, code, finding, link, linkTo, words } from "../words.js"
import { onBytes, onLabels, onLargest, onNewHead, onPaddingRows } from "./about-rows.js"
import { onChangedLayers, onOtherModel, onOtherTotal } from "./other-totals.js"
import { tiedTensorOf } from "./tying.js"

const { pages, quoted_totals: quotedTotals } = table.explanations

const MAX_LENGTH = 1_000_000 // characters
const MAX_LINES = 5 // the maximum number of lines with questions
const MAX_LINE_LENGTH = 500 // characters of a line of prose
const WEIGHT = 88 // more than that of a missing part, and less than that of a wrong row

/** A line with a question, in any language, and what follows the question. Lines of a print-out have none. */
const QUESTION = /^[^\n]{0,500}[?？][^\n]*/gm
/** Signs of code and of print-outs, which no question has. */
const NO_PROSE = /torch\.Size|\): \w+\(|[├└│┃]|^\s*(?:for|print|import|def)\b(?!\(.*\) \p{L}+ \p{L})|\?\s*:/u

/** A config or a dictionary on the line of a question. Its keys do not belong to the question. */
const OBJECT = /\{.*\}/g

/** Whether a line with a question is prose. @param {string} line */
const isProse = (line) => line.length < MAX_LINE_LENGTH && !NO_PROSE.test(line)

/** Two words, and a number of at least a million, as in a question on a total. "768 × 768 = ?" has neither. */
const TWO_WORDS = /\p{L}+\s+\p{L}+/u
const MILLION = /[0-9][,._' ]?[0-9]{3}[,._' ]?[0-9]{3}|[0-9]\s?M\b/

/** A text without the questions on totals in it. @param {string} text */
export const withoutQuestions = (text) =>
  text.replace(QUESTION, (line) => (isProse(line) && TWO_WORDS.test(line) && MILLION.test(line) ? "" : line))

/** The questions in a text, as one string, with the model that they are about and the account of the text. `sizes` are
 * null for a model that is not published.
 * @typedef {{ question: string, text: string, account: Account, model: NonNullable<Account["model"]>,
 *   sizes: Sizes | null }} QuestionOnModel */

/** A rounded number of millions in a question. */
const MILLIONS = /(?<![\w.,])([0-9]{1,3}(?:[.,][0-9])?)\s?(?:M\b|Mio\b|mill?i)/i

/** The answer to "why is this not 110M?". @param {QuestionOnModel} subject @returns {Words | null} */
function onRoundedTotal({ question, model, sizes }) {
  const [, digits = ""] = MILLIONS.exec(question) ?? []
  const millions = Number(digits.replace(",", "."))
  const isOriginal = models.has(model.name) && models.get(model.name).group === "original"
  const isOfPaper = isOriginal && quotedTotals.includes(millions * 1e6) && isNear(millions * 1e6, model.total)
  const isRounding = [1e5, 1e6, 1e7].some((unit) => Math.round(model.total / unit) * unit === millions * 1e6)
  if (digits && sizes && quotedTotals.includes(millions * 1e6)) {
    const answerOnVocabulary = onOtherVocabulary(digits, model, sizes)
    if (answerOnVocabulary) return answerOnVocabulary
  }
  if (!digits || !(isOfPaper || isRounding)) return null
  const origin = isOfPaper ? words`, which BERT's paper prints; see ${link(pages.rounded, "where it comes from")}` : []
  return words`${digits}M is a rounded number${origin}. The exact total is ${model.total}.`
}

/** The models of BERT's paper, which prints rounded totals for them. */
const ORIGINALS = table.models.filter(
  ({ group, sizes: { V } }) => group === "original" && V === table.models[0].sizes.V,
)

/** The answer for a model that differs only in its vocabulary from one for which the paper prints a number; null for
 * any other model.
 * @param {string} digits  of the number, in millions @param {QuestionOnModel["model"]} model @param {Sizes} sizes
 * @returns {Words | null} */
function onOtherVocabulary(digits, { modelClass }, sizes) {
  const original = ORIGINALS.find(
    ({ architecture, sizes: { V, ...others } }) =>
      architecture === classes.get(modelClass).architecture &&
      V !== sizes.V &&
      Object.entries(others).every(([letter, size]) => sizes[letter] === size),
  )
  // Not the total of the print-out, which may include layers of the reader's own.
  const [total, rightTotal] = original
    ? [sizes, original.sizes].map((ofModel) => count({ modelClass, sizes: ofModel }))
    : [0, 0]
  if (!original || !isNear(Number(digits) * 1e6, rightTotal)) return null
  const [difference, comparison] = [Math.abs(total - rightTotal), total < rightTotal ? "fewer" : "more"]
  return words`BERT's paper prints ${digits}M for ${linkTo(original)}, which has ${rightTotal} parameters and a vocabulary of ${original.sizes.V} tokens. With ${sizes.V} tokens, there are ${difference} ${comparison}.`
}

const MAX_ROUNDING = 0.03 // the share by which a total differs at most from the number that the paper prints for it

/** Whether a total may be meant by a quoted number. @param {number} quoted @param {number} total */
const isNear = (quoted, total) => Math.abs(quoted / total - 1) <= MAX_ROUNDING

/** Heads that are layers on top of the encoder. */
const OTHER_HEADS =
  /\b(?:lm|mlm|nsp|classifier|classification|pre-?training|output|task|two|both|own|my)[ -]?heads?\b|\bheads? (?:add|on top|still|included)/i

/** The answer to "where are the twelve heads?". @param {QuestionOnModel} subject @returns {Words | null} */
function onHeads({ question, model, sizes }) {
  const isAsked =
    /\bheads?\b|\bK(?:ö|oe)pfe\b|têtes/i.test(question) &&
    /\b(?:where|why|only|just|see|wo|warum|pourquoi)\b|où/i.test(question)
  if (!isAsked || !sizes?.A || !sizes.H || OTHER_HEADS.test(question)) return null
  const { A, H } = sizes
  const sizeOf = (/** @type {string} */ part) =>
    count({ modelClass: model.modelClass, sizes, part: `bert/encoder/layer_0/attention/self${part}`, tag: "kernel" })
  const ofProjections = ["/query", "/key", "/value"].map(sizeOf)
  const areSeparate = ofProjections.every((number) => number === H * H)
  const isJoint = !sumBy(ofProjections, (number) => number) && sizeOf("") === ofProjections.length * H * H
  if (!Number.isInteger(H / A) || !(areSeparate || isJoint)) return null
  const holder = areSeparate
    ? "each of the matrices of query, key and value"
    : "the joint matrix of query, key and value"
  return words`The ${A} heads have no tensors of their own: ${holder} holds those of all heads, ${H / A} features for each. See ${link("parts/attention-heads.html", "attention heads")}.`
}

/** The answer to "where is the pooler?", unless a finding is about the pooler.
 * @param {QuestionOnModel} subject @returns {Words | null} */
function onPooler({ question, model, sizes, account }) {
  if (!/\bpooler\b|\bpooling layer\b/i.test(question) || !sizes) return null
  if (
    account.findings.some(({ words: sentence }) =>
      sentence.some((piece) => typeof piece === "object" && "text" in piece && piece.text === "pooler"),
    )
  )
    return null
  const number = count({ modelClass: model.modelClass, sizes, part: "bert/pooler" })
  const pooler = link("parts/heads.html#pooler", "pooler")
  return number
    ? words`The ${pooler} is one dense layer after the encoder, ${number} parameters, which the total of ${code(model.modelClass)} includes.`
    : words`${code(model.modelClass)} has no ${pooler}.`
}

/** The answer to "why is there no decoder.weight?", unless a finding on the decoder's row gives it.
 * @param {QuestionOnModel} subject @returns {Words | null} */
function onTiedDecoder({ question, model, sizes, account }) {
  if (!/\bdecoder\b|\btied?\b|\btying\b|lm_head/i.test(question)) return null
  const isAnswered = account.findings.some((one) => / is tied to the word embeddings/.test(asPlainText(one.words)))
  if (isAnswered || !sizes || !tiedTensorOf(classes.get(model.modelClass), sizes)) return null
  return words`The weight of the decoder is ${link("parts/heads.html#tying", "tied")} to the word embeddings: both are one tensor, which ${code("parameters()")} gives once.`
}

/** The answer to a question about ALBERT's layers. @param {QuestionOnModel} subject @returns {Words | null} */
const onSharedLayers = ({ question, model }) =>
  classes.get(model.modelClass).architecture === "albert" &&
  /\blayers?\b|\bshared?\b|\bonly\b|\bso (?:few|small)\b/i.test(question)
    ? [ON_SHARED_LAYERS]
    : null

/** The answer to "why is half of the layers not half of the parameters?", if the layers are alike.
 * @param {QuestionOnModel} subject @returns {Words | null} */
function onHalf({ question, model, sizes }) {
  const isAsked =
    /\bhalf\b|\bhalve[ds]?\b|\bHälfte\b|\bmoitié\b/i.test(question) && /layer|Schicht|couche|why|not/i.test(question)
  const ofEachLayer = isAsked && sizes ? sizeOfEachLayer(model.name) : 0
  if (!ofEachLayer || !sizes) return null
  const ofEmbeddings = count({ modelClass: model.modelClass, sizes, part: "bert/embeddings" })
  return words`Only the encoder shrinks with the number of layers: its ${sizes.L} layers have ${sizes.L * ofEachLayer} parameters, ${ofEachLayer} each. The embeddings keep their ${ofEmbeddings}.`
}

/** Words for another data type, and for a change of a number. */
const DATA_TYPE = /\bb?f(?:loat|p)?16\b|\bhalf[ -]precision|\bint[48]\b|\b[48][ -]?bits?\b|quanti[sz]/i
const CHANGE = /\bhal(?:f|ve[sd]?)\b|\bfewer\b|\bless\b|chang|reduc|\bnumber\b|\bcount\b/i

/** The answer to whether a data type changes the number. @param {QuestionOnModel} subject @returns {Words | null} */
function onDataType({ question, account }) {
  const isQuantised = account.lines.some(({ source }) => /Linear(?:8bitLt|4bit)\b/.test(source))
  if (!CHANGE.test(question) || !(isQuantised || DATA_TYPE.test(question))) return null
  const isPacked = account.lines.some(({ source }) => /Linear4bit\b/.test(source))
  const onPacking = isPacked
    ? words` ${code("numel()")} gives fewer, because an element of a ${code("Linear4bit")} holds two weights.`
    : []
  return words`Another data type changes the bytes of a parameter, not the number of parameters.${onPacking} See ${link("changed/storage.html", "storage")}.`
}

const MIN_VOCABULARY_RATIO = 2 // the smallest vocabulary that makes a model much larger, as a multiple of BERT's

/** The answer to "why is it so much bigger than BERT base?" if a large vocabulary is the reason.
 * @param {QuestionOnModel} subject @returns {Words | null} */
function onLargeVocabulary({ question, model, sizes }) {
  if (
    !/\b(?:bigger|larger|huge|(?:so|that|this|very) (?:big|large|many))\b|größer|plus grand/i.test(question) ||
    !sizes
  )
    return null
  if (!(sizes.V >= MIN_VOCABULARY_RATIO * table.models[0].sizes.V)) return null
  const width = sizes.E ?? sizes.H
  const share = Math.round((100 * sizes.V * width) / model.total)
  return words`Its vocabulary is large: the word table has ${sizes.V} × ${width} = ${sizes.V * width} parameters, ${share}% of all.`
}

/** A wrapper, or the prefix that it puts in front of the names of a model. */
const WRAPPER = /_orig_mod\b|(?<![\w.])module\.|\bDataParallel\b|\bDDP\b/

/** The answer to whether a wrapper changes the number. @param {QuestionOnModel} subject @returns {Words | null} */
const onWrapper = ({ question }) =>
  WRAPPER.test(question)
    ? words`${code("torch.compile")} puts ${code("_orig_mod.")} in front of each name, and ${code("DataParallel")} puts ${code("module.")} there, without adding a parameter.`
    : null

/** The answer to whether dense layers have biases. @param {QuestionOnModel} subject @returns {Words | null} */
function onBiases({ question, model: { modelClass }, sizes }) {
  if (!/\bbias(?:es)?\b/i.test(question) || !/\b(?:any|where|has|have|without|no)\b/i.test(question) || !sizes)
    return null
  const number = count({ modelClass, sizes, part: "bert/encoder", tag: BIASES })
  return number
    ? words`The dense layers of the encoder have ${number} parameters in their biases.`
    : words`The dense layers of the encoder have no biases.`
}

/** The answer to why there are no position embeddings. @param {QuestionOnModel} subject @returns {Words | null} */
function onPositions({ question, model: { name, modelClass }, sizes }) {
  if (!/\bposition(?:al|s)?\b/i.test(question) || !/\b(?:no|where|missing|without)\b/i.test(question) || !sizes)
    return null
  const [absolute, relative, norm] = [
    "bert/embeddings/position_embeddings",
    "bert/relative_positions",
    "bert/relative_positions/LayerNorm",
  ].map((part) => count({ modelClass, sizes, part }))
  if (absolute) return null
  return relative
    ? words`${subjectOf(name)} has no table for absolute positions. Its attention uses relative ones, whose table${norm ? " and LayerNorm have" : " has"} ${relative} parameters.`
    : words`${subjectOf(name)} has no table for positions.`
}

/** A count that torchinfo prints in brackets. */
const COUNT_IN_BRACKETS = /\s\([0-9][0-9,]*\)/

/** The answer to what the brackets around a count mean. @param {QuestionOnModel} subject @returns {Words | null} */
const onBrackets = ({ question, account }) =>
  /\b(?:brackets|parenthes[ei]s)\b|\bKlammern\b|\bparenthèses\b/i.test(question) &&
  account.lines.some(({ source }) => COUNT_IN_BRACKETS.test(source))
    ? words`torchinfo puts the counts of frozen parameters in brackets.`
    : null

/** The names of modules of the reader's own, as questions have them. */
const OWN_MODULE = /\b(?:bi-?)?(lstm|gru|rnn|crf|linear|conv|dense|classifier|projection|proj|fc|head|out(?:put)?)\b/gi

/** The answer to "how many parameters does my LSTM add?". @param {QuestionOnModel} subject @returns {Words | null} */
function onOwnModule({ question, account }) {
  if (!/\badd(?:s|ed)?\b|\bhow many\b|\bhow much\b|\bcontribut/i.test(question)) return null
  for (const [, name] of question.matchAll(OWN_MODULE)) {
    const lines = account.lines.filter(
      ({ source, verdict }) => verdict === "added" && new RegExp(`(?<![a-z])${name}(?![a-z])`, "i").test(source),
    )
    const total = sumBy(lines, ({ stated, times }) => (stated ?? 0) * times)
    if (total) return words`Your ${code(name)} adds ${total} parameters.`
  }
  return null
}

/** The words of an account's lines for the tensors that PEFT trains. */
const TRAINED_BY_PEFT = /^(?:LoRA's|PEFT's copy)/

/** The answer to what is trained in a print-out of PEFT, which does not say so. @param {QuestionOnModel} subject
 * @returns {Words | null} */
function onTrainedAdapters({ question, account, model }) {
  const lines = account.lines.filter(({ verdict }) => verdict === "added")
  const areOfPeft = lines.length > 0 && lines.every(({ part }) => TRAINED_BY_PEFT.test(asPlainText(part)))
  if (!areOfPeft || !/\btrain(?:ed|able|s)?\b/i.test(question)) return null
  const total = sumBy(lines, ({ stated, times }) => (stated ?? 0) * times)
  return words`By default, PEFT trains only what it adds: ${total} of these ${model.total} parameters.`
}

/** The answer to which vocabulary a model has. @param {QuestionOnModel} subject @returns {Words | null} */
const onVocabulary = ({ question, sizes }) =>
  /\bvocab|\bWortschatz|词表|\btokens in\b/i.test(question) &&
  /\bwhich\b|\bwhat\b|\bhow (?:large|big|many)\b/i.test(question) &&
  sizes?.V
    ? [`The word table has ${whole(sizes.V)} rows, one for each token of the vocabulary.`]
    : null

/** A sentence that ends with a question mark. */
const SENTENCE = /[^.?!\n]+\?/g

/** Words of an answer that gives nothing but totals of models, or none but those that the account gives. */
const OF_WHOLE_MODEL = /^(?!.*\bwould have\b).*\bhas [0-9,]+ (?:parameters )?as [A-Z]/

/** The answer to a question on a part of the model or on other sizes of it, as if the question named the model.
 * @param {QuestionOnModel} subject @returns {Words | null} */
function onPart({ question, model: { name } }) {
  const sentences = models.has(name) ? (question.match(SENTENCE) ?? []) : []
  for (const sentence of sentences) {
    if (modelsIn(sentence).length || MILLION.test(sentence)) continue
    const account = accountOfLabels(`${name}: ${sentence.trim()}`)
    const isCertain = account?.confidence === "certain"
    if (isCertain && !OF_WHOLE_MODEL.test(asPlainText(account.headline))) return account.headline
  }
  return null
}

/** The functions that answer one kind of question each; null for a question of another kind. */
const ANSWERS = [
  onRoundedTotal,
  onHeads,
  onPooler,
  onTiedDecoder,
  onSharedLayers,
  onHalf,
  onDataType,
  onWrapper,
  onBiases,
  onPositions,
  onBrackets,
  onOtherTotal,
  onOtherModel,
  onChangedLayers,
  onLargeVocabulary,
  onOwnModule,
  onTrainedAdapters,
  onVocabulary,
  onLargest,
  onBytes,
  onLabels,
  onNewHead,
  onPaddingRows,
]

/** The functions that answer a question beside each kind of text. Numbers with labels are mostly questions themselves.
 * @type {Record<string, typeof ANSWERS>} */
const ANSWERS_BESIDE = { rows: ANSWERS, sum: ANSWERS, config: ANSWERS, labels: [onHalf] }

/** The account with a finding for each question beside it that has a usual answer.
 * @param {string} text @param {Account} account @returns {Account} */
export function withAnswers(text, account) {
  const { model, kind } = account
  if (!model || !ANSWERS_BESIDE[kind] || text.length > MAX_LENGTH) return account
  const lines = (text.match(QUESTION) ?? []).map((line) => line.replace(OBJECT, "")).filter(isProse)
  if (!lines.length || !classes.has(model.modelClass)) return account
  const question = lines.slice(-MAX_LINES).join("\n")
  const sizes = models.has(model.name) ? models.get(model.name).sizes : null
  const subject = { question, text, account, model, sizes }
  const answers = ANSWERS_BESIDE[kind].flatMap((answer) => {
    const sentence = answer(subject)
    return sentence ? [finding(WEIGHT, sentence)] : []
  })
  // The answer on a rounded total is about a sentence of its own.
  if (kind !== "labels" && answers.length === (onRoundedTotal(subject) ? 1 : 0)) {
    const answerOnPart = onPart(subject)
    if (answerOnPart) answers.push(finding(WEIGHT, answerOnPart))
  }
  return answers.length ? { ...account, findings: [...answers, ...account.findings] } : account
}
