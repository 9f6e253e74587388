// The menu of narrow windows, which the theme makes of labels and check boxes.
// Without scripts it opens at the top level, since no section is checked in
// the built page (docs/.overrides/main.html), and is for a pointer. Here it
// also opens so a second time, and what opens it, leads into a section and
// leads back becomes a button for the keyboard. On a desk the same labels are
// hidden or mere headings, and no stops of the tab key.

/** @type {HTMLInputElement | null} */
const drawer = document.querySelector("#__drawer")
/** @type {HTMLLabelElement | null} */
const opener = document.querySelector(".md-header__button[for=__drawer]")
const menu = document.querySelector(".md-nav--primary")
// The width from which on the theme shows tabs instead, as its style sheet has it.
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

  const follow = () => {
    for (const each of buttons) {
      if (narrow.matches) {
        each.setAttribute("role", "button")
        each.setAttribute("tabindex", "0")
      } else {
        each.removeAttribute("role")
        each.removeAttribute("tabindex")
      }
    }
  }
  follow()
  narrow.addEventListener("change", follow)
  opener.setAttribute("aria-label", "Menu")
  opener.setAttribute("aria-expanded", `${drawer.checked}`)

  drawer.addEventListener("change", () => {
    opener.setAttribute("aria-expanded", `${drawer.checked}`)
    if (!drawer.checked) return
    for (const each of sections) each.checked = false
    // Who points at it would take the entry with the focus for the current one.
    if (opener.matches(":focus-visible")) entries[0]?.focus()
  })

  document.addEventListener("keydown", (event) => {
    const pressed = buttons.find((each) => each === event.target)
    if (event.key === " " && pressed) {
      // The theme clicks a label on Enter; a button also takes the space bar.
      event.preventDefault()
      pressed.click()
    } else if (event.key === "Escape" && drawer.checked) {
      drawer.click()
      opener.focus()
    }
  })
}
