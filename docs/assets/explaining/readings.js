// Readings: what a text may stand for. A number with a unit stands for all that
// round to it, or begin with its digits; a bare one, such as 418, may lack its
// unit. Each reading has windows, from the likeliest to the least likely.

import exported from "../../data/operations.js"
import table from "../../data/table.js"
import { readWith } from "./letters.js"
import { bounds, unitNamed } from "./read.js"

const { costs, twins } = table.explanations
const { search: operations } = exported

/** The windows of a rounded number, to as many figures as it may have: zeros at its end may be digits, or come from
 * rounding. To each, it is rounded or cut off.
 * @param {Pick<NumberRead, "digits" | "decimals" | "size">} asked @returns {Span[]} */
function windowsOf({ digits: value, decimals, size: unit }) {
  const all = Math.round(value)
  const written = String(all)
  const zeros = decimals ? 0 : written.length - written.replace(/0+$/, "").length
  const windows = Array.from({ length: Math.min(zeros, written.length - 1) + 1 }, (_, dropped) => {
    const [digits, size, figures] = [all / 10 ** dropped, unit * 10 ** dropped, written.length - dropped]
    const [low, high] = bounds({ digits, decimals, size, exact: false }, size, true)
    const [least, next] = [digits, digits + 1].map((each) => Math.ceil((each * size) / 10 ** decimals))
    const cost = dropped && figures < 2 ? costs.ways["one-figure"] : 0
    const cut = { low: least, high: next - 1, figures, isCut: true, cost: cost + costs.ways.cut }
    return [{ low, high, figures, isCut: false, cost }, cut]
  })
  return windows.flat().sort((one, other) => one.cost - other.cost)
}

/** @param {NumberRead} asked @returns {Reading} */
const exactly = (asked) => {
  const { low, high } = asked
  const windows = [{ low, high, figures: 0, isCut: false, cost: 0 }]
  return { ...asked, cost: 0, windows, printed: [low, high], width: 0 }
}

/** A number read as a rounded one of some unit. @param {NumberRead} asked @param {Partial<Reading>} as @param {number} cost @returns {Reading} */
function rounded(asked, as = {}, cost = 0) {
  const windows = windowsOf({ ...asked, ...as })
  const [low, high] = [Math.min(...windows.map((each) => each.low)), Math.max(...windows.map((each) => each.high))]
  const width = Math.log((windows[0].high + 1) / Math.max(windows[0].low, 1))
  return { ...exactly(asked), ...as, exact: false, cost, windows, low, high, width }
}

/** What a bare number may lack: a unit of parameters or of memory. @param {NumberRead} asked @returns {Reading[]} */
const unsaid = (asked) =>
  Object.entries(table.explanations.unsaid).map(([unit, cost]) =>
    rounded(asked, { unit, ...unitNamed(unit.toLowerCase()), unsaid: true }, cost),
  )

const LEAST_ZEROS = 4 // of a plain number that is rounded
const LEAST_BARE = 10 // of a whole number that may lack a unit: a single figure is one of anything

/** Everything that a text may stand for; null where it holds no number.
 * @param {string} text @param {Sizes} sizes  those that letters stand for @returns {Reading[] | null} */
export function readings(text, sizes) {
  const asked = readWith(text, sizes)
  if (!asked) return null
  if (asked.amount === "share") {
    const [low, high] = asked.share ?? [0, 0]
    // Any number may be the one of which it is a share.
    const share = { ...exactly({ ...asked, low: 0, high: Infinity }), width: high - low }
    return [share, ...(asked.bare ? unsaid(asked) : [])]
  }
  // A unit of memory may go by the name of the other one.
  const twin = asked.amount === "memory" ? twins[asked.size] : 0
  const isPlain = asked.exact && !asked.decimals
  const asOperations = (isPlain ? exactly : rounded)({ ...asked, amount: "operations" })
  if (asked.amount === "operations") return [asOperations]
  // G goes with operations; so does whatever has more than any model has parameters, but B is a count of these.
  const isLarge = asked.low >= operations.least && !asked.ofMemory && (isPlain || "gtm".includes(asked.unit || "-"))
  const others = isLarge ? [asOperations] : []
  if (!asked.exact)
    return [rounded(asked), ...others, ...(twin ? [rounded(asked, { size: twin }, costs.ways["other-unit"])] : [])]
  const zeros = asked.amount === "count" && String(asked.digits).endsWith("0".repeat(LEAST_ZEROS))
  return [
    ...(asked.decimals ? [] : [exactly(asked)]),
    ...(zeros ? [rounded(asked)] : []),
    ...(asked.bare && asked.digits >= LEAST_BARE ? unsaid(asked) : []),
    ...others,
  ]
}

/** How well a number fits a reading: what it costs; Infinity where it does not.
 * @param {number} number @param {Reading} reading */
export const fit = (number, { windows }) =>
  windows.reduce(
    (least, { low, high, cost }) => (number >= low && number <= high ? Math.min(least, cost) : least),
    Infinity,
  )
