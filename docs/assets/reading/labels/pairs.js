// Explains pairs of trainable parameters and all parameters. PEFT prints the two in one line, and
// summaries one below the other. A pair is explained in one of these ways (`pairAccount`): parts of
// a model are frozen; a method was added to a model (`adapted.js`); the total leaves out what was
// added, so that no tool prints the pair; only the difference between the two numbers is the size
// of a model; or one of the numbers is wrong.

import { isPlausible, waysTo } from "../../explaining/explain.js"
import { byCost, costOfModel } from "../../explaining/ways.js"
import { accountInSentences, accountWith, code, enumeration, finding, words } from "../words.js"
import {
  isCurrent,
  MAX_COST,
  MENTIONED_WITHIN,
  numbersAsPrinted,
  rareWaysTo,
  SURE_COST,
  usualWaysTo,
  waysOnTopOf,
} from "./adapted.js"
import { OF } from "./contexts.js"
import { frozenWays } from "./frozen.js"
import { lineOfNumber } from "./lines.js"
import { asClass, titleOf } from "./meanings.js"
import { hintsOf, methodInWords, modelWords, percentage, whatMethodTrains } from "./methods.js"
import { classAndTotal, MAX_MODEL_COST, modelOfFit, totalsNear } from "./totals.js"

/** @typedef {import("./adapted.js").AdaptedModel} AdaptedModel */

const MAX_LABELS = 100 // of a head; more are not plausible
const CERTAIN_COST = 3.5 // the largest cost of a way that is certain
const LIKELY_COST = 2 // the largest cost of a likely model whose method is unknown
const MIN_MARGIN = 0.8 // if all other ways cost at least this much more, the first is stated without "for example"
const MAX_COST_OF_HALF = 2 // the largest cost of a way to one number of a pair whose other number is wrong
const MAX_DISTANCE = 0.001 // of the untrained parameters from the size of a model, as a share of the former
const MAX_OTHERS = 5 // the maximum number of other ways that are mentioned for the same model, and for other models

/** The trainable and the total number of parameters according to the counts of a text; null if the counts do not
 * determine both.
 * @param {LabelledText} labelledText @returns {Pair | null} */
export function pairIn({ numbers, text }) {
  const counts = numbers.filter(({ role, number }) => role === "count" && number.exact && number.low > 0)
  const frozen = counts.find(({ roles }) => roles.includes("frozen")) ?? null
  const { trained, all } = trainedAndAll(counts, frozen, text)
  if (trained && all) return pairOf(trained.number.low, all.number.low, { trained, all, frozen })
  if (trained && frozen)
    return pairOf(trained.number.low, trained.number.low + frozen.number.low, { trained, all: null, frozen })
  if (all && frozen && frozen.number.low < all.number.low)
    return pairOf(all.number.low - frozen.number.low, all.number.low, { trained: null, all, frozen })
  return null
}

/** A pair with the quantities that state it.
 * @param {number} trained @param {number} all @param {Pair["quantities"]} quantities @returns {Pair} */
const pairOf = (trained, all, quantities) => ({
  trained,
  all,
  frozen: quantities.frozen?.number.low ?? null,
  quantities,
})

/** A word about fine-tuning. */
const TRAINING = /train|\blora\b|adapter|prefix|学習|训练|학습/i

/** The quantities of trainable and of all parameters among counts; null for each that the text does not state.
 * @param {Quantity[]} counts @param {Quantity | null} frozen @param {string} text
 * @returns {{ trained: Quantity | null, all: Quantity | null }} */
function trainedAndAll(counts, frozen, text) {
  /** Whether a number is that of trainable parameters. @param {Quantity} quantity */
  const isTrained = ({ roles }) => roles.includes("trainable") && !roles.includes("frozen")
  const trained = counts.find(isTrained) ?? null
  const otherCounts = counts.filter((count) => count !== frozen && !isTrained(count))
  const all =
    otherCounts.find(({ roles }) => roles.includes("all")) ??
    otherCounts.find(({ number }) => number.low > (trained?.number.low ?? Infinity)) ??
    null
  const [first, second] = counts
  const mayBePair = counts.length === 2 && (trained ? !all : TRAINING.test(text))
  if (mayBePair && OF.test(text.slice(first.end, second.start)) && first.number.low < second.number.low)
    return { trained: first, all: second }
  return { trained, all }
}

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
  const { ways: usualWays, bare: bareFits } = usualWaysTo(trained, all, hints)
  const cost = usualWays[0]?.cost ?? Infinity
  const [frozenWay] = frozenWays(trained, all, hints)
  if (frozenWay && frozenWay.cost <= Math.min(MAX_COST, cost)) return accountOfFrozen(labelledText, pair, frozenWay)
  const [wayOnTop] = cost <= SURE_COST ? [] : waysOnTopOf(trained, all, hints)
  if (wayOnTop && wayOnTop.cost <= Math.min(SURE_COST, cost)) return accountOfIncomplete(labelledText, pair, wayOnTop)
  const ways = cost <= SURE_COST ? usualWays : [...usualWays, ...rareWaysTo(trained, all, hints)].sort(byCost)
  if (ways[0]?.cost <= MAX_COST) return accountOfAdapted(labelledText, pair, ways, hints)
  if (wayOnTop && wayOnTop.cost <= MAX_COST) return accountOfIncomplete(labelledText, pair, wayOnTop)
  const model = bareFits.find(({ labels }) => labels <= MAX_LABELS)
  if (model && model.cost <= SURE_COST) return accountOfModelAlone(labelledText, pair, model)
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
      : words`${all} is all that ${modelWords(way)} has with ${method}. Of these, ${printedNumbers.trained} are trained, not ${trained}.`
  // If the percentage does not follow either, the answer says anyway that the numbers do not agree.
  const share = labelledText.numbers.find(({ role }) => role === "share")
  const isMismatch = share && typedShare(pair, share)?.follows === false
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
    words`${trained.typed} of ${all.typed} is about ${((100 * trained.number.low) / all.number.low).toFixed(2)}%. Rounded like this, too many models and methods lead to the two numbers.`,
    [words`PEFT prints both in full: paste that line to see which model and method it is.`],
    { kind: "labels", confidence: "possible" },
  )
}

/** Whether the search for single numbers explains a number, rightly or by mistakes. @param {number} number */
const isExplainedAlone = (number) => waysTo(number).some(isPlausible)

/** The account of a pair that no known model explains.
 * @param {LabelledText} labelledText @param {Pair} pair @returns {Account} */
function accountOfUnknown(labelledText, pair) {
  const { trained, all } = pair
  const [name] = labelledText.mentions.flatMap(({ models }) => models)
  const model = name ? { name, ...classAndTotal(name) } : null
  const change = waysTo(all - trained).find((way) => way.kind === "change" && isPlausible(way))
  const ofModel = model
    ? words`${titleOf(model.name)} has ${model.total} ${asClass(model.modelClass)}.`
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

const [MIN_DECIMALS, MAX_DECIMALS] = [4, 10] // of a percentage in an answer
const ONE_STEP = 1.0001 // of the last decimal, with room for the rounding of floating-point numbers

/** Whether a percentage follows from a pair, and the right percentage with about as many decimals; null if the typed
 * percentage is not a number.
 * @param {Pick<Pair, "trained" | "all">} pair @param {Quantity} quantity */
export function typedShare({ trained, all }, { typed }) {
  const digits = typed.replace(/\s?%|percent/i, "").replace(",", ".")
  const value = Number(digits)
  if (!Number.isFinite(value)) return null
  const decimals = digits.split(".")[1]?.length ?? 0
  // Tools round the last decimal or cut the rest off, so the number may be off by one in the last decimal.
  const share = (100 * trained) / all
  const follows = [share, share / 100, 100 - share].some(
    (ratio) => Math.abs(ratio - value) <= ONE_STEP * 10 ** -decimals,
  )
  return { follows, right: percentage(trained, all, Math.min(Math.max(decimals, MIN_DECIMALS), MAX_DECIMALS)) }
}

/** The account of a pair, with the meanings of its numbers (`parts`) and their right values, if these are known.
 * @param {LabelledText} labelledText @param {Pair} pair
 * @param {Pick<Account, "headline" | "model" | "confidence"> & Partial<Pick<Account, "findings" | "bridge">> &
 *   { parts: PartsOfPair, right?: { trained: number | null, all: number | null } }} fields
 * @returns {Account} */
function accountOfPair(labelledText, pair, { parts, right = { trained: null, all: null }, ...fields }) {
  const lines = linesOf(labelledText, pair, parts, right, fields.model?.name ?? "")
  return accountWith({ kind: "labels", lines, ...fields })
}

/** The words for the numbers of a pair. @typedef {{ trained: Words, all: Words, frozen?: Words }} PartsOfPair */

/** The lines of a text, with the meanings of the numbers of a pair.
 * @param {LabelledText} labelledText @param {Pair} pair @param {PartsOfPair} parts
 * @param {{ trained: number | null, all: number | null }} right
 * @param {string} name  the model that settings are compared with */
function linesOf(labelledText, pair, parts, right, name) {
  const { quantities } = pair
  return labelledText.numbers.flatMap((quantity) => {
    if (quantity === quantities.trained) return [lineOfNumber(labelledText, quantity, parts.trained, right.trained)]
    if (quantity === quantities.all) return [lineOfNumber(labelledText, quantity, parts.all, right.all)]
    if (quantity === quantities.frozen)
      return [lineOfNumber(labelledText, quantity, parts.frozen ?? words`what is frozen`, null)]
    const line = lineOfNumber(labelledText, quantity, [], null, name)
    const share = quantity.role === "share" ? typedShare(pair, quantity) : null
    if (!share) return [line]
    if (share.follows)
      return [{ ...line, part: words`what is trained, as a share of all`, verdict: /** @type {const} */ ("right") }]
    return [{ ...line, part: words`what is trained is ${share.right} of all`, verdict: /** @type {const} */ ("wrong") }]
  })
}

/** A sentence on how the head is counted; empty if there is no head.
 * @param {import("./adapted.js").AdaptedModel} way @returns {Words} */
function headInWords({ head, copy, line, labels }) {
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

/** The ways that an answer mentions because they are almost as likely as the first: those of the likeliest model in its
 * class, and the likeliest one of each other model and class.
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
      finding(1, words`As many parameters are added by ${ofSameModel.map(methodInWords).join(", or by ")}.`),
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
  if (way.moved) findings.push(finding(3, movedInWords(way.moved)))
  const parts = {
    trained: words`${method}: ${trained - headSum}${headSum ? words`, and the head: ${headSum}` : ""}`,
    all: words`${modelWords(way)}, with what is added`,
  }
  const confidence = costWithoutModel <= CERTAIN_COST && modelMargin >= MIN_MARGIN ? "certain" : "likely"
  const reservation = isSure ? "" : "This may be a coincidence, but it fits "
  return accountOfPair(labelledText, pair, {
    headline: words`${trained} of ${all} is ${percentage(trained, all)}: ${reservation}${modelWords(way)}, with ${isUnambiguous ? "" : "for example "}${method}. ${headWords}`,
    findings,
    parts,
    right: { trained, all },
    model: modelOfFit(way),
    confidence: isSure ? confidence : "possible",
  })
}

/** The account of a pair that no tool prints, because its total is that of the model before anything is added.
 * @param {LabelledText} labelledText @param {Pair} pair @param {import("./adapted.js").AdaptedModel} way
 * @returns {Account} */
function accountOfIncomplete(labelledText, pair, way) {
  const { trained, all } = pair
  const printedNumbers = numbersAsPrinted(way)
  const method = methodInWords(way)
  const copySize = printedNumbers.all - all - way.adapters - way.untrained
  const steps = [{ label: words`${method}`, value: way.adapters, formula: "" }]
  if (copySize) steps.push({ label: words`the copy of the classifier`, value: copySize, formula: "" })
  if (way.untrained) steps.push({ label: words`what is added but not trained`, value: way.untrained, formula: "" })
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
 * @param {LabelledText} labelledText @param {Pair} pair @param {import("./frozen.js").Freezing} way
 * @returns {Account} */
function accountOfFrozen(labelledText, pair, way) {
  const { trained, all } = pair
  return accountOfPair(labelledText, pair, {
    headline: words`${all} is ${modelWords(way)}. ${trained} of them (${percentage(trained, all)}) are trained: ${way.frozenClause}.`,
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
