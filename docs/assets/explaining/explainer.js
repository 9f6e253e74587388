// The explainer: explains numbers without holding up the page. Where its script
// can run as a worker too, that does the work, and the page only asks it;
// elsewhere the work is done here, in slices between which the page has its turn.

import { explain, explainSurely } from "./explain.js"
import { prepare } from "./ways.js"

const SLICE = 12 // milliseconds

/** Explains here: prepares a slice at a time, and answers the last question once it can. @returns {Explainer} */
function here() {
  /** @type {Stage[]} */
  const stages = ["sure", "all"]
  /** @type {(() => void) | null} */
  let surely = null
  /** @type {(() => void) | null} */
  let fully = null

  function work() {
    const end = performance.now() + SLICE
    while (stages.length && performance.now() < end) if (!prepare(stages[0])) stages.shift()
    if (stages[0] !== "sure") {
      surely?.()
      surely = null
    }
    if (stages.length) return port2.postMessage(0)
    fully?.()
    fully = null
  }
  // The next slice comes once the browser has had its turn; a timer would wait longer.
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = work
  let begun = false
  function begin() {
    if (!begun) port2.postMessage(0)
    begun = true
  }

  return {
    begin,
    ask(text, model, tell) {
      surely = () => tell(explainSurely(text, model), false)
      fully = () => tell(explain(text, model), true)
      if (stages.length) begin()
      else work()
    },
    drop() {
      surely = fully = null
    },
  }
}

/** Explains in a worker, and where there can be none, here.
 * @param {string} source  the script that the worker runs: this one, with all that it builds on @returns {Explainer} */
function apart(source) {
  /** @type {Explainer | null} */
  let instead = null
  /** @type {Worker | null} */
  let worker = null
  /** @type {{ text: string, model: string, tell: Tell } | null} */
  let asked = null
  let questions = 0

  function begin() {
    if (instead) return instead.begin()
    if (worker) return
    try {
      worker = new Worker(source, { type: "module" })
    } catch {
      return giveUp()
    }
    worker.onerror = (event) => {
      event.preventDefault()
      giveUp()
    }
    worker.onmessage = ({ data }) => {
      if (data.question === questions) asked?.tell(data.found, data.final)
    }
  }

  function giveUp() {
    worker = null
    instead = here()
    instead.begin()
    if (asked) instead.ask(asked.text, asked.model, asked.tell)
  }

  return {
    begin,
    ask(text, model, tell) {
      asked = { text, model, tell }
      questions += 1
      begin()
      if (worker) worker.postMessage({ question: questions, text, model })
      else instead?.ask(text, model, tell)
    },
    drop() {
      asked = null
      instead?.drop()
    },
  }
}

export const explainer = globalThis.document ? apart(import.meta.url) : here()
if (!globalThis.document) {
  explainer.begin()
  addEventListener("message", ({ data: { question, text, model } }) =>
    explainer.ask(text, model, (found, final) => postMessage({ question, found, final })),
  )
}
