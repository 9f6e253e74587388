// Bridges lead from a number with deviations to the correct one in signed steps, each
// with its formula. The rules are those of macros/counting/published/bridges.py, and
// tests/scripts/test_counting.py compares the results.

import { butFirst, Counter, deviations, LETTERS, rows, whole } from "./engine.js"
import { expanded, formula, groupBy, groups, mergeTerms, termOf } from "./polynomials.js"

// --- Steps ------------------------------------------------------------------

export const NONE = ["0"] // the factors of a tensor that is not counted

/** @param {string[]} factors */
export const isNone = (factors) => factors.length === 1 && factors[0] === "0"

/** The signed factor of a term that was counted `old` times and is now counted `now` times.
 * @param {string[]} old @param {string[]} now */
function factor(old, now) {
  if ([...old, ...now].includes("−1")) return isNone(now) ? "+" : "−"
  if (isNone(now)) return `−${old.map((one) => `${one}·`).join("")}`
  if (isNone(old)) return `+${now.map((one) => `${one}·`).join("")}`
  return `+(${now.join("·") || "1"} − ${old.join("·") || "1"})·`
}

/** The terms as texts, one for all terms with the same factor, with brackets around a sum.
 * @param {[factor: string, term: Term][]} pairs */
function texts(pairs) {
  return [...groupBy(pairs, ([key]) => key)].map(([key, alike]) => {
    const sum = mergeTerms(alike.map(([, term]) => term))
    const inOrder = groups(sum)
    const isSum = inOrder.length > 1 || (inOrder[0][1].length > 1 && !inOrder[0][0])
    return key + (isSum ? `(${formula(sum)})` : formula(sum))
  })
}

/** The terms for items that are counted more or less often than before.
 * @param {Map<string, Item>} before @param {Map<string, Item>} after */
function multiplied(before, after) {
  /** @type {[string, Term][]} */
  const pairs = []
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(key)?.factors ?? NONE, after.get(key)?.factors ?? NONE]
    const item = /** @type {Item} */ (after.get(key) ?? before.get(key))
    if (old.join() !== now.join()) pairs.push([factor(old, now), termOf(item)])
  }
  return texts(pairs)
}

/** The terms for a new size of one letter: the difference of the sizes, or of their squares, times the
 * cofactor.
 * @param {Map<string, Item>} after @param {string} letter @param {Sizes} sizes @param {Sizes} others */
function resized(after, letter, sizes, others) {
  // (L − 1) counts as L here, because it also grows by one with every layer.
  const isLetter = (/** @type {string} */ other) => other === letter || other === butFirst(letter)
  /** @param {string[]} letters */
  const withoutLetter = (letters) => letters.filter((other) => !isLetter(other))
  /** @type {[string, Term][]} */
  const pairs = []
  for (const item of after.values()) {
    for (const { coefficient, letters, layers } of expanded(termOf(item))) {
      const times = [...letters, ...layers].filter(isLetter).length
      const power = times > 1 ? "²" : ""
      const change = `(${whole(others[letter])}${power} − ${whole(sizes[letter])}${power})`
      const key = `+${[change, ...item.factors].map((one) => `${one}·`).join("")}`
      const cofactor = { coefficient, letters: withoutLetter(letters), layers: withoutLetter(layers) }
      if (times && !isNone(item.factors)) pairs.push([key, cofactor])
    }
  }
  return texts(pairs)
}

/** The formula of a step: first the effect of a new size, if there is one, then the items that are counted more or less
 * often.
 * @param {Map<string, Item>} before @param {Map<string, Item>} after @param {string | undefined} letter
 * @param {Sizes} sizes @param {Sizes} others */
export function stepFormula(before, after, letter, sizes, others) {
  const terms = letter ? resized(after, letter, sizes, others) : []
  return [...terms, ...multiplied(before, after)].join(" ")
}

const names = [...deviations.keys()]

/** The rank of a deviation in the order of reading: that of the first row it touches, or after all rows if it touches
 * none.
 * @param {string} name */
function rank(name) {
  const first = rows.findIndex((row) => deviations.get(name).touches(row))
  return (first < 0 ? rows.length : first) * names.length + names.indexOf(name)
}

/** Deviations, in which a short formula for the whole model is replaced by the mistakes that it amounts to, if any.
 * @param {CounterOfClass} counter @param {string[]} mistakes */
function speltOut(counter, mistakes) {
  const longer = mistakes
    .flatMap((name) => deviations.get(name).same_as ?? [name])
    .filter((name) => counter.rows.touchedBy(deviations.get(name)))
  const [short, long] = [mistakes, longer].map((several) => counter.number(several.map((name) => deviations.get(name))))
  return short === long ? longer : mistakes
}

/** The steps from the total with some deviations to the correct one; they add up to the difference.
 * @param {string} modelClass @param {Sizes} modelSizes @param {string[]} mistakes */
export function bridge(modelClass, modelSizes, mistakes) {
  const counter = new Counter(modelClass, modelSizes)
  let remaining = speltOut(counter, mistakes)
  /** @type {DeviationStep[]} */
  const steps = []
  for (const name of inOrder(remaining)) {
    const fewer = remaining.filter((other) => other !== name)
    const [old, now] = [remaining, fewer].map((several) => several.map((one) => deviations.get(one)))
    const [sizes, others] = [old, now].map((several) => counter.sizesWith(several))
    const [before, after] = [old, now].map(
      (several) => new Map(counter.items(several).map((item) => [item.path, item])),
    )
    const value = (counter.number(now) ?? NaN) - (counter.number(old) ?? NaN)
    const letter = LETTERS.find((one) => sizes[one] !== others[one])
    steps.push({ deviation: name, value, formula: stepFormula(before, after, letter, sizes, others) })
    remaining = fewer
  }
  return steps.filter(({ value }) => value)
}

/** Deviations in the order of reading. @param {string[]} names */
export const inOrder = (names) => [...names].sort((one, other) => rank(one) - rank(other))
