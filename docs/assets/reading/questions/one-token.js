// Answers how many parameters belong to a single token: its row of the word table. "How many parameters does
// [CLS] have?"

import { models, whole } from "../../counting/engine.js"
import { titleOf } from "../labels/meanings.js"
import { partOfModel } from "../labels/named-parts.js"
import { link, words } from "../words.js"
import { answer, HOW_MANY, PARAMETERS } from "./question-accounts.js"

/** Words for a single token of the vocabulary, and the names of special tokens. */
const ONE_TOKEN =
  /\b(?:one|an?|each|every|per|single)\s(?:\w+\s)?(?:token|word|wordpiece)(?!\s?types?|[\s-]embeddings|[\s-]classif)\b|\[(?:CLS|SEP|MASK|PAD|UNK)\]|\b(?:CLS|SEP|MASK|PAD|UNK)\stoken\b/i
/** Words that ask for the number of parameters of a token. */
const ASKING = /\bwhat\b.*\b(?:costs?|takes?|needs?)\b/i
/** Words for other topics that mention a token: changes, operations, memory, labels, a head or the pooler. */
const OTHER_TOPIC = /\badd\w*\b|\bflops?\b|\boperations?\b|\bmacs?\b|\bmemory\b|\bhead\b|\blabels?\b|\bpooler\b/i

/** The account of a question about the parameters of one token; null for any other text, and for a model without a word
 * table.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
export function accountOfOneToken({ text, quantities }, name) {
  if (
    quantities.length ||
    !ONE_TOKEN.test(text) ||
    !(HOW_MANY.test(text) || ASKING.test(text)) ||
    !PARAMETERS.test(text)
  )
    return null
  if (OTHER_TOPIC.test(text)) return null
  const { V } = models.get(name).sizes
  const table = partOfModel(name, ["the word embeddings"])
  if (!V || !table) return null
  return answer(
    words`Each token of the vocabulary has one row of the ${link(table.page, "word embeddings")}: ${table.number / V} parameters in ${titleOf(name)}. The rows of all ${whole(V)} tokens together have ${table.number}.`,
  )
}
