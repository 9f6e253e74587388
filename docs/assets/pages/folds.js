// Opens the folds around what an address names, and the fold itself if it is one. Browsers
// open only the folds around it, and older ones none.

function unfold() {
  const named = document.querySelector(":target")
  /** @type {HTMLDetailsElement[]} */
  const closed = []
  for (let fold = named?.closest("details"); fold; fold = fold.parentElement?.closest("details"))
    if (!fold.open) closed.push(fold)
  for (const fold of closed) fold.open = true
  if (closed.length) named?.scrollIntoView()
}

unfold()
addEventListener("hashchange", unfold)
