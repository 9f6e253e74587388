"use strict"
// Sizes: a total of a model that has another number of layers, positions,
// tokens, segments, labels or inner units. A total is linear in each of these,
// so each is solved for, and a value that somebody might choose is accepted.
{
  const { table, engine, ways, spaces } = bertCounted
  const { costs, limits } = table.explanations
  const { EMPTY, berts, costOf, costOfModel, grouped, kinds, lazily } = ways
  const { Counter, deviations } = engine

  const { size: COMMON, "odd-size": ODD } = costs.ways

  const vocabularies = lazily(() => new Set(table.models.map((each) => each.sizes.V)))
  /** @param {number} value @param {number} step  whether it is a known vocabulary filled up to a multiple of this */
  const fillsUp = (value, step) => [...vocabularies()].some((each) => value === Math.ceil(each / step) * step)
  const MOST_ADDED = 10 // tokens that somebody adds to a vocabulary

  /** @param {number} value */
  const isPowerOfTwo = (value) => value > 0 && (value & (value - 1)) === 0

  /** What speaks against a size in place of another; Infinity where nobody would choose it.
   * @type {Record<string, (value: number, sizes: Sizes) => number>} */
  const AGAINST = {
    L: (value, { L }) => (value > 0 && value <= 2 * L ? (Math.abs(value - L) === 1 || 2 * value === L || value === 2 * L ? COMMON : ODD) : Infinity),
    V: (value, { V }) => {
      if (value < 1000 || value > 1_000_000) return Infinity
      if (value > V && value <= V + MOST_ADDED) return costs.ways["added-tokens"]
      if (vocabularies().has(value) || value % 10_000 === 0) return COMMON
      return value % 1000 === 0 || [8, 64, 128].some((step) => fillsUp(value, step)) ? ODD : Infinity
    },
    P: (value) => {
      if (value < 16 || value > 65_536) return Infinity
      if (isPowerOfTwo(value) || value === 384) return COMMON
      return value <= 4096 && (value % 100 === 0 || value % 128 === 0 || value === 514) ? ODD : Infinity
    },
    S: (value) => (value > 0 && value <= 4 ? ODD : Infinity),
    F: (value, { H }) => {
      if (value < 1 || value > 16 * H) return Infinity
      return value % H === 0 || isPowerOfTwo(value) ? COMMON : value % 256 === 0 ? ODD : Infinity
    },
    C: (value) => (value > 0 && value <= limits.most_labels ? costs.ways[value > limits.many_labels ? "many-labels" : "labels"] : Infinity),
  }

  /** @typedef {TotalFound & { slopes: Record<string, number> }} Solvable  a total, and what one more of each size adds */

  // The totals of the models that people most likely mean, right and with what many do, two at most.
  const solvable = lazily(() => {
    const likely = berts.filter((each) => costOfModel(each.name) <= 1)
    return grouped(likely, (model) => Object.entries(model.sizes)).flatMap((group) => {
      const names = group.map((each) => each.name)
      return spaces.classGroups(group[0]).flatMap((alike) => slopesOf(group[0].sizes, names, alike))
    })
  })

  /** @param {Sizes} sizes @param {string[]} models @param {Alike} alike */
  function slopesOf(sizes, models, { names: classes, rows, made }) {
    const letters = Object.keys(AGAINST).filter((letter) => rows.letters.has(letter))
    const counters = letters.map((letter) => new Counter(classes[0], { ...sizes, [letter]: sizes[letter] + 1 }))
    const counter = new Counter(classes[0], sizes)
    const usual = made.filter((each) => each.deviation.usual === 1 && !each.deviation.letter).map((each) => each.deviation)
    const sets = [[], ...usual.map((one) => [one]), ...usual.flatMap((one, place) => usual.slice(place + 1).map((two) => [one, two]))]
    return sets.flatMap((set) => {
      const number = counter.number(set)
      const cost = costOf({ models, classes, mistakes: set.map((each) => each.name) })
      if (number === null || cost + COMMON > limits.possible) return []
      const slopes = letters.map((letter, place) => [letter, (counters[place].number(set) ?? NaN) - number])
      return [{ number, models, classes, mistakes: set.map((each) => each.name), cost, slopes: Object.fromEntries(slopes) }]
    })
  }

  /** The sizes that deviations give a letter, and that are found as such.
   * @param {string} letter @param {Sizes} sizes */
  const known = (letter, sizes) =>
    [...deviations.values()].filter((each) => each.letter === letter).map((each) => engine.resized(sizes, [each])[letter])

  /** @param {number} number @returns {Iterable<Explanation>} */
  function* ofSizes(number) {
    for (const { slopes, ...total } of solvable()) {
      const { sizes } = engine.models.get(total.models[0])
      for (const [letter, slope] of Object.entries(slopes)) {
        const value = sizes[letter] + (number - total.number) / slope
        if (!Number.isInteger(value) || value === sizes[letter] || known(letter, sizes).includes(value)) continue
        const more = total.mistakes.length ? costs.ways[letter === "C" ? "labels-and-more" : "size-and-more"] : 0
        const cost = total.cost + AGAINST[letter](value, sizes) + more
        const found = { ...EMPTY, ...total, number, cost, kind: letter === "C" ? "labels" : "size", sizes: { [letter]: value } }
        // A share such as one layer's of all may not be whole with other sizes.
        if (cost <= limits.possible && recount(found) === number) yield { ...found, labels: letter === "C" ? value : 0 }
      }
    }
  }

  /** @param {Explanation} each */
  function recount({ models, classes, mistakes, sizes: others }) {
    const { sizes } = engine.models.get(models[0])
    return new Counter(classes[0], { ...sizes, ...others }).number(mistakes.map((name) => deviations.get(name)))
  }

  kinds.push(({ low, exact, amount }) => (exact && amount === "count" && low > 0 ? ofSizes(low) : []))
  ways.prepareSizes = () => void solvable()
}
