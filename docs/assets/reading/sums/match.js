// Matches each summand of a sum done by hand with the part of the model that it counts. A summand
// has a number and words; readings of it are parts with this number, and parts that
// its words mean with another. The summands are read together, since what one has
// counted the next is unlikely to count again: the cheapest readings of all win.

import { sumBy } from "../../counting/engine.js"
import { partsMeant } from "./labels.js"

/** @typedef {import("./pieces.js").Piece} Piece */
/** @typedef {import("./pieces.js").Ruler} Ruler */

/** A summand: its number as it enters the total, its own words and those around it, and the factors in it. `width` is
 * that of a rounded number.
 * @typedef {{ value: number, width: number, label: string, around: string, factors: number[], isOneLayer: boolean
 * }} Summand */

/** A reading of a summand: the piece that it counts. `count` is the number of layers, or of times, that it counts;
 * `right` the number that the part should have in that many layers; `piece` is null if it is not known, and `rows` is
 * then empty.
 * @typedef {{ piece: Piece | null, rows: Set<Row>, count: number, right: number, cost: number, kind: "exact" |
 * "some" | "wrong" | "unknown" | "tied", }} Reading */

/** A way to read all summands so far.
 * @typedef {{ cost: number, readings: Reading[], covered: Map<Row, number> }} Way */

const MOST_READINGS = 20 // of one summand
const WIDEST = 24 // ways that are kept from one summand to the next
const COSTS = {
  elsewhere: 4,
  narrower: 0.6,
  wider: 1.5,
  around: 1.5,
  dimensions: 1.2,
  oneLayer: 1.2,
  someLayers: 4,
  unnamed: 0.3,
  head: 0.8,
  alone: 0.2,
}
const OF_MEANING = { wrong: 3.2, some: 2.6, unknown: 6, far: 3 }
const AGAIN = 5
// How far, as a logarithm, a number may be from that of the part that its words mean, and from where farther costs no
// more: a matrix of 1,024 × 1,024 instead of 1,024 × 4,096 is a quarter.
const FARTHEST = 1.5
const FAR = 0.8

/** Whether the second set has all rows of the first. @param {Set<Row>} one @param {Set<Row>} other */
const isWithin = (one, other) => [...one].every((row) => other.has(row))

/** Whether rows are those of self-attention, which its heads share. @param {Set<Row>} rows */
export const isOfHeads = (rows) => [...rows].every(({ path }) => /\/attention\/(?:self|output\/dense)\//.test(path))

/** The rows that words mean; null if they mean none.
 * @param {string} words @param {Ruler} ruler */
export function rowsMeant(words, ruler) {
  const concepts = partsMeant(words)
  const rows = new Set(concepts.flatMap(({ path, tag }) => [...ruler.select(path, tag)]))
  return rows.size ? rows : null
}

/** The cost of a piece for the words of a summand.
 * @param {Set<Row>} rows @param {Set<Row> | null} labelRows @param {Set<Row> | null} around */
function costOfWords(rows, labelRows, around) {
  const isAlone = rows.size === 1 && [...rows].every(({ tags }) => tags.has("vector"))
  let cost = isAlone && !labelRows ? COSTS.alone : 0
  if (labelRows) {
    const within = isWithin(rows, labelRows)
    const wider = isWithin(labelRows, rows)
    cost += within && wider ? 0 : within ? COSTS.narrower : wider ? COSTS.wider : COSTS.elsewhere
  } else cost += COSTS.unnamed
  if (around && ![...rows].some((row) => around.has(row))) cost += COSTS.around
  return cost
}

/** The cost of factors that only one of a piece and a summand has: a sum that contains 3,072 is about the feed-forward
 * network.
 * @param {Set<Row>} rows @param {number[]} factors @param {Ruler} ruler */
export function costOfFactors(rows, factors, { sizes }) {
  if (!factors.length) return 0
  const letters = new Set([...rows].flatMap(({ dimensions }) => dimensions.map(String)))
  let cost = 0
  for (const letter of "FV") {
    const size = sizes[letter]
    if (!size || size === sizes.H || size === sizes.P) continue
    const has = [...letters].some((text) => text.includes(letter))
    if (has !== factors.includes(size)) cost += COSTS.dimensions
  }
  return cost
}

/** The readings of one summand, the cheapest first.
 * @param {Summand} summand @param {Ruler} ruler @returns {Reading[]} */
export function readingsOf(summand, ruler) {
  const { value, width, label, around, factors } = summand
  const { layers } = ruler
  const labelRows = rowsMeant(label, ruler)
  const context = rowsMeant(around, ruler)
  const fits = (/** @type {number} */ number) => Math.abs(number - value) <= width
  /** @type {Reading[]} */
  const readings = []
  const cost = (/** @type {Set<Row>} */ rows, /** @type {number} */ count) => {
    const isOne = count < layers && [...rows].some(({ repeated }) => repeated)
    const ofLayers = !isOne ? 0 : count === 1 ? (summand.isOneLayer ? 0.2 : COSTS.oneLayer) : COSTS.someLayers
    const ofHead = labelRows || [...rows].every((row) => ruler.classes[0].rows.has(row)) ? 0 : COSTS.head
    return (
      ofHead + costOfWords(rows, labelRows, context) + costOfFactors(rows, factors, ruler) + ofLayers + 0.01 * rows.size
    )
  }
  for (const piece of ruler.pieces) {
    const { rows, single, whole, isInLayers } = piece
    if (fits(whole))
      readings.push({ piece, rows, count: layers, right: whole, cost: cost(rows, layers), kind: "exact" })
    const count = isInLayers && single ? Math.round(value / single) : 0
    // Words about one layer mean one layer or all of them, never some.
    const maySome = count === 1 || !summand.isOneLayer
    if (count > 0 && count < layers && maySome && fits(single * count))
      readings.push({ piece, rows, count, right: single * count, cost: cost(rows, count), kind: "exact" })
    // The same more than once: heads or layers multiplied twice.
    const times = isInLayers && labelRows && whole && isWithin(rows, labelRows) ? value / whole : 0
    if (Number.isInteger(times) && times > 1 && (times === ruler.sizes.A || times === layers || times === 2))
      readings.push({ piece, rows, count: layers * times, right: whole, cost: cost(rows, layers) + 2, kind: "exact" })
    // Full matrices for each head need no words, because nothing else of a layer is counted that often.
    if (isInLayers && !labelRows && isOfHeads(rows) && value === whole * ruler.sizes.A)
      readings.push({
        piece,
        rows,
        count: layers * ruler.sizes.A,
        right: whole,
        cost: cost(rows, layers) + 2,
        kind: "exact",
      })
    if (
      isInLayers &&
      labelRows &&
      isWithin(rows, labelRows) &&
      single &&
      layers > 1 &&
      value / single > layers &&
      summand.isOneLayer === false
    ) {
      const again = value / single
      if (again === ruler.sizes.A && again !== layers)
        readings.push({ piece, rows, count: again, right: whole, cost: cost(rows, layers) + 2, kind: "exact" })
    }
  }
  if (labelRows) readings.push(...readingsOfWords(summand, labelRows, context, ruler))
  readings.push({ piece: null, rows: new Set(), count: 0, right: 0, cost: OF_MEANING.unknown, kind: "unknown" })
  const decoderSize = ruler.sizes.V * (ruler.sizes.E ?? ruler.sizes.H)
  if (fits(decoderSize) && /decoder|output|lm|mlm|head|predict|softmax|tied|解码|输出/i.test(label))
    readings.push({ piece: null, rows: new Set(), count: 0, right: 0, cost: 1, kind: "tied" })
  return readings.sort((one, other) => one.cost - other.cost).slice(0, MOST_READINGS)
}

/** Readings of what the words mean, with another number: some tensors of the part, or the part with a difference.
 * @param {Summand} summand @param {Set<Row>} labelRows @param {Set<Row> | null} context @param {Ruler} ruler
 * @returns {Reading[]} */
function readingsOfWords({ value, width, label, isOneLayer }, labelRows, context, ruler) {
  const narrowed = context ? new Set([...labelRows].filter((row) => context.has(row))) : labelRows
  const rows = narrowed.size ? narrowed : labelRows
  const { layers } = ruler
  const isInLayers = [...rows].every(({ repeated }) => repeated)
  const single = sumBy(rows, ruler.size)
  const whole = sumBy(rows, (row) => ruler.size(row) * ruler.times(row))
  const words = partsMeant(label)[0]?.path ?? ""
  const known = ruler.pieces.find((one) => one.rows.size === rows.size && isWithin(one.rows, rows))
  const page = known?.page ?? ""
  const piece = known ?? { rows, words, wordsOfOne: words, page, single, whole, isInLayers }
  if (!known) return []
  /** @type {Reading[]} */
  const readings = []
  for (const [count, right] of isInLayers && layers > 1
    ? [
        [layers, whole],
        [1, single],
      ]
    : [[layers, whole]]) {
    const ofLayers = count === 1 && isInLayers && layers > 1 && !isOneLayer ? COSTS.oneLayer : 0
    const some = value % count ? null : someOf(rows, value / count, ruler)
    if (some && isInLayers && some.size < rows.size)
      readings.push({ piece, rows: some, count, right, cost: OF_MEANING.some + ofLayers, kind: "some" })
    const distance = Math.abs(Math.log(value / right))
    if (distance < FARTHEST && Math.abs(value - right) > width) {
      const cost = OF_MEANING.wrong + ofLayers + (distance > 0.2 ? OF_MEANING.far * Math.min(distance, FAR) : 0)
      readings.push({ piece, rows, count, right, cost, kind: "wrong" })
    }
  }
  return readings
}

const MOST_ROWS = 20

/** Some rows that add up to a number, the first of each size; null if none do.
 * @param {Set<Row>} rows @param {number} value @param {Ruler} ruler */
function someOf(rows, value, ruler) {
  if (rows.size > MOST_ROWS) return null
  /** @type {Map<number, Row[]>} */
  const bySize = new Map()
  for (const row of rows) bySize.set(ruler.size(row), [...(bySize.get(ruler.size(row)) ?? []), row])
  const sizes = [...bySize.keys()].sort((one, other) => other - one)
  /** @param {number} place @param {number} rest @returns {Row[] | null} */
  const fill = (place, rest) => {
    if (!rest) return []
    if (place === sizes.length) return null
    const all = bySize.get(sizes[place]) ?? []
    for (let count = Math.min(all.length, Math.floor(rest / sizes[place])); count >= 0; count--) {
      const more = fill(place + 1, rest - count * sizes[place])
      if (more) return [...all.slice(0, count), ...more]
    }
    return null
  }
  const some = fill(0, value)
  return some ? new Set(some) : null
}

const FOLLOWS = 0.1 // the discount for counting in the order of the model, as people do

/** The place of what a reading counts, in the order of the model. @param {Reading} reading @param {Ruler} ruler */
const placeOf = ({ rows }, ruler) => Math.min(...[...rows].map((row) => ruler.rows.indexOf(row)))

/** The layers in which a reading counts a row, or 1. @param {Reading} reading @param {Row} row */
const timesOf = ({ count }, row) => (row.repeated ? count : 1)

/** The cost of one more reading; what is covered again costs extra.
 * @param {Way} way @param {Reading} reading @param {Ruler} ruler */
function costWith(way, reading, ruler) {
  const isAgain = [...reading.rows].some((row) => {
    const times = way.covered.get(row)
    return times !== undefined && times + timesOf(reading, row) > ruler.times(row)
  })
  const last = way.readings[way.readings.length - 1]
  const follows = last && reading.piece && placeOf(last, ruler) < placeOf(reading, ruler)
  return way.cost + reading.cost + (isAgain ? AGAIN : 0) - (follows ? FOLLOWS : 0)
}

/** A way with one more reading. @param {Way} way @param {Reading} reading @param {number} cost @returns {Way} */
function withReading(way, reading, cost) {
  const covered = new Map(way.covered)
  for (const row of reading.rows) covered.set(row, (covered.get(row) ?? 0) + timesOf(reading, row))
  return { cost, readings: [...way.readings, reading], covered }
}

/** The ways to read all summands, the cheapest first; of those that cover the same only one.
 * @param {Summand[]} summands @param {Ruler} ruler */
export function waysToRead(summands, ruler) {
  /** @type {Way[]} */
  let ways = [{ cost: 0, readings: [], covered: new Map() }]
  for (const summand of summands) {
    const readings = readingsOf(summand, ruler)
    const longer = ways.flatMap((way) =>
      readings.map((reading) => ({ way, reading, cost: costWith(way, reading, ruler) })),
    )
    longer.sort((one, other) => one.cost - other.cost)
    /** @type {Map<string, Way>} */
    const distinct = new Map()
    for (const { way, reading, cost } of longer) {
      if (distinct.size === WIDEST) break
      const next = withReading(way, reading, cost)
      const key = ruler.rows.map((row) => next.covered.get(row) ?? 0).join()
      if (!distinct.has(key)) distinct.set(key, next)
    }
    ways = [...distinct.values()]
  }
  return ways
}
