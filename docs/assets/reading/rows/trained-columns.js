// Reads tables that count the trained and the frozen parameters of each module in columns of their own.
// Their sum is the number of parameters of the module.

import { numberOfDigits } from "../../explaining/read.js"

/** Words in the headings of the two columns. */
const FROZEN = /frozen|non-?trainable|not trained/i
const TRAINED = /(?<!non-?)(?:trainable|trained)/i
const DIGITS = "[0-9]{1,3}(?:,[0-9]{3})*|[0-9]+"
/** The name of a module and two numbers, separated by bars, tabs or several spaces. */
const ROW = new RegExp(
  String.raw`^[\s|]*(?<name>[A-Za-z][\w .]*?)\s*(?:\||\t|\s{2})[\s|]*(?<first>${DIGITS})[\s|]+(?<second>${DIGITS})[\s|]*$`,
)
const MIN_ROWS = 2

/** The text of a table with two columns of counts, rewritten with one column of sums and one that says whether they are
 * trained; any other text unchanged.
 * @param {string} text */
export function withOneColumnOfCounts(text) {
  const lines = text.split("\n")
  const headingIndex = lines.findIndex((line) => !/[0-9]/.test(line) && FROZEN.test(line) && TRAINED.test(line))
  if (headingIndex < 0) return text
  const isFrozenFirst = lines[headingIndex].search(FROZEN) < lines[headingIndex].search(TRAINED)
  const matches = lines.map((line, index) => (index > headingIndex ? ROW.exec(line) : null))
  if (matches.filter(Boolean).length < MIN_ROWS) return text
  const mergedLines = matches.map((match, index) => {
    const { name = "", first = "", second = "" } = match?.groups ?? {}
    if (!name) return lines[index]
    const [frozenCount, trainedCount] = (isFrozenFirst ? [first, second] : [second, first]).map(numberOfDigits)
    const trainedText = trainedCount ? "True" : "False"
    return `| ${name} | ${frozenCount + trainedCount} | ${frozenCount && trainedCount ? "" : trainedText}`
  })
  mergedLines[headingIndex] = "| Layer | Params | Trainable"
  return mergedLines.join("\n")
}
