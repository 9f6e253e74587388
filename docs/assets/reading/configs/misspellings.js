// Finds keys of a configuration that look like misspellings of the keys that give sizes. transformers
// ignores keys that it does not know, so such a model has the default size instead.

import { textOf } from "../../counting/messages.js"
import { code, words } from "../words.js"
import { distance } from "./edit-distance.js"
import { DEFAULTS } from "./keys.js"

const MAX_SLIPS = 2 // the maximum number of wrong characters in a key; the keys that give sizes differ in more
const MIN_LENGTH = 6 // the minimum number of characters of a key; shorter ones may be words of their own

/** The key of a size that a key is probably a misspelling of; "" if there is none.
 * @param {string} key @param {string[]} sizeKeys */
function intendedKey(key, sizeKeys) {
  if (key.length < MIN_LENGTH) return ""
  return sizeKeys.find((sizeKey) => distance(key.toLowerCase(), sizeKey, MAX_SLIPS) <= MAX_SLIPS) ?? ""
}

/** A sentence on each given key that looks like a misspelling, by key.
 * @param {[string, string][]} keysWithReasons  the keys that keep a configuration from being counted
 * @param {Pick<import("./text.js").ConfigText, "entries">} config @param {string} type @returns {Map<string, Words>} */
export function sentencesOnMisspeltKeys(keysWithReasons, { entries }, type) {
  const defaults = Object.hasOwn(DEFAULTS, type) ? DEFAULTS[type] : {}
  // A size that the text gives under its right key cannot be meant by another key.
  const sizeKeys = Object.keys(defaults).filter((key) => !entries.has(key))
  const unknownKeys = keysWithReasons.filter(([, reason]) => reason === textOf("unknown-key"))
  return new Map(
    unknownKeys.flatMap(([key]) => {
      const sizeKey = intendedKey(key, sizeKeys)
      if (!sizeKey) return []
      const sentence = words`it looks like a misspelling of ${code(sizeKey)}; transformers ignores keys that it does not know, so it takes the default, ${defaults[sizeKey]}`
      return [[key, sentence]]
    }),
  )
}
