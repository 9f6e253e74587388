// Sums: what a reader types as arithmetic, `12 × (768 × 768 + 768)`, worked out
// exactly. The grammar is small and its own: whole numbers, + − × ÷ ^ and brackets.

// Beyond this no number is looked up, and a power could grow without end.
const MOST_DIGITS = 60
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
  /** @type {(bigint | string)[]} */
  const found = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < plain.length) {
    const [match, number, sign] = TOKEN.exec(plain) ?? []
    if (!match) return null
    found.push(number ? BigInt(number.replace(/[^0-9]/g, "")) : sign === "**" ? "^" : sign)
  }
  return found
}

class NoSum extends Error {}

/** @param {bigint} value */
const limited = (value) => {
  if (String(value).length > MOST_DIGITS) throw new NoSum()
  return value
}

/** @param {bigint} base @param {bigint} exponent */
function power(base, exponent) {
  if (exponent < 0n || exponent > 64n) throw new NoSum()
  let result = 1n
  for (let times = 0n; times < exponent; times++) result = limited(result * base)
  return result
}

/** A parser that descends: sums of products of powers of numbers and brackets. */
class Parser {
  /** @param {(bigint | string)[]} tokens */
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

  /** @returns {bigint} */
  sum() {
    let value = this.product()
    for (let sign = this.taken("+", "-"); sign; sign = this.taken("+", "-")) {
      const next = this.product()
      value = sign === "+" ? value + next : value - next
    }
    return value
  }

  product() {
    let value = this.power()
    for (let sign = this.taken("*", "/"); sign; sign = this.taken("*", "/")) {
      const next = this.power()
      if (sign === "/" && (next === 0n || value % next)) throw new NoSum()
      value = limited(sign === "*" ? value * next : value / next)
    }
    return value
  }

  /** @returns {bigint} */
  power() {
    const base = this.single()
    return this.taken("^") ? power(base, this.power()) : base
  }

  single() {
    const token = this.tokens[this.place++]
    if (typeof token === "bigint") return limited(token)
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
    return parser.place === tokens.length && value >= 0n ? value : null
  } catch (error) {
    if (error instanceof NoSum) return null
    throw error
  }
}

export { lowered }
