// Explains the output of profilers: the operations of a pass and the parameters.
//
// thop, ptflops and DeepSpeed return a few numbers, each in its own order. ptflops,
// calflops and DeepSpeed print lines with labels. The numbers are explained together: a
// class should have the parameters and, for some length of text, the operations by one of
// the conventions. If the operations of several classes are rounded to the same number, the
// parameters decide between them. A profile that also shows modules is a print-out, which rows/ reads.

import exported from "../../data/operations.js"
import { count, countWith, lazily, models, noun, sumBy } from "../counting/engine.js"
import { countedModels, countsOf } from "../explaining/kinds/operations.js"
import { rightWays } from "../explaining/known-numbers.js"
import { read } from "../explaining/read.js"
import { costOfModel } from "../explaining/ways.js"
import { stepsUndoing } from "./labels/meanings.js"
import { showsModules } from "./rows/modules.js"
import { accountWith, code, enumeration, finding, link, linkTo, withCapital, words } from "./words.js"

const { search } = exported

/** A number in a profile: what it counts, the number of forward passes that it amounts to, and the line that states it.
 * @typedef {{ quantity: "parameters" | "macs" | "flops", passes: number, number: NumberRead,
 *   source: string }} Figure */

/** A profile: the tool that printed it, and its numbers. @typedef {{ tool: string, figures: Figure[] }} Profile */

/** A class of a model with a text length and a batch, and the meaning of each figure.
 * @typedef {{ models: string[], modelClass: string, tokens: number, textCount: number, cost: number,
 *   meanings: (MeaningOfFigure | null)[] }} ProfileFit */

/** The meaning of a figure: its exact number; the words for it without that number (`what`) and with it (`sentence`);
 * the profiler whose convention it follows, and the reason for that convention (both "" if it is not the tool's own);
 * and what the release that we ran prints instead, if that differs.
 * @typedef {{ number: number, what: Words, sentence: Words, profiler: string, why: string,
 *   instead: Words }} MeaningOfFigure */

/** The deviation that leaves out the embedding tables. */
const WITHOUT_TABLES = "embeddings-excluded"
/** The deviations in thop's count of parameters: no embedding tables, but the decoder's matrix. */
const BY_THOP = [WITHOUT_TABLES, "decoder-untied"]

const MAX_COST = 2 // the largest cost of a model, so that numbers are compared with well-known models only
const MAX_TEXT_LENGTH = 512 // the maximum number of tokens in a text: as many as BERT has positions
const MAX_CLASSES = 4 // the maximum number of classes for which all lengths are tried

// --- The forms of profiles ----------------------------------------------------------

/** A number with the letter of its unit, if it has one, such as `22.36 G`. */
const AMOUNT = String.raw`([0-9]+(?:\.[0-9]+)?)\s?([KMGTB]?)`

/** The forms of the tuples that tools return, and what their numbers count, in order.
 * @type {{ tool: string, form: RegExp, quantities: Figure["quantity"][] }[]} */
const TUPLES = [
  { tool: "thop", form: /^\(?([0-9]{6,})\.0()(?:,\s*|\s+)([0-9]{4,})\.0()\)?$/, quantities: ["macs", "parameters"] },
  // The same after thop's clever_format, which writes two decimals, or three as in thop's documentation.
  {
    tool: "thop",
    form: /^\(?'?([0-9]+\.[0-9]{2,3})([KMGT])'?(?:,\s*|\s+)'?([0-9]+\.[0-9]{2,3})([KMGT])'?\)?$/,
    quantities: ["macs", "parameters"],
  },
  {
    tool: "ptflops",
    form: new RegExp(`^\\(?'?${AMOUNT}Macs?'?(?:,\\s*|\\s+)'?${AMOUNT}'?\\)?$`),
    quantities: ["macs", "parameters"],
  },
  {
    tool: "DeepSpeed",
    form: new RegExp(`^\\(?'?${AMOUNT}'?(?:,\\s*|\\s+)'?${AMOUNT}MACs'?(?:,\\s*|\\s+)'?${AMOUNT}'?\\)?$`),
    quantities: ["flops", "macs", "parameters"],
  },
]

/** The labels of printed lines, with the tool that prints them.
 * @type {{ tool: string, label: RegExp, quantity: Figure["quantity"], passes?: number }[]} */
const LABELS = [
  { tool: "ptflops", label: /^Computational complexity:/, quantity: "macs" },
  { tool: "ptflops", label: /^Number of parameters:/, quantity: "parameters" },
  { tool: "calflops", label: /^Total Training Params:/, quantity: "parameters" },
  { tool: "calflops", label: /^fwd MACs:/, quantity: "macs" },
  { tool: "calflops", label: /^fwd FLOPs:/, quantity: "flops" },
  { tool: "calflops", label: /^fwd\+bwd MACs:/, quantity: "macs", passes: 3 },
  { tool: "calflops", label: /^fwd\+bwd FLOPs:/, quantity: "flops", passes: 3 },
  { tool: "DeepSpeed", label: /^params(?: per GPU| of model)?:/i, quantity: "parameters" },
  { tool: "DeepSpeed", label: /^fwd MACs per GPU:/i, quantity: "macs" },
  { tool: "DeepSpeed", label: /^fwd FLOPs per GPU:/i, quantity: "flops" },
]
/** The beginning of a line with a measured time. */
const LATENCY = /^\s*(?:fwd|bwd) latency\b/m
/** The number after a label, with its unit. */
const VALUE = /^\s*([0-9]+(?:\.[0-9]+)?)\s?([KMGT]?)(?:Macs?|MACs|FLOPS|FLOPs)?\s*$/

/** The number that digits and a unit give. @param {string} digits @param {string} unit */
const numberOf = (digits, unit) => /** @type {NumberRead} */ (read(unit ? `${digits} ${unit}` : digits))

/** The profile in a text; null if there is none, or if the text has lines of several tools.
 * @param {string} text @returns {Profile | null} */
function profileIn(text) {
  /** @type {Set<string>} */
  const tools = new Set()
  /** @type {Figure[]} */
  const figures = []
  for (const line of text.split("\n").map((rawLine) => rawLine.trim())) {
    const tuple = TUPLES.find(({ form }) => form.test(line))
    if (tuple) {
      const [, ...groups] = /** @type {RegExpExecArray} */ (tuple.form.exec(line))
      tools.add(tuple.tool)
      tuple.quantities.forEach((quantity, index) => {
        const [digits, unit] = groups.slice(2 * index)
        figures.push({ quantity, passes: 1, number: numberOf(digits, unit), source: line })
      })
      continue
    }
    const matchingLabel = LABELS.find(({ label }) => label.test(line))
    if (!matchingLabel) continue
    const { tool, label, quantity, passes = 1 } = matchingLabel
    const [, digits = "", unit = ""] = VALUE.exec(line.replace(label, "")) ?? []
    if (!digits) continue
    tools.add(tool)
    figures.push({ quantity, passes, number: numberOf(digits, unit), source: line })
  }
  // DeepSpeed's profile of a module has lines that calflops prints as well, but only DeepSpeed measures time.
  if (LATENCY.test(text) && tools.delete("calflops")) tools.add("DeepSpeed")
  const [tool] = tools
  return tools.size === 1 ? { tool, figures } : null
}

// --- The meanings of figures -----------------------------------------------------------

/** Whether a value is one of the numbers that round to a figure. @param {Figure} figure @param {number} value */
const isWithin = ({ number: { low, high } }, value) => value >= low && value <= high

/** The number of parameters that a tool counts in a class of a model.
 * @param {string} tool @param {string} modelClass @param {string} model */
function parametersBy(tool, modelClass, model) {
  const { sizes } = models.get(model)
  if (tool !== "thop") return count({ modelClass, sizes })
  return countWith({ modelClass, sizes }, BY_THOP) ?? parametersWithoutTables(modelClass, model)
}

/** The number of parameters outside the embedding tables. @param {string} modelClass @param {string} model */
const parametersWithoutTables = (modelClass, model) =>
  countWith({ modelClass, sizes: models.get(model).sizes }, [WITHOUT_TABLES]) ?? Number.NaN

/** The right totals of the well-known models, as meanings of numbers. */
const wellKnownTotals = () => rightWays().filter(({ models: [model] }) => costOfModel(model) <= MAX_COST)

/** The conventions that a tool may have followed in counting operations: its own first, then those of no particular
 * tool, then those of other tools, which an earlier release may have followed.
 * @param {string} tool @param {Figure["quantity"]} quantity */
function conventionsOf(tool, quantity) {
  /** Whether a convention is the tool's own. */
  const isOfTool = (/** @type {Convention} */ { profiler = "" }) => profiler.startsWith(tool.toLowerCase())
  const conventions = search.conventions.filter(
    (convention) => convention.called === quantity && !convention.words.startsWith("twice "),
  )
  return [
    ...conventions.filter(isOfTool),
    ...conventions.filter(({ profiler }) => !profiler),
    ...conventions.filter((convention) => convention.profiler && !isOfTool(convention)),
  ].map((convention) => ({ convention, isOfTool: isOfTool(convention) }))
}

/** The meaning of a figure that counts operations; null if no convention gives it.
 * @param {string} tool @param {Figure} figure
 * @param {Record<string, number>} operations  the operations for one text, by kind
 * @param {number} textCount @returns {MeaningOfFigure | null} */
function meaningOfOperations(tool, figure, operations, textCount) {
  const unit = figure.quantity === "macs" ? "MACs" : "FLOPs"
  const results = conventionsOf(tool, figure.quantity).map(({ convention, isOfTool }) => {
    const weights = Object.entries(convention.counts)
    const number = textCount * figure.passes * sumBy(weights, ([kind, weight]) => weight * (operations[kind] || 0))
    const kinds = enumeration(weights.map(([kind]) => kind))
    return { number, convention, isOfTool, kinds }
  })
  const fit = results.find(({ number }) => isWithin(figure, number))
  if (!fit) return null
  const { number, convention, isOfTool, kinds } = fit
  const [resultOfTool] = results.filter((result) => result.isOfTool)
  const ofBothPasses = figure.passes > 1 ? " of the forward pass and the backward pass, which counts twice" : ""
  return {
    number,
    what: words`the ${unit} in ${kinds}${ofBothPasses}`,
    sentence: words`${number} ${unit} in ${kinds}${ofBothPasses}`,
    profiler: isOfTool ? (convention.profiler ?? "") : "",
    why: isOfTool ? (convention.why ?? "") : "",
    instead:
      isOfTool || !resultOfTool
        ? []
        : words`The release of ${tool} that we ran counts ${resultOfTool.kinds}: here, it would print ${resultOfTool.number}.`,
  }
}

/** The meanings of the figures of a profile for a class and a batch, in order; null for each that does not fit.
 * @param {Profile} profile @param {{ models: string[], classes: string[], counts: Record<string, number> }} candidate
 * @param {number} textCount @returns {(MeaningOfFigure | null)[]} */
const meaningsOf = ({ tool, figures }, { models: [model], classes: [modelClass], counts }, textCount) =>
  figures.map((figure) => {
    if (figure.quantity !== "parameters") return meaningOfOperations(tool, figure, counts, textCount)
    const number = parametersBy(tool, modelClass, model)
    if (!isWithin(figure, number)) return null
    const decoder =
      number === parametersWithoutTables(modelClass, model)
        ? ""
        : ", but with the decoder, whose matrix is the word table"
    const manner = tool === "thop" ? `without the embedding tables${decoder}` : "each tensor counted once"
    return {
      number,
      what: words`the parameters, ${manner}`,
      sentence: words`${number} parameters, ${manner}`,
      profiler: "",
      why: "",
      instead: [],
    }
  })

/** The rank of a class among those that fit equally well: 1, which comes last, for a class for pre-training or with an
 * LM head, because these are hardly ever profiled; otherwise 0.
 * @param {string} modelClass */
const rankOf = (modelClass) => Number(/ForPreTraining$|LMHeadModel$/.test(modelClass))

/** The classes and lengths that explain at least one figure, those that explain the most figures first and, among
 * equals, the likeliest first.
 * @param {Profile} profile @returns {ProfileFit[]} */
function fitsOf(profile) {
  const parameters = profile.figures.find(({ quantity }) => quantity === "parameters")
  /** Whether a class has the number of parameters in the profile; true if the profile gives none. */
  const hasParameters = (
    /** @type {{ models: string[], classes: string[] }} */ { models: [model], classes: [modelClass] },
  ) => !parameters || isWithin(parameters, parametersBy(profile.tool, modelClass, model))
  const candidates = countedModels().filter(hasParameters)
  /** @type {ProfileFit[]} */
  const fits = candidates.flatMap((candidate) =>
    [1, ...search.batches].map((textCount) => ({
      models: candidate.models,
      modelClass: candidate.classes[0],
      tokens: candidate.tokens,
      textCount,
      cost: candidate.cost + (textCount > 1 ? search.batch : 0),
      meanings: meaningsOf(profile, candidate, textCount),
    })),
  )
  /** Whether every figure is explained. */
  const isFullyExplained = (/** @type {ProfileFit} */ { meanings }) => meanings.every(Boolean)
  if (!fits.some(isFullyExplained)) fits.push(...fitsOfOtherLengths(profile, hasParameters))
  /** The number of explained figures. */
  const explainedCount = (/** @type {ProfileFit} */ { meanings }) => meanings.filter(Boolean).length
  return fits
    .filter((fit) => explainedCount(fit))
    .sort(
      (one, other) =>
        explainedCount(other) - explainedCount(one) ||
        one.cost - other.cost ||
        rankOf(one.modelClass) - rankOf(other.modelClass),
    )
}

/** The fits that explain at least two figures for one text of up to `MAX_TEXT_LENGTH` tokens, for the likeliest classes
 * with the number of parameters in the profile.
 * @param {Profile} profile @param {(way: { models: string[], classes: string[] }) => boolean} hasParameters
 * @returns {ProfileFit[]} */
function fitsOfOtherLengths(profile, hasParameters) {
  const classesWithParameters = wellKnownTotals()
    .flatMap((way) => way.classes.map((name) => ({ ...way, classes: [name] })))
    .filter(hasParameters)
    .slice(0, MAX_CLASSES)
  const lengths = Array.from({ length: MAX_TEXT_LENGTH }, (_, index) => index + 1)
  return classesWithParameters.flatMap(({ models: names, classes: [modelClass], cost }) =>
    lengths.flatMap((tokens) => {
      const candidate = {
        models: names,
        classes: [modelClass],
        counts: countsOf(modelClass, models.get(names[0]).sizes, tokens),
      }
      const meanings = meaningsOf(profile, candidate, 1)
      return meanings.filter(Boolean).length > 1
        ? [{ models: names, modelClass, tokens, textCount: 1, cost: cost + 1, meanings }]
        : []
    }),
  )
}

// --- The account --------------------------------------------------------------------------

/** Whether a figure counts operations. @param {Figure} figure */
const isOfOperations = ({ quantity }) => quantity !== "parameters"

/** The line of the account for a figure.
 * @param {Figure} figure @param {MeaningOfFigure | null} meaning @param {number} total @returns {AccountLine} */
function lineOf({ quantity, number, source }, meaning, total) {
  const stated = number.exact ? number.low : null
  const isOfParameters = quantity === "parameters"
  const part = meaning?.what ?? (isOfParameters ? words`a number of parameters` : words`a number of operations`)
  const right = meaning && (isOfParameters ? total : meaning.number)
  const verdict = verdictOn(number, meaning, isOfParameters ? total : null)
  return { source, part, stated, right, verdict, times: 1 }
}

/** The verdict on a figure. @param {NumberRead} number @param {MeaningOfFigure | null} meaning
 * @param {number | null} total  the number that it should have; null for operations @returns {LineVerdict} */
function verdictOn(number, meaning, total) {
  if (!meaning) return "unknown"
  if (total !== null && meaning.number !== total) return "wrong"
  return number.exact ? "right" : "rounded"
}

/** The account of a profile; null for any other text, and for a profile that cannot be explained.
 * @param {string} text @returns {Account | null} */
export function accountOfProfile(text) {
  if (showsModules(text)) return null
  const profile = profileIn(text)
  // A number of parameters below other lines may be the total of any print-out.
  const isProfile = profile && (profile.figures.some(isOfOperations) || !text.trim().includes("\n"))
  return isProfile ? accountOf(profile) : null
}

/** The account of a text that consists only of thop's number of parameters; null for any other text. Only classes with
 * a decoder are considered. For any other class, thop's number is that of the model without its embedding tables, which
 * is explained elsewhere.
 * @param {string} text @returns {Account | null} */
export function accountOfParametersByThop(text) {
  if (!/^\s*[0-9][0-9,_]{6,}(?:\.0)?\s*$/.test(text)) return null
  const number = read(text)
  if (!number?.exact) return null
  if (!parameterCountsByThop().has(number.low)) return null
  return accountOf({ tool: "thop", figures: [{ quantity: "parameters", passes: 1, number, source: text.trim() }] })
}

/** The numbers of parameters that thop counts for well-known classes with a decoder. */
const parameterCountsByThop = lazily(
  () =>
    new Set(
      wellKnownTotals().flatMap(({ models: [model], classes: [modelClass] }) => {
        const number = parametersBy("thop", modelClass, model)
        return number === parametersWithoutTables(modelClass, model) ? [] : [number]
      }),
    ),
)

/** The words for the meanings of a profile's figures. Figures for both passes are left out if there are any others.
 * @param {Figure[]} figures @param {ProfileFit["meanings"]} meanings */
function meaningsInWords(figures, meanings) {
  const hasForwardPass = figures.some(({ passes }) => passes === 1)
  const sentences = meanings.flatMap((meaning, index) =>
    meaning && (figures[index].passes === 1 || !hasForwardPass) ? [meaning.sentence] : [],
  )
  return sentences.flatMap((sentence, index) => [index ? "; " : "", ...sentence])
}

/** Findings on a profile: unexplained figures, what the release that we ran prints, and how the tool counts.
 * @param {string} tool @param {ProfileFit["meanings"]} meanings */
function findingsOn(tool, meanings) {
  const [instead = []] = meanings.flatMap((meaning) => (meaning?.instead.length ? [meaning.instead] : []))
  const { profiler = "", why = "" } = meanings.find((meaning) => meaning?.profiler) ?? {}
  const page = link(`run/operations.html#profiler-${profiler}`, `How ${tool} counts`)
  return [
    ...(meanings.every(Boolean) ? [] : [finding(30, words`We cannot tell what ${tool} counts in the other numbers.`)]),
    ...(instead.length ? [finding(25, instead)] : []),
    ...(why ? [finding(20, words`${page}: ${withCapital([why])}`)] : []),
  ]
}

/** The bridge from the number of parameters that thop counts to the total; null if the two are equal.
 * @param {number} parameters @param {number} total @param {string} modelClass @param {Model} model */
function bridgeToTotal(parameters, total, modelClass, { sizes, title }) {
  if (parameters === total) return null
  const steps = stepsUndoing(modelClass, sizes, BY_THOP)
  return { start: parameters, startLabel: "your number", steps, end: total, endLabel: `${title}, as ${modelClass}` }
}

/** The account of a profile; null if no class explains any of its figures.
 * @param {Profile} profile @returns {Account | null} */
function accountOf(profile) {
  const { tool, figures } = profile
  const [fit] = fitsOf(profile)
  if (!fit) return null
  const { modelClass, tokens, textCount, meanings } = fit
  const [name] = fit.models
  const model = models.get(name)
  const total = count({ modelClass, sizes: model.sizes })
  const hasOperations = figures.some((figure, index) => isOfOperations(figure) && meanings[index])
  const batch = `${textCount > 1 ? `${textCount} texts` : "one text"} of ${tokens} ${noun(tokens, "token")}`
  const forTexts = hasOperations ? `, given ${batch}` : ""
  const parameters = meanings.find((_, index) => !isOfOperations(figures[index]))?.number ?? total
  return accountWith({
    kind: "labels",
    headline: words`This is what ${tool} prints for ${linkTo(model)}, as ${code(modelClass)}${forTexts}: ${meaningsInWords(figures, meanings)}.`,
    findings: findingsOn(tool, meanings),
    lines: figures.map((figure, index) => lineOf(figure, meanings[index], total)),
    bridge: bridgeToTotal(parameters, total, modelClass, model),
    model: { name, modelClass, total },
    confidence: meanings.every(Boolean) && figures.length > 1 ? "certain" : "likely",
  })
}
