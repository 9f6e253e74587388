// The types that the scripts in docs/assets/calculator share. Only the type checker reads this file.

/** The reader's choices and typed texts. */
interface FormState {
  fields: Fields
  /** The fields of each configuration beside it. */
  beside: Fields[]
}

/**
 * The configuration that some fields describe, with the stages that lead to it: first the model with the
 * typed sizes, then one stage per change, each with the change's name. If a field is wrong, there are only
 * errors.
 */
interface Evaluation {
  configuration: Configuration | null
  stages: { name: string; configuration: Configuration }[]
  whatIfs: WhatIf[]
  errors: WrongField[]
}

/** The field that was changed last, and what was shown before. */
interface LastChange {
  key: string
  before: View
  /** Whether the field has lost the focus since; then its next change is a new one. */
  isOver?: boolean
}

/** Everything that the parts of the page show. */
interface View extends Evaluation, FormState {
  configuration: Configuration
  /** A note if transformers refuses this number of heads; otherwise empty. */
  note: string
  /**
   * Whether this is the configuration in the fields. If they cannot be counted, it is the last one that
   * could.
   */
  valid: boolean
  last: LastChange | null
  counts: Counts
  available: Available
}

type Counts = CountedConfiguration

/** A column of the picture: blocks of equal size, such as the layers. */
interface PictureGroup {
  block: string
  label: string
  each: number
  times: number
  page: string
  /** The numbers of parameters in one layer, by block. */
  within: [block: string, number: number][]
  /** The number of blocks that are frozen. */
  frozenTimes: number
}

/** Connects a part of the page to the state: `onChange` is called with every change that the reader makes. */
type Listen = (current: () => FormState, onChange: (state: FormState, key: string) => void) => void
