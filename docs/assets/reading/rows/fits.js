// Finds the models that have the tensors of a few printed rows. A row is compared with every
// tensor whose name has the same ending, model by model, starting with the most widely used.
// A row with a count alone is also compared with every module. If no model has all rows, the
// nearest fit is the model that has all names and the fewest wrong lines.
//
// Here a line is the rows of one module on one line of the text, because `print(model)`
// shows a weight and its bias on one line.

import { classesOf, getOrMake, product, sizeOfDimension, sumBy } from "../../counting/engine.js"
import { modelsByUse } from "../../explaining/ways.js"
import { asPrintedName, canonicalComponents, layersIn } from "./names.js"
import { nameOfRow, namesOf, rowsOfClass } from "./ruler.js"

/** The name of the module that holds a tensor. @param {string} name */
export const moduleOf = (name) => name.replace(/\.\w+$/, "")

/** Tensors of one module that a line may show, and the layer numbers in the printed name.
 * @typedef {{ rows: Row[], numbers: number[] }} PlaceOfRow */

/** A model and one of its classes, with a list of possible places for each line.
 * @typedef {{ model: Model, modelClass: ModelClass, places: PlaceOfRow[][] }} FitOfLines */

/** Whether the shorter of two lists of components is the end of the longer one, in which "*" matches anything.
 * @param {string[]} one @param {string[]} other */
function endsAlike(one, other) {
  const [longer, shorter] = one.length > other.length ? [one, other] : [other, one]
  const start = longer.length - shorter.length
  return shorter.every((component, place) => component === longer[start + place] || longer[start + place] === "*")
}

/** The components of a printed name, with "*" in place of numbers. @param {string} name */
const componentsInAnyLayer = (name) =>
  canonicalComponents(name).map((component) => (/^[0-9]+$/.test(component) ? "*" : component))

/** The rows of an architecture whose names have the same ending as a printed name.
 * @param {TextRow} text @param {string} architecture */
function rowsNamedLike({ name }, architecture) {
  const components = componentsInAnyLayer(name)
  // In Google's checkpoints the classifier's layer is outside all modules, so the names of its tensors have only one
  // component.
  if (components.length < 2)
    return (asPrintedName(name)?.rows ?? []).flatMap((entry) =>
      entry.architecture === architecture ? [entry.row] : [],
    )
  return componentsOf(architecture).flatMap(([row, rowComponents]) =>
    endsAlike(components, rowComponents) ? [row] : [],
  )
}

/** The modules of an architecture whose paths have the same ending as the name on a line with a count, each with its
 * rows; none for the name of a tensor. A module around the layers is left out, because its rows do not say how often
 * they occur in it.
 * @param {TextRow[]} texts @param {string} architecture @returns {Row[][]} */
function modulesNamedLike([{ name, shape }, ...others], architecture) {
  const components = componentsInAnyLayer(name)
  if (shape || others.length || components.length < 2) return []
  /** @type {Map<string, Row[]>} */
  const modules = new Map()
  for (const [row, rowComponents] of componentsOf(architecture))
    for (let length = 1; length < rowComponents.length; length++) {
      const path = rowComponents.slice(0, length)
      if (endsAlike(components, path) && (!row.repeated || path.includes("*")))
        getOrMake(modules, path.join("."), () => /** @type {Row[]} */ ([])).push(row)
    }
  return [...modules.values()]
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
  const countForOneLabel = product(row.dimensions, { ...sizes, C: 1 })
  return row.dimensions.includes("C")
    ? Number(low) > 0 && Number(low) % countForOneLabel === 0
    : low === countForOneLabel
}

/** The possible places of a line in a class. The tensors of a line all belong to one module.
 * @param {TextRow[]} texts @param {Row[][]} namesakes  for each text, the rows that its name may refer to
 * @param {Set<Row>} classRows  the rows of the class @param {Model} model
 * @param {typeof isFitting} fitsRow  whether a printed row fits a tensor @returns {PlaceOfRow[]} */
function placesOf(texts, namesakes, classRows, { architecture, sizes }, fitsRow = isFitting) {
  const [first, ...others] = texts.map((text, index) =>
    namesakes[index].filter((row) => classRows.has(row) && fitsRow(row, text, sizes)),
  )
  const moduleOfRow = (/** @type {Row} */ row) => moduleOf(nameOfRow(row, architecture))
  const numbers = layersIn(texts[0].name)
  if (numbers.some((number) => number >= sizes.L)) return []
  return first.flatMap((row) => {
    const otherRows = others.flatMap((rows) => rows.find((other) => moduleOfRow(other) === moduleOfRow(row)) ?? [])
    const rows = [row, ...otherRows]
    return rows.length === texts.length ? [{ rows, numbers: row.repeated ? numbers : [] }] : []
  })
}

/** The possible places of a line with the count of a module in a class: the modules that have this count.
 * @param {TextRow[]} texts @param {Row[][]} modules  those that the name may refer to
 * @param {Set<Row>} classRows  the rows of the class @param {Model} model @returns {PlaceOfRow[]} */
function placesOfModule([{ name, low }], modules, classRows, { sizes }) {
  const numbers = layersIn(name)
  return modules.flatMap((module) => {
    const place = { rows: module.filter((row) => classRows.has(row)), numbers: module[0].repeated ? numbers : [] }
    return low === sumAt(place, sizes) && numbers.every((number) => number < sizes.L) ? [place] : []
  })
}

/** The rows of a class at a model's sizes. @param {Model} model @param {ModelClass} modelClass */
const rowsOfModel = ({ sizes }, modelClass) => new Set(rowsOfClass(modelClass, {}, sizes))

/** The first class of a model that has the tensors or modules of all lines; null if there is none.
 * @param {Namesakes} candidate @param {TextRow[][]} lines @param {typeof isFitting} fitsRow
 * @returns {FitOfLines | null} */
function fitOf({ model, namesakes, modules }, lines, fitsRow) {
  for (const modelClass of classesOf(model.architecture)) {
    const classRows = rowsOfModel(model, modelClass)
    const places = lines.map((texts, index) => [
      ...placesOf(texts, namesakes[index], classRows, model, fitsRow),
      ...placesOfModule(texts, modules[index], classRows, model),
    ])
    if (places.every((placesOfLine) => placesOfLine.length)) return { model, modelClass, places }
  }
  return null
}

/** A model with what the names in lines may refer to: the rows for each printed row of each line, and the modules for
 * each line.
 * @typedef {{ model: Model, namesakes: Row[][][], modules: Row[][][] }} Namesakes */

/** The published models, the most widely used first, with what the names in lines may refer to.
 * @param {TextRow[][]} lines @returns {Namesakes[]} */
function modelsWithNamesakes(lines) {
  /** @type {Map<string, Omit<Namesakes, "model">>} */
  const byArchitecture = new Map()
  return modelsByUse.map((model) => ({
    model,
    ...getOrMake(byArchitecture, model.architecture, () => ({
      namesakes: lines.map((texts) => texts.map((text) => rowsNamedLike(text, model.architecture))),
      modules: lines.map((texts) => modulesNamedLike(texts, model.architecture)),
    })),
  }))
}

/** The published models that have the tensors of all lines, the most widely used first.
 * @param {TextRow[][]} lines @param {typeof isFitting} fitsRow  whether a printed row fits a tensor */
export const fitsOf = (lines, fitsRow = isFitting) =>
  modelsWithNamesakes(lines).flatMap((candidate) => fitOf(candidate, lines, fitsRow) ?? [])

const MAX_DIFFERENCE = 0.01 // the largest relative difference between a single line and the tensors that it names

/** Whether none of a tensor's sizes varies between models as the heights of tables and the number of labels do, so that
 * a different shape is probably a mistake.
 * @param {Row} row */
const isFixed = ({ dimensions }) => dimensions.every((size) => !/[VPSC]/.test(String(size)))

/** Whether a number is within `MAX_DIFFERENCE` of another. @param {number} one @param {number} other */
const isNear = (one, other) => Math.abs(one / other - 1) <= MAX_DIFFERENCE

/** The places of lines in a class, and the lines whose shape or count differs from that of their tensors. Null if
 * the class lacks a name, or if the differences may not be mistakes, for example because more lines are wrong than
 * right. A single line may be wrong if its number is close.
 * @param {TextRow[][]} lines @param {Row[][][]} namesakes @param {Set<Row>} classRows  the rows of the class
 * @param {Model} model @returns {{ places: PlaceOfRow[][], wrongLines: number[] } | null} */
function placesWithSlips(lines, namesakes, classRows, model) {
  const { sizes } = model
  /** @type {number[]} */
  const wrongLines = []
  const places = lines.map((texts, index) => {
    const placesAsPrinted = placesOf(texts, namesakes[index], classRows, model)
    if (placesAsPrinted.length) return placesAsPrinted
    wrongLines.push(index)
    const mayBeSlip = namesakes[index].flat().every(isFixed)
    const placesByName = mayBeSlip ? placesOf(texts, namesakes[index], classRows, model, () => true) : []
    const shapes = new Set(placesByName.map(({ rows }) => JSON.stringify(rows.map((row) => shapeOf(row, sizes)))))
    return shapes.size === 1 ? placesByName : []
  })
  if (places.some((placesOfLine) => !placesOfLine.length)) return null
  const isTrusted =
    lines.length === 1
      ? isNear(sumOfTexts(lines[0]), sumAt(places[0][0], sizes))
      : wrongLines.length <= lines.length / 2
  if (!isTrusted) return null
  const hasFeedForwardSize = (/** @type {number} */ index) =>
    places[index][0].rows.some(({ dimensions }) => dimensions.includes("F"))
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
export const shapeOf = ({ dimensions }, sizes) => dimensions.map((size) => sizeOfDimension(size, sizes))

/** The number of parameters at a place, at a model's sizes. @param {PlaceOfRow} place @param {Sizes} sizes */
export const sumAt = ({ rows }, sizes) => sumBy(rows, ({ dimensions }) => product(dimensions, sizes))

/** The model that has the names of all lines and the fewest wrong lines, with the indices of these; null if there is
 * none. Ties go to the most widely used model.
 * @param {TextRow[][]} lines @returns {FitOfLines & { wrongLines: number[] } | null} */
export function nearestFit(lines) {
  /** @type {FitOfLines & { wrongLines: number[] } | null} */
  let nearest = null
  for (const { model, namesakes } of modelsWithNamesakes(lines))
    for (const modelClass of classesOf(model.architecture)) {
      const slips = placesWithSlips(lines, namesakes, rowsOfModel(model, modelClass), model)
      if (slips && (!nearest || slips.wrongLines.length < nearest.wrongLines.length))
        nearest = { model, modelClass, ...slips }
    }
  return nearest
}

/** The tensors at a place; those of the first layer if the text names no layer.
 * @param {PlaceOfRow} place @param {Ruler} ruler */
export const tensorsAt = ({ rows, numbers }, ruler) =>
  rows.flatMap(
    (row) =>
      ruler.tensors.find(
        (tensor) => tensor.row === row && (!numbers.length || tensor.numbers.at(-1) === numbers.at(-1)),
      ) ?? [],
  )

/** Whether a place is in a layer whose number the text does not give. @param {PlaceOfRow} place */
export const isLayerUnknown = ({ rows: [row], numbers }) => row.repeated && !numbers.length

/** The number of parameters in a line, from its shapes or, without shapes, from its counts. @param {TextRow[]} texts */
export const sumOfTexts = (texts) => sumBy(texts, ({ shape, low }) => (shape ? product(shape, {}) : (low ?? 0)))
