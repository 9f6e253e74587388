// Builds the tree of a sum done by hand, in which each entry leads to the entries that it adds up.
// An entry is linked to earlier ones if it repeats a result of theirs, refers to one by its name,
// or is a subtotal that follows its summands.
//
// Statements are processed in the order of the text, because people add up results that they have
// already worked out. An entry is open until a later one uses it. The entries still open at the
// end are the roots, and the total is usually one of them.

import { whole } from "../../counting/engine.js"
import { slipOf } from "../../explaining/kinds/near.js"
import { contributionOf, evaluate, hasEntries, markUsed, valueOfName, withoutEntries } from "./entries.js"
import { isNumber, resultOf, widestTolerance } from "./expressions.js"
import { exactSumOf, mayMeanSum, nearestWay, sumOf, waysToAdd, waysToRepeatLayer } from "./gathering.js"
import { layersNamed, partsMeant, saysLayer, saysOneLayer, saysTotal } from "./labels.js"
import { letterOf } from "./names.js"

/** @typedef {import("./entries.js").Entry} Entry */
/** @typedef {import("./expressions.js").Expression} Expression */
/** @typedef {import("./entries.js").LinkedExpression} LinkedExpression */
/** @typedef {import("./statements.js").Statement} Statement */
/** @typedef {import("./entries.js").Values} Values */
/** @typedef {import("./statements.js").Heading} Heading */

const MIN_RESULT = 500 // a smaller number is not the result of an earlier line
const MIN_LARGE = 50 // a smaller factor counts things, such as layers; a larger one may be a size
const MIN_COPIED = 10_000 // a smaller number with a wrong digit is too likely to be another number

const MAX_RUN = 20 // open entries among which a subtotal without a line of its own is sought

/** The word after a size that the text only mentions: 768 dimensions. */
const OF_SIZE = /^(?:维|dim|features?|units?|tokens?|words?|heads?|头|长度|neurons?|hidden)/i

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
})

/** An entry with the label of a statement, which may be before or after its number.
 * @param {Statement} statement @param {boolean} isUnderLayer  whether a heading says that it is about one layer */
function labelledEntry(statement, isUnderLayer) {
  const { words, after, heading } = statement
  const isLabelAfter = !words || (!partsMeant(words).length && !saysTotal(words) && partsMeant(after).length > 0)
  const label = isLabelAfter ? after.trim() : words
  const isInLayer = isUnderLayer || saysOneLayer(heading)
  const isOneLayer = saysOneLayer(label) || (isInLayer && !layersNamed(label) && mayBeInLayer(label))
  return { ...blankEntry(statement), label, isOneLayer }
}

/** Builds entries from statements, one after the other. */
class Builder {
  /** @param {Values} values @param {Set<number>} sizeNumbers
   * @param {Set<Heading | null>} headings  those whose lines are about one layer */
  constructor(values, sizeNumbers, headings) {
    this.values = values
    this.headings = headings
    this.sizeNumbers = sizeNumbers
    /** @type {Entry[]} */
    this.entries = []
    /** @type {Map<string, Entry>} */
    this.byName = new Map()
    /** The statement whose entry is being added. @type {Statement | null} */
    this.statement = null
  }

  /** The entries that no later entry uses. */
  openEntries() {
    return this.entries.filter((entry) => !entry.isUsed)
  }

  /** Adds the entry of a statement, unless the statement only mentions a size, repeats a result, or has a number that
   * is too small to be a result.
   * @param {Statement} statement */
  add(statement) {
    const { stated, expressions, name, parts } = statement
    this.statement = statement
    if (parts) {
      this.addOutlined(statement, parts)
      return
    }
    const formulas = expressions.map((expression) => this.link(expression, false))
    const values = formulas.map((expression) => this.exactResult(expression))
    const computedFormulas = formulas.filter((_, index) => Number.isFinite(values[index]))
    /** Whether an expression has the stated value. */
    const isRight = (/** @type {LinkedExpression} */ expression) =>
      stated !== null && this.exactResult(expression) === stated.value
    // Of several formulas for one number, those that add up earlier entries are preferred, and then those that are
    // right.
    const [formula = null] = [
      ...computedFormulas.filter((expression) => isRight(expression) && hasEntries(expression)),
      ...computedFormulas.filter(hasEntries),
      ...computedFormulas.filter(isRight),
      ...computedFormulas,
    ]
    if (!formula && (!stated || this.isSize(statement))) return
    const entry = { ...labelledEntry(statement, this.headings.has(statement.upper)), formula, stated }
    if (formula) markUsed(formula)
    else if (!this.gather(entry)) return
    this.settle(entry)
    this.entries.push(entry)
    if (name && formula) this.byName.set(name, entry)
  }

  /** Adds the entry of a statement that adds up those indented below it.
   * @param {Statement} statement @param {import("./outline.js").Parts} parts */
  addOutlined(statement, { statements, times }) {
    const parts = this.openEntries().filter((entry) => statements.includes(entry.statement))
    const children = parts.map((entry) => ({ entry, times }))
    for (const { entry } of children) entry.isUsed = true
    const labelled = labelledEntry(statement, this.headings.has(statement.upper))
    const entry = { ...labelled, stated: statement.stated, children, isOutlined: true }
    this.settle(entry)
    this.entries.push(entry)
  }

  /** Adds an entry for each heading with a number of layers whose lines no total has added. */
  addHeadings() {
    for (const heading of this.headings) {
      if (!heading) continue
      const entries = this.openEntries().filter(
        ({ statement, isOneLayer }) => isOneLayer && statement.upper === heading,
      )
      const children = entries.map((entry) => ({ entry, times: heading.times }))
      if (!children.length) continue
      for (const { entry } of children) entry.isUsed = true
      const { statement } = entries[entries.length - 1]
      const entry = {
        ...blankEntry({ ...statement, text: heading.text }),
        label: heading.text,
        children,
        isOutlined: true,
      }
      this.settle(entry)
      this.entries.push(entry)
    }
  }

  /** Whether a number without a formula is a size that the text only mentions. @param {Statement} statement */
  isSize({ stated, words, after }) {
    if (OF_SIZE.test(after.trim())) return true
    if (!stated || !this.sizeNumbers.has(stated.value)) return false
    return stated.value === this.values.sizes.V ? !/bias|偏置/i.test(words) : !partsMeant(words).length
  }

  /** Works out the result of an entry, and compares it with the number that the entry states. @param {Entry} entry */
  settle(entry) {
    const { formula, children, stated } = entry
    if (formula) [entry.exact, entry.carried] = [this.exactResult(formula), this.carriedResult(formula)]
    else if (children.length) {
      entry.exact = children.reduce((sum, { entry: child, times }) => sum + times * child.exact, 0)
      entry.carried = children.reduce((sum, { entry: child, times }) => sum + times * contributionOf(child), 0)
    } else if (stated) entry.exact = entry.carried = stated.value
    if (!stated) return
    const [difference, differenceOfExact] = [stated.value - entry.carried, stated.value - entry.exact]
    entry.absorbsSlips = Math.abs(differenceOfExact) < Math.abs(difference)
    entry.slip = entry.absorbsSlips ? differenceOfExact : difference
    entry.isRounded = stated.tolerance > 0 && Math.abs(entry.slip) <= widestTolerance(stated)
  }

  /** The result of an expression, with the exact results of its entries. @param {LinkedExpression} expression */
  exactResult(expression) {
    return evaluate(expression, ({ entry, kind, name, value }) => {
      if (entry) return entry.exact
      return kind === "name" ? valueOfName(name, this.values) : value
    })
  }

  /** The result of an expression, with the numbers that its entries state. @param {LinkedExpression} expression */
  carriedResult(expression) {
    return evaluate(expression, ({ entry, kind, name, value }) => {
      if (entry) return contributionOf(entry)
      return kind === "name" ? valueOfName(name, this.values) : value
    })
  }

  /** An expression whose numbers and names are linked to earlier entries.
   * @param {Expression} expression @param {boolean} isTimesSize  whether it is multiplied by a size
   * @param {boolean} [isAmongResults]  whether it is added to nothing but results @returns {LinkedExpression} */
  link(expression, isTimesSize, isAmongResults = false) {
    if (expression.kind === "name") return { ...expression, parts: [], entry: this.entryNamed(expression.name) }
    if (isNumber(expression))
      return isTimesSize || expression.value < MIN_RESULT
        ? withoutEntries(expression)
        : this.linkedResult(expression, isAmongResults)
    const isProduct = expression.kind === "product" || expression.kind === "power"
    const largeParts = expression.parts.filter(
      (part) => part.kind === "name" || part.value >= MIN_LARGE || part.parts.length,
    )
    const hasSize = isTimesSize || (isProduct && (largeParts.length > 1 || expression.kind === "power"))
    const isOfResults =
      expression.kind === "sum" && expression.parts.filter(isNumber).length === expression.parts.length
    const parts = expression.parts.map((part) =>
      isNumber(part) && this.sizeNumbers.has(part.value) && !isOfResults && !isProduct
        ? withoutEntries(part)
        : this.link(part, hasSize && !part.parts.length, isOfResults),
    )
    return { ...expression, parts, entry: null }
  }

  /** A number, linked to an open entry if possible: to one that it repeats, to one layer that it multiplies by the
   * number of layers, or to one that it repeats with a typing error.
   * @param {Expression} expression @param {boolean} isAmongResults @returns {LinkedExpression} */
  linkedResult(expression, isAmongResults) {
    const openEntries = this.openEntries()
    /** Whether an entry has the value of the expression. */
    const isSame = (/** @type {Entry} */ entry) =>
      contributionOf(entry) === expression.value || entry.exact === expression.value
    const equalEntry = openEntries.find((entry) => isSame(entry) && this.mayRepeat(entry, isAmongResults))
    if (equalEntry) return { ...expression, parts: [], entry: equalEntry }
    const layers = this.values.sizes.L
    const layerEntry = openEntries.find(
      (entry) => entry.isOneLayer && contributionOf(entry) * layers === expression.value,
    )
    if (layerEntry) {
      const [times, single] = [
        withoutEntries({ ...expression, value: layers }),
        { ...withoutEntries(expression), entry: layerEntry },
      ]
      return { ...expression, kind: "product", parts: [times, single], signs: [1, 1], entry: null }
    }
    /** Whether the number differs from the value of an entry by a typing error. */
    const isSlip = (/** @type {Entry} */ entry) =>
      slipOf(String(expression.value), String(contributionOf(entry))) !== ""
    const copiedEntry = expression.value >= MIN_COPIED && openEntries.find(isSlip)
    if (copiedEntry && !this.sizeNumbers.has(expression.value))
      return { ...expression, parts: [], entry: this.miscopiedEntry(copiedEntry, expression.value) }
    const mayBeSubtotal = expression.tolerance > 0 || expression.value >= MIN_COPIED
    const subtotal = mayBeSubtotal ? this.unlistedSubtotal(expression) : null
    return subtotal ? { ...expression, parts: [], entry: subtotal } : withoutEntries(expression)
  }

  /** Whether a number of the current line may repeat an entry. Many vectors have the same size, such as 1,536. So a
   * formula for a part that the line names repeats only the vectors of this part.
   * @param {Entry} entry @param {boolean} isAmongResults  whether only results are added up */
  mayRepeat(entry, isAmongResults) {
    const label = this.statement?.words ?? ""
    if (contributionOf(entry) >= MIN_COPIED || isAmongResults || !partsMeant(label).length) return true
    return partsMeant(entry.label).every(({ path }) => path) && mayMeanSum(label, [{ entry }])
  }

  /** The entry of a number that adds up open entries without a line of its own, such as 23.83M after 23.44M and 0.39M;
   * null if no consecutive entries have this sum.
   * @param {Expression} expression @returns {Entry | null} */
  unlistedSubtotal({ value, tolerance }) {
    const openEntries = this.openEntries().slice(-MAX_RUN)
    const statement = this.statement
    const runs = openEntries.flatMap((_, first) =>
      openEntries.slice(first + 1).map((_, index) => openEntries.slice(first, first + index + 2)),
    )
    // A small entry changes a rounded sum so little that the longest run is meant.
    const children = runs
      .sort((one, other) => other.length - one.length)
      .map((run) => run.map((entry) => ({ entry, times: 1 })))
      .find((run) => Math.abs(sumOf(run) - value) <= tolerance)
    if (!children || !statement) return null
    for (const { entry } of children) entry.isUsed = true
    /** @type {Entry} */
    const subtotal = { ...blankEntry({ ...statement, text: whole(value) }), children, stated: { value, tolerance } }
    this.settle(subtotal)
    return subtotal
  }

  /** The entry for a result that was copied with a typing error.
   * @param {Entry} entry @param {number} value @returns {Entry} */
  miscopiedEntry(entry, value) {
    entry.isUsed = true
    const child = { entry, times: 1 }
    const slip = value - contributionOf(entry)
    const [exact, carried] = [entry.exact, contributionOf(entry)]
    return {
      ...entry,
      formula: null,
      children: [child],
      stated: { value, tolerance: 0 },
      exact,
      carried,
      slip,
      isCopy: true,
      absorbsSlips: false,
    }
  }

  /** The entry that a name or some words mean; null if there is none. @param {string} name */
  entryNamed(name) {
    const entry = this.byName.get(name)
    if (entry) return entry
    if (letterOf(name)) return null
    const words = name.toLowerCase()
    const entriesWithWords = this.openEntries().filter(({ label }) => label.toLowerCase().endsWith(words))
    const entriesOfLayers = saysLayer(words)
      ? this.openEntries().filter(({ isOneLayer, children }) => isOneLayer || children.length)
      : []
    return entriesWithWords[entriesWithWords.length - 1] ?? entriesOfLayers[entriesOfLayers.length - 1] ?? null
  }

  /** Finds the entries that a number without a formula adds up. Returns false if the number is not an entry, because it
   * only repeats or rounds the last one or is too small to be a result.
   * @param {Entry} entry */
  gather(entry) {
    const { stated, label } = entry
    if (!stated) return false
    const openEntries = this.openEntries()
    const lastEntry = openEntries[openEntries.length - 1]
    /** Whether a sum rounds to the stated number. */
    const fits = (/** @type {number} */ sum, tolerance = stated.tolerance) => Math.abs(sum - stated.value) <= tolerance
    const isRepetition = lastEntry && (fits(contributionOf(lastEntry)) || fits(lastEntry.exact))
    if (
      isRepetition &&
      (stated.tolerance || lastEntry.children.length || (lastEntry.formula && hasEntries(lastEntry.formula)))
    )
      return false
    const layers = layersNamed(label) || this.values.sizes.L
    const isTotal = saysTotal(label)
    const isPlain = !isTotal && !layersNamed(label) && !entry.isOneLayer
    const ways = [
      ...waysToAdd(openEntries, layers, isPlain),
      ...waysToRepeatLayer(openEntries, this.values.sizes.L, stated.value),
    ]
    const fittingWays = ways.filter((way) => (fits(sumOf(way)) || fits(exactSumOf(way))) && mayMeanSum(label, way))
    /** Whether all entries of a way have the heading of this one. */
    const isUnderHeading = (/** @type {{ entry: Entry }[]} */ way) =>
      way.every(({ entry: { statement } }) => statement.heading === entry.statement.heading)
    // A rounded number may fit several sums.
    const exactWay = fittingWays.find(isUnderHeading) ?? fittingWays[0]
    // A number that is equal to no sum is taken for a wrong sum only if its words say that it is one.
    const isSaidToBeSum = isTotal || layersNamed(label) > 1
    const children = exactWay ?? (isSaidToBeSum ? nearestWay(ways, stated.value, layersNamed(label)) : null)
    if (children) {
      entry.children = children
      for (const child of children) child.entry.isUsed = true
      const isRepeated = layersNamed(label) > 1 || children.some(({ times }) => times > 1)
      if (isRepeated) entry.isOneLayer = false
    }
    return Boolean(children) || stated.value >= (partsMeant(label).length ? MIN_LARGE : MIN_RESULT)
  }
}

/** Whether words may mean a part of a layer. @param {string} label */
const mayBeInLayer = (label) => partsMeant(label).every(({ path }) => !path || path.startsWith("bert/encoder"))

const MAX_LAYER_SHARE = 2 // of the matrices of one layer; lines that add up to more are for all layers

/** The headings, such as "Encoder × 12", whose lines are for one layer, judging by the sum of these lines.
 * @param {Statement[]} statements @param {Sizes} sizes */
function headingsOfLayers(statements, { H, F }) {
  /** @type {Map<Heading, number>} */
  const sums = new Map()
  for (const { upper, stated, expressions } of statements)
    if (upper) {
      const value = stated?.value ?? resultOf(expressions[0])
      sums.set(upper, (sums.get(upper) ?? 0) + (value || 0))
    }
  const layer = 4 * H * H + 2 * H * F
  return new Set([...sums.keys()].filter((heading) => (sums.get(heading) ?? 0) < MAX_LAYER_SHARE * layer))
}

/** The roots of the tree of statements, and all entries in it, in the order of their lines.
 * @param {Statement[]} statements @param {Values} values @param {Set<number>} sizeNumbers */
export function treeOf(statements, values, sizeNumbers) {
  const builder = new Builder(values, sizeNumbers, headingsOfLayers(statements, values.sizes))
  for (const statement of statements) builder.add(statement)
  builder.addHeadings()
  const entries = builder.entries.sort((one, other) => one.statement.line.index - other.statement.line.index)
  return { roots: builder.openEntries(), entries }
}
