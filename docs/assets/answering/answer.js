// Builds the answer to a number: a sentence, the sum worked out, the bridge to the
// right total, and the other ways to the number. The explanations come from
// explaining/, sorted by likelihood; `answerTo` decides how to present them:
//
// 1. If the text contains no number, or an unexplained one that is too small to be a count,
//    the answer is a paragraph about that. If it cannot be read but has a single large number,
//    the answer is about this number.
// 2. If a sum was typed and its result has no likely explanation, the terms are explained
//    one by one, provided that all of them can be explained.
// 3. If the reader chose a model that does not explain the number, or explains it only as close
//    to one of its own or as a doubtful rounding, all models are tried. If nothing explains the
//    number, the answer says so.
// 4. Otherwise the first explanation is the answer. Below it, a list gives other explanations
//    or, if the number is rounded, a table gives other exact numbers that it may mean.
//
// Throughout this module, `text` is what the reader typed, and `modelName` the name of
// the model that the reader chose, or "".

import table from "../../data/table.js"
import { bridge } from "../counting/bridge.js"
import {
  Counter,
  classOfBare,
  count,
  countWith,
  deviations,
  models,
  noun,
  sizeWithNoun,
  whole,
} from "../counting/engine.js"
import { fillIn } from "../counting/messages.js"
import { cut as cutTo } from "../counting/short.js"
import { explain, isPlausible, isRight, LIKELY, modelForLetters } from "../explaining/explain.js"
import { readWithSizes } from "../explaining/letters.js"
import { IGNORED, typedNumberOf } from "../explaining/read.js"
import { isBinaryMillion } from "../explaining/readings.js"
import { UNIT_NAMES } from "../explaining/units.js"
import { groupByValue, modelsByUse, statedNumber } from "../explaining/ways.js"
import { asSubject } from "../reading/words.js"
import { code, content, element, inWords, link, number, tableOf, withSign } from "./elements.js"
import { amountInUnit, classOf, modelOf, parametersOf, phrase, sentence, wordsOf } from "./sentences.js"
import { waterfall } from "./waterfall.js"
import { sumOfPart, sumOfTotal } from "./working.js"

const { limits, pages, sources, quoted_totals: quotedTotals } = table.explanations
const { phrases } = table
// Limits on what a reader can take in:
const MAX_WAYS = 5 // other ways to the number, in a list
const MAX_ROWS = 8 // other numbers that a rounded number may mean, in a table
const MAX_IN_SENTENCE = 3 // ways or parts in the first sentence
const MAX_TEXT_LENGTH = 200 // characters of a remark whose only number is explained
const MAX_QUOTE_LENGTH = 60 // characters of the typed text that a sentence quotes

/** The paragraph at the top of an answer. @param {(Content | Content[])[]} children */
const topParagraph = (...children) => element("p", { class: "bc-answer" }, ...children)

/** A collapsible section with a summary.
 * @param {string} className @param {string} summary @param {Content[]} children */
const fold = (className, summary, ...children) =>
  element("details", { class: className }, element("summary", {}, summary), ...children)

// --- The sum --------------------------------------------------------------

/** A sum on a line of its own. @param {string} sum */
const sumElement = (sum) => element("p", { class: "bc-sum" }, element("code", {}, sum))

/** A sum and its result as an equation; empty if there is no sum, or if it is only the result.
 * @param {string} sum @param {number} result */
const equationOf = (sum, result) => (sum && sum !== whole(result) ? [sumElement(`${sum} = ${whole(result)}`)] : [])

/** The sums that lead to the number, worked out to the last digit; empty if there are none.
 * @param {Explanation} explanation @param {string} modelName @returns {Content[]} */
function workingOf(explanation, modelName) {
  const { kind, terms, bytesPerParameter, unit } = explanation
  const result = statedNumber(explanation)
  if (kind === "operations") return [...equationOf(sumOfTerms(terms), result), ...termsInOrder(terms)]
  if (["tensors", "share", "setting", "quoted"].includes(kind)) return []
  const conversion = unit > 1 ? [sumElement(`${whole(result)} ÷ ${whole(unit)} ≈ ${amountInUnit(explanation)}`)] : []
  if (terms.length) return [...equationOf(sumOfTerms(terms), result), ...conversion]
  const sum = explanation.models.length ? sumOf(explanation, modelName) : []
  const frame = result - parametersOf(explanation) * bytesPerParameter
  const bytes = `${whole(parametersOf(explanation))} × ${bytesPerParameter}${frame ? ` + ${whole(frame)}` : ""}`
  return bytesPerParameter ? [...sum, ...equationOf(bytes, result), ...conversion] : sum
}

/** The sum for the parameters of a model or of a part; empty if there are several parts, or a part with a mistake.
 * @param {Explanation} explanation @param {string} modelName */
function sumOf(explanation, modelName) {
  const { sizes } = modelOf(explanation, modelName)
  const { parts, mistakes, layers } = explanation
  if (parts.length)
    return parts.length > 1 || mistakes.length
      ? []
      : equationOf(sumOfPart(parts[0], sizes, layers), parametersOf(explanation))
  const modelClass = classOf(explanation)
  const readersSizes = { ...sizes, ...explanation.sizes }
  const total = countWith({ modelClass, sizes: readersSizes }, mistakes) ?? NaN
  return equationOf(sumOfTotal(modelClass, readersSizes, mistakes), total)
}

/** A sum of terms, with their signs and factors.
 * @param {Pick<ExplanationTerm, "times" | "number" | "shown">[]} terms */
const sumOfTerms = (terms) =>
  terms
    .map(({ times, number, shown }, index) => {
      const sign = times < 0 ? " − " : " + "
      const factor = Math.abs(times) > 1 ? `${Math.abs(times)} × ` : ""
      return `${index ? sign : ""}${shown || factor + whole(number)}`
    })
    .join("")

/** A sentence that says what each term of a sum counts; empty for a single term. @param {ExplanationTerm[]} terms */
const termsInOrder = (terms) =>
  terms.length > 1
    ? [element("p", { class: "bc-purpose" }, `In this order: ${terms.map((term) => wordsOf(term, 0)).join(", ")}.`)]
    : []

/** The words above a list of parts. @param {Explanation} explanation @param {string} modelName */
function headingOfParts(explanation, modelName) {
  const { page, title } = modelOf(explanation, modelName)
  const countNote = explanation.mistakes.length ? ", counted differently" : ""
  return content`These parts of ${link(page, asSubject(title))} have ${number(explanation.number)} parameters each${countNote}:`
}

/** A list of the parts that have the same size, with their sums unless they are miscounted; empty unless there are
 * several parts.
 * @param {Explanation} explanation @param {string} modelName */
function listOfParts(explanation, modelName) {
  if (explanation.parts.length < 2) return []
  const numberText = whole(parametersOf(explanation))
  const items = explanation.parts.map((part) => {
    const sum = explanation.mistakes.length
      ? ""
      : sumOfPart(part, modelOf(explanation, modelName).sizes, explanation.layers)
    const equation = sum && sum !== numberText ? content`: ${code(`${sum} = ${numberText}`)}` : ""
    return element("li", {}, content`${link(part.page, wordsOf(part, explanation.layers))}${equation}`)
  })
  return [element("ul", {}, items)]
}

// --- Around the answer -----------------------------------------------------

/** A sentence about the sources that print the number as it was typed, not rounded differently; empty if there are
 * none.
 * @param {Explanation} explanation */
function sourcesNote({ printed_in: prints, reading }) {
  const [low, high] = reading.printedBounds
  const names = new Set(prints.filter((print) => print.low === low && print.high === high).map(({ source }) => source))
  const links = [...names].map((name) => link(`${pages.claims}#${name}`, sources[name].title))
  return links.length ? [element("p", {}, content`This number appears in ${inWords(links)}.`)] : []
}

/** A collapsible list of the other models and classes with the same number; empty if there are none, or if the number
 * is a sum of terms.
 * @param {Explanation} explanation @param {string} modelName */
function sameNumberList(explanation, modelName) {
  const matchingModels = explanation.models.map((name) => models.get(name))
  // A checkpoint with the same sizes as one of our models has no page here, only a name on the Hub.
  const names = [
    ...explanation.classes.slice(1).map(code),
    ...matchingModels
      .filter((other) => other !== modelOf(explanation, modelName))
      .map(({ page, title }) => link(page, title)),
    ...matchingModels.flatMap(({ also = [] }) => also.map(code)),
  ]
  if (!names.length || explanation.terms.length || !matchingModels.length) return []
  const subject = `${names.length} more ${noun(names.length, "model or class", "models and classes")}`
  // A number that results from a mistake or a replaced size is not the number of any model.
  const summary =
    explanation.mistakes.length || explanation.kind === "size"
      ? `The same holds for ${subject}`
      : `${subject} ${noun(names.length, "has", "have")} the same number, ${numberWithUnit(explanation)}`
  return [fold("bc-same", summary, element("p", {}, ...names.flatMap((name, index) => [index ? "; " : "", name])))]
}

/** A sentence about the likeliest model of the same width and depth whose vocabulary has the size that the reader took;
 * empty if that size is the model's own, perhaps with a few added tokens, or if the reader made a mistake as well.
 * @param {Explanation} explanation @param {string} modelName */
function vocabularyNote(explanation, modelName) {
  const { kind, sizes, mistakes } = explanation
  if (kind !== "size" || !sizes.V || mistakes.length) return []
  const { sizes: ownSizes } = modelOf(explanation, modelName)
  if (Math.abs(sizes.V - ownSizes.V) <= limits.max_tokens) return []
  const owner = modelsByUse.find(
    (other) => other.sizes.V === sizes.V && "HL".split("").every((letter) => other.sizes[letter] === ownSizes[letter]),
  )
  if (!owner) return []
  const modelClass = classOfBare(owner.architecture)
  const total = count({ modelClass, sizes: owner.sizes })
  return [
    element(
      "p",
      {},
      content`${link(owner.page, asSubject(owner.title))} has a vocabulary of this size, and ${number(total)} parameters (${code(modelClass)}).`,
    ),
  ]
}

/** A sentence with a link to the page about the paper's rounded numbers, if this is one of them.
 * @param {NumberRead} input */
const paperNote = (input) =>
  input.amount === "count" && quotedTotals.includes(typedNumberOf(input))
    ? [element("p", {}, content`The paper prints this figure; see ${link(pages.rounded, "where it comes from")}.`)]
    : []

// --- The bridge --------------------------------------------------------------

/** The columns of the bridge. @type {Columns} */
const BRIDGE_COLUMNS = { "to put it right": "text", change: "num", formula: "prose", why: "prose" }

/** The bridge from the reader's number to the right total of the same model and class, as a figure and a table.
 * @param {Explanation} explanation @param {string} modelName */
function bridgeOf(explanation, modelName) {
  const { title, page, sizes } = modelOf(explanation, modelName)
  const modelClass = classOf(explanation)
  const readersSizes = { ...sizes, ...explanation.sizes }
  /** The total of the class with some sizes and deviations. @param {Sizes} sizes @param {string[]} deviations */
  const total = (sizes, deviations = []) => countWith({ modelClass, sizes }, deviations) ?? NaN
  const start = total(readersSizes, explanation.mistakes)
  // The mistakes are corrected first, with the sizes that the reader took; then the sizes are corrected.
  const steps = bridge(modelClass, readersSizes, explanation.mistakes).map(({ deviation, value, formula }) => {
    const { name, kind, undo: label, why, effect } = deviations.get(deviation)
    return { label, address: effect ? `${pages[kind]}#${name}` : "", value, formula, why }
  })
  for (const [letter, size] of Object.entries(explanation.sizes)) {
    const formula = `${letter} = ${whole(sizes[letter])}`
    const [label, why] = [
      `take ${formula}, not ${whole(size)}`,
      `${asSubject(title)} has ${sizeWithNoun(letter, sizes[letter])}.`,
    ]
    steps.push({ label, address: "", value: total(sizes) - total(readersSizes), formula, why })
  }
  /** @type {[string, string]} */
  const ends = ["your number", `${title} (${modelClass})`]
  const bridgeWords = fillIn(phrases.bridge, { start, end: total(sizes), what: ends[1] })
  const bridgeTable = tableOf(
    "bridge",
    fillIn(phrases["step-by-step"], { bridge: bridgeWords }),
    BRIDGE_COLUMNS,
    [
      [ends[0], whole(start), "", ""],
      ...steps.map(({ label, address, value, formula, why }) => [
        link(address, label),
        withSign(value),
        code(formula),
        why,
      ]),
    ],
    [ends[1], link(page, whole(total(sizes))), "", ""],
  )
  return [waterfall(start, steps, ends), bridgeTable]
}

/** A table of the differences between a BERT and a relative, block by block. The BERT has the relative's hidden size
 * and number of layers if there is such a BERT; otherwise it is the first model of the exported table.
 * @param {Explanation} explanation @param {string} modelName */
function relativeTable(explanation, modelName) {
  const [relative, base] = [modelOf(explanation, modelName), table.models[0]]
  const { H, L } = relative.sizes
  const bertOfSameSize = table.models.find(
    ({ architecture, sizes }) => architecture === base.architecture && sizes.H === H && sizes.L === L,
  )
  const modelPair = [bertOfSameSize ?? base, relative]
  const counters = modelPair.map(({ architecture, sizes }) => new Counter(classOfBare(architecture), sizes))
  /** The row of a block, or of the whole model: its size in both models and the difference. Empty if neither has the
   * block.
   * @param {Content} name @param {string} block @returns {Content[][]} */
  const row = (name, block) => {
    const [ofBert, ofRelative] = counters.map((counter) => counter.number([], "", block) ?? NaN)
    return ofBert || ofRelative ? [[name, whole(ofBert), withSign(ofRelative - ofBert), whole(ofRelative)]] : []
  }
  const rows = Object.entries(table.blocks).flatMap(([block, { title, page }]) => row(link(page, title), block))
  const [[name, bertTotal, ...others]] = row(table.labels.total, "")
  const [from, to] = modelPair.map(({ title }) => title)
  return tableOf(
    "bridge",
    `From ${from} to ${to}, both without heads`,
    { block: "text", [from]: "num", difference: "num", [to]: "num" },
    rows,
    [name, link(modelPair[0].page, String(bertTotal)), ...others],
  )
}

/** For a relative of BERT, the table of differences; for a BERT, the bridge, provided that there is something to
 * correct. Empty if the answer is not about a whole model, or if it is merely possible.
 * @param {Explanation} explanation @param {string} modelName */
function bridgeElements(explanation, modelName) {
  const isAboutModel =
    ["total", "size", "memory"].includes(explanation.kind) && explanation.models.length && !explanation.parts.length
  if (!isAboutModel || explanation.confidence === "possible") return []
  if (modelOf(explanation, modelName).architecture !== table.models[0].architecture)
    return [relativeTable(explanation, modelName)]
  return explanation.mistakes.length || Object.keys(explanation.sizes).length ? bridgeOf(explanation, modelName) : []
}

// --- The answer -----------------------------------------------------------------

/** The likeliest explanation of each number. @param {Explanation[]} explanations */
const likeliestPerNumber = (explanations) => groupByValue(explanations, ({ number }) => number).map(([first]) => first)

/** The number, with the word "bytes" if it counts bytes. @param {Explanation} explanation */
const numberWithUnit = (explanation) =>
  whole(statedNumber(explanation)) + (explanation.kind === "memory" ? " bytes" : "")

/** The exact number that the typed text may mean or, for a share, the ratio or the reduction.
 * @param {Explanation} explanation */
function numberOrRatio(explanation) {
  const [first, second] = explanation.terms
  if (explanation.kind !== "share") return numberWithUnit(explanation)
  const ratio = first.number / second.number
  return `≈ ${(explanation.isReduction ? 1 - ratio : ratio).toPrecision(3)}`
}

/** The columns of the table of numbers that a rounded number may mean. @type {Columns} */
const FITTING_COLUMNS = { number: "num", "what it is": "prose", "how it fits": "text" }

/** The other numbers that a rounded number may mean: the likeliest in a table, and all remaining right totals in a
 * list; empty if there are none.
 * @param {Explanation[]} explanations @param {string} quote  the rounded number as typed @param {string} modelName */
function fittingTable(explanations, quote, modelName) {
  const [first, ...others] = likeliestPerNumber(explanations)
  if (!others.length) return []
  const visibleOthers = others.slice(0, MAX_ROWS)
  const numbers = new Set([first, ...visibleOthers].map(({ number }) => number))
  const moreTotals = likeliestPerNumber(explanations.filter(isRight)).filter(({ number }) => !numbers.has(number))
  const numbersTable = tableOf(
    "fitting",
    `What else ${quote} may stand for, the likeliest first`,
    FITTING_COLUMNS,
    visibleOthers.map((explanation) => [
      numberOrRatio(explanation),
      element("span", {}, ...phrase(explanation, modelName)),
      unitNote(explanation, quote) + howItFits(explanation),
    ]),
  )
  const items = moreTotals.map((explanation) =>
    element("li", {}, `${numberWithUnit(explanation)}: `, ...phrase(explanation, modelName)),
  )
  const summary = `${whole(moreTotals.length)} more ${noun(moreTotals.length, "total")} of models that we know`
  return moreTotals.length ? [numbersTable, fold("bc-same", summary, element("ul", {}, items))] : [numbersTable]
}

/** The words for the unit in which a number fits, to precede the words for how it fits; "" if no unit needs mention.
 * @param {Explanation} explanation @param {string} quote  the number as typed */
function unitNote(explanation, quote) {
  if (explanation.reading.isUnitAssumed) return `as ${quote} ${explanation.reading.unit}, `
  return explanation.kind === "memory" && explanation.unit > 1 ? `${amountInUnit(explanation)}, ` : ""
}

/** The words for up to five significant figures, by their number. A larger number is written in digits. */
const FIGURE_COUNTS = ["", "one figure", "two figures", "three figures", "four figures", "five figures"]

/** The words for how a number fits what was typed: as a ratio, or rounded or cut to a number of figures or to a
 * multiple.
 * @param {Explanation} explanation */
function howItFits({ kind, number, reading }) {
  const { windows, size } = reading
  if (kind === "share") return "as a ratio"
  const { low, high, figures, isCut } = windows.find(({ low, high }) => number >= low && number <= high) ?? windows[0]
  // The place value of the last figure, which is the width of the window.
  const step = 10 ** Math.round(Math.log10(high - low))
  // 0.6 billion is 1 billion only if it is rounded to whole billions.
  const isShorter = number < step * 10 ** (figures - 1)
  const extent = isShorter ? `a multiple of ${whole(step)}` : (FIGURE_COUNTS[figures] ?? `${figures} figures`)
  const division = isBinaryMillion(reading) ? `divided by ${whole(size)} and ` : ""
  return `${division}${isCut ? "cut" : "rounded"} to ${extent}`
}

/** A collapsible list of the other ways to a number, or of other numbers close to it; empty if there are none.
 * @param {Explanation[]} others
 * @param {Explanation} first  the explanation above them
 * @param {string} modelName */
function waysList(others, first, modelName) {
  if (!others.length) return []
  const visibleOthers = others.slice(0, MAX_WAYS)
  const hiddenCount = others.length - visibleOthers.length
  const hiddenNote = hiddenCount
    ? [element("p", {}, `${whole(hiddenCount)} more ${noun(hiddenCount, "is", "are")} not shown.`)]
    : []
  const ways = noun(others.length, "One other way to get this number", "Other ways to get this number")
  const summary = visibleOthers.every((explanation) => explanation.kind === "near") ? "Other numbers close to it" : ways
  const items = visibleOthers.map((explanation) =>
    element("li", {}, ...sentence(explanation, modelName, [], explanation.number === first.number)),
  )
  return [fold("bc-ways-on", summary, element("ol", {}, items), ...hiddenNote)]
}

// The largest difference in cost between two ways that are about as likely; see macros/counting/search/__init__.py.
const MAX_COST_DIFFERENCE = 1

/** Whether an explanation is about as likely as the first one, or likelier.
 * @param {Explanation} explanation @param {Explanation} first */
const isAboutAsLikely = ({ cost }, first) => cost <= first.cost + MAX_COST_DIFFERENCE

/** The first few ways that are about as likely as the first explanation and differ from it only in which mistakes they
 * have. Empty unless the first is a total that results from mistakes and that no source prints.
 * @param {Explanation[]} explanations */
function waysAsLikely([first, ...rest]) {
  if (first.kind !== "total" || !first.mistakes.length || first.printed_in.length) return []
  /** A key that two explanations share if they differ only in which mistakes they have.
   * @param {Explanation} explanation */
  const key = ({ kind, number, mistakes, models: [model], classes: [modelClass] }) =>
    [kind, number, mistakes.length, model, modelClass].join()
  const ways = rest.filter((explanation) => key(explanation) === key(first) && isAboutAsLikely(explanation, first))
  return ways.slice(0, MAX_IN_SENTENCE - 1)
}

// A sum with a smaller term is not explained, because that term may be a size or a factor.
const MIN_EXPLAINED_TERM = 100_000
const MAX_TERMS = 3 // a sum with more distinct terms is not explained: each takes as long as a number on its own

/** The likeliest explanation of each term; null unless all of them can be explained. Equal terms are explained once.
 * @param {string[]} terms @param {string} modelName @param {typeof explain} explainTerm
 * @returns {Explanation[] | null} */
function explainTerms(terms, modelName, explainTerm) {
  const uniqueTerms = new Set(terms)
  const { sizes } = modelForLetters(modelName)
  /** Whether a term is large enough to be explained. */
  const isLarge = (/** @type {string} */ term) => (readWithSizes(term, sizes)?.high ?? 0) >= MIN_EXPLAINED_TERM
  if (uniqueTerms.size > MAX_TERMS || ![...uniqueTerms].every(isLarge)) return null
  /** @type {Map<string, Explanation>} */
  const likeliestByTerm = new Map()
  for (const term of uniqueTerms) {
    const [first] = explainTerm(term, modelName) ?? []
    if (!first || first.number < MIN_EXPLAINED_TERM || first.kind === "near") return null
    likeliestByTerm.set(term, { ...first, confidence: LIKELY })
  }
  return withoutInnerParts(terms.flatMap((term) => likeliestByTerm.get(term) ?? []))
}

/** The explanations of terms. One with several possible parts keeps only those outside the parts of the other terms, if
 * there are any: beside a term for all encoder layers, 590,592 is the pooler rather than a projection in one of them.
 * @param {Explanation[]} explanations */
const withoutInnerParts = (explanations) =>
  explanations.map((explanation) => {
    const paths = explanations.flatMap(({ parts }) => (parts.length === 1 ? `${parts[0].path}/` : []))
    const outerParts = explanation.parts.filter(({ path }) => !paths.some((outer) => path.startsWith(outer)))
    return explanation.parts.length > 1 && outerParts.length ? { ...explanation, parts: outerParts } : explanation
  })

const OPERATORS = /[-+−–/÷]/g // signs between terms; a product counts as one term

/** An answer about the terms of a typed sum, difference or ratio; empty unless all of them have an explanation.
 * @param {string} sum @param {string} modelName
 * @param {string} result  the sum with its result
 * @param {typeof explain} explainTerm */
function answerByTerms(sum, modelName, result, explainTerm) {
  const terms = sum.split(OPERATORS).map((term) => term.trim())
  const signs = sum.match(OPERATORS) ?? []
  const meanings = terms.length > 1 && explainTerms(terms, modelName, explainTerm)
  if (!meanings) return []
  const [first] = meanings
  const roundedIndex = meanings.findIndex(({ reading }) => reading.uncertainty)
  // As in 109,482,240 − 109M, where the second term is the first one rounded.
  if (meanings.length === 2 && meanings[1].number === first.number && roundedIndex >= 0) {
    const roundedTerm = cut(terms[roundedIndex])
    const sameNumber = content`${sentence(first, modelName)} ${roundedTerm} is the same number, ${howItFits(meanings[roundedIndex])}.`
    return [topParagraph(result, "The difference is only rounding. ", ...sameNumber), ...workingOf(first, modelName)]
  }
  const sentences = meanings.flatMap((explanation, index) => [
    index ? " " : "",
    explanation.reading.uncertainty ? `${cut(terms[index])} is ${howItFits(explanation)}. ` : "",
    ...sentence(explanation, modelName),
  ])
  // Rounded terms enter the sum with their exact numbers.
  const exactTerms = meanings.map(({ number }, index) => ({
    times: !index || signs[index - 1] === "+" ? 1 : -1,
    number,
  }))
  const value = exactTerms.reduce((total, { times, number }) => total + times * number, 0)
  const isRatio = signs.some((sign) => "/÷".includes(sign))
  return [topParagraph(result, ...sentences), ...(isRatio ? [] : equationOf(sumOfTerms(exactTerms), value))]
}

/** A typed sum with its result; "" if no sum was typed. @param {NumberRead} input @param {string} modelName */
function resultOf({ typedSum, inLetters, exact, mantissa, size }, modelName) {
  const sizes = inLetters ? `With the sizes of ${modelForLetters(modelName).title}, ` : ""
  return typedSum ? `${sizes}${cut(typedSum)} ${exact ? "=" : "≈"} ${whole(Math.round(mantissa * size))}. ` : ""
}

/** A typed sum that ends in a conversion to another unit, with its quotient to one decimal, or to two if the unit is
 * a billion or more.
 * @param {Explanation} first */
function quotientOf({ kind, reading: { scaledSum, scale, mantissa } }) {
  const unit = kind === "memory" && scale in UNIT_NAMES ? ` ${UNIT_NAMES[scale]}` : ""
  return `${cut(scaledSum)} ≈ ${(mantissa / scale).toFixed(scale < 10 ** 9 ? 1 : 2)}${unit}. `
}

/** The words before the first sentence, if any: for example the result of a sum, or how the number was rounded.
 * @param {Explanation} first @param {string} text @param {string} modelName
 * @param {Explanation[]} numbers  the likeliest explanation of each number that fits what was typed */
function opening(first, text, modelName, numbers) {
  const { reading } = first
  const quote = numberIn(text)
  const numberText = reading.exact ? whole(reading.low) : quote
  if (reading.typedSum && reading.exact) return resultOf(reading, modelName)
  if (reading.scaledSum && reading.exact) return quotientOf(first)
  if (isMerelyNear(first)) return `We found no way to get ${numberText}. `
  if (!reading.uncertainty) return first.confidence === "possible" ? `We found no sure way to get ${numberText}. ` : ""
  if (reading.amount === "share") return ""
  if (reading.isUnitAssumed) return `Did you mean ${quote} ${reading.unit}? `
  const isAmbiguous = numbers.length > 1 && (first.confidence === "possible" || isAboutAsLikely(numbers[1], first))
  const isDivided = isBinaryMillion(reading)
  const fitWords = `${isDivided ? "a number " : ""}${howItFits(first)}`
  const fitCount = numbers.filter((other) => isBinaryMillion(other.reading) === isDivided).length
  return isAmbiguous
    ? `${quote}, ${fitWords}, fits ${whole(fitCount)} numbers that we know. The likeliest: `
    : `${quote} is ${fitWords}. `
}

/** The answer to what a reader typed, as elements.
 * @param {string} text @param {string} modelName
 * @param {Explanation[] | null} explanations  every way to the number, the likeliest first; null if there is no number
 * @param {typeof explain} explainTerm  explains a term of a sum, or the same number in any model
 * @returns {Content[]} */
export function answerTo(text, modelName, explanations, explainTerm = explain) {
  if (!text.trim()) return [topParagraph("Enter a number first, or paste a text.")]
  const input = readWithSizes(text, modelForLetters(modelName).sizes)
  const onlyNumber = input ? "" : onlyNumberIn(text)
  if (onlyNumber) return answerTo(onlyNumber, modelName, explainTerm(onlyNumber, modelName), explainTerm)
  if (!input || !explanations) return [refusal(text)]
  const [first] = explanations
  const isSure = first && first.confidence !== "possible"
  if (isSmall(input, modelName) && (!first || first.kind === "near")) return [answerToSmall(input, modelName)]
  const result = resultOf(input, modelName)
  const answerOfTerms = isSure ? [] : answerByTerms(input.typedSum, modelName, result, explainTerm)
  if (answerOfTerms.length) return answerOfTerms
  const noWayFound = `${result}We found no way to get ${input.typedSum ? "this number" : numberIn(text)}`
  const answerOfAnyModel = modelName ? answerInAnyModel(input, text, modelName, first, noWayFound, explainTerm) : []
  if (answerOfAnyModel.length) return answerOfAnyModel
  if (first) return answerWithExplanations(explanations, text, modelName)
  const missingPiece = input.typedSum ? "term" : "digit"
  const advice = `Perhaps a ${missingPiece} is missing, or the number belongs to a model that we do not know.`
  return [topParagraph(`${noWayFound}. ${advice}`)]
}

/** The answer from all models if the one that the reader chose does not explain a number, or only as a number close to
 * it or as a doubtful rounding, and another model explains it better; otherwise empty.
 * @param {NumberRead} input @param {string} text @param {string} modelName
 * @param {Explanation | undefined} first  the likeliest in the chosen model @param {string} noWayFound
 * @param {typeof explain} explainTerm @returns {Content[]} */
function answerInAnyModel(input, text, modelName, first, noWayFound, explainTerm) {
  const isDoubtful = first !== undefined && isDoubtfullyRounded(first)
  if (first && !isDoubtful && !isMerelyNear(first)) return []
  // Letters mean other sizes in other models, so the result of a sum with letters stands for the sum.
  const textForAnyModel = input.inLetters ? String(input.low) : text
  const explanations = explainTerm(textForAnyModel, "")
  const [other] = explanations ?? []
  const isBetter = other !== undefined && (isDoubtful ? isRight(other) : isPlausible(other))
  if (first && !isBetter) return []
  const { title } = models.get(modelName)
  const beginning = isDoubtful ? `No total of ${asSubject(title)} fits ${numberIn(text)}` : `${noWayFound} for ${title}`
  return [topParagraph(`${beginning}. Of any model:`), ...answerTo(textForAnyModel, "", explanations, explainTerm)]
}

/** Whether an explanation of a rounded number is neither likely nor about a part or a right total.
 * @param {Explanation} explanation */
const isDoubtfullyRounded = (explanation) =>
  explanation.reading.uncertainty > 0 &&
  explanation.reading.amount !== "share" &&
  explanation.confidence === "possible" &&
  explanation.kind !== "part" &&
  !isRight(explanation)

/** Whether an explanation only names a number close to the typed one. @param {Explanation} explanation */
const isMerelyNear = ({ kind, slip }) => kind === "near" && !slip

/** The answer if there are explanations. It presents the first at length.
 * @param {Explanation[]} explanations @param {string} text @param {string} modelName  "" for any model
 * @returns {Content[]} */
function answerWithExplanations(explanations, text, modelName) {
  const [first, ...furtherExplanations] = explanations
  const { reading, parts } = first
  const isRounded = reading.uncertainty > 0 && reading.amount !== "share"
  const alternatives = waysAsLikely(explanations)
  const numbers = likeliestPerNumber(explanations)
  const lessLikely = furtherExplanations.filter((explanation) => !alternatives.includes(explanation))
  // For a rounded number, a table lists the others that fit, so the sentence need not mention coincidence.
  const firstWithoutDoubt = isRounded ? { ...first, confidence: LIKELY } : first
  const statement =
    parts.length > MAX_IN_SENTENCE && first.kind === "part"
      ? headingOfParts(first, modelName)
      : sentence(firstWithoutDoubt, modelName, alternatives)
  return [
    topParagraph(opening(first, text, modelName, numbers), ...statement),
    ...workingOf(first, modelName),
    ...(first.why ? [element("p", {}, first.why)] : []),
    ...listOfParts(first, modelName),
    ...(isRounded && isRight(first) ? paperNote(reading) : []),
    ...sourcesNote(first),
    ...vocabularyNote(first, modelName),
    ...bridgeElements(first, modelName),
    ...(isRounded ? fittingTable(explanations, numberIn(text), modelName) : []),
    ...sameNumberList(first, modelName),
    ...(isRounded ? [] : waysList(lessLikely, first, modelName)),
    element("p", {}, element("a", { href: addressOf(text, modelName) }, "Link to this answer")),
  ]
}

/** Whether the input is an exact count smaller than a vector. @param {NumberRead} input @param {string} modelName */
const isSmall = ({ exact, amount, low }, modelName) =>
  exact && amount === "count" && low < modelForLetters(modelName).sizes.H

/** The answer to a number that is smaller than a single vector.
 * @param {NumberRead} input @param {string} modelName */
function answerToSmall(input, modelName) {
  const { title, sizes } = modelForLetters(modelName)
  const numberText = whole(input.low)
  const result = resultOf(input, modelName)
  if (!input.low)
    return topParagraph(
      `${result}${numberText} is what everything without weights of its own adds: dropout, softmax, activation functions, `,
      "residual connections, and a decoder that is tied to the word embeddings.",
    )
  const hint = input.typedSum ? "" : ` If you left out a unit, add it: ${numberText}M, or ${numberText} GB.`
  const comparison = `a single vector of features in ${asSubject(title)} already has ${whole(sizes.H)} elements.`
  return topParagraph(`${result}${numberText} is too small to be a number of parameters: ${comparison}${hint}`)
}

/** The typed text, cut to a length that can be quoted. @param {string} text */
const cut = (text) => cutTo(text.trim(), MAX_QUOTE_LENGTH)

/** The typed number with its unit, without the words before and after it that do not affect it. A number in words is
 * quoted whole.
 * @param {string} text */
function numberIn(text) {
  const pieces = text.trim().split(/\s+/)
  if (!/[0-9]/.test(text)) return cut(text)
  const isIgnored = pieces.map((piece) => IGNORED.has(piece.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")))
  const numberText = pieces.slice(isIgnored.indexOf(false), isIgnored.lastIndexOf(false) + 1).join(" ")
  return cut(numberText.replace(/[?!:;]+$/, ""))
}

/** A number with its unit that is not part of a name, a fraction or a range. */
const NUMBER_AMONG_WORDS =
  /(?<![\p{L}\p{N}_.,/-])[0-9](?:[0-9.,_']*[0-9])?(?:\s?(?:[kMBG]|[kKMG]i?B|million|billion))?(?![\p{L}\p{N}_/-])/gu
const MIN_DIGITS = 5 // a number without a unit that has fewer digits may be anything

/** The only number in a text that cannot be read as a whole; "" if the text is too long, or has several numbers or none
 * that is large.
 * @param {string} text */
function onlyNumberIn(text) {
  const numbers = text.length > MAX_TEXT_LENGTH ? [] : [...text.matchAll(NUMBER_AMONG_WORDS)].map(([number]) => number)
  const [number = ""] = numbers
  const isLarge = /[a-z]$/i.test(number) || number.replace(/[^0-9]/g, "").length >= MIN_DIGITS
  return numbers.length === 1 && isLarge && number !== text.trim() ? number : ""
}

/** The answer to a text without a number. @param {string} text */
function refusal(text) {
  const [{ architecture, sizes }] = table.models
  const example = whole(count({ modelClass: classOfBare(architecture), sizes }))
  const advice = `Try digits, such as ${example}, a sum, such as ${sizes.V} × ${sizes.H}, or the lines that your tool prints.`
  return topParagraph(`“${cut(text)}” is not a number, a sum, a print-out or a config that we can read. ${advice}`)
}

/** The address of an answer. @param {string} text @param {string} modelName */
export function addressOf(text, modelName) {
  const query = new URLSearchParams({ n: text.trim(), ...(modelName && { model: modelName }) })
  return `?${query}`
}
