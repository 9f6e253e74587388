// Works out which row of an architecture a printed name refers to, in one of two ways:
//
// 1. The name is one that a framework prints. The exported table has the names of
//    transformers and of the original checkpoints. Spelling is made uniform first, and
//    wrappers in front of a name (module., model.bert., base_model.model.) are skipped.
// 2. The name is custom, such as blk.0.attn_q.weight. Its words are compared with those
//    of each row: words that distinguish rows (query, norm, up) weigh more than words that
//    many rows share (layer, dense), and a word that only one side has lowers the score.
//
// Names of tensors that fine-tuning methods add belong to no architecture.

import table from "../../../data/table.js"
import { classOfBare, getOrMake, lazily } from "../../counting/engine.js"
import { namesOf } from "./ruler.js"

/** PyTorch's names for the tensors of a module, by their names in other frameworks. @type {Record<string, string>} */
const TENSOR_NAMES = {
  kernel: "weight",
  gamma: "weight",
  scale: "weight",
  w: "weight",
  weights: "weight",
  embedding: "weight",
  embeddings: "weight",
  weight_orig: "weight", // beside the mask with which torch.nn.utils.prune hides some of its elements
  beta: "bias",
  b: "bias",
  biases: "bias",
  bias_orig: "bias",
}

/** The common form of words in names, by variant; a variant that means two words has both. A name is put into lower
 * case and split at dots, underscores, hyphens and spaces before its words are looked up.
 * @type {Record<string, string>} */
const SYNONYMS = {
  attn: "attention",
  att: "attention",
  multihead: "attention",
  mha: "attention",
  q: "query",
  wq: "query",
  k: "key",
  wk: "key",
  v: "value",
  wv: "value",
  o: "out",
  wo: "out",
  output: "out",
  proj: "out",
  layernorm: "norm",
  ln: "norm",
  rmsnorm: "norm",
  layernormalization: "norm",
  embd: "embedding",
  embed: "embedding",
  emb: "embedding",
  embeddings: "embedding",
  tok: "word",
  token: "word",
  tokens: "word",
  wte: "word",
  vocab: "word",
  words: "word",
  pos: "position",
  positions: "position",
  wpe: "position",
  positional: "position",
  seg: "segment",
  segments: "segment",
  type: "segment",
  types: "segment",
  sentence: "segment",
  ffn: "feedforward",
  ff: "feedforward",
  mlp: "feedforward",
  fc1: "up",
  lin1: "up",
  linear1: "up",
  w1: "up",
  intermediate: "up",
  fc2: "down",
  lin2: "down",
  linear2: "down",
  w2: "down",
  norm1: "attention norm",
  ln1: "attention norm",
  norm2: "feedforward norm",
  ln2: "feedforward norm",
  blk: "layer",
  block: "layer",
  blocks: "layer",
  layers: "layer",
  h: "layer",
}

/** The weights of words whose weight is not 1: less for words in many names, more for words that distinguish rows.
 * @type {Record<string, number>} */
const WEIGHTS = {
  encoder: 0.1,
  layer: 0.1,
  bert: 0.1,
  roberta: 0.1,
  electra: 0.1,
  model: 0.1,
  transformer: 0.1,
  self: 0.1,
  dense: 0.1,
  linear: 0.1,
  lin: 0.1,
  out: 0.7,
  embedding: 0.4,
  feedforward: 0.6,
  attention: 0.8,
  weight: 1.5,
  bias: 1.5,
  norm: 2,
  query: 2,
  key: 2,
  value: 2,
  up: 2,
  down: 2,
}

const LONE_WORD_SHARE = 0.5 // the share of its weight that a word costs if only one of the two names has it
const OTHER_RANK_COST = 1 // the cost of a different rank; small, because a one-row table may be printed as a vector
const MIN_SCORE = 2.2 // more than any word weighs, so a custom name must share at least two words with a row
const SCORE_TOLERANCE = 0.01 // scores are sums of decimals, so equal scores may differ in their last digits

/** The cached components of names. @type {Map<string, string[]>} */
const componentsByName = new Map()

/** The components of a name in uniform spelling: in lower case, with layer numbers as components of their own, and with
 * `weight` or `bias` at the end where a framework uses another word.
 * @param {string} name */
export const canonicalComponents = (name) => getOrMake(componentsByName, name, () => readComponents(name))

/** The components of a name, without the cache. @param {string} name */
function readComponents(name) {
  const components = name
    .replace(/:0$/, "")
    .toLowerCase()
    .replace(/[/]/g, ".")
    .replace(/\blayer_\._(?=[0-9])/g, "layer.") // as TensorFlow names transformers' layers
    .replace(/\blayer_(?=[0-9])|(?<=layer)[_-](?=[0-9])/g, "layer.")
    .replace(/layer\.\./g, "layer.")
    .replace(/layer_norm(?:alization)?/g, "layernorm")
    .split(".")
    .filter(Boolean)
  const last = components.at(-1) ?? ""
  if (TENSOR_NAMES[last] && !(last.startsWith("embedding") && components.length < 2))
    components[components.length - 1] = TENSOR_NAMES[last]
  // In Google's checkpoints, the name of a table ends with what it embeds, such as word_embeddings.
  else if (/_embeddings$/.test(last)) components.push("weight")
  return components
}

/** Components that PEFT, torch.compile, FSDP and Keras insert into names. */
const INSERTED_COMPONENT =
  /^(?:base_layer|original_module|original_name|_orig_mod|_fsdp_wrapped_module|_checkpoint_wrapped_module|tfm|tf_.*_model(?:_\d+)?)$/

/** Modules followed by a number that is not a layer number, such as MobileBERT's ffn. */
const NUMBERED_MODULES = new Set(
  table.architectures.flatMap(
    ({ names }) =>
      Object.values(names)
        .join(" ")
        .match(/\w+(?=\.[0-9])/g) ?? [],
  ),
)

/** A name without its layer numbers, and without any other number between dots. @param {string} name */
export const withoutLayerNumbers = (name) => name.replace(/\.[0-9]+(?=\.)/g, "")

/** The components of a name with asterisks in place of layer numbers, and those numbers.
 * @param {string[]} components */
function splitNumbers(components) {
  const areLayerNumbers = components.map(
    (component, index) => /^[0-9]+$/.test(component) && !NUMBERED_MODULES.has(components[index - 1]),
  )
  const numbers = components.filter((_, index) => areLayerNumbers[index]).map(Number)
  return { components: components.map((component, index) => (areLayerNumbers[index] ? "*" : component)), numbers }
}

/** The names of modules in fairseq's RoBERTa, by those in transformers. A name that ends with another comes before
 * it. */
const NAMES_IN_FAIRSEQ = Object.entries({
  "roberta.embeddings.word_embeddings": "sentence_encoder.embed_tokens",
  "roberta.embeddings.position_embeddings": "sentence_encoder.embed_positions",
  "roberta.embeddings.LayerNorm": "sentence_encoder.layernorm_embedding",
  "roberta.encoder.layer": "sentence_encoder.layers",
  "attention.self.query": "self_attn.q_proj",
  "attention.self.key": "self_attn.k_proj",
  "attention.self.value": "self_attn.v_proj",
  "attention.output.dense": "self_attn.out_proj",
  "attention.output.LayerNorm": "self_attn_layer_norm",
  "intermediate.dense": "fc1",
  "output.dense": "fc2",
  "output.LayerNorm": "final_layer_norm",
})

/** The names of the decoder's weight in fairseq's RoBERTa, before release 0.9 and since, by its name in transformers.
 * @type {Record<string, string[]>} */
const DECODERS_IN_FAIRSEQ = { "lm_head.decoder.weight": ["decoder.lm_head.weight", "encoder.lm_head.weight"] }

/** The name of a tensor in fairseq's RoBERTa. @param {string} name  its name in transformers */
const nameInFairseq = (name) =>
  NAMES_IN_FAIRSEQ.reduce((result, [module, moduleInFairseq]) => result.replace(module, moduleInFairseq), name)

/** A row that a name refers to, its architecture, and how many layer numbers its whole name has: two in ALBERT, whose
 * layers are in groups. @typedef {{ architecture: string, row: Row, numberCount: number }} NamedRow */

/** The rows by every name that a framework prints, in uniform spelling. */
const rowsByName = lazily(() => {
  /** @type {Map<string, NamedRow[]>} */
  const entries = new Map()
  /** Adds a row under a name. @param {string} name @param {NamedRow} entry */
  const add = (name, entry) => {
    const list = getOrMake(entries, name, () => [])
    if (!list.some(({ row, architecture }) => row === entry.row && architecture === entry.architecture))
      list.push(entry)
  }
  for (const { name: architecture, prefix } of table.architectures)
    for (const [row, name] of namesOf(architecture)) {
      const numberCount = name.split("*").length - 1
      const nameWithoutPrefix = name.startsWith(prefix) ? name.slice(prefix.length) : name
      // The paths are the names in Google's checkpoints of BERT. Other architectures borrow them only for rows
      // that they share with BERT.
      const paths = architecture === "bert" ? [row.path, row.path.replace(/^(?:bert|sequence_classifier)\//, "")] : []
      for (const printedName of [name, nameWithoutPrefix, ...paths]) {
        const components = canonicalComponents(printedName.replace("layer_*", "layer/*"))
        add(components.join("."), { architecture, row, numberCount })
        const star = components.lastIndexOf("*")
        // If only one layer is printed, the names begin within it.
        if (star >= 0 && components.length - star > 2)
          add(components.slice(star + 1).join("."), { architecture, row, numberCount })
      }
      // XLM-RoBERTa has RoBERTa's prefix.
      const fairseqName = nameInFairseq(name)
      const fairseqNames = fairseqName.startsWith("sentence_encoder.")
        ? [fairseqName]
        : (DECODERS_IN_FAIRSEQ[name] ?? [])
      for (const printedName of fairseqNames)
        add(canonicalComponents(printedName).join("."), { architecture, row, numberCount })
    }
  return entries
})

/** A name as some framework prints it: the rows that it refers to, in any architecture, the layer numbers in it, and
 * the wrapper in front of it.
 * @typedef {{ rows: NamedRow[], numbers: number[], wrapper: string }} PrintedName */

/** The cached results of `readPrintedName`, because each name is compared with every architecture.
 * @type {Map<string, PrintedName | null>} */
const printedNames = new Map()

/** A name as some framework prints it; null if none does. @param {string} name */
export const asPrintedName = (name) => getOrMake(printedNames, name, () => readPrintedName(name))

/** The result of `asPrintedName`, without the cache. @param {string} name @returns {PrintedName | null} */
function readPrintedName(name) {
  const plainComponents = canonicalComponents(name).filter((component) => !INSERTED_COMPONENT.test(component))
  const { components, numbers } = splitNumbers(plainComponents)
  for (let start = 0; start < components.length - 1; start++) {
    const rows = rowsByName()
      .get(components.slice(start).join("."))
      ?.filter((row) => !numbers.length || numbers.length >= row.numberCount)
    if (rows?.length) return { rows, numbers, wrapper: components.slice(0, start).join(".") }
  }
  // In Google's checkpoints the classifier's layer is outside all modules.
  const [outermost] = components
  const outermostRows =
    components.length === 1 && /^output_(?:weights|bias)$/.test(outermost) ? rowsByName().get(outermost) : undefined
  if (outermostRows) return { rows: outermostRows, numbers, wrapper: "" }
  const rows = tablesByTail().get(components.slice(-2).join("."))
  return rows ? { rows, numbers: [], wrapper: components.slice(0, -2).join(".") } : null
}

/** The paths of the modules in the names that frameworks print, with asterisks in place of layer numbers. */
const modulePaths = lazily(
  () =>
    new Set(
      [...rowsByName().keys()].flatMap((name) =>
        name.split(".").map((_, index, components) => components.slice(0, index).join(".")),
      ),
    ),
)

/** Whether a name of several components is that of a module as some framework prints it, such as bert.encoder.layer,
 * perhaps within a wrapper.
 * @param {string} name */
export function isModuleName(name) {
  const { components } = splitNumbers(
    canonicalComponents(`${name}.weight`).filter((component) => !INSERTED_COMPONENT.test(component)),
  )
  const path = components.slice(0, -1)
  return path.some((_, start) => path.length - start > 1 && modulePaths().has(path.slice(start).join(".")))
}

/** The rows of embedding tables, by the last two components of their names. A wrapper may hold a table directly, and a
 * bracket that is missing from a print-out moves the tables after it into the wrong module. */
const tablesByTail = lazily(() => {
  /** @type {Map<string, NamedRow[]>} */
  const entries = new Map()
  for (const [name, rows] of rowsByName()) {
    const tail = name.split(".").slice(-2).join(".")
    const tables = rows.filter(({ row }) => row.tags.has("embedding-table") && !row.repeated)
    if (tables.length) getOrMake(entries, tail, () => []).push(...tables)
  }
  return entries
})

/** The cached words of names. @type {Map<string, Set<string>>} */
const wordsByName = new Map()

/** The words of a name, in their common form and without numbers. @param {string} name */
const wordsOfName = (name) => getOrMake(wordsByName, name, () => readWords(name))

/** The words of a name, without the cache. @param {string} name */
function readWords(name) {
  const parts = canonicalComponents(name)
    .flatMap((component) => component.split(/[_\-\s]+/))
    .flatMap((word) => (SYNONYMS[word] ? [word] : word.split(/(?<=[a-z])(?=[0-9]+$)/)))
    .filter((word) => word && !/^[0-9*]+$/.test(word))
  const phrase = parts
    .join(" ")
    .replace(/\blayer norm\b/g, "norm")
    .replace(/\btoken types?\b/g, "segment")
  return new Set(
    phrase
      .split(" ")
      .filter(Boolean)
      .flatMap((word) => (SYNONYMS[word] ?? word).split(" ")),
  )
}

/** The words of a row: those of its name in transformers and of its path and, for a feed-forward tensor, "feedforward"
 * and either "up" or "down".
 * @param {string} name @param {Row} row */
function wordsOfRow(name, row) {
  const allWords = new Set([...wordsOfName(name), ...wordsOfName(row.path)])
  if (row.block === "feed-forward") {
    const direction = row.shape === "F H" || (row.shape === "H" && row.path.includes("output")) ? "down" : "up"
    allWords.add("feedforward")
    allWords.add(direction)
    allWords.delete(direction === "down" ? "up" : "down")
  }
  return allWords
}

/** The weight of a word in the comparison of names. @param {string} word */
const weightOf = (word) => WEIGHTS[word] ?? 1

/** A score for how well the words of a name match those of a row; below `MIN_SCORE` they do not match.
 * @param {Set<string>} nameWords @param {Set<string>} rowWords */
function similarity(nameWords, rowWords) {
  let score = 0
  for (const word of nameWords) score += rowWords.has(word) ? weightOf(word) : -LONE_WORD_SHARE * weightOf(word)
  for (const word of rowWords) if (!nameWords.has(word)) score -= LONE_WORD_SHARE * weightOf(word)
  return score
}

/** The cached words of rows by architecture. @type {Map<string, Map<Row, Set<string>>>} */
const wordsByArchitecture = new Map()

/** The words of each row of an architecture. @param {string} architecture */
const wordsByRow = (architecture) =>
  getOrMake(
    wordsByArchitecture,
    architecture,
    () => new Map([...namesOf(architecture)].map(([row, name]) => [row, wordsOfRow(name, row)])),
  )

/** The cached results of `mostSimilarRows`. The key has a name's words without its numbers, so the names of all layers
 * share one entry.
 * @type {Map<string, Row[]>} */
const rowsByWords = new Map()

/** The rows of an architecture whose words match those of a name best, all with the same score; none if no row reaches
 * `MIN_SCORE`.
 * @param {string} name @param {string} architecture @param {number} rank  the number of dimensions of the tensor; 0 if
 * unknown */
function mostSimilarRows(name, architecture, rank) {
  const isInLayer = layersIn(name).length > 0
  const words = wordsOfName(name)
  return getOrMake(rowsByWords, [architecture, rank, isInLayer, ...words].join(" "), () => {
    const scoredRows = [...wordsByRow(architecture)]
      .filter(([row]) => row.repeated === isInLayer)
      .map(([row, rowWords]) => ({
        row,
        score: similarity(words, rowWords) - (rank && row.dimensions.length !== rank ? OTHER_RANK_COST : 0),
      }))
      .sort((one, other) => other.score - one.score)
    const bestScore = scoredRows[0]?.score ?? 0
    return bestScore < MIN_SCORE
      ? []
      : scoredRows.flatMap(({ row, score }) => (score > bestScore - SCORE_TOLERANCE ? [row] : []))
  })
}

/** The cached layer numbers by name, because each name is compared with every model. @type {Map<string, number[]>} */
const layersByName = new Map()

/** The layer numbers in a name. @param {string} name */
export const layersIn = (name) => getOrMake(layersByName, name, () => splitNumbers(canonicalComponents(name)).numbers)

/** The beginning of the names of an architecture's classes, such as Bert. @param {string} architecture */
export const stemOf = (architecture) => classOfBare(architecture).replace(/Model$/, "")

/** Names of tensors that fine-tuning methods add to a model. */
export const ADDED_TENSOR =
  /lora_|modules_to_save|(?:^|\.)(?:adapters?|adapter_\w+)(?:\.|$)|prompt_encoder|prefix_|ia3_|vera_|hada_|lokr_|oft_|boft_|trainable_tokens/

/** A printed row with the rows of an architecture that its name may refer to; null if there are none.
 * @param {TextRow} text @param {string} architecture @returns {NameMatch | null} */
export function matchByName(text, architecture) {
  if (!text.name || text.isContainer || ADDED_TENSOR.test(text.name)) return null
  const printedName = asPrintedName(text.name)
  if (printedName) {
    const rows = printedName.rows.flatMap((entry) => (entry.architecture === architecture ? [entry.row] : []))
    if (rows.length) return { text, rows: new Set(rows), numbers: printedName.numbers, isPrinted: true }
    // A name as short as norm.weight may be a custom one, even if another architecture has it.
    if (canonicalComponents(text.name).length > 2) return null
  }
  // In a table of counts, the name of a module is not that of a tensor.
  if (text.type && !text.shape) return null
  const rows = mostSimilarRows(text.name, architecture, text.shape?.length ?? 0)
  return rows.length ? { text, rows: new Set(rows), numbers: layersIn(text.name), isPrinted: false } : null
}
