// Explains a sum of rounded numbers without labels, such as "BERT base: 12 × 7.09M + 23.84M = 109M". Each of
// its numbers fits many parts, so all of them together must be parts of one model: the layers, as the number of
// layers times one layer or as one number, and beside them only parts outside the layers.

import { classesOf, count, models, sumBy } from "../../counting/engine.js"
import { asClass, titleOf } from "../labels/meanings.js"
import { modelsIn } from "../labels/mentions.js"
import {
  ALL_LAYERS,
  numberOfPart,
  PARTS_OF_MODEL,
  partWithWords,
  sizeOfEachLayer,
  USUAL_MODELS,
} from "../labels/named-parts.js"
import { accountWith, enumeration, finding, link, words } from "../words.js"
import { isNumber, resultOf } from "./expressions.js"
import { withHiddenNames } from "./hidden-names.js"
import { statementsIn } from "./statements.js"

const MAX_LENGTH = 200 // characters
const MIN_TERMS = 2

/** A term: a rounded number, and how often it is added.
 * @typedef {{ value: number, tolerance: number, times: number }} Term */

/** A part of a model as a term, with its exact number.
 * @typedef {{ words: string, page: string, number: number, times: number }} TermOfPart */

/** The term that an expression is; null if it is anything but a rounded number, or one multiplied by a whole number.
 * @param {import("./expressions.js").Expression} expression @returns {Term | null} */
function termOf({ kind, value, tolerance, parts, signs }) {
  if (kind === "number") return tolerance ? { value, tolerance, times: 1 } : null
  if (kind !== "product" || parts.length !== 2 || signs.some((sign) => sign < 0) || !parts.every(isNumber)) return null
  const rounded = parts.find((part) => part.tolerance > 0)
  const times = parts.find((part) => part.tolerance === 0)
  return rounded && times ? { value: rounded.value, tolerance: rounded.tolerance, times: times.value } : null
}

/** The terms of a sum of rounded numbers; null for any other expression.
 * @param {import("./expressions.js").Expression} expression @returns {Term[] | null} */
function termsOf({ kind, parts, signs }) {
  if (kind !== "sum" || signs.some((sign) => sign < 0)) return null
  const terms = parts.map(termOf)
  return terms.every((term) => term !== null) ? terms : null
}

/** The parts of a model that terms count, in their order, each part once; null if a term counts none of them, or none
 * counts the layers.
 * @param {Term[]} terms @param {string} name  of the model @returns {TermOfPart[] | null} */
function partsOfTerms(terms, name) {
  const { L } = models.get(name).sizes
  const rest = [...PARTS_OF_MODEL, "the word embeddings"].flatMap((partName) => partWithWords(partName) ?? [])
  /** @type {TermOfPart[]} */
  const partsFound = []
  for (const { value, tolerance, times } of terms) {
    const index = rest.findIndex((part) => {
      const isOfLayers = part.words === ALL_LAYERS && times === L
      const number = isOfLayers ? sizeOfEachLayer(name) : numberOfPart(part, name)
      return number > 0 && (isOfLayers || times === 1) && Math.abs(number - value) <= tolerance
    })
    if (index < 0) return null
    const [{ words: part, page, ...path }] = rest.splice(index, 1)
    const number = times > 1 ? sizeOfEachLayer(name) : numberOfPart(path, name)
    partsFound.push({ words: part, page, number, times })
  }
  return partsFound.some(({ words: part }) => part === ALL_LAYERS) ? partsFound : null
}

/** The account of a sum of rounded numbers that are parts of the model that a text names, or of BERT base or BERT large
 * if it names none; null for any other text.
 * @param {string} text @returns {Account | null} */
export function accountOfRoundedParts(text) {
  if (text.length > MAX_LENGTH) return null
  const [mention, ...otherMentions] = modelsIn(text)
  if (otherMentions.length) return null
  const names = mention ? mention.models.slice(0, 1) : USUAL_MODELS
  const statement = statementsIn(withHiddenNames(text)).find(({ expressions }) => expressions.some(termsOf))
  const expression = statement?.expressions.find(termsOf)
  const terms = expression ? (termsOf(expression) ?? []) : []
  if (!statement || !expression || terms.length < MIN_TERMS) return null
  for (const name of names) {
    const parts = partsOfTerms(terms, name)
    if (parts) return accountOfParts(parts, name, resultOf(expression), statement.stated)
  }
  return null
}

/** The account of the parts of a model that terms count.
 * @param {TermOfPart[]} parts @param {string} name  of the model @param {number} typedSum  of the rounded terms
 * @param {{ value: number, tolerance: number } | null} stated  the total in the text @returns {Account} */
function accountOfParts(parts, name, typedSum, stated) {
  const { architecture, sizes } = models.get(name)
  const [{ name: modelClass }] = classesOf(architecture)
  const total = count({ modelClass, sizes })
  const sum = sumBy(parts, ({ number, times }) => number * times)
  const terms = parts.map(({ number, times }) => (times > 1 ? words`${times} × ${number}` : words`${number}`))
  const exactSum = terms.flatMap((term, index) => (index ? [" + ", ...term] : term))
  const partsInWords = enumeration(parts.map(({ words: part, page }) => words`${link(page, part)}`))
  const ofTotal =
    sum === total
      ? words`, which is its total ${asClass(modelClass)}`
      : words`; ${asClass(modelClass)}, the model has ${total}, ${Math.abs(total - sum)} ${total > sum ? "more" : "fewer"}`
  const isOff = stated !== null && Math.abs(stated.value - typedSum) > stated.tolerance
  return accountWith({
    kind: "sum",
    headline: words`Your terms are, rounded, ${partsInWords} of ${titleOf(name)}: ${exactSum} = ${sum}${ofTotal}.`,
    findings: isOff ? [finding(1, words`Your terms, as you rounded them, come to ${typedSum}.`)] : [],
    model: { name, modelClass, total },
    confidence: "likely",
  })
}
