// Opens the `<details>` that the URL's fragment points to, and every `<details>` around
// its target. On their own, browsers open only the latter; older ones open neither.

/** Opens the target, if it is a `<details>`, and those around it, then scrolls to where it has moved. */
function unfold() {
  const target = document.querySelector(":target")
  /** @type {HTMLDetailsElement[]} */
  const closed = []
  for (let fold = target?.closest("details"); fold; fold = fold.parentElement?.closest("details"))
    if (!fold.open) closed.push(fold)
  for (const fold of closed) fold.open = true
  if (closed.length) target?.scrollIntoView()
}

unfold()
addEventListener("hashchange", unfold)
