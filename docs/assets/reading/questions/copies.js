// Answers how many parameters several copies of a model have, or a Siamese network, whose two inputs go through one
// model: "a bi-encoder with two BERT base models".

import { asClass, subjectOf, titleOf } from "../labels/meanings.js"
import { ENCODER } from "../labels/named-parts.js"
import { classAndTotal } from "../labels/totals.js"
import { words } from "../words.js"
import { answer, MAX_LENGTH, NUMBER_WORDS, PARAMETERS } from "./question-accounts.js"

/** The number of copies before a model's name, and words for copies after it. */
const COPIES_BEFORE = new RegExp(
  `(?<![\\w.,-])(?<number>[2-9]|${NUMBER_WORDS.slice(1).join("|")})\\s(?:(?:separate|different|independent|identical|copies\\sof|instances\\sof)\\s)?$`,
  "i",
)
const COPIES_AFTER = /^\s?(?:models|encoders|towers|copies|instances|networks|s\b)/i
const COPIES_OF = /(?:copies|instances)\sof\s$/i
/** Words for networks whose two inputs go through one model. */
const SIAMESE = /\bsiamese\b|\b(?:shar(?:e|es|ed|ing)|tied)\b.{0,30}\b(?:weights|parameters|encoders?|towers?)\b/i

/** The account of a question about several copies of one model; null for any other text.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
export function accountOfCopies({ text, mentions, classes, parts, quantities }, name) {
  if (text.length > MAX_LENGTH || !PARAMETERS.test(text)) return null
  if (parts.some(({ words: part }) => part !== ENCODER)) return null // a "bi-encoder" names the encoder
  const { modelClass, total } = classAndTotal(name, classes[0]?.name)
  const [mention] = mentions
  const before = text.slice(0, mention?.start ?? 0)
  const { number = "" } = COPIES_BEFORE.exec(before)?.groups ?? {}
  const areCopies = mention && number && (COPIES_OF.test(before) || COPIES_AFTER.test(text.slice(mention.end)))
  const copies = areCopies ? NUMBER_WORDS.indexOf(number.toLowerCase()) + 1 || Number(number) : 0
  if (quantities.some((quantity) => quantity.number.low !== copies)) return null
  if (!copies && !(/\bsiamese\b/i.test(text) && mention)) return null
  if (SIAMESE.test(text))
    return answer(
      words`If all inputs go through one ${titleOf(name)}, as in a Siamese network, its ${total} parameters count once, ${asClass(modelClass)}.`,
      { name, modelClass, total },
    )
  return answer(
    words`${subjectOf(name)} has ${total} parameters ${asClass(modelClass)}, so ${copies} copies have ${copies} × ${total} = ${copies * total}. If they share their weights, as in a Siamese network, these count once.`,
    { name, modelClass, total },
  )
}
