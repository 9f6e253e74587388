// Answers how many parameters a model, or its head, has with a number of labels.

import { classesOf, count, models } from "../../counting/engine.js"
import { asClass, titleOf } from "../labels/meanings.js"
import { countOfPart, partsNamed } from "../labels/named-parts.js"
import { words } from "../words.js"
import { answer } from "./words.js"

/** The account of a question about the total, or about the head, with a number of labels; null for any other text.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
export function accountOfLabelCount({ numbers, quantities, labels, classes, purposes, parts }, name) {
  if (!labels || quantities.length !== 1 || numbers[0]?.role !== "labels") return null
  const { architecture, sizes } = models.get(name)
  const ending = purposes[0]?.ending ?? "ForSequenceClassification"
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
  return answer(number ? words`${opening}, of which ${number} belong to ${part.words}.` : words`${opening}.`, {
    name,
    modelClass,
    total,
  })
}
