// Explains estimates of memory: the table of `accelerate estimate-memory`, which lists
// the bytes of the largest layer, of the whole model, and of training it with Adam,
// for each data type. The table states only bytes, so a model fits if its bytes, buffers
// included, match the total of every row in the data type of that row. MB and GB in the
// table are MiB and GiB.

import { classesOf, count, models, noun, whole } from "../../counting/engine.js"
import { modelsByUse } from "../../explaining/ways.js"
import { accountWith, finding, titlesOf, words } from "../words.js"
import { asClass, asUsualClass, subjectOf, titleOf } from "./meanings.js"
import { BYTES_PER_NUMBER } from "./memory.js"
import { modelsIn } from "./mentions.js"

/** The bytes of each unit as accelerate uses it. @type {Record<string, number>} */
const BYTES_PER_UNIT = { bytes: 1, kb: 2 ** 10, mb: 2 ** 20, gb: 2 ** 30, tb: 2 ** 40 }
const PRECISION = 0.005 // accelerate rounds to two decimals
const ID_BYTES = 8 // a position or segment in a buffer is an int64
const MAX_OTHERS = 3 // the maximum number of models that are named in addition to the likeliest
const NUMBERS_WITH_ADAM = 4 // numbers for each parameter: itself, its gradient and two moments

/** An amount with its unit, and a row of the table: a data type and three amounts, the last of which may be missing. */
const CELL = "([0-9.]+) ?(bytes|[KMGT]B)"
const ROW = new RegExp(
  String.raw`\b(float32|b?float16|int8|int4)\b[\s│┃|]+${CELL}[\s│┃|]+${CELL}[\s│┃|]+(?:${CELL}|N/A)?`,
  "gi",
)

/** An amount in a cell: as printed, and the smallest and the largest number of bytes that it may mean.
 * @typedef {{ text: string, low: number, high: number }} Cell */

/** A row of the table.
 * @typedef {{ dtype: string, bytesPerNumber: number, largest: Cell, total: Cell, training: Cell | null }} Estimate */

/** A class of a model, with its parameters, all of its bytes in float32, and those of its buffers.
 * @typedef {{ name: string, modelClass: string, parameters: number, bytes: number, buffers: number }} ClassCount */

/** The cell with an amount. @param {string} value @param {string} unit @returns {Cell} */
function cellOf(value, unit) {
  const size = BYTES_PER_UNIT[unit.toLowerCase()]
  const [low, high] = [Number(value) - PRECISION, Number(value) + PRECISION].map((number) => number * size)
  return { text: `${value} ${unit}`, low, high }
}

/** The rows of a table in a text. @param {string} text @returns {Estimate[]} */
const rowsIn = (text) =>
  [...text.matchAll(ROW)].map(([, dtype, largest, largestUnit, total, totalUnit, training, trainingUnit]) => ({
    dtype: dtype.toLowerCase(),
    bytesPerNumber: BYTES_PER_NUMBER[dtype.toLowerCase()],
    largest: cellOf(largest, largestUnit),
    total: cellOf(total, totalUnit),
    training: training ? cellOf(training, trainingUnit) : null,
  }))

/** Whether a number of bytes rounds to the amount in a cell. @param {Cell} cell @param {number} bytes */
const isInCell = ({ low, high }, bytes) => bytes >= low && bytes <= high

/** Whether a model with these bytes in float32 has the total of every row.
 * @param {Estimate[]} rows @param {number} bytes */
const hasAllTotals = (rows, bytes) =>
  rows.every(({ total, bytesPerNumber }) => isInCell(total, (bytes * bytesPerNumber) / BYTES_PER_NUMBER.float32))

/** The counts of a model's classes, the bare one first, because accelerate loads that one. @param {Model} model
 * @returns {ClassCount[]} */
function countsByClass({ name, architecture, sizes }) {
  const buffers = "P" in sizes ? ID_BYTES * sizes.P * (sizes.S ? 2 : 1) : 0
  return classesOf(architecture).map((modelClass) => {
    const parameters = count({ modelClass: modelClass.name, sizes })
    const bytes = BYTES_PER_NUMBER.float32 * parameters + buffers
    return { name, modelClass: modelClass.name, parameters, bytes, buffers }
  })
}

/** The account of a table of memory. Null for any other text, or if the text names no model and no model that we count
 * takes this many bytes.
 * @param {string} text @returns {Account | null} */
export function accountOfEstimate(text) {
  const rows = rowsIn(text)
  if (!rows.length) return null
  const modelNames = modelsIn(text).flatMap((mention) => mention.models)
  const candidates = modelNames.length ? modelNames.map((name) => models.get(name)) : modelsByUse
  const fittingClasses = candidates.flatMap((model) =>
    countsByClass(model).filter(({ bytes }) => hasAllTotals(rows, bytes)),
  )
  const [likeliest] = fittingClasses
  if (likeliest) return accountOf(rows, likeliest, fittingClasses, modelNames.length > 0)
  return modelNames.length ? accountOfMismatch(rows, countsByClass(candidates[0])[0]) : null
}

/** The findings on a table of estimates: its units, other models with as many bytes, the largest layer, and training.
 * @param {Estimate[]} rows @param {string} largestLayer @param {string[]} otherNames  of models that fit
 * @returns {Finding[]} */
function findingsOn(rows, largestLayer, otherNames) {
  const units = words`In this table, MB and GB mean MiB and GiB: ${BYTES_PER_UNIT.mb} and ${BYTES_PER_UNIT.gb} bytes.`
  const otherModels = otherNames.map((name) => models.get(name))
  const others = words`The same number of bytes, rounded like this, belongs to ${titlesOf(otherModels, MAX_OTHERS)}.`
  const training = words`Training with Adam takes ${NUMBERS_WITH_ADAM} times the memory of the whole model: the parameters, their gradients and Adam's two moments. Activations are not included.`
  return [
    finding(3, units),
    ...(otherNames.length ? [finding(2, others)] : []),
    ...(largestLayer ? [finding(1, words`The largest layer is ${largestLayer} (${rows[0].largest.text}).`)] : []),
    ...(rows.some((row) => row.training) ? [finding(1, training)] : []),
  ]
}

/** The account of a table that a known model fits.
 * @param {Estimate[]} rows @param {ClassCount} classCount
 * @param {ClassCount[]} fittingClasses  all that fit, this one included
 * @param {boolean} isNamed  whether the text names the model @returns {Account} */
function accountOf(rows, classCount, fittingClasses, isNamed) {
  const { name, modelClass, parameters, bytes, buffers } = classCount
  const modelInWords = words`${titleOf(name)}, ${asUsualClass(modelClass, name)}`
  const [row] = rows
  const otherNames = [...new Set(fittingClasses.map((other) => other.name).filter((other) => other !== name))]
  const bytesInWords =
    row.bytesPerNumber < 1
      ? "half a byte each"
      : `${whole(row.bytesPerNumber)} ${noun(row.bytesPerNumber, "byte")} each`
  /** Bytes in float32 as bytes in the data type of the row. @param {number} number */
  const inDtype = (number) => Math.round((number * row.bytesPerNumber) / BYTES_PER_NUMBER.float32)
  const binaryUnit = row.total.text.replace(/.*(.)B$/, "$1iB")
  const withBuffers = buffers ? words`, with the buffers ${inDtype(bytes)}` : ""
  const confidence = otherNames.length ? "possible" : "likely"
  return accountWith({
    kind: "labels",
    headline: words`This is the memory of ${modelInWords}: ${parameters} parameters. At ${bytesInWords}, that is ${inDtype(parameters * BYTES_PER_NUMBER.float32)} bytes${withBuffers}, which the table rounds to ${row.total.text}, in ${binaryUnit}.`,
    findings: findingsOn(rows, largestLayerOf(classCount, row), otherNames),
    lines: rows.flatMap((tableRow) => linesOf(tableRow, classCount)),
    model: { name, modelClass, total: parameters },
    confidence: isNamed ? "certain" : confidence,
  })
}

/** The account of a table that does not fit the model that the text names.
 * @param {Estimate[]} rows @param {ClassCount} classCount @returns {Account} */
function accountOfMismatch(rows, classCount) {
  const [row] = rows
  const rightBytes = (classCount.bytes * row.bytesPerNumber) / BYTES_PER_NUMBER.float32
  return accountWith({
    kind: "labels",
    headline: words`${subjectOf(classCount.name)} has ${classCount.parameters} parameters ${asClass(classCount.modelClass)}. In ${row.dtype}, they take ${(rightBytes / BYTES_PER_UNIT.mb).toFixed(2)} MiB, not ${row.total.text}.`,
    lines: rows.flatMap((tableRow) => linesOf(tableRow, classCount)),
    model: { name: classCount.name, modelClass: classCount.modelClass, total: classCount.parameters },
    confidence: "likely",
  })
}

/** The name of the layer that a row counts as the largest, which depends on the version of transformers; "" if it is
 * not known.
 * @param {ClassCount} classCount @param {Estimate} row */
function largestLayerOf({ name, modelClass, buffers }, { largest, bytesPerNumber }) {
  const { sizes } = models.get(name)
  const bytesOf = (/** @type {string} */ part) => BYTES_PER_NUMBER.float32 * count({ modelClass, sizes, part })
  const [wordBytes, embeddingBytes] = ["bert/embeddings/word_embeddings", "bert/embeddings"].map(bytesOf)
  const layers = /** @type {[string, number][]} */ ([
    ["the word embeddings", wordBytes],
    ["the embeddings", embeddingBytes],
    ["the embeddings with their buffers", embeddingBytes + buffers],
  ])
  const layer = layers.find(([, bytes]) => isInCell(largest, (bytes * bytesPerNumber) / BYTES_PER_NUMBER.float32))
  return layer?.[0] ?? ""
}

/** The cells of a row as lines. @param {Estimate} row @param {ClassCount} classCount @returns {AccountLine[]} */
function linesOf(row, classCount) {
  const bytes = (classCount.bytes * row.bytesPerNumber) / BYTES_PER_NUMBER.float32
  const largestLayer = largestLayerOf(classCount, row)
  /** @type {(cell: Cell, part: Words, isRight: boolean) => AccountLine} */
  const lineOf = ({ text }, part, isRight) => {
    const verdict = isRight ? "rounded" : "wrong"
    return { source: text, part, stated: null, right: null, verdict: part.length ? verdict : "unknown", times: 1 }
  }
  const trainingMemory = words`training with Adam in ${row.dtype}: ${Math.round(NUMBERS_WITH_ADAM * bytes)} bytes`
  return [
    lineOf(row.largest, largestLayer ? words`the largest layer in ${row.dtype}: ${largestLayer}` : [], true),
    lineOf(row.total, words`the model in ${row.dtype}: ${Math.round(bytes)} bytes`, isInCell(row.total, bytes)),
    ...(row.training ? [lineOf(row.training, trainingMemory, isInCell(row.training, NUMBERS_WITH_ADAM * bytes))] : []),
  ]
}
