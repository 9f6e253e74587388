// The page of the calculator: holds its state, and at every change counts anew.
// The total and the picture follow each key, and everything else once typing
// rests; where a field is wrong, the last good numbers stay.

import { count, offered } from "../counting/changes.js"
import { note } from "../counting/configuration.js"
import { few } from "../counting/short.js"
import * as compare from "./compare.js"
import * as exports from "./export.js"
import * as form from "./form.js"
import { place, say } from "./live.js"
import * as paste from "./paste.js"
import * as picture from "./picture.js"
import { addressOf, evaluated, stateAt, stateOf } from "./state.js"
import * as tables from "./tables.js"
import * as total from "./total.js"

const REST = 200 // milliseconds

const asked = stateAt(location.search)
let typed = asked.state
/** @type {Shown | null} */
let shown = null
/** What was shown before the reader began to change what is being changed. @type {LastChange | null} */
let last = null

/** Count what the fields say, or keep the last good numbers. @param {Typed} typed @returns {Shown} */
function result({ fields, beside }) {
  const found = evaluated(fields)
  const { configuration } = found
  if (!configuration) {
    const before = shown ?? result({ fields: stateOf(fields.model), beside })
    return { ...before, beside, valid: false, errors: found.errors, note: "" }
  }
  return {
    ...found,
    ...{ fields, beside, configuration, last, valid: true },
    note: note(configuration),
    counted: count(configuration),
    offered: offered(configuration),
  }
}

const atOnce = [form.mark, total.show, picture.show]
const atRest = [...atOnce, total.announce, tables.show, compare.show, exports.show]

/** Half a number is often wrong: what is wrong is said once typing rests, and what is right at once. */
function show() {
  shown = result(typed)
  form.fill(typed.fields)
  if (shown.valid) for (const each of atOnce) each(shown)
}

function showAll() {
  clearTimeout(timer)
  timer = 0
  for (const each of atRest) if (shown) each(shown)
}

let timer = 0
/** Whether the browser's Back is to lead to what is in the address. */
let isLeaving = false

/** Show everything, and keep the state in the address. */
function settle() {
  showAll()
  const address = (addressOf(typed) || location.pathname) + location.hash
  if (new URL(address, location.href).href !== location.href)
    history[isLeaving ? "pushState" : "replaceState"](null, "", address)
  isLeaving = false
}

/** Settle once typing rests. */
function rest() {
  clearTimeout(timer)
  timer = setTimeout(settle, REST)
}

/** What changes everything is undone by the browser's Back. */
function leave() {
  if (timer) settle()
  isLeaving = true
}

/** @param {Typed} next @param {string} key  what was changed */
function changed(next, key) {
  // Other numbers are compared with those from before this field was touched, so that half a number is no news.
  if (shown && (key !== last?.key || last.isOver) && key !== "from" && key !== "beside") last = { key, before: shown }
  if (key === "model") leave() // as a config does as well
  typed = next
  show()
  if (key === "beside") return settle() // nothing is being typed
  rest()
}

/** Begin anew, with nothing to compare with. @param {Typed} state */
function begin(state) {
  say(place("calculator-address"), "")
  last = null
  typed = state
  show()
}

for (const each of [form, compare, paste]) each.listen(() => typed, changed)
// A new visit to a field is a new change.
form.form.addEventListener("focusout", () => (last = last && { ...last, isOver: true }))
form.form.addEventListener("reset", (event) => {
  event.preventDefault()
  leave()
  begin(stateAt("").state)
  rest()
})
addEventListener("popstate", () => {
  const { state } = stateAt(location.search)
  if (addressOf(state) === addressOf(typed)) return // another place of the page
  shown = null // what cannot be counted is shown as when it is opened
  begin(state)
  showAll()
})
// A button may be pressed, or a link followed, before typing has rested.
document.addEventListener("click", () => timer && settle(), true)
show()
showAll()
if (asked.complaints.length)
  say(place("calculator-address"), `Not everything in the address could be read: ${few(asked.complaints).join("; ")}.`)
document.documentElement.dataset.counting = "" // everything is there
