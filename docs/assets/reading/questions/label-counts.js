// Answers how many parameters a model or its head has for a given number of labels, perhaps with a CRF on top.

import { classesOf, count, models, noun, whole } from "../../counting/engine.js"
import { asClass, subjectOf, titleOf } from "../labels/meanings.js"
import { countOfPart, numberOfPart, partsNamed } from "../labels/named-parts.js"
import { link, words } from "../words.js"
import { answer } from "./question-accounts.js"

/** Layers that people put between BERT and the head, and that are not counted here. */
const OTHER_LAYERS = /\b(?:bi-?)?(?:lstm|gru|rnn)\b|\bcnn\b|\bconv\w*\b/i
/** The words for a conditional random field. */
const CRF = /\bcrf\b|\bconditional random field/i
/** A number of labels that is a letter: "k classes". */
const LETTER_OF_LABELS = /(?<![\w-])(?<letter>[a-zA-Z])\s(?:(?:output|target)\s)?(?:labels|classes|categories)\b/
/** Words for labels of tokens. */
const OF_TOKENS = /\btags?\b|\bner\b|\btokens?\b|\bcrf\b/i

/** Words for the layers of a class on top of the model. */
const HEAD = /\bheads?\b|\bclassifier\b|\boutput layer\b/i
/** The endings of the classes whose heads no words for parts name, so that `partsNamed` does not find them. */
const ENDINGS_OF_UNNAMED_HEADS = ["ForTokenClassification", "ForQuestionAnswering", "ForMultipleChoice"]

/** The number of parameters in a class of a model that do not belong to the bare model in it.
 * @param {string} modelClass @param {Sizes} sizes */
const sizeOfTaskHead = (modelClass, sizes) => count({ modelClass, sizes }) - count({ modelClass, sizes, part: "bert" })

/** The account of a question about the total, or about a part such as the head, for a given number of labels, or about
 * the head for a purpose; also of a wrong number that is stated for a classifier. Null for any other text.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
export function accountOfLabelCount(labelledText, name) {
  const { text, numbers, quantities, labels, classes, purposes, parts } = labelledText
  if (quantities.length === 2) return accountOfWrongHeadSize(labelledText, name)
  if (!quantities.length) return accountOfAnyLabels(text, name) ?? accountOfUnnamedHead(text, purposes, name)
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
  if (HEAD.test(text) && ENDINGS_OF_UNNAMED_HEADS.some((other) => modelClass.endsWith(other)))
    return accountOfHeadIn(modelClass, sizesWithLabels, name)
  const [part] = parts.flatMap(({ words: partWords }) => partsNamed([partWords]).slice(0, 1))
  const number = part && countOfPart(part, modelClass, sizesWithLabels)
  const opening = words`${titleOf(name)}, ${asClass(modelClass, labels)}, has ${total} parameters`
  const sizeOfCrf = labels * labels + 2 * labels
  const onCrf = words`A CRF over ${whole(labels)} labels adds a score for each pair of labels, and a start score and an end score for each label: ${labels} × ${labels} + 2 × ${labels} = ${sizeOfCrf}, so ${total + sizeOfCrf} in all.`
  return answer(
    number ? words`${opening}, of which ${number} belong to ${part.words}.` : words`${opening}.`,
    { name, modelClass, total },
    CRF.test(text) ? [onCrf] : [],
  )
}

/** The account of a wrong number of parameters that is stated for a classifier with a given number of labels; null for
 * any other text.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
function accountOfWrongHeadSize({ quantities, labels, parts }, name) {
  const stated = quantities.find(({ role, number }) => role === "count" && number.exact)?.number.low
  const { architecture, sizes } = models.get(name)
  const modelClass = classesOf(architecture).find((other) => other.name.endsWith("ForSequenceClassification"))
  const [part] = parts.flatMap(({ words: partWords }) => partsNamed([partWords]).slice(0, 1))
  if (!stated || !labels || !modelClass || part?.path !== "sequence_classifier") return null
  const sizesWithLabels = { ...sizes, C: labels }
  const number = countOfPart(part, modelClass.name, sizesWithLabels)
  const ofOutputLayer = count({ modelClass: modelClass.name, sizes: sizesWithLabels, part: part.path })
  if (!number || [number, ofOutputLayer].includes(stated)) return null
  const onBiases = number - stated === labels ? words` That is ${labels} more: one bias for each label.` : []
  return answer(
    words`With ${whole(labels)} ${noun(labels, "label")}, ${link(part.page, part.words)} of ${subjectOf(name)} has ${number} parameters, not ${stated}.${onBiases}`,
  )
}

/** The account of the head of a class with its usual number of labels, for a purpose that a text names; null for any
 * other text, and for a model without such a class.
 * @param {string} text @param {LabelledText["purposes"]} purposes @param {string} name  of the model
 * @returns {Account | null} */
function accountOfUnnamedHead(text, [purpose, ...others], name) {
  if (!purpose || others.length || !HEAD.test(text) || !ENDINGS_OF_UNNAMED_HEADS.includes(purpose.ending)) return null
  const { architecture, sizes } = models.get(name)
  const modelClass = classesOf(architecture).find((other) => other.name.endsWith(purpose.ending))
  return modelClass ? accountOfHeadIn(modelClass.name, { ...sizes, C: 2 }, name) : null
}

/** The account of the head of a class.
 * @param {string} modelClass @param {Sizes} sizes @param {string} name  of the model @returns {Account} */
function accountOfHeadIn(modelClass, sizes, name) {
  const total = count({ modelClass, sizes })
  const labels = modelClass.endsWith("ForTokenClassification") ? sizes.C : 0 // the others have a fixed number of outputs
  return answer(
    words`Of the ${total} parameters of ${titleOf(name)}, ${asClass(modelClass, labels)}, ${sizeOfTaskHead(modelClass, sizes)} belong to the head.`,
    { name, modelClass, total },
  )
}

/** The account of a head whose number of labels is a letter, as a formula; null for any other text, for a model without
 * such a head, and for labels of tokens, whose heads may have other layers.
 * @param {string} text @param {string} name  of the model @returns {Account | null} */
function accountOfAnyLabels(text, name) {
  const { letter } = LETTER_OF_LABELS.exec(text)?.groups ?? {}
  if (!letter || /^a$/i.test(letter) || OF_TOKENS.test(text)) return null
  const [head] = partsNamed(["the sequence-classification head"])
  const [withOne, withTwo] = [1, 2].map((labels) => (head ? numberOfPart(head, name, labels) : 0))
  const perLabel = withTwo - withOne
  if (!withOne || !perLabel) return null
  const weightsPerLabel = perLabel - 1
  const fixed = withOne - perLabel
  const fixedTerm = fixed ? words` + ${fixed}` : ""
  return answer(
    words`With ${letter} labels, ${link(head.page, head.words)} of ${subjectOf(name)} has ${weightsPerLabel} × ${letter} weights and ${letter} biases${fixed ? words`, and ${fixed} parameters before its output layer` : ""}: ${perLabel} × ${letter}${fixedTerm}. For 2 labels, that is ${withTwo}.`,
  )
}
