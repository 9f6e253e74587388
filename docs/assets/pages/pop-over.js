// Shows the explanation of where a number comes from. One element serves all numbers: it is
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
const SHOW_DELAY = 100 // milliseconds, long enough to cross a number on the way to the explanation of another
const HIDE_DELAY = 400 // milliseconds, long enough to move from a number to its explanation

/**
 * Whether the browser can show an element above all others. Older ones show it where it is in the page, and `hidden` does
 * what closing a popover would.
 */
const hasPopovers = "popover" in HTMLElement.prototype
const tooltip = html`<div class="bc-how" id="bc-how" role="tooltip"></div>`
if (hasPopovers) tooltip.popover = "manual" // an automatic one would close the window with a citation
tooltip.hidden = !hasPopovers
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
let hoveredNumber = null
/**
 * The number that was focused or tapped, and keeps its explanation while the pointer is elsewhere.
 * @type {HTMLElement | null}
 */
let pinnedNumber = null
/**
 * The pinned number before the pointer was pressed. Pressing focuses a number, so without this a click
 * could not tell whether the number had been pinned already.
 * @type {HTMLElement | null}
 */
let pinnedBeforePress = null
/**
 * Runs until the number under the pointer is shown, or until the explanation of one that it left is hidden.
 * @type {ReturnType<typeof setTimeout> | undefined}
 */
let timer

/**
 * The number with a working that an event happened at; null if there is none.
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
  if (hasPopovers) tooltip.showPopover()
  tooltip.hidden = false
  if (beside(number, tooltip)) return
  // The keyboard can focus a number that is out of sight.
  number.scrollIntoView({ block: "center" })
  beside(number, tooltip)
}

/** Hides the box, whichever number it is about. */
function hide() {
  current?.setAttribute("aria-expanded", "false")
  current?.removeAttribute("aria-describedby")
  current = null
  if (hasPopovers) tooltip.hidePopover()
  tooltip.hidden = !hasPopovers
}

/** Hides the explanation until its number is pointed at, focused or tapped again. */
function dismiss() {
  pinnedNumber = null
  hide()
}

/**
 * Shows the pinned number, if any, once the pointer has left. An explanation with selected text stays, to be
 * copied.
 */
function returnToPinned() {
  const selection = getSelection()
  if (selection && !selection.isCollapsed && isInside(selection.anchorNode)) return
  if (pinnedNumber) show(pinnedNumber)
  else hide()
}

/** Shows the number under the pointer after a moment; without one, returns to the pinned number, if any.
 * @param {HTMLElement | null} number */
function point(number) {
  if (number === hoveredNumber) return
  hoveredNumber = number
  clearTimeout(timer)
  if (number) timer = setTimeout(() => show(number), SHOW_DELAY)
  else timer = setTimeout(returnToPinned, HIDE_DELAY)
}

/** Keeps the box of a number open. @param {HTMLElement} number */
function pin(number) {
  pinnedNumber = number
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
    pinnedBeforePress = pinnedNumber
    // A press on the explanation takes the focus off its number. It counts as pointed at, so that it stays.
    if (isInside(target)) hoveredNumber = current
    else if (numberAt(target) !== current) dismiss()
  },
  true,
)
document.addEventListener("click", ({ target }) => {
  const number = numberAt(target)
  if (number && current === number && pinnedBeforePress === number) dismiss()
  else if (number) pin(number)
})
document.addEventListener("focusin", ({ target }) => {
  const number = numberAt(target)
  if (number) pin(number)
})
document.addEventListener("focusout", ({ target }) => {
  // With the pointer still on it, a number keeps its explanation after it has lost the focus.
  if (target !== pinnedNumber) return
  pinnedNumber = null
  if (hoveredNumber !== current) hide()
})
document.addEventListener(
  "keydown",
  (event) => {
    const number = numberAt(event.target)
    const isPress = event.key === "Enter" || event.key === " "
    if (current && (event.key === "Escape" || (isPress && number === current))) dismiss()
    else if (number && isPress) pin(number)
    else return
    // So that Escape closes nothing else, and the space bar does not scroll the page.
    event.preventDefault()
    event.stopPropagation()
  },
  true,
)

/** Keeps the box beside its number, and hides it once the number is out of sight. */
function follow() {
  if (current && !beside(current, tooltip)) hide()
}
document.addEventListener("scroll", follow, { capture: true, passive: true })
addEventListener("resize", follow)
// Content that unfolds or loads above a number moves it without any scrolling.
new ResizeObserver(follow).observe(document.querySelector("article") ?? document.body)
