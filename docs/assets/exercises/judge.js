// Judges answers: whether an answer is correct and, if not, how the reader may have
// arrived at it. A text that is not a number of the right kind is not judged. For any
// other, the following cases are tried in order, and the first match decides:
//
// 1. It is exactly the correct number, or exactly a known wrong answer. If it is a wrong
//    sum, its terms may reveal more than its result.
// 2. It is the correct number rounded, or the rounded number of a similar model.
// 3. A known wrong answer rounds to it.
// 4. It is the correct number with a digit mistyped.
// 5. It is too small to be a count.
//
// For the last two, and for any other number, the page of exercises then looks for an explanation
// like those of the page "I got a different number" (explanation.js).
//
// The notebook of the lesson tries the same cases in the same order, as far as it
// can without knowing the correct numbers (macros/teaching/in_notebook.py). A test
// compares the verdicts of both.

import exercises from "../../data/exercises.js"
import { inWords } from "../answering/elements.js"
import { whole } from "../counting/engine.js"
import { fillIn } from "../counting/messages.js"
import { slipOf } from "../explaining/kinds/slips.js"
import { readWithSizes } from "../explaining/letters.js"
import { compareTerms } from "./terms.js"
import { withFurther } from "./wrong.js"

/** @typedef {import("./terms.js").Comparison} Comparison */

const { texts } = exercises

// A rounded amount of memory is right if the range of amounts that round to it contains the correct one and is no wider
// than 1/50 of the correct one. Parameters have no such margin, because they are counted.
const MEMORY_MARGIN = 1 / 50
const BITS_PER_BYTE = 8
const MIN_DIGITS = 4 // slips are not recognised for shorter correct numbers, which too many numbers resemble
const MIN_ZEROS = 2 // a number with fewer trailing zeros is taken as exact, because 10 and 110 often are
const NEIGHBOURS = 2 // the length of a run of digits whose ends may be swapped: only two adjacent digits

/** An answer with a unit that is only accepted in questions about bytes, such as 12 B or 96 bits. */
const IN_BYTES_OR_BITS = /^(.*[0-9)]) *(b|octets?|bits?)$/i

/** At least three groups of digits, which can only be thousands, even if their separators differ, as in 7,945 000. */
const THOUSANDS = /^[0-9]{1,3}([,.\s'_][0-9]{3}){2,}$/
/** The separators between these groups. */
const SEPARATORS = /[,.\s'_]/g

/** A decimal number alone, such as 417.6. A number of bytes has no decimals, so a unit is missing. */
const DECIMAL = /^[0-9]+[.,][0-9]+$/

/** The number that was typed; null if the text contains none. If bytes are asked for, `B` and octets mean bytes, and
 * bits are converted.
 * @param {string} text @param {string} unit @param {Sizes} sizes  the values of letters */
export function readAs(text, unit, sizes) {
  const [, number, unitTyped = ""] = (unit === "bytes" && IN_BYTES_OR_BITS.exec(text.trim())) || []
  const digits = THOUSANDS.test(text.trim()) ? text.replace(SEPARATORS, "") : (number ?? text)
  const reading = readWithSizes(digits, sizes)
  if (!reading || !unitTyped.toLowerCase().startsWith("bit")) return reading
  return { ...reading, low: reading.low / BITS_PER_BYTE, high: reading.high / BITS_PER_BYTE }
}

/** The smallest and the largest number that round to the typed one; null if the typed number is taken as exact.
 * @param {NumberRead} reading @returns {[low: number, high: number] | null} */
function roundingRange({ exact, low, high, typedSum }) {
  if (!exact) return [low, high]
  const [zeros] = /0*$/.exec(String(low)) ?? [""]
  if (typedSum || !low || zeros.length < MIN_ZEROS) return null
  return [low - 10 ** zeros.length / 2, low + 10 ** zeros.length / 2 - 1]
}

/** The verdict on an answer.
 * @param {string} text @param {number} answer @param {string} unit  the unit of the correct answer
 * @param {WrongAnswer[]} knownWrongAnswers  the known wrong answers
 * @param {Sizes} [sizes]  the sizes of the model in question
 * @param {PartOfSum} [rightSum]  the sum that gives the answer
 * @returns {Verdict} */
export function judge(text, answer, unit, knownWrongAnswers, sizes = {}, rightSum = undefined) {
  /** A verdict of this kind. @param {Verdict["kind"]} kind @param {string} feedback */
  const verdict = (kind, feedback) => ({ kind, feedback })
  const reading = readAs(text, unit, sizes)
  const isMemory = unit === "bytes"
  // A decimal below 1 is read as a share.
  if (isMemory && (!reading || reading.amount === "share") && DECIMAL.test(text.trim()))
    return verdict("unread", UNIT_MISSING)
  if (!reading) return verdict("unread", texts.unread)
  const { amount, exact, low, typedSum } = reading
  if (amount === "share" || (amount === "memory" && !isMemory))
    return verdict("unread", `This question asks for a number of ${unit}.`)
  const resultWords = typedSum && exact ? `${whole(low)}: ` : ""
  if (exact && low === answer) return verdict("right", resultWords ? `${resultWords}right.` : "Right.")
  const knownAnswer = exact ? knownWrongAnswers.find(({ number }) => number === low) : undefined
  const comparison = resultWords && rightSum && !isMemory ? compareTerms(typedSum, rightSum, sizes) : null
  if (comparison && !isResultBetter(comparison, knownAnswer))
    return verdict("known", `${resultWords}${comparison.feedback}`)
  // If the feedback states the number itself, the result of a typed sum need not precede it.
  const statesNumber = knownAnswer?.feedback.includes(whole(low))
  if (knownAnswer) return verdict("known", `${statesNumber ? "" : resultWords}${knownAnswer.feedback}`)
  const range = roundingRange(reading)
  const roundedVerdict = range && judgeRounded(range, answer, isMemory, knownWrongAnswers, exact)
  if (roundedVerdict) return roundedVerdict
  // The answer itself may be smaller than a vector: one cell, or the width of a head.
  const isSmall = exact && low < sizes.H && answer >= sizes.H
  const smallFeedback = isSmall ? fillIn(texts.small, { number: low, size: sizes.H }) : ""
  if (isSmall && !low) return verdict("known", smallFeedback)
  if (isSmall && isMemory && amount === "count" && !typedSum) return verdict("unread", UNIT_MISSING)
  return exact && String(answer).length >= MIN_DIGITS && slipOf(String(low), String(answer), NEIGHBOURS)
    ? verdict("slip", "Close: this looks like the right number with a digit mistyped. Check your digits.")
    : verdict("unknown", smallFeedback)
}
const UNIT_MISSING = "In which unit? Write it after the number: bytes (B), MB or MiB."

/** Whether the feedback on the result of a sum is better than that on its terms. For example, it is better if the two
 * agree, because it also gives the reason.
 * @param {Comparison} comparison @param {WrongAnswer | undefined} knownAnswer */
function isResultBetter({ missing, extra }, knownAnswer) {
  if (!knownAnswer) return false
  const [kind] = knownAnswer.names[0].split(":")
  if (["stopped", "part"].includes(kind)) return true
  if (["model", "size", "class", "other-part"].includes(kind)) return false
  const isOneOfSeveral = knownAnswer.feedback.startsWith(
    fillIn(texts.several, { number: knownAnswer.number, ways: "" }),
  )
  return extra > 0 || (!isOneOfSeveral && missing.every((what) => knownAnswer.feedback.includes(what)))
}

/** A sentence that lists the parts of the answer to an exercise; "" if the answer is a single product, or if a part has
 * no label.
 * @param {Exercise} exercise */
export function sentenceOfParts({ sum }) {
  const parts = sum.parts.map(({ what }) => what)
  return parts.length && !parts.includes("") ? fillIn(texts.consists, { what: inWords(parts).join("") }) : ""
}

/** The known wrong answer, or the further number, that was typed exactly; undefined if there is none.
 * @param {string} text @param {Exercise} exercise */
export function knownWrongAnswer(text, { answer, unit, wrongAnswers, further, sizes }) {
  const reading = readAs(text, unit, sizes)
  return reading?.exact
    ? withFurther(wrongAnswers, further, answer).find(({ number }) => number === reading.low)
    : undefined
}

/** The verdict on a rounded answer; null if it matches neither the correct number nor a known wrong one.
 * @param {[low: number, high: number]} range @param {number} answer @param {boolean} isMemory
 * @param {WrongAnswer[]} knownWrongAnswers
 * @param {boolean} isPossiblyExact  whether the answer may be exact, and is then not taken for a rounded miscount
 * @returns {Verdict | null} */
function judgeRounded([low, high], answer, isMemory, knownWrongAnswers, isPossiblyExact) {
  /** Whether a number may have been rounded to the answer. @param {number} number */
  const isInRange = (number) => number >= low && number <= high
  if (isInRange(answer)) {
    if (isMemory && (high - low) / answer <= MEMORY_MARGIN) return { kind: "right", feedback: "Right." }
    if (isMemory)
      return { kind: "rounded", feedback: "Right so far, but rounded too far to be sure. Give another digit." }
    return { kind: "rounded", feedback: texts.rounded }
  }
  const wrongInRange = knownWrongAnswers.filter(({ number }) => isInRange(number))
  // People round published totals rather than their own miscounts, so other models come first.
  const answerForOtherModel = wrongInRange.find(({ names }) => names.some((name) => name.startsWith("model:")))
  if (answerForOtherModel)
    return { kind: "known", feedback: fillIn(texts["if-rounded"], { feedback: answerForOtherModel.feedback }) }
  if (isPossiblyExact || !wrongInRange.length) return null
  const [{ feedback }, ...furtherWrong] = wrongInRange
  const opening = furtherWrong.length ? "Several mistakes lead to about this number. One of them: " : ""
  return { kind: "known", feedback: opening + feedback }
}
