// Explains a few rows: at most `MAX_LINES` lines of a listing, a tree of modules or a
// table. They are too few to identify a whole model, so the answer states which tensors
// they are and which model has them. The number in such a row is the size of a tensor or of
// a module, never the reader's total.
//
// Rows with shapes are compared with the tensors of every model (fits.js). If no model has all
// rows as they are, the one that has the most is taken, and the remaining rows are reported
// as wrong. Of several rows, at least half must be right, because the model would otherwise be
// a guess. A row of a table has the count of a module, which table-lines.js compares with the
// modules of every class. Names without sizes are explained with the sizes of a model that has
// them all.
//
// Rows are grouped by module: in what follows, `texts` are the rows of one module, such as a
// weight and its bias, and a line stands for all of them.

import { classOfBare, noun, product, sumBy, whole } from "../../counting/engine.js"
import { groupBy } from "../../counting/polynomials.js"
import { allLinesOf } from "../clean.js"
import { isGeneric, modelsIn } from "../labels/mentions.js"
import { accountWith, code, finding, firstOf, linkTo, titlesOf, words } from "../words.js"
import { withAttributes } from "./attributes.js"
import { joinLines } from "./broken-lines.js"
import { fitsOf, isLayerUnknown, moduleOf, nearestFit, shapeOf, sumAt, sumOfTexts, tensorsAt } from "./fits.js"
import { findingsOnKnownSum } from "./known-sums.js"
import { shapeInWords } from "./model-in-words.js"
import { classIn } from "./module-matches.js"
import { moduleRows } from "./modules.js"
import { TENSOR } from "./named-rows.js"
import { ADDED_TENSOR } from "./names.js"
import { inAnyLayer, partInWords } from "./parts-in-words.js"
import { rulerOf } from "./ruler.js"
import { publishedModelsWith } from "./sizes.js"
import { isRule } from "./summaries.js"
import { accountOfTableLines } from "./table-lines.js"
import { isNumberedMatrix, sourceOrName } from "./text-row.js"

export const MAX_LINES = 12 // the maximum number of lines; a longer text is a print-out
const MAX_ROWS = 400 // the maximum number of rows on these lines; more take too long to compare with every model
const MAX_MODELS = 3 // the maximum number of models that are named in addition to the likeliest
const MAX_PARTS = 4 // the maximum number of parts of the same shape that are listed

/** @typedef {import("./fits.js").PlaceOfRow} PlaceOfRow */
/** @typedef {import("./fits.js").FitOfLines} FitOfLines */

// --- In words -----------------------------------------------------------------------

/** The words for tensors at a place. If the place names no layer, the words name none either.
 * @param {RulerTensor[]} tensors @param {PlaceOfRow} place @param {Ruler} ruler */
export function placedPartInWords(tensors, place, ruler) {
  const part = partInWords(tensors, ruler)
  return isLayerUnknown(place) ? inAnyLayer(part) : part
}

/** The words for the possible places of a line. @param {PlaceOfRow[]} places @param {Ruler} ruler @returns {Words} */
export const placesInWords = (places, ruler) =>
  firstOf(
    places.map((place) => placedPartInWords(tensorsAt(place, ruler), place, ruler)),
    MAX_PARTS,
    "or",
  )

const MIN_SHARE = 0.0005 // a smaller share would be rounded to 0.0%

/** A share as a percentage with one decimal. @param {number} share */
const percentage = (share) => (share < MIN_SHARE ? "under 0.1%" : `${(100 * share).toFixed(1)}%`)

/** The sum of a line with its working, such as "768 × 768 + 768 = 590,592 parameters".
 * @param {TextRow[]} texts @returns {Words} */
export function workingOf(texts) {
  const terms = texts.map(({ shape, low }) => (shape ? shapeInWords(shape) : whole(low ?? 0)))
  const sum = sumOfTexts(texts)
  const isSum = terms.length > 1 || terms[0].includes("×")
  return words`${isSum ? `${terms.join(" + ")} = ` : ""}${sum} ${noun(sum, "parameter")}`
}

/** The words for the number that a line states if it is not the line's sum; empty if it is, or if the line states none.
 * @param {TextRow[]} texts @returns {Words} */
function mistakeInWords(texts) {
  const [{ stated }] = texts
  const sum = sumOfTexts(texts)
  if (stated === null || stated === sum) return []
  return words`, not ${stated}, which is ${Math.abs(stated - sum)} too ${stated > sum ? "many" : "few"}`
}

/** The name of a line: that of its module in `print(model)`, or that of its tensor. @param {TextRow[]} texts */
export const nameOfLine = ([{ name, type }]) => code(type ? moduleOf(name) : name)

/** A finding on the other models that have the same lines; empty if there are none.
 * @param {FitOfLines[]} fits @param {TextRow[][]} lines */
function findingsOnOtherModels([, ...others], lines) {
  if (!others.length) return []
  const sizeNoun = lines.flat().every(({ shape }) => shape) ? "shape" : "number"
  const subjectAndVerb =
    lines.length > 1 ? `Rows with the same names and ${sizeNoun}s are` : `A row with the same name and ${sizeNoun} is`
  const titles = titlesOf(
    others.map(({ model }) => model),
    MAX_MODELS,
  )
  return [finding(20, words`${subjectAndVerb} also in ${titles}.`)]
}

/** A finding on the position of the only line in its model, and on its share; empty if its place is ambiguous.
 * @param {FitOfLines} fit @param {PlaceOfRow[]} places @param {Ruler} ruler */
function findingsOnPosition({ modelClass }, [place, ...others], ruler) {
  const tensors = tensorsAt(place, ruler)
  if (!tensors.length || others.length) return []
  const untiedTensors = ruler.tensors.filter(({ tied }) => !tied)
  if (tensors.every(({ tied }) => tied))
    return [
      finding(
        40,
        words`It is tied to another tensor of ${code(modelClass.name)}, so it adds nothing to the ${ruler.total} parameters there.`,
      ),
    ]
  if (tensors.some(({ tied }) => tied)) return []
  const elements = sumBy(tensors, (tensor) => tensor.elements)
  const share = words`${percentage(elements / ruler.total)} of its ${ruler.total} parameters`
  const times = untiedTensors.filter(({ row }) => row === tensors[0].row).length
  if (isLayerUnknown(place) && times > 1)
    return [finding(40, words`${code(modelClass.name)} has ${times} of them, one in each layer. Each is ${share}.`)]
  if (tensors.length > 1) return [finding(40, words`In ${code(modelClass.name)}, it is ${share}.`)]
  return [
    finding(
      40,
      words`In ${code(modelClass.name)}, it is tensor ${untiedTensors.indexOf(tensors[0]) + 1} of ${untiedTensors.length}, and ${share}.`,
    ),
  ]
}

/** The number of labels that the lines show; 0 if they show none. @param {TextRow[][]} lines @param {FitOfLines} fit */
const labelCountOf = (lines, { places, model: { sizes } }) =>
  lines
    .flatMap((texts, index) =>
      texts.flatMap(({ shape, low }, rowIndex) => {
        const { dimensions } = places[index][0].rows[rowIndex]
        if (!dimensions.includes("C")) return []
        return [shape ? Math.min(...shape) : Number(low) / product(dimensions, { ...sizes, C: 1 })]
      }),
    )
    .at(-1) ?? 0

/** The account of lines with shapes or counts; null if no model explains them and not every line has a shape.
 * @param {TextRow[][]} lines @returns {Account | null} */
function accountOfShapes(lines) {
  const fits = fitsOf(lines)
  const [fit] = fits
  const fitWithSlips = fit ? null : nearestFit(lines)
  if (fitWithSlips) return accountOfSlips(lines, fitWithSlips)
  // A count whose name no model has may belong to anything.
  if (!fit) return lines.flat().every(({ shape }) => shape) ? accountOfUnknown(lines) : null
  const { model, modelClass, places } = fit
  const labels = labelCountOf(lines, fit)
  const ruler = rulerOf(modelClass.name, labels ? { ...model.sizes, C: labels } : model.sizes)
  const parts = places.map((placesOfLine) => placesInWords(placesOfLine, ruler))
  // Heads that predict labels have the same name in several classes.
  const isOpen = labels > 0 || places.some((placesOfLine) => placesOfLine.length > 1)
  const asIn = words`${fits.length > 1 || isOpen ? ", as in" : " of"} ${linkTo(model)}`
  const isSingleLine = lines.length === 1
  const forLabels = labels && lines[0].every(({ shape }) => !shape) ? ` for ${labels} ${noun(labels, "label")}` : ""
  return accountWith({
    kind: "rows",
    headline: isSingleLine
      ? words`${nameOfLine(lines[0])} ${isOpen ? "could hold" : "holds"} ${parts[0]}${asIn}: ${workingOf(lines[0])}${forLabels}${mistakeInWords(lines[0])}.`
      : words`These are ${lines.length} rows of a listing${asIn}. They add up to ${sumOfTexts(lines.flat())} parameters; ${code(modelClass.name)} has ${ruler.total} in all.`,
    findings: [
      ...(isSingleLine ? findingsOnPosition(fit, places[0], ruler) : []),
      ...findingsOnOtherModels(fits, lines),
    ],
    lines: lines.map((texts, index) => lineOf(texts, parts[index], true, lines)),
    model: { name: model.name, modelClass: modelClass.name, total: ruler.total },
    confidence: fits.length > 1 || isOpen ? "possible" : "likely",
  })
}

/** The account of lines if some of them differ in shape or count from the tensors that they name.
 * @param {TextRow[][]} lines @param {FitOfLines & { wrongLines: number[] }} fit @returns {Account} */
function accountOfSlips(lines, { model, modelClass, places, wrongLines }) {
  const { sizes } = model
  const ruler = rulerOf(modelClass.name, sizes)
  const parts = places.map((placesOfLine) => placesInWords(placesOfLine, ruler))
  const slips = wrongLines.map((index) => {
    const [texts, [place]] = [lines[index], places[index]]
    const hasShapes = texts.some(({ shape }) => shape)
    const rightTexts = texts.map((text, rowIndex) => ({
      ...text,
      shape: text.shape && shapeOf(place.rows[rowIndex], sizes),
    }))
    const sum = sumAt(place, sizes)
    const statedWords = hasShapes ? workingOf(texts) : words`${sumOfTexts(texts)}`
    const rightWords = hasShapes ? workingOf(rightTexts) : words`${sum} ${noun(sum, "parameter")}`
    const excess = sumOfTexts(texts) - sum
    const difference = excess ? words`, which is ${Math.abs(excess)} too ${excess > 0 ? "many" : "few"}` : []
    return words`${nameOfLine(texts)} is ${parts[index]}: ${rightWords} in ${linkTo(model)}, not ${statedWords}${difference}.`
  })
  const opening = words`These are ${lines.length} rows of a listing, as in ${linkTo(model)}, but`
  const headlineOfSeveral =
    wrongLines.length > 1
      ? words`${opening} ${wrongLines.length} of them are wrong.`
      : words`${opening} one of them is wrong: ${slips[0]}`
  return accountWith({
    kind: "rows",
    headline: lines.length === 1 ? slips[0] : headlineOfSeveral,
    findings: wrongLines.length > 1 ? slips.map((slip, index) => finding(50 - index, slip)) : [],
    lines: lines.map((texts, index) => {
      const line = lineOf(texts, parts[index], true, lines)
      return wrongLines.includes(index) ? { ...line, right: sumAt(places[index][0], sizes), verdict: "wrong" } : line
    }),
    model: { name: model.name, modelClass: modelClass.name, total: ruler.total },
    confidence: lines.length > 1 ? "likely" : "possible",
  })
}

/** The account of names without sizes, which may be marked as trained or frozen; null if no model has all of them, or
 * if the model that the lines name does not.
 * @param {TextRow[][]} lines @returns {Account | null} */
function accountOfNames(lines) {
  const text = lines.map(([{ line }]) => line.text).join("\n")
  const [mention] = modelsIn(text).filter((candidate) => !isGeneric(candidate)) // names of tensors begin with "bert"
  const [fit, ...others] = fitsOf(lines, () => true).filter(
    ({ model }) => !mention || mention.models.includes(model.name),
  )
  if (!fit) return null
  const { model, modelClass, places } = fit
  const ruler = rulerOf(modelClass.name, model.sizes)
  const numbers = places.map(([place]) => sumAt(place, model.sizes))
  const sum = sumBy(numbers, (number) => number)
  const trainableSum = sumBy(
    numbers.filter((_, index) => lines[index][0].isTrainable),
    (number) => number,
  )
  const statesTraining = lines.every(([{ isTrainable }]) => isTrainable !== null)
  const onTraining = statesTraining ? words`, of which ${trainableSum} ${noun(trainableSum, "is", "are")} trained` : []
  const tensorCount = `${lines.length} ${noun(lines.length, "tensor")}`
  const verb = noun(lines.length, "it holds", "they hold")
  return accountWith({
    kind: "rows",
    headline: words`Your text names ${tensorCount} and gives no sizes. With those of ${linkTo(model)}, as ${code(modelClass.name)}, ${verb} ${sum} ${noun(sum, "parameter")}${onTraining}.`,
    lines: lines.map((texts, index) => ({
      source: sourceOf(texts, lines),
      part: placesInWords(places[index].slice(0, 1), ruler),
      stated: null,
      right: numbers[index],
      verdict: "right",
      times: 1,
    })),
    model: { name: model.name, modelClass: modelClass.name, total: ruler.total },
    confidence: others.length ? "possible" : "likely",
  })
}

/** The source text that the account shows for a line: the whole line of the text, or the name if that line is long or
 * shared.
 * @param {TextRow[]} texts @param {TextRow[][]} allGroups */
export function sourceOf([{ line, name }], allGroups) {
  const isShared = allGroups.filter(([other]) => other.line.index === line.index).length > 1
  return isShared ? name : sourceOrName({ line, name })
}

/** A line of the account. It is wrong if the text states a number that the shape does not give.
 * @param {TextRow[]} texts @param {Words} part @param {boolean} isKnown  whether a model has these tensors
 * @param {TextRow[][]} allGroups @returns {AccountLine} */
function lineOf(texts, part, isKnown, allGroups) {
  const [{ stated }] = texts
  const number = sumOfTexts(texts)
  const isWrong = stated !== null && stated !== number
  const verdict = isKnown ? "right" : "unknown"
  return {
    source: sourceOf(texts, allGroups),
    part,
    stated: stated ?? number,
    right: isKnown || isWrong ? number : null,
    verdict: isWrong ? "wrong" : verdict,
    times: 1,
  }
}

/** The account of lines that no published model has. It gives only their sum.
 * @param {TextRow[][]} lines @returns {Account} */
function accountOfUnknown(lines) {
  return accountWith({
    headline:
      lines.length === 1
        ? words`${nameOfLine(lines[0])} has ${workingOf(lines[0])}. No model whose tensors we count has one of this name and shape.`
        : words`These are ${lines.length} rows with ${sumOfTexts(lines.flat())} parameters in all. No model whose tensors we count has all of them.`,
    findings: lines.length > 1 ? findingsOnKnownSum(sumOfTexts(lines.flat())) : [],
    lines: lines.map((texts) => lineOf(texts, [], false, lines)),
    confidence: "possible",
  })
}

// --- The account ------------------------------------------------------------------

/** A line of `print(model)`: a module with its name, or closing brackets. */
const MODULE_LINE = /^\s*\([\w.-]+\):\s*[A-Za-z_][\w.]*\(|^\s*\)+\s*$/
/** Equal layers in `print(model)`, such as "(0-11): 12 x BertLayer(". */
const EQUAL_LAYERS = /^\s*\([0-9]+-[0-9]+\):\s*([0-9]+)\s*x\s*([A-Za-z]\w*)\(\s*$/

/** The account of a line with which torch abbreviates equal layers, without their contents; null for any other text.
 * @param {string} text @returns {Account | null} */
function accountOfEqualLayers(text) {
  const [, count, type] = EQUAL_LAYERS.exec(text) ?? []
  if (!type) return null
  const L = Number(count)
  const { architecture } = classIn(type)
  const [model] = architecture ? publishedModelsWith(architecture, { L }) : []
  const opening = words`This line stands for ${count} equal layers, and gives no sizes.`
  const layerTensors = model
    ? rulerOf(classOfBare(architecture), model.sizes).tensors.filter(({ numbers }) => numbers.length)
    : []
  const sum = sumBy(layerTensors, ({ elements }) => elements)
  const ofModel = model && words`${opening} In ${linkTo(model)}, they hold ${sum} parameters in all, ${sum / L} each.`
  return accountWith({
    kind: "rows",
    headline: ofModel && Number.isInteger(sum / L) ? ofModel : opening,
    confidence: "possible",
  })
}

/** A line that counts the tensors of an ONNX file. */
const COUNT_OF_TENSORS = /\binitializers\b/i

/** A number that may be a count or a size, unlike those in a sentence or a call, such as a version or a layer. */
const MAY_BE_COUNT = /[0-9]{3}|[0-9][,.][0-9]|^[^0-9]*[0-9]+\W*$/

/** The rows of each module on each line, in order. Buffers and optimiser states are left out. Null if a line with a
 * count would be ignored because it has no rows and shows no module.
 * @param {TextLine[]} lines @param {TextRow[]} rows */
export function groupsByModule(lines, rows) {
  const rowsByLine = lines.map(({ index }) => rows.filter(({ line }) => line.index === index))
  const isRead = lines.every(
    ({ text }, place) =>
      rowsByLine[place].length || MODULE_LINE.test(text) || COUNT_OF_TENSORS.test(text) || !MAY_BE_COUNT.test(text),
  )
  if (!isRead) return null
  return rowsByLine.flatMap((rowsOfLine) => [
    ...groupBy(
      rowsOfLine.filter(({ isBuffer }) => !isBuffer),
      ({ name }) => (TENSOR.test(name) ? moduleOf(name) : name),
    ).values(),
  ])
}

/** The account of a few rows, or of a few lines of a table; null for any other text, and if they cannot be explained.
 * @param {string} text @param {TextRow[]} parsedRows  the rows that rows.js has read in the text
 * @returns {Account | null} */
export function accountOfFew(text, parsedRows) {
  const allLines = allLinesOf(text)
  const lines = allLines.filter((line) => line.text.trim() && !isRule(line.text))
  if (!lines.length || lines.length > MAX_LINES || parsedRows.length > MAX_ROWS) return null
  const isOfModules = lines.every((line) => MODULE_LINE.test(line.text))
  const rows = isOfModules ? moduleRows(text, allLines).rows : parsedRows
  const groups = groupsByModule(
    joinLines(withAttributes(lines)),
    rows.filter(({ isContainer }) => !isContainer),
  )
  const account = groups?.length ? accountWithMatrices(groups) : null
  const buffer = rows.find((row) => row.isBuffer)
  if (account && buffer)
    return {
      ...account,
      findings: [
        ...account.findings,
        finding(10, words`${code(buffer.name)} is a buffer or a state of the optimiser, so it is not a parameter.`),
      ],
    }
  return account ?? accountOfTableLines(lines) ?? (lines.length === 1 ? accountOfEqualLayers(lines[0].text) : null)
}

/** The account of rows grouped by module, some of which may be matrices without names, which are not compared with a
 * model; null if the other rows cannot be explained.
 * @param {TextRow[][]} groups */
function accountWithMatrices(groups) {
  const matrices = groups.filter(([first]) => isNumberedMatrix(first))
  const namedGroups = groups.filter(([first]) => !isNumberedMatrix(first))
  const account = accountOfGroups(namedGroups.length ? namedGroups : groups)
  if (!account || !matrices.length || !namedGroups.length) return account
  const sum = sumOfTexts(matrices.flat())
  const subject = words`${matrices.length} ${noun(matrices.length, "matrix has a number instead of a name", "matrices have numbers instead of names")}`
  const onMatrices = words`${subject}, because ONNX stores the transpose: ${sum} more parameters.`
  return {
    ...account,
    findings: [finding(45, onMatrices), ...account.findings],
    lines: [...account.lines, ...matrices.map((texts) => lineOf(texts, [], false, groups))],
  }
}

const MAX_WORDS_BESIDE_NAME = 6 // as in "How many parameters does … have?"

/** Whether a line consists of a name, perhaps in a short question. @param {TextRow} row */
function isNameAlone({ name, line }) {
  const rest = line.text.replace(name, "")
  return !/[0-9]/.test(rest) && (rest.match(/[\p{L}']+/gu) ?? []).length <= MAX_WORDS_BESIDE_NAME
}

/** The account of rows grouped by module. It is based on their sizes if every row has one, or on their names if none
 * has a size and each is alone on its line or states whether it is trained. Null for any other rows.
 * @param {TextRow[][]} groups */
function accountOfGroups(groups) {
  const rows = groups.flat()
  if (rows.every(({ name, low, high }) => name && low !== null && low === high && !ADDED_TENSOR.test(name)))
    return accountOfShapes(groups)
  const areNames = rows.every(({ name, low }) => name && low === null)
  const stateTraining = rows.every(({ isTrainable }) => isTrainable !== null)
  return areNames && (stateTraining || rows.every(isNameAlone)) ? accountOfNames(groups) : null
}
