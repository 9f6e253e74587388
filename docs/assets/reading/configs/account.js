// Explains configurations: a config.json, a printed `BertConfig {...}`, keyword
// arguments, or lines of keys and values. `text.js` reads the keys and `keys.js`
// classifies them. As in the calculator, `counting/configuration.js` decides whether the
// configuration can be counted and, if not, why. The answer is called certain only if
// every key is counted or known not to affect any size.
//
// Before that, a text with several configurations is split: code with conditions by
// `branches.js`, a table by `tables.js`, sections by `sections.js`, and a diff by `diffs.js`.
// `copies.js` and `changed-model.js` follow what code does to a configuration or to that of a
// published model. A name alone is left to `name-account.js`, an adapter's file to
// `adapter.js`, and other files of a model to `other-files.js`.
//
// If the text names no architecture, its sizes decide. If they are those of a published
// relative of BERT, the text probably describes that relative. Otherwise it is taken to
// describe BERT. Missing sizes are replaced by transformers' defaults, and the answer says
// so.

import table from "../../../data/table.js"
import { hasModelCode, reasonAgainstType } from "../../counting/config-keys.js"
import { publishedModels, read } from "../../counting/configuration.js"
import { classes, classesOf, classOfBare, inTorch, MAX_NUMBER, noun } from "../../counting/engine.js"
import { textOf } from "../../counting/messages.js"
import { withLayersInCode } from "../layers-in-code.js"
import { modelOfName } from "../model-names.js"
import { NUMBER_WORDS } from "../questions/question-accounts.js"
import { articleFor, code, enumeration, finding, linkTo, words } from "../words.js"
import { accountOfAdapter } from "./adapter.js"
import { branchesIn } from "./branches.js"
import { changedConfigIn, entriesOfModel } from "./changed-model.js"
import { withOneName } from "./copies.js"
import { versionsIn } from "./diffs.js"
import { addDefaults, typeOf, withUsualKeys } from "./entries.js"
import {
  changedSizeFindings,
  classFindings,
  DEFAULTS_WEIGHT,
  findingOnClasses,
  keyFindings,
  modelFindings,
  numberFindings,
  untiedFindings,
  unusualChoices,
} from "./findings.js"
import { configOfKerasBert } from "./keras-bert.js"
import { DEFAULTS, isOfTransformers } from "./keys.js"
import { sentencesOnMisspeltKeys } from "./misspellings.js"
import { calculatorFinding, extrasInWords, linesOfClasses, totalIn } from "./model-account.js"
import { accountOfCode, accountOfName } from "./name-account.js"
import { classAskedFor, classesCalledIn, classesNamedIn, classWithName, foreignClassIn } from "./named-classes.js"
import { accountOfOtherFile } from "./other-files.js"
import { configIn, isOtherFile } from "./recognising.js"
import { ANY_MODEL, cutForQuote, refusal, refusalByKeys, refusalOfOther, refusalOfOwnCode } from "./refusals.js"
import { withoutSections } from "./sections.js"
import { withoutTable } from "./tables.js"

/** @typedef {import("./text.js").ConfigText} ConfigText */

/** The maximum length of a text with a configuration, in characters. Most configurations have a few thousand, but one
 * that names all its labels may have many more. */
const MAX_LENGTH = 4 * 2 ** 20

/** The maximum number of characters after a configuration that are searched for another one. */
const MAX_REST_LENGTH = 2 ** 16

const MAX_ERRORS = 5 // the maximum number of errors that a refusal lists after the first one

/** The default of `type_vocab_size` in google-research/bert; in transformers it is 2. */
const SEGMENTS_OF_GOOGLE = 16

/** The titles of architectures, by name. @type {Record<string, string>} */
const TITLES = Object.fromEntries(table.architectures.map(({ name, title }) => [name, title]))

const MAX_JSON_LENGTH = 20_000 // the maximum number of characters of a string or list that is unpacked

/** The objects in a text that is one string or one list of JSON, one after another; any other text unchanged.
 * @param {string} text */
function asObjects(text) {
  if (text.length > MAX_JSON_LENGTH || !/^\s*(?:"\{\\|\[\s*\{)/.test(text)) return text
  try {
    const content = JSON.parse(text)
    if (typeof content === "string") return content
    return content.map((/** @type {unknown} */ item) => JSON.stringify(item)).join("\n")
  } catch {
    return text
  }
}

/** A configuration whose first argument is a number without a name; the group is its class. */
const ARGUMENT_WITHOUT_NAME = /(?<!\w)([A-Z]\w{0,40}Config)\(\s*[0-9][0-9_]*\s*[,)]/

/** The account of a configuration, of a model's name, or of another file of a model; null for any other text.
 * @param {string} source @returns {Account | null} */
export function accountOfConfig(source) {
  const text = withOneName(withoutSections(withoutTable(asObjects(source))))
  const accountOfEachBranch = accountOfBranches(text)
  if (accountOfEachBranch) return accountOfEachBranch
  const nameAccount = accountOfName(text)
  if (nameAccount) return nameAccount
  const changedConfig = changedConfigIn(text)
  if (changedConfig) {
    const account = accountOf(changedConfig)
    return withDoubt(withLayersInCode(account, text, Number(changedConfig.entries.get("hidden_size"))), text)
  }
  if (text.length > MAX_LENGTH) return null
  const [, configClass] = ARGUMENT_WITHOUT_NAME.exec(text) ?? []
  if (configClass)
    return refusal(
      words`${code(configClass)} has arguments without names, and their order differs between classes. Name them, as in ${code(`${configClass}(vocab_size=30522)`)}.`,
    )
  const kerasBertConfig = configOfKerasBert(text)
  if (kerasBertConfig) return accountOf(kerasBertConfig)
  const accountOfChange = accountOfDiff(text)
  if (accountOfChange) return accountOfChange
  const config = configIn(text)
  if (config) return withDoubt(accountOfAll(config), text)
  const otherAccount = accountOfOtherFile(source)
  if (otherAccount) return otherAccount
  return isOtherFile(source) ? refusal(words`This config cannot be counted: ${textOf("no-sizes")}.`) : null
}

/** A branch of a conditional statement that replaces a config. */
const REPLACED_IN_BRANCH =
  /^[ \t]*(?:if\b[^\n]{0,200}|else[ \t]*):[ \t]*\n[ \t]+\w{0,40}(?:config|cfg)[ \t]*=[ \t]*\w{1,60}(?:\.from_pretrained)?\(/im

/** The account, with a reservation if code replaces the config in a branch, because conditions are not evaluated.
 * @param {Account} account @param {string} text @returns {Account} */
function withDoubt(account, text) {
  if (account.confidence !== "certain" || !account.model || !REPLACED_IN_BRANCH.test(text)) return account
  const sentence = words`Your code replaces the config under a condition, which we do not evaluate, so the model may be another one.`
  return { ...account, findings: [finding(60, sentence), ...account.findings], confidence: "likely" }
}

/** The words before another total that is smaller by `difference`, or larger if `difference` is below zero.
 * @param {number} difference */
const comparisonOf = (difference) =>
  difference ? words`${Math.abs(difference)} ${difference > 0 ? "more" : "fewer"} than` : "as many as"

/** The account of a diff: of the configuration after the change, with the total before it; null for any other text, or
 * if one of the two configurations cannot be counted.
 * @param {string} text @returns {Account | null} */
function accountOfDiff(text) {
  const versions = versionsIn(text)
  const [before, after] = [versions?.before, versions?.after].map((version) => {
    const config = version ? configIn(version) : null
    return config && accountOf(config)
  })
  if (!before?.model || !after?.model) return null
  const comparison = comparisonOf(after.model.total - before.model.total)
  return {
    ...after,
    headline: words`After the change: ${after.headline}`,
    findings: [
      finding(60, words`That is ${comparison} the ${before.model.total} before the change.`),
      ...after.findings,
    ],
  }
}

/** The account of code that sets sizes under a condition: of the model that each branch builds; null for any other
 * text, if a branch cannot be counted, and if all branches build models of one size.
 * @param {string} text @returns {Account | null} */
function accountOfBranches(text) {
  const branches = branchesIn(text)
  const accounts = branches.flatMap((branch) => {
    const account = accountOfConfig(branch.text) ?? accountOfCode(branch.text)
    return account?.model ? [account] : []
  })
  const totals = new Set(accounts.map(({ model }) => model?.total))
  if (totals.size < 2 || accounts.length < branches.length) return null
  const headlines = accounts.map(({ headline }, index) => {
    const { condition } = branches[index]
    return condition === "else" ? words` Otherwise: ${headline}` : words` With ${code(condition)}: ${headline}`
  })
  return {
    ...accounts[0],
    headline: words`What your code builds depends on a condition.${headlines.flat()}`,
    findings: [finding(50, words`What follows is about the first of them.`), ...accounts[0].findings],
    model: null,
    confidence: "likely",
  }
}

const MAX_CONFIGS = 5 // the maximum number of configurations in a text that are counted

/** The accounts of the configurations in the text around an object, or around any configuration if others with a class
 * are in its text, up to the first that cannot be counted.
 * @param {ConfigText} config @param {number} maxCount  the maximum number of accounts @returns {Account[]} */
function accountsAfter({ rest, form, furtherConfigs }, maxCount) {
  if (!(form === "object" || furtherConfigs) || rest.length > MAX_REST_LENGTH || !maxCount) return []
  const config = configIn(rest)
  if (!config) return []
  const account = accountOf(config)
  return account.model ? [account, ...accountsAfter(config, maxCount - 1)] : []
}

/** Accounts without those with the same headline as an earlier one. @param {Account[]} accounts */
function withoutRepeats(accounts) {
  const headlines = accounts.map(({ headline }) => JSON.stringify(headline))
  return accounts.filter((_, index) => headlines.indexOf(headlines[index]) === index)
}

/** The account of a text with one or more configurations: of the first and, up to `MAX_CONFIGS`, of all that can be
 * counted. Of equal ones in a log, only the first is listed.
 * @param {ConfigText} config @returns {Account} */
function accountOfAll(config) {
  const accountOfFirst = accountOf(config)
  const furtherAccounts = accountOfFirst.model ? accountsAfter(config, MAX_CONFIGS - 1) : []
  if (!accountOfFirst.model || !furtherAccounts.length) return accountOfFirst
  const areAllCounted = furtherAccounts.length === config.furtherConfigs
  const account = areAllCounted ? accountOf({ ...config, furtherConfigs: 0 }) : accountOfFirst
  // A log prints one config several times, but two equal files may be meant to differ.
  const isLog = config.form !== "object"
  const otherAccounts = isLog ? withoutRepeats([account, ...furtherAccounts]).slice(1) : furtherAccounts
  if (!account.model || !otherAccounts.length) return account
  const { total } = account.model
  const hasEqual = otherAccounts.length < furtherAccounts.length
  const headlines = [account, ...otherAccounts].map(({ headline }, index) => words` Config ${index + 1}: ${headline}`)
  const comparisons = otherAccounts.map(({ model }, index) => {
    const comparison = comparisonOf((model?.total ?? 0) - total)
    return finding(60, words`Config ${index + 2} has ${model?.total ?? 0} parameters, ${comparison} the first.`)
  })
  return {
    ...account,
    headline: words`Your text has ${headlines.length}${hasEqual ? " different" : ""} configs.${headlines.flat()}`,
    findings: [...comparisons, finding(50, words`What follows is about the first of them.`), ...account.findings],
    confidence: otherAccounts.every(({ confidence }) => confidence === account.confidence)
      ? account.confidence
      : "likely",
  }
}

/** The settings of an architecture; empty if it is not counted here. @param {string} type */
const settingsOf = (type) =>
  table.architectures.find(({ name }) => name === type)?.settings.map((index) => table.configs.settings[index]) ?? []

/** A number of labels in a sentence. */
const LABELS = new RegExp(String.raw`(?<![\w.,])(${NUMBER_WORDS.join("|")}|[0-9]{1,3}) (?:labels?|classes)(?!\w)`, "i")

/** Adds the number of labels that the text around a configuration gives, if the configuration gives none.
 * @param {Map<string, unknown>} entries @param {string} rest */
function addLabels(entries, rest) {
  if (entries.has("num_labels") || entries.has("id2label") || rest.length > MAX_REST_LENGTH) return
  const [, labels = ""] = LABELS.exec(rest) ?? []
  const number = NUMBER_WORDS.indexOf(labels.toLowerCase()) + 1 || Number(labels)
  if (number) entries.set("num_labels", number)
}

/** The refusal of a configuration whose class is not counted. @param {string} className */
function refusalOfClass(className) {
  const why = reasonAgainstType(className)
  const reason = why ? words`which is not counted here, because ${why}` : "and other models have other tensors"
  const headline = words`This config cannot be counted: it is a ${code(cutForQuote(className))}, ${reason}.`
  return refusal(headline, [ANY_MODEL])
}

/** The refusal of a configuration with a kind of position embeddings that the architecture in transformers does not
 * have; null for any other configuration.
 * @param {Map<string, unknown>} entries @param {string} type */
function refusalOfPositions(entries, type) {
  const positions = entries.get("position_embedding_type")
  const setting = settingsOf(type).find(({ key }) => key === "position_embedding_type")
  const isUnsupported = !type || (setting && !setting.values?.some((value) => value === positions))
  if (typeof positions !== "string" || !isUnsupported) return null
  if (positions === "absolute" || positions.startsWith("relative")) return null
  return refusalOfOther(
    words`its ${code("position_embedding_type")} is ${code(cutForQuote(positions))}, which transformers' BERT does not have`,
  )
}

/** The account of a parsed configuration. @param {ConfigText} config @returns {Account} */
function accountOf(config) {
  const adapterAccount = accountOfAdapter(config)
  if (adapterAccount) return adapterAccount
  const entries = withUsualKeys(config)
  addLabels(entries, config.rest)
  const autoMap = entries.get("auto_map")
  if (autoMap && typeof autoMap === "object" && hasModelCode(autoMap)) return refusalOfOwnCode(autoMap)
  const type = typeOf(config, entries)
  if (type === null) return refusalOfClass(config.className)
  const namedModel = type ? null : modelNamedIn(entries)
  if (namedModel) return accountOfNamedModel(config, entries, namedModel)
  if (type) entries.set("model_type", type)
  const positionsRefusal = refusalOfPositions(entries, type)
  if (positionsRefusal) return positionsRefusal
  // `modeling.BertConfig(...)` is the class in google-research/bert.
  if (/\bmodeling\.\n/.test(config.rest) && !entries.has("type_vocab_size"))
    entries.set("type_vocab_size", SEGMENTS_OF_GOOGLE)
  const modelOfRest = config.isCut ? addSizesOfModel(entries, type) : null
  const defaultKeys = addDefaults(entries, type)
  const result = readEntries(entries)
  if (isWithoutSegments(result.errors, entries)) return accountWithoutSegments(config, entries, type)
  const relative = result.configuration && !type ? relativeWith(result.configuration, entries) : ""
  if (relative) return accountOfRelative(config, entries, relative)
  if (result.configuration || result.blockingKeys.length) {
    const account = accountOfConfiguration(config, entries, result, defaultKeys, type)
    const isRestMissing = modelOfRest || (config.isCut && defaultKeys.length)
    if (!account.model) return account
    // Only transformers itself is sure to take what a text leaves out from its own defaults.
    const mayHaveOtherDefaults =
      config.form === "lines" || (config.form === "object" && !isOfTransformers(config.entries))
    if (!isRestMissing)
      return mayHaveOtherDefaults && defaultKeys.length ? { ...account, confidence: "likely" } : account
    const rest = modelOfRest
      ? words`in ${linkTo(modelOfRest)}`
      : words`in transformers' defaults (${defaultsInWords(defaultKeys, type)})`
    return withConditionOnRest(account, rest)
  }
  const errorsInValues = result.errors.filter(({ message }) => !isAboutMissingSize(message))
  if (!type && !errorsInValues.length) return accountWithDefaults(config, entries)
  // Without a type, missing sizes have defaults, so only the others are errors.
  const [first, ...others] = type ? result.errors : errorsInValues
  const isOfOtherModel = first.key === "model_type" || first.key === "architectures"
  return refusal(words`This config cannot be counted: ${first.message}.`, [
    ...others.slice(0, MAX_ERRORS).map(({ message }) => words`Also, ${message}.`),
    ...(isOfOtherModel ? [ANY_MODEL] : []),
  ])
}

/** A key whose value is the name of a published model. */
const NAME_KEY =
  /^(?:_name_or_path|pretrained_model_name_or_path|(?:(?:base|pretrained)_)?(?:model|checkpoint|backbone)(?:_name|_id)?(?:_or_path)?)$/

/** The published model that a configuration names; null if it names none that we know.
 * @param {Map<string, unknown>} entries */
function modelNamedIn(entries) {
  const [, name] = [...entries].find(([key, value]) => NAME_KEY.test(key) && typeof value === "string") ?? []
  return modelOfName(String(name ?? ""))?.model ?? null
}

/** The account of a configuration that names a published model instead of an architecture. The sizes that it leaves out
 * are that model's.
 * @param {ConfigText} config @param {Map<string, unknown>} entries @param {Model} model @returns {Account} */
function accountOfNamedModel(config, entries, model) {
  const statedEntries = [...entries].filter(([key]) => !NAME_KEY.test(key))
  const publishedEntries = entriesOfModel(model) ?? new Map([["model_type", model.architecture]])
  const account = accountOf({ ...config, entries: new Map([...publishedEntries, ...statedEntries]) })
  if (!account.model) return account
  const missingSizes = [...publishedEntries].filter(([key, value]) => !entries.has(key) && typeof value === "number")
  const sizes = enumeration(missingSizes.map(([key, value]) => words`${code(key)} = ${Number(value)}`))
  const sentence = words`The sizes that it leaves out are those of ${model.title}, which it names: ${sizes}.`
  return {
    ...account,
    findings: [...(missingSizes.length ? [finding(60, sentence)] : []), ...account.findings],
    confidence: "likely",
  }
}

const SEGMENTS = "type_vocab_size"

/** Whether the only error of a configuration is a segment table without rows.
 * @param {ReadConfig["errors"]} errors @param {Map<string, unknown>} entries */
const isWithoutSegments = ([error, ...others], entries) =>
  error?.key === SEGMENTS && entries.get(SEGMENTS) === 0 && !others.length

/** The account of a configuration whose segment table has no rows. transformers builds such a model, but it cannot look
 * up any segment. Its total follows from those with one row and with two, because every row adds the same number.
 * @param {ConfigText} config @param {Map<string, unknown>} entries @param {string} type @returns {Account} */
function accountWithoutSegments(config, entries, type) {
  const [one, two] = [1, 2].map((rows) => {
    const entriesWithRows = new Map(entries).set(SEGMENTS, rows)
    return accountOfConfiguration(config, entriesWithRows, readEntries(entriesWithRows), [], type)
  })
  if (!one.model || !two.model) return one
  const { modelClass } = one.model
  const total = 2 * one.model.total - two.model.total
  return {
    ...one,
    headline: words`With ${code(SEGMENTS)} 0, the segment table has no rows: ${total} parameters as ${code(modelClass)}, ${one.model.total - total} fewer than with one row.`,
    findings: [
      finding(
        60,
        words`${code("transformers")} builds such a model, but it stops at the first text, because it looks up a segment for every token.`,
      ),
    ],
    lines: [],
    model: { name: "", modelClass, total },
    confidence: "likely",
  }
}

/** Adds the missing sizes from the first published model that has all sizes in a configuration, among them the width
 * and the number of layers. Returns this model; null if there is none, or if the missing sizes have their defaults in
 * it.
 * @param {Map<string, unknown>} entries @param {string} type */
function addSizesOfModel(entries, type) {
  const { keys = {} } = table.architectures.find(({ name }) => name === type) ?? {}
  const lettersAndKeys = Object.entries(keys).filter(([letter]) => letter !== "C")
  const givenSizes = lettersAndKeys.filter(([, key]) => entries.has(key))
  const missingSizes = lettersAndKeys.filter(([, key]) => !entries.has(key))
  if (!["H", "L"].every((letter) => givenSizes.some(([other]) => other === letter))) return null
  const model = table.models.find(
    ({ architecture, sizes }) =>
      architecture === type && givenSizes.every(([letter, key]) => sizes[letter] === entries.get(key)),
  )
  if (!model || missingSizes.every(([letter, key]) => model.sizes[letter] === DEFAULTS[type][key])) return null
  for (const [letter, key] of missingSizes) entries.set(key, model.sizes[letter])
  return model
}

/** The account of a configuration that is cut off, on the condition that the missing keys are as in `rest`.
 * @param {Account} account @param {Words} rest @returns {Account} */
function withConditionOnRest(account, rest) {
  const { modelClass, total } = /** @type {NonNullable<Account["model"]>} */ (account.model)
  return {
    ...account,
    headline: words`This config is cut off. If the rest is as ${rest}, the model has ${total} parameters as ${code(modelClass)}.`,
    findings: account.findings.filter(({ weight }) => weight !== DEFAULTS_WEIGHT),
    confidence: "possible",
  }
}

/** The keys with their defaults, as a list in words. @param {string[]} keys @param {string} type */
const defaultsInWords = (keys, type) => enumeration(keys.map((key) => words`${code(key)} = ${DEFAULTS[type][key]}`))

/** Another architecture with the same letters that has a published model of these sizes; "" if there is none, if the
 * configuration names a class, or if a published BERT has these sizes.
 * @param {Configuration} configuration @param {Map<string, unknown>} entries @returns {string} */
function relativeWith(configuration, entries) {
  if (entries.has("architectures") || publishedModels(configuration).length) return ""
  const otherArchitectures = table.architectures.filter(({ name, keys }) => {
    return name !== configuration.architecture && Object.keys(keys).join() === Object.keys(configuration.sizes).join()
  })
  return (
    otherArchitectures.find(({ name }) => publishedModels({ ...configuration, architecture: name }).length)?.name ?? ""
  )
}

/** The account of a configuration that names no architecture but has the sizes of a published relative.
 * @param {ConfigText} config @param {Map<string, unknown>} entries @param {string} architecture @returns {Account} */
function accountOfRelative(config, entries, architecture) {
  entries.set("model_type", architecture)
  const account = accountOfConfiguration(config, entries, readEntries(entries), [], architecture)
  return { ...account, confidence: "likely" }
}

/** Whether an error states only that a size is missing. @param {string} message */
const isAboutMissingSize = (message) => / is missing; add it/.test(message)

/** The configuration with these entries, or the errors or keys that keep it from being counted.
 * @param {Map<string, unknown>} entries */
const readEntries = (entries) => read(JSON.stringify(Object.fromEntries(entries)))

/** The class that a configuration is counted in, the same class if the text names it (`namedClass`), a class that the
 * text names but the site does not count (`uncountedClass`), and the classes that the text names if they are several
 * (`possibleClasses`). The second and third may be "". The class that code calls with the configuration is built,
 * whatever the configuration says.
 * @param {ConfigText} config @param {Map<string, unknown>} entries @param {Configuration} configuration */
function classOf({ rest, className, builtClass = "" }, entries, { architecture }) {
  const bare = classOfBare(architecture)
  const countedClass = (/** @type {string} */ name) => {
    return { modelClass: name, namedClass: name, uncountedClass: "", possibleClasses: [] }
  }
  const classOfConfig = classWithName(inTorch(builtClass), architecture)
  if (classOfConfig) return countedClass(classOfConfig)
  const [calledClass, ...otherCalledClasses] = classesCalledIn(rest, architecture)
  if (calledClass && !otherCalledClasses.length) return countedClass(calledClass)
  const classInConfig = [entries.get("architectures")].flat()[0]
  if (typeof classInConfig === "string" && classInConfig) {
    const name = classesOf(architecture).find((modelClass) => modelClass.name === inTorch(classInConfig))?.name
    return name
      ? countedClass(name)
      : { modelClass: bare, namedClass: "", uncountedClass: classInConfig, possibleClasses: [] }
  }
  // The text around keyword arguments may name the class: `BertForMaskedLM(BertConfig(...))`.
  const [namedClass, ...otherClasses] = classesNamedIn(rest, architecture)
  if (namedClass && !otherClasses.length) return countedClass(namedClass)
  const possibleClasses = namedClass ? [namedClass, ...otherClasses] : []
  const classOfQuestion = namedClass ? "" : classAskedFor(rest, architecture)
  if (classOfQuestion) return countedClass(classOfQuestion)
  const hasOtherConfig = rest.match(/\b\w+Config\b/g)?.some((name) => name !== className)
  const uncountedClass = namedClass || hasOtherConfig ? "" : foreignClassIn(rest, architecture)
  return { modelClass: bare, namedClass: "", uncountedClass, possibleClasses }
}

/** Whether a class belongs to a different model of transformers, such as NezhaForPreTraining in a BERT configuration.
 * @param {string} name @param {string} architecture */
function isOfAnotherModel(name, architecture) {
  const [, stem = ""] = /^(?!AutoModel)(\w+?)(?:Model|For[A-Z]\w*|LMHeadModel)$/.exec(inTorch(name)) ?? []
  return stem !== "" && `${stem}Model` !== classOfBare(architecture)
}

/** An argument of a class that leaves out its pooler. */
const NO_POOLER = /\badd_pooling_layer\s?=\s?False\b/

/** A configuration without a pooler if code builds its class without one; otherwise the same one.
 * @param {string} text  around the configuration @param {Configuration} configuration @param {string} modelClass
 * @returns {Configuration} */
const withoutPoolerOf = (text, configuration, modelClass) =>
  NO_POOLER.test(text) && classes.get(modelClass).offers.includes("pooler")
    ? { ...configuration, choices: { ...configuration.choices, pooler: false } }
    : configuration

/** The account of a configuration that has been read, or a refusal if it cannot be counted.
 * @param {ConfigText} config @param {Map<string, unknown>} entries @param {ReadConfig} result
 * @param {string[]} defaultKeys  the keys that were filled in with defaults @param {string} type
 * @returns {Account} */
function accountOfConfiguration(config, entries, result, defaultKeys, type) {
  if (result.blockingKeys.length)
    return refusalByKeys(result.blockingKeys, sentencesOnMisspeltKeys(result.blockingKeys, config, type))
  const readConfiguration = /** @type {Configuration} */ (result.configuration)
  const { modelClass, namedClass, uncountedClass, possibleClasses } = classOf(config, entries, readConfiguration)
  const configuration = withoutPoolerOf(config.rest, readConfiguration, modelClass)
  if (uncountedClass && isOfAnotherModel(uncountedClass, configuration.architecture))
    return refusalOfOther(
      words`it names ${code(cutForQuote(uncountedClass))}, a class of a model other than ${TITLES[configuration.architecture]}`,
    )
  const total = totalIn(configuration, modelClass)
  if (total === null)
    return refusal(
      words`This config cannot be counted: its sizes give more than ${MAX_NUMBER} parameters, the most that can be counted exactly here.`,
    )
  const { title, opening, name } = modelInWords(configuration, modelClass, entries)
  const findings = [
    ...(possibleClasses.length
      ? [findingOnClasses(possibleClasses)]
      : classFindings(config, configuration, modelClass, namedClass, uncountedClass)),
    ...keyFindings(config, entries, defaultKeys, result.unknownKeys, type),
    ...modelFindings(configuration, title, entries),
    ...changedSizeFindings(configuration, modelClass, total),
    ...untiedFindings(configuration, modelClass, total),
    ...numberFindings(config, configuration, modelClass, total),
    calculatorFinding(configuration, modelClass),
  ]
  const isClassSure = !uncountedClass && !possibleClasses.length
  const isTextComplete = !config.isCut && !config.furtherConfigs && !config.unreadCode?.length
  const isSure = !result.unknownKeys.length && isClassSure && isTextComplete
  return {
    kind: "config",
    headline: words`${opening}${extrasInWords(configuration, modelClass)}: ${total} parameters.`,
    findings: findings.sort((one, other) => other.weight - one.weight),
    lines: linesOfClasses(configuration),
    bridge: null,
    model: { name, modelClass, total },
    confidence: isSure ? "certain" : "likely",
  }
}

/** The title and name of a published model with these sizes, both "" if there is none, and the beginning of the
 * headline.
 * @param {Configuration} configuration @param {string} modelClass @param {Map<string, unknown>} entries
 * @returns {{ title: string, name: string, opening: Words }} */
function modelInWords(configuration, modelClass, entries) {
  const { architecture, sizes } = configuration
  const modelsWithSizes = publishedModels(configuration)
  const path = entries.get("_name_or_path")
  const namedModel = typeof path === "string" ? modelOfName(path) : null
  const model = modelsWithSizes.find(({ name }) => name === namedModel?.model.name) ?? modelsWithSizes[0]
  const asClass = words`as ${code(modelClass)}`
  if (!model) {
    const shape = words`${sizes.L} ${noun(sizes.L, "layer")} and hidden size ${sizes.H}`
    return {
      title: "",
      name: "",
      opening: words`This is ${articleFor(TITLES[architecture])} ${TITLES[architecture]} with ${shape}, ${asClass}`,
    }
  }
  const { title, name, group } = model
  const isNamed = namedModel ? namedModel.model.name === name : !path
  // The sentence goes on to name cross-attention and an untied decoder, but no other choice.
  if (unusualChoices(configuration).some((choice) => !["tied", "cross_attention"].includes(choice)))
    return { title, name, opening: words`This has the sizes of ${title}, but other tensors, ${asClass}` }
  if (isNamed && group !== "course")
    return { title, name, opening: words`This is ${namedModel?.isFurther ? namedModel.name : title}, ${asClass}` }
  return { title, name, opening: words`This is a model with the sizes of ${title}, ${asClass}` }
}

const WIDTH_OF_HEAD = 64 // the width of a head in BERT base and BERT large
const INNER_FACTOR = 4 // F as a multiple of H in every model of BERT's paper

/** Adds the sizes that follow from H by the rules of BERT's paper, if a text gives H by its letter or by a name of the
 * reader's own. Returns these sizes in words.
 * @param {ConfigText} config @param {Map<string, unknown>} entries */
function addDerivedSizes(config, entries) {
  const hiddenSize = Number(entries.get("hidden_size"))
  if (config.entries.has("hidden_size") || !Number.isSafeInteger(hiddenSize)) return []
  /** @type {[key: string, size: number, words: Words][]} */
  const rules = [
    ["intermediate_size", INNER_FACTOR * hiddenSize, words`F = ${INNER_FACTOR}H = ${INNER_FACTOR * hiddenSize}`],
    ["num_attention_heads", hiddenSize / WIDTH_OF_HEAD, words`A = H/${WIDTH_OF_HEAD} = ${hiddenSize / WIDTH_OF_HEAD}`],
  ]
  return rules
    .filter(([key, size]) => !entries.has(key) && Number.isInteger(size))
    .map(([key, size, rule]) => {
      entries.set(key, size)
      return rule
    })
}

/** The account of a configuration without an architecture and with missing sizes, assuming that it is a BERT.
 * @param {ConfigText} config @param {Map<string, unknown>} entries @returns {Account} */
function accountWithDefaults(config, entries) {
  const derivedSizes = addDerivedSizes(config, entries)
  const defaultKeys = addDefaults(entries, "bert")
  const result = readEntries(entries)
  if (!result.configuration && !result.blockingKeys.length)
    return refusal(words`This config cannot be counted: ${result.errors[0].message}.`)
  const account = accountOfConfiguration(config, entries, result, defaultKeys, "bert")
  if (!account.model) return account
  const sizes = defaultsInWords(defaultKeys, "bert")
  const { modelClass, total } = account.model
  const rule = derivedSizes.length ? words` with ${enumeration(derivedSizes)}, as in BERT's paper,` : ""
  return {
    ...account,
    headline: words`If this is a BERT${rule} that takes the rest from transformers' defaults (${sizes}), it has ${total} parameters as ${code(modelClass)}.`,
    // The headline already lists the defaults.
    findings: account.findings.filter(({ weight }) => weight !== DEFAULTS_WEIGHT),
    confidence: "possible",
  }
}
