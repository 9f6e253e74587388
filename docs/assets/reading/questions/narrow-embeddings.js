// Answers how many parameters a model would have if its embeddings were narrower than its layers, as ALBERT's
// are: "What if the embeddings of BERT base were factorised with E = 128?"

import { classesOf, count, models } from "../../counting/engine.js"
import { asClass, subjectOf } from "../labels/meanings.js"
import { classAndTotal } from "../labels/totals.js"
import { link, words } from "../words.js"
import { answer, MAX_LENGTH } from "./question-accounts.js"

const FACTORISING = /\bfactori[sz]\w*|\bembedding factori[sz]ation/i
/** A number of two to four digits that is not part of a name or of a longer number. */
const NUMBER = /(?<![\w.,-])[0-9]{2,4}(?![\w.,]*[0-9])/g

/** The embeddings, with the matrix that widens them to the hidden size. */
const EMBEDDINGS = "bert/embeddings, bert/embeddings_project"
const [{ name: WITH_NARROW_EMBEDDINGS }] = classesOf("albert")

/** The account of a question about a model with factorised embeddings of a width that the text gives; null for any
 * other text, and for a model whose embeddings are narrow already, or are not those of BERT.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
export function accountOfNarrowEmbeddings({ text, mentions }, name) {
  if (text.length > MAX_LENGTH || !FACTORISING.test(text)) return null
  const textWithoutModels = mentions.reduce((rest, mention) => rest.replace(mention.text, ""), text)
  const [width, ...otherNumbers] = new Set(textWithoutModels.match(NUMBER))
  const { architecture, sizes } = models.get(name)
  const E = Number(width)
  if (!width || otherNumbers.length || architecture !== "bert" || E >= sizes.H) return null
  const { modelClass, total } = classAndTotal(name)
  const own = count({ modelClass, sizes, part: EMBEDDINGS })
  const narrow = count({ modelClass: WITH_NARROW_EMBEDDINGS, sizes: { ...sizes, E }, part: EMBEDDINGS })
  return answer(
    words`If the ${link("parts/embeddings.html", "embeddings")} of ${subjectOf(name)} were ${E} wide and a dense layer widened them to the hidden size, as ALBERT's does, they would have ${narrow} parameters, not ${own}. The total would be ${total - own + narrow} ${asClass(modelClass)}, not ${total}.`,
    { name, modelClass, total },
  )
}
