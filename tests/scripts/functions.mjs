// The functions of docs/assets that tests call without a browser. Most take many cases at once, because a call for every
// case would take longer than the function itself.

import { asMarkdown } from "../../docs/assets/answering/account.js"
import { answerTo } from "../../docs/assets/answering/answer.js"
import { isShort } from "../../docs/assets/answering/pasted.js"
import { percentage } from "../../docs/assets/calculator/live.js"
import * as state from "../../docs/assets/calculator/state.js"
import { bridge } from "../../docs/assets/counting/bridge.js"
import * as changes from "../../docs/assets/counting/changes.js"
import * as configuration from "../../docs/assets/counting/configuration.js"
import * as engine from "../../docs/assets/counting/engine.js"
import { batchOf, elementsOf, longest } from "../../docs/assets/counting/operations.js"
import * as draw from "../../docs/assets/drawing/levels.js"
import { chanceFrom } from "../../docs/assets/exercises/chance.js"
import { exercise } from "../../docs/assets/exercises/exercise.js"
import { judge } from "../../docs/assets/exercises/judge.js"
import { wrongAnswers } from "../../docs/assets/exercises/wrong.js"
import { explain, isRight } from "../../docs/assets/explaining/explain.js"
import { rightParts } from "../../docs/assets/explaining/kinds/parts.js"
import * as known from "../../docs/assets/explaining/known-numbers.js"
import { bounds, read } from "../../docs/assets/explaining/read.js"
import { readings } from "../../docs/assets/explaining/readings.js"
import { forMisspellings, inIndexWords } from "../../docs/assets/searching/asked.js"
import exercises from "../../docs/data/exercises.js"

// --- Counting ---------------------------------------------------------------

export const counts = (questions) => questions.map(engine.count)

export const bridges = (questions) =>
  questions.map(([modelClass, model, deviations]) =>
    bridge(modelClass, engine.models.get(model).sizes, deviations).map((step) => [
      step.deviation,
      step.value,
      step.formula,
    ]),
  )

/** The elements of each kind of operation, and the longest text that there may be. */
export const operations = (questions) =>
  questions.map(({ architecture, modelClass, sizes, choices, tokens, texts }) => [
    elementsOf(modelClass, batchOf(sizes, tokens, texts), choices),
    longest(architecture, sizes),
  ])

// --- What the calculator counts ---------------------------------------------

export const methods = () => [...changes.METHODS.values()]

/** The counts of configurations; one in `apart` has the lines of its sum too, which take longest. */
export const changed = (configurations, apart) =>
  configurations.map((configuration, place) => {
    const count = changes.count(configuration)
    const { total, trainable, rows, parts, formula, bytes } = count
    const sum = place % apart === 0 ? count.sum.map((line) => line.text) : []
    return { total, trainable, rows, parts, formula, bytes, sum }
  })

export const missingInPlace = (pairs) => pairs.map((pair) => changes.missingInPlace(...pair))

export const steps = (pairs) => pairs.map((pair) => changes.steps(...pair))

export const whatIfs = (configurations) => configurations.map((configuration) => changes.whatIfs(configuration))

export const offered = (configurations) => configurations.map((configuration) => changes.offered(configuration))

export const shares = (pairs) => pairs.map((pair) => percentage(changes.shareOf(...pair.map(Number))))

// --- Configs, fields and addresses ------------------------------------------

export const configs = (texts) => texts.map(configuration.read)

export const configsOfBytes = (files) =>
  files.map((file) => configuration.read(Uint8Array.from(atob(file), (character) => character.charCodeAt(0))))

export const longConfig = (text, character, times) =>
  configuration.read(text.replace("<long>", () => character.repeat(times)))

export const totalsOfConfigs = (cases) =>
  cases.map(([text, names]) => {
    const { configuration: good } = configuration.read(text)
    return good && names.map((modelClass) => changes.count({ ...good, modelClass }).total)
  })

export const writtenConfigs = (names) => names.map((name) => configuration.config(configuration.ofModel(name)))

export const checkedFields = (all) => all.map(configuration.check)

/** A property of a new object: none, unless something that was read has added it to every object. */
export const ofEveryObject = (name) => ({})[name]

/** The address of every state, what is wrong with it, and the state before and after its way through the address. */
export const addressed = (states) =>
  states.map(({ fields, beside }) => {
    const whole = (one) => ({ ...state.stateOf(one.model, one.class), ...one })
    const original = { fields: whole(fields), beside: beside.map(whole) }
    const address = state.addressOf(original)
    const { state: again, complaints } = state.stateAt(address)
    const [before, after] = [original, again].map((one) => JSON.stringify(one))
    return [address, complaints, before === after, before, after]
  })

export const readAddresses = (all) =>
  all.map((address) => {
    const { state: result, complaints } = state.stateAt(address)
    return [state.addressOf(result), complaints.join("; ")]
  })

// --- Numbers as they are typed ----------------------------------------------

export const numbersRead = (texts) =>
  texts.map((text) => {
    const number = read(text)
    return number && { ...number, bounds: bounds(number) }
  })

/** The windows of the rounded numbers among some texts: what they may have been rounded or cut from. */
export const windows = (texts) =>
  texts.map((text) =>
    readings(text)
      .filter(({ width }) => width)
      .map((reading) => reading.windows.map(({ low, high, figures, isCut }) => [low, high, figures, isCut])),
  )

/** The texts that are read wrongly or throw an error, and the count of those that are numbers. */
export const readOtherwise = (texts) => {
  let numbers = 0
  const faults = texts.flatMap((text) => {
    try {
      const number = read(text)
      if (number === null) return []
      numbers++
      const fine = Number.isSafeInteger(number.low) && number.low >= 0 && number.high >= number.low
      return fine || number.amount === "share" ? [] : [[text, JSON.stringify([number.low, number.high])]]
    } catch (error) {
      return [[text, String(error)]]
    }
  })
  return [faults, numbers]
}

const milliseconds = (run) => {
  const start = performance.now()
  run()
  return performance.now() - start
}

export const timesToRead = (texts) =>
  texts.map((text) => Math.min(...Array.from({ length: 5 }, () => milliseconds(() => read(text)))))

// --- The search for a number ------------------------------------------------

export const explained = (questions) => questions.map(([text, model]) => explain(text, model))

/** The likeliest explanation of every text, if there is one, and whether it is a right total. */
export const firstAnswers = (texts) =>
  texts.map((text) => {
    const [first] = explain(text) ?? []
    return first && { ...first, isRight: isRight(first) }
  })

export const knownWithin = (windows) =>
  windows.map(([low, high]) =>
    known
      .within(low, high)
      .map(({ number, models, classes, mistakes, cost }) => [number, models, classes, mistakes, cost]),
  )

export const partsRounded = (windows) => windows.map((window) => rightParts(...window))

/** Of each answer, the heading above other ways, and how many of them are below it. */
export const otherWays = (texts) => {
  globalThis.document = { createElement, createElementNS: createElement }
  const folds = texts.map((text) => answerTo(text, "", explain(text)).find((each) => each.class === "bc-ways-on"))
  delete globalThis.document
  return folds.map((fold) => (fold ? [fold.children[0].children.join(""), fold.children[1].children.length] : ["", 0]))
}

/** An element that only keeps what it is given. */
function createElement() {
  const made = { children: [], append: (...children) => made.children.push(...children), querySelector: createElement }
  return Object.assign(made, { setAttribute: (name, value) => Object.assign(made, { [name]: value }) })
}

export const timesToExplain = (texts) =>
  texts.map((text) => Math.min(...[1, 2, 3].map(() => milliseconds(() => explain(text)))))

export const timeToExplain = (text) => milliseconds(() => explain(text))

/** The explanations with other sizes in which some mistake has no effect. */
export const idle = (texts) =>
  texts.flatMap((text) => {
    const { Counter, deviations, models } = engine
    return explain(text)
      .filter((answer) => Object.keys(answer.sizes).length)
      .filter((answer) => {
        const counter = new Counter(answer.classes[0], { ...models.get(answer.models[0]).sizes, ...answer.sizes })
        const number = (names) => counter.number(names.map((name) => deviations.get(name)))
        return answer.mistakes.some((one) => number(answer.mistakes.filter((other) => other !== one)) === answer.number)
      })
      .map(({ mistakes }) => `${text}: ${mistakes}`)
  })

// --- Drawing ---------------------------------------------------------------

export const tiles = (cuts) => cuts.map((cut) => draw.tiles(...cut))

/** Whether a block is too thin to see, and everything that may be drawn of it. */
export const drawn = (blocks) =>
  blocks.map(([name, share, tile]) => [
    draw.isThin(tile),
    draw.amount(share),
    draw.rectangle(tile),
    draw.label(name, draw.amount(share), tile),
    draw.nameAlone(name, tile),
    draw.mark(tile),
  ])

export const keyToThin = () => draw.THIN_KEY

// --- Exercises --------------------------------------------------------------

/** For every text, random numbers below some limits, one of the items, and the items in a random order. */
export const drawsOfChance = (texts, limits, items) =>
  texts.map((text) => {
    const chance = chanceFrom(text)
    return [limits.map((limit) => chance.below(limit)), chance.oneOf(items), chance.shuffled(items)]
  })

export const exercisesDrawn = (all) => all.map(([set, seed]) => exercise(set, seed))

export const answersJudged = (cases) =>
  cases.map(([set, seed, texts]) => {
    const { answer, unit, wrong, sizes } = exercise(set, seed)
    return texts.map((text) => judge(text, answer, unit, wrong, sizes))
  })

/** The verdicts on answers to what the lesson counts of BERT base. */
export const judgedAs = ({ part, words, right }, texts) => {
  const base = engine.models.get("bert-base-uncased")
  const isMeant = (ask) => ask.part === part && ask.words === words && ask.unit === "parameters"
  const ask = exercises.asks.find((one) => isMeant(one) && !one.models.length)
  const wrong = wrongAnswers(ask, base)
  return texts.map((text) => judge(text, right, "parameters", wrong, base.sizes))
}

export const verdicts = (cases) =>
  cases.map(([text, answer, ...wrong]) => {
    const knownWrong = wrong.map(([number, feedback]) => ({ number, feedback, names: [], titles: [] }))
    const { kind, says } = judge(text, answer, "parameters", knownWrong)
    return kind === "known" ? says : kind
  })

// --- The search of the site -------------------------------------------------

export const askedOfIndex = (texts) => texts.map(inIndexWords)

export const meantOfIndex = (words, terms) =>
  words.map((word) =>
    forMisspellings(inIndexWords(word), [[{ terms: Object.fromEntries(terms.map((term) => [term, true])) }]]),
  )

// --- Texts that are pasted ----------------------------------------------------

export const accountInMarkdown = asMarkdown

export const short = (texts) => texts.map(isShort)
