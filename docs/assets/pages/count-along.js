// Counting along: a whole model as a ledger with a field beside each part. The
// first field that does not agree is marked and explained; the rest waits.

import exercises from "../../data/exercises.js"
import table from "../../data/table.js"
import { element } from "../answering/elements.js"
import { Counter, classes, models as everyModel, whole } from "../counting/engine.js"
import { judged } from "../exercises/judge.js"
import { filled, wrongAnswers } from "../exercises/wrong.js"
import { read } from "../explaining/read.js"

const { asks, ledger, totals, texts } = exercises
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
    return {
      label: part ? words : `${total.class}, all of it`,
      ask,
      right,
      wrong: () => wrongAnswers(asked, ask, right),
    }
  })
}

/** What is said to a number that does not agree. @param {Entry} entry @param {string} typed @param {Entry[]} entries */
function explained({ label, ask, right, wrong }, typed, entries) {
  const { kind, says } = judged(typed, right, "parameters", wrong())
  if (kind !== "unknown" && kind !== "slip") return { kind, says }
  const number = read(typed)?.low
  const other = entries.find((each) => each.right === number)
  if (other) return { kind, says: `${whole(other.right)} is the number of another part: ${other.label}.` }
  if (kind === "slip") return { kind, says }
  const pieces = (ask.lines.at(-1)?.summands ?? []).map(([, what]) => what)
  const made = pieces.every((each) => label.includes(each)) ? "" : `, made of: ${pieces.join("; ")}`
  return {
    kind,
    says: `Nothing we know of leads to this number. This field is for ${label}${made}. In letters: ${ask.formula}.`,
  }
}

// --- The page -------------------------------------------------------------------

const models = element(
  "select",
  { id: "ledger-model" },
  ...published.map(({ name, title }) => element("option", { value: name }, title)),
)
const choices = element(
  "select",
  { id: "ledger-class" },
  ...totals.map((each) =>
    element("option", { value: asks[each].class }, `${asks[each].class} (${classes.get(asks[each].class).purpose})`),
  ),
)
const given = element("p", { class: "bc-given" })
const rows = element("ol", { class: "bc-ledger" })
const status = element("p", { class: "bc-status", role: "status" })

/** Fields and the places of what is said, in the order of the ledger. @type {{ entry: Entry, input: HTMLInputElement, says: HTMLElement, row: HTMLElement }[]} */
let fields = []

function build() {
  const model = everyModel.get(/** @type {HTMLSelectElement} */ (models).value)
  const total = asks[totals[/** @type {HTMLSelectElement} */ (choices).selectedIndex]]
  const labels = total.lines.some(({ summands }) => summands.some(([factors]) => factors.split(" ").includes("C")))
  given.textContent = Object.entries(model.sizes)
    .filter(([letter]) => letter !== "C" || labels)
    .map(([letter, size]) => filled(texts.size, { letter, number: whole(size) }))
    .join(", ")
  fields = entriesOf(model, total).map((entry, at) => {
    const input = /** @type {HTMLInputElement} */ (
      element("input", {
        id: `ledger-${at}`,
        type: "text",
        autocomplete: "off",
        spellcheck: "false",
        "aria-describedby": `ledger-${at}-says`,
      })
    )
    const says = element("p", { class: "bc-says", id: `ledger-${at}-says` })
    const row = element("li", {}, element("label", { for: input.id }, entry.label), input, says)
    return { entry, input, says, row }
  })
  rows.replaceChildren(...fields.map(({ row }) => row))
}

/** Judge from the top, up to the first field that is empty or does not agree. */
function judgeAll() {
  let waiting = false
  let message = ""
  for (const { entry, input, says, row } of fields) {
    const typed = input.value.trim()
    const verdict =
      waiting || !typed
        ? null
        : explained(
            entry,
            typed,
            fields.map((each) => each.entry),
          )
    row.dataset.state = waiting || !verdict ? "" : verdict.kind === "right" ? "right" : "wrong"
    input.toggleAttribute("aria-invalid", false)
    if (verdict && verdict.kind !== "right") input.setAttribute("aria-invalid", "true")
    says.textContent = verdict
      ? verdict.kind === "right"
        ? "Right"
        : verdict.says
      : waiting && typed
        ? "Waits for the field above"
        : ""
    if (verdict && verdict.kind !== "right") message = `${entry.label}: ${verdict.says}`
    if (verdict?.kind !== "right") waiting = true
  }
  if (!waiting) message = "All of it is right."
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
  element(
    "div",
    { class: "bc-question" },
    element("p", { class: "bc-field" }, element("label", { for: "ledger-model" }, "Model"), models),
    element("p", { class: "bc-field" }, element("label", { for: "ledger-class" }, "Class"), choices),
  ),
  given,
  rows,
  status,
)
place?.setAttribute("data-needs-scripts", "")
