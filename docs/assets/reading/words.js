// Words: the sentences of an answer as data, before they become elements on a page or
// Markdown in the clipboard. A sentence is a list of pieces: text, a number, a name in
// code, or a link to a page of the site.

import { whole } from "../counting/engine.js"

/** The pieces of a template literal: words`It has ${7} parts`; a number is written with commas.
 * @param {readonly string[]} texts @param {(WordPiece | Words | number)[]} between @returns {Words} */
export const words = (texts, ...between) =>
  texts
    .flatMap((text, index) => [text, between[index] ?? ""].flat())
    .map(piece)
    .filter((one) => one !== "")

/** @param {WordPiece | number} one @returns {WordPiece} */
const piece = (one) => (typeof one === "number" ? { number: one } : one)

/** A name as code. @param {string} code @returns {WordPiece} */
export const code = (code) => ({ code })

/** A link to a page of the site; mere text if there is no page.
 * @param {PageAddress} page @param {string} text @returns {WordPiece} */
export const link = (page, text) => (page ? { page, text } : text)

/** Pieces with commas between them and "and" before the last. @param {(WordPiece | Words)[]} items @returns {Words} */
export const enumeration = (items, and = "and") =>
  items.flatMap((item, index) =>
    [index ? (index < items.length - 1 ? ", " : ` ${and} `) : "", item].flat().filter((one) => one !== ""),
  )

/** A finding that changes no total. @param {number} weight @param {Words} sentence @returns {Finding} */
export const finding = (weight, sentence) => ({ weight, words: sentence, amount: null })

/** A sentence as plain text. @param {Words} sentence */
export const plainly = (sentence) =>
  sentence
    .map((one) => {
      if (typeof one === "string") return one
      return "number" in one ? whole(one.number) : "code" in one ? one.code : one.text
    })
    .join("")

const SPECIAL = /[\\`*_[\]<>|#]/g

/** A sentence as Markdown, with addresses below `root`. @param {Words} sentence @param {string} root */
export const markdown = (sentence, root) =>
  sentence
    .map((one) => {
      if (typeof one === "string") return one.replace(SPECIAL, "\\$&")
      if ("number" in one) return whole(one.number)
      if ("code" in one) return `\`${one.code.replaceAll("`", "'")}\``
      return `[${one.text.replace(SPECIAL, "\\$&")}](${root}${one.page})`
    })
    .join("")
