// Builds elements from HTML templates. An inserted value becomes text or the value of an
// attribute, unless it is already an element. So nothing that a reader types is ever parsed
// as HTML.
//
// Texts are typeset like those of pages: with typographic apostrophes, and without lines that
// end with an operator such as + or =.

/** @type {Record<string, string>} */
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

/**
 * The text with the special characters of HTML escaped.
 * @param {string} text
 */
export const escapeHtml = (text) => text.replace(/[&<>"]/g, (character) => ENTITIES[character])

/** An operator with the word after it. An equals sign includes the letter before it, as in H = 768. */
const SIGN_AND_WORD = /((?:\b[A-Za-z]′?[ \n]=|[+−×÷·=≈])[ \n][^ \n]+)/

/**
 * The text in pieces. Every second piece is an operator with the word after it, which must stay on the same line.
 * `macros/publish/line_ends.py` splits the texts of pages in the same way, and explains the reason.
 * @param {string} text
 */
export const piecesOf = (text) => text.split(SIGN_AND_WORD)

/**
 * The text as content that keeps each operator on the same line as the word after it.
 * @param {string} text
 * @returns {Content[]}
 */
const withoutBreaks = (text) =>
  piecesOf(text).map((piece, index) =>
    index % 2 ? Object.assign(document.createElement("span"), { className: "bc-joined", textContent: piece }) : piece,
  )

/** The straight quotation marks that are apostrophes: within a word (BERT's), after the s of a plural (the layers'
 * sizes), and at the beginning of a text that follows a number or a link ('s). */
const APOSTROPHE = /(?<=[A-Za-z0-9)])'(?=[a-z]+\b)|(?<=s)'(?=[\s.,;:)])|^'(?=s\b)/g

/**
 * The text with typographic apostrophes: BERT’s, not BERT's. `macros/publish/apostrophes.py` does the same for pages.
 * @param {string} text
 */
export const typeset = (text) => text.replace(APOSTROPHE, "’")

/**
 * The list to append for a piece of content: an element itself, or the pieces of a typeset text. Code keeps its
 * straight apostrophes, because they are quotation marks there.
 * @param {Content} content
 * @param {boolean} [isCode]
 * @returns {Content[]}
 */
export const contentOf = (content, isCode = false) =>
  typeof content === "string" ? withoutBreaks(isCode ? content : typeset(content)) : [content]

/** The elements in which text is not wrapped in spans: most do not show the spans, and `pre` keeps line breaks by
 * itself. */
const PLAIN_TEXT_ELEMENTS = "option, pre, svg, textarea"

/**
 * A template tag that returns the first element of the HTML. A value within a tag becomes part of an attribute. A value
 * elsewhere becomes text, or is inserted if it is an element or a list of elements.
 * @param {readonly string[]} pieces
 * @param {(Content | Content[] | number)[]} values
 */
export function html(pieces, ...values) {
  const template = document.createElement("template")
  // An element cannot be part of a string, so an empty template marks the place of each value outside a tag during
  // parsing.
  template.innerHTML = pieces.reduce((before, piece, index) => {
    const isInTag = before.lastIndexOf("<") > before.lastIndexOf(">")
    const value = isInTag ? escapeHtml(String(values[index - 1])) : `<template data-index="${index - 1}"></template>`
    return before + value + piece
  })
  for (const placeholder of template.content.querySelectorAll("template")) {
    const contents = /** @type {Content[]} */ ([values[Number(placeholder.dataset.index)]].flat())
    const isCode = placeholder.closest("code") !== null
    const nodes = placeholder.closest(PLAIN_TEXT_ELEMENTS)
      ? contents
      : contents.flatMap((content) => contentOf(content, isCode))
    placeholder.replaceWith(...nodes)
  }
  return /** @type {HTMLElement} */ (template.content.firstElementChild)
}
