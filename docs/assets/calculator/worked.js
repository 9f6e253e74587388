"use strict"
// The formula of the calculator's total, and the sum worked out to its result.
{
  const { live, elements, calculator } = bertCounted
  const { place, say } = live
  const { element, code } = elements

  const formula = code("")
  const steps = element("ol", { class: "bc-lines" })
  const title = element("p", { class: "bc-hint" }, "In letters, and with the sizes put in for them:")
  place("worked-place").append(title, element("p", { class: "bc-formula-line" }, formula), steps)

  /** @param {Shown} shown */
  function show({ counted }) {
    say(formula, counted.formula)
    while (steps.children.length > counted.sum.length) steps.lastElementChild?.remove()
    counted.sum.forEach((line, order) => {
      const item = steps.children[order] ?? steps.appendChild(element("li", {}, element("span", { class: "bc-key" }), element("span", { class: "bc-line-of-sum" })))
      const [key, text] = item.children
      const style = `bc-key ${live.styleOf(line.block)}`
      if (key.className !== style) key.className = style
      say(text, line.text)
    })
  }

  calculator.panels.push(show)
}
