// Explains a total that a text states with the sizes of a model of the reader's own: "vocab 30000, hidden 256,
// 4 layers, 4 heads: 11,107,072 parameters".
//
// The sizes give the right total of every class of BERT. If one of them is the stated number, the text is
// right. Otherwise mistakes are tried in turn on these classes, the usual ones first. A number that none of
// them explains is compared with the total of the bare class, because that is what most people count.
//
// Sizes that the text leaves out are those of BERT base, or follow from the hidden size. So a text must give
// at least the hidden size and the number of layers, and the answer lists the sizes that it uses, except
// for the number of segments.

import table from "../../../data/table.js"
import { classesOf, count, countWith, deviations } from "../../counting/engine.js"
import { accountWith, finding, link, withCapital, words } from "../words.js"
import { asClass, mistakesInWords, stepsUndoing } from "./meanings.js"
import { isGeneric } from "./mentions.js"
import {
  LETTERS,
  modelsOfSettings,
  sizesIn,
  sizesInWords,
  sizesOf,
  USUAL_HEAD_SIZE,
  withSizesThatFollow,
} from "./settings.js"

const [{ architecture: BERT, sizes: BASE }] = table.models
const BERT_CLASSES = classesOf(BERT)
/** The letters of sizes, in the order in which answers list them. */
const LISTED_LETTERS = ["V", "H", "F", "L", "A", "P"]
const MIN_ROWS_OF_TOTAL = 1000 // a number below this many times the hidden size is the count of a part

/** The names of mistakes, those that people most often make first. */
const MISTAKES = [...deviations.values()]
  .filter(({ name }) => !name.startsWith("without:"))
  .sort((one, other) => one.rarity - other.rarity)
  .map(({ name }) => name)

/** All sizes of a model, given some of them: the others follow from these, or are those of BERT base. If the hidden
 * size is not a multiple of the usual size of a head, there is one head, which does not change the total.
 * @param {Sizes} statedSizes @returns {Sizes} */
function withUsualSizes(statedSizes) {
  const usualHeads = statedSizes.H / USUAL_HEAD_SIZE
  return withSizesThatFollow(BASE, { A: Number.isInteger(usualHeads) ? usualHeads : 1, ...statedSizes })
}

/** A class and the mistakes with which it has a number.
 * @typedef {{ modelClass: string, mistakes: string[] }} ClassWay */

/** The likeliest way to a number of parameters: a class, with at most one mistake; null if there is none. No mistake is
 * tried for a rounded number.
 * @param {Pick<Span, "low" | "high">} number  the range of totals that the stated number may mean
 * @param {Sizes} sizes @returns {ClassWay | null} */
function wayTo({ low, high }, sizes) {
  /** Whether a class with mistakes has the number. @param {string} modelClass @param {string[]} mistakes */
  const fits = (modelClass, mistakes) => {
    const total = countWith({ modelClass, sizes }, mistakes)
    return total !== null && total >= low && total <= high
  }
  const rightClass = BERT_CLASSES.find(({ name }) => fits(name, []))
  if (rightClass) return { modelClass: rightClass.name, mistakes: [] }
  if (low !== high) return null // mistakes of many kinds would lead to a rounded number
  for (const { name: modelClass } of BERT_CLASSES) {
    const mistake = MISTAKES.find((name) => fits(modelClass, [name]))
    if (mistake) return { modelClass, mistakes: [mistake] }
  }
  return null
}

/** The account of a text that gives the sizes of a model that is not published, and its total; null for any other text.
 * @param {LabelledText} labelledText @returns {Account | null} */
export function accountOfOwnModel({ text, numbers, quantities, mentions }) {
  const sizeQuantities = numbers.filter(({ role, number }) => LETTERS[role] && number.exact)
  const [total, ...others] = numbers.filter((quantity) => !sizeQuantities.includes(quantity))
  const statedSizes = sizesIn(sizeQuantities)
  const { H, L } = statedSizes
  if (!H || !L || Object.keys(statedSizes).length !== sizeQuantities.length || !mentions.every(isGeneric)) return null
  if (!total || others.length || quantities.length !== numbers.length || total.role !== "count") return null
  if (total.number.high < MIN_ROWS_OF_TOTAL * H || modelsOfSettings(numbers).length) return null
  const sizes = withUsualSizes(statedSizes)
  return accountOf(text, total, sizes, wayTo(total.number, sizes))
}

/** The account of a total beside sizes.
 * @param {string} text @param {Quantity} quantity  the total @param {Sizes} sizes
 * @param {ClassWay | null} way  to the total
 * @returns {Account} */
function accountOf(text, { typed, number, start, end }, sizes, way) {
  const { modelClass, mistakes } = way ?? { modelClass: BERT_CLASSES[0].name, mistakes: [] }
  const right = count({ modelClass, sizes })
  const isRight = way !== null && !mistakes.length
  const model = words`a BERT with ${sizesInWords(sizesOf(LISTED_LETTERS, sizes))}`
  const rightTotal = words`${right} parameters, ${asClass(modelClass)}`
  const difference = number.low - right
  const excess = number.exact ? words` That is ${Math.abs(difference)} too ${difference > 0 ? "many" : "few"}.` : ""
  const steps = stepsUndoing(modelClass, sizes, mistakes)
  const verdict = number.exact ? "right" : "rounded"
  const comparison = isRight
    ? words`Your total is right: ${model} has ${rightTotal}.`
    : words`${withCapital(model)} has ${rightTotal}, not ${typed}.${excess}`
  const reason = mistakes.length ? words` It comes to ${typed} if you ${mistakesInWords(mistakes, sizes)}.` : ""
  return accountWith({
    kind: "labels",
    headline: words`${comparison}${reason}`,
    findings: [finding(0.5, words`${link("try/calculator.html", "The calculator")} counts every part of it.`)],
    lines: [
      {
        source: text.slice(start, end).trim(),
        part: words`the total`,
        stated: number.exact ? number.low : null,
        right,
        verdict: isRight ? verdict : "wrong",
        times: 1,
      },
    ],
    bridge: steps.length
      ? { start: number.low, startLabel: "your number", steps, end: right, endLabel: `${modelClass} with these sizes` }
      : null,
    model: { name: "", modelClass, total: right },
    confidence: isRight ? "certain" : "likely",
  })
}
