// The field that accepts anything. Without scripts, it is a field for a number. This module
// replaces it with a field that looks the same, but accepts files and texts of several lines,
// and grows with its content.

// Whether the browser supports the style that makes the field grow. If not, its height is set at every change.
const GROWS_BY_ITSELF = CSS.supports("field-sizing", "content")

/** Reads the text of a file. The module that does so is loaded only now, because few readers open a file.
 * @param {File} file @returns {Promise<string>} */
export async function readFile(file) {
  const { textOfFile } = await import("../reading/files.js")
  return textOfFile(file)
}

/** Replaces the field for a number with one for several lines that has the same attributes, and returns the new field.
 * @param {HTMLInputElement} input @param {Element} description  the description of what the field accepts */
function replaceWithTextarea(input, description) {
  const field = document.createElement("textarea")
  for (const { name, value } of input.attributes) if (name !== "type") field.setAttribute(name, value)
  Object.assign(field, { rows: 1, value: input.value, enterKeyHint: "go" })
  // The first child is the text of the description; the second is a button.
  field.setAttribute("aria-describedby", description.children[0].id)
  const hadFocus = input === document.activeElement
  input.replaceWith(field)
  if (hadFocus) field.focus()
  return field
}

/** Sets a field in monospaced type if it has several lines, and makes it as high as its text if the browser does not.
 * @param {HTMLFormElement} form @param {HTMLTextAreaElement} field */
function fitToText(form, field) {
  form.classList.toggle("bc-has-lines", field.value.trim().includes("\n"))
  if (GROWS_BY_ITSELF) return
  field.style.height = "auto" // without this, the field would never shrink
  const borders = field.offsetHeight - field.clientHeight
  field.style.height = `${field.scrollHeight + borders}px`
}

/** Lets Enter submit a form. While a word is composed from several keys, as in Chinese, Enter only ends the
 * composition. In a text of several lines, Enter starts a new line, as Shift+Enter always does, and Ctrl+Enter or
 * Command+Enter submits.
 * @param {HTMLFormElement} form @param {HTMLTextAreaElement} field */
function submitByEnter(form, field) {
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return
    const isOneLine = !event.shiftKey && !form.matches(".bc-has-lines")
    if (!isOneLine && !event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    form.requestSubmit()
  })
}

/** Opens a file that is pasted into a field.
 * @param {HTMLTextAreaElement} field @param {(file: File) => void} open */
function openOnPaste(field, open) {
  field.addEventListener("paste", (event) => {
    const { files, types } = event.clipboardData ?? new DataTransfer()
    // Spreadsheets offer a picture of the cells along with their text.
    if (!files.length || types.includes("text/plain")) return
    event.preventDefault()
    open(files[0])
  })
}

/** Opens a file that is chosen with the button in the description below the field.
 * @param {Element} description @param {(file: File) => void} open */
function openOnChoice(description, open) {
  const chooser = document.createElement("input")
  chooser.type = "file"
  chooser.addEventListener("change", () => {
    if (chooser.files?.[0]) open(chooser.files[0])
    chooser.value = "" // so that the same file can be chosen again
  })
  description.querySelector("button")?.addEventListener("click", () => chooser.click())
}

/** Opens a file that is dropped anywhere on the main part of the page. Without this, the browser would leave the page
 * to open the file.
 * @param {HTMLFormElement} form @param {(file: File) => void} open */
function openOnDrop(form, open) {
  const zone = form.closest("main") ?? form
  /** Marks the field while a file is held over the page, and lets the page receive the file.
   * @param {DragEvent} event */
  const mark = (event) => {
    const hasFiles = event.dataTransfer?.types.includes("Files") ?? false
    if (hasFiles) event.preventDefault()
    form.classList.toggle("bc-drop", hasFiles && event.type === "dragover")
  }
  for (const name of /** @type {const} */ (["dragover", "dragleave", "drop"])) zone.addEventListener(name, mark)
  zone.addEventListener("drop", ({ dataTransfer }) => dataTransfer?.files.length && open(dataTransfer.files[0]))
}

/** Lets the field of a form accept files and texts of several lines. Returns a function that fills the field.
 * @param {HTMLFormElement} form  a form with a field `n`, and below it the description of what the field accepts
 * @param {(file: File) => void} open  called with each file that the reader chooses, pastes or drops */
export function takeAnything(form, open) {
  const description = /** @type {HTMLElement} */ (form.querySelector(".bc-takes"))
  const field = replaceWithTextarea(/** @type {HTMLInputElement} */ (form.elements.namedItem("n")), description)
  fitToText(form, field)
  field.addEventListener("input", () => fitToText(form, field))
  submitByEnter(form, field)
  openOnPaste(field, open)
  openOnChoice(description, open)
  openOnDrop(form, open)
  return (/** @type {string} */ text) => {
    field.value = text
    fitToText(form, field)
  }
}

/** A sentence about an error that occurred while a file was read. @param {unknown} error */
export const readErrorText = (error) =>
  error instanceof Error && error.name === "FileRefused" ? error.message : "The browser could not read this file."
