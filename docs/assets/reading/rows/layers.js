// Explains layers alone: part of a listing, with neither embeddings nor a head. Layers do
// not identify a model, because those of many models are alike. The answer states which
// layers the text shows, how wide they are, and how many parameters they have.

import table from "../../../data/table.js"
import { classes, classOfBare, noun, sumBy } from "../../counting/engine.js"
import { groupBy } from "../../counting/polynomials.js"
import { enumeration, finding, titlesOf, words } from "../words.js"
import { alignByName, sumOf } from "./aligning.js"
import { withSplitProjections } from "./joint-projections.js"
import { layersIn, matchByName } from "./names.js"
import { inAnyLayer, partInWords } from "./parts-in-words.js"
import { completeSizes, publishedModelsWith, sizesOf } from "./sizes.js"
import { MAX_LAYERS } from "./solving.js"

const MAX_MODELS = 3 // the maximum number of models that the answer names
const MIN_ROWS = 4 // the minimum number of rows; fewer may belong to anything

/** Layers of an architecture, aligned with a model that has one more layer than the text shows. `isNumbered` is true if
 * their names have layer numbers, `isCustom` if no counted architecture has these names, and `rowCount` is the number
 * of tensors in the text.
 * @typedef {object} Layers
 * @property {Alignment} alignment @property {Recognised} recognised @property {boolean} isNumbered
 * @property {boolean} isCustom @property {number} rowCount */

/** The layers in a text that shows nothing else, in the first architecture that has them all or, if none has names like
 * theirs, as layers of BERT under custom names; null for any other text, such as one with a total that is neither the
 * sum nor the number of its rows.
 * @param {PrintOut} printOut @returns {Layers | null} */
export function layersAlone({ rows, totals, mentions, depths }) {
  const leaves = rows.filter(({ isContainer }) => !isContainer)
  if (leaves.length < MIN_ROWS || mentions.some((name) => classes.has(name))) return null
  if (leaves.some(({ name, low, high, isBuffer }) => !name || low === null || low !== high || isBuffer)) return null
  const sum = sumBy(leaves, ({ low, stated }) => stated ?? low ?? 0)
  if (totals.some(({ low, high }) => low !== high || (low !== sum && low !== leaves.length))) return null
  const depth = Math.max(0, ...depths)
  for (const { name: architecture } of table.architectures) {
    const layers = layersOf(leaves, architecture, depth)
    if (layers) return layers
  }
  return customLayersOf(leaves, depth)
}

/** The layers that rows with custom names show, such as those of torch's TransformerEncoder; null unless they are whole
 * layers of BERT.
 * @param {TextRow[]} leaves @param {number} depth  the largest number of layers that the text mentions; 0 if it
 * mentions none
 * @returns {Layers | null} */
function customLayersOf(leaves, depth) {
  const rows = withSplitProjections(leaves)
  // A single layer has no number in its names.
  const isNumbered = rows.some(({ name }) => layersIn(name).length)
  const rowsInLayers = isNumbered ? rows : rows.map((row) => ({ ...row, name: `layers.0.${row.name}` }))
  const layers = layersOf(rowsInLayers, table.architectures[0].name, depth, true)
  if (!layers) return null
  const { alignment } = layers
  const tensors = alignment.rows.flatMap((row) => row.tensors)
  const shownLayers = new Set(tensors.flatMap(({ numbers }) => numbers))
  const isWhole =
    new Set(tensors).size === rows.length &&
    alignment.rows.every(({ verdict }) => verdict === "right") &&
    alignment.missing.every(({ numbers: [layer] }) => layer === undefined || !shownLayers.has(layer))
  return isWhole ? { ...layers, isNumbered, rowCount: leaves.length, isCustom: true } : null
}

/** The layers that rows show in one architecture; null if its layers are in groups, if a row belongs to no layer of it
 * or has a name of the kind that `isCustom` excludes, if only some of the names have layer numbers, if the text shows
 * more than `MAX_LAYERS` layers or fewer than it mentions, or if the rows do not give all widths.
 * @param {TextRow[]} rows @param {string} architecture @param {number} depth  the largest number of layers that the
 * text mentions; 0 if it mentions none
 * @param {boolean} [isCustom]  whether the names are custom ones, rather than those that a framework prints
 * @returns {Layers | null} */
function layersOf(rows, architecture, depth, isCustom = false) {
  const modelClass = classOfBare(architecture)
  if (classes.get(modelClass).layers.join() !== "L") return null
  const matches = []
  for (const row of rows) {
    const match = matchByName(row, architecture)
    // Most listings begin with embeddings, so their first row ends the search here.
    if (!match || match.isPrinted === isCustom || [...match.rows].some(({ repeated }) => !repeated)) return null
    matches.push(match)
  }
  const numbers = matches.flatMap((match) => match.numbers.slice(-1))
  const isNumbered = numbers.length === matches.length
  // Without numbers, each name recurs once per layer.
  const shownDepth = isNumbered
    ? Math.max(...numbers) + 1
    : Math.ceil(rows.length / new Set(rows.map(({ name }) => name)).size)
  if (shownDepth > MAX_LAYERS || depth > shownDepth || (numbers.length && !isNumbered)) return null
  const { C: _, L: __, ...widths } = sizesOf(matches)
  // The text shows no tables and no head, so these get the smallest possible sizes. The model gets one more layer than
  // the text shows, so that these layers are never described as all layers.
  const sizes = completeSizes(architecture, { ...widths, V: 1, P: 1, S: 1, C: 1, L: shownDepth + 1 })?.sizes
  if (!widths.H || !sizes) return null
  const recognised = { architecture, modelClass, sizes, choices: {}, name: "", assumed: [], isOpen: true, alike: [] }
  const alignment = alignByName(rows, recognised)
  return alignment.rows.every(({ tensors }) => tensors.length)
    ? { recognised, alignment, isNumbered, rowCount: rows.length, isCustom }
    : null
}

/** The rows of a text, grouped by layer. @param {Layers} layers */
const rowsByLayer = ({ alignment: { rows } }) => [
  ...groupBy(rows, ({ tensors }) => tensors[0].numbers.join(".")).values(),
]

/** The words for the layers that a text shows. Layers that lack different tensors are described separately.
 * @param {Layers} layers @returns {Words} */
function shownLayersInWords(layers) {
  const { alignment, isNumbered } = layers
  const tensorsOfLayers = rowsByLayer(layers).map((rows) => [...new Set(rows.flatMap(({ tensors }) => tensors))])
  const equalLayers = groupBy(tensorsOfLayers, (tensors) => tensors.map(({ row }) => row.path).join()).values()
  const parts = [...equalLayers].map((list) => partInWords(list.flat(), alignment.ruler))
  const part = enumeration(parts)
  return isNumbered ? part : inAnyLayer(part)
}

/** The headline for a text of layers alone. @param {Layers} layers @returns {Words} */
export function headlineOfLayers(layers) {
  const {
    rowCount,
    alignment: { rows },
  } = layers
  const sums = rowsByLayer(layers).map(sumOf)
  const isEqual = sums.length > 1 && new Set(sums).size === 1
  const inEach = isEqual ? words`, ${sums[0]} in each layer` : []
  return words`Your text shows ${shownLayersInWords(layers)}: ${rowCount} ${noun(rowCount, "tensor")} with ${sumOf(rows)} parameters in all${inEach}.`
}

/** The words for the widths that layers show, by letter. */
const WIDTH_NAMES = { H: "hidden size", F: "feed-forward size" }

/** A finding that lists models whose layers have the same widths, because the text does not show which model it is.
 * @param {Layers} layers
 * @param {boolean} isDepthStated  whether the text states the number of layers @returns {Finding[]} */
export function findingsOnModelsWithLayers(
  { recognised: { sizes, architecture }, alignment: { ruler } },
  isDepthStated,
) {
  const letters = Object.keys(WIDTH_NAMES).filter((letter) =>
    ruler.tensors.some(({ row }) => row.repeated && row.shape.includes(letter)),
  )
  const widths = letters.map(
    (letter) => words`${WIDTH_NAMES[/** @type {keyof typeof WIDTH_NAMES} */ (letter)]} ${sizes[letter]}`,
  )
  const modelsOfWidths = publishedModelsWith(
    architecture,
    Object.fromEntries(letters.map((letter) => [letter, sizes[letter]])),
  )
  const deepEnoughModels = modelsOfWidths.filter((model) => model.sizes.L >= sizes.L - 1)
  const asIn = deepEnoughModels.length ? words`, as in ${titlesOf(deepEnoughModels, MAX_MODELS)}` : []
  const opening = words`The layers have ${enumeration(widths)}${asIn}.`
  return [
    finding(
      20,
      words`${opening} Embeddings and head are not in your text, so it does not show which model this is${isDepthStated ? "" : ", or whether there are more layers"}.`,
    ),
  ]
}
