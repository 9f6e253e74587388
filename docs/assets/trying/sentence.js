// A field for a sentence, with its tokens and the rows of the word table that they read. Tokens
// and rows carry their paths in the model, so that `pages/links.js` highlights them together
// with the same parts elsewhere on the page. The vocabulary is a file of the site that is
// fetched when the reader opens the fold, a `<details>` element. The sentence never leaves the
// browser.

import { html } from "../drawing/html.js"
import { idsOf, piecesOf } from "./wordpiece.js"

const WORD_TABLE = "bert/embeddings/word_embeddings"
const ANNOUNCEMENT_DELAY = 700 // milliseconds without a change before screen readers announce the result
const LINE_WIDTH = 0.3 // per cent of the figure's width; to scale, a row would be too thin to see
const GZIP_START = [0x1f, 0x8b] // the first two bytes of a compressed file

/** An integer with commas between thousands. The engine's function would load all its tables. @param {number} number */
const whole = (number) => number.toLocaleString("en")

/** The vocabulary as text. The file is compressed, but some servers decompress it on the way.
 * @param {string} address */
async function vocabularyAt(address) {
  const response = await fetch(address)
  if (!response.ok) throw new Error(response.statusText)
  const bytes = await response.arrayBuffer()
  const [first, second] = new Uint8Array(bytes)
  const isCompressed = first === GZIP_START[0] && second === GZIP_START[1]
  const { body } = new Response(bytes)
  return new Response(isCompressed ? body?.pipeThrough(new DecompressionStream("gzip")) : bytes).text()
}

/** A figure of the word table, lying on its side, with a line for every row that is read.
 * @param {import("./wordpiece.js").Piece[]} pieces
 * @param {number} rowCount  the number of rows of the table */
function tableFigure(pieces, rowCount) {
  const figure = html`<figure class="bc-figure"></figure>`
  const rows = [...new Set(pieces.map(({ id }) => id))]
  const lines = rows.map((id) => {
    const left = ((100 - LINE_WIDTH) * id) / (rowCount - 1)
    return `<g data-part="${WORD_TABLE}/${id}"><title>${id}</title><rect x="${left.toFixed(3)}%" width="${LINE_WIDTH}%" height="100%"/></g>`
  })
  // A string is safe here, because it consists only of the site's own words and digits.
  figure.innerHTML =
    `<svg class="bc-map" role="img" aria-label="The rows ${rows.join(", ")} of ${whole(rowCount)}">` +
    `<g class="bc-embeddings"><rect width="100%" height="100%"/></g>${lines.join("")}</svg>` +
    `<figcaption>The word table, lying on its side: row 0 is on the left, row ${rowCount - 1} on the right. ` +
    "Each row that is read is a line, drawn wider than it is.</figcaption>"
  return figure
}

/** Fills in a fold with the field, the tokens and the figure. @param {HTMLElement} fold */
export async function start(fold) {
  const { width = "", positions = "", sentence = "" } = fold.dataset
  const [note] = fold.querySelectorAll("p")
  const purpose = /** @type {Element} */ (fold.querySelector(".bc-purpose"))
  const { href } = /** @type {HTMLAnchorElement} */ (fold.querySelector("a[download]"))
  note.textContent = "Loading the vocabulary …"
  /** @type {Map<string, number>} */
  let ids
  try {
    ids = idsOf(await vocabularyAt(href))
  } catch {
    note.textContent = "The vocabulary could not be loaded. It needs a page from a web server and a recent browser."
    return
  }
  const field = html`<p class="bc-field"><label for="own-sentence">Your sentence</label>
    <input id="own-sentence" type="text" autocomplete="off" spellcheck="false"></p>`
  const input = /** @type {HTMLInputElement} */ (field.querySelector("input"))
  const tokens = html`<p class="bc-steps bc-tokens"></p>`
  const result = html`<div></div>`
  const status = html`<p class="bc-status" role="status"></p>`
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer

  /** Shows the tokens of the sentence in the field, and the rows that they read. */
  function show() {
    const pieces = piecesOf(input.value, ids)
    tokens.replaceChildren(...termsOf(pieces))
    const words = summaryOf(pieces, ids.size, Number(width), Number(positions))
    result.replaceChildren(tableFigure(pieces, ids.size), words)
    clearTimeout(timer)
    timer = setTimeout(() => (status.textContent = words.textContent), ANNOUNCEMENT_DELAY)
  }

  input.value = sentence
  input.addEventListener("input", show)
  note.replaceWith(html`<div class="bc-question">${field}</div>`, tokens, result, status)
  fold.append(purpose)
  show()
  clearTimeout(timer) // not announced at first, because a reader who opens the fold reads it next
}

/** The tokens, each with its id. Tab reaches only the first. @param {ReturnType<typeof piecesOf>} pieces */
const termsOf = (pieces) =>
  pieces.map(
    ({ piece, id }, index) =>
      html`<span class="bc-term" data-part="${WORD_TABLE}/${id}" tabindex="${index ? -1 : 0}">${piece}<small>${id}</small></span>`,
  )

/** The sentences on the part of the word table that the tokens read.
 * @param {ReturnType<typeof piecesOf>} pieces  at least two, [CLS] and [SEP] @param {number} vocabularySize
 * @param {number} width
 * @param {number} maxTokens  the length of the longest text that BERT reads */
function summaryOf(pieces, vocabularySize, width, maxTokens) {
  const rowCount = new Set(pieces.map(({ id }) => id)).size
  const numbers = `${whole(rowCount)} × ${whole(width)} = ${whole(rowCount * width)}`
  const allParameters = whole(vocabularySize * width)
  const unknownNote = pieces.some(({ piece }) => piece === "[UNK]")
    ? " A word that cannot be built from entries of the vocabulary becomes [UNK]."
    : ""
  const lengthNote =
    pieces.length > maxTokens ? ` BERT reads at most ${whole(maxTokens)}, so it would need a shorter text.` : ""
  const summary = `${whole(pieces.length)} tokens read ${whole(rowCount)} different rows out of ${whole(vocabularySize)}`
  return html`<p class="bc-delta">${summary}: ${numbers} of the ${allParameters} parameters of the word table.${unknownNote}${lengthNote}</p>`
}
