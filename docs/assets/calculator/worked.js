// The formula of the calculator's total, and the sum worked out to its result.

import { html } from "../drawing/html.js"
import { place, say, styleOf } from "./live.js"

/** @type {Record<string, string>} */
const WORDS = { layer: "one layer", whole: "everything" }
const around = place("worked-place")
const [formula, steps] = [..."code ol".split(" ")].map(
  (each) => /** @type {HTMLElement} */ (around.querySelector(each)),
)

/** @param {Shown} shown */
function show({ counted }) {
  say(formula, counted.formula)
  const { sum } = counted // worked out when it is asked for
  while (steps.children.length > sum.length) steps.lastElementChild?.remove()
  while (steps.children.length < sum.length)
    steps.append(html`<li><span></span><span class="bc-line-of-sum"></span><span class="bc-what"></span></li>`)
  sum.forEach((line, order) => {
    const [key, text, what] = steps.children[order].children
    const style = line.block ? `bc-key ${styleOf(line.block)}` : "bc-key"
    if (key.className !== style) key.className = style
    say(text, line.text)
    const title = line.kind === "block" && counted.parts.find((each) => each.block === line.block)?.title
    say(what, WORDS[line.kind] ?? (title || ""))
  })
}

/** @type {Panel} */
export const panel = { show, place: around }
