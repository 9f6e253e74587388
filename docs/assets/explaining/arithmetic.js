// Sums: what a reader types as arithmetic, `12 × (768 × 768 + 768)`, worked out
// exactly. The grammar is small and its own: whole numbers, + − × ÷ ^ and brackets.

const TOKEN = /\s*(?:([0-9]+(?:[,_'’][0-9]{3})*)|(\*\*|[-+*/^()]))/y

const [SIGNS, PLAIN] = ["×·⋅∙xX÷−–[]{}（）", "******/--()()()"]
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"

/** Raised digits as a power: 768² as 768^2. @param {string} text */
export const lowered = (text) =>
  text.replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g, (raised) => `^${[...raised].map((each) => RAISED.indexOf(each)).join("")}`)

/** Numbers and signs of a text, or null where it holds anything else.
 * @param {string} text */
function tokensOf(text) {
  const plain = lowered(text)
    .replace(/[×·⋅∙xX÷−–[\]{}（）]/g, (sign) => PLAIN[SIGNS.indexOf(sign)])
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
  if (!Number.isSafeInteger(value)) throw new NoSum() // no whole number, or so large that sums would not be exact
  return value
}

/** @type {Record<string, (one: number, other: number) => number>} */
const OPERATIONS = {
  "+": (one, other) => one + other,
  "-": (one, other) => one - other,
  "*": (one, other) => one * other,
  "/": (one, other) => one / other,
}

/** A parser that descends: sums of products of powers of numbers and brackets. */
class Parser {
  /** @param {(number | string)[]} tokens */
  constructor(tokens) {
    this.tokens = tokens
    this.place = 0
  }

  /** @param {string} signs  the next token if it is one of these */
  taken(signs) {
    const token = this.tokens[this.place]
    if (typeof token !== "string" || !signs.includes(token)) return ""
    this.place += 1
    return token
  }

  /** What stands between some signs, put together from the left. @param {string} signs @param {() => number} next */
  chain(signs, next) {
    let value = next()
    for (let sign = this.taken(signs); sign; sign = this.taken(signs)) value = limited(OPERATIONS[sign](value, next()))
    return value
  }

  /** @returns {number} */
  sum() {
    return this.chain("+-", () => this.chain("*/", () => this.power()))
  }

  /** @returns {number} */
  power() {
    const base = this.single()
    const exponent = this.taken("^") ? this.power() : 1
    return exponent < 0 ? limited(NaN) : limited(base ** exponent)
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
