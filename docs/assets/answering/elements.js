// Builds the pieces of an answer as HTML elements. What a reader typed only ever
// becomes text in them, never HTML.

import { whole } from "../counting/engine.js"
import { contentOf, typeset } from "../drawing/html.js"

/** The top of the site: pages with answers are one folder below it, and an embedded page says where it is. */
export const ROOT = globalThis.document?.documentElement.dataset.root ?? "../"
const MOST_NAMES = 6 // names in a sentence, after which it says how many more there are

/** An element with attributes and children. Strings become text, in which no line breaks after a sign.
 * @param {string} name @param {Record<string, string>} attributes
 * @param {(Content | Content[])[]} children */
export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value)
  node.append(...children.flat().flatMap((child) => contentOf(child, name === "code")))
  return node
}

/** The content of a template literal: words with numbers, links and names among them, as in
 * content`It has ${number(7)} parts.`
 * @param {readonly string[]} words @param {(Content | Content[])[]} between @returns {Content[]} */
export const content = (words, ...between) => words.flatMap((piece, place) => [piece, between[place] ?? ""].flat())

/** A number in the type of counts. @param {number} value */
export const number = (value) => element("span", { class: "bc-count" }, whole(value))

/** A number with its sign. @param {number} value */
export const signed = (value) => (value > 0 ? `+${whole(value)}` : whole(value))

/** A link to a page of the site, or mere text if there is no page.
 * @param {PageAddress} page @param {string} text @returns {Content} */
export const link = (page, text) => (page ? element("a", { href: ROOT + page }, text) : text)

/** The places in a name at which a line may end: after a slash or a full stop within it, but not in a number such as
 * 3.5, nor at the end of the name. */
const JOINT = /(?<=[\p{L}*][/.]|\d\.(?=\p{L}))(?=[\p{L}\d*])/u

/** A name as code, which may break after its dots and slashes, as in the tables of the build.
 * @param {string} text */
export const code = (text) =>
  element(
    "code",
    {},
    text.split(JOINT).flatMap((piece, place) => (place ? [element("wbr"), piece] : [piece])),
  )

/** Items with commas between them and "and" before the last; only the first few if there are many.
 * @param {Content[]} items
 * @param {string} [and]  the word before the last */
export function inWords(items, and = "and") {
  // "And one more" would be no shorter than the name of the one.
  const visible = items.slice(0, items.length > MOST_NAMES + 1 ? MOST_NAMES : items.length)
  const hiddenCount = items.length - visible.length
  const all = hiddenCount ? [...visible, `${hiddenCount} more`] : visible
  return all.flatMap((item, place) => {
    if (place === 0) return [item]
    return [place < all.length - 1 ? ", " : ` ${and} `, item]
  })
}

const MOST_ABREAST = 3 // short cells that fit side by side on a phone

/** A table whose rows are stacked on a narrow page: there each row is a block in which numbers and single words are side
 * by side, and longer cells have a line each (see styles/21-tables.css).
 * @param {string} name  its id
 * @param {string} caption
 * @param {Columns} columns  the kind of each column, by its heading
 * @param {(Content | Content[])[][]} rows @param {Content[]} [foot] */
export function tableOf(name, caption, columns, rows, foot) {
  const headings = Object.entries(columns)
  /** The cells of a row, of which the first is its heading. @param {(Content | Content[])[]} row */
  const cells = (row) =>
    headings.map(([text, kind], place) => {
      /** @type {Record<string, string>} */
      const attributes = place ? { "data-head": typeset(text) } : { scope: "row" }
      return element(place ? "td" : "th", { class: `bc-${kind}`, ...attributes }, row[place])
    })
  const head = headings.map(([text, kind]) => element("th", { scope: "col", class: `bc-${kind}` }, text))
  const shortColumns = headings.filter(([, kind]) => kind === "num" || kind === "word").length
  const body = rows.map((row) => element("tr", {}, cells(row)))
  const table = element(
    "table",
    { class: `bc bc-${Math.min(MOST_ABREAST, Math.max(1, shortColumns))}` },
    element("caption", { id: `${name}-caption` }, element("span", { class: "bc-caption" }, caption)),
    element("thead", {}, element("tr", {}, head)),
    element("tbody", {}, body),
    foot ? element("tfoot", {}, element("tr", {}, cells(foot))) : "",
  )
  const region = { class: "bc-scroll", role: "region", "aria-labelledby": `${name}-caption`, tabindex: "0" }
  return element("div", { class: "bc-table", id: name }, element("div", region, table))
}
