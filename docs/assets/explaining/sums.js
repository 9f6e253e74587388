// Sums: what a reader types as arithmetic, `12 × (768 × 768 + 768)`, worked out
// exactly. The grammar is small and its own: whole numbers, + − × ÷ ^ and brackets.

const TOKEN = /\s*(?:([0-9]+(?:[,_'’][0-9]{3})*)|(\*\*|[-+*/^()]))/y

/** @type {Record<string, string>} */
const PLAIN = {
  "×": "*",
  "·": "*",
  "⋅": "*",
  "∙": "*",
  x: "*",
  X: "*",
  "÷": "/",
  "−": "-",
  "–": "-",
  "[": "(",
  "]": ")",
  "{": "(",
  "}": ")",
  "（": "(",
  "）": ")",
}
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"

/** Raised digits as a power: 768² as 768^2. @param {string} text */
const lowered = (text) =>
  text.replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g, (raised) => `^${[...raised].map((each) => RAISED.indexOf(each)).join("")}`)

/** Numbers and signs of a text, or null where it holds anything else.
 * @param {string} text */
function tokensOf(text) {
  const plain = lowered(text)
    .replace(/[×·⋅∙xX÷−–[\]{}（）]/g, (sign) => PLAIN[sign])
    .replace(/[=?\s]+$/, "")
  /** @type {(number | string)[]} */
  const found = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < plain.length) {
    const [match, number, sign] = TOKEN.exec(plain) ?? []
    if (!match) return null
    found.push(number ? Number(number.replace(/[^0-9]/g, "")) : sign === "**" ? "^" : sign)
  }
  return found
}

class NoSum extends Error {}

/** @param {number} value */
const limited = (value) => {
  if (!Number.isSafeInteger(value)) throw new NoSum() // beyond, sums would not be exact
  return value
}

/** @param {number} base @param {number} exponent */
function power(base, exponent) {
  if (exponent < 0) throw new NoSum()
  return limited(base ** exponent)
}

/** A parser that descends: sums of products of powers of numbers and brackets. */
class Parser {
  /** @param {(number | string)[]} tokens */
  constructor(tokens) {
    this.tokens = tokens
    this.place = 0
  }

  /** @param {string[]} signs  the next token if it is one of these */
  taken(...signs) {
    const token = this.tokens[this.place]
    if (typeof token !== "string" || !signs.includes(token)) return ""
    this.place += 1
    return token
  }

  /** @returns {number} */
  sum() {
    let value = this.product()
    for (let sign = this.taken("+", "-"); sign; sign = this.taken("+", "-")) {
      const next = this.product()
      value = limited(sign === "+" ? value + next : value - next)
    }
    return value
  }

  product() {
    let value = this.power()
    for (let sign = this.taken("*", "/"); sign; sign = this.taken("*", "/")) {
      const next = this.power()
      if (sign === "/" && (next === 0 || value % next)) throw new NoSum()
      value = limited(sign === "*" ? value * next : value / next)
    }
    return value
  }

  /** @returns {number} */
  power() {
    const base = this.single()
    return this.taken("^") ? power(base, this.power()) : base
  }

  single() {
    const token = this.tokens[this.place++]
    if (typeof token === "number") return limited(token)
    if (token !== "(") throw new NoSum()
    const value = this.sum()
    if (!this.taken(")")) throw new NoSum()
    return value
  }
}

/** What a typed sum gives; null where the text is none, or its result no whole number from zero.
 * @param {string} text */
export const sum = (text) => {
  const tokens = tokensOf(text)
  if (!tokens?.some((each) => typeof each === "string")) return null
  try {
    const parser = new Parser(tokens)
    const value = parser.sum()
    return parser.place === tokens.length && value >= 0 ? value : null
  } catch (error) {
    if (error instanceof NoSum) return null
    throw error
  }
}

export { lowered }
