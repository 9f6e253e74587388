// Rewrites lists of modules that say what is trained, so that summaries.js can read them. There are two kinds: tables
// with a column of trained and a column of frozen parameters, whose sum is the number of parameters of a module; and
// lines with a name, a count and a word or flag, such as "encoder: trainable=False, 85,054,464 params".

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
 * trained, which is empty for a module that is trained in part; any other text unchanged.
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

/** A line with the name of a module, and the flag in the rest of it. */
const NAMED_LINE = /^[\s*•-]*(?<name>[A-Za-z_][\w.]*)[:,]?\s+(?<rest>.*)$/
const FLAG = /\b(?:(?:requires_grad|trainable)\s*[=:]\s*)?(true|false|frozen|trainable|trained)\b/i
/** Words for the unit of a count, which say nothing about what it counts. */
const UNIT = /\b(?:n_?params|params|parameters|numel)\b/gi
const COUNT = /(?<![\w.,])(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?![\w.])/
const MIN_FLAGGED_LINES = 3

/** The count of a line and whether it is trained; null unless the line has nothing else besides a name.
 * @param {string} line */
function flaggedModuleIn(line) {
  const { name = "", rest = "" } = NAMED_LINE.exec(line)?.groups ?? {}
  const [flagText = "", flag = ""] = FLAG.exec(rest) ?? []
  const [count = ""] = COUNT.exec(rest) ?? []
  const remainder = rest.replace(flagText, "").replace(count, "").replace(UNIT, "")
  if (!flag || !count || /[A-Za-z0-9]/.test(remainder) || /(?:weight|bias)$/.test(name)) return null
  return { name, count, isTrained: /^tr/i.test(flag) }
}

/** The text of a list of modules with counts and flags as a table; any other text unchanged. @param {string} text */
export function withFlagsInTable(text) {
  const lines = text.split("\n")
  const modules = lines.map(flaggedModuleIn)
  const places = modules.flatMap((module, index) => (module ? [index] : []))
  const [first, last] = [places[0], places[places.length - 1]]
  // Lines between those of modules would be rows of another kind.
  if (places.length < MIN_FLAGGED_LINES || last - first + 1 !== places.length) return text
  const tableLines = lines.map((line, index) => {
    const module = modules[index]
    return module ? `| ${module.name} | ${module.count} | ${module.isTrained ? "True" : "False"}` : line
  })
  return [...tableLines.slice(0, first), "| Layer | Params | Trainable", ...tableLines.slice(first)].join("\n")
}
