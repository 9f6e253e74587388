"use strict"
// Every total: what all models give in all their classes, rightly and with
// some deviations, found again by number. A set of deviations changes a total by
// the sum of what each does alone, plus a correction for every two, and every
// three, that touch the same row. So the corrections are worked out once, and
// trying a set is an addition.
{
  const { table, engine } = bertCounted
  const { limits } = table.explanations
  const { Counter, classes, deviations, models } = engine

  /** @template T @param {() => T} make */
  const lazily = (make) => {
    /** @type {T | undefined} */
    let made
    return () => (made ??= make())
  }

  /** @template T @param {Iterable<T>} items @param {(each: T) => unknown} key  items of one key together */
  function grouped(items, key) {
    /** @type {Map<string, T[]>} */
    const groups = new Map()
    for (const each of items) {
      const name = JSON.stringify(key(each))
      const group = groups.get(name)
      if (group) group.push(each)
      else groups.set(name, [each])
    }
    return [...groups.values()]
  }

  // --- Models and classes that give the same ----------------------------------

  // Numbers of other architectures are not explained yet.
  const searched = [...models.values()].filter((each) => each.architecture === "bert")
  const modelGroups = lazily(() => grouped(searched, (model) => Object.values(model.sizes)))

  /** @typedef {{ deviation: Deviation, marks: [number, number] }} Marked  a deviation, and the rows that it changes */

  // The classes with rows of the same shapes and the same deviations together.
  const classGroups = lazily(() => {
    const { sizes } = searched[0]
    const counters = [...classes.values()].filter((each) => each.architecture === "bert")
      .map(({ name }) => ({ name, counter: new Counter(name, sizes) }))
    const alike = grouped(counters, ({ counter: { rows } }) => [
      rows.listed.map((row) => row.shape).sort(), rows.fitting.map((each) => each.name),
    ])
    return alike.map((group) => {
      const { rows } = group[0].counter
      const made = rows.fitting.filter((each) => !each.instead)
      return { names: group.map(({ name }) => name), made: made.map((each) => ({ deviation: each, marks: marks(each, rows) })) }
    })
  })

  /**
   * The rows that a deviation changes, as bits in two words; two without a bit
   * in common do not meet. A letter that is given another size stands for the
   * rows of that letter, and so does a letter in a factor or in what is added.
   * @param {Deviation} deviation
   * @param {Rows} rows
   * @returns {[number, number]}
   */
  function marks(deviation, rows) {
    const { letter } = deviation
    const marked = new Set(rows.touched.get(deviation))
    const letters = letter ? [letter] : deviation.shapes.flatMap(({ shape }) => shape)
    if (letter) {
      rows.places((row) => row.dimensions.includes(letter)).forEach((place) => marked.add(place))
      for (const other of rows.fitting) {
        const shared = other.above === letter || other.below === letter
        if (shared) rows.touched.get(other)?.forEach((place) => marked.add(place))
      }
    }
    table.symbols.forEach((each, place) => {
      if (letters.includes(each.letter)) marked.add(rows.listed.length + place)
    })
    /** @type {[number, number]} */
    const words = [0, 0]
    for (const place of marked) words[place >> 5] |= 1 << (place & 31)
    return words
  }

  // --- The totals of one model in one class -------------------------------------

  const NEVER = NaN // equals no number, and stays what it is whatever is added
  const NOTHING = new Float64Array(deviations.size)

  /**
   * What each deviation changes alone, and what two, and three, that touch the
   * same row change besides.
   * @param {Model[]} group
   * @param {{ names: string[], made: Marked[] }} alike
   * @returns {Space}
   */
  function space(group, { names, made: possible }) {
    const counter = new Counter(names[0], group[0].sizes)
    const total = counter.number([]) ?? NEVER
    /** @param {Marked[]} made  what these change together; null where they exclude each other or a share is not whole */
    const change = (...made) => {
      const letters = made.flatMap(({ deviation: { letter } }) => letter || [])
      const number = new Set(letters).size < letters.length ? null : counter.number(made.map((each) => each.deviation))
      return number === null ? null : number - total
    }
    const made = possible.filter((each) => change(each))
    const alone = Float64Array.from(made, (each) => change(each) ?? NEVER)
    const [low, high] = [0, 1].map((word) => Int32Array.from(made, (each) => each.marks[word]))
    const size = made.length
    const together = Array.from(made, () => new Float64Array(size))
    const allThree = new Map()
    for (let one = 0; one < size; one++) {
      for (let two = one + 1; two < size; two++) {
        const both = alone[one] + alone[two]
        const apart = !(low[one] & low[two]) && !(high[one] & high[two])
        const changed = apart ? both : change(made[one], made[two])
        // One that makes no difference beside the other, or takes it back, is needless.
        const needless = changed === null || [0, alone[one], alone[two]].includes(changed)
        together[one][two] = needless ? NEVER : changed - both
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
          const changed = change(made[one], made[two], made[three])
          const more = changed === null ? NEVER : changed - alone[one] - alone[two] - alone[three] - pairs
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
      total,
      deviations: made.map((each) => each.deviation.name),
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
  /** @param {Space} each @param {number} number */
  const mayReach = (each, number) => each.reached[(number % HASHES) >> 3] & (1 << (number % HASHES & 7))

  /**
   * Every total with the places of the deviations that lead to it, the right one first.
   * @param {Space} space
   * @param {number} most
   * @param {(number: number, ...places: number[]) => void} visit
   */
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

  // --- The search -----------------------------------------------------------------

  const unbuilt = lazily(() => modelGroups().flatMap((group) => classGroups().map((alike) => ({ group, alike }))))
  /** @type {Space[]} */
  const built = []

  /** One more space is worked out; whether any is left. */
  function buildOne() {
    if (built.length < unbuilt().length) {
      const { group, alike } = unbuilt()[built.length]
      built.push(space(group, alike))
    }
    return built.length < unbuilt().length
  }

  /**
   * Everything that leads to a number from `low` to `high`, with at most so many deviations.
   * @param {number} low
   * @param {number} high
   * @param {number} most
   * @param {string} model  the only model that is meant, or ""
   */
  function search(low, high, most, model) {
    /** @type {TotalFound[]} */
    const found = []
    while (buildOne());
    for (const each of built) {
      if ((model && !each.models.includes(model)) || (low === high && !mayReach(each, low))) continue
      eachTotal(each, most, (number, ...places) => {
        if (!(number >= low && number <= high)) return
        const made = places.map((place) => each.deviations[place])
        found.push({ number, models: each.models, classes: each.classes, mistakes: made })
      })
    }
    return found
  }

  bertCounted.totals = { buildOne, grouped, lazily, search, searched }
}
