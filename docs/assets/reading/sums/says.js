// What is said about a sum by hand: the headline, the findings, the lines of the text
// with what each counts, and the bridge from the writer's total to the right one. The
// bridge has a step for every slip, wrong summand and gap, and is left out if it does
// not close.

import { models, noun, sumBy, whole } from "../../counting/engine.js"
import { slipOf } from "../../explaining/kinds/near.js"
import { link, listed, words } from "../words.js"
import { hasEntries } from "./entries.js"
import { wordsOf } from "./pieces.js"

/** @typedef {import("./outcome.js").Outcome} Outcome */
/** @typedef {import("./outcome.js").Gap} Gap */
/** @typedef {import("./outcome.js").Target} Target */
/** @typedef {import("./summands.js").Placed} Placed */
/** @typedef {import("./summands.js").Slip} Slip */
/** @typedef {import("./match.js").Reading} Reading */
/** @typedef {import("./entries.js").Entry} Entry */
/** @typedef {import("./candidates.js").Candidate} Candidate */

/** A sum by hand, understood, with the model that it is about. `published` is the model that the text means if its
 * own sizes are no model's.
 * @typedef {Outcome & { model: Candidate, published: { title: string, total: number, label: Words, words: Words } | null }} Understood */

/** A finding and the step that puts it right.
 * @typedef {{ finding: Finding, step: AccountStep | null }} Point */

const LONGEST = 60

/** What the writer says, cut. @param {Entry} entry */
const quoted = (entry) => {
  const text = entry.statement.text
    .replace(/\s+/g, " ")
    .replace(/^[\s,;:.]+/, "")
    .trim()
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text
}

/** @param {number} number */
const signed = (number) => `${number < 0 ? "−" : "+"}${whole(Math.abs(number))}`

/** What a reading counts, as a link. @param {Reading} reading @param {Outcome} outcome @returns {Words} */
const partOf = ({ piece, count }, { ruler }) =>
  piece ? [link(piece.page, wordsOf(piece, Math.min(count, ruler.layers), ruler))] : []

/** The model, as a noun. @param {Candidate} model */
export function nameOf({ name, sizes }) {
  if (name) return models.get(name).title
  const letters = Object.entries(sizes).filter(([letter]) => "VHFL".includes(letter))
  return `a model with ${letters.map(([letter, size]) => `${letter} = ${whole(size)}`).join(", ")}`
}

// --- Points -------------------------------------------------------------------

/** A slip of arithmetic. @param {Slip} slip @returns {Point} */
function ofSlip({ entry, amount, isRounding }) {
  const { stated, absorbs, exact, carried, isCopy, children, formula } = entry
  const given = stated?.value ?? 0
  const right = absorbs ? exact : carried
  const how = slipOf(String(given), String(right))
  const kind = isCopy
    ? "copied wrongly"
    : children.length || (formula && hasEntries(formula))
      ? "added up wrongly"
      : "worked out wrongly"
  const said = how ? `, ${how}` : ""
  const about = isRounding
    ? words`“${quoted(entry)}” is rounded; exactly it is ${right}.`
    : words`“${quoted(entry)}” is ${kind}: it is ${right}, not ${given}${said}.${amount ? "" : " Your total does not use it."}`
  const step = {
    label: [isRounding ? `what was rounded: ${quoted(entry)}` : `slip of arithmetic: ${quoted(entry)}`],
    value: -amount,
    formula: `${whole(right)} − ${whole(given)}`,
  }
  return {
    finding: { weight: isRounding ? 0.5 : Math.abs(amount) + 1, words: about, amount: amount || null },
    step: amount ? step : null,
  }
}

/** A summand that is wrong or unknown; null if its number is that of a part.
 * @param {Placed} summand @param {Reading} reading @param {Outcome} outcome @returns {Point | null} */
function ofSummand(summand, reading, outcome) {
  const { value, entry, width } = summand
  const { kind, right } = reading
  const part = partOf(reading, outcome)
  if (kind === "tied")
    return {
      finding: {
        weight: value,
        words: words`“${quoted(entry)}”: the decoder shares its matrix with the word embeddings, so it adds nothing.`,
        amount: value,
      },
      step: { label: ["the decoder, which is tied"], value: -value, formula: "" },
    }
  if (kind === "unknown")
    return {
      finding: {
        weight: Math.abs(value),
        words: words`We do not know what “${quoted(entry)}” counts (${value}).`,
        amount: value,
      },
      step: { label: [`what we cannot place: ${summand.label || quoted(entry)}`], value: -value, formula: "" },
    }
  const rest = value - right
  if (kind === "wrong" && rest)
    return {
      finding: {
        weight: Math.abs(rest),
        words: words`“${quoted(entry)}” counts ${value}; ${part} should be ${right}, so it is ${signed(rest)}.`,
        amount: rest,
      },
      step: {
        label: [`${summand.label || quoted(entry)}: `, ...part],
        value: -rest,
        formula: `${whole(right)} − ${whole(value)}`,
      },
    }
  const own = sumBy(
    reading.rows,
    (row) =>
      outcome.ruler.size(row) *
      (row.repeated
        ? Math.min(reading.count, outcome.ruler.times(row) * (reading.count > outcome.ruler.layers ? reading.count : 1))
        : 1),
  )
  return width && own !== value
    ? {
        finding: { weight: 0.4, words: words`“${quoted(entry)}” is rounded; ${part} is ${own}.`, amount: value - own },
        step: { label: [`what was rounded: ${summand.label}`], value: own - value, formula: "" },
      }
    : null
}

/** The words of a part that is left out or counted too often. @param {Gap} gap @param {Outcome} outcome @returns {Words} */
function gapWords({ piece, instead }, { target, ruler }) {
  const [one, other] = [piece, instead].map((part) =>
    part ? [link(part.page, wordsOf(part, part.layered ? target.layers : ruler.layers, ruler))] : [],
  )
  return instead ? [...one, " or ", ...other] : one
}

/** A part that is left out, or counted in too few layers or too often.
 * @param {Gap} gap @param {Outcome} outcome @returns {Point} */
function ofGap(gap, outcome) {
  const { piece, count, of, amount } = gap
  const isMissing = amount > 0
  const isWhole = !piece.layered || (count === of && isMissing)
  const all = gapWords(gap, outcome)
  const one = link(
    piece.page,
    piece.words.replace(/ in all layers$/, "").replace(/^all encoder layers/, "encoder layers"),
  )
  const wholly = isMissing
    ? words`You left out ${all}: ${amount}.`
    : words`You counted ${all} more often than it is there: ${-amount} too many.`
  const partly = isMissing
    ? words`You counted ${one} in ${of - count} of ${of} layers: ${amount} are missing.`
    : words`You counted ${one} ${tooOften(count, of)}: ${-amount} too many.`
  const more = isMissing ? words`${one} in ${count} more ${noun(count, "layer")}` : words`${one}, counted too often`
  return {
    finding: { weight: Math.abs(amount), words: isWhole ? wholly : partly, amount: -amount },
    step: { label: isWhole && isMissing ? all : more, value: amount, formula: "" },
  }
}

/** How often a part was counted that is in every layer once. @param {number} count  how often it lacks; below zero
 * @param {number} layers */
const tooOften = (count, layers) =>
  count % layers ? `in ${layers - count} layers instead of ${layers}` : `${1 - count / layers} times in every layer`

/** All points, and a bridge of their steps. @param {Understood} outcome */
export function points(outcome) {
  const { slips, summands, readings, gaps, published, target, total } = outcome
  const all = [
    ...slips.map(ofSlip),
    ...summands.flatMap((summand, place) => ofSummand(summand, readings[place], outcome) ?? []),
    ...gaps.map((gap) => ofGap(gap, outcome)),
  ]
  const end = published ? published.total : target.total
  if (published) {
    const value = published.total - target.total
    all.push({
      finding: { weight: Math.abs(value), words: published.words, amount: -value },
      step: { label: published.label, value, formula: "" },
    })
  }
  const steps = all.flatMap(({ step }) => (step ? [step] : []))
  const closes = total + sumBy(steps, ({ value }) => value) === end
  return { points: all, steps, closes, end }
}

// --- Lines --------------------------------------------------------------------

/** The verdict on a summand. @param {Placed} summand @param {Reading} reading @param {Outcome} outcome @returns {LineVerdict} */
function verdictOn({ width }, { kind, count, rows }, { ruler, target }) {
  if (kind === "unknown") return "unknown"
  if (kind === "tied") return "counted twice"
  if (kind === "wrong") return "wrong"
  const layered = [...rows].some(({ repeated }) => repeated)
  if (layered && count > ruler.layers) return "counted twice"
  if (layered && count < target.layers) return "wrong"
  if (kind === "some") return "wrong"
  return width ? "rounded" : "right"
}

/** The number that a summand should have, as it stands in its line. @param {Placed} summand @param {Reading} reading @param {Outcome} outcome */
function rightOf({ times }, { rows, kind, count, right, piece }, { ruler, target }) {
  if (kind === "unknown") return null
  if (kind === "tied") return 0
  const all = sumBy(rows, (row) => ruler.size(row) * (row.repeated ? Math.min(target.layers, ruler.times(row)) : 1))
  if (kind === "wrong" || kind === "some") return (piece && count < target.layers ? piece.whole : right) / times
  return all / times
}

/** A reading as it stands in its line: what is multiplied with the layers later is of one layer there.
 * @param {Placed} summand @param {Reading} reading @param {Outcome} outcome @returns {Reading} */
function inLine({ times, isOneLayer }, reading, { ruler }) {
  const { count, piece } = reading
  const isOfOne = times === ruler.layers && piece?.layered && count === ruler.layers && (isOneLayer || times > 1)
  return isOfOne ? { ...reading, count: 1 } : reading
}

/** @type {LineVerdict[]} */
const WORST = ["unknown", "wrong", "counted twice", "rounded", "right"]

/** The lines of a sum, in the order of the text. @param {Understood} outcome @returns {AccountLine[]} */
export function lines(outcome) {
  const { entries, summands, readings, loose } = outcome
  return entries
    .filter((entry) => !loose.includes(entry))
    .map((entry) => {
      const places = summands.flatMap((summand, place) => (summand.entry === entry ? [place] : []))
      const stated = entry.stated?.value ?? entry.exact
      const source = entry.statement.text.replace(/^[\s,;:.]+/, "").trim()
      if (!places.length || entry.children.length || (entry.formula && hasEntries(entry.formula)))
        return {
          source,
          part: [],
          stated,
          right: entry.slip && !entry.isRounded ? entry.exact : stated,
          verdict: entry.slip && !entry.isRounded ? "wrong" : "subtotal",
          times: 1,
        }
      const parts = places
        .map((place) => partOf(inLine(summands[place], readings[place], outcome), outcome))
        .filter(({ length }) => length)
      const rights = places.map((place) => rightOf(summands[place], readings[place], outcome))
      const right = rights.includes(null) ? null : sumBy(rights, (one) => one ?? 0)
      const verdicts = places.map((place) => verdictOn(summands[place], readings[place], outcome))
      const verdict = WORST.find((one) => verdicts.includes(one)) ?? "unknown"
      const isSlip = entry.slip !== 0 && !entry.isRounded
      return {
        source,
        part: listed(parts),
        stated,
        right,
        verdict: isSlip ? "wrong" : verdict === "right" && entry.isRounded ? "rounded" : verdict,
        times: 1,
      }
    })
}

// --- Headline -----------------------------------------------------------------

/** What is counted, as a noun, and with a verb for a number. @param {Understood} outcome
 * @returns {{ what: Words, has: (number: number) => Words }} */
function subject({ target, model, ruler, published }) {
  const name = published?.title ?? nameOf(model)
  if (target.modelClass) {
    const what = words`${target.modelClass} of ${name}`
    return { what, has: (number) => words`${what} has ${number} parameters` }
  }
  const piece = /** @type {import("./pieces.js").Piece} */ (target.piece)
  const what = words`${link(piece.page, wordsOf(piece, piece.layered ? target.layers : ruler.layers, ruler))} of ${name}`
  return { what, has: (number) => words`the right number for ${what} is ${number}` }
}

/** The first sentences of the answer. @param {Understood} outcome @param {Point[]} all @returns {Words} */
export function headline(outcome, all) {
  const { target, total, gaps, published, root } = outcome
  const { what, has } = subject(outcome)
  const end = published ? published.total : target.total
  const serious = all.filter(({ finding }) => finding.weight >= 1)
  const whose = root?.stated || root?.children.length ? "Your total" : "Your sum"
  if (!serious.length)
    return total === end
      ? words`Your sum is right: ${has(end)}.`
      : words`Your sum is right as far as it is rounded: ${has(end)}.`
  const isWithout = serious.length === gaps.length && gaps.every(({ amount, count, of }) => amount > 0 && count === of)
  if (isWithout && gaps.length < 3) {
    const without = listed(gaps.map((gap) => gapWords(gap, outcome)))
    return words`Your sum is ${what}, without ${without}: ${total}. With ${gaps.length > 1 ? "them" : "it"}, ${end}.`
  }
  if (total === end)
    return words`${whose} is that of ${what}, ${total}, but the sum behind it has ${serious.length} mistakes, which cancel.`
  const rest = total - end
  const reasons = serious.length > 1 ? `, for ${serious.length} reasons` : ""
  return words`${whose} is ${total}; ${has(end)}. Yours is ${Math.abs(rest)} too ${rest < 0 ? "small" : "large"}${reasons}.`
}
