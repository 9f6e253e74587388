// Lists the summands: the numbers that enter the total of a sum done by hand, each with the
// number of times that it is added. A subtotal is followed down to the numbers that it adds up,
// and a product of a number and a bracket to the terms in the bracket. Slips of arithmetic on the
// way are recorded, each with its effect on the total.
//
// How far a sum must be split is not known here: 768 × 768 + 768 may be one part or two. So every
// summand keeps the summands that it consists of, and outcome.js splits it if it fits no part as
// a whole.

import { whole } from "../../counting/engine.js"
import { exactResult, hasEntries } from "./entries.js"
import { toleranceOf } from "./expressions.js"
import { mayInclude, partsMeant, saysOneLayer } from "./labels.js"
import { MIN_RESULT } from "./sizes.js"

/** @typedef {import("./entries.js").Entry} Entry */
/** @typedef {import("./entries.js").LinkedExpression} LinkedExpression */
/** @typedef {import("./entries.js").Values} Values */
/** @typedef {import("./match.js").Summand} Summand */

/** A summand with the entry that it comes from and, in `parts`, the summands that it consists of. `rounding` is how far
 * its number may have been rounded, even if its words do not say which part it counts. `times` is the number
 * of times that the total adds the entry: 12 for the line of one layer, and 1 for 12 × (...), which already counts all
 * layers. `source` is its text.
 * @typedef {Summand & { entry: Entry, times: number, rounding: number, parts: SummandOfEntry[], source: string
 * }} SummandOfEntry */

/** A slip of arithmetic, and what it adds to the total; 0 if later lines do not use the wrong number.
 * @typedef {{ entry: Entry, amount: number, isRounding: boolean }} Slip */

/** How far a number may have been rounded, and how far it may be off the size of a part. A rounded number fits many
 * parts, so words must say which one it counts.
 * @param {string} label @param {number} rounding */
export const toleranceWith = (label, rounding) => ({ rounding, tolerance: partsMeant(label).length ? rounding : 0 })

export const MIN_SIZE = 50 // a smaller factor counts things, such as layers or labels

/** Where an expression is: in the formula of `entry`. The total adds that entry `entryTimes` times, and the expression
 * itself `times` times. `around` are the labels of the entries that add up the entry, and `isCarried` is true if a slip
 * in what the expression refers to reaches the total.
 * @typedef {{ entry: Entry, entryTimes: number, times: number, around: string[], isCarried: boolean }} Place */

/** A product without one of its parts. @param {LinkedExpression} product @param {LinkedExpression} part */
const withoutPart = ({ parts, signs, ...product }, part) => ({
  ...product,
  parts: parts.filter((other) => other !== part),
  signs: signs.filter((_, index) => parts[index] !== part),
})

/** The fields that all summands of an entry share. @param {Place} place */
function fieldsOf({ entry, entryTimes, around }) {
  const { statement, label } = entry
  const isOneLayer = entry.isOneLayer || around.some(saysOneLayer)
  return { entry, times: entryTimes, label, around: [statement.heading, ...around].join(" ; "), isOneLayer }
}

/** Whether the label of an entry is that of the first term of its sum, because it cannot mean a later term that has a
 * label of its own: "embeddings 23,837,184 + pooler 590,592".
 * @param {Entry} entry */
function labelsFirstTerm({ label, formula }) {
  if (formula?.kind !== "sum" || formula.parts[0].words || !partsMeant(label).length) return false
  return formula.parts.some(({ words }) => partsMeant(words).length > 0 && !mayInclude(label, words))
}

/** Walks from the roots of a tree to its summands. */
class Walk {
  /** @param {Values} values */
  constructor(values) {
    this.values = values
    /** @type {SummandOfEntry[]} */
    this.summands = []
    /** @type {Slip[]} */
    this.slips = []
  }

  /** Records the slip of an entry, and walks on to what it adds up.
   * @param {Entry} entry @param {number} times  how often the total adds it
   * @param {string[]} around  the labels of the entries that add it up
   * @param {boolean} isCarried  whether a slip in its number reaches the total */
  walkEntry(entry, times, around, isCarried) {
    const { children, formula, slip, exact, stated } = entry
    if (slip) this.slips.push({ entry, amount: isCarried ? slip * times : 0, isRounding: entry.isRounded })
    const place = { entry, entryTimes: times, times, around, isCarried: isCarried && !entry.absorbsSlips }
    const labels = entry.isCopy ? around : [...around, entry.label]
    if (formula) this.walkFormula(formula, place)
    else if (children.length)
      for (const child of children) this.walkEntry(child.entry, times * child.times, labels, place.isCarried)
    else {
      const rounding = (stated?.tolerance ?? 0) * times
      const { text } = entry.statement
      const fields = { ...fieldsOf(place), factors: [], parts: [], source: text }
      this.summands.push({ ...fields, value: exact * times, tolerance: rounding, rounding })
    }
  }

  /** Walks the formula of an entry, or a part of it.
   * @param {LinkedExpression} expression @param {Place} place */
  walkFormula(expression, place) {
    const { entry, times, around, isCarried } = place
    const [part, ...others] = expression.parts.filter(hasEntries)
    if (expression.entry) this.walkEntry(expression.entry, times, [...around, entry.label], isCarried)
    else if (part && expression.kind === "sum") this.walkSum(expression, place)
    else if (part && expression.kind === "product" && !others.length)
      this.walkFormula(part, { ...place, times: times * this.valueOf(withoutPart(expression, part)) })
    else this.summands.push(this.summandFrom(expression, place))
  }

  /** Walks a sum of entries and plain summands. Adjacent plain summands without words become one if they are added.
   * @param {LinkedExpression} sum @param {Place} place */
  walkSum({ parts, signs, ...sum }, place) {
    /** @type {LinkedExpression[]} */
    let pendingParts = []
    /** Adds the plain parts gathered so far as one summand. */
    const flush = () => {
      const [first, ...others] = pendingParts
      const joinedSum = { ...sum, parts: pendingParts, signs: pendingParts.map(() => 1), words: "" }
      if (first) this.summands.push(this.summandFrom(others.length ? joinedSum : first, place))
      pendingParts = []
    }
    for (const [index, part] of parts.entries()) {
      if (!hasEntries(part) && signs[index] > 0 && !part.words) pendingParts.push(part)
      else {
        flush()
        this.walkFormula(part, { ...place, times: place.times * signs[index] })
      }
    }
    flush()
  }

  /** The result of an expression. @param {LinkedExpression} expression */
  valueOf(expression) {
    return exactResult(expression, this.values)
  }

  /** The summand for an expression, with the summands that it consists of.
   * @param {LinkedExpression} expression @param {Place} place @returns {SummandOfEntry} */
  summandFrom(expression, place) {
    const { entry, entryTimes, times } = place
    const fields = fieldsOf(place)
    const isOfFirstTerm = labelsFirstTerm(entry)
    const isWhole = expression === entry.formula
    const isLabelled = expression === (isOfFirstTerm ? entry.formula?.parts[0] : entry.formula)
    const label = isLabelled ? `${entry.label} ${expression.words}`.trim() : expression.words
    return {
      ...fields,
      label,
      around: isWhole || isOfFirstTerm ? fields.around : `${fields.around} ; ${entry.label}`,
      value: this.valueOf(expression) * times,
      ...toleranceWith(label, toleranceOf(expression, (part) => this.valueOf(part)) * Math.abs(times)),
      factors: this.factorsOf(expression),
      source: asText(expression, times / entryTimes),
      parts: this.summandsIn(expression, place),
    }
  }

  /** The summands that an expression consists of; none unless it is a sum, or a product with one sum.
   * @param {LinkedExpression} expression @param {Place} place @returns {SummandOfEntry[]} */
  summandsIn(expression, place) {
    const { kind, parts, signs } = expression
    if (kind === "sum")
      return parts.map((part, index) => this.summandFrom(part, { ...place, times: place.times * signs[index] }))
    const [sum, ...otherSums] = kind === "product" ? parts.filter((part) => part.kind === "sum") : []
    if (!sum || otherSums.length) return []
    const factors = withoutPart(expression, sum)
    const isOfSizes = sum.parts.every((part) => !part.parts.length) && !factors.parts.every(isCount)
    if (!isOfSizes) return this.summandsIn(sum, { ...place, times: place.times * this.valueOf(factors) })
    // (V + P + S) × H: each of the sizes in the bracket is a summand of its own.
    return sum.parts.map((part, index) =>
      this.summandFrom(
        { ...expression, parts: [part, ...factors.parts], signs: [1, ...factors.signs], words: part.words },
        { ...place, times: place.times * sum.signs[index] },
      ),
    )
  }

  /** The numbers in an expression; none if all of them are counts and results, as in 12 × 7,087,872.
   * @param {LinkedExpression} expression */
  factorsOf(expression) {
    const factors = this.factorsIn(expression)
    return factors.some((factor) => factor >= MIN_SIZE && factor < MIN_RESULT) ? factors : []
  }

  /** The numbers in an expression that may be sizes. @param {LinkedExpression} expression @returns {number[]} */
  factorsIn(expression) {
    if (expression.parts.length) return expression.parts.flatMap((part) => this.factorsIn(part))
    const value = this.valueOf(expression)
    return value > 1 ? [value] : []
  }
}

/** The text of an expression times a factor, in digits and signs.
 * @param {LinkedExpression} expression @param {number} factor @returns {string} */
function asText(expression, factor) {
  if (factor !== 1) {
    const text = asText(expression, 1)
    const sign = factor < 0 ? "−" : ""
    const times = Math.abs(factor) === 1 ? "" : `${whole(Math.abs(factor))} × `
    return `${sign}${times}${expression.kind === "sum" ? `(${text})` : text}`
  }
  if (expression.kind === "name") return expression.name
  if (!expression.parts.length) return whole(expression.value)
  const parts = expression.parts.map((part) =>
    part.kind === "sum" && expression.kind !== "sum" ? `(${asText(part, 1)})` : asText(part, 1),
  )
  if (expression.kind === "power") return `${parts[0]}^${expression.value}`
  const [plus, minus] = expression.kind === "sum" ? [" + ", " − "] : [" × ", " / "]
  /** The sign before a part. */
  const signOf = (/** @type {number} */ index) => (expression.signs[index] > 0 ? plus : minus)
  return parts.map((part, index) => (index ? signOf(index) + part : part)).join("")
}

/** Whether a factor only counts things, as 12 does in 12 × 7,087,872. @param {LinkedExpression} expression */
const isCount = (expression) => !expression.parts.length && expression.kind === "number" && expression.value < MIN_SIZE

/** The summands that some entries add up, and the slips on the way.
 * @param {Entry[]} roots @param {Values} values */
export function summandsOf(roots, values) {
  const walk = new Walk(values)
  for (const root of roots) walk.walkEntry(root, 1, [], true)
  return walk
}
