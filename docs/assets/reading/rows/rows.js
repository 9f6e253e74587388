// Reads the rows and totals of a print-out. Formats do not have parsers of their own. First the
// text is prepared (preparing.js). Then a text with nested brackets is read by its brackets
// (modules.js, nested.js), a table with a column of counts by its heading (summaries.js), a list of
// counts or shapes by its form (plain-lists.js), and any other line by the signals in it
// (named-rows.js), after broken lines and attributes on lines of their own have been joined
// (broken-lines.js, attributes.js). Lines without a name may state a total (totals.js). Any other
// line with a number is kept as unread, so that the answer can show it. At the end, layers that are
// stacked in one array are taken apart (stacked-layers.js).

import table from "../../../data/table.js"
import { classes } from "../../counting/engine.js"
import { allLinesOf } from "../clean.js"
import { withAttributes } from "./attributes.js"
import { joinLines } from "./broken-lines.js"
import { moduleRows, showsModules } from "./modules.js"
import { namedRows, pathsIn } from "./named-rows.js"
import { asPrintedName, stemOf } from "./names.js"
import { isNested, nestedRows } from "./nested.js"
import { bareRows, plainCounts } from "./plain-lists.js"
import { preparedText } from "./preparing.js"
import { withShapesInBrackets } from "./separated.js"
import { withLayersApart } from "./stacked-layers.js"
import { hasHeading, isRule, isTotal, summaryRows, withExactCounts } from "./summaries.js"
import { totalsIn } from "./totals.js"

const STEMS = table.architectures.map(({ name }) => stemOf(name))
/** A pattern for the names of classes that do not consist of a stem and a task, such as DPRReader. */
const IRREGULAR_CLASSES = [...classes.keys()].filter((name) => !/Model$|For[A-Z]/.test(name)).join("|")
/** The name of a class in transformers; the group leaves out the prefix of a framework. */
const CLASSES = new RegExp(`\\b(?:TF|Flax)?((?:${STEMS.join("|")})(?=[A-Z])[A-Za-z0-9]+|${IRREGULAR_CLASSES})\\b`, "g")
/** The name that Keras derives from the class of a model, such as tf_bert_model_1. */
const KERAS_MODEL = /\b(?:tf|flax)_([a-z][a-z0-9_]*?)(?:_[0-9]+)?\b/g

/** The classes that have a prefix of their own, such as DPR's question_encoder. */
const CLASSES_WITH_PREFIX = table.architectures.flatMap(({ prefix, classes: modelClasses }) =>
  modelClasses
    .filter((modelClass) => modelClass.prefix && modelClass.prefix !== prefix)
    .map((modelClass) => ({ prefix: modelClass.prefix, name: modelClass.name })),
)

/** The classes that a text mentions, in transformers' or Keras's spelling or by their own prefix.
 * @param {string} text */
function mentionsIn(text) {
  const kerasNames = new Set([...text.matchAll(KERAS_MODEL)].map(([, name]) => name.replaceAll("_", "")))
  const byKerasName = [...classes.keys()].filter((name) => kerasNames.has(name.toLowerCase()))
  const byPrefix = CLASSES_WITH_PREFIX.filter(({ prefix }) => text.includes(`${prefix}bert_model`)).map(
    ({ name }) => name,
  )
  return new Set([...[...text.matchAll(CLASSES)].map(([, name]) => name), ...byKerasName, ...byPrefix])
}

/** A number of layers: "… * 12" after a label or a count, "12 layers", or "12 x BertLayer"; not the size of a data
 * frame, as in "199 rows x 3 columns". */
const DEPTHS =
  /(?:[A-Za-z)\u4e00-\u9fff] ?|[0-9],[0-9]{3} ?)[*×x] ?([0-9]{1,2})\b(?! ?[x×*.,\d]| columns)|\b([0-9]{1,2}) ?(?:x ?)?(?:hidden |encoder |transformer )?(?:layers|blocks|层)|(?:^|\s)([0-9]{1,2}) ?[x×] ?[A-Z]\w*Layer/gi

/** The name of a layer in keras-bert and bert4keras. */
const LAYER_OF_KERAS_BERT = /^(?:Embedding-Token|(?:Encoder|Transformer)-[0-9]+-)/
/** A line in place of rows that were left out, such as "..." or "[214 lines omitted]". Tables have dots in each
 * column. */
const GAP = new RegExp(
  String.raw`^\s*[#|│]?\s*(?:${[
    String.raw`[.…·⋮:]{2,}(?:[\s|│┆]+[.…·⋮:]{1,3})*|\[?\s*(?:\.{3}|…)\s*\]?`, // dots, perhaps in each column
    String.raw`<snip>|\[?(?:snip|omitted|truncated)\]?|\(?(?:and so on|etc\.?)\)?|(?:省略|以此类推).*`, // a word
    String.raw`\W*(?:warning\W+)?max output size exceeded.{0,40}`, // a notebook's message
    // A sentence that begins with dots, a bracket or a number and says that lines were left out.
    String.raw`(?=\W*(?:\.{3}|…|[<[(]|output exceeds|[0-9]+ more)).{0,80}\b(?:omitted|truncated|skipped|more (?:lines|layers|rows|items)|output exceeds)\b.{0,80}`,
  ].join("|")})\s*[|│]?\s*$`,
  "i",
)

const FEW_NAMES = 3 // a text with this many lines that have known names is not read as a list without names
const MIN_NUMBERED_ROWS = 5 // fewer rows may have consecutive counts by chance
const MIN_CONSECUTIVE_SHARE = 0.7 // the minimum share of numbered rows with consecutive counts; rows may be left out
const MIN_REPEATED = 3 // the minimum number of different rows in each copy; fewer may be equal layers

/** The print-out in a text, with each row once even if the text was pasted several times.
 * @param {string} source @returns {PrintOut} */
export function printOutOf(source) {
  const printOut = readPrintOut(source)
  const copyCount = copyCountIn(printOut.rows)
  const rows = withoutRowNumbers(printOut.rows.slice(0, printOut.rows.length / copyCount))
  return { ...printOut, rows: withLayersApart(rows), copyCount }
}

/** The rows, without their counts if these only number the rows, as the index of a data frame does.
 * @param {TextRow[]} rows */
function withoutRowNumbers(rows) {
  const rowsWithCounts = rows.filter(({ low, shape }) => low !== null && !shape)
  const consecutiveCount = rowsWithCounts.filter(
    ({ low }, index) => index && Number(low) - Number(rowsWithCounts[index - 1].low) === 1,
  ).length
  if (
    rowsWithCounts.length < MIN_NUMBERED_ROWS ||
    consecutiveCount < (rowsWithCounts.length - 1) * MIN_CONSECUTIVE_SHARE
  )
    return rows
  return rows.map((row) => (row.shape ? row : { ...row, low: null, high: null, stated: null }))
}

/** The stems, in lower case, of the architectures whose tensor names begin with a word, as those of RoBERTa and
 * XLM-RoBERTa do with "roberta"; none for "model", because the names in any model may begin with it.
 * @param {string} word */
const stemsWithPrefix = (word) =>
  table.architectures
    .filter(({ prefix }) => word !== "model" && prefix === `${word}.`)
    .map(({ name }) => stemOf(name).toLowerCase())

/** The stems of architectures that the name of a row in a summary may mention: the name itself if it is one word other
 * than "model", such as "distilbert"; otherwise those of the architectures whose names begin with its first word; and
 * "bert" for a layer of keras-bert.
 * @param {string} name */
const mentionsByRow = (name) => [
  ...(/^(?!model$)[a-z]+$/.test(name) ? [name] : stemsWithPrefix(name.split(".")[0])),
  ...(LAYER_OF_KERAS_BERT.test(name) ? ["bert"] : []),
]

/** The print-out in a text, read by the first layout that applies: nested brackets, a table or a list of counts, a list
 * of sizes without names, or lines with names. If the text was pasted twice, every row occurs twice.
 * @param {string} source @returns {Omit<PrintOut, "copyCount">} */
function readPrintOut(source) {
  const text = preparedText(source)
  const allLines = withShapesInBrackets(allLinesOf(text))
  const lines = withAttributes(allLines.filter((line) => line.text.trim()))
  const mentions = mentionsIn(text)
  const depths = [...text.matchAll(DEPTHS)].map((match) => Number(match[1] ?? match[2] ?? match[3]))
  /** A print-out recognised by its layout, with default values for missing fields.
   * @param {Partial<PrintOut> & Pick<PrintOut, "rows">} fields */
  const printOutWith = (fields) => ({
    totals: [],
    depths: [],
    mentions: [...mentions],
    unread: [],
    isOpen: false,
    isTable: true,
    ...fields,
  })
  const isOpen = lines.some(isGap)
  if (showsModules(text)) {
    const modules = moduleRows(text, allLines, isOpen)
    for (const type of modules.mentions) mentions.add(type)
    // fairseq's class of this name has a head.
    if (modules.rows.some(({ name }) => name.includes("sentence_encoder"))) mentions.delete("RobertaModel")
    const otherLines = lines.filter(({ text: line }) => !/\w\(|^\s*\)/.test(line))
    return printOutWith({ rows: modules.rows, totals: otherLines.flatMap(totalsIn), depths: modules.depths, isOpen })
  }
  // A cell of a summary may have a dictionary, such as the outputs of a layer of TensorFlow Hub.
  if (isNested(text) && !hasHeading(allLines))
    return printOutWith({ ...nestedRows(text, allLines), isOpen: /\.\.\./.test(text) })
  const summary = summaryRows(allLines.map(withoutQuestion)) ?? plainCounts(lines)
  const namedLineCount = lines.filter(({ text: line }) => pathsIn(line).some(([path]) => asPrintedName(path))).length
  if (summary && namedLineCount < summary.length) {
    for (const { name } of summary) for (const mention of mentionsByRow(name)) mentions.add(mention)
    const rowLines = new Set(summary.map(({ line }) => line.index))
    const otherLines = lines.filter(({ index, text: line }) => !rowLines.has(index) && !isRule(line))
    return printOutWith({ rows: withExactCounts(summary), totals: otherLines.flatMap(totalsIn), depths, isOpen })
  }
  const rowsWithoutNames = namedLineCount < FEW_NAMES ? bareRows(lines, isOpen) : []
  if (rowsWithoutNames.length) return printOutWith({ rows: rowsWithoutNames, isOpen })
  return { ...readLines(lines), depths, mentions: [...mentions], isOpen, isTable: false }
}

/** The heading above the tensors that are trained, or above those that are frozen, as AllenNLP logs it. */
const HEADING_OF_FLAGS =
  /\bparameters are (?:(tunable|trainable|trained)|frozen)\b|^\W*(?:(tunable|trainable)|frozen) (?:parameters|tensors|layers|weights)\W*$/i

/** A question of several words, which is no row of a table. */
const QUESTION = /^\s*\p{L}[\p{L}\p{N}'-]* \p{L}.* .*[?？](?:\s|$)/u

const MAX_GAP_LENGTH = 300 // characters; a longer line is a row

/** Whether a line stands in place of rows that were left out. @param {TextLine} line */
function isGap({ text }) {
  const line = text.trim()
  return line.length < MAX_GAP_LENGTH && GAP.test(line)
}
const MAX_QUESTION_LENGTH = 500 // characters; a longer line is no question, and takes long to search

/** A line, empty if it is a question. @param {TextLine} line */
const withoutQuestion = (line) =>
  line.text.length < MAX_QUESTION_LENGTH && QUESTION.test(line.text) ? { ...line, text: "" } : line

/** The rows and totals of lines, each read separately, and the lines with numbers that are neither.
 * @param {TextLine[]} lines @returns {Pick<PrintOut, "rows" | "totals" | "unread">} */
function readLines(lines) {
  /** @type {TextRow[]} */
  const rows = []
  /** @type {StatedTotal[]} */
  const totals = []
  /** @type {TextLine[]} */
  const unread = []
  /** Whether the rows below a heading are trained; null without such a heading. @type {boolean | null} */
  let isTrainable = null
  for (const line of joinLines(lines)) {
    if (isRule(line.text)) continue
    const rowsOfLine = namedRows(line)
    rows.push(...rowsOfLine.map((row) => ({ ...row, isTrainable: row.isTrainable ?? isTrainable })))
    if (rowsOfLine.length) continue
    const heading = HEADING_OF_FLAGS.exec(line.text)
    if (heading) isTrainable = Boolean(heading[1] ?? heading[2])
    const lineTotals = totalsIn(line)
    totals.push(...lineTotals)
    if (!lineTotals.length && (/[0-9]{2}/.test(line.text) || isTotal(line.text))) unread.push(line)
  }
  return { rows: withContainers(rows), totals, unread }
}

/** The rows, each as a container without a count if it has no shape and the name of the next row continues its name.
 * @param {TextRow[]} rows */
const withContainers = (rows) =>
  rows.map((row, index) =>
    row.shape === null && rows[index + 1]?.name.startsWith(`${row.name}.`)
      ? { ...row, isContainer: true, low: null, high: null }
      : row,
  )

/** The number of copies of the same rows, one after another, as in a table that was pasted twice; 1 for most texts.
 * @param {TextRow[]} rows */
function copyCountIn(rows) {
  const keys = rows.map(({ name, low }) => `${name} ${low}`)
  for (let length = MIN_REPEATED; length <= keys.length / 2; length++) {
    if (keys.length % length || keys[length] !== keys[0]) continue
    const isRepeated = keys.every((key, index) => key === keys[index % length])
    if (isRepeated && new Set(keys.slice(0, length)).size >= MIN_REPEATED) return keys.length / length
  }
  return 1
}
