// Evaluates arithmetic that a reader types, such as `12 × (768 × 768 + 768)`. Exact terms
// give an exact result. A rounded term, as in `110M − 109,482,240`, makes the result
// uncertain, so every value carries the width of the range that it may come from.
//
// The parser works by recursive descent on a list of quantities and signs, one level for
// each rank of operators: sums, products, powers, and finally brackets.

/** A value, the width of the range that it may come from (0 if it is exact), and whether it is in bytes.
 * @typedef {{ value: number, width: number, ofMemory: boolean }} UncertainValue */

/** The result of an operation that makes no sense, such as bytes plus parameters. */
const INVALID = { value: NaN, width: 0, ofMemory: false }

/** The result of adding or subtracting two quantities; `INVALID` if only one of them is in bytes.
 * @param {UncertainValue} one @param {UncertainValue} other @param {number} value */
const combine = (one, other, value) =>
  one.ofMemory === other.ofMemory ? { ...one, value, width: Math.max(one.width, other.width) } : INVALID

/** The operation for each sign. A product is in bytes if exactly one factor is. Divisors must be exact counts, and so
 * must both operands of a power, whose exponent must not be negative.
 * @type {Record<string, (one: UncertainValue, other: UncertainValue) => UncertainValue>} */
const OPERATIONS = {
  "+": (one, other) => combine(one, other, one.value + other.value),
  "-": (one, other) => combine(one, other, one.value - other.value),
  "*": (one, { value, width, ofMemory }) => ({
    value: one.value * value,
    width: Math.max(one.width * value, one.value * width),
    ofMemory: one.ofMemory !== ofMemory,
  }),
  "/": (one, { value, width, ofMemory }) =>
    width || ofMemory ? INVALID : { ...one, value: one.value / value, width: one.width / value },
  "^": (one, { value, width, ofMemory }) =>
    one.width || width || value < 0 || one.ofMemory || ofMemory ? INVALID : { ...one, value: one.value ** value },
}
const RANKS = ["+-", "*/", "^"] // signs by rank, in order of increasing precedence

// Dividing by one of these converts a number to another unit, such as thousands or MiB.
const SCALES = new Set([1e3, 1e6, 1e9, 2 ** 10, 2 ** 20, 2 ** 30])

/** The result itself if it is small enough to be exact and, unless it is rounded, whole; otherwise `INVALID`.
 * @param {UncertainValue} result */
const checkedResult = (result) =>
  (result.width ? Math.abs(result.value) <= Number.MAX_SAFE_INTEGER : Number.isSafeInteger(result.value))
    ? result
    : INVALID

/** The result of a sum before its last division, if that only converts it to another unit, and the divisor (1 if there
 * is none); null if the result is negative or the sum makes no sense.
 * @param {(UncertainValue | string)[]} tokens  terms, signs + - * / ^ and brackets */
export function sum(tokens) {
  let index = 0
  let divisor = 1
  /** Consumes and returns the next token if it is one of these signs; otherwise returns "". @param {string} signs */
  const take = (signs) => {
    const token = tokens[index]
    if (typeof token !== "string" || !signs.includes(token)) return ""
    index += 1
    return token
  }
  /** The value of an expression whose operators have at least this rank. A division that converts the unit, as in
   * 109,482,240 / 1e6, is not carried out unless the quotient is whole.
   * @param {number} rank @returns {UncertainValue} */
  const evaluate = (rank) => {
    if (rank === RANKS.length) {
      const token = tokens[index++]
      if (typeof token === "object") return checkedResult(token)
      const value = token === "(" ? evaluate(0) : INVALID
      return take(")") ? value : INVALID
    }
    let value = evaluate(rank + 1)
    let scale = 1
    for (let sign = take(RANKS[rank]); sign; sign = take(RANKS[rank])) {
      const next = evaluate(sign === "^" ? rank : rank + 1) // 2^3^2 is 2^(3^2)
      if (sign === "/" && SCALES.has(next.value)) scale *= next.value
      else value = checkedResult(OPERATIONS[sign](value, next))
    }
    if (value.value % scale === 0) return { ...value, value: value.value / scale, width: value.width / scale }
    divisor = scale
    return value
  }
  const result = evaluate(0)
  return index === tokens.length && result.value >= 0 ? { ...result, divisor } : null
}
