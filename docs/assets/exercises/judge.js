// Judging: whether an answer is right, and if not, what it says about how it
// was got. What an exercise knows of wrong answers comes first, and is certain
// there; every other number is explained as on the page for typed numbers.

import { sentence } from "../answering/sentences.js"
import { whole } from "../counting/engine.js"
import { explain } from "../explaining/explain.js"
import { slipOf } from "../explaining/kinds/near.js"
import { read } from "../explaining/read.js"

const ROUGH = 50 // a rounded amount of memory may be off by one part in so many, and no more
const BITS = 8 // of a byte
const LEAST_DIGITS = 4 // of a number that may be mistyped
const NEIGHBOURS = 2 // digits, which are swapped

/** What was typed, read as what is asked for: where that is bytes, `B` and octets are bytes too, and bits are eighths.
 * @param {string} typed @param {string} unit */
function readAs(typed, unit) {
  const [, number, named = ""] = (unit === "bytes" && /^(.*[0-9)]) *(b|octets?|bits?)$/i.exec(typed.trim())) || []
  const asked = read(number ?? typed)
  if (!asked || !named.toLowerCase().startsWith("bit")) return asked
  return { ...asked, low: asked.low / BITS, high: asked.high / BITS }
}

/** What an answer is. @param {string} typed @param {number} answer @param {string} unit  what the answer counts @param {WrongAnswer[]} wrong @returns {Verdict} */
export function judged(typed, answer, unit, wrong) {
  /** @param {Verdict["kind"]} kind @param {string} says */
  const verdict = (kind, says) => ({ kind, says })
  const asked = readAs(typed, unit)
  const ofMemory = unit === "bytes"
  if (ofMemory && (!asked || asked.amount === "share") && /^[0-9]+[.,][0-9]+$/.test(typed.trim()))
    return verdict("unread", "In which unit? Write it after the number: bytes (B), MB or MiB.")
  if (!asked) return verdict("unread", "This cannot be read as a number. Write digits or a sum, such as 3 × 4 + 5.")
  const { amount, exact, low, high, typedSum } = asked
  if (amount === "share" || (amount === "memory" && !ofMemory))
    return verdict("unread", `This question asks for a number of ${unit}.`)
  const sum = typedSum && exact ? `${whole(low)}: ` : ""
  /** @param {number} number */
  const within = (number) => number >= low && number <= high
  if (within(answer)) {
    if (exact) return verdict("right", sum ? `${sum}right.` : "Right.")
    if (!ofMemory) return verdict("rounded", "Right so far, but rounded. Give it to the last digit.")
    if ((high - low) * ROUGH <= answer) return verdict("right", "Right.")
    return verdict("rounded", "Right so far, but rounded too far to be sure. Give another digit.")
  }
  const [first, ...others] = wrong.filter(({ number }) => within(number))
  if (first && others.length && !exact)
    return verdict("known", `Several mistakes lead to about this number. One of them: ${first.feedback}`)
  if (first) return verdict("known", sum + first.feedback)
  return exact && String(answer).length >= LEAST_DIGITS && slipOf(String(low), String(answer), NEIGHBOURS)
    ? verdict("slip", "Close: this looks like the right number with a digit mistyped. Check your digits.")
    : verdict("unknown", "")
}

/** What else a number is, as elements; nothing where nothing is known of it, or only what would give the answer away.
 * @param {string} typed @param {Pick<Exercise, "answer" | "unit">} asked
 * @param {boolean} isSlip  whether the answer looks like the right one mistyped, so that only what is certain and likelier counts @returns {Content[]} */
export function otherwise(typed, { answer, unit }, isSlip) {
  const number = readAs(typed, unit)
  const plain = unit !== "parameters" && number?.amount === "count" && number.exact
  const found = explain(plain ? `${number.low} ${unit}` : typed) ?? []
  const [first] = found.filter((each) => each.number !== answer && each.kind !== "near")
  const unsure = isSlip && (first !== found[0] || first?.confidence !== "certain")
  if (!first || unsure) return []
  const isDone = first.mistakes.length > 0 || Object.keys(first.sizes).length > 0
  const surely = isDone ? "You probably counted something else. " : ""
  const before = first.confidence === "possible" ? "Did you perhaps count something else? " : surely
  return [before, ...sentence(first, "")]
}
