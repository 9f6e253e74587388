// Puts tensors of a model into words, with a link to the page about them. The first case
// that applies decides:
// 1. The tensors are a part that the site has words for, in one layer, in several, or
//    outside the layers.
// 2. They are the whole model.
// 3. They are all tensors below one path whose end the site has words for.
// 4. They are a few whole layers and modules, which are listed.
// 5. They are all of some layers except one part, so only the exception is named.
// 6. Otherwise the first and the last are given by their names in transformers.

import table from "../../../data/table.js"
import { classes, getOrMake, liesUnder, noun, sumBy } from "../../counting/engine.js"
import { groupBy } from "../../counting/polynomials.js"
import { code, enumeration, firstOf, link } from "../words.js"

/** The words for path endings and for blocks, from the labels of the exported table.
 * @type {{ ends: Record<string, string>, blocks: Record<string, string> }} */
const { ends: exportedEnds, blocks } = table.labels
/** The words for all path endings, including those that only other architectures have.
 * @type {Record<string, string>} */
const wordsByEnd = {
  ...exportedEnds,
  "layer_*/attention/LayerNorm": "the LayerNorm before attention",
  "layer_*/attention/LayerNorm/gamma": "the scale of the LayerNorm before attention",
  "layer_*/intermediate/LayerNorm": "the LayerNorm before the feed-forward network",
  "layer_*/intermediate/LayerNorm/gamma": "the scale of the LayerNorm before the feed-forward network",
  "encoder/LayerNorm": "the LayerNorm after the last layer",
  "encoder/LayerNorm/gamma": "the scale of the LayerNorm after the last layer",
  "relative_positions/LayerNorm": "the LayerNorm of the relative positions",
  "relative_positions/LayerNorm/gamma": "the scale of the LayerNorm of the relative positions",
  "relative_positions/LayerNorm/beta": "the shift of the LayerNorm of the relative positions",
}
const SHARED_LAYER = "the shared layer"
const LAYERS_PAGE = "parts/encoder-layer.html"
const MAX_PIECES = 4 // the maximum number of parts that are listed
const MAX_WITH_TIED = 1 // the maximum number of untied tensors named with a tied one, such as the bias of a decoder
const FRACTION = /^one head's share/ // matches the words for a fraction of a tensor, which is never a whole row

/** The cached parts by class and then by key (`keyOf`). @type {Map<string, Map<string, PartFields>>} */
const partsByClass = new Map()

/** The scope of a part: "layer" for one layer, "layers" for all of them, "" outside the layers.
 * @param {boolean} isInLayers @param {boolean} isOfAll */
function scopeOf(isInLayers, isOfAll) {
  if (!isInLayers) return ""
  return isOfAll ? "layers" : "layer"
}

/** The key of a set of rows in the parts of a class. @param {Iterable<Row>} rows @param {string} scope */
const keyOf = (rows, scope) =>
  `${scope}:${[...new Set([...rows].map(({ path, shape }) => `${path} ${shape}`))].sort().join("|")}`

const PRE_TRAINING_HEADS = "cls" // the path that both heads are below

/** Whether rows cover a path of a part: at least one row is below the path or, if the path is that of the pre-training
 * heads, rows of both heads are.
 * @param {string} path @param {Row[]} rows */
function isCovered(path, rows) {
  const rowsBelow = rows.filter((row) => liesUnder(row.path, path))
  const heads = new Set(rowsBelow.map((row) => row.path.split("/")[1]))
  return path === PRE_TRAINING_HEADS ? heads.size > 1 : rowsBelow.length > 0
}

/** The parts of a class by key. @param {string} modelClass */
function partsOf(modelClass) {
  const cachedParts = partsByClass.get(modelClass)
  if (cachedParts) return cachedParts
  const { rows, defaults } = classes.get(modelClass)
  /** Whether a row is the pooler's, or the class has it by default. Rows of cross-attention, for example, are optional.
   * @param {Row} row */
  const isUsual = ({ when }) => when === "pooler" || defaults[/** @type {keyof Choices} */ (when)] !== false
  const parts = new Map()
  for (const part of table.explanations.parts) {
    const { path, tag = "" } = part
    if (FRACTION.test(part.words)) continue
    const paths = path.split(", ").map((partPath) => partPath.replace("layer_0", "layer_*"))
    const tags = tag.split(" ").filter(Boolean)
    const rowsOfPart = rows.filter(
      (row) =>
        isUsual(row) &&
        paths.some((partPath) => liesUnder(row.path, partPath)) &&
        tags.every((name) => (name[0] === "-" ? !row.tags.has(name.slice(1)) : row.tags.has(name))),
    )
    if (!paths.every((partPath) => isCovered(partPath, rowsOfPart))) continue
    // If a block's LayerNorm comes before it, the part has no LayerNorm, so its words must not mention one.
    const hasNorm = rowsOfPart.some((row) => row.path.includes("LayerNorm"))
    const words = hasNorm ? part.words : part.words.replace(/ with its LayerNorm| and LayerNorm/, "")
    const isInLayers = rowsOfPart.every(({ repeated }) => repeated)
    const key = keyOf(rowsOfPart, scopeOf(isInLayers, !path.includes("layer_0")))
    if (rowsOfPart.length && !parts.has(key)) parts.set(key, { ...part, words })
  }
  partsByClass.set(modelClass, parts)
  return parts
}

/** The words for the longest ending of a path that has any; "" if none has. @param {string} path */
function wordsForEnd(path) {
  const components = path.split("/")
  for (let start = 0; start < components.length; start++) {
    const words = wordsByEnd[components.slice(start).join("/")]
    if (words) return words
  }
  return ""
}

/** The address of the page about a row's block; "" if there is none. @param {Row} row */
export const pageOf = ({ block }) => /** @type {Record<string, { page: string }>} */ (table.blocks)[block]?.page ?? ""

/** The last comma of a list, with the space after it. */
const LAST_COMMA = /, (?=[^,]*$)/

/** Layer numbers in words: "layer 3", "layers 1 to 10", "layers 0, 1 and 5". @param {number[]} layers */
export function layersInWords(layers) {
  const distinctLayers = [...new Set(layers)].sort((one, other) => one - other)
  /** @type {number[][]} the runs of consecutive numbers */
  const runs = []
  for (const layer of distinctLayers) {
    const lastRun = runs.at(-1)
    if (lastRun?.at(-1) === layer - 1) lastRun.push(layer)
    else runs.push([layer])
  }
  const pieces = runs.flatMap((run) => (run.length > 2 ? [`${run[0]} to ${run.at(-1)}`] : run.map(String)))
  const list = pieces.join(", ").replace(LAST_COMMA, " and ")
  return `${noun(distinctLayers.length, "layer")} ${list}`
}

/** The words for tensors of a model, with a link to the page about them. Tied tensors are named separately if only one
 * untied tensor accompanies them.
 * @param {RulerTensor[]} tensors @param {Ruler} ruler @returns {Words} */
export function partInWords(tensors, ruler) {
  const tiedTensors = tensors.filter((tensor) => tensor.tied)
  const untiedTensors = tensors.filter((tensor) => !tensor.tied)
  if (!tiedTensors.length || !untiedTensors.length || untiedTensors.length > MAX_WITH_TIED)
    return wordsOf(tensors, ruler)
  return [...wordsOf(tiedTensors, ruler), ", and ", ...wordsOf(untiedTensors, ruler)]
}

/** The layer of a tensor as a key; "" outside the layers. @param {RulerTensor} tensor */
const layerKeyOf = ({ numbers }) => numbers.join(".")

/** The number of untied tensors in each layer, by `layerKeyOf`.
 * @param {Iterable<RulerTensor>} tensors */
function tensorCountsByLayer(tensors) {
  /** @type {Map<string, number>} */
  const tensorCounts = new Map()
  for (const tensor of tensors) {
    const key = layerKeyOf(tensor)
    if (!tensor.tied && key) tensorCounts.set(key, (tensorCounts.get(key) ?? 0) + 1)
  }
  return tensorCounts
}

/** The layers of a ruler: how many there are (`depth`), how many untied tensors each has, by `layerKeyOf`, and the
 * untied tensors outside them.
 * @typedef {{ depth: number, tensorCounts: Map<string, number>, outerTensors: RulerTensor[] }} LayersOfRuler */

/** The cached layers of rulers, because a print-out may have thousands of rows.
 * @type {WeakMap<Ruler, LayersOfRuler>} */
const layersOfRulers = new WeakMap()

/** The layers of a ruler. @param {Ruler} ruler */
const layersOf = (ruler) =>
  getOrMake(layersOfRulers, ruler, () => ({
    depth: new Set(ruler.tensors.flatMap(({ numbers }) => numbers.slice(-1))).size,
    tensorCounts: tensorCountsByLayer(ruler.tensors),
    outerTensors: ruler.tensors.filter(({ tied, numbers }) => !tied && !numbers.length),
  }))

/** The number of untied tensors that a set lacks in the layers from which it has any.
 * @param {Set<RulerTensor>} tensors @param {Ruler} ruler */
function countMissing(tensors, ruler) {
  const { tensorCounts } = layersOf(ruler)
  return sumBy(tensorCountsByLayer(tensors), ([key, tensorCount]) => (tensorCounts.get(key) ?? 0) - tensorCount)
}

/** The words for tensors, whether tied or not. @param {RulerTensor[]} tensors @param {Ruler} ruler @returns {Words} */
function wordsOf(tensors, ruler) {
  if (!tensors.length) return []
  const layers = [...new Set(tensors.flatMap(({ numbers }) => numbers.slice(-1)))]
  const rows = new Set(tensors.map(({ row }) => row))
  const isInLayers = [...rows].every(({ repeated }) => repeated)
  const { depth } = layersOf(ruler)
  const isAll = isInLayers && layers.length > 1 && layers.length === depth
  const isPartial = !isInLayers && layers.length > 0 && layers.length < depth
  const part = !isPartial && partsOf(ruler.modelClass).get(keyOf(rows, scopeOf(isInLayers, isAll)))
  const first = tensors[0]
  // ALBERT's layers share their weights, so its ruler usually has only one.
  const isShared = ruler.architecture === "albert" && depth === 1
  if (part) {
    const words = !isInLayers || isAll ? part.words : withLayerNumbers(part.words, layers, isShared)
    return [link(part.page, words)]
  }
  const tensorSet = new Set(tensors)
  if (ruler.tensors.every((tensor) => tensor.tied || tensorSet.has(tensor))) return ["the whole model"]
  const label = rows.size === 1 ? wordsForEnd(first.row.path) : labelOf(tensors, ruler)
  const layersOfPart = isAll ? "all layers" : layersInWords(layers)
  const where = isInLayers && layers.length ? ` in ${isShared ? SHARED_LAYER : layersOfPart}` : ""
  if (label) return [link(pageOf(first.row), label + where)]
  const pieces = wholePartsInWords(tensorSet, ruler, isShared)
  if (pieces && pieces.length <= MAX_PIECES) return enumeration(pieces)
  const allButOne = isInLayers ? wordsWithException(tensorSet, layers, ruler) : null
  if (allButOne) return allButOne
  const names = [...new Set(tensors.map(({ name }) => name))]
  if (names.length === 1) return [code(names[0])]
  return [code(names[0]), names.length === 2 ? " and " : " to ", code(names[names.length - 1])]
}

/** The words for a part of layer 0, rephrased for a text that does not say which layer it is.
 * @param {Words} part @returns {Words} */
export const inAnyLayer = (part) =>
  part.map((piece) => {
    if (typeof piece !== "object" || !("text" in piece)) return piece
    const text = piece.text.replace("in layer 0", "in one layer").replace("encoder layer 0", "one encoder layer")
    return { ...piece, text }
  })

/** The words for whole layers except one part; null if these do not describe the tensors.
 * @param {Set<RulerTensor>} tensors
 * @param {number[]} layers @param {Ruler} ruler @returns {Words | null} */
function wordsWithException(tensors, layers, ruler) {
  if (countMissing(tensors, ruler) > tensors.size / 2) return null
  const layerKeys = new Set([...tensors].map(layerKeyOf))
  const missingTensors = ruler.tensors.filter(
    (tensor) => !tensor.tied && layerKeys.has(layerKeyOf(tensor)) && !tensors.has(tensor),
  )
  if (!missingTensors.length || missingTensors.length > tensors.size / 2) return null
  const [words, ...others] = wordsOf(missingTensors, ruler)
  if (others.length || typeof words !== "object" || !("text" in words)) return null
  const text = words.text.replace(/ in (?:all layers|the shared layer|layers? [0-9].*)$/, "")
  return ["all of ", link(LAYERS_PAGE, `encoder ${layersInWords(layers)}`), " but ", { ...words, text }]
}

/** The words for the common path of tensors; "" if there are none, or if the tensors are neither everything below that
 * path nor its output layer.
 * @param {RulerTensor[]} tensors @param {Ruler} ruler */
function labelOf(tensors, ruler) {
  const label = wordsForEnd(commonPath([...new Set(tensors.map(({ row }) => row))]))
  if (isComplete(tensors, ruler)) return label
  const isOutput = tensors.every(({ row }) => /[/]output_(?:weights|bias)$/.test(row.path))
  return label && isOutput ? `the output layer of ${label}` : ""
}

/** The words for the whole layers and blocks in a set of tensors, and for the whole modules of incomplete blocks, in
 * the order of the set; null if the set has only part of a layer or of a module.
 * @param {Set<RulerTensor>} tensors @param {Ruler} ruler @param {boolean} isShared  whether the layers share their
 * weights
 * @returns {Inline[] | null} */
function wholePartsInWords(tensors, ruler, isShared) {
  if (countMissing(tensors, ruler)) return null
  const { tensorCounts, outerTensors } = layersOf(ruler)
  /** Whether a block has to be named module by module, because the set does not have all of its tensors. */
  const isPartial = (/** @type {string} */ block) =>
    block === "encoder-norms" || outerTensors.some((tensor) => tensor.row.block === block && !tensors.has(tensor))
  const partialBlocks = new Set(outerTensors.map(({ row }) => row.block).filter(isPartial))
  /** The key of the piece that a tensor belongs to: its layer, its block, or its module if the block is incomplete.
   * @param {RulerTensor} tensor */
  const pieceKeyOf = ({ row: { block, path }, numbers }) => {
    if (numbers.length) return `layer ${numbers.join(".")}`
    return partialBlocks.has(block) ? path.replace(/[/](?:kernel|bias|gamma|beta)$/, "") : block
  }
  /** The pieces that the set has, each with one of its tensors. @type {Map<string, RulerTensor>} */
  const pieces = new Map()
  for (const tensor of tensors) if (!tensor.tied) pieces.set(pieceKeyOf(tensor), tensor)
  const otherPieces = outerTensors.filter((tensor) => !tensors.has(tensor)).map(pieceKeyOf)
  if (!pieces.size || otherPieces.some((piece) => pieces.has(piece))) return null
  const layers = [...pieces.values()].flatMap(({ numbers }) => numbers.slice(-1))
  const isAll = layers.length === tensorCounts.size
  const stackOfMany = isAll ? "all encoder layers" : `encoder ${layersInWords(layers)}`
  const stack = isShared ? "the shared encoder layer" : stackOfMany
  /** @type {Set<string>} */
  const phrases = new Set()
  return [...pieces].flatMap(([piece, { row, numbers }]) => {
    const words = numbers.length ? stack : (blocks[piece] ?? wordsForEnd(piece).replace(", with its bias", ""))
    if (phrases.has(words)) return []
    phrases.add(words)
    return [link(numbers.length ? LAYERS_PAGE : pageOf(row), words)]
  })
}

/** The words for the ending of a path, or its last component if the site has no words for it. @param {string} path */
export const nameOfEnd = (path) => wordsForEnd(path) || `the ${path.split("/").at(-1)?.replaceAll("_", " ")}`

/** The longest common beginning of the paths of rows. @param {Row[]} rows */
function commonPath(rows) {
  const paths = rows.map(({ path }) => path.split("/"))
  const end = paths[0].findIndex((component, index) => paths.some((path) => path[index] !== component))
  return paths[0].slice(0, end < 0 ? undefined : end).join("/")
}

/** Whether tensors are all tensors below their common path, in the layers that they are in.
 * @param {RulerTensor[]} tensors @param {Ruler} ruler */
function isComplete(tensors, ruler) {
  const path = commonPath([...new Set(tensors.map(({ row }) => row))])
  const layerKeys = new Set(tensors.map(layerKeyOf))
  return ruler.tensors
    .filter((tensor) => liesUnder(tensor.row.path, path) && layerKeys.has(layerKeyOf(tensor)))
    .every((tensor) => tensors.includes(tensor))
}

/** The words for a part of a layer, with the numbers of the layers in place of "one layer".
 * @param {string} words @param {number[]} layers @param {boolean} isShared  whether the layers share their weights */
function withLayerNumbers(words, layers, isShared) {
  if (isShared)
    return words.replace("in one layer", `in ${SHARED_LAYER}`).replace("one encoder layer", "the shared encoder layer")
  const numbers = layersInWords(layers)
  return words
    .replace("in one layer", `in ${numbers}`)
    .replace("one encoder layer without its", `${numbers} without ${layers.length > 1 ? "their" : "its"}`)
    .replace("one encoder layer", `encoder ${numbers}`)
}

/** Tensors in groups that can each be put into words: all whole layers; the same part of several layers; and, outside
 * the layers, a whole block or what there is of a module.
 * @param {RulerTensor[]} tensors @param {Ruler} ruler @returns {RulerTensor[][]} */
export function groupsOf(tensors, ruler) {
  /** Tensors by layer, without those outside the layers. @param {RulerTensor[]} tensorList */
  const byLayer = (tensorList) =>
    groupBy(
      tensorList.filter(({ numbers }) => numbers.length),
      layerKeyOf,
    )
  const wholeLayers = byLayer(ruler.tensors.filter(({ tied }) => !tied))
  /** @type {Map<string, RulerTensor[]>} */
  const groups = new Map()
  /** Adds tensors to a group. @param {string} key @param {RulerTensor[]} addedTensors */
  const add = (key, addedTensors) => groups.set(key, [...(groups.get(key) ?? []), ...addedTensors])
  for (const [layerKey, tensorsOfLayer] of byLayer(tensors)) {
    const isWhole = tensorsOfLayer.length === wholeLayers.get(layerKey)?.length
    const rows = tensorsOfLayer.map(({ row }) => row)
    add(isWhole ? "whole layers" : keyOf(rows, "layer"), tensorsOfLayer)
  }
  const outerTensors = tensors.filter(({ numbers }) => !numbers.length)
  const blockNames = new Set(outerTensors.map(({ row }) => row.block))
  for (const block of blockNames) {
    const tensorsOfBlock = outerTensors.filter(({ row }) => row.block === block)
    const tensorsOfWholeBlock = ruler.tensors.filter(
      ({ row, tied, numbers }) => row.block === block && !tied && !numbers.length,
    )
    if (tensorsOfBlock.length === tensorsOfWholeBlock.length) add(`block ${block}`, tensorsOfBlock)
    else for (const tensor of tensorsOfBlock) add(`module ${tensor.module}`, [tensor])
  }
  return [...groups.values()]
}

/** The words for the first few of several names. @param {string[]} names @param {number} [limit] @returns {Words} */
export function namesInWords(names, limit = 3) {
  return firstOf(names.map(code), limit)
}
