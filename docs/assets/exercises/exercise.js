// Exercises: a variant of a set, drawn from a seed, with its answer, hints,
// solution and wrong answers. The rule of drawing is that of
// macros/teaching/exercise.py, and a test compares the two to the letter.

import exercises from "../../data/exercises.js"
import table from "../../data/table.js"
import { Counter, classes, count, models, whole } from "../counting/engine.js"
import { Chance } from "./chance.js"
import { withSizes } from "./letter-sums.js"
import { deviatingNumbers, distinct, filled, wrongAnswers } from "./wrong.js"

const { texts, draw, units } = exercises

/** @typedef {{ set: ExerciseSet, seed: number, chance: InstanceType<typeof Chance>, ask: Ask, asked: AskedOf, title: string }} Drawn */

/** The letters of a sum. @param {Ask} ask */
const lettersOf = ({ lines }) =>
  new Set(lines.flatMap(({ summands }) => summands.flatMap(([factors]) => factors.split(" "))))

/** A model with sizes of its own, or a published one. @param {InstanceType<typeof Chance>} chance @param {Ask} ask */
function drawnModel(chance, ask) {
  const own = chance.below(draw.own) === 0
  const found = own
    ? {
        title: texts.drawn,
        sizes: completed(
          Object.fromEntries([..."VPSLH"].map((letter) => [letter, chance.oneOf(exercises.sizes[letter])])),
        ),
      }
    : models.get(chance.oneOf(draw.models))
  const open = lettersOf(ask).has("C") && draw.labelled.includes(ask.class)
  return { title: found.title, sizes: open ? { ...found.sizes, C: chance.oneOf(exercises.sizes.C) } : found.sizes }
}

/** Sizes with those that usually follow from H, in the order of reading. @param {Sizes} sizes @returns {Sizes} */
const completed = ({ V, P, S, L, H }) => ({ V, P, S, H, F: draw.inner * H, L, A: Math.floor(H / draw.head), C: 2 })

/** The sizes of a model as text; labels only where they matter. @param {Sizes} sizes @param {Ask} ask */
const given = (sizes, ask) =>
  Object.entries(sizes)
    .filter(([letter]) => letter !== "C" || lettersOf(ask).has("C"))
    .map(([letter, size]) => filled(texts.size, { letter, number: whole(size) }))
    .join(", ")

/** What the texts of a set may fill in. @param {Drawn} drawn @param {WorkedLine[]} lines @returns {Record<string, string | number>} */
const textsOf = ({ ask, title }, lines) => ({
  part: ask.words,
  model: title,
  class: ask.class,
  purpose: classes.get(ask.class).purpose,
  formula: ask.formula,
  pieces: (ask.lines.at(-1)?.summands ?? []).map(([, what]) => what).join("; "),
  first: lines.length > 1 ? lines[0].text : "",
})

/** The hints, without those that would give the answer away or have nothing to say.
 * @param {ExerciseSet} set @param {Record<string, string | number>} values @param {number} answer */
const hintsOf = ({ hints }, values, answer) =>
  hints
    .filter((hint) => values.first || !hint.includes("{first}"))
    .map((hint) => filled(hint, values))
    .filter((hint) => !hint.includes(whole(answer)))

/** @param {Ask} ask @param {WorkedLine[]} lines */
const solutionOf = (ask, lines) => ask.lines.map(({ what }, place) => ({ what, text: lines[place].text }))

/** @param {AskedOf} asked */
const numberOf = ({ modelClass, sizes, part, tag }) => count({ modelClass, sizes, part, tag }) ?? NaN

/** What all kinds have. @param {Drawn} drawn @param {Record<string, string | number>} values @param {number} answer */
const common = ({ set, seed, ask, asked }, values, answer) => ({
  set: set.name,
  seed,
  kind: set.kind,
  text: filled(set.text, values),
  given: given(asked.sizes, ask),
  answer,
  unit: "parameters",
  hints: hintsOf(set, values, answer),
  wrong: /** @type {WrongAnswer[]} */ ([]),
  options: /** @type {ExerciseOption[]} */ ([]),
  ledger: /** @type {SolutionStep[]} */ ([]),
})

/** @param {Drawn} drawn @returns {Exercise} */
function ofNumber(drawn) {
  const { ask, asked } = drawn
  const lines = withSizes(ask.lines, asked.sizes)
  const answer = numberOf(asked)
  return {
    ...common(drawn, textsOf(drawn, lines), answer),
    solution: solutionOf(ask, lines),
    wrong: wrongAnswers(asked, ask, answer),
  }
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
  const steps = [{ what: texts.bytes, text: `${whole(number)} × ${width} = ${whole(answer)}` }]
  for (const { decimal, binary, ten, two, bytes } of units)
    for (const [what, power, size] of /** @type {[string, string, number][]} */ ([
      [decimal, ten, bytes[0]],
      [binary, two, bytes[1]],
    ]))
      steps.push({ what, text: `${whole(answer)} ÷ ${power} ≈ ${inUnit(answer, size)}` })
  return {
    ...common(drawn, values, answer),
    unit: "bytes",
    solution: [...solutionOf(ask, lines), ...steps],
    wrong: wrongBytes(asked, ask, dtype, number),
  }
}

/** @param {number} number @param {number} times @param {number} below  times one, divided by the other, without the rest */
const scaled = (number, times, below) => Number((BigInt(number) * BigInt(times)) / BigInt(below))

/** No bytes, those of another data type or of training, units mixed up, and what is wrong with the count itself.
 * @param {AskedOf} asked @param {Ask} ask @param {string} dtype @param {number} number */
function wrongBytes(asked, ask, dtype, number) {
  const width = table.dtypes[dtype]
  const right = number * width
  /** @param {string} name @param {number} amount @param {string} text @param {Record<string, string>} [more] @returns {WrongAnswer} */
  const wrong = (name, amount, text, more = {}) => ({
    names: [name],
    number: amount,
    titles: [],
    feedback: filled(text, { number: whole(amount), dtype, width, ...more }),
  })
  const found = [wrong("parameters", number, texts.parameters)]
  for (const [other, bytes] of Object.entries(table.dtypes))
    found.push(wrong(`dtype:${other}`, number * bytes, texts.dtype, { other }))
  found.push(wrong("training", right * draw.training, texts.training))
  for (const {
    decimal,
    binary,
    ten,
    two,
    bytes: [tens, twos],
  } of units) {
    found.push(
      wrong(`unit:${decimal}`, scaled(right, tens, twos), texts.unit, { below: two, unit: binary, other: decimal }),
    )
    found.push(
      wrong(`unit:${binary}`, scaled(right, twos, tens), texts.unit, { below: ten, unit: decimal, other: binary }),
    )
  }
  for (const each of wrongAnswers(asked, ask, number))
    found.push({ ...each, number: each.number * width, feedback: filled(texts.counted, { feedback: each.feedback }) })
  return distinct(found, right)
}

// --- Options ------------------------------------------------------------------

/** Sizes with heads of the usual width. @param {Sizes} sizes @returns {Sizes} */
const withHeads = (sizes) => ({ ...sizes, A: Math.floor(sizes.H / draw.head) })

/** Other sizes that a letter may have. @param {string} letter @param {Sizes} sizes */
const othersOf = (letter, sizes) =>
  exercises.sizes[letter]
    .map((size) => (letter === "F" ? size * sizes.H : size))
    .filter((size) => size !== sizes[letter])

/** Configurations with all combinations of two values of two letters; one is meant. @param {Drawn} drawn @returns {Exercise} */
function ofConfiguration(drawn) {
  const { ask, asked, chance } = drawn
  const [one, two] = chance.shuffled([..."VPLHF"])
  const others = Object.fromEntries([one, two].map((letter) => [letter, chance.oneOf(othersOf(letter, asked.sizes))]))
  const changes = [{}, { [one]: others[one] }, { [two]: others[two] }, others]
  const configurations = changes.map((each) => withHeads({ ...asked.sizes, ...each }))
  const right = chance.oneOf(configurations)
  const meant = { ...drawn, asked: { ...asked, sizes: right } }
  const answer = numberOf(meant.asked)
  const options = configurations.map((sizes) => {
    const number = numberOf({ ...asked, sizes })
    const letters = [one, two].filter((letter) => sizes[letter] !== right[letter])
    const text = !letters.length ? texts.right : number > answer ? texts.many : texts.few
    const look = letters.length > 1 ? filled(texts.and, { letter: letters[0], other: letters[1] }) : letters.join("")
    const values = {
      number: whole(answer),
      other: whole(number),
      letters: look,
      difference: whole(Math.abs(number - answer)),
    }
    return {
      name: letters.join("") || "right",
      text: given(sizes, ask),
      right: !letters.length,
      feedback: filled(text, values),
    }
  })
  const lines = withSizes(ask.lines, right)
  const values = {
    ...textsOf(drawn, lines),
    number: whole(answer),
    pieces: filled(texts.and, { letter: one, other: two }),
  }
  return {
    ...common(meant, values, answer),
    given: "",
    solution: solutionOf(ask, lines),
    options: chance.shuffled(options),
  }
}

/** A change as it stands within a sum. @param {number} number */
const added = (number) => `${number < 0 ? "−" : "+"} ${whole(Math.abs(number))}`

/** @param {Drawn} drawn @returns {Exercise} */
function ofMistake(drawn) {
  const { ask, asked, chance, set } = drawn
  const differing = deviatingNumbers(asked)
  const plain = set.mistakes.flatMap((name) => differing.filter(([each]) => each.name === name))
  const [made, got] = chance.oneOf(plain)
  const others = chance.shuffled(plain).filter(([, number]) => number !== got)
  const kept = others
    .filter(([, number], place) => others.findIndex((each) => each[1] === number) === place)
    .slice(0, draw.options)
  const options = [
    {
      name: made.name,
      text: made.title,
      right: true,
      feedback: filled(texts.found, { undo: made.undo, why: made.why }),
    },
    ...kept.map(([each, number]) => ({
      name: each.name,
      text: each.title,
      right: false,
      feedback: filled(texts.other, { other: whole(number), number: whole(got) }),
    })),
  ]
  const counter = new Counter(asked.modelClass, asked.sizes)
  const present = new Set(counter.rows.listed.map(({ block }) => block))
  const blocks = Object.entries(table.blocks)
    .filter(([block]) => present.has(block))
    .map(([block, { title }]) => ({
      label: title,
      right: counter.number([], "", block) ?? NaN,
      counted: counter.number([made], "", block) ?? NaN,
    }))
  const wrong = blocks.filter(({ right, counted }) => right !== counted)
  const answer = numberOf(asked)
  const values = {
    ...textsOf(drawn, withSizes(ask.lines, asked.sizes)),
    number: whole(got),
    pieces: wrong.map(({ label }) => label).join("; "),
  }
  /** @param {string} what @param {number} from @param {number} to */
  const step = (what, from, to) => ({ what, text: `${whole(from)} ${added(to - from)} = ${whole(to)}` })
  return {
    ...common(drawn, values, answer),
    solution: [...wrong.map(({ label, right, counted }) => step(label, counted, right)), step("together", got, answer)],
    options: chance.shuffled(options),
    ledger: [
      ...blocks.map(({ label, counted }) => ({ what: label, text: whole(counted) })),
      { what: "together", text: whole(got) },
    ],
  }
}

const MAKERS = { number: ofNumber, memory: ofMemory, configuration: ofConfiguration, mistake: ofMistake }

const FIRST = 1 // the seed of the first variant

/** @param {Ask} ask @param {Sizes} sizes @returns {AskedOf} */
const askedOf = (ask, sizes) => ({ modelClass: ask.class, sizes, part: ask.part, tag: ask.tag })

/** Whether it is a single tensor: one product, which counts nothing several times. @param {Ask} ask */
const isTensor = ({ lines: [{ summands }, ...further] }) => !further.length && summands.length === 1 && !summands[0][2]

/** Whether the answer stands among the sizes. @param {Ask} ask @param {Sizes} sizes */
const isGiven = (ask, sizes) => isTensor(ask) && Object.values(sizes).includes(numberOf(askedOf(ask, sizes)))

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
