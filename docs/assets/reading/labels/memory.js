// The bytes of a number in each data type, and amounts of memory in a wrong unit.

import { UNIT_NAMES } from "../../explaining/units.js"
import { words } from "../words.js"

/** The sizes of the binary units that tools often call by the names of decimal units, by the sizes of the decimal ones.
 * @type {Record<number, number>} */
export const BINARY_UNITS = { 1e3: 2 ** 10, 1e6: 2 ** 20, 1e9: 2 ** 30 }

/** The bytes of one number, by data type. @type {Record<string, number>} */
export const BYTES_PER_NUMBER = { float32: 4, float16: 2, bfloat16: 2, int8: 1, int4: 0.5 }

/** The bytes of a parameter that Adam trains in float32, with its gradient and two moments. */
export const BYTES_PER_TRAINED_PARAMETER = 16

/** The numbers of bytes that a parameter may take, with their explanations, to follow a number of parameters and the
 * sign of a product. @type {[number, string][]} */
export const BYTES_PER_PARAMETER = [
  [4, "4 bytes, as in float32"],
  [2, "2 bytes, as in float16"],
  [1, "1 byte, as in int8"],
  [0.5, "4 bits"],
  [8, "8 bytes, as in float64, or in float32 with gradients"],
  [12, "12 bytes, as in float32 with Adam's moments"],
  [16, "16 bytes, as in float32 with gradients and Adam's moments"],
  [18, "18 bytes, as in mixed precision with two copies of the weights, gradients and Adam's moments"],
]

/** The data types that a text may name, also in the name of a file, with their bytes. @type {[RegExp, number][]} */
const DTYPES = [
  [/(?<![a-z0-9])(?:float64|fp64|f64)(?![a-z0-9])/i, 8],
  [/(?<![a-z0-9])(?:float32|fp32|f32|float 32)(?![a-z0-9])/i, 4],
  [/(?<![a-z0-9])(?:b?float16|b?fp?16|half[ -]precision|half\(\)|(?<=torch\.|in )half(?! (?:of|the)))(?![a-z0-9])/i, 2],
  [/(?<![a-z0-9])int8(?![a-z0-9])/i, 1],
]
/** The names of quantised types, which pack weights into a few bits each and store a scale with every group of them,
 * and words for any such type. */
export const QUANTISED = /(?<![a-z0-9])(?:i?q[1-8]_[0-9k]|int4|nf4|fp4|awq|gptq|[48][- ]?bit|quanti[sz]ed)/i

/** The bytes of a number in the data type that a text names; undefined if it names none. @param {string} text */
export const bytesOfType = (text) => DTYPES.find(([name]) => name.test(text))?.[1]

/** The data type that a text names, with the bytes of a number in it: float32 if it names none, and "" with 0 bytes for
 * a quantised type, whose numbers do not take a whole number of bytes.
 * @param {string} text @returns {[dtype: string, bytes: number]} */
export function typeNamed(text) {
  if (QUANTISED.test(text)) return ["", 0]
  const bytes = bytesOfType(text) ?? BYTES_PER_NUMBER.float32
  const dtype = /bf(?:loat)?16/i.test(text)
    ? "bfloat16"
    : { 8: "float64", 4: "float32", 2: "float16", 1: "int8" }[bytes]
  return [dtype ?? "", bytes]
}

/** The ratio of each binary unit to its decimal one, by the size of the decimal one. @type {Record<number, number>} */
const BINARY_FACTORS = Object.fromEntries(
  Object.entries(BINARY_UNITS).map(([size, binarySize]) => [size, binarySize / Number(size)]),
)
const MAX_RATIO_ERROR = 0.03 // the largest relative error of a ratio that is taken for a step from one unit to the next

/** Whether one amount is about `step` times the other, as when a unit is mistaken.
 * @param {number} amount @param {number} other @param {number} step  from one unit to the next */
const differsByStep = (amount, other, step) =>
  [amount / other, other / amount].some((ratio) => Math.abs(ratio / step - 1) < MAX_RATIO_ERROR)

/** Bytes in a unit of this size, as in 1.75 GB. @param {number} bytes @param {number} size */
export const inUnit = (bytes, size) => `${(bytes / size).toFixed(2)} ${UNIT_NAMES[size] ?? "bytes"}`

/** Bytes in gigabytes, as in 1.75 GB, or in megabytes if they are less than 100 MB. @param {number} bytes */
export const inLargeUnit = (bytes) => inUnit(bytes, bytes < 1e8 ? 1e6 : 1e9)

/** A sentence on an amount of memory that is about 1,000 times too large or too small for a number of parameters; null
 * for any other amount.
 * @param {Quantity["number"]} number  of bytes @param {string} amountText @param {number} total  of parameters
 * @param {number} [bytesInText]  per parameter, if the text names a data type */
export function sentenceOnWrongUnit({ low, high, size }, amountText, total, bytesInText) {
  const amount = (low + high) / 2
  // Tools call 2^20 bytes a MB, so 418 GB may be 418 MiB in a wrong unit.
  const amountInBinaryUnit = amount * (BINARY_FACTORS[size] ?? 1)
  const isWrongUnit = (/** @type {number} */ perParameter) =>
    differsByStep(amount, total * perParameter, 1000) || differsByStep(amountInBinaryUnit, total * perParameter, 1024)
  const [bytes = 0, explanation = ""] =
    BYTES_PER_PARAMETER.find(
      ([perParameter]) => perParameter === (bytesInText ?? perParameter) && isWrongUnit(perParameter),
    ) ?? []
  if (!bytes) return null
  const amountInWords = total * bytes < 1e9 ? `${Math.round((total * bytes) / 1e6)} MB` : inLargeUnit(total * bytes)
  const degree = amount > total * bytes ? "much" : "little"
  return words`${amountText} is 1,000 times too ${degree}: ${amountInWords} is ${total} × ${explanation}.`
}

/** Whether a text names the type of its numbers. @param {string} text */
export const namesType = (text) => bytesOfType(text) !== undefined || QUANTISED.test(text)
