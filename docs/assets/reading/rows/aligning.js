// Aligns the rows of a print-out with the tensors of a model.
//
// A row with a name covers the tensor of that name. A row with a count alone covers
// a run of whole modules that adds up to the count and that no other row has taken.
// Counts and order leave little choice, because modules are listed in the order in which
// they are built or run. If several runs have the same sum, as equal layers do, the one
// with the lowest cost is taken. The layer that the row names has the largest weight, then come
// the words that it shares with the run, then the distance. If no run fits, the row is compared with the
// modules that are still uncovered between its neighbours. If its number is close to their
// sum, the row is taken to count them incorrectly. In the end, every row has a verdict, such
// as right, wrong or added, and the tensors that no row covers are listed as missing.
//
// Rows are placed in order and never moved again, so a wrong choice may leave the next
// row without its run. This is rare, because most counts belong to only one kind of
// module.

import { sumBy } from "../../counting/engine.js"
import { printedRows } from "./names.js"
import { matchByName } from "./recognising.js"
import { isSlip } from "./rows.js"
import { rulerOf } from "./ruler.js"

export const HUB_LAYER = "KerasLayer" // from TensorFlow Hub: holds a whole model and one scalar

/** The exact number that a row states; null if it states none or a rounded one.
 * @param {TextRow} text @returns {number | null} */
const exactNumberOf = (text) => text.stated ?? (text.low === text.high ? text.low : null)

/** The sum of the numbers that rows state. @param {AlignedRow[]} rows */
export const sumOf = (rows) => sumBy(rows, ({ stated }) => stated ?? 0)

/** The number of elements that a tensor adds to a total: 0 if it is tied to another tensor.
 * @param {RulerTensor} tensor */
const untiedElements = ({ tied, elements }) => (tied ? 0 : elements)

/** The tensors of a ruler by row and, for each row, by layer numbers joined with dots. @param {Ruler} ruler */
function placesOf(ruler) {
  /** @type {Map<Row, Map<string, RulerTensor>>} */
  const places = new Map()
  for (const tensor of ruler.tensors) {
    const layers = places.get(tensor.row) ?? new Map()
    layers.set(tensor.numbers.join("."), tensor)
    places.set(tensor.row, layers)
  }
  return places
}

/** The tensors of a model aligned with the rows of a print-out, by their names.
 * @param {TextRow[]} texts @param {Recognised} recognised @returns {Alignment} */
export function alignByName(texts, { architecture, modelClass, sizes, choices }) {
  const ruler = rulerOf(modelClass, sizes, choices)
  const places = placesOf(ruler)
  const wrappers = wrappersOfModels(texts)
  /** @type {Map<RulerTensor, TextRow>} */
  const textOfTensor = new Map()
  /** @type {Map<string, number>} how often each name without a layer number has occurred so far */
  const occurrences = new Map()
  const rows = texts.map((text) => {
    const stated = exactNumberOf(text)
    if (text.isContainer)
      return /** @type {AlignedRow} */ ({ text, tensors: [], verdict: "subtotal", right: null, stated })
    const nameMatch = matchByName(text, architecture)
    const row = nameMatch && [...nameMatch.rows].find((candidate) => places.has(candidate))
    if (!nameMatch || !row) return rowWithoutTensor(text, stated)
    // A name may contain more numbers than the tensor has, such as a wrapper's, so only the last ones are used.
    const numbersOfTensor = ruler.tensors.find((tensor) => tensor.row === row)?.numbers.length ?? 0
    let key = (numbersOfTensor ? nameMatch.numbers.slice(-numbersOfTensor) : nameMatch.numbers).join(".")
    if (!row.repeated) key = ""
    else if (!nameMatch.numbers.length) {
      // The names have no layer numbers, so each time a name recurs, the next layer has begun.
      const occurrence = occurrences.get(text.name) ?? 0
      occurrences.set(text.name, occurrence + 1)
      key = [...(places.get(row)?.keys() ?? [])][occurrence] ?? ""
    }
    const tensor = places.get(row)?.get(key)
    if (!tensor) return { ...rowWithoutTensor(text, stated), verdict: /** @type {const} */ ("added") }
    return rowWithTensor(text, stated, tensor, textOfTensor, wrappers)
  })
  moveTiedTensors(rows, ruler, textOfTensor, (tensor, text) => textOfTensor.set(tensor, text))
  addContents(rows)
  const missing = ruler.tensors.filter((tensor) => !tensor.tied && !textOfTensor.has(tensor))
  return { ruler, rows, missing }
}

/** Replaces a tied tensor with the tensor that it is tied to, if the latter has no row of its own. For example,
 * print(model) shows the decoder's bias, which is the prediction bias, but has no line for the prediction bias itself.
 * @param {AlignedRow[]} rows @param {Ruler} ruler @param {{ has: (tensor: RulerTensor) => boolean }} coverage
 * @param {(tensor: RulerTensor, text: TextRow) => void} cover */
function moveTiedTensors(rows, ruler, coverage, cover) {
  for (const alignedRow of rows) {
    if (alignedRow.verdict !== "counted twice" || !alignedRow.tensors.some(({ tied }) => tied)) continue
    alignedRow.tensors = alignedRow.tensors.map((tensor) => {
      const owner = tensor.tied && ruler.tensors.find(({ row }) => row.path === tensor.row.tied_to)
      if (!owner || coverage.has(owner) || owner.elements !== tensor.elements) return tensor
      cover(owner, alignedRow.text)
      return owner
    })
    alignedRow.right = sumBy(alignedRow.tensors, untiedElements)
    if (alignedRow.right === alignedRow.stated) alignedRow.verdict = "right"
  }
}

/** The aligned row for a printed row that names no tensor of the model.
 * @param {TextRow} text @param {number | null} stated @returns {AlignedRow} */
function rowWithoutTensor(text, stated) {
  if (text.isBuffer) return { text, tensors: [], verdict: "not a parameter", right: 0, stated }
  const hasSize = text.low !== null || text.shape !== null
  return { text, tensors: [], verdict: hasSize ? "added" : "unknown", right: null, stated }
}

/** The wrapper in front of a tensor's name, such as `query_encoder` in a model with two encoders.
 * @param {TextRow} text */
const wrapperOf = ({ name }) => printedRows(name)?.wrapper ?? ""

/** The wrappers that seem to hold whole models, not just a second copy of a table. @param {TextRow[]} texts */
function wrappersOfModels(texts) {
  /** @type {Map<string, number>} */
  const rowCounts = new Map()
  for (const text of texts) rowCounts.set(wrapperOf(text), (rowCounts.get(wrapperOf(text)) ?? 0) + 1)
  const largest = Math.max(...rowCounts.values())
  return new Set([...rowCounts].filter(([, count]) => count >= largest / 2).map(([wrapper]) => wrapper))
}

/** The aligned row for a printed row that names a tensor of the model.
 * @param {TextRow} text @param {number | null} stated @param {RulerTensor} tensor
 * @param {Map<RulerTensor, TextRow>} textOfTensor @param {Set<string>} wrappers @returns {AlignedRow} */
function rowWithTensor(text, stated, tensor, textOfTensor, wrappers) {
  const commonFields = { text, tensors: [tensor], stated }
  if (text.isBuffer) return { ...commonFields, verdict: "not a parameter", right: 0 }
  const earlierText = textOfTensor.get(tensor)
  // A tensor that recurs under another wrapper belongs to a second model of the same kind.
  const wrapper = wrapperOf(text)
  if (earlierText && wrappers.has(wrapper) && wrapperOf(earlierText) !== wrapper)
    return { ...commonFields, verdict: "added", right: tensor.elements }
  if (tensor.tied || earlierText) return { ...commonFields, verdict: "counted twice", right: 0 }
  textOfTensor.set(tensor, text)
  const fits =
    text.low === null || (text.low <= tensor.elements && tensor.elements <= /** @type {number} */ (text.high))
  const isRight = fits && (text.stated === null || text.stated === tensor.elements)
  return { ...commonFields, verdict: isRight ? "right" : "wrong", right: tensor.elements }
}

// --- By number ----------------------------------------------------------------------

/** A module of a ruler: its name, the name in lower case without underscores (`searchName`), its tensors, and its
 * number of elements without tied tensors (`untiedSum`) and with them (`fullSum`).
 * @typedef {{ name: string, searchName: string, tensors: RulerTensor[], untiedSum: number, fullSum: number }} Module */

/** A name in lower case without underscores, to be searched for words. @param {string} name */
const searchableName = (name) => name.toLowerCase().replaceAll("_", "")

/** The modules of a ruler, in order. @param {Pick<Ruler, "tensors">} ruler @returns {Module[]} */
export function modulesOf(ruler) {
  /** @type {Module[]} */
  const modules = []
  for (const tensor of ruler.tensors) {
    const lastModule = modules.at(-1)
    const untiedSum = untiedElements(tensor)
    if (lastModule?.name === tensor.module) {
      lastModule.tensors.push(tensor)
      lastModule.untiedSum += untiedSum
      lastModule.fullSum += tensor.elements
    } else
      modules.push({
        name: tensor.module,
        searchName: searchableName(tensor.module),
        tensors: [tensor],
        untiedSum,
        fullSum: tensor.elements,
      })
  }
  return modules
}

/** The modules from `start` up to but not including `end`. `countedAgain` is the number of elements that `sum` counts
 * twice, and `isWholePart` is true if the run is one module or all modules below one name.
 * @typedef {{ start: number, end: number, sum: number, countedAgain: number, isWholePart: boolean }} Run */

const MAX_RUN_LENGTH = 12 // in modules, of a run that is not a whole part, such as a layer's four projections

/** The runs of modules by their sum: whole parts of the model, and short runs anywhere. A run with a tied tensor is
 * listed under two sums, without the tied tensor and with it, because some tools count it again.
 * @param {Module[]} modules @returns {Map<number, Run[]>} */
function runsOf(modules) {
  const cachedRuns = runsByModules.get(modules)
  if (cachedRuns) return cachedRuns
  /** @type {Map<number, Run[]>} */
  const runs = new Map()
  // Cumulative sums; the sum of a run is the difference between two of them.
  const [untiedSums, fullSums] = [[0], [0]]
  for (const module of modules) {
    untiedSums.push(untiedSums[untiedSums.length - 1] + module.untiedSum)
    fullSums.push(fullSums[fullSums.length - 1] + module.fullSum)
  }
  /** Adds the run from `start` up to but not including `end`, under each of its sums.
   * @param {number} start @param {number} end @param {boolean} isWholePart */
  const add = (start, end, isWholePart) => {
    const [untiedSumOfRun, fullSumOfRun] = [untiedSums[end] - untiedSums[start], fullSums[end] - fullSums[start]]
    for (const sum of untiedSumOfRun === fullSumOfRun ? [untiedSumOfRun] : [untiedSumOfRun, fullSumOfRun]) {
      // Unless it is the whole model, a run neither begins nor ends with a module that adds nothing, such as a tied
      // decoder.
      const isAll = start === 0 && end === modules.length
      if (!sum || (sum === untiedSumOfRun && !isAll && !(modules[start].untiedSum && modules[end - 1].untiedSum)))
        continue
      const list = runs.get(sum) ?? []
      list.push({ start, end, sum, countedAgain: sum - untiedSumOfRun, isWholePart })
      runs.set(sum, list)
    }
  }
  const partBounds = boundsOfParts(modules)
  for (const [start, end] of partBounds.values()) add(start, end, true)
  for (let start = 0; start < modules.length; start++)
    for (let end = start + 1; end <= Math.min(start + MAX_RUN_LENGTH, modules.length); end++)
      if (!partBounds.has(`${start} ${end}`)) add(start, end, end === start + 1)
  runsByModules.set(modules, runs)
  return runs
}
/** The cached runs by list of modules. @type {WeakMap<Module[], Map<number, Run[]>>} */
const runsByModules = new WeakMap()

/** The bounds of the modules below each name, keyed by the bounds as a string, because several names may cover the same
 * modules.
 * @param {Module[]} modules @returns {Map<string, [number, number]>} */
function boundsOfParts(modules) {
  /** @type {Map<string, [number, number]>} */
  const byName = new Map([["", [0, modules.length]]])
  modules.forEach(({ name }, index) => {
    const components = name.split(".")
    for (let length = 1; length <= components.length; length++) {
      const above = components.slice(0, length).join(".")
      const bounds = byName.get(above)
      if (bounds) bounds[1] = index + 1
      else byName.set(above, [index, index + 1])
    }
  })
  return new Map([...byName.values()].map((bounds) => [bounds.join(" "), bounds]))
}

/** The runs whose sums are between `low` and `high`, inclusive.
 * @param {Map<number, Run[]>} runs @param {number} low @param {number} high */
function runsWithin(runs, low, high) {
  if (low === high) return runs.get(low) ?? []
  return [...runs].filter(([sum]) => low <= sum && sum <= high).flatMap(([, list]) => list)
}

/** Words that occur in the names of too many modules to distinguish them. */
const COMMON_WORDS = new Set([
  "layer",
  "layers",
  "model",
  "modern",
  "bert",
  "base",
  "encoder",
  "transformer",
  "linear",
  "dense",
  "self",
])

/** The distinguishing words in the name and class of a row. @param {TextRow} text */
const distinguishingWordsOf = ({ name, type }) =>
  (
    `${name} ${type}`
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .match(/[a-z]{3,}/g) ?? []
  ).filter((word) => !COMMON_WORDS.has(word))

/** Words from the module names of other libraries, each with its equivalent in the names of transformers.
 * @type {Record<string, string>} */
const SYNONYMS = { mlm: "predictions", nsp: "seqrelationship", feed: "intermediate", multi: "attention" }

/** The number of a row's words that occur in the names of both the first and the last module of a run.
 * @param {string[]} words @param {Module[]} modules @param {Run} run */
function countSharedWords(words, modules, { start, end }) {
  const [first, last] = [modules[start].searchName, modules[end - 1].searchName]
  const translatedWords = words.map((word) => SYNONYMS[word] ?? word)
  return translatedWords.filter((word) => first.includes(word) && last.includes(word)).length
}

/** The layer number in the name of a row; null if the name has none. @param {TextRow} text */
export function layerNumberIn({ name, type }) {
  const [, number] = /(?:encoder|transformer|layer|block)[-_. ]?([0-9]+)[-_.]\w/i.exec(name) ?? []
  if (number) return Number(number)
  // In a tree, the name of a layer may be just its number.
  return /Layer$/.test(type) && /^[0-9]+$/.test(name) ? Number(name) : null
}

/** A function that returns the layer number of a row, counted from 0 even if the text counts layers from 1.
 * @param {TextRow[]} texts */
function layerNumbers(texts) {
  const firstLayer = Math.min(...texts.flatMap((text) => layerNumberIn(text) ?? []))
  return (/** @type {TextRow} */ text) => {
    const number = layerNumberIn(text)
    return number === null ? null : number - (firstLayer === 0 ? 0 : 1)
  }
}

// Costs of assigning a row to a run. The unit is one module between the run and the previous row's run.
const FAR_AWAY = 9 // the distance in modules beyond which the cost grows only by `PER_FURTHER_MODULE`
const PER_FURTHER_MODULE = 0.01 // small, but enough to prefer the nearer of two distant runs
const SHARED_WORD = 10 // the saving per shared word; names count for more than the order of rows
const OTHER_LAYER = 40 // so much that the layer that a row names outweighs distance and a few shared words
const TIED_AGAIN = 0.5 // the surcharge for a run that counts a tied tensor again
const NOT_WHOLE_PART = 0.5
const NOT_WHOLE_PART_ROUNDED = 10 // a rounded count fits many runs by chance
const TABLE_FOR_LAYER = 10 // a rounded count of a linear layer may fit a table by chance

/** The cost of assigning a row to a run. It grows with the distance from the previous row's run and falls with each
 * shared word. The other constants are surcharges.
 * @param {Run} run @param {number} nextIndex  the module after those of the previous row
 * @param {string[]} words  the distinguishing words of the row @param {Module[]} modules @param {boolean} isRounded
 * @param {number | null} layer  the layer that the row names */
function costOfRun(run, nextIndex, words, modules, isRounded, layer) {
  const [runLayer] = modules[run.start].tensors[0].numbers
  const distance = Math.abs(run.start - nextIndex)
  let cost =
    Math.min(distance, FAR_AWAY) + PER_FURTHER_MODULE * distance - SHARED_WORD * countSharedWords(words, modules, run)
  if (layer !== null && runLayer !== undefined && runLayer !== layer) cost += OTHER_LAYER
  if (run.countedAgain) cost += TIED_AGAIN
  if (!run.isWholePart) cost += isRounded ? NOT_WHOLE_PART_ROUNDED : NOT_WHOLE_PART
  const isTable = modules.slice(run.start, run.end).some(({ name }) => /embedding/i.test(name))
  if (isRounded && isTable && words.includes("linear")) cost += TABLE_FOR_LAYER
  return cost
}

/** The rows whose counts only repeat the sum of the rows below them.
 * @param {TextRow[]} texts @returns {Set<TextRow>} */
export function subtotalsOf(texts) {
  const result = new Set()
  texts.forEach((text, index) => {
    if (!text.low || text.high === null) return
    let [low, high, hasCounts] = [0, 0, false]
    // The count of a row already includes the counts of the rows nested in it.
    for (let below = index + 1; below < endOfChildren(texts, index); below += 1) {
      const child = texts[below]
      if (!child.low || child.high === null) continue
      low += child.low
      high += child.high
      hasCounts = true
      below = endOfChildren(texts, below) - 1
    }
    if (hasCounts && low <= text.high && text.low <= high) result.add(text)
  })
  return result
}

/** The index after the last row below the one at `index`. Rows below it are deeper in a tree, or their names continue
 * its name.
 * @param {TextRow[]} texts @param {number} index */
function endOfChildren(texts, index) {
  const { depth, name } = texts[index]
  /** Whether another row is below this one. */
  const isBelow = (/** @type {TextRow} */ other) =>
    depth >= 0 ? other.depth > depth : name !== "" && other.name.startsWith(`${name}.`)
  let end = index + 1
  while (end < texts.length && isBelow(texts[end])) end += 1
  return end
}

/** Gives every row that only sums up the rows below it the verdict "subtotal", and the tensors and the right sum of
 * those rows, additions included.
 * @param {AlignedRow[]} rows */
function addContents(rows) {
  rows.forEach((alignedRow, index) => {
    const { text, verdict } = alignedRow
    if (text.low !== null && verdict !== "subtotal") return
    const innerRows = rowsBelow(rows, index).filter((row) => row.verdict !== "subtotal")
    const tensors = [...new Set(innerRows.flatMap((row) => row.tensors))]
    if (!tensors.length && !text.isContainer) return
    const rightSum = sumBy(innerRows, (row) => row.right ?? row.stated ?? 0)
    Object.assign(alignedRow, { tensors, verdict: "subtotal", right: rightSum })
  })
}

/** The rows below the one at `index` in a tree, or those whose names continue its name.
 * @param {AlignedRow[]} rows @param {number} index */
function rowsBelow(rows, index) {
  const { depth, name } = rows[index].text
  // The root of a tree has no branch and hence no depth, but the next row has one.
  const isTree = Math.max(depth, rows[index + 1]?.text.depth ?? -1) >= 0
  /** Whether another row is below this one. */
  const isBelow = (/** @type {TextRow} */ other) =>
    isTree ? other.depth > depth : name !== "" && other.name.startsWith(`${name}.`)
  let end = index + 1
  while (end < rows.length && isBelow(rows[end].text)) end += 1
  return rows.slice(index + 1, end)
}

/** Whether no row has taken any of the modules from `start` up to but not including `end`.
 * @param {(TextRow | null)[]} textOfModule @param {number} start @param {number} end */
function areUncovered(textOfModule, start, end) {
  for (let index = start; index < end; index++) if (textOfModule[index]) return false
  return true
}

/** Whether a row repeats the last one that was placed: the two have the same numbered name and the same exact count.
 * The row then takes no run, even if one would fit.
 * @param {TextRow} row @param {{ name: string, low: number | null }} last */
const isRepeated = ({ name, low, high }, last) =>
  /\d/.test(name) && last.name === name && last.low === low && low === high

const POOLER = "pooler"

/** A name in lower case without separators. @param {string} name */
const nameWithoutSeparators = (name) => searchableName(name.replace(/[\s.-]/g, ""))

/** Whether a row is named as a pooler. @param {TextRow} text */
export const isNamedPooler = ({ name }) => nameWithoutSeparators(name) === POOLER

/** The run of the embedding table or the pooler that a row names, whatever its count; null if it names neither. Other
 * names are less certain: an encoder may be counted with its embeddings, and many modules are called "dense".
 * @param {TextRow} text @param {Module[]} modules @returns {Run | null} */
function namedRunOf({ name }, modules) {
  const searchName = nameWithoutSeparators(name)
  /** Whether a module is the one that the row names. */
  const isNamed = (/** @type {Module} */ module) => {
    const path = module.name.split(".").map(searchableName)
    return searchName === POOLER ? path.includes(searchName) : isTable(module) && path.at(-1) === searchName
  }
  const namedModules = modules.filter(isNamed)
  if (!namedModules.length) return null
  const start = modules.indexOf(namedModules[0])
  const sum = sumBy(namedModules, ({ untiedSum }) => untiedSum)
  return { start, end: start + namedModules.length, sum, countedAgain: 0, isWholePart: true }
}

/** Whether a module is an embedding table. @param {Module} module */
const isTable = ({ tensors }) => tensors.every(({ row }) => row.tags.has("embedding-table"))

/** The tensors of a model aligned with the rows of a print-out, by their counts.
 * @param {TextRow[]} texts @param {Recognised} recognised @returns {Alignment} */
export function alignByNumber(texts, { modelClass, sizes, choices }) {
  const ruler = rulerOf(modelClass, sizes, choices)
  const modules = modulesOf(ruler)
  const runs = runsOf(modules)
  /** @type {(TextRow | null)[]} the row that has taken each module; null if none has */
  const textOfModule = modules.map(() => null)
  const subtotalRows = subtotalsOf(texts)
  const layerOf = layerNumbers(texts)
  let nextIndex = 0 // the module after those of the last row placed
  /** @type {{ name: string, low: number | null, run: Run } | null} the last row placed, and its run */
  let lastPlacement = null
  /** The tensors of a run. @param {Run} run */
  const tensorsOf = ({ start, end }) => modules.slice(start, end).flatMap((module) => module.tensors)
  /** Assigns a run to a row. @param {TextRow} text @param {Run} run */
  const assign = (text, run) => {
    lastPlacement = { name: text.name, low: text.low, run }
    for (let index = run.start; index < run.end; index++) textOfModule[index] = text
    nextIndex = run.end
  }
  /** @type {(AlignedRow | null)[]} */
  const rows = texts.map((text) => {
    const stated = exactNumberOf(text)
    if (text.low === null || text.high === null || text.high === 0)
      return { text, tensors: [], verdict: "right", right: 0, stated }
    if (subtotalRows.has(text)) return { text, tensors: [], verdict: "subtotal", right: null, stated }
    if (lastPlacement && isRepeated(text, lastPlacement))
      return { text, tensors: tensorsOf(lastPlacement.run), verdict: "counted twice", right: 0, stated }
    // TensorFlow Hub's layer adds one scalar to the model.
    const scalars = text.type === HUB_LAYER ? 1 : 0
    const isRounded = text.low !== text.high
    const namedRun = namedRunOf(text, modules)
    const isNamedRunUncovered = namedRun && areUncovered(textOfModule, namedRun.start, namedRun.end)
    if (namedRun && isNamedRunUncovered && text.low === text.high && text.low !== namedRun.sum) {
      assign(text, namedRun)
      return { text, tensors: tensorsOf(namedRun), verdict: "wrong", right: namedRun.sum, stated }
    }
    const words = distinguishingWordsOf(text)
    const [best] = runsWithin(runs, text.low - scalars, text.high - scalars)
      .filter(({ start, end }) => areUncovered(textOfModule, start, end))
      // A row whose type is the model's class shows the whole model.
      .filter(({ start, end }) => text.type !== modelClass || (start === 0 && end === modules.length))
      .map((run) => ({ run, cost: costOfRun(run, nextIndex, words, modules, isRounded, layerOf(text)) }))
      .sort((one, other) => one.cost - other.cost)
    if (!best) return null
    assign(text, best.run)
    const tensors = tensorsOf(best.run)
    const right = sumBy(tensors, untiedElements)
    return { text, tensors, verdict: verdictOnRun(best.run, scalars > 0, isRounded), right, stated }
  })
  return fillGaps(ruler, modules, texts, rows, textOfModule)
}

/** The verdict on a row to which a run has been assigned.
 * @param {Run} run @param {boolean} hasScalar  whether the row counts a scalar in addition to the model
 * @param {boolean} isRounded @returns {LineVerdict} */
function verdictOnRun(run, hasScalar, isRounded) {
  if (hasScalar) return "wrong"
  if (run.countedAgain) return "counted twice"
  return isRounded ? "rounded" : "right"
}

const MAX_ERROR = 0.35 // the largest relative error of a row that is taken to count its gap incorrectly
const MIN_CUT_NUMBER = 100 // the smallest number whose last digits may be missing; fewer digits would fit too many sums

/** The complete alignment, including the rows that no run fits. If such a row's number is close to the sum of the
 * uncovered modules next to it, the row is taken to count those modules. If its number is the count of other modules,
 * the row counts them twice. Any other row is an addition.
 * @param {Ruler} ruler @param {Module[]} modules @param {TextRow[]} texts @param {(AlignedRow | null)[]} rows
 * @param {(TextRow | null)[]} textOfModule @returns {Alignment} */
function fillGaps(ruler, modules, texts, rows, textOfModule) {
  const places = new Map(modules.map((module, index) => [module.tensors[0], index]))
  /** A bound of the gap around a row: for −1, the index after the modules of the nearest aligned row before it; for 1,
   * the index of the first module of the nearest aligned row after it.
   * @param {number} index @param {1 | -1} step */
  const gapBound = (index, step) => {
    for (let nearIndex = index + step; nearIndex >= 0 && nearIndex < rows.length; nearIndex += step) {
      const tensors = rows[nearIndex]?.tensors ?? []
      if (!tensors.length) continue
      const moduleIndex = places.get(tensors[0]) ?? 0
      return step < 0 ? moduleIndex + moduleCountOf(modules, moduleIndex, tensors) : moduleIndex
    }
    return step < 0 ? 0 : modules.length
  }
  /** Whether no other row without a run is in the same gap. @param {number} index @param {number} start */
  const isAlone = (index, start) =>
    !rows.some((row, otherIndex) => !row && otherIndex !== index && gapBound(otherIndex, -1) === start)
  const allRows = rows.map((row, index) => {
    if (row) return row
    const text = texts[index]
    const [start, end] = [gapBound(index, -1), gapBound(index, 1)]
    const gap = modules
      .slice(start, end)
      .filter((_, offset) => !textOfModule[start + offset] && modules[start + offset].untiedSum)
    const gapRow = isAlone(index, start) ? rowOfGap(text, gap) : null
    if (!gapRow) return unplacedRow(text, exactNumberOf(text), ruler, modules)
    for (const module of gap) textOfModule[modules.indexOf(module)] = text
    return gapRow
  })
  const coveredTensors = new Set(allRows.flatMap(({ tensors }) => tensors))
  moveTiedTensors(allRows, ruler, coveredTensors, (tensor) => coveredTensors.add(tensor))
  addContents(allRows)
  const missing = ruler.tensors.filter((tensor) => !tensor.tied && !coveredTensors.has(tensor))
  return { ruler, rows: allRows, missing }
}

/** The aligned row for the modules of a gap; null if its number is not close to their sum.
 * @param {TextRow} text @param {ReturnType<typeof modulesOf>} gap @returns {AlignedRow | null} */
function rowOfGap(text, gap) {
  const stated = exactNumberOf(text)
  const gapSum = sumBy(gap, ({ untiedSum }) => untiedSum)
  if (stated === null || gapSum <= 0) return null
  // A narrow column wraps the last digits of a number onto another line, which may be lost.
  const isCut = stated >= MIN_CUT_NUMBER && String(gapSum).startsWith(String(stated))
  const isNear = isSlip(stated, gapSum) || Math.abs(stated - gapSum) < MAX_ERROR * gapSum
  if (!isCut && !isNear) return null
  const tensors = gap.flatMap((module) => module.tensors)
  return { text, tensors, verdict: isCut ? "right" : "wrong", right: gapSum, stated: isCut ? gapSum : stated }
}

/** The number of consecutive modules, from `start` on, that hold any of the tensors.
 * @param {Module[]} modules @param {number} start @param {RulerTensor[]} tensors */
function moduleCountOf(modules, start, tensors) {
  const tensorSet = new Set(tensors)
  let length = 0
  while (modules[start + length]?.tensors.some((tensor) => tensorSet.has(tensor))) length += 1
  return length
}

/** The aligned row for a count that no uncovered modules explain: "counted twice" if other modules have this count,
 * "added" otherwise.
 * @param {TextRow} text @param {number | null} stated @param {Ruler} ruler @param {Module[]} modules
 * @returns {AlignedRow} */
function unplacedRow(text, stated, ruler, modules) {
  const run = stated === null ? undefined : (runsOf(modules).get(stated) ?? [])[0]
  if (!run) return { text, tensors: [], verdict: "added", right: null, stated }
  const tensors = modules.slice(run.start, run.end).flatMap((module) => module.tensors)
  return { text, tensors: run.sum === ruler.total ? [] : tensors, verdict: "counted twice", right: 0, stated }
}
