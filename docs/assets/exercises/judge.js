// Judging: what an answer is, and if it is not right, what it says about how it
// was got. The reasons, in this order, of which the first that fits is given:
//
// 1. It is exactly the right number, or exactly a wrong answer that is known.
// 2. It is the right number rounded, or that of a model that it may be taken for.
// 3. It is about a wrong answer that is known.
// 4. It is the right number with a digit mistyped, or any number that the page
//    for typed numbers explains; there it is said in the same words.
// 5. It is too small to be a count.
//
// The notebook of the lesson judges by the same order, as far as it can without
// knowing the right numbers: macros/teaching/in_notebook.py. A test compares them.

import exercises from "../../data/exercises.js"
import { sentence } from "../answering/sentences.js"
import { whole } from "../counting/engine.js"
import { filled } from "../counting/messages.js"
import { explainInSteps, LIKELY } from "../explaining/explain.js"
import { slipOf } from "../explaining/kinds/near.js"
import { readWith } from "../explaining/letters.js"

const { texts } = exercises

const ROUGH = 50 // a rounded amount of memory may be off by one part in so many, and no more
const BITS = 8 // of a byte
const LEAST_DIGITS = 4 // of a number that may be mistyped
const LEAST_ZEROS = 2 // at the end of a whole number that may be rounded
const NEIGHBOURS = 2 // digits, which are swapped

/** What was typed, read as what is asked for: where that is bytes, `B` and octets are bytes too, and bits are eighths.
 * @param {string} typed @param {string} unit @param {Sizes} sizes  those that letters stand for */
function readAs(typed, unit, sizes) {
  const [, number, named = ""] = (unit === "bytes" && /^(.*[0-9)]) *(b|octets?|bits?)$/i.exec(typed.trim())) || []
  const asked = readWith(number ?? typed, sizes)
  if (!asked || !named.toLowerCase().startsWith("bit")) return asked
  return { ...asked, low: asked.low / BITS, high: asked.high / BITS }
}

/** The least and the greatest number that a typed one may be rounded from; none where it is exact.
 * @param {NumberRead} asked @returns {[low: number, high: number] | null} */
function roundedFrom({ exact, low, high, typedSum }) {
  if (!exact) return [low, high]
  const [zeros] = /0*$/.exec(String(low)) ?? [""]
  if (typedSum || !low || zeros.length < LEAST_ZEROS) return null
  return [low - 10 ** zeros.length / 2, low + 10 ** zeros.length / 2 - 1]
}

/** What an answer is. @param {string} typed @param {number} answer @param {string} unit  what the answer counts
 * @param {WrongAnswer[]} wrong @param {Sizes} [sizes]  those of the model that is asked about @returns {Verdict} */
export function judged(typed, answer, unit, wrong, sizes = {}) {
  /** @param {Verdict["kind"]} kind @param {string} says */
  const verdict = (kind, says) => ({ kind, says })
  const asked = readAs(typed, unit, sizes)
  const ofMemory = unit === "bytes"
  if (ofMemory && (!asked || asked.amount === "share") && /^[0-9]+[.,][0-9]+$/.test(typed.trim()))
    return verdict("unread", UNIT_MISSING)
  if (!asked) return verdict("unread", texts.unread)
  const { amount, exact, low, typedSum } = asked
  if (amount === "share" || (amount === "memory" && !ofMemory))
    return verdict("unread", `This question asks for a number of ${unit}.`)
  const sum = typedSum && exact ? `${whole(low)}: ` : ""
  if (exact && low === answer) return verdict("right", sum ? `${sum}right.` : "Right.")
  const same = exact && wrong.find(({ number }) => number === low)
  if (same) return verdict("known", sum + same.feedback)
  const rounding = roundedFrom(asked)
  if (rounding) {
    const found = judgedRounded(rounding, answer, ofMemory, wrong, exact)
    if (found) return found
  }
  const isSmall = exact && low < sizes.H
  const small = isSmall ? filled(texts.small, { number: low, size: sizes.H }) : ""
  if (isSmall && !low) return verdict("known", small)
  if (isSmall && ofMemory && amount === "count" && !typedSum) return verdict("unread", UNIT_MISSING)
  return exact && String(answer).length >= LEAST_DIGITS && slipOf(String(low), String(answer), NEIGHBOURS)
    ? verdict("slip", "Close: this looks like the right number with a digit mistyped. Check your digits.")
    : verdict("unknown", small)
}
const UNIT_MISSING = "In which unit? Write it after the number: bytes (B), MB or MiB."

/** What a rounded answer is; null where nothing that is known rounds to it.
 * @param {[low: number, high: number]} rounding @param {number} answer @param {boolean} ofMemory @param {WrongAnswer[]} wrong
 * @param {boolean} exact  whether it may be a count to the last digit as well, which rounds to no miscount
 * @returns {Verdict | null} */
function judgedRounded([low, high], answer, ofMemory, wrong, exact) {
  /** @param {number} number */
  const within = (number) => number >= low && number <= high
  if (within(answer)) {
    if (ofMemory && (high - low) * ROUGH <= answer) return { kind: "right", says: "Right." }
    if (ofMemory) return { kind: "rounded", says: "Right so far, but rounded too far to be sure. Give another digit." }
    return { kind: "rounded", says: texts.rounded }
  }
  const about = wrong.filter(({ number }) => within(number))
  // People round what is right rather than what they miscounted.
  const other = about.find(({ names }) => names.some((name) => name.startsWith("model:")))
  if (other) return { kind: "known", says: filled(texts["if-rounded"], { feedback: other.feedback }) }
  if (exact || !about.length) return null
  const [{ feedback }, ...others] = about
  const several = others.length ? "Several mistakes lead to about this number. One of them: " : ""
  return { kind: "known", says: several + feedback }
}

/** What else a number is, as elements; nothing where nothing is known of it, or only what would give the answer away.
 * @param {string} typed @param {Pick<Exercise, "answer" | "unit" | "model" | "sizes">} asked
 * @param {boolean} isSlip  whether the answer looks like the right one mistyped, so that only what is certain and likelier counts @returns {Promise<Content[]>} */
export async function otherwise(typed, { answer, unit, model, sizes }, isSlip) {
  const number = readAs(typed, unit, sizes)
  const isPlain = number?.exact && number.amount === "count"
  const text = isPlain ? `${number.low} ${unit}` : typed
  // What asks for parameters and got a plain number got no millions, and no bytes.
  const found = ((await explainInSteps(text)) ?? []).filter(({ reading }) => !reading.unsaid)
  const [first] = found.filter((each) => each.number !== answer && each.kind !== "near")
  const isSure = first === found[0] && first?.confidence === "certain"
  // Of a number too small to be a count, only what is certain of this very model says more than that.
  const isElsewhere = number?.exact && number.low < sizes.H && !(isSure && first.models.includes(model))
  if (!first || isElsewhere || (isSlip && !isSure)) return []
  const isDone = first.mistakes.length > 0 || Object.keys(first.sizes).length > 0
  const surely = isDone ? "You probably counted something else. " : ""
  const before = first.confidence === "possible" ? "Did you perhaps count something else? " : surely
  // Among several numbers that fit, the likeliest is no coincidence.
  const shown = first.reading.width ? { ...first, confidence: LIKELY } : first
  return [before, ...sentence(shown, model)]
}
