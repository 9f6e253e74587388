// Reads the configuration that code derives from a published model's: from_pretrained with other
// sizes, as arguments, in a call of update(), or assigned to attributes of the config.

import { configOf, ofModel, publishedModels, read } from "../../counting/configuration.js"
import { architectures } from "../../counting/engine.js"
import { modelOfName } from "../model-names.js"
import { vocabularySizeIn } from "../resizing.js"
import { changesIn, nameOfConfig, valuesOfNames, withoutCodeOfVocabulary } from "./code.js"
import { isKeyOfModels, isSizeKey } from "./keys.js"
import { membersAt } from "./reader.js"

const MAX_LENGTH = 10_000 // characters; longer code does more than change a configuration

/** The start of a call that loads a model or its configuration by its name, or by a name that code has given a
 * value. */
const CALL = /\b(\w{1,60})\.from_pretrained\(\s*(?:["']([^"'\n]{1,120})["']|(\w{1,60}))\s*(?=[,)])/g
/** Classes that load something other than a model or its configuration. */
const NOT_MODEL = /Tokenizer|Processor|FeatureExtractor/

/** A module or a tensor of a print-out, which shows what the code has built. */
const PRINT_OUT = /\(\w+\): \w+\(|torch\.Size|\.(?:weight|bias)\b/

/** The configuration of a published model, under the keys of its config.json; null if the configuration with these keys
 * is that of another model.
 * @param {Model} model */
export function entriesOfModel(model) {
  const { name: architecture, keys } = architectures.get(model.architecture)
  const sizes = Object.entries(keys).flatMap(([letter, key]) =>
    letter in model.sizes ? [/** @type {[string, unknown]} */ ([key, model.sizes[letter]])] : [],
  )
  const entries = new Map([["model_type", architecture], ...sizes, ...Object.entries(configOf(ofModel(model.name)))])
  const { configuration } = read(JSON.stringify(Object.fromEntries(entries)))
  return configuration && publishedModels(configuration).includes(model) ? entries : null
}

/** The first call in code that loads a known model or its configuration, with that model; null if there is none.
 * @param {string} text @param {import("./reader.js").Names} names  the values of names in it */
function loadingCallIn(text, names) {
  for (const { 0: start, 1: owner, 2: literal, 3: name, index } of text.matchAll(CALL)) {
    const { model } = modelOfName(literal ?? String(names.get(name) ?? "")) ?? {}
    if (model && !NOT_MODEL.test(owner)) return { model, start: index, end: index + start.length }
  }
  return null
}

/** The configuration that code derives from a published model's by changing sizes; null for any other text, and for
 * code with a print-out.
 * @param {string} text @returns {import("./text.js").ConfigText | null} */
export function changedConfigIn(text) {
  if (text.length > MAX_LENGTH || !text.includes(".from_pretrained(") || PRINT_OUT.test(text)) return null
  const names = valuesOfNames(text)
  const call = loadingCallIn(text, names)
  const members = call && membersAt(text, call.end, ")", names)
  if (!members) return null
  const below = text.slice(members.end)
  const { laterValues, unreadCode, builtClass } = changesIn(
    below,
    names,
    nameOfConfig(text.slice(0, text.indexOf("(", call.start) + 1)),
  )
  // Other arguments say how a model is loaded.
  const changes = [...members.entries, ...laterValues].filter(
    ([key, value]) => isKeyOfModels(key) || Number.isInteger(value),
  )
  if (!changes.some(([key]) => isSizeKey(key))) return null
  const entries = entriesOfModel(call.model)
  if (!entries) return null
  const { entries: settings, codeOfVocabulary } = withoutCodeOfVocabulary([
    ...entries,
    ...changes,
    ...vocabularySizeIn(below),
  ])
  return {
    className: "",
    form: "object",
    entries: settings,
    isCut: false,
    repeatedKeys: [],
    rest: text,
    builtClass,
    unreadCode: [...codeOfVocabulary, ...unreadCode],
    furtherConfigs: 0,
  }
}
