// Explains lines of a table of modules that were pasted without the table's heading, such
// as those of a summary by Lightning, Keras, torchinfo or torchsummary. Each line has the
// name or the class of a module, and usually a count. The count is compared with the modules
// of every class of every model. Of the modules with this count, those whose name or class
// is on the line are chosen. If there are none, the line may be any part of this size.
//
// Several lines must fit modules of one model. They are added up, but nothing shows
// whether lines are missing between them. Their sum is therefore compared with the total
// of a class only if they may be all of its modules.

import table from "../../../data/table.js"
import { classesOf, getOrMake, models, noun, product, sumBy, whole } from "../../counting/engine.js"
import { byUse } from "../../explaining/ways.js"
import { accountWith, asPlainText, asSubject, code, finding, firstOf, link, words } from "../words.js"
import { stemOf } from "./names.js"
import { DENSE, denseInWords } from "./own-layers.js"
import { inAnyLayer, partInWords } from "./parts-in-words.js"
import { rowsOfClass } from "./recognising.js"
import { nameOfRow, rulerOf } from "./ruler.js"
import { BAR, countIn, nameIn, withJoinedBoxes } from "./summaries.js"
import { textRow } from "./text-row.js"

/** A module of a class with the rows of its tensors. `withoutLabels` is its number of parameters apart from those that
 * depend on the number of labels, and `perLabel` the number of further parameters per label. `withTied` is
 * `withoutLabels` plus the elements of tensors that are tied to another module, which tools count if they inspect a
 * single module. A module inside the layers is counted for one layer, and any other module for all layers.
 * @typedef {{ path: string, rows: Row[], withoutLabels: number, withTied: number, perLabel: number }} Module */

/** A module that a line may show.
 * @typedef {object} Match
 * @property {Model} model
 * @property {ModelClass} modelClass
 * @property {Module} module
 * @property {number} number  its number of parameters
 * @property {number} labels  the number of labels; 0 if it does not depend on labels
 * @property {number} score  1 point if the line has its name, and 1 if it has its class */

// --- Lines ------------------------------------------------------------------------

/** The start of a line: a row number and bars, a branch of a tree, a name with the class in brackets, or a class with a
 * number. The first alternative is a whole row with the path of a module and a rounded count, as fvcore prints it. */
const LINE =
  /^\s*\|\s*[A-Za-z_][\w.]*\s*\|\s*[0-9.]+[KMG]\s*\|\s*$|^\s*[|│]?\s*[0-9]+\s*[|│]\s*[\w.]+\s*[|│]|^[\s│|]*[├└][─-]*\s?\w+(?:.*:\s*[0-9]+-[0-9]+| \(\w+\))\s|^\s*[│|]?\s*[\w.-]+ \([A-Z]\w*\)?\s*[│|\s]|^\s*[A-Z]\w*-[0-9]+\s+\[/
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
  if (!LINE.test(line.text)) return null
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

// --- Modules ------------------------------------------------------------------------

/** The cached modules by model and class. @type {Map<string, Module[]>} */
const modulesOfClass = new Map()

/** Every module of a class of a model. A layer and its parts are counted for one layer; a module that contains the
 * layers is counted with all of them.
 * @param {Model} model @param {ModelClass} modelClass */
const modulesOf = (model, modelClass) =>
  getOrMake(modulesOfClass, `${model.name} ${modelClass.name}`, () => {
    const { sizes, architecture } = model
    const { tied } = { ...modelClass.defaults, ...modelClass.fixed }
    const layers = product(modelClass.layers, sizes)
    const classRows = rowsOfClass(modelClass, {}, sizes)
    const byPath = new Map(classRows.map((row) => [row.path, row]))
    /** The name of a row in transformers; "" for no row. */
    const nameOf = (/** @type {Row | undefined} */ row) => (row ? nameOfRow(row, architecture) : "")
    /** @type {Map<string, Module>} */
    const modules = new Map()
    for (const row of classRows) {
      const components = nameOf(row).split(".")
      const target = nameOf(byPath.get(row.tied_to ?? ""))
      const isTied = Boolean(row.tied_to) && tied
      for (let length = 0; length < components.length; length++) {
        const path = components.slice(0, length).join(".")
        const module = getOrMake(modules, path, () => ({ path, rows: [], withoutLabels: 0, withTied: 0, perLabel: 0 }))
        const times = row.repeated && !path.includes("*") ? layers - Number(Boolean(row.but_first)) : 1
        const hasLabels = row.dimensions.includes("C") && modelClass.labels === null
        const elements = product(row.dimensions, { ...sizes, C: modelClass.labels ?? 1 }) * times
        module.rows.push(row)
        if (hasLabels) module.perLabel += elements
        else {
          // A tensor that is tied to another one in the same module adds nothing to that module.
          module.withTied += isTied && target.startsWith(path) ? 0 : elements
          module.withoutLabels += isTied ? 0 : elements
        }
      }
    }
    return [...modules.values()]
  })

/** The classes of modules in transformers, without the name of the architecture, with the endings of their paths and,
 * if only some classes have such a module, the names of those classes.
 * @type {[RegExp, RegExp, RegExp?][]} */
const MODULE_CLASSES = [
  [/^(?:Model|MainLayer|Discriminator|For[A-Z]\w*)$/, /^\w*$/],
  [/^Embeddings?$/, /embeddings$/],
  [/^(?:Encoder|Transformer)$/, /(?:encoder|transformer)$/],
  [/^(?:Layer|TransformerBlock|Block)$/, /\*$/],
  [/^(?:Sdpa|Flash)?Attention$/, /attention$/],
  [/^(?:Sdpa)?SelfAttention$/, /(?:\.self|attention)$/],
  [/^SelfOutput$/, /attention\.output$/],
  [/^Intermediate$/, /intermediate$/],
  [/^Output$/, /\*\.output$/],
  [/^FFN$/, /ffn$/],
  [/^Pooler$/, /pooler$/],
  [/^(?:OnlyMLMHead|LMHead|MLMHead)$/, /(?:cls|lm_head)$/, /ForMaskedLM$/],
  [/^PreTrainingHeads$/, /cls$/, /ForPreTraining$/],
  [/^OnlyNSPHead$/, /cls$/, /ForNextSentencePrediction$/],
  [/^LMPredictionHead$/, /predictions$/],
  [/^PredictionHeadTransform$/, /transform$/],
  [/^ClassificationHead$/, /classifier$/],
]

/** The stems of class names by architecture, the longest first, because "DebertaV2" begins with "Deberta". */
const STEMS = table.architectures
  .map(({ name }) => ({ architecture: name, stem: stemOf(name) }))
  .sort((one, other) => other.stem.length - one.stem.length)

/** The architecture that a class is named after, and the rest of its name; "" and the whole name for any other class.
 * @param {string} type */
export function classIn(type) {
  const plainType = type.replace(/^(?:TF|Flax)/, "")
  const match = STEMS.find(({ stem }) => plainType.startsWith(stem) && /^[A-Z]/.test(plainType.slice(stem.length)))
  return match
    ? { architecture: match.architecture, rest: plainType.slice(match.stem.length) }
    : { architecture: "", rest: plainType }
}

/** The number of points for a module: 1 if the line has its name, and 1 if it has its class.
 * @param {TextRow} text @param {Module} module @param {ModelClass} modelClass @param {string} rest */
function pointsFor({ name }, { path }, modelClass, rest) {
  const end = path.split(".").at(-1) ?? ""
  const lastName = name.split(".").at(-1) ?? ""
  const isNamed = end === "" ? name === "model" : lastName === end || (end === "*" && /^[0-9]+$/.test(lastName))
  const isTyped = MODULE_CLASSES.some(
    ([type, pathEnd, inClass]) => type.test(rest) && pathEnd.test(path) && (!inClass || inClass.test(modelClass.name)),
  )
  return Number(isNamed) + Number(isTyped)
}

/** Whether a module may have this class of PyTorch or Keras. @param {string} type @param {Module} module */
function isOfKind(type, { rows }) {
  const isTable = rows.length === 1 && rows[0].tags.has("embedding-table")
  if (/^(?:LSTM|GRU|RNN|Conv\w*|BatchNorm\w*|Bidirectional|MultiheadAttention)$/.test(type)) return false
  if (/Embed(?:d(?:i(?:ng?)?)?)?$/.test(type)) return isTable
  if (DENSE.test(type)) return rows.length <= 2 && rows[0].dimensions.length === 2 && !isTable
  if (/Norm(?:alization)?$/.test(type))
    return rows.length <= 2 && rows.every(({ dimensions }) => dimensions.length === 1)
  return true
}

const MAX_LABELS = 1000 // the maximum number of labels of a head, because with more, nearly any number fits some head

/** The number of parameters of a module, if it can be between `low` and `high`, with the number of labels that gives
 * it; null otherwise.
 * @param {Module} module @param {number} low @param {number} high
 * @param {number} usual  the number of labels to assume if the count is rounded */
function numberWithin({ withoutLabels, withTied, perLabel }, low, high, usual) {
  const exactLabels = low === high ? (low - withoutLabels) / perLabel : usual
  const labels = perLabel ? exactLabels : 0
  if (!Number.isInteger(labels) || labels < Number(perLabel > 0) || labels > MAX_LABELS) return null
  const number = [withoutLabels, withTied]
    .map((fixed) => fixed + labels * perLabel)
    .find((candidate) => candidate >= low && candidate <= high)
  return number ? { number, labels } : null
}

/** Of the modules that a line may show, those with the most points. Those of the most widely used models come first.
 * @param {TextRow} text
 * @param {boolean} isAlone  whether there is no other line with a count @returns {Match[]} */
function matchesOf(text, isAlone) {
  const [low, high] = [text.low ?? 0, text.high ?? 0]
  const { architecture, rest } = classIn(text.type)
  const isWhole = /^For[A-Z]/.test(rest)
  /** @type {Match[]} */
  const matches = []
  for (const model of models.values()) {
    if (architecture && model.architecture !== architecture) continue
    for (const modelClass of classesOf(model.architecture)) {
      if (isWhole && !text.type.endsWith(modelClass.name)) continue
      for (const module of modulesOf(model, modelClass)) {
        const fit = numberWithin(module, low, high, model.sizes.C ?? 2)
        if (!fit || !isOfKind(text.type, module) || (isWhole && module.path)) continue
        const score = pointsFor(text, module, modelClass, rest)
        // Many numbers fit a head with some number of labels, so a head without points is accepted only if there are
        // other lines.
        if (score || !fit.labels || !isAlone) matches.push({ model, modelClass, module, ...fit, score })
      }
    }
  }
  const best = Math.max(0, ...matches.map(({ score }) => score))
  return matches.filter(({ score }) => score === best).sort((one, other) => byUse(one.model, other.model))
}

/** Whether a line has a name and class that a layer of any network may have. @param {TextRow} text */
const isNondescript = ({ name, type }) =>
  /^(?:Dense|Linear|LayerNorm\w*)$/.test(type) && /^(?:dense|linear|fc|(?:layer_?)?norm\w*)[_0-9]*$/i.test(name)

// --- In words -------------------------------------------------------------------------

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

/** The most widely used model with a match for every row, its matches, and the other models with a match for every row.
 * The matches are limited to one class if a class has a match for every row and the first line has points.
 * @param {Match[][]} allMatches @returns {{ model: Model, matches: Match[][], others: Model[] } | null} */
function matchesInOneModel(allMatches) {
  const [first] = allMatches
  const [model, ...others] = [...new Set(first.map((match) => match.model))].filter((candidate) =>
    allMatches.every((matches) => matches.some((match) => match.model === candidate)),
  )
  if (!model) return null
  const matchesByLine = allMatches.map((matches) => matches.filter((match) => match.model === model))
  const sharedClasses = [...new Set(matchesByLine[0].map((match) => match.modelClass))].filter((modelClass) =>
    matchesByLine.every((matchesOfLine) => matchesOfLine.some((match) => match.modelClass === modelClass)),
  )
  // Whether the lines are the outermost modules of a class, which add up to its total.
  const isWhole = (/** @type {ModelClass} */ modelClass) => {
    // Of modules with the same tensors, take the innermost, which is the layer itself.
    const matches = matchesByLine.map((matchesOfLine) =>
      matchesOfLine
        .filter((match) => match.modelClass === modelClass)
        .reduce((inner, match) => (match.module.path.length > inner.module.path.length ? match : inner)),
    )
    const sum = sumBy(matches, ({ number }) => number)
    const labels = Math.max(...matches.map((match) => match.labels))
    const isOutermost = matches.every((match) => !match.module.path.includes("."))
    return isOutermost && rulerOf(modelClass.name, { ...model.sizes, C: labels || model.sizes.C }).total === sum
  }
  const paths = new Set(matchesByLine.flatMap((matchesOfLine) => matchesOfLine.map((match) => match.module.path)))
  const modelClass = sharedClasses.find(isWhole) ?? classWithFewestGaps(sharedClasses, model, paths)
  const classMatchesByLine = matchesByLine.map((matchesOfLine) =>
    matchesOfLine.filter((match) => !modelClass || match.modelClass === modelClass),
  )
  return { model, others, matches: matchesByLine[0][0].score ? classMatchesByLine : matchesByLine }
}

/** The first class with the fewest gaps. A gap is a sibling of a shown module that is not shown itself, although a
 * table of that class would show it.
 * @param {ModelClass[]} classes @param {Model} model
 * @param {Set<string>} paths  the paths of the modules that the lines show
 * @returns {ModelClass | undefined} */
function classWithFewestGaps(classes, model, paths) {
  /** The path of the module that contains another. */
  const parentOf = (/** @type {string} */ path) => path.split(".").slice(0, -1).join(".")
  const parents = new Set([...paths].filter(Boolean).map(parentOf))
  /** The number of siblings of the shown modules that the table lacks. */
  const gapsIn = (/** @type {ModelClass} */ modelClass) =>
    modulesOf(model, modelClass).filter(({ path }) => path && !paths.has(path) && parents.has(parentOf(path))).length
  return [...classes].sort((one, other) => gapsIn(one) - gapsIn(other))[0]
}

/** The words for the exact number of a match, with a remark if the line rounds it.
 * @param {Match} match @param {TextRow} text @returns {Words} */
const numberInWords = ({ number }, { low, high }) =>
  words`${number} ${noun(number, "parameter")}${low === high ? "" : ", which your line rounds"}`

/** A finding on tied tensors that the count of a module includes; empty if it includes none. @param {Match} match */
function tiedFinding({ module, number, labels }) {
  const rightNumber = module.withoutLabels + labels * module.perLabel
  if (number === rightNumber) return []
  const text = words`That includes ${number - rightNumber} parameters that are tied to another module; without them it has ${rightNumber} of its own.`
  return [finding(40, text)]
}

/** A line of the summary below Lightning's table, such as "109 M     Total params". */
const SUMMARY = /^[0-9.,]+(?: [KMB])?\s+(?:(?:Non-)?[Tt]rainable params|Total |Modules in )/

/** The lines that may be rows of a table. Headings, which have no digits, totals, and wrapped ends of cells are left
 * out.
 * @param {Parameters<typeof withJoinedBoxes>[0]} lines */
const tableLinesIn = (lines) =>
  withJoinedBoxes(lines)
    .filter(({ text }) => /[0-9]/.test(text) && !SUMMARY.test(text))
    .filter(
      ({ text }) =>
        (!WRAPPED_NAME.test(text) || countAfter(text.replace(WRAPPED_NAME, ""))) &&
        (LINE.test(text) || !WRAPPED_SHAPE.test(text)),
    )

/** The account of lines of a table; null if there is none. @param {TextLine[]} allLines @returns {Account | null} */
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
  const title = [link(model.page, model.title)]
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
      ...(isSingleRow ? tiedFinding(first[0]) : []),
      ...(others.length ? [finding(20, sentenceOnOthers)] : []),
    ],
    lines: rows.map((row) => lineOf(row, parts.get(row) ?? [], matches[rowsWithCounts.indexOf(row)]?.[0])),
    model: isOfWhole ? { name: model.name, modelClass: modelClass.name, total: wholeModels[0].number } : null,
    confidence: isOpen ? "possible" : "likely",
  })
}

/** The account of a model with custom dense layers; null if there are no such layers or the other lines
 * fit no model.
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

/** The account of lines whose counts fit no model here. @param {TextRow[]} rows @returns {Account} */
function accountOfUnknown(rows) {
  const [{ type, name, low, high, line }] = rows
  const number = low === high ? words`${low ?? 0} ${noun(low ?? 0, "parameter")}` : ["a rounded number of parameters"]
  return accountWith({
    headline:
      rows.length === 1
        ? words`${code(type || name || line.source.trim())} has ${number} here. No model whose modules we count has one of this size that is called so.`
        : words`These are ${rows.length} rows of a table. No model whose modules we count has all of these sizes.`,
    lines: rows.map((row) => ({ ...lineOf(row, [], undefined), right: null, verdict: "unknown" })),
    confidence: "possible",
  })
}
