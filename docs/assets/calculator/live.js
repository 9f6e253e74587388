// Live elements: what is on the page, and texts and tables that scripts put into
// it anew. Whatever comes from a reader only ever becomes text.

import { element, tableOf } from "../answering/elements.js"
import { unbroken } from "../drawing/html.js"

/** An element that is on the page. @param {string} name */
export const place = (name) => /** @type {HTMLElement} */ (document.getElementById(name))

/** An element that is in such a place. @param {string} name @param {string} selector */
export const placeIn = (name, selector) => /** @type {HTMLInputElement} */ (place(name).querySelector(selector))

/** Give an element other text, if it is other. @param {Element} where @param {string} text */
export function say(where, text) {
  if (where.textContent !== text) where.replaceChildren(...unbroken(text))
}

/** Show a table in its place; how far the one before was scrolled stays.
 * @param {string} name  its id @param {string} caption @param {Columns} columns @param {(Content | Content[])[][]} rows @param {Content[]} [foot] */
export function showTable(name, caption, columns, rows, foot) {
  const made = tableOf(name, caption, columns, rows, foot)
  const [before] = place(name).children
  if (before) before.replaceChildren(...made.children[0].children)
  else place(name).replaceWith(made)
  return place(name)
}

/** The colour of a block before its name. @param {string} block */
export const swatch = (block) => element("span", { class: `bc-key bc-${block}` })
/** What explains what stands above it. @param {Content[]} content */
export const what = (...content) => element("span", { class: "bc-what" }, content)

/** A part of a whole in per cent, with one decimal; what is less than that as such, as on all pages. @param {number} share */
export const percentage = (share) => (share > 0 && share < 0.0005 ? "under 0.1%" : `${(100 * share).toFixed(1)}%`)
