// Hides names of models while a sum is read, because no number or letter in them is a term:
// longformer-base-4096, bert_uncased_L-2_H-128_A-2, xlm-v-base. Accounts quote the names as typed.

import { modelsIn } from "../labels/mentions.js"

/** The shape of a name on the hub. */
const HUB_NAME = /[a-z0-9][-_][a-z0-9]/i
const HIDDEN = 0xe000 // the first code of private characters, which belong to no number and no word
/** The word "model" with a hidden name after it. */
const HIDDEN_NAME = /model([\ue020-\ue07e]+)/g

/** The word "model", followed by a name in private characters. Characters that are not printable ASCII are left out.
 * @param {string} name */
const hiddenName = (name) =>
  `model${name.replace(/[^\x20-\x7e]/g, "").replace(/./g, (character) => String.fromCharCode(HIDDEN + character.charCodeAt(0)))}`

/** The text with each name on the hub hidden. @param {string} text */
export function withHiddenNames(text) {
  if (!HUB_NAME.test(text)) return text
  return modelsIn(text)
    .filter((mention) => HUB_NAME.test(mention.text))
    .sort((one, other) => other.start - one.start)
    .reduce((rest, { start, end }) => rest.slice(0, start) + hiddenName(rest.slice(start, end)) + rest.slice(end), text)
}

/** The text with its hidden names as they were typed. @param {string} text */
export const withShownNames = (text) =>
  text.replace(HIDDEN_NAME, (_, name) =>
    name.replace(/./g, (/** @type {string} */ character) => String.fromCharCode(character.charCodeAt(0) - HIDDEN)),
  )
