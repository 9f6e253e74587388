// The types of the scripts in docs/assets: the tables that the build exports to docs/data,
// and the values that scripts derive from them. Only the type checker reads this file.

// --- Exercises ---------------------------------------------------------------
// Exported by macros/teaching/files.py; the modules of macros/teaching explain the fields.

/** One line of a sum, in letters. */
interface LineInLetters {
  label: string
  /** Products, each with its factors separated by spaces. */
  summands: string[]
}

/** One line of a sum, worked out for some sizes. */
interface WorkedLine {
  text: string
  result: number
}

/** A question of an exercise. macros/teaching/ways.py explains `ways` and `slips`, and further.py `further`. */
interface Ask {
  class: string
  /** The models that the question may be about; empty if it may be about any BERT. */
  models: string[]
  part: string
  words: string
  formula: string
  lines: LineInLetters[]
  /** The last step of the sum, as a hint. */
  step: string
  /** The unit of the answer: parameters, or operations for one text. */
  unit: "parameters" | "FLOPs" | "MACs"
  /** Whether the part is a single tensor. */
  tensor: boolean
  /** The page that explains how to count it, relative to the root of the site. */
  page: string
  ways: [deviation: string, difference: string, kind: number, reach: number][]
  slips: [name: string, difference: string | number, what: string, other?: string][]
  /** Slips that take a vector for one number; empty if the sum has no vector. */
  singles: Ask["slips"]
  /** The last two are indices in the list of phrases. */
  further: [name: string, difference: string, text: string, what: number, more: number][]
}

/** A set of exercises: everything that its variants have in common. */
interface ExerciseSet {
  name: string
  title: string
  kind: "number" | "memory" | "configuration" | "mistake" | "share"
  text: string
  hints: string[]
  /** The indices of its questions in the list of all questions. */
  asks: number[]
  /** Whether all of its questions are about parts of BERT as the engine counts them. */
  of_parts: boolean
  dtypes: string[]
  /** The model of the first variant; "" if it is drawn like any other. */
  opens_with: string
  /** The deviations that the reader may be asked to find. */
  mistakes: string[]
  /** The height in pixels of a frame that shows a variant. */
  frame: number
  /** The page that explains its questions, if that is not the page about their part; otherwise "". */
  page: string
}

/** The content of data/exercises.js. */
interface Exercises {
  texts: Record<string, string>
  /** Deviations that only exercises use. */
  deviations: DeviationFields[]
  /** The numbers and names that variants are drawn from; macros/teaching/exercises.toml explains them. */
  draw: {
    own: number
    models: string[]
    /** Groups of models that are mistaken for one another. */
    confused: string[][]
    head: number
    inner: number
    labelled: string[]
    options: number
    last: number
    training: number
  }
  /** The names of sizes, by letter. */
  names: Record<string, string>
  sizes: Record<string, number[]>
  /** Units of memory: each decimal unit is followed by its binary counterpart. */
  units: { name: string; power: string; bytes: number }[]
  asks: Ask[]
  /** Words in feedback on further numbers. */
  phrases: string[]
  sets: ExerciseSet[]
  /** The sum of each block, by class and block, for the classes in which a mistake is to be found. */
  blocks: Record<string, Record<string, LineInLetters[]>>
  /** For each class, the question about the whole model and the parts to count, with their blocks. */
  totals: {
    ask: number
    parts: [ask: number, block: string][]
    /** The index in `parts` of the part for all layers. */
    layers: number
    /** The columns of the picture: the letter for the number of repetitions, and the indices of the parts. */
    columns: { times: string; parts: number[] }[]
  }[]
  /** The exercises that lead from one cell to the whole model. */
  path: { title: string; set: string; seed: number }[]
  /** The titles of the pages that explain how to count, by address. */
  pages: Record<string, string>
}

/** A known wrong answer, with its causes and the feedback on it. */
interface WrongAnswer {
  names: string[]
  number: number
  titles: string[]
  feedback: string
}

/** An answer in a multiple-choice question. */
interface ExerciseOption {
  name: string
  text: string
  isCorrect: boolean
  feedback: string
}

/** A line of a solution or of a ledger, with its label and its sum. */
interface SolutionStep {
  label: string
  text: string
}

/** A part of a right sum, with its label, its number, and the parts that add up to it, if any. */
interface PartOfSum {
  what: string
  number: number
  parts: PartOfSum[]
}

/** One variant of a set. */
interface Exercise {
  set: string
  seed: number
  kind: ExerciseSet["kind"]
  text: string
  sizesText: string
  answer: number
  unit: string
  hints: string[]
  solution: SolutionStep[]
  wrongAnswers: WrongAnswer[]
  further: WrongAnswer[]
  /** The right sum as a tree. */
  sum: PartOfSum
  options: ExerciseOption[]
  ledger: SolutionStep[]
  /** The name of the model; "" if its sizes are made up. */
  model: string
  sizes: Sizes
  /** The page that explains how to count it, relative to the root of the site. */
  page: string
}

/**
 * The verdict on an answer: `right`; `rounded`, if the number must be more exact; `known`, a wrong answer
 * whose reason is known; `slip`, the right number with a digit mistyped; `unread`, if it is not a number of
 * the right kind; or `unknown`.
 */
interface Verdict {
  kind: "right" | "rounded" | "known" | "slip" | "unread" | "unknown"
  feedback: string
}

// --- Configurations ------------------------------------------------------------

/** The parts of a model that are not trained. */
interface Frozen {
  embeddings: boolean
  /** The number of frozen layers, from the first. */
  layers: number
  all_but_head: boolean
}

/** A method that trains a few parameters, added or not, instead of the whole model: for example, LoRA. */
interface Tuning {
  method: string
  /** The main size of the method: the rank of LoRA, the width of an adapter, or the number of prompt tokens;
   * 0 if it has none. */
  rank: number
  /** The width of the prompt encoder; 0 if there is none. */
  width: number
  modules: string[]
  /** Those of the modules whose input is scaled instead of their output. */
  feedforward: string[]
}

/** A model with all changes to it, as the calculator counts it. */
interface Configuration {
  architecture: string
  modelClass: string
  sizes: Sizes
  choices: Choices
  /** Whether dense layers have biases. */
  biases: boolean
  frozen: Frozen
  tuning: Tuning | null
  /** The total number of pruned heads in all layers. */
  pruned: number
}

/** One row of a count: a tensor, or the tensors with the same name in all layers. */
interface CountedRow {
  path: string
  /** The name in transformers or PEFT, with an asterisk in place of a layer's number. */
  name: string
  letters: string[]
  shape: number[]
  /** The number of layers that have the tensor; 1 outside the layers. */
  layers: number
  /** The elements of the tensor in a single layer. */
  elementsPerLayer: number
  /** The elements that the row adds to the total. */
  number: number
  trainable: number
  block: string
  /** The name of the tensor whose weights it shares; "" if it shares none. */
  tied: string
  /**
   * The block of a tensor that a method adds, or "copied-head" for a copy; "" for a tensor of the model
   * itself.
   */
  added: string
  /** The kind and the name of the module that a method adds it to. */
  at: string
  module: string
  /** Whether bitsandbytes packs it. */
  packed: boolean
  /** Whether the first layer lacks it. */
  skipsFirstLayer: boolean
}

/** Bytes in memory. */
interface Memory {
  weights: number
  /** The bytes of scales, which unpack the weights; they are included in `weights`. */
  scales: number
  gradients: number
  adam: number
  all: number
}

/** A configuration, counted. */
interface CountedConfiguration {
  total: number
  trainable: number
  rows: CountedRow[]
  parts: { block: string; title: string; page: PageAddress; number: number; trainable: number; share: number }[]
  formula: string
  sum: SumLine[]
  /** The bytes of training, by data type and by format of packed matrices. */
  bytes: Record<string, Memory>
}

/** A line of a sum that is worked out. */
interface SumLine {
  text: string
  /** The label of the line. */
  what: string
  kind: string
  block: string
}

/**
 * A node in the tree of a sum: a tensor with its factors, or the sum of its children, with the number of times
 * that it occurs.
 */
interface SumNode {
  kind: string
  /** The paths of its tensors, or of its module. */
  paths: string[]
  children: SumNode[]
  factors: Dimension[]
  times: Dimension[]
  block: string
  /** The index of its first tensor in the model. */
  place: number
}

/**
 * The change in one step. `key` is the letter of a size, or the block that the step is limited to;
 * otherwise empty.
 */
interface Change {
  kind: "size" | "class" | "architecture" | "biases" | "frozen" | "tuning" | "pruned" | keyof Choices
  key: string
  from: string | number | boolean
  to: string | number | boolean
}

/**
 * One step of the calculator's bridge. If it freezes something, its formula counts the trainable
 * parameters.
 */
interface ChangeStep extends Change, Step {
  trainable: number
  /** The sizes with which the formula can be worked out. */
  sizes: Sizes
}

/** A small single change, with the difference that it makes to the total. */
interface WhatIf {
  name: string
  to: Configuration
  value: number
}

/** The fields that make a difference for a class, and the modules to which a method can be applied. */
interface Available extends Choices {
  labels: boolean
  head: boolean
  modules: string[]
}

/** The part of a count that does not depend on the sizes. */
interface Tensors {
  items: ItemOfBlock[]
  /** The items that add to the total. */
  countedItems: ItemOfBlock[]
  /** All items in the order in which the library lists them. */
  itemsInOrder: ItemOfBlock[]
  formula: string
}

/** A configuration on the way to another, with its sizes and items. */
interface State {
  configuration: Configuration
  sizes: Sizes
  items: ItemOfBlock[]
}

/** An error: the key of a config or the name of a field, and a message. */
interface WrongField {
  key: string
  message: string
}

/**
 * The texts in the fields of the calculator, by the fields' names. For a group of checkboxes, the text lists
 * the checked ones, separated by commas.
 */
type Fields = Record<string, string>

/** The result of reading a config.json. */
type ReadConfig =
  | {
      configuration: Configuration
      /** The class that the config names, if its architecture has it. */
      namedClass: string | null
      /** A class that the config names, but that is not counted, as quoted in messages. */
      uncountedClass: string | null
      /** The keys that affect no size, and the unknown keys. */
      ignoredKeys: string[]
      unknownKeys: string[]
      blockingKeys: [string, string][]
      errors: []
    }
  | {
      configuration: null
      namedClass: null
      uncountedClass: null
      ignoredKeys: []
      unknownKeys: []
      /** The keys that may affect tensors that are not counted, each with the reason. */
      blockingKeys: [string, string][]
      errors: WrongField[]
    }

/** The result of checking the calculator's fields. */
interface CheckedFields {
  configuration: Configuration | null
  /** The size to which the vocabulary is resized, or else the model's own. */
  vocabulary: number
  errors: WrongField[]
}

// --- The table ---------------------------------------------------------------
// `Table` is the content of data/table.js. table_type.py, in this folder, derives it from the published
// schema, TABLE_SCHEMA in macros/rendering/files/schemas.py.

/** The sizes of a model by letter. */
type Sizes = Record<string, number>

/** An address relative to the root of the site; "" if there is no page. */
type PageAddress = string

type Choices = Table["choices"]
type RowFields = Table["rows"][number]
type Model = Table["models"][number]
type Method = Table["changes"]["methods"][number]
type DeviationFields = Table["deviations"][number]
type DeviationKind = DeviationFields["kind"]
type PartFields = Table["explanations"]["parts"][number]

/** A way to count a part. macros/counting/search/entries.py explains the fields. */
interface CountedPart {
  cost: number
  if_rounded: number
  percentage_cost?: number
  is_counted_in_some_layers?: boolean
  is_counted_in_relatives?: boolean
  deviation_indices?: number[]
}

type Part = PartFields & CountedPart

// --- Values that scripts derive ----------------------------------------------

/** A map that is only queried for names from the table itself, so that there is always an entry. */
interface ByName<Entry> extends Map<string, Entry> {
  get(name: string): Entry
}

/** A size in a shape: a number, or letters such as H, 2F or H−E. */
type Dimension = number | string

/** A row of the table, with values that follow from its fields. */
interface Row extends Omit<RowFields, "tags"> {
  dimensions: Dimension[]
  /** Whether it is in the layers, perhaps in all but the first. */
  repeated: boolean
  tags: Set<string>
}

/** A class of an architecture, such as BertForMaskedLM. */
interface ModelClass {
  name: string
  purpose: string
  architecture: string
  /** The prefix of the names of all tensors outside the heads; may be empty. */
  prefix: string
  /** The letters whose product is the number of layers with their own weights. */
  layers: string[]
  /** The defaults for its open choices. */
  defaults: Choices
  fixed: Partial<Choices>
  /** The only number of labels that it accepts; null if it accepts any. */
  labels: number | null
  /** Every row that it may have, depending on the choices. */
  rows: Row[]
  /** Its open choices, "labels" if their number is open, and "head" if it has one. */
  offers: string[]
  /**
   * The bias that does not get the new length if the vocabulary is resized in place: "lost" or "kept" for the
   * second bias of an untied head, "alone" for the only bias.
   */
  in_place?: string
}

/** A deviation: a mistake or a convention, with values that follow from its fields. */
interface Deviation extends DeviationFields {
  factor: string
  /** The numerator of its factor: a number or a letter. */
  above: Dimension
  /** The denominator of its factor. */
  below: Dimension
  unties: boolean
  /** The letter whose size it replaces; "" if it replaces none. */
  letter: string
  /** The replacement for that size: a number, another letter, a model, or a multiple to round up to. */
  taken: string
  /** The letters that it uses or changes. */
  letters: string[]
  /** The tensors that it adds, or counts instead of others. A negative sign removes one. */
  shapes: { sign: number; shape: Dimension[] }[]
  /** Whether it counts this row with another factor, or as untied. */
  touches(row: Row): boolean
  /** Whether it counts its own shapes instead of this row. */
  replaces(row: Row): boolean
}

/** A tensor as it is counted, with its factors and divisors. An item that a deviation adds has no row. */
interface Item {
  row: Row | null
  path: string
  shape: Dimension[]
  layers: string[]
  /** The factors as a formula writes them; "0" alone if the tensor is not counted. */
  factors: string[]
  above: Dimension[]
  below: Dimension[]
}

/** The operations of one kind that use a row's tensor. */
interface OperationItem extends Item {
  row: Row
  block: string
  kind: string
}

/** A model in a class at a text length, with its counts by kind of operation. */
interface ModelOperations {
  models: string[]
  classes: string[]
  tokens: number
  cost: number
  counts: Record<string, number>
}

/** A convention for counting operations: the price of one element of each kind. */
interface Convention {
  words: string
  called: string
  cost: number
  counts: Record<string, number>
  profiler?: string
  why?: string
}

/** The bytes of weights, gradients and states. */
type FixedBytes = [weights: number, gradients: number, states: Record<string, number>]

/** A model with its trained parts. */
interface TrainedModel {
  architecture: string
  modelClass: string
  choices: Choices
  /** The sizes, with K, the number of frozen layers, and r, the rank of LoRA. */
  sizes: Sizes
  /** The name of the kind of training in data/training.js; "" if it has none. */
  trained: string
  /** A change whose activations are not counted; "" if there is none. */
  method: string
  /** The values for weights in 32 and in 16 bits. */
  fixed: { full: FixedBytes; short: FixedBytes }
  /** The number of tokens in the longest text. */
  maxTokens: number
}

/** The reason why a training step is not counted, and the field of the form, or the model, to change. */
interface Refusal {
  field: "model" | "padded" | "checkpointing" | "tokens" | "optimiser"
  message: string
}

/** The settings of a training step on texts of one length. */
interface StepSettings {
  dtype: string
  /** One of `kernels` in data/training.js; "" for what transformers chooses. */
  attention: string
  optimiser: string
  padded: boolean
  checkpointing: boolean
  tokens: number
}

/** The bytes of a training step, part by part: `layer` is the memory that one layer keeps, `temporary` the space for
 * temporary results, and `all` the sum of everything in memory at the end of the forward pass. */
interface StepParts {
  weights: number
  states: number
  copies: number
  activations: number
  gradients: number
  layer: number
  temporary: number
  all: number
  peak: number
}

/** The index of a polynomial for every way, by the kind of training. */
type TrainingEntry = Record<string, (number | null)[]>

/** The facts that decide the bytes of an optimiser's states. macros/counting/changes/optimisers.py explains them. */
interface StatesOfOptimiser {
  each: number
  tensor: number
  factored: number
  block: number
  scales: number
  least: number
  small: number
  embeddings: number
  tables: number
}

/** The content of data/training.js. macros/rendering/files/training.py explains the fields. */
interface ExportedTraining {
  rounding: number
  mask_step: number
  aligned: Record<string, number>
  kernels: string[]
  polynomials: string[]
  bodies: Record<string, TrainingEntry>
  heads: Record<string, TrainingEntry>
  like: Record<string, string>
  unpadded: string[]
  checkpoints: string[]
  choices: number
  lora: string[]
  short: string
  widths: { full: number; short: number }
  optimisers: { full: Record<string, StatesOfOptimiser>; short: Record<string, StatesOfOptimiser> }
  models: Record<
    string,
    Omit<TrainedModel, "trained" | "fixed" | "method"> & {
      trained: Record<string, Pick<TrainedModel, "trained" | "fixed">>
    }
  >
  messages: Record<string, string>
}

/** The content of data/operations.js. macros/rendering/files/operations_of_rows.py explains the fields. */
interface ExportedOperations {
  costs: Record<string, number>
  rows: Record<string, Record<number, [kind: number, shape: string, layers: string][]>>
  /** The reasons why no operations are counted, by class. */
  refused: Record<string, string>
  /** The usual settings of sparse attention, by architecture and config key. */
  attention: Record<string, Record<string, string | number>>
  /** The row of the position table for the first token, by architecture. */
  first: Record<string, number>
  search: {
    least: number
    reach: number
    "other-name": number
    batch: number
    batches: number[]
    tokens: [number, number][]
    conventions: Convention[]
    /** Numbers in papers that follow from no convention. */
    quoted: { figure: number; words: string; why: string }[]
  }
}

/** An item as the calculator lists it. */
interface ItemOfBlock extends Item {
  /** Its row, or the row to which a method adds the tensor. */
  row: Row
  block: string
  /**
   * The block of a tensor that a method adds, or "copied-head" for a copy; "" for a tensor of the model
   * itself.
   */
  added: string
  /** The kind and the name of the module that a method adds it to. */
  at: string
  module: string
  /** The name in transformers or PEFT, with an asterisk in place of a layer's number. */
  name: string
  /** The name of the tensor whose weights it shares; "" if it shares none. */
  tied: string
}

/** The fields of an item that a sum needs. */
type ItemOfSum = Pick<ItemOfBlock, "path" | "shape" | "layers" | "above" | "block" | "added">

/**
 * A term of a polynomial: a coefficient times letters, times the number of layers, which is the product of
 * `layers`.
 */
interface Term {
  coefficient: number
  letters: string[]
  layers: string[]
}

/** A question about the number of parameters in a class with some sizes, or in one part of it, perhaps with
 * deviations. */
interface Question {
  modelClass: string
  sizes: Sizes
  choices?: Partial<Choices>
  part?: string
  tag?: string
}

/** A class with sizes, which can be counted with any deviations. */
type CounterOfClass = InstanceType<typeof import("../../docs/assets/counting/engine.js").Counter>
type Rows = CounterOfClass["rows"]

/** A total, the models and classes that have it, and the deviations that lead to it. */
interface KnownTotal {
  number: number
  cost: number
  models: string[]
  classes: string[]
  mistakes: string[]
}

/** A kind of explanation: the meanings that it finds for a reading, of one model or, if that is "", of any. */
type FindMeanings = (reading: Reading, model: string) => Iterable<Meaning>

/**
 * A window: the least and the greatest number that a text may mean, and how unusual it is to write a number
 * that way.
 */
interface Span {
  low: number
  high: number
  /** The number of figures to which the number is given; 0 if it is exact. */
  figures: number
  /** Whether further digits were cut off, rather than rounded. */
  isCut: boolean
  cost: number
}

/** One way to read a text, with the windows of numbers that the text may mean. */
interface Reading extends NumberRead {
  /** The cost of this reading: the logarithm of how unlikely it is. */
  cost: number
  /** The windows, likeliest first. */
  windows: Span[]
  /**
   * The width of the likeliest window: the logarithm of the ratio of its bounds for a rounded number, their
   * difference for a share, and 0 for an exact number.
   */
  uncertainty: number
  /** The smallest and the largest number that a source with these digits may mean. */
  printedBounds: [number, number]
  /** Whether the text has no unit, and this reading adds one. */
  isUnitAssumed?: boolean
}

/** A part of a model with its number of parameters, perhaps miscounted. */
interface PartCount {
  model: string
  part: Part
  mistakes: string[]
  number: number
}

/** A child of an element. */
type Content = string | Node

/** The kind of content in each column of a table, by heading. */
type Columns = Record<string, "text" | "word" | "num" | "prose">

/**
 * One bar of a waterfall: its style, its label, its number as text, and the values where it starts and
 * ends.
 */
interface Stretch {
  style: string
  label: string
  note: string
  start: number
  end: number
}

/** The scale of a drawing: the value at its left edge, and the difference to its right edge. */
interface Scale {
  origin: number
  full: number
}

/** One step from one number to another: its difference, as a number and as a formula. */
interface Step {
  value: number
  formula: string
}

/** The step that undoes one deviation. */
interface DeviationStep extends Step {
  deviation: string
}

/** A number as it was typed. */
interface Digits {
  /** All digits as one integer, including those after the decimal mark. */
  mantissa: number
  /** The number of digits after the decimal mark. */
  decimals: number
  /** The value of its unit, such as 1,000,000 for M. */
  size: number
  /** Whether the text means exactly one number, rather than every number that rounds to it. */
  exact: boolean
}

/** The number in a text, with everything that the text says about it. */
interface NumberRead extends Digits {
  unit: string
  ofMemory: boolean
  amount: "count" | "memory" | "share" | "operations"
  /** The name of operations in the text. A multiply-add is two FLOPs or one MAC. */
  operationUnit: "" | "flops" | "macs"
  /** The least and the greatest number that it may mean. */
  low: number
  high: number
  /** The least and the greatest share, if it is a percentage or a ratio; otherwise null. */
  share: [number, number] | null
  /** The typed sum whose result it is; "" if it was typed as a number. */
  typedSum: string
  /** The typed sum if a division converts its result to another unit, as in 109,482,240 * 4 / 1e6. The number is the
   * undivided one. */
  scaledSum: string
  /** The divisor; 1 if there is none. */
  scale: number
  /** Whether the sum uses letters, such as H, for sizes. */
  inLetters: boolean
  /** Whether it may lack a unit: 418, 109.5 and 0.34 may be millions, or megabytes. */
  bare: boolean
  /** Whether the text says that trainable parameters are counted. */
  trainable: boolean
  /** Whether the text says that something is smaller by this number. */
  smaller: boolean
}

/** A source that prints a number, with the least and the greatest number that its digits may mean. */
type Printed = { source: string; low: number; high: number }

type ExplanationKind =
  | "total"
  | "part"
  | "tensors"
  | "labels"
  | "memory"
  | "near"
  | "size"
  | "other"
  | "difference"
  | "share"
  | "change"
  | "setting"
  | "operations"
  | "quoted"

/** The likelihood of an explanation, as one of three ranges of its probability. */
type Confidence = "certain" | "likely" | "possible"

/**
 * A term of a sum, with its factor, which is negative if the term is subtracted. In a quotient, −1 marks
 * the divisor.
 */
interface ExplanationTerm {
  times: number
  words: string
  page: PageAddress
  number: number
  /** The product as it should be written, if not as its two numbers. */
  shown?: string
}

/** One way to arrive at a number. Fields that its kind does not use are empty, 0 or 1. */
interface Meaning {
  kind: ExplanationKind
  /** The number itself; if the kind is "memory", a number of bytes. */
  number: number
  /** The logarithm of how unlikely it is. */
  cost: number
  confidence: Confidence
  /** The names of the models to which it applies, the likeliest first. */
  models: string[]
  classes: string[]
  mistakes: string[]
  parts: Part[]
  /** Sizes that replace the model's own, by letter. */
  sizes: Sizes
  /** The number of layers in which a part is counted, if it is neither one nor all. */
  layers: number
  labels: number
  /**
   * For operations: the length of each text, the number of texts, the reason for the number, and the profiler
   * that prints it.
   */
  tokens: number
  texts: number
  why: string
  profiler: string
  dtype: string
  bytesPerParameter: number
  /** Whether a share states by how much the first number is smaller, rather than their ratio. */
  isReduction: boolean
  /** Whether it counts trainable parameters. */
  isTrainable: boolean
  /** Whether it has a size that was solved for and that few people choose, such as a rank of 892. */
  hasUnusualSize: boolean
  /** The words for what memory holds besides the weights. */
  kept: string
  /** The bytes of a file besides its weights. */
  frame: number
  /** The bytes in the unit that was typed, such as 1,000,000 for MB. */
  unit: number
  /** The terms that are added, subtracted or divided. */
  terms: ExplanationTerm[]
  /** The typed number less this one, if this one is merely near. */
  excess: number
  /** The words for the slip by which the typed digits differ from those of this number; "" if there is no slip. */
  slip: string
  /** Whether no right number is nearer. */
  isNearest: boolean
  /** The sources that print the number. */
  printed_in: Printed[]
  /**
   * The words for the number, for kinds such as "change" and "setting"; for "other", the title of the
   * model.
   */
  words: string
}

/** A meaning, with the reading that it fits. */
interface Explanation extends Meaning {
  reading: Reading
}

// --- The map -----------------------------------------------------------------
// Exported by macros/rendering/figures; its modules area_map.py and levels.py explain the fields.

/** A tensor of the map, with the words for its rows and columns. */
interface Tensor {
  path: string
  title: string
  axes: string[]
  shape: string[]
  style: string
  page: PageAddress
  /** The title of the level that it is on. */
  above: string
  /** Whether its shape is (in, out). */
  kernel: boolean
  /** The tensors that share the picture: of the model, or of one layer. */
  copies: {
    /** Its name among them; "" if there is only one. */
    name: string
    /** Words for one parameter, in which {0} and {1} are replaced by those for its row and its column. */
    words: string
    path: string
    /** Its name in the files of transformers, with * for the number of the layer. */
    file: string
  }[]
  /**
   * The tokens of some rows of the word table, for some vocabularies: they hold if it has this number of
   * rows. `start` is shown first.
   */
  tokens?: { rows: number; start: number; texts: Record<string, string> }[]
}

/** A safetensors file: the number of bytes before the data, and the first byte of each tensor in it, by name. */
interface TensorFile {
  headerBytes: number
  starts: Map<string, number>
}

/** A model whose map can be shown. */
interface MapModel {
  title: string
  sizes: Sizes
  /** The values of all tensors by path, row by row, if they are known. */
  values?: Record<string, (number | number[])[]>
}

/** Equal blocks of an area map: the size of each, their number, and the maximum number drawn side by side. */
interface BlockKind {
  each: number
  times: number
  maxSideBySide: number
}

/** A rectangle, in per cent of the picture's width and height. */
interface Tile {
  x: number
  y: number
  width: number
  height: number
}

/** The content of data/known-numbers.js. macros/rendering/files/known_numbers.py explains the fields. */
interface KnownNumbers {
  costs: Record<string, number>
  discounts: Record<string, number>
  groups: { classes: string[]; sets: string }[]
  spaces: KnownSpace[]
  parts: Partial<CountedPart>[]
  /**
   * Rules for other sizes that people choose, by letter: some depend on the model's size of the letter
   * `base`.
   */
  sizes: Record<string, [base: string, byBase: Record<number, SizeRule[]>, forAll: SizeRule[]]>
  entries: {
    classes: string[]
    terms: [words: string, page: PageAddress, number: number][]
    kinds: Record<string, { fields: string[]; rows: unknown[][] }>
  }
  changed: { choices: ChangedChoice[]; templates: ChangedTemplate[]; classes: string[]; lines: ChangedLine[] }
}

interface ChangedChoice {
  largest?: number
  usual?: number[]
  values?: number[]
}

/**
 * The common part of several lines of changed models. macros/counting/search/changed_lines.py explains the
 * fields.
 */
interface ChangedTemplate extends ChangedChoice {
  words: string
  whole?: string
  choice?: number
  rare_cost: number
  is_trainable?: boolean
  needs_exact?: boolean
  is_in_bytes?: boolean
  only?: "number" | "whole"
  whole_cost?: number
  known_values?: [number, number]
}

type ChangedLine = [
  template: number,
  models: number[],
  model_class: number,
  cost: number,
  terms: [times: number, number: number][],
  slope?: number,
  rest_of_model?: number,
]

type SizeRule = [smallest: number, largest: number, step: number, cost: number]

interface KnownSpace {
  models: string[]
  group: number
  cost: number
  deviating: number
  totals: string
  slopes: Record<string, string>
}

/**
 * A set of forms, each with one or more deviations, and the cost of the set. `subsets` are the indices of three
 * smaller sets, from whose totals its own is predicted: without its last form, without its first, and without both.
 */
interface KnownSet {
  subsets: number[]
  mistakes: string[]
  cost: number
}

/** A total, and the amount by which it grows if one of its sizes grows by one. */
interface Line {
  total: KnownTotal
  slope: number
}
