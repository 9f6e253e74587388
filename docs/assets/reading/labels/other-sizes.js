// Answers questions about sizes that a model does not have: "How many parameters would BERT base
// have with 24 layers?", or "What if the hidden size is doubled?". The model keeps its other sizes.
// Only those that follow from the hidden size change with it: an inner width that is four times as
// large, and a size of the embeddings that is the same.

import { count, models } from "../../counting/engine.js"
import { accountInSentences, link, words } from "../words.js"
import { asClass, titleOf } from "./meanings.js"
import { isGeneric, modelsIn, nameOfOnlyModel } from "./mentions.js"
import { LETTERS, sizeNamesIn, sizesIn, sizesInWords, sizesOf } from "./settings.js"
import { classAndTotal, comparisonOf } from "./totals.js"

const MAX_LENGTH = 200 // characters of a question
/** Words that suppose something, or ask for an amount. A statement such as "BERT base has 24 layers" has none. */
const SUPPOSING =
  /\b(?:would|if|suppos\w+|assum\w+|instead|chang\w+|increas\w+|reduc\w+|with|using|how\s(?:many|much|big|large)|what|mit|wenn|avec|con)\b|如果|改成|改为/i
const PARAMETERS = /\bparam\w*|\bweights\b|\bhow\s(?:many|big|large)\b/i

/** Words for a multiple of a size. @type {[RegExp, number][]} */
const MULTIPLES = [
  [/\b(?:doubl\w*|twice)\b/i, 2],
  [/\b(?:tripl\w*|three\stimes)\b/i, 3],
  [/\b(?:halv\w*|half)\b/i, 1 / 2],
]

/** The account of a text that gives a model other sizes than its own, as a supposition, perhaps with the number of
 * parameters that follows from them; null for any other text.
 * @param {LabelledText} labelledText @returns {Account | null} */
export function accountOfOtherSizes({ text, numbers, mentions, classes }) {
  const [stated = null, ...furtherCounts] = numbers.filter(({ role }) => role === "count")
  if (text.length > MAX_LENGTH || !SUPPOSING.test(text) || furtherCounts.length) return null
  const name = nameOfOnlyModel(mentions)
  if (!name || !numbers.every((quantity) => quantity === stated || LETTERS[quantity.role])) return null
  const [mention] = mentions
  if (!mention && !PARAMETERS.test(text)) return null
  const [namedClass] = classes.flatMap(({ modelClass }) => modelClass?.name ?? [])
  return accountWithSizes(name, namedClass, sizesIn(numbers), !mention || isGeneric(mention), stated)
}

/** The account of a question without numbers about a multiple of one size of a model; null for any other text.
 * @param {string} text @returns {Account | null} */
export function accountOfMultiple(text) {
  const [, factor] = MULTIPLES.find(([pattern]) => pattern.test(text)) ?? []
  const roles = new Set(sizeNamesIn(text).map(({ role }) => role))
  const name = nameOfOnlyModel(modelsIn(text))
  if (!factor || roles.size !== 1 || !name || text.length > MAX_LENGTH) return null
  const [letter] = [...roles].map((role) => LETTERS[role])
  return accountWithSizes(name, "", { [letter]: models.get(name).sizes[letter] * factor }, false, null)
}

/** The account of a model with other sizes than its own; null if they are its own or no whole numbers, or if the
 * model's architecture lacks the class or a size.
 * @param {string} name @param {string | undefined} namedClass @param {Sizes} statedSizes
 * @param {boolean} isOwnModel  whether the text names no published model
 * @param {Quantity | null} stated  the rounded number of parameters that the text states, which must follow from the
 *   sizes; an exact one is explained elsewhere
 * @returns {Account | null} */
function accountWithSizes(name, namedClass, statedSizes, isOwnModel, stated) {
  const { sizes } = models.get(name)
  const otherSizes = withSizesThatFollow(sizes, statedSizes)
  const { modelClass, total } = classAndTotal(name, namedClass)
  const statedLetters = lettersThatDiffer(statedSizes, sizes)
  const otherTotal = count({ modelClass, sizes: otherSizes })
  const isCounted = total && otherTotal && Object.values(otherSizes).every(Number.isInteger)
  if (!isCounted || !statedLetters.length || statedLetters.some((letter) => !sizes[letter])) return null
  if (stated && (stated.number.exact || !fits(otherTotal, stated) || fits(total, stated))) return null
  const otherLetters = lettersThatDiffer(otherSizes, sizes).filter((letter) => letter !== "E") // a width of its own name
  const calculator = words`${link("try/calculator.html", "The calculator")} counts a model with any sizes.`
  const { H, A } = otherSizes
  const isDivided = !A || H % A === 0
  if (!isDivided && count({ modelClass, sizes: { ...otherSizes, A: 1 } }) !== otherTotal) return null
  const otherSizesInWords = sizesInWords(sizesOf(otherLetters, otherSizes))
  const headline = isOwnModel
    ? words`With ${otherSizesInWords}, and otherwise the sizes of ${titleOf(name)}, a model has ${otherTotal} parameters ${asClass(modelClass)}. ${titleOf(name)} itself has ${total}.`
    : words`${titleOf(name)} has ${sizesInWords(sizesOf(statedLetters, sizes))}, and ${total} parameters ${asClass(modelClass)}. With ${otherSizesInWords}, it would have ${otherTotal}${comparisonOf(otherTotal, total)}.`
  const onStated = stated ? words` ${stated.typed} is this number, rounded.` : []
  return accountInSentences(
    [...headline, ...onStated],
    isDivided
      ? [calculator]
      : [
          words`${H} is not a multiple of ${A}, so the model would also need another number of heads, which does not change the total.`,
          calculator,
        ],
    { kind: "labels", model: { name, modelClass, total } },
  )
}

/** Whether a total is the number in a text, perhaps rounded. @param {number} total @param {Quantity} quantity */
const fits = (total, { number }) => total >= number.low && total <= number.high

/** The letters of the sizes that differ from others. @param {Sizes} sizes @param {Sizes} others */
const lettersThatDiffer = (sizes, others) => Object.keys(sizes).filter((letter) => sizes[letter] !== others[letter])

/** Sizes with others in their place, and with the sizes that follow from another hidden size.
 * @param {Sizes} sizes @param {Sizes} statedSizes @returns {Sizes} */
function withSizesThatFollow(sizes, statedSizes) {
  const { H, F, E } = sizes
  const otherSizes = { ...sizes, ...statedSizes }
  if (F === 4 * H && !statedSizes.F) otherSizes.F = 4 * otherSizes.H
  if (E === H) otherSizes.E = otherSizes.H
  return otherSizes
}
