// Finds the model that code or a command line loads: the name in a call such as
// `AutoModel.from_pretrained("roberta-base")`, in a command such as `ollama pull`, in an option of a
// script, or in a variable with a name such as `model_name`, and the folder of a checkpoint in a path.
// The result includes the class that loads the model and the other arguments, because they may give
// the model class and the number of labels.

import { changesIn } from "./configs/code.js"

/** A model that a text loads: its name, the class that loads it ("" if unknown), the other arguments, and whether the
 * code then freezes everything but the head.
 * @typedef {{ name: string, loader: string, otherArguments: string, isBodyFrozen?: boolean }} Loading */

const NAME = String.raw`["'](?<name>[^"'\n]{1,120})["']`
const ARGUMENT = String.raw`(?:\w+\s*=\s*)?${NAME}`
const OTHER_ARGUMENTS = String.raw`(?<otherArguments>(?:[^()]|\([^()\n]{0,200}\)){0,2000})`

/** A call that loads a model by name. */
const LOADING_CALL = String.raw`(?:\b(?<owner>\w+)\.from_pretrained|\b(?<constructor>SentenceTransformer|CrossEncoder|Transformer(?:Word|Document)Embeddings))\(\s*${ARGUMENT}${OTHER_ARGUMENTS}`
const WHOLE_CALL = new RegExp(String.raw`^(?:\w+\s*=\s*)?(?:[a-z_]\w*\.){0,3}${LOADING_CALL}\)\s*;?$`)
const CALL = new RegExp(LOADING_CALL, "g")
const PIPELINE = new RegExp(String.raw`\bpipeline\([^()\n]*?\bmodel\s*=\s*${NAME}${OTHER_ARGUMENTS}`, "g")
/** A call of PyTorch's hub for a model of transformers. */
const TORCH_HUB = new RegExp(
  String.raw`\btorch\.hub\.load\(\s*["']huggingface/[\w.:-]{1,60}["']\s*,\s*["']model(?<ending>\w*)["']\s*,\s*${ARGUMENT}${OTHER_ARGUMENTS}`,
)
/** A command that downloads or runs a model. */
const COMMAND =
  /^\s*(?:[$>!%]\s*)?(?:ollama\s(?:pull|run)|vllm\sserve|(?:huggingface-cli|hf)\sdownload|git\s(?:lfs\s)?clone\s(?:https?:\/\/)?(?:huggingface\.co|hf\.co)\/|git\sclone\sgit@hf\.co:)\s?(?<name>[A-Za-z][\w.-]*(?:\/[\w.-]+)?)(?=[:\s]|$)/m
/** The folder of a checkpoint of google-research/bert in a path, or the name that TensorFlow Hub makes of it. */
const FOLDER =
  /(?<=^|["'\s/(])(?<name>(?:bert_)?(?:[a-z]+_){0,3}L-[0-9]{1,2}_H-[0-9]{2,4}_A-[0-9]{1,2})(?=[/"'\s,).]|$)/m
/** The functions of bert4keras and keras-bert that build a model from such a folder, with their arguments. */
const KERAS_LOADER =
  /\b(?<loader>build_transformer_model|load_trained_model_from_checkpoint)\((?<otherArguments>[^()]{0,400})/
/** Classes that load something other than a model from a model's name. */
const NOT_MODEL = /Tokenizer|Config$|Processor|FeatureExtractor/

/** An option of a script, such as `--model_name_or_path roberta-base`, whose value may be on a continuation line. */
const OPTION =
  /(?:^|\s)--?(?:(?:base|pretrained)[_-])?(?:model|checkpoint)(?:[_-](?:name|id|checkpoint))?(?:[_-]or[_-]path)?(?:=|\s+|\s*\\\n\s*)["']?(?<name>[A-Za-z][\w.-]*(?:\/[\w.-]+)?)(?=["'\s]|$)/m
/** An assignment, such as `model_name = "roberta-base"`. */
const VARIABLE = new RegExp(
  String.raw`^\s*(?:(?:base|pretrained)_)?(?:model|checkpoint)(?:_?(?:name|id|checkpoint|ckpt))?(?:_or_path)?\s*=\s*${NAME}\s*(?:#.*)?$`,
  "im",
)
/** A key of a training script's config in YAML, such as `model_name_or_path: roberta-base`. */
const YAML_KEY =
  /^\s*(?:(?:base|pretrained)_)?(?:model|checkpoint)_(?:name|id)(?:_or_path)?[ \t]*:[ \t]*["']?(?<name>[A-Za-z][\w.-]*(?:\/[\w.-]+)?)["']?[ \t]*(?:#.*)?$/im
/** A call of a class with a config. */
const FROM_CONFIG = /\b([A-Z]\w*(?:Model|For[A-Z]\w*))(?:\.from_config)?\(\s*config\b/
/** A call to `from_pretrained` whose first argument is a variable. */
const FROM_VARIABLE = new RegExp(String.raw`\b(\w+)\.from_pretrained\(\s*\w+\s*(?:,${OTHER_ARGUMENTS})?\)`, "g")

/** The model that a match loads. @param {RegExpMatchArray} match @returns {Loading} */
const asLoading = ({ groups: { name = "", owner, constructor: className, otherArguments = "" } = {} }) => ({
  name,
  loader: owner ?? className ?? "",
  otherArguments,
})

/** The model that a text loads if the text is a single call or command; null for any other text.
 * @param {string} text */
export function loadingInCall(text) {
  const match = WHOLE_CALL.exec(text) ?? (text.includes("\n") ? null : COMMAND.exec(text))
  return match && asLoading(match)
}

/** A number or a switch in Python's spelling. @param {number | boolean} value */
function inPython(value) {
  if (typeof value !== "boolean") return String(value)
  return value ? "True" : "False"
}

/** The class of transformers with the tensors that bert4keras or keras-bert builds, and the argument that includes or
 * leaves out the pooler; "" if the class settles that.
 * @param {string} loader @param {string} otherArguments */
function loadingInKeras(loader, otherArguments) {
  const isOn = (/** @type {string} */ argument) =>
    new RegExp(String.raw`\b${argument}\s*=\s*(?!False|None)`).test(otherArguments)
  if (loader === "load_trained_model_from_checkpoint")
    return isOn("training")
      ? { loader: "BertForPreTraining", otherArguments: "" }
      : { loader: "BertModel", otherArguments: "training=False" }
  const hasPooler = isOn("with_pool") || isOn("with_nsp")
  const headClasses = isOn("with_nsp")
    ? ["BertForPreTraining", "BertForNextSentencePrediction"]
    : ["BertForMaskedLM", "BertModel"]
  return { loader: headClasses[isOn("with_mlm") ? 0 : 1], otherArguments: `with_pool=${hasPooler ? "True" : "False"}` }
}

/** The model that a text names by the folder of its checkpoint; null if it names none. @param {string} text */
function loadingOfFolder(text) {
  const { name = "" } = FOLDER.exec(text)?.groups ?? {}
  if (!name) return null
  const { loader = "", otherArguments = "" } = KERAS_LOADER.exec(text)?.groups ?? {}
  return { name, ...(loader ? loadingInKeras(loader, otherArguments) : { loader, otherArguments }) }
}

/** The model that a call of PyTorch's hub or a command loads; null if a text has neither. @param {string} text */
function loadingByOtherTools(text) {
  const { name = "", ending = "", otherArguments = "" } = TORCH_HUB.exec(text)?.groups ?? {}
  if (name) return { name, loader: `AutoModel${ending}`, otherArguments }
  const command = COMMAND.exec(text)
  return command && asLoading(command)
}

/** The keyword argument for the number of layers, if code keeps only the first ones; empty if it keeps all.
 * @param {string} text */
function keptLayersIn(text) {
  const [, endOfSlice, firstDeleted] = KEPT_LAYERS.exec(text) ?? []
  const layers = endOfSlice ?? firstDeleted
  return layers ? [`num_hidden_layers=${layers}`] : []
}

/** A loading whose arguments include the settings that the code assigns to the config later.
 * @param {Loading} loading @param {string} text @returns {Loading} */
function withAssignments({ otherArguments, ...loading }, text) {
  const assignments = changesIn(text).laterValues.flatMap(([key, value]) =>
    typeof value === "number" || typeof value === "boolean" ? [`${key}=${inPython(value)}`] : [],
  )
  return {
    ...loading,
    otherArguments: [otherArguments, ...assignments, ...keptLayersIn(text)].join(", "),
    isBodyFrozen: FROZEN_BODY.test(text),
  }
}

/** The model that a text loads by a call. If no call loads a model, the name is taken from a variable, an option, a key
 * in YAML, or a call that loads a tokenizer or config; and if the text has none of these, from a call of PyTorch's hub,
 * a command, or the folder of a checkpoint. Null if the text has none of them.
 * @param {string} text @returns {Loading | null} */
export function loadingIn(text) {
  const calls = [...text.matchAll(CALL), ...text.matchAll(PIPELINE)].map(asLoading)
  const modelCall = calls.find(({ loader }) => !NOT_MODEL.test(loader))
  if (modelCall) return withAssignments(modelCall, text)
  const [, loader = "", otherArguments = ""] =
    [...text.matchAll(FROM_VARIABLE)].find(([, owner]) => !NOT_MODEL.test(owner)) ?? []
  const nameMatch = VARIABLE.exec(text) ?? OPTION.exec(text) ?? YAML_KEY.exec(text)
  const isFolder = FOLDER.test(nameMatch?.groups?.name ?? "")
  if (nameMatch && !isFolder) return { ...asLoading(nameMatch), loader, otherArguments }
  if (!calls.length) return loadingByOtherTools(text) ?? loadingOfFolder(text)
  // A model that is built from a loaded config has the class that is called with the config.
  const [, builder = ""] = FROM_CONFIG.exec(text) ?? []
  return withAssignments(
    { ...calls[0], loader: loader || builder, otherArguments: otherArguments || calls[0].otherArguments },
    text,
  )
}

/** The number of labels that the arguments of a call give; 0 if they give none. @param {string} otherArguments */
export function labelCountIn(otherArguments) {
  const [, labels] = /\bnum_labels\s*=\s*([0-9]{1,6})\s*(?:[,)#\n]|$)/.exec(otherArguments) ?? []
  const [, names = ""] = /\bid2label\s*=\s*\{([^{}]*)\}/.exec(otherArguments) ?? []
  return Number(labels ?? names.match(/[0-9]+\s*:/g)?.length ?? 0)
}

/** Whether code computes the labels that a call is given, as in `num_labels=len(names)`.
 * @param {string} otherArguments */
export const hasComputedLabels = (otherArguments) =>
  !labelCountIn(otherArguments) && /\b(?:num_labels|id2label)\s*=/.test(otherArguments)

/** The arguments of a call that are whole numbers, True or False, by key.
 * @param {string} otherArguments @returns {Map<string, number | boolean>} */
export const settingsIn = (otherArguments) =>
  new Map(
    [...otherArguments.matchAll(/\b([a-z_]+)\s*=\s*(?:([0-9][0-9_]{0,9})|(True)|False)\s*(?=[,#\n]|$)/g)].map(
      ([, key, digits, isTrue]) => [key, digits ? Number(digits.replaceAll("_", "")) : Boolean(isTrue)],
    ),
  )

/** Code that freezes the model below a head, under its usual names: in a loop over its parameters, or all at once. */
const FROZEN_BODY =
  /\.(?:base_model|\w*bert\w*|electra|mpnet|esm|longformer)\.(?:(?:named_)?parameters\(\)\s*:\s*\w+\.requires_grad\s*=\s*False|requires_grad_\(False\))/

/** Code that keeps only the first layers of a model, or deletes those after them. */
const KEPT_LAYERS =
  /\.layers?\s*=\s*(?:(?:torch\.)?(?:nn\.)?ModuleList\()?\s*(?:list\()?[\w.]+\.layers?\)?\[\s*0?\s*:\s*([0-9]{1,2})\s*\]\)?|\bdel\s+[\w.]+\.layers?\[\s*([0-9]{1,2})\s*:\s*\]/

/** Code that changes a model after it has been loaded: it replaces, resizes or deletes parts, or wraps the model. A
 * layer that a module of the code's own keeps as `self.layer` is no part of that model. */
const LATER_CHANGE =
  /(?<!(?<![\w.])self)\.layers?\s*=(?!=)|\bmodel\.[\w.]+\s*=\s*(?:torch\.)?nn\.|\bdel\s+model\.|\bget_peft_model\(|\.prune_heads\(|\.resize_token_embeddings\(/

/** Whether code changes the model that it loads. @param {string} text */
export const changesModel = (text) => LATER_CHANGE.test(text.replace(KEPT_LAYERS, ""))
