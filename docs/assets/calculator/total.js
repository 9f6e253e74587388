"use strict"
// The total of the calculator, and what the last change did: which parts grew,
// by how much, and why.
{
  const { engine, live, calculator, elements } = bertCounted
  const { models, whole } = engine
  const { element, code } = elements
  const { place, percentage, shareOf } = live

  const result = place("calculator-result")
  const status = place("calculator-status")
  const REST = 800 // milliseconds without typing, after which the total is announced

  const total = element("p", { class: "bc-whole" })
  const of = element("p", { class: "bc-of" })
  const stale = element("p", { class: "bc-stale" })
  const trained = element("p", { class: "bc-trained" })
  const change = element("div", { class: "bc-change" })

  /** @param {bigint} value */
  const signed = (value) => (value > 0n ? `+${whole(value)}` : whole(value))
  /** @param {bigint} value */
  const parameters = (value) => `${whole(value)} ${value === 1n ? "parameter" : "parameters"}`

  /** What is counted, in a line. @param {Shown} shown @returns {Content[]} */
  function subject({ typed, configuration, counted }) {
    const { title, page } = models.get(typed.model)
    const differs = calculator.differences(typed).some(([name]) => !["model", "class"].includes(name))
    const name = elements.link(page, title)
    return [...(differs ? ["your sizes, starting from ", name] : [name]), ", as ", code(configuration.modelClass), counted.rows.length ? "" : " (no rows)"]
  }

  /** Parts that hold more or less than before, the greatest change first. @param {Counted} before @param {Counted} now */
  function moved(before, now) {
    const names = new Map([...before.parts, ...now.parts].map((each) => [each.block, each.title]))
    /** @param {Counted} of @param {string} block */
    const sizeOf = (of, block) => of.parts.find((each) => each.block === block)?.number ?? 0n
    return [...names]
      .map(([block, title]) => ({ block, title, value: sizeOf(now, block) - sizeOf(before, block) }))
      .filter(({ value }) => value)
      .sort((one, other) => Number(magnitude(other.value) - magnitude(one.value)))
  }
  /** @param {bigint} value */
  const magnitude = (value) => (value < 0n ? -value : value)

  /** Why a size changes what it changes. @param {string} letter @param {Shown} shown */
  function reasonOf(letter, { counted, configuration: { sizes } }) {
    if (letter === "A") {
      return `The ${whole(sizes.A)} heads share the H = ${whole(sizes.H)} columns of query, key and value: each takes H / A = ` +
        `${whole(sizes.H / sizes.A)} of them. However many heads there are, the matrices stay H × H.`
    }
    const held = counted.rows.filter((row) => !row.tied && row.letters.includes(letter))
    const depth = counted.rows.filter((row) => !row.tied && row.layers > 1n)
    if (letter === "L") {
      return `Every layer has the same ${whole(depth.length)} tensors, so L multiplies what one layer holds and touches nothing else.`
    }
    if (!held.length) return `No shape of this class holds the letter ${letter}.`
    const squared = held.some((row) => row.letters.filter((each) => each === letter).length > 1)
    const many = `${letter} is in the shape of ${whole(held.length)} of the ${whole(counted.rows.length)} rows`
    return squared ? `${many}, in some of them twice: these grow with its square.` : `${many}; each grows in proportion.`
  }

  /** From which text to which the reader changed what. @param {Change} each @param {Shown} shown */
  function subjectOf({ key, before }, { configuration: now }) {
    const letter = Object.hasOwn(now.sizes, key)
    const [old, here] = [before.configuration, now]
    if (letter) return `${key}: ${whole(old.sizes[key] ?? 0n)} → ${whole(here.sizes[key])}`
    if (key === "class") return `${old.modelClass} → ${here.modelClass}`
    return WORDS[key] ?? "This"
  }
  /** @type {Record<string, string>} */
  const WORDS = {
    pooler: "The pooler", tied: "Tying", cross_attention: "Cross-attention", biases: "The biases", vocabulary: "The vocabulary",
    frozen: "Freezing", lora: "LoRA", model: "Another model", more: "What-if",
  }

  /** What the last change did. @param {Shown} shown @returns {Content[]} */
  function changed(shown) {
    const { last, counted } = shown
    if (!last) return [element("p", {}, "Change a size, and this line says which parts grow, and why.")]
    const difference = counted.total - last.before.counted.total
    const what = subjectOf(last, shown)
    const letter = Object.hasOwn(shown.configuration.sizes, last.key) ? last.key : ""
    const reason = letter ? [element("p", { class: "bc-why" }, reasonOf(letter, shown))] : []
    const trainable = counted.trainable - last.before.counted.trainable
    if (!difference && trainable) {
      return [element("p", {}, element("b", {}, what), ` changes no total; ${trainable > 0n ? "more" : "fewer"} parameters are trained: `, element("b", {}, signed(trainable)), ".")]
    }
    if (!difference) return [element("p", {}, element("b", {}, what), " changes nothing."), ...reason]
    const parts = moved(last.before.counted, counted).map(({ block, title, value }) =>
      element("li", {}, element("span", { class: `bc-key bc-${block}` }), `${title} `, element("b", {}, signed(value))))
    return [element("p", {}, element("b", {}, what), ` ${difference > 0n ? "adds" : "takes away"} `, element("b", {}, parameters(magnitude(difference)))),
      element("ul", { class: "bc-legend" }, parts), ...reason]
  }

  let timer = 0
  /** Say the total once typing rests. @param {string} text */
  function announce(text) {
    clearTimeout(timer)
    timer = setTimeout(() => live.say(status, text), REST)
  }

  /** @param {Shown} shown */
  function show(shown) {
    const { counted, valid } = shown
    const digits = whole(counted.total)
    total.replaceChildren(element("span", { class: digits.length > 15 ? "bc-digits bc-long" : "bc-digits" }, digits), ` ${counted.total === 1n ? "parameter" : "parameters"}`)
    of.replaceChildren(...subject(shown))
    live.say(stale, valid ? "" : "These are the numbers of your last valid sizes.")
    const partly = counted.trainable !== counted.total
    live.say(trained, partly ? `${whole(counted.trainable)} of them are trainable, ${percentage(shareOf(counted.trainable, counted.total))}.` : "")
    result.classList.toggle("bc-is-stale", !valid)
    change.replaceChildren(...changed(shown))
    const spoken = `${parameters(counted.total)}${partly ? `, ${whole(counted.trainable)} trainable` : ""}`
    if (shown.last) announce(valid ? spoken : `${shown.errors[0]?.message ?? "A field is wrong"}. Still showing ${spoken}.`)
  }

  result.replaceChildren(total, of, trained, stale, change)
  calculator.panels.push(show)
  Object.assign(calculator, { signed })
}
