// The error page: which page the address may have meant, a search for its
// words, and the page that explains a number where the address holds one.
// What the address says is put into the page as text alone.

import { html } from "../drawing/html.js"

const LONGEST = 100 // characters of an address that are compared
const FAR = 0.5 // share of the letters that differ where an address is no longer taken for a slip
const NUMBER = /^[~≈]?\s*[0-9][0-9.,\s_'’]*[a-z%万萬亿億]*$/i
const LEAST_DIGITS = 3

const meant = /** @type {HTMLElement | null} */ (document.querySelector("#meant"))
const form = /** @type {HTMLFormElement | null} */ (document.querySelector("article form"))
const links = /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("#pages a"))
const logo = /** @type {HTMLAnchorElement | null} */ (document.querySelector(".md-header .md-logo"))
const query = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-md-component=search-query]"))

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** How many letters have to be changed, added or left out to make one text of another. @param {string} a @param {string} b */
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, place) => place)
  for (const [up, letter] of [...a].entries()) {
    const next = [up + 1]
    for (let place = 1; place <= b.length; place++)
      next[place] = Math.min(row[place] + 1, next[place - 1] + 1, row[place - 1] + Number(letter !== b[place - 1]))
    row = next
  }
  return row[b.length]
}

/** An address within the site as its words: `parts/attention`. @param {string} pathname */
function wordsOf(pathname) {
  const root = logo ? new URL(".", logo.href).pathname : "/"
  const path = decoded(pathname.startsWith(root) ? pathname.slice(root.length) : pathname)
  const bare = path.replace(/\.(html?|md)$/i, "").replace(/(^|\/)index$/, "")
  return bare
    .replace(/^\/+|\/+$/g, "")
    .toLowerCase()
    .slice(-LONGEST)
}

/** @param {string} path */
const last = (path) => path.slice(path.lastIndexOf("/") + 1)
/** @param {string} a @param {string} b */
const share = (a, b) => distance(a, b) / Math.max(a.length, b.length, 1)
/** How far two addresses are apart: as a whole, or by their last words, whatever folder these are in. @param {string} a @param {string} b */
const apart = (a, b) => Math.min(share(a, b), share(last(a), last(b)) + 0.1)

/** The link to the nearest page; null where none is near. @param {string} asked */
function nearest(asked) {
  const found = [...links].map((link) => ({ link, far: apart(asked, wordsOf(link.pathname)) }))
  const best = found.reduce((a, b) => (b.far < a.far ? b : a))
  return asked && best.far <= FAR ? best.link : null
}

/** The number that an address holds, as it is written there; empty where it holds none. @param {string} asked */
function numberIn(asked) {
  const texts = [new URLSearchParams(location.search).get("n") ?? "", ...asked.split("/").reverse()]
  /** @param {string} text */
  const isNumber = (text) => NUMBER.test(text) && text.replace(/[^0-9]/g, "").length >= LEAST_DIGITS
  return texts.map((text) => text.trim().slice(0, LONGEST)).find(isNumber) ?? ""
}

/** A button that searches the site for the words of an address. @param {string} words */
function searchFor(words) {
  const made = html`<p class="bc-buttons"><button type="button" class="md-button">Search for “${words}”</button></p>`
  made.firstElementChild?.addEventListener("click", () => {
    if (!query) return
    query.value = words
    query.focus()
  })
  return made
}

/** The model and the class of a file that only the calculator gives. @param {string} pathname */
function fileIn(pathname) {
  const [, model = "", file = ""] = /\/data\/([\w-]+)\/(?:listings\/)?([\w-]+)\.(?:csv|json)$/.exec(pathname) ?? []
  return model && new URLSearchParams({ model, ...(/^Bert/.test(file) ? { class: file } : {}) }).toString()
}

// What could be put into a frame once and no longer can leads to the place that it was cut out of.
const [, page, place] = /\/embed\/(.+)\/([^/]+)\.html$/.exec(location.pathname) ?? []
if (place && logo) location.replace(new URL(`${page}.html#${place}`, logo.href))

const asked = wordsOf(location.pathname)
if (meant && form && asked !== "404") {
  const file = fileIn(location.pathname)
  const number = file ? "" : numberIn(asked)
  const near = number || file ? null : nearest(asked)
  const words = last(asked)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .slice(0, 40)
  const explained = `${form.action}?${new URLSearchParams({ n: number })}`
  const listed = html`<a href="${meant.dataset.calculator ?? ""}?${file}">list and export its tensors in the calculator</a>`
  if (file) meant.append(html`<p>There is no such file of this model: ${listed}.</p>`)
  if (number) meant.append(html`<p>Explain this number: <a href="${explained}">${number}</a></p>`)
  if (near) meant.append(html`<p>Did you mean <a href="${near.href}">${near.textContent ?? ""}</a>?</p>`)
  if (words && !number) meant.append(searchFor(words))
}
