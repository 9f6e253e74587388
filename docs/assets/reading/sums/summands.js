// Lists the summands: the numbers that enter the total of a sum done by hand, each with the
// number of times that it is added. A subtotal is followed down to the numbers that it adds up,
// and a product of a number and a bracket to the terms in the bracket. Slips of arithmetic on the
// way are recorded, each with its effect on the total.
//
// How far a sum must be split is not known here: 768 × 768 + 768 may be one part or two. So every
// summand keeps the summands that it consists of, and outcome.js splits it if it fits no part as
// a whole.

import { sumBy, whole } from "../../counting/engine.js"
import { evaluate, hasEntries, valueOfName } from "./entries.js"
import { partsMeant, saysOneLayer } from "./labels.js"

/** @typedef {import("./entries.js").Entry} Entry */
/** @typedef {import("./entries.js").LinkedExpression} LinkedExpression */
/** @typedef {import("./entries.js").Values} Values */
/** @typedef {import("./match.js").Summand} Summand */

/** A summand with the entry that it comes from and, in `parts`, the summands that it consists of. `times` is the number
 * of times that the total adds the entry: 12 for the line of one layer, and 1 for 12 × (...), which already counts all
 * layers. `source` is its text.
 * @typedef {Summand & { entry: Entry, times: number, rounding: number, parts: SummandOfEntry[], source: string
 * }} SummandOfEntry */

/** A slip of arithmetic, and what it adds to the total; 0 if later lines do not use the wrong number.
 * @typedef {{ entry: Entry, amount: number, isRounding: boolean }} Slip */

/** How far a number may have been rounded, and how far it may be off the size of a part. A rounded number fits many parts,
 * so words must say which one it counts.
 * @param {string} label @param {number} rounding */
export const toleranceWith = (label, rounding) => ({ rounding, tolerance: partsMeant(label).length ? rounding : 0 })

/** Walks from the roots of a tree to its summands. */
class Walk {
  /** @param {Values} values */
  constructor(values) {
    this.values = values
    /** @type {SummandOfEntry[]} */
    this.summands = []
    /** @type {Slip[]} */
    this.slips = []
    /** The number of times that the total adds each entry. @type {Map<Entry, number>} */
    this.timesOf = new Map()
  }

  /** Records the slip of an entry, and walks on to what it adds up.
   * @param {Entry} entry @param {number} times @param {string[]} around  the labels of the entries that add it up
   * @param {boolean} isCarried  whether its number reaches the total */
  walkEntry(entry, times, around, isCarried) {
    this.timesOf.set(entry, times)
    if (entry.slip) this.slips.push({ entry, amount: isCarried ? entry.slip * times : 0, isRounding: entry.isRounded })
    const areChildrenCarried = isCarried && !entry.absorbsSlips
    const labels = entry.isCopy ? around : [...around, entry.label]
    for (const child of entry.children) this.walkEntry(child.entry, times * child.times, labels, areChildrenCarried)
    if (entry.children.length) return
    if (entry.formula) this.walkFormula(entry.formula, entry, times, around, areChildrenCarried)
    else
      this.summands.push({
        ...this.commonFields(entry, around),
        value: entry.exact * times,
        tolerance: (entry.stated?.tolerance ?? 0) * times,
        rounding: (entry.stated?.tolerance ?? 0) * times,
        factors: [],
        parts: [],
        source: entry.statement.text,
      })
  }

  /** The fields that all summands of an entry share. @param {Entry} entry @param {string[]} around */
  commonFields(entry, around) {
    const { heading } = entry.statement
    const isOneLayer = entry.isOneLayer || around.some(saysOneLayer)
    const times = this.timesOf.get(entry) ?? 1
    return { entry, times, label: entry.label, around: [heading, ...around].join(" ; "), isOneLayer }
  }

  /** Walks the formula of an entry, or a part of it.
   * @param {LinkedExpression} expression @param {Entry} entry @param {number} times @param {string[]} around
   * @param {boolean} isCarried */
  walkFormula(expression, entry, times, around, isCarried) {
    if (expression.entry) return this.walkEntry(expression.entry, times, [...around, entry.label], isCarried)
    if (!hasEntries(expression)) {
      this.summands.push(this.summandFrom(expression, entry, times, around, entry.formula === expression))
      return
    }
    if (expression.kind === "sum") {
      this.walkSum(expression, entry, times, around, isCarried)
      return
    }
    const partsWithEntries = expression.parts.filter(hasEntries)
    const plainParts = expression.parts.filter((part) => !hasEntries(part))
    const factor = plainParts.reduce((product, part) => product * this.valueOf(part), 1)
    if (partsWithEntries.length === 1 && expression.kind === "product")
      this.walkFormula(partsWithEntries[0], entry, times * factor, around, isCarried)
    else this.summands.push(this.summandFrom(expression, entry, times, around, false))
  }

  /** Walks a sum of entries and plain summands. Adjacent plain summands without words become one if they are added.
   * @param {LinkedExpression} expression @param {Entry} entry @param {number} times @param {string[]} around
   * @param {boolean} isCarried */
  walkSum(expression, entry, times, around, isCarried) {
    /** @type {LinkedExpression[]} */
    let pendingParts = []
    /** Adds the plain parts gathered so far as one summand. */
    const flush = () => {
      if (pendingParts.length > 1) {
        const combinedSum = { ...expression, parts: pendingParts, signs: pendingParts.map(() => 1), words: "" }
        this.summands.push(this.summandFrom(combinedSum, entry, times, around, false))
      } else if (pendingParts.length) this.summands.push(this.summandFrom(pendingParts[0], entry, times, around, false))
      pendingParts = []
    }
    for (const [index, part] of expression.parts.entries()) {
      if (!hasEntries(part) && expression.signs[index] > 0 && !part.words) pendingParts.push(part)
      else {
        flush()
        this.walkFormula(part, entry, times * expression.signs[index], around, isCarried)
      }
    }
    flush()
  }

  /** The result of an expression. @param {LinkedExpression} expression */
  valueOf(expression) {
    return evaluate(expression, ({ entry, kind, name, value }) => {
      if (entry) return entry.exact
      return kind === "name" ? valueOfName(name, this.values) : value
    })
  }

  /** How far the rounded numbers of an expression may move its result. Powers, and brackets in a product, are taken as
   * exact.
   * @param {LinkedExpression} expression @returns {number} */
  toleranceOf(expression) {
    const { kind, parts, tolerance } = expression
    if (!parts.length) return tolerance
    if (kind === "power") return 0
    if (kind === "sum") return sumBy(parts, (part) => this.toleranceOf(part))
    const result = this.valueOf(expression)
    /** How far the rounding of a factor may move the product. */
    const effectOf = (/** @type {LinkedExpression} */ factor) =>
      Math.abs((this.toleranceOf(factor) * result) / this.valueOf(factor))
    return sumBy(
      parts.filter(({ tolerance }) => tolerance),
      effectOf,
    )
  }

  /** The summand for an expression, with the summands that it consists of.
   * @param {LinkedExpression} expression @param {Entry} entry @param {number} times @param {string[]} around
   * @param {boolean} isWhole  whether it is the whole formula of the entry @returns {SummandOfEntry} */
  summandFrom(expression, entry, times, around, isWhole) {
    const fields = this.commonFields(entry, around)
    const label = isWhole ? [entry.label, expression.words].join(" ").trim() : expression.words
    const wordsAround = isWhole ? fields.around : `${fields.around} ; ${entry.label}`
    return {
      ...fields,
      label,
      around: wordsAround,
      value: this.valueOf(expression) * times,
      ...toleranceWith(label, this.toleranceOf(expression) * Math.abs(times)),
      factors: this.factorsOf(expression),
      source: asText(expression, times / fields.times),
      parts: this.summandsIn(expression, entry, times, around),
    }
  }

  /** The summands that an expression consists of; none unless it is a sum, or a product with one sum.
   * @param {LinkedExpression} expression @param {Entry} entry @param {number} times @param {string[]} around
   * @returns {SummandOfEntry[]} */
  summandsIn(expression, entry, times, around) {
    if (expression.kind === "sum")
      return expression.parts.map((part, index) =>
        this.summandFrom({ ...part, words: part.words }, entry, times * expression.signs[index], around, false),
      )
    const sums = expression.kind === "product" ? expression.parts.filter(({ kind }) => kind === "sum") : []
    if (sums.length !== 1) return []
    const otherParts = expression.parts.filter((part) => part !== sums[0])
    if (otherParts.some((part) => !isCount(part) && sums[0].parts.every((innerPart) => !innerPart.parts.length))) {
      // (V + P + S) × H: each of the sizes in the bracket is a summand of its own.
      return sums[0].parts.map((part, index) =>
        this.summandFrom(
          { ...expression, parts: [part, ...otherParts], signs: [1, ...otherParts.map(() => 1)], words: part.words },
          entry,
          times * sums[0].signs[index],
          around,
          false,
        ),
      )
    }
    const factor = otherParts.reduce((product, part) => product * this.valueOf(part), 1)
    return this.summandsIn(sums[0], entry, times * factor, around)
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

const MIN_SIZE = 50 // a smaller factor counts things, such as layers
const MIN_RESULT = 1_000_000 // more than the rows of any vocabulary, so a factor this large is a result

/** Whether a factor only counts things, as 12 does in 12 × 7,087,872. @param {LinkedExpression} expression */
const isCount = (expression) => !expression.parts.length && expression.kind === "number" && expression.value < MIN_SIZE

/** The summands that some entries add up, and the slips on the way.
 * @param {Entry[]} roots @param {Values} values */
export function summandsOf(roots, values) {
  const walk = new Walk(values)
  for (const root of roots) walk.walkEntry(root, 1, [], true)
  return walk
}
