// The menu of narrow windows. The theme builds it from labels and checkboxes, which
// only a pointer can use. Here the label that opens the menu, those that lead into a
// section and those that lead back become buttons for the keyboard. In wide windows
// the same labels are hidden or plain headings, so the Tab key skips them.
//
// The menu opens at its top level. Without scripts it does so once, because no section
// is checked in the built page (docs/.overrides/main.html); with them, every time.
//
// The theme stores what is open in checkboxes: `#__drawer` for the menu, one for each
// section, and `#__toc` for the table of contents of the page. A style sheet does the rest.

/** @type {HTMLInputElement | null} */
const drawer = document.querySelector("#__drawer")
/** @type {HTMLLabelElement | null} */
const opener = document.querySelector(".md-header__button[for=__drawer]")
const menu = document.querySelector(".md-nav--primary")
// Up to this width the theme shows a menu, above it tabs. The number is the one in its style sheet.
const narrowWindow = matchMedia("(max-width: 76.234375em)")

if (drawer && opener && menu) {
  /** @type {NodeListOf<HTMLInputElement>} */
  const sectionBoxes = menu.querySelectorAll(":scope > ul > li > .md-nav__toggle, #__toc")
  /**
   * The labels that lead into a section.
   * @type {NodeListOf<HTMLLabelElement>}
   */
  const entries = menu.querySelectorAll(":scope > ul > li > label")
  /**
   * The title of each open section, which leads back.
   * @type {NodeListOf<HTMLLabelElement>}
   */
  const backLabels = menu.querySelectorAll(":scope .md-nav > .md-nav__title")
  /**
   * The label that leads to the table of contents.
   * @type {NodeListOf<HTMLLabelElement>}
   */
  const contentsLabels = menu.querySelectorAll(".md-nav__link[for=__toc]")
  const buttons = [opener, ...entries, ...backLabels, ...contentsLabels]

  /** Makes the labels buttons in a narrow window, and plain labels again in a wide one. */
  const setRoles = () => {
    for (const button of buttons) {
      if (narrowWindow.matches) {
        button.setAttribute("role", "button")
        button.setAttribute("tabindex", "0")
      } else {
        button.removeAttribute("role")
        button.removeAttribute("tabindex")
      }
    }
  }
  setRoles()
  narrowWindow.addEventListener("change", setRoles)
  opener.setAttribute("aria-label", "Menu")
  opener.setAttribute("aria-expanded", `${drawer.checked}`)

  drawer.addEventListener("change", () => {
    opener.setAttribute("aria-expanded", `${drawer.checked}`)
    if (!drawer.checked) return
    for (const box of sectionBoxes) box.checked = false // so that the menu opens at its top level
    // Only for the keyboard: with a pointer, the focused entry would look like the current one.
    if (opener.matches(":focus-visible")) entries[0]?.focus()
  })

  document.addEventListener("keydown", (event) => {
    const button = buttons.find((candidate) => candidate === event.target)
    if (event.key === " " && button) {
      // The theme clicks a label on Enter; a button must also respond to the space bar.
      event.preventDefault() // the space bar would scroll the page
      button.click()
    } else if (event.key === "Escape" && drawer.checked) {
      drawer.click()
      opener.focus()
    }
  })
}
