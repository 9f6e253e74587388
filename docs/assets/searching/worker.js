"use strict"
// The worker of the theme's search, which starts with its first message: most
// readers search nothing, and need not fetch it. Opened from a folder, where a
// browser starts no workers, its code runs in the page, from the script that
// the `data-in-page` of the element that loads this script names.
{
  const { inPage = "" } = /** @type {HTMLScriptElement} */ (document.currentScript).dataset
  const WorkerOfBrowser = Worker
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

  class LateWorker extends EventTarget {
    /** @param {string | URL} url */
    constructor(url) {
      super()
      this.url = url
      /** @type {((data: unknown) => void) | null} */
      this.post = null
    }

    /** @param {unknown} data */
    postMessage(data) {
      /** @param {unknown} data */
      const answer = (data) => void this.dispatchEvent(new MessageEvent("message", { data }))
      this.post ??= location.protocol === "file:" ? startInPage(answer) : startWorker(this.url, answer)
      this.post(data)
    }
  }

  // Other workers than the search's are what they were.
  window.Worker = /** @type {typeof Worker} */ (
    new Proxy(WorkerOfBrowser, {
      construct: (_, [url, options]) => (SEARCH.test(`${url}`) ? new LateWorker(url) : new WorkerOfBrowser(url, options)),
    })
  )
}
