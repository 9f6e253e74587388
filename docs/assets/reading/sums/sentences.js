// Describes a sum done by hand: in a headline, and line by line with the part that each line
// counts. A line of the account is an entry of the sum or, if there is only one entry, a term.

import { noun, sumBy, whole } from "../../counting/engine.js"
import { asSubject, enumeration, isPlural, link, words } from "../words.js"
import { isSubtotal } from "./entries.js"
import { countOf } from "./outcome.js"
import { sharesLayers, wordsOf } from "./pieces.js"
import { gapInWords, partInWords, rightTotalOf, textOf } from "./points.js"
import { nameOf } from "./published-models.js"

/** @typedef {import("./outcome.js").Outcome} Outcome */
/** @typedef {import("./summands.js").SummandOfEntry} SummandOfEntry */
/** @typedef {import("./points.js").Point} Point */
/** @typedef {import("./match.js").SummandReading} SummandReading */
/** @typedef {import("./points.js").UnderstoodSum} UnderstoodSum */

/** Whether a part of layers that share their weights is counted too often only because a later line multiplies its
 * line.
 * @param {number} times @param {number} count  the number of layers in which it is counted
 * @param {import("./pieces.js").SumRuler} ruler */
const isMultipliedLater = (times, count, ruler) => times > 1 && count === times && sharesLayers(ruler)

/** The verdict on a summand.
 * @param {SummandOfEntry} summand @param {SummandReading} reading @param {Outcome} outcome @returns {LineVerdict} */
function verdictOn({ times, tolerance }, { kind, count, rows }, { ruler, target }) {
  if (kind === "unknown") return "unknown"
  if (kind === "tied" || kind === "repeated") return "counted twice"
  if (["wrong", "absent", "wide"].includes(kind)) return "wrong"
  const isInLayers = [...rows].some(({ repeated }) => repeated)
  const isTooOften = count > ruler.layers && !isMultipliedLater(times, count, ruler)
  if (isInLayers && isTooOften) return count > 2 * ruler.layers ? "wrong" : "counted twice"
  if (isInLayers && count < target.layers) return "wrong"
  if (kind === "some") return "wrong"
  return tolerance ? "rounded" : "right"
}

/** The number that a summand should have in its line; null if that is not known.
 * @param {SummandOfEntry} summand @param {SummandReading} reading @param {Outcome} outcome */
function rightNumberOf({ times }, { rows, kind, count, right, piece }, { ruler, target }) {
  if (kind === "unknown") return null
  if (kind === "tied" || kind === "repeated" || kind === "absent") return right / times
  const numberInTarget = countOf(rows, target.layers, ruler)
  if (["wrong", "wide", "some"].includes(kind)) return (piece && count < target.layers ? piece.total : right) / times
  return isMultipliedLater(times, count, ruler) ? numberInTarget : numberInTarget / times
}

/** Whether the line of a summand gives the number of each of several things in one layer.
 * @param {SummandOfEntry} summand @param {Outcome} outcome */
const isOfEach = ({ times, entry }, { ruler }) => entry.things > 1 && times === ruler.layers * entry.things

/** A reading as it applies to its own line. If a later line multiplies that line by the number of layers, the line
 * itself counts one layer.
 * @param {SummandOfEntry} summand @param {SummandReading} reading @param {Outcome} outcome @returns {SummandReading} */
function readingInLine(summand, reading, outcome) {
  const { times, isOneLayer } = summand
  const { ruler } = outcome
  const { count, piece } = reading
  if (isMultipliedLater(times, count, ruler)) return { ...reading, count: ruler.layers }
  const isOfLayer = times === ruler.layers || isOfEach(summand, outcome)
  const isOfOne = isOfLayer && piece?.isInLayers && count === ruler.layers && (isOneLayer || times > 1)
  return isOfOne ? { ...reading, count: 1 } : reading
}

/** The verdicts on summands, the worst first. @type {LineVerdict[]} */
const VERDICTS_WORST_FIRST = ["unknown", "wrong", "counted twice", "rounded", "right"]

/** The worst of some verdicts. @param {LineVerdict[]} verdicts */
const worstOf = (verdicts) =>
  VERDICTS_WORST_FIRST[Math.min(...verdicts.map((verdict) => VERDICTS_WORST_FIRST.indexOf(verdict)))]

/** The summands of an entry, each with its reading.
 * @param {import("./entries.js").Entry} entry @param {UnderstoodSum} outcome */
const pairsOf = (entry, { summands, readings }) =>
  summands
    .map((summand, index) => ({ summand, reading: readings[index] }))
    .filter(({ summand }) => summand.entry === entry)

/** The line of a term that the text adds up with others.
 * @param {ReturnType<typeof pairsOf>[number]} pair @param {UnderstoodSum} outcome @returns {AccountLine} */
const lineOfTerm = ({ summand, reading }, outcome) => ({
  source: summand.source,
  part: partInWords(readingInLine(summand, reading, outcome), outcome),
  stated: summand.value / summand.times,
  right: rightNumberOf(summand, reading, outcome),
  verdict: verdictOn(summand, reading, outcome),
  times: 1,
})

/** The line of a number that adds up others. @param {import("./entries.js").Entry} entry @returns {AccountLine} */
function lineOfTotal(entry) {
  const { slip, isRounded, exact } = entry
  const stated = entry.stated?.value ?? exact
  const isSlip = slip !== 0 && !isRounded
  const [right, verdict] = /** @type {[number, LineVerdict]} */ (isSlip ? [exact, "wrong"] : [stated, "subtotal"])
  return { source: textOf(entry), part: [], stated, right, verdict, times: 1 }
}

/** The line of a number, with all summands in it.
 * @param {import("./entries.js").Entry} entry @param {UnderstoodSum} outcome @returns {AccountLine} */
function lineOf(entry, outcome) {
  const { slip, isRounded, exact } = entry
  const pairs = pairsOf(entry, outcome)
  if (!pairs.length || isSubtotal(entry)) return lineOfTotal(entry)
  const parts = pairs
    .map(({ summand, reading }) => {
      const part = partInWords(readingInLine(summand, reading, outcome), outcome)
      return part.length && isOfEach(summand, outcome) ? ["each of ", ...part] : part
    })
    .filter(({ length }) => length)
  const verdicts = pairs.map(({ summand, reading }) => verdictOn(summand, reading, outcome))
  if (isRounded) verdicts.push("rounded")
  const isSlip = slip !== 0 && !isRounded
  const rightNumbers = pairs.map(({ summand, reading }) => rightNumberOf(summand, reading, outcome))
  return {
    source: textOf(entry),
    part: enumeration(parts),
    stated: entry.stated?.value ?? exact,
    right: rightNumbers.every((number) => number !== null) ? sumBy(rightNumbers, (number) => number) : null,
    verdict: isSlip ? "wrong" : worstOf(verdicts),
    times: 1,
  }
}

/** The lines of an entry: those of the terms that it adds to earlier entries, and its own. If the whole sum is one
 * entry without a stated result, there are only the terms.
 * @param {import("./entries.js").Entry} entry @param {UnderstoodSum} outcome @returns {AccountLine[]} */
function linesOfEntry(entry, outcome) {
  const pairs = pairsOf(entry, outcome)
  const isOnlyEntry = outcome.entries.length === 1 && pairs.length > 1
  if (!isOnlyEntry && !isSubtotal(entry)) return [lineOf(entry, outcome)]
  const termLines = pairs.map((pair) => lineOfTerm(pair, outcome))
  return isOnlyEntry && !outcome.root?.stated ? termLines : [...termLines, lineOfTotal(entry)]
}

/** The lines of a sum, in the order of the text. @param {UnderstoodSum} outcome @returns {AccountLine[]} */
export function linesOf(outcome) {
  const { entries, otherRoots } = outcome
  return entries.filter((entry) => !otherRoots.includes(entry)).flatMap((entry) => linesOfEntry(entry, outcome))
}

/** The number of labels, in brackets; "" if no row depends on it.
 * @param {Set<Row>} rows @param {import("./pieces.js").SumRuler} ruler */
const labelsOf = (rows, { sizes }) =>
  [...rows].some(({ dimensions }) => dimensions.includes("C")) ? ` (${whole(sizes.C)} ${noun(sizes.C, "label")})` : ""

/** The target of a sum as a noun phrase, and a function that returns a clause about the target with a number.
 * @param {UnderstoodSum} outcome @returns {{ nounPhrase: Words, clauseWith: (number: number) => Words }} */
export function targetInWords({ target, model, ruler, published }) {
  const name = published?.title ?? nameOf(model)
  if (target.modelClass) {
    const labels = labelsOf(target.rows, ruler)
    const subject = labels ? `${name}${labels}` : asSubject(name)
    return {
      nounPhrase: words`${target.modelClass} of ${name}${labels}`,
      clauseWith: (number) => words`${target.modelClass} of ${subject} has ${number} parameters`,
    }
  }
  const piece = /** @type {import("./pieces.js").Piece} */ (target.piece)
  const part = link(piece.page, wordsOf(piece, piece.isInLayers ? target.layers : ruler.layers, ruler))
  return {
    nounPhrase: words`${part} of ${name}`,
    clauseWith: (number) => words`the right number for ${part} of ${asSubject(name)} is ${number}`,
  }
}

/** The first sentences of the answer. @param {UnderstoodSum} outcome @param {Point[]} points @returns {Words} */
export function headlineOf(outcome, points) {
  const { total, gaps, root } = outcome
  const { nounPhrase, clauseWith } = targetInWords(outcome)
  const rightTotal = rightTotalOf(outcome)
  const seriousPoints = points.filter(({ finding }) => finding.weight >= 1) // rounding weighs less
  const sumWords = root?.stated || root?.children.length ? "Your total" : "Your sum"
  if (!seriousPoints.length)
    return total === rightTotal
      ? words`Your sum is right: ${clauseWith(rightTotal)}.`
      : words`Your sum is right, apart from rounding: ${clauseWith(rightTotal)}.`
  const isOnlyIncomplete =
    seriousPoints.length === gaps.length &&
    gaps.every(({ amount, missingLayers, layers }) => amount > 0 && missingLayers === layers)
  // A sum that leaves out a part or two is the right sum of the rest.
  if (isOnlyIncomplete && gaps.length < 3) {
    const omissions = enumeration(gaps.map((gap) => gapInWords(gap, outcome)))
    return words`Your sum is ${nounPhrase}, without ${omissions}: ${total}. With ${gaps.length > 1 || isPlural(omissions) ? "them" : "it"}, ${rightTotal}.`
  }
  if (total === rightTotal) {
    const mistakes =
      seriousPoints.length > 1
        ? `${seriousPoints.length} mistakes, which cancel`
        : "one mistake, which does not affect the total"
    return words`${sumWords} is that of ${nounPhrase}, ${total}, but the sum that leads to it has ${mistakes}.`
  }
  const excess = total - rightTotal
  const reasons = seriousPoints.length > 1 ? `, for ${seriousPoints.length} reasons` : ""
  return words`${sumWords} is ${total}; ${clauseWith(rightTotal)}. Yours is ${Math.abs(excess)} too ${excess < 0 ? "small" : "large"}${reasons}.`
}
