// Lists the parts of a model that a summand may count, in one layer, in several or in all. A piece
// consists of the rows of the model that it covers. The account compares these rows to find out
// what a sum counts twice or leaves out. Most pieces are also parts in the search for a single
// number. A few others occur only in sums.

import table from "../../../data/table.js"
import { Counter, classesOf, getOrMake, product, sumBy } from "../../counting/engine.js"
import { nameOfEnd, pageOf } from "../rows/parts-in-words.js"

/** A part that people count. `perLayer` is its number of parameters in one layer and `total` that in all layers.
 * `words` is a noun phrase for the part in all layers, and `wordsInOneLayer` for the part in one. `isInLayers` is true
 * if every row of the part is in a layer.
 * @typedef {{ rows: Set<Row>, words: string, wordsInOneLayer: string, page: PageAddress, perLayer: number,
 * total: number, isInLayers: boolean }} Piece */

/** Sizes with the number of elements of a row in one layer (`size`), and the number of layers that have it (`times`), 1
 * for a row outside the layers.
 * @typedef {{ sizes: Sizes, size: (row: Row) => number, times: (row: Row) => number }} Measures */

/** A model to compare summands with: its rows, their sizes, and the pieces that a summand may count. `isNamed` is true
 * for a relative of BERT if the text names only relatives.
 * @typedef {{
 *   architecture: string, sizes: Sizes, layers: number, rows: Row[], size: (row: Row) => number,
 *   times: (row: Row) => number, namedClasses: string[], isNamed: boolean,
 *   classes: { name: string, rows: Set<Row> }[], pieces: Piece[], select: (path: string, tag: string) => Set<Row>,
 * }} SumRuler */

/** Parts that people count in sums, and that the search for single numbers lacks.
 * @type {[path: string, tag: string, words: string, page: string][]} */
const PARTS_ONLY_IN_SUMS = [
  ["bert", "", "the bare model", "totals/base.html"],
  ["bert/embeddings, bert/encoder", "", "the bare model without the pooler", "totals/base.html"],
  [
    "bert/embeddings/position_embeddings, bert/embeddings/token_type_embeddings",
    "",
    "the position and segment embeddings",
    "parts/embeddings.html",
  ],
  ["bert/relative_positions", "", "the relative position embeddings", "parts/embeddings.html"],
  ["bert/embeddings_project", "", "the projection of the embeddings", "parts/embeddings.html"],
  ["bert/embeddings_project", "kernel", "the matrix of the projection of the embeddings", "parts/embeddings.html"],
  ["bert/embeddings_project", "bias", "the bias of the projection of the embeddings", "parts/embeddings.html"],
  ["bert/embeddings, bert/embeddings_project", "", "the embeddings with their projection", "parts/embeddings.html"],
  ["sequence_classifier", "", "the classification head", "parts/heads.html#task-heads"],
  ["sequence_classifier/dense", "", "the dense layer of the classification head", "parts/heads.html#task-heads"],
  [
    "sequence_classifier/output_weights, sequence_classifier/output_bias",
    "",
    "the output layer of the classification head",
    "parts/heads.html#task-heads",
  ],
  ["token_classifier", "", "the token-classification head", "parts/heads.html#task-heads"],
  ["token_classifier", "kernel", "the matrix of the token-classification head", "parts/heads.html#task-heads"],
  ["token_classifier", "bias", "the bias of the token-classification head", "parts/heads.html#task-heads"],
  ["cls/squad", "", "the question-answering head", "parts/heads.html#task-heads"],
  ["cls/squad", "kernel", "the matrix of the question-answering head", "parts/heads.html#task-heads"],
  ["cls/squad", "bias", "the bias of the question-answering head", "parts/heads.html#task-heads"],
  ["", "bias -embeddings", "all biases of dense layers", "totals/base.html"],
]
/** Parts within the layers that the search for single numbers lacks, too.
 * @type {[path: string, tag: string, words: string, page: string][]} */
const PARTS_IN_EACH_LAYER = [
  [
    "bert/encoder/layer_*/attention/self/key, bert/encoder/layer_*/attention/self/value",
    "",
    "key and value",
    "parts/attention.html",
  ],
  [
    "bert/encoder/layer_*/attention/self/query, bert/encoder/layer_*/attention/self/key",
    "kernel",
    "the matrices of query and key",
    "parts/attention.html",
  ],
  ["bert/encoder", "-bias", "the encoder without its biases", "parts/encoder-layer.html"],
  ["bert/encoder", "encoder-norms gamma", "the scales of the LayerNorms", "parts/layer-norm.html"],
  ["bert/encoder", "encoder-norms beta", "the shifts of the LayerNorms", "parts/layer-norm.html"],
  [
    "bert/encoder/layer_*/intermediate, bert/encoder/layer_*/attention",
    "",
    "attention with its LayerNorm and the first dense layer",
    "parts/encoder-layer.html",
  ],
]

/** The words for a part in one layer, without those that limit it to one layer. @param {string} words */
const wordsWithoutLayer = (words) =>
  words.replace(/ in one layer$/, "").replace(/^one encoder layer/, "the encoder layer")

/** The classes that people count in sums in addition to the bare one. */
const CLASSES = /ForMaskedLM$|ForPreTraining$|ForSequenceClassification$/
/** Classes whose heads may be as large as that of sequence classification. They count only if the text names them, and
 * then in place of the classes with that head or with the next-sentence head, which has two labels, too. */
const CLASSES_IF_NAMED = /ForTokenClassification$|ForQuestionAnswering$/

/** A function that tests whether people count a class in sums whose text names these classes.
 * @param {string[]} namedClasses */
function classFilter(namedClasses) {
  const optionalClasses = namedClasses.filter((name) => CLASSES_IF_NAMED.test(name))
  const isOfNamed =
    optionalClasses.length > 0 && !namedClasses.some((name) => name.endsWith("ForSequenceClassification"))
  return (/** @type {string} */ name) =>
    isOfNamed ? optionalClasses.includes(name) || name.endsWith("ForMaskedLM") : CLASSES.test(name)
}

/** The description of a piece: the path and tag of its rows, its words in all layers and in one, and its page.
 * @typedef {[path: string, tag: string, words: string, wordsInOneLayer: string, page: string]} PieceDescription */

/** The descriptions of all pieces. Most come from the search for a single number, which describes the parts of layers
 * in one layer only. @returns {PieceDescription[]} */
function pieceDescriptions() {
  const { parts } = table.explanations
  const outsideLayers = parts
    .filter(({ path, share }) => !/layer_[0*]/.test(path) && !/^bert\/encoder$/.test(path) && !share)
    .map(({ path, tag = "", words, page }) => [path, tag, words, page])
  const inLayers = parts
    .filter(({ path, share }) => /layer_0/.test(path) && !share)
    .map(({ path, tag = "", words, page }) => [
      path.replaceAll("layer_0", "layer_*"),
      tag,
      wordsWithoutLayer(words),
      page,
    ])
  /** The words of a part in one layer. @param {string} words */
  const inOneLayer = (words) => (words === "the encoder layer" ? "one encoder layer" : `${words} in one layer`)
  return [
    .../** @type {PieceDescription[]} */ (
      [...outsideLayers, ...PARTS_ONLY_IN_SUMS].map(([path, tag, words, page]) => [path, tag, words, words, page])
    ),
    ["bert/encoder/layer_*", "", "all encoder layers", "one encoder layer", "parts/encoder-layer.html"],
    ["bert/encoder", "", "the encoder with its last LayerNorm", "the encoder", "parts/encoder-layer.html"],
    .../** @type {PieceDescription[]} */ (
      [...inLayers, ...PARTS_IN_EACH_LAYER].map(([path, tag, words, page]) => [
        path,
        tag,
        `${words} in all layers`,
        inOneLayer(words),
        page,
      ])
    ),
  ]
}

/** The rows that have weights of their own, of all or of some rows that a counter counts.
 * @param {Counter} counter @param {Row[]} [rows] */
export const ownRows = (counter, rows = counter.rows.list) => rows.filter(({ tied_to }) => !(tied_to && counter.tied))

/** A function that returns the rows with a path and a tag, and caches them.
 * @param {Counter[]} counters  the counter of the bare model first */
function selector(counters) {
  /** @type {Map<string, Set<Row>>} */
  const selections = new Map()
  return (/** @type {string} */ path, /** @type {string} */ tag) =>
    getOrMake(selections, `${path} ${tag}`, () => {
      // A tag without a path, as for all biases, selects rows of the bare model only.
      const selectedCounters = path ? counters : counters.slice(0, 1)
      return new Set(selectedCounters.flatMap((counter) => ownRows(counter, [...counter.rows.rowsUnder(path, tag)])))
    })
}

/** The piece of a single tensor.
 * @param {Row} row @param {number} perLayer  its number of elements @param {number} times  how many layers have it
 * @returns {Piece} */
export const pieceOfTensor = (row, perLayer, times) => ({
  rows: new Set([row]),
  words: nameOfEnd(row.path) + (row.repeated ? " in all layers" : ""),
  wordsInOneLayer: nameOfEnd(row.path) + (row.repeated ? " in one layer" : ""),
  page: /** @type {PageAddress} */ (pageOf(row)),
  perLayer,
  total: perLayer * times,
  isInLayers: row.repeated,
})

/** The functions that measure rows in a model with given sizes and a number of layers.
 * @param {Sizes} sizes @param {number} layers @returns {Measures} */
export const measuresOf = (sizes, layers) => ({
  sizes,
  size: (row) => product(row.dimensions, sizes),
  times: (row) => (row.repeated ? layers - (row.skips_first_layer ? 1 : 0) : 1),
})

/** The ruler for an architecture with given sizes.
 * @param {string} architecture @param {Sizes} sizes @param {string[]} [namedClasses]  in the text
 * @param {boolean} [isNamed]  whether the text names the architecture, and BERT nowhere @returns {SumRuler} */
export function sumRulerOf(architecture, sizes, namedClasses = [], isNamed = false) {
  const isCounted = classFilter(namedClasses)
  const modelClasses = classesOf(architecture)
  const [{ defaults }] = modelClasses
  const counters = modelClasses.map(({ name }) => new Counter(name, sizes, { pooler: defaults.pooler }))
  const countersOfPieces = counters.filter((_, index) => !index || isCounted(modelClasses[index].name))
  const layers = product(counters[0].rows.layers, sizes)
  const select = selector(countersOfPieces)
  const { size, times } = measuresOf(sizes, layers)
  /** Whether there are rows for each of several paths, all of which words such as "the pooler and the head" name. */
  const hasAll = (/** @type {string} */ paths) => paths.split(", ").every((path) => select(path, "").size)
  const descriptions = pieceDescriptions().filter(([paths]) => !paths.includes(", ") || hasAll(paths))
  const pieces = descriptions.map(([path, tag, words, wordsInOneLayer, page]) => {
    const rows = select(path, tag)
    const [perLayer, total] = [sumBy(rows, size), sumBy(rows, (row) => size(row) * times(row))]
    return {
      rows,
      words,
      wordsInOneLayer,
      page,
      perLayer,
      total,
      isInLayers: [...rows].every(({ repeated }) => repeated),
    }
  })
  const rows = [...new Set(countersOfPieces.flatMap((counter) => ownRows(counter)))]
  const piecesOfTensors = rows.map((row) => pieceOfTensor(row, size(row), times(row)))
  return {
    architecture,
    sizes,
    layers,
    namedClasses,
    isNamed,
    rows,
    size,
    times,
    select,
    pieces: withoutDuplicates([...pieces.filter((piece) => piece.rows.size), ...piecesOfTensors]),
    classes: counters.map((counter, index) => ({ name: modelClasses[index].name, rows: new Set(ownRows(counter)) })),
  }
}

/** The piece that consists of these rows; undefined if there is none. @param {Set<Row>} rows @param {SumRuler} ruler */
export const pieceOfRows = (rows, { pieces }) =>
  pieces.find((piece) => piece.rows.size === rows.size && isWithin(piece.rows, rows))

/** Whether all of these rows are in another set. @param {Set<Row>} rows @param {Set<Row>} others */
export const isWithin = (rows, others) => [...rows].every((row) => others.has(row))

/** Whether all layers of a model share their weights, so that they count once. @param {SumRuler} ruler */
export const sharesLayers = ({ layers, sizes }) => layers === 1 && sizes.L > 1

/** The pieces without those that have the same rows as an earlier one. @param {Piece[]} pieces */
function withoutDuplicates(pieces) {
  /** @type {Map<string, Piece>} */
  const byRows = new Map()
  /** The paths of a piece's rows as a key. */
  const key = (/** @type {Piece} */ { rows }) => [...rows].map(({ path }) => path).join()
  for (const piece of pieces) if (!byRows.has(key(piece))) byRows.set(key(piece), piece)
  return [...byRows.values()]
}

/** The words of a piece in a number of layers. @param {Piece} piece @param {number} count @param {SumRuler} ruler */
export function wordsOf({ words, wordsInOneLayer, isInLayers }, count, { layers }) {
  if (!isInLayers || count === layers) return words
  if (count === 1) return wordsInOneLayer
  return words === "all encoder layers" ? `${count} encoder layers` : words.replace(/all layers$/, `${count} layers`)
}
