// Finds the keys and values of a configuration in any of several notations: JSON, a
// printed `BertConfig {...}`, a Python dictionary, keyword arguments, or lines such as
// `hidden_size: 768`. reader.js reads all of them from where they start, and code.js reads
// what Python code changes in a configuration. The number of positions from which a text is
// read is limited, so that no text takes long.
//
// JSON.parse is used only for long texts, which come from files and may have thousands of
// labels.

import { vocabularySizeIn } from "../resizing.js"
import { changesIn, classAround, nameOfConfig, valuesOfNames, withoutCodeOfVocabulary } from "./code.js"
import { isOfTransformers, isSizeKey } from "./keys.js"
import { MAX_KEYS, membersAt, valueOfUnquoted } from "./reader.js"

/** The keys and values of a text.
 * @typedef {object} ConfigText
 * @property {string} className  the class before the bracket; "" if there is none
 * @property {"printed" | "arguments" | "object" | "lines"} form
 * @property {Map<string, unknown>} entries
 * @property {boolean} isCut  whether the text ends before the last bracket is closed
 * @property {string[]} repeatedKeys  the keys that recur with a different value
 * @property {string} rest  the text before and after the configuration
 * @property {string} [builtClass]  the class of the model that code builds from the configuration
 * @property {string[]} [unreadCode]  the code whose values only running it would give
 * @property {number} furtherConfigs  the number of further configurations in the text */

/** The maximum number of characters of a text without a class; a longer one is read only if it is an object. */
const MAX_TEXT_LENGTH = 50_000

/** The maximum number of class names in a text that are tried as the start of a configuration. */
const MAX_CLASSES = 20

/** A configuration class or a backbone of KerasHub and its bracket, such as `BertConfig {`, `transformers.BertConfig(`,
 * `BertConfig.from_dict(` or, with a model type, `AutoConfig.for_model("bert"`. A tool's own options, such as those of
 * a quantiser, describe no model. */
const CLASS =
  /(?<!\w)(?!(?:BitsAndBytes|GPTQ|Awq|Quanto|TorchAo|Hqq|Generation)Config)(\w{0,60}(?:Config|Backbone))(?:\.from_dict|\.for_model)?\s{0,4}([({])(?:\s{0,20}(?:model_type\s?=\s?)?["']([\w-]{1,40})["']\s{0,20}(?=[,)]))?/g

/** The start of an object, which may be assigned to a name. */
const OBJECT = /^\s*(?:[\w.]{1,60}\s*=\s*)?(?=\{)/

/** The start of an object below the name of its file, the command that printed it, or other lines without brackets. */
const OBJECT_BELOW_HEADING = /^\s*(?:[^\n{}[\]]{1,200}\n){1,3}\s*(?=\{)/

/** The start of an object within a sentence, or below more lines. */
const OBJECT_IN_TEXT = /\{(?=\s{0,99}["']\w{1,60}["']\s{0,9}:)/

/** The configuration in the first object of a text that does not begin with it; null unless its keys are those of a
 * model.
 * @param {string} text @returns {ConfigText | null} */
function configWithinText(text) {
  const match = OBJECT_IN_TEXT.exec(text)
  const config = match && configWithoutClass(text, membersAt(text, match.index + 1, "}"), "object")
  if (!match || !config) return null
  const isOfModel = isOfTransformers(config.entries) || [...config.entries.keys()].filter(isSizeKey).length > 1
  return isOfModel ? { ...config, rest: `${text.slice(0, match.index)}\n${config.rest}` } : null
}

/** The start of a call with keyword arguments, such as `get_model(token_num=30000, ...)`, perhaps after imports.
 * Arguments without names may come first, such as the size of the vocabulary in `BERT(len(vocab), hidden=768, ...)`;
 * the group is the first of them. */
const CALL =
  /^\s*(?:(?:import|from)\s[^\n]{1,200}\n\s*){0,20}(?:[\w.]{1,60}\s*=\s*)?[\w.]{1,60}\s*\(\s*(?:([\w.]{1,60})(?:\(\w{1,60}\))?\s*,)?(?:\s*[\w.]{1,60}\s*,){0,3}(?=\s*\w+\s*=)/

/** A line of gin, which gives an argument of a class: `BertConfig.hidden_size = 512`. */
const BINDING = /^[ \t]*(?:\w{1,60}[./])*(\w{0,60}Config)\.(\w{1,60})[ \t]*=[ \t]*([^\n#]{1,200})/gm

/** The configuration of the first class to which lines of gin give arguments; null if there is none.
 * @param {string} text */
function configOfGin(text) {
  const bindings = [...text.matchAll(BINDING)]
  if (!bindings.length) return null
  const [[, className]] = bindings
  const entries = bindings
    .filter(([, name]) => name === className)
    .map(([, , key, value]) => /** @type {const} */ ([key, valueOfUnquoted(value.trim())]))
  return {
    className,
    form: /** @type {const} */ ("arguments"),
    entries: new Map(entries),
    isCut: false,
    repeatedKeys: [],
    rest: text.replace(BINDING, ""),
    furtherConfigs: 0,
  }
}

/** The configuration in the first brackets after a class, with what code changes in it; null if there are none that can
 * be read.
 * @param {string} text @returns {ConfigText | null} */
function configOfClass(text) {
  const classes = [...text.matchAll(CLASS)].slice(0, MAX_CLASSES)
  const names = classes.length ? valuesOfNames(text) : new Map()
  for (const { 0: openingText, 1: name, 2: open, 3: type, index } of classes) {
    const start = index + openingText.length
    const members = membersAt(text, start, open === "{" ? "}" : ")", names)
    if (!members) continue
    const [above, below] = [text.slice(0, index), text.slice(members.end)]
    const rest = `${above}\n${below}`
    const { laterValues, unreadCode, builtClass } = changesIn(
      below,
      names,
      nameOfConfig(`${above}${openingText.split(open)[0]}${open}`),
    )
    /** @type {[string, unknown][]} */
    const typeEntries = type ? [["model_type", type]] : []
    const { entries, codeOfVocabulary } = withoutCodeOfVocabulary([
      ...typeEntries,
      ...members.entries,
      ...laterValues,
      ...vocabularySizeIn(below),
    ])
    return {
      ...members,
      entries,
      className: name,
      form: open === "{" ? "printed" : "arguments",
      rest,
      builtClass: builtClass || classAround(above),
      unreadCode: [...codeOfVocabulary, ...unreadCode],
      furtherConfigs: [...rest.matchAll(CLASS)].length,
    }
  }
  return null
}

/** The keys and values of a text; null if it is not a list of keys and values.
 * @param {string} text @returns {ConfigText | null} */
export function configText(text) {
  const classConfig = configOfClass(text)
  if (classConfig) return classConfig
  const objectMatch = OBJECT.exec(text)
  const headingMatch = objectMatch ? null : OBJECT_BELOW_HEADING.exec(text)
  if (headingMatch) {
    const [heading] = headingMatch
    const config = configWithoutClass(text, membersAt(text, heading.length + 1, "}"), "object")
    return config && { ...config, rest: `${heading}${config.rest}` }
  }
  const json = objectMatch && text.length > MAX_TEXT_LENGTH ? configOfJson(text) : null
  if (json) return json
  if (objectMatch) return configWithoutClass(text, membersAt(text, objectMatch[0].length + 1, "}"), "object")
  if (text.length > MAX_TEXT_LENGTH) return null
  const configInText = configWithinText(text)
  if (configInText) return configInText
  const ginConfig = configOfGin(text)
  if (ginConfig) return ginConfig
  const call = CALL.exec(text)
  if (call) {
    const [opening, vocabulary] = call
    const members = membersAt(text, opening.length, ")")
    if (/^[0-9_]+$/.test(vocabulary)) members?.entries.set("vocab_size", valueOfUnquoted(vocabulary))
    return configWithoutClass(text, members, "lines")
  }
  return configWithoutClass(text, membersAt(text, 0, ""), "lines")
}

/** The keys and values of a long text in JSON; null if it is not JSON or has too many keys.
 * @param {string} text @returns {ConfigText | null} */
function configOfJson(text) {
  try {
    const entries = Object.entries(JSON.parse(text))
    if (entries.length > MAX_KEYS) return null
    return {
      className: "",
      form: "object",
      entries: new Map(entries),
      isCut: false,
      repeatedKeys: [],
      rest: "",
      furtherConfigs: 0,
    }
  } catch {
    return null
  }
}

/** A configuration whose text gives no class, with what code below an object changes in it; null if its members could
 * not be read.
 * @param {string} text @param {ReturnType<typeof membersAt>} members @param {ConfigText["form"]} form */
function configWithoutClass(text, members, form) {
  if (!members) return null
  const below = text.slice(members.end)
  const { laterValues, unreadCode } = changesIn(below)
  const rest = [...members.sentences, below].join("\n")
  const entries = new Map([...members.entries, ...laterValues])
  return { ...members, entries, className: "", form, rest, unreadCode, furtherConfigs: 0 }
}
