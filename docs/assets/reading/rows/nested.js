// Reads nested texts: JSON and Python literals that name tensors, such as the header of a
// safetensors file, its index, and the tree of shapes of a Flax model. They are read
// token by token instead of as JSON, because people paste Python's quotes and tuples, and
// pieces of a text; anything but keys, sizes and brackets is skipped.

import { textRow } from "./text-row.js"

/** A quoted text, which a colon makes a key, or an opening or closing bracket, or a number, or a word, which is skipped. */
const TOKEN = /(["'])((?:[^"'\\\n]|\\.){1,300})\1\s*(:)?|([[{(])|([\]})])|(-?[0-9]+(?:\.[0-9]+)?)|([A-Za-z_]+)/g
/** The data types of buffers: whole numbers and truth values. */
const INTEGER_TYPE = /^(?:I|U)[0-9]+$|^(?:BOOL|int|uint|bool)/

/** Keys beside a shape, as in { "name": …, "shape": … }. */
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
  /** @type {TextRow[]} */
  const rows = []
  /** @type {StatedTotal[]} */
  const totals = []
  /** @type {Level[]} */
  const open = []
  let key = "" // the last key, until its value
  let nameBeside = "" // the name that an object gives beside a shape
  let isBuffer = false // whether the object gives a data type that no parameter has
  let index = 0
  let lineStart = 0
  /** The line of a place in the text. Places must come in order. @param {number} at */
  const lineAt = (at) => {
    while (lineStart < at) {
      const next = text.indexOf("\n", lineStart)
      if (next < 0 || next >= at) break
      lineStart = next + 1
      index += 1
    }
    return lines[index]
  }
  /** @param {string} name @param {number[] | null} shape @param {number} at */
  const add = (name, shape, at) => rows.push(textRow(lineAt(at), { name, shape }))
  for (const match of text.matchAll(TOKEN)) {
    const [, , string, isKey, opening, closing, number] = match
    if (string !== undefined && isKey) key = string
    else if (string !== undefined && NAME_KEY.test(key)) nameBeside = string
    else if (string !== undefined) {
      if (key === "dtype" && INTEGER_TYPE.test(string)) isBuffer = true
      // An index maps each name to the file that holds the tensor.
      else if (/\.(?:safetensors|bin)$/.test(string) && key) add(key, null, match.index)
      key = ""
    } else if (opening) {
      open.push({ key, bracket: opening, numbers: [] })
      key = ""
    } else if (number && open.length) {
      const level = open[open.length - 1]
      if (level.bracket !== "{") {
        level.numbers.push(Number(number))
        continue
      }
      if (TOTAL_KEY.test(key))
        totals.push({ line: lineAt(match.index), kind: "total", low: Number(number), high: Number(number) })
      key = ""
    } else if (closing) {
      const level = open.pop()
      if (!level) continue
      if (level.bracket === "{") {
        if (isBuffer) markBuffer(rows, level.key)
        isBuffer = false
        continue
      }
      const path = [...open.map((one) => one.key), level.key].filter((one) => one && one !== "__metadata__")
      const last = path.at(-1) ?? ""
      if (last === "data_offsets" || !path.length || level.numbers.some((size) => size < 0)) continue
      if (SHAPE_KEY.test(last)) path.pop()
      // A list of objects names each tensor beside its shape.
      if (SHAPE_KEY.test(last) && nameBeside) {
        add(nameBeside, level.numbers, match.index)
        nameBeside = ""
        continue
      }
      if (last === "shape" && !level.numbers.length) {
        add(path.join("."), [], match.index) // a scalar
        continue
      }
      // Brackets within brackets, such as torch.Size([768]), hold the same sizes.
      if (level.key || level.numbers.length) {
        const parent = open.at(-1)
        if (!level.key && parent && parent.bracket !== "{") parent.numbers.push(...level.numbers)
        else if (path.length) add(path.join("."), level.numbers, match.index)
      }
    }
  }
  return { rows, totals }
}

/** Marks the last row as a buffer if it has this name. @param {TextRow[]} rows @param {string} name */
function markBuffer(rows, name) {
  const row = rows.at(-1)
  if (row?.name.endsWith(name)) row.buffer = true
}
