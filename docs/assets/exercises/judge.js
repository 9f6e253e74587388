// Judging: whether an answer is right, and if not, what it says about how it
// was got. What an exercise knows of wrong answers comes first, and is certain
// there; every other number is explained as on the page for typed numbers.

import { classOf, modelOf, sentence } from "../answering/sentences.js"
import { deviations, whole } from "../counting/engine.js"
import { explain } from "../explaining/explain.js"
import { read } from "../explaining/read.js"

const ROUGH = 50 // a rounded amount of memory may be off by one part in so many, and no more
const BITS = 8 // of a byte

/** What was typed, read as what is asked for: where that is bytes, `B` and octets are bytes too, and bits are eighths.
 * @param {string} typed @param {string} unit */
function readAs(typed, unit) {
  const [, number, named = ""] = (unit === "bytes" && /^(.*[0-9)]) *(b|octets?|bits?)$/i.exec(typed.trim())) || []
  const asked = read(number ?? typed)
  if (!asked || !named.toLowerCase().startsWith("bit")) return asked
  return { ...asked, low: asked.low / BITS, high: asked.high / BITS }
}

/**
 * What an answer is.
 * @param {string} typed
 * @param {number} answer
 * @param {string} unit  what the answer counts
 * @param {WrongAnswer[]} wrong
 * @returns {Verdict}
 */
export function judged(typed, answer, unit, wrong) {
  const asked = readAs(typed, unit)
  const ofMemory = unit !== "parameters"
  if (ofMemory && (!asked || asked.amount === "share") && /^[0-9]+[.,][0-9]+$/.test(typed.trim()))
    return { kind: "unread", says: "In which unit? Write it behind the number: bytes (B), MB or MiB." }
  if (!asked)
    return { kind: "unread", says: "This cannot be read as a number. Write digits or a sum, such as 3 × 4 + 5." }
  if (asked.amount === "share" || (asked.amount === "memory" && !ofMemory))
    return { kind: "unread", says: `This question asks for a number of ${unit}.` }
  const sum = asked.typedSum && asked.exact ? `${whole(asked.low)}: ` : ""
  /** @param {number} number */
  const within = (number) => number >= asked.low && number <= asked.high
  if (within(answer)) {
    if (asked.exact) return { kind: "right", says: sum ? `${sum}right.` : "Right." }
    if (ofMemory && (asked.high - asked.low) * ROUGH <= answer) return { kind: "right", says: "Right." }
    return {
      kind: "rounded",
      says: ofMemory
        ? "Right so far, but rounded too far to be sure. Give another digit."
        : "Right so far, but rounded. Give it to the last digit.",
    }
  }
  const known = wrong.filter(({ number }) => within(number))
  const [first] = known
  if (first && known.length === 1) return { kind: "known", says: sum + first.feedback }
  if (first && asked.exact) return { kind: "known", says: sum + first.feedback }
  if (first)
    return { kind: "known", says: `Several mistakes lead to about this number. One of them: ${first.feedback}` }
  if (asked.exact && isSlip(String(asked.low), String(answer)))
    return { kind: "slip", says: "Close: this looks like the right number with a digit mistyped. Check your digits." }
  return { kind: "unknown", says: "" }
}

const LEAST_DIGITS = 4 // of a number that may be mistyped

/** Whether a number is another one with neighbouring digits swapped, or a digit wrong, missing or added.
 * @param {string} typed @param {string} right */
function isSlip(typed, right) {
  if (right.length < LEAST_DIGITS || Math.abs(typed.length - right.length) > 1) return false
  let start = 0
  while (start < Math.min(typed.length, right.length) && typed[start] === right[start]) start++
  let end = 0
  while (end < Math.min(typed.length, right.length) - start && typed.at(-1 - end) === right.at(-1 - end)) end++
  const [one, other] = [typed, right].map((text) => text.slice(start, text.length - end))
  return (
    (one.length < 2 && other.length < 2) ||
    (one.length === 2 && other.length === 2 && one === [...other].reverse().join(""))
  )
}

/** What was done, as a question, where it may be chance. @param {Explanation} each @returns {Content[]} */
function perhaps(each) {
  if (each.kind !== "total" || !each.mistakes.length)
    return ["Did you perhaps count something else? ", ...sentence(each, "")]
  const done = each.mistakes.map((name) => deviations.get(name).done)
  return [
    `Did you perhaps count ${modelOf(each, "").title} as ${classOf(each)}? There you would get this number if you ${done.join(" and ")}.`,
  ]
}

/** @type {Record<Confidence, (each: Explanation) => Content[]>} */
const SAID = {
  certain: (each) => ["That number is known for something else. ", ...sentence(each, "")],
  likely: (each) => ["You probably counted something else. ", ...sentence(each, "")],
  possible: perhaps,
}

/**
 * What else a number is, as elements; nothing where nothing is known of it, or only what would give the answer away.
 * @param {string} typed
 * @param {Pick<Exercise, "answer" | "unit">} asked
 * @param {boolean} isSlip  whether the answer looks like the right one mistyped, so that only what is certain and likelier counts
 * @returns {Content[]}
 */
export function otherwise(typed, { answer, unit }, isSlip) {
  const number = readAs(typed, unit)
  const plain = unit === "bytes" && number?.amount === "count" && number.exact
  const found = explain(plain ? `${number.low} bytes` : typed) ?? []
  const [first] = found.filter((each) => each.number !== answer && each.kind !== "near")
  const unsure = isSlip && (first !== found[0] || first?.confidence !== "certain")
  return first && !unsure ? SAID[first.confidence](first) : []
}
