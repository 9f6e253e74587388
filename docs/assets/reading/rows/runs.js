// Lists the runs of consecutive modules of a model by their sums. A row of a summary gives
// one count, and the runs with this sum are the parts that the row may show: whole parts of
// the model, and short runs such as the four projections of attention.

import { getOrMake, sumBy } from "../../counting/engine.js"
import { untiedElements } from "./aligning.js"
import { mayBe } from "./text-row.js"

/** A module of a ruler: its name, the name in lower case without underscores (`searchName`), its tensors, and its
 * number of elements without tied tensors (`untiedSum`) and with them (`fullSum`).
 * @typedef {object} RulerModule
 * @property {string} name
 * @property {string} searchName
 * @property {RulerTensor[]} tensors
 * @property {number} untiedSum
 * @property {number} fullSum */

/** A name in lower case without underscores, to be searched for words. @param {string} name */
export const searchableName = (name) => name.toLowerCase().replaceAll("_", "")

/** The modules of a ruler, in order. @param {Pick<Ruler, "tensors">} ruler @returns {RulerModule[]} */
export function modulesOf(ruler) {
  /** @type {RulerModule[]} */
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

const MAX_RUN_LENGTH = 12 // the most modules in a run that is not a whole part, such as a layer's four projections

/** The number of elements of tied vectors in a module, such as the bias of a decoder. @param {RulerModule} module */
const tiedVectorsIn = ({ tensors }) =>
  sumBy(tensors, ({ tied, shape, elements }) => (tied && shape.length < 2 ? elements : 0))

/** A function that returns the sums of the modules from `start` up to but not including `end`: without tied tensors,
 * with them, and with the matrix of a decoder alone, whose bias is in the same head. Some tools count tied tensors
 * again.
 * @param {RulerModule[]} modules */
function sumsBetween(modules) {
  // Cumulative sums; the sum of a run is the difference between two of them.
  const [untiedSums, fullSums, tiedVectors] = [[0], [0], [0]]
  for (const [index, module] of modules.entries()) {
    untiedSums.push(untiedSums[index] + module.untiedSum)
    fullSums.push(fullSums[index] + module.fullSum)
    tiedVectors.push(tiedVectors[index] + tiedVectorsIn(module))
  }
  return (/** @type {number} */ start, /** @type {number} */ end) => {
    const [untiedSum, fullSum] = [untiedSums[end] - untiedSums[start], fullSums[end] - fullSums[start]]
    const tiedVectorSum = end > start + 1 ? tiedVectors[end] - tiedVectors[start] : 0
    return { untiedSum, sums: new Set([untiedSum, fullSum - tiedVectorSum, fullSum]) }
  }
}

/** The sums of the modules below each name, with tied tensors and without. @param {RulerModule[]} modules */
export function sumsOfParts(modules) {
  const sumsOf = sumsBetween(modules)
  return new Set([...boundsOfParts(modules).values()].flatMap(([start, end]) => [...sumsOf(start, end).sums]))
}

/** The runs of modules by their sum: whole parts of the model, and short runs anywhere. A run with a tied tensor is
 * listed under several sums.
 * @param {RulerModule[]} modules @returns {Map<number, Run[]>} */
export function runsOf(modules) {
  /** @type {Map<number, Run[]>} */
  const runs = new Map()
  const sumsOf = sumsBetween(modules)
  /** Adds the run from `start` up to but not including `end`, under each of its sums.
   * @param {number} start @param {number} end @param {boolean} isWholePart */
  const add = (start, end, isWholePart) => {
    const { untiedSum, sums } = sumsOf(start, end)
    for (const sum of sums) {
      // Unless it is the whole model, a run neither begins nor ends with a module that adds nothing, such as a tied
      // decoder.
      const isAll = start === 0 && end === modules.length
      if (!sum || (sum === untiedSum && !isAll && !(modules[start].untiedSum && modules[end - 1].untiedSum))) continue
      getOrMake(runs, sum, () => []).push({ start, end, sum, countedAgain: sum - untiedSum, isWholePart })
    }
  }
  const partBounds = boundsOfParts(modules)
  for (const [start, end] of partBounds.values()) add(start, end, true)
  for (let start = 0; start < modules.length; start++)
    for (let end = start + 1; end <= Math.min(start + MAX_RUN_LENGTH, modules.length); end++)
      if (!partBounds.has(`${start} ${end}`)) add(start, end, end === start + 1)
  return runs
}

/** The bounds of the modules below each name, keyed by the bounds as a string, because several names may cover the same
 * modules.
 * @param {RulerModule[]} modules @returns {Map<string, [number, number]>} */
function boundsOfParts(modules) {
  /** @type {Map<string, [number, number]>} */
  const byName = new Map([["", [0, modules.length]]])
  modules.forEach(({ name }, index) => {
    const components = name.split(".")
    for (let length = 1; length <= components.length; length++) {
      const path = components.slice(0, length).join(".")
      const bounds = byName.get(path)
      if (bounds) bounds[1] = index + 1
      else byName.set(path, [index, index + 1])
    }
  })
  return new Map([...byName.values()].map((bounds) => [bounds.join(" "), bounds]))
}

/** The runs whose sums agree with a count, which may be rounded.
 * @param {Map<number, Run[]>} runs @param {{ low: number, high: number }} count */
export function runsWithin(runs, count) {
  if (count.low === count.high) return runs.get(count.low) ?? []
  return [...runs].filter(([sum]) => mayBe(count, sum)).flatMap(([, runsOfSum]) => runsOfSum)
}
