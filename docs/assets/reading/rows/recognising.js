// Recognises the model of a print-out that names its tensors. The names show the
// architecture, the shapes the sizes, the layer numbers the depth, and the rows of a head
// the class.
//
// Sizes are worked out as a person would on paper: the vectors give H, and with H each
// table and matrix gives one more letter. A letter takes the value that most rows agree
// on, so that a single wrong row is detected, not believed. If a text has no shapes, its
// counts are used instead. A size that the text does not show is taken from a published
// model that agrees with the sizes shown, or set to its usual value. If any tensor has
// this size, it is recorded as an assumption.
//
// Some architectures use the same names, so a text does not always decide between them:
// RoBERTa and XLM-RoBERTa differ only in sizes, and ELECTRA has BERT's names without the pooler. A
// published model with the sizes of the text then decides. If there is none, the more
// widely used architecture is taken, `alike` lists the others, and the account mentions
// them. The weights below are not measured. They rank the kinds of evidence, and the
// recorded print-outs in tests/scripts/printouts pin the outcome.

import table from "../../../data/table.js"
import {
  architectures,
  classes,
  classesOf,
  defaultChoices,
  factorsOf,
  isThere,
  models,
  product,
  sumBy,
} from "../../counting/engine.js"
import { byUse } from "../../explaining/ways.js"
import { layersIn, printedRows, similarRows } from "./names.js"
import { namesOf, rulerOf } from "./ruler.js"

/** Names of tensors that fine-tuning methods add to a model. */
export const ADDED_TENSOR =
  /lora_|modules_to_save|(?:^|\.)(?:adapters?|adapter_\w+)(?:\.|$)|prompt_encoder|prefix_|ia3_|vera_|hada_|lokr_|oft_|boft_|trainable_tokens/

/** A printed row with the rows of an architecture that its name may refer to; null if there are none.
 * @param {TextRow} text @param {string} architecture @returns {NameMatch | null} */
export function matchByName(text, architecture) {
  if (!text.name || text.isContainer || ADDED_TENSOR.test(text.name)) return null
  const printedForm = printedRows(text.name)
  const namedRows = printedForm?.rows.filter((entry) => entry.architecture === architecture).map(({ row }) => row) ?? []
  if (printedForm && namedRows.length)
    return { text, rows: new Set(namedRows), numbers: printedForm.numbers, isPrinted: true }
  // Neither a name that a framework prints for other architectures nor the name of a module means anything here.
  if (printedForm || text.type) return null
  const [best, ...rest] = similarRows(text.name, architecture, text.shape?.length ?? 0)
  if (!best || best.score < MIN_SIMILARITY) return null
  const rows = [best, ...rest.filter(({ score }) => score > best.score - EQUAL_SCORES)].map(({ row }) => row)
  return { text, rows: new Set(rows), numbers: layersIn(text.name), isPrinted: false }
}
const MIN_SIMILARITY = 2.2 // more than any word weighs, so a custom name must share at least two words with a row
const EQUAL_SCORES = 0.01 // scores are sums of decimals, so equal scores may differ in their last digits

// A name that fits scores 0.5, and 1 more if a framework prints it. A mention decides only between
// architectures whose names fit equally well.
const FITTING_NAME_SCORE = 0.5
const MENTION_SCORE = 0.25

/** The architectures whose names explain any rows of a text, the best first. Ties keep the order of the table,
 * which begins with BERT.
 * @param {PrintOut} printOut @returns {{ architecture: string, matches: NameMatch[] }[]} */
function candidatesFor({ rows, mentions }) {
  const modelRows = rows.filter(({ name, isContainer }) => !isContainer && !ADDED_TENSOR.test(name))
  return table.architectures
    .map(({ name: architecture }) => {
      const matches = modelRows.map((row) => matchByName(row, architecture)).filter((match) => match !== null)
      const isMentioned = classesOf(architecture).some(({ name }) => mentions.includes(name))
      const printedCount = matches.filter((match) => match.isPrinted).length
      return {
        architecture,
        matches,
        score: printedCount + matches.length * FITTING_NAME_SCORE + (isMentioned ? MENTION_SCORE : 0),
      }
    })
    .filter(({ matches }) => matches.length)
    .sort((one, other) => other.score - one.score)
}

/** The candidates, reordered if needed: of those that explain as many names as the first, one with published sizes
 * comes first. For example, the tensors of RoBERTa and XLM-RoBERTa have the same names.
 * @param {ReturnType<typeof candidatesFor>} candidates */
function preferPublishedSizes(candidates) {
  const [first] = candidates
  if (!first) return candidates
  const alikeCandidates = candidates.filter(({ matches }) => matches.length === first.matches.length)
  const withPublishedSizes = alikeCandidates.filter(({ architecture, matches }) => {
    const { V, H } = sizesOf(matches)
    return V && H && publishedModelsWith(architecture, { V, H }).length
  })
  const [best] = withPublishedSizes
  return best && !withPublishedSizes.includes(first)
    ? [best, ...candidates.filter((candidate) => candidate !== best)]
    : candidates
}

/** Whether a published model has the sizes that the rows of a candidate show.
 * @param {{ architecture: string, matches: NameMatch[] }} candidate */
const isPublished = ({ architecture, matches }) => publishedModelsWith(architecture, sizesOf(matches)).length > 0

/** The candidates, reordered if the first fits only without a tensor that its class usually has. For example, ELECTRA's
 * tensors are BERT's without the pooler. The first complete candidate that explains as many names then takes its place.
 * If the text mentions a class, or if the sizes of the first candidate are published, the order does not change.
 * @param {ReturnType<typeof candidatesFor>} candidates @param {string[]} mentions */
function preferUsualChoices(candidates, mentions) {
  const [first] = candidates
  if (!first?.matches[0]?.isPrinted || mentions.some((name) => classes.has(name))) return candidates
  /** Whether a text has all tensors of the class that fits a candidate best, including its usual pooler.
   * @param {ReturnType<typeof candidatesFor>[0]} one */
  const isComplete = ({ architecture, matches }) => {
    const [best] = classesFor(architecture, matches, mentions, sizesOf(matches))
    return best.choices.pooler !== false && !best.missing
  }
  if (isComplete(first) || isPublished(first)) return candidates
  const other = candidates.find(
    (candidate) => candidate.matches.length === first.matches.length && isComplete(candidate),
  )
  return other ? [other, ...candidates.filter((candidate) => candidate !== other)] : candidates
}

/** The other candidates that explain at least as many names of a text as the one with these matches.
 * @param {ReturnType<typeof candidatesFor>} candidates @param {NameMatch[]} matches */
const equalCandidates = (candidates, matches) =>
  candidates.filter((candidate) => candidate.matches !== matches && candidate.matches.length >= matches.length)

/** The name of the class for the same task in another architecture, as a list; empty if there is none.
 * @param {{ architecture: string }} other @param {string} modelClass @param {string} architecture */
function counterpartOf(other, modelClass, architecture) {
  /** The beginning of the class names of an architecture, such as Bert. */
  const stemOf = (/** @type {string} */ name) => classesOf(name)[0].name.replace(/Model$/, "")
  const name = stemOf(other.architecture) + modelClass.slice(stemOf(architecture).length)
  return classes.has(name) ? [name] : []
}

// --- Sizes ----------------------------------------------------------------------

/** Votes for the value of each letter, one per row that gives a value. */
class Votes {
  /** @type {Map<string, Map<number, number>>} */
  byLetter = new Map()

  /** @param {string} letter @param {number} value */
  add(letter, value) {
    if (!Number.isSafeInteger(value) || value < 1) return
    const values = this.byLetter.get(letter) ?? new Map()
    values.set(value, (values.get(value) ?? 0) + 1)
    this.byLetter.set(letter, values)
  }

  /** The value of a letter that most rows agree on. If several values have equally many votes, one that occurs in a
   * published model is preferred.
   * @param {string} letter @param {number} fallback  the value if there are no votes */
  best(letter, fallback) {
    const values = this.ranking(letter)
    const equalValues = values.filter(([, rows]) => rows === values[0][1]).map(([value]) => value)
    /** Whether a published model has this size. */
    const isPublished = (/** @type {number} */ value) =>
      [...models.values()].some(({ sizes }) => sizes[letter] === value)
    return equalValues.find(isPublished) ?? equalValues[0] ?? fallback
  }

  /** The value that most rows agree on, for every letter that has one. @returns {Sizes} */
  sizes() {
    return Object.fromEntries([...this.byLetter.keys()].map((letter) => [letter, this.ranking(letter)[0][0]]))
  }

  /** The values of a letter with their numbers of votes, the most frequent first. @param {string} letter */
  ranking(letter) {
    return [...(this.byLetter.get(letter) ?? [])].sort((one, other) => other[1] - one[1])
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

/** Adds the votes of a row: the value of its only unknown letter, given the sizes of its other letters, or the values
 * of two unknown letters that its shape gives directly.
 * @param {Votes} votes @param {Sizes} sizes @param {Row} row @param {TextRow} text */
function addVotes(votes, sizes, row, text) {
  // The difference of two sizes determines neither of them.
  if (text.low === null || text.low !== text.high || row.shape.includes("−")) return
  const dimensions = row.dimensions.map(factorsByKind)
  const letters = dimensions.flatMap((dimension) => dimension.letters)
  const number = dimensions.reduce((product, dimension) => product * dimension.number, 1)
  const unknowns = [...new Set(letters.filter((letter) => sizes[letter] === undefined))]
  if (unknowns.length === 1) {
    const power = letters.filter((letter) => letter === unknowns[0]).length
    const rest = letters.reduce((product, letter) => product * (sizes[letter] ?? 1), number)
    const quotient = text.low / rest
    votes.add(unknowns[0], power === 1 ? quotient : Math.sqrt(quotient))
  } else if (
    unknowns.length === 2 &&
    text.shape?.length === 2 &&
    dimensions.every((dimension) => dimension.letters.length === 1)
  ) {
    // A shape gives two letters at once, in the order of the row or, if PyTorch stores the transpose, in reverse.
    const shape = row.transposed ? [...text.shape].reverse() : text.shape
    dimensions.forEach(
      ({ letters: [letter], number: factor }, index) => letter && votes.add(letter, shape[index] / factor),
    )
  }
}

/** The sizes that the rows agree on. @param {NameMatch[]} matches @returns {Sizes} */
export function sizesOf(matches) {
  const pairs = matches.map(({ text, rows }) => ({ text, row: /** @type {Row} */ ([...rows][0]) }))
  /** @type {Sizes} */
  let sizes = {}
  // First come the vectors, which give H; then the matrices with one more letter; then matrices whose other letter the
  // previous pass has given; and last the few tensors with three dimensions.
  for (const maxDimensions of [1, 2, 2, 3]) {
    const votes = new Votes()
    for (const { text, row } of pairs)
      if (row.dimensions.length <= maxDimensions && !row.tied_to) addVotes(votes, sizes, row, text)
    sizes = { ...votes.sizes(), ...sizes }
  }
  const depth = visibleDepthOf(matches)
  for (const { text, row } of pairs) {
    const letters = row.dimensions.flatMap((dimension) => factorsByKind(dimension).letters)
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
 * @param {{ text: TextRow, row: Row }[]} rows @param {Sizes} sizes @returns {Sizes} */
function sizesByAllRows(rows, sizes) {
  const result = { ...sizes }
  for (const letter of Object.keys(sizes)) {
    const { [letter]: _, ...others } = sizes
    const votes = new Votes()
    for (const { text, row } of rows) if (!row.tied_to && row.shape.includes(letter)) addVotes(votes, others, row, text)
    result[letter] = votes.best(letter, sizes[letter])
  }
  return result
}

/** The number of labels that the rows of a head show; undefined if they show none.
 * @param {NameMatch[]} matches @param {ModelClass} modelClass @param {Sizes} sizes */
function labelCountIn(matches, modelClass, sizes) {
  const votes = new Votes()
  for (const { text, rows } of matches)
    for (const row of rows)
      if (modelClass.rows.includes(row)) addVotes(votes, { ...sizes, C: /** @type {any} */ (undefined) }, row, text)
  return votes.sizes().C
}

// --- Depth ------------------------------------------------------------------------

/** The depth of a model, whether the text states it, and whether the model may have more layers than the text shows.
 * @typedef {{ depth: number, isStated: boolean, isOpen: boolean }} Depth */

const MAX_LAYERS = 1000 // a larger number in a name is not a layer number
const FEW_LAYERS = 3 // a text with at most this many layers may have been shortened manually

/** The number of layers that the names in a text show, from the largest layer number. @param {NameMatch[]} matches */
function visibleDepthOf(matches) {
  const inLayers = matches.filter(({ rows }) => [...rows].some(({ repeated }) => repeated))
  return Math.min(Math.max(-1, ...inLayers.map(({ numbers }) => numbers.at(-1) ?? 0)) + 1, MAX_LAYERS)
}

/** Whether a text ends within its last layer, so that it was probably cut off: that layer has fewer tensors than the
 * first, and nothing follows it.
 * @param {NameMatch[]} matches @param {number} visibleDepth */
function endsWithinLayer(matches, visibleDepth) {
  /** The number of matches in a layer. */
  const countInLayer = (/** @type {number} */ layer) => matches.filter(({ numbers }) => numbers.at(-1) === layer).length
  return (
    visibleDepth > 1 &&
    matches.at(-1)?.numbers.at(-1) === visibleDepth - 1 &&
    countInLayer(visibleDepth - 1) < countInLayer(0)
  )
}

/** The depth of a model. A total or a number of tensors decides first, then words such as "12 x", then the layers that
 * the text shows.
 * @param {PrintOut} printOut @param {number} visibleDepth  the number of layers that the text shows
 * @param {string} modelClass @param {Sizes} sizes @param {Partial<Choices>} choices @returns {Depth} */
function depthOf(printOut, visibleDepth, modelClass, sizes, choices) {
  const depthOfTotal = depthByTotal(printOut.totals, visibleDepth, modelClass, sizes, choices)
  if (depthOfTotal) return { depth: depthOfTotal, isStated: true, isOpen: false }
  const statedDepths = printOut.depths.filter((depth) => depth >= visibleDepth && depth < MAX_LAYERS)
  if (statedDepths.length) return { depth: Math.max(...statedDepths), isStated: true, isOpen: false }
  // If a text shows only a few layers and does not mention others, the model may have any depth.
  return { depth: visibleDepth, isStated: false, isOpen: printOut.isOpen || visibleDepth <= FEW_LAYERS }
}

/** The depth at which a class has a stated total or number of tensors; 0 if there is none.
 * @param {StatedTotal[]} totals @param {number} visibleDepth @param {string} modelClass @param {Sizes} sizes
 * @param {Partial<Choices>} choices */
export function depthByTotal(totals, visibleDepth, modelClass, sizes, choices) {
  if (classes.get(modelClass).layers.join() !== "L") return 0
  // Totals are linear in the depth, so two depths suffice. A depth of 1 is not used, because the first layer of some
  // models lacks a tensor.
  const [two, three] = [2, 3].map((L) => rulerOf(modelClass, { ...sizes, L }, choices))
  /** The number of tensors that are not tied. */
  const tensorsIn = (/** @type {Ruler} */ { tensors }) => tensors.filter(({ tied }) => !tied).length
  for (const { kind, low, high } of totals) {
    if (low !== high || (kind !== "tensors" && kind !== "total")) continue
    const [ofTwo, perLayer] =
      kind === "total" ? [two.total, three.total - two.total] : [tensorsIn(two), tensorsIn(three) - tensorsIn(two)]
    const depth = 2 + (low - ofTwo) / perLayer
    if (Number.isInteger(depth) && depth >= Math.max(visibleDepth, 1) && depth < MAX_LAYERS) return depth
  }
  return 0
}

/** Whether the name of any printed row may refer to this row. @param {Row} row @param {NameMatch[]} matches */
const isPresent = (row, matches) => matches.some(({ rows }) => rows.has(row))

// --- Class ------------------------------------------------------------------------

/** The rows that a class has with these choices and sizes.
 * @param {ModelClass} modelClass @param {Partial<Choices>} choices @param {Sizes} sizes */
export function rowsOfClass(modelClass, choices, sizes) {
  const allChoices = { ...modelClass.defaults, ...choices, ...modelClass.fixed }
  return modelClass.rows.filter((row) => isThere(row, allChoices, sizes))
}

/** The choices that a text shows: cross-attention if a row of it is present, and no pooler if that alone is missing
 * from the body.
 * @param {ModelClass} modelClass @param {NameMatch[]} matches @param {Sizes} sizes @returns {Partial<Choices>} */
function choicesIn(modelClass, matches, sizes) {
  /** Whether the text shows a row. */
  const isShown = (/** @type {Row} */ row) => isPresent(row, matches)
  /** @type {Partial<Choices>} */
  const choices = {}
  if (modelClass.rows.some((row) => row.when === "cross_attention" && isShown(row))) choices.cross_attention = true
  const untiedRows = rowsOfClass(modelClass, choices, sizes).filter((row) => !row.tied_to)
  const pooler = untiedRows.filter((row) => row.when === "pooler")
  const bodyRows = untiedRows.filter((row) => row.when !== "pooler" && row.block !== "task-head")
  if (pooler.length && !pooler.some(isShown) && bodyRows.every(isShown) && modelClass.fixed.pooler === undefined)
    choices.pooler = false
  return choices
}

// The number of rows by which another class must fit better than a class that the text mentions, because people also
// mention the class that they started from.
const MENTIONED_CLASS_DISCOUNT = 2.5

/** The classes of an architecture by how well their rows agree with those of a text, the best first. `foreign` is the
 * number of the text's rows that a class lacks, and `missing` the number of its rows that the text lacks.
 * @param {string} architecture @param {NameMatch[]} matches @param {string[]} mentions @param {Sizes} sizes */
function classesFor(architecture, matches, mentions, sizes) {
  return classesOf(architecture)
    .map((modelClass) => {
      const choices = choicesIn(modelClass, matches, sizes)
      const rowsOfVariant = new Set(rowsOfClass(modelClass, choices, sizes))
      const foreign = matches.filter(({ rows }) => ![...rows].some((row) => rowsOfVariant.has(row))).length
      const missing = [...rowsOfVariant].filter((row) => !row.tied_to && !isPresent(row, matches)).length
      const mention = mentions.includes(modelClass.name) ? MENTIONED_CLASS_DISCOUNT : 0
      return { modelClass, choices, cost: foreign + missing - mention, foreign, missing }
    })
    .sort((one, other) => one.cost - other.cost)
}

// --- Published models ---------------------------------------------------------------

/** The published models with these sizes, the most widely used first. Labels and heads are ignored: the number of
 * labels depends on the fine-tuning task, and hardly any shape depends on the number of heads.
 * @param {string} architecture @param {Sizes} sizes */
export const publishedModelsWith = (architecture, sizes) =>
  [...models.values()]
    .filter((model) => model.architecture === architecture)
    .filter((model) =>
      Object.entries(sizes).every(([letter, size]) => letter === "C" || letter === "A" || model.sizes[letter] === size),
    )
    .sort(byUse)

/** The letters of the sizes that are heights of embedding tables. */
const TABLE_HEIGHT_LETTERS = ["V", "P", "S"]

/** The published models of an architecture with the given sizes, whatever the heights of their embedding tables.
 * @param {string} architecture @param {Sizes} sizes */
function modelsOfSameWidths(architecture, sizes) {
  const widths = Object.entries(sizes).filter(([letter]) => !TABLE_HEIGHT_LETTERS.includes(letter))
  return publishedModelsWith(architecture, Object.fromEntries(widths))
}

/** The sizes that a text shows, completed from a published model or by the usual sizes. `name` is that of the published
 * model, and `assumed` has the letters that were filled in. Null if a size can be neither looked up nor derived.
 * @param {string} architecture @param {Sizes} visibleSizes @param {string[]} letters
 * @returns {{ sizes: Sizes, name: string, assumed: string[] } | null} */
export function completeSizes(architecture, visibleSizes, letters) {
  const [publishedModel] = publishedModelsWith(architecture, visibleSizes)
  const missingLetters = letters.filter((letter) => visibleSizes[letter] === undefined)
  // A model with more positions or tokens than a published one usually has its depth.
  const depth = modelsOfSameWidths(architecture, visibleSizes)[0]?.sizes.L
  const publishedSizes = publishedModel?.sizes ?? (depth ? { L: depth } : {})
  const sizes = { ...visibleSizes }
  for (const letter of missingLetters) {
    const value = publishedSizes[letter] ?? USUAL_SIZES[letter]?.(visibleSizes)
    if (value === undefined) return null
    sizes[letter] = value
  }
  const [bare] = classesOf(architecture)
  // A size that no tensor has does not affect any number, and the number of labels is not a size of the encoder.
  const isUsed = (/** @type {string} */ letter) =>
    bare.layers.includes(letter) ||
    bare.rows.some(({ dimensions }) =>
      dimensions.some((dimension) => factorsByKind(dimension).letters.includes(letter)),
    )
  const assumed = missingLetters.filter((letter) => letter !== "C" && isUsed(letter))
  return { sizes, name: publishedModel?.name ?? "", assumed }
}

const USUAL_BUCKETS = 32 // the number of buckets of relative positions in MPNet
const USUAL_HEAD_WIDTH = 64 // the width of a head in most BERT models

/** The usual value of each size, given the sizes that a text shows; undefined if it depends on a missing size.
 * @type {Record<string, (sizes: Sizes) => number | undefined>} */
const USUAL_SIZES = {
  A: ({ H }) => (H ? Math.max(1, Math.round(H / USUAL_HEAD_WIDTH)) : undefined),
  C: () => 2,
  S: () => 2,
  G: () => 1,
  I: () => 1,
  R: () => USUAL_BUCKETS,
  X: () => 1024,
  P: () => 512,
  F: ({ H }) => H && 4 * H,
  E: ({ H }) => H,
  L: () => 1,
}

/** The model of a print-out with names; null if the names do not belong to an encoder that the site counts.
 * @param {PrintOut} printOut @returns {Recognised | null} */
export function recogniseByNames(printOut) {
  const ranking = preferUsualChoices(preferPublishedSizes(candidatesFor(printOut)), printOut.mentions)
  for (const candidate of ranking.slice(0, MAX_CANDIDATES)) {
    if (!explainsNames(printOut, candidate)) continue
    const recognised = recogniseAs(printOut, candidate, ranking)
    if (recognised) return recognised
  }
  return null
}
const MAX_CANDIDATES = 3 // the maximum number of architectures that are tried

/** The names of embedding tables in models that generate text or process images. The layers of such models may have the
 * same names as an encoder's: LLaMA's are named like NomicBERT's, and CLIP's like those of Jina Embeddings v3. */
const FOREIGN_TABLE = /(?:^|\.)(?:embed_tokens|embed_in|wte|wpe|token_embedding)(?:\.|$)/

/** Whether the names of an architecture explain at least half of the named rows of a text and are those of an encoder.
 * If at least a quarter of the named rows have sizes, only those are considered. A text with a table in `FOREIGN_TABLE`
 * is not explained.
 * @param {PrintOut} printOut @param {{ architecture: string, matches: NameMatch[] }} candidate */
function explainsNames({ rows }, { architecture, matches }) {
  const namedRows = rows.filter(({ name, isContainer }) => name && !isContainer && !ADDED_TENSOR.test(name))
  if (namedRows.some(({ name }) => FOREIGN_TABLE.test(name))) return false
  const rowsWithSizes = namedRows.filter(({ low }) => low !== null)
  const rowsToExplain = new Set(rowsWithSizes.length >= namedRows.length / 4 ? rowsWithSizes : namedRows)
  const explainedRows = matches.filter(({ text }) => rowsToExplain.has(text))
  return explainedRows.length >= rowsToExplain.size / 2 && isEncoder(matches, architecture)
}

/** The model of a text, given its architecture; null if the text shows too few sizes.
 * @param {PrintOut} printOut @param {{ architecture: string, matches: NameMatch[] }} candidate
 * @param {{ architecture: string, matches: NameMatch[] }[]} ranking  all candidates
 * @returns {Recognised | null} */
function recogniseAs(printOut, { architecture, matches }, ranking) {
  const sizesShown = visibleSizesOf(matches, architecture)
  const [best, ...furtherClasses] = classesFor(architecture, matches, printOut.mentions, sizesShown)
  const { modelClass, choices } = best
  const letters = Object.keys(architectures.get(architecture).keys)
  const visibleDepth = visibleDepthOf(matches)
  const visibleDepths = depthsByLetter(modelClass.layers, matches, visibleDepth)
  const hasGroups = modelClass.layers.length > 1
  const C = labelCountIn(matches, modelClass, sizesShown) ?? modelClass.labels ?? 2
  // The depth may follow from a total, but only if all other sizes are given.
  const provisionalCompletion = completeSizes(architecture, { ...sizesShown, C, ...visibleDepths }, letters)
  if (!provisionalCompletion) return null
  const { depth, isStated, isOpen } = hasGroups
    ? { depth: visibleDepth, isStated: true, isOpen: false }
    : depthOf(printOut, visibleDepth, modelClass.name, provisionalCompletion.sizes, choices)
  const isCutOff = !isStated && endsWithinLayer(matches, visibleDepth)
  const mayBeDeeper = isOpen || isCutOff
  // A text that ends within the layers does not show whether a pooler follows.
  if (mayBeDeeper && matches.at(-1)?.numbers.length) delete choices.pooler
  const modelsOfThisDepth = isCutOff ? [] : publishedModelsWith(architecture, { ...sizesShown, ...visibleDepths })
  // If the text may leave out layers and no published model is this shallow, the depth is taken from a published model.
  // If it shows no layers at all, any published model of the same widths will do.
  const deeperModels = (visibleDepth ? publishedModelsWith : modelsOfSameWidths)(architecture, sizesShown)
  const hasPublishedDepth = mayBeDeeper && !modelsOfThisDepth.length && deeperModels.length > 0
  const depths = hasGroups ? visibleDepths : { L: depth }
  const completion = completeSizes(architecture, { ...sizesShown, C, ...(hasPublishedDepth ? {} : depths) }, letters)
  if (!completion) return null
  solveFromTotal(printOut, completion, modelClass.name, choices)
  untieByTotal(printOut, completion.sizes, modelClass.name, choices)
  if (mayBeDeeper && !completion.assumed.includes("L") && (printOut.isOpen || hasPublishedDepth))
    completion.assumed.push("L")
  const classesOfOthers = equalCandidates(ranking, matches).flatMap((other) =>
    counterpartOf(other, modelClass.name, architecture),
  )
  return {
    architecture,
    modelClass: modelClass.name,
    sizes: completion.sizes,
    choices: { ...defaultChoices(architecture), ...choices },
    name: completion.name,
    assumed: completion.assumed,
    isOpen: mayBeDeeper,
    alike: [...equalClasses(best, furtherClasses), ...classesOfOthers],
  }
}

/** The sizes that the rows of a text show, without the number of labels. If only some models have a table and the text
 * does not show it, its size is 0.
 * @param {NameMatch[]} matches @param {string} architecture @returns {Sizes} */
function visibleSizesOf(matches, architecture) {
  const { C: _, ...sizes } = sizesOf(matches)
  for (const { when } of classesOf(architecture).flatMap(({ rows }) => rows))
    if (when?.endsWith("≠0")) sizes[when[0]] ??= 0
  return sizes
}

/** The names of the classes that fit a text as well as the best one. There are none if the text lacks a tensor of the
 * best class, because other classes may then lack a different one, such as a pooler or a classifier.
 * @param {ReturnType<typeof classesFor>[0]} best @param {ReturnType<typeof classesFor>} others */
function equalClasses(best, others) {
  if (best.missing) return []
  const alikeClasses = others.filter(
    ({ missing, foreign, cost }) => !missing && foreign === best.foreign && cost === best.cost,
  )
  return alikeClasses.map(({ modelClass }) => modelClass.name)
}

/** Replaces the assumed size, if there is exactly one and it is not the depth, with the value that gives the model the
 * stated total.
 * @param {PrintOut} printOut @param {{ sizes: Sizes, assumed: string[] }} completion @param {string} modelClass
 * @param {Partial<Choices>} choices */
function solveFromTotal({ totals }, completion, modelClass, choices) {
  const [letter, ...others] = completion.assumed
  if (!letter || others.length || letter === "L") return
  /** The total with this value of the size. */
  const totalWith = (/** @type {number} */ size) =>
    rulerOf(modelClass, { ...completion.sizes, [letter]: size }, choices).total
  const perUnit = totalWith(2) - totalWith(1)
  for (const { kind, low, high } of totals) {
    const size = 1 + (low - totalWith(1)) / perUnit
    if (kind === "total" && low === high && perUnit > 0 && Number.isInteger(size) && size > 0) {
      completion.sizes[letter] = size
      completion.assumed = []
    }
  }
}

/** The rows of a list of tensors, named after the tensors of a class in the same order; null if there are too few, or
 * if no class has tensors of these sizes in this order.
 * @param {TextRow[]} texts @returns {TextRow[] | null} */
export function nameByOrder(texts) {
  if (texts.length < MIN_TENSORS_IN_ORDER) return null
  for (const { name: architecture } of table.architectures)
    for (const modelClass of classesOf(architecture))
      for (const pooler of [true, false]) {
        const matches = matchesInOrder(texts, modelClass, { pooler })
        const sizes = matches ? sizesOf(matches) : {}
        if (matches?.every(({ text, rows: [row] }) => fitsSizes(text, row, sizes))) {
          const names = namesOf(architecture)
          return matches.map(({ text, rows: [row], numbers }) => ({
            ...text,
            name: numbers.reduce((name, number) => name.replace("*", String(number)), names.get(row) ?? row.path),
          }))
        }
      }
  return null
}
const MIN_TENSORS_IN_ORDER = 12 // the minimum number of tensors; fewer may agree with a class by chance

/** Each tensor of a list, matched with the row at its position in a class; null if the class cannot have this number of
 * tensors.
 * @param {TextRow[]} texts @param {ModelClass} modelClass @param {Partial<Choices>} choices
 * @returns {(NameMatch & { rows: Set<Row> & Iterable<Row> })[] | null} */
function matchesInOrder(texts, modelClass, choices) {
  // Some models have a projection only if the embeddings and the layers differ in width. Without names this is not
  // known beforehand, so the projection is always expected.
  const rows = rowsOfClass(modelClass, choices, { E: 1, H: 2 }).filter((row) => !row.tied_to)
  const start = rows.findIndex(({ repeated }) => repeated)
  const end = rows.length - [...rows].reverse().findIndex(({ repeated }) => repeated)
  const layers = (texts.length - rows.length) / (end - start) + 1
  if (start < 0 || !Number.isInteger(layers) || layers < 1 || modelClass.layers.length > 1) return null
  const order = [
    ...rows.slice(0, start).map((row) => ({ row, numbers: /** @type {number[]} */ ([]) })),
    ...Array.from({ length: layers }, (_, number) =>
      rows.slice(start, end).map((row) => ({ row, numbers: [number] })),
    ).flat(),
    ...rows.slice(end).map((row) => ({ row, numbers: /** @type {number[]} */ ([]) })),
  ]
  return texts.map((text, index) => ({
    text,
    rows: new Set([order[index].row]),
    numbers: order[index].numbers,
    isPrinted: true,
  }))
}

/** Whether a tensor has as many elements as its row at these sizes.
 * @param {TextRow} text @param {Row} row @param {Sizes} sizes */
function fitsSizes(text, row, sizes) {
  return product(row.dimensions, sizes) === text.low
}

/** Sets `choices.tied` to false if the model only has the stated total with an untied decoder.
 * @param {Pick<PrintOut, "totals" | "rows">} printOut @param {Sizes} sizes @param {string} modelClass
 * @param {Partial<Choices>} choices */
export function untieByTotal({ totals, rows }, sizes, modelClass, choices) {
  // state_dict() lists tied tensors, too, so its sum is that of an untied model. A list of named_parameters() shows
  // which tensors are trained.
  const isList = rows.some(({ name }) => /decoder\.weight$/.test(name))
  if (isList && rows.every(({ type, isTrainable }) => !type && isTrainable === null)) return
  const { total: tiedTotal, tensors } = rulerOf(modelClass, sizes, { ...choices, tied: true })
  const { total: untiedTotal } = rulerOf(modelClass, sizes, { ...choices, tied: false })
  // Some tools count the matrix of a tied decoder again. If that also gives the untied total, the text decides nothing.
  const tiedMatrices = tensors.filter(({ tied, shape }) => tied && shape.length > 1)
  if (tiedTotal + sumBy(tiedMatrices, ({ elements }) => elements) === untiedTotal) return
  /** Whether the text states this number as its total. */
  const hasTotal = (/** @type {number} */ number) =>
    totals.some(({ kind, low, high }) => kind === "total" && low === number && high === number)
  if (tiedTotal !== untiedTotal && hasTotal(untiedTotal) && !hasTotal(tiedTotal)) choices.tied = false
}

/** The numbers of layers by letter. BERT has one letter; ALBERT has two, because its layers are in groups.
 * @param {string[]} layers @param {NameMatch[]} matches @param {number} depth @returns {Sizes} */
function depthsByLetter(layers, matches, depth) {
  if (layers.length === 1) return { [layers[0]]: depth }
  const numbers = matches.filter(({ rows }) => [...rows].some(({ repeated }) => repeated)).map((match) => match.numbers)
  return Object.fromEntries(
    layers.map((letter, index) => [letter, Math.max(0, ...numbers.map((list) => list[index] ?? 0)) + 1]),
  )
}

const FEW_OF_LAYER = 2 // the number of a layer's tensors that suffices if there is a word table
const FEW_ROWS = 4 // the total number of rows that also suffices if there is a word table
const HALF_LAYER = 8 // half of the 16 tensors in a layer of BERT

/** Whether names are those of an encoder that the site counts. Other models share some names: a ViT has BERT's layers,
 * and GPT-2 has a word table. If a framework prints at least half of the names, a word table and a few other tensors
 * suffice. Without a word table, half of a layer does. Custom names must include everything that is typical of BERT:
 * both tables, the LayerNorm after them, and every part of a layer.
 * @param {NameMatch[]} matches @param {string} architecture */
function isEncoder(matches, architecture) {
  const rows = new Set(matches.flatMap(({ rows: matchedRows }) => [...matchedRows]))
  const layerRowCount = [...rows].filter((row) => row.repeated).length
  if (matches.filter(({ isPrinted }) => isPrinted).length >= matches.length / 2) {
    const hasWords = [...rows].some((row) => row.path.includes("word_embeddings") || row.shape.includes("V"))
    return hasWords ? layerRowCount >= FEW_OF_LAYER || rows.size >= FEW_ROWS : layerRowCount >= HALF_LAYER
  }
  const [bare] = classesOf(architecture)
  const requiredRows = bare.rows.filter(
    ({ path, when }) => !when && (path.includes("layer_*") || /embeddings\/(?:word|position|LayerNorm)/.test(path)),
  )
  return requiredRows.every((row) => rows.has(row))
}
