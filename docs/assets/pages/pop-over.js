// The explanation of where a number comes from. One element serves all numbers: it is
// filled for the number that is pointed at, focused or tapped. WCAG 2.2, success
// criterion 1.4.13, sets three rules for such content:
//
// - The pointer can move onto it, for example to select its text. So it lingers before
//   it disappears, and another number takes over only once the pointer has rested there.
// - Escape dismisses it, and the focus stays where it is.
// - It stays until it is dismissed, or until neither the pointer nor the focus is there.
//
// A number becomes a button named by the number alone, and the explanation describes it
// while it is shown. Without this script, the style sheet shows the same text beside
// numbers that are not buttons.

import { contentOf, html } from "../drawing/html.js"
import { beside } from "./beside.js"

const NUMBERS = "data[data-how]"
const ENTERING = 100 // milliseconds, long enough to cross a number on the way to the explanation of another
const LEAVING = 400 // milliseconds, long enough to move from a number to its explanation

const canPop = "popover" in HTMLElement.prototype
const tooltip = html`<div class="bc-how" id="bc-how" role="tooltip"></div>`
if (canPop) tooltip.popover = "manual" // an automatic one would close the window with a citation
tooltip.hidden = !canPop
document.body.append(tooltip)

/**
 * The number that is being explained.
 * @type {HTMLElement | null}
 */
let current = null
/**
 * The number under the pointer, or the number whose explanation is under it.
 * @type {HTMLElement | null}
 */
let pointed = null
/**
 * The number that was focused or tapped, and keeps its explanation while the pointer is elsewhere.
 * @type {HTMLElement | null}
 */
let pinned = null
/**
 * The pinned number before the pointer was pressed. Pressing focuses a number, so without this a click
 * could not tell whether the number had been pinned already.
 * @type {HTMLElement | null}
 */
let pinnedBefore = null
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer

/**
 * @param {EventTarget | null} target
 * @returns {HTMLElement | null}
 */
const numberAt = (target) => (target instanceof Element ? target.closest(NUMBERS) : null)
/** Whether an event was inside the box. @param {EventTarget | null} target */
const isInside = (target) => target instanceof Node && tooltip.contains(target)

/**
 * The formula and the sum, and below them the model and its class; pages leave out the class if it is
 * `BertModel`.
 * @param {DOMStringMap} data
 */
function textOf({ how = "", model, class: modelClass = "BertModel" }) {
  return [how, model && [model, modelClass].filter(Boolean).join(", ")].filter(Boolean).join("\n")
}

/** Shows the box for a number. @param {HTMLElement} number */
function show(number) {
  if (current === number) return
  hide()
  current = number
  tooltip.replaceChildren(...contentOf(textOf(number.dataset)))
  number.setAttribute("aria-expanded", "true")
  number.setAttribute("aria-describedby", tooltip.id)
  if (canPop) tooltip.showPopover()
  tooltip.hidden = false
  if (beside(number, tooltip)) return
  number.scrollIntoView({ block: "center" })
  beside(number, tooltip)
}

function hide() {
  current?.setAttribute("aria-expanded", "false")
  current?.removeAttribute("aria-describedby")
  current = null
  if (canPop) tooltip.hidePopover()
  tooltip.hidden = !canPop
}

/** Hides the explanation until its number is pointed at, focused or tapped again. */
function dismiss() {
  pinned = null
  hide()
}

/**
 * Shows the pinned number, if any, once the pointer has left. An explanation with selected text stays, to be
 * copied.
 */
function rest() {
  const selection = getSelection()
  if (selection && !selection.isCollapsed && isInside(selection.anchorNode)) return
  if (pinned) show(pinned)
  else hide()
}

/** Shows the number under the pointer after a moment; without one, returns to the pinned number, if any.
 * @param {HTMLElement | null} number */
function point(number) {
  if (number === pointed) return
  pointed = number
  clearTimeout(timer)
  timer = setTimeout(() => (number ? show(number) : rest()), number ? ENTERING : LEAVING)
}

/** Keeps the box of a number open. @param {HTMLElement} number */
function pin(number) {
  pinned = number
  show(number)
}

for (const number of document.querySelectorAll(NUMBERS)) {
  number.setAttribute("role", "button")
  number.setAttribute("aria-expanded", "false")
}

document.addEventListener("pointerover", ({ target, pointerType }) => {
  if (pointerType !== "touch") point(isInside(target) ? current : numberAt(target))
})
document.documentElement.addEventListener("pointerleave", ({ pointerType }) => {
  if (pointerType !== "touch") point(null) // a finger leaves the page whenever it is lifted
})
document.addEventListener(
  "pointerdown",
  ({ target }) => {
    pinnedBefore = pinned
    // A press on the explanation takes the focus off its number. It counts as pointed at, so that it stays.
    if (isInside(target)) pointed = current
    else if (numberAt(target) !== current) dismiss()
  },
  true,
)
document.addEventListener("click", ({ target }) => {
  const number = numberAt(target)
  if (number && current === number && pinnedBefore === number) dismiss()
  else if (number) pin(number)
})
document.addEventListener("focusin", ({ target }) => {
  const number = numberAt(target)
  if (number) pin(number)
})
document.addEventListener("focusout", ({ target }) => {
  if (target !== pinned) return
  pinned = null
  if (pointed !== current) hide()
})
document.addEventListener(
  "keydown",
  (event) => {
    const number = numberAt(event.target)
    if (event.key === "Escape" && current) dismiss()
    else if (number && (event.key === "Enter" || event.key === " ")) current === number ? dismiss() : pin(number)
    else return
    // So that Escape closes nothing else, and the space bar does not scroll the page.
    event.preventDefault()
    event.stopPropagation()
  },
  true,
)

function follow() {
  if (current && !beside(current, tooltip)) hide()
}
document.addEventListener("scroll", follow, { capture: true, passive: true })
addEventListener("resize", follow)
// Content that unfolds or loads above a number moves it without any scrolling.
new ResizeObserver(follow).observe(document.querySelector("article") ?? document.body)
