// Cleans a text: restores its lines as a tool printed them, before it was copied, quoted,
// logged or typeset. A mail client, a notebook, a terminal and a forum each put
// something in front of a line or in place of a character. `linesOf` removes it; the
// source of each line is kept, because answers quote it.
//
// Cleaning comes before any reading, and knows nothing of what is read: it must not touch
// names, shapes or counts, but may drop whatever cannot be part of one.

/** The HTML entities that occur among numbers and names. @type {Record<string, string>} */
const ENTITIES = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'", nbsp: " ", times: "×", ndash: "–", minus: "−" }

/** Soft hyphens, spaces without width, marks of the direction of writing, and the byte order mark. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g
/** The escape sequences of terminals, which colour words, move the cursor, or set the title of the window. */
const TERMINAL = /\u001b\[[0-9;?]*[A-Za-z]|\u001b\][^\u0007]*\u0007/g
const MAX_BLANKS = 200 // in a row; no table has a wider gap, and patterns for columns are slow on more
const LONG_BLANKS = new RegExp(`[ \\t\\u00a0]{${MAX_BLANKS},}`, "g")
const LINE_BREAK = /\r\n?|[\u2028\u2029\u0085\u000b\u000c]/g
/** The tags of HTML that are removed. Other words in angle brackets may belong to a print-out, such as <class 'int'>. */
const TAG =
  /<\/?(?:a|b|code|div|em|font|i|li|ol|p|pre|span|strong|table|tbody|td|tfoot|th|thead|tr|u|ul)(?:\s[^<>]*)?>/gi
/** A data type that ONNX and Netron write right before a shape, as in float32[768,3072]. */
const TYPED_SHAPE = /\b(?:float(?:16|32|64)?|bfloat16|u?int(?:8|32|64)|[fi](?:16|32|64))(?=\[[0-9])/g
/** LaTeX's commas in numbers, as in 110{,}000 and 110\,000, and its narrow spaces. */
const LATEX_SPACE = /\{,\}|\\,(?=[0-9]{3})|\\[;:!]/g
/** A word in one of LaTeX's fonts: in braces, or between any two equal signs after \verb. */
const LATEX_FONT =
  /\\(?:texttt|textbf|text|mathrm|operatorname)\s*\{([^{}]*)\}|\\verb(?:\|([^|]*)\||!([^!]*)!|\+([^+]*)\+)/g

/** The character that an HTML entity stands for, or the entity itself if it is not known.
 * @param {string} entity @param {string} name */
function character(entity, name) {
  const [, hex, decimal] = /^#(?:x([0-9a-f]+)|([0-9]+))$/i.exec(name) ?? []
  const code = hex ? Number.parseInt(hex, 16) : Number(decimal ?? NaN)
  if (code > 0 && code < 0x110000) return String.fromCodePoint(code)
  return ENTITIES[name.toLowerCase()] ?? entity
}

/** A text in plain characters: no entities, colours or invisible signs, no LaTeX commas, wide digits made narrow.
 * Line breaks stay where they are.
 * @param {string} text */
export const plain = (text) =>
  text
    .replace(TERMINAL, "")
    .replace(INVISIBLE, "")
    .replace(LONG_BLANKS, " ".repeat(MAX_BLANKS))
    .replace(LINE_BREAK, "\n")
    .replace(/<br\s*\/?>/gi, " ")
    .replace(/<\/(?:td|th)>/gi, " | ") // as the columns of a table in plain text are separated
    .replace(TAG, "")
    .replace(TYPED_SHAPE, "$& ")
    .replace(/&(#?\w{1,8});/g, character)
    .replace(LATEX_SPACE, (sign) => (sign === "{,}" || sign === "\\," ? "," : " "))
    .replace(/\\(?:times|cdot)\b/g, "×")
    .replace(LATEX_FONT, "$1$2$3$4")
    .replace(/\\([_%#&$])/g, "$1")
    .replace(/[“”„«»]/g, '"')
    .replace(/[‘’‛]/g, "'")
    .normalize("NFKC") // makes wide digits and letters narrow

// The pieces that may come before a line without belonging to it; several may come together.
const PREFIXES = [
  /^\s*(?:In|Out)\s?\[\s*[0-9]*\s*\]:\s?/, // a notebook's prompts
  /^\s*\[?[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:.,]+(?:Z|[+-][0-9:]+)?\]?\s*(?:[-|:]\s*)?/, // time stamps of logs
  /^\s*\[(?:INFO|DEBUG|WARNING|ERROR)\|[\w./-]+:[0-9]+\]\s*/, // of transformers
  /^\s*\[(?:rank|Rank)[: ]*[0-9]+\]:?\s?/, // of distributed training
  /^\s*\[?[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]+)?\]?\s+/, // the time alone
  /^\s*[IWE][0-9]{4} [0-9:.]+ +[0-9]+ \S+\] ?/, // of TensorFlow and absl
  /^\s*(?:\[?(?:INFO|DEBUG|WARNING|WARN|ERROR)\]?)(?:\s*[:|-] ?| )(?:[\w.]+\s*[:|-] |tensorflow:)?/, // of Python's logging
  /^\s*(?:>>> ?|\.\.\. )/, // Python's prompts
  /^\s?(?:> ?)+(?=\S| )/, // mail and Markdown quotes
  /^\s*(?:#+|\/\/+|%+)(?:\s|$)/, // comments and headings
]

/** A line without what was put before it. @param {string} line */
export function withoutPrefixes(line) {
  let cleaned = line
  // One tool may quote what another has logged, so prefixes come in any order.
  for (let round = 0; round < PREFIXES.length; round++) {
    const next = PREFIXES.reduce((text, prefix) => text.replace(prefix, ""), cleaned)
    if (next === cleaned) break
    cleaned = next
  }
  return cleaned
}

/** The number of a line, with the sign after it, as viewers of files show it. */
const LINE_NUMBER = /^\s*([0-9]{1,6})(?:[:|.)]|\s)\s?/
const MIN_NUMBERED = 4 // lines; fewer may count up by chance
const SHARE_NUMBERED = 0.9 // of the steps from line to line; some are missing where long lines were wrapped

/** Whether nearly all lines begin with numbers that count up by one.
 * @param {string[]} lines */
function areNumbered(lines) {
  const numbers = lines.filter((line) => line.trim()).map((line) => Number(LINE_NUMBER.exec(line)?.[1] ?? NaN))
  const steps = numbers.filter((number, index) => number === numbers[index - 1] + 1).length
  return numbers.length >= MIN_NUMBERED && steps >= numbers.length * SHARE_NUMBERED - 1
}

/** The cells of a notebook that hold text: what was typed and what came out.
 * @param {string} text @returns {string | null}  null if it is no notebook */
export function notebookText(text) {
  const [start, end] = [text.indexOf("{"), text.lastIndexOf("}")]
  if (start < 0 || end < start || !text.includes('"cells"')) return null
  /** The text of a notebook's cell, which is a list of lines or one text. @param {unknown} lines */
  const joinLines = (lines) =>
    [lines]
      .flat()
      .filter((line) => typeof line === "string")
      .join("")
  try {
    const { cells } = JSON.parse(text.slice(start, end + 1))
    if (!Array.isArray(cells)) return null
    const pieces = cells.flatMap(({ source, outputs }) => [
      joinLines(source),
      ...(Array.isArray(outputs) ? outputs : []).map((output) => joinLines(output.text ?? output.data?.["text/plain"])),
    ])
    return pieces.filter(Boolean).join("\n")
  } catch {
    return null
  }
}

/** The lines of a text without what was put before them, in order, empty ones included.
 * @param {string} text @returns {TextLine[]} */
export function allLinesOf(text) {
  const sources = plain(text).split("\n")
  const lines = sources.map(withoutPrefixes)
  const numbered = areNumbered(lines)
  return sources.map((source, index) => {
    const line = numbered ? withoutPrefixes(lines[index].replace(LINE_NUMBER, "")) : lines[index]
    return { text: line.replace(/\t/g, "    ").trimEnd(), source: source.trimEnd(), index }
  })
}

/** The same without the empty ones. @param {string} text */
export const linesOf = (text) => allLinesOf(text).filter((line) => line.text.trim())
