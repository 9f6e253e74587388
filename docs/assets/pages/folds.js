// Opens the `<details>` that the URL's fragment points to, and every `<details>` around
// its target. On their own, browsers open only the latter; older ones open neither.

/** Opens the target, if it is a `<details>`, and those around it, then scrolls to where it has moved. */
function unfold() {
  const target = document.querySelector(":target")
  /** @type {HTMLDetailsElement[]} */
  const closedFolds = []
  for (let fold = target?.closest("details"); fold; fold = fold.parentElement?.closest("details"))
    if (!fold.open) closedFolds.push(fold)
  for (const fold of closedFolds) fold.open = true
  if (closedFolds.length) target?.scrollIntoView()
}

unfold()
addEventListener("hashchange", unfold)
