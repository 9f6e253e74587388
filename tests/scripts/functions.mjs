// The functions of docs/assets that tests call without a browser. Most take many cases at once, because a call for every
// case would take longer than the function itself.

import { asMarkdown } from "../../docs/assets/answering/account.js"
import { answerTo } from "../../docs/assets/answering/answer.js"
import { isShort } from "../../docs/assets/answering/pasted.js"
import { percentage } from "../../docs/assets/calculator/live.js"
import * as state from "../../docs/assets/calculator/state.js"
import { bridge } from "../../docs/assets/counting/bridge.js"
import * as changes from "../../docs/assets/counting/changes.js"
import { commandOptions } from "../../docs/assets/counting/command.js"
import * as configuration from "../../docs/assets/counting/configuration.js"
import * as engine from "../../docs/assets/counting/engine.js"
import { fileOf, placeOf } from "../../docs/assets/counting/files.js"
import { batchOf, elementsOf, longest } from "../../docs/assets/counting/operations.js"
import { modelToTrain } from "../../docs/assets/counting/trained.js"
import * as training from "../../docs/assets/counting/training.js"
import * as draw from "../../docs/assets/drawing/levels.js"
import { chanceFrom } from "../../docs/assets/exercises/chance.js"
import { creditFor } from "../../docs/assets/exercises/credit.js"
import { exercise } from "../../docs/assets/exercises/exercise.js"
import { judge } from "../../docs/assets/exercises/judge.js"
import { withFurther, wrongAnswers } from "../../docs/assets/exercises/wrong.js"
import { explain, isRight } from "../../docs/assets/explaining/explain.js"
import { rightParts } from "../../docs/assets/explaining/kinds/parts.js"
import * as known from "../../docs/assets/explaining/known-numbers.js"
import { bounds, read } from "../../docs/assets/explaining/read.js"
import { readings } from "../../docs/assets/explaining/readings.js"
import { account } from "../../docs/assets/reading/account.js"

import { plain } from "../../docs/assets/reading/clean.js"
import { accountOfConfig } from "../../docs/assets/reading/configs/account.js"
import { suggestionFor } from "../../docs/assets/reading/configs/suggestions.js"
import { FileRefused, textOfFile } from "../../docs/assets/reading/files.js"
import { accountOfLabels } from "../../docs/assets/reading/labels/account.js"
import { adaptedTo, byCost, MAX_COST, rarelyAdaptedTo, SURE } from "../../docs/assets/reading/labels/adapted.js"
import { mentionedWays } from "../../docs/assets/reading/labels/pairs.js"
import { ORGANISATIONS } from "../../docs/assets/reading/model-names.js"
import { alignedPrintOut } from "../../docs/assets/reading/rows/facts.js"
import { accountOfSum } from "../../docs/assets/reading/sums/account.js"
import { accountOfWarning } from "../../docs/assets/reading/warnings/account.js"
import { plainly } from "../../docs/assets/reading/words.js"
import { forMisspellings, inIndexWords } from "../../docs/assets/site-search/query.js"
import { idsOf, piecesOf } from "../../docs/assets/trying/wordpiece.js"
import exercises from "../../docs/data/exercises.js"

// --- Counting ---------------------------------------------------------------

export const counts = (questions) => questions.map(engine.count)

/** The label of every class, in the order of the table. */
export const classLabels = () => [...engine.classes.values()].map(engine.classLabel)

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

export const commandOptionsOf = (configurations) => configurations.map((configuration) => commandOptions(configuration))

export const missingInPlace = (pairs) => pairs.map((pair) => changes.missingInPlace(...pair))

export const steps = (pairs) => pairs.map((pair) => changes.steps(...pair))

export const whatIfs = (configurations) => configurations.map((configuration) => changes.whatIfs(configuration))

export const available = (configurations) => configurations.map((configuration) => changes.available(configuration))

export const shares = (pairs) => pairs.map((pair) => percentage(changes.shareOf(...pair.map(Number))))

/** Of every step, why it is not counted, or its bytes part by part, those of one more text, and the largest batch. Its model
 * is a configuration, or a published one by its name with an option of what is trained. */
export const trainingSteps = (cases) =>
  cases.map(({ configuration, published, way, texts, bytes }) => {
    const model = published ? training.publishedModel(...published) : modelToTrain(configuration)
    const refusal = training.refusal(model, way)
    if (refusal || !training.isKnown(model)) return { refusal: refusal?.message ?? "" }
    const largest = training.largestBatch(model, way, bytes)
    return { ...training.partsOf(model, way, texts), text: training.textBytes(model, way), largest }
  })

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

/** The first sentences of each answer. */
export const firstSentences = (texts) => {
  globalThis.document = { createElement, createElementNS: createElement }
  const textOf = (node) =>
    typeof node === "string" ? node : node.children.map(textOf).join("") + (node.textContent ?? "")
  const answers = texts.map((text) => textOf(answerTo(text, "", explain(text))[0]))
  delete globalThis.document
  return answers
}

/** The text of each whole answer, its elements separated by bars. */
export const answersInFull = (texts) => {
  globalThis.document = { createElement, createElementNS: createElement }
  const piecesOf = (node) =>
    typeof node === "string" ? [node] : [...node.children.flatMap(piecesOf), node.textContent ?? ""]
  const answers = texts.map((text) => answerTo(text, "", explain(text)).flatMap(piecesOf).filter(Boolean).join("|"))
  delete globalThis.document
  return answers
}

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

// --- Accounts of pasted texts ------------------------------------------------

/** The accounts of texts, their sentences as plain text; null for a text that is not read. */
export const accounts = (texts) => texts.map((text) => inPlainWords(account(text)))

/** The accounts of texts as data, with the sum of their rows; null for a text that is not read. */
export const accountsAsData = (texts) =>
  texts.map((text) => {
    const one = account(text)
    if (!one) return null
    const { kind, headline, findings, lines, bridge, model } = one
    return { kind, headline, findings, lines, model, sum: bridge?.start ?? model?.total ?? null }
  })

const inPlainWords = (one) =>
  one && {
    ...one,
    headline: plainly(one.headline),
    findings: one.findings.map((finding) => ({ ...finding, words: plainly(finding.words) })),
    lines: one.lines.map((line) => ({ ...line, part: plainly(line.part) })),
  }

/** Of every text the kind of its account, the error that it throws instead, and the milliseconds that it takes. */
export const accountsInTime = (texts) =>
  texts.map((text) => {
    let [kind, thrown] = ["", ""]
    const took = milliseconds(() => {
      try {
        kind = account(text)?.kind ?? ""
      } catch (error) {
        thrown = String(error)
      }
    })
    return [kind, thrown, took]
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

/** For a model's sizes, the bytes before the data of its file, and for parameters of the map their place in it. */
export const placesInFile = (tensors, sizes, cells) => {
  const file = fileOf(tensors, sizes)
  return [
    file.header,
    Object.fromEntries(file.starts),
    cells.map(([tensor, shape, cell, name]) => placeOf(tensors[tensor], shape, cell, name, file)),
  ]
}

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
    const { answer, unit, wrong, further, sizes, sum } = exercise(set, seed)
    const known = withFurther(wrong, further, answer)
    return texts.map((text) => judge(text, answer, unit, known, sizes, sum))
  })

/** The credit for answers to exercises that are not right. */
export const creditsFor = (set, seed, answers) => answers.map((typed) => creditFor(typed, exercise(set, seed)).credit)

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

// --- Sums by hand ------------------------------------------------------------

/** The account of each text, in plain words. */
export const sumsAccounted = (texts) =>
  texts.map((text) => {
    const account = accountOfSum(text)
    return (
      account && {
        ...account,
        headline: plainly(account.headline),
        findings: account.findings.map((finding) => ({ ...finding, words: plainly(finding.words) })),
        lines: account.lines.map((line) => ({ ...line, part: plainly(line.part) })),
        bridge: account.bridge && {
          ...account.bridge,
          steps: account.bridge.steps.map((step) => ({ ...step, label: plainly(step.label) })),
        },
      }
    )
  })

// --- The search of the site -------------------------------------------------

export const askedOfIndex = (texts) => texts.map(inIndexWords)

export const meantOfIndex = (words, terms) =>
  words.map((word) =>
    forMisspellings(inIndexWords(word), [[{ terms: Object.fromEntries(terms.map((term) => [term, true])) }]]),
  )

// --- Texts with labels --------------------------------------------------------

/** The accounts of texts as plain text: the headline, the findings, the lines, and what else a test asks for. */
export const labelled = (texts) =>
  texts.map((text) => {
    const account = accountOfLabels(plain(text))
    if (!account) return null
    const { headline, findings, lines, bridge, model, confidence } = account
    return {
      headline: plainly(headline),
      findings: findings.map(({ words }) => plainly(words)),
      lines: lines.map(({ source, part, stated, right, verdict }) => [source, plainly(part), stated, right, verdict]),
      bridge: bridge && [bridge.start, bridge.steps.map(({ value }) => value), bridge.end],
      model,
      confidence,
    }
  })

/** The ways that an answer to each pair of numbers tells, the likeliest first, as changes of the command line. */
export const adaptedWays = (pairs) =>
  pairs.map(([trained, all]) => {
    const hints = { rank: 0, labels: 0, modules: [], methods: [], costOf: () => 0 }
    const { ways: usual } = adaptedTo(trained, all, hints)
    const ways = usual[0]?.cost <= SURE ? usual : [...usual, ...rarelyAdaptedTo(trained, all, hints)].sort(byCost)
    if (!(ways[0]?.cost <= MAX_COST)) return []
    const { way: likeliest, same, different } = mentionedWays(ways)
    return [likeliest, ...same, ...different].map(({ line, labels, head, copy, cost, ...way }) => ({
      model: line.model.name,
      modelClass: line.modelClass,
      labels,
      head: head.name,
      change: changeOf(way, head.name === "frozen" && copy > 0),
      cost,
    }))
  })

/** A way as a change of the command line. */
function changeOf({ method, rank, width, modules, feedforward, besides }, isWithoutTask) {
  const { takes = {} } = changes.METHODS.get(method) ?? {}
  const options = [
    rank && rank,
    width && `${takes.width}=${width}`,
    modules.length && `modules=${modules.join("+")}`,
    feedforward.length && `feedforward=${feedforward.join("+")}`,
    besides.bias && `bias=${besides.bias}`,
    besides.saved && `save=${besides.saved}`,
    isWithoutTask && "task=none",
  ]
  return [method, ...options.filter(Boolean)].join(":")
}

export const timesToLabel = (texts) =>
  texts.map((text) => Math.min(...[1, 2, 3].map(() => milliseconds(() => accountOfLabels(plain(text))))))

// --- Configurations, warnings and files ----------------------------------------

/** An account with its sentences as texts, and the milliseconds that it took; null if the reader knows no such text. */
const accounted = (reader, text) => {
  const start = performance.now()
  const account = reader(plain(text))
  const time = performance.now() - start
  if (!account) return { kind: "", time, headline: "", findings: [], lines: [], model: null, pages: [] }
  const pages = [account.headline, ...account.findings.map(({ words }) => words)]
    .flat()
    .flatMap(({ page }) => page ?? [])
  const lines = account.lines.map((line) => ({ ...line, part: plainly(line.part) }))
  const findings = account.findings.map(({ words }) => plainly(words))
  return { ...account, headline: plainly(account.headline), findings, lines, pages, time }
}

export const configAccounts = (texts) => texts.map((text) => accounted(accountOfConfig, text))

export const accountsAsTexts = (texts) => texts.map((text) => accounted(account, text))

export const warningAccounts = (texts) => texts.map((text) => accounted(accountOfWarning, text))

/** The same of a text that is too long to be passed: a piece, repeated, between a start and an end. */
export const longAccounts = (texts) =>
  texts.map(([start, piece, times, end]) => {
    const text = start + piece.repeat(times) + end
    // Other processes may hold one run up, but not three.
    const quickest = (reader) =>
      [1, 2, 3].map(() => accounted(reader, text)).sort((one, other) => one.time - other.time)[0]
    return [quickest(accountOfConfig), quickest(accountOfWarning)]
  })

export const namesSuggested = (names) => names.map(suggestionFor)

export const organisations = () => [...ORGANISATIONS]

/** Reads files, each given by its name, its first bytes in base64, and its size, up to which zeros follow. For each
 * file: its text or the refusal, and the number of bytes that were read. */
export const filesRead = (files) =>
  Promise.all(
    files.map(async ([name, base64, size]) => {
      const start = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      let bytes = 0
      const slice = (from, to) => {
        bytes += Math.min(to, size) - from
        const part = new Uint8Array(Math.min(to, size) - from)
        part.set(start.subarray(from, to))
        return new Blob([part])
      }
      try {
        return { text: await textOfFile({ name, size, slice }), refused: "", bytes }
      } catch (error) {
        if (!(error instanceof FileRefused)) throw error
        return { text: "", refused: error.message, bytes }
      }
    }),
  )

// --- Texts that are pasted ----------------------------------------------------

export const accountInMarkdown = asMarkdown

export const short = (texts) => texts.map(isShort)

/** The rows of print-outs, each with the names of the tensors that it stands for; null for a text that is none. */
export const alignedRows = (texts) =>
  texts.map(
    (text) =>
      alignedPrintOut(plain(text))?.alignment.rows.map(({ text: row, tensors }) => [
        row.line.source,
        tensors.map(({ name }) => name),
      ]) ?? null,
  )

// --- Pieces of words -----------------------------------------------------------

/** The ids of the pieces of each text, with a vocabulary that has an entry per line. */
export const idsOfPieces = (vocabulary, texts) => {
  const ids = idsOf(vocabulary)
  return texts.map((text) => piecesOf(text, ids).map(({ id }) => id))
}
