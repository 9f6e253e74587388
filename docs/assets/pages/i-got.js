"use strict"
// The page where readers type a number: reads the form and the address, and
// shows the answer.
{
  const { answer: { addressOf, answerTo }, elements: { element }, engine: { models }, explainSurely, prepare, read } = bertCounted

  /** @typedef {HTMLFormElement & { n: HTMLInputElement, model: HTMLSelectElement }} Question  the form and its fields */
  const form = /** @type {Question} */ (document.querySelector("#question"))
  const answer = /** @type {HTMLElement} */ (document.querySelector("#answer"))

  const chosenModel = () => (models.has(form.model.value) ? form.model.value : "")

  function show() {
    answer.replaceChildren(...answerTo(form.n.value, chosenModel()))
    answer.removeAttribute("aria-busy")
  }

  // The first answer waits for all totals, which are worked out a few at a
  // time, so that the page never stands still. What is no number needs none.
  const SLICE = 12 // milliseconds
  /** @type {Record<Stage, boolean>} */
  const ready = { sure: false, all: false }
  let waiting = false
  function prepareMore() {
    const end = performance.now() + SLICE
    for (const stage of STAGES) {
      if (ready[stage]) continue
      while (!ready[stage] && performance.now() < end) ready[stage] = !prepare(stage)
      if (!ready[stage]) return later()
      if (waiting && stage === "sure") showSure()
    }
    if (waiting) show()
    waiting = false
  }
  /** @type {Stage[]} */
  const STAGES = ["sure", "all"]
  // The next slice comes once the browser has had its turn; a timer would wait longer.
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = prepareMore
  const later = () => port2.postMessage(0)

  let begun = false
  function begin() {
    if (!begun) later()
    begun = true
  }

  /** What is sure stands there first, and other ways once they are worked out; the answer is announced then. */
  function showSure() {
    const sure = explainSurely(form.n.value, chosenModel())
    if (sure.length) answer.replaceChildren(...answerTo(form.n.value, chosenModel(), sure))
  }

  function ask() {
    if (ready.all || !read(form.n.value)) return show()
    answer.setAttribute("aria-busy", "true")
    answer.replaceChildren(element("p", {}, "Counting all totals…"))
    if (ready.sure) showSure()
    waiting = true
    begin()
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault()
    try {
      history.replaceState(null, "", addressOf(form.n.value, chosenModel()))
    } catch {
      // A page opened from a folder may keep its address.
    }
    ask()
  })
  form.model.addEventListener("change", () => form.n.value.trim() && form.requestSubmit())

  // Without scripts there is nothing to press.
  form.append(element("button", { class: "md-button md-button--primary", type: "submit" }, "Explain"))

  const query = new URLSearchParams(location.search)
  const [asked, model] = [query.get("n"), query.get("model")]
  if (model !== null) form.model.value = models.has(model) ? model : ""
  if (asked !== null) {
    form.n.value = asked
    ask()
  }

  // Work begins while the reader types; who only reads pays nothing.
  form.addEventListener("focusin", begin, { once: true })
}
