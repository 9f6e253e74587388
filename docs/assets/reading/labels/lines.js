// Turns the numbers of a text into lines of the account, each with its meaning. If the account
// gives no meaning, a setting is compared with that of the model, and a number of frozen
// parameters with the total less the trained parameters. For most other numbers, the line
// gives only their kind.

import { words } from "../words.js"
import { boundsAround } from "./contexts.js"
import { lineOfSetting, modelOfSetting } from "./settings.js"

/** The words for a number, by its role, if nothing else is known about it. @type {Record<string, string>} */
const ROLE_WORDS = {
  count: "a number of parameters",
  memory: "an amount of memory",
  operations: "a number of operations",
  share: "a share",
  tensors: "a number of tensors",
  labels: "labels",
  batch: "the batch size",
  rank: "the rank",
  tokens: "tokens",
  virtual: "virtual tokens",
  bottleneck: "the width of the adapters",
}

/** The roles of numbers that are settings. They count no parameters, so they are not judged. */
const SETTINGS = ["labels", "batch", "rank", "tokens", "virtual", "bottleneck"]

/** The line of the account for a number.
 * @param {LabelledText} labelledText @param {Quantity} quantity
 * @param {Words} part  what the number is; empty if only its label is known
 * @param {number | null} right  the right number; null if it is not known, or if the number is not judged
 * @param {string} [model]  the name of the model with whose sizes a setting is compared
 * @param {Sizes} [changedSizes]  the sizes that this model has instead of the published ones @returns {AccountLine} */
export function lineOfNumber(labelledText, quantity, part, right, model = "", changedSizes = {}) {
  const { text } = labelledText
  const { number, role } = quantity
  const [setting] = part.length
    ? []
    : lineOfSetting(quantity, modelOfSetting(labelledText, quantity, model), text, changedSizes)
  if (setting) return setting
  const frozenCount = part.length || right !== null ? null : frozenCountIn(labelledText, quantity)
  if (frozenCount !== null)
    return lineOfNumber(
      labelledText,
      quantity,
      ["what is not trained: the total less what is trained"],
      frozenCount,
      model,
    )
  if (!part.length && right === null && number.low === 0 && number.amount !== "share")
    return lineOfNumber(labelledText, quantity, ["nothing"], null, model)
  const source = sourceOf(text, quantity)
  if (!part.length && right === null && SETTINGS.includes(role))
    return { source, part: words`${ROLE_WORDS[role]}`, stated: null, right, verdict: "explained", times: 1 }
  const stated = number.exact ? number.low : null
  const verdict = right === null ? verdictOnPart(part) : verdictOnNumber(number, right)
  return { source, part: part.length ? part : words`${ROLE_WORDS[role] ?? ""}`, stated, right, verdict, times: 1 }
}

/** The verdict on a number whose right value is not known.
 * @param {Words} part  what the number is @returns {LineVerdict} */
const verdictOnPart = (part) => (part.length ? "explained" : "unknown")

const MIN_ZEROS = 4 // with fewer zeros at its end, a whole number is taken as exact

/** The verdict on a number. Several zeros at the end of a whole number may be due to rounding.
 * @param {NumberRead} number @param {number} right @returns {LineVerdict} */
function verdictOnNumber({ low, high, exact }, right) {
  const zeros = String(low).length - String(low).replace(/0+$/, "").length
  if (exact && right !== low && zeros >= MIN_ZEROS)
    return Math.abs(right - low) <= 10 ** zeros / 2 ? "rounded" : "wrong"
  if (right < low || right > high) return "wrong"
  return exact ? "right" : "rounded"
}

/** The total less the trained parameters, for a number of frozen parameters in a text that states both exactly; null if
 * the text lacks one of them or the number is not one of frozen parameters.
 * @param {LabelledText} labelledText @param {Quantity} quantity */
function frozenCountIn({ numbers }, { roles, role }) {
  const isFrozen = (/** @type {Quantity} */ quantity) => quantity.roles.includes("frozen")
  if (role !== "count" || !roles.includes("frozen")) return null
  const exactCounts = numbers.filter(
    (quantity) => quantity.role === "count" && quantity.number.exact && !isFrozen(quantity),
  )
  const trainedQuantity = exactCounts.find((quantity) => quantity.roles.includes("trainable"))
  const otherQuantities = exactCounts.filter((quantity) => !quantity.roles.includes("trainable"))
  // In addition to the total, a text may state the sizes of parts.
  const total = otherQuantities.find(({ roles }) => roles.includes("all")) ?? otherQuantities[0]
  const difference = trainedQuantity && total ? total.number.low - trainedQuantity.number.low : -1
  return difference < 0 ? null : difference
}

const CLAUSE_SIGNS = ["\n", "||", ";"] // between clauses
const MAX_CLAUSE_LENGTH = 60 // characters of a clause that is shown whole

/** The clause of a text around a number, as it was pasted; only the number if the clause is long.
 * @param {string} text @param {{ start: number, end: number }} span */
function sourceOf(text, span) {
  const clause = text.slice(...boundsAround(text, span, CLAUSE_SIGNS)).trim()
  return clause.length <= MAX_CLAUSE_LENGTH ? clause : text.slice(span.start, span.end).trim()
}
