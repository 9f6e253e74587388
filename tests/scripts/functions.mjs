// The functions of docs/assets that tests call without a browser. Most take many cases at once, because one call per
// case would take longer than the function itself.

import { asMarkdown } from "../../docs/assets/answering/account.js"
import { answerTo } from "../../docs/assets/answering/answer.js"
import { fitsInAddress } from "../../docs/assets/answering/pasted-text.js"
import { percentage } from "../../docs/assets/calculator/live.js"
import * as state from "../../docs/assets/calculator/state.js"
import { bridge } from "../../docs/assets/counting/bridge.js"
import * as changes from "../../docs/assets/counting/changes.js"
import { commandOptions } from "../../docs/assets/counting/command.js"
import * as configuration from "../../docs/assets/counting/configuration.js"
import * as engine from "../../docs/assets/counting/engine.js"
import { fileOf, placeOf } from "../../docs/assets/counting/files.js"
import { elementsOf, maxTokensOf, withBatch } from "../../docs/assets/counting/operations.js"
import { modelToTrain } from "../../docs/assets/counting/trained-model.js"
import * as training from "../../docs/assets/counting/training.js"
import * as draw from "../../docs/assets/drawing/levels.js"
import { randomFrom } from "../../docs/assets/exercises/chance.js"
import { creditFor } from "../../docs/assets/exercises/credit.js"
import { exercise } from "../../docs/assets/exercises/exercise.js"
import { judge } from "../../docs/assets/exercises/judge.js"
import { load, save } from "../../docs/assets/exercises/storage.js"
import { withFurther, wrongAnswers } from "../../docs/assets/exercises/wrong.js"
import { explain, isRight } from "../../docs/assets/explaining/explain.js"
import { countsOf } from "../../docs/assets/explaining/kinds/operations.js"
import { rightParts } from "../../docs/assets/explaining/kinds/parts.js"
import * as knownNumbers from "../../docs/assets/explaining/known-numbers.js"
import { bounds, read } from "../../docs/assets/explaining/read.js"
import { readings } from "../../docs/assets/explaining/readings.js"
import { byCost } from "../../docs/assets/explaining/ways.js"
import { decodeAddress } from "../../docs/assets/pages/decode-address.js"
import { account } from "../../docs/assets/reading/account.js"
import { inPlainCharacters } from "../../docs/assets/reading/clean.js"
import { accountOfConfig } from "../../docs/assets/reading/configs/account.js"
import { asFile } from "../../docs/assets/reading/configs/entries.js"
import { suggestionFor } from "../../docs/assets/reading/configs/suggestions.js"
import { FileRefused, textOfFile } from "../../docs/assets/reading/files.js"
import { accountOfLabels } from "../../docs/assets/reading/labels/account.js"
import { MAX_COST, rareWaysTo, SURE_COST, usualWaysTo } from "../../docs/assets/reading/labels/adapted-models.js"
import { waysToMention } from "../../docs/assets/reading/labels/adapted-pairs.js"
import { roleOf, SETTING_RANGES } from "../../docs/assets/reading/labels/roles.js"
import { ORGANISATIONS } from "../../docs/assets/reading/model-names.js"
import { factsIn, isPrintOut, namedPrintOut } from "../../docs/assets/reading/rows/facts.js"
import { accountOfSum } from "../../docs/assets/reading/sums/account.js"
import { letterOf } from "../../docs/assets/reading/sums/names.js"
import { accountOfWarning } from "../../docs/assets/reading/warnings/account.js"
import { articleFor, asPlainText, firstOf } from "../../docs/assets/reading/words.js"
import { compound } from "../../docs/assets/site-search/compounds.js"
import { broadenQuery, translateQuery, withoutCompounds } from "../../docs/assets/site-search/query.js"
import { idsOf, piecesOf } from "../../docs/assets/trying/wordpiece.js"
import exercises from "../../docs/data/exercises.js"

// --- Counting ---------------------------------------------------------------

/** The engine's count for each question. */
export const counts = (questions) =>
  questions.map(({ deviations = [], ...question }) => engine.countWith(question, deviations))

/** The indefinite article for each title. */
export const articles = (titles) => titles.map(articleFor)

/** The words for the first items of a list, for each limit. */
export const firstItems = (items, limits) => limits.map((limit) => asPlainText(firstOf(items, limit, "or", "part")))

/** The label of every class, in the order of the table. */
export const classLabels = () => [...engine.classes.values()].map(engine.classLabel)

/** For each question, the steps from the right count to a wrong one: each mistake with its value and its formula. */
export const bridges = (questions) =>
  questions.map(([modelClass, model, deviations]) =>
    bridge(modelClass, engine.models.get(model).sizes, deviations).map((step) => [
      step.deviation,
      step.value,
      step.formula,
    ]),
  )

/** The texts about each mistake of leaving out a part, which scripts write themselves. */
export const omissions = () =>
  [...engine.deviations.values()]
    .filter(({ name }) => name.startsWith("without:"))
    .map(({ title, done, undo }) => [title, done, undo])

/** For each question, the elements of each kind of operation in a batch, and the greatest length of a text. */
export const operations = (questions) =>
  questions.map(({ architecture, modelClass, sizes, choices, tokens, texts }) => [
    elementsOf(modelClass, withBatch(sizes, tokens, texts), choices),
    maxTokensOf(architecture, sizes),
  ])

/** For each class and its sizes, the names of the counts, of operations and of parameters, for which a convention may
 * have a price. */
export const pricedKinds = (models) =>
  models.map(({ modelClass, sizes }) => Object.keys(countsOf(modelClass, sizes, 128)))

// --- What the calculator counts ---------------------------------------------

/** The fine-tuning methods, in the order of the table. */
export const methods = () => [...changes.METHODS.values()]

/** The counts of configurations. Every `interval`-th also has the lines of its sum, which take longest to compute. */
export const countsOfConfigurations = (configurations, fields, interval) =>
  configurations.map((configuration, index) => {
    const count = changes.count(configuration)
    const sum = index % interval === 0 ? count.sum.map((line) => line.text) : []
    return { ...Object.fromEntries(fields.map((field) => [field, count[field]])), sum }
  })

/** The options with which the command line counts each configuration. */
export const commandOptionsOf = (configurations) => configurations.map((configuration) => commandOptions(configuration))

/** The parameters that are missing if the first model of each pair is resized in place to become the second. */
export const missingInPlace = (pairs) => pairs.map((pair) => changes.missingInPlace(...pair))

/** The steps from the first configuration of each pair to the second. */
export const steps = (pairs) => pairs.map((pair) => changes.steps(...pair))

/** The changes that the calculator suggests for each configuration. */
export const whatIfs = (configurations) => configurations.map((configuration) => changes.whatIfs(configuration))

/** The switches that have an effect for each configuration, and the modules that a method may adapt. */
export const available = (configurations) => configurations.map((configuration) => changes.available(configuration))

/** The first number of each pair as a percentage of the second. Numbers are given as strings. */
export const shares = (pairs) => pairs.map((pair) => percentage(changes.shareOf(...pair.map(Number))))

/** The bytes of each training step part by part, those of one more text, and the largest batches that fit in the given
 * bytes and in those that the step itself needs; or the reason why the step is not counted, which is "" if only the
 * command line may count it. The model is a configuration, or a published model with an option for the parts that are
 * trained. */
export const trainingSteps = (cases) =>
  cases.map(({ configuration, published, way, texts, bytes }) => {
    const model = published ? training.publishedModel(...published) : modelToTrain(configuration)
    const refusal = training.refusal(model, way)
    if (refusal || !training.hasAnswerFor(model)) return { refusal: refusal?.message ?? "" }
    const step = training.bytesByPart(model, way, texts)
    const largest = [bytes, step.peak].map((availableBytes) => training.largestBatch(model, way, availableBytes))
    return { ...step, text: training.maxBytesPerText(model, way), largest }
  })

/** The reason why each training step is not counted, with the field to change; null if it is counted. */
export const refusedSteps = (cases) =>
  cases.map(({ configuration, way }) => training.refusal(modelToTrain(configuration), way))

// --- Configs, fields and addresses ------------------------------------------

/** The configuration in the text of each config.json, or the reasons why it is refused. */
export const configs = (texts) => texts.map(configuration.read)

/** The configuration in each config.json, or the reasons why it is refused. Files are given in base64. */
export const configsOfBytes = (files) =>
  files.map((file) => configuration.read(Uint8Array.from(atob(file), (character) => character.charCodeAt(0))))

/** The configuration in a text after `<long>` is replaced by `times` repetitions of a character. */
export const longConfig = (text, character, times) =>
  configuration.read(text.replace("<long>", () => character.repeat(times)))

/** The totals of each config in the classes that are given with it; null for a config that is refused. */
export const totalsOfConfigs = (cases) =>
  cases.map(([text, names]) => {
    const { configuration: result } = configuration.read(text)
    return result && names.map((modelClass) => changes.count({ ...result, modelClass }).total)
  })

/** The config.json that the calculator saves for each configuration. */
export const writtenConfigs = (configurations) => configurations.map(configuration.configOf)

/** The configuration in the calculator's fields, or the errors in them, for each case. */
export const checkedFields = (fields) => fields.map(configuration.check)

/** A property of a new, empty object. It is undefined unless reading a text has added it to every object. */
export const inheritedProperty = (name) => ({})[name]

/** The address of each state, the complaints about that address, whether reading gives the same state, and both
 * states as JSON. */
export const addressesOfStates = (states) =>
  states.map(({ fields, beside }) => {
    /** All fields of a model, with defaults for those that are not given. */
    const allFields = (givenFields) => ({
      ...state.fieldsOfModel(givenFields.model, givenFields.class),
      ...givenFields,
    })
    const original = { fields: allFields(fields), beside: beside.map(allFields) }
    const address = state.addressOf(original)
    const { state: result, complaints } = state.stateAt(address)
    const [before, after] = [original, result].map((value) => JSON.stringify(value))
    return [address, complaints, before === after, before, after]
  })

/** The address that the calculator writes after reading each address, and the complaints about the one that was
 * read. */
export const readAddresses = (addresses) =>
  addresses.map((address) => {
    const { state: result, complaints } = state.stateAt(address)
    return [state.addressOf(result), complaints.join("; ")]
  })

// --- Numbers as they are typed ----------------------------------------------

/** The settings with their smallest and largest plausible values. */
export const settingRanges = () => SETTING_RANGES

/** The role of each exact number next to a label with a role. */
export const rolesOfNumbers = (cases) =>
  cases.map(([number, role]) => roleOf({ amount: "", low: number, exact: true }, [role], false))

/** The number in each text, with its bounds; null for a text that is not a number. */
export const readNumbers = (texts) =>
  texts.map((text) => {
    const number = read(text)
    return number && { ...number, bounds: bounds(number) }
  })

/** The windows of each text that is a rounded number: the ranges that it may have been rounded or cut from. */
export const windows = (texts) =>
  texts.map((text) =>
    readings(text)
      .filter(({ uncertainty }) => uncertainty)
      .map((reading) => reading.windows.map(({ low, high, figures, isCut }) => [low, high, figures, isCut])),
  )

/** The texts that are read with impossible bounds or make the reader throw, and the number of texts that are read as
 * numbers. */
export const misreadTexts = (texts) => {
  let readCount = 0
  const faults = texts.flatMap((text) => {
    try {
      const number = read(text)
      if (number === null) return []
      readCount++
      const isOrdered = Number.isSafeInteger(number.low) && number.low >= 0 && number.high >= number.low
      return isOrdered || number.amount === "share" ? [] : [[text, JSON.stringify([number.low, number.high])]]
    } catch (error) {
      return [[text, String(error)]]
    }
  })
  return [faults, readCount]
}

/** The milliseconds of processor time that a function takes, which other processes on the machine do not lengthen. */
const milliseconds = (run) => {
  const start = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/** The milliseconds of a function's first run or, if that takes as long as the limit or longer, of the quickest of up to
 * three runs, because the machine may be busy. */
const quickest = (run, limit) => {
  let time = Infinity
  for (let tries = 0; tries < 3 && time >= limit; tries += 1) time = Math.min(time, milliseconds(run))
  return time
}

/** The milliseconds that reading each text as a number takes, in the quickest of five runs. */
export const timesToRead = (texts) =>
  texts.map((text) => Math.min(...Array.from({ length: 5 }, () => milliseconds(() => read(text)))))

// --- The search for a number ------------------------------------------------

/** The explanations of each number, for the model that is given with it, if any. */
export const explanations = (questions) => questions.map(([text, model]) => explain(text, model))

/** The likeliest explanation of each text, if there is one, and whether it is right. */
export const firstAnswers = (texts) =>
  texts.map((text) => {
    const [firstAnswer] = explain(text) ?? []
    return firstAnswer && { ...firstAnswer, isRight: isRight(firstAnswer) }
  })

/** The totals of published models, right or wrong, in each window from one number to another. */
export const knownWithin = (windows) =>
  windows.map(([low, high]) =>
    knownNumbers
      .knownTotalsWithin(low, high)
      .map(({ number, models, classes, mistakes, cost }) => [number, models, classes, mistakes, cost]),
  )

/** The right counts of parts in each window from one number to another. */
export const partsRounded = (windows) => windows.map((window) => rightParts(...window))

/** The text of the first element of each answer. */
export const firstSentences = (texts) => answersTo(texts).map(([firstElement]) => textsIn(firstElement).join(""))

/** The text of each whole answer, its elements separated by bars; for a model, or "" for any. */
export const answersInFull = (texts, model = "") =>
  answersTo(texts, model).map((answer) => answer.flatMap(textsIn).join("|"))

/** The values that are loaded, each after another is saved, by a browser whose storage refuses those at these places. */
export const loadedAfterSaving = (values, refused) => {
  let stored = null
  return values.map((value, place) => {
    globalThis.localStorage = {
      getItem: () => stored,
      setItem: (_, text) => {
        if (refused.includes(place)) throw new Error("full")
        stored = text
      },
    }
    save("progress", value)
    return load("progress")
  })
}

/** The heading above the further explanations of each answer, and their number; "" and 0 if there are none. */
export const otherWays = (texts) => {
  const lists = answersTo(texts).map((answer) => answer.find((element) => element.class === "bc-ways-on"))
  return lists.map((list) => (list ? [list.children[0].children.join(""), list.children[1].children.length] : ["", 0]))
}

/** The elements of the answer to each text, created by a stub of a browser's document. */
function answersTo(texts, model = "") {
  globalThis.document = { createElement, createElementNS: createElement }
  try {
    return texts.map((text) => answerTo(text, model, explain(text, model)))
  } finally {
    delete globalThis.document
  }
}

/** A stub of an element, which only keeps its children and attributes. */
function createElement() {
  const element = {
    children: [],
    append: (...children) => element.children.push(...children),
    setAttribute: (name, value) => Object.assign(element, { [name]: value }),
    querySelector: createElement,
  }
  return element
}

/** The non-empty strings in a child of an element. The child is a string or an element. */
const textsIn = (child) =>
  (typeof child === "string" ? [child] : [...child.children.flatMap(textsIn), child.textContent ?? ""]).filter(Boolean)

/** The milliseconds that explaining each text takes. */
export const timesToExplain = (texts, limit) => texts.map((text) => quickest(() => explain(text), limit))

/** The milliseconds that explaining a text takes in a single run. Later runs would use the caches of the first. */
export const timeToExplain = (text) => milliseconds(() => explain(text))

/** The explanations with changed sizes in which a mistake has no effect. */
export const idleMistakes = (texts) =>
  texts.flatMap((text) => {
    const { Counter, deviations, models } = engine
    return explain(text)
      .filter((answer) => Object.keys(answer.sizes).length)
      .filter((answer) => {
        const counter = new Counter(answer.classes[0], { ...models.get(answer.models[0]).sizes, ...answer.sizes })
        /** The total with the named mistakes. */
        const number = (mistakes) => counter.number(mistakes.map((name) => deviations.get(name)))
        return answer.mistakes.some(
          (name) => number(answer.mistakes.filter((other) => other !== name)) === answer.number,
        )
      })
      .map(({ mistakes }) => `${text}: ${mistakes}`)
  })

// --- Accounts of pasted texts ------------------------------------------------

/** The accounts of texts, with sentences as plain text; null for a text that is not read. */
export const accounts = (texts) => texts.map((text) => inPlainWords(account(text)))

/** The accounts of texts as data, with the sum of their rows or else the model's total; null for a text that is not
 * read. */
export const accountsAsData = (texts) =>
  texts.map((text) => {
    const result = account(text)
    if (!result) return null
    const { kind, headline, findings, lines, bridge, model } = result
    return { kind, headline, findings, lines, model, sum: bridge?.start ?? model?.total ?? null }
  })

/** An account whose sentences are plain texts, without links; null for no account. */
const inPlainWords = (result) =>
  result && {
    ...result,
    headline: asPlainText(result.headline),
    findings: result.findings.map((finding) => ({ ...finding, words: asPlainText(finding.words) })),
    lines: result.lines.map((line) => ({ ...line, part: asPlainText(line.part) })),
  }

/** The kind of each text's account, any error thrown instead, and the milliseconds that the call takes. */
export const accountsInTime = (texts) =>
  texts.map((text) => {
    let [kind, thrown] = ["", ""]
    const time = milliseconds(() => {
      try {
        kind = account(text)?.kind ?? ""
      } catch (error) {
        thrown = String(error)
      }
    })
    return [kind, thrown, time]
  })

// --- Drawing ---------------------------------------------------------------

/** The tiles into which each area is cut. */
export const tiles = (cuts) => cuts.map((cut) => draw.tiles(...cut))

/** Whether each block is too thin to see, and everything that may be drawn for it. */
export const drawnBlocks = (blocks) =>
  blocks.map(([name, share, tile]) => [
    draw.isThin(tile),
    draw.amount(share),
    draw.rectangle(tile),
    draw.label(name, draw.amount(share), tile),
    draw.nameAlone(name, tile),
    draw.mark(tile),
  ])

/** For the file of a model: the number of bytes before its data, the start of each tensor, and the places of cells. */
export const placesInFile = (tensors, sizes, cells) => {
  const file = fileOf(tensors, sizes)
  return [
    file.headerBytes,
    Object.fromEntries(file.starts),
    cells.map(([tensor, shape, cell, name]) => placeOf(tensors[tensor], shape, cell, name, file)),
  ]
}

/** The words for blocks that are too thin to see, in the key to a figure. */
export const keyToThin = () => draw.THIN_KEY

// --- Exercises --------------------------------------------------------------

/** For each text as a seed, random numbers below the limits, one of the items, and the items in a random order. */
export const drawsOfChance = (texts, limits, items) =>
  texts.map((text) => {
    const chance = randomFrom(text)
    return [limits.map((limit) => chance.below(limit)), chance.oneOf(items), chance.shuffled(items)]
  })

/** The exercise of each set and seed. */
export const drawnExercises = (pairs) => pairs.map(([set, seed]) => exercise(set, seed))

/** The verdicts on the answers to each exercise. */
export const exerciseVerdicts = (cases) =>
  cases.map(([set, seed, texts]) => {
    const variant = exercise(set, seed)
    const knownWrongAnswers = withFurther(variant.wrongAnswers, variant.further, variant.answer)
    return texts.map((text) => judge(text, variant.answer, variant.unit, knownWrongAnswers, variant.sizes, variant.sum))
  })

/** The credit for wrong answers to an exercise. */
export const creditsFor = (set, seed, answers) => answers.map((answer) => creditFor(answer, exercise(set, seed)).credit)

/** The verdicts on answers to a question of the lesson. The lesson is about BERT base. */
export const lessonVerdicts = ({ part, words, right }, texts) => {
  const base = engine.models.get("bert-base-uncased")
  /** Whether a question of the exercises asks the same as that of the lesson. */
  const isMeant = (ask) => ask.part === part && ask.words === words && ask.unit === "parameters"
  const ask = exercises.asks.find((candidate) => isMeant(candidate) && !candidate.models.length)
  const knownWrongAnswers = wrongAnswers(ask, base)
  return texts.map((text) => judge(text, right, "parameters", knownWrongAnswers, base.sizes))
}

/** The kind of verdict on the answer of each case, or the feedback if the answer is a known wrong one. */
export const verdicts = (cases) =>
  cases.map(([text, answer, ...wrong]) => {
    const knownWrongAnswers = wrong.map(([number, feedback]) => ({ number, feedback, names: [], titles: [] }))
    const { kind, feedback } = judge(text, answer, "parameters", knownWrongAnswers)
    return kind === "known" ? feedback : kind
  })

// --- Typed sums --------------------------------------------------------------

/** The letter of the size that each name means in a sum; "" for any other name. */
export const lettersOf = (names) => names.map(letterOf)

/** The account of each text as a sum, with sentences as plain text; null for a text that is not one. */
export const sumAccounts = (texts) =>
  texts.map((text) => {
    const result = inPlainWords(accountOfSum(text))
    const { bridge } = result ?? {}
    const steps = bridge?.steps.map((step) => ({ ...step, label: asPlainText(step.label) }))
    return bridge ? { ...result, bridge: { ...bridge, steps } } : result
  })

// --- The search of the site -------------------------------------------------

/** Each query in the words of the index. */
export const indexQueries = (texts) => texts.map(translateQuery)

/** Each name as one word of the index. */
export const compounds = (names) => names.map(compound)

/** Each query with room for misspellings, for an index with only these terms; null if it has no unknown words. */
export const queriesForMisspellings = (texts, terms) =>
  texts.map((text) =>
    broadenQuery(translateQuery(text), [[{ terms: Object.fromEntries(terms.map((term) => [term, true])) }]]),
  )

/** The terms of a result of a query, as the theme gets them. */
export const shownTerms = (terms) => {
  const [[result]] = withoutCompounds([[{ terms: Object.fromEntries(terms.map((term) => [term, false])) }]])
  return Object.keys(result.terms)
}

// --- Texts with labels --------------------------------------------------------

/** The accounts of texts with labels, with sentences as plain text and the fields that tests compare; null for a text
 * that is not read. */
export const labelAccounts = (texts) =>
  texts.map((text) => fieldsOfLabelAccount(accountOfLabels(inPlainCharacters(text))))

/** The account of each text with labels, as `labelAccounts` returns it, and the milliseconds that it takes. */
export const timedLabelAccounts = (texts, limit) =>
  texts.map((text) => {
    let account
    const time = quickest(() => {
      account = accountOfLabels(inPlainCharacters(text))
    }, limit)
    return [fieldsOfLabelAccount(account), time]
  })

/** The fields of an account that tests compare, with sentences as plain text; null if there is no account. */
const fieldsOfLabelAccount = (account) => {
  if (!account) return null
  const { headline, findings, lines, bridge, model, confidence } = account
  return {
    headline: asPlainText(headline),
    findings: findings.map(({ words }) => asPlainText(words)),
    lines: lines.map(({ source, part, stated, right, verdict }) => [source, asPlainText(part), stated, right, verdict]),
    bridge: bridge && [bridge.start, bridge.steps.map(({ value }) => value), bridge.end, bridge.endLabel],
    model,
    confidence,
  }
}

/** The ways that an answer to each pair of numbers gives, likeliest first, as changes for the command line. */
export const adaptedWays = (pairs) =>
  pairs.map(([trained, all]) => {
    const hints = { rank: 0, labels: 0, modules: [], methods: [], costOf: () => 0 }
    const target = { trained, rest: all - trained, hints }
    const { ways: commonWays } = usualWaysTo(target)
    const isSure = commonWays[0]?.cost <= SURE_COST
    const ways = isSure ? commonWays : [...commonWays, ...rareWaysTo(target)].sort(byCost)
    if (!(ways[0]?.cost <= MAX_COST)) return []
    const { way: likeliestWay, ofSameModel, ofOtherModels } = waysToMention(ways)
    return [likeliestWay, ...ofSameModel, ...ofOtherModels].map(({ line, labels, head, copy, cost, ...way }) => ({
      model: line.model.name,
      modelClass: line.modelClass,
      labels,
      head: head.name,
      change: changeOf(way, head.name === "frozen" && copy > 0),
      cost,
    }))
  })

/** A way in the command line's notation for changes. */
function changeOf({ method, rank, width, modules, feedforward, extras }, isWithoutTask) {
  const { takes = {} } = changes.METHODS.get(method) ?? {}
  const options = [
    rank && rank,
    width && `${takes.width}=${width}`,
    modules.length && `modules=${modules.join("+")}`,
    feedforward.length && `feedforward=${feedforward.join("+")}`,
    extras.bias && `bias=${extras.bias}`,
    extras.saved && `save=${extras.saved}`,
    isWithoutTask && "task=none",
  ]
  return [method, ...options.filter(Boolean)].join(":")
}

// --- Configurations, warnings and files ----------------------------------------

/** An account with sentences as plain text, and the milliseconds that it took. Its kind is "" for a text that the
 * reader does not read. */
const plainAccount = (reader, text) => {
  let account = null
  const time = milliseconds(() => {
    account = reader(inPlainCharacters(text))
  })
  if (!account) return { kind: "", time, headline: "", findings: [], lines: [], model: null, pages: [] }
  const pages = [account.headline, ...account.findings.map(({ words }) => words)]
    .flat()
    .flatMap(({ page }) => page ?? [])
  const lines = account.lines.map((line) => ({ ...line, part: asPlainText(line.part) }))
  const findings = account.findings.map(({ words }) => asPlainText(words))
  return { ...account, headline: asPlainText(account.headline), findings, lines, pages, time }
}

/** The accounts of texts by the reader of configurations. */
export const configAccounts = (texts) => texts.map((text) => plainAccount(accountOfConfig, text))

/** The config.json for each text, as the calculator reads it. */
export const configFiles = (texts) => texts.map(asFile)

/** The accounts of texts by the page of answers. */
export const accountsAsTexts = (texts) => texts.map((text) => plainAccount(account, text))

/** The accounts of texts by the reader of warnings. */
export const warningAccounts = (texts) => texts.map((text) => plainAccount(accountOfWarning, text))

/** Both readers' accounts of texts too long to be passed: each is a piece, repeated, between a start and an end. */
export const longAccounts = (texts) =>
  texts.map(([start, piece, times, end]) => {
    const text = start + piece.repeat(times) + end
    /** The account of the quickest of three runs, because other processes may delay one of them. */
    const quickest = (reader) =>
      [1, 2, 3].map(() => plainAccount(reader, text)).sort((first, second) => first.time - second.time)[0]
    return [quickest(accountOfConfig), quickest(accountOfWarning)]
  })

/** The published name that is suggested for each unknown one; null if none is close. */
export const suggestedNames = (names) => names.map(suggestionFor)

/** The organisations whose names may come before a model's. */
export const organisations = () => [...ORGANISATIONS]

/** The text of each file or its refusal, and the number of bytes that were read. A file is given by its name, its first
 * bytes in base64, and its size, to which it is padded with zeros. */
export const readFiles = (files) =>
  Promise.all(
    files.map(async ([name, base64, size]) => {
      const start = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      let bytes = 0
      /** The bytes of the file in a range, which are counted as read. */
      const slice = (from, to) => {
        bytes += Math.min(to, size) - from
        const piece = new Uint8Array(Math.min(to, size) - from)
        piece.set(start.subarray(from, to))
        return new Blob([piece])
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

/** An account in Markdown, as the page of answers copies it. */
export const accountInMarkdown = asMarkdown

/** Whether each text may become part of an address. */
export const areShort = (texts) => texts.map(fitsInAddress)

/** The rows of print-outs, each with the names of its tensors; null for a text that is not a print-out. */
export const alignedRows = (texts) =>
  texts.map((text) => {
    const printOut = namedPrintOut(inPlainCharacters(text))
    const facts = isPrintOut(printOut) ? factsIn(printOut) : null
    return (
      facts?.alignment.rows.map(({ text: row, tensors }) => [row.line.source, tensors.map(({ name }) => name)]) ?? null
    )
  })

// --- Pieces of words -----------------------------------------------------------

/** The ids of the pieces of each text, with a vocabulary of one entry per line. */
export const idsOfPieces = (vocabulary, texts) => {
  const ids = idsOf(vocabulary)
  return texts.map((text) => piecesOf(text, ids).map(({ id }) => id))
}

// --- Addresses ----------------------------------------------------------------

/** Texts decoded as addresses. */
export const decodedAddresses = (texts) => texts.map(decodeAddress)
