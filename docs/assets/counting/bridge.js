// Builds bridges, which lead from a number with deviations to the correct one in signed
// steps, each with its formula. The rules are those of macros/counting/published/bridges.py,
// and tests/scripts/test_counting.py compares the results.
//
// Each step undoes one deviation, and its value is the difference that this makes to the
// total. So the steps always add up, although the value of a step may depend on earlier ones.

import { butFirst, Counter, deviations, LETTERS, rows, whole } from "./engine.js"
import { expandDifferences, formula, groupBy, groups, mergeTerms, termOf } from "./polynomials.js"

// --- The formula of a step --------------------------------------------------

const UNCOUNTED = ["0"] // the factors of a tensor that is not counted

/** Whether a tensor with these factors is not counted. @param {string[]} factors */
export const isUncounted = (factors) => factors.join() === UNCOUNTED.join()

/** The sign and factor before a term whose factors change. A factor is followed by a dot.
 * @param {string[]} oldFactors @param {string[]} newFactors */
function signedFactor(oldFactors, newFactors) {
  // A term that was or will be subtracted only needs a sign.
  if ([...oldFactors, ...newFactors].includes("−1")) return isUncounted(newFactors) ? "+" : "−"
  if (isUncounted(newFactors)) return `−${withDots(oldFactors)}`
  if (isUncounted(oldFactors)) return `+${withDots(newFactors)}`
  return `+(${newFactors.join("·") || "1"} − ${oldFactors.join("·") || "1"})·`
}

/** Factors as text, each followed by a dot. @param {string[]} factors */
const withDots = (factors) => factors.map((factor) => `${factor}·`).join("")

/** The formulas of products of a factor and a term. Terms with the same factor are collected in brackets.
 * @param {[factor: string, term: Term][]} products */
function formulasOf(products) {
  return [...groupBy(products, ([factor]) => factor)].map(([factor, productsOfFactor]) => {
    const sum = mergeTerms(productsOfFactor.map(([, term]) => term))
    const [[layers, group], ...others] = groups(sum)
    // `formula` already puts brackets around a group of terms in the layers.
    const needsBrackets = others.length > 0 || (group.length > 1 && !layers)
    return factor + (needsBrackets ? `(${formula(sum)})` : formula(sum))
  })
}

/** The formulas for the items whose factors change.
 * @param {Map<string, Item>} before  by path @param {Map<string, Item>} after */
function formulasForChangedFactors(before, after) {
  /** @type {[string, Term][]} */
  const products = []
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const [oldFactors, newFactors] = [before, after].map((items) => items.get(path)?.factors ?? UNCOUNTED)
    const item = /** @type {Item} */ (after.get(path) ?? before.get(path))
    if (oldFactors.join() !== newFactors.join()) products.push([signedFactor(oldFactors, newFactors), termOf(item)])
  }
  return formulasOf(products)
}

/** The formulas for a new size of one letter: the difference of the two sizes, or of their squares, times the cofactor.
 * @param {Map<string, Item>} after @param {string} letter @param {Sizes} oldSizes @param {Sizes} newSizes */
function formulasForNewSize(after, letter, oldSizes, newSizes) {
  // (L − 1) counts as L here, because it also grows by one with every layer.
  const isLetter = (/** @type {string} */ other) => other === letter || other === butFirst(letter)
  /** The other letters of a term. @param {string[]} letters */
  const withoutLetter = (letters) => letters.filter((other) => !isLetter(other))
  /** @type {[string, Term][]} */
  const products = []
  for (const item of after.values()) {
    for (const { coefficient, letters, layers } of expandDifferences(termOf(item))) {
      const times = [...letters, ...layers].filter(isLetter).length
      const power = times > 1 ? "²" : ""
      const difference = `(${whole(newSizes[letter])}${power} − ${whole(oldSizes[letter])}${power})`
      const factor = `+${withDots([difference, ...item.factors])}`
      const cofactor = { coefficient, letters: withoutLetter(letters), layers: withoutLetter(layers) }
      if (times && !isUncounted(item.factors)) products.push([factor, cofactor])
    }
  }
  return formulasOf(products)
}

/** The formula of a step: first the effect of a new size, if there is one, then that of the items whose factors change.
 * @param {Map<string, Item>} before @param {Map<string, Item>} after
 * @param {string | undefined} letter  the letter of the size that changes, if any
 * @param {Sizes} oldSizes @param {Sizes} newSizes */
export function stepFormula(before, after, letter, oldSizes, newSizes) {
  const formulas = letter ? formulasForNewSize(after, letter, oldSizes, newSizes) : []
  return [...formulas, ...formulasForChangedFactors(before, after)].join(" ")
}

// --- The steps of a bridge --------------------------------------------------

const deviationNames = [...deviations.keys()]

/** The rank of a deviation in reading order: by the first row that it touches, or after all rows if it touches none.
 * @param {string} name */
function readingRank(name) {
  const first = rows.findIndex((row) => deviations.get(name).touches(row))
  return (first < 0 ? rows.length : first) * deviationNames.length + deviationNames.indexOf(name)
}

/** The names of deviations in reading order. @param {string[]} names */
export const inOrder = (names) => [...names].sort((one, other) => readingRank(one) - readingRank(other))

/** The names of the deviations that a bridge undoes. If a mistake is a formula for the whole sum, and the single
 * mistakes that it stands for lead to the same number, they take its place.
 * @param {CounterOfClass} counter @param {string[]} mistakes */
function spellOut(counter, mistakes) {
  const longList = mistakes
    .flatMap((name) => deviations.get(name).same_as ?? [name])
    .filter((name) => counter.rows.touchedBy(deviations.get(name)))
  const [shortTotal, longTotal] = [mistakes, longList].map((names) =>
    counter.number(names.map((name) => deviations.get(name))),
  )
  return shortTotal === longTotal ? longList : mistakes
}

/** The steps from the total with these mistakes to the correct one. They add up to the difference.
 * @param {string} modelClass @param {Sizes} modelSizes @param {string[]} mistakes */
export function bridge(modelClass, modelSizes, mistakes) {
  const counter = new Counter(modelClass, modelSizes)
  let remainingNames = spellOut(counter, mistakes)
  /** @type {DeviationStep[]} */
  const steps = []
  for (const name of inOrder(remainingNames)) {
    const namesAfterStep = remainingNames.filter((other) => other !== name)
    const [oldDeviations, newDeviations] = [remainingNames, namesAfterStep].map((names) =>
      names.map((other) => deviations.get(other)),
    )
    const [oldSizes, newSizes] = [oldDeviations, newDeviations].map((deviationList) => counter.sizesWith(deviationList))
    const [before, after] = [oldDeviations, newDeviations].map(
      (deviationList) => new Map(counter.items(deviationList).map((item) => [item.path, item])),
    )
    const value = (counter.number(newDeviations) ?? NaN) - (counter.number(oldDeviations) ?? NaN)
    const letter = LETTERS.find((size) => oldSizes[size] !== newSizes[size])
    steps.push({ deviation: name, value, formula: stepFormula(before, after, letter, oldSizes, newSizes) })
    remainingNames = namesAfterStep
  }
  return steps.filter(({ value }) => value)
}
