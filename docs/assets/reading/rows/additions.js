// Findings on what a print-out has besides its model: the model a second time, LoRA's matrices,
// PEFT's copies of modules, other tensors that fine-tuning methods add, or layers that are none
// of these. Every row with the verdict "added" belongs to one of these kinds or is a matrix without a
// name, and each kind that occurs results in one finding, with the sum of its rows. Three more findings
// are about matrices without names, missing partners of LoRA's matrices, and a layer whose size the
// text does not give.

import { noun, sumBy, whole } from "../../counting/engine.js"
import { code, enumeration, finding, withCapital, words } from "../words.js"
import { sumOf } from "./aligning.js"
import { areOfOtherModel, foreignRowsIn, rowsWith } from "./facts.js"
import { countInWords, shapeInWords } from "./model-in-words.js"
import { ADDED_TENSOR } from "./names.js"
import { namesInWords } from "./parts-in-words.js"
import { isNumberedMatrix } from "./text-row.js"
import { isForeignClass } from "./uncounted-models.js"

/** @typedef {import("./facts.js").Facts} Facts */

const MAX_TERMS = 8 // the maximum number of terms of a sum that is written out

/** Findings on the rows that are not part of the model. @param {Facts} facts @returns {Finding[]} */
export function findingsOnAdditions({ alignment, recognised, printOut, missingMatrices }) {
  const rows = rowsWith(alignment, "added")
  const methodRows = rows.filter(({ text }) => ADDED_TENSOR.test(text.name))
  const copies = methodRows.filter(({ text }) => text.name.includes("modules_to_save"))
  const matrices = methodRows.filter(({ text }) => text.name.includes("lora_"))
  const otherRows = methodRows.filter((row) => !copies.includes(row) && !matrices.includes(row))
  const modelRows = rows.filter(({ tensors }) => tensors.length)
  const numberedRows = alignment.rows.filter(({ text }) => isNumberedMatrix(text))
  const foreignRows = foreignRowsIn(alignment)
  return [
    ...(numberedRows.length ? [findingOnNumberedMatrices(numberedRows)] : []),
    ...(modelRows.length ? [findingOnSecondModel(modelRows)] : []),
    ...(matrices.length ? [findingOnLora(matrices)] : []),
    ...(missingMatrices.length ? [findingOnMissingMatrices(missingMatrices)] : []),
    ...(copies.length ? [findingOnCopies(copies)] : []),
    ...(otherRows.length ? [findingOnOtherMethods(otherRows)] : []),
    ...(foreignRows.length ? [findingOnForeignLayers(foreignRows, recognised.modelClass, printOut)] : []),
    ...findingsOnHiddenTransitions(printOut, rows),
  ]
}

/** The classes of layers with scores for pairs of tags, which some libraries print without the number of tags. */
const TAG_LAYERS = ["CRF", "ConditionalRandomField"]

/** A finding on a layer with scores for pairs of tags whose rows the text does not give; empty if there is none.
 * @param {PrintOut} printOut @param {AlignedRow[]} rows  the added ones @returns {Finding[]} */
function findingsOnHiddenTransitions({ mentions }, rows) {
  const name = TAG_LAYERS.find((type) => mentions.includes(type))
  if (!name || rows.some(({ text }) => /transitions$/.test(text.name))) return []
  return [
    finding(
      56,
      words`${code(name)} has parameters as well, but your text does not give its number of tags, so they are not counted here. With t tags, it usually has t × t + 2 × t.`,
    ),
  ]
}

/** A finding on matrices that ONNX has numbered instead of naming them. @param {AlignedRow[]} rows */
function findingOnNumberedMatrices(rows) {
  const arePlaced = rows.every(({ verdict }) => verdict === "right")
  const placement = noun(
    rows.length,
    "By its size, it is the one that has no row with a name.",
    "By their sizes, they are those that have no row with a name.",
  )
  return finding(
    90,
    words`${countInWords(rows.length, "matrix", "matrices")} with ${sumOf(rows)} parameters ${noun(rows.length, "has a number instead of a name", "have numbers instead of names")}, because ONNX stores the transpose.${arePlaced ? ` ${placement}` : ""}`,
  )
}

/** A finding on rows that show the same model again under another name. @param {AlignedRow[]} rows */
function findingOnSecondModel(rows) {
  const wrappers = [...new Set(rows.map(({ text }) => text.name.split(".")[0]))]
  const [verb, pronoun] = wrappers.length > 1 ? ["are", "their"] : ["is", "its"]
  return finding(
    60,
    words`${enumeration(wrappers.map(code))} ${verb} the same model again, with ${sumOf(rows)} parameters of ${pronoun} own, unless the models share their weights.`,
  )
}

/** A finding on LoRA's matrices, with DoRA's magnitude vectors if there are any. @param {AlignedRow[]} rows */
function findingOnLora(rows) {
  const matrices = rows.filter(({ text }) => !text.name.includes("lora_magnitude_vector"))
  const vectorCount = rows.length - matrices.length
  const ranks = [...new Set(matrices.flatMap(({ text }) => (text.shape ? [Math.min(...text.shape)] : [])))]
  const modules = [...new Set(rows.map(({ text }) => /(\w+)(?:\.lora)?\.lora_/.exec(text.name)?.[1] ?? ""))].filter(
    Boolean,
  )
  const rank = ranks.length === 1 ? words` of rank ${ranks[0]}` : []
  const vectors = vectorCount ? words` and ${countInWords(vectorCount, "magnitude vector")}` : []
  return finding(
    50,
    words`${vectorCount ? "DoRA" : "LoRA"}${rank} on ${enumeration(modules.map(code))} adds ${sumOf(rows)} parameters in ${countInWords(matrices.length, "matrix", "matrices")}${vectors}.`,
  )
}

/** A finding on LoRA's matrices that a text lacks, although it has their partners.
 * @param {Facts["missingMatrices"]} matrices */
function findingOnMissingMatrices(matrices) {
  const amount = sumBy(matrices, ({ elements }) => elements)
  const names = namesInWords(matrices.map(({ name }) => name))
  return finding(
    80,
    words`${names} ${noun(matrices.length, "is", "are")} missing, with ${amount} parameters: LoRA adds two matrices to each module.`,
    amount,
  )
}

/** A finding on the modules that PEFT trains copies of. @param {AlignedRow[]} rows */
function findingOnCopies(rows) {
  const names = [...new Set(rows.map(({ text }) => /(\w+)\.modules_to_save/.exec(text.name)?.[1] ?? ""))]
  return finding(
    50,
    words`PEFT trains a copy of ${enumeration(names.map(code))} and keeps the original, frozen, beside it: ${sumOf(rows)} more parameters.`,
  )
}

/** A finding on the tensors that other fine-tuning methods add. @param {AlignedRow[]} rows */
const findingOnOtherMethods = (rows) =>
  finding(
    50,
    words`A method of fine-tuning adds ${sumOf(rows)} ${noun(sumOf(rows), "parameter")}: ${namesInWords(rows.map(({ text }) => text.name))}.`,
  )

/** A finding on rows that belong neither to the model nor to a fine-tuning method.
 * @param {AlignedRow[]} rows @param {string} modelClass @param {PrintOut} printOut */
function findingOnForeignLayers(rows, modelClass, printOut) {
  const names = namesInWords([
    ...new Set(rows.map(({ text }) => text.name.replace(/\.(?:weight|bias)$/, "") || text.line.source.trim())),
  ])
  const sizes = rows.flatMap(({ text, stated }) => {
    if (text.shape) return [shapeInWords(text.shape)]
    return stated === null ? [] : [whole(stated)]
  })
  const sum = sumOf(rows)
  const formula = sizes.join(" + ")
  const isWorkedOut = sizes.length > 0 && sizes.length <= MAX_TERMS && formula !== whole(sum)
  const working = isWorkedOut ? `${formula} = ` : ""
  const roundedCount = rows.filter(({ stated }) => stated === null).length
  const onRounding = roundedCount ? ", without the counts that your text rounds" : ""
  const size =
    roundedCount === rows.length
      ? `; your text rounds ${names.length > 1 ? "their numbers" : "its number"} of parameters`
      : words`: ${working}${sum} ${noun(sum, "parameter")}${onRounding}`
  const foreignClass = printOut.mentions.find(isForeignClass)
  const otherModel = foreignClass
    ? words` They belong to ${code(foreignClass)}, a class that we do not count part by part.`
    : words` They look like another model: paste it alone to see what it is.`
  const advice = areOfOtherModel(rows) ? otherModel : []
  const verb = names.length > 1 ? "are" : "is"
  return finding(55, words`${withCapital(names)} ${verb} not part of ${code(modelClass)}${size}.${advice}`)
}

/** The words for a row that PEFT adds; empty unless it is a LoRA matrix or a trained copy.
 * @param {TextRow} text @returns {Words} */
export function additionInWords({ name }) {
  const [, module, letter] = /(\w+)(?:\.lora)?\.lora_(?:embedding_)?([AB])\b/.exec(name) ?? []
  if (module) return words`LoRA's matrix ${letter} on ${code(module)}`
  const [, copiedModule] = /(\w+)\.modules_to_save/.exec(name) ?? []
  return copiedModule ? words`PEFT's copy of ${code(copiedModule)}` : []
}
