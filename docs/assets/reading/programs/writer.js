// Writes the statements of a program that counts parameters as the lines of a plain sum; sum.js shows an
// example. The program is not run. Its statements are rewritten in order:
// - A name whose value is a number is replaced by it. If sums know the name as that of a size, its
//   line stays.
// - A name whose value is a formula keeps its line, and later lines refer to it.
// - What is added to a name, once or in a loop, becomes one sum, with comments as labels.
// - A call of a function becomes the function's lines if it is the whole expression, and
//   otherwise a bracket with the formula that it returns.
// - Entries of a dictionary become lines with their keys if they are formulas or sizes. Those of a
//   list are kept for sum() and for functions.
// - A formula that is printed becomes a line.
// - Of the bodies of a condition that is a constant, only the one that runs is written.
// - Of several calls that are whole expressions, as for a second model, only the first is written.
// Code whose result depends on anything else, such as an unknown condition, is not read.

import { resultOfFormula } from "../sums/expressions.js"
import { isSizeName, letterOf } from "../sums/names.js"
import { piecesOf, UnreadableCode } from "./source.js"

/** @typedef {import("./source.js").CodeStatement} CodeStatement */

const MAX_FORMULA_LENGTH = 20_000 // characters of a formula that stands for a name
const MAX_CALLS = 300 // code with more calls of functions was not written by hand, or has a function that calls itself

/** A name, perhaps with an attribute or a key, that is neither called nor text. */
const NAME = /(?<![\w."'])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[["']\w+["']\])*(?!\w|\s*\(|["'])/g
/** The beginning of a call. */
const CALL = /(?<![\w.])([A-Za-z_]\w*)\s*\(/g
/** The beginning of an argument that is passed by its name. */
const KEYWORD_ARGUMENT = /^\w+\s*=/
/** A list or dictionary; the group has its entries. */
const COLLECTION = /^(?:\{|\[|dict\()([\s\S]*)[\])}]$/
/** Signs and keywords that no formula has. */
const NOT_IN_FORMULAS = /["'<>=:{}]|\[|(?<!\w)(?:if|for|in|and|or|not)(?!\w)/
/** A conditional expression whose condition is a constant: (768 if True else 0). */
const CONDITIONAL = /([\w *+]+?) if (True|False|None|[0-9]+) else ([\w *+]+)/g
/** A number, perhaps with underscores between its digits. */
const NUMBER = /^[0-9][0-9_]*(?:\.[0-9]+)?$/
/** Parts of the names of sizes that code derives from others, as in d_ff = 4 * d_model. */
const DERIVED_SIZE = /ff|inter|dim|head|inner|size|width/i
const MAX_DERIVED_SIZE = 100_000 // the largest size that code derives from others; a larger number counts parameters
/** A product and a sum, as in head = 2 * 768 + 2, which counts parameters and is not a size. */
const SUM_OF_PRODUCTS = /\*.*\+|\+.*\*/
/** The sum of a list or dictionary that has a name. */
const SUM_OF_ENTRIES = /(?<!\w)sum\(\s*(\w+)(?:\.values\(\))?\s*\)/g
/** The sum of a list that is written out. */
const SUM_OF_LIST = /(?<!\w)sum\(\s*\[([^[\]]*)\]\s*\)/g

/** The sum of expressions, in brackets. @param {string[]} expressions */
const sumOf = (expressions) => `(${expressions.join(" + ")})`

/** Whether a constant counts as true in a condition. @param {string} constant */
const isTruthy = (constant) => !/^(?:False|None|false|0)$/.test(constant)

/** A text in brackets, unless it is a single name or number. @param {string} text */
const inBrackets = (text) => (/^[\w.]+$/.test(text) ? text : `(${text})`)

/** The words of a comment, as the label of a term. @param {string} comment */
const labelIn = (comment) => (comment.match(/\p{L}{3,}/gu) ?? []).filter((word) => !isSizeName(word)).join(" ")

/** An entry of a list or dictionary. @typedef {{ key: string, expression: string }} CollectionEntry */

/** Writes the statements of a program or function as lines of a sum. */
export class Writer {
  /** @param {CodeStatement[]} statements
   * @param {Writer | null} [caller]  the writer of the code that calls a function
   * @param {boolean} [isInline]  whether the result is one expression, with formulas in place of names */
  constructor(statements, caller = null, isInline = false) {
    this.statements = statements
    this.isInline = isInline
    /** The state that all writers of a program share: the functions so far, by name; the names of those whose lines
     * have been written; the number of calls; and the name of a function that is called again. */
    this.program = caller?.program ?? {
      functions: /** @type {Map<string, CodeStatement>} */ (new Map()),
      writtenFunctions: /** @type {Set<string>} */ (new Set()),
      calls: 0,
      repeatedCall: "",
    }
    /** The number or formula that replaces each name; a function also knows the names of the code that calls it. */
    this.values = new Map(caller?.values)
    /** The entries of each list and dictionary. */
    this.entries = /** @type {Map<string, CollectionEntry[]>} */ (new Map(caller ? caller.entries : []))
    /** The terms that have been added to each name. @type {Map<string, string[]>} */
    this.additions = new Map()
    /** The names to which anything is added later. */
    this.namesOfTotals = namesAddedTo(statements)
    /** The lines of the sum. @type {string[]} */
    this.lines = []
    /** The formula that the function returns. */
    this.result = ""
    /** The entries of the dictionary, or the values of the tuple, that the function returns; null for a single value.
     * @type {CollectionEntry[] | null} */
    this.resultEntries = null
    /** The `resultEntries` of the function that this code called last. @type {CollectionEntry[] | null} */
    this.entriesOfCall = null
    /** Whether a number has replaced a name of several letters. Single letters also occur in sums that are not code. */
    this.replacesNames = false
  }

  /** Writes all statements, and returns their lines. */
  write() {
    this.takeAll(this.statements, "")
    for (const name of [...this.additions.keys()]) this.finish(name)
    return this.lines
  }

  /** Takes statements in order. Of the bodies of a condition, only the one that runs is taken. A comment on a line of
   * its own belongs to the addition below it.
   * @param {CodeStatement[]} statements @param {string} times  how often they are repeated, as a product; "" for once
   */
  takeAll(statements, times) {
    let commentAbove = ""
    let isMet = true // whether the last condition is met
    for (const statement of statements) {
      const { kind, value, body, comment } = statement
      if (kind === "if") isMet = this.isMet(value)
      if (kind === (isMet ? "if" : "else")) this.takeAll(body, times)
      else if (kind === "addition") this.take({ ...statement, comment: comment || commentAbove }, times)
      else this.take(statement, times)
      commentAbove = kind === "other" ? comment : ""
    }
  }

  /** Takes a statement that is not conditional. @param {CodeStatement} statement @param {string} times */
  take(statement, times) {
    const { kind, name, value, comment, source } = statement
    const calledName = functionCalledBy(value)
    if (!this.isInline && this.program.writtenFunctions.has(calledName)) {
      this.program.repeatedCall = calledName
      this.values.delete(name)
    } else if (kind === "function") this.program.functions.set(name, statement)
    else if (kind === "loop") this.repeat(statement, times)
    else if (kind === "addition") this.add(name, value, times, comment)
    else if (kind === "assignment") this.assign(name, value, comment)
    else if (kind === "return") this.takeResult(value)
    else if (kind === "unpacking") this.unpack(name.split(","), value)
    else if (kind === "iteration") requirePrinting(statement)
    else if (kind === "print") this.print(value)
    else if (kind === "expression") this.writeLine("", this.expressionOf(value, true), comment)
    else if (kind === "other" && source) this.writeLine("", source, "")
  }

  /** Whether a condition is met. @param {string} condition @throws {UnreadableCode} if it does not become a constant */
  isMet(condition) {
    const value = this.expressionOf(condition)
    if (!/^(?:True|False|None|true|false|[0-9]+)$/.test(value)) throw new UnreadableCode(condition)
    return isTruthy(value)
  }

  /** Writes the body of a loop once, with the number of rounds as a factor.
   * @param {CodeStatement} loop @param {string} times */
  repeat({ name, value, body }, times) {
    const [count, ...others] = piecesOf(value)
    const usesIndex = body.some((statement) => new RegExp(`\\b${name}\\b`).test(statement.value))
    if (others.length || usesIndex) throw new UnreadableCode("a loop whose rounds differ")
    this.takeAll(body, [times, inBrackets(this.expressionOf(count))].filter(Boolean).join(" * "))
  }

  /** Adds a term to the sum that a name stands for.
   * @param {string} name @param {string} value @param {string} times @param {string} comment */
  add(name, value, times, comment) {
    const term = this.expressionOf(value)
    const terms = this.additions.get(name) ?? [this.values.get(name) ?? "0"]
    this.values.delete(name)
    terms.push([labelIn(comment), times ? `${times} * (${term})` : term].filter(Boolean).join(" "))
    this.additions.set(name, terms)
  }

  /** Takes the value of a name. A number, or the name of another value, replaces the name from now on; a formula
   * becomes a line, and the beginning of a total waits for what is added to it.
   * @param {string} name @param {string} value @param {string} comment */
  assign(name, value, comment) {
    if (COLLECTION.test(value)) {
      this.takeEntries(name, this.entriesIn(value))
      return
    }
    this.entriesOfCall = null
    const expression = this.expressionOf(value, !this.isInline)
    if (this.entriesOfCall && functionCalledBy(value)) {
      this.takeEntries(name, this.entriesOfCall)
      return
    }
    const number = this.numberIn(name, expression)
    this.values.delete(name)
    if (this.namesOfTotals.has(name)) this.additions.set(name, [expression])
    else if (number) this.takeSize(name, number)
    else if (this.isInline || /^\w+$/.test(expression)) this.values.set(name, inBrackets(expression))
    else this.writeLine(name, expression, comment)
  }

  /** Takes what a function returns. Of several values, the last is the result, because a total follows its parts.
   * @param {string} value */
  takeResult(value) {
    const values = piecesOf(value)
    if (COLLECTION.test(value)) this.resultEntries = this.entriesIn(value)
    else if (values.length > 1)
      this.resultEntries = values.map((single) => ({ key: "", expression: this.expressionOf(single) }))
    this.result = this.resultEntries ? (this.resultEntries.at(-1)?.expression ?? "") : this.expressionOf(value, true)
  }

  /** Gives several names the values that a call returns. @param {string[]} names @param {string} value */
  unpack(names, value) {
    this.entriesOfCall = null
    this.expressionOf(value, true)
    const entries = /** @type {CollectionEntry[] | null} */ (this.entriesOfCall)
    if (entries?.length !== names.length) throw new UnreadableCode(value)
    for (const [index, name] of names.entries()) this.values.set(name, inBrackets(entries[index].expression))
  }

  /** Takes the number of a name. Its line is written if sums understand the name as that of a size.
   * @param {string} name @param {string} number */
  takeSize(name, number) {
    this.values.set(name, number)
    if (letterOf(name)) this.writeLine(name, number, "")
  }

  /** The number that an expression gives a name: the expression itself or, if the name is that of a size, its result;
   * "" for any other formula.
   * @param {string} name @param {string} expression */
  numberIn(name, expression) {
    if (NUMBER.test(expression)) return expression.replace(/_/g, "")
    if ((!DERIVED_SIZE.test(name) && !letterOf(name)) || SUM_OF_PRODUCTS.test(expression)) return ""
    const result = resultOfFormula(expression)
    return Number.isInteger(result) && result <= MAX_DERIVED_SIZE ? String(result) : ""
  }

  /** The entries of a dictionary or list. @param {string} value */
  entriesIn(value) {
    const [, list = ""] = COLLECTION.exec(value) ?? []
    return piecesOf(list).map((item) => {
      const [, key = "", expression = ""] = /^(?:["']?([\w .-]+?)["']?\s*[:=])?\s*(.+)$/.exec(item) ?? []
      return { key, expression: this.expressionOf(expression) }
    })
  }

  /** Takes the entries that a name stands for. An entry with a key is written as a line if its value is a formula, or
   * if its key is the name of a size.
   * @param {string} name @param {CollectionEntry[]} entries */
  takeEntries(name, entries) {
    for (const { key, expression } of entries.filter((entry) => entry.key)) {
      const number = this.numberIn(key, expression)
      for (const access of [`${name}.${key}`, `${name}["${key}"]`, `${name}['${key}']`])
        this.values.set(access, number || inBrackets(expression))
      const isName = /^[A-Za-z_]\w*$/.test(expression) // whose line has been written
      if (!isName && (!number || letterOf(key))) this.writeLine(key, number || expression, "")
    }
    this.entries.set(name, entries)
  }

  /** Writes the formulas that a call prints. @param {string} value  its arguments */
  print(value) {
    for (const argument of piecesOf(value)) {
      const [, formatted = argument] = /^f["'][^{]*\{([^{}:!]+)[^{}]*\}[^{]*["']$/.exec(argument) ?? []
      const expression = /^["']/.test(formatted) ? "" : this.writtenOut(formatted, true)
      if (/[*+]/.test(expression) && !NOT_IN_FORMULAS.test(expression))
        this.writeLine(functionCalledBy(formatted), expression, "")
    }
  }

  /** Writes a line, unless the result is one expression, or the line has only a name.
   * @param {string} name @param {string} expression @param {string} comment */
  writeLine(name, expression, comment) {
    if (this.isInline || (!name && /^[A-Za-z_]\w*$/.test(expression))) return
    const assignment = name ? `${name} = ${expression}` : expression
    this.lines.push(comment ? `${assignment}  ${comment}` : assignment)
  }

  /** Ends the sum of the terms that have been added to a name. It is written as a line, or replaces the name if the
   * result is one expression or there is a single term. @param {string} name */
  finish(name) {
    const terms = (this.additions.get(name) ?? []).filter((term) => !/^0(?:\.0)?$/.test(term))
    this.additions.delete(name)
    const sum = terms.join(" + ") || "0"
    if (this.isInline || terms.length < 2) this.values.set(name, inBrackets(sum))
    else this.writeLine(name, sum, "")
  }

  /** The formula that an expression stands for.
   * @param {string} value @param {boolean} [isWhole]  as for `writtenOut`
   * @throws {UnreadableCode} if it is not a formula */
  expressionOf(value, isWhole = false) {
    const formula = this.writtenOut(value, isWhole)
    if (NOT_IN_FORMULAS.test(formula) || formula.length > MAX_FORMULA_LENGTH) throw new UnreadableCode("not a formula")
    return formula
  }

  /** An expression with numbers in place of names, and formulas in place of calls.
   * @param {string} value @param {boolean} isWhole  whether a call that is the whole expression may be written as lines
   */
  writtenOut(value, isWhole) {
    const code = value
      .replace(/\/\//g, "/")
      .replace(SUM_OF_LIST, (_, list) => sumOf(piecesOf(list)))
      .replace(SUM_OF_ENTRIES, (call, name) => {
        const entries = this.entries.get(name)
        return entries ? sumOf(entries.map(({ expression }) => inBrackets(expression))) : call
      })
    const expression = this.withoutCalls(
      code.replace(NAME, (name) => this.valueOf(name)),
      isWhole,
    )
    return expression
      .replace(CONDITIONAL, (_, first, condition, second) => (isTruthy(condition) ? first : second))
      .trim()
  }

  /** The text that replaces a name in an expression. @param {string} name */
  valueOf(name) {
    if (this.additions.has(name)) this.finish(name)
    const value = this.values.get(name)
    if (value && NUMBER.test(value) && name.length > 1) this.replacesNames = true
    return value ?? name
  }

  /** An expression with a formula in place of each call of a function that the program defines.
   * @param {string} expression @param {boolean} isWhole @returns {string} */
  withoutCalls(expression, isWhole) {
    const { functions, writtenFunctions } = this.program
    const match = [...expression.matchAll(CALL)].find(([, name]) => functions.has(name))
    if (!match) return expression
    const definition = /** @type {CodeStatement} */ (functions.get(match[1]))
    const start = match.index + match[0].length
    const end = closingBracket(expression, start)
    const callArguments = piecesOf(expression.slice(start, end)).map((argument) => this.withoutCalls(argument, false))
    const [before, after] = [expression.slice(0, match.index), expression.slice(end + 1)]
    const isAlone = isWhole && !this.isInline && !before.trim() && !after.trim()
    if (isAlone) writtenFunctions.add(definition.name)
    const result = this.call(definition, callArguments, !isAlone)
    return isAlone ? result : this.withoutCalls(`${before}${inBrackets(result)}${after}`, false)
  }

  /** Writes a function that the program does not call, with the defaults of its parameters.
   * @param {CodeStatement} definition */
  writeCall(definition) {
    const result = this.call(definition, [], false)
    if (!/^\w+$/.test(result)) this.writeLine(definition.name, result, "")
  }

  /** The formula that a call returns. Unless the call is inline, the lines of the function are written first.
   * @param {CodeStatement} definition @param {string[]} callArguments @param {boolean} isInline */
  call({ name, parameters, body }, callArguments, isInline) {
    this.program.calls++
    const calledWriter = new Writer(body, this, isInline)
    const keywords = new Map(callArguments.filter((argument) => KEYWORD_ARGUMENT.test(argument)).map(keywordAndValue))
    const positional = callArguments.filter((argument) => !KEYWORD_ARGUMENT.test(argument))
    for (const [index, [parameter, value]] of parameters.entries()) {
      const argument = keywords.get(parameter) ?? positional[index] ?? value
      if (!argument || this.program.calls > MAX_CALLS) throw new UnreadableCode(name)
      const entries = COLLECTION.test(argument) ? this.entriesIn(argument) : this.entries.get(argument)
      const number = this.numberIn(parameter, argument)
      if (entries) calledWriter.takeEntries(parameter, entries)
      else if (number) calledWriter.takeSize(parameter, number)
      else calledWriter.values.set(parameter, inBrackets(argument))
    }
    this.lines.push(...calledWriter.write())
    this.entriesOfCall = calledWriter.resultEntries
    if (!calledWriter.result) throw new UnreadableCode(`${name} returns nothing`)
    return calledWriter.result
  }
}

/** Checks that a loop only prints, so that it changes nothing. @param {CodeStatement} loop @throws {UnreadableCode} */
function requirePrinting({ value, body }) {
  if (!body.every(({ kind }) => kind === "print" || kind === "other")) throw new UnreadableCode(value)
}

/** The names to which statements add, at any depth of loops.
 * @param {CodeStatement[]} statements @returns {Set<string>} */
const namesAddedTo = (statements) =>
  new Set(
    statements.flatMap(({ kind, name, body }) => {
      if (kind === "loop") return [...namesAddedTo(body)]
      return kind === "addition" ? [name] : []
    }),
  )

/** The name and the value of an argument such as hidden=768. @param {string} argument @returns {[string, string]} */
function keywordAndValue(argument) {
  const [name, ...value] = argument.split("=")
  return [name.trim(), value.join("=").trim()]
}

/** The name of the function that an expression calls; "" unless the call, perhaps within print(), is the whole
 * expression.
 * @param {string} expression */
function functionCalledBy(expression) {
  const [call, name] = /^(?:print\()?(\w+)\(/.exec(expression) ?? []
  if (!call) return ""
  const rest = expression.slice(call.length)
  return /^\)*$/.test(rest.slice(closingBracket(rest, 0))) ? name : ""
}

/** The index of the bracket that closes the one before `start`. @param {string} text @param {number} start */
function closingBracket(text, start) {
  let depth = 1
  for (let index = start; index < text.length; index++) {
    if ("([{".includes(text[index])) depth++
    if (")]}".includes(text[index])) depth--
    if (depth === 0) return index
  }
  throw new UnreadableCode("an open bracket")
}
