// Lets a reader count along. The ledger of a whole model has a field for the number of
// parameters in each part. The numbers are judged down to the first that is missing or wrong;
// a wrong one is marked and explained, and the fields below it wait. A correct number fills its
// block of the map. Conclusions follow at the end. The address records the model and the class,
// and the browser stores the typed numbers.
//
// The ledger is rebuilt for each model and class. After every change, the fields are judged
// again from the top, so the ledger has no state other than the texts in its fields.

import exercises from "../../data/exercises.js"
import table from "../../data/table.js"
import { inWords } from "../answering/elements.js"
import { classes, classLabel, models as everyModel, sumBy, whole } from "../counting/engine.js"
import { html, typeset } from "../drawing/html.js"
import { isThin, mark, rectangle, tiles, WHOLE } from "../drawing/levels.js"
import { sizeText } from "../exercises/exercise.js"
import { judge } from "../exercises/judge.js"
import { answerTo } from "../exercises/letter-sums.js"
import { load, save } from "../exercises/storage.js"
import { sumTree } from "../exercises/terms.js"
import { furtherAnswers, withFurther, wrongAnswers } from "../exercises/wrong.js"
import { readWithSizes } from "../explaining/letters.js"

const { asks, texts, totals } = exercises
// Null if the exercises are embedded, because only their own page has a ledger.
const container = /** @type {HTMLElement | null} */ (document.querySelector("#ledger"))
const BERT = table.models[0].architecture
const publishedBerts = table.models.filter(({ architecture, page }) => architecture === BERT && page)

/** A line of the ledger, with its right answer. `block` is the style of the part on the map; "" for the whole model.
 * @typedef {{ label: string, ask: Ask, block: string, model: Model, right: number }} LedgerEntry */

/**
 * The lines of a ledger: one for each part of a class, and one for the whole model.
 * @param {Model} model
 * @param {Exercises["totals"][number]} total
 * @returns {LedgerEntry[]}
 */
function entriesOf(model, total) {
  const parts = total.parts.map(([index, block]) => ({ ask: asks[index], block, label: asks[index].words }))
  const wholeModel = { ask: asks[total.ask], block: "", label: `the whole of ${asks[total.ask].class}` }
  return [...parts, wholeModel].map((line) => ({ ...line, model, right: answerTo(line.ask, model.sizes) }))
}

/**
 * The labels of two or more consecutive fields that include an entry's and add up to a number; empty if there are none.
 * @param {LedgerEntry} entry
 * @param {number | undefined} number
 */
function labelsAddingUpTo(entry, number) {
  const entries = fields.map((field) => field.entry)
  const index = entries.indexOf(entry)
  for (let first = 0; first <= index; first++)
    for (let end = index + 1; end <= entries.length; end++) {
      const neighbours = entries.slice(first, end)
      const isSum = neighbours.length > 1 && sumBy(neighbours, ({ right }) => right) === number
      if (isSum) return neighbours.map(({ label }) => label)
    }
  return []
}

/**
 * The verdict on a typed number. A wrong number without a known cause may be the right one for another field, or the
 * sum of several.
 * @param {LedgerEntry} entry
 * @param {string} answerText
 * @returns {Verdict}
 */
function verdictOn(entry, answerText) {
  const { label, ask, model, right } = entry
  const knownWrongAnswers = withFurther(wrongAnswers(ask, model), furtherAnswers(ask, model.sizes), right)
  const { kind, feedback } = judge(
    answerText,
    right,
    "parameters",
    knownWrongAnswers,
    model.sizes,
    sumTree(ask, model.sizes),
  )
  if (kind !== "unknown" && kind !== "slip") return { kind, feedback }
  const number = readWithSizes(answerText, model.sizes)?.low
  const otherEntry = fields.find((field) => field.entry.right === number)?.entry
  if (otherEntry) return { kind, feedback: `${whole(otherEntry.right)} belongs to another field: ${otherEntry.label}.` }
  if (kind === "slip") return { kind, feedback }
  const labels = labelsAddingUpTo(entry, number)
  if (number && labels.length)
    return { kind, feedback: `${whole(number)} counts ${inWords(labels).join("")}. This field is for ${label} alone.` }
  const field = `This field is for ${label}. ${ask.step && `${ask.step} `}As a formula: ${ask.formula}.`
  return { kind, feedback: `${feedback || texts.unknown} ${field}` }
}

// --- The map --------------------------------------------------------------------

const STORAGE_KEY = "bert-counted: counted along" // the key for the typed numbers
const MAX_ACROSS = 4 // the maximum number of layers side by side

/**
 * The model as areas to scale, each with the index of the field that fills it. In the first layer, each part has its
 * own field; the other layers share the field for all layers.
 * @param {LedgerEntry[]} entries
 * @param {Model} model
 * @param {Exercises["totals"][number]} total
 */
function picture(entries, { sizes, title }, { columns, layers }) {
  const pieces = columns.map(({ parts }) =>
    parts.map((index) => ({ each: entries[index].right, times: 1, maxSideBySide: 1 })),
  )
  const kinds = columns.map(({ times }, column) => {
    return { each: sumBy(pieces[column], ({ each }) => each), times: sizes[times] ?? 1, maxSideBySide: MAX_ACROSS }
  })
  const groups = tiles("columns", kinds, WHOLE).flatMap((areas, column) =>
    areas.flatMap((area, areaIndex) =>
      tiles("rows", pieces[column], area).map(([tile], row) => {
        const index = columns[column].parts[row]
        const fieldIndex = areaIndex ? layers : index // all layers but the first belong to the field for all of them
        const thinMark = pieces[column].length === 1 && isThin(tile) ? mark(tile) : ""
        const shape = rectangle(tile) + thinMark
        return `<g class="bc-${entries[index].block} bc-yet" data-field="${fieldIndex}">${shape}</g>`
      }),
    ),
  )
  const figure = html`<figure class="bc-figure"><svg class="bc-map" role="img" aria-label="${title}"></svg>
    <figcaption>${table.phrases["to-scale"]}; what you have counted is filled.</figcaption></figure>`
  if (figure.firstElementChild) figure.firstElementChild.innerHTML = groups.join("")
  return figure
}

// --- Conclusions ------------------------------------------------------------------

/**
 * Conclusions for a reader who has counted a whole model, and where to go next.
 * @param {LedgerEntry[]} entries
 */
function conclusions(entries) {
  const { model, right: total, ask } = entries[entries.length - 1]
  /** The number of parameters in several parts of the ledger. @param {string[]} parts  the paths of the parts */
  const sizeOf = (...parts) => sumBy(entries, (entry) => (parts.includes(entry.ask.part) ? entry.right : 0))
  const [wordTable, layer, layers] = [sizeOf(WORD_TABLE), sizeOf(LAYER), sizeOf("bert/encoder")]
  const network = sizeOf(`${LAYER}/intermediate/dense`, `${LAYER}/output/dense`)
  return html`<section class="bc-learned" tabindex="-1" aria-labelledby="learned">
    <h3 id="learned">You have counted ${model.title} as ${ask.class}: ${whole(total)} parameters</h3>
    <ul>
      <li>The ${whole(model.sizes.L)} layers are alike, so you count one, ${whole(layer)}, and multiply. Together they have
        ${shareOf(layers, total)} of the parameters.</li>
      <li>The feed-forward network has ${shareOf(network, layer)} of a layer, and attention has the larger part of the rest.</li>
      <li>The word table alone has ${shareOf(wordTable, total)} of the parameters: it grows with the vocabulary, not with the
        layers.</li>
    </ul>
    <p>From here, you can choose another model or class above, walk <a href="#exercise">the path of exercises</a>, or read
      <a href="../disagreements/mistakes.html">the mistakes that people make</a> in this sum.</p></section>`
}
const [WORD_TABLE, LAYER] = ["bert/embeddings/word_embeddings", "bert/encoder/layer_0"]

/**
 * A part of a total as a percentage.
 * @param {number} part
 * @param {number} total
 */
const shareOf = (part, total) => `${((100 * part) / total).toFixed(1)}%`

// --- The page -------------------------------------------------------------------

/**
 * A drop-down list. The address records the selected option.
 * @param {string} key  the name of the list in the address
 * @param {HTMLOptionElement[]} options
 */
function dropDownList(key, options) {
  const select = /** @type {HTMLSelectElement} */ (html`<select id="ledger-${key}">${options}</select>`)
  const initialValue = new URLSearchParams(location.search).get(key)
  if (options.some(({ value }) => value === initialValue)) select.value = initialValue ?? ""
  select.addEventListener("change", () => {
    const query = new URLSearchParams(location.search)
    query.set(key, select.value)
    history.replaceState(history.state, "", `?${query}${location.hash}`)
    buildLedger()
  })
  return select
}
const modelOptions = publishedBerts.map(({ name, title }) => new Option(title, name))
const classOptions = totals.map(({ ask }) => {
  const modelClass = classes.get(asks[ask].class)
  return new Option(classLabel(modelClass), modelClass.name)
})
const [modelSelect, classSelect] = [dropDownList("model", modelOptions), dropDownList("class", classOptions)]
const sizesPlace = html`<p class="bc-given"></p>`
const ledgerList = html`<ol class="bc-ledger"></ol>`
const status = html`<p class="bc-status" role="status"></p>`
const mapPlace = html`<div class="bc-along"></div>`
const conclusionsPlace = html`<div></div>`
const clearButton = html`<button type="button" class="bc-button">Clear all fields</button>`

/**
 * The fields in the order of the ledger, each with the element that shows the verdict.
 * @type {{ entry: LedgerEntry, input: HTMLInputElement, verdictElement: HTMLElement, row: HTMLElement }[]}
 */
let fields = []

/** Shows the ledger and the map of the selected model and class. */
function buildLedger() {
  const model = everyModel.get(modelSelect.value)
  const total = totals[classSelect.selectedIndex]
  const entries = entriesOf(model, total)
  sizesPlace.textContent = sizeText(model.sizes, asks[total.ask])
  fields = entries.map((entry, index) => {
    const row = html`<li><label for="ledger-${index}">${entry.label}</label>
      <input id="ledger-${index}" type="text" autocomplete="off" spellcheck="false" aria-describedby="ledger-${index}-says">
      <p class="bc-says" id="ledger-${index}-says"></p></li>`
    const [, input, verdictElement] = row.children
    return {
      entry,
      input: /** @type {HTMLInputElement} */ (input),
      verdictElement: /** @type {HTMLElement} */ (verdictElement),
      row,
    }
  })
  ledgerList.replaceChildren(...fields.map(({ row }) => row))
  mapPlace.replaceChildren(picture(entries, model, total))
  fill()
}

/** The name under which the texts for the selected model and class are stored. */
const ledgerName = () => `${modelSelect.value} ${classSelect.value}`

/**
 * The stored texts for the fields, in the order of the fields.
 * @param {Record<string, unknown>} store
 * @returns {unknown[]}
 */
function storedTexts(store) {
  const textsOfFields = store[ledgerName()]
  return Array.isArray(textsOfFields) ? textsOfFields : []
}

/** Fills the fields, except the focused one, with the stored texts, and judges all fields. */
function fill() {
  const textsOfFields = storedTexts(load(STORAGE_KEY))
  for (const [index, { input }] of fields.entries())
    if (input !== document.activeElement) input.value = String(textsOfFields[index] ?? "")
  judgeAll()
}

/**
 * Stores the typed texts for the model and class. The stored texts of fields that were not changed here remain, because
 * another tab may have changed them.
 * @param {(index: number) => boolean} isTyped  whether the field with this index was changed here
 */
function keepTexts(isTyped) {
  const store = load(STORAGE_KEY)
  const oldTexts = storedTexts(store)
  const newTexts = fields.map(({ input }, index) => (isTyped(index) ? input.value : String(oldTexts[index] ?? "")))
  save(STORAGE_KEY, { ...store, [ledgerName()]: newTexts })
}

/** Judges the fields from the top down to the first that is empty or wrong. */
function judgeAll() {
  let isWaiting = false
  let isNoteShown = false // whether a field already shows the note about waiting, which applies to all fields below it
  let message = "Everything is right."
  for (const { entry, input, verdictElement, row } of fields) {
    const answerText = input.value.trim()
    /** @type {Verdict | null} */
    const verdict = isWaiting || !answerText ? null : verdictOn(entry, answerText)
    /** @type {boolean} */
    const isRight = verdict?.kind === "right"
    if (isRight) row.dataset.state = "right"
    else row.dataset.state = verdict ? "wrong" : ""
    input.ariaInvalid = verdict && !isRight ? "true" : null
    /** @type {string} */
    const note = isWaiting && answerText && !isNoteShown ? "Checked once the fields above are right" : ""
    isNoteShown ||= note !== ""
    verdictElement.textContent = typeset(isRight ? "Correct" : (verdict?.feedback ?? note))
    if (!isWaiting && !isRight) message = verdict ? `${entry.label}: ${verdict.feedback}` : ""
    isWaiting ||= !isRight
  }
  status.textContent = typeset(message)
  conclusionsPlace.replaceChildren(...(isWaiting ? [] : [conclusions(fields.map(({ entry }) => entry))]))
  for (const block of mapPlace.querySelectorAll("[data-field]")) {
    const { row } = fields[Number(block.getAttribute("data-field"))]
    block.classList.toggle("bc-yet", row.dataset.state !== "right")
  }
}

ledgerList.addEventListener("input", ({ target }) => keepTexts((index) => fields[index].input === target))
ledgerList.addEventListener("change", judgeAll)
ledgerList.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.isComposing) return
  event.preventDefault()
  judgeAll()
  const index = fields.findIndex(({ input }) => input === event.target)
  if (fields[index]?.row.dataset.state === "right") fields[index + 1]?.input.focus()
})
clearButton.addEventListener("click", () => {
  for (const { input } of fields) input.value = ""
  keepTexts(() => true)
  judgeAll()
  fields[0].input.focus()
})

// Another tab has stored a number.
addEventListener("storage", ({ key }) => key === STORAGE_KEY && fill())

buildLedger()
container?.replaceChildren(
  html`<div class="bc-question"><p class="bc-field"><label for="ledger-model">Model</label>${modelSelect}</p>
    <p class="bc-field"><label for="ledger-class">Class</label>${classSelect}</p></div>`,
  sizesPlace,
  mapPlace,
  ledgerList,
  status,
  conclusionsPlace,
  html`<p class="bc-buttons">${clearButton}</p>`,
)
container?.setAttribute("data-needs-scripts", "")
