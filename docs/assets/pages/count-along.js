// Counting along: a whole model as a ledger with a field beside each part. The
// first field that does not agree is marked and explained; the rest waits. What
// is right fills its block of the map. The model and the class stand in the
// address, and the browser keeps what was typed.

import exercises from "../../data/exercises.js"
import table from "../../data/table.js"
import { Counter, classes, models as everyModel, whole } from "../counting/engine.js"
import { html } from "../drawing/html.js"
import { isThin, mark, rectangle, tiles, WHOLE } from "../drawing/levels.js"
import { given } from "../exercises/exercise.js"
import { judged } from "../exercises/judge.js"
import { wrongAnswers } from "../exercises/wrong.js"
import { read } from "../explaining/read.js"

const { asks, ledger, totals } = exercises
// Where the exercises are embedded, there is none.
const place = /** @type {HTMLElement | null} */ (document.querySelector("#ledger"))
const BERT = table.models[0].architecture
const published = table.models.filter(({ architecture, page }) => architecture === BERT && page)

/** @typedef {{ label: string, ask: Ask, right: number, wrong: () => WrongAnswer[] }} Entry  a part of the ledger, with its answer */

/** The parts that a class has, and the whole. @param {Model} model @param {Ask} total @returns {Entry[]} */
function entriesOf({ sizes }, total) {
  const counter = new Counter(total.class, sizes)
  const present = ledger.map((each) => asks[each]).filter(({ part, tag }) => counter.rows.selected(part, tag).size)
  return [...present, total].map((ask) => {
    const { part, tag, words } = ask
    const right = counter.number([], part, tag) ?? NaN
    const asked = { modelClass: total.class, sizes, part, tag }
    const label = part ? words : `the whole of ${total.class}`
    return { label, ask, right, wrong: () => wrongAnswers(asked, ask, right) }
  })
}

/** What is said to a number. @param {Entry} entry @param {string} typed @returns {Verdict} */
function explained({ label, ask, right, wrong }, typed) {
  const { kind, says } = judged(typed, right, "parameters", wrong())
  if (kind !== "unknown" && kind !== "slip") return { kind, says }
  const number = read(typed)?.low
  const other = fields.find(({ entry }) => entry.right === number)?.entry
  if (other) return { kind, says: `${whole(other.right)} belongs to another field: ${other.label}.` }
  if (kind === "slip") return { kind, says }
  const field = `This field is for ${label}. ${ask.step && `${ask.step} `}In letters: ${ask.formula}.`
  return { kind, says: `We can't tell how you got that. ${field}` }
}

// --- The map, which fills ---------------------------------------------------------

const LAYER = "bert/encoder/layer_0"
const ALL_LAYERS = "bert/encoder"
const KEPT = "bert-counted: counted along"

/** The model as areas to scale, each with the place of the field that fills it.
 * @param {Entry[]} entries @param {Model} model @param {string} modelClass */
function picture(entries, { sizes, title }, modelClass) {
  const counter = new Counter(modelClass, sizes)
  const blocks = entries.slice(0, -1).map(({ ask: { part, tag }, right }, place) => {
    const [row] = counter.rows.selected(part, tag)
    return { part, place, style: row.block, each: right, times: 1, most: 1 }
  })
  /** @param {string} path */
  const under = (path) => blocks.filter(({ part }) => part.startsWith(`${path}/`))
  const all = blocks.findIndex(({ part }) => part === ALL_LAYERS)
  const ofLayer = under(LAYER)
  const tables = under("bert/embeddings")
  const once = blocks.filter(({ part }) => !part.startsWith(ALL_LAYERS) && !tables.some((each) => each.part === part))
  /** @param {typeof blocks} group */
  const sum = (group) => group.reduce((total, { each }) => total + each, 0)
  const layers = { each: sum(ofLayer), times: sizes.L, most: 4 }
  const columns = [{ each: sum(tables), times: 1, most: 1 }, layers, ...once]
  const [[embeddings], tilesOfLayers, ...others] = tiles("columns", columns, WHOLE)
  /** @param {typeof blocks} group @param {Tile} tile @param {number} [place] */
  const cut = (group, tile, place) =>
    tiles("rows", group, tile).map(([piece], order) => {
      const { style, place: own } = group[order]
      return `<g class="bc-${style} bc-yet" data-field="${place ?? own}">${rectangle(piece)}${group.length === 1 && isThin(piece) ? mark(piece) : ""}</g>`
    })
  const drawn = [
    ...cut(tables, embeddings),
    ...tilesOfLayers.flatMap((tile, order) => cut(ofLayer, tile, order ? all : undefined)),
    ...once.flatMap((block, order) => cut([block], others[order][0])),
  ]
  const found = html`<figure class="bc-figure"><svg class="bc-map" role="img" aria-label="${title}"></svg>
    <figcaption>Areas are to scale; what you have counted is filled.</figcaption></figure>`
  if (found.firstElementChild) found.firstElementChild.innerHTML = drawn.join("")
  return found
}

// --- The page -------------------------------------------------------------------

/** @param {string} id @param {[value: string, text: string][]} options */
const choice = (id, options) => {
  const listed = options.map(([value, text]) => new Option(text, value))
  return /** @type {HTMLSelectElement} */ (html`<select id="${id}">${listed}</select>`)
}
const models = choice(
  "ledger-model",
  published.map(({ name, title }) => [name, title]),
)
const choices = choice(
  "ledger-class",
  totals.map((each) => {
    const name = asks[each].class
    return [name, `${name} (${classes.get(name).purpose})`]
  }),
)
const sizes = html`<p class="bc-given"></p>`
const rows = html`<ol class="bc-ledger"></ol>`
const status = html`<p class="bc-status" role="status"></p>`
const map = html`<div class="bc-along"></div>`
const again = html`<button type="button" class="bc-button">Empty all fields</button>`

/** Fields and the places of what is said, in the order of the ledger. @type {{ entry: Entry, input: HTMLInputElement, says: HTMLElement, row: HTMLElement }[]} */
let fields = []

function build() {
  const model = everyModel.get(models.value)
  const total = asks[totals[choices.selectedIndex]]
  sizes.textContent = given(model.sizes, total)
  fields = entriesOf(model, total).map((entry, at) => {
    const row = html`<li><label for="ledger-${at}">${entry.label}</label>
      <input id="ledger-${at}" type="text" autocomplete="off" spellcheck="false" aria-describedby="ledger-${at}-says">
      <p class="bc-says" id="ledger-${at}-says"></p></li>`
    const [, input, says] = row.children
    return { entry, input: /** @type {HTMLInputElement} */ (input), says: /** @type {HTMLElement} */ (says), row }
  })
  rows.replaceChildren(...fields.map(({ row }) => row))
  map.replaceChildren(
    picture(
      fields.map(({ entry }) => entry),
      model,
      total.class,
    ),
  )
  const typed = kept()[nameOf()]
  if (!Array.isArray(typed)) return
  for (const [at, { input }] of fields.entries()) input.value = String(typed[at] ?? "")
  judgeAll()
}

const nameOf = () => `${models.value} ${choices.value}`
/** What was typed, by model and class. @returns {Record<string, unknown>} */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "{}") ?? {}
  } catch {
    return {} // The browser keeps nothing, or something else was kept under the name.
  }
}
function keep() {
  try {
    const typed = fields.map(({ input }) => input.value)
    localStorage.setItem(KEPT, JSON.stringify({ ...kept(), [nameOf()]: typed }))
  } catch {
    // It lasts as long as the page.
  }
}

/** Judge from the top, up to the first field that is empty or does not agree. */
function judgeAll() {
  let waiting = false
  let message = "Everything is right."
  for (const { entry, input, says, row } of fields) {
    const typed = input.value.trim()
    /** @type {Verdict | null} */
    const verdict = waiting || !typed ? null : explained(entry, typed)
    /** @type {boolean} */
    const isRight = verdict?.kind === "right"
    row.dataset.state = !verdict ? "" : isRight ? "right" : "wrong"
    input.toggleAttribute("aria-invalid", false)
    if (verdict && !isRight) input.setAttribute("aria-invalid", "true")
    const waits = waiting && typed ? "Not checked until the field above is right" : ""
    says.textContent = isRight ? "Right" : (verdict?.says ?? waits)
    if (!waiting && !isRight) message = verdict ? `${entry.label}: ${verdict.says}` : ""
    waiting ||= !isRight
  }
  status.textContent = message
  for (const block of map.querySelectorAll("[data-field]")) {
    const { row } = fields[Number(block.getAttribute("data-field"))]
    block.classList.toggle("bc-yet", row.dataset.state !== "right")
  }
}

rows.addEventListener("input", keep)
rows.addEventListener("change", judgeAll)
rows.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.isComposing) return
  event.preventDefault()
  judgeAll()
  const at = fields.findIndex(({ input }) => input === event.target)
  if (fields[at]?.row.dataset.state === "right") fields[at + 1]?.input.focus()
})
for (const select of [models, choices])
  select.addEventListener("change", () => {
    const address = new URLSearchParams(location.search)
    address.set("model", models.value)
    address.set("class", choices.value)
    history.replaceState(history.state, "", `?${address}${location.hash}`)
    build()
  })
again.addEventListener("click", () => {
  for (const { input } of fields) input.value = ""
  keep()
  judgeAll()
  fields[0].input.focus()
})

const address = new URLSearchParams(location.search)
for (const [key, select] of /** @type {const} */ ([
  ["model", models],
  ["class", choices],
])) {
  const asked = address.get(key) ?? ""
  if ([...select.options].some(({ value }) => value === asked)) select.value = asked
}
build()
place?.replaceChildren(
  html`<div class="bc-question"><p class="bc-field"><label for="ledger-model">Model</label>${models}</p>
    <p class="bc-field"><label for="ledger-class">Class</label>${choices}</p></div>`,
  ...[sizes, map, rows, status, html`<p class="bc-buttons">${again}</p>`],
)
place?.setAttribute("data-needs-scripts", "")
