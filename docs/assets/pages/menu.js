// The menu of narrow windows. The theme builds it from labels and checkboxes, which
// only a pointer can use. Here the labels that lead into a section and those that lead
// back become buttons for the keyboard, and the one that opens the menu gets a button
// inside. In wide windows they are hidden or plain headings, so the Tab key skips them.
//
// The menu opens at its top level. Without scripts it does so once, because no section
// is checked in the built page (docs/.overrides/main.html); with them, every time.
//
// The theme stores what is open in checkboxes: `#__drawer` for the menu, one for each
// section, and `#__toc` for the table of contents of the page. A style sheet does the rest.

import { html } from "../drawing/html.js"

/** @type {HTMLInputElement | null} */
const drawer = document.querySelector("#__drawer")
/** @type {HTMLLabelElement | null} */
const openerLabel = document.querySelector(".md-header__button[for=__drawer]")
const menu = document.querySelector(".md-nav--primary")
// Up to this width the theme shows a menu, above it tabs. The number is the one in its style sheet.
const narrowWindow = matchMedia("(max-width: 76.234375em)")

if (drawer && openerLabel && menu) {
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
  const labels = [...entries, ...backLabels, ...contentsLabels]
  // The label stands on every page, and a label may not have the role of a button; so the button is inside, around the icon.
  const opener = html`<span role="button" tabindex="0" aria-label="Menu"></span>`
  opener.append(...openerLabel.childNodes)
  openerLabel.append(opener)

  /** Makes the labels buttons in a narrow window, and plain labels again in a wide one. */
  const setRoles = () => {
    for (const label of labels) {
      if (narrowWindow.matches) {
        label.setAttribute("role", "button")
        label.setAttribute("tabindex", "0")
      } else {
        label.removeAttribute("role")
        label.removeAttribute("tabindex")
      }
    }
  }
  setRoles()
  narrowWindow.addEventListener("change", setRoles)
  opener.setAttribute("aria-expanded", `${drawer.checked}`)

  drawer.addEventListener("change", () => {
    opener.setAttribute("aria-expanded", `${drawer.checked}`)
    if (!drawer.checked) return
    for (const box of sectionBoxes) box.checked = false // so that the menu opens at its top level
    // Only for the keyboard: with a pointer, the focused entry would look like the current one.
    if (opener.matches(":focus-visible")) entries[0]?.focus()
  })

  document.addEventListener("keydown", (event) => {
    const button = [opener, ...labels].find((candidate) => candidate === event.target)
    // A button responds to both keys. On Enter, the theme clicks a label itself.
    if (button && (event.key === " " || (event.key === "Enter" && button === opener))) {
      event.preventDefault() // the space bar would scroll the page
      event.stopPropagation() // the theme would click the entry that is focused once the menu is open
      button.click()
    } else if (event.key === "Escape" && drawer.checked) {
      drawer.click()
      opener.focus()
    }
  })
}
