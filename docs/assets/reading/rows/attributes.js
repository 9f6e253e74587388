// Joins the attributes of a tensor with the line of its name, because some loops print every
// attribute on a line of its own.

import { pathsIn } from "./named-rows.js"

/** A line that gives an attribute of the tensor named above it, such as "Shape: [768, 768]" or "dtype: float32". */
const ATTRIBUTE =
  /^[\s\-*•"']*(shape|size|dims?|dimensions?|numel|n_?params|num_?(?:params|parameters|elements)|(?:number of )?(?:params|parameters|elements)|count|(?:d|data ?)?type|device|requires[_ ]grad|trainable|形状|参数量)["']?\s*[:=]/i

/** The lines, with the attributes of each tensor on the line of its name. Nothing is joined unless at least half of the
 * names that stand alone on a line are followed by an attribute with a number.
 * @param {TextLine[]} lines @returns {TextLine[]} */
export function withAttributes(lines) {
  /** Whether a line has the name of a tensor, and no number after it. */
  const isNameAlone = (/** @type {TextLine} */ { text }) => {
    const [path, ...others] = ATTRIBUTE.test(text) ? [] : pathsIn(text)
    return path && !others.length && !/[0-9]/.test(text.slice(path.index + path[0].length))
  }
  /** @type {{ name: TextLine, attributes: TextLine[] }[]} */
  const blocks = []
  let isOpen = false
  for (const line of lines) {
    const isAttribute = ATTRIBUTE.test(line.text)
    if (isNameAlone(line)) blocks.push({ name: line, attributes: [] })
    else if (isOpen && isAttribute) blocks.at(-1)?.attributes.push(line)
    isOpen = isNameAlone(line) || (isOpen && isAttribute)
  }
  const sizedBlocks = blocks.filter(({ attributes }) => attributes.some(({ text }) => /[0-9]/.test(text)))
  if (!sizedBlocks.length || sizedBlocks.length < blocks.length / 2) return lines
  // The label of a total below the list may be that of an attribute, but the last tensor then has it twice.
  const names = new Map(
    sizedBlocks.map(({ name, attributes }) => {
      const labels = attributes.map(({ text }) => ATTRIBUTE.exec(text)?.[1])
      const ownAttributes = attributes.filter((_, index) => labels.indexOf(labels[index]) === index)
      return [name, ownAttributes]
    }),
  )
  const joinedLines = new Set([...names.values()].flat())
  return lines
    .filter((line) => !joinedLines.has(line))
    .map((line) => {
      const attributes = names.get(line) ?? []
      return {
        ...line,
        text: [line.text.replace(/:\s*$/, ""), ...attributes.map(({ text }) => text.trim())].join("  "),
      }
    })
}
