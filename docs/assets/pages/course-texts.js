// The citation window and the page of exercises offer texts to paste into course pages. This script
// finds the address of the page for those texts, and copies them.

/** The published address of this page, without its query and fragment; the current address if the page states none. */
export function pageAddress() {
  const canonical = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=canonical]"))
  return (canonical?.href ?? location.href).split(/[?#]/)[0]
}

/**
 * Copies a text or, if the browser refuses, shows it selected in a field. Resolves to a message about the result.
 * @param {string} text
 * @param {string} name  the name of the text in the message
 * @param {HTMLTextAreaElement} field
 */
export async function copyOrSelect(text, name, field) {
  try {
    await navigator.clipboard.writeText(text)
    return `${name} copied`
  } catch {
    // The browser does not allow this page to write to the clipboard.
    Object.assign(field, { value: text, hidden: false })
    field.focus()
    field.select()
    return "The text is selected; copy it with Ctrl+C or ⌘C"
  }
}
