// Answers what a method such as LoRA trains in a model, if the text states no number besides the
// method's size.

import { count as countChanged, METHODS, usualModules } from "../../counting/changes.js"
import { ofModel } from "../../counting/configuration.js"
import { count, models } from "../../counting/engine.js"
import { NO_EXTRAS } from "../labels/extras.js"
import { ALL_LINEAR, addedParameters, DENSE, LINEAR_METHODS, matricesOf } from "../labels/matrices.js"
import { asClass, subjectOf, titleOf } from "../labels/meanings.js"
import { hintsOf, methodInWords, modulesInWords, percentage } from "../labels/methods.js"
import { BIASES, SHIFTS } from "../labels/named-parts.js"
import { classAndTotal } from "../labels/totals.js"
import { verbFor, withCapital, words } from "../words.js"
import { answer, answerInSentences, PARAMETERS } from "./question-accounts.js"

/** Words that ask what a method trains or adds. */
const TRAINING = /\btrain\w*|\btuning\b|\badds?\b|训练|訓練/i
const DEFAULT_RANK = 8 // PEFT's default for LoRA
const ALL_LINEAR_WORDS = /\ball[\s-]linear\b|\b(?:all|every)\s(?:the\s)?(?:linear|dense)\s(?:layers?|modules?)\b/i

/** The maximum number of words of a text that consists of a model, a method and its size: "bert base prefix tuning
 * 20". */
const MAX_WORDS = 8

/** A rank, with its name before it. */
const RANK = /\b(?:rank|r)\s?(?:of\s|[=:]\s?)?([0-9]{1,4})\b/i

/** The factor by which the hidden size is divided to give the width of adapters. */
const REDUCTION = /\breduction(?:[\s_-]factor)?\s?(?:of\s|[=:]\s?)?([0-9]{1,3})\b/i

/** The width of adapters. */
const WIDTH = /\b(?:size|width|bottleneck|dim(?:ension)?)\s(?:of\s)?([0-9]{1,4})\b/i

/** The account of a question about BitFit, which trains all biases, the shifts of LayerNorms among them; null for any
 * other text.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
export function accountOfBitFit({ text, quantities, classes }, name) {
  if (!/\bbit-?fit\b/i.test(text) || quantities.length) return null
  const { modelClass, total } = classAndTotal(name, classes[0]?.name)
  const { sizes } = models.get(name)
  const [biases, shifts] = [BIASES, SHIFTS].map((tag) => count({ modelClass, sizes, tag }))
  const trainedCount = biases + shifts
  return answer(
    words`BitFit trains only the biases: ${trainedCount} of ${total} parameters (${percentage(trainedCount, total)}) in ${titleOf(name)}, ${asClass(modelClass)}. ${biases} of them are biases of dense layers, and ${shifts} are the shifts of LayerNorms.`,
    { name, modelClass, total },
    [words`A classifier on top is trained, too.`],
  )
}

/** The number of parameters that a method of `LINEAR_METHODS` adds to some modules, every one called "dense" among
 * them; null for any other method. The calculator does not offer those modules.
 * @param {string} method @param {number} rank @param {string[]} modules
 * @param {Parameters<typeof matricesOf>[0]} line */
function addedWithDense(method, rank, modules, line) {
  if (!Object.hasOwn(LINEAR_METHODS, method)) return null
  const matrices = modules.flatMap((module) => matricesOf(line)[module] ?? [])
  const { perUnit, fixed } = addedParameters(method, [
    ...new Map(matrices.map((matrix) => [matrix.name, matrix])).values(),
  ])
  return perUnit * rank + fixed
}

/** The account of a question about the parameters that a method trains; null for any other text, and for one with a
 * number that is not the method's size. "Adapters" may be Houlsby's or Pfeiffer's, so the account is about both.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
export function accountOfMethod(labelledText, name) {
  const { methods } = hintsOf(labelledText)
  const namedMethods = methods.filter((methodName) => labelledText.text.toLowerCase().includes(methodName))
  const possibleMethods = (namedMethods.length ? namedMethods : methods).filter((method) => METHODS.has(method))
  const areAdapters = possibleMethods.every((method) => METHODS.get(method).takes.rank === "m")
  if (possibleMethods.length > 1 && !areAdapters) return null
  const sentences = possibleMethods.map((method) => sentenceOnMethod(labelledText, name, method))
  return answerInSentences(sentences.filter(({ length }) => length))
}

/** The sentence on the parameters that a method trains; empty if the text asks for something else, or has a number that
 * is not the method's size.
 * @param {LabelledText} labelledText @param {string} name  of the model @param {string} method @returns {Words} */
function sentenceOnMethod(labelledText, name, method) {
  const { text, quantities, classes, mentions, purposes } = labelledText
  const statedRank = Number(RANK.exec(text)?.[1] ?? 0)
  const isShort = mentions.length > 0 && !purposes.length && text.trim().split(/\s+/).length <= MAX_WORDS
  if (!statedRank && !PARAMETERS.test(text) && !TRAINING.test(text) && !isShort) return []
  const hints = hintsOf(labelledText)
  const defaultRank = ["lora", "dora"].includes(method) ? DEFAULT_RANK : 0
  const onlyNumber = isShort && quantities.length === 1 ? quantities[0].number.low : 0
  const isAdapter = METHODS.get(method).takes.rank === "m"
  const reduction = Number((isAdapter && REDUCTION.exec(text)?.[1]) || 0)
  const statedWidth = Number((isAdapter && WIDTH.exec(text)?.[1]) || 0)
  const statedSize = reduction || statedRank || hints.rank || statedWidth || onlyNumber || defaultRank
  const rank = reduction ? Math.floor(models.get(name).sizes.H / reduction) : statedSize
  // Alpha scales what LoRA adds.
  const others = quantities.filter(({ start }) => !/\balpha\s?[=:]?\s?$/i.test(text.slice(0, start)))
  if (others.some(({ number }) => number.low !== statedSize)) return []
  if (METHODS.get(method).takes.rank && !rank) return []
  const defaultModules = usualModules(method, models.get(name).architecture)
  const namedModules = ALL_LINEAR_WORDS.test(text) ? [ALL_LINEAR] : hints.modules
  const usualNames = defaultModules.modules?.split(",") ?? []
  const modules = namedModules.length ? namedModules : usualNames
  const feedforward = defaultModules.feedforward?.split(",") ?? []
  const { modelClass, total: ownTotal } = classAndTotal(name, classes[0]?.name)
  const line = { model: models.get(name), modelClass }
  /** The total after the method is applied to some modules, the number that is then trained, and the words for the
   * method. */
  const changedModel = (/** @type {string[]} */ adaptedModules) => {
    const tuning = { method, rank, width: 0, modules: adaptedModules, feedforward }
    const change = methodInWords({ ...tuning, extras: NO_EXTRAS, line })
    const verb = verbFor([change.split(" on ")[0]], "trains", "train")
    const added = adaptedModules.includes(DENSE) ? addedWithDense(method, rank, adaptedModules, line) : null
    if (added) return { total: ownTotal + added, trainable: added, change, verb }
    return { ...countChanged({ ...ofModel(name, modelClass), tuning }), change, verb }
  }
  const withModules = changedModel(modules)
  const absence =
    withModules.trainable || !modules.length
      ? []
      : words`${subjectOf(name)} has no separate modules for ${modulesInWords(modules)}. `
  const { total, trainable, change, verb } = withModules.trainable ? withModules : changedModel(usualNames)
  return trainable
    ? words`${absence}${withCapital([change])} ${verb} ${trainable} of ${total} parameters (${percentage(trainable, total)}) in ${titleOf(name)}, ${asClass(modelClass)}.`
    : []
}
