// What is known of the keys of a configuration beyond those that are counted: the defaults
// of transformers, the keys that size nothing, and those that size tensors that the
// counted models do not have. A key of none of these kinds is unknown; if its name is
// that of a size, a part or a position, no total is stated as a fact beside it.
//
// Sources: transformers 5.23, configuration_utils.py and the configuration file of each
// architecture; transformers 4; google-research/bert; configurations on the hub.

import table from "../../../data/table.js"

const BASE = { hidden_size: 768, num_hidden_layers: 12, num_attention_heads: 12, intermediate_size: 3072 }
const TABLES = { max_position_embeddings: 512, type_vocab_size: 2 }

/** The sizes that transformers takes if a configuration does not give them, by architecture.
 * @type {Record<string, Record<string, number>>} */
export const DEFAULTS = {
  bert: { vocab_size: 30522, ...BASE, ...TABLES },
  roberta: { vocab_size: 50265, ...BASE, ...TABLES },
  "xlm-roberta": { vocab_size: 30522, ...BASE, ...TABLES },
  distilbert: { vocab_size: 30522, max_position_embeddings: 512, n_layers: 6, n_heads: 12, dim: 768, hidden_dim: 3072 },
  albert: {
    vocab_size: 30000,
    embedding_size: 128,
    hidden_size: 4096,
    num_hidden_layers: 12,
    num_attention_heads: 64,
    intermediate_size: 16384,
    ...TABLES,
  },
  electra: {
    vocab_size: 30522,
    embedding_size: 128,
    hidden_size: 256,
    num_hidden_layers: 12,
    num_attention_heads: 4,
    intermediate_size: 1024,
    ...TABLES,
  },
  mpnet: { vocab_size: 30527, ...BASE, max_position_embeddings: 512, relative_attention_num_buckets: 32 },
  modernbert: {
    vocab_size: 50368,
    hidden_size: 768,
    num_hidden_layers: 22,
    num_attention_heads: 12,
    intermediate_size: 1152,
  },
  gte: { vocab_size: 250048, ...BASE, max_position_embeddings: 8192, type_vocab_size: 1 },
  jina_embeddings_v3: {
    vocab_size: 250002,
    hidden_size: 1024,
    num_hidden_layers: 24,
    num_attention_heads: 16,
    intermediate_size: 4096,
    max_position_embeddings: 8194,
    type_vocab_size: 1,
  },
  layoutlm: { vocab_size: 30522, ...BASE, ...TABLES, max_2d_position_embeddings: 1024 },
  esm: { ...BASE, max_position_embeddings: 1026 },
  nomic_bert: { vocab_size: 30528, ...BASE, max_position_embeddings: 2048, type_vocab_size: 2 },
  "deberta-v2": {
    vocab_size: 128100,
    hidden_size: 1536,
    num_hidden_layers: 24,
    num_attention_heads: 24,
    intermediate_size: 6144,
  },
}

/** The architecture of a class of configurations, such as BertConfig; "" if it is not counted here.
 * @param {string} name */
export const architectureOfConfig = (name) =>
  table.architectures.find(({ classes }) => classes[0].name.replace(/Model$/, "Config") === name)?.name ?? ""

/** Keys that size no tensor of any architecture that is counted here. */
const SIZE_NOTHING = new Set(
  `_attn_implementation _attn_implementation_autoset _attn_implementation_internal _commit_hash
  _experts_implementation _flash_attn_2_enabled _name_or_path attention_dropout
  attention_probs_dropout_prob attn_implementation attn_pdrop bad_words_ids begin_suppress_tokens bos_token_id
  chunk_size_feed_forward classifier_dropout classifier_dropout_prob classifier_pooling cls_token_id conv_act
  cross_attention_hidden_size decoder_start_token_id deterministic_flash_attn directionality diversity_penalty
  do_lower_case do_sample down_scale_factor dropout dtype early_stopping embedding_dropout
  encoder_no_repeat_ngram_size eos_token_id eos_token_ids exponential_decay_length_penalty fine_tuning_task
  finetuning_task forced_bos_token_id forced_eos_token_id fp16 gap_size global_attn_every_n_layers
  global_rope_theta gradient_checkpointing hidden_dropout_prob initializer_cutoff_factor initializer_factor
  initializer_range is_composition is_encoder_decoder keys_to_ignore_at_inference label2id label_smoothing
  layer_norm_eps layers_to_keep length_penalty local_attention local_rope_theta mask_token_id max_length
  max_seq_length min_length mlp_dropout model_max_length name_or_path net_structure_type no_repeat_ngram_size
  norm_eps num_beam_groups num_beams num_memory_blocks num_return_sequences output_attentions
  output_hidden_states output_past output_scores pad_token_id pooler_dropout pooler_fc_size
  pooler_num_attention_heads pooler_num_fc_layers pooler_size_per_head pooler_type prefix problem_type
  qa_dropout reference_compile remove_invalid_values repad_logits_with_grad repetition_penalty return_dict
  return_dict_in_generate sbert_ce_default_activation_function sentence_transformers sep_token_id
  seq_classif_dropout sinusoidal_pos_embds sparse_pred_ignore_index sparse_prediction summary_last_dropout
  suppress_tokens task_specific_params temperature tf_legacy_loss tie_encoder_decoder tie_weights_
  tokenizer_class top_k top_p torch_dtype torchscript transformers.js_config transformers_version typical_p
  unk_token_id use_bfloat16 use_cache use_return_dict xla_device`.split(/\s+/),
)

/** Further such keys of one architecture, which are sizes in others.
 * @type {Record<string, string[]>} */
const SIZE_NOTHING_IN = {
  modernbert: ["layer_types", "rope_parameters"],
  "deberta-v2": ["max_relative_positions"],
  esm: ["rope_theta", "token_dropout", "esmfold_config", "vocab_list"],
  nomic_bert: ["rope_parameters", "rope_theta", "rope_scaling"],
  gte: ["rope_parameters", "rope_theta", "rope_scaling"],
  jina_embeddings_v3: ["rope_parameters", "rope_theta", "rope_scaling"],
}

/** Keys that bring tensors, or take some away, which the models counted here do not have so; with the model or method
 * that has them.
 * @type {Record<string, string>} */
const ELSEWHERE = {
  use_relative_position: "NEZHA has relative positions instead of a position table",
  use_relative_positions: "it replaces the position table",
  max_relative_position: "NEZHA has relative positions instead of a position table",
  max_relative_positions: "it belongs to models with relative positions",
  alibi_starting_size: "MosaicBERT and DNABERT-2 have ALiBi and gated feed-forward networks, in code of their own",
  img_feature_dim: "Oscar has a projection of image regions beside the word table",
  img_feature_type: "Oscar has a projection of image regions beside the word table",
  emb_pooler: "Jina's models have code of their own",
  feed_forward_type: "it chooses another feed-forward network, in code of its own",
  embedding_size: "it is the width of embeddings that differs from the hidden size in ALBERT and ELECTRA",
  quantization_config: "it packs weights or replaces layers, so the file does not hold the plain tensors",
  task_type_vocab_size: "ERNIE has a table of task types",
  use_task_id: "ERNIE has a table of task types",
  rotary_emb_fraction: "NomicBERT has rotary positions instead of a position table",
  rotary_emb_base: "NomicBERT has rotary positions instead of a position table",
  rope_theta: "rotary positions stand in place of a position table",
  rope_scaling: "rotary positions stand in place of a position table",
  qkv_proj_bias: "NomicBERT decides with it whether projections have biases",
  num_experts: "each expert is a feed-forward network of its own",
  adapters: "adapters are added tensors",
  attention_window: "Longformer has two sets of projections in each layer",
}

/** Words in the name of an unknown key that may be about tensors. */
const OF_TENSORS =
  /^(?:n|num|size|sizes|dim|dims|width|depth|rank|layer|layers|block|blocks|head|heads|emb|embed|embedding|embeddings|pool|pooler|pooling|proj|projection|position|positions|pos|relative|rel|alibi|rope|rotary|expert|experts|moe|adapter|adapters|bias|biases|kernel|conv|lora|quant|quantization|prune|pruned|pruning|norm|gate|gated|glu|geglu|swiglu|vocab|feature|features|channel|channels|group|groups|share|shared|crf|lstm|gru|rnn|mlp|ffn|attn|attention|query|key|value|qkv|table|type|types|segment|segments|hidden|intermediate|inner|classifier|decoder|encoder|side|fusion|image|img|visual|entity|task|max)$/

/** Words in the name of a key that sizes nothing whatever else is in it. */
const OF_TRAINING =
  /^(?:drop|dropout|pdrop|prob|probability|rate|eps|epsilon|init|initializer|temperature|loss|lr|seed|std|version|path|url|author|date|decay|warmup|epochs?|implementation|dtype|token|tokens|id|ids|length|len|name|names|license|penalty|smoothing|threshold|batch|step|steps|grad|gradient|optim|optimizer|log|logging|train|training|eval|cache)$/

/** Words in the name of a key that takes tensors away if it is false. */
const OF_WITHOUT = /^(?:bias|biases|pool|pooler|pooling|norm|affine|tie|tied|share|shared|layer|layers)$/

/** Sizes of the embeddings; one that equals the hidden size changes nothing. */
const HEAD_WIDTHS = new Set(["attention_head_size", "head_dim", "head_size"])
const WIDTHS = new Set(["embedding_size", "emb_size", "embed_dim", "embedding_dim", "d_model", "dim", "emb_dim"])

/** The words in the name of a key. @param {string} key */
const wordsOf = (key) =>
  key
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z]+/)

/** Whether a value says that there is none of something. @param {unknown} value */
const isNothing = (value) =>
  value === null ||
  value === false ||
  value === 0 ||
  value === "" ||
  (typeof value === "object" && value !== null && !Object.keys(value).length)

/** Why no total follows from a configuration with this key, if it may size tensors that are not counted; "" if it does
 * not, and null if nothing is known of the key.
 * @param {string} key @param {unknown} value @param {string} architecture
 * @param {{ hidden: unknown, labels: unknown, heads: unknown }} sizes  the hidden size, and the numbers of labels and heads
 * @returns {string | null} */
export function effectOf(key, value, architecture, { hidden, labels, heads }) {
  if (SIZE_NOTHING.has(key) || SIZE_NOTHING_IN[architecture]?.includes(key)) return ""
  if (WIDTHS.has(key) && value === hidden) return ""
  if (key === "_num_labels" && value === labels) return ""
  if (key === "position_embedding_type" && value === "absolute") return ""
  if (HEAD_WIDTHS.has(key) && Number(value) * Number(heads) === hidden) return ""
  if (key === "num_key_value_heads" && value === heads) return ""
  if (Object.hasOwn(ELSEWHERE, key)) return isNothing(value) ? "" : ELSEWHERE[key]
  const words = wordsOf(key)
  if (isNothing(value) && !(value === false && words.some((word) => OF_WITHOUT.test(word)))) return ""
  if (table.configs.foreign.includes(key)) return "it belongs to the configuration of another model"
  const meant = usualKey(key)
  if (meant !== key && !table.architectures.some(({ keys }) => Object.values(keys).includes(key)))
    return `transformers reads ${meant} instead, and ignores it`
  const isOfAnother = table.architectures.some(({ keys }) => Object.values(keys).includes(key))
  if (isOfAnother) return "it is a size of another architecture"
  if (words.some((word) => OF_TRAINING.test(word))) return null
  return words.some((word) => OF_TENSORS.test(word)) ? "we do not know it, and by its name it may size tensors" : null
}

const SETTINGS = table.configs.settings.map(({ key }) => key)

/** Every key that says that a text is a configuration of a model. */
const OF_MODELS = new Set([
  ...table.architectures.flatMap(({ keys, instead }) => [...Object.values(keys), ...Object.values(instead)]),
  ...SETTINGS,
  ...Object.keys(ELSEWHERE),
  ...["model_type", "architectures", "id2label", "auto_map", "is_decoder", "layer_norm_eps", "initializer_range"],
  ...["hidden_dropout_prob", "attention_probs_dropout_prob", "transformers_version"],
])

/** @param {string} key */
export const isKeyOfModels = (key) => OF_MODELS.has(key) || SIZE_NOTHING.has(key)

const SIZES = new Set(Object.values(DEFAULTS).flatMap((sizes) => Object.keys(sizes)))

/** Whether a key is a size. @param {string} key */
export const isSize = (key) => SIZES.has(key)

/** Sizes by the names that people and other libraries give them.
 * @type {Record<string, string>} */
const OTHER_NAMES = {
  vocab: "vocab_size",
  vocabulary: "vocab_size",
  vocabulary_size: "vocab_size",
  vocab_size_or_config_json_file: "vocab_size",
  n_vocab: "vocab_size",
  token_num: "vocab_size",
  hidden: "hidden_size",
  hidden_dim: "hidden_size",
  hidden_dimension: "hidden_size",
  hidden_units: "hidden_size",
  d_model: "hidden_size",
  embed_dim: "hidden_size",
  embedding_dimension: "hidden_size",
  layers: "num_hidden_layers",
  num_layers: "num_hidden_layers",
  n_layers: "num_hidden_layers",
  n_layer: "num_hidden_layers",
  number_of_layers: "num_hidden_layers",
  hidden_layers: "num_hidden_layers",
  encoder_layers: "num_hidden_layers",
  transformer_num: "num_hidden_layers",
  heads: "num_attention_heads",
  num_heads: "num_attention_heads",
  n_heads: "num_attention_heads",
  n_head: "num_attention_heads",
  number_of_heads: "num_attention_heads",
  attention_heads: "num_attention_heads",
  head_num: "num_attention_heads",
  feed_forward_size: "intermediate_size",
  feed_forward_dim: "intermediate_size",
  feedforward_size: "intermediate_size",
  ffn_size: "intermediate_size",
  ffn_dim: "intermediate_size",
  d_ff: "intermediate_size",
  dim_feedforward: "intermediate_size",
  intermediate: "intermediate_size",
  max_positions: "max_position_embeddings",
  max_position: "max_position_embeddings",
  positions: "max_position_embeddings",
  pos_num: "max_position_embeddings",
  n_positions: "max_position_embeddings",
  segments: "type_vocab_size",
  token_types: "type_vocab_size",
  n_segments: "type_vocab_size",
  // The letters of the paper, and those that it leaves without one.
  l: "num_hidden_layers",
  h: "hidden_size",
  a: "num_attention_heads",
  v: "vocab_size",
}

/** The key of BERT's configuration that a name stands for, or the name itself. @param {string} name */
export function usualKey(name) {
  const key = name.replace(/^-+/, "").replaceAll("-", "_")
  const low = key.toLowerCase()
  if (SIZES.has(low)) return low
  return Object.hasOwn(OTHER_NAMES, low) ? OTHER_NAMES[low] : key
}
