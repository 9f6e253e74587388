// Builds the pieces of an answer as HTML elements. What a reader typed is only ever
// inserted as text, never as HTML.

import { whole } from "../counting/engine.js"
import { contentOf, typeset } from "../drawing/html.js"

/** The path to the root of the site. An embedded page states it in `data-root`; every other page with answers is one
 * folder below the root. */
export const ROOT = globalThis.document?.documentElement.dataset.root ?? "../"
const MAX_NAMES = 6 // names listed before the sentence ends "and 3 more"

/** An element with attributes and children. Strings become text in which no line ends with an operator.
 * @param {string} name @param {Record<string, string>} attributes
 * @param {(Content | Content[])[]} children */
export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value)
  node.append(...children.flat().flatMap((child) => contentOf(child, name === "code")))
  return node
}

/** The content of a template literal, in which numbers, links and names are mixed with words:
 * content`It has ${number(7)} parts.`
 * @param {readonly string[]} words @param {(Content | Content[])[]} values @returns {Content[]} */
export const content = (words, ...values) => words.flatMap((piece, index) => [piece, values[index] ?? ""].flat())

/** A number in the typeface used for counts. @param {number} value */
export const number = (value) => element("span", { class: "bc-count" }, whole(value))

/** A number with its sign. @param {number} value */
export const withSign = (value) => (value > 0 ? `+${whole(value)}` : whole(value))

/** A link to a page of the site, or plain text if there is no page.
 * @param {PageAddress} page @param {string} text @returns {Content} */
export const link = (page, text) => (page ? element("a", { href: ROOT + page }, text) : text)

/** The positions in a name at which a line may break: after a slash or a dot, but not within a number such as 3.5
 * or at the end of the name. */
const BREAK_POSITION = /(?<=[\p{L}*][/.]|\d\.(?=\p{L}))(?=[\p{L}\d*])/u

/** A text set as code, in which a line may break at each `BREAK_POSITION`, as in the tables of the build.
 * @param {string} text */
export const code = (text) =>
  element(
    "code",
    {},
    text.split(BREAK_POSITION).flatMap((piece, index) => (index ? [element("wbr"), piece] : [piece])),
  )

/** A list with commas between the items and a conjunction before the last. If there are many, only the first are named,
 * and the rest are counted.
 * @param {Content[]} items
 * @param {string} [conjunction] */
export function inWords(items, conjunction = "and") {
  // "and 1 more" would be no shorter than that one name.
  const visibleItems = items.slice(0, items.length > MAX_NAMES + 1 ? MAX_NAMES : items.length)
  const hiddenCount = items.length - visibleItems.length
  const listedItems = hiddenCount ? [...visibleItems, `${hiddenCount} more`] : visibleItems
  return listedItems.flatMap((item, index) => {
    if (index === 0) return [item]
    return [index < listedItems.length - 1 ? ", " : ` ${conjunction} `, item]
  })
}

const MAX_SIDE_BY_SIDE = 3 // short cells that fit side by side on a phone

/** A table. On a narrow page each row becomes a block: numbers and single words side by side, and each longer cell on a
 * line of its own (see styles/21-tables.css).
 * @param {string} id
 * @param {string} caption
 * @param {Columns} columns  the kind of each column, by its heading
 * @param {(Content | Content[])[][]} rows @param {Content[]} [foot] */
export function tableOf(id, caption, columns, rows, foot) {
  const headings = Object.entries(columns)
  /** The cells of a row, the first of which is its heading. @param {(Content | Content[])[]} row */
  const cells = (row) =>
    headings.map(([text, kind], index) => {
      /** @type {Record<string, string>} */
      const attributes = index ? { "data-head": typeset(text) } : { scope: "row" }
      return element(index ? "td" : "th", { class: `bc-${kind}`, ...attributes }, row[index])
    })
  const head = headings.map(([text, kind]) => element("th", { scope: "col", class: `bc-${kind}` }, text))
  const shortColumns = headings.filter(([, kind]) => kind === "num" || kind === "word").length
  const body = rows.map((row) => element("tr", {}, cells(row)))
  const table = element(
    "table",
    { class: `bc bc-${Math.min(MAX_SIDE_BY_SIDE, Math.max(1, shortColumns))}` },
    element("caption", { id: `${id}-caption` }, element("span", { class: "bc-caption" }, caption)),
    element("thead", {}, element("tr", {}, head)),
    element("tbody", {}, body),
    foot ? element("tfoot", {}, element("tr", {}, cells(foot))) : "",
  )
  const regionAttributes = { class: "bc-scroll", role: "region", "aria-labelledby": `${id}-caption`, tabindex: "0" }
  return element("div", { class: "bc-table", id }, element("div", regionAttributes, table))
}
