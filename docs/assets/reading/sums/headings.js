// Keeps the headings of a sum done by hand. A heading is a line without a result. It applies to the
// lines that are indented below it or, if none are, to all lines up to the next heading.

import { isNumber, MAX_COUNT } from "./expressions.js"
import { depthOf, timesOfHeading } from "./outline.js"

/** @typedef {import("./statements.js").Statement} Statement */

/** A heading, which may have indented lines below it. `times` is the number of layers that it gives; 0 if it gives
 * none. `isOutlined` is true if the lines below it are indented.
 * @typedef {{ text: string, depth: number, times: number, isOutlined: boolean }} Heading */

/** The headings that apply to a line. */
export class Headings {
  constructor() {
    /** The headings that apply to the current line, the outermost first. @type {Heading[]} */
    this.list = []
  }

  /** The innermost heading; undefined if there is none. */
  get last() {
    return this.list[this.list.length - 1]
  }

  /** The innermost heading that gives a number of layers for the lines indented below it; null if there is none. */
  get ofLayers() {
    return [...this.list].reverse().find(({ times, isOutlined }) => isOutlined && times > 0) ?? null
  }

  /** Moves to a line at this depth: ends the headings under which it is not indented, and marks the innermost heading
   * if it is indented under that. A heading without any indented lines applies to all lines up to the next heading.
   * @param {number} depth */
  moveTo(depth) {
    while (this.last?.isOutlined && this.last.depth >= depth) this.list.pop()
    if (this.last && this.last.depth < depth) this.last.isOutlined = true
  }

  /** Adds a heading, and ends those that are indented as far or further. @param {string} text @param {number} depth */
  add(text, depth) {
    while (this.last && this.last.depth >= depth) this.list.pop()
    this.list.push({ text, depth, times: timesOfHeading(text), isOutlined: false })
  }
}

/** Whether a line is a heading: it has no numbers, or only a number of things, such as layers, and a colon at the end
 * or an indented line after it.
 * @param {Statement[]} lineStatements @param {TextLine} line @param {TextLine | undefined} next */
export const isHeading = (lineStatements, line, next) =>
  lineStatements.every(({ expressions }) => expressions.every((part) => isNumber(part) && part.value <= MAX_COUNT)) &&
  (!lineStatements.length || /[:：]$/.test(line.text) || (next !== undefined && depthOf(next) > depthOf(line)))
