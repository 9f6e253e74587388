// The buttons of print-outs: each print-out can be copied as a whole, and
// unfolded at once. They are made here, so that a page without scripts shows
// no buttons that do nothing.

import { html } from "../drawing/html.js"

for (const listing of document.querySelectorAll(".bc-listing")) {
  const folds = [...listing.querySelectorAll("details")]
  const [copy, toggle] = ["Copy as text", ""].map((text) => html`<button type="button">${text}</button>`)
  const status = html`<span role="status"></span>`
  const areOpen = () => folds.every((fold) => fold.open)
  const name = () => (toggle.textContent = areOpen() ? "Fold all" : "Expand all")
  for (const fold of folds) fold.addEventListener("toggle", name)
  name()
  toggle.addEventListener("click", () => {
    const open = !areOpen()
    for (const fold of folds) fold.open = open
  })
  copy.addEventListener("click", () => {
    const lines = [...listing.querySelectorAll("samp")].map((fold) => fold.textContent)
    navigator.clipboard.writeText(`${lines.join("\n")}\n`).then(
      () => (status.textContent = "Copied"),
      () => (status.textContent = "The browser does not allow it"),
    )
  })
  // Only a page that came safely may write to the clipboard, and only the whole of a print-out is worth it.
  const copied = navigator.clipboard && !listing.matches(".bc-brief") ? [copy] : []
  listing.querySelector(".bc-listing-foot")?.append(...copied, toggle, status)
}
