// Answers whether a number of parameters includes a part: "Does 110M include the pooler?"

import { classesOf, count, models } from "../../counting/engine.js"
import { asClass, titleOf } from "../labels/meanings.js"
import { countOfPart, partsNamed, USUAL_MODELS } from "../labels/named-parts.js"
import { link, words } from "../words.js"
import { answer } from "./words.js"

/** Words that say that something is part of a number, and those that make a text a question. */
const INCLUDING = /\b(?:includ\w*|contain\w*|counted|part of)\b/i
const ASKING = /\?|^\s*(?:does|do|is|are)\b/i

/** The account of a question about whether a total includes a part; null for any other text, and if the number is not
 * the total of the model that the text names, or of BERT base or BERT large if it names none.
 * @param {LabelledText} labelledText @returns {Account | null} */
export function accountOfIncluded({ text, numbers, mentions, parts }) {
  const [quantity, ...furtherNumbers] = numbers
  if (!quantity || furtherNumbers.length || quantity.role !== "count") return null
  if (!INCLUDING.test(text) || !ASKING.test(text) || mentions.length > 1) return null
  // If layers have the part, the last one is that in all layers, because the number is about the whole model.
  const part = partsNamed(parts.slice(0, 1).map((partInText) => partInText.words)).at(-1)
  const names = mentions.length ? mentions[0].models.slice(0, 1) : USUAL_MODELS
  const total = part && totalWithin(names, quantity.number)
  if (!total) return null
  const { name, modelClass, number } = total
  const size = countOfPart(part, modelClass, models.get(name).sizes)
  const opening = number === quantity.number.low ? words`${number} is` : words`${quantity.typed} is ${number}, rounded:`
  const linkedPart = link(part.page, part.words)
  const headline = words`${opening} ${titleOf(name)}, ${asClass(modelClass)}`
  return answer(
    size
      ? words`${headline}. ${size} of these parameters belong to ${linkedPart}; ${number - size} do not.`
      : words`${headline}, which does not have ${linkedPart}.`,
    { name, modelClass, total: number },
  )
}

/** The total of the first of these models and the first of its classes that a number may stand for; null if there is
 * none.
 * @param {string[]} names @param {Quantity["number"]} number */
function totalWithin(names, { low, high }) {
  for (const name of names)
    for (const { name: modelClass } of classesOf(models.get(name).architecture)) {
      const total = count({ modelClass, sizes: models.get(name).sizes })
      if (total >= low && total <= high) return { name, modelClass, number: total }
    }
  return null
}
