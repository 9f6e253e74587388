// The parts of the calculator's page that scripts keep up to date: finding them,
// and putting texts and tables into them. Nothing that a reader types is ever
// parsed as HTML.

import { element, tableOf } from "../answering/elements.js"
import { unbroken } from "../drawing/html.js"

/**
 * The element of the page with an id; it must be there.
 * @param {string} name
 */
export const place = (name) => /** @type {HTMLElement} */ (document.getElementById(name))

/**
 * The first element within another one that a selector matches; it must be there.
 * @param {string} name  the id of the outer element
 * @param {string} selector
 */
export const placeIn = (name, selector) => /** @type {HTMLInputElement} */ (place(name).querySelector(selector))

/**
 * Set the text of an element. A text that is there already is left alone, so that a live region does not repeat it.
 * @param {Element} where
 * @param {string} text
 */
export function say(where, text) {
  if (where.textContent !== text) where.replaceChildren(...unbroken(text))
}

/**
 * Show a table in its place. The element that scrolls stays, and with it how far it is scrolled.
 * @param {string} name  its id
 * @param {string} caption
 * @param {Columns} columns
 * @param {(Content | Content[])[][]} rows
 * @param {Content[]} [foot]
 */
export function showTable(name, caption, columns, rows, foot) {
  const table = tableOf(name, caption, columns, rows, foot)
  const [before] = place(name).children
  if (before) before.replaceChildren(...table.children[0].children)
  else place(name).replaceWith(table)
  return place(name)
}

/**
 * The colour of a block, as it stands before the block's name.
 * @param {string} block
 */
export const swatch = (block) => element("span", { class: `bc-key bc-${block}` })

/**
 * A line in small print that explains what is above it.
 * @param {Content[]} content
 */
export const explanation = (...content) => element("span", { class: "bc-what" }, content)

/**
 * A share as a percentage with one decimal, or "under 0.1%", as on all pages.
 * @param {number} share
 */
export const percentage = (share) => (share > 0 && share < 0.0005 ? "under 0.1%" : `${(100 * share).toFixed(1)}%`)
