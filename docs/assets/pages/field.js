// The field for a number, a text or a file on a page that explains nothing itself, such as
// the first page. The built page contains a form for a number. The scripts that let it accept
// texts and files are fetched when the reader is about to use the form.

const form = /** @type {HTMLFormElement & { n: HTMLTextAreaElement }} */ (document.querySelector("form.bc-anything"))
const button = /** @type {HTMLElement} */ (form.querySelector(".bc-takes button"))
let isReady = false

/** Lets the form accept texts and files. Several events may call this function before the script has loaded. */
async function prepare() {
  const { handOverFrom } = await import("../answering/hand-over.js")
  if (!isReady) handOverFrom(form)
  isReady = true
}

form.classList.add("bc-ready") // shows the button that opens a file
for (const name of ["focusin", "pointerenter"]) form.addEventListener(name, prepare, { once: true })
document.addEventListener("dragenter", prepare, { once: true })
// On a touch screen, a tap may be the first event, so it is repeated once the script has loaded.
button.addEventListener("click", () => isReady || prepare().then(() => button.click()), { once: true })
