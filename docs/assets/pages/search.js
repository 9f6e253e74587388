// An addition to the site's search: if the reader types a number or the name of a model, or
// pastes a line with a number and its label, the first result offers to explain it. The
// element that loads this script states the address of the page that explains numbers in its
// `data-explains` attribute.

import { cut } from "../counting/short.js"
import { html } from "../drawing/html.js"

const { explains } = /** @type {HTMLElement} */ (document.querySelector("[data-explains]")).dataset
const queryField = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-md-component=search-query]"))
const results = document.querySelector("[data-md-component=search-result]")

// The units that the page accepts after a number, including words for numbers in several languages. They are repeated
// here so that no page needs to load the scripts that read numbers; a test compares the two.
const UNIT =
  /^(?:k|thousand|tausend|lakhs?|m|mio|mln|million(?:s|en)?|crores?|g|b|bn|billions?|t|trillions?|[kmgt]?(?:flops?|macs?)|mrd|mia|mld|milliard(?:s|en?)?|[百千]?[万萬]|[亿億]|bytes?|[kmg]i?b|%|percent)$/i
/** A number, whose digits may have separators, and what comes after it, which may be a unit. */
const NUMBER = /^[~≈]?\s*([0-9][0-9.,\s_'’]*)([^0-9.,\s_'’]*)$/
const MIN_DIGITS = 3 // a shorter number without a unit is more often part of a question
const MAX_QUOTE_LENGTH = 60 // characters of a text that are shown
const MAX_LINE_LENGTH = 200 // characters of a line that may become part of an address

/** Words, or their beginnings, that accompany a count, both in the output of tools and in texts by readers. */
const LABEL = /param|weights?\b|trainable|tensors?\b|mult-adds|flops?\b|macs?\b|参数|參數|パラメータ|매개변수|파라미터/i
/** A number of at least three digits, as in 110M. */
const THREE_DIGITS = /\d(?:[.,_'’ ]?\d){2,}/
/** A text that may be the name of a model: a few words in Latin letters and digits, one of which names a family or
 * contains a hyphen, a slash or an underscore, as names on the hub do. */
const POSSIBLE_NAME = /^(?=.*(?:bert|electra|mpnet|minilm|[a-z0-9][-_/][a-z0-9]))[\w./ -]{3,100}$/i
/** A number of at least four digits. Round numbers in questions, such as 110M, have fewer. */
const FOUR_DIGITS = /\d(?:[.,_'’ ]?\d){3,}/

/**
 * Whether a text looks like a count: a number with a unit, or with at least three digits.
 * @param {string} text
 */
export function isNumber(text) {
  const [, digits = "", unit = ""] = NUMBER.exec(text) ?? []
  return unit ? UNIT.test(unit) : digits.replace(/[^0-9]/g, "").length >= MIN_DIGITS
}

/**
 * Whether a text looks like a line with a count and its label.
 * @param {string} text
 */
const isLabelledCount = (text) => text.length <= MAX_LINE_LENGTH && LABEL.test(text) && THREE_DIGITS.test(text)

const offerElement = html`<div class="md-search-result__article bc-explain"></div>`
// As with every result, the arrow keys reach the link, and Tab leaves the search.
const link = html`<a class="md-search-result__link" tabindex="-1">${offerElement}</a>`

/**
 * Offers to explain a text if it is a number, a line with a count, or the name of a model; otherwise withdraws the
 * offer.
 * @param {string} text
 */
function offer(text) {
  const isOnlyNumber = isNumber(text)
  // Enter opens the result with the highest score. A question in words may contain a round number, such as 110M; then
  // Enter opens a page instead.
  if (isOnlyNumber) showOffer("Explain this number", text, "Infinity")
  else if (isLabelledCount(text)) showOffer("Explain this", text, FOUR_DIGITS.test(text) ? "Infinity" : "0")
  else {
    link.remove()
    if (POSSIBLE_NAME.test(text)) offerModel(text)
  }
}

/**
 * Offers to explain a model if a text names one. Enter still opens a page, because a name may be part of a question.
 * @param {string} text
 */
async function offerModel(text) {
  const { nameOfModel } = await import("../site-search/models.js")
  const name = nameOfModel(text)
  // The reader may have gone on typing.
  if (name && queryField?.value.trim() === text) showOffer("Explain this model", name, "0")
}

/**
 * Shows the offer as the first result.
 * @param {string} offerText  the words before the text, such as "Explain this number"
 * @param {string} text  the text to explain
 * @param {string} score  the score among the results; Enter opens the one with the highest
 */
function showOffer(offerText, text, score) {
  offerElement.textContent = `${offerText}: ${cut(text, MAX_QUOTE_LENGTH)}`
  offerElement.dataset.mdScore = score
  link.setAttribute("href", `${explains}?${new URLSearchParams({ n: text })}`)
  if (!link.isConnected) results?.prepend(link)
}

for (const eventName of ["input", "focus"])
  queryField?.addEventListener(eventName, () => offer(queryField.value.trim()))
queryField?.form?.addEventListener("reset", () => offer(""))
// The reader may have typed something before this script was loaded.
if (queryField) offer(queryField.value.trim())
