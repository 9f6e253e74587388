// Explains how two counts of one part differ: "I get 2,359,296 for attention, but torch says 2,362,368". One of
// them is a part of a model, the right count. The other one is explained by what it leaves out of that part, or counts
// besides it. Two whole models, and a whole model beside a mistaken count, are explained elsewhere (two-models.js,
// labels/own-totals.js).

import { models } from "../counting/engine.js"
import { numberOfDigits } from "../explaining/read.js"
import { asClass, titleOf } from "./labels/meanings.js"
import { modelsIn } from "./labels/mentions.js"
import { USUAL_MODELS } from "./labels/named-parts.js"
import { accountOfSum } from "./sums/account.js"
import { CONTRAST, SOURCE } from "./sums/compared-totals.js"
import { rowsMeant } from "./sums/match.js"
import { gapsOf } from "./sums/outcome.js"
import { isWithin, sumRulerOf, wordsOf } from "./sums/pieces.js"
import { accountWith, enumeration, link, words } from "./words.js"

/** @typedef {import("./sums/pieces.js").Piece} Piece */
/** @typedef {import("./sums/pieces.js").SumRuler} SumRuler */
/** @typedef {import("./sums/outcome.js").Gap} Gap */
/** @typedef {import("./sums/outcome.js").Target} Target */

const MAX_LENGTH = 400 // characters of a remark
const MIN_COUNT = 500 // a smaller number may be a size of the model
const MAX_ALTERNATIVES = 4 // more explanations of one difference explain nothing
const MAX_GAPS = 3 // parts that explain a difference; with more of them, any number could be explained

/** A whole number, perhaps with separators between its thousands. */
const NUMBER =
  /(?<![0-9.,])(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,3}(?:([._' ])[0-9]{3})(?:\1[0-9]{3})+|[0-9]{3,})(?![.,]?[0-9])/g
/** Signs and words of an operation, after which or before which a number is a factor or a term. */
const OPERATION_BEFORE = /(?:[*×x+^/÷]|\btimes)\s*\(?\s*$/i
const OPERATION_AFTER = /^\s*\)?\s*(?:[*×x+^/÷](?![a-z])|times\b)/i
/** Words that say where a count comes from or that it is right, and words that set one count against another. */
const FROM_SOURCE = new RegExp(
  `\\b(?:${SOURCE}|instead of|and not|rather than|sagt|zeigt|laut|statt|dit|affiche|dice|muestra)\\b|显示|应该是|而不是`,
  "i",
)
const SET_AGAINST = new RegExp(
  `\\b(?:${CONTRAST}|rather than|differ\\w*|with (?:the )?bias(?:es)?|mit bias|aber|mais|pero)\\b|但|差`,
  "i",
)
/** Words after a count that say where it comes from. */
const ACCORDING =
  /^\W{0,2}(?:\w+\s){0,3}(?:according to|in|per|from|laut)\s(?:the\s)?(?:torch|keras|tensorflow|HF|hugging|transformers|print|paper|site|summary)/i
/** Words between two counts of which the first one is right, unless it is the writer's own: "the encoder has
 * 85,054,464, not 7,087,872", or "why is the FFN 4,722,432 rather than 4,718,592?". */
const NOT = /^,?\s(?:and\s)?not\s(?:\w+\s){0,2}$/i
const RATHER_THAN = /^\W*(?:rather than|instead of|and not|而不是)\W*$/i
const WHY = /\bwhy\s(?:is|are|does|do|has|have)\b|为什么是?/i
const OF_WRITER = /\b(?:I|my|mine|we|ours?)\b/i

/** A count in a text. @typedef {{ value: number, start: number, end: number }} TypedCount */

/** The numbers of a text that are not part of an operation and are large enough to be counts.
 * @param {string} text @returns {TypedCount[]} */
const countsIn = (text) =>
  [...text.matchAll(NUMBER)].flatMap(({ 0: digits, index: start }) => {
    const end = start + digits.length
    const isOperand = OPERATION_BEFORE.test(text.slice(0, start)) || OPERATION_AFTER.test(text.slice(end))
    const value = numberOfDigits(digits)
    return isOperand || value < MIN_COUNT ? [] : [{ value, start, end }]
  })

/** Words before and after the number of parameters that a count lacks. */
const MISSING_BEFORE = /\b(?:missing|(?:too low|short|off) by|lacks?)\s(?:the\s)?$/i
const MISSING_AFTER = /^\s(?:param\w*\s)?(?:(?:are|is)\s)?missing\b/i

/** Whether a number is what a count lacks. @param {string} text @param {TypedCount} count */
const isMissingNumber = (text, { start, end }) =>
  MISSING_BEFORE.test(text.slice(0, start)) || MISSING_AFTER.test(text.slice(end))

/** A writer's own count, and the right one, which is larger by the parameters that the own count lacks; null unless the
 * text has only two numbers, a count and what it lacks.
 * @param {string} text @param {TypedCount[]} counts */
function countsFromMissing(text, counts) {
  const [own, missing, ...others] = counts
  if (!missing || others.length || !isMissingNumber(text, missing)) return null
  return { own, right: { ...missing, value: own.value + missing.value }, isAfterSum: false }
}

/** The two counts of a text that sets one against the other, the writer's own first; null for any other text. Counts
 * before these two may be terms of the writer's sum. If nothing says which of two counts is right, the larger one is
 * taken to be, because most mistakes leave something out.
 * @param {string} text @returns {{ own: TypedCount, right: TypedCount, isAfterSum: boolean } | null} */
function ownAndRightIn(text) {
  const counts = countsIn(text)
  const [first, second] = counts.slice(-2)
  if (first && (!second || isMissingNumber(text, second))) return countsFromMissing(text, counts)
  if (!second || first.value === second.value) return null
  const isAfterSum = counts.length > 2
  const [before, between, after] = [
    text.slice(0, first.start),
    text.slice(first.end, second.start),
    text.slice(second.end),
  ]
  const isFirstRight = NOT.test(between) || (RATHER_THAN.test(between) && WHY.test(before))
  if (isFirstRight && !OF_WRITER.test(before)) return { own: second, right: first, isAfterSum }
  if (FROM_SOURCE.test(between) || ACCORDING.test(after)) return { own: first, right: second, isAfterSum }
  if (isAfterSum) return null
  if (FROM_SOURCE.test(before)) return { own: second, right: first, isAfterSum }
  if (!SET_AGAINST.test(text)) return null
  const [own, right] = first.value < second.value ? [first, second] : [second, first]
  return { own, right, isAfterSum }
}

/** The number of layers in which a piece has this many parameters: 1, or that of all layers; 0 if it has another number
 * of parameters.
 * @param {Piece} piece @param {number} number @param {SumRuler} ruler */
function layersWith({ perLayer, total, isInLayers }, number, { layers }) {
  if (isInLayers && perLayer === number) return 1
  return total === number ? layers : 0
}

/** The number of times that each of these rows counts.
 * @param {Iterable<Row>} rows @param {number} layers @param {SumRuler} ruler */
const coveredIn = (rows, layers, ruler) =>
  new Map([...rows].map((row) => [row, row.repeated ? Math.min(layers, ruler.times(row)) : 1]))

/** The gaps that lead from the writer's own count to a part, for each way to explain the difference.
 * @param {number} own @param {Target} target  the part with the right count @param {SumRuler} ruler
 * @returns {Gap[][]} */
function gapsBetween(own, target, ruler) {
  const rightPiece = /** @type {Piece} */ (target.piece)
  const ownPieces = ruler.pieces.flatMap((piece) => {
    const layers = layersWith(piece, own, ruler)
    const isRelated = isWithin(piece.rows, rightPiece.rows) || isWithin(rightPiece.rows, piece.rows)
    return layers && isRelated ? [gapsOf({ covered: coveredIn(piece.rows, layers, ruler) }, target, ruler)] : []
  })
  if (ownPieces.length) return ownPieces
  const difference = target.total - own
  return ruler.pieces.flatMap((piece) => {
    if (!isWithin(piece.rows, rightPiece.rows) || layersWith(piece, Math.abs(difference), ruler) !== target.layers)
      return []
    // The writer has counted the rows of this piece twice, or not at all.
    const times = difference > 0 ? 0 : 2
    const covered = coveredIn(rightPiece.rows, target.layers, ruler)
    for (const row of piece.rows) covered.set(row, times * (covered.get(row) ?? 0))
    return [gapsOf({ covered }, target, ruler)]
  })
}

/** The right count as a part of a model, and the ways to explain the difference.
 * @typedef {{ name: string, ruler: SumRuler, target: Target, ways: Gap[][], isNamed: boolean }} CountComparison */

/** The comparisons of two counts within a model, only those with parts that the text names, if it names any.
 * @param {string} name  of the model @param {number} own @param {number} right @param {string} text
 * @returns {CountComparison[]} */
function comparisonsIn(name, own, right, text) {
  const { architecture, sizes } = models.get(name)
  const ruler = sumRulerOf(architecture, sizes)
  const namedRows = rowsMeant(text, ruler)
  return ruler.pieces.flatMap((piece) => {
    const layers = layersWith(piece, right, ruler)
    const isNamed = namedRows !== null && [...piece.rows].some((row) => namedRows.has(row))
    if (!layers || piece.words.startsWith("all tensors") || (namedRows && !isNamed)) return []
    const target = { modelClass: "", piece, rows: piece.rows, layers, total: right }
    const possibleWays = gapsBetween(own, target, ruler).filter((gaps) => gaps.length > 0 && gaps.length <= MAX_GAPS)
    // Of several ways, only single parts of the same size fit into one sentence.
    const singleGaps = possibleWays.filter((gaps) => gaps.length === 1 && gaps[0].amount === right - own)
    const ways = singleGaps.length ? singleGaps : possibleWays.slice(0, 1)
    return ways.length ? [{ name, ruler, target, ways, isNamed }] : []
  })
}

/** Whether a piece consists of all rows of the bare model. @param {Piece} piece @param {SumRuler} ruler */
const isWholeModel = ({ rows }, { classes: [bareModel] }) =>
  rows.size === bareModel.rows.size && isWithin(rows, bareModel.rows)

/** The words for a part that a count leaves out or counts besides. @param {Gap} gap @param {SumRuler} ruler */
const gapInWords = ({ piece, missingLayers }, ruler) => wordsOf(piece, Math.abs(missingLayers), ruler)

/** The words for several gaps, each with its amount unless there is only one.
 * @param {Gap[]} gaps @param {SumRuler} ruler */
const gapsInWords = (gaps, ruler) =>
  enumeration(
    gaps.map((gap) => {
      const part = link(gap.piece.page, gapInWords(gap, ruler))
      return gaps.length > 1 ? words`${part} (${Math.abs(gap.amount)})` : [part]
    }),
  )

/** The words before and after parts that a count has besides the right one: it counts them twice if they are in it.
 * @param {Gap[]} gaps @param {Target} target @returns {[verb: string, ending: string]} */
const surplusWords = (gaps, { rows }) =>
  gaps.every(({ piece }) => isWithin(piece.rows, rows)) ? ["counts", " twice"] : ["also counts", ""]

/** The sentence on the difference between two counts.
 * @param {number} own @param {number} difference  by how much the right count exceeds it
 * @param {CountComparison} comparison */
function sentenceOnDifference(own, difference, { ways, ruler, target }) {
  const opening = words`${own} is ${Math.abs(difference)} ${difference > 0 ? "fewer" : "more"}`
  const [gaps, ...otherWays] = ways
  if (otherWays.length) {
    const [verb, ending] = difference > 0 ? ["leaves out", ""] : surplusWords(gaps, target)
    const parts = enumeration(
      ways.map((way) => gapsInWords(way, ruler)),
      "or",
    )
    return words`${opening}: it ${verb} ${parts}${ending}; these are equally large.`
  }
  const surplusGaps = gaps.filter(({ amount }) => amount < 0)
  const missingGaps = gaps.filter(({ amount }) => amount > 0)
  const leavesOut = missingGaps.length ? words`leaves out ${gapsInWords(missingGaps, ruler)}` : []
  const [verb, ending] = surplusWords(surplusGaps, target)
  const countsBesides = surplusGaps.length ? words`${verb} ${gapsInWords(surplusGaps, ruler)}${ending}` : []
  return words`${opening}: it ${leavesOut}${missingGaps.length && surplusGaps.length ? " and " : ""}${countsBesides}.`
}

/** The comparison of two counts, one of which is that of a part; null if no part explains the difference, or if too
 * many do.
 * @param {string} text @param {number} own @param {number} right */
function comparisonWithin(text, own, right) {
  const namedModels = modelsIn(text).flatMap(({ models: [name] }) => name ?? [])
  for (const name of namedModels.length ? namedModels : USUAL_MODELS) {
    const [comparison] = comparisonsIn(name, own, right, text)
    if (comparison) return comparison.ways.length <= MAX_ALTERNATIVES ? comparison : null
  }
  return null
}

/** The counts of a text, and their comparison; null if no part explains the difference. A whole model is the right
 * count, whatever the text says.
 * @param {string} text */
function comparedCountsIn(text) {
  const counts = ownAndRightIn(text)
  if (!counts) return null
  const { own, right, isAfterSum } = counts
  const comparison = comparisonWithin(text, own.value, right.value)
  if (isAfterSum || (comparison && isOfWholeModel(comparison))) return comparison && { ...counts, comparison }
  const reverse = comparisonWithin(text, right.value, own.value)
  if (reverse && isOfWholeModel(reverse)) return { own: right, right: own, isAfterSum, comparison: reverse }
  return comparison && { ...counts, comparison }
}

/** Whether the right count is that of the bare model. @param {CountComparison} comparison */
const isOfWholeModel = ({ target, ruler }) => target.piece !== null && isWholeModel(target.piece, ruler)

/** The account of two counts of a part, one of which is right; null for any other text. A sum before them has its own
 * account, which the comparison then completes.
 * @param {string} text @returns {Account | null} */
export function accountOfTwoCounts(text) {
  if (text.length > MAX_LENGTH || !/\p{L}{2}/u.test(text)) return null
  const counts = comparedCountsIn(text)
  if (!counts) return null
  const { comparison } = counts
  const [own, right] = [counts.own.value, counts.right.value]
  const { name, ruler, target, ways, isNamed } = comparison
  const piece = /** @type {Piece} */ (target.piece)
  const modelClass = isWholeModel(piece, ruler) ? ruler.classes[0].name : ""
  const partName = modelClass || wordsOf(piece, target.layers, ruler)
  const part = modelClass
    ? words`${titleOf(name)}, ${asClass(modelClass)}`
    : words`${link(piece.page, partName)} of ${titleOf(name)}`
  const sentences = words`${right} is ${part}. ${sentenceOnDifference(own, right - own, comparison)}`
  const bridge = {
    start: own,
    startLabel: "your count",
    steps: ways[0].map((gap) => ({ label: words`${gapInWords(gap, ruler)}`, value: gap.amount, formula: "" })),
    end: right,
    endLabel: `${partName} of ${models.get(name).title}`,
  }
  /** A count as it was typed. @param {TypedCount} count */
  const asTyped = ({ start, end }) => text.slice(start, end)
  /** @type {AccountLine} */
  const rightLine = { source: asTyped(counts.right), part, stated: right, right, verdict: "right", times: 1 }
  if (counts.isAfterSum) {
    const sum = accountOfSum(text.slice(0, counts.own.end))
    // The count before the right one must be the result of the sum, and not one of its terms.
    if (!sum || sum.confidence === "possible" || (sum.bridge?.start ?? sum.model?.total) !== own) return null
    return { ...sum, headline: words`${sum.headline} ${sentences}`, lines: [...sum.lines, rightLine], bridge }
  }
  return accountWith({
    kind: "labels",
    headline: sentences,
    lines: [
      { source: asTyped(counts.own), part: ["your count"], stated: own, right, verdict: "wrong", times: 1 },
      rightLine,
    ],
    bridge,
    model: { name, modelClass, total: right },
    confidence: isNamed && ways.length === 1 ? "certain" : "likely",
  })
}
