// The menu of narrow windows. The theme builds it from labels and checkboxes, which
// only a pointer can use. Here the label that opens the menu, those that lead into a
// section and those that lead back become buttons for the keyboard. In wide windows
// the same labels are hidden or plain headings, so the Tab key skips them.
//
// The menu opens at its top level. Without scripts it does so once, because no section
// is checked in the built page (docs/.overrides/main.html); with them, every time.

/** @type {HTMLInputElement | null} */
const drawer = document.querySelector("#__drawer")
/** @type {HTMLLabelElement | null} */
const opener = document.querySelector(".md-header__button[for=__drawer]")
const menu = document.querySelector(".md-nav--primary")
// Above this width the theme shows tabs instead, by its style sheet.
const narrow = matchMedia("(max-width: 76.234375em)")

if (drawer && opener && menu) {
  /** @type {NodeListOf<HTMLInputElement>} */
  const sections = menu.querySelectorAll(":scope > ul > li > .md-nav__toggle, #__toc")
  /** @type {NodeListOf<HTMLLabelElement>} */
  const entries = menu.querySelectorAll(":scope > ul > li > label")
  /** @type {NodeListOf<HTMLLabelElement>} */
  const headings = menu.querySelectorAll(":scope .md-nav > .md-nav__title")
  /** @type {NodeListOf<HTMLLabelElement>} */
  const contents = menu.querySelectorAll(".md-nav__link[for=__toc]")
  const buttons = [opener, ...entries, ...headings, ...contents]

  const setRoles = () => {
    for (const button of buttons) {
      if (narrow.matches) {
        button.setAttribute("role", "button")
        button.setAttribute("tabindex", "0")
      } else {
        button.removeAttribute("role")
        button.removeAttribute("tabindex")
      }
    }
  }
  setRoles()
  narrow.addEventListener("change", setRoles)
  opener.setAttribute("aria-label", "Menu")
  opener.setAttribute("aria-expanded", `${drawer.checked}`)

  drawer.addEventListener("change", () => {
    opener.setAttribute("aria-expanded", `${drawer.checked}`)
    if (!drawer.checked) return
    for (const section of sections) section.checked = false
    // Only for the keyboard: with a pointer, the focused entry would look like the current one.
    if (opener.matches(":focus-visible")) entries[0]?.focus()
  })

  document.addEventListener("keydown", (event) => {
    const pressed = buttons.find((button) => button === event.target)
    if (event.key === " " && pressed) {
      // The theme clicks a label on Enter; a button must also respond to the space bar.
      event.preventDefault()
      pressed.click()
    } else if (event.key === "Escape" && drawer.checked) {
      drawer.click()
      opener.focus()
    }
  })
}
