// Reads a call of keras-bert's `get_model` as the config of the BERT that it builds. With `training=False`, the model
// has neither a head nor a pooler; otherwise it has both pre-training heads.

import { withoutCodeOfVocabulary } from "./code.js"
import { membersAt } from "./reader.js"

/** @typedef {import("./text.js").ConfigText} ConfigText */

/** The start of a call of `get_model` with the name that only keras-bert gives to the vocabulary. */
const CALL = /(?<![\w.])(?:keras_bert\.)?get_model\s{0,4}\((?=[^"'{}]{0,600}\btoken_num\s{0,4}=)/

/** The names of sizes in transformers, by keras-bert's. @type {Record<string, string>} */
const KEYS = {
  token_num: "vocab_size",
  pos_num: "max_position_embeddings",
  embed_dim: "hidden_size",
  transformer_num: "num_hidden_layers",
  head_num: "num_attention_heads",
  feed_forward_dim: "intermediate_size",
}

/** Arguments that give no size. */
const OTHER_ARGUMENTS = [
  "seq_len",
  "dropout_rate",
  "attention_activation",
  "feed_forward_activation",
  "training",
  "trainable",
  "lr",
]

/** The config of the model that a call of keras-bert's `get_model` in a text builds; null if there is none.
 * @param {string} text @returns {ConfigText | null} */
export function configOfKerasBert(text) {
  const call = CALL.exec(text)
  const members = call && membersAt(text, call.index + call[0].length, ")")
  if (!call || !members) return null
  const settings = [...members.entries].filter(([name]) => !OTHER_ARGUMENTS.includes(name))
  const { entries, codeOfVocabulary } = withoutCodeOfVocabulary(
    settings.map(([name, value]) => [KEYS[name] ?? name, value]),
  )
  const isTrained = members.entries.get("training") !== false
  return {
    className: "BertConfig",
    form: "arguments",
    entries,
    isCut: members.isCut,
    repeatedKeys: members.repeatedKeys,
    rest: isTrained ? "" : "BertModel(config, add_pooling_layer=False)",
    builtClass: isTrained ? "BertForPreTraining" : "",
    unreadCode: codeOfVocabulary,
    furtherConfigs: 0,
  }
}
