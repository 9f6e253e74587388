// The page of the calculator: holds its state, and at every change counts anew
// and shows all panels, first those in sight; where a field is wrong, the last
// good numbers stay.

import { count, offered } from "../counting/changes.js"
import { note } from "../counting/configuration.js"
import { models } from "../counting/engine.js"
import { html } from "../drawing/html.js"
import * as bridge from "./bridge.js"
import * as compare from "./compare.js"
import { panel as exports } from "./export.js"
import * as form from "./form.js"
import * as paste from "./paste.js"
import { panel as picture } from "./picture.js"
import { addressOf, published as countedAs, evaluated, stateAt, stateOf } from "./state.js"
import { panels as tables } from "./tables.js"
import { panel as total } from "./total.js"
import * as whatIf from "./what-if.js"

const panels = [total, picture, ...tables, whatIf.panel, bridge.panel, compare.panel, exports]
const MODEL = "model" // the key of what changes everything at once: a model that is chosen, or a config
const [HALF_TYPED, REST] = [300, 150] // milliseconds

const asked = stateAt(location.search)
let typed = asked.state
/** @type {Shown | null} */
let shown = null
/** What was shown before the reader began to change what is being changed. @type {LastChange | null} */
let last = null

/** The published model in the class that is shown, for what differs. @param {Typed} of @param {Configuration} configuration */
function published({ to, model }, { modelClass, architecture }) {
  const name = to || model
  return countedAs(name, models.get(name).architecture === architecture ? modelClass : undefined)
}

/** Count what the state says, or keep the last good numbers. @param {Typed} state @returns {Shown} */
function result(state) {
  const found = evaluated(state)
  if (!found.configuration)
    return { ...(shown ?? result(stateOf(state.model))), valid: false, errors: found.errors, note: "" }
  const { configuration } = found
  return {
    ...found,
    typed: state,
    note: note(configuration),
    valid: true,
    last,
    counted: count(configuration),
    offered: offered(configuration),
    published: published(state, configuration),
  }
}

let marking = 0

function show() {
  // Asked before anything is changed, or the browser would have to style the page anew to answer.
  away = new Set(panels.filter(isAway))
  shown = result(typed)
  form.fill(typed)
  form.offer(shown.offered)
  whatIf.fill(typed)
  // Half a number is often wrong: what is wrong is said once typing rests, and what is right at once.
  clearTimeout(marking)
  if (shown.valid) showResult(shown)
  else marking = setTimeout(showAll, HALF_TYPED, shown)
}

/** @param {Shown} result */
function showResult(result) {
  form.mark(result.errors, result.note)
  whatIf.mark(result.errors)
  for (const panel of panels) {
    if (away.has(panel)) behind.add(panel)
    else panel.show(result)
  }
}

/** @param {Shown} result */
function showAll(result) {
  showResult(result)
  catchUp()
}

// --- What is out of sight -----------------------------------------------------

// What is so far from sight that the browser does not lay it out follows once typing rests, or it comes nearer.
/** @type {Set<Panel>} */
let away = new Set()
/** @type {Set<Panel>} */
const behind = new Set()

/** @param {Panel} panel */
const isAway = ({ place }) => place.firstElementChild?.checkVisibility?.({ contentVisibilityAuto: true }) === false

function catchUp() {
  for (const panel of behind) if (shown) panel.show(shown)
  behind.clear()
}

for (const { place } of panels)
  place.addEventListener("contentvisibilityautostatechange", (event) => {
    if (!(/** @type {ContentVisibilityAutoStateChangeEvent} */ (event).skipped)) catchUp()
  })
// A button may be pressed by what does not scroll to it, and a link leave for another place of the page.
document.addEventListener("click", () => (timer ? settle() : catchUp()), true)

// --- Changes ------------------------------------------------------------------

/** @param {Typed} next @param {string} key  what was changed */
function changed(next, key) {
  // Other numbers are compared with those from before this field was touched, so that half a number is no news.
  if (shown && (key !== last?.key || last.isOver) && key !== "to" && key !== "beside") last = { key, before: shown }
  if (key === MODEL) leave()
  typed = next
  show()
  rest()
}

/** Begin anew, with nothing to compare with. @param {Typed} state */
function begin(state) {
  form.element.querySelector("[role=alert]")?.remove() // about an address that has gone
  last = null
  typed = state
  show()
}

const addressHere = () => (addressOf(typed) || location.pathname) + location.hash
/** The address that the browser's Back leads to, where everything was changed. @type {string | null} */
let left = null
const leave = () => (left ??= addressHere())

let timer = 0
/** Settle once typing rests: browsers refuse too many changes of the address. */
function rest() {
  clearTimeout(timer)
  timer = setTimeout(settle, REST)
}

/** Bring up what is behind, and keep the state in the address. */
function settle() {
  const [before, now] = [left, addressHere()]
  forget()
  catchUp()
  try {
    history.replaceState(null, "", before ?? now)
    if (before !== null && before !== now) history.pushState(null, "", now)
  } catch {
    // Browsers refuse too many changes in a short time.
  }
}

function forget() {
  clearTimeout(timer)
  timer = 0
  left = null
}

for (const each of [form, whatIf, bridge, compare, paste]) each.listen(() => typed, changed)
// A new visit to a field is a new change.
form.element.addEventListener("focusout", () => (last = last && { ...last, isOver: true }))
form.element.addEventListener("reset", (event) => {
  event.preventDefault()
  leave()
  begin(stateAt("").state)
  rest()
})
addEventListener("popstate", () => {
  const { state } = stateAt(location.search)
  if (addressOf(state) === addressOf(typed)) return // another place of the page
  forget()
  shown = null // what cannot be counted is shown as when it is opened
  begin(state)
  catchUp()
})
show()
if (shown) showAll(shown)
if (asked.complaints.length) {
  const said = `Not everything in the address could be read: ${asked.complaints.join("; ")}.`
  form.element.prepend(html`<p class="bc-fault bc-wide" role="alert">${said}</p>`)
}
document.documentElement.dataset.counting = "" // the panels are there
