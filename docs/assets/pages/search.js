// An addition to the site's search: if the reader types a number, the first result
// offers to explain it. The element that loads this script has the address of the page
// that explains numbers in its `data-explains`.

import { cut } from "../counting/short.js"
import { html } from "../drawing/html.js"

const { explains } = /** @type {HTMLElement} */ (document.querySelector("[data-explains]")).dataset
const query = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-md-component=search-query]"))
const results = document.querySelector("[data-md-component=search-result]")

// The units that the page accepts. They are repeated here so that no page needs to load the scripts that
// read numbers; a test compares the two.
const UNIT =
  /^(?:k|thousand|tausend|lakhs?|m|mio|mln|million(?:s|en)?|crores?|g|b|bn|billions?|t|trillions?|[kmgt]?(?:flops?|macs?)|mrd|mia|mld|milliard(?:s|en?)?|[百千]?[万萬]|[亿億]|bytes?|[kmg]i?b|%|percent)$/i
const NUMBER = /^[~≈]?\s*([0-9][0-9.,\s_'’]*)([^0-9.,\s_'’]*)$/
const LEAST_DIGITS = 3 // of a number without a unit
const LONGEST = 60 // characters of a number that are shown

/**
 * Whether a text looks like a count that somebody got: a number with a unit, or with several digits.
 * @param {string} text
 */
export function isNumber(text) {
  const [, digits = "", unit = ""] = NUMBER.exec(text) ?? []
  return unit ? UNIT.test(unit) : digits.replace(/[^0-9]/g, "").length >= LEAST_DIGITS
}

// Enter opens the result with the highest score, so this one must come first.
const words = html`<div class="md-search-result__article bc-explain" data-md-score="Infinity"></div>`
// As with every result, the arrow keys lead to it and Tab leaves the search.
const link = html`<a class="md-search-result__link" tabindex="-1">${words}</a>`

/**
 * Offer to explain a text if it is a number; otherwise withdraw the offer.
 * @param {string} text
 */
function offer(text) {
  if (!isNumber(text)) return link.remove()
  words.textContent = `Explain this number: ${cut(text, LONGEST)}`
  link.setAttribute("href", `${explains}?${new URLSearchParams({ n: text })}`)
  if (!link.isConnected) results?.prepend(link)
}

for (const event of ["input", "focus"]) query?.addEventListener(event, () => offer(query.value.trim()))
query?.form?.addEventListener("reset", () => offer(""))
// The reader may have typed before this script was there.
if (query) offer(query.value.trim())
