// Finds the pair of trainable and all parameters that a text states, checks the percentage beside it,
// and makes an account of it.

import { accountWith, words } from "../words.js"
import { OF } from "./contexts.js"
import { lineOfNumber } from "./lines.js"
import { percentage } from "./methods.js"

/** The trainable and the total number of parameters according to the counts of a text; null if the counts do not
 * determine both.
 * @param {LabelledText} labelledText @returns {Pair | null} */
export function pairIn({ numbers, text }) {
  const counts = numbers.filter(({ role, number }) => role === "count" && number.exact && number.low > 0)
  const frozen = counts.find(({ roles }) => roles.includes("frozen")) ?? null
  const { trained, all } = trainedAndAll(counts, frozen, text)
  if (trained && all) return pairOf(trained.number.low, all.number.low, { trained, all, frozen })
  if (trained && frozen)
    return pairOf(trained.number.low, trained.number.low + frozen.number.low, { trained, all: null, frozen })
  if (all && frozen && frozen.number.low < all.number.low)
    return pairOf(all.number.low - frozen.number.low, all.number.low, { trained: null, all, frozen })
  return null
}

/** A pair with the quantities that state it.
 * @param {number} trained @param {number} all @param {Pair["quantities"]} quantities @returns {Pair} */
const pairOf = (trained, all, quantities) => ({
  trained,
  all,
  frozen: quantities.frozen?.number.low ?? null,
  quantities,
})

/** A word about fine-tuning. */
const TRAINING = /train|\blora\b|adapter|prefix|学習|训练|학습/i

/** The quantities of trainable and of all parameters among counts; null for each that the text does not state.
 * @param {Quantity[]} counts @param {Quantity | null} frozen @param {string} text
 * @returns {{ trained: Quantity | null, all: Quantity | null }} */
function trainedAndAll(counts, frozen, text) {
  /** Whether a number is that of trainable parameters. @param {Quantity} quantity */
  const isTrained = ({ roles }) => roles.includes("trainable") && !roles.includes("frozen")
  const trained = counts.find(isTrained) ?? null
  const otherCounts = counts.filter((count) => count !== frozen && !isTrained(count))
  const all =
    otherCounts.find(({ roles }) => roles.includes("all")) ??
    otherCounts.find(({ number }) => number.low > (trained?.number.low ?? Infinity)) ??
    null
  const [first, second] = counts
  const mayBePair = counts.length === 2 && (trained ? !all : TRAINING.test(text))
  if (mayBePair && OF.test(text.slice(first.end, second.start)) && first.number.low < second.number.low)
    return { trained: first, all: second }
  return { trained, all }
}

const [MIN_DECIMALS, MAX_DECIMALS] = [4, 10] // the fewest and the most decimals of a percentage in an answer
const ONE_STEP = 1.0001 // one step of the last decimal, with room for the rounding of floating-point numbers

/** Whether a percentage follows from a pair, and the right percentage with about as many decimals; null if the typed
 * percentage is not a number. A fraction in place of the percentage follows, too, and so does the percentage of what is
 * not trained.
 * @param {Pick<Pair, "trained" | "all">} pair @param {Quantity} quantity */
export function checkOfShare({ trained, all }, { typed }) {
  const digits = typed.replace(/\s?%|percent/i, "").replace(",", ".")
  const value = Number(digits)
  if (!Number.isFinite(value)) return null
  const decimals = digits.split(".")[1]?.length ?? 0
  // Tools round the last decimal or cut the rest off, so the number may be off by one in the last decimal.
  const share = (100 * trained) / all
  const follows = [share, share / 100, 100 - share].some(
    (ratio) => Math.abs(ratio - value) <= ONE_STEP * 10 ** -decimals,
  )
  return { follows, right: percentage(trained, all, Math.min(Math.max(decimals, MIN_DECIMALS), MAX_DECIMALS)) }
}

/** The account of a pair, with the meanings of its numbers (`parts`) and their right values, if these are known.
 * @param {LabelledText} labelledText @param {Pair} pair
 * @param {Pick<Account, "headline" | "model" | "confidence"> & Partial<Pick<Account, "findings" | "bridge">> &
 *   { parts: PartsOfPair, right?: { trained: number | null, all: number | null } }} fields
 * @returns {Account} */
export function accountOfPair(labelledText, pair, { parts, right = { trained: null, all: null }, ...fields }) {
  const lines = linesOf(labelledText, pair, parts, right, fields.model?.name ?? "")
  return accountWith({ kind: "labels", lines, ...fields })
}

/** The words for the numbers of a pair. @typedef {{ trained: Words, all: Words, frozen?: Words }} PartsOfPair */

/** The lines of a text, with the meanings of the numbers of a pair.
 * @param {LabelledText} labelledText @param {Pair} pair @param {PartsOfPair} parts
 * @param {{ trained: number | null, all: number | null }} right
 * @param {string} name  the model that settings are compared with */
function linesOf(labelledText, pair, parts, right, name) {
  const { quantities } = pair
  return labelledText.numbers.flatMap((quantity) => {
    if (quantity === quantities.trained) return [lineOfNumber(labelledText, quantity, parts.trained, right.trained)]
    if (quantity === quantities.all) return [lineOfNumber(labelledText, quantity, parts.all, right.all)]
    if (quantity === quantities.frozen)
      return [lineOfNumber(labelledText, quantity, parts.frozen ?? words`what is frozen`, null)]
    const line = lineOfNumber(labelledText, quantity, [], null, name)
    const check = quantity.role === "share" ? checkOfShare(pair, quantity) : null
    if (!check) return [line]
    if (check.follows)
      return [{ ...line, part: words`what is trained, as a share of all`, verdict: /** @type {const} */ ("right") }]
    return [{ ...line, part: words`what is trained is ${check.right} of all`, verdict: /** @type {const} */ ("wrong") }]
  })
}
