// @ts-nocheck
"use strict"
// Why somebody has a number: every way to it, the likeliest first. The rules
// and the order are those of macros/counting/printed.py, search.py and
// explanations.py, and a test compares what comes out.
{
  const { table, engine } = bertCounted
  const { units, dtypes } = table
  const { costs, limits, twins } = table.explanations
  const { classes, mistakes, models } = engine

  // --- Reading a number -----------------------------------------------------

  const WIDE = new Map([..."０１２３４５６７８９"].map((digit, place) => [digit, String(place)]))
  for (const [wide, plain] of ["，,", "．.", "。."]) WIDE.set(wide, plain)
  const FORM = /^(?:[~≈]|about|circa|ca\.?)?([0-9][0-9.,]*)([^0-9.,]*)$/

  // Digits, decimals and unit of a text, or null where it holds no number.
  function read(text) {
    const letters = [...text]
    if (letters.length > limits.longest) return null
    const plain = letters.map((each) => WIDE.get(each) ?? each).join("")
      .replace(/[^\S\ufeff]|[\x1c-\x1f\x85_'’]/g, "").toLowerCase()
      .replace(/(?:parameters|params|numbers|参数|个)+$/, "")
    const [, digits, unit] = FORM.exec(plain) ?? []
    if (!digits) return null
    const known = Object.hasOwn(units.counts, unit) || Object.hasOwn(units.bytes, unit)
    const [whole, fraction] = parted(digits, Boolean(unit))
    if (!whole || (fraction && !unit) || (unit && !known)) return null
    const ofMemory = Object.hasOwn(units.bytes, unit)
    const size = unit ? (ofMemory ? units.bytes : units.counts)[unit] : 1
    const exact = !unit || (ofMemory && size === 1)
    return { digits: BigInt(whole + fraction), decimals: fraction.length, unit, size, ofMemory, exact }
  }

  // Digits before and after the decimal mark; other marks part thousands.
  function parted(digits, hasUnit) {
    const marks = digits.match(/[.,]/g) ?? []
    const last = marks.at(-1)
    if (!last) return [digits, ""]
    const cut = digits.lastIndexOf(last)
    const after = digits.slice(cut + 1)
    const once = marks.filter((each) => each === last).length === 1
    // The last mark is decimal if it stands once, and not before three digits that end a whole number.
    if (once && (after.length !== 3 || (hasUnit && last === "."))) {
      return [digits.slice(0, cut).replace(/[.,]/g, ""), after]
    }
    return [digits.replace(/[.,]/g, ""), ""]
  }

  // Beyond what a model can hold one number is like another, and here they stay exact.
  const MOST = BigInt(Number.MAX_SAFE_INTEGER)
  const plainNumber = (big) => Number(big > MOST ? MOST : big < -MOST ? -MOST : big)

  function ceilDivided(number, below) {
    const quotient = number / below
    return number % below > 0n ? quotient + 1n : quotient
  }

  // The least and the greatest whole number that it stands for.
  function bounds(asked, unit = asked.size) {
    if (asked.exact) return [plainNumber(asked.digits), plainNumber(asked.digits)]
    const round = !asked.decimals && asked.digits && asked.digits % 10n === 0n
    const last = round ? 10n : 1n
    const below = 2n * 10n ** BigInt(asked.decimals)
    const [low, high] = [-last, last].map((side) => ceilDivided((2n * asked.digits + side) * BigInt(unit), below))
    return [plainNumber(low), plainNumber(high - 1n)]
  }

  // --- Every total ----------------------------------------------------------

  const lazily = (make) => {
    let made
    return () => (made ??= make())
  }

  function grouped(items, key) {
    const groups = new Map()
    for (const each of items) {
      const name = JSON.stringify(key(each))
      if (!groups.has(name)) groups.set(name, [])
      groups.get(name).push(each)
    }
    return [...groups.values()]
  }

  // The classes, those with rows of the same shapes and the same mistakes
  // together, with what each mistake touches there.
  const classGroups = lazily(() =>
    grouped(classes.keys(), (name) => [
      classes.get(name).map((row) => row.shape).sort(),
      [...mistakes.values()].filter((each) => each.madeIn(name)).map((each) => each.name),
    ]).map((names) => {
      const rows = classes.get(names[0])
      const places = (condition) => rows.flatMap((row, place) => (condition(row) ? [place] : []))
      const made = [...mistakes.values()]
        .filter((each) => each.madeIn(names[0]) && !each.instead)
        .map((each) => ({ ...each, places: places(each.touches) }))
      for (const each of made) each.marks = marks(each, made, rows, places)
      return { names, rows, made }
    }),
  )

  // The rows that a mistake changes, as bits in two words; two mistakes without
  // a bit in common do not meet. A letter that is given another size stands
  // for the rows of that letter, and so does a letter in a factor or in what
  // is added.
  function marks(mistake, made, rows, places) {
    const { letter } = mistake
    const marked = new Set(mistake.places)
    const letters = letter ? [letter] : mistake.shapes.flatMap(([, shape]) => shape)
    if (letter) {
      places((row) => row.dimensions.includes(letter)).forEach((place) => marked.add(place))
      const shared = made.filter((other) => other.quotient.includes(letter))
      shared.forEach((other) => other.places.forEach((place) => marked.add(place)))
    }
    table.symbols.forEach((each, place) => {
      if (letters.includes(each.letter)) marked.add(rows.length + place)
    })
    const words = [0, 0]
    for (const place of marked) words[place >> 5] |= 1 << (place & 31)
    return words
  }

  // The total of one model in one class, quick to count again with mistakes.
  class Totals {
    constructor(sizes, rows) {
      this.sizes = sizes
      this.rows = rows
      this.known = new Map()
      this.values = new Float64Array(rows.length)
      this.right = this.count([])
    }

    // What some mistakes change together; null where they exclude each other or a share is not whole.
    change(...made) {
      const total = this.count(made)
      return total === null ? null : total - this.right
    }

    count(made) {
      const resizing = made.filter((each) => each.letter)
      if (resizing.some((each, place) => resizing.findIndex((other) => other.letter === each.letter) < place)) return null
      const { sizes, free, tied } = this.sized(resizing)
      const { values } = this
      values.set(tied)
      for (const each of made) {
        if (each.unties) for (const place of each.places) values[place] = free[place]
      }
      const shares = []
      for (const each of made) {
        if (each.factor === "1") continue
        const [above, below] = engine.multiplier(each, sizes)
        for (const place of each.places) values[place] *= above
        if (below !== 1) shares.push([each.places, below])
      }
      for (const [places, below] of shares) {
        for (const place of places) {
          if (values[place] % below) return null
          values[place] /= below
        }
      }
      let total = 0
      for (const value of values) total += value
      for (const each of made) if (each.adds) total += engine.added(each, sizes)
      return total
    }

    // The sizes, and the size of every row as if nothing were tied and as it is.
    sized(resizing) {
      const key = resizing.map((each) => each.name).join()
      if (!this.known.has(key)) {
        const sizes = engine.resized(this.sizes, resizing)
        const free = Float64Array.from(this.rows, (row) => engine.size(row, sizes))
        this.known.set(key, { sizes, free, tied: free.map((size, place) => (this.rows[place].tied_to ? 0 : size)) })
      }
      return this.known.get(key)
    }
  }

  const NEVER = NaN // equals no number, and stays what it is whatever is added
  const NOTHING = new Float64Array(mistakes.size)

  // All totals of one model in one class: what each mistake changes alone, and
  // what two, and three, that touch the same row change besides.
  function space(group, { names, rows, made: possible }) {
    const totals = new Totals(group[0].sizes, rows)
    const made = possible.filter((each) => totals.change(each))
    const alone = Float64Array.from(made, (each) => totals.change(each))
    const [low, high] = [0, 1].map((word) => Int32Array.from(made, (each) => each.marks[word]))
    const size = made.length
    const together = Array.from(made, () => new Float64Array(size))
    const allThree = new Map()
    for (let one = 0; one < size; one++) {
      for (let two = one + 1; two < size; two++) {
        const both = alone[one] + alone[two]
        const apart = !(low[one] & low[two]) && !(high[one] & high[two])
        const change = apart ? both : totals.change(made[one], made[two])
        // One that makes no difference beside the other, or takes it back, is needless.
        const needless = change === null || change === 0 || change === alone[one] || change === alone[two]
        together[one][two] = needless ? NEVER : change - both
      }
    }
    for (let one = 0; one < size; one++) {
      for (let two = one + 1; two < size; two++) {
        const [lower, higher] = [low[one] & low[two], high[one] & high[two]]
        if ((!lower && !higher) || Number.isNaN(together[one][two])) continue
        let besides = null
        for (let three = two + 1; three < size; three++) {
          if (!(lower & low[three]) && !(higher & high[three])) continue
          const pairs = together[one][two] + together[one][three] + together[two][three]
          if (Number.isNaN(pairs)) continue
          const change = totals.change(made[one], made[two], made[three])
          const more = change === null ? NEVER : change - alone[one] - alone[two] - alone[three] - pairs
          if (more === 0) continue
          besides ??= new Float64Array(size)
          besides[three] = more
        }
        if (besides) allThree.set(one * size + two, besides)
      }
    }
    const found = {
      models: group.map((each) => each.name),
      classes: names,
      total: totals.right,
      mistakes: made.map((each) => each.name),
      alone,
      together,
      allThree,
      reached: new Uint8Array(HASHES / 8 + 1),
    }
    eachTotal(found, limits.most_mistakes, (number) => {
      if (number >= 0) found.reached[(number % HASHES) >> 3] |= 1 << (number % HASHES & 7)
    })
    return found
  }

  // Each space keeps one bit for each remainder that its totals leave, so that
  // a search passes over nearly all spaces that do not hold its number.
  const HASHES = 262_139
  const mayReach = (each, number) => each.reached[(number % HASHES) >> 3] & (1 << (number % HASHES & 7))

  // Every total with the places of the mistakes that lead to it, the right one first.
  function eachTotal({ total, alone, together, allThree }, most, visit) {
    const size = alone.length
    visit(total)
    for (let one = 0; most > 0 && one < size; one++) visit(total + alone[one], one)
    for (let one = 0; most > 1 && one < size; one++) {
      for (let two = one + 1; two < size; two++) {
        const both = total + alone[one] + alone[two] + together[one][two]
        if (Number.isNaN(both)) continue
        visit(both, one, two)
        const besides = allThree.get(one * size + two) ?? NOTHING
        for (let three = two + 1; three < size; three++) {
          const change = alone[three] + together[one][three] + together[two][three] + besides[three]
          visit(both + change, one, two, three)
        }
      }
    }
  }

  const modelGroups = lazily(() => grouped(models.values(), (model) => Object.values(model.sizes)))
  const unbuilt = lazily(() => modelGroups().flatMap((group) => classGroups().map((alike) => [group, alike])))
  const built = []

  // One more space is worked out; whether any is left.
  function buildOne() {
    if (built.length < unbuilt().length) built.push(space(...unbuilt()[built.length]))
    return built.length < unbuilt().length
  }

  function spaces() {
    while (buildOne());
    return built
  }

  // Everything that leads to a number from `low` to `high`, with at most so many mistakes.
  function search(low, high, most, model) {
    const found = []
    for (const each of spaces()) {
      if ((model && !each.models.includes(model)) || (low === high && !mayReach(each, low))) continue
      eachTotal(each, most, (number, ...places) => {
        if (!(number >= low && number <= high)) return
        const made = places.map((place) => each.mistakes[place])
        found.push({ number, models: each.models, classes: each.classes, mistakes: made })
      })
    }
    return found
  }

  // --- Explanations ---------------------------------------------------------

  const EMPTY = {
    kind: "", number: 0, cost: 0, models: [], classes: [], mistakes: [], parts: [], labels: 0, dtype: "", unit: 1,
    rest: 0, rest_parts: [], rest_rows: 0, printed_in: [],
  }

  const least = (numbers) => (numbers.length ? Math.min(...numbers) : 0)

  function costOf(ofModels, ofClasses, made) {
    const likeliest = least(ofModels.map((name) => costs.groups[models.get(name).group]))
    const chosen = least(ofClasses.map((name) => costs.classes[name]))
    return made.reduce((sum, name) => sum + mistakes.get(name).usual + 1, likeliest + chosen)
  }

  const asTotal = (found) => ({
    ...EMPTY, kind: "total", ...found, cost: costOf(found.models, found.classes, found.mistakes),
  })

  const known = lazily(() =>
    table.explanations.known.map((each) => ({
      ...EMPTY,
      kind: "total",
      number: engine.count(each.class, models.get(each.model).sizes, { mistakes: each.mistakes }),
      cost: costs.ways.known,
      models: [each.model],
      classes: [each.class],
      mistakes: each.mistakes,
      printed_in: each.printed_in,
    })),
  )

  const knownWithin = (low, high) => known().filter((each) => each.number >= low && each.number <= high)

  const holdsFor = (model) => (each) => !model || each.models.includes(model)

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

  // Formulas that are taken for the whole.
  function* insteadOf(number) {
    for (const model of models.values()) {
      for (const each of mistakes.values()) {
        if (each.instead && number === engine.added(each, model.sizes)) {
          yield asTotal({ number, models: [model.name], classes: [], mistakes: [each.name] })
        }
      }
    }
  }

  // Every part of every model with its count, right and with each mistake that multiplies it, by count.
  const partIndex = lazily(() => {
    const multiplying = [...mistakes.values()].filter(
      (each) => !["0", "1"].includes(each.factor) && each.part + each.tag,
    )
    const wrongly = table.explanations.parts.map((part) => {
      const rows = engine.select(part.class, part.path, part.tag)
      const made = multiplying.filter(
        (each) =>
          !part.share && each.madeIn(part.class) && rows.some(each.touches) &&
          !(each.factor.includes("L") && part.path.includes("layer_0")),
      )
      return { part, made }
    })
    const index = new Map()
    const add = (number, entry) => {
      if (!index.has(number)) index.set(number, [])
      index.get(number).push(entry)
    }
    for (const model of models.values()) {
      for (const { part, made } of wrongly) {
        const asked = { path: part.path, tag: part.tag }
        const right = engine.count(part.class, model.sizes, asked)
        const shared = part.share ? Math.floor(right / model.sizes.A) : right
        add(shared, { model: model.name, part, mistakes: [] })
        for (const each of made) {
          const wrong = engine.count(part.class, model.sizes, { ...asked, mistakes: [each.name] })
          if (wrong !== null && wrong !== right) add(wrong, { model: model.name, part, mistakes: [each.name] })
        }
      }
    }
    return index
  })

  const inOrder = (one, other) => (one < other ? -1 : one > other ? 1 : 0)

  // The parts that have this count: of each model, all of them together.
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

  // The models that have so many tensors.
  function* ofTensors(number) {
    for (const model of models.values()) {
      for (const name of classes.keys()) {
        if (engine.tensors(name, model.sizes) === number) {
          const cost = costs.ways.tensors + costOf([model.name], [name], [])
          yield { ...EMPTY, kind: "tensors", number, cost, models: [model.name], classes: [name] }
        }
      }
    }
  }

  // Classification heads with so many labels that the total is this.
  function* ofLabels(number) {
    for (const { name, sizes } of models.values()) {
      for (const modelClass of ["BertForSequenceClassification", "BertForTokenClassification"]) {
        const without = engine.count(modelClass, { ...sizes, C: 1 }) - sizes.H - 1
        const labels = (number - without) / (sizes.H + 1)
        if (!Number.isInteger(labels) || labels <= 0 || labels > limits.most_labels || labels === sizes.C) continue
        const way = costs.ways[labels > limits.many_labels ? "many-labels" : "labels"]
        const cost = way + costOf([name], [modelClass], [])
        yield { ...EMPTY, kind: "labels", number, cost, models: [name], classes: [modelClass], labels }
      }
    }
  }

  // Totals that take so many bytes; also where a power of two is called by the name of a power of ten.
  function ofMemory(asked, model) {
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

  function nearest(number, found) {
    const distance = (each) => Math.abs(number - each.number)
    const farthest = Float64Array.from(found, distance).sort()[limits.most_near - 1] ?? Infinity
    const close = found.filter((each) => distance(each) <= farthest)
    return close.sort((one, other) => distance(one) - distance(other)).slice(0, limits.most_near)
  }

  // The nearest totals, with what is left over.
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

  const distinct = (lists) => [...new Set(lists.flat())]
  const same = (one, other) => one.length === other.length && one.every((each, place) => each === other[place])

  // Explanations that differ only in model, class or who prints them as one.
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

  // Every way to a number, the likeliest first; null where the text holds no number.
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

  // A little of what every answer needs is worked out; whether any is left.
  function prepare() {
    return buildOne() || !partIndex()
  }

  bertCounted.explain = explain
  bertCounted.read = read
  bertCounted.bounds = bounds
  bertCounted.prepare = prepare
}
