// Works out the meaning of one labelled number from the words around it. The search
// for single numbers gives every way to it; words decide among them. A label makes the
// reading certain in kind, a named model decides among models of one size, and a named
// part, class or number of labels among the numbers of one model.

import exported from "../../../data/reading.js"
import table from "../../../data/table.js"
import { classOfBare, count, tensors } from "../../counting/engine.js"
import { read } from "../../explaining/read.js"
import { byUse, costOfModel, EMPTY } from "../../explaining/ways.js"
import { isBert, isPartNamed, partWords } from "./meanings.js"
import { totalsOf } from "./totals.js"

const { totals: others } = exported.labels

/** The kinds of explanations that a role admits. @type {Record<string, ExplanationKind[]>} */
const KINDS = {
  count: ["total", "labels", "size", "part", "other", "difference", "change", "near"],
  memory: ["memory"],
  operations: ["operations"],
  share: ["share"],
  tensors: ["tensors"],
}

const AGAINST = 6 // the cost of a way that is about another model than the one that is named

/**
 * The cost of a way to a number, given the words of its text.
 * @param {Explanation} way
 * @param {Context} context
 * @param {string} role
 */
function costBeside(way, { mention, classes, endings, labels, parts, trained, gguf, tokens, changed }, role) {
  let cost = way.cost
  const [likeliest = ""] = way.models
  if (mention?.models.length) {
    const place = mention.models.findIndex((name) => way.models.includes(name))
    if (place < 0) cost += isGeneric(mention) && likeliest ? (isBert(likeliest) ? 0.5 : 3) : AGAINST
    else cost += Math.min(place, 3) * 0.6 - costOfModel(likeliest)
  } else if (mention?.others.length) {
    const place = mention.others.findIndex((name) => others[name].title === way.words)
    cost += place < 0 || way.kind !== "other" ? AGAINST : place * 0.2 - 2
  }
  if (classes.length) cost += way.classes.some((name) => classes.includes(name)) ? -1 : 2
  else if (endings.length) cost += way.classes.some((name) => endings.some((end) => name.endsWith(end))) ? -1 : 0.5
  if (labels) cost += (way.labels || 2) === labels ? -0.5 : way.labels ? 3 : 0.5
  if (role === "share" && parts.length && way.parts.length) cost += fitsPart(way, parts) ? -2 : 2
  if (role === "memory" && !isStrict(way)) cost += 1
  if (role === "operations" && tokens) cost += way.tokens === tokens ? -1 : 2
  if (role === "count") {
    const isPart = way.parts.length > 0 && way.kind !== "total"
    if (parts.length) cost += isPart ? (fitsPart(way, parts) ? -1.5 : 1.5) : 2.5
    if (way.kind === "change" && !changed) cost += way.words.includes("loaded in") ? 6 : trained ? 1 : 5
    if (way.kind === "difference") cost += 1
    if (gguf && way.mistakes.join() === "pooler-left-out") cost -= 4
  }
  return cost
}

/** Whether a way is within half a unit of the last digit of what was typed. @param {Explanation} way */
const isStrict = ({ number, reading }) => {
  const { digits, decimals, size } = reading
  return Math.abs(number - (digits * size) / 10 ** decimals) <= size / 10 ** decimals / 2 || reading.exact
}

/** Whether a mention is of BERT, of any size. @param {Mention} mention */
export const isGeneric = ({ text }) => /^bert$/i.test(text)

/** Whether a way is about a part that is named. @param {Explanation} way @param {string[]} partNames */
const fitsPart = ({ parts, layers }, partNames) =>
  parts.some((part) => partNames.some((name) => isPartNamed(partWords(part, layers), name)))

/** Another amount that a number may be: in German Mio are millions, in French mebibytes; and billions that nobody calls
 * parameters may be operations. Null if it can be nothing else.
 * @param {Quantity} quantity @returns {Quantity | null} */
function otherwise(quantity) {
  const { typed, roles, role: own, number: stated } = quantity
  const [, digits, unit] = /^([0-9.,]+)\s?(Mio|G)$/i.exec(typed) ?? []
  if (!digits || own !== "count" || (unit === "G" && (roles.includes("count") || stated.low < LEAST_OPERATIONS)))
    return null
  const [canonical, role] = unit === "G" ? [`${digits} GFLOPs`, "operations"] : [`${digits} MiB`, "memory"]
  const number = read(canonical)
  return number && { ...quantity, canonical, number, role }
}

const LEAST_OPERATIONS = 1e9

/** The ways to a number, the likeliest first given its words, and whether the best agrees with the model that
 * is named.
 * @param {Quantity} quantity @param {Context} context @returns {Resolved} */
export function resolve(quantity, context) {
  const one = resolveAs(quantity, context)
  const isSure = (/** @type {Resolved} */ { agrees, first }) => agrees && first?.confidence !== "possible"
  const amount = isSure(one) ? null : otherwise(quantity)
  const other = amount && resolveAs(amount, context)
  return other && (isSure(other) || (context.mention && other.agrees && !one.agrees)) ? other : one
}

/** The same, with the unit that a number has.
 * @param {Quantity} quantity @param {Context} context @returns {Resolved} */
function resolveAs(quantity, context) {
  const { canonical, role, number } = quantity
  const kinds = KINDS[role] ?? KINDS.count
  const text = role === "tensors" ? String(number.low) : canonical
  const weighed = (/** @type {Explanation[]} */ ways) =>
    ways
      .filter(({ kind }) => kinds.includes(kind))
      .map((way) => ({ way, cost: costBeside(way, context, role) }))
      .sort((one, other) => one.cost - other.cost)
  const fits = role === "count" && number.exact ? rightWays(quantity, context) : ofFile(quantity, context)
  let ranked = weighed([...fits, ...context.explained(text, "")])
  const { mention } = context
  const holds = (/** @type {Explanation} */ way) => isAbout(way, mention)
  if (mention?.models.length && !ranked.some(({ way }) => holds(way) && way.kind !== "near"))
    ranked = [
      ...ranked,
      ...weighed(context.explained(text, mention.models[0]).filter(({ kind }) => kind !== "near")),
    ].sort((one, other) => one.cost - other.cost)
  const [first] = ranked
  const agrees = Boolean(first && first.way.kind !== "near" && (!mention || holds(first.way)))
  return {
    quantity,
    context,
    ways: ranked.map(({ way }) => way),
    first: first?.way ?? null,
    cost: first?.cost ?? Infinity,
    agrees,
  }
}

const OF_POOLER = 2 // its tensors

/** The ways to the tensors or the rounded parameters of a file of llama.cpp, which has all but the pooler's.
 * @param {Quantity} quantity @param {Context} context @returns {Explanation[]} */
function ofFile({ role, number }, { gguf, mention }) {
  if (!gguf || (role !== "tensors" && role !== "count")) return []
  const bertModels = table.models.filter(
    ({ name }) => isBert(name) && (!mention?.models.length || mention.models.includes(name)),
  )
  const likely = [...bertModels].sort(byUse)
  return likely
    .map(({ name, architecture, sizes }) => {
      const modelClass = classOfBare(architecture)
      const parameters = (count({ modelClass, sizes }) ?? 0) - (count({ modelClass, sizes, part: "bert/pooler" }) ?? 0)
      return { name, modelClass, value: role === "tensors" ? tensors(modelClass, sizes) - OF_POOLER : parameters }
    })
    .filter(({ value }) => value >= number.low && value <= number.high)
    .slice(0, 1)
    .map(({ name, modelClass, value }) => ({
      ...EMPTY,
      kind: role === "tensors" ? "tensors" : "total",
      number: value,
      cost: -1,
      confidence: "likely",
      models: [name],
      classes: [modelClass],
      mistakes: role === "tensors" ? [] : ["pooler-left-out"],
      why: role === "tensors" ? "without the two of the pooler, which llama.cpp leaves out" : "",
      reading: { ...number, cost: 0, windows: [], width: 0, printed: [number.low, number.high] },
    }))
}

/** Right totals of the model that is named, with any number of labels, as ways. @param {Quantity} quantity
 * @param {Context} context @returns {Explanation[]} */
const rightWays = ({ number }, context) =>
  exactly(number.low, context)
    .filter(
      ({ line: { model } }) => context.mention?.models.includes(model.name) && (context.mention.text || context.labels),
    )
    .slice(0, 2)
    .map(({ line: { model, modelClass }, labels }) => ({
      ...EMPTY,
      kind: labels && labels !== model.sizes.C ? "labels" : "total",
      number: number.low,
      cost: costOfModel(model.name) + (labels > 100 ? 3 : labels > 2 ? 1 : 0.5),
      confidence: labels > 100 ? "likely" : "certain",
      models: [model.name],
      classes: [modelClass],
      labels: labels === model.sizes.C ? 0 : labels,
      reading: { ...number, cost: 0, windows: [], width: 0, printed: [number.low, number.high] },
    }))

/** Whether a way is about the model that is named. @param {Explanation} way @param {Mention | null} mention */
export const isAbout = (way, mention) =>
  Boolean(
    mention &&
      (mention.models.some((name) => way.models.includes(name)) ||
        (way.kind === "other" && mention.others.some((name) => others[name].title === way.words))),
  )

/** The model that an answer speaks of: the one that is named, or the likeliest.
 * @param {Explanation} way @param {Mention | null} mention */
export const modelOf = (way, mention) =>
  mention?.models.find((name) => way.models.includes(name)) ?? way.models[0] ?? ""

/** The right totals of exactly this number, the likeliest first given the words.
 * @param {number} number @param {Context} context */
export function exactly(number, { mention, classes, endings, labels }) {
  return totalsOf(number)
    .map((fit) => {
      const { model, modelClass } = fit.line
      let { cost } = fit
      if (mention?.models.length)
        cost += mention.models.includes(model.name) ? -Math.min(costOfModel(model.name), 4) : AGAINST
      if (classes.length) cost += classes.includes(modelClass) ? -1 : 2
      else if (endings.length) cost += endings.some((end) => modelClass.endsWith(end)) ? -1 : 0.5
      if (labels) cost += fit.labels === labels ? -1 : fit.labels ? 3 : 0.5
      return { ...fit, cost }
    })
    .sort((one, other) => one.cost - other.cost)
}
