// Rewrites a program that counts parameters as a plain sum, which sums/ can read:
//
//     def dense(i, o):                         total = 768*3072 + 3072 + 12*(768*768 + 768)
//         return i * o + o
//     hidden = 768                      →
//     total = dense(hidden, 3072)
//     for _ in range(12):
//         total += dense(hidden, hidden)
//
// source.js splits the program into statements, and writer.js writes them as lines of a sum. The
// formulas of a spreadsheet only lose their equals signs.

import { resultOfFormula } from "../sums/expressions.js"
import { codeStatementsIn, hasDeclaration, UnreadableCode } from "./source.js"
import { Writer } from "./writer.js"

/** @typedef {import("./source.js").CodeStatement} CodeStatement */

const MAX_LENGTH = 20_000 // characters of a program

/** The sign with which a formula begins in a spreadsheet. */
const SPREADSHEET_SIGN = /^\s*=\s*(?=[0-9(])/
/** The beginning of a function, or the first line of a class, loop or condition. */
const BLOCK = /^[ \t]*(?:def \w+\(|(?:class|for|while|if)\b.*:[ \t]*(?:#.*)?$|(?:export\s+)?function\b.*\{)/m
/** A product of numbers or names. */
const PRODUCT = /[\w)\]] ?\*{1,2} ?[\w(]/
/** A line that code seems to have printed. */
const PRINTED_LINE = /^[^*=()]*[0-9][0-9,]{4,}[^*=()]*$/m

/** Whether a statement is a function, a loop or an addition to a name, or spans several lines: none of them is in a
 * plain sum.
 * @param {CodeStatement} statement */
const occursOnlyInPrograms = ({ kind, source }) =>
  kind === "function" || kind === "loop" || kind === "addition" || (kind !== "other" && source.includes("\n"))

/** A program as a plain sum. `repeatedCall` is the name of a function that the program calls more than once, although
 * only the first call is in the sum; "" if there is none.
 * @typedef {{ sum: string, repeatedCall: string }} ProgramSum */

/** The plain sum that a program works out; null for a text that is not a program or is too long, and for code that is
 * not read.
 * @param {string} text @returns {ProgramSum | null} */
export function sumOfProgram(text) {
  if (text.length > MAX_LENGTH || !/[=(]/.test(text)) return null
  const textLines = text.split("\n").filter((line) => line.trim())
  if (textLines.length > 1 && textLines.every((line) => SPREADSHEET_SIGN.test(line)))
    return { sum: textLines.map((line) => line.replace(SPREADSHEET_SIGN, "")).join("\n"), repeatedCall: "" }
  const program = writtenProgram(text)
  if (!program) return null
  const { statements, writer } = program
  const isProgram = statements.some(occursOnlyInPrograms) || writer.replacesNames || hasDeclaration(text)
  const { lines } = writer
  if (!isProgram || !lines.length) return null
  const sum = lines.length > 1 || lines[0].includes("=") ? lines.join("\n") : withResult(lines[0])
  return { sum, repeatedCall: writer.program.repeatedCall }
}

/** Whether a text is code that works out a number but is not read, such as a loop whose rounds differ. Code followed by
 * what it printed does not count, because the printed number is read; nor does PyTorch code, whose layers or model
 * are read instead (layers-in-code.js, loaded-model.js).
 * @param {string} text */
export const isUnreadProgram = (text) =>
  text.length <= MAX_LENGTH &&
  BLOCK.test(text) &&
  PRODUCT.test(text) &&
  !PRINTED_LINE.test(text) &&
  !/\.parameters\(\)|nn\.\w/.test(text) &&
  sumOfProgram(text) === null

/** The statements of a program and the writer that has written them; null if the code is not read.
 * @param {string} text */
function writtenProgram(text) {
  try {
    const statements = codeStatementsIn(text)
    const writer = new Writer(statements)
    writer.write()
    const definition = [...writer.program.functions.values()].at(-1)
    if (!writer.lines.length && definition && !writer.program.calls) writer.writeCall(definition)
    return { statements, writer }
  } catch (error) {
    if (error instanceof UnreadableCode) return null
    throw error
  }
}

/** A formula with its result. Alone, it would be explained as a number rather than as a sum. @param {string} formula */
function withResult(formula) {
  const result = resultOfFormula(formula)
  return `total = ${formula}${Number.isSafeInteger(result) ? ` = ${result}` : ""}`
}
