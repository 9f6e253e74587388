// Answers texts that give a number to a part that their model does not have, such as the position table of
// ModernBERT. The number may be right for the same part of another model.

import { subjectOf } from "./labels/meanings.js"
import { modelsIn, nameOfOnlyModel, partsIn } from "./labels/mentions.js"
import { isJoined, numberOfPart, partsNamed } from "./labels/named-parts.js"
import { answer, MAX_LENGTH } from "./questions/question-accounts.js"
import { partNamesLeftOut } from "./questions/questioned-parts.js"
import { link, words } from "./words.js"

/** A number of parameters, or a shape. */
const NUMBER = /[0-9]{3}|[0-9]\s?[Mk]\b/

/** The account of a line that gives a number to the only part that it names, but whose model lacks this part in every
 * class; null for any other text.
 * @param {string} text @returns {Account | null} */
export function accountOfAbsentPart(text) {
  if (text.length > MAX_LENGTH || text.trim().includes("\n") || !NUMBER.test(text)) return null
  const mentions = modelsIn(text)
  const parts = partsIn(text)
  const name = mentions.length ? nameOfOnlyModel(mentions) : ""
  const [partName, ...otherNames] = new Set(parts.map((part) => part.words))
  if (!name || !partName || otherNames.length || partNamesLeftOut({ text, parts }).length) return null
  const namedParts = partsNamed([partName])
  const [part] = namedParts
  if (!part || namedParts.some((one) => numberOfPart(one, name) || isJoined(one, name))) return null
  return answer(words`${subjectOf(name)} lacks ${link(part.page, part.words)}.`)
}
