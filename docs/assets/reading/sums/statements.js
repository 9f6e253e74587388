// Reads the statements of a sum done by hand, such as "Q, K, V: 3 × (768 × 768 + 768) =
// 1,771,776". A statement has words, expressions with equals signs between them (expressions.js),
// and a number that is given as the result. A line may hold several statements, and a statement
// may continue on the next line.
//
// A line is read token by token: where an expression begins, it is parsed; any other word or sign
// goes to the statement before or after it. Afterwards, a statement that only describes or counts
// what the next one works out is joined with that one.

import { linesOf } from "../clean.js"
import { countLeaves, isNumber, numeral, Parser, productOf, resultOf, widestTolerance } from "./expressions.js"
import { layersNamed, saysLayer } from "./labels.js"
import { isSizeName } from "./names.js"
import { depthOf, MAX_COUNT, outlined, timesOfHeading } from "./outline.js"
import { HIDDEN_SIZES } from "./sizes.js"
import { tokensOf, withLineBreaks, withoutLatex, withPowers, withSigns } from "./tokens.js"

/** @typedef {import("./tokens.js").Token} Token */
/** @typedef {import("./expressions.js").Expression} Expression */

/** A statement about a number. `words` are those before the number, and `after` are those after it. `heading` is the
 * line above, or the beginning of a sentence, such as "each of the 24 layers has". `times` is the number in a note on
 * the label, such as "(× 12)"; 0 if there is none. `name` is the word before an equals sign, and `stated` the result.
 * `upper` is a heading such as "Encoder × 12" under which the line is indented, and `parts` are the statements below
 * the line that it adds up (outline.js); each is null if there is none.
 * @typedef {{
 *   words: string, after: string, heading: string, times: number, name: string, expressions: Expression[],
 *   stated: { value: number, tolerance: number } | null, line: TextLine, text: string, upper: Heading | null,
 *   parts: import("./outline.js").Parts | null,
 * }} Statement */

/** A heading, which may have indented lines below it. `times` is the number of layers that it gives; 0 if it gives
 * none. `isOutlined` is true if the lines below it are indented.
 * @typedef {{ text: string, depth: number, times: number, isOutlined: boolean }} Heading */

const MAX_LINE_LENGTH = 3000 // characters
const MAX_LINES = 400
const MAX_LEAVES = 250 // numbers in one expression
const MIN_IN_BRACKETS = 1000 // a smaller number in brackets is a note, not a result

/** The marker of a list item: a dash or a dot, a number or letter with a full stop or bracket, a number in a circle, or
 * the number of a step. */
const BULLET =
  /^\s*(?:[-*•◦‣·–—+]\s+|(?:[Ss]tep|[Ss]chritt|[Éé]tape|[Pp]aso) [0-9]{1,2}[.:)]\s*(?![0-9])|\(?(?:[0-9]{1,2}|[a-zA-Z]|[ivx]{1,4})[.)、]\s*(?![0-9])|[①-⑳]\s*)+/
/** The branch before a name in a drawn tree. */
const BRANCH = /^[\s│|]*[├└╰|`+][─-]{1,3}\s+/
const DATE =
  /(?<![0-9])[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}(?:[T ]?[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?)?(?![0-9])/g
const CONTINUES = /^\s*[&\s]*[=≈]/ // a line that continues the calculation of the line before

/** The beginning of a formula right after a label. */
const FORMULA_NEXT = String.raw`(?= ?[:=|]? ?\(?[0-9][0-9,]* ?[×x*·+(])`
/** Labels with a note on how often the number or the formula after them counts, usually once per layer: FFN (× 12). */
const LABEL_WITH_TIMES =
  /^(?<label>[^(=≈:|]{0,80}?) ?\((?: ?[×x*·] ?(?<after>[0-9]{1,2})|(?<before>[0-9]{1,2}) ?[×x*·]) ?\)/
/** Labels with the number of layers in brackets, or with a factor before them: FFN (12 layers), 12 × FFN. */
const LABELS_OF_FORMULAS = [
  new RegExp(
    String.raw`^(?<label>[^(=≈:|]{0,80}?) ?\((?:all )?(?<before>[0-9]{1,2}) (?:layers|blocks)\)${FORMULA_NEXT}`,
    "i",
  ),
  new RegExp(String.raw`^(?<before>[0-9]{1,2}) ?[×x*·] ?(?<label>\p{L}[^0-9()=≈:|×*+]{1,60}?)${FORMULA_NEXT}`, "u"),
]

/** Names and numbers that Python assigns at once: V, H = 30522, 768. */
const ASSIGNMENTS =
  /^\(?(?<names>[A-Za-z_]\w*(?: ?, ?[A-Za-z_]\w*)+)\)? ?= ?\(?(?<numbers>[0-9][0-9_]*(?: ?, ?[0-9][0-9_]*)+)\)?(?= *(?:#|$))/

const MAX_SUBJECT_LENGTH = 100 // characters before "has" that may name a layer
/** Words for "has", which connect a subject with its number or formula. */
const HAS = /^(?:has|have|contains?|of|holds?|hat|enthält|a|contient|tiene|contiene)$|[有含括]$/i

// The start of a sentence about what every layer has.
const OF_EACH_LAYER =
  /(?:each|every)\b.{0,30}\blayers?\W*(?:has|have|contains?|consists? of|holds?)$|(?:jede|chaque|cada)\b.{0,30}(?:schicht|couche|capa)\w*\W*(?:hat|enthält|a|contient|tiene|contiene)$|每(?:一|个)?层(?:都)?(?:有|包含|包括)$/i

/** Reads the statements of one line. */
class LineReader {
  /** @param {TextLine} line @param {string} heading @param {Set<string>} names
   * @param {Statement | null} last  the last one so far; a line that begins with = continues it */
  constructor(line, heading, names, last) {
    this.line = line
    this.heading = heading
    const [text, times] = withoutTimes(textOf(line))
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
    this.isContinuation = last !== null && CONTINUES.test(line.text)
    /** Whether the next number follows the sign ≈. */
    this.isApproximate = false
    /** The statement that words and results belong to. @type {Statement | null} */
    this.current = this.isContinuation ? last : null
    /** The text of the current statement on the line before. */
    this.textBefore = this.current?.text ?? ""
    /** The index at which the current statement begins in the text of this line. */
    this.start = 0
    /** The index at which the next statement begins in the text. @type {number | null} */
    this.nextStart = null
  }

  /** Reads all statements of the line, up to an expression that is too long to have been written by hand.
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
      const blank = { after: "", stated: null, text: "", upper: null, parts: null }
      current = { ...blank, words, heading, times, name, expressions: [expression], line }
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
  }

  /** Adds a word to the current statement, or acts on a sign. @param {Token} token */
  take({ kind, text }) {
    const { parser, current } = this
    if (kind === "word") {
      if (current && !this.isContinuation) current.after += ` ${text}`
      this.words += ` ${text}`
      const subject = HAS.test(text) ? this.subject().slice(-MAX_SUBJECT_LENGTH) : ""
      if (OF_EACH_LAYER.test(subject)) [this.heading, this.words] = [subject, ""]
    } else if ("=≈".includes(text)) this.takeEqual(text)
    else if (text === "|" && parser.isSign("=≈")) return
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

/** Whether an expression contains a number, at any depth.
 * @param {Expression} expression @param {number} value @returns {boolean} */
const hasNumber = ({ parts }, value) =>
  parts.some((part) => (isNumber(part) && part.value === value) || hasNumber(part, value))

/** The text of a line without bullets, LaTeX and dates, and with ^ for powers. @param {TextLine} line */
const textOf = ({ text }) =>
  withPowers(
    withSigns(withoutLatex(text.slice(0, MAX_LINE_LENGTH).replace(BRANCH, "").replace(BULLET, "").replace(DATE, " ")))
      .replace(/(?<=[0-9] ?|^[\s|]*)x(?=[0-9])/gi, "×") // 768x3072, 7,087,872 x12, x12 = 85,054,464
      .replace(/&/g, " ")
      .replace(/^[\s|]+/, "")
      .replace(ASSIGNMENTS, inPairs)
      .trimEnd(),
  )

/** Assignments with each name next to its number, as in "V = 30522, H = 768"; unchanged if there is not one number for
 * each name.
 * @param {string} assignments @param {string} names @param {string} numbers */
function inPairs(assignments, names, numbers) {
  const [nameList, numberList] = [names, numbers].map((list) => list.split(/ ?, ?/))
  if (nameList.length !== numberList.length) return assignments
  return nameList.map((name, index) => `${name} = ${numberList[index]}`).join(", ")
}

/** A line without the note on its label, and the number in that note; 0 if there is none. A note on a layer itself, as
 * in 12 × encoder layer, remains, because the formula after it may be for all layers.
 * @param {string} text @returns {[string, number]} */
function withoutTimes(text) {
  for (const pattern of [LABEL_WITH_TIMES, ...LABELS_OF_FORMULAS]) {
    const match = pattern.exec(text)
    const { label = "", before, after } = match?.groups ?? {}
    if (match && !saysLayer(label)) return [label + text.slice(match[0].length), Number(before ?? after)]
  }
  return [text, 0]
}

/** Whether the words between a result and an equals sign seem to name another quantity, such as a size.
 * @param {string} words */
function namesOtherQuantity(words) {
  const wordList = words.trim().split(" ").filter(Boolean)
  return wordList.length > 3 || isSizeName(wordList[wordList.length - 1] ?? "")
}

/** Whether a number alone follows, as the result in the next cell of a table. @param {Parser} parser */
const isResult = (parser) => parser.peek()?.kind === "number" && (!parser.peek(1) || parser.isSign("|", 1))

/** Whether a number rounds another one, as 110M rounds 109,482,240.
 * @param {Expression} rounded @param {Expression} other */
const isRoundingOf = (rounded, other) =>
  other.tolerance < rounded.tolerance && Math.abs(rounded.value - other.value) <= widestTolerance(rounded)

/** A statement with its result: the last of its expressions, if that is a number alone, or else the first, as in
 * 85,054,464 = 12 × 7,087,872. A number that only rounds the one before it, as in 109,482,240 ≈ 110M, restates the
 * result.
 * @param {Statement} statement @returns {Statement} */
function withResult(statement) {
  const { expressions } = statement
  const [first] = expressions
  if (!isNumber(expressions[expressions.length - 1])) {
    if (expressions.length < 2 || !isNumber(first)) return statement
    const stated = { value: first.value, tolerance: first.tolerance }
    return { ...statement, stated, expressions: expressions.filter((expression) => !isNumber(expression)) }
  }
  const result = expressions.reduce((before, next) => {
    const isRestated = isNumber(before) && isNumber(next) && isRoundingOf(next, before)
    return isRestated ? before : next
  })
  const stated = { value: result.value, tolerance: result.tolerance }
  return { ...statement, stated, expressions: formulasOf(expressions, result) }
}

/** The formulas among expressions. In a row of a table such as 768 × 768 | 1 | 12 | 7,077,888, the numbers of matrices
 * and layers are factors. If the product is not the result, the numbers mean something else.
 * @param {Expression[]} expressions @param {Expression} result */
function formulasOf([first, ...others], result) {
  const counts = others.filter((expression) => isNumber(expression) && expression !== result)
  const areCells = !isNumber(first) && counts.length > 0 && counts.length === others.length - 1
  if (!areCells || result.tolerance) return [first, ...others].filter((expression) => !isNumber(expression))
  const product = productOf([...counts, first])
  return resultOf(product) === result.value ? [product] : []
}

const COUNT_OF_THINGS = /(?<![0-9.,])([0-9]{1,2}) (?:[\p{L}-]+,? ?){1,4}$/u // 4 matrices with

/** The number of things that the words before a number count; 0 if they count none. @param {string} words */
const timesIn = (words) => Number(COUNT_OF_THINGS.exec(words)?.[1] ?? 0)

/** The numeric factors of a product; none for any other expression. @param {Expression} expression */
const factorsOf = ({ kind, parts }) => (kind === "product" ? parts.filter(isNumber).map(({ value }) => value) : [])

/** A statement with its formula multiplied by a number of layers or things, if the formula is for one of them and the
 * result for all: 4 matrices with 768 × 768 + 768 = 2,362,368. After a note such as "(× 12)", the stated result may be
 * wrong. If it is nearer to the result of the formula than to the multiplied one, it is for one layer.
 * @param {Statement} statement @returns {Statement} */
function withTimes(statement) {
  const { words, expressions, stated, times: timesNoted } = statement
  const times = timesNoted || timesIn(words) || layersNamed(words)
  const [formula] = expressions
  if (times < 2 || expressions.length !== 1 || factorsOf(formula).includes(times)) return statement
  const [ofOne, ofAll] = [resultOf(formula), times * resultOf(formula)]
  const isOfAll = stated ? Math.abs(stated.value - ofAll) < Math.abs(stated.value - ofOne) : true
  if (timesNoted ? isOfAll : stated?.value === ofAll)
    return { ...statement, expressions: [productOf([numeral(times), formula])] }
  return timesNoted ? { ...statement, heading: "per layer" } : statement
}

/** A statement as a list, split into two if it has a number and the total after it, as in "pooler 590,592 →
 * 109,482,240", or a product of the total, as in "LayerNorm 1,536 → 7,087,872 × 12 = 85,054,464". If the second number
 * is the first times a number of layers or things, both stay in one statement, as a product and its result.
 * @param {Statement} statement @returns {Statement[]} */
function splitTotal(statement) {
  const { expressions } = statement
  const [first, second] = expressions
  const last = expressions[expressions.length - 1]
  if (expressions.length > 2 && isNumber(first) && factorsOf(second).some((factor) => factor > first.value))
    return [
      { ...statement, expressions: [first] },
      { ...statement, words: "", after: "", name: "", expressions: expressions.slice(1) },
    ]
  const times = layersNamed(statement.words) || timesIn(statement.words)
  if (expressions.length === 2 && times > 1 && isNumber(first) && first.value * times === last.value)
    return [{ ...statement, expressions: [productOf([numeral(times), first]), last] }]
  if (expressions.length !== 2 || !expressions.every(isNumber) || last.tolerance || first.value >= last.value)
    return [statement]
  return [
    { ...statement, expressions: [first] },
    { ...statement, words: "total", after: "", name: "", text: `= ${last.value}`, expressions: [last] },
  ]
}

/** Words after a number that only states how far another one is off. */
const OF_ERROR = /^(?:\w+ )?(?:too (?:many|few|much|large|small|high|low)|zu viele?|zu wenige?|de trop)(?!\p{L})/iu

/** Whether a statement only states how far another number is off, as in "Why do I get 23 million too many?".
 * @param {Statement} statement */
const isOfError = ({ expressions, after }) => expressions.every(isNumber) && OF_ERROR.test(after.trim())

/** The statements. One whose result is the sum of all formulas on its line is split into its formula and the total: W1
 * 768 × 3072, W2 3072 × 768 = 4,718,592.
 * @param {Statement[]} statements */
function splitLineTotals(statements) {
  let sum = 0
  return statements.flatMap((statement, index) => {
    const { expressions, line, after } = statement
    const [formula, total] = expressions
    if (statements[index - 1]?.line !== line) sum = 0
    if (isNumber(formula) || expressions.length > 2) {
      sum = NaN
      return [statement]
    }
    const isFirst = sum === 0
    sum += resultOf(formula)
    if (!total) return [statement]
    const isTotal = !isFirst && isNumber(total) && total.value === sum
    sum = NaN
    if (!isTotal) return [statement]
    const { value } = total
    return [
      { ...statement, after: "", text: statement.text.replace(/ ?=.*$/, ""), expressions: [formula] },
      { ...statement, words: `total${after}`, after: "", name: "", text: `= ${value}`, expressions: [total] },
    ]
  })
}

/** The statements without those that only count something, as in "12 layers together: 85,054,464" or "encoder (12
 * layers): 85,054,464". The next statement then begins with their words.
 * @param {Statement[]} statements */
const withoutCounts = (statements) =>
  statements.filter(({ words, after, expressions, line }, index) => {
    const next = statements[index + 1]
    const [only] = expressions
    const counted = `${only.words} ${after}`.trim()
    const isCount = isNumber(only) && expressions.length === 1 && only.value <= MAX_COUNT && counted !== ""
    if (!isCount || next?.line !== line) return true
    const phrase = `${words} ${only.value} ${counted}`.trim()
    if (OF_EACH_LAYER.test(phrase)) return false
    next.text = `${phrase} ${next.text}`
    next.words = counted.endsWith(next.words) ? phrase : `${phrase} ${next.words}`
    return false
  })

/** The statements without those that only describe what the next one works out, as in "12 heads, each with Q, K, V of
 * 768 × 768: 12 × 3 × 768 × 768"; the next statement takes their words.
 * @param {Statement[]} statements */
const withoutDescriptions = (statements) =>
  statements.filter(({ words, after, expressions, line, text }, index) => {
    const next = statements[index + 1]
    if (next?.line !== line || next.words || expressions.length > 1) return true
    const [factors, nextFactors] = [expressions, next.expressions].map(([expression]) => factorsOf(expression))
    const isDescription = factors.length > 0 && factors.length < nextFactors.length
    if (!isDescription || !factors.every((factor) => nextFactors.includes(factor))) return true
    next.words = `${words} ${after}`.trim()
    next.text = `${text}: ${next.text}`
    return false
  })

const NAME = /^[A-Za-z]\w*$/ // of a result, which later lines may use

/** The text with lost superscripts restored: 7682 becomes 768^2 in a text that also contains the hidden size 768.
 * @param {string} text */
const withSquares = (text) =>
  text.replace(/(?<![0-9.,])([0-9]{3,4})2(?![0-9.,])/g, (number, root) =>
    HIDDEN_SIZES.has(Number(root)) && new RegExp(`(?<![0-9])${root}(?![0-9])`).test(text) ? `${root}^2` : number,
  )

const MIN_WRAPPED = 60 // characters; a shorter line was not wrapped

/** The lines, with those of a wrapped sentence joined. @param {TextLine[]} lines */
function joinWrapped(lines) {
  /** @type {TextLine[]} */
  const joinedLines = []
  let lastIndex = -2
  for (const line of lines) {
    const lineBefore = joinedLines[joinedLines.length - 1]
    const isFull =
      lastIndex + 1 === line.index &&
      lineBefore.source.length > MIN_WRAPPED &&
      /\p{Ll}{2}$/u.test(lineBefore.text.trim())
    if (isFull && /^\p{Ll}(?!.{0,40}[=:])/u.test(line.text))
      joinedLines[joinedLines.length - 1] = {
        ...lineBefore,
        text: `${lineBefore.text} ${line.text}`,
        source: `${lineBefore.source} ${line.source}`,
      }
    else joinedLines.push(line)
    lastIndex = line.index
  }
  return joinedLines
}

/** The headings that apply to a line. A heading is a line without a result. */
class Headings {
  constructor() {
    /** The headings that apply to the current line, the outermost first. @type {Heading[]} */
    this.list = []
  }

  /** The innermost heading. */
  get last() {
    return this.list[this.list.length - 1]
  }

  /** The innermost heading that gives a number of layers for the lines indented below it; null if there is none. */
  get ofLayers() {
    return [...this.list].reverse().find(({ times, isOutlined }) => isOutlined && times > 0) ?? null
  }

  /** Ends the headings under which a line at this depth is not indented. A heading without any indented lines applies
   * to all lines up to the next heading.
   * @param {number} depth */
  moveTo(depth) {
    while (this.last?.isOutlined && this.last.depth >= depth) this.list.pop()
    if (this.last && this.last.depth < depth) this.last.isOutlined = true
  }

  /** Adds a heading. @param {string} text @param {number} depth */
  add(text, depth) {
    while (this.last && this.last.depth >= depth) this.list.pop()
    this.list.push({ text, depth, times: timesOfHeading(text), isOutlined: false })
  }
}

/** Whether a line is a heading: it has no numbers, or only a number of things, such as layers, and a colon at the end
 * or an indented line after it.
 * @param {Statement[]} lineStatements @param {TextLine} line @param {TextLine | undefined} next */
const isHeading = (lineStatements, line, next) =>
  lineStatements.every(({ expressions }) => expressions.every((part) => isNumber(part) && part.value <= MAX_COUNT)) &&
  (!lineStatements.length || /[:：]$/.test(line.text) || (next !== undefined && depthOf(next) > depthOf(line)))

/** The statements of a text, in order, except that the subtotal of indented lines follows them.
 * @param {string} text @returns {Statement[]} */
export function statementsIn(text) {
  /** @type {Statement[]} */
  const statements = []
  const names = new Set()
  let headings = new Headings()
  let indexBefore = 0
  const lines = joinWrapped(linesOf(withSquares(withPowers(withLineBreaks(text)))).slice(0, MAX_LINES))
  for (const [index, line] of lines.entries()) {
    const last = statements[statements.length - 1] ?? null
    if (line.index > indexBefore + 1) headings = new Headings()
    indexBefore = line.index
    headings.moveTo(depthOf(line))
    const lineStatements = new LineReader(line, headings.last?.text ?? "", names, last).read()
    if (!CONTINUES.test(line.text) && isHeading(lineStatements, line, lines[index + 1])) {
      headings.add(line.text.trim().replace(/[:：]$/, ""), depthOf(line))
      continue
    }
    for (const statement of lineStatements) statement.upper = headings.ofLayers
    statements.push(...lineStatements)
    for (const { name, expressions } of lineStatements)
      if (NAME.test(name) && expressions.some((expression) => !isNumber(expression))) names.add(name)
  }
  const statementsOfAmounts = statements.filter((statement) => !isOfError(statement))
  const joinedStatements = splitLineTotals(withoutDescriptions(withoutCounts(statementsOfAmounts))).flatMap(splitTotal)
  return outlined(lines, joinedStatements.map(withResult).map(withTimes))
}
