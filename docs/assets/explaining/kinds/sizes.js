// Sizes: a total of a model that has another number of layers, positions,
// tokens, segments, labels or inner units. A total is linear in each of these,
// so each is solved for, and a value that somebody might choose is accepted.

import table from "../../../data/table.js"
import {
  Counter,
  deviations,
  classes as everyClass,
  models as everyModel,
  lazily,
  resized,
} from "../../counting/engine.js"
import { linesBySize } from "../known-numbers.js"
import { EMPTY } from "../ways.js"

const { costs, limits } = table.explanations

const { size: COMMON, "odd-size": ODD } = costs.ways

const FEW_LABELS = 20
const ROUND = new Set([1, 2, 3, 4, 5, 8, 10, 16, 20, 32, 50, 64]) // tokens that somebody adds

const vocabularies = lazily(() => new Set(table.models.map((each) => each.sizes.V)))
/** @param {number} value @param {number} step  whether it is a known vocabulary filled up to a multiple of this */
const fillsUp = (value, step) => [...vocabularies()].some((each) => value === Math.ceil(each / step) * step)

/** @param {number} value */
const isPowerOfTwo = (value) => value > 0 && (value & (value - 1)) === 0

/** What speaks against a size in place of another; Infinity where nobody would choose it.
 * @type {Record<string, (value: number, sizes: Sizes) => number>} */
const AGAINST = {
  L: (value, { L }) =>
    value > 0 && value <= 2 * L
      ? Math.abs(value - L) === 1 || 2 * value === L || value === 2 * L
        ? COMMON
        : ODD
      : Infinity,
  V: (value, { V }) => {
    if (value < 5000 || value > 1_000_000) return Infinity
    if (value > V && value <= V + limits.most_tokens) return COMMON + (ROUND.has(value - V) ? 0 : 2)
    if (vocabularies().has(value) || value % 10_000 === 0) return COMMON
    return value % 1000 === 0 || [8, 64, 128].some((step) => fillsUp(value, step)) ? ODD : Infinity
  },
  P: (value) => {
    if (value < 16 || value > 65_536) return Infinity
    if (isPowerOfTwo(value) || value === 384) return COMMON
    return value <= 1024 && (value % 100 === 0 || value % 256 === 0 || value === 514) ? ODD : Infinity
  },
  S: (value) => (value > 0 && value <= 4 ? ODD : Infinity),
  F: (value, { H }) => {
    if (value < 1 || value > 16 * H) return Infinity
    return value % H === 0 || isPowerOfTwo(value) ? COMMON : value % 256 === 0 ? ODD : Infinity
  },
  C: (value) => {
    if (value > 0 && value <= limits.most_labels) return costs.ways.labels + (value > FEW_LABELS ? 1 : 0)
    return value > 0 && value <= 1000 && value % 100 === 0 ? costs.ways["many-labels"] : Infinity
  },
}

const resizing = [...deviations.values()].filter((each) => each.letter)
/** Whether a deviation gives a letter this size, and is found as such.
 * @param {string} letter @param {number} value @param {Sizes} sizes */
const isKnown = (letter, value, sizes) =>
  resizing.some((each) => each.letter === letter && resized(sizes, [each])[letter] === value)

/** @param {number} number @returns {Iterable<Meaning>} */
function* ofSizes(number) {
  for (const [letter, ofLetter] of Object.entries(linesBySize())) {
    for (const { total, slope } of ofLetter) {
      const more = (number - total.number) / slope
      if (more && Number.isInteger(more)) yield* solved(number, total, letter, more)
    }
  }
}

/** @param {number} number @param {TotalFound} total @param {string} letter @param {number} more @returns {Iterable<Meaning>} */
function* solved(number, total, letter, more) {
  const { sizes } = everyModel.get(total.models[0])
  const value = sizes[letter] + more
  const besides = total.mistakes.length ? costs.ways[letter === "C" ? "labels-and-more" : "size-and-more"] : 0
  const cost = total.cost + AGAINST[letter](value, sizes) + besides
  if (cost > limits.possible || isKnown(letter, value, sizes)) return
  /** @type {Meaning} */
  const other = {
    ...EMPTY,
    ...total,
    classes: total.classes.filter((each) => letter !== "C" || everyClass.get(each).labels === null),
    number,
    cost,
    kind: letter === "C" ? "labels" : "size",
    sizes: { [letter]: value },
  }
  if (holds(other)) yield { ...other, labels: letter === "C" ? value : 0 }
}

/** Whether the number is that of the other sizes, with which a share such as one layer's may not be whole; and whether
 * each mistake changes it there: where there is one layer, that one is all. @param {Meaning} each */
function holds({ models, classes, mistakes, sizes: others, number }) {
  const { sizes } = everyModel.get(models[0])
  const counter = new Counter(classes[0], { ...sizes, ...others })
  /** @param {string[]} made */
  const gives = (made) => counter.number(made.map((name) => deviations.get(name))) === number
  return gives(mistakes) && !mistakes.some((one) => gives(mistakes.filter((each) => each !== one)))
}

/** @type {Kind} */
export const kind = ({ low, exact, amount }) => (exact && amount === "count" && low > 0 ? ofSizes(low) : [])
