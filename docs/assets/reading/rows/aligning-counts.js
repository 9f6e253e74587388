// Aligns the rows of a print-out with the modules of a model, by counts: a row covers a run
// of whole modules (runs.js) that adds up to its count and that no other row has taken.
// Counts and order leave little choice, because modules are listed in the order in which
// they are built or run. If several runs have the same sum, as equal layers do, the row takes the
// one that it names exactly or, failing that, the one with the lowest cost. For the cost, a layer
// number in the name counts most, then the words that the name shares with the run, then the
// distance from the previous row's run. A row that is named as an embedding table or as the pooler is
// wrong if its count is not that of the module. If no run fits, the row is compared with the
// modules that are still uncovered between its neighbours. If its number is close to their sum,
// the row is taken to count them incorrectly.
//
// Rows are placed in order and never moved again, so a wrong choice may leave the next
// row without its run. This is rare, because most counts belong to only one kind of
// module.

import { classOfBare, getOrMake, sumBy } from "../../counting/engine.js"
import { alignedRow, alignmentOf, exactNumberOf, untiedElements } from "./aligning.js"
import { isSlip } from "./named-rows.js"
import { rulerOf } from "./ruler.js"
import { modulesOf, runsOf, runsWithin, searchableName } from "./runs.js"
import { subtotalsOf } from "./subtotals.js"

/** @typedef {import("./runs.js").RulerModule} RulerModule */
/** @typedef {import("./runs.js").Run} Run */

export const HUB_LAYER = "KerasLayer" // from TensorFlow Hub: holds a whole model and one scalar

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
 * @param {string[]} words @param {RulerModule[]} modules @param {Run} run */
function countSharedWords(words, modules, { start, end }) {
  const [first, last] = [modules[start].searchName, modules[end - 1].searchName]
  const translatedWords = words.map((word) => SYNONYMS[word] ?? word)
  return translatedWords.filter((word) => first.includes(word) && last.includes(word)).length
}

/** The layer number in the name of a row; null if the name has none. @param {TextRow} text */
export function layerNumberIn({ name, type }) {
  const [, inLayer, ofLayer] =
    /(?:encoder|transformer|layer|block)[-_. ]?([0-9]+)[-_.]\w|\.(?:layers?|blocks?)\.([0-9]+)$/i.exec(name) ?? []
  if (inLayer || ofLayer) return Number(inLayer ?? ofLayer)
  // In a tree, the name of a layer may be just its number.
  return /Layer$/.test(type) && /^[0-9]+$/.test(name) ? Number(name) : null
}

/** A function that returns the layer number of a row, counted from 0; null if its name has none. A text that does not
 * name layer 0 is taken to count layers from 1.
 * @param {TextRow[]} texts */
function layerNumberReader(texts) {
  const first = Math.min(...texts.flatMap((text) => layerNumberIn(text) ?? [])) === 0 ? 0 : 1
  return (/** @type {TextRow} */ text) => {
    const number = layerNumberIn(text)
    return number === null ? null : number - first
  }
}

// Costs of assigning a row to a run. The unit is one module between the run and the previous row's run.
const FAR_AWAY = 9 // the distance in modules beyond which the cost grows only by `PER_FURTHER_MODULE`
const PER_FURTHER_MODULE = 0.01 // small, but enough to prefer the nearer of two distant runs
const SHARED_WORD = 10 // the saving per shared word; names count for more than the order of rows
const OTHER_LAYER = 40 // enough for the layer that a row names to outweigh distance and a few shared words
const TIED_AGAIN = 0.5 // the surcharge for a run that counts a tied tensor again
const NOT_WHOLE_PART = 1.5 // the surcharge for a run that is not a whole part; see `Run`
const NOT_WHOLE_PART_ROUNDED = 10 // the same for a rounded count, which fits many runs by chance

const POOLER = "pooler"

/** A name in lower case without separators. @param {string} name */
const nameWithoutSeparators = (name) => searchableName(name.replace(/[\s.-]/g, ""))

/** Whether a row is named as a pooler. @param {TextRow} text */
export const isNamedPooler = ({ name }) => nameWithoutSeparators(name.slice(name.lastIndexOf(".") + 1)) === POOLER

/** The runs of the embedding tables and of the pooler, by the names of rows that show them whatever their count. Other
 * names are less certain: an encoder may be counted with its embeddings, and many modules are called "dense".
 * @param {RulerModule[]} modules @returns {Map<string, Run>} */
function runsByName(modules) {
  /** @type {Map<string, { start: number, modules: RulerModule[] }>} */
  const modulesByName = new Map()
  for (const [start, module] of modules.entries()) {
    const path = module.name.split(".").map(searchableName)
    const tableName = isTable(module) ? path.at(-1) : undefined
    const name = path.includes(POOLER) ? POOLER : tableName
    if (name) getOrMake(modulesByName, name, () => ({ start, modules: [] })).modules.push(module)
  }
  return new Map(
    [...modulesByName].map(([name, { start, modules: namedModules }]) => {
      const sum = sumBy(namedModules, ({ untiedSum }) => untiedSum)
      return [name, { start, end: start + namedModules.length, sum, countedAgain: 0, isWholePart: true }]
    }),
  )
}

/** Whether a module is an embedding table. @param {RulerModule} module */
const isTable = ({ tensors }) => tensors.every(({ row }) => row.tags.has("embedding-table"))

/** Aligns rows one by one. */
class CountAligner {
  /** @param {Ruler} ruler @param {TextRow[]} texts */
  constructor(ruler, texts) {
    this.ruler = ruler
    this.modules = modulesOf(ruler)
    this.runs = runsOf(this.modules)
    this.runsByName = runsByName(this.modules)
    this.subtotals = subtotalsOf(texts)
    this.layerOf = layerNumberReader(texts)
    /** By count: the runs of this sum that were free when it was last looked up. @type {Map<number, Run[]>} */
    this.remainingRuns = new Map()
    /** The modules that a row has taken. @type {Set<RulerModule>} */
    this.covered = new Set()
    /** The last row placed, and its run. @type {{ text: TextRow, run: Run } | null} */
    this.last = null
  }

  /** The tensors of a run. @param {Run} run */
  tensorsOf({ start, end }) {
    return this.modules.slice(start, end).flatMap(({ tensors }) => tensors)
  }

  /** Whether no row has taken any module of a run. @param {Run} run */
  isFree({ start, end }) {
    for (let index = start; index < end; index++) if (this.covered.has(this.modules[index])) return false
    return true
  }

  /** Whether a row is the body of a model that also has a head. @param {TextRow} text */
  isBody({ type }) {
    const body = classOfBare(this.ruler.architecture)
    return type === body && this.ruler.modelClass !== body
  }

  /** Assigns a run to a row. @param {TextRow} text @param {Run} run */
  assign(text, run) {
    this.last = { text, run }
    for (const module of this.modules.slice(run.start, run.end)) this.covered.add(module)
  }

  /** The aligned row for a printed row, and the run that it counts, which is null if the row needs none; null if no
   * free run fits.
   * @param {TextRow} text @returns {{ row: AlignedRow, run: Run | null } | null} */
  place(text) {
    const { low, high } = text
    if (low === null || high === null || high === 0) return { row: alignedRow(text, "right", 0), run: null }
    if (this.subtotals.has(text)) return { row: alignedRow(text, "subtotal"), run: null }
    if (this.last && isRepeated(text, this.last.text)) {
      const { run } = this.last
      return { row: alignedRow(text, "counted twice", 0, this.tensorsOf(run)), run }
    }
    const namedRun = this.runsByName.get(nameWithoutSeparators(text.name))
    if (namedRun && this.isFree(namedRun) && low === high && low !== namedRun.sum) {
      this.assign(text, namedRun)
      return { row: alignedRow(text, "wrong", namedRun.sum, this.tensorsOf(namedRun)), run: namedRun }
    }
    const run = this.bestRun(text, { low, high })
    if (!run) return null
    this.assign(text, run)
    const tensors = this.tensorsOf(run)
    return { row: alignedRow(text, verdictOnRun(text, run), sumBy(tensors, untiedElements), tensors), run }
  }

  /** The free runs whose sum agrees with a count, which may be rounded. Those of an exact count are kept, because the
   * same count may be on thousands of lines, and a run that has been taken never becomes free again.
   * @param {{ low: number, high: number }} count */
  freeRuns({ low, high }) {
    const isExact = low === high
    const candidates = (isExact && this.remainingRuns.get(low)) || runsWithin(this.runs, { low, high })
    const runs = candidates.filter((run) => this.isFree(run))
    if (isExact) this.remainingRuns.set(low, runs)
    return runs
  }

  /** Whether a run is exactly what a path names, such as cls.predictions. A tied decoder beside it adds nothing.
   * @param {Run} run @param {string} path */
  isNamedBy({ start, end }, path) {
    const isInPath = (/** @type {RulerModule} */ { name }) => `${name}.`.startsWith(`${path}.`)
    const isNext = (/** @type {RulerModule | undefined} */ module) => module && module.untiedSum > 0 && isInPath(module)
    return (
      this.modules.slice(start, end).every(isInPath) && !isNext(this.modules[start - 1]) && !isNext(this.modules[end])
    )
  }

  /** Of the free runs whose sum agrees with a count, the one that the row names exactly or, failing that, the one with
   * the lowest cost; undefined if there is none.
   * @param {TextRow} text @param {{ low: number, high: number }} count */
  bestRun(text, { low, high }) {
    const scalars = text.type === HUB_LAYER ? 1 : 0
    const signals = { words: distinguishingWordsOf(text), layer: this.layerOf(text), isRounded: low !== high }
    let [bestRun, lowestCost] = [/** @type {Run | undefined} */ (undefined), Infinity]
    for (const run of this.freeRuns({ low: low - scalars, high: high - scalars })) {
      if (!this.mayShow(text, run)) continue
      if (text.name && this.isNamedBy(run, text.name)) return run
      const cost = this.costOf(run, signals)
      if (cost < lowestCost) [bestRun, lowestCost] = [run, cost]
    }
    return bestRun
  }

  /** Whether a row of this type may show a run: a row whose type is the model's class shows the whole model, and the
   * body of a model shows nothing of the head.
   * @param {TextRow} text @param {Run} run */
  mayShow(text, run) {
    if (text.type === this.ruler.modelClass && run.end - run.start < this.modules.length) return false
    return !this.isBody(text) || !this.tensorsOf(run).some(({ row }) => row.block === "task-head")
  }

  /** The cost of assigning a run to a row. It grows with the distance from the previous row's run and falls with each
   * shared word. The other constants are surcharges.
   * @param {Run} run
   * @param {{ words: string[], layer: number | null, isRounded: boolean }} signals  the distinguishing words of the
   * row, the layer that it names, and whether its count is rounded */
  costOf(run, { words, layer, isRounded }) {
    const [runLayer] = this.modules[run.start].tensors[0].numbers
    const distance = Math.abs(run.start - (this.last?.run.end ?? 0))
    const sharedWords = countSharedWords(words, this.modules, run)
    let cost = Math.min(distance, FAR_AWAY) + PER_FURTHER_MODULE * distance - SHARED_WORD * sharedWords
    if (layer !== null && runLayer !== undefined && runLayer !== layer) cost += OTHER_LAYER
    if (run.countedAgain) cost += TIED_AGAIN
    if (!run.isWholePart) cost += isRounded ? NOT_WHOLE_PART_ROUNDED : NOT_WHOLE_PART
    return cost
  }

  /** The aligned rows, including those that no run fits. If such a row's number is close to the sum of the uncovered
   * modules between its neighbours, the row is taken to count those modules. If its number is the count of other
   * modules, the row counts them twice. Any other row is an addition.
   * @param {TextRow[]} texts @returns {AlignedRow[]} */
  rowsOf(texts) {
    const places = texts.map((text) => this.place(text))
    const gaps = gapsAround(
      places.map((place) => (place ? place.run : undefined)),
      this.modules.length,
    )
    return texts.map((text, index) => {
      const place = places[index]
      if (place) return place.row
      const gap = gaps[index]
      const modules = this.modules
        .slice(gap.start, gap.end)
        .filter((module) => !this.covered.has(module) && module.untiedSum)
      const row = gap.isShared ? null : rowOfGap(text, modules)
      if (!row) return this.unplacedRow(text)
      for (const module of modules) this.covered.add(module)
      return row
    })
  }

  /** The aligned row for a count that no uncovered modules explain: "counted twice" if other modules have this count,
   * "added" otherwise.
   * @param {TextRow} text */
  unplacedRow(text) {
    const stated = exactNumberOf(text)
    // No other module is a pooler, even if it has the same number.
    const [run] = stated === null || isNamedPooler(text) ? [] : (this.runs.get(stated) ?? [])
    if (!run) return alignedRow(text, "added")
    return alignedRow(text, "counted twice", 0, run.sum === this.ruler.total ? [] : this.tensorsOf(run))
  }
}

/** A number in a name, such as that of a layer, but not that of a version in the name of a class: DebertaV2Layer. */
const NUMBER_IN_NAME = /(?<![A-Z])[0-9]/

/** Whether a row repeats the last one that was placed: the two have the same numbered name and the same exact count.
 * The row then takes no run, even if one would fit.
 * @param {TextRow} row @param {TextRow} last */
const isRepeated = ({ name, low, high }, last) =>
  NUMBER_IN_NAME.test(name) && last.name === name && last.low === low && low === high

/** The verdict on a row to which a run has been assigned. @param {TextRow} text @param {Run} run
 * @returns {LineVerdict} */
function verdictOnRun({ type, low, high }, run) {
  // The scalar that a layer of TensorFlow Hub counts is not the model's.
  if (type === HUB_LAYER) return "wrong"
  if (run.countedAgain) return "counted twice"
  return low === high ? "right" : "rounded"
}

/** The gap around each row without a run: the modules between the runs of the nearest rows that have one. A gap is
 * shared if several rows without a run are in it.
 * @param {(Run | null | undefined)[]} runs  null for a row that needs none @param {number} moduleCount */
function gapsAround(runs, moduleCount) {
  const starts = boundsBefore(runs, 0, ({ end }) => end)
  const ends = boundsBefore([...runs].reverse(), moduleCount, ({ start }) => start).reverse()
  const startsOfGaps = starts.filter((_, index) => runs[index] === undefined)
  return starts.map((start, index) => ({
    start,
    end: ends[index],
    isShared: startsOfGaps.indexOf(start) !== startsOfGaps.lastIndexOf(start),
  }))
}

/** For each row of a list, the bound of the nearest run before it; `initialBound` for the rows before any run.
 * @param {(Run | null | undefined)[]} runs @param {number} initialBound @param {(run: Run) => number} boundOf */
function boundsBefore(runs, initialBound, boundOf) {
  let bound = initialBound
  return runs.map((run) => {
    const boundBefore = bound
    if (run) bound = boundOf(run)
    return boundBefore
  })
}

const MAX_ERROR = 0.35 // the largest relative error of a row that is taken to count its gap incorrectly
const MIN_CUT_NUMBER = 100 // the smallest number whose last digits may be missing; fewer digits would fit too many sums

/** The class of a row with a whole model. If its number is not mistyped, it is that of a model with other sizes. */
const WHOLE_MODEL = /(?:Model|MainLayer|Backbone)$/

/** The aligned row for the modules of a gap; null if its number is not close to their sum.
 * @param {TextRow} text @param {RulerModule[]} gap @returns {AlignedRow | null} */
function rowOfGap(text, gap) {
  const stated = exactNumberOf(text)
  const gapSum = sumBy(gap, ({ untiedSum }) => untiedSum)
  if (stated === null || !gapSum) return null
  const tensors = gap.flatMap((module) => module.tensors)
  // A narrow column wraps the last digits of a number onto another line, which may be lost.
  if (stated >= MIN_CUT_NUMBER && String(gapSum).startsWith(String(stated)))
    return { ...alignedRow(text, "right", gapSum, tensors), stated: gapSum }
  const isNear = !WHOLE_MODEL.test(text.type) && Math.abs(stated - gapSum) < MAX_ERROR * gapSum
  return isNear || isSlip(stated, gapSum) ? alignedRow(text, "wrong", gapSum, tensors) : null
}

/** The tensors of a model aligned with the rows of a print-out, by their counts.
 * @param {TextRow[]} texts @param {Recognised} recognised @returns {Alignment} */
export function alignByCount(texts, { modelClass, sizes, choices }) {
  const ruler = rulerOf(modelClass, sizes, choices)
  return alignmentOf(ruler, withDetailsAsSubtotals(new CountAligner(ruler, texts).rowsOf(texts)))
}

/** The rows, in which those that count part of a right row again, and whose names continue its name, become subtotals.
 * A text may, for example, list the parts of one layer below the count of all layers.
 * @param {AlignedRow[]} rows */
function withDetailsAsSubtotals(rows) {
  const names = rows.flatMap(({ text, verdict }) => (text.name && verdict === "right" ? [`${text.name}.`] : []))
  return rows.map((row) => {
    const isDetail = row.verdict === "counted twice" && names.some((name) => row.text.name.startsWith(name))
    return isDetail ? alignedRow(row.text, "subtotal", sumBy(row.tensors, untiedElements), row.tensors) : row
  })
}
