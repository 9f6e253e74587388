// Finds the parts of the calculator's page that scripts update, and puts texts and
// tables into them. Nothing that a reader types is ever parsed as HTML.

import { element, tableOf } from "../answering/elements.js"
import { contentOf, typeset } from "../drawing/html.js"

/**
 * The element of the page with an id; it must exist.
 * @param {string} name
 */
export const byId = (name) => /** @type {HTMLElement} */ (document.getElementById(name))

/**
 * The first element within another one that matches a selector; it must exist.
 * @param {string} name  the id of the outer element
 * @param {string} selector
 */
export const firstIn = (name, selector) => /** @type {HTMLInputElement} */ (byId(name).querySelector(selector))

/**
 * Sets the text of an element. If the element has this text already, nothing is changed, so that a live region does not
 * repeat it.
 * @param {Element} target
 * @param {string} text
 */
export function say(target, text) {
  if (target.textContent !== typeset(text)) target.replaceChildren(...contentOf(text))
}

/**
 * Shows a table in the element with its id. The element that scrolls is kept, so its scroll position stays the same.
 * @param {string} name  its id
 * @param {string} caption
 * @param {Columns} columns
 * @param {(Content | Content[])[][]} rows
 * @param {Content[]} [foot]
 */
export function showTable(name, caption, columns, rows, foot) {
  const table = tableOf(name, caption, columns, rows, foot)
  const [before] = byId(name).children
  if (before) before.replaceChildren(...table.children[0].children)
  else byId(name).replaceWith(table)
  return byId(name)
}

/**
 * A sample of the colour of a block, to be shown before the block's name.
 * @param {string} block
 */
export const swatch = (block) => element("span", { class: `bc-key bc-${block}` })

/**
 * A line in small print that explains the text above it.
 * @param {Content[]} content
 */
export const explanation = (...content) => element("span", { class: "bc-what" }, content)

const MIN_SHARE = 0.0005 // a smaller one would be printed as 0.0%

/**
 * A share as a percentage with one decimal, or "under 0.1%", as on all pages.
 * @param {number} share
 */
export const percentage = (share) => (share > 0 && share < MIN_SHARE ? "under 0.1%" : `${(100 * share).toFixed(1)}%`)
