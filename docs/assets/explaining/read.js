// Reading: what a text says that a reader typed, and which numbers it may mean.
// A plain number with or without a unit is read by the rules of
// macros/counting/disagreements/printed.py, and a test compares the two; powers
// of ten, sums, percentages and words around a number are read here only.

import table from "../../data/table.js"
import { lowered, sum } from "./arithmetic.js"
import { myriads } from "./myriads.js"

const {
  units,
  explanations: { limits },
} = table

/** @type {Map<string, string>} */
const WIDE = new Map([..."０１２３４５６７８９"].map((digit, place) => [digit, String(place)]))
for (const [wide, plain] of ["，,", "．.", "。.", "％%", "＋+", "＊*", "／/"]) WIDE.set(wide, plain)

const FORM = /^([0-9][0-9.,]*)([^0-9.,]*)$/
// Where a power sign got lost, 1.1×108 can be no product; 2×108 can.
const POWER_OF_TEN = /^(?![1-9][x×*·]10[0-9+])([1-9](?:[.,][0-9]+)?)(?:e|[x×*·]10(?:\^|\*\*)?)\+?([0-9]{1,2})$/

/**
 * Digits, decimals and unit of a text, or null where it holds no number.
 * @param {string} text
 * @returns {NumberRead | null}
 */
export function read(text) {
  const letters = [...text]
  if (letters.length > limits.longest) return null
  const typed = letters.map((each) => WIDE.get(each) ?? each).join("")
  return (
    readPlain(typed) ??
    readPowerOfTen(typed) ??
    readSum(typed) ??
    readQuotient(typed) ??
    readTimes(typed) ??
    readMyriads(typed) ??
    readAmongWords(typed)
  )
}

/** A number and perhaps its unit. @param {string} typed @returns {NumberRead | null} */
function readPlain(typed) {
  const plain = typed
    .replace(/[^\S\ufeff]|[\x1c-\x1f\x85_'’]/g, "")
    .toLowerCase()
    .replace(/^(?:[~≈约]|大约|about|circa|ca\.?)/, "")
    .replace(/(?:parameters|params|numbers|参数|个)+$/, "")
  const [, digits, unit] = FORM.exec(plain) ?? []
  if (!digits) return null
  const [whole, fraction] = split(digits, Boolean(unit))
  if (unit === "%" || unit === "percent") return shareRead(whole, fraction)
  if (unit ? !Object.hasOwn(units.counts, unit) && !Object.hasOwn(units.bytes, unit) : /[^0]/.test(fraction))
    return null
  const ofMemory = Object.hasOwn(units.bytes, unit)
  const size = unit ? (ofMemory ? units.bytes : units.counts)[unit] : 1
  const exact = !unit || (ofMemory && size === 1)
  return unit
    ? numberRead(whole + fraction, fraction.length, size, exact, unit, ofMemory)
    : numberRead(whole, 0, 1, true)
}

/** 1.1e8, 3.35 × 10^8. @param {string} typed */
function readPowerOfTen(typed) {
  const plain = lowered(typed.toLowerCase().replace(/\s/g, ""))
    .replace(/(?:parameters|params)\.?$/, "")
    .replace(/^(?:[~≈]|about|circa|ca\.?)/, "")
  const [, mantissa, exponent] = POWER_OF_TEN.exec(plain) ?? []
  if (!mantissa || Number(exponent) > 15) return null
  const [whole, fraction = ""] = mantissa.split(/[.,]/)
  return numberRead(whole + fraction, fraction.length, 10 ** Number(exponent), false, `×10^${exponent}`)
}

/** 12*768*768*4. @param {string} typed */
function readSum(typed) {
  const value = sum(typed)
  return value === null
    ? null
    : { ...numberRead(String(value), 0, 1, true), typedSum: typed.replace(/[=?\s]+$/, "").trim() }
}

/** 三亿四千万. @param {string} typed */
function readMyriads(typed) {
  const found = myriads(
    typed
      .replace(/\s/g, "")
      .replace(/^[约約大]+/, "")
      .replace(/(?:个?参数|個?參數|左右)+$/, ""),
  )
  return found && numberRead(String(found.value / found.unit), 0, found.unit, found.unit === 1, "万")
}

const DIVIDED = /^(.*?[0-9)\]])((?:[/÷](?:1[,_]?000(?:[,_]?000)*|1e[369]|1024|(?:10|2)(?:\^|\*\*)[0-9]{1,2}))+)=?$/

/** 109,482,240 / 1e6: a number in millions, or bytes in some unit, is what stands before it. @param {string} typed */
function readQuotient(typed) {
  const [, number, below] = DIVIDED.exec(lowered(typed.toLowerCase().replace(/\s/g, ""))) ?? []
  return below ? (readPlain(number) ?? readSum(number)) : null
}

const TIMES = /^[~≈]?([1-9][0-9]?)[.,]([0-9]{1,3})(?:x|×|times|-?fold|倍)?$/

/** 3.06, 3.1 times: how many times as many. @param {string} typed */
function readTimes(typed) {
  const [, whole, fraction] = TIMES.exec(typed.toLowerCase().replace(/\s/g, "")) ?? []
  if (!fraction) return null
  const [value, half] = [Number(`${whole}.${fraction}`), 0.5 / 10 ** fraction.length]
  return {
    ...numberRead(whole + fraction, fraction.length, 1, false, "x"),
    amount: /** @type {const} */ ("share"),
    share: /** @type {[number, number]} */ ([value - half, value + half]),
  }
}

// Signs and words that say nothing about the number that they stand around.
const SIGNS = /[.:,;!?=~≈()"“”]/g
const IGNORED = new Set(
  (
    "a about all an approx approximately around as ca circa count counted exactly for get gets got had has have i in is it " +
    "just model my number of only or our param parameter parameters params print printed prints roughly says some sum that the there " +
    "to total totals trainable weights with"
  ).split(" "),
)

/** One number among words, with its unit: "I got approx 110M params." @param {string} typed */
function readAmongWords(typed) {
  const words = typed.toLowerCase().trim().split(/\s+/)
  const numbers = words.filter((each) => /[0-9]/.test(each))
  if (numbers.length !== 1 || (words.length < 2 && !/[.!?:]$/.test(numbers[0]))) return null
  const place = words.indexOf(numbers[0])
  const next = (words[place + 1] ?? "").replace(SIGNS, "")
  const isUnit = Object.hasOwn(units.counts, next) || Object.hasOwn(units.bytes, next)
  const around = words.filter((_, at) => at !== place && !(isUnit && at === place + 1))
  const known = around.map((each) => each.replace(SIGNS, "")).every((each) => !each || IGNORED.has(each))
  const number = numbers[0].replace(/^[=~≈("“:]+|[)"”.,:;!?]+$/g, "")
  return known ? readPlain(isUnit ? number + next : number) : null
}

/**
 * @param {string} digits
 * @param {number} decimals
 * @param {number} size
 * @param {boolean} exact
 * @returns {NumberRead}
 */
function numberRead(digits, decimals, size, exact, unit = "", ofMemory = false) {
  const asked = { digits: Number(digits), decimals, unit, size, ofMemory, exact }
  const [low, high] = bounds(asked)
  return { ...asked, low: Math.max(low, 0), high, amount: ofMemory ? "memory" : "count", share: null, typedSum: "" }
}

/** @param {string} whole @param {string} fraction @returns {NumberRead} */
function shareRead(whole, fraction) {
  const [value, half] = [Number(`${whole}.${fraction || 0}`) / 100, 0.5 / 10 ** (fraction.length + 2)]
  return {
    ...numberRead(whole + fraction, fraction.length, 1, false, "%"),
    amount: "share",
    share: [value - half, value + half],
  }
}

/** The same number with its last zeros rounded away: 110,000,000 for any that rounds to it.
 * @param {NumberRead} asked @returns {NumberRead | null} */
export function rounded({ digits, exact, amount }) {
  const written = String(digits)
  const zeros = written.length - written.replace(/0+$/, "").length
  if (!exact || amount !== "count" || zeros < LEAST_ZEROS) return null
  return numberRead(written.slice(0, -zeros), 0, 10 ** zeros, false, "0".repeat(zeros))
}
const LEAST_ZEROS = 4

/**
 * Digits before and after the decimal mark; other marks separate thousands.
 * @param {string} digits
 * @param {boolean} hasUnit
 */
function split(digits, hasUnit) {
  const marks = digits.match(/[.,]/g) ?? []
  const last = marks.at(-1)
  if (!last) return [digits, ""]
  const cut = digits.lastIndexOf(last)
  const after = digits.slice(cut + 1)
  const once = marks.filter((each) => each === last).length === 1
  // The last mark is decimal if it stands once, and not before three digits that end a whole number.
  if (once && (after.length !== 3 || (hasUnit && last === "."))) {
    return [digits.slice(0, cut).replace(/[.,]/g, ""), after]
  }
  return [digits.replace(/[.,]/g, ""), ""]
}

/** @param {number} one @param {number} other @returns {number}  their greatest common divisor */
const common = (one, other) => (other ? common(other, one % other) : one)

/**
 * The least and the greatest whole number that it may mean.
 * @param {Pick<NumberRead, "digits" | "decimals" | "size" | "exact">} asked
 * @param {number} unit
 * @param {boolean} strict  whether a zero at the end is a digit as well, and not there because the number is rounded
 * @returns {[low: number, high: number]}
 */
export function bounds(asked, unit = asked.size, strict = false) {
  // Beyond what a model can hold one number is like another.
  const digits = Math.min(asked.digits, Number.MAX_SAFE_INTEGER)
  if (asked.exact) return [digits, digits]
  const last = !strict && !asked.decimals && digits && digits % 10 === 0 ? 10 : 1
  // Without what both have in common, these products are exact up to the same limit.
  const below = 2 * 10 ** asked.decimals
  const divisor = common(unit, below)
  const [low, high] = [-last, last].map((side) =>
    Math.ceil(((2 * digits + side) * (unit / divisor)) / (below / divisor)),
  )
  return [Math.min(low, Number.MAX_SAFE_INTEGER), Math.min(high - 1, Number.MAX_SAFE_INTEGER)]
}
