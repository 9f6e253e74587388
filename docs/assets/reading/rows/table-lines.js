// Explains lines of a table of modules that were pasted without the table's heading, such
// as those of a summary by Lightning, Keras, torchinfo or torchsummary. Each line has the
// name or the class of a module, and usually a count, for which module-matches.js finds the
// modules. If none of them has the name or the class on the line, the line may be any part of
// this size.
//
// Several lines are added up, but nothing shows whether lines are missing between them. Their
// sum is therefore compared with the total of a class only if they may be all of its modules.

import { noun, sumBy, whole } from "../../counting/engine.js"
import { accountWith, asPlainText, asSubject, code, finding, firstOf, link, linkTo, words } from "../words.js"
import { matchesInOneModel, matchesOf } from "./module-matches.js"
import { denseInWords } from "./own-layers.js"
import { inAnyLayer, partInWords } from "./parts-in-words.js"
import { rulerOf } from "./ruler.js"
import { BAR, countIn, nameIn, withJoinedBoxes } from "./summaries.js"
import { textRow } from "./text-row.js"

/** @typedef {import("./module-matches.js").Match} Match */

/** The lines of tables, one pattern for each layout. */
const LINES = [
  /^\s*\|\s*[A-Za-z_][\w.]*\s*\|\s*[0-9.]+[KMG]\s*\|\s*$/, // fvcore: the path of a module and a rounded count
  /^\s*[|│]?\s*[0-9]+\s*[|│]\s*[\w.]+\s*[|│]/, // Lightning: a row number and a name between bars
  /^[\s│|]*[├└][─-]*\s?\w+(?:.*:\s*[0-9]+-[0-9]+| \(\w+\))\s/, // torchinfo: a branch with a class and its index or name
  /^\s*[│|]?\s*[\w.-]+ \([A-Z]\w*\)?\s*[│|\s]/, // Keras: a name with its class in brackets
  /^\s*[A-Z]\w*-[0-9]+\s+\[/, // torchsummary: a class with a number, and a shape
]

/** Whether a line looks like that of a table. @param {string} text */
const isTableLine = (text) => LINES.some((line) => line.test(text))

/** The end of a name that a narrow column has wrapped. */
const WRAPPED_NAME = /^\s*\w{0,12}\)/
/** The end of a shape that a narrow column has wrapped. It is far to the right, below the beginning of the shape. */
const WRAPPED_SHAPE = /^\s{12,}\S/

/** A shape in round brackets, which has spaces after its commas, unlike a count. */
const SHAPE = /\((?:None|-?[0-9]+),\s[^()]*\)?|\(None[^()]*\)?/g
/** A count, possibly rounded or in brackets. */
const COUNT = /\(?[0-9][0-9,.]*\)?(?: ?[KMBG](?![\w]))?/g

/** The count in the text after a name: the first number outside shapes; null if there is none. @param {string} rest */
function countAfter(rest) {
  const withoutShapes = rest.replace(SHAPE, " ").replace(/\[[^\][]*\]/g, " ")
  for (const [token] of withoutShapes.matchAll(COUNT)) {
    const count = countIn(token)
    if (count) return count
  }
  return null
}

/** The row on a line of a table; null if the line is not from a table.
 * @param {TextLine} line @returns {TextRow | null} */
function rowOf(line) {
  if (!isTableLine(line.text)) return null
  // In a tree, bars are branches and not borders of cells.
  const barCells = line.text.split(BAR).map((cell) => cell.trim())
  const hasBars = barCells.length > 2 && !/[├└]/.test(line.text)
  const cells = hasBars ? barCells : [line.text]
  const [first, ...others] = cells.slice(cells.findIndex((cell) => /[A-Za-z]/.test(cell)))
  // Lightning prints the class in a column of its own.
  const hasTypeCell = hasBars && /^[A-Z]\w*$/.test(others[0] ?? "") && /^[\w.]+$/.test(first)
  const [label] = /^[^A-Za-z]*[\w.-]+(?: \([\w.]*\)?)?(?::\s*[0-9]+-[0-9]+)?/.exec(first) ?? [first]
  const { name, type } = hasTypeCell ? { name: first, type: others[0] } : nameIn(label)
  const cellsAfter = hasTypeCell ? others.slice(1) : others
  const rest = hasBars ? cellsAfter.join("   ") : first.slice(label.length)
  const count = countAfter(rest)
  if (count) return textRow(line, { name, type, ...count })
  // torchinfo prints "--" if the rows below have the counts, or if there are no parameters.
  return /(?:^|\s)--(?:\s|$)/.test(rest) ? textRow(line, { name, type }) : null
}

/** Whether a line has a name and class that a layer of any network may have. @param {TextRow} text */
const isNondescript = ({ name, type }) =>
  /^(?:Dense|Linear|LayerNorm\w*)$/.test(type) && /^(?:dense|linear|fc|(?:layer_?)?norm\w*)[_0-9]*$/i.test(name)

const WHOLE = "the whole model"

/** The words for a module of a model. @param {Match} match @returns {Words} */
function moduleInWords({ model, modelClass, module }) {
  const ruler = rulerOf(modelClass.name, model.sizes)
  const isLayer = module.path.includes("*")
  const rowsOfModule = new Set(module.rows)
  const tensors = ruler.tensors.filter(
    ({ row, numbers }) => rowsOfModule.has(row) && (!isLayer || numbers.every((number) => number === 0)),
  )
  const part = module.path ? partInWords(tensors, ruler) : [WHOLE]
  return isLayer ? inAnyLayer(part) : part
}

const MAX_PARTS = 4 // the maximum number of parts of equal size that are listed

/** The words for alternative parts, joined by "or". @param {Words[]} parts @returns {Words} */
const eitherOf = (parts) => firstOf(parts, MAX_PARTS, "or", "part")

/** The words for each of several modules, without repetitions. @param {Match[]} matches @returns {Words[]} */
function distinctModulesInWords(matches) {
  /** @type {Map<string, Words>} */
  const parts = new Map()
  for (const match of matches) {
    const part = moduleInWords(match)
    if (!parts.has(asPlainText(part))) parts.set(asPlainText(part), part)
  }
  return [...parts.values()]
}

/** The words for the exact number of a match, with a remark if the line rounds it.
 * @param {Match} match @param {TextRow} text @returns {Words} */
const numberInWords = ({ number }, { low, high }) =>
  words`${number} ${noun(number, "parameter")}${low === high ? "" : ", which your line rounds"}`

/** A finding on tied tensors that the count of a module includes; empty if the count includes none.
 * @param {Match} match */
function findingsOnTiedTensors({ module, number, labels }) {
  const rightNumber = module.withoutLabels + labels * module.perLabel
  if (number === rightNumber) return []
  const text = words`That includes ${number - rightNumber} parameters that are tied to another module; without them, this one has ${rightNumber} of its own.`
  return [finding(40, text)]
}

/** A line of the summary below Lightning's table, such as "109 M     Total params". */
const SUMMARY = /^[0-9.,]+(?: [KMB])?\s+(?:(?:Non-)?[Tt]rainable params|Total |Modules in )/

/** The lines that may be rows of a table. Headings, which have no digits, totals, and wrapped ends of cells are left
 * out.
 * @param {TextLine[]} lines */
const tableLinesIn = (lines) =>
  withJoinedBoxes(lines)
    .filter(({ text }) => /[0-9]/.test(text) && !SUMMARY.test(text))
    .filter(
      ({ text }) =>
        (!WRAPPED_NAME.test(text) || countAfter(text.replace(WRAPPED_NAME, ""))) &&
        (isTableLine(text) || !WRAPPED_SHAPE.test(text)),
    )

/** The account of lines of a table; null for any other lines. @param {TextLine[]} allLines @returns {Account | null} */
export function accountOfTableLines(allLines) {
  const tableLines = tableLinesIn(allLines)
  const rows = tableLines.flatMap((line) => rowOf(line) ?? [])
  if (!rows.length || rows.length < tableLines.length) return null
  const rowsWithCounts = rows.filter(({ low }) => low)
  if (!rowsWithCounts.length) return accountWithoutCounts(rows)
  const fit = matchesInOneModel(rowsWithCounts.map((row) => matchesOf(row, rowsWithCounts.length < 2)))
  // TensorFlow Hub's layer has one more scalar than its model; another module explains it.
  const isOfHub = rows.some(({ type }) => type === "KerasLayer")
  if (!fit) return accountWithCustomLayers(rows, rowsWithCounts) ?? (isOfHub ? null : accountOfUnknown(rows))
  const { model, matches, others } = fit
  const parts = new Map(rowsWithCounts.map((text, index) => [text, distinctModulesInWords(matches[index])]))
  const [first] = matches
  const [{ modelClass, score }] = first
  const isOpen = !score || rowsWithCounts.some(isNondescript) || [...parts.values()].some((list) => list.length > 1)
  const title = [linkTo(model)]
  const asIn = words`${others.length || isOpen ? ", as in" : " of"} ${title}`
  const [text] = rowsWithCounts
  const sum = sumBy(matches, ([{ number }]) => number)
  const isSingleRow = rows.length === 1
  // One of several rows may be the whole model.
  const wholeModels = matches.flat().filter(({ module }) => !module.path)
  const isOfWhole = !isSingleRow && score > 0 && wholeModels.length > 0
  const sureVerb = asPlainText(parts.get(text)?.[0] ?? []) === WHOLE ? "is" : "holds"
  const verb = isOpen ? "could hold" : sureVerb
  const isExact = rowsWithCounts.every(({ low, high }) => low === high)
  const total = isExact ? words` They add up to ${sum} parameters.` : []
  const sentenceOnOthers = words`${whole(others.length)} more ${noun(others.length, "model has", "models have")} modules of the same size.`
  return accountWith({
    kind: "rows",
    headline: isSingleRow
      ? words`${code(text.type || text.name)} ${verb} ${eitherOf(parts.get(text) ?? [])}${asIn}: ${numberInWords(first[0], text)}.`
      : words`These are ${rows.length} rows of a table${asIn}${score ? words`, as ${code(modelClass.name)}` : []}.${total}`,
    findings: [
      ...(isSingleRow ? findingsOnTiedTensors(first[0]) : []),
      ...(others.length ? [finding(20, sentenceOnOthers)] : []),
    ],
    lines: rows.map((row) => lineOf(row, parts.get(row) ?? [], matches[rowsWithCounts.indexOf(row)]?.[0])),
    model: isOfWhole ? { name: model.name, modelClass: modelClass.name, total: wholeModels[0].number } : null,
    confidence: isOpen ? "possible" : "likely",
  })
}

/** The account of a model with custom dense layers; null if there are no such layers, or if the other lines fit no
 * model by name.
 * @param {TextRow[]} rows @param {TextRow[]} rowsWithCounts @returns {Account | null} */
function accountWithCustomLayers(rows, rowsWithCounts) {
  const customRows = rowsWithCounts.filter(isNondescript)
  const modelRows = rowsWithCounts.filter((row) => !customRows.includes(row))
  if (!customRows.length || !modelRows.length) return null
  const fit = matchesInOneModel(modelRows.map((row) => matchesOf(row, modelRows.length < 2)))
  const [first] = fit?.matches ?? []
  if (!fit || !first[0].score) return null
  const { model, matches } = fit
  const parts = new Map(customRows.map((row) => [row, denseInWords(row, rows, model.sizes.H)]))
  const [{ modelClass }] = first
  const sum = sumBy(matches, ([{ number }]) => number)
  const customSum = sumBy(customRows, ({ low }) => low ?? 0)
  const layers = words`${customRows.length} ${noun(customRows.length, "layer")} of your own`
  return accountWith({
    kind: "rows",
    headline: words`These are ${rows.length} rows of a table: ${link(model.page, asSubject(model.title))} as ${code(modelClass.name)}, with ${sum} parameters, and ${layers}, with ${customSum}. They add up to ${sum + customSum}.`,
    lines: rows.map((row) => {
      const index = modelRows.indexOf(row)
      const line = lineOf(row, index < 0 ? [] : distinctModulesInWords(matches[index]), matches[index]?.[0])
      const part = parts.get(row)
      // A layer may be right even if its shape does not explain its count.
      return part ? { ...line, part, right: null, verdict: /** @type {const} */ ("added") } : line
    }),
    model: { name: model.name, modelClass: modelClass.name, total: rulerOf(modelClass.name, model.sizes).total },
    confidence: "likely",
  })
}

/** A line of the account.
 * @param {TextRow} text @param {Words[]} parts  the parts that it may be
 * @param {Match | undefined} match @returns {AccountLine} */
function lineOf({ line, low, high }, parts, match) {
  const isExact = low === high
  const partWithoutMatch = low === 0 ? ["no parameters"] : []
  const verdictOnCount = isExact ? "right" : "rounded"
  return {
    source: line.source,
    part: match ? eitherOf(parts) : partWithoutMatch,
    stated: isExact ? low : null,
    right: match ? match.number : low,
    verdict: low === null ? "subtotal" : verdictOnCount,
    times: 1,
  }
}

/** The account of lines whose count is 0 or not given. @param {TextRow[]} rows @returns {Account} */
function accountWithoutCounts(rows) {
  const isEmpty = rows.every(({ low }) => low === 0)
  const [name] = rows.map(({ type, name: moduleName }) => code(type || moduleName))
  const singular = isEmpty
    ? words`${name} has no parameters.`
    : words`This row gives no number: ${name} has no parameters, or the rows below it count them.`
  const plural = isEmpty
    ? words`These ${rows.length} rows of a table have no parameters.`
    : words`These ${rows.length} rows of a table give no number of parameters.`
  return accountWith({
    kind: "rows",
    headline: rows.length === 1 ? singular : plural,
    lines: rows.map((row) => lineOf(row, [], undefined)),
  })
}

/** The account of lines whose counts fit no published model. @param {TextRow[]} rows @returns {Account} */
function accountOfUnknown(rows) {
  const [{ type, name, low, high, line }] = rows
  const module = code(type || name || line.source.trim())
  const opening =
    low === high
      ? words`${module} has ${low ?? 0} ${noun(low ?? 0, "parameter")} here.`
      : words`Your line rounds the number of parameters of ${module}.`
  return accountWith({
    headline:
      rows.length === 1
        ? words`${opening} No model whose modules we count has one with this name and size.`
        : words`These are ${rows.length} rows of a table. No model whose modules we count has all of these sizes.`,
    lines: rows.map((row) => ({ ...lineOf(row, [], undefined), right: null, verdict: "unknown" })),
    confidence: "possible",
  })
}
