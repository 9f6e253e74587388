// The error page: which page the address may have meant, a search for its
// words, and the page that explains a number where the address holds one.
// What the address says is put into the page as text alone.

import { decoded, html } from "../drawing/html.js"
import { isNumber } from "./search.js"

const LONGEST = 100 // characters of an address that are compared
const ALIKE = 0.5 // share of their pairs of letters that two addresses have in common where one may be a slip for the other

const meant = /** @type {HTMLElement} */ (document.querySelector("#meant"))
const form = /** @type {HTMLFormElement} */ (document.querySelector("article form"))
const logo = /** @type {HTMLAnchorElement} */ (document.querySelector(".md-header .md-logo"))
const links = /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("#pages a"))
const root = new URL(".", logo.href).pathname

/** An address within the site as its words: `parts/attention`. @param {string} pathname */
function wordsOf(pathname) {
  const path = decoded(pathname.startsWith(root) ? pathname.slice(root.length) : pathname)
  const bare = path.replace(/^\/+|(^|\/)index(\.(html?|md))?$|\.(html?|md)$|\/+$/gi, "")
  return bare.slice(-LONGEST).toLowerCase()
}

/** @param {string} path */
const last = (path) => path.slice(path.lastIndexOf("/") + 1)
/** @param {string} text */
const pairs = (text) => new Set(Array.from(text, (letter, place) => (text[place - 1] ?? " ") + letter))
/** The share of their pairs of letters that two texts have in common. @param {string} a @param {string} b */
function common(a, b) {
  const [one, other] = [pairs(a), pairs(b)]
  return (2 * [...one].filter((each) => other.has(each)).length) / (one.size + other.size)
}
/** How alike two addresses are: as a whole, or by their last words, whatever folder these are in. @param {string} a @param {string} b */
const alike = (a, b) => Math.max(common(a, b), common(last(a), last(b)) - 0.1)

// What could be put into a frame once and no longer can leads to the place that it was cut out of.
const [, page, place] = /\/embed\/(.+)\/([^/]+)\.html$/.exec(location.pathname) ?? []
if (place) location.replace(new URL(`${page}.html#${place}`, logo.href))

const asked = wordsOf(location.pathname)
const [, model, file = ""] = /\/data\/([\w-]+)\/(?:listings\/)?([\w-]+)\.(?:csv|json)$/.exec(location.pathname) ?? []
const texts = [new URLSearchParams(location.search).get("n") ?? "", ...asked.split("/").reverse()]
const number = asked === "404" ? "" : texts.map((text) => text.trim().slice(0, LONGEST)).find(isNumber)
const words = (last(asked).match(/[\p{L}\p{N}]+/gu) ?? []).join(" ").slice(0, 40)
if (model) {
  const query = new URLSearchParams({ model, ...(/^Bert/.test(file) ? { class: file } : {}) })
  const listed = html`<a href="${meant.dataset.calculator ?? ""}?${String(query)}">list and export its tensors in the calculator</a>`
  meant.append(html`<p>There is no such file of this model: ${listed}.</p>`)
} else if (number) {
  const explained = `${form.action}?${new URLSearchParams({ n: number })}`
  meant.append(html`<p>Explain this number: <a href="${explained}">${number}</a></p>`)
} else if (asked !== "404") {
  const found = [...links].map((link) => ({ link, share: alike(asked, wordsOf(link.pathname)) }))
  const { link, share } = found.reduce((a, b) => (b.share > a.share ? b : a))
  if (share >= ALIKE) meant.append(html`<p>Did you mean <a href="${link.href}">${link.textContent ?? ""}</a>?</p>`)
}
// The theme searches for what an address asks.
const search = html`<p><a href="?q=${encodeURIComponent(words)}">Search for “${words}”</a></p>`
if (words && !number && asked !== "404") meant.append(search)
