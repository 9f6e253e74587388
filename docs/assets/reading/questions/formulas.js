// Answers questions about the formula that counts the parameters of a model or a part: "What is the
// formula for BERT's parameters?", or "How many parameters does a layer have in terms of H?". The formula
// also answers why a part has a shape: "Why is the query matrix 768 x 768?".

import { Counter, isOneLayer, models, whole } from "../../counting/engine.js"
import { formula, mergeTerms, termOf } from "../../counting/polynomials.js"
import { asClass, titleOf } from "../labels/meanings.js"
import { numberOfPart } from "../labels/named-parts.js"
import { classAndTotal } from "../labels/totals.js"
import { code, enumeration, link, withCapital, words } from "../words.js"
import { answer } from "./question-accounts.js"
import { questionedParts } from "./questioned-parts.js"

/** Words for a formula, in English and Chinese. */
const FORMULA = /\bformulas?\b|\bin terms of\b|\bas a function of\b|\bclosed[- ]form\b|公式/i

/** A question about why something has a shape, without a sum or a product of three numbers. */
export const WHY_SHAPE =
  /^(?!.*[=+])(?!.*[0-9]\s?[x×*]\s?[0-9]+\s?[x×*]).*(?:\b(?:why|warum|pourquoi)\b|为什么).*[0-9]\s?[x×*]\s?[0-9].*\?\s*$/i

/** The account of a question about a formula, or about why a part has a shape; null for any other text, for one about
 * a formula with a number, and if the class that it means lacks the part that it names.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
export function accountOfFormula(labelledText, name) {
  const { text, quantities, classes } = labelledText
  const isOfShape = WHY_SHAPE.test(text)
  const areCoefficients = quantities.every(({ end }) => /^\s?[a-zA-Z](?![a-zA-Z])/.test(text.slice(end)))
  if (!isOfShape && !(FORMULA.test(text) && areCoefficients)) return null
  const { modelClass, total } = classAndTotal(name, classes[0]?.name)
  // "FFN 4d" is a width.
  const parts = labelledText.parts.filter(
    ({ end }) => isOfShape || !/^\s?(?:is\s|=|of\s)?\s?[0-9]/.test(text.slice(end)),
  )
  const [part = null] = questionedParts({ ...labelledText, parts })
  if (isOfShape && !part) return null
  const { sizes } = models.get(name)
  const number = part ? numberOfPart(part, name) : total
  const terms = termsOf(modelClass, sizes, part?.path, part?.tag)
  if (!number || !terms.length) return null
  const letters = Object.keys(sizes).filter((letter) =>
    terms.some((term) => [...term.letters, ...term.layers].some((factor) => factor.includes(letter))),
  )
  const subject = part ? withCapital([link(part.page, part.words)]) : titleOf(name)
  const ending = part ? words` of ${titleOf(name)}` : words`, ${asClass(modelClass)}`
  const sizesInFormula = letters.map((letter) => words`${letter} = ${whole(sizes[letter])}`)
  return answer(
    words`${subject}${ending}: ${code(formula(terms))} = ${number} parameters, with ${enumeration(sizesInFormula)}.`,
    part ? null : { name, modelClass, total },
  )
}

/** The terms of the formula for a class, or for a part of it; none if the class lacks the part. For a part of one
 * layer, the number of layers is not a factor.
 * @param {string} modelClass @param {Sizes} sizes @param {string} [path]  of the part @param {string} [tag] */
function termsOf(modelClass, sizes, path = "", tag = "") {
  const items = new Counter(modelClass, sizes).itemsUnder([], path, tag).filter(({ factors }) => !factors.length)
  const terms = items.map((item) => termOf(isOneLayer(path) ? { ...item, layers: [] } : item))
  return mergeTerms(terms)
}
