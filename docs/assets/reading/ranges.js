// Explains errors about rows that an embedding table does not have: a text with more tokens
// than the table of positions has rows, or the number of a token, position or segment that
// is too large. The messages name no model, so the numbers are those of the best-known
// model with as many positions.

import { classesOf, models } from "../counting/engine.js"
import { byUse } from "../explaining/ways.js"
import { accountInSentences, code, link, words } from "./words.js"

/** The warning of a tokenizer that a text is too long: its tokens, and the limit. */
const TOO_LONG =
  /\bToken indices sequence length is longer than the specified maximum sequence length for this model \((\d+) > (\d+)\)/
/** The error of PyTorch where positions are added to a text that is too long. */
const SIZES_DIFFER =
  /\bThe size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\) at non-singleton dimension 1\b/
/** The error that a table lacks a row, on a CPU and on a GPU. */
const OUT_OF_RANGE = /\bindex out of range in self\b|\bsrcIndex < srcSelectDimSize\b/

const POSITIONS = "parts/embeddings.html#rows"

/** The account of an error about the rows of an embedding table; null for any other text.
 * @param {string} text @returns {Account | null} */
export function accountOfRange(text) {
  const [, tokens, limit] = (TOO_LONG.exec(text) ?? SIZES_DIFFER.exec(text) ?? []).map(Number)
  if (tokens > limit) return accountOfLength(tokens, limit, TOO_LONG.test(text))
  return OUT_OF_RANGE.test(text) ? accountOfIndex() : null
}

/** The best-known model whose table of positions has this many rows.
 * @param {number} rows @returns {Model | undefined} */
const modelWithPositions = (rows) =>
  [...models.values()].filter((model) => model.sizes.P === rows && hasPositions(model)).sort(byUse)[0]

/** Whether a model has a table of positions; others, such as ModernBERT, turn queries and keys by an angle instead.
 * @param {Model} model */
const hasPositions = ({ architecture }) =>
  classesOf(architecture)[0].rows.some(({ dimensions }) => dimensions.includes("P"))

/** The account of a text that is too long; null if no model has a table of as many rows.
 * @param {number} tokens @param {number} limit @param {boolean} isOfTokenizer  whether the text says what the numbers are
 * @returns {Account | null} */
function accountOfLength(tokens, limit, isOfTokenizer) {
  const model = modelWithPositions(limit)
  if (!model) return null
  const { title, page, sizes } = model
  const tokensTooMany = tokens - limit
  const asIn = words`the ${link(POSITIONS, "table of positions")} has ${limit} rows, as in ${link(page, title)}`
  const opening = isOfTokenizer
    ? words`Your text has ${tokens} tokens, but ${asIn}`
    : words`Your text most likely has ${tokens} tokens, but ${asIn}`
  return accountInSentences(
    words`${opening}: ${tokensTooMany} of the tokens have no position.`,
    [
      words`Cut the text with ${code(`truncation=True, max_length=${limit}`)}, or split it.`,
      words`A table with ${tokens} rows would have ${tokensTooMany} × ${sizes.H} = ${tokensTooMany * sizes.H} more parameters, which the checkpoint does not have.`,
    ],
    { confidence: isOfTokenizer ? "certain" : "likely" },
  )
}

/** The account of an index for which a table has no row. */
function accountOfIndex() {
  const [{ title, page, sizes }] = [...models.values()].sort(byUse)
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
