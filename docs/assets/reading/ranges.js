// Explains errors about rows that an embedding table does not have: a text with more tokens
// than the position table has rows, or a token, position or segment id that is too large.
// The messages name no model, so the answer refers to the most widely used model, or to the
// most widely used of those that have the number of positions in the message.

import { classesOf, noun } from "../counting/engine.js"
import { modelsByUse } from "../explaining/ways.js"
import { accountInSentences, code, link, words } from "./words.js"

/** The tokenizer's warning that a text is too long, with the number of tokens and the limit. */
const TOO_LONG =
  /\bToken indices sequence length is longer than the specified maximum sequence length for this model \((\d+) > (\d+)\)/
/** PyTorch's error when position embeddings are added to a text that is too long. */
const SIZES_DIFFER =
  /\bThe size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\) at non-singleton dimension 1\b/
/** The error that a table lacks a row, on a CPU or a GPU. */
const OUT_OF_RANGE = /\bindex out of range in self\b|\bsrcIndex < srcSelectDimSize\b/

const POSITIONS_PAGE = "parts/embeddings.html#rows"

/** The account of an error about the rows of an embedding table; null for any other text, and if no model has the
 * number of positions in the error.
 * @param {string} text @returns {Account | null} */
export function accountOfRange(text) {
  const [, tokens, limit] = (TOO_LONG.exec(text) ?? SIZES_DIFFER.exec(text) ?? []).map(Number)
  if (tokens > limit) return accountOfLength(tokens, limit, TOO_LONG.test(text))
  return OUT_OF_RANGE.test(text) ? accountOfIndex() : null
}

/** The most widely used model whose position table has this many rows; undefined if there is none.
 * @param {number} rows @returns {Model | undefined} */
const modelWithPositions = (rows) => modelsByUse.find((model) => model.sizes.P === rows && hasPositionTable(model))

/** Whether a model has a position table. Some have none: ModernBERT, for example, rotates queries and keys instead.
 * @param {Model} model */
const hasPositionTable = ({ architecture }) =>
  classesOf(architecture)[0].rows.some(({ dimensions }) => dimensions.includes("P"))

/** The account of a text that is too long; null if no model has this many positions.
 * @param {number} tokens @param {number} limit
 * @param {boolean} isOfTokenizer  whether the numbers come from a tokenizer's warning, which states their meaning
 * @returns {Account | null} */
function accountOfLength(tokens, limit, isOfTokenizer) {
  const model = modelWithPositions(limit)
  if (!model) return null
  const { title, page, sizes } = model
  const excessTokens = tokens - limit
  const asIn = words`the ${link(POSITIONS_PAGE, "table of positions")} has ${limit} rows, as in ${link(page, title)}`
  const opening = isOfTokenizer
    ? words`Your text has ${tokens} tokens, but ${asIn}`
    : words`Your text most likely has ${tokens} tokens, but ${asIn}`
  return accountInSentences(
    words`${opening}: ${excessTokens} of the tokens ${noun(excessTokens, "has", "have")} no position.`,
    [
      words`Cut the text with ${code(`truncation=True, max_length=${limit}`)}, or split it.`,
      words`A table with ${tokens} rows would have ${excessTokens} × ${sizes.H} = ${excessTokens * sizes.H} more parameters, which the checkpoint does not have.`,
    ],
    { confidence: isOfTokenizer ? "certain" : "likely" },
  )
}

/** The account of an id for which a table has no row. */
function accountOfIndex() {
  const [{ title, page, sizes }] = modelsByUse
  return accountInSentences(
    words`An ${link("parts/embeddings.html", "embedding table")} was asked for a row that it does not have. In ${link(page, title)}, the tables have ${sizes.V} rows for tokens, ${sizes.P} for positions and ${sizes.S} for segments.`,
    [
      words`A text of more than ${sizes.P} tokens has positions without a row: cut it with ${code(`truncation=True, max_length=${sizes.P}`)}.`,
      words`A token has a number without a row if the tokenizer is another model's, or if tokens were added without ${code("model.resize_token_embeddings(len(tokenizer))")}.`,
      words`A number in ${code("token_type_ids")} has no row if it is ${sizes.S} or more.`,
    ],
    { confidence: "likely" },
  )
}
