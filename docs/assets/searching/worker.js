// The worker of the theme's search, which is asked in the words of the index.

import { asked, meant } from "./asked.js"

const [INDEX, QUESTION, RESULT] = [0, 2, 3] // types of the theme's messages
const SEARCH = /\/workers\/search\.[^/]*$/
const field = document.querySelector("[data-md-component=search-query]")

/** @typedef {{ type: number, data: any }} Message */

class SearchWorker extends Worker {
  /** @type {(string | null)[]}  what is being asked, in order; null where it was asked for the second time */
  questions = []

  /** @param {string | URL} url */
  constructor(url) {
    const theirs = new URL(url, location.href)
    super(new URL(`../../searching/numbers.js?${theirs}`, theirs))
    this.addEventListener("message", (event) => this.askAgain(event))
  }

  /** @param {Message} message */
  postMessage(message) {
    // Most readers search for nothing: the index, which takes as long as the rest of a page, is made for those who do.
    if (message.type === INDEX && field && field !== document.activeElement && !/[?&]q=/.test(location.search))
      return field.addEventListener("focus", () => super.postMessage(message), { once: true })
    if (message.type !== QUESTION) return super.postMessage(message)
    const question = asked(message.data)
    this.questions.push(question)
    super.postMessage({ ...message, data: question })
  }

  /** Keep an answer back, and ask as it may have been meant. @param {MessageEvent<Message>} reply */
  askAgain(reply) {
    const question = reply.data.type === RESULT ? this.questions.shift() : null
    // Nobody waits for another answer to a question that was changed since.
    const again = question && !this.questions.length && meant(question, reply.data.data.items)
    if (!again) return
    reply.stopImmediatePropagation()
    this.questions.push(null)
    super.postMessage({ type: QUESTION, data: again })
  }
}

// Other workers than the search's are what they were.
window.Worker = new Proxy(Worker, {
  construct: (WorkerOfBrowser, [url, options]) =>
    SEARCH.test(`${url}`) ? new SearchWorker(url) : new WorkerOfBrowser(url, options),
})
