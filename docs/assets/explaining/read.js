// Reads the number in a text that a reader typed, with the range of numbers that it may
// mean. Numbers with and without units follow the rules of
// macros/counting/published/printed_numbers.py, and tests/scripts/test_counting.py compares
// the two. Powers of ten, sums, shares, hexadecimal numbers, number words, the numerals and digits
// of other languages, and words around a number are read only here.
//
// 1. `normalise` normalises the text: lower case, and one sign for each operation.
// 2. `tokensOf` splits it into numbers, signs and words. A text with an unknown word is not
//    read as a number.
// 3. `readTerm`, `readSum` and `readFraction` read a single number, a sum, and a fraction.

import table from "../../data/table.js"
import { sum } from "./arithmetic.js"
import { inPlainDigits } from "./digits.js"
import { withoutMyriads } from "./myriads.js"
import { withoutNumberWords } from "./number-words.js"

const { units, explanations } = table
const { limits, words } = explanations

// Characters that people type or copy, and the characters at the same positions that replace them.
const [SIGNS, PLAIN] = ["。×✕·⋅∙÷⁄∕−–‐‑[{]}", ".xx***///----(())"]
const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"

// A superscript may be lost in copying: 1.1×108 is taken for 1.1×10⁸, while 2×108 may really be a product.
const POWER_OF_TEN =
  /(?<![0-9.,*/^x(+-]\s*)([1-9](?:[.,][0-9]+)?)\s*[x*]\s*10(?:\s*\^\s*|(?<=[.,][0-9]+\s*[x*]\s*10))\+?([0-9]{1,2})(?!\s*[0-9.,*/^x)+-])/

/** A number and its label as Python prints a tuple: (109.48, 'M params') or ('params:', 109482240). */
const TUPLE = /\(\s*(?:(["'])([^"'()]*)\1\s*,\s*([0-9][0-9._]*)|([0-9][0-9._]*)\s*,\s*(["'])([^"'()]*)\5)\s*,?\s*\)/g

/** The text with every printed tuple replaced by the number and its label. @param {string} text */
export const withoutTuples = (text) => text.replace(TUPLE, "$2 $3$4 $6")

/** A number as it was typed, whatever it may have been rounded from.
 * @param {Pick<NumberRead, "mantissa" | "decimals" | "size">} number */
export const typedNumberOf = ({ mantissa, decimals, size }) => (mantissa * size) / 10 ** decimals

/** The number that all digits of a text form together, whatever separates them. @param {string} text */
export const numberOfDigits = (text) => Number(text.replace(/[^0-9]/g, ""))

/** A text in lower case and plain characters, without what does not affect its number, such as a second number in
 * brackets, brackets around words, and plus signs before and after a number.
 * @param {string} text */
const normalise = (text) =>
  withoutMyriads(
    withoutTuples(text)
      .replace(
        /[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g,
        (superscripts) => `^${[...superscripts].map((digit) => SUPERSCRIPTS.indexOf(digit)).join("")}`,
      )
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[\s\x1c-\x1f\x85"“”„«»]+/g, " ")
      .replace(/./gu, (sign) => PLAIN[SIGNS.indexOf(sign)] ?? sign)
      .replace(/\*\*/g, "^"),
  )
    // If a number is given twice, as in 109,482,240 (417.64 MB), the first is read. Brackets around words are dropped.
    .replace(/(?<=[0-9]\S* )\([~≈]? ?[0-9][0-9.,]* ?(?:%|[a-z]+)?\)/, "")
    .replace(/\(([^()0-9]*)\)/g, " $1 ")
    .replace(/-?fold\b/, "x")
    // Drop a plus before the number (+590,592) or after its unit (110M+), and the ending of BERT's.
    .replace(/^ ?\+(?=[0-9])|(?<=[a-z])\+ ?$|(?<=\p{L})['’]\p{L}+/gu, "")
    .replace(/(?<=\p{L})-(?=\p{L})/gu, " ") // a hyphen within a word is not a minus sign
    .replace(POWER_OF_TEN, "$1e$2")

const [TOUCHING_WORDS, OTHER_WORDS, TIMES_WORDS, SHARE_WORDS] = [
  words.touching,
  words.ignored,
  words.times,
  words.shares,
].map((list) => list.split(" "))

/** Words around a number that do not affect it. Those in `TOUCHING_WORDS` may directly touch its digits. */
export const IGNORED = new Set([...TOUCHING_WORDS, ...OTHER_WORDS])

// A word for operations, with or without a prefix: GFLOPs, MACs.
const OPERATION_WORD = new RegExp(`^([kmgt]?)(?:(${words.flops.replace(/ /g, "|")})|${words.macs.replace(/ /g, "|")})$`)
// Words that only accompany numbers of operations, as in "per token".
const ACCOMPANYING_WORDS = new Set(words.beside.split(" "))

/** The unit of operations that a text names: "flops", or "macs" for multiply-adds; "" if it names none.
 * @param {string} text @returns {NumberRead["operationUnit"]} */
function unitOfOperations(text) {
  const names = normalise(text).match(/\p{L}+/gu) ?? []
  const matches = names.map((name) => OPERATION_WORD.exec(name)).filter(Boolean)
  if (!matches.length) return ""
  return matches.every((match) => match?.[2]) ? "flops" : "macs"
}

/** The words for units of counts, of bytes and of shares. */
const UNITS = [...Object.keys({ ...units.counts, ...units.bytes }), ...SHARE_WORDS]

// Chinese words are not separated by spaces. The longest come first, so that no word matches as the beginning of a
// longer one.
const CHINESE_WORDS = [...UNITS, ...TIMES_WORDS, ...TOUCHING_WORDS]
  .filter((word) => /\p{Script=Han}/u.test(word))
  .sort((one, other) => other.length - one.length)
// A number with separators and perhaps a power of ten, a word, or any other sign. A word may end before "param", as in
// 110Mparams.
const TOKEN = new RegExp(
  [
    String.raw`(?<digits>[0-9](?:[0-9.,_'’]|\s+(?=[0-9]{2,3}(?![0-9])))*)(?:e\+?(?<power>[0-9]{1,2})(?![0-9]|[.,][0-9]))?`,
    String.raw`(?<word>${CHINESE_WORDS.join("|")}|%|(?:(?!\p{Script=Han})[\p{L}\p{M}])+?(?=param|\P{L}|\p{Script=Han}|$))`,
    String.raw`(?<sign>\S)`,
  ].join("|"),
  "gu",
)

/** A term as a token: its digits, the power of ten after an e, and its unit.
 * @typedef {{ digits: string, power?: string, unit: string }} TermToken */

/** The terms and signs of a text, without the words around them; null if it contains unknown words, or signs that
 * cannot be part of a sum.
 * @param {string} text @returns {(TermToken | string)[] | null} */
function tokensOf(text) {
  /** @type {(TermToken | string)[]} */
  const tokens = []
  const isOfOperations = unitOfOperations(text) !== ""
  let isOver = false // no number may follow the words after a number
  for (const { index, groups } of text.matchAll(TOKEN)) {
    const { digits, power, word, sign = "" } = groups ?? {}
    const last = tokens.at(-1)
    const term = typeof last === "object" ? last : null
    if (digits) {
      if (isOver || term) return null
      tokens.push({ digits: digits.replace(/[_'’\s]/g, ""), power, unit: "" })
    } else if (word) {
      const operationWord = OPERATION_WORD.exec(word)
      if (term && !term.unit && !term.power && !isOver && UNITS.includes(word)) term.unit = word
      else if (operationWord) {
        if (term && !isOver && !term.power) term.unit ||= operationWord[1]
        isOver = tokens.some((token) => typeof token === "object")
      } else if (isOfOperations && ACCOMPANYING_WORDS.has(word)) continue
      else if (TIMES_WORDS.includes(word) && last && !isOver) tokens.push("x")
      else if (!IGNORED.has(word) || isTouching(text, index, word)) return null
      else isOver = tokens.some((token) => typeof token === "object")
    } else if ("+-*/^()".includes(sign) && !(isOver && sign !== ")")) tokens.push(sign)
    else if (/[.,]/.test(sign) && /[0-9]/.test(text[index + 1] ?? "")) return null
    else if (!(term || isOver ? ".,:;!?…" : "~≈<>≤≥#.,:;!?…").includes(sign)) return null
    else isOver ||= term !== null
  }
  return tokens
}

/** Whether a word directly touches the digits of a number, although it is not in `TOUCHING_WORDS`.
 * @param {string} text @param {number} start  the index of the word in the text @param {string} word */
const isTouching = (text, start, word) =>
  !TOUCHING_WORDS.includes(word) &&
  (/[0-9.,]/.test(text[start - 1] ?? "") || /[0-9]/.test(text[start + word.length] ?? ""))

/** The number in a text; null if the text has none, or anything besides one that may affect it, such as an unknown
 * word.
 * @param {string} typed @returns {NumberRead | null} */
export function read(typed) {
  if ([...typed].length > limits.max_characters || hasSeveralStatements(typed)) return null
  const text = withoutNumberWords(inPlainDigits(typed))
  // Of several numbers separated by =, an arrow or ||, as in N = 12 × 768 = 9,216, the first is read.
  const sides = text.split(/(?:[=-]>|[=＝→⇒])+|\|\|/).filter((part) => /\p{Nd}|\p{No}|\p{Script=Han}/u.test(part))
  const [side = "", result = ""] = sides
  const piece = side.replace(UNIT_OF_QUOTIENT, "")
  // In 110M × 4 = 440 MB, the result shows that the product is in bytes.
  const isInBytes = MEMORY.test(result) && /[*x×·]\s?[0-9.]+\s*$/i.test(piece)
  const tokens = tokensOf(normalise(isInBytes ? `${piece} bytes` : piece)) ?? []
  const pieceText = piece.replace(/[?\s]+$/, "").trim()
  const number = readTerm(tokens) ?? readSum(tokens, pieceText) ?? readFraction(tokens)
  if (!number || (number.bare && isNamedOtherwise(text.slice(0, text.indexOf(piece))))) return null
  if (!number.share && number.low > number.high) return null // as in 6.2e0 or 2.5 bytes, which no whole number means
  const operationUnit = number.amount === "count" ? unitOfOperations(piece) : ""
  const amount = operationUnit ? "operations" : number.amount
  return {
    ...number,
    amount,
    operationUnit,
    bare: number.bare && !operationUnit,
    trainable: /(?<!non[- ]?)train/i.test(text),
    smaller: /\b(smaller|fewer|less)\b/i.test(text),
  }
}

/** An amount of memory. */
const MEMORY = /^\s*[≈~]?\s*[0-9][0-9.,]*\s*[kMGT]i?B\b/

/** Whether a text makes more than one statement: several lines have an equals sign, or several items of a list in one
 * line do, as in "layers = 12, heads = 12".
 * @param {string} text */
export const hasSeveralStatements = (text) =>
  text.split(/\n|[,;](?=\s)/).filter((statement) => /[=＝]/.test(statement)).length > 1

/** Whether the words before a number name something other than a count, as in "Num Epochs = 3". Single letters are
 * ignored, because they may denote sizes.
 * @param {string} name */
const isNamedOtherwise = (name) => (normalise(name).match(/\p{L}{2,}/gu) ?? []).some((word) => !IGNORED.has(word))

// The unit after a quotient, which the divisor already implies: 437928960 / 1024**2 MiB.
const UNIT_OF_QUOTIENT =
  /(?<=\/\s*\(?\s*(?:1e[369]|1000(?:000){0,2}|1024(?:\s*(?:\*\*|\^)\s*[23])?|1048576|1073741824|(?:2|10)\s*(?:\*\*|\^)\s*[1-3]?[0369])\s*\)?)\s*[kmg]i?b\s*$/i

const MAX_POWER = 15 // the largest power of ten, because larger numbers cannot be exact
const MIN_DIGITS_OF_BYTES = 7 // B after a whole number with at least this many digits stands for bytes
const MAX_BARE_DIGITS = 4 // a number with more digits is never taken to lack a unit

/** The size of a unit, and whether it is a unit of memory. @param {string} unit */
export function unitNamed(unit) {
  const ofMemory = Object.hasOwn(units.bytes, unit)
  const amount = /** @type {NumberRead["amount"]} */ (ofMemory ? "memory" : "count")
  return { size: (ofMemory ? units.bytes : units.counts)[unit], ofMemory, amount }
}

/** The number in a single term, which may have a unit or a power of ten or be a ratio such as 3.1x; null if there is
 * none.
 * @param {(TermToken | string)[]} tokens @returns {NumberRead | null} */
function readTerm([term, sign, ...rest]) {
  if (typeof term !== "object" || rest.length) return null
  const { digits, power, unit } = term
  const isRatio = sign === "x" && !unit && !power
  if (sign && !isRatio) return null
  const [integerDigits, fractionDigits] = splitDecimal(digits, Boolean(unit || power || isRatio))
  const commonFields = { mantissa: Number(integerDigits + fractionDigits), decimals: fractionDigits.length, unit }
  if (isRatio) return makeShare({ ...commonFields, unit: "x" })
  if (power) {
    if (Number(power) > MAX_POWER || digits.startsWith("0")) return null
    return makeNumber({ ...commonFields, size: 10 ** Number(power), unit: `×10^${power}` })
  }
  if (SHARE_WORDS.includes(unit)) return makeShare({ ...commonFields, unit: "%" }, 100)
  const bare = !unit && integerDigits.length <= MAX_BARE_DIGITS
  if (!unit && /[^0]/.test(fractionDigits)) return bare ? makeShare({ ...commonFields, bare }) : null
  if (!unit) return makeNumber({ mantissa: Number(integerDigits), exact: true, bare })
  // B is short for a billion, but nobody writes out millions of billions.
  const isInBytes = unit === "b" && !fractionDigits && integerDigits.length >= MIN_DIGITS_OF_BYTES
  const { size, ofMemory, amount } = unitNamed(isInBytes ? "bytes" : unit)
  return makeNumber({ ...commonFields, size, ofMemory, amount, exact: ofMemory && size === 1 })
}

/** Words before a sum and a question mark after it, which an answer does not repeat: "What is 12 × 768?" */
const AROUND_SUM = /^\s*(?:\p{L}[\p{L}']*\s+)+(?=[0-9(])|\s*[?？]\s*$/gu

/** The result of a sum, such as 12 × (768 × 768 + 768) or 110M − 109,482,240; null if it makes no sense.
 * @param {(TermToken | string)[]} tokens @param {string} typed @returns {NumberRead | null} */
function readSum(tokens, typed) {
  const terms = tokens.map((token) => (typeof token === "object" ? readTerm([token]) : token))
  if (terms.some((term) => !term || (typeof term === "object" && term.amount === "share"))) return null
  const quantities = terms.map((term) => {
    if (!term || typeof term === "string") return term === "x" ? "*" : (term ?? "")
    const unit = term.size / 10 ** term.decimals
    return { value: term.mantissa * unit, width: term.exact ? 0 : unit, ofMemory: term.ofMemory }
  })
  const result = sum(quantities)
  const numbers = terms.filter((term) => typeof term === "object")
  if (!result || numbers.length === 1) return result && numbers[0]
  const { value, width, ofMemory, divisor } = result
  const amount = ofMemory ? "memory" : "count"
  const number = makeNumber({ mantissa: value / (width || 1), size: width || 1, exact: !width, ofMemory, amount })
  return number.low > number.high
    ? null
    : { ...number, [divisor > 1 ? "scaledSum" : "typedSum"]: typed.replace(AROUND_SUM, ""), scale: divisor }
}

/** The share that a fraction below 1 gives, such as 2/3, or the ratio of one total to another; null for any other
 * tokens.
 * @param {(TermToken | string)[]} tokens @returns {NumberRead | null} */
function readFraction([first, sign, second, ...rest]) {
  const [numerator, denominator] = [first, second].map((token) => readTerm([token]))
  if (sign !== "/" || rest.length || !numerator?.exact || !denominator?.exact || !denominator.mantissa) return null
  const value = numerator.mantissa / denominator.mantissa
  const isFraction = denominator.mantissa <= MAX_DENOMINATOR
  if (numerator.ofMemory || denominator.ofMemory || (isFraction && value >= 1)) return null
  // People say "two thirds" for anything close to it, while a quotient of totals is exact up to floating-point
  // rounding.
  const tolerance = value * (isFraction ? 0.01 : 1e-9)
  return { ...numerator, exact: false, bare: false, amount: "share", share: [value - tolerance, value + tolerance] }
}
const MAX_DENOMINATOR = 1000 // a quotient with a larger denominator is taken for a quotient of two totals

/** A number with its bounds. Fields that are not given have defaults.
 * @param {Partial<NumberRead> & { mantissa: number }} fields @returns {NumberRead} */
function makeNumber(fields) {
  const number = { decimals: 0, unit: "", size: 1, ofMemory: false, exact: false, bare: false, ...fields }
  const [low, high] = bounds(number)
  /** @type {Pick<NumberRead, "operationUnit">} */
  const noOperations = { operationUnit: "" }
  const defaultFields = {
    ...noOperations,
    share: null,
    typedSum: "",
    scaledSum: "",
    scale: 1,
    inLetters: false,
    trainable: false,
    smaller: false,
  }
  return { amount: "count", ...defaultFields, ...number, low: Math.max(low, 0), high }
}

/** A share with its bounds, which are half a unit of the last digit to either side.
 * @param {{ mantissa: number, decimals: number, unit: string, bare?: boolean }} fields
 * @param {number} [per]  100 for a percentage
 * @returns {NumberRead} */
function makeShare(fields, per = 1) {
  const [value, half] = [fields.mantissa, 0.5].map((number) => number / 10 ** fields.decimals / per)
  return { ...makeNumber(fields), amount: "share", share: [value - half, value + half] }
}

/** The digits before and after the decimal mark, without the marks between thousands.
 * @param {string} digits @param {boolean} hasUnit @returns {[whole: string, fraction: string]} */
function splitDecimal(digits, hasUnit) {
  const marks = digits.match(/[.,]/g) ?? []
  const last = marks.at(-1)
  if (!last) return [digits, ""]
  const markIndex = digits.lastIndexOf(last)
  const [before, after] = [digits.slice(0, markIndex).replace(/[.,]/g, ""), digits.slice(markIndex + 1)]
  const isSingle = marks.filter((mark) => mark === last).length === 1
  // A mark before three digits may separate thousands: 108,891 is a whole number, while 0.891 and 108.891M are not.
  if (isSingle && (after.length !== 3 || /^0*$/.test(before) || (hasUnit && last === "."))) return [before, after]
  return [before + after, ""]
}

/** The greatest common divisor, by Euclid's algorithm. @param {number} one @param {number} other @returns {number} */
const commonDivisor = (one, other) => (other ? commonDivisor(other, one % other) : one)

/** The smallest and the largest whole number that a typed number may mean. For a fraction of a byte, which no whole
 * number means, the smallest is larger than the largest.
 * @param {Pick<NumberRead, "mantissa" | "decimals" | "size" | "exact">} number @param {number} unit
 * @param {boolean} isStrict  whether a trailing zero is significant, rather than due to rounding
 * @returns {[low: number, high: number]} */
export function bounds(number, unit = number.size, isStrict = false) {
  // No model has this many parameters, so larger numbers need not be distinguished.
  const mantissa = Math.min(number.mantissa, Number.MAX_SAFE_INTEGER)
  if (number.exact) return [Math.ceil(mantissa / 10 ** number.decimals), Math.floor(mantissa / 10 ** number.decimals)]
  const hasRoundedZero = !isStrict && !number.decimals && mantissa && mantissa % 10 === 0
  const lastPlace = hasRoundedZero ? 10 : 1 // the value of the last significant digit
  // Dividing by the common divisor keeps the products below exact.
  const limit = 2 * 10 ** number.decimals
  const divisor = commonDivisor(unit, limit)
  const [low, high] = [-lastPlace, lastPlace].map((side) =>
    Math.ceil(((2 * mantissa + side) * (unit / divisor)) / (limit / divisor)),
  )
  return [Math.min(low, Number.MAX_SAFE_INTEGER), Math.min(high - 1, Number.MAX_SAFE_INTEGER)]
}
