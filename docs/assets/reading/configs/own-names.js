// Recognises sizes under names of the reader's own. Code for a small BERT has no fixed keys:
// `n_layers`, `layers_num` and `NUM_TRANSFORMER_BLOCKS` are all the number of layers.
//
// A name is split into words. It gives a size if one of its words says what is counted, and all
// others only that it is a number or a width: `d_ff` and `FF_DIM` are the inner width of the
// feed-forward network, but `ff_dropout` and `mlp_ratio` are not.

import { wordsOf } from "../../counting/config-keys.js"

/** The words that say what is counted, and those that may stand beside them, by the key of the size. Some words say it
 * only beside another one: "hidden" alone may be a state or a layer. */
const SIZES = [
  {
    key: "vocab_size",
    counted: "vocab vocabulary ntoken",
    beside: "n num number of size len length token tokens word words",
  },
  { key: "num_attention_heads", counted: "head heads", beside: "n num number of attn attention" },
  {
    key: "num_hidden_layers",
    counted: "layer layers block blocks blks depth",
    beside: "n num number of transformer encoder bert",
  },
  {
    key: "intermediate_size",
    counted: "ff ffn dff feedforward",
    beside: "d n num dim size hidden hiddens inner width units",
  },
  {
    key: "intermediate_size",
    needsOther: true,
    counted: "mlp inner intermediate hid",
    beside: "d n dim size width units",
  },
  { key: "type_vocab_size", counted: "segment segments", beside: "n num number of size types" },
  { key: "num_labels", needsOther: true, counted: "labels classes tags", beside: "n num number of" },
  { key: "max_position_embeddings", counted: "positions", beside: "n num number of max" },
  { key: "max_position_embeddings", needsOther: true, counted: "pos position", beside: "n num max len length size" },
  { key: "hidden_size", counted: "dmodel dim hiddens", beside: "n num" },
  {
    key: "hidden_size",
    needsOther: true,
    counted: "model emb embed embd embedding hidden",
    beside: "d n dim size width units",
  },
].map(({ counted, beside, ...rest }) => ({
  ...rest,
  counted: new Set(counted.split(" ")),
  beside: new Set(beside.split(" ")),
}))

/** Names for the greatest length of a text: `maxlen`, `max_seq_len`, `context_length`, `n_ctx`. */
const MAX_LENGTH =
  /^max(?:imum)?_?(?:seq(?:uence)?_?|text_?)?len(?:gth)?$|^(?:seq(?:uence)?|context)_len(?:gth)?$|^n_ctx$/

/** A name with an underscore after the n of "nlayers", and without one in "feed_forward", which is one word.
 * @param {string} name */
const inUsualSpelling = (name) =>
  name.replace(/feed_?forward/i, "feedforward").replace(/^n(?=(?:layers?|heads?)$)/i, "n_")

/** The key of the size that a name gives by its words; "" if it gives none. @param {string} name */
export function keyByWords(name) {
  const words = wordsOf(inUsualSpelling(name)).filter(Boolean)
  const size = SIZES.find(
    ({ counted, beside, needsOther = false }) =>
      words.some((word) => counted.has(word)) &&
      words.every((word) => counted.has(word) || beside.has(word)) &&
      (!needsOther || words.some((word) => !counted.has(word))),
  )
  return size?.key ?? ""
}

/** Whether a name is that of the greatest length of a text. In code of the reader's own, the position table has as many
 * rows; in other configs, it may belong to the tokenizer.
 * @param {string} name */
export const isMaxLength = (name) => MAX_LENGTH.test(name.toLowerCase())
