// Every total: what all models give in all their classes, rightly and with
// some deviations, found again by number. A set of deviations changes a total by
// the sum of what each does alone, plus a correction for every two, and every
// three, that touch the same row. So the corrections are worked out once, and
// trying a set is an addition. Sets that cost more than is worth looking for are
// not tried.

import table from "../../data/table.js"
import * as engine from "../counting/engine.js"
import { Counter, classesOf, deviations, multiplier, resized } from "../counting/engine.js"
import { costOf, costOfDeviation, grouped, lazily, stepwise } from "./ways.js"

const { limits } = table.explanations

// --- Models and classes that give the same ----------------------------------

const modelGroups = lazily(() => grouped(table.models, (model) => [model.architecture, Object.entries(model.sizes)]))

const counted = [...deviations.values()].filter((each) => !each.instead)
const commonest = counted.filter((each) => each.usual === 1)
/** What is tried with models of an architecture: of BERT everything, of its relatives what many do.
 * @param {string} architecture */
const tried = (architecture) => (architecture === table.models[0].architecture ? counted : commonest)

/** @type {{ rows: Rows[], groups: Alike[] }[]} */
const knownGroups = []
/** The classes of a model with rows of the same shapes and the same deviations together. Rows may depend on the sizes.
 * @param {Model} model */
function classGroups({ architecture, sizes }) {
  const counters = classesOf(architecture).map(({ name }) => ({ name, rows: new Counter(name, sizes).rows }))
  let known = knownGroups.find(({ rows }) => rows[0] === counters[0].rows)
  if (!known) {
    const alike = grouped(counters, ({ rows }) => [
      rows.listed.map((row) => row.shape).sort(),
      tried(architecture).map((each) => Boolean(rows.touchedBy(each))),
    ])
    const groups = alike.map((group) => ({
      names: group.map(({ name }) => name),
      rows: group[0].rows,
      made: triedOf(group[0].rows, tried(architecture)),
    }))
    knownGroups.push((known = { rows: counters.map(({ rows }) => rows), groups }))
  }
  return known.groups
}

/**
 * The deviations of some rows, the most usual first, with the rows that each
 * touches: a letter of another size touches the rows of that letter. The marks
 * are bits for all that it depends on: two deviations without a bit in common
 * change a total by the sum of what each does alone.
 * @param {Rows} rows
 * @param {Deviation[]} listed
 * @returns {Tried[]}
 */
const triedOf = (rows, listed) =>
  listed
    .flatMap((each) => {
      const { letter } = each
      const touched = rows.touchedBy(each)
      if (!touched) return []
      const places = letter ? rows.places((row) => row.dimensions.includes(letter)) : touched
      const used = letter ? [letter] : each.letters
      const letters = table.symbols.flatMap((symbol, place) =>
        used.includes(symbol.letter) ? [rows.listed.length + place] : [],
      )
      const touches = new Uint8Array(rows.listed.length)
      for (const place of places) touches[place] = 1
      const marks = [0, 0, 0]
      for (const place of [...places, ...letters]) marks[place >> 5] |= 1 << (place & 31)
      return [{ name: each.name, cost: costOfDeviation(each.name), deviation: each, places, touches, marks }]
    })
    .sort((one, other) => one.cost - other.cost)

// --- The totals of one model in one class -------------------------------------

/** @typedef {Tried & { above: number, below: number, added: number }} Effect  what a deviation does with some sizes */

/** What sets of deviations change in the total of a class, where they are made together. */
class Changes {
  /** @param {Sizes} sizes @param {Alike} alike @param {number} budget  what a deviation may cost */
  constructor(sizes, { names, made }, budget) {
    this.counter = new Counter(names[0], sizes)
    const { free, right } = this.counter.sizing([], false)
    this.free = free
    this.right = right
    this.total = right.reduce((sum, each) => sum + each, 0)
    /** @type {Effect[]} */
    this.effects = made
      .filter((each) => each.cost <= budget)
      .map((each) => {
        const { deviation } = each
        const { letter } = deviation
        const [above, below] = letter
          ? [resized(sizes, [deviation])[letter], sizes[letter]]
          : multiplier(deviation, sizes)
        return { ...each, above, below, added: deviation.shapes.length ? engine.added(deviation, sizes) : 0 }
      })
    this.effects = this.effects.filter((each) => this.of(each)) // neither nothing nor NaN
  }

  /** What these change together; NaN where they exclude each other or a share is not whole.
   * @param {Effect} one @param {Effect} [two] @param {Effect} [three] */
  of(one, two, three) {
    if (two && entangled(one, two, three)) return this.counted(one, two, three)
    let change = one.added + (two ? two.added : 0) + (three ? three.added : 0)
    for (const place of one.places) change += this.at(place, one, two, three)
    if (two) for (const place of two.places) if (!one.touches[place]) change += this.at(place, two, three)
    if (three)
      for (const place of three.places) if (!one.touches[place] && !two?.touches[place]) change += this.at(place, three)
    return change
  }

  /** @param {number} place  what these change in one row @param {Effect} one @param {Effect} [two] @param {Effect} [three] */
  at(place, one, two, three) {
    const right = this.right[place]
    const second = two?.touches[place] ? two : null
    const third = three?.touches[place] ? three : null
    const unties = one.deviation.unties || second?.deviation.unties || third?.deviation.unties
    const above = one.above * (second ? second.above : 1) * (third ? third.above : 1)
    const below = one.below * (second ? second.below : 1) * (third ? third.below : 1)
    const value = ((unties ? this.free[place] : right) * above) / below
    return Number.isInteger(value) ? value - right : NaN
  }

  /** The same, where the whole has to be counted. @param {(Effect | undefined)[]} effects */
  counted(...effects) {
    const made = this.counter.made(effects.flatMap((each) => (each ? [each.name] : [])))
    return ((made && this.counter.number(made)) ?? NaN) - this.total
  }
}

/** Whether one takes another size for a letter that a second resizes too, multiplies by or adds.
 * @param {Effect} one @param {Effect} two @param {Effect} [three] */
function entangled(one, two, three) {
  const all = three ? [one, two, three] : [one, two]
  return all.some(
    ({ deviation: { letter } }, place) =>
      letter && all.some(({ deviation }, other) => other !== place && deviation.letters.includes(letter)),
  )
}

/** Whether what these do depends on something in common.
 * @param {Effect} one @param {Effect} two @param {Effect} [three] */
function meet({ marks: one }, { marks: two }, three) {
  const also = three ? three.marks : [-1, -1, -1]
  return Boolean((one[0] & two[0] & also[0]) | (one[1] & two[1] & also[1]) | (one[2] & two[2] & also[2]))
}

const NONE = 255 // stands for no deviation in a code
/** @param {number} one @param {number} two @param {number} three  places of deviations, as one number */
const codeOf = (one = NONE, two = NONE, three = NONE) => (three << 16) | (two << 8) | one
/** @param {number} code */
const placesOf = (code) => [code & 255, (code >> 8) & 255, (code >> 16) & 255].filter((place) => place !== NONE)

/**
 * All totals of some sizes in a class whose deviations cost no more than a budget.
 * @param {Sizes} sizes
 * @param {Alike} alike
 * @param {number} budget
 */
function totalsOf(sizes, alike, budget) {
  const changes = new Changes(sizes, alike, budget)
  const { total, effects } = changes
  const costs = effects.map((each) => each.cost)
  const alone = effects.map((each) => changes.of(each))
  /** @type {{ numbers: number[], costs: number[], codes: number[] }} */
  const found = { numbers: [total], costs: [0], codes: [codeOf()] }
  /** @param {number} number @param {number} cost @param {number} code */
  const add = (number, cost, code) => {
    found.numbers.push(number)
    found.costs.push(cost)
    found.codes.push(code)
  }
  alone.forEach((each, place) => add(total + each, costs[place], codeOf(place)))
  // The deviations stand by cost, so that a set which costs too much ends its row.
  const size = effects.length
  /** @type {Float64Array[]} what two change together */
  const together = effects.map(() => new Float64Array(size).fill(NaN))
  for (let one = 0; one < size; one++) {
    for (let two = one + 1; two < size && costs[one] + costs[two] <= budget; two++) {
      const changed = meet(effects[one], effects[two])
        ? changes.of(effects[one], effects[two])
        : alone[one] + alone[two]
      // One that makes no difference beside the other, or takes it back, is needless.
      if (Number.isNaN(changed) || changed === 0 || changed === alone[one] || changed === alone[two]) continue
      together[one][two] = changed
      add(total + changed, costs[one] + costs[two], codeOf(one, two))
    }
  }
  for (let one = 0; one < size; one++) {
    for (let two = one + 1; two < size && costs[one] + 2 * costs[two] <= budget; two++) {
      if (Number.isNaN(together[one][two])) continue
      for (let three = two + 1; three < size && costs[one] + costs[two] + costs[three] <= budget; three++) {
        const [first, second, third] = [together[one][two], together[one][three], together[two][three]]
        if (Number.isNaN(second + third)) continue
        const changed = meet(effects[one], effects[two], effects[three])
          ? changes.of(effects[one], effects[two], effects[three])
          : first + second + third - alone[one] - alone[two] - alone[three]
        const needless = Number.isNaN(changed) || changed === first || changed === second || changed === third
        if (!needless) add(total + changed, costs[one] + costs[two] + costs[three], codeOf(one, two, three))
      }
    }
  }
  return { deviations: effects.map((each) => each.name), ...found }
}

const SPAN = 2 ** 16 // more than a class has sets of deviations

/** The places of some whole numbers from zero, the smallest first. Number and place are sorted as one, which
 * is much quicker than asking about every two.
 * @param {number[]} numbers */
function orderOf(numbers) {
  const both = numbers.flatMap((each, place) => (each >= 0 ? [each * SPAN + place] : []))
  return Float64Array.from(both)
    .sort()
    .map((each) => each % SPAN)
}

/** @param {Model[]} group @param {Alike} alike @returns {Space} */
function space(group, alike) {
  const models = group.map((each) => each.name)
  const cost = costOf({ models, classes: alike.names })
  const more = costOf({ models, classes: alike.names, mistakes: [counted[0].name] }) - costOfDeviation(counted[0].name)
  const found = totalsOf(group[0].sizes, alike, limits.possible - more)
  const order = orderOf(found.numbers)
  return {
    models,
    classes: alike.names,
    total: found.numbers[0],
    deviations: found.deviations,
    numbers: Float64Array.from(order, (place) => found.numbers[place]),
    costs: Uint8Array.from(order, (place) => (found.costs[place] ? found.costs[place] + more : cost)),
    codes: Int32Array.from(order, (place) => found.codes[place]),
  }
}

// --- The search -----------------------------------------------------------------

/** @type {Space[]} */
const built = []

/** All totals of one model in one class after the other. */
function* steps() {
  for (const group of modelGroups()) {
    for (const alike of classGroups(group[0])) yield built.push(space(group, alike))
  }
}
const all = stepwise(steps, () => built)

/**
 * Everything that leads to a number from `low` to `high`.
 * @param {number} low
 * @param {number} high
 * @param {string} model  the only model that is meant, or ""
 * @param {number} mistakes  how many deviations there may be
 */
function search(low, high, model, mistakes = limits.most_mistakes) {
  /** @type {TotalFound[]} */
  const found = []
  for (const each of all()) {
    if (model && !each.models.includes(model)) continue
    const { numbers } = each
    for (let place = firstFrom(numbers, Math.max(low, 0)); place < numbers.length && numbers[place] <= high; place++) {
      const places = placesOf(each.codes[place])
      if (places.length > mistakes) continue
      const made = places.map((one) => each.deviations[one])
      found.push({
        number: numbers[place],
        models: each.models,
        classes: each.classes,
        mistakes: made,
        cost: each.costs[place],
      })
    }
  }
  return found
}

/** The place of the first of some sorted numbers that is no smaller.
 * @param {ArrayLike<number>} numbers @param {number} number */
function firstFrom(numbers, number) {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle] < number) low = middle + 1
    else high = middle
  }
  return low
}

const REACH = 0.1 // how far numbers are near, as a share of the number itself

/** @type {{ number: number, wide: number, reached: number[] }} */
let last = { number: NaN, wide: 0, reached: [] }

/** How many numbers near have a way that costs so much and none that costs less: of those that leave
 * the same remainder by the hidden size, since nearly all totals do.
 * @param {number} low @param {number} high @param {number} wide @param {number} remainder */
function reachedWithin(low, high, wide, remainder) {
  /** @type {Map<number, number>} */
  const cheapest = new Map()
  for (const { numbers, costs } of all()) {
    for (let place = firstFrom(numbers, low); place < numbers.length && numbers[place] <= high; place++) {
      const number = numbers[place]
      if (number % wide === remainder && costs[place] < (cheapest.get(number) ?? Infinity)) {
        cheapest.set(number, costs[place])
      }
    }
  }
  /** @type {number[]} */
  const found = []
  for (const cost of cheapest.values()) found[cost] = (found[cost] ?? 0) + 1
  return found
}

/** How many in a thousand of the numbers near have a way that costs no more.
 * @param {number} number @param {number} wide  the hidden size @param {number} cost */
function chance(number, wide, cost) {
  const [low, high] = [number * (1 - REACH), number * (1 + REACH)]
  if (last.number !== number || last.wide !== wide) {
    last = { number, wide, reached: reachedWithin(low, high, wide, number % wide) }
  }
  const reached = last.reached.slice(0, cost + 1).reduce((sum, each) => sum + (each ?? 0), 0)
  return (1000 * reached) / Math.max(1, (high - low) / wide)
}

export { all, chance, classGroups, firstFrom, search }
