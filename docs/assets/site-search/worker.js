// Loads the search only for readers who use it, because it is large. The theme would fetch its
// index and start its worker when a page opens. Here both wait until the reader focuses the
// search field or arrives from a search. A query typed before they are ready is sent as soon as
// they are. Until then, the theme says that the search is initialising and keeps the query.
//
// Queries are translated into the words of the index; see query.js.

import { broadenQuery, translateQuery, withoutCompounds } from "./query.js"

const [QUERY, RESULT] = [2, 3] // the theme's numbers for these types of messages
// The addresses of the theme's worker, whose file name contains a hash, and of the index that it fetches.
const WORKER_ADDRESS = /\/workers\/search\.[^/]*$/
const INDEX_ADDRESS = /\/search\/search_index\.json$/
const field = document.querySelector("[data-md-component=search-query]")
const WorkerOfBrowser = window.Worker // window.Worker is replaced below

/** @typedef {{ type: number, data: any }} Message */

/** Resolves when the search field has the focus. It resolves immediately on a page without this field, for an address
 * with a query (`q`), and on a page opened from a search result, where the theme highlights the words (`h`). */
const whenSearchNeeded = /** @type {Promise<void>} */ (
  new Promise((resolve) => {
    if (!field || field === document.activeElement || /[?&][qh]=/.test(location.search)) resolve()
    field?.addEventListener("focus", () => resolve(), { once: true })
  })
)

/** The search worker that the theme gets in place of its own. It passes on messages, translates queries, and repeats a
 * query with allowance for misspellings if some words did not match. */
class SearchWorker extends EventTarget {
  /** The queries that have not been answered yet, in order; null for a query that was sent again.
   * @type {(string | null)[]} */
  queries = []

  /** @param {string | URL} url  the address of the theme's worker */
  constructor(url) {
    super()
    const themeWorkerUrl = new URL(url, location.href)
    this.worker = whenSearchNeeded.then(() => {
      const worker = new WorkerOfBrowser(new URL(`../../site-search/numbers.js?${themeWorkerUrl}`, themeWorkerUrl))
      worker.addEventListener("message", (event) => this.answer(event.data))
      return worker
    })
  }

  /** Sends a message to the theme's worker once it has started, and translates it if it is a query.
   * @param {Message} message */
  async postMessage(message) {
    const isQuery = message.type === QUERY
    const query = isQuery ? translateQuery(message.data) : ""
    if (isQuery) this.queries.push(query)
    const worker = await this.worker
    worker.postMessage(isQuery ? { ...message, data: query } : message)
  }

  /** Passes on an answer, or holds it back and sends the query again with allowance for misspellings.
   * @param {Message} reply */
  async answer(reply) {
    const query = reply.type === RESULT ? this.queries.shift() : null
    // If another query has been sent since, a better answer to this one is not needed.
    const broaderQuery = query && !this.queries.length && broadenQuery(query, reply.data.items)
    if (broaderQuery) {
      this.queries.push(null)
      const worker = await this.worker
      worker.postMessage({ type: QUERY, data: broaderQuery })
    } else {
      if (reply.type === RESULT) reply.data.items = withoutCompounds(reply.data.items)
      this.dispatchEvent(new MessageEvent("message", { data: reply }))
    }
  }
}

/** A request by the theme, which waits until the search is needed if it is for the index. */
class SearchRequest extends XMLHttpRequest {
  whenReady = Promise.resolve()

  /** Prepares the request, as the browser's own method does. @param {string} method @param {string | URL} url */
  open(method, url) {
    if (INDEX_ADDRESS.test(new URL(url, location.href).pathname)) this.whenReady = whenSearchNeeded
    super.open(method, url)
  }

  /** Sends the request, for the index only once the search is needed. @param {any} [body] */
  async send(body) {
    await this.whenReady
    super.send(body)
  }
}
window.XMLHttpRequest = SearchRequest

// Other workers are created as usual.
window.Worker = new Proxy(WorkerOfBrowser, {
  construct: (_, [url, options]) =>
    WORKER_ADDRESS.test(`${url}`) ? new SearchWorker(url) : new WorkerOfBrowser(url, options),
})
