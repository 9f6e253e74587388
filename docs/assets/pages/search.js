// The site's search: where a number is typed, the first thing it offers is to
// explain this number. The address of the page that does so is in the
// `data-explains` of the element that loads this script.

import { cut } from "../counting/short.js"
import { html } from "../drawing/html.js"

const { explains } = /** @type {HTMLElement} */ (document.querySelector("[data-explains]")).dataset
const query = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-md-component=search-query]"))
const results = document.querySelector("[data-md-component=search-result]")

// Units as the page that explains numbers reads them; a test compares the two.
const UNIT =
  /^(?:k|thousand|tausend|lakhs?|m|mio|mln|million(?:s|en)?|crores?|g|b|bn|billions?|t|trillions?|[kmgt]?(?:flops?|macs?)|mrd|mia|mld|milliard(?:s|en?)?|[百千]?[万萬]|[亿億]|bytes?|[kmg]i?b|%|percent)$/i
const NUMBER = /^[~≈]?\s*([0-9][0-9.,\s_'’]*)([^0-9.,\s_'’]*)$/
const LEAST_DIGITS = 3
const LONGEST = 60 // characters of a number, as it is shown

/** Whether a text looks like a number that somebody got: several digits, or some with a unit. @param {string} text */
export function isNumber(text) {
  const [, digits = "", unit = ""] = NUMBER.exec(text) ?? []
  return unit ? UNIT.test(unit) : digits.replace(/[^0-9]/g, "").length >= LEAST_DIGITS
}

// Enter opens the result with the highest score, and this one comes first.
const words = html`<div class="md-search-result__article bc-explain" data-md-score="Infinity"></div>`
// As in all results: the arrow keys lead to it, and Tab leaves the search.
const link = html`<a class="md-search-result__link" tabindex="-1">${words}</a>`

/** Offer to explain a text if it is a number, and otherwise nothing. @param {string} text */
function offer(text) {
  if (!isNumber(text)) return link.remove()
  words.textContent = `Explain this number: ${cut(text, LONGEST)}`
  link.setAttribute("href", `${explains}?${new URLSearchParams({ n: text })}`)
  if (!link.isConnected) results?.prepend(link)
}

for (const event of ["input", "focus"]) query?.addEventListener(event, () => offer(query.value.trim()))
query?.form?.addEventListener("reset", () => offer(""))
// What was typed before this script was there.
if (query) offer(query.value.trim())
