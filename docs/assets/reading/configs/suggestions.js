// Suggests a known name if an unknown one may be a misspelling of it. A known name that
// differs in a number, the size, the case or the family belongs to a different model and is
// never suggested. Of the others, the one with the fewest wrong characters is suggested if these are
// few enough.

import exported from "../../../data/reading.js"
import { MAX_NAME_LENGTH, MODELS_BY_NAME, ORGANISATIONS } from "../model-names.js"
import { distance } from "./edit-distance.js"
import { COMMON_WORDS, SIZE_WORDS, tokensOf } from "./names-in-words.js"

const { cases: CASES, uncounted: UNCOUNTED } = exported.names

/** The last part of an id, in lower case and with hyphens for underscores. @param {string} name */
const lastPartOf = (name) => (name.toLowerCase().split("/").pop() ?? "").replaceAll("_", "-")

/** The reason why a model of this name is not counted; "" if none is known. @param {string} name */
export function reasonAgainst(name) {
  const [wholeName, lastPart] = [name.toLowerCase().replaceAll("_", "-"), lastPartOf(name)]
  /** Whether the name begins like that of an uncounted model. The publisher matters only if `start` has one, because a
   * publisher such as Falconsai may be named like another publisher's model, Falcon. */
  const isNamedLike = (/** @type {string} */ start) => (start.includes("/") ? wholeName : lastPart).startsWith(start)
  return UNCOUNTED.find(({ names }) => names.some(isNamedLike))?.why ?? ""
}

/** The numbers in a name. Names with different numbers belong to different models. @param {string} name */
const numbersIn = (name) => (name.match(/[0-9]+/g) ?? []).join()

/** The words in a name that identify the model's family. @param {string} name */
const familyWordsOf = (name) =>
  tokensOf(name.replaceAll("_", "-")).filter((token) => !COMMON_WORDS.has(token) && !/^[0-9]+$/.test(token))

/** The words in a name for its size and case. @param {string} name */
const sizesAndCasesIn = (name) => tokensOf(name).filter((token) => SIZE_WORDS.includes(token) || CASES.includes(token))

/** The words that identify families, from all known names. */
const FAMILIES = new Set([...MODELS_BY_NAME.keys()].flatMap(familyWordsOf))

const SHORT_WORD = 7 // two wrong letters may turn a word with fewer letters into a different one

/** Whether a word equals another or may be a misspelling of it. The name of a family is never a misspelling.
 * @param {string} unknownWord @param {string} word */
function isMisspelling(unknownWord, word) {
  if (unknownWord === word || FAMILIES.has(unknownWord)) return unknownWord === word
  // Two wrong letters may be a mistake, but not two additional ones: "RuRoBERTa" does not mean "RoBERTa".
  const maxSlips = word.length < SHORT_WORD || Math.abs(unknownWord.length - word.length) > 1 ? 1 : 2
  return distance(unknownWord, word, 2) <= maxSlips
}

/** Whether a model's name has the family, size and case that an unknown name states, possibly misspelt.
 * @param {string} unknownName @param {string} modelName */
function isOfSameKind(unknownName, modelName) {
  const [unknownFamily, family] = [familyWordsOf(unknownName), familyWordsOf(modelName)]
  if (sizesAndCasesIn(unknownName).some((kind) => !sizesAndCasesIn(modelName).includes(kind))) return false
  // An additional word makes it a different model, as in "bert-fa-base-uncased".
  const words = tokensOf(modelName)
  if (!unknownFamily.every((unknownWord) => words.some((word) => isMisspelling(unknownWord, word)))) return false
  return family.every((word) => unknownFamily.some((unknownWord) => isMisspelling(unknownWord, word)))
}

/** The publisher in an id; "" if there is none. @param {string} name */
const publisherOf = (name) => name.toLowerCase().split("/").slice(0, -1).join("/").replaceAll("_", "-")

const PUBLISHERS = new Set(["", ...ORGANISATIONS, ...[...MODELS_BY_NAME.keys()].map(publisherOf)])

/** The maximum number of wrong characters in a misspelt name: 0 in the id of an unknown publisher, whose models have
 * names of their own, and otherwise one to three, depending on the length of the name.
 * @param {string} name @param {string} lastPart */
function maxSlipsIn(name, lastPart) {
  if (!PUBLISHERS.has(publisherOf(name))) return 0
  if (lastPart.length < 8) return 1
  return lastPart.length < 16 ? 2 : 3
}

/** The known name that an unknown one is probably a misspelling of; null if none is close.
 * @param {string} name @returns {string | null} */
export function suggestionFor(name) {
  const lastPart = lastPartOf(name).slice(0, MAX_NAME_LENGTH)
  const maxSlips = maxSlipsIn(name, lastPart)
  /** @type {string | null} */
  let closestName = null
  let fewestSlips = maxSlips + 1
  for (const [id, { name: modelName }] of MODELS_BY_NAME) {
    const knownName = lastPartOf(id)
    if (numbersIn(knownName) !== numbersIn(lastPart)) continue
    const slips = distance(lastPart, knownName, maxSlips)
    if (slips >= fewestSlips || !isOfSameKind(lastPart, knownName)) continue
    closestName = modelName
    fewestSlips = slips
  }
  return closestName
}
