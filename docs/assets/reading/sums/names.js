// Recognises the names of sizes in a sum done by hand: letters, words, and keys of configs.
// H is the width in one text, d_model in another and 隐藏维度 in a third. A word that is only
// often a size, such as "hidden", counts where a size must stand, and not where any word may.

/** The letter of each size, and its other names in lower case. H/A is the width of a head. */
const NAMES = {
  V: "v vocab vocab_size vocabsize vocabulary_size n_vocab |v| 词表 词表大小 词汇量",
  P: "p max_len maxlen seq_len max_position_embeddings max_positions n_positions n_pos n_ctx num_positions max_seq_len",
  S: "s type_vocab_size n_types n_segments num_segments n_seg",
  H: "h d hidden hidden_size hiddensize d_model dmodel d_h d_emb emb_dim n_embd embed_dim hidden_dim dim 隐藏维度 d_hidden",
  F: "f d_ff dff d_ffn ffn_dim intermediate_size d_inner ff_dim d_intermediate n_inner",
  L: "l n n_layers n_layer num_layers num_hidden_layers n_l nlayers 层数",
  A: "a n_heads num_heads num_attention_heads n_head nheads",
  E: "e embedding_size d_e",
  C: "c num_labels n_labels num_classes n_classes",
  "H/A": "d_k d_v d_q d_head head_dim head_size dk dv",
}
const LETTERS = new Map(
  Object.entries(NAMES).flatMap(([letter, names]) => names.split(" ").map((name) => [name, letter])),
)

/** The letter of the size that a name stands for, also if it ends in a square that lost its sign, as in H2; "" for any
 * other word. @param {string} name */
export const letterOf = (name) =>
  LETTERS.get(name.toLowerCase()) ?? LETTERS.get(name.toLowerCase().replace(/2$/, "")) ?? ""

/** Whether a word names a size even where any other word may stand. Of the lower-case letters only h and d do; dim,
 * hidden and vocab do not, because they are mostly words of a sentence, as in "768 hidden". @param {string} name */
export const isSizeName = (name) =>
  letterOf(name) !== "" && (name.length > 1 || /[A-Zhd]/.test(name)) && !/^(dim|hidden|vocab)$/.test(name)
