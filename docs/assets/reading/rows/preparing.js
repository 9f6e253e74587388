// Prepares the text of a print-out for rows.js, which reads names with dots and one row per line. Drawn trees, tables
// of Flax and lists that say what is trained are rewritten (drawn-trees.js, flax-tables.js, trained-columns.js). Keys
// and tuples become names with dots, dictionaries and YAML's lists become lines, names that a data frame has cut are
// completed (cut-names.js), and lines that a terminal has broken are joined. A table that was copied without its
// heading gets one. The index of a data frame, words before names, and brackets around counts are removed, and words
// for parameters are translated. The values of tensors are removed, except for their line breaks, so that the lines
// after them keep their numbers.

import { inPlainCharacters, notebookText, textOfColumns } from "../clean.js"
import { withCompleteNames } from "./cut-names.js"
import { withModulesOfTree } from "./drawn-trees.js"
import { withModulesOfFlax } from "./flax-tables.js"
import { showsModules } from "./modules.js"
import { withFlagsInTable, withOneColumnOfCounts } from "./trained-columns.js"

/** The values of a tensor, which may follow its name. */
const VALUES = /tensor\([^()]*(?:\)|$)/g

/** A line with the name of a module and its own print-out: encoder.layer.0.output.dense Linear(in_features=…). */
const NAMED_MODULE = /^(\s*)([a-z_][\w.]*):?\s+([A-Z]\w*\(.*\))\s*$/gm
const MIN_NAMED_MODULES = 3

/** The text with the names on such lines in brackets, as print(model) has them; unchanged if it has fewer than
 * `MIN_NAMED_MODULES` of these lines.
 * @param {string} text */
const withNamesInBrackets = (text) =>
  (text.match(NAMED_MODULE) ?? []).length < MIN_NAMED_MODULES ? text : text.replace(NAMED_MODULE, "$1($2): $3")

/** A word that a script prints before the name of a module, as in "Module bert: 109482240". */
const MODULE_LABEL = /^[ \t]*(?:(?:sub)?modul[eo]?|módulo|模块)[ \t]+(?=[a-z_][\w.]*[ \t]*[:：])/gim

/** The word for parameters after a count, in languages other than English. */
const COUNT_LABEL =
  /(?<=[0-9])[ \t]*(?:par[aáâ]metros|paramètres|Parameter|parametri|параметров|个参数|個參數)(?=[ \t]*$)/gim

/** The keys that lead to a tensor in nested dictionaries, as JAX prints them: ['params']['pooler']['kernel']. Flax puts
 * all parameters below the first of these keys. */
const CHAIN_OF_KEYS = /(?:\[(["'])[\w-]+\1\]){2,}/g

/** The keys in a text as a name with dots, without Flax's outermost key. @param {string} keys */
const dottedName = (keys) => (keys.match(/[\w-]+/g) ?? []).join(".").replace(/^params\./, "")

/** The text with each chain of keys as a name with dots. @param {string} text */
const withNamesOfKeys = (text) => text.replace(CHAIN_OF_KEYS, dottedName)

/** A number of millions in brackets, which shows that the other numbers in brackets are not shapes: (590,592). */
const MILLIONS_IN_BRACKETS = /\([0-9]{1,3}(?:,[0-9]{3}){2,}\)/
/** A count in brackets at the end of a line. */
const COUNT_IN_BRACKETS = /\(([0-9]{1,3}(?:,[0-9]{3})*)\)(?= *$)/gm

/** The text without the brackets around the counts at the ends of its lines. In torchinfo's tree, they mean that the
 * parameters are frozen.
 * @param {string} text */
const withoutBrackets = (text) =>
  MILLIONS_IN_BRACKETS.test(text) && !/[├└]─/.test(text) ? text.replace(COUNT_IN_BRACKETS, "$1") : text

/** A tuple of names as a key, as Flax's flatten_dict has them: ('pooler', 'dense', 'kernel'): (128, 128). */
const TUPLE_OF_KEYS = /\(((?:(["'])[\w-]+\2,? ?){2,12})\)(?= ?:)/g

/** The text with each tuple that is a key as a name with dots. @param {string} text */
const withNamesOfTuples = (text) => text.replace(TUPLE_OF_KEYS, (_, keys) => `"${dottedName(keys)}"`)

/** A dictionary of modules and their counts, as Python prints it, perhaps a Counter or a defaultdict. */
const DICTIONARY =
  /(?:(?:Counter|OrderedDict|defaultdict)\((?:<class 'int'>, ?)?)?\{\s*((?:(["'])[\w. -]{1,99}\2\s*:\s*[0-9][0-9_]*\s*(?:,\s*|(?=\}))){3,})\}\)?/g
/** A name and its count in such a dictionary. */
const ENTRY = /["']([\w. -]+)["']\s*:\s*([0-9_]+)/g

/** A dictionary of modules and their counts in millions, one of its entries, and a word that gives the unit. */
const DICTIONARY_OF_MILLIONS = /\{\s*(?:(["'])[\w. -]{1,99}\1\s*:\s*[0-9]{1,4}\.[0-9]{1,6}\s*(?:,\s*|(?=\}))){2,}\}/g
const ENTRY_IN_MILLIONS = /["']([\w. -]+)["']\s*:\s*([0-9.]+)/g
const IN_MILLIONS = /\bmillions?\b|\bin M\b|\(M\)|\bMio\b|[*/] ?1e6\b/i

/** A list of pairs of a module and its count, and one of these pairs: [("bert", 108891648), ("dropout", 0)]. */
const LIST_OF_PAIRS = /\[\s*(?:\((["'])[\w. -]{1,99}\1\s*,\s*[0-9][0-9_]*\)\s*(?:,\s*|(?=\]))){2,}\]/g
const PAIR = /\(["']([\w. -]+)["']\s*,\s*([0-9_]+)\)/g

/** A module with a dictionary of its counts: "encoder": {"total": 85054464, "trainable": 0}. */
const COUNTS_OF_MODULE =
  /["']([\w.-]{1,99})["']\s*:\s*\{\s*["'](?:total|count|numel|(?:num_)?param(?:eter)?s)["']\s*:\s*([0-9]+)\b[^{}]{0,200}\},?/g

/** The names in a text with their counts, each on a line of its own.
 * @param {string} text @param {RegExp} pattern  matches a name and its count @param {string} [unit]  of the counts */
const onLines = (text, pattern, unit = "") =>
  [...text.matchAll(pattern)].map(([, name, count]) => `\n${name}: ${count}${unit}\n`).join("")

/** The text with each entry of a dictionary of counts in millions on a line of its own. @param {string} text */
const withMillionsOnLines = (text) =>
  IN_MILLIONS.test(text)
    ? text.replace(DICTIONARY_OF_MILLIONS, (entries) => onLines(entries, ENTRY_IN_MILLIONS, "M"))
    : text

/** The text with each entry of a dictionary or list of counts on a line of its own. @param {string} text */
const withEntriesOnLines = (text) =>
  withMillionsOnLines(text)
    .replace(COUNTS_OF_MODULE, "\n$1: $2\n")
    .replace(DICTIONARY, (_, entries) => onLines(entries, ENTRY))
    .replace(LIST_OF_PAIRS, (pairs) => onLines(pairs, PAIR))

/** The line breaks of a text. @param {string} text */
const lineBreaksOf = (text) => "\n".repeat(text.split("\n").length - 1)

/** A name and the sizes of its tensor in YAML, which writes each item of a list on a line of its own. */
const YAML_LIST =
  /^([ \t]*["']?[\w./]+["']?[ \t]*:)[ \t]*((?:\n[ \t]*-[ \t]+[0-9]{1,9}[ \t]*(?=\n|$)){1,8})(?!\n[ \t]*-)/gm

/** The text with YAML's lists of sizes in brackets. @param {string} text */
const withListsInBrackets = (text) =>
  text.replace(YAML_LIST, (_, name, list) => `${name} [${list.match(/[0-9]+/g).join(", ")}]${lineBreaksOf(list)}`)

/** A line of print(model) that begins a module, or ends one within another. */
const BEGINS_OR_ENDS_MODULE = /^\s*\([\w.-]+\):|^\s+\)/
const MIN_BROKEN_LINES = 2 // the widest line of an unbroken text is usually the only one of its width

/** The length of the longest line. @param {string[]} lines */
const widthOf = (lines) => lines.reduce((widest, line) => Math.max(widest, line.length), 0)

/** The text, after joining lines of modules that a terminal has broken at its width, even within a word or a number.
 * A line as wide as the widest is broken unless it ends with a bracket, as every line of print(model) does. It stays as
 * it is if a module begins or ends on the next line, because its own end is then lost.
 * @param {string} text */
function withWholeModules(text) {
  if (!showsModules(text)) return text
  const sources = text.split("\n")
  const lines = [...sources]
  const width = widthOf(lines)
  if (lines.filter((line) => line.length === width).length < MIN_BROKEN_LINES) return text
  for (let index = lines.length - 2; index >= 0; index -= 1) {
    const line = sources[index]
    if (line.length !== width || /[()]$/.test(line) || BEGINS_OR_ENDS_MODULE.test(sources[index + 1])) continue
    lines[index] = line + lines[index + 1]
    lines[index + 1] = ""
  }
  return lines.join("\n")
}

/** The first part of a name with dots or slashes at the beginning of a line. */
const FIRST_PART_OF_NAME = /^\s*([A-Za-z_]\w*)[./]/
/** The minimum share of the lines without a name that continue a line of full width, and of the lines of full width
 * that such a line continues. In a table, all lines may have one width. */
const MIN_BROKEN_SHARE = 0.8
const MIN_NAMED_SHARE = 0.25 // the minimum share of lines with a name
const MIN_BROKEN_ROWS = 5 // the minimum number of broken lines; in a small table, so many lines may be of one width

/** The text, after joining lines of a list of names that a terminal has broken at its width, even within a number: a
 * line that does not begin as the names do continues one that is as wide as the widest. Nothing is joined unless nearly
 * all lines without a name do so: a window that breaks lines between words makes hardly any of them that wide.
 * @param {string} text */
function withWholeRows(text) {
  const sources = text.split("\n")
  const width = widthOf(sources)
  const isWide = (/** @type {number} */ index) => sources[index]?.length === width
  const firstParts = sources.map((line) => FIRST_PART_OF_NAME.exec(line)?.[1] ?? "")
  const beginnings = new Set(firstParts.filter((part, index) => part && !isWide(index - 1)))
  const others = [...sources.keys()].filter((index) => sources[index] && !beginnings.has(firstParts[index]))
  const continuations = others.filter((index) => isWide(index - 1))
  const namedCount = sources.filter(Boolean).length - others.length
  const wideCount = sources.filter((_, index) => isWide(index)).length
  const minimum = Math.max(MIN_BROKEN_ROWS, others.length * MIN_BROKEN_SHARE, wideCount * MIN_BROKEN_SHARE)
  if (continuations.length < minimum) return text
  if (namedCount < sources.length * MIN_NAMED_SHARE) return text
  const lines = [...sources]
  for (const index of continuations.reverse()) {
    lines[index - 1] += lines[index]
    lines[index] = ""
  }
  return lines.join("\n")
}

/** The time stamp at the beginning of a line of a log. */
const TIME_STAMP = /^\s*\[?[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:/
const MIN_STAMPED_SHARE = 0.3 // the minimum share of a log's lines with time stamps; a terminal has broken off the others

/** The text, after joining lines of a log that a terminal has broken at its width: a line without a time stamp
 * continues one that is as wide as the widest.
 * @param {string} text */
function withWholeLogLines(text) {
  const sources = text.split("\n")
  const areStamped = sources.map((line) => TIME_STAMP.test(line))
  const width = widthOf(sources)
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
/** A total below a table, as torchinfo and Lightning print it. */
const TOTAL_BELOW = /^\s*(?:Total params:?\s+[\d.,]+|[\d.,]+ ?[KMB]?\s+Total params)/im
/** The heading above a table. */
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

/** A line of a data frame with its index, which pandas prints before the first column: "0   embeddings   23837184". */
const INDEXED_LINE = /^ {0,8}([0-9]{1,4}) {2,}(?=[A-Za-z_][\w.]*\s+[0-9])/

const MIN_INDEXED_LINES = 3 // the minimum number of lines; fewer may be numbered by chance

/** The text without the index of a data frame, which counts its lines from 0. @param {string} text */
function withoutIndex(text) {
  const lines = text.split("\n")
  const indices = lines.flatMap((line) => INDEXED_LINE.exec(line)?.[1] ?? [])
  if (indices.length < MIN_INDEXED_LINES || indices.some((index, place) => Number(index) !== place)) return text
  return lines.map((line) => line.replace(INDEXED_LINE, (index) => " ".repeat(index.length))).join("\n")
}

/** The text of a print-out in the form that rows.js reads. @param {string} source  the text as it was pasted */
export function preparedText(source) {
  const copiedText = withModulesOfTree(
    withModulesOfFlax(inPlainCharacters(notebookText(source) ?? textOfColumns(source) ?? source)),
  )
  const tableText = withFlagsInTable(withOneColumnOfCounts(withoutIndex(copiedText)))
  const textWithNames = withoutBrackets(withEntriesOnLines(withNamesOfTuples(withNamesOfKeys(tableText))))
  const textInEnglish = withCompleteNames(textWithNames).replace(MODULE_LABEL, "").replace(COUNT_LABEL, " parameters")
  const textInLines = withListsInBrackets(withWholeModules(withWholeRows(withWholeLogLines(textInEnglish))))
  return withNamesInBrackets(withHeading(textInLines)).replace(VALUES, lineBreaksOf)
}
