// Solves for the sizes of a model, from the counts of its modules, where no published model
// has them. It goes as one would by hand: LayerNorms give the width H, what is divisible
// by the width before the first layer are tables, a whole layer or one of its matrices
// gives the width inside, F, and the rows that come once in each layer give the depth.
// Several values may fit; each combination is tried against all rows by the caller.

import { architectures, Counter, classesOf, factorsOf } from "../../counting/engine.js"
import { layerNamed } from "./aligning.js"

const WIDEST = 20_000 // of all models that we know of

/** The numbers in a list, the most frequent first. @param {number[]} numbers */
const byFrequency = (numbers) => {
  const times = new Map()
  for (const number of numbers) times.set(number, (times.get(number) ?? 0) + 1)
  return [...times].sort((one, other) => other[1] - one[1]).map(([number]) => number)
}

/** The exact counts of rows, in order. @param {TextRow[]} rows */
const exactRows = (rows) =>
  rows.flatMap((row) => (row.low !== null && row.low === row.high && row.low > 0 ? [{ ...row, count: row.low }] : []))

/** Whether a row is a LayerNorm or a table by its class or name. @param {TextRow} row @param {RegExp} pattern */
const isCalled = ({ name, type }, pattern) => pattern.test(type) || pattern.test(name)

/** The widths that counts suggest: of LayerNorms with scale and shift, or with scale alone, and of square layers.
 * @param {(TextRow & { count: number })[]} rows @param {number} vectors  in a LayerNorm of the architecture */
function widths(rows, vectors) {
  const norms = rows.filter((row) => isCalled(row, /norm/i)).map(({ count }) => count / vectors)
  const counts = new Set(rows.map(({ count }) => count))
  const squares = [...counts].flatMap((count) => {
    const width = Math.round((Math.sqrt(1 + 4 * count) - 1) / 2)
    return width * width + width === count ? [width] : []
  })
  const halves = [...counts]
    .filter((count) => count % 2 === 0)
    .map((count) => count / 2)
    .filter((width) =>
      [1, 3, 4].some((times) => counts.has(times * (width * width + width)) || counts.has(times * width * width)),
    )
  return byFrequency([...norms, ...squares, ...halves.sort((one, other) => other - one)])
    .filter((width) => Number.isInteger(width) && width > 1 && width <= WIDEST)
    .slice(0, 4)
}

/** The parameters of one layer as a + b × F. @param {string} modelClass @param {Sizes} sizes */
function layerIn(modelClass, sizes) {
  const parametersWith = (/** @type {number} */ F) =>
    new Counter(modelClass, { ...sizes, F }).number([], "bert/encoder/layer_1") ?? NaN
  const [none, one] = [parametersWith(0), parametersWith(1)]
  return { none, each: one - none }
}

/** The widths inside a layer that counts suggest.
 * @param {number[]} counts @param {number} H @param {{ none: number, each: number }} layer
 * @returns {{ F: number, by: number, depth?: number }[]} */
function innerWidths(counts, H, layer) {
  const from = byFrequency(counts).flatMap((count) => [
    { F: (count - layer.none) / layer.each, by: count },
    { F: count / (H + 1), by: count },
    { F: (count - H) / (2 * H + 1), by: count },
    { F: (count - 3 * H) / (2 * H + 1), by: count },
    { F: count / (2 * H), by: count },
  ])
  const set = new Set(counts)
  /** @param {number} F */
  const isSeen = (F) =>
    [F * H + H, F * H + 3 * H, F * H, layer.none + layer.each * F, 2 * F * H + F + H, 2 * F * H + F + 3 * H].filter(
      (count) => set.has(count),
    ).length
  const fitting = from.filter(({ F }) => Number.isInteger(F) && F > 1 && F !== H && F <= 4 * WIDEST && isSeen(F))
  const widths = new Set()
  return fitting.filter(({ F }) => !widths.has(F) && widths.add(F)).slice(0, 3)
}

/** The depth and inner width of layers that share one row. Several may fit; F is four times H in most
 * models, and otherwise only the one that fits alone is taken.
 * @param {(TextRow & { count: number })[]} rows @param {number} H @param {{ none: number, each: number }} layer
 * @returns {{ F: number, by: number, depth: number }[]} */
function wholeStacks(rows, H, layer) {
  const stacks = rows.filter((row) =>
    isCalled(row, /ModuleList|Encoder$|Transformer$|^(?:\w+\.)*(?:layers?|encoder|transformer)$/),
  )
  return stacks.flatMap(({ count }) => {
    const fitting = Array.from({ length: DEEPEST }, (_, index) => index + 1)
      .map((depth) => ({ depth, by: count, F: (count / depth - layer.none) / layer.each }))
      .filter(({ F }) => Number.isInteger(F) && F > 1)
    const usual = fitting.filter(({ F }) => F === 4 * H)
    return usual.length ? usual : fitting.length === 1 ? fitting : []
  })
}
const DEEPEST = 60

/** The tables that the rows before the first layer can be, by letter.
 * @param {number[]} counts @param {number} E @param {string[]} letters @returns {Sizes} */
function tablesIn(counts, E, letters) {
  // A LayerNorm is as large as a table of two rows; only the last of them is the LayerNorm.
  const norm = counts.lastIndexOf(2 * E)
  const heights = counts.filter((count, index) => count % E === 0 && index !== norm).map((count) => count / E)
  // The table of words comes first; of the others, that of positions is the larger one.
  const [words, ...others] = heights
  const sorted = [words, ...others.sort((one, other) => other - one)]
  const own = ["V", "P", "S"].filter((letter) => letters.includes(letter))
  return Object.fromEntries(own.flatMap((letter, index) => (sorted[index] ? [[letter, sorted[index]]] : [])))
}

/** Every combination of sizes that the counts of a text suggest for an architecture, the likeliest first.
 * @param {TextRow[]} texts @param {string} architecture @returns {Sizes[]} */
export function solved(texts, architecture) {
  // A row for all embeddings together is no table.
  const rows = exactRows(texts).filter(({ type, name }) => !/Embeddings$/.test(type) && name !== "embeddings")
  const counts = rows.map(({ count }) => count)
  const { keys, layers, usual } = architectures.get(architecture)
  const [bare] = classesOf(architecture)
  const letters = Object.keys(keys)
  const numbers = texts.flatMap((text) => layerNamed(text) ?? [])
  // Rows that name their layers tell how many there are, also where some are missing.
  const deepest = numbers.length ? Math.max(...numbers) + (Math.min(...numbers) === 0 ? 1 : 0) : 0
  const hasShift = bare.rows.some(({ path }) => path.endsWith("LayerNorm/beta"))
  const firstNorm = rows.find((row) => isCalled(row, /norm/i))
  return widths(rows, hasShift ? 2 : 1).flatMap((H) => {
    const E = letters.includes("E") && firstNorm ? firstNorm.count / 2 : H
    /** @type {Sizes} */
    const ones = Object.fromEntries(letters.map((letter) => [letter, 1]))
    const known = { ...ones, S: 2, H, E, L: 2, C: 2, R: 32 }
    const layer = layerIn(bare.name, known)
    const stacks = wholeStacks(rows, H, layer)
    return [...innerWidths(counts, H, layer), ...stacks].flatMap(({ F, by, depth: stacked = 0 }) => {
      const inLayer = new Set([
        layer.none + layer.each * F,
        by,
        H * H + H,
        3 * (H * H + H),
        4 * (H * H + H),
        4 * (H * H + H) + 2 * H,
        4 * H * H,
        3 * H * H,
        H * H,
      ])
      const first = counts.findIndex((count) => inLayer.has(count))
      const tables = tablesIn(counts.slice(0, first), Number.isInteger(E) ? E : H, letters)
      const L = stacked || Math.max(counts.filter((count) => count === by).length, deepest)
      if (tables.V === undefined) return []
      const depth = Object.fromEntries(layers.map((letter) => [letter, layers.length > 1 ? 1 : L]))
      const bias =
        letters.includes("R") && letters.includes("A")
          ? counts.slice(first).find((count) => count % 32 === 0 && count / 32 <= 64 && count < H * 2)
          : undefined
      const heads = bias && H % (bias / 32) === 0 ? bias / 32 : Math.max(1, Math.round(H / 64))
      const all = {
        ...usual,
        C: 2,
        P: 512,
        S: 2,
        X: 1024,
        G: 1,
        I: 1,
        L,
        ...tables,
        H,
        E,
        F,
        ...depth,
        A: heads,
        R: relativeRows(counts.slice(first), H) ?? 32,
      }
      return [
        Object.fromEntries(letters.map((letter) => [letter, /** @type {Record<string, number>} */ (all)[letter]])),
      ]
    })
  })
}

/** The buckets of a table of relative positions below the layers, which has two rows for each.
 * @param {number[]} counts @param {number} H */
const relativeRows = (counts, H) => {
  const [elements] = counts
    .filter((count) => count % (2 * H) === 0 && count > 2 * H && count / (2 * H) <= 2048)
    .slice(-1)
  return elements ? elements / (2 * H) : undefined
}

/** The letters of an architecture's shapes. @param {string} architecture */
export const lettersOf = (architecture) =>
  new Set(
    classesOf(architecture).flatMap(({ rows }) => rows.flatMap(({ dimensions }) => dimensions.flatMap(factorsOf))),
  )
