// Solves for the sizes of a model, from the counts of its modules, where no published model
// has them. It goes as one would by hand:
// 1. A LayerNorm has 2H parameters and a square layer H² + H, which gives the width H.
// 2. A whole layer, or one of its two large matrices, gives the width inside, F.
// 3. The counts before the first row of a layer that H divides are tables: V, P and S.
// 4. The rows that come once in each layer give the depth L.
// Each step may fit several values, because counts have no names. All combinations are
// returned, and the caller tries each against all rows, so that a wrong guess costs time
// and nothing else.

import { architectures, Counter, classesOf, factorsOf } from "../../counting/engine.js"
import { layerNamed } from "./aligning.js"

const WIDEST = 20_000 // H; no encoder that we know of is half as wide
const MAX_WIDTHS = 4 // values of H to try; later ones come by chance
const MAX_INNER_WIDTHS = 3 // values of F to try for each
const DEEPEST = 60 // layers of a stack that is printed as one row
const USUAL_BUCKETS = 32 // of relative positions
const MAX_BUCKETS = 2048
const USUAL_HEAD_WIDTH = 64
const MAX_HEADS = 64

/** The numbers in a list, the most frequent first. @param {number[]} numbers */
const byFrequency = (numbers) => {
  const times = new Map()
  for (const number of numbers) times.set(number, (times.get(number) ?? 0) + 1)
  return [...times].sort((one, other) => other[1] - one[1]).map(([number]) => number)
}

/** The rows with an exact count, in order. @param {TextRow[]} rows */
const exactRows = (rows) =>
  rows.flatMap((row) => (row.low !== null && row.low === row.high && row.low > 0 ? [{ ...row, count: row.low }] : []))

/** Whether a row is a LayerNorm or a table by its class or name. @param {TextRow} row @param {RegExp} pattern */
const isCalled = ({ name, type }, pattern) => pattern.test(type) || pattern.test(name)

/** The widths that counts suggest: of LayerNorms with scale and shift, or with scale alone, and of square layers.
 * @param {(TextRow & { count: number })[]} rows @param {number} vectors  in a LayerNorm of the architecture */
function widths(rows, vectors) {
  const norms = rows.filter((row) => isCalled(row, /norm/i)).map(({ count }) => count / vectors)
  const counts = new Set(rows.map(({ count }) => count))
  // A square layer with a bias has H² + H parameters, which is solved for H.
  const squares = [...counts].flatMap((count) => {
    const width = Math.round((Math.sqrt(1 + 4 * count) - 1) / 2)
    return width * width + width === count ? [width] : []
  })
  // A count of 2H may be a LayerNorm without a name, if the projections of attention are as wide: one of them, query,
  // key and value together, or all four.
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

/** The parameters of one layer as a line in F: those that do not depend on F, and those for each unit of it.
 * @param {string} modelClass @param {Sizes} sizes */
function layerIn(modelClass, sizes) {
  /** The parameters of one layer with this inner width. */
  const parametersWith = (/** @type {number} */ F) =>
    new Counter(modelClass, { ...sizes, F }).number([], "bert/encoder/layer_1") ?? NaN
  const withoutF = parametersWith(0)
  return { withoutF, perF: parametersWith(1) - withoutF }
}

/** The widths inside a layer that counts suggest, each with the count that gives it.
 * @param {number[]} counts @param {number} H @param {LayerSize} layer
 * @returns {{ F: number, by: number, depth?: number }[]} */
function innerWidths(counts, H, layer) {
  const candidates = byFrequency(counts).flatMap((count) => [
    { F: (count - layer.withoutF) / layer.perF, by: count }, // a whole layer
    { F: count / (H + 1), by: count }, // the matrix up to F, with its bias
    { F: (count - H) / (2 * H + 1), by: count }, // both matrices, with their biases
    { F: (count - 3 * H) / (2 * H + 1), by: count }, // these and the LayerNorm after them
    { F: count / (2 * H), by: count }, // both matrices without biases
  ])
  const set = new Set(counts)
  // A width is only taken if the text has a count of the matrix down from F, of both matrices, or of a whole layer.
  const isSeen = (/** @type {number} */ F) =>
    [F * H + H, F * H + 3 * H, F * H, layer.withoutF + layer.perF * F, 2 * F * H + F + H, 2 * F * H + F + 3 * H].some(
      (count) => set.has(count),
    )
  const fitting = candidates.filter(({ F }) => Number.isInteger(F) && F > 1 && F !== H && F <= 4 * WIDEST && isSeen(F))
  const widths = new Set()
  return fitting.filter(({ F }) => !widths.has(F) && widths.add(F)).slice(0, MAX_INNER_WIDTHS)
}

/** The parameters of a layer: `withoutF + perF × F`. @typedef {ReturnType<typeof layerIn>} LayerSize */

/** The depth and inner width of layers that share one row. Several may fit; F is four times H in most
 * models, and otherwise only the one that fits alone is taken.
 * @param {(TextRow & { count: number })[]} rows @param {number} H @param {LayerSize} layer
 * @returns {{ F: number, by: number, depth: number }[]} */
function wholeStacks(rows, H, layer) {
  const stacks = rows.filter((row) =>
    isCalled(row, /ModuleList|Encoder$|Transformer$|^(?:\w+\.)*(?:layers?|encoder|transformer)$/),
  )
  return stacks.flatMap(({ count }) => {
    const fitting = Array.from({ length: DEEPEST }, (_, index) => index + 1)
      .map((depth) => ({ depth, by: count, F: (count / depth - layer.withoutF) / layer.perF }))
      .filter(({ F }) => Number.isInteger(F) && F > 1)
    const usual = fitting.filter(({ F }) => F === 4 * H)
    if (usual.length) return usual
    return fitting.length === 1 ? fitting : []
  })
}

/** The tables that the rows before the first layer can be, by letter.
 * @param {number[]} counts @param {number} E @param {string[]} letters @returns {Sizes} */
function tablesIn(counts, E, letters) {
  // A LayerNorm is as large as a table of two rows; only the last of them is the LayerNorm.
  const norm = counts.lastIndexOf(2 * E)
  const heights = counts.filter((count, index) => count % E === 0 && index !== norm).map((count) => count / E)
  // The table of words comes first; of the others, that of positions is the larger one.
  const [words, ...others] = heights
  const sorted = [words, ...others.sort((one, other) => other - one)]
  const tableLetters = ["V", "P", "S"].filter((letter) => letters.includes(letter))
  return Object.fromEntries(tableLetters.flatMap((letter, index) => (sorted[index] ? [[letter, sorted[index]]] : [])))
}

/** The sizes that most models have, for those that no count shows. */
const USUAL_SIZES = { C: 2, P: 512, S: 2, X: 1024, G: 1, I: 1 }

/** The place of the first count that belongs to a layer; -1 if none does. A layer begins with attention.
 * @param {number[]} counts @param {number} H @param {number[]} layerCounts  other counts that a layer may begin with */
function firstInLayer(counts, H, layerCounts) {
  const matrix = H * H
  const withBias = matrix + H
  // One projection, those of query, key and value, and all four, with biases and without; and all with their LayerNorm.
  const attentionCounts = [1, 3, 4].flatMap((projections) => [projections * withBias, projections * matrix])
  const countsInLayer = new Set([...layerCounts, ...attentionCounts, 4 * withBias + 2 * H])
  return counts.findIndex((count) => countsInLayer.has(count))
}

/** The number of layers by the rows that name theirs, also where some are missing; 0 if none does. @param {TextRow[]} texts */
function depthNamedIn(texts) {
  const numbers = texts.flatMap((text) => layerNamed(text) ?? [])
  return numbers.length ? Math.max(...numbers) + (Math.min(...numbers) === 0 ? 1 : 0) : 0
}

/** Every combination of sizes that the counts of a text suggest for an architecture, the likeliest first.
 * @param {TextRow[]} texts @param {string} architecture @returns {Sizes[]} */
export function solveSizes(texts, architecture) {
  // A row for all embeddings together is not a table.
  const rows = exactRows(texts).filter(({ type, name }) => !/Embeddings$/.test(type) && name !== "embeddings")
  const counts = rows.map(({ count }) => count)
  const { keys, layers, default: defaultSizes } = architectures.get(architecture)
  const [bare] = classesOf(architecture)
  const letters = Object.keys(keys)
  const namedDepth = depthNamedIn(texts)
  const hasShift = bare.rows.some(({ path }) => path.endsWith("LayerNorm/beta"))
  const firstNorm = rows.find((row) => isCalled(row, /norm/i))
  return widths(rows, hasShift ? 2 : 1).flatMap((H) => {
    const E = letters.includes("E") && firstNorm ? firstNorm.count / 2 : H
    /** @type {Sizes} */
    const ones = Object.fromEntries(letters.map((letter) => [letter, 1]))
    // Of the sizes that are not solved for yet, the parameters of a layer do not depend on any but these.
    const layer = layerIn(bare.name, { ...ones, S: 2, H, E, L: 2, C: 2, R: USUAL_BUCKETS })
    const stacks = wholeStacks(rows, H, layer)
    return [...innerWidths(counts, H, layer), ...stacks].flatMap(({ F, by, depth: stackDepth = 0 }) => {
      const first = firstInLayer(counts, H, [layer.withoutF + layer.perF * F, by])
      const tables = tablesIn(counts.slice(0, first), Number.isInteger(E) ? E : H, letters)
      if (tables.V === undefined) return []
      const L = stackDepth || Math.max(counts.filter((count) => count === by).length, namedDepth)
      const depth = Object.fromEntries(layers.map((letter) => [letter, layers.length > 1 ? 1 : L]))
      /** @type {Record<string, number>} */
      const all = {
        ...defaultSizes,
        ...USUAL_SIZES,
        L,
        ...tables,
        H,
        E,
        F,
        ...depth,
        A: headsOf(letters, counts.slice(first), H),
        R: bucketsIn(counts.slice(first), H) ?? USUAL_BUCKETS,
      }
      return [Object.fromEntries(letters.map((letter) => [letter, all[letter]]))]
    })
  })
}

/** The number of heads. Only a bias of relative positions, with a number for each bucket and head, depends on it;
 * without one, it is that of the usual width.
 * @param {string[]} letters  of the architecture @param {number[]} counts  from the first layer on @param {number} H */
function headsOf(letters, counts, H) {
  const hasBias = letters.includes("R") && letters.includes("A")
  const bias = hasBias
    ? counts.find((count) => count % USUAL_BUCKETS === 0 && count / USUAL_BUCKETS <= MAX_HEADS && count < H * 2)
    : undefined
  const heads = bias ? bias / USUAL_BUCKETS : 0
  return heads && H % heads === 0 ? heads : Math.max(1, Math.round(H / USUAL_HEAD_WIDTH))
}

/** The buckets of a table of relative positions after the layers, which has two rows for each; undefined if no count
 * can be one.
 * @param {number[]} counts  from the first layer on @param {number} H */
function bucketsIn(counts, H) {
  const elements = counts
    .filter((count) => count % (2 * H) === 0 && count > 2 * H && count / (2 * H) <= MAX_BUCKETS)
    .at(-1)
  return elements ? elements / (2 * H) : undefined
}

/** The letters of an architecture's shapes. @param {string} architecture */
export const lettersOf = (architecture) =>
  new Set(
    classesOf(architecture).flatMap(({ rows }) => rows.flatMap(({ dimensions }) => dimensions.flatMap(factorsOf))),
  )
