// Answers how many parameters cross-attention adds to a decoder, as transformers builds it with
// add_cross_attention=True. Without this module, such a question would be taken for one about self-attention.

import { count, defaultChoices, models } from "../../counting/engine.js"
import { asClass, titleOf } from "../labels/meanings.js"
import { classAndTotal } from "../labels/totals.js"
import { link, words } from "../words.js"
import { answer } from "./question-accounts.js"

const CROSS_ATTENTION = /\bcross[\s_-]?attention\b/i

/** The account of a question about cross-attention; null for any other text, and for a model that cannot have it.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
export function accountOfCrossAttention({ text, quantities, classes }, name) {
  if (!CROSS_ATTENTION.test(text) || quantities.length) return null
  const { architecture, sizes } = models.get(name)
  const { modelClass, total } = classAndTotal(name, classes[0]?.name)
  const choices = { ...defaultChoices(architecture), cross_attention: true }
  const totalWithIt = count({ modelClass, sizes, choices })
  if (!total || totalWithIt === total) return null
  const addedCount = totalWithIt - total
  return answer(
    words`Cross-attention adds ${addedCount} parameters to ${titleOf(name)}: ${addedCount / sizes.L} in each of its ${sizes.L} layers, for one more attention block with its LayerNorm. With it, ${asClass(modelClass)}, the model has ${totalWithIt}, instead of ${total}.`,
    { name, modelClass, total },
    [words`${link("changed/structure.html", "The page on structure")} shows where they are.`],
  )
}
