// Adapted models: which published model, class, number of labels and method lead to two
// numbers, those that are trained and all, as PEFT prints them.
//
// Without what is trained, all is the model itself, perhaps without a head that is
// trained in place. `totals.js` solves it for the model, the class and the labels. What
// remains of the trained ones once the copied head is taken away is linear in the rank, and the matrices of each module add
// up, so that every set of modules is solved for the rank too. Nothing is tried out.

import table from "../../../data/table.js"
import { count as countChanged, METHODS, usualModules } from "../../counting/changes.js"
import { ofModel } from "../../counting/configuration.js"
import { getOrMake, sumBy } from "../../counting/engine.js"
import { costOfLabels, linesNear, solved, totalsOf } from "./totals.js"

const { changes } = table
const MOST_RANK = 1024
const MODULES = ["query", "key", "value", "query-key-value", "attention-output", "intermediate", "output"]
const ALL = /** @type {string} */ (changes.all_linear)

/** @typedef {import("./totals.js").Line} Line */
/** @typedef {import("./totals.js").Fit} Fit */

// How the two numbers count the head that is trained beside the adapters: `copied` is a copy beside the frozen
// original; in `inPlace` it is trained itself; early versions of PEFT left the original trainable as well; without a
// task nothing but the adapters is trained. Factors are those of the head in what is trained and in what is left of
// all.
export const HEADS = /** @type {const} */ ([
  { name: "copied", trained: 1, left: 0, cost: 0 },
  { name: "frozen", trained: 0, left: 0, cost: 0.5 },
  { name: "both", trained: 2, left: -1, cost: 1 },
  { name: "inPlace", trained: 1, left: -1, cost: 1 },
  { name: "uncounted", trained: 0, left: 1, cost: 2 },
])

/** @typedef {typeof HEADS[number]} HeadCount */
/**
 * @typedef {Fit & { head: HeadCount, method: string, rank: number, modules: string[], width: number, adapters: number,
 * copy: number, methodCost: number }} Adapted
 */

/** @type {Map<string, { perRank: Record<string, number>, fixed: Record<string, number> }>} */
const cache = new Map()

/** What a method adds to each module: for each rank, and in any case.
 * @param {Line} line @param {string} method */
const ofModules = (line, method) =>
  getOrMake(cache, `${line.model.name} ${line.modelClass} ${method}`, () => {
    const [perRank, fixed] = [/** @type {Record<string, number>} */ ({}), /** @type {Record<string, number>} */ ({})]
    for (const name of [...MODULES, ALL]) {
      const [one, two] = [1, 2].map((rank) => added(line, method, rank, [name]))
      ;[perRank[name], fixed[name]] = [two - one, 2 * one - two]
    }
    return { perRank, fixed }
  })

/** @type {Map<string, number>} */
const additions = new Map()

/** The parameters that a method adds to a model; NaN if it cannot be applied.
 * @param {Line} line @param {string} method @param {number} rank @param {string[]} modules @param {number} width */
export const added = (line, method, rank, modules = [], width = 0) =>
  getOrMake(additions, [line.model.name, line.modelClass, method, rank, modules, width].join(), () => {
    try {
      return counted(line, method, rank, modules, width)
    } catch {
      return Number.NaN
    }
  })

/** @param {Line} line @param {string} method @param {number} rank @param {string[]} modules @param {number} width */
function counted({ model, modelClass }, method, rank, modules, width) {
  const inner = usualModules(method, model.architecture).feedforward?.split(",") ?? []
  const feedforward = modules.filter((name) => inner.includes(name))
  const configuration = { ...ofModel(model.name, modelClass), lora: { method, rank, width, modules, feedforward } }
  const { rows: every } = countChanged(configuration)
  return sumBy(every, (row) => (row.added && row.added !== "copied-head" ? row.number : 0))
}

/** All sets of modules that an architecture has, with what each costs.
 * @param {Line} line @param {Record<string, number>} perRank @returns {[modules: string[], cost: number][]} */
function setsOf({ model }, perRank) {
  const own = MODULES.filter((name) => perRank[name])
  const usual = (usualModules("lora", model.architecture).modules ?? "query,value").split(",").join()
  /** @type {[string[], number][]} */
  const sets = Array.from({ length: 2 ** own.length - 1 }, (_, bits) => {
    const set = own.filter((_, place) => (bits + 1) & (1 << place))
    return [set, set.join() === usual ? 0 : (SETS[set.join()] ?? 3)]
  })
  return [...sets, [[ALL], 1]]
}

/** The costs of sets of modules that people choose. @type {Record<string, number>} */
const SETS = {
  "query,value": 0,
  query: 1,
  "query,key": 1.5,
  "query,key,value": 0.8,
  value: 2,
  "query,key,value,attention-output": 1,
  "query,key,value,attention-output,intermediate,output": 1,
  "query-key-value,attention-output,intermediate,output": 1,
  "attention-output,intermediate,output": 2,
  "intermediate,output": 2,
  "query,value,attention-output": 2,
  "query,value,intermediate,output": 2,
}

/** @type {Record<number, number>} */
const RANKS = {
  8: 0,
  16: 0.1,
  4: 0.5,
  32: 0.5,
  64: 0.6,
  2: 1,
  1: 1,
  128: 1,
  256: 1.5,
  12: 1.5,
  24: 1.5,
  20: 1.5,
  10: 1.5,
  6: 1.5,
  3: 1.5,
  48: 1.5,
  512: 2,
  5: 1.5,
  100: 1.5,
}

/** The ways to train exactly this many added parameters, the likeliest first.
 * @param {Line} line @param {number} adapters @param {Hints} hints
 * @param {boolean} [isNamed]  whether only methods are tried that words name */
export function methodsFor(line, adapters, hints, isNamed = false) {
  /** @type {{ method: string, rank: number, modules: string[], width: number, cost: number }[]} */
  const ways = []
  if (adapters <= 0) return ways
  for (const method of ["lora", "dora"]) {
    const { perRank, fixed } = ofModules(line, method)
    for (const [modules, cost] of setsOf(line, perRank)) {
      const [slope, start] = [perRank, fixed].map((of) => modules.reduce((sum, name) => sum + of[name], 0))
      const rank = (adapters - start) / slope
      if (!Number.isInteger(rank) || rank < 1 || rank > MOST_RANK) continue
      const named = hints.modules.length ? (sameSet(hints.modules, modules) ? -2 : 2) : 0
      const ranked = hints.rank ? (hints.rank === rank ? -3 : 3) : 0
      const isNamed = hints.methods.includes(method) ? -1 : 0
      const more = (method === "dora" ? 1.5 : 0) + named + ranked + isNamed
      ways.push({ method, rank, modules, width: 0, cost: cost + (RANKS[rank] ?? 3) + more })
    }
  }
  for (const { name: method, takes } of METHODS.values()) {
    if (["lora", "dora", "rslora"].includes(method) || (isNamed && !hints.methods.includes(method))) continue
    const usual = usualModules(method, line.model.architecture)
    const modules = takes.modules
      ? [usual.modules ?? "", usual.feedforward ?? ""].join().split(",").filter(Boolean)
      : []
    const more = hints.methods.includes(method) ? -2 : 1.5
    for (const width of takes.width ? [0, 128, line.model.sizes.H] : [0]) {
      if (method === "p-tuning" && !width) continue
      if (!takes.rank) {
        if (["bitfit", "layernorm", "norms"].includes(method)) continue
        if (added(line, method, 0, modules) === adapters) ways.push({ method, rank: 0, modules, width, cost: more })
        continue
      }
      const [one, two] = [1, 2].map((rank) => added(line, method, rank, modules, width))
      const rank = (adapters - 2 * one + two) / (two - one)
      if (Number.isInteger(rank) && rank >= 1 && rank <= 512)
        ways.push({
          method,
          rank,
          modules,
          width,
          cost: more + (rank % 10 && ![8, 16, 32, 48, 64, 128].includes(rank) ? 2 : 0) + (width ? 0.5 : 0),
        })
    }
  }
  return ways.sort((one, other) => one.cost - other.cost)
}

/** @param {string[]} one @param {string[]} other */
const sameSet = (one, other) => one.length === other.length && one.every((name) => other.includes(name))

/** Every way to two numbers, the likeliest first, and the models whose plain totals they leave without a way.
 * @param {number} trained @param {number} all @param {Hints} hints @returns {{ ways: Adapted[], bare: Fit[] }} */
export function adaptedTo(trained, all, hints) {
  const left = all - trained
  /** @type {(Fit & { head: HeadCount })[]} */
  const fits = []
  for (const line of linesNear(left))
    for (const head of HEADS) {
      const factor = head.left
      if ((head.trained || factor) && !line.copy && !line.copyPerLabel && head.name !== "copied") continue
      const labels = solved(left, line.base + factor * line.copy, line.perLabel + factor * line.copyPerLabel)
      // Where the labels cancel, they follow from what is trained.
      const isOpen = line.perLabel && !(line.perLabel + factor * line.copyPerLabel)
      for (const C of Number.isNaN(labels) ? [] : isOpen ? LABELS : [labels]) {
        const cost = line.cost + costOfLabels(C) + head.cost + hints.costOf(line, C)
        fits.push({ line, labels: line.perLabel ? C : 0, cost, head })
      }
    }
  /** @type {Adapted[]} */
  const ways = []
  for (const fit of fits.sort(byCost)) {
    const { line, head } = fit
    if (fit.cost > Math.min(MOST_COST, ways[0]?.cost ?? Infinity)) break
    const copy = line.copy + line.copyPerLabel * fit.labels
    const adapters = trained - head.trained * copy
    const [way] = methodsFor(line, adapters, hints)
    if (way) ways.push({ ...fit, ...way, adapters, copy, methodCost: way.cost, cost: fit.cost + way.cost })
    ways.sort(byCost)
  }
  return { ways, bare: fits.filter(({ head }) => head.name === "copied" || head.name === "frozen") }
}

export const MOST_COST = 7 // the largest cost of a way to two numbers

/** @param {{ cost: number }} one @param {{ cost: number }} other */
const byCost = (one, other) => one.cost - other.cost

const LABELS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 12, 13, 14, 15, 16, 17, 18, 19, 20, 28, 77]

/** The ways to a number of trained parameters beside a model of a known total, for a pair in which all does not
 * hold what
 * is added. @param {number} trained @param {number} model  its total @param {Hints} hints @returns {Adapted[]} */
export function adaptersBeside(trained, model, hints) {
  /** @type {Adapted[]} */
  const ways = []
  for (const { line, labels, cost } of totalsOf(model)) {
    const copy = line.copy + line.copyPerLabel * labels
    for (const head of HEADS.slice(0, 2)) {
      const adapters = trained - head.trained * copy
      const [way] = head.trained && !copy ? [] : methodsFor(line, adapters, hints)
      if (way)
        ways.push({
          line,
          labels,
          ...way,
          head,
          adapters,
          copy,
          methodCost: way.cost,
          cost: cost + head.cost + way.cost + hints.costOf(line, labels),
        })
    }
  }
  return ways.sort((one, other) => one.cost - other.cost)
}

/**
 * The methods in other ways that lead to the same number, for the same model.
 * @param {Adapted} of
 * @param {Hints} hints
 */
export const otherMethods = ({ line, adapters, method, rank, modules }, hints) =>
  methodsFor(line, adapters, hints).filter(
    (way) => way.method !== method || way.rank !== rank || !sameSet(way.modules, modules),
  )

/** What PEFT prints for an adapted model if it knows the task: trained, and all. @param {Adapted} of */
export function printed({ line, labels, adapters, copy }) {
  const total = line.base + line.perLabel * labels
  return { trained: adapters + copy, all: total + adapters + copy }
}
