// Elements from HTML as scripts have it written. Whatever is put into it only
// ever becomes text, the value of an attribute, or an element that there is.

/** @type {Record<string, string>} */
const SIGNS = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }
/** A text as HTML writes it. @param {string} text */
export const escaped = (text) => text.replace(/[&<>"]/g, (sign) => SIGNS[sign])

/** A text in pieces, of which every second one is a sign with what follows it; `macros/publish/line_ends.py` parts the
 * texts of pages alike, and says why. @param {string} text */
export const piecesOf = (text) => text.split(/((?:\b[A-Za-z]′?[ \n]=|[+−×÷·=≈])[ \n][^ \n]+)/)

/** A text of which no line ends with a sign. @param {string} text @returns {Content[]} */
export const unbroken = (text) =>
  piecesOf(text).map((piece, place) =>
    place % 2 ? Object.assign(document.createElement("span"), { className: "bc-joined", textContent: piece }) : piece,
  )

/** A text as it is put into an element, and an element as it is. @param {Content} content @returns {Content[]} */
export const contentOf = (content) => (typeof content === "string" ? unbroken(content) : [content])

/** What holds text alone. */
const TEXT_ALONE = "option, pre, svg, textarea"

/** The first element of some HTML; in a tag a value is text, and elsewhere text, elements or a list of both.
 * @param {readonly string[]} pieces @param {(Content | Content[] | number)[]} values */
export function html(pieces, ...values) {
  const made = document.createElement("template")
  made.innerHTML = pieces.reduce((before, piece, place) => {
    const inTag = before.lastIndexOf("<") > before.lastIndexOf(">")
    const value = inTag ? escaped(String(values[place - 1])) : `<template data-place="${place - 1}"></template>`
    return before + value + piece
  })
  for (const hole of made.content.querySelectorAll("template")) {
    const contents = /** @type {Content[]} */ ([values[Number(hole.dataset.place)]].flat())
    hole.replaceWith(...(hole.closest(TEXT_ALONE) ? contents : contents.flatMap(contentOf)))
  }
  return /** @type {HTMLElement} */ (made.content.firstElementChild)
}

/** An address without its escapes; one that is broken as it is. @param {string} text */
export function decoded(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
