// Parses the keys and values of a configuration in any of several notations: JSON, a
// printed `BertConfig {...}`, a Python dictionary, keyword arguments, or lines such as
// `hidden_size: 768`. One tolerant parser handles all of them. A member is a key, a
// separator and a value; members are usually separated by commas or line breaks. The parser
// never goes back in the text, and the depth of nesting and the number of positions at which
// it starts are limited, so no text makes it slow.
//
// JSON.parse would not do: it rejects trailing commas, comments and `True`, which people
// paste, and hides repeated keys. It is only used for long texts, which come from files
// and may have thousands of labels.

import { vocabularySizeIn } from "../resizing.js"

/** The keys and values of a text.
 * @typedef {object} ConfigText
 * @property {string} className  the class before the bracket; "" if there is none
 * @property {"printed" | "arguments" | "object" | "lines"} form
 * @property {Map<string, unknown>} entries
 * @property {boolean} isCut  whether the text ends before the last bracket is closed
 * @property {string[]} repeatedKeys  the keys that recur with a different value
 * @property {string} rest  the text before and after the configuration
 * @property {number} furtherConfigs  the number of further configurations in the text */

/** The maximum number of nested brackets; anything deeper is replaced by `TOO_DEEP`. */
const MAX_DEPTH = 40
const TOO_DEEP = "nested too deeply"

/** The maximum number of keys at the outermost level. */
const MAX_KEYS = 3000

/** The maximum length of a list, which is cut if it is longer; none of the sizes counted here is in a list. */
const MAX_ITEMS = 1000

/** The maximum number of characters of a text without a class; a longer one is read only if it is an object. */
const MAX_TEXT_LENGTH = 50_000

/** The maximum number of characters of an unquoted value that are kept. */
const MAX_VALUE_LENGTH = 2000

/** The maximum number of class names in a text that are tried as the start of a configuration. */
const MAX_CLASSES = 20

/** A character of an unquoted key. */
const KEY_CHARACTER = /[\w$.-]/

/** An item of a list in YAML, which is on a line of its own and has no key. */
const YAML_ITEM = /\n[ \t]*-[ \t]+(?![^\n:=|#]*[:=|])([^\n]+)/y
/** A label with its number in YAML: before its name, below id2label, or after it, below label2id. */
const YAML_LABEL = /\n[ \t]+["']?([0-9]+)["']?[ \t]*:[ \t]([^\n]+)/y
const YAML_NAMED_LABEL = /\n[ \t]+([^\n:#]+):[ \t]*([0-9]+)(?=[ \t]*(?:#[^\n]*)?(?:\n|$))/y

/** Thrown if a text is not a list of members. */
class NoMembers extends Error {}

/** Reads members and values from a position in a text. The methods that read or skip begin at `position` and move it past
 * what they have read. */
class Reader {
  /** @param {string} text @param {number} position */
  constructor(text, position) {
    this.text = text
    this.position = position
    /** Whether the text ended before all open brackets were closed. */
    this.isCut = false
    /** Keys that recur with a different value. @type {Set<string>} */
    this.repeatedKeys = new Set()
  }

  /** Moves to the next character that is neither white space nor in a comment, and returns it; "" at the end.
   * @param {boolean} acrossLines */
  skipSpace(acrossLines = true) {
    while (this.position < this.text.length) {
      const character = this.text[this.position]
      if (character === "\n" && !acrossLines) break
      if (this.isAtLineComment()) this.position = endOfLine(this.text, this.position)
      else if (this.isAtBlockComment()) this.position = endOfBlockComment(this.text, this.position)
      else if (character <= " " || character === "\u00a0" || character === "\u3000") this.position++
      else break
    }
    return this.text[this.position] ?? ""
  }

  /** Whether a comment that ends with its line begins at the position. */
  isAtLineComment() {
    return this.text[this.position] === "#" || this.text.startsWith("//", this.position)
  }

  /** Whether a comment between slashes and asterisks begins at the position. */
  isAtBlockComment() {
    return this.text.startsWith("/*", this.position)
  }

  /** The members up to a closing bracket or, if `close` is "", up to the end of the text.
   * @param {string} close @param {number} depth @returns {Map<string, unknown>} */
  readMembers(close, depth) {
    /** @type {Map<string, unknown>} */
    const members = new Map()
    let count = 0
    for (let character = this.skipSpace(); character !== close; character = this.skipSpace()) {
      if (!character) {
        this.isCut = true
        return members
      }
      if (",;|".includes(character)) {
        this.position++
        continue
      }
      const key = this.readKey()
      if (close && this.position >= this.text.length) {
        this.isCut = true
        return members
      }
      this.skipSeparator(!close)
      const value = (close ? null : this.readYamlBlock(key)) ?? this.readValue(close, depth)
      // A number at the end of the text may have lost digits.
      const mayBeCut = value === null || typeof value === "number"
      if (close && mayBeCut && this.position >= this.text.length) {
        this.isCut = true
        return members
      }
      if (members.has(key) && JSON.stringify(members.get(key)) !== JSON.stringify(value)) this.repeatedKeys.add(key)
      members.set(key, value)
      if (!depth && ++count > MAX_KEYS) throw new NoMembers("too many keys")
    }
    this.position++
    return members
  }

  /** A quoted or unquoted key. @returns {string} */
  readKey() {
    if (isQuote(this.text[this.position])) return this.readString()
    // Command-line options begin with two hyphens, and list items with one or with a bullet.
    while (this.position < this.text.length && "-*•".includes(this.text[this.position])) this.position++
    this.skipSpace(false)
    const start = this.position
    while (this.position < this.text.length && KEY_CHARACTER.test(this.text[this.position])) this.position++
    const key = this.text.slice(start, this.position)
    if (!/^[A-Za-z_][\w.-]*$/.test(key) && !/^-?[0-9]+$/.test(key)) throw new NoMembers(key)
    return key
  }

  /** Skips the separator between key and value. @param {boolean} isSpaceEnough  whether a space is enough */
  skipSeparator(isSpaceEnough) {
    const start = this.position
    const character = this.skipSpace(false)
    const longSeparator = ["=>", "->", ":="].find((separator) => this.text.startsWith(separator, this.position))
    if (longSeparator) this.position += 2
    else if (character && ":=|".includes(character)) this.position++
    else if (!isSpaceEnough || start === this.position) throw new NoMembers(character)
  }

  /** The list or the labels on the lines below a key in YAML; null if there are none.
   * @param {string} key @returns {unknown[] | Record<string, unknown> | null} */
  readYamlBlock(key) {
    if (this.skipSpace(false) !== "\n") return null
    const items = this.readLines(YAML_ITEM).map(([, item]) => valueOfYaml(item))
    if (items.length) return items
    const labels = this.readLines(key === "label2id" ? YAML_NAMED_LABEL : YAML_LABEL)
    return labels.length ? Object.fromEntries(labels.map(([, name, value]) => [name, valueOfYaml(value)])) : null
  }

  /** The matches of as many lines as match a sticky pattern. @param {RegExp} pattern */
  readLines(pattern) {
    const matches = []
    pattern.lastIndex = this.position
    for (let match = pattern.exec(this.text); match; match = pattern.exec(this.text)) {
      matches.push(match)
      this.position = pattern.lastIndex
    }
    return matches
  }

  /** A value. An unquoted value ends where `isAtEndOfValue` is true.
   * @param {string} close @param {number} depth @returns {unknown} */
  readValue(close, depth) {
    const character = this.skipSpace(close !== "")
    if (isQuote(character)) return this.readString()
    if (character === "{") return this.readNestedValue("}", depth)
    if (character === "[" || character === "(") return this.readNestedValue(character === "[" ? "]" : ")", depth)
    const start = this.position
    let openBrackets = 0
    while (this.position < this.text.length && !this.isAtEndOfValue(start, close, openBrackets)) {
      if (this.text[this.position] === "(") openBrackets++
      if (this.text[this.position] === ")") openBrackets--
      this.position++
    }
    return valueOfUnquoted(this.text.slice(start, Math.min(this.position, start + MAX_VALUE_LENGTH)).trim())
  }

  /** Whether an unquoted value ends at the position. Within brackets, as in `ReLU(inplace=True)`, only the end of the
   * line or a comment ends it. Outside an object, a comma may be part of a number.
   * @param {number} start  the position at which the value begins @param {string} close @param {number} openBrackets */
  isAtEndOfValue(start, close, openBrackets) {
    const character = this.text[this.position]
    if (character === "\n" || character === "#") return true
    if (character === "/" && this.text[this.position - 1] <= " " && (this.isAtLineComment() || this.isAtBlockComment()))
      return true
    if (openBrackets) return false
    if (character === "," && !close) return !isThousandsSeparator(this.text, start, this.position)
    return ",;|}])".includes(character)
  }

  /** An object or a list. @param {string} close @param {number} depth @returns {unknown} */
  readNestedValue(close, depth) {
    this.position++
    if (depth >= MAX_DEPTH) {
      this.skip()
      return TOO_DEEP
    }
    if (close === "}") return Object.fromEntries(this.readMembers(close, depth + 1))
    /** @type {unknown[]} */
    const items = []
    for (let character = this.skipSpace(); character !== close; character = this.skipSpace()) {
      if (!character || "}])".includes(character)) {
        this.isCut = true
        return items
      }
      if (items.length > MAX_ITEMS) {
        this.skip()
        return items
      }
      if (character === ",") this.position++
      else items.push(this.readValue(close, depth + 1))
    }
    this.position++
    return items
  }

  /** Skips everything up to the bracket that closes the one just read. Characters are compared by their codes, because
   * a malicious text may have a million of them. */
  skip() {
    for (let openBrackets = 1; openBrackets && this.position < this.text.length; this.position++) {
      const code = this.text.charCodeAt(this.position)
      if (OPENING.has(code)) openBrackets++
      else if (CLOSING.has(code)) openBrackets--
    }
  }

  /** A quoted string. @returns {string} */
  readString() {
    const mark = this.text[this.position++]
    const start = this.position
    while (this.position < this.text.length && this.text[this.position] !== mark)
      this.position += this.text[this.position] === "\\" ? 2 : 1
    const content = this.text.slice(start, this.position)
    if (this.position >= this.text.length) this.isCut = true
    this.position++
    return content.includes("\\") ? withoutEscapes(content) : content
  }
}

/** The codes of characters. */
const codesOf = (/** @type {string} */ characters) =>
  new Set([...characters].map((character) => character.charCodeAt(0)))
const OPENING = codesOf("{[(")
const CLOSING = codesOf("}])")

/** Whether a character is a quotation mark. @param {string | undefined} character */
const isQuote = (character) => character === '"' || character === "'" || character === "`"

/** Whether a comma is a thousands separator in the number that begins at `start`.
 * @param {string} text @param {number} start @param {number} comma */
const isThousandsSeparator = (text, start, comma) =>
  /^[0-9]{1,3}(?:,[0-9]{3})*$/.test(text.slice(start, comma)) &&
  /^,[0-9]{3}(?![0-9]|\s*[:=])/.test(text.slice(comma, comma + 20))

/** The end of the line at a position. @param {string} text @param {number} position */
function endOfLine(text, position) {
  const end = text.indexOf("\n", position)
  return end < 0 ? text.length : end
}

/** The end of a comment between slashes and asterisks; the end of the text if the comment is not closed.
 * @param {string} text @param {number} position */
function endOfBlockComment(text, position) {
  const end = text.indexOf("*/", position + 2)
  return end < 0 ? text.length : end + 2
}

/** A string with JSON's escapes resolved; unchanged if they are invalid. @param {string} content */
function withoutEscapes(content) {
  try {
    // Between single quotation marks, double ones need no escape, but JSON requires one, and one for each line break.
    return String(JSON.parse(`"${content.replace(/(?<!\\)"/g, '\\"').replace(/\n/g, "\\n")}"`))
  } catch {
    return content
  }
}

/** The values of words in JSON, Python and YAML. @type {Record<string, unknown>} */
const WORDS = { true: true, false: false, none: null, null: null, yes: true, no: false, "": null }

/** The value of an unquoted string: a number (also one that is written as a product), the value of a word such as
 * `true`, or the string itself.
 * @param {string} text */
function valueOfUnquoted(text) {
  // Rust prints a value that may be missing as Some("bert") or None, and one of several names as Absolute.
  const [, some] = /^Some\("?([^"]*)"?\)$/.exec(text) ?? []
  if (some !== undefined) return valueOfUnquoted(some)
  const word = text.toLowerCase()
  if (Object.hasOwn(WORDS, word)) return WORDS[word]
  const digits = text.replace(/(?<=[0-9])_(?=[0-9])/g, "")
  if (/^[+-]?[0-9]{1,3}(?:,[0-9]{3})+$/.test(digits)) return Number(digits.replaceAll(",", ""))
  if (/^[0-9]{1,9}(?:\s*\*\s*[0-9]{1,9}){1,3}$/.test(digits))
    return digits.split("*").reduce((product, factor) => product * Number(factor), 1)
  const number = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?$/i.test(digits) ? Number(digits) : NaN
  // JSON has no infinite numbers. A number that is too large remains a string, which no size accepts.
  if (Number.isFinite(number)) return number
  return /^[A-Z][a-z]+$/.test(text) ? word : text
}

/** The value of an item in YAML, which may have quotation marks and a comment after it. @param {string} item */
const valueOfYaml = (item) =>
  valueOfUnquoted(
    item
      .split(" #")[0]
      .trim()
      .replace(/^(["'])(.*)\1$/, "$2"),
  )

/** A configuration class or a backbone of KerasHub and its bracket, such as `BertConfig {` or
 * `transformers.BertConfig(`. A tool's own options, such as those of a quantiser, describe no model. */
const CLASS =
  /(?:^|[^\w])(?!(?:BitsAndBytes|GPTQ|Awq|Quanto|TorchAo|Hqq|Generation)Config)(\w{0,60}(?:Config|Backbone))\s{0,4}([({])/g

/** The start of an object, which may be assigned to a name. */
const OBJECT = /^\s*(?:[\w.]{1,60}\s*=\s*)?(?=\{)/

/** The start of an object below the name of its file, the command that printed it, or other lines without brackets. */
const OBJECT_BELOW_HEADING = /^\s*(?:[^\n{}[\]]{1,200}\n){1,3}\s*(?=\{)/

/** The start of a call with keyword arguments, such as `get_model(token_num=30000, ...)`, perhaps after the vocabulary
 * or its size: `BERT(len(vocab), hidden=768, ...)`. */
const CALL = /^\s*(?:[\w.]{1,60}\s*=\s*)?[\w.]{1,60}\s*\(\s*(?:([\w.]{1,60})(?:\(\w{1,60}\))?\s*,)?(?=\s*\w+\s*=)/

/** The members from a position in a text; null if they are not well formed.
 * @param {string} text @param {number} position @param {string} close */
function membersAt(text, position, close) {
  const reader = new Reader(text.trimEnd(), position)
  try {
    const entries = reader.readMembers(close, 0)
    const isCut = reader.isCut && close !== ""
    return { entries, isCut, repeatedKeys: [...reader.repeatedKeys], end: Math.min(reader.position, text.length) }
  } catch (error) {
    if (error instanceof NoMembers) return null
    throw error
  }
}

/** A number or a switch that is assigned to an attribute of a config: `config.hidden_size = 512`. */
const ASSIGNMENT =
  /^[ \t]*(?:\w{1,60}\.){0,3}\w{0,60}config\.(\w{1,60})[ \t]*=[ \t]*(\d[\d_]*|True|False)[ \t]*(?:#.*)?$/gm

/** The values that the lines below a config assign to its attributes. @param {string} text */
export const laterValuesIn = (text) =>
  [...text.matchAll(ASSIGNMENT)].map(([, key, value]) => /** @type {const} */ ([key, valueOfUnquoted(value)]))

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

/** The keys and values of a text; null if it is not a list of keys and values.
 * @param {string} text @returns {ConfigText | null} */
export function configText(text) {
  const classes = [...text.matchAll(CLASS)].slice(0, MAX_CLASSES)
  for (const { 0: openingText, 1: name, 2: open, index } of classes) {
    const start = index + openingText.length
    const members = membersAt(text, start, open === "{" ? "}" : ")")
    if (!members) continue
    const rest = `${text.slice(0, index)}\n${text.slice(members.end)}`
    const below = text.slice(members.end)
    const entries = new Map([...members.entries, ...laterValuesIn(below), ...vocabularySizeIn(below)])
    return {
      ...members,
      entries,
      className: name,
      form: open === "{" ? "printed" : "arguments",
      rest,
      furtherConfigs: [...rest.matchAll(CLASS)].length,
    }
  }
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

/** A configuration whose text gives no class; null if its members could not be read.
 * @param {string} text @param {ReturnType<typeof membersAt>} members @param {ConfigText["form"]} form */
function configWithoutClass(text, members, form) {
  return members && { ...members, className: "", form, rest: text.slice(members.end), furtherConfigs: 0 }
}
