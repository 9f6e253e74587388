// Reads nested texts: JSON and Python literals that name tensors, such as the header of a
// safetensors file, its index, and the shape tree of a Flax model. They are read token by
// token rather than parsed as JSON, because people paste incomplete texts and Python's
// quotes and tuples. Anything but quoted strings, numbers and brackets is skipped.

import { TENSOR } from "./named-rows.js"
import { textRow } from "./text-row.js"

/** The comment of Flax on the size of a tensor, which is skipped; a quoted string, which is a key if a colon follows; a
 * bracket; a number; or a word, which is skipped. */
const TOKEN =
  /#\s[0-9,]+\s\([0-9.]+\s[KMGT]?B\)|(["'])((?:[^"'\\\n]|\\.){1,300})\1\s*(:)?|([[{(])|([\]})])|(-?[0-9]+(?:\.[0-9]+)?)|([A-Za-z_]\w*)/g
/** The data types of buffers: integers and booleans. */
const BUFFER_TYPE = /^(?:I|U)[0-9]+$|^(?:BOOL|int|uint|bool)/

/** The keys of a tensor's name and shape, as in { "name": …, "shape": … }, and the key of a total. */
const NAME_KEY = /^(?:name|param|parameter|tensor|key)$/
const SHAPE_KEY = /^(?:shape|size)$/
const TOTAL_KEY = /^total_param(?:eter)?s$/

/** Whether at least three quoted keys in a text have a bracket or a call, such as Array(…), as their value, or the text
 * is the index of a safetensors file.
 * @param {string} text */
export const isNested = (text) =>
  (text.match(/["'][\w./-]+["']\s*:\s*(?:[[({]|[A-Z]\w*\()/g) ?? []).length >= 3 || text.includes('"weight_map"')

/** An open bracket, with the key before it and the sizes inside it.
 * @typedef {{ key: string, bracket: string, numbers: number[] }} Level */

/** The tensors and the totals in a nested text.
 * @param {string} text @param {TextLine[]} lines  all lines of the text, by index
 * @returns {Pick<PrintOut, "rows" | "totals">} */
export function nestedRows(text, lines) {
  const reader = new NestedReader(text, lines)
  for (const { index, 2: quotedText, 3: colon, 4: opening, 5: closing, 6: number } of text.matchAll(TOKEN)) {
    if (quotedText !== undefined && colon) reader.key = quotedText
    else if (quotedText !== undefined) reader.readValue(quotedText, index)
    else if (opening) reader.open(opening)
    else if (number) reader.readNumber(Number(number), index)
    else if (closing) reader.close(index)
  }
  return { rows: reader.rows, totals: reader.totals }
}

/** Collects rows and totals from the tokens of a nested text, which must arrive in order. */
class NestedReader {
  /** @param {string} text @param {TextLine[]} lines  all lines of the text, by index */
  constructor(text, lines) {
    this.text = text
    this.lines = lines
    /** @type {TextRow[]} */
    this.rows = []
    /** @type {StatedTotal[]} */
    this.totals = []
    /** The key whose value has not been read yet; "" if there is none. */
    this.key = ""
    /** The open brackets, the innermost last. @type {Level[]} */
    this.levels = []
    /** The name in an object that also has a shape. */
    this.nameInObject = ""
    /** Whether the object has a data type that no parameter has. */
    this.isBuffer = false
    this.lineIndex = 0
    this.lineStart = 0
  }

  /** Reads a quoted value. @param {string} value @param {number} position */
  readValue(value, position) {
    if (NAME_KEY.test(this.key)) {
      this.nameInObject = value
      return
    }
    if (this.key === "dtype" && BUFFER_TYPE.test(value)) this.isBuffer = true
    // An index maps each name to the file with the tensor.
    else if (/\.(?:safetensors|bin)$/.test(value) && this.key) this.add(this.key, null, position)
    this.key = ""
  }

  /** Handles an opening bracket. @param {string} bracket */
  open(bracket) {
    this.levels.push({ key: this.key, bracket, numbers: [] })
    this.key = ""
  }

  /** Reads a number: a size if it is in a list, otherwise the value of a key, which is a total or, if a tensor has this
   * name, a count.
   * @param {number} number @param {number} position */
  readNumber(number, position) {
    const level = this.levels.at(-1)
    if (!level) return
    if (level.bracket !== "{") {
      level.numbers.push(number)
      return
    }
    if (TOTAL_KEY.test(this.key))
      this.totals.push({ line: this.lineAt(position), kind: "total", low: number, high: number })
    else if (TENSOR.test(this.key) && Number.isInteger(number) && number > 0)
      this.rows.push(
        textRow(this.lineAt(position), { name: this.pathTo(this.key).join("."), low: number, high: number }),
      )
    this.key = ""
  }

  /** Handles a closing bracket. @param {number} position */
  close(position) {
    const level = this.levels.pop()
    if (!level) return
    if (level.bracket === "{") {
      const row = this.rows.at(-1)
      if (this.isBuffer && row?.name.endsWith(level.key)) row.isBuffer = true
      this.isBuffer = false
    } else this.closeList(level, position)
  }

  /** Adds a tensor with the list as its shape, or passes the list's sizes on to the list around it.
   * @param {Level} level @param {number} position */
  closeList(level, position) {
    const path = this.pathTo(level.key)
    const last = path.at(-1) ?? ""
    // Negative or broken numbers are values of the tensor.
    const areSizes = level.numbers.every((size) => Number.isInteger(size) && size >= 0)
    if (last === "data_offsets" || !path.length || !areSizes) return
    const isShapeKey = SHAPE_KEY.test(last)
    if (isShapeKey) path.pop()
    // In a list of objects, each has a name and a shape.
    if (isShapeKey && this.nameInObject) {
      this.add(this.nameInObject, level.numbers, position)
      this.nameInObject = ""
      return
    }
    // An empty shape is a scalar's.
    if (last === "shape" && !level.numbers.length) this.add(path.join("."), [], position)
    else if (level.key || level.numbers.length) {
      // Nested brackets, such as those of torch.Size([768]), enclose the same sizes.
      const parent = this.levels.at(-1)
      if (!level.key && parent && parent.bracket !== "{") parent.numbers.push(...level.numbers)
      else if (path.length) this.add(path.join("."), level.numbers, position)
    }
  }

  /** The path to a key: the keys of the open brackets, and the key itself. @param {string} key */
  pathTo(key) {
    return [...this.levels.map((level) => level.key), key].filter((name) => name && name !== "__metadata__")
  }

  /** Adds a row. @param {string} name @param {number[] | null} shape @param {number} position */
  add(name, shape, position) {
    this.rows.push(textRow(this.lineAt(position), { name, shape }))
  }

  /** The line at a position in the text. @param {number} position  not smaller than in the last call */
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
