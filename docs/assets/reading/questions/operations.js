// Answers how many operations a model, or a part of it, needs to read texts, unless the question states a
// number of operations: "How many FLOPs does BERT base need for 128 tokens?" Only matrix products are counted,
// with a multiply-add as two operations, because that is what papers and most rules of thumb count.

import exported from "../../../data/operations.js"
import { models, noun, sumBy, whole } from "../../counting/engine.js"
import { elementsOf, maxTokensOf, multiplyAddsOfPart, PRODUCTS, refusal, withBatch } from "../../counting/operations.js"
import { asClass, subjectOf } from "../labels/meanings.js"
import { classAndTotal } from "../labels/totals.js"
import { link, verbFor, words } from "../words.js"
import { answer, answerInSentences, HOW_MANY } from "./question-accounts.js"
import { questionedParts } from "./questioned-parts.js"

/** Words for operations, unless a number before them shows that they state an amount, as in "22.5B FLOPs". */
const OPERATIONS =
  /(?<![0-9][^\s]*\s?(?:[mb]illion\s)?)\b(?:[GMT]?FLOPs?|[GM]?MACs?|mult(?:iply)?[- ]adds?|multiplications|(?:floating[- ]point\s)?operations)\b/i
/** Words for one token. The operations for a single token are an average. */
const PER_TOKEN = /\b(?:per|each|every|one|a|single)\s(?:input\s)?token\b/i
const [[USUAL_TOKENS]] = exported.search.tokens

/** The account of a question about operations; null for any other text, for one with a number of anything but tokens
 * and texts, and for a class whose operations we do not count.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
export function accountOfOperations(labelledText, name) {
  const { text, quantities, mentions, classes: namedClasses } = labelledText
  if (!OPERATIONS.test(text) || !quantities.every(({ role, number }) => isSizeOfBatch(role) && number.exact))
    return null
  if (!mentions.length && !quantities.length && !HOW_MANY.test(text)) return null
  /** The number with a role; `usual` if there is none. @param {string} role @param {number} usual */
  const numberOf = (role, usual) => quantities.find((quantity) => quantity.role === role)?.number.low ?? usual
  const { modelClass, total } = classAndTotal(name, namedClasses[0]?.name)
  const { architecture, sizes } = models.get(name)
  const tokens = numberOf("tokens", USUAL_TOKENS)
  const maxTokens = sizes.P ? maxTokensOf(architecture, sizes) : Infinity
  if (!total || refusal(modelClass)) return null
  if (tokens > maxTokens)
    return answer(
      words`${subjectOf(name)} reads at most ${whole(maxTokens)} tokens, so it cannot read ${whole(tokens)}.`,
    )
  const texts = numberOf("batch", 1)
  const sizesWithBatch = withBatch(sizes, tokens, texts)
  const elements = elementsOf(modelClass, sizesWithBatch)
  const multiplyAdds = sumBy(PRODUCTS, (kind) => elements[kind] ?? 0)
  const textsInWords = `${texts > 1 ? `${whole(texts)} texts` : "one text"} of ${whole(tokens)} ${noun(tokens, "token")}`
  const parts = questionedParts(labelledText)
  if (parts.length)
    return answerInSentences(
      parts.map((part) => {
        const ofPart = multiplyAddsOfPart(modelClass, sizesWithBatch, part)
        const average = PER_TOKEN.test(text)
          ? words` On average, that is ${ofPart / (texts * tokens)} multiply-adds per token.`
          : []
        return words`To read ${textsInWords}, ${link(part.page, part.words)} of ${subjectOf(name)} ${verbFor([part.words], "takes", "take")} ${ofPart} multiply-adds in matrix products: ${2 * ofPart} floating-point operations (FLOPs).${average}`
      }),
    )
  const average = PER_TOKEN.test(text)
    ? words` On average, that is ${(2 * multiplyAdds) / (texts * tokens)} per token.`
    : []
  return answer(
    words`${subjectOf(name)} takes ${2 * multiplyAdds} floating-point operations (FLOPs) to read ${textsInWords}, ${asClass(modelClass)}: ${multiplyAdds} multiply-adds in matrix products, at two operations each.${average}`,
    null,
    [words`Profilers count other things; ${link("run/operations.html", "the page on operations")} compares them.`],
  )
}

/** Whether a number with this role is a size of a batch: the tokens of each text, or the number of texts.
 * @param {string} role */
const isSizeOfBatch = (role) => role === "tokens" || role === "batch"
