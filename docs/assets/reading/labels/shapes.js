// Explains the shape of one tensor, such as (30522, 768), which must not be read as a number with
// a comma.

import { architectures, models, product, rows, whole } from "../../counting/engine.js"
import { modelsByUse } from "../../explaining/ways.js"
import { accountWith, words } from "../words.js"
import { titleOf } from "./meanings.js"

/** A shape of two sizes in brackets, perhaps after a name or a class such as torch.Size. */
const SHAPE =
  /^\s*(?:[\w.]+(?:\.shape)?\s*[:=]?\s*)?(?:(?:torch\.)?(?:Size|TensorShape|shape)\s*[=(:]*\s*)?[([]{1,2}\s*([0-9]{1,7})\s*,\s*([0-9]{1,7})\s*[)\]]{1,2}\s*[.?]?\s*$/

/** The words for tensors with two dimensions, by the endings of their paths. @type {Record<string, string>} */
const WORDS_BY_ENDING = {
  word_embeddings: "the word embeddings",
  position_embeddings: "the position embeddings",
  token_type_embeddings: "the segment embeddings",
  "query/kernel": "the matrix of a projection in attention",
  "intermediate/dense/kernel": "the first matrix of the feed-forward network",
  "output/dense/kernel": "the second matrix of the feed-forward network",
}

/** The words for a tensor with a shape, and the most widely used model that has such a tensor; null if no model has
 * one. A matrix may be transposed.
 * @param {number} first @param {number} second */
function tensorWith(first, second) {
  for (const { name, sizes, architecture } of modelsByUse) {
    const indices = new Set(architectures.get(architecture).classes[0].rows)
    for (const [index, row] of rows.entries()) {
      if (!indices.has(index) || row.dimensions.length !== 2) continue
      const [rowSize, columnSize] = row.dimensions.map((size) => product([size], sizes))
      const hasShape = rowSize === first && columnSize === second
      const isTransposed = rowSize === second && columnSize === first && row.path.endsWith("kernel")
      const tensorWords = Object.entries(WORDS_BY_ENDING).find(([end]) => row.path.endsWith(end))?.[1]
      if (tensorWords && (hasShape || isTransposed)) return { model: name, words: tensorWords }
    }
  }
  return null
}

/** A shape of two sizes in brackets within a question, and words that ask about it. */
const SHAPE_IN_QUESTION = /[([]\s*([0-9]{1,7})\s*,\s*([0-9]{1,7})\s*[)\]]/
const QUESTION_WORDS = /\bhow many\b|\bwhich\b|\bwhat\b/i
const ABOUT_TENSOR = /\bshape\b|\bmatri(?:x|ces)\b|\btensor\b|\bweights?\b|\btable\b/i
const MAX_LENGTH = 120 // characters of such a question

/** The two sizes of a shape that is the whole text, or the only numbers in a question about a tensor; empty if there is
 * none.
 * @param {string} text @returns {number[]} */
function shapeIn(text) {
  const match = SHAPE.exec(text)
  if (match) return match.slice(1).map(Number)
  if (text.length > MAX_LENGTH || !QUESTION_WORDS.test(text) || !ABOUT_TENSOR.test(text)) return []
  const shape = SHAPE_IN_QUESTION.exec(text)
  return shape && !/[0-9]/.test(text.replace(shape[0], "")) ? shape.slice(1).map(Number) : []
}

/** The account of a text that is a shape, or a question about one; null for any other text.
 * @param {string} text @returns {Account | null} */
export function accountOfShape(text) {
  const [first = 0, second = 0] = shapeIn(text)
  if (!first || !second) return null
  const number = first * second
  const tensor = tensorWith(first, second)
  const part = tensor ? words`${tensor.words} of ${titleOf(tensor.model)}` : []
  const example = tensor ? words`, such as ${part},` : []
  return accountWith({
    kind: "labels",
    headline: words`(${String(first)}, ${String(second)}) is the shape of a tensor, not a number. A tensor of this shape${example} has ${whole(first)} × ${whole(second)} = ${number} elements.`,
    lines: [
      {
        source: text.trim(),
        part,
        stated: number,
        right: tensor ? number : null,
        verdict: tensor ? "right" : "unknown",
        times: 1,
      },
    ],
    model: tensor && models.has(tensor.model) ? { name: tensor.model, modelClass: "", total: number } : null,
    confidence: tensor ? "likely" : "possible",
  })
}
