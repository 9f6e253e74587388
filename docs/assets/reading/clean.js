// Cleans a text: restores its lines as a tool printed them, before they were copied,
// quoted, logged or typeset. Mail clients, notebooks, terminals and forums each add
// something in front of lines or replace characters. `linesOf` undoes this but keeps the
// source of each line, because answers quote it.
//
// Cleaning precedes any reading and does not depend on the kind of text. It must not
// touch names, shapes or counts, but may drop whatever cannot be part of one.

import { inPlainDigits } from "../explaining/digits.js"

/** The HTML entities that occur among numbers and names. @type {Record<string, string>} */
const ENTITIES = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'", nbsp: " ", times: "×", ndash: "–", minus: "−" }

/** Terminal escape sequences, which colour text, move the cursor, or set the window title. */
const TERMINAL_ESCAPE = /\u001b\[[0-9;?]*[A-Za-z]|\u001b\][^\u0007]*\u0007/g
/** Control characters, which a damaged file may have even within a number. Tabs and line breaks are kept. */
const CONTROL = /[\u0000-\u0008\u000e-\u001f\u007f]/g
/** The maximum number of consecutive spaces kept. Gaps in tables are narrower, and longer runs are slow to match. */
const MAX_SPACES = 200
const LONG_SPACES = new RegExp(`[ \\t\\u00a0]{${MAX_SPACES},}`, "g")
/** The maximum number of consecutive empty lines kept, because longer runs are slow to match, too. */
const MAX_EMPTY_LINES = 100
const EMPTY_LINES = new RegExp(`(?:\\n[ \\t]*){${MAX_EMPTY_LINES},}`, "g")
/** The line breaks that are replaced by plain ones. */
const LINE_BREAK = /\r\n?|[\u2028\u2029\u0085\u000b\u000c]/g
/** The HTML tags that are removed. Other words in angle brackets, such as <class 'int'>, may belong to a print-out. */
const TAG =
  /<\/?(?:a|b|code|div|em|font|h[1-6]|i|img|kbd|li|mark|ol|p|pre|small|span|strong|sub|sup|table|tbody|td|tfoot|th|thead|tr|u|ul)(?:\s[^<>]*)?>/gi
/** A script or style sheet in HTML. */
const SCRIPT = /<(script|style)[\s>](?:(?!<\1[\s>]).){0,4000}?<\/\1>/gis
/** A row of a table in HTML, whose cells may be on lines of their own. */
const TABLE_ROW = /<tr[\s>](?:(?!<tr[\s>]).){0,4000}?<\/tr>/gis
/** A data type that ONNX and Netron print directly before a shape, as in float32[768,3072]. */
const TYPED_SHAPE = /\b(?:float(?:16|32|64)?|bfloat16|u?int(?:8|32|64)|[fi](?:16|32|64))(?=\[[0-9])/g
/** The address of an object, whose digits are not a count: <BertModel object at 0x7f3c8a2b1d90>. */
const ADDRESS = /\bat 0x[0-9a-f]+/gi
/** LaTeX's thousands separators, as in 110{,}000 and 110\,000, and its commands for spaces in formulas. */
const LATEX_SPACE = /\{,\}|\\,(?=[0-9]{3})|\\[;:!]/g
/** A word in one of LaTeX's fonts: in braces, or between two equal delimiters after \verb. */
const LATEX_FONT =
  /\\(?:texttt|textbf|text|mathrm|operatorname)\s*\{([^{}]*)\}|\\verb(?:\|([^|]*)\||!([^!]*)!|\+([^+]*)\+)/g

/** Superscripts that are exponents: powers of ten after a multiplication sign, as in 1.1 × 10⁸, and squares and cubes,
 * as in 768² or H². A superscript after a word or a long number may mark a footnote. */
const POWER = /(?<=[x×*·⋅]\s?10)[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}|(?<=(?<![0-9.,])[0-9]{1,4}|\)|(?<!\p{L})\p{L})[²³](?![⁰¹²³⁴⁵⁶⁷⁸⁹])/gu

/** The character of an HTML entity, or the entity itself if it is unknown.
 * @param {string} entity @param {string} name */
function decodedEntity(entity, name) {
  const [, hex, decimal] = /^#(?:x([0-9a-f]+)|([0-9]+))$/i.exec(name) ?? []
  const code = hex ? Number.parseInt(hex, 16) : Number(decimal ?? NaN)
  if (code > 0 && code < 0x110000) return String.fromCodePoint(code)
  return ENTITIES[name.toLowerCase()] ?? entity
}

/** A text in plain characters: without terminal colours, invisible characters, or the HTML and LaTeX markup that is
 * known here, and with full-width characters and the digits of other writing systems replaced.
 * @param {string} text */
export const inPlainCharacters = (text) =>
  inPlainDigits(text.replace(TERMINAL_ESCAPE, "").replace(CONTROL, ""))
    .replace(LONG_SPACES, " ".repeat(MAX_SPACES))
    .replace(LINE_BREAK, "\n")
    .replace(EMPTY_LINES, "\n".repeat(MAX_EMPTY_LINES))
    .replace(/<br\s*\/?>/gi, " ")
    .replace(SCRIPT, " ")
    .replace(/(?<=[\p{L}0-9)])<sup>([23])<\/sup>/giu, "^$1")
    .replace(TABLE_ROW, (row) => row.replace(/\n\s*/g, " "))
    .replace(/<\/(?:td|th)>/gi, " | ") // the separator of columns in plain text
    .replace(TAG, "")
    .replace(TYPED_SHAPE, "$& ")
    .replace(ADDRESS, "")
    .replace(/&(#?\w{1,8});/g, decodedEntity)
    .replace(LATEX_SPACE, (sign) => (sign === "{,}" || sign === "\\," ? "," : " "))
    .replace(/\\(?:times|cdot)\b/g, "×")
    .replace(LATEX_FONT, "$1$2$3$4")
    .replace(/\\([_%#&$])/g, "$1")
    .replace(POWER, (power) => `^${power.normalize("NFKC")}`)
    .replace(/[“”„«»]/g, '"')
    .replace(/[‘’‛]/g, "'")
    .normalize("NFKC") // replaces full-width digits and letters

// Prefixes that tools add to a line; there may be several.
const PREFIXES = [
  /^\s*(?:In|Out)\s?\[\s*[0-9]*\s*\]:\s?/, // a notebook's prompts
  /^\s*\[?[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:.,]+(?:Z|[+-][0-9:]+)?\]?\s*(?:[-|:]\s*)?/, // the time stamps of logs
  /^\s*\[(?:INFO|DEBUG|WARNING|ERROR)\|[\w./-]+:[0-9]+\]\s*/, // the log prefix of transformers
  /^\s*\[(?:rank|Rank)[: ]*[0-9]+\]:?\s?/, // the rank in distributed training
  /^\s*\[?[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]+)?\]?\s+/, // the time alone
  /^\s*[IWE][0-9]{4} [0-9:.]+ +[0-9]+ \S+\] ?/, // the log prefix of TensorFlow and absl
  /^\s*(?:\[?(?:INFO|DEBUG|WARNING|WARN|ERROR)\]?)(?:\s*[:|-] ?| )(?:[\w.]+\s*[:|-] |tensorflow:)?/, // the log level of Python's logging
  /^\s*(?:>>> ?|\.\.\. )/, // Python's prompts
  // a comprehension of Python before its value: [p.numel() for p in model.parameters()] = [589824, …
  /^\s*(?:list)?[[(][^\n]{0,200}\b(?:for\s\w+(?:,\s?\w+)?\sin|lambda)\b[^\n]{0,200}[)\]]\s*(?:[=-]?>|[=:#→])\s*(?=[[(])/,
  /^\s?(?:> ?)+(?=\S| )/, // mail and Markdown quotes
  /^\s*(?:#+|\/\/+|%+)(?:\s|$)/, // comments and headings
]

/** A line without prefixes. @param {string} line */
export function withoutPrefixes(line) {
  let cleanLine = line
  // One tool may quote what another has logged, so prefixes may occur in any order.
  for (let round = 0; round < PREFIXES.length; round++) {
    const next = PREFIXES.reduce((text, prefix) => text.replace(prefix, ""), cleanLine)
    if (next === cleanLine) break
    cleanLine = next
  }
  return cleanLine
}

/** A line of Python's shell with a prompt, the first line of a statement, and one that ends a block and has nothing
 * else. */
const PROMPT = /^\s*(?:>>>|\.\.\.)(?:\s|$)/
const FIRST_PROMPT = /^\s*>>>/
const EMPTY_PROMPT = /^\s*\.\.\.\s*$/

/** The lines, with Python's empty prompts removed: three dots after another line with a prompt are not a gap in a list.
 * @param {string[]} lines */
function withoutEmptyPrompts(lines) {
  let isInStatement = false
  return lines.map((line) => {
    isInStatement = FIRST_PROMPT.test(line) || (isInStatement && PROMPT.test(line))
    return isInStatement && EMPTY_PROMPT.test(line) ? "" : line
  })
}

/** A line number and the separator after it, as file viewers show them. */
const LINE_NUMBER = /^\s*([0-9]{1,6})(?:[:|.)]|\s)\s?/
const MIN_NUMBERED_LINES = 4 // the minimum number of lines; numbers on fewer may be consecutive by chance
/** The minimum share of lines whose number is one more than the number before. The rest of a wrapped line has none. */
const MIN_CONSECUTIVE_SHARE = 0.9

/** Whether nearly all lines that are not empty begin with consecutive numbers. @param {string[]} lines */
function areNumbered(lines) {
  const numbers = lines.filter((line) => line.trim()).map((line) => Number(LINE_NUMBER.exec(line)?.[1] ?? NaN))
  const steps = numbers.filter((number, index) => number === numbers[index - 1] + 1).length
  return numbers.length >= MIN_NUMBERED_LINES && steps >= numbers.length * MIN_CONSECUTIVE_SHARE - 1
}

/** The text of a notebook: the sources and the text outputs of its cells.
 * @param {string} text @returns {string | null}  null if the text is not a notebook */
export function notebookText(text) {
  const [start, end] = [text.indexOf("{"), text.lastIndexOf("}")]
  if (start < 0 || end < start || !text.includes('"cells"')) return null
  /** The text of a cell or output, which is stored as a list of lines or as one string. @param {unknown} lines */
  const joinLines = (lines) =>
    [lines]
      .flat()
      .filter((line) => typeof line === "string")
      .join("")
  try {
    const { cells } = JSON.parse(text.slice(start, end + 1))
    if (!Array.isArray(cells)) return null
    const pieces = cells.flatMap(({ source, outputs }) => [
      joinLines(source),
      ...(Array.isArray(outputs) ? outputs : []).map((output) => joinLines(output.text ?? output.data?.["text/plain"])),
    ])
    return pieces.filter(Boolean).join("\n")
  } catch {
    return null
  }
}

/** The rows of a data frame that pandas has written column by column, {"name": {"0": …}, "params": {"0": …}}, one on
 * each line; null for any other text.
 * @param {string} text */
export function textOfColumns(text) {
  if (!/^\s*\{\s*"[^"]*"\s*:\s*\{\s*"0"\s*:/.test(text)) return null
  try {
    /** @type {Record<string, unknown>[]} */
    const columns = Object.values(JSON.parse(text))
    const keys = Object.keys(columns[0])
    if (columns.some((column) => Object.keys(column).join() !== keys.join())) return null
    return keys
      .map((key) => columns.map((column) => JSON.stringify(column[key]).replaceAll('"', "")).join("  "))
      .join("\n")
  } catch {
    return null
  }
}

/** All lines of a text, including empty ones, with their prefixes removed.
 * @param {string} text @returns {TextLine[]} */
export function allLinesOf(text) {
  const sources = inPlainCharacters(text).split("\n")
  const lines = withoutEmptyPrompts(sources).map(withoutPrefixes)
  const isNumbered = areNumbered(lines)
  return sources.map((source, index) => {
    const line = isNumbered ? withoutPrefixes(lines[index].replace(LINE_NUMBER, "")) : lines[index]
    return { text: line.replace(/\t/g, "    ").trimEnd(), source: source.trimEnd(), index }
  })
}

/** The lines of a text that are not empty, with their prefixes removed. @param {string} text */
export const linesOf = (text) => allLinesOf(text).filter((line) => line.text.trim())
