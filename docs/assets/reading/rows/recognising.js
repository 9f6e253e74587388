// Recognises the model of a print-out that names its tensors. The names show the
// architecture, the shapes the sizes, the layer numbers the depth, and the rows of a head
// the class. A size that the text does not show (sizes.js) is recorded as an assumption if
// any tensor has it.
//
// Some architectures use the same names, so a text does not always decide between them:
// RoBERTa and XLM-RoBERTa differ only in sizes, and ELECTRA has BERT's names without the pooler. A
// published model with the sizes of the text then decides, or the total at its end. If neither
// does, the more widely used architecture is taken, `alike` lists the classes of the others, and
// the account mentions them. Rounded counts give no sizes; the published model that fits most of
// them then gives them. The scores below are not measured. They rank the kinds of evidence, and
// the print-outs in tests/scripts/printouts pin the outcome.

import table from "../../../data/table.js"
import { classes, classesOf, defaultChoices, product, sumBy } from "../../counting/engine.js"
import { modelsByUse } from "../../explaining/ways.js"
import { depthOf, visibleDepthsOf } from "./depth.js"
import { isFitting } from "./fits.js"
import { isOutermost } from "./modules.js"
import { ADDED_TENSOR, matchByName, stemOf } from "./names.js"
import { rowsOfClass, rulerOf } from "./ruler.js"
import {
  completeSizes,
  labelCountByTotals,
  labelCountIn,
  modelsOfSameWidths,
  publishedModelsWith,
  sizesOf,
  USUAL_SIZES,
} from "./sizes.js"
import { mayBe } from "./text-row.js"

// A name that fits has this score, and 1 more if a framework prints it. A mention of a class decides
// only between architectures whose names fit equally well.
const FITTING_NAME_SCORE = 0.5
const MENTION_SCORE = 0.25
/** The number of rows by which another class must fit better than a class that the text mentions, because people also
 * mention the class that they started from. */
const MENTIONED_CLASS_DISCOUNT = 2.5
const MAX_CANDIDATES = 3 // the maximum number of architectures that are tried until one is recognised
const FEW_OF_LAYER = 2 // the number of a layer's tensors that suffices if there is a word table
const FEW_ROWS = 4 // the total number of rows that also suffices if there is a word table

/** An architecture with the rows of a text that its names explain.
 * @typedef {{ architecture: string, matches: NameMatch[] }} NamedArchitecture */

/** The architectures whose names explain any rows of a text, the best first. Ties keep the order of the table,
 * which begins with BERT.
 * @param {PrintOut} printOut @returns {NamedArchitecture[]} */
function candidatesFor({ rows, mentions }) {
  return table.architectures
    .map(({ name: architecture }) => {
      const matches = rows.map((row) => matchByName(row, architecture)).filter((match) => match !== null)
      const isMentioned = classesOf(architecture).some(({ name }) => mentions.includes(name))
      const printedCount = matches.filter((match) => match.isPrinted).length
      return {
        architecture,
        matches,
        score: printedCount + matches.length * FITTING_NAME_SCORE + (isMentioned ? MENTION_SCORE : 0),
      }
    })
    .filter(({ matches }) => matches.length)
    .sort((one, other) => other.score - one.score)
}

/** The candidates, with the first that meets a condition moved to the front, if it explains as many names as the best.
 * @param {NamedArchitecture[]} candidates @param {(candidate: NamedArchitecture) => boolean} isPreferred */
function prefer(candidates, isPreferred) {
  const [first] = candidates
  const preferredCandidate = candidates.find(
    (other) => other.matches.length === first.matches.length && isPreferred(other),
  )
  return preferredCandidate
    ? [preferredCandidate, ...candidates.filter((candidate) => candidate !== preferredCandidate)]
    : candidates
}

/** The published models of an architecture that have the most rows of a text whose counts are rounded, the most widely
 * used first, and the number of these rows; no models if exact counts give the sizes.
 * @param {NamedArchitecture} candidate @returns {{ models: Model[], fitCount: number }} */
function bestFitsOf({ architecture, matches }) {
  const roundedMatches = matches.filter(({ text: { low, high } }) => low !== null && low !== high)
  if (!roundedMatches.length || sizesOf(matches).H) return { models: [], fitCount: 0 }
  const fits = modelsByUse
    .filter((model) => model.architecture === architecture)
    .map((model) => {
      const isFit = (/** @type {NameMatch} */ { text, rows }) =>
        [...rows].some(({ dimensions }) => mayBe(text, product(dimensions, model.sizes)))
      return { model, fitCount: roundedMatches.filter(isFit).length }
    })
  const fitCount = Math.max(0, ...fits.map((fit) => fit.fitCount))
  return { models: fitCount ? fits.filter((fit) => fit.fitCount === fitCount).map(({ model }) => model) : [], fitCount }
}

/** The candidates, reordered by what names alone do not decide. The tensors of RoBERTa and XLM-RoBERTa have the same
 * names, so an architecture with published sizes comes first or, if counts are rounded, one with the best fit.
 * ELECTRA's tensors are BERT's without the pooler, so an architecture with all tensors that its class usually has comes
 * before one that is merely the more widely used. That is not so if the first name is a custom one, if the text
 * mentions a class, or if the sizes of the first candidate are published.
 * @param {PrintOut} printOut @returns {NamedArchitecture[]} */
function rankingFor(printOut) {
  const { mentions } = printOut
  const allCandidates = candidatesFor(printOut)
  const fitCounts = new Map(allCandidates.map((candidate) => [candidate, bestFitsOf(candidate).fitCount]))
  const maxFitCount = Math.max(0, ...fitCounts.values())
  const candidates = prefer(allCandidates, (candidate) => {
    if (maxFitCount) return fitCounts.get(candidate) === maxFitCount
    const { V, H } = sizesOf(candidate.matches)
    return publishedModelsWith(candidate.architecture, { V, H }).length > 0
  })
  const [first] = candidates
  if (!first?.matches[0].isPrinted || mentions.some((name) => classes.has(name))) return candidates
  if (publishedModelsWith(first.architecture, sizesOf(first.matches)).length) return candidates
  return prefer(candidates, ({ architecture, matches }) => {
    const [bestClass] = classesFor(architecture, matches, mentions, sizesOf(matches))
    return bestClass.choices.pooler !== false && !bestClass.missingCount
  })
}

/** The classes for the same task in the other architectures that explain at least as many names of a text.
 * @param {NamedArchitecture[]} candidates @param {NamedArchitecture} candidate @param {string} modelClass */
function counterpartsOf(candidates, { architecture, matches }, modelClass) {
  const task = modelClass.slice(stemOf(architecture).length)
  return candidates
    .filter((other) => other.architecture !== architecture && other.matches.length >= matches.length)
    .map((other) => stemOf(other.architecture) + task)
    .filter((name) => classes.has(name))
}

/** Whether the name of any printed row may refer to this row. @param {Row} row @param {NameMatch[]} matches */
const isPresent = (row, matches) => matches.some(({ rows }) => rows.has(row))

// --- Class ------------------------------------------------------------------------

/** The choices that a text shows: cross-attention if a row of it is present, and no pooler if that alone is missing
 * from the body.
 * @param {ModelClass} modelClass @param {NameMatch[]} matches @param {Sizes} sizes @returns {Partial<Choices>} */
function choicesIn(modelClass, matches, sizes) {
  const isShown = (/** @type {Row} */ row) => isPresent(row, matches)
  /** @type {Partial<Choices>} */
  const choices = {}
  if (modelClass.rows.some((row) => row.when === "cross_attention" && isShown(row))) choices.cross_attention = true
  const untiedRows = rowsOfClass(modelClass, choices, sizes).filter((row) => !row.tied_to)
  const pooler = untiedRows.filter((row) => row.when === "pooler")
  const bodyRows = untiedRows.filter((row) => row.when !== "pooler" && row.block !== "task-head")
  if (pooler.length && !pooler.some(isShown) && bodyRows.every(isShown) && modelClass.fixed.pooler === undefined)
    choices.pooler = false
  return choices
}

/** Whether a printed row is named like rows of a head, and has the size of none of them.
 * @param {NameMatch} match @param {Set<Row>} classRows @param {Sizes} sizes */
function isMisfit({ text, rows }, classRows, sizes) {
  const rowsOfHead = [...rows].filter((row) => row.block === "task-head" && classRows.has(row))
  return rowsOfHead.length > 0 && text.low !== null && !rowsOfHead.some((row) => isFitting(row, text, sizes))
}

/** A class with what its rows have in common with a text. @typedef {ReturnType<typeof classesFor>[0]} FittingClass */

/** The classes of an architecture by how well their rows agree with those of a text, the best first. `foreignCount` is
 * the number of the text's rows that a class lacks, and `missingCount` the number of its rows that the text lacks. Of
 * classes that agree equally well, one that has more of the text's rows comes first, such as the one with its
 * classifier's bias, and then one whose head has the sizes in the text: the head for multiple choice, for example, has
 * only one output.
 * @param {string} architecture @param {NameMatch[]} matches @param {string[]} mentions @param {Sizes} sizes
 * @param {number} discount  for the classes that the text mentions */
function classesFor(architecture, matches, mentions, sizes, discount = MENTIONED_CLASS_DISCOUNT) {
  return classesOf(architecture)
    .map((modelClass) => {
      const choices = choicesIn(modelClass, matches, sizes)
      const rowsOfVariant = new Set(rowsOfClass(modelClass, choices, sizes))
      const foreignCount = matches.filter(({ rows }) => ![...rows].some((row) => rowsOfVariant.has(row))).length
      const missingCount = [...rowsOfVariant].filter((row) => !row.tied_to && !isPresent(row, matches)).length
      const misfitCount = matches.filter((match) => isMisfit(match, rowsOfVariant, sizes)).length
      const cost = foreignCount + missingCount - (mentions.includes(modelClass.name) ? discount : 0)
      return { modelClass, choices, cost, foreignCount, missingCount, misfitCount }
    })
    .sort(
      (one, other) =>
        one.cost - other.cost || one.foreignCount - other.foreignCount || one.misfitCount - other.misfitCount,
    )
}

/** The class of the whole model that print(model) shows; null in any other text. The text may leave out or lose its
 * head.
 * @param {PrintOut} printOut */
function printedClass({ rows, mentions }) {
  const { type = "" } = rows.find(isOutermost) ?? {}
  return classes.has(type) && mentions.includes(type) ? type : null
}

/** The model of a print-out with names; null if the names do not belong to an encoder that the site counts.
 * @param {PrintOut} printOut @returns {Recognised | null} */
export function recogniseByNames(printOut) {
  const ranking = rankingFor(printOut)
  const mayBeDecidedByTotal = decidingTotalsIn(printOut).length > 0
  /** @type {Recognised[]} */
  const models = []
  for (const [index, candidate] of ranking.entries()) {
    // Once a model is found, only candidates that explain as many names are tried, and only if a total may decide.
    const isAsGood = candidate.matches.length === ranking[0].matches.length
    if (models.length ? !(mayBeDecidedByTotal && isAsGood) : index >= MAX_CANDIDATES) break
    const recognised = explainsNames(printOut, candidate) ? recogniseAs(printOut, candidate, ranking) : undefined
    if (recognised) models.push(recognised)
  }
  return firstWithTotal(models, printOut) ?? null
}

/** The names of embedding tables in models that generate text or process images. The layers of such models may have the
 * same names as an encoder's: LLaMA's are named like NomicBERT's, and CLIP's like those of Jina Embeddings v3. */
const FOREIGN_TABLE = /(?:^|\.)(?:embed_tokens|embed_in|wte|wpe|token_embedding)(?:\.|$)/

/** Whether the names of an architecture explain at least half of the named rows of a text and are those of an encoder.
 * If at least a quarter of the named rows have sizes, only those are considered. A text with a table in `FOREIGN_TABLE`
 * is not explained unless it mentions a class of the architecture (EuroBERT's table has such a name), has the sizes of
 * a published model, or has a segment table, which models that generate text or process images lack.
 * @param {PrintOut} printOut @param {NamedArchitecture} candidate */
function explainsNames({ rows, mentions }, { architecture, matches }) {
  const namedRows = rows.filter(
    ({ name, isContainer, isBuffer }) => name && !isContainer && !isBuffer && !ADDED_TENSOR.test(name),
  )
  const isMentioned = classesOf(architecture).some(({ name }) => mentions.includes(name))
  const hasSegments = matches.some(({ rows: [row] }) => row.path.includes("token_type"))
  const mayBeForeign = !isMentioned && !hasSegments && namedRows.some(({ name }) => FOREIGN_TABLE.test(name))
  if (mayBeForeign && !publishedModelsWith(architecture, sizesOf(matches)).length) return false
  const rowsWithSizes = namedRows.filter(({ low }) => low !== null)
  const rowsToExplain = new Set(rowsWithSizes.length >= namedRows.length / 4 ? rowsWithSizes : namedRows)
  const explainedRows = matches.filter(({ text }) => rowsToExplain.has(text))
  return explainedRows.length >= rowsToExplain.size / 2 && isEncoder(matches, architecture)
}

/** The exact totals that may decide between models whose rows fit equally well; none if the text names the class.
 * @param {PrintOut} printOut */
const decidingTotalsIn = ({ totals, mentions }) =>
  mentions.some((name) => classes.has(name))
    ? []
    : totals.flatMap(({ kind, low, high }) => (kind === "total" && low === high ? [low] : []))

/** The first of several models that has a total of the text, or else the first; undefined if there are none.
 * @param {Recognised[]} models @param {PrintOut} printOut */
function firstWithTotal(models, printOut) {
  const totals = decidingTotalsIn(printOut)
  return (
    models.find(({ modelClass, sizes, choices }) => totals.includes(rulerOf(modelClass, sizes, choices).total)) ??
    models[0]
  )
}

/** The model of a text, given its architecture; undefined if the text shows too few sizes. If the rows leave several
 * models or classes open, the text's total decides.
 * @param {PrintOut} printOut @param {NamedArchitecture} candidate
 * @param {NamedArchitecture[]} ranking  all candidates */
function recogniseAs(printOut, candidate, ranking) {
  const { architecture, matches } = candidate
  const fittingModels = bestFitsOf(candidate).models
  const allSizesShown = fittingModels.length
    ? fittingModels.map(sizesWithoutDepthOf)
    : [visibleSizesOf(matches, architecture)]
  const models = allSizesShown.flatMap((sizesShown) => modelsOfSizes(printOut, candidate, ranking, sizesShown))
  return firstWithTotal(models, printOut)
}

/** The models of a text with the sizes that it shows: one of every class that agrees best with the rows if a total may
 * decide between them, and otherwise one of the first class.
 * @param {PrintOut} printOut @param {NamedArchitecture} candidate @param {NamedArchitecture[]} ranking  all candidates
 * @param {Sizes} sizesShown @returns {Recognised[]} */
function modelsOfSizes(printOut, candidate, ranking, sizesShown) {
  const { architecture, matches } = candidate
  const namedClass = printedClass(printOut)
  const allClasses = namedClass
    ? classesFor(architecture, matches, [namedClass], sizesShown, Infinity)
    : classesFor(architecture, matches, printOut.mentions, sizesShown)
  const [firstClass] = allClasses
  const equallyGoodClasses = allClasses.filter(
    ({ cost, foreignCount, misfitCount }) =>
      cost === firstClass.cost && foreignCount === firstClass.foreignCount && misfitCount === firstClass.misfitCount,
  )
  const openClasses = decidingTotalsIn(printOut).length ? equallyGoodClasses : [firstClass]
  return openClasses.flatMap((fittingClass) => {
    const model = modelOfClass(printOut, candidate, fittingClass, sizesShown)
    if (!model) return []
    const otherClasses = allClasses.filter((other) => other !== fittingClass)
    const counterparts = counterpartsOf(ranking, candidate, model.modelClass)
    return [{ ...model, alike: [...equalClasses(fittingClass, otherClasses), ...counterparts] }]
  })
}

/** Whether the shape of a row depends on the number of labels. @param {Row} row */
const hasLabels = ({ dimensions }) => dimensions.includes("C")

/** The model of a text, given its class and what the text shows of its sizes; null if it shows too few.
 * @param {PrintOut} printOut @param {NamedArchitecture} candidate @param {FittingClass} fittingClass
 * @param {Sizes} sizesShown @returns {Recognised | null} */
function modelOfClass(printOut, { architecture, matches }, fittingClass, sizesShown) {
  const choices = { ...fittingClass.choices }
  const { name: modelClass, layers, labels } = fittingClass.modelClass
  const shownLabels = labels ?? labelCountIn(matches, fittingClass.modelClass, sizesShown)
  const C = shownLabels ?? USUAL_SIZES.C
  const visibleDepths = visibleDepthsOf(layers, matches)
  // A text without sizes may begin a model, but name fewer layers than any published one has.
  const isBeginning = matches.some(({ rows }) => [...rows].some(({ path }) => path.includes("word_embeddings")))
  const provisionalCompletion =
    completeSizes(architecture, { ...sizesShown, C, ...visibleDepths }) ??
    (isBeginning ? completeSizes(architecture, { ...sizesShown, C }) : null)
  if (!provisionalCompletion) return null
  // The depth may follow from a total, but only if all other sizes are given.
  const { depth, isOpen, isCutOff } =
    layers.length > 1
      ? { depth: 0, isOpen: false, isCutOff: false }
      : depthOf(printOut, matches, { modelClass, sizes: provisionalCompletion.sizes, choices })
  const mayBeDeeper = isOpen || isCutOff
  // A text that ends within the layers does not show whether a pooler follows.
  if (mayBeDeeper && matches.at(-1)?.numbers.length) delete choices.pooler
  const isDepthPublished =
    mayBeDeeper && isOnlyDeeperPublished(architecture, sizesShown, visibleDepths, isCutOff || printOut.isOpen)
  const depths = depth ? { L: depth } : visibleDepths
  const completion =
    completeSizes(architecture, { ...sizesShown, C, ...(isDepthPublished ? {} : depths) }) ?? provisionalCompletion
  solveFromTotal(printOut, completion, modelClass, choices)
  if (isUntied(printOut, { modelClass, sizes: completion.sizes, choices })) choices.tied = false
  const { sizes, name, assumed } = completion
  if (sizes.L === 0) return null
  // If the text rounds the count of the head or gives none, the total may show the number of labels.
  const isUnclear = (/** @type {TextRow} */ { low, high }) => low === null || low !== high
  if (!shownLabels && matches.some(({ text, rows }) => isUnclear(text) && [...rows].some(hasLabels)))
    sizes.C = labelCountByTotals(modelClass, sizes, choices, printOut.totals) ?? C
  const isDepthAssumed = mayBeDeeper && !assumed.includes("L") && (printOut.isOpen || isDepthPublished)
  return {
    architecture,
    modelClass,
    sizes,
    choices: { ...defaultChoices(architecture), ...choices },
    name,
    assumed: isDepthAssumed ? [...assumed, "L"] : assumed,
    isOpen: mayBeDeeper,
    alike: [],
  }
}

/** Whether there are published models with the sizes of a text, but none with as few layers as it shows. The text then
 * leaves out layers, and a published model gives the depth. If the text shows no layers at all, any published model of
 * the same widths will do.
 * @param {string} architecture @param {Sizes} sizesShown @param {Sizes} visibleDepths
 * @param {boolean} isIncomplete  whether the text is cut off within a layer or leaves lines out */
function isOnlyDeeperPublished(architecture, sizesShown, visibleDepths, isIncomplete) {
  const modelsOfThisDepth = isIncomplete ? [] : publishedModelsWith(architecture, { ...sizesShown, ...visibleDepths })
  const findModels = visibleDepths.L ? publishedModelsWith : modelsOfSameWidths
  return !modelsOfThisDepth.length && findModels(architecture, sizesShown).length > 0
}

/** The sizes of a model apart from its depth and its number of labels. @param {Model} model @returns {Sizes} */
function sizesWithoutDepthOf({ architecture, sizes }) {
  const [{ layers }] = classesOf(architecture)
  return Object.fromEntries(Object.entries(sizes).filter(([letter]) => letter !== "C" && !layers.includes(letter)))
}

/** The sizes that the rows of a text show, without the number of labels. If only some models have a table and the text
 * does not show it, its size is 0.
 * @param {NameMatch[]} matches @param {string} architecture @returns {Sizes} */
function visibleSizesOf(matches, architecture) {
  const { C: _, ...sizes } = sizesOf(matches)
  for (const { when } of classesOf(architecture).flatMap(({ rows }) => rows))
    if (when?.endsWith("≠0")) sizes[when[0]] ??= 0
  return sizes
}

/** The names of the classes that fit a text as well as the best one. There are none if the text lacks a tensor of the
 * best class, because other classes may then lack a different one, such as a pooler or a classifier.
 * @param {FittingClass} bestMatch @param {FittingClass[]} others */
function equalClasses(bestMatch, others) {
  if (bestMatch.missingCount) return []
  const alikeClasses = others.filter(
    ({ missingCount, foreignCount, cost }) =>
      !missingCount && foreignCount === bestMatch.foreignCount && cost === bestMatch.cost,
  )
  return alikeClasses.map(({ modelClass }) => modelClass.name)
}

const MAX_SEGMENTS = 16 // the default in google-research/bert; no model has more

/** Replaces the assumed size, if there is exactly one and it is not the depth, with the value that gives the model the
 * stated total.
 * @param {PrintOut} printOut @param {{ sizes: Sizes, assumed: string[] }} completion @param {string} modelClass
 * @param {Partial<Choices>} choices */
function solveFromTotal({ totals }, completion, modelClass, choices) {
  const [letter, ...others] = completion.assumed
  if (!letter || others.length || letter === "L") return
  const totalWith = (/** @type {number} */ size) =>
    rulerOf(modelClass, { ...completion.sizes, [letter]: size }, choices).total
  const perUnit = totalWith(2) - totalWith(1)
  for (const { kind, low, high } of totals) {
    const size = 1 + (low - totalWith(1)) / perUnit
    const isPossible = Number.isInteger(size) && size > 0 && !(letter === "S" && size > MAX_SEGMENTS)
    if (kind === "total" && low === high && perUnit > 0 && isPossible) {
      completion.sizes[letter] = size
      completion.assumed = []
    }
  }
}

/** Whether a model has the stated total only with an untied decoder.
 * @param {PrintOut} printOut @param {import("./depth.js").Variant} variant */
export function isUntied({ totals, rows }, { modelClass, sizes, choices }) {
  // state_dict() lists tied tensors, too, so its sum is that of an untied model. A list of named_parameters() shows
  // which tensors are trained.
  const isList = rows.some(({ name }) => /decoder\.weight$/.test(name))
  if (isList && rows.every(({ type, isTrainable }) => !type && isTrainable === null)) return false
  const { total: tiedTotal, tensors } = rulerOf(modelClass, sizes, { ...choices, tied: true })
  const { total: untiedTotal } = rulerOf(modelClass, sizes, { ...choices, tied: false })
  // Some tools count the matrix of a tied decoder again. If that also gives the untied total, the text decides nothing.
  const tiedMatrices = tensors.filter(({ tied, shape }) => tied && shape.length > 1)
  if (tiedTotal + sumBy(tiedMatrices, ({ elements }) => elements) === untiedTotal) return false
  /** Whether the text states this number as its total. */
  const hasTotal = (/** @type {number} */ number) =>
    totals.some(({ kind, low, high }) => kind === "total" && low === number && high === number)
  return hasTotal(untiedTotal) && !hasTotal(tiedTotal)
}

/** Whether names are those of an encoder that the site counts. Other models share some names: a ViT has BERT's layers,
 * and GPT-2 has a word table. If a framework prints at least half of the names, a word table and a few other tensors
 * suffice. Without a word table, half of a layer does. Custom names must include everything that is typical of BERT:
 * both tables, the LayerNorm after them, and every part of a layer.
 * @param {NameMatch[]} matches @param {string} architecture */
function isEncoder(matches, architecture) {
  const rows = new Set(matches.flatMap(({ rows: matchedRows }) => [...matchedRows]))
  const layerRowCount = [...rows].filter((row) => row.repeated).length
  const [bare] = classesOf(architecture)
  if (matches.filter(({ isPrinted }) => isPrinted).length >= matches.length / 2) {
    const hasWords = [...rows].some((row) => row.path.includes("word_embeddings") || row.shape.includes("V"))
    if (hasWords) return layerRowCount >= FEW_OF_LAYER || rows.size >= FEW_ROWS
    return layerRowCount >= bare.rows.filter(({ repeated, when }) => repeated && !when).length / 2
  }
  const requiredRows = bare.rows.filter(
    ({ path, when }) => !when && (path.includes("/encoder/") || /embeddings\/(?:word|position|LayerNorm)/.test(path)),
  )
  return requiredRows.every((row) => rows.has(row))
}
