// Finds the part of a model that the words around a number mean, and writes sentences on its size and on
// a part within it that the number leaves out.

import { Counter, classesOf, models } from "../../counting/engine.js"
import { waysTo } from "../../explaining/explain.js"
import { link, verbFor, withCapital, words } from "../words.js"
import { asTyped, isPartNamed, partsOfSameSize, partWords } from "./meanings.js"
import {
  numberOfPart,
  ONE_LAYER,
  partOfModel,
  partWithWords,
  sizeOfPart,
  sizesOfPart,
  USUAL_MODELS,
} from "./named-parts.js"
import { classAndTotal } from "./totals.js"

/** Sentences on the size that the part named near a number has in BERT base and BERT large, for a text that names no
 * model; null if no part is named. They contradict the number unless it is one of the two sizes, rounded.
 * @param {Pick<ResolvedNumber, "quantity" | "context">} resolvedNumber @returns {Words | null} */
export function sentencesOnPartOfUsualModels({ quantity, context }) {
  const { low, high } = quantity.number
  const part = partOfModel(USUAL_MODELS[0], context.parts, low)
  if (!part) return null
  const sizes = sizesOfPart(part, USUAL_MODELS)
  const isRounded = USUAL_MODELS.map((name) => numberOfPart(part, name)).some(
    (number) => number >= low && number <= high,
  )
  return isRounded
    ? words`${asTyped(quantity)} is a rounded number. ${sizes}.`
    : words`${sizes}, not ${asTyped(quantity)}.${part.words === ONE_LAYER ? sentenceOnPartInLayer(quantity, context) : ""}`
}

/** A sentence on the parts within one layer of BERT base whose size a number is, as in "2.36M per layer"; empty if no
 * part within a layer has this size.
 * @param {Quantity} quantity @param {Context} context @returns {Words} */
function sentenceOnPartInLayer(quantity, { explain }) {
  const [name] = USUAL_MODELS
  const way = explain(quantity.typed, name).find(
    ({ kind, mistakes, parts }) =>
      kind === "part" && !mistakes.length && parts.some((part) => part.words.endsWith(IN_ONE_LAYER)),
  )
  if (!way) return []
  const partsInLayer = way.parts.filter((part) => part.words.endsWith(IN_ONE_LAYER))
  const parts = partsOfSameSize({ ...way, parts: partsInLayer })
  return quantity.number.exact
    ? words` It is the size of ${parts}.`
    : words` In full, it is ${way.number}, the size of ${parts}.`
}
const IN_ONE_LAYER = " in one layer"

const MAX_SHARE_OF_PART = 0.5 // if words name a part, a number below this share of the total is not that of the whole model

/** The part that the words near a number name, if the number is not that of the whole model; otherwise null.
 * @param {Pick<ResolvedNumber, "quantity" | "first" | "context">} resolvedNumber @param {string} name  of the model
 * @returns {import("./named-parts.js").NamedPart | null} */
export function partMeant({ quantity, first, context }, name) {
  if (quantity.role !== "count") return null
  const mayBePart = first?.parts.length || quantity.number.high < classAndTotal(name).total * MAX_SHARE_OF_PART
  return mayBePart ? partOfModel(name, context.parts, quantity.number.low) : null
}

const MAX_LEFT_OUT = 0.5 // a part from which more than this share is left out is not called by its name
const MIN_LEFT_OUT = 100 // parameters; a smaller difference has many reasons

/** Whether all rows of one part of a model are in another part, in some class.
 * @param {Pick<Part, "path" | "tag">} inner @param {Pick<Part, "path" | "tag">} outer
 * @param {string} name  of the model */
function isWithin(inner, outer, name) {
  const { architecture, sizes } = models.get(name)
  return classesOf(architecture).some((modelClass) => {
    const { rows } = new Counter(modelClass.name, sizes)
    const innerRows = [...rows.rowsUnder(inner.path, inner.tag ?? "")]
    const outerRows = new Set(rows.rowsUnder(outer.path, outer.tag ?? ""))
    return innerRows.length > 0 && innerRows.every((row) => outerRows.has(row))
  })
}

/** The parts within a part of a model that have exactly `number` parameters, as an explanation; null if there are none.
 * @param {Pick<Part, "path" | "tag" | "words">} part @param {number} number @param {string} name  of the model
 * @returns {Explanation | null} */
function partsWithin(part, number, name) {
  const { words: text } = part
  const way = waysTo(number, name).find(({ kind, mistakes, layers }) => kind === "part" && !mistakes.length && !layers)
  const isOfLayer = text.toLowerCase().includes(ONE_LAYER) || text.includes(IN_ONE_LAYER)
  const innerParts = (way?.parts ?? []).filter(
    (inner) => isWithin(inner, part, name) && !inner.share && (!isOfLayer || inner.words.includes(IN_ONE_LAYER)),
  )
  return way && innerParts.length ? { ...way, parts: innerParts, models: [name] } : null
}

/** A sentence on what is missing from a part if it had only the number in the text; empty if no part within it has the
 * size of the difference.
 * @param {import("./named-parts.js").NamedPart} part @param {number} number @param {string} name  of the model
 * @returns {Words} */
export function sentenceOnLeftOut(part, number, name) {
  const leftOut = leftOutOf(part, number, name)
  return leftOut ? words` That is ${leftOut.missingCount} fewer, the size of ${leftOut.parts}.` : []
}

/** The sentences on the size of the part that the words around a number name, and on what is missing from it; empty if
 * no part within it has the size of the difference.
 * @param {Context} context @param {Quantity} quantity @param {string[]} names  of the models that may be meant
 * @returns {Words} */
export function sentencesOnIncomplete({ parts }, quantity, names) {
  for (const name of names) {
    const part = partOfModel(name, parts, quantity.number.low)
    const leftOut = part && leftOutOf(part, quantity.number.low, name)
    if (leftOut)
      return words`${sizeOfPart(part, name)} parameters. ${asTyped(quantity)} is ${leftOut.missingCount} fewer, the size of ${leftOut.parts}.`
  }
  return []
}

/** The words "this part without that part in it", if that explains a number more simply than the mistake that was
 * found; otherwise null.
 * @param {Pick<ResolvedNumber, "first" | "quantity">} resolvedNumber @param {string} name  of the model
 * @returns {Words | null} */
export function partWithoutPart({ first, quantity }, name) {
  const [part] = first?.parts ?? []
  if (!first?.mistakes.length || !part || first.layers || first.kind !== "part") return null
  const right = numberOfPart(part, name)
  const leftOut = leftOutOf({ ...part, number: right }, quantity.number.low, name)
  return (
    leftOut &&
    words`${link(part.page, partWords(part, 0))} (${right}) without ${leftOut.parts} (${leftOut.missingCount})`
  )
}

/** The parts within a part that `number` leaves out, and their size; null if no parts within it have the size of the
 * difference.
 * @param {import("./named-parts.js").NamedPart} part @param {number} number @param {string} name  of the model */
function leftOutOf(part, number, name) {
  const missingCount = part.number - number
  if (missingCount < MIN_LEFT_OUT || missingCount > part.number * MAX_LEFT_OUT) return null
  const way = partsWithin(part, missingCount, name)
  return way && { missingCount, parts: partsOfSameSize(way) }
}

/** A sentence on the size of the part that the words around a number name, although the number is the size of something
 * else; empty if they name no part.
 * @param {string} name @param {Context} context @param {number} number @returns {Words} */
export function sentenceOnNamedPart(name, context, number) {
  const part = name ? partOfModel(name, context.parts) : null
  if (!part) return []
  const leftOut = leftOutOf(part, number, name)
  const comparison = leftOut ? words`: ${leftOut.missingCount} more, the size of ${leftOut.parts}` : []
  return words` ${sizeOfPart(part, name)}${comparison}.`
}

/** The words for a single tensor of a module. */
const TENSOR_OF_MODULE = /^the (?:matrix|bias|scale|shift) of (.*)$/

/** A sentence on the module of a tensor whose size a text gives as that of the whole module, as in "the query
 * projection has 589,824"; empty for any other number.
 * @param {Explanation} way @param {string} name  of the model @param {Context} context @returns {Words} */
export function sentenceOnModule({ kind, parts, layers }, name, { parts: partNames, isTensorNamed }) {
  if (isTensorNamed) return []
  const namedParts = parts.filter((part) => partNames.some((partName) => isPartNamed(part.words, partName)))
  const [moduleWords] = namedParts.map((part) => TENSOR_OF_MODULE.exec(part.words)?.[1] ?? "")
  const module = kind === "part" && !layers && moduleWords ? partWithWords(moduleWords) : null
  return module
    ? words` ${withCapital([module.words])} ${verbFor([module.words])} ${numberOfPart(module, name)} in all.`
    : []
}
