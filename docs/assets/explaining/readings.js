// Lists the readings of a text: the numbers that it may mean. A number with a unit may be
// any number that rounds to it or begins with its digits; a bare number, such as 418, may
// lack its unit. Each reading has windows, the cheapest first. A window is a range of
// numbers, with a cost that grows the more unusual it is to write these numbers that way.

import exported from "../../data/operations.js"
import table from "../../data/table.js"
import { readWithSizes } from "./letters.js"
import { bounds, unitNamed } from "./read.js"

const { costs, twins } = table.explanations
const { search: operations } = exported

/** The windows of a rounded number, the cheapest first. Trailing zeros may be significant or due to rounding, so every
 * possible number of significant figures has two windows: one for rounding and one for cutting digits off.
 * @param {Pick<NumberRead, "mantissa" | "decimals" | "size">} number @returns {Span[]} */
function windowsOf({ mantissa: value, decimals, size: unit }) {
  const wholeValue = Math.round(value)
  const digitText = String(wholeValue)
  const zeros = decimals ? 0 : digitText.length - digitText.replace(/0+$/, "").length
  const windows = Array.from({ length: Math.min(zeros, digitText.length - 1) + 1 }, (_, droppedZeros) => {
    const [mantissa, size, figures] = [
      wholeValue / 10 ** droppedZeros,
      unit * 10 ** droppedZeros,
      digitText.length - droppedZeros,
    ]
    const [low, high] = bounds({ mantissa, decimals, size, exact: false }, size, true)
    const [firstCut, nextCut] = [mantissa, mantissa + 1].map((number) => Math.ceil((number * size) / 10 ** decimals))
    const cost = droppedZeros && figures < 2 ? costs.ways["one-figure"] : 0
    const cutWindow = { low: firstCut, high: nextCut - 1, figures, isCut: true, cost: cost + costs.ways.cut }
    return [{ low, high, figures, isCut: false, cost }, cutWindow]
  })
  return windows.flat().sort((one, other) => one.cost - other.cost)
}

/** The reading of a number as exact. @param {NumberRead} number @returns {Reading} */
const exactReading = (number) => {
  const { low, high } = number
  const windows = [{ low, high, figures: 0, isCut: false, cost: 0 }]
  return { ...number, cost: 0, windows, printedBounds: [low, high], uncertainty: 0 }
}

/** The reading of a number as rounded. Its uncertainty is the logarithm of the ratio of its first window's bounds.
 * @param {NumberRead} number @param {Partial<Reading>} replacements  fields to replace, such as the unit
 * @param {number} cost @returns {Reading} */
function roundedReading(number, replacements = {}, cost = 0) {
  const windows = windowsOf({ ...number, ...replacements })
  const [low, high] = [Math.min(...windows.map((span) => span.low)), Math.max(...windows.map((span) => span.high))]
  const uncertainty = Math.log((windows[0].high + 1) / Math.max(windows[0].low, 1))
  return { ...exactReading(number), ...replacements, exact: false, cost, windows, low, high, uncertainty }
}

/** The readings of a bare number, one for each unit that it may lack.
 * @param {NumberRead} number @returns {Reading[]} */
const readingsWithUnits = (number) =>
  Object.entries(table.explanations.unsaid).map(([unit, cost]) =>
    roundedReading(number, { unit, ...unitNamed(unit.toLowerCase()), isUnitAssumed: true }, cost),
  )

/** The reading of a number of five or six digits as thousands, in which some tables give totals: 109,482; empty for any
 * other number.
 * @param {NumberRead} number @returns {Reading[]} */
const readingsInThousands = (number) =>
  number.amount === "count" && !number.typedSum && number.mantissa >= MIN_IN_THOUSANDS && number.mantissa < 1e6
    ? [roundedReading(number, { unit: "thousand", size: 1000, isUnitAssumed: true }, costs.ways.thousands)]
    : []

/** The reading of a number in millions as one that was divided by 2^20 instead, which changes it by a twentieth:
 * 104.4M; empty for any other number.
 * @param {NumberRead} number @returns {Reading[]} */
const readingsInBinaryMillions = (number) =>
  number.amount === "count" && number.size === 1e6 && number.decimals && number.mantissa >= MIN_IN_BINARY_MILLIONS
    ? [roundedReading(number, { size: BINARY_MILLION }, costs.ways["binary-million"])]
    : []

const BINARY_MILLION = 2 ** 20
const MIN_IN_BINARY_MILLIONS = 1000 // a smaller number, without its decimal point, fits too many totals
const MIN_IN_THOUSANDS = 10_000 // a smaller number is more likely to count things, or to lack another unit
const MIN_ZEROS = 4 // a number without a unit may be rounded if it ends with at least this many zeros
const MIN_BARE_NUMBER = 10 // a smaller whole number is never taken to lack a unit, because a single digit may count anything

/** The readings of a text; null if it contains no number.
 * @param {string} text
 * @param {Sizes} sizes  the sizes that replace letters
 * @returns {Reading[] | null} */
export function readings(text, sizes) {
  const number = readWithSizes(text, sizes)
  if (!number) return null
  if (number.amount === "share") {
    const [low, high] = number.share ?? [0, 0]
    // Any number is in the window of a share, because kinds/shares.js compares ratios instead.
    const share = { ...exactReading({ ...number, low: 0, high: Infinity }), uncertainty: high - low }
    // A percentage may lack its percent sign, as in the lines that PEFT prints.
    const isSmall = number.bare && high < 1 && number.decimals > 1
    const percent = { ...share, cost: 0, share: /** @type {[number, number]} */ ([low / 100, high / 100]) }
    const asPercentages = isSmall ? [{ ...percent, uncertainty: share.uncertainty / 100 }] : []
    return [share, ...asPercentages, ...(number.bare ? readingsWithUnits(number) : [])]
  }
  // People write MB for MiB, and vice versa.
  const twinSize = number.amount === "memory" ? twins[number.size] : 0
  const isPlain = number.exact && !number.decimals
  const asOperations = (isPlain ? exactReading : roundedReading)({ ...number, amount: "operations" })
  if (number.amount === "operations") return [asOperations]
  // A large number may count operations, with or without a unit such as G or T. The unit B is only used for parameters.
  const isLarge = number.low >= operations.least && !number.ofMemory && (isPlain || "gtm".includes(number.unit || "-"))
  const operationReadings = isLarge ? [asOperations] : []
  if (!number.exact)
    return [
      roundedReading(number),
      ...operationReadings,
      ...(twinSize ? [roundedReading(number, { size: twinSize }, costs.ways["other-unit"])] : []),
      ...readingsInBinaryMillions(number),
    ]
  const endsWithZeros = number.amount === "count" && String(number.mantissa).endsWith("0".repeat(MIN_ZEROS))
  return [
    ...(number.decimals ? [] : [exactReading(number)]),
    ...(endsWithZeros ? [roundedReading(number)] : []),
    ...(number.bare && number.mantissa >= MIN_BARE_NUMBER ? readingsWithUnits(number) : []),
    ...readingsInThousands(number),
    ...operationReadings,
  ]
}

/** Whether a number of parameters was divided by 2^20, not by a million.
 * @param {Pick<Reading, "amount" | "size">} reading */
export const isBinaryMillion = ({ amount, size }) => amount === "count" && size === BINARY_MILLION

/** The cost of the cheapest window of a reading that contains a number; Infinity if none does.
 * @param {number} number @param {Reading} reading */
export const costOfFit = (number, { windows }) =>
  windows.reduce(
    (lowest, { low, high, cost }) => (number >= low && number <= high ? Math.min(lowest, cost) : lowest),
    Infinity,
  )
