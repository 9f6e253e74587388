// The buttons of print-outs: each print-out can be copied as a whole, and
// unfolded at once. They are made here, so that a page without scripts shows
// no buttons that do nothing.

/** @param {string} text @param {() => void} act */
function button(text, act) {
  const made = Object.assign(document.createElement("button"), { type: "button", textContent: text })
  made.addEventListener("click", act)
  return made
}

/** @param {Element} listing @param {HTMLElement} status  where the outcome is announced */
function copyButton(listing, status) {
  const lines = () => [...listing.querySelectorAll("samp")].map((fold) => fold.textContent)
  return button("Copy as text", () => {
    navigator.clipboard.writeText(`${lines().join("\n")}\n`).then(
      () => (status.textContent = "Copied"),
      () => (status.textContent = "The browser does not allow it"),
    )
  })
}

/** @param {HTMLDetailsElement[]} folds */
function foldButton(folds) {
  const toggle = button("", () => {
    const open = !folds.every((fold) => fold.open)
    folds.forEach((fold) => (fold.open = open))
  })
  const name = () => (toggle.textContent = folds.every((fold) => fold.open) ? "Fold all" : "Expand all")
  folds.forEach((fold) => fold.addEventListener("toggle", name))
  name()
  return toggle
}

for (const listing of document.querySelectorAll(".bc-listing")) {
  const foot = /** @type {HTMLElement} */ (listing.querySelector(".bc-listing-foot"))
  const status = document.createElement("span")
  status.setAttribute("role", "status")
  const buttons = [foldButton([...listing.querySelectorAll("details")]), status]
  // Only a page that came safely may write to the clipboard.
  if (navigator.clipboard) buttons.unshift(copyButton(listing, status))
  foot.append(...buttons)
}
