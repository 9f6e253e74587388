// Finds out which row of an architecture a printed name stands for, in one of two ways:
//
// 1. The name is one that a framework prints. Names in transformers and in the original
//    checkpoints come with the table; spelling is made uniform first, and wrappers in
//    front of a name (module., model.bert., base_model.model.) are passed over.
// 2. The name is somebody's own, such as blk.0.attn_q.weight. Its words are compared
//    with those of each row: words that tell rows apart (query, norm, up) count for
//    more than words that many share (layer, dense), and a word that only one side has
//    counts against the pair.

import table from "../../../data/table.js"
import { getOrMake, lazily } from "../../counting/engine.js"
import { namesOf } from "./ruler.js"

/** The names of a module's tensors in other frameworks, each with PyTorch's name. @type {Record<string, string>} */
const TENSOR_NAMES = {
  kernel: "weight",
  gamma: "weight",
  scale: "weight",
  w: "weight",
  weights: "weight",
  embedding: "weight",
  embeddings: "weight",
  beta: "bias",
  b: "bias",
  biases: "bias",
}

/** Words that stand for another word in a name. A name's words are first split at dots, underscores and capitals.
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
  blk: "layer",
  block: "layer",
  blocks: "layer",
  layers: "layer",
  h: "layer",
  encoder: "encoder",
  nsp: "nsp",
  mlm: "mlm",
}

/** The weights of the words that do not weigh 1: less for words in many names, more for those that tell rows apart.
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

const LONE_WORD = 0.5 // the share of its weight that a word costs if only one of two names has it
const OTHER_RANK = 1 // the deduction for other dimensions; no more, because a table of one row may be printed as a vector
const MIN_SCORE = 0.8 // the score from which a row is considered

/** A name in uniform spelling: dots, lower case, numbers of layers as components, `weight` and `bias`.
 * @param {string} name */
export function canonical(name) {
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
  const above = components.at(-2) ?? ""
  // In TensorFlow a table has the name of what it embeds.
  if (TENSOR_NAMES[last] && !(last.startsWith("embedding") && components.length < 2))
    components[components.length - 1] = TENSOR_NAMES[last]
  else if (/_embeddings$/.test(last)) components.push("weight")
  if (above && components.at(-1) === "weight" && components.at(-2) === "weight") components.pop()
  return components
}

/** Components that wrappers put between the modules of a name: PEFT, torch.compile, FSDP and Keras. */
const WRAPPER =
  /^(?:base_layer|original_module|original_name|_orig_mod|_fsdp_wrapped_module|_checkpoint_wrapped_module|tfm|tf_.*_model(?:_\d+)?)$/

/** The modules whose parts have numbers that are not those of layers, such as MobileBERT's ffn. */
const NUMBERED = new Set(
  table.architectures.flatMap(
    ({ names }) =>
      Object.values(names)
        .join(" ")
        .match(/\w+(?=\.[0-9])/g) ?? [],
  ),
)

/** A name with asterisks for the numbers of layers, and those numbers. @param {string[]} components */
function splitNumbers(components) {
  const isLayer = components.map((one, index) => /^[0-9]+$/.test(one) && !NUMBERED.has(components[index - 1]))
  const numbers = components.filter((_, index) => isLayer[index]).map(Number)
  return { components: components.map((one, index) => (isLayer[index] ? "*" : one)), numbers }
}

/** A row of an architecture, which a name stands for. @typedef {{ architecture: string, row: Row }} NamedRow */

/** The rows with each name that frameworks print, in uniform spelling. @type {() => Map<string, NamedRow[]>} */
const dictionary = lazily(() => {
  const entries = new Map()
  /** @param {string} name @param {NamedRow} entry */
  const add = (name, entry) => {
    const list = entries.get(name) ?? []
    if (
      !list.some(
        (/** @type {NamedRow} */ { row, architecture }) => row === entry.row && architecture === entry.architecture,
      )
    )
      list.push(entry)
    entries.set(name, list)
  }
  for (const { name: architecture, prefix } of table.architectures)
    for (const [row, name] of namesOf(architecture)) {
      const bare = name.startsWith(prefix) ? name.slice(prefix.length) : name
      // Paths are those of Google's checkpoints; other architectures borrow them for rows that they share with BERT.
      const paths = architecture === "bert" ? [row.path, row.path.replace(/^(?:bert|sequence_classifier)\//, "")] : []
      for (const one of [name, bare, ...paths]) {
        const components = canonical(one.replace("layer_*", "layer/*"))
        add(components.join("."), { architecture, row })
        const star = components.lastIndexOf("*")
        // Somebody who prints one layer has names that begin within it.
        if (star >= 0 && components.length - star > 2) add(components.slice(star + 1).join("."), { architecture, row })
      }
    }
  return entries
})

/** The rows that a printed name stands for, of any architecture, and the numbers of layers in it; null if no framework
 * prints this name.
 * @param {string} name @returns {{ rows: NamedRow[], numbers: number[], wrapper: string } | null} */
export function printedRows(name) {
  const cleaned = canonical(name).filter((component) => !WRAPPER.test(component))
  const { components, numbers } = splitNumbers(cleaned)
  for (let start = 0; start < components.length - 1; start++) {
    const rows = dictionary().get(components.slice(start).join("."))
    if (rows) return { rows, numbers, wrapper: components.slice(0, start).join(".") }
  }
  // The layer of Google's classifier is outside all modules.
  const [outermost] = components
  const outermostRows =
    components.length === 1 && /^output_(?:weights|bias)$/.test(outermost) ? dictionary().get(outermost) : undefined
  if (outermostRows) return { rows: outermostRows, numbers, wrapper: "" }
  const rows = tails().get(components.slice(-2).join("."))
  return rows ? { rows, numbers: [], wrapper: components.slice(0, -2).join(".") } : null
}

/** The rows of tables, by the ends of their names. A wrapper may hold a table directly, and a bracket that was lost in
 * a print puts what follows into another module.
 * @type {() => Map<string, NamedRow[]>} */
const tails = lazily(() => {
  const entries = new Map()
  for (const [name, rows] of dictionary()) {
    const tail = name.split(".").slice(-2).join(".")
    const tables = rows.filter(({ row }) => row.tags.has("embedding-table") && !row.repeated)
    if (tables.length) entries.set(tail, [...(entries.get(tail) ?? []), ...tables])
  }
  return entries
})

/** The words of a name: those that tell rows apart, in their common form. @param {string} name */
export function wordsOfName(name) {
  const parts = canonical(name)
    .flatMap((component) => component.split(/[_\-\s]+/))
    .flatMap((word) => (SYNONYMS[word] ? [word] : word.split(/(?<=[a-z])(?=[0-9]+$)/)))
    .filter((word) => word && !/^[0-9*]+$/.test(word))
  const phrase = parts.join(" ").replace(/\blayer norm\b/g, "norm")
  return new Set(
    phrase
      .split(" ")
      .filter(Boolean)
      .map((word) => SYNONYMS[word] ?? word),
  )
}

/** The words of a row: those of its names, and for a feed-forward tensor the side it is on.
 * @param {string} name @param {Row} row */
function wordsOfRow(name, row) {
  const allWords = new Set([...wordsOfName(name), ...wordsOfName(row.path)])
  if (row.block === "feed-forward") {
    const into = row.shape === "F H" || (row.shape === "H" && row.path.includes("output")) ? "down" : "up"
    allWords.add("feedforward")
    allWords.add(into)
    allWords.delete(into === "down" ? "up" : "down")
  }
  return allWords
}

/** How much a word weighs in a comparison of names. @param {string} word */
const weightOf = (word) => WEIGHTS[word] ?? 1

/** A score for how well the words of a name match those of a row; below `MIN_SCORE` they do not match.
 * @param {Set<string>} textWords @param {Set<string>} tensorWords */
function likeness(textWords, tensorWords) {
  let score = 0
  for (const word of textWords) score += tensorWords.has(word) ? weightOf(word) : -LONE_WORD * weightOf(word)
  for (const word of tensorWords) if (!textWords.has(word)) score -= LONE_WORD * weightOf(word)
  return score
}

/** The words of all rows of an architecture. @type {Map<string, Map<Row, Set<string>>>} */
const wordsByArchitecture = new Map()

/** The words of each row of an architecture. @param {string} architecture */
const rowWords = (architecture) =>
  getOrMake(
    wordsByArchitecture,
    architecture,
    () => new Map([...namesOf(architecture)].map(([row, name]) => [row, wordsOfRow(name, row)])),
  )

/** A row with the score of its likeness to a name. @typedef {{ row: Row, score: number }} LikeRow */

/** The rows that are like names that have been asked for before. A text has each name once for every layer, so that few
 * have to be compared.
 * @type {Map<string, LikeRow[]>} */
const likeByName = new Map()

/** The rows of an architecture whose words are most like those of a name, the best match first.
 * @param {string} name @param {string} architecture @param {number} rank  the dimensions of the tensor; 0 if unknown
 * @returns {LikeRow[]} */
export function likeRows(name, architecture, rank) {
  const isInLayer = layersIn(name).length > 0
  const words = [...wordsOfName(name)]
  return getOrMake(likeByName, [architecture, rank, isInLayer, ...words].join(" "), () => {
    const textWords = new Set(words)
    return [...rowWords(architecture)]
      .filter(([row]) => row.repeated === isInLayer)
      .map(([row, own]) => ({
        row,
        score: likeness(textWords, own) - (rank && row.dimensions.length !== rank ? OTHER_RANK : 0),
      }))
      .filter(({ score }) => score >= MIN_SCORE)
      .sort((one, other) => other.score - one.score)
  })
}

/** The numbers of layers by name, because a name is compared with every model. @type {Map<string, number[]>} */
const layersByName = new Map()

/** The numbers of layers in a name. @param {string} name */
export const layersIn = (name) => getOrMake(layersByName, name, () => splitNumbers(canonical(name)).numbers)
