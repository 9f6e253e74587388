// Sums by hand: somebody's count in numbers, letters or words, on one line or many.
// The text becomes statements (statements.js), these a tree of results
// (tree.js) and that a list of summands; the sizes follow from the factors
// (sizes.js), each summand is matched with parts of the model
// (match.js), and what is left over are the mistakes (outcome.js).
// Summands are judged before totals, so two mistakes that cancel are both found.

import { count, models } from "../../counting/engine.js"
import { readWith } from "../../explaining/letters.js"
import { words } from "../words.js"
import { namesAnother, partsMeant } from "./labels.js"
import { outcomeOf } from "./outcome.js"
import { rulerOf } from "./pieces.js"
import { headline, lines, nameOf, points } from "./says.js"
import { candidates, definedIn, namesModel } from "./sizes.js"
import { statementsIn } from "./statements.js"

/** @typedef {import("./says.js").Understood} Understood */
/** @typedef {import("./statements.js").Statement} Statement */
/** @typedef {import("./expressions.js").Expression} Expression */
/** @typedef {import("./match.js").Reading} Reading */

const LONGEST = 30_000
const MOST_STATEMENTS = 200
const FEWEST_PARTS = 3 // parts without a formula that make a sum
const OF_MODELS = 0.7 // what it costs to read a sum with a model that agrees less with the text

/** Whether a text is what a tool prints: names with dots or slashes, shapes, columns of a summary.
 * @param {string} text */
function isPrintOut(text) {
  if (
    text.includes("____") ||
    /torch\.Size|Param #|\(\w+\): \w+\(|trainable params|trainable%|dtype=|<tf\.Variable/i.test(text)
  )
    return true
  return (text.replace(/https?:\S+/g, "").match(/(?<![/\w])[a-z_]\w*(?:[./](?:\w+)){2,}/gi) ?? []).length > 2
}

/** @type {Record<string, string>} */
const TABLES = { V: "vocabulary", P: "positions", S: "segments" }

/** The published model that a text names if its own sizes differ from it in one table alone.
 * @param {Understood} outcome @param {string} text @returns {Understood["published"]} */
function publishedFor({ model, target }, text) {
  const { name, architecture, sizes, reference } = model
  const { modelClass } = target
  if (name || !reference || !modelClass || !namesModel(text)) return null
  const known = models.get(reference)
  const letters = Object.keys(known.sizes).filter(
    (letter) => !"AC".includes(letter) && known.sizes[letter] !== sizes[letter],
  )
  const [letter] = letters
  if (letters.length !== 1 || !(letter in TABLES) || known.architecture !== architecture) return null
  const total = count({ modelClass, sizes: known.sizes }) ?? 0
  const [right, given, what] = [known.sizes[letter], sizes[letter], TABLES[letter]]
  const change = total - target.total
  return {
    title: known.title,
    total,
    label: words`${what}: ${right} instead of ${given}`,
    words: words`${known.title} has ${right} as its ${what}, and your sum takes ${given}: ${Math.abs(change)} too ${change > 0 ? "few" : "many"}.`,
  }
}

/** What a text counts by hand, read with each model that it may be about; the best. Null if it counts nothing.
 * @param {Statement[]} statements @param {string} text @returns {Understood | null} */
function understood(statements, text) {
  const { names, candidates: fitting } = candidates(statements, text)
  const counting = statements.filter((statement) => !definedIn(statement))
  const costOf = (/** @type {Understood} */ { cost, model }) => cost - model.agreement * OF_MODELS
  /** @type {Understood | null} */
  let best = null
  for (const model of fitting) {
    const { sizes } = model
    // A model that agrees so much less with the text cannot win.
    if (best && costOf(best) <= -model.agreement * OF_MODELS) continue
    const sizeNumbers = new Set(["V", "P", "H", "F", "E"].flatMap((letter) => (sizes[letter] ? [sizes[letter]] : [])))
    const outcome = outcomeOf(counting, { sizes, names }, sizeNumbers, rulerOf(model.architecture, sizes))
    const read = outcome && { ...outcome, model, published: null }
    if (read && (!best || costOf(read) < costOf(best))) best = read
  }
  return best
}

/** What a sum leaves out of which its text does not say how large it is; "" if nothing. Published models agree in their
 * positions, but not in their vocabularies.
 * @param {Understood} outcome */
function assumedIn({ gaps, model }) {
  const letters = model.name ? ["V"] : ["V", "P"]
  const isLeftOut = (/** @type {string} */ letter) =>
    gaps.some(({ piece }) => [...piece.rows].some(({ dimensions }) => dimensions.includes(letter)))
  const letter = letters.find((one) => !(one in model.said) && isLeftOut(one))
  return letter ? TABLES[letter] : ""
}

/** Whether the text is a sum that nothing else explains better.
 * @param {Statement[]} statements @param {string} text */
function isSum(statements, text) {
  const counting = statements.filter((statement) => !definedIn(statement))
  const formulas = counting.filter(({ expressions }) => expressions.length)
  if (formulas.length && formulas.every(({ text: own, words: label }) => OF_OTHER_AMOUNTS.test(`${label} ${own}`)))
    return false
  const labelled = counting.filter(({ words: label, after }) => partsMeant(label || after).length)
  if (!formulas.length) return labelled.length > 2
  if (counting.length > 1) return labelled.length > 0 || formulas.length > 1
  const [{ expressions, words: label, after, stated }] = counting
  if (partsMeant(`${label} ${after}`).length) return true
  return stated !== null || expressions[0].parts.length > 2 || !readWith(text, {})
}

// What a formula works out if it is no number of parameters.
const OF_OTHER_AMOUNTS =
  /(?:^|[^a-z])(?:[kmgtp]?flops?|[kmgt]?macs?|mult[ -]?adds|memory\w*|bytes?|[kmgt]i?b|tokens?\/s|lr|loss)(?![a-z])/i

/** Whether a statement works out a number of parameters from whole numbers. @param {Statement} statement */
const isOfParameters = ({ expressions, text, words: label, after, name }) =>
  expressions.some(isOfWholeNumbers) && !OF_OTHER_AMOUNTS.test([text, label, after, name].join(" "))

/** Whether no number in an expression is rounded. @param {Expression} one @returns {boolean} */
const isOfWholeNumbers = ({ width, parts }) => !width && parts.every(isOfWholeNumbers)

const OF_MODELS_AT_ALL =
  /bert|param|参数|參數|layer|层|層|embed|transformer|attention|模型|model|weight|schicht|couche|capa/i

const MOST_WORDS = 6 // beside a product; with more it is a sentence about something else

/** Whether a text is one formula that the page explains as a number: without a result, and with no words or too many.
 * @param {Statement[]} statements @param {Understood} outcome */
function isBare(statements, { readings, target, slips }) {
  const [{ words: label, after, stated }] = statements
  if (statements.length > 1 || slips.length) return false
  const count = `${label} ${after}`.trim().split(/\s+/).length
  const isLabelled = partsMeant(`${label} ${after}`).length > 0 && count <= MOST_WORDS
  const isWhole = target.modelClass !== "" && readings.every(({ kind }) => kind === "exact")
  return !isWhole && !(isLabelled || (stated && label && count <= MOST_WORDS))
}

const NEAR = 0.03

/** Whether a reading is that of a part with this number, or nearly. @param {Reading} reading @param {number} value */
const isNear = ({ kind, right }, value) =>
  kind === "exact" || kind === "tied" || (kind === "wrong" && Math.abs(value / right - 1) < NEAR)

/** The account of a sum of which no summand is known: its arithmetic alone.
 * @param {Understood} outcome @param {import("./says.js").Point[]} all @param {string} text
 * @returns {Account | null} */
function ofArithmetic(outcome, all, text) {
  const slips = all.slice(0, outcome.slips.length).map(({ finding }) => finding)
  if (!OF_MODELS_AT_ALL.test(text) || (outcome.summands.length < 2 && !slips.length)) return null
  if (!outcome.entries.some(({ statement }) => isOfParameters(statement))) return null
  const said = slips.length ? "the arithmetic has a slip" : "its arithmetic is right"
  return {
    kind: "sum",
    headline: words`We cannot tell which model this sum counts, so we only check how it is worked out: ${said}.`,
    findings: slips,
    lines: lines(outcome).map((line) => ({
      ...line,
      part: [],
      right: line.verdict === "subtotal" ? line.right : null,
      verdict: line.verdict === "subtotal" ? "subtotal" : "unknown",
    })),
    bridge: null,
    model: null,
    confidence: "possible",
  }
}

/** The account of a sum by hand; null if a text is none, or a product that the page explains as a number.
 * @param {string} text @returns {Account | null} */
export function accountOfSum(text) {
  if (text.length > LONGEST || isPrintOut(text)) return null
  const statements = statementsIn(text)
  if (!statements.length || statements.length > MOST_STATEMENTS || !isSum(statements, text)) return null
  const best = understood(statements, text)
  if (!best) return null
  const outcome = { ...best, published: publishedFor(best, text) }
  if (isBare(statements, outcome)) return null
  const { points: all, steps, closes, end } = points(outcome)
  const known = outcome.readings.filter(({ kind }) => kind !== "unknown")
  const exact = outcome.readings.filter(({ kind }) => kind === "exact")
  // Of a model with sizes of its own, more must fit before it is believed.
  const namesBert = /bert|electra|mpnet|minilm|xlm/i.test(text)
  const isKnown = (outcome.model.name || outcome.published) && namesBert
  const fitting = outcome.readings.filter((reading, place) => isNear(reading, outcome.summands[place].value))
  const isStory = fitting.length < outcome.readings.length * (isKnown ? 0.5 : 0.75)
  const isOwn = !outcome.model.name && !outcome.published
  const isForeign = isOwn && !namesBert && (outcome.gaps.length > 0 || exact.length < outcome.readings.length)
  if (!statements.some(({ expressions }) => expressions.length) && exact.length < FEWEST_PARTS) return null
  if (
    !known.length ||
    (isStory && outcome.readings.length > 2) ||
    !fitting.length ||
    isForeign ||
    (namesAnother(text) && !/bert/i.test(text))
  )
    return ofArithmetic(outcome, all, text)
  const findings = all.map(({ finding }) => finding).sort((one, other) => other.weight - one.weight)
  const assumed = assumedIn(outcome)
  if (assumed)
    findings.push({
      weight: 0.7,
      words: words`Your text does not say the size of the ${assumed}, so we took a usual one.`,
      amount: null,
    })
  // A part is believed only if the words name one.
  const isNamed = outcome.target.modelClass !== "" || outcome.summands.some(({ label }) => partsMeant(label).length > 0)
  const isSure =
    isNamed &&
    closes &&
    known.length === outcome.readings.length &&
    !outcome.isUnsure &&
    !assumed &&
    (!isOwn || (outcome.target.modelClass !== "" && exact.length === outcome.readings.length))
  const { modelClass } = outcome.target
  return {
    kind: "sum",
    headline: isSure ? headline(outcome, all) : ["We are not sure of this. ", ...headline(outcome, all)],
    findings,
    lines: lines(outcome),
    bridge:
      closes && steps.length
        ? {
            start: outcome.total,
            startLabel: "your total",
            steps,
            end,
            endLabel: modelClass
              ? `${modelClass} of ${outcome.published?.title ?? nameOf(outcome.model)}`
              : "the right total",
          }
        : null,
    model: { name: outcome.model.name, modelClass, total: outcome.target.total },
    confidence: isSure
      ? outcome.model.name && !all.some(({ finding }) => finding.weight >= 1)
        ? "certain"
        : "likely"
      : "possible",
  }
}
