// Loads the search only for readers who use it, because it makes up half of the bytes of
// a first visit. The theme would fetch its index and start its worker when a page opens;
// here both wait until the reader moves to the search field or arrives from a search. A
// question that is typed too early is asked as soon as they are ready; until then, the
// theme says that the search is being initialised, and keeps what was typed.
//
// Questions are translated into the words of the index; see asked.js.

import { forMisspellings, inIndexWords } from "./asked.js"

const [QUESTION, RESULT] = [2, 3] // the theme's numbers for these types of messages
const SEARCH = /\/workers\/search\.[^/]*$/
const INDEX = /\/search\/search_index\.json$/
const field = document.querySelector("[data-md-component=search-query]")
const WorkerOfBrowser = window.Worker // window.Worker is replaced below

/** @typedef {{ type: number, data: any }} Message */

/** Resolves once somebody searches, or at once on a page that was opened from a search result, because the theme marks
 * words on it. */
const searching = /** @type {Promise<void>} */ (
  new Promise((begin) => {
    if (!field || field === document.activeElement || /[?&][qh]=/.test(location.search)) begin()
    field?.addEventListener("focus", () => begin(), { once: true })
  })
)

/** Stands between the theme and its worker. */
class SearchWorker extends EventTarget {
  /** The questions without an answer, in order; null for a question that was asked again. @type {(string | null)[]} */
  questions = []

  /** @param {string | URL} url */
  constructor(url) {
    super()
    const themeWorker = new URL(url, location.href)
    this.worker = searching.then(() => {
      const worker = new WorkerOfBrowser(new URL(`../../searching/numbers.js?${themeWorker}`, themeWorker))
      worker.addEventListener("message", (event) => this.answer(event.data))
      return worker
    })
  }

  /** @param {Message} message */
  async postMessage(message) {
    const isQuestion = message.type === QUESTION
    const question = isQuestion ? inIndexWords(message.data) : ""
    if (isQuestion) this.questions.push(question)
    const worker = await this.worker
    worker.postMessage(isQuestion ? { ...message, data: question } : message)
  }

  /** Passes an answer on, or holds it back and asks again with room for misspellings.
   * @param {Message} reply */
  async answer(reply) {
    const question = reply.type === RESULT ? this.questions.shift() : null
    // If another question has been asked since, nobody needs a better answer to this one.
    const again = question && !this.questions.length && forMisspellings(question, reply.data.items)
    if (again) {
      this.questions.push(null)
      const worker = await this.worker
      worker.postMessage({ type: QUESTION, data: again })
    } else this.dispatchEvent(new MessageEvent("message", { data: reply }))
  }
}

/** A request of the theme. A request for the index waits until somebody searches. */
class SearchRequest extends XMLHttpRequest {
  ready = Promise.resolve()

  /** @param {string} method @param {string | URL} url */
  open(method, url) {
    if (INDEX.test(new URL(url, location.href).pathname)) this.ready = searching
    super.open(method, url)
  }

  /** @param {any} [body] */
  async send(body) {
    await this.ready
    super.send(body)
  }
}
window.XMLHttpRequest = SearchRequest

// Other workers are created as usual.
window.Worker = new Proxy(WorkerOfBrowser, {
  construct: (_, [url, options]) => (SEARCH.test(`${url}`) ? new SearchWorker(url) : new WorkerOfBrowser(url, options)),
})
