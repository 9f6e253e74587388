// What the scripts of docs/assets share: the table that the build exports as
// data/table.js, and what the scripts add to `bertCounted` for each other.
// Only the checker reads this file.

declare var bertCounted: {
  table: Table
  /** Added by counting/engine.js. */
  engine: Engine
  /** Added by counting/bridge.js: the steps from a count with deviations to the right total. */
  bridge(modelClass: string, sizes: Sizes, deviations: string[]): Step[]
  /** Added by explaining/read.js: what a text says; null where it holds no number. */
  read(text: string): NumberRead | null
  /** Added by explaining/read.js: the least and the greatest number that a rounded one may be, in units of this size. */
  bounds(read: NumberRead, unit?: number): [low: number, high: number]
  /** Added by explaining/totals.js. */
  totals: Totals
  /** Added by explaining/explain.js: every way to a number, the likeliest first; null where the text holds no number. */
  explain(text: string, model?: string): Explanation[] | null
  /** Added by explaining/explain.js: works out a little of what every answer needs; whether any is left. */
  prepare(): boolean
}

// --- The table ---------------------------------------------------------------
// Its schema is TABLE_SCHEMA in macros/rendering/schemas.py, which says what
// the fields mean. A test compares these types with the table itself.

/** The sizes of a model by letter. */
type Sizes = Record<string, number>

/** An address from the top of the site. */
type PageAddress = string

interface Table {
  symbols: { letter: string; key: string; meaning: string; source: string; usual: number | null; smallest: number }[]
  /** What decides which rows there are and count, where nothing else does. */
  choices: Choices
  /** The rows of all architectures. */
  rows: RowFields[]
  blocks: Record<string, { title: string; page: PageAddress }>
  architectures: {
    name: string
    title: string
    keys: Record<string, string>
    layers: string[]
    classes: { name: string; purpose: string; fixed: Partial<Choices>; rows: number[] }[]
  }[]
  models: [Model, ...Model[]]
  deviations: DeviationFields[]
  /** Bytes per number. */
  dtypes: Record<string, number>
  units: { counts: Record<string, number>; bytes: Record<string, number> }
  explanations: {
    parts: Part[]
    known: { model: string; class: string; deviations: string[]; printed_in: string[] }[]
    sources: Record<string, { title: string; url: string }>
    costs: Record<"groups" | "classes" | "dtypes" | "ways", Record<string, number>>
    limits: Record<"most_mistakes" | "largest" | "most_labels" | "many_labels" | "most_near" | "longest", number>
    twins: Record<string, number>
    pages: Record<"memory" | "tensors" | "claims" | DeviationKind, PageAddress>
  }
}

type Choices = Record<"pooler" | "tied" | "cross_attention", boolean>

interface RowFields {
  path: string
  shape: string
  block: string
  tags?: string[]
  tied_to?: string
  /** The choice that brings the row, or two sizes that must differ. */
  when?: string
}

interface Model {
  name: string
  title: string
  group: string
  architecture: string
  sizes: Sizes
  page: PageAddress
}

type DeviationKind = "mistake" | "convention"

interface DeviationFields {
  name: string
  kind: DeviationKind
  usual: number
  title: string
  why: string
  notice: string
  model_class: string
  effect?: string
  part?: string
  tag?: string
  factor?: string
  unties?: boolean
  adds?: string
  resized?: string
  instead?: string
  same_as?: string[]
  needs?: string[]
  lacks?: string[]
}

interface Part {
  path: string
  class: string
  words: string
  page: PageAddress
  tag?: string
  share?: boolean
}

// --- What the scripts add ----------------------------------------------------

/** A map that is only asked for names that the table itself uses, so that there always is an entry. */
interface ByName<Entry> extends Map<string, Entry> {
  get(name: string): Entry
}

/** A number or a letter. */
type Dimension = number | string

/** A row of the table, with what follows from its fields. */
interface Row extends Omit<RowFields, "tags"> {
  dimensions: Dimension[]
  /** Whether it stands once in every layer. */
  repeated: boolean
  tags: Set<string>
}

interface ModelClass {
  name: string
  architecture: string
  /** The letters whose product is the number of layers with weights of their own. */
  layers: string[]
  fixed: Partial<Choices>
  /** Every row that it may have. */
  rows: Row[]
}

interface Deviation extends DeviationFields {
  factor: string
  /** What it multiplies by. */
  above: Dimension
  /** What it divides by. */
  below: Dimension
  unties: boolean
  /** The letter that it gives another size, or "". */
  letter: string
  /** What takes the letter's place: a number, another letter or a model. */
  taken: string
  /** The letters that it uses or changes. */
  letters: string[]
  shapes: { sign: number; shape: Dimension[] }[]
  touches(row: Row): boolean
}

/** The rows that a class has by some choices. */
interface Rows {
  layers: string[]
  listed: Row[]
  /** The deviations that fit them. */
  fitting: Deviation[]
  /** The places of the rows that each of these touches. */
  touched: Map<Deviation, number[]>
  places(condition: (row: Row) => boolean): number[]
}

/** A tensor as somebody counts it, with the factors that multiply it. */
interface Item {
  path: string
  shape: Dimension[]
  layers: string[]
  factors: string[]
}

/** A coefficient times letters, in each of so many layers. */
interface Term {
  coefficient: number
  letters: string[]
  layers: string[]
}

/** What is counted: a class of some sizes, a part of it, and what is done otherwise. */
interface Question {
  modelClass: string
  sizes: Sizes
  choices?: Partial<Choices>
  part?: string
  tag?: string
  deviations?: string[]
}

/** A class of some sizes, to be counted rightly and otherwise. */
interface CounterOfClass {
  sizes: Sizes
  rows: Rows
  made(names: string[]): Deviation[] | null
  number(made: Deviation[], path?: string, tag?: string): number | null
  selects(place: number, path: string, tag: string): boolean
  sizing(made: Deviation[], oneLayer: boolean): { sizes: Sizes }
  items(made: Deviation[]): Item[]
}

interface Engine {
  Counter: new (modelClass: string, sizes: Sizes, choices?: Partial<Choices>) => CounterOfClass
  classes: ByName<ModelClass>
  deviations: ByName<Deviation>
  models: ByName<Model>
  rows: Row[]
  /** What a deviation adds, or counts instead of everything. */
  added(deviation: Deviation, sizes: Sizes): number
  /** The parameters of a question; null where it has no number. */
  count(question: Question): number | null
  /** The tensors of a class, a tied one not counted. */
  tensors(modelClass: string, sizes: Sizes): number
  /** An integer with commas between thousands and a true minus sign. */
  whole(number: number): string
}

/** The totals of one model in one class, and what deviations change: each alone, two together, three together. */
interface Space {
  models: string[]
  classes: string[]
  total: number
  deviations: string[]
  alone: Float64Array
  together: Float64Array[]
  allThree: Map<number, Float64Array>
  reached: Uint8Array
}

/** A total, the models and classes that have it, and the deviations that lead to it. */
interface TotalFound {
  number: number
  models: string[]
  classes: string[]
  mistakes: string[]
}

interface Totals {
  buildOne(): boolean
  grouped<T>(items: Iterable<T>, key: (each: T) => unknown): T[][]
  lazily<T>(make: () => T): () => T
  search(low: number, high: number, most: number, model: string): TotalFound[]
  /** The models whose numbers are explained. */
  searched: Model[]
}

/** One deviation undone: what this adds to the count, as a number and as a formula. */
interface Step {
  deviation: string
  value: number
  formula: string
}

interface NumberRead {
  /** All digits as one integer, those after the decimal mark included. */
  digits: bigint
  decimals: number
  unit: string
  size: number
  ofMemory: boolean
  /** Whether the text means one number only, and not every number that rounds to it. */
  exact: boolean
}

type ExplanationKind = "total" | "part" | "tensors" | "labels" | "memory" | "near"

/** One way to a number. Fields that its kind does not use are empty, zero or one. */
interface Explanation {
  kind: ExplanationKind
  /** What is counted, or the number of bytes where the kind is "memory". */
  number: number
  /** How unlikely it is. */
  cost: number
  /** The names of the models that it holds for, the likeliest first. */
  models: string[]
  classes: string[]
  mistakes: string[]
  parts: Part[]
  labels: number
  dtype: string
  /** The bytes of the unit in which memory is given. */
  unit: number
  /** What the number asked for has more than the nearest total. */
  rest: number
  rest_parts: Part[]
  /** The rest in rows as wide as the hidden size; zero where it is no whole number of them. */
  rest_rows: number
  /** The sources that print the number. */
  printed_in: string[]
}
