// Opens the fold that an address names, and the folds around whatever it names. Browsers
// by themselves open only the latter, and older ones neither.

/** Opens the folds around the target of the address, and scrolls to where it is then. */
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
