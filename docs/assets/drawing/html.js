// Elements from HTML as scripts have it written. Whatever is put into it only
// ever becomes text, the value of an attribute, or an element that there is.

/** @type {Record<string, string>} */
const SIGNS = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }
/** A text as HTML writes it. @param {string} text */
export const escaped = (text) => text.replace(/[&<>"]/g, (sign) => SIGNS[sign])

/** The first element of some HTML; in a tag a value is text, and elsewhere text, elements or a list of both.
 * @param {readonly string[]} pieces @param {(Content | Content[] | number)[]} values */
export function html(pieces, ...values) {
  const made = document.createElement("template")
  made.innerHTML = pieces.reduce((before, piece, place) => {
    const inTag = before.lastIndexOf("<") > before.lastIndexOf(">")
    const value = inTag ? escaped(String(values[place - 1])) : `<template data-place="${place - 1}"></template>`
    return before + value + piece
  })
  for (const hole of made.content.querySelectorAll("template"))
    hole.replaceWith(.../** @type {Content[]} */ ([values[Number(hole.dataset.place)]].flat()))
  return /** @type {HTMLElement} */ (made.content.firstElementChild)
}

/** A line of a sum that breaks before a sign and never behind it, as `unbroken` in `numbers.py` has it.
 * @param {string} line @returns {Content[]} */
export const unbroken = (line) =>
  line
    .split(/([+−×÷·=≈] \S+)/)
    .map((piece, place) => (place % 2 ? html`<span class="bc-joined">${piece}</span>` : piece))

/** An address without its escapes; one that is broken as it is. @param {string} text */
export function decoded(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
