// The tree of a sum by hand: which statement adds up which others. A number that
// recurs in a later statement, a name that was given to a result, and a subtotal that
// follows its summands all lead from one entry to others. Every entry has the number
// that its formula gives and the number that it states, so a slip of arithmetic stays
// apart from a wrong formula.

import { slipOf } from "../../explaining/kinds/near.js"
import { isNumber } from "./expressions.js"
import { layersSaid, partsMeant, saysLayer, saysOneLayer, saysTotal } from "./labels.js"
import { letterOf } from "./names.js"

/** @typedef {import("./statements.js").Statement} Statement */
/** @typedef {import("./expressions.js").Expression} Expression */

/** What one adds up to a number. `formula` is null if only the number is there, and `children` are the entries that
 * it adds up then. `exact` is what the formula gives, `carried` the same with what its entries state.
 * @typedef {{
 *   statement: Statement, label: string, formula: Linked | null, children: { entry: Entry, times: number }[],
 *   stated: { value: number, width: number } | null, exact: number, carried: number, slip: number, isCopy: boolean,
 *   isRounded: boolean, absorbs: boolean, isOneLayer: boolean, isUsed: boolean,
 * }} Entry */

/** An expression in which numbers and names may stand for entries.
 * @typedef {Omit<Expression, "parts"> & { parts: Linked[], entry: Entry | null }} Linked */

/** What an expression is built with: the sizes, by letter and by name.
 * @typedef {{ sizes: Sizes, names: Record<string, number> }} Values */

const LEAST_RESULT = 500 // a smaller number is not the result of an earlier line
const LEAST_LARGE = 50 // a factor that may be a size

/** The number that a name stands for; NaN if that is not known. @param {string} name @param {Values} values */
export function valueOfName(name, { sizes, names }) {
  if (Object.hasOwn(names, name)) return names[name]
  const letter = letterOf(name)
  if (letter === "H/A") return sizes.H / sizes.A
  return letter && Object.hasOwn(sizes, letter) ? sizes[letter] : NaN
}

/** What an expression gives, with a number for each leaf.
 * @param {Linked} one @param {(leaf: Linked) => number} numberOf @returns {number} */
export function worked(one, numberOf) {
  if (one.entry || !one.parts.length) return numberOf(one)
  const values = one.parts.map((part) => worked(part, numberOf))
  if (one.kind === "power") return values[0] ** one.value
  if (one.kind === "sum") return values.reduce((sum, value, place) => sum + one.signs[place] * value, 0)
  return values.reduce((product, value, place) => (one.signs[place] > 0 ? product * value : product / value), 1)
}

/** The number that an entry passes on to the one that adds it. @param {Entry} entry */
export const passedOn = (entry) => entry.stated?.value ?? entry.carried

/** What stands behind a size that is mentioned: 768 dimensions. */
const OF_SIZE = /^(?:维|dim|features?|units?|tokens?|words?|heads?|头|长度|neurons?|hidden)/i

/** Builds entries from statements, one after the other. */
class Builder {
  /** @param {Values} values @param {Set<number>} sizeNumbers */
  constructor(values, sizeNumbers) {
    this.values = values
    this.sizeNumbers = sizeNumbers
    /** @type {Entry[]} */
    this.entries = []
    /** @type {Map<string, Entry>} */
    this.byName = new Map()
  }

  /** The entries that nothing has added yet. */
  open() {
    return this.entries.filter((entry) => !entry.isUsed)
  }

  /** @param {Statement} statement */
  add(statement) {
    const { stated, expressions, name } = statement
    const formulas = expressions.map((one) => this.linked(one, false))
    const values = formulas.map((one) => this.exactly(one))
    const known = formulas.filter((_, place) => Number.isFinite(values[place]))
    const [formula = null] = [
      ...known.filter((one) => stated && this.exactly(one) === stated.value && hasEntries(one)),
      ...known.filter((one) => hasEntries(one)),
      ...known.filter((one) => stated && this.exactly(one) === stated.value),
      ...known,
    ]
    if (!formula && (!stated || this.isSize(statement))) return
    const { words, after } = statement
    const isBehind = !words || (!partsMeant(words).length && !saysTotal(words) && partsMeant(after).length > 0)
    const label = isBehind ? after.trim() : words
    /** @type {Entry} */
    const entry = {
      ...{ statement, label, formula, children: [], stated, exact: NaN, carried: NaN, slip: 0, isCopy: false },
      ...{ isRounded: false, absorbs: false, isUsed: false },
      isOneLayer: saysOneLayer(label) || (saysOneLayer(statement.heading) && !layersSaid(label) && mayBeInLayer(label)),
    }
    if (formula) use(formula)
    else if (!this.gather(entry)) return
    this.settle(entry)
    this.entries.push(entry)
    if (name && formula) this.byName.set(name, entry)
  }

  /** Whether a number alone is a size that was mentioned. @param {Statement} statement */
  isSize({ stated, words, after }) {
    if (OF_SIZE.test(after.trim())) return true
    if (!stated || !this.sizeNumbers.has(stated.value)) return false
    return stated.value === this.values.sizes.V ? !/bias|偏置/i.test(words) : !partsMeant(words).length
  }

  /** Works an entry out, and compares it with what it states. @param {Entry} entry */
  settle(entry) {
    const { formula, children, stated } = entry
    if (formula) [entry.exact, entry.carried] = [this.exactly(formula), this.carried(formula)]
    else if (children.length) {
      entry.exact = children.reduce((sum, { entry: child, times }) => sum + times * child.exact, 0)
      entry.carried = children.reduce((sum, { entry: child, times }) => sum + times * passedOn(child), 0)
    } else if (stated) entry.exact = entry.carried = stated.value
    if (!stated) return
    const [rest, restOfExact] = [stated.value - entry.carried, stated.value - entry.exact]
    entry.absorbs = Math.abs(restOfExact) < Math.abs(rest)
    entry.slip = entry.absorbs ? restOfExact : rest
    entry.isRounded = stated.width > 0 && Math.abs(entry.slip) <= stated.width
  }

  /** @param {Linked} one */
  exactly(one) {
    return worked(one, ({ entry, kind, name, value }) => {
      if (entry) return entry.exact
      return kind === "name" ? valueOfName(name, this.values) : value
    })
  }

  /** @param {Linked} one */
  carried(one) {
    return worked(one, ({ entry, kind, name, value }) => {
      if (entry) return passedOn(entry)
      return kind === "name" ? valueOfName(name, this.values) : value
    })
  }

  /** An expression with its numbers and names linked to earlier entries.
   * @param {Expression} one @param {boolean} besideSize  whether it is multiplied with a size @returns {Linked} */
  linked(one, besideSize) {
    if (one.kind === "name") return { ...one, parts: [], entry: this.entryNamed(one.name) }
    if (isNumber(one)) return besideSize || one.value < LEAST_RESULT ? unlinked(one) : this.result(one)
    const isProduct = one.kind === "product" || one.kind === "power"
    const large = one.parts.filter((part) => part.kind === "name" || part.value >= LEAST_LARGE || part.parts.length)
    const sized = besideSize || (isProduct && (large.length > 1 || one.kind === "power"))
    const isOfResults = one.kind === "sum" && one.parts.filter(isNumber).length === one.parts.length
    const parts = one.parts.map((part) =>
      isNumber(part) && this.sizeNumbers.has(part.value) && !isOfResults && !isProduct
        ? unlinked(part)
        : this.linked(part, sized && !part.parts.length),
    )
    return { ...one, parts, entry: null }
  }

  /** A number as the result of an open entry, as several of them, or as itself. @param {Expression} one @returns {Linked} */
  result(one) {
    const open = this.open()
    const isSame = (/** @type {Entry} */ entry) => passedOn(entry) === one.value || entry.exact === one.value
    const same = open.find(isSame)
    if (same) return { ...one, parts: [], entry: same }
    const layers = this.values.sizes.L
    const layer = open.find((entry) => entry.isOneLayer && passedOn(entry) * layers === one.value)
    if (layer) {
      const [times, single] = [unlinked({ ...one, value: layers }), { ...unlinked(one), entry: layer }]
      return { ...one, kind: "product", parts: [times, single], signs: [1, 1], entry: null }
    }
    const copied = open.find((entry) => one.value > 9999 && slipOf(String(one.value), String(passedOn(entry))))
    if (!copied || this.sizeNumbers.has(one.value)) return unlinked(one)
    return { ...one, parts: [], entry: this.copy(copied, one.value) }
  }

  /** An entry for a result that was copied with a slip. @param {Entry} entry @param {number} value @returns {Entry} */
  copy(entry, value) {
    entry.isUsed = true
    const child = { entry, times: 1 }
    const slip = value - passedOn(entry)
    const [exact, carried] = [entry.exact, passedOn(entry)]
    return {
      ...entry,
      formula: null,
      children: [child],
      stated: { value, width: 0 },
      exact,
      carried,
      slip,
      isCopy: true,
      absorbs: false,
    }
  }

  /** The entry that a name or some words mean. @param {string} name */
  entryNamed(name) {
    const named = this.byName.get(name)
    if (named) return named
    if (letterOf(name)) return null
    const words = name.toLowerCase()
    const same = this.open().filter(({ label }) => label.toLowerCase().endsWith(words))
    const ofLayer = saysLayer(words)
      ? this.open().filter(({ isOneLayer, children }) => isOneLayer || children.length)
      : []
    return same[same.length - 1] ?? ofLayer[ofLayer.length - 1] ?? null
  }

  /** Finds the entries that a number without a formula adds up. False if it only repeats or rounds a total.
   * @param {Entry} entry */
  gather(entry) {
    const { stated, label } = entry
    if (!stated) return false
    const open = this.open()
    const last = open[open.length - 1]
    const fits = (/** @type {number} */ sum, width = stated.width) => Math.abs(sum - stated.value) <= width
    const repeats = last && (fits(passedOn(last)) || fits(last.exact))
    if (repeats && (stated.width || last.children.length || (last.formula && hasEntries(last.formula)))) return false
    const layers = layersSaid(label) || this.values.sizes.L
    const isTotal = saysTotal(label)
    const isPlain = !isTotal && !layersSaid(label) && !entry.isOneLayer
    const ways = [...this.ways(open, layers, isPlain), ...this.allLayers(open, stated.value)]
    const exact = ways.find((way) => (fits(sumOf(way)) || fits(exactSumOf(way))) && mayHold(label, way))
    const chosen =
      exact ?? (isTotal || layersSaid(label) > 1 ? this.nearest(ways, stated.value, layersSaid(label)) : null)
    if (chosen) {
      entry.children = chosen
      for (const child of chosen) child.entry.isUsed = true
      const isRepeated = layersSaid(label) > 1 || chosen.some(({ times }) => times > 1)
      if (isRepeated) entry.isOneLayer = false
    }
    return Boolean(chosen) || stated.value >= (partsMeant(label).length ? LEAST_LARGE : LEAST_RESULT)
  }

  /** The ways to add up the last open entries: each once, all times the number of layers, or those of one layer
   * times that number.
   * @param {Entry[]} open @param {number} layers @param {boolean} isPlain  whether nothing says that it is a sum */
  ways(open, layers, isPlain) {
    const suffixes = open.map((_, place) => open.slice(place))
    /** @param {Entry[]} entries @param {(entry: Entry) => number} times */
    const counted = (entries, times) => entries.map((entry) => ({ entry, times: times(entry) }))
    const once = suffixes.filter(({ length }) => length > 1).map((some) => counted(some, () => 1))
    const mixed = suffixes.filter((some) => some.some(({ isOneLayer }) => isOneLayer) && some.length > 1)
    const implied = mixed.map((some) => counted(some, ({ isOneLayer }) => (isOneLayer ? layers : 1)))
    const repeated = layers > 1 ? suffixes.map((some) => counted(some, () => layers)) : []
    return isPlain ? [...once, ...implied] : [...once, ...implied, ...repeated]
  }

  /** The last layer in all layers, if that comes to a number exactly: "two of them: 396,544" has no word for a layer.
   * @param {Entry[]} open @param {number} value */
  allLayers(open, value) {
    const times = this.values.sizes.L
    const isOf = (/** @type {Entry} */ entry) => entry.isOneLayer && times > 1 && passedOn(entry) * times === value
    return open
      .slice(-1)
      .filter(isOf)
      .map((entry) => [{ entry, times }])
  }

  /** The way whose sum is nearest to a number, if it is near at all.
   * @param {{ entry: Entry, times: number }[][]} ways @param {number} value @param {number} layers */
  nearest(ways, value, layers) {
    const near = ways
      .filter((way) => !layers || way.every(({ times }) => times === layers) || layers === 1)
      .map((way) => ({ way, distance: Math.abs(Math.log(sumOf(way) / value)) }))
      .sort((one, other) => one.distance - other.distance)
    return near.length && near[0].distance < NEAR ? near[0].way : null
  }
}

/** Whether words may mean the sum of some entries: a part does not add up others. Attention is as large as the first
 * matrix of the feed-forward network, for one.
 * @param {string} label @param {{ entry: Entry }[]} way */
function mayHold(label, way) {
  const paths = partsMeant(label).map(({ path }) => path)
  if (!paths.length || saysTotal(label)) return true
  const within = (/** @type {string} */ inner) => paths.some((path) => inner.startsWith(path))
  return way.every(({ entry }) => partsMeant(entry.label).every(({ path }) => !path || within(path)))
}

/** Whether words may mean a part of a layer. @param {string} label */
const mayBeInLayer = (label) => partsMeant(label).every(({ path }) => !path || path.startsWith("bert/encoder"))

const NEAR = 0.7 // a sum that is twice as large is no slip

/** @param {{ entry: Entry, times: number }[]} way */
const sumOf = (way) => way.reduce((sum, { entry, times }) => sum + times * passedOn(entry), 0)

/** @param {{ entry: Entry, times: number }[]} way */
const exactSumOf = (way) => way.reduce((sum, { entry, times }) => sum + times * entry.exact, 0)

/** @param {Expression} one @returns {Linked} */
const unlinked = (one) => ({ ...one, parts: one.parts.map(unlinked), entry: null })

/** Whether an expression holds an entry. @param {Linked} one @returns {boolean} */
export const hasEntries = (one) => one.entry !== null || one.parts.some(hasEntries)

/** Marks the entries of an expression as added. @param {Linked} one */
function use(one) {
  if (one.entry) one.entry.isUsed = true
  one.parts.forEach(use)
}

/** The entries that nothing adds, and all entries, for some statements and sizes.
 * @param {Statement[]} statements @param {Values} values @param {Set<number>} sizeNumbers */
export function treeOf(statements, values, sizeNumbers) {
  const builder = new Builder(values, sizeNumbers)
  for (const statement of statements) builder.add(statement)
  return { roots: builder.open(), entries: builder.entries }
}
