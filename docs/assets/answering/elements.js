// Elements: what answers are made of. What a reader typed only ever becomes text.

import { whole } from "../counting/engine.js"
import { contentOf } from "../drawing/html.js"

// Pages with answers stand one folder below the top, and what is embedded says where it stands.
const ROOT = globalThis.document?.documentElement.dataset.root ?? "../"
const MOST_NAMES = 6

/** An element with attributes and children; strings become text, of which no line ends with a sign.
 * @param {string} name @param {Record<string, string>} attributes @param {(Content | Content[])[]} children */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...children.flat().flatMap(contentOf))
  return made
}

/** Words with numbers, links and names in between: said`It has ${number(7)} parts.`
 * @param {readonly string[]} words @param {(Content | Content[])[]} between @returns {Content[]} */
export const said = (words, ...between) => words.flatMap((each, place) => [each, between[place] ?? ""].flat())

/** @param {number} value */
export const number = (value) => element("span", { class: "bc-count" }, whole(value))
/** @param {number} value */
export const signed = (value) => (value > 0 ? `+${whole(value)}` : whole(value))
/** @param {PageAddress} page @param {string} text @returns {Content} */
export const link = (page, text) => (page ? element("a", { href: ROOT + page }, text) : text)
const JOINT = /(?<=[\p{L}*][/.]|\d\.(?=\p{L}))(?=[\p{L}\d*])/u
/** A name as code, breakable at its joints, as in the tables of the build. @param {string} text */
export const code = (text) =>
  element(
    "code",
    {},
    text.split(JOINT).flatMap((piece, place) => (place ? [element("wbr"), piece] : [piece])),
  )

/** Words with commas between them and "and" before the last, cut where there are many. @param {Content[]} items */
export function listed(items, and = "and") {
  const shown = items.slice(0, items.length > MOST_NAMES + 1 ? MOST_NAMES : items.length)
  const more = items.length - shown.length
  const all = more ? [...shown, `${more} more`] : shown
  return all.flatMap((each, place) => [place ? (place < all.length - 1 ? ", " : ` ${and} `) : "", each])
}

/** A table, whose rows are stacked where the page is narrow.
 * @param {string} name  its id @param {string} caption @param {Columns} columns  what stands in each, by its heading
 * @param {(Content | Content[])[][]} rows @param {Content[]} [foot] */
export function tableOf(name, caption, columns, rows, foot) {
  const listed = Object.entries(columns)
  /** @param {(Content | Content[])[]} row */
  const cells = (row) =>
    listed.map(([text, kind], place) => {
      /** @type {Record<string, string>} */
      const said = place ? { "data-head": text } : { scope: "row" }
      return element(place ? "td" : "th", { class: `bc-${kind}`, ...said }, row[place])
    })
  const head = listed.map(([text, kind]) => element("th", { scope: "col", class: `bc-${kind}` }, text))
  const abreast = listed.filter(([, kind]) => kind === "num" || kind === "word").length
  const body = rows.map((row) => element("tr", {}, cells(row)))
  const made = element(
    "table",
    { class: `bc bc-${Math.min(3, Math.max(1, abreast))}` },
    element("caption", { id: `${name}-caption` }, element("span", { class: "bc-caption" }, caption)),
    element("thead", {}, element("tr", {}, head)),
    element("tbody", {}, body),
    foot ? element("tfoot", {}, element("tr", {}, cells(foot))) : "",
  )
  const region = { class: "bc-scroll", role: "region", "aria-labelledby": `${name}-caption`, tabindex: "0" }
  return element("div", { class: "bc-table", id: name }, element("div", region, made))
}
