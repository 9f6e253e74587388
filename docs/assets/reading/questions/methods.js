// Answers what a method such as LoRA trains in a model, if the text states no number besides the
// method's size.

import { count as countChanged, METHODS, usualModules } from "../../counting/changes.js"
import { ofModel } from "../../counting/configuration.js"
import { models } from "../../counting/engine.js"
import { ALL_LINEAR } from "../labels/matrices.js"
import { asClass, titleOf } from "../labels/meanings.js"
import { hintsOf, methodInWords, percentage } from "../labels/methods.js"
import { NO_EXTRAS } from "../labels/saved.js"
import { classAndTotal } from "../labels/totals.js"
import { withCapital, words } from "../words.js"
import { answer, PARAMETERS } from "./words.js"

/** Words that ask what a method trains or adds. */
const TRAINING = /\btrain\w*|\btuning\b|\badds?\b|训练|訓練/i
const DEFAULT_RANK = 8 // of LoRA in PEFT
const ALL_LINEAR_WORDS = /\ball[\s-]linear\b|\b(?:all|every)\s(?:the\s)?(?:linear|dense)\s(?:layers?|modules?)\b/i

/** A rank, with its name before it. */
const RANK = /\b(?:rank|r)\s?(?:of\s|[=:]\s?)?([0-9]{1,4})\b/i

/** The account of a question about the parameters that a method trains; null for any other text, and for one with a
 * number that is not the method's size.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
export function accountOfMethod(labelledText, name) {
  const { text, quantities, classes } = labelledText
  const statedRank = Number(RANK.exec(text)?.[1] ?? 0)
  if (!statedRank && !PARAMETERS.test(text) && !TRAINING.test(text)) return null
  const hints = hintsOf(labelledText)
  const [method] = hints.methods
  if (!method || hints.methods.length > 1 || !METHODS.has(method)) return null
  const defaultRank = ["lora", "dora"].includes(method) ? DEFAULT_RANK : 0
  const rank = statedRank || hints.rank || defaultRank
  // Alpha scales what LoRA adds.
  const others = quantities.filter(({ start }) => !/\balpha\s?[=:]?\s?$/i.test(text.slice(0, start)))
  if (others.some(({ number }) => number.low !== rank)) return null
  if (METHODS.get(method).takes.rank && !rank) return null
  const defaultModules = usualModules(method, models.get(name).architecture)
  const namedModules = ALL_LINEAR_WORDS.test(text) ? [ALL_LINEAR] : hints.modules
  const modules = namedModules.length ? namedModules : (defaultModules.modules?.split(",") ?? [])
  const feedforward = defaultModules.feedforward?.split(",") ?? []
  const { modelClass } = classAndTotal(name, classes[0]?.name)
  const tuning = { method, rank, width: 0, modules, feedforward }
  const { total, trainable } = countChanged({ ...ofModel(name, modelClass), tuning })
  if (!trainable) return null
  const change = methodInWords({ ...tuning, extras: NO_EXTRAS, line: { model: models.get(name) } })
  return answer(
    words`${withCapital([change])} trains ${trainable} of ${total} parameters (${percentage(trainable, total)}) in ${titleOf(name)}, ${asClass(modelClass)}.`,
  )
}
