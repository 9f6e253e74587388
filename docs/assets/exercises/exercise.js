// Makes exercises. An exercise is one variant of a set, drawn from a seed, with its
// answer, hints, solution and wrong answers. It must be the same as in
// macros/teaching/exercise.py, so the draws are in the same order; a test compares the two
// word for word.
//
// A set has questions ("asks") about parts of a published model or of one with made-up
// sizes. The kind of the set decides what is asked: a number of parameters or operations, the
// memory of parameters, their share of the total, which of four configurations has a given
// number, or which mistake a sum contains.

import exercises from "../../data/exercises.js"
import table from "../../data/table.js"
import { inWords } from "../answering/elements.js"
import { Counter, classes, count, getOrMake, models, whole } from "../counting/engine.js"
import { fillIn } from "../counting/messages.js"
import { randomFrom } from "./chance.js"
import { answerTo, withSizes } from "./letter-sums.js"
import { sumTree } from "./terms.js"
import {
  answersForOtherModels,
  deviatingWays,
  furtherAnswers,
  givenSizes,
  mergeEqualAnswers,
  miscounts,
  singleNumbers,
  sizeWithLetter,
  wrongAnswer,
  wrongAnswers,
} from "./wrong.js"

const { texts, draw, units } = exercises

/** @typedef {ReturnType<typeof randomFrom>} RandomSource */

/** A variant whose answers are not worked out yet; `name`, `sizes` and `title` are those of the model.
 * @typedef {{ set: ExerciseSet, seed: number, random: RandomSource, ask: Ask, name: string, sizes: Sizes, title: string
 * }} Variant */

/** A published model or one with made-up sizes, with a number of labels or tokens if the question needs it.
 * @param {RandomSource} random @param {Ask} ask */
function drawModel(random, ask) {
  const isMadeUp = !ask.models.length && random.below(draw.own) === 0
  const makeUpModel = () => ({ name: "", title: texts.drawn, sizes: drawSizes(random) })
  const names = ask.models.length ? ask.models : draw.models
  const { name, title, sizes } = isMadeUp ? makeUpModel() : models.get(random.oneOf(names))
  const isLabelCountDrawn = ask.formula.includes("C") && draw.labelled.includes(ask.class)
  const withLabels = isLabelCountDrawn ? { ...sizes, C: random.oneOf(exercises.sizes.C) } : sizes
  const lengths = exercises.sizes.T.filter((length) => length <= sizes.P)
  return { name, title, sizes: ask.unit !== "parameters" ? { ...withLabels, T: random.oneOf(lengths) } : withLabels }
}

/** Random sizes in the order in which they are shown, with F and A derived from H, and two labels.
 * @param {RandomSource} random @returns {Sizes} */
function drawSizes(random) {
  const [V, P, S, L, H] = [..."VPSLH"].map((letter) => random.oneOf(exercises.sizes[letter]))
  return withHeads({ V, P, S, H, F: draw.inner * H, L, A: 0, C: 2 })
}

/** The sizes, with as many heads of the usual width as H allows. @param {Sizes} sizes @returns {Sizes} */
const withHeads = (sizes) => ({ ...sizes, A: Math.floor(sizes.H / draw.head) })

/** The sizes of a model as text, including the number of labels only if the answer depends on it.
 * @param {Sizes} sizes @param {Ask} ask */
export const sizeText = (sizes, ask) => givenSizes(ask, sizes).map(sizeWithLetter).join(", ")

/** An exercise with the fields that all kinds share, without wrong answers or options.
 * @param {Variant} variant @param {number} answer
 * @param {Record<string, string | number>} [furtherValues]  values that only the texts of this kind need
 * @returns {Exercise} */
function baseExercise({ set, seed, ask, name, sizes, title }, answer, furtherValues = {}) {
  const lines = withSizes(ask.lines, sizes)
  /** @type {Record<string, string | number>} */
  const values = {
    part: ask.words,
    model: title,
    class: ask.class,
    purpose: classes.get(ask.class).purpose,
    unit: ask.unit,
    formula: ask.formula,
    step: ask.step,
    first: lines.length > 1 ? lines[0].text : "",
    ...furtherValues,
  }
  // Hints that need a value which is empty here are dropped, and so are hints that would give the answer away.
  const usefulHints = set.hints.filter((hint) => [...hint.matchAll(/\{(\w+)\}/g)].every(([, name]) => values[name]))
  const hints = usefulHints.map((hint) => fillIn(hint, values)).filter((hint) => !hint.includes(whole(answer)))
  return {
    set: set.name,
    seed,
    kind: set.kind,
    answer,
    unit: ask.unit,
    hints,
    solution: ask.lines.map(({ label }, index) => ({ label, text: lines[index].text })),
    model: name,
    sizes: { ...sizes, ...sizesStatedBy(ask) },
    page: set.page || ask.page,
    text: fillIn(set.text, values),
    sizesText: sizeText(sizes, ask),
    wrongAnswers: [],
    further: [],
    sum: sumTree(ask, sizes),
    options: [],
    ledger: [],
  }
}

/** The sizes that a question states in words because the model does not have them, such as "rank r = 8".
 * @param {Ask} ask @returns {Sizes} */
const sizesStatedBy = ({ words }) =>
  Object.fromEntries([...words.matchAll(/\b([a-z]) = ([0-9]+)/g)].map(([, letter, number]) => [letter, Number(number)]))

/** An exercise that asks for a number of parameters or operations, which the reader types.
 * @param {Variant} variant @returns {Exercise} */
const numberExercise = (variant) => ({
  ...baseExercise(variant, answerTo(variant.ask, variant.sizes)),
  wrongAnswers: wrongAnswers(variant.ask, variant),
  further: furtherAnswers(variant.ask, variant.sizes),
})

// --- Memory -------------------------------------------------------------------

/** A number in a larger unit, rounded to two decimals, halves up. A single division before the rounding keeps halves
 * exact.
 * @param {number} number @param {number} unit */
const inUnit = (number, unit) =>
  (Math.floor((200 * number + unit) / (2 * unit)) / 100).toLocaleString("en", { minimumFractionDigits: 2 })

/** An exercise that asks for the memory that weights take. @param {Variant} variant @returns {Exercise} */
function memoryExercise(variant) {
  const { ask, sizes, set, random } = variant
  const dtype = random.oneOf(set.dtypes)
  const width = table.dtypes[dtype]
  const number = answerTo(ask, sizes)
  const answer = number * width
  const baseOfExercise = baseExercise(variant, answer, { dtype, width })
  const solution = [
    ...baseOfExercise.solution,
    { label: texts.bytes, text: `${whole(number)} × ${width} = ${whole(answer)}` },
    ...units.map(({ name, power, bytes }) => {
      return { label: name, text: `${whole(answer)} ÷ ${power} ≈ ${inUnit(answer, bytes)}` }
    }),
  ]
  const further = furtherAnswers(ask, sizes).map((wrongCount) => inBytes(wrongCount, width))
  return { ...baseOfExercise, unit: "bytes", solution, wrongAnswers: wrongBytes(variant, dtype, number), further }
}

/** A wrong count converted to bytes. @param {WrongAnswer} wrongCount @param {number} width */
const inBytes = ({ feedback, ...wrongCount }, width) => {
  return { ...wrongCount, number: wrongCount.number * width, feedback: fillIn(texts.counted, { feedback }) }
}

/** The wrong answers about memory: the number of parameters; the bytes of another data type or of training; a decimal
 * unit taken for a binary one, or the reverse; and the bytes of every wrong count.
 * @param {Variant} variant @param {string} dtype @param {number} number */
function wrongBytes(variant, dtype, number) {
  const { ask, sizes } = variant
  const width = table.dtypes[dtype]
  const rightBytes = number * width
  /** A wrong answer whose feedback may name the data type and its width.
   * @param {string} name @param {number} amount @param {string} text
   * @param {Record<string, string>} [furtherValues] */
  const wrongAmount = (name, amount, text, furtherValues = {}) =>
    wrongAnswer(name, amount, text, { dtype, width, ...furtherValues })
  const wrongAmounts = [
    wrongAmount("parameters", number, texts.parameters),
    ...Object.entries(table.dtypes).map(([other, bytes]) =>
      wrongAmount(`dtype:${other}`, number * bytes, texts.dtype, { other }),
    ),
    wrongAmount("training", rightBytes * draw.training, texts.training),
    ...units.map(({ name, bytes }, index) => {
      const unit = units[index ^ 1] // the counterpart, because each decimal unit is followed by its binary one
      const amount = Number((BigInt(rightBytes) * BigInt(bytes)) / BigInt(unit.bytes)) // a plain product would be inexact
      return wrongAmount(`unit:${name}`, amount, texts.unit, { below: unit.power, unit: unit.name, other: name })
    }),
    ...[...miscounts(ask, sizes), ...answersForOtherModels(ask, variant), ...singleNumbers(ask, sizes)].map(
      (wrongCount) => inBytes(wrongCount, width),
    ),
  ]
  return mergeEqualAnswers(wrongAmounts, rightBytes)
}

// --- Options ------------------------------------------------------------------

/** An exercise with four configurations to choose from. They are the four combinations of two values for two sizes, so
 * that none of them stands out.
 * @param {Variant} variant @returns {Exercise} */
function configurationExercise(variant) {
  const { ask, sizes, random } = variant
  const [firstLetter, secondLetter] = random.shuffled([..."VPLHF"])
  const [firstChange, secondChange] = [firstLetter, secondLetter].map((letter) => {
    const plausibleSizes = exercises.sizes[letter].map((size) => (letter === "F" ? size * sizes.H : size))
    return { [letter]: random.oneOf(plausibleSizes.filter((size) => size !== sizes[letter])) }
  })
  const changes = [{}, firstChange, secondChange, { ...firstChange, ...secondChange }]
  const configurations = changes.map((change) => withHeads({ ...sizes, ...change }))
  const rightSizes = random.oneOf(configurations)
  const answer = answerTo(ask, rightSizes)
  const options = configurations.map((sizes) => {
    const optionNumber = answerTo(ask, sizes)
    const wrongLetters = [firstLetter, secondLetter].filter((letter) => sizes[letter] !== rightSizes[letter])
    const wrongText = optionNumber > answer ? texts.many : texts.few
    const text = wrongLetters.length ? wrongText : texts.right
    const lettersToCheck =
      wrongLetters.length > 1
        ? fillIn(texts.and, { letter: wrongLetters[0], other: wrongLetters[1] })
        : wrongLetters.join("")
    const values = {
      number: answer,
      other: optionNumber,
      letters: lettersToCheck,
      difference: Math.abs(optionNumber - answer),
    }
    const name = wrongLetters.join("") || "right"
    return { name, text: sizeText(sizes, ask), isCorrect: !wrongLetters.length, feedback: fillIn(text, values) }
  })
  const furtherValues = { number: answer, pieces: fillIn(texts.and, { letter: firstLetter, other: secondLetter }) }
  const baseOfExercise = baseExercise({ ...variant, sizes: rightSizes }, answer, furtherValues)
  return { ...baseOfExercise, sizesText: "", options: random.shuffled(options) }
}

/** An exercise that asks for the trained share of all parameters. The other options are shares that wrong counts lead
 * to.
 * @param {Variant} variant @returns {Exercise} */
function shareExercise(variant) {
  const { ask, sizes, random } = variant
  const baseOfExercise = numberExercise(variant)
  const total = baseOfExercise.answer + count({ modelClass: ask.class, sizes })
  const share = (/** @type {number} */ number) => `${inUnit(100 * number, total)}%`
  const text = share(baseOfExercise.answer)
  const feedback = fillIn(texts.share, { number: baseOfExercise.answer, other: total })
  // Keyed by text, because different wrong counts may round to the same share.
  const options = new Map([[text, { name: "right", text, isCorrect: true, feedback }]])
  for (const { names, number, feedback } of random.shuffled(miscounts(ask, sizes))) {
    const option = {
      name: names[0],
      text: share(number),
      isCorrect: false,
      feedback: fillIn(texts.shared, { feedback }),
    }
    getOrMake(options, option.text, () => option)
  }
  const division = { label: texts.share_of, text: `${whole(baseOfExercise.answer)} ÷ ${whole(total)} ≈ ${text}` }
  const offeredOptions = [...options.values()].slice(0, draw.options + 1)
  return {
    ...baseOfExercise,
    wrongAnswers: [],
    solution: [...baseOfExercise.solution, division],
    options: random.shuffled(offeredOptions),
  }
}

/** An exercise with a count that contains a mistake. The options are mistakes that lead to different totals.
 * @param {Variant} variant @returns {Exercise} */
function mistakeExercise(variant) {
  const { ask, sizes, random, set } = variant
  const possibleWays = deviatingWays(ask, sizes)
  const candidates = set.mistakes.flatMap((name) => possibleWays.filter(({ deviation }) => deviation.name === name))
  const { deviation: mistake, number: wrongTotal } = random.oneOf(candidates)
  const options = mistakeOptions(mistake, wrongTotal, random.shuffled(candidates))
  const counter = new Counter(ask.class, sizes)
  const blocks = Object.entries(table.blocks)
    .filter(([block]) => counter.rows.list.some((row) => row.block === block))
    .map(([block, { title, words }]) => {
      const [right, wrong] = [[], [mistake]].map((deviations) => counter.number(deviations, "", block) ?? NaN)
      return { block, label: title, words, right, wrong }
    })
  const affectedBlocks = blocks.filter(({ right, wrong }) => right !== wrong)
  const answer = answerTo(ask, sizes)
  const pieces = inWords(affectedBlocks.map(({ words }) => words)).join("")
  const total = { label: table.labels.total, wrong: wrongTotal }
  const differences = affectedBlocks.map(({ right, wrong }) => signedTerm(right - wrong)).join("")
  const correctedTotal = { label: total.label, text: `${whole(wrongTotal)}${differences} = ${whole(answer)}` }
  return {
    ...baseExercise(variant, answer, { number: wrongTotal, pieces }),
    solution: [
      ...affectedBlocks.flatMap((block) => corrections(block, exercises.blocks[ask.class], sizes)),
      correctedTotal,
    ],
    options: random.shuffled(options),
    // A block that was left out has no line in the ledger.
    ledger: [...blocks, total].flatMap(({ label, wrong }) => (wrong ? { label, text: whole(wrong) } : [])),
  }
}

/** The mistake in a count, and others that lead to different totals, as options with feedback.
 * @param {Deviation} mistake @param {number} wrongTotal  the total that the mistake leads to
 * @param {{ deviation: Deviation, number: number }[]} candidates  for each total, the first may be an option */
function mistakeOptions(mistake, wrongTotal, candidates) {
  /** @type {Map<number, Deviation>} */
  const mistakesByNumber = new Map()
  for (const { deviation, number } of candidates) {
    if (number !== wrongTotal) getOrMake(mistakesByNumber, number, () => deviation)
  }
  const optionsByNumber = new Map([[wrongTotal, mistake], ...[...mistakesByNumber].slice(0, draw.options)])
  return [...optionsByNumber].map(([number, { name, title, undo, why }]) => {
    const isCorrect = number === wrongTotal
    const feedback = fillIn(isCorrect ? texts.found : texts.other, { undo, why, other: number, number: wrongTotal })
    return { name, text: title, isCorrect, feedback }
  })
}

/** The sum of a miscounted block and, unless the block was left out, the difference from the miscount.
 * @param {{ block: string, label: string, right: number, wrong: number }} block
 * @param {Record<string, LineInLetters[]>} linesOf @param {Sizes} sizes @returns {SolutionStep[]} */
function corrections({ block, label, right, wrong }, linesOf, sizes) {
  const lines = linesOf[block]
  const steps = withSizes(lines, sizes).map(({ text }, index) => ({
    label: index < lines.length - 1 ? lines[index].label : label,
    text,
  }))
  const [smaller, larger] = [right, wrong].sort((one, other) => one - other)
  const difference = `${whole(larger)} − ${whole(smaller)} = ${whole(larger - smaller)}`
  return wrong ? [...steps, { label: texts.difference, text: difference }] : steps
}

/** A difference as a further term of a sum: ` + 512` or ` − 512`. @param {number} difference */
const signedTerm = (difference) => ` ${difference < 0 ? "−" : "+"} ${whole(Math.abs(difference))}`

const MAKERS = {
  number: numberExercise,
  memory: memoryExercise,
  share: shareExercise,
  configuration: configurationExercise,
  mistake: mistakeExercise,
}

const FIRST_SEED = 1 // the seed of the first variant

/** The variant of a set that a seed draws. An unknown name means the first set.
 * @param {string} name @param {number} seed */
export function exercise(name, seed) {
  const set = exercises.sets.find((candidate) => candidate.name === name) ?? exercises.sets[0]
  const random = randomFrom(`${name}:${seed}`)
  const [first] = set.asks.map((index) => exercises.asks[index])
  const ask = exercises.asks[random.oneOf(set.asks)]
  const drawnModel = drawModel(random, ask)
  const openingModel = seed === FIRST_SEED && set.opens_with
  const { name: model, title, sizes } = openingModel ? models.get(set.opens_with) : drawnModel
  // A number of elements that is among the given sizes could be copied, so the first question is asked instead.
  const isGiven = ask.tensor && Object.values(sizes).includes(answerTo(ask, sizes))
  return MAKERS[set.kind]({ set, seed, random, ask: openingModel || isGiven ? first : ask, name: model, sizes, title })
}
