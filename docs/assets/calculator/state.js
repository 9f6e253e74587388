// The state of the calculator: the values of its fields by name, the configuration
// that they describe, and the address that records them. Texts are kept as typed;
// counting/configuration.js decides which of them are valid.

import table from "../../data/table.js"
import { CHOICES, LORA, METHODS, totalOf, usualModules, whatIfs as whatIfsOf } from "../counting/changes.js"
import { check, checkedNames, hasMethod, NOTHING_FROZEN, ofModel, wholeNumber } from "../counting/configuration.js"
import { classesOf, classOfBare, defaultChoices, MAX_NUMBER, models, whole } from "../counting/engine.js"
import { maxTokensOf } from "../counting/operations.js"
import { cut } from "../counting/short.js"

const FIRST_MODEL = table.models[0].name
const MAX_LENGTH = 60 // characters; a longer text in an address is cut, because anyone can write an address
export const MAX_BESIDE = 2 // other configurations to compare; a table with more columns would be too wide
const FREEZABLE_PARTS = ["embeddings", "all-but-head"] // as an address names them; it may also give a number of layers
/**
 * The names of fields in an address, where these differ from the fields' own.
 * @type {Record<string, string>}
 */
const NAMES_IN_ADDRESS = { C: "labels", cross_attention: "cross", B: "texts", T: "tokens" }
/** The fields of a method if none is chosen. */
export const NO_METHOD = { rank: "", width: "", modules: "", feedforward: "" }
/** The batch whose operations are counted until the reader changes it. */
const DEFAULT_BATCH = { B: "1", T: "128" }
const CHOICE_VALUES = { yes: "yes", no: "" } // an unchecked box has no value
/**
 * The value of a checkbox for each word in an address. For biases, the empty value means that the model has them.
 * @type {Record<string, Record<string, string>>}
 */
const BOX_VALUES = {
  ...Object.fromEntries(CHOICES.map((choice) => [choice, CHOICE_VALUES])),
  biases: { yes: "", no: "no" },
}

// --- Starting ---------------------------------------------------------------

/** The sizes as the texts of their fields. @param {Sizes} sizes */
const asTexts = (sizes) => Object.fromEntries(Object.entries(sizes).map(([letter, size]) => [letter, String(size)]))

/**
 * The fields for an unchanged published model.
 * @param {string} model
 * @param {string} [modelClass]  by default, the class of the bare model
 * @returns {Fields}
 */
export function fieldsOfModel(model, modelClass) {
  const { sizes, architecture } = models.get(model)
  return {
    model,
    ...asTexts(sizes),
    class: modelClass ?? classOfBare(architecture),
    ...asFields(defaultChoices(architecture)),
    vocabulary: "",
    pruned: "",
    more: "",
    biases: "",
    frozen: "",
    layers: "",
    from: "",
    method: LORA,
    ...NO_METHOD,
    ...DEFAULT_BATCH,
  }
}

/** The values of the checkboxes for the choices. @param {Choices} choices */
const asFields = (choices) => Object.fromEntries(CHOICES.map((choice) => [choice, choices[choice] ? "yes" : ""]))

/**
 * The fields for a configuration, based on the published model that differs from it in the fewest sizes.
 * @param {Configuration} configuration
 * @param {string} modelClass
 */
export function fieldsOfConfiguration({ architecture, sizes, choices }, modelClass) {
  /** The number of sizes in which a model differs from the configuration. @param {Model} model */
  const differenceCountOf = (model) =>
    Object.keys(sizes).filter((letter) => sizes[letter] !== model.sizes[letter]).length
  const [nearestModel] = table.models
    .filter((model) => model.architecture === architecture)
    .sort((one, other) => differenceCountOf(one) - differenceCountOf(other))
  return { ...fieldsOfModel(nearestModel.name, modelClass), ...asTexts(sizes), ...asFields(choices) }
}

// --- Counting ---------------------------------------------------------------

/**
 * The name of a what-if in the fields and in an address.
 * @param {{ name: string }} whatIf
 */
export const nameOf = ({ name }) => name.replace("more-", "")

/**
 * The sizes, each changed by as much as the what-if changes it.
 * @param {Sizes} sizes
 * @param {Sizes} from  the sizes for which the what-if was computed
 * @param {Sizes} to  the same sizes after the what-if
 */
const shiftedSizes = (sizes, from, to) =>
  Object.fromEntries(Object.entries(sizes).map(([letter, size]) => [letter, size + to[letter] - from[letter]]))

/**
 * The configuration that the fields describe, the what-ifs for its sizes, and the stages that lead to it: the typed
 * sizes, and one stage for each change. If the configuration cannot be counted, it is null, and the errors give the
 * reasons.
 * @param {Fields} fields
 * @returns {Evaluation}
 */
export function evaluate(fields) {
  const { configuration: target, vocabulary, errors } = check(fields)
  if (!target) return { configuration: null, stages: [], whatIfs: [], errors }
  /** @type {Configuration} */
  const base = { ...target, biases: true, frozen: NOTHING_FROZEN, tuning: null, pruned: 0 }
  const whatIfs = whatIfsOf(base)
  const stages = [{ name: "", configuration: base }]
  let configuration = base
  /**
   * Applies a change, and adds the resulting configuration as a stage.
   * @param {string} name
   * @param {Partial<Configuration>} change
   */
  const add = (name, change) => {
    configuration = { ...configuration, ...change }
    stages.push({ name, configuration })
  }
  if (fields.vocabulary.trim()) add("vocabulary", { sizes: { ...base.sizes, V: vocabulary } })
  for (const name of checkedNames(fields.more)) {
    const whatIf = whatIfs.find((candidate) => nameOf(candidate) === name)
    if (whatIf) add(whatIf.name, { sizes: shiftedSizes(configuration.sizes, base.sizes, whatIf.to.sizes) })
  }
  const { biases, frozen, tuning, pruned } = target
  if (pruned) add("pruned", { pruned })
  if (!biases) add("biases-off", { biases })
  if (Object.values(frozen).some(Boolean)) add("frozen", { frozen })
  if (tuning) add(tuning.method, { tuning })
  const largestTotal = Math.max(...stages.map((stage) => totalOf(stage.configuration)))
  if (largestTotal <= MAX_NUMBER)
    return { configuration, stages, whatIfs, errors: errorsOfBatch(fields, configuration) }
  const message = "With these sizes, the total is too large to count; enter smaller ones"
  return { configuration: null, stages: [], whatIfs, errors: [{ key: "", message }] }
}

/**
 * The errors in the number of texts and in their length. They only prevent the operations from being counted.
 * @param {Fields} fields
 * @param {Configuration} configuration
 */
const errorsOfBatch = (fields, { architecture, sizes }) =>
  Object.entries({ B: MAX_NUMBER, T: maxTokensOf(architecture, sizes) }).flatMap(([key, max]) => {
    const number = wholeNumber(fields[key]) ?? 0
    return number && number <= max ? [] : [{ key, message: `enter a whole number from 1 to ${whole(max)}` }]
  })

/**
 * All parts of two models with the numbers of the first. `more` is the amount by which a part exceeds the same part of
 * the second.
 * @param {Counts} counts
 * @param {Counts} other
 */
export function comparedParts(counts, other) {
  const removedParts = other.parts.filter((part) => !counts.parts.some(({ title }) => title === part.title))
  const allParts = [...counts.parts, ...removedParts.map((part) => ({ ...part, number: 0, trainable: 0, share: 0 }))]
  const numbers = new Map(other.parts.map((part) => [part.title, part.number]))
  return allParts.map((part) => ({ ...part, more: part.number - (numbers.get(part.title) ?? 0) }))
}

// --- The address ------------------------------------------------------------

/**
 * The differences from the published model, as names and values for an address.
 * @param {Fields} fields
 * @returns {string[][]}
 */
export function differences({ frozen, layers, method, rank, width, modules, feedforward, from: _, ...fields }) {
  const publishedFields = fieldsOfModel(fields.model)
  const frozenParts = [...checkedNames(frozen), withoutCommas(layers)].filter(Boolean).join()
  /** @type {Fields} */
  const values = { rank, width, modules, feedforward }
  // Values are joined with colons, as in `lora=8:query,value`. Only a width may be left out.
  const keys = Object.keys(METHODS.get(method).takes).filter((key) => key !== "width" || width)
  const methodEntry = hasMethod({ method, rank, modules }) && {
    [method]: keys.map((key) => withoutCommas(values[key])).join(":"),
  }
  return Object.entries({ ...fields, frozen: frozenParts, ...methodEntry })
    .filter(([name, value]) => value !== publishedFields[name])
    .map(([name, value]) => [NAMES_IN_ADDRESS[name] ?? name, wordOf(name, value)])
}

/**
 * The value of a field in the form that an address uses.
 * @param {string} name
 * @param {string} value
 */
const wordOf = (name, value) =>
  Object.entries(BOX_VALUES[name] ?? {}).find(([, meaning]) => meaning === value)?.[0] ?? withoutCommas(value)

const WITH_COMMAS = /^\s*[0-9]{1,3}(?:,[0-9]{3})+\s*$/ // a size such as 30,522

/**
 * A typed text without surrounding spaces and, if it is a size, without commas between thousands.
 * @param {string} text
 */
const withoutCommas = (text) => (WITH_COMMAS.test(text) ? text.replace(/,/g, "") : text).trim()

/**
 * A text encoded for an address. Commas, colons, semicolons and equals signs are left as they are, because they are
 * allowed there and easier to read.
 * @param {string} text
 */
const encodeForAddress = (text) => encodeURIComponent(text).replace(/%(?:2C|3A|3B|3D)/g, decodeURIComponent)

/**
 * The query of a state's address, including the question mark; empty for the first model without changes.
 * @param {FormState} state
 */
export function addressOf({ fields, beside }) {
  const pairs = [["model", fields.model], ...differences(fields)]
  if (fields.from && fields.from !== fields.model) pairs.push(["from", fields.from])
  for (const other of beside)
    pairs.push(["beside", [other.model, ...differences(other).map((pair) => pair.join("="))].join(";")])
  if (pairs.length === 1 && fields.model === FIRST_MODEL) return ""
  return `?${pairs.map(([name, value]) => `${name}=${encodeForAddress(value)}`).join("&")}`
}

/** A text from an address, cut if it is long. @param {string} text */
const shorten = (text) => cut(text, MAX_LENGTH)

/**
 * The fields of a method from the values that an address joins with colons. If the address names a method that takes no
 * rank, and gives no values, the method has its default modules.
 * @param {string} method
 * @param {string | null} text  null if the address does not name the method
 * @param {string} architecture
 */
function fieldsOfMethod(method, text, architecture) {
  const { takes } = METHODS.get(method)
  const typedValues = (text ?? "").split(":")
  const values = Object.fromEntries(Object.keys(takes).map((key, index) => [key, typedValues[index] ?? ""]))
  const defaultModules = text === "" && !takes.rank ? usualModules(method, architecture) : {}
  const { rank, width, ...modules } = { ...NO_METHOD, ...values, ...defaultModules }
  return { ...modules, rank: shorten(rank), width: shorten(width) }
}

/**
 * The fields for freezing: the names of the frozen parts, and the number of frozen layers, which is the last text that
 * is not a part's name.
 * @param {string} text  the names and the number, separated by commas
 */
function frozenFields(text) {
  const parts = text.split(",")
  return {
    frozen: FREEZABLE_PARTS.filter((part) => parts.includes(part)).join(),
    layers: shorten(parts.filter((part) => !FREEZABLE_PARTS.includes(part)).pop() ?? ""),
  }
}

/**
 * The fields that an address describes. Words that are not allowed there, and sizes that the model lacks, are ignored
 * and added to the complaints.
 * @param {URLSearchParams} query
 * @param {string[]} complaints
 */
function readFields(query, complaints) {
  /**
   * The words that an address gives under a name and that are allowed there, in the order of `allowedWords`. Any other
   * word is added to the complaints.
   * @param {string} name
   * @param {string[]} allowedWords
   * @param {string[]} givenWords
   */
  const wordsUnder = (name, allowedWords, givenWords = checkedNames(query.get(name) ?? "")) => {
    for (const word of givenWords) if (!allowedWords.includes(word)) complaints.push(`${name}=${shorten(word)}`)
    return allowedWords.filter((word) => givenWords.includes(word))
  }
  // The model and the class come first, because they decide which sizes and what-ifs exist.
  const [model = FIRST_MODEL] = wordsUnder("model", [...models.keys()])
  const fields = fieldsOfModel(model)
  const classes = classesOf(models.get(model).architecture).map(({ name }) => name)
  const [modelClass = fields.class] = wordsUnder("class", classes)
  // The what-if that removes the biases has a name of its own in an address.
  const whatIfs = whatIfsOf(ofModel(model, modelClass)).filter((whatIf) => whatIf.to.biases)
  const method = [...METHODS.keys()].find((name) => query.has(name)) ?? LORA
  const methodFields = fieldsOfMethod(method, query.get(method), models.get(model).architecture)
  for (const key of /** @type {const} */ (["modules", "feedforward"]))
    methodFields[key] = wordsUnder(method, table.changes.modules, checkedNames(methodFields[key])).join()
  Object.assign(fields, {
    class: modelClass,
    more: wordsUnder("more", whatIfs.map(nameOf)).join(),
    ...frozenFields(query.get("frozen") ?? ""),
    method,
    ...methodFields,
    vocabulary: shorten(query.get("vocabulary") ?? ""),
    pruned: shorten(query.get("pruned") ?? ""),
    from: wordsUnder("from", [...models.keys()])[0] ?? "",
  })
  for (const [name, values] of Object.entries(BOX_VALUES)) {
    const [word] = wordsUnder(NAMES_IN_ADDRESS[name] ?? name, ["yes", "no"])
    if (word) fields[name] = values[word]
  }
  readSizes(query, fields, complaints)
  return fields
}

/**
 * Copies the sizes in an address to fields. A size that the model lacks is added to the complaints.
 * @param {URLSearchParams} query
 * @param {Fields} fields
 * @param {string[]} complaints
 */
function readSizes(query, fields, complaints) {
  for (const letter of [...table.symbols.map((symbol) => symbol.letter), ...Object.keys(DEFAULT_BATCH)]) {
    const text = query.get(NAMES_IN_ADDRESS[letter] ?? letter)
    if (text !== null && letter in fields) fields[letter] = shorten(text)
    else if (text !== null) complaints.push(`${letter}=${shorten(text)}`)
  }
}

/**
 * The state that an address describes, and complaints about parts of the address that were ignored.
 * @param {string} address  the query of the address, including the question mark
 * @returns {{ state: FormState, complaints: string[] }}
 */
export function stateAt(address) {
  /** @type {string[]} */
  const complaints = []
  const query = new URLSearchParams(address)
  const fields = readFields(query, complaints)
  /** @type {Fields[]} */
  const beside = []
  for (const value of query.getAll("beside").slice(0, MAX_BESIDE)) {
    // The value is itself a short address: a model, followed by pairs that are separated by semicolons. Each pair keeps
    // its first equals sign, which separates its name from its value.
    const pairs = `model=${value}`.split(";").map((pair) => encodeURIComponent(pair).replace("%3D", "="))
    const otherFields = readFields(new URLSearchParams(pairs.join("&")), complaints)
    if (evaluate(otherFields).configuration) beside.push(otherFields)
    else complaints.push(`beside=${shorten(value)}`)
  }
  return { state: { fields, beside }, complaints }
}
