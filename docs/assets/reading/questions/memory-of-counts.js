// Answers how much memory a number of parameters takes, if the text names no model: "How much memory do 335M
// parameters need in fp16?"

import { noun, whole } from "../../counting/engine.js"
import { BYTES_PER_TRAINED_PARAMETER, inLargeUnit, typeNamed } from "../labels/memory.js"
import { words } from "../words.js"
import { answer, MAX_LENGTH } from "./question-accounts.js"

/** Words that ask for memory, and words for training. */
const MEMORY =
  /\bhow\s(?:much|many)\b.*\b(?:memory|v?ram|space|bytes|[kMG]i?B)\b|\bmemory\b.*\?|显存|内存|speicher|mémoire|memoria/i
const TRAINING = /\badamw?\b|\bfine-?tun\w*|(?<!pre-?)\btrain(?:s|ing)?\b|训练|微调/i

/** The account of a question about the memory of a number of parameters; null for any other text, and for one that
 * names a model or a type whose bytes are not known.
 * @param {LabelledText} labelledText @returns {Account | null} */
export function accountOfMemoryOfCount({ text, numbers, quantities, mentions, classes, parts }) {
  const [quantity] = numbers
  if (numbers.length !== 1 || quantities.length !== 1 || quantity.role !== "count") return null
  if (text.length > MAX_LENGTH || !MEMORY.test(text) || mentions.length || classes.length || parts.length) return null
  const { low, high } = quantity.number
  const [dtype, bytesOfType] = typeNamed(text)
  const isTraining = TRAINING.test(text)
  const bytes = isTraining ? BYTES_PER_TRAINED_PARAMETER : bytesOfType
  if (!bytes || (isTraining && dtype !== "float32")) return null
  const extent = isTraining
    ? "in training with Adam in float32, including their gradients and two moments, but not activations"
    : `in ${dtype}`
  return answer(
    words`At ${whole(bytes)} ${noun(bytes, "byte")} each, ${quantity.typed} parameters take ${inLargeUnit(((low + high) / 2) * bytes)} ${extent}.`,
  )
}
