// Shows the explanation of where a number comes from. A single element serves all numbers; it
// is filled for the number that is pointed at, focused or tapped. WCAG 2.2, success
// criterion 1.4.13, sets three rules for such content:
//
// - The pointer can move onto it, for example to select its text. So it stays for a moment
//   after the pointer has left the number, and another number only takes over once the pointer
//   has rested there.
// - Escape dismisses it without moving the focus.
// - It stays until it is dismissed, or until neither the pointer nor the focus is there.
//
// Each number becomes a button whose name is the number alone, and which the explanation
// describes while it is shown. Without this script, the numbers are not buttons, and the
// style sheet shows the same text next to them.

import { contentOf, html } from "../drawing/html.js"
import { placeBeside } from "./placement.js"

const NUMBER_SELECTOR = "data[data-how]"
const SHOW_DELAY = 100 // milliseconds, long enough to cross a number on the way to the explanation of another
const HIDE_DELAY = 400 // milliseconds, long enough to move from a number to its explanation

/**
 * Whether the browser supports popovers, which are above all other elements. In older browsers, the explanation is
 * an ordinary positioned element, and `hidden` closes it.
 */
const hasPopovers = "popover" in HTMLElement.prototype
const tooltip = html`<div class="bc-how" id="bc-how" role="tooltip"></div>`
if (hasPopovers) tooltip.popover = "manual" // an automatic popover would close the citation window
tooltip.hidden = !hasPopovers
document.body.append(tooltip)

/** The number whose explanation is shown. @type {HTMLElement | null} */
let explainedNumber = null
/**
 * The number under the pointer, or whose explanation is under the pointer.
 * @type {HTMLElement | null}
 */
let hoveredNumber = null
/**
 * The number that was focused or tapped. Its explanation remains while the pointer is elsewhere.
 * @type {HTMLElement | null}
 */
let pinnedNumber = null
/**
 * The number that was pinned before the pointer was pressed. Pressing focuses a number, so without this the click
 * handler could not tell whether the number had been pinned already.
 * @type {HTMLElement | null}
 */
let pinnedBeforePress = null
/**
 * The timer that runs until the explanation of the number under the pointer is shown, or until an explanation is hidden
 * after the pointer has left its number.
 * @type {ReturnType<typeof setTimeout> | undefined}
 */
let timer

/**
 * The number with an explanation that an event occurred on; null if there is none.
 * @param {EventTarget | null} target
 * @returns {HTMLElement | null}
 */
const numberAt = (target) => (target instanceof Element ? target.closest(NUMBER_SELECTOR) : null)
/** Whether the target of an event is inside the explanation. @param {EventTarget | null} target */
const isInside = (target) => target instanceof Node && tooltip.contains(target)

/**
 * The text of an explanation: the formula and the sum, and below them the model and its class. Pages omit the class if
 * it is `BertModel`.
 * @param {DOMStringMap} data
 */
function textOf({ how = "", model, class: modelClass = "BertModel" }) {
  return [how, model && [model, modelClass].filter(Boolean).join(", ")].filter(Boolean).join("\n")
}

/** Shows the explanation of a number, in place of any other. @param {HTMLElement} number */
function show(number) {
  if (explainedNumber === number) return
  hide()
  explainedNumber = number
  tooltip.replaceChildren(...contentOf(textOf(number.dataset)))
  number.setAttribute("aria-expanded", "true")
  number.setAttribute("aria-describedby", tooltip.id)
  if (hasPopovers) tooltip.showPopover()
  tooltip.hidden = false
  if (placeBeside(number, tooltip)) return
  // The keyboard can focus a number that is out of sight.
  number.scrollIntoView({ block: "center" })
  placeBeside(number, tooltip)
}

/** Hides the explanation, whichever number it is about. */
function hide() {
  explainedNumber?.setAttribute("aria-expanded", "false")
  explainedNumber?.removeAttribute("aria-describedby")
  explainedNumber = null
  if (hasPopovers) tooltip.hidePopover()
  tooltip.hidden = !hasPopovers
}

/** Unpins the pinned number, if any, and hides the explanation. */
function dismiss() {
  pinnedNumber = null
  hide()
}

/**
 * Shows the explanation of the pinned number after the pointer has left another one; if no number is pinned, hides the
 * explanation. An explanation with selected text stays, so that the text can be copied.
 */
function returnToPinned() {
  const selection = getSelection()
  if (selection && !selection.isCollapsed && isInside(selection.anchorNode)) return
  if (pinnedNumber) show(pinnedNumber)
  else hide()
}

/** Shows the explanation of the number under the pointer after a delay. If there is no such number, returns to the
 * pinned number.
 * @param {HTMLElement | null} number */
function hover(number) {
  if (number === hoveredNumber) return
  hoveredNumber = number
  clearTimeout(timer)
  if (number) timer = setTimeout(() => show(number), SHOW_DELAY)
  else timer = setTimeout(returnToPinned, HIDE_DELAY)
}

/** Pins a number, so that its explanation stays open. @param {HTMLElement} number */
function pin(number) {
  pinnedNumber = number
  show(number)
}

for (const number of document.querySelectorAll(NUMBER_SELECTOR)) {
  number.setAttribute("role", "button")
  number.setAttribute("aria-expanded", "false")
}

document.addEventListener("pointerover", ({ target, pointerType }) => {
  if (pointerType !== "touch") hover(isInside(target) ? explainedNumber : numberAt(target))
})
document.documentElement.addEventListener("pointerleave", ({ pointerType }) => {
  if (pointerType !== "touch") hover(null) // a finger leaves the page whenever it is lifted
})
document.addEventListener(
  "pointerdown",
  ({ target }) => {
    pinnedBeforePress = pinnedNumber
    // Pressing on the explanation removes the focus from its number. The number counts as pointed at, so that
    // the explanation stays.
    if (isInside(target)) hoveredNumber = explainedNumber
    else if (numberAt(target) !== explainedNumber) dismiss()
  },
  true,
)
document.addEventListener("click", ({ target }) => {
  const number = numberAt(target)
  if (number && explainedNumber === number && pinnedBeforePress === number) dismiss()
  else if (number) pin(number)
})
document.addEventListener("focusin", ({ target }) => {
  const number = numberAt(target)
  if (number) pin(number)
})
document.addEventListener("focusout", ({ target }) => {
  // If the pointer is still on a number, its explanation stays after the number has lost the focus.
  if (target !== pinnedNumber) return
  pinnedNumber = null
  if (hoveredNumber !== explainedNumber) hide()
})
document.addEventListener(
  "keydown",
  (event) => {
    const number = numberAt(event.target)
    const isPress = event.key === "Enter" || event.key === " "
    if (explainedNumber && (event.key === "Escape" || (isPress && number === explainedNumber))) dismiss()
    else if (number && isPress) pin(number)
    else return
    // So that Escape closes nothing else, and the space bar does not scroll the page.
    event.preventDefault()
    event.stopPropagation()
  },
  true,
)

/** Keeps the explanation next to its number, and hides it once the number is out of sight. */
function follow() {
  if (explainedNumber && !placeBeside(explainedNumber, tooltip)) hide()
}
document.addEventListener("scroll", follow, { capture: true, passive: true })
addEventListener("resize", follow)
// Content that unfolds or loads above a number moves the number without scrolling.
new ResizeObserver(follow).observe(document.querySelector("article") ?? document.body)
