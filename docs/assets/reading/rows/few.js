// Explains a few rows: at most `MAX_LINES` lines of a listing, a tree of modules or a
// table. They are too few to identify a whole model, so the answer states which tensors
// they are and which model has them. The number in such a row is the size of a tensor,
// never the reader's total.
//
// A row with a shape is compared with every tensor whose name has the same ending, model
// by model, starting with the most widely used. If no model has all rows as they are, the
// one that has the most is taken, and the remaining rows are reported as wrong. Of several
// rows, at least half must be right, because the model would otherwise be a guess. A row of
// a table has the count of a module, which table-lines.js compares with the modules of every
// class.
//
// In this module, a line is the rows of one module on one line of the text, because
// `print(model)` shows a weight and its bias on one line.

import table from "../../../data/table.js"
import {
  classesOf,
  classOfBare,
  getOrMake,
  noun,
  product,
  sizeOfDimension,
  sumBy,
  whole,
} from "../../counting/engine.js"
import { groupBy } from "../../counting/polynomials.js"
import { modelsByUse } from "../../explaining/ways.js"
import { allLinesOf } from "../clean.js"
import { code, finding, firstOf, link, titlesOf, words } from "../words.js"
import { moduleRows } from "./modules.js"
import { ADDED_TENSOR, canonicalComponents, layersIn, printedRows } from "./names.js"
import { partInWords } from "./parts-in-words.js"
import { rowsOfClass } from "./recognising.js"
import { nameOfRow, namesOf, rulerOf } from "./ruler.js"
import { publishedModelsWith } from "./sizes.js"
import { isRule } from "./summaries.js"
import { accountOfTableLines, classIn, inAnyLayer } from "./table-lines.js"
import { sourceOrName } from "./text-row.js"

export const MAX_LINES = 12 // the maximum number of lines; a longer text is a print-out
const MAX_MODELS = 3 // the maximum number of models that are named in addition to the likeliest
const MAX_PARTS = 4 // the maximum number of parts of the same shape that are listed

/** Tensors of one module that a line may show, and the layer numbers in its name.
 * @typedef {{ rows: Row[], numbers: number[] }} Place */

/** A model and one of its classes, with a list of possible places for each line.
 * @typedef {{ model: Model, modelClass: ModelClass, places: Place[][] }} Fit */

// --- Lines with shapes ------------------------------------------------------------

/** Whether the shorter of two lists of components is the end of the longer one, in which "*" matches anything.
 * @param {string[]} one @param {string[]} other */
function endsAlike(one, other) {
  const [long, short] = one.length > other.length ? [one, other] : [other, one]
  const start = long.length - short.length
  return short.every((component, place) => component === long[start + place] || long[start + place] === "*")
}

/** The rows of an architecture whose names have the same ending as a printed name.
 * @param {TextRow} text @param {string} architecture */
function rowsNamedLike({ name }, architecture) {
  const components = canonicalComponents(name).map((component) => (/^[0-9]+$/.test(component) ? "*" : component))
  // In Google's checkpoints the classifier's layer is outside all modules, so its name has only one component.
  if (components.length < 2)
    return (printedRows(name)?.rows ?? []).flatMap((entry) => (entry.architecture === architecture ? [entry.row] : []))
  return componentsOf(architecture).flatMap(([row, rowComponents]) =>
    endsAlike(components, rowComponents) ? [row] : [],
  )
}

/** The cached components by architecture. @type {Map<string, [Row, string[]][]>} */
const componentsByArchitecture = new Map()

/** The rows of an architecture with the components of their names. @param {string} architecture */
const componentsOf = (architecture) =>
  getOrMake(componentsByArchitecture, architecture, () =>
    [...namesOf(architecture)].map(([row, rowName]) => [row, canonicalComponents(rowName)]),
  )

/** Whether a printed shape is that of a tensor, for any number of labels. The sizes may be in reverse order,
 * because TensorFlow stores the transpose of PyTorch's matrices.
 * @param {Row} row @param {number[]} shape @param {Sizes} sizes */
function hasShape({ dimensions }, shape, sizes) {
  const sizesOfRow = dimensions.map((size) => (size === "C" ? null : sizeOfDimension(size, sizes)))
  /** Whether sizes in this order are those of the tensor. */
  const hasSizes = (/** @type {number[]} */ sizesInOrder) =>
    sizesInOrder.length === sizesOfRow.length &&
    sizesInOrder.every((size, place) => sizesOfRow[place] === null || sizesOfRow[place] === size)
  return hasSizes(shape) || hasSizes([...shape].reverse())
}

/** Whether a printed row has the shape of a tensor or, if it gives no shape, the tensor's count, for any number of
 * labels.
 * @param {Row} row @param {TextRow} text @param {Sizes} sizes */
export function isFitting(row, { shape, low }, sizes) {
  if (shape) return hasShape(row, shape, sizes)
  const ofOneLabel = product(row.dimensions, { ...sizes, C: 1 })
  return row.dimensions.includes("C") ? Number(low) > 0 && Number(low) % ofOneLabel === 0 : low === ofOneLabel
}

/** The possible places of a line in a class. The tensors of a line all belong to one module.
 * @param {TextRow[]} texts @param {Row[][]} namesakes  for each text, the rows that its name may refer to
 * @param {Set<Row>} classRows  the rows of the class @param {Model} model
 * @param {typeof isFitting} fitsRow  whether a printed row fits a tensor @returns {Place[]} */
function placesOf(texts, namesakes, classRows, { architecture, sizes }, fitsRow = isFitting) {
  const [first, ...others] = texts.map((text, index) =>
    namesakes[index].filter((row) => classRows.has(row) && fitsRow(row, text, sizes)),
  )
  /** The name of the module of a row. */
  const moduleOfRow = (/** @type {Row} */ row) => moduleOf(nameOfRow(row, architecture))
  const numbers = layersIn(texts[0].name)
  if (numbers.some((number) => number >= (sizes.L ?? Number.POSITIVE_INFINITY))) return []
  return first.flatMap((row) => {
    const otherRows = others.flatMap((rows) => rows.find((other) => moduleOfRow(other) === moduleOfRow(row)) ?? [])
    const rows = [row, ...otherRows]
    return rows.length === texts.length ? [{ rows, numbers: row.repeated ? numbers : [] }] : []
  })
}

/** The rows of a class at a model's sizes. @param {Model} model @param {ModelClass} modelClass */
const rowsOfModel = ({ sizes }, modelClass) => new Set(rowsOfClass(modelClass, {}, sizes))

/** The first class of a model that has the tensors of all lines; null if there is none.
 * @param {Model} model @param {TextRow[][]} lines @param {ReturnType<typeof namesakesOf>} namesakes
 * @param {typeof isFitting} fitsRow @returns {Fit | null} */
function fitOf(model, lines, namesakes, fitsRow) {
  for (const modelClass of classesOf(model.architecture)) {
    const classRows = rowsOfModel(model, modelClass)
    const places = lines.map((texts, index) =>
      placesOf(texts, namesakes.get(model.architecture)?.[index] ?? [], classRows, model, fitsRow),
    )
    if (places.every((list) => list.length)) return { model, modelClass, places }
  }
  return null
}

/** The rows that the names in lines may refer to, by architecture, with one list for each printed row of each line.
 * @param {TextRow[][]} lines */
export const namesakesOf = (lines) =>
  new Map(
    table.architectures.map(({ name }) => [name, lines.map((texts) => texts.map((text) => rowsNamedLike(text, name)))]),
  )

/** The published models that have the tensors of all lines, the most widely used first.
 * @param {TextRow[][]} lines @param {ReturnType<typeof namesakesOf>} namesakes
 * @param {typeof isFitting} fitsRow  whether a printed row fits a tensor */
export const fitsOf = (lines, namesakes, fitsRow = isFitting) =>
  modelsByUse.flatMap((model) => fitOf(model, lines, namesakes, fitsRow) ?? [])

const MAX_DIFFERENCE = 0.01 // the largest relative difference between a single line and the tensors that it names

/** Whether a tensor has fixed sizes, so that a different shape can only be a mistake. Tables may have any height, and a
 * head any number of labels.
 * @param {Row} row */
const isFixed = ({ dimensions }) => dimensions.every((size) => !/[VPSC]/.test(String(size)))

/** Whether a number is within `MAX_DIFFERENCE` of another. @param {number} one @param {number} other */
const isNear = (one, other) => Math.abs(one / other - 1) <= MAX_DIFFERENCE

/** The places of lines in a class, and the lines whose shape or count differs from that of their tensors. Null if
 * the class lacks a name, or if the differences may not be mistakes, for example because more lines are wrong than
 * right. A single line may be wrong if its number is close.
 * @param {TextRow[][]} lines @param {Row[][][]} namesakes @param {Set<Row>} classRows  the rows of the class
 * @param {Model} model @returns {{ places: Place[][], wrongLines: number[] } | null} */
function placesWithSlips(lines, namesakes, classRows, model) {
  const { sizes } = model
  /** @type {number[]} */
  const wrongLines = []
  const places = lines.map((texts, index) => {
    const placesAsPrinted = placesOf(texts, namesakes[index], classRows, model)
    if (placesAsPrinted.length) return placesAsPrinted
    wrongLines.push(index)
    const isSlip = namesakes[index].flat().every(isFixed)
    const placesByName = isSlip ? placesOf(texts, namesakes[index], classRows, model, () => true) : []
    const shapes = new Set(placesByName.map(({ rows }) => JSON.stringify(rows.map((row) => shapeOf(row, sizes)))))
    return shapes.size === 1 ? placesByName : []
  })
  if (places.some((list) => !list.length)) return null
  const isTrusted =
    lines.length === 1 ? isNear(sumOf(lines[0]), sumAt(places[0][0], sizes)) : wrongLines.length <= lines.length / 2
  if (!isTrusted) return null
  /** Whether the shape of a tensor in a line has the feed-forward size. */
  const hasFeedForwardSize = (/** @type {number} */ index) =>
    places[index][0].rows.some(({ dimensions }) => dimensions.includes("F"))
  /** Whether all sizes in a line are round. */
  const hasRoundSizes = (/** @type {number} */ index) =>
    lines[index].every(({ shape, low }) => isRound(shape ?? [low ?? 0]))
  // A custom model may have any feed-forward size, so a different one is only a mistake if another line
  // shows the published one.
  const mayBeCustom = wrongLines.some((index) => hasFeedForwardSize(index) && hasRoundSizes(index))
  const isAsPublished = places.some((_, index) => !wrongLines.includes(index) && hasFeedForwardSize(index))
  return mayBeCustom && !isAsPublished ? null : { places, wrongLines }
}

/** Whether all sizes are round, as chosen sizes usually are: multiples of 64, the usual width of an attention head.
 * @param {number[]} sizes */
const isRound = (sizes) => sizes.every((size) => size % 64 === 0)

/** The shape of a tensor at a model's sizes. @param {Row} row @param {Sizes} sizes */
const shapeOf = ({ dimensions }, sizes) => dimensions.map((size) => sizeOfDimension(size, sizes))

/** The number of parameters at a place, at a model's sizes. @param {Place} place @param {Sizes} sizes */
export const sumAt = ({ rows }, sizes) => sumBy(rows, ({ dimensions }) => product(dimensions, sizes))

/** The model that has the names of all lines and the fewest wrong lines, with the indices of these; null if there is
 * none. Ties go to the most widely used model.
 * @param {TextRow[][]} lines @param {ReturnType<typeof namesakesOf>} namesakes
 * @returns {Fit & { wrongLines: number[] } | null} */
function nearestFit(lines, namesakes) {
  /** @type {Fit & { wrongLines: number[] } | null} */
  let best = null
  for (const model of modelsByUse)
    for (const modelClass of classesOf(model.architecture)) {
      const rows = namesakes.get(model.architecture) ?? []
      const slips = placesWithSlips(lines, rows, rowsOfModel(model, modelClass), model)
      if (slips && slips.wrongLines.length < (best?.wrongLines.length ?? Number.POSITIVE_INFINITY))
        best = { model, modelClass, ...slips }
    }
  return best
}

/** The tensors at a place; those of the first layer if the text names no layer.
 * @param {Place} place @param {Ruler} ruler */
export const tensorsAt = ({ rows, numbers }, ruler) =>
  rows.flatMap(
    (row) =>
      ruler.tensors.find(
        (tensor) => tensor.row === row && (!numbers.length || tensor.numbers.at(-1) === numbers.at(-1)),
      ) ?? [],
  )

/** Whether a place is in a layer whose number the text does not give. @param {Place} place */
export const isInAnyLayer = ({ rows: [row], numbers }) => row.repeated && !numbers.length

/** The words for the possible places of a line. @param {Place[]} places @param {Ruler} ruler @returns {Words} */
export function placesInWords(places, ruler) {
  const parts = places.map((place) => {
    const part = partInWords(tensorsAt(place, ruler), ruler)
    return isInAnyLayer(place) ? inAnyLayer(part) : part
  })
  return firstOf(parts, MAX_PARTS, "or")
}

const MIN_SHARE = 0.0005 // a smaller share would be rounded to 0.0%

/** A share as a percentage with one decimal. @param {number} share */
const percentage = (share) => (share < MIN_SHARE ? "under 0.1%" : `${(100 * share).toFixed(1)}%`)

/** The number of parameters in a line, from its shapes or, without shapes, from its counts. @param {TextRow[]} texts */
export const sumOf = (texts) => sumBy(texts, ({ shape, low }) => (shape ? product(shape, {}) : (low ?? 0)))

/** The sum of a line with its working, such as "768 × 768 + 768 = 590,592 parameters".
 * @param {TextRow[]} texts @returns {Words} */
export function workingOf(texts) {
  const terms = texts.map(({ shape, low }) => (shape ? shape.map(whole).join(" × ") || "1" : whole(low ?? 0)))
  const sum = sumOf(texts)
  const isSum = terms.length > 1 || terms[0].includes("×")
  return words`${isSum ? `${terms.join(" + ")} = ` : ""}${sum} ${noun(sum, "parameter")}`
}

/** The words for a stated number that is not the product of its shape; empty if there is none.
 * @param {TextRow[]} texts @returns {Words} */
function mistakeInWords(texts) {
  const [{ stated }] = texts
  const sum = sumOf(texts)
  if (stated === null || stated === sum) return []
  return words`, not ${stated}, which is ${Math.abs(stated - sum)} too ${stated > sum ? "many" : "few"}`
}

/** A link to the page of a model, with its title. @param {Model} model @returns {Words} */
export const titleOf = ({ page, title }) => [link(page, title)]

/** The name of a line: that of its module in `print(model)`, or that of its tensor. @param {TextRow[]} texts */
export const nameOf = ([{ name, type }]) => code(type ? moduleOf(name) : name)

/** The name of the module that holds a tensor. @param {string} name */
export const moduleOf = (name) => name.replace(/\.\w+$/, "")

/** A finding on the other models that have the same lines; empty if there are none.
 * @param {Fit[]} fits @param {number} lineCount */
function otherModelsFinding([, ...others], lineCount) {
  if (!others.length) return []
  const subjectAndVerb = lineCount > 1 ? "Rows of the same names and shapes are" : "A row of the same name and shape is"
  const titles = titlesOf(
    others.map(({ model }) => model),
    MAX_MODELS,
  )
  return [finding(20, words`${subjectAndVerb} also in ${titles}.`)]
}

/** A finding on the position of the only line in its model, and on its share; empty if its place is ambiguous.
 * @param {Fit} fit @param {Place[]} places @param {Ruler} ruler */
function positionFinding({ modelClass }, [place, ...others], ruler) {
  const tensors = tensorsAt(place, ruler)
  if (!tensors.length || others.length) return []
  const untiedTensors = ruler.tensors.filter(({ tied }) => !tied)
  if (tensors.every(({ tied }) => tied))
    return [
      finding(
        40,
        words`It is tied to another tensor of ${code(modelClass.name)}, and adds nothing to the ${ruler.total} parameters there.`,
      ),
    ]
  if (tensors.some(({ tied }) => tied)) return []
  const elements = sumBy(tensors, (tensor) => tensor.elements)
  const share = words`${percentage(elements / ruler.total)} of its ${ruler.total} parameters`
  const times = untiedTensors.filter(({ row }) => row === tensors[0].row).length
  if (isInAnyLayer(place) && times > 1)
    return [finding(40, words`${code(modelClass.name)} has ${times} of them, one in each layer. Each is ${share}.`)]
  if (tensors.length > 1) return [finding(40, words`In ${code(modelClass.name)}, it is ${share}.`)]
  return [
    finding(
      40,
      words`In ${code(modelClass.name)}, it is tensor ${untiedTensors.indexOf(tensors[0]) + 1} of ${untiedTensors.length}, and ${share}.`,
    ),
  ]
}

/** The number of labels that the lines show; 0 if they show none. @param {TextRow[][]} lines @param {Fit} fit */
const labelCountIn = (lines, { places, model: { sizes } }) =>
  lines
    .flatMap((texts, index) =>
      texts.flatMap(({ shape, low }, at) => {
        const { dimensions } = places[index][0].rows[at]
        if (!dimensions.includes("C")) return []
        return [shape ? Math.min(...shape) : Number(low) / product(dimensions, { ...sizes, C: 1 })]
      }),
    )
    .at(-1) ?? 0

/** The account of lines with shapes or counts; null if no model explains them and not every line has a shape.
 * @param {TextRow[][]} lines @returns {Account | null} */
function accountOfShapes(lines) {
  const namesakes = namesakesOf(lines)
  const fits = fitsOf(lines, namesakes)
  const [fit] = fits
  const fitWithSlips = fit ? null : nearestFit(lines, namesakes)
  if (fitWithSlips) return accountOfSlips(lines, fitWithSlips)
  // A count whose name no model has may belong to anything.
  if (!fit) return lines.flat().every(({ shape }) => shape) ? accountOfUnknown(lines) : null
  const { model, modelClass, places } = fit
  const labels = labelCountIn(lines, fit)
  const ruler = rulerOf(modelClass.name, labels ? { ...model.sizes, C: labels } : model.sizes)
  const parts = places.map((list) => placesInWords(list, ruler))
  // Heads that predict labels have the same name in several classes.
  const isOpen = labels > 0 || places.some((list) => list.length > 1)
  const asIn = words`${fits.length > 1 || isOpen ? ", as in" : " of"} ${titleOf(model)}`
  const isSingleLine = lines.length === 1
  const forLabels = labels && lines[0].every(({ shape }) => !shape) ? ` for ${labels} ${noun(labels, "label")}` : ""
  return {
    kind: "rows",
    headline: isSingleLine
      ? words`${nameOf(lines[0])} ${isOpen ? "could hold" : "holds"} ${parts[0]}${asIn}: ${workingOf(lines[0])}${forLabels}${mistakeInWords(lines[0])}.`
      : words`These are ${lines.length} rows of a listing${asIn}. They add up to ${sumOf(lines.flat())} parameters; ${code(modelClass.name)} has ${ruler.total} in all.`,
    findings: [
      ...(isSingleLine ? positionFinding(fit, places[0], ruler) : []),
      ...otherModelsFinding(fits, lines.length),
    ],
    lines: lines.map((texts, index) => lineOf(texts, parts[index], true, lines)),
    bridge: null,
    model: { name: model.name, modelClass: modelClass.name, total: ruler.total },
    confidence: fits.length > 1 || isOpen ? "possible" : "likely",
  }
}

/** The account of lines if some of them differ in shape or count from the tensors that they name.
 * @param {TextRow[][]} lines @param {Fit & { wrongLines: number[] }} fit @returns {Account} */
function accountOfSlips(lines, { model, modelClass, places, wrongLines }) {
  const { sizes } = model
  const ruler = rulerOf(modelClass.name, sizes)
  const parts = places.map((list) => placesInWords(list, ruler))
  const slips = wrongLines.map((index) => {
    const [texts, [place]] = [lines[index], places[index]]
    const hasShapes = texts.some(({ shape }) => shape)
    const rightTexts = texts.map((text, at) => ({ ...text, shape: text.shape && shapeOf(place.rows[at], sizes) }))
    const sum = sumAt(place, sizes)
    const statedWords = hasShapes ? workingOf(texts) : words`${sumOf(texts)}`
    const rightWords = hasShapes ? workingOf(rightTexts) : words`${sum} ${noun(sum, "parameter")}`
    const excess = sumOf(texts) - sum
    const difference = excess ? words`, which is ${Math.abs(excess)} too ${excess > 0 ? "many" : "few"}` : []
    return words`${nameOf(texts)} is ${parts[index]}: ${rightWords} in ${titleOf(model)}, not ${statedWords}${difference}.`
  })
  const opening = words`These are ${lines.length} rows of a listing, as in ${titleOf(model)}, but`
  const headlineOfSeveral =
    wrongLines.length > 1
      ? words`${opening} ${wrongLines.length} of them are wrong.`
      : words`${opening} one of them is wrong: ${slips[0]}`
  return {
    kind: "rows",
    headline: lines.length === 1 ? slips[0] : headlineOfSeveral,
    findings: wrongLines.length > 1 ? slips.map((slip, index) => finding(50 - index, slip)) : [],
    lines: lines.map((texts, index) => {
      const line = lineOf(texts, parts[index], true, lines)
      return wrongLines.includes(index) ? { ...line, right: sumAt(places[index][0], sizes), verdict: "wrong" } : line
    }),
    bridge: null,
    model: { name: model.name, modelClass: modelClass.name, total: ruler.total },
    confidence: lines.length > 1 ? "likely" : "possible",
  }
}

/** The account of names without sizes, each marked as trained or frozen; null if no model has all of them.
 * @param {TextRow[][]} lines @returns {Account | null} */
function accountOfNames(lines) {
  const [fit, ...others] = fitsOf(lines, namesakesOf(lines), () => true)
  if (!fit) return null
  const { model, modelClass, places } = fit
  const ruler = rulerOf(modelClass.name, model.sizes)
  const numbers = places.map(([place]) => sumAt(place, model.sizes))
  const sum = sumBy(numbers, (number) => number)
  const trainableSum = sumBy(
    numbers.filter((_, index) => lines[index][0].isTrainable),
    (number) => number,
  )
  const names = `${lines.length} ${noun(lines.length, "tensor")}`
  return {
    kind: "rows",
    headline: words`Your text names ${names} and gives no sizes. With those of ${titleOf(model)}, as ${code(modelClass.name)}, they hold ${sum} ${noun(sum, "parameter")}, of which ${trainableSum} ${noun(trainableSum, "is", "are")} trained.`,
    findings: [],
    lines: lines.map((texts, index) => ({
      source: sourceOf(texts, lines),
      part: placesInWords(places[index].slice(0, 1), ruler),
      stated: null,
      right: numbers[index],
      verdict: "right",
      times: 1,
    })),
    bridge: null,
    model: { name: model.name, modelClass: modelClass.name, total: ruler.total },
    confidence: others.length ? "possible" : "likely",
  }
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
  const number = sumOf(texts)
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

/** The account of lines that no model here has. It gives only their sum.
 * @param {TextRow[][]} lines @returns {Account} */
function accountOfUnknown(lines) {
  return {
    kind: "other",
    headline:
      lines.length === 1
        ? words`${nameOf(lines[0])} has ${workingOf(lines[0])}. No model whose tensors we count has one of this name and shape.`
        : words`These are ${lines.length} rows with ${sumOf(lines.flat())} parameters in all. No model whose tensors we count has all of them.`,
    findings: [],
    lines: lines.map((texts) => lineOf(texts, [], false, lines)),
    bridge: null,
    model: null,
    confidence: "possible",
  }
}

// --- The account ------------------------------------------------------------------

/** A line of `print(model)`: a module with its name, or closing brackets. */
export const MODULE_LINE = /^\s*\([\w.-]+\):\s*[A-Za-z_][\w.]*\(|^\s*\)+\s*$/
/** Equal layers in `print(model)`, such as "(0-11): 12 x BertLayer(". */
const EQUAL_LAYERS = /^\s*\(([0-9]+)-([0-9]+)\):\s*([0-9]+)\s*x\s*([A-Za-z]\w*)\(\s*$/

/** The account of a line with which torch abbreviates equal layers, without their contents; null for any other text.
 * @param {string} text @returns {Account | null} */
function accountOfLayers(text) {
  const [, , , count, type] = EQUAL_LAYERS.exec(text) ?? []
  if (!type) return null
  const L = Number(count)
  const { architecture } = classIn(type)
  const [model] = architecture ? publishedModelsWith(architecture, { L }) : []
  const opening = words`This line stands for ${count} equal layers, and gives no sizes.`
  const layers = model
    ? rulerOf(classOfBare(architecture), model.sizes).tensors.filter(({ numbers }) => numbers.length)
    : []
  const sum = sumBy(layers, ({ elements }) => elements)
  const ofModel =
    model && words`${opening} In ${titleOf(model)}, they hold ${sum} parameters together, ${sum / L} each.`
  return {
    kind: "rows",
    headline: ofModel && Number.isInteger(sum / L) ? ofModel : opening,
    findings: [],
    lines: [],
    bridge: null,
    model: null,
    confidence: "possible",
  }
}

/** A line that counts the tensors of an ONNX file. */
const COUNT_OF_TENSORS = /\binitializers\b/i

/** The rows of each module on each line, in order. Buffers and optimiser states are left out. Null if a line with a
 * number would be ignored because it has no rows and shows no module.
 * @param {TextLine[]} lines @param {TextRow[]} rows */
export function rowsByModule(lines, rows) {
  const rowsByLine = lines.map(({ index }) => rows.filter(({ line }) => line.index === index))
  const isRead = lines.every(
    ({ text }, place) =>
      rowsByLine[place].length || MODULE_LINE.test(text) || COUNT_OF_TENSORS.test(text) || !/[0-9]/.test(text),
  )
  if (!isRead) return null
  return rowsByLine.flatMap((rowsOfLine) => [
    ...groupBy(
      rowsOfLine.filter(({ isBuffer }) => !isBuffer),
      ({ name }) => moduleOf(name),
    ).values(),
  ])
}

/** The account of a few rows, or of a few lines of a table; null if there is none.
 * @param {string} text @param {TextRow[]} parsedRows  the rows that rows.js has read in the text
 * @returns {Account | null} */
export function accountOfFew(text, parsedRows) {
  const allLines = allLinesOf(text)
  const lines = allLines.filter((line) => line.text.trim() && !isRule(line.text))
  if (!lines.length || lines.length > MAX_LINES) return null
  const isOfModules = lines.every((line) => MODULE_LINE.test(line.text))
  const rows = isOfModules ? moduleRows(text, allLines).rows : parsedRows
  const groups = rowsByModule(
    lines,
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
  return account ?? accountOfTableLines(lines) ?? (lines.length === 1 ? accountOfLayers(lines[0].text) : null)
}

/** Whether rows are a matrix that ONNX has numbered instead of naming it. @param {TextRow[]} texts */
const isNumbered = ([{ name }]) => name.startsWith("onnx::")

/** The account of rows grouped by module, some of which may be matrices without names. These are not compared with a
 * model.
 * @param {TextRow[][]} groups */
function accountWithMatrices(groups) {
  const matrices = groups.filter(isNumbered)
  const namedGroups = groups.filter((texts) => !isNumbered(texts))
  const account = accountOfGroups(namedGroups.length ? namedGroups : groups)
  if (!account || !matrices.length || !namedGroups.length) return account
  const sum = sumOf(matrices.flat())
  const subject = words`${matrices.length} ${noun(matrices.length, "matrix has a number", "matrices have numbers")}`
  const onMatrices = words`${subject} instead of a name, because ONNX stores the transpose: ${sum} parameters more.`
  return {
    ...account,
    findings: [finding(45, onMatrices), ...account.findings],
    lines: [...account.lines, ...matrices.map((texts) => lineOf(texts, [], false, groups))],
  }
}

/** The account of rows grouped by module. It is based on their sizes if every row has one, or on their names if none
 * has a size and each states whether it is trained. Null for any other rows.
 * @param {TextRow[][]} groups */
function accountOfGroups(groups) {
  const rows = groups.flat()
  if (rows.every(({ name, low, high }) => name && low !== null && low === high && !ADDED_TENSOR.test(name)))
    return accountOfShapes(groups)
  const areNames = rows.every(({ name, low, isTrainable }) => name && low === null && isTrainable !== null)
  return areNames ? accountOfNames(groups) : null
}
