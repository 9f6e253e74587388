// What the scripts of docs/assets/calculator share; only the checker reads this file.

/** What a reader chose and typed. */
interface Typed {
  fields: Fields
  /** The fields of what stands beside it. */
  beside: Fields[]
}

/** What a state says: the configuration and the way to it, from that of the sizes alone through each change by its name; or what is wrong. */
interface Evaluated {
  configuration: Configuration | null
  stages: { name: string; configuration: Configuration }[]
  whatIfs: WhatIf[]
  errors: WrongField[]
}

/** What was changed last, and what was shown before. */
interface LastChange {
  key: string
  before: Shown
  /** Whether the field was left since, so that another change of it is compared with this one. */
  isOver?: boolean
}

/** Everything that the panels show. */
interface Shown extends Evaluated, Typed {
  configuration: Configuration
  /** What is to be said of heads that transformers refuses, or nothing. */
  note: string
  /** Whether this is what the fields say, and not the last that could be counted. */
  valid: boolean
  last: LastChange | null
  counted: Counted
  offered: Offered
}

type Counted = CountedConfiguration

/** A column of the picture. */
interface PictureGroup {
  block: string
  label: string
  each: number
  times: number
  page: string
  /** What a layer holds, by block. */
  within: [block: string, number: number][]
  /** How many are not trained. */
  still: number
}

/** Tells the page that a reader changed something. */
type Listen = (current: () => Typed, changed: (typed: Typed, key: string) => void) => void
