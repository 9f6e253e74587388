// Explains how a reader's own total differs from the right one beside it: "I get 108,770,304, but torchinfo says
// 109,482,240". The right one shows which model and class is meant, so only ways in this class are tried.

import { count, models, noun, whole } from "../../counting/engine.js"
import { isRight, waysTo } from "../../explaining/explain.js"
import { accountWith, finding, words } from "../words.js"
import { waysByMistake } from "./further-ways.js"
import { lineOfNumber } from "./lines.js"
import { asClass, mistakesInWords, stepsUndoing, titleOf } from "./meanings.js"
import { mentionOf } from "./mentions.js"

const MIN_TOTAL = 1_000_000 // a smaller number may be the size of a part
const MAX_DIFFERENCE = 0.5 // of the right total, so that a part is not taken for a whole model

/** Words that set one total against another. */
const CONTRAST =
  /\b(?:I|we|my|our|mine|but|vs|versus|instead|expected|should|says?|reports?|prints?|shows?|whereas|while|why|where|differ\w*)\b/i
/** Words for training, of which a pair of numbers may be the two that PEFT prints. */
const TRAINING = /train|fr[eo]+z|lora|adapter|peft/i

/** The ways to a number as a total, the likeliest first. @param {number} number */
const totalsOf = (number) => waysTo(number).filter(({ kind }) => kind === "total")

/** The account of two totals, of which exactly one is that of a model; null for any other text, and if the text names
 * parts.
 * @param {LabelledText} labelledText @returns {Account | null} */
export function accountOfOwnTotal(labelledText) {
  const { text, numbers, quantities, parts } = labelledText
  const totals = numbers.filter(({ role, number }) => role === "count" && number.exact && number.low >= MIN_TOTAL)
  if (totals.length !== 2 || parts.length) return null
  const [lowest, highest] = totals.map(({ number }) => number.low).sort((one, other) => one - other)
  const isDifference = (/** @type {Quantity} */ { number }) => number.exact && number.low === highest - lowest
  if (quantities.some((quantity) => !totals.includes(quantity) && !isDifference(quantity))) return null
  if (!CONTRAST.test(text) || TRAINING.test(text)) return null
  const totalsWithWays = totals.map((quantity) => ({ quantity, ways: totalsOf(quantity.number.low) }))
  const [right, ...otherRight] = totalsWithWays.filter(({ ways }) => ways.some(isRight))
  const own = totalsWithWays.find((total) => total !== right)
  if (!right || !own || otherRight.length) return null
  const [rightWay] = right.ways
  if (!isRight(rightWay) || rightWay.confidence === "possible") return null
  const difference = own.quantity.number.low - right.quantity.number.low
  if (Math.abs(difference) > MAX_DIFFERENCE * right.quantity.number.low) return null
  return accountOf(labelledText, right.quantity, own.quantity, rightWay, own.ways)
}

const ON_NO_MISTAKE = finding(
  1,
  words`We know no mistake that leads from one to the other. Paste the sum, and each of its terms is compared with its part.`,
)

/** The finding that a vocabulary of another size makes this difference; null if no whole number of tokens does.
 * @param {string} modelClass @param {Sizes} sizes @param {number} difference */
function findingOnTokens(modelClass, sizes, difference) {
  const perToken = count({ modelClass, sizes: { ...sizes, V: sizes.V + 1 } }) - count({ modelClass, sizes })
  const tokens = Math.abs(difference / perToken)
  if (!Number.isInteger(tokens) || tokens >= sizes.V) return null
  const change = words`${whole(tokens)} ${difference > 0 ? "more" : "fewer"} ${noun(tokens, "token")}`
  return finding(
    1,
    words`A vocabulary of ${change} would make this difference: ${tokens} × ${perToken} = ${Math.abs(difference)}.`,
  )
}

/** The account of a reader's own total.
 * @param {LabelledText} labelledText @param {Quantity} right  the right total @param {Quantity} own
 * @param {Explanation} rightWay  the way to the right total
 * @param {Explanation[]} ownWays  the ways to the reader's own total */
function accountOf(labelledText, right, own, { models: names, classes }, ownWays) {
  const difference = own.number.low - right.number.low
  // The search for single numbers does not try every mistake with every model.
  const ownWay = [...ownWays, ...waysByMistake(own, mentionOf(names))].find(
    (way) =>
      way.mistakes.length > 0 &&
      way.models.some((name) => names.includes(name)) &&
      way.classes.some((modelClass) => classes.includes(modelClass)),
  )
  const name = names.find((candidate) => !ownWay || ownWay.models.includes(candidate)) ?? names[0]
  const modelClass = classes.find((candidate) => !ownWay || ownWay.classes.includes(candidate)) ?? classes[0]
  const { sizes, title } = models.get(name)
  const [total, ownTotal] = [right.number.low, own.number.low]
  const steps = ownWay ? stepsUndoing(modelClass, sizes, ownWay.mistakes) : []
  const comparison = words`${ownTotal} is ${Math.abs(difference)} ${difference > 0 ? "more" : "fewer"}`
  const reason = ownWay ? words`: you get it if you ${mistakesInWords(ownWay.mistakes, sizes)}` : ""
  return accountWith({
    kind: "labels",
    headline: words`${total} is ${titleOf(name)}, ${asClass(modelClass)}. ${comparison}${reason}.`,
    findings: ownWay ? [] : [findingOnTokens(modelClass, sizes, difference) ?? ON_NO_MISTAKE],
    lines: [
      lineOfNumber(labelledText, right, words`${titleOf(name)}, ${asClass(modelClass)}`, total),
      lineOfNumber(labelledText, own, words`your total`, total),
    ],
    bridge: steps.length
      ? { start: ownTotal, startLabel: "your total", steps, end: total, endLabel: `${title}, as ${modelClass}` }
      : null,
    model: { name, modelClass, total },
    confidence: ownWay ? "likely" : "possible",
  })
}
