// Explains PEFT's adapter_config.json, or a call such as `LoraConfig(r=8)`: how the adapter changes
// the model that the file names or the code loads, in the class for the adapter's task. The rules
// are those of macros/counting/changes/adapter_config.py, for methods that the calculator counts;
// the command line counts more methods and options. If a key changes tensors in a way that is not
// counted here, the answer is a refusal that names the key. AdapterHub's file of the same name is
// also explained.

import exported from "../../../data/reading.js"
import table from "../../../data/table.js"
import { count, METHODS, usualModules } from "../../counting/changes.js"
import { ofModel } from "../../counting/configuration.js"
import { architectures, classes, classesOf, inTorch, models, rows, sumBy } from "../../counting/engine.js"
import { NO_EXTRAS } from "../labels/extras.js"
import { ALL_LINEAR, HEAD_COPY, leavesOutHead } from "../labels/matrices.js"
import { methodInWords, percentage } from "../labels/methods.js"
import { labelCountIn, loadingIn } from "../loaded-model.js"
import { modelOfName } from "../model-names.js"
import { accountInSentences, asSubject, code, enumeration, finding, words } from "../words.js"
import { extrasInWords } from "./model-account.js"
import { cutForQuote, refusal } from "./refusals.js"

/** @typedef {import("./text.js").ConfigText} ConfigText */

const { kinds, usual, heads, endings } = exported.adapters

const USUAL_LABELS = 2

const COMMAND_LINE = words`The command line counts more methods and options: ${code("bert-counted adapter_config.json")}.`

/** The effects of some keys that prevent an adapter from being counted here, in words.
 * @type {Record<string, string>} */
const EFFECTS = {
  bias: "which trains biases as well",
  layers_to_transform: "which adapts only some of the layers",
  rank_pattern: "which gives some modules ranks of their own",
  modules_to_save: "which trains copies of further modules",
}

/** The `peft_type` that PEFT writes into the file, by the class of the config. @type {Record<string, string>} */
const TYPES = {
  LoraConfig: "LORA",
  IA3Config: "IA3",
  PromptTuningConfig: "PROMPT_TUNING",
  PrefixTuningConfig: "PREFIX_TUNING",
  PromptEncoderConfig: "P_TUNING",
  LNTuningConfig: "LN_TUNING",
}

/** The entries that PEFT would write into the file for a call such as LoraConfig(r=8, task_type=TaskType.SEQ_CLS). For
 * LoRA, a missing rank is PEFT's default.
 * @param {Map<string, unknown>} entries @param {string} type */
function entriesInFile(entries, type) {
  const task = String(entries.get("task_type") ?? "").replace(/^.*\./, "")
  const defaults = type === "LORA" ? { r: 8 } : {}
  return new Map([...Object.entries({ ...defaults, peft_type: type }), ...entries, ["task_type", task || null]])
}

/** The account of an adapter's config; null for any other config. A call, or a file that PEFT wrote for a model without
 * a name, is counted for the model that the code around it loads, or for the first model in the table if that code
 * loads none.
 * @param {ConfigText} config @returns {Account | null} */
export function accountOfAdapter({ className, entries, rest }) {
  const type = Object.hasOwn(TYPES, className) ? TYPES[className] : ""
  const isForAnyModel = Boolean(type) || (entries.has("peft_type") && !entries.get("base_model_name_or_path"))
  if (!isForAnyModel) return accountOfAdapterHub(entries) ?? accountOfFile(entries)
  const [firstModel] = models.values()
  const loading = loadingIn(rest)
  const { name = firstModel.name, loader = "", otherArguments = "" } = loading ?? {}
  const fileEntries = (type ? entriesInFile(entries, type) : new Map(entries)).set("base_model_name_or_path", name)
  if (loader) fileEntries.set("auto_mapping", { base_model_class: inTorch(loader) })
  const account = accountOfFile(fileEntries, labelCountIn(otherArguments) || USUAL_LABELS)
  if (account?.kind !== "config" || loading) return account
  const hint = words`Your text does not name the model, so it is counted for ${firstModel.title}. In a file, ${code("base_model_name_or_path")} names it.`
  return { ...account, findings: [finding(60, hint), ...account.findings], confidence: "likely" }
}

/** The options in AdapterHub's file that change the tensors of an adapter in ways that are not counted here. */
const OPTIONS_OF_ADAPTER_HUB = [
  "architecture",
  "cross_adapter",
  "inv_adapter",
  "leave_out",
  "ln_after",
  "ln_before",
  "phm_layer",
  "use_gating",
]

/** The account of an adapter's file of AdapterHub, whose library is called adapters; null for any other file. The file
 * has the name of PEFT's, but its `model_type` and `hidden_size` are those of the model that the adapter changes.
 * @param {Map<string, unknown>} entries @returns {Account | null} */
function accountOfAdapterHub(entries) {
  const inner = entries.get("config")
  if (typeof inner !== "object" || !inner || !("reduction_factor" in inner || "architecture" in inner)) return null
  const options = new Map(Object.entries(inner))
  const base = String(entries.get("model_name"))
  const model = modelOfName(base)?.model
  const opening = words`This is the config of an adapter of the adapters library (AdapterHub)`
  if (!model)
    return refusal(words`${opening}; the model that it changes, ${code(cutForQuote(base))}, is not known here.`)
  const obstacle = OPTIONS_OF_ADAPTER_HUB.find((key) => !isEmpty(options.get(key)))
  const width = Math.floor(model.sizes.H / Number(options.get("reduction_factor")))
  const method = options.get("mh_adapter") ? "houlsby" : "pfeiffer"
  const isRefused = METHODS.get(method).refused[model.architecture] || !options.get("output_adapter") || !(width >= 1)
  if (obstacle || isRefused) {
    const reason = obstacle ? words` because of its ${code(obstacle)}` : ""
    return refusal(words`${opening} for ${model.title}, which this field does not count${reason}.`)
  }
  const configuration = ofModel(model.name)
  const { modelClass } = configuration
  const adapter = { method, rank: width, width: 0, modules: [], feedforward: [] }
  const { total, trainable } = countAdapted(configuration, adapter, true)
  const name = methodInWords({ ...adapter, extras: NO_EXTRAS, line: { model } })
  return accountInSentences(
    words`${opening}: ${name} in ${asSubject(model.title)} have ${trainable} parameters.`,
    [
      words`With them, the model has ${total} as ${code(modelClass)}. Heads come on top, and are saved in files of their own.`,
    ],
    { kind: "config", model: { name: model.name, modelClass, total } },
  )
}

/** Whether the value of a key is absent, false, zero or empty. @param {unknown} value */
const isEmpty = (value) => !value || (typeof value === "object" && !Object.keys(value).length)

/** The account of the entries in an adapter's file; null if they are not an adapter's.
 * @param {Map<string, unknown>} entries @param {number} labels  the number of labels of a classifier
 * @returns {Account | null} */
function accountOfFile(entries, labels = USUAL_LABELS) {
  const type = entries.get("peft_type")
  if (type === undefined) return null
  const kind = typeof type === "string" && Object.hasOwn(kinds, type) ? kinds[type] : null
  if (!kind) {
    const allKinds = enumeration(Object.keys(kinds).map((name) => code(name)))
    return refusal(
      words`This adapter cannot be counted: its ${code("peft_type")} is ${code(cutForQuote(String(type)))}.`,
      [words`This field counts ${allKinds}.`],
    )
  }
  const base = entries.get("base_model_name_or_path")
  const model = typeof base === "string" ? modelOfName(base)?.model : null
  if (!model)
    return refusal(
      words`This is PEFT's config of an adapter, but the model that it changes, ${code(cutForQuote(String(base)))}, is not known here.`,
      [words`On the command line, give the model's config.json, and the adapter as a ${code("--change")}.`],
    )
  const modelClass = classOf(entries, model)
  const reason = reasonOfPeft(entries, model, modelClass)
  if (reason) return refusal(words`PEFT refuses this adapter: ${reason}.`)
  const adapter = modelClass ? adapterOf(entries, kind, model, modelClass) : { stoppingKey: "task_type" }
  if ("stoppingKey" in adapter) return refusalOfKey(adapter.stoppingKey, model)
  const hasFrozenHead = isHeadFrozen(String(entries.get("task_type") ?? ""), modelClass)
  return accountOfCountedAdapter(model, modelClass, adapter, labels, hasFrozenHead)
}

/** The reason why PEFT itself refuses an adapter; null if we know of none.
 * @param {Map<string, unknown>} entries @param {Model} model @param {string} modelClass  "" if there is none */
function reasonOfPeft(entries, model, modelClass) {
  if (entries.get("peft_type") === "LORA" && entries.get("r") === 0)
    return words`its ${code("r")} is 0, and a rank is at least 1`
  const targets = entries.get("target_modules")
  if (!modelClass || !Array.isArray(targets) || !targets.length) return null
  const modules = classes.get(modelClass).rows.map((row) => namesOfTensors(model.architecture)[rows.indexOf(row)] ?? "")
  /** Whether a module has this name, or a name that ends with it. */
  const isModule = (/** @type {unknown} */ target) => modules.some((name) => `.${name}.`.includes(`.${target}.`))
  if (targets.some(isModule)) return null
  const names = enumeration(
    targets.slice(0, MAX_NAMES).map((target) => code(cutForQuote(String(target)))),
    "or",
  )
  return words`${asSubject(model.title)} has no module called ${names}, which ${code("target_modules")} asks for`
}

const MAX_NAMES = 4 // the maximum number of modules that a refusal names

/** The names of an architecture's tensors in transformers, by their row. @param {string} architecture */
const namesOfTensors = (architecture) => architectures.get(architecture).names

/** The refusal of an adapter because of a key. @param {string} key @param {Model} model */
function refusalOfKey(key, model) {
  if (key === NO_DEFAULT)
    return refusal(words`PEFT has no default modules for ${model.title}, so ${code("target_modules")} must name them.`)
  const effect = EFFECTS[key] ? `, ${EFFECTS[key]}` : ""
  return refusal(
    words`This field does not count this adapter for ${model.title}, because of its ${code(key)}${effect}.`,
    [COMMAND_LINE],
  )
}

/** The account of an adapter that is counted.
 * @param {Model} model @param {string} modelClass @param {NonNullable<Configuration["tuning"]>} adapter
 * @param {number} labels @param {boolean} hasFrozenHead  whether the head is frozen @returns {Account} */
function accountOfCountedAdapter(model, modelClass, adapter, labels, hasFrozenHead) {
  const configuration = ofModel(model.name, modelClass)
  configuration.sizes.C = labels
  const { total, trainable } = countAdapted(configuration, adapter, !hasFrozenHead)
  const extras = extrasInWords(configuration, modelClass)
  const name = methodInWords({ ...adapter, extras: NO_EXTRAS, line: { model } })
  // The names of prompt methods, such as prefix tuning, begin in lower case.
  const capitalName = /^p/.test(name) ? name[0].toUpperCase() + name.slice(1) : name
  const method = words`${capitalName} in ${model.title}, as ${code(modelClass)}`
  const withExtras = extras.length ? words`,${extras}` : ""
  const sentenceOnPrinting = words`PEFT prints these as “trainable params” and “all params”${withExtras}.`
  return {
    kind: "config",
    headline: words`${method}: ${trainable} of ${total} parameters are trained, ${percentage(trainable, total)}.`,
    findings: [finding(20, sentenceOnPrinting), ...(hasFrozenHead ? [finding(30, FROZEN_HEAD)] : [])],
    lines: [],
    bridge: null,
    model: { name: model.name, modelClass, total },
    confidence: "certain",
  }
}

/** Whether a class has a head, which PEFT copies and trains if the config gives the task. @param {string} modelClass */
const hasHead = (modelClass) => Object.keys(table.changes.tasks).some((end) => modelClass.endsWith(end))

/** Whether PEFT freezes the head of a class with everything else, because the config gives no task with a head.
 * @param {string} task @param {string} modelClass */
const isHeadFrozen = (task, modelClass) => hasHead(modelClass) && !heads[task]

const FROZEN_HEAD = words`Without the ${code("task_type")} of a classifier, PEFT freezes the head, so it stays untrained.`

/** Counts all parameters and the trainable parameters of a model with an adapter.
 * @param {Configuration} configuration  the model without the adapter @param {Tuning} adapter
 * @param {boolean} copiesHead  whether PEFT copies the head */
function countAdapted(configuration, adapter, copiesHead) {
  const { total, trainable, rows: adaptedRows } = count({ ...configuration, tuning: adapter })
  const surplus = copiesHead ? 0 : sumBy(adaptedRows, (row) => (row.added && row.at === HEAD_COPY ? row.number : 0))
  return { total: total - surplus, trainable: trainable - surplus }
}

/** The class that the adapter changes; "" if the architecture has none for the task.
 * @param {Map<string, unknown>} entries @param {Model} model */
function classOf(entries, { name: model, architecture }) {
  const names = classesOf(architecture).map(({ name }) => name)
  const task = entries.get("task_type")
  const mapping = /** @type {{ base_model_class?: unknown } | null} */ (entries.get("auto_mapping"))
  if (!task || task === "FEATURE_EXTRACTION") return ofModel(model, String(mapping?.base_model_class ?? "")).modelClass
  return names.find((name) => endings[String(task)]?.some((end) => name.endsWith(end))) ?? ""
}

/** The method with its sizes and modules, or the key that prevents the calculator from counting it.
 * @param {Map<string, unknown>} entries @param {AdapterKind} kind @param {Model} model
 * @param {string} modelClass @returns {Tuning | { stoppingKey: string }} */
function adapterOf(entries, kind, model, modelClass) {
  const variant = Object.entries(kind.if_true ?? {}).find(([key]) => entries.get(key) === true)
  const isLstm = kind.if_lstm && entries.get("encoder_reparameterization_type") === "LSTM"
  const method = (isLstm && kind.if_lstm) || (variant?.[1] ?? kind.method)
  if (!METHODS.has(method)) return { stoppingKey: variant?.[0] ?? "peft_type" }
  const { takes } = METHODS.get(method)
  const stoppingKey = unusualKey(entries, model, modelClass, takes.rank === TOKENS)
  if (stoppingKey) return { stoppingKey }
  const { projection } = kind
  const isProjected = projection && entries.get(projection.key) === true
  const sizes = { ...kind.sizes, ...(isProjected && { [projection.letter]: projection.size }) }
  const [rank, width] = [takes.rank, takes.width].map((letter) => Number((letter && entries.get(sizes[letter])) || 0))
  const usedKeys = [takes.rank, takes.width].map((letter) => letter && sizes[letter])
  // A size that the method does not use, such as that of a prompt encoder, must not be set.
  const unusedSize = Object.values(sizes).find((key) => !usedKeys.includes(key) && Number(entries.get(key) ?? 0) > 0)
  if (unusedSize) return { stoppingKey: unusedSize }
  if (takes.rank && (!Number.isInteger(rank) || rank < 1)) return { stoppingKey: usedKeys[0] || "peft_type" }
  if (!Number.isInteger(width)) return { stoppingKey: usedKeys[1] || "peft_type" }
  if (!takes.modules) return { method, rank, width, modules: [], feedforward: [] }
  const targets = entries.get("target_modules") ?? null
  if (targets === null && !kind.defaults.includes(model.architecture)) return { stoppingKey: NO_DEFAULT }
  const defaultModules = defaultModulesOf(method, model.architecture)
  /** The modules that a key selects, or PEFT's default if the config lacks the key; null if the calculator has no words
   * for them. */
  const modulesAt = (/** @type {"modules" | "feedforward"} */ field, /** @type {string} */ key) =>
    (entries.get(key) ?? null) === null
      ? defaultModules[field]
      : modulesOf(entries.get(key), model.architecture, modelClass)
  const modules = modulesAt("modules", "target_modules")
  const feedforward = takes.feedforward ? modulesAt("feedforward", "feedforward_modules") : []
  if (!modules) return { stoppingKey: "target_modules" }
  if (!feedforward) return { stoppingKey: "feedforward_modules" }
  return { method, rank, width, modules, feedforward: feedforward.filter((name) => modules.includes(name)) }
}

const NO_DEFAULT = "" // takes the place of a key if PEFT has no default modules for the architecture
const TOKENS = "t" // the letter for the number of virtual tokens, a size of methods that add prompts

/** PEFT's default modules for a method and an architecture. @param {string} method @param {string} architecture */
function defaultModulesOf(method, architecture) {
  const { modules = "", feedforward = "" } = usualModules(method, architecture)
  return { modules: modules.split(","), feedforward: feedforward.split(",").filter(Boolean) }
}

/** The first key whose value prevents the calculator from counting the adapter; undefined if there is none.
 * @param {Map<string, unknown>} entries @param {Model} model @param {string} modelClass @param {boolean} addsPrompts */
function unusualKey(entries, model, modelClass, addsPrompts) {
  const task = String(entries.get("task_type") ?? "")
  // PEFT copies the task's head in any case: all modules whose names end with that of the head, such as DistilBERT's
  // pre_classifier. Copies of other modules are not counted here.
  const savedModules = [entries.get("modules_to_save") ?? []]
    .flat()
    .filter((name) => !heads[task]?.some((head) => String(name).endsWith(head)))
  if (savedModules.length) return "modules_to_save"
  // The calculator cannot put adapters on a head.
  const targetsAll = entries.get("target_modules") === ALL_LINEAR
  if (targetsAll && hasHead(modelClass) && (isHeadFrozen(task, modelClass) || !leavesOutHead({ model, modelClass })))
    return "target_modules"
  // PEFT accepts prompt methods only with a task.
  if (!task && addsPrompts) return "task_type"
  /** Whether the value of a key is neither empty nor usual. */
  const isUnusual = (/** @type {string} */ key) =>
    !isEmpty(entries.get(key)) && !usual[key]?.some((usualValue) => usualValue === entries.get(key))
  return ["decompose_both", "trainable_token_indices", ...Object.keys(usual)].find(isUnusual)
}

/** The calculator's words for the modules that PEFT's names select; null if a name selects no module, or if no words
 * select the same modules.
 * @param {unknown} targets @param {string} architecture @param {string} modelClass */
function modulesOf(targets, architecture, modelClass) {
  if (targets === ALL_LINEAR) return [ALL_LINEAR]
  const ends = [targets].flat().filter((target) => typeof target === "string")
  const names = namesOfTensors(architecture)
  /** The name of the module with a row's matrix. */
  const moduleOf = (/** @type {number} */ index) => String(names[index] ?? "").replace(/\.weight$/, "")
  const matrixRows = classes
    .get(modelClass)
    .rows.flatMap((row) => (row.dimensions.length > 1 ? [rows.indexOf(row)] : []))
  /** Whether the name of a row's module ends with these components. */
  const hasEnd = (/** @type {number} */ index, /** @type {string} */ end) => `.${moduleOf(index)}`.endsWith(`.${end}`)
  if (!ends.length || ends.some((end) => !matrixRows.some((index) => hasEnd(index, end)))) return null
  const selectedRows = new Set(matrixRows.filter((index) => ends.some((end) => hasEnd(index, end))))
  const moduleWords = table.changes.modules.filter((word) => {
    const indices = table.changes.selected[word].filter(
      (index) => matrixRows.includes(index) && rows[index].dimensions.length > 1,
    )
    return indices.length && indices.every((index) => selectedRows.has(index) || rows[index].when)
  })
  const { selected } = table.changes
  const rowsOfWords = new Set(moduleWords.flatMap((word) => selected[word]))
  if (![...selectedRows].every((index) => rowsOfWords.has(index))) return null
  /** Whether "all linear layers" includes a kind of module. */
  const isInAll = (/** @type {string} */ word) => selected[word].every((index) => selected[ALL_LINEAR].includes(index))
  // If all linear layers are selected, the words for kinds of linear layers would be redundant.
  return moduleWords.includes(ALL_LINEAR)
    ? moduleWords.filter((word) => word === ALL_LINEAR || !isInAll(word))
    : moduleWords
}
