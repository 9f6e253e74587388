// Splits code that sets sizes under conditions, which the text does not decide, into one text for each branch:
//
//     if args.tiny:                      config.hidden_size = 128        config.hidden_size = 1024
//         config.hidden_size = 128   →                              and
//     else:
//         config.hidden_size = 1024
//
// Only Python's conditional statements are read, and of those only the ones in which a branch sets a key of a config.

import { changesIn } from "./code.js"
import { isKeyOfModels, isSizeKey } from "./keys.js"

const MAX_LENGTH = 10_000 // characters
const MAX_BRANCHES = 4 // a statement with more is left as it is

/** The first line of a branch, with its indentation and its condition. */
const FIRST_LINE = /^([ \t]*)(if\b[^\n]*|elif\b[^\n]*|else[ \t]*):[ \t]*(?:#.*)?$/

/** A text with one branch in place of a conditional statement, and the condition of that branch, such as "if args.tiny"
 * or "else".
 * @typedef {{ condition: string, text: string }} BranchText */

/** The lines of a branch: those that are indented further than its first line, and empty ones.
 * @param {string[]} lines  all those after the first @param {string} indent */
function bodyOf(lines, indent) {
  const end = lines.findIndex(
    (line) => line.trim() && !(line.startsWith(indent) && /^[ \t]/.test(line.slice(indent.length))),
  )
  return end < 0 ? lines : lines.slice(0, end)
}

/** Whether a branch sets a key of a model's config. @param {string[]} body */
const setsConfig = (body) =>
  changesIn(body.join("\n")).laterValues.some(([key]) => isSizeKey(key) || isKeyOfModels(key))

/** The texts for the branches of the first conditional statement that sets a key of a config, in order; empty if there
 * is none. Without an "else", one further text has none of the branches.
 * @param {string} text @returns {BranchText[]} */
export function branchesIn(text) {
  if (text.length > MAX_LENGTH || !/^[ \t]*if\b.*:/m.test(text)) return []
  const lines = text.split("\n")
  for (const [start, line] of lines.entries()) {
    const [, indent, first] = FIRST_LINE.exec(line) ?? []
    if (!first?.startsWith("if")) continue
    /** @type {{ condition: string, body: string[] }[]} */
    const branches = []
    let end = start
    for (let match = FIRST_LINE.exec(line); match; match = FIRST_LINE.exec(lines[end] ?? "")) {
      const [, ownIndent, condition] = match
      const isNext = branches.length ? !condition.startsWith("if") : true
      if (ownIndent !== indent || !isNext) break
      const body = bodyOf(lines.slice(end + 1), indent)
      branches.push({ condition: condition.trim(), body })
      end += 1 + body.length
    }
    if (!branches.some(({ body }) => setsConfig(body)) || branches.length > MAX_BRANCHES) continue
    if (!branches.some(({ condition }) => condition === "else")) branches.push({ condition: "else", body: [] })
    return branches.map(({ condition, body }) => ({
      condition,
      text: [...lines.slice(0, start), ...body.map((bodyLine) => bodyLine.trimStart()), ...lines.slice(end)].join("\n"),
    }))
  }
  return []
}
