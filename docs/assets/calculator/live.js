// Live elements: tables and texts that stay where they are while their
// contents change, and are touched only where they do. Whatever comes from a
// reader only ever becomes text.

import { element, tableOf } from "../answering/elements.js"

/** An element that is on the page. @param {string} name */
export const place = (name) => /** @type {HTMLElement} */ (document.getElementById(name))
/** A form that is on the page, and what gives a field of it by its name. @param {string} name */
export function formAt(name) {
  const form = /** @type {HTMLFormElement} */ (place(name))
  /** @param {string} field */
  const fieldOf = (field) => /** @type {HTMLInputElement} */ (form.elements.namedItem(field))
  return { form, fieldOf }
}

/** A field in which one of the published models is chosen, in the groups of the form. @param {string} name */
export function modelSelect(name) {
  const select = /** @type {HTMLSelectElement} */ (place(name))
  select.append(...[...place("calculator-model").children].map((each) => each.cloneNode(true)))
  return select
}

/** A place, and what shows something anew in it. @param {string} name @param {Panel["show"]} show @returns {Panel} */
export const panel = (name, show) => ({ place: place(name), show })

/** Give an element other text, if it is other. @param {Element} where @param {string} text */
export function say(where, text) {
  if (where.textContent !== text) where.textContent = text
}

/** Give a field another text or choice; what a reader is typing is left alone. @param {HTMLInputElement | HTMLSelectElement} field @param {string} text */
export function hold(field, text) {
  if (field.value !== text) field.value = text
}

/** A cell that is more than text: what makes it anew once its key is another.
 * @param {string} key @param {() => Content[]} make @returns {Cell} */
export const cell = (key, make) => ({ key, make })

/** @param {Element} row @param {Cell[]} cells */
function fill(row, cells) {
  cells.forEach((content, order) => {
    const where = /** @type {HTMLElement & { shownKey?: string }} */ (row.children[order])
    const key = typeof content === "string" ? content : content.key
    if (where.shownKey === key) return
    where.shownKey = key
    if (typeof content === "string") where.textContent = content
    else where.replaceChildren(...content.make())
  })
}

/** A table at the end of a panel, whose rows are given anew at every change, each with a name that it keeps.
 * @param {string} panel @param {Record<string, Column[1]>} columns  what stands in each, by its heading @param {string} [name] @returns {LiveTable} */
export function liveTable(panel, columns, name = panel) {
  const headings = Object.entries(columns)
  const made = tableOf(`calculator-${name}`, "", headings, [], Array(headings.length).fill(""))
  place(`${panel}-place`).append(made)
  const table = /** @type {HTMLTableElement} */ (made.querySelector("table"))
  const foot = /** @type {HTMLTableSectionElement} */ (table.tFoot)
  const blank = foot.rows[0].cloneNode(true)
  /** @type {Map<string, HTMLTableRowElement>} */
  const known = new Map()
  let order = ""

  /** @param {string} name */
  function rowOf(name) {
    const row = known.get(name) ?? /** @type {HTMLTableRowElement} */ (blank.cloneNode(true))
    known.set(name, row)
    row.dataset.row = name
    return row
  }

  return {
    element: made,
    show(caption, rows, last) {
      say(/** @type {Element} */ (table.querySelector(".bc-caption")), caption)
      const wanted = rows.map(([name]) => name).join("\n")
      if (wanted !== order) table.tBodies[0].replaceChildren(...rows.map(([name]) => rowOf(name)))
      order = wanted
      for (const [name, cells] of rows) fill(rowOf(name), cells)
      foot.hidden = !last
      if (last) fill(foot.rows[0], last)
    },
    rowOf: (name) => known.get(name) ?? null,
  }
}

/** A button that does something. @param {string} text @param {() => void} act */
export function button(text, act) {
  const made = /** @type {HTMLButtonElement} */ (element("button", { type: "button", class: "bc-button" }, text))
  made.addEventListener("click", act)
  return made
}

// Named in full, so that publishing keeps what the style sheet says of them.
const COLOURED = new Set(
  (
    "bc-embeddings bc-self-attention bc-cross-attention bc-feed-forward bc-encoder-norms bc-pooler bc-mlm-head " +
    "bc-nsp-head bc-task-head bc-lora bc-copied-head bc-layer"
  ).split(" "),
)
/** The class that gives a block its colours; none for what has no colour of its own. @param {string} block */
export const styleOf = (block) => (COLOURED.has(`bc-${block}`) ? `bc-${block}` : "bc-total")
/** The colour of a block before its name. @param {string} block */
export const swatch = (block) => element("span", { class: `bc-key ${styleOf(block)}` })
/** What explains what stands above it. @param {Content[]} content */
export const what = (...content) => element("span", { class: "bc-what" }, content)

/** A part of a whole in per cent, with one decimal; what is less than that as such, as on all pages. @param {number} share */
export const percentage = (share) => (share > 0 && share < 0.0005 ? "under 0.1%" : `${(100 * share).toFixed(1)}%`)
