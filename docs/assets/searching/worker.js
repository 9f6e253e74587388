// The search, loaded only for readers who search, because it is half of the bytes of a
// first visit. The theme fetches its index and starts its worker on arrival; here both
// wait until the reader goes to the field or comes from a search. A question that is
// typed before they are ready is asked as soon as they are: until the worker has
// answered, the theme says that the search is being initialised and keeps the field.
//
// Questions are translated into the words of the index; see asked.js.

import { forMisspellings, inIndexWords } from "./asked.js"

const [QUESTION, RESULT] = [2, 3] // types of the theme's messages
const SEARCH = /\/workers\/search\.[^/]*$/
const INDEX = /\/search\/search_index\.json$/
const field = document.querySelector("[data-md-component=search-query]")
const WorkerOfBrowser = window.Worker // window.Worker is replaced below

/** @typedef {{ type: number, data: any }} Message */

/** Resolved once somebody searches. A page that was opened from a result counts, because the theme marks
 * words in it. */
const searching = /** @type {Promise<void>} */ (
  new Promise((begin) => {
    if (!field || field === document.activeElement || /[?&][qh]=/.test(location.search)) begin()
    field?.addEventListener("focus", () => begin(), { once: true })
  })
)

/** Stands between the theme and its worker. */
class SearchWorker extends EventTarget {
  /** The open questions in order; null for one that was asked a second time. @type {(string | null)[]} */
  questions = []

  /** @param {string | URL} url */
  constructor(url) {
    super()
    const theirs = new URL(url, location.href)
    this.worker = searching.then(() => {
      const worker = new WorkerOfBrowser(new URL(`../../searching/numbers.js?${theirs}`, theirs))
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
    // If the question has changed since, nobody waits for this answer.
    const again = question && !this.questions.length && forMisspellings(question, reply.data.items)
    if (again) {
      this.questions.push(null)
      const worker = await this.worker
      worker.postMessage({ type: QUESTION, data: again })
    } else this.dispatchEvent(new MessageEvent("message", { data: reply }))
  }
}

/** A request of the theme; one for the index waits until somebody searches. */
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

// All other workers are left as they are.
window.Worker = new Proxy(WorkerOfBrowser, {
  construct: (_, [url, options]) => (SEARCH.test(`${url}`) ? new SearchWorker(url) : new WorkerOfBrowser(url, options)),
})
