// Writes the answer about a number that the model in its text does not have: the right number, and what
// the stated one would fit.

import table from "../../../data/table.js"
import { count, countTensors, models, noun } from "../../counting/engine.js"
import { explain, isRight, waysTo } from "../../explaining/explain.js"
import { slipOf } from "../../explaining/kinds/slips.js"
import { asPlainText, enumeration, verbFor, words } from "../words.js"
import { sentencesOnWeights, weightsBelow } from "./file-sizes.js"
import { asTyped, asUsualClass, meaning, partsOfSameSize, partWords, subjectOf, titleOf } from "./meanings.js"
import { partMeant, sentenceOnLeftOut } from "./meant-parts.js"
import { sentenceOnWrongUnit } from "./memory.js"
import { isGeneric } from "./mentions.js"
import { numberOfPart, sizeOfPart } from "./named-parts.js"
import { fitsPart, isAbout } from "./resolving.js"
import { classAndTotal } from "./totals.js"

/** The sentences about a number that the model in the text does not have.
 * @param {ResolvedNumber} resolvedNumber @param {Mention} mention @returns {Words} */
export function sentencesOnContradiction(resolvedNumber, mention) {
  const [name] = mention.models
  const { quantity, context } = resolvedNumber
  const { number, role } = quantity
  const classInText = context.classes.find((className) => classAndTotal(name, className).total)
  const { modelClass, total } = classAndTotal(name, classInText)
  const part = context.leavesOutPart ? null : partMeant(resolvedNumber, name)
  if (role === "tensors") return sentencesOnTensors(resolvedNumber, name, modelClass)
  if (isGeneric(mention) && role === "count" && !part) return sentencesOnNoBert(quantity)
  if (part) return sentencesOnPart(resolvedNumber, part, mention)
  const weights = context.isGraphFile ? null : weightsBelow(quantity, mention)
  if (weights) return sentencesOnWeights(quantity, weights, name)
  const numberText = asTyped(quantity)
  const wrongUnit = role === "memory" ? sentenceOnWrongUnit(number, asPlainText(numberText), total) : null
  if (wrongUnit) return wrongUnit
  if (role !== "count")
    return words`${numberText} does not follow from ${titleOf(name)}, which has ${total} parameters ${asUsualClass(modelClass, name)}.`
  return sentencesOnTotal(resolvedNumber, mention, modelClass)
}

/** The sentences about a number of tensors that a model does not have.
 * @param {ResolvedNumber} resolvedNumber @param {string} name  of the model @param {string} modelClass */
function sentencesOnTensors({ quantity, first }, name, modelClass) {
  const numberText = asTyped(quantity)
  const otherMeaning = first?.kind === "tensors" ? words` ${numberText} is ${meaning(first)}.` : []
  const rightCount = countTensors(modelClass, models.get(name).sizes)
  return words`${subjectOf(name)} has ${rightCount} parameter tensors ${asUsualClass(modelClass, name)}, not ${numberText}.${otherMeaning}`
}

/** The sentences about a number that no BERT has, in a text that names just "BERT". @param {Quantity} quantity */
function sentencesOnNoBert(quantity) {
  const numberText = asTyped(quantity)
  const totals = table.models
    .slice(0, 2)
    .map((model) => words`${subjectOf(model.name)} has ${classAndTotal(model.name).total}`)
  // The figure in a model's name may not be a number that the model has, but it may be what the text quotes.
  const [way] = explain(quantity.canonical) ?? []
  if (way?.kind === "quoted") return words`${numberText} is ${meaning(way)}. ${way.why} ${enumeration(totals)}.`
  const sentenceOnWay = way && isWorthNaming(way) ? sentenceOnFit(way, quantity) : []
  return words`We know of no BERT with ${numberText} parameters: ${enumeration(totals)}.${sentenceOnWay}`
}

/** The letters of the sizes that are the numbers of rows of the tables, by the ends of their paths.
 * @type {Record<string, string>} */
const ROWS_OF_TABLES = { word_embeddings: "V", position_embeddings: "P", token_type_embeddings: "S" }

/** The sentences about a number of parameters that the part named near it does not have.
 * @param {ResolvedNumber} resolvedNumber @param {import("./named-parts.js").NamedPart} part @param {Mention} mention */
function sentencesOnPart({ quantity, first, context }, part, mention) {
  const [name] = mention.models
  const { number } = quantity
  const letter = ROWS_OF_TABLES[part.path.split("/").at(-1) ?? ""]
  if (number.exact && number.low === models.get(name).sizes[letter])
    return words`${sizeOfPart(part, name)} parameters, in ${number.low} rows.`
  const ofLeftOut = number.exact ? sentenceOnLeftOut(part, number.low, name) : []
  // A part that the words do not name, in another model, would fit by chance.
  const mayFit = first?.parts.length && (fitsPart(first, context.parts) || isAbout(first, mention))
  const sentenceOnMeaning =
    !ofLeftOut.length && mayFit && isWorthNaming(first) ? sentenceOnFit(first, quantity, context) : []
  return words`${sizeOfPart(part, name)} parameters, not ${asTyped(quantity)}.${ofLeftOut}${sentenceOnMeaning}`
}

/** The sentences about a stated number of parameters that is not that of the model in a class.
 * @param {ResolvedNumber} resolvedNumber @param {Mention} mention @param {string} modelClass */
function sentencesOnTotal({ quantity, first, ways }, mention, modelClass) {
  const [name] = mention.models
  const numberText = asTyped(quantity)
  const { low, exact } = quantity.number
  const { total } = classAndTotal(name, modelClass)
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
  else if (isNear) {
    const part = partOfSize(Math.abs(low - total), name)
    const way = part ? null : ways.find((candidate) => isAbout(candidate, mention) && mayBeMeant(candidate))
    let explanation = words`, and we know of no way to it`
    if (part) explanation = words`, the size of ${partsOfSameSize(part)}`
    else if (way) explanation = words`. This may be a coincidence, but you would get it for ${meaning(way, name)}`
    difference = words`; ${numberText} is ${distance}${explanation}`
  }
  return words`${subjectOf(name)} has ${total} parameters ${asUsualClass(modelClass, name)}${difference}.${alternative}${partInModel}`
}

/** The explanation of a number as the size of a part of a model; null if no part has it.
 * @param {number} number @param {string} name  of the model @returns {Explanation | null} */
function partOfSize(number, name) {
  const way = waysTo(number).find(({ kind, mistakes, models: names }) => {
    return kind === "part" && !mistakes.length && names.includes(name)
  })
  return way ? { ...way, models: [name] } : null
}

const MAX_MISTAKES = 2 // in a way that may be a coincidence; with more mistakes, there is a way to nearly any number

/** Whether a way to a total is worth mentioning although it may be a coincidence. @param {Explanation} way */
const mayBeMeant = ({ kind, mistakes }) => kind === "total" && mistakes.length > 0 && mistakes.length <= MAX_MISTAKES

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
  const number = numberOfPart(part, name)
  return number ? words` In ${titleOf(name)}, ${partWords(part, 0)} ${verbFor([part.words])} ${number}.` : []
}

const MAX_LAYERS = 1000

/** The number of layers with which a model would have this many parameters; 0 if there is none.
 * @param {string} name @param {string} modelClass @param {number} number */
function layersFor(name, modelClass, number) {
  const { sizes } = models.get(name)
  const totalWith = (/** @type {number} */ L) => count({ modelClass, sizes: { ...sizes, L } })
  const perLayer = totalWith(2) - totalWith(1)
  const layers = perLayer > 0 ? (number - totalWith(1)) / perLayer + 1 : 0
  return Number.isInteger(layers) && layers > 0 && layers <= MAX_LAYERS ? layers : 0
}
