// Reads the numbers in a text, each with the meaning of the words next to it.
//
// `number-forms.js` finds the numbers, and `explaining/read.js` reads a number with its unit ("110M",
// "1.1亿", "417.6 MiB"). Its label is the word right after it ("12 layers"), or else the words before it in
// the same clause ("trainable params: 1,538"). A number alone on its line takes its label from the line
// before it, as when code is followed by its result. The names of models are blanked out first, because
// they contain digits. The label, the unit and the size give the number its role (`roles.js`).
//
// Distance and signs such as ":" decide which word belongs to which number; no grammar is involved. The
// distances below were chosen with the sentences in tests/scripts/labels.toml.

import exported from "../../../data/reading.js"
import { read } from "../../explaining/read.js"
import { VOCABULARIES } from "../../explaining/typed-sizes.js"
import {
  bracketedScaleIn,
  canonicalForm,
  formOf,
  numbersIn,
  SCALE,
  unitOfScale,
  withoutOtherNumbers,
  withoutSpans,
} from "./number-forms.js"
import { phraseFinder, withRoles } from "./phrases.js"
import { MIN_ALONE, roleOf, SETTING_RANGES } from "./roles.js"

const { words, parts } = exported.labels

/** A phrase that shows what a number counts, with its role and its place.
 * @typedef {{ role: string, start: number, end: number, text: string }} Label */

const phrasesIn = phraseFinder(withRoles({ ...words, part: Object.keys(parts) }))

/** The labels of a text, in order. A single letter is a label only before a sign, as in "L=12".
 * @param {string} text @returns {Label[]} */
const labelsIn = (text) =>
  phrasesIn(text).filter(({ text: label, end }) => !/^[a-z]$/i.test(label) || /^\s*[=:]/.test(text.slice(end)))

/** The end of a clause, and a bracket that is a clause of its own because it contains digits. */
const BOUNDARY = /\n|\|+|;|,(?=\s|$|[^0-9\s])|\.(?=\s|$)|[。、→]|\b(?:but|while|whereas)\b/gi
const BRACKETS = /\([^()]*[0-9][^()]*\)/g

/** The places where clauses end, in order. @param {string} text */
const boundaries = (text) =>
  [
    ...[...text.matchAll(BOUNDARY)].map(({ index }) => index),
    ...[...text.matchAll(BRACKETS)].flatMap(({ index, 0: match }) => [index, index + match.length - 1]),
  ].sort((one, other) => one - other)

/** The rest of a progress bar after the size of the file, once the other size and the speed are blanked out. */
const IN_DOWNLOAD = /^\s*\[[0-9:?<\s]*,?\s*\]/

/** Words of Spanish, Portuguese and Italian. */
const ROMANCE = /parámetros|parametros|parâmetros|millones|capas|modelo|parametri/i

/** The maximum number of characters between a number and its label, or between two labels of one phrase: one or two
 * short words. */
const MAX_LABEL_DISTANCE = 14
const MAX_LABEL_DISTANCE_IN_HAN = 2 // the same in scripts where a character is a word
const ADJACENT = 2 // characters: a space and a quotation mark or bracket
/** A sign or a verb that binds a label to the number after it. */
const BINDING = /^["'\])\s]*(?:[:=]|is\b|are\b|为|是|约|は|:|≈|~)/i

/** The words between a vocabulary and its size, which belong together: 1,536 and a vocabulary of 50,000 words. */
const OF_VOCABULARY = /^\s(?:size\s)?(?:of|de|von)\s(?:about\s)?$/i

/** Words before and after a number of layers or heads that are removed or frozen. The model has more than this number.
 */
const CHANGE_BEFORE =
  /(?:\b(?:prun|remov|fr[eo]+z|dropp?|delet|cut|unfr[eo]+z|without|first|last|top|bottom|upper|lower)\w*\s+(?:the\s+)?)+$/i
const CHANGE_AFTER = /^\s*(?:\w+\s+){1,3}(?:pruned|removed|frozen|dropped|deleted|cut|unfrozen)\b/i

/** The words after a factor, which compares two sizes instead of stating one: 2x layers, 4 times the heads. */
const TIMES_AFTER = /^(?:[x×]\s|\s?[x×]\s(?:the|as|more|fewer)\b|\s?(?:times|-?fold|mal)\b|倍)/i
/** The signs of a product before and after a factor, perhaps at the end of brackets. */
const TIMES_SIGN_BEFORE = /[×*·]\s?\(?$|[0-9]\sx\s$/i
const TIMES_SIGN_AFTER = /^\)?\s?[×*·]\s?[0-9(]|^\)?\sx\s[0-9(]/i

/** Words after the number of rows or columns of a table, and the tables whose rows are sizes of the model. */
const ROWS_AFTER = /^\s(?:rows|vectors)\b/i
const COLUMNS_AFTER = /^\scolumns\b/i
const TABLES = /** @type {[RegExp, string][]} */ ([
  [/posi/i, "positions"],
  [/\bwords?\b|\bvocab|\btokens?\b(?![\s_-]?type)/i, "vocabulary"],
])

/** The sign before a tolerance, which counts nothing itself: 109M±1M. */
const TOLERANCE_BEFORE = /(?:±|\+\/[-−])\s?$/

/** The signs and words between the ends of a range. After "between", it is "and". */
const TO = /^(?:\s?(?:[-–—~]|to|bis|auf|à|до|至|(?:[减減降增改变變升提][少加低成高到]?)?[到至为為成])\s?|\.{2,3})$/i
const FROM = /\b(?:from|von|de|desde)\s$|[从從由]\s?$/i
const AND = /^\s(?:and|und|et|y|e|и)\s$/i
const BETWEEN = /(?:between|zwischen|entre|tra|между)\s$/i
/** A separator between the numbers of a list. */
const LIST_SEPARATOR = /^\s?(?:,|\/|,?\s?and)\s?$/i
const MIN_LOWER_END = 0.2 // a share of the upper end; a lower end below it has a unit of its own

/** The labels of a number: the phrase right after it, or else the nearest before it in its clause, or else up to two
 * labels farther on. A sign between a label and the number binds them together, unless another label follows at once,
 * as in "size: 12 layers".
 * @param {Label[]} labelsBefore  those before the number in its clause that no earlier number has taken, in order
 * @param {Label[]} labelsAfter  those after it in its clause, in order, with their places in `rest`
 * @param {string} gap  the text between the last label before the number and the number
 * @param {string} rest  the text between the number and the end of its clause @param {string} text  the whole text
 * @param {boolean} isFollowed  whether another number follows in the clause */
function labelsOf(labelsBefore, labelsAfter, gap, rest, text, isFollowed) {
  const [next] = labelsAfter
  /** The labels that come before the number, the nearest first. */
  const phraseBefore = () => phraseOf([...labelsBefore].reverse(), text)
  // In "Params 102M FLOPs 22G" each label comes before its number.
  const isLabelFirst =
    isFollowed && labelsBefore.length > 0 && labelsAfter.length === 1 && /^\s*$/.test(gap + rest.slice(next.end))
  if (isLabelFirst) return phraseBefore()
  const isOfNextNumber =
    isFollowed &&
    ((next?.role === "vocabulary" && OF_VOCABULARY.test(rest.slice(next.end))) ||
      // In "ffn 1024 total = 11,036,928", the total is the next number.
      (next?.role === "all" && /^\s*=/.test(rest.slice(next.end))))
  const isNext = next && !isOfNextNumber && next.start <= MAX_LABEL_DISTANCE && !/[:=]/.test(rest.slice(0, next.start))
  if (labelsBefore.at(-1)?.role === "vocabulary" && OF_VOCABULARY.test(gap)) return phraseBefore()
  const isBound = labelsBefore.length > 0 && BINDING.test(gap)
  const isEqual = /^["'\])\s]*=/.test(gap)
  const isAdjacent = isNext && next.start <= ADJACENT && next.role !== "all"
  if (isBound && (isEqual || !isAdjacent)) return phraseBefore()
  if (isNext) return phraseOf(labelsAfter, rest)
  return labelsBefore.length ? phraseBefore() : labelsAfter.slice(0, 2)
}

/** The roles of words that qualify another label next to them. */
const QUALIFIERS = new Set([
  "count",
  "all",
  "trainable",
  "frozen",
  "share",
  "size",
  "memory",
  "part",
  "operations",
  "other",
])

/** The labels that form one phrase next to a number, the nearest first.
 * @param {Label[]} outwards  the labels on one side of the number, the nearest first
 * @param {string} text  the text in which the labels have their places */
function phraseOf(outwards, text) {
  const end = outwards.findIndex((label, index) => {
    const next = outwards[index + 1]
    if (!next || !QUALIFIERS.has(next.role)) return true
    const [from, to] = label.start < next.start ? [label.end, next.start] : [next.end, label.start]
    const gap = text.slice(from, to)
    return gap.length > (/[^\x00-\x7f]/.test(gap) ? MAX_LABEL_DISTANCE_IN_HAN : MAX_LABEL_DISTANCE)
  })
  return outwards.slice(0, end + 1)
}

/** Whether a number is alone on its line, as the result of code is. Then it belongs to the line before it.
 * @param {string} text
 * @param {string} plain  the text with names, scales and numbers that are not to be explained blanked out
 * @param {number} start @param {number} end */
const isAloneOnLine = (text, plain, start, end) =>
  !/[\p{L}\p{N}]/u.test(text.slice(plain.lastIndexOf("\n", start) + 1, start)) &&
  !/[\p{L}\p{N}]/u.test(plain.slice(end).split("\n")[0])

/** The start of the line above the one with this position.
 * @param {string} text @param {number} position */
const startOfLineBefore = (text, position) => Math.max(text.lastIndexOf("\n", text.lastIndexOf("\n", position) - 1), 0)

const FEED_FORWARD = "the feed-forward network"
const MAX_TIMES_WIDER = 8 // the largest width as a multiple of the hidden size; a larger number counts parameters

/** Whether a number next to words for the feed-forward network is its width: hidden 1024, ffn 4096.
 * @param {Quantity} quantity @param {number} hiddenSize  that the text states; 0 if it states none */
function isInnerWidth({ role, roles, number, label }, hiddenSize) {
  const isOfNetwork = role === "count" && roles.join() === "part" && parts[label.toLowerCase()] === FEED_FORWARD
  return isOfNetwork && number.exact && number.low <= MAX_TIMES_WIDER * hiddenSize
}

const MIN_YEAR = 1950
const MAX_YEAR = 2040

/** The text with our letters for heads and layers in place of the h and N of the paper on the Transformer. Only a text
 * with its d_model uses these; elsewhere, h is the hidden size. Beside V or L, a d is the hidden size and a large n the
 * number of positions.
 * @param {string} text */
const withOurLetters = (text) => {
  if (/\bd_?model\b/.test(text))
    return text
      .replace(/\bh(?=\s?[=:])/g, "A")
      .replace(/\bN(?:x|_layers)?(?=\s?[=:])/g, (name) => "L".padEnd(name.length))
  return /(?<!\w)[VL]\s?=\s?[0-9]/.test(text)
    ? text.replace(/(?<!\w)d(?=\s?=\s?[0-9])/g, "H").replace(/(?<!\w)n(?=\s?=\s?[0-9]{3})/g, "P")
    : text
}

/** Finds the quantities of a text, one after the other. */
class QuantityFinder {
  /** The end of the last label that a number has taken. Later numbers take only labels after it. */
  labelsEnd = 0
  /** The unit that a scale gives to the last number without one of its own, and to the numbers listed after it; "" if
   * none does. */
  unitFromScale = ""

  /** @param {string} text @param {{ start: number, end: number }[]} names the spans of names */
  constructor(text, names) {
    /** The text without names. */
    this.withoutNames = withOurLetters(withoutSpans(text, names))
    /** The text without names, scales, and numbers that are not to be explained. */
    this.plain = withoutOtherNumbers(this.withoutNames)
    this.labels = labelsIn(this.withoutNames)
    this.clauseEnds = boundaries(this.plain)
    this.isRomance = ROMANCE.test(text)
    this.matches = numbersIn(this.plain)
    this.spans = this.matches.map((match) => [match.index, match.index + match[0].trimEnd().length])
  }

  /** All quantities, in order. */
  quantities() {
    const allQuantities = this.matches.flatMap((match, index) => this.quantityOf(match, index))
    const width = allQuantities.find(({ role, number }) => role === "hidden" && number.exact)?.number.low ?? 0
    return this.withRolesOfChanges(allQuantities).map((quantity) =>
      isInnerWidth(quantity, width) ? { ...quantity, role: "inner" } : quantity,
    )
  }

  /** The quantities, where both ends of a change of a size have its role: "hidden size from 768 to 1024".
   * @param {Quantity[]} quantities */
  withRolesOfChanges(quantities) {
    /** Whether two quantities are the ends of a change.
     * @param {Quantity | undefined} from @param {Quantity | undefined} to */
    const isChange = (from, to) =>
      from !== undefined &&
      to !== undefined &&
      FROM.test(this.withoutNames.slice(0, from.start)) &&
      TO.test(this.withoutNames.slice(from.end, to.start))
    return quantities.map((quantity, index) => {
      const [before, after] = [quantities[index - 1], quantities[index + 1]]
      const otherEnd = [isChange(before, quantity) && before, isChange(quantity, after) && after].find(Boolean)
      const isUnlabelled = ["count", "tokens", ""].includes(quantity.roles[0] ?? "")
      const isOfSize = otherEnd && Object.hasOwn(SETTING_RANGES, otherEnd.role) && quantity.number.exact
      return isOfSize && isUnlabelled ? { ...quantity, role: otherEnd.role } : quantity
    })
  }

  /** The bounds of the clause of a number, between its neighbouring numbers. @param {number} index */
  clauseOf(index) {
    const { plain, spans, clauseEnds } = this
    const [start, end] = spans[index]
    const clauseStart = isAloneOnLine(this.withoutNames, plain, start, end)
      ? startOfLineBefore(plain, start)
      : (clauseEnds.filter((clauseEnd) => clauseEnd < start).at(-1) ?? -1) + 1
    const nextStart = spans[index + 1]?.[0] ?? plain.length
    const to = Math.min(nextStart, clauseEnds.find((clauseEnd) => clauseEnd >= end) ?? plain.length)
    const isFollowed = index + 1 < spans.length && to === nextStart
    return { from: Math.max(index ? spans[index - 1][1] : 0, clauseStart), to, isFollowed }
  }

  /** The labels of a number, and whether they come after it. If they do, no later number can take them.
   * @param {number} index @param {{ from: number, to: number, isFollowed: boolean }} clause */
  takeLabels(index, { from, to, isFollowed }) {
    const { labels, labelsEnd, withoutNames } = this
    const [start, end] = this.spans[index]
    const labelsBefore = labels.filter((label) => label.start >= Math.max(from, labelsEnd) && label.end <= start)
    const labelsAfter = labels
      .filter((label) => label.start >= end && label.end <= to)
      .map((label) => ({ ...label, start: label.start - end, end: label.end - end }))
    const gap = labelsBefore.length ? withoutNames.slice(labelsBefore[labelsBefore.length - 1].end, start) : ""
    const gapWithoutScale = gap.replace(SCALE, " ").replace(/\(\s*\)?/g, " ")
    const labelsOfNumber = labelsOf(
      labelsBefore,
      labelsAfter,
      gapWithoutScale,
      withoutNames.slice(end, to),
      withoutNames,
      isFollowed,
    )
    const isAfter = labelsOfNumber.length > 0 && labelsAfter.includes(labelsOfNumber[0])
    if (isAfter) this.labelsEnd = end + labelsOfNumber[labelsOfNumber.length - 1].end
    return { labelsOfNumber, isAfter }
  }

  /** The unit that a scale in the labels around a number gives it, such as millions in a column; "" if none does.
   * @param {number} index @param {{ from: number, to: number }} clause @param {boolean} isLabelAfter */
  takeUnitFromScale(index, { from, to }, isLabelAfter) {
    const [start, end] = this.spans[index]
    const scaleStart = Math.max(from, this.labelsEnd > start ? 0 : this.labelsEnd)
    const [, scaleBefore = ""] = [...this.withoutNames.slice(scaleStart, start).matchAll(SCALE)].at(-1) ?? []
    const scale = scaleBefore || (isLabelAfter ? bracketedScaleIn(this.withoutNames.slice(end, to)) : "")
    const previousEnd = this.spans[index - 1]?.[1] ?? start
    const isListed = LIST_SEPARATOR.test(this.withoutNames.slice(previousEnd, start)) // in millions: 23.8, 85.1
    this.unitFromScale = unitOfScale(scale) || (isListed ? this.unitFromScale : "")
    return this.unitFromScale
  }

  /** The unit of the upper end of a range, for its lower end, as in 108–110M; "" for a number that begins no range.
   * @param {number} index */
  unitOfRange(index) {
    const [match, next] = this.matches.slice(index, index + 2)
    const { unit = "", share = "" } = next?.groups ?? {}
    if (!next || !(unit || share)) return ""
    const [start, end] = this.spans[index]
    const textBetween = this.withoutNames.slice(end, next.index)
    const textBefore = this.plain.slice(Math.max(start - MAX_LABEL_DISTANCE, 0), start)
    const isRange = TO.test(textBetween) || (AND.test(textBetween) && BETWEEN.test(textBefore))
    const [lower, upper] = [match, next].map(({ groups }) => read(groups?.digits ?? "")?.low ?? 0)
    return isRange && lower < upper && lower >= upper * MIN_LOWER_END ? unit || "%" : ""
  }

  /** Whether words around a number show that this many layers or heads are removed or frozen.
   * @param {number} index @param {{ from: number, to: number }} clause */
  isOfChange(index, { from, to }) {
    const [start, end] = this.spans[index]
    return (
      CHANGE_BEFORE.test(this.withoutNames.slice(from, start)) || CHANGE_AFTER.test(this.withoutNames.slice(end, to))
    )
  }

  /** Whether a number states nothing by itself: a factor before the name of a size, a vocabulary size in a product, or
   * a tolerance.
   * @param {number} index @param {string[]} roles */
  isRelative(index, roles) {
    const [start, end] = this.spans[index]
    const isFactor =
      Object.hasOwn(SETTING_RANGES, roles[0] ?? "") && TIMES_AFTER.test(this.plain.slice(end, end + MAX_LABEL_DISTANCE))
    const textBefore = this.plain.slice(Math.max(start - MAX_LABEL_DISTANCE, 0), start)
    return isFactor || this.isVocabularyInProduct(index, textBefore) || TOLERANCE_BEFORE.test(textBefore)
  }

  /** Whether a number is the vocabulary size of a model and a factor of a product, as in 768 × 30522.
   * @param {number} index @param {string} textBefore */
  isVocabularyInProduct(index, textBefore) {
    const [start, end] = this.spans[index]
    const number = read(this.plain.slice(start, end))
    if (!number?.exact || !VOCABULARIES.has(number.low)) return false
    return TIMES_SIGN_BEFORE.test(textBefore) || TIMES_SIGN_AFTER.test(this.plain.slice(end, end + MAX_LABEL_DISTANCE))
  }

  /** Whether a number that only the name of a part makes a count is a factor of a product, as in FFN: 768 × 3,072.
   * @param {number} index @param {NumberRead} number @param {string} role */
  isSmallFactor(index, { exact, low }, role) {
    const [start, end] = this.spans[index]
    return (
      role === "count" &&
      exact &&
      low < MIN_ALONE &&
      TIMES_SIGN_AFTER.test(this.plain.slice(end, end + MAX_LABEL_DISTANCE)) &&
      !/=\s*$/.test(this.plain.slice(Math.max(start - MAX_LABEL_DISTANCE, 0), start))
    )
  }

  /** The role of a number of rows or columns, which is a size of the model if the text names the table; "" for any
   * other number.
   * @param {number} end  of the number */
  roleInTable(end) {
    const rest = this.plain.slice(end, end + MAX_LABEL_DISTANCE)
    const [, size = ""] = TABLES.find(([table]) => table.test(this.withoutNames)) ?? []
    if (ROWS_AFTER.test(rest)) return size
    return size && COLUMNS_AFTER.test(rest) ? "hidden" : ""
  }

  /** The quantity for a matched number, as a list; empty if it cannot be read.
   * @param {RegExpMatchArray} match @param {number} index @returns {Quantity[]} */
  quantityOf(match, index) {
    const [start, end] = this.spans[index]
    const clause = this.clauseOf(index)
    const { labelsOfNumber, isAfter } = this.takeLabels(index, clause)
    const { digits, unit = "", operations = "", share = "" } = match.groups ?? {}
    const unitOfRange = unit || operations || share ? "" : this.unitOfRange(index)
    const unitName =
      unit || operations || (share && "%") || unitOfRange || this.takeUnitFromScale(index, clause, isAfter)
    const roles = labelsOfNumber.map(({ role }) => role)
    const isFile = (roles[0] === "memory" || IN_DOWNLOAD.test(this.plain.slice(end))) && /^[kmg]$/i.test(unitName)
    const numberText = canonicalForm(digits, unitName, this.isRomance)
    const form = formOf(numberText, { isFile, roles, hasUnit: Boolean(unitName), hasOperations: Boolean(operations) })
    const number = read(form)
    if (!number) return []
    const isOfChange = ["layers", "heads"].includes(roles[0]) && this.isOfChange(index, clause)
    const isYear =
      !labelsOfNumber.length && !unitName && number.exact && number.low >= MIN_YEAR && number.low <= MAX_YEAR
    const role = roleOf(number, roles, Boolean(unitName) || /[万亿^]|[0-9]e\+?[0-9]|%$/.test(form))
    const roleInTable = number.exact && !unitName ? this.roleInTable(end) : ""
    const isOther = isYear || isOfChange || this.isRelative(index, roles) || this.isSmallFactor(index, number, role)
    return [
      {
        typed: unitOfRange ? `${digits}${unitOfRange.length > 2 ? " " : ""}${unitOfRange}` : match[0].trim(),
        canonical: form,
        number,
        role: roleInTable || (isOther ? "other" : role),
        roles,
        label: labelsOfNumber.map(({ text }) => text).join(" "),
        start,
        end,
      },
    ]
  }
}

/** The quantities of a text, in order. Those that are not about a model have the role "other", and those of unknown
 * meaning "".
 * @param {string} text  in plain characters
 * @param {{ start: number, end: number }[]} names  the spans of names, whose digits are not read
 * @returns {Quantity[]} */
export const quantitiesIn = (text, names) => new QuantityFinder(text, names).quantities()
