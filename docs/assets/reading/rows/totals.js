// Reads the totals on a line without names: of all, trainable or frozen parameters, or of tensors.

import { numberOfDigits } from "../../explaining/read.js"
import { NUMBER, numberOf, ROUNDED } from "./named-rows.js"
import { countIn } from "./summaries.js"

/** The kinds of totals with patterns for their words. The first match decides, because "non-trainable" contains
 * "trainable", and a line of either kind may also match the last pattern. */
const TOTAL_KINDS = /** @type {const} */ ([
  ["frozen", /non-?trainable|frozen|冻结|不可训练/i],
  // "requires_grad=True" is about the tensor on the line.
  ["trainable", /trainable|可训练|requires_grad(?!\s*[=:]\s*(?:True|False))/i],
  [
    "total",
    /total|sum|all params|together|overall|总|合计|总计|總|\ball\b|number of param|参数量|num(?:ber)?[_ ]?param|num\. (?:\w+ ){0,2}param/i,
  ],
])

/** Words on lines that total something other than parameters: memory, shares, operations, or training runs. */
const OF_OTHER_UNITS =
  /size[^:]*\((?:[MGK]i?B)|%|\b[MG]i?B\b|mult-?_?adds|\bflops|\bmacs\b|seconds|epoch|steps|batch|examples/i
/** The memory size that Keras appends to a total, in brackets. */
const IN_BYTES = /\([0-9.,]+ ?(?:[KMG]i?B|Bytes?)\)/gi
/** The number of tensors, as many tutorials print it: "The BERT model has 201 different named parameters." */
const TENSOR_COUNT = /^\D{0,60}\b([0-9]{2,4}) (?:different )?(?:(?:named )?parameters|(?:parameter )?tensors)\b/i

const DIGITS = "[0-9][0-9,._]*"
/** Lines with the numbers of trainable and of all parameters, as PEFT prints them, in either order. */
const TRAINABLE_OF_ALL = new RegExp(
  String.raw`\btrainable[^0-9%]{0,40}(?<trainable>${DIGITS}) *(?:/|of|out of|\|\|?)[^0-9%]{0,40}(?<all>${DIGITS})(?![\w%])`,
  "i",
)
const ALL_WITH_TRAINABLE = new RegExp(
  String.raw`\b(?:total|all)\b[^0-9%]{0,40}(?<all>${DIGITS})[^0-9%]{1,20}trainable[^0-9%]{0,40}(?<trainable>${DIGITS})(?![\w%])`,
  "i",
)

/** The two totals on a line with the numbers of trainable and of all parameters; empty for any other line.
 * @param {TextLine} line @returns {StatedTotal[]} */
function trainableAndAllIn(line) {
  const { trainable, all } = (TRAINABLE_OF_ALL.exec(line.text) ?? ALL_WITH_TRAINABLE.exec(line.text))?.groups ?? {}
  const [trainableCount, allCount] = [trainable ?? "", all ?? ""].map((digits) => numberOfDigits(digits))
  if (!(trainableCount <= allCount && allCount >= MIN_TOTAL)) return []
  return [
    { line, kind: "trainable", low: trainableCount, high: trainableCount },
    { line, kind: "total", low: allCount, high: allCount },
  ]
}

export const MIN_TOTAL = 1000 // a smaller number is not a total: it counts epochs, steps or layers

const MIN_LARGE_TOTAL = 100_000 // a smaller number before a rounded total is not a total, but a year or a number of steps

/** Lightning's line with the size of the parameters in MB, to three decimals. */
const MODEL_SIZE = /^\s*([0-9,]+\.[0-9]{3})\s+Total estimated model params size \(MB\)/
const UNIT_OF_MODEL_SIZE = 1e3 // bytes in the last decimal
const BYTES_PER_PARAMETER = 4 // in float32, which Lightning assumes unless the trainer has another precision

/** The end of a sentence with a number, before another sentence. */
const END_OF_SENTENCE = /(?<=[0-9)])[.;!?]\s+(?=\p{Lu})/u

/** The totals that a line states. @param {TextLine} line @returns {StatedTotal[]} */
export function totalsIn(line) {
  const [, size] = MODEL_SIZE.exec(line.text) ?? []
  if (size) {
    const units = Number(size.replace(/[.,]/g, ""))
    const [low, high] = [units - 0.5, units + 0.5].map((bound) => (bound * UNIT_OF_MODEL_SIZE) / BYTES_PER_PARAMETER)
    return [{ line, kind: "total", low: Math.ceil(low), high: Math.floor(high) }]
  }
  const trainableAndAll = trainableAndAllIn(line)
  if (trainableAndAll.length) return trainableAndAll
  const text = line.text.replace(IN_BYTES, "").replace(/\*\*/g, "")
  if (OF_OTHER_UNITS.test(text)) return []
  const [, tensors] = TENSOR_COUNT.exec(text) ?? []
  if (tensors) return [{ line, kind: "tensors", low: Number(tensors), high: Number(tensors) }]
  const [kind, words] = TOTAL_KINDS.find(([, pattern]) => pattern.test(text)) ?? []
  const numbersIn = (/** @type {string} */ part) => [...part.matchAll(NUMBER)].map(([number]) => numberOf(number))
  const numbers = numbersIn(text)
  if (kind) {
    const rounded = ROUNDED.exec(text)
    const roundedCount = countIn(rounded?.[0] ?? "")
    // "The total is 102,267,648, so why does the paper say 110M?"
    const [exact = 0] = numbersIn(text.slice(0, rounded?.index))
    if (roundedCount && exact >= MIN_LARGE_TOTAL) return [{ line, kind, low: exact, high: exact }]
    if (roundedCount) return [{ line, kind, ...roundedCount }]
    // "The total is 102,267,648. My friend has 109,482,240."
    const sentence = text.split(END_OF_SENTENCE).find((part) => words?.test(part)) ?? ""
    const number = numbersIn(sentence).at(-1) ?? numbers.at(-1)
    return number === undefined || number < MIN_TOTAL ? [] : [{ line, kind, low: number, high: number }]
  }
  // A number alone on a line is the total, because that is what people print last.
  if (/^\s*[0-9][0-9,._' ]*\s*$/.test(text) && numbers.length === 1 && numbers[0] >= MIN_TOTAL)
    return [{ line, kind: "total", low: numbers[0], high: numbers[0] }]
  return []
}
