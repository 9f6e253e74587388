"use strict"
// The page where readers type a number: reads the form and the address, and
// writes the answer. What a reader typed is only ever set as text.
{
  const { table, engine, explain, read, bridge, prepare } = bertCounted
  const { pages, sources } = table.explanations
  const { models, deviations, whole } = engine

  /** @typedef {HTMLFormElement & { n: HTMLInputElement, model: HTMLSelectElement }} Question  the form and its fields */
  const form = /** @type {Question} */ (document.querySelector("#question"))
  const answer = /** @type {HTMLElement} */ (document.querySelector("#answer"))
  const ROOT = "../" // the page stands one folder below the top
  const MOST_WAYS = 12
  const MOST_NAMES = 6

  // In all that follows, `each` is an explanation, `typed` what the reader
  // typed, and `chosen` the name of the model that the reader chose, or "".

  /** @typedef {string | Node} Content  what an element may hold */

  /**
   * An element with attributes and children; strings become text.
   * @param {string} name
   * @param {Record<string, string>} attributes
   * @param {(Content | Content[])[]} children
   */
  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name)
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
    made.append(...children.flat())
    return made
  }

  /** @param {number} value */
  const number = (value) => element("span", { class: "bc-count" }, whole(value))
  /** @param {number} value */
  const signed = (value) => (value > 0 ? `+${whole(value)}` : whole(value))
  /** @param {PageAddress} page @param {string} text */
  const link = (page, text) => element("a", { href: ROOT + page }, text)
  /** @param {string} text */
  const code = (text) => element("code", {}, text)

  /**
   * Words with commas between them and "and" before the last, cut where there are many.
   * @param {Content[]} items
   */
  function listed(items) {
    const shown = items.slice(0, items.length > MOST_NAMES + 1 ? MOST_NAMES : items.length)
    const more = items.length - shown.length
    const all = more ? [...shown, `${more} more`] : shown
    return all.flatMap((each, place) => [place ? (place < all.length - 1 ? ", " : " and ") : "", each])
  }

  // --- What an explanation says ----------------------------------------------

  /** @param {Explanation} each @param {string} chosen */
  const modelOf = (each, chosen) => models.get(each.models.includes(chosen) ? chosen : each.models[0])
  /** @param {Explanation} each */
  const classOf = (each) => each.classes[0] ?? "BertModel"
  /** @param {Explanation} each @param {string} chosen */
  const modelLink = (each, chosen) => link(modelOf(each, chosen).page, modelOf(each, chosen).title)
  /** @param {Explanation} each @param {string} chosen */
  const where = (each, chosen) => [modelLink(each, chosen), " (", code(classOf(each)), ")"]
  /** @param {Explanation} each */
  const done = (each) => each.mistakes.map((name) => `${deviations.get(name).title}.`).join(" ")
  /** @param {Explanation} each */
  const byConvention = (each) => each.mistakes.every((name) => deviations.get(name).kind === "convention")

  /** @type {Record<ExplanationKind, (each: Explanation, chosen: string) => Content[]>} */
  const SENTENCES = {
    total: (each, chosen) =>
      each.mistakes.length
        ? [number(each.number), " is the total of ", ...where(each, chosen),
          byConvention(each) ? " by another convention. " : ", wrongly counted. ", done(each)]
        : [number(each.number), " is the right total of ", ...where(each, chosen), "."],
    part: (each, chosen) => [
      number(each.number), " is the size of ", ...listed(each.parts.map((part) => link(part.page, part.words))),
      " of ", modelLink(each, chosen), each.mistakes.length ? ", wrongly counted. " : ".", done(each),
    ],
    tensors: (each, chosen) => [
      number(each.number), " counts the ", link(pages.tensors, "tensors"), " of ", ...where(each, chosen),
      ", and not its parameters.",
    ],
    labels: (each, chosen) => [
      number(each.number), " is the total of ", ...where(each, chosen), ", with ", whole(each.labels),
      each.labels === 1 ? " label." : " labels.",
    ],
    memory: (each, chosen) => [
      number(each.number / table.dtypes[each.dtype]), " parameters of ", ...where(each, chosen), " take ",
      whole(table.dtypes[each.dtype]), each.dtype === "int8" ? " byte each (" : " bytes each (", code(each.dtype), "): ",
      number(each.number), " bytes",
      each.unit > 1 ? [", ", link(pages.memory, "divided"), ` by ${whole(each.unit)}`] : "", ". ", done(each),
    ].flat(),
    near: (each, chosen) => [
      "The nearest total is ", number(each.number), ": ", ...where(each, chosen), ". ", done(each), done(each) && " ",
      `${whole(Math.abs(each.rest))} ${each.rest > 0 ? "are left over" : "are missing"}`, ...ofRest(each), ".",
    ],
  }

  /** @param {Explanation} each */
  function ofRest({ rest_parts: parts, rest_rows: rows }) {
    if (parts.length) return [", the size of ", ...listed(parts.map((part) => link(part.page, part.words)))]
    const count = Math.abs(rows)
    return rows ? [`, which is ${whole(count)} ${count === 1 ? "row" : "rows"} as wide as the hidden size`] : []
  }

  /** @param {Explanation} each @param {string} chosen */
  const sentence = (each, chosen) => SENTENCES[each.kind](each, chosen)

  /**
   * The same for the first answer, which lists parts below where there are several.
   * @param {Explanation} each
   * @param {string} chosen
   */
  const headline = (each, chosen) =>
    each.parts.length > 1
      ? [number(each.number), ` is the size of ${each.parts.length} parts of `, modelLink(each, chosen),
        each.mistakes.length ? ", wrongly counted. " : ":", done(each)]
      : sentence(each, chosen)

  /**
   * Other models and classes that give the same.
   * @param {Explanation} each
   * @param {string} chosen
   */
  function others(each, chosen) {
    const others = each.models.filter((name) => name !== modelOf(each, chosen).name)
    const also = [each.classes.slice(1), others].filter((names) => names.length).map((names) => listed(names.map(code)))
    return also.map((names) => element("p", {}, "The same holds for ", ...names, "."))
  }

  /**
   * The parts by their paths, which a list of tensors shows.
   * @param {Explanation} each
   */
  const paths = (each) =>
    each.parts.length
      ? [element("ul", {}, each.parts.map((part) => element("li", {}, link(part.page, part.words), ": ", pathOf(part))))]
      : []

  /** @param {Part} part */
  const pathOf = ({ path, tag }) =>
    element("span", {}, ...(path ? [code(path)] : []), ...(tag ? [path ? ", tag " : "tag ", code(tag)] : []))

  /** @param {Explanation} each */
  const printedIn = ({ printed_in: names }) =>
    names.length
      ? [element("p", {}, "It is printed in ", listed(names.map((name) => link(`${pages.claims}#${name}`, sources[name].title))), ".")]
      : []

  // --- Tables -------------------------------------------------------------------

  /** @typedef {[heading: string, kind: "text" | "num" | "prose"]} Column */

  /**
   * A table that scrolls where the page is narrow.
   * @param {string} name  its id
   * @param {string} caption
   * @param {Column[]} columns
   * @param {Content[][]} rows
   * @param {Content[]} [foot]
   */
  function tableOf(name, caption, columns, rows, foot) {
    /** @param {Content[]} row */
    const cells = (row) =>
      columns.map(([, kind], place) =>
        element(place ? "td" : "th", { class: `bc-${kind}`, ...(place ? {} : { scope: "row" }) }, row[place]),
      )
    const head = columns.map(([text, kind]) => element("th", { scope: "col", class: `bc-${kind}` }, text))
    const made = element(
      "table", { class: "bc" },
      element("caption", { id: `${name}-caption` }, element("span", { class: "bc-caption" }, caption)),
      element("thead", {}, element("tr", {}, head)),
      element("tbody", {}, rows.map((row) => element("tr", {}, cells(row)))),
      foot ? element("tfoot", {}, element("tr", {}, cells(foot))) : "",
    )
    const region = { class: "bc-scroll", role: "region", "aria-labelledby": `${name}-caption`, tabindex: "0" }
    return element("div", { class: "bc-table", id: name }, element("div", region, made))
  }

  /**
   * From the reader's number to the right total of the same model and class.
   * @param {Explanation} each
   * @param {string} chosen
   * @param {string} start  the number as the caption has it
   */
  function bridgeTable(each, chosen, start) {
    const { title, page, sizes } = modelOf(each, chosen)
    const total = engine.count({ modelClass: classOf(each), sizes }) ?? NaN
    const steps = bridge(classOf(each), sizes, each.mistakes)
    const rest = each.kind === "near" ? [["not explained", signed(-each.rest), "", ""]] : []
    const rows = steps.map((step) => {
      const { name, kind, title: what, why, effect } = deviations.get(step.deviation)
      return [effect ? link(`${pages[kind]}#${name}`, what) : what, signed(step.value), code(step.formula), why]
    })
    /** @type {Column[]} */
    const columns = [["what was done", "text"], ["to put it right", "num"], ["formula", "prose"], ["why", "prose"]]
    const caption = `From ${start} to the right total, step by step`
    const first = [each.kind === "near" ? "your number" : "counted so", whole(startOf(each)), "", ""]
    const foot = ["the right total", link(page, whole(total)), code(classOf(each)), title]
    return tableOf("bridge", caption, columns, [first, ...rest, ...rows], foot)
  }

  /** @param {Explanation} each */
  const startOf = (each) =>
    each.kind === "memory" ? each.number / table.dtypes[each.dtype] : each.kind === "near" ? each.number + each.rest : each.number

  /**
   * The right totals that a rounded number may stand for.
   * @param {Explanation[]} found
   * @param {string} typed
   */
  function roundedTable(found, typed) {
    const rows = found.slice(0, MOST_WAYS).map((each) => [
      element("span", {}, listed(each.models.map(code))), whole(each.number),
      element("span", {}, listed(each.classes.map(code))),
    ])
    /** @type {Column[]} */
    const columns = [["model", "text"], ["parameters", "num"], ["class", "text"]]
    const cut = found.length > rows.length ? `, the likeliest ${rows.length} of ${found.length}` : ""
    return tableOf("rounded", `Exact totals that round to ${typed}${cut}`, columns, rows)
  }

  // --- The answer -----------------------------------------------------------------

  /** @param {number} count */
  const otherWays = (count) => (count === 1 ? "One other way to this number" : `${whole(count)} other ways to this number`)

  /** @param {Explanation[]} found @param {string} chosen */
  function waysList(found, chosen) {
    if (!found.length) return []
    const items = found.slice(0, MOST_WAYS).map((each) => element("li", {}, sentence(each, chosen)))
    const more = found.length > MOST_WAYS ? [element("p", {}, `The likeliest ${MOST_WAYS} are shown.`)] : []
    const summary = element("summary", {}, otherWays(found.length))
    return [element("details", { class: "bc-ways-on" }, summary, element("ol", {}, items), ...more)]
  }

  /**
   * Whether a text means a single number.
   * @param {string} typed
   */
  const isExact = (typed) => Boolean(read(typed)?.exact)
  /** @param {Explanation} each */
  const isRight = (each) => !each.mistakes.length && (each.kind === "total" || each.kind === "memory")

  /** @param {string} typed @param {string} chosen */
  function answerTo(typed, chosen) {
    if (!typed.trim()) return [element("p", { class: "bc-answer" }, "Type a number first.")]
    const found = explain(typed, chosen)
    if (!found) return [refusal(typed)]
    const [first, ...rest] = found
    if (!first) return [nothing(typed, chosen)]
    const rounded = isExact(typed) || first.kind !== "total" ? [] : found.filter((each) => each.kind === "total" && isRight(each))
    const ways = rest.filter((each) => !rounded.includes(each))
    const exactly = first.kind === "near" ? [element("p", {}, "No way is known that gives ", cut(typed), " exactly.")] : []
    return [
      ...exactly,
      element("p", { class: "bc-answer" }, opening(first, typed), headline(first, chosen)),
      ...paths(first),
      ...printedIn(first),
      ...others(first, chosen),
      ...(bridges(first) ? [bridgeTable(first, chosen, whole(startOf(first)))] : []),
      ...(rounded.length > 1 ? [roundedTable(rounded, cut(typed))] : []),
      ...waysList(ways, chosen),
      element("p", {}, element("a", { href: addressOf(typed, chosen) }, "Link to this answer")),
    ]
  }

  /** @param {Explanation} each */
  const bridges = (each) => each.kind === "near" || (each.mistakes.length && ["total", "memory"].includes(each.kind))
  /** @param {Explanation} first @param {string} typed */
  const opening = (first, typed) => (isExact(typed) || first.kind === "near" ? "" : `${cut(typed)}: `)

  /**
   * What a reader typed, short enough to repeat.
   * @param {string} typed
   */
  const cut = (typed) => {
    const text = [...typed.trim()]
    return text.length > 60 ? `${text.slice(0, 57).join("")}...` : text.join("")
  }

  /** @param {string} typed */
  function refusal(typed) {
    const example = whole(engine.count({ modelClass: "BertModel", sizes: table.models[0].sizes }) ?? NaN)
    return element(
      "p", { class: "bc-answer" },
      `“${cut(typed)}” is not a number that can be looked up. Write digits, such as ${example}, and perhaps a unit, such as M or MiB.`,
    )
  }

  /** @param {string} typed @param {string} chosen */
  const nothing = (typed, chosen) =>
    element(
      "p", { class: "bc-answer" },
      `Nothing counted here gives ${cut(typed)}${chosen ? ` for ${models.get(chosen).title}` : ""}, right or wrong. `,
      "Perhaps a digit is missing, or the number is that of another model.",
    )

  /** @param {string} typed @param {string} chosen */
  function addressOf(typed, chosen) {
    const query = new URLSearchParams({ n: typed.trim(), ...(chosen && { model: chosen }) })
    return `?${query}`
  }

  // --- The form ---------------------------------------------------------------------

  const chosenModel = () => (models.has(form.model.value) ? form.model.value : "")

  function show() {
    const [typed, chosen] = [form.n.value, chosenModel()]
    answer.replaceChildren(...answerTo(typed, chosen))
    answer.removeAttribute("aria-busy")
  }

  // The first answer waits for all totals; the page says so before it counts.
  // What is no number needs none of them.
  let ready = false
  function ask() {
    if (ready || !read(form.n.value)) return show()
    answer.setAttribute("aria-busy", "true")
    answer.replaceChildren(element("p", {}, "Counting all totals…"))
    setTimeout(() => {
      while (prepare());
      ready = true
      show()
    })
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault()
    try {
      history.replaceState(null, "", addressOf(form.n.value, chosenModel()))
    } catch {
      // A page opened from a folder may keep its address.
    }
    ask()
  })
  form.model.addEventListener("change", () => form.n.value.trim() && form.requestSubmit())

  // Without scripts there is nothing to press.
  form.append(element("button", { class: "md-button md-button--primary", type: "submit" }, "Explain"))

  const query = new URLSearchParams(location.search)
  const [asked, model] = [query.get("n"), query.get("model")]
  if (model !== null) form.model.value = models.has(model) ? model : ""
  if (asked !== null) {
    form.n.value = asked
    ask()
  }

  // All totals are worked out while the reader types, a few at a time; who only reads pays nothing.
  const whenIdle = globalThis.requestIdleCallback ?? ((work) => setTimeout(work, 50))
  function prepareMore() {
    const end = performance.now() + 10
    while (!ready && performance.now() < end) ready = !prepare()
    if (!ready) whenIdle(prepareMore)
  }
  form.addEventListener("focusin", () => whenIdle(prepareMore), { once: true })
}
