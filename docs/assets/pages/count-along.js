// Counting along: a whole model as a ledger with a field beside each part. The
// first field that does not agree is marked and explained; the rest waits. What
// is right fills its block of the map. The model and the class stand in the
// address, and the browser keeps what was typed.

import exercises from "../../data/exercises.js"
import table from "../../data/table.js"
import { classes, models as everyModel, sumBy, whole } from "../counting/engine.js"
import { html } from "../drawing/html.js"
import { isThin, mark, rectangle, tiles, WHOLE } from "../drawing/levels.js"
import { given } from "../exercises/exercise.js"
import { judged } from "../exercises/judge.js"
import { answerTo } from "../exercises/letter-sums.js"
import { load, save } from "../exercises/storage.js"
import { wrongAnswers } from "../exercises/wrong.js"
import { readWith } from "../explaining/letters.js"

const { asks, texts, totals } = exercises
// Where the exercises are embedded, there is none.
const place = /** @type {HTMLElement | null} */ (document.querySelector("#ledger"))
const BERT = table.models[0].architecture
const published = table.models.filter(({ architecture, page }) => architecture === BERT && page)

/** @typedef {{ label: string, ask: Ask, block: string, model: Model, right: number }} Entry  a part of the ledger, with its answer */

/** The parts that a class has, and the whole. @param {Model} model @param {Exercises["totals"][number]} total @returns {Entry[]} */
function entriesOf(model, total) {
  const parts = total.parts.map(([place, block]) => ({ ask: asks[place], block, label: asks[place].words }))
  const all = { ask: asks[total.ask], block: "", label: `the whole of ${asks[total.ask].class}` }
  return [...parts, all].map((each) => ({ ...each, model, right: answerTo(each.ask, model.sizes) }))
}

/** What is said to a number. @param {Entry} entry @param {string} typed @returns {Verdict} */
function explained({ label, ask, model, right }, typed) {
  const { kind, says } = judged(typed, right, "parameters", wrongAnswers(ask, model), model.sizes)
  if (kind !== "unknown" && kind !== "slip") return { kind, says }
  const number = readWith(typed, model.sizes)?.low
  const other = fields.find(({ entry }) => entry.right === number)?.entry
  if (other) return { kind, says: `${whole(other.right)} belongs to another field: ${other.label}.` }
  if (kind === "slip") return { kind, says }
  const field = `This field is for ${label}. ${ask.step && `${ask.step} `}In letters: ${ask.formula}.`
  return { kind, says: `${says || texts.unknown} ${field}` }
}

// --- The map, which fills ---------------------------------------------------------

const KEPT = "bert-counted: counted along"

/** The model as areas to scale, each with the place of the field that fills it.
 * @param {Entry[]} entries @param {Model} model @param {Exercises["totals"][number]} total */
function picture(entries, { sizes, title }, { columns, layers }) {
  const pieces = columns.map(({ parts }) => parts.map((place) => ({ each: entries[place].right, times: 1, most: 1 })))
  const shares = columns.map(({ times }, column) => {
    return { each: sumBy(pieces[column], ({ each }) => each), times: sizes[times] ?? 1, most: 4 }
  })
  const drawn = tiles("columns", shares, WHOLE).flatMap((areas, column) =>
    areas.flatMap((area, order) =>
      tiles("rows", pieces[column], area).map(([tile], row) => {
        const place = columns[column].parts[row]
        const thin = pieces[column].length === 1 && isThin(tile) ? mark(tile) : ""
        return `<g class="bc-${entries[place].block} bc-yet" data-field="${order ? layers : place}">${rectangle(tile)}${thin}</g>`
      }),
    ),
  )
  const found = html`<figure class="bc-figure"><svg class="bc-map" role="img" aria-label="${title}"></svg>
    <figcaption>${table.phrases["to-scale"]}; what you have counted is filled.</figcaption></figure>`
  if (found.firstElementChild) found.firstElementChild.innerHTML = drawn.join("")
  return found
}

// --- The page -------------------------------------------------------------------

/** A choice that the address names. @param {string} key  in the address @param {HTMLOptionElement[]} options */
function choice(key, options) {
  const select = /** @type {HTMLSelectElement} */ (html`<select id="ledger-${key}">${options}</select>`)
  const address = () => new URLSearchParams(location.search)
  const asked = address().get(key)
  if (options.some(({ value }) => value === asked)) select.value = asked ?? ""
  select.addEventListener("change", () => {
    const chosen = address()
    chosen.set(key, select.value)
    history.replaceState(history.state, "", `?${chosen}${location.hash}`)
    build()
  })
  return select
}
const everyTitle = published.map(({ name, title }) => new Option(title, name))
const everyPurpose = totals.map(({ ask }) => {
  const { name, purpose } = classes.get(asks[ask].class)
  return new Option(`${name} (${purpose})`, name)
})
const [models, choices] = [choice("model", everyTitle), choice("class", everyPurpose)]
const sizes = html`<p class="bc-given"></p>`
const rows = html`<ol class="bc-ledger"></ol>`
const status = html`<p class="bc-status" role="status"></p>`
const map = html`<div class="bc-along"></div>`
const again = html`<button type="button" class="bc-button">Empty all fields</button>`

/** Fields and the places of what is said, in the order of the ledger. @type {{ entry: Entry, input: HTMLInputElement, says: HTMLElement, row: HTMLElement }[]} */
let fields = []

function build() {
  const model = everyModel.get(models.value)
  const total = totals[choices.selectedIndex]
  const entries = entriesOf(model, total)
  sizes.textContent = given(model.sizes, asks[total.ask])
  fields = entries.map((entry, at) => {
    const row = html`<li><label for="ledger-${at}">${entry.label}</label>
      <input id="ledger-${at}" type="text" autocomplete="off" spellcheck="false" aria-describedby="ledger-${at}-says">
      <p class="bc-says" id="ledger-${at}-says"></p></li>`
    const [, input, says] = row.children
    return { entry, input: /** @type {HTMLInputElement} */ (input), says: /** @type {HTMLElement} */ (says), row }
  })
  rows.replaceChildren(...fields.map(({ row }) => row))
  map.replaceChildren(picture(entries, model, total))
  fill()
}

const nameOf = () => `${models.value} ${choices.value}`

/** What is kept of the fields, in their order. @param {Record<string, unknown>} kept @returns {unknown[]} */
function typedBefore(kept) {
  const typed = kept[nameOf()]
  return Array.isArray(typed) ? typed : []
}

/** Put what is kept into the fields, but for the one that is being typed in. */
function fill() {
  const typed = typedBefore(load(KEPT))
  for (const [at, { input }] of fields.entries())
    if (input !== document.activeElement) input.value = String(typed[at] ?? "")
  judgeAll()
}
/** What was typed is kept by model and class, field by field: another tab may have more of it, which stays.
 * @param {(at: number) => boolean} isTyped  whether a field was typed in here */
function keep(isTyped) {
  const kept = load(KEPT)
  const before = typedBefore(kept)
  const after = fields.map(({ input }, at) => (isTyped(at) ? input.value : String(before[at] ?? "")))
  save(KEPT, { ...kept, [nameOf()]: after })
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
    input.ariaInvalid = verdict && !isRight ? "true" : null
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

rows.addEventListener("input", ({ target }) => keep((at) => fields[at].input === target))
rows.addEventListener("change", judgeAll)
rows.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.isComposing) return
  event.preventDefault()
  judgeAll()
  const at = fields.findIndex(({ input }) => input === event.target)
  if (fields[at]?.row.dataset.state === "right") fields[at + 1]?.input.focus()
})
again.addEventListener("click", () => {
  for (const { input } of fields) input.value = ""
  keep(() => true)
  judgeAll()
  fields[0].input.focus()
})

// Another tab has kept something.
addEventListener("storage", ({ key }) => key === KEPT && fill())

build()
place?.replaceChildren(
  html`<div class="bc-question"><p class="bc-field"><label for="ledger-model">Model</label>${models}</p>
    <p class="bc-field"><label for="ledger-class">Class</label>${choices}</p></div>`,
  ...[sizes, map, rows, status, html`<p class="bc-buttons">${again}</p>`],
)
place?.setAttribute("data-needs-scripts", "")
