// Where a number comes from, in one element that is filled for the number that
// is pointed at, focused or tapped. WCAG 2.2, 1.4.13, says what it must allow:
//
// - it can be pointed at, and so its text selected: it waits before it goes,
//   and one number must be pointed at for a moment before it takes over;
// - Escape puts it away, and the focus stays where it is;
// - it stays until then, or until neither pointer nor focus are there.
//
// A number becomes a button whose name is the number alone; the explanation
// describes it while it is shown. Until this script has run, or where none
// does, the style sheet shows the same beside numbers that are no buttons.

import { html, unbroken } from "../drawing/html.js"
import { beside } from "./beside.js"

const NUMBERS = "data[data-how]"
const ENTERING = 100 // milliseconds, enough to cross a number on the way to another one's explanation
const LEAVING = 400 // milliseconds, enough to reach the explanation from its number

const canPop = "popover" in HTMLElement.prototype
const shown = html`<div class="bc-how" id="bc-how" role="tooltip"></div>`
if (canPop) shown.popover = "manual" // what is open already, such as the window with a citation, stays open
shown.hidden = !canPop
document.body.append(shown)

/** The number that is explained. @type {HTMLElement | null} */
let current = null
/** The number that the pointer is at, or at whose explanation it is. @type {HTMLElement | null} */
let pointed = null
/** The number that keeps its explanation while the pointer is elsewhere: it is focused or was tapped. @type {HTMLElement | null} */
let pinned = null
/** Which one that was before the pointer was pressed, which focuses a number. @type {HTMLElement | null} */
let pinnedBefore = null
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer

/** @param {EventTarget | null} target @returns {HTMLElement | null} */
const numberAt = (target) => (target instanceof Element ? target.closest(NUMBERS) : null)
/** @param {EventTarget | null} target */
const isInside = (target) => target instanceof Node && shown.contains(target)

/** The formula and the sum, and below them the model and the class, which is `BertModel` where a page leaves it out.
 * @param {DOMStringMap} data */
function textOf({ how = "", model, class: modelClass = "BertModel" }) {
  return [how, model && [model, modelClass].filter(Boolean).join(", ")].filter(Boolean).join("\n")
}

/** @param {HTMLElement} number */
function show(number) {
  if (current === number) return
  hide()
  current = number
  shown.replaceChildren(...unbroken(textOf(number.dataset)))
  number.setAttribute("aria-expanded", "true")
  number.setAttribute("aria-describedby", shown.id)
  if (canPop) shown.showPopover()
  shown.hidden = false
  if (beside(number, shown)) return
  number.scrollIntoView({ block: "center" })
  beside(number, shown)
}

function hide() {
  current?.setAttribute("aria-expanded", "false")
  current?.removeAttribute("aria-describedby")
  current = null
  if (canPop) shown.hidePopover()
  shown.hidden = !canPop
}

/** Put the explanation away until its number is pointed at, focused or tapped anew. */
function dismiss() {
  pinned = null
  hide()
}

/** What is shown when the pointer has gone: what is selected in an explanation stays, to be copied. */
function rest() {
  const selection = getSelection()
  if (selection && !selection.isCollapsed && isInside(selection.anchorNode)) return
  if (pinned) show(pinned)
  else hide()
}

/** @param {HTMLElement | null} number */
function point(number) {
  if (number === pointed) return
  pointed = number
  clearTimeout(timer)
  timer = setTimeout(() => (number ? show(number) : rest()), number ? ENTERING : LEAVING)
}

/** @param {HTMLElement} number */
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
  if (pointerType !== "touch") point(null) // a finger that is lifted leaves everything
})
document.addEventListener(
  "pointerdown",
  ({ target }) => {
    pinnedBefore = pinned
    // Pressed, the explanation takes the focus off its number, and stays.
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
    // Nothing else that is open goes with it, and the page does not scroll.
    event.preventDefault()
    event.stopPropagation()
  },
  true,
)

function follow() {
  if (current && !beside(current, shown)) hide()
}
document.addEventListener("scroll", follow, { capture: true, passive: true })
addEventListener("resize", follow)
// What is opened or comes late above a number moves it, and nobody scrolls.
new ResizeObserver(follow).observe(document.querySelector("article") ?? document.body)
