// The keys and values in the text of a configuration, however it was written: JSON, a
// printed `BertConfig {...}`, a dictionary of Python, keyword arguments, or lines such as
// `hidden_size: 768`. One tolerant reader serves all of them: members are a key, a sign
// and a value, between commas or on lines of their own. It runs through the text once and
// does not descend further than a few levels, so no text makes it slow.

/** @typedef {{ className: string, form: "printed" | "arguments" | "object" | "lines", entries: Map<string, unknown>,
 *   isCut: boolean, repeated: string[], rest: string, others: number }} ConfigText
 * What was read: the class before the bracket; keys and values; whether the text ends too early; keys that stand twice
 * with different values; the text around; and the number of further configurations in it. */

/** Levels of brackets that are read; whatever is nested deeper becomes the text below. */
const DEEPEST = 40
const TOO_DEEP = "nested too deeply"

/** Keys outside all brackets that are read; no configuration has as many. */
const MOST_KEYS = 3000

/** Entries of a list that are read; sizes are not in lists. */
const MOST_ITEMS = 1000

/** Characters of lines or keyword arguments, and of JSON that is read with care for duplicates and slips. A longer file
 * holds thousands of labels, and JavaScript's own reader takes it. */
const LONG = 50_000

/** Characters of a value without quotation marks that are read. */
const LONGEST = 2000

const WORD = /[\w$.-]/

/** A text that is not a list of members. */
class NoMembers extends Error {}

/** Reads members and values from a place in a text on. */
class Reader {
  /** @param {string} text @param {number} place */
  constructor(text, place) {
    this.text = text
    this.place = place
    /** Whether the text ended before a bracket that it opens was closed. */
    this.isCut = false
    /** Keys that stand twice with different values. @type {Set<string>} */
    this.repeated = new Set()
  }

  /** The next character that is no space and in no comment. @param {boolean} acrossLines */
  next(acrossLines = true) {
    while (this.place < this.text.length) {
      const sign = this.text[this.place]
      if (sign === "\n" && !acrossLines) break
      const isComment = sign === "#" || (sign === "/" && this.text[this.place + 1] === "/")
      if (isComment) this.place = endOfLine(this.text, this.place)
      else if (sign <= " " || sign === "\u00a0" || sign === "\u3000") this.place++
      else break
    }
    return this.text[this.place] ?? ""
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
        this.place++
        continue
      }
      const key = this.key()
      this.separator(!close)
      const value = this.value(close, depth)
      if (members.has(key) && JSON.stringify(members.get(key)) !== JSON.stringify(value)) this.repeated.add(key)
      members.set(key, value)
      if (!depth && ++count > MOST_KEYS) throw new NoMembers("too many keys")
    }
    this.place++
    return members
  }

  /** A key, with or without quotation marks. @returns {string} */
  key() {
    const sign = this.text[this.place]
    if (sign === '"' || sign === "'" || sign === "`") return this.quoted()
    // Options of a command line have two hyphens, items of a list one.
    while ("-*•".includes(this.text[this.place] ?? "x")) this.place++
    this.next(false)
    const start = this.place
    while (this.place < this.text.length && WORD.test(this.text[this.place])) this.place++
    const key = this.text.slice(start, this.place)
    if (!/^[A-Za-z_][\w.-]*$/.test(key) && !/^-?[0-9]+$/.test(key)) throw new NoMembers(key)
    return key
  }

  /** Passes the sign between key and value. @param {boolean} maySpace  whether a space is enough */
  separator(maySpace) {
    const start = this.place
    const sign = this.next(false)
    const long = ["=>", "->", ":="].find((one) => this.text.startsWith(one, this.place))
    if (long) this.place += 2
    else if (sign && ":=|".includes(sign)) this.place++
    else if (!maySpace || start === this.place) throw new NoMembers(sign)
  }

  /** A value. One without quotation marks ends at a comma, a line break or the bracket around it.
   * @param {string} close @param {number} depth @returns {unknown} */
  value(close, depth) {
    const sign = this.next(close !== "")
    if (sign === '"' || sign === "'" || sign === "`") return this.quoted()
    if (sign === "{") return this.nested("}", depth)
    if (sign === "[" || sign === "(") return this.nested(sign === "[" ? "]" : ")", depth)
    const start = this.place
    let open = 0
    while (this.place < this.text.length) {
      const one = this.text[this.place]
      if (one === "(") open++
      else if (one === ")" && open) open--
      else if (one === "," && !close && isThousands(this.text, start, this.place)) open += 0
      else if (one === "\n" || one === "#" || (!open && (",;|".includes(one) || "}])".includes(one)))) break
      this.place++
    }
    return plainValue(this.text.slice(start, Math.min(this.place, start + LONGEST)).trim())
  }

  /** An object or a list. @param {string} close @param {number} depth @returns {unknown} */
  nested(close, depth) {
    this.place++
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
      if (items.length > MOST_ITEMS) {
        this.skip()
        return items
      }
      if (sign === ",") this.place++
      else items.push(this.value(close, depth + 1))
    }
    this.place++
    return items
  }

  /** Passes everything up to the bracket that closes the one just read. Signs are compared as numbers, {[( and }]),
   * because a hostile text has a million. */
  skip() {
    for (let open = 1; open && this.place < this.text.length; this.place++) {
      const sign = this.text.charCodeAt(this.place)
      if (sign === 123 || sign === 91 || sign === 40) open++
      else if (sign === 125 || sign === 93 || sign === 41) open--
    }
  }

  /** A text in quotation marks. @returns {string} */
  quoted() {
    const mark = this.text[this.place++]
    const start = this.place
    while (this.place < this.text.length && this.text[this.place] !== mark)
      this.place += this.text[this.place] === "\\" ? 2 : 1
    const content = this.text.slice(start, this.place)
    if (this.place >= this.text.length) this.isCut = true
    this.place++
    return content.includes("\\") ? unescaped(content) : content
  }
}

/** Whether a comma is between the thousands of a number that began at `start`.
 * @param {string} text @param {number} start @param {number} comma */
const isThousands = (text, start, comma) =>
  /^[0-9]{1,3}(?:,[0-9]{3})*$/.test(text.slice(start, comma)) &&
  /^,[0-9]{3}(?![0-9]|\s*[:=])/.test(text.slice(comma, comma + 20))

/** The place of the end of a line. @param {string} text @param {number} place */
function endOfLine(text, place) {
  const end = text.indexOf("\n", place)
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

/** @type {Record<string, unknown>} */
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

/** The members of a text from a place on; null if there are none.
 * @param {string} text @param {number} place @param {string} close */
function membersAt(text, place, close) {
  const reader = new Reader(text, place)
  try {
    const entries = reader.members(close, 0)
    const isCut = reader.isCut && close !== ""
    return { entries, isCut, repeated: [...reader.repeated], end: Math.min(reader.place, text.length) }
  } catch (error) {
    if (error instanceof NoMembers) return null
    throw error
  }
}

/** The keys and values of a text; null if it is not a list of keys and values.
 * @param {string} text @returns {ConfigText | null} */
export function configText(text) {
  const classes = [...text.matchAll(CLASS)].slice(0, 20)
  for (const { 0: all, 1: name, 2: open, index } of classes) {
    const start = index + all.length
    const read = membersAt(text, start, open === "{" ? "}" : ")")
    if (!read) continue
    const rest = `${text.slice(0, index)}\n${text.slice(read.end)}`
    const others = [...rest.matchAll(CLASS)].length
    return { ...read, className: name, form: open === "{" ? "printed" : "arguments", rest, others }
  }
  const object = OBJECT.exec(text)
  const json = object && text.length > LONG ? jsonText(text) : null
  if (json) return json
  if (object) return withoutClass(text, membersAt(text, object[0].length + 1, "}"), "object")
  if (text.length > LONG) return null
  const call = CALL.exec(text)
  if (call) return withoutClass(text, membersAt(text, call[0].length, ")"), "lines")
  return withoutClass(text, membersAt(text, 0, ""), "lines")
}

/** The keys and values of a long text in JSON; null if it is not JSON.
 * @param {string} text @returns {ConfigText | null} */
function jsonText(text) {
  try {
    const entries = Object.entries(JSON.parse(text))
    const whole = { isCut: false, repeated: [], rest: "", others: 0 }
    return entries.length > MOST_KEYS ? null : { className: "", form: "object", entries: new Map(entries), ...whole }
  } catch {
    return null
  }
}

/** What was read of a configuration whose text gives no class; false or null if nothing was.
 * @param {string} text @param {ReturnType<typeof membersAt>} read @param {ConfigText["form"]} form */
function withoutClass(text, read, form) {
  return read && { ...read, className: "", form, rest: text.slice(read.end), others: 0 }
}
