// Configurations side by side: what stands in the fields, and up to two that
// were kept, with their sizes, parts and totals, to one scale.

import table from "../../data/table.js"
import { code, element } from "../answering/elements.js"
import { count, offered, shareOf } from "../counting/changes.js"
import { models, whole } from "../counting/engine.js"
import { button, modelSelect, place, styleOf } from "./live.js"
import { inUnits } from "./memory.js"
import { differences, evaluated, MOST_BESIDE, stateOf } from "./state.js"

const { symbols } = table
const keep = button("Keep this one beside what I type next", () => {})
const select = modelSelect("compare-with", element("option", { value: "" }, "a published model …"))
const shownBeside = element("div", { class: "bc-beside" })
const controls = element(
  "div",
  { class: "bc-controls" },
  keep,
  element("p", { class: "bc-choice" }, element("label", { for: "compare-with" }, "or put beside it "), select),
)
place("compare-place").append(controls, shownBeside)

/** @param {Typed} typed */
const titleOf = (typed) => models.get(typed.model).title
/** @param {Typed} typed  what makes it another than the published model, in a line */
const differing = (typed) =>
  differences(typed)
    .slice(1)
    .filter(([name]) => name !== "class")
    .map(([name, value]) => `${name} = ${value}`)
    .join(", ")

/** @param {(typed: Typed, key: string) => void} changed @param {() => Typed} current @param {number} order */
const remover = (changed, current, order) =>
  button("Remove", () => {
    const typed = current()
    changed({ ...typed, beside: typed.beside.filter((_, place) => place !== order) }, "beside")
    keep.focus()
  })

/** @type {{ current: () => Typed, changed: (typed: Typed, key: string) => void }} */
let page

/** The parts of one as a bar, so long as it is among the others. @param {Counted} counted @param {number} most */
function bar({ parts }, most) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg")
  svg.setAttribute("class", "bc-bars bc-side")
  svg.setAttribute("aria-hidden", "true")
  let at = 0
  for (const part of parts) {
    const wide = 100 * shareOf(part.number, most)
    const piece = document.createElementNS(svg.namespaceURI, "rect")
    for (const [name, value] of Object.entries({
      x: `${at.toFixed(4)}%`,
      width: `${wide.toFixed(4)}%`,
      height: "100%",
      class: styleOf(part.block),
    }))
      piece.setAttribute(name, value)
    svg.append(piece)
    at += wide
  }
  return svg
}

let before = ""

/** @param {Shown} shown */
function show({ typed, configuration, counted }) {
  const key = JSON.stringify([typed, typed.beside.length ? String(counted.total) : ""])
  keep.disabled = select.disabled = typed.beside.length >= MOST_BESIDE
  if (key === before) return
  before = key
  if (!typed.beside.length) return shownBeside.replaceChildren()
  const columns = [
    { typed, configuration, counted },
    ...typed.beside.map((each) => {
      const found = /** @type {Configuration} */ (evaluated(each).configuration)
      return { typed: each, configuration: found, counted: count(found) }
    }),
  ]
  const most = Math.max(1, ...columns.map((each) => each.counted.total))
  /** @param {string} name @param {(each: typeof columns[number]) => Content | Content[]} content @param {string} [style] */
  const row = (name, content, style = "") => {
    const cells = columns.map((each) => element("td", { class: "bc-num" }, [content(each)].flat()))
    return element("tr", style ? { class: style } : {}, element("th", { scope: "row", class: "bc-text" }, name), cells)
  }
  /** @param {string} name @param {(each: typeof columns[number]) => number | undefined} of */
  const numbers = (name, of, style = "") => {
    const values = columns.map(of)
    const same = values.every((each) => each === values[0])
    return row(
      name,
      (each) => {
        const value = of(each)
        return value === undefined ? "none" : whole(value)
      },
      `${style} ${same ? "bc-same-in-all" : ""}`.trim(),
    )
  }
  const letters = symbols
    .map((each) => each.letter)
    .filter((letter) =>
      columns.some(
        (each) => letter in each.configuration.sizes && (letter !== "C" || offered(each.configuration).labels),
      ),
    )
  const titles = new Map(columns.flatMap((each) => each.counted.parts.map((part) => [part.block, part.title])))
  const table = element(
    "table",
    { class: `bc bc-${columns.length} bc-compared` },
    element(
      "caption",
      { id: "beside-caption" },
      element("span", { class: "bc-caption" }, "Side by side; bars are to one scale"),
    ),
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        element("td", { class: "bc-corner" }),
        columns.map((each, order) =>
          element(
            "th",
            { scope: "col", class: "bc-num" },
            element(
              "span",
              { class: "bc-title" },
              order ? titleOf(each.typed) : `What you type: ${titleOf(each.typed)}`,
            ),
            element("span", { class: "bc-what" }, differing(each.typed)),
            element("span", { class: "bc-what" }, code(each.configuration.modelClass)),
            ...(order ? [remover(page.changed, page.current, order - 1)] : []),
          ),
        ),
      ),
    ),
    element(
      "tbody",
      {},
      numbers("parameters", (each) => each.counted.total, "bc-totalled"),
      row("to scale", (each) => bar(each.counted, most), "bc-row-of-bars"),
      numbers("trainable", (each) => each.counted.trainable),
      letters.map((letter) => numbers(letter, (each) => each.configuration.sizes[letter])),
      [...titles].map(([block, title]) =>
        numbers(title, (each) => each.counted.parts.find((part) => part.block === block)?.number ?? 0),
      ),
      row("weights in float32", (each) => inUnits(each.counted.bytes.float32.weights)),
    ),
  )
  shownBeside.replaceChildren(
    element("div", { class: "bc-scroll", role: "region", "aria-labelledby": "beside-caption", tabindex: "0" }, table),
  )
}

/** @type {Listen} */
export function listen(current, changed) {
  page = { current, changed }
  /** @param {Typed} other */
  const add = (other) => {
    const typed = current()
    changed({ ...typed, beside: [...typed.beside, { ...other, beside: [], to: "" }].slice(0, MOST_BESIDE) }, "beside")
  }
  keep.addEventListener("click", () => evaluated(current()).configuration && add(current()))
  select.addEventListener("change", () => {
    if (models.has(select.value)) add(stateOf(select.value))
    select.value = ""
  })
}

/** @type {Panel} */
export const panel = { show, place: place("compare-place") }
