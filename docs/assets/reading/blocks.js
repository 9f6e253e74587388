// Explains the blocks of memory that PyTorch requests from a GPU. PyTorch's CUDA allocator
// rounds each request up, and the out-of-memory error prints the size of the block, not of
// the tensor (c10/cuda/CUDACachingAllocator.cpp in PyTorch's source). So the block is
// traced back to the range of sizes that are rounded to it, and to well-known tensors
// within this range.

import { classOfBare, models, noun, whole } from "../counting/engine.js"
import { costOfModel, modelsByUse } from "../explaining/ways.js"
import { partInWords } from "./rows/parts-in-words.js"
import { rulerOf } from "./rows/ruler.js"
import { asSubject, code, enumeration, link, linkTo, words } from "./words.js"

const MIB = 2 ** 20
const SMALL_BLOCK = 2 // MiB: the block for a tensor of at most 1 MiB
const MIDDLE_BLOCK = 20 // MiB: the block for a tensor above 1 MiB and below `MIN_LARGE_TENSOR`
const MIN_LARGE_TENSOR = 10 // MiB; from this size on, the tensor's size is rounded up to a multiple of `STEP`
const STEP = 2 // MiB; large blocks are multiples of it
const BYTES_PER_NUMBER = Object.entries({ float32: 4, float16: 2 }) // bytes per number; bfloat16 has as many as float16
const MAX_COST = 1 // the largest cost of a model that is well known enough to be named
const MAX_TENSORS = 3 // the maximum number of tensors that the answer names

/** The sentences about a requested block; empty for 10 MiB, the block of a tensor of exactly that size, and if the size
 * cannot be explained.
 * @param {string} printedSize  the size as printed @param {number} bytes @returns {Words[]} */
export function sentencesOnBlock(printedSize, bytes) {
  const size = bytes / MIB
  const opening = words`${printedSize} is the size of the block that PyTorch asked for: the size of the tensor, rounded up`
  if (/GiB$/.test(printedSize))
    return [
      words`${opening} to a multiple of ${STEP} MiB, and then printed to a hundredth of a GiB, so it does not identify a model or a batch size.`,
    ]
  if (size === SMALL_BLOCK)
    return [words`${opening}. Any tensor of at most 1 MiB is placed in a block of ${SMALL_BLOCK} MiB.`]
  if (size <= MIN_LARGE_TENSOR || size % STEP) return []
  const range = words`more than ${size - STEP} MiB and at most ${size} MiB`
  if (size === MIDDLE_BLOCK)
    return [
      words`${opening}. Every tensor above 1 MiB and below ${MIN_LARGE_TENSOR} MiB gets a block of ${MIDDLE_BLOCK} MiB, as does one of ${range}. So it does not identify a model or a batch size.`,
    ]
  const tensors = wordsForTensorsWithin((size - STEP) * MIB, size * MIB)
  const aboutWeights = words`Among the weights of well-known models, tensors of that size include ${enumeration(tensors)}. Gradients and each of Adam's two moments are as large as the weights.`
  return [
    words`${opening} to a multiple of ${STEP} MiB, so the tensor takes ${range}.`,
    ...(tensors.length ? [aboutWeights] : []),
    ...sentencesOnScores(bytes),
  ]
}

/** A sentence on the attention scores of the table's first model, in float32; empty unless those of a whole number of
 * texts take exactly this many bytes.
 * @param {number} bytes @returns {Words[]} */
function sentencesOnScores(bytes) {
  const [{ sizes, title, page }] = models.values()
  const [[dtype, bytesPerNumber]] = BYTES_PER_NUMBER
  const textCount = bytes / (sizes.A * sizes.P ** 2 * bytesPerNumber)
  if (!Number.isInteger(textCount)) return []
  return [
    words`Many activations may have this size, such as the attention scores of one layer of ${link(page, asSubject(title))} for ${textCount} ${noun(textCount, "text")} of ${sizes.P} tokens, in ${dtype}. Attention that is computed step by step (${code("eager")}) stores its scores; PyTorch's fused attention, which ${code('attn_implementation="sdpa"')} selects where it can, needs no such tensor.`,
  ]
}

/** The words for tensors of well-known models that take more than `low` and at most `high` bytes. Tensors in float32
 * come first, and within each data type those of more widely used models. Of tensors of equal size, only the
 * first is named, and of all tensors, at most `MAX_TENSORS`.
 * @param {number} low @param {number} high @returns {Words[]} */
function wordsForTensorsWithin(low, high) {
  const wellKnownModels = modelsByUse.filter(({ name }) => costOfModel(name) <= MAX_COST)
  /** @type {Map<number, Words>} */
  const bySize = new Map()
  for (const [dtype, bytesPerNumber] of BYTES_PER_NUMBER)
    for (const model of wellKnownModels) {
      const ruler = rulerOf(classOfBare(model.architecture), model.sizes)
      for (const tensor of ruler.tensors) {
        const bytes = tensor.elements * bytesPerNumber
        if (bytes <= low || bytes > high || bySize.has(bytes)) continue
        bySize.set(
          bytes,
          words`${partInWords([tensor], ruler)} of ${linkTo(model)}, in ${dtype} (${whole(bytes)} bytes)`,
        )
      }
    }
  return [...bySize.values()].slice(0, MAX_TENSORS)
}
