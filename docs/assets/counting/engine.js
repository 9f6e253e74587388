// Counts the parameters of models, from the table that the build exports as
// data/table.js. The rules are those of macros/counting/question.py and
// deviations.py, and tests/scripts/test_counting.py compares the results. This module
// itself contains no facts about BERT. macros/rendering/files/exported.py describes the
// exported table.
//
// A row is a tensor of an architecture, with a shape in letters. The rows of a class, which
// also depend on its choices, form a `Rows` object. A `Counter` turns each row into an item:
// the shape, the layers that have it, and the factors by which deviations multiply it. The
// number is the sum over the items. Sizes are substituted last, so that items and formulas
// do not depend on them and can be cached.

import table from "../../data/table.js"
import { roundedUp } from "./rounding.js"

// --- The table --------------------------------------------------------------

/** A dimension in the notation of the table: a number, or the unchanged text of a letter, of a product such as LA or 2F
 * (two times F), or of a difference such as H−E.
 * @param {string} text @returns {Dimension} */
const dimension = (text) => (/^-?[0-9]+$/.test(text) ? Number(text) : text)

/** The factors of a dimension: numbers, letters, and differences of two letters.
 * @param {Dimension} size @returns {Dimension[]} */
export const factorsOf = (size) =>
  String(size).includes("−") ? [differenceInBrackets(String(size))] : letterFactorsOf(size)

/** A difference of sizes, such as H−E, as a single factor of a formula: "(H − E)". @param {string} size */
const differenceInBrackets = (size) => (size.startsWith("(") ? size : `(${size.replace("−", " − ")})`)

/** The factors of a dimension without differences: 2FH has the factors 2, F and H.
 * @param {Dimension} size @returns {Dimension[]} */
const letterFactorsOf = (size) =>
  typeof size === "string" && /^(?:[0-9]+[A-Z]+|[A-Z]{2,})$/.test(size)
    ? (size.match(/[0-9]+|[A-Z]/g) ?? []).map(dimension)
    : [size]

/** The factor for all layers but the first. @param {string} letter  the letter of the number of layers */
export const butFirst = (letter) => `(${letter} − 1)`

/** The dimensions of a shape. @param {string} shape  the dimensions, separated by spaces */
export const dimensions = (shape) => shape.split(" ").map(dimension)

/** A dimension as a number; NaN if it is a letter without a size.
 * @param {Dimension} size @param {Sizes} sizes @returns {number} */
export function sizeOfDimension(size, sizes) {
  const number = typeof size === "number" ? size : sizes[size]
  if (number !== undefined) return number
  const [, first, second] = /^\(?(.) ?− ?(.)\)?$/.exec(String(size)) ?? []
  if (first) return sizes[first] - sizeOfDimension(dimension(second), sizes)
  const factors = factorsOf(size)
  return factors.length > 1 || factors[0] !== size ? product(factors, sizes) : NaN
}

/** The product of dimensions, such as the number of elements of a shape.
 * @param {Dimension[]} shape @param {Sizes} sizes */
export const product = (shape, sizes) =>
  shape.reduce((/** @type {number} */ elements, size) => elements * sizeOfDimension(size, sizes), 1)

/** Every row of every architecture. @type {Row[]} */
export const rows = table.rows.map((row) => ({
  ...row,
  dimensions: dimensions(row.shape),
  repeated: row.path.includes("layer_*"),
  tags: new Set([...row.path.split("/"), row.block, ...(row.tags ?? [])]),
}))

/** Every class of every architecture; the first class of an architecture has no head. @type {ModelClass[]} */
const everyClass = table.architectures.flatMap((architecture) =>
  architecture.classes.map((modelClass) => ({
    ...modelClass,
    architecture: architecture.name,
    layers: architecture.layers,
    defaults: { ...table.choices, ...architecture.choices },
    rows: modelClass.rows.map((index) => rows[index]),
  })),
)

/** The factors in the shapes of rows. @param {Row[]} list */
const factorsIn = (list) => list.flatMap((row) => row.dimensions).flatMap(factorsOf)

/** The letters in shapes and in numbers of layers, in reading order. */
export const LETTERS = table.symbols
  .map(({ letter }) => letter)
  .filter((letter) => factorsIn(rows).includes(letter) || everyClass.some(({ layers }) => layers.includes(letter)))

/** The architectures, the classes and the published models, by name. */
export const architectures = /** @type {ByName<Table["architectures"][0]>} */ (
  new Map(table.architectures.map((architecture) => [architecture.name, architecture]))
)
export const classes = /** @type {ByName<ModelClass>} */ (
  new Map(everyClass.map((modelClass) => [modelClass.name, modelClass]))
)
export const models = /** @type {ByName<Model>} */ (new Map(table.models.map((model) => [model.name, model])))

/** Whether a path is that of a part, or is below it.
 * @param {string} path @param {string} prefix  the path of the part; "" for the whole model */
export const liesUnder = (path, prefix) => !prefix || path === prefix || path.startsWith(`${prefix}/`)

/** A function that tests whether a row belongs to a part.
 * @param {string} paths  the paths of the part, separated by commas; the row must be at or below one of them
 * @param {string} tag  tags, separated by spaces; the row must have each of them, and none that a minus sign precedes
 * @returns {(row: Row) => boolean} */
function belongsTo(paths, tag) {
  const prefixes = paths.split(", ")
  const tags = tag.split(" ").filter(Boolean)
  return (row) =>
    prefixes.some((prefix) => liesUnder(row.path, prefix)) &&
    tags.every((name) => (name[0] === "-" ? !row.tags.has(name.slice(1)) : row.tags.has(name)))
}

/** Whether a path is that of a single layer, or of a part of one. @param {string} path */
export const isOneLayer = (path) => /\blayer_[0-9]/.test(path)

/** A function that computes a value on its first call, and returns the same value on every later one.
 * @template T @param {() => T} make */
export function lazily(make) {
  /** @type {T | undefined} */
  let value
  return () => (value ??= make())
}

/** The value of a map for a key. If there is none yet, `make` creates one, which is stored.
 * @template K, V @param {{ get(key: K): V | undefined, set(key: K, value: V): unknown }} map  a Map or a WeakMap
 * @param {K} key @param {() => V} make */
export function getOrMake(map, key, make) {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make()))
  return value
}

// --- Deviations -------------------------------------------------------------

/** A deviation with the values that follow from its fields. The rows that it touches are only computed when first
 * needed, because many deviations are never used.
 * @param {DeviationFields} fields @returns {Deviation} */
export function deviation(fields) {
  const { part = "", tag = "", factor = "1", unties = false, resized = "" } = fields
  const [above, below] = factor.replace("−", "-").split("/").concat("1").map(dimension)
  const shapes = (fields.adds ?? fields.instead)?.split(",").map((shape) => shape.trim()) ?? []
  const [letter, taken = ""] = resized.split(" = ")
  const touchesRows = factor !== "1" || unties
  const rowsOfPart = lazily(() => rows.filter(belongsTo(part, tag)))
  const touchedRows = lazily(() => new Set(touchesRows ? rowsOfPart() : []))
  const replacedRows = lazily(
    () => new Set(fields.instead ? rows.filter((row) => !part || !rowsOfPart().includes(row)) : []),
  )
  const letters = [letter, taken.length === 1 ? taken : "", factor, ...shapes].join(" ").match(/[A-Z]/g) ?? []
  return {
    ...fields,
    factor,
    above,
    below,
    unties,
    letter,
    taken,
    letters,
    shapes: shapes.map((shape) => ({ sign: shape[0] === "-" ? -1 : 1, shape: dimensions(shape.replace("-", "")) })),
    touches: (row) => touchedRows().has(row),
    replaces: (row) => replacedRows().has(row),
  }
}

const { rarity_left_out: rarity } = table.explanations.limits
const OMISSION_FIELDS = { kind: /** @type {const} */ ("mistake"), rarity, factor: "0", why: table.messages["left-out"] }

/** The deviation that leaves out a part. @param {PartFields} part */
const omissionOf = ({ path, tag = "", words }) =>
  deviation({
    ...OMISSION_FIELDS,
    name: `without:${path}:${tag}`,
    part: path,
    tag,
    title: `Left out: ${words}`,
    done: `left out ${words}`,
    undo: `add ${words}`,
    notice: "",
    model_class: "",
  })
const omissions = table.explanations.left_out.map((index) => omissionOf(table.explanations.parts[index]))

/** The deviations, by name: those of the table and those that leave out a part. */
export const deviations = /** @type {ByName<Deviation>} */ (
  new Map([...table.deviations.map(deviation), ...omissions].map((fields) => [fields.name, fields]))
)

/** Whether a deviation applies to these rows: they include the parts and letters that it needs, none of the parts that
 * must be absent, and, unless it adds tensors, replaces a size or replaces the whole sum, a row that it touches.
 * @param {Deviation} deviation @param {Rows} rows */
function isApplicable(deviation, { list, letters }) {
  /** Whether there are rows at or below these paths. @param {string} paths */
  const hasRowsUnder = (paths) => list.some(belongsTo(paths, ""))
  if ((deviation.lacks ?? []).some(hasRowsUnder) || !(deviation.needs ?? []).every(hasRowsUnder)) return false
  if (!deviation.letters.every((letter) => letters.has(letter))) return false
  return Boolean(deviation.adds || deviation.resized || deviation.instead) || list.some(deviation.touches)
}

/** The sizes after the deviations have replaced some of them.
 * @param {Sizes} sizes @param {Deviation[]} deviationList */
export function sizesAfter(sizes, deviationList) {
  const result = { ...sizes }
  for (const { letter, taken } of deviationList) {
    if (!letter) continue
    result[letter] = takenSize(taken, letter, result)
  }
  return result
}

/** The size that a deviation substitutes: the model's own, rounded up to a multiple; a number; another of the model's
 * sizes; or that of another model.
 * @param {string} taken @param {string} letter  the letter of the replaced size @param {Sizes} sizes */
function takenSize(taken, letter, sizes) {
  const step = Number(/^multiple of ([0-9]+)$/.exec(taken)?.[1] ?? 0)
  if (step) return roundedUp(sizes[letter], step)
  if (/^[0-9]+$/.test(taken)) return Number(taken)
  return taken in sizes ? sizes[taken] : models.get(taken).sizes[letter]
}

/** Whether deviations are incompatible: two replace the same size, or one of them replaces the whole sum.
 * @param {Deviation[]} deviationList */
const areIncompatible = (deviationList) =>
  deviationList.some(
    ({ letter }, index) => letter && deviationList.findIndex((other) => other.letter === letter) < index,
  ) ||
  (deviationList.length > 1 && deviationList.some(({ instead }) => instead))

/** The number of elements that a deviation adds, or that it counts instead of the model.
 * @param {Deviation} deviation @param {Sizes} sizes */
export const addedBy = (deviation, sizes) =>
  deviation.shapes.reduce((sum, { sign, shape }) => sum + sign * product(shape, sizes), 0)

// --- The rows of a class ----------------------------------------------------

/** The rows of a class for given choices, with caches of the values that are computed from them. */
class Rows {
  /** @param {ModelClass} modelClass @param {Row[]} list */
  constructor({ layers }, list) {
    this.layers = layers
    this.list = list
    this.letters = new Set([...layers, "A", ...factorsIn(list)])
    /** The results of `touchedBy`. @type {Map<Deviation, Row[] | null>} */
    this.touchedRows = new Map()
    /** The results of `rowsUnder`. @type {Map<string, Set<Row>>} */
    this.selections = new Map()
    /** The items with no deviation or with a single one. Those with more are not cached.
     * @type {{ tied: Map<Deviation | null, Item[]>, untied: Map<Deviation | null, Item[]> }} */
    this.cachedItems = { tied: new Map(), untied: new Map() }
  }

  /** The rows that a deviation touches; null if it does not apply. @param {Deviation} deviation */
  touchedBy(deviation) {
    return getOrMake(this.touchedRows, deviation, () =>
      isApplicable(deviation, this) ? this.list.filter(deviation.touches) : null,
    )
  }

  /** The rows of a part, which may be within a single layer. @param {string} path @param {string} tag */
  rowsUnder(path, tag) {
    return getOrMake(this.selections, `${path} ${tag}`, () => {
      const belongs = belongsTo(path.replace(/\blayer_[0-9]+/g, "layer_*"), tag)
      const isFirstLayer = /\blayer_0+\b/.test(path)
      return new Set(this.list.filter((row) => belongs(row) && !(row.skips_first_layer && isFirstLayer)))
    })
  }

  /** The letters whose product is the number of layers that have a row's tensor. @param {Row} row */
  layersOf({ repeated, skips_first_layer }) {
    if (!repeated) return []
    return skips_first_layer ? this.layers.map(butFirst) : this.layers
  }
}

/** The rows that have been used so far, by class and presence digits. @type {Map<string, Rows>} */
const cache = new Map()

/** Whether a model has a row. The row's condition `when`, if it has one, is the name of a choice, or compares a size
 * with another or with 0, as in G≠0.
 * @param {Pick<Row, "when">} row @param {Partial<Choices>} allChoices @param {Sizes} sizes */
export function isThere({ when }, allChoices, sizes) {
  if (!when) return true
  const [first, second] = when.split(/[≠=]/)
  if (second) return when.includes("=") === ((sizes[first] ?? 0) === (sizes[second] ?? 0))
  return allChoices[/** @type {keyof Choices} */ (when)]
}

/** A string with a digit for each row of a class: 1 if a model has it, otherwise 0.
 * @param {ModelClass} modelClass @param {Choices} allChoices @param {Sizes} sizes */
export const presence = ({ rows: list }, allChoices, sizes) =>
  list.map((row) => Number(isThere(row, allChoices, sizes))).join("")

/** The rows that a class has with these choices and sizes.
 * @param {ModelClass} modelClass @param {Choices} allChoices @param {Sizes} sizes */
function rowsOf(modelClass, allChoices, sizes) {
  const presenceDigits = presence(modelClass, allChoices, sizes)
  return getOrMake(cache, modelClass.name + presenceDigits, () => {
    const list = modelClass.rows.filter((_, index) => presenceDigits[index] === "1")
    return new Rows(modelClass, list)
  })
}

// --- Counting ---------------------------------------------------------------

/** The largest integer up to which JavaScript represents every integer exactly. A larger sum may be rounded, but never
 * to this number or below, so a comparison with it is safe. */
export const MAX_NUMBER = Number.MAX_SAFE_INTEGER

/** The number of elements of an item; null if the share that a deviation counts is not a whole number.
 * @param {Item} item @param {Sizes} sizes
 * @param {boolean} [isSingleLayer]  whether to count a single layer */
export function numberOf({ shape, layers, above, below }, sizes, isSingleLayer = false) {
  const number = product(shape, sizes) * product(above, sizes) * (isSingleLayer ? 1 : product(layers, sizes))
  // A model without layers has no elements to divide, so a divisor of zero is ignored.
  const divisor = below.reduce((/** @type {number} */ all, size) => all * (sizeOfDimension(size, sizes) || 1), 1)
  return number % divisor ? null : number / divisor
}

/** The sum of the numbers that a function returns for the items.
 * @template T @param {Iterable<T>} items @param {(item: T) => number} number */
export function sumBy(items, number) {
  let sum = 0
  for (const item of items) sum += number(item)
  return sum
}

/** The number of elements of all items; null if `numberOf` returns null for any of them.
 * @param {Item[]} items @param {Sizes} sizes
 * @param {boolean} [isSingleLayer]  whether to count a single layer */
export function sumOf(items, sizes, isSingleLayer = false) {
  let sum = 0
  for (const item of items) {
    const number = numberOf(item, sizes, isSingleLayer)
    if (number === null) return null
    sum += number
  }
  return sum
}

/** Counts a class with given sizes, as a whole or in part, with any deviations. */
export class Counter {
  /** @param {string} name  of the class @param {Sizes} sizes @param {Partial<Choices>} choices */
  constructor(name, sizes, choices = {}) {
    const modelClass = classes.get(name)
    const allChoices = { ...modelClass.defaults, ...choices, ...modelClass.fixed }
    this.sizes = sizes
    this.tied = allChoices.tied
    this.rows = rowsOf(modelClass, allChoices, sizes)
  }

  /** The deviations with these names; null if one does not apply, or if they are incompatible.
   * @param {string[]} names */
  deviationsNamed(names) {
    const deviationList = names.map((name) => deviations.get(name))
    return areIncompatible(deviationList) || deviationList.some((deviation) => !this.rows.touchedBy(deviation))
      ? null
      : deviationList
  }

  /** The items to count: each row with its factors, and the tensors that deviations add.
   * @param {Deviation[]} deviationList */
  items(deviationList) {
    if (deviationList.length > 1) return this.makeItems(deviationList)
    const cache = this.rows.cachedItems[this.tied ? "tied" : "untied"]
    return getOrMake(cache, deviationList[0] ?? null, () => this.makeItems(deviationList))
  }

  /** The items to count, made without the cache. @param {Deviation[]} deviationList @returns {Item[]} */
  makeItems(deviationList) {
    const additions = deviationList.flatMap(({ name, shapes }) =>
      shapes.map(({ sign, shape }, index) => ({
        row: null,
        path: `${name} ${index}`,
        shape,
        layers: [],
        factors: sign > 0 ? [] : ["−1"],
        above: [sign],
        below: [],
      })),
    )
    return [...this.rows.list.map((row) => this.item(row, deviationList)), ...additions]
  }

  /** The item of a row: its shape, with the factors by which deviations multiply it.
   * @param {Row} row @param {Deviation[]} deviationList @returns {Item} */
  item(row, deviationList) {
    const touchingDeviations = deviationList.filter((deviation) => deviation.touches(row))
    const factors = touchingDeviations.map(({ factor }) => factor).filter((factor) => factor !== "1")
    const isTied = this.tied && row.tied_to && !touchingDeviations.some(({ unties }) => unties)
    const isLeftOut = isTied || deviationList.some((deviation) => deviation.replaces(row)) || factors.includes("0")
    const commonFields = { row, path: row.path, shape: row.dimensions, layers: this.rows.layersOf(row) }
    if (isLeftOut) return { ...commonFields, factors: ["0"], above: [0], below: [] }
    return {
      ...commonFields,
      factors,
      above: touchingDeviations.map(({ above }) => above),
      below: touchingDeviations.map(({ below }) => below),
    }
  }

  /** The items of a part, or of the whole model. Tensors that deviations add do not belong to any part.
   * @param {Deviation[]} deviationList @param {string} path @param {string} tag */
  itemsUnder(deviationList, path, tag) {
    if (!path && !tag) return this.items(deviationList)
    const rowsOfPart = this.rows.rowsUnder(path, tag)
    return this.items(deviationList).filter(({ row }) => row && rowsOfPart.has(row))
  }

  /** The sizes after the deviations have replaced some of them. @param {Deviation[]} deviationList */
  sizesWith(deviationList) {
    return sizesAfter(this.sizes, deviationList)
  }

  /** The number of parameters; null if the share that a deviation counts is not a whole number.
   * @param {Deviation[]} deviationList @param {string} path @param {string} tag */
  number(deviationList, path = "", tag = "") {
    return sumOf(this.itemsUnder(deviationList, path, tag), this.sizesWith(deviationList), isOneLayer(path))
  }
}

/** The number of parameters that a question asks for. @param {Question} question */
export const count = (question) => /** @type {number} */ (countWith(question, [])) // null is for deviations only

/** The number of parameters with deviations; null if one does not apply, if they are incompatible, or if a share is not
 * a whole number.
 * @param {Question} question @param {string[]} names  of the deviations */
export function countWith({ modelClass, sizes, choices, part = "", tag = "" }, names) {
  const counter = new Counter(modelClass, sizes, choices)
  const deviationList = counter.deviationsNamed(names)
  return deviationList && counter.number(deviationList, part, tag)
}

/** The number of tensors in a class with its default choices; tied tensors are not counted twice.
 * @param {string} modelClass @param {Sizes} sizes */
export function countTensors(modelClass, sizes) {
  const { rows, tied } = new Counter(modelClass, sizes)
  return sumBy(rows.list, (row) => (tied && row.tied_to ? 0 : product(rows.layersOf(row), sizes)))
}

/** The name of the class without a head, which is the first in the table.
 * @param {string} architecture @returns {string} */
export const classOfBare = (architecture) => classesOf(architecture)[0].name

/** The label of a class in a list of options: its name, and its purpose up to the first colon. In Python, it is
 * `ModelClass.label`.
 * @param {ModelClass} modelClass */
export const classLabel = ({ name, purpose }) => `${name} (${purpose.split(":")[0]})`

/** The default choices of an architecture. @param {string} architecture */
export const defaultChoices = (architecture) => classesOf(architecture)[0].defaults

/** The name of a transformers class without the prefix for TensorFlow or Flax: the PyTorch class with the same tensors.
 * @param {string} name */
export const inTorch = (name) => name.replace(/^(?:TF|Flax)(?=[A-Z])/, "")

/** The classes of an architecture. The first has no head. @param {string} architecture */
export const classesOf = (architecture) => everyClass.filter((modelClass) => modelClass.architecture === architecture)

/** An integer with commas between thousands and a true minus sign. @param {number} number */
export const whole = (number) =>
  String(number)
    .replace(/\B(?=(?:[0-9]{3})+$)/g, ",")
    .replace("-", "−")

/** A noun in the singular or plural form that a number requires.
 * @param {number} number @param {string} singular @param {string} plural */
export const noun = (number, singular, plural = `${singular}s`) => (number === 1 ? singular : plural)

/** A size in words, such as "3,072 inner units in the feed-forward network". The nouns are exported in the plural; in
 * the singular, the first word that ends with an s loses it.
 * @param {string} letter  a letter for which a noun is exported @param {number} value */
export function sizeWithNoun(letter, value) {
  const plural = table.explanations.nouns[letter]
  return `${whole(value)} ${noun(value, plural.replace(/s\b/, ""), plural)}`
}
