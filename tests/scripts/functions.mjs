// What tests have the modules of docs/assets do without a browser, by name. Most take many cases and answer them all,
// since one call for each would take longer than what is called.

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

/** What is counted of each; of every so many also the lines of the sum, which take longest. */
export const changed = (configurations, apart) =>
  configurations.map((each, place) => {
    const counted = changes.count(each)
    const { total, trainable, rows, parts, formula, bytes } = counted
    const sum = place % apart === 0 ? counted.sum.map((line) => line.text) : []
    return { total, trainable, rows, parts, formula, bytes, sum }
  })

export const missingInPlace = (pairs) => pairs.map((pair) => changes.missingInPlace(...pair))

export const steps = (pairs) => pairs.map((pair) => changes.steps(...pair))

export const whatIfs = (configurations) => configurations.map((each) => changes.whatIfs(each))

export const offered = (configurations) => configurations.map((each) => changes.offered(each))

export const shares = (pairs) => pairs.map((pair) => percentage(changes.shareOf(...pair.map(Number))))

// --- Configs, fields and addresses ------------------------------------------

export const configs = (texts) => texts.map(configuration.read)

export const configsOfBytes = (files) =>
  files.map((file) => configuration.read(Uint8Array.from(atob(file), (each) => each.charCodeAt(0))))

export const longConfig = (text, character, times) =>
  configuration.read(text.replace("<long>", () => character.repeat(times)))

export const totalsOfConfigs = (cases) =>
  cases.map(([text, names]) => {
    const { configuration: found } = configuration.read(text)
    return found && names.map((modelClass) => changes.count({ ...found, modelClass }).total)
  })

export const writtenConfigs = (names) => names.map((name) => configuration.config(configuration.ofModel(name)))

export const checkedFields = (all) => all.map(configuration.check)

/** A property that every object has; none unless something read has put it there. */
export const ofEveryObject = (name) => ({})[name]

/** The address of each state, what is wrong with it, and the state before and after it has gone through the address. */
export const addressed = (states) =>
  states.map(({ fields, beside }) => {
    const whole = (one) => ({ ...state.stateOf(one.model, one.class), ...one })
    const typed = { fields: whole(fields), beside: beside.map(whole) }
    const address = state.addressOf(typed)
    const { state: again, complaints } = state.stateAt(address)
    const [before, after] = [typed, again].map((one) => JSON.stringify(one))
    return [address, complaints, before === after, before, after]
  })

export const readAddresses = (all) =>
  all.map((each) => {
    const { state: found, complaints } = state.stateAt(each)
    return [state.addressOf(found), complaints.join("; ")]
  })

// --- Numbers as they are typed ----------------------------------------------

export const numbersRead = (texts) =>
  texts.map((text) => {
    const number = read(text)
    return number && { ...number, bounds: bounds(number) }
  })

/** What the rounded numbers among some texts may have been rounded or cut from. */
export const windows = (texts) =>
  texts.map((text) =>
    readings(text)
      .filter(({ width }) => width)
      .map((each) => each.windows.map(({ low, high, figures, isCut }) => [low, high, figures, isCut])),
  )

/** The texts that are read otherwise than they may be, and how many are numbers. */
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

/** The likeliest explanation of each text, if there is any, and whether it counts what a right total counts. */
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

export const timesToExplain = (texts) =>
  texts.map((text) => Math.min(...[1, 2, 3].map(() => milliseconds(() => explain(text)))))

export const timeToExplain = (text) => milliseconds(() => explain(text))

/** Explanations with another size in which a mistake changes nothing there. */
export const idle = (texts) =>
  texts.flatMap((text) => {
    const { Counter, deviations, models } = engine
    return explain(text)
      .filter((each) => Object.keys(each.sizes).length)
      .filter((each) => {
        const counter = new Counter(each.classes[0], { ...models.get(each.models[0]).sizes, ...each.sizes })
        const number = (names) => counter.number(names.map((name) => deviations.get(name)))
        return each.mistakes.some((one) => number(each.mistakes.filter((other) => other !== one)) === each.number)
      })
      .map(({ mistakes }) => `${text}: ${mistakes}`)
  })

// --- Drawing ---------------------------------------------------------------

export const tiles = (cuts) => cuts.map((cut) => draw.tiles(...cut))

/** Everything that may be drawn of a block, and whether it is too thin to see. */
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

/** For each text some numbers below others, and then some items in another order. */
export const drawsOfChance = (texts, limits, items) =>
  texts.map((text) => {
    const chance = chanceFrom(text)
    return [limits.map((each) => chance.below(each)), chance.oneOf(items), chance.shuffled(items)]
  })

export const exercisesDrawn = (all) => all.map(([set, seed]) => exercise(set, seed))

export const answersJudged = (cases) =>
  cases.map(([set, seed, typed]) => {
    const { answer, unit, wrong, sizes } = exercise(set, seed)
    return typed.map((each) => judge(each, answer, unit, wrong, sizes))
  })

/** What is typed, judged as answers to what the lesson counts of BERT base. */
export const judgedAs = ({ part, words, right }, typed) => {
  const base = engine.models.get("bert-base-uncased")
  const isMeant = (each) => each.part === part && each.words === words && each.unit === "parameters"
  const ask = exercises.asks.find((each) => isMeant(each) && !each.models.length)
  const wrong = wrongAnswers(ask, base)
  return typed.map((each) => judge(each, right, "parameters", wrong, base.sizes))
}

export const verdicts = (cases) =>
  cases.map(([typed, answer, ...wrong]) => {
    const listed = wrong.map(([number, feedback]) => ({ number, feedback, names: [], titles: [] }))
    const { kind, says } = judge(typed, answer, "parameters", listed)
    return kind === "known" ? says : kind
  })

// --- The search of the site -------------------------------------------------

export const askedOfIndex = (texts) => texts.map(inIndexWords)

export const meantOfIndex = (words, terms) =>
  words.map((word) =>
    forMisspellings(inIndexWords(word), [[{ terms: Object.fromEntries(terms.map((each) => [each, true])) }]]),
  )
