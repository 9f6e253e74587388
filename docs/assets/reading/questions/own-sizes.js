// Answers which sizes a model has, which size a letter stands for, and how many parameters one attention
// head uses. A text that gives each head a square matrix of its own is corrected.

import { models, noun, whole } from "../../counting/engine.js"
import { modelsByUse } from "../../explaining/ways.js"
import { subjectOf } from "../labels/meanings.js"
import { modelsIn } from "../labels/mentions.js"
import { numberOfPart, partsNamed } from "../labels/named-parts.js"
import { LETTERS, sizeNamesIn, sizesInWords, sizesOf } from "../labels/settings.js"
import { enumeration, link, words } from "../words.js"
import { answer, MAX_LENGTH, NUMBER_WORDS, PARAMETERS } from "./question-accounts.js"
import { asksForBiases } from "./questioned-parts.js"

/** Words for one attention head, perhaps by its number, and for the width of a head. A number beside words of other
 * languages is explained instead. */
export const ONE_HEAD =
  /\b(?:per|each|one|an?|single|every|[0-9]{1,2}(?:st|nd|rd|th)|first|second|third|last)\s(?:attention\s)?head\b|\bhead\s(?:no\.?|number)?\s?#?[0-9]{1,2}\b/i
const ONE_HEAD_IN_OTHER_LANGUAGES =
  /\b(?:un[ae]?|uma|eine[ns]?|ein|cada|ogni|chaque|jeder)\s(?:testa|tête|cabeza|cabeça|kopf(?:es)?)\b|[每一]个(?:注意力)?头/i
const WIDTH_OF_HEAD =
  /\bhead[\s_-]?(?:dim\w*|size|width)\b|\b(?:dim\w*|size|width) (?:of|per) (?:an?|one|each|the|every)? ?(?:attention )?heads?\b/i

/** The head of a class, which is not an attention head. */
const OUTPUT_HEAD = /\bhead\s(?:of|in)\s\w+For[A-Z]/

/** Words that ask for the size of something. */
const SIZE = /\bhow (?:much|big|large)\b|\bsize of\b|\bbelongs? to\b/i

/** Words that give a model a single head, unlike "how many parameters has one head?". */
const HAVING_ONE_HEAD =
  /(?<!\b(?:param\w*|weights|biases)\s(?=ha))\b(?:with|had|has|have|using|only|just)\s(?:only\s|just\s)?(?:one|a\ssingle)\s(?:attention\s)?head\b/i

/** Words right before the name of a size that ask for it. */
const ASKING_FOR_SIZE =
  /(?:\b(?:how\s(?:many|big|large|wide|deep|long)|what(?:['’]s)?|number\sof|wie\s?viele|combien\sde|cu[áa]nt[oa]s)\s(?:(?:is|are|was|the|its|max\w*|[\w-]*bert[\w-]*(?:['’]s)?)\s){0,3}|多少个?|几个?)(?:\w+\s)?$/i
const MAX_WORDS = 5 // words in a text that consists of a model and a size: "bert-base hidden size"

/** A question about the letter of a size. */
const LETTER = /\b[Ww]hat\s(?:is|does|are|was)\s["'“]?(?<letter>[VPHLFA])["'”]?(?=\s|[?.]|$)/

/** The account of a question about the meaning of a letter; null for any other text, and for a model without the size.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
export function accountOfLetter({ text }, name) {
  const { letter = "" } = LETTER.exec(text)?.groups ?? {}
  const size = models.get(name).sizes[letter]
  return size
    ? answer(words`${subjectOf(name)} has ${sizesInWords([[letter, size]])}: ${letter} = ${whole(size)}.`)
    : null
}

/** The account of a question about the sizes of a model that the text names; null for any other text.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
export function accountOfSizes({ text, mentions, numbers, parts, purposes }, name) {
  // The heads of "with MLM and NSP heads" are not those of attention.
  if (!mentions.length || numbers.length || purposes.length || PARAMETERS.test(text)) return null
  const { sizes } = models.get(name)
  const sizeNames = sizeNamesIn(text)
  // The "attention" in "attention heads" does not name a part.
  const otherParts = parts.filter((part) => !sizeNames.some(({ start, end }) => part.start >= start && part.end <= end))
  if (otherParts.length) return null
  if (WIDTH_OF_HEAD.test(text) && sizes.A && sizes.H % sizes.A === 0)
    return answer(
      words`Each attention head of ${subjectOf(name)} is ${sizes.H / sizes.A} wide: ${sizes.A} heads share a hidden size of ${sizes.H}.`,
    )
  // "How many biases are there in a layer?" asks for something else in a layer.
  const isAsked = sizeNames.some(({ start }) => ASKING_FOR_SIZE.test(text.slice(0, start)))
  if (!isAsked && text.trim().split(/\s+/).length > MAX_WORDS) return null
  const letters = [...new Set(sizeNames.map(({ role }) => LETTERS[role]))].filter((letter) => sizes[letter])
  return letters.length ? answer(words`${subjectOf(name)} has ${sizesInWords(sizesOf(letters, sizes))}.`) : null
}

const SHAPE = String.raw`(?<rows>[0-9]{2,5})\s?[x×*]\s?(?<columns>[0-9]{2,5})(?![0-9]|\s?[x×*])`
const OF_EACH = String.raw`\b(?:each|every|per|own|single|one)\s(?:of\s(?:the|its)\s(?:[0-9]{1,2}\s)?)?(?:attention\s)?heads?\b`
/** Words that give each head a matrix of its own with a shape, which follows or comes first. */
const FULL_MATRIX_PER_HEAD = [
  new RegExp(String.raw`${OF_EACH}[^.=+]{0,60}?\b${SHAPE}`, "i"),
  new RegExp(String.raw`(?<![0-9x×*]\s?)\b${SHAPE}(?:\s\w+){0,3}\s(?:for\s)?${OF_EACH}`, "i"),
]

/** The account of a text that gives each head a square matrix with the width of the model; null for any other text, for
 * one with a sum, and for a model whose heads do not share the columns of its projections. If the text names no model,
 * it is about the most used one of that width.
 * @param {string} text @returns {Account | null} */
export function accountOfFullHeads(text) {
  const groups = FULL_MATRIX_PER_HEAD.map((pattern) => pattern.exec(text)?.groups).find(Boolean)
  if (!groups || groups.rows !== groups.columns || /[=+]/.test(text) || text.length > MAX_LENGTH) return null
  const width = Number(groups.rows)
  const [mention] = modelsIn(text)
  const name = mention
    ? (mention.models[0] ?? "")
    : modelsByUse.find(({ name: unnamed, sizes }) => sizes.H === width && sharesColumns(unnamed))?.name
  const { A, H } = name ? models.get(name).sizes : { A: 0, H: 0 }
  if (!name || H !== width || !sharesColumns(name)) return null
  return answer(
    words`All ${whole(A)} heads of ${subjectOf(name)} share one matrix of ${H} × ${H} for queries, one for keys and one for values. Each head uses ${H / A} of the columns: ${A} × ${H} × ${H / A} = ${H * H}.`,
    null,
    [words`${link("parts/attention-heads.html", "The page on attention heads")} draws them.`],
  )
}

/** Whether the heads of a model share the columns of its projections, each of which has a matrix of its own.
 * @param {string} name */
function sharesColumns(name) {
  const { A, H } = models.get(name).sizes
  const query = partsNamed(["the query projection"]).find((part) => part.words.endsWith(" in one layer"))
  return Boolean(A) && H % A === 0 && query !== undefined && numberOfPart(query, name) === (H + 1) * H
}

/** The number of parameters that one attention head uses for query, key and value; 0 for a model whose heads do not
 * share the columns of its projections.
 * @param {string} name  of the model */
export function sizeOfAttentionHead(name) {
  const { A, H } = models.get(name).sizes
  return sharesColumns(name) ? (3 * (H + 1) * H) / A : 0
}

/** The projections whose columns the heads divide among them. */
const PROJECTIONS = ["query", "key", "value"]

/** The projections that a text names one by one; all three if it names none.
 * @param {LabelledText["parts"]} parts  that the text names */
function projectionsNamed(parts) {
  const namedProjections = PROJECTIONS.filter((one) => parts.some((part) => part.words === `the ${one} projection`))
  return namedProjections.length ? namedProjections : PROJECTIONS
}

/** The account of a question about one attention head, or about what it uses of some projections; null for any other
 * text, and for a model whose heads do not share the columns of its projections.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
export function accountOfHead({ text, parts, quantities }, name) {
  const namesHead = ONE_HEAD.test(text) || (ONE_HEAD_IN_OTHER_LANGUAGES.test(text) && !quantities.length)
  const isOnHead = namesHead && !HAVING_ONE_HEAD.test(text) && !OUTPUT_HEAD.test(text)
  const areBiases = asksForBiases(text)
  if (!isOnHead || !(PARAMETERS.test(text) || SIZE.test(text) || areBiases) || !sharesColumns(name)) return null
  const { A, H } = models.get(name).sizes
  const projections = projectionsNamed(parts)
  const times = projections.length > 1 ? words`${projections.length} × ` : ""
  const projectionsInWords = words`the ${enumeration(projections)} ${noun(projections.length, "projection")} in its layer`
  const total = (/** @type {number} */ one) => words`${times}${one} ÷ ${A} = ${(projections.length * one) / A}`
  if (areBiases)
    return answer(
      words`One head of ${subjectOf(name)} has no bias of its own. It uses ${H / A} of the ${H} elements of the bias of ${projectionsInWords}: ${total(H)}.`,
      null,
      [
        words`The bias of the output projection is added after the heads are concatenated and projected, so it belongs to no single head.`,
      ],
    )
  const number = (H + 1) * H
  const each =
    projections.length > 1
      ? [words`Each of the ${NUMBER_WORDS[projections.length - 1]} has ${number} ÷ ${A} = ${number / A} of them.`]
      : []
  return answer(
    words`One head of ${subjectOf(name)} has no tensor of its own. It uses ${H / A} of the ${H} columns of ${projectionsInWords}: ${total(number)} parameters.`,
    null,
    [
      ...each,
      words`Without the biases, that is ${total(H * H)}.`,
      words`The output projection reads these ${H / A} values with ${H / A} × ${H} = ${(H / A) * H} further weights; ${link("parts/attention-heads.html", "the page on attention heads")} draws both.`,
    ],
  )
}
