// The page of exercises: shows the variant that the address names, judges
// answers, gives hints in steps and the solution, and remembers what was solved.

import exercises from "../../data/exercises.js"
import { element } from "../answering/elements.js"
import { whole } from "../counting/engine.js"
import { exercise } from "../exercises/exercise.js"
import { judged, otherwise } from "../exercises/judge.js"
import { add, reset, solvedOf } from "../exercises/progress.js"
import { prepare } from "../explaining/explain.js"
import "./count-along.js"

const { sets, draw } = exercises
const place = /** @type {HTMLElement} */ (document.querySelector("#exercise"))
place.dataset.needsScripts = ""

/** @typedef {{ set: string, seed: number, faults?: string[] }} Address  a variant of a set, and what is wrong with the address that led there */

/** The variant that an address names; the first one where it names none, or one that there is not. @param {URLSearchParams} query @returns {Address} */
function addressed(query) {
  const [first] = sets
  const set = query.get("set") ?? first.name
  const seed = query.get("seed") ?? "1"
  const known = sets.find(({ name }) => name === set)
  const isSeed = /^[0-9]+$/.test(seed) && Number(seed) <= draw.last
  return {
    set: (known ?? first).name,
    seed: isSeed ? Number(seed) : 1,
    faults: [
      ...(known ? [] : [`There is no set “${shortened(set)}” of exercises; choose one of those above.`]),
      ...(isSeed
        ? []
        : [`There is no variant “${shortened(seed)}”; variants are whole numbers from 0 to ${whole(draw.last)}.`]),
    ],
  }
}

const LONGEST = 40 // of what an address asks for, as it is shown
/** @param {string} text */
const shortened = (text) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)

/** @param {Address} address */
const queryOf = ({ set, seed }) => `?${new URLSearchParams({ set, seed: String(seed) })}`

/** Go to a variant, as a step that the browser's Back undoes. @param {Address} address */
function go(address) {
  history.pushState(null, "", queryOf(address))
  show(address)
  place.querySelector("h2")?.focus()
}

/** @param {string} text @param {() => void} act @param {string} [kind] */
function button(text, act, kind = "button") {
  const made = element(
    "button",
    { type: kind, class: kind === "submit" ? "md-button md-button--primary" : "md-button" },
    text,
  )
  if (kind === "button") made.addEventListener("click", act)
  return made
}

// --- The choice of a set --------------------------------------------------------

/** @param {Address} address */
function choiceOf(address) {
  const items = sets.map(({ name, title }) => {
    const count = solvedOf(name).length
    const to = { set: name, seed: name === address.set ? address.seed : nextOf(name, 0) }
    const link = element(
      "a",
      { href: queryOf(to), ...(name === address.set && { "aria-current": "true" }) },
      title,
      count ? element("span", { class: "bc-solved" }, ` ${count} solved`) : "",
    )
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      go(to)
    })
    return element("li", {}, link)
  })
  return element("nav", { "aria-label": "Sets of exercises" }, element("ul", { class: "bc-sets" }, items))
}

/** The next variant of a set that is not solved yet. @param {string} set @param {number} seed */
function nextOf(set, seed) {
  const solved = new Set(solvedOf(set))
  let next = seed
  do next = next >= draw.last ? 1 : next + 1
  while (solved.has(next) && solved.size < draw.last)
  return next
}

// --- One exercise ---------------------------------------------------------------

/** A line of a sum and what it counts. @param {SolutionStep} step */
const stepOf = ({ what, text }) =>
  element(
    "li",
    {},
    element("span", { class: "bc-what" }, what),
    " ",
    element("span", { class: "bc-line-of-sum" }, text),
  )
/** @param {SolutionStep[]} steps */
const stepsOf = (steps) => element("ol", { class: "bc-solution" }, steps.map(stepOf))

/** The answers to choose from. @param {Exercise} asked */
const optionsOf = ({ options, kind }) =>
  element(
    "fieldset",
    { class: "bc-options" },
    element("legend", {}, kind === "mistake" ? "What was done?" : "Configuration"),
    ...options.map(({ text }, at) =>
      element(
        "label",
        {},
        element("input", { type: "radio", name: "option", value: String(at), required: "" }),
        " ",
        text,
      ),
    ),
  )

/** The field for a number. @param {Exercise} asked */
const fieldOf = ({ unit }) =>
  element(
    "p",
    { class: "bc-field" },
    element("label", { for: "exercise-answer" }, unit === "bytes" ? "Your answer, with its unit" : "Your answer"),
    element("input", {
      id: "exercise-answer",
      name: "answer",
      type: "text",
      autocomplete: "off",
      spellcheck: "false",
      inputmode: "text",
    }),
  )

/** Show a variant; what comes back says something below it. @param {Address} address @param {string} [typed] */
function show(address, typed = "") {
  const asked = exercise(address.set, address.seed)
  if (!asked) return
  const { title } = sets.find(({ name }) => name === asked.set) ?? sets[0]
  const verdict = element("div", { class: "bc-verdict", role: "status" })
  const help = element("div", { class: "bc-help" })
  let hints = 0
  let looked = false // at the solution, after which nothing is solved any more

  /** @param {string} kind @param {Content[]} content */
  function say(kind, ...content) {
    verdict.dataset.kind = kind
    verdict.replaceChildren(element("p", {}, ...content))
  }

  function solved() {
    if (looked) return
    add(asked?.set ?? "", asked?.seed ?? 0)
    place.querySelector("nav")?.replaceWith(choiceOf(address))
  }

  /** @param {string} answer */
  function check(answer) {
    if (!asked) return
    if (!answer.trim()) return say("unread", "Enter an answer first.")
    const { kind, says } = judged(answer, asked.answer, asked.unit, asked.wrong)
    field?.setAttribute("aria-invalid", String(kind !== "right"))
    if (kind === "right") solved()
    if (kind !== "unknown" && kind !== "slip") return say(kind, says)
    const content = otherwise(answer, asked, kind === "slip")
    if (kind === "slip" && !content.length) return say(kind, says)
    say(
      "explained",
      "Not right. ",
      ...(content.length ? content : ["Nothing we know of leads to this number. A hint may help."]),
    )
  }

  const form = element(
    "form",
    { class: "bc-question" },
    asked.options.length ? optionsOf(asked) : fieldOf(asked),
    button("Check", () => {}, "submit"),
  )
  const field = form.querySelector("input[name=answer]")
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    if (field instanceof HTMLInputElement) return check(field.value)
    const chosen = form.querySelector("input:checked")
    if (!(chosen instanceof HTMLInputElement)) return say("unread", "Choose an answer first.")
    const option = asked.options[Number(chosen.value)]
    if (option.right) solved()
    say(option.right ? "right" : "known", option.feedback)
  })

  function hint() {
    const listed = help.querySelector(".bc-hints") ?? element("ol", { class: "bc-hints" })
    if (!listed.isConnected) help.prepend(listed)
    listed.append(element("li", { tabindex: "-1" }, asked?.hints[hints] ?? ""))
    hints += 1
    if (listed.lastChild instanceof HTMLElement) listed.lastChild.focus()
    nameHint()
  }

  function nameHint() {
    const left = (asked?.hints.length ?? 0) - hints
    hintButton.textContent = hints ? `Next hint (${left} left)` : "Hint"
    hintButton.hidden = left < 1
  }

  function solution() {
    looked = true
    solutionButton.hidden = true
    hintButton.hidden = true
    const heading = element("h3", { tabindex: "-1" }, "Solution")
    const right = asked?.options.find((each) => each.right)
    help.append(heading, ...(right ? [element("p", {}, right.text)] : []), stepsOf(asked?.solution ?? []))
    heading.focus()
  }

  const hintButton = button("Hint", hint)
  const solutionButton = button("Solution", solution)
  nameHint()
  const next = button("Next variant", () => go({ set: asked.set, seed: nextOf(asked.set, asked.seed) }))
  place.replaceChildren(
    choiceOf(address),
    ...(address.faults?.length
      ? [
          element(
            "div",
            { class: "bc-verdict", "data-kind": "unread", role: "alert" },
            element("p", {}, address.faults.join(" ")),
          ),
        ]
      : []),
    element(
      "div",
      { class: "bc-exercise" },
      element("h2", { id: "exercise-title", tabindex: "-1" }, title, element("small", {}, ` variant ${asked.seed}`)),
      element("p", { class: "bc-asked" }, asked.text),
      asked.given ? element("p", { class: "bc-given" }, asked.given) : "",
      ...(asked.ledger.length ? [stepsOf(asked.ledger)] : []),
      form,
      verdict,
      element("p", { class: "bc-buttons" }, hintButton, " ", solutionButton, " ", next),
      help,
    ),
    element(
      "p",
      { class: "bc-hint" },
      "What you have solved is kept in this browser and nowhere else. ",
      button("Reset progress", () => {
        reset()
        show(address)?.("explained", "Forgotten.")
        place.querySelector("h2")?.focus()
      }),
    ),
  )
  if (typed && field instanceof HTMLInputElement) {
    field.value = typed
    check(typed)
  }
  place.addEventListener("focusin", prepare, { once: true })
  return say
}

const query = new URLSearchParams(location.search)
show(addressed(query), query.get("answer") ?? "")
addEventListener("popstate", () => show(addressed(new URLSearchParams(location.search))))
