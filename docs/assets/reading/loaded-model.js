// Finds the model that code or a command line loads: the name in a call such as
// `AutoModel.from_pretrained("roberta-base")`, in an option of a script, or in a variable
// with a name such as `model_name`. The result includes the class that loads the model and
// the other arguments, because they may give the model class and the number of labels.

import { changesIn } from "./configs/code.js"

/** A model that a text loads: its name, the class that loads it ("" if unknown), and the other arguments.
 * @typedef {{ name: string, loader: string, otherArguments: string }} Loading */

const NAME = String.raw`["'](?<name>[^"'\n]{1,120})["']`
const ARGUMENT = String.raw`(?:\w+\s*=\s*)?${NAME}`
const OTHER_ARGUMENTS = String.raw`(?<otherArguments>(?:[^()]|\([^()\n]{0,200}\)){0,2000})`

/** A call that loads a model by name. */
const LOADING_CALL = String.raw`(?:\b(?<owner>\w+)\.from_pretrained|\b(?<constructor>SentenceTransformer|CrossEncoder))\(\s*${ARGUMENT}${OTHER_ARGUMENTS}`
const WHOLE_CALL = new RegExp(
  String.raw`^(?:\w+\s*=\s*)?(?:transformers\.|sentence_transformers\.)?${LOADING_CALL}\)\s*;?$`,
)
const CALL = new RegExp(LOADING_CALL, "g")
const PIPELINE = new RegExp(String.raw`\bpipeline\([^()\n]*?\bmodel\s*=\s*${NAME}${OTHER_ARGUMENTS}`, "g")
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

/** The model that a text loads if the text is a single call and nothing else; null for any other text.
 * @param {string} text */
export function loadingInCall(text) {
  const match = WHOLE_CALL.exec(text)
  return match && asLoading(match)
}

/** A number or a switch in Python's spelling. @param {number | boolean} value */
function inPython(value) {
  if (typeof value !== "boolean") return String(value)
  return value ? "True" : "False"
}

/** A loading whose arguments include the settings that the code assigns to the config later.
 * @param {Loading} loading @param {string} text @returns {Loading} */
function withAssignments({ otherArguments, ...loading }, text) {
  const assignments = changesIn(text).laterValues.flatMap(([key, value]) =>
    typeof value === "number" || typeof value === "boolean" ? [`${key}=${inPython(value)}`] : [],
  )
  return { ...loading, otherArguments: [otherArguments, ...assignments].join(", ") }
}

/** The model that a text loads by a call. If no call loads a model, the name is taken from a variable,
 * an option, a key in YAML, or a call that loads a tokenizer or config; null if the text has none of these.
 * @param {string} text @returns {Loading | null} */
export function loadingIn(text) {
  const calls = [...text.matchAll(CALL), ...text.matchAll(PIPELINE)].map(asLoading)
  const modelCall = calls.find(({ loader }) => !NOT_MODEL.test(loader))
  if (modelCall) return withAssignments(modelCall, text)
  const [, loader = "", otherArguments = ""] =
    [...text.matchAll(FROM_VARIABLE)].find(([, owner]) => !NOT_MODEL.test(owner)) ?? []
  const nameMatch = VARIABLE.exec(text) ?? OPTION.exec(text) ?? YAML_KEY.exec(text)
  if (nameMatch) return { ...asLoading(nameMatch), loader, otherArguments }
  if (!calls.length) return null
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

/** Code that changes a model after it has been loaded: it replaces, resizes or deletes parts, or wraps the model. */
const LATER_CHANGE =
  /\.layers?\s*=(?!=)|\bmodel\.[\w.]+\s*=\s*(?:torch\.)?nn\.|\bdel\s+model\.|\bget_peft_model\(|\.prune_heads\(|\.resize_token_embeddings\(/

/** Whether code changes the model that it loads. @param {string} text */
export const changesModel = (text) => LATER_CHANGE.test(text)
