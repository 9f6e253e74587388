// Explains trainable parameters alone: their number without the total, or a percentage
// that is printed in full, from which both numbers follow.

import { classesOf, noun } from "../../counting/engine.js"
import { costOfModel } from "../../explaining/ways.js"
import { words } from "../words.js"
import {
  adaptedTo,
  byCost,
  countAdded,
  HEADS,
  MOST_COST,
  methodsFor,
  numbersPrinted,
  otherMethods,
  SURE,
  TRAINS_ALL,
} from "./adapted.js"
import { lineOfNumber } from "./lines.js"
import { asClass, titleOf } from "./meanings.js"
import { hintsOf, methodInWords, percentage } from "./methods.js"
import { ofAdapted } from "./pairs.js"
import { NOTHING } from "./saved.js"
import { linesOfModels, solved } from "./totals.js"

/** @typedef {import("./totals.js").Line} Line */

const LIKELY_COST = 4 // the largest cost of a way that is not a coincidence
const MOST_KNOWN = 2 // the largest cost of a model that somebody means without naming it

/** The account of a number of trainable parameters alone, of a method or of a head; null if a text states none.
 * @param {Reader} reader @returns {Account | null} */
export function aloneAccount(reader) {
  const hints = hintsOf(reader)
  const counts = reader.numbers.filter(({ role, number }) => role === "count" && number.exact && number.low > 100)
  const isHead = reader.parts.some(({ words: part }) => part === "the sequence-classification head")
  const quantity =
    counts.find(({ roles }) => roles.includes("trainable") && !roles.includes("frozen")) ??
    (hints.methods.length || isHead ? counts[0] : null)
  if (!quantity || counts.length > 1 || reader.mentions.some(({ models }) => !models.length)) return null
  const trained = quantity.number.low
  const [way] = aloneWays(trained, hints)
  if (!way || way.cost > (hints.methods.length || hints.rank ? MOST_COST : 4)) return null
  const { line, labels, adapters, copy } = way
  const right = numbersPrinted(way)
  const isLikely = way.cost <= LIKELY_COST
  const head = way.head.trained && copy ? words`the classifier of ${labels} ${noun(labels, "label")}` : ""
  const what = way.method
    ? words`what ${methodInWords(way)} trains${head ? words`, with ${head},` : ""}`
    : words`the classification head with ${labels} ${noun(labels, "label")}${isHead ? "" : ", which is trained while everything else is frozen,"}`
  /** @type {Finding[]} */
  const findings = []
  const total = line.base + line.perLabel * labels
  const usual = way.method === "lora" && hints.rank === way.rank ? loraOf(line, way.rank) : 0
  if (usual && usual !== adapters)
    findings.push({
      weight: 5,
      words: words`On query and value, where PEFT puts it by default, LoRA of rank ${way.rank} adds ${usual}.`,
      amount: null,
    })
  const others = way.method
    ? otherMethods(way, hints)
        .filter(({ cost }) => cost < 4)
        .slice(0, 3)
    : []
  if (others.length)
    findings.push({
      weight: 1,
      words: words`As many parameters are trained by ${others.map((other) => methodInWords({ ...way, ...other })).join(", or by ")}.`,
      amount: null,
    })
  const model = words`${titleOf(line.model.name)}, ${asClass(line.modelClass, labels)}`
  const share = way.method
    ? words` That is ${percentage(trained, right.all)} of ${right.all}, the ${total} of the model and what is added.`
    : words` That is ${percentage(trained, total)} of ${total}.`
  return {
    kind: "labels",
    headline: words`${isLikely ? "" : "This may be a coincidence, but "}${trained} is ${what} in ${model}.${share}`,
    findings,
    lines: reader.numbers.map((one) =>
      lineOfNumber(reader, one, one === quantity ? what : [], one === quantity ? trained : null, line.model.name),
    ),
    bridge: null,
    model: { name: line.model.name, modelClass: line.modelClass, total },
    confidence: way.cost <= 2 ? "certain" : isLikely ? "likely" : "possible",
  }
}

/** The parameters that LoRA of a rank adds to query and value. @param {Line} line @param {number} rank */
const loraOf = (line, rank) => countAdded(line, "lora", rank, ["query", "value"])

/** The ways to a number of trainable parameters, in models that are named or well known, the likeliest first. Methods
 * are tried only if words name one.
 * @param {number} trained @param {Hints} hints */
function aloneWays(trained, hints) {
  const isOf = (/** @type {Line} */ line) => hints.costOf(line, 0) < 0 || costOfModel(line.model.name) <= MOST_KNOWN
  const likely = linesOfModels(
    (model) =>
      costOfModel(model.name) <= MOST_KNOWN ||
      classesOf(model.architecture).some(({ name }) => hints.costOf({ model, modelClass: name }, 0) < 0),
  )
    .filter((line) => isOf(line) && (line.copyPerLabel > 0 || !line.perLabel))
    .map((line) => ({ line, cost: line.cost + hints.costOf(line, hints.labels) }))
    .filter(({ cost }) => cost <= SURE)
    .sort(byCost)
  const [copiedHead, frozenHead] = HEADS
  const isMethod = hints.methods.length > 0 || hints.rank > 0
  /** @type {import("./adapted.js").Adapted[]} */
  const ways = []
  for (const { line, cost } of likely) {
    if (ways.length && cost >= ways[0].cost) break
    const labels = line.perLabel ? hints.labels || 2 : 0
    const copy = line.copy + line.copyPerLabel * labels
    const heads = line.copyPerLabel ? solved(trained, line.copy, line.copyPerLabel) : Number.NaN
    const none = {
      line,
      method: "",
      rank: 0,
      modules: [],
      feedforward: [],
      width: 0,
      besides: NOTHING,
      adapters: 0,
      ...TRAINS_ALL,
      methodCost: 0,
    }
    if (heads <= 100)
      ways.push({ ...none, labels: heads, head: copiedHead, copy: trained, cost: cost + (heads === 2 ? 0 : 0.5) })
    for (const head of isMethod ? (copy ? [copiedHead, frozenHead] : [frozenHead]) : []) {
      const adapters = trained - head.trained * copy
      const [way] = methodsFor(line, adapters, hints, true)
      const whole = cost + (way?.cost ?? 0) + (copy ? head.cost : 0)
      if (way)
        ways.push({ line, labels, head, besides: NOTHING, adapters, copy, ...way, methodCost: way.cost, cost: whole })
    }
    ways.sort(byCost)
  }
  return ways
}

// --- A percentage in full precision -----------------------------------------------

const FULL = 8 // decimals, from which a percentage leads to both of its numbers

/** Whether a number is a percentage with all of its digits. @param {Quantity} quantity */
export const isInFull = ({ role, typed }) => role === "share" && (/[.,]([0-9]+)/.exec(typed)?.[1].length ?? 0) >= FULL

/** The account of a percentage that is printed in full, from which both numbers follow; null if a text has none.
 * @param {Reader} reader @returns {Account | null} */
export function percentageAccount(reader) {
  const quantity = reader.numbers.find(isInFull)
  if (!quantity || reader.numbers.some(({ role }) => role === "count")) return null
  const value = Number(/[0-9.,]+/.exec(quantity.typed)?.[0].replace(",", ".")) / 100
  if (!(value > 0 && value < 1)) return null
  const hints = hintsOf(reader)
  const [way] = linesOfModels(() => true)
    .flatMap((line) =>
      (line.perLabel ? FEW_LABELS : [0]).map((labels) => ({ line, labels, total: line.base + line.perLabel * labels })),
    )
    .map((fit) => ({ ...fit, trained: Math.round((value * fit.total) / (1 - value)) }))
    .filter(({ trained, total }) => trained > 0 && Math.abs(trained / (total + trained) / value - 1) < 1e-14)
    .map(({ trained, total }) => ({ trained, all: total + trained, ...adaptedTo(trained, total + trained, hints) }))
    .filter(({ ways }) => ways.length)
    .sort((one, other) => one.ways[0].cost - other.ways[0].cost)
  if (!way || way.ways[0].cost > MOST_COST) return null
  const account = ofAdapted(
    reader,
    { ...way, frozen: null, quantities: { trained: null, all: null, frozen: null } },
    way.ways,
    hints,
  )
  return { ...account, headline: words`In full precision, the percentage leads to both numbers. ${account.headline}` }
}

const FEW_LABELS = [...Array(50).keys()].map((place) => place + 1)
