// JSON as Python's json module reads it: integers stay exact and apart from
// numbers with a point, objects are maps, so that no key is special, and NaN and
// Infinity are numbers. What is nested deeper than any config is refused.

const DEEPEST = 500
const SPACE = /[ \t\n\r]*/y
const NUMBER = /(-?(?:0|[1-9][0-9]*))(\.[0-9]+)?([eE][+-]?[0-9]+)?/y
// A text without control characters, whose escapes are those of JSON.
const TEXT = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
/** @type {[string, Json][]} */
const WORDS = [
  ["true", true],
  ["false", false],
  ["null", null],
  ["NaN", NaN],
  ["Infinity", Infinity],
  ["-Infinity", -Infinity],
]

class NoJson extends Error {}

/** Reads one text from its beginning to its end. */
class Reader {
  /** @param {string} text @param {number} longest  digits of an integer, beyond which it is kept as text */
  constructor(text, longest) {
    this.text = text
    this.longest = longest
    this.place = 0
    /** Keys that come twice in an object, with the way to it. @type {Map<string, Json>} */
    this.repeated = new Map()
  }

  /** @param {string} wanted @returns {never} */
  fail(wanted) {
    const before = this.text.slice(0, this.place).split("\n")
    throw new NoJson(`${wanted} expected in line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`)
  }

  /** What a pattern matches here, which is then passed. @param {RegExp} pattern */
  passed(pattern) {
    pattern.lastIndex = this.place
    const found = pattern.exec(this.text)
    if (found) this.place = pattern.lastIndex
    return found
  }

  /** Whether a sign comes next, which is then passed, and the space after it. @param {string} sign */
  sign(sign) {
    if (this.text[this.place] !== sign) return false
    this.place += 1
    this.passed(SPACE)
    return true
  }

  /** @returns {Json} */
  whole() {
    this.passed(SPACE)
    const value = this.value([])
    this.passed(SPACE)
    return this.place < this.text.length ? this.fail("the end") : value
  }

  /** @param {string[]} way  the keys of the objects that it is in, and the places in lists @returns {Json} */
  value(way) {
    if (way.length > DEEPEST) throw new NoJson(`it is nested deeper than ${DEEPEST} levels`)
    if (this.sign("{")) return this.object(way)
    if (this.sign("[")) return this.list(way)
    if (this.text[this.place] === '"') return this.string()
    for (const [word, value] of WORDS) {
      if (!this.text.startsWith(word, this.place)) continue
      this.place += word.length
      return value
    }
    const found = this.passed(NUMBER) ?? this.fail("a value")
    const [number, digits, point, power] = found
    if (point || power) return Number(number)
    return digits.length > this.longest ? `${digits.slice(0, 20)}... (${digits.length} digits)` : BigInt(digits)
  }

  /** @returns {string} */
  string() {
    const found = this.passed(TEXT) ?? this.fail("a text in double quotes")
    return JSON.parse(found[0])
  }

  /** @param {string[]} way */
  object(way) {
    /** @type {Map<string, Json>} */
    const found = new Map()
    if (this.sign("}")) return found
    do {
      const key = this.string()
      this.passed(SPACE)
      if (!this.sign(":")) this.fail("a colon")
      const here = [...way, key]
      const value = this.value(here)
      if (found.has(key)) this.repeated.set(here.join("."), value)
      found.set(key, value) // of a key that comes twice, the last value counts
      this.passed(SPACE)
    } while (this.sign(","))
    return this.sign("}") ? found : this.fail("a comma or a closing brace")
  }

  /** @param {string[]} way */
  list(way) {
    /** @type {Json[]} */
    const found = []
    if (this.sign("]")) return found
    do {
      found.push(this.value([...way, String(found.length)]))
      this.passed(SPACE)
    } while (this.sign(","))
    return this.sign("]") ? found : this.fail("a comma or a closing bracket")
  }
}

/** @param {number} value  with a point or a power of ten, as Python writes it */
function point(value) {
  const size = Math.abs(value)
  if (!Number.isFinite(value)) return String(value)
  // A power has two digits at least.
  if (size >= 1e16 || (size && size < 1e-4)) return value.toExponential().replace(/([+-])([0-9])$/, "$10$2")
  return `${Object.is(value, -0) ? "-0" : value}${Number.isInteger(value) ? ".0" : ""}`
}

/** A value as Python writes it in JSON, in ASCII or as it is. @param {Json} value @param {boolean} ascii @returns {string} */
function written(value, ascii) {
  if (typeof value === "number") return point(value)
  if (value === null || typeof value === "boolean" || typeof value === "bigint") return String(value)
  if (typeof value === "string") return ascii ? inAscii(JSON.stringify(value)) : JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((each) => written(each, ascii)).join(", ")}]`
  return `{${[...value].map(([key, each]) => `${written(key, ascii)}: ${written(each, ascii)}`).join(", ")}}`
}

/** @param {string} text */
const inAscii = (text) => text.replace(/[^ -~]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** A value as a reader typed it, on one line and cut. @param {Json} value */
function shown(value, limit = 60) {
  const plain = written(value, false)
  // A line separator, say, or half of a surrogate pair, which is escaped already.
  const isOdd = /[\p{C}\p{Z}]/u.test(plain.replaceAll(" ", "")) || /\\ud[89a-f]/.test(plain)
  const text = isOdd ? written(value, true) : plain
  const characters = [...text]
  return characters.length <= limit ? text : `${characters.slice(0, limit - 3).join("")}...`
}

/** What a text holds, and the keys that come twice in it, each with the value that counts; or why it is no JSON.
 * @param {string} text @param {number} longest @returns {{ value: Json, repeated: Map<string, Json> } | { error: string }} */
function parsed(text, longest) {
  try {
    const reader = new Reader(text, longest)
    return { value: reader.whole(), repeated: reader.repeated }
  } catch (error) {
    if (error instanceof NoJson) return { error: error.message }
    throw error
  }
}

export { parsed, shown }
