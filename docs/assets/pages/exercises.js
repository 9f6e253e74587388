// The page of exercises: shows the variant that the address names, judges
// answers, gives hints in steps and the solution, and remembers what was solved.

import exercises from "../../data/exercises.js"
import { whole } from "../counting/engine.js"
import { cut } from "../counting/short.js"
import { escaped, html } from "../drawing/html.js"
import { exercise } from "../exercises/exercise.js"
import { judged, otherwise } from "../exercises/judge.js"
import { keeps, load, save } from "../exercises/storage.js"
import { prepare } from "../explaining/explain.js"
import "./count-along.js"

const { sets, draw, texts } = exercises
const place = /** @type {HTMLElement} */ (document.querySelector("#exercise"))
place.dataset.needsScripts = ""

/** @typedef {{ set: string, seed: number, faults?: string }} Address  a variant of a set, and what is wrong with the address that led there */

const LONG = 40 // of what an address asks for, as it is shown

/** The variant that an address names; the first one where it names none, or one that there is not. @param {URLSearchParams} query @returns {Address} */
function addressed(query) {
  const [first] = sets
  const set = query.get("set") ?? first.name
  const seed = query.get("seed") ?? "1"
  const known = sets.some(({ name }) => name === set)
  const isSeed = /^[0-9]+$/.test(seed) && Number(seed) <= draw.last
  const faults = []
  if (!known) faults.push(`There is no set “${cut(set, LONG)}” of exercises; choose one of those above.`)
  if (!isSeed)
    faults.push(`There is no variant “${cut(seed, LONG)}”; variants are whole numbers from 0 to ${whole(draw.last)}.`)
  return { set: known ? set : first.name, seed: isSeed ? Number(seed) : 1, faults: faults.join(" ") }
}

/** The address of a variant; what is counted along on the same page stays. @param {Address} address */
function queryOf({ set, seed }) {
  const address = new URLSearchParams(location.search)
  address.delete("answer")
  address.set("set", set)
  address.set("seed", String(seed))
  return `?${address}`
}

/** Go to a variant, as a step that the browser's Back undoes. @param {Address} address */
function go(address) {
  history.pushState(null, "", queryOf(address))
  show(address)
  place.querySelector("h2")?.focus()
}

/** @param {string} text @param {() => void} act */
function button(text, act) {
  const made = html`<button type="button" class="md-button">${text}</button>`
  made.addEventListener("click", act)
  return made
}

// --- The choice of a set --------------------------------------------------------

const SOLVED = "bert-counted: solved exercises"
const KEPT = keeps()
  ? "What you have solved is kept in this browser and nowhere else."
  : "What you have solved is kept only until you leave this page, because the browser keeps nothing for it."
/** The variants of a set that a reader has solved. @param {string} set @returns {number[]} */
function solvedOf(set) {
  const seeds = load(SOLVED)[set]
  return Array.isArray(seeds) ? [...new Set(seeds.filter(Number.isInteger))] : []
}

/** @param {Address} address */
function choiceOf(address) {
  const items = sets.map(({ name, title }) => {
    const count = solvedOf(name).length
    const here = name === address.set
    const to = { set: name, seed: here ? address.seed : nextOf(name, 0) }
    const solved = count ? html`<span class="bc-solved"> ${count} solved</span>` : ""
    const item = html`<li><a href="${queryOf(to)}">${title}${solved}</a></li>`
    if (here) item.firstElementChild?.setAttribute("aria-current", "true")
    item.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      go(to)
    })
    return item
  })
  return html`<nav aria-label="Sets of exercises"><ul class="bc-sets">${items}</ul></nav>`
}

/** The next variant of a set that is not solved yet. @param {string} set @param {number} seed */
function nextOf(set, seed) {
  const solved = new Set(solvedOf(set))
  let next = seed
  do next = next >= draw.last ? 1 : next + 1
  while (solved.has(next) && solved.size < draw.last)
  return next
}

// --- A link and a frame to copy -------------------------------------------------

/** The address of a variant, and a frame that shows it with a link below, as course pages take them; a page in a frame
 * offers none. @param {Address} address @param {Exercise} asked @returns {Record<string, string>} */
function textsToCopy({ set, seed }, asked) {
  const { embed } = document.querySelector("article")?.dataset ?? {}
  if (!embed) return {}
  const canonical = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=canonical]"))
  const [page] = (canonical?.href ?? location.href).split(/[?#]/)
  const link = `${page}?set=${set}&seed=${seed}`
  const shown = `${new URL(embed, page)}?set=${set}&seed=${seed}&theme=light`
  const title = escaped(`Exercise: ${asked.text}`)
  const { frame = 0 } = sets.find(({ name }) => name === set) ?? {}
  return {
    Link: link,
    Frame: `<iframe src="${escaped(shown)}"
  title="${title}"
  width="100%" height="${frame}" style="border: 0"></iframe>
<p><a href="${escaped(link)}">${title}</a></p>`,
  }
}

/** Buttons that copy these texts, and below them what comes of it: where the browser refuses, the text, to be copied by
 * hand. @param {Record<string, string>} texts */
function copying(texts) {
  const status = html`<span role="status"></span>`
  const field = /** @type {HTMLTextAreaElement} */ (
    html`<textarea class="bc-by-hand" readonly rows="5" spellcheck="false" aria-label="Text to copy" hidden></textarea>`
  )
  const buttons = Object.entries(texts).map(([name, text]) =>
    button(`Copy ${name.toLowerCase()}`, async () => {
      field.hidden = true
      try {
        await navigator.clipboard.writeText(text)
        status.textContent = `${name} copied`
      } catch {
        field.value = text
        field.hidden = false
        field.focus()
        field.select()
        status.textContent = "Selected: copy it with Ctrl+C or ⌘C" // the browser keeps its clipboard from pages
      }
    }),
  )
  return { buttons, below: buttons.length ? [html`<p class="bc-copied">${status}</p>`, field] : [] }
}

// --- One exercise ---------------------------------------------------------------

/** The lines of a sum, each with what it counts. @param {SolutionStep[]} steps */
const stepsOf = (steps) => {
  const items = steps.map(
    ({ what, text }) => html`<li><span class="bc-what">${what}</span> <span class="bc-line-of-sum">${text}</span></li>`,
  )
  return html`<ol class="bc-solution">${items}</ol>`
}

/** The answers to choose from. @param {Exercise} asked */
const optionsOf = ({ options, kind }) => html`
  <fieldset class="bc-options"><legend>${{ mistake: "What was done?", share: "Share" }[String(kind)] ?? "Configuration"}</legend>${options.map(
    ({ text }, at) => html`<label><input type="radio" name="answer" value="${at}" required> ${text}</label>`,
  )}</fieldset>`

/** The field for a number. @param {Exercise} asked */
const fieldOf = ({ unit }) => html`
  <p class="bc-field"><label for="exercise-answer">Your answer${unit === "bytes" ? ", with its unit" : ""}</label>
  <input id="exercise-answer" name="answer" type="text" autocomplete="off" spellcheck="false" inputmode="text"></p>`

/** Show a variant; what comes back says something below it. @param {Address} address @param {string} [typed] */
function show(address, typed = "") {
  const asked = exercise(address.set, address.seed)
  const isChoice = asked.options.length > 0
  const verdict = html`<div class="bc-verdict" role="status"></div>`
  const field = isChoice ? optionsOf(asked) : fieldOf(asked)
  const input = /** @type {HTMLInputElement} */ (field.querySelector("input"))
  const submit = html`<button type="submit" class="md-button md-button--primary">Check</button>`
  const form = /** @type {HTMLFormElement} */ (html`<form class="bc-question">${field}${submit}</form>`)
  let looked = false // at the solution, after which nothing is solved any more

  /** @param {string} kind @param {Content[]} content */
  function say(kind, ...content) {
    verdict.dataset.kind = kind
    verdict.replaceChildren(html`<p>${content}</p>`)
    if (kind !== "right") return
    const hasLooked = looked || solution.hasAttribute("open") // its `toggle` may be still to come
    solution.setAttribute("open", "") // the sum unfolds, and the way on stands out
    next.classList.add("md-button--primary")
    if (hasLooked) return
    save(SOLVED, { ...load(SOLVED), [asked.set]: [...solvedOf(asked.set), asked.seed] })
    place.querySelector("nav")?.replaceWith(choiceOf(address))
  }

  let answers = 0 // how many were given, of which only the last is judged
  async function check() {
    const given = ++answers
    const answer = String(new FormData(form).get("answer")).trim()
    if (!answer) return say("unread", "Enter an answer first.")
    const option = isChoice && asked.options[Number(answer)]
    if (option) return say(option.right ? "right" : "known", option.feedback)
    const { kind, says } = judged(answer, asked.answer, asked.unit, asked.wrong, asked.sizes)
    input.setAttribute("aria-invalid", String(kind !== "right"))
    const isOpen = kind === "unknown" || kind === "slip"
    if (isOpen) verdict.replaceChildren()
    const content = isOpen ? await otherwise(answer, asked, kind === "slip") : []
    if (given !== answers) return
    if (content.length) say("explained", "Not right. ", ...content)
    else if (kind === "unknown") say("explained", `Not right. ${says || texts.unknown} A hint may help.`)
    else say(kind, says)
  }
  // A click, which Enter in the field is as well: where the sandbox of a frame forbids forms, `submit` never comes.
  submit.addEventListener("click", (event) => {
    event.preventDefault()
    check()
  })

  /** @param {string} name @param {Content[]} content */
  const fold = (name, content) => html`<details class="bc-fold"><summary>${name}</summary>${content}</details>`
  const hints = asked.hints.map((hint, order) => fold(`Hint ${order + 1}`, [html`<p>${hint}</p>`]))
  const right = asked.options.filter((each) => each.right).map(({ text }) => html`<p>${text}</p>`)
  const solution = fold("Solution", [...right, stepsOf(asked.solution)])
  solution.addEventListener("toggle", () => (looked = true))
  const next = button("Next variant", () => go({ set: asked.set, seed: nextOf(asked.set, asked.seed) }))
  const forget = button("Reset progress", () => {
    save(SOLVED, {})
    show(address)("explained", "Your progress is forgotten.")
    place.querySelector("h2")?.focus()
  })

  const { title } = sets.find(({ name }) => name === asked.set) ?? sets[0]
  const { buttons, below } = copying(textsToCopy(address, asked))
  const { faults } = address
  place.replaceChildren(
    choiceOf(address),
    faults ? html`<div class="bc-verdict" data-kind="unread" role="alert"><p>${faults}</p></div>` : "",
    html`<div class="bc-exercise">
      <h2 id="exercise-title" tabindex="-1">${title}<small> variant ${asked.seed}</small></h2>
      <p class="bc-asked">${asked.text}</p>
      ${asked.given ? html`<p class="bc-given">${asked.given}</p>` : ""}
      ${asked.ledger.length ? stepsOf(asked.ledger) : ""}${form}${verdict}
      ${[...hints, solution]}<p class="bc-buttons">${[next, ...buttons]}</p>${below}</div>`,
    html`<p class="bc-hint">${KEPT} ${forget}</p>`,
  )
  if (typed && !isChoice) {
    input.value = typed
    check()
  }
  place.addEventListener("focusin", prepare, { once: true })
  return say
}

const query = new URLSearchParams(location.search)
show(addressed(query), query.get("answer") ?? "")
addEventListener("popstate", () => show(addressed(new URLSearchParams(location.search))))
