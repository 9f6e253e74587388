// Reads nested texts: JSON and Python literals that name tensors, such as the header of a
// safetensors file, its index, and the tree of shapes of a Flax model. They are read
// token by token instead of as JSON, because people paste Python's quotes and tuples, and
// pieces of a text; anything but keys, sizes and brackets is skipped.

import { textRow } from "./text-row.js"

const TOKEN = /(["'])((?:[^"'\\\n]|\\.){1,300})\1\s*(:)?|([[{(])|([\]})])|(-?[0-9]+(?:\.[0-9]+)?)|([A-Za-z_]+)/g
const NO_PARAMETER = /^(?:I|U)[0-9]+$|^(?:BOOL|int|uint|bool)/ // data types of buffers

/** Whether a text nests sizes under quoted names. @param {string} text */
export const isNested = (text) =>
  (text.match(/["'][\w./-]+["']\s*:\s*(?:[[({]|[A-Z]\w*\()/g) ?? []).length >= 3 || text.includes('"weight_map"')

/** @typedef {{ key: string, kind: string, numbers: number[] }} Level  a bracket that is open, and the sizes in it */

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
  let key = ""
  let nameValue = ""
  let dtype = ""
  let index = 0
  let lineStart = 0
  /** @param {number} at */
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
    else if (string !== undefined && /^(?:name|param|parameter|tensor|key)$/.test(key)) nameValue = string
    else if (string !== undefined) {
      if (key === "dtype" && NO_PARAMETER.test(string)) dtype = string
      // An index maps each name to the file that holds the tensor.
      else if (/\.(?:safetensors|bin)$/.test(string) && key) add(key, null, match.index)
      key = ""
    } else if (opening) {
      open.push({ key, kind: opening, numbers: [] })
      key = ""
    } else if (number && open.length) {
      const level = open[open.length - 1]
      if (level.kind !== "{") level.numbers.push(Number(number))
      else if (key === "total_parameters" || key === "total_params")
        totals.push({ line: lineAt(match.index), kind: "total", low: Number(number), high: Number(number) })
      if (level.kind === "{") key = ""
    } else if (closing) {
      const level = open.pop()
      if (!level || level.kind === "{") {
        if (level && dtype) dtype = markBuffer(rows, level.key)
        continue
      }
      const path = [...open.map((one) => one.key), level.key].filter((one) => one && one !== "__metadata__")
      const last = path.at(-1)
      if (last === "data_offsets" || !path.length || level.numbers.some((size) => size < 0)) continue
      if (last === "shape" || last === "size") path.pop()
      // A list of objects names each tensor beside its shape.
      if ((last === "shape" || last === "size") && nameValue) {
        add(nameValue, level.numbers, match.index)
        nameValue = ""
        continue
      }
      if (last === "shape" && !level.numbers.length) {
        add(path.join("."), [], match.index) // a scalar
        continue
      }
      // Brackets within brackets, such as torch.Size([768]), hold the same sizes.
      if (level.key || level.numbers.length) {
        const parent = open.at(-1)
        if (!level.key && parent && parent.kind !== "{") parent.numbers.push(...level.numbers)
        else if (path.length) add(path.join("."), level.numbers, match.index)
      }
    }
  }
  return { rows, totals }
}

/** Marks the tensor of a data type that holds no parameters. @param {TextRow[]} rows @param {string} name */
function markBuffer(rows, name) {
  const row = rows.at(-1)
  if (row?.name.endsWith(name)) row.buffer = true
  return ""
}
