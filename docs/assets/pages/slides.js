// The slides of the lesson, one at a time. Without scripts, they form a strip that scrolls
// sideways or, on a phone, a column. This script adds buttons and keys that turn the slides,
// and a button that shows the strip in full screen for a class.

import { html } from "../drawing/html.js"

/** How many slides each key moves forward. Presenters' remote controls send Page Up and Page Down.
 * @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, PageUp: -1, ArrowRight: 1, PageDown: 1, " ": 1, Home: -Infinity, End: Infinity }

/**
 * Whether a key turns to another slide. With Alt, Ctrl or Meta it does not: Alt with an arrow key, for example,
 * navigates in the browser's history. On a number, the space bar shows the explanation instead.
 * @param {KeyboardEvent} event
 * @param {Element} strip
 */
const isTurningKey = ({ key, altKey, ctrlKey, metaKey, target }, strip) =>
  key in STEPS && !(altKey || ctrlKey || metaKey) && (key !== " " || target === strip)

/**
 * Adds the buttons, and lets the keys turn the slides.
 * @param {HTMLElement} strip
 */
function present(strip) {
  const slides = [...strip.children]
  const [back, next] = [html`<button class="bc-button">Back</button>`, html`<button class="bc-button">Next</button>`]
  const fullScreen = html`<button class="bc-button">Full screen</button>`
  const counter = html`<output></output>`

  const currentIndex = () => Math.round(strip.scrollLeft / strip.clientWidth)

  /** Goes forward by `step` slides, or back if it is negative, but not beyond the ends. @param {number} step */
  function turn(step) {
    const index = Math.min(Math.max(currentIndex() + step, 0), slides.length - 1)
    // Instantly, because a second press during an animation would start from the slide that is still in view.
    strip.scrollTo({ left: index * strip.clientWidth, behavior: "instant" })
  }

  /** Shows the number of the slide in view, and disables a button that has no slide to turn to. */
  function show() {
    const index = currentIndex()
    counter.textContent = `Slide ${index + 1} of ${slides.length}`
    back.setAttribute("aria-disabled", String(index === 0))
    next.setAttribute("aria-disabled", String(index === slides.length - 1))
  }

  back.addEventListener("click", () => turn(-1))
  next.addEventListener("click", () => turn(1))
  fullScreen.addEventListener("click", async () => {
    await strip.requestFullscreen()
    strip.focus()
  })
  strip.addEventListener("keydown", (event) => {
    if (!isTurningKey(event, strip)) return
    event.preventDefault()
    turn(STEPS[event.key])
  })
  strip.addEventListener("scroll", show)
  // The buttons are below the slide, so that the Tab key reaches its numbers first.
  strip.after(html`<p class="bc-buttons bc-turning" data-needs-scripts>${[back, next]} ${counter} ${fullScreen}</p>`)
  show()
}

const strip = /** @type {HTMLElement} */ (document.querySelector(".bc-slides"))
// On a phone the slides are stacked, so there is nothing to turn.
if (getComputedStyle(strip).display === "grid") present(strip)
