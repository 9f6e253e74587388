// Live elements: tables and texts that stay where they are while their
// contents change, and are touched only where they do. Whatever comes from a
// reader only ever becomes text.

import { element, tableOf } from "../answering/elements.js"

/** An element that is on the page. @param {string} name */
export const place = (name) => /** @type {HTMLElement} */ (document.getElementById(name))

/** Give an element other text, if it is other. @param {Element} where @param {string} text */
export function say(where, text) {
  if (where.textContent !== text) where.textContent = text
}

/** Give a field another text or choice; what a reader is typing is left alone. @param {HTMLInputElement | HTMLSelectElement} field @param {string} text */
export function hold(field, text) {
  if (field.value !== text) field.value = text
}

/** A field in which one of the published models is chosen, in the groups of the form. @param {string} id @param {HTMLElement[]} first */
export function modelSelect(id, ...first) {
  const models = [...place("calculator-model").children].map((each) => each.cloneNode(true))
  return /** @type {HTMLSelectElement} */ (element("select", { id }, first, models))
}

/** A cell that is more than text: what makes it anew once its key is another.
 * @param {string} key @param {() => Content[]} make @returns {Cell} */
export const cell = (key, make) => ({ key, make })

/** @param {HTMLElement & { shownKey?: string }} where @param {Cell} content */
function fill(where, content) {
  const key = typeof content === "string" ? content : content.key
  if (where.shownKey === key) return
  where.shownKey = key
  if (typeof content === "string") where.textContent = content
  else where.replaceChildren(...content.make())
}

/**
 * A table whose rows are given anew at every change, each with a name that it keeps.
 * @param {string} name  its id
 * @param {string} caption
 * @param {Column[]} columns
 * @returns {LiveTable}
 */
export function liveTable(name, caption, columns) {
  const made = tableOf(name, caption, columns, [])
  const table = /** @type {HTMLTableElement} */ (made.querySelector("table"))
  const [body] = table.tBodies
  const foot = table.createTFoot()
  /** @type {Map<string, HTMLElement[]>} */
  const known = new Map()
  let order = ""

  const blank = () =>
    columns.map(([, kind], place) =>
      element(place ? "td" : "th", { class: `bc-${kind}`, ...(place ? {} : { scope: "row" }) }),
    )

  /** @param {string} row */
  function cellsOf(row) {
    let cells = known.get(row)
    if (!cells) known.set(row, (cells = blank()))
    return cells
  }

  /** @param {LiveRow[]} rows */
  function arrange(rows) {
    const wanted = rows.map((each) => each.name).join("\n")
    if (wanted === order) return
    order = wanted
    body.replaceChildren(
      ...rows.map((each) => {
        const cells = cellsOf(each.name)
        const row = /** @type {HTMLTableRowElement} */ (cells[0].parentElement ?? element("tr", {}, cells))
        row.dataset.row = each.name
        return row
      }),
    )
  }

  const footCells = blank()
  foot.append(element("tr", {}, footCells))

  return {
    element: made,
    /** @param {LiveRow[]} rows @param {Cell[]} [last]  the row below them, which adds them up */
    show(rows, last) {
      arrange(rows)
      for (const each of rows) cellsOf(each.name).forEach((where, place) => fill(where, each.cells[place]))
      foot.hidden = !last
      last?.forEach((content, place) => fill(footCells[place], content))
    },
    rowOf: (row) => known.get(row)?.[0].parentElement ?? null,
    say: (text) => say(/** @type {Element} */ (table.querySelector(".bc-caption")), text),
  }
}

/** A button that does something. @param {string} text @param {() => void} act */
export function button(text, act) {
  const made = /** @type {HTMLButtonElement} */ (element("button", { type: "button", class: "bc-button" }, text))
  made.addEventListener("click", act)
  return made
}

// Named in full, so that publishing keeps what the style sheet says of them.
const COLOURED = [
  "bc-embeddings",
  "bc-self-attention",
  "bc-cross-attention",
  "bc-feed-forward",
  "bc-encoder-norms",
  "bc-pooler",
  "bc-mlm-head",
  "bc-nsp-head",
  "bc-task-head",
  "bc-lora",
  "bc-copied-head",
  "bc-layer",
]
/** The class that gives a block its colours; none for what has no colour of its own. @param {string} block */
export const styleOf = (block) => COLOURED.find((each) => each === `bc-${block}`) ?? "bc-total"
/** The colour of a block before its name. @param {string} block */
export const swatch = (block) => element("span", { class: `bc-key ${styleOf(block)}` })

/** A part of a whole in per cent, with one decimal; what is less than that as such, as on all pages. @param {number} share */
export function percentage(share) {
  if (share > 0 && share < 0.0005) return "under 0.1%"
  return `${(100 * share).toFixed(1)}%`
}
