// The types of docs/assets/reading: a text that somebody pasted, and the account of it.

/** A piece of a sentence: text, a number, a name in code, or a link to a page of the site. */
type WordPiece = string | { number: number } | { code: string } | { page: PageAddress; text: string }

/** A sentence. */
type Words = WordPiece[]

/** A line of a text, as the reader pasted it (`source`) and without what was put before it. */
interface TextLine {
  text: string
  source: string
  /** The number of lines before it, empty ones included. */
  index: number
}

/** How a line of the reader's compares with the model that it belongs to. */
type LineVerdict =
  | "right"
  | "wrong"
  | "counted twice"
  | "not a parameter"
  | "not used"
  | "added"
  | "subtotal"
  | "rounded"
  | "explained"
  | "unknown"
  | "not read"

/** One of the reader's lines, beside what it is. */
interface AccountLine {
  /** The line as it was pasted; for equal layers the first of them. */
  source: string
  /** The part that it stands for; empty if that is not known. */
  part: Words
  /** The number that the line states or follows from its shape, in one layer; null if it has none. */
  stated: number | null
  /** The number that the model has there, in one layer; null if that is not known. */
  right: number | null
  verdict: LineVerdict
  /** How many equal layers the line stands for, itself included; 1 for most. */
  times: number
}

/** Something that the reader should know about the text, with its effect on their total. */
interface Finding {
  /** Larger is worse; findings are sorted by it. */
  weight: number
  words: Words
  /** The amount that the correction adds to the reader's total, which may be negative; null if it changes nothing. */
  amount: number | null
}

/** A step from the reader's total to the right one. */
interface AccountStep {
  label: Words
  value: number
  /** How the value is worked out; "" if nothing is to be worked out. */
  formula: string
}

/** The way from the reader's total to the right one; the steps add up to the difference. */
interface AccountBridge {
  start: number
  startLabel: string
  steps: AccountStep[]
  end: number
  endLabel: string
}

/** The answer to a text that somebody pasted. */
interface Account {
  kind: "rows" | "labels" | "sum" | "config" | "name" | "warning" | "other" | "refusal"
  /** The first sentences of the answer: what kind of text it is, and whether it is right. */
  headline: Words
  /** Worst first. */
  findings: Finding[]
  /** The reader's lines, in their order; empty if the headline says it all. */
  lines: AccountLine[]
  bridge: AccountBridge | null
  /** The model, if one follows: its name among the published ones, or "", its class, what it counts, and the sizes that
   * it has in place of the published ones. */
  model: { name: string; modelClass: string; total: number; sizes?: Sizes } | null
  /** How sure the answer is as a whole. */
  confidence: Explanation["confidence"]
}

/** A row of a print-out: a tensor, or a module with a count. */
interface TextRow {
  line: TextLine
  /** The name or path as printed, with dots; "" if the row has none. */
  name: string
  /** The class of a module as printed, such as Linear; "" for a tensor. */
  type: string
  shape: number[] | null
  /** The elements that the row states or its shape gives, as an interval; equal bounds if exact. Null for a name alone. */
  low: number | null
  high: number | null
  /** The whole number that the row itself states beside a shape; null if it states none. */
  stated: number | null
  /** How deep the row lies in a printed tree; -1 if that is not known. */
  depth: number
  trainable: boolean | null
  /** Whether the text itself says that this is no parameter, such as a tensor of integers. */
  buffer: boolean
  /** Whether the row only holds the rows below it, which have the numbers. */
  container: boolean
}

/** A total that a text states. */
interface StatedTotal {
  line: TextLine
  kind: "total" | "trainable" | "frozen" | "tensors"
  low: number
  high: number
}

/** Everything in a text that may carry parameters. */
interface PrintOut {
  rows: TextRow[]
  totals: StatedTotal[]
  /** Numbers of layers that the text speaks of: "12 x", "(11): BertLayer(...)", "* 24". */
  depths: number[]
  /** Names of classes and models anywhere in the text. */
  mentions: string[]
  /** Lines that hold a number or a name and were not read. */
  unread: TextLine[]
  /** Whether the text itself leaves rows out, with dots in their place. */
  isOpen: boolean
  /** Whether the form of the text, and not its names alone, shows that it is a print-out. */
  isTable: boolean
  /** Whether all rows stood in the text twice. */
  isRepeated: boolean
}

/** A tensor of a model, by which print-outs are measured. */
interface RulerTensor {
  row: Row
  /** Its name in transformers, with the layer's number. */
  name: string
  /** The name of the module that holds it. */
  module: string
  /** The numbers of its layer: one for BERT, none outside the layers. */
  numbers: number[]
  shape: number[]
  elements: number
  tied: boolean
}

/** All tensors of a class with its sizes, in the order of its modules. */
interface Ruler {
  architecture: string
  modelClass: string
  sizes: Sizes
  choices: Choices
  tensors: RulerTensor[]
  total: number
}

/** A row of a print-out beside the tensors that it stands for. */
interface AlignedRow {
  text: TextRow
  tensors: RulerTensor[]
  verdict: LineVerdict
  /** The number that the model has there; null if that is not known. */
  right: number | null
  /** The number that the row states; null if it states none. */
  stated: number | null
}

/** A print-out laid along the ruler of a class. */
interface Alignment {
  ruler: Ruler
  rows: AlignedRow[]
  /** The tensors that no row stands for, tied ones left out. */
  missing: RulerTensor[]
  /** Whether the missing layers may be any of the model's. */
  isAnyLayer?: boolean
}

/** A row of a print-out with the rows of an architecture that its name may stand for. */
interface NameMatch {
  text: TextRow
  rows: Set<Row>
  /** The numbers of layers in the name. */
  numbers: number[]
  /** Whether a framework prints the name; it is home-made if not. */
  isPrinted: boolean
}

/** The model that a print-out is of. */
interface Recognised {
  architecture: string
  modelClass: string
  sizes: Sizes
  choices: Partial<Choices>
  /** The published model with these sizes; "" if there is none. */
  name: string
  /** The letters whose sizes are not in the text, but taken from the published model. */
  assumed: string[]
  /** Whether the model may have more layers than the text shows. */
  isOpen: boolean
  /** Other classes that have the same rows. */
  alike: string[]
}

// --- Lines with labels --------------------------------------------------------

/** A number of a text with its label. */
interface Quantity {
  /** As it stands in the text, and as `explaining/read.js` understands it. */
  typed: string
  canonical: string
  number: NumberRead
  /** The kind of thing that it counts, such as "count", "memory" or "layers"; "" if that is not known, "other" if it is
   * nothing of a model. */
  role: string
  /** The roles of all words of its label, the nearest first. */
  roles: string[]
  label: string
  start: number
  end: number
}

/** A model that a text names: its possible names among the models that are counted, the likeliest first, or among
 * those of which only totals are known; or a model of which nothing is known. */
interface Mention {
  models: string[]
  others: string[]
  isForeign: boolean
  start: number
  end: number
  text: string
}

/** A text with labels, and what its words say. */
interface LabelledText {
  text: string
  mentions: Mention[]
  numbers: Quantity[]
  quantities: Quantity[]
  classes: { name: string; modelClass: ModelClass | null; ending: string; start: number; end: number }[]
  /** The ends of the names of classes that its words speak of. */
  purposes: { ending: string; start: number; end: number }[]
  labels: number
  parts: { start: number; end: number; text: string; words: string }[]
  /** The explanations of a number, which are made once however often the text has it. */
  explained: (text: string, model: string) => Explanation[]
}

/** The facts that the words around one number state. */
interface Context {
  mention: Mention | null
  classes: string[]
  endings: string[]
  labels: number
  parts: string[]
  isTrained: boolean
  /** Whether it was printed for a file of llama.cpp, which has no pooler. */
  isGguf: boolean
  /** The profilers that the text names, in lower case. */
  profilers: string[]
  /** The length of a text in tokens; 0 if none is given. */
  tokens: number
  /** Whether words speak of adapters or of packed weights. */
  isChanged: boolean
  explained: LabelledText["explained"]
}

/** A number in the light of its words. */
interface ResolvedNumber {
  quantity: Quantity
  context: Context
  ways: Explanation[]
  first: Explanation | null
  cost: number
  /** Whether the first way is about the model that is named; true if none is. */
  agrees: boolean
}

/** The number of trainable parameters, and that of all. */
interface Pair {
  trained: number
  all: number
  frozen: number | null
  quantities: { trained: Quantity | null; all: Quantity | null; frozen: Quantity | null }
}

/** The facts that the words of a text state about a method and its model. */
interface Hints {
  rank: number
  labels: number
  modules: string[]
  methods: string[]
  costOf(line: { model: Model; modelClass: string }, labels: number): number
}

/** The content of data/reading.js. macros/rendering/files/reading.py explains the fields. */
interface ReadingWords {
  labels: {
    words: Record<string, string[]>
    scales: Record<string, string>
    units: Record<string, string>
    parts: Record<string, string>
    purposes: Record<string, string>
    models: Record<string, string[]>
    others: Record<string, string[]>
    foreign: string[]
    frozen: Record<string, string>
    totals: Record<string, { title: string; totals: Record<string, number> }>
    beside: Record<string, { title: string; letter: string; shapes: string[]; untrained: number }>
  }
  names: {
    organisations: string[]
    common: string[]
    sizes: string[]
    cases: string[]
    uncounted: { names: string[]; why: string }[]
  }
  adapters: {
    kinds: Record<string, AdapterKind>
    usual: Record<string, unknown[]>
    heads: Record<string, string[]>
    endings: Record<string, string[]>
  }
}

/** A `peft_type` of adapter_config.json: our method, and the keys of its sizes by letter. */
interface AdapterKind {
  method: string
  /** The architectures for which PEFT knows modules by default. */
  defaults: string[]
  /** The method instead, if a key is true. */
  if_true?: Record<string, string>
  if_lstm?: string
  sizes?: Record<string, string>
  /** A further size, if a key is true. */
  projection?: { key: string; letter: string; size: string }
}
