// The account of a model's name: an id on the hub, its address, a name in words such as
// "BERT large", or a call that loads the model. Its headline gives the total in one class, and
// its lines give the total in every class. For an unknown name it suggests a similar known one,
// if there is one.

import exported from "../../../data/reading.js"
import { ofModel } from "../../counting/configuration.js"
import { architectures, classes, classesOf, classOfBare, count, inTorch, models, noun } from "../../counting/engine.js"
import { cut } from "../../counting/short.js"
import { withLayersInCode } from "../layers-in-code.js"
import { changesModel, hasComputedLabels, labelCountIn, loadingIn, loadingInCall, settingsIn } from "../loaded-model.js"
import { MAX_NAME_LENGTH, modelOfName, modelWithoutOwner, ORGANISATIONS, originOf } from "../model-names.js"
import { asSubject, code, enumeration, finding, words } from "../words.js"
import { calculatorFinding, extrasInWords, linesOfClasses, totalIn } from "./model-account.js"
import { modelInText } from "./names-in-words.js"
import { ANY_MODEL } from "./refusals.js"
import { reasonAgainst, suggestionFor } from "./suggestions.js"

/** @typedef {import("../model-names.js").NamedModel} NamedModel */

/** The address of a model on the hub, up to its id. */
const ADDRESS = /^(?:hf:\/\/|(?:https?:\/\/)?(?:www\.)?(?:huggingface\.co|hf\.co|hf-mirror\.com)\/(?:models\/)?)/i
/** The start of an address without the name of the hub, as in google-bert/bert-base-uncased/tree/main. */
const ID_WITH_FOLDER = /^[\w.-]+\/[\w.-]+\/(?:tree|blob|resolve|raw)\//i
/** The start of an assignment, or of a line with a key and a value. */
const ASSIGNMENT =
  /^(?:model|name|checkpoint|model[_ ]?(?:name|id|checkpoint)(?:_or_path)?|pretrained_model_name_or_path)\s*[:=]\s*/i
/** The ending of a file name, which is not the name of a model. */
const FILE = /\.(?:json|txt|bin|safetensors|py|md|csv|pt|pth|h5|ckpt|gguf|onnx|ipynb|log|ya?ml)$/i
/** A name followed by a number of labels, as in "bert-base-uncased num_labels=7" or "BERT base with 7 labels". */
const WITH_LABELS = /^(.+?)[\s,;(]+(?:(?:with|and)\s+)?(?:num_labels\s*[=:]\s*([0-9]{1,6})|([0-9]{1,6})\s+labels?)\)?$/i

const MAX_CALL_LENGTH = 2000 // the maximum number of characters of a call that may have several lines
const COMMENT = /[ \t]+#.*$/gm

const MAX_QUOTE_LENGTH = 80 // the maximum number of characters of a name that an answer repeats
const MAX_OTHERS = 3 // the maximum number of other models with the same name that are listed

/** A name without the address, quotation marks or assignment around it, and whether it was in an address.
 * @param {string} text */
function bareName(text) {
  const name = text
    .trim()
    .replace(/^["'`(]+|["'`),.;?]+$/g, "")
    .trim()
  if (!ADDRESS.test(name) && !ID_WITH_FOLDER.test(name))
    return { name: name.replace(ASSIGNMENT, "").replace(/^["'`]|["'`]$/g, ""), isAddress: false }
  const [owner = "", repository = ""] = name.replace(ADDRESS, "").split(/[?#]/)[0].split("/")
  return { name: isFolder(repository) || !repository ? owner : `${owner}/${repository}`, isAddress: true }
}

/** Whether a component of an address is a folder within a repository. @param {string} part */
const isFolder = (part) => ["tree", "blob", "resolve", "discussions", "raw"].includes(part)

/** The beginnings of names of models outside BERT's family. */
const FOREIGN_NAME =
  /^(?:gpt-?[0-9j]|gpt-?neo|distilgpt2|t5|mt5|flan|bart|mbart|llama|mistral|mixtral|qwen|gemma|phi-?[0-9]|falcon|bloom|opt-[0-9]|clip|vit-|whisper|wav2vec|xlnet|bigbird|longformer|pegasus|deepseek)/i

/** Words that occur in the names of BERT's family. */
const FAMILY = /bert|electra|mpnet|minilm/i
/** The last component of a path in a checkpoint, such as "query/kernel", which looks like an id. */
const TENSOR_PATH_END = /^(?:kernel|bias|gamma|beta|weight|dense|self|output|query|key|value)\b|^layer_?[0-9]*$/i

/** Whether an unknown name looks like a model's: an id on the hub, or a name of a known family. @param {string} name */
function looksLikeName(name) {
  if (FILE.test(name) || !/^[\w.-]{1,96}(?:\/[\w.-]{1,96})?$/.test(name) || !/[a-z]/i.test(name)) return false
  const [owner, lastPart] = name.split("/")
  if (!lastPart)
    return (
      FOREIGN_NAME.test(name) || (/[-_]/.test(name) && FAMILY.test(name) && !/[._](?:weight|bias|layer)/.test(name))
    )
  if (!/[a-z]/i.test(owner) || TENSOR_PATH_END.test(lastPart)) return false
  return (
    ORGANISATIONS.has(owner.toLowerCase()) ||
    FOREIGN_NAME.test(lastPart) ||
    FAMILY.test(lastPart) ||
    (/[-_.0-9]/.test(lastPart) && /[a-z]{2}/i.test(lastPart) && /[a-z]{2}/i.test(owner))
  )
}

/** The details that a text gives in addition to a model's name.
 * @typedef {object} NameContext
 * @property {string} modelClass  "" if none is given
 * @property {number} labels
 * @property {boolean} statesLabels  whether the text states the number of labels
 * @property {string} text  the name as it was written; "" if the model was named in words
 * @property {string} otherArguments  the arguments of the call that loads the model, without its name; "" for a name
 * @property {boolean} isBodyFrozen  whether code freezes everything but the head
 * @property {Model[]} others  further models that may be meant */

/** The account of a model's name; null for any other text.
 * @param {string} text @returns {Account | null} */
export function accountOfName(text) {
  const line = text.trim()
  const loading = line.length <= MAX_CALL_LENGTH ? loadingInCall(line.replace(COMMENT, "")) : null
  if (loading) return accountOfLoading(loading)
  if (!line || line.length > MAX_NAME_LENGTH || line.includes("\n")) return null
  const [, namePart = line, ...numbers] = WITH_LABELS.exec(line) ?? []
  const { name, isAddress } = bareName(namePart)
  const statedLabels = numbers.find(Boolean)
  return accountOfBareName(name, isAddress, {
    modelClass: "",
    labels: Number(statedLabels ?? 2),
    statesLabels: statedLabels !== undefined,
    text: name,
    otherArguments: "",
    isBodyFrozen: false,
    others: [],
  })
}

/** A layer of TensorFlow Hub. */
const TENSORFLOW_HUB = /\btfhub\.dev\/|\bKerasLayer\(/

/** The account of code or a command line that loads a model, for texts in which nothing else can be explained; null if
 * a text loads none.
 * @param {string} text @returns {Account | null} */
export function accountOfCode(text) {
  const loading = loadingIn(text)
  const modelAccount = loading && accountOfLoading(loading)
  if (modelAccount?.kind !== "name") return modelAccount
  const { name = "", total = 0 } = modelAccount.model ?? {}
  const onHub = words`A summary in Keras shows ${total + 1}, because TensorFlow Hub's layer keeps one more scalar, which is not trained.`
  const findingsOnHub = TENSORFLOW_HUB.test(text) ? [finding(50, onHub)] : []
  const accountOfLayer = { ...modelAccount, findings: [...findingsOnHub, ...modelAccount.findings] }
  const account = withLayersInCode(accountOfLayer, text, name ? models.get(name).sizes.H : NaN)
  if (!changesModel(text)) return account
  const sentence = words`This is the model as it is loaded: what your code changes in it afterwards is not counted.`
  return { ...account, findings: [finding(50, sentence), ...account.findings], confidence: "likely" }
}

/** The account of the model that a call loads; null if the call does not give a model's name. A cross-encoder has one
 * label unless the call states another number.
 * @param {import("../loaded-model.js").Loading} loading @returns {Account | null} */
function accountOfLoading({ name: loadedName, loader, otherArguments, isBodyFrozen = false }) {
  const isCrossEncoder = loader === "CrossEncoder"
  const { name } = bareName(loadedName)
  const statedLabels = labelCountIn(otherArguments)
  return accountOfBareName(name, true, {
    modelClass: isCrossEncoder ? "" : inTorch(loader),
    labels: statedLabels || (isCrossEncoder ? 1 : 2),
    statesLabels: isCrossEncoder || statedLabels > 0,
    text: name,
    otherArguments,
    isBodyFrozen,
    others: [],
  })
}

/** The account of a name; null if the text is not a model's name.
 * @param {string} name @param {boolean} isSurelyName  whether the name comes from an address or a call
 * @param {NameContext} context @returns {Account | null} */
function accountOfBareName(name, isSurelyName, context) {
  const namedModel = modelOfName(name) ?? (name.includes("/") ? null : modelWithoutOwner(name))
  if (namedModel) return accountOfModel(namedModel, context)
  const isOneWord = !/\s/.test(name)
  const lastPart = name.split("/").pop() ?? ""
  const isUncounted = isOneWord && !FILE.test(name) && /[-/]/.test(name) && reasonAgainst(name)
  if (isUncounted) return accountOfUnknown(name)
  const originalModel = isOneWord ? originOf(lastPart) : null
  if (originalModel) return accountOfFineTuned(originalModel, lastPart, context)
  const match = modelInText(isOneWord ? lastPart : name)
  // Anybody may publish a model named "bert-base-...", so a name with an owner is accepted only if it has all words of
  // a title.
  if (match && (!name.includes("/") || (match.hasWholeTitle && (looksLikeName(name) || isSurelyName)))) {
    const { model, others } = match
    const modelClass = context.modelClass || match.modelClass
    return accountOfModel(model, { ...context, modelClass, others, text: name.includes("/") ? name : "" })
  }
  const isName = isOneWord && (isSurelyName || looksLikeName(name) || isMisspelt(name))
  return isName ? accountOfUnknown(name) : null
}

/** Whether a word of several parts is close to the name of a known model. @param {string} name */
const isMisspelt = (name) => !FILE.test(name) && /[-_]/.test(name) && suggestionFor(name) !== null

/** The configuration of a model with the class and number of labels in the context. Labels without a class suggest a
 * classifier.
 * @param {Model} model @param {NameContext} context */
function configurationOf({ name, architecture }, { modelClass, labels, statesLabels, otherArguments }) {
  const classifier = classesOf(architecture).find((candidate) => candidate.name.endsWith("ForSequenceClassification"))
  const configuration = ofModel(name, modelClass || (statesLabels && classifier?.name) || "")
  const { sizes, choices } = changesByArguments(configuration, otherArguments)
  return {
    ...configuration,
    sizes: { ...configuration.sizes, ...sizes, C: labels },
    choices: { ...configuration.choices, ...choices },
  }
}

/** The arguments that set choices, each with its choice: of `from_pretrained`, bert4keras and keras-bert. */
const CHOICES = /** @type {const} */ ([
  ["add_pooling_layer", "pooler"],
  ["with_pool", "pooler"],
  ["training", "pooler"],
  ["tie_word_embeddings", "tied"],
  ["add_cross_attention", "cross_attention"],
])

/** The sizes and choices that the arguments of a call change in a published model, and the arguments that change one.
 * @param {Configuration} configuration @param {string} otherArguments */
function changesByArguments(
  { architecture: name, modelClass, sizes: publishedSizes, choices: usualChoices },
  otherArguments,
) {
  const settings = settingsIn(otherArguments)
  const { keys } = architectures.get(name)
  const [bert] = architectures.values()
  /** @type {Sizes} */
  const sizes = {}
  /** @type {Partial<Choices>} */
  const choices = {}
  /** @type {string[]} */
  const changedArguments = []
  for (const [key, value] of settings) {
    // transformers also accepts BERT's keys where a relative has its own, such as n_layers.
    const [letter] = [keys, bert.keys].flatMap((list) => Object.keys(list).filter((other) => list[other] === key))
    const choice = CHOICES.find(([argument]) => argument === key)?.[1]
    if (letter && letter !== "C" && typeof value === "number" && value > 0 && publishedSizes[letter] !== undefined) {
      if (publishedSizes[letter] === value) continue
      sizes[letter] = value
    } else if (choice && typeof value === "boolean" && classes.get(modelClass).offers.includes(choice)) {
      if (usualChoices[choice] === value) continue
      choices[choice] = value
    } else continue
    // Python's literals, as in the reader's call.
    const literal = { true: "True", false: "False" }[String(value)] ?? value
    changedArguments.push(`${key}=${literal}`)
  }
  return { sizes, choices, changedArguments }
}

/** An argument that takes the size of the vocabulary from a tokenizer, rather than giving it. */
const COMPUTED_VOCABULARY = /\bvocab_size\s*=\s*[A-Za-z_]/

/** Findings on arguments whose values are in other code. @param {string} otherArguments @returns {Finding[]} */
function findingsOnArguments(otherArguments) {
  const sentences = []
  if (hasComputedLabels(otherArguments))
    sentences.push(words`The number of labels is worked out by your code, so the usual 2 are taken here.`)
  if (COMPUTED_VOCABULARY.test(otherArguments))
    sentences.push(words`The size of the vocabulary is worked out by your code, so the usual one is taken here.`)
  if (/\bconfig\s*=/.test(otherArguments))
    sentences.push(words`${code("config")} is made by other code and may change every size: paste it, too.`)
  return sentences.map((sentence) => finding(50, sentence))
}

/** The account of a known model.
 * @param {NamedModel} namedModel @param {NameContext} context @returns {Account} */
function accountOfModel({ model, name, isFurther, isSure }, context) {
  const configuration = configurationOf(model, context)
  const { modelClass } = configuration
  const total = totalIn(configuration, modelClass) ?? 0
  const nameWithSizes =
    model.group === "course" ? words`${name}` : words`${name}, which has the sizes of ${model.title},`
  const { changedArguments } = changesByArguments(ofModel(model.name, modelClass), context.otherArguments)
  const publishedTitle = isFurther ? nameWithSizes : words`${asSubject(model.title)}`
  const closingComma = isFurther || model.title.includes(", ") ? "," : ""
  const title = changedArguments.length
    ? words`${publishedTitle} with the ${noun(changedArguments.length, "setting")} ${enumeration(changedArguments.map(code))}${closingComma}`
    : publishedTitle
  const findingsOnCode = findingsOnArguments(context.otherArguments)
  // Another publisher's model may only have the same name.
  const isByName = !isSure && context.text.includes("/")
  const beforeSubject = isByName ? words`By its name, ${code(cut(context.text, MAX_QUOTE_LENGTH))} is ` : []
  const subjectAndVerb = isByName ? words`${isFurther ? name : model.title}, which has` : words`${title} has`
  const findings = [
    ...findingsOnCode,
    ...(context.isBodyFrozen ? findingsOnFrozenBody(configuration, total) : []),
    ...findingsOnOtherModels(total, context),
    ...findingsOnClass(configuration),
    calculatorFinding(configuration, modelClass),
  ]
  return {
    kind: "name",
    headline: words`${beforeSubject}${subjectAndVerb} ${total} parameters as ${code(modelClass)}${extrasInWords(configuration, modelClass)}.`,
    findings,
    lines: linesOfClasses(configuration),
    bridge: null,
    model: { name: changedArguments.length ? "" : model.name, modelClass, total },
    confidence: isSure && !findingsOnCode.length ? "certain" : "likely",
  }
}

/** A finding on the parameters that are trained if everything but the head is frozen; empty for a bare model.
 * @param {Configuration} configuration @param {number} total @returns {Finding[]} */
function findingsOnFrozenBody({ architecture, modelClass, sizes, choices }, total) {
  if (modelClass === classOfBare(architecture)) return []
  const trained = total - count({ modelClass, sizes, choices, part: "bert" })
  const sentence = words`Your code freezes everything but the head, so ${trained} of them are trained.`
  return [finding(60, sentence)]
}

/** A finding on other models that the words may mean; empty unless their totals differ.
 * @param {number} total @param {NameContext} context @returns {Finding[]} */
function findingsOnOtherModels(total, context) {
  const totals = context.others.flatMap((other) => {
    const configuration = configurationOf(other, context)
    const otherTotal = totalIn(configuration, configuration.modelClass)
    return otherTotal === null || otherTotal === total ? [] : [words`${asSubject(other.title)} has ${otherTotal}`]
  })
  if (!totals.length) return []
  return [finding(30, words`Of the others with that name, ${enumeration(totals.slice(0, MAX_OTHERS))}.`)]
}

/** A finding that other classes have a head, and some of them no pooler; empty unless the class is a bare model with a
 * pooler.
 * @param {Configuration} configuration @returns {Finding[]} */
function findingsOnClass({ architecture, modelClass, choices }) {
  if (modelClass !== classOfBare(architecture) || !choices.pooler) return []
  const sentence = words`This is the bare model; other classes have a head, and some of them no pooler.`
  return classes.get(modelClass).offers.includes("pooler") ? [finding(20, sentence)] : []
}

/** The account of an unknown model that was probably fine-tuned from a known one, because its name begins with the
 * known name.
 * @param {NamedModel} original @param {string} name @param {NameContext} context @returns {Account} */
function accountOfFineTuned(original, name, context) {
  const account = accountOfModel({ ...original, isSure: true }, context)
  const { modelClass, total } = /** @type {NonNullable<Account["model"]>} */ (account.model)
  const title = original.isFurther ? original.name : original.model.title
  const hint = words`Its own config.json says which class it is and how many labels it has: paste it here.`
  return {
    ...account,
    headline: words`We do not know ${code(cut(name, MAX_QUOTE_LENGTH))}. If it is ${asSubject(title)} fine-tuned, as its name suggests, it has ${total} parameters as ${code(modelClass)}.`,
    findings: [finding(40, hint), ...account.findings],
    confidence: "possible",
  }
}

/** The account of an unknown name, or of a model that is not counted. @param {string} name @returns {Account} */
function accountOfUnknown(name) {
  const reason = reasonAgainst(name)
  const suggestion = suggestionFor(name)
  const nameAsCode = code(cut(name, MAX_QUOTE_LENGTH))
  const hint = suggestion ? words` Did you mean ${code(suggestion)}?` : []
  const advice = words`Paste its config.json, or drop its safetensors file: the header counts any model exactly.`
  return {
    kind: "refusal",
    headline: reason
      ? words`We do not count ${nameAsCode}: ${reason}.`
      : words`We do not know a model called ${nameAsCode}.${hint}`,
    findings: [...findingsOnUncountedTotal(name), finding(10, reason ? ANY_MODEL : advice)],
    lines: [],
    bridge: null,
    model: null,
    confidence: "certain",
  }
}

/** A finding on the total of a model whose totals in transformers are all that is known; empty for any other name.
 * @param {string} name @returns {Finding[]} */
function findingsOnUncountedTotal(name) {
  const lastPart = name.split("/").pop() ?? ""
  const [, uncountedModel] =
    Object.entries(exported.labels.totals).find(([key]) => key === lastPart.toLowerCase()) ?? []
  if (!uncountedModel) return []
  const [[modelClass, total]] = Object.entries(uncountedModel.totals)
  const sentence = words`${asSubject(uncountedModel.title)} has ${total} parameters as ${code(modelClass)} in transformers.`
  return [finding(20, sentence)]
}
