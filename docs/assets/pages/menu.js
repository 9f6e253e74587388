// Makes the menu of narrow windows accessible by keyboard. The theme builds the menu from
// labels and checkboxes, which only a pointer can use. This script turns the labels that lead
// into a section or back into buttons, and puts a button into the label that opens the menu.
// In wide windows the labels are hidden or plain headings, so the Tab key skips them.
//
// The menu always opens at its top level, because this script unchecks all sections when the menu
// opens. Without scripts, it opens there only the first time, because no section is checked in the built page
// (docs/.overrides/main.html).
//
// The theme stores the state of the menu in checkboxes: `#__drawer` for the menu, one for each
// section, and `#__toc` for the table of contents of the page. The style sheet does the rest.

import { html } from "../drawing/html.js"

/** @type {HTMLInputElement | null} */
const drawer = document.querySelector("#__drawer")
/** @type {HTMLLabelElement | null} */
const openerLabel = document.querySelector(".md-header__button[for=__drawer]")
const menu = document.querySelector(".md-nav--primary")
// Up to this width the theme shows the menu, and above it tabs. The number comes from the theme's style sheet.
const narrowWindow = matchMedia("(max-width: 76.234375em)")

if (drawer && openerLabel && menu) {
  /** @type {NodeListOf<HTMLInputElement>} */
  const sectionBoxes = menu.querySelectorAll(":scope > ul > li > .md-nav__toggle, #__toc")
  /**
   * The labels that lead into a section.
   * @type {NodeListOf<HTMLLabelElement>}
   */
  const entryLabels = menu.querySelectorAll(":scope > ul > li > label")
  /**
   * The titles of the open sections, which lead back.
   * @type {NodeListOf<HTMLLabelElement>}
   */
  const backLabels = menu.querySelectorAll(":scope .md-nav > .md-nav__title")
  /**
   * The labels that lead to the table of contents.
   * @type {NodeListOf<HTMLLabelElement>}
   */
  const contentsLabels = menu.querySelectorAll(".md-nav__link[for=__toc]")
  const labels = [...entryLabels, ...backLabels, ...contentsLabels]
  // This label is on every page, and a label may not have the role of a button, so the button is inside it, around the
  // icon.
  const opener = html`<span role="button" tabindex="0" aria-label="Menu"></span>`
  opener.append(...openerLabel.childNodes)
  openerLabel.append(opener)

  /** Makes the labels buttons in a narrow window, and plain labels in a wide one. */
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
    for (const box of sectionBoxes) box.checked = false
    // Only for the keyboard: with a pointer, the focused entry would look like the current one.
    if (opener.matches(":focus-visible")) entryLabels[0]?.focus()
  })

  document.addEventListener("keydown", (event) => {
    const button = [opener, ...labels].find((candidate) => candidate === event.target)
    // A button responds to Enter and to the space bar. On Enter, the theme clicks a label itself.
    if (button && (event.key === " " || (event.key === "Enter" && button === opener))) {
      event.preventDefault() // otherwise the space bar would scroll the page
      event.stopPropagation() // otherwise the theme would click the entry that is focused once the menu is open
      button.click()
    } else if (event.key === "Escape" && drawer.checked) {
      drawer.click()
      opener.focus()
    }
  })
}
