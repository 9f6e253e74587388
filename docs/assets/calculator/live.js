// Finds the elements of the calculator's page that scripts update, and puts texts and
// tables into them. Nothing that a reader types is ever parsed as HTML.

import { element, tableOf } from "../answering/elements.js"
import { contentOf, typeset } from "../drawing/html.js"

/**
 * The element with an id, which must exist.
 * @param {string} id
 */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id))

/**
 * The first descendant of an element that matches a selector; it must exist.
 * @param {string} id
 * @param {string} selector
 */
export const firstIn = (id, selector) => /** @type {HTMLInputElement} */ (byId(id).querySelector(selector))

/**
 * Sets the text of an element, unless it already has this text, so that a live region does not repeat it.
 * @param {Element} target
 * @param {string} text
 */
export function setText(target, text) {
  if (target.textContent !== typeset(text)) target.replaceChildren(...contentOf(text))
}

/**
 * Shows a table in place of the element with the given id. The scrolling element is reused, so that it keeps its scroll
 * position. Returns the element that has the id now.
 * @param {string} id
 * @param {string} caption
 * @param {Columns} columns
 * @param {(Content | Content[])[][]} rows
 * @param {Content[]} [foot]
 */
export function showTable(id, caption, columns, rows, foot) {
  const table = tableOf(id, caption, columns, rows, foot)
  const [scrollingElement] = byId(id).children
  if (scrollingElement) scrollingElement.replaceChildren(...table.children[0].children)
  else byId(id).replaceWith(table)
  return byId(id)
}

/**
 * A swatch of the colour of a block, to show before the block's name.
 * @param {string} block
 */
export const swatch = (block) => element("span", { class: `bc-key bc-${block}` })

/**
 * A line in small print that explains the text above it.
 * @param {Content[]} content
 */
export const smallPrint = (...content) => element("span", { class: "bc-what" }, content)

const MIN_SHARE = 0.0005 // a smaller share would be shown as 0.0%

/**
 * A share as a percentage to one decimal place, or "under 0.1%", as on all pages.
 * @param {number} share
 */
export const percentage = (share) => (share > 0 && share < MIN_SHARE ? "under 0.1%" : `${(100 * share).toFixed(1)}%`)
