// Explains the difference between two models, or between two classes of one: a text that subtracts the total of one
// from that of the other, or a question about the two. The parts that both have show where it comes from. Two plain
// numbers without words are left to labels/differences.js and to explaining/.

import exported from "../../data/reading.js"
import { classes, classOfBare, count, models } from "../counting/engine.js"
import { numberOfDigits } from "../explaining/read.js"
import { modelsIn } from "./labels/mentions.js"
import { modelWords } from "./labels/methods.js"
import { classAndTotal, fitsOfTotal } from "./labels/totals.js"
import { accountInSentences, code, enumeration, words } from "./words.js"

const { totals: otherModels } = exported.labels

const MAX_LENGTH = 400 // characters of a question or remark
const TOTAL = "[0-9]{1,3}(?:[,._' ][0-9]{3}){2,3}|[0-9]{7,10}"
/** Two totals with a minus between them, perhaps with the name of a model before the second, and their difference. */
const DIFFERENCE = new RegExp(
  `(?<![0-9.,])(${TOTAL})\\s{0,3}[-−–]\\s{0,3}(?:[^\\n0-9=]{0,30}(?:\\b[0-9]\\s)?\\s?)(${TOTAL})(?:\\s{0,3}=\\s{0,3}(${TOTAL}))?(?![0-9])`,
)
/** Words that ask why two totals differ or that set one against the other, and the totals of a text. */
const QUESTION_WORDS =
  /\bwhy\b|\bwarum\b|\bpourquoi\b|por qué|\bwie komme ich von\b|\bunterschied|为什么|差|\bis (?:it|that|this) (?:only|just|because|due)\b|\bdifferen(?:ce|t)\b|\bdiffers?\b|\bextra\b|\bcompared\s(?:with|to)\b|\b(?:vs\b\.?|versus)/i
const TOTALS = new RegExp(`(?<![0-9.,])(?:${TOTAL})(?![0-9])`, "g")

/** The two totals of a text that subtracts one from the other or asks why they differ, and the difference that it
 * states, if any; null for any other text.
 * @param {string} text @returns {{ total: number, otherTotal: number, stated: number | null } | null} */
function totalsIn(text) {
  const [, first, second, statedDifference] = DIFFERENCE.exec(text) ?? []
  if (first)
    return {
      total: numberOfDigits(first),
      otherTotal: numberOfDigits(second),
      stated: statedDifference ? numberOfDigits(statedDifference) : null,
    }
  const roundedTotals = roundedTotalsIn(text)
  if (roundedTotals) return roundedTotals
  const totals = [...new Set((text.match(TOTALS) ?? []).map(numberOfDigits))]
  if (totals.length !== 2 || !QUESTION_WORDS.test(text)) return null
  return { total: Math.max(...totals), otherTotal: Math.min(...totals), stated: null }
}

/** Numbers in millions. */
const MILLIONS = /(?<![0-9.,])([0-9]{1,4}(?:\.[0-9]+)?)\s?(?:M|million)\b/g
const MILLION = 1e6
const MAX_ROUNDING = 0.05 // the largest relative error of a rounded total, such as the paper's 340M
const MAX_ERROR = 1e-6 // of a difference in millions, because decimals are not exact

/** The totals of two models that a text names with their rounded totals, if it also states the difference or asks for
 * it; null for any other text.
 * @param {string} text */
function roundedTotalsIn(text) {
  const statedMillions = [...text.matchAll(MILLIONS)]
    .map(([, digits]) => Number(digits))
    .sort((one, other) => other - one)
  const [larger, smaller, difference = larger - smaller] = statedMillions
  if (statedMillions.length < 2 || statedMillions.length > 3 || larger === smaller) return null
  if (statedMillions.length === 2 && !QUESTION_WORDS.test(text)) return null
  // The smaller total may be listed after the difference.
  if (Math.abs(larger - smaller - difference) > MAX_ERROR) return null
  const names = [...new Set(modelsIn(text).map(({ models: [name] }) => name))].filter(Boolean)
  if (names.length !== 2) return null
  const [total, otherTotal] = names.map((name) => classAndTotal(name).total).sort((one, other) => other - one)
  if (Math.abs(total / (larger * MILLION) - 1) > MAX_ROUNDING) return null
  return { total, otherTotal, stated: null }
}

/** The parts of a model that are compared, with words for them. */
const PARTS = /** @type {const} */ ([
  ["bert/embeddings", "the embeddings"],
  ["bert/encoder", "the encoder layers"],
  ["bert/pooler", "the pooler"],
])

/** A total with words for its model. `sizes` is null for a model whose parts are not counted.
 * @typedef {{ name: string, words: Words, modelClass: string, sizes: Sizes | null }} NamedTotal */

/** The model with a total, one that the text names if possible; null if no model has it.
 * @param {number} total @param {string[]} namesInText @returns {NamedTotal | null} */
function modelWithTotal(total, namesInText) {
  const fits = fitsOfTotal(total)
  const fit = fits.find(({ line }) => namesInText.includes(line.model.name)) ?? fits[0]
  if (fit) {
    const { model, modelClass } = fit.line
    const sizes = { ...model.sizes, ...(fit.labels ? { C: fit.labels } : {}) }
    return { name: model.name, words: modelWords(fit), modelClass, sizes }
  }
  for (const [name, { title, totals }] of Object.entries(otherModels)) {
    const modelClass = Object.keys(totals).find((candidate) => totals[candidate] === total)
    if (modelClass) return { name, words: words`${title}, as ${code(modelClass)}`, modelClass, sizes: null }
  }
  return null
}

/** The parts in which two models differ, each with its difference, and what is left of the whole difference.
 * @param {Omit<NamedTotal, "words">} one @param {Omit<NamedTotal, "words">} other
 * @param {number} difference  between their totals
 * @returns {[words: string, difference: number][]} */
function differencesOfParts(one, other, difference) {
  const [sizes, otherSizes] = [/** @type {Sizes} */ (one.sizes), /** @type {Sizes} */ (other.sizes)]
  /** @type {[words: string, difference: number][]} */
  const differences = PARTS.map(([part, text]) => [
    text,
    count({ modelClass: one.modelClass, sizes, part }) -
      count({ modelClass: other.modelClass, sizes: otherSizes, part }),
  ])
  const rest = differences.reduce((remaining, [, ofPart]) => remaining - ofPart, difference)
  // Two classes of one model also differ in their heads.
  const hasOneHead =
    classOfBare(classes.get(one.modelClass).architecture) === other.modelClass && !/PreTraining/.test(one.modelClass)
  const heads = hasOneHead ? "the head" : "the heads"
  const restInWords = one.name === other.name ? heads : "the rest"
  return [...differences, /** @type {[string, number]} */ ([restInWords, rest])].filter(([, ofPart]) => ofPart !== 0)
}

/** The parts in which two models differ, each with the difference, as the end of a sentence.
 * @param {[words: string, difference: number][]} differences */
const differencesInWords = (differences) =>
  enumeration(differences.map(([text, ofPart]) => words`${ofPart < 0 ? "−" : ""}${Math.abs(ofPart)} in ${text}`))

/** Where the difference between two models comes from, as the end of a sentence; empty if the sizes of a model are
 * unknown.
 * @param {Omit<NamedTotal, "words">} one @param {Omit<NamedTotal, "words">} other
 * @param {number} difference  between their totals @returns {Words} */
export function differenceByParts(one, other, difference) {
  return one.sizes && other.sizes ? differencesInWords(differencesOfParts(one, other, difference)) : []
}

/** Whether a text may mean a model: any BERT, but a relative only if the text names it. ELECTRA base, for one, has as
 * many parameters as BERT base without its pooler.
 * @param {NamedTotal} model @param {string[]} namesInText */
const mayBeMeant = ({ name, sizes }, namesInText) =>
  !sizes || namesInText.includes(name) || models.get(name).architecture === "bert"

/** The account of the difference between the totals of two models or classes; null for any other text.
 * @param {string} text @returns {Account | null} */
export function accountOfTwoModels(text) {
  if (text.length > MAX_LENGTH || !/\p{L}{2}/u.test(text)) return null
  const { total = 0, otherTotal = 0, stated = null } = totalsIn(text) ?? {}
  const difference = total - otherTotal
  // A difference that is worked out wrongly is left to sums/.
  if (!difference || (stated !== null && stated !== Math.abs(difference))) return null
  const namesInText = modelsIn(text).flatMap((mention) => [...mention.models, ...mention.others])
  const [one, other] = [total, otherTotal].map((number) => modelWithTotal(number, namesInText))
  if (!one || !other || !(one.sizes || other.sizes)) return null
  if (![one, other].every((model) => mayBeMeant(model, namesInText))) return null
  const opening = words`${Math.abs(difference)} is the difference between ${one.words} (${total}), and ${other.words} (${otherTotal})`
  const unknownModel = one.sizes ? other : one
  if (!one.sizes || !other.sizes)
    return accountInSentences(
      words`${opening}. We know the total of ${unknownModel.words}, but do not count its parts, so we cannot say where the difference comes from.`,
      [],
      { kind: "labels" },
    )
  const differences = differencesOfParts(one, other, difference)
  return {
    ...accountInSentences(words`${opening}: ${differencesInWords(differences)}.`, [], { kind: "labels" }),
    bridge: {
      heading: "where they differ",
      start: otherTotal,
      startLabel: `${models.get(other.name).title}, as ${other.modelClass}`,
      steps: differences.map(([text, ofPart]) => ({ label: words`${text}`, value: ofPart, formula: "" })),
      end: total,
      endLabel: `${models.get(one.name).title}, as ${one.modelClass}`,
    },
  }
}
