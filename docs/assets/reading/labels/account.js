// Explains numbers with labels: a sentence, or a few lines, in which words state what the numbers
// count.
//
// `quantities.js` reads every number with its label and unit, and `mentions.js` finds the words
// that name a model, class or part. Texts of a special kind, such as the log of a trainer, are
// recognised first, because their words settle what every number is. A text may also be a question
// (`questions/`), with or without numbers.
//
// In any other text, a pair of numbers, the trainable parameters and all parameters, is explained by
// a search over models and methods (`pairs.js`). Other numbers are explained one by one, as their
// words suggest (`resolving.js`). At the end, all numbers are checked against one another
// (`checks.js`). Lists of tensors, and plain numbers and sums, are left to other modules.

import table from "../../../data/table.js"
import { getOrMake } from "../../counting/engine.js"
import { explain } from "../../explaining/explain.js"
import { readWithSizes } from "../../explaining/letters.js"
import { withoutTuples } from "../../explaining/read.js"
import { accountOfQuestion } from "../questions/account.js"
import { accountOfAmount } from "../questions/amounts.js"
import { accountOfOtherSizes, accountOfPartsWithSizes } from "../questions/other-sizes.js"
import { NUMBER_WORDS } from "../questions/question-accounts.js"
import { accountInSentences, words } from "../words.js"
import { findingsOfChecks } from "./checks.js"
import { accountOfDifference } from "./differences.js"
import { accountOfEstimate } from "./estimates.js"
import { accountOfFairseq } from "./fairseq.js"
import { accountOfGroups } from "./groups.js"
import { isBert } from "./meanings.js"
import { classesIn, isGeneric, mentionOf, mentionsByClass, modelsIn, partsIn, purposesIn } from "./mentions.js"
import { ALL_LAYERS, ONE_LAYER } from "./named-parts.js"
import { accountOfOwnModel } from "./own-models.js"
import { accountOfOwnTotal } from "./own-totals.js"
import { pairAccount, roundedPairAccount } from "./pairs.js"
import { quantitiesIn } from "./quantities.js"
import { accountOfSettings, LETTERS, modelsOfSettings } from "./settings.js"
import { accountOfShape } from "./shapes.js"
import { accountOfStatedComparison } from "./stated-comparisons.js"
import { accountOfStatedFraction, accountOfStatedPercentage } from "./stated-fractions.js"
import { accountOfStatements } from "./statements.js"
import { accountOfStoredTypes } from "./stored-types.js"
import { accountOfTable } from "./tables.js"
import { accountOfHubLayer } from "./tensorflow-hub.js"
import { accountOfTerms } from "./terms.js"
import { withoutToolOutput } from "./tool-output.js"
import { isInFull, percentageAccount, trainableAccount } from "./trainable-alone.js"
import { accountOfLog, accountOfTotalFlos } from "./trainer.js"

const MAX_LENGTH = 4000 // characters; a longer text is more than a few lines
const MAX_ROWS = 6 // a list with more rows is a print-out
const MIN_CONTRADICTION_WEIGHT = 5 // a finding of a check with at least this weight contradicts the text
/** A row of a list: a name with dots or slashes before a number; a shape; or a module as PyTorch prints it. */
const ROW = /(?:^|[\s│|])[A-Za-z_][\w()]*(?:[./][\w()]+)+\s.*[0-9]|\([0-9]+(?:,\s?[0-9]+)+,?\)|\(\w+\): \w+\(/
/** A row of a table with drawn lines, of a Keras summary, or of a table with several bars. */
const TABLE_ROW = /^\s*[├│└|]|\(\w+\)\s.*\[?\(?None|^[^|\n]*[^|]\|[^|].*[^|]\|[^|]/

/** A shape of two or more dimensions in brackets. A list of tensors on one line has a shape for each tensor. */
const SHAPE = /[([][0-9]+(?:,\s?[0-9]+)+,?[)\]]/g

/** Whether a text is a list of tensors or layers, which is explained elsewhere. @param {string} text */
const isList = (text) =>
  text.split("\n").filter((line) => /[0-9]/.test(line) && (ROW.test(line) || TABLE_ROW.test(line))).length > MAX_ROWS ||
  (text.match(SHAPE) ?? []).length > MAX_ROWS

/** The numbers that are about a model. @param {Quantity[]} quantities */
const numbersOfModels = (quantities) => quantities.filter(({ role }) => role && role !== "other")

/** A word for a number, before a noun for layers or segments. One layer is a part, not a size. */
const NUMBER_WORD = new RegExp(
  String.raw`\b(?:${NUMBER_WORDS.slice(1).join("|")})(?=\s(?:(?:encoder|transformer|hidden)\s)?(?:layers|(?:token|segment)\stypes|segments)\b)`,
  "gi",
)

/** A text with digits for words that give a model a number of layers or segments. @param {string} text */
const withDigits = (text) => text.replace(NUMBER_WORD, (word) => `${NUMBER_WORDS.indexOf(word.toLowerCase()) + 1}`)

/** The account of a hundred percent, which fits any model; null for any other text.
 * @param {string} text @returns {Account | null} */
const accountOfHundredPercent = (text) =>
  /^\s*100(?:[.,]0+)?\s?%\s*$/.test(text)
    ? accountInSentences(
        words`100% of the parameters are all of them, as when everything is trained. That holds for any model, so it does not show which one this is.`,
        [],
        { kind: "labels" },
      )
    : null

/** The account of a text whose numbers have labels, or of a question; null if there is nothing to say, and for a text
 * that other modules explain: a long one, a list of tensors, a number or a sum.
 * @param {string} source  in plain characters @returns {Account | null} */
export function accountOfLabels(source) {
  const text = withDigits(withoutToolOutput(withoutTuples(source)))
  if (text.length > MAX_LENGTH || isList(text)) return null
  const labelledText = labelledTextOf(text)
  // A text without digits, apart from those in names, can only ask a question, compare parts or models in words, or
  // give an amount in words.
  if (!/[0-9〇一二三四五六七八九]/.test(text.replace(/[A-Za-z][\w.-]*/g, "")))
    return (
      accountOfQuestion(labelledText) ??
      accountOfStatedFraction(labelledText) ??
      accountOfStatedComparison(labelledText) ??
      accountOfAmount(labelledText)
    )
  const wholeTextAccount =
    accountOfTotalFlos(text) ??
    accountOfFairseq(text) ??
    accountOfStoredTypes(text) ??
    accountOfQuestion(labelledText) ??
    accountOfHundredPercent(text) ??
    accountOfShape(text) ??
    accountOfDifference(text) ??
    accountOfEstimate(text) ??
    accountOfStatedComparison(labelledText) ??
    accountOfStatedFraction(labelledText) ??
    accountOfStatedPercentage(labelledText) ??
    accountOfOwnTotal(labelledText)
  if (wholeTextAccount) return wholeTextAccount
  const { numbers, mentions, classes } = labelledText
  if (!numbers.length) return accountOfAmount(labelledText) ?? accountOfLog(source)
  if (isNumberOrSum(source, numbers, mentions.length + classes.length > 0)) return null
  const textWithModels = withModelsOfSettings(labelledText)
  const accountOfSupposition =
    accountOfPartsWithSizes(labelledText) ?? accountOfOtherSizes(textWithModels) ?? accountOfOwnModel(labelledText)
  if (accountOfSupposition) return accountOfSupposition // sizes that the model does not have are not a contradiction
  const account =
    accountOfHubLayer(textWithModels) ??
    accountOfGroups(textWithModels) ??
    accountOfTerms(textWithModels) ??
    pairAccount(textWithModels) ??
    percentageAccount(textWithModels) ??
    accountOfTable(textWithModels) ??
    trainableAccount(textWithModels) ??
    accountOfStatements(textWithModels) ??
    accountOfSettings(textWithModels) ??
    roundedPairAccount(textWithModels)
  return account && withChecks(account, textWithModels)
}

/** The numbers in a text, and the models, classes, parts and purposes that it names.
 * @param {string} text @returns {LabelledText} */
function labelledTextOf(text) {
  const classes = classesIn(text)
  const namedModels = modelsIn(text)
  const mentions = namedModels.length ? namedModels : mentionsByClass(classes)
  const quantities = quantitiesIn(text, [...mentions, ...classes])
  const numbers = numbersOfModels(quantities)
  return {
    text,
    mentions,
    numbers,
    classes,
    labels: numbers.find(({ role }) => role === "labels")?.number.low ?? 0,
    purposes: [...classes, ...purposesIn(text)].filter(({ ending }) => ending),
    // The "embedding" in "Granite Embedding, small" names no part.
    parts: [...partsIn(text), ...layersOfModels(text, mentions), ...layersLeftOut(text)].filter(
      (part) => !mentions.some(({ start, end }) => part.start >= start && part.end <= end),
    ),
    quantities,
    explain: cachedExplainer(),
  }
}

/** Words for one layer, before and after the name of its model: "one ModernBERT layer". */
const ONE_BEFORE = /\b(?:an?|one|each|every|single|per)\s$/i
const LAYER_AFTER = /^[\s-](?:encoder\s)?(?:layer|block)\b(?!\s?norm)/i

/** The layers that a text names with their model before them. @param {string} text @param {Mention[]} mentions */
const layersOfModels = (text, mentions) =>
  mentions.flatMap(({ start, end }) => {
    const [layer = ""] = LAYER_AFTER.exec(text.slice(end)) ?? []
    return layer && ONE_BEFORE.test(text.slice(0, start))
      ? [{ start: end + 1, end: end + layer.length, text: layer.trim(), words: ONE_LAYER }]
      : []
  })

/** Words for all layers, after words that leave them out. Elsewhere, the same words may name only some layers. */
const LAYERS_LEFT_OUT =
  /(?<=\b(?:not in|not part of|outside(?: of)?)\s(?:(?:any|all|the|its)\s(?:of\s(?:the|its)\s)?)?)(?:layers?|blocks?)\b/gi

/** The words with which a text leaves out all layers, as in "not in the layers", as mentions of this part.
 * @param {string} text */
const layersLeftOut = (text) =>
  [...text.matchAll(LAYERS_LEFT_OUT)].map(({ index, 0: phrase }) => ({
    start: index,
    end: index + phrase.length,
    text: phrase,
    words: ALL_LAYERS,
  }))

/** A word for a model that distinguishes upper and lower case: "12-layer, 768-hidden. Trained on cased English
 * text". */
const CASED = /(?<![a-z]|lower[ -])cased(?![a-z])/i

/** The text with a mention of the models that have its settings, if it names no model, or just "BERT" without a size.
 * Unchanged if it names another model, if no model has the settings, or if "BERT" already means one that does.
 * @param {LabelledText} labelledText @returns {LabelledText} */
function withModelsOfSettings(labelledText) {
  const { mentions, numbers, text } = labelledText
  if (!mentions.every(isGeneric)) return labelledText
  const modelsWithSettings = modelsOfSettings(numbers)
  const casedModels = CASED.test(text) ? modelsWithSettings.filter((name) => CASED.test(name)) : []
  const allModels = casedModels.length ? casedModels : modelsWithSettings
  const models = mentions.length ? allModels.filter(isBert) : allModels
  const isModelNamed = mentions.some((mention) => mention.models.some((name) => models.includes(name)))
  if (!models.length || isModelNamed) return labelledText
  return { ...labelledText, mentions: [mentionOf(models)] }
}

/** A function that explains each number only once, because a text may repeat it hundreds of times.
 * @returns {LabelledText["explain"]} */
function cachedExplainer() {
  /** @type {Map<string, Explanation[]>} */
  const cache = new Map()
  return (text, model) => getOrMake(cache, `${model} ${text}`, () => explain(text, model) ?? [])
}

/** Words with which llama.cpp begins the lines of its log, which hold several numbers and no sum. */
const LOG_OF_LLAMA_CPP = /print_info|llm_load/
/** One number divided by another. */
const QUOTIENT = /^[\s0-9.,_]+[/÷][\s0-9.,_]+$/

/** Whether a text is a number, a sum or a quotient, which `explaining/` explains.
 * @param {string} text @param {Quantity[]} numbers @param {boolean} isNamed  whether the text names a model or class */
function isNumberOrSum(text, numbers, isNamed) {
  const number = readWithSizes(text, table.models[0].sizes)
  // L = 4, H = 512, perhaps with the total.
  const areSettings = numbers.filter(({ role }) => Object.hasOwn(LETTERS, role)).length > 1
  if (!number || isNamed || areSettings || LOG_OF_LLAMA_CPP.test(text)) return false
  if (number.typedSum || number.scaledSum || QUOTIENT.test(text)) return true
  const [quantity] = numbers
  if (isInFull(quantity)) return false
  return (
    numbers.length < 2 &&
    !Object.hasOwn(LETTERS, quantity.role) &&
    quantity.number.low === number.low &&
    quantity.number.high === number.high &&
    !quantity.roles.includes("part")
  )
}

/** The account with the findings of the checks, and with a headline that mentions any contradiction.
 * @param {Account} account @param {LabelledText} labelledText @returns {Account} */
function withChecks(account, labelledText) {
  const checkFindings = findingsOfChecks(labelledText, account)
  const findings = [...account.findings, ...checkFindings].sort((one, other) => other.weight - one.weight)
  const isContradicted = checkFindings.some(({ weight }) => weight >= MIN_CONTRADICTION_WEIGHT)
  const headline = isContradicted ? [...account.headline, " But the numbers do not agree."] : account.headline
  return { ...account, headline, findings }
}
