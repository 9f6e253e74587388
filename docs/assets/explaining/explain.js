// Explaining: every way to a number, the likeliest first, each with how sure it
// is. What speaks against a way, and how far to look, is data:
// macros/counting/data/search.toml.

import table from "../../data/table.js"
import { models as everyModel } from "../counting/engine.js"
import { kind as differences } from "./kinds/differences.js"
import { kind as memory } from "./kinds/memory.js"
import { near } from "./kinds/near.js"
import { kind as others } from "./kinds/others.js"
import { listedParts, kind as parts } from "./kinds/parts.js"
import { kind as shares } from "./kinds/shares.js"
import { kind as sizes } from "./kinds/sizes.js"
import { kind as tensors } from "./kinds/tensors.js"
import { kind as totals } from "./kinds/totals.js"
import { kind as training } from "./kinds/training.js"
import { chance, linesBySize, within } from "./known-numbers.js"
import { bounds, read, rounded } from "./read.js"
import { costOfModel as costOfNamed, grouped, isReleased } from "./ways.js"

const { limits } = table.explanations
const KINDS = [totals, others, tensors, parts, training, sizes, memory, differences, shares]

/** @param {Explanation} each  whether it says what the number is, and not what somebody may have done */
const isPlain = ({ mistakes, sizes, kind, printed_in: printed }) =>
  printed.length > 0 || (!mistakes.length && !Object.keys(sizes).length && kind !== "difference" && kind !== "training")

/**
 * How sure an explanation is: `certain` where it is this number, `likely`
 * where it is simple, or so few numbers near have a way that costs no more
 * that it can hardly be chance, `possible` otherwise.
 * @param {Explanation} each
 * @param {NumberRead} asked
 * @returns {Confidence}
 */
function confidenceOf(each, { exact }) {
  if (each.kind === "near") return each.slip ? "likely" : "possible"
  const simple = each.cost <= limits.simple + 1
  if (each.kind === "memory" && exact)
    return simple ? (each.frame || each.mistakes.length ? "likely" : "certain") : "possible"
  // Rounded memory may also be something else that is as large.
  if (isPlain(each)) return each.kind === "memory" && each.cost > 0 ? "likely" : "certain"
  if (each.cost <= limits.simple || each.kind === "memory") return "likely"
  if (each.kind !== "total" || !exact) return simple ? "likely" : "possible"
  const wide = everyModel.get(each.models[0]).sizes.H
  return chance(each.number, wide, each.cost) <= limits.chance ? "likely" : "possible"
}

const FEW_ROWS = 8 // of a table: so near, a right number says more than a vocabulary that nobody is known to have

/** What comes first: what is known or likely; a slip of a digit, or a number less than a row away;
 * what may be chance; a number a few rows away; any vocabulary; the rest.
 * @param {Explanation} each */
function rank({ kind, confidence, slip, rest, models, sizes, cost }) {
  if (confidence === "certain" || (confidence === "likely" && kind !== "near") || (slip && cost <= limits.simple + 1))
    return 0
  const wide = models.length ? everyModel.get(models[0]).sizes.H : 1
  const away = Math.abs(rest) / wide
  if (slip || (kind === "near" && away < 1)) return 1
  if (kind === "near") return away < FEW_ROWS ? 3 : 5
  return kind === "size" && "V" in sizes && cost === limits.possible ? 4 : 2
}

/** @param {Explanation} each */
const isRelative = ({ models }) => models.length > 0 && !models.some(isReleased)
/** Of what costs the same: what is certain of a BERT, a BERT counted otherwise, an exact relative, the rest. @param {Explanation} each */
function tie(each) {
  const certain = each.confidence === "certain"
  if (isRelative(each)) return certain ? 2 : 3
  return certain ? 0 : each.kind === "total" ? 1 : 3
}
/** @param {Explanation} each */
const costOfModel = ({ models }) => (models.length ? costOfNamed(models[0]) : 0)

/** @template T @param {T[][]} lists */
const distinct = (lists) => [...new Set(lists.flat())]
/** @param {string[]} one @param {string[]} other */
const same = (one, other) => one.join() === other.join()

/** Explanations that differ only in model, class or who prints them as one.
 * @param {Explanation[]} found */
function merged(found) {
  const bare = { models: [], classes: [], cost: 0, printed_in: [] }
  return grouped(found, (each) => ({ ...each, ...bare })).map((group) => {
    const likeliest = group.reduce((best, each) => (each.cost < best.cost ? each : best))
    const sameModels = group.filter((each) => same(each.models, likeliest.models))
    // A formula that is taken for the whole is that of any class.
    const sameClasses = group.filter((each) => !each.classes.length || same(each.classes, likeliest.classes))
    return {
      ...likeliest,
      models: distinct(sameClasses.map((each) => each.models)),
      classes: distinct(sameModels.map((each) => each.classes)),
      printed_in: distinct(group.map((each) => each.printed_in)),
    }
  })
}

/** An amount of memory costs more where it fits only if its last zero is there by rounding: "420 MiB".
 * @param {Explanation} each @param {NumberRead} asked */
function weighed(each, asked) {
  if (asked.exact || each.kind !== "memory") return each
  const [low, high] = bounds(asked, each.unit, true)
  return each.number >= low && each.number <= high ? each : { ...each, cost: each.cost + 1 }
}

/** @param {NumberRead} asked @param {string} model */
function found(asked, model) {
  /** @param {Explanation} each */
  const holds = (each) => !model || each.models.includes(model)
  if (asked.low > limits.largest) return []
  const exact = merged(
    KINDS.flatMap((kind) =>
      [...kind(asked, model)]
        .map((each) => weighed(each, asked))
        .filter((each) => each.cost <= limits.possible && holds(each)),
    ),
  )
  const all = [
    ...exact,
    ...(asked.exact && asked.amount === "count" && asked.low > 0 ? near(asked.low, holds) : []),
  ].map((each) => ({ ...each, confidence: confidenceOf(each, asked) }))
  // What is said for sure needs no near number beside it.
  const sure = all.some((each) => rank(each) === 0)
  return (sure ? all.filter((each) => each.kind !== "near" || rank(each) === 0) : all).sort(
    (one, other) =>
      rank(one) - rank(other) ||
      (one.slip || other.slip ? 0 : Math.abs(one.rest) - Math.abs(other.rest)) || // what is not near leaves no rest
      one.cost - other.cost ||
      tie(one) - tie(other) ||
      Number("V" in one.sizes) - Number("V" in other.sizes) ||
      (one.kind === other.kind ? one.mistakes.length - other.mistakes.length : 0) ||
      costOfModel(one) - costOfModel(other),
  )
}

/** Every way to a number, the likeliest first; null where the text holds no number.
 * @param {string} text @param {string} model */
export function explain(text, model = "") {
  const asked = read(text)
  if (!asked) return null
  const exactly = found(asked, model)
  const nearly = rounded(asked)
  if (!nearly || exactly.some((each) => rank(each) === 0)) return exactly
  const roughly = found(nearly, model)
  return roughly.length ? roughly : exactly
}

/** What every answer needs, a piece at a time, so that the page stays responsive meanwhile. */
export async function prepare() {
  for (const piece of [() => within(1, 1), listedParts, linesBySize, () => near(1, () => true)]) {
    await new Promise((resolve) => setTimeout(resolve))
    piece()
  }
}
