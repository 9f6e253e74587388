// Bridges: from a number with deviations to the right one in signed steps, each
// with its formula. The rules are those of macros/counting/published/bridges.py,
// and a test compares what comes out.

import { butFirst, Counter, deviations, LETTERS, rows, whole } from "./engine.js"
import { formula, grouped, groups, merged, termOf } from "./polynomials.js"

// --- Steps ------------------------------------------------------------------

export const NONE = ["0"] // the factors of a tensor that is not counted

/** @param {string[]} factors */
export const isNone = (factors) => factors.length === 1 && factors[0] === "0"

/** What is multiplied where it was counted `old` times and is now `now` times.
 * @param {string[]} old @param {string[]} now */
function factor(old, now) {
  if ([...old, ...now].includes("−1")) return isNone(now) ? "+" : "−"
  if (isNone(now)) return `−${old.map((each) => `${each}·`).join("")}`
  if (isNone(old)) return `+${now.map((each) => `${each}·`).join("")}`
  return `+(${now.join("·") || "1"} − ${old.join("·") || "1"})·`
}

/** Terms with the same factor before them as one text.
 * @param {[string, Term][]} pairs */
function alike(pairs) {
  return [...grouped(pairs, ([key]) => key)].map(([key, alike]) => {
    const sum = merged(alike.map(([, term]) => term))
    const listed = groups(sum)
    const summed = listed.length > 1 || (listed[0][1].length > 1 && !listed[0][0])
    return key + (summed ? `(${formula(sum)})` : formula(sum))
  })
}

/** What is counted more or less often.
 * @param {Map<string, Item>} before @param {Map<string, Item>} after */
function multiplied(before, after) {
  /** @type {[string, Term][]} */
  const pairs = []
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(key)?.factors ?? NONE, after.get(key)?.factors ?? NONE]
    const item = /** @type {Item} */ (after.get(key) ?? before.get(key))
    if (old.join() !== now.join()) pairs.push([factor(old, now), termOf(item)])
  }
  return alike(pairs)
}

/** Another size of one letter: the difference times what stands beside the letter.
 * @param {Map<string, Item>} after @param {string} letter @param {Sizes} sizes @param {Sizes} others */
function resized(after, letter, sizes, others) {
  // Of all layers but the first there is one more with one layer more, too.
  const isLetter = (/** @type {string} */ each) => each === letter || each === butFirst(letter)
  /** @param {string[]} letters */
  const without = (letters) => letters.filter((each) => !isLetter(each))
  /** @type {[string, Term][]} */
  const pairs = []
  for (const item of after.values()) {
    const { coefficient, letters, layers } = termOf(item)
    const times = [...letters, ...layers].filter(isLetter).length
    const power = times > 1 ? "²" : ""
    const change = `(${whole(others[letter])}${power} − ${whole(sizes[letter])}${power})`
    const key = `+${[change, ...item.factors].map((each) => `${each}·`).join("")}`
    const beside = { coefficient, letters: without(letters), layers: without(layers) }
    if (times && !isNone(item.factors)) pairs.push([key, beside])
  }
  return alike(pairs)
}

/** A step in letters: what another size of a letter changes, if one does, and what is counted more or less often.
 * @param {Map<string, Item>} before @param {Map<string, Item>} after @param {string | undefined} letter
 * @param {Sizes} sizes @param {Sizes} others */
export function stepFormula(before, after, letter, sizes, others) {
  const terms = letter ? resized(after, letter, sizes, others) : []
  return [...terms, ...multiplied(before, after)].join(" ")
}

// Where a deviation comes in the order of reading: at the first row of the bare table that it touches, or else at the end.
const names = [...deviations.keys()]
/** @param {string} name */
function place(name) {
  const first = rows.findIndex((row) => deviations.get(name).touches(row))
  return (first < 0 ? rows.length : first) * names.length + names.indexOf(name)
}

/** A short formula for the whole as the deviations it amounts to, where it does.
 * @param {CounterOfClass} counter @param {string[]} made */
function speltOut(counter, made) {
  const longer = made
    .flatMap((name) => deviations.get(name).same_as ?? [name])
    .filter((name) => counter.rows.touchedBy(deviations.get(name)))
  const [one, other] = [made, longer].map((each) => counter.number(each.map((name) => deviations.get(name))))
  return one === other ? longer : made
}

/** The steps from what somebody counts with some deviations to the right total; they add up to the difference.
 * @param {string} modelClass @param {Sizes} modelSizes @param {string[]} made */
export function bridge(modelClass, modelSizes, made) {
  const counter = new Counter(modelClass, modelSizes)
  let here = speltOut(counter, made)
  /** @type {DeviationStep[]} */
  const steps = []
  for (const name of inOrder(here)) {
    const there = here.filter((each) => each !== name)
    const [old, now] = [here, there].map((each) => each.map((one) => deviations.get(one)))
    const [sizes, others] = [old, now].map((each) => counter.sizesWith(each))
    const [before, after] = [old, now].map((each) => new Map(counter.items(each).map((item) => [item.path, item])))
    const value = (counter.number(now) ?? NaN) - (counter.number(old) ?? NaN)
    const letter = LETTERS.find((each) => sizes[each] !== others[each])
    steps.push({ deviation: name, value, formula: stepFormula(before, after, letter, sizes, others) })
    here = there
  }
  return steps.filter((each) => each.value)
}

/** Deviations in the order of reading. @param {string[]} names */
export const inOrder = (names) => [...names].sort((one, other) => place(one) - place(other))
