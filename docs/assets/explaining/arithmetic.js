// Sums: what a reader types as arithmetic, `12 × (768 × 768 + 768)`, worked out
// exactly. A rounded term, as in `110M − 109,482,240`, leaves the result as
// uncertain as itself: every value has the width of the window that it stands for.

/** @typedef {{ value: number, width: number, ofMemory: boolean }} Quantity */

const BROKEN = { value: NaN, width: 0, ofMemory: false }

/** @param {Quantity} one @param {Quantity} other @param {number} value */
const added = (one, other, value) =>
  one.ofMemory === other.ofMemory ? { ...one, value, width: Math.max(one.width, other.width) } : BROKEN

/** @type {Record<string, (one: Quantity, other: Quantity) => Quantity>} */
const SIGNS = {
  "+": (one, other) => added(one, other, one.value + other.value),
  "-": (one, other) => added(one, other, one.value - other.value),
  "*": (one, { value, width, ofMemory }) => ({
    value: one.value * value,
    width: Math.max(one.width * value, one.value * width),
    ofMemory: one.ofMemory !== ofMemory,
  }),
  "/": (one, { value, width, ofMemory }) =>
    width || ofMemory ? BROKEN : { ...one, value: one.value / value, width: one.width / value },
  "^": (one, { value, width, ofMemory }) =>
    one.width || width || value < 0 || one.ofMemory || ofMemory ? BROKEN : { ...one, value: one.value ** value },
}
const RANKS = ["+-", "*/", "^"]

// A division by one of these gives a number in thousands or millions, or bytes in some unit.
const SCALES = new Set([1e3, 1e6, 1e9, 2 ** 10, 2 ** 20, 2 ** 30])

/** @param {Quantity} result  no whole number, or so large that sums would not be exact, is none */
const limited = (result) =>
  (result.width ? Math.abs(result.value) <= Number.MAX_SAFE_INTEGER : Number.isSafeInteger(result.value))
    ? result
    : BROKEN

/** What a sum gives, and whether it is only a number in another unit; null where it is broken, or its result below zero.
 * @param {(Quantity | string)[]} tokens  terms, signs + - * / ^ and brackets */
export function sum(tokens) {
  let place = 0
  let isScaled = false
  /** @param {string} signs  the next token if it is one of these */
  const taken = (signs) => {
    const token = tokens[place]
    return typeof token === "string" && signs.includes(token) ? tokens[place++] && token : ""
  }
  /** Terms with signs of a rank between them; a number that is only shown in another unit, 109,482,240 / 1e6, stays what
   * it is. @param {number} rank @returns {Quantity} */
  const worked = (rank) => {
    if (rank === RANKS.length) {
      const token = tokens[place++]
      if (typeof token === "object") return limited(token)
      const value = token === "(" ? worked(0) : BROKEN
      return taken(")") ? value : BROKEN
    }
    let value = worked(rank + 1)
    let scale = 1
    for (let sign = taken(RANKS[rank]); sign; sign = taken(RANKS[rank])) {
      const next = worked(sign === "^" ? rank : rank + 1)
      if (sign === "/" && SCALES.has(next.value)) scale *= next.value
      else value = limited(SIGNS[sign](value, next))
    }
    if (value.value % scale === 0) return { ...value, value: value.value / scale, width: value.width / scale }
    isScaled = true
    return value
  }
  const result = worked(0)
  return place === tokens.length && result.value >= 0 ? { ...result, isScaled } : null
}
