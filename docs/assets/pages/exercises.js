// The page of exercises. It shows the variant that the address specifies, judges answers,
// offers hints and the solution, and records which variants were solved. A path leads through
// selected variants, from one cell to the whole model.
//
// A variant is identified by a set of exercises and a seed, from which
// exercises/exercise.js makes the same question everywhere, so an address is all that a
// teacher needs to hand out. exercises/judge.js judges the answers, and
// exercises/credit.js stores the credit for them.

import exercises from "../../data/exercises.js"
import { ROOT } from "../answering/elements.js"
import { whole } from "../counting/engine.js"
import { cut } from "../counting/short.js"
import { escapeHtml, html } from "../drawing/html.js"
import {
  creditFor,
  creditForChoice,
  creditOf,
  forgetCredit,
  keepCredit,
  openStep,
  path,
  placeOnPath,
  points,
} from "../exercises/credit.js"
import { exercise } from "../exercises/exercise.js"
import { judge, sentenceOfParts } from "../exercises/judge.js"
import { hasStorage, load, save } from "../exercises/storage.js"
import { withFurther } from "../exercises/wrong.js"
import "./count-along.js"
import { copyOrSelect, pageAddress } from "./course-texts.js"

const { sets, draw, texts } = exercises
const container = /** @type {HTMLElement} */ (document.querySelector("#exercise"))
container.dataset.needsScripts = ""

/** A variant of a set, with a message about faults in the address that led to it; "" if it has none.
 * @typedef {{ set: string, seed: number, faults?: string }} Address */

/** Fetches the module that explains wrong answers, with all known numbers. */
const fetchExplanation = () => import("../exercises/explanation.js")

/** The explanation of a wrong answer; empty if there is none, or if it cannot be fetched.
 * @param {string} answer @param {Exercise} variant @param {boolean} isSlip @returns {Promise<Content[]>} */
async function explanationOf(answer, variant, isSlip) {
  const module = await fetchExplanation().catch(() => null)
  return module ? module.explanation(answer, variant, isSlip) : []
}

const MAX_LENGTH = 40 // characters of a name in an address that are shown

/**
 * The variant that an address specifies; by default, the first step of the path without full credit. A set that is
 * missing or does not exist is replaced by the first set, and such a variant by variant 1.
 * @param {URLSearchParams} query
 * @returns {Address}
 */
function addressIn(query) {
  if (!query.has("set") && !query.has("seed")) return openStep()
  const [first] = sets
  const set = query.get("set") ?? first.name
  const seed = query.get("seed") ?? "1"
  const isKnownSet = sets.some(({ name }) => name === set)
  const isSeed = /^[0-9]+$/.test(seed) && Number(seed) <= draw.last
  const faults = []
  if (!isKnownSet) faults.push(`There is no set “${cut(set, MAX_LENGTH)}” of exercises; choose one of those below.`)
  if (!isSeed)
    faults.push(
      `There is no variant “${cut(seed, MAX_LENGTH)}”; variants are whole numbers from 0 to ${whole(draw.last)}.`,
    )
  return { set: isKnownSet ? set : first.name, seed: isSeed ? Number(seed) : 1, faults: faults.join(" ") }
}

/**
 * The query of a variant's address. It keeps the other parameters of the current address, such as the model and the
 * class of a ledger on the same page.
 * @param {Address} address
 */
function queryOf({ set, seed }) {
  const query = new URLSearchParams(location.search)
  query.delete("answer")
  query.set("set", set)
  query.set("seed", String(seed))
  return `?${query}`
}

/**
 * Goes to a variant, as a step that the browser's Back button undoes.
 * @param {Address} address
 */
function go(address) {
  history.pushState(null, "", queryOf(address))
  show(address)
  container.querySelector("h2")?.focus()
}

/**
 * A button that calls a function when it is clicked.
 * @param {string} text
 * @param {() => void} act
 */
function button(text, act) {
  const element = html`<button type="button" class="md-button">${text}</button>`
  element.addEventListener("click", act)
  return element
}

// --- The choice of a set --------------------------------------------------------

const SOLVED_KEY = "bert-counted: solved exercises" // the key under which the browser stores the seeds, by set
const STORAGE_NOTE = hasStorage()
  ? "What you have solved is kept in this browser and nowhere else."
  : "What you have solved is kept only until you leave this page, because your browser does not let it store anything."
/**
 * The seeds of the variants of a set that the reader has solved.
 * @param {string} set
 * @returns {number[]}
 */
function solvedSeedsOf(set) {
  const seeds = load(SOLVED_KEY)[set]
  return Array.isArray(seeds) ? [...new Set(seeds.filter(Number.isInteger))] : []
}

/**
 * The list of sets. The link to another set leads to its first unsolved variant.
 * @param {Address} address
 */
function listOfSets(address) {
  const items = sets.map(({ name, title }) => {
    const count = solvedSeedsOf(name).length
    const isCurrent = name === address.set
    const to = { set: name, seed: isCurrent ? address.seed : nextSeed(name, 0) }
    const solvedNote = count ? html`<span class="bc-solved"> ${count} solved</span>` : ""
    return linkItem(to, isCurrent, [title, solvedNote])
  })
  const list = html`<details class="bc-fold bc-all-sets"><summary>All exercises, by kind</summary>
    <nav aria-label="Sets of exercises"><ul class="bc-sets">${items}</ul></nav></details>`
  list.toggleAttribute("open", placeOnPath(address) < 0)
  return list
}

/**
 * An item of a list, with a link to a variant.
 * @param {Address} to
 * @param {boolean} isCurrent  whether the variant is the one shown
 * @param {Content[]} content
 */
function linkItem(to, isCurrent, content) {
  const item = html`<li><a href="${queryOf(to)}">${content}</a></li>`
  if (isCurrent) item.firstElementChild?.setAttribute("aria-current", "true")
  item.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    go(to)
  })
  return item
}

/**
 * A share as a percentage, rounded down so that only full credit is 100%.
 * @param {number} share
 */
const percent = (share) => `${Math.floor(100 * share)}%`

/**
 * The list of the steps on the path, each with the credit that the reader has earned for it.
 * @param {Address} address
 */
function listOfSteps(address) {
  const currentIndex = placeOnPath(address)
  const items = path.map((step, index) => {
    const credit = creditOf(step)
    const creditNote = credit ? html`<span class="bc-solved"> ${percent(credit)}</span>` : ""
    return linkItem(step, index === currentIndex, [step.title, creditNote])
  })
  const earnedPoints = Number(points().toFixed(1))
  return html`<nav class="bc-path" aria-label="The path">
    <p>From one cell to a whole model: ${earnedPoints} of ${path.length} points</p>
    <ol class="bc-sets">${items}</ol></nav>`
}

/** Suggestions of where to go next, for a reader with full credit for every step of the path. */
function endOfPath() {
  return html`<p class="bc-end-of-path">You have walked the whole path, and can count any BERT from its sizes. From here, you can
    <a href="${ROOT}disagreements/i-got.html">explain a number of your own</a>,
    <a href="${ROOT}try/calculator.html">change the sizes</a>
    or <a href="${ROOT}totals/relatives.html">see what BERT's relatives change</a>.</p>`
}

/**
 * The seed of the next unsolved variant of a set, or of the next variant if all are solved. After the last variant, the
 * search continues with variant 1.
 * @param {string} set
 * @param {number} seed  the seed after which the search begins
 */
function nextSeed(set, seed) {
  const solvedSeeds = new Set(solvedSeedsOf(set))
  let next = seed
  do next = next >= draw.last ? 1 : next + 1
  while (solvedSeeds.has(next) && solvedSeeds.size < draw.last)
  return next
}

// --- A link and a frame to copy -------------------------------------------------

/**
 * The texts that a teacher can copy into a course page: a link to a variant, and a frame that shows the variant, with
 * the link below it. Empty on a page that is itself in a frame.
 * @param {Address} address
 * @param {Exercise} variant
 * @returns {Record<string, string>}
 */
function textsToCopy({ set, seed }, variant) {
  const { embed } = document.querySelector("article")?.dataset ?? {}
  if (!embed) return {}
  const page = pageAddress()
  const link = `${page}?set=${set}&seed=${seed}`
  const source = `${new URL(embed, page)}?set=${set}&seed=${seed}&theme=light`
  const title = escapeHtml(`Exercise: ${variant.text}`)
  const { frame: height = 0 } = sets.find(({ name }) => name === set) ?? {}
  return {
    Link: link,
    Frame: `<iframe src="${escapeHtml(source)}"
  title="${title}"
  width="100%" height="${height}" style="border: 0"></iframe>
<p><a href="${escapeHtml(link)}">${title}</a></p>`,
  }
}

/**
 * Buttons that copy texts, and the elements below them, which show the result or, if the browser refuses, the text to
 * copy by hand.
 * @param {Record<string, string>} textsByName  the texts, by the names on the buttons
 */
function copyButtons(textsByName) {
  const status = html`<span role="status"></span>`
  const field = /** @type {HTMLTextAreaElement} */ (
    html`<textarea class="bc-by-hand" readonly rows="5" spellcheck="false" aria-label="Text to copy" hidden></textarea>`
  )
  const buttons = Object.entries(textsByName).map(([name, text]) =>
    button(`Copy ${name.toLowerCase()}`, async () => {
      field.hidden = true
      status.textContent = await copyOrSelect(text, name, field)
    }),
  )
  return { buttons, below: buttons.length ? [html`<p class="bc-copied">${status}</p>`, field] : [] }
}

// --- One exercise ---------------------------------------------------------------

/**
 * The lines of a sum as a list, each after its label.
 * @param {SolutionStep[]} steps
 */
const stepsOf = (steps) => {
  const items = steps.map(
    ({ label, text }) =>
      html`<li><span class="bc-what">${label}</span> <span class="bc-line-of-sum">${text}</span></li>`,
  )
  return html`<ol class="bc-solution">${items}</ol>`
}

/**
 * The legends above the options, by the kind of question. For any other kind, the options are configurations.
 * @type {Record<string, string>}
 */
const LEGENDS = { mistake: "What was done?", share: "Share" }

/** The options of a multiple-choice question, one of which can be selected. @param {Exercise} variant */
function optionsOf({ options, kind }) {
  const legend = LEGENDS[String(kind)] ?? "Configuration"
  const labels = options.map(
    ({ text }, index) => html`<label><input type="radio" name="answer" value="${index}" required> ${text}</label>`,
  )
  return html`<fieldset class="bc-options"><legend>${legend}</legend>${labels}</fieldset>`
}

/**
 * The field for an answer that is a number.
 * @param {Exercise} variant
 */
const fieldOf = ({ unit }) => html`
  <p class="bc-field"><label for="exercise-answer">Your answer${unit === "bytes" ? ", with its unit" : ""}</label>
  <input id="exercise-answer" name="answer" type="text" autocomplete="off" spellcheck="false" inputmode="text"></p>`

/**
 * A collapsible section below the question.
 * @param {string} name
 * @param {Content[]} content
 */
const fold = (name, content) => html`<details class="bc-fold"><summary>${name}</summary>${content}</details>`

/**
 * A link to the page that explains how to count the answer to a variant.
 * @param {Exercise} variant
 */
const linkToPage = ({ page }) => html`<a href="${ROOT}${page}">${exercises.pages[page.split("#")[0]]}</a>`

/**
 * The solution of a variant: the right option, if the variant has options, and the sum.
 * @param {Exercise} variant
 */
function solutionOf({ options, solution }) {
  const rightOptions = options.filter((option) => option.isCorrect).map(({ text }) => html`<p>${text}</p>`)
  return fold("Solution", [...rightOptions, stepsOf(solution)])
}

/** A variant on the page, with the reader's progress on it. */
class ShownExercise {
  verdict = html`<div class="bc-verdict" role="status"></div>`
  creditNote = html`<p class="bc-credit-earned" role="status"></p>`
  hasSeenSolution = false // whether the reader has seen the solution; after that, a right answer is not recorded
  wrongChoices = 0
  answerCount = 0 // the number of answers so far, to detect an explanation that arrives after a newer answer

  /** @param {Address} address */
  constructor(address) {
    this.address = address
    this.variant = exercise(address.set, address.seed)
    const { variant } = this
    this.isChoice = variant.options.length > 0
    this.knownWrongAnswers = withFurther(variant.wrongAnswers, variant.further, variant.answer)
    const field = this.isChoice ? optionsOf(variant) : fieldOf(variant)
    this.input = /** @type {HTMLInputElement} */ (field.querySelector("input"))
    const submitButton = html`<button type="submit" class="md-button md-button--primary">Check</button>`
    this.form = /** @type {HTMLFormElement} */ (html`<form class="bc-question">${field}${submitButton}</form>`)
    // The listener is on the button, because `submit` never occurs if a frame's sandbox forbids forms. Enter in the
    // field clicks the button too.
    submitButton.addEventListener("click", (event) => {
      event.preventDefault()
      this.check()
    })
    this.solutionFold = solutionOf(variant)
    this.solutionFold.addEventListener("toggle", () => (this.hasSeenSolution = true))
    this.nextVariant = button("Next variant", () => go({ set: variant.set, seed: nextSeed(variant.set, variant.seed) }))
    const index = placeOnPath(address)
    const step = index < 0 ? undefined : path[index + 1]
    this.nextStep = step ? button(`Next step: ${step.title}`, () => go(step)) : null
  }

  /** Puts the exercise on the page, between the list of steps and the list of sets. */
  layOut() {
    const { address, variant } = this
    const { title } = sets.find(({ name }) => name === variant.set) ?? sets[0]
    const hints = variant.hints.map((hint, index) => fold(`Hint ${index + 1}`, [html`<p>${hint}</p>`]))
    const explanationLink = html`<p>${linkToPage(variant)} explains how to count this.</p>`
    const folds = [...hints, fold("Where this is explained", [explanationLink]), this.solutionFold]
    const { buttons, below } = copyButtons(textsToCopy(address, variant))
    const { faults } = address
    container.replaceChildren(
      listOfSteps(address),
      faults ? html`<div class="bc-verdict" data-kind="unread" role="alert"><p>${faults}</p></div>` : "",
      html`<div class="bc-exercise">
      <h2 id="exercise-title" tabindex="-1">${title}<small> variant ${variant.seed}</small></h2>
      <p class="bc-asked">${variant.text}</p>
      ${variant.sizesText ? html`<p class="bc-given">${variant.sizesText}</p>` : ""}
      ${variant.ledger.length ? stepsOf(variant.ledger) : ""}${this.form}${this.verdict}${this.creditNote}
      ${folds}<p class="bc-buttons">${[this.nextStep ?? "", this.nextVariant, ...buttons]}</p>${below}</div>`,
      listOfSets(address),
      html`<p class="bc-hint">${STORAGE_NOTE} ${button("Reset progress", () => resetProgress(address))}</p>`,
    )
    // The search for explanations is fetched and prepared while the reader types.
    container.addEventListener("focusin", async () => (await fetchExplanation()).prepareExplanation(), { once: true })
  }

  /**
   * Shows a verdict. A right answer also opens the solution, and is recorded unless the reader has looked at it before.
   * @param {string} kind
   * @param {Content[]} content
   */
  showVerdict(kind, ...content) {
    this.verdict.dataset.kind = kind
    this.creditNote.textContent = ""
    this.verdict.replaceChildren(html`<p>${content}</p>`)
    if (kind !== "right") return
    // The `toggle` event of a solution that has just been opened may not have occurred yet.
    const isUnaided = !this.hasSeenSolution && !this.solutionFold.hasAttribute("open")
    // Open the solution, and highlight the button that leads on.
    this.solutionFold.setAttribute("open", "")
    const forwardButton = this.nextStep ?? this.nextVariant
    forwardButton.classList.add("md-button--primary")
    if (isUnaided) this.keepSolved()
  }

  /** Records that the variant was solved, with the credit that remains after wrong choices. */
  keepSolved() {
    const { address, variant, wrongChoices } = this
    save(SOLVED_KEY, { ...load(SOLVED_KEY), [variant.set]: [...solvedSeedsOf(variant.set), variant.seed] })
    const credit = creditForChoice(wrongChoices)
    keepCredit(address, credit)
    if (wrongChoices)
      this.creditNote.textContent = `Credit: ${percent(credit)}, because each wrong choice costs credit.`
    this.showProgress()
  }

  /** Updates both lists with the reader's progress and, once the path is complete, suggests where to go next. */
  showProgress() {
    const list = container.querySelector(".bc-all-sets")
    const isOpen = list?.hasAttribute("open") ?? false
    const newList = listOfSets(this.address)
    newList.toggleAttribute("open", isOpen)
    list?.replaceWith(newList)
    container.querySelector(".bc-path")?.replaceWith(listOfSteps(this.address))
    const isComplete = points() === path.length
    if (isComplete && !container.querySelector(".bc-end-of-path")) this.creditNote.after(endOfPath())
  }

  /**
   * Shows and stores partial credit, unless the reader has looked at the solution.
   * @param {{ credit: number, reason: string }} earning
   */
  awardPartialCredit({ credit, reason }) {
    if (!credit || this.hasSeenSolution || this.solutionFold.hasAttribute("open")) return
    keepCredit(this.address, credit)
    this.creditNote.textContent = `Partial credit: ${percent(credit)}, for ${reason}.`
    this.showProgress()
  }

  /** Judges the answer in the form, and shows the verdict. */
  async check() {
    const { variant, knownWrongAnswers } = this
    const answerNumber = ++this.answerCount
    const answer = String(new FormData(this.form).get("answer")).trim()
    if (!answer) return this.showVerdict("unread", "Enter an answer first.")
    const option = this.isChoice && variant.options[Number(answer)]
    if (option && !option.isCorrect) this.wrongChoices++
    if (option) return this.showVerdict(option.isCorrect ? "right" : "known", option.feedback)
    const { kind, feedback } = judge(
      answer,
      variant.answer,
      variant.unit,
      knownWrongAnswers,
      variant.sizes,
      variant.sum,
    )
    this.input.setAttribute("aria-invalid", String(kind !== "right"))
    const needsExplanation = kind === "unknown" || kind === "slip"
    if (needsExplanation) this.verdict.replaceChildren()
    const content = needsExplanation ? await explanationOf(answer, variant, kind === "slip") : []
    if (answerNumber !== this.answerCount) return
    if (content.length) this.showVerdict("explained", "Not right. ", ...content)
    else if (kind === "unknown" && feedback) this.showVerdict("explained", `Not right. ${feedback} A hint may help.`)
    else if (kind === "unknown") this.showVerdict("explained", `Not right. ${texts.unknown} `, ...this.helpSentences())
    else this.showVerdict(kind, feedback)
    if (kind === "known") this.awardPartialCredit(creditFor(answer, variant))
  }

  /** Sentences that list the parts of the answer, and refer to the hints and to the page that explains the question. */
  helpSentences() {
    const { variant } = this
    return [`${sentenceOfParts(variant)} A hint or the page “`.trimStart(), linkToPage(variant), "” may help."]
  }
}

/**
 * Shows a variant and, if an answer is given, fills it in and checks it; a choice is not filled in. Returns the shown
 * exercise.
 * @param {Address} address
 * @param {string} [typedAnswer]
 */
function show(address, typedAnswer = "") {
  const shownExercise = new ShownExercise(address)
  shownExercise.layOut()
  if (typedAnswer && !shownExercise.isChoice) {
    shownExercise.input.value = typedAnswer
    shownExercise.check()
  }
  return shownExercise
}

/**
 * Deletes the record of solved variants and all credit, and shows a variant again.
 * @param {Address} address
 */
function resetProgress(address) {
  save(SOLVED_KEY, {})
  forgetCredit()
  show(address).showVerdict("explained", "Your progress has been reset.")
  container.querySelector("h2")?.focus()
}

const query = new URLSearchParams(location.search)
show(addressIn(query), query.get("answer") ?? "")
addEventListener("popstate", () => show(addressIn(new URLSearchParams(location.search))))
