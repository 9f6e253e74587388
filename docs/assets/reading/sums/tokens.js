// Splits a line of a sum done by hand into tokens: numbers, words, signs and brackets. LaTeX is
// converted first, so that \times is a sign and \text{emb} a word. Whatever separates two cells
// of a table becomes a single sign. A number has a tolerance if it is rounded, because 23.8M is
// right for 23,837,184 and wrong for 23,440,896.

/** A token of a line, from `start` to `end`. `isGlued` is true if another token precedes it without a space. A number
 * has a value and, if it is rounded, a tolerance of half a unit in its last digit.
 * @typedef {{ kind: "number" | "word" | "sign", text: string, value: number, tolerance: number, isGlued: boolean,
 * start: number, end: number }} Token */

/** Patterns for LaTeX's commands, with plain text for each. The last pattern turns any other command into a word.
 * @type {[RegExp, string][]} */
const LATEX = [
  [
    /\\begin\{[^{}]*\}(?:\{[^{}]*\})?|\\end\{[^{}]*\}|\$\$?|\\[[\]()]|\\(?:left|right|displaystyle|limits|hline)\b/g,
    " ",
  ],
  [/\\(?:text|textbf|textit|mathrm|mathbf|mathit|textrm|operatorname|mathsf)\s*\{([^{}]*)\}/g, "$1"],
  [/\\underbrace\s*\{([^{}]*)\}_\{([^{}]*)\}/g, "($1)"],
  [/\\[td]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}/g, "($1)/($2)"],
  [/_\{\s*([\p{L}\p{N}]+)[^{}]*\}/gu, "_$1"],
  [/\^\{\s*([0-9]+)\s*\}/g, "^$1"],
  [/\\(?:times|cdot|ast|bullet)\b/g, " × "],
  [/\\(?:approx|simeq|sim)\b/g, " ≈ "],
  [/\\(?:quad|qquad)\b|\\[,;:! ]|~/g, " "],
  [/\\(?:ell)\b/g, "L"],
  [/\\([%#_&])/g, "$1"],
  [/\\([a-zA-Z]+)/g, " $1 "],
]

/** A line with plain text in place of its LaTeX. @param {string} line */
export const withoutLatex = (line) =>
  /\\[a-zA-Z,;!]|\$|\^\{|_\{/.test(line)
    ? LATEX.reduce((text, [from, to]) => text.replace(from, to), line).replace(/ +/g, " ")
    : line

/** The text with LaTeX's line breaks replaced by plain ones. @param {string} text */
export const withLineBreaks = (text) => text.replace(/\\\\(?:\[[^\]]*\])?/g, "\n")

/** A sum as Python writes it: sum([23440896, 393216]). */
const SUM_OF_LIST = /(?<![\p{L}_])sum\(\s*[[(]([0-9_*+, -]+)[\])]\s*\)/gu
/** Words for an operation next to a number or bracket, and its sign. A factor after a result, as in
 * "= 147,456, times 12", goes on with it.
 * @type {[RegExp, string][]} */
const OPERATION_WORDS = [
  [/(?<=[0-9](?:\s(?:param\w*|weights))?),\s+(?:times|multiplied by|[×*])\s+(?=[0-9(])/giu, " × "],
  [/(?<![0-9.,])([0-9]{1,2}\s(?:\p{L}+\s)?(?:biases|vectors))\sof\s(?:size\s|length\s)?(?=[0-9])/giu, "$1 × "],
  [/(?<=[0-9]\s)by(?=\s[0-9])/giu, "×"],
  [/(?<![0-9.,])([0-9][0-9,]*\s?[×*x]\s?[0-9][0-9,]*)\s+twice(?!\p{L})/giu, "2 × $1"],
  [/,?\s(?:which|that)\s(?:is|makes|gives|equals|comes to)(?=\s+[0-9])/giu, " ="],
  [/(?<!\p{L})times\s+([0-9]{1,2})\s(?:heads?|layers?|blocks?)(?!\p{L})/giu, "× $1"],
  [/(?<!\p{L})plus(?=\s+[0-9(]|\s+(?:[\p{L}-]+\s+){1,3}[0-9][0-9,]{4,}(?![0-9,.]|\s*[×*x]))/giu, "+"],
  [/(?<!\p{L})minus(?=\s+[0-9(])/giu, "-"],
  [/(?<!\p{L})(?:equals|is equal to|makes)(?=\s+[0-9(])/giu, "="],
  [/(?<!\p{L})(?:divided by|over)(?=\s+[0-9(])/giu, "/"],
]
/** The sign before a result that a comment in code gives, perhaps with a doubt: 768 * 768  # 589824, but why? */
const COMMENT_WITH_RESULT =
  /(?<=[\p{L}\p{N})] {0,8})#(?= *[0-9][0-9_,]*(?:$|[,;.]? *(?:but|not|why|should|instead|vs|\?)))/u
/** Markdown's signs for bold, around a word or number. */
const BOLD = /(?<![\p{L}\p{N})\]*])\*\*(?=[^\s*])([^*\n]*[^\s*])\*\*(?![\p{L}\p{N}(*])/gu

/** The terms of a list in Python as a sum in brackets. @param {string} _ @param {string} terms */
const asSum = (_, terms) =>
  `(${terms
    .split(",")
    .map((/** @type {string} */ term) => term.trim())
    .filter(Boolean)
    .join(" + ")})`

/** A line with the signs of a sum in place of words and of Python's sum of a list, and without Markdown's bold.
 * @param {string} line */
export const withSigns = (line) =>
  OPERATION_WORDS.reduce(
    (text, [word, sign]) => text.replace(word, sign),
    line.replace(BOLD, "$1").replace(SUM_OF_LIST, asSum).replace(COMMENT_WITH_RESULT, "="),
  )

/** The plain sign for each variant that people write. Each string below is a variant followed by its plain sign. */
const SIGNS = new Map(
  ["×*", "✕*", "·*", "⋅*", "∙*", "•*", "∗*", "−-", "–-", "—-", "÷/", "⁄/", "∕/"]
    .concat(["[(", "{(", "])", "})", "＝=", "→=", "≃≈", "~≈", "∼≈", "，,", "、,", "；,", ";,", "。.", "：:"])
    .map(([variant, sign]) => [variant, sign]),
)

/** The factors of the units that people write after a number, in lower case. */
const UNITS = new Map(
  Object.entries({
    k: 1e3,
    m: 1e6,
    mio: 1e6,
    mil: 1e6,
    mln: 1e6,
    million: 1e6,
    millions: 1e6,
    millionen: 1e6,
    millones: 1e6,
    b: 1e9,
    万: 1e4,
    萬: 1e4,
    亿: 1e8,
    億: 1e8,
    百万: 1e6,
    千万: 1e7,
  }),
)

/** A compound such as 12-layer, whose hyphen is not a minus sign: a small number that no sign precedes, and plain
 * letters. */
const COMPOUND = String.raw`(?<![\p{L}\p{N}_.,'’*+/^=(×·−-])[0-9]{1,4}-\p{L}{2,}(?![\p{L}\p{N}_(])`

// A compound, a number, a word in Han or in other letters, a gap between cells, or any other sign.
const TOKEN = new RegExp(
  [
    `(?<compound>${COMPOUND})|`,
    "(?<number>[0-9]+(?:\\.[0-9]+)?[eE]\\+?[0-9]{1,3}(?![\\p{L}\\p{N}])|[0-9]{1,3}(?:[,.'_’ ][0-9]{3})+(?![0-9])|[0-9]+(?:\\.[0-9]+|,[0-9]+(?= ?(?:M|m|k|K|B|万|萬|亿|億|百万|千万)))?)",
    String.raw`(?: ?(?:百万|千万|万|萬|亿|億)|(?: ?(?:Mio|mio|mil|mln|[Mm]illion(?:s|en)?|millones|M)|[kKmB])(?![\p{L}\p{N}]))?`,
    String.raw`|(?<word>\p{Script=Han}+|[\p{L}_](?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}_'’]|\.(?=[0-9]{1,2}(?![0-9,.]))|-(?=\p{L}{2}))*)`,
    String.raw`|(?<gap> *(?:\t| {2,}|\|) *\|? *)`,
    String.raw`|(?<sign>\*\*|[-=]?[=>]|\S)`,
  ].join(""),
  "gu",
)

const MAX_DIGITS = 15 // JavaScript holds every whole number with up to this many digits exactly

/** The value and the tolerance of digits with a unit; null if there are too many digits to be exact, or if the exponent
 * is as large.
 * @param {string} digits @param {string} unit */
function numberOf(digits, unit) {
  const [mantissa, exponent] = digits.split(/e\+?/i)
  if (exponent) return Number(exponent) > MAX_DIGITS ? null : powerOfTen(mantissa, Number(exponent))
  const size = UNITS.get(unit.toLowerCase()) ?? 1
  const isGrouped = /^[0-9]{1,3}(?:[,.'_’ ][0-9]{3})+$/.test(digits)
  // With a unit, 1.017 is a decimal number, but 1.017.000 cannot be one.
  const isWhole = isGrouped && !(unit && /^[0-9]+[.,][0-9]{3}$/.test(digits))
  const [whole, fraction = ""] = isWhole ? [digits.replace(/[^0-9]/g, "")] : digits.split(/[.,]/)
  if (whole.length + fraction.length > MAX_DIGITS) return null
  const step = size / 10 ** fraction.length
  const value = Math.round(Number(`${whole}${fraction}`) * step * 1e6) / 1e6 // 1.1 × 10⁶ would be 1,100,000.0000000002
  return { value, tolerance: unit || fraction ? step / 2 : 0 }
}

/** The value and the tolerance of a number such as 1.1e8. @param {string} mantissa @param {number} exponent */
function powerOfTen(mantissa, exponent) {
  const decimals = mantissa.split(".")[1]?.length ?? 0
  return { value: Math.round(Number(mantissa) * 10 ** exponent), tolerance: 10 ** (exponent - decimals) / 2 }
}

/** A line with ^ and plain digits in place of superscripts. @param {string} line */
export const withPowers = (line) =>
  line.replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g, (superscripts) => `^${superscripts.normalize("NFKC")}`)

/** The tokens of a line. @param {string} text @returns {Token[]} */
export function tokensOf(text) {
  /** @type {Token[]} */
  const tokens = []
  for (const match of text.matchAll(TOKEN)) {
    const { compound, number, word, gap, sign } = match.groups ?? {}
    const isGlued = match.index > 0 && !/\s/.test(text[match.index - 1])
    const unit = number ? match[0].slice(number.length).trim() : ""
    const amount = number ? numberOf(number, unit) : null
    const commonFields = {
      text: match[0].trim(),
      value: NaN,
      tolerance: 0,
      isGlued,
      start: match.index,
      end: match.index + match[0].length,
    }
    if (amount) tokens.push({ ...commonFields, kind: "number", ...amount })
    else if (compound || number || word) tokens.push({ ...commonFields, kind: "word" })
    else if (gap) tokens.push({ ...commonFields, kind: "sign", text: "|" })
    else if (sign?.trim()) tokens.push({ ...commonFields, kind: "sign", text: signOf(sign) })
  }
  return tokens
}

/** The plain form of a sign. @param {string} sign */
const signOf = (sign) => {
  if (sign === "**") return "^"
  if (sign.length > 1) return "="
  return SIGNS.get(sign) ?? sign
}
