// The search, which is half of a first visit, for those who search. The theme
// fetches its index and starts its worker on arrival; here both wait until the
// reader goes to the field, or comes from a search. What is typed before they
// are there is asked then: until its worker has answered, the theme says that
// the search is being initialised, and keeps what is in the field.
//
// The worker is asked in the words of the index.

import { asked, meant } from "./asked.js"

const [QUESTION, RESULT] = [2, 3] // types of the theme's messages
const SEARCH = /\/workers\/search\.[^/]*$/
const INDEX = /\/search\/search_index\.json$/
const field = document.querySelector("[data-md-component=search-query]")
const WorkerOfBrowser = window.Worker // which is replaced below

/** @typedef {{ type: number, data: any }} Message */

/** Settled once somebody searches; the theme marks the words of a search in the page that was found by it. */
const searching = /** @type {Promise<void>} */ (
  new Promise((begin) => {
    if (!field || field === document.activeElement || /[?&][qh]=/.test(location.search)) begin()
    field?.addEventListener("focus", () => begin(), { once: true })
  })
)

class SearchWorker extends EventTarget {
  /** @type {(string | null)[]}  what is being asked, in order; null where it was asked for the second time */
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
    const question = isQuestion ? asked(message.data) : ""
    if (isQuestion) this.questions.push(question)
    const worker = await this.worker
    worker.postMessage(isQuestion ? { ...message, data: question } : message)
  }

  /** Pass an answer on, or keep it back and ask as it may have been meant. @param {Message} reply */
  async answer(reply) {
    const question = reply.type === RESULT ? this.questions.shift() : null
    // Nobody waits for another answer to a question that was changed since.
    const again = question && !this.questions.length && meant(question, reply.data.items)
    if (again) {
      this.questions.push(null)
      const worker = await this.worker
      worker.postMessage({ type: QUESTION, data: again })
    } else this.dispatchEvent(new MessageEvent("message", { data: reply }))
  }
}

/** A request of the theme's. */
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

// Other workers than the search's are what they were.
window.Worker = new Proxy(WorkerOfBrowser, {
  construct: (_, [url, options]) => (SEARCH.test(`${url}`) ? new SearchWorker(url) : new WorkerOfBrowser(url, options)),
})
