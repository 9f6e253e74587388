// Adds to each print-out a button that unfolds or folds all of it and, if it is not abridged, a
// button that copies it, where the browser offers the clipboard. The script creates these
// buttons, so that without scripts no page has buttons that do nothing.

import { html } from "../drawing/html.js"

for (const listing of document.querySelectorAll(".bc-listing")) {
  const folds = [...listing.querySelectorAll("details")]
  const [copyButton, foldButton] = ["Copy as text", ""].map((text) => html`<button type="button">${text}</button>`)
  const status = html`<span role="status"></span>`
  const areAllOpen = () => folds.every((fold) => fold.open)
  /** Labels the fold button with its next action: folding or expanding everything. */
  const updateLabel = () => (foldButton.textContent = areAllOpen() ? "Fold all" : "Expand all")
  for (const fold of folds) fold.addEventListener("toggle", updateLabel)
  updateLabel()
  foldButton.addEventListener("click", () => {
    const shouldOpen = !areAllOpen()
    for (const fold of folds) fold.open = shouldOpen
  })
  copyButton.addEventListener("click", () => {
    const lines = [...listing.querySelectorAll("samp")].map((line) => line.textContent)
    navigator.clipboard.writeText(`${lines.join("\n")}\n`).then(
      () => (status.textContent = "Copied"),
      () => (status.textContent = "Your browser does not allow copying"),
    )
  })
  // Browsers offer the clipboard only in secure contexts, and an abridged print-out is not worth copying.
  const canCopy = navigator.clipboard && !listing.matches(".bc-brief")
  listing.querySelector(".bc-listing-foot")?.append(...(canCopy ? [copyButton] : []), foldButton, status)
}
