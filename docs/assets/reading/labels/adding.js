// Finds the ways to add a given number of trained parameters to a model: a method, its modules and its
// size. For most methods, the parameters are linear in the rank and add up module by module, so the rank
// follows for every set of modules. Methods that split the widths of matrices are tried at their usual
// sizes instead. The rarer a choice, the higher its cost.

import { count as countChanged, METHODS, usualModules } from "../../counting/changes.js"
import { ofModel } from "../../counting/configuration.js"
import { classOfBare, sumBy } from "../../counting/engine.js"
import { byCost } from "../../explaining/ways.js"
import { adaptedMatrices, NO_EXTRAS } from "./extras.js"
import {
  ALL_LINEAR,
  addedParameters,
  DENSE,
  HEAD_COPY,
  KINDS,
  LINEAR_METHODS,
  leavesOutHead,
  MODULES,
  matricesOf,
  matricesOfHead,
  parametersBySplitting,
} from "./matrices.js"
import { hasHead, onceByClass } from "./totals.js"

const MAX_RANK = 1024
const MAX_FREQUENCIES = 10000 // of FourierFT
const MAX_TOKENS_OR_WIDTH = 512 // virtual tokens, or the width of an adapter's bottleneck
const MAX_USUAL_COST = 0.5 // if a way costs less than this, methods that split widths are not tried
const RARE_SET_COST = 4.5 // the cost of a set of modules that hardly anybody chooses
const RARE_SIZE_COST = 4.5 // the cost of a rank or number of virtual tokens that hardly anybody chooses
const ALL_LINEAR_COST = 1 // the cost of adapters on all linear layers

// Changes to the cost of a choice. Of two constants, the first applies if the text names the choice, the second if the
// text names a different one.
const [NAMED_METHOD, OTHER_METHOD] = [-1, 1]
const NAMED_IA3 = -2
const NAMED_PROMPTS = -3.5 // the change for methods without modules, which fit many numbers by chance
const [NAMED_MODULES, OTHER_MODULES] = [-2, 2]
const [NAMED_RANK, OTHER_RANK] = [-3, 3]

/** @typedef {import("./totals.js").TotalLine} TotalLine */
/** @typedef {import("./extras.js").Extras} Extras */
/** @typedef {import("./matrices.js").Matrix} Matrix */
/** A method with its sizes and modules. `rank` is its size, whatever the method calls it, and 0 if it has none; `width`
 * is that of a prompt encoder, and 0 if there is none. `feedforward` lists the modules whose inputs IA3 scales instead
 * of their outputs. `untrainedCount` is the number of parameters that the method adds without training them, and
 * `movedCount` the number of added parameters that are trained only because PEFT has moved them.
 * @typedef {{ method: string, rank: number, modules: string[], feedforward: string[], width: number,
 *   untrainedCount: number, movedCount: number, cost: number }} MethodWay */

/** The fields of a way whose method trains everything that it adds, as most do. */
export const TRAINS_ALL = { untrainedCount: 0, movedCount: 0 }
const MOVED_COST = 1 // the cost of parameters that PEFT has moved and thereby made trainable

/** The number of parameters that a method adds to a model, apart from PEFT's copy of a head. */
export const countAdded = onceByClass(
  (
    /** @type {Pick<TotalLine, "model" | "modelClass">} */ { model, modelClass },
    /** @type {string} */ method,
    /** @type {number} */ rank,
    /** @type {string[]} */ modules = [],
    /** @type {number} */ width = 0,
  ) => {
    const tuning = { method, rank, width, modules, feedforward: [] }
    const { rows } = countChanged({ ...ofModel(model.name, modelClass), tuning })
    return sumBy(rows, (row) => (row.added && row.at !== HEAD_COPY ? row.number : 0))
  },
)

/** Whether PEFT can put adapters on all linear layers of a model and still copy its head. @param {TotalLine} line */
const canTakeAllLinear = (line) => !hasHead(line) || leavesOutHead(line)

/** All sets of modules of a model, with the cost of each. The set of all linear layers is among them only if PEFT does
 * not copy the head, or can still copy it with adapters on all linear layers. */
export const moduleSetsOf = onceByClass((/** @type {TotalLine} */ line, /** @type {boolean} */ isHeadCopied) => {
  const presentModules = MODULES.filter((name) => matricesOf(line)[name].length)
  const usualKey = (usualModules("lora", line.model.architecture).modules ?? "query,value").split(",").join()
  /** Every set but the empty one. The bits of its index plus one select the modules. @type {[string[], number][]} */
  const sets = Array.from({ length: 2 ** presentModules.length - 1 }, (_, bits) => {
    const modules = presentModules.filter((_, index) => (bits + 1) & (1 << index))
    return [modules, modules.join() === usualKey ? 0 : (SET_COSTS[modules.join()] ?? RARE_SET_COST)]
  })
  if (!isHeadCopied || canTakeAllLinear(line)) sets.push([[ALL_LINEAR], ALL_LINEAR_COST])
  return [...sets, ...denseSetsOf(line, sets, isHeadCopied)]
})

/** The sets in `DENSE_SETS` whose modules the model has, except those with the same matrices as a set in `others`.
 * Empty unless both modules of the feed-forward network are called "dense".
 * @param {TotalLine} line @param {[modules: string[], cost: number][]} others @param {boolean} isHeadCopied
 * @returns {[modules: string[], cost: number][]} */
function denseSetsOf(line, others, isHeadCopied) {
  const matrices = matricesOf(line)
  /** The names of all matrices in modules of these kinds, in alphabetical order. */
  const namesOf = (/** @type {string[]} */ kinds) => {
    const ofHead = isHeadCopied ? [] : matricesOfHead(line, kinds, 0)
    return [...kinds.flatMap((kind) => matrices[kind]), ...ofHead].map(({ name }) => name).sort()
  }
  const denseNames = namesOf([DENSE])
  const hasDenseFeedForward = ["intermediate", "output"].every((kind) =>
    namesOf([kind]).some((name) => denseNames.includes(name)),
  )
  if (!hasDenseFeedForward) return []
  const otherNames = new Set(others.map(([kinds]) => namesOf(kinds).join()))
  return DENSE_SETS.filter(
    ([kinds]) => kinds.every((kind) => matrices[kind].length) && !otherNames.has(namesOf(kinds).join()),
  )
}

/** Sets with every module called "dense", each with its cost. @type {[modules: string[], cost: number][]} */
const DENSE_SETS = [
  [["query", "key", "value", DENSE], 1],
  [["query-key-value", DENSE], 1],
  [["query", "value", DENSE], 2],
  [[DENSE], 2],
]

/** The costs of sets of modules that people choose. @type {Record<string, number>} */
const SET_COSTS = {
  "query,value": 0,
  query: 1,
  "query,key": 1.5,
  "query,key,value": 0.8,
  value: 2,
  key: 3,
  output: 3,
  intermediate: 3,
  "query,key,value,attention-output": 1,
  "query,key,value,attention-output,intermediate,output": 1,
  "query-key-value,attention-output,intermediate,output": 1,
  "attention-output,intermediate,output": 2,
  "intermediate,output": 2,
  "query,value,attention-output": 2,
  "query,value,intermediate,output": 2,
  "query-key-value": 0,
  "query-key-value,attention-output": 1,
  "attention-output": 1.5,
}

/** The costs of ranks. @type {Record<number, number>} */
const RANK_COSTS = {
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

/** The costs of methods that add tensors alongside matrices. A method that adds as many parameters as another one at
 * every rank is left out.
 * @type {Record<string, number>} */
const ADDING_COSTS = { lora: 0, dora: 1.5, adalora: 2, vera: 2.5, loha: 2.5, hra: 3, miss: 3, fourierft: 3 }

/** The costs of methods that split the widths of matrices. @type {Record<string, number>} */
const SPLITTING_COSTS = { lokr: 2.5, oft: 2.5, boft: 3 }

/** The costs of sizes by method, for methods whose usual sizes differ from those in `RANK_COSTS`.
 * @type {Record<string, Record<number, number>>} */
const SIZE_COSTS = {
  adalora: { ...RANK_COSTS, 12: 0 }, // 12 is the default of PEFT's `init_r`
  vera: { 256: 0, 64: 0.5, 128: 0.5, 512: 0.5, 1024: 0.5, 1000: 1, 8: 1, 16: 1, 32: 1 },
  oft: { 32: 0, 4: 0.5, 8: 0.5, 16: 0.5, 64: 0.5, 128: 0.5, 256: 1, 2: 1 },
  boft: { 4: 0, 2: 0.5, 8: 0.5, 16: 0.5, 32: 0.5, 64: 0.5, 128: 1 },
  fourierft: { 1000: 0, 100: 0.5, 200: 0.5, 300: 0.5, 500: 0.5, 2000: 0.5, 3000: 0.5, 64: 1, 256: 1 },
}

const UNLISTED_COST = 1.5 // the cost of a method that is not listed in OTHER_COSTS
/** The costs of methods that add nothing to matrices, or only a vector to each. @type {Record<string, number>} */
const OTHER_COSTS = { ia3: 0.5, norms: 1.5, "p-tuning": 2, "p-tuning-lstm": 3 }

/** The costs of numbers of virtual tokens. @type {Record<number, number>} */
const TOKEN_COSTS = {
  20: 0,
  10: 0,
  8: 0.5,
  30: 0.5,
  50: 0.5,
  100: 0.5,
  16: 0.5,
  32: 0.5,
  5: 1,
  64: 1,
  128: 1,
  4: 1,
  40: 1.5,
}

const USUAL_WIDTH = 128 // the width of the prompt encoder in PEFT's guide to p-tuning
/** The widths of prompt encoders that people choose, in addition to the model's hidden size. */
const ENCODER_WIDTHS = [64, 128, 256, 512, 768, 1024]

/** A search for ways to add exactly `adapters` trained parameters to a model. `isLimitedToNamed` is true if
 * only LoRA, DoRA and the methods that the words name are tried.
 * @typedef {{ line: TotalLine, adapters: number, hints: Hints, isLimitedToNamed: boolean }} Search */

/** Whether a method other than LoRA and DoRA is tried. @param {string} method
 * @param {Pick<Search, "hints" | "isLimitedToNamed">} search */
const isTried = (method, { hints, isLimitedToNamed }) => !isLimitedToNamed || hints.methods.includes(method)

/** The ways to add exactly this many trained parameters to a model, the likeliest first.
 * @param {Search} search
 * @param {Extras} [extras]
 * @param {number | null} [labels]  of a head to which adapters may be added; null if PEFT copies or trains the head, or
 * if there is none */
export function waysToAddParameters(search, extras = NO_EXTRAS, labels = null) {
  const { line, adapters, hints } = search
  if (adapters <= 0) return []
  /** @type {MethodWay[]} */
  const ways = []
  const additions = additionsOf(line, extras.saved, labels)
  const isLimitedToNamed = search.isLimitedToNamed || extras.bias !== ""
  for (const [modules, cost] of moduleSetsOf(line, labels === null))
    ways.push(...waysAlongsideMatrices({ ...search, isLimitedToNamed }, modules, cost, additions))
  const hasUsualWay = ways.some(({ cost }) => cost < MAX_USUAL_COST)
  if (!extras.bias && !hasUsualWay) ways.push(...waysSplittingWidths(search, labels === null && !extras.saved))
  if (!extras.bias) ways.push(...waysWithIa3(search))
  if (!extras.bias && !extras.saved) ways.push(...waysWithPromptsAndNorms(search))
  /** Whether the words name methods, but not this one. */
  const isOtherMethod = (/** @type {MethodWay} */ { method }) =>
    hints.methods.length > 0 && !hints.methods.includes(method)
  return ways.map((way) => (isOtherMethod(way) ? { ...way, cost: way.cost + OTHER_METHOD } : way)).sort(byCost)
}

/** The numbers of parameters that methods add, by method and kind of module, as `addedParameters` returns them.
 * @typedef {Record<string, Record<string, { perUnit: number, fixed: number, untrainedCount: number }>>} Additions */

/** The parameters that each method adds to the modules of a model, except to the one that PEFT saves in full. `labels`
 * is as for `waysToAddParameters`. */
export const additionsOf = onceByClass(
  (/** @type {TotalLine} */ line, /** @type {string} */ savedModule, /** @type {number | null} */ labels) => {
    const matrices = KINDS.map(
      (name) => /** @type {const} */ ([name, adaptedMatrices(line, [name], labels, savedModule)]),
    )
    const ofMethod = (/** @type {string} */ method) =>
      Object.fromEntries(matrices.map(([name, ofKind]) => [name, addedParameters(method, ofKind)]))
    /** @type {Additions} */
    const additions = Object.fromEntries(Object.keys(ADDING_COSTS).map((method) => [method, ofMethod(method)]))
    return additions
  },
)

/** The ways to add exactly this many trained parameters to a set of modules with methods that add tensors alongside
 * matrices.
 * @param {Omit<Search, "line">} search @param {string[]} modules @param {number} cost  of these modules
 * @param {Additions} additions @returns {MethodWay[]} */
export function waysAlongsideMatrices(search, modules, cost, additions) {
  const { adapters, hints } = search
  return Object.entries(ADDING_COSTS).flatMap(([method, methodCost]) => {
    if (!["lora", "dora"].includes(method) && !isTried(method, search)) return []
    const modulesHint = areSameSet(hints.modules, modules) ? NAMED_MODULES : OTHER_MODULES
    // If the text names a method, the method is likelier, but an odd choice of its modules and size is not.
    const costOfMethod = Math.max(0, methodCost + (hints.methods.includes(method) ? NAMED_METHOD : 0))
    const costOfChoice = costOfMethod + cost + (hints.modules.length ? modulesHint : 0)
    /** The ways in which the method adds `untrainedCount` parameters without training them, and `movedCount` parameters
     * that PEFT has moved. */
    const waysWith = (/** @type {number} */ untrainedCount, /** @type {number} */ movedCount) =>
      sizesFor(method, additions[method], modules, adapters - movedCount).map((rank) => {
        const rankHint = hints.rank === rank ? NAMED_RANK : OTHER_RANK
        const sizeCost = ((SIZE_COSTS[method] ?? RANK_COSTS)[rank] ?? RARE_SIZE_COST) + (hints.rank ? rankHint : 0)
        const wholeCost = costOfChoice + sizeCost + (movedCount ? MOVED_COST : 0)
        return { method, rank, modules, feedforward: [], width: 0, untrainedCount, movedCount, cost: wholeCost }
      })
    const untrainedCount = sumBy(modules, (name) => additions[method][name].untrainedCount)
    return [...waysWith(untrainedCount, 0), ...(untrainedCount ? waysWith(0, untrainedCount) : [])]
  })
}

/** The size with which a method adds exactly this many parameters to modules, as a list; empty if that is not a
 * plausible whole number.
 * @param {string} method @param {Additions[string]} additions @param {string[]} modules @param {number} adapters
 * @returns {number[]} */
function sizesFor(method, additions, modules, adapters) {
  const perUnit = sumBy(modules, (name) => additions[name].perUnit)
  const fixedNumber = sumBy(modules, (name) => additions[name].fixed)
  const size = (adapters - fixedNumber) / perUnit
  const maxSize = LINEAR_METHODS[method].letter === "r" ? MAX_RANK : MAX_FREQUENCIES
  return Number.isInteger(size) && size >= 1 && size <= maxSize ? [size] : []
}

/** The ways to add exactly this many parameters with a method that splits widths, at a usual size.
 * @param {Search} search @param {boolean} includesAllLinear  whether to try the set of all linear layers
 * @returns {MethodWay[]} */
function waysSplittingWidths(search, includesAllLinear) {
  const { line, adapters, hints } = search
  const sets = moduleSetsOf(line, true).filter(([[name]]) => includesAllLinear || name !== ALL_LINEAR)
  return Object.entries(SPLITTING_COSTS).flatMap(([method, methodCost]) => {
    if (!isTried(method, search)) return []
    const costWithHint = methodCost + (hints.methods.includes(method) ? NAMED_METHOD : 0)
    return Object.entries(SIZE_COSTS[method] ?? RANK_COSTS).flatMap(([digits, sizeCost]) => {
      const rank = Number(digits)
      const perModule = parametersBySplitting(line, method, rank)
      const fieldsOfSize = { method, rank, feedforward: [], width: 0, ...TRAINS_ALL }
      return sets
        .filter(([modules]) => sumBy(modules, (name) => perModule[name]) === adapters)
        .map(([modules, cost]) => ({ ...fieldsOfSize, modules, cost: costWithHint + sizeCost + cost }))
    })
  })
}

/** The ways to add exactly this many parameters with IA3, on PEFT's default modules or on others that people choose.
 * @param {Search} search @returns {MethodWay[]} */
function waysWithIa3(search) {
  if (!isTried("ia3", search)) return []
  const { line, adapters, hints } = search
  const defaults = usualModules("ia3", line.model.architecture)
  const matrices = matricesOf(line)
  const isFused = matrices["query-key-value"].length > 0
  /** @type {[modules: string[], feedforward: string[], cost: number][]} */
  const sets = [
    [(defaults.modules ?? "").split(","), (defaults.feedforward ?? "").split(","), 0],
    [["key", "value", "output"], ["output"], 0.5],
    [["key", "value", "attention-output", "output"], ["attention-output", "output"], 0.5],
    [["query", "value", "output"], ["output"], 1],
    [["query", "key", "value", "output"], ["output"], 1],
    [["query-key-value", "output"], ["output"], 0.5],
  ]
  const keys = new Set()
  return sets.flatMap(([modules, feedforward, cost]) => {
    const presentModules = modules.filter((name) => matrices[name]?.length)
    const presentFeedforward = feedforward.filter((name) => presentModules.includes(name))
    const number = sumBy(presentModules, (name) =>
      sumBy(
        matrices[name],
        ({ inputs, outputs, layers }) => layers * (presentFeedforward.includes(name) ? inputs : outputs),
      ),
    )
    // Sets that differ only in modules that the model lacks are the same set, which is tried once.
    const isNew = !keys.has(presentModules.join())
    keys.add(presentModules.join())
    if (number !== adapters || !isNew || (modules.includes("query-key-value") && !isFused)) return []
    const wholeCost = OTHER_COSTS.ia3 + cost + (hints.methods.includes("ia3") ? NAMED_IA3 : 0)
    const sizes = { rank: 0, modules: presentModules, feedforward: presentFeedforward, width: 0 }
    return [{ method: "ia3", ...sizes, ...TRAINS_ALL, cost: wholeCost }]
  })
}

/** The ways to add exactly this many parameters with prompts, prefixes, adapters or LayerNorms.
 * @param {Search} search @returns {MethodWay[]} */
function waysWithPromptsAndNorms(search) {
  const { line, adapters, hints } = search
  /** @type {MethodWay[]} */
  const ways = []
  for (const { name: method, takes } of METHODS.values()) {
    if (takes.modules || !isTried(method, search)) continue
    const methodCost = (OTHER_COSTS[method] ?? UNLISTED_COST) + (hints.methods.includes(method) ? NAMED_PROMPTS : 0)
    const way = { method, modules: [], feedforward: [], ...TRAINS_ALL }
    if (!takes.rank) {
      if (countAdded(line, method, 0) === adapters) ways.push({ ...way, rank: 0, width: 0, cost: methodCost })
      continue
    }
    const { H } = line.model.sizes
    for (const width of takes.width ? [...new Set([0, ...ENCODER_WIDTHS, H])] : [0]) {
      if (method.startsWith("p-tuning") && !width) continue
      const rank = rankFor(search, method, width)
      if (rank === null) continue
      const costOfRank = takes.rank === "t" ? costOfTokens(rank) : costOfBottleneck(rank)
      const sizeCost = hints.rank === rank ? 0 : costOfRank
      ways.push({ ...way, rank, width, cost: methodCost + sizeCost + costOfWidth(width, H) })
    }
  }
  return ways
}

/** The number of virtual tokens, or the width of the bottleneck, with which prompts, prefixes or adapters have exactly
 * this many parameters; null if none is plausible.
 * @param {Search} search @param {string} method @param {number} width  of a prompt encoder, or 0 */
function rankFor({ line, adapters }, method, width) {
  // The size of prompts and adapters does not depend on the class.
  const bareLine = { ...line, modelClass: classOfBare(line.model.architecture) }
  // The number of parameters is linear in this size, so two sizes determine it.
  const [atRank1, atRank2] = [1, 2].map((rank) => countAdded(bareLine, method, rank, [], width))
  const rank = (adapters - 2 * atRank1 + atRank2) / (atRank2 - atRank1)
  return Number.isInteger(rank) && rank >= 1 && rank <= MAX_TOKENS_OR_WIDTH ? rank : null
}

/** The cost of a number of virtual tokens. Of unlisted numbers, multiples of 10 are likelier. @param {number} tokens */
function costOfTokens(tokens) {
  const roundCost = tokens % 10 === 0 ? 2 : RARE_SIZE_COST
  return TOKEN_COSTS[tokens] ?? roundCost
}

/** The cost of the width of an adapter's bottleneck. @param {number} width */
const costOfBottleneck = (width) => ([8, 16, 24, 32, 48, 64, 96, 128, 256].includes(width) ? 0 : 2)

/** The cost of the width of a prompt encoder, if there is one. The usual widths are 128 and the hidden size.
 * @param {number} width  0 without an encoder @param {number} H */
function costOfWidth(width, H) {
  if (!width) return 0
  return width === H || width === USUAL_WIDTH ? 0.5 : 1
}

/** Whether two lists have the same names, in any order. @param {string[]} one @param {string[]} other */
export const areSameSet = (one, other) => one.length === other.length && one.every((name) => other.includes(name))
