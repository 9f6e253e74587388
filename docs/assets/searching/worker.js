"use strict"
// The worker of the theme's search, which is asked in the words of the index, and
// starts with its first message: most readers search nothing. Opened from a folder, where a
// browser starts no workers, its code runs in the page, from the script that
// the `data-in-page` of the element that loads this script names.
{
  const { inPage = "" } = /** @type {HTMLScriptElement} */ (document.currentScript).dataset
  const WorkerOfBrowser = Worker
  const { asked, meant } = bertSearchWords
  const [QUESTION, RESULT] = [2, 3] // types of the theme's messages
  const SEARCH = /\/workers\/search\.[^/]*$/

  /** The two ends of a worker that runs in the page. @param {(message: unknown) => void} answer */
  function startInPage(answer) {
    const listeners = /** @type {((event: { data: unknown }) => void)[]} */ ([])
    const ready = new Promise((resolve, reject) => {
      const script = document.createElement("script")
      script.addEventListener("load", resolve)
      script.addEventListener("error", reject)
      script.src = inPage
      document.head.append(script)
    }).then(() => bertSearch((_, listener) => listeners.push(listener), answer))
    /** @param {unknown} data */
    return (data) => void ready.then(() => listeners.forEach((listener) => listener({ data })))
  }

  /** @param {string | URL} url @param {(message: unknown) => void} answer */
  function startWorker(url, answer) {
    const worker = new WorkerOfBrowser(url)
    worker.addEventListener("message", ({ data }) => answer(data))
    /** @param {unknown} data */
    return (data) => worker.postMessage(data)
  }

  /** @typedef {{ type: number, data: any }} Message */

  class LateWorker extends EventTarget {
    /** @param {string | URL} url */
    constructor(url) {
      super()
      this.url = url
      /** @type {((message: Message) => void) | null} */
      this.post = null
      /** @type {(string | null)[]}  what is being asked, in order; null where it was asked for the second time */
      this.questions = []
    }

    /** @param {Message} message */
    postMessage(message) {
      const answer = (/** @type {any} */ reply) => this.answer(reply)
      this.post ??= location.protocol === "file:" ? startInPage(answer) : startWorker(this.url, answer)
      if (message.type !== QUESTION) return this.post(message)
      const question = asked(message.data)
      this.questions.push(question)
      this.post({ ...message, data: question })
    }

    /** Pass an answer on, or ask again as it may have been meant. @param {Message} reply */
    answer(reply) {
      const question = reply.type === RESULT ? this.questions.shift() : null
      // Nobody waits for another answer to a question that was changed since.
      const again = question && !this.questions.length && meant(question, reply.data.items)
      if (!again) return void this.dispatchEvent(new MessageEvent("message", { data: reply }))
      this.questions.push(null)
      this.post?.({ type: QUESTION, data: again })
    }
  }

  // Other workers than the search's are what they were.
  window.Worker = /** @type {typeof Worker} */ (
    new Proxy(WorkerOfBrowser, {
      construct: (_, [url, options]) => (SEARCH.test(`${url}`) ? new LateWorker(url) : new WorkerOfBrowser(url, options)),
    })
  )
}
