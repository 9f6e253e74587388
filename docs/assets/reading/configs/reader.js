// Reads keys and values from a position in a text, whatever their notation: JSON, a Python
// dictionary, keyword arguments, or lines such as `hidden_size: 768`. A member is a key, a
// separator and a value; members are usually separated by commas or line breaks. The reader
// never goes back by more than a name, and the depth of nesting is limited, so no text makes it slow.
//
// JSON.parse would not do: it rejects trailing commas, comments and `True`, which people
// paste, and hides repeated keys.

/** The maximum number of nested brackets; anything deeper is replaced by `TOO_DEEP`. */
const MAX_DEPTH = 40
const TOO_DEEP = "nested too deeply"

/** The maximum number of keys at the outermost level. */
export const MAX_KEYS = 3000

/** The maximum length of a list, which is cut if it is longer; none of the sizes counted here is in a list. */
const MAX_ITEMS = 1000

/** The maximum number of characters of an unquoted value that are kept. */
const MAX_VALUE_LENGTH = 2000

/** A character of an unquoted key. */
const KEY_CHARACTER = /[\w$.-]/

/** The start of a call that makes a dictionary of its keyword arguments, or of the dictionary in its brackets. */
const DICTIONARY_CALL = /(?:\w{1,60}\.){0,3}(?:\w{0,60}dict|OmegaConf\.create)\s{0,4}\(/iy
/** The start of a call that reads an object of JSON in a string, and its end. */
const JSON_CALL = /json\.loads\(\s{0,20}["']{1,3}\s{0,20}(?=\{)/y
const END_OF_JSON = /\s{0,20}["']{1,3}\s{0,20}\)/y
/** A name that is a whole argument of a call, perhaps with a key in brackets. */
const NAME_AS_ARGUMENT = /([A-Za-z_]\w{0,60})(?:\[["']([\w.-]{1,60})["']\])?\s*(?=[,)])/y
/** A product or quotient whose factors may be names. */
const ARITHMETIC = /^\w+(?:\s*(?:\*|\/\/)\s*\w+){1,3}$/
const NAME = /\b[A-Za-z_]\w*/g

/** A bar between two kinds of attention, as in c2p|p2c. */
const BAR_IN_VALUE = /^[a-z]2[a-z]\|[a-z]2[a-z](?!\w)/

/** An item of a list in YAML, which is on a line of its own and has no key. */
const YAML_ITEM = /\n[ \t]*-[ \t]+(?![^\n:=|#]*[:=|])([^\n]+)/y
/** A label with its number in YAML: before its name, below id2label, or after it, below label2id. */
const YAML_LABEL = /\n[ \t]+["']?([0-9]+)["']?[ \t]*:[ \t]([^\n]+)/y
const YAML_NAMED_LABEL = /\n[ \t]+([^\n:#]+):[ \t]*([0-9]+)(?=[ \t]*(?:#[^\n]*)?(?:\n|$))/y

/** How a message begins or ends. */
const GREETING = /^(?:hi|hello|hey|dear|thanks|thank you|cheers|(?:kind |best )?regards)\b/i
/** The name of whoever wrote a message, alone on its line. */
const SIGNATURE = /^-*[ \t]*[A-Z][a-z]+\.?$/
/** A word that only a sentence begins with, even one with numbers. */
const FUNCTION_WORD = /^(?:the|it|its|and|but|we|i|this|that|these|my|our|here|there|as|so|if|for|with|in)\s/i
/** A word at the beginning of a sentence, rather than a key of several words. */
const FIRST_WORD = /^[A-Za-z][a-z']*,?$/
const MAX_INDENT = 40 // the maximum number of spaces before a sentence
const MIN_WORDS = 3 // the minimum number of words in a sentence; "hidden 768" is a key with its value
const MIN_WORDS_WITHOUT_STOP = 5 // the same if no mark ends the sentence

/** Whether a line is a sentence of the message around a list of keys and values. Only a question may have numbers, or a
 * sentence that begins as no key does.
 * @param {string} line */
export function isSentence(line) {
  const sentence = line.trim()
  if (/[=|{}[\]]|:\s*[^\s]/.test(sentence)) return false
  if (sentence.includes("?")) return true
  const sentenceWords = sentence.split(/\s+/)
  if (FUNCTION_WORD.test(sentence) && sentenceWords.length >= MIN_WORDS_WITHOUT_STOP) return true
  if (/[0-9]/.test(sentence)) return false
  if (GREETING.test(sentence) || SIGNATURE.test(sentence)) return true
  const minWords = /[.!:,]$/.test(sentence) ? MIN_WORDS : MIN_WORDS_WITHOUT_STOP
  return sentenceWords.length >= minWords && FIRST_WORD.test(sentenceWords[0])
}

/** The values that code gives to names. @typedef {Map<string, unknown>} Names */

/** Thrown if a text is not a list of members. */
class NoMembers extends Error {}

/** Reads members and values from a position in a text. The methods that read or skip begin at `position` and move it
 * past what they have read. */
class Reader {
  /** @param {string} text @param {number} position @param {Names} names
   * @param {boolean} isPython  whether "//" divides, rather than beginning a comment */
  constructor(text, position, names, isPython) {
    this.text = text
    this.position = position
    this.names = names
    this.isPython = isPython
    /** Whether the text ended before all open brackets were closed. */
    this.isCut = false
    /** Keys that recur with a different value. @type {Set<string>} */
    this.repeatedKeys = new Set()
    /** The sentences between members on lines. @type {string[]} */
    this.sentences = []
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
    return this.text[this.position] === "#" || (!this.isPython && this.text.startsWith("//", this.position))
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
      if (!close && this.skipSentence()) continue
      const mayBeDictionary = close === ")" || (close && this.text.startsWith("**", this.position))
      const dictionary = mayBeDictionary ? this.readDictionary(depth) : null
      if (dictionary) {
        for (const [key, value] of Object.entries(dictionary)) members.set(key, value)
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

  /** Skips the sentence that begins at the position, and returns whether there is one. */
  skipSentence() {
    const isAtStart = /(?:^|\n)[ \t]*$/.test(this.text.slice(Math.max(0, this.position - MAX_INDENT), this.position))
    const line = this.text.slice(this.position, endOfLine(this.text, this.position))
    if (!isAtStart || !isSentence(line)) return false
    this.sentences.push(line)
    this.position += line.length
    return true
  }

  /** The dictionary that is an argument of a call, with two asterisks before it or without: the literal, the call that
   * makes it, or the value of its name; null if the argument is not a dictionary. Two asterisks before anything else
   * are an error, because its keys are not known.
   * @param {number} depth @returns {object | null} */
  readDictionary(depth) {
    const isUnpacked = this.text.startsWith("**", this.position)
    if (isUnpacked) this.position += 2
    if (this.skipSpace() === "{") return this.readObject(depth)
    if (this.match(JSON_CALL)) {
      const value = this.readObject(depth)
      this.match(END_OF_JSON)
      return value
    }
    const call = this.match(DICTIONARY_CALL)
    if (call) return depth < MAX_DEPTH ? Object.fromEntries(this.readMembers(")", depth + 1)) : null
    const start = this.position
    const [, name = "", key = ""] = this.match(NAME_AS_ARGUMENT) ?? []
    const namedValue = this.names.get(name)
    const value = key && isObject(namedValue) ? new Map(Object.entries(namedValue)).get(key) : namedValue
    if (isObject(value)) return value
    if (isUnpacked) throw new NoMembers(name)
    this.position = start
    return null
  }

  /** The match of a sticky pattern at the position, which moves past it; null if there is none.
   * @param {RegExp} pattern */
  match(pattern) {
    pattern.lastIndex = this.position
    const match = pattern.exec(this.text)
    if (match) this.position = pattern.lastIndex
    return match
  }

  /** An object in curly brackets; null if it is nested too deeply. @param {number} depth */
  readObject(depth) {
    const value = this.readNestedValue("}", depth)
    return isObject(value) ? value : null
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
    const dictionaryCall = this.isPython && depth < MAX_DEPTH ? this.match(DICTIONARY_CALL) : null
    if (dictionaryCall) return Object.fromEntries(this.readMembers(")", depth + 1))
    const start = this.position
    let openBrackets = 0
    while (this.position < this.text.length && !this.isAtEndOfValue(start, close, openBrackets)) {
      if (this.text[this.position] === "(") openBrackets++
      if (this.text[this.position] === ")") openBrackets--
      this.position++
    }
    return this.valueWithNames(this.text.slice(start, Math.min(this.position, start + MAX_VALUE_LENGTH)).trim())
  }

  /** The value of an unquoted string, in which names have the values that the code above gives them.
   * @param {string} text */
  valueWithNames(text) {
    if (this.names.has(text)) return this.names.get(text)
    if (!ARITHMETIC.test(text)) return valueOfUnquoted(text)
    return valueOfUnquoted(text.replace(NAME, (name) => String(this.names.get(name) ?? name)))
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
    if (character === "|" && BAR_IN_VALUE.test(this.text.slice(this.position - 3, this.position + 5))) return false
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
      if (items.length >= MAX_ITEMS) {
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

/** Whether a value is an object, rather than a list. @param {unknown} value @returns {value is object} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value)

/** Whether a character is a quotation mark. @param {string | undefined} character */
const isQuote = (character) => character === '"' || character === "'" || character === "`"

/** Whether a comma is a thousands separator in the number that begins at `start`.
 * @param {string} text @param {number} start @param {number} comma */
const isThousandsSeparator = (text, start, comma) =>
  /^[0-9]{1,3}(?:,[0-9]{3})*$/.test(text.slice(start, comma)) &&
  /^,[0-9]{3}(?![0-9]|\s*[:=])/.test(text.slice(comma, comma + 20))

/** The end of the line at a position. @param {string} text @param {number} position */
export function endOfLine(text, position) {
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

/** The value of an unquoted string: a number (also one that is written as a product or a quotient), the value of a word
 * such as `true`, or the string itself. A capitalised word, as Rust prints it, becomes lower-case.
 * @param {string} text */
export function valueOfUnquoted(text) {
  // Rust prints a value that may be missing as Some("bert") or None, and one of several names as Absolute.
  const [, some] = /^Some\("?([^"]*)"?\)$/.exec(text) ?? []
  if (some !== undefined) return valueOfUnquoted(some)
  const word = text.toLowerCase()
  if (Object.hasOwn(WORDS, word)) return WORDS[word]
  const digits = text.replace(/(?<=[0-9])_(?=[0-9])/g, "")
  if (/^[+-]?[0-9]{1,3}(?:,[0-9]{3})+$/.test(digits)) return Number(digits.replaceAll(",", ""))
  if (/^[0-9]{1,9}(?:\s*\*\s*[0-9]{1,9}){1,3}$/.test(digits))
    return digits.split("*").reduce((product, factor) => product * Number(factor), 1)
  const [, dividend, divisor] = /^([0-9]{1,9})\s*\/\/\s*([1-9][0-9]{0,8})$/.exec(digits) ?? []
  if (divisor) return Math.floor(Number(dividend) / Number(divisor))
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

/** The result of a function that reads; undefined if the text is not well formed. @template T @param {() => T} read */
function resultOf(read) {
  try {
    return read()
  } catch (error) {
    if (error instanceof NoMembers) return undefined
    throw error
  }
}

/** The members from a position in a text, up to a closing bracket, with the position at which they end, whether the
 * text ends before the bracket, the keys that recur with another value, and the sentences between members on lines;
 * null if the members are not well formed.
 * @param {string} text @param {number} position @param {string} close  "" for the end of the text
 * @param {Names} [names]  the values of names in it */
export function membersAt(text, position, close, names = new Map()) {
  const reader = new Reader(text.trimEnd(), position, names, close === ")")
  const entries = resultOf(() => reader.readMembers(close, 0))
  if (!entries) return null
  const isCut = reader.isCut && close !== ""
  const { repeatedKeys, sentences } = reader
  return { entries, isCut, sentences, repeatedKeys: [...repeatedKeys], end: Math.min(reader.position, text.length) }
}

/** The value of the Python expression at a position in a text, which ends with its line or at a closing bracket;
 * undefined if it is not well formed, or if the text ends within it.
 * @param {string} text @param {number} position @param {Names} [names]  the values of names in it */
export function valueAt(text, position, names = new Map()) {
  const reader = new Reader(text, position, names, true)
  const value = resultOf(() => reader.readDictionary(0) ?? reader.readValue("", 0))
  return reader.isCut ? undefined : value
}
