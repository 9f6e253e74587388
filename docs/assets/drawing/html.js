// Builds elements from HTML that is written in scripts. A value that is put into
// it can only become text, the value of an attribute, or an element that exists
// already, so nothing that a reader types is ever parsed as HTML.

/** @type {Record<string, string>} */
const SIGNS = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

/**
 * A text with the characters escaped that mean something in HTML.
 * @param {string} text
 */
export const escaped = (text) => text.replace(/[&<>"]/g, (sign) => SIGNS[sign])

/**
 * A text in pieces; every second piece is a sign of a sum with what follows it, which one line must hold.
 * `macros/publish/line_ends.py` splits the texts of pages in the same way, and says why.
 * @param {string} text
 */
export const piecesOf = (text) => text.split(/((?:\b[A-Za-z]′?[ \n]=|[+−×÷·=≈])[ \n][^ \n]+)/)

/**
 * A text whose lines never end with a sign.
 * @param {string} text
 * @returns {Content[]}
 */
export const unbroken = (text) =>
  piecesOf(text).map((piece, place) =>
    place % 2 ? Object.assign(document.createElement("span"), { className: "bc-joined", textContent: piece }) : piece,
  )

/**
 * What to append to an element for some content: an element as it is, a text unbroken.
 * @param {Content} content
 * @returns {Content[]}
 */
export const contentOf = (content) => (typeof content === "string" ? unbroken(content) : [content])

/** The elements in which no spans may be put around a sign. */
const TEXT_ALONE = "option, pre, svg, textarea"

/**
 * A template tag: the first element of the HTML. A value within a tag becomes text of an attribute; a value elsewhere
 * becomes text, or the elements that it is or lists.
 * @param {readonly string[]} pieces
 * @param {(Content | Content[] | number)[]} values
 */
export function html(pieces, ...values) {
  const template = document.createElement("template")
  // Elements cannot be written as HTML, so each value outside a tag leaves a hole, which is filled once all is parsed.
  template.innerHTML = pieces.reduce((before, piece, place) => {
    const isInTag = before.lastIndexOf("<") > before.lastIndexOf(">")
    const value = isInTag ? escaped(String(values[place - 1])) : `<template data-place="${place - 1}"></template>`
    return before + value + piece
  })
  for (const hole of template.content.querySelectorAll("template")) {
    const contents = /** @type {Content[]} */ ([values[Number(hole.dataset.place)]].flat())
    hole.replaceWith(...(hole.closest(TEXT_ALONE) ? contents : contents.flatMap(contentOf)))
  }
  return /** @type {HTMLElement} */ (template.content.firstElementChild)
}

/**
 * An address with its escapes decoded, or unchanged if they are malformed.
 * @param {string} text
 */
export function decoded(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
