"use strict"
// Explaining: every way to a number, the likeliest first. What speaks against a
// way, and how far to look, is data: macros/counting/data/search.toml.
{
  const { table, engine, read, bounds, totals } = bertCounted
  const { dtypes } = table
  const { costs, limits, twins } = table.explanations
  const { Counter, classes, deviations, models } = engine
  const { grouped, lazily, search, searched } = totals

  /** @type {Explanation} */
  const EMPTY = {
    kind: "total", number: 0, cost: 0, models: [], classes: [], mistakes: [], parts: [], labels: 0, dtype: "", unit: 1,
    rest: 0, rest_parts: [], rest_rows: 0, printed_in: [],
  }

  const names = [...classes.values()].filter((each) => each.architecture === "bert").map((each) => each.name)

  /** @param {number[]} numbers */
  const least = (numbers) => (numbers.length ? Math.min(...numbers) : 0)

  /** What speaks against models, of which the likeliest counts, classes, likewise, and deviations.
   * @param {string[]} ofModels @param {string[]} ofClasses @param {string[]} made */
  function costOf(ofModels, ofClasses, made) {
    const likeliest = least(ofModels.map((name) => costs.groups[models.get(name).group]))
    const chosen = least(ofClasses.map((name) => costs.classes[name]))
    return made.reduce((sum, name) => sum + deviations.get(name).usual + 1, likeliest + chosen)
  }

  /** @param {TotalFound} found @returns {Explanation} */
  const asTotal = (found) => ({
    ...EMPTY, kind: "total", ...found, cost: costOf(found.models, found.classes, found.mistakes),
  })

  const known = lazily(() =>
    table.explanations.known.map((each) => {
      const asked = { modelClass: each.class, sizes: models.get(each.model).sizes, deviations: each.deviations }
      return {
        ...EMPTY,
        number: engine.count(asked) ?? NaN,
        cost: costs.ways.known,
        models: [each.model],
        classes: [each.class],
        mistakes: each.deviations,
        printed_in: each.printed_in,
      }
    }),
  )

  /** @param {number} low @param {number} high */
  const knownWithin = (low, high) => known().filter((each) => each.number >= low && each.number <= high)

  /** @param {string} model @returns {(each: Explanation) => boolean} */
  const holdsFor = (model) => (each) => !model || each.models.includes(model)

  /** @param {NumberRead} asked @param {string} model */
  function ofCount(asked, model) {
    const [low, high] = bounds(asked)
    if (low > limits.largest) return []
    const exact = low === high
    // Nobody has a negative total, or none.
    const totals = exact && low <= 0 ? [] : search(low, high, exact ? limits.most_mistakes : 1, model)
    const found = [...totals.map(asTotal), ...knownWithin(low, high)]
    if (exact) found.push(...insteadOf(low), ...ofParts(low), ...ofTensors(low), ...ofLabels(low))
    const held = found.filter(holdsFor(model))
    return held.length || !exact ? held : near(low, model)
  }

  /** Formulas that are taken for the whole.
   * @param {number} number */
  function* insteadOf(number) {
    for (const model of searched) {
      for (const each of deviations.values()) {
        if (each.instead && number === engine.added(each, model.sizes)) {
          yield asTotal({ number, models: [model.name], classes: [], mistakes: [each.name] })
        }
      }
    }
  }

  /** @typedef {{ model: string, part: Part, mistakes: string[] }} PartFound */

  // Every part of every model with its count, right and with each deviation that multiplies it, by count.
  const partIndex = lazily(() => {
    const multiplying = [...deviations.values()].filter((each) => !["0", "1"].includes(each.factor) && (each.part || each.tag))
    const wrongly = table.explanations.parts.map((part) => {
      const counter = new Counter(part.class, searched[0].sizes)
      const { rows } = counter
      const chosen = rows.listed.map((_, place) => place).filter((place) => counter.selects(place, part.path, part.tag ?? ""))
      const made = multiplying.filter(
        (each) =>
          !part.share && rows.touched.get(each)?.some((place) => chosen.includes(place)) &&
          !(each.factor.includes("L") && part.path.includes("layer_0")),
      )
      return { part, made }
    })
    /** @type {Map<number, PartFound[]>} */
    const index = new Map()
    /** @param {number} number @param {PartFound} entry */
    const add = (number, entry) => {
      const listed = index.get(number)
      if (listed) listed.push(entry)
      else index.set(number, [entry])
    }
    for (const { name, sizes } of searched) {
      const counters = new Map(names.map((each) => [each, new Counter(each, sizes)]))
      for (const { part, made } of wrongly) {
        const counter = /** @type {CounterOfClass} */ (counters.get(part.class))
        const right = counter.number([], part.path, part.tag) ?? NaN
        add(part.share ? Math.floor(right / sizes.A) : right, { model: name, part, mistakes: [] })
        for (const each of made) {
          const wrong = counter.number([each], part.path, part.tag)
          if (wrong !== null && wrong !== right) add(wrong, { model: name, part, mistakes: [each.name] })
        }
      }
    }
    return index
  })

  /** @param {string} one @param {string} other */
  const inOrder = (one, other) => (one < other ? -1 : one > other ? 1 : 0)

  /** The parts that have this count: of each model, all of them together.
   * @param {number} number @returns {Explanation[]} */
  function ofParts(number) {
    const listed = [...(partIndex().get(number) ?? [])].sort((one, other) =>
      inOrder(one.mistakes[0] ?? "", other.mistakes[0] ?? ""),
    )
    return grouped(listed, (each) => [each.model, each.mistakes]).map((group) => {
      const [{ model, mistakes: made }] = group
      const cost = costs.ways.part + costOf([model], [], made)
      const parts = group.map((each) => each.part)
      return { ...EMPTY, kind: "part", number, cost, models: [model], mistakes: made, parts }
    })
  }

  /** The models that have so many tensors.
   * @param {number} number @returns {Iterable<Explanation>} */
  function* ofTensors(number) {
    for (const model of searched) {
      for (const name of names) {
        if (engine.tensors(name, model.sizes) === number) {
          const cost = costs.ways.tensors + costOf([model.name], [name], [])
          yield { ...EMPTY, kind: "tensors", number, cost, models: [model.name], classes: [name] }
        }
      }
    }
  }

  /** Classification heads with so many labels that the total is this.
   * @param {number} number @returns {Iterable<Explanation>} */
  function* ofLabels(number) {
    for (const { name, sizes } of searched) {
      for (const modelClass of ["BertForSequenceClassification", "BertForTokenClassification"]) {
        const one = engine.count({ modelClass, sizes: { ...sizes, C: 1 } }) ?? NaN
        const labels = (number - one) / (sizes.H + 1) + 1
        if (!Number.isInteger(labels) || labels <= 0 || labels > limits.most_labels || labels === sizes.C) continue
        const way = costs.ways[labels > limits.many_labels ? "many-labels" : "labels"]
        const cost = way + costOf([name], [modelClass], [])
        yield { ...EMPTY, kind: "labels", number, cost, models: [name], classes: [modelClass], labels }
      }
    }
  }

  /** Totals that take so many bytes; also where a power of two goes by the name of a power of ten.
   * @param {NumberRead} asked @param {string} model */
  function ofMemory(asked, model) {
    /** @type {Explanation[]} */
    const found = []
    for (const unit of new Set([asked.size, twins[asked.size] ?? asked.size])) {
      const [least, most] = bounds(asked, unit)
      for (const [dtype, width] of Object.entries(dtypes)) {
        const [low, high] = [Math.ceil(least / width), Math.floor(most / width)]
        const against = costs.dtypes[dtype] + (unit === asked.size ? 0 : costs.ways["other-unit"])
        const totals = [...search(low, high, 1, model).map(asTotal), ...knownWithin(low, high)]
        for (const each of totals.filter(holdsFor(model))) {
          const [number, cost] = [each.number * width, each.cost + against]
          found.push({ ...each, kind: "memory", number, cost, dtype, unit })
        }
      }
    }
    return found
  }

  /** @param {number} number @param {TotalFound[]} found */
  function nearest(number, found) {
    /** @param {TotalFound} each */
    const distance = (each) => Math.abs(number - each.number)
    const farthest = Float64Array.from(found, distance).sort()[limits.most_near - 1] ?? Infinity
    const close = found.filter((each) => distance(each) <= farthest)
    return close.sort((one, other) => distance(one) - distance(other)).slice(0, limits.most_near)
  }

  /** The nearest totals, with what is left over.
   * @param {number} number @param {string} model @returns {Explanation[]} */
  function near(number, model) {
    const close = [0, 1].flatMap((most) => nearest(number, search(0, limits.largest, most, model)))
    return grouped(close, (each) => each).map(([each]) => {
      const { name, sizes } = models.get(each.models[0])
      const rest = number - each.number
      const listed = partIndex().get(Math.abs(rest)) ?? []
      const same = listed.filter((entry) => entry.model === name && !entry.mistakes.length)
      const rows = rest % sizes.H ? 0 : rest / sizes.H
      const way = same.length ? "rest-of-parts" : rows ? "rest-of-rows" : "rest"
      const total = asTotal(each)
      const parts = same.map((entry) => entry.part)
      return { ...total, kind: "near", cost: total.cost + costs.ways[way], rest, rest_parts: parts, rest_rows: rows }
    })
  }

  /** @param {string[][]} lists */
  const distinct = (lists) => [...new Set(lists.flat())]
  /** @param {string[]} one @param {string[]} other */
  const same = (one, other) => one.length === other.length && one.every((each, place) => each === other[place])

  /** Explanations that differ only in model, class or who prints them as one.
   * @param {Explanation[]} found */
  function merged(found) {
    const bare = { models: [], classes: [], cost: 0, printed_in: [] }
    return grouped(found, (each) => ({ ...each, ...bare })).map((group) => {
      const likeliest = group.reduce((best, each) => (each.cost < best.cost ? each : best))
      const sameModels = group.filter((each) => same(each.models, likeliest.models))
      const sameClasses = group.filter((each) => same(each.classes, likeliest.classes))
      return {
        ...likeliest,
        models: distinct(sameClasses.map((each) => each.models)),
        classes: distinct(sameModels.map((each) => each.classes)),
        printed_in: distinct(group.map((each) => each.printed_in)),
      }
    })
  }

  /** Every way to a number, the likeliest first; null where the text holds no number.
   * @param {string} text @param {string} model */
  function explain(text, model = "") {
    const asked = read(text)
    if (!asked) return null
    const found = asked.ofMemory ? ofMemory(asked, model) : ofCount(asked, model)
    return merged(found).sort(
      (one, other) =>
        one.cost - other.cost ||
        one.mistakes.length - other.mistakes.length ||
        Math.abs(one.rest) - Math.abs(other.rest),
    )
  }

  /** A little of what every answer needs is worked out; whether any is left. */
  function prepare() {
    return totals.buildOne() || !partIndex()
  }

  bertCounted.explain = explain
  bertCounted.prepare = prepare
}
