// Derives the sizes of a model from the counts of its modules, as a person would on paper:
// 1. A LayerNorm has 2H parameters and a square layer H² + H, which gives the width H. The first
//    LayerNorm gives the embedding size E, if the architecture has one.
// 2. A whole layer, or one or both of its large matrices, gives the feed-forward size F.
// 3. Counts before the first layer that are divisible by the embedding size are tables: V, P and S.
// 4. The number of times that a row recurs, once per layer, gives the depth L. A stack of layers in
//    one row gives L and F together.
// 5. A table of relative positions gives its number of buckets R, or the number of heads A.
// Each step may yield several values, because counts have no names. The combinations
// are returned, and the caller tries them against all rows, so a wrong guess only costs time.

import { architectures, classesOf, count as countParameters } from "../../counting/engine.js"
import { layerNumberIn } from "./aligning-counts.js"
import { USUAL_BUCKETS, USUAL_SIZES, usualHeads } from "./sizes.js"

const WIDEST = 20_000 // the largest H that is tried
const MAX_WIDTHS = 4 // the maximum number of values of H to try, because further ones usually arise by chance
const MAX_INNER_WIDTHS = 3 // the maximum number of values of F to try for each H
const MAX_DEPTH = 60 // the maximum number of layers in a stack that is printed as one row
export const MAX_LAYERS = 200 // a text with more layers was pasted several times
const MAX_BUCKETS = 2048 // the maximum number of buckets of a table of relative positions
const MAX_HEADS = 64 // the maximum number of heads that a relative position bias is taken to have

/** The distinct numbers in a list, the most frequent first. @param {number[]} numbers */
const byFrequency = (numbers) => {
  const occurrences = new Map()
  for (const number of numbers) occurrences.set(number, (occurrences.get(number) ?? 0) + 1)
  return [...occurrences].sort((one, other) => other[1] - one[1]).map(([number]) => number)
}

/** The rows with an exact count above 0, in order. @param {TextRow[]} rows */
const exactRows = (rows) =>
  rows.flatMap((row) => (row.low !== null && row.low === row.high && row.low > 0 ? [{ ...row, count: row.low }] : []))

/** Whether the class or the name of a row matches a pattern. @param {TextRow} row @param {RegExp} pattern */
const hasNameLike = ({ name, type }, pattern) => pattern.test(type) || pattern.test(name)

/** The widths H that counts suggest, from LayerNorms and square layers, the likeliest first.
 * @param {(TextRow & { count: number })[]} rows
 * @param {number} vectors  the number of vectors in a LayerNorm: 2 with a shift, 1 without */
function widthsIn(rows, vectors) {
  const norms = rows.filter((row) => hasNameLike(row, /norm/i)).map(({ count }) => count / vectors)
  const counts = new Set(rows.map(({ count }) => count))
  // A square layer with a bias has H² + H parameters, which is solved for H.
  const squares = [...counts].flatMap((count) => {
    const width = Math.round((Math.sqrt(1 + 4 * count) - 1) / 2)
    return width * width + width === count ? [width] : []
  })
  // A count of 2H may be an unnamed LayerNorm if another count fits attention projections of width H: one of them,
  // three (query, key and value), or all four.
  const halves = [...counts]
    .filter((count) => count % 2 === 0)
    .map((count) => count / 2)
    .filter((width) =>
      [1, 3, 4].some((times) => counts.has(times * (width * width + width)) || counts.has(times * width * width)),
    )
  return byFrequency([...norms, ...squares, ...halves.sort((one, other) => other - one)])
    .filter((width) => Number.isInteger(width) && width > 1 && width <= WIDEST)
    .slice(0, MAX_WIDTHS)
}

/** The number of parameters of a layer as a linear function of F: the part without F, and the part per unit of F.
 * @param {string} modelClass @param {Sizes} sizes */
function layerSizeOf(modelClass, sizes) {
  const parametersWith = (/** @type {number} */ F) =>
    countParameters({ modelClass, sizes: { ...sizes, F }, part: "bert/encoder/layer_1" })
  const withoutF = parametersWith(0)
  return { withoutF, perF: parametersWith(1) - withoutF }
}

/** The feed-forward sizes that counts suggest, each with the count that gives it.
 * @param {number[]} counts @param {number} H @param {LayerSize} layer
 * @returns {{ F: number, fromCount: number, depth?: number }[]} */
function innerWidths(counts, H, layer) {
  const candidates = byFrequency(counts).flatMap((count) => [
    { F: (count - layer.withoutF) / layer.perF, fromCount: count }, // a whole layer
    { F: count / (H + 1), fromCount: count }, // the matrix up to F, with its bias
    { F: (count - H) / (2 * H + 1), fromCount: count }, // both matrices, with their biases
    { F: (count - 3 * H) / (2 * H + 1), fromCount: count }, // the same with the LayerNorm after them
    { F: count / (2 * H), fromCount: count }, // both matrices without biases
  ])
  const countSet = new Set(counts)
  // A size is accepted only if the text has a count of the matrix down from F, of both matrices, or of a whole layer.
  const isConfirmed = (/** @type {number} */ F) =>
    [F * H + H, F * H + 3 * H, F * H, layer.withoutF + layer.perF * F, 2 * F * H + F + H, 2 * F * H + F + 3 * H].some(
      (count) => countSet.has(count),
    )
  const fittingWidths = candidates.filter(
    ({ F }) => Number.isInteger(F) && F > 1 && F !== H && F <= 4 * WIDEST && isConfirmed(F),
  )
  const isFirstWithF = (/** @type {{ F: number }} */ { F }, /** @type {number} */ index) =>
    fittingWidths.findIndex((other) => other.F === F) === index
  return fittingWidths.filter(isFirstWithF).slice(0, MAX_INNER_WIDTHS)
}

/** The number of parameters of a layer, which is `withoutF + perF × F`.
 * @typedef {ReturnType<typeof layerSizeOf>} LayerSize */

/** The depth and feed-forward size of layers that share one row. If several depths fit, those with F = 4H, as in most
 * models, are taken. If none has F = 4H, a depth is taken only if no other fits.
 * @param {(TextRow & { count: number })[]} rows @param {number} H @param {LayerSize} layer
 * @returns {{ F: number, fromCount: number, depth: number }[]} */
function wholeStacks(rows, H, layer) {
  const stacks = rows.filter((row) =>
    hasNameLike(row, /ModuleList|Encoder$|Transformer$|^(?:\w+\.)*(?:layers?|encoder|transformer)$/),
  )
  return stacks.flatMap(({ count }) => {
    const fittingStacks = Array.from({ length: MAX_DEPTH }, (_, index) => index + 1)
      .map((depth) => ({ depth, fromCount: count, F: (count / depth - layer.withoutF) / layer.perF }))
      .filter(({ F }) => Number.isInteger(F) && F > 1)
    const usualStacks = fittingStacks.filter(({ F }) => F === 4 * H)
    if (usualStacks.length) return usualStacks
    return fittingStacks.length === 1 ? fittingStacks : []
  })
}

/** The heights of the tables that the counts before the first layer may be, by letter.
 * @param {number[]} counts @param {number} E @param {string[]} letters @returns {Sizes} */
function tablesIn(counts, E, letters) {
  // A LayerNorm is as large as a table of two rows. The last such count is taken as the LayerNorm.
  const norm = counts.lastIndexOf(2 * E)
  const heights = counts.filter((count, index) => count % E === 0 && index !== norm).map((count) => count / E)
  // The word table comes first. Of the others, the position table is the larger.
  const [words, ...others] = heights
  const heightsInOrder = [words, ...others.sort((one, other) => other - one)]
  const tableLetters = ["V", "P", "S"].filter((letter) => letters.includes(letter))
  return Object.fromEntries(
    tableLetters.flatMap((letter, index) => (heightsInOrder[index] ? [[letter, heightsInOrder[index]]] : [])),
  )
}

/** The index of the first count that belongs to a layer; -1 if there is none. A layer begins with attention.
 * @param {number[]} counts @param {number} H
 * @param {number[]} layerCounts  further counts that a layer may begin with */
function firstLayerIndex(counts, H, layerCounts) {
  const matrix = H * H
  const withBias = matrix + H
  // One, three or all four projections, with biases or without, and all four with their LayerNorm.
  const attentionCounts = [1, 3, 4].flatMap((projections) => [projections * withBias, projections * matrix])
  const countsInLayer = new Set([...layerCounts, ...attentionCounts, 4 * withBias + 2 * H])
  return counts.findIndex((count) => countsInLayer.has(count))
}

/** The number of layers according to layer numbers in names, even if some layers are missing; 0 if no name has one.
 * @param {TextRow[]} texts */
function depthNamedIn(texts) {
  const numbers = texts.flatMap((text) => layerNumberIn(text) ?? [])
  return numbers.length ? Math.max(...numbers) + (Math.min(...numbers) === 0 ? 1 : 0) : 0
}

/** Every combination of sizes that the counts of a text suggest for an architecture, the likeliest first.
 * @param {TextRow[]} texts @param {string} architecture @returns {Sizes[]} */
export function solveSizes(texts, architecture) {
  // A row that sums up all embeddings is not a table.
  const rows = exactRows(texts).filter(
    ({ type, name }) => !/Embeddings$/.test(type) && !/(?:^|\.)embeddings$/.test(name),
  )
  const counts = rows.map(({ count }) => count)
  const { keys, layers, default: defaultSizes } = architectures.get(architecture)
  const [bare] = classesOf(architecture)
  const letters = Object.keys(keys)
  const namedDepth = depthNamedIn(texts)
  const hasShift = bare.rows.some(({ path }) => path.endsWith("LayerNorm/beta"))
  const firstNorm = rows.find((row) => hasNameLike(row, /norm/i))
  return widthsIn(rows, hasShift ? 2 : 1).flatMap((H) => {
    const E = letters.includes("E") && firstNorm ? firstNorm.count / 2 : H
    /** @type {Sizes} */
    const ones = Object.fromEntries(letters.map((letter) => [letter, 1]))
    // Apart from F, a layer's number of parameters depends only on these sizes, so the others can be 1.
    const layer = layerSizeOf(bare.name, { ...ones, S: 2, H, E, L: 2, C: 2, R: USUAL_BUCKETS })
    const stacks = wholeStacks(rows, H, layer)
    return [...innerWidths(counts, H, layer), ...stacks].flatMap(({ F, fromCount, depth: stackDepth = 0 }) => {
      const first = firstLayerIndex(counts, H, [layer.withoutF + layer.perF * F, fromCount])
      const tables = tablesIn(counts.slice(0, first), Number.isInteger(E) ? E : H, letters)
      if (tables.V === undefined) return []
      const L = stackDepth || Math.max(counts.filter((count) => count === fromCount).length, namedDepth)
      if (L > MAX_LAYERS) return []
      const depths = Object.fromEntries(layers.map((letter) => [letter, layers.length > 1 ? 1 : L]))
      /** @type {Record<string, number>} */
      const allSizes = {
        ...defaultSizes,
        ...USUAL_SIZES,
        L,
        ...tables,
        H,
        E,
        F,
        ...depths,
        A: headsOf(letters, counts.slice(first), H),
        R: bucketsIn(counts.slice(first), H) ?? USUAL_BUCKETS,
      }
      return [Object.fromEntries(letters.map((letter) => [letter, allSizes[letter]]))]
    })
  })
}

/** The number of heads. Only a relative position bias, with one number per bucket and head, depends on it. Without one,
 * heads are taken to have the usual width.
 * @param {string[]} letters  the letters of the architecture
 * @param {number[]} counts  the counts from the first layer on @param {number} H */
function headsOf(letters, counts, H) {
  const hasBias = letters.includes("R") && letters.includes("A")
  const bias = hasBias
    ? counts.find((count) => count % USUAL_BUCKETS === 0 && count / USUAL_BUCKETS <= MAX_HEADS && count < H * 2)
    : undefined
  const heads = bias ? bias / USUAL_BUCKETS : 0
  return heads && H % heads === 0 ? heads : usualHeads(H)
}

/** The number of buckets of a relative position table after the layers, which has two rows per bucket; undefined if no
 * count can be such a table.
 * @param {number[]} counts  the counts from the first layer on @param {number} H */
function bucketsIn(counts, H) {
  const elements = counts
    .filter((count) => count % (2 * H) === 0 && count > 2 * H && count / (2 * H) <= MAX_BUCKETS)
    .at(-1)
  return elements ? elements / (2 * H) : undefined
}
