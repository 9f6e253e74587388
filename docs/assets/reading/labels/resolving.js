// Works out the meaning of one labelled number from the words around it. The search for single
// numbers gives the ways to it, and the words decide between these. A label settles the kind of
// number. A named model decides between models of the same size, and a named part, class or
// number of labels between the numbers of one model.
//
// Each way has a cost (search.toml): the more rarely people mean it, the higher the cost. Words
// near the number raise or lower the cost by the amounts below. These are judgements, and
// tests/scripts/labels.toml has the sentences that must be explained correctly.

import exported from "../../../data/reading.js"
import { classes, classOfBare, models } from "../../counting/engine.js"
import { isRight } from "../../explaining/explain.js"
import { read, typedNumberOf } from "../../explaining/read.js"
import { byCost, costOfModel, modelsByUse } from "../../explaining/ways.js"
import { asPlainText, enumeration } from "../words.js"
import { rightWays, waysByMistake, waysInNamedModel, waysOfFile } from "./further-ways.js"
import { isBert, isPartNamed, partWords } from "./meanings.js"
import { BYTES_PER_NUMBER, sentenceOnWrongUnit } from "./memory.js"
import { isGeneric } from "./mentions.js"
import { ONE_LAYER } from "./named-parts.js"
import { classAndTotal } from "./totals.js"

const { totals: otherModels } = exported.labels

/** The kinds of explanations that a role admits. @type {Record<string, ExplanationKind[]>} */
const KINDS_OF_ROLES = {
  count: ["total", "labels", "size", "part", "other", "difference", "change", "near"],
  memory: ["memory"],
  operations: ["operations"],
  share: ["share"],
  tensors: ["tensors"],
}

// The amounts by which words near a number change the cost of a way. Of several constants in a list, the first applies
// if the words agree with the way, the second if they name another choice, and `NO_PART` if they name a part, but the
// way is not about one.
const OTHER_MODEL = 6 // a way about a model other than the named one
const OTHER_BERT = 0.5 // a way about any BERT, if the text names just "BERT"
const OTHER_RELATIVE = 3 // a way about a relative of BERT, if the text names just "BERT"
const LESS_LIKELY_NAME = 0.6 // for each model that the name more likely means
const MAX_LIKELIER_MODELS = 3 // the largest number of likelier models that raises the cost
const [NAMED_CLASS, OTHER_CLASS] = [-1, 2]
const [NAMED_PURPOSE, OTHER_PURPOSE] = [-1, 0.5]
const [NAMED_LABELS, OTHER_LABELS] = [-0.5, 3]
const WITHOUT_LABELS = 0.5 // a way about a class without labels, if the text has a number of them
const [NAMED_PART, OTHER_PART, NO_PART] = [-1.5, 1.5, 2.5]
const ALL_NAMED_PARTS = -1 // in addition, a part that consists of several named ones
const WITHOUT_POOLER = -4 // a model without its pooler, if the text is about a file of llama.cpp
const NAMED_OTHER = -2 // a model whose totals are all that we know
const LESS_LIKELY_OTHER = 0.2 // for each model of that kind that the name more likely means
const [NAMED_PROFILER, OTHER_PROFILER] = [-1, 6]
const [NAMED_PART_OF_SHARE, OTHER_PART_OF_SHARE] = [-2, 2]
const BEYOND_ROUNDING = 1 // an amount of memory that the typed digits give only if the last one was cut off
const [NAMED_LENGTH, OTHER_LENGTH] = [-1, 2] // operations for texts of this many tokens
const DIFFERENCE = 1 // the difference between two models
const LOADED_IN_TYPE = 6 // a model loaded in another data type, if no word suggests a change
const [TRAINED_CHANGE, OTHER_CHANGE] = [1, 5] // any other change, if words suggest training alone, or nothing at all
const DIFFERENCE_AS_TOTAL = 6 // a total that comes out wrong, if words say that the number is the difference between two

/** The cost of a way to a number, given the words of its text.
 * @param {Explanation} way @param {Context} context @param {string} role */
function costInContext(way, context, role) {
  const {
    mention,
    classes: classNames,
    endings,
    labels,
    parts,
    isTrained,
    isGguf,
    profilers,
    tokens,
    isChanged,
    isDifference,
  } = context
  let cost = way.cost + (mention ? costOfMention(way, mention) : 0)
  if (classNames.length) cost += costOfClass(way, classNames)
  else if (endings.length)
    cost += way.classes.some((name) => endings.some((end) => name.endsWith(end))) ? NAMED_PURPOSE : OTHER_PURPOSE
  if (labels && (way.labels || 2) === labels) cost += NAMED_LABELS
  else if (labels) cost += way.labels ? OTHER_LABELS : WITHOUT_LABELS
  if (role === "share" && parts.length && way.parts.length)
    cost += fitsPart(way, parts) ? NAMED_PART_OF_SHARE : OTHER_PART_OF_SHARE
  if (role === "memory" && !isWithinRounding(way)) cost += BEYOND_ROUNDING
  if (role === "operations" && tokens) cost += way.tokens === tokens ? NAMED_LENGTH : OTHER_LENGTH
  if (role === "operations" && profilers.length && way.profiler)
    cost += profilers.some((name) => way.profiler.startsWith(name)) ? NAMED_PROFILER : OTHER_PROFILER
  if (role === "count") {
    const isPart = way.parts.length > 0 && way.kind !== "total"
    const costOfPart = fitsPart(way, parts) || isOfTables(way, parts) ? NAMED_PART : OTHER_PART
    if (parts.length) cost += isPart ? costOfPart : NO_PART
    if (isPart && consistsOf(way, parts)) cost += ALL_NAMED_PARTS
    if (way.kind === "change" && !isChanged) cost += costOfChange(way, isTrained)
    if (way.kind === "difference") cost += DIFFERENCE
    if (isDifference && ["total", "size"].includes(way.kind) && !isRight(way)) cost += DIFFERENCE_AS_TOTAL
    if (isGguf && way.mistakes.join() === "pooler-left-out") cost += WITHOUT_POOLER
  }
  return cost
}

/** The architectures of classes. @param {string[]} names */
const architecturesOf = (names) => names.map((name) => classes.get(name).architecture)

/** The extra cost of a way, given the classes that a text names; negative if they fit it. A class also shows the
 * architecture.
 * @param {Explanation} way @param {string[]} names */
function costOfClass(way, names) {
  if (way.classes.some((name) => names.includes(name))) return NAMED_CLASS
  const architectures = architecturesOf(names)
  return isOfArchitecture(way, architectures) || !way.models.length ? OTHER_CLASS : OTHER_MODEL
}

/** Whether a way is about a model of one of these architectures.
 * @param {Explanation} way @param {string[]} architectures */
const isOfArchitecture = (way, architectures) =>
  way.models.some((name) => architectures.includes(models.get(name).architecture))

/** The extra cost of a way, given the model that a text names; negative if the model fits it.
 * @param {Explanation} way @param {Mention} mention */
function costOfMention(way, mention) {
  const [likeliest = ""] = way.models
  if (mention.models.length) {
    const index = mention.models.findIndex((name) => way.models.includes(name))
    if (index >= 0) return Math.min(index, MAX_LIKELIER_MODELS) * LESS_LIKELY_NAME - costOfModel(likeliest)
    if (!isGeneric(mention) || !likeliest) return OTHER_MODEL
    return isBert(likeliest) ? OTHER_BERT : OTHER_RELATIVE
  }
  if (!mention.others.length) return 0
  const index = mention.others.findIndex((name) => otherModels[name].title === way.words)
  return index < 0 || way.kind !== "other" ? OTHER_MODEL : index * LESS_LIKELY_OTHER + NAMED_OTHER
}

/** The extra cost of a way about a changed model if no word suggests a change.
 * @param {Explanation} way @param {boolean} isTrained  whether the text mentions trained parameters */
function costOfChange(way, isTrained) {
  if (way.words.includes("loaded in")) return LOADED_IN_TYPE
  return isTrained ? TRAINED_CHANGE : OTHER_CHANGE
}

/** Whether the number of a way differs from the typed one by at most half a unit of its last digit, or the typed number
 * is exact. @param {Explanation} way */
const isWithinRounding = ({ number, reading }) =>
  reading.exact || Math.abs(number - typedNumberOf(reading)) <= reading.size / 10 ** reading.decimals / 2

/** Whether a way is about one of the named parts. @param {Explanation} way @param {string[]} partNames */
export const fitsPart = ({ parts, layers }, partNames) =>
  parts.some((part) => partNames.some((name) => isPartNamed(partWords(part, layers), name)))

/** Whether a way is about the embedding tables, by which the named embeddings may be meant without their LayerNorm.
 * @param {Explanation} way @param {string[]} partNames */
const isOfTables = ({ parts }, partNames) =>
  partNames.includes("the embeddings") && parts.some((part) => part.words.startsWith("the embedding tables"))

/** Whether a way is about a part that consists of all named ones, such as the pooler and the classifier.
 * @param {Explanation} way @param {string[]} partNames */
const consistsOf = ({ parts, layers }, partNames) =>
  new Set(partNames).size > 1 &&
  parts.some((part) => partNames.every((name) => isPartNamed(partWords(part, layers), name)))

/** Whether a way counts a part of a model, and the words for the only number of the text name other parts.
 * @param {Explanation} way @param {Context} context */
export const isOfOtherPart = (way, { parts, isDifference, isOnlyCount }) =>
  way.kind === "part" && parts.length > 0 && isOnlyCount && !isDifference && !fitsPart(way, parts)

const MIN_FIGURES = 3 // a rounded number with fewer figures always fits some mistake

/** The number of significant figures of a rounded number. @param {Quantity["number"]} number */
const figuresOf = ({ mantissa }) => String(mantissa).replace(/0+$/, "").length

/** Whether a number fits a way only by chance, because a rounded number fits some part of any model, and any small
 * number of bytes some part in a type of fewer bytes than float32.
 * @param {Explanation} way @param {Quantity} quantity @param {Context} context */
export function fitsByChance(way, { role, number }, context) {
  const { mention, parts, partsInText, isTypeNamed, leavesOutPart } = context
  if (role === "share" && parts.length && !fitsPart(way, parts)) return true
  const isRoundedPart = role === "count" && !number.exact && parts.length > 0
  if (isRoundedPart && isOfOtherPart(way, context)) return true
  if (mention) return false
  const isRough = role === "count" && !number.exact && figuresOf(number) < MIN_FIGURES
  if (isRough && way.mistakes.length && !leavesOutPart) return true
  if (isRoundedPart && !way.parts.length) return true
  if (way.kind === "part" && way.layers > 1 && partsInText.length && !fitsPart(way, partsInText)) return true
  const isPacked = way.kind === "memory" && way.parts.length > 0 && way.bytesPerParameter < BYTES_PER_NUMBER.float32
  return isPacked && number.exact && !isTypeNamed
}

/** The number as another kind of amount; null if it can be nothing else. In German, Mio means millions, and in French
 * mebibytes. Billions that no word calls parameters may be operations.
 * @param {Quantity} quantity @returns {Quantity | null} */
function otherAmountOf(quantity) {
  const { typed, roles, role: statedRole, number: stated } = quantity
  const [, digits, unit] = /^([0-9.,]+)\s?(Mio|G)$/i.exec(typed) ?? []
  if (!digits || statedRole !== "count" || (unit === "G" && (roles.includes("count") || stated.low < MIN_OPERATIONS)))
    return null
  const [canonical, role] = unit === "G" ? [`${digits} GFLOPs`, "operations"] : [`${digits} MiB`, "memory"]
  const number = read(canonical)
  return number && { ...quantity, canonical, number, role }
}

const MIN_OPERATIONS = 1e9 // a smaller number with a G is no number of operations

/** The ways to a number, the likeliest first given its words, and whether the first agrees with the named model. The
 * number may be read as another kind of amount than its unit states.
 * @param {Quantity} quantity @param {Context} context @returns {ResolvedNumber} */
export function resolve(quantity, context) {
  const resolvedNumber = asParametersOfFile(resolveAs(quantity, context))
  /** Whether a meaning agrees with the text and is more than merely possible. */
  const isSure = (/** @type {ResolvedNumber} */ { agrees, first }) => agrees && first?.confidence !== "possible"
  const otherQuantity = isSure(resolvedNumber) ? null : otherAmountOf(quantity)
  const other = otherQuantity && resolveAs(otherQuantity, context)
  return other && (isSure(other) || (context.mention && other.agrees && !resolvedNumber.agrees))
    ? other
    : resolvedNumber
}

/** A resolved number, read as a number of parameters instead of bytes if only the name of a file makes it an amount of
 * memory, the file would have one byte for each parameter, and such a number agrees with the text; otherwise unchanged.
 * @param {ResolvedNumber} resolvedNumber @returns {ResolvedNumber} */
function asParametersOfFile(resolvedNumber) {
  const { quantity, context, first } = resolvedNumber
  const isOfOneByte = first?.kind === "memory" && first.bytesPerParameter === 1 && !first.frame
  if (!isOfOneByte || !quantity.number.exact || /[a-z]/i.test(quantity.typed) || /int8|8[- ]?bit/i.test(quantity.label))
    return resolvedNumber
  const asCount = resolveAs({ ...quantity, canonical: String(quantity.number.low), role: "count" }, context)
  return asCount.agrees ? asCount : resolvedNumber
}

/** The ways to a number with the unit in the text.
 * @param {Quantity} quantity @param {Context} context @returns {ResolvedNumber} */
function resolveAs(quantity, context) {
  const { mention } = context
  if (isInWrongUnit(quantity, mention))
    return { quantity, context, ways: [], first: null, cost: Infinity, agrees: false }
  const rankedWays = rankedWaysTo(quantity, context)
  const ways = rankedWays.map(({ way }) => withLikeliestPartsFirst(way, context.parts))
  if (ways.length) ways[0] = withAllProfilers(ways[0], ways, context)
  const [first = null] = ways
  const agrees = Boolean(
    first && first.kind !== "near" && (!mention || isAbout(first, mention)) && !fitsByChance(first, quantity, context),
  )
  return { quantity, context, ways, first, cost: rankedWays[0]?.cost ?? Infinity, agrees }
}

/** A way to a number, with its cost given the words. @typedef {{ way: Explanation, cost: number }} RankedWay */

/** The ways that the role, the words and the kind of file admit, the likeliest first given the words.
 * @param {Explanation[]} ways @param {string} role @param {Context} context @returns {RankedWay[]} */
function rankWays(ways, role, context) {
  const kinds = KINDS_OF_ROLES[role] ?? KINDS_OF_ROLES.count
  // Words that name a part and no change are not about what a changed model has.
  const isOfUnchangedPart = context.parts.length > 0 && !context.isChanged && !context.isTrained
  return ways
    .filter(({ kind, kept }) => kinds.includes(kind) && !(kept && context.isWeightsFile))
    .filter(({ kind }) => kind !== "change" || !isOfUnchangedPart)
    .filter(({ layers }) => layers < 2 || !context.parts.includes(ONE_LAYER))
    .map((way) => ({ way, cost: costInContext(way, context, role) }))
    .sort(byCost)
}

/** All ways to a number, the likeliest first given the words. If none is about the model or architecture that the text
 * names, the search for single numbers is repeated for that model, or for the usual model of that architecture.
 * @param {Quantity} quantity @param {Context} context @returns {RankedWay[]} */
function rankedWaysTo(quantity, context) {
  const { canonical, role, number } = quantity
  const { mention } = context
  const text = role === "tensors" ? String(number.low) : canonical
  const rightOrFileWays =
    role === "count" && number.exact ? rightWays(quantity, context) : waysOfFile(quantity, context)
  const waysOfMention = waysInNamedModel(quantity, context)
  // An exact number that the named model has is not a slip in another one.
  const isOfMention = waysOfMention.length > 0 && number.exact
  const knownWays = context.explain(text, "").filter(({ kind }) => kind !== "near" || !isOfMention)
  let rankedWays = rankWays([...rightOrFileWays, ...waysOfMention, ...knownWays], role, context)
  const namedArchitectures = architecturesOf(context.classes)
  if (
    !mention &&
    namedArchitectures.length &&
    !rankedWays.some(({ way }) => isOfArchitecture(way, namedArchitectures))
  ) {
    const usualModel = modelsByUse.find(({ architecture }) => namedArchitectures.includes(architecture))
    const waysOfUsualModel = context.explain(text, usualModel?.name ?? "")
    rankedWays = rankWays([...rankedWays.map(({ way }) => way), ...waysOfUsualModel], role, context)
  }
  if (!mention?.models.length) return rankedWays
  /** Whether a way leads to the number itself in the named model. */
  const isOfNamedModel = (/** @type {RankedWay} */ { way }) => isAbout(way, mention) && way.kind !== "near"
  if (!rankedWays.some(isOfNamedModel)) {
    const furtherWays = context.explain(text, mention.models[0]).filter(({ kind }) => kind !== "near")
    rankedWays = [...rankedWays, ...rankWays(furtherWays, role, context)].sort(byCost)
  }
  if (role === "count" && number.exact && !rankedWays.some(isOfNamedModel))
    rankedWays = [...rankWays(waysByMistake(quantity, mention), role, context), ...rankedWays]
  return number.exact ? rankedWays : withoutFarFetched(rankedWays, mention)
}

/** A way with those of its parts first that words name and, if they name one layer, that are in one layer.
 * @param {Explanation} way @param {string[]} partNames @returns {Explanation} */
function withLikeliestPartsFirst(way, partNames) {
  const otherNames = partNames.filter((name) => name !== ONE_LAYER)
  /** The number of hints that a part agrees with. @param {Part} part */
  const hintCount = (part) =>
    Number(otherNames.some((name) => isPartNamed(partWords(part, way.layers), name))) +
    Number(partNames.includes(ONE_LAYER) && part.words.endsWith(" in one layer"))
  return way.parts.length > 1
    ? { ...way, parts: [...way.parts].sort((one, other) => hintCount(other) - hintCount(one)) }
    : way
}

const MUCH_LIKELIER = 3 // a way that costs at least this much more than another is far-fetched

/** Ways to a rounded number without far-fetched ones: mistakes in the named model although another model has such a
 * total, as BERT large has 340M.
 * @param {RankedWay[]} rankedWays @param {Mention} mention */
function withoutFarFetched(rankedWays, mention) {
  const costsOfOthers = rankedWays.flatMap(({ way }) => (way.kind === "total" && isRight(way) ? [way.cost] : []))
  const maxCost = Math.min(...costsOfOthers) + MUCH_LIKELIER
  return rankedWays.filter(({ way }) => isRight(way) || !isAbout(way, mention) || way.cost < maxCost)
}

/** Whether an amount of memory is 1,000 times too large or too small for the named model, so that other meanings need
 * not be tried.
 * @param {Quantity} quantity @param {Mention | null} mention */
export function isInWrongUnit({ role, number }, mention) {
  const [name] = mention?.models ?? []
  return Boolean(name && role === "memory" && sentenceOnWrongUnit(number, "", classAndTotal(name).total))
}

/** The words of a way to a profiler's output: their beginning, and the name of the profiler. */
const PRINTED = /^((?:twice )?what )(.+?) prints as .*$/

/** A way to a rounded number of operations that a profiler prints, with the names of all profilers that print as much
 * for the same texts, unless the words name one.
 * @param {Explanation} way @param {Explanation[]} ways @param {Context} context @returns {Explanation} */
function withAllProfilers(way, ways, { profilers }) {
  if (!way.profiler || profilers.length) return way
  /** Whether another way is about the same model, class and texts. */
  const isAlike = (/** @type {Explanation} */ { models: [model], classes: [modelClass], tokens, texts }) =>
    model === way.models[0] && modelClass === way.classes[0] && tokens === way.tokens && texts === way.texts
  const [, opening = ""] = PRINTED.exec(way.words) ?? []
  const names = ways.flatMap((other) => {
    const [, start, name] = (isAlike(other) && PRINTED.exec(other.words)) || []
    return name && start === opening ? [name] : []
  })
  const distinctNames = [...new Set(names)]
  return distinctNames.length > 1
    ? { ...way, words: `${opening}${asPlainText(enumeration(distinctNames))} print, rounded` }
    : way
}

/** Whether a way is about the named model. @param {Explanation} way @param {Mention | null} mention */
export const isAbout = (way, mention) =>
  Boolean(
    mention &&
      (mention.models.some((name) => way.models.includes(name)) ||
        (way.kind === "other" && mention.others.some((name) => otherModels[name].title === way.words))),
  )

/** The name of the model that an answer is about: the named one, or else the likeliest; "" if there is none.
 * @param {Explanation} way @param {Mention | null} mention */
export const modelOf = (way, mention) =>
  mention?.models.find((name) => way.models.includes(name)) ?? way.models[0] ?? ""

/** The largest extra cost of a way that is about as likely, by the role of the number. Files lack the pooler more
 * often than people forget it.
 * @type {Record<string, number>} */
const RIVAL_COST = { count: 1.1, memory: 2.5 }

/** Another number of the same model that a rounded number fits about as well, if the likeliest is that of a class with
 * a head that no word suggests; otherwise null. The likeliest then need not be the one that is meant: 108.89M is BERT
 * base with a head for tokens, but also BERT base without its pooler.
 * @param {Pick<ResolvedNumber, "quantity" | "context" | "ways" | "first">} resolvedNumber */
export function rivalOf({ quantity, context, ways, first }) {
  const isRounded = quantity.number.size > 1 && ["count", "memory"].includes(quantity.role)
  if (!first || !isRounded || !first.classes.length || context.classes.length || context.endings.length) return null
  const [name] = first.models
  const isOfHead = name && !first.mistakes.length && !first.classes.includes(classOfBare(models.get(name).architecture))
  if (!isOfHead || first.parts.length) return null
  const cost = costInContext(first, context, quantity.role)
  /** Whether a way is about the bare model, whole or without its pooler. @param {Explanation} way */
  const isBare = ({ kind, classes: [modelClass], mistakes, parts }) =>
    kind === first.kind &&
    !parts.length &&
    modelClass === classOfBare(models.get(name).architecture) &&
    ["", "pooler-left-out"].includes(mistakes.join())
  return (
    ways.find(
      (way) =>
        way.models.includes(name) &&
        way.number !== first.number &&
        way.bytesPerParameter === first.bytesPerParameter &&
        isBare(way) &&
        (isWithinRounding(way) || !isWithinRounding(first)) &&
        costInContext(way, context, quantity.role) <= cost + RIVAL_COST[quantity.role],
    ) ?? null
  )
}
