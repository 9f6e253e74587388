// Writes the account of a pair of numbers that adapters explain, with the other ways to the same two
// numbers that are almost as likely.

import { costOfModel } from "../../explaining/ways.js"
import { code, enumeration, finding, words } from "../words.js"
import { isCurrent, MENTIONED_WITHIN, SURE_COST } from "./adapted-models.js"
import { methodInWords, modelWords, percentage } from "./methods.js"
import { accountOfPair } from "./stated-pairs.js"
import { MAX_MODEL_COST, modelOfFit } from "./totals.js"

/** @typedef {import("./adapted-models.js").AdaptedModel} AdaptedModel */

const CERTAIN_COST = 3.5 // the largest cost of a way that is certain
const MIN_MARGIN = 0.8 // if all other ways cost at least this much more, the first is stated without "for example"
const MAX_OTHERS = 5 // the most other ways that are mentioned for the same model, and as many for other models

/** A sentence on how the head is counted; empty if there is no head.
 * @param {AdaptedModel} way @returns {Words} */
export function headInWords({ head, copy, line, labels }) {
  if (!copy) return []
  const name = copy === labels * (line.model.sizes.H + 1) ? "classifier" : "classification head"
  /** @type {Record<string, Words>} */
  const sentences = {
    copied: words`The total counts the ${copy} parameters of the ${name} twice, because PEFT trains a copy beside the frozen original.`,
    frozen: words`The ${name} with its ${copy} parameters is frozen, as it is if PEFT is not given the task.`,
    both: words`The ${copy} parameters of the ${name} count twice, as original and as copy, and both as trainable: early versions of PEFT left the original trainable.`,
    inPlace: words`The ${copy} parameters of the ${name} are trained themselves and count once. PEFT would train a copy of them.`,
    uncounted: words`The total includes a copy of the ${name} with its ${copy} parameters, which the trainable parameters leave out.`,
  }
  return sentences[head.name]
}

/** The first way, and the others that an answer mentions. For the same model, class and labels, these are up to
 * `MAX_OTHERS` that are almost as likely, and one with LoHa, however unlikely. For others, it is the likeliest way of
 * each, if it is almost as likely, and again up to `MAX_OTHERS` in all. Of these, ways that do not count the head as
 * current versions of PEFT do are left out, unless the first way does not either.
 * @param {AdaptedModel[]} ways  the likeliest first */
export function waysToMention([way, ...others]) {
  const likelyWays = others.filter(({ cost }) => cost <= way.cost + MENTIONED_WITHIN)
  const ofSameModel = likelyWays.filter((other) => isSameModel(way, other)).slice(0, MAX_OTHERS)
  // LoHa adds as many parameters as LoRA of twice the rank adds to the same modules, so it is mentioned even if it
  // costs more than the others.
  const lohaWays = others.filter(
    (other) => isSameModel(way, other) && other.method === "loha" && other.extras === way.extras,
  )
  const lohaWay = lohaWays.find((other) => other.modules.join() === way.modules.join()) ?? lohaWays[0]
  if (lohaWay && !ofSameModel.includes(lohaWay)) ofSameModel.push(lohaWay)
  /** @type {AdaptedModel[]} */
  const ofOtherModels = []
  for (const other of likelyWays)
    if (
      [way, ...ofOtherModels].every((one) => !isSameModel(one, other)) &&
      (isCurrent(other.head) || !isCurrent(way.head))
    )
      ofOtherModels.push(other)
  return { way, ofSameModel, ofOtherModels: ofOtherModels.slice(0, MAX_OTHERS) }
}

/** Whether two ways have the same model, class and labels, and count the head in the same way.
 * @param {AdaptedModel} one @param {AdaptedModel} other */
const isSameModel = (one, other) => one.line === other.line && one.labels === other.labels && one.head === other.head

/** Findings on other ways to the same two numbers.
 * @param {ReturnType<typeof waysToMention>} selection @returns {Finding[]} */
function otherFindings({ way, ofSameModel, ofOtherModels }) {
  /** @type {Finding[]} */
  const findings = []
  const method = methodInWords(way)
  if (ofSameModel.length)
    findings.push(
      finding(1, words`The same number of parameters is added by ${ofSameModel.map(methodInWords).join(", or by ")}.`),
    )
  const models = ofOtherModels.map((other) => {
    const otherMethod = methodInWords(other)
    return words`${modelWords(other)}${otherMethod === method ? "" : `, with ${otherMethod}`}`
  })
  if (models.length) findings.push(finding(1, words`The same two numbers belong to ${enumeration(models)}.`))
  return findings
}

/** The sentence on parameters that PEFT has made trainable by moving them. @param {number} number */
const movedInWords = (number) =>
  words`PEFT trains ${number} of these parameters by mistake: those that it moved to a GPU or to another type. On a CPU in ${code("float32")}, it does not.`

/** The account of a pair that adapters explain.
 * @param {LabelledText} labelledText @param {Pair} pair @param {AdaptedModel[]} ways  the likeliest first
 * @param {Hints} hints @returns {Account} */
export function accountOfAdapted(labelledText, pair, ways, hints) {
  const { trained, all } = pair
  const selection = waysToMention(ways)
  const { way } = selection
  const [methodMargin, modelMargin] = [selection.ofSameModel, selection.ofOtherModels].map(
    ([other]) => (other?.cost ?? Infinity) - way.cost,
  )
  const isNamed = hints.rank === way.rank || hints.modules.length > 0
  const headWords = headInWords(way)
  const method = methodInWords(way)
  const isUnambiguous = isNamed || Math.min(methodMargin, modelMargin) >= MIN_MARGIN
  // Two numbers that fit exactly identify the model, however rare it is.
  const costWithoutModel = way.cost - Math.min(costOfModel(way.line.model.name), MAX_MODEL_COST)
  // Words that name the model say nothing about a rare method with a rare size.
  const isSure = Math.max(costWithoutModel, way.methodCost) <= SURE_COST
  const headSum = way.head.trained * way.copy
  const findings = isNamed ? [] : otherFindings(selection)
  if (way.head.name === "uncounted" || way.head.name === "inPlace") findings.push(finding(4, headWords))
  if (way.movedCount) findings.push(finding(3, movedInWords(way.movedCount)))
  const andHead = headSum ? words`, and the head: ${headSum}` : ""
  const parts = {
    trained: words`${method}: ${trained - headSum}${andHead}`,
    all: words`${modelWords(way)}, with what is added`,
  }
  // Prompt tuning may have any number of tokens, so it explains too many pairs to be certain.
  const isMethodClear = way.method !== "prompt" || hints.methods.includes(way.method)
  const isCertain = isMethodClear && costWithoutModel <= CERTAIN_COST && modelMargin >= MIN_MARGIN
  const confidence = isCertain ? "certain" : "likely"
  const reservation = isSure ? "" : "This may be a coincidence, but it fits "
  const withMethod = words`${isUnambiguous ? "with" : "for example with"} ${method}`
  return accountOfPair(labelledText, pair, {
    headline: words`${trained} of ${all} is ${percentage(trained, all)}: ${reservation}${modelWords(way)}, ${withMethod}. ${headWords}`,
    findings,
    parts,
    right: { trained, all },
    model: modelOfFit(way),
    confidence: isSure ? confidence : "possible",
  })
}
