// Explains pairs of trainable parameters and all parameters. PEFT prints the two in one line, and
// summaries one below the other. A pair is explained in one of these ways (`pairAccount`): parts of
// a model are frozen; a method was added to a model (`adapted-models.js`); the total leaves out what was
// added, so that no tool prints the pair; only the difference between the two numbers is the size
// of a model; or one of the numbers is wrong.

import { isPlausible, waysTo } from "../../explaining/explain.js"
import { byCost } from "../../explaining/ways.js"
import { accountInSentences, finding, words } from "../words.js"
import {
  MAX_COST,
  numbersAsPrinted,
  numbersWithTask,
  rareWaysTo,
  SURE_COST,
  usualWaysTo,
  waysOnTopOf,
} from "./adapted-models.js"
import { accountOfAdapted, headInWords } from "./adapted-pairs.js"
import { frozenWays } from "./freezing.js"
import { asClass, subjectOf } from "./meanings.js"
import { hintsOf, methodInWords, modelWords, percentage, whatMethodTrains } from "./methods.js"
import { accountOfPair, checkOfShare, pairIn } from "./stated-pairs.js"
import { classAndTotal, MAX_PLAUSIBLE_LABELS, modelOfFit, totalsNear } from "./totals.js"

/** @typedef {import("./adapted-models.js").AdaptedModel} AdaptedModel */

const LIKELY_COST = 2 // the largest cost of a likely model whose method is unknown
const MAX_COST_OF_HALF = 2 // the largest cost of a way to one number of a pair whose other number is wrong
const MAX_DISTANCE = 0.001 // how far the untrained parameters may be from the size of a model, as a share of them

/** The account of a pair of trainable and all parameters. Null if a text states no pair, if everything is trained, or
 * if nothing explains the pair although its total alone can be explained.
 * @param {LabelledText} labelledText @returns {Account | null} */
export function pairAccount(labelledText) {
  const pair = pairIn(labelledText)
  if (!pair) return null
  const { trained, all } = pair
  if (trained > all) return accountOfContradiction(labelledText, pair)
  if (trained === all) return null
  const hints = hintsOf(labelledText)
  const target = { trained, rest: all - trained, hints }
  const { ways: usualWays, modelsAlone } = usualWaysTo(target)
  const cost = usualWays[0]?.cost ?? Infinity
  const [frozenWay] = frozenWays(trained, all, hints)
  if (frozenWay && frozenWay.cost <= Math.min(MAX_COST, cost)) return accountOfFrozen(labelledText, pair, frozenWay)
  const [wayOnTop] = cost <= SURE_COST ? [] : waysOnTopOf(trained, all, hints)
  if (wayOnTop && wayOnTop.cost <= Math.min(SURE_COST, cost)) return accountOfIncomplete(labelledText, pair, wayOnTop)
  const ways = cost <= SURE_COST ? usualWays : [...usualWays, ...rareWaysTo(target)].sort(byCost)
  if (ways[0]?.cost <= MAX_COST) return accountOfAdapted(labelledText, pair, ways, hints)
  if (wayOnTop && wayOnTop.cost <= MAX_COST) return accountOfIncomplete(labelledText, pair, wayOnTop)
  const fit = modelsAlone.find(({ labels }) => labels <= MAX_PLAUSIBLE_LABELS)
  if (fit && fit.cost <= SURE_COST) return accountOfModelAlone(labelledText, pair, fit)
  return (
    accountOfHalf(labelledText, pair, hints) ?? (isExplainedAlone(all) ? null : accountOfUnknown(labelledText, pair))
  )
}

/** The way to one number of a pair in a model whose size is near the difference; undefined if none is likely enough.
 * @param {Pair} pair @param {Hints} hints */
function wayToHalf({ trained, all }, hints) {
  for (const total of totalsNear(all - trained, MAX_DISTANCE)) {
    const ways = [trained, all - total].flatMap((number) => waysOnTopOf(number, total, hints, true))
    const [way] = ways.sort(byCost)
    if (way?.cost <= MAX_COST_OF_HALF) return way
  }
  return undefined
}

/** The account of a pair in which one number belongs to a known model with a likely method, and the other is wrong;
 * null if neither number does.
 * @param {LabelledText} labelledText @param {Pair} pair @param {Hints} hints @returns {Account | null} */
function accountOfHalf(labelledText, pair, hints) {
  const { trained, all } = pair
  const way = wayToHalf(pair, hints)
  if (!way) return null
  const printedNumbers = numbersAsPrinted(way)
  const method = methodInWords(way)
  const explanation =
    printedNumbers.trained === trained
      ? words`${trained} is ${whatMethodTrains(way)} in ${modelWords(way)}. All parameters are then ${printedNumbers.all}, not ${all}.`
      : words`${all} is the number of all parameters of ${modelWords(way)}, with ${method}. Of these, ${printedNumbers.trained} are trained, not ${trained}.`
  // If the percentage does not follow either, the answer says anyway that the numbers do not agree.
  const share = labelledText.numbers.find(({ role }) => role === "share")
  const isMismatch = share && checkOfShare(pair, share)?.follows === false
  return accountOfPair(labelledText, pair, {
    headline: words`${isMismatch ? "" : "The two numbers do not belong together. "}${explanation}`,
    findings: [finding(4, headInWords(way))].filter((headFinding) => headFinding.words.length),
    parts: { trained: words`${method}`, all: words`${modelWords(way)}, with what is added` },
    right: printedNumbers,
    model: modelOfFit(way),
    confidence: "likely",
  })
}

/** The account of a rounded pair, to which too many models and methods lead; null if a text does not state one.
 * @param {LabelledText} labelledText @returns {Account | null} */
export function roundedPairAccount({ numbers }) {
  const counts = numbers.filter(({ role }) => role === "count")
  const [trained, all] = ["trainable", "all"].map((name) => counts.find(({ roles }) => roles.includes(name)))
  if (!trained || !all || trained.number.exact || trained.number.low > all.number.low) return null
  return accountInSentences(
    words`${trained.typed} of ${all.typed} is about ${((100 * trained.number.low) / all.number.low).toFixed(2)}%. The two numbers are rounded so much that too many models and methods fit them.`,
    [words`PEFT prints both in full: paste that line to see which model and method it is.`],
    { kind: "labels", confidence: "possible" },
  )
}

/** Whether the search for single numbers explains a number, as a right one or by mistakes. @param {number} number */
const isExplainedAlone = (number) => waysTo(number).some(isPlausible)

/** The account of a pair that no known model explains.
 * @param {LabelledText} labelledText @param {Pair} pair @returns {Account} */
function accountOfUnknown(labelledText, pair) {
  const { trained, all } = pair
  const [name] = labelledText.mentions.flatMap(({ models }) => models)
  const model = name ? { name, ...classAndTotal(name) } : null
  const change = waysTo(all - trained).find((way) => way.kind === "change" && isPlausible(way))
  const ofModel = model
    ? words`${subjectOf(model.name)} has ${model.total} ${asClass(model.modelClass)}.`
    : words`That is the size of no model that we count.`
  // A loop over numel() counts packed weights by the elements that hold them.
  const comparison = change ? words`That is ${change.words}.` : ofModel
  return accountOfPair(labelledText, pair, {
    headline: words`${trained} of ${all} is ${percentage(trained, all)}. Without what is trained, ${all - trained} parameters remain. ${comparison}`,
    parts: { trained: words`what is trained`, all: words`all parameters` },
    model,
    confidence: "possible",
  })
}

/** The account of a pair that no tool prints, because its total is that of the model before anything is added.
 * @param {LabelledText} labelledText @param {Pair} pair @param {import("./adapted-models.js").AdaptedModel} way
 * @returns {Account} */
function accountOfIncomplete(labelledText, pair, way) {
  const { trained, all } = pair
  const printedNumbers = numbersWithTask(way)
  const method = methodInWords(way)
  const copySize = printedNumbers.all - all - way.adapters - way.untrainedCount
  const steps = [{ label: words`${method}`, value: way.adapters, formula: "" }]
  if (copySize) steps.push({ label: words`the copy of the classifier`, value: copySize, formula: "" })
  if (way.untrainedCount)
    steps.push({ label: words`what is added but not trained`, value: way.untrainedCount, formula: "" })
  const model = modelWords(way)
  const parts = {
    trained: words`${method}${way.head.trained ? " and the classifier" : ""}`,
    all: words`${model}, with nothing added`,
  }
  const withCopy = copySize ? ", and the copy of the classifier" : ""
  const aboutTotal = words`The total is ${printedNumbers.all - all} too small: it must include what is added${withCopy}.`
  const aboutCopy = words`The trainable parameters leave out the copy of the classifier, ${printedNumbers.trained - trained} parameters.`
  return accountOfPair(labelledText, pair, {
    headline: words`${all} is ${model}, before anything is added. With ${method}, PEFT prints ${printedNumbers.trained} of ${printedNumbers.all}, which is ${percentage(printedNumbers.trained, printedNumbers.all)}.`,
    findings: [
      finding(6, aboutTotal, printedNumbers.all - all),
      ...(printedNumbers.trained === trained ? [] : [finding(5, aboutCopy)]),
    ],
    parts,
    right: printedNumbers,
    bridge: {
      start: all,
      startLabel: "all, as it is written",
      steps,
      end: printedNumbers.all,
      endLabel: "all, as PEFT prints it",
    },
    model: modelOfFit(way),
    confidence: way.cost <= SURE_COST ? "certain" : "likely",
  })
}

/** The account of a pair whose model is known and whose method is not.
 * @param {LabelledText} labelledText @param {Pair} pair @param {import("./totals.js").Fit} fit @returns {Account} */
function accountOfModelAlone(labelledText, pair, fit) {
  const { trained, all } = pair
  return accountOfPair(labelledText, pair, {
    headline: words`${trained} of ${all} is ${percentage(trained, all)}. Without what is trained, ${all - trained} remain: ${modelWords(fit)}. The ${trained} that are trained come on top, as a head of your own does; they are not the usual adapters.`,
    parts: { trained: words`what is trained`, all: words`${modelWords(fit)}, and what is trained` },
    model: modelOfFit(fit),
    confidence: fit.cost <= LIKELY_COST ? "likely" : "possible",
  })
}

/** The account of a pair with more trainable parameters than parameters in total. @param {LabelledText} labelledText
 * @param {Pair} pair @returns {Account} */
function accountOfContradiction(labelledText, pair) {
  const { trained, all } = pair
  return accountOfPair(labelledText, pair, {
    headline: words`These two numbers contradict each other: ${trained} of ${all} parameters cannot be trained, since that is ${trained - all} more than there are. Perhaps they are swapped.`,
    parts: { trained: words`what is trained`, all: words`all` },
    model: null,
    confidence: "certain",
  })
}

/** The account of a pair that frozen parts explain.
 * @param {LabelledText} labelledText @param {Pair} pair @param {import("./freezing.js").Freezing} way
 * @returns {Account} */
function accountOfFrozen(labelledText, pair, way) {
  const { trained, all } = pair
  return accountOfPair(labelledText, pair, {
    headline: words`${all} is ${modelWords(way)}. Of these parameters, ${trained} (${percentage(trained, all)}) are trained: ${way.frozenClause}.`,
    parts: {
      trained: words`what is left to train: ${way.frozenClause}`,
      all: modelWords(way),
      frozen: words`what is frozen`,
    },
    right: { trained, all },
    model: modelOfFit(way),
    confidence: way.cost <= SURE_COST ? "certain" : "likely",
  })
}
