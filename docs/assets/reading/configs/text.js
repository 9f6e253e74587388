// The keys and values in the text of a configuration, however it was written: JSON, a
// printed `BertConfig {...}`, a dictionary of Python, keyword arguments, or lines such as
// `hidden_size: 768`. One tolerant reader serves all of them: members are a key, a sign
// and a value, between commas or on lines of their own. It runs through the text once and
// does not descend further than a few levels, so no text makes it slow.
//
// JSON.parse would not do: it stops at a trailing comma, a comment or `True`, which people
// paste, and it hides a key that occurs twice. It only serves for long texts, which hold
// thousands of labels and come from files.

/** The keys and values of a text.
 * @typedef {object} ConfigText
 * @property {string} className  the class before the bracket; "" if there is none
 * @property {"printed" | "arguments" | "object" | "lines"} form
 * @property {Map<string, unknown>} entries
 * @property {boolean} isCut  whether the text ends before its last bracket
 * @property {string[]} repeated  the keys that occur twice with different values
 * @property {string} rest  the text around
 * @property {number} others  how many more configurations it has */

/** Levels of brackets that are read; whatever is nested deeper becomes the text below. */
const DEEPEST = 40
const TOO_DEEP = "nested too deeply"

/** Keys outside all brackets that are read; no configuration has as many. */
const MAX_KEYS = 3000

/** Entries of a list that are read; sizes are not in lists. */
const MAX_ITEMS = 1000

/** Characters of a text that is read here; a longer one is only read if it is JSON. */
const MAX_TEXT_LENGTH = 50_000

/** Characters of a value without quotation marks that are read. */
const MAX_VALUE_LENGTH = 2000

/** Configurations by their classes that are tried in one text. */
const MAX_CLASSES = 20

/** A character of a key without quotation marks. */
const KEY_CHARACTER = /[\w$.-]/

/** Thrown for a text that is not a list of members. */
class NoMembers extends Error {}

/** Reads members and values from some position in a text on. Each method begins at `position` and moves it past what it reads. */
class Reader {
  /** @param {string} text @param {number} position */
  constructor(text, position) {
    this.text = text
    this.position = position
    /** Whether the text ended before a bracket that it opens was closed. */
    this.isCut = false
    /** Keys that occur twice with different values. @type {Set<string>} */
    this.repeated = new Set()
  }

  /** The next character that is neither a space nor in a comment; "" at the end. It is not passed.
   * @param {boolean} acrossLines */
  next(acrossLines = true) {
    while (this.position < this.text.length) {
      const sign = this.text[this.position]
      if (sign === "\n" && !acrossLines) break
      const isComment = sign === "#" || (sign === "/" && this.text[this.position + 1] === "/")
      if (isComment) this.position = endOfLine(this.text, this.position)
      else if (sign <= " " || sign === "\u00a0" || sign === "\u3000") this.position++
      else break
    }
    return this.text[this.position] ?? ""
  }

  /** The members up to a closing bracket, or with "" up to the end of the text.
   * @param {string} close @param {number} depth @returns {Map<string, unknown>} */
  members(close, depth) {
    /** @type {Map<string, unknown>} */
    const members = new Map()
    let count = 0
    for (let sign = this.next(); sign !== close; sign = this.next()) {
      if (!sign) {
        this.isCut = true
        return members
      }
      if (",;|".includes(sign)) {
        this.position++
        continue
      }
      const key = this.key()
      this.separator(!close)
      const value = this.value(close, depth)
      if (members.has(key) && JSON.stringify(members.get(key)) !== JSON.stringify(value)) this.repeated.add(key)
      members.set(key, value)
      if (!depth && ++count > MAX_KEYS) throw new NoMembers("too many keys")
    }
    this.position++
    return members
  }

  /** A key, with or without quotation marks. @returns {string} */
  key() {
    if (isQuote(this.text[this.position])) return this.quoted()
    // Options of a command line have two hyphens, items of a list have one or a bullet.
    while (this.position < this.text.length && "-*•".includes(this.text[this.position])) this.position++
    this.next(false)
    const start = this.position
    while (this.position < this.text.length && KEY_CHARACTER.test(this.text[this.position])) this.position++
    const key = this.text.slice(start, this.position)
    if (!/^[A-Za-z_][\w.-]*$/.test(key) && !/^-?[0-9]+$/.test(key)) throw new NoMembers(key)
    return key
  }

  /** Passes the sign between key and value. @param {boolean} maySpace  whether a space is enough */
  separator(maySpace) {
    const start = this.position
    const sign = this.next(false)
    const long = ["=>", "->", ":="].find((one) => this.text.startsWith(one, this.position))
    if (long) this.position += 2
    else if (sign && ":=|".includes(sign)) this.position++
    else if (!maySpace || start === this.position) throw new NoMembers(sign)
  }

  /** A value. One without quotation marks ends at a comma, a line break or the bracket around it.
   * @param {string} close @param {number} depth @returns {unknown} */
  value(close, depth) {
    const sign = this.next(close !== "")
    if (isQuote(sign)) return this.quoted()
    if (sign === "{") return this.nested("}", depth)
    if (sign === "[" || sign === "(") return this.nested(sign === "[" ? "]" : ")", depth)
    const start = this.position
    let openBrackets = 0
    while (this.position < this.text.length && !this.isEndOfValue(start, close, openBrackets)) {
      if (this.text[this.position] === "(") openBrackets++
      if (this.text[this.position] === ")") openBrackets--
      this.position++
    }
    return plainValue(this.text.slice(start, Math.min(this.position, start + MAX_VALUE_LENGTH)).trim())
  }

  /** Whether a value without quotation marks ends here. Within brackets, as in `ReLU(inplace=True)`, only a line ends it;
   * outside an object, a comma may be part of a number.
   * @param {number} start  where the value begins @param {string} close @param {number} openBrackets */
  isEndOfValue(start, close, openBrackets) {
    const sign = this.text[this.position]
    if (sign === "\n" || sign === "#") return true
    if (openBrackets) return false
    if (sign === "," && !close) return !isThousands(this.text, start, this.position)
    return ",;|}])".includes(sign)
  }

  /** An object or a list. @param {string} close @param {number} depth @returns {unknown} */
  nested(close, depth) {
    this.position++
    if (depth >= DEEPEST) {
      this.skip()
      return TOO_DEEP
    }
    if (close === "}") return Object.fromEntries(this.members(close, depth + 1))
    /** @type {unknown[]} */
    const items = []
    for (let sign = this.next(); sign !== close; sign = this.next()) {
      if (!sign || "}])".includes(sign)) {
        this.isCut = true
        return items
      }
      if (items.length > MAX_ITEMS) {
        this.skip()
        return items
      }
      if (sign === ",") this.position++
      else items.push(this.value(close, depth + 1))
    }
    this.position++
    return items
  }

  /** Passes everything up to the bracket that closes the one just read. Characters are compared as codes, because a
   * hostile text has a million. */
  skip() {
    for (let openBrackets = 1; openBrackets && this.position < this.text.length; this.position++) {
      const code = this.text.charCodeAt(this.position)
      if (OPENING.has(code)) openBrackets++
      else if (CLOSING.has(code)) openBrackets--
    }
  }

  /** A text in quotation marks. @returns {string} */
  quoted() {
    const mark = this.text[this.position++]
    const start = this.position
    while (this.position < this.text.length && this.text[this.position] !== mark)
      this.position += this.text[this.position] === "\\" ? 2 : 1
    const content = this.text.slice(start, this.position)
    if (this.position >= this.text.length) this.isCut = true
    this.position++
    return content.includes("\\") ? unescaped(content) : content
  }
}

/** The codes of some characters. */
const codesOf = (/** @type {string} */ signs) => new Set([...signs].map((sign) => sign.charCodeAt(0)))
const OPENING = codesOf("{[(")
const CLOSING = codesOf("}])")

/** Whether a character is a quotation mark. @param {string | undefined} sign */
const isQuote = (sign) => sign === '"' || sign === "'" || sign === "`"

/** Whether a comma is between the thousands of a number that began at `start`.
 * @param {string} text @param {number} start @param {number} comma */
const isThousands = (text, start, comma) =>
  /^[0-9]{1,3}(?:,[0-9]{3})*$/.test(text.slice(start, comma)) &&
  /^,[0-9]{3}(?![0-9]|\s*[:=])/.test(text.slice(comma, comma + 20))

/** The position of the end of the line that a position is in. @param {string} text @param {number} position */
function endOfLine(text, position) {
  const end = text.indexOf("\n", position)
  return end < 0 ? text.length : end
}

/** A text with the escapes of JSON resolved. @param {string} content */
function unescaped(content) {
  try {
    return String(JSON.parse(`"${content.replace(/(?<!\\)"/g, '\\"').replace(/\n/g, "\\n")}"`))
  } catch {
    return content
  }
}

/** The values of words of JSON, Python and YAML. @type {Record<string, unknown>} */
const WORDS = { true: true, false: false, none: null, null: null, yes: true, no: false, "": null }

/** The value of a text without quotation marks: a number, a product of numbers, a word of JSON or Python, or the text.
 * @param {string} text */
function plainValue(text) {
  const word = text.toLowerCase()
  if (Object.hasOwn(WORDS, word)) return WORDS[word]
  const digits = text.replace(/(?<=[0-9])_(?=[0-9])/g, "")
  if (/^[+-]?[0-9]{1,3}(?:,[0-9]{3})+$/.test(digits)) return Number(digits.replaceAll(",", ""))
  if (/^[0-9]{1,9}(?:\s*\*\s*[0-9]{1,9}){1,3}$/.test(digits))
    return digits.split("*").reduce((product, factor) => product * Number(factor), 1)
  const number = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?$/i.test(digits) ? Number(digits) : NaN
  // JSON has no infinite numbers, so one that is too large stays a text, which no size accepts.
  return Number.isFinite(number) ? number : text
}

/** A class of configurations before its bracket: `BertConfig {`, `transformers.BertConfig(`. */
const CLASS = /(?:^|[^\w])(\w{0,60}Config)\s{0,4}([({])/g

/** An object on its own, or one that a name is given to. */
const OBJECT = /^\s*(?:[\w.]{1,60}\s*=\s*)?(?=\{)/

/** A call with keyword arguments, such as `get_model(token_num=30000, ...)`. */
const CALL = /^\s*(?:[\w.]{1,60}\s*=\s*)?([\w.]{1,60})\s*\((?=\s*\w+\s*=)/

/** The members of a text from a position on; null if there are none.
 * @param {string} text @param {number} position @param {string} close */
function membersAt(text, position, close) {
  const reader = new Reader(text, position)
  try {
    const entries = reader.members(close, 0)
    const isCut = reader.isCut && close !== ""
    return { entries, isCut, repeated: [...reader.repeated], end: Math.min(reader.position, text.length) }
  } catch (error) {
    if (error instanceof NoMembers) return null
    throw error
  }
}

/** The keys and values of a text; null if it is not a list of keys and values.
 * @param {string} text @returns {ConfigText | null} */
export function configText(text) {
  const classes = [...text.matchAll(CLASS)].slice(0, MAX_CLASSES)
  for (const { 0: all, 1: name, 2: open, index } of classes) {
    const start = index + all.length
    const members = membersAt(text, start, open === "{" ? "}" : ")")
    if (!members) continue
    const rest = `${text.slice(0, index)}\n${text.slice(members.end)}`
    const furtherClasses = [...rest.matchAll(CLASS)].length
    return { ...members, className: name, form: open === "{" ? "printed" : "arguments", rest, others: furtherClasses }
  }
  const object = OBJECT.exec(text)
  const json = object && text.length > MAX_TEXT_LENGTH ? jsonText(text) : null
  if (json) return json
  if (object) return withoutClass(text, membersAt(text, object[0].length + 1, "}"), "object")
  if (text.length > MAX_TEXT_LENGTH) return null
  const call = CALL.exec(text)
  if (call) return withoutClass(text, membersAt(text, call[0].length, ")"), "lines")
  return withoutClass(text, membersAt(text, 0, ""), "lines")
}

/** The keys and values of a long text in JSON; null if it is not JSON.
 * @param {string} text @returns {ConfigText | null} */
function jsonText(text) {
  try {
    const entries = Object.entries(JSON.parse(text))
    if (entries.length > MAX_KEYS) return null
    return { className: "", form: "object", entries: new Map(entries), isCut: false, repeated: [], rest: "", others: 0 }
  } catch {
    return null
  }
}

/** A configuration whose text gives no class; null if it has no members.
 * @param {string} text @param {ReturnType<typeof membersAt>} members @param {ConfigText["form"]} form */
function withoutClass(text, members, form) {
  return members && { ...members, className: "", form, rest: text.slice(members.end), others: 0 }
}
