// Answers questions that state all that is needed for an answer other than the size of a model or
// part (questions.js): what a method such as LoRA trains, the total with a number of labels, the
// sizes and tensors of a model, and the share of one attention head.

import { count as countChanged, METHODS, usualModules } from "../../counting/changes.js"
import { ofModel } from "../../counting/configuration.js"
import { Counter, classesOf, count, countTensors, models, product, sumBy } from "../../counting/engine.js"
import { loadingIn } from "../loaded-model.js"
import { accountInSentences, link, withCapital, words } from "../words.js"
import { ALL_LINEAR } from "./matrices.js"
import { asClass, titleOf } from "./meanings.js"
import { nameOfOnlyModel } from "./mentions.js"
import { hintsOf, methodInWords, percentage } from "./methods.js"
import { numberOfPart, partsNamed } from "./named-parts.js"
import { NO_EXTRAS } from "./saved.js"
import { LETTERS, sizeNamesIn, sizesInWords, sizesOf } from "./settings.js"
import { classAndTotal } from "./totals.js"

const MAX_LENGTH = 200 // characters of a question
const PARAMETERS = /\bparam\w*|\bweights\b|参数|參數/i
const TRAINED = /\btrain\w*|\btuning\b|\badds?\b|训练|訓練/i
const ASKING = /\?|\b(?:how|what|which|number\sof|many)\b|多少|几/i

/** The account of a question about what a method trains, about a number of labels, or about the sizes or tensors of a
 * model; null for any other text.
 * @param {LabelledText} labelledText @returns {Account | null} */
export function accountOfAsked(labelledText) {
  const { text, mentions } = labelledText
  const name = nameOfOnlyModel(mentions)
  if (!name || text.length > MAX_LENGTH || loadingIn(text)) return null // code is read for what it loads
  return (
    accountOfMethod(labelledText, name) ??
    accountOfLabelCount(labelledText, name) ??
    accountOfHead(text, name) ??
    (mentions.length ? accountOfSizes(labelledText, name) : null)
  )
}

const DEFAULT_RANK = 8 // of LoRA in PEFT
const ALL_LINEAR_WORDS = /\ball[\s-]linear\b|\b(?:all|every)\s(?:the\s)?(?:linear|dense)\s(?:layers?|modules?)\b/i

/** A rank, with its name before it. */
const RANK = /\b(?:rank|r)\s?(?:of\s|[=:]\s?)?([0-9]{1,4})\b/i

/** The account of a question about the parameters that a method trains; null for any other text, and for one with a
 * number that is not the method's size.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
function accountOfMethod(labelledText, name) {
  const { text, quantities, classes } = labelledText
  const statedRank = Number(RANK.exec(text)?.[1] ?? 0)
  if (!statedRank && !PARAMETERS.test(text) && !TRAINED.test(text)) return null
  const hints = hintsOf(labelledText)
  const [method] = hints.methods
  if (!method || hints.methods.length > 1 || !METHODS.has(method)) return null
  const defaultRank = ["lora", "dora"].includes(method) ? DEFAULT_RANK : 0
  const rank = statedRank || hints.rank || defaultRank
  // Alpha scales what LoRA adds.
  const others = quantities.filter(({ start }) => !/\balpha\s?[=:]?\s?$/i.test(text.slice(0, start)))
  if (others.some(({ number }) => number.low !== rank)) return null
  if (METHODS.get(method).takes.rank && !rank) return null
  const { architecture } = models.get(name)
  const usual = usualModules(method, architecture)
  const namedModules = ALL_LINEAR_WORDS.test(text) ? [ALL_LINEAR] : hints.modules
  const modules = namedModules.length ? namedModules : (usual.modules?.split(",") ?? [])
  const feedforward = usual.feedforward?.split(",") ?? []
  const { modelClass } = classAndTotal(name, classes[0]?.name)
  const lora = { method, rank, width: 0, modules, feedforward }
  const { total, trainable } = countChanged({ ...ofModel(name, modelClass), lora })
  if (!trainable) return null
  const change = methodInWords({ ...lora, extras: NO_EXTRAS, line: { model: models.get(name) } })
  return accountInSentences(
    words`${withCapital([change])} trains ${trainable} of ${total} parameters (${percentage(trainable, total)}) in ${titleOf(name)}, ${asClass(modelClass)}.`,
    [],
    { kind: "labels" },
  )
}

/** The account of a question about the total, or about the head, with a number of labels; null for any other text.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
function accountOfLabelCount({ numbers, quantities, labels, classes, purposes, parts }, name) {
  if (!labels || quantities.length !== 1 || numbers[0]?.role !== "labels") return null
  const { architecture, sizes } = models.get(name)
  const ending = purposes[0]?.ending ?? "ForSequenceClassification"
  const classNames = classesOf(architecture).map((modelClass) => modelClass.name)
  const modelClass = [classes[0]?.name, ...classNames.filter((className) => className.endsWith(ending))].find(
    (className) => classNames.includes(className),
  )
  const sizesWithLabels = { ...sizes, C: labels }
  const total = modelClass && count({ modelClass, sizes: sizesWithLabels })
  if (!total) return null
  const [part] = parts.flatMap((named) => partsNamed([named.words]).slice(0, 1))
  const number = part && count({ modelClass, sizes: sizesWithLabels, part: part.path, tag: part.tag })
  const whole = words`${titleOf(name)}, ${asClass(modelClass, labels)}, has ${total} parameters`
  return accountInSentences(
    number ? words`${whole}, of which ${number} belong to ${part.words}.` : words`${whole}.`,
    [],
    { kind: "labels", model: { name, modelClass, total } },
  )
}

const ONE_HEAD = /\b(?:per|each|one|a|single|every)\s(?:attention\s)?head\b/i

/** The account of a question about one attention head; null for any other text, and for a model whose heads do not
 * share the columns of its projections.
 * @param {string} text @param {string} name  of the model @returns {Account | null} */
function accountOfHead(text, name) {
  const { A, H } = models.get(name).sizes
  const query = partsNamed(["the query projection"]).find((part) => part.words.endsWith(" in one layer"))
  const number = query ? numberOfPart(query, name) : 0
  if (!ONE_HEAD.test(text) || !PARAMETERS.test(text) || number !== (H + 1) * H || H % A) return null
  return accountInSentences(
    words`One head of ${titleOf(name)} has no tensor of its own. It uses ${H / A} of the ${H} columns of the query, key and value projections in its layer: 3 × ${number} ÷ ${A} = ${(3 * number) / A} parameters.`,
    [
      words`The output projection reads these ${H / A} values with ${H / A} × ${H} = ${(H / A) * H} further weights; ${link("parts/attention-heads.html", "the page on attention heads")} draws both.`,
    ],
    { kind: "labels" },
  )
}

const WIDTH_OF_HEAD =
  /\bhead[\s_-]?(?:dim\w*|size|width)\b|\b(?:dim\w*|size|width) (?:of|per) (?:an?|one|each|the|every)? ?(?:attention )?heads?\b/i
/** A question for the number of LayerNorms, and not of those in one layer. */
const LAYER_NORMS =
  /\b(?:how many|number of|count of) layer[\s-]?norm(?:s|alization layers)?\b(?!.*\b(?:per|each|every|one|a|in the) (?:encoder )?layer\b)/i

/** The account of the number of LayerNorms in a class of a model.
 * @param {string} name @param {string} modelClass */
function accountOfLayerNorms(name, modelClass) {
  const { sizes } = models.get(name)
  const { rows } = new Counter(modelClass, sizes)
  const normCount = sumBy(rows.rowsUnder("", "gamma"), (row) => product(rows.layersOf(row), sizes))
  const number = count({ modelClass, sizes, tag: "LayerNorm" })
  return accountInSentences(
    words`${titleOf(name)}, ${asClass(modelClass)}, has ${normCount} LayerNorms, with ${number} parameters.`,
    [],
    { kind: "labels" },
  )
}

/** The account of a question about the sizes of a model or its number of tensors; null for any other text.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
function accountOfSizes({ text, numbers, classes, parts }, name) {
  const sizeNames = sizeNamesIn(text)
  // The attention of "attention heads" is no part of its own.
  const otherParts = parts.filter((part) => !sizeNames.some(({ start, end }) => part.start >= start && part.end <= end))
  if (numbers.length || PARAMETERS.test(text)) return null
  const { sizes } = models.get(name)
  const { modelClass } = classAndTotal(name, classes[0]?.name)
  if (/\btensors\b/i.test(text) && ASKING.test(text))
    return accountInSentences(
      words`${titleOf(name)}, ${asClass(modelClass)}, has ${countTensors(modelClass, sizes)} tensors.`,
      [],
      { kind: "labels" },
    )
  if (LAYER_NORMS.test(text)) return accountOfLayerNorms(name, modelClass)
  if (otherParts.length) return null
  if (WIDTH_OF_HEAD.test(text) && sizes.A && sizes.H % sizes.A === 0)
    return accountInSentences(
      words`Each attention head of ${titleOf(name)} is ${sizes.H / sizes.A} wide: ${sizes.A} heads share a hidden size of ${sizes.H}.`,
      [],
      { kind: "labels" },
    )
  const letters = [...new Set(sizeNames.map(({ role }) => LETTERS[role]))].filter((letter) => sizes[letter])
  if (!letters.length) return null
  return accountInSentences(words`${titleOf(name)} has ${sizesInWords(sizesOf(letters, sizes))}.`, [], {
    kind: "labels",
  })
}
