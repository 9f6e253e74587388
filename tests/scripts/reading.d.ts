// The types of docs/assets/reading: pasted texts, and the accounts of them.

/** One element of a sentence: text, a number, a name in code, or a link to a page of the site. */
type Inline = string | { number: number } | { code: string } | { page: PageAddress; text: string }

/** A sentence, a label or another phrase, as a list of elements. */
type Words = Inline[]

/** A line of a text: as the reader pasted it (`source`), and without prefixes such as those of a log (`text`). */
interface TextLine {
  text: string
  source: string
  /** The number of lines before it, including empty ones. */
  index: number
}

/** The verdict on one of the reader's lines. */
type LineVerdict =
  | "right"
  | "wrong"
  | "counted twice"
  | "not a parameter"
  | "not used"
  | "added"
  | "subtotal"
  | "packed"
  | "rounded"
  | "explained"
  | "unknown"
  | "not read"

/** One of the reader's lines, with its part of the model. */
interface AccountLine {
  /** The line as it was pasted; for equal layers, the line of the first. */
  source: string
  /** The part of the model that it is about; empty if unknown. */
  part: Words
  /** The number that the line states, or that follows from its shape, per layer; null if it has none. */
  stated: number | null
  /** The model's number for the part, per layer; null if unknown. */
  right: number | null
  verdict: LineVerdict
  /** The number of equal layers that the line is about; 1 for most lines. */
  times: number
}

/** A remark on the text, with its effect on the reader's total. */
interface Finding {
  /** Larger is worse; findings are sorted by it. */
  weight: number
  words: Words
  /** The amount, possibly negative, that the correction adds to the reader's total; null if it changes nothing. */
  amount: number | null
}

/** A step from the reader's total to the right one. */
interface AccountStep {
  label: Words
  value: number
  /** The formula for the value; "" if there is nothing to work out. */
  formula: string
}

/** The way from the reader's total to the right one, or from the total of one model to that of another; the steps add up
 * to the difference. `heading` is that of the steps, "to put it right" by default. */
interface AccountBridge {
  heading?: string
  start: number
  startLabel: string
  steps: AccountStep[]
  end: number
  endLabel: string
}

/** The answer to a pasted text. */
interface Account {
  kind: "rows" | "labels" | "sum" | "config" | "name" | "warning" | "other" | "refusal"
  /** The first sentences of the answer: what kind of text it is, and whether it is right. */
  headline: Words
  /** The findings, worst first. */
  findings: Finding[]
  /** The reader's lines in order; empty if the answer consists of sentences. */
  lines: AccountLine[]
  bridge: AccountBridge | null
  /** The model, if the text determines one: its name, or "" if it is not published; its class; the number of parameters
   * counted; and the sizes that it has in place of the published ones. */
  model: { name: string; modelClass: string; total: number; sizes?: Sizes } | null
  /** The confidence in the answer as a whole. */
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
  /** The bounds of the number of elements that the row states or its shape gives; equal if the number is exact, and
   * null for a name alone. */
  low: number | null
  high: number | null
  /** The whole number that the row states in addition to a shape; null if it states none. */
  stated: number | null
  /** The depth of the row in a printed tree; -1 if unknown. */
  depth: number
  isTrainable: boolean | null
  /** Whether the text shows that the row is not a parameter, as with a tensor of integers. */
  isBuffer: boolean
  /** Whether the row only contains other rows, which have the numbers. */
  isContainer: boolean
  /** The number of weights in each element that the text shows; 1 unless the row is a packed matrix. */
  packing: number
}

/** A total that a text states. */
interface StatedTotal {
  line: TextLine
  kind: "total" | "trainable" | "frozen" | "tensors"
  low: number
  high: number
}

/** Everything in a text that may have parameters. */
interface PrintOut {
  rows: TextRow[]
  totals: StatedTotal[]
  /** The numbers of layers that the text mentions, as in "12 x", "(11): BertLayer(...)" and "* 24". */
  depths: number[]
  /** Names of classes and models anywhere in the text. */
  mentions: string[]
  /** Lines that have a number or a word for totals but were not read. */
  unread: TextLine[]
  /** Whether the text has dots in place of rows. */
  isOpen: boolean
  /** Whether the form of the text, not just its names, shows that it is a print-out. */
  isTable: boolean
  /** The number of times that the text has the same rows, which are kept once. */
  copyCount: number
}

/** A tensor of a model that print-outs are compared with. */
interface RulerTensor {
  row: Row
  /** Its name in transformers, with the layer's number. */
  name: string
  /** The name of the module that holds it. */
  module: string
  /** The indices of its layer: one in BERT, none outside the layers. */
  numbers: number[]
  shape: number[]
  elements: number
  tied: boolean
}

/** All tensors of a class with given sizes, in the order of its modules. */
interface Ruler {
  architecture: string
  modelClass: string
  sizes: Sizes
  choices: Choices
  tensors: RulerTensor[]
  total: number
}

/** A row of a print-out with the tensors that it describes. */
interface AlignedRow {
  text: TextRow
  tensors: RulerTensor[]
  verdict: LineVerdict
  /** The model's number for these tensors; null if unknown. */
  right: number | null
  /** The number that the row states; null if it states none. */
  stated: number | null
}

/** A print-out that is aligned with the tensors of a class. */
interface Alignment {
  ruler: Ruler
  rows: AlignedRow[]
  /** The tensors that no row describes, without tied ones. */
  missing: RulerTensor[]
  /** Whether the text does not show which layers are missing. */
  isAnyLayer?: boolean
}

/** A row of a print-out with the rows of an architecture that its name may refer to. */
interface NameMatch {
  text: TextRow
  rows: Set<Row>
  /** The indices of layers in the name. */
  numbers: number[]
  /** Whether the name is one that a framework prints, rather than a custom one. */
  isPrinted: boolean
}

/** The model of a print-out. */
interface Recognised {
  architecture: string
  modelClass: string
  sizes: Sizes
  choices: Partial<Choices>
  /** The published model with these sizes; "" if there is none. */
  name: string
  /** The letters of sizes that the text lacks, and that come from a published model or are usual values. */
  assumed: string[]
  /** Whether the model may have more layers than the text shows. */
  isOpen: boolean
  /** Other classes that have the same rows. */
  alike: string[]
}

// --- Lines with labels --------------------------------------------------------

/** A number of a text with its label. */
interface Quantity {
  /** The number as it is in the text, and as `explaining/read.js` reads it. */
  typed: string
  canonical: string
  number: NumberRead
  /** The kind of number, such as "count", "memory" or "layers"; "" if unknown, and "other" if it is not about a
   * model. */
  role: string
  /** The roles of all words in its label, nearest first. */
  roles: string[]
  label: string
  start: number
  end: number
}

/** A model that a text names: its possible names among the models that are counted, the likeliest first, or among those
 * whose totals are all that we know. Both lists are empty if the model is unknown, or foreign to BERT's family. */
interface Mention {
  models: string[]
  others: string[]
  isForeign: boolean
  start: number
  end: number
  text: string
}

/** A text with labels, and the facts in its words. */
interface LabelledText {
  text: string
  mentions: Mention[]
  /** All numbers in the text. */
  quantities: Quantity[]
  /** Those quantities that are about a model. */
  numbers: Quantity[]
  classes: { name: string; modelClass: ModelClass | null; ending: string; start: number; end: number }[]
  /** The endings of the class names that its words mention or suggest. */
  purposes: { ending: string; start: number; end: number }[]
  /** The number of labels that a classifier predicts; 0 if the text does not state it. */
  labels: number
  parts: { start: number; end: number; text: string; words: string }[]
  /** The explanations of a number, which are computed only once even if the text repeats it. */
  explain: (text: string, model: string) => Explanation[]
}

/** The facts in the words around one number. */
interface Context {
  mention: Mention | null
  classes: string[]
  endings: string[]
  /** The number of labels that a classifier predicts; 0 if no words state it. */
  labels: number
  /** The parts that words near the number name, and those that any words of the text name. */
  parts: string[]
  partsInText: string[]
  /** Whether the text leaves out a part, as in "without the embeddings". */
  leavesOutPart: boolean
  /** Whether the text has no other count. */
  isOnlyCount: boolean
  /** Whether words show that the number is the difference between two totals. */
  isDifference: boolean
  /** Whether the number is one of trained parameters. */
  isTrained: boolean
  /** Whether the number was printed for a file of llama.cpp, which has no pooler. */
  isGguf: boolean
  /** Whether the text names the type of its numbers, such as float16. */
  isTypeNamed: boolean
  /** Whether the text names one of the tensors of a module, such as the bias. */
  isTensorNamed: boolean
  /** Whether the text names a file of weights, which holds no gradients and no moments. */
  isWeightsFile: boolean
  /** Whether the words before the number name a file that holds the graph of a model besides its weights. */
  isGraphFile: boolean
  /** The profilers that the text names, in lower case. */
  profilers: string[]
  /** The length of a text in tokens; 0 if none is given. */
  tokens: number
  /** Whether words mention a change to a model, such as adapters, packed weights or freezing. */
  isChanged: boolean
  explain: LabelledText["explain"]
}

/** A number, interpreted with its words. */
interface ResolvedNumber {
  quantity: Quantity
  context: Context
  ways: Explanation[]
  first: Explanation | null
  cost: number
  /** Whether there is a first way that is not merely near and, if a model is named, is about that model. */
  agrees: boolean
}

/** The number of trainable parameters, and of all parameters. */
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

/** A `peft_type` in adapter_config.json: our method, and the keys of its sizes by letter. */
interface AdapterKind {
  method: string
  /** The architectures for which PEFT has default modules. */
  defaults: string[]
  /** The method that applies instead if a key is true. */
  if_true?: Record<string, string>
  if_lstm?: string
  sizes?: Record<string, string>
  /** A further size that applies if a key is true. */
  projection?: { key: string; letter: string; size: string }
}
