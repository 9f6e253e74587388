// The page "I got a different number", which accepts a number, a line, a print-out, a config or
// a file. A lone number is explained by explaining/, and the answer is built by
// answering/answer.js. Any other text is read by reading/account.js, and the answer is built by
// answering/account.js; both modules are fetched when the form first receives the focus, or
// for the first such text.

import { addressOf, answerTo } from "../answering/answer.js"
import { element } from "../answering/elements.js"
import { readErrorText, readFile, takeAnything } from "../answering/field.js"
import { fitsInAddress, loadText, PASTED_FRAGMENT, storeText } from "../answering/pasted-text.js"
import { models, whole } from "../counting/engine.js"
import { cut } from "../counting/short.js"
import { explainInSteps, prepare } from "../explaining/explain.js"
import { isNumber } from "./search.js"

const LONG_TEXT = 30_000 // characters; a longer text is read in a worker, because the page would otherwise freeze
const TIME_LIMIT = 30_000 // milliseconds after which a worker is stopped
const MAX_LENGTH = 50_000_000 // characters; a longer text is not read at all
const MAX_LENGTH_IN_FIELD = 50_000 // characters; the text of a longer file is read, but not put into the field
const MAX_NAME_LENGTH = 60 // characters of a file name that are shown
const MAX_SPACES = 200 // longer runs of spaces are cut, because searching them with patterns would take long
const MANY_SPACES = new RegExp(`[^\\S\\n]{${MAX_SPACES},}`, "g")

/** The form, with its fields by name.
 * @typedef {HTMLFormElement & { n: HTMLTextAreaElement, model: HTMLSelectElement }} QuestionForm */
const form = /** @type {QuestionForm} */ (document.querySelector("#question"))
const answer = /** @type {HTMLElement} */ (document.querySelector("#answer"))
const status = /** @type {HTMLElement} */ (form.querySelector("[role=status]"))

/** The name of the model in the form, or "" for any model. */
const formModel = () => (models.has(form.model.value) ? form.model.value : "")

/** Shows a message below the button. @param {string} text */
const setStatus = (text) => (status.textContent = text)

// --- Reading ------------------------------------------------------------------

/** Fetches the modules that read texts, and those that show the accounts. */
const fetchReaders = () => Promise.all([import("../reading/account.js"), import("../answering/account.js")])

/** The worker that reads the latest long text. @type {Worker | undefined} */
let worker

/** The account of a long text, read in a worker; null if it takes too long or a later text stops the worker.
 * @param {string} text @returns {Promise<Account | null>} */
function readInWorker(text) {
  setStatus(`Reading ${whole(text.length)} characters…`)
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

/** The account of a text; null if the text is a single number, cannot be read, or takes too long.
 * @param {string} typedText @returns {Promise<Account | null>} */
async function accountOf(typedText) {
  worker?.terminate()
  const text = typedText.replace(MANY_SPACES, (spaces) => spaces.slice(0, MAX_SPACES))
  // Digits separated by spaces may be several numbers, which the modules in reading/ distinguish.
  if (isNumber(text.trim()) && !/\d\s+\d/.test(text)) return null
  if (text.length > LONG_TEXT) return readInWorker(text)
  const [{ account }] = await fetchReaders()
  return account(text)
}

/** Resolves when the browser is about to paint. */
const nextFrame = () => new Promise(requestAnimationFrame)

// --- Answering ----------------------------------------------------------------

let questionCount = 0 // the number of questions so far; an answer is shown only if no later question was asked
let longText = "" // the text to answer, if it is too long for the field

/** Answers a text, unless another question is asked in the meantime.
 * @param {string} text
 * @param {string} address  the address of the answer; "" if the text is too long for one */
async function ask(text, address) {
  const [model, question] = [formModel(), ++questionCount]
  answer.replaceChildren()
  if (text.length > MAX_LENGTH) {
    const limit = `This text has ${whole(text.length)} characters; we read up to ${whole(MAX_LENGTH)}.`
    answer.replaceChildren(element("p", { class: "bc-answer" }, limit))
    return
  }
  const account = await accountOf(text)
  if (question !== questionCount) return
  if (account) {
    const [, { accountElements }] = await fetchReaders()
    const { headline, details } = accountElements(account, address)
    // Only the first sentence is announced by screen readers, because a print-out may have hundreds of lines.
    const detailsPlace = element("div", { "aria-live": "off" })
    answer.replaceChildren(headline, detailsPlace)
    await nextFrame()
    detailsPlace.append(...details)
  } else {
    // A longer text is not a number, even if it begins like one.
    const explanations = text.length > LONG_TEXT ? null : await explainInSteps(text, model)
    if (question === questionCount) answer.replaceChildren(...answerTo(cut(text, LONG_TEXT), model, explanations))
  }
  if (status.textContent?.startsWith("Reading")) setStatus("")
}

/** Scrolls to the answer if it begins out of sight, as it may below a long text or above the examples. */
function showAnswer() {
  const [first] = answer.children
  const { top = 0, bottom = 0 } = first?.getBoundingClientRect() ?? {}
  if (top < 0 || bottom > innerHeight) first.scrollIntoView({ block: "center" })
}

/** Answers the long text, or else the text in the field, and updates the address. */
async function askForm() {
  const text = longText || form.n.value
  const address = fitsInAddress(text) ? addressOf(text, formModel()) : ""
  history.replaceState({ isKept: !address && storeText(text) }, "", address || location.pathname)
  await ask(text, address)
  showAnswer()
}

/** Sets the text to answer: in the field, or in `longText` if it is too long for the field. @param {string} text */
function setQuestion(text) {
  longText = text.length > MAX_LENGTH_IN_FIELD ? text : ""
  fill(longText ? "" : text)
}

form.classList.add("bc-ready")
const fill = takeAnything(form, async (file) => {
  const name = `“${cut(file.name, MAX_NAME_LENGTH)}”`
  setStatus(`Reading ${name}…`)
  try {
    setQuestion(await readFile(file))
    await askForm()
    setStatus(`This is about ${name}.`)
  } catch (error) {
    answer.replaceChildren()
    setStatus(readErrorText(error))
  }
})

form.n.addEventListener("input", (event) => {
  longText = ""
  setStatus("")
  // Otherwise the answer to the previous text would stay below the new one.
  if (event instanceof InputEvent && event.inputType === "insertFromPaste") askForm()
})
form.addEventListener("submit", (event) => {
  event.preventDefault()
  askForm()
})
form.model.addEventListener("change", () => (longText || form.n.value.trim()) && form.requestSubmit())

// --- Where a question comes from ------------------------------------------------

/** Answers the example with this name, if there is one. @param {string} name */
async function askExample(name) {
  const { default: texts } = await import("../../data/examples.js")
  if (!Object.hasOwn(texts, name)) return
  setStatus("")
  setQuestion(texts[name])
  const address = `?${new URLSearchParams({ example: name })}`
  history.replaceState(null, "", address)
  await ask(texts[name], address)
}

/** Answers the text that the browser has stored, if there is one. */
function askStoredText() {
  if (!loadText()) return
  setQuestion(loadText())
  askForm()
}

for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("#texts a")))
  link.addEventListener("click", (event) => {
    event.preventDefault()
    askExample(new URLSearchParams(link.search).get("example") ?? "").then(showAnswer)
  })

const query = new URLSearchParams(location.search)
const [typedText, model, example] = ["n", "model", "example"].map((key) => query.get(key))
if (model !== null) form.model.value = models.has(model) ? model : ""
if (typedText !== null) {
  fill(typedText)
  ask(typedText, addressOf(typedText, formModel()))
} else if (example !== null) askExample(example)
else if (location.hash === PASTED_FRAGMENT || history.state?.isKept) askStoredText()

// Prepare the search while the reader types, but not if the reader never uses the form.
form.addEventListener(
  "focusin",
  () => {
    prepare()
    fetchReaders()
  },
  { once: true },
)
