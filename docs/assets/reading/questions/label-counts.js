// Answers how many parameters a model, or its head, has with a number of labels, perhaps with a CRF on top.

import { classesOf, count, models, whole } from "../../counting/engine.js"
import { asClass, titleOf } from "../labels/meanings.js"
import { countOfPart, partsNamed } from "../labels/named-parts.js"
import { words } from "../words.js"
import { answer } from "./question-accounts.js"

/** Layers that people put between BERT and the head, and that are not counted here. */
const OTHER_LAYERS = /\b(?:bi-?)?(?:lstm|gru|rnn)\b|\bcnn\b|\bconv\w*\b/i
/** The words for a conditional random field. */
const CRF = /\bcrf\b|\bconditional random field/i
/** Words for labels of tokens. */
const OF_TOKENS = /\btags?\b|\bner\b|\btokens?\b|\bcrf\b/i

/** The account of a question about the total, or about the head, with a number of labels; null for any other text.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
export function accountOfLabelCount({ text, numbers, quantities, labels, classes, purposes, parts }, name) {
  if (!labels || quantities.length !== 1 || numbers[0]?.role !== "labels" || OTHER_LAYERS.test(text)) return null
  const { architecture, sizes } = models.get(name)
  const usualEnding = OF_TOKENS.test(text) ? "ForTokenClassification" : "ForSequenceClassification"
  const ending = purposes[0]?.ending ?? usualEnding
  const classNames = classesOf(architecture).map((modelClass) => modelClass.name)
  const modelClass = [classes[0]?.name, ...classNames.filter((className) => className.endsWith(ending))].find(
    (className) => classNames.includes(className),
  )
  const sizesWithLabels = { ...sizes, C: labels }
  const total = modelClass && count({ modelClass, sizes: sizesWithLabels })
  if (!total) return null
  const [part] = parts.flatMap((partInText) => partsNamed([partInText.words]).slice(0, 1))
  const number = part && countOfPart(part, modelClass, sizesWithLabels)
  const opening = words`${titleOf(name)}, ${asClass(modelClass, labels)}, has ${total} parameters`
  const sizeOfCrf = labels * labels + 2 * labels
  const onCrf = words`A CRF over ${whole(labels)} labels adds a score for each pair of them and, for each, a score at the start and at the end: ${labels} × ${labels} + 2 × ${labels} = ${sizeOfCrf}, so ${total + sizeOfCrf} in all.`
  return answer(
    number ? words`${opening}, of which ${number} belong to ${part.words}.` : words`${opening}.`,
    { name, modelClass, total },
    CRF.test(text) ? [onCrf] : [],
  )
}
