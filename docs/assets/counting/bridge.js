// @ts-nocheck
"use strict"
// From a number with mistakes to the right one in signed steps, each with its
// formula. The rules are those of macros/counting/bridges.py and
// polynomials.py, and a test compares what comes out.
{
  const { table, engine } = bertCounted
  const { classes, mistakes, rows, whole } = engine
  const ORDER = [...table.explanations.order]

  // --- Polynomials: a sum of terms, plus L times another sum ---------------

  const polynomial = (shape, repeated = false) => {
    const numbers = shape.filter((each) => typeof each === "number")
    const letters = shape.filter((each) => typeof each === "string")
    const terms = [{ coefficient: numbers.reduce((product, each) => product * each, 1), letters }]
    return repeated ? { terms: [], perLayer: terms } : { terms, perLayer: [] }
  }

  // Like terms added up: H·F and F·H are alike, and keep the first spelling.
  function merged(terms) {
    const found = new Map()
    for (const { coefficient, letters } of terms) {
      const alike = [...letters].sort().join()
      const before = found.get(alike) ?? { coefficient: 0, letters }
      found.set(alike, { ...before, coefficient: before.coefficient + coefficient })
    }
    return [...found.values()].sort((one, other) => other.letters.length - one.letters.length)
  }

  const total = (parts) => ({
    terms: merged(parts.flatMap((each) => each.terms)),
    perLayer: merged(parts.flatMap((each) => each.perLayer)),
  })

  const value = (terms, sizes) =>
    terms.reduce((sum, each) => sum + engine.product([each.coefficient, ...each.letters], sizes), 0)
  const valueOf = ({ terms, perLayer }, sizes) => value(terms, sizes) + sizes.L * value(perLayer, sizes)

  // The terms in the order of reading: the tables, the layers, the rest.
  function groups({ terms, perLayer }) {
    const isTable = (term) => term.letters.some((each) => "VPS".includes(each))
    const found = [["", terms.filter(isTable)], ["L", perLayer], ["", terms.filter((each) => !isTable(each))]]
    return found.filter(([, each]) => each.length)
  }

  function written({ coefficient, letters }) {
    const power = (letter) => (letters.filter((each) => each === letter).length > 1 ? "²" : "")
    const factors = [...new Set(letters)].map((letter) => letter + power(letter))
    if (coefficient !== 1 || !factors.length) factors.unshift(whole(coefficient))
    return factors.join("·")
  }

  function formula(letters) {
    const pieces = groups(letters).map(([factor, terms]) => {
      const text = terms.map(written).join(" + ")
      return !factor ? text : terms.length > 1 ? `${factor}·(${text})` : `${factor}·${text}`
    })
    return pieces.join(" + ") || "0"
  }

  // What stands beside a power of a letter in the terms that have just this power of it.
  function beside({ terms, perLayer }, letter, power) {
    if (letter === "L") return { terms: power === 1 ? perLayer : [], perLayer: [] }
    const without = (listed) =>
      listed
        .filter((term) => term.letters.filter((each) => each === letter).length === power)
        .map((term) => ({ ...term, letters: term.letters.filter((each) => each !== letter) }))
    return { terms: without(terms), perLayer: without(perLayer) }
  }

  // --- Steps ------------------------------------------------------------------

  const NONE = ["0"] // the factors of a tensor that is not counted

  // What is counted, by path: the rows of the class, and what is added to them.
  function items(modelClass, names) {
    const made = names.map((name) => mistakes.get(name))
    const found = new Map()
    for (const row of classes.get(modelClass)) {
      const touching = made.filter((each) => each.touches(row))
      const tied = row.tied_to && !touching.some((each) => each.unties)
      const factors = touching.filter((each) => each.factor !== "1")
      const none = tied || factors.some((each) => each.factor === "0") || made.some((each) => each.instead)
      found.set(row.path, { factors: none ? [] : factors, none, letters: polynomial(row.dimensions, row.repeated) })
    }
    for (const each of made) {
      each.shapes.forEach(([sign, shape], place) =>
        found.set(`${each.name} ${place}`, { factors: [], none: false, sign, letters: polynomial(shape) }),
      )
    }
    return found
  }

  function numberOf({ factors, none, sign = 1, letters }, sizes) {
    if (none) return 0
    const multipliers = factors.map((each) => engine.multiplier(each, sizes))
    const above = multipliers.reduce((product, [each]) => product * each, valueOf(letters, sizes))
    return (sign * above) / multipliers.reduce((product, [, each]) => product * each, 1)
  }

  const factorsOf = (item) =>
    !item || item.none ? NONE : item.sign < 0 ? ["−1"] : item.factors.map((each) => each.factor)

  const isNone = (factors) => factors.length === 1 && factors[0] === "0"

  // What a polynomial is multiplied by where it was counted `old` times and is now `now` times.
  function factor(old, now) {
    if ([...old, ...now].includes("−1")) return isNone(now) ? "+" : "−"
    if (isNone(now)) return "−" + old.map((each) => `${each}·`).join("")
    if (isNone(old)) return "+" + now.map((each) => `${each}·`).join("")
    return `+(${now.join("·") || "1"} − ${old.join("·") || "1"})·`
  }

  function piece(multiplied, letters) {
    const listed = groups(letters)
    const summed = listed.length > 1 || (listed[0][1].length > 1 && !listed[0][0])
    return multiplied + (summed ? `(${formula(letters)})` : formula(letters))
  }

  function alike(pairs) {
    const found = new Map()
    for (const [key, letters] of pairs) found.set(key, [...(found.get(key) ?? []), letters])
    return [...found].map(([key, letters]) => piece(key, total(letters)))
  }

  // Terms for what is counted more or less often, those of the same factors together.
  function multiplied(before, after) {
    const pairs = []
    for (const key of new Set([...before.keys(), ...after.keys()])) {
      const [old, now] = [factorsOf(before.get(key)), factorsOf(after.get(key))]
      const { letters } = after.get(key) ?? before.get(key)
      if (old.join() !== now.join()) pairs.push([factor(old, now), letters])
    }
    return alike(pairs)
  }

  // Terms for another size of one letter: the difference times what stands beside the letter.
  function resized(after, letter, sizes, others) {
    const pairs = []
    for (const item of after.values()) {
      for (const power of ["", "²"]) {
        const letters = beside(item.letters, letter, power.length + 1)
        const change = `(${whole(others[letter])}${power} − ${whole(sizes[letter])}${power})`
        if (!isNone(factorsOf(item)) && letters.terms.length + letters.perLayer.length) {
          pairs.push([`+${[change, ...factorsOf(item)].map((each) => `${each}·`).join("")}`, letters])
        }
      }
    }
    return alike(pairs)
  }

  // Where a mistake comes in the order of reading: at the first row it touches, or else at the end.
  const names = [...mistakes.keys()]
  function place(name) {
    const first = rows.findIndex((row) => mistakes.get(name).touches(row))
    return (first < 0 ? rows.length : first) * names.length + names.indexOf(name)
  }

  // A short formula for the whole as the mistakes it amounts to, where it does.
  function speltOut(modelClass, sizes, made) {
    const longer = made
      .flatMap((name) => mistakes.get(name).same_as ?? [name])
      .filter((name) => mistakes.get(name).madeIn(modelClass))
    const [one, other] = [made, longer].map((each) => engine.count(modelClass, sizes, { mistakes: each }))
    return one === other ? longer : made
  }

  // The steps from what somebody counts with some mistakes to the right total; they add up to the difference.
  function bridge(modelClass, modelSizes, made) {
    let here = speltOut(modelClass, modelSizes, made)
    const steps = []
    for (const mistake of [...here].sort((one, other) => place(one) - place(other))) {
      const there = here.filter((each) => each !== mistake)
      const [sizes, others] = [here, there].map((each) => engine.resized(modelSizes, each.map((name) => mistakes.get(name))))
      const [before, after] = [items(modelClass, here), items(modelClass, there)]
      const sum = (counted, withSizes) => [...counted.values()].reduce((all, each) => all + numberOf(each, withSizes), 0)
      const letter = ORDER.find((each) => sizes[each] !== others[each])
      const pieces = letter ? resized(after, letter, sizes, others) : multiplied(before, after)
      steps.push({ mistake, value: sum(after, others) - sum(before, sizes), formula: pieces.join(" ") })
      here = there
    }
    return steps.filter((each) => each.value)
  }

  bertCounted.bridge = bridge
}
