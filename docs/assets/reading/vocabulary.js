// Explains the size of a vocabulary, given alone or as the argument of `resize_token_embeddings`.
// It is the number of rows of the word table, not a number of parameters.

import { ofModel } from "../counting/configuration.js"
import { count, models, noun } from "../counting/engine.js"
import { correctTotals } from "../explaining/explain.js"
import { numberOfDigits } from "../explaining/read.js"
import { modelsByUse } from "../explaining/ways.js"
import { modelInClass } from "./labels/meanings.js"
import { loadingIn } from "./loaded-model.js"
import { modelOfName } from "./model-names.js"
import { resizingIn } from "./resizing.js"
import { accountInSentences, code, link, linkTo, words } from "./words.js"

/** A number of at least five characters, which may be a total or a further size of a vocabulary. */
const TOTAL_OR_SIZE = /[0-9][0-9,_]{4,}/g
const MAX_ADDED = 1000 // the maximum number of added tokens; with more, the vocabulary is taken for a different one

const TABLE_PAGE = "parts/embeddings.html"

/** The model whose vocabulary was most likely extended to this number of tokens, by at most `MAX_ADDED`; undefined if
 * there is none.
 * @param {number} tokens @returns {Model | undefined} */
function modelExtendedTo(tokens) {
  return modelsByUse
    .filter(({ sizes: { V } }) => V <= tokens && V >= tokens - MAX_ADDED)
    .sort((one, other) => other.sizes.V - one.sizes.V)[0]
}

/** The clause that opens both headlines. @param {number} size @param {Words | string} [rounding] */
const openingClause = (size, rounding = "") =>
  words`${size} is the size of a vocabulary${rounding}, not a number of parameters`

/** The account of a call that resizes the word table, of a tokenizer with more tokens than the table has rows, or of
 * the totals before and after such a call; null for any other text. A call beside any other large number is left to
 * other modules.
 * @param {string} text @returns {Account | null} */
export function accountOfResizing(text) {
  const accountOfLength = accountOfLongerTokenizer(text) ?? accountOfTotals(text)
  if (accountOfLength) return accountOfLength
  const resizing = resizingIn(text)
  if (!resizing || text.replace(resizing.call, "").match(TOTAL_OR_SIZE)) return null
  const { requestedTokens, tokens, multiple } = resizing
  const rounding = tokens === requestedTokens ? "" : words`, rounded up to ${tokens}, a multiple of ${multiple}`
  return accountWithTokens(
    tokens,
    words`${openingClause(requestedTokens, rounding)}: ${code("resize_token_embeddings")} gives the ${link(TABLE_PAGE, "word table")} one row for each token.`,
    loadingIn(text),
  )
}

/** The length that Python gives for a tokenizer, and a shape of two dimensions, such as a word table's. */
const TOKENIZER_LENGTH = /\blen\(\s*tokenizer\s*\)\W{0,4}(?:(?:is|gives|returns)\s)?([0-9][0-9,_]{2,8})/i
const TABLE_SHAPE = /[([]\s*([0-9]{3,7})\s*,\s*([0-9]{2,5})\s*[)\]]/g

/** The account of a tokenizer with more tokens than the word table has rows, or of the table's shapes before and after,
 * in a text about resizing the table; null for any other text.
 * @param {string} text @returns {Account | null} */
function accountOfLongerTokenizer(text) {
  if (!/resize_token_embeddings/i.test(text)) return null
  const [, length = ""] = TOKENIZER_LENGTH.exec(text) ?? []
  const [[, rows, width] = [0, 0, 0], [, laterRows, laterWidth] = [0, 0, 0]] = [...text.matchAll(TABLE_SHAPE)].map(
    (match) => match.map(Number),
  )
  const newRows = (Number(length.replace(/[,_]/g, "")) || (laterWidth === width ? laterRows : 0)) - rows
  if (!width || newRows <= 0) return null
  const model = modelsByUse.find(({ sizes }) => sizes.V === rows && (sizes.E ?? sizes.H) === width)
  const modelPhrase = model ? words` of ${linkTo(model)}` : ""
  const sentenceOnBias = words`In a masked-LM head, the prediction bias grows by ${newRows}, too.`
  return accountInSentences(
    words`${code("resize_token_embeddings")} adds ${newRows} ${noun(newRows, "row")} of ${width} to the ${link(TABLE_PAGE, "word table")}${modelPhrase}: ${newRows} × ${width} = ${newRows * width} parameters.`,
    [sentenceOnBias],
  )
}

/** A number of at least a million. */
const TOTAL = /(?<![\w.,])(?:[0-9]{1,3}(?:[,_][0-9]{3}){2,}|[0-9]{7,12})(?![\w,])/g
const MAX_LENGTH = 4000 // characters

/** The account of the totals of a model before and after a call that resizes its word table; null for any other text.
 * @param {string} text @returns {Account | null} */
function accountOfTotals(text) {
  if (text.length > MAX_LENGTH || !/resize_token_embeddings/i.test(text)) return null
  const [before, after, ...others] = [...new Set((text.match(TOTAL) ?? []).map(numberOfDigits))].sort(
    (one, other) => one - other,
  )
  if (!after || others.length) return null
  const [way] = correctTotals(before)
  const [modelClass] = way?.classes ?? []
  if (!modelClass || way.labels > 0) return null
  const { sizes } = models.get(way.models[0])
  const totalWith = (/** @type {number} */ V) => count({ modelClass, sizes: { ...sizes, V } })
  const perToken = totalWith(sizes.V + 1) - totalWith(sizes.V)
  const tokens = (after - before) / perToken
  if (!Number.isInteger(tokens) || totalWith(sizes.V) !== before || tokens > sizes.V) return null
  const width = sizes.E ?? sizes.H
  const onBias = perToken > width ? words` and one element of the prediction bias` : ""
  const statesTokens = new RegExp(`(?<![0-9.,])(?:${tokens}|${sizes.V + tokens})(?![0-9])`).test(text)
  return accountInSentences(
    words`${after} is ${modelInClass(way, way.models[0])}, with ${tokens} more ${noun(tokens, "token")} than its ${sizes.V}. Each adds ${perToken} parameters, a row of ${width} in the ${link(TABLE_PAGE, "word table")}${onBias}: ${tokens} × ${perToken} = ${after - before}.`,
    [words`Without them, it has ${before}.`],
    { kind: "labels", model: { name: "", modelClass, total: after }, confidence: statesTokens ? "certain" : "likely" },
  )
}

/** The account of a vocabulary size alone, as on a line of a config. @param {number} tokens @returns {Account} */
export const accountOfVocabulary = (tokens) =>
  accountWithTokens(
    tokens,
    words`${openingClause(tokens)}: the ${link(TABLE_PAGE, "word table")} has one row for each token.`,
    null,
  )

/** The account of a vocabulary size, with the resulting word table and total of the model that the code loads or, if it
 * loads none, of the likeliest model.
 * @param {number} tokens @param {Words} headline @param {ReturnType<typeof loadingIn>} loading @returns {Account} */
function accountWithTokens(tokens, headline, loading) {
  const loadedModel = loading && modelOfName(loading.name)?.model
  const { name, title, page, sizes } = loadedModel ?? modelExtendedTo(tokens) ?? modelsByUse[0]
  const { modelClass, sizes: modelSizes } = ofModel(name, loading?.loader)
  const total = count({ modelClass, sizes: { ...modelSizes, V: tokens } })
  const difference = tokens - sizes.V
  const change = words`${Math.abs(difference)} ${noun(Math.abs(difference), "token")} ${difference < 0 ? "fewer" : "more"} than the ${sizes.V} of the published one`
  const width = sizes.E ?? sizes.H
  return accountInSentences(
    headline,
    [
      words`In ${link(page, title)}, the table ${difference ? "then " : ""}has ${tokens} × ${width} = ${tokens * width} parameters${difference ? words`: ${change}` : ""}. As ${code(modelClass)}, the model has ${total} parameters.`,
    ],
    { model: { name, modelClass, total }, confidence: loadedModel ? "certain" : "likely" },
  )
}
