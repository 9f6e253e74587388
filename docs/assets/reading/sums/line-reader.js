// Reads the statements of one line, token by token. Where an expression begins, it is parsed; any
// other word or sign goes to the statement before or after it. An equals sign continues the
// statement before it, also at the start of a line, unless the words before the sign name another
// quantity.

import { countLeaves, hasNumber, isNumber, Parser } from "./expressions.js"
import { textAndTimesOf } from "./lines.js"
import { isSizeName } from "./names.js"
import { tokensOf } from "./tokens.js"

/** @typedef {import("./tokens.js").Token} Token */
/** @typedef {import("./expressions.js").Expression} Expression */
/** @typedef {import("./statements.js").Statement} Statement */

const MAX_LEAVES = 250 // numbers in one expression
const MIN_IN_BRACKETS = 1000 // a smaller number in brackets is a note, not a result

/** Whether a line continues the calculation of the line before. @param {TextLine} line */
export const continuesCalculation = ({ text }) => /^\s*(?:\$\$?|\\[[(])?[&\s]*[=≈]/.test(text)

const MAX_SUBJECT_LENGTH = 100 // characters before "has" that may name a layer
/** Words for "has", which connect a subject with its number or formula. */
const HAS = /^(?:has|have|contains?|of|holds?|hat|enthält|a|contient|tiene|contiene)$|[有含括]$/i

/** The start of a sentence about what every layer has. */
export const OF_EACH_LAYER =
  /(?:each|every)\b.{0,30}\blayers?\W*(?:has|have|contains?|consists? of|holds?)$|(?:jede|chaque|cada)\b.{0,30}(?:schicht|couche|capa)\w*\W*(?:hat|enthält|a|contient|tiene|contiene)$|每(?:一|个)?层(?:都)?(?:有|包含|包括)$/i

/** Reads the statements of one line. */
export class LineReader {
  /** @param {TextLine} line @param {string} heading @param {Set<string>} names
   * @param {Statement | null} last  the last one so far; a line that begins with = continues it */
  constructor(line, heading, names, last) {
    this.line = line
    this.heading = heading
    const [text, times] = textAndTimesOf(line)
    this.text = text
    this.times = times
    this.parser = new Parser(tokensOf(this.text), names)
    /** @type {Statement[]} */
    this.statements = []
    /** The words since the last number. */
    this.words = ""
    /** The name that the line gives to the next expression, as in H = ... */
    this.name = ""
    /** Whether the next expression continues the current statement, after an equals sign. */
    this.isContinuation = last !== null && continuesCalculation(line)
    /** Whether the next number follows the sign ≈. */
    this.isApproximate = false
    /** Whether the last token was an arrow. */
    this.isAfterArrow = false
    /** The statement that words and results belong to. @type {Statement | null} */
    this.current = this.isContinuation ? last : null
    /** The text of the current statement on the line before. */
    this.textBefore = this.current?.text ?? ""
    /** The index at which the current statement begins in the text of this line. */
    this.start = 0
    /** The index at which the next statement begins in the text. @type {number | null} */
    this.nextStart = null
  }

  /** Reads all statements that begin on the line, up to an expression that is too long to have been written by hand. A
   * statement of the line before that continues is changed in place.
   * @returns {Statement[]} */
  read() {
    const { parser } = this
    for (let token = parser.peek(); token; token = parser.peek()) {
      if (!this.current) this.nextStart ??= token.start
      const expression = parser.beginsExpression() ? parser.sum() : null
      if (expression && countLeaves(expression) > MAX_LEAVES) break
      if (expression && parser.isUnfinished()) this.dropUnfinished()
      else if (expression) this.add(expression, token)
      else {
        parser.index++
        this.take(token)
      }
    }
    return this.statements
  }

  /** Skips an expression that continues with a word that cannot be parsed: 2 * params * tokens. */
  dropUnfinished() {
    this.parser.index++
    this.current = null
    this.words = ""
    this.isContinuation = false
  }

  /** Adds an expression to the current statement, or begins a new one with it.
   * @param {Expression} expression @param {Token} token  where it begins */
  add(expression, token) {
    const isLone = isNumber(expression)
    if (this.isApproximate && isLone) expression.tolerance ||= 0.5
    const isInBrackets = isLone && token.kind === "sign" && expression.value >= MIN_IN_BRACKETS
    /** Whether a statement has a formula without its result. */
    const isFormulaAlone = (/** @type {Statement} */ { expressions }) =>
      expressions.length === 1 && !isNumber(expressions[0])
    let { current } = this
    const isContinuation = this.isContinuation && !usesResult(expression, current)
    if (current && (isContinuation || (isInBrackets && isFormulaAlone(current)))) current.expressions.push(expression)
    else {
      const { heading, times, name, line } = this
      const words = this.words.trim()
      const emptyFields = { after: "", stated: null, text: "", upper: null, parts: null }
      current = { ...emptyFields, words, heading, times, name, expressions: [expression], line }
      this.statements.push(current)
      this.textBefore = ""
      this.start = this.nextStart ?? token.start
    }
    const end = this.parser.peek(-1).end
    current.text = `${this.textBefore} ${this.text.slice(this.start, end)}`.trim()
    this.current = current
    this.nextStart = null
    this.words = ""
    this.name = ""
    this.isContinuation = false
    this.isApproximate = false
    this.isAfterArrow = false
  }

  /** Adds a word to the current statement, or acts on a sign. @param {Token} token */
  take({ kind, text, start }) {
    const { parser } = this
    // Words after an arrow name another number: "LayerNorm 3,072 → one layer 7,087,872".
    if (kind === "word" && this.isAfterArrow) [this.current, this.words, this.isContinuation] = [null, "", false]
    this.isAfterArrow = text === "=" && this.text[start] !== "="
    const { current } = this
    if (kind === "word") {
      if (current && !this.isContinuation) current.after += ` ${text}`
      this.words += ` ${text}`
      const subject = HAS.test(text) ? this.subject().slice(-MAX_SUBJECT_LENGTH) : ""
      if (OF_EACH_LAYER.test(subject)) [this.heading, this.words] = [subject, ""]
    } else if ("=≈".includes(text)) this.takeEqual(text)
    else if (text === "|" && parser.isSign("=≈")) return
    else if (text === "|" && current && isNumberInLabel(current)) this.current = null
    else if (text === "|" && current && !this.isContinuation && isResult(parser)) this.isContinuation = true
    else if (",.:".includes(text)) {
      if (text === "." || (text === "," && current)) this.words = ""
      else if (text === "," && this.words) this.words += ","
      this.current = null
    } else if (text === "|" && current) [this.current, this.words] = [null, ""]
  }

  /** Takes an equals sign. The next expression continues the current statement, or the word before the sign is its
   * name.
   * @param {string} sign */
  takeEqual(sign) {
    this.isContinuation = this.current !== null && !namesOtherQuantity(this.words)
    this.isApproximate = sign === "≈"
    if (this.isContinuation) return
    ;[this.name] = this.words.trim().split(" ").slice(-1)
    if (this.current) this.current.after = ""
    this.current = null
  }

  /** The words with which a sentence begins, including a number among them. */
  subject() {
    const { current } = this
    const isCount = current?.expressions.length === 1 && isNumber(current.expressions[0])
    return isCount
      ? `${current.words} ${current.expressions[0].value} ${current.after.trim()}`.trim()
      : this.words.trim()
  }
}

/** Whether a formula uses the result of a statement, as the second one does in "3 × 49,152 = 147,456 → 12 × 147,456".
 * @param {Expression} formula @param {Statement | null} statement */
function usesResult(formula, statement) {
  const result = statement?.expressions.at(-1)
  return (
    statement?.expressions.length === 2 && result !== undefined && isNumber(result) && hasNumber(formula, result.value)
  )
}

/** The word "and" before the name of another quantity: "attention = 4 × 768² and FFN = 8 × 768²". */
const AND_ANOTHER = /^\s*(?:and|und|et|y|e)\s(?!so\b|thus\b|hence\b|therefore\b)\S/i

/** Whether the words between a result and an equals sign seem to name another quantity, such as a size.
 * @param {string} words */
function namesOtherQuantity(words) {
  const wordList = words.trim().split(" ").filter(Boolean)
  return AND_ANOTHER.test(words) || wordList.length > 3 || isSizeName(wordList[wordList.length - 1] ?? "")
}

/** Whether a statement consists of a number within words, such as the 12 of "Attention (12 layers)".
 * @param {Statement} statement */
const isNumberInLabel = ({ words, after, expressions: [number, ...others] }) =>
  words !== "" && !others.length && isNumber(number) && `${number.words}${after}`.trim() !== ""

/** Whether a number alone follows, as the result in the next cell of a table. @param {Parser} parser */
const isResult = (parser) => parser.peek()?.kind === "number" && (!parser.peek(1) || parser.isSign("|", 1))
