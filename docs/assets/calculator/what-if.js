// The what-ifs of the calculator: switches that change rows and nothing else,
// each with what it does on its own. The build writes them all.

import { signed } from "../answering/elements.js"
import { MODULES, missingInPlace } from "../counting/changes.js"
import { noun, whole } from "../counting/engine.js"
import { tell } from "./form.js"
import { formAt, hold, panel as panelOf, place, say } from "./live.js"

const { form, fieldOf: field } = formAt("what-if-form")
const [singles, frozenParts, modules] = [...form.querySelectorAll(".bc-what-ifs")].map((list) => [
  ...list.querySelectorAll("input"),
])
const freezing = /** @type {HTMLFieldSetElement} */ (place("what-if-freezing"))
const [ALL, BIASES] = ["all-linear", "biases-off"]
const PEFT =
  "With LoRA, PEFT freezes the whole model and trains only what it adds, so these switches would change nothing."

/** @param {HTMLInputElement} input */
const rowOf = (input) => /** @type {HTMLElement} */ (input.parentElement)
/** What a what-if is called; "" for other changes. @param {string} name */
export const wordsOf = (name) => singles.find((each) => each.name === name)?.labels?.[0].textContent ?? ""

// --- Showing ----------------------------------------------------------------

/** The state as the switches show it. @param {Typed} typed */
export function fill({ more, biases, vocabulary, frozen, lora }) {
  for (const input of singles) input.checked = input.name === BIASES ? !biases : more.includes(input.name)
  for (const input of modules) input.checked = lora?.modules.includes(input.value) ?? false
  for (const input of frozenParts) input.checked = Boolean(frozen[/** @type {keyof Frozen} */ (input.name)])
  hold(field("vocabulary"), vocabulary)
  hold(field("layers"), frozen.layers)
  hold(field("rank"), lora?.rank ?? "")
  freezing.disabled = Boolean(lora)
  say(place("what-if-frozen-says"), lora ? PEFT : "")
}

/** @param {WrongField[]} errors */
export function mark(errors) {
  /** @param {string} key */
  const message = (key) => errors.find((each) => each.key === key)?.message ?? ""
  for (const key of ["vocabulary", "layers", "rank"]) tell(field(key), message(key))
  say(place("what-if-modules-says"), message("modules") && `${message("modules")}.`)
}

/** @param {Shown} shown */
function show({ whatIfs, offered, counted, typed, hops, configuration }) {
  say(place("what-if-resized"), resizing(hops, configuration))
  for (const input of singles) {
    const found = whatIfs.find(({ name }) => name === input.name)
    rowOf(input).hidden = !found
    if (found)
      say(/** @type {Element} */ (rowOf(input).lastElementChild), found.value ? signed(found.value) : "changes nothing")
  }
  rowOf(field("all_but_head")).hidden = !offered.head
  for (const input of modules) rowOf(input).hidden = input.value !== ALL && !offered.modules.includes(input.value)
  const adapters = counted.rows.reduce((sum, row) => sum + (row.added === "lora" ? row.number : 0), 0)
  say(
    place("what-if-adapters"),
    typed.lora && adapters ? `Adapters: ${whole(adapters)} ${noun(adapters, "parameter")}.` : "",
  )
}

/** What transformers does to the vocabulary of a model that is there already, where that is something else. @param {Hop[]} hops @param {Configuration} configuration */
function resizing(hops, { biases }) {
  const hop = hops.find(({ name }) => name === "vocabulary")
  const missing = hop ? missingInPlace(hop.from, { ...hop.to, biases }) : 0
  if (!hop || !missing) return ""
  const becomes =
    missing === hop.to.sizes.V
      ? "makes the two biases of an untied head one tensor"
      : "leaves one of the two biases of an untied head as long as it was"
  const many = Math.abs(missing)
  return `This counts a model built with this vocabulary. resize_token_embeddings() in transformers 5 ${becomes}: ${whole(many)} ${noun(many, "parameter")} ${missing > 0 ? "fewer" : "more"}.`
}

// --- Switching --------------------------------------------------------------

/** @type {Listen} */
export function listen(current, changed) {
  form.addEventListener("submit", (event) => event.preventDefault())
  form.addEventListener("input", ({ target }) => {
    const input = /** @type {HTMLInputElement} */ (target)
    const { name, value, checked } = input
    const typed = current()
    const others = typed.more.filter((each) => each !== name)
    if (name === BIASES) changed({ ...typed, biases: !checked }, "biases")
    else if (singles.includes(input)) changed({ ...typed, more: checked ? [...others, name] : others }, "more")
    else if (name === "vocabulary") changed({ ...typed, vocabulary: value }, name)
    else if (name === "rank" || name === "module") changed({ ...typed, lora: loraFrom(input, typed) }, "lora")
    else changed({ ...typed, frozen: { ...typed.frozen, [name]: name === "layers" ? value : checked } }, "frozen")
  })
}

/** LoRA as the fields say it: a rank without modules takes those that are usual, and no rank means none.
 * @param {HTMLInputElement} target @param {Typed} typed */
function loraFrom({ name, value, checked }, typed) {
  const chosen = modules.filter((each) => each.checked).map((each) => each.value)
  const rank = field("rank").value
  if (name === "rank") {
    if (!rank.trim()) return null
    return { rank, modules: typed.lora ? chosen : MODULES.filter((each) => each === "query" || each === "value") }
  }
  // All linear layers are PEFT's own choice, which stands alone.
  const taken = value === ALL && checked ? [ALL] : chosen.filter((each) => each !== ALL)
  return taken.length || rank.trim() ? { rank: rank.trim() ? rank : "8", modules: taken } : null
}

export const panel = panelOf("what-if-place", show)
