// Aligns the rows of a print-out with the tensors of a model, by names: a row covers the
// tensor that it names. In the end, every row has a verdict, such as right, wrong or added,
// and the tensors that no row covers are listed as missing. Rows with counts alone are
// aligned in aligning-counts.js.

import { getOrMake, sumBy } from "../../counting/engine.js"
import { groupBy } from "../../counting/polynomials.js"
import { asPrintedName, matchByName } from "./names.js"
import { rulerOf } from "./ruler.js"
import { completeSubtotals } from "./subtotals.js"
import { isNumberedMatrix, mayBe } from "./text-row.js"

/** The exact number that a row states; null if it states none or a rounded one.
 * @param {TextRow} text @returns {number | null} */
export const exactNumberOf = (text) => text.stated ?? (text.low === text.high ? text.low : null)

/** A row with its verdict, the right number, and the tensors that it describes.
 * @param {TextRow} text @param {LineVerdict} verdict @param {number | null} [right] @param {RulerTensor[]} [tensors]
 * @returns {AlignedRow} */
export const alignedRow = (text, verdict, right = null, tensors = []) => ({
  text,
  tensors,
  verdict,
  right,
  stated: exactNumberOf(text),
})

/** The sum of the numbers that rows state. @param {AlignedRow[]} rows */
export const sumOf = (rows) => sumBy(rows, ({ stated }) => stated ?? 0)

/** The number of elements that a tensor adds to a total: 0 if it is tied to another tensor.
 * @param {RulerTensor} tensor */
export const untiedElements = ({ tied, elements }) => (tied ? 0 : elements)

/** The alignment of a model's tensors with rows whose tensors are known.
 * @param {Ruler} ruler @param {AlignedRow[]} rows @returns {Alignment} */
export function alignmentOf(ruler, rows) {
  moveTiedTensors(rows, ruler)
  completeSubtotals(rows)
  const coveredTensors = new Set(rows.flatMap(({ tensors }) => tensors))
  return { ruler, rows, missing: ruler.tensors.filter((tensor) => !tensor.tied && !coveredTensors.has(tensor)) }
}

/** Replaces a tied tensor with the tensor that it is tied to, if the latter has the same size and no row of its own.
 * The row is then right if it states the number of that tensor. For example, print(model) shows the decoder's bias,
 * which is the prediction bias, but has no line for the prediction bias itself.
 * @param {AlignedRow[]} rows @param {Ruler} ruler */
function moveTiedTensors(rows, ruler) {
  const coveredTensors = new Set(rows.flatMap(({ tensors }) => tensors))
  for (const row of rows) {
    if (row.verdict !== "counted twice" || !row.tensors.some(({ tied }) => tied)) continue
    row.tensors = row.tensors.map((tensor) => {
      const owner = tensor.tied && ruler.tensors.find(({ row: { path } }) => path === tensor.row.tied_to)
      if (!owner || coveredTensors.has(owner) || owner.elements !== tensor.elements) return tensor
      coveredTensors.add(owner)
      return owner
    })
    row.right = sumBy(row.tensors, untiedElements)
    if (row.right === row.stated) row.verdict = "right"
  }
}

/** The tensors of a ruler by row and, for each row, by layer numbers joined with dots. @param {Ruler} ruler */
function tensorsByRow(ruler) {
  /** @type {Map<Row, Map<string, RulerTensor>>} */
  const byRow = new Map()
  for (const tensor of ruler.tensors)
    getOrMake(byRow, tensor.row, () => new Map()).set(tensor.numbers.join("."), tensor)
  return byRow
}

/** The tensors of a model aligned with the rows of a print-out, by their names.
 * @param {TextRow[]} texts @param {Recognised} recognised @returns {Alignment} */
export function alignByName(texts, { architecture, modelClass, sizes, choices }) {
  const ruler = rulerOf(modelClass, sizes, choices)
  const byRow = tensorsByRow(ruler)
  const wrappers = wrappersOfModels(texts)
  /** @type {Map<RulerTensor, TextRow>} the first row that names each tensor */
  const firstTexts = new Map()
  /** @type {Map<string, number>} how often each name without a layer number has occurred so far */
  const occurrences = new Map()
  /** The tensor that a row names; undefined if the model has none of this name. @param {TextRow} text */
  const tensorNamed = (text) => {
    const nameMatch = matchByName(text, architecture)
    const tensorsByLayer = [...(nameMatch?.rows ?? [])].map((row) => byRow.get(row)).find(Boolean)
    if (!nameMatch || !tensorsByLayer) return undefined
    const { numbers } = nameMatch
    const [{ numbers: numbersOfFirst }] = tensorsByLayer.values()
    // A name may contain more numbers than the tensor has, such as a wrapper's, so only the last ones are used.
    if (numbers.length || !numbersOfFirst.length)
      return tensorsByLayer.get(numbers.slice(numbers.length - numbersOfFirst.length).join("."))
    // The names have no layer numbers, so each time a name recurs, the next layer has begun.
    const occurrence = occurrences.get(text.name) ?? 0
    occurrences.set(text.name, occurrence + 1)
    return [...tensorsByLayer.values()][occurrence]
  }
  const rows = texts.map((text) => {
    if (text.isContainer) return alignedRow(text, "subtotal")
    if (text.isBuffer) return alignedRow(text, "not a parameter", 0)
    const tensor = tensorNamed(text)
    if (!tensor) return alignedRow(text, text.low === null ? "unknown" : "added")
    const firstText = firstTexts.get(tensor)
    // A custom name that only resembles an earlier name in the text belongs to another tensor.
    const isCustom = firstText && firstText.name !== text.name && !matchByName(text, architecture)?.isPrinted
    if (isCustom) return alignedRow(text, "added")
    if (!firstText && !tensor.tied) firstTexts.set(tensor, text)
    return rowWithTensor(text, tensor, firstText, wrappers)
  })
  const alignment = alignmentOf(ruler, rows)
  placeNumberedMatrices(alignment)
  return alignment
}

/** Places the matrices that ONNX has numbered instead of naming them, if by their sizes they are exactly the tensors
 * that have no row.
 * @param {Alignment} alignment */
function placeNumberedMatrices(alignment) {
  const rows = alignment.rows.filter(({ text, verdict }) => verdict === "added" && isNumberedMatrix(text))
  const sortedSizes = (/** @type {(number | null)[]} */ sizes) =>
    sizes.sort((one, other) => Number(one) - Number(other)).join()
  const missing = [...alignment.missing]
  const haveSameSizes =
    sortedSizes(rows.map(({ stated }) => stated)) === sortedSizes(missing.map(({ elements }) => elements))
  if (!rows.length || !haveSameSizes) return
  for (const row of rows) {
    row.tensors = missing.splice(
      missing.findIndex(({ elements }) => elements === row.stated),
      1,
    )
    row.right = row.stated
    row.verdict = "right"
  }
  alignment.missing = missing
}

/** The wrapper in front of a tensor's name, such as `query_encoder` in a model with two encoders; "" if there is none.
 * @param {TextRow} text */
const wrapperOf = ({ name }) => asPrintedName(name)?.wrapper ?? ""

/** The wrappers that seem to hold whole models, not just a second copy of a table. @param {TextRow[]} texts */
function wrappersOfModels(texts) {
  const rowCounts = [...groupBy(texts, wrapperOf)].map(([wrapper, rows]) => ({ wrapper, count: rows.length }))
  const largest = Math.max(...rowCounts.map(({ count }) => count))
  return new Set(rowCounts.flatMap(({ wrapper, count }) => (count >= largest / 2 ? [wrapper] : [])))
}

/** The aligned row for a printed row that names a tensor of the model.
 * @param {TextRow} text @param {RulerTensor} tensor
 * @param {TextRow | undefined} firstText  the earlier row that names the tensor; undefined if there is none
 * @param {Set<string>} wrappers @returns {AlignedRow} */
function rowWithTensor(text, tensor, firstText, wrappers) {
  // A tensor that recurs under another wrapper belongs to a second model of the same kind, or to another part with
  // tables of its own, such as LUKE's entity_embeddings.
  const wrapper = wrapperOf(text)
  if (firstText && wrapperOf(firstText) !== wrapper)
    return wrappers.has(wrapper) ? alignedRow(text, "added", tensor.elements, [tensor]) : alignedRow(text, "added")
  if (tensor.tied || firstText) return alignedRow(text, "counted twice", 0, [tensor])
  if (text.packing > 1 && text.low === tensor.elements) return alignedRow(text, "packed", tensor.elements, [tensor])
  const isRight =
    (text.low === null || mayBe(text, tensor.elements)) && (text.stated ?? tensor.elements) === tensor.elements
  const rightVerdict = text.low === text.high ? "right" : "rounded"
  return alignedRow(text, isRight ? rightVerdict : "wrong", tensor.elements, [tensor])
}
