// Splits a text with print-outs of several models, or of one model before and after a change, at the headings above
// them, such as "BertModel:" or "After pruning:", and lists the rows in which two such print-outs differ.

import { classes, noun } from "../../counting/engine.js"
import { modelsIn } from "../labels/mentions.js"
import { accountWith, code, finding, firstOf, link, words } from "../words.js"
import { namedPrintOut } from "./facts.js"
import { productInWords } from "./model-in-words.js"

/** A line that ends with a colon, and its first word. */
const LINE_WITH_COLON = /^[\s#*>]*(après|[a-z]\w+)\b[^\n]{0,200}:[\s*]*$/i
/** A word for a time. */
const TIME = /^(?:before|after|old|new|now|vorher|nachher|avant|après)$/i
const MAX_PRINT_OUTS = 4 // a text with more headings is a table of many models
const MAX_DIFFERENCES = 6 // the maximum number of rows whose difference is given
const WEIGHT = 50 // of the only finding

/** A line that may be the name of a model: words, perhaps with a colon after them. */
const WORDS = /^[\s#*>]*([A-Za-z][\w .-]{1,40}?)[\s*]*:?[\s*]*$/

/** Whether a line consists of the name of a model that we count. @param {string} line */
function isNameOfModel(line) {
  const [, name = ""] = WORDS.exec(line) ?? []
  const [mention] = name ? modelsIn(name) : []
  return Boolean(mention?.models.length && mention.start === 0 && mention.end === name.length)
}

/** Whether a line is the heading of a print-out: the name of a model, or a line that ends with a colon and begins with
 * a word for a time, the name of a class, or a word in lower case, as checkpoints have for a name.
 * @param {string} line */
function isHeading(line) {
  const [, firstWord = ""] = LINE_WITH_COLON.exec(line) ?? []
  return TIME.test(firstWord) || classes.has(firstWord) || /^[a-z]/.test(firstWord) || isNameOfModel(line)
}

/** The print-outs below the headings of a text; empty unless it has two to `MAX_PRINT_OUTS` headings, each above at
 * least two rows with counts.
 * @param {string} text @returns {PrintOut[]} */
export function headedPrintOuts(text) {
  const lines = text.split("\n")
  const starts = lines.flatMap((line, index) => (isHeading(line) ? [index] : []))
  if (starts.length < 2 || starts.length > MAX_PRINT_OUTS) return []
  const printOuts = starts.map((start, index) => namedPrintOut(lines.slice(start, starts[index + 1]).join("\n")))
  return printOuts.every((printOut) => countedRows(printOut).length > 1) ? printOuts : []
}

/** The rows of a print-out with a name and an exact count. @param {PrintOut} printOut */
const countedRows = ({ rows }) =>
  rows.filter(({ name, low, high, isContainer }) => name && !isContainer && low !== null && low === high)

/** The shape of a row in words, or its count if it has no shape; 0 without a row.
 * @param {TextRow | undefined} row @returns {Words} */
const sizeInWords = (row) => productInWords(row?.shape?.length ? row.shape : [row?.low ?? 0])

/** The account of a text with two print-outs of pieces of a model that show different sizes of the same rows; null for
 * any other text.
 * @param {PrintOut[]} printOuts @returns {Account | null} */
export function accountOfDifferentRows(printOuts) {
  if (printOuts.length !== 2) return null
  const [first, second] = printOuts.map((printOut) => new Map(countedRows(printOut).map((row) => [row.name, row])))
  const sharedNames = [...first.keys()].filter((name) => second.has(name))
  if (sharedNames.length < Math.max(first.size, second.size) / 2) return null
  const names = [...new Set([...first.keys(), ...second.keys()])]
  const numberOf = (/** @type {Map<string, TextRow>} */ rows, /** @type {string} */ name) =>
    Number(rows.get(name)?.low ?? 0)
  const changes = names
    .map((name) => ({ name, amount: numberOf(second, name) - numberOf(first, name) }))
    .filter(({ amount }) => amount)
  if (!changes.length) return null
  const sentences = changes.map(
    ({ name, amount }) =>
      words`${code(name)} has ${Math.abs(amount)} ${noun(Math.abs(amount), "parameter")} ${amount > 0 ? "more" : "fewer"} (${sizeInWords(first.get(name))} in the first print-out, ${sizeInWords(second.get(name))} in the second)`,
  )
  return accountWith({
    kind: "rows",
    headline: words`What differs: ${firstOf(sentences, MAX_DIFFERENCES)}.`,
    findings: changes.some(({ name }) => /\bdecoder\.weight$/.test(name))
      ? [
          finding(
            WEIGHT,
            words`The weight of the decoder is usually ${link("parts/heads.html#tying", "tied")} to the word embeddings. Its parameters then count once.`,
          ),
        ]
      : [],
    lines: [],
    confidence: "likely",
  })
}
