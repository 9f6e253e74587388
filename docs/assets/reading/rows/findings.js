// Findings on a print-out: what is wrong, missing or counted twice, what was added to the
// model, and what the answer assumes. If correcting what a finding is about changes the reader's
// total, the finding gives the amount of the change.
//
// Weights only order the findings within an account.

import { classes, classOfBare, count, noun, sumBy } from "../../counting/engine.js"
import { groupBy } from "../../counting/polynomials.js"
import { asPlainText, code, enumeration, finding, link, linkTo, verbFor, withCapital, words } from "../words.js"
import { findingsOnAdditions } from "./additions.js"
import { sumOf } from "./aligning.js"
import {
  hasPooler,
  isBodyOfLargerModel,
  isWithoutSizes,
  parametersOfOpenLabel,
  rowsWith,
  sumOfRight,
  twinsOf,
  unsizedRows,
} from "./facts.js"
import { moduleOf } from "./fits.js"
import { countInWords, modelInWords, shapeInWords, sizeAlone } from "./model-in-words.js"
import { OF_QUANTISATION } from "./named-rows.js"
import { groupsOf, layersInWords, nameOfEnd, namesInWords, partInWords } from "./parts-in-words.js"
import { rulerOf } from "./ruler.js"
import { publishedModelsWith } from "./sizes.js"
import { findingsOnTrainable } from "./trainable.js"

/** @typedef {import("./facts.js").Facts} Facts */

/** The maximum number of missing parts that are listed one by one. */
export const MAX_GROUPS = 6

/** All findings on a print-out, the most serious first. @param {Facts} facts @returns {Finding[]} */
export function findingsOf(facts) {
  return [
    ...findingsOnWrongRows(facts),
    ...findingsOnMissingParts(facts),
    ...findingsOnDoubledRows(facts),
    ...findingsOnPackedRows(facts),
    ...findingsOnBuffers(facts),
    ...findingsOnPrunedHeads(facts),
    ...findingsOnAdditions(facts),
    ...findingsOnOtherTotal(facts),
    ...findingsOnTrainable(facts),
    ...findingsOnUnsizedRows(facts),
    ...findingsOnAssumptions(facts),
    ...findingsOnNearModel(facts),
    ...findingsOnRepetition(facts),
  ].sort((one, other) => other.weight - one.weight || Math.abs(other.amount ?? 0) - Math.abs(one.amount ?? 0))
}

const MAX_NAME_LENGTH = 60 // the maximum number of characters of a line that is quoted in place of a name

/** The name of a row, or the start of its line if the row has none. @param {AlignedRow} row */
export const nameOf = ({ text }) => code(text.name || text.line.source.trim().slice(0, MAX_NAME_LENGTH))

/** Rows grouped by line and module. In print(model), one line stands for the matrix and the bias of a module in all
 * equal layers.
 * @param {AlignedRow[]} rows */
export const rowsByModule = (rows) => [
  ...groupBy(rows, ({ text: { line, name, type } }) => {
    const module = type ? moduleOf(name).replace(/[0-9]+/g, "") : name
    return `${line.index} ${module}`
  }).values(),
]

/** The name of a group of rows: that of their module if there are several. @param {AlignedRow[]} rows */
export const nameOfRows = ([first, ...others]) => (others.length ? code(moduleOf(first.text.name)) : nameOf(first))

/** Findings on wrong rows, one per line, because the matrix and the bias of a module may share a line.
 * @param {Facts} facts @returns {Finding[]} */
export function findingsOnWrongRows({ alignment }) {
  const lines = groupBy(rowsWith(alignment, "wrong"), ({ text }) => String(text.line.index))
  return [...lines.values()].map((rows) => {
    const [first] = rows
    const tensors = rows.flatMap((row) => row.tensors)
    const [rightSum, stated] = [sumOfRight(rows), sumOf(rows)]
    const amount = rightSum - stated
    if (!amount) return finding(90, words`The shape of ${nameOf(first)} and its number disagree.`)
    if (stated === rightSum + 1 && /KerasLayer/.test(first.text.type + first.text.name))
      return finding(
        60,
        words`TensorFlow Hub's layer counts one scalar of its own besides BERT: ${stated} instead of ${rightSum}.`,
        amount,
      )
    const { shape } = first.text
    const hasWrongShape = shape && first.text.stated === null && tensors.length === 1
    const shapes = hasWrongShape ? words` (${shapeInWords(tensors[0].shape)}, not ${shapeInWords(shape)})` : []
    return finding(
      100,
      words`${nameOfRows(rows)} should be ${rightSum}${shapes}, not ${stated}: ${Math.abs(amount)} ${amount > 0 ? "too few" : "too many"}. It is ${partInWords(tensors, alignment.ruler)}.`,
      amount,
    )
  })
}

/** A finding on matrices whose weights are packed, with the first as an example; empty if there are none.
 * @param {Facts} facts @returns {Finding[]} */
function findingsOnPackedRows({ alignment }) {
  const rows = rowsWith(alignment, "packed")
  if (!rows.length) return []
  const [{ text, tensors }] = rows
  const amount = sumOfRight(rows) - sumOf(rows)
  const subject = countInWords(rows.length, "matrix is", "matrices are")
  return [
    finding(
      95,
      words`${subject} packed: each element that your text counts holds ${text.packing} weights. For example, ${nameOf(rows[0])} has ${text.stated ?? 0} elements for ${shapeInWords(tensors[0].shape)} weights. Unpacked, they are ${amount} more.`,
      amount,
    ),
  ]
}

const PRUNING_PAGE = "changed/structure.html#otherwise"

/** A finding on pruned heads; empty if there are none. @param {Facts} facts @returns {Finding[]} */
function findingsOnPrunedHeads({ prunedHeads, alignment: { ruler } }) {
  if (!prunedHeads) return []
  const { heads, layers, elements } = prunedHeads
  const share = words`${heads > 1 ? "each" : "it"} had ${elements / heads} parameters of attention`
  const place = words`in ${countInWords(layers, "layer")}`
  return [
    finding(
      58,
      words`${withCapital([countInWords(heads, "head")])} ${noun(heads, "is", "are")} ${link(PRUNING_PAGE, "pruned")} ${place}; ${share}. With all of its heads, the model has ${ruler.total} parameters, ${elements} more.`,
    ),
  ]
}

/** The words for tensors without a row. A text that leaves lines out may have left out theirs. @param {Facts} facts */
const missingInWords = ({ printOut }) => (printOut.isOpen ? "not shown" : "missing")

/** Findings on the parts of the model that a text does not show. @param {Facts} facts @returns {Finding[]} */
function findingsOnMissingParts(facts) {
  const { missing, ruler } = facts.alignment
  const groups = groupsOf(missing, ruler)
  const state = missingInWords(facts)
  if (groups.length > MAX_GROUPS) {
    const amount = sumBy(missing, ({ elements }) => elements)
    const names = namesInWords(missing.map(({ name }) => name))
    return [
      finding(
        80,
        words`${countInWords(missing.length, "tensor is", "tensors are")} ${state}, with ${amount} parameters: ${names}.`,
        amount,
      ),
    ]
  }
  return groups.map((tensors) =>
    areWholeLayers(tensors, ruler) ? findingOnMissingLayers(tensors, facts) : findingOnMissingPart(tensors, facts),
  )
}

/** A finding on layers that a text does not show. @param {RulerTensor[]} tensors @param {Facts} facts */
function findingOnMissingLayers(tensors, { alignment: { missing, ruler, isAnyLayer }, recognised, printOut }) {
  const amount = sumBy(tensors, ({ elements }) => elements)
  const layers = [...new Set(tensors.flatMap(({ numbers }) => numbers.slice(-1)))]
  if (recognised.assumed.includes("L")) {
    const visibleLayers = visibleLayersOf(ruler, missing)
    const opening = visibleLayers.length
      ? `Your text shows ${layersInWords(visibleLayers)} and`
      : "Your text shows no layers, and"
    const condition = recognised.name ? words`${ruler.sizes.L}, as in ${modelInWords(recognised)}` : ruler.sizes.L
    return finding(
      70,
      words`${opening} does not say how many there are. If there are ${condition}, ${visibleLayers.length ? "the others" : "they"} hold ${amount} parameters.`,
      amount,
    )
  }
  const size = words`${countInWords(tensors.length, "tensor")} with ${amount} parameters`
  if (isAnyLayer)
    return finding(
      80,
      words`The rows of ${countInWords(layers.length, "layer")} are missing: ${size}. All layers have the same numbers, so we cannot tell which ${noun(layers.length, "it is", "they are")}.`,
      amount,
    )
  const verb = noun(layers.length, "is", "are")
  const isMentioned = printOut.depths.length > 0
  return finding(
    80,
    words`${withCapital([layersInWords(layers)])} ${verb} ${isMentioned ? "mentioned, but not listed" : "not shown"}: ${size}.`,
    amount,
  )
}

/** A finding on a part, other than whole layers, that a text does not show.
 * @param {RulerTensor[]} tensors @param {Facts} facts */
function findingOnMissingPart(tensors, facts) {
  const amount = sumBy(tensors, ({ elements }) => elements)
  const size = words`${countInWords(tensors.length, "tensor")} with ${amount} ${noun(amount, "parameter")}`
  if (isBodyOfLargerModel(facts) && tensors.every(({ row }) => row.when === "pooler"))
    return finding(60, words`The pooler, if the class has one, is not shown: ${size}.`, amount)
  const part = partInWords(tensors, facts.alignment.ruler)
  const closingComma = /, with [^,]+$/.test(asPlainText(part)) ? "," : ""
  return finding(
    80,
    words`${withCapital(part)}${closingComma} ${verbFor(part, "is", "are")} ${missingInWords(facts)}: ${size}.`,
    amount,
  )
}

/** Whether tensors make up whole layers. @param {RulerTensor[]} tensors @param {Ruler} ruler */
function areWholeLayers(tensors, ruler) {
  const layerOf = (/** @type {RulerTensor} */ { numbers }) => numbers.join(".")
  const layers = new Set(tensors.map(layerOf))
  const tensorsOfLayers = ruler.tensors.filter((tensor) => !tensor.tied && layers.has(layerOf(tensor)))
  return tensors.every(({ numbers }) => numbers.length) && tensorsOfLayers.length === tensors.length
}

/** The layer number of each tensor of a layer that a text shows, with repetitions.
 * @param {Ruler} ruler @param {RulerTensor[]} missing */
function visibleLayersOf(ruler, missing) {
  const missingTensors = new Set(missing)
  return ruler.tensors
    .filter((tensor) => tensor.numbers.length && !missingTensors.has(tensor))
    .flatMap(({ numbers }) => numbers.slice(-1))
}

/** Findings on rows that count tensors again, because the tensors are tied or the text has already counted them.
 * @param {Facts} facts @returns {Finding[]} */
export function findingsOnDoubledRows({ alignment }) {
  const doubledRows = rowsWith(alignment, "counted twice")
  const tiedRows = doubledRows.filter(({ tensors }) => tensors.some(({ tied }) => tied))
  const onTiedRows = tiedRows.map((row) => {
    const amount = sumOfRight([row]) - sumOf([row])
    // A row without a size adds nothing, but its tensors have the same parameters.
    const tiedTensors = row.tensors.filter(({ tied }) => tied)
    const elements = sumBy(tiedTensors, (tensor) => tensor.elements)
    return finding(
      amount ? 75 : 20,
      words`${nameOf(row)} is tied to ${nameOfEnd(tiedTensors[0].row.tied_to ?? "")}: both are the same ${elements} parameters, which count once.`,
      amount,
    )
  })
  const onRepeatedRows = rowsByModule(doubledRows.filter((row) => !tiedRows.includes(row))).map((rows) => {
    const amount = sumOfRight(rows) - sumOf(rows)
    const tensors = rows.flatMap((row) => row.tensors)
    const part = partInWords(tensors, alignment.ruler)
    const repeatedPart = tensors.length ? words`${part}, which your text has already counted` : ["all rows together"]
    const excess = amount ? words`: ${-amount} too many` : []
    return finding(75, words`${nameOfRows(rows)} counts ${repeatedPart}${excess}.`, amount)
  })
  return [...onTiedRows, ...onRepeatedRows]
}

/** The words for the contents of rows that hold no parameters. @param {AlignedRow[]} rows */
function contentsInWords(rows) {
  if (rows.every(({ text }) => /adam_[mv]/.test(text.name))) return "what the optimiser keeps"
  if (rows.every(({ text }) => OF_QUANTISATION.test(text.name))) return "what restores the quantised weights"
  return noun(rows.length, "a buffer", "buffers")
}

/** A finding on the rows that are not parameters; empty if there are none. @param {Facts} facts @returns {Finding[]} */
function findingsOnBuffers({ alignment }) {
  const rows = rowsWith(alignment, "not a parameter")
  if (!rows.length) return []
  const amount = -sumOf(rows)
  const names = namesInWords([...new Set(rows.map(({ text }) => text.name))])
  const verb = noun(rows.length, "is", "are")
  return [
    finding(
      60,
      words`${names} ${verb} ${contentsInWords(rows)}, not ${noun(rows.length, "a parameter", "parameters")}: ${-amount} ${noun(-amount, "number")} too many.`,
      amount,
    ),
  ]
}

/** A finding on the rows whose sizes a text does not give although it gives others; empty if there are none.
 * @param {Facts} facts @returns {Finding[]} */
function findingsOnUnsizedRows(facts) {
  const rows = unsizedRows(facts.alignment)
  if (!rows.length || isWithoutSizes(facts)) return []
  const [module, ...others] = rowsByModule(rows)
  const further = others.length ? words` and ${others.length} more` : []
  const verb = others.length ? "have no sizes" : "has no size"
  return [
    finding(
      30,
      words`${nameOfRows(module)}${further} ${verb} in your text; the answer takes ${sumOfRight(rows)} parameters for ${noun(others.length + 1, "it", "them")}, as in ${modelInWords(facts.recognised)}.`,
    ),
  ]
}

/** The class of a dense layer that PyTorch has quantised, whose packed matrix and bias are not in `parameters()`. */
const QUANTISED = /Quantized\w*Linear$/

/** A sentence on why a total differs from the sum of the rows, to follow that statement; empty if no reason is known.
 * @param {Facts} facts @param {number} statedTotal */
function reasonForOtherTotal({ sum, alignment, recognised }, statedTotal) {
  if (statedTotal === 2 * sum) return words` The total is twice that, as for two such models.`
  if (statedTotal - sum === sizeOfAbsentPooler(recognised))
    return words` The difference is the size of the pooler, which ${code(recognised.modelClass)} does not have.`
  const quantisedRows = alignment.rows.filter(({ text }) => QUANTISED.test(text.type))
  if (quantisedRows.length && sumOf(quantisedRows) === sum - statedTotal)
    return words` The difference is the size of the quantised layers (${code(quantisedRows[0].text.type)}): ${code("parameters()")} does not list their packed matrices and biases.`
  return []
}

/** A finding on a total that is neither right nor the sum of the rows; empty for any other total, and if tensors are
 * missing, which would explain the difference.
 * @param {Facts} facts @returns {Finding[]} */
function findingsOnOtherTotal(facts) {
  const { sum, statedTotal, total, alignment } = facts
  if (statedTotal === null || statedTotal === sum || statedTotal === total || alignment.missing.length) return []
  return [
    finding(
      85,
      words`The total in your text is ${statedTotal}, but its rows add up to ${sum}.${reasonForOtherTotal(facts, statedTotal)}`,
      sum - statedTotal,
    ),
  ]
}

/** The number of parameters of the pooler that the bare model has at these sizes; null if it has none, or if the
 * recognised class has one as well.
 * @param {Facts["recognised"]} recognised */
function sizeOfAbsentPooler({ architecture, modelClass, sizes }) {
  const poolerOf = (/** @type {string} */ name) => count({ modelClass: name, sizes, part: "bert/pooler" })
  return poolerOf(modelClass) ? null : poolerOf(classOfBare(architecture)) || null
}

/** Findings on what the answer assumes. @param {Facts} facts @returns {Finding[]} */
function findingsOnAssumptions(facts) {
  const { recognised, alignment, printOut } = facts
  /** @type {Finding[]} */
  const findings = []
  const { assumed, alike, name, choices, architecture, modelClass } = recognised
  // Shapes may show only products, such as heads times the width of a head, and then nothing depends on the factors.
  const shownTensors = new Set(rowsWith(alignment, "right").flatMap(({ text, tensors }) => (text.shape ? tensors : [])))
  const letters = assumed.filter(
    (letter) =>
      letter !== "L" &&
      alignment.ruler.tensors.some((tensor) => tensor.row.shape.includes(letter) && !shownTensors.has(tensor)),
  )
  if (letters.length && name && !isWithoutSizes(facts))
    findings.push(
      finding(
        30,
        words`Your text does not show ${enumeration(letters.map(sizeAlone))}; the answer takes ${noun(letters.length, "it", "them")} from ${modelInWords(recognised)}.`,
      ),
    )
  const perLabel = parametersOfOpenLabel(facts)
  if (perLabel)
    findings.push(
      finding(
        40,
        words`The count of the head is rounded, so your text does not show how many labels there are. Each label adds ${perLabel} parameters.`,
      ),
    )
  // A published model, or a text that names its class, leaves no doubt about the architecture.
  const isNamed = Boolean(name) || printOut.mentions.includes(modelClass)
  const otherClasses = alike.filter((className) => !isNamed || classes.get(className)?.architecture === architecture)
  if (otherClasses.length)
    findings.push(finding(10, words`${enumeration(otherClasses.map(code), "or")} of these sizes has the same tensors.`))
  const hasNoPooler = choices.pooler === false && !isBodyOfLargerModel(facts)
  if (hasNoPooler && modelClass === classOfBare(architecture) && hasPooler(architecture))
    findings.push(...findingsWithoutPooler(facts))
  return findings
}

/** Findings on a bare model without its pooler: the total with a pooler, and other models with the same tensors.
 * @param {Facts} facts */
function findingsWithoutPooler({ recognised, alignment }) {
  const { H } = recognised.sizes
  const pooler = link("parts/heads.html#pooler", "pooler")
  const withPooler = alignment.ruler.total + H * H + H
  const twins = twinsOf(recognised).map((twin) => words`${linkTo(twin.model)}, as ${code(twin.modelClass)},`)
  const twinsSentence = words`${enumeration(twins, "or")} has the same tensors with the same names, so your text may show that model instead.`
  return [
    finding(65, words`There is no ${pooler}; with it, the model has ${withPooler} parameters.`),
    ...(twins.length ? [finding(64, twinsSentence)] : []),
  ]
}

/** A finding on a published model that differs from that of the text only in the height of one embedding table; empty
 * if there is none, if the text does not show all sizes, or if the model of the text is itself a published one.
 * @param {Facts} facts @returns {Finding[]} */
function findingsOnNearModel(facts) {
  const { recognised, alignment } = facts
  const { architecture, modelClass, sizes, choices, name, assumed, isOpen } = recognised
  if (name || isOpen || assumed.includes("L") || isWithoutSizes(facts)) return []
  const nearModels = ["V", "P", "S"].flatMap((letter) => {
    const { [letter]: size, ...others } = sizes
    return size ? publishedModelsWith(architecture, others).map((model) => ({ model, letter, size })) : []
  })
  const differenceOf = (/** @type {(typeof nearModels)[0]} */ { model, letter, size }) =>
    Math.abs(model.sizes[letter] / size - 1)
  const [nearest] = nearModels.sort((one, other) => differenceOf(one) - differenceOf(other))
  if (!nearest) return []
  const { model, letter, size } = nearest
  const publishedSize = model.sizes[letter]
  const excess = alignment.ruler.total - rulerOf(modelClass, { ...sizes, [letter]: publishedSize }, choices).total
  const difference = words`${Math.abs(excess)} ${excess > 0 ? "more" : "fewer"} ${noun(Math.abs(excess), "parameter")}`
  return [
    finding(
      40,
      words`Your model has the sizes of ${linkTo(model)}, except for ${sizeAlone(letter)}: ${size}, not ${publishedSize}. That is ${difference}.`,
    ),
  ]
}

/** A finding on a text that was pasted several times; empty for any other text.
 * @param {Facts} facts @returns {Finding[]} */
function findingsOnRepetition({ printOut: { copyCount }, total }) {
  if (copyCount === 1) return []
  const times = copyCount === 2 ? "twice" : `${copyCount} times`
  return [
    finding(
      35,
      words`Your text has all of its rows ${times}; they are counted once here. Counted ${times}, they add up to ${copyCount * total}, which is ${(copyCount - 1) * total} too many.`,
    ),
  ]
}
