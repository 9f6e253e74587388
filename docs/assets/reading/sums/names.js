// Recognises the names of sizes in a sum done by hand: letters, words, and keys of configs. The
// hidden size is H in one text, d_model in another and 隐藏维度 in a third. A word that often but not
// always means a size, such as "hidden", counts only where a size is expected.

/** The letter of each size, and its other names in lower case. H/A is the size of one head. */
const NAMES = {
  V: "v vocab vocab_size vocabsize vocabulary_size n_vocab |v| 词表 词表大小 词汇量",
  P: "p max_len maxlen seq_len max_position_embeddings max_positions n_positions n_pos n_ctx num_positions max_seq_len",
  S: "s t type_vocab_size n_types n_segments num_segments n_seg",
  H: "h d hidden hidden_size hiddensize d_model dmodel d_h d_emb emb_dim n_embd embed_dim hidden_dim dim 隐藏维度 d_hidden",
  F: "f d_ff dff d_ffn ffn_dim intermediate_size d_inner ff_dim d_intermediate n_inner",
  L: "l n n_layers n_layer num_layers num_hidden_layers n_l nlayers 层数",
  A: "a n_heads num_heads num_attention_heads n_head nheads",
  E: "e embedding_size input_embedding_size d_e",
  C: "c num_labels n_labels num_classes n_classes",
  "H/A": "d_k d_v d_q d_head head_dim head_size dk dv",
}
const LETTERS = new Map(
  Object.entries(NAMES).flatMap(([letter, names]) => names.split(" ").map((name) => [name, letter])),
)

/** The letter of the size that a name means; "" for any other word. A final 2 is ignored, because H2 is a square that
 * has lost its superscript. @param {string} name */
export const letterOf = (name) =>
  LETTERS.get(name.toLowerCase()) ?? LETTERS.get(name.toLowerCase().replace(/2$/, "")) ?? ""

/** Whether a word means a size even within a sentence. Of the lower-case letters, only h and d do. The words dim,
 * hidden and vocab do not, because they are usually plain words, as in "768 hidden". @param {string} name */
export const isSizeName = (name) =>
  letterOf(name) !== "" && (name.length > 1 || /[A-Zhd]/.test(name)) && !/^(dim|hidden|vocab)$/.test(name)

/** A lower-case letter between two signs, or before an equals sign and a number: (v + p + s) * h, l = 12. */
const LETTER_IN_FORMULA =
  /(?:(?<=[*×·+/=] ?|\( ?)[a-z](?= ?[*×·+(])|(?<=[*×·+] ?)[a-z](?= ?\))|(?<![\p{L}\p{N}_])[a-z](?= ?= ?[0-9]))/gu
/** A lower-case h or d that is multiplied. */
const WIDTH_IN_FORMULA = /(?<![\p{L}_])[hd](?: ?[*×·^²(]|(?<=[*×·)] ?[hd])(?![\p{L}_]))/u

/** The lower-case letters that a text uses as sizes; none unless its formulas have h or d as the hidden size, because
 * letters such as v and s also name other things.
 * @param {string} text @returns {Set<string>} */
export const lettersIn = (text) =>
  new Set(WIDTH_IN_FORMULA.test(text) ? text.match(LETTER_IN_FORMULA)?.filter((letter) => letterOf(letter)) : [])
