// Reading: what a text says that a reader typed, and which numbers it may mean.
// A plain number with or without a unit is read by the rules of
// macros/counting/published/printed.py, and a test compares the two; powers
// of ten, sums, shares and words around a number are read here only.

import table from "../../data/table.js"
import { sum } from "./arithmetic.js"
import { withoutMyriads } from "./myriads.js"

const { units, explanations } = table
const { limits, words } = explanations

const [SIGNS, PLAIN] = ["。×✕·⋅∙÷⁄∕−–‐‑[{]}", ".xx***///----(())"]
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
// Where a power sign got lost, 1.1×108 can be no product; 2×108 can.
const POWER_OF_TEN =
  /(?<![0-9.,*/^x(+-]\s*)([1-9](?:[.,][0-9]+)?)\s*[x*]\s*10(?:\s*\^\s*|(?<=[.,][0-9]+\s*[x*]\s*10))\+?([0-9]{1,2})(?!\s*[0-9.,*/^x)+-])/

/** A text in plain characters and small letters. @param {string} text */
const plainly = (text) =>
  withoutMyriads(
    text
      .replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g, (raised) => `^${[...raised].map((each) => RAISED.indexOf(each)).join("")}`)
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[\s\x1c-\x1f\x85"“”„«»]+/g, " ")
      .replace(/./gu, (sign) => PLAIN[SIGNS.indexOf(sign)] ?? sign)
      .replace(/\*\*/g, "^"),
  )
    // Of a number in two ways, 109,482,240 (417.64 MB), the first is read; words in brackets are words.
    .replace(/(?<=[0-9]\S* )\([~≈]? ?[0-9][0-9.,]* ?(?:%|[a-z]+)?\)/, "")
    .replace(/\(([^()0-9]*)\)/g, " $1 ")
    .replace(/-?fold\b/, "x")
    .replace(/^ ?\+(?=[0-9])|(?<=[a-z])\+ ?$|(?<=\p{L})['’]\p{L}+/gu, "")
    .replace(/(?<=\p{L})-(?=\p{L})/gu, " ")
    .replace(POWER_OF_TEN, "$1e$2")

// Words that say nothing about the number that they stand around; some may also touch it.
const [TOUCHING, OTHERS, TIMES, SHARES] = [words.touching, words.ignored, words.times, words.shares].map((each) =>
  each.split(" "),
)
export const IGNORED = new Set([...TOUCHING, ...OTHERS])
// GFLOPs, MACs: what is counted, after a unit or alone.
const OPERATIONS = new RegExp(`^([kmgt]?)(?:(${words.flops.replace(/ /g, "|")})|${words.macs.replace(/ /g, "|")})$`)
const BESIDE = new Set(words.beside.split(" "))

/** What operations are called in a text: FLOPs, or multiply-adds; "" where it names none. @param {string} text @returns {NumberRead["called"]} */
function calledIn(text) {
  const names = plainly(text).match(/\p{L}+/gu) ?? []
  const found = names.map((each) => OPERATIONS.exec(each)).filter(Boolean)
  return !found.length ? "" : found.every((each) => each?.[2]) ? "flops" : "macs"
}
const UNITS = [...Object.keys({ ...units.counts, ...units.bytes }), ...SHARES]

// Chinese words stand together without blanks; so do a unit and what it counts: 110Mparams.
const HAN = [...UNITS, ...TIMES, ...TOUCHING]
  .filter((word) => /\p{Script=Han}/u.test(word))
  .sort((one, other) => other.length - one.length)
const TOKEN = new RegExp(
  [
    String.raw`(?<digits>[0-9](?:[0-9.,_'’]|\s+(?=[0-9]{2,3}(?![0-9])))*)(?:e\+?(?<power>[0-9]{1,2})(?![0-9]|[.,][0-9]))?`,
    String.raw`(?<word>${HAN.join("|")}|%|(?:(?!\p{Script=Han})[\p{L}\p{M}])+?(?=param|\P{L}|\p{Script=Han}|$))`,
    String.raw`(?<sign>\S)`,
  ].join("|"),
  "gu",
)

/** @typedef {{ digits: string, power?: string, unit: string }} Term */

/** Terms and signs of a text without the words around them, or null where it holds other words, or signs that are none of a sum.
 * @param {string} text @returns {(Term | string)[] | null} */
function tokensOf(text) {
  /** @type {(Term | string)[]} */
  const tokens = []
  const isOfOperations = calledIn(text) !== ""
  let isOver = false // no number comes after words that follow one
  for (const { index, groups } of text.matchAll(TOKEN)) {
    const { digits, power, word, sign = "" } = groups ?? {}
    const last = tokens.at(-1)
    const term = typeof last === "object" ? last : null
    if (digits) {
      if (isOver || term) return null
      tokens.push({ digits: digits.replace(/[_'’\s]/g, ""), power, unit: "" })
    } else if (word) {
      const named = OPERATIONS.exec(word)
      if (term && !term.unit && !term.power && !isOver && UNITS.includes(word)) term.unit = word
      else if (named) {
        if (term && !isOver && !term.power) term.unit ||= named[1]
        isOver = tokens.some((token) => typeof token === "object")
      } else if (isOfOperations && BESIDE.has(word)) continue
      else if (TIMES.includes(word) && last && !isOver) tokens.push("x")
      else if (!IGNORED.has(word) || touches(text, index, word)) return null
      else isOver = tokens.some((token) => typeof token === "object")
    } else if ("+-*/^()".includes(sign) && !(isOver && sign !== ")")) tokens.push(sign)
    else if (/[.,]/.test(sign) && /[0-9]/.test(text[index + 1] ?? "")) return null
    else if (!(term || isOver ? ".,:;!?…" : "~≈<>≤≥#.,:;!?…").includes(sign)) return null
    else isOver ||= term !== null
  }
  return tokens
}

/** Whether a word that is no part of a number stands at its digits. @param {string} text @param {number} place @param {string} word */
const touches = (text, place, word) =>
  !TOUCHING.includes(word) && (/[0-9.,]/.test(text[place - 1] ?? "") || /[0-9]/.test(text[place + word.length] ?? ""))

/** Digits, decimals and unit of a text, or null where it holds no number.
 * @param {string} text @returns {NumberRead | null} */
export function read(text) {
  if ([...text].length > limits.longest) return null
  // Of a number and what else it is, or what else there is, the first is read: N = 12 × 768 = 9,216.
  const piece = text.split(/[=＝]+|\|\|/).find((each) => /\p{Nd}|\p{No}|\p{Script=Han}/u.test(each)) ?? ""
  const tokens = tokensOf(plainly(piece)) ?? []
  const typed = piece.replace(/[?\s]+$/, "").trim()
  const found = termRead(tokens) ?? sumRead(tokens, typed) ?? fractionRead(tokens)
  if (!found) return null
  const called = found.amount === "count" ? calledIn(piece) : ""
  const amount = called ? "operations" : found.amount
  return {
    ...found,
    amount,
    called,
    bare: found.bare && !called,
    trainable: /(?<!non[- ]?)train/i.test(text),
    smaller: /\b(smaller|fewer|less)\b/i.test(text),
  }
}

const MOST_POWER = 15
const FEW_DIGITS = 4 // that a number without a unit has if it may lack one

/** The size of a unit, and whether it is one of memory. @param {string} unit */
export function unitNamed(unit) {
  const ofMemory = Object.hasOwn(units.bytes, unit)
  const amount = /** @type {NumberRead["amount"]} */ (ofMemory ? "memory" : "count")
  return { size: (ofMemory ? units.bytes : units.counts)[unit], ofMemory, amount }
}

/** A number with its unit or power of ten, or so many times: 3.1x. @param {(Term | string)[]} tokens @returns {NumberRead | null} */
function termRead([term, sign, ...rest]) {
  if (typeof term !== "object" || rest.length) return null
  const { digits, power, unit } = term
  const times = sign === "x" && !unit && !power
  if (sign && !times) return null
  const [whole, fraction] = split(digits, Boolean(unit || power || times))
  const plain = { digits: Number(whole + fraction), decimals: fraction.length, unit }
  if (times) return shareRead({ ...plain, unit: "x" })
  if (power)
    return Number(power) > MOST_POWER || digits.startsWith("0")
      ? null
      : numberRead({ ...plain, size: 10 ** Number(power), unit: `×10^${power}` })
  if (SHARES.includes(unit)) return shareRead({ ...plain, unit: "%" }, 100)
  const bare = !unit && whole.length <= FEW_DIGITS
  if (!unit && /[^0]/.test(fraction)) return bare ? shareRead({ ...plain, bare }) : null
  if (!unit) return numberRead({ digits: Number(whole), exact: true, bare })
  const { size, ofMemory, amount } = unitNamed(unit)
  return numberRead({ ...plain, size, ofMemory, amount, exact: ofMemory && size === 1 })
}

/** 12 × (768 × 768 + 768), 110M − 109,482,240. @param {(Term | string)[]} tokens @param {string} typed @returns {NumberRead | null} */
function sumRead(tokens, typed) {
  const terms = tokens.map((each) => (typeof each === "object" ? termRead([each]) : each))
  if (terms.some((each) => !each || (typeof each === "object" && each.amount === "share"))) return null
  const quantities = terms.map((each) => {
    if (!each || typeof each === "string") return each === "x" ? "*" : (each ?? "")
    const unit = each.size / 10 ** each.decimals
    return { value: each.digits * unit, width: each.exact ? 0 : unit, ofMemory: each.ofMemory }
  })
  const result = sum(quantities)
  const numbers = terms.filter((each) => typeof each === "object")
  if (!result || numbers.length === 1) return result && numbers[0]
  const { value, width, ofMemory, isScaled } = result
  const amount = ofMemory ? "memory" : "count"
  const found = numberRead({ digits: value / (width || 1), size: width || 1, exact: !width, ofMemory, amount })
  return found.low > found.high ? null : { ...found, typedSum: isScaled ? "" : typed }
}

/** 2/3, or one total of another: a share. @param {(Term | string)[]} tokens @returns {NumberRead | null} */
function fractionRead([one, sign, other, ...rest]) {
  const [above, below] = [one, other].map((each) => termRead([each]))
  if (sign !== "/" || rest.length || !above?.exact || !below?.exact || !below.digits) return null
  const [value, small] = [above.digits / below.digits, below.digits <= LARGEST_OF_FRACTION]
  if (above.ofMemory || below.ofMemory || (small && value >= 1)) return null
  // People say two thirds of what is nearly that.
  const about = value * (small ? 0.01 : 1e-9)
  return { ...above, exact: false, bare: false, amount: "share", share: [value - about, value + about] }
}
const LARGEST_OF_FRACTION = 1000

/** @param {Partial<NumberRead> & { digits: number }} fields @returns {NumberRead} */
function numberRead(fields) {
  const asked = { decimals: 0, unit: "", size: 1, ofMemory: false, exact: false, bare: false, ...fields }
  const [low, high] = bounds(asked)
  /** @type {Pick<NumberRead, "called">} */
  const none = { called: "" }
  const said = { ...none, share: null, typedSum: "", inLetters: false, trainable: false, smaller: false }
  return { amount: "count", ...said, ...asked, low: Math.max(low, 0), high }
}

/** @param {{ digits: number, decimals: number, unit: string, bare?: boolean }} fields @returns {NumberRead} */
function shareRead(fields, per = 1) {
  const [value, half] = [fields.digits, 0.5].map((each) => each / 10 ** fields.decimals / per)
  return { ...numberRead(fields), amount: "share", share: [value - half, value + half] }
}

/** Digits before and after the decimal mark; other marks separate thousands.
 * @param {string} digits @param {boolean} hasUnit @returns {[whole: string, fraction: string]} */
function split(digits, hasUnit) {
  const marks = digits.match(/[.,]/g) ?? []
  const last = marks.at(-1)
  if (!last) return [digits, ""]
  const cut = digits.lastIndexOf(last)
  const [before, after] = [digits.slice(0, cut).replace(/[.,]/g, ""), digits.slice(cut + 1)]
  const once = marks.filter((each) => each === last).length === 1
  // The last mark is decimal if it stands once, and not before three digits that end a whole number other than zero.
  if (once && (after.length !== 3 || /^0*$/.test(before) || (hasUnit && last === "."))) return [before, after]
  return [before + after, ""]
}

/** @param {number} one @param {number} other @returns {number}  their greatest common divisor */
const common = (one, other) => (other ? common(other, one % other) : one)

/** The least and the greatest whole number that it may mean.
 * @param {Pick<NumberRead, "digits" | "decimals" | "size" | "exact">} asked @param {number} unit
 * @param {boolean} strict  whether a zero at the end is a digit as well, and not there because the number is rounded @returns {[low: number, high: number]} */
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
