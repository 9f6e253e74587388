// Finds the rows that contain other rows: modules of a tree, and names that others continue.
// Their counts repeat the counts of the rows below them.

import { sumBy } from "../../counting/engine.js"

/** The index after the last row below the one at `index`. Rows below it are deeper in a tree, or their names continue
 * its name.
 * @param {TextRow[]} texts @param {number} index */
export function endOfRowsBelow(texts, index) {
  if (!index && beginsWithWholeModel(texts)) return texts.length
  const { depth, name } = texts[index]
  // The root of a tree has no branch, and so no depth, but the next row has one.
  const isTree = Math.max(depth, texts[index + 1]?.depth ?? -1) >= 0
  const isBelow = (/** @type {TextRow} */ other) =>
    isTree ? other.depth > depth : name !== "" && other.name.startsWith(`${name}.`)
  let end = index + 1
  while (end < texts.length && isBelow(texts[end])) end += 1
  return end
}

const MIN_ROWS_BELOW = 2 // a single row may have the same count by chance

/** Whether a path is below one of these names. @param {string} path @param {Set<string>} names */
export const isBelowAny = (path, names) =>
  path.split(".").some((_, index, parts) => index > 0 && names.has(parts.slice(0, index).join(".")))

/** Whether the first row of a list of paths is the whole model, whose name the other paths leave out: fvcore calls it
 * "model". Its count is the sum of the other rows that are in no other module.
 * @param {TextRow[]} texts */
function beginsWithWholeModel([first, ...others]) {
  if (!first?.low || first.high === null || others.some(({ depth }) => depth >= 0)) return false
  const names = new Set(others.map(({ name }) => name))
  const outerRows = others.filter(({ name, low }) => low !== null && !isBelowAny(name, names))
  const [low, high] = [sumBy(outerRows, (row) => row.low ?? 0), sumBy(outerRows, (row) => row.high ?? 0)]
  return outerRows.length >= MIN_ROWS_BELOW && low <= first.high && first.low <= high
}

/** The rows whose counts only repeat the sum of the rows below them, or less if some of these share a tensor, as the
 * decoder of a head and the word embeddings do.
 * @param {TextRow[]} texts @returns {Set<TextRow>} */
export function subtotalsOf(texts) {
  const subtotals = new Set()
  texts.forEach((text, index) => {
    if (!text.low || text.high === null) return
    let [low, high, largest, count] = [0, 0, 0, 0]
    const end = endOfRowsBelow(texts, index)
    for (let childIndex = index + 1; childIndex < end; childIndex += 1) {
      const child = texts[childIndex]
      if (!child.low || child.high === null) continue
      low += child.low
      high += child.high
      largest = Math.max(largest, child.low)
      count += 1
      // The count of a row already includes the counts of the rows nested in it.
      childIndex = endOfRowsBelow(texts, childIndex) - 1
    }
    const sharesTensors = count >= MIN_ROWS_BELOW && low > text.high && text.high > largest
    if (low && ((low <= text.high && text.low <= high) || sharesTensors)) subtotals.add(text)
  })
  return subtotals
}

/** Gives every subtotal the tensors of the rows below it and their right sum, additions included, if any of these rows
 * has tensors or the subtotal is a container. A row without a count then becomes a subtotal, too.
 * @param {AlignedRow[]} rows */
export function completeSubtotals(rows) {
  const texts = rows.map(({ text }) => text)
  rows.forEach((row, index) => {
    const { text, verdict } = row
    if (text.low !== null && verdict !== "subtotal") return
    const innerRows = rows
      .slice(index + 1, endOfRowsBelow(texts, index))
      .filter((inner) => inner.verdict !== "subtotal")
    const tensors = [...new Set(innerRows.flatMap((inner) => inner.tensors))]
    if (!tensors.length && !text.isContainer) return
    const right = sumBy(innerRows, (inner) => inner.right ?? inner.stated ?? 0)
    Object.assign(row, { tensors, verdict: "subtotal", right })
  })
}
