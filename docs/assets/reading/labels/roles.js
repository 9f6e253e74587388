// Decides what a number counts (its role), given the labels next to it, its unit and its size. A label
// has a role of its own, such as "layers" for "hidden layers". "other" stands for anything that says
// nothing about a model, and "" for a number about which nothing is known.

/** The roles that are settings of a model or of its training, and the number of tensors, each with its smallest and its
 * largest plausible value. A number outside these limits usually has another role, whatever its label.
 * @type {Record<string, [min: number, max: number]>} */
export const SETTING_RANGES = {
  layers: [1, 200],
  hidden: [16, 20_000],
  heads: [1, 200],
  inner: [16, 100_000],
  labels: [1, 50_000],
  vocabulary: [100, 1_000_000],
  positions: [16, 100_000],
  segments: [1, 16],
  tokens: [1, 100_000],
  batch: [1, 100_000],
  rank: [1, 2048],
  virtual: [1, 1024],
  bottleneck: [1, 4096],
  tensors: [2, 5000],
}

// The smallest number that is taken for a count of parameters:
const MIN_OF_MODEL = 100_000 // with a unit, or with a word for a count although the nearest word means something else
const MIN_OF_PART = 100 // next to the name of a part
export const MIN_ALONE = 10_000 // a smaller number without any word or unit is not a count
/** The roles of labels that do not settle what a number counts, but only which parameters or which share of them. */
const QUALIFYING_ROLES = ["all", "trainable", "frozen", "size", "share", "part"]
/** The maximum number of bytes that one parameter takes, in training with Adam in mixed precision. An amount up to this
 * is the size of a number, not of a tensor. */
const MAX_BYTES_OF_NUMBER = 18

/** Whether an amount is the bytes that one parameter takes.
 * @param {Pick<NumberRead, "amount" | "exact" | "low">} number */
export const isBytesOfNumber = ({ amount, exact, low }) => amount === "memory" && exact && low <= MAX_BYTES_OF_NUMBER

/** The role of a number.
 * @param {NumberRead} number @param {string[]} roles  those of the labels next to it, the nearest first
 * @param {boolean} hasUnit  whether it has a unit, such as M */
export function roleOf({ amount, low, exact }, roles, hasUnit) {
  const isCount = roles.includes("count") && low >= MIN_OF_MODEL
  if (roles[0] === "other" && amount !== "operations" && !isCount) return "other"
  if (isBytesOfNumber({ amount, exact, low })) return "other"
  if (amount === "memory" || amount === "operations") return amount
  if (amount === "share") return hasUnit || roles.includes("share") ? "share" : ""
  const nearestRole = roles.find((role) => !QUALIFYING_ROLES.includes(role)) ?? roles[0]
  if (nearestRole === "other" && !isCount) return "other"
  if (nearestRole === "operations") return "operations"
  if (nearestRole === "memory" && hasUnit) return "memory"
  if (Object.hasOwn(SETTING_RANGES, nearestRole)) {
    const [min, max] = SETTING_RANGES[nearestRole]
    if (exact && low >= min && low <= max && !hasUnit) return nearestRole
    if (nearestRole === "tokens" || nearestRole === "batch") return "other"
    if (nearestRole === "vocabulary" && low <= max) return "vocabulary"
  }
  if (roles.some((role) => ["count", "all", "trainable", "frozen"].includes(role))) return "count"
  if (roles.includes("part") && exact && low >= MIN_OF_PART) return "count"
  if (hasUnit && low >= MIN_OF_MODEL) return "count"
  return exact && low >= MIN_ALONE ? "count" : ""
}
