// Answers how many parameters a model has with another vocabulary, if the text says how the vocabulary
// changes: "What if I add 3 special tokens?", or "bert-base with the vocabulary pruned to 10,000 tokens".

import { classesOf, models, noun, whole } from "../../counting/engine.js"
import { modelsByUse } from "../../explaining/ways.js"
import { asClass, titleOf } from "../labels/meanings.js"
import { words } from "../words.js"
import { aboutNamedModel, accountOfSupposition, suppositionOf } from "./other-sizes.js"
import { answer, MAX_LENGTH, NUMBER_WORDS } from "./question-accounts.js"

/** Words that add a number of tokens. "A token" and "[ENT] token" add one. */
const ADDITION = new RegExp(
  String.raw`\b(?:add(?:s|ed|ing)?|(?:extend|enlarg|increas)\w*\b[^0-9\n]{0,40}\bby)\s(?<number>[0-9][0-9,]{0,6}|an?|${NUMBER_WORDS.join("|")}|\[\w+\])\s(?:(?:new|special|extra|more|additional|domain|custom)\s){0,2}(?:tokens?|words?|wordpieces?)\b`,
  "i",
)
/** Words that give a vocabulary a new size. "30k" is thirty thousand. */
const RESIZING =
  /\b(?:resiz\w+|prun\w+|reduc\w+|shrink\w*|shrunk|trim\w*|cut|limit\w*|extend\w*|enlarg\w+|increas\w+|grow\w*)\b[^0-9\n]{0,60}(?:from\s[0-9][0-9,]*k?\s)?\bto\s(?:about\s)?(?<digits>[0-9][0-9,]*)\s?(?<thousands>k\b)?/i
/** Words that replace a vocabulary by one of another size. */
const REPLACEMENT =
  /\b(?:replac\w+|swap\w*|switch\w*|chang\w+|exchang\w+)\b[^\n]{0,80}\b(?:with|for|by|to)\s(?:one\sof\s|about\s)?(?<digits>[0-9][0-9,]*)\s?(?<thousands>k\b)?/i

/** Words that assume a vocabulary size. */
const SUPPOSED =
  /\b(?:if|what|suppos\w+|with|would)\b.*\bvocab\w*(?:\ssize)?\s(?:was|were|is|be|of|had|has)\s(?:about\s)?(?<digits>[0-9][0-9,]*)(?!\s?(?:[x×]|times)(?!\w)|[0-9,])\s?(?<thousands>k\b)?/i

/** The account of a question about another vocabulary; null for any other text. Besides the new size or the number of
 * added tokens, the text may state the usual size of the vocabulary, or a total with the added tokens.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
export function accountOfOtherVocabulary({ text, quantities, mentions, classes }, name) {
  const possibleModels = mentions.length ? [models.get(name)] : modelsByUse
  const grownTotal = accountOfGrownTotal(text, quantities, possibleModels)
  if (grownTotal) return grownTotal
  const { V } = models.get(name).sizes
  if (text.length > MAX_LENGTH || quantities.filter(({ number }) => number.low !== V).length > 1) return null
  const size = vocabularyIn(text, V)
  const supposition = size ? suppositionOf(name, classes[0]?.name, { V: size }) : null
  return supposition && accountOfSupposition(aboutNamedModel(supposition), supposition)
}

/** The number of tokens that a text adds to a vocabulary; 0 if it adds none. @param {string} text */
function tokensAdded(text) {
  const { number = "" } = ADDITION.exec(text)?.groups ?? {}
  if (!number) return 0
  if (/^[0-9]/.test(number)) return wholeNumberIn(number)
  return Math.max(NUMBER_WORDS.indexOf(number.toLowerCase()) + 1, 1)
}

/** The account of a number that is the total of a model with the tokens that a text adds; null for any other text.
 * @param {string} text @param {Quantity[]} quantities
 * @param {Pick<Model, "name" | "architecture" | "sizes">[]} possibleModels */
function accountOfGrownTotal(text, quantities, possibleModels) {
  const added = tokensAdded(text)
  const [total, ...others] = quantities.filter(({ number }) => number.low !== added)
  if (!added || !total?.number.exact || others.length) return null
  for (const { name, architecture, sizes } of possibleModels)
    for (const { name: modelClass } of classesOf(architecture)) {
      const supposition = suppositionOf(name, modelClass, { V: sizes.V + added })
      if (supposition?.otherTotal !== total.number.low) continue
      const tokens = `${whole(added)} more ${noun(added, "token")}`
      return answer(
        words`${total.number.low} is ${titleOf(name)}, ${asClass(modelClass)}, with ${tokens}: ${supposition.otherTotal - supposition.total} more parameters than ${supposition.total}.`,
        { name, modelClass, total: total.number.low },
      )
    }
  return null
}

/** The size that a text gives the vocabulary; 0 if it gives none.
 * @param {string} text @param {number} usualSize  before the change */
function vocabularyIn(text, usualSize) {
  const added = tokensAdded(text)
  if (added) return usualSize + added
  const { digits = "", thousands } =
    (RESIZING.exec(text) ?? REPLACEMENT.exec(text) ?? SUPPOSED.exec(text))?.groups ?? {}
  return /\bvocab|\btokens?\b|\bembeddings?\b/i.test(text) ? wholeNumberIn(digits) * (thousands ? 1000 : 1) : 0
}

/** A whole number in digits, perhaps with commas; 0 for any other text. @param {string} text */
const wholeNumberIn = (text) => (/^[0-9]/.test(text) ? Number(text.replace(/,/g, "")) : 0)
