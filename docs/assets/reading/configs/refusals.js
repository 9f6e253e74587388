// Refusals: the accounts of configurations that do not determine a total. Each gives the
// reason, and may say what to do instead.

import { cut } from "../../counting/short.js"
import { accountInSentences, code, enumeration, words } from "../words.js"

export const MAX_KEYS = 8 // the maximum number of keys that one answer names
const MAX_QUOTE_LENGTH = 60 // the maximum number of characters of a key or a class that is quoted

/** A key or a class, cut to the length at which it is quoted. @param {string} text */
export const cutForQuote = (text) => cut(text, MAX_QUOTE_LENGTH)

/** An account whose headline says why there is no total, with further sentences below it.
 * @param {Words} headline @param {Words[]} sentences @returns {Account} */
export const refusal = (headline, sentences = []) => accountInSentences(headline, sentences, { kind: "refusal" })

/** Advice for a model that is not counted here. */
export const ANY_MODEL = words`Drop the model's safetensors file here instead: its header counts any model exactly.`

/** The refusal of a model with code of its own. @param {object} autoMap  the value of `auto_map` @returns {Account} */
export function refusalOfOwnCode(autoMap) {
  const classes = Object.values(autoMap)
    .flat()
    .filter((name) => typeof name === "string")
  const className = classes.length ? words` (${code(cutForQuote(String(classes.at(-1))))})` : []
  return {
    ...refusal(
      words`This model is built by code of its own${className}, so no total follows from its config: ${code("auto_map")} names classes that transformers does not have.`,
      [ANY_MODEL],
    ),
    kind: "config",
  }
}

/** The refusal of a configuration because of keys that may determine sizes, each with the reason.
 * @param {[string, string][]} keysWithReasons
 * @param {Map<string, Words>} misspeltKeys  sentences on those keys that look like misspellings @returns {Account} */
export function refusalByKeys(keysWithReasons, misspeltKeys) {
  const keys = enumeration(keysWithReasons.slice(0, MAX_KEYS).map(([key]) => code(cutForQuote(key))))
  const verb = keysWithReasons.length === 1 ? "is a key" : "are keys"
  return {
    ...refusal(
      words`We can't tell this model's total from its config: ${keys} ${verb} that we do not take into account.`,
      [
        ...keysWithReasons
          .slice(0, MAX_KEYS)
          .map(([key, why]) => words`${code(cutForQuote(key))}: ${misspeltKeys.get(key) ?? why}.`),
        words`The other sizes alone could give the total of another model.`,
        ANY_MODEL,
      ],
    ),
    kind: "config",
  }
}

/** The refusal of a configuration that belongs to a different model from the one that its sizes suggest.
 * @param {Words} why @returns {Account} */
export const refusalOfOther = (why) => ({
  ...refusal(words`We can't tell this model's total from its config: ${why}.`, [ANY_MODEL]),
  kind: "config",
})
