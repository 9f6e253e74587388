// The field for a number, a text or a file on a page that explains nothing itself, such as
// the first page. It is in the built page as a form for a number. The scripts that let it take
// more are fetched when somebody is about to use it, and then run once.

const form = /** @type {HTMLFormElement & { n: HTMLTextAreaElement }} */ (document.querySelector("form.bc-anything"))
const button = /** @type {HTMLElement} */ (form.querySelector(".bc-takes button"))
let isReady = false

/** Lets the form take texts and files. Several events may call it before the script has come. */
async function prepare() {
  const { handOverFrom } = await import("../answering/hand-over.js")
  if (!isReady) handOverFrom(form)
  isReady = true
}

form.classList.add("bc-ready") // shows the button that opens a file
for (const name of ["focusin", "pointerenter"]) form.addEventListener(name, prepare, { once: true })
document.addEventListener("dragenter", prepare, { once: true })
// A tap on a touch screen is the first that this page hears of the reader, so it is repeated once the script is there.
button.addEventListener("click", () => isReady || prepare().then(() => button.click()), { once: true })
