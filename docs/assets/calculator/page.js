"use strict"
// The page of the calculator: holds its state, and at every change counts anew
// and shows all panels; where a field is wrong, the last good numbers stay.
if (globalThis.document?.querySelector("#calculator")) {
  const { calculator, changes, elements: { element }, live } = bertCounted
  const { addressOf, evaluated, form, panels, stateAt } = calculator

  const asked = stateAt(location.search)
  let typed = asked.state
  /** @type {Shown | null} */
  let shown = null
  /** What was shown before the reader began to change what is being changed. @type {LastChange | null} */
  let last = null

  /** The published model in the class that is shown, for what differs. @param {Typed} of @param {Configuration} configuration */
  function published({ to, model }, { modelClass, architecture }) {
    const name = to || model
    const same = bertCounted.engine.models.get(name).architecture === architecture
    return calculator.published(name, same ? modelClass : undefined)
  }

  /** Count what the state says, or keep the last good numbers. @param {Typed} state @returns {Shown} */
  function result(state) {
    const found = evaluated(state)
    if (found.configuration && found.base) {
      const { configuration, base, hops, whatIfs } = found
      return {
        typed: state, configuration, base, hops, whatIfs, errors: [], valid: true, last,
        counted: changes.count(configuration), offered: changes.offered(configuration), published: published(state, configuration),
      }
    }
    const kept = shown ?? result(calculator.stateOf(state.model))
    return { ...kept, valid: false, errors: found.errors }
  }

  function show() {
    shown = result(typed)
    form.fill(typed)
    form.offer(shown.offered)
    calculator.whatIf.fill(typed)
    // Half a number is often wrong: what is wrong is said once typing rests, and what is right at once.
    clearTimeout(marking)
    if (shown.valid) showResult()
    else marking = setTimeout(showResult, HALF_TYPED)
  }

  let marking = 0
  const HALF_TYPED = 300 // milliseconds

  function showResult() {
    if (!shown) return
    form.mark(shown.errors)
    calculator.whatIf.mark(shown.errors)
    for (const panel of panels) panel(shown)
  }

  /** @param {Typed} next @param {string} key  what was changed */
  function changed(next, key) {
    // Other numbers are compared with those from before this field was touched, so that half a number is no news.
    if (shown && key !== last?.key && key !== "to" && key !== "beside") last = { key, before: shown }
    typed = next
    show()
    keep()
  }

  let timer = 0
  /** Keep the state in the address, once typing rests: browsers refuse too many changes. */
  function keep() {
    clearTimeout(timer)
    timer = setTimeout(() => {
      try {
        history.replaceState(null, "", (addressOf(typed) || location.pathname) + location.hash)
      } catch {
        // A page opened from a folder may keep its address.
      }
    }, 150)
  }

  for (const each of [form, calculator.whatIf, calculator.bridge, calculator.compare, calculator.paste]) each.listen(() => typed, changed)
  // A new visit to a field is a new change.
  form.element.addEventListener("focusout", () => (last = last && { key: "", before: last.before }))

  form.element.append(element("button", { type: "reset", class: "bc-button" }, "Start again"))
  form.element.addEventListener("reset", (event) => {
    event.preventDefault()
    last = null
    typed = stateAt("").state
    show()
    keep()
  })
  show()
  showResult()
  if (asked.complaints.length) {
    live.place("calculator-form").prepend(element("p", { class: "bc-fault bc-wide", role: "alert" },
      `Not everything in the address could be read: ${asked.complaints.join("; ")}.`))
  }
  document.documentElement.dataset.counting = "" // the panels are there
  document.dispatchEvent(new Event("answered")) // for later.js
}
