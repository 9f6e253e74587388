// Writes the answer about one number in its context, and states whether the number is right. The
// sentences depend on whether the model that the text names has this number, has a different one
// (contradictions.js), is not counted here, or is unknown.

import exported from "../../../data/reading.js"
import { count, models, noun, sumBy, whole } from "../../counting/engine.js"
import { isPlausible } from "../../explaining/explain.js"
import { isBinaryMillion } from "../../explaining/readings.js"
import { UNIT_NAMES } from "../../explaining/units.js"
import { isFileRounded, statedNumber } from "../../explaining/ways.js"
import { asSubject, code, enumeration, link, words } from "../words.js"
import { sentencesOnContradiction } from "./contradictions.js"
import { isOfGraphFile, sentencesOnGraphFile } from "./file-sizes.js"
import {
  asClass,
  asTyped,
  classOf,
  isPartNamed,
  meaning,
  mistakesInWords,
  partsOfSameSize,
  partWords,
  titleOf,
  usualLabels,
} from "./meanings.js"
import {
  partWithoutPart,
  sentenceOnLeftOut,
  sentenceOnModule,
  sentenceOnNamedPart,
  sentencesOnIncomplete,
} from "./meant-parts.js"
import { numberOfPart, PARTS_OF_MODEL, partWithWords, USUAL_MODELS } from "./named-parts.js"
import { isOfOtherPart, modelOf, rivalOf } from "./resolving.js"
import { classAndTotal } from "./totals.js"

const { totals: otherModels } = exported.labels

/** The sentences on what a number means and whether it is right; empty if nothing explains it and no model is named.
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
  if (first.kind === "near") return sentencesOnNearest(resolvedNumber, first, name)
  if (first.kind === "operations" || first.kind === "share" || first.kind === "tensors")
    return words`${numberText} is ${meaningWords}.`
  if (first.kind === "difference")
    return words`${numberText} is ${meaningWords}.${sentenceOnNamedPart(name || mention?.models[0] || "", context, quantity.number.low)}`
  if (first.kind === "memory") return sentencesOnMemory(resolvedNumber, first, name)
  const withoutPart = partWithoutPart(resolvedNumber, name)
  if (withoutPart) return words`${numberText} is ${withoutPart}.`
  if (first.mistakes.length) return sentencesOnMistakes(resolvedNumber, name)
  if (isAmbiguous(resolvedNumber))
    return words`${numberText} is the size of ${partsOfSameSize({ ...first, models: [name] })}. The number alone does not show which of them makes the difference.`
  const ofNamedPart = isOfOtherPart(first, context) ? sentenceOnNamedPart(name, context, quantity.number.low) : []
  const isExact = quantity.number.exact && first.number === quantity.number.low
  if (isExact && first.kind === "part" && first.parts.length > 1 && !context.partsInText.length)
    return words`${numberText} is the size of ${partsOfSameSize({ ...first, models: [name] })}.${sentenceOnWhole(resolvedNumber, name)}`
  if (isExact)
    return words`${numberText} is ${meaningWords}.${ofNamedPart}${sentenceOnModule(first, name, context)}${sentenceOnWhole(resolvedNumber, name)}`
  if (isBinaryMillion(first.reading))
    return words`${numberText} is ${first.number} divided by ${first.reading.size}, not by a million: ${first.number} is ${meaningWords}.`
  const reservation = !mention && first.confidence === "possible" ? ", most likely" : ""
  // If the number ends in a zero, its upper bound allows for the rounding of that digit, too.
  const isCutOff = !quantity.number.exact && first.number > quantity.number.high
  const roundness = isCutOff ? "cut off, not rounded" : "a rounded number"
  return words`${numberText} is ${roundness}${reservation}: ${first.number} is ${meaningWords}.${sentenceOnRival(resolvedNumber, name)}${context.isOnlyCount ? sentenceOnWhole(resolvedNumber, name) : []}`
}

/** The sentences about a number that is only near a right one. If the number is a named part without a part of it, they
 * say that instead.
 * @param {ResolvedNumber} resolvedNumber @param {Explanation} nearest  the way to the right number
 * @param {string} name  of the model @returns {Words} */
function sentencesOnNearest({ quantity, context, ways }, nearest, name) {
  const { exact, low } = quantity.number
  const onIncomplete = exact ? sentencesOnIncomplete(context, quantity, [name, ...USUAL_MODELS]) : []
  if (onIncomplete.length) return onIncomplete
  const likelyWay = ways.every(({ kind }) => kind === "near") ? "way" : "likely way"
  const opening = nearest.isNearest ? "The nearest right number is" : "Near it is"
  const [part, ...otherParts] = nearest.parts
  const isOfPart = part && name && !otherParts.length
  const onLeftOut = isOfPart ? sentenceOnLeftOut({ ...part, number: nearest.number }, low, name) : []
  return words`We know of no ${likelyWay} to ${asTyped(quantity)}. ${opening} ${nearest.number}, ${Math.abs(nearest.excess)} away: ${meaning(nearest, name, context)}.${onLeftOut}`
}

/** The sentences about an amount of memory. If no word and no named model makes its meaning likely, they begin with the
 * number of parameters that take this much, whatever the model.
 * @param {ResolvedNumber} resolvedNumber @param {Explanation} way  to the amount @param {string} name  of the model
 * @returns {Words} */
function sentencesOnMemory(resolvedNumber, way, name) {
  const { quantity, context, agrees } = resolvedNumber
  if (isOfGraphFile(resolvedNumber)) return sentencesOnGraphFile(way, quantity)
  const { bytesPerParameter, dtype } = way
  const [numberText, meaningWords] = [asTyped(quantity), meaning(way, name, context)]
  const [unit, number] = [unitInWords(way, quantity), statedNumber(way)]
  const isOnlyPossible = way.confidence === "possible" && !(context.mention && agrees)
  if (isOnlyPossible && bytesPerParameter && dtype !== "float32 with buffers")
    return words`${numberText} is the memory of ${inMillions(way)} parameters at ${whole(bytesPerParameter)} ${noun(bytesPerParameter, "byte")} each (${code(dtype)})${unit}. It fits ${number} bytes: ${meaningWords}.`
  const about = isFileRounded(way) ? "about " : ""
  const bytes = /bytes$/.test(quantity.canonical)
    ? words`${number} bytes`
    : words`${numberText} is ${about}${number} bytes${unit}`
  if (way.frame && !isFileRounded(way)) return words`${bytes} are ${meaningWords}.`
  return words`${bytes}: ${meaningWords}.${sentenceOnRival(resolvedNumber, name)}`
}

/** A sentence on another number that a rounded number fits as well; empty if there is none.
 * @param {ResolvedNumber} resolvedNumber @param {string} name @returns {Words} */
function sentenceOnRival(resolvedNumber, name) {
  const rival = rivalOf(resolvedNumber)
  if (!rival) return []
  const unit = rival.kind === "memory" ? " bytes" : ""
  return words` It may equally well be ${statedNumber(rival)}${unit}: ${meaning(rival, name)}.`
}

/** The words for the unit of an amount if it is not the one in the text; otherwise "".
 * @param {Explanation} way @param {Quantity} quantity */
function unitInWords({ unit, reading }, { canonical }) {
  if (unit > 1 && unit !== reading.size) return `, in ${UNIT_NAMES[unit]}`
  return unit === 2 ** 20 && /MB/i.test(canonical) ? ", in MiB" : ""
}

const SIMILAR_COST = 1.1 // a further way is mentioned if its cost exceeds that of the likeliest by less than this
const MAX_CLAUSES = 3 // the maximum number of ways that are mentioned

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
  const condition = clauses.length > 1 ? words`either ${enumeration(clauses, "or")}` : clauses[0]
  return words`You would get ${way.number} for ${part}, if you ${condition}.${total}`
}

/** The number of parameters that take an amount of memory, in millions. @param {Explanation} way */
const inMillions = ({ number, frame, bytesPerParameter }) =>
  `${((number - frame) / bytesPerParameter / 1e6).toFixed(1)} million`

/** A sentence on the whole model, for the count of a part of it in a text that names no part; otherwise empty.
 * @param {ResolvedNumber} resolvedNumber @param {string} name @returns {Words} */
function sentenceOnWhole({ first, context, quantity }, name) {
  if (!first || !context.mention?.models.length || !name) return []
  const isPart = first.parts.length > 0 && first.kind === "part"
  if (!isPart || context.parts.length || quantity.role !== "count") return []
  const { modelClass, total } = classAndTotal(name)
  const onOthers = context.isOnlyCount ? clauseOnOtherParts(first, name, total) : []
  return words` The whole model has ${total} parameters as ${code(modelClass)}${onOthers}.`
}

/** A clause on the other parts that a bare model consists of, to follow its total; empty if the number does not count
 * one of these parts, or if their sum is not the total.
 * @param {Explanation} way  to the number @param {string} name  of the model @param {number} total  of the model
 * @returns {Words} */
function clauseOnOtherParts({ parts: [part] }, name, total) {
  const allParts = PARTS_OF_MODEL.flatMap((partName) => partWithWords(partName) ?? []).map((one) => ({
    ...one,
    number: numberOfPart(one, name),
  }))
  const others = allParts.filter(({ words: other, number }) => other !== part.words && number)
  const isWhole = sumBy(allParts, ({ number }) => number) === total
  if (!isWhole || others.length === allParts.length) return []
  return words`; the others belong to ${enumeration(others.map(({ page, words: other, number }) => words`${link(page, other)} (${number})`))}`
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
  if (quantity.role !== "count") return sentencesOnOtherTotal(name)
  if (!agrees)
    return words`${asSubject(title)} has ${total} parameters as ${code(modelClass)}, not ${numberText}. ${NOT_BERT}`
  return quantity.number.exact
    ? words`${numberText} is right for ${title}, as ${code(fittingClass)}. ${NOT_BERT}`
    : words`${asSubject(title)} has ${number} parameters as ${code(fittingClass)}, so ${numberText} is right. ${NOT_BERT}`
}

const NOT_BERT = "It is not BERT: we know its total, but do not count its parts."

/** The sentences on the total of a model that is not counted, but whose total we know. @param {string} name */
export function sentencesOnOtherTotal(name) {
  const { title, totals } = otherModels[name]
  const [[modelClass, total]] = Object.entries(totals)
  return words`${asSubject(title)} has ${total} parameters as ${code(modelClass)}. ${NOT_BERT}`
}

/** The name of the model whose total, in its first class, is nearest to a number as a ratio.
 * @param {string[]} names @param {Quantity} quantity */
const nearestOther = (names, { number }) =>
  [...names].sort((one, other) => {
    const [distance, otherDistance] = [one, other].map((name) =>
      Math.abs(Math.log(Object.values(otherModels[name].totals)[0] / Math.max(number.low, 1))),
    )
    return distance - otherDistance
  })[0]

/** The sentences about an unknown name on the hub, and about what the number itself may be.
 * @param {ResolvedNumber} resolvedNumber @param {Mention} mention @returns {Words} */
function sentencesOnUnknown({ quantity, first }, mention) {
  const numberText = asTyped(quantity)
  const guess = first && isPlausible(first) ? words` The number itself is that of ${meaning(first)}.` : []
  return words`We do not know ${code(mention.text)}, so we cannot say whether ${numberText} is right for it.${guess}`
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
