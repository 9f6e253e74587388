// Answers whether a number of parameters includes a part, "Does 110M include the pooler?", how much of it is in the
// part, and whether a part counts at all.

import { classesOf, count, models } from "../../counting/engine.js"
import { asClass, subjectOf, titleOf } from "../labels/meanings.js"
import { countOfPart, partsNamed, USUAL_MODELS } from "../labels/named-parts.js"
import { code, link, verbFor, words } from "../words.js"
import { answer } from "./question-accounts.js"
import { asksForBiases, biasesOf, kindNamed, nameOfPart, questionedParts } from "./questioned-parts.js"

/** Words that say that something is part of a number, and those that make a text a question. */
const INCLUDING = /\b(?:includ\w*|contain\w*|counted|part of)\b/i
const QUESTION_WORDS = /\?|^\s*(?:does|do|is|are)\b/i

/** A question about how many parameters of a total belong to a part: "149M: how many of them are in the embeddings?" */
const HOW_MANY_BELONG =
  /\bhow (?:many|much)(?: of (?:them|these|those|it|that|which|(?:the |its )?[0-9][0-9.,]*[MK]?))?(?: (?:param\w*|weights|do|does|is))? (?:are|is|in|belong|come|for|make up)\b/i

/** Questions about whether something counts, whether it is a parameter, and whether a model has it; and statements that
 * a model has it. */
const COUNTING = [
  /^\W*(?:do|does|is|are|should|must)\b.{1,60}\b(?:counts?|counted|included)\b(?:\s(?:in|as|towards?|among)\b.{0,60})?\W*$/i,
  /^\W*(?:is|are)\s(?:\w+\s){1,3}?(?:(?:a|trainable|learnable|learned|model)\s)*parameters?\W*$/i,
  /^(?:[\w\s.-]{1,40}:\s)?\W*does\b.{1,40}\b(?:include|contain|have)\s(?:an?\s|the\s|its\s|any\s)?(?!more|fewer|less|larger|smaller|the same)(?:[\w-]+\s?){1,3}\W*$/i,
  /^\W*[\w.\s-]{1,40}?\s(?:has|keeps?|includes|contains|comes\swith)\s(?:an?|the|its|no)\s(?!more|fewer|less|larger|smaller|same)(?:[\w-]+\s?){1,4}\W*$/i,
]

/** The account of a question about whether a part counts; null for any other text, for one with several parts or with a
 * number, and for a model that we do not count.
 * @param {LabelledText} labelledText @returns {Account | null} */
export function accountOfPartInCount(labelledText) {
  const { text, quantities, mentions, classes, parts } = labelledText
  // "DistilBERT keeps the pooler of BERT" is about the first.
  const isOfFirst = mentions.slice(1).every(({ start }) => /\b(?:of|from)\s$/i.test(text.slice(0, start)))
  if (quantities.length || !isOfFirst || !COUNTING.some((pattern) => pattern.test(text))) return null
  const name = mentions.length ? mentions[0].models[0] : USUAL_MODELS[0]
  const [partName, ...otherNames] = new Set(parts.map((part) => nameOfPart(text, part)))
  // If layers have the part, the last one is that in all layers.
  const namedPart = (partName ? partsNamed([partName]) : questionedParts(labelledText)).at(-1)
  const isOfItsBiases = partName && asksForBiases(text) && !/\bbias/.test(partName)
  const part = namedPart && isOfItsBiases ? biasesOf(namedPart) : (namedPart ?? kindNamed(text))
  if (!name || !part || otherNames.length) return null
  const { architecture, sizes } = models.get(name)
  const countedClasses = classesOf(architecture).map(({ name: modelClass }) => ({
    modelClass,
    total: count({ modelClass, sizes }),
    size: countOfPart(part, modelClass, sizes),
  }))
  const namedClass = countedClasses.find(({ modelClass }) => modelClass === classes[0]?.name)
  const { modelClass, total, size } = namedClass ?? countedClasses.find((one) => one.size) ?? countedClasses[0]
  if (!total) return null
  const linkedPart = link(part.page, part.words)
  if (!size) return answer(words`As ${code(modelClass)}, ${subjectOf(name)} lacks ${linkedPart}.`)
  const classWithoutPart = namedClass ? null : countedClasses.find((one) => one.total && !one.size)
  const onOtherClass = classWithoutPart
    ? [words`As ${code(classWithoutPart.modelClass)}, the model lacks ${verbFor([part.words], "it", "them")}.`]
    : []
  return answer(
    words`Yes: of the ${total} parameters of ${titleOf(name)}, ${asClass(modelClass)}, ${size} belong to ${linkedPart}.`,
    { name, modelClass, total },
    onOtherClass,
  )
}

/** The account of a question about whether a total includes a part, or how much of it is in a part; null for any other
 * text, and if the number is not the total of the model that the text names, or of BERT base or BERT large if it names
 * none.
 * @param {LabelledText} labelledText @returns {Account | null} */
export function accountOfPartInTotal({ text, numbers, mentions, parts }) {
  const [quantity, ...furtherNumbers] = numbers
  if (!quantity || furtherNumbers.length || quantity.role !== "count") return null
  const isQuestion = HOW_MANY_BELONG.test(text) || (INCLUDING.test(text) && QUESTION_WORDS.test(text))
  if (!isQuestion || mentions.length > 1) return null
  // If layers have the part, the last one is that in all layers, because the number is about the whole model.
  const part = partsNamed(parts.slice(0, 1).map((partInText) => nameOfPart(text, partInText))).at(-1)
  const names = mentions.length ? mentions[0].models.slice(0, 1) : USUAL_MODELS
  const fit = part && modelWithTotal(names, quantity.number)
  if (!fit) return null
  const { name, modelClass, total } = fit
  const size = countOfPart(part, modelClass, models.get(name).sizes)
  const opening = total === quantity.number.low ? words`${total} is` : words`${quantity.typed} is ${total}, rounded:`
  const linkedPart = link(part.page, part.words)
  const headline = words`${opening} ${titleOf(name)}, ${asClass(modelClass)}`
  return answer(
    size
      ? words`${headline}. ${size} of these parameters belong to ${linkedPart}; ${total - size} do not.`
      : words`${headline}, which does not have ${linkedPart}.`,
    { name, modelClass, total },
  )
}

/** The first of these models, with the first of its classes, whose total a number may stand for; null if there is none.
 * @param {string[]} names @param {Quantity["number"]} number */
function modelWithTotal(names, { low, high }) {
  for (const name of names)
    for (const { name: modelClass } of classesOf(models.get(name).architecture)) {
      const total = count({ modelClass, sizes: models.get(name).sizes })
      if (total >= low && total <= high) return { name, modelClass, total }
    }
  return null
}
