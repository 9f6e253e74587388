// Each print-out can be copied as a whole, and unfolded at once. The buttons
// are made here, so that a page without scripts shows none that do nothing.
function button(text, act) {
  const made = Object.assign(document.createElement("button"), { type: "button", textContent: text })
  made.addEventListener("click", act)
  return made
}

function copyButton(listing, status) {
  const lines = () => [...listing.querySelectorAll("samp")].map((fold) => fold.textContent)
  return button("Copy as text", () => {
    navigator.clipboard.writeText(`${lines().join("\n")}\n`).then(
      () => (status.textContent = "Copied"),
      () => (status.textContent = "The browser does not allow it"),
    )
  })
}

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
  const status = document.createElement("span")
  status.setAttribute("role", "status")
  const buttons = [foldButton([...listing.querySelectorAll("details")]), status]
  // Only a page that came safely may write to the clipboard.
  if (navigator.clipboard) buttons.unshift(copyButton(listing, status))
  listing.querySelector(".bc-listing-foot").append(...buttons)
}
