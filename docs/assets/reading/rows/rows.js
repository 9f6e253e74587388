// Reads the rows and totals of a print-out. Formats do not have parsers of their own. A text
// with nested brackets is read by its brackets (modules.js, nested.js), a table with a
// column of counts by its heading (summaries.js), a list of counts or shapes by its form
// (plain-lists.js), and any other line by the signals in it (named-rows.js), after broken lines
// and attributes on lines of their own have been joined (broken-lines.js, attributes.js). Lines
// without a name may state a total (totals.js). Any other line with a number is kept as unread,
// so that the answer can show it.

import table from "../../../data/table.js"
import { classes } from "../../counting/engine.js"
import { allLinesOf, inPlainCharacters, notebookText, textOfColumns } from "../clean.js"
import { withAttributes } from "./attributes.js"
import { joinLines } from "./broken-lines.js"
import { moduleRows, showsModules } from "./modules.js"
import { namedRows, pathsIn } from "./named-rows.js"
import { printedRows, stemOf } from "./names.js"
import { isNested, nestedRows } from "./nested.js"
import { bareRows, plainCounts } from "./plain-lists.js"
import { withShapesInBrackets } from "./separated.js"
import { isRule, isTotal, summaryRows, withExactCounts } from "./summaries.js"
import { totalsIn } from "./totals.js"

const STEMS = table.architectures.map(({ name }) => stemOf(name))
/** Names of classes that do not consist of a stem and a task, such as DPRReader. */
const IRREGULAR_CLASSES = [...classes.keys()].filter((name) => !/Model$|For[A-Z]/.test(name)).join("|")
const CLASSES = new RegExp(`\\b(?:TF|Flax)?((?:${STEMS.join("|")})(?=[A-Z])[A-Za-z0-9]+|${IRREGULAR_CLASSES})\\b`, "g")
/** The name that Keras derives from the class of a model, such as tf_bert_model_1. */
const KERAS_MODEL = /\b(?:tf|flax)_([a-z][a-z0-9_]*?)(?:_[0-9]+)?\b/g

/** The classes that have a prefix of their own, such as DPR's question_encoder. */
const CLASSES_WITH_PREFIX = table.architectures.flatMap(({ prefix, classes: modelClasses }) =>
  modelClasses
    .filter((modelClass) => modelClass.prefix && modelClass.prefix !== prefix)
    .map((modelClass) => ({ prefix: modelClass.prefix, name: modelClass.name })),
)

/** The classes that a text mentions, in transformers' or Keras's spelling. @param {string} text */
function mentionsIn(text) {
  const kerasNames = new Set([...text.matchAll(KERAS_MODEL)].map(([, name]) => name.replaceAll("_", "")))
  const byKerasName = [...classes.keys()].filter((name) => kerasNames.has(name.toLowerCase()))
  const byPrefix = CLASSES_WITH_PREFIX.filter(({ prefix }) => text.includes(`${prefix}bert_model`)).map(
    ({ name }) => name,
  )
  return new Set([...[...text.matchAll(CLASSES)].map(([, name]) => name), ...byKerasName, ...byPrefix])
}

/** A number of layers: "… * 12" after a label or a count, "12 layers", or "12 x BertLayer". */
const DEPTHS =
  /(?:[A-Za-z)\u4e00-\u9fff] ?|[0-9],[0-9]{3} ?)[*×x] ?([0-9]{1,2})\b(?! ?[x×*.,\d])|\b([0-9]{1,2}) ?(?:x ?)?(?:hidden |encoder |transformer )?(?:layers|blocks|层)|(?:^|\s)([0-9]{1,2}) ?[x×] ?[A-Z]\w*Layer/gi
/** The values of a tensor, which may follow its name. */
const VALUES = /tensor\([^()]*(?:\)|$)/g

/** The print-out in a text, with each row once even if the text was pasted several times.
 * @param {string} source @returns {PrintOut} */
export function printOutOf(source) {
  const printOut = readPrintOut(source)
  const copyCount = copyCountIn(printOut.rows)
  const rows = withoutRowNumbers(printOut.rows.slice(0, printOut.rows.length / copyCount))
  return { ...printOut, rows, copyCount }
}

const MIN_NUMBERED_ROWS = 5 // fewer rows may have consecutive counts by chance
const MIN_CONSECUTIVE_SHARE = 0.7 // rows may have been left out

/** The rows, without their counts if these only number the rows, as the index of a data frame does.
 * @param {TextRow[]} rows */
function withoutRowNumbers(rows) {
  const rowsWithCounts = rows.filter(({ low, shape }) => low !== null && !shape)
  const steps = rowsWithCounts.filter(
    ({ low }, index) => index && Number(low) - Number(rowsWithCounts[index - 1].low) === 1,
  ).length
  if (rowsWithCounts.length < MIN_NUMBERED_ROWS || steps < (rowsWithCounts.length - 1) * MIN_CONSECUTIVE_SHARE)
    return rows
  return rows.map((row) => (row.shape ? row : { ...row, low: null, high: null, stated: null }))
}

/** A line with the name of a module and its own print-out: encoder.layer.0.output.dense Linear(in_features=…). */
const NAMED_MODULE = /^(\s*)([a-z_][\w.]*):?\s+([A-Z]\w*\(.*\))\s*$/gm
const MIN_NAMED_MODULES = 3

/** The text, with the names of modules in brackets, as print(model) has them. @param {string} text */
const withNamesInBrackets = (text) =>
  (text.match(NAMED_MODULE) ?? []).length < MIN_NAMED_MODULES ? text : text.replace(NAMED_MODULE, "$1($2): $3")

/** A word that a script prints before the name of a module, as in "Module bert: 109482240". */
const MODULE_LABEL = /^[ \t]*(?:(?:sub)?modul[eo]?|módulo|模块)[ \t]+(?=[a-z_][\w.]*[ \t]*[:：])/gim

/** The word for parameters after a count, in other languages than English. */
const COUNT_LABEL =
  /(?<=[0-9])[ \t]*(?:par[aáâ]metros|paramètres|Parameter|parametri|параметров|个参数|個參數)(?=[ \t]*$)/gim

/** The keys that lead to a tensor in nested dictionaries, as JAX prints them: ['params']['pooler']['kernel']. Flax puts
 * all parameters below the first of these keys. */
const CHAIN_OF_KEYS = /(?:\[(["'])[\w-]+\1\]){2,}/g

/** The text with each chain of keys as a name with dots. @param {string} text */
const withNamesOfKeys = (text) =>
  text.replace(CHAIN_OF_KEYS, (chain) => (chain.match(/[\w-]+/g) ?? []).join(".").replace(/^params\./, ""))

/** A number of millions in brackets, which shows that the other numbers in brackets are no shapes: (590,592). */
const MILLIONS_IN_BRACKETS = /\([0-9]{1,3}(?:,[0-9]{3}){2,}\)/
const COUNT_IN_BRACKETS = /\(([0-9]{1,3}(?:,[0-9]{3})*)\)(?= *$)/gm

/** The text without the brackets around the counts at the ends of its lines. In torchinfo's tree, they mean that the
 * parameters are frozen.
 * @param {string} text */
const withoutBrackets = (text) =>
  MILLIONS_IN_BRACKETS.test(text) && !/[├└]─/.test(text) ? text.replace(COUNT_IN_BRACKETS, "$1") : text

/** A tuple of names as a key, as Flax's flatten_dict has them: ('pooler', 'dense', 'kernel'): (128, 128). */
const TUPLE_OF_KEYS = /\(((?:(["'])[\w-]+\2,? ?){2,12})\)(?= ?:)/g

/** The text with each tuple that is a key as a name with dots. @param {string} text */
const withNamesOfTuples = (text) =>
  text.replace(
    TUPLE_OF_KEYS,
    (_, names) =>
      `"${names
        .match(/[\w-]+/g)
        .join(".")
        .replace(/^params\./, "")}"`,
  )

/** A dictionary of modules and their counts, as Python prints it, perhaps a Counter or a defaultdict. */
const DICTIONARY =
  /(?:(?:Counter|OrderedDict|defaultdict)\((?:<class 'int'>, ?)?)?\{\s*((?:(["'])[\w. -]{1,99}\2\s*:\s*[0-9][0-9_]*\s*(?:,\s*|(?=\}))){3,})\}\)?/g
const ENTRY = /["']([\w. -]+)["']\s*:\s*([0-9_]+)/g

/** A module with a dictionary of its counts: "encoder": {"total": 85054464, "trainable": 0}. */
const COUNTS_OF_MODULE =
  /["']([\w.-]{1,99})["']\s*:\s*\{\s*["'](?:total|count|numel|(?:num_)?param(?:eter)?s)["']\s*:\s*([0-9]+)\b[^{}]{0,200}\},?/g

/** The text with each entry of a dictionary on a line of its own. @param {string} text */
const withEntriesOnLines = (text) =>
  text
    .replace(COUNTS_OF_MODULE, "\n$1: $2\n")
    .replace(DICTIONARY, (_, entries) =>
      [...entries.matchAll(ENTRY)].map(([, name, count]) => `${name}: ${count}`).join("\n"),
    )

/** The line breaks of a text. @param {string} text */
const lineBreaksOf = (text) => "\n".repeat(text.split("\n").length - 1)

/** A name and the sizes of its tensor in YAML, which writes each item of a list on a line of its own. */
const YAML_LIST =
  /^([ \t]*["']?[\w./]+["']?[ \t]*:)[ \t]*((?:\n[ \t]*-[ \t]+[0-9]{1,9}[ \t]*(?=\n|$)){1,8})(?!\n[ \t]*-)/gm

/** The text with YAML's lists of sizes in brackets. @param {string} text */
const withListsInBrackets = (text) =>
  text.replace(YAML_LIST, (_, name, list) => `${name} [${list.match(/[0-9]+/g).join(", ")}]${lineBreaksOf(list)}`)

/** A line of print(model) that begins a module, or ends one within another. */
const BEGINS_MODULE = /^\s*\([\w.-]+\):|^\s+\)/

/** The text with the lines of modules joined that a terminal has broken at its width, even within a word or a number.
 * A line as wide as the widest is broken unless it ends with a bracket, as every line of print(model) does. If its end
 * is lost, a module begins or ends on the next line.
 * @param {string} text */
function withWholeModules(text) {
  if (!showsModules(text)) return text
  const sources = text.split("\n")
  const lines = [...sources]
  const width = lines.reduce((widest, line) => Math.max(widest, line.length), 0)
  if (lines.filter((line) => line.length === width).length < MIN_BROKEN_LINES) return text
  for (let index = lines.length - 2; index >= 0; index -= 1) {
    const line = sources[index]
    if (line.length !== width || /[()]$/.test(line) || BEGINS_MODULE.test(sources[index + 1])) continue
    lines[index] = line + lines[index + 1]
    lines[index + 1] = ""
  }
  return lines.join("\n")
}
const MIN_BROKEN_LINES = 2 // the widest line of an unbroken text is usually the only one of its width

/** The time stamp at the beginning of a line of a log. */
const TIME_STAMP = /^\s*\[?[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:/
const MIN_STAMPED_SHARE = 0.3 // of the lines of a log; a terminal has broken the others off

/** The text with the lines of a log joined that a terminal has broken at its width: a line without a time stamp continues
 * one that is as wide as the widest.
 * @param {string} text */
function withWholeLogLines(text) {
  const sources = text.split("\n")
  const areStamped = sources.map((line) => TIME_STAMP.test(line))
  const width = sources.reduce((widest, line) => Math.max(widest, line.length), 0)
  if (areStamped.filter(Boolean).length < sources.length * MIN_STAMPED_SHARE) return text
  const lines = [...sources]
  for (let index = lines.length - 1; index > 0; index -= 1) {
    if (areStamped[index] || sources[index - 1].length !== width) continue
    lines[index - 1] += lines[index]
    lines[index] = ""
  }
  return lines.join("\n")
}

/** A row of Lightning's table: a number, a name, a class and a count. */
const LIGHTNING = /^\s*\d+\s*\|\s*[\w.]+\s*\|\s*[A-Z]\w*\s*\|\s*[\d.,]+ ?[KMB]?\s*(?:\||$)/m
/** A row of a Keras summary: a name, a class in brackets, the shape of the output and a count. */
const KERAS = /^\s*[\w.-]+ \([A-Z]\w*\)\s+\S.*?\s[\d,]+(?:\s|$)/m
/** The branch, class and index of a module in torchinfo's tree. */
const BRANCH = /^[\s│|]*[├└]─\w+.*: \d+-\d+(?=\s)/gm
/** A total below a table, as torchinfo and Lightning print it, and the heading above a table. */
const TOTAL_BELOW = /^\s*(?:Total params:?\s+[\d.,]+|[\d.,]+ ?[KMB]?\s+Total params)/im
const HEADING = /\bType\s*\|\s*Params|\bParam(?:s|eters)? ?#/i

/** The text, with a heading added if its table lacks one, because people often copy only rows and totals.
 * @param {string} text */
function withHeading(text) {
  if (!TOTAL_BELOW.test(text) || HEADING.test(text)) return text
  if (LIGHTNING.test(text)) return `  | Name | Type | Params\n${text}`
  if (KERAS.test(text)) return `Layer (type) Output Shape Param #\n${text}`
  const widths = [...text.matchAll(BRANCH)].map(([branch]) => branch.length)
  const heading = "Layer (type:depth-idx)"
  return widths.length ? `${heading.padEnd(Math.max(heading.length, ...widths) + 2)}Param #\n${text}` : text
}

/** The architectures that the name of a row in a summary may mention: the name itself, such as "distilbert", and BERT
 * if it is a layer of keras-bert.
 * @param {string} name */
const mentionsByRow = (name) => [
  ...(/^[a-z]+$/.test(name) ? [name] : []),
  ...(LAYER_OF_KERAS_BERT.test(name) ? ["bert"] : []),
]

/** The print-out in a text, read by the first layout that applies: nested brackets, a table or a list of counts, a list
 * of sizes without names, or lines with names. If the text was pasted twice, every row occurs twice.
 * @param {string} source @returns {Omit<PrintOut, "copyCount">} */
function readPrintOut(source) {
  const copiedText = inPlainCharacters(notebookText(source) ?? textOfColumns(source) ?? source)
  const plainText = withoutBrackets(withEntriesOnLines(withNamesOfTuples(withNamesOfKeys(copiedText))))
    .replace(MODULE_LABEL, "")
    .replace(COUNT_LABEL, " parameters")
  // Values of tensors are removed, but their line breaks stay, so that line numbers remain correct.
  const text = withNamesInBrackets(
    withHeading(withListsInBrackets(withWholeModules(withWholeLogLines(plainText)))),
  ).replace(VALUES, (values) => lineBreaksOf(values))
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
  if (showsModules(text)) {
    const modules = moduleRows(text, allLines)
    for (const type of modules.mentions) mentions.add(type)
    const otherLines = lines.filter(({ text: line }) => !/\w\(|^\s*\)/.test(line))
    return printOutWith({ rows: modules.rows, totals: otherLines.flatMap(totalsIn), depths: modules.depths })
  }
  if (isNested(text)) return printOutWith({ ...nestedRows(text, allLines), isOpen: /\.\.\./.test(text) })
  const isOpen = lines.some(({ text: line }) => GAP.test(line))
  const summary = summaryRows(allLines) ?? plainCounts(lines)
  const namedLineCount = lines.filter(({ text: line }) => pathsIn(line).some(([path]) => printedRows(path))).length
  if (summary && namedLineCount <= summary.length / 2) {
    for (const { name } of summary) for (const mention of mentionsByRow(name)) mentions.add(mention)
    const rowLines = new Set(summary.map(({ line }) => line.index))
    const otherLines = lines.filter(({ index, text: line }) => !rowLines.has(index) && !isRule(line))
    return printOutWith({ rows: withExactCounts(summary), totals: otherLines.flatMap(totalsIn), depths, isOpen })
  }
  const rowsWithoutNames = namedLineCount < FEW_NAMES ? bareRows(lines) : []
  if (rowsWithoutNames.length) return printOutWith({ rows: rowsWithoutNames })
  return { ...readLines(lines), depths, mentions: [...mentions], isOpen, isTable: false }
}

/** The name of a layer in keras-bert and bert4keras. */
const LAYER_OF_KERAS_BERT = /^(?:Embedding-Token|(?:Encoder|Transformer)-[0-9]+-)/

/** The rows and totals of lines, each read separately, and the lines with numbers that are neither.
 * @param {TextLine[]} lines @returns {Pick<PrintOut, "rows" | "totals" | "unread">} */
function readLines(lines) {
  /** @type {TextRow[]} */
  const rows = []
  /** @type {StatedTotal[]} */
  const totals = []
  /** @type {TextLine[]} */
  const unread = []
  for (const line of joinLines(lines)) {
    if (isRule(line.text)) continue
    const rowsOfLine = namedRows(line)
    rows.push(...rowsOfLine)
    if (rowsOfLine.length) continue
    const lineTotals = totalsIn(line)
    totals.push(...lineTotals)
    if (!lineTotals.length && (/[0-9]{2}/.test(line.text) || isTotal(line.text))) unread.push(line)
  }
  return { rows: withContainers(rows), totals, unread }
}

/** A line in place of rows that were left out, such as "...". */
const GAP =
  /^\s*[|│]?\s*(?:[.…·⋮:]{2,}|<snip>|\[?\s*(?:\.{3}|…)\s*\]?|\[?(?:snip|omitted|truncated)\]?|\(?(?:and so on|etc\.?)\)?|(?:省略|以此类推).*)\s*[|│]?\s*$/i

/** The rows, each marked as a container if the name of the next row continues its name. @param {TextRow[]} rows */
const withContainers = (rows) =>
  rows.map((row, index) =>
    row.shape === null && rows[index + 1]?.name.startsWith(`${row.name}.`)
      ? { ...row, isContainer: true, low: null, high: null }
      : row,
  )

const FEW_NAMES = 3 // a text with this many lines that have known names is not read as a list without names

const MIN_REPEATED = 3 // the minimum number of different rows in each copy; fewer may be equal layers

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
