// Arithmetic that a reader types, such as `12 × (768 × 768 + 768)`, worked out
// exactly. A rounded term, as in `110M − 109,482,240`, makes the result as uncertain
// as it is itself, so every value carries the width of its window.
//
// The sum comes as a list of quantities and signs, and is evaluated by recursive descent:
// a function for each rank of signs, from + and - down to powers and brackets.

/** @typedef {{ value: number, width: number, ofMemory: boolean }} Quantity */

/** The result of an operation that makes no sense, such as bytes plus parameters. */
const INVALID = { value: NaN, width: 0, ofMemory: false }

/** The quantity of a sum or difference; `INVALID` if parameters meet bytes.
 * @param {Quantity} one @param {Quantity} other @param {number} value */
const combine = (one, other, value) =>
  one.ofMemory === other.ofMemory ? { ...one, value, width: Math.max(one.width, other.width) } : INVALID

/** The operation of each sign. Only a count can be multiplied by bytes, and only exact counts can be divisors or exponents.
 * @type {Record<string, (one: Quantity, other: Quantity) => Quantity>} */
const SIGNS = {
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
const RANKS = ["+-", "*/", "^"] // the signs of each rank; those of a later one bind more strongly

// A division by one of these only gives a number in thousands or millions, or bytes in another unit.
const SCALES = new Set([1e3, 1e6, 1e9, 2 ** 10, 2 ** 20, 2 ** 30])

/** A result, or `INVALID` if it is not whole or too large to be exact. @param {Quantity} result */
const limited = (result) =>
  (result.width ? Math.abs(result.value) <= Number.MAX_SAFE_INTEGER : Number.isSafeInteger(result.value))
    ? result
    : INVALID

/** The result of a sum, and the number by which it was divided into another unit, or 1; null if it makes no sense or is
 * below zero.
 * @param {(Quantity | string)[]} tokens  terms, signs + - * / ^ and brackets */
export function sum(tokens) {
  let index = 0
  let unit = 1
  /** Takes the next token if it is one of these signs; else "". @param {string} signs */
  const take = (signs) => {
    const token = tokens[index]
    return typeof token === "string" && signs.includes(token) ? tokens[index++] && token : ""
  }
  /** The result of terms with signs of one rank between them. A division into another unit, 109,482,240 /
   * 1e6, leaves the number as it is.
   * @param {number} rank @returns {Quantity} */
  const evaluate = (rank) => {
    if (rank === RANKS.length) {
      const token = tokens[index++]
      if (typeof token === "object") return limited(token)
      const value = token === "(" ? evaluate(0) : INVALID
      return take(")") ? value : INVALID
    }
    let value = evaluate(rank + 1)
    let scale = 1
    for (let sign = take(RANKS[rank]); sign; sign = take(RANKS[rank])) {
      const next = evaluate(sign === "^" ? rank : rank + 1) // 2^3^2 is 2^(3^2)
      if (sign === "/" && SCALES.has(next.value)) scale *= next.value
      else value = limited(SIGNS[sign](value, next))
    }
    if (value.value % scale === 0) return { ...value, value: value.value / scale, width: value.width / scale }
    unit = scale
    return value
  }
  const result = evaluate(0)
  return index === tokens.length && result.value >= 0 ? { ...result, unit } : null
}
