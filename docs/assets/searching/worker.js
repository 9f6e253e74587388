// The worker of the theme's search, which is asked in the words of the index, and
// starts with its first message: most readers search nothing.

import { asked, meant } from "./asked.js"

const WorkerOfBrowser = Worker
const [QUESTION, RESULT] = [2, 3] // types of the theme's messages
const SEARCH = /\/workers\/search\.[^/]*$/

/** @typedef {{ type: number, data: any }} Message */

class LateWorker extends EventTarget {
  /** @type {Worker | null} */
  worker = null
  /** @type {(string | null)[]}  what is being asked, in order; null where it was asked for the second time */
  questions = []

  /** @param {string | URL} url */
  constructor(url) {
    super()
    this.url = url
  }

  /** @param {Message} message */
  postMessage(message) {
    if (!this.worker) {
      this.worker = new WorkerOfBrowser(this.url)
      this.worker.addEventListener("message", ({ data }) => this.answer(data))
    }
    if (message.type !== QUESTION) return this.worker.postMessage(message)
    const question = asked(message.data)
    this.questions.push(question)
    this.worker.postMessage({ ...message, data: question })
  }

  /** Pass an answer on, or ask again as it may have been meant. @param {Message} reply */
  answer(reply) {
    const question = reply.type === RESULT ? this.questions.shift() : null
    // Nobody waits for another answer to a question that was changed since.
    const again = question && !this.questions.length && meant(question, reply.data.items)
    if (!again) return void this.dispatchEvent(new MessageEvent("message", { data: reply }))
    this.questions.push(null)
    this.worker?.postMessage({ type: QUESTION, data: again })
  }
}

// Other workers than the search's are what they were.
window.Worker = /** @type {typeof Worker} */ (
  new Proxy(WorkerOfBrowser, {
    construct: (_, [url, options]) => (SEARCH.test(`${url}`) ? new LateWorker(url) : new WorkerOfBrowser(url, options)),
  })
)
