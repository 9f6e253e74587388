// Exercises: a variant of a set, drawn from a seed, with its answer, hints,
// solution and wrong answers. The rule of drawing is that of
// macros/teaching/exercise.py, and a test compares the two to the letter.

import exercises from "../../data/exercises.js"
import table from "../../data/table.js"
import { listed } from "../answering/elements.js"
import { Counter, classes, count, kept, models, whole } from "../counting/engine.js"
import { filled } from "../counting/messages.js"
import { chanceFrom } from "./chance.js"
import { answerTo, withSizes } from "./letter-sums.js"
import { deviating, distinct, givenSizes, miscounts, ofOtherModels, sizeInWords, slip, wrongAnswers } from "./wrong.js"

const { texts, draw, units } = exercises

/** @typedef {ReturnType<typeof chanceFrom>} Chance */
/** @typedef {{ set: ExerciseSet, seed: number, chance: Chance, ask: Ask, name: string, sizes: Sizes, title: string }} Drawn */

/** A model with sizes of its own, or a published one. @param {Chance} chance @param {Ask} ask */
function drawnModel(chance, ask) {
  const isOwn = !ask.models.length && chance.below(draw.own) === 0
  const own = () => ({ name: "", title: texts.drawn, sizes: drawnSizes(chance) })
  const published = ask.models.length ? ask.models : draw.models
  const { name, title, sizes } = isOwn ? own() : models.get(chance.oneOf(published))
  const open = ask.formula.includes("C") && draw.labelled.includes(ask.class)
  const labelled = open ? { ...sizes, C: chance.oneOf(exercises.sizes.C) } : sizes
  const lengths = exercises.sizes.T.filter((each) => each <= sizes.P)
  return { name, title, sizes: ask.unit !== "parameters" ? { ...labelled, T: chance.oneOf(lengths) } : labelled }
}

/** Sizes with those that usually follow from H, in the order of reading. @param {Chance} chance @returns {Sizes} */
function drawnSizes(chance) {
  const [V, P, S, L, H] = [..."VPSLH"].map((letter) => chance.oneOf(exercises.sizes[letter]))
  return withHeads({ V, P, S, H, F: draw.inner * H, L, A: 0, C: 2 })
}

/** Sizes with heads of the usual width. @param {Sizes} sizes @returns {Sizes} */
const withHeads = (sizes) => ({ ...sizes, A: Math.floor(sizes.H / draw.head) })

/** The sizes of a model as text; labels only where they matter. @param {Sizes} sizes @param {Ask} ask */
export const given = (sizes, ask) => givenSizes(ask, sizes).map(sizeInWords).join(", ")

/** What all kinds have. @param {Drawn} drawn @param {number} answer @param {Record<string, string | number>} [more]  what its texts fill in besides @returns {Exercise} */
function common({ set, seed, ask, name, sizes, title }, answer, more = {}) {
  const lines = withSizes(ask.lines, sizes)
  /** @type {Record<string, string | number>} */
  const values = {
    ...{ part: ask.words, model: title, class: ask.class, purpose: classes.get(ask.class).purpose, unit: ask.unit },
    ...{ formula: ask.formula, step: ask.step, first: lines.length > 1 ? lines[0].text : "", ...more },
  }
  // Some hints would have nothing to say, and some would give the answer away.
  const telling = set.hints.filter((hint) => [...hint.matchAll(/\{(\w+)\}/g)].every(([, name]) => values[name]))
  const hints = telling.map((hint) => filled(hint, values)).filter((hint) => !hint.includes(whole(answer)))
  const solution = ask.lines.map(({ what }, place) => ({ what, text: lines[place].text }))
  return {
    ...{ set: set.name, seed, kind: set.kind, answer, unit: ask.unit, hints, solution, model: name },
    sizes: { ...sizes, ...inWords(ask) },
    ...{ text: filled(set.text, values), given: given(sizes, ask), wrong: [], options: [], ledger: [] },
  }
}

/** What the words of a question give besides the sizes of the model: rank r = 8. @param {Ask} ask @returns {Sizes} */
const inWords = ({ words }) =>
  Object.fromEntries([...words.matchAll(/\b([a-z]) = ([0-9]+)/g)].map(([, letter, number]) => [letter, Number(number)]))

/** @param {Drawn} drawn @returns {Exercise} */
const ofNumber = (drawn) => ({
  ...common(drawn, answerTo(drawn.ask, drawn.sizes)),
  wrong: wrongAnswers(drawn.ask, drawn),
})

// --- Memory -------------------------------------------------------------------

/** Bytes in a unit, to two decimals. @param {number} number @param {number} unit */
const inUnit = (number, unit) =>
  (Math.floor((200 * number + unit) / (2 * unit)) / 100).toLocaleString("en", { minimumFractionDigits: 2 })

/** @param {Drawn} drawn @returns {Exercise} */
function ofMemory(drawn) {
  const { ask, sizes, set, chance } = drawn
  const dtype = chance.oneOf(set.dtypes)
  const width = table.dtypes[dtype]
  const number = answerTo(ask, sizes)
  const answer = number * width
  const asked = common(drawn, answer, { dtype, width })
  const solution = [
    ...asked.solution,
    { what: texts.bytes, text: `${whole(number)} × ${width} = ${whole(answer)}` },
    ...units.map((each) => {
      return { what: each.name, text: `${whole(answer)} ÷ ${each.power} ≈ ${inUnit(answer, each.bytes)}` }
    }),
  ]
  return { ...asked, unit: "bytes", solution, wrong: wrongBytes(drawn, dtype, number) }
}

/** No bytes, those of another data type or of training, units mixed up, and what is wrong with the count itself.
 * @param {Drawn} drawn @param {string} dtype @param {number} number */
function wrongBytes(drawn, dtype, number) {
  const { ask, sizes } = drawn
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
    ...units.map(({ name, bytes }, place) => {
      const meant = units[place ^ 1] // a power of ten and its counterpart stand side by side
      const amount = Number((BigInt(right) * BigInt(bytes)) / BigInt(meant.bytes))
      return wrong(`unit:${name}`, amount, texts.unit, { below: meant.power, unit: meant.name, other: name })
    }),
    ...[...miscounts(ask, sizes), ...ofOtherModels(ask, drawn)].map(({ feedback, ...each }) => {
      return { ...each, number: each.number * width, feedback: filled(texts.counted, { feedback }) }
    }),
  ]
  return distinct(found, right)
}

// --- Options ------------------------------------------------------------------

/** Configurations with all combinations of two values of two letters; one is meant. @param {Drawn} drawn @returns {Exercise} */
function ofConfig(drawn) {
  const { ask, sizes, chance } = drawn
  const [one, two] = chance.shuffled([..."VPLHF"])
  const [first, second] = [one, two].map((letter) => {
    const plausible = exercises.sizes[letter].map((size) => (letter === "F" ? size * sizes.H : size))
    return { [letter]: chance.oneOf(plausible.filter((size) => size !== sizes[letter])) }
  })
  const configurations = [{}, first, second, { ...first, ...second }].map((each) => withHeads({ ...sizes, ...each }))
  const right = chance.oneOf(configurations)
  const answer = answerTo(ask, right)
  const options = configurations.map((sizes) => {
    const other = answerTo(ask, sizes)
    const letters = [one, two].filter((letter) => sizes[letter] !== right[letter])
    const text = !letters.length ? texts.right : other > answer ? texts.many : texts.few
    const look = letters.length > 1 ? filled(texts.and, { letter: letters[0], other: letters[1] }) : letters.join("")
    const values = { number: answer, other, letters: look, difference: Math.abs(other - answer) }
    const name = letters.join("") || "right"
    return { name, text: given(sizes, ask), right: !letters.length, feedback: filled(text, values) }
  })
  const more = { number: answer, pieces: filled(texts.and, { letter: one, other: two }) }
  return { ...common({ ...drawn, sizes: right }, answer, more), given: "", options: chance.shuffled(options) }
}

/** The share of all parameters that is trained, among those that wrong counts of it lead to. @param {Drawn} drawn @returns {Exercise} */
function ofShare(drawn) {
  const { ask, sizes, chance } = drawn
  const asked = ofNumber(drawn)
  const wrong = miscounts(ask, sizes)
  const all = asked.answer + (count({ modelClass: ask.class, sizes }) ?? NaN)
  const share = (/** @type {number} */ number) => `${inUnit(100 * number, all)}%`
  const text = share(asked.answer)
  const feedback = filled(texts.share, { number: asked.answer, other: all })
  const options = new Map([[text, { name: "right", text, right: true, feedback }]])
  for (const { names, number, feedback } of chance.shuffled(wrong)) {
    const other = { name: names[0], text: share(number), right: false, feedback: filled(texts.shared, { feedback }) }
    kept(options, other.text, () => other)
  }
  const worked = { what: texts.share_of, text: `${whole(asked.answer)} ÷ ${whole(all)} ≈ ${text}` }
  const shown = [...options.values()].slice(0, draw.options + 1)
  return { ...asked, wrong: [], solution: [...asked.solution, worked], options: chance.shuffled(shown) }
}

/** @param {Drawn} drawn @returns {Exercise} */
function ofMistake(drawn) {
  const { ask, sizes, chance, set } = drawn
  const differing = deviating(ask, sizes)
  const plain = set.mistakes.flatMap((name) => differing.filter((each) => each.made.name === name))
  const { made, number: got } = chance.oneOf(plain)
  // The first of those that lead to each other number.
  /** @type {Map<number, Deviation>} */
  const others = new Map()
  for (const { made, number } of chance.shuffled(plain)) if (number !== got) kept(others, number, () => made)
  const options = [...new Map([[got, made], ...[...others].slice(0, draw.options)])].map(([number, each]) => {
    const { name, title, undo, why } = each
    const right = number === got
    const feedback = filled(right ? texts.found : texts.other, { undo, why, other: number, number: got })
    return { name, text: title, right, feedback }
  })
  const counter = new Counter(ask.class, sizes)
  const blocks = Object.entries(table.blocks)
    .filter(([block]) => counter.rows.listed.some((row) => row.block === block))
    .map(([block, { title, words }]) => {
      const [right, counted] = [[], [made]].map((deviations) => counter.number(deviations, "", block) ?? NaN)
      return { what: title, words, right, counted }
    })
  const wrong = blocks.filter(({ right, counted }) => right !== counted)
  const answer = answerTo(ask, sizes)
  const pieces = listed(wrong.map((each) => each.words)).join("")
  const total = { what: table.labels.total, right: answer, counted: got }
  const solution = [...wrong, total].map(({ what, right, counted }) => {
    const change = `${right < counted ? "−" : "+"} ${whole(Math.abs(right - counted))}`
    return { what, text: counted ? `${whole(counted)} ${change} = ${whole(right)}` : whole(right) }
  })
  return {
    ...common(drawn, answer, { number: got, pieces }),
    solution,
    options: chance.shuffled(options),
    // Whoever leaves a block out has no line for it.
    ledger: [...blocks, total].flatMap(({ what, counted }) => (counted ? { what, text: whole(counted) } : [])),
  }
}

const MAKERS = { number: ofNumber, memory: ofMemory, share: ofShare, configuration: ofConfig, mistake: ofMistake }

const FIRST = 1 // the seed of the first variant

/** A variant of a set that there is. @param {string} name @param {number} seed */
export function exercise(name, seed) {
  const set = exercises.sets.find((each) => each.name === name) ?? exercises.sets[0]
  const chance = chanceFrom(`${name}:${seed}`)
  const [first] = set.asks.map((place) => exercises.asks[place])
  const drawn = exercises.asks[chance.oneOf(set.asks)]
  const drawnFor = drawnModel(chance, drawn)
  const opens = seed === FIRST && set.opens_with
  const { name: model, title, sizes } = opens ? models.get(set.opens_with) : drawnFor
  // What stands in the question is not asked for.
  const isGiven = drawn.tensor && Object.values(sizes).includes(answerTo(drawn, sizes))
  return MAKERS[set.kind]({ set, seed, chance, ask: opens || isGiven ? first : drawn, name: model, sizes, title })
}
