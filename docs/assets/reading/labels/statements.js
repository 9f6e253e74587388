// Takes each number in a text as a statement about a model, works out its meaning from the
// nearest words, and writes a sentence about it. Numbers of parameters come first. The headline is
// about the number that ranks highest (`rankOf` in answers.js), and about up to two others. The
// remaining numbers appear only in the lines.

import { models } from "../../counting/engine.js"
import { isRight } from "../../explaining/explain.js"
import { accountWith, finding, inParagraph, words } from "../words.js"
import {
  bridgeOf,
  confidenceOf,
  hasAnswer,
  isOfSameModel,
  isRoundedTotal,
  meaningInWords,
  modelOfAnswer,
  rankOf,
  rightNumberOf,
  showsMeaning,
} from "./answers.js"
import { comparedCounts } from "./compared-counts.js"
import { contextOf, mentionsOf } from "./contexts.js"
import { lineOfNumber } from "./lines.js"
import { sentencesOnPartOfUsualModels } from "./meant-parts.js"
import { BINARY_UNITS } from "./memory.js"
import { mentionOf } from "./mentions.js"
import { percentage } from "./methods.js"
import { USUAL_MODELS } from "./named-parts.js"
import { fitsByChance, isAbout, resolve } from "./resolving.js"
import { isAmbiguous, sentencesOnNumber } from "./sentences.js"
import { modelMentions } from "./settings.js"
import { statedShares } from "./stated-shares.js"

const MAX_SENTENCES = 3 // the maximum number of sentences in a headline, each about a different number
const MAX_NUMBERS = 30 // different numbers in a text; explaining each takes as long as explaining a number alone
const MIN_PARAMETERS = 100_000 // a smaller number may be something else if no word says that it counts parameters
const MAX_SIZES = 10 // the maximum number of exact amounts of memory in a text whose differences are tried
const SMALL_PART_FACTOR = 100 // a small part is at least this many times smaller than the largest number
/** The roles of numbers that are explained one by one. */
const EXPLAINED_ROLES = ["count", "tensors", "operations", "memory", "share"]

/** The account of the numbers of a text as statements; null if they are too many, or if there is nothing to say about
 * any of them.
 * @param {LabelledText} labelledText @returns {Account | null} */
export function accountOfStatements(labelledText) {
  const { numbers, mentions, text } = labelledText
  const statements = statementsIn(labelledText)
  const counts = statements.filter(({ role }) => role === "count")
  const mainStatements = counts.length ? counts : statements
  if (!mainStatements.length || new Set(mainStatements.map(({ canonical }) => canonical)).size > MAX_NUMBERS)
    return null
  const mentionsByNumber = mentionsOf(mainStatements, mentions, text)
  const memories = statements.filter(({ role }) => role === "memory")
  // First each number is explained alone. The one that ranks highest then says which model the others are about.
  const resolvedAlone = mainStatements.map((quantity, index) =>
    withMemories(resolveAmong(labelledText, quantity, mentionsByNumber[index]), memories),
  )
  const largest = Math.max(...mainStatements.map(({ number }) => number.low))
  /** Whether there is anything to say about a number. A small trained part does not identify a model. */
  const isAnswer = (/** @type {ResolvedNumber} */ candidate) =>
    hasAnswer(candidate) && !isSmallTrainedPart(candidate.quantity, largest)
  const [first] = resolvedAlone.filter(isAnswer).sort((one, other) => rankOf(other) - rankOf(one))
  if (!first) return accountOfNamedParts(labelledText, resolvedAlone)
  const resolvedForModel = resolvedAlone.map((resolvedNumber) => resolveForModelOf(labelledText, resolvedNumber, first))
  const trainedParts = resolvedForModel.filter((resolvedNumber) => isTrainedPartOfOther(resolvedNumber, first))
  const resolvedStatements = resolvedForModel.filter((resolvedNumber) => !trainedParts.includes(resolvedNumber))
  // Next to counts, numbers of other things are explained for the same model, and appear only in the lines.
  const otherStatements = counts.length ? statements.filter(({ role }) => role !== "count") : []
  const resolvedOthers = otherStatements.map((quantity) =>
    resolve(quantity, contextOf(labelledText, quantity, first.context.mention)),
  )
  const model = modelOfAnswer(first)
  const headlineAnswers = answersForHeadline(first, resolvedStatements.filter(isAnswer))
  const meanings = {
    first,
    model,
    answers: [...resolvedStatements, ...resolvedOthers].filter(
      ({ quantity }) => !isSmallTrainedPart(quantity, largest),
    ),
    trainedParts: trainedParts.map(({ quantity }) => quantity),
    shares: statedShares(labelledText),
    comparisons: comparedCounts(labelledText),
  }
  return accountWith({
    kind: "labels",
    headline: inParagraph(headlineAnswers.map(sentencesOnNumber)),
    findings: meanings.trainedParts.map((quantity) => findingOnTrainedPart(quantity, first)),
    lines: numbers.map((quantity) => lineOfStatement(labelledText, quantity, meanings)),
    bridge: bridgeOf(first),
    model,
    confidence: headlineAnswers.some(isAmbiguous) ? "likely" : confidenceOf(first),
  })
}

/** The numbers of a text that are explained one by one. Zeros, except for shares, and widths of the model are left out.
 * @param {LabelledText} labelledText */
const statementsIn = (labelledText) =>
  labelledText.numbers.filter(
    (quantity) =>
      EXPLAINED_ROLES.includes(quantity.role) &&
      (quantity.number.low > 0 || quantity.number.amount === "share") &&
      !isWidth(quantity, labelledText),
  )

/** The meanings of the numbers of a text: the number that the headline begins with (`first`); the model that it is
 * about; the resolved numbers that lines may show (`answers`); the numbers of trained parameters that fit no known
 * part; the stated shares; and the percentages that compare two counts.
 * @typedef {{ first: ResolvedNumber, model: ReturnType<typeof modelOfAnswer>, answers: ResolvedNumber[],
 * trainedParts: Quantity[], shares: import("./stated-shares.js").StatedShare[],
 * comparisons: import("./compared-counts.js").ComparedCounts[] }} Meanings */

/** The line of a number. @param {LabelledText} labelledText @param {Quantity} quantity @param {Meanings} meanings
 * @returns {AccountLine} */
function lineOfStatement(labelledText, quantity, { first, model, answers, trainedParts, shares, comparisons }) {
  if (comparisons.some((comparison) => comparison.quantity === quantity))
    return lineOfNumber(labelledText, quantity, words`a comparison of the two counts`, null)
  const share = shares.find((statedShare) => statedShare.quantity === quantity)
  if (share) return lineOfStatedShare(labelledText, share)
  if (trainedParts.includes(quantity)) return lineOfNumber(labelledText, quantity, words`what is trained`, null)
  if (isDifferenceOfSizes(quantity, labelledText.numbers))
    return lineOfNumber(labelledText, quantity, words`the difference between two sizes`, null)
  const answer = answers.find((candidate) => candidate.quantity === quantity)
  if (!answer || !showsMeaning(answer, first))
    return lineOfNumber(labelledText, quantity, [], null, model?.name, model?.sizes)
  const isCompared = answer.agrees || !answer.context.mention || !first.agrees
  const right = isCompared ? rightNumberOf(answer) : null
  const line = lineOfNumber(labelledText, quantity, meaningInWords(answer), right, model?.name)
  return isRoundedTotal(answer) ? { ...line, verdict: "rounded" } : line
}

/** The account of numbers that nothing explains, and for which words name a part but no model: it compares them with
 * that part of the usual models. Null if there are no such numbers.
 * @param {LabelledText} labelledText @param {ResolvedNumber[]} resolvedNumbers @returns {Account | null} */
function accountOfNamedParts(labelledText, resolvedNumbers) {
  const sentences = resolvedNumbers
    .filter(
      ({ quantity, context }) =>
        isCountOfParameters(quantity) &&
        context.isOnlyCount &&
        !context.mention &&
        !context.isChanged &&
        !context.leavesOutPart,
    )
    .flatMap((resolvedNumber) => {
      const sentencesOnPart = sentencesOnPartOfUsualModels(resolvedNumber)
      return sentencesOnPart ? [sentencesOnPart] : []
    })
  if (!sentences.length) return null
  return accountWith({
    kind: "labels",
    headline: inParagraph(sentences.slice(0, MAX_SENTENCES)),
    lines: labelledText.numbers.map((quantity) => lineOfNumber(labelledText, quantity, [], null)),
    confidence: "likely",
  })
}

/** Whether a number counts parameters, judging by the words or by its size. @param {Quantity} quantity */
const isCountOfParameters = ({ role, roles, number }) =>
  role === "count" && (roles.includes("count") || number.high >= MIN_PARAMETERS)

/** The line of a percentage after a part and a whole.
 * @param {LabelledText} labelledText @param {import("./stated-shares.js").StatedShare} share @returns {AccountLine} */
const lineOfStatedShare = (labelledText, { quantity, part, all, follows, right }) => ({
  ...lineOfNumber(labelledText, quantity, words`${part} of ${all} is ${right}`, null),
  verdict: follows ? "right" : "wrong",
})

/** Whether a number of trained parameters is the size of a part, but of another model than the one whose right total
 * the larger number is. That can only be a coincidence.
 * @param {ResolvedNumber} resolvedNumber @param {ResolvedNumber} whole */
function isTrainedPartOfOther({ quantity, first, context }, whole) {
  const isTrainedCount = quantity.roles.includes("trainable") && quantity.number.exact
  if (!isTrainedCount || context.mention || quantity.number.low >= whole.quantity.number.low) return false
  const modelsOfWhole = whole.agrees && whole.first && isRight(whole.first) ? whole.first.models : null
  return first !== null && modelsOfWhole !== null && !first.models.some((name) => modelsOfWhole.includes(name))
}

/** A finding on a number of trained parameters that fits no known part.
 * @param {Quantity} quantity @param {ResolvedNumber} whole */
function findingOnTrainedPart({ number: { low: trainedCount } }, { quantity }) {
  const total = quantity.number.low
  return finding(
    3,
    words`${trainedCount} of the ${total} are trained (${percentage(trainedCount, total)}), and ${total - trainedCount} are not. We know of no part of this model with that many.`,
  )
}

/** Words and signs right before and after a number that counts parameters. */
const COUNTED_BEFORE = /(?:param\w*|weights|count|total|tensor|[:=≈])["'\s]*(?:is|are|of|has|have)?\s*$/i
const COUNTED_AFTER = /^\W{0,2}(?:\w+\s){0,2}(?:param|weights|numbers|values|entries)/i

/** Whether a number is a width of the model, as in "why is 768 divisible by 12?", rather than a number of parameters.
 * @param {Quantity} quantity @param {LabelledText} labelledText */
function isWidth({ role, roles, number, start, end }, { text, mentions }) {
  const [name = USUAL_MODELS[0]] = mentions.flatMap(({ models: [first] }) => first ?? [])
  const { H, F } = models.get(name).sizes
  const isOfPart =
    roles.includes("part") || COUNTED_BEFORE.test(text.slice(0, start)) || COUNTED_AFTER.test(text.slice(end))
  return role === "count" && number.exact && [H, F].includes(number.low) && !isOfPart
}

/** Whether a rounded amount of memory is the difference between two exact ones, so that it need not be the size of
 * anything.
 * @param {Quantity} quantity @param {Quantity[]} numbers */
function isDifferenceOfSizes({ role, number }, numbers) {
  if (role !== "memory" || number.exact) return false
  const sizes = numbers.filter((other) => other.role === "memory" && other.number.exact)
  return (
    sizes.length <= MAX_SIZES &&
    sizes.some((one) =>
      sizes.some((other) => {
        const difference = one.number.low - other.number.low
        return difference >= number.low && difference <= number.high
      }),
    )
  )
}

/** The meaning of a number. An exact number that the model of its words does not have may be the right total of another
 * model in the text: in "DistilBERT is smaller than BERT, but I get 66,362,880", it is that of DistilBERT.
 * @param {LabelledText} labelledText @param {Quantity} quantity @param {Mention | null} mention */
function resolveAmong(labelledText, quantity, mention) {
  const resolvedNumber = resolve(quantity, contextOf(labelledText, quantity, mention))
  if (resolvedNumber.agrees || !mention || quantity.role !== "count" || !quantity.number.exact) return resolvedNumber
  const otherMentions = modelMentions(labelledText.mentions).filter((other) => other !== mention)
  for (const other of otherMentions) {
    const candidate = resolve(quantity, contextOf(labelledText, quantity, other))
    if (candidate.agrees && candidate.first && isRight(candidate.first)) return candidate
  }
  return resolvedNumber
}

/** The first answer, and those that do more than state a different number for the same model.
 * @param {ResolvedNumber} first @param {ResolvedNumber[]} answers */
function answersForHeadline(first, answers) {
  const { mention } = first.context
  if (mention?.isForeign) return [first]
  /** Whether an answer agrees with its model or is about a different one. @param {ResolvedNumber} answer */
  const addsInformation = (answer) =>
    answer.agrees || !first.agrees || answer.context.mention !== mention || answer.context.parts.length > 0
  const furtherAnswers = answers.filter(
    (answer) =>
      answer !== first && answer.first?.kind !== "near" && addsInformation(answer) && isOfSameModel(answer, first),
  )
  return withoutDuplicates([first, ...furtherAnswers]).slice(0, MAX_SENTENCES)
}

/** Whether `number` parameters take all of these amounts of memory, each at 4 bytes, 2 bytes or 1 byte per parameter.
 * @param {number} number @param {Quantity[]} memories */
const fitsMemory = (number, memories) =>
  memories.every(({ number: { low, high, size } }) => {
    // A decimal unit may mean the binary one.
    const factors = [1, (BINARY_UNITS[size] ?? size) / size]
    return [4, 2, 1].some((bytes) =>
      factors.some((factor) => number * bytes >= low * factor && number * bytes <= high * factor),
    )
  })

/** A resolved number, reconsidered with the amounts of memory in its text. A rounded number then means the likeliest
 * right total that takes this much memory.
 * @param {ResolvedNumber} resolvedNumber @param {Quantity[]} memories @returns {ResolvedNumber} */
function withMemories(resolvedNumber, memories) {
  const { quantity, ways, context } = resolvedNumber
  if (!memories.length || quantity.number.exact || context.mention?.others.length) return resolvedNumber
  const way = ways.find((other) => isRight(other) && fitsMemory(other.number, memories))
  if (!way || (context.mention && !isAbout(way, context.mention))) return resolvedNumber
  return { ...resolvedNumber, first: way.confidence === "possible" ? { ...way, confidence: "likely" } : way }
}

/** Resolved numbers without duplicates. @param {ResolvedNumber[]} resolvedNumbers */
function withoutDuplicates(resolvedNumbers) {
  /** @type {Set<string>} */
  const keys = new Set()
  return resolvedNumbers.filter((resolvedNumber) => {
    const key =
      resolvedNumber.agrees && resolvedNumber.first ? `${resolvedNumber.first.number}` : resolvedNumber.quantity.typed
    if (keys.has(key)) return false
    keys.add(key)
    return true
  })
}

/** Whether a number counts trained parameters, is rounded, and is much smaller than the largest number. It may then be
 * any part.
 * @param {Quantity} quantity @param {number} largest  the largest number of the text */
const isSmallTrainedPart = ({ roles, number }, largest) =>
  roles.includes("trainable") && !number.exact && number.high < largest / SMALL_PART_FACTOR

/** A number reconsidered as one of the first answer's model, if it fits that model and either is not explained yet, or
 * fits its explanation only by chance and is the size of a part of that model; otherwise unchanged.
 * @param {LabelledText} labelledText @param {ResolvedNumber} resolvedNumber @param {ResolvedNumber} first
 * @returns {ResolvedNumber} */
function resolveForModelOf(labelledText, resolvedNumber, first) {
  const [name] = first.first?.models ?? []
  const { quantity, first: way } = resolvedNumber
  const isUnexplained = quantity.number.exact && (!way || way.kind === "near")
  if (!name || !first.agrees || resolvedNumber === first || resolvedNumber.context.mention) return resolvedNumber
  if (!isUnexplained && !(way && fitsByChance(way, quantity, resolvedNumber.context))) return resolvedNumber
  const ofModel = resolve(quantity, contextOf(labelledText, quantity, mentionOf([name])))
  return ofModel.agrees && (isUnexplained || ofModel.first?.parts.length) ? ofModel : resolvedNumber
}
