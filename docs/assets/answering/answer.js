// Answers: the sentence, the sum worked out, the bridge to the right total, and
// other ways.

import table from "../../data/table.js"
import { bridge } from "../counting/bridge.js"
import { Counter, classOfBare, count, deviations, models, noun, whole } from "../counting/engine.js"
import { read } from "../explaining/read.js"
import { code, element, link, listed, number, said, signed, tableOf } from "./elements.js"
import { classOf, modelOf, parametersOf, sentence, wordsOf } from "./sentences.js"
import { waterfall } from "./waterfall.js"
import { ofPart, ofTotal } from "./working.js"

const { pages, sources, rounded: published } = table.explanations
const MOST_WAYS = 5
const MOST_IN_SENTENCE = 3

// `each` is an explanation, `typed` what the reader typed, and `chosen` the
// name of the model that the reader chose, or "".

// --- The sum --------------------------------------------------------------

/** @param {string} sum @param {number} result */
const worked = (sum, result) =>
  sum && sum !== whole(result) ? [element("p", { class: "bc-sum" }, code(`${sum} = ${whole(result)}`))] : []

/** The number worked out to its last digit.
 * @param {Explanation} each @param {string} chosen @returns {Content[]} */
function workedOut(each, chosen) {
  if (["difference", "other", "training"].includes(each.kind)) return worked(termsOf(each), each.number)
  if (each.kind === "tensors" || each.kind === "share" || !each.models.length) return []
  const { sizes } = modelOf(each, chosen)
  if (each.parts.length) {
    const [part] = each.parts
    return each.parts.length > 1 || each.mistakes.length ? [] : worked(ofPart(part, sizes, each.layers), each.number)
  }
  const taken = { ...sizes, ...each.sizes }
  const total = count({ modelClass: classOf(each), sizes: taken, deviations: each.mistakes }) ?? NaN
  const sum = worked(ofTotal(classOf(each), taken, each.mistakes), total)
  if (each.kind !== "memory" || !each.width) return sum
  const bytes = `${whole(parametersOf(each))} × ${each.width}${each.frame ? ` + ${whole(each.frame)}` : ""}`
  return [...sum, ...worked(bytes, each.number)]
}

/** @param {Explanation} each */
const termsOf = ({ terms }) =>
  terms
    .map(({ times, number }, place) => {
      const sign = place ? (times < 0 ? " − " : " + ") : ""
      return `${sign}${Math.abs(times) > 1 ? `${Math.abs(times)} × ` : ""}${whole(number)}`
    })
    .join("")

/** Parts of the same size, each with its sum. @param {Explanation} each @param {string} chosen */
function listOfParts(each, chosen) {
  const items = each.parts.map((part) => {
    const sum = each.mistakes.length ? "" : ofPart(part, modelOf(each, chosen).sizes, each.layers)
    const worked = sum && sum !== whole(each.number) ? said`: ${code(`${sum} = ${whole(each.number)}`)}` : ""
    return element("li", {}, said`${link(part.page, wordsOf(part, each.layers))}${worked}`)
  })
  return items.length > 1 ? [element("ul", {}, items)] : []
}

// --- Around the answer -----------------------------------------------------

/** Who prints just what was typed, of what was found; others may round it, or give it as bytes.
 * @param {Explanation} each @param {NumberRead} asked */
function printedIn({ printed_in: printed }, { low, high }) {
  const names = new Set(printed.filter((each) => each.low === low && each.high === high).map(({ source }) => source))
  const links = [...names].map((name) => link(`${pages.claims}#${name}`, sources[name].title))
  return links.length ? [element("p", {}, said`This number appears in ${listed(links)}.`)] : []
}

/** Other models and classes that give the same.
 * @param {Explanation} each @param {string} chosen */
function others(each, chosen) {
  const checkpoints = each.models.flatMap((name) => [name, ...(models.get(name).also ?? [])])
  const more = [...each.classes.slice(1), ...checkpoints.filter((name) => name !== modelOf(each, chosen).name)]
  if (!more.length || each.terms.length) return []
  const summary = `${more.length} more ${noun(more.length, "model or class has", "models and classes have")} the same number`
  return [
    element(
      "details",
      { class: "bc-same" },
      element("summary", {}, summary),
      element("p", {}, ...more.flatMap((name, place) => [place ? ", " : "", code(name)])),
    ),
  ]
}

/** Where a rounded number is that of the paper, the page about it. @param {NumberRead} asked */
const ofThePaper = ({ digits, size, decimals, amount }) =>
  amount === "count" && published.includes((digits * size) / 10 ** decimals)
    ? [element("p", {}, said`The paper prints this figure; see ${link(pages.rounded, "where it comes from")}.`)]
    : []

// --- The bridge --------------------------------------------------------------

/** @type {Column[]} */
const STEPS = [
  ["to put it right", "text"],
  ["change", "num"],
  ["formula", "prose"],
  ["why", "prose"],
]

/** The steps from the reader's number to the right total of the same model and class.
 * @param {Explanation} each @param {string} chosen */
function stepsOf(each, chosen) {
  const { title, sizes } = modelOf(each, chosen)
  const modelClass = classOf(each)
  const taken = { ...sizes, ...each.sizes }
  const steps = bridge(modelClass, taken, each.mistakes).map(({ deviation, value, formula }) => {
    const { name, kind, undo: label, why, effect } = deviations.get(deviation)
    return { label, page: effect ? `${pages[kind]}#${name}` : "", value, formula, why }
  })
  const others = { ...taken }
  for (const [letter, size] of Object.entries(each.sizes)) {
    const before = count({ modelClass, sizes: others }) ?? NaN
    others[letter] = sizes[letter]
    const from = table.symbols.find((symbol) => symbol.letter === letter)
    steps.push({
      label: `take ${letter} = ${whole(sizes[letter])}, not ${whole(size)}`,
      page: "",
      value: (count({ modelClass, sizes: others }) ?? NaN) - before,
      formula: `${letter} = ${whole(sizes[letter])}`,
      why: `${title} has ${whole(sizes[letter])} ${from?.meaning}.`,
    })
  }
  return { start: count({ modelClass, sizes: taken, deviations: each.mistakes }) ?? NaN, steps }
}

/** From the reader's number to the right total, as a figure and as a table.
 * @param {Explanation} each @param {string} chosen */
function bridgeOf(each, chosen) {
  const { title, page, sizes } = modelOf(each, chosen)
  const modelClass = classOf(each)
  const { start, steps } = stepsOf(each, chosen)
  const rows = steps.map(({ label, page: about, value, formula, why }) => [
    link(about, label),
    signed(value),
    code(formula),
    why,
  ])
  const foot = ["the right total", link(page, whole(count({ modelClass, sizes }) ?? NaN)), code(modelClass), title]
  const told = tableOf(
    "bridge",
    `From ${whole(start)} to the right total, step by step`,
    STEPS,
    [["the number to start from", whole(start), "", ""], ...rows],
    foot,
  )
  return [
    waterfall(
      start,
      steps.filter(({ value }) => value),
    ),
    told,
  ]
}

/** From BERT to a relative, block by block. @param {Explanation} each @param {string} chosen */
function relativeTable(each, chosen) {
  const { title, sizes, architecture } = modelOf(each, chosen)
  const other =
    table.models.find(
      (model) =>
        model.architecture === table.models[0].architecture && model.sizes.H === sizes.H && model.sizes.L === sizes.L,
    ) ?? table.models[0]
  const bare = classOfBare(architecture)
  const [there, here] = [
    [classOfBare(other.architecture), other.sizes],
    [bare, sizes],
  ].map(([name, of]) => {
    const counter = new Counter(/** @type {string} */ (name), /** @type {Sizes} */ (of))
    return (/** @type {string} */ block) => counter.number([], "", block) ?? NaN
  })
  const rows = Object.entries(table.blocks).flatMap(([block, { title: words, page: about }]) => {
    const [before, after] = [there(block), here(block)]
    return before || after ? [[link(about, words), whole(before), signed(after - before), whole(after)]] : []
  })
  const [before, after] = [there(""), here("")]
  const foot = ["together", link(other.page, whole(before)), signed(after - before), whole(after)]
  /** @type {Column[]} */
  const columns = [
    ["block", "text"],
    [other.title, "num"],
    ["difference", "num"],
    [title, "num"],
  ]
  return tableOf("bridge", `From ${other.title} to ${title}, both without heads`, columns, rows, foot)
}

/** @param {Explanation} each @param {string} chosen */
function bridged(each, chosen) {
  if (!["total", "size", "memory"].includes(each.kind) || !each.models.length) return []
  if (modelOf(each, chosen).architecture !== table.models[0].architecture) return [relativeTable(each, chosen)]
  return each.mistakes.length || Object.keys(each.sizes).length ? bridgeOf(each, chosen) : []
}

// --- The answer -----------------------------------------------------------------

/** Right totals that a rounded number may stand for. @param {Explanation[]} found @param {string} typed */
function roundedTable(found, typed) {
  // Types of as many bytes, such as float16 and bfloat16, take the same.
  const distinct = new Map(found.map((each) => [[each.number, ...each.models, ...each.classes].join(), each]))
  const rows = [...distinct.values()]
    .slice(0, 2 * MOST_WAYS)
    .map((each) => [
      element("span", {}, ...listed(each.models.map(code))),
      whole(each.number),
      element("span", {}, ...listed(each.classes.map(code))),
    ])
  const cut = distinct.size > rows.length ? `, the likeliest ${rows.length} of ${distinct.size}` : ""
  const counts = found[0].kind === "memory" ? "bytes" : "parameters"
  return tableOf(
    "rounded",
    `Exact totals that round to ${typed}${cut}`,
    [
      ["model", "text"],
      [counts, "num"],
      ["class", "text"],
    ],
    rows,
  )
}

/** @param {Explanation[]} found @param {Explanation} first  what is said above them @param {string} chosen */
function waysList(found, first, chosen) {
  if (!found.length) return []
  const shown = found.slice(0, MOST_WAYS)
  const left = found.length - shown.length
  const more = left ? [element("p", {}, `${whole(left)} more ${noun(left, "is", "are")} not shown.`)] : []
  const near = shown.every((each) => each.kind === "near")
  const ways = found.length === 1 ? "One other way to get this number" : "Other ways to get this number"
  const summary = near ? "Other numbers close to it" : ways
  const items = shown.map((each) => element("li", {}, ...sentence(each, chosen, [], each.number === first.number)))
  return [
    element("details", { class: "bc-ways-on" }, element("summary", {}, summary), element("ol", {}, items), ...more),
  ]
}

/** @param {Explanation} each */
const isRight = (each) => !each.mistakes.length && (each.kind === "total" || each.kind === "memory")

/** Ways that are about as likely as the first, in the same model and class. @param {Explanation[]} found */
function alike([first, ...rest]) {
  if (first.kind !== "total" || !first.mistakes.length || first.printed_in.length) return []
  return rest
    .filter(
      (each) =>
        each.kind === "total" &&
        each.number === first.number &&
        each.mistakes.length === first.mistakes.length &&
        each.cost <= first.cost + 1 &&
        each.models[0] === first.models[0] &&
        each.classes[0] === first.classes[0],
    )
    .slice(0, MOST_IN_SENTENCE - 1)
}

/** Whether a number stands for others that round to it. @param {Explanation} first @param {NumberRead} asked */
const isRoundedBy = (first, asked) => first.kind !== "near" && (!asked.exact || first.number !== asked.low)

/** What comes before the sentence.
 * @param {Explanation} first @param {NumberRead} asked @param {string} typed */
function opening(first, asked, typed) {
  const meant = asked.exact ? whole(asked.low) : cut(typed)
  if (asked.typedSum)
    return `${cut(asked.typedSum)} ${asked.exact ? "=" : "≈"} ${whole(Math.round(asked.digits * asked.size))}. `
  if (first.kind === "near" && !first.slip) return `We know of no way to get ${meant}. `
  if (first.confidence === "possible") return `We know of no sure way to get ${meant}. `
  return isRoundedBy(first, asked) ? `${cut(typed)}: ` : ""
}

/** The answer to what a reader typed, as elements.
 * @param {string} typed @param {string} chosen @param {Explanation[] | null} found  every way to it, the likeliest first
 * @returns {Content[]} */
export function answerTo(typed, chosen, found) {
  if (!typed.trim()) return [element("p", { class: "bc-answer" }, "Enter a number first.")]
  const asked = read(typed)
  if (!asked || !found) return [refusal(typed)]
  const [first, ...rest] = found
  if (!first) return [nothing(typed, chosen)]
  const same = alike(found)
  const totals = isRoundedBy(first, asked) && isRight(first) ? found.filter(isRight) : []
  const ways = rest.filter((each) => !totals.includes(each) && !same.includes(each))
  const { parts } = first
  const { page, title } = first.models.length ? modelOf(first, chosen) : { page: "", title: "" }
  const counted = first.mistakes.length ? ", counted differently" : ""
  const says =
    parts.length > MOST_IN_SENTENCE && first.kind === "part"
      ? said`${number(first.number)} is the size of each of these parts of ${link(page, title)}${counted}:`
      : sentence(first, chosen, same)
  return [
    element("p", { class: "bc-answer" }, opening(first, asked, typed), ...says),
    ...workedOut(first, chosen),
    ...listOfParts(first, chosen),
    ...(isRoundedBy(first, asked) ? ofThePaper(asked) : []),
    ...printedIn(first, asked),
    ...bridged(first, chosen),
    ...(totals.length > 1 ? [roundedTable(totals, cut(typed))] : []),
    ...others(first, chosen),
    ...waysList(ways, first, chosen),
    element("p", {}, element("a", { href: addressOf(typed, chosen) }, "Link to this answer")),
  ]
}

/** What a reader typed, short enough to repeat. @param {string} typed */
const cut = (typed) => {
  const text = [...typed.trim()]
  return text.length > 60 ? `${text.slice(0, 57).join("")}...` : text.join("")
}

/** @param {string} typed */
function refusal(typed) {
  const example = whole(count({ modelClass: classOfFirst(), sizes: table.models[0].sizes }) ?? NaN)
  return element(
    "p",
    { class: "bc-answer" },
    `“${cut(typed)}” is not a number we can look up. Write digits, such as ${example}, with a unit such as M or MiB if you like, or a sum.`,
  )
}
const classOfFirst = () => classOfBare(table.models[0].architecture)

/** @param {string} typed @param {string} chosen */
const nothing = (typed, chosen) =>
  element(
    "p",
    { class: "bc-answer" },
    `Nothing we count gives ${cut(typed)}${chosen ? ` for ${models.get(chosen).title}` : ""}, rightly or wrongly. `,
    "Perhaps a digit is missing, or the number belongs to another model.",
  )

/** @param {string} typed @param {string} chosen */
export function addressOf(typed, chosen) {
  const query = new URLSearchParams({ n: typed.trim(), ...(chosen && { model: chosen }) })
  return `?${query}`
}
