// The error page. It suggests the page that the reader may have meant, a search for
// the words in the address and, if the address contains a number, the page that
// explains the number. From the address of a piece in a frame, it goes to the page that
// contained the piece; for a file of a model, it suggests the calculator. Nothing from
// the address is ever parsed as HTML.

import { html } from "../drawing/html.js"
import { decodeAddress } from "./decode-address.js"
import { isNumber } from "./search.js"

const MAX_LENGTH = 100 // characters at the end of an address that are compared, because it may have any length
const MAX_QUERY_LENGTH = 40 // characters of the words to search for
const MIN_SIMILARITY = 0.5 // the smallest share of common letter pairs for which a page is suggested
const FOLDER_PENALTY = 0.1 // subtracted from the similarity of the last segments of two paths

/** The parts of a path that do not distinguish pages: slashes at its ends, the name of an index page, an extension. */
const PATH_FRINGES = /^\/+|(^|\/)index(\.(html?|md))?$|\.(html?|md)$|\/+$/gi
/** The address of a piece of a page in a frame of its own: the page, and the id of the piece. */
const EMBEDDED_PIECE = /\/embed\/(.+)\/([^/]+)\.html$/
/** The address of a file of tensors or operations: the model, and the class. */
const DATA_FILE = /\/data\/([\w-]+)\/(?:listings\/)?([\w-]+)\.(?:csv|json)$/
/** The path of this page itself, which is not a mistyped address. */
const THIS_PATH = "404"

const suggestions = /** @type {HTMLElement} */ (document.querySelector("#meant"))
const form = /** @type {HTMLFormElement} */ (document.querySelector("article form"))
const logo = /** @type {HTMLAnchorElement} */ (document.querySelector(".md-header .md-logo"))
const links = /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("#pages a"))
const root = new URL(".", logo.href).pathname

/**
 * The path of an address within the site, in lower case and without its extension: `parts/attention`.
 * @param {string} pathname
 */
function pathOf(pathname) {
  const pathWithoutRoot = decodeAddress(pathname.startsWith(root) ? pathname.slice(root.length) : pathname)
  return pathWithoutRoot.replace(PATH_FRINGES, "").slice(-MAX_LENGTH).toLowerCase()
}

/** The part of a path after its last slash. @param {string} path */
const lastSegment = (path) => path.slice(path.lastIndexOf("/") + 1)

/**
 * The pairs of neighbouring letters in a text, with a space before the first letter.
 * @param {string} text
 */
const letterPairs = (text) => new Set(Array.from(text, (letter, index) => (text[index - 1] ?? " ") + letter))

/**
 * The share of their pairs of letters that two texts have in common (the Sørensen–Dice coefficient).
 * @param {string} one
 * @param {string} other
 */
function pairSimilarity(one, other) {
  const [pairsOfOne, pairsOfOther] = [letterPairs(one), letterPairs(other)]
  return (2 * [...pairsOfOne].filter((pair) => pairsOfOther.has(pair)).length) / (pairsOfOne.size + pairsOfOther.size)
}

/**
 * The similarity of two paths: that of the whole paths, or that of their last segments less a penalty, if it is larger.
 * @param {string} one
 * @param {string} other
 */
const similarity = (one, other) =>
  Math.max(pairSimilarity(one, other), pairSimilarity(lastSegment(one), lastSegment(other)) - FOLDER_PENALTY)

// A piece that can no longer be embedded in a frame: go to its place on the page that contained it.
const [, page, pieceId] = EMBEDDED_PIECE.exec(location.pathname) ?? []
if (pieceId) location.replace(new URL(`${page}.html#${pieceId}`, logo.href))

const path = pathOf(location.pathname)
const [, model, file = ""] = DATA_FILE.exec(location.pathname) ?? []
// A number may be in the query, as on the page that explains it, or in a segment of the path.
const candidateTexts = [new URLSearchParams(location.search).get("n") ?? "", ...path.split("/").reverse()]
const number = path === THIS_PATH ? "" : candidateTexts.map((text) => text.trim().slice(0, MAX_LENGTH)).find(isNumber)
const words = (lastSegment(path).match(/[\p{L}\p{N}]+/gu) ?? []).join(" ").slice(0, MAX_QUERY_LENGTH)
if (model) {
  const query = new URLSearchParams({ model, ...(/^Bert/.test(file) ? { class: file } : {}) })
  const address = `${suggestions.dataset.calculator ?? ""}?${String(query)}`
  const link = html`<a href="${address}">list and export its tensors in the calculator</a>`
  suggestions.append(html`<p>There is no such file of this model: ${link}.</p>`)
} else if (number) {
  const address = `${form.action}?${new URLSearchParams({ n: number })}`
  suggestions.append(html`<p>Explain this number: <a href="${address}">${number}</a></p>`)
} else if (path !== THIS_PATH) {
  const candidates = [...links].map((link) => ({ link, score: similarity(path, pathOf(link.pathname)) }))
  const { link, score } = candidates.reduce((best, other) => (other.score > best.score ? other : best))
  if (score >= MIN_SIMILARITY)
    suggestions.append(html`<p>Did you mean <a href="${link.href}">${link.textContent ?? ""}</a>?</p>`)
}
// The theme searches for the `q` of an address.
const search = html`<p><a href="?q=${encodeURIComponent(words)}">Search for “${words}”</a></p>`
if (words && !number && path !== THIS_PATH) suggestions.append(search)
