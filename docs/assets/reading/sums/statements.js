// Reads the statements of a sum done by hand, such as "Q, K, V: 3 × (768 × 768 + 768) =
// 1,771,776". A statement has words, expressions with equals signs between them (expressions.js),
// and a number that is given as the result. A line may hold several statements, and a statement
// may continue on the next line.
//
// lines.js prepares the lines, line-reader.js reads the statements of each, and headings.js keeps
// the headings above them. Afterwards, regrouping.js splits and joins statements, and results.js
// finds the result of each.

import { isNumber } from "./expressions.js"
import { Headings, isHeading } from "./headings.js"
import { partsMeant } from "./labels.js"
import { continuesCalculation, LineReader } from "./line-reader.js"
import { linesIn } from "./lines.js"
import { lettersIn } from "./names.js"
import { depthOf, inOrderOfAddition } from "./outline.js"
import { regroup } from "./regrouping.js"
import { withResult, withSumsOfEarlier, withTimes } from "./results.js"
import { HIDDEN_SIZES } from "./sizes.js"

/** @typedef {import("./expressions.js").Expression} Expression */
/** @typedef {import("./headings.js").Heading} Heading */

/** A statement about a number. `words` are those before the number, and `after` are those after it. `heading` is the
 * line above, or the beginning of a sentence, such as "each of the 24 layers has". `times` is the number in a note on
 * the label, such as "(× 12)"; 0 if there is none. `name` is the word before an equals sign, and `stated` the result.
 * `upper` is a heading such as "Encoder × 12" under which the line is indented, and `parts` are the statements below
 * the line that it adds up (outline.js); each is null if there is none.
 * @typedef {{
 *   words: string, after: string, heading: string, times: number, name: string, expressions: Expression[],
 *   stated: { value: number, tolerance: number } | null, line: TextLine, text: string, upper: Heading | null,
 *   parts: import("./outline.js").Parts | null,
 * }} Statement */

const NAME = /^[A-Za-z]\w*$/ // the name of a result, which later lines may use

/** The statements of a text about numbers of parameters, in order, except that the subtotal of indented lines follows
 * them. A number that the writer only compares the sum with is left out.
 * @param {string} text @returns {Statement[]} */
export function statementsIn(text) {
  /** @type {Statement[]} */
  const statements = []
  const names = lettersIn(text)
  let headings = new Headings()
  let indexBefore = 0
  const lines = linesIn(text)
  for (const [index, line] of lines.entries()) {
    const last = statements[statements.length - 1] ?? null
    if (line.index > indexBefore + 1) headings = new Headings()
    indexBefore = line.index
    headings.moveTo(depthOf(line))
    const lineStatements = new LineReader(line, headings.last?.text ?? "", names, last).read()
    if (!continuesCalculation(line) && isHeading(lineStatements, line, lines[index + 1])) {
      headings.add(line.text.trim().replace(/[:：]$/, ""), depthOf(line))
      continue
    }
    for (const statement of lineStatements) statement.upper = headings.ofLayers
    statements.push(...lineStatements)
    for (const { name, expressions } of lineStatements)
      if (NAME.test(name) && expressions.some((expression) => !isNumber(expression))) names.add(name)
  }
  const regroupedStatements = regroup(withoutExpectation(statements)).map(withResult).map(withTimes)
  return inOrderOfAddition(lines, withSumsOfEarlier(regroupedStatements)).filter(
    (statement) => !isConcatenation(statement),
  )
}

/** Whether a statement, such as concat: 12 × 64, works out the width of the concatenated heads, which is not a number
 * of parameters.
 * @param {Statement} statement */
const isConcatenation = ({ words, stated }) =>
  /concat|verkett|拼接/i.test(words) && stated !== null && HIDDEN_SIZES.has(stated.value)

/** Words before the number that the writer expected or found elsewhere, and that the sum does not add. */
const EXPECTED = /\b(?:says?|reports?|prints?|claims?|shows?|should (?:be|have)|supposed to|expect\w*|official\w*)\b/i

/** Whether the words of a statement, or its heading, name a class with a head. @param {Statement} statement */
const namesClass = ({ words, heading }) => /(?:For[A-Z]\w+|LMHeadModel)/.test(`${words} ${heading}`)

/** The statements without the last one if it is a number that the writer compares the sum with, as in "but Keras says
 * 109M".
 * @param {Statement[]} statements */
function withoutExpectation(statements) {
  const { words, expressions } = statements.at(-1) ?? { words: "", expressions: [] }
  const hasFormula = statements.some(({ expressions: [first] }) => !isNumber(first))
  const isExpected = EXPECTED.test(words) && !partsMeant(words).length && expressions.every(isNumber)
  // An exact number may show which class is meant, so it is kept unless the text names a class.
  const isDispensable = expressions.some(({ tolerance }) => tolerance > 0) || statements.some(namesClass)
  return hasFormula && isExpected && isDispensable ? statements.slice(0, -1) : statements
}
