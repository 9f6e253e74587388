// Exercises: a variant of a set, drawn from a seed, with its answer, hints,
// solution and wrong answers. The rule of drawing is that of
// macros/teaching/exercise.py, and a test compares the two to the letter.

import exercises from "../../data/exercises.js"
import table from "../../data/table.js"
import { listed } from "../answering/elements.js"
import { Counter, classes, count, kept, models, whole } from "../counting/engine.js"
import { Chance } from "./chance.js"
import { withSizes } from "./letter-sums.js"
import { deviatingNumbers, distinct, filled, slip, wrongAnswers } from "./wrong.js"

const { texts, draw, units } = exercises

/** @typedef {{ set: ExerciseSet, seed: number, chance: InstanceType<typeof Chance>, ask: Ask, asked: AskedOf, title: string }} Drawn */

/** Whether a sum has a letter. @param {Ask} ask @param {string} letter */
export const hasLetter = ({ lines }, letter) =>
  lines.some(({ summands }) => summands.some(([factors]) => factors.split(" ").includes(letter)))

/** A model with sizes of its own, or a published one. @param {InstanceType<typeof Chance>} chance @param {Ask} ask */
function drawnModel(chance, ask) {
  const { title, sizes } =
    chance.below(draw.own) === 0
      ? { title: texts.drawn, sizes: drawnSizes(chance) }
      : models.get(chance.oneOf(draw.models))
  const open = hasLetter(ask, "C") && draw.labelled.includes(ask.class)
  return { title, sizes: open ? { ...sizes, C: chance.oneOf(exercises.sizes.C) } : sizes }
}

/** Sizes with those that usually follow from H, in the order of reading. @param {InstanceType<typeof Chance>} chance @returns {Sizes} */
function drawnSizes(chance) {
  const [V, P, S, L, H] = [..."VPSLH"].map((letter) => chance.oneOf(exercises.sizes[letter]))
  return withHeads({ V, P, S, H, F: draw.inner * H, L, A: 0, C: 2 })
}

/** Sizes with heads of the usual width. @param {Sizes} sizes @returns {Sizes} */
const withHeads = (sizes) => ({ ...sizes, A: Math.floor(sizes.H / draw.head) })

/** The sizes of a model as text; labels only where they matter. @param {Sizes} sizes @param {Ask} ask */
export const given = (sizes, ask) =>
  Object.entries(sizes)
    .filter(([letter]) => letter !== "C" || hasLetter(ask, "C"))
    .map(([letter, number]) => filled(texts.size, { name: exercises.names[letter], letter, number }))
    .join(", ")

/** What the texts of a set may fill in. @param {Drawn} drawn @param {WorkedLine[]} lines @returns {Record<string, string | number>} */
const textsOf = ({ ask, title }, lines) => ({
  part: ask.words,
  model: title,
  class: ask.class,
  purpose: classes.get(ask.class).purpose,
  formula: ask.formula,
  step: ask.step,
  first: lines.length > 1 ? lines[0].text : "",
})

/** The hints, without those that would give the answer away or have nothing to say.
 * @param {ExerciseSet} set @param {Record<string, string | number>} values @param {number} answer */
const hintsOf = ({ hints }, values, answer) =>
  hints
    .filter((hint) => [...hint.matchAll(/\{(\w+)\}/g)].every(([, name]) => values[name]))
    .map((hint) => filled(hint, values))
    .filter((hint) => !hint.includes(whole(answer)))

/** @param {Ask} ask @param {WorkedLine[]} lines */
const solutionOf = (ask, lines) => ask.lines.map(({ what }, place) => ({ what, text: lines[place].text }))

/** @param {AskedOf} asked */
const numberOf = (asked) => count(asked) ?? NaN

/** What all kinds have. @param {Drawn} drawn @param {Record<string, string | number>} values @param {number} answer @param {SolutionStep[]} solution @returns {Exercise} */
const common = ({ set, seed, ask, asked }, values, answer, solution) => ({
  ...{ set: set.name, seed, kind: set.kind, answer, unit: "parameters", solution },
  text: filled(set.text, values),
  given: given(asked.sizes, ask),
  hints: hintsOf(set, values, answer),
  ...{ wrong: [], options: [], ledger: [] },
})

/** @param {Drawn} drawn @returns {Exercise} */
function ofNumber(drawn) {
  const { ask, asked } = drawn
  const lines = withSizes(ask.lines, asked.sizes)
  const answer = numberOf(asked)
  const wrong = wrongAnswers(asked, ask, answer)
  return { ...common(drawn, textsOf(drawn, lines), answer, solutionOf(ask, lines)), wrong }
}

// --- Memory -------------------------------------------------------------------

/** Bytes in a unit, to two decimals. @param {number} number @param {number} unit */
function inUnit(number, unit) {
  const hundredths = Number((200n * BigInt(number) + BigInt(unit)) / (2n * BigInt(unit)))
  return `${whole(Math.floor(hundredths / 100))}.${String(hundredths % 100).padStart(2, "0")}`
}

/** @param {Drawn} drawn @returns {Exercise} */
function ofMemory(drawn) {
  const { ask, asked, set, chance } = drawn
  const dtype = chance.oneOf(set.dtypes)
  const width = table.dtypes[dtype]
  const lines = withSizes(ask.lines, asked.sizes)
  const number = numberOf(asked)
  const answer = number * width
  const values = { ...textsOf(drawn, lines), dtype, width }
  /** @param {string} what @param {string} power @param {number} size */
  const inUnits = (what, power, size) => ({ what, text: `${whole(answer)} ÷ ${power} ≈ ${inUnit(answer, size)}` })
  const solution = [
    ...solutionOf(ask, lines),
    { what: texts.bytes, text: `${whole(number)} × ${width} = ${whole(answer)}` },
    ...units.flatMap(({ decimal, binary, ten, two, bytes: [tens, twos] }) => [
      inUnits(decimal, ten, tens),
      inUnits(binary, two, twos),
    ]),
  ]
  return { ...common(drawn, values, answer, solution), unit: "bytes", wrong: wrongBytes(asked, ask, dtype, number) }
}

/** @param {number} number @param {number} times @param {number} below  times one, divided by the other, without the rest */
const scaled = (number, times, below) => Number((BigInt(number) * BigInt(times)) / BigInt(below))

/** No bytes, those of another data type or of training, units mixed up, and what is wrong with the count itself.
 * @param {AskedOf} asked @param {Ask} ask @param {string} dtype @param {number} number */
function wrongBytes(asked, ask, dtype, number) {
  const width = table.dtypes[dtype]
  const right = number * width
  /** @param {string} name @param {number} amount @param {string} text @param {Record<string, string>} [more] */
  const wrong = (name, amount, text, more = {}) => slip(name, amount, text, { dtype, width, ...more })
  const found = [
    wrong("parameters", number, texts.parameters),
    ...Object.entries(table.dtypes).map(([other, bytes]) =>
      wrong(`dtype:${other}`, number * bytes, texts.dtype, { other }),
    ),
    wrong("training", right * draw.training, texts.training),
    ...units.flatMap(({ decimal, binary, ten, two, bytes: [tens, twos] }) => [
      wrong(`unit:${decimal}`, scaled(right, tens, twos), texts.unit, { below: two, unit: binary, other: decimal }),
      wrong(`unit:${binary}`, scaled(right, twos, tens), texts.unit, { below: ten, unit: decimal, other: binary }),
    ]),
    ...wrongAnswers(asked, ask, number).map((each) => {
      const { feedback } = each
      return { ...each, number: each.number * width, feedback: filled(texts.counted, { feedback }) }
    }),
  ]
  return distinct(found, right)
}

// --- Options ------------------------------------------------------------------

/** Other sizes that a letter may have. @param {string} letter @param {Sizes} sizes */
const othersOf = (letter, sizes) =>
  exercises.sizes[letter]
    .map((size) => (letter === "F" ? size * sizes.H : size))
    .filter((size) => size !== sizes[letter])

/** Configurations with all combinations of two values of two letters; one is meant. @param {Drawn} drawn @returns {Exercise} */
function ofConfiguration(drawn) {
  const { ask, asked, chance } = drawn
  const [one, two] = chance.shuffled([..."VPLHF"])
  const [first, second] = [one, two].map((letter) => ({ [letter]: chance.oneOf(othersOf(letter, asked.sizes)) }))
  const configurations = [{}, first, second, { ...first, ...second }].map((each) =>
    withHeads({ ...asked.sizes, ...each }),
  )
  const right = chance.oneOf(configurations)
  const answer = numberOf({ ...asked, sizes: right })
  const options = configurations.map((sizes) => {
    const other = numberOf({ ...asked, sizes })
    const letters = [one, two].filter((letter) => sizes[letter] !== right[letter])
    const text = !letters.length ? texts.right : other > answer ? texts.many : texts.few
    const look = letters.length > 1 ? filled(texts.and, { letter: letters[0], other: letters[1] }) : letters.join("")
    const values = { number: answer, other, letters: look, difference: Math.abs(other - answer) }
    const name = letters.join("") || "right"
    return { name, text: given(sizes, ask), right: !letters.length, feedback: filled(text, values) }
  })
  const lines = withSizes(ask.lines, right)
  const pieces = filled(texts.and, { letter: one, other: two })
  const values = { ...textsOf(drawn, lines), number: answer, pieces }
  const meant = { ...drawn, asked: { ...asked, sizes: right } }
  return { ...common(meant, values, answer, solutionOf(ask, lines)), given: "", options: chance.shuffled(options) }
}

/** @param {Drawn} drawn @returns {Exercise} */
function ofMistake(drawn) {
  const { ask, asked, chance, set } = drawn
  const differing = deviatingNumbers(asked)
  const plain = set.mistakes.flatMap((name) => differing.filter(([each]) => each.name === name))
  const [made, got] = chance.oneOf(plain)
  // The first of those that lead to each other number.
  /** @type {Map<number, Deviation>} */
  const others = new Map()
  for (const [each, number] of chance.shuffled(plain)) if (number !== got) kept(others, number, () => each)
  const { undo, why } = made
  const options = [
    { name: made.name, text: made.title, right: true, feedback: filled(texts.found, { undo, why }) },
    ...[...others].slice(0, draw.options).map(([number, each]) => {
      const feedback = filled(texts.other, { other: number, number: got })
      return { name: each.name, text: each.title, right: false, feedback }
    }),
  ]
  const counter = new Counter(asked.modelClass, asked.sizes)
  const blocks = Object.entries(table.blocks)
    .filter(([block]) => counter.rows.listed.some((row) => row.block === block))
    .map(([block, { title, words }]) => ({
      what: title,
      words,
      right: counter.number([], "", block) ?? NaN,
      counted: counter.number([made], "", block) ?? NaN,
    }))
  const wrong = blocks.filter(({ right, counted }) => right !== counted)
  const answer = numberOf(asked)
  const values = { ...textsOf(drawn, withSizes(ask.lines, asked.sizes)), number: got }
  const pieces = listed(wrong.map((each) => each.words)).join("")
  const total = { what: table.labels.total, right: answer, counted: got }
  const solution = [...wrong, total].map(({ what, right, counted }) => {
    const change = `${right < counted ? "−" : "+"} ${whole(Math.abs(right - counted))}`
    return { what, text: counted ? `${whole(counted)} ${change} = ${whole(right)}` : whole(right) }
  })
  return {
    ...common(drawn, { ...values, pieces }, answer, solution),
    options: chance.shuffled(options),
    // Whoever leaves a block out has no line for it.
    ledger: [...blocks, total]
      .filter(({ counted }) => counted)
      .map(({ what, counted }) => ({ what, text: whole(counted) })),
  }
}

const MAKERS = { number: ofNumber, memory: ofMemory, configuration: ofConfiguration, mistake: ofMistake }

const FIRST = 1 // the seed of the first variant

/** @param {Ask} ask @param {Sizes} sizes @returns {AskedOf} */
const askedOf = (ask, sizes) => ({ modelClass: ask.class, sizes, part: ask.part, tag: ask.tag })

/** Whether it is a single tensor, one product that counts nothing several times, whose number stands among the sizes.
 * @param {Ask} ask @param {Sizes} sizes */
const isGiven = (ask, sizes) => {
  const [{ summands }, ...further] = ask.lines
  const isTensor = !further.length && summands.length === 1 && !summands[0][2]
  return isTensor && Object.values(sizes).includes(numberOf(askedOf(ask, sizes)))
}

/** A variant of a set; null where there is no such set, or the seed is no whole number within bounds.
 * @param {string} name @param {number} seed */
export function exercise(name, seed) {
  const set = exercises.sets.find((each) => each.name === name)
  if (!set || !Number.isInteger(seed) || seed < 0 || seed > draw.last) return null
  const chance = new Chance(`${name}:${seed}`)
  const first = exercises.asks[set.asks[0]]
  const drawn = exercises.asks[chance.oneOf(set.asks)]
  const drawnFor = drawnModel(chance, drawn)
  const opens = seed === FIRST && set.opens_with
  const { title, sizes } = opens ? models.get(set.opens_with) : drawnFor
  // What stands in the question is not asked for.
  const ask = opens || isGiven(drawn, sizes) ? first : drawn
  return MAKERS[set.kind]({ set, seed, chance, ask, asked: askedOf(ask, sizes), title })
}
