// What the scripts of docs/assets/calculator share; only the checker reads this file.

/** Text, or what makes a cell anew once its key is another. */
type Cell = string | { key: string; make: () => Content[] }

interface LiveTable {
  element: HTMLElement
  /** Shows these rows, each with its name, and below them the one that adds them up. */
  show(caption: string, rows: [name: string, cells: Cell[]][], last?: Cell[]): void
  rowOf(name: string): HTMLElement | null
}

/** What a reader chose and typed, as typed. */
interface Typed {
  /** The published model to start from. */
  model: string
  modelClass: string
  sizes: Record<string, string>
  choices: Choices
  biases: boolean
  /** Another size of the vocabulary, or "". */
  vocabulary: string
  /** The what-ifs that are on and change a size. */
  more: string[]
  frozen: { embeddings: boolean; layers: string; all_but_head: boolean }
  lora: { rank: string; modules: string[] } | null
  /** The published model that the bridge begins at, or "" for the one to start from. */
  to: string
  /** What stands beside it. */
  beside: Typed[]
}

/** A change that a what-if makes to what was there before it. */
interface Hop {
  name: string
  from: Configuration
  to: Configuration
}

/** What a state says: a configuration, or what is wrong. */
type Evaluated =
  | { configuration: Configuration; base: Configuration; hops: Hop[]; whatIfs: WhatIf[]; errors: WrongField[] }
  | { configuration: null; base: null; hops: Hop[]; whatIfs: WhatIf[]; errors: WrongField[] }

/** What was changed last, and what was shown before. */
interface LastChange {
  key: string
  before: Shown
  /** Whether the field was left since, so that another change of it is compared with this one. */
  isOver?: boolean
}

/** Everything that the panels show. */
interface Shown {
  typed: Typed
  configuration: Configuration
  /** The configuration of the fields alone, without what-ifs. */
  base: Configuration
  hops: Hop[]
  whatIfs: WhatIf[]
  errors: WrongField[]
  /** What is to be said of heads that transformers refuses, or nothing. */
  note: string
  /** Whether this is what the fields say, and not the last that could be counted. */
  valid: boolean
  last: LastChange | null
  counted: Counted
  offered: Offered
  /** The published model in the same class. */
  published: Counted
}

type Counted = CountedConfiguration

/** A column of the picture. */
interface PictureGroup {
  style: string
  label: string
  each: number
  times: number
  page: string
  /** What a layer holds, by block. */
  within: Map<string, number> | null
}

/** Shows something anew, in its place. */
interface Panel {
  place: HTMLElement
  show(shown: Shown): void
}
/** Tells the page that a reader changed something. */
type Listen = (current: () => Typed, changed: (typed: Typed, key: string) => void) => void
