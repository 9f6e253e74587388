// Writes the sentences of an answer as data, which become elements on a page or Markdown on
// the clipboard. A sentence is a list of pieces: text, a number, a name in code, or a link
// to a page of the site. So a worker can write sentences although it has no document, and
// pasted text is never interpreted as HTML or Markdown.

import { noun, whole } from "../counting/engine.js"

/** The pieces of a sentence in a template literal, such as words`It has ${7} parts`. Numbers become pieces of their
 * own, which are shown with commas.
 * @param {readonly string[]} texts @param {(Inline | Words | number)[]} values @returns {Words} */
export const words = (texts, ...values) =>
  texts
    .flatMap((text, index) => [text, values[index] ?? ""].flat())
    .map(asPiece)
    .filter((piece) => piece !== "")

/** A number as a piece of a sentence; any other piece unchanged.
 * @param {Inline | number} value @returns {Inline} */
const asPiece = (value) => (typeof value === "number" ? { number: value } : value)

/** A name as code. @param {string} code @returns {Inline} */
export const code = (code) => ({ code })

/** A link to a page of the site; only the text if the address is empty.
 * @param {PageAddress} page @param {string} text @returns {Inline} */
export const link = (page, text) => (page ? { page, text } : text)

/** The title of a model as a link to its page. @param {Pick<Model, "page" | "title">} model */
export const linkTo = ({ page, title }) => link(page, title)

/** The indefinite article for the title of an architecture. Some titles begin with letters that are spelled out, as in
 * "an XLM-RoBERTa", and EuroBERT begins with the sound of "you".
 * @param {string} title */
export const articleFor = (title) => (/^(?:[AIOU]|E(?!uro)|MP|XL)/.test(title) ? "an" : "a")

/** Items separated by commas, with a word such as "and" before the last.
 * @param {(Inline | Words)[]} items @param {string} [and]  the word before the last @returns {Words} */
export const enumeration = (items, and = "and") =>
  items.flatMap((item, index) => {
    const separator = index < items.length - 1 ? ", " : ` ${and} `
    return [index ? separator : "", item].flat().filter((piece) => piece !== "")
  })

/** The first items of a list, and the number of those left out.
 * @param {(Inline | Words)[]} items @param {number} limit  the maximum number of items that are listed
 * @param {string} [and]  the word before the last @param {string} [unit]  the noun for items that are left out */
export function firstOf(items, limit, and = "and", unit = "") {
  const hiddenCount = items.length - limit
  if (hiddenCount <= 0) return enumeration(items, and)
  return enumeration(
    [...items.slice(0, limit), `${whole(hiddenCount)} more${unit && ` ${noun(hiddenCount, unit)}`}`],
    and,
  )
}

/** The titles of the first models, as links to their pages, and the number of those left out. They are separated by
 * semicolons, because titles have commas of their own.
 * @param {Pick<Model, "page" | "title">[]} models @param {number} limit  the maximum number of models that are named
 * @returns {Words} */
export function titlesOf(models, limit) {
  const hiddenCount = models.length - limit
  const titles = models.slice(0, limit).flatMap((model, index) => [index ? "; " : "", linkTo(model)])
  return hiddenCount > 0 ? [...titles, `; and ${whole(hiddenCount)} more ${noun(hiddenCount, "model")}`] : titles
}

/** A finding: a sentence about the reader's text.
 * @param {number} weight  larger is more serious @param {Words} sentence
 * @param {number | null} amount  the amount that the correction adds to the reader's total; null if it does not change
 * it
 * @returns {Finding} */
export const finding = (weight, sentence, amount = null) => ({ weight, words: sentence, amount })

/** The weight of the first sentence. It is arbitrary, because these findings are sorted only among themselves. */
const FIRST_WEIGHT = 50

/** An account with the given fields; the rest default to those of an empty account.
 * @param {Pick<Account, "headline"> & Partial<Account>} fields @returns {Account} */
export const accountWith = (fields) => ({
  kind: "other",
  findings: [],
  lines: [],
  bridge: null,
  model: null,
  confidence: "certain",
  ...fields,
})

/** An account that consists of sentences, which are shown in order below the headline.
 * @param {Words} headline @param {Words[]} sentences
 * @param {Partial<Pick<Account, "kind" | "model" | "confidence">>} [fields]  the fields that replace the defaults
 * @returns {Account} */
export const accountInSentences = (headline, sentences, fields = {}) =>
  accountWith({
    headline,
    findings: sentences.map((sentence, index) => finding(FIRST_WEIGHT - index, sentence)),
    ...fields,
  })

/** Sentences with a space between them. @param {Words[]} sentences @returns {Words} */
export const inParagraph = (sentences) =>
  sentences.flatMap((sentence, index) => (index ? [" ", ...sentence] : sentence))

/** A sentence with its first letter capitalised, unless it begins with a number or a name in code.
 * @param {Words} sentence @returns {Words} */
export function withCapital([first, ...rest]) {
  /** The text with its first letter capitalised. */
  const capital = (/** @type {string} */ text) => text.charAt(0).toUpperCase() + text.slice(1)
  if (typeof first === "string") return [capital(first), ...rest]
  return first && "text" in first ? [{ ...first, text: capital(first.text) }, ...rest] : [first, ...rest]
}

/** A sentence as plain text. @param {Words} sentence */
export const asPlainText = (sentence) =>
  sentence
    .map((piece) => {
      if (typeof piece === "string") return piece
      if ("number" in piece) return whole(piece.number)
      return "code" in piece ? piece.code : piece.text
    })
    .join("")

const MARKDOWN_SIGNS = /[\\`*_[\]<>|#]/g // characters with a meaning in Markdown

/** A sentence as Markdown, with `root` in front of addresses. @param {Words} sentence @param {string} root */
export const markdown = (sentence, root) =>
  sentence
    .map((piece) => {
      if (typeof piece === "string") return piece.replace(MARKDOWN_SIGNS, "\\$&")
      if ("number" in piece) return whole(piece.number)
      if ("code" in piece) return `\`${piece.code.replaceAll("`", "'")}\``
      return `[${piece.text.replace(MARKDOWN_SIGNS, "\\$&")}](${root}${piece.page})`
    })
    .join("")

/** A title as the subject of a sentence, followed by a comma if it contains one. @param {string} title */
export const asSubject = (title) => (title.includes(", ") ? `${title},` : title)

/** A genitive in front of a noun, as in "the layer's biases". */
const GENITIVE = /\w+'s? /
/** The words after a noun that do not affect its number, as in "the biases of the layer". */
const AFTER_NOUN = / (?:of|in|with|without|after|before|that)\b.*$|, (?:which|with)\b.*$/

/** Whether the words for a part are plural: they join several nouns, their noun is in the plural, or they number
 * several layers, as in "layers 0 to 3". Words that begin with "all of" are treated as singular.
 * @param {Words} part */
export function isPlural(part) {
  const text = asPlainText(part).replace(GENITIVE, "")
  const nounPhrase = text.replace(AFTER_NOUN, "")
  if (text.startsWith("all of ")) return false
  const endsInPlural = /s$/.test(nounPhrase) && !/bias$/.test(nounPhrase)
  return / (?:and|to) /.test(nounPhrase) || endsInPlural || /layers [0-9]/.test(nounPhrase)
}

/** The form of a verb that agrees with the words for a part.
 * @param {Words} part @param {string} [singular] @param {string} [plural] */
export const verbFor = (part, singular = "has", plural = "have") => (isPlural(part) ? plural : singular)
