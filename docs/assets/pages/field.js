// The field for anything on a page that explains nothing itself. The scripts that let it
// take more than a number are fetched when somebody is about to use it.

const form = /** @type {HTMLFormElement & { n: HTMLTextAreaElement }} */ (document.querySelector("form.bc-anything"))
const button = /** @type {HTMLElement} */ (form.querySelector(".bc-takes button"))
let isReady = false

async function prepare() {
  const { handOverFrom } = await import("../answering/hand-over.js")
  if (!isReady) handOverFrom(form)
  isReady = true
}

form.classList.add("bc-ready")
for (const name of ["focusin", "pointerenter"]) form.addEventListener(name, prepare, { once: true })
document.addEventListener("dragenter", prepare, { once: true })
// A first touch comes before all of that is there.
button.addEventListener("click", () => isReady || prepare().then(() => button.click()), { once: true })
