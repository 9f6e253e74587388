// Wrong answers to an exercise, and what each of them means: deviations, those
// of exercises and the known ones, and slips in the sum; then right answers to
// other questions. The rules are those of macros/teaching/wrong.py; how far each
// miscount is from the right answer is exported.

import exercises from "../../data/exercises.js"
import { listed } from "../answering/elements.js"
import { deviation, deviations, models, resized } from "../counting/engine.js"
import { filled } from "../counting/messages.js"
import { grouped } from "../counting/polynomials.js"
import { answerTo, evaluated, withSizes } from "./letter-sums.js"

const { texts } = exercises
const own = new Map(exercises.deviations.map((each) => [each.name, deviation(each)]))

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

/** The right answers for the models that it may be taken for, the one with the fewest other sizes first.
 * @param {Ask} ask @param {Asked} model */
export function ofOtherModels(ask, { name, title, sizes }) {
  const [first, ...others] = exercises.draw.confused
  const taken = ask.models.length ? ask.models : (others.find((names) => names.includes(name)) ?? first)
  const ofQuestion = Object.fromEntries(Object.entries(sizes).filter(([letter]) => OF_QUESTION.includes(letter)))
  /** @param {Sizes} other */
  const differing = (other) => Object.entries(other).filter(([letter, size]) => size !== sizes[letter]).length
  return taken
    .map((each) => ({ ...models.get(each), sizes: { ...models.get(each).sizes, ...ofQuestion } }))
    .sort((one, other) => differing(one.sizes) - differing(other.sizes))
    .map((other) => {
      const number = answerTo(ask, other.sizes)
      return slip(`model:${other.name}`, number, texts["other-model"], { other: other.title, model: title })
    })
}
const OF_QUESTION = "CT" // sizes that a question sets, whichever model it asks about: labels and tokens

/** The sizes that are given, those of one number together. @param {Ask} ask @param {Asked} model */
const ofSizes = (ask, { sizes }) =>
  [...grouped(givenSizes(ask, sizes), ([, size]) => String(size)).values()].map((alike) => {
    const [letters, [[, size]]] = [alike.map(([letter]) => letter).join(""), alike]
    return slip(`size:${letters}`, size, texts.given, { sizes: listed(alike.map(sizeInWords)).join("") })
  })

/** The sizes that a question gives; labels only where they matter. @param {Ask} ask @param {Sizes} sizes */
export const givenSizes = (ask, sizes) =>
  Object.entries(sizes).filter(([letter]) => letter !== "C" || ask.formula.includes("C"))

/** A size with its name: layers L = 12. @param {[letter: string, size: number]} size */
export const sizeInWords = ([letter, number]) => filled(texts.size, { name: exercises.names[letter], letter, number })

/** The first wrong answer of each number, without the right one, with the names of all that lead there.
 * @param {WrongAnswer[]} listed @param {number} right */
export const distinct = (listed, right) =>
  [...grouped(listed, ({ number }) => String(number)).values()]
    .filter(([{ number }]) => number > 0 && number !== right)
    .map((alike) => ({ ...alike[0], names: alike.flatMap(({ names }) => names) }))

/** The model that a question is about; one that nobody published has no name. @typedef {{ name: string, title: string, sizes: Sizes }} Asked */

/** Every wrong answer to a question about a number, miscounts first; no two of the same number.
 * @param {Ask} ask @param {Asked} model */
export const wrongAnswers = (ask, model) =>
  distinct(
    [...miscounts(ask, model.sizes), ...ofOtherModels(ask, model), ...ofSizes(ask, model)],
    answerTo(ask, model.sizes),
  )

/** Every known way to miscount what is asked, deviations first; no two of the same number.
 * @param {Ask} ask @param {Sizes} sizes */
export function miscounts(ask, sizes) {
  const ways = grouped(deviating(ask, sizes), ({ number }) => String(number))
  const found = [...ways.values()].map((listed) => ({
    names: listed.map(({ made }) => made.name),
    number: listed[0].number,
    titles: listed.map(({ made }) => made.title),
    feedback: feedback(listed, sizes),
  }))
  return distinct([...found, ...slips(ask, sizes)], answerTo(ask, sizes))
}
