// The what-ifs of the calculator: switches that change rows and nothing else,
// each with what it does on its own.

import { element, signed } from "../answering/elements.js"
import { MODULES, missingInPlace } from "../counting/changes.js"
import { noun, whole } from "../counting/engine.js"
import { tell } from "./form.js"
import { hold, place, say } from "./live.js"

/** @type {Record<string, string>} */
export const WORDS = {
  "more-V": "one token more",
  "more-P": "one position more",
  "more-S": "one segment more",
  "more-F": "one feed-forward unit more",
  "more-L": "one layer more",
  "more-G": "one group of layers more",
  "more-I": "one layer per group more",
  "more-E": "one embedding unit more",
  "more-C": "one label more",
  "more-heads": "one head more, as wide as the others",
  "other-heads": "another number of heads",
  "biases-off": "no biases in dense layers",
}
/** @type {Record<string, string>} */
const MODULE_WORDS = {
  query: "query",
  key: "key",
  value: "value",
  "attention-output": "attention output",
  intermediate: "feed-forward, first",
  output: "feed-forward, second",
  "all-linear": "all linear layers",
}

/** @param {string} name @param {string} words @param {string} [says] */
function toggle(name, words, says = "") {
  const input = /** @type {HTMLInputElement} */ (
    element("input", { type: "checkbox", id: `what-if-${name}`, name: `what-if-${name}` })
  )
  const effect = element("span", { class: "bc-effect" })
  const row = element("li", { class: "bc-switch" }, input, element("label", { for: input.id }, words), effect)
  if (says) row.append(element("span", { class: "bc-what" }, says))
  return { input, effect, row }
}

/** @param {string} name @param {string} label @param {string} hint */
function field(name, label, hint) {
  const input = /** @type {HTMLInputElement} */ (
    element("input", {
      type: "text",
      inputmode: "numeric",
      id: `what-if-${name}`,
      name: `what-if-${name}`,
      spellcheck: "false",
      autocomplete: "off",
      "aria-describedby": `what-if-${name}-says`,
      placeholder: hint,
    })
  )
  const says = element("p", { class: "bc-fault", id: `what-if-${name}-says` })
  return { input, row: element("div", { class: "bc-size" }, element("label", { for: input.id }, label), input, says) }
}

// --- The switches --------------------------------------------------------------

const list = element("ul", { class: "bc-what-ifs" })
/** @type {Map<string, ReturnType<typeof toggle>>} */
const toggles = new Map()
for (const [name, words] of Object.entries(WORDS)) toggles.set(name, toggle(name, words))

const vocabulary = field("vocabulary", "Resize the vocabulary to", "for example 31,000")
const frozen = {
  embeddings: toggle("frozen-embeddings", "embeddings"),
  all_but_head: toggle("frozen-all-but-head", "everything but the head"),
  layers: field("frozen-layers", "How many of the first layers", "none"),
}
const rank = field("rank", "Rank r", "no LoRA")
const modules = MODULES.map((name) => ({ name, ...toggle(`lora-${name}`, MODULE_WORDS[name]) }))
const modulesSay = element("p", { class: "bc-fault", id: "what-if-modules-says" })

const adaptersSay = element("p", { class: "bc-hint" })
const inPlace = element("p", { class: "bc-hint" })
const frozenByPeft = element("p", { class: "bc-hint", id: "what-if-frozen-says" })

/** @param {string} legend @param {(Node | string)[]} content */
const group = (legend, ...content) =>
  /** @type {HTMLFieldSetElement} */ (
    element("fieldset", { class: "bc-group" }, element("legend", {}, legend), ...content)
  )
const freezing = group(
  "Frozen, so not trained",
  element("ul", { class: "bc-what-ifs" }, frozen.embeddings.row, frozen.all_but_head.row),
  frozen.layers.row,
  frozenByPeft,
)
freezing.setAttribute("aria-describedby", frozenByPeft.id)
const switches = element(
  "form",
  { class: "bc-what-if bc-question", autocomplete: "off" },
  group("One more, or none", list, vocabulary.row, inPlace),
  freezing,
  group(
    "LoRA: train a low-rank change instead",
    rank.row,
    element(
      "ul",
      { class: "bc-what-ifs bc-modules" },
      modules.map((each) => each.row),
    ),
    modulesSay,
    adaptersSay,
  ),
)
place("what-if-place").append(switches)

// --- Showing ----------------------------------------------------------------

/** @param {string} name @param {Typed} typed */
const isOn = (name, typed) => (name === "biases-off" ? !typed.biases : typed.more.includes(name))

/** The state as the switches show it. @param {Typed} typed */
export function fill(typed) {
  for (const [name, { input }] of toggles) input.checked = isOn(name, typed)
  hold(vocabulary.input, typed.vocabulary)
  frozen.embeddings.input.checked = typed.frozen.embeddings
  frozen.all_but_head.input.checked = typed.frozen.all_but_head
  hold(frozen.layers.input, typed.frozen.layers)
  freezing.disabled = Boolean(typed.lora)
  say(
    frozenByPeft,
    typed.lora
      ? "With LoRA, PEFT freezes the whole model and trains only what it adds, so these switches would change nothing."
      : "",
  )
  hold(rank.input, typed.lora?.rank ?? "")
  for (const { name, input } of modules) input.checked = typed.lora?.modules.includes(name) ?? false
}

/** @param {WrongField[]} errors */
export function mark(errors) {
  /** @param {string} key */
  const message = (key) => errors.find((each) => each.key === key)?.message ?? ""
  tell(vocabulary.input, message("vocabulary"))
  tell(frozen.layers.input, message("layers"))
  tell(rank.input, message("rank"))
  say(modulesSay, message("modules") && `${message("modules")}.`)
}

/** @param {Shown} shown */
function show({ whatIfs, offered, counted, typed, hops, configuration }) {
  say(inPlace, resizing(hops, configuration))
  const there = whatIfs.filter(({ name }) => toggles.has(name))
  if ([...list.children].map((each) => each.id).join() !== there.map(({ name }) => `row-${name}`).join()) {
    list.replaceChildren(
      ...there.map(({ name }) => {
        const { row } = /** @type {ReturnType<typeof toggle>} */ (toggles.get(name))
        row.id = `row-${name}`
        return row
      }),
    )
  }
  for (const { name, value } of there) {
    const effect = toggles.get(name)?.effect
    if (effect) say(effect, value ? signed(value) : "changes nothing")
  }
  frozen.all_but_head.row.hidden = !offered.head
  for (const { name, row } of modules) row.hidden = name !== "all-linear" && !offered.modules.includes(name)
  const adapters = counted.rows.filter((row) => row.added === "lora").reduce((sum, row) => sum + row.number, 0)
  say(adaptersSay, typed.lora && adapters ? `Adapters: ${whole(adapters)} ${noun(adapters, "parameter")}.` : "")
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
  return `This counts a model built with this vocabulary. resize_token_embeddings() in transformers 5 ${becomes}: ${difference(missing)}.`
}
/** @param {number} missing */
const difference = (missing) =>
  missing > 0
    ? `${whole(missing)} ${noun(missing, "parameter")} fewer`
    : `${whole(-missing)} ${noun(-missing, "parameter")} more`

// --- Switching --------------------------------------------------------------

/** @type {Listen} */
export function listen(current, changed) {
  switches.addEventListener("submit", (event) => event.preventDefault())
  switches.addEventListener("input", ({ target }) => {
    const typed = current()
    const [name] = [...toggles].find(([, each]) => each.input === target) ?? []
    if (name === "biases-off") return changed({ ...typed, biases: !typed.biases }, "biases")
    if (name) {
      const more = typed.more.includes(name) ? typed.more.filter((each) => each !== name) : [...typed.more, name]
      return changed({ ...typed, more }, "more")
    }
    if (target === vocabulary.input) return changed({ ...typed, vocabulary: vocabulary.input.value }, "vocabulary")
    if (target === rank.input || modules.some(({ input }) => input === target))
      return changed({ ...typed, lora: loraFrom(target, typed) }, "lora")
    changed(
      {
        ...typed,
        frozen: {
          embeddings: frozen.embeddings.input.checked,
          all_but_head: frozen.all_but_head.input.checked,
          layers: frozen.layers.input.value,
        },
      },
      "frozen",
    )
  })
}

/** LoRA as the fields say it: a rank without modules takes those that are usual, and no rank means none.
 * @param {EventTarget | null} target @param {Typed} typed */
function loraFrom(target, typed) {
  const chosen = modules.filter(({ input }) => input.checked).map(({ name }) => name)
  const text = rank.input.value
  if (target === rank.input) {
    if (!text.trim()) return null
    return { rank: text, modules: typed.lora ? chosen : MODULES.filter((each) => each === "query" || each === "value") }
  }
  // All linear layers are PEFT's own choice, which stands alone.
  const last = modules.find(({ input }) => input === target)
  const taken =
    last?.name === "all-linear" && last.input.checked ? ["all-linear"] : chosen.filter((each) => each !== "all-linear")
  return taken.length || text.trim() ? { rank: text.trim() ? text : "8", modules: taken } : null
}

/** @type {Panel} */
export const panel = { show, place: place("what-if-place") }
