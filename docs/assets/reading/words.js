// Writes the sentences of an answer as data, from which come elements on a page or
// Markdown in the clipboard. A sentence is a list of pieces: text, a number, a name in
// code, or a link to a page of the site. So a worker can write sentences although it has no
// page, and a text that a reader pasted is never taken for HTML or Markdown.

import { noun, whole } from "../counting/engine.js"

/** The pieces of a template literal: words`It has ${7} parts`; a number is written with commas.
 * @param {readonly string[]} texts @param {(WordPiece | Words | number)[]} between @returns {Words} */
export const words = (texts, ...between) =>
  texts
    .flatMap((text, index) => [text, between[index] ?? ""].flat())
    .map(asPiece)
    .filter((piece) => piece !== "")

/** A number as a piece of a sentence, and any other piece as it is.
 * @param {WordPiece | number} value @returns {WordPiece} */
const asPiece = (value) => (typeof value === "number" ? { number: value } : value)

/** A name as code. @param {string} code @returns {WordPiece} */
export const code = (code) => ({ code })

/** A link to a page of the site; mere text if there is no page.
 * @param {PageAddress} page @param {string} text @returns {WordPiece} */
export const link = (page, text) => (page ? { page, text } : text)

/** Items with commas between them and "and" before the last.
 * @param {(WordPiece | Words)[]} items @param {string} [and]  the word before the last @returns {Words} */
export const enumeration = (items, and = "and") =>
  items.flatMap((item, index) => {
    const separator = index < items.length - 1 ? ", " : ` ${and} `
    return [index ? separator : "", item].flat().filter((piece) => piece !== "")
  })

/** The first items of a list, and how many more there are.
 * @param {(WordPiece | Words)[]} items @param {number} most  that are listed @param {string} [and]  before the last
 * @param {string} [unit]  the noun for those that are left out */
export function firstOf(items, most, and = "and", unit = "") {
  const hiddenCount = items.length - most
  if (hiddenCount <= 0) return enumeration(items, and)
  return enumeration(
    [...items.slice(0, most), `${whole(hiddenCount)} more${unit && ` ${noun(hiddenCount, unit)}`}`],
    and,
  )
}

/** The titles of the first models, each a link to its page, and how many more there are. Titles have commas of their
 * own, so semicolons separate them.
 * @param {Pick<Model, "page" | "title">[]} models @param {number} most  that are named
 * @returns {Words} */
export function titlesOf(models, most) {
  const hiddenCount = models.length - most
  const titles = models.slice(0, most).flatMap(({ page, title }, index) => [index ? "; " : "", link(page, title)])
  return hiddenCount > 0 ? [...titles, `; and ${whole(hiddenCount)} more ${noun(hiddenCount, "model")}`] : titles
}

/** A finding. @param {number} weight  larger is worse @param {Words} sentence
 * @param {number | null} amount  that the correction adds to the reader's total; null if it changes none
 * @returns {Finding} */
export const finding = (weight, sentence, amount = null) => ({ weight, words: sentence, amount })

const FIRST_WEIGHT = 50 // of the findings of an account in sentences; any will do, because no others are sorted among them

/** An account of sentences alone, which are shown in their order below the headline.
 * @param {Words} headline @param {Words[]} sentences
 * @param {Partial<Pick<Account, "kind" | "model" | "confidence">>} [fields]  in place of the usual ones @returns {Account} */
export const accountInSentences = (headline, sentences, fields = {}) => ({
  kind: "other",
  headline,
  findings: sentences.map((sentence, index) => finding(FIRST_WEIGHT - index, sentence)),
  lines: [],
  bridge: null,
  model: null,
  confidence: "certain",
  ...fields,
})

/** A sentence with a capital at its beginning, unless it begins with a number or a name in code.
 * @param {Words} sentence @returns {Words} */
export function capitalised([first, ...rest]) {
  /** A text with a capital at its beginning. */
  const capital = (/** @type {string} */ text) => text.charAt(0).toUpperCase() + text.slice(1)
  if (typeof first === "string") return [capital(first), ...rest]
  return first && "text" in first ? [{ ...first, text: capital(first.text) }, ...rest] : [first, ...rest]
}

/** A sentence as plain text. @param {Words} sentence */
export const plainly = (sentence) =>
  sentence
    .map((piece) => {
      if (typeof piece === "string") return piece
      if ("number" in piece) return whole(piece.number)
      return "code" in piece ? piece.code : piece.text
    })
    .join("")

const SPECIAL = /[\\`*_[\]<>|#]/g // the signs that mean something in Markdown

/** A sentence as Markdown, with addresses below `root`. @param {Words} sentence @param {string} root */
export const markdown = (sentence, root) =>
  sentence
    .map((piece) => {
      if (typeof piece === "string") return piece.replace(SPECIAL, "\\$&")
      if ("number" in piece) return whole(piece.number)
      if ("code" in piece) return `\`${piece.code.replaceAll("`", "'")}\``
      return `[${piece.text.replace(SPECIAL, "\\$&")}](${root}${piece.page})`
    })
    .join("")

/** A title as a subject; if it contains a comma, another follows it. @param {string} title */
export const asSubject = (title) => (title.includes(", ") ? `${title},` : title)

/** A noun in the genitive before the noun that it belongs to, as in "the layer's biases". */
const GENITIVE = /\w+'s? /
/** The words after a noun that do not decide its number, as in "the biases of the layer". */
const AFTER_NOUN = / (?:of|in|with|without|after|before)\b.*$|, (?:which|with)\b.*$/

/** Whether the words for a part are plural: several things, or one whose name is a plural. What is "all of" a part is that
 * part.
 * @param {Words} part */
export function isPlural(part) {
  const text = plainly(part).replace(GENITIVE, "")
  const nounPhrase = text.replace(AFTER_NOUN, "")
  if (text.startsWith("all of ")) return false
  const endsInPlural = /s$/.test(nounPhrase) && !/bias$/.test(nounPhrase)
  return / (?:and|to) /.test(nounPhrase) || endsInPlural || /layers [0-9]/.test(nounPhrase)
}
