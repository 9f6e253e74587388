// The story on the first page: the map is emptied and fills step by step, as
// the reader scrolls or asks for the next step, and the sum climbs with it.

import { html, unbroken } from "../drawing/html.js"

// How far down the window the step stands that is shown: below the map, or beside it.
const LINE = matchMedia("(max-width: 60em)").matches ? 0.6 : 0.25

/** Let one model's story be told step by step. @param {Element} story */
function tell(story) {
  const steps = [...story.querySelectorAll("li")]
  const blocks = /** @type {SVGElement[]} */ ([...story.querySelectorAll("[data-step]")])
  const sum = html`<output></output>`
  const [back, next] = [html`<button class="bc-button">Back</button>`, html`<button class="bc-button">Next</button>`]
  const status = html`<p class="bc-status" role="status"></p>`
  let now = 0

  /** Show what is counted after a step. @param {number} step */
  function show(step) {
    now = step
    for (const block of blocks) block.classList.toggle("bc-yet", Number(block.dataset.step) > now)
    for (const [order, each] of steps.entries()) each.setAttribute("aria-current", order === now ? "step" : "false")
    sum.replaceChildren(...unbroken(steps[now].dataset.sum ?? ""))
    back.setAttribute("aria-disabled", String(now === 0))
    next.setAttribute("aria-disabled", String(now === steps.length - 1))
  }

  /** @param {number} step */
  function go(step) {
    if (!steps[step]) return
    show(step)
    status.textContent = steps[step].innerText
    const { top, height } = steps[step].getBoundingClientRect()
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth"
    scrollBy({ top: top + height / 2 - innerHeight * (LINE + 0.005), behavior })
  }
  back.addEventListener("click", () => go(now - 1))
  next.addEventListener("click", () => go(now + 1))
  const counted = html`<span>${sum} of ${steps[steps.length - 1].dataset.sum ?? ""}</span>`
  const buttons = html`<p class="bc-buttons" data-needs-scripts>${[back, next]} ${counted}</p>`
  story.querySelector("figure")?.append(buttons, status)

  // The step that crosses the line, once the reader scrolls to it.
  const rootMargin = `-${100 * LINE}% 0px -${99 - 100 * LINE}% 0px`
  const crossed = (/** @type {IntersectionObserverEntry[]} */ seen) => {
    const step = seen.filter(({ isIntersecting }) => isIntersecting).pop()?.target
    if (step) show(steps.findIndex((each) => each === step))
  }
  const watch = new IntersectionObserver(crossed, { rootMargin })
  for (const each of steps) watch.observe(each)
  show(0)
}

for (const each of document.querySelectorAll(".bc-story > div")) tell(each)
