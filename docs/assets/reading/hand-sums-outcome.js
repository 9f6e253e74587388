// Outcome: what a sum by hand counts as a whole, and what it lacks. The rows that its
// summands cover say which class it is, or which part; the rows that are covered too
// seldom or too often are gathered into parts that have a name.

import { sumBy } from "../counting/engine.js"
import { readingsOf, rowsMeant, waysToRead } from "./hand-sums-match.js"
import { summandsOf } from "./hand-sums-summands.js"
import { passedOn, treeOf } from "./hand-sums-tree.js"

/** @typedef {import("./hand-sums-tree.js").Entry} Entry */
/** @typedef {import("./hand-sums-summands.js").Placed} Placed */
/** @typedef {import("./hand-sums-summands.js").Slip} Slip */
/** @typedef {import("./hand-sums-match.js").Reading} Reading */
/** @typedef {import("./hand-sums-match.js").Way} Way */
/** @typedef {import("./hand-sums-pieces.js").Piece} Piece */
/** @typedef {import("./hand-sums-pieces.js").Ruler} Ruler */

/** What is to be counted: rows, each so many times. `modelClass` is "" for a part, and `piece` null for a class.
 * @typedef {{ modelClass: string, piece: Piece | null, rows: Set<Row>, layers: number, total: number }} Target */

/** A part that is counted too seldom or too often: by how many layers, and by how much.
 * @typedef {{ piece: Piece, count: number, of: number, amount: number }} Gap */

/** A sum by hand, understood.
 * @typedef {{
 *   ruler: Ruler, root: Entry | null, entries: Entry[], summands: Placed[], readings: Reading[], slips: Slip[],
 *   target: Target, gaps: Gap[], total: number, exact: number, cost: number, rival: Way | null, loose: Entry[],
 * }} Outcome */

/** The summands, those that are sums taken apart where nothing fits the whole.
 * @param {Placed} summand @param {Ruler} ruler @returns {Placed[]} */
function takenApart(summand, ruler) {
  const { parts, label } = summand
  if (parts.length < 2) return [summand]
  const [best] = readingsOf(summand, ruler)
  if (best.kind === "exact" && best.cost < 3) return [summand]
  const blocks = new Set([...(rowsMeant(label, ruler) ?? [])].map(({ block }) => block))
  if (blocks.size === 1 && best.kind !== "unknown") return [summand]
  return parts.flatMap((part) => takenApart(part, ruler))
}

/** The entry that is the total, if one is: what adds up others and comes last.
 * @param {Entry[]} roots */
function totalAmong(roots) {
  const adding = roots.filter(({ children, formula }) => children.length > 0 || formula?.parts.some(holdsEntry))
  const last = adding[adding.length - 1]
  return roots.length === 1 ? roots[0] : (last ?? null)
}

/** @param {import("./hand-sums-tree.js").Linked} one @returns {boolean} */
const holdsEntry = (one) => one.entry !== null || one.parts.some(holdsEntry)

/** The number of times that a target has a row. @param {Target} target @param {Row} row @param {Ruler} ruler */
const needed = ({ rows, layers }, row, ruler) =>
  rows.has(row) ? (row.repeated ? Math.min(layers, ruler.times(row)) : 1) : 0

/** What a target counts in all. @param {Set<Row>} rows @param {number} layers @param {Ruler} ruler */
const countOf = (rows, layers, ruler) =>
  sumBy(rows, (row) => ruler.size(row) * (row.repeated ? Math.min(layers, ruler.times(row)) : 1))

/** The class or part that some covered rows belong to.
 * @param {Way} way @param {Ruler} ruler @param {string} label  of the total */
function targetOf({ covered }, ruler, label) {
  const rows = [...covered.keys()]
  const hasTables = rows.some(({ block }) => block === "embeddings")
  const inLayers = rows.filter(({ repeated }) => repeated)
  const isOneLayer =
    inLayers.length > 0 &&
    !hasTables &&
    inLayers.every((row) => covered.get(row) === 1) &&
    rows.every(({ repeated }) => repeated)
  const layers = isOneLayer ? 1 : ruler.layers
  if (hasTables && inLayers.length) return classTarget(rows, ruler)
  const meant = rowsMeant(label, ruler)
  const around = meant && rows.every((row) => meant.has(row)) ? meant : null
  const holding = ruler.pieces
    .filter(
      (piece) =>
        rows.every((row) => piece.rows.has(row)) && (!around || [...around].every((row) => piece.rows.has(row))),
    )
    .sort((one, other) => one.whole - other.whole)
  const piece = holding[0] ?? ruler.pieces[0]
  return { modelClass: "", piece, rows: piece.rows, layers, total: countOf(piece.rows, layers, ruler) }
}

/** The class that covered rows fit best, the bare one first. @param {Row[]} covered @param {Ruler} ruler @returns {Target} */
function classTarget(covered, ruler) {
  const scored = ruler.classes.map(({ name, rows }) => {
    const excess = new Set(covered.filter((row) => !rows.has(row)).map(({ block }) => block)).size
    const has = new Set(covered.map(({ block }) => block))
    const missing = new Set([...rows].filter(({ block }) => !has.has(block)).map(({ block }) => block)).size
    return { name, rows, cost: 3 * excess + missing }
  })
  scored.sort((one, other) => one.cost - other.cost)
  const [{ name, rows }] = scored
  return { modelClass: name, piece: null, rows, layers: ruler.layers, total: countOf(rows, ruler.layers, ruler) }
}

/** What is counted too seldom (positive) or too often, as parts with names: the largest first.
 * @param {Way} way @param {Target} target @param {Ruler} ruler @returns {Gap[]} */
function gapsOf({ covered }, target, ruler) {
  /** @type {Map<number, Row[]>} */
  const byCount = new Map()
  for (const row of new Set([...covered.keys(), ...target.rows])) {
    const gap = needed(target, row, ruler) - (covered.get(row) ?? 0)
    // A row that is missing as a whole goes with other such rows, in layers or not.
    const key = gap > 0 && gap === needed(target, row, ruler) ? Infinity : gap
    if (gap) byCount.set(key, [...(byCount.get(key) ?? []), row])
  }
  return [...byCount].flatMap(([count, rows]) => gathered(new Set(rows), count, target, ruler))
}

/** Rows as the fewest parts. @param {Set<Row>} rows @param {number} count @param {Target} target @param {Ruler} ruler
 * @returns {Gap[]} */
function gathered(rows, count, target, ruler) {
  const rest = new Set(rows)
  /** @type {Gap[]} */
  const gaps = []
  const amount = (/** @type {Set<Row>} */ some) =>
    sumBy(some, (row) => ruler.size(row) * (count === Infinity ? needed(target, row, ruler) : count))
  const inClass = (/** @type {Piece} */ piece) => [...piece.rows].filter((row) => target.rows.has(row) || rest.has(row))
  while (rest.size) {
    const fitting = ruler.pieces.filter(
      (piece) => inClass(piece).length > 0 && inClass(piece).every((row) => rest.has(row)),
    )
    const best = fitting.sort(
      (one, other) => Math.abs(amount(other.rows)) - Math.abs(amount(one.rows)) || one.rows.size - other.rows.size,
    )[0]
    const [first] = rest
    const some = best ? new Set(inClass(best)) : new Set([first])
    const piece = best ?? {
      rows: some,
      words: first.path,
      wordsOfOne: first.path,
      page: "",
      single: 0,
      whole: 0,
      layered: first.repeated,
    }
    const layers = Math.min(target.layers, ruler.layers)
    gaps.push({ piece, count: count === Infinity ? layers : count, of: layers, amount: amount(some) })
    for (const row of some) rest.delete(row)
  }
  return gaps.sort((one, other) => Math.abs(other.amount) - Math.abs(one.amount))
}

/** The cost of what a way leaves out or counts too often.
 * @param {Gap[]} gaps */
const costOfGaps = (gaps) => sumBy(gaps, ({ count, of, amount }) => (amount < 0 ? 2.5 : count < of ? 1.2 : 0.6))

const MOST_SUMMANDS = 80
const CONSIDERED = 12

/** A sum by hand read with the sizes of a model; null if it adds up nothing.
 * @param {import("./hand-sums-parse.js").Statement[]} statements @param {import("./hand-sums-tree.js").Values} values
 * @param {Set<number>} sizeNumbers @param {Ruler} ruler @returns {Outcome | null} */
export function outcomeOf(statements, values, sizeNumbers, ruler) {
  const { roots, entries } = treeOf(statements, values, sizeNumbers)
  if (!roots.length) return null
  const root = totalAmong(roots)
  const counted = root ? [root] : roots
  const { summands: found, slips } = summandsOf(counted, values)
  const summands = found.flatMap((summand) => takenApart(summand, ruler))
  if (!summands.length || summands.length > MOST_SUMMANDS || summands.some(({ value }) => !Number.isSafeInteger(value)))
    return null
  const label = root ? root.label || root.statement.heading : ""
  const ways = waysToRead(summands, ruler)
    .slice(0, CONSIDERED)
    .map((way) => {
      const target = targetOf(way, ruler, label)
      const gaps = gapsOf(way, target, ruler)
      return { way, target, gaps, cost: way.cost + costOfGaps(gaps) }
    })
    .sort((one, other) => one.cost - other.cost)
  const [{ way, target, gaps, cost }, second] = ways
  const rival = second && second.cost - cost < 0.35 && !sameCover(second.way, way) ? second.way : null
  const exact = sumBy(summands, ({ value }) => value)
  const total = root ? passedOn(root) : sumBy(counted, passedOn)
  return {
    ...{ ruler, root, entries, summands, readings: way.readings, slips, target, gaps, total, exact, cost, rival },
    loose: root ? roots.filter((entry) => entry !== root) : [],
  }
}

/** Whether two ways cover the same rows as often. @param {Way} one @param {Way} other */
const sameCover = (one, other) =>
  one.covered.size === other.covered.size && [...one.covered].every(([row, times]) => other.covered.get(row) === times)
