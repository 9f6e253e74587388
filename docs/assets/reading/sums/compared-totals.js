// Finds the total that a writer compares a sum with: "= 108,770,304, but HF says 109,482,240". It is
// not a term of the sum. It shows which model and class the sum is meant to count, so their names replace
// it. The sum may still count something else.

import { waysTo } from "../../explaining/explain.js"
import { numberOfDigits } from "../../explaining/read.js"
import { modelsIn } from "../labels/mentions.js"

/** Words before a total that say where it comes from, or that it is right. */
export const SOURCE =
  "(?:the )?(?:real|right|true|correct|actual|official|expected)|expect\\w*|should (?:be|have)|supposed|says?|reports?|prints?|shows?" +
  "|HF|hugging ?face|transformers|keras|torch\\w*|pytorch|tensorflow"
/** Words that set a total against the sum, or say where it comes from. */
export const CONTRAST = `but|vs\\.?|versus|whereas|while|yet|however|and not|instead of|against|though|although|compared (?:to|with)|(?:(?:so|and) )?why|${SOURCE}`

/** A total of at least seven digits that no operation uses. */
const TOTAL = "((?:[0-9],?){6,}[0-9])(?![0-9]|[,.][0-9]|\\s*[*×+/=])"
/** Words and no number. */
const WORDS = "[^=+*×÷/\\n0-9]{0,60}"

/** The result of a sum, and a total after it. */
const TOTAL_LAST = new RegExp(
  `(=\\s?[0-9][0-9,]*[0-9](?![0-9,]*[0-9])[.,;:!…]{0,3}\\s+\\(?(?:${CONTRAST})\\b${WORDS})${TOTAL}`,
  "i",
)
/** A total, and words that lead from it to the writer's own sum. */
const TOTAL_FIRST = new RegExp(
  `(\\b(?:${SOURCE})\\b${WORDS})${TOTAL}(?=${WORDS}\\b(?:but|mine|my|I|we|ours?)\\b[^\\n]*=)`,
  "i",
)

/** A total that a text compares the result of a sum with, and the text with the names of the total's model and class in
 * its place; null if there is none. If the text names a model, only the class takes the place.
 * @param {string} text */
export function comparedTotalIn(text) {
  const match = TOTAL_LAST.exec(text) ?? TOTAL_FIRST.exec(text)
  if (!match) return null
  const [matchedText, wordsBefore, digits] = match
  const total = numberOfDigits(digits)
  const [way] = waysTo(total)
  if (way?.kind !== "total" || way.mistakes.length || way.confidence === "possible") return null
  const [name] = modelsIn(text).length ? [""] : way.models
  const end = match.index + matchedText.length
  return { total, text: `${text.slice(0, match.index)}${wordsBefore}${name} ${way.classes[0]}${text.slice(end)}` }
}
