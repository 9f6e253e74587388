// Explains a few modules of `print(model)`, at least one of which was built without a tensor
// that published models have there: "Linear(…, bias=False)", or a LayerNorm with
// "elementwise_affine=False", which prints a width but has no parameters. Each module is
// looked up as if it had its usual tensors, and the answer then says what it lacks. If a
// published model, such as ModernBERT, has the modules exactly as they are printed, few.js
// explains them instead.

import { noun, sumBy, whole } from "../../counting/engine.js"
import { allLinesOf } from "../clean.js"
import { accountWith, asSubject, code, finding, link, linkTo, words } from "../words.js"
import { groupsByModule, MAX_LINES, nameOfLine, placesInWords, sourceOf, workingOf } from "./few.js"
import { fitsOf, isLayerUnknown, moduleOf, sumAt, sumOfTexts } from "./fits.js"
import { moduleRows, showsModules } from "./modules.js"
import { nameOfRow, namesOf, rulerOf } from "./ruler.js"

/** Whether a published model has all modules of a text exactly as they are printed, with no further tensors.
 * @param {TextRow[][]} lines */
function isPublishedAsPrinted(lines) {
  if (lines.some((texts) => !texts.length)) return false
  return fitsOf(lines).some(({ model, places }) => {
    const moduleOfRow = (/** @type {Row} */ row) => moduleOf(nameOfRow(row, model.architecture))
    return places.every((placesOfLine, index) =>
      placesOfLine.some(({ rows }) => {
        const rowsOfModule = [...namesOf(model.architecture).keys()].filter(
          (row) => moduleOfRow(row) === moduleOfRow(rows[0]),
        )
        return rowsOfModule.length === lines[index].length
      }),
    )
  })
}

/** The words for the tensors that a module lacks. @param {TextRow[]} texts @param {Set<TextRow>} absentSet */
function lackInWords(texts, absentSet) {
  if (!/Norm/.test(texts[0].type)) return "its bias"
  return texts.every((text) => absentSet.has(text)) ? "its scale and shift" : "its shift"
}

/** The account of a few modules if any of them lacks a tensor; null for any other text, and if no published model has
 * the modules with all their tensors or one of these is tied.
 * @param {string} text @returns {Account | null} */
export function accountOfLackingTensors(text) {
  const allLines = allLinesOf(text)
  const lines = allLines.filter((line) => line.text.trim())
  if (lines.length > MAX_LINES) return null
  if (lines.length > 1 && !showsModules(text)) return null
  const { rows, absentRows } = moduleRows(text, allLines)
  if (!absentRows.length) return null
  const absentSet = new Set(absentRows)
  const groups = groupsByModule(lines, [...rows.filter(({ isContainer }) => !isContainer), ...absentRows])
  if (!groups?.length || groups.flat().some(({ shape }) => !shape)) return null
  if (isPublishedAsPrinted(groups.map((texts) => texts.filter((row) => !absentSet.has(row))))) return null
  const [fit] = fitsOf(groups)
  // A tied tensor may be printed elsewhere: early versions print the decoder without its bias, which belongs to the
  // head.
  const isTied = fit?.places.flat().some(({ rows: tableRows }) => tableRows.some((row) => row.tied_to))
  return fit && !isTied ? accountOfFit(groups, absentSet, fit) : null
}

/** The words for a part, without an end that says that it has its bias. @param {Words} part @returns {Words} */
const withoutItsBias = (part) =>
  part.map((piece) => {
    if (typeof piece !== "object" || !("text" in piece)) return piece
    return { ...piece, text: piece.text.replace(/,? with its bias$/, "") }
  })

/** The account of modules, given a model that has them with all their tensors.
 * @param {TextRow[][]} groups @param {Set<TextRow>} absentSet @param {import("./fits.js").FitOfLines} fit
 * @returns {Account} */
function accountOfFit(groups, absentSet, fit) {
  const { model, modelClass, places } = fit
  const { sizes } = model
  const ruler = rulerOf(modelClass.name, sizes)
  const parts = places.map((placesOfLine) => withoutItsBias(placesInWords(placesOfLine, ruler)))
  const presentRows = groups.map((texts) => texts.filter((row) => !absentSet.has(row)))
  const deficientIndices = groups.flatMap((texts, index) => (texts.some((row) => absentSet.has(row)) ? [index] : []))
  const sentences = deficientIndices.map((index) =>
    sentenceOnLack(groups[index], absentSet, places[index], parts[index], model),
  )
  const isSingle = groups.length === 1
  const opening = words`These are ${groups.length} modules, as in ${linkTo(model)}, but`
  const someWords = deficientIndices.length === 1 ? "one" : whole(deficientIndices.length)
  const countWords = deficientIndices.length === groups.length ? "all" : someWords
  const missingSum = sumBy(deficientIndices, (index) => sumAt(places[index][0], sizes) - sumOfTexts(presentRows[index]))
  const areInLayers = deficientIndices.every((index) => places[index].length === 1 && isLayerUnknown(places[index][0]))
  const overLayers = words`Over all ${sizes.L} layers of ${code(modelClass.name)}, that is ${sizes.L * missingSum} fewer parameters.`
  return accountWith({
    kind: "rows",
    headline: isSingle
      ? sentences[0]
      : words`${opening} ${countWords} of them ${noun(deficientIndices.length, "lacks a tensor", "lack tensors")}: ${missingSum} ${noun(missingSum, "parameter is", "parameters are")} missing.`,
    findings: [
      ...(isSingle ? [] : sentences.map((sentence, order) => finding(50 - order, sentence))),
      ...(areInLayers && sizes.L > 1 ? [finding(20, overLayers)] : []),
    ],
    lines: groups.map((texts, index) => ({
      source: sourceOf(texts, groups),
      part: deficientIndices.includes(index)
        ? words`${parts[index]}, without ${lackInWords(texts, absentSet)}`
        : parts[index],
      stated: sumOfTexts(presentRows[index]),
      right: sumAt(places[index][0], sizes),
      verdict: deficientIndices.includes(index) ? "wrong" : "right",
      times: 1,
    })),
    model: { name: model.name, modelClass: modelClass.name, total: ruler.total },
    confidence: "possible",
  })
}

/** The sentence on a module that lacks tensors: its parameters, which part it is, and how many parameters the model has
 * there.
 * @param {TextRow[]} texts @param {Set<TextRow>} absentSet @param {import("./fits.js").PlaceOfRow[]} places  where the
 * module may be
 * @param {Words} part @param {Model} model */
function sentenceOnLack(texts, absentSet, places, part, model) {
  const presentRowsOfModule = texts.filter((row) => !absentSet.has(row))
  const contents = presentRowsOfModule.length ? workingOf(presentRowsOfModule) : words`no parameters`
  const sumInModel = sumAt(places[0], model.sizes)
  const verb = places.length > 1 ? "could be" : "is"
  const inModel = presentRowsOfModule.length
    ? words`${sumInModel - sumOfTexts(presentRowsOfModule)} more: ${sumInModel}`
    : words`${sumInModel} ${noun(sumInModel, "parameter")}`
  const subject = link(model.page, asSubject(model.title))
  return words`${nameOfLine(texts)} holds ${contents}. It ${verb} ${part}, but without ${lackInWords(texts, absentSet)}: ${subject} has ${inModel}.`
}
