// Lists the summands: the numbers that enter the total of a sum done by hand, each with the
// number of times that it does so. A subtotal is followed down to the numbers that it adds up,
// and a product of a number and a bracket to the terms in the bracket. Slips of arithmetic on the
// way are recorded, each with its effect on the total.
//
// How far a sum must be split is not known here: 768 × 768 + 768 may be one part or two. So every
// summand keeps the summands that it consists of, and outcome.js splits it if it fits no part as
// a whole.

import { whole } from "../../counting/engine.js"
import { evaluate, hasEntries, valueOfName } from "./entries.js"
import { saysOneLayer } from "./labels.js"

/** @typedef {import("./entries.js").Entry} Entry */
/** @typedef {import("./entries.js").LinkedExpression} LinkedExpression */
/** @typedef {import("./entries.js").Values} Values */
/** @typedef {import("./match.js").Summand} Summand */

/** A summand with the entry that it comes from and, in `parts`, the summands that it consists of. `times` is the number
 * of times that the total adds the entry: 12 for the line of one layer, and 1 for 12 × (...), which already counts all
 * layers. `source` is its text.
 * @typedef {Summand & { entry: Entry, times: number, parts: SummandOfEntry[], source: string }} SummandOfEntry */

/** A slip of arithmetic, and what it adds to the total; 0 if later lines do not use the wrong number.
 * @typedef {{ entry: Entry, amount: number, isRounding: boolean }} Slip */

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
    const carried = isCarried && !entry.absorbsSlips
    const within = entry.isCopy ? around : [...around, entry.label]
    for (const child of entry.children) this.walkEntry(child.entry, times * child.times, within, carried)
    if (entry.children.length) return
    if (entry.formula) this.walkFormula(entry.formula, entry, times, around, carried)
    else
      this.summands.push({
        ...this.commonFields(entry, around),
        value: entry.exact * times,
        tolerance: (entry.stated?.tolerance ?? 0) * times,
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
   * @param {LinkedExpression} one @param {Entry} entry @param {number} times @param {string[]} around
   * @param {boolean} isCarried */
  walkFormula(one, entry, times, around, isCarried) {
    if (one.entry) return this.walkEntry(one.entry, times, [...around, entry.label], isCarried)
    if (!hasEntries(one)) {
      this.summands.push(this.summandFrom(one, entry, times, around, entry.formula === one))
      return
    }
    if (one.kind === "sum") {
      this.walkSum(one, entry, times, around, isCarried)
      return
    }
    const partsWithEntries = one.parts.filter(hasEntries)
    const plainParts = one.parts.filter((part) => !hasEntries(part))
    const factor = plainParts.reduce((product, part) => product * this.valueOf(part), 1)
    if (partsWithEntries.length === 1 && one.kind === "product")
      this.walkFormula(partsWithEntries[0], entry, times * factor, around, isCarried)
    else this.summands.push(this.summandFrom(one, entry, times, around, false))
  }

  /** Walks a sum of entries and plain summands. Adjacent plain summands become one.
   * @param {LinkedExpression} one @param {Entry} entry @param {number} times @param {string[]} around
   * @param {boolean} isCarried */
  walkSum(one, entry, times, around, isCarried) {
    /** @type {LinkedExpression[]} */
    let plain = []
    /** Adds the plain parts gathered so far as one summand. */
    const flush = () => {
      if (plain.length > 1) {
        const combined = { ...one, parts: plain, signs: plain.map(() => 1), words: "" }
        this.summands.push(this.summandFrom(combined, entry, times, around, false))
      } else if (plain.length) this.summands.push(this.summandFrom(plain[0], entry, times, around, false))
      plain = []
    }
    for (const [index, part] of one.parts.entries()) {
      if (!hasEntries(part) && one.signs[index] > 0 && !part.words) plain.push(part)
      else {
        flush()
        this.walkFormula(part, entry, times * one.signs[index], around, isCarried)
      }
    }
    flush()
  }

  /** The result of an expression. @param {LinkedExpression} one */
  valueOf(one) {
    return evaluate(one, ({ entry, kind, name, value }) => {
      if (entry) return entry.exact
      return kind === "name" ? valueOfName(name, this.values) : value
    })
  }

  /** A summand without entries, with the summands that it consists of.
   * @param {LinkedExpression} one @param {Entry} entry @param {number} times @param {string[]} around
   * @param {boolean} isWhole   whether it is the whole formula of the entry @returns {SummandOfEntry} */
  summandFrom(one, entry, times, around, isWhole) {
    const common = this.commonFields(entry, around)
    const label = isWhole ? [entry.label, one.words].join(" ").trim() : one.words
    const within = isWhole ? common.around : `${common.around} ; ${entry.label}`
    return {
      ...common,
      label,
      around: within,
      value: this.valueOf(one) * times,
      tolerance: 0,
      factors: this.factorsIn(one),
      source: asText(one, times / common.times),
      parts: this.summandsIn(one, entry, times, around),
    }
  }

  /** The summands that an expression consists of; none unless it is a sum, or a product with one sum.
   * @param {LinkedExpression} one @param {Entry} entry @param {number} times @param {string[]} around
   * @returns {SummandOfEntry[]} */
  summandsIn(one, entry, times, around) {
    if (one.kind === "sum")
      return one.parts.map((part, index) =>
        this.summandFrom({ ...part, words: part.words }, entry, times * one.signs[index], around, false),
      )
    const sums = one.kind === "product" ? one.parts.filter(({ kind }) => kind === "sum") : []
    if (sums.length !== 1) return []
    const otherParts = one.parts.filter((part) => part !== sums[0])
    if (otherParts.some((part) => !isCount(part) && sums[0].parts.every((inside) => !inside.parts.length))) {
      // (V + P + S) × H: each of the sizes in the bracket is a summand of its own.
      return sums[0].parts.map((part, index) =>
        this.summandFrom(
          { ...one, parts: [part, ...otherParts], signs: [1, ...otherParts.map(() => 1)], words: part.words },
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

  /** The numbers in an expression that may be sizes. @param {LinkedExpression} one @returns {number[]} */
  factorsIn(one) {
    if (one.parts.length) return one.parts.flatMap((part) => this.factorsIn(part))
    const value = this.valueOf(one)
    return value > 1 ? [value] : []
  }
}

/** The text of an expression times a factor, in digits and signs. @param {LinkedExpression} one @param {number} factor
 * @returns {string} */
function asText(one, factor) {
  if (factor !== 1) {
    const bare = asText(one, 1)
    const sign = factor < 0 ? "−" : ""
    const times = Math.abs(factor) === 1 ? "" : `${whole(Math.abs(factor))} × `
    return `${sign}${times}${one.kind === "sum" ? `(${bare})` : bare}`
  }
  if (one.kind === "name") return one.name
  if (!one.parts.length) return whole(one.value)
  const parts = one.parts.map((part) =>
    part.kind === "sum" && one.kind !== "sum" ? `(${asText(part, 1)})` : asText(part, 1),
  )
  if (one.kind === "power") return `${parts[0]}^${one.value}`
  const [plus, minus] = one.kind === "sum" ? [" + ", " − "] : [" × ", " / "]
  /** The sign before a part. */
  const signOf = (/** @type {number} */ index) => (one.signs[index] > 0 ? plus : minus)
  return parts.map((part, index) => (index ? signOf(index) + part : part)).join("")
}

const MIN_SIZE = 50 // a smaller factor counts things, such as layers

/** Whether a factor only counts things, as 12 does in 12 × 7,087,872. @param {LinkedExpression} one */
const isCount = (one) => !one.parts.length && one.kind === "number" && one.value < MIN_SIZE

/** The summands that some entries add up, and the slips on the way.
 * @param {Entry[]} roots @param {Values} values */
export function summandsOf(roots, values) {
  const walk = new Walk(values)
  for (const root of roots) walk.walkEntry(root, 1, [], true)
  return walk
}
