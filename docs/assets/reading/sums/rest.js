// Recognises a sum of the parts of a class, one of which has no part of its own, as in "embeddings
// 23,837,184 + encoder 85,054,464 + the rest 592,130". If the total is that of a class, and all summands
// but one are parts of this class, the remaining summand must be the rest of the class.

import { sumBy } from "../../counting/engine.js"
import { rowsMeant } from "./match.js"
import { outcomeOf, targetOfClass } from "./outcome.js"
import { pieceOfRows, sumRulerOf } from "./pieces.js"
import { bestOf, possibilitiesWithTotal } from "./possibilities.js"

/** @typedef {import("./match.js").SummandReading} SummandReading */
/** @typedef {import("./outcome.js").Outcome} Outcome */
/** @typedef {import("./possibilities.js").ClassOutcome} ClassOutcome */
/** @typedef {import("./possibilities.js").Possibility} Possibility */
/** @typedef {import("./pieces.js").Piece} Piece */
/** @typedef {import("./pieces.js").SumRuler} SumRuler */
/** @typedef {import("./statements.js").Statement} Statement */

const MAX_SUMMANDS = 20 // a longer sum lists tensors rather than parts; exact-sums.js reads these
const MAX_POSSIBILITIES = 12 // the maximum number of classes that are tried, because each takes a while

/** A word that means whichever head the class has, and perhaps its pooler. */
const ANY_HEAD = /(?<![a-z])heads?(?![a-z])/i

/** Whether the words of a summand may mean some rows.
 * @param {string} label @param {Set<Row>} rows @param {SumRuler} ruler */
function mayMean(label, rows, ruler) {
  const bareRows = ruler.classes[0].rows
  if (ANY_HEAD.test(label)) return [...rows].some((row) => !bareRows.has(row) || row.block === "pooler")
  const meantRows = rowsMeant(label, ruler)
  const meantBlocks = new Set([...(meantRows ?? [])].map(({ block }) => block))
  return !meantRows || [...rows].every(({ block }) => meantBlocks.has(block))
}

/** The outcome of a sum of the parts of a class that are named, and of the rest of the class; null if there is none.
 * @param {Statement[]} statements @param {Record<string, number>} names  of sizes in the text
 * @param {Outcome} outcome  the best reading of the sum's summands one by one
 * @param {import("./candidates.js").Candidate[]} candidates @param {string[]} namedClasses @param {string} text
 * @returns {ClassOutcome | null} */
export function outcomeWithRest(statements, names, outcome, candidates, namedClasses, text) {
  const { root, total, summands } = outcome
  if (summands.length > MAX_SUMMANDS) return null
  const possibilities = possibilitiesWithTotal(
    { value: total, tolerance: root?.stated?.tolerance ?? 0 },
    candidates,
    namedClasses,
    text,
  )
  return bestOf(possibilities.slice(0, MAX_POSSIBILITIES), namedClasses, (possibility) =>
    outcomeAs(possibility, statements, names),
  )
}

/** The outcome of a sum as the named parts and the rest of a class; null if its summands are not these.
 * @param {Possibility} possibility @param {Statement[]} statements @param {Record<string, number>} names
 * @returns {(Outcome & { model: Possibility["model"] }) | null} */
function outcomeAs({ model, modelClass }, statements, names) {
  const ruler = sumRulerOf(model.architecture, model.sizes, [modelClass], model.isNamed)
  const outcome = outcomeOf(statements, names, ruler)
  if (!outcome) return null
  const target = targetOfClass(modelClass, ruler)
  const remainingRows = new Set(target.rows)
  /** Whether a reading counts rows that remain, and all of them in every layer. */
  const isOfRemaining = (/** @type {SummandReading} */ { kind, rows, count }) =>
    kind === "exact" && count === ruler.layers && rows.size > 0 && [...rows].every((row) => remainingRows.has(row))
  /** The indices of the summands that are not parts. @type {number[]} */
  const indices = []
  for (const [index, reading] of outcome.readings.entries()) {
    if (!isOfRemaining(reading)) indices.push(index)
    else for (const row of reading.rows) remainingRows.delete(row)
  }
  const [index, ...others] = indices
  if (index === undefined || others.length) return null
  const { value, rounding, label } = outcome.summands[index]
  const right = sumBy(remainingRows, (row) => ruler.size(row) * ruler.times(row))
  if (!remainingRows.size || Math.abs(right - value) > rounding || !mayMean(label, remainingRows, ruler)) return null
  /** @type {SummandReading} */
  const readingOfRest = {
    piece: pieceOfRows(remainingRows, ruler) ?? pieceOfRest(remainingRows, right),
    rows: remainingRows,
    count: ruler.layers,
    right,
    cost: 0,
    kind: "exact",
  }
  return {
    ...outcome,
    readings: outcome.readings.map((reading, place) => (place === index ? readingOfRest : reading)),
    // Words are not needed to know what a rounded rest counts.
    summands: outcome.summands.map((summand, place) =>
      place === index ? { ...summand, tolerance: rounding } : summand,
    ),
    target,
    gaps: [],
    isUnsure: false,
    model,
  }
}

/** The piece of what is left of a class. @param {Set<Row>} rows @param {number} total @returns {Piece} */
const pieceOfRest = (rows, total) => ({
  rows,
  words: "the rest of the class",
  wordsInOneLayer: "the rest of the class",
  page: "",
  perLayer: total,
  total,
  isInLayers: false,
})
