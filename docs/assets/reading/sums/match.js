// Matches each summand of a sum done by hand with the part of the model that it counts. A summand
// has a number and words. It can be read as a part with this number, or as the part that its
// words mean, with a wrong number. All summands are read together, because a part that one of
// them counts is unlikely to be counted by another. The cheapest combination of readings wins.
//
// There are too many combinations to try them all, so this is a beam search: the summands are
// read one after the other, and only the cheapest ways to read those so far are kept.

import table from "../../../data/table.js"
import { classOfBare, count as countParameters, lazily, sumBy } from "../../counting/engine.js"
import { groupBy } from "../../counting/polynomials.js"
import { SEGMENTS_OF_BERT } from "./candidates.js"
import { partsMeant } from "./labels.js"
import { isWithin, pieceOfRows, sharesLayers } from "./pieces.js"

/** @typedef {import("./pieces.js").Piece} Piece */
/** @typedef {import("./pieces.js").SumRuler} SumRuler */

/** A summand: its number as it enters the total, its label and the words around it, and the factors in it. `tolerance`
 * is how far the number may have been rounded, and `times` how often the total adds its line.
 * @typedef {{ value: number, tolerance: number, times: number, label: string, around: string, factors: number[],
 * isOneLayer: boolean }} Summand */

/** A reading of a summand. `piece` is the part that it counts, or null if that is not known; `rows` is then empty.
 * `count` is the number of layers in which it counts the part, which exceeds the model's if it counts the part too
 * often. `right` is the number of parameters that the part has in these layers of the model. A summand is `exact` if
 * its number is that of the part in `count` layers, `some` if it is that of some tensors of the part, which are then
 * its `rows`, and `wrong` if it counts the part with another number. An exact reading `isNamed` if the words mean its
 * part. If the summand is the matrix of the decoder, which is `tied`, `piece` is the part that is counted with this
 * matrix; if it repeats another summand (`repeated`), `piece` is the part that both count. A summand is `absent` if its
 * words mean a part that BERT has and the model lacks, and it is `wide` if it takes the hidden size for the width of
 * the embeddings.
 * @typedef {{ piece: Piece | null, rows: Set<Row>, count: number, right: number, cost: number, kind: "exact" |
 * "some" | "wrong" | "unknown" | "absent" | "wide" | "tied" | "repeated", isNamed?: boolean }} SummandReading */

/** A way to read all summands so far. `covered` has the number of times that it counts each row.
 * @typedef {{ cost: number, readings: SummandReading[], covered: Map<Row, number> }} WayToRead */

const MAX_READINGS = 20 // the maximum number of readings of one summand
const MAX_WAYS = 24 // the maximum number of ways that are kept from one summand to the next
/** The costs of reading a summand as a part with exactly its number. */
const COSTS = {
  elsewhere: 4, // the words mean another part
  narrower: 0.6, // the words mean more than the part
  wider: 1.5, // the words mean less than the part
  widerRounded: 0.2, // the same for a rounded number, which may include what the words leave out
  around: 1.5, // the words around the summand mean another part
  dimensions: 1.2, // V or F is in the summand but not in the part, or the other way round
  oneLayer: 1.2, // one layer, although nothing says so
  statedLayer: 0.2, // one layer, as the words say
  someLayers: 4, // several layers, but not all
  unnamed: 0.3, // the summand has no words
  head: 0.8, // a part that the bare model lacks, although nothing names it
  alone: 0.2, // a single vector, because many vectors have this size
  repeated: 2, // the part is counted several times by mistake
  shared: 0.5, // the part is counted in every layer, although all layers share it
  row: 0.01, // each tensor of the part, so that the simplest of equal parts is chosen
}
/** The costs of other readings: a part with a wrong number, some tensors of a part, no part, a part that the model
 * lacks, one of the embeddings as wide as the hidden size, and a tied decoder, which adds nothing. `far` is the factor
 * of the extra cost of a number that is far from the right one. */
const OTHER_COSTS = { wrong: 3.2, some: 2.6, unknown: 6, absent: 1, wide: 1, far: 3, tied: 1 }
// The extra cost of a reading with which a tensor would be counted too often: for a part that the words of the summand
// name and whose number it has, as in "all layers + pooler + LayerNorms", and for any other.
const [NAMED_AGAIN, COUNTED_AGAIN] = [2, 5]
const MAX_NEAR_DISTANCE = 0.2 // logarithm of a ratio; a number nearer to the right one has no extra cost
const MAX_LAYER_DISTANCE = 0.03 // the same for a layer that no words name; one of 24 layers more or fewer exceeds it

/** Words for the decoder that turns hidden states into words. */
const DECODER = /decoder|output|lm|mlm|head|predict|softmax|tied|解码|输出/i
/** Narrower words for the head with the decoder, which label a whole sum: "MLM head: 30522 × 768 + 768". */
const DECODER_AROUND = /(?<![a-z])(?:mlm|lm[ _-]?head|masked|cls\.predictions|decoder)/i
/** A class with the decoder. */
const CLASS_WITH_DECODER = /(?:ForMaskedLM|ForPreTraining|LMHeadModel)$/
// The logarithm of the ratio between a number and that of the part that its words mean: the largest that is accepted,
// and the one from which the extra cost no longer grows. A matrix of 1,024 × 1,024 instead of 1,024 × 4,096 is off by a
// factor of four.
const [MAX_DISTANCE, FAR_DISTANCE] = [1.5, 0.8]

/** Whether all rows belong to the projections of attention, which are divided among the heads.
 * @param {Set<Row>} rows */
export const isOfHeads = (rows) => [...rows].every(({ path }) => /\/attention\/(?:self|output\/dense)\//.test(path))

/** The rows that words mean; null if they mean none.
 * @param {string} words @param {SumRuler} ruler */
export function rowsMeant(words, ruler) {
  const parts = partsMeant(words)
  const rows = new Set(parts.flatMap(({ path, tag }) => [...ruler.select(path, tag)]))
  return rows.size ? rows : null
}

/** The words for a part that a summand counts and that BERT has, but no class of a relative, such as the pooler of
 * ELECTRA; "" if the summand counts none, or if the text does not only name relatives. Without words, the number shows
 * the part.
 * @param {Summand} summand @param {SumRuler} ruler */
export function absentPartOf({ label, value }, ruler) {
  const { H } = ruler.sizes
  if (!ruler.isNamed) return ""
  if (label) return partsMeant(label).length > 0 && !rowsMeant(label, ruler) ? "such part" : ""
  if (value === H * H + H && !ruler.select("bert/pooler", "").size) return "pooler"
  const hasSegments = ruler.select("bert/embeddings/token_type_embeddings", "").size > 0
  return value === SEGMENTS_OF_BERT * H && !hasSegments ? "segment embeddings" : ""
}

/** The cost of reading a summand as these rows, given the rows that its words mean.
 * @param {Set<Row>} rows @param {Set<Row> | null} labelRows @param {Set<Row> | null} contextRows
 * @param {boolean} isRounded  whether the number of the summand is rounded */
function costOfWords(rows, labelRows, contextRows, isRounded) {
  const isAlone = rows.size === 1 && [...rows].every(({ tags }) => tags.has("vector"))
  let cost = isAlone && !labelRows ? COSTS.alone : 0
  if (labelRows?.size === 0) cost += COSTS.elsewhere
  else if (labelRows) {
    const isNarrower = isWithin(rows, labelRows)
    const isWider = isWithin(labelRows, rows)
    if (isNarrower && !isWider) cost += COSTS.narrower
    else if (isWider && !isNarrower) cost += isRounded ? COSTS.widerRounded : COSTS.wider
    else if (!isWider) cost += COSTS.elsewhere
  } else cost += COSTS.unnamed
  if (contextRows && ![...rows].some((row) => contextRows.has(row))) cost += COSTS.around
  return cost
}

/** The cost of a V or F that is a factor of the summand but not a dimension of the rows, or the other way round. For
 * example, a summand with the factor 3,072 most likely counts the feed-forward network.
 * @param {Set<Row>} rows @param {number[]} factors @param {SumRuler} ruler */
export function costOfFactors(rows, factors, { sizes }) {
  if (!factors.length) return 0
  const letters = new Set([...rows].flatMap(({ dimensions }) => dimensions.map(String)))
  let cost = 0
  // In 12H² and 8H², the inner size is a multiple of H.
  const isMultipleOfSquare =
    factors.includes(sizes.H) &&
    factors.some(
      (factor) => factor >= (2 * sizes.F) / sizes.H && factor % (sizes.F / sizes.H) === 0 && factor < sizes.H,
    )
  for (const letter of "FV") {
    const size = sizes[letter]
    if (!size || size === sizes.H || size === sizes.P) continue
    const isDimension = [...letters].some((text) => text.includes(letter))
    if (letter === "F" && isDimension && isMultipleOfSquare) continue
    if (isDimension !== factors.includes(size)) cost += COSTS.dimensions
  }
  return cost
}

/** A summand with the rows that its label means, and those that the words around it mean; null if the words mean none,
 * and empty if they mean parts that the model lacks.
 * @typedef {{ summand: Summand, ruler: SumRuler, labelRows: Set<Row> | null,
 *   contextRows: Set<Row> | null }} SummandMeaning */

/** The cost of reading a summand as some rows in `count` layers.
 * @param {Set<Row>} rows @param {number} count @param {SummandMeaning} meaning */
function costOfRows(rows, count, { summand, ruler, labelRows, contextRows }) {
  const headCost = labelRows || [...rows].every((row) => ruler.classes[0].rows.has(row)) ? 0 : COSTS.head
  const wordsCost = costOfWords(rows, labelRows, contextRows, summand.tolerance > 0)
  const isElsewhere = labelRows !== null && ![...rows].some((row) => labelRows.has(row))
  // If neither the words nor the factors are those of the part, the number probably fits it by chance.
  const factorsCost = costOfFactors(rows, summand.factors, ruler) * (isElsewhere ? 2 : 1)
  return headCost + wordsCost + factorsCost + costOfLayers(rows, count, summand, ruler) + COSTS.row * rows.size
}

/** The part of the cost of a reading that depends on the number of layers; 0 if these are all layers, or if no row is
 * in a layer.
 * @param {Set<Row>} rows @param {number} count @param {Summand} summand @param {SumRuler} ruler */
function costOfLayers(rows, count, { isOneLayer }, { layers }) {
  if (count >= layers || ![...rows].some(({ repeated }) => repeated)) return 0
  if (count > 1) return COSTS.someLayers
  return isOneLayer ? COSTS.statedLayer : COSTS.oneLayer
}

/** The values of `count` with which a summand may count a piece too often; empty if the piece is outside the layers.
 * @param {Piece} piece @param {SummandMeaning} meaning */
function repeatedCounts({ rows, perLayer, total, isInLayers }, { summand, ruler, labelRows }) {
  if (!isInLayers) return []
  const { value, isOneLayer } = summand
  const { layers, sizes } = ruler
  const isMeantByLabel = labelRows && isWithin(rows, labelRows)
  const counts = []
  // The whole piece was multiplied by the number of heads or layers once more, or counted twice.
  const times = isMeantByLabel && total ? value / total : 0
  if (times > 1 && [sizes.A, sizes.L, 2].includes(times)) counts.push(layers * times)
  // A relative shares its layers, and all of BERT's are counted.
  if (!labelRows && sharesLayers(ruler) && total > sizes.H * sizes.F && value === total * sizes.L)
    counts.push(layers * sizes.L)
  // Full matrices for each head need no words, because nothing else in a layer is counted that often.
  if (!labelRows && isOfHeads(rows) && value === total * sizes.A) counts.push(layers * sizes.A)
  // The part of one layer was counted once for each head instead of once for each layer.
  const isOfManyLayers = layers > 1 && sizes.A > layers && !isOneLayer
  if (isOfManyLayers && isMeantByLabel && perLayer && value / perLayer === sizes.A) counts.push(sizes.A)
  return counts
}

/** The readings of a summand as a piece: in all layers, in some, or too often; as one head's share of it; or as
 * embeddings that are as wide as the hidden size by mistake.
 * @param {Piece} piece @param {SummandMeaning} meaning @returns {SummandReading[]} */
function readingsAsPiece(piece, meaning) {
  const { rows, perLayer, total, isInLayers } = piece
  const { value, tolerance, times, isOneLayer } = meaning.summand
  const { layers } = meaning.ruler
  /** Whether a number rounds to the value. @param {number} number */
  const fits = (number) => Math.abs(number - value) <= tolerance
  /** @type {SummandReading[]} */
  const readings = []
  // A line that is added once for each layer counts a part of the layers.
  if (fits(total) && (isInLayers || times < layers || times === 1))
    readings.push({
      piece,
      rows,
      count: layers,
      right: total,
      cost: costOfRows(rows, layers, meaning),
      kind: "exact",
      isNamed: meaning.labelRows !== null && isWithin(rows, meaning.labelRows),
    })
  const count = isInLayers && perLayer ? Math.round(value / perLayer) : 0
  // Words about one layer mean one layer or all of them, never several. A line that is added once for each layer is not
  // about a single one.
  const isPossible = (count === 1 || !isOneLayer) && count % times === 0
  if (count > 0 && count < layers && isPossible && fits(perLayer * count)) {
    const cost = costOfRows(rows, count, meaning)
    readings.push({ piece, rows, count, right: perLayer * count, cost, kind: "exact" })
  }
  // One head's share of a matrix, in a line that is added once for each layer.
  if (isOfHeads(rows) && times > 1 && times === layers && value * meaning.ruler.sizes.A === total) {
    const cost = OTHER_COSTS.wrong + costOfRows(rows, layers, meaning)
    readings.push({ piece, rows, count: layers, right: total, cost, kind: "wrong" })
  }
  // Embeddings of a relative, with the hidden size in place of their own width.
  const { E = 0, H } = meaning.ruler.sizes
  const areNarrower = meaning.ruler.isNamed && E > 0 && E < H
  const areEmbeddings = [...rows].every(({ path }) => path.startsWith("bert/embeddings/"))
  if (areNarrower && areEmbeddings && value * E === total * H) {
    const cost = OTHER_COSTS.wide + costOfRows(rows, layers, meaning)
    readings.push({ piece, rows, count: layers, right: total, cost, kind: "wide" })
  }
  for (const repeatedCount of repeatedCounts(piece, meaning)) {
    const isShared = sharesLayers(meaning.ruler) && repeatedCount === meaning.ruler.sizes.L
    const cost = costOfRows(rows, layers, meaning) + (isShared ? COSTS.shared : COSTS.repeated)
    readings.push({ piece, rows, count: repeatedCount, right: total, cost, kind: "exact" })
  }
  return readings
}

/** The rows of all layers, if a summand without words is the number of layers times about one layer, as in 24 ×
 * 12,594,176; otherwise null.
 * @param {Summand} summand @param {SumRuler} ruler */
function layersMeant({ label, value }, ruler) {
  const rows = rowsMeant("encoder", ruler)
  if (label || !rows || ruler.layers < 2 || value <= 0 || value % ruler.layers) return null
  const isNearLayer = Math.abs(Math.log(value / ruler.layers / sumBy(rows, ruler.size))) < MAX_LAYER_DISTANCE
  return isNearLayer ? rows : null
}

/** Whether two sets have the same rows. @param {Set<Row>} one @param {Set<Row>} other */
const areEqual = (one, other) => one.size === other.size && isWithin(one, other)

/** The readings of one summand, the cheapest first: at most `MAX_READINGS`, of which the last resort is that it is
 * unknown what it counts.
 * @param {Summand} summand @param {SumRuler} ruler @returns {SummandReading[]} */
export function readingsOf(summand, ruler) {
  const { value, tolerance, label, around } = summand
  const isAbsent = absentPartOf(summand, ruler) !== ""
  const labelRows = isAbsent && label ? new Set() : rowsMeant(label, ruler)
  const contextRows = rowsMeant(around, ruler)
  const allReadings = ruler.pieces.flatMap((piece) =>
    readingsAsPiece(piece, { summand, ruler, labelRows, contextRows }),
  )
  // If a rounded number fits the part that its words name, it fits others by chance. It may include LayerNorms.
  const fitsName = tolerance > 0 && allReadings.some(({ rows }) => labelRows && areEqual(rows, labelRows))
  const mayBeMeant = (/** @type {Row} */ row) => labelRows?.has(row) || row.tags.has("LayerNorm")
  const readings = fitsName ? allReadings.filter(({ rows }) => [...rows].every(mayBeMeant)) : allReadings
  const meantRows = isAbsent ? null : (labelRows ?? layersMeant(summand, ruler))
  if (meantRows) readings.push(...readingsOfWords(summand, meantRows, contextRows, ruler))
  const isDecoderNamed = DECODER_AROUND.test(around) || ruler.namedClasses.some((name) => CLASS_WITH_DECODER.test(name))
  if (DECODER.test(label) || (!label && isDecoderNamed)) readings.push(...readingsAsDecoder(value, tolerance, ruler))
  /** @type {SummandReading} */
  const unknownReading = {
    piece: null,
    rows: new Set(),
    count: 0,
    right: 0,
    cost: OTHER_COSTS.unknown,
    kind: "unknown",
  }
  if (!label && ruler.isNamed) readings.push(...readingsAsEmbeddingsOfBert(value, ruler))
  if (isAbsent) readings.push({ ...unknownReading, cost: OTHER_COSTS.absent, kind: "absent" })
  const byCost = (/** @type {SummandReading} */ one, /** @type {SummandReading} */ other) => one.cost - other.cost
  // A vector fits many parts, all of which may be counted by other summands.
  return [...readings.sort(byCost).slice(0, MAX_READINGS - 1), unknownReading].sort(byCost)
}

/** The embeddings of BERT base and BERT large, by their numbers of parameters. */
const embeddingsOfBert = lazily(() => {
  const originals = table.models.filter(({ group }) => group === "original")
  return new Set(
    originals.map(({ architecture, sizes }) =>
      countParameters({ modelClass: classOfBare(architecture), sizes, part: "bert/embeddings" }),
    ),
  )
})

/** The readings of a summand without words as BERT's embeddings, which the writer took for those of a relative.
 * @param {number} value @param {SumRuler} ruler @returns {SummandReading[]} */
function readingsAsEmbeddingsOfBert(value, ruler) {
  const rows = ruler.select("bert/embeddings", "")
  const piece = pieceOfRows(rows, ruler)
  if (!piece || piece.total === value || !embeddingsOfBert().has(value)) return []
  return [{ piece, rows, count: ruler.layers, right: piece.total, cost: OTHER_COSTS.absent, kind: "wrong" }]
}

/** The parts of the masked-LM head that people count together with the matrix of the decoder. */
const WITH_DECODER = ["cls/predictions/output_bias", "cls/predictions"]

/** The readings of a summand as the matrix of the decoder, which is tied: alone, with its bias or with the whole head.
 * `rows` has only the rows of the bias or of the head.
 * @param {number} value @param {number} tolerance @param {SumRuler} ruler @returns {SummandReading[]} */
function readingsAsDecoder(value, tolerance, ruler) {
  const { V, E, H } = ruler.sizes
  const partsWithDecoder = WITH_DECODER.flatMap((path) => pieceOfRows(ruler.select(path, ""), ruler) ?? [])
  return [null, ...partsWithDecoder]
    .map((piece) => ({ piece, rows: piece?.rows ?? new Set(), right: piece?.total ?? 0 }))
    .filter(({ right }) => Math.abs(V * (E ?? H) + right - value) <= tolerance)
    .map((part) => ({ ...part, count: ruler.layers, cost: OTHER_COSTS.tied, kind: "tied" }))
}

/** The readings of a summand as the part that its words mean although the number differs: as some of its tensors, or as
 * the part with a wrong number.
 * @param {Summand} summand @param {Set<Row>} labelRows @param {Set<Row> | null} contextRows @param {SumRuler} ruler
 * @returns {SummandReading[]} */
function readingsOfWords({ value, tolerance, factors, isOneLayer }, labelRows, contextRows, ruler) {
  const rowsInContext = contextRows ? new Set([...labelRows].filter((row) => contextRows.has(row))) : labelRows
  const rows = rowsInContext.size ? rowsInContext : labelRows
  const { layers } = ruler
  const isInLayers = [...rows].every(({ repeated }) => repeated)
  const isMixed = !isInLayers && [...rows].some(({ repeated }) => repeated) // such as all LayerNorms
  const perLayer = sumBy(rows, ruler.size)
  const total = sumBy(rows, (row) => ruler.size(row) * ruler.times(row))
  const piece = pieceOfRows(rows, ruler)
  if (!piece) return []
  // A table may have any number of rows, as 512 × 768 is for segments.
  const isTable = rows.size === 1 && [...rows].every(({ tags }) => tags.has("embedding-table"))
  const hasOtherRows = isTable && factors.length === 2 && factors.includes(ruler.sizes.E ?? ruler.sizes.H)
  const inAll = { count: layers, right: total }
  const extents = isInLayers && layers > 1 ? [inAll, { count: 1, right: perLayer }] : [inAll]
  /** @type {SummandReading[]} */
  const readings = []
  for (const { count, right } of extents) {
    const layersCost = count === 1 && isInLayers && layers > 1 && !isOneLayer ? COSTS.oneLayer : 0
    const someRows = isInLayers
      ? rowsAddingUpTo(rows, value / count, ruler.size)
      : rowsAddingUpTo(rows, value, (row) => ruler.size(row) * ruler.times(row))
    if (someRows && (isInLayers || isMixed) && someRows.size < rows.size)
      readings.push({ piece, rows: someRows, count, right, cost: OTHER_COSTS.some + layersCost, kind: "some" })
    const distance = Math.abs(Math.log(value / right))
    if ((distance < MAX_DISTANCE || hasOtherRows) && Math.abs(value - right) > tolerance) {
      const distanceCost = distance > MAX_NEAR_DISTANCE ? OTHER_COSTS.far * Math.min(distance, FAR_DISTANCE) : 0
      const cost = OTHER_COSTS.wrong + layersCost + distanceCost
      readings.push({ piece, rows, count, right, cost, kind: "wrong" })
    }
  }
  return readings
}

const MAX_ROWS = 20 // a part with more rows has too many combinations to try

/** The rows that add up to a number, the first ones of each size; null if none do, or if there are too many to try.
 * @param {Set<Row>} rows @param {number} value @param {(row: Row) => number} sizeOf */
function rowsAddingUpTo(rows, value, sizeOf) {
  if (rows.size > MAX_ROWS || !Number.isInteger(value)) return null
  // Tensors of one kind, such as the scales of all LayerNorms, are likelier than any others.
  const rowsOfKinds = groupBy([...rows], ({ path }) => path.slice(path.lastIndexOf("/")))
  for (const rowsOfKind of rowsOfKinds.values()) if (sumBy(rowsOfKind, sizeOf) === value) return new Set(rowsOfKind)
  /** @type {Map<number, Row[]>} */
  const rowsBySize = new Map()
  for (const row of rows) rowsBySize.set(sizeOf(row), [...(rowsBySize.get(sizeOf(row)) ?? []), row])
  const sizes = [...rowsBySize.keys()].sort((one, other) => other - one)
  /** Rows that add up to `remainder`, of the sizes from `index` on; null if none do.
   * @param {number} index @param {number} remainder @returns {Row[] | null} */
  const fill = (index, remainder) => {
    if (!remainder) return []
    if (index === sizes.length) return null
    const rowsOfSize = rowsBySize.get(sizes[index]) ?? []
    for (let count = Math.min(rowsOfSize.length, Math.floor(remainder / sizes[index])); count >= 0; count--) {
      const furtherRows = fill(index + 1, remainder - count * sizes[index])
      if (furtherRows) return [...rowsOfSize.slice(0, count), ...furtherRows]
    }
    return null
  }
  const rowsOfValue = fill(0, value)
  return rowsOfValue ? new Set(rowsOfValue) : null
}

const ORDER_DISCOUNT = 0.1 // taken off for a summand in the order of the model, in which people usually count

/** The index of the first row that a reading counts, in the order of the model.
 * @param {SummandReading} reading @param {SumRuler} ruler */
const placeOf = ({ rows }, ruler) => Math.min(...[...rows].map((row) => ruler.rows.indexOf(row)))

/** The number of times that a reading counts a row. Not every layer need have the row.
 * @param {SummandReading} reading @param {Row} row @param {SumRuler} ruler */
function timesOf({ count }, row, { layers, times }) {
  if (!row.repeated) return 1
  return count < layers ? count : (count / layers) * times(row)
}

/** The cost of a way with one more reading. A row that is then covered too often costs extra.
 * @param {WayToRead} way @param {SummandReading} reading @param {SumRuler} ruler */
function costWith(way, reading, ruler) {
  const isCountedAgain = [...reading.rows].some((row) => {
    const times = way.covered.get(row)
    return times !== undefined && times + timesOf(reading, row, ruler) > ruler.times(row)
  })
  const last = way.readings[way.readings.length - 1]
  const isInOrder = last && reading.piece && placeOf(last, ruler) < placeOf(reading, ruler)
  const costOfAgain = reading.isNamed ? NAMED_AGAIN : COUNTED_AGAIN
  return way.cost + reading.cost + (isCountedAgain ? costOfAgain : 0) - (isInOrder ? ORDER_DISCOUNT : 0)
}

/** A way with one more reading.
 * @param {WayToRead} way @param {SummandReading} reading @param {number} cost @param {SumRuler} ruler
 * @returns {WayToRead} */
function withReading(way, reading, cost, ruler) {
  const covered = new Map(way.covered)
  for (const row of reading.rows) covered.set(row, (covered.get(row) ?? 0) + timesOf(reading, row, ruler))
  return { cost, readings: [...way.readings, reading], covered }
}

/** The ways to read all summands, the cheapest first.
 * @param {Summand[]} summands @param {SumRuler} ruler */
export function waysToRead(summands, ruler) {
  const readings = summands.map((summand) => readingsOf(summand, ruler))
  return [...cheapestWays(readings, 0, ruler), ...waysInOneLayer(summands, readings, ruler)]
}

/** The ways to read all summands as parts of one layer. If nothing says that they are, this is a single assumption,
 * which costs as much for all of them as for one.
 * @param {Summand[]} summands @param {SummandReading[][]} readings  those of each summand @param {SumRuler} ruler */
function waysInOneLayer(summands, readings, ruler) {
  const isAssumed = summands.some(({ isOneLayer }) => !isOneLayer)
  if (!isAssumed || summands.length < 2 || ruler.layers < 2) return []
  const readingsInLayer = readings.map((readingsOfSummand, index) =>
    readingsOfSummand
      .filter(({ count, rows }) => count === 1 && [...rows].every(({ repeated }) => repeated))
      .map((reading) => ({ ...reading, cost: reading.cost - (summands[index].isOneLayer ? 0 : COSTS.oneLayer) })),
  )
  return cheapestWays(readingsInLayer, COSTS.oneLayer, ruler)
}

/** The cheapest combinations of one reading for each summand, the cheapest first; none if a summand has no reading. Of
 * several that cover the same rows equally often, only the cheapest is kept.
 * @param {SummandReading[][]} readings  those of each summand
 * @param {number} cost  of each combination, in addition to its readings @param {SumRuler} ruler */
function cheapestWays(readings, cost, ruler) {
  /** @type {WayToRead[]} */
  let ways = [{ cost, readings: [], covered: new Map() }]
  for (const readingsOfSummand of readings) {
    const extensions = ways.flatMap((way) =>
      readingsOfSummand.map((reading) => ({ way, reading, cost: costWith(way, reading, ruler) })),
    )
    extensions.sort((one, other) => one.cost - other.cost)
    /** @type {Map<string, WayToRead>} */
    const waysByCoverage = new Map()
    for (const extension of extensions) {
      if (waysByCoverage.size === MAX_WAYS) break
      const extendedWay = withReading(extension.way, extension.reading, extension.cost, ruler)
      const key = ruler.rows.map((row) => extendedWay.covered.get(row) ?? 0).join()
      if (!waysByCoverage.has(key)) waysByCoverage.set(key, extendedWay)
    }
    ways = [...waysByCoverage.values()]
  }
  return ways
}
