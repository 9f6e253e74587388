// Answers how many parameters a model has with further layers on top, if the text names the model:
// "BERT base + 768 × 10 + 10", or "bert-base-uncased + Linear(768, 256) + Linear(256, 2)".

import { waysTo } from "../../explaining/explain.js"
import { asClass, meaning, subjectOf } from "../labels/meanings.js"
import { classAndTotal } from "../labels/totals.js"
import { resultOfFormula } from "../sums/expressions.js"
import { words } from "../words.js"
import { answer } from "./question-accounts.js"

/** A dense layer as PyTorch writes it, with its two widths. */
const LINEAR = /\b(?:nn\.)?Linear\(\s*(?:in_features=)?([0-9]+)\s*,\s*(?:out_features=)?([0-9]+)\s*\)/gi

/** The dense layers that a text puts on top of a model, with signs between them; "" if it says nothing of the kind, or
 * has numbers besides those of the layers.
 * @param {string} text */
function layersOnTop(text) {
  const isOnTop = /\bon top of\b|\bfollowed by\b/i.test(text) && !/[0-9]/.test(text.replace(LINEAR, ""))
  return isOnTop ? (text.match(LINEAR) ?? []).join(" + ") : ""
}

/** The account of a model's name with terms added to it, or of dense layers on top of it; null for any other text.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
export function accountOfAddition({ text, mentions, classes }, name) {
  const [mention, ...otherMentions] = mentions
  if (!mention || otherMentions.length) return null
  const isFirst = !text.slice(0, mention.start).trim()
  const [, terms = ""] = (isFirst && /^\s*(?:\+|plus\b)\s*(.+)$/.exec(text.slice(mention.end).trimEnd())) || []
  const formula = (terms || layersOnTop(text))
    .replace(LINEAR, "($1 × $2 + $2)")
    .replace(/\s*(?:[*×]|(?<=[0-9]\s?)x(?=\s?[0-9]))\s*/g, " × ")
    .replace(/\s*\+\s*/g, " + ")
    .replace(/^\(([^()]*)\)$/, "$1")
  const addedCount = resultOfFormula(formula)
  const { modelClass, total } = classAndTotal(name, classes[0]?.name)
  if (!Number.isSafeInteger(addedCount) || addedCount <= 0 || !total) return null
  const [way] = waysTo(total + addedCount, name)
  const isTotal = way && way.number === total + addedCount && !way.mistakes.length && way.confidence !== "possible"
  const clause = isTotal ? words` That is ${meaning(way, name)}.` : []
  return answer(
    words`${subjectOf(name)} has ${total} parameters ${asClass(modelClass)}. With ${formula} = ${addedCount} more, that makes ${total + addedCount}.${clause}`,
    { name, modelClass, total },
  )
}
