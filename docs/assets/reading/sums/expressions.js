// Parses the expressions of a sum done by hand: the tokens of a line become a tree of sums,
// products and powers. Words between a number and a sign are notes, which do not affect the
// result: 12 layers × 7,087,872. A product may be expressed in words (4 matrices of 768 × 768) or
// by adjacent factors (4(H + 1), 2HF).
//
// This is a recursive-descent parser: a sum consists of products, a product of powers, and a
// power of factors, which may be sums in brackets. Each of these has a method, which either
// returns what it has parsed and moves past it, or returns null and leaves the position
// unchanged.

import { sumBy } from "../../counting/engine.js"
import { evaluate } from "./entries.js"
import { isSizeName } from "./names.js"
import { tokensOf } from "./tokens.js"

/** @typedef {import("./tokens.js").Token} Token */

/** An expression. A number has a value and a tolerance. A name refers to a size or to an earlier result. A sum or
 * product has parts, each with a sign: −1 if it is subtracted or divided by, otherwise 1. A power has one part, and its
 * value is the exponent.
 * @typedef {{
 *   kind: "number" | "name" | "sum" | "product" | "power", value: number, tolerance: number, name: string,
 *   parts: Expression[], signs: number[], words: string,
 * }} Expression */

/** An expression with every field empty. @type {Expression} */
const EMPTY_EXPRESSION = { kind: "number", value: 0, tolerance: 0, name: "", parts: [], signs: [], words: "" }
const MAX_DEPTH = 40 // no sum has brackets nested more deeply, which could overflow the stack
const MAX_NOTES = 12 // words between a number and a sign; more are a sentence of their own
const MAX_POWER = 4 // the largest exponent; no count of parameters needs a larger one
export const MAX_COUNT = 100 // layers or other things; a larger number is a term or a result
const MAX_NAME_LENGTH = 8 // characters of a name before a plus; a longer word more likely belongs to a sentence

/** Adjacent letters of sizes, such as HF. One of them must be H. */
const ADJACENT_LETTERS = /^(?=.*H)(?!HEAD|SHE)[VPSHFLE]{2,4}$/
/** Words for multiplication, in several languages. */
const TIMES_WORD = /^(x|times|of|mal|fois|por|乘以?|乘上)$/i

/** Whether an expression is a number alone. @param {Expression} expression */
export const isNumber = (expression) => expression.kind === "number"

/** A number as an expression. @param {number} value @returns {Expression} */
export const numeral = (value) => ({ ...EMPTY_EXPRESSION, value })

/** The tolerance of a rounded number if the zeros at its end are due to rounding, too: 110M may mean 109,482,240. 0 for
 * an exact number.
 * @param {{ value: number, tolerance: number }} number */
export function widestTolerance({ value, tolerance }) {
  let widest = tolerance
  while (widest > 0 && widest < value && value % (20 * widest) === 0) widest *= 10
  return widest
}

/** How far the rounded numbers of an expression may move its result. Powers, and brackets in a product, are taken as
 * exact.
 * @param {Expression} expression @param {(part: any) => number} resultOfPart  the result of an expression
 * @returns {number} */
export function toleranceOf(expression, resultOfPart) {
  const { kind, parts, tolerance } = expression
  if (!parts.length) return tolerance
  if (kind === "power") return 0
  if (kind === "sum") return sumBy(parts, (part) => toleranceOf(part, resultOfPart))
  const result = resultOfPart(expression)
  return sumBy(
    parts.filter((factor) => factor.tolerance),
    (factor) => Math.abs((factor.tolerance * result) / resultOfPart(factor)),
  )
}

/** The product of expressions. @param {Expression[]} parts @returns {Expression} */
export const productOf = (parts) => ({ ...EMPTY_EXPRESSION, kind: "product", parts, signs: parts.map(() => 1) })

/** The result of an expression; NaN if it has names. @param {Expression} expression @returns {number} */
export const resultOf = (expression) =>
  evaluate(/** @type {import("./entries.js").LinkedExpression} */ (expression), ({ value }) => value)

/** Whether an expression contains a number, at any depth.
 * @param {Expression} expression @param {number} value @returns {boolean} */
export const hasNumber = ({ parts }, value) =>
  parts.some((part) => (isNumber(part) && part.value === value) || hasNumber(part, value))

/** Parses expressions from the tokens of a line. `names` are the names that the text has given to results. */
export class Parser {
  /** @param {Token[]} tokens @param {Set<string>} names */
  constructor(tokens, names) {
    this.tokens = tokens
    this.names = names
    this.index = 0
    /** The indices of brackets that hold no expression. @type {Set<number>} */
    this.failedBrackets = new Set()
  }

  /** The token `distance` places after the current one; undefined beyond the ends of the line. */
  peek(distance = 0) {
    return this.tokens[this.index + distance]
  }

  /** Whether a token is one of these signs. @param {string} signs */
  isSign(signs, distance = 0) {
    const token = this.peek(distance)
    return token?.kind === "sign" && signs.includes(token.text)
  }

  /** The names in a token: a word that is a name, or the letters of a product such as HF; none for any other token.
   * @param {Token | undefined} token */
  namesIn(token) {
    if (token?.kind !== "word") return []
    if (this.names.has(token.text) || isSizeName(token.text)) return [token.text]
    return ADJACENT_LETTERS.test(token.text) ? [...token.text] : []
  }

  /** The number of tokens that are notes before one of these signs; 0 if anything else comes before the sign. Only
   * notes in brackets may contain numbers: (24 layers).
   * @param {string} signs */
  countNotesBefore(signs) {
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
    return hasWord && !isInside && ahead <= MAX_NOTES && this.isSign(signs, ahead) ? ahead : 0
  }

  /** Moves past `count` tokens, and returns the words among them. @param {number} count */
  take(count) {
    const words = this.tokens.slice(this.index, this.index + count).filter(({ kind }) => kind === "word")
    this.index += count
    return words.map(({ text }) => text).join(" ")
  }

  /** Parses a sum, which may have a single term; null if there is none.
   * @param {number} depth @returns {Expression | null} */
  sum(depth = 0) {
    const first = this.product(depth)
    if (!first) return null
    const [parts, signs] = [[first], [1]]
    for (;;) {
      const start = this.index
      const notes = this.take(this.countNotesBefore("+"))
      if (!this.isSign("+-")) {
        this.index = start
        break
      }
      const sign = this.isSign("-") ? -1 : 1
      this.index++
      const label = this.takeLabel()
      const next = this.product(depth)
      if (!next) {
        this.index = start
        break
      }
      const last = parts[parts.length - 1]
      last.words = `${last.words} ${notes}`.trim()
      next.words = `${label} ${next.words}`.trim()
      parts.push(next)
      signs.push(sign)
    }
    if (parts.length < 2) return first
    const last = parts[parts.length - 1]
    if (this.isSign("(")) last.words = `${last.words} ${this.take(this.countNotesBefore("=≈"))}`.trim()
    return { ...EMPTY_EXPRESSION, kind: "sum", parts, signs }
  }

  /** Moves past the label of a term, and returns it. The label may begin with a count: + 12 encoder layers 85,054,464.
   */
  takeLabel() {
    const { kind, value, text } = this.peek() ?? {}
    const hasCount = kind === "number" && value !== undefined && value <= MAX_COUNT
    const wordsAfterCount = hasCount ? this.countWordsBeforeFactor(1) : 0
    const isBeforeTerm = wordsAfterCount > 0 && (this.peek(wordsAfterCount + 1)?.value ?? 0) > MAX_COUNT
    if (!isBeforeTerm || this.isTimes(1)) return this.take(this.countWordsBeforeFactor())
    return `${text} ${this.take(wordsAfterCount + 1)}`
  }

  /** The number of words that precede a number or bracket as its label; 0 if there are none.
   * @param {number} [first]  the distance of the first word */
  countWordsBeforeFactor(first = 0) {
    let ahead = first
    while (this.peek(ahead)?.kind === "word" && !this.namesIn(this.peek(ahead)).length) ahead++
    const isFactor = this.peek(ahead)?.kind === "number" || this.isSign("(", ahead)
    return ahead <= MAX_NOTES && isFactor ? ahead - first : 0
  }

  /** Parses a product, which may have a single factor; null if there is none.
   * @param {number} depth @returns {Expression | null} */
  product(depth) {
    const first = this.power(depth)
    if (!first) return null
    const [parts, signs] = [[...first], first.map(() => 1)]
    let words = ""
    for (;;) {
      const start = this.index
      const notes = this.take(this.countNotesBefore("*/") || this.countNotesBeforeTimes())
      const isTimes = this.isTimes()
      if (isTimes || this.isSign("*/")) {
        const sign = this.isSign("/") ? -1 : 1
        this.index++
        const label = this.take(this.countWordsBeforeFactor())
        const next = this.power(depth) ?? (sign > 0 ? this.mention() : null)
        if (!next) {
          this.index = start
          break
        }
        words = [words, notes, label].filter(Boolean).join(" ")
        parts.push(...next)
        signs.push(...next.map(() => sign))
        continue
      }
      this.index = start
      const next = this.isImpliedFactor() ? this.power(depth) : null
      if (!next) break
      parts.push(...next)
      signs.push(...next.map(() => 1))
    }
    return parts.length > 1
      ? { ...EMPTY_EXPRESSION, kind: "product", parts, signs, words }
      : { ...first[0], words: `${first[0].words} ${words}`.trim() }
  }

  /** The number of notes before a word for multiplication; 0 if anything else comes before the word. */
  countNotesBeforeTimes() {
    let ahead = 0
    while (ahead < MAX_NOTES && this.peek(ahead)?.kind === "word" && !this.isTimes(ahead)) ahead++
    return ahead && this.isTimes(ahead) ? ahead : 0
  }

  /** Whether a token is a word that multiplies the factors around it: 30522 x 768, 12 times 7,087,872.
   * @returns {boolean} */
  isTimes(distance = 0) {
    const token = this.peek(distance)
    if (token?.kind !== "word" || !TIMES_WORD.test(token.text)) return false
    const next = this.peek(distance + 1)
    const isName = this.namesIn(next).length > 0
    if (token.text === "of") return this.isSign("(", distance + 1) || this.isOfMatrices(distance)
    return next?.kind === "number" || this.isSign("(", distance + 1) || (isName && token.text !== "X")
  }

  /** Whether "of" connects a number of matrices with their shape: 4 matrices of 768 × 768.
   * @param {number} distance @returns {boolean} */
  isOfMatrices(distance) {
    const isShape =
      this.peek(distance + 1)?.kind === "number" && (this.isSign("*", distance + 2) || this.isTimes(distance + 2))
    return isShape && /matri[cxz]/i.test(this.peek(distance - 1)?.text ?? "")
  }

  /** Parses words after a sign as the name of an earlier result, as in 12 × one layer; null unless the words end the
   * term.
   * @returns {Expression[] | null} */
  mention() {
    let ahead = 0
    while (this.peek(ahead)?.kind === "word") ahead++
    const endsTerm = !this.peek(ahead) || this.isSign("=≈+,|)", ahead)
    return ahead && ahead <= MAX_NOTES && endsTerm
      ? [{ ...EMPTY_EXPRESSION, kind: "name", name: this.take(ahead), value: NaN }]
      : null
  }

  /** Whether the next token is a factor without a sign before it: 4(H + 1), 2HF, 12 H² + 13 H. */
  isImpliedFactor() {
    const [before, next] = [this.peek(-1), this.peek()]
    const isBracket =
      this.isSign("(") && (next?.isGlued || this.namesIn(before).length > 0 || this.isCountBeforeSizes())
    const isName = this.namesIn(next).length > 0
    const isAfterNumber = before?.kind === "number" && !this.isSign("^", -2) // and not after an exponent
    const isTerm = this.isSign("+(", -2)
    // "12 L H²" is a product of letters; the letter in "12 L" alone may be a note.
    const isBeforeLetter = /^[A-Z]$/.test(next?.text ?? "") && /^[A-Z]$/.test(this.peek(1)?.text ?? "")
    const isProduct = this.isSign("^", 1) || (isBeforeLetter && this.namesIn(this.peek(1)).length > 0)
    const isFactor = next?.isGlued || !isAfterNumber || this.names.has(next?.text ?? "") || isProduct || isTerm
    return isBracket || (isName && isFactor && !this.isSign(":", 1))
  }

  /** Whether a small number stands before brackets with a calculation of larger ones, as in 12 (4 × 589,824 + 3,072).
   * Brackets with other contents may be a note.
   * @returns {boolean} */
  isCountBeforeSizes() {
    const before = this.peek(-1)
    if (before?.kind !== "number" || before.value > MAX_COUNT || this.isSign("^", -2)) return false
    const end = this.tokens.findIndex(({ text }, index) => index > this.index && text === ")")
    const inside = this.tokens.slice(this.index + 1, Math.max(end, 0))
    return (
      inside.every(({ kind, value, text }) => (kind === "number" ? value > 0 : "+*^".includes(text))) &&
      inside.some(({ text }) => text === "+") &&
      inside.some(({ value }) => value > MAX_COUNT)
    )
  }

  /** Whether an expression begins here: a number, a bracket, a name with an operator after it, or adjacent letters. */
  beginsExpression() {
    const token = this.peek()
    if (this.isAbbreviation() || this.isLetterOfLabel()) return false
    if (token?.kind !== "word") return token?.kind === "number" || this.isSign("(")
    const names = this.namesIn(token)
    if (!names.length || this.isDefinition()) return false
    return (
      this.isSign("*^(/", 1) ||
      this.isTimes(1) ||
      (this.isSign("+", 1) && (token.text.length <= MAX_NAME_LENGTH || this.names.has(token.text))) ||
      names.length > 1
    )
  }

  /** Whether letters of sizes begin here, alone or in brackets of their own, and no sign connects them with the rest of
   * the line. They are an abbreviation then, as in "but HF says", while those in "W1: HF" are a product. */
  isAbbreviation() {
    const isInBrackets = this.isSign("(") && this.isSign(")", 2)
    const isGluedAfter = this.peek(1)?.isGlued && this.isSign("(", 1)
    const isConnected = this.isSign("*^/+-=≈", isInBrackets ? 3 : 1) || this.isTimes(isInBrackets ? 3 : 1)
    const letters = this.namesIn(this.peek(isInBrackets ? 1 : 0))
    return letters.length > 1 && !isGluedAfter && !isConnected && !this.isSign("*/+-=≈:|", -1)
  }

  /** Whether a letter in brackets ends a label, as in "Value (V): 590,592". */
  isLetterOfLabel() {
    const isAfterWord = this.peek(-1)?.kind === "word" && !this.peek()?.isGlued
    return (
      isAfterWord &&
      this.isSign("(") &&
      /^[A-Z]$/.test(this.peek(1)?.text ?? "") &&
      this.isSign(")", 2) &&
      this.isSign(":=|", 3)
    )
  }

  /** Whether the expression just parsed is followed by an operator and a word. */
  isUnfinished() {
    return this.isSign("*/") && this.peek(1)?.kind === "word"
  }

  /** Whether the line defines the current name: H = 768. */
  isDefinition() {
    return this.isSign("=:", 1)
  }

  /** Parses a factor, perhaps with an exponent, or adjacent letters as several factors; null if there is neither.
   * @param {number} depth @returns {Expression[] | null} */
  power(depth) {
    const factors = this.factor(depth)
    if (!factors) return null
    const last = factors[factors.length - 1]
    const token = this.peek(1)
    if (this.isSign("^") && token?.kind === "number" && token.value <= MAX_POWER) {
      this.index += 2
      factors[factors.length - 1] = { ...EMPTY_EXPRESSION, kind: "power", parts: [last], value: token.value }
    }
    return factors
  }

  /** Parses a number, names, or a sum in brackets as a list of factors; null for anything else.
   * @param {number} depth @returns {Expression[] | null} */
  factor(depth) {
    const token = this.peek()
    if (token?.kind === "number") {
      this.index++
      return [{ ...EMPTY_EXPRESSION, value: token.value, tolerance: token.tolerance }]
    }
    const names = this.namesIn(token)
    if (names.length) {
      this.index++
      return names.map(nameFactor)
    }
    if (!this.isSign("(") || depth > MAX_DEPTH || this.failedBrackets.has(this.index)) return null
    const start = this.index++
    this.take(this.countWordsBeforeFactor())
    const sumInside = this.sum(depth + 1)
    if (sumInside) sumInside.words = `${sumInside.words} ${this.take(this.countNotesBefore(")"))}`.trim()
    if (sumInside && this.isSign(")")) {
      this.index++
      return [sumInside]
    }
    this.index = start
    this.failedBrackets.add(start)
    return null
  }
}

/** A name as a factor. H2 is read as a square that has lost its superscript.
 * @param {string} name @returns {Expression} */
function nameFactor(name) {
  const [, letter] = /^([A-Za-z])2$/.exec(name) ?? []
  /** @type {Expression} */
  const factor = { ...EMPTY_EXPRESSION, kind: "name", value: NaN, name: letter ?? name }
  return letter ? { ...EMPTY_EXPRESSION, kind: "power", parts: [factor], value: 2 } : factor
}

/** The result of a formula of numbers and signs; NaN for one with letters, and for any other text.
 * @param {string} formula */
export function resultOfFormula(formula) {
  if (/[A-Za-z]/.test(formula)) return NaN
  const parser = new Parser(tokensOf(formula), new Set())
  const sum = parser.sum()
  return sum && !parser.peek() ? resultOf(sum) : NaN
}

/** The number of leaves of an expression. @param {Expression} expression @returns {number} */
export const countLeaves = ({ parts }) => parts.reduce((sum, part) => sum + countLeaves(part), parts.length ? 0 : 1)
