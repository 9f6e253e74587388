// Explains the dump of a GGUF file that is cut off after a few tensors, by its metadata, which give the sizes:
//
//     general.architecture = 'bert'
//     bert.block_count = 12
//     bert.embedding_length = 768
//
// A whole dump is a list of rows, which rows/ reads.

import { accountOfConfig } from "./configs/account.js"
import { finding, words } from "./words.js"

const MAX_LENGTH = 100_000 // characters
const MIN_SIZES = 3

/** The keys of transformers for those of GGUF. */
const KEYS = {
  block_count: "num_hidden_layers",
  embedding_length: "hidden_size",
  feed_forward_length: "intermediate_size",
  context_length: "max_position_embeddings",
  "attention.head_count": "num_attention_heads",
}
/** A size in the metadata of a BERT: its key and its value. */
const SIZE = new RegExp(String.raw`\bbert\.(${Object.keys(KEYS).join("|")}) = ([0-9]+)`, "g")
/** The number of tensors in the file. */
const TENSOR_COUNT = /GGUF\.tensor_count = ([0-9]+)|Dumping ([0-9]+) tensor/
/** The line of a tensor. */
const TENSOR = /^\s*[0-9]+: +[0-9]+ \|(?: +[0-9]+,?){4} \|/gm

/** The size of the vocabulary: in the metadata, or in the shape of the word table. */
const VOCABULARY = /\| +([0-9]+) \| tokenizer\.ggml\.tokens\b|, +([0-9]+), +1, +1 \| \w+ +\| token_embd\.weight/

/** The account of the dump of a GGUF file that does not list all of its tensors; null for any other text.
 * @param {string} text @returns {Account | null} */
export function accountOfGgufHeader(text) {
  const [, inMetadata, aboveTensors] = (text.length <= MAX_LENGTH && TENSOR_COUNT.exec(text)) || []
  const isCut = (text.match(TENSOR) ?? []).length < Number(inMetadata ?? aboveTensors ?? 0)
  const sizes = [...text.matchAll(SIZE)].map(
    ([, key, value]) => `${KEYS[/** @type {keyof typeof KEYS} */ (key)]}: ${value}`,
  )
  if (!isCut || sizes.length < MIN_SIZES) return null
  const [, tokenCount, rowCount] = VOCABULARY.exec(text) ?? []
  const vocabulary = tokenCount ?? rowCount
  const account = accountOfConfig(
    ["model_type: bert", ...sizes, ...(vocabulary ? [`vocab_size: ${vocabulary}`] : [])].join("\n"),
  )
  const [, width] = /hidden_size: ([0-9]+)/.exec(sizes.join("\n")) ?? []
  if (!account?.model || !width) return null
  const pooler = Number(width) * (Number(width) + 1)
  const onPooler = words`A GGUF file has no pooler, which is two tensors with ${pooler} parameters, so it holds ${account.model.total - pooler}.`
  return {
    ...account,
    findings: [finding(60, onPooler), ...account.findings],
    confidence: vocabulary ? account.confidence : "likely",
  }
}
