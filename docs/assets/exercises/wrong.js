// Finds the wrong answers to an exercise, with feedback on each: miscounts, which come from
// deviations and from slips in the sum; correct answers for other models; sizes that are given in
// the question; and a vector taken for a single number. The page of exercises explains further
// numbers, such as those of other parts. macros/teaching/wrong.py explains the rules, and
// macros/teaching/ways.py exports the difference between each miscount and the correct answer.
//
// Several ways may lead to the same number. They then share a wrong answer, whose feedback
// either names the ways that differ for the reader or is the feedback on the likeliest way.

import exercises from "../../data/exercises.js"
import { inWords } from "../answering/elements.js"
import { deviation, deviations, models, sizesAfter } from "../counting/engine.js"
import { fillIn } from "../counting/messages.js"
import { groupBy } from "../counting/polynomials.js"
import { answerTo, valueOfSum, withSizes } from "./letter-sums.js"

const { texts } = exercises
const exerciseDeviations = new Map(exercises.deviations.map((fields) => [fields.name, deviation(fields)]))

/** A deviation with the number and the sizes that it leads to. Ways with equal `effect` change the part in question in
 * the same way. `reach` is the number of tensors in the whole class that the deviation touches; for one that only
 * exercises have, it counts those of the part in question.
 * @typedef {{ deviation: Deviation, number: number, sizes: Sizes, effect: string, reach: number }} Way */

/** The ways in which deviations lead to a wrong number.
 * @param {Ask} ask @param {Sizes} sizes @returns {Way[]} */
export function deviatingWays(ask, sizes) {
  const rightAnswer = answerTo(ask, sizes)
  const ways = ask.ways.map(([name, difference, kind, reach]) => {
    const deviation = exerciseDeviations.get(name) ?? deviations.get(name)
    const changedSizes = sizesAfter(sizes, [deviation])
    const number = answerTo(ask, changedSizes) + valueOfSum(difference, changedSizes)
    const effect = `${kind} ${deviation.letter} ${changedSizes[deviation.letter]}`
    return { deviation, number, sizes: changedSizes, effect, reach }
  })
  return ways.filter(({ number }) => Number.isInteger(number) && number > 0 && number !== rightAnswer)
}

/** The feedback on a number that one or more ways lead to. Of ways with the same effect, it names the one with the
 * smallest reach.
 * @param {Way[]} ways @param {Sizes} sizes */
function feedback(ways, sizes) {
  /** @type {Map<string, Way>} */
  const narrowestByEffect = new Map()
  for (const way of ways) {
    if (way.reach < (narrowestByEffect.get(way.effect)?.reach ?? Infinity)) narrowestByEffect.set(way.effect, way)
  }
  const differentWays = [...narrowestByEffect.values()]
  const steps = differentWays.map(({ deviation: { letter, done, undo }, sizes: changedSizes }) => {
    const action = letter
      ? fillIn(texts.taken, { done, letter, taken: changedSizes[letter], number: sizes[letter] })
      : done
    return { done: action, undo, isClear: isRemedyClear(done, undo) }
  })
  const [{ deviation: first, number }] = differentWays
  if (differentWays.length > 1) return fillIn(texts.several, { number, ways: steps.map(wayInWords).join(" ") })
  return fillIn(templateFor(first), {
    number,
    done: steps[0].done,
    undo: steps[0].undo,
    why: first.why ?? "",
  }).trimEnd()
}

/** Whether the words for a mistake already imply the remedy: "left out the pooler" implies that the pooler must be
 * added.
 * @param {string} done @param {string} undo */
const isRemedyClear = (done, undo) => undo.startsWith("add ") && done.endsWith(undo.replace("add", ""))

/** A sentence about one of several ways to a number. @param {{ done: string, undo: string, isClear: boolean }} way */
const wayInWords = ({ done, undo, isClear }) => fillIn(texts[isClear ? "way-forgotten" : "way"], { done, undo })

/** The template of the feedback on a deviation. @param {Deviation} deviation */
function templateFor({ kind, done, undo }) {
  if (kind === "convention") return texts.convention
  return isRemedyClear(done, undo) ? texts.forgotten : texts.done
}

/** A wrong answer that does not come from a deviation.
 * @param {string} name @param {number} number @param {string} text @param {Record<string, string | number>} values
 * @returns {WrongAnswer} */
export const wrongAnswer = (name, number, text, values) => ({
  names: [name],
  number,
  titles: [],
  feedback: fillIn(text, { number, ...values }),
})

/** The wrong answers from slips in the sum, such as stopping early, dropping a summand, or using a wrong letter.
 * @param {Ask} ask @param {Sizes} sizes */
const slips = (ask, sizes) => answersOfSlips(ask.slips, ask, sizes)

/** The wrong answers that take a bias, or another vector in question, for a single number.
 * @param {Ask} ask @param {Sizes} sizes */
export const singleNumbers = (ask, sizes) => answersOfSlips(ask.singles, ask, sizes)

/** The wrong answers that slips lead to. @param {Ask["slips"]} listedSlips @param {Ask} ask @param {Sizes} sizes */
function answersOfSlips(listedSlips, { lines }, sizes) {
  const results = withSizes(lines, sizes).map(({ result }) => result)
  const rightAnswer = results[lines.length - 1]
  return listedSlips.map(([name, difference, first, second = ""]) => {
    // A slip that stops early has the index of a line instead of a difference.
    const number = typeof difference === "number" ? results[difference] : rightAnswer + valueOfSum(difference, sizes)
    const text = texts[name === "stopped:0" ? "first" : name.split(":")[0]]
    const values = { what: first, every: first, letter: first, times: sizes[second] ?? second, other: second }
    return wrongAnswer(name, number, text, values)
  })
}

/** Further wrong answers that only the page explains; macros/teaching/further.py lists them.
 * @param {Ask} ask @param {Sizes} sizes */
export function furtherAnswers(ask, sizes) {
  const rightAnswer = answerTo(ask, sizes)
  const listedAnswers = ask.further.map(([name, difference, text, ...phraseIndices]) => {
    const [what, increase] = phraseIndices.map((index) => exercises.phrases[index])
    const number = rightAnswer + valueOfSum(difference, sizes)
    return wrongAnswer(name, number, texts[text], { what, more: sizes[increase] ?? increase, class: ask.class })
  })
  // The number of another part is likelier than counting something once too often.
  const againIndex = listedAnswers.findIndex(({ names: [name] }) => name === "again")
  const insertionIndex = againIndex < 0 ? listedAnswers.length : againIndex
  return [
    ...listedAnswers.slice(0, insertionIndex),
    ...answersForOtherParts(ask, sizes),
    ...listedAnswers.slice(insertionIndex),
  ].filter(({ number }) => Number.isInteger(number) && number !== rightAnswer)
}

/** The numbers of the other parts that the question's set asks about; empty for a set of other questions.
 * @param {Ask} ask @param {Sizes} sizes */
function answersForOtherParts(ask, sizes) {
  const set = exercises.sets.find(
    ({ of_parts, asks }) => of_parts && asks.some((index) => exercises.asks[index] === ask),
  )
  const otherAsks = (set?.asks ?? []).map((index) => exercises.asks[index]).filter(({ words }) => words !== ask.words)
  return otherAsks.map((other) =>
    wrongAnswer("other-part", answerTo(other, sizes), texts["other-part"], { what: other.words }),
  )
}

/** The correct answers for models that may be mistaken for this one, the most similar model first.
 * @param {Ask} ask @param {ModelInQuestion} model */
export function answersForOtherModels(ask, { name, title, sizes }) {
  const [bestKnownModels, ...furtherLists] = exercises.draw.confused
  const confusableModels = ask.models.length
    ? ask.models
    : (furtherLists.find((names) => names.includes(name)) ?? bestKnownModels)
  const sizesOfQuestion = Object.fromEntries(
    Object.entries(sizes).filter(([letter]) => LETTERS_OF_QUESTION.includes(letter)),
  )
  /** The number of sizes that differ from the model's. @param {Sizes} other */
  const numberOfDifferences = (other) => Object.entries(other).filter(([letter, size]) => size !== sizes[letter]).length
  return confusableModels
    .map((other) => ({ ...models.get(other), sizes: { ...models.get(other).sizes, ...sizesOfQuestion } }))
    .sort((one, other) => numberOfDifferences(one.sizes) - numberOfDifferences(other.sizes))
    .map((other) => {
      const number = answerTo(ask, other.sizes)
      return wrongAnswer(`model:${other.name}`, number, texts["other-model"], { other: other.title, model: title })
    })
}
const LETTERS_OF_QUESTION = "CT" // labels and tokens: sizes that belong to the question rather than to the model

/** The sizes given in a question as wrong answers. Letters with the same size share a wrong answer.
 * @param {Ask} ask @param {ModelInQuestion} model */
const sizesAsAnswers = (ask, { sizes }) =>
  [...groupBy(givenSizes(ask, sizes), ([, size]) => String(size)).values()].map((equalSizes) => {
    const [letters, [[, size]]] = [equalSizes.map(([letter]) => letter).join(""), equalSizes]
    const text = isSize(ask) ? texts["other-size"] : texts.given
    return wrongAnswer(`size:${letters}`, size, text, { sizes: inWords(equalSizes.map(sizeWithLetter)).join("") })
  })

/** Whether the answer is itself a size of the model or a single cell. @param {Ask} ask */
const isSize = ({ lines: [{ summands }, ...further] }) =>
  !further.length && summands.length === 1 && !summands[0].includes(" ")

/** The sizes given in a question, including the number of labels only if the answer depends on it.
 * @param {Ask} ask @param {Sizes} sizes */
export const givenSizes = (ask, sizes) =>
  Object.entries(sizes).filter(([letter]) => letter !== "C" || ask.formula.includes("C"))

/** A size with its name and letter: layers L = 12. @param {[letter: string, size: number]} size */
export const sizeWithLetter = ([letter, number]) =>
  fillIn(texts.size, { name: exercises.names[letter], letter, number })

/** One wrong answer per number, without the correct number and numbers below one. Each has the names of all answers
 * with this number and the feedback of the first. A wrong letter is as likely as a similar model, so a number that both
 * lead to has the feedback on both.
 * @param {WrongAnswer[]} answers @param {number} rightAnswer */
export const mergeEqualAnswers = (answers, rightAnswer) =>
  [...groupBy(answers, ({ number }) => String(number)).values()]
    .filter(([{ number }]) => number > 0 && number !== rightAnswer)
    .map((equalAnswers) => {
      const [first, ...furtherAnswers] = equalAnswers
      const answerForModel = startsWith("letter:")(first) ? furtherAnswers.find(startsWith("model:")) : undefined
      const mergedFeedback = answerForModel ? `${first.feedback} ${answerForModel.feedback}` : first.feedback
      return { ...first, names: equalAnswers.flatMap(({ names }) => names), feedback: mergedFeedback }
    })

/** A function that tests whether the first name of a wrong answer has this beginning. @param {string} beginning */
const startsWith =
  (beginning) =>
  (/** @type {WrongAnswer} */ { names: [name] }) =>
    name.startsWith(beginning)

/** The model that a question is about. Its name is empty if its sizes are made up.
 * @typedef {{ name: string, title: string, sizes: Sizes }} ModelInQuestion */

/** All known wrong answers to a question about a number, without duplicates; miscounts come first.
 * @param {Ask} ask @param {ModelInQuestion} model */
export const wrongAnswers = (ask, model) =>
  mergeEqualAnswers(
    [
      ...miscounts(ask, model.sizes),
      ...answersForOtherModels(ask, model),
      ...sizesAsAnswers(ask, model),
      ...singleNumbers(ask, model.sizes),
    ],
    answerTo(ask, model.sizes),
  )

/** All wrong answers that the page explains: the known ones and further numbers. A size given in the question is
 * likelier than the further numbers, but less likely than a square matrix, which only questions about heads have.
 * @param {WrongAnswer[]} knownWrongAnswers @param {WrongAnswer[]} further @param {number} rightAnswer */
export function withFurther(knownWrongAnswers, further, rightAnswer) {
  const isGivenSize = (/** @type {WrongAnswer} */ { names }) => names[0].startsWith("size:")
  const isSquare = (/** @type {WrongAnswer} */ { names }) => names[0] === "square"
  /** Whether a wrong answer is a multiple of the count, in a question about a change that has no effect on it. */
  const isUnchanged = (/** @type {WrongAnswer} */ { names }) => names[0] === "unchanged"
  const likelierAnswers = [
    ...further.filter(isUnchanged),
    ...knownWrongAnswers.filter((answer) => !isGivenSize(answer)),
  ]
  return mergeEqualAnswers(
    [...likelierAnswers, ...further.filter(isSquare), ...knownWrongAnswers.filter(isGivenSize), ...further],
    rightAnswer,
  )
}

/** All known miscounts for a question, without duplicates; deviations come before slips.
 * @param {Ask} ask @param {Sizes} sizes */
export function miscounts(ask, sizes) {
  const waysByNumber = groupBy(deviatingWays(ask, sizes), ({ number }) => String(number))
  const deviationAnswers = [...waysByNumber.values()].map((ways) => ({
    names: ways.map((way) => way.deviation.name),
    number: ways[0].number,
    titles: ways.map((way) => way.deviation.title),
    feedback: feedback(ways, sizes),
  }))
  return mergeEqualAnswers([...deviationAnswers, ...slips(ask, sizes)], answerTo(ask, sizes))
}
