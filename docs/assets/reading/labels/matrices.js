// Lists the matrices to which a method of PEFT may add tensors, and counts the parameters that it
// adds. For most methods, the factors in the size of an added tensor are widths of the matrix and,
// at most once, one size of the method, such as its rank. The number of added parameters is
// therefore linear in that size.

import exported from "../../../data/reading.js"
import table from "../../../data/table.js"
import { count as countChanged } from "../../counting/changes.js"
import { ofModel } from "../../counting/configuration.js"
import { rows, sumBy } from "../../counting/engine.js"
import { onceByClass } from "./totals.js"

/** @typedef {import("./totals.js").TotalLine} TotalLine */

/** A matrix of a dense layer: the name of its module, its numbers of inputs and outputs, the number of layers that have
 * it, and the length of its bias.
 * @typedef {{ name: string, inputs: number, outputs: number, layers: number, bias: number }} Matrix */

/** The kinds of modules, in the calculator's words. */
export const MODULES = ["query", "key", "value", "query-key-value", "attention-output", "intermediate", "output"]
/** The word for all linear layers. */
export const ALL_LINEAR = /** @type {string} */ (table.changes.all_linear)

/** The name that selects every module called "dense", because PEFT compares the endings of names. In a BERT, all
 * layers, the pooler and some heads have such modules. */
export const DENSE = "dense"

/** All kinds of modules that can be adapted, all linear layers and every module called "dense" included. */
export const KINDS = [...MODULES, ALL_LINEAR, DENSE]

/** The methods that add tensors alongside matrices, with parameters that are linear in one size of the method. */
export const LINEAR_METHODS = exported.labels.beside

/** The part to which a method assigns its copy of a head. */
export const HEAD_COPY = "copied"

/** The paths of the heads that PEFT copies. */
const COPIED_PATHS = new Set(table.changes.selected.copied.map((index) => rows[index].path))

/** Whether a row is in a head that PEFT copies if it is given the task. @param {CountedRow} row */
export const isInHead = ({ path }) => COPIED_PATHS.has(path)

/** The rows of a model in a class. */
export const rowsOf = onceByClass(
  (/** @type {Pick<TotalLine, "model" | "modelClass">} */ { model, modelClass }) =>
    countChanged(ofModel(model.name, modelClass)).rows,
)

/** Whether PEFT, when it adapts all linear layers, leaves out the whole head that it copies. It does so only in
 * sequence classification, if the whole head is called "classifier" or "score". PEFT refuses to copy a module that it
 * has adapted.
 * @param {Pick<TotalLine, "model" | "modelClass">} line */
export const leavesOutHead = (line) =>
  line.modelClass.endsWith("ForSequenceClassification") &&
  rowsOf(line).every((row) => !isInHead(row) || /^(?:classifier|score)\./.test(row.name))

/** The name of the first matrix that LoRA adds to a module. */
const MODULE = /^base_model\.model\.(.*)\.lora_A\./

/** The matrices of a model by the kind of module; empty for a kind that the model lacks. */
export const matricesOf = onceByClass((/** @type {Pick<TotalLine, "model" | "modelClass">} */ line) => {
  const biases = new Map(rowsOf(line).map(({ name, elementsPerLayer, tied }) => [name, tied ? 0 : elementsPerLayer]))
  const ofName = (/** @type {string} */ name) => (name === DENSE ? denseOf(line) : loraMatrices(line, name))
  const withBias = (/** @type {Matrix} */ matrix) => ({ ...matrix, bias: biases.get(`${matrix.name}.bias`) ?? 0 })
  /** @type {Record<string, Matrix[]>} */
  const matrices = Object.fromEntries(KINDS.map((name) => [name, ofName(name).map(withBias)]))
  return matrices
})

/** The matrices of a kind of module that LoRA adapts, without their biases.
 * @param {Pick<TotalLine, "model" | "modelClass">} line @param {string} name @returns {Matrix[]} */
function loraMatrices({ model, modelClass }, name) {
  const tuning = { method: "lora", rank: 1, width: 0, modules: [name], feedforward: [] }
  const loraRows = countChanged({ ...ofModel(model.name, modelClass), tuning }).rows.filter(
    (row) => row.added === "lora",
  )
  const outputs = new Map(loraRows.map((row) => [row.name, row.elementsPerLayer]))
  return loraRows.flatMap((row) => {
    const module = MODULE.exec(row.name)?.[1]
    const outputCount = outputs.get(row.name.replace("lora_A", "lora_B"))
    if (!module || !outputCount) return []
    return [{ name: module, inputs: row.elementsPerLayer, outputs: outputCount, layers: row.layers, bias: 0 }]
  })
}

/** The matrix in a row, without its bias. If its outputs are labels, there are `labels` of them.
 * @param {CountedRow} row @param {number} [labels] @returns {Matrix} */
function matrixOf({ name, letters, shape: [height, inputs], layers }, labels) {
  return {
    name: name.replace(/\.weight$/, ""),
    inputs,
    outputs: (letters[0] === "C" && labels) || height,
    layers,
    bias: 0,
  }
}

/** Whether a row is the matrix of a dense layer called "dense". @param {CountedRow} row */
const isDense = ({ name, shape }) => shape.length === 2 && name.endsWith(`.${DENSE}.weight`)

/** The matrices of all dense layers called "dense", except for those of a head that PEFT copies.
 * @param {Pick<TotalLine, "model" | "modelClass">} line @returns {Matrix[]} */
const denseOf = (line) =>
  rowsOf(line)
    .filter((row) => isDense(row) && !isInHead(row))
    .map((row) => matrixOf(row))

/** The matrices of these kinds in the head. PEFT adapts them if it is not given the task, because it then does not copy
 * the head.
 * @param {TotalLine} line @param {string[]} kinds @param {number} labels  0 if the class has a fixed number
 * @returns {Matrix[]} */
export function matricesOfHead(line, kinds, labels) {
  const isOfKinds = (/** @type {CountedRow} */ row) =>
    kinds.includes(ALL_LINEAR) ? row.shape.length === 2 : kinds.includes(DENSE) && isDense(row)
  return rowsOf(line)
    .filter((row) => isInHead(row) && isOfKinds(row))
    .map((row) => matrixOf(row, labels))
}

/** The numbers of parameters that a method adds to matrices, if they are linear in its size: the trained ones per unit
 * of the size (`perUnit`) and in any case (`fixed`), and the untrained ones.
 * @param {string} method @param {Matrix[]} matrices */
export function addedParameters(method, matrices) {
  const { letter, shapes, untrained } = LINEAR_METHODS[method]
  /** The product of a shape's factors if the size of the method is 1.
   * @param {Matrix} matrix @param {string} shape */
  const numberOf = ({ inputs, outputs }, shape) => {
    const widths = /** @type {Record<string, number>} */ ({ in: inputs, out: outputs })
    return shape.split(" ").reduce((product, factor) => product * (widths[factor] ?? 1), 1)
  }
  /** The sum over the shapes that have the size of the method as a factor, or over the others.
   * @param {boolean} hasLetter */
  const sumOfShapes = (hasLetter) =>
    sumBy(
      shapes.filter((shape) => shape.split(" ").includes(letter) === hasLetter),
      (shape) => sumBy(matrices, (matrix) => matrix.layers * numberOf(matrix, shape)),
    )
  return {
    perUnit: sumOfShapes(true),
    fixed: sumOfShapes(false),
    untrainedCount: untrained * sumBy(matrices, ({ layers }) => layers),
  }
}

// --- Methods that split widths ---------------------------------------------------

/** The divisors of a width, the smallest first. @param {number} width */
const divisorsOf = (width) => {
  const smallDivisors = Array.from({ length: Math.floor(Math.sqrt(width)) }, (_, index) => index + 1).filter(
    (divisor) => width % divisor === 0,
  )
  return [...new Set([...smallDivisors, ...smallDivisors.map((divisor) => width / divisor).reverse()])]
}

/** The divisor of a width that is nearest to a size. @param {number} width @param {number} size */
const nearestDivisor = (width, size) =>
  divisorsOf(width).reduce((best, divisor) => (Math.abs(divisor - size) < Math.abs(best - size) ? divisor : best))

/** The two factors of a width that are closest to each other. @param {number} width */
const factorsOf = (width) => {
  const smaller = Math.max(...divisorsOf(width).filter((divisor) => divisor * divisor <= width))
  return [smaller, width / smaller]
}

/** The number of parameters that a method adds to one matrix, if it is not linear in the size; NaN if PEFT refuses the
 * size. OFT rotates blocks of inputs by orthogonal matrices, each stored as the part of a skew-symmetric one above its
 * diagonal. BOFT stores whole blocks, and a factor for each output. LoKr adds the Kronecker product of two matrices; if
 * the rank is small enough, the larger one is stored as two factors of that rank.
 * @type {Record<string, (matrix: Matrix, size: number) => number>} */
const PARAMETERS_BY_SPLITTING = {
  oft: ({ inputs }, size) => (inputs * (nearestDivisor(inputs, size) - 1)) / 2,
  boft: ({ inputs, outputs }, size) => (inputs % size ? Number.NaN : inputs * size + outputs),
  lokr: ({ inputs, outputs }, rank) => {
    const [[smallOut, largeOut], [smallIn, largeIn]] = [factorsOf(outputs), factorsOf(inputs)]
    const isLow = 2 * rank < Math.max(largeOut, largeIn)
    return smallOut * smallIn + (isLow ? rank * (largeOut + largeIn) : largeOut * largeIn)
  },
}

/** The numbers of parameters that a method adds by splitting widths, by kind of module. */
export const parametersBySplitting = onceByClass(
  (/** @type {TotalLine} */ line, /** @type {string} */ method, /** @type {number} */ size) => {
    const ofMatrix = (/** @type {Matrix} */ matrix) => matrix.layers * PARAMETERS_BY_SPLITTING[method](matrix, size)
    return Object.fromEntries(
      Object.entries(matricesOf(line)).map(([name, matrices]) => [name, sumBy(matrices, ofMatrix)]),
    )
  },
)
