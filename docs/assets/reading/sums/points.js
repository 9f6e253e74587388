// Lists the mistakes in a sum done by hand: slips of arithmetic, wrong summands, and parts that
// are left out or counted too often. Each has a finding and, if it affects the total, a step that
// corrects it. The steps are shown as a bridge only if they lead exactly from the writer's total to the right one.
//
// The weight of a finding grows with its effect on the total. Rounding is not a mistake, so it
// weighs less than a single parameter.

import { deviations, noun, sumBy, whole } from "../../counting/engine.js"
import { slipOf } from "../../explaining/kinds/slips.js"
import { ON_SHARED_LAYERS } from "../labels/meanings.js"
import { code, isPlural, link, verbFor, words } from "../words.js"
import { isOfRounded, isSubtotal } from "./entries.js"
import { withShownNames } from "./hidden-names.js"
import { absentPartOf, isOfHeads } from "./match.js"
import { sharesLayers, wordsOf } from "./pieces.js"
import { nameOf } from "./published-models.js"

/** @typedef {import("./candidates.js").Candidate} Candidate */
/** @typedef {import("./entries.js").Entry} Entry */
/** @typedef {import("./outcome.js").Gap} Gap */
/** @typedef {import("./outcome.js").Outcome} Outcome */
/** @typedef {import("./summands.js").SummandOfEntry} SummandOfEntry */
/** @typedef {import("./match.js").SummandReading} SummandReading */
/** @typedef {import("./summands.js").Slip} Slip */

/** The outcome of reading a sum done by hand, with the model that it is about. `alikeClasses` are other classes of
 * which it may be the sum, because they have the same tensors, and `exactReading` reads a sum that leaves out
 * something as the whole of a model that is used less often.
 * @typedef {Outcome & {
 * model: Candidate, published: PublishedModel | null, alikeClasses?: string[], exactReading?: UnderstoodSum,
 * }} UnderstoodSum */

/** The published model that a text is about, even if the sum takes other sizes, and the right number for it.
 * @typedef {{ title: string, total: number, otherSizes: OtherSize[] }} PublishedModel */

/** A size of the published model that differs from that in the sum. `change` is the difference that this makes to the
 * total, above zero if the published model has more parameters. `noteIfMeant` says so to writers who may have another
 * size on purpose.
 * @typedef {{ change: number, label: Words, words: Words, noteIfMeant: Words }} OtherSize */

/** A finding with the writer's error as its amount, and the step that corrects it; null if the total does not change.
 * @typedef {{ finding: Finding, step: AccountStep | null }} Point */

const MAX_LENGTH = 60 // characters of a quotation from the text
const MIN_PART = 100_000 // parameters of a part that may explain a slip; a smaller part may fit by chance
const WEIGHT_OF_OTHER_TOTAL = 0.9 // the weight of a finding on a total next to the sum, which is not a mistake in the sum
/** The weights of a rounded result and of a rounded summand. */
const [ROUNDED_RESULT_WEIGHT, ROUNDED_SUMMAND_WEIGHT] = [0.5, 0.4]

/** The text of an entry, without the punctuation that ends the one before. @param {Entry} entry */
export const textOf = ({ statement }) =>
  withShownNames(statement.text)
    .replace(/^[\s,;:.]+/, "")
    .trim()

/** The right number for what a sum counts. @param {UnderstoodSum} outcome */
export const rightTotalOf = ({ published, target }) => published?.total ?? target.total

/** The writer's own words for an entry, cut if they are long. @param {Entry} entry */
const wordsOfEntry = (entry) => {
  const text = textOf(entry).replace(/\s+/g, " ")
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text
}

/** The writer's own words for a summand: those of its line, or its own term if the line has several.
 * @param {SummandOfEntry} summand @param {Outcome} outcome */
const quotedTerm = ({ entry, source }, { summands }) =>
  summands.filter((other) => other.entry === entry).length > 1 ? source : wordsOfEntry(entry)

/** The words for the part that a reading counts, as a link; empty if it counts no part.
 * @param {SummandReading} reading @param {Outcome} outcome @returns {Words} */
export const partInWords = ({ piece, count }, { ruler }) =>
  piece ? [link(piece.page, wordsOf(piece, Math.min(count, ruler.layers), ruler))] : []

/** A noun phrase for the model that a sum should count. @param {UnderstoodSum} outcome */
const titleIn = ({ published, model }) => published?.title ?? nameOf(model)

/** The end of a sentence on a slip of arithmetic, which names a part of this size; "" if there is none.
 * @param {number} amount @param {Outcome} outcome */
function reasonOf(amount, { ruler }) {
  const part = ruler.pieces.find(
    ({ isInLayers, total: number }) => !isInLayers && number > MIN_PART && number === Math.abs(amount),
  )
  return part
    ? words` (${Math.abs(amount)} too ${amount > 0 ? "many" : "few"}, as many as ${link(part.page, part.words)} ${verbFor([part.words])})`
    : ""
}

/** The point about a slip of arithmetic. @param {Slip} slip @param {Outcome} outcome @returns {Point} */
function pointOfSlip({ entry, amount, isRounding }, outcome) {
  const { absorbsSlips, exact, carried, slip, isCopy } = entry
  const rightValue = absorbsSlips ? exact : carried
  const statedValue = rightValue + slip
  const slipWords = slipOf(String(statedValue), String(rightValue))
  const errorOfResult = isSubtotal(entry) ? "added up wrongly" : "worked out wrongly"
  const error = isCopy ? "copied wrongly" : errorOfResult
  const reason = slipWords ? `, ${slipWords}` : reasonOf(amount, outcome)
  const subject = isOfRounded(entry) ? "its terms as given come to" : "the exact number is"
  const onEffect = amount ? "" : " Your total does not use it."
  const sentence = isRounding
    ? words`“${wordsOfEntry(entry)}” is rounded; ${subject} ${rightValue}.`
    : words`“${wordsOfEntry(entry)}” is ${error}: it is ${rightValue}, not ${statedValue}${reason}.${onEffect}`
  const step = {
    label: [isRounding ? `what was rounded: ${wordsOfEntry(entry)}` : `slip of arithmetic: ${wordsOfEntry(entry)}`],
    value: -amount,
    formula: `${whole(rightValue)} − ${whole(statedValue)}`,
  }
  return {
    finding: {
      weight: isRounding ? ROUNDED_RESULT_WEIGHT : Math.abs(amount) + 1,
      words: sentence,
      amount: amount || null,
    },
    step: amount ? step : null,
  }
}

/** The point about a summand that is wrong, absent, rounded, tied, repeated, too wide or unknown; null if it is right.
 * @param {SummandOfEntry} summand @param {SummandReading} reading @param {UnderstoodSum} outcome
 * @returns {Point | null} */
function pointOfSummand(summand, reading, outcome) {
  const { value, tolerance, label } = summand
  const source = quotedTerm(summand, outcome)
  const { kind, right } = reading
  if (kind === "tied") {
    const opening = words`In “${source}”, the decoder shares its matrix with the word embeddings`
    const aboutTying = reading.piece
      ? words`${opening}, so only ${partInWords(reading, outcome)} counts: ${right}.`
      : words`${opening}, so this matrix counts only once.`
    return point(value - right, aboutTying, value - right, ["the decoder, which is tied"])
  }
  if (kind === "unknown") {
    const aboutUnknown = words`We do not know what “${source}” counts (${value}).`
    return point(Math.abs(value), aboutUnknown, value, [`what we cannot place: ${label || source}`])
  }
  if (kind === "absent") {
    const part = absentPartOf(summand, outcome.ruler)
    const comma = titleIn(outcome).includes(",") ? "," : ""
    const aboutAbsent = words`“${source}”: ${titleIn(outcome)}${comma} has no ${part}, so this is ${value} too many.`
    return point(Math.abs(value), aboutAbsent, value, [`a part that the model lacks: ${label || `the ${part}`}`])
  }
  const part = partInWords(reading, outcome)
  if (kind === "repeated")
    return point(value, words`You counted ${part} twice: ${value} too many.`, value, [...part, ", counted twice"])
  const excess = value - right
  const excessInNumber = words`${Math.abs(excess)} too ${excess < 0 ? "few" : "many"}`
  const formula = `${whole(right)} − ${whole(value)}`
  if (kind === "wide") {
    const { E, H } = outcome.ruler.sizes
    const aboutWidth = words`“${source}” takes the hidden size, ${H}, but the embeddings of ${titleIn(outcome)} are ${E} wide, so it is ${excessInNumber}: ${part} should be ${right}.`
    return point(Math.abs(excess), aboutWidth, excess, [...part, `, ${E} wide`], formula)
  }
  if (kind === "wrong" && excess) {
    const opening = source === whole(value) ? words`“${source}” is` : words`“${source}” counts ${value},`
    const aboutExcess = words`${opening} ${excessInNumber}: ${part} should be ${right}.`
    return point(Math.abs(excess), aboutExcess, excess, [`${label || source}: `, ...part], formula)
  }
  const exactNumber = sumBy(reading.rows, (row) => outcome.ruler.size(row) * timesCounted(reading, row, outcome))
  if (!tolerance || exactNumber === value) return null
  const aboutRounding = words`“${source}” is rounded; ${part} ${isPlural(part) ? "are" : "is"} ${exactNumber}.`
  return point(ROUNDED_SUMMAND_WEIGHT, aboutRounding, value - exactNumber, [`what was rounded: ${label}`])
}

/** A finding with the step of the bridge that subtracts its amount.
 * @param {number} weight @param {Words} sentence @param {number} amount @param {Words} label  of the step
 * @param {string} formula */
const point = (weight, sentence, amount, label, formula = "") => ({
  finding: { weight, words: sentence, amount },
  step: { label, value: -amount, formula },
})

/** The number of times that a reading counts a row. A row that some layers lack is counted in fewer layers, unless the
 * reading counts more layers than the model has.
 * @param {SummandReading} reading @param {Row} row @param {Outcome} outcome */
function timesCounted({ count }, row, { ruler }) {
  if (!row.repeated) return 1
  return count > ruler.layers ? count : Math.min(count, ruler.times(row))
}

/** The words for a part that is left out or counted too often, and for the other part that may be meant, if any.
 * @param {Gap} gap @param {Outcome} outcome @returns {Words} */
export function gapInWords({ piece, alternative }, { target, ruler }) {
  const [wordsOfPart, wordsOfAlternative] = [piece, alternative].map((part) =>
    part ? [link(part.page, wordsOf(part, part.isInLayers ? target.layers : ruler.layers, ruler))] : [],
  )
  return alternative ? [...wordsOfPart, " or ", ...wordsOfAlternative] : wordsOfPart
}

/** The point about a part that is left out, counted in too few layers or counted too often.
 * @param {Gap} gap @param {Outcome} outcome @returns {Point} */
function pointOfGap(gap, outcome) {
  const { piece, missingLayers, layers, amount } = gap
  const isMissing = amount > 0
  const isWhole = !piece.isInLayers || (missingLayers === layers && isMissing)
  const wholePart = gapInWords(gap, outcome)
  const partLink = link(
    piece.page,
    piece.words
      .replace(/ in all layers$/, "")
      .replace(/^all encoder layers/, sharesLayers(outcome.ruler) ? "the encoder layer" : "encoder layers"),
  )
  const { target } = outcome
  const isOfOtherClass = target.modelClass !== "" && ![...piece.rows].some((row) => target.rows.has(row))
  const excess = isOfOtherClass ? words`, which ${code(target.modelClass)} does not have` : " too often"
  const aboutWhole = isMissing
    ? words`You left out ${wholePart}: ${amount}.`
    : words`You counted ${wholePart}${excess}: ${-amount} too many.`
  const aboutLayers = isMissing
    ? words`You counted ${partLink} in ${layers - missingLayers} of ${layers} layers: ${amount} are missing.`
    : words`You counted ${partLink} ${excessInWords(gap, outcome)}: ${-amount} too many.${reasonOfExcess(gap, outcome)}`
  const partWords = isMissing
    ? words`${partLink} in ${missingLayers} more ${noun(missingLayers, "layer")}`
    : words`${partLink}, ${isOfOtherClass ? "which the class does not have" : "counted too often"}`
  return {
    finding: { weight: Math.abs(amount), words: isWhole ? aboutWhole : aboutLayers, amount: -amount },
    step: { label: isWhole && isMissing ? wholePart : partWords, value: amount, formula: "" },
  }
}

/** How often a part that occurs once per layer was counted, in words. `missingLayers` is below zero here.
 * @param {Gap} gap @param {Outcome} outcome */
function excessInWords({ missingLayers, layers }, { ruler }) {
  const times = 1 - missingLayers / layers
  if (sharesLayers(ruler)) return `${times} times`
  return missingLayers % layers
    ? `in ${layers - missingLayers} layers instead of ${layers}`
    : `${times} times in every layer`
}

/** A sentence on why a part counts once, to follow another sentence: because all layers share it, or because
 * it was counted for each head and all heads share it; "" otherwise.
 * @param {Gap} gap @param {Outcome} outcome */
function reasonOfExcess({ piece, missingLayers, layers }, { ruler }) {
  if (sharesLayers(ruler)) return ` ${ON_SHARED_LAYERS}`
  if (1 - missingLayers / layers !== ruler.sizes.A || !isOfHeads(piece.rows)) return ""
  const isOutput = [...piece.rows].every(({ path }) => path.includes("/attention/output/"))
  return ` ${deviations.get(isOutput ? "output-projection-per-head" : "full-matrices-per-head").why}`
}

/** The points of a sum and their steps. `closes` is true if the steps lead exactly to the right total, `end`.
 * @param {UnderstoodSum} outcome */
export function pointsOf(outcome) {
  const { slips, summands, readings, gaps, published, total } = outcome
  const allPoints = [
    ...slips.map((slip) => pointOfSlip(slip, outcome)),
    ...summands.flatMap((summand, index) => pointOfSummand(summand, readings[index], outcome) ?? []),
    ...gaps.map((gap) => pointOfGap(gap, outcome)),
  ]
  const end = rightTotalOf(outcome)
  for (const { change, label, words: sentence } of published?.otherSizes ?? [])
    allPoints.push({
      finding: { weight: Math.abs(change), words: sentence, amount: -change },
      step: { label, value: change, formula: "" },
    })
  const steps = allPoints.flatMap(({ step }) => (step ? [step] : []))
  const closes = total + sumBy(steps, ({ value }) => value) === end
  return { points: allPoints, steps, closes, end }
}

/** The findings on numbers next to a sum that are its right total without a part, as in "but I get 107,719,680".
 * @param {UnderstoodSum} outcome @returns {Finding[]} */
export function findingsOnOtherTotals(outcome) {
  const { otherRoots, ruler, target } = outcome
  if (!target.modelClass) return []
  return otherRoots.flatMap(({ stated, formula, children }) => {
    const difference =
      stated && !stated.tolerance && !formula && !children.length ? rightTotalOf(outcome) - stated.value : 0
    const part = ruler.pieces.find(({ isInLayers, total }) => !isInLayers && total > MIN_PART && total === difference)
    if (!stated || !part) return []
    const sentence = words`${stated.value} is the right total without ${link(part.page, part.words)}: ${difference} fewer.`
    return [{ weight: WEIGHT_OF_OTHER_TOTAL, words: sentence, amount: null }]
  })
}
