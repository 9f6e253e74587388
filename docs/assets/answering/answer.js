// Answers: the sentence, the sum worked out, the bridge to the right total, and
// other ways.

import table from "../../data/table.js"
import { bridge } from "../counting/bridge.js"
import { Counter, classOfBare, count, deviations, models, noun, whole } from "../counting/engine.js"
import { filled } from "../counting/messages.js"
import { cut as cutTo } from "../counting/short.js"
import { explain, isRight, LIKELY, meantBy } from "../explaining/explain.js"
import { readWith } from "../explaining/letters.js"
import { grouped } from "../explaining/ways.js"
import { code, element, link, listed, number, said, signed, tableOf } from "./elements.js"
import { classOf, modelOf, parametersOf, phrase, sentence, sized, wordsOf } from "./sentences.js"
import { waterfall } from "./waterfall.js"
import { ofPart, ofTotal } from "./working.js"

const { pages, sources, rounded: published } = table.explanations
const { phrases } = table
const MOST_WAYS = 5
const MOST_ROWS = 8
const MOST_IN_SENTENCE = 3

// `each` is an explanation, `typed` what the reader typed, and `chosen` the
// name of the model that the reader chose, or "".

/** @param {(Content | Content[])[]} content */
const answer = (...content) => element("p", { class: "bc-answer" }, ...content)
/** @param {string} name @param {string} summary @param {Content[]} content */
const folded = (name, summary, ...content) =>
  element("details", { class: name }, element("summary", {}, summary), ...content)

// --- The sum --------------------------------------------------------------

/** @param {string} sum */
const sumShown = (sum) => element("p", { class: "bc-sum" }, element("code", {}, sum))
/** @param {string} sum @param {number} result */
const worked = (sum, result) => (sum && sum !== whole(result) ? [sumShown(`${sum} = ${whole(result)}`)] : [])

/** The number worked out to its last digit.
 * @param {Explanation} each @param {string} chosen @returns {Content[]} */
function workedOut(each, chosen) {
  const { kind, number, terms, width, frame, unit } = each
  if (kind === "operations") return [...worked(summed(terms), number), ...inOrder(terms)]
  if (["tensors", "share", "setting"].includes(kind)) return []
  const inUnit = unit > 1 ? [sumShown(`${whole(number)} ÷ ${whole(unit)} ≈ ${sized(each)}`)] : []
  if (terms.length) return [...worked(summed(terms), number), ...inUnit]
  const sum = each.models.length ? sumOf(each, chosen) : []
  const bytes = `${whole(parametersOf(each))} × ${width}${frame ? ` + ${whole(frame)}` : ""}`
  return width ? [...sum, ...worked(bytes, number), ...inUnit] : sum
}

/** The parameters of a model or a part of it. @param {Explanation} each @param {string} chosen */
function sumOf(each, chosen) {
  const { sizes } = modelOf(each, chosen)
  const { parts, mistakes, layers } = each
  if (parts.length)
    return parts.length > 1 || mistakes.length ? [] : worked(ofPart(parts[0], sizes, layers), parametersOf(each))
  const [modelClass, taken] = [classOf(each), { ...sizes, ...each.sizes }]
  return worked(ofTotal(modelClass, taken, mistakes), count({ modelClass, sizes: taken, deviations: mistakes }) ?? NaN)
}

/** @param {Pick<ExplanationTerm, "times" | "number" | "shown">[]} terms */
const summed = (terms) =>
  terms
    .map(({ times, number, shown }, place) => {
      const sign = place ? (times < 0 ? " − " : " + ") : ""
      return `${sign}${shown || (Math.abs(times) > 1 ? `${Math.abs(times)} × ` : "") + whole(number)}`
    })
    .join("")

/** What each term of a sum counts. @param {ExplanationTerm[]} terms */
const inOrder = (terms) =>
  terms.length > 1
    ? [element("p", { class: "bc-purpose" }, `In this order: ${terms.map((each) => wordsOf(each, 0)).join(", ")}.`)]
    : []

/** Parts of the same size, each with its sum. @param {Explanation} each @param {string} chosen */
function listOfParts(each, chosen) {
  if (each.parts.length < 2) return []
  const number = whole(parametersOf(each))
  const items = each.parts.map((part) => {
    const sum = each.mistakes.length ? "" : ofPart(part, modelOf(each, chosen).sizes, each.layers)
    const worked = sum && sum !== number ? said`: ${code(`${sum} = ${number}`)}` : ""
    return element("li", {}, said`${link(part.page, wordsOf(part, each.layers))}${worked}`)
  })
  return [element("ul", {}, items)]
}

// --- Around the answer -----------------------------------------------------

/** Who prints just what was typed, of what was found; others may round it, or give it as bytes. @param {Explanation} each */
function printedIn({ printed_in: prints, reading }) {
  const [low, high] = reading.printed
  const names = new Set(prints.filter((each) => each.low === low && each.high === high).map(({ source }) => source))
  const links = [...names].map((name) => link(`${pages.claims}#${name}`, sources[name].title))
  return links.length ? [element("p", {}, said`This number appears in ${listed(links)}.`)] : []
}

/** Other models and classes that give the same.
 * @param {Explanation} each @param {string} chosen */
function sameElsewhere(each, chosen) {
  const found = each.models.map((name) => models.get(name))
  // A checkpoint of the same sizes as a model of ours is known by its name on the Hub alone.
  const more = [
    ...each.classes.slice(1).map(code),
    ...found.filter((other) => other !== modelOf(each, chosen)).map(({ page, title }) => link(page, title)),
    ...found.flatMap(({ also = [] }) => also.map(code)),
  ]
  if (!more.length || each.terms.length || !found.length) return []
  const summary = `${more.length} more ${noun(more.length, "model or class has", "models and classes have")} the same number`
  return [folded("bc-same", summary, element("p", {}, ...more.flatMap((name, place) => [place ? "; " : "", name])))]
}

/** Where a rounded number is that of the paper, the page about it. @param {NumberRead} asked */
const ofThePaper = ({ digits, size, decimals, amount }) =>
  amount === "count" && published.includes((digits * size) / 10 ** decimals)
    ? [element("p", {}, said`The paper prints this figure; see ${link(pages.rounded, "where it comes from")}.`)]
    : []

// --- The bridge --------------------------------------------------------------

/** @type {Columns} */
const STEPS = { "to put it right": "text", change: "num", formula: "prose", why: "prose" }
/** @type {Columns} */
const FITTING = { number: "num", "what it is": "prose", "how it fits": "text" }

/** From the reader's number to the right total of the same model and class, as a figure and as a table.
 * @param {Explanation} each @param {string} chosen */
function bridgeOf(each, chosen) {
  const { title, page, sizes } = modelOf(each, chosen)
  const [modelClass, taken] = [classOf(each), { ...sizes, ...each.sizes }]
  /** @param {Sizes} sizes @param {string[]} deviations */
  const total = (sizes, deviations = []) => count({ modelClass, sizes, deviations }) ?? NaN
  const start = total(taken, each.mistakes)
  const steps = bridge(modelClass, taken, each.mistakes).map(({ deviation, value, formula }) => {
    const { name, kind, undo: label, why, effect } = deviations.get(deviation)
    return { label, about: effect ? `${pages[kind]}#${name}` : "", value, formula, why }
  })
  for (const [letter, size] of Object.entries(each.sizes)) {
    const [formula, meaning] = [`${letter} = ${whole(sizes[letter])}`, symbols.get(letter)]
    const [label, why] = [`take ${formula}, not ${whole(size)}`, `${title} has ${whole(sizes[letter])} ${meaning}.`]
    steps.push({ label, about: "", value: total(sizes) - total(taken), formula, why })
  }
  /** @type {[string, string]} */
  const ends = ["your number", `${title} (${modelClass})`]
  const way = filled(phrases.bridge, { start, end: total(sizes), what: ends[1] })
  const told = tableOf(
    "bridge",
    filled(phrases["step-by-step"], { bridge: way }),
    STEPS,
    [
      [ends[0], whole(start), "", ""],
      ...steps.map(({ label, about, value, formula, why }) => [link(about, label), signed(value), code(formula), why]),
    ],
    [ends[1], link(page, whole(total(sizes))), "", ""],
  )
  return [waterfall(start, steps, ends), told]
}
const symbols = new Map(table.symbols.map(({ letter, meaning }) => [letter, meaning]))

/** From the BERT that is most like a relative to it, block by block. @param {Explanation} each @param {string} chosen */
function relativeTable(each, chosen) {
  const [relative, base] = [modelOf(each, chosen), table.models[0]]
  const { H, L } = relative.sizes
  const alike = table.models.find(
    ({ architecture, sizes }) => architecture === base.architecture && sizes.H === H && sizes.L === L,
  )
  const both = [alike ?? base, relative]
  const counters = both.map(({ architecture, sizes }) => new Counter(classOfBare(architecture), sizes))
  /** @param {Content} name @param {string} block @returns {Content[][]} */
  const row = (name, block) => {
    const [before, after] = counters.map((counter) => counter.number([], "", block) ?? NaN)
    return before || after ? [[name, whole(before), signed(after - before), whole(after)]] : []
  }
  const rows = Object.entries(table.blocks).flatMap(([block, { title, page }]) => row(link(page, title), block))
  const [[name, before, ...others]] = row(table.labels.total, "")
  const [from, to] = both.map(({ title }) => title)
  return tableOf(
    "bridge",
    `From ${from} to ${to}, both without heads`,
    { block: "text", [from]: "num", difference: "num", [to]: "num" },
    rows,
    [name, link(both[0].page, String(before)), ...others],
  )
}

/** @param {Explanation} each @param {string} chosen */
function bridged(each, chosen) {
  // What may be a coincidence needs no steps.
  const isPlain = ["total", "size", "memory"].includes(each.kind) && each.models.length && !each.parts.length
  if (!isPlain || each.confidence === "possible") return []
  if (modelOf(each, chosen).architecture !== table.models[0].architecture) return [relativeTable(each, chosen)]
  return each.mistakes.length || Object.keys(each.sizes).length ? bridgeOf(each, chosen) : []
}

// --- The answer -----------------------------------------------------------------

/** One of each number, the likeliest. @param {Explanation[]} found */
const distinct = (found) => grouped(found, ({ number }) => number).map(([first]) => first)

/** @param {Explanation} each  the number, with what is counted */
const counted = ({ kind, number }) => whole(number) + (kind === "memory" ? " bytes" : "")

/** What else a rounded number may stand for; of right totals all, of the rest what is likely enough to be shown.
 * @param {Explanation[]} found @param {string} typed @param {string} chosen */
function fittingTable(found, typed, chosen) {
  const [first, ...others] = distinct(found)
  if (!others.length) return []
  const shown = others.slice(0, MOST_ROWS)
  const numbers = new Set([first, ...shown].map(({ number }) => number))
  const more = distinct(found.filter(isRight)).filter(({ number }) => !numbers.has(number))
  const told = tableOf(
    "fitting",
    `What else ${typed} may stand for, the likeliest first`,
    FITTING,
    shown.map((each) => [
      counted(each),
      element("span", {}, ...phrase(each, chosen)),
      asUnit(each, typed) + howItFits(each),
    ]),
  )
  const items = more.map((each) => element("li", {}, `${counted(each)}: `, ...phrase(each, chosen)))
  const summary = `${whole(more.length)} more ${noun(more.length, "total")} of models that we know`
  return more.length ? [told, folded("bc-same", summary, element("ul", {}, items))] : [told]
}

/** The unit that a number is given in, before how it fits. @param {Explanation} each @param {string} typed */
function asUnit(each, typed) {
  if (each.reading.unsaid) return `as ${typed} ${each.reading.unit}, `
  return each.kind === "memory" && each.unit > 1 ? `${sized(each)}, ` : ""
}

const FIGURES = ["", "one figure", "two figures", "three figures", "four figures", "five figures"]

/** How a number fits what was typed: to how many figures, or with the rest cut off. @param {Explanation} each */
function howItFits({ number, reading: { windows } }) {
  const { figures, isCut } = windows.find(({ low, high }) => number >= low && number <= high) ?? windows[0]
  return `${isCut ? "cut" : "rounded"} to ${FIGURES[figures] ?? `${figures} figures`}`
}

/** @param {Explanation[]} found @param {Explanation} first  what is said above them @param {string} chosen */
function waysList(found, first, chosen) {
  if (!found.length) return []
  const shown = found.slice(0, MOST_WAYS)
  const left = found.length - shown.length
  const more = left ? [element("p", {}, `${whole(left)} more ${noun(left, "is", "are")} not shown.`)] : []
  const ways = noun(found.length, "One other way to get this number", "Other ways to get this number")
  const summary = shown.every((each) => each.kind === "near") ? "Other numbers close to it" : ways
  const items = shown.map((each) => element("li", {}, ...sentence(each, chosen, [], each.number === first.number)))
  return [folded("bc-ways-on", summary, element("ol", {}, items), ...more)]
}

/** Ways that are about as likely as the first, in the same model and class. @param {Explanation[]} found */
function alike([first, ...rest]) {
  if (first.kind !== "total" || !first.mistakes.length || first.printed_in.length) return []
  /** @param {Explanation} each */
  const key = ({ kind, number, mistakes, models: [model], classes: [modelClass] }) =>
    [kind, number, mistakes.length, model, modelClass].join()
  const found = rest.filter((each) => key(each) === key(first) && each.cost <= first.cost + 1)
  return found.slice(0, MOST_IN_SENTENCE - 1)
}

const LEAST_TERM = 100_000 // of a sum that says something by itself: less may be a size or a number of times
const MOST_TERMS = 3 // different ones that are explained, each of which takes as long as a number by itself

/** What each of some terms is; null as soon as one of them is not known. Each is explained once, however often it is there.
 * @param {string[]} terms @param {string} chosen @param {typeof explain} explained @returns {Explanation[] | null} */
function explainedTerms(terms, chosen, explained) {
  const different = new Set(terms)
  const { sizes } = meantBy(chosen)
  const isLarge = (/** @type {string} */ term) => (readWith(term, sizes)?.high ?? 0) >= LEAST_TERM
  if (different.size > MOST_TERMS || ![...different].every(isLarge)) return null
  /** @type {Map<string, Explanation>} */
  const known = new Map()
  for (const term of different) {
    const [first] = explained(term, chosen) ?? []
    if (!first || first.number < LEAST_TERM || first.kind === "near") return null
    known.set(term, { ...first, confidence: LIKELY })
  }
  return terms.flatMap((term) => known.get(term) ?? [])
}

/** What the terms of a sum are, where it is their sum or difference that has been typed; nothing where they are not known.
 * @param {string} sum @param {string} chosen @param {string} result  the sum with what it comes to
 * @param {typeof explain} explained */
function termsOfSum(sum, chosen, result, explained) {
  const [terms, signs] = [sum.split(/\s*[-+−–/÷]\s*/), sum.match(/[-+−–/÷]/g) ?? []]
  const found = terms.length > 1 && explainedTerms(terms, chosen, explained)
  if (!found) return []
  const [first] = found
  const rounded = found.findIndex(({ reading }) => reading.width)
  if (found.length === 2 && found[1].number === first.number && rounded >= 0) {
    const same = said`${sentence(first, chosen)} ${cut(terms[rounded])} is the same number, ${howItFits(found[rounded])}.`
    return [answer(result, "The difference is only rounding. ", ...same), ...workedOut(first, chosen)]
  }
  const sentences = found.flatMap((each, place) => [
    place ? " " : "",
    each.reading.width ? `${cut(terms[place])}, ${howItFits(each)}: ` : "",
    ...sentence(each, chosen),
  ])
  const exact = found.map(({ number }, place) => ({ times: !place || signs[place - 1] === "+" ? 1 : -1, number }))
  const value = exact.reduce((all, { times, number }) => all + times * number, 0)
  const isSum = signs.every((sign) => !"/÷".includes(sign))
  return [answer(result, ...sentences), ...(isSum ? worked(summed(exact), value) : [])]
}

/** A sum with its result, where one was typed. @param {NumberRead} asked @param {string} chosen */
function resultOf({ typedSum, inLetters, exact, digits, size }, chosen) {
  const sizes = inLetters ? `With the sizes of ${meantBy(chosen).title}, ` : ""
  return typedSum ? `${sizes}${cut(typedSum)} ${exact ? "=" : "≈"} ${whole(Math.round(digits * size))}. ` : ""
}

/** What comes before the sentence.
 * @param {Explanation} first @param {string} typed @param {string} chosen @param {number} fitting  how many numbers fit what was typed */
function opening(first, typed, chosen, fitting) {
  const { reading } = first
  const meant = reading.exact ? whole(reading.low) : cut(typed)
  if (reading.typedSum && reading.exact) return resultOf(reading, chosen)
  if (first.kind === "near" && !first.slip) return `We found no way to get ${meant}. `
  if (!reading.width) return first.confidence === "possible" ? `We found no sure way to get ${meant}. ` : ""
  if (reading.amount === "share") return ""
  const asked = reading.unsaid ? `Did you mean ${cut(typed)} ${reading.unit}? ` : `${cut(typed)}, `
  const isOpen = first.confidence === "possible" && fitting > 1
  const several = isOpen ? `, fits ${whole(fitting)} numbers that we know. The likeliest` : ""
  return reading.unsaid ? asked : `${asked}${howItFits(first)}${several}: `
}

/** The answer to what a reader typed, as elements.
 * @param {string} typed @param {string} chosen @param {Explanation[] | null} found  every way to it, the likeliest first
 * @param {typeof explain} explained  what explains the terms of a sum @returns {Content[]} */
export function answerTo(typed, chosen, found, explained = explain) {
  if (!typed.trim()) return [answer("Enter a number first.")]
  const asked = readWith(typed, meantBy(chosen).sizes)
  if (!asked || !found) return [refusal(typed)]
  const [first, ...rest] = found
  const isSure = first && first.confidence !== "possible"
  if (isSmall(asked, chosen) && (!first || first.kind === "near")) return [smallness(asked, chosen)]
  const terms = isSure ? [] : termsOfSum(asked.typedSum, chosen, resultOf(asked, chosen), explained)
  if (terms.length) return terms
  // What a number is not of the chosen model it may be of another one, whose letters stand for other sizes.
  const none = `We found no way to get ${cut(typed)}`
  const again = asked.inLetters ? String(asked.low) : typed
  if (!first && chosen)
    return [
      answer(`${none} for ${models.get(chosen).title}. Of any model:`),
      ...answerTo(again, "", explained(again), explained),
    ]
  if (!first)
    return [answer(`${none}. Perhaps a digit is missing, or the number belongs to a model that we do not know.`)]
  const { reading, parts } = first
  const isRounded = reading.width > 0 && reading.amount !== "share"
  const same = alike(found)
  const numbers = distinct(found)
  const others = rest.filter((each) => !same.includes(each))
  const { page, title } = first.models.length ? modelOf(first, chosen) : { page: "", title: "" }
  const counted = first.mistakes.length ? ", counted differently" : ""
  // Among several numbers that fit, the likeliest is no coincidence.
  const plain = isRounded ? { ...first, confidence: LIKELY } : first
  const says =
    parts.length > MOST_IN_SENTENCE && first.kind === "part"
      ? said`These parts of ${link(page, title)} have ${number(first.number)} parameters each${counted}:`
      : sentence(plain, chosen, same)
  return [
    answer(opening(first, typed, chosen, numbers.length), ...says),
    ...workedOut(first, chosen),
    ...(first.why ? [element("p", {}, first.why)] : []),
    ...listOfParts(first, chosen),
    ...(isRounded ? ofThePaper(reading) : []),
    ...printedIn(first),
    ...bridged(first, chosen),
    ...(isRounded ? fittingTable(found, cut(typed), chosen) : []),
    ...sameElsewhere(first, chosen),
    ...(isRounded ? [] : waysList(others, first, chosen)),
    element("p", {}, element("a", { href: addressOf(typed, chosen) }, "Link to this answer")),
  ]
}

/** Whether a number is less than a single vector has. @param {NumberRead} asked @param {string} chosen */
const isSmall = ({ exact, amount, low }, chosen) => exact && amount === "count" && low < meantBy(chosen).sizes.H

/** What a teacher would say to so small a number. @param {NumberRead} asked @param {string} chosen */
function smallness(asked, chosen) {
  const { title, sizes } = meantBy(chosen)
  const number = whole(asked.low)
  const result = resultOf(asked, chosen)
  if (!asked.low)
    return answer(
      `${result}${number} is what everything without weights of its own adds: dropout, softmax, activation functions, `,
      "residual connections, and a decoder that is tied to the word embeddings.",
    )
  const unit = asked.typedSum ? "" : ` If you left out a unit, add it: ${number}M, or ${number} GB.`
  const vector = `a single vector of features in ${title} already has ${whole(sizes.H)} elements.`
  return answer(`${result}${number} is too small to be a number of parameters: ${vector}${unit}`)
}

/** What a reader typed, short enough to repeat. @param {string} typed */
const cut = (typed) => cutTo(typed.trim(), 60)

/** @param {string} typed */
function refusal(typed) {
  const [{ architecture, sizes }] = table.models
  const example = whole(count({ modelClass: classOfBare(architecture), sizes }) ?? NaN)
  const forms = `Write digits, such as ${example}, with a unit such as M or MiB if you like, or a sum.`
  return answer(`“${cut(typed)}” is not a number we can look up. ${forms}`)
}

/** @param {string} typed @param {string} chosen */
export function addressOf(typed, chosen) {
  const query = new URLSearchParams({ n: typed.trim(), ...(chosen && { model: chosen }) })
  return `?${query}`
}
