// Explains differences: a number with a sign before it or with words such as "too small", or two
// totals with a minus between them. No model has a negative number of parameters, so a number with a
// minus before it is the difference between two counts.

import { classesOf, count, countWith, deviations, lazily, models } from "../../counting/engine.js"
import { explain, waysTo } from "../../explaining/explain.js"
import { numberOfDigits } from "../../explaining/read.js"
import { costOfModel, modelsByUse } from "../../explaining/ways.js"
import { accountWith, finding, words } from "../words.js"
import { asClass, meaning, mistakesInWords, partsOfSameSize, titleOf } from "./meanings.js"
import { modelsIn } from "./mentions.js"

/** A number, perhaps with separators between its thousands; a number with a sign; and two numbers with a minus between
 * them. */
const NUMBER = `[0-9]{1,3}(?:[,._' ][0-9]{3})+|[0-9]+`
const SIGNED_NUMBER = new RegExp(
  `^\\s*(?:diff(?:erence)?\\s*[:=]?\\s*)?([-−–+])\\s?(${NUMBER})(?:\\s*(?:params?|parameters))?\\s*$`,
  "i",
)
const PAIR = new RegExp(`^\\s*(${NUMBER})\\s*[-−–]\\s*(${NUMBER})\\s*(?:=\\s*[-−–]?\\s*(${NUMBER})\\s*)?[=?]?\\s*$`)
/** Remarks on the amount by which a count is off, with the words for its direction. */
const AMOUNT_FIRST = new RegExp(
  `(?<![0-9.,])(?<amount>${NUMBER})(?:\\s(?:params?|parameters|weights))?\\s(?:(?:is|are)\\s)?` +
    "(?:too\\s(?:(?<low>small|low|few|little)|(?<high>large|big|high|many|much))|(?<short>short|missing)|off)\\b",
  "i",
)
const AMOUNT_LAST = new RegExp(
  "\\b(?:too\\s(?:(?<low>small|low)|(?<high>large|big|high))\\sby|(?<short>short\\sby|missing)" +
    "|(?:off|out|wrong|differs?)\\sby|difference\\b[^0-9]{0,40}\\b(?:is|of))" +
    `\\s(?:exactly\\s)?(?<amount>${NUMBER})(?![0-9.,]*[0-9])`,
  "i",
)
const MAX_LENGTH = 120 // characters of a remark on a difference
/** A rounded number with a minus before it. */
const ROUNDED_DIFFERENCE = /^\s*[-−–]\s?([0-9][0-9.,]*\s?[a-z]+)\s*$/i
const MIN_DIFFERENCE = 100 // a smaller number may be anything
const MAX_COST = 1 // the highest cost of a model that people may mean without naming it
const MAX_CLASSES = 3 // only the first classes of each model are tried, because people count them most often

/** A deviation, by its name, with the model and class whose total it changes.
 * @typedef {{ model: Model, modelClass: string, name: string }} DeviationOfModel */

/** The likeliest deviation for each effect on the total of a model that people mean without naming it. An effect is
 * below zero if the total comes out too low.
 * @type {() => Map<number, DeviationOfModel>} */
const changesByEffect = lazily(() => {
  const likelyModels = modelsByUse.filter(({ name }) => costOfModel(name) <= MAX_COST)
  const names = [...deviations.values()].sort((one, other) => one.rarity - other.rarity).map(({ name }) => name)
  /** @type {Map<number, DeviationOfModel>} */
  const byEffect = new Map()
  for (const model of likelyModels)
    for (const { name: modelClass } of classesOf(model.architecture).slice(0, MAX_CLASSES)) {
      const { sizes } = model
      const total = count({ modelClass, sizes })
      for (const name of names) {
        const effect = (countWith({ modelClass, sizes }, [name]) ?? Number.NaN) - total
        if (!byEffect.has(effect)) byEffect.set(effect, { model, modelClass, name })
      }
    }
  return byEffect
})

/** The directions in which a total may be wrong. */
const LOW = "low"
const HIGH = "high"
/** @typedef {typeof LOW | typeof HIGH} Direction */

/** The likeliest change that makes a total wrong by this amount, with its direction; null if there is none.
 * @param {number} amount @param {Direction[]} directions  the possible ones, the likelier first */
function changeBy(amount, directions) {
  for (const direction of directions) {
    const change = changesByEffect().get(direction === LOW ? -amount : amount)
    if (change) return { change, direction }
  }
  return null
}

/** The change that leads from one total to another; null if there is none. @param {number} right @param {number} wrong
 * @returns {DeviationOfModel | null} */
function changeBetween(right, wrong) {
  const totals = waysTo(right).filter(({ kind, mistakes }) => kind === "total" && !mistakes.length)
  for (const way of waysTo(wrong)) {
    if (way.kind !== "total" || way.mistakes.length !== 1) continue
    for (const total of totals) {
      const model = total.models.find((name) => way.models.includes(name))
      const modelClass = total.classes.find((name) => way.classes.includes(name))
      if (model && modelClass) return { model: models.get(model), modelClass, name: way.mistakes[0] }
    }
  }
  return null
}

/** The words for a change: which total comes out wrong, by how much, and why.
 * @param {DeviationOfModel} change @param {number} amount @param {Direction} direction @returns {Words} */
const changeInWords = ({ model, modelClass, name }, amount, direction) =>
  words`The total of ${titleOf(model.name)}, ${asClass(modelClass)}, comes out ${amount} too ${direction} if you ${mistakesInWords([name], model.sizes)}`

/** The account of a text that is a difference; null for any other text.
 * @param {string} text @returns {Account | null} */
export function accountOfDifference(text) {
  const [, one, other, result] = PAIR.exec(text) ?? []
  // A difference that is worked out wrongly is left to sums/.
  if (result && numberOfDigits(result) !== Math.abs(numberOfDigits(one) - numberOfDigits(other))) return null
  if (one) return accountOfTwoTotals(text, numberOfDigits(one), numberOfDigits(other))
  const [, sign, signedDigits] = SIGNED_NUMBER.exec(text) ?? []
  if (signedDigits)
    return numberOfDigits(signedDigits) >= MIN_DIFFERENCE
      ? accountOfSignedNumber(text, sign, numberOfDigits(signedDigits))
      : null
  const [, typedNumber] = ROUNDED_DIFFERENCE.exec(text) ?? []
  return typedNumber ? accountOfRoundedNumber(text, typedNumber) : accountOfRemark(text)
}

/** The account of a remark that a count is off by an amount; null for any other text, and for one with another number
 * or with the name of a model, because the amount may then be explained by these.
 * @param {string} text @returns {Account | null} */
function accountOfRemark(text) {
  if (text.length > MAX_LENGTH || modelsIn(text).length) return null
  const match = AMOUNT_FIRST.exec(text) ?? AMOUNT_LAST.exec(text)
  const { amount: digits = "", low, short, high } = match?.groups ?? {}
  if (numberOfDigits(digits) < MIN_DIFFERENCE || /[0-9]/.test(text.replace(digits, ""))) return null
  const amount = numberOfDigits(digits)
  const opening = words`We read this as a difference of ${amount}`
  if (high) return accountOfExactAmount(text, opening, amount, [HIGH])
  return accountOfExactAmount(text, opening, amount, low || short ? [LOW] : [LOW, HIGH])
}

/** The account of two totals with a minus between them; null if no deviation leads from one to the other.
 * @param {string} text @param {number} one @param {number} other @returns {Account | null} */
function accountOfTwoTotals(text, one, other) {
  const amount = Math.abs(one - other)
  const changeFromOne = changeBetween(one, other)
  const change = changeFromOne ?? changeBetween(other, one)
  if (!change || !amount) return null
  const [right, wrong] = changeFromOne ? [one, other] : [other, one]
  const difference = words`${one} − ${other} = ${one < other ? "−" : ""}${amount}`
  return accountOf(
    text,
    words`${difference}. ${changeInWords(change, amount, wrong < right ? LOW : HIGH)}: ${wrong}, not ${right}.`,
    amount,
    change,
  )
}

/** The account of a rounded number with a minus before it; null if it is not read as a count.
 * @param {string} text @param {string} typedNumber  without its sign @returns {Account | null} */
function accountOfRoundedNumber(text, typedNumber) {
  const [way] = explain(typedNumber) ?? []
  if (way?.reading.amount !== "count") return null
  const headline = words`We read −${typedNumber} as a difference of ${typedNumber}. The likeliest is ${way.number}: ${meaning(way)}.`
  const account = accountOf(text, headline, way.number, null)
  return { ...account, lines: account.lines.map((line) => ({ ...line, stated: null, verdict: "rounded" })) }
}

/** The account of an exact number with a sign before it. A minus may belong to either direction. A plus before the size
 * of something that people leave out means a part on top of a count; any other plus means a total that is too high.
 * @param {string} text @param {string} sign @param {number} amount */
function accountOfSignedNumber(text, sign, amount) {
  const isPlus = sign === "+"
  const opening = words`We read ${isPlus ? "+" : "−"}${amount} as a difference of ${amount}`
  if (isPlus && changeBy(amount, [LOW]))
    return accountOf(text, words`${opening}${meaningOfAmount(amount, true)}.`, amount, null)
  return accountOfExactAmount(text, opening, amount, isPlus ? [HIGH] : [LOW, HIGH])
}

/** The account of an exact amount by which a total is wrong.
 * @param {string} text @param {Words} opening @param {number} amount
 * @param {Direction[]} directions  the possible ones, the likelier first @returns {Account} */
function accountOfExactAmount(text, opening, amount, directions) {
  const likeliest = changeBy(amount, directions)
  if (!likeliest)
    return accountOf(text, words`${opening}${meaningOfAmount(amount, directions[0] === HIGH)}.`, amount, null)
  const { change, direction } = likeliest
  return accountOf(text, words`${opening}. ${changeInWords(change, amount, direction)}.`, amount, change)
}

/** The words for a part or total of this size, to follow the amount in a sentence.
 * @param {number} amount @param {boolean} isPlus  whether it is on top of another count @returns {Words} */
function meaningOfAmount(amount, isPlus) {
  const ways = waysTo(amount).filter(({ kind }) => kind !== "near")
  const [way] = ways
  if (!way) return words`. No part or total that we know has this size`
  // A plus most often means a head on top of the bare model.
  const head = ways.find((candidate) => candidate.kind === "change" && candidate.words.startsWith("the size of a head"))
  if (way.kind === "part" && way.parts.length > 1)
    return words`, which is ${isPlus && head ? head.words : words`the size of ${partsOfSameSize(way)}`}`
  return words`, which is ${meaning(way)}${isPlus && head && head !== way ? words`, and ${head.words}` : []}`
}

/** The account of a difference. If its change is known, a finding names a part of the same size.
 * @param {string} text @param {Words} headline @param {number} amount @param {DeviationOfModel | null} change
 * @returns {Account} */
function accountOf(text, headline, amount, change) {
  const partOfSameSize = waysTo(amount).find(({ kind, mistakes }) => kind === "part" && !mistakes.length)
  const changeText = change ? deviations.get(change.name).done : ""
  return accountWith({
    kind: "labels",
    headline,
    findings:
      change && partOfSameSize
        ? [finding(2, words`${amount} is the size of ${partsOfSameSize(partOfSameSize, changeText)}.`)]
        : [],
    lines: [{ source: text.trim(), part: ["a difference"], stated: amount, right: amount, verdict: "right", times: 1 }],
    confidence: change ? "likely" : "possible",
  })
}
