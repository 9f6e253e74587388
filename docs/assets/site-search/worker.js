// Loads the search only for readers who use it, because it makes up half of the bytes of
// a first visit. The theme would fetch its index and start its worker when a page opens;
// here both wait until the reader moves to the search field or arrives from a search. A
// query typed before they are ready is sent as soon as they are; until then, the theme
// says that the search is initialising, and keeps what was typed.
//
// Queries are translated into the words of the index; see query.js.

import { forMisspellings, inIndexWords } from "./query.js"

const [QUERY, RESULT] = [2, 3] // the theme's numbers for these types of messages
// The addresses of the theme's worker, whose name contains a hash, and of the index that the theme fetches.
const WORKER_ADDRESS = /\/workers\/search\.[^/]*$/
const INDEX_ADDRESS = /\/search\/search_index\.json$/
const field = document.querySelector("[data-md-component=search-query]")
const WorkerOfBrowser = window.Worker // window.Worker is replaced below

/** @typedef {{ type: number, data: any }} Message */

/** Resolves when the search field gets the focus, or immediately on a page opened from a search result, where the theme
 * highlights the words. */
const searchNeeded = /** @type {Promise<void>} */ (
  new Promise((begin) => {
    if (!field || field === document.activeElement || /[?&][qh]=/.test(location.search)) begin()
    field?.addEventListener("focus", () => begin(), { once: true })
  })
)

/** The search worker that the theme gets in place of its own. It passes messages on, translates queries, and repeats a
 * query with room for misspellings if the first has not matched every word. */
class SearchWorker extends EventTarget {
  /** The queries without an answer, in order; null for one that was sent again. @type {(string | null)[]} */
  queries = []

  /** @param {string | URL} url */
  constructor(url) {
    super()
    const themeWorker = new URL(url, location.href)
    this.worker = searchNeeded.then(() => {
      const worker = new WorkerOfBrowser(new URL(`../../site-search/numbers.js?${themeWorker}`, themeWorker))
      worker.addEventListener("message", (event) => this.answer(event.data))
      return worker
    })
  }

  /** @param {Message} message */
  async postMessage(message) {
    const isQuery = message.type === QUERY
    const query = isQuery ? inIndexWords(message.data) : ""
    if (isQuery) this.queries.push(query)
    const worker = await this.worker
    worker.postMessage(isQuery ? { ...message, data: query } : message)
  }

  /** Passes an answer on, or holds it back and sends the query again with room for misspellings.
   * @param {Message} reply */
  async answer(reply) {
    const query = reply.type === RESULT ? this.queries.shift() : null
    // If another query has been sent since, nobody needs a better answer to this one.
    const broaderQuery = query && !this.queries.length && forMisspellings(query, reply.data.items)
    if (broaderQuery) {
      this.queries.push(null)
      const worker = await this.worker
      worker.postMessage({ type: QUERY, data: broaderQuery })
    } else this.dispatchEvent(new MessageEvent("message", { data: reply }))
  }
}

/** A request made by the theme. If it is for the index, it waits until the search is needed. */
class SearchRequest extends XMLHttpRequest {
  ready = Promise.resolve()

  /** @param {string} method @param {string | URL} url */
  open(method, url) {
    if (INDEX_ADDRESS.test(new URL(url, location.href).pathname)) this.ready = searchNeeded
    super.open(method, url)
  }

  /** @param {any} [body] */
  async send(body) {
    await this.ready
    super.send(body)
  }
}
window.XMLHttpRequest = SearchRequest

// Workers for anything but the search are created as usual.
window.Worker = new Proxy(WorkerOfBrowser, {
  construct: (_, [url, options]) =>
    WORKER_ADDRESS.test(`${url}`) ? new SearchWorker(url) : new WorkerOfBrowser(url, options),
})
