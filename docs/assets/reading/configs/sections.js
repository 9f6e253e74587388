// Splits a text with the settings of several models, each in a section of its own: below a name in
// YAML, below one in square brackets in TOML, or in an object of JSON within another one.

import { isKeyOfModels, isOfTransformers, isSizeKey } from "./keys.js"
import { membersAt } from "./reader.js"

const MAX_LENGTH = 20_000 // characters
const MAX_LEVELS = 4 // the maximum number of levels at which objects are searched, including the outermost
const MIN_SIZES = 2 // the minimum number of sizes in the section of a model

/** The heading of a section, with its name. */
const HEADING = /^\s*(?:["']?([A-Za-z][\w.-]{0,60})["']?:|\[{1,2}([\w."' -]{1,60})\]{1,2})[ \t]*(?:#.*)?$/

/** The settings above the first section of a text in YAML or TOML, and those of each section; empty for a text with
 * fewer than two sections.
 * @param {string} text @returns {object[]} */
function settingsOfSections(text) {
  /** @type {string[][]} */
  const sections = [[]]
  for (const line of text.split("\n")) {
    const [, key = "", title = ""] = HEADING.exec(line) ?? []
    // A key of a configuration may have a list below it.
    if (title || (key && !isKeyOfModels(key))) sections.push([])
    else sections.at(-1)?.push(line)
  }
  if (sections.length < 3) return [] // the first one is what is above the first heading
  return sections.map((lines) => Object.fromEntries(membersAt(lines.join("\n"), 0, "")?.entries ?? []))
}

/** Whether settings are those of a model. @param {Record<string, unknown>} settings */
const isOfModel = (settings) =>
  Object.entries(settings).filter(([key, value]) => isSizeKey(key) && Number.isInteger(value)).length >= MIN_SIZES ||
  isOfTransformers(new Map(Object.entries(settings)))

/** The settings of models within an object, at any of the first levels.
 * @param {unknown} value @param {number} [levels] @returns {object[]} */
function settingsWithin(value, levels = MAX_LEVELS) {
  if (typeof value !== "object" || !value || Array.isArray(value) || !levels) return []
  const settings = /** @type {Record<string, unknown>} */ (value)
  return isOfModel(settings)
    ? [settings]
    : Object.values(settings).flatMap((inner) => settingsWithin(inner, levels - 1))
}

/** The settings of models within an object of JSON; none for any other text. @param {string} text */
function settingsInJson(text) {
  try {
    return settingsWithin(JSON.parse(text))
  } catch {
    return []
  }
}

/** The settings of several models in sections as objects of JSON, one after another; any other text unchanged.
 * @param {string} text */
export function withoutSections(text) {
  if (text.length > MAX_LENGTH) return text
  const settings = /^\s*\{/.test(text) ? settingsInJson(text) : settingsOfSections(text)
  const models = settings.filter((entries) => isOfModel({ ...entries }))
  return models.length > 1 ? models.map((entries) => JSON.stringify(entries)).join("\n") : text
}
