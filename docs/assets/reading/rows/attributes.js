// Joins the attributes of a tensor with the line of its name, because some loops print every
// attribute on a line of its own.

import { pathsIn } from "./named-rows.js"

/** A line that gives an attribute of the tensor named above it, such as "Shape: [768, 768]" or "dtype: float32". */
const ATTRIBUTE =
  /^[\s\-*•"']*(shape|size|dims?|dimensions?|numel|n_?params|num_?(?:params|parameters|elements)|(?:number of )?(?:params|parameters|elements)|count|tensor|category|(?:d|data ?)?type|device|requires[_ ]grad|trainable|形状|参数量)["']?\s*[:=]/i

/** The lines, with the attributes of each tensor on the line of its name. Nothing is joined unless at least half of the
 * names that stand alone on a line are followed by an attribute with a number.
 * @param {TextLine[]} lines @returns {TextLine[]} */
export function withAttributes(lines) {
  /** The name on a line that has only one name of a tensor, and no number after it; "" for any other line. */
  const nameAlone = (/** @type {TextLine} */ { text }) => {
    const [path, ...others] = ATTRIBUTE.test(text) ? [] : pathsIn(text)
    const isAlone = path && !others.length && !/[0-9]/.test(text.slice(path.index + path[0].length))
    return isAlone ? path[0] : ""
  }
  /** @type {{ name: TextLine, attributes: TextLine[] }[]} */
  const blocks = []
  /** Whether the line above belongs to the last block. */
  let isInBlock = false
  /** Headings of blocks, which the first line of the block repeats. @type {Set<TextLine>} */
  const headings = new Set()
  for (const line of lines) {
    const isAttribute = ATTRIBUTE.test(line.text)
    const name = nameAlone(line)
    const last = blocks.at(-1)
    if (name && isInBlock && last && !last.attributes.length && nameAlone(last.name) === name) {
      headings.add(last.name)
      last.name = line
    } else if (name) blocks.push({ name: line, attributes: [] })
    else if (isInBlock && isAttribute) last?.attributes.push(line)
    isInBlock = name !== "" || (isInBlock && isAttribute)
  }
  const sizedBlocks = blocks.filter(({ attributes }) => attributes.some(({ text }) => /[0-9]/.test(text)))
  if (!sizedBlocks.length || sizedBlocks.length < blocks.length / 2) return lines
  // A total below the list may have the label of an attribute. The last tensor then has two attributes with this label,
  // and only the first is its own.
  const attributesByName = new Map(
    sizedBlocks.map(({ name, attributes }) => {
      const labels = attributes.map(({ text }) => ATTRIBUTE.exec(text)?.[1])
      const ownAttributes = attributes.filter((_, index) => labels.indexOf(labels[index]) === index)
      return [name, ownAttributes]
    }),
  )
  const joinedLines = new Set([...attributesByName.values()].flat())
  return lines
    .filter((line) => !joinedLines.has(line) && !headings.has(line))
    .map((line) => {
      const attributes = attributesByName.get(line) ?? []
      return {
        ...line,
        text: [line.text.replace(/:\s*$/, ""), ...attributes.map(({ text }) => text.trim())].join("  "),
      }
    })
}
