// The page to which readers bring what they have: a number, a line, a print-out, a
// config, a file. A text with several numbers or lines is read by reading/, and its
// account is shown by answering/account.js; both are fetched when somebody uses the field.
// A number alone is explained by explaining/ and answered by answering/answer.js.

import { addressOf, answerTo } from "../answering/answer.js"
import { element } from "../answering/elements.js"
import { faultOf, takeAnything, textOf } from "../answering/field.js"
import { isShort, keep, loadText, PASTED } from "../answering/pasted.js"
import { models, whole } from "../counting/engine.js"
import { cut } from "../counting/short.js"
import { explainInSteps, prepare } from "../explaining/explain.js"
import { isNumber } from "./search.js"

const LONG = 30_000 // characters; a longer text is read in a worker, because the page would not respond meanwhile
const TIME_LIMIT = 30_000 // milliseconds after which a worker is stopped
const MAX_LENGTH = 50_000_000 // characters; a longer text is not read at all
const MAX_LENGTH_IN_FIELD = 50_000 // characters; the text of a longer file is read, but not put into the field
const MAX_NAME_LENGTH = 60 // characters of the name of a file
const MAX_BLANKS = 200 // blanks in a row that are read, so that patterns need not search long ones; no column is wider
const LONG_BLANKS = new RegExp(`[^\\S\\n]{${MAX_BLANKS},}`, "g")

/** @typedef {HTMLFormElement & { n: HTMLTextAreaElement, model: HTMLSelectElement }} Question  the form and its fields */
const form = /** @type {Question} */ (document.querySelector("#question"))
const answer = /** @type {HTMLElement} */ (document.querySelector("#answer"))
const status = /** @type {HTMLElement} */ (form.querySelector("[role=status]"))

/** The name of the model in the form, or "" for any model. */
const formModel = () => (models.has(form.model.value) ? form.model.value : "")

/** Says below the button what happened. @param {string} text */
const say = (text) => (status.textContent = text)

// --- Reading ------------------------------------------------------------------

/** Fetches the modules that read texts, and those that show what they read. */
const fetchReaders = () => Promise.all([import("../reading/account.js"), import("../answering/account.js")])

/** The worker that reads the last long text. @type {Worker | undefined} */
let worker

/** The account of a long text. A text that comes after it ends the work on it.
 * @param {string} text @returns {Promise<Account | null>} */
function readInWorker(text) {
  say(`Reading ${whole(text.length)} characters…`)
  const readingWorker = new Worker(new URL("../reading/worker.js", import.meta.url), { type: "module" })
  worker = readingWorker
  readingWorker.postMessage(text)
  return new Promise((resolve, reject) => {
    readingWorker.onmessage = ({ data }) => resolve(data)
    readingWorker.onerror = reject
    setTimeout(() => {
      readingWorker.terminate()
      resolve(null)
    }, TIME_LIMIT)
  })
}

/** The account of a text; null if it is a number alone, or cannot be read.
 * @param {string} typed @returns {Promise<Account | null>} */
async function accountOf(typed) {
  worker?.terminate()
  const text = typed.replace(LONG_BLANKS, (blanks) => blanks.slice(0, MAX_BLANKS))
  // Digits with spaces between them may be several numbers, which the readers of texts tell apart.
  if (isNumber(text.trim()) && !/\d\s+\d/.test(text)) return null
  if (text.length > LONG) return readInWorker(text)
  const [{ account }] = await fetchReaders()
  return account(text)
}

/** Resolves when the browser is about to paint. */
const nextFrame = () => new Promise(requestAnimationFrame)

// --- Answering ----------------------------------------------------------------

let questions = 0 // the number of questions so far; only the last one is answered
let fileText = "" // the text of the last file, if it is too long for the field

/** Answers a text.
 * @param {string} text
 * @param {string} address  that of the answer; "" if the text is too long for one */
async function ask(text, address) {
  const [model, question] = [formModel(), ++questions]
  answer.replaceChildren()
  if (text.length > MAX_LENGTH) {
    const limit = `This text has ${whole(text.length)} characters; we read up to ${whole(MAX_LENGTH)}.`
    answer.replaceChildren(element("p", { class: "bc-answer" }, limit))
    return
  }
  const account = await accountOf(text)
  if (question !== questions) return
  if (account) {
    const [, { answerOf }] = await fetchReaders()
    const { headline, details } = answerOf(account, address)
    // What is announced is only the first sentence: a print-out has hundreds of lines.
    const detailsPlace = element("div", { "aria-live": "off" })
    answer.replaceChildren(headline, detailsPlace)
    await nextFrame()
    detailsPlace.append(...details)
  } else {
    // A longer text is no number, even if it begins like one.
    const explanations = text.length > LONG ? null : await explainInSteps(text, model)
    if (question === questions) answer.replaceChildren(...answerTo(cut(text, LONG), model, explanations))
  }
  if (status.textContent?.startsWith("Reading")) say("")
}

/** Scrolls to the answer if it begins out of sight, as it may below a long text, or above the examples. */
function showAnswer() {
  const [first] = answer.children
  const { top = 0, bottom = 0 } = first?.getBoundingClientRect() ?? {}
  if (top < 0 || bottom > innerHeight) first.scrollIntoView({ block: "center" })
}

/** Answers what is in the field or in the last file, and changes the address to that of the answer. */
async function askForm() {
  const text = fileText || form.n.value
  const address = isShort(text) ? addressOf(text, formModel()) : ""
  history.replaceState({ isKept: !address && keep(text) }, "", address || location.pathname)
  await ask(text, address)
  showAnswer()
}

/** Shows a text in the field, or remembers one that is too long for it. @param {string} text */
function showOrKeep(text) {
  fileText = text.length > MAX_LENGTH_IN_FIELD ? text : ""
  fill(fileText ? "" : text)
}

form.classList.add("bc-ready")
const fill = takeAnything(form, async (file) => {
  const name = `“${cut(file.name, MAX_NAME_LENGTH)}”`
  say(`Reading ${name}…`)
  try {
    showOrKeep(await textOf(file))
    await askForm()
    say(`This is about ${name}.`)
  } catch (error) {
    answer.replaceChildren()
    say(faultOf(error))
  }
})

form.n.addEventListener("input", (event) => {
  fileText = ""
  say("")
  // Otherwise the answer to the previous text would stay below the new one.
  if (event instanceof InputEvent && event.inputType === "insertFromPaste") askForm()
})
form.addEventListener("submit", (event) => {
  event.preventDefault()
  askForm()
})
form.model.addEventListener("change", () => (fileText || form.n.value.trim()) && form.requestSubmit())

// --- Where a question comes from ------------------------------------------------

/** Answers one of the texts that the page offers to try. @param {string} name */
async function askExample(name) {
  const { default: texts } = await import("../../data/examples.js")
  if (!Object.hasOwn(texts, name)) return
  say("")
  showOrKeep(texts[name])
  const address = `?${new URLSearchParams({ example: name })}`
  history.replaceState(null, "", address)
  await ask(texts[name], address)
}

/** Answers the text that the browser keeps. */
function askKept() {
  if (!loadText()) return
  showOrKeep(loadText())
  askForm()
}

for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("#texts a")))
  link.addEventListener("click", (event) => {
    event.preventDefault()
    askExample(new URLSearchParams(link.search).get("example") ?? "").then(showAnswer)
  })

const query = new URLSearchParams(location.search)
const [number, model, example] = ["n", "model", "example"].map((key) => query.get(key))
if (model !== null) form.model.value = models.has(model) ? model : ""
if (number !== null) {
  fill(number)
  ask(number, addressOf(number, formModel()))
} else if (example !== null) askExample(example)
else if (location.hash === PASTED || history.state?.isKept) askKept()

// The search prepares while the reader types, and not at all for someone who only reads.
form.addEventListener(
  "focusin",
  () => {
    prepare()
    fetchReaders()
  },
  { once: true },
)
