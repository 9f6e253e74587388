// Explains the size of a vocabulary, given alone or as the argument of `resize_token_embeddings`:
// it is the number of rows in the table of words, and no number of parameters. Each row has
// the width of the table.

import { ofModel } from "../counting/configuration.js"
import { count, models, noun } from "../counting/engine.js"
import { byUse } from "../explaining/ways.js"
import { loadingIn } from "./loaded-model.js"
import { modelOfName } from "./model-names.js"
import { accountInSentences, code, link, words } from "./words.js"

/** The call, with the number of tokens and what it is rounded up to a multiple of. */
const RESIZING =
  /\bresize_token_embeddings\(\s*(?:new_num_tokens\s*=\s*)?([0-9][0-9_]*)(?:\s*,\s*pad_to_multiple_of\s*=\s*([0-9]+))?[^()\n]*\)/
/** A number as large as a total. */
const LARGE_NUMBER = /[0-9][0-9,_]{4,}/g
const MAX_ADDED = 1000 // tokens; a vocabulary that is larger by more is another one

const TABLE = "parts/embeddings.html"

/** The best-known model whose vocabulary may have been extended to this number of tokens; undefined if none is near.
 * @param {number} tokens @returns {Model | undefined} */
function modelExtendedTo(tokens) {
  /** How many more tokens there are than a model's vocabulary has. */
  const added = (/** @type {Model} */ { sizes }) => tokens - sizes.V
  const near = [...models.values()].filter((model) => added(model) >= 0 && added(model) <= MAX_ADDED)
  return near.sort((one, other) => added(one) - added(other) || byUse(one, other))[0]
}

/** The account of a call that resizes the table of words; null for any other text, and for one with a total, which other
 * readers explain.
 * @param {string} text @returns {Account | null} */
export function accountOfResizing(text) {
  const call = RESIZING.exec(text)
  if (!call || text.replace(call[0], "").match(LARGE_NUMBER)) return null
  const [, digits, multiple = "1"] = call
  const requested = Number(digits.replaceAll("_", ""))
  const tokens = Math.ceil(requested / Number(multiple)) * Number(multiple)
  const rounded = tokens === requested ? "" : words`, rounded up to ${tokens}, a multiple of ${Number(multiple)}`
  return accountWithTokens(
    tokens,
    words`${requested} is the size of a vocabulary${rounded}, and no number of parameters: ${code("resize_token_embeddings")} gives the ${link(TABLE, "table of words")} one row for each token.`,
    loadingIn(text),
  )
}

/** The account of the size of a vocabulary that is given alone, as in a line of a config.
 * @param {number} tokens @returns {Account} */
export const accountOfVocabulary = (tokens) =>
  accountWithTokens(
    tokens,
    words`${tokens} is the size of a vocabulary, and no number of parameters: the ${link(TABLE, "table of words")} has one row for each token.`,
    null,
  )

/** An account that says what a model has with so many tokens: the one that code loads, or else the likeliest.
 * @param {number} tokens @param {Words} headline @param {ReturnType<typeof loadingIn>} loading @returns {Account} */
function accountWithTokens(tokens, headline, loading) {
  const [firstModel] = [...models.values()].sort(byUse)
  const named = loading && modelOfName(loading.name)?.model
  const { name, title, page, sizes } = named ?? modelExtendedTo(tokens) ?? firstModel
  const { modelClass, sizes: modelSizes } = ofModel(name, loading?.loader)
  const total = count({ modelClass, sizes: { ...modelSizes, V: tokens } }) ?? Number.NaN
  const newTokens = tokens - sizes.V
  const change = words`${Math.abs(newTokens)} ${noun(newTokens, "token")} ${newTokens < 0 ? "fewer" : "more"} than the ${sizes.V} of the published one`
  const width = sizes.E ?? sizes.H
  return accountInSentences(
    headline,
    [
      words`In ${link(page, title)}, the table ${newTokens ? "then " : ""}has ${tokens} × ${width} = ${tokens * width} parameters${newTokens ? words`: ${change}` : ""}. As ${code(modelClass)}, the model has ${total}.`,
    ],
    { model: { name, modelClass, total }, confidence: named ? "certain" : "likely" },
  )
}
