// The page of the calculator. It holds the state, counts again after every change,
// and passes the result to the modules that show it. The form, the total and the picture
// are updated at every keystroke; everything else is updated when typing pauses. While a
// field has an error, the page keeps showing the last valid numbers.

import { available, count } from "../counting/changes.js"
import { note } from "../counting/configuration.js"
import { firstFew } from "../counting/short.js"
import * as compare from "./compare.js"
import * as exports from "./export.js"
import * as fits from "./fits.js"
import * as form from "./form.js"
import { byId, setText } from "./live.js"
import * as paste from "./paste.js"
import * as picture from "./picture.js"
import { addressOf, evaluate, fieldsOfModel, stateAt } from "./state.js"
import * as tables from "./tables.js"
import * as total from "./total.js"

const PAUSE = 200 // after this many milliseconds without a change, typing has paused

const openedState = stateAt(location.search)
let formState = openedState.state
/** @type {View | null} */
let view = null
/**
 * The last change, with the view that was shown before it.
 * @type {LastChange | null}
 */
let lastChange = null

/**
 * The view of a state. If the state cannot be counted, it is the last valid view or, if there is none, that of the
 * published model, with the errors of the state.
 * @param {FormState} formState
 * @returns {View}
 */
function viewOf({ fields, beside }) {
  const evaluation = evaluate(fields)
  const { configuration } = evaluation
  if (!configuration) {
    const fallback = view ?? viewOf({ fields: fieldsOfModel(fields.model), beside })
    return { ...fallback, beside, valid: false, errors: evaluation.errors, note: "" }
  }
  return {
    ...evaluation,
    fields,
    beside,
    configuration,
    last: lastChange,
    valid: true,
    note: note(configuration),
    counts: count(configuration),
    available: available(configuration),
  }
}

const updatesAtOnce = [form.annotate, total.show, picture.show]
const updatesAfterPause = [...updatesAtOnce, total.announce, tables.show, compare.show, exports.show, fits.show]

/** Counts, and shows valid numbers at once. Errors are shown after a pause, because an unfinished number is often
 * invalid. */
function show() {
  view = viewOf(formState)
  form.fill(formState.fields)
  if (view.valid) for (const showPart of updatesAtOnce) showPart(view)
}

/** Updates everything on the page from the last view, including errors. */
function showAll() {
  clearTimeout(timer)
  timer = 0
  for (const showPart of updatesAfterPause) if (view) showPart(view)
}

let timer = 0 // the id of the timer that runs until typing pauses; 0 once everything is shown
/** Whether the next address becomes a new entry in the browser's history, so that Back returns to the current one. */
let isNewEntry = false

/** Shows everything, and records the state in the address. */
function settle() {
  showAll()
  const address = (addressOf(formState) || location.pathname) + location.hash
  if (new URL(address, location.href).href !== location.href)
    history[isNewEntry ? "pushState" : "replaceState"](null, "", address)
  isNewEntry = false
}

/** Settles once typing has paused. */
function settleLater() {
  clearTimeout(timer)
  timer = setTimeout(settle, PAUSE)
}

/** Makes the browser's Back button undo the next change. */
function startNewEntry() {
  if (timer) settle()
  isNewEntry = true
}

/**
 * Replaces the current state with the one after a change.
 * @param {FormState} next
 * @param {string} key  the name or the label of the field that was changed
 */
function change(next, key) {
  // Successive changes to a field count as one, so that a number may be typed digit by digit.
  if (view && (key !== lastChange?.key || lastChange.isOver) && key !== "from" && key !== "beside")
    lastChange = { key, before: view }
  if (key === "model") startNewEntry() // pasted configs have this key too
  formState = next
  show()
  // Configurations to compare are added with a button or a list, so there is no typing to wait for.
  if (key === "beside") settle()
  else settleLater()
}

/**
 * Starts again from a state, without a last change.
 * @param {FormState} state
 */
function restart(state) {
  setText(byId("calculator-address"), "")
  lastChange = null
  formState = state
  show()
}

for (const part of [form, compare, paste]) part.listen(() => formState, change)
// A change ends when the reader leaves the field.
form.form.addEventListener("focusout", () => (lastChange = lastChange && { ...lastChange, isOver: true }))
form.form.addEventListener("reset", (event) => {
  event.preventDefault()
  startNewEntry()
  restart(stateAt("").state)
  settleLater()
})
addEventListener("popstate", () => {
  const { state } = stateAt(location.search)
  if (addressOf(state) === addressOf(formState)) return // only the position on the page has changed
  view = null // so that an invalid address shows the same numbers as on opening the page
  restart(state)
  showAll()
})
// The reader may press a button or follow a link before the pause is over.
document.addEventListener("click", () => timer && settle(), true)
show()
showAll()
if (openedState.complaints.length) {
  const complaints = firstFew(openedState.complaints).join("; ")
  setText(byId("calculator-address"), `Not everything in the address could be read: ${complaints}.`)
}
document.documentElement.dataset.counting = "" // a signal for tests that the page has counted
