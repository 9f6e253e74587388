// What the scripts of docs/assets share: the table that the build exports as
// data/table.js, and what the scripts add to `bertCounted` for each other.
// Only the checker reads this file.

declare var bertCounted: {
  table: Table
  /** Added by counting/engine.js. */
  engine: Engine
  /** Added by counting/bridge.js: the steps from a count with mistakes to the right total. */
  bridge(modelClass: string, sizes: Sizes, mistakes: string[]): Step[]
  /** Added by explaining/explain.js: every way to a number, the likeliest first; null where the text holds no number. */
  explain(text: string, model?: string): Explanation[] | null
  /** Added by explaining/explain.js: what a text says; null where it holds no number. */
  read(text: string): NumberRead | null
  /** Added by explaining/explain.js: the least and the greatest number that a rounded one may be, in units of this size. */
  bounds(read: NumberRead, unit?: number): [low: number, high: number]
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
  symbols: { letter: string; key: string; meaning: string; source: string; smallest: number; needed: boolean }[]
  rows: { path: string; shape: string; block: string; tags?: string[]; tied_to?: string }[]
  blocks: Record<string, { title: string; page: PageAddress }>
  classes: { name: string; purpose: string; pooler: string; rows: number[] }[]
  models: [Model, ...Model[]]
  mistakes: Mistake[]
  /** Bytes per number. */
  dtypes: Record<string, number>
  units: { counts: Record<string, number>; bytes: Record<string, number> }
  explanations: {
    parts: Part[]
    known: { model: string; class: string; mistakes: string[]; printed_in: string[] }[]
    sources: Record<string, { title: string; url: string }>
    costs: Record<"groups" | "classes" | "dtypes" | "ways", Record<string, number>>
    limits: Record<"most_mistakes" | "largest" | "most_labels" | "many_labels" | "most_near" | "longest", number>
    twins: Record<string, number>
    order: string
    pages: Record<"memory" | "tensors" | "claims" | MistakeKind, PageAddress>
  }
}

interface Model {
  name: string
  title: string
  group: string
  sizes: Sizes
  page: PageAddress
}

type MistakeKind = "mistake" | "convention"

interface Mistake {
  name: string
  kind: MistakeKind
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
  classes?: string[]
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

interface Engine {
  models: ByName<Model>
  mistakes: ByName<Mistake>
  /** The parameters of a class; null where a mistake shares them out and they do not divide evenly. */
  count(modelClass: string, sizes: Sizes): number
  count(
    modelClass: string,
    sizes: Sizes,
    options: { path?: string; tag?: string; mistakes?: string[]; tied?: boolean },
  ): number | null
  /** An integer with commas between thousands and a true minus sign. */
  whole(number: number): string
}

/** One mistake undone: what this adds to the count, as a number and as a formula. */
interface Step {
  mistake: string
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
