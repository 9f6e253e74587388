// Statements of a sum by hand: what one says in a line, such as "Q, K, V: 3 × (768 ×
// 768 + 768) = 1,771,776". A statement has words, expressions that are said to be
// equal, and the number that is said to be the result. Words between a number and a
// sign are notes and stand in nobody's way: 12 layers × 7,087,872.

import table from "../../../data/table.js"
import { linesOf } from "../clean.js"
import { layersSaid } from "./labels.js"
import { isSizeName } from "./names.js"
import { tokensOf, withLineBreaks, withoutLatex, withPowers } from "./tokens.js"

/** @typedef {import("./tokens.js").Token} Token */

/** An expression. A number has a value and a width; a name stands for a size or for an earlier result; the rest
 * have parts, whose signs are 1, or −1 for what is taken away or divided by.
 * @typedef {{
 *   kind: "number" | "name" | "sum" | "product" | "power", value: number, width: number, name: string,
 *   parts: Expression[], signs: number[], words: string,
 * }} Expression */

/** What one says about a number. `after` are the words behind it, `heading` those of the line above.
 * @typedef {{
 *   words: string, after: string, heading: string, name: string, expressions: Expression[],
 *   stated: { value: number, width: number } | null, line: TextLine, text: string,
 * }} Statement */

/** @type {Expression} */
const BLANK = { kind: "number", value: 0, width: 0, name: "", parts: [], signs: [], words: "" }
const DEEPEST = 40
const LONGEST_LINE = 3000
const MOST_LEAVES = 250 // numbers in one expression
const MOST_NOTES = 12 // words between a number and a sign

/** Whether an expression is a number alone. @param {Expression} one */
export const isNumber = (one) => one.kind === "number"

/** Reads expressions from the tokens of a line; `names` are results with a name of their own. */
class Parser {
  /** @param {Token[]} tokens @param {Set<string>} names */
  constructor(tokens, names) {
    this.tokens = tokens
    this.names = names
    this.place = 0
    /** The places of brackets that hold no expression. @type {Set<number>} */
    this.failed = new Set()
  }

  /** The token at a distance from here. */
  peek(distance = 0) {
    return this.tokens[this.place + distance]
  }

  /** Whether a token is one of these signs. @param {string} signs */
  isSign(signs, distance = 0) {
    const token = this.peek(distance)
    return token?.kind === "sign" && signs.includes(token.text)
  }

  /** The letters of sizes or the name that a word stands for; none if it is a mere word.
   * @param {Token | undefined} token */
  namesIn(token) {
    if (token?.kind !== "word") return []
    if (this.names.has(token.text) || isSizeName(token.text)) return [token.text]
    // Letters side by side, such as HF. Every product of sizes has an H.
    return /^(?=.*H)(?!HEAD|SHE)[VPSHFLE]{2,4}$/.test(token.text) ? [...token.text] : []
  }

  /** The number of tokens of notes before one of these signs; 0 if there are none, or something else. Only in brackets
   * may notes have numbers: (24 layers).
   * @param {string} signs */
  notesBefore(signs) {
    let ahead = 0
    let isInside = false
    let hasWord = false
    for (;;) {
      const isWord = this.peek(ahead)?.kind === "word"
      const isBracket = this.isSign(isInside ? ")" : "(", ahead)
      const isNote = isInside && (this.peek(ahead)?.kind === "number" || (hasWord && this.isSign("-,/.'+", ahead)))
      if (!isWord && !isBracket && !isNote) break
      isInside = isBracket ? !isInside : isInside
      hasWord ||= isWord
      ahead++
    }
    return hasWord && !isInside && ahead <= MOST_NOTES && this.isSign(signs, ahead) ? ahead : 0
  }

  /** The words of some tokens, which are taken. @param {number} count */
  take(count) {
    const words = this.tokens.slice(this.place, this.place + count).filter(({ kind }) => kind === "word")
    this.place += count
    return words.map(({ text }) => text).join(" ")
  }

  /** A sum; null, and nothing taken, if there is none. @param {number} depth @returns {Expression | null} */
  sum(depth = 0) {
    const first = this.product(depth)
    if (!first) return null
    const [parts, signs] = [[first], [1]]
    for (;;) {
      const start = this.place
      const notes = this.take(this.notesBefore("+"))
      if (!this.isSign("+-")) {
        this.place = start
        break
      }
      const sign = this.isSign("-") ? -1 : 1
      this.place++
      const label = this.take(this.wordsBeforeFactor())
      const next = this.product(depth)
      if (!next) {
        this.place = start
        break
      }
      const last = parts[parts.length - 1]
      last.words = `${last.words} ${notes}`.trim()
      next.words = `${label} ${next.words}`.trim()
      parts.push(next)
      signs.push(sign)
    }
    return parts.length > 1 ? { ...BLANK, kind: "sum", parts, signs } : first
  }

  /** The words before a number or bracket, as labels of a summand. */
  wordsBeforeFactor() {
    let ahead = 0
    while (this.peek(ahead)?.kind === "word" && !this.namesIn(this.peek(ahead)).length) ahead++
    const isFactor = this.peek(ahead)?.kind === "number" || this.isSign("(", ahead)
    return ahead <= MOST_NOTES && isFactor ? ahead : 0
  }

  /** A product. @param {number} depth @returns {Expression | null} */
  product(depth) {
    const first = this.power(depth)
    if (!first) return null
    const [parts, signs] = [[...first], first.map(() => 1)]
    let words = ""
    for (;;) {
      const start = this.place
      const notes = this.take(this.notesBefore("*/") || this.notesBeforeTimes())
      const isTimes = this.isTimes()
      if (isTimes || this.isSign("*/")) {
        const sign = this.isSign("/") ? -1 : 1
        this.place++
        const label = this.take(this.wordsBeforeFactor())
        const next = this.power(depth) ?? (sign > 0 ? this.mention() : null)
        if (!next) {
          this.place = start
          break
        }
        words = [words, notes, label].filter(Boolean).join(" ")
        parts.push(...next)
        signs.push(...next.map(() => sign))
        continue
      }
      this.place = start
      const next = this.isImplied() ? this.power(depth) : null
      if (!next) break
      parts.push(...next)
      signs.push(...next.map(() => 1))
    }
    return parts.length > 1 ? { ...BLANK, kind: "product", parts, signs, words } : { ...parts[0], words }
  }

  /** The number of notes before a word that multiplies. */
  notesBeforeTimes() {
    let ahead = 0
    while (ahead < MOST_NOTES && this.peek(ahead)?.kind === "word" && !this.isTimes(ahead)) ahead++
    return ahead && this.isTimes(ahead) ? ahead : 0
  }

  /** Whether a word multiplies the factors around it: 30522 x 768, 12 times 7,087,872. */
  isTimes(distance = 0) {
    const token = this.peek(distance)
    if (token?.kind !== "word" || !/^(x|times|of|mal|fois|por|乘以?|乘上)$/i.test(token.text)) return false
    const next = this.peek(distance + 1)
    const isName = this.namesIn(next).length > 0
    if (token.text === "of") return this.isSign("(", distance + 1)
    return next?.kind === "number" || this.isSign("(", distance + 1) || (isName && token.text !== "X")
  }

  /** Words after a sign, as the name of an earlier result: 12 × one layer. @returns {Expression[] | null} */
  mention() {
    let ahead = 0
    while (this.peek(ahead)?.kind === "word") ahead++
    const isOver = !this.peek(ahead) || this.isSign("=≈+,|)", ahead)
    return ahead && ahead <= MOST_NOTES && isOver
      ? [{ ...BLANK, kind: "name", name: this.take(ahead), value: NaN }]
      : null
  }

  /** Whether the next token multiplies without a sign: 4(H + 1), 2HF. */
  isImplied() {
    const [before, next] = [this.peek(-1), this.peek()]
    const isBracket = this.isSign("(") && (next?.glued || this.namesIn(before).length > 0)
    const isName = this.namesIn(next).length > 0
    const isFactor = next?.glued || before?.kind !== "number" || this.names.has(next?.text ?? "")
    return isBracket || (isName && isFactor && !this.isSign(":", 1))
  }

  /** Whether a name is what the line defines: H = 768. */
  isDefinition() {
    return this.isSign("=:", 1)
  }

  /** Factors, the last perhaps with a power; several letters side by side are as many factors.
   * @param {number} depth @returns {Expression[] | null} */
  power(depth) {
    const factors = this.factor(depth)
    if (!factors) return null
    const last = factors[factors.length - 1]
    const token = this.peek(1)
    if (this.isSign("^") && token?.kind === "number" && token.value <= 4) {
      this.place += 2
      factors[factors.length - 1] = { ...BLANK, kind: "power", parts: [last], value: token.value }
    }
    return factors
  }

  /** @param {number} depth @returns {Expression[] | null} */
  factor(depth) {
    const token = this.peek()
    if (token?.kind === "number") {
      this.place++
      return [{ ...BLANK, value: token.value, width: token.width }]
    }
    const names = this.namesIn(token)
    if (names.length) {
      this.place++
      return names.map(squared)
    }
    if (!this.isSign("(") || depth > DEEPEST || this.failed.has(this.place)) return null
    const start = this.place++
    this.take(this.wordsBeforeFactor())
    const inside = this.sum(depth + 1)
    if (inside) inside.words = `${inside.words} ${this.take(this.notesBefore(")"))}`.trim()
    if (inside && this.isSign(")")) {
      this.place++
      return [inside]
    }
    this.place = start
    this.failed.add(start)
    return null
  }
}

/** A name as a factor; H2 is a square that lost its sign. @param {string} name @returns {Expression} */
function squared(name) {
  const [, letter] = /^([A-Za-z])2$/.exec(name) ?? []
  /** @type {Expression} */
  const factor = { ...BLANK, kind: "name", value: NaN, name: letter ?? name }
  return letter ? { ...BLANK, kind: "power", parts: [factor], value: 2 } : factor
}

/** The number of leaves of an expression. @param {Expression} one @returns {number} */
const leavesOf = ({ parts }) => parts.reduce((sum, part) => sum + leavesOf(part), parts.length ? 0 : 1)

/** Whether an expression begins here: a number, a bracket, or a name with a sign behind it.
 * @param {Parser} parser */
function begins(parser) {
  const token = parser.peek()
  if (token?.kind !== "word") return token?.kind === "number" || parser.isSign("(")
  const names = parser.namesIn(token)
  if (!names.length || parser.isDefinition()) return false
  return (
    parser.isSign("*^(/", 1) ||
    parser.isTimes(1) ||
    (parser.isSign("+", 1) && (token.text.length < 9 || parser.names.has(token.text))) ||
    names.length > 1
  )
}

const BULLET = /^\s*(?:[-*•◦‣·–—+]\s+|\(?(?:[0-9]{1,2}|[a-zA-Z]|[ivx]{1,4})[.)、]\s*(?![0-9])|[①-⑳]\s*)+/

/** The statements of a line.
 * @param {TextLine} line @param {string} heading @param {Set<string>} names @param {Statement | null} last  of the
 *   line before, which a line that begins with = continues
 * @returns {Statement[]} */
function statementsOf(line, heading, names, last) {
  const text = withPowers(withoutLatex(line.text.slice(0, LONGEST_LINE).replace(BULLET, "")).replace(/&/g, " ").trim())
  const tokens = tokensOf(text)
  const parser = new Parser(tokens, names)
  /** @type {Statement[]} */
  const statements = []
  let words = ""
  let name = ""
  let joins = last !== null && /^\s*[&\s]*[=≈]/.test(line.text)
  let isAbout = false
  /** @type {number | null} */
  let begin = null
  /** @type {Statement | null} */
  let current = joins ? last : null
  while (parser.peek()) {
    const token = /** @type {Token} */ (parser.peek())
    if (!current) begin ??= token.start
    const whole = begins(parser) ? parser.sum() : null
    if (whole && leavesOf(whole) > MOST_LEAVES) return statements
    const expression = whole
    if (expression) {
      const isLone = isNumber(expression)
      if (isAbout && isLone) expression.width ||= 0.5
      if (current && joins) current.expressions.push(expression)
      else {
        current = {
          words: words.trim(),
          after: "",
          heading,
          name,
          expressions: [expression],
          stated: null,
          line,
          text: "",
        }
        statements.push(current)
      }
      if (current) {
        const from = begin ?? token.start
        const until = parser.peek(-1).end
        const place = current.text ? text.indexOf(current.text) : from
        current.text = place < 0 ? `${current.text} ${text.slice(0, until)}` : text.slice(place, until)
        begin = null
      }
      ;[words, name, joins, isAbout] = ["", "", false, false]
      continue
    }
    parser.place++
    if (token.kind === "word") {
      if (current && !joins) current.after += ` ${token.text}`
      words += ` ${token.text}`
    } else if ("=≈".includes(token.text)) {
      joins = current !== null && !namesOther(words)
      isAbout = token.text === "≈"
      if (!joins) {
        ;[name] = words.trim().split(" ").slice(-1)
        if (current) current.after = ""
        current = null
      }
    } else if (token.text === "|" && parser.isSign("=≈")) continue
    else if (token.text === "|" && current && !joins && isResult(parser)) joins = true
    else if (",.:".includes(token.text)) {
      if (token.text === "." || (token.text === "," && current)) words = ""
      else if (token.text === "," && words) words += ","
      current = null
    } else if (token.text === "|" && current) [current, words] = [null, ""]
  }
  return statements
}

/** Whether the words between a result and a sign of equality name something else, such as a size.
 * @param {string} words */
function namesOther(words) {
  const several = words.trim().split(" ").filter(Boolean)
  return several.length > 3 || isSizeName(several[several.length - 1] ?? "")
}

/** Whether a number alone follows, as the result in the next cell of a table. @param {Parser} parser */
const isResult = (parser) => parser.peek()?.kind === "number" && (!parser.peek(1) || parser.isSign("|", 1))

/** The result that a statement says: the last number alone behind an expression, or a number alone.
 * @param {Statement} statement */
function withResult(statement) {
  const { expressions } = statement
  const last = expressions[expressions.length - 1]
  if (!isNumber(last)) return statement
  const stated = { value: last.value, width: last.width }
  return { ...statement, stated, expressions: expressions.filter((one) => !isNumber(one)) }
}

/** A number and the total behind it, as in "pooler 590,592 → 109,482,240", as two statements.
 * @param {Statement} statement @returns {Statement[]} */
function withTotal(statement) {
  const { expressions } = statement
  const [first, last] = [expressions[0], expressions[expressions.length - 1]]
  const layers = layersSaid(statement.words)
  if (expressions.length === 2 && layers > 1 && isNumber(first) && first.value * layers === last.value) {
    const product = {
      ...BLANK,
      kind: /** @type {const} */ ("product"),
      parts: [{ ...BLANK, value: layers }, first],
      signs: [1, 1],
    }
    return [{ ...statement, expressions: [product, last] }]
  }
  if (expressions.length !== 2 || !expressions.every(isNumber) || last.width || first.value >= last.value)
    return [statement]
  return [
    { ...statement, expressions: [first] },
    { ...statement, words: "total", after: "", name: "", text: `= ${last.value}`, expressions: [last] },
  ]
}

const MOST_COUNTED = 100

/** The statements without those that only count something, as in "12 layers together: 85,054,464"; the words of the
 * next statement then begin with the number.
 * @param {Statement[]} statements */
const withoutCounts = (statements) =>
  statements.filter(({ words, after, expressions, line }, place) => {
    const next = statements[place + 1]
    const [only] = expressions
    const isCount = isNumber(only) && expressions.length === 1 && only.value <= MOST_COUNTED && after.trim() !== ""
    if (!isCount || next?.line !== line) return true
    const own = `${words} ${only.value} ${after.trim()}`.trim()
    next.text = `${own} ${next.text}`
    next.words = after.trim().endsWith(next.words) ? own : `${own} ${next.words}`
    return false
  })

const NAMED = /^[A-Za-z]\w*$/
const MOST_LINES = 400

const HIDDEN = new Set(table.models.map(({ sizes }) => sizes.H))

/** A text in which 7682 is the square of 768 again, if the text has 768 as well: plain characters have no raised ones.
 * @param {string} text */
const withSquares = (text) =>
  text.replace(/(?<![0-9.,])([0-9]{3,4})2(?![0-9.,])/g, (number, root) =>
    HIDDEN.has(Number(root)) && new RegExp(`(?<![0-9])${root}(?![0-9])`).test(text) ? `${root}^2` : number,
  )

/** All statements of a text, in order. @param {string} text @returns {Statement[]} */
export function statementsIn(text) {
  /** @type {Statement[]} */
  const statements = []
  const names = new Set()
  let heading = ""
  let blank = 0
  for (const line of linesOf(withSquares(withPowers(withLineBreaks(text)))).slice(0, MOST_LINES)) {
    const last = statements[statements.length - 1] ?? null
    if (line.index > blank + 1) heading = ""
    blank = line.index
    const more = statementsOf(line, heading, names, last)
    if (!more.length && !/^\s*[&\s]*[=≈]/.test(line.text)) heading = line.text.trim().replace(/[:：]$/, "")
    statements.push(...more)
    for (const { name, expressions } of more)
      if (NAMED.test(name) && expressions.some((one) => !isNumber(one))) names.add(name)
  }
  return withoutCounts(statements).flatMap(withTotal).map(withResult)
}
