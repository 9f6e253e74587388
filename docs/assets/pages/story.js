// The story on the first page, which counts a model step by step. Without scripts, it is a map
// with a list of steps. With this script, the map is empty at first and fills as the reader scrolls
// or presses Next, and the sum grows with it. A step becomes the current one when it crosses an
// imaginary line across the window; Next and Back scroll a step to this line.

import { contentOf, html } from "../drawing/html.js"

// The distance of the line from the top, as a share of the window's height. In a narrow window the steps scroll below
// the map, in a wide one next to it.
const LINE_POSITION = matchMedia("(max-width: 60em)").matches ? 0.6 : 0.25

/**
 * Shows the story of one model step by step.
 * @param {Element} story
 */
function present(story) {
  const steps = [...story.querySelectorAll("li")]
  const blocks = /** @type {SVGElement[]} */ ([...story.querySelectorAll("[data-step]")])
  const sum = html`<output></output>`
  const [back, next] = [html`<button class="bc-button">Back</button>`, html`<button class="bc-button">Next</button>`]
  const status = html`<p class="bc-status" role="status"></p>`
  let currentIndex = 0

  /**
   * Shows what has been counted after a step.
   * @param {number} index
   */
  function show(index) {
    currentIndex = index
    for (const block of blocks) block.classList.toggle("bc-yet", Number(block.dataset.step) > currentIndex)
    for (const step of steps) step.setAttribute("aria-current", step === steps[currentIndex] ? "step" : "false")
    sum.replaceChildren(...contentOf(steps[currentIndex].dataset.sum ?? ""))
    back.setAttribute("aria-disabled", String(currentIndex === 0))
    next.setAttribute("aria-disabled", String(currentIndex === steps.length - 1))
  }

  /**
   * Shows a step, announces it to screen readers, and scrolls to it.
   * @param {number} index
   */
  function goTo(index) {
    const step = steps[index]
    if (!step) return
    show(index)
    status.textContent = step.innerText
    scrollToStep(step)
  }
  back.addEventListener("click", () => goTo(currentIndex - 1))
  next.addEventListener("click", () => goTo(currentIndex + 1))
  const progress = html`<span>${sum} of ${steps[steps.length - 1].dataset.sum ?? ""}</span>`
  const buttons = html`<p class="bc-buttons" data-needs-scripts>${[back, next]} ${progress}</p>`
  story.querySelector("figure")?.append(buttons, status)
  observeCrossings(steps, show)
  show(0)
}

/**
 * Scrolls a step to the middle of the strip in which crossings are observed, whose height is 1% of the window's.
 * @param {HTMLElement} step
 */
function scrollToStep(step) {
  const { top, height } = step.getBoundingClientRect()
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth"
  const middleOfStrip = innerHeight * (LINE_POSITION + 0.005)
  scrollBy({ top: top + height / 2 - middleOfStrip, behavior })
}

/**
 * Shows whichever step crosses the line as the reader scrolls.
 * @param {HTMLElement[]} steps
 * @param {(index: number) => void} show
 */
function observeCrossings(steps, show) {
  // The margins leave a strip of 1% of the window's height, just below the line.
  const rootMargin = `-${100 * LINE_POSITION}% 0px -${99 - 100 * LINE_POSITION}% 0px`
  /** Makes the step that crosses the line the current one. @param {IntersectionObserverEntry[]} entries */
  const onCrossing = (entries) => {
    const crossing = entries.filter(({ isIntersecting }) => isIntersecting).pop()?.target
    if (crossing) show(steps.findIndex((step) => step === crossing))
  }
  const observer = new IntersectionObserver(onCrossing, { rootMargin })
  for (const step of steps) observer.observe(step)
}

for (const story of document.querySelectorAll(".bc-story > div")) present(story)
