// Reads nested texts: JSON and Python literals that name tensors, such as the header of a
// safetensors file, its index, and the tree of shapes of a Flax model. They are read
// token by token instead of as JSON, because people paste Python's quotes and tuples, and
// pieces of a text; anything but keys, sizes and brackets is skipped.

import { textRow } from "./text-row.js"

/** A quoted text, which a colon makes a key, or an opening or closing bracket, or a number, or a word, which is skipped. */
const TOKEN = /(["'])((?:[^"'\\\n]|\\.){1,300})\1\s*(:)?|([[{(])|([\]})])|(-?[0-9]+(?:\.[0-9]+)?)|([A-Za-z_]+)/g
/** The data types of buffers: whole numbers and truth values. */
const INTEGER_TYPE = /^(?:I|U)[0-9]+$|^(?:BOOL|int|uint|bool)/

/** The keys of a tensor in an object of its own, as in { "name": …, "shape": … }, and of a total. */
const NAME_KEY = /^(?:name|param|parameter|tensor|key)$/
const SHAPE_KEY = /^(?:shape|size)$/
const TOTAL_KEY = /^total_param(?:eter)?s$/

/** Whether a text nests sizes under quoted names. @param {string} text */
export const isNested = (text) =>
  (text.match(/["'][\w./-]+["']\s*:\s*(?:[[({]|[A-Z]\w*\()/g) ?? []).length >= 3 || text.includes('"weight_map"')

/** A bracket that is open, with the key before it and the sizes in it.
 * @typedef {{ key: string, bracket: string, numbers: number[] }} Level */

/** The tensors in nested names, and the totals beside them.
 * @param {string} text @param {TextLine[]} lines  by their index
 * @returns {Pick<PrintOut, "rows" | "totals">} */
export function nestedRows(text, lines) {
  const reader = new NestedReader(text, lines)
  for (const { index, 2: quoted, 3: colon, 4: opening, 5: closing, 6: number } of text.matchAll(TOKEN)) {
    if (quoted !== undefined && colon) reader.key = quoted
    else if (quoted !== undefined) reader.value(quoted, index)
    else if (opening) reader.open(opening)
    else if (number) reader.number(Number(number), index)
    else if (closing) reader.close(index)
  }
  return { rows: reader.rows, totals: reader.totals }
}

/** Gathers rows and totals from the tokens of a nested text, which must come in order. */
class NestedReader {
  /** @param {string} text @param {TextLine[]} lines  by their index */
  constructor(text, lines) {
    this.text = text
    this.lines = lines
    /** @type {TextRow[]} */
    this.rows = []
    /** @type {StatedTotal[]} */
    this.totals = []
    /** The last key, until its value. */
    this.key = ""
    /** The brackets that are open, the innermost last. @type {Level[]} */
    this.levels = []
    /** The name that an object gives beside a shape. */
    this.nameBeside = ""
    /** Whether the object gives a data type that no parameter has. */
    this.isBuffer = false
    this.lineIndex = 0
    this.lineStart = 0
  }

  /** Takes a quoted value. @param {string} value @param {number} position */
  value(value, position) {
    if (NAME_KEY.test(this.key)) {
      this.nameBeside = value
      return
    }
    if (this.key === "dtype" && INTEGER_TYPE.test(value)) this.isBuffer = true
    // An index maps each name to the file that holds the tensor.
    else if (/\.(?:safetensors|bin)$/.test(value) && this.key) this.add(this.key, null, position)
    this.key = ""
  }

  /** Takes an opening bracket. @param {string} bracket */
  open(bracket) {
    this.levels.push({ key: this.key, bracket, numbers: [] })
    this.key = ""
  }

  /** Takes a number: a size within a list, and otherwise the value of a key. @param {number} number @param {number} position */
  number(number, position) {
    const level = this.levels.at(-1)
    if (!level) return
    if (level.bracket !== "{") {
      level.numbers.push(number)
      return
    }
    if (TOTAL_KEY.test(this.key))
      this.totals.push({ line: this.lineAt(position), kind: "total", low: number, high: number })
    this.key = ""
  }

  /** Takes a closing bracket. @param {number} position */
  close(position) {
    const level = this.levels.pop()
    if (!level) return
    if (level.bracket === "{") {
      const row = this.rows.at(-1)
      if (this.isBuffer && row?.name.endsWith(level.key)) row.buffer = true
      this.isBuffer = false
    } else this.closeList(level, position)
  }

  /** Adds the tensor whose shape a list is. @param {Level} level @param {number} position */
  closeList(level, position) {
    const path = [...this.levels.map(({ key }) => key), level.key].filter((key) => key && key !== "__metadata__")
    const last = path.at(-1) ?? ""
    if (last === "data_offsets" || !path.length || level.numbers.some((size) => size < 0)) return
    const isShapeKey = SHAPE_KEY.test(last)
    if (isShapeKey) path.pop()
    // A list of objects names each tensor beside its shape.
    if (isShapeKey && this.nameBeside) {
      this.add(this.nameBeside, level.numbers, position)
      this.nameBeside = ""
      return
    }
    // An empty shape is that of a scalar.
    if (last === "shape" && !level.numbers.length) this.add(path.join("."), [], position)
    else if (level.key || level.numbers.length) {
      // Brackets within brackets, such as torch.Size([768]), hold the same sizes.
      const parent = this.levels.at(-1)
      if (!level.key && parent && parent.bracket !== "{") parent.numbers.push(...level.numbers)
      else if (path.length) this.add(path.join("."), level.numbers, position)
    }
  }

  /** Adds a row. @param {string} name @param {number[] | null} shape @param {number} position */
  add(name, shape, position) {
    this.rows.push(textRow(this.lineAt(position), { name, shape }))
  }

  /** The line of a position in the text. @param {number} position  not before that of the last call */
  lineAt(position) {
    while (this.lineStart < position) {
      const next = this.text.indexOf("\n", this.lineStart)
      if (next < 0 || next >= position) break
      this.lineStart = next + 1
      this.lineIndex += 1
    }
    return this.lines[this.lineIndex]
  }
}
