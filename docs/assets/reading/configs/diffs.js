// Splits the diff of a configuration, or a list of changed values, into the configuration before the
// change and the one after it.

/** The line above a group of changed lines in a diff. */
const HUNK = /^@@ .*@@/m
/** A line with a key that a diff marks as removed or added. */
const MARKED_KEY = /^[-+]\s*["']?[A-Za-z_][\w.]*["']?\s*[:=]/gm
const MIN_MARKED_KEYS = 2 // in a diff without "@@"; YAML marks the items of a list with a hyphen, but never with a plus

/** A line with a key and its values before and after a change, perhaps in a list: "- hidden_size: 768 -> 1024". The
 * groups are the key and the two values. */
const CHANGED_VALUE =
  /^[\s*•-]*["'`]?([A-Za-z_]\w*)["'`]?\s*[:=]\s*([0-9][0-9_]*)\s*(?:-+>|=+>|→|⟶)\s*([0-9][0-9_]*),?\s*$/gm

/** The texts before and after the change that a diff or a list of changed values shows; null for any other text.
 * @param {string} text @returns {{ before: string, after: string } | null} */
export function versionsIn(text) {
  if (text.match(CHANGED_VALUE))
    return { before: text.replace(CHANGED_VALUE, "$1: $2"), after: text.replace(CHANGED_VALUE, "$1: $3") }
  const marks = (text.match(MARKED_KEY) ?? []).map(([mark]) => mark)
  const isDiff = HUNK.test(text) || (marks.length >= MIN_MARKED_KEYS && marks.includes("-"))
  if (!isDiff || !marks.includes("+")) return null
  const lines = text.split("\n").filter((line) => !/^(?:diff |index |---|\+\+\+|@@|\\)/.test(line))
  /** The lines without those that the other version alone has. */
  const linesWithout = (/** @type {string} */ mark) =>
    lines.flatMap((line) => (line.startsWith(mark) ? [] : [line.replace(/^[-+ ]/, "")])).join("\n")
  return { before: linesWithout("+"), after: linesWithout("-") }
}
