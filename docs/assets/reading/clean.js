// Cleans a text: restores its lines as a tool printed them, before it was copied, quoted,
// logged or typeset. A mail client, a notebook, a terminal and a forum each put
// something in front of a line or in place of a character. `linesOf` removes it; the
// source of each line is kept, because answers quote it.

/** @type {Record<string, string>} */
const ENTITIES = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'", nbsp: " ", times: "×", ndash: "–", minus: "−" }

const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g
const TERMINAL = /\u001b\[[0-9;?]*[A-Za-z]|\u001b\][^\u0007]*\u0007/g

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
    .replace(/[ \t\u00a0]{200,}/g, " ".repeat(200)) // wider than any table; patterns for columns are slow on more
    .replace(/\r\n?|[\u2028\u2029\u0085\u000b\u000c]/g, "\n")
    .replace(/<br\s*\/?>/gi, " ")
    .replace(/<\/(?:td|th)>/gi, " | ")
    .replace(
      /<\/?(?:a|b|code|div|em|font|i|li|ol|p|pre|span|strong|table|tbody|td|tfoot|th|thead|tr|u|ul)(?:\s[^<>]*)?>/gi,
      "",
    )
    .replace(/&(#?\w{1,8});/g, character)
    .replace(/\{,\}|\\,(?=[0-9]{3})|\\[;:!]/g, (sign) => (sign === "{,}" || sign === "\\," ? "," : " "))
    .replace(/\\(?:times|cdot)\b/g, "×")
    .replace(
      /\\(?:texttt|textbf|text|mathrm|operatorname)\s*\{([^{}]*)\}|\\verb(?:\|([^|]*)\||!([^!]*)!|\+([^+]*)\+)/g,
      "$1$2$3$4",
    )
    .replace(/\\([_%#&$])/g, "$1")
    .replace(/[“”„«»]/g, '"')
    .replace(/[‘’‛]/g, "'")
    .normalize("NFKC")

// What may come before a line without belonging to it, outermost first; all may come together.
const PREFIXES = [
  /^\s*(?:In|Out)\s?\[\s*[0-9]*\s*\]:\s?/, // a notebook's prompts
  /^\s*\[?[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:.,]+(?:Z|[+-][0-9:]+)?\]?\s*(?:[-|:]\s*)?/, // time stamps of logs
  /^\s*\[(?:INFO|DEBUG|WARNING|ERROR)\|[\w./-]+:[0-9]+\]\s*/, // of transformers
  /^\s*\[(?:rank|Rank)[: ]*[0-9]+\]:?\s?/,
  /^\s*\[?[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]+)?\]?\s+/,
  /^\s*[IWE][0-9]{4} [0-9:.]+ +[0-9]+ \S+\] ?/, // of TensorFlow and absl
  /^\s*(?:\[?(?:INFO|DEBUG|WARNING|WARN|ERROR)\]?)(?:\s*[:|-] ?| )(?:[\w.]+\s*[:|-] |tensorflow:)?/,
  /^\s*(?:>>> ?|\.\.\. )/, // Python's prompts
  /^\s?(?:> ?)+(?=\S| )/, // mail and Markdown quotes
  /^\s*(?:#+|\/\/+|%+)(?:\s|$)/, // comments and headings
]

/** A line without what was put before it. @param {string} line */
export function withoutPrefixes(line) {
  let rest = line
  // One tool may quote what another has logged, so prefixes come in any order.
  for (let time = 0; time < PREFIXES.length; time++) {
    const next = PREFIXES.reduce((text, prefix) => text.replace(prefix, ""), rest)
    if (next === rest) break
    rest = next
  }
  return rest
}

const LINE_NUMBER = /^\s*([0-9]{1,6})(?:[:|.)]|\s)\s?/

/** Whether nearly all lines begin with numbers that count up by one, as viewers of files show them.
 * @param {string[]} lines */
function areNumbered(lines) {
  const numbers = lines.filter((line) => line.trim()).map((line) => Number(LINE_NUMBER.exec(line)?.[1] ?? NaN))
  const steps = numbers.filter((number, place) => number === numbers[place - 1] + 1).length
  return numbers.length > 3 && steps >= numbers.length * 0.9 - 1
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
