// Aligns the rows of a print-out with the tensors of a model.
//
// A row with a name covers the tensor of that name. A row with a count alone covers the
// nearest run of whole modules that adds up to it and that no other row has taken:
// number and order leave little to choose, because modules come in the order in which
// they are built or run. Where several runs have the same sum, as those of all layers
// do, each has a cost: words that the row and the run have in common decide first, and
// then the distance. A row that no run fits is compared with the gap between its
// neighbours, and is those modules counted wrongly if its number is near theirs.
// Then every tensor is covered once, twice, or not at all, and every row is right, wrong
// by some amount, an addition, or unknown.
//
// Rows are taken in order and none is moved again, so that a wrong choice may leave the
// next row without its run. This is rare, because most counts are of one kind of module.

import { sumBy } from "../../counting/engine.js"
import { printedRows } from "./names.js"
import { matchByName } from "./recognising.js"
import { isSlip } from "./rows.js"
import { rulerOf } from "./ruler.js"

export const HUB_LAYER = "KerasLayer" // TensorFlow Hub's, which holds a whole model and a scalar

/** The exact number that a row states; null if it states none, or a rounded one.
 * @param {TextRow} text @returns {number | null} */
const statedBy = (text) => text.stated ?? (text.low === text.high ? text.low : null)

/** The sum of what rows state. @param {AlignedRow[]} rows */
export const sumOf = (rows) => sumBy(rows, ({ stated }) => stated ?? 0)

/** The elements that a tensor adds to a total: none if it is tied to another. @param {RulerTensor} tensor */
const ownElements = ({ tied, elements }) => (tied ? 0 : elements)

/** The tensors of a ruler by their row and the numbers of their layers. @param {Ruler} ruler */
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

/** The alignment of a print-out whose rows have names with the tensors of a model.
 * @param {TextRow[]} texts @param {Recognised} recognised @returns {Alignment} */
export function alignByName(texts, { architecture, modelClass, sizes, choices }) {
  const ruler = rulerOf(modelClass, sizes, choices)
  const places = placesOf(ruler)
  const wrappers = wholeModels(texts)
  /** @type {Map<RulerTensor, TextRow>} */
  const textOfTensor = new Map()
  /** @type {Map<string, number>} how often each name without a layer's number has come so far */
  const times = new Map()
  const rows = texts.map((text) => {
    const stated = statedBy(text)
    if (text.container)
      return /** @type {AlignedRow} */ ({ text, tensors: [], verdict: "subtotal", right: null, stated })
    const nameMatch = matchByName(text, architecture)
    const row = nameMatch && [...nameMatch.rows].find((one) => places.has(one))
    if (!nameMatch || !row) return unmatched(text, stated)
    // A name may begin with more numbers than the tensor has, such as those of a wrapper: the last ones count.
    const numbersOfTensor = ruler.tensors.find((tensor) => tensor.row === row)?.numbers.length ?? 0
    let key = (numbersOfTensor ? nameMatch.numbers.slice(-numbersOfTensor) : nameMatch.numbers).join(".")
    if (!row.repeated) key = ""
    else if (!nameMatch.numbers.length) {
      // Rows of one layer without its number: each time a name comes again, the next layer has begun.
      const time = times.get(text.name) ?? 0
      times.set(text.name, time + 1)
      key = [...(places.get(row)?.keys() ?? [])][time] ?? ""
    }
    const tensor = places.get(row)?.get(key)
    if (!tensor) return { ...unmatched(text, stated), verdict: /** @type {const} */ ("added") }
    return verdictOn(text, stated, tensor, textOfTensor, wrappers)
  })
  moveTiedTensors(rows, ruler, textOfTensor, (tensor, text) => textOfTensor.set(tensor, text))
  addContents(rows)
  const missing = ruler.tensors.filter((tensor) => !tensor.tied && !textOfTensor.has(tensor))
  return { ruler, rows, missing }
}

/** Lets a tied tensor stand for the one that it is tied to, if that has no row of its own: print(model) shows the bias
 * of the decoder, which is the prediction bias, and no line for the prediction bias itself.
 * @param {AlignedRow[]} rows @param {Ruler} ruler @param {{ has: (tensor: RulerTensor) => boolean }} coverage
 * @param {(tensor: RulerTensor, text: TextRow) => void} cover */
function moveTiedTensors(rows, ruler, coverage, cover) {
  for (const aligned of rows) {
    if (aligned.verdict !== "counted twice" || !aligned.tensors.some(({ tied }) => tied)) continue
    aligned.tensors = aligned.tensors.map((tensor) => {
      const owner = tensor.tied && ruler.tensors.find(({ row }) => row.path === tensor.row.tied_to)
      if (!owner || coverage.has(owner) || owner.elements !== tensor.elements) return tensor
      cover(owner, aligned.text)
      return owner
    })
    aligned.right = sumBy(aligned.tensors, ownElements)
    if (aligned.right === aligned.stated) aligned.verdict = "right"
  }
}

/** The verdict on a row that names no tensor of the model.
 * @param {TextRow} text @param {number | null} stated @returns {AlignedRow} */
function unmatched(text, stated) {
  if (text.buffer) return { text, tensors: [], verdict: "not a parameter", right: 0, stated }
  const hasSize = text.low !== null || text.shape !== null
  return { text, tensors: [], verdict: hasSize ? "added" : "unknown", right: null, stated }
}

/** The wrapper before the name of a tensor, such as `query_encoder` where a model holds two encoders.
 * @param {TextRow} text */
const wrapperOf = ({ name }) => printedRows(name)?.wrapper ?? ""

/** The wrappers that hold whole models, rather than only a table once more. @param {TextRow[]} texts */
function wholeModels(texts) {
  /** @type {Map<string, number>} */
  const rows = new Map()
  for (const text of texts) rows.set(wrapperOf(text), (rows.get(wrapperOf(text)) ?? 0) + 1)
  const largest = Math.max(...rows.values())
  return new Set([...rows].filter(([, number]) => number >= largest / 2).map(([wrapper]) => wrapper))
}

/** The verdict on a row that names a tensor.
 * @param {TextRow} text @param {number | null} stated @param {RulerTensor} tensor
 * @param {Map<RulerTensor, TextRow>} textOfTensor @param {Set<string>} wrappers @returns {AlignedRow} */
function verdictOn(text, stated, tensor, textOfTensor, wrappers) {
  const common = { text, tensors: [tensor], stated }
  if (text.buffer) return { ...common, verdict: "not a parameter", right: 0 }
  const before = textOfTensor.get(tensor)
  // A tensor under another wrapper belongs to another model of the same kind.
  const wrapper = wrapperOf(text)
  if (before && wrappers.has(wrapper) && wrapperOf(before) !== wrapper)
    return { ...common, verdict: "added", right: tensor.elements }
  if (tensor.tied || before) return { ...common, verdict: "counted twice", right: 0 }
  textOfTensor.set(tensor, text)
  const fits =
    text.low === null || (text.low <= tensor.elements && tensor.elements <= /** @type {number} */ (text.high))
  const isRight = fits && (text.stated === null || text.stated === tensor.elements)
  return { ...common, verdict: isRight ? "right" : "wrong", right: tensor.elements }
}

// --- By number ----------------------------------------------------------------------

/** A stretch of a ruler that is one module: its name, the name in plain letters, its tensors, and its elements without
 * those that are tied (`own`) and with them (`full`).
 * @typedef {{ name: string, plain: string, tensors: RulerTensor[], own: number, full: number }} Module */

/** A name reduced to lower-case letters, to be searched for words. @param {string} name */
const plainName = (name) => name.toLowerCase().replaceAll("_", "")

/** The modules of a ruler, in order. @param {Pick<Ruler, "tensors">} ruler @returns {Module[]} */
export function modulesOf(ruler) {
  /** @type {Module[]} */
  const modules = []
  for (const tensor of ruler.tensors) {
    const last = modules.at(-1)
    const own = ownElements(tensor)
    if (last?.name === tensor.module) {
      last.tensors.push(tensor)
      last.own += own
      last.full += tensor.elements
    } else
      modules.push({
        name: tensor.module,
        plain: plainName(tensor.module),
        tensors: [tensor],
        own,
        full: tensor.elements,
      })
  }
  return modules
}

/** The modules from `start` up to but not including `end`; `twice` is what their sum counts a second
 * time, and `whole` says whether they are all modules below one name.
 * @typedef {{ start: number, end: number, sum: number, twice: number, whole: boolean }} Run */

const MAX_RUN_LENGTH = 12 // modules in a run that is not a whole part, such as query, key, value and output of a layer

/** The runs of modules, by their sum: whole parts of the model, and short runs anywhere. Those that hold a tied tensor
 * also count it once more, as some tools do.
 * @param {Module[]} modules @returns {Map<number, Run[]>} */
function runsOf(modules) {
  const cachedRuns = runsByModules.get(modules)
  if (cachedRuns) return cachedRuns
  /** @type {Map<number, Run[]>} */
  const runs = new Map()
  // Sums from the first module on, of which any run is a difference.
  const [own, full] = [[0], [0]]
  for (const module of modules) {
    own.push(own[own.length - 1] + module.own)
    full.push(full[full.length - 1] + module.full)
  }
  /** Adds the run between two places. @param {number} start @param {number} end @param {boolean} whole */
  const add = (start, end, whole) => {
    const [once, all] = [own[end] - own[start], full[end] - full[start]]
    for (const sum of once === all ? [once] : [once, all]) {
      // A module without numbers of its own, such as a tied decoder, belongs to no run that it adds nothing to.
      const isAll = start === 0 && end === modules.length
      if (!sum || (sum === once && !isAll && !(modules[start].own && modules[end - 1].own))) continue
      const list = runs.get(sum) ?? []
      list.push({ start, end, sum, twice: sum - once, whole })
      runs.set(sum, list)
    }
  }
  const wholes = wholeParts(modules)
  for (const [start, end] of wholes.values()) add(start, end, true)
  for (let start = 0; start < modules.length; start++)
    for (let end = start + 1; end <= Math.min(start + MAX_RUN_LENGTH, modules.length); end++)
      if (!wholes.has(`${start} ${end}`)) add(start, end, end === start + 1)
  runsByModules.set(modules, runs)
  return runs
}
/** The runs of modules that have been asked for before. @type {WeakMap<Module[], Map<number, Run[]>>} */
const runsByModules = new WeakMap()

/** The bounds of all modules below one name, for every name; the key is the bounds as text, because several names may
 * have the same modules below them.
 * @param {Module[]} modules @returns {Map<string, [number, number]>} */
function wholeParts(modules) {
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

/** The runs whose sums lie in an interval. @param {Map<number, Run[]>} runs @param {number} low @param {number} high */
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

/** The words in the name and class of a row, without numbers. @param {TextRow} text */
const wordsOf = ({ name, type }) =>
  (
    `${name} ${type}`
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .match(/[a-z]{3,}/g) ?? []
  ).filter((word) => !COMMON_WORDS.has(word))

/** Words in the names of modules in other libraries, with what transformers has instead. @type {Record<string, string>} */
const SYNONYMS = { mlm: "predictions", nsp: "seqrelationship", feed: "intermediate", multi: "attention" }

/** How many words of a row occur in the names of a run's modules.
 * @param {string[]} words @param {Module[]} modules @param {Run} run */
function agreement(words, modules, { start, end }) {
  const [first, last] = [modules[start].plain, modules[end - 1].plain]
  const ownWords = words.map((word) => SYNONYMS[word] ?? word)
  return ownWords.filter((word) => first.includes(word) && last.includes(word)).length
}

/** The number of the layer in the name of a row; null if it names none. @param {TextRow} text */
export function layerNamed({ name, type }) {
  const [, number] = /(?:encoder|transformer|layer|block)[-_. ]?([0-9]+)[-_.]\w/i.exec(name) ?? []
  if (number) return Number(number)
  // In a tree, a layer may have its number for a name.
  return /Layer$/.test(type) && /^[0-9]+$/.test(name) ? Number(name) : null
}

/** A function that gives the number of a row's layer, counted from 0, though a text may count layers from 1.
 * @param {TextRow[]} texts */
function layerNumbers(texts) {
  const first = Math.min(...texts.flatMap((text) => layerNamed(text) ?? []))
  return (/** @type {TextRow} */ text) => {
    const number = layerNamed(text)
    return number === null ? null : number - (first === 0 ? 0 : 1)
  }
}

// The costs by which a row is compared with a run, where each module between the run and the row before costs 1.
const FAR = 9 // modules; a greater distance costs hardly more
const FURTHER = 0.01 // for each module, so that of two runs that are far the nearer is taken
const WORD = 10 // the worth of a word in common: names count for more than the order of rows
const OTHER_LAYER = 40 // more than the distance of any run in the layer that a row names
const TIED_AGAIN = 0.5 // a run that counts a tied tensor once more
const NO_WHOLE_PART = 0.5
const NO_WHOLE_PART_ROUNDED = 10 // a rounded count has many runs by chance
const TABLE_FOR_LAYER = 10 // a rounded count of a linear layer, which a table may have by chance

/** The cost of assuming that a row stands for a run. It grows if the run is far from the row before, has another name
 * or, if the count is rounded, is not a whole part of the model.
 * @param {Run} run @param {number} next  the module after those of the row before @param {string[]} words  of the row
 * @param {Module[]} modules @param {boolean} isRounded @param {number | null} layer  the layer that the row names */
function costOfRun(run, next, words, modules, isRounded, layer) {
  const [runLayer] = modules[run.start].tensors[0].numbers
  const distance = Math.abs(run.start - next)
  let cost = Math.min(distance, FAR) + FURTHER * distance - WORD * agreement(words, modules, run)
  if (layer !== null && runLayer !== undefined && runLayer !== layer) cost += OTHER_LAYER
  if (run.twice) cost += TIED_AGAIN
  if (!run.whole) cost += isRounded ? NO_WHOLE_PART_ROUNDED : NO_WHOLE_PART
  const isTable = modules.slice(run.start, run.end).some(({ name }) => /embedding/i.test(name))
  if (isRounded && isTable && words.includes("linear")) cost += TABLE_FOR_LAYER
  return cost
}

/** The rows of a tree whose counts only repeat the sum of the rows below them.
 * @param {TextRow[]} texts @returns {Set<TextRow>} */
export function subtotals(texts) {
  const result = new Set()
  texts.forEach((text, index) => {
    if (!text.low || text.high === null) return
    let [low, high, hasCounts] = [0, 0, false]
    // Of nested rows, only the outermost are added.
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

/** The index after the last row below a row. Rows below it are deeper in a tree, or their names continue its name.
 * @param {TextRow[]} texts @param {number} index */
function endOfChildren(texts, index) {
  const { depth, name } = texts[index]
  /** Whether another row lies below this one. */
  const isBelow = (/** @type {TextRow} */ other) =>
    depth >= 0 ? other.depth > depth : name !== "" && other.name.startsWith(`${name}.`)
  let end = index + 1
  while (end < texts.length && isBelow(texts[end])) end += 1
  return end
}

/** Gives each row that only sums up the rows below it everything that these hold, additions included.
 * @param {AlignedRow[]} rows */
function addContents(rows) {
  rows.forEach((aligned, index) => {
    const { text, verdict } = aligned
    if (text.low !== null && verdict !== "subtotal") return
    const inner = rowsBelow(rows, index).filter((row) => row.verdict !== "subtotal")
    const tensors = [...new Set(inner.flatMap((row) => row.tensors))]
    if (!tensors.length && !text.container) return
    const rightSum = sumBy(inner, (row) => row.right ?? row.stated ?? 0)
    Object.assign(aligned, { tensors, verdict: "subtotal", right: rightSum })
  })
}

/** The rows below a row in a tree, or those whose names continue its name.
 * @param {AlignedRow[]} rows @param {number} index */
function rowsBelow(rows, index) {
  const { depth, name } = rows[index].text
  // The root of a tree has no branch before it, but rows of the tree follow at once.
  const isTree = Math.max(depth, rows[index + 1]?.text.depth ?? -1) >= 0
  /** Whether another row lies below this one. */
  const isBelow = (/** @type {TextRow} */ other) =>
    isTree ? other.depth > depth : name !== "" && other.name.startsWith(`${name}.`)
  let end = index + 1
  while (end < rows.length && isBelow(rows[end].text)) end += 1
  return rows.slice(index + 1, end)
}

/** Whether no row has taken any of the modules from `start` to before `end`.
 * @param {(TextRow | null)[]} textOfModule @param {number} start @param {number} end */
function isFree(textOfModule, start, end) {
  for (let index = start; index < end; index++) if (textOfModule[index]) return false
  return true
}

/** Whether a row with the numbered name and the count of the row before repeats that row, even if another module would fit.
 * @param {TextRow} row @param {{ name: string, low: number | null }} last */
const isRepeated = ({ name, low, high }, last) =>
  /\d/.test(name) && last.name === name && last.low === low && low === high

/** The alignment of a print-out whose rows have counts with the tensors of a model.
 * @param {TextRow[]} texts @param {Recognised} recognised @returns {Alignment} */
export function alignByNumber(texts, { modelClass, sizes, choices }) {
  const ruler = rulerOf(modelClass, sizes, choices)
  const modules = modulesOf(ruler)
  const runs = runsOf(modules)
  /** @type {(TextRow | null)[]} the row that has taken each module */
  const textOfModule = modules.map(() => null)
  const rowsAbove = subtotals(texts)
  const layerOf = layerNumbers(texts)
  let next = 0 // the module after those of the last row
  /** @type {{ name: string, low: number | null, run: Run } | null} the last row that has taken a run */
  let last = null
  /** The tensors of a run. @param {Run} run */
  const tensorsOf = ({ start, end }) => modules.slice(start, end).flatMap((module) => module.tensors)
  /** Gives a run to a row. @param {TextRow} text @param {Run} run */
  const take = (text, run) => {
    last = { name: text.name, low: text.low, run }
    for (let index = run.start; index < run.end; index++) textOfModule[index] = text
    next = run.end
  }
  /** @type {(AlignedRow | null)[]} */
  const rows = texts.map((text) => {
    const stated = statedBy(text)
    if (text.low === null || text.high === null || text.high === 0)
      return { text, tensors: [], verdict: "right", right: 0, stated }
    if (rowsAbove.has(text)) return { text, tensors: [], verdict: "subtotal", right: null, stated }
    if (last && isRepeated(text, last))
      return { text, tensors: tensorsOf(last.run), verdict: "counted twice", right: 0, stated }
    // TensorFlow Hub's layer has a scalar besides the model.
    const scalars = text.type === HUB_LAYER ? 1 : 0
    const isRounded = text.low !== text.high
    const words = wordsOf(text)
    const [best] = runsWithin(runs, text.low - scalars, text.high - scalars)
      .filter(({ start, end }) => isFree(textOfModule, start, end))
      // A row with the name of the class is the whole model.
      .filter(({ start, end }) => text.type !== modelClass || (start === 0 && end === modules.length))
      .map((run) => ({ run, cost: costOfRun(run, next, words, modules, isRounded, layerOf(text)) }))
      .sort((one, other) => one.cost - other.cost)
    if (!best) return null
    take(text, best.run)
    const tensors = tensorsOf(best.run)
    const right = sumBy(tensors, ownElements)
    return { text, tensors, verdict: verdictOnRun(best.run, scalars > 0, isRounded), right, stated }
  })
  return fillGaps(ruler, modules, texts, rows, textOfModule)
}

/** The verdict on a row that stands for a run.
 * @param {Run} run @param {boolean} hasScalar  whether the row counts a scalar besides the model
 * @param {boolean} isRounded @returns {LineVerdict} */
function verdictOnRun(run, hasScalar, isRounded) {
  if (hasScalar) return "wrong"
  if (run.twice) return "counted twice"
  return isRounded ? "rounded" : "right"
}

const NEAR = 0.35 // of the right number: a row that differs by less is its gap counted wrongly
const MIN_CUT = 100 // three digits: with fewer, nearly any number begins so

/** Gives a verdict to the rows that no run fits. Next to modules that nothing covers, such a row is those modules
 * counted wrongly; a repetition is counted twice; anything else is unknown.
 * @param {Ruler} ruler @param {Module[]} modules @param {TextRow[]} texts @param {(AlignedRow | null)[]} rows
 * @param {(TextRow | null)[]} textOfModule @returns {Alignment} */
function fillGaps(ruler, modules, texts, rows, textOfModule) {
  const places = new Map(modules.map((module, index) => [module.tensors[0], index]))
  /** The place in the ruler of the nearest aligned row on one side. @param {number} index @param {1 | -1} step */
  const neighbour = (index, step) => {
    for (let near = index + step; near >= 0 && near < rows.length; near += step) {
      const tensors = rows[near]?.tensors ?? []
      if (!tensors.length) continue
      const moduleIndex = places.get(tensors[0]) ?? 0
      return step < 0 ? moduleIndex + lengthOf(modules, moduleIndex, tensors) : moduleIndex
    }
    return step < 0 ? 0 : modules.length
  }
  /** Whether no other row without modules is in the same gap. @param {number} index @param {number} start */
  const isAlone = (index, start) =>
    !rows.some((row, otherIndex) => !row && otherIndex !== index && neighbour(otherIndex, -1) === start)
  const allRows = rows.map((row, index) => {
    if (row) return row
    const text = texts[index]
    const [start, end] = [neighbour(index, -1), neighbour(index, 1)]
    const gap = modules
      .slice(start, end)
      .filter((_, offset) => !textOfModule[start + offset] && modules[start + offset].own)
    const gapRow = isAlone(index, start) ? rowOfGap(text, gap) : null
    if (!gapRow) return repeatedRow(text, statedBy(text), ruler, modules)
    for (const module of gap) textOfModule[modules.indexOf(module)] = text
    return gapRow
  })
  const coveredTensors = new Set(allRows.flatMap(({ tensors }) => tensors))
  moveTiedTensors(allRows, ruler, coveredTensors, (tensor) => coveredTensors.add(tensor))
  addContents(allRows)
  const missing = ruler.tensors.filter((tensor) => !tensor.tied && !coveredTensors.has(tensor))
  return { ruler, rows: allRows, missing }
}

/** A row for the modules of a gap; null if its number is not close to theirs.
 * @param {TextRow} text @param {ReturnType<typeof modulesOf>} gap @returns {AlignedRow | null} */
function rowOfGap(text, gap) {
  const stated = statedBy(text)
  const gapSum = sumBy(gap, ({ own }) => own)
  if (stated === null || gapSum <= 0) return null
  // A narrow column cuts a number off and puts its last digits on another line, which may be lost.
  const isCut = stated >= MIN_CUT && String(gapSum).startsWith(String(stated))
  const isNear = isSlip(stated, gapSum) || Math.abs(stated - gapSum) < NEAR * gapSum
  if (!isCut && !isNear) return null
  const tensors = gap.flatMap((module) => module.tensors)
  return { text, tensors, verdict: isCut ? "right" : "wrong", right: gapSum, stated: isCut ? gapSum : stated }
}

/** How many modules from `start` on hold some tensors.
 * @param {Module[]} modules @param {number} start @param {RulerTensor[]} tensors */
function lengthOf(modules, start, tensors) {
  const all = new Set(tensors)
  let length = 0
  while (modules[start + length]?.tensors.some((tensor) => all.has(tensor))) length += 1
  return length
}

/** The verdict on a row whose count is that of modules which another row has already.
 * @param {TextRow} text @param {number | null} stated @param {Ruler} ruler @param {Module[]} modules
 * @returns {AlignedRow} */
function repeatedRow(text, stated, ruler, modules) {
  const run = stated === null ? undefined : (runsOf(modules).get(stated) ?? [])[0]
  if (!run) return { text, tensors: [], verdict: "added", right: null, stated }
  const tensors = modules.slice(run.start, run.end).flatMap((module) => module.tensors)
  return { text, tensors: run.sum === ruler.total ? [] : tensors, verdict: "counted twice", right: 0, stated }
}
