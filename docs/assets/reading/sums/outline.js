// Finds the outline of a sum done by hand: in an indented list or a drawn tree, the lines below a
// line are its parts. The number of the upper line is then a subtotal, although it precedes its
// summands, and a number of layers on it, as in "Encoder × 12", applies to every line below.
//
// Lines may also be indented to align them. So a number is taken for the subtotal of the lines
// below it only if it is their sum, or near it.

import { sumBy } from "../../counting/engine.js"
import { isNumber, MAX_COUNT, resultOf, widestTolerance } from "./expressions.js"
import { layersNamed, mayInclude, saysLayer } from "./labels.js"

/** @typedef {import("./statements.js").Statement} Statement */

/** A line with its statements and the lines below it. @typedef {{ line: TextLine, depth: number, statements:
 * Statement[], lower: OutlineLine[] }} OutlineLine */

/** A list of statements that an upper line adds up, each this many times.
 * @typedef {{ statements: Statement[], times: number }} Parts */

export const MAX_LAYERS = 96 // the largest number of layers that a model is taken to have
// The largest logarithm of the ratio between a subtotal and the sum of its parts. A single part
// is more likely a line that is only aligned.
const [MAX_DISTANCE, MAX_DISTANCE_OF_ONE] = [0.7, 0.05]

/** Spaces, the lines of a drawn tree, and the markers of list items. */
const INDENTATION = /^[\s│├└┌┬─╰╭|`>+*•◦‣·–—-]+/
/** A number of times after a heading or before it: Encoder × 12, (12×) encoder. */
const TIMES = /(?<![a-z])[×x*] ?([0-9]{1,2})(?![0-9])\W*$|^\W*([0-9]{1,2}) ?[×x*](?![0-9])/

/** The number of characters before the text of a line. @param {TextLine} line */
export const depthOf = ({ source }) => INDENTATION.exec(source)?.[0].length ?? 0

/** Whether a statement only counts things, such as layers. @param {Statement} statement */
const isOfCount = ({ stated, expressions }) =>
  stated !== null && stated.value <= MAX_COUNT && expressions.every(isNumber)

/** The number of layers that a heading gives for the lines below it; 0 if it gives none. @param {string} heading */
export function timesOfHeading(heading) {
  const [, after, before] = TIMES.exec(heading) ?? []
  const times = Number(after ?? before ?? 0) || layersNamed(heading)
  return times > 1 && times <= MAX_LAYERS ? times : 0
}

/** The number that a statement gives; NaN if it depends on sizes. @param {Statement} statement */
export const numberOf = ({ stated, expressions }) => stated?.value ?? resultOf(expressions[0])

/** The statements that an upper line adds up, and how often; null if its number is not near their sum.
 * @param {Statement} statement @param {Statement[]} statements  those below it @returns {Parts | null} */
function partsOf(statement, statements) {
  const { stated, words } = statement
  const sum = sumBy(statements, numberOf)
  if (!stated || !(sum > 0)) return null
  const quotient = stated.value / sum
  const isMultipleOfLayers = statements.every((part) => saysLayer(part.words)) && Number.isInteger(quotient)
  const possibleTimes = [1, timesOfHeading(words), isMultipleOfLayers && quotient <= MAX_LAYERS ? quotient : 0]
  const [nearest] = possibleTimes
    .filter((times) => times > 0)
    .map((times) => ({ times, distance: Math.abs(Math.log(stated.value / (sum * times))) }))
    .sort((one, other) => one.distance - other.distance)
  const isExact = Math.abs(sum * nearest.times - stated.value) <= widestTolerance(stated)
  const areSeveral = statements.length > 1
  const isNear = isExact || nearest.distance < (areSeveral ? MAX_DISTANCE : MAX_DISTANCE_OF_ONE)
  return isNear && (areSeveral || mayInclude(words, statements[0].words)) ? { statements, times: nearest.times } : null
}

/** The lines of a text as a tree, whose top-level lines are returned.
 * @param {TextLine[]} lines @param {Statement[]} statements */
function treeOfLines(lines, statements) {
  /** @type {Map<number, Statement[]>} */
  const statementsByLine = new Map()
  for (const statement of statements) {
    const { index } = statement.line
    statementsByLine.set(index, [...(statementsByLine.get(index) ?? []), statement])
  }
  /** @type {OutlineLine[]} */
  const topLines = []
  /** The lines below which the next one may be, the outermost first. @type {OutlineLine[]} */
  const upperLines = []
  for (const line of lines) {
    const depth = depthOf(line)
    while (upperLines.length && upperLines[upperLines.length - 1].depth >= depth) upperLines.pop()
    const outlineLine = { line, depth, statements: statementsByLine.get(line.index) ?? [], lower: [] }
    const siblings = upperLines[upperLines.length - 1]?.lower ?? topLines
    siblings.push(outlineLine)
    upperLines.push(outlineLine)
  }
  return topLines
}

/** The statements of a text in the order in which they are added up: a subtotal follows its parts.
 * @param {TextLine[]} lines @param {Statement[]} statements */
export function inOrderOfAddition(lines, statements) {
  /** @type {Statement[]} */
  const orderedStatements = []
  /** Adds the statements of a line and of those below it. Returns the ones that no subtotal adds up.
   * @param {OutlineLine} outlineLine @returns {Statement[]} */
  const add = ({ statements: ownStatements, lower }) => {
    const start = orderedStatements.length
    const statementsBelow = lower.flatMap(add)
    const [statement] = ownStatements
    const parts = ownStatements.length === 1 && statementsBelow.length ? partsOf(statement, statementsBelow) : null
    if (parts) {
      const subtotal = { ...statement, parts }
      orderedStatements.push(subtotal)
      return [subtotal]
    }
    orderedStatements.splice(start, 0, ...ownStatements)
    return [...ownStatements.filter((candidate) => !isOfCount(candidate)), ...statementsBelow]
  }
  for (const line of treeOfLines(lines, statements)) add(line)
  return orderedStatements
}
