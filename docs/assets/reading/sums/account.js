// Explains a sum done by hand: a count of parameters in numbers, letters or words, on one line or
// many. statements.js splits the text into statements, tree.js builds the tree of their results,
// and summands.js lists the numbers that enter the total. The sizes of the model follow from the
// factors (sizes.js, candidates.js). match.js matches each summand with a part of that model, and
// whatever does not fit is a mistake (outcome.js). Summands are judged before totals, so that two
// mistakes that cancel are both found. Three kinds of sums are read as a whole: one whose terms are
// exactly the tensors of a class (exact-sums.js), one of all parts of a class but one, which is the rest
// (rest.js), and one of rounded numbers without words (rounded-parts.js).
//
// A text rarely settles which model is meant, which part a number counts or what its words mean.
// Therefore every reading has a cost, and the cheapest reading of the whole text wins. The costs
// were set by trial, on sums that people have written (tests/scripts/hand_sums.toml) and on
// randomly generated sums whose right reading is known. At the end, judging.js decides whether
// the best reading is good enough, and whether its account needs a reservation.

import table from "../../../data/table.js"
import { classOfBare, count } from "../../counting/engine.js"
import { waysTo } from "../../explaining/explain.js"
import { byUse } from "../../explaining/ways.js"
import { asClass, meaning, subjectOf, titleOf } from "../labels/meanings.js"
import { classesIn, modelsIn } from "../labels/mentions.js"
import { classAndTotal, comparisonOf } from "../labels/totals.js"
import { code, enumeration, finding, words } from "../words.js"
import { candidatesAndNames } from "./candidates.js"
import { comparedTotalIn } from "./compared-totals.js"
import { exactOutcomeOf } from "./exact-sums.js"
import { withHiddenNames } from "./hidden-names.js"
import {
  hasUnknownDeduction,
  isExplained,
  isExplainedAsNumber,
  isFormula,
  isMostlyUnknown,
  isNumberKnown,
  isOfModel,
  isOfParameters,
  isSum,
  isSure,
  isToolOutput,
  isUnconnected,
} from "./judging.js"
import { withoutDots, withProducts } from "./layers-in-words.js"
import { outcomeOf } from "./outcome.js"
import { sumRulerOf } from "./pieces.js"
import { findingsOnOtherTotals, partInWords, pointsOf } from "./points.js"
import { modelWithOtherTables, nameOf, otherModelNamed, publishedModelFor, TABLE_NOUNS } from "./published-models.js"
import { outcomeWithRest } from "./rest.js"
import { accountOfRoundedParts } from "./rounded-parts.js"
import { headlineOf, linesOf, targetInWords } from "./sentences.js"
import { nameDefinedIn } from "./sizes.js"
import { statementsIn } from "./statements.js"

/** @typedef {import("./statements.js").Statement} Statement */
/** @typedef {import("./points.js").UnderstoodSum} UnderstoodSum */

const MAX_LENGTH = 30_000 // characters; a longer text was not written by hand
const MAX_STATEMENTS = 200 // more are not a sum done by hand
const MIN_EXACT_SUMMANDS = 3 // the minimum number of summands that match exactly in a text without formulas
const MIN_TOTAL = 1_000_000 // a smaller number may be the total of a model by chance
const AGREEMENT_DISCOUNT = 0.7 // taken off the cost of a reading for each unit of the model's agreement

/** The best reading of a sum; null if there is none. It is one of these, the first preferred:
 * 1. The terms are exactly the tensors of a class. If its model is not a BERT and the text does not name it, they may
 *    be so by chance. Then a BERT without a part or two is preferred, unless it is used less than the model.
 * 2. The summands are not clear one by one, but all but one are parts of a class, and that one is the rest.
 * 3. The cheapest reading leaves out something of a relative that the text does not name, and another that costs
 *    little more has every summand exactly as a part of BERT base or BERT large.
 * 4. The cheapest reading, summand by summand.
 * @param {Statement[]} statements @param {string} text @returns {UnderstoodSum | null} */
function bestReading(statements, text) {
  const { names, candidates } = candidatesAndNames(statements, text)
  const countingStatements = statements.filter((statement) => !nameDefinedIn(statement))
  const namedClasses = classesIn(text).map(({ name }) => name)
  const exactOutcome = exactOutcomeOf(countingStatements, names, candidates, namedClasses, text)
  const exactReading = exactOutcome && { ...exactOutcome, published: null }
  if (exactReading && (exactReading.model.architecture === BERT || exactReading.model.isNamed)) return exactReading
  const reading = cheapestReading(countingStatements, names, candidates, namedClasses)
  if (exactReading) {
    const isOfBert = reading?.model.architecture === BERT && isClear(reading)
    const isUsedMore = exactReading.model.name && byUse(exactReading.model, reading?.model ?? exactReading.model) < 0
    if (!isOfBert || isUsedMore) return exactReading
    return { ...reading, exactReading }
  }
  if (!reading) return null
  if (!isClear(reading)) {
    const outcome = outcomeWithRest(countingStatements, names, reading, candidates, namedClasses, text)
    if (outcome) return { ...outcome, published: null }
  }
  if (reading.model.architecture === BERT || reading.model.isNamed || !reading.gaps.length) return reading
  return usualReading(countingStatements, names, reading) ?? reading
}

/** The cheapest reading of a sum, summand by summand, with any of the models that it may be about; null if there is
 * none.
 * @param {Statement[]} statements @param {Record<string, number>} names  of sizes in the text
 * @param {import("./candidates.js").Candidate[]} candidates @param {string[]} namedClasses
 * @returns {UnderstoodSum | null} */
function cheapestReading(statements, names, candidates, namedClasses) {
  /** The cost of a reading, less a discount for the model's agreement with the text. */
  const costOf = (/** @type {UnderstoodSum} */ { cost, model }) => cost - model.agreement * AGREEMENT_DISCOUNT
  /** @type {UnderstoodSum | null} */
  let cheapest = null
  for (const model of candidates) {
    // Not even a reading that costs nothing would make this model win.
    if (cheapest && costOf(cheapest) <= -model.agreement * AGREEMENT_DISCOUNT) continue
    const ruler = sumRulerOf(model.architecture, model.sizes, namedClasses, model.isNamed)
    const outcome = outcomeOf(statements, names, ruler)
    const reading = outcome && { ...outcome, model, published: null }
    if (reading && (!cheapest || costOf(reading) < costOf(cheapest))) cheapest = reading
  }
  return cheapest
}

const MAX_OMISSIONS = 2 // parts that a sum leaves out if it is clear what it counts

/** Whether it is clear what a sum counts: each summand counts a part, at most a part or two are left out, and none is
 * left out of some layers only or counted too often.
 * @param {UnderstoodSum} reading */
const isClear = ({ readings, gaps }) =>
  readings.every(({ kind }) => kind !== "unknown" && kind !== "absent") &&
  gaps.length <= MAX_OMISSIONS &&
  gaps.every(({ missingLayers, layers }) => missingLayers === layers)

const [{ architecture: BERT }] = table.models
const USUAL_MODELS = table.models.slice(0, 2)
const MAX_EXTRA_COST = 0.5 // the largest extra cost of a reading that is preferred because its model is a usual one

/** The reading of a sum with which every summand is exactly a part of BERT base or BERT large, if it costs hardly more
 * than one that leaves out something of a model that the text does not name; null if there is none. The factors of
 * 24 × 1,536, for example, are the sizes of a DeBERTa by chance.
 * @param {Statement[]} statements @param {Record<string, number>} names @param {UnderstoodSum} otherReading */
function usualReading(statements, names, otherReading) {
  for (const usualModel of USUAL_MODELS) {
    const outcome = outcomeOf(statements, names, sumRulerOf(usualModel.architecture, usualModel.sizes))
    const isExact = outcome?.readings.every(({ kind }) => kind === "exact")
    if (outcome && isExact && outcome.cost < otherReading.cost + MAX_EXTRA_COST)
      return { ...outcome, model: { ...usualModel, agreement: 0, reference: "", statedSizes: {} }, published: null }
  }
  return null
}

/** The name of the size that had to be assumed, because the text does not state it although a part that the sum leaves
 * out or counts too often depends on it; "" if there is none, or if the text states the right total. The number of
 * positions of a published model does not count as assumed.
 * @param {UnderstoodSum} outcome */
function assumedSizeOf({ gaps, model, entries, target }) {
  if (target.modelClass && entries.some(({ stated }) => stated?.value === target.total)) return ""
  const letters = model.name ? ["V"] : ["V", "P"]
  /** Whether a part that the sum leaves out or counts too often depends on this letter. */
  const isInGap = (/** @type {string} */ letter) =>
    gaps.some(({ piece }) => [...piece.rows].some(({ dimensions }) => dimensions.includes(letter)))
  const letter = letters.find((candidate) => !(candidate in model.statedSizes) && isInGap(candidate))
  return letter ? TABLE_NOUNS[letter] : ""
}

/** Words that show that a text is about a model, in several languages. */
const MODEL_WORDS =
  /bert|param|参数|參數|layer|层|層|embed|transformer|attention|模型|model|weight|schicht|couche|capa/i

/** The finding of a point as an account shows it. The sign of its amount is reversed, because the amount of a point is
 * the error in the writer's total, and that of an account is the correction.
 * @param {import("./points.js").Point} point @returns {Finding} */
const correction = ({ finding }) => ({ ...finding, amount: finding.amount && -finding.amount })

/** The words for the models whose totals a text states, by total; if the text names models, only for these. In a sum
 * that guesses DistilBERT's total from BERT's parts, for example, the right total is one that the writer has found
 * elsewhere.
 * @param {AccountLine[]} allLines @param {string} text @returns {Map<number, Words>} */
function modelsByStatedTotal(allLines, text) {
  const names = modelsIn(text).flatMap((mention) => mention.models)
  const statedNumbers = new Set(allLines.map((line) => line.stated))
  if (!names.length) return modelsWithTotal([...statedNumbers], text)
  const totals = names.map((name) => ({ name, ...classAndTotal(name) })).filter(({ total }) => statedNumbers.has(total))
  // Of models of the same size, the first is the likeliest.
  return new Map(
    totals.reverse().map(({ name, modelClass, total }) => [total, words`${titleOf(name)}, ${asClass(modelClass)}`]),
  )
}

/** The words for the models that have one of some numbers as their total, by total. A class that the text names is
 * preferred.
 * @param {(number | null)[]} numbers @param {string} text @returns {Map<number, Words>} */
function modelsWithTotal(numbers, text) {
  const contextNames = { classes: classesIn(text).map(({ name }) => name), endings: [], parts: [], partsInText: [] }
  const largeNumbers = numbers.filter((number) => number !== null).filter((number) => number >= MIN_TOTAL)
  return new Map(
    largeNumbers.flatMap((number) => {
      const [way] = waysTo(number)
      const isTotal = way && way.kind === "total" && way.confidence !== "possible" && !way.mistakes.length
      return isTotal ? [[number, meaning(way, "", contextNames)]] : []
    }),
  )
}

/** Whether a sum of millions has a slip other than rounding but no words, so that only its number can show a model.
 * @param {UnderstoodSum} outcome */
const isSlipAlone = ({ slips, total, entries }) =>
  slips.some(({ isRounding }) => !isRounding) &&
  total >= MIN_TOTAL &&
  entries.every(({ statement }) => !statement.words && !statement.after)

/** An account that only checks the arithmetic of a sum, because we do not recognise the summands; null if there is
 * nothing to check, or if the text does not seem to count parameters.
 * @param {UnderstoodSum} outcome @param {import("./points.js").Point[]} allPoints @param {string} text
 * @returns {Account | null} */
function accountOfArithmetic(outcome, allPoints, text) {
  const slips = allPoints.slice(0, outcome.slips.length).map(correction)
  if (outcome.summands.length < 2 && !slips.length) return null
  const isAboutModel = MODEL_WORDS.test(text) && outcome.entries.some(({ statement }) => isOfParameters(statement))
  if (!isAboutModel && !isSlipAlone(outcome)) return null
  const verdict = slips.length ? "the arithmetic has a slip" : "its arithmetic is right"
  const sumLines = linesOf(outcome)
  const modelsByTotal = modelsByStatedTotal(sumLines, text)
  const sentencesOnTotals = [...modelsByTotal].map(([total, model]) => words` ${total} is ${model}.`)
  return {
    kind: "sum",
    headline: words`We cannot tell which model this sum counts, so we only check how it is worked out: ${verdict}.${sentencesOnTotals.flat()}`,
    findings: slips,
    lines: sumLines.map((line) => {
      const model = modelsByTotal.get(line.stated ?? NaN)
      if (model) return { ...line, part: model, right: line.stated, verdict: "right" }
      const isSubtotal = line.verdict === "subtotal"
      return { ...line, part: [], right: isSubtotal ? line.right : null, verdict: isSubtotal ? "subtotal" : "unknown" }
    }),
    bridge: null,
    model: null,
    confidence: "possible",
  }
}

/** The account of a formula without words that has the sizes of a model; null if it has only one term, and that term is
 * not the size of a part.
 * @param {UnderstoodSum} outcome @param {string} text @returns {Account | null} */
function accountOfFormula(outcome, text) {
  const { readings, total, target, gaps } = outcome
  const account = accountOf(outcome, pointsOf(outcome))
  if (target.piece && !gaps.length && total === target.total && readings.every(({ kind }) => kind === "exact"))
    return {
      ...account,
      headline: words`Your sum is ${targetInWords(outcome).nounPhrase}: ${total}.`,
      confidence: "likely",
    }
  const isKnown = readings.every(({ kind }) => kind !== "unknown")
  if (isKnown || target.modelClass)
    return isExplained(outcome, text) || account.confidence === "possible" ? account : withReservation(account)
  return readings.length > 1 ? accountOfTerms(outcome, account) : null
}

/** The account of a formula with so few terms of known size that we cannot identify what it counts as a whole.
 * @param {UnderstoodSum} outcome @param {Account} account @returns {Account} */
function accountOfTerms(outcome, account) {
  const { readings, model, total, ruler } = outcome
  const [{ name: modelClass }] = ruler.classes
  const rightTotal = count({ modelClass, sizes: model.sizes })
  const parts = readings.filter(({ piece }) => piece).map((reading) => partInWords(reading, outcome))
  const aboutTerms = parts.length
    ? words`of its terms we recognise only ${enumeration(parts)}`
    : "we recognise none of its terms"
  const difference = words`${Math.abs(rightTotal - total)} ${rightTotal > total ? "more" : "fewer"}`
  return {
    ...account,
    headline: words`Your sum is ${total}. It has sizes of ${nameOf(model)}, but ${aboutTerms}. ${modelClass} of that model has ${rightTotal} parameters, ${difference}.`,
    findings: [],
    bridge: null,
    model: { name: model.name, modelClass, total: rightTotal },
    confidence: "possible",
  }
}

/** A number of layers as a term, in place of the number of parameters that they have, which the text does not say. */
const LAYERS_AS_TERM = /\+ ?[0-9]{1,2} (?:encoder |transformer )?(?:layers|blocks) *(?:[+=]|$)/im

/** The account of a sum done by hand; null if there is none, as for a formula that the page explains as a number. If
 * the text compares the sum with a total, the total's model is taken to be meant, provided that the sum then counts it.
 * @param {string} typedText @returns {Account | null} */
export function accountOfSum(typedText) {
  if (typedText.length > MAX_LENGTH || isToolOutput(typedText)) return null
  const text = withProducts(withoutDots(typedText))
  const comparison = comparedTotalIn(text)
  const account = comparison && accountOfSumAlone(comparison.text)
  const sumAccount = comparison && account?.model?.total === comparison.total ? account : accountOfSumAlone(text)
  if (sumAccount && sumAccount.confidence !== "possible") return withNamedSubject(sumAccount, text)
  return accountOfRoundedParts(text) ?? (sumAccount && withNamedSubject(sumAccount, text))
}

/** An account with the total of the model that the text equates with its sum, as in "DistilBERT = ...", if the sum is
 * certainly that of another model; otherwise unchanged.
 * @param {Account} account @param {string} text @returns {Account} */
function withNamedSubject(account, text) {
  const [mention] = modelsIn(text)
  const [name] = mention?.models ?? []
  const isSubject = name && !text.slice(0, mention.start).trim() && /^\s*[=:]/.test(text.slice(mention.end))
  if (!isSubject || account.confidence !== "certain" || !account.model || mention.models.includes(account.model.name))
    return account
  const { modelClass, total } = classAndTotal(name)
  if (!account.model.total || total === account.model.total) return account
  return {
    ...account,
    headline: words`${account.headline} But ${subjectOf(name)} has ${total} ${asClass(modelClass)}${comparisonOf(total, account.model.total)}.`,
    confidence: "likely",
  }
}

/** The account of a sum, without looking for a total that the writer compares it with; null if there is none.
 * @param {string} text @returns {Account | null} */
function accountOfSumAlone(text) {
  if (LAYERS_AS_TERM.test(text)) return null
  const statements = statementsIn(withHiddenNames(text))
  if (!statements.length || statements.length > MAX_STATEMENTS) return null
  const hasSum = isSum(statements, text)
  if (!hasSum && !isFormula(statements)) return null
  const understoodSum = bestReading(statements, text)
  if (!understoodSum) return null
  const outcome = { ...understoodSum, published: publishedModelFor(understoodSum, text) }
  if (!hasSum || isExplainedAsNumber(statements, outcome)) {
    const isFormulaOfModel =
      isFormula(statements) && isOfModel(understoodSum.model) && !isNumberKnown(text, understoodSum)
    return isFormulaOfModel ? accountOfFormula(outcome, text) : null
  }
  const exactReadings = outcome.readings.filter(({ kind }) => kind === "exact")
  if (!statements.some(({ expressions }) => expressions.length) && exactReadings.length < MIN_EXACT_SUMMANDS)
    return null
  const corrections = pointsOf(outcome)
  const isModelKnown = isExplained(outcome, text)
  const namedModel = outcome.published || !outcome.target.modelClass ? null : otherModelNamed(outcome.model, text)
  if (isModelKnown && (isUnconnected(outcome) || isMostlyUnknown(outcome) || hasUnknownDeduction(outcome))) return null
  if (!isModelKnown) return accountOfArithmetic(outcome, corrections.points, text)
  const account = accountOf(outcome, corrections)
  return namedModel ? withNamedModel(account, namedModel) : account
}

/** An account that begins with a reservation and has the lowest confidence.
 * @param {Account} account @returns {Account} */
const withReservation = (account) => ({
  ...account,
  headline: ["We are not sure of this. ", ...account.headline],
  confidence: "possible",
})

/** An account that ends with the total of the model that the text names, because the sum is that of another one.
 * @param {Account} account @param {Model} model @returns {Account} */
function withNamedModel(account, { name, architecture, sizes }) {
  const modelClass = classOfBare(architecture)
  const total = count({ modelClass, sizes })
  return {
    ...account,
    headline: words`${account.headline} ${titleOf(name)}, which the text names, has ${total}, ${asClass(modelClass)}.`,
    confidence: account.confidence === "certain" ? "likely" : account.confidence,
  }
}

/** The account of a sum whose summands have been matched with parts of a model.
 * @param {UnderstoodSum} outcome @param {ReturnType<typeof pointsOf>} corrections @returns {Account} */
function accountOf(outcome, { points: allPoints, steps, closes, end }) {
  const findings = allPoints.map(correction).sort((one, other) => other.weight - one.weight)
  findings.push(...findingsOnOtherTotals(outcome))
  const isRight = !findings.some(({ weight }) => weight >= 1) // rounding weighs less than 1
  const isRounded = outcome.summands.some(({ tolerance }) => tolerance > 0)
  const assumedSize = assumedSizeOf(outcome)
  if (assumedSize)
    findings.push(finding(0.7, words`Your text does not say the size of the ${assumedSize}, so we took a usual one.`))
  const { model, published, target, total, alikeClasses = [], exactReading } = outcome
  if (exactReading)
    findings.push(finding(0.65, words`Your sum has exactly the tensors of ${targetInWords(exactReading).nounPhrase}.`))
  if (alikeClasses.length)
    findings.push(
      finding(0.5, words`${enumeration(alikeClasses.map(code), "or")} of these sizes has the same tensors.`),
    )
  // The writer may mean another vocabulary, or may have mistyped that of the published model.
  const usualModel = published ? null : modelWithOtherTables(outcome)
  for (const { noteIfMeant } of usualModel?.otherSizes ?? []) findings.push(finding(0.6, noteIfMeant))
  const isReliable = closes && isSure(outcome, assumedSize)
  const endLabel = target.modelClass
    ? `${target.modelClass} of ${published?.title ?? nameOf(model)}`
    : "the right total"
  /** @type {Account} */
  const account = {
    kind: "sum",
    headline: headlineOf(outcome, allPoints),
    findings,
    lines: linesOf(outcome),
    bridge: closes && steps.length ? { start: total, startLabel: "your total", steps, end, endLabel } : null,
    model: { name: model.name, modelClass: target.modelClass, total: target.total },
    confidence: model.name && isRight && !isRounded && !alikeClasses.length ? "certain" : "likely",
  }
  return isReliable ? account : withReservation(account)
}
