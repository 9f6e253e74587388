// Recognises a sum whose terms are exactly the tensors of a class, as in 28996*768 + 512*768 + …, and
// reads each term as the tensors that it counts.
//
// match.js reads terms one by one, and among so many vectors of the hidden size a term easily passes
// for a part of another class. Here all terms must fit at once. Terms and tensors are sorted into
// kinds: those that are equal but for a factor, such as 4 × 768 × 768 and 768 × 3,072, belong to one
// kind. A sum is exactly a class if it has as many parameters of each kind as the class. How the
// writer has grouped the tensors of a kind does not matter.

import { Counter, defaultChoices, product, sizeOfDimension, sumBy } from "../../counting/engine.js"
import { rowsMeant } from "./match.js"
import { targetOfClass, unreadSumIn } from "./outcome.js"
import { measuresOf, ownRows, pieceOfRows, sumRulerOf } from "./pieces.js"
import { bestOf, possibilitiesWithTotal } from "./possibilities.js"
import { MIN_SIZE } from "./summands.js"

/** @typedef {import("./candidates.js").Candidate} Candidate */
/** @typedef {import("./match.js").SummandReading} SummandReading */
/** @typedef {import("./outcome.js").Outcome} Outcome */
/** @typedef {import("./outcome.js").UnreadSum} UnreadSum */
/** @typedef {import("./pieces.js").Measures} Measures */
/** @typedef {import("./pieces.js").SumRuler} SumRuler */
/** @typedef {import("./possibilities.js").ClassOutcome} ClassOutcome */
/** @typedef {import("./possibilities.js").Possibility} Possibility */
/** @typedef {import("./statements.js").Statement} Statement */
/** @typedef {import("./summands.js").SummandOfEntry} SummandOfEntry */

const MIN_TERMS = 6 // with fewer terms, the sum hardly lists the tensors of a model
const MAX_POWER = 3 // no tensor has the hidden size as a factor more often

/** The terms of a summand, down to those that are not sums.
 * @param {SummandOfEntry} summand @returns {SummandOfEntry[]} */
const termsOf = (summand) => (summand.parts.length ? summand.parts.flatMap(termsOf) : [summand])

/** The kind of a number of parameters: the factors of at least `MIN_SIZE` that the hidden size does not divide, and how
 * often the hidden size divides the rest.
 * @param {number} value @param {number[]} factors  of the value, or some of them @param {number} H */
function kindOf(value, factors, H) {
  const otherFactors = factors.filter((factor) => factor >= MIN_SIZE && factor % H).sort((one, other) => one - other)
  let rest = otherFactors.reduce((quotient, factor) => quotient / factor, value)
  let power = 0
  for (; rest % H === 0 && power < MAX_POWER; rest /= H) power++
  return [...otherFactors, `H^${power}`].join(" ")
}

/** The kind of a term. @param {SummandOfEntry} term @param {Measures} measures */
const kindOfTerm = ({ value, factors }, { sizes }) => kindOf(value, factors, sizes.H)

/** The number of parameters of each kind.
 * @template T @param {T[]} items @param {(item: T) => string} kind @param {(item: T) => number} size */
function amountsByKind(items, kind, size) {
  /** @type {Map<string, number>} */
  const amounts = new Map()
  for (const item of items) amounts.set(kind(item), (amounts.get(kind(item)) ?? 0) + size(item))
  return amounts
}

/** Whether two maps have the same amounts. @param {Map<string, number>} one @param {Map<string, number>} other */
const areEqual = (one, other) =>
  one.size === other.size && [...one].every(([kind, amount]) => other.get(kind) === amount)

/** The rows that each term counts: a remaining row of its kind that has its number, or else the first remaining ones
 * that add up to it. Null if there are none for a term, or if its own words, or those of the sum that it belongs to,
 * mean another block.
 * @param {SummandOfEntry[]} summands @param {Row[]} rows  of the class @param {SumRuler} ruler */
function rowsByTerm(summands, rows, ruler) {
  /** The number of parameters of a row in all layers. */
  const sizeOf = (/** @type {Row} */ row) => ruler.size(row) * ruler.times(row)
  const remainingRows = new Set(rows)
  /** @type {Map<SummandOfEntry, Row[]>} */
  const rowsOfTerms = new Map()
  /** Takes the rows of each term of a summand. Returns false if there are none for a term.
   * @param {SummandOfEntry} summand @param {string} labelAbove @returns {boolean} */
  const takeRows = (summand, labelAbove) => {
    const label = summand.label || labelAbove
    if (summand.parts.length) return summand.parts.every((part) => takeRows(part, label))
    const rowsOfKind = [...remainingRows].filter((row) => kindOfRow(row, ruler) === kindOfTerm(summand, ruler))
    const meantRows = rowsMeant(label, ruler)
    const meantBlocks = meantRows && new Set([...meantRows].map(({ block }) => block))
    /** Whether the words may mean a row. */
    const isMeant = (/** @type {Row} */ { block }) => !meantBlocks || meantBlocks.has(block)
    const single = rowsOfKind.find((row) => sizeOf(row) === summand.value && (!meantRows || meantRows.has(row)))
    const rowsOfTerm = single ? [single] : firstAddingUpTo(rowsOfKind, summand.value, sizeOf)
    if (!rowsOfTerm.some(isMeant)) return false
    for (const row of rowsOfTerm) remainingRows.delete(row)
    rowsOfTerms.set(summand, rowsOfTerm)
    return true
  }
  // The words before a sum of everything name its model, as in "jina-embeddings-v3: 250002*1024 + …".
  const [first, ...others] = summands
  const labelledSummands = others.length ? summands : first.parts
  return labelledSummands.every((summand) => takeRows(summand, "")) ? rowsOfTerms : null
}

/** The summands with their readings: a summand as a whole if all that it counts is a part, and otherwise its terms.
 * @param {SummandOfEntry[]} summands @param {Map<SummandOfEntry, Row[]>} rowsOfTerms @param {SumRuler} ruler
 * @returns {{ summand: SummandOfEntry, reading: SummandReading }[]} */
const readingsIn = (summands, rowsOfTerms, ruler) =>
  summands.flatMap((summand) => {
    const rows = new Set(termsOf(summand).flatMap((term) => rowsOfTerms.get(term) ?? []))
    const piece = pieceOfRows(rows, ruler) ?? null
    if (!piece && summand.parts.length) return readingsIn(summand.parts, rowsOfTerms, ruler)
    const reading = {
      piece,
      rows,
      count: ruler.layers,
      right: summand.value,
      cost: 0,
      kind: /** @type {const} */ ("exact"),
    }
    return [{ summand, reading }]
  })

/** The kind of a row. @param {Row} row @param {Measures} measures */
function kindOfRow(row, { sizes, size, times }) {
  const factors = row.dimensions.map((dimension) => sizeOfDimension(dimension, sizes))
  return kindOf(size(row) * times(row), factors, sizes.H)
}

/** The first rows of a list, as many as add up to a number; empty if no number of them does.
 * @param {Row[]} rows @param {number} value @param {(row: Row) => number} sizeOf */
function firstAddingUpTo(rows, value, sizeOf) {
  let sum = 0
  const end = rows.findIndex((row) => {
    sum += sizeOf(row)
    return sum >= value
  })
  return sum === value ? rows.slice(0, end + 1) : []
}

/** Whether terms have as many parameters of each kind as rows.
 * @param {SummandOfEntry[]} terms @param {Row[]} rows @param {Measures} measures */
const haveSameAmounts = (terms, rows, measures) =>
  areEqual(
    amountsByKind(
      terms,
      (term) => kindOfTerm(term, measures),
      ({ value }) => value,
    ),
    amountsByKind(
      rows,
      (row) => kindOfRow(row, measures),
      (row) => measures.size(row) * measures.times(row),
    ),
  )

/** The outcome of a sum whose terms are exactly the tensors of a class of one of these models, or of a published one
 * that the text may mean, and the other classes of that model with such tensors; null if there is none.
 * @param {Statement[]} statements @param {Record<string, number>} names  of sizes in the text
 * @param {Candidate[]} candidates @param {string[]} namedClasses @param {string} text
 * @returns {ClassOutcome | null} */
export function exactOutcomeOf(statements, names, candidates, namedClasses, text) {
  const triedTotals = new Set()
  for (const { sizes } of candidates) {
    const sum = unreadSumIn(statements, { sizes, names })
    const terms = sum?.summands.flatMap(termsOf) ?? []
    const total = sumBy(terms, ({ value }) => value)
    if (!sum || terms.length < MIN_TERMS || triedTotals.has(total)) continue
    triedTotals.add(total)
    const best = bestOf(
      possibilitiesWithTotal({ value: total, tolerance: 0 }, candidates, namedClasses, text),
      namedClasses,
      (possibility) => exactOutcome(sum, possibility),
    )
    if (best) return best
  }
  return null
}

/** The outcome of a sum whose terms are exactly the tensors of a class; null if they are not.
 * @param {UnreadSum} sum @param {Possibility} possibility @returns {(Outcome & { model: Candidate }) | null} */
function exactOutcome(sum, { model, modelClass }) {
  const { architecture, sizes } = model
  const counter = new Counter(modelClass, sizes, { pooler: defaultChoices(architecture).pooler })
  const rows = ownRows(counter)
  const measures = measuresOf(sizes, product(counter.rows.layers, sizes))
  if (!haveSameAmounts(sum.summands.flatMap(termsOf), rows, measures)) return null
  const ruler = sumRulerOf(architecture, sizes, [modelClass], model.isNamed)
  const rowsOfTerms = rowsByTerm(sum.summands, rows, ruler)
  if (!rowsOfTerms) return null
  const pairs = readingsIn(sum.summands, rowsOfTerms, ruler)
  return {
    ...sum,
    ruler,
    summands: pairs.map(({ summand }) => summand),
    readings: pairs.map(({ reading }) => reading),
    target: targetOfClass(modelClass, ruler),
    cost: 0,
    gaps: [],
    isUnsure: false,
    model,
  }
}
