// The account of a print-out: what it is, whether it is right, and what each line is.
//
// The bridge is the alignment, read as a sum: the sum of the text's rows, less those that
// are counted twice or are not parameters, plus the missing tensors, plus the errors of
// wrong rows, is the right total. It closes by construction. Where a text states
// a total of its own, the bridge begins there, and its first step is the difference
// between that total and the rows.

import table from "../../../data/table.js"
import { classes, classOfBare, models, noun, sumBy, usualChoices, whole } from "../../counting/engine.js"
import { code, enumeration, finding, isPlural, link, plainly, words } from "../words.js"
import { accountOfAdapters } from "./adapters.js"
import { alignedByName, subtotals } from "./aligning.js"
import { accountOfFew } from "./few.js"
import { headlineOfLayers, layersAlone, modelsWithLayers } from "./layers.js"
import { printedRows } from "./names.js"
import { groupsOf, layersInWords, nameOfEnd, namesInWords, partInWords } from "./parts-in-words.js"
import { ADDED, namedByOrder, publishedLike, recognisedByNames } from "./recognising.js"
import { recognisedByCounts } from "./recognising-counts.js"
import { printOutOf } from "./rows.js"
import { rulerOf } from "./ruler.js"
import { sourceOrName } from "./text-row.js"

const FEWEST_ROWS = 3 // with sizes, or five names, make a print-out
const MOST_GROUPS = 6 // of missing parts that are named one by one
const MANY = 20 // rows that are not the model's; nobody adds so many of their own by hand

/** Everything that the words of an account are made from.
 * @typedef {object} Facts
 * @property {PrintOut} print @property {Alignment} alignment @property {Recognised} recognised
 * @property {number} sum  of all rows, as somebody adds them @property {number | null} stated  the total in the text
 * @property {number} added  by rows that are not the model's @property {number} total  the right one */

/** The words for the letters of sizes, before a number; without one, "the" precedes a width or length, and "the number
 * of" anything else.
 * @type {Record<string, string>} */
const SIZES = {
  V: "vocabulary size",
  P: "positions",
  S: "segments",
  E: "embedding size",
  H: "hidden size",
  F: "feed-forward size",
  A: "attention heads",
  R: "relative positions",
  X: "coordinates on a page",
  C: "labels",
}

/** The words for a letter without a number. @param {string} letter */
const sizeAlone = (letter) =>
  SIZES[letter].endsWith("size") ? `the ${SIZES[letter]}` : `the number of ${SIZES[letter]}`

/** @param {Alignment} alignment @param {LineVerdict} verdict */
const rowsWith = ({ rows }, verdict) => rows.filter((row) => row.verdict === verdict)

/** @param {AlignedRow[]} rows */
const sumOf = (rows) => rows.reduce((sum, { stated }) => sum + (stated ?? 0), 0)

/** The amount by which rows state more than they should. @param {AlignedRow[]} rows */
const excess = (rows) => rows.reduce((sum, { stated, right }) => sum + (stated ?? 0) - (right ?? 0), 0)

/** @param {number} number @param {string} one @param {string} [many] */
const countInWords = (number, one, many) => `${whole(number)} ${noun(number, one, many)}`

// --- Facts ------------------------------------------------------------------------

/** Gives a dense layer that somebody has added its exact number, where the text rounds it: on vectors of H features it has
 * a multiple of H + 1, and only one multiple may round to what is printed.
 * @param {Alignment} alignment */
function unrounded({ rows, ruler }) {
  for (const row of rows) {
    const { low, high, type } = row.text
    if (
      row.verdict !== "added" ||
      row.stated !== null ||
      low === null ||
      high === null ||
      !/^(?:Linear|Dense)$/.test(type)
    )
      continue
    const perLabel = ruler.sizes.H + 1
    const labels = Math.floor(high / perLabel)
    if (labels === Math.ceil(low / perLabel)) row.stated = labels * perLabel
  }
}

/** @param {PrintOut} print @param {Recognised} recognised @param {Alignment} alignment @returns {Facts} */
function factsOf(print, recognised, alignment) {
  unrounded(alignment)
  const counting = alignment.rows.filter(({ verdict }) => verdict !== "subtotal")
  const rounded = counting.some(({ verdict }) => verdict === "rounded")
  const added = sumOf(rowsWith(alignment, "added"))
  const total = alignment.ruler.total + added
  const sum = rounded ? total : sumOf(counting)
  const totals = print.totals.filter(({ kind, low, high }) => kind === "total" && low === high && low > 1000)
  // Of several totals in a text, one that is right or that the rows add up to is the one that is meant.
  const statedTotal = totals.find(({ low }) => low === total) ?? totals.find(({ low }) => low === sum) ?? totals.at(-1)
  return { print, recognised, alignment, sum, stated: statedTotal ? statedTotal.low : null, added, total }
}

/** Whether the rows of a text have no sizes at all. @param {Facts} facts */
const isWithoutSizes = ({ alignment }) =>
  alignment.rows.every(({ stated, text }) => stated === null && text.low === null)

// --- The model in words -----------------------------------------------------------

/** The model: its title, or its sizes if no published model has them. @param {Recognised} recognised @returns {Words} */
function modelInWords({ name, architecture, sizes }) {
  const model = name ? models.get(name) : null
  if (model) return [link(model.page, model.title)]
  const title = table.architectures.find((one) => one.name === architecture)?.title ?? architecture
  const letters = ["H", "F", "V"].filter((letter) => sizes[letter] !== undefined)
  const size = letters.map((letter) => `${SIZES[letter]} ${whole(sizes[letter])}`)
  const all = sizes.L === undefined ? size : [countInWords(sizes.L, "layer"), ...size]
  return [`${article(title)} ${title} with `, ...enumeration(all)]
}

/** The article before the name of an architecture, of which some are spelt out. @param {string} title */
const article = (title) => (/^(?:[AEIOU]|MP|XL)/.test(title) ? "an" : "a")

/** Words with a comma after them if they contain one, as in "BERT base, uncased,".
 * @param {Words} words @returns {Words} */
const enclosed = (words) => (/,/.test(plainly(words)) ? [...words, ","] : words)

/** The choices of the class in words: what it leaves out or adds. @param {Facts} facts @returns {string} */
function choicesInWords({ recognised: { choices, architecture, modelClass } }) {
  if (choices.cross_attention) return " with cross-attention"
  if (modelClass !== classOfBare(architecture) || !hasPooler(architecture)) return ""
  const usual = usualChoices(architecture).pooler
  return (choices.pooler ?? usual) === usual ? "" : usual ? " without its pooler" : " with a pooler"
}

/** @param {string} architecture */
const hasPooler = (architecture) =>
  table.architectures
    .find(({ name }) => name === architecture)
    ?.classes[0].rows.some((index) => table.rows[index].when === "pooler") ?? false

/** Whether a text shows only a part of a model whose names begin with the name of its body, as in `bert.embeddings`: it is one
 * with a head then, which the text does not show. @param {Facts} facts */
function isBodyOfOther({ alignment: { rows, missing }, recognised: { architecture, modelClass }, print }) {
  const prefix = table.architectures.find(({ name }) => name === architecture)?.prefix
  if (!prefix || !missing.length || modelClass !== classOfBare(architecture)) return false
  if (print.mentions.includes(modelClass)) return false
  return (
    rows.every(({ text, tensors }) => !tensors.length || text.name.startsWith(prefix)) &&
    rows.some(({ text }) => /\.(?:weight|bias)$/.test(text.name))
  )
}

/** The words for labels, if the class has some. @param {Facts} facts */
const labelsInWords = ({ alignment: { ruler } }) =>
  ruler.tensors.some(({ row }) => /\bC\b/.test(row.shape)) ? ` with ${countInWords(ruler.sizes.C, "label")}` : ""

/** A sentence on a body whose model has a head that the text does not show. @param {Facts} facts @returns {Words} */
function bodyInWords({ recognised: { architecture, modelClass, sizes } }) {
  const prefix = table.architectures.find(({ name }) => name === architecture)?.prefix ?? ""
  return words`Its names begin with ${code(prefix)}, as in the classes with a head, so it is not ${code(modelClass)} itself, which has ${rulerOf(modelClass, sizes).total} parameters; the text does not show which class it is.`
}

// --- The headline -----------------------------------------------------------------

/** @param {Facts} facts @returns {Words} */
function headlineOf(facts) {
  const { recognised, alignment, sum, stated, added, total } = facts
  const { ruler, missing } = alignment
  const model = modelInWords(recognised)
  const what = words`${model}, as ${code(recognised.modelClass)}${labelsInWords(facts)}${choicesInWords(facts)}`
  const number = { number: ruler.total }
  const lacking = missing.reduce((all, { elements }) => all + elements, 0)
  if (isWithoutSizes(facts))
    return hasOtherTotal(facts)
      ? words`These are the tensors of ${code(recognised.modelClass)} with ${countInWords(ruler.sizes.L, "layer")}. Your text gives no sizes, and its total, ${stated ?? 0}, is not that of ${model}.`
      : lacking
        ? words`These are names of tensors of ${code(recognised.modelClass)} with ${countInWords(ruler.sizes.L, "layer")}, but not of all. Your text gives no sizes; with those of ${enclosed(model)} the model has ${number} parameters, and the tensors in your text hold ${ruler.total - lacking} of them.`
        : words`These are the tensors of ${code(recognised.modelClass)} with ${countInWords(ruler.sizes.L, "layer")}. Your text gives no sizes; with those of ${enclosed(model)} they hold ${number} parameters.`
  const own = stated ?? sum
  const all = added
    ? words`${number} parameters, and ${added} more that are not part of it: ${total} in all`
    : words`${number} parameters`
  const isOpen = recognised.assumed.includes("L")
  if (isOpen && !lacking)
    return words`Your text shows ${countInWords(ruler.sizes.L, "layer")} of ${what} and leaves rows out, so there may be more. What it shows holds ${number} parameters${sum === total ? "" : words`; its rows add up to ${sum}`}.`
  if (lacking > ruler.total * 0.05) {
    const leadIn = isOpen
      ? words`This looks like part of ${what}, which has`
      : words`This is part of ${what}, which has`
    const ownSum =
      sum === own
        ? words`Your rows add up to ${sum}${own === total ? ", which is right" : ""}`
        : words`Your rows add up to ${sum}; the total in your text is ${own}${own === total ? ", which is right" : ""}`
    if (isBodyOfOther(facts)) return words`This looks like part of ${model}. ${bodyInWords(facts)} ${ownSum}.`
    return words`${leadIn} ${number} parameters. ${ownSum}.`
  }
  const verb = confidenceOf(facts) === "certain" ? "This is" : "This looks like"
  const sentence = words`${verb} ${what}: ${all}.`
  if (own === total) return words`${sentence} ${praise(facts)}.`
  const many = own < total ? "few" : "many"
  return words`${sentence} ${stated === null ? "Your rows add up to" : "Your total is"} ${own}, which is ${Math.abs(own - total)} too ${many}.`
}

/** The words for how much of a text is right, if its total is. @param {Facts} facts */
function praise({ alignment, stated, sum, total, added }) {
  const fit = ["right", "rounded", "subtotal", "added"]
  const isRight =
    sum === total && !alignment.missing.length && alignment.rows.every(({ verdict }) => fit.includes(verdict))
  if (!isRight) return stated === null ? "Your rows add up to it" : "Your total is right"
  const rows = added ? "every row of the model" : "every row"
  return stated === null ? `${capital(rows)} is right and none is missing` : `Your total is right, as is ${rows}`
}

// --- Findings -----------------------------------------------------------------------

/** @param {Facts} facts @returns {Finding[]} */
function findingsOf(facts) {
  return [
    ...wrongRows(facts),
    ...missingParts(facts),
    ...doubledRows(facts),
    ...buffers(facts),
    ...additions(facts),
    ...totalsThatDiffer(facts),
    ...training(facts),
    ...assumptions(facts),
    ...repetition(facts),
  ].sort((one, other) => other.weight - one.weight || Math.abs(other.amount ?? 0) - Math.abs(one.amount ?? 0))
}

/** The name of a row, or the line itself if it has none. @param {AlignedRow} row */
const nameOf = ({ text }) => code(text.name || text.line.source.trim().slice(0, 60))

/** Findings on wrong rows, by line: the matrix and the bias of a module share one.
 * @param {Facts} facts @returns {Finding[]} */
function wrongRows({ alignment }) {
  const lines = new Map()
  for (const row of rowsWith(alignment, "wrong"))
    lines.set(row.text.line.index, [...(lines.get(row.text.line.index) ?? []), row])
  return [...lines.values()].map((rows) => {
    const [first] = rows
    const tensors = rows.flatMap((/** @type {AlignedRow} */ row) => row.tensors)
    const [right, stated] = [sumOfRight(rows), sumOf(rows)]
    const amount = right - stated
    if (!amount)
      return { weight: 90, amount: null, words: words`The shape of ${nameOf(first)} and its number disagree.` }
    if (stated === right + 1 && /KerasLayer/.test(first.text.type + first.text.name))
      return {
        weight: 60,
        amount,
        words: words`TensorFlow Hub's layer counts one scalar of its own besides BERT: ${stated} instead of ${right}.`,
      }
    const { shape } = first.text
    const isShape = shape && first.text.stated === null && tensors.length === 1
    const shapes = isShape ? words` (${shapeInWords(tensors[0].shape)}, not ${shapeInWords(shape)})` : []
    const name = rows.length > 1 ? code(first.text.name.replace(/\.\w+$/, "")) : nameOf(first)
    return {
      weight: 100,
      amount,
      words: words`${name} should be ${right}${shapes}, not ${stated}: ${Math.abs(amount)} ${amount > 0 ? "too few" : "too many"}. It is ${partInWords(tensors, alignment.ruler)}.`,
    }
  })
}

/** @param {AlignedRow[]} rows */
const sumOfRight = (rows) => rows.reduce((sum, { right }) => sum + (right ?? 0), 0)

/** @param {number[]} shape */
const shapeInWords = (shape) => shape.map(whole).join(" × ") || "1"

/** The beginning of a sentence on the layers that a text shows, up to the number that it does not say.
 * @param {number[]} layers */
const shownInWords = (layers) =>
  layers.length
    ? `Your text shows ${layersInWords(layers)} and does not say`
    : "Your text shows no layers, and does not say"

/** @param {Facts} facts @returns {Finding[]} */
function missingParts(facts) {
  const { alignment, recognised, print } = facts
  const { missing, ruler, isAnyLayer } = alignment
  const groups = groupsOf(missing, ruler)
  if (groups.length > MOST_GROUPS) {
    const amount = missing.reduce((sum, { elements }) => sum + elements, 0)
    const names = namesInWords(missing.map(({ name }) => name))
    return [
      {
        weight: 80,
        amount,
        words: words`${countInWords(missing.length, "tensor is", "tensors are")} missing, with ${amount} parameters: ${names}.`,
      },
    ]
  }
  return groups.map((tensors) => {
    const amount = tensors.reduce((sum, { elements }) => sum + elements, 0)
    const layers = tensors.flatMap(({ numbers }) => numbers.slice(-1))
    const isWholeLayers = layers.length === tensors.length && isLayers(tensors, ruler)
    const part = isWholeLayers ? [`the rest, ${layersInWords(layers)},`] : partInWords(tensors, ruler)
    const verb = isWholeLayers && new Set(layers).size > 1 ? "are" : isPlural(part) ? "are" : "is"
    if (isWholeLayers && recognised.assumed.includes("L"))
      return {
        weight: 70,
        amount,
        words: words`${shownInWords(shownLayers(ruler, missing))} how many there are. If there are ${ruler.sizes.L}, as in ${modelInWords(recognised)}, ${shownLayers(ruler, missing).length ? "the others" : "they"} hold ${amount} parameters.`,
      }
    const count = new Set(layers).size
    if (isWholeLayers && isAnyLayer)
      return {
        weight: 80,
        amount,
        words: words`The rows of ${countInWords(count, "layer")} are missing: ${countInWords(tensors.length, "tensor")} with ${amount} parameters. All layers have the same numbers, so which ${noun(count, "it is", "they are")} cannot be told.`,
      }
    if (isBodyOfOther(facts) && tensors.every(({ row }) => row.when === "pooler"))
      return {
        weight: 60,
        amount,
        words: words`The pooler, if the class has one, is not shown: ${countInWords(tensors.length, "tensor")} with ${amount} parameters.`,
      }
    const isMentioned = isWholeLayers && print.depths.length > 0
    const opening = isWholeLayers
      ? words`${capital(layersInWords(layers))} ${verb} ${isMentioned ? "mentioned, but not listed" : "not shown"}`
      : words`${capitalised(part)} ${verb} missing`
    return {
      weight: 80,
      amount,
      words: words`${opening}: ${countInWords(tensors.length, "tensor")} with ${amount} parameters.`,
    }
  })
}

/** Whether tensors are whole layers. @param {RulerTensor[]} tensors @param {Ruler} ruler */
function isLayers(tensors, ruler) {
  const numbers = new Set(tensors.map((tensor) => tensor.numbers.join(".")))
  return (
    ruler.tensors.filter((tensor) => !tensor.tied && tensor.numbers.length && numbers.has(tensor.numbers.join(".")))
      .length === tensors.length
  )
}

/** @param {Ruler} ruler @param {RulerTensor[]} missing */
function shownLayers(ruler, missing) {
  const hidden = new Set(missing)
  return ruler.tensors
    .filter((tensor) => tensor.numbers.length && !hidden.has(tensor))
    .flatMap(({ numbers }) => numbers.slice(-1))
}

/** @param {string} text */
const capital = (text) => text[0].toUpperCase() + text.slice(1)

/** @param {Words} sentence @returns {Words} */
function capitalised([first, ...rest]) {
  if (typeof first === "string") return [capital(first), ...rest]
  return "text" in first ? [{ ...first, text: capital(first.text) }, ...rest] : [first, ...rest]
}

/** @param {Facts} facts @returns {Finding[]} */
function doubledRows({ alignment }) {
  const { ruler } = alignment
  return rowsWith(alignment, "counted twice").map((row) => {
    const amount = -excess([row])
    const tiedTensors = row.tensors.filter((tensor) => tensor.tied)
    const target = nameOfEnd(tiedTensors[0]?.row.tied_to ?? "")
    const part = partInWords(row.tensors, ruler)
    if (tiedTensors.length)
      return {
        weight: amount ? 75 : 20,
        amount,
        words: words`${nameOf(row)} is tied to ${target}: both are the same ${-amount} parameters, which count once.`,
      }
    const again = row.tensors.length ? words`${part}, which your text has already` : ["all rows together"]
    return { weight: 75, amount, words: words`${nameOf(row)} counts ${again}: ${-amount} too many.` }
  })
}

/** @param {Facts} facts @returns {Finding[]} */
function buffers({ alignment }) {
  const rows = rowsWith(alignment, "not a parameter")
  if (!rows.length) return []
  const amount = -sumOf(rows)
  const names = namesInWords([...new Set(rows.map(({ text }) => text.name))])
  const isOptimiser = rows.every(({ text }) => /adam_[mv]/.test(text.name))
  const contents = isOptimiser ? "what the optimiser keeps" : noun(rows.length, "a buffer", "buffers")
  const be = rows.length === 1 ? "is" : "are"
  return [
    {
      weight: 60,
      amount,
      words: words`${names} ${be} ${contents}, not ${noun(rows.length, "a parameter", "parameters")}: ${-amount} ${noun(-amount, "number")} too many.`,
    },
  ]
}

/** Findings on rows that the model does not have: those that a method of fine-tuning adds, or layers that somebody has added.
 * @param {Facts} facts @returns {Finding[]} */
function additions({ alignment, recognised }) {
  const rows = rowsWith(alignment, "added")
  if (!rows.length) return []
  const adapters = rows.filter(({ text }) => ADDED.test(text.name))
  const again = rows.filter(({ tensors }) => tensors.length)
  const own = rows.filter((row) => !adapters.includes(row) && !again.includes(row))
  /** @type {Finding[]} */
  const findings = []
  const copies = adapters.filter(({ text }) => text.name.includes("modules_to_save"))
  const low = adapters.filter(({ text }) => text.name.includes("lora_"))
  const others = adapters.filter((row) => !copies.includes(row) && !low.includes(row))
  if (again.length) {
    const wrappers = [...new Set(again.map(({ text }) => text.name.split(".")[0]))]
    findings.push({
      weight: 60,
      amount: null,
      words: words`${enumeration(wrappers.map(code))} ${noun(wrappers.length, "is", "are")} the same model again, with ${sumOf(again)} parameters of its own, unless both share their weights.`,
    })
  }
  if (low.length) {
    const ranks = [...new Set(low.flatMap(({ text }) => (text.shape ? [Math.min(...text.shape)] : [])))]
    const modules = [...new Set(low.map(({ text }) => /([\w]+)\.lora_/.exec(text.name)?.[1] ?? ""))].filter(Boolean)
    const rank = ranks.length === 1 ? words` of rank ${ranks[0]}` : []
    findings.push({
      weight: 50,
      amount: null,
      words: words`LoRA${rank} on ${enumeration(modules.map(code))} adds ${sumOf(low)} parameters in ${countInWords(low.length, "matrix", "matrices")}.`,
    })
  }
  if (copies.length) {
    const names = [...new Set(copies.map(({ text }) => /(\w+)\.modules_to_save/.exec(text.name)?.[1] ?? ""))]
    findings.push({
      weight: 50,
      amount: null,
      words: words`PEFT trains a copy of ${enumeration(names.map(code))} and keeps the original, frozen, beside it: ${sumOf(copies)} more parameters.`,
    })
  }
  if (others.length)
    findings.push({
      weight: 50,
      amount: null,
      words: words`A method of fine-tuning adds ${sumOf(others)} parameters: ${namesInWords(others.map(({ text }) => text.name))}.`,
    })
  if (own.length) {
    const names = namesInWords([
      ...new Set(own.map(({ text }) => text.name.replace(/\.(?:weight|bias)$/, "") || text.line.source.trim())),
    ])
    const sizes = own.flatMap(({ text, stated }) =>
      text.shape ? [shapeInWords(text.shape)] : stated !== null ? [whole(stated)] : [],
    )
    const formula = sizes.join(" + ")
    const isWorked = sizes.length > 0 && sizes.length <= 8 && formula !== whole(sumOf(own))
    const sum = words`: ${isWorked ? `${formula} = ` : ""}${sumOf(own)} ${noun(sumOf(own), "parameter")}`
    const unsized = own.filter(({ stated }) => stated === null)
    const about = unsized.length
      ? words`; ${unsized.length === own.length ? "how many, your text rounds" : "some are rounded in your text"}`
      : []
    findings.push({
      weight: 55,
      amount: null,
      words: words`${capitalised(names)} ${noun(names.length > 1 ? 2 : 1, "is", "are")} not part of ${code(recognised.modelClass)}${unsized.length === own.length ? [] : sum}${about}.${own.length < MANY ? "" : " They look like another model: paste it alone to see what it is."}`,
    })
  }
  return findings
}

/** @param {Facts} facts @returns {Finding[]} */
function totalsThatDiffer({ sum, stated, total, alignment }) {
  if (stated === null || stated === sum || alignment.missing.length) return []
  if (stated === total) return []
  return [
    {
      weight: 85,
      amount: sum - stated,
      words: words`The total in your text is ${stated}, but its rows add up to ${sum}.`,
    },
  ]
}

/** A finding on the trainable parameters of a text that says of each tensor, without its size, whether it is trained.
 * @param {Facts} facts @returns {Finding[]} */
function trainingBySizes({ alignment: { rows, ruler, missing } }) {
  if (missing.length || rows.some(({ text }) => text.trainable === null)) return []
  const trained = rows
    .filter(({ text }) => text.trainable)
    .flatMap(({ tensors }) => tensors.filter(({ tied }) => !tied))
  const number = sumBy(trained, ({ elements }) => elements)
  const part = number && number < ruler.total ? words`, ${partInWords(trained, ruler)},` : []
  return [
    finding(
      40,
      words`${number} of the ${ruler.total} parameters${part} ${noun(number, "is", "are")} trained; the other ${ruler.total - number} are frozen.`,
    ),
  ]
}

/** A finding on the trainable parameters, if the text states them. @param {Facts} facts @returns {Finding[]} */
function training(facts) {
  if (isWithoutSizes(facts) && facts.alignment.rows.some(({ text }) => text.trainable === false))
    return trainingBySizes(facts)
  const { alignment, print, total } = facts
  const frozenRows = alignment.rows.filter(
    ({ text, verdict }) => text.trainable === false && verdict !== "subtotal" && text.low !== null,
  )
  const trainableRows = alignment.rows.filter(
    ({ text, verdict }) => text.trainable === true && verdict !== "subtotal" && text.low !== null,
  )
  const stated = print.totals.find(({ kind }) => kind === "trainable")
  const head = headIn(facts)
  // Of a rounded number, only a head that rounds to it says what is trained.
  const isHead = stated && stated.low <= head.number && head.number <= stated.high
  const exact = stated && stated.low === stated.high ? stated.low : isHead ? head.number : null
  const number = stated ? exact : frozenRows.length ? sumOf(trainableRows) : null
  // Where the rows come to more than the total that is trained, nothing need be frozen.
  if (number === null || number >= total || number === facts.stated) return []
  const isHeadAlone = number > 0 && number === head.number
  if (isHeadAlone)
    return [
      {
        weight: 40,
        amount: null,
        words: words`${number} of the ${total} parameters, ${head.part}, are trained; the other ${total - number} are frozen.`,
      },
    ]
  return [
    {
      weight: 40,
      amount: null,
      words: words`${number} of the ${total} parameters are trained; the other ${total - number} are frozen.`,
    },
  ]
}

/** The head of a model for a task, or a layer that somebody has added: its number, 0 if there is none, and the words for it.
 * @param {Facts} facts @returns {{ number: number, part: Words }} */
function headIn({ alignment, added }) {
  const { ruler } = alignment
  const tensors = ruler.tensors.filter(({ row, tied }) => row.block === "task-head" && !tied)
  if (tensors.length)
    return { number: tensors.reduce((sum, { elements }) => sum + elements, 0), part: partInWords(tensors, ruler) }
  const rows = rowsWith(alignment, "added")
  return { number: added, part: namesInWords([...new Set(rows.map(({ text }) => text.name))]) }
}

/** Findings on what the answer assumes. @param {Facts} facts @returns {Finding[]} */
function assumptions(facts) {
  const { recognised, alignment, print } = facts
  /** @type {Finding[]} */
  const findings = []
  const { assumed, alike, name, choices, architecture, modelClass } = recognised
  const own = assumed.filter(
    (letter) => letter !== "L" && alignment.ruler.tensors.some(({ row }) => row.shape.includes(letter)),
  )
  if (own.length && name && !isWithoutSizes(facts))
    findings.push({
      weight: 30,
      amount: null,
      words: words`Your text does not show ${enumeration(own.map((letter) => (letter in SIZES ? sizeAlone(letter) : letter)))}; the answer takes ${noun(own.length, "it", "them")} from ${modelInWords(recognised)}.`,
    })
  // A published model, or a text that names its class, leaves no doubt about the architecture.
  const isNamed = Boolean(name) || print.mentions.includes(modelClass)
  const others = alike.filter((one) => !isNamed || classes.get(one)?.architecture === architecture)
  if (others.length)
    findings.push({
      weight: 10,
      amount: null,
      words: words`${enumeration(others.map(code), "or")} of these sizes has the same tensors.`,
    })
  const hasNoPooler = choices.pooler === false && !isBodyOfOther(facts)
  if (hasNoPooler && modelClass === classOfBare(architecture) && hasPooler(architecture)) {
    const { H } = recognised.sizes
    findings.push({
      weight: 65,
      amount: null,
      words: words`There is no ${link("parts/heads.html#pooler", "pooler")}; with it, the model has ${alignment.ruler.total + H * H + H} parameters.`,
    })
    const twins = twinsOf(recognised)
    if (twins.length)
      findings.push({
        weight: 64,
        amount: null,
        words: words`${enumeration(twins, "or")} has the same tensors with the same names, so it could be that, too.`,
      })
  }
  return findings
}

/** Published models of other architectures with the same sizes, whose classes have no pooler anyway.
 * @param {Recognised} recognised @returns {Words[]} */
function twinsOf({ architecture, modelClass, sizes, choices, alike }) {
  if (choices.pooler !== false || modelClass !== classOfBare(architecture)) return []
  const own = Object.fromEntries(["V", "P", "S", "H", "F", "L"].map((letter) => [letter, sizes[letter]]))
  return alike.flatMap((name) => {
    const other = classes.get(name).architecture
    const [twin] = other === architecture || hasPooler(other) ? [] : publishedLike(other, own)
    return twin ? [words`${link(twin.page, twin.title)}, as ${code(name)},`] : []
  })
}

/** @param {Facts} facts @returns {Finding[]} */
const repetition = ({ print, total }) =>
  print.isRepeated
    ? [
        {
          weight: 35,
          amount: null,
          words: words`Your text holds its rows twice; they are counted once here. Counted twice, they add up to ${2 * total}, which is ${total} too many.`,
        },
      ]
    : []

// --- The bridge -----------------------------------------------------------------------

/** @param {Facts} facts @returns {AccountBridge | null} */
function bridgeOf(facts) {
  const { alignment, recognised, sum, stated, total } = facts
  const start = stated ?? sum
  if (start === total || isWithoutSizes(facts)) return null
  /** @type {AccountStep[]} */
  const steps = []
  const add = (/** @type {Words} */ label, /** @type {number} */ value, formula = "") =>
    value && steps.push({ label, value, formula })
  for (const row of rowsWith(alignment, "wrong"))
    add(words`correct ${nameOf(row)}`, (row.right ?? 0) - (row.stated ?? 0))
  for (const row of rowsWith(alignment, "counted twice")) add(words`count ${nameOf(row)} once`, -excess([row]))
  const buffer = rowsWith(alignment, "not a parameter")
  if (buffer.length)
    add(
      words`leave out ${namesInWords(
        buffer.map(({ text }) => text.name),
        1,
      )}`,
      -sumOf(buffer),
    )
  const groups = groupsOf(alignment.missing, alignment.ruler)
  if (groups.length <= MOST_GROUPS)
    for (const tensors of groups)
      add(
        words`add ${partInWords(tensors, alignment.ruler)}`,
        tensors.reduce((all, { elements }) => all + elements, 0),
      )
  else
    add(
      ["add what is missing"],
      alignment.missing.reduce((all, { elements }) => all + elements, 0),
    )
  const rest = total - start - steps.reduce((all, { value }) => all + value, 0)
  if (rest)
    steps.unshift({
      label: stated === null ? ["what the rows do not explain"] : ["add up the rows"],
      value: rest,
      formula: "",
    })
  const end = recognised.name ? models.get(recognised.name).title : "the right total"
  return {
    start,
    startLabel: stated === null ? "your rows" : "your total",
    steps,
    end: total,
    endLabel: `${end} (${recognised.modelClass})${facts.added ? ", and what was added" : ""}`,
  }
}

// --- The lines --------------------------------------------------------------------------

/** The reader's lines, each once; lines that are the same in several layers are one line, with the numbers of one layer.
 * @param {Facts} facts @returns {AccountLine[]} */
function linesOf({ alignment, print }) {
  const { ruler } = alignment
  /** @type {Map<number, AlignedRow[]>} */
  const byLine = new Map()
  for (const row of alignment.rows) byLine.set(row.text.line.index, [...(byLine.get(row.text.line.index) ?? []), row])
  // Where a whole text stands on one line, each of its rows is shown by its name.
  const pieces =
    byLine.size === 1 && alignment.rows.length > 2 ? alignment.rows.map((row) => [row]) : [...byLine.values()]
  const lines = pieces.map((rows) => ({
    rows,
    line: lineOf(rows, ruler, pieces.length !== byLine.size || (byLine.size === 1 && alignment.rows.length > 2)),
  }))
  const folded = foldedLayers(lines, ruler)
  const unread = print.unread.map(({ source, index }) => ({
    index,
    line: { source, part: [], stated: null, right: null, verdict: /** @type {const} */ ("not read"), times: 1 },
  }))
  return [...folded.map(({ rows, line }) => ({ index: rows[0].text.line.index, line })), ...unread]
    .sort((one, other) => one.index - other.index)
    .map(({ line }) => line)
}

/** @type {LineVerdict[]} the verdict on a line with several rows is the first of these that one of them has */
const SEVERITY = ["wrong", "counted twice", "not a parameter", "added", "unknown", "rounded", "right", "subtotal"]

/** @param {AlignedRow[]} rows @param {Ruler} ruler @param {boolean} isPiece @returns {AccountLine} */
function lineOf(rows, ruler, isPiece) {
  const tensors = rows.flatMap((row) => row.tensors)
  const layers = new Set(tensors.map(({ numbers }) => numbers.join("."))).size
  const verdict = SEVERITY.find((one) => rows.some((row) => row.verdict === one)) ?? "unknown"
  const sized = rows.filter(({ stated }) => stated !== null)
  const known = rows.filter(({ right }) => right !== null)
  const stated = sized.length ? sumOf(rows) : null
  const right = known.length ? sumOfRight(known) : null
  // A line that is printed once for all layers is shown with what it holds in one of them.
  const isEach = layers > 1 && rows.length > 1 && [stated ?? 0, right ?? 0].every((sum) => sum % layers === 0)
  const times = isEach ? layers : 1
  const part = partOf(rows, tensors, ruler)
  return {
    source: isPiece && rows[0].text.name ? rows[0].text.name : rows[0].text.line.source,
    part: isEach ? inEach(part) : part,
    stated: stated === null ? null : stated / times,
    right: right === null ? null : right / times,
    verdict,
    times,
  }
}

/** The words for the rows of a line. @param {AlignedRow[]} rows @param {RulerTensor[]} tensors @param {Ruler} ruler @returns {Words} */
function partOf(rows, tensors, ruler) {
  const part = partInWords(tensors, ruler)
  const [{ text, verdict }] = rows
  const right = sumOfRight(rows)
  const isSubtotal = verdict === "subtotal" && text.low === null
  if (part.length) {
    const own = tensors.reduce((sum, { tied, elements }) => sum + (tied ? 0 : elements), 0)
    return isSubtotal && right > own ? [...part, ", with what was added"] : part
  }
  if (verdict === "added") return addedInWords(text)
  if (verdict === "not a parameter") return [/adam_[mv]/.test(text.name) ? "the optimiser's memory" : "a buffer"]
  if (isSubtotal && right) return addedInWords(text)
  const isEmpty = isSubtotal || (verdict === "right" && !right)
  if (!isEmpty) return []
  return /recursive/i.test(text.line.source) ? ["the same again, which counts once"] : [...EMPTY]
}

/** The words for a line without parameters. */
const EMPTY = ["no parameters"]

/** The words for a row that a method of fine-tuning adds; empty if that is not known. @param {TextRow} text @returns {Words} */
function addedInWords({ name }) {
  const [, module, letter] = /(\w+)\.lora_(?:embedding_)?([AB])\b/.exec(name) ?? []
  if (module) return words`LoRA's matrix ${letter} on ${code(module)}`
  const [, copied] = /(\w+)\.modules_to_save/.exec(name) ?? []
  return copied ? words`PEFT's copy of ${code(copied)}` : []
}

/** Words for a part of several layers as words for it in each of them. @param {Words} part @returns {Words} */
const inEach = (part) =>
  part.map((piece) => {
    if (typeof piece === "string") return eachLayer(piece)
    return "page" in piece ? { ...piece, text: eachLayer(piece.text) } : piece
  })

/** @param {string} text */
const eachLayer = (text) =>
  text
    .replace("in all layers", "in each layer")
    .replace("all encoder layers", "each encoder layer")
    .replace(/in layers (?=[0-9])/, "in each of layers ")
    .replace(/^encoder layers (?=[0-9])/, "each of encoder layers ")

/** Lines that say the same of several layers as one, where all of them are right. @template {{ rows: AlignedRow[], line: AccountLine }} L
 * @param {L[]} lines @param {Ruler} ruler @returns {L[]} */
function foldedLayers(lines, ruler) {
  /** @type {Map<string, L[]>} */
  const groups = new Map()
  for (const one of lines) {
    const [tensor] = one.rows[0].tensors
    const isOneLayer =
      tensor?.numbers.length && one.line.times === 1 && (one.line.verdict === "right" || one.line.verdict === "rounded")
    const key = isOneLayer
      ? `${one.rows.flatMap((row) => row.tensors.map((own) => own.row.path)).join()} ${one.line.stated}`
      : `line ${groups.size}`
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()].map((group) => {
    const [first] = group
    if (group.length < 2) return first
    const tensors = group.flatMap(({ rows }) => rows.flatMap((row) => row.tensors))
    return { ...first, line: { ...first.line, part: inEach(partInWords(tensors, ruler)), times: group.length } }
  })
}

// --- Other models -----------------------------------------------------------------------

/** The account of tensors that a method of fine-tuning adds, printed without the model. @param {TextRow[]} rows @returns {Account} */
function accountOfAdded(rows) {
  const sum = rows.reduce((all, { low }) => all + (low ?? 0), 0)
  return {
    kind: "other",
    headline: words`These are ${countInWords(rows.length, "tensor")} that PEFT adds to a model, with ${sum} parameters. The model itself is not in your text.`,
    findings: [],
    lines: rows.map(({ line, low, name }) => ({
      source: sourceOrName({ line, name }),
      part: [],
      stated: low,
      right: null,
      verdict: "added",
      times: 1,
    })),
    bridge: null,
    model: null,
    confidence: "certain",
  }
}

/** The account of a print-out of a model that is not counted here. @param {PrintOut} print @returns {Account | null} */
function accountOfOther({ rows, totals, isTable }) {
  const sized = rows.filter(({ low }) => low !== null && low > 0)
  if (sized.length < (isTable ? 2 : FEWEST_ROWS + 1)) return null
  if (sized.every(({ name }) => ADDED.test(name))) return accountOfAdded(sized)
  // A table of models with their totals is no model.
  if (
    sized.filter(
      ({ name }) =>
        models.has(name) ||
        (/^(?:[a-z]+-)?(?:\w*bert|electra|mpnet|minilm)(?:[-_.]|$)/i.test(name) && !printedRows(name)),
    ).length >
    sized.length / 2
  )
    return null
  const isExact = sized.every(({ low, high }) => low === high)
  const sum = sized.filter(({ buffer }) => !buffer).reduce((all, { low, stated }) => all + (stated ?? low ?? 0), 0)
  const stated = totals.find(({ kind, low, high }) => kind === "total" && low === high)
  const names = namesInWords([...new Set(sized.map(({ name }) => name))].filter(Boolean))
  const total = stated && stated.low !== sum ? words` The total in your text is ${stated.low}.` : []
  const count = isExact ? words` with ${sum} parameters in all` : [", whose counts are rounded"]
  const listing = names.length ? words`: ${names}` : []
  return {
    kind: "other",
    headline: words`These are ${countInWords(sized.length, "row")}${count}. We cannot tell which model they are of${listing}.${total}`,
    findings: [],
    lines: sized
      .slice(0, MOST_LINES)
      .map(({ line, low, stated: own, name }) => ({
        source: sourceOrName({ line, name }),
        part: [],
        stated: own ?? low,
        right: null,
        verdict: "unknown",
        times: 1,
      })),
    bridge: null,
    model: null,
    confidence: "certain",
  }
}
const MOST_LINES = 2000

/** The classes with a head that a text mentions, or else those without. @param {string[]} mentions */
function mentionedClass(mentions) {
  const known = mentions.filter((name) => classes.has(name))
  return known.find((name) => classOfBare(classes.get(name).architecture) !== name) ?? known[0]
}

/** The account of a summary of an encoder whose sizes its rows do not give: they are added up, and no more is said.
 * @param {PrintOut} print @returns {Account | null} */
function accountOfUnsized({ rows, totals, mentions }) {
  const modelClass = mentionedClass(mentions)
  const above = subtotals(rows)
  const plain = rows.filter((row) => row.low !== null && row.low > 0 && !above.has(row))
  if (!modelClass || plain.length < 2 || plain.some(({ low, high }) => low !== high)) return null
  const sum = plain.reduce((all, { low }) => all + (low ?? 0), 0)
  const stated = totals.filter(({ kind, low, high }) => kind === "total" && low === high).at(-1)?.low ?? null
  const differs = stated !== null && stated !== sum
  const lines = plain.map(({ line, low }) => ({
    source: line.source,
    part: [],
    stated: low,
    right: null,
    verdict: /** @type {const} */ ("unknown"),
    times: 1,
  }))
  const says = differs
    ? words`Your rows add up to ${sum}, but the total in your text is ${stated ?? 0}`
    : words`Your rows add up to ${sum}${stated === null ? "" : ", as your text says"}`
  return {
    kind: "rows",
    headline: words`This is ${code(modelClass)} with sizes of its own, which its rows do not give one by one. ${says}.`,
    findings: differs
      ? [
          {
            weight: 85,
            amount: sum - (stated ?? 0),
            words: words`The total and the rows differ by ${Math.abs(sum - (stated ?? 0))}.`,
          },
        ]
      : [],
    lines,
    bridge: null,
    model: differs ? null : { name: "", modelClass, total: sum },
    confidence: "likely",
  }
}

// --- The account ------------------------------------------------------------------------

/** Whether a text has enough rows to be a print-out. @param {PrintOut} print */
const isPrintOut = ({ rows, mentions }) =>
  rows.filter(({ low }) => low !== null).length >= (mentions.length ? 1 : FEWEST_ROWS) ||
  rows.filter(({ name }) => name).length >= FEWEST_ROWS + 2

/** The rows of a text along the tensors of its model; null unless it is a print-out of an encoder that we count.
 * @param {PrintOut} print @returns {Facts | null} */
function factsIn(print) {
  const byNames = recognisedByNames(print)
  if (byNames) return factsOf(print, byNames.recognised, alignedByName(print.rows, byNames.recognised))
  const byCounts = recognisedByCounts(print)
  if (byCounts) return factsOf(print, byCounts.recognised, byCounts.alignment)
  // Names that a narrow column has cut say little, but the tensors may stand in the order of a model.
  const namedRows = namedByOrder(print.rows.filter(({ container }) => !container))
  const byOrder = namedRows && recognisedByNames({ ...print, rows: namedRows })
  return byOrder && factsOf(print, byOrder.recognised, alignedByName(namedRows, byOrder.recognised))
}

/** A print-out without any names, such as a list of shapes, with those that its order gives. @param {PrintOut} print */
const withNames = (print) =>
  print.rows.some(({ name }) => name) ? print : { ...print, rows: namedByOrder(print.rows) ?? print.rows }

/** The facts of a print-out; null unless the text is one of an encoder that we count. @param {string} text */
export function alignedPrintOut(text) {
  const print = withNames(printOutOf(text))
  return isPrintOut(print) ? factsIn(print) : null
}

/** Whether a text without sizes states a total that the assumed sizes do not give. @param {Facts} facts */
const hasOtherTotal = (facts) => isWithoutSizes(facts) && facts.stated !== null && facts.stated !== facts.total

/** How sure it is that a text is of the model: certain if its total is the model's, or if every tensor has a row and the
 * rows that do not fit are few.
 * @param {Facts} facts @returns {Account["confidence"]} */
function confidenceOf(facts) {
  const { alignment, recognised, stated, total } = facts
  if (isWithoutSizes(facts)) return stated === total ? "likely" : "possible"
  if (recognised.isOpen || twinsOf(recognised).length) return "likely"
  if (stated === total) return "certain"
  const strange = rowsWith(alignment, "wrong").length + rowsWith(alignment, "unknown").length
  const isWhole = !alignment.missing.length && strange <= alignment.rows.length / 10
  return isWhole && (stated === null || facts.sum === stated) ? "certain" : "likely"
}

/** The account of layers without the rest of a model. @param {PrintOut} print @param {import("./layers.js").Layers} layers
 * @returns {Account} */
function accountOfLayers(print, layers) {
  const facts = factsOf(print, layers.recognised, layers.alignment)
  const findings = [...wrongRows(facts), ...doubledRows(facts), ...modelsWithLayers(layers, print.depths.length > 0)]
  return {
    kind: "rows",
    headline: headlineOfLayers(layers),
    findings,
    lines: linesOf(facts),
    bridge: null,
    model: null,
    confidence: "likely",
  }
}

/** Whether a text has nothing but one rounded number for the whole of a model, without its class: that says no more than the
 * number alone.
 * @param {Facts} facts */
function isOneRoundedNumber({ alignment, print }) {
  if (print.mentions.some((name) => classes.has(name))) return false
  const rows = alignment.rows.filter(({ verdict, text }) => verdict !== "subtotal" && text.low !== null)
  return rows.length === 1 && rows[0].verdict === "rounded" && !print.totals.some(({ low, high }) => low === high)
}

/** The account of a print-out; null for any other text. @param {string} text @returns {Account | null} */
export function accountOfRows(text) {
  const print = withNames(printOutOf(text))
  const few = () => accountOfAdapters(print.rows) ?? accountOfFew(text, print.rows)
  const layers = layersAlone(print)
  if (layers) return few() ?? accountOfLayers(print, layers)
  if (!isPrintOut(print) && !(print.isTable && print.rows.length)) return few()
  const facts = factsIn(print)
  if (facts && isOneRoundedNumber(facts)) return null
  if (!facts) return few() ?? accountOfUnsized(print) ?? accountOfOther(print)
  const { recognised, total } = facts
  return {
    kind: "rows",
    headline: headlineOf(facts),
    findings: findingsOf(facts),
    lines: linesOf(facts),
    bridge: isBodyOfOther(facts) ? null : bridgeOf(facts),
    model:
      hasOtherTotal(facts) || isBodyOfOther(facts)
        ? null
        : { name: recognised.name, modelClass: recognised.modelClass, total },
    confidence: confidenceOf(facts),
  }
}
