// Wrong answers to an exercise, and what each of them means: deviations, those
// of exercises and the known ones, and slips in the sum. The rules are those of
// macros/teaching/wrong.py; how far each is from the right answer is exported.

import exercises from "../../data/exercises.js"
import { deviation, deviations, kept, resized, whole } from "../counting/engine.js"
import { grouped } from "../counting/polynomials.js"
import { answerTo, evaluated, withSizes } from "./letter-sums.js"

const { texts } = exercises
const own = new Map(exercises.deviations.map((each) => [each.name, deviation(each)]))

/** A text with what stands in braces filled in. @param {string} text @param {Record<string, string | number>} values */
export const filled = (text, values) =>
  text.replace(/\{(\w+)\}/g, (_, name) => (typeof values[name] === "number" ? whole(values[name]) : values[name]))

/** A deviation with the number and the sizes that it leads to, what it does to what is asked, and how much besides.
 * @typedef {{ made: Deviation, number: number, taken: Sizes, does: string, reach: number }} Way */

/** The deviations that give another number than the right one. @param {Ask} ask @param {Sizes} sizes @returns {Way[]} */
export function deviating(ask, sizes) {
  const right = answerTo(ask, sizes)
  const found = ask.ways.map(([name, difference, kind, reach]) => {
    const made = own.get(name) ?? deviations.get(name)
    const taken = resized(sizes, [made])
    const number = answerTo(ask, taken) + evaluated(difference, taken)
    return { made, number, taken, does: `${kind} ${made.letter} ${taken[made.letter]}`, reach }
  })
  return found.filter(({ number }) => Number.isInteger(number) && number > 0 && number !== right)
}

/** What is said to those who did one of several things; of those that do the same to what is asked, the one that does
 * least besides is named. @param {Way[]} ways @param {Sizes} sizes */
function feedback(ways, sizes) {
  /** @type {Map<string, Way>} */
  const least = new Map()
  for (const each of ways) if (each.reach < (least.get(each.does)?.reach ?? Infinity)) least.set(each.does, each)
  const listed = [...least.values()]
  const done = listed.map(({ made: { letter, done }, taken }) =>
    letter ? filled(texts.taken, { done, letter, taken: taken[letter], number: sizes[letter] }) : done,
  )
  const undo = listed.map(({ made }) => made.undo).join(" or ")
  const [{ made, number }] = listed
  const text = listed.length > 1 ? texts.either : made.kind === "convention" ? texts.convention : texts.done
  return filled(text, { number, done: done.join(", or "), undo, why: made.why })
}

/** @param {string} name @param {number} number @param {string} text @param {Record<string, string | number>} values @returns {WrongAnswer} */
export const slip = (name, number, text, values) => ({
  ...{ names: [name], number, titles: [], feedback: filled(text, { number, ...values }) },
})

/** Slips in the sum: stopping early, leaving a summand out, counting equal things once, and taking another letter.
 * @param {Ask} ask @param {Sizes} sizes */
function slips({ lines, slips }, sizes) {
  const results = withSizes(lines, sizes).map(({ result }) => result)
  const right = results[lines.length - 1]
  return slips.map(([name, difference, one, other = ""]) => {
    const number = typeof difference === "number" ? results[difference] : right + evaluated(difference, sizes)
    const text = texts[name === "stopped:0" ? "first" : name.split(":")[0]]
    return slip(name, number, text, { what: one, every: one, letter: one, times: sizes[other] ?? other, other })
  })
}

/** The first wrong answer of each number, without the right one. @param {WrongAnswer[]} listed @param {number} right */
export function distinct(listed, right) {
  /** @type {Map<number, WrongAnswer>} */
  const found = new Map()
  for (const each of listed) if (each.number > 0 && each.number !== right) kept(found, each.number, () => each)
  return [...found.values()]
}

/** Every known way to another number than the right one, deviations first; no two of the same number.
 * @param {Ask} ask @param {Sizes} sizes */
export function wrongAnswers(ask, sizes) {
  const ways = grouped(deviating(ask, sizes), ({ number }) => String(number))
  const found = [...ways.values()].map((listed) => ({
    names: listed.map(({ made }) => made.name),
    number: listed[0].number,
    titles: listed.map(({ made }) => made.title),
    feedback: feedback(listed, sizes),
  }))
  return distinct([...found, ...slips(ask, sizes)], answerTo(ask, sizes))
}
