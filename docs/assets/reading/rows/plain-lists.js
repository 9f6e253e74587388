// Reads lists that have no heading: of modules with their counts, as a loop over named_children()
// prints it, and of shapes or counts without names, as a comprehension over parameters() returns it.

import table from "../../../data/table.js"
import { sumBy } from "../../counting/engine.js"
import { groupBy } from "../../counting/polynomials.js"
import { moduleOf } from "./fits.js"
import { asPrintedName, isModuleName } from "./names.js"
import { MIN_TENSORS_AT_BEGINNING } from "./order.js"
import { namesOf } from "./ruler.js"
import { isBelowAny } from "./subtotals.js"
import { countIn, isTotal } from "./summaries.js"
import { elementsOf, numbersOf, textRow } from "./text-row.js"
import { totalsIn } from "./totals.js"

/** A line with the name of a module, optionally its class, its count, and optionally a unit or a share. It may be an
 * item of a list or a row between bars. */
const PLAIN_COUNT = new RegExp(
  [
    String.raw`^(\s*)(?:[-*•]\s)?\|?\s*`, // the indentation, and the mark of an item or a bar
    String.raw`\x60?([A-Za-z_][\w.-]*(?: {1,2}[0-9]+)?|[0-9]{1,3}(?= \())\x60?`, // the name, perhaps in backticks
    String.raw`(?:(?:\s+|\s*(?:[|,;:]|[-=]>)\s*)\(?([A-Z]\w+)\)?)?`, // the class
    String.raw`\s*(?:[:=|,;]|->|\s)\s*([0-9][0-9,._']*(?: ?[KMB])?)\s*`, // the count
    String.raw`(?:[Pp]aram\p{L}*|個|个|개)?\s*`, // the unit
    String.raw`(?:\|?\s*\(?[0-9.]+ ?%\)?)?\s*\|?\s*$`, // the share
  ].join(""),
  "u",
)
/** A line with a tuple of names and numbers, as Python prints it. */
const TUPLE = /^\s*[([]\s*(["'].*[^,\s]),?\s*[)\]],?\s*$/

const MIN_KNOWN_SHARE = 0.9 // the smallest share of all counts that known modules have in a list with others

/** The text of a line, without the quotes and brackets of a tuple. @param {TextLine} line */
const withoutTuple = ({ text }) => {
  const [, cells] = TUPLE.exec(text) ?? []
  return cells ? cells.replace(/["']/g, "") : text
}

/** A pattern for the names of bodies, such as bert. */
const BODIES = [...new Set(table.architectures.map(({ prefix }) => prefix.slice(0, -1)))].join("|")
/** The name of a body alone. */
const BODY = new RegExp(`^(?:${BODIES})$`)
/** The names of large modules and heads in the site's architectures, and the usual names in custom models; or nothing,
 * because a body may be printed without one of its modules. */
const MODULE =
  /(?:embeddings|encoder|pooler|classifier|cls|lm_head|head|qa_outputs|layers?|transformer|dropout|final_norm|decoder|predictions|discriminator_predictions|generator_\w+|embeddings_project|vocab_\w+|pre_classifier|fc\d*|linear\d*|layers?[ .]*\d+)?/
/** The names of the modules directly in transformers' classes or in their bodies, such as qa_outputs and
 * embed_tokens. */
const TOP_MODULES = new Set(
  table.architectures.flatMap(({ name, prefix }) =>
    [...namesOf(name).values()].map(
      (path) => (path.startsWith(prefix) ? path.slice(prefix.length) : path).split(".")[0],
    ),
  ),
)
/** The name of a layer in keras-bert. */
const KERAS_NAME = /^(?:Embedding|Encoder-\d+|Transformer-\d+|MLM|NSP|Pooler)(?:-[A-Za-z]+)*$/
/** The name of a module in PyTorch, perhaps within the body of a model. */
const TORCH_NAME = new RegExp(`^(?:(?:${BODIES}|model|base_model|transformer)\\.?)?${MODULE.source}$`)

/** A numbered layer, such as "Layer 0", whose space has become a dot. */
const NUMBERED_LAYER = /^layer\.[0-9]{1,3}$/i
const MIN_NUMBERED_LAYERS = 2

/** The path of a layer, such as bert.encoder.layer.0. */
const LAYER = /(?:^|\.)(?:layers?|blocks?|h)\.[0-9]{1,3}$/

/** A label, such as "word embeddings:" or "segment", before a count at the end of a line. */
const LABELLED_COUNT = /^\s*[A-Za-z][\w'’-]*(?:\.? [A-Za-z][\w'’-]*)*\s*[:= ]\s*[0-9][0-9,._ ]{2,}$/

/** Whether an entry of a list is a module by its name, by that of its class, or because the list also has the module
 * that holds it, as a loop over named_modules() prints it.
 * @param {{ name: string, type: string }} entry @param {Set<string>} names  those of all entries
 * @param {boolean} hasLayers  whether the list has numbered layers, so that names may begin with a capital letter */
function isKnownModule({ name, type }, names, hasLayers) {
  return (
    names.has(name.slice(0, Math.max(0, name.lastIndexOf(".")))) ||
    TORCH_NAME.test(hasLayers ? name.toLowerCase() : name) ||
    KERAS_NAME.test(name) ||
    TOP_MODULES.has(name) ||
    /^[A-Z]\w+$/.test(type) ||
    LAYER.test(name) ||
    isModuleName(name) ||
    (name.includes(".") && (asPrintedName(name) ?? asPrintedName(`${name}.weight`)) !== null)
  )
}

/** The rows of a list of modules with their counts, as a loop over named_children() prints it; null if there are fewer
 * than two of them, or if at least as many other lines have a label and a count, as in a sum that the reader wrote.
 * @param {TextLine[]} lines @returns {TextRow[] | null} */
export function plainCounts(lines) {
  const entries = lines.flatMap((line) => {
    const [, indent, name, type = "", count] = PLAIN_COUNT.exec(withoutTuple(line)) ?? []
    return name && !/^(?:total|sum|all)$/i.test(name)
      ? [{ line, indent: indent.length, name: name.replace(/ +/, "."), type, count }]
      : []
  })
  // Indentation shows the tree only if the names do not.
  const isTree =
    new Set(entries.map(({ indent }) => indent)).size > 1 && !entries.some(({ name }) => name.includes("."))
  const names = new Set(entries.map(({ name }) => name))
  // Labels of a sum begin with a capital letter, as "Embeddings" does, but a sum has no line for each layer.
  const hasLayers = entries.filter(({ name }) => NUMBERED_LAYER.test(name)).length >= MIN_NUMBERED_LAYERS
  const areKnown = entries.map((entry) => isKnownModule(entry, names, hasLayers))
  // If most entries, or nearly all of what they count, are known modules, and all entries add up to the stated total or
  // one is the body of a model, then entries with custom names are modules as well. Other lines with a label and a
  // number would belong to a sum that the reader wrote.
  const entryLines = new Set(entries.map(({ line }) => line))
  const sumOf = (/** @type {typeof entries} */ list) => sumBy(list, ({ count }) => countIn(count)?.low ?? 0)
  const knownEntries = entries.filter((_, index) => areKnown[index])
  const isWhole =
    (knownEntries.length > entries.length / 2 || sumOf(knownEntries) > sumOf(entries) * MIN_KNOWN_SHARE) &&
    lines.every((line) => entryLines.has(line) || isTotal(line.text) || !LABELLED_COUNT.test(line.text)) &&
    (hasTotal(lines, sumOf(entries)) || knownEntries.some(({ name }) => BODY.test(name)))
  const allRows = entries.flatMap(({ line, indent, name, type, count }, index) => {
    const interval = areKnown[index] || isWhole ? countIn(count) : null
    return interval ? [textRow(line, { name, type, ...interval, depth: isTree ? indent : -1 })] : []
  })
  const rows = isTree ? allRows : withoutOutermost(withJoinedTensors(allRows))
  // Only part of a sum that the reader wrote would be read here.
  const rowLines = new Set(rows.map(({ line }) => line))
  const labelledLines = lines.filter(
    (line) => !rowLines.has(line) && LABELLED_COUNT.test(line.text) && !isTotal(line.text),
  )
  return rows.length >= 2 && rows.length > labelledLines.length ? rows : null
}

const TENSORS_OF_MODULE = 2

/** The rows, with the two tensors of a module joined into one row, as with classifier.weight and classifier.bias.
 * @param {TextRow[]} rows */
function withJoinedTensors(rows) {
  const moduleKeyOf = (/** @type {TextRow} */ { name, line }) =>
    /\.(?:weight|bias)$/.test(name) ? moduleOf(name) : `line ${line.index}`
  return [...groupBy(rows, moduleKeyOf).values()].map((tensors) => {
    const [first] = tensors
    if (tensors.length !== TENSORS_OF_MODULE) return first
    const [low, high] = [sumBy(tensors, (row) => row.low ?? 0), sumBy(tensors, (row) => row.high ?? 0)]
    const source = tensors.map(({ line }) => line.source.trim()).join(", ")
    return textRow({ ...first.line, source }, { name: moduleOf(first.name), low, high, depth: first.depth })
  })
}

/** Whether a line states this total. @param {TextLine[]} lines @param {number} sum */
const hasTotal = (lines, sum) =>
  lines.some((line) => isTotal(line.text) && totalsIn(line).some(({ low, high }) => low === sum && high === sum))

/** The rows without the first if that is the outermost module, whose count is the sum of the modules directly in it.
 * @param {TextRow[]} rows */
function withoutOutermost([first, ...others]) {
  const names = new Set(others.map(({ name }) => name))
  const sum = sumBy(others, ({ name, low }) => (isBelowAny(name, names) ? 0 : (low ?? 0)))
  const isOutermost =
    others.length > 1 && sum === first.low && !others.some(({ name }) => name.startsWith(`${first.name}.`))
  return isOutermost || !first ? others : [first, ...others]
}

const MIN_BARE = 12 // the minimum number of sizes in a list without names; fewer may be anything
const MAX_BARE = 20_000 // a model has fewer tensors than this, and a dump of weights has more numbers
const MIN_TABLE = 1000 // the minimum number of elements of a table; word tables have more

/** The rows of a list of shapes or counts without names, as a comprehension over parameters() returns it; empty
 * for any other lines.
 * @param {TextLine[]} lines @param {boolean} [isOpen]  whether dots stand in place of further rows
 * @returns {TextRow[]} */
export function bareRows(lines, isOpen = false) {
  const linesOfNumbers = lines.filter(({ text }) => !/[A-Za-z]{3}/.test(text.replace(/torch\.Size|Size/g, "")))
  const shapes = linesOfNumbers.flatMap((line) =>
    [...line.text.matchAll(/\(([0-9, ]+)\)|Size\(\[([0-9, ]*)\]\)/g)].map((match) => ({
      line,
      shape: numbersOf(match[1] ?? match[2]),
    })),
  )
  const minShapes = isOpen ? MIN_TENSORS_AT_BEGINNING : MIN_BARE
  if (shapes.length >= minShapes && areSizes(shapes.map(({ shape }) => elementsOf(shape) ?? 0)))
    return shapes.map(({ line, shape }) => textRow(line, { shape }))
  const counts = linesOfNumbers.flatMap((line) =>
    /^[\s[\](),0-9]+$/.test(line.text) ? numbersOf(line.text).map((low) => ({ line, low })) : [],
  )
  const sizes = withoutSum(counts)
  return sizes.length >= MIN_BARE && areSizes(sizes.map(({ low }) => low))
    ? sizes.map(({ line, low }) => textRow(line, { low, high: low }))
    : []
}

/** Counts without the last if that is the sum of all others: sum() was called after the list.
 * @param {{ line: TextLine, low: number }[]} counts */
function withoutSum(counts) {
  const others = counts.slice(0, -1)
  return counts.at(-1)?.low === sumBy(others, ({ low }) => low) ? others : counts
}

/** Whether numbers may be the sizes of a model's tensors: not too many numbers, at least three different ones, and one
 * that is large enough for a table.
 * @param {number[]} numbers */
const areSizes = (numbers) =>
  new Set(numbers).size > 2 && numbers.length < MAX_BARE && numbers.some((number) => number >= MIN_TABLE)
