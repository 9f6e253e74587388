// Answers questions about the tensors of a print-out or a config: which one is the largest, how many
// bytes they take, how many labels the output layer has, what is new in a class with a head, and why
// a table of positions has two more rows than a text has tokens. Each function returns null for any
// other question, and if it has no answer for the model.

import { count, noun } from "../../counting/engine.js"
import { inLargeUnit, namesType, typeNamed } from "../labels/memory.js"
import { shareInPercent } from "../labels/named-parts.js"
import { shapeInWords } from "../rows/model-in-words.js"
import { rulerOf } from "../rows/ruler.js"
import { code, words } from "../words.js"

/** @typedef {import("./beside-print-outs.js").QuestionOnModel} QuestionOnModel */

const LARGEST =
  /\b(?:largest|biggest|dominates?)\b|\btakes? (?:up )?(?:the )?most\b|\bmost (?:of the|of its|parameters)\b|größte/i
const MEMORY = /\b[KMG]i?B\b|\bbytes\b|\bmemory\b/i

/** The answer to "which tensor is the largest?". @param {QuestionOnModel} subject @returns {Words | null} */
export function onLargest({ question, model: { modelClass }, sizes }) {
  if (!sizes || !LARGEST.test(question)) return null
  const { tensors, total } = rulerOf(modelClass, sizes)
  const { name, shape, elements } = tensors.reduce((one, other) => (other.elements > one.elements ? other : one))
  const [dtype, bytes] = typeNamed(question)
  const isOfMemory = bytes > 0 && (MEMORY.test(question) || namesType(question))
  const memory = isOfMemory
    ? words`, which take ${elements * bytes} bytes (${inLargeUnit(elements * bytes)}) in ${dtype}`
    : []
  return words`The largest tensor is ${code(name)}: ${shapeInWords(shape)} = ${elements} parameters, ${shareInPercent(elements, total)} of all${memory}.`
}

const SIZE_OF_FILE = /\bhow (?:large|big|many|much)\b|\bsize\b/i
const FILE = /\b(?:file|checkpoint|safetensors|disk|bin)\b/i
const TRAINING = /\btrain|\badam|\boptimi[sz]er|\bgradient/i

/** The answer to "how large is the file?". @param {QuestionOnModel} subject @returns {Words | null} */
export function onBytes({ question, text, model: { total } }) {
  const isOfBytes = MEMORY.test(question) || FILE.test(question)
  const [dtype, bytes] = typeNamed(namesType(question) ? question : text)
  if (!isOfBytes || !SIZE_OF_FILE.test(question) || TRAINING.test(question) || LARGEST.test(question) || !bytes)
    return null
  return words`At ${bytes} ${noun(bytes, "byte")} each, as in ${dtype}, ${total} parameters take ${total * bytes} bytes (${inLargeUnit(total * bytes)}).`
}

const LABELS = /\bhow many (?:\w+ )?(?:labels|classes|categories|intents|tags)\b/i

/** The number of labels with which a class has `total` parameters, and the parameters of each; null if there is none.
 * @param {string} modelClass @param {Sizes} sizes @param {number} total */
function labelsOfTotal(modelClass, sizes, total) {
  const [withOne, withTwo] = [1, 2].map((labels) => count({ modelClass, sizes: { ...sizes, C: labels } }))
  const perLabel = withTwo - withOne
  const labels = 1 + (total - withOne) / perLabel
  return perLabel && Number.isInteger(labels) && labels > 0 ? { labels, perLabel } : null
}

/** The answer to "how many labels does it have?". @param {QuestionOnModel} subject @returns {Words | null} */
export function onLabels({ question, model: { modelClass, total }, sizes }) {
  const output = sizes && LABELS.test(question) ? labelsOfTotal(modelClass, sizes, total) : null
  return (
    output &&
    words`The output layer has ${output.labels} ${noun(output.labels, "label")}, with ${output.perLabel} parameters each.`
  )
}

const NEW = /\bnew(?:ly)?\b|\bfrom scratch\b|\brandom(?:ly)?\b|\bnot pre-?trained\b/i

/** The answer to "how many of the parameters are new?" for a class with a head for labels, which pre-training lacks.
 * @param {QuestionOnModel} subject @returns {Words | null} */
export function onNewHead({ question, model: { modelClass, total }, sizes }) {
  const output = sizes && NEW.test(question) ? labelsOfTotal(modelClass, sizes, total) : null
  if (!output) return null
  const number = count({ modelClass, sizes: { ...sizes, C: output.labels }, tag: "task-head" })
  return words`After pre-training, only the head of ${code(modelClass)} is new: ${number} parameters.`
}

const STEP = 64 // the largest number of tokens in a text is usually a multiple of it
const PADDING_ROWS = 2 // the further rows of a table whose position ids start after the padding id

/** The answer to "why does the table of positions have 514 rows?". @param {QuestionOnModel} subject
 * @returns {Words | null} */
export function onPaddingRows({ question, sizes }) {
  const tokens = (sizes?.P ?? 0) - PADDING_ROWS
  if (tokens <= 0 || tokens % STEP || !/\bposition/i.test(question)) return null
  if (![tokens, tokens + PADDING_ROWS].some((number) => new RegExp(`\\b${number}\\b`).test(question))) return null
  return words`The padding id is 1, and position ids start after it, so the table has ${tokens + PADDING_ROWS} rows for texts of at most ${tokens} tokens.`
}
