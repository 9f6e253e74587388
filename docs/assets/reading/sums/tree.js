// Builds the tree of a sum done by hand, in which each entry leads to the entries that it adds up.
// An entry is linked to earlier ones if it repeats a result of theirs, refers to one by its name,
// or is a subtotal that follows its addends.
//
// Statements are processed in the order of the text, because people add up results that they have
// already worked out. An entry is open until a later one uses it. The entries still open at the
// end are the roots, and the total is usually one of them.

import { sumBy, whole } from "../../counting/engine.js"
import { slipOf } from "../../explaining/kinds/slips.js"
import {
  carriedResult,
  contributionOf,
  exactResult,
  exactSumOf,
  hasEntries,
  isSubtotal,
  markUsed,
  sumOf,
  withoutEntries,
} from "./entries.js"
import { isNumber, toleranceOf, widestTolerance } from "./expressions.js"
import { mayMeanSum, nearestWay, waysToAdd, waysToRepeatLayer } from "./gathering.js"
import { layersNamed, partsMeant, saysAllLayers, saysLayer, saysOneLayer, saysTotal } from "./labels.js"
import { letterOf } from "./names.js"
import { numberOf } from "./outline.js"
import { countOfEach } from "./results.js"
import { MIN_SIZE } from "./summands.js"

/** @typedef {import("./entries.js").Entry} Entry */
/** @typedef {import("./expressions.js").Expression} Expression */
/** @typedef {import("./entries.js").LinkedExpression} LinkedExpression */
/** @typedef {import("./statements.js").Statement} Statement */
/** @typedef {import("./entries.js").Values} Values */
/** @typedef {import("./headings.js").Heading} Heading */

const MIN_RESULT = 500 // a smaller number is not taken for a result
const MIN_RESULT_OF_PART = 50 // the same for a number whose label names a part
const MIN_DISTINCTIVE = 10_000 // a smaller number is too likely to equal, or nearly equal, a result by chance

const MAX_RUN = 20 // the number of open entries that are searched for a subtotal without a line of its own

/** The word after a size that the text only mentions: 768 dimensions. */
const OF_SIZE = /^(?:维|dim|features?|units?|tokens?|words?|heads?|头|长度|neurons?|hidden)/i

/** The kind of sum that a number is in: "results" if it adds up only results of earlier lines, "numbers" if it adds up
 * numbers of which some are not results, and "none" if the number is in no sum of numbers alone.
 * @typedef {"none" | "results" | "numbers"} OtherAddends */

/** An entry of a statement, with nothing worked out yet. @param {Statement} statement @returns {Entry} */
const blankEntry = (statement) => ({
  statement,
  label: "",
  formula: null,
  children: [],
  stated: null,
  exact: NaN,
  carried: NaN,
  slip: 0,
  isCopy: false,
  isRounded: false,
  isOutlined: false,
  absorbsSlips: false,
  isUsed: false,
  isOneLayer: false,
  things: 1,
})

/** Whether a number is the result of an entry, as the text states it or without slips.
 * @param {Entry} entry @param {number} value */
const hasResult = (entry, value) => contributionOf(entry) === value || entry.exact === value

/** Builds entries from statements, one after the other. */
class Builder {
  /** @param {Statement[]} statements @param {Values} values */
  constructor(statements, values) {
    this.values = values
    /** The sizes of the model that are too large to be numbers of layers or heads. */
    this.sizeNumbers = new Set([..."VPHFE"].map((letter) => values.sizes[letter]))
    /** The headings whose lines are about one layer. */
    this.headings = headingsOfLayers(statements, values.sizes)
    /** The entries so far, in the order in which they are added. @type {Entry[]} */
    this.entries = []
    /** The entries of formulas, by the names that the text gives to their results. @type {Map<string, Entry>} */
    this.byName = new Map()
    /** The statement whose entry is being added. */
    this.statement = statements[0]
  }

  /** The entries that no other entry uses so far. */
  openEntries() {
    return this.entries.filter((entry) => !entry.isUsed)
  }

  /** Adds the entry of a statement, unless the statement has no number or formula, only mentions a size, repeats a
   * result, or has a number that is too small to be a result.
   * @param {Statement} statement */
  add(statement) {
    const { stated, name, parts } = statement
    this.statement = statement
    if (parts) {
      const children = this.openEntries().filter((entry) => parts.statements.includes(entry.statement))
      this.addOutlined({ ...this.labelledEntry(statement), stated }, children, parts.times)
      return
    }
    const formula = this.formulaOf(statement)
    if (!formula && (!stated || this.isSize(statement))) return
    const entry = { ...this.labelledEntry(statement), formula, stated }
    if (stated && !formula && !this.gather(entry, stated)) return
    this.push(entry)
    if (name && formula) this.byName.set(name, entry)
  }

  /** Adds an entry that adds up those of the lines below it.
   * @param {Entry} entry @param {Entry[]} lower @param {number} times  how often it adds each of them */
  addOutlined(entry, lower, times) {
    this.push({ ...entry, children: lower.map((child) => ({ entry: child, times })), isOutlined: true })
  }

  /** Adds an entry, and works out its result. @param {Entry} entry */
  push(entry) {
    this.settle(entry)
    this.entries.push(entry)
  }

  /** The formula of a statement; null if it has none that can be worked out. Of several formulas for one number, those
   * that add up earlier entries are preferred, and then those that have this number as their result.
   * @param {Statement} statement */
  formulaOf({ stated, expressions }) {
    const formulas = expressions
      .map((expression) => this.link(expression, false))
      .filter((formula) => Number.isFinite(exactResult(formula, this.values)))
    /** Whether a formula has the stated value. */
    const isRight = (/** @type {LinkedExpression} */ formula) => exactResult(formula, this.values) === stated?.value
    return (
      formulas.find((formula) => isRight(formula) && hasEntries(formula)) ??
      formulas.find(hasEntries) ??
      formulas.find(isRight) ??
      formulas[0] ??
      null
    )
  }

  /** An entry with the label of a statement, which may be before or after its number. @param {Statement} statement */
  labelledEntry(statement) {
    const { words, after, heading, upper } = statement
    const isLabelAfter = !words || (!partsMeant(words).length && !saysTotal(words) && partsMeant(after).length > 0)
    const label = isLabelAfter ? after.trim() : words
    const isInLayer = (upper !== null && this.headings.has(upper)) || saysOneLayer(heading)
    const isOneLayer = saysOneLayer(label) || (isInLayer && !layersNamed(label) && mayBeInLayer(label))
    return { ...blankEntry(statement), label, isOneLayer, things: countOfEach(statement) }
  }

  /** Adds an entry for each heading whose lines are about one layer. It adds up those of its lines that no other entry
   * uses; a heading without such lines gets no entry. */
  addHeadings() {
    for (const heading of this.headings) {
      const lower = this.openEntries().filter(({ statement, isOneLayer }) => isOneLayer && statement.upper === heading)
      const last = lower.at(-1)
      if (!last) continue
      const entry = { ...blankEntry({ ...last.statement, text: heading.text }), label: heading.text }
      this.addOutlined(entry, lower, heading.times)
    }
  }

  /** Whether a number without a formula is a size that the text only mentions. @param {Statement} statement */
  isSize({ stated, words, after }) {
    if (OF_SIZE.test(after.trim())) return true
    if (!stated || !this.sizeNumbers.has(stated.value)) return false
    // The bias of the decoder has as many parameters as the vocabulary has tokens.
    return stated.value === this.values.sizes.V ? !/bias|偏置/i.test(words) : !partsMeant(words).length
  }

  /** Works out the result of an entry, compares it with the number that the entry states, and marks what it adds up as
   * used.
   * @param {Entry} entry */
  settle(entry) {
    const { formula, children, stated } = entry
    markUsed(entry)
    if (formula) [entry.exact, entry.carried] = [exactResult(formula, this.values), carriedResult(formula, this.values)]
    else if (children.length) [entry.exact, entry.carried] = [exactSumOf(children), sumOf(children)]
    else if (stated) entry.exact = entry.carried = stated.value
    if (!stated) return
    const [difference, differenceFromExact] = [stated.value - entry.carried, stated.value - entry.exact]
    entry.absorbsSlips = Math.abs(differenceFromExact) < Math.abs(difference)
    entry.slip = entry.absorbsSlips ? differenceFromExact : difference
    // In 12 × 7.08M = 84.9M, both sides are rounded, as are the lines of a table and the total below them.
    const toleranceOfTerms = formula
      ? toleranceOf(formula, (part) => exactResult(part, this.values))
      : sumBy(children, ({ entry: child, times }) => times * (child.stated?.tolerance ?? 0))
    entry.isRounded = stated.tolerance > 0 && Math.abs(entry.slip) <= widestTolerance(stated) + toleranceOfTerms
  }

  /** An expression whose numbers and names are linked to earlier entries if possible. A number below `MIN_RESULT`, or
   * one that a size multiplies, is not the result of an entry.
   * @param {Expression} expression @param {boolean} isTimesSize  whether it is multiplied by a size
   * @param {OtherAddends} [addends]  what it is added to @returns {LinkedExpression} */
  link(expression, isTimesSize, addends = "none") {
    if (expression.kind === "name") return { ...expression, parts: [], entry: this.entryNamed(expression.name) }
    if (isNumber(expression))
      return isTimesSize || expression.value < MIN_RESULT
        ? withoutEntries(expression)
        : this.linkedResult(expression, addends)
    const isProduct = expression.kind === "product" || expression.kind === "power"
    const largeParts = expression.parts.filter(
      (part) => part.kind === "name" || part.value >= MIN_SIZE || part.parts.length,
    )
    const hasSize = isTimesSize || (isProduct && (largeParts.length > 1 || expression.kind === "power"))
    const addendsOfParts = this.addendsIn(expression)
    const parts = expression.parts.map((part) =>
      isNumber(part) && this.sizeNumbers.has(part.value) && addendsOfParts === "none" && !isProduct
        ? withoutEntries(part)
        : this.link(part, hasSize && !part.parts.length, addendsOfParts),
    )
    return { ...expression, parts, entry: null }
  }

  /** The kind of addends that each part of an expression has. @param {Expression} expression @returns {OtherAddends} */
  addendsIn({ kind, parts }) {
    if (kind !== "sum" || !parts.every(isNumber)) return "none"
    return parts.every(({ value }) => this.isResult(value)) ? "results" : "numbers"
  }

  /** Whether a number is the result of an open entry. @param {number} value */
  isResult(value) {
    return this.openEntries().some((entry) => hasResult(entry, value))
  }

  /** A number, linked to an entry if possible: to one that it repeats, perhaps with a typing error, or to a subtotal
   * that has no line of its own. The number of layers times the result of an entry for one layer becomes their product.
   * @param {Expression} expression @param {OtherAddends} addends  what it is added to @returns {LinkedExpression} */
  linkedResult(expression, addends) {
    const openEntries = this.openEntries()
    const equalEntry = openEntries.find((entry) => hasResult(entry, expression.value) && this.mayRepeat(entry, addends))
    if (equalEntry) return { ...expression, parts: [], entry: equalEntry }
    const layers = this.values.sizes.L
    const layerEntry = openEntries.find(
      (entry) => entry.isOneLayer && contributionOf(entry) * layers === expression.value,
    )
    if (layerEntry) {
      const times = withoutEntries({ ...expression, value: layers })
      const layer = { ...withoutEntries(expression), entry: layerEntry }
      return { ...expression, kind: "product", parts: [times, layer], signs: [1, 1], entry: null }
    }
    /** Whether the number differs from the value of an entry by a typing error. */
    const isSlip = (/** @type {Entry} */ entry) =>
      slipOf(String(expression.value), String(contributionOf(entry))) !== ""
    const copiedEntry = expression.value >= MIN_DISTINCTIVE && openEntries.find(isSlip)
    if (copiedEntry && !this.sizeNumbers.has(expression.value))
      return { ...expression, parts: [], entry: this.miscopiedEntry(copiedEntry, expression.value) }
    const mayBeSubtotal = expression.tolerance > 0 || expression.value >= MIN_DISTINCTIVE
    const subtotal = mayBeSubtotal ? this.unlistedSubtotal(expression) : null
    return subtotal ? { ...expression, parts: [], entry: subtotal } : withoutEntries(expression)
  }

  /** Whether a number of the current line may repeat an entry. Many vectors have the same size, such as 1,536, so in a
   * line that names a part, a number repeats only the vectors of this part. Many matrices have the same size, too, so a
   * number in a sum of numbers that are not all results repeats only an entry of the named part.
   * @param {Entry} entry @param {OtherAddends} addends  what the number is added to */
  mayRepeat(entry, addends) {
    const label = this.statement.words
    if (addends === "results" || !partsMeant(label).length) return true
    const isLarge = contributionOf(entry) >= MIN_DISTINCTIVE
    if (isLarge && addends === "none") return true
    return (isLarge || partsMeant(entry.label).every(({ path }) => path)) && mayMeanSum(label, [{ entry }])
  }

  /** The entry of a subtotal that has no line of its own, such as 23.83M after 23.44M and 0.39M; null if no consecutive
   * open entries have this sum.
   * @param {Expression} expression @returns {Entry | null} */
  unlistedSubtotal({ value, tolerance }) {
    const openEntries = this.openEntries().slice(-MAX_RUN)
    const runs = openEntries.flatMap((_, first) =>
      openEntries.slice(first + 1).map((_, index) => openEntries.slice(first, first + index + 2)),
    )
    // A small entry may leave a rounded sum unchanged, so that several runs fit; the longest is meant.
    const children = runs
      .sort((one, other) => other.length - one.length)
      .map((run) => run.map((entry) => ({ entry, times: 1 })))
      .find((run) => Math.abs(sumOf(run) - value) <= tolerance)
    if (!children) return null
    const statement = { ...this.statement, text: whole(value) }
    const subtotal = { ...blankEntry(statement), children, stated: { value, tolerance } }
    this.settle(subtotal)
    return subtotal
  }

  /** The entry for a result that was copied with a typing error.
   * @param {Entry} entry @param {number} value @returns {Entry} */
  miscopiedEntry(entry, value) {
    const copy = {
      ...entry,
      formula: null,
      children: [{ entry, times: 1 }],
      stated: { value, tolerance: 0 },
      isCopy: true,
    }
    this.settle(copy)
    return copy
  }

  /** The entry that a name or some words refer to; null if there is none. @param {string} name */
  entryNamed(name) {
    const entry = this.byName.get(name)
    if (entry) return entry
    if (letterOf(name)) return null
    const words = name.toLowerCase()
    const entriesWithWords = this.openEntries().filter(({ label }) => label.toLowerCase().endsWith(words))
    const entriesOfLayers = saysLayer(words)
      ? this.openEntries().filter(({ isOneLayer, children }) => isOneLayer || children.length)
      : []
    return entriesWithWords.at(-1) ?? entriesOfLayers.at(-1) ?? null
  }

  /** Gives an entry without a formula the entries that its number adds up, if any. Returns false if the number needs no
   * entry, because it only repeats the last subtotal, rounds the last entry, or is too small to be a result.
   * @param {Entry} entry @param {NonNullable<Entry["stated"]>} stated  its number */
  gather(entry, stated) {
    const { label } = entry
    const openEntries = this.openEntries()
    const lastEntry = openEntries.at(-1)
    /** Whether a sum rounds to the stated number. */
    const fits = (/** @type {number} */ sum) => Math.abs(sum - stated.value) <= stated.tolerance
    const isRepetition =
      lastEntry &&
      (fits(contributionOf(lastEntry)) || fits(lastEntry.exact)) &&
      mayMeanSum(label, [{ entry: lastEntry }])
    if (isRepetition && (stated.tolerance || isSubtotal(lastEntry))) return false
    const layers = saysAllLayers(label) ? this.values.sizes.L : layersNamed(label)
    const isTotal = saysTotal(label)
    const isPlain = !isTotal && !layers && !entry.isOneLayer
    const ways = [
      ...waysToAdd(openEntries, layers || this.values.sizes.L, isPlain),
      ...waysToRepeatLayer(openEntries, this.values.sizes.L, stated.value),
    ]
    const fittingWays = ways.filter((way) => (fits(sumOf(way)) || fits(exactSumOf(way))) && mayMeanSum(label, way))
    /** Whether all entries of a way have the heading of this one. */
    const isUnderHeading = (/** @type {{ entry: Entry }[]} */ way) =>
      way.every(({ entry: { statement } }) => statement.heading === entry.statement.heading)
    // A rounded number may fit several sums.
    const fittingWay = fittingWays.find(isUnderHeading) ?? fittingWays[0]
    // A number that equals no sum is taken for a wrong one only if its label calls it a sum.
    const isSaidToBeSum = isTotal || layers > 1
    const children = fittingWay ?? (isSaidToBeSum ? nearestWay(ways, stated.value, layers) : null)
    if (children) {
      entry.children = children
      if (layers > 1 || children.some(({ times }) => times > 1)) entry.isOneLayer = false
    }
    return Boolean(children) || stated.value >= (partsMeant(label).length ? MIN_RESULT_OF_PART : MIN_RESULT)
  }
}

/** Whether words may mean a part of a layer. @param {string} label */
const mayBeInLayer = (label) => partsMeant(label).every(({ path }) => !path || path.startsWith("bert/encoder"))

const MAX_MULTIPLE_OF_LAYER = 2 // lines with a larger multiple of the numbers in one layer's matrices are for all layers

/** The headings, such as "Encoder × 12", whose lines are for one layer, judging by the sum of these lines.
 * @param {Statement[]} statements @param {Sizes} sizes */
function headingsOfLayers(statements, { H, F }) {
  const maxSum = MAX_MULTIPLE_OF_LAYER * (4 * H * H + 2 * H * F)
  /** The sum of the lines below a heading, without formulas in letters. @param {Heading} heading */
  const sumBelow = (heading) =>
    sumBy(
      statements.filter(({ upper }) => upper === heading),
      (statement) => numberOf(statement) || 0,
    )
  const headings = new Set(statements.flatMap(({ upper }) => upper ?? []))
  return new Set([...headings].filter((heading) => sumBelow(heading) < maxSum))
}

/** The roots of the tree of statements, and the entries of all statements and headings in it, in the order of their
 * lines. A subtotal without a line of its own is only among the children of an entry.
 * @param {Statement[]} statements @param {Values} values */
export function treeOf(statements, values) {
  const builder = new Builder(statements, values)
  for (const statement of statements) builder.add(statement)
  builder.addHeadings()
  const entries = builder.entries.sort((one, other) => one.statement.line.index - other.statement.line.index)
  return { roots: builder.openEntries(), entries }
}
