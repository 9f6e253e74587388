// Judges whether a text is a sum done by hand at all, whether a model explains it, and how
// certain that is. Print-outs contain numbers and signs, too, and so do texts about operations,
// bytes and dates. With so many parts of so many models, a number may also fit a part by chance. A
// wrong account of a sum is worse than none, so doubtful texts are left to the other explanations
// of pasted text.

import { sumBy } from "../../counting/engine.js"
import { explain } from "../../explaining/explain.js"
import { readWithSizes } from "../../explaining/letters.js"
import { modelsIn } from "../labels/mentions.js"
import { namesForeignModel, partsMeant } from "./labels.js"
import { publishedExceptTables } from "./published-models.js"
import { nameDefinedIn } from "./sizes.js"

/** @typedef {import("./expressions.js").Expression} Expression */
/** @typedef {import("./match.js").SummandReading} SummandReading */
/** @typedef {import("./statements.js").Statement} Statement */
/** @typedef {import("./points.js").UnderstoodSum} UnderstoodSum */

/** Texts that only tools print: shapes of tensors, headings and lines of summaries, and modules with arguments. */
const TOOL_OUTPUT = /torch\.Size|Param #|\(\w+\): \w+\(|trainable params|trainable%|dtype=|<tf\.Variable/i
/** The name of a tensor or module, with dots or slashes. */
const TENSOR_NAME = /(?<![/\w])[a-z_]\w*(?:[./](?:\w+)){2,}/gi
const MAX_NAMES = 2 // the maximum number of such names in a text that a person has written

/** Words for amounts other than parameters that a formula may work out. */
const OTHER_AMOUNT =
  /(?:^|[^a-z])(?:[kmgtp]?flops?|[kmgt]?macs?|mult[ -]?adds|memory\w*|bytes?|[kmgt]i?b|tokens?\/s|lr|loss)(?![a-z])/i
/** The unit of a result in tokens, unless it is the beginning of the name of a table. */
const IN_TOKENS = /^\s*tokens?(?![\w-]|\s(?:type|embed|table|matri))/i

/** The sizes that identify a model. */
const LETTERS_OF_MODEL = new Set([..."VHFL"])
/** The number of these sizes that a formula without words must have, for a published model and for any other. */
const [MIN_SIZES, MIN_SIZES_UNPUBLISHED] = [2, 3]

const FEW_SUMMANDS = 2 // among at most this many summands, one that fits is enough
/** The share of more than `FEW_SUMMANDS` summands that must fit: for a published model in a text that names one, and
 * for any other model or text. */
const [SHARE_IF_NAMED, SHARE_OTHERWISE] = [0.5, 0.75]
const MAX_NEAR_ERROR = 0.03 // the largest error of a number that is near the right one, as a share of the latter

const MAX_LABEL_WORDS = 6 // the maximum number of words in a label; more words are a sentence about something else
const MAX_COST_IN_SENTENCE = 3 // the maximum cost of a summand that fits a part; only some of the layers cost more
const MIN_TERMS_WITHOUT_WORDS = 3 // the minimum number of exact terms without words; fewer may fit a part by chance

/** Whether a tool seems to have printed a text: it has several names with dots or slashes, a line of underscores, or
 * anything in `TOOL_OUTPUT`.
 * @param {string} text */
export function isToolOutput(text) {
  if (text.includes("____") || TOOL_OUTPUT.test(text)) return true
  const withoutAddresses = text.replace(/https?:\S+/g, "")
  return (withoutAddresses.match(TENSOR_NAME) ?? []).length > MAX_NAMES
}

/** Whether a text seems to be a sum of parameters, and not a single number that the page explains. Several statements
 * are a sum if a label names a part, be it that of a statement or of a term, or if there are several formulas. A single
 * formula is one if its words name a part, if it has a result or more than two terms, or if it cannot be read as a
 * number. Without any formula, more than two labels must name parts. Formulas that are all about another amount are not
 * a sum of parameters.
 * @param {Statement[]} statements @param {string} text */
export function isSum(statements, text) {
  const countingStatements = statements.filter((statement) => !nameDefinedIn(statement))
  const formulas = countingStatements.filter(({ expressions }) => expressions.length)
  /** Whether a statement is about an amount other than parameters. @param {Statement} statement */
  const isOfOtherAmount = ({ text: formula, words: label, after }) =>
    OTHER_AMOUNT.test(`${label} ${formula}`) || IN_TOKENS.test(after)
  if (formulas.length && formulas.every(isOfOtherAmount)) return false
  const labelledStatements = countingStatements.filter(({ words: label, after }) => partsMeant(label || after).length)
  if (!formulas.length) return labelledStatements.length > 2
  if (countingStatements.length > 1)
    return labelledStatements.length > 0 || formulas.length > 1 || formulas.some(hasLabelledTerms)
  const [{ expressions, words: label, after, heading, stated }] = countingStatements
  if (partsMeant(`${label || heading} ${after}`).length) return true
  return stated !== null || expressions[0].parts.length > 2 || !readWithSizes(text, {})
}

/** Whether a statement gives the sum of terms, some of which are labelled as parts. @param {Statement} statement */
const hasLabelledTerms = ({ expressions, stated }) =>
  stated !== null && expressions.some(({ parts }) => parts.some(({ words: label }) => partsMeant(label).length > 0))

/** Whether a text is one formula of whole numbers, without words and without subtraction.
 * @param {Statement[]} statements */
export const isFormula = ([{ words: label, after, expressions }, ...others]) =>
  !others.length && !label && !after && expressions.every(addsWholeNumbers)

/** Whether a formula has enough sizes of a model, its hidden size among them, to be about that model.
 * @param {UnderstoodSum["model"]} model */
export function isOfModel({ name, sizes, statedSizes }) {
  const letters = Object.keys(statedSizes).filter(
    (letter) => LETTERS_OF_MODEL.has(letter) && statedSizes[letter] === sizes[letter],
  )
  return letters.includes("H") && letters.length >= (name ? MIN_SIZES : MIN_SIZES_UNPUBLISHED)
}

/** Whether an expression has only whole numbers and subtracts nothing.
 * @param {Expression} expression @returns {boolean} */
const addsWholeNumbers = ({ tolerance, kind, parts, signs }) =>
  !tolerance && (kind !== "sum" || signs.every((sign) => sign > 0)) && parts.every(addsWholeNumbers)

/** Whether the page explains the result of a formula as a number, so that its terms need not be read. If one of several
 * terms is not the size of a part, an explanation by mistakes is a coincidence.
 * @param {string} text @param {UnderstoodSum} outcome */
export function isNumberKnown(text, { readings }) {
  const [likeliest] = explain(text) ?? []
  if (!likeliest || likeliest.kind === "near" || likeliest.confidence === "possible") return false
  const hasUnknownTerm = readings.length > 1 && readings.some(({ kind }) => kind === "unknown")
  return !(hasUnknownTerm && likeliest.mistakes.length)
}

/** Whether a statement has a formula of whole numbers, and does not name an amount other than parameters.
 * @param {Statement} statement */
export const isOfParameters = ({ expressions, text, words: label, after, name }) =>
  expressions.some(isOfWholeNumbers) && !OTHER_AMOUNT.test([text, label, after, name].join(" "))

/** Whether no number in an expression is rounded. @param {Expression} expression @returns {boolean} */
const isOfWholeNumbers = ({ tolerance, parts }) => !tolerance && parts.every(isOfWholeNumbers)

/** Whether a text is a single statement that the page explains as a number, because it counts no whole model and no
 * short label says what it counts.
 * @param {Statement[]} statements @param {UnderstoodSum} outcome */
export function isExplainedAsNumber(statements, { readings, target, slips }) {
  const [{ words: ownLabel, after, heading, stated }] = statements
  if (statements.length > 1 || slips.length) return false
  const label = ownLabel || heading
  const wordCount = `${label} ${after}`.trim().split(/\s+/).length
  const isLabelled = partsMeant(`${label} ${after}`).length > 0 && wordCount <= MAX_LABEL_WORDS
  const countsWholeClass = target.modelClass !== "" && readings.every(({ kind }) => kind === "exact")
  return !countsWholeClass && !(isLabelled || (stated && label && wordCount <= MAX_LABEL_WORDS))
}

/** Whether a reading says what a summand counts: a part with this number of parameters, or nearly; the tied decoder;
 * the same part as another summand; or a part that is as wide as the hidden size by mistake.
 * @param {SummandReading} reading @param {number} value */
const isUnderstood = ({ kind, right }, value) =>
  ["exact", "some", "tied", "repeated", "wide"].includes(kind) ||
  (kind !== "unknown" && Math.abs(value / right - 1) < MAX_NEAR_ERROR)

/** Whether the summands probably count parts of the model, rather than fit it by chance. For an unpublished model, more
 * of them must fit.
 * @param {UnderstoodSum} outcome @param {string} text */
export function isExplained({ readings, summands, gaps, model, published }, text) {
  const namesModel = /bert|electra|mpnet|minilm|xlm/i.test(text) || modelsIn(text).length > 0
  const isPublished = Boolean(model.name || published)
  const understoodReadings = readings.filter((reading, index) => isUnderstood(reading, summands[index].value))
  const isExact = readings.every(({ kind }) => kind === "exact")
  if (!understoodReadings.length || readings.every(({ kind }) => kind === "unknown")) return false
  const minShare = isPublished && namesModel ? SHARE_IF_NAMED : SHARE_OTHERWISE
  if (readings.length > FEW_SUMMANDS && understoodReadings.length < readings.length * minShare) return false
  if (!isPublished && !namesModel && (gaps.length > 0 || !isExact)) return false
  return !namesForeignModel(text) || /bert/i.test(text)
}

/** Whether the numbers of one line are not terms of a sum, because no number or sign of the text adds them up and not
 * all of them fit parts. A sentence may compare them, as in "24M parameters, but it adds only 622,650".
 * @param {UnderstoodSum} outcome */
export function isUnconnected({ root, entries, readings }) {
  const roots = entries.filter(({ isUsed }) => !isUsed)
  if (root || roots.some(({ statement }) => statement.line !== roots[0].statement.line)) return false
  return readings.some(({ kind, cost }) => kind === "unknown" || cost > MAX_COST_IN_SENTENCE)
}

/** Whether a sum that counts no whole class consists mostly of summands that fit no part, so that the others fit by
 * chance.
 * @param {UnderstoodSum} outcome */
export function isMostlyUnknown({ target, readings, summands }) {
  const unknownSummands = summands.filter((_, index) => readings[index].kind === "unknown")
  const [unknownSize, size] = [unknownSummands, summands].map((list) => sumBy(list, ({ value }) => Math.abs(value)))
  return !target.modelClass && unknownSize > size / 2
}

/** Whether a sum subtracts a number that is not understood. What remains may be a model without a part.
 * @param {UnderstoodSum} outcome */
export const hasUnknownDeduction = ({ readings, summands }) =>
  readings.some(({ kind }, index) => kind === "unknown" && summands[index].value < 0)

/** Whether the account of a sum needs no reservation: everything in it is known, and what it counts is evident, because
 * it counts a whole class, its words name a part, or it has several exact terms.
 * @param {UnderstoodSum} outcome @param {string} assumedSize  a size that the text does not give, or "" */
export function isSure({ readings, summands, target, model, published, isUnsure }, assumedSize) {
  const isExact = readings.every(({ kind }) => kind === "exact")
  const isNamed = target.modelClass !== "" || summands.some(({ label }) => partsMeant(label).length > 0)
  const isEvident = isNamed || (isExact && readings.length >= MIN_TERMS_WITHOUT_WORDS)
  if (!isEvident || isUnsure || assumedSize || readings.some(({ kind }) => kind === "unknown")) return false
  if (model.name || published) return true
  return isExact && (target.modelClass !== "" || (isNamed && publishedExceptTables(model) !== null))
}
