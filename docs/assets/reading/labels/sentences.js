// Writes the answer about one number in its context, and states whether the number is right. The
// sentences depend on whether the model that the text names has this number, has a different one,
// is not counted here, or is unknown.

import exported from "../../../data/reading.js"
import table from "../../../data/table.js"
import { classesOf, count, countTensors, models, noun, whole } from "../../counting/engine.js"
import { explain, isPlausible, isRight, waysTo } from "../../explaining/explain.js"
import { slipOf } from "../../explaining/kinds/near.js"
import { isFileRounded, statedNumber } from "../../explaining/ways.js"
import { asPlainText, code, enumeration, isPlural, link, withCapital, words } from "../words.js"
import {
  asClass,
  classOf,
  isPartNamed,
  meaning,
  mistakesInWords,
  partsOfSameSize,
  partWords,
  titleOf,
  usualLabels,
} from "./meanings.js"
import { BYTES_PER_NUMBER, sentenceOnWrongUnit, UNIT_NAMES } from "./memory.js"
import { numberOfPart, ONE_LAYER, partOfModel, sizesOfPart, USUAL_MODELS } from "./named-parts.js"
import { fitsPart, isAbout, isGeneric, isOfOtherPart, modelOf, rivalOf } from "./resolving.js"
import { classAndTotal } from "./totals.js"

const { totals: otherModels } = exported.labels

/** A number as it was typed, except that an exact count has commas, and memory always has a unit.
 * @param {Quantity} quantity @returns {Words} */
const asTyped = ({ typed, number, role, canonical }) =>
  number.exact && role === "count"
    ? words`${number.low}`
    : words`${/^[0-9.,]+$/.test(typed) && role === "memory" ? canonical : typed}`

/** The sentences on what a number means and whether it is right.
 * @param {ResolvedNumber} resolvedNumber @returns {Words} */
export function sentencesOnNumber(resolvedNumber) {
  const { quantity, context, first, agrees } = resolvedNumber
  const { mention } = context
  const numberText = asTyped(quantity)
  if (mention?.isForeign)
    return words`${mention.text} is neither BERT nor one of the relatives that we count, so we cannot check ${numberText}.`
  if (mention?.others.length) return sentencesOnOther(resolvedNumber, mention)
  if (mention && !mention.models.length) return sentencesOnUnknown(resolvedNumber, mention)
  if (mention && !agrees) return sentencesOnContradiction(resolvedNumber, mention)
  if (!first) return []
  const name = modelOf(first, mention)
  const meaningWords = meaning(first, name, context)
  if (first.kind === "near")
    return words`We know of no way to ${numberText}. The nearest right number is ${first.number}, ${Math.abs(first.excess)} away: ${meaningWords}.`
  const ofWhole = sentenceOnWhole(resolvedNumber, name)
  if (first.kind === "operations" || first.kind === "share" || first.kind === "tensors")
    return words`${numberText} is ${meaningWords}.`
  if (first.kind === "difference")
    return words`${numberText} is ${meaningWords}.${sentenceOnNamedPart(name || mention?.models[0] || "", context)}`
  if (first.kind === "memory") {
    const unit = unitInWords(first, quantity)
    const number = statedNumber(first)
    const about = isFileRounded(first) ? "about " : ""
    if (isOfGraphFile(resolvedNumber)) return sentencesOnGraphFile(first, quantity)
    const bytes = /bytes$/.test(quantity.canonical)
      ? words`${number} bytes`
      : words`${numberText} is ${about}${number} bytes${unit}`
    if (
      first.confidence === "possible" &&
      !(mention && agrees) &&
      first.bytesPerParameter &&
      first.dtype !== "float32 with buffers"
    )
      return words`${numberText} is the memory of ${inMillions(first)} parameters at ${whole(first.bytesPerParameter)} ${noun(first.bytesPerParameter, "byte")} each (${code(first.dtype)})${unit}. It fits ${number} bytes: ${meaningWords}.`
    if (first.frame && !isFileRounded(first)) return words`${bytes} are ${meaningWords}.`
    return words`${bytes}: ${meaningWords}.${sentenceOnRival(resolvedNumber, name)}`
  }
  const remainder = partWithoutPart(resolvedNumber, name)
  if (remainder) return words`${numberText} is ${remainder}.`
  if (first.mistakes.length) return sentencesOnMistakes(resolvedNumber, name)
  if (isAmbiguous(resolvedNumber))
    return words`${numberText} is the size of ${partsOfSameSize({ ...first, models: [name] })}. The number alone does not show which of them makes the difference.`
  const ofNamedPart = isOfOtherPart(first, context) ? sentenceOnNamedPart(name, context) : []
  if (quantity.number.exact && first.number === quantity.number.low)
    return words`${numberText} is ${meaningWords}.${ofNamedPart}${ofWhole}`
  const reservation = !mention && first.confidence === "possible" ? ", most likely" : ""
  // A number with zeros at its end is read as one with fewer digits.
  const isCutOff = !quantity.number.exact && first.number > quantity.number.high
  const roundness = isCutOff ? "cut off, not rounded" : "a rounded number"
  return words`${numberText} is ${roundness}${reservation}: ${first.number} is ${meaningWords}.${sentenceOnRival(resolvedNumber, name)}`
}

/** A sentence on another number that a rounded number fits as well; empty if there is none.
 * @param {ResolvedNumber} resolvedNumber @param {string} name @returns {Words} */
function sentenceOnRival(resolvedNumber, name) {
  const rival = rivalOf(resolvedNumber)
  if (!rival) return []
  const unit = rival.kind === "memory" ? " bytes" : ""
  return words` It may as well be ${statedNumber(rival)}${unit}: ${meaning(rival, name)}.`
}

/** The words for the unit of an amount if it is not the one in the text; otherwise "".
 * @param {Explanation} way @param {Quantity} quantity */
function unitInWords({ unit, reading }, { canonical }) {
  if (unit > 1 && unit !== reading.size) return `, in ${UNIT_NAMES[unit]}`
  return unit === 2 ** 20 && /MB/i.test(canonical) ? ", in MiB" : ""
}

const SIMILAR_COST = 1.1 // a further way is mentioned if its cost exceeds that of the likeliest by less than this
const MAX_CLAUSES = 3

/** The sentences about a number that results from mistakes: the ways to it that are about equally likely, and the right
 * total.
 * @param {ResolvedNumber} resolvedNumber @param {string} name @returns {Words} */
function sentencesOnMistakes({ first, ways, context }, name) {
  const way = /** @type {Explanation} */ (first)
  const { sizes } = models.get(name)
  const modelClass = classOf(way, context) ?? classAndTotal(name).modelClass
  const similarWays = ways.filter(
    (other) =>
      other === way ||
      (other.kind === way.kind &&
        other.number === way.number &&
        other.mistakes.length > 0 &&
        other.models.includes(name) &&
        other.cost < way.cost + SIMILAR_COST &&
        (!way.classes.length || other.classes.includes(modelClass))),
  )
  const clauses = similarWays.slice(0, MAX_CLAUSES).map(({ mistakes }) => mistakesInWords(mistakes, sizes))
  const labels = way.labels || usualLabels(modelClass, name)
  const part = way.parts.length
    ? words`${partWords(way.parts[0], way.layers)} of ${titleOf(name)}`
    : words`${titleOf(name)}, ${asClass(modelClass, labels)}`
  const rightTotal = way.parts.length ? NaN : count({ modelClass, sizes: { ...sizes, ...way.sizes } })
  const total =
    Number.isNaN(rightTotal) || rightTotal === way.number
      ? []
      : words` It has ${rightTotal}, ${Math.abs(rightTotal - way.number)} ${rightTotal > way.number ? "more" : "fewer"}.`
  return words`You would get ${way.number} for ${part}, if you ${clauses.length > 1 ? words`either ${enumeration(clauses, "or")}` : clauses[0]}.${total}`
}

/** The number of parameters that take an amount of memory, in millions. @param {Explanation} way */
const inMillions = ({ number, frame, bytesPerParameter }) =>
  `${((number - frame) / bytesPerParameter / 1e6).toFixed(1)} million`

/** A sentence on the whole model, for the count of a part of it in a text that names no part; otherwise empty.
 * @param {ResolvedNumber} resolvedNumber @param {string} name @returns {Words} */
function sentenceOnWhole({ first, context, quantity }, name) {
  if (!first || !context.mention?.models.length || !name) return []
  const isPart = first.parts.length > 0 && first.kind === "part"
  const { modelClass, total } = classAndTotal(name)
  if (isPart && !context.parts.length && quantity.role === "count")
    return words` The whole model has ${total} parameters as ${code(modelClass)}.`
  return []
}

/** The sentences about a model whose totals are all that we know.
 * @param {ResolvedNumber} resolvedNumber @param {Mention} mention @returns {Words} */
function sentencesOnOther({ quantity, first, agrees }, mention) {
  const numberText = asTyped(quantity)
  const name =
    agrees && first
      ? (mention.others.find((other) => otherModels[other].title === first.words) ?? mention.others[0])
      : nearestOther(mention.others, quantity)
  const { title, totals } = otherModels[name]
  const [[modelClass, total]] = Object.entries(totals)
  const [fittingClass, number] = Object.entries(totals).find(([, value]) => value === first?.number) ?? [
    modelClass,
    total,
  ]
  const notBert = "It is not BERT: we know its total, but do not count its parts."
  if (quantity.role !== "count") return words`${title} has ${total} parameters as ${code(modelClass)}. ${notBert}`
  if (!agrees) return words`${title} has ${total} parameters as ${code(modelClass)}, not ${numberText}. ${notBert}`
  return quantity.number.exact
    ? words`${numberText} is right for ${title}, as ${code(fittingClass)}. ${notBert}`
    : words`${title} has ${number} parameters as ${code(fittingClass)}, so ${numberText} is right. ${notBert}`
}

/** The model whose total is nearest to a number. @param {string[]} names @param {Quantity} quantity */
const nearestOther = (names, { number }) =>
  [...names].sort((one, other) => {
    const [first, second] = [one, other].map((name) =>
      Math.abs(Math.log(Object.values(otherModels[name].totals)[0] / Math.max(number.low, 1))),
    )
    return first - second
  })[0]

/** The sentences about an unknown name on the hub, and about what the number itself may be.
 * @param {ResolvedNumber} resolvedNumber @param {Mention} mention @returns {Words} */
function sentencesOnUnknown({ quantity, first }, mention) {
  const numberText = asTyped(quantity)
  const guess = first && isPlausible(first) ? words` The number itself is that of ${meaning(first)}.` : []
  return words`We do not know ${code(mention.text)}, so we cannot say whether ${numberText} is right for it.${guess}`
}

/** The sentences about a number that the model in the text does not have.
 * @param {ResolvedNumber} resolvedNumber @param {Mention} mention @returns {Words} */
function sentencesOnContradiction(resolvedNumber, mention) {
  const [name] = mention.models
  const { quantity, context } = resolvedNumber
  const { number, role } = quantity
  const classInText = context.classes.find((modelClass) => modelClass.length && totalInClass(name, modelClass))
  const { modelClass, total } = classAndTotal(name, classInText)
  const part = partMeant(resolvedNumber, name)
  if (role === "tensors") return sentencesOnTensors(resolvedNumber, name, modelClass)
  if (isGeneric(mention) && role === "count" && !part) return sentencesOnNoBert(quantity)
  if (part) return sentencesOnPart(resolvedNumber, part, mention)
  const weights = context.isGraphFile ? null : weightsBelow(quantity, mention)
  if (weights) return sentenceOnWeights(quantity, weights, name)
  const numberText = asTyped(quantity)
  const wrongUnit = role === "memory" ? sentenceOnWrongUnit(number, asPlainText(numberText), total) : null
  if (wrongUnit) return wrongUnit
  if (role !== "count")
    return words`${numberText} does not follow from ${titleOf(name)}, which has ${total} parameters ${asClass(modelClass, usualLabels(modelClass, name))}.`
  return sentencesOnTotal(resolvedNumber, mention, modelClass)
}

/** The sentences about a number of tensors that a model does not have.
 * @param {ResolvedNumber} resolvedNumber @param {string} name  of the model @param {string} modelClass */
function sentencesOnTensors({ quantity, first }, name, modelClass) {
  const numberText = asTyped(quantity)
  const otherMeaning = first?.kind === "tensors" ? words` ${numberText} is ${meaning(first)}.` : []
  const rightCount = countTensors(modelClass, models.get(name).sizes)
  return words`${titleOf(name)} has ${rightCount} parameter tensors ${asClass(modelClass, usualLabels(modelClass, name))}, not ${numberText}.${otherMeaning}`
}

/** The sentences about a number that no BERT has, in a text that names just "BERT". @param {Quantity} quantity */
function sentencesOnNoBert(quantity) {
  const numberText = asTyped(quantity)
  const sizes = table.models
    .slice(0, 2)
    .map((model) => words`${titleOf(model.name)} has ${classAndTotal(model.name).total}`)
  // A figure in a name is not a model's number, but it may be what the text quotes.
  const [way] = explain(quantity.canonical) ?? []
  if (way?.kind === "quoted") return words`${numberText} is ${meaning(way)}. ${way.why} ${enumeration(sizes)}.`
  const sentenceOnWay = way && isWorthNaming(way) ? sentenceOnFit(way, quantity) : []
  return words`We know of no BERT with ${numberText} parameters: ${enumeration(sizes)}.${sentenceOnWay}`
}

/** The sentences about a number that the part which words name does not have.
 * @param {ResolvedNumber} resolvedNumber @param {import("./named-parts.js").NamedPart} part @param {Mention} mention */
function sentencesOnPart({ quantity, first, context }, part, mention) {
  const [name] = mention.models
  const { number } = quantity
  const remainder = number.exact ? sentenceOnRemainder(part, number.low, name) : []
  // A part that the words do not name, in another model, would fit by chance.
  const mayFit = first?.parts.length && (fitsPart(first, context.parts) || isAbout(first, mention))
  const fit = !remainder.length && mayFit && isWorthNaming(first) ? sentenceOnFit(first, quantity, context) : []
  const verb = isPlural(words`${part.words}`) ? "have" : "has"
  return words`${withCapital([part.words])} of ${titleOf(name)} ${verb} ${part.number} parameters, not ${asTyped(quantity)}.${remainder}${fit}`
}

/** The size of the part that words name for a number, in BERT base and BERT large, as a sentence that contradicts the
 * number unless it rounds one of the two; null if the words name no part. They name no model.
 * @param {Pick<ResolvedNumber, "quantity" | "context">} resolvedNumber @returns {Words | null} */
export function sentenceOnPartOfUsualModels({ quantity, context }) {
  const { low, high } = quantity.number
  const part = partOfModel(USUAL_MODELS[0], context.parts, low)
  if (!part) return null
  const sizes = sizesOfPart(part, USUAL_MODELS)
  const isRounded = USUAL_MODELS.map((name) => numberOfPart(part, name)).some(
    (number) => number >= low && number <= high,
  )
  return isRounded
    ? words`${asTyped(quantity)} is a rounded number. ${sizes}.`
    : words`${sizes}, not ${asTyped(quantity)}.`
}

/** The sentences about a stated number of parameters that is not that of the model in a class.
 * @param {ResolvedNumber} resolvedNumber @param {Mention} mention @param {string} modelClass */
function sentencesOnTotal({ quantity, first }, mention, modelClass) {
  const [name] = mention.models
  const numberText = asTyped(quantity)
  const { low, exact } = quantity.number
  const total = totalInClass(name, modelClass)
  const otherWay = first && !isAbout(first, mention) ? first : null
  const alternative = otherWay && isWorthNaming(otherWay) ? sentenceOnFit(otherWay, quantity) : []
  const partInModel = otherWay ? sentenceOnSamePart(otherWay, name) : []
  const isNear = exact && Math.abs(low - total) < total / 2
  const slip = isNear ? slipOf(String(low), String(total)) : ""
  const layers = exact ? layersFor(name, modelClass, low) : 0
  const distance = words`${Math.abs(low - total)} ${low < total ? "fewer" : "more"}`
  let difference = words`, not ${numberText}`
  if (layers)
    difference = words`; with ${layers} ${noun(layers, "layer")} instead of ${models.get(name).sizes.L}, it would have ${numberText}`
  else if (slip) difference = words`; ${numberText} is ${distance} and looks like the same number ${slip}`
  else if (isNear) difference = words`; ${numberText} is ${distance}, and we know of no way to it`
  return words`${titleOf(name)} has ${total} parameters ${asClass(modelClass, usualLabels(modelClass, name))}${difference}.${alternative}${partInModel}`
}

/** Whether a number is the size of a file with a graph, and is explained as the weights of a model and a frame. The
 * graph is of any size, so that would be a coincidence.
 * @param {Pick<ResolvedNumber, "first" | "context" | "quantity">} resolvedNumber */
export const isOfGraphFile = ({ first, context, quantity }) =>
  context.isGraphFile && quantity.number.exact && Boolean(first?.frame)

/** The sentences on the size of a file with a graph. @param {Explanation} way @param {Quantity} quantity */
function sentencesOnGraphFile({ bytesPerParameter }, { number: { low } }) {
  const parameters = Math.floor(low / bytesPerParameter)
  return words`${low} bytes hold at most ${parameters} parameters at ${bytesPerParameter} bytes each. Such a file also holds the graph, and may lack weights that the graph does not use, so its size does not name a model.`
}

const MAX_EXCESS = 0.01 // of a file over the weights in it, as a share of the file

/** The weights of a model in a class and a data type.
 * @typedef {{ modelClass: string, total: number, dtype: string, bytesPerParameter: number, bytes: number }} Weights */

/** The largest weights of the named model that fill an amount of memory but for a small rest, as those in a file or
 * folder do; null if there are none.
 * @param {Quantity} quantity @param {Mention | null} mention @returns {Weights | null} */
export function weightsBelow({ role, number }, mention) {
  const [name = ""] = mention?.models ?? []
  if (role !== "memory" || !name) return null
  const weights = classesOf(models.get(name).architecture).flatMap(({ name: modelClass }) => {
    const { total } = classAndTotal(name, modelClass)
    return ["float32", "float16"].map((dtype) => {
      const bytesPerParameter = BYTES_PER_NUMBER[dtype]
      return { modelClass, total, dtype, bytesPerParameter, bytes: total * bytesPerParameter }
    })
  })
  return weights
    .filter(({ bytes }) => bytes <= number.high && bytes >= number.high * (1 - MAX_EXCESS))
    .reduce((/** @type {Weights | null} */ best, one) => (best && best.bytes >= one.bytes ? best : one), null)
}

/** The sentences on an amount of memory that is a little more than the weights of a model take.
 * @param {Quantity} quantity @param {Weights} weights @param {string} name */
function sentenceOnWeights(quantity, { modelClass, total, dtype, bytesPerParameter, bytes }, name) {
  const { exact, low } = quantity.number
  const comparison = exact ? words`${low} bytes are ${low - bytes} more` : words`${asTyped(quantity)} is a little more`
  return words`${comparison} than the ${bytes} bytes that the weights of ${titleOf(name)} take ${asClass(modelClass)}: ${total} parameters at ${bytesPerParameter} bytes each (${code(dtype)}). A file also holds the names of its tensors, and a folder other files.`
}

const MAX_SHARE_OF_PART = 0.5 // of the total; if words name a part, a smaller number is not that of the whole model

/** The part that the words near a number name, if the number is not that of the whole model; otherwise null.
 * @param {Pick<ResolvedNumber, "quantity" | "first" | "context">} resolvedNumber @param {string} name  of the model
 * @returns {import("./named-parts.js").NamedPart | null} */
export function partMeant({ quantity, first, context }, name) {
  if (quantity.role !== "count") return null
  const mayBePart = first?.parts.length || quantity.number.high < classAndTotal(name).total * MAX_SHARE_OF_PART
  return mayBePart ? partOfModel(name, context.parts, quantity.number.low) : null
}

/** Whether words say that a number is a difference, and several parts of one model have this size, none of which is
 * named.
 * @param {ResolvedNumber} resolvedNumber */
export const isAmbiguous = ({ first, context }) =>
  context.isDifference &&
  first?.kind === "part" &&
  first.parts.length > 1 &&
  !first.mistakes.length &&
  !first.parts.some((part) => context.partsInText.some((text) => isPartNamed(partWords(part, first.layers), text)))

const MAX_LEFT_OUT = 0.5 // of a part; what remains after leaving out more is not called by its name
const MIN_LEFT_OUT = 100 // parameters; a smaller difference has many reasons

/** The parts within a part of a model that have exactly `number` parameters, as an explanation; null if there are none.
 * @param {Pick<Part, "path" | "tag" | "words">} part @param {number} number @param {string} name  of the model
 * @returns {Explanation | null} */
function partsWithin({ path, words: text }, number, name) {
  const way = waysTo(number, name).find(({ kind, mistakes, layers }) => kind === "part" && !mistakes.length && !layers)
  const isOfLayer = text.toLowerCase().includes(ONE_LAYER) || text.includes("in one layer")
  const innerParts = (way?.parts ?? []).filter(
    (inner) => inner.path.startsWith(path) && !inner.share && (!isOfLayer || inner.words.includes("in one layer")),
  )
  return way && innerParts.length ? { ...way, parts: innerParts, models: [name] } : null
}

/** A sentence on what a part lacks if its number is that of the text; empty if no part within it has the size of the
 * difference.
 * @param {import("./named-parts.js").NamedPart} part @param {number} number @param {string} name  of the model
 * @returns {Words} */
function sentenceOnRemainder(part, number, name) {
  const missingCount = part.number - number
  if (missingCount < MIN_LEFT_OUT || missingCount > part.number * MAX_LEFT_OUT) return []
  const way = partsWithin(part, missingCount, name)
  return way ? words` That is ${missingCount} fewer, the size of ${partsOfSameSize(way)}.` : []
}

/** The words for a part without another part within it, if that is a plainer reason for a number than the mistake in a
 * part that leads to it; otherwise null.
 * @param {Pick<ResolvedNumber, "first" | "quantity">} resolvedNumber @param {string} name  of the model
 * @returns {Words | null} */
export function partWithoutPart({ first, quantity }, name) {
  const [part] = first?.parts ?? []
  if (!first?.mistakes.length || !part || first.layers || first.kind !== "part") return null
  const { modelClass } = classAndTotal(name)
  const right = count({ modelClass, sizes: models.get(name).sizes, part: part.path, tag: part.tag })
  const missingCount = right - quantity.number.low
  if (missingCount < MIN_LEFT_OUT || missingCount > right * MAX_LEFT_OUT) return null
  const way = partsWithin(part, missingCount, name)
  return (
    way && words`${link(part.page, partWords(part, 0))} (${right}) without ${partsOfSameSize(way)} (${missingCount})`
  )
}

/** Whether a way to a number is worth mentioning in an answer about a model that does not have the number.
 * @param {Explanation} way */
const isWorthNaming = (way) =>
  way.kind !== "near" && (way.confidence !== "possible" || (isRight(way) && way.kind !== "other"))

/** A sentence about what a number would fit.
 * @param {Explanation} way @param {Quantity} quantity @param {Context} [context] @returns {Words} */
function sentenceOnFit(way, quantity, context) {
  const exactNumber = quantity.number.exact ? "" : words` (${way.number})`
  return words` ${asTyped(quantity)} would fit ${meaning(way, "", context)}${exactNumber}.`
}

/** A sentence on the size that the part in an explanation has in a given model; empty if there is none.
 * @param {Explanation} way @param {string} name @returns {Words} */
function sentenceOnSamePart({ kind, parts: [part], layers, mistakes }, name) {
  if (kind !== "part" || !part || layers || mistakes.length) return []
  const { modelClass } = classAndTotal(name)
  const number = count({ modelClass, sizes: models.get(name).sizes, part: part.path, tag: part.tag })
  return number ? words` In ${titleOf(name)}, ${partWords(part, 0)} has ${number}.` : []
}

const MAX_LAYERS = 1000

/** The number of layers with which a model would have this many parameters; 0 if there is none.
 * @param {string} name @param {string} modelClass @param {number} number */
function layersFor(name, modelClass, number) {
  const { sizes } = models.get(name)
  /** The total with this many layers. */
  const totalWith = (/** @type {number} */ L) => count({ modelClass, sizes: { ...sizes, L } })
  const layer = totalWith(2) - totalWith(1)
  const layers = layer > 0 ? (number - totalWith(1)) / layer + 1 : 0
  return Number.isInteger(layers) && layers > 0 && layers <= MAX_LAYERS ? layers : 0
}

/** A sentence on the size of the part that words name for a number that is something else; empty if they name none.
 * @param {string} name @param {Context} context @returns {Words} */
function sentenceOnNamedPart(name, context) {
  const part = name ? partOfModel(name, context.parts) : null
  if (!part) return []
  return words` ${withCapital([part.words])} of ${titleOf(name)} ${isPlural(words`${part.words}`) ? "have" : "has"} ${part.number}.`
}

/** The total of a model in a class; 0 if it has no such class. @param {string} name @param {string} modelClass */
const totalInClass = (name, modelClass) => classAndTotal(name, modelClass).total
