// Reads the rows of a line that names tensors, by the signals in it: names with dots or slashes, a
// shape, a count, a flag. A line with several names is split into pieces.
//
// The patterns are permissive, because people paste the output of any tool, mangled by editors
// and chats. They grew with the print-outs in tests/scripts/printouts, which guard them: a
// narrower pattern must still read all of these.

import { slipOf } from "../../explaining/kinds/slips.js"
import { numberOfDigits } from "../../explaining/read.js"
import { asPrintedName } from "./names.js"
import { countIn } from "./summaries.js"
import { BYTES_PER_ELEMENT, elementsOf, numbersOf, textRow } from "./text-row.js"

/** A name of two or more parts, separated by dots or slashes. A wrapper may put a number in front, and TensorFlow
 * appends ":0". */
const PATH = /(?<![\w./-])(?:[0-9]+\.)?[A-Za-z_][\w-]*(?:[./][\w-]+)+(?::0)?/g
/** The number that ONNX gives a matrix in place of a name when it stores the transpose. */
const NUMBERED_MATRIX = /(?<![\w:])onnx::[A-Za-z]+_[0-9]+/g
/** Code that looks like a name with dots, for example a library call, a file name, or an attribute of a loop
 * variable. */
const CODE =
  /^(?:torch|tf|np|jnp|model\.(?:named|state|parameters|summary|config|from)|transformers|tensorflow)\.|\.(?:py|safetensors|bin|json|txt|pt|ckpt|size|shape|numel|parameters|items|from_pretrained|resize_token_embeddings)$|^(?:p|param|params|np|nn|self|i|e|v|k)\.[a-z_]+$/i
/** The text after the name of a function in a call. A number in brackets after a name is its shape or count. */
const CALL = /^\([^0-9\s]/
/** The ending of a tensor's name, as frameworks print it. */
export const TENSOR =
  /(?:^|[./])(?:weight|bias|kernel|gamma|beta|scale|embedding|embeddings|\w+_embeddings|position_ids|token_type_ids|output_weights|output_bias|in_proj_weight|in_proj_bias|(?:weight|bias)_[ih]h_l[0-9]\w*|cls_token|lora_[ABE]\w*|adam_[mv]|\w+_vector|inv_freq|logit_scale|running_mean|running_var|num_batches_tracked)(?::0)?$/i
/** A shape: torch.Size([…]), numbers in brackets, numbers separated by crosses, or numbers separated by a comma and a
 * space. Each form has a group of its own. */
const SHAPE =
  /(?:torch\.)?Size\(\[([0-9,\s]*)\]\)|[[(]\s*([0-9]+(?:\s*,\s*[0-9]+)*\s*,?)\s*[\])]|(?<![\w.,])([0-9]+(?:\s*[x×*]\s*[0-9]+)+)(?![\w.])|(?<![\w.,])([0-9]+(?:,\s+[0-9]+)+)(?![\w.])/g
/** A whole number whose thousands are separated by a mark, by spaces, or by nothing. */
export const NUMBER =
  /(?<![\w.,])[0-9]{1,3}(?:([,._'])[0-9]{3})(?:\1[0-9]{3})*(?![\w])(?!\.[0-9])|(?<![\w.,])[0-9]{1,3}(?: [0-9]{3})+(?![\w.,])|(?<![\w.,])[0-9]+(?![\w])(?!\.[0-9])/g
/** The ending of the name of a tensor that is not a parameter: a buffer, such as those with which thop counts, Adam's
 * state in a TensorFlow checkpoint, or the mask of pruned weights. */
const BUFFER =
  /(?:^|[./])(?:weight_mask|bias_mask|total_ops|total_params|position_ids|token_type_ids|inv_freq|original_inv_freq|masked_bias|running_mean|running_var|num_batches_tracked|adam_[mv]|global_step)(?::0)?$/i

/** The ending of the name of a tensor with which a quantised matrix is restored. */
export const OF_QUANTISATION =
  /[./](?:SCB|weight_format|absmax|quant_map|nested_absmax|nested_quant_map|quant_state\.\w+|qzeros|scales|g_idx)$/

/** The number that a match of `NUMBER` represents. Two equal numbers separated by a space, such as "768 768", are the
 * shape of a vector and its count.
 * @param {string} text */
export function numberOf(text) {
  const parts = text.split(" ")
  const isTwice = parts.length > 1 && new Set(parts).size === 1
  return numberOfDigits(isTwice ? parts[0] : text)
}

const MAX_NAME_LENGTH = 300 // the maximum number of characters in a name; anything longer is taken for encoded data

/** A name of one part that is followed by a size, or by a shape in brackets and a count, or that TensorFlow prints with
 * its shape: a tensor that the model holds directly. A name with an underscore may have only a shape in brackets after
 * it, as output_weights does in the checkpoints of a fine-tuned classifier. */
const NAME_OF_ONE_PART = new RegExp(
  [
    String.raw`^\s*(?!torch\b)[a-z_]+(?=\W+(?:torch\.)?Size\(|\s+[([][0-9]+,[0-9, ]*[)\]]\s+[0-9,]+\s*$)`,
    String.raw`(?<=\bname = )[a-z_]+:0(?=, shape = )`,
    String.raw`(?<=^[\s(['"]{0,8})[a-z]+(?:_[a-z]+)+(?=['"]?[\s,:=]+[([][0-9]+(?:, ?[0-9]+)*,?[)\]][\s)\],]*$)`,
  ].join("|"),
  "g",
)
/** A number with any separators between its digits. */
const GROUPED_DIGITS = /[0-9](?:[,._' ]?[0-9])*/g
/** A layer number in a custom name, followed by a name of two parts. */
const NAME_IN_LAYER = /[./][0-9]+[./]\w+[./]\w/

/** The matches of tensor names in a line. @param {string} text */
export function pathsIn(text) {
  const paths = [...text.matchAll(PATH)].filter(
    ({ 0: path, index }) =>
      path.length <= MAX_NAME_LENGTH &&
      !CODE.test(path) &&
      !/^https?:/.test(path) &&
      !CALL.test(text.slice(index + path.length, index + path.length + 2)),
  )
  if (!paths.length) {
    const numberedMatrices = [...text.matchAll(NUMBERED_MATRIX)]
    return numberedMatrices.length ? numberedMatrices : [...text.matchAll(NAME_OF_ONE_PART)]
  }
  const tensors = paths.filter(([path]) => TENSOR.test(path) || asPrintedName(path))
  if (tensors.length) return tensors
  // Custom names need not end as tensor names usually do. A shape on the same line shows that they are tensors.
  const hasShape = /Size\(|\[[0-9]+, |(?<!\w)(?:\[[0-9]+\]|\([0-9]+,)/.test(text)
  if (hasShape) return paths
  const isOnlyPath = paths.length === 1 && (text.replace(paths[0][0], "").match(GROUPED_DIGITS) ?? []).length === 1
  return paths.filter(([path]) => NAME_IN_LAYER.test(path) || (isOnlyPath && asPrintedName(`${path}.weight`)))
}

/** A number such as 23,440,896, which is not a shape even in brackets. */
const MILLIONS = /^[0-9]{1,3}(?:,[0-9]{3}){2,}$/
/** A shape that is cut off by the end of a line. */
const CUT_SHAPE = /(?:torch\.)?Size\(?\[?[0-9, ]*$|[[(][0-9, ]+$/

const DIMENSIONS_OF_GGUF = 4

/** The first shape in a string, and the string without it. (512,768) is a shape, but (23,440,896) is a count.
 * @param {string} text @returns {{ shape: number[] | null, rest: string }} */
function shapeIn(text) {
  for (const match of text.matchAll(SHAPE)) {
    const [matchedText, size, sizesInBrackets, product, sizesAlone] = match
    if (sizesInBrackets && MILLIONS.test(sizesInBrackets)) continue
    const shape = numbersOf(size ?? sizesInBrackets ?? product ?? sizesAlone ?? "")
    // GGUF pads every shape to four dimensions with ones.
    if (sizesAlone || shape.length === DIMENSIONS_OF_GGUF) while (shape.length > 1 && shape.at(-1) === 1) shape.pop()
    return { shape, rest: `${text.slice(0, match.index)} ${text.slice(match.index + matchedText.length)}` }
  }
  return { shape: null, rest: text.replace(CUT_SHAPE, "") }
}

/** The count that a line states in addition to a shape: the product of the shape or, failing that, a number that looks
 * like a mistyped product; null if there is neither. A number of bytes is not a count.
 * @param {number[]} numbers @param {number} elements */
function countWithShape(numbers, elements) {
  if (numbers.includes(elements)) return elements
  const others = numbers.filter((number) => !BYTES_PER_ELEMENT.some((bytes) => number === elements * bytes))
  return others.find((number) => isSlip(number, elements)) ?? null
}

const MIN_SLIP = 100 // numbers with fewer digits may differ in one digit by chance

/** Whether two numbers of at least three digits differ as if one had been mistyped: by a digit that is wrong, left out
 * or added, or by two that are swapped.
 * @param {number} one @param {number} other */
export const isSlip = (one, other) => Math.min(one, other) >= MIN_SLIP && slipOf(String(one), String(other)) !== ""

/** A comma between the cells of a CSV file, as opposed to one within a shape or a number. After a product such as
 * 768x768, three digits may be the rest of a number instead. */
const BETWEEN_CELLS =
  /,(?=["'[(])|(?<=["'\])]),(?=[0-9"'])|(?<![0-9]),(?=[0-9]+[x×*][0-9])|(?<=[0-9][x×*][0-9]+),(?=(?:[0-9]{1,2}|[0-9]{4,})(?![0-9]))/g

/** A short number at the start of a line or before a colon, which numbers the rows of a table. */
const ROW_NUMBER = /^\s*\W?[0-9]{1,4}\b|\b[0-9]{1,4}:\s/

/** The rows of a line, one for each name. @param {TextLine} line */
export const namedRows = (line) =>
  piecesOf(line.text).map(({ path, around, lengthBefore }) => namedRow(line, path, around, lengthBefore))

/** The row for a piece of text with one name.
 * @param {TextLine} line @param {string} path @param {string} around  the text without the name
 * @param {number} lengthBefore  of the text before the name @returns {TextRow} */
function namedRow(line, path, around, lengthBefore) {
  const { shape, rest } = shapeIn(around.replace(BETWEEN_CELLS, " "))
  const numbers = [...rest.matchAll(NUMBER)].map(([text]) => text)
  // If there is a shape, a row number must not be mistaken for the count.
  if (shape && ROW_NUMBER.test(rest) && numbers.length && rest.indexOf(numbers[0]) < lengthBefore) numbers.shift()
  const elements = elementsOf(shape)
  const count = elements ?? countAlone(numbers.map(numberOf), rest, lengthBefore)
  const roundedCount = countIn(ROUNDED.exec(rest)?.[0] ?? "")
  return textRow(line, {
    name: path.replace(/\//g, "."),
    shape,
    low: count ?? roundedCount?.low ?? null,
    high: count ?? roundedCount?.high ?? null,
    stated: elements === null ? null : countWithShape(numbers.map(numberOf), elements),
    isTrainable: trainableIn(rest),
    isBuffer: BUFFER.test(path) || OF_QUANTISATION.test(path),
  })
}

/** Whether the tensor on a line is trained, according to the value of requires_grad, a mark or a word for it; null if
 * the line has none of them.
 * @param {string} text */
function trainableIn(text) {
  if (/\bTrue\b|✅|🔥|\[train(?:able|ed)?\]/iu.test(text)) return true
  if (/\bFalse\b|\bfrozen\b|❌|❄|🔒/iu.test(text)) return false
  return /^\W*trainable\b|\btrainable\s*$/i.test(text) ? true : null
}

/** The count in a line without a shape: the first number after the name or, failing that, the last number; null if
 * there is none.
 * @param {number[]} numbers @param {string} rest @param {number} lengthBefore */
function countAlone(numbers, rest, lengthBefore) {
  if (!numbers.length) return null
  const [after] = [...rest.slice(lengthBefore).matchAll(NUMBER)].map(([text]) => numberOf(text))
  return after ?? numbers[numbers.length - 1]
}

/** The pieces of a line, each with one name: the name, the text around it, and the length of the text before it. In a
 * line with several names, each name begins its piece, or ends it if the numbers come first.
 * @param {string} text */
function piecesOf(text) {
  const paths = pathsIn(text)
  const endOf = (/** @type {RegExpExecArray} */ match) => match.index + match[0].length
  const hasNumber = (/** @type {string} */ part) => /[0-9]{2}/.test(part)
  if (paths.length < 2)
    return paths.map((match) => ({
      path: match[0],
      around: `${text.slice(0, match.index)} ${text.slice(endOf(match))}`,
      lengthBefore: match.index,
    }))
  const ends = paths.map(endOf)
  const areNumbersFirst = hasNumber(text.slice(0, paths[0].index)) && !hasNumber(text.slice(ends.at(-1)))
  return paths.map(({ 0: path, index: start }, index) => {
    const from = areNumbersFirst ? (ends[index - 1] ?? 0) : start
    const to = areNumbersFirst ? ends[index] : (paths[index + 1]?.index ?? text.length)
    return { path, around: text.slice(from, start) + text.slice(ends[index], to), lengthBefore: start - from }
  })
}

/** A rounded count, such as "110M" or "1.2 K". */
export const ROUNDED = /(?<![\w.,])[0-9]+(?:\.[0-9]+)? ?[KMB](?![\w])/
