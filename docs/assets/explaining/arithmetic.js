// Sums: what a reader types as arithmetic, `12 × (768 × 768 + 768)`, worked out
// exactly. A rounded term, as in `110M − 109,482,240`, leaves the result as
// uncertain as itself: every value has the width of the window that it stands for.

/** @typedef {{ value: number, width: number, ofMemory: boolean }} Quantity */

export class NoSum extends Error {}

// A division by one of these gives a number in thousands or millions, or bytes in some unit.
const SCALES = new Set([1e3, 1e6, 1e9, 2 ** 10, 2 ** 20, 2 ** 30])

/** @param {Quantity} result  no whole number, or so large that sums would not be exact, is none */
function limited(result) {
  const fits = result.width ? Math.abs(result.value) <= Number.MAX_SAFE_INTEGER : Number.isSafeInteger(result.value)
  if (!fits) throw new NoSum()
  return result
}

/** @param {string} sign @param {Quantity} one @param {Quantity} other */
function worked(sign, one, { value, width, ofMemory }) {
  if (sign === "*")
    return limited({
      value: one.value * value,
      width: Math.max(one.width * value, one.value * width),
      ofMemory: one.ofMemory !== ofMemory,
    })
  if (sign === "/" ? width || ofMemory : one.ofMemory !== ofMemory) throw new NoSum()
  if (sign === "/") return limited({ ...one, value: one.value / value, width: one.width / value })
  const sum = sign === "+" ? one.value + value : one.value - value
  return limited({ ...one, value: sum, width: Math.max(one.width, width) })
}

/** A parser that descends: sums of products of powers of numbers and brackets. */
class Parser {
  /** @param {(Quantity | string)[]} tokens */
  constructor(tokens) {
    this.tokens = tokens
    this.place = 0
    this.isScaled = false
  }

  /** @param {string} signs  the next token if it is one of these */
  taken(signs) {
    const token = this.tokens[this.place]
    if (typeof token !== "string" || !signs.includes(token)) return ""
    this.place += 1
    return token
  }

  /** @returns {Quantity} */
  sum() {
    let value = this.product()
    for (let sign = this.taken("+-"); sign; sign = this.taken("+-")) value = worked(sign, value, this.product())
    return value
  }

  /** A number that is only shown in another unit, 109,482,240 / 1e6, stays what it is. */
  product() {
    let value = this.power()
    let scale = 1
    for (let sign = this.taken("*/"); sign; sign = this.taken("*/")) {
      const next = this.power()
      if (sign === "/" && SCALES.has(next.value)) scale *= next.value
      else value = worked(sign, value, next)
    }
    if (value.value % scale === 0) return { ...value, value: value.value / scale, width: value.width / scale }
    this.isScaled = true
    return value
  }

  /** @returns {Quantity} */
  power() {
    const base = this.single()
    if (!this.taken("^")) return base
    const exponent = this.power()
    if (base.width || exponent.width || exponent.value < 0 || base.ofMemory || exponent.ofMemory) throw new NoSum()
    return limited({ ...base, value: base.value ** exponent.value })
  }

  single() {
    const token = this.tokens[this.place++]
    if (typeof token === "object") return limited(token)
    if (token !== "(") throw new NoSum()
    const value = this.sum()
    if (!this.taken(")")) throw new NoSum()
    return value
  }
}

/** What a sum gives, and whether it is only a number in another unit; null where it is broken, or its result below zero.
 * @param {(Quantity | string)[]} tokens  terms, signs + - * / ^ and brackets */
export const sum = (tokens) => {
  try {
    const parser = new Parser(tokens)
    const result = parser.sum()
    return parser.place === tokens.length && result.value >= 0 ? { ...result, isScaled: parser.isScaled } : null
  } catch (error) {
    if (error instanceof NoSum) return null
    throw error
  }
}
