// Counting along: a whole model as a ledger with a field beside each part. The
// first field that does not agree is marked and explained; the rest waits.

import exercises from "../../data/exercises.js"
import table from "../../data/table.js"
import { Counter, classes, models as everyModel, whole } from "../counting/engine.js"
import { html } from "../drawing/html.js"
import { given, piecesOf } from "../exercises/exercise.js"
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
    const label = part ? words : `${total.class}, all of it`
    return { label, ask, right, wrong: () => wrongAnswers(asked, ask, right) }
  })
}

/** What is said to a number. @param {Entry} entry @param {string} typed @returns {Verdict} */
function explained({ label, ask, right, wrong }, typed) {
  const { kind, says } = judged(typed, right, "parameters", wrong())
  if (kind !== "unknown" && kind !== "slip") return { kind, says }
  const number = read(typed)?.low
  const other = fields.find(({ entry }) => entry.right === number)?.entry
  if (other) return { kind, says: `${whole(other.right)} is the number of another part: ${other.label}.` }
  if (kind === "slip") return { kind, says }
  const pieces = piecesOf(ask)
  const made = pieces.every((each) => label.includes(each)) ? "" : `, made of: ${pieces.join("; ")}`
  const field = `This field is for ${label}${made}. In letters: ${ask.formula}.`
  return { kind, says: `Nothing we know of leads to this number. ${field}` }
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
}

/** Judge from the top, up to the first field that is empty or does not agree. */
function judgeAll() {
  let waiting = false
  let message = "All of it is right."
  for (const { entry, input, says, row } of fields) {
    const typed = input.value.trim()
    /** @type {Verdict | null} */
    const verdict = waiting || !typed ? null : explained(entry, typed)
    /** @type {boolean} */
    const isRight = verdict?.kind === "right"
    row.dataset.state = !verdict ? "" : isRight ? "right" : "wrong"
    input.toggleAttribute("aria-invalid", false)
    if (verdict && !isRight) input.setAttribute("aria-invalid", "true")
    const waits = waiting && typed ? "Waits for the field above" : ""
    says.textContent = isRight ? "Right" : (verdict?.says ?? waits)
    if (!waiting && !isRight) message = verdict ? `${entry.label}: ${verdict.says}` : ""
    waiting ||= !isRight
  }
  status.textContent = message
}

rows.addEventListener("change", judgeAll)
rows.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.isComposing) return
  event.preventDefault()
  judgeAll()
  const at = fields.findIndex(({ input }) => input === event.target)
  if (fields[at]?.row.dataset.state === "right") fields[at + 1]?.input.focus()
})
for (const select of [models, choices]) select.addEventListener("change", build)

build()
place?.replaceChildren(
  html`<div class="bc-question"><p class="bc-field"><label for="ledger-model">Model</label>${models}</p>
    <p class="bc-field"><label for="ledger-class">Class</label>${choices}</p></div>`,
  ...[sizes, rows, status],
)
place?.setAttribute("data-needs-scripts", "")
