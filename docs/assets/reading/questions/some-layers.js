// Answers questions about some of the layers of a model: how many parameters they have, and how many are
// left without them. It also answers what is trained if layers and other parts are frozen, or if they
// alone are trained.

import { classesOf, count, models, noun, sumBy } from "../../counting/engine.js"
import { asClass, subjectOf, titleOf } from "../labels/meanings.js"
import { percentage } from "../labels/methods.js"
import { ALL_LAYERS, countOfPart, ENCODER, ONE_LAYER, partsNamed, sizeOfEachLayer } from "../labels/named-parts.js"
import { withoutSpans } from "../labels/number-forms.js"
import { classAndTotal, comparisonOf } from "../labels/totals.js"
import { asPlainText, enumeration, isPlural, link, words } from "../words.js"
import { answer, NUMBER_WORDS, PARAMETERS } from "./question-accounts.js"
import { leavesOutTensors } from "./questioned-parts.js"

const NUMBER = `[0-9]{1,2}|${NUMBER_WORDS.join("|")}`
/** A number of layers that are not all of a model's: "the first six layers", "in 6 layers", "the last layer". */
const SOME_LAYERS = new RegExp(
  `\\b(?:first|last|top|bottom|upper|lower|in|of|do|keep\\w*|freez\\w*|remov\\w*|prun\\w*|drop\\w*|delet\\w*|only|train\\w*|unfr[eo]*z\\w*)\\s(?:the\\s)?(?:(?:first|last|top|bottom|upper|lower)\\s)?(?<number>${NUMBER})\\s(?:of\\s(?:the\\s)?(?:${NUMBER})\\s)?(?:(?!per\\b)\\w+\\s)?layers?\\b|\\b(?:first|last|top|bottom)\\s(?:encoder\\s)?layer\\b`,
  "gi",
)
/** Half of the layers, a number that depends on the model: "freeze half of the layers". */
const HALF_OF_LAYERS =
  /\b(?:(?:the\s)?(?:first|last|top|bottom|upper|lower)\s)?half\s(?:of\s)?(?:the\s|its\s|all\s)?(?:encoder\s)?layers\b/i
/** Layers from one number to another: "layers 9 to 12". */
const RANGE_OF_LAYERS = /\blayers?\s(?<from>[0-9]{1,2})\s?(?:to|through|until|-|–)\s?(?:layer\s)?(?<to>[0-9]{1,2})\b/i
/** The words between a model and the number of its layers: "BERT with only 6 layers". */
const HAVING = /\b(?:with|ha[sd]|have|having)\s$/i
/** Words for removing layers, for keeping them, for training at all, for freezing, and for training nothing but what is
 * named. */
const REMOVING =
  /\b(?:remov\w*|prun\w*|drop(?:s|ped|ping)?|delet\w*)\b|\bwithout\s(?:the\s)?(?:first|last|top|bottom|upper|lower)\b/i
const KEEPING = /\b(?:keep\w*|kept|retain\w*)\b/i
const TRAINING = /\btrain\w*/i
const FREEZING = /\b(?:freez\w*|frozen?)\b/i
const TRAINING_ONLY =
  /\bonly\b.*\b(?:train\w*|fine-?tun\w*|updat\w*)|\b(?:train\w*|fine-?tun\w*)\s(?:only|just)\b|\bunfr[eo]*z\w*/i

/** Words for everything, or for all layers, before what they leave out: "freeze everything except the classifier". */
const EXCEPTION =
  /\b(?:everything|all|the\s(?:whole\s)?model)\s(?:[\w-]+\s){0,5}?(?:but|except(?:\sfor)?|excluding|other\sthan|apart\sfrom)\b/i
/** Numbers that the text may be about, and parts that it leaves out, which are not read here. */
const NOT_READ = /[0-9][0-9,.]{3,}|[0-9]\s?[%MB]|\b(?:but|except|excluding|other than)\b/i

/** The account of a question about some layers of a model, or about what is trained if parts are frozen; null for any
 * other text.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
export function accountOfSomeLayers({ text, classes, labels, parts, mentions }, name) {
  const exception = EXCEPTION.exec(text)
  if (exception && FREEZING.test(text)) return accountOfException({ text, classes, labels, parts }, name, exception)
  const range = RANGE_OF_LAYERS.exec(text)
  const half = range ? null : HALF_OF_LAYERS.exec(text)
  const onlyMatch = range ?? half
  const matches = onlyMatch ? [onlyMatch] : [...text.matchAll(SOME_LAYERS)]
  const isFrozen = FREEZING.test(text)
  const isTrained = TRAINING_ONLY.test(text)
  if (matches.length > 1 || !(matches.length || isFrozen || isTrained)) return null
  if (leavesOutTensors(text)) return null // what remains of some layers is not counted here
  const isKept = KEEPING.test(text) && !isFrozen && !isTrained
  const isRemoved = REMOVING.test(text) || isKept
  const isQuestion = isRemoved || PARAMETERS.test(text) || TRAINING.test(text) || (isFrozen && mentions.length > 0)
  // The name of a model may have its size in it, such as 30m.
  if (NOT_READ.test(withoutSpans(text, mentions)) || !isQuestion) return null
  const [match] = matches
  // "BERT with only 6 layers" is a whole model, which other-sizes.js counts.
  if (match && !isFrozen && !isTrained && !isRemoved && HAVING.test(text.slice(0, match.index))) return null
  const namedParts = partsOutside(parts, match ? [match] : [])
  const { from, to, number = "one" } = match?.groups ?? {}
  const layersInRange = from ? Number(to) - Number(from) + 1 : 0
  const { L: allLayers } = models.get(name).sizes
  const layersInText = match && !from ? numberIn(number) : layersInRange
  const statedLayers = half ? allLayers / 2 : layersInText
  const layers = isKept && statedLayers ? allLayers - statedLayers : statedLayers
  if (layers < 0 || !Number.isInteger(layers)) return null
  return accountOf(name, classes[0]?.name, namedParts, layers, { isFrozen, isTrained, isRemoved, labels })
}

/** The parts that a text names outside some matches.
 * @param {LabelledText["parts"]} parts @param {{ index: number, 0: string }[]} matches */
const partsOutside = (parts, matches) =>
  parts
    .filter(({ start, end }) => matches.every((match) => end <= match.index || start >= match.index + match[0].length))
    .flatMap((part) => partsNamed([part.words === ENCODER ? ALL_LAYERS : part.words]).slice(0, 1))

/** A number of layers without the word: "all layers but the last 2". */
const LAYERS_LEFT_OUT = new RegExp(`\\b(?:first|last|top|bottom)\\s(?<number>${NUMBER})\\b`, "i")

/** The account of a question in which everything is frozen with an exception, or all layers; null if it states other
 * numbers. If all layers are frozen but some, the rest of the model is trained, unless the exception names another
 * part.
 * @param {Pick<LabelledText, "text" | "classes" | "labels" | "parts">} labelledText @param {string} name
 * @param {RegExpExecArray} exception */
function accountOfException({ text, classes, labels, parts }, name, exception) {
  const leftOut = text.slice(exception.index + exception[0].length)
  const [layersInText = LAYERS_LEFT_OUT.exec(leftOut), ...otherLayers] = leftOut.matchAll(SOME_LAYERS)
  if (otherLayers.length || NOT_READ.test(leftOut)) return null
  const namedParts = partsOutside(parts, [
    exception,
    ...(layersInText ? [{ 0: layersInText[0], index: text.length - leftOut.length + layersInText.index }] : []),
  ])
  const layers = layersInText ? numberIn(layersInText.groups?.number ?? "one") : 0
  const isOfLayers = /\blayers\b/i.test(exception[0]) && !namedParts.length
  const frozenLayers = models.get(name).sizes.L - layers
  const question = { isFrozen: isOfLayers, isTrained: !isOfLayers, isRemoved: false, labels }
  return accountOf(name, classes[0]?.name, namedParts, isOfLayers ? frozenLayers : layers, question)
}

/** A number of layers in digits or as a word. @param {string} text */
const numberIn = (text) => NUMBER_WORDS.indexOf(text.toLowerCase()) + 1 || Number(text)

/** The account of some layers and parts of a model in the first class that has all of them; null if none has.
 * @param {string} name @param {string | undefined} namedClass
 * @param {Pick<Part, "path" | "tag" | "words" | "page">[]} namedParts
 * @param {number} layers  0 for none
 * @param {{ isFrozen: boolean, isTrained: boolean, isRemoved: boolean, labels: number }} question  what it says
 * about the layers and parts; `labels` is 0 for the usual number */
function accountOf(name, namedClass, namedParts, layers, { isFrozen, isTrained, isRemoved, labels }) {
  const { architecture, sizes: publishedSizes } = models.get(name)
  const sizes = labels ? { ...publishedSizes, C: labels } : publishedSizes
  const sizeOfLayer = sizeOfEachLayer(name)
  if (layers > (sizes.L ?? 0) || (layers && !sizeOfLayer)) return null
  const layersInWords = words`${layers} ${noun(layers, "layer")}`
  if (layers && isRemoved) return accountOfRemoval(name, namedClass, layers, namedParts)
  if (!isFrozen && !isTrained && layers === 1) return null // a single layer is a part, which amounts.js counts
  if (layers && !isFrozen && !isTrained)
    return answer(
      words`${layersInWords} of ${subjectOf(name)} have ${layers} × ${sizeOfLayer} = ${layers * sizeOfLayer} parameters.`,
    )
  const ofArchitecture = classesOf(architecture).map((modelClass) => modelClass.name)
  // A number of labels is that of a head, which the bare model lacks.
  const ofLabels = labels ? ofArchitecture.find((className) => className.endsWith("ForSequenceClassification")) : ""
  const classNames = [namedClass || ofLabels, ...ofArchitecture]
  for (const { modelClass, total: totalAsPublished } of classNames.map((className) => classAndTotal(name, className))) {
    const total = totalAsPublished && count({ modelClass, sizes })
    const parts = namedParts.map((part) => ({
      words: words`${link(part.page, part.words)}`,
      number: countOfPart(part, modelClass, sizes),
    }))
    if (layers) parts.push({ words: layersInWords, number: layers * sizeOfLayer })
    if (!total || !parts.length || parts.some(({ number }) => !number)) continue
    return accountOfTraining(parts, { name, modelClass, total }, isTrained)
  }
  return null
}

/** The account of a model without some of its layers and perhaps other parts; null if no layer would remain.
 * @param {string} name @param {string | undefined} namedClass @param {number} layers
 * @param {Pick<Part, "path" | "tag" | "words" | "page">[]} namedParts  that are removed, too */
function accountOfRemoval(name, namedClass, layers, namedParts) {
  const { modelClass, total } = classAndTotal(name, namedClass)
  const { sizes } = models.get(name)
  const remainingLayers = sizes.L - layers
  const otherSizes = { ...sizes, L: remainingLayers }
  const removedParts = namedParts.filter(({ words: part }) => part !== ALL_LAYERS && part !== ONE_LAYER)
  const removedCount = sumBy(removedParts, (part) => countOfPart(part, modelClass, otherSizes))
  const otherTotal = count({ modelClass, sizes: otherSizes }) - removedCount
  if (!total || !otherTotal || !remainingLayers) return null
  const removedInWords = enumeration([
    words`${layers} of its ${sizes.L} layers`,
    ...removedParts.map((part) => words`${link(part.page, part.words)}`),
  ])
  return answer(
    words`${subjectOf(name)} has ${total} parameters ${asClass(modelClass)}. Without ${removedInWords}, it has ${otherTotal}${comparisonOf(otherTotal, total)}.`,
    { name, modelClass, total },
  )
}

/** The account of what is trained if some parts are frozen, or if they alone are trained.
 * @param {{ words: Words, number: number }[]} parts @param {{ name: string, modelClass: string, total: number }} model
 * @param {boolean} isTrained */
function accountOfTraining(parts, model, isTrained) {
  const { name, modelClass, total } = model
  const number = sumBy(parts, (part) => part.number)
  const isPluralSubject =
    parts.length > 1 || isPlural(parts[0].words) || /^[2-9]|^[0-9]{2}/.test(asPlainText(parts[0].words))
  const verb = isPluralSubject ? "are" : "is"
  const partsInWords = enumeration(parts.map((part) => words`${part.words} (${part.number})`))
  const trainedCount = isTrained ? number : total - number
  return answer(
    words`If ${isTrained ? "only " : ""}${partsInWords} ${verb} ${isTrained ? "trained" : "frozen"}, ${trainedCount} of the ${total} parameters of ${titleOf(name)}, ${asClass(modelClass)}, are trained: ${percentage(trainedCount, total, 1)}.`,
    model,
  )
}
