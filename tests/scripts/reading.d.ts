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
  | "added"
  | "subtotal"
  | "rounded"
  | "unknown"
  | "not read"

/** One of the reader's lines, beside what it is. */
interface AccountLine {
  /** The line as it was pasted; for equal layers the first of them. */
  source: string
  /** The part that it stands for; empty if that is not known. */
  part: Words
  /** The number that the line states or follows from its shape; null if it has none. */
  stated: number | null
  /** The number that the model has there; null if that is not known. */
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
  /** What the finding changes in the reader's total, if it changes it. */
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

/** What a text is, and what follows from it. */
interface Account {
  kind: "rows" | "labels" | "sum" | "config" | "name" | "warning" | "other" | "refusal"
  /** What it is, and whether it is right: the first sentences of the answer. */
  headline: Words
  /** Worst first. */
  findings: Finding[]
  /** The reader's lines, in their order; empty if the headline says it all. */
  lines: AccountLine[]
  bridge: AccountBridge | null
  /** The model, if one follows: its name among the published ones, or "", its class and what it counts. */
  model: { name: string; modelClass: string; total: number } | null
  /** How sure the answer is as a whole. */
  confidence: Explanation["confidence"]
}

// --- Lines with labels --------------------------------------------------------

/** A number of a text with its label. */
interface Quantity {
  /** As it stands in the text, and as `explaining/read.js` understands it. */
  typed: string
  canonical: string
  number: NumberRead
  /** What it counts, such as "count", "memory" or "layers"; "" if that is not known, "other" if nothing of a model. */
  role: string
  /** The roles of all words of its label, the nearest first. */
  roles: string[]
  label: string
  start: number
  end: number
}

/** A model that a text names: by its names among those that are counted, the likeliest first, or among those of
 * which only
 * totals are known; or one of which nothing is known. */
interface Mention {
  models: string[]
  others: string[]
  isForeign: boolean
  start: number
  end: number
  text: string
}

/** A text with labels, and what its words say. */
interface Reader {
  text: string
  mentions: Mention[]
  numbers: Quantity[]
  quantities: Quantity[]
  classes: { name: string; known: ModelClass | null; ending: string; start: number; end: number }[]
  /** The ends of the names of classes that its words speak of. */
  purposes: { ending: string; start: number; end: number }[]
  labels: number
  parts: { start: number; end: number; text: string; words: string }[]
}

/** What the words around one number say. */
interface Context {
  mention: Mention | null
  classes: string[]
  endings: string[]
  labels: number
  parts: string[]
  trained: boolean
  /** Whether it was printed for a file of llama.cpp, which has no pooler. */
  gguf: boolean
  /** The length of a text in tokens; 0 if none is given. */
  tokens: number
  /** Whether words speak of adapters or of packed weights. */
  changed: boolean
}

/** A number in the light of its words. */
interface Resolved {
  quantity: Quantity
  context: Context
  ways: Explanation[]
  first: Explanation | null
  cost: number
  /** Whether the first way is about the model that is named; true if none is. */
  agrees: boolean
}

/** What is trained, and all. */
interface Pair {
  trained: number
  all: number
  frozen: number | null
  quantities: { trained: Quantity | null; all: Quantity | null; frozen: Quantity | null }
}

/** What the words of a text say of a method and its model. */
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
  }
}
