// The types that the scripts in docs/assets/calculator share. Only the type checker reads this file.

/** The reader's choices and typed texts. */
interface FormState {
  fields: Fields
  /** The fields of each configuration that the reader compares with. */
  beside: Fields[]
}

/**
 * The configuration in the fields, with the stages that lead to it: first the model with the typed sizes, then
 * one stage per change, with the name of the change. If a field is wrong, there are only errors.
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
  /** Whether the field has lost the focus since, so that its next change is a separate one. */
  isOver?: boolean
}

/** Everything that the parts of the page show. */
interface View extends Evaluation, FormState {
  configuration: Configuration
  /** A note if transformers refuses this number of heads; otherwise empty. */
  note: string
  /**
   * Whether this is the configuration in the fields. If the fields have errors, it is the last configuration
   * without any.
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
