// Counting: the answer to a question about any model, over the tables that the
// build exports as data/table.js. The rules are those of macros/counting, and a
// test compares the two on thousands of questions. Nothing about BERT is
// written here, and nothing else in these scripts counts.

import table from "../../data/table.js"

// --- The tables -------------------------------------------------------------

/** @param {string} text  a dimension: a number, a letter, or both, as in 2F, which is two times F */
const dimension = (text) => (/^-?[0-9]+$/.test(text) ? Number(text) : text)
/** The numbers and letters whose product a dimension is. @param {Dimension} each @returns {Dimension[]} */
export const factorsOf = (each) =>
  typeof each === "string" && /^[0-9]+[A-Z]+$/.test(each) ? (each.match(/[0-9]+|[A-Z]/g) ?? []).map(dimension) : [each]
/** How layers are counted that are all but the first. @param {string} letter */
export const butFirst = (letter) => `(${letter} − 1)`
/** @param {string} shape */
export const dimensions = (shape) => shape.split(" ").map(dimension)
/** @param {Dimension} each @param {Sizes} sizes @returns {number} */
export function sized(each, sizes) {
  const found = typeof each === "number" ? each : sizes[each]
  if (found !== undefined) return found
  const [, letter] = /^\((.) − 1\)$/.exec(String(each)) ?? []
  return letter ? sizes[letter] - 1 : product(factorsOf(each), sizes)
}
/** @param {Dimension[]} shape @param {Sizes} sizes */
export const product = (shape, sizes) =>
  shape.reduce((/** @type {number} */ size, each) => size * sized(each, sizes), 1)

/** @type {Row[]} */
export const rows = table.rows.map((row) => ({
  ...row,
  dimensions: dimensions(row.shape),
  repeated: row.path.includes("layer_*"),
  tags: new Set([...row.path.split("/"), row.block, ...(row.tags ?? [])]),
}))

/** @type {ModelClass[]} */
const everyClass = table.architectures.flatMap((architecture) =>
  architecture.classes.map((each) => ({
    ...each,
    architecture: architecture.name,
    layers: architecture.layers,
    usual: { ...table.choices, ...architecture.choices },
    rows: each.rows.map((place) => rows[place]),
  })),
)
/** @param {Row[]} some */
const lettersOf = (some) => some.flatMap((row) => row.dimensions).flatMap(factorsOf)

/** The letters that size a tensor or count layers, in the order of reading. */
export const LETTERS = table.symbols
  .map((each) => each.letter)
  .filter((each) => lettersOf(rows).includes(each) || everyClass.some((one) => one.layers.includes(each)))

export const classes = /** @type {ByName<ModelClass>} */ (new Map(everyClass.map((each) => [each.name, each])))
export const models = /** @type {ByName<Model>} */ (new Map(table.models.map((each) => [each.name, each])))

/** @param {string} path @param {string} prefix */
export const liesUnder = (path, prefix) => !prefix || path === prefix || path.startsWith(`${prefix}/`)

/** Whether a row belongs to a part.
 * @param {string} paths  with commas between them; one of them leads to the row
 * @param {string} tag  the row has every tag named here, and none that has a minus before it @returns {(row: Row) => boolean} */
function belongsTo(paths, tag) {
  const prefixes = paths.split(", ")
  const tags = tag.split(" ").filter(Boolean)
  return (row) =>
    prefixes.some((prefix) => liesUnder(row.path, prefix)) &&
    tags.every((each) => (each[0] === "-" ? !row.tags.has(each.slice(1)) : row.tags.has(each)))
}
/** @param {string} path  whether it names one layer */
export const isOneLayer = (path) => /\blayer_[0-9]/.test(path)

/** What is worked out when it is first asked for. @template T @param {() => T} make */
export function lazily(make) {
  /** @type {T | undefined} */
  let found
  return () => (found ??= make())
}

/** What a map has under a key, worked out when it is first asked for. @template K, V @param {Map<K, V>} map @param {K} key @param {() => V} make */
export function kept(map, key, make) {
  let found = map.get(key)
  if (found === undefined) map.set(key, (found = make()))
  return found
}

// --- Deviations -------------------------------------------------------------

/** A deviation with everything that follows from its fields. @param {DeviationFields} fields @returns {Deviation} */
export function deviation(fields) {
  const { part = "", tag = "", factor = "1", unties = false, resized = "" } = fields
  const [above, below] = factor.replace("−", "-").split("/").concat("1").map(dimension)
  const shapes = (fields.adds ?? fields.instead)?.split(",").map((each) => each.trim()) ?? []
  const [letter, taken = ""] = resized.split(" = ")
  const touching = factor !== "1" || unties
  const about = lazily(() => rows.filter(belongsTo(part, tag)))
  const touched = lazily(() => new Set(touching ? about() : []))
  const replaced = lazily(() => new Set(fields.instead ? rows.filter((row) => !part || !about().includes(row)) : []))
  const letters = [letter, taken.length === 1 ? taken : "", factor, ...shapes].join(" ").match(/[A-Z]/g) ?? []
  return {
    ...fields,
    ...{ factor, above, below, unties, letter, taken, letters },
    shapes: shapes.map((each) => ({ sign: each[0] === "-" ? -1 : 1, shape: dimensions(each.replace("-", "")) })),
    touches: (row) => touched().has(row),
    replaces: (row) => replaced().has(row),
  }
}

const { usual_left_out: usual } = table.explanations.limits
const WITHOUT = { kind: /** @type {const} */ ("mistake"), usual, factor: "0", why: table.messages["left-out"] }
/** A part that may be left out, as a deviation. @param {PartFields} part */
const without = ({ path, tag = "", words }) =>
  deviation({
    ...{ ...WITHOUT, name: `without:${path}:${tag}`, part: path, tag, title: `Left out: ${words}` },
    ...{ done: `left out ${words}`, undo: `add ${words}`, notice: "", model_class: "" },
  })
const leftOut = table.explanations.left_out.map((place) => without(table.explanations.parts[place]))

export const deviations = /** @type {ByName<Deviation>} */ (
  new Map([...table.deviations.map(deviation), ...leftOut].map((each) => [each.name, each]))
)

/** Whether these rows can be counted so: what it needs must be there, and what it is about. @param {Deviation} each @param {Rows} rows */
function fits(each, { listed, letters }) {
  /** @param {string} paths */
  const under = (paths) => listed.some(belongsTo(paths, ""))
  if ((each.lacks ?? []).some(under) || !(each.needs ?? []).every(under)) return false
  if (!each.letters.every((letter) => letters.has(letter))) return false
  return Boolean(each.adds || each.resized || each.instead) || listed.some(each.touches)
}

/** The sizes that one counts with who takes another size for some letters. @param {Sizes} sizes @param {Deviation[]} made */
export function resized(sizes, made) {
  const found = { ...sizes }
  for (const { letter, taken } of made) {
    if (!letter) continue
    const step = Number(/^multiple of ([0-9]+)$/.exec(taken)?.[1] ?? 0)
    const other = () => (taken in sizes ? found[taken] : models.get(taken).sizes[letter])
    if (step) found[letter] = Math.ceil(found[letter] / step) * step
    else found[letter] = /^[0-9]+$/.test(taken) ? Number(taken) : other()
  }
  return found
}

/** Whether two give the same letter another size, or one counts something else altogether and stands beside others.
 * @param {Deviation[]} made */
const exclude = (made) =>
  made.some((each, place) => each.letter && made.findIndex((other) => other.letter === each.letter) < place) ||
  (made.length > 1 && made.some((each) => each.instead))

/** @param {Deviation} each @param {Sizes} sizes  what it adds, or counts instead */
export const added = (each, sizes) =>
  each.shapes.reduce((sum, { sign, shape }) => sum + sign * product(shape, sizes), 0)

// --- The rows of a class ----------------------------------------------------

/** The rows that a class has by some choices, and the deviations that fit it with what each touches. */
class Rows {
  /** @param {ModelClass} modelClass @param {Row[]} listed */
  constructor({ layers }, listed) {
    this.layers = layers
    this.listed = listed
    this.letters = new Set([...layers, "A", ...lettersOf(listed)])
    /** @type {Map<Deviation, Row[] | null>} */
    this.touched = new Map()
    /** @type {Map<string, Set<Row>>} */
    this.selections = new Map()
    /** The items with no deviation, or with one. @type {{ tied: Map<Deviation | null, Item[]>, untied: Map<Deviation | null, Item[]> }} */
    this.counted = { tied: new Map(), untied: new Map() }
  }

  /** The rows that a deviation touches; null where it does not fit.
   * @param {Deviation} each */
  touchedBy(each) {
    return kept(this.touched, each, () => (fits(each, this) ? this.listed.filter(each.touches) : null))
  }

  /** The rows of a part, in letters or of one layer.
   * @param {string} path @param {string} tag */
  selected(path, tag) {
    const belongs = () => belongsTo(path.replace(/\blayer_[0-9]+/g, "layer_*"), tag)
    const isThere = (/** @type {Row} */ row) => !(row.but_first && /\blayer_0+\b/.test(path))
    return kept(this.selections, `${path} ${tag}`, () => new Set(this.listed.filter(belongs()).filter(isThere)))
  }

  /** What counts the layers that have a tensor of a row. @param {Row} row */
  layersOf({ repeated, but_first }) {
    return repeated ? (but_first ? this.layers.map(butFirst) : this.layers) : []
  }
}

/** @type {Map<string, Rows>} */
const known = new Map()

/** @param {Row} row @param {Choices} settled @param {Sizes} sizes  whether the row is there */
function isThere({ when }, settled, sizes) {
  if (!when) return true
  const [one, other] = when.split("≠")
  return other ? sizes[one] !== sizes[other] : settled[/** @type {keyof Choices} */ (when)]
}

/** @param {ModelClass} modelClass @param {Choices} settled @param {Sizes} sizes */
function rowsOf(modelClass, settled, sizes) {
  const there = modelClass.rows.map((row) => isThere(row, settled, sizes))
  const key = modelClass.name + there.map(Number).join("")
  return kept(known, key, () => {
    const listed = modelClass.rows.filter((_, place) => there[place])
    return new Rows(modelClass, listed)
  })
}

// --- Counting ---------------------------------------------------------------

// Up to here whole numbers are exact in a script. A sum that goes beyond is known to: what it is rounded to is no less.
export const MOST = Number.MAX_SAFE_INTEGER

/** What an item comes to; null where a share of it is not whole.
 * @param {Item} item @param {Sizes} sizes @param {boolean} [oneLayer]  whether it is counted in one layer only */
export function numberOf({ shape, layers, above, below }, sizes, oneLayer = false) {
  const number = product(shape, sizes) * product(above, sizes) * (oneLayer ? 1 : product(layers, sizes))
  // With no layers there is nothing to share out among them.
  const divisor = below.reduce((/** @type {number} */ all, each) => all * (sized(each, sizes) || 1), 1)
  return number % divisor ? null : number / divisor
}

/** @template T @param {Iterable<T>} items @param {(each: T) => number} number */
export function sumBy(items, number) {
  let sum = 0
  for (const each of items) sum += number(each)
  return sum
}

/** What items come to together; null where a share is not whole.
 * @param {Item[]} items @param {Sizes} sizes @param {boolean} [oneLayer] */
export function sumOf(items, sizes, oneLayer = false) {
  let sum = 0
  for (const item of items) {
    const number = numberOf(item, sizes, oneLayer)
    if (number === null) return null
    sum += number
  }
  return sum
}

/** A class of some sizes, to be counted rightly and otherwise, in whole or in part. */
export class Counter {
  /** @param {string} name @param {Sizes} sizes @param {Partial<Choices>} choices */
  constructor(name, sizes, choices = {}) {
    const modelClass = classes.get(name)
    const settled = { ...modelClass.usual, ...choices, ...modelClass.fixed }
    this.sizes = sizes
    this.tied = settled.tied
    this.rows = rowsOf(modelClass, settled, sizes)
  }

  /** @param {string[]} names  the deviations of these names; null where one does not fit, or two exclude each other */
  made(names) {
    const made = names.map((name) => deviations.get(name))
    return exclude(made) || made.some((each) => !this.rows.touchedBy(each)) ? null : made
  }

  /** What is counted: each row with its factors, and what is added to the rows. @param {Deviation[]} made */
  items(made) {
    if (made.length > 1) return this.itemsOf(made)
    return kept(this.rows.counted[this.tied ? "tied" : "untied"], made[0] ?? null, () => this.itemsOf(made))
  }

  /** @param {Deviation[]} made @returns {Item[]} */
  itemsOf(made) {
    const added = made.flatMap(({ name, shapes }) =>
      shapes.map(({ sign, shape }, place) => ({
        ...{ row: null, path: `${name} ${place}`, shape, layers: [] },
        ...{ factors: sign > 0 ? [] : ["−1"], above: [sign], below: [] },
      })),
    )
    return [...this.rows.listed.map((row) => this.item(row, made)), ...added]
  }

  /** @param {Row} row @param {Deviation[]} made @returns {Item} */
  item(row, made) {
    const touching = made.filter((each) => each.touches(row))
    const factors = touching.map((each) => each.factor).filter((each) => each !== "1")
    const tied = this.tied && row.tied_to && !touching.some((each) => each.unties)
    const none = tied || made.some((each) => each.replaces(row)) || factors.includes("0")
    const common = { row, path: row.path, shape: row.dimensions, layers: this.rows.layersOf(row) }
    if (none) return { ...common, factors: ["0"], above: [0], below: [] }
    return { ...common, factors, above: touching.map((each) => each.above), below: touching.map((each) => each.below) }
  }

  /** What is counted of a part, to which nothing that is added belongs; of the whole, all. @param {Deviation[]} made @param {string} path @param {string} tag */
  itemsUnder(made, path, tag) {
    if (!path && !tag) return this.items(made)
    const chosen = this.rows.selected(path, tag)
    return this.items(made).filter(({ row }) => row && chosen.has(row))
  }

  /** The sizes that one counts with. @param {Deviation[]} made */
  sizesWith(made) {
    return resized(this.sizes, made)
  }

  /** The number of parameters; null where a share is not whole. @param {Deviation[]} made @param {string} path @param {string} tag */
  number(made, path = "", tag = "") {
    return sumOf(this.itemsUnder(made, path, tag), this.sizesWith(made), isOneLayer(path))
  }
}

/** The number of parameters of a question; null where it has none: a deviation does not fit, two exclude each other, or a
 * share is not whole. @param {Question} question */
export function count({ modelClass, sizes, choices, part = "", tag = "", deviations: names = [] }) {
  const counter = new Counter(modelClass, sizes, choices)
  const made = counter.made(names)
  return made && counter.number(made, part, tag)
}

/** Tensors of a class; one that shares another's weights is listed with its owner only.
 * @param {string} modelClass @param {Sizes} sizes */
export function tensors(modelClass, sizes) {
  const { rows } = new Counter(modelClass, sizes)
  return rows.listed.reduce((sum, row) => sum + (row.tied_to ? 0 : product(rows.layersOf(row), sizes)), 0)
}

/** The class without a head, which is the first. @param {string} architecture @returns {string} */
export const classOfBare = (architecture) => classesOf(architecture)[0].name
/** What an architecture has unasked. @param {string} architecture */
export const usualChoices = (architecture) => classesOf(architecture)[0].usual
/** @param {string} architecture */
export const classesOf = (architecture) => everyClass.filter((each) => each.architecture === architecture)

/** @param {number} number  an integer as read: commas between thousands, a true minus sign */
export const whole = (number) =>
  String(number)
    .replace(/\B(?=(?:[0-9]{3})+$)/g, ",")
    .replace("-", "−")

/** What so many things are called. @param {number} number @param {string} one @param {string} many */
export const noun = (number, one, many = `${one}s`) => (number === 1 ? one : many)
