/* Returns what an element of the rendered page offers readers: its texts, including those for screen readers, the
 * explanations of its numbers, and its sums, bridges, comparisons and waterfalls. */
(root) => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(".bc-level { display: grid !important }")
  document.adoptedStyleSheets = [sheet]
  for (const fold of root.querySelectorAll("details")) fold.open = true

  const elements = (selector, within = root) => [...within.querySelectorAll(selector)]
  const textOf = (element) => element.innerText ?? element.textContent // SVG has no innerText
  const texts = (selector, within) => elements(selector, within).map(textOf)
  const tables = elements("table.bc")
  const rows = (table) => elements(":is(tbody, tfoot) tr", table).map((row) => texts("td", row))
  /** Returns the text of a sum without the names of its terms. */
  const withoutNames = (sum) => {
    const copy = sum.cloneNode(true)
    for (const name of elements("small", copy)) name.remove()
    return copy.textContent.replace(/\s+/g, " ").trim()
  }
  const panelOf = (element) => element.closest("[data-times]")

  return {
    texts: [textOf(root), ...texts("svg :is(text, title, desc)"), ...elements("[aria-label]").map((element) => element.ariaLabel)],
    explanations: elements("data[data-how]").map((number) => number.dataset.how),
    sums: [...elements(".bc-steps").map((sum) => texts(".bc-line-of-sum", sum)), texts(".bc-sum code")].filter((sum) => sum.length),
    // On a sheet that readers fill in, sums have no numbers yet.
    levels: elements(".bc-level-sum").filter((sum) => !sum.closest(".bc-unnumbered")).map((sum) => ({
      sum: withoutNames(sum),
      figure: sum.previousElementSibling?.querySelector("desc")?.textContent ?? sum.previousElementSibling?.querySelector("svg")?.ariaLabel ?? "",
      heading: sum.closest(".bc-level")?.querySelector("h2 small")?.innerText ?? "",
    })),
    bridges: tables
      .filter((table) => /^(step|to put it right)$/u.test(texts("thead th", table)[0]) && /^[+−]/u.test(rows(table)[1]?.[0]))
      .map((table) => ({
        steps: rows(table).map(([number]) => number),
        lines: elements("tbody data", table)
          .filter((number) => /^[+−]/u.test(number.textContent))
          .map((number) => number.dataset.how.split("\n").at(-1)),
      })),
    // Each row ends with one total, the difference and the other total.
    comparisons: tables.filter((table) => texts("thead th", table).at(-2) === "difference").map(rows),
    waterfalls: elements("svg.bc-bars").filter((svg) => svg.querySelector(".bc-added, .bc-taken")).map((svg) => ({
      labels: elements("text.bc-figures", svg).filter((text) => !panelOf(text)).map(textOf),
      panels: elements("[data-times]", svg).map((panel) => texts("text.bc-figures", panel)),
      titles: elements("[data-from] > title", svg).filter((text) => !panelOf(text)).map(textOf),
      description: svg.querySelector("desc")?.textContent ?? "",
    })),
  }
}
