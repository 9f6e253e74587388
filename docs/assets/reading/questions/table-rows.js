// Answers how many parameters belong to a single token, position or segment: its row of a table of embeddings.
// "How many parameters does [CLS] have?"

import { models, whole } from "../../counting/engine.js"
import { titleOf } from "../labels/meanings.js"
import { partOfModel } from "../labels/named-parts.js"
import { link, words } from "../words.js"
import { answer, HOW_MANY, PARAMETERS } from "./question-accounts.js"

/** Words for a single token of the vocabulary, and the names of special tokens. */
const ONE_TOKEN =
  /\b(?:one|an?|each|every|per|single)\s(?:\w+\s)?(?:token|word|wordpiece)(?!\s?types?|[\s-]embeddings|[\s-]classif)\b|\[(?:CLS|SEP|MASK|PAD|UNK)\]|\b(?:CLS|SEP|MASK|PAD|UNK)\stoken\b/i
/** The tables of embeddings, each with a pattern for one of its rows, the letter of the number of rows, and the
 * noun for what each row is for.
 * @type {{ row: RegExp, letter: string, table: string, noun: string }[]} */
const TABLES = [
  { row: ONE_TOKEN, letter: "V", table: "the word embeddings", noun: "token of the vocabulary" },
  {
    row: /\b(?:one|an?|each|every|per|single)\sposition(?![\s-]embedd)\b/i,
    letter: "P",
    table: "the position embeddings",
    noun: "position",
  },
  {
    row: /\b(?:one|an?|each|every|per|single)\s(?:token\stype|segment)(?![\s-](?:id|embedd))\b/i,
    letter: "S",
    table: "the segment embeddings",
    noun: "segment",
  },
]

/** Words that ask for the number of parameters of a token, position or segment. */
const ASKING = /\bwhat\b.*\b(?:costs?|takes?|needs?)\b/i
/** Words for other topics that mention one of these: changes, operations, memory, labels, a head or the pooler. */
const OTHER_TOPIC = /\badd\w*\b|\bflops?\b|\boperations?\b|\bmacs?\b|\bmemory\b|\bhead\b|\blabels?\b|\bpooler\b/i

/** The account of a question about the parameters of one token, position or segment; null for any other text, and for a
 * model without a table for it.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
export function accountOfTableRow({ text, quantities }, name) {
  const isAsked = (HOW_MANY.test(text) || ASKING.test(text)) && PARAMETERS.test(text) && !OTHER_TOPIC.test(text)
  const embeddings = TABLES.find(({ row }) => row.test(text))
  if (quantities.length || !isAsked || !embeddings) return null
  const { letter, noun } = embeddings
  const rows = models.get(name).sizes[letter]
  const table = partOfModel(name, [embeddings.table])
  if (!rows || !table) return null
  const onAllRows =
    rows > 1 ? words`All ${whole(rows)} rows together have ${table.number}.` : "No other row is in this table."
  return answer(
    words`Each ${noun} has one row of ${link(table.page, embeddings.table)}: ${table.number / rows} parameters in ${titleOf(name)}. ${onAllRows}`,
  )
}
