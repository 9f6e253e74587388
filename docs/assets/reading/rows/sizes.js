// Works out the sizes of a model from rows whose names are known, as a person would on
// paper: the vectors give H, and with H each table and matrix gives one more letter. A letter
// takes the value that most modules agree on, so that a single wrong row is detected, not
// believed. A size that the text does not show is taken from a published model that agrees
// with the sizes shown, or set to its usual value.

import {
  architectures,
  classesOf,
  count,
  factorsOf,
  getOrMake,
  lazily,
  models,
  sizeOfDimension,
} from "../../counting/engine.js"
import { modelsByUse } from "../../explaining/ways.js"
import { visibleDepthOf } from "./depth.js"
import { moduleOf } from "./fits.js"

/** The values of each letter in published models. */
const publishedValues = lazily(() => {
  /** @type {Map<string, Set<number>>} */
  const valuesByLetter = new Map()
  for (const { sizes } of models.values())
    for (const [letter, size] of Object.entries(sizes)) getOrMake(valuesByLetter, letter, () => new Set()).add(size)
  return valuesByLetter
})

/** Votes for the value of each letter, one per module that gives a value: a weight and its bias share a mistake, so two
 * rows of one module must not outvote another module. */
class Votes {
  /** The modules that vote for each value of each letter. @type {Map<string, Map<number, Set<string>>>} */
  byLetter = new Map()

  /** Adds the vote of a row's module if the value is a positive whole number.
   * @param {string} letter @param {number} value @param {TextRow} text */
  add(letter, value, { name, line }) {
    if (!Number.isSafeInteger(value) || value < 1) return
    const voters = getOrMake(
      getOrMake(this.byLetter, letter, () => new Map()),
      value,
      () => new Set(),
    )
    voters.add(name.includes(".") ? moduleOf(name) : `${line.index} ${name}`)
  }

  /** The value of a letter that most modules agree on. If several values have equally many votes, one that occurs in a
   * published model is preferred, above all in one that has the other sizes as well.
   * @param {string} letter @param {number} fallback  the value if there are no votes
   * @param {Sizes} others  the other sizes that are known */
  best(letter, fallback, others = {}) {
    const values = this.ranking(letter)
    const equalValues = values.filter(([, voterCount]) => voterCount === values[0][1]).map(([value]) => value)
    const published = equalValues.filter((value) => publishedValues().get(letter)?.has(value))
    const isPublishedWithOthers = (/** @type {number} */ value) =>
      [...models.values()].some((model) =>
        Object.entries({ ...others, [letter]: value }).every(([key, size]) => model.sizes[key] === size),
      )
    return published.find(isPublishedWithOthers) ?? published[0] ?? equalValues[0] ?? fallback
  }

  /** The value that most modules agree on, for every letter that has one. @returns {Sizes} */
  sizes() {
    return Object.fromEntries([...this.byLetter.keys()].map((letter) => [letter, this.best(letter, 0)]))
  }

  /** The values of a letter with their numbers of votes, the most frequent first. @param {string} letter */
  ranking(letter) {
    const voterCounts = [...(this.byLetter.get(letter) ?? [])].map(
      ([value, voters]) => /** @type {const} */ ([value, voters.size]),
    )
    return voterCounts.sort((one, other) => other[1] - one[1])
  }
}

/** A dimension split into a number and letters, whose product it is. @param {Dimension} dimension */
function factorsByKind(dimension) {
  const factors = factorsOf(dimension)
  const number = factors.reduce(
    (/** @type {number} */ result, factor) => (typeof factor === "number" ? result * factor : result),
    1,
  )
  return { number, letters: factors.filter((factor) => typeof factor === "string") }
}

/** The cached dimensions of rows, because a print-out may show a row many times.
 * @type {Map<Row, ReturnType<typeof factorsByKind>[]>} */
const dimensionsByRow = new Map()

/** The dimensions of a row, each split into a number and letters. @param {Row} row */
const dimensionsOf = (row) => getOrMake(dimensionsByRow, row, () => row.dimensions.map(factorsByKind))

/** The value of a matrix's only unknown letter, from its place in the shape, if the shape lacks the known size: the
 * number of elements divided by that size would be a value that the text does not show. Null for any other row.
 * @param {Row} row @param {TextRow} text @param {Sizes} sizes */
function sizeByPlace({ dimensions, transposed }, { shape }, sizes) {
  if (dimensions.length !== 2 || shape?.length !== 2) return null
  const shapeInOrder = transposed ? [...shape].reverse() : shape
  const unknownPlace = dimensions.findIndex((dimension) => Number.isNaN(sizeOfDimension(dimension, sizes)))
  const { number, letters } = factorsByKind(dimensions[unknownPlace] ?? 1)
  const knownSize = sizeOfDimension(dimensions[1 - unknownPlace] ?? 1, sizes)
  return letters.length === 1 && knownSize > 0 && !shape.includes(knownSize)
    ? shapeInOrder[unknownPlace] / number
    : null
}

/** Adds the votes of a row: the value of its only unknown letter, given the sizes of its other letters, or the values
 * of two unknown letters that its shape gives directly.
 * @param {Votes} votes @param {Sizes} sizes @param {Row} row @param {TextRow} text */
function addVotes(votes, sizes, row, text) {
  // The difference of two sizes determines neither of them.
  if (text.low === null || text.low !== text.high || row.shape.includes("−")) return
  const dimensions = dimensionsOf(row)
  const letters = dimensions.flatMap((dimension) => dimension.letters)
  const number = dimensions.reduce((product, dimension) => product * dimension.number, 1)
  const unknowns = [...new Set(letters.filter((letter) => sizes[letter] === undefined))]
  if (unknowns.length === 1) {
    const power = letters.filter((letter) => letter === unknowns[0]).length
    const rest = letters.reduce((product, letter) => product * (sizes[letter] ?? 1), number)
    const quotient = text.low / rest
    votes.add(unknowns[0], sizeByPlace(row, text, sizes) ?? (power === 1 ? quotient : Math.sqrt(quotient)), text)
  } else if (
    unknowns.length === 2 &&
    text.shape?.length === 2 &&
    dimensions.every((dimension) => dimension.letters.length === 1)
  ) {
    // A shape gives two letters at once, in the order of the row or, if PyTorch stores the transpose, in reverse.
    const shape = row.transposed ? [...text.shape].reverse() : text.shape
    dimensions.forEach((dimension, index) => votes.add(dimension.letters[0], shape[index] / dimension.number, text))
  }
}

/** The matches, without rows that repeat the name and the size of an earlier one, as in a text that was pasted many
 * times. Their votes would not count again. Names of one part may be those of different tensors, so they repeat each
 * other only on the same line.
 * @param {NameMatch[]} matches */
const withoutRepeats = (matches) => [
  ...new Map(
    matches.map((match) => {
      const { name, shape, low, line } = match.text
      return [`${name} ${shape} ${low} ${name.includes(".") ? "" : line.index}`, match]
    }),
  ).values(),
]

/** The sizes that the rows agree on. @param {NameMatch[]} matches @returns {Sizes} */
export function sizesOf(matches) {
  const pairs = withoutRepeats(matches).map(({ text, rows }) => ({ text, row: /** @type {Row} */ ([...rows][0]) }))
  /** @type {Sizes} */
  let sizes = {}
  // First come the vectors, which give H; then the matrices with one more letter; then matrices whose other letter came
  // from the previous pass; and last the few tensors with three dimensions.
  for (const maxDimensions of [1, 2, 2, 3]) {
    const votes = new Votes()
    for (const { text, row } of pairs)
      if (row.dimensions.length <= maxDimensions && !row.tied_to) addVotes(votes, sizes, row, text)
    sizes = { ...votes.sizes(), ...sizes }
  }
  const depth = visibleDepthOf(matches)
  for (const { text, row } of pairs) {
    const letters = dimensionsOf(row).flatMap((dimension) => dimension.letters)
    // A count alone does not separate buckets from heads. Whatever the split, the product is right.
    if (letters.join("") === "RA" && sizes.R === undefined && text.low !== null) {
      const isUsual = text.low % USUAL_BUCKETS === 0
      Object.assign(sizes, isUsual ? { R: USUAL_BUCKETS, A: text.low / USUAL_BUCKETS } : { R: text.low, A: 1 })
    }
    // This tensor has one weight for each head of each layer.
    if (letters.join("") === "LA" && text.low !== null && text.low % depth === 0) sizes.A = text.low / depth
  }
  return sizesByAllRows(pairs, sizes)
}

/** The sizes, each worked out again from all rows that have its letter, because the few vectors that came first may be
 * wrong.
 * @param {{ text: TextRow, row: Row }[]} pairs @param {Sizes} sizes @returns {Sizes} */
function sizesByAllRows(pairs, sizes) {
  const revisedSizes = { ...sizes }
  for (const letter of Object.keys(sizes)) {
    const { [letter]: _, ...others } = sizes
    const votes = new Votes()
    for (const { text, row } of pairs)
      if (!row.tied_to && row.shape.includes(letter)) addVotes(votes, others, row, text)
    revisedSizes[letter] = votes.best(letter, sizes[letter], others)
  }
  return revisedSizes
}

/** The number of labels that the rows of a head show; undefined if they show none.
 * @param {NameMatch[]} matches @param {ModelClass} modelClass @param {Sizes} sizes */
export function labelCountIn(matches, modelClass, sizes) {
  const votes = new Votes()
  for (const { text, rows } of matches)
    for (const row of rows)
      if (modelClass.rows.includes(row)) addVotes(votes, { ...sizes, C: /** @type {any} */ (undefined) }, row, text)
  return votes.sizes().C
}

/** The number of parameters of a class, or of its tensors with a tag, which is `withoutLabels + perLabel × labels`.
 * @param {string} modelClass @param {Sizes} sizes @param {Partial<Choices>} [choices] @param {string} [tag] */
export function sizeByLabels(modelClass, sizes, choices = {}, tag = "") {
  const [withOneLabel, withTwoLabels] = [1, 2].map((C) => count({ modelClass, sizes: { ...sizes, C }, choices, tag }))
  const perLabel = withTwoLabels - withOneLabel
  return { withoutLabels: withOneLabel - perLabel, perLabel }
}

/** The only number of labels with which a class has every total in a text; undefined if there is none, or if several
 * fit.
 * @param {string} modelClass @param {Sizes} sizes @param {Partial<Choices>} choices @param {StatedTotal[]} totals */
export function labelCountByTotals(modelClass, sizes, choices, totals) {
  const allTotals = totals.filter(({ kind }) => kind === "total")
  if (!allTotals.length) return undefined
  const { withoutLabels, perLabel } = sizeByLabels(modelClass, sizes, choices)
  if (!perLabel) return undefined
  const low = Math.max(...allTotals.map((total) => total.low))
  const high = Math.min(...allTotals.map((total) => total.high))
  const labels = Math.floor((high - withoutLabels) / perLabel)
  return labels > 0 && labels === Math.ceil((low - withoutLabels) / perLabel) ? labels : undefined
}

/** The published models with these sizes, the most widely used first. Labels and heads are ignored: the number of
 * labels depends on the fine-tuning task, and hardly any shape depends on the number of heads.
 * @param {string} architecture @param {Sizes} sizes */
export const publishedModelsWith = (architecture, sizes) =>
  modelsByUse
    .filter((model) => model.architecture === architecture)
    .filter((model) =>
      Object.entries(sizes).every(([letter, size]) => letter === "C" || letter === "A" || model.sizes[letter] === size),
    )

/** The letters of the sizes that are heights of embedding tables. */
const TABLE_HEIGHT_LETTERS = ["V", "P", "S"]

/** The published models of an architecture with the given sizes, whatever the heights of their embedding tables.
 * @param {string} architecture @param {Sizes} sizes */
export function modelsOfSameWidths(architecture, sizes) {
  const widths = Object.entries(sizes).filter(([letter]) => !TABLE_HEIGHT_LETTERS.includes(letter))
  return publishedModelsWith(architecture, Object.fromEntries(widths))
}

/** The sizes that a text shows, completed from a published model or with the usual sizes. `name` is that of the
 * published model ("" if there is none), and `assumed` lists the letters filled in that affect the count of the
 * encoder. Null if a size can be neither looked up nor derived.
 * @param {string} architecture @param {Sizes} visibleSizes
 * @returns {{ sizes: Sizes, name: string, assumed: string[] } | null} */
export function completeSizes(architecture, visibleSizes) {
  const [publishedModel] = publishedModelsWith(architecture, visibleSizes)
  const letters = Object.keys(architectures.get(architecture).keys)
  const missingLetters = letters.filter((letter) => visibleSizes[letter] === undefined)
  // A model with more positions or tokens than a published one usually has the same depth.
  const depth = modelsOfSameWidths(architecture, visibleSizes)[0]?.sizes.L
  const otherSizes = { ...usualSizesWith(visibleSizes), ...(publishedModel?.sizes ?? (depth ? { L: depth } : {})) }
  // The beginning of a list shows the tables, but fewer layers than the model has. Sizes without a usual value are then
  // those of a model with the sizes that it shows.
  const { L: _, ...sizesWithoutDepth } = visibleSizes
  const deeperModels = visibleSizes.V && visibleSizes.H ? publishedModelsWith(architecture, sizesWithoutDepth) : []
  const sizesOfDeeper = deeperModels[0]?.sizes ?? {}
  const sizes = { ...visibleSizes }
  for (const letter of missingLetters) {
    const size = otherSizes[letter] ?? sizesOfDeeper[letter]
    if (size === undefined) return null
    sizes[letter] = size
  }
  const [bare] = classesOf(architecture)
  // A size on which neither the depth nor the shape of any tensor depends does not affect any number. The number of
  // labels is not a size of the encoder.
  const isUsed = (/** @type {string} */ letter) =>
    bare.layers.includes(letter) ||
    bare.rows.some(({ dimensions }) =>
      dimensions.some((dimension) => factorsByKind(dimension).letters.includes(letter)),
    )
  const assumedLetters = missingLetters.filter((letter) => letter !== "C" && isUsed(letter))
  return { sizes, name: publishedModel?.name ?? "", assumed: assumedLetters }
}

export const USUAL_BUCKETS = 32 // the number of buckets of relative positions in MPNet
const USUAL_HEAD_WIDTH = 64 // the width of a head in most BERT models

/** The usual value of each letter, except V, which has none, and those whose usual value depends on other sizes. */
export const USUAL_SIZES = { S: 2, P: 512, R: USUAL_BUCKETS, X: 1024, G: 1, I: 1, C: 2 }

/** The usual number of heads of a model with this hidden size. @param {number} H */
export const usualHeads = (H) => Math.max(1, Math.round(H / USUAL_HEAD_WIDTH))

/** Usual values of sizes, given those that a text shows; the depth, which has none, is 1.
 * @param {Sizes} sizes @returns {Sizes} */
const usualSizesWith = ({ H }) => ({ ...USUAL_SIZES, L: 1, ...(H ? { A: usualHeads(H), F: 4 * H, E: H } : {}) })
