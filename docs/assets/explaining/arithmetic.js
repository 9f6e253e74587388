// Evaluates arithmetic that a reader types, such as `12 × (768 × 768 + 768)`. Exact terms
// give an exact result. A rounded term, as in `110M − 109,482,240`, makes the result
// uncertain, so every value carries the width of the range that it may come from.
//
// The parser works by recursive descent on a list of quantities and signs, one level for
// each rank of operators: sums, products, powers, and finally brackets.

/** A value, the width of the range that it may come from (0 if it is exact), and whether it is in bytes.
 * @typedef {{ value: number, width: number, ofMemory: boolean }} UncertainValue */

/** A value with the number by which it is still to be divided, to convert it to another unit (1 for none).
 * @typedef {UncertainValue & { divisor: number }} Result */

/** The result of an operation that makes no sense, such as bytes plus parameters. */
const INVALID = { value: NaN, width: 0, ofMemory: false, divisor: 1 }

/** The result of adding or subtracting two quantities; `INVALID` if only one of them is in bytes, or if their divisors
 * differ.
 * @param {Result} one @param {Result} other @param {number} value */
const combine = (one, other, value) =>
  one.ofMemory === other.ofMemory && one.divisor === other.divisor
    ? { ...one, value, width: Math.max(one.width, other.width) }
    : INVALID

/** Whether a quantity is an exact count, with no division left. @param {Result} quantity */
const isExactCount = ({ width, ofMemory, divisor }) => !width && !ofMemory && divisor === 1

/** The operation for each sign. A product is in bytes if exactly one factor is. Divisors must be exact counts, and so
 * must both operands of a power, whose exponent must not be negative.
 * @type {Record<string, (one: Result, other: Result) => Result>} */
const OPERATIONS = {
  "+": (one, other) => combine(one, other, one.value + other.value),
  "-": (one, other) => combine(one, other, one.value - other.value),
  "*": (one, { value, width, ofMemory, divisor }) => ({
    value: one.value * value,
    width: Math.max(one.width * value, one.value * width),
    ofMemory: one.ofMemory !== ofMemory,
    divisor: one.divisor * divisor,
  }),
  "/": (one, other) =>
    isExactCount(other) ? { ...one, value: one.value / other.value, width: one.width / other.value } : INVALID,
  "^": (one, other) =>
    isExactCount(one) && isExactCount(other) && other.value >= 0
      ? { ...one, value: one.value ** other.value }
      : INVALID,
}
const RANKS = ["+-", "*/", "^"] // signs by rank, in order of increasing precedence

// Dividing by one of these converts a number to another unit, such as thousands or MiB.
const SCALES = new Set([1e3, 1e6, 1e9, 2 ** 10, 2 ** 20, 2 ** 30])

/** The result itself if it is small enough to be exact and, unless it is rounded, whole; otherwise `INVALID`.
 * @param {Result} result */
const checkedResult = (result) =>
  (result.width ? Math.abs(result.value) <= Number.MAX_SAFE_INTEGER : Number.isSafeInteger(result.value))
    ? result
    : INVALID

/** The result of a sum, before any division that only converts it to another unit; null if the result is negative or
 * the sum makes no sense.
 * @param {(UncertainValue | string)[]} tokens  terms, signs + - * / ^ and brackets */
export function sum(tokens) {
  let index = 0
  /** Consumes and returns the next token if it is one of these signs; otherwise returns "". @param {string} signs */
  const take = (signs) => {
    const token = tokens[index]
    if (typeof token !== "string" || !signs.includes(token)) return ""
    index += 1
    return token
  }
  /** The value of an expression whose operators have at least this rank. A division that converts the unit, as in
   * 109,482,240 / 1e6, is not carried out unless the quotient is whole.
   * @param {number} rank @returns {Result} */
  const evaluate = (rank) => {
    if (rank === RANKS.length) {
      const token = tokens[index++]
      if (typeof token === "object") return checkedResult({ ...token, divisor: 1 })
      const value = token === "(" ? evaluate(0) : INVALID
      return take(")") ? value : INVALID
    }
    let value = evaluate(rank + 1)
    let scale = 1
    for (let sign = take(RANKS[rank]); sign; sign = take(RANKS[rank])) {
      const next = evaluate(sign === "^" ? rank : rank + 1) // 2^3^2 is 2^(3^2)
      if (sign === "/" && SCALES.has(next.value) && next.divisor === 1) scale *= next.value
      else value = checkedResult(OPERATIONS[sign](value, next))
    }
    if (value.value % scale === 0) return { ...value, value: value.value / scale, width: value.width / scale }
    return { ...value, divisor: value.divisor * scale }
  }
  const result = evaluate(0)
  return index === tokens.length && result.value >= 0 ? result : null
}
