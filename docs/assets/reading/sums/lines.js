// Prepares the lines of a sum done by hand: joins those of a wrapped sentence, and removes from
// each whatever is not part of the sum, such as bullets, LaTeX and dates. A note on a label that
// says how often the number after it counts, as in "FFN (× 12)", is taken out of the line, too.

import { linesOf } from "../clean.js"
import { saysLayer } from "./labels.js"
import { HIDDEN_SIZES } from "./sizes.js"
import { withLineBreaks, withoutLatex, withPowers, withSigns } from "./tokens.js"

const MAX_LINE_LENGTH = 3000 // characters
const MAX_LINES = 400

/** The marker of a list item: a dash or a dot, a number or letter with a full stop or bracket, a number in a circle, or
 * the number of a step. */
const BULLET =
  /^\s*(?:[-*•◦‣·–—+]\s+|(?:[Ss]tep|[Ss]chritt|[Éé]tape|[Pp]aso) [0-9]{1,2}[.:)]\s*(?![0-9])|\(?(?:[0-9]{1,2}|[a-zA-Z]|[ivx]{1,4})[.)、]\s*(?![0-9])|[①-⑳]\s*)+/
/** The branch before a name in a drawn tree. */
const BRANCH = /^[\s│|]*[├└╰|`+][─-]{1,3}\s+/
/** A date, perhaps with a time after it: 2024-05-01T12:00:05. */
const DATE =
  /(?<![0-9])[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}(?:[T ]?[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?)?(?![0-9])/g

/** The name of a layer with its number, in the cell before its count, which it must not be joined with. */
const NUMBERED_LAYER =
  /^(\p{L}[^0-9=≈:|]{0,60}(?<=layer|block|schicht|couche|capa)[ #-]{1,2}[0-9]{1,2})\s*[\s|](?=\s*[0-9][0-9.,]{4,}\s*\|?\s*$)/iu

/** The beginning of a formula right after a label. */
const FORMULA_NEXT = String.raw`(?= ?[:=|]? ?\(?[0-9][0-9,]* ?[×x*·+(])`
/** Labels with a note on how often the number or the formula after them counts, usually once per layer: FFN (× 12). */
const LABEL_WITH_TIMES =
  /^(?<label>[^(=≈:|]{0,80}?) ?\((?: ?[×x*·] ?(?<after>[0-9]{1,2})|(?<before>[0-9]{1,2}) ?[×x*·]) ?\)/
/** Labels with the number of layers in brackets, or with a factor before them: FFN (12 layers), 12 × FFN. */
const LABELS_OF_FORMULAS = [
  new RegExp(
    String.raw`^(?<label>[^(=≈:|]{0,80}?) ?\((?:all )?(?<before>[0-9]{1,2}) (?:layers|blocks)\)${FORMULA_NEXT}`,
    "i",
  ),
  new RegExp(String.raw`^(?<before>[0-9]{1,2}) ?[×x*·] ?(?<label>\p{L}[^0-9()=≈:|×*+^]{1,60}?)${FORMULA_NEXT}`, "u"),
]

/** A range of layers by their numbers, which are not terms: layers 0-5. */
const RANGE_OF_LAYERS = /(?<=\blayers?\s)[0-9]{1,2}\s?[-–]\s?[0-9]{1,2}(?![0-9,.])/gi

/** Names and numbers that Python assigns at once: V, H = 30522, 768. */
const ASSIGNMENTS =
  /^\(?(?<names>[A-Za-z_]\w*(?: ?, ?[A-Za-z_]\w*)+)\)? ?= ?\(?(?<numbers>[0-9][0-9_]*(?: ?, ?[0-9][0-9_]*)+)\)?(?= *(?:#|$))/

/** The text with lost superscripts restored: 7682 becomes 768^2 in a text that also contains the hidden size 768.
 * @param {string} text */
const withSquares = (text) =>
  text.replace(/(?<![0-9.,])([0-9]{3,4})2(?![0-9.,])/g, (number, root) =>
    HIDDEN_SIZES.has(Number(root)) && new RegExp(`(?<![0-9])${root}(?![0-9])`).test(text) ? `${root}^2` : number,
  )

const MIN_WRAPPED = 60 // characters; a shorter line was not wrapped

/** The end of a line with a number, and the beginning of one that adds to it. */
const [NUMBER_LAST, ADDS_NUMBER] = [/[0-9)]\s*$/, /^\s*\+\s*[(0-9]/]

/** The lines, joined where a sentence was wrapped, and where a line begins with a plus and goes on with the sum above.
 * @param {TextLine[]} lines */
function joinWrapped(lines) {
  /** @type {TextLine[]} */
  const joinedLines = []
  let lastIndex = -2
  for (const line of lines) {
    const lineBefore = joinedLines[joinedLines.length - 1]
    const isNext = lastIndex + 1 === line.index
    const isFull = isNext && lineBefore.source.length > MIN_WRAPPED && /\p{Ll}{2}$/u.test(lineBefore.text.trim())
    const isWrapped = isFull && /^\p{Ll}(?!.{0,40}[=:])/u.test(line.text)
    if (isWrapped || (isNext && NUMBER_LAST.test(lineBefore.text) && ADDS_NUMBER.test(line.text)))
      joinedLines[joinedLines.length - 1] = {
        ...lineBefore,
        text: `${lineBefore.text} ${line.text}`,
        source: `${lineBefore.source} ${line.source}`,
      }
    else joinedLines.push(line)
    lastIndex = line.index
  }
  return joinedLines
}

/** The value of a spreadsheet's formula, in the cell after it at the end of the line. */
const CELL_WITH_VALUE = String.raw`(?=(?: {2,}|\t| ?\|)\s*[0-9][0-9.,]*\s*$)`
/** Formulas of a spreadsheet, each with its value in the next cell: the sum of a range of cells, a formula with the
 * names of cells, and the sign before a formula of numbers.
 * @type {[RegExp, string][]} */
const CELLS = [
  [new RegExp(String.raw`=\s*(?:SUMM?[AE]?|SOMME)\([^()]*\)${CELL_WITH_VALUE}`, "i"), "total "],
  [new RegExp(`=[^=|]*(?<![A-Za-z])[A-Z]{1,2}[0-9]{1,3}(?![A-Za-z0-9])[^=|]*?${CELL_WITH_VALUE}`), ""],
  [new RegExp(String.raw`^\s*=(?=[^=|]*[*+^(][^=|]*?${CELL_WITH_VALUE})`), ""],
]

/** A line of a spreadsheet without the signs and names of its formula; any other line unchanged.
 * @param {TextLine} line */
const withoutCells = (line) => ({
  ...line,
  text: CELLS.reduce((text, [cell, replacement]) => text.replace(cell, replacement), line.text),
})

/** The lines of a text, with those of a wrapped sentence joined and lost superscripts restored.
 * @param {string} text */
export const linesIn = (text) =>
  joinWrapped(
    linesOf(withSquares(withPowers(withLineBreaks(text))))
      .slice(0, MAX_LINES)
      .map(withoutCells),
  )

/** The text of a line without bullets, LaTeX and dates, and with ^ for powers. @param {TextLine} line */
const textOf = ({ text }) =>
  withPowers(
    withSigns(withoutLatex(text.slice(0, MAX_LINE_LENGTH).replace(BRANCH, "").replace(BULLET, "").replace(DATE, " ")))
      .replace(/(?<=[0-9] ?|^[\s|]*|[0-9][.;,] )x(?=[0-9])/gi, "×") // 768x3072, 7,087,872 x12, x12 = 85,054,464
      .replace(/&/g, " ")
      .replace(RANGE_OF_LAYERS, "")
      .replace(/^[\s|]+/, "")
      .replace(ASSIGNMENTS, inPairs)
      .replace(NUMBERED_LAYER, "$1: ")
      .trimEnd(),
  )

/** Assignments with each name next to its number, as in "V = 30522, H = 768"; unchanged if there is not one number for
 * each name.
 * @param {string} assignments @param {string} names @param {string} numbers */
function inPairs(assignments, names, numbers) {
  const [nameList, numberList] = [names, numbers].map((list) => list.split(/ ?, ?/))
  if (nameList.length !== numberList.length) return assignments
  return nameList.map((name, index) => `${name} = ${numberList[index]}`).join(", ")
}

/** The text to be read in a line, and how often the note on its label says that its number counts; 0 if it has none.
 * @param {TextLine} line */
export const textAndTimesOf = (line) => splitTimes(textOf(line))

/** The text of a line without the note on its label, and the number in that note; 0 if there is none. A note on a layer
 * itself, as in 12 × encoder layer, remains, because the formula after it may be for all layers.
 * @param {string} text @returns {[string, number]} */
function splitTimes(text) {
  for (const pattern of [LABEL_WITH_TIMES, ...LABELS_OF_FORMULAS]) {
    const match = pattern.exec(text)
    const { label = "", before, after } = match?.groups ?? {}
    if (match && !saysLayer(label)) return [label + text.slice(match[0].length), Number(before ?? after)]
  }
  return [text, 0]
}
