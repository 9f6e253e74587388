// Reads a call of `resize_token_embeddings`, which gives the word table another number of rows.

import { roundedUp } from "../counting/rounding.js"

const CALL =
  /\bresize_token_embeddings\(\s*(?:new_num_tokens\s*=\s*)?([0-9][0-9_]*)(?:\s*,\s*pad_to_multiple_of\s*=\s*([0-9]+))?[^()\n]*\)/

/** A call, the number of tokens that it requests, the number that it comes to when rounded up to a multiple of
 * `multiple` (`tokens`), and `multiple`, which is 1 if the call gives none.
 * @typedef {{ call: string, requestedTokens: number, tokens: number, multiple: number }} Resizing */

/** The first call in a text that resizes the word table; null if there is none.
 * @param {string} text @returns {Resizing | null} */
export function resizingIn(text) {
  const match = CALL.exec(text)
  if (!match) return null
  const [call, digits, multipleDigits = "1"] = match
  const requestedTokens = Number(digits.replaceAll("_", ""))
  const multiple = Number(multipleDigits)
  return { call, requestedTokens, tokens: roundedUp(requestedTokens, multiple), multiple }
}

/** The size that a call gives the vocabulary, as a key and its value; empty if a text resizes no table.
 * @param {string} text @returns {[key: string, tokens: number][]} */
export function vocabularySizeIn(text) {
  const resizing = resizingIn(text)
  return resizing ? [["vocab_size", resizing.tokens]] : []
}
