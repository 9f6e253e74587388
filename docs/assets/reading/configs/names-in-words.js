// Finds the model that "BERT large" or "Chinese RoBERTa base" means, with an optional
// class or purpose. Every word must belong to the name or be a filler, because any other
// word may change which model is meant.

import exported from "../../../data/reading.js"
import table from "../../../data/table.js"
import { classes, inTorch, models } from "../../counting/engine.js"
import { modelOfName } from "../model-names.js"

/** @typedef {import("../model-names.js").NamedModel} NamedModel */

/** The words and numbers in a name, in lower case and uniform spelling. @param {string} text */
export const tokensOf = (text) =>
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

/** Filler words around a name. */
const FILLERS = new Set(
  `a an and are by count counts does exact exactly for from google has have hf hub hugging face how huggingface in is
  its many me model models much number of original paper params param parameter parameters pretrained pre please
  released show size tell the there total trained version what whats english en
  参数 参数量`.split(/\s+/),
)

/** Words for sizes in names, such as "base". */
export const SIZE_WORDS = exported.names.sizes

/** Words that occur in many names but do not name a family by themselves. */
export const COMMON_WORDS = new Set(exported.names.common)

/** The published models, each with the words in its title and name. */
const MODELS = [...models.values()]
  .filter(({ group }) => group !== "course")
  .map((model) => ({
    model,
    tokens: new Set([...tokensOf(model.title), ...tokensOf(model.name)]),
    title: tokensOf(model.title),
  }))

/** The models whose title or name has all of the words, those with the fewest other words in their title first; empty
 * if the words name no family.
 * @param {string[]} tokens @returns {Model[]} */
function modelsInWords(tokens) {
  if (!tokens.some((token) => !COMMON_WORDS.has(token) && !/^[0-9]+$/.test(token))) return []
  // "DeBERTa" without a version means the first one.
  const isFirstVersion = tokens.includes("deberta") && !tokens.some((token) => /^v[0-9]$/.test(token))
  const candidates = isFirstVersion ? MODELS.filter(({ model }) => model.architecture === "deberta") : MODELS
  /** The number of words in a title that are not in the text. */
  const excessOf = (/** @type {string[]} */ title) => title.filter((token) => !tokens.includes(token)).length
  const candidatesInOrder = candidates
    .filter((candidate) => tokens.every((token) => candidate.tokens.has(token)))
    .sort((one, other) => excessOf(one.title) - excessOf(other.title))
  // All models must be of the same family as the first, so that "RoBERTa" does not include XLM-RoBERTa.
  const firstFamily = candidatesInOrder[0]?.title.filter((token) => !COMMON_WORDS.has(token)).join(" ")
  /** Whether a title names the same family as the first model. */
  const isOfFirstFamily = (/** @type {string[]} */ title) =>
    title.filter((token) => !COMMON_WORDS.has(token)).join(" ") === firstFamily
  return candidatesInOrder.filter(({ title }) => isOfFirstFamily(title)).map(({ model }) => model)
}

/** The models with these words. If the words give no size and there is a base model, the base model is meant.
 * @param {string[]} tokens */
function likelyModels(tokens) {
  const hasSize = tokens.some((token) => SIZE_WORDS.includes(token) || /^[0-9]+$/.test(token))
  const base = hasSize ? [] : modelsInWords([...tokens, "base"])
  return base.length ? base : modelsInWords(tokens)
}

/** The endings of class names, with patterns for the usual names of their tasks. @type {[string, RegExp][]} */
const PURPOSES = [
  ["ForMaskedLM", /\b(?:for )?(?:masked[- ]?(?:lm|language model(?:l?ing)?)|mlm)\b/i],
  ["ForSequenceClassification", /\b(?:for )?(?:sequence|text) classification\b/i],
  ["ForTokenClassification", /\b(?:for )?(?:token classification|ner)\b/i],
  ["ForQuestionAnswering", /\b(?:for )?(?:question answering|squad)\b/i],
  ["ForMultipleChoice", /\b(?:for )?multiple choice\b/i],
  ["ForPreTraining", /\b(?:for )?pre-?training\b/i],
]

/** The characters of a name in words: printable ASCII, and those of a few Chinese words. */
const READABLE_CHARACTERS = /中文|汉语|漢語|多语言|多語言|参数量?|有多少|是多少|的|[\x20-\x7e]/g

/** The model that a text names in words, the class that it gives, other models with these words, and whether the text
 * has the name of a checkpoint, or all words of the model's title and no purpose. Null if it names no model, if a word
 * belongs to no name, or if it has a number that does not belong to the name.
 * @param {string} text
 * @returns {{ model: NamedModel, modelClass: string, others: Model[], hasWholeTitle: boolean } | null} */
export function modelInText(text) {
  const pieces = text.split(/[\s,;()?!:"']+/).filter(Boolean)
  const classPiece = pieces.find((piece) => classes.has(inTorch(piece))) ?? ""
  const words = pieces.filter((piece) => piece !== classPiece).join(" ")
  if (words.replace(READABLE_CHARACTERS, "")) return null
  const hasNumber = /(?:^|[\s=])[0-9][0-9.,]*[a-z%]?(?:\s|$)/i.test(words)
  const [ending = "", purpose = /$^/] = PURPOSES.find(([, pattern]) => pattern.test(text)) ?? []
  const modelClass = inTorch(classPiece) || ending
  const nameWords = words.replace(purpose, " ").split(" ").filter(Boolean)
  const exactModels = nameWords.flatMap((piece) => modelOfName(piece) ?? [])
  const otherWords = nameWords.filter((piece) => !modelOfName(piece)).flatMap(tokensOf)
  const [first, ...furtherModels] = exactModels
  if (first && !hasNumber && otherWords.every((token) => FILLERS.has(token)))
    return { model: first, modelClass, others: furtherModels.map(({ model }) => model), hasWholeTitle: true }
  const nameTokens = [...new Set(tokensOf(nameWords.join(" ")))].filter((token) => !FILLERS.has(token))
  const isClassAlone = !nameTokens.length && classes.has(modelClass)
  const [model, ...similar] = isClassAlone ? modelsOf(classes.get(modelClass).architecture) : likelyModels(nameTokens)
  // The second word of "DebertaV2Model embeddings" belongs to no name, although it occurs in titles of other models.
  if (!model || (classPiece && model.architecture !== classes.get(inTorch(classPiece)).architecture)) return null
  const hasWholeTitle = !ending && tokensOf(model.title).every((token) => nameTokens.includes(token))
  // A number is a claim or a size, which other modules explain, unless it belongs to the name, as in "EuroBERT 610M".
  if (hasNumber && (isClassAlone || !hasWholeTitle)) return null
  const others = isClassAlone ? [] : similar
  return { model: { model, name: model.name, isFurther: false, isSure: false }, modelClass, others, hasWholeTitle }
}

/** The published models of an architecture. @param {string} architecture */
const modelsOf = (architecture) => table.models.filter((model) => model.architecture === architecture)
