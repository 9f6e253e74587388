// The formula of the calculator's total, and the sum worked out to its result.

import { code, element } from "../answering/elements.js"
import { place, say, styleOf } from "./live.js"

/** @type {Record<string, string>} */
const WORDS = { layer: "one layer", whole: "everything" }
const formula = code("")
const steps = element("ol", { class: "bc-lines" })
const title = element("p", { class: "bc-hint" }, "In letters, and with the sizes put in for them:")
place("worked-place").append(title, element("p", { class: "bc-formula-line" }, formula), steps)

/** @param {Shown} shown */
function show({ counted }) {
  say(formula, counted.formula)
  const { sum } = counted // worked out when it is asked for
  while (steps.children.length > sum.length) steps.lastElementChild?.remove()
  sum.forEach((line, order) => {
    const item =
      steps.children[order] ??
      steps.appendChild(
        element(
          "li",
          {},
          element("span"),
          element("span", { class: "bc-line-of-sum" }),
          element("span", { class: "bc-what" }),
        ),
      )
    const [key, text, what] = item.children
    const style = line.block ? `bc-key ${styleOf(line.block)}` : "bc-key"
    if (key.className !== style) key.className = style
    say(text, line.text)
    say(
      what,
      WORDS[line.kind] ??
        (line.kind === "block" ? (counted.parts.find((each) => each.block === line.block)?.title ?? "") : ""),
    )
  })
}

/** @type {Panel} */
export const panel = { show, place: place("worked-place") }
