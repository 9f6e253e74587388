// The facts that the account of a print-out is based on: the alignment of its rows with the
// model's tensors, the sum of the rows, the total that the text states, and the right total.
//
// The model is recognised in one of three ways (`factsIn`), the most certain first: by the
// names of the rows, by their counts, or by the order of tensors whose names have been cut
// off. The headline, the findings and the bridge are all written from these facts, so that they
// agree with each other.

import table from "../../../data/table.js"
import { architectures, classes, classOfBare, sumBy } from "../../counting/engine.js"
import { alignByName, sumOf } from "./aligning.js"
import { withSplitProjections } from "./joint-projections.js"
import { missingMatricesOf } from "./lora-pairs.js"
import { ADDED_TENSOR } from "./names.js"
import { nameByBeginning, nameByOrder } from "./order.js"
import { DENSE } from "./own-layers.js"
import { withUnpackedWeights } from "./packing.js"
import { acceptPruning } from "./pruned-heads.js"
import { recogniseByNames } from "./recognising.js"
import { recogniseByCounts } from "./recognising-counts.js"
import { printOutOf } from "./rows.js"
import { publishedModelsWith, sizeByLabels } from "./sizes.js"
import { endOfRowsBelow } from "./subtotals.js"
import { isNumberedMatrix, mayBe } from "./text-row.js"
import { MIN_TOTAL } from "./totals.js"

const MIN_COUNTED_ROWS = 3 // the minimum number of rows with counts in a print-out that names no class
const MIN_NAMES = 5 // the minimum number of names in a print-out with fewer counts

/** The facts on which the account of a print-out is based.
 * @typedef {object} Facts
 * @property {PrintOut} printOut @property {Alignment} alignment @property {Recognised} recognised
 * @property {number} sum  the sum of the rows that are not subtotals, with the right number for each row without a
 *   size; if any row is rounded, the right total without the missing tensors
 * @property {number | null} statedTotal  the total that the text states; null if it states none
 * @property {number} addedSum  the sum of the rows that are not part of the model, and of LoRA's matrices that are
 *   missing
 * @property {import("./lora-pairs.js").MissingMatrix[]} missingMatrices  LoRA's matrices that the text lacks
 * @property {import("./pruned-heads.js").PrunedHeads | null} prunedHeads  the heads that the model lacks; null if none
 * @property {number} total  the right total: that of the model, without any pruned heads, plus `addedSum` */

/** The rows with the given verdict. @param {Alignment} alignment @param {LineVerdict} verdict */
export const rowsWith = ({ rows }, verdict) => rows.filter((row) => row.verdict === verdict)

/** The rows with a count of their own. @param {Alignment} alignment */
export const countedRows = ({ rows }) => rows.filter(({ text, verdict }) => verdict !== "subtotal" && text.low !== null)

/** The rows of tensors whose sizes the text does not give, as print(model) shows NoNorm() and early BertLayerNorm().
 * @param {Alignment} alignment */
export const unsizedRows = (alignment) =>
  rowsWith(alignment, "right").filter(({ text, tensors }) => text.low === null && tensors.length > 0)

/** The sum of the numbers that rows should state. @param {AlignedRow[]} rows */
export const sumOfRight = (rows) => sumBy(rows, ({ right }) => right ?? 0)

/** Restores the exact number of parameters of the first added layer if it is dense and the text rounds its count. On
 * vectors of H features, such a layer has a multiple of H + 1 parameters. The count is restored only if exactly one
 * multiple fits. Later layers may have other inputs.
 * @param {Alignment} alignment */
function unroundAddedLayer({ rows, ruler }) {
  const row = rows.find(({ verdict, text }) => verdict === "added" && text.high)
  const { low, high, type } = row?.text ?? {}
  if (!row || row.stated !== null || !low || !high || !DENSE.test(type ?? "")) return
  const perOutput = ruler.sizes.H + 1
  const outputs = Math.floor(high / perOutput)
  if (outputs === Math.ceil(low / perOutput)) row.stated = outputs * perOutput
}

/** The number of added rows whose counts the text rounds. @param {Alignment} alignment */
export const countRoundedAdditions = (alignment) =>
  rowsWith(alignment, "added").filter(({ stated, text }) => stated === null && text.low !== null && text.high).length

/** The total that the first row states if it contains all others; empty if it states none or does not contain them.
 * @param {Alignment} alignment @returns {StatedTotal[]} */
function totalInFirstRow({ rows }) {
  const [first, ...others] = rows
  const { low = null, high = null } = first?.text ?? {}
  const containsAll =
    first?.verdict === "subtotal" &&
    endOfRowsBelow(
      rows.map(({ text }) => text),
      0,
    ) > others.length
  return containsAll && low !== null && high !== null ? [{ kind: "total", low, high, line: first.text.line }] : []
}

/** The facts about a print-out whose rows have been aligned with a model.
 * @param {PrintOut} printOut @param {Recognised} recognised @param {Alignment} alignment @returns {Facts} */
export function factsOf(printOut, recognised, alignment) {
  unroundAddedLayer(alignment)
  const prunedHeads = acceptPruning(alignment)
  const rows = alignment.rows.filter(({ verdict }) => verdict !== "subtotal")
  const isRounded = rows.some(({ verdict }) => verdict === "rounded")
  const missingMatrices = missingMatricesOf(rows)
  const addedSum = sumOf(rowsWith(alignment, "added")) + sumBy(missingMatrices, ({ elements }) => elements)
  const total = alignment.ruler.total - (prunedHeads?.elements ?? 0) + addedSum
  const unsizedSum = sumOfRight(unsizedRows(alignment))
  const sum = isRounded ? total - sumBy(alignment.missing, ({ elements }) => elements) : sumOf(rows) + unsizedSum
  const totals = [...printOut.totals, ...totalInFirstRow(alignment)].filter(
    ({ kind, low, high }) => kind === "total" && low === high && low >= MIN_TOTAL,
  )
  // A text may state several totals. Prefer the right one, then the one that the rows add up to, then the last.
  const likeliestTotal =
    totals.find(({ low }) => low === total) ?? totals.find(({ low }) => low === sum) ?? totals.at(-1)
  return {
    printOut,
    recognised,
    alignment,
    sum,
    statedTotal: likeliestTotal ? likeliestTotal.low : null,
    addedSum,
    missingMatrices,
    prunedHeads,
    total,
  }
}

/** Whether no row of the text has a size. @param {Facts} facts */
export const isWithoutSizes = ({ alignment }) =>
  alignment.rows.every(({ stated, text }) => stated === null && text.low === null)

/** Whether a text without sizes states a total that the assumed sizes do not give. @param {Facts} facts */
export const hasOtherTotal = (facts) =>
  isWithoutSizes(facts) && facts.statedTotal !== null && facts.statedTotal !== facts.total

/** Whether the bare model of an architecture may have a pooler. @param {string} architecture */
export const hasPooler = (architecture) =>
  architectures.get(architecture).classes[0].rows.some((index) => table.rows[index].when === "pooler")

/** Whether a text seems to show only the body of a model that has a head: it lacks tensors of the bare model and does
 * not name its class, but the names of all its tensors begin with that of the body, as in `bert.embeddings`.
 * @param {Facts} facts */
export function isBodyOfLargerModel({
  alignment: { rows, missing },
  recognised: { architecture, modelClass },
  printOut,
}) {
  const { prefix } = architectures.get(architecture)
  if (!prefix || !missing.length || modelClass !== classOfBare(architecture)) return false
  if (printOut.mentions.includes(modelClass)) return false
  return (
    rows.every(({ text, tensors }) => !tensors.length || text.name.startsWith(prefix)) &&
    rows.some(({ text }) => /\.(?:weight|bias)$/.test(text.name))
  )
}

/** Of each other architecture whose bare model has the same tensors as this one without its pooler, the most widely
 * used published model of these sizes, with its class; empty unless this is a bare model without its pooler.
 * @param {Recognised} recognised @returns {{ model: Model, modelClass: string }[]} */
export function twinsOf({ architecture, modelClass, sizes, choices, alike }) {
  if (choices.pooler !== false || modelClass !== classOfBare(architecture)) return []
  const commonSizes = Object.fromEntries(["V", "P", "S", "H", "F", "L"].map((letter) => [letter, sizes[letter]]))
  return alike.flatMap((name) => {
    const otherArchitecture = classes.get(name).architecture
    const [twin] =
      otherArchitecture === architecture || hasPooler(otherArchitecture)
        ? []
        : publishedModelsWith(otherArchitecture, commonSizes)
    return twin ? [{ model: twin, modelClass: name }] : []
  })
}

/** The number of parameters that a label adds, if the text rounds the count of the head so much that it may have
 * another number of labels, and states no total that decides; 0 otherwise.
 * @param {Facts} facts */
export function parametersOfOpenLabel({ alignment, printOut, recognised, statedTotal, total }) {
  const { modelClass, sizes, choices } = recognised
  const isFixed = classes.get(modelClass).labels !== null && printOut.mentions.includes(modelClass)
  if (statedTotal === total || isFixed) return 0
  const { perLabel } = sizeByLabels(modelClass, sizes, choices)
  const isOpen = (/** @type {AlignedRow} */ { text, right, tensors }) =>
    tensors.some(({ row }) => row.dimensions.includes("C")) &&
    [-perLabel, perLabel].some((step) => mayBe(text, (right ?? 0) + step))
  return rowsWith(alignment, "rounded").some(isOpen) ? perLabel : 0
}

const MAX_UNCERTAINTY = 0.1 // the largest share of a model that rounding may hide if the answer is more than possible
const MAX_UNCERTAINTY_IF_CERTAIN = 0.01 // the largest share that rounding may hide if the answer is certain

const MIN_ROWS_OF_MODEL = 20 // the minimum number of added rows that look like another model
/** The name of a tensor of a recurrent network, or of tag scores. Any number of these may be on top of a model. */
const ROW_OF_LAYER = /(?:weight|bias)_[ih]h_l[0-9]+(?:_reverse)?$|transitions$/

/** The rows that belong neither to the model nor to a method of fine-tuning. @param {Alignment} alignment */
export const foreignRowsIn = (alignment) =>
  rowsWith(alignment, "added").filter(
    ({ text, tensors }) => !tensors.length && !ADDED_TENSOR.test(text.name) && !isNumberedMatrix(text),
  )

/** Whether foreign rows look like another model. @param {AlignedRow[]} rows */
export const areOfOtherModel = (rows) =>
  rows.filter(({ text }) => !ROW_OF_LAYER.test(text.name)).length >= MIN_ROWS_OF_MODEL

/** The number of parameters that rounding leaves open. @param {Alignment} alignment */
const uncertaintyOf = (alignment) =>
  sumBy(rowsWith(alignment, "rounded"), ({ text: { low, high } }) => (high ?? 0) - (low ?? 0))

/** Whether a text has only rounded counts and neither the right total nor the name of the class, so that the counts may
 * be those of other models.
 * @param {Facts} facts */
const isAllRounded = ({ alignment, printOut, recognised, statedTotal, total }) =>
  statedTotal !== total &&
  !printOut.mentions.includes(recognised.modelClass) &&
  !alignment.rows.some(({ verdict, right }) => verdict === "right" && right)

/** The confidence that a text shows the recognised model. If the text has sizes and leaves no other model open, the
 * answer is certain when the total is right, or when every tensor has a row, at most a tenth of the rows do not fit,
 * at least one row is exact or the text names the class, rounding hides hardly any parameters, and any stated total is
 * the sum of the rows.
 * @param {Facts} facts @returns {Account["confidence"]} */
export function confidenceOf(facts) {
  const { alignment, recognised, statedTotal, total } = facts
  if (isWithoutSizes(facts)) return statedTotal === total ? "likely" : "possible"
  if (statedTotal !== total && uncertaintyOf(alignment) > total * MAX_UNCERTAINTY) return "possible"
  if (statedTotal !== total && uncertaintyOf(alignment) > total * MAX_UNCERTAINTY_IF_CERTAIN) return "likely"
  if (parametersOfOpenLabel(facts) || isAllRounded(facts)) return "likely"
  if (recognised.isOpen || recognised.assumed.includes("F") || twinsOf(recognised).length) return "likely"
  if (areOfOtherModel(foreignRowsIn(alignment))) return "likely"
  if (statedTotal === total) return "certain"
  const misfits = rowsWith(alignment, "wrong").length + rowsWith(alignment, "unknown").length
  const isComplete = !alignment.missing.length && misfits <= alignment.rows.length / 10
  return isComplete && (statedTotal === null || facts.sum === statedTotal) ? "certain" : "likely"
}

// --- Reading a text ---------------------------------------------------------------

/** Whether a text has enough rows to be a print-out. @param {PrintOut} printOut */
export const isPrintOut = ({ rows, mentions }) =>
  rows.filter(({ low }) => low !== null).length >= (mentions.length ? 1 : MIN_COUNTED_ROWS) ||
  rows.filter(({ name }) => name).length >= MIN_NAMES

/** Whether every row is right, none is missing, and the text's total is right. @param {Facts} facts */
const isAllRight = ({ alignment, statedTotal, sum, total }) =>
  (statedTotal ?? sum) === total &&
  !alignment.missing.length &&
  alignment.rows.every(({ verdict }) => ["right", "rounded", "subtotal"].includes(verdict))

/** The facts about a print-out; null unless it shows an encoder that the site counts. Names say more than counts,
 * unless only the counts explain all rows and the total: a list of modules may have names like those of tensors.
 * @param {PrintOut} printOut @returns {Facts | null} */
export function factsIn(printOut) {
  const printOutInParts = { ...printOut, rows: withUnpackedWeights(withSplitProjections(printOut.rows)) }
  const recognisedByNames = recogniseByNames(printOutInParts)
  const factsByNames =
    recognisedByNames &&
    factsOf(printOutInParts, recognisedByNames, alignByName(printOutInParts.rows, recognisedByNames))
  if (factsByNames && isAllRight(factsByNames)) return factsByNames
  const resultByCounts = recogniseByCounts(printOut)
  const factsByCounts = resultByCounts && factsOf(printOut, resultByCounts.recognised, resultByCounts.alignment)
  if (factsByNames) return factsByCounts && isAllRight(factsByCounts) ? factsByCounts : factsByNames
  if (factsByCounts) return factsByCounts
  // Names that a narrow column has cut off are of little use, but the tensors may be in the order of a model.
  const namedRows = nameByOrder(printOut.rows.filter(({ isContainer }) => !isContainer))
  const recognisedByOrder = namedRows && recogniseByNames({ ...printOut, rows: namedRows })
  return recognisedByOrder && factsOf(printOut, recognisedByOrder, alignByName(namedRows, recognisedByOrder))
}

/** The print-out in a text. If no row has a name, as in a list of shapes, the rows are named by their order where
 * possible.
 * @param {string} text @returns {PrintOut} */
export function namedPrintOut(text) {
  const printOut = printOutOf(text)
  return printOut.rows.some(({ name }) => name)
    ? printOut
    : { ...printOut, rows: nameByOrder(printOut.rows) ?? nameByBeginning(printOut.rows) ?? printOut.rows }
}
