// Reads what Python code does to a configuration besides the call that makes it: the values that
// it gives to names, such as a dictionary of arguments, and those that it assigns to the
// configuration before it builds the model. The code is not run, so a value that it works out
// remains its code, which no size accepts.

import { endOfLine, membersAt, valueAt } from "./reader.js"

const MAX_LENGTH = 20_000 // characters; in longer code, names have no values
const MAX_NAMES = 100 // the maximum number of assignments that are read
const MAX_CHANGED_LENGTH = 50_000 // characters after a configuration in which code may change it
const MAX_CHANGES = 200

/** The start of an assignment to a name, perhaps with a type: `hidden_size: int = 512`. */
const ASSIGNMENT = /^[ \t]*([A-Za-z_]\w{0,60})[ \t]*(?::[ \t]*\w[\w.[\]]{0,60}[ \t]*)?=(?!=)[ \t]*/gm

/** The start of a literal, of a dictionary, or of a product or quotient of names. */
const LITERAL =
  /^(?:[0-9{"']|(?:True|False|None)\b|(?:\w{1,60}\.){0,3}\w{0,60}dict\s{0,4}\(|OmegaConf\.create\(|\w{1,60} ?(?:\*|\/\/) ?\w)/i

/** The values that code gives to names: numbers, switches, strings and dictionaries. A name that it gives several
 * values has none.
 * @param {string} text @returns {import("./reader.js").Names} */
export function valuesOfNames(text) {
  const values = new Map()
  if (text.length > MAX_LENGTH) return values
  const ambiguousNames = new Set()
  const assignments = [...text.matchAll(ASSIGNMENT)].slice(0, MAX_NAMES)
  for (const { 0: start, 1: name, index } of assignments.filter(({ index }) => !isInBrackets(text, index))) {
    const position = index + start.length
    const isLiteral = LITERAL.test(text.slice(position, position + MAX_START))
    const value = isLiteral ? valueAt(text, position, values) : undefined
    if (values.has(name) && JSON.stringify(values.get(name)) !== JSON.stringify(value)) ambiguousNames.add(name)
    if (value !== undefined) values.set(name, value)
  }
  for (const name of ambiguousNames) values.delete(name)
  return values
}

const MAX_START = 300 // characters of a value that show whether it is a literal

/** Whether a bracket is open at an index, so that an assignment there is an argument of a call.
 * @param {string} text @param {number} index */
function isInBrackets(text, index) {
  let depth = 0
  for (const [bracket] of text.slice(0, index).matchAll(/[([{}\])]/g)) depth += "([{".includes(bracket) ? 1 : -1
  return depth > 0
}

/** The name of any configuration, such as `config` or `self.bert_config`. The config of a model that has been built no
 * longer changes the model. */
const ANY_CONFIG = String.raw`(?!(?:\w{1,60}\.)?\w{0,60}model\.)(?:\w{1,60}\.){0,3}\w{0,60}(?:config|cfg)`

/** The start of each change of a configuration: an assignment to an attribute or a key, `setattr`, or `update`. The
 * first three groups are the key, and the last is a change whose key or value only running the code would give.
 * @param {string} config  a pattern for its name */
const changePattern = (config) =>
  new RegExp(
    String.raw`(?<=^|\n|;)[ \t]*(?:${[
      String.raw`${config}\.(\w{1,60})[ \t]*(?::[ \t]*\w{1,60}[ \t]*)?=(?!=)[ \t]*`,
      String.raw`${config}\[["'](\w{1,60})["']\][ \t]*=(?!=)[ \t]*`,
      String.raw`setattr\([ \t]*${config}[ \t]*,[ \t]*["'](\w{1,60})["'][ \t]*,[ \t]*`,
      String.raw`(?:${config}(?:\.__dict__)?|vars\(${config}\))\.update\(`,
      String.raw`(${config}\.\w{1,60}[ \t]*(?:,|[-+*/%|&^]{1,2}=)|${config}\[\w{1,60}\][ \t]*=(?!=)|setattr\([ \t]*${config}[ \t]*,)`,
    ].join("|")})`,
    "g",
  )

/** A call that builds a model from a configuration, with the class as its group.
 * @param {string} config  a pattern for its name */
const buildingPattern = (config) =>
  new RegExp(
    String.raw`\b(?!\w{0,60}Config\b)([A-Z]\w{1,60})(?:\._?from_config)?\(\s{0,20}(?:config\s?=\s?)?${config}\s{0,20}[,)]`,
  )

const CHANGE = changePattern(ANY_CONFIG)
const BUILDING = buildingPattern(ANY_CONFIG)

/** The name to which code assigns the configuration that a call makes; "" if there is none.
 * @param {string} text  the code up to the opening bracket of the call */
export const nameOfConfig = (text) =>
  /(?:^|[\n;])[ \t]*([\w.]{1,60})[ \t]*=[ \t]*[\w.]{1,120}\s{0,4}\($/.exec(text.slice(-MAX_START))?.[1] ?? ""

/** The class that code builds from the configuration that a call makes, if that call is its argument; "" if it is not.
 * @param {string} text  the code up to the name of the configuration's class */
export const classAround = (text) =>
  /\b([A-Z]\w{1,60})(?:\._?from_config)?\(\s{0,20}(?:config\s?=\s?)?(?:\w{1,60}\.){0,3}$/.exec(
    text.slice(-MAX_START),
  )?.[1] ?? ""

/** The values that code assigns to a configuration before it builds a model from it: keys with their values, in order,
 * and the code whose keys or values are not in the text; and the class of that model, "" if code builds none or the
 * configuration has no name.
 * @param {string} text @param {import("./reader.js").Names} [names]  the values of names in it
 * @param {string} [name]  of the configuration; "" for any */
export function changesIn(text, names = new Map(), name = "") {
  const pattern = name.replaceAll(".", "\\.")
  const building = (name ? buildingPattern(pattern) : BUILDING).exec(text)
  const { index: end, 1: builtClass } = building ?? { index: text.length, 1: "" }
  const code = text.slice(0, Math.min(end, MAX_CHANGED_LENGTH))
  /** @type {[key: string, value: unknown][]} */
  const laterValues = []
  /** @type {string[]} */
  const unreadCode = []
  for (const match of [...code.matchAll(name ? changePattern(pattern) : CHANGE)].slice(0, MAX_CHANGES)) {
    const { 0: start, 1: attribute, 2: item, 3: argument, 4: unreadChange, index } = match
    const key = attribute ?? item ?? argument
    const position = index + start.length
    const value = key ? valueAt(code, position, names) : undefined
    const members = key || unreadChange ? null : membersAt(code, position, ")", names)
    if (key && value !== undefined) laterValues.push([key, value])
    else if (members && !members.isCut) laterValues.push(...members.entries)
    else unreadCode.push(code.slice(index, endOfLine(code, position)).trim())
    if (key && value === undefined) break // the text ends within the value
  }
  return { laterValues, unreadCode, builtClass: name ? builtClass : "" }
}

/** Settings without the size of a vocabulary that is worked out from a tokenizer, as in vocab_size=len(tokenizer), and
 * that code. Such a vocabulary is usually that of the model.
 * @param {[key: string, value: unknown][]} settings */
export function withoutCodeOfVocabulary(settings) {
  const entries = new Map(settings)
  const size = entries.get("vocab_size")
  if (typeof size !== "string" || !/tok|vocab/i.test(size)) return { entries, codeOfVocabulary: [] }
  const otherSettings = settings.filter(([key, value]) => key !== "vocab_size" || typeof value === "number")
  return { entries: new Map(otherSettings), codeOfVocabulary: [`vocab_size=${size}`] }
}
