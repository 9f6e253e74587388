// What the scripts of docs/assets speak of: the tables that the build exports as
// data/table.js and data/exercises.js, and what is made from them. Only the
// checker reads this file.

// --- Exercises ---------------------------------------------------------------
// Exported by macros/teaching/files.py; macros/teaching says what the fields mean.

interface LineInLetters {
  what: string
  /** Products, the factors of each separated by spaces. */
  summands: string[]
}

interface WorkedLine {
  text: string
  result: number
}

/** What may be asked about; macros/teaching/ways.py says what the last two fields mean. */
interface Ask {
  class: string
  /** The only models it is asked of; none for BERTs. */
  models: string[]
  part: string
  words: string
  formula: string
  lines: LineInLetters[]
  /** The last step of the sum, as a hint. */
  step: string
  /** What is counted: parameters, or operations of a text. */
  unit: "parameters" | "FLOPs" | "MACs"
  /** Whether it is a single tensor. */
  tensor: boolean
  ways: [deviation: string, difference: string, kind: number, reach: number][]
  slips: [name: string, difference: string | number, what: string, other?: string][]
}

interface ExerciseSet {
  name: string
  title: string
  kind: "number" | "memory" | "configuration" | "mistake" | "share"
  text: string
  hints: string[]
  /** Places in the list of all questions. */
  asks: number[]
  dtypes: string[]
  /** The model that the first variant is about, or "" where it is drawn. */
  opens_with: string
  /** Deviations that one may be asked to find. */
  mistakes: string[]
  /** Pixels of a frame that shows a variant. */
  frame: number
}

interface Exercises {
  texts: Record<string, string>
  /** Those that only exercises leave room for. */
  deviations: DeviationFields[]
  draw: {
    own: number
    models: string[]
    /** Those that are taken for one another. */
    confused: string[][]
    head: number
    inner: number
    labelled: string[]
    options: number
    last: number
    training: number
  }
  /** What sizes are called. */
  names: Record<string, string>
  sizes: Record<string, number[]>
  /** Powers of ten, each before its counterpart. */
  units: { name: string; power: string; bytes: number }[]
  asks: Ask[]
  sets: ExerciseSet[]
  /** The whole model in each class, and the parts of it that one counts along, with the blocks that these are in. */
  totals: {
    ask: number
    parts: [ask: number, block: string][]
    /** The place of the part that is all layers. */
    layers: number
    /** The columns of the picture, with the places of the parts in each, and how often there is one. */
    columns: { times: string; parts: number[] }[]
  }[]
}

/** A wrong answer, what leads to it, and what a teacher says to it. */
interface WrongAnswer {
  names: string[]
  number: number
  titles: string[]
  feedback: string
}

interface ExerciseOption {
  name: string
  text: string
  right: boolean
  feedback: string
}

interface SolutionStep {
  what: string
  text: string
}

interface Exercise {
  set: string
  seed: number
  kind: ExerciseSet["kind"]
  text: string
  given: string
  answer: number
  unit: string
  hints: string[]
  solution: SolutionStep[]
  wrong: WrongAnswer[]
  options: ExerciseOption[]
  ledger: SolutionStep[]
  /** The name of the model that it is about, or "" where nobody published it. */
  model: string
  sizes: Sizes
}

/** How an answer is judged: `right`; `rounded`, where it has to be given in another form; `known`, a wrong answer with
 * its reason; `slip`, a digit mistyped; `unread`; or `unknown`. */
interface Verdict {
  kind: "right" | "rounded" | "known" | "slip" | "unread" | "unknown"
  says: string
}

// --- Configurations ------------------------------------------------------------

interface Frozen {
  embeddings: boolean
  /** The first so many layers. */
  layers: number
  all_but_head: boolean
}

/** What is trained instead of all. */
interface Lora {
  method: string
  /** Its size, whatever the letter. */
  rank: number
  /** Of an encoder of prompts; none where it is nought. */
  width: number
  modules: string[]
  /** Those of them whose input is scaled. */
  feedforward: string[]
}

/** What the calculator counts. */
interface Configuration {
  architecture: string
  modelClass: string
  sizes: Sizes
  choices: Choices
  /** Whether dense layers have biases. */
  biases: boolean
  frozen: Frozen
  lora: Lora | null
  /** How many heads are, in all layers together. */
  pruned: number
}

interface CountedRow {
  path: string
  /** The parameter's name in transformers or PEFT, with a star for every layer. */
  name: string
  letters: string[]
  shape: number[]
  /** How many there are of it. */
  layers: number
  /** Elements of one. */
  one: number
  /** What it adds to the total. */
  number: number
  trainable: number
  block: string
  /** The name of the owner of its weights, while tied. */
  tied: string
  /** What a library adds: "copied-head" where it is a copy, else the block. */
  added: string
  /** Which modules it is added to, and to which of these. */
  at: string
  module: string
  /** Whether bitsandbytes packs it. */
  packed: boolean
  /** Whether the first layer has none. */
  isButFirst: boolean
}

interface Memory {
  weights: number
  /** Of the weights, what is kept to unpack them by. */
  scales: number
  gradients: number
  adam: number
  all: number
}

interface CountedConfiguration {
  total: number
  trainable: number
  rows: CountedRow[]
  parts: { block: string; title: string; page: PageAddress; number: number; trainable: number; share: number }[]
  formula: string
  sum: SumLine[]
  /** By data type, and by how matrices are packed. */
  bytes: Record<string, Memory>
}

interface SumLine {
  text: string
  /** What it counts. */
  what: string
  kind: string
  block: string
}

/** Something that a sum counts: one tensor by its factors, or its children together; and how many there are. */
interface SumNode {
  kind: string
  /** Of the tensors or of the module that it counts. */
  paths: string[]
  children: SumNode[]
  factors: Dimension[]
  times: Dimension[]
  block: string
  /** That of its first tensor. */
  place: number
}

/** What changes in a step; `key` is a letter, a block, or what is frozen. */
interface Change {
  kind: "size" | "class" | "architecture" | "biases" | "frozen" | "lora" | "pruned" | keyof Choices
  key: string
  from: string | number | boolean
  to: string | number | boolean
}

/** One step of a calculator's bridge; where something is frozen, the formula is that of what is trained. */
interface ChangeStep extends Change, Step {
  trainable: number
  /** Those with which the formula is worked out. */
  sizes: Sizes
}

interface WhatIf {
  name: string
  to: Configuration
  value: number
}

interface Offered extends Choices {
  labels: boolean
  head: boolean
  modules: string[]
}

/** What follows from a configuration whatever its sizes. */
interface Tensors {
  items: ItemOfBlock[]
  /** Those that add to the total. */
  counted: ItemOfBlock[]
  /** All of them as transformers lists them. */
  inOrder: ItemOfBlock[]
  formula: string
}

/** A configuration on the way to another, with what it counts. */
interface State {
  of: Configuration
  sizes: Sizes
  items: ItemOfBlock[]
}

interface WrongField {
  key: string
  message: string
}

/** What is in the fields of the calculator, by their names; of boxes those that are checked, with commas between them. */
type Fields = Record<string, string>

type ReadConfig =
  | { configuration: Configuration; named: string | null; uncounted: string | null; ignored: string[]; errors: [] }
  | { configuration: null; named: null; uncounted: null; ignored: []; errors: WrongField[] }

interface CheckedFields {
  configuration: Configuration | null
  /** The size that the vocabulary is resized to; its own where it is not. */
  vocabulary: number
  errors: WrongField[]
}

// --- The table ---------------------------------------------------------------
// `Table` is derived from its published schema, TABLE_SCHEMA in macros/rendering/files/schemas.py, by table_type.py beside
// this file.

/** The sizes of a model by letter. */
type Sizes = Record<string, number>

/** An address from the top of the site. */
type PageAddress = string

type Choices = Table["choices"]
type RowFields = Table["rows"][number]
type Model = Table["models"][number]
type Method = Table["changes"]["methods"][number]
type DeviationFields = Table["deviations"][number]
type DeviationKind = DeviationFields["kind"]
type PartFields = Table["explanations"]["parts"][number]

/** How people count a part; macros/counting/search/entries.py says what the fields mean. */
interface CountedPart {
  cost: number
  rounded: number
  compared?: number
  stacked?: boolean
  elsewhere?: boolean
  miscounted?: number[]
}

type Part = PartFields & CountedPart

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
  purpose: string
  architecture: string
  /** The letters whose product is the number of layers with weights of their own. */
  layers: string[]
  /** What it has unasked, where it leaves that open. */
  usual: Choices
  fixed: Partial<Choices>
  /** The only number of labels that it takes; null where it takes any. */
  labels: number | null
  /** Every row that it may have. */
  rows: Row[]
  /** What it leaves open, and whether it has a head. */
  offers: string[]
  /** What becomes of the second bias of an untied head where the vocabulary is resized in place: "lost" or "kept". */
  in_place?: string
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
  /** Whether it counts something else instead of this row. */
  replaces(row: Row): boolean
}

/** A tensor as somebody counts it, with what it is multiplied and divided by; or what a deviation adds, which is no row. */
interface Item {
  row: Row | null
  path: string
  shape: Dimension[]
  layers: string[]
  /** As a formula writes them; "0" alone where it is not counted. */
  factors: string[]
  above: Dimension[]
  below: Dimension[]
}

/** What a row's tensor takes part in. */
interface OperationItem extends Item {
  row: Row
  block: string
  kind: string
}

/** A model in a class at a length, and what is counted there by kind. */
interface Measured {
  models: string[]
  classes: string[]
  tokens: number
  cost: number
  counts: Record<string, number>
}

/** How somebody counts operations: what it takes an element of each kind for. */
interface Convention {
  words: string
  called: string
  cost: number
  counts: Record<string, number>
  profiler?: string
  why?: string
}

/** What data/operations.js holds; macros/rendering/files/operations_of_rows.py says what the fields mean. */
interface ExportedOperations {
  costs: Record<string, number>
  rows: Record<string, Record<number, [kind: number, shape: string, layers: string][]>>
  /** By architecture, the row of the table of positions that the first token takes. */
  first: Record<string, number>
  search: {
    least: number
    reach: number
    "other-name": number
    batch: number
    batches: number[]
    tokens: [number, number][]
    conventions: Convention[]
  }
}

/** An item with what the calculator says of it. */
interface ItemOfBlock extends Item {
  /** Its row, or the one that PEFT adds it to. */
  row: Row
  block: string
  /** What a library adds: "copied-head" where it is a copy, else the block. */
  added: string
  /** Which modules it is added to, and to which of these. */
  at: string
  module: string
  /** In transformers or PEFT, with a star for every layer. */
  name: string
  /** The name of the owner of its weights, while tied. */
  tied: string
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
type CounterOfClass = InstanceType<typeof import("../../docs/assets/counting/engine.js").Counter>
type Rows = CounterOfClass["rows"]

/** A total, the models and classes that have it, and the deviations that lead to it. */
interface TotalFound {
  number: number
  cost: number
  models: string[]
  classes: string[]
  mistakes: string[]
}

/** A kind of reason: what it finds for a number, of the model that is meant or of any. */
type Kind = (asked: Reading, model: string) => Iterable<Meaning>

/** The least and the greatest number that a text may mean, and how unusual it is to write one so. */
interface Span {
  low: number
  high: number
  /** To how many figures it is written; 0 where it is exact. */
  figures: number
  isCut: boolean
  cost: number
}

/** What a text may stand for. */
interface Reading extends NumberRead {
  /** What speaks against this reading. */
  cost: number
  /** The likeliest first. */
  windows: Span[]
  /** How much the likeliest covers: of a rounded number as a logarithm, of a share as it is; 0 of an exact number. */
  width: number
  /** The least and the greatest number that stand for what is typed where somebody prints it. */
  printed: [number, number]
  /** Whether its unit is not in the text. */
  unsaid?: boolean
}

interface PartFound {
  model: string
  part: Part
  mistakes: string[]
  number: number
}

/** What an element may hold. */
type Content = string | Node

/** What stands in the columns of a table, by their headings. */
type Columns = Record<string, "text" | "word" | "num" | "prose">

/** One line of a waterfall: its colour, its label, its number as shown, and where its bar starts and ends. */
interface Stretch {
  style: string
  label: string
  note: string
  start: number
  end: number
}

/** What a width shows: the value at its left edge, and how much the whole width is. */
interface Scale {
  origin: number
  full: number
}

/** One step from a number to another: what it adds, as a number and as a formula. */
interface Step {
  value: number
  formula: string
}

/** One deviation undone. */
interface DeviationStep extends Step {
  deviation: string
}

/** The digits of a number as they are typed. */
interface Digits {
  /** All digits as one integer, those after the decimal mark included. */
  digits: number
  decimals: number
  size: number
  /** Whether the text means one number only, and not every number that rounds to it. */
  exact: boolean
}

interface NumberRead extends Digits {
  unit: string
  ofMemory: boolean
  amount: "count" | "memory" | "share" | "operations"
  /** What operations are called in the text: a multiply-add is two FLOPs and one MAC. */
  called: "" | "flops" | "macs"
  /** The least and the greatest number that it may be. */
  low: number
  high: number
  /** The least and the greatest share, where it is a percentage. */
  share: [number, number] | null
  /** The sum whose result it is, as typed, or "". */
  typedSum: string
  /** Whether it is a sum in the letters of sizes. */
  inLetters: boolean
  /** Whether it may lack a unit: 418, 109.5 and 0.34 may be millions, or megabytes. */
  bare: boolean
  /** Whether it says that what is counted is trained. */
  trainable: boolean
  /** Whether it says by how much something is smaller. */
  smaller: boolean
}

/** A source that prints a number, and the least and the greatest that its digits may mean. */
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

/** How likely it is that this is meant: ranges of one probability. */
type Confidence = "certain" | "likely" | "possible"

/** A number in a sum or a quotient, so many times; negative where it is taken away, or what is divided by. */
interface ExplanationTerm {
  times: number
  words: string
  page: PageAddress
  number: number
  /** The product as it is written, where that says more than its two numbers. */
  shown?: string
}

/** One way to a number. Fields that its kind does not use are empty, zero or one. */
interface Meaning {
  kind: ExplanationKind
  /** What is counted, or the number of bytes where the kind is "memory". */
  number: number
  /** How unlikely it is, as a logarithm. */
  cost: number
  confidence: Confidence
  /** The names of the models that it holds for, the likeliest first. */
  models: string[]
  classes: string[]
  mistakes: string[]
  parts: Part[]
  /** Other sizes than those of the model, by letter. */
  sizes: Sizes
  /** In how many layers a part is counted, where that is neither one nor all. */
  layers: number
  labels: number
  /** The length of each text and how many there are, for operations; the profiler that prints them, and why it does. */
  tokens: number
  texts: number
  why: string
  profiler: string
  dtype: string
  /** All bytes that are kept for a parameter. */
  width: number
  /** Of a share, whether it is how much smaller the one is. */
  less: boolean
  /** Whether it is about what is trained. */
  trained: boolean
  /** What is kept besides the weights. */
  kept: string
  /** The bytes of a file beside its numbers. */
  frame: number
  /** The bytes of the unit in which memory is given. */
  unit: number
  /** What is added, taken away or divided. */
  terms: ExplanationTerm[]
  /** What the number asked for has more than a near one. */
  rest: number
  /** How its digits differ from those of a right number, in words. */
  slip: string
  /** Whether no right number is nearer. */
  nearest: boolean
  /** The sources that print the number. */
  printed_in: Printed[]
  /** What the number is, where the kind is "change" or "setting", and the title of another model. */
  words: string
}

/** A meaning of what was typed, as it was read. */
interface Explanation extends Meaning {
  reading: Reading
}

// --- The map -----------------------------------------------------------------
// What its script reads is exported by macros/rendering/figures, whose area_map.py and levels.py say what the fields mean.

/** A tensor of the map, down to one parameter: its letters, and what is said of its rows and columns. */
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
  /** Real names of some rows, true where there are so many rows, and the one to start with. */
  tokens?: { rows: number; start: number; texts: Record<string, string> }
}

interface MapModel {
  title: string
  sizes: Sizes
}

/** What each block of a kind counts, how many there are, and how many may stand side by side. */
interface Share {
  each: number
  times: number
  most: number
}

/** A rectangle in per cent of the picture's width and height. */
interface Tile {
  x: number
  y: number
  width: number
  height: number
}

/** What data/known-numbers.js holds; macros/rendering/files/known_numbers.py says what the fields mean. */
interface KnownNumbers {
  costs: Record<string, number>
  groups: { classes: string[]; sets: string }[]
  spaces: KnownSpace[]
  parts: Partial<CountedPart>[]
  /** Which other sizes somebody may choose for a letter: by the model's size of a letter, and whatever it is. */
  sizes: Record<string, [of: string, own: Record<number, SizeRule[]>, others: SizeRule[]]>
  entries: {
    classes: string[]
    terms: [words: string, page: PageAddress, number: number][]
    kinds: Record<string, { fields: string[]; rows: unknown[][] }>
  }
  changed: { choices: ChangedChoice[]; forms: ChangedForm[]; classes: string[]; lines: ChangedLine[] }
}

interface ChangedChoice {
  most?: number
  usual?: number[]
  values?: number[]
}

/** What lines of changed models have in common; macros/counting/search/changed_lines.py says what the fields mean. */
interface ChangedForm extends ChangedChoice {
  words: string
  whole?: string
  chosen?: number
  rare: number
  trained?: boolean
  exact?: boolean
  bytes?: boolean
  alone?: string
  more?: number
  known?: [number, number]
}

type ChangedLine = [
  form: number,
  models: number[],
  model_class: number,
  cost: number,
  terms: [times: number, number: number][],
  slope?: number,
  plain?: number,
]

type SizeRule = [least: number, most: number, step: number, cost: number]

interface KnownSpace {
  models: string[]
  group: number
  cost: number
  deviating: number
  totals: string
  slopes: Record<string, string>
}

/** A set of deviations: what it costs, and the places of those that its total is expected from: without its last form,
 * its first, and both. */
interface KnownSet {
  parts: number[]
  mistakes: string[]
  cost: number
}

/** A total, and what one more of a size adds to it. */
interface Line {
  total: TotalFound
  slope: number
}
