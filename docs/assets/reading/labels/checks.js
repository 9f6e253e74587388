// Finds contradictions among the numbers of one text. For example, trainable and frozen parameters
// must add up to the total, and a float32 parameter must take four bytes. If the numbers pass a check,
// the finding weighs little, or there is none. If they fail it, the finding weighs at least 5, and
// the headline mentions the contradiction. Notes on what a text mentions, such as the pooler, weigh
// less than that, too.

import table from "../../../data/table.js"
import { count, models, noun, sumBy, whole } from "../../counting/engine.js"
import { sum } from "../../explaining/arithmetic.js"
import { isPlausible, waysTo } from "../../explaining/explain.js"
import { typedNumberOf } from "../../explaining/read.js"
import { UNIT_NAMES } from "../../explaining/units.js"
import { ON_RESERVED_MEMORY } from "../gpu.js"
import { asSubject, code, finding, link, words } from "../words.js"
import { comparedCounts } from "./compared-counts.js"
import { rowsOf } from "./matrices.js"
import { meaning, ON_SHARED_LAYERS } from "./meanings.js"
import {
  BINARY_UNITS,
  BYTES_PER_NUMBER,
  BYTES_PER_PARAMETER,
  bytesOfType,
  inUnit,
  namesType,
  QUANTISED,
  sentenceOnWrongUnit,
} from "./memory.js"
import { isBytesOfNumber } from "./roles.js"
import { LETTERS, modelMentions, modelOfSetting, nearestModel, sizeInWords, sizesInWords } from "./settings.js"
import { checkOfShare, pairIn } from "./stated-pairs.js"
import { statedShares } from "./stated-shares.js"
import { COMPARISON } from "./terms.js"

const { pages, quoted_totals: quotedTotals } = table.explanations

/** The findings on the numbers of a text, in no particular order.
 * @param {LabelledText} labelledText @param {Account} account @returns {Finding[]} */
export const findingsOfChecks = (labelledText, account) => [
  ...frozenCheck(labelledText),
  ...shareCheck(labelledText),
  ...comparisonCheck(labelledText),
  ...memoryCheck(labelledText, account),
  ...gpuNote(labelledText),
  ...optimiserNote(labelledText, account),
  ...sizeCheck(labelledText, account),
  ...sumCheck(labelledText),
  ...poolerNote(labelledText, account),
  ...biasNote(labelledText, account),
  ...albertNote(account),
  ...profilerNote(labelledText, account),
  ...paperNote(labelledText, account),
]

/** A finding if trainable and frozen parameters do not add up to the total.
 * @param {LabelledText} labelledText @returns {Finding[]} */
function frozenCheck(labelledText) {
  const pair = pairIn(labelledText)
  const { trained, all, frozen } = pair?.quantities ?? {}
  if (!pair || !trained || !all || !frozen) return []
  const missingCount = all.number.low - trained.number.low - frozen.number.low
  if (!missingCount) return []
  return [
    finding(
      7,
      words`What is trained and what is frozen come to ${trained.number.low + frozen.number.low}, ${Math.abs(missingCount)} ${missingCount > 0 ? "less" : "more"} than the total of ${all.number.low}.`,
      missingCount,
    ),
  ]
}

/** The findings on percentages that do not follow from the numbers before them.
 * @param {LabelledText} labelledText @returns {Finding[]} */
const shareCheck = (labelledText) =>
  sharesIn(labelledText)
    .filter(({ follows }) => !follows)
    .map(({ quantity, part, all, right }) =>
      finding(
        6,
        words`The percentage does not follow: ${part} of ${all} is ${right}, not ${quantity.typed.replace(/\s?%$/, "")}%.`,
      ),
    )

/** The findings on percentages that compare two counts. @param {LabelledText} labelledText @returns {Finding[]} */
const comparisonCheck = (labelledText) =>
  comparedCounts(labelledText).map(({ sentence, isRight }) => finding(isRight ? 3 : 6, sentence))

/** The percentage of trainable parameters, in a text that states them, or else the percentages of parts.
 * @param {LabelledText} labelledText @returns {import("./stated-shares.js").StatedShare[]} */
function sharesIn(labelledText) {
  const pair = pairIn(labelledText)
  if (!pair) return statedShares(labelledText)
  const quantity = labelledText.numbers.find(({ role }) => role === "share")
  const check = quantity && checkOfShare(pair, quantity)
  return check ? [{ quantity, part: pair.trained, all: pair.all, ...check }] : []
}

const ROUNDING_ERROR = 1e-9 // the rounding error of floating-point numbers
const MIN_UNIT = 1e6 // bytes in the smallest unit that is checked for a mismatch

/** The findings on whether amounts of memory fit the number of parameters in the text.
 * @param {LabelledText} labelledText @param {Account} account @returns {Finding[]} */
function memoryCheck({ numbers, mentions, quantities, text }, account) {
  if (modelMentions(mentions).length > 1) return []
  const counts = numbers.filter(
    ({ role, roles }) => role === "count" && !roles.includes("trainable") && !roles.includes("frozen"),
  )
  const exactCounts = counts.filter(({ number }) => number.exact).map(({ number }) => number.low)
  const isStated = exactCounts.length > 0
  // If the text only rounds its number of parameters, the total of the account's model is taken.
  const roundedTotal = (counts.length && account.model?.total) || 0
  const totalOfText = isStated ? Math.max(...exactCounts) : roundedTotal
  if (!totalOfText) return []
  // Keras may print the same amount next to several totals.
  const memories = new Map(
    numbers.filter(({ role }) => role === "memory").map((quantity) => [quantity.canonical, quantity]),
  )
  // A text may say how many bytes a parameter takes, as in 335M × 18 bytes = 6.03 GB.
  const statedBytes = quantities.find(({ number }) => isBytesOfNumber(number))?.number.low
  const choices = BYTES_PER_PARAMETER.filter(([bytes]) => isStated || bytes === statedBytes)
  const findings = [...memories.values()].flatMap(({ number, typed, canonical, start }) => {
    const amountText = /^[0-9.,]+$/.test(typed) ? canonical : typed
    // In "590,592 (2.4 MB)", the amount is that of the number before the bracket.
    const ownCount = counts.find((quantity) => /^\s*\(\s*$/.test(text.slice(quantity.end, start)))
    const total = ownCount?.number.exact ? ownCount.number.low : totalOfText
    const wrongUnit = sentenceOnWrongUnit(number, amountText, total, bytesOfType(text))
    if (wrongUnit) return [finding(6, wrongUnit)]
    const fit = fitOfMemory(number, total, choices)
    if (fit) return [findingOnFit(amountText, total, fit, number.size, text)]
    if (!isStated || QUANTISED.test(text) || number.size < MIN_UNIT || number.low < total / 4) return []
    if (account.confidence === "possible") return []
    // The amount may be that of a part.
    if (exactCounts.some((partCount) => fitOfMemory(number, partCount, choices))) return []
    const bytes = bytesOfType(text) ?? BYTES_PER_NUMBER.float32
    const isOfDevice = OF_DEVICE.test(text.slice(Math.max(0, start - MAX_BEFORE), start))
    if (isOfDevice && number.low > bytes * total) return [ON_DEVICE_MEMORY]
    const mismatch = words`${amountText} does not fit: ${total} parameters of ${whole(bytes)} ${noun(bytes, "byte")} are ${inUnit(bytes * total, number.size)}.`
    return [finding(5, mismatch)]
  })
  return [...new Set(findings)]
}

/** Words before an amount of memory that a device holds, of which the weights are only a part. */
const OF_DEVICE = /\b(?:reserved|cached|allocated|peak|mem(?:ory)?|vram|gpu|cuda|needs?|uses?)\b[^\n0-9]{0,20}$/i
const MAX_BEFORE = 40 // the maximum number of characters of these words

/** A finding on memory that holds more than the weights. */
const ON_DEVICE_MEMORY = finding(
  2,
  words`The memory of a device holds more than the weights: ${link("run/memory-of-training.html", "training")} also needs gradients, the optimiser's states and activations, and PyTorch reserves more than it uses.`,
)

/** An amount of memory as a number of bytes for each parameter, with words for these bytes and the unit that is meant.
 * @typedef {{ bytes: number, explanation: string, unit: number }} MemoryFit */

/** The first of the bytes per parameter at which a number of parameters takes an amount of memory; null if there is
 * none.
 * @param {NumberRead} amount @param {number} total @param {[bytes: number, explanation: string][]} choices
 * @returns {MemoryFit | null} */
function fitOfMemory({ size, low, high }, total, choices) {
  const value = (low + high) / 2 / size
  const tolerance = (high - low) / size + ROUNDING_ERROR
  // A decimal unit may mean the binary one, as when "MB" is written for MiB.
  const units = [size, BINARY_UNITS[size] ?? size]
  for (const [bytes, explanation] of choices) {
    const unit = units.find((candidate) => Math.abs((total * bytes) / candidate - value) <= tolerance)
    if (unit) return { bytes, explanation, unit }
  }
  return null
}

/** The finding on an amount of memory that fits; a serious one if the text names a type of other bytes.
 * @param {string} amountText @param {number} total @param {MemoryFit} fit @param {number} size  of the stated unit
 * @param {string} text */
function findingOnFit(amountText, total, { bytes, explanation, unit }, size, text) {
  const opening = `${amountText} is ${whole(total)} × ${explanation}`
  const statedBytes = bytesOfType(text)
  if (statedBytes && statedBytes !== bytes) {
    const perParameter = `${whole(statedBytes)} ${noun(statedBytes, "byte")} each`
    return finding(6, words`${opening}. At ${perParameter}, it would be ${inUnit(total * statedBytes, size)}.`)
  }
  const unitNote = unit === size ? "" : `, in ${UNIT_NAMES[unit]} that are called ${UNIT_NAMES[size]}`
  if (bytes !== 1 || namesType(text)) return finding(1, words`${opening}${unitNote}.`)
  const inFloat32 = inUnit(total * BYTES_PER_NUMBER.float32, unit)
  return finding(4, words`${opening}${unitNote}. At 4 bytes each, as in float32, it would be ${inFloat32}.`)
}

/** A note in brackets without digits, and the signs of arithmetic. A dash is a minus only right before a number, and
 * not at the beginning of a line, where it marks the item of a list. */
const NOTE = /\([^()0-9]*\)/g
const SIGN = /(?<!\n[ \t]*)[-−–](?=[ \t(]*$)|[+=×*·/÷()]|\bx\b/g
const MAX_OPENING = 10 // characters before the first term that may be opening brackets
const MIN_LARGEST_TERM = 1000 // the smallest value of the largest term in a sum that is checked

/** The signs of arithmetic in the text between two numbers, without notes in brackets. @param {string} text */
const signsIn = (text) =>
  (text.replace(NOTE, " ").replace(COMPARISON, " ").match(SIGN) ?? []).map((sign) =>
    sign.replace(/[×·x]/, "*").replace("÷", "/").replace(/[−–]/, "-"),
  )

/** Whether signs connect two terms: exactly one operator, perhaps with brackets around it. @param {string[]} signs */
const connectTerms = (signs) => !signs.includes("=") && signs.filter((sign) => !"()".includes(sign)).length === 1

/** The findings on sums that a text states: terms with signs between them, and their result.
 * @param {LabelledText} labelledText @returns {Finding[]} */
function sumCheck({ text, quantities }) {
  /** The signs between a number and the next one. @param {number} index */
  const signsAfter = (index) => signsIn(text.slice(quantities[index]?.end ?? 0, quantities[index + 1]?.start ?? 0))
  /** The signs before and after a number. @param {number} index */
  const signsAround = (index) => [...(index ? signsAfter(index - 1) : []), ...signsAfter(index)]
  /** Whether a number counts layers. As a term of its own, such a number stands for the parameters of the layers, which
   * the text does not give.
   * @param {Quantity} quantity */
  const isNumberOfLayers = ({ role }) => role === "layers"
  /** The finding on a number as the result of the terms before it; empty if it is not the exact result of a sum.
   * @param {Quantity} result @param {number} index
   * @returns {Finding[]} */
  const checkOf = (result, index) => {
    const closing = index < 2 ? [] : signsAfter(index - 1)
    if (closing.pop() !== "=" || closing.some((sign) => sign !== ")")) return []
    let firstIndex = index - 1
    while (firstIndex > 0 && connectTerms(signsAfter(firstIndex - 1))) firstIndex--
    // If a sign precedes the number before the first term, these terms may be only the end of a sum.
    if (firstIndex > 1 && !signsAfter(firstIndex - 1).length && connectTerms(signsAfter(firstIndex - 2))) return []
    const terms = quantities.slice(firstIndex, index)
    if ([...terms, result].some(({ number }) => !number.exact)) return []
    if (terms.length < 2 || terms.every(({ number }) => number.low < MIN_LARGEST_TERM)) return []
    if (terms.some((term, position) => isNumberOfLayers(term) && !signsAround(firstIndex + position).includes("*")))
      return []
    const textBefore = text.slice(Math.max(0, terms[0].start - MAX_OPENING), terms[0].start)
    const opening = /[(\s]*$/.exec(textBefore)?.[0].match(/\(/g) ?? []
    const signs = terms.map((_, position) =>
      position < terms.length - 1 ? signsAfter(firstIndex + position) : closing,
    )
    const { value, divisor } = resultOf(terms, opening, signs)
    if (divisor !== 1) return []
    const error = result.number.low - value
    // In "a × b = c + d × e = f", the second result is that of d × e alone.
    const isOfLastTerm =
      firstIndex > 0 && signsAfter(firstIndex - 1).includes("=") && isResultOfEnd(result, terms, signs)
    if (!error || isOfLastTerm) return [finding(1, words`The sum is right: ${result.number.low}.`)]
    const difference = words`${Math.abs(error)} ${error > 0 ? "less" : "more"}${comparisonWithPart(Math.abs(error))}`
    return [finding(8, words`These terms come to ${value}, not ${result.number.low}: ${difference}.`, error)]
  }
  return quantities.flatMap(checkOf)
}

/** The result of terms with the signs after each of them; `divisor` is 0 if they have no result.
 * @param {Quantity[]} terms @param {string[]} opening  the brackets before them @param {string[][]} signs */
function resultOf(terms, opening, signs) {
  const tokens = terms.flatMap(({ number }, position) => [
    { value: number.low, width: 0, ofMemory: false },
    ...signs[position],
  ])
  return sum([...opening, ...tokens]) ?? { value: 0, divisor: 0 }
}

/** Whether a number is the result of the terms after the last plus only.
 * @param {Quantity} result @param {Quantity[]} terms @param {string[][]} signs */
function isResultOfEnd(result, terms, signs) {
  const start = signs.map((signsOfTerm) => signsOfTerm.includes("+")).lastIndexOf(true) + 1
  const { value, divisor } = resultOf(terms.slice(start), [], signs.slice(start))
  return start > 0 && divisor === 1 && value === result.number.low
}

/** Words for the part of this size, to append to the number; empty if no part is likely.
 * @param {number} size */
function comparisonWithPart(size) {
  const way = waysTo(size).find((candidate) => candidate.kind === "part" && isPlausible(candidate))
  if (!way) return []
  const isPooler = way.parts.some(({ path }) => path === "bert/pooler")
  return words`, the size of ${isPooler ? "the pooler" : meaning(way)}`
}

/** A finding on what else takes memory, for a text with an amount that nvidia-smi shows; empty for any other.
 * @param {LabelledText} labelledText @returns {Finding[]} */
const gpuNote = ({ text, numbers }) =>
  /\bnvidia-smi\b/i.test(text) && numbers.some(({ role }) => role === "memory") ? [finding(2, ON_RESERVED_MEMORY)] : []

/** The line for the state of a Trainer's optimiser in a list of files: a number of bytes, then the name of the file. */
const OPTIMISER_FILE = /(?<![0-9.,])([0-9]{6,})(?![0-9.,])[^\n]*\boptimizer\.(?:pt|pth|bin)\b/
const BYTES_OF_MOMENTS = 2 * BYTES_PER_NUMBER.float32 // Adam's two moments of a parameter
const MAX_FRAME = 0.01 // the largest share of a file that is not numbers

/** A finding on the file of Adam's moments in a list of files; empty if there is no such file, or if its size is not
 * that of the moments of the account's model.
 * @param {LabelledText} labelledText @param {Account} account @returns {Finding[]} */
function optimiserNote({ text }, { model }) {
  const bytes = Number(OPTIMISER_FILE.exec(text)?.[1] ?? 0)
  const bytesOfMoments = (model?.total ?? 0) * BYTES_OF_MOMENTS
  if (!bytesOfMoments || bytes < bytesOfMoments || bytes > bytesOfMoments * (1 + MAX_FRAME)) return []
  return [
    finding(
      3,
      words`${code("optimizer.pt")} holds Adam's two moments, ${whole(BYTES_OF_MOMENTS)} bytes per parameter: ${bytesOfMoments} of its ${bytes} bytes. It adds no parameters, and you do not need it to use the model.`,
    ),
  ]
}

/** A finding about the pooler, for a text that mentions the pooler of a model that has one; empty for any other, or if
 * the headline already mentions the pooler.
 * @param {LabelledText} labelledText @param {Account} account @returns {Finding[]} */
function poolerNote({ parts }, { model, headline }) {
  if (!model || !parts.some(({ words: name }) => name === "the pooler")) return []
  const { sizes } = models.get(model.name)
  const number = count({ modelClass: model.modelClass, sizes, part: "bert/pooler" })
  const isInHeadline = headline.some(
    (piece) => typeof piece === "object" && "text" in piece && piece.text.includes("pooler"),
  )
  return number && !isInHeadline
    ? [finding(2, words`${code(model.modelClass)} includes the pooler, ${number} parameters.`)]
    : []
}

/** A finding on all tensors called bias, for a text about biases that counts only those of dense layers; empty for any
 * other.
 * @param {LabelledText} labelledText @param {Account} account @returns {Finding[]} */
function biasNote({ text, numbers }, { model }) {
  if (!model?.name || !/\bbias(?:es)?\b/i.test(text)) return []
  const biases = rowsOf({ model: models.get(model.name), modelClass: model.modelClass }).filter(
    ({ name, tied }) => name.endsWith(".bias") && !tied,
  )
  const [shifts, ofDenseLayers] = [true, false].map((isOfNorm) =>
    sumBy(biases, (row) => (row.path.includes("LayerNorm") === isOfNorm ? row.number : 0)),
  )
  const isCounted = numbers.some(({ role, number }) => role === "count" && number.exact && number.low === ofDenseLayers)
  return isCounted && shifts
    ? [
        finding(
          3,
          words`The shifts of the LayerNorms are called bias, too. With them, there are ${ofDenseLayers} + ${shifts} = ${ofDenseLayers + shifts}.`,
        ),
      ]
    : []
}

/** A finding with a link to the page on the totals that BERT's paper rounds, for a text that quotes such a total and is
 * about one of the original models; empty for any other.
 * @param {LabelledText} labelledText @param {Account} account @returns {Finding[]} */
function paperNote({ numbers }, { model }) {
  if (!model?.name || models.get(model.name).group !== "original") return []
  const counts = numbers.filter(({ role }) => role === "count").map(({ number }) => number)
  const quotedTotal = counts.map(typedNumberOf).find((typedCount) => quotedTotals.includes(typedCount))
  if (!quotedTotal) return []
  const origin = link(pages.rounded, "where it comes from")
  return [finding(2, words`BERT's paper prints ${quotedTotal / 1e6}M; see ${origin}.`)]
}

/** A finding on the shared layer, for a text about ALBERT; empty for any other.
 * @param {Account} account @returns {Finding[]} */
const albertNote = ({ model }) =>
  model && models.get(model.name).architecture === "albert" ? [finding(1, [ON_SHARED_LAYERS])] : []

/** Words for a total without the embedding tables, or for a tool that prints one. */
const WITHOUT_TABLES = /\bthop\b|profil|\b(?:without|excl\w*|non)\b[^.\n]{0,20}embed|macs|flops/i

/** A finding on a number that is the total without the embedding tables, as thop counts it; empty if there is none, and
 * for a text about several models. A rounded number is taken for such a total only if words say so.
 * @param {LabelledText} labelledText @param {Account} account @returns {Finding[]} */
function profilerNote({ text, numbers, mentions }, { model }) {
  if (!model?.name || !model.total || modelMentions(mentions).length > 1) return []
  const { modelClass, name, total } = model
  const tables = count({ modelClass, sizes: models.get(name).sizes, tag: "embedding-table" })
  const totalWithoutTables = total - tables
  const isTotalWithoutTables = (/** @type {Quantity} */ { role, roles, number }) =>
    role === "count" &&
    (number.exact || (!roles.includes("part") && WITHOUT_TABLES.test(text))) &&
    totalWithoutTables >= number.low &&
    totalWithoutTables <= number.high &&
    total > number.high
  const quantity = tables ? numbers.find(isTotalWithoutTables) : null
  if (!quantity) return []
  return [
    finding(
      3,
      words`${quantity.typed} is the same model without its embedding tables, which have ${tables} parameters: ${total} − ${tables} = ${totalWithoutTables}. thop, for one, leaves them out, because it has no rule for embeddings.`,
      -tables,
    ),
  ]
}

/** The findings on sizes that differ from those of their models, in a text about several models.
 * @param {LabelledText} labelledText @returns {Finding[]} */
const sizeChecksOfSeveral = (labelledText) =>
  labelledText.numbers.flatMap((quantity) => {
    const letter = LETTERS[quantity.role]
    const name = letter && quantity.number.exact ? modelOfSetting(labelledText, quantity, "") : ""
    const rightSize = name ? models.get(name).sizes[letter] : undefined
    const statedSize = quantity.number.low
    if (rightSize === undefined || rightSize === statedSize) return []
    const sentence = words`${asSubject(models.get(name).title)} has ${sizeInWords(letter, rightSize)}; the text says ${sizeInWords(letter, statedSize)}.`
    return [finding(5, sentence)]
  })

/** The findings on sizes that differ from those of the models that the text names.
 * @param {LabelledText} labelledText @param {Account} account @returns {Finding[]} */
function sizeCheck(labelledText, account) {
  const { numbers, mentions } = labelledText
  if (modelMentions(mentions).length > 1) return sizeChecksOfSeveral(labelledText)
  const [mention] = mentions
  if (!mention?.models.length || !account.model || !mention.models.includes(account.model.name)) return []
  const nearest = nearestModel(numbers, [account.model.name], account.model.sizes)
  // A text of sizes alone is answered by comparing them.
  if (!nearest?.wrongSizes.length || !numbers.some(({ role }) => !LETTERS[role])) return []
  const statedSizes = sizesInWords(nearest.wrongSizes)
  return [finding(5, words`The text says ${statedSizes}, which this model does not have.`)]
}
