// The bridge of the calculator: from any published checkpoint to the reader's
// model, each change with a line of its own, as a table and to scale.

import table from "../../data/table.js"
import { code, element, signed } from "../answering/elements.js"
import { waterfall } from "../answering/waterfall.js"
import { steps as stepsOf } from "../counting/changes.js"
import { ofModel } from "../counting/configuration.js"
import { MOST, models, whole } from "../counting/engine.js"
import { labelOf } from "./form.js"
import { cell, hold, liveTable, modelSelect, place } from "./live.js"
import { published } from "./state.js"
import { WORDS } from "./what-if.js"

const select = modelSelect("bridge-from")
const drawn = element("div", { class: "bc-waterfall" })
/** @type {Column[]} */
const COLUMNS = [
  ["change", "text"],
  ["parameters", "num"],
  ["trainable", "num"],
  ["formula", "prose"],
]
const steps = liveTable("calculator-bridge", "Step by step", COLUMNS)
place("bridge-place").append(
  element("p", { class: "bc-field bc-choice" }, element("label", { for: "bridge-from" }, "From "), select),
  drawn,
  steps.element,
)

/** What a step changes, in words. @param {ChangeStep} step @param {string} hop  the what-if that brings it, or "" */
function words({ kind, key, from, to, value }, hop) {
  const what = WORDS[hop]
  const [old, now] = [from, to].map((each) => whole(Number(each)))
  if (what) return `${what}${kind === "size" ? `: ${key} = ${now}` : ""}`
  if (kind === "size") return `${hop ? "vocabulary resized" : labelOf(key)}: ${key} = ${now}, not ${old}`
  if (kind === "class" || kind === "architecture") {
    const title = titles.get(key) ?? key
    const [less, more] = [from, to].map((each) => architectures.get(String(each)) ?? each)
    return value > 0 ? `${title} of ${more}` : `${title}, without what only ${less} has`
  }
  const [done, undone] = SWITCHED[kind] ?? [LORA, LORA]
  return to ? done : undone
}

const LORA = "LoRA's adapters, everything else frozen"
const FROZEN = "frozen, so not trained"
/** What is said of a switch, on and off. @type {Record<string, [string, string]>} */
const SWITCHED = {
  pooler: ["with a pooler", "without the pooler"],
  tied: ["decoder tied to the word embeddings", "decoder not tied"],
  cross_attention: ["with cross-attention", "without cross-attention"],
  biases: ["with biases in dense layers", "without biases in dense layers"],
  frozen: [FROZEN, FROZEN],
}

/** Every change on the way, those of the typed sizes first. @param {Shown} shown @param {Configuration} start @returns {{ words: string, step: ChangeStep }[] | null} */
export function way({ base, hops }, start) {
  const legs = [{ name: "", from: start, to: base }, ...hops].map(({ name, from, to }) =>
    stepsOf(from, to)?.map((step) => ({ words: words(step, name), step })),
  )
  return legs.every((each) => each !== undefined) ? legs.flat() : null
}

const architectures = new Map(table.architectures.map((each) => [each.name, each.title]))
const titles = new Map(table.changes.blocks.map((each) => [each.name, each.title]))
let before = ""

/** @param {Shown} shown */
function show(shown) {
  const { typed, counted } = shown
  const name = typed.to || typed.model
  hold(select, name)
  const start = ofModel(name)
  const from = published(name)
  const all = way(shown, start)
  const found = all ?? []
  const { title } = models.get(name)
  steps.element.classList.toggle("bc-all-trained", counted.trainable === counted.total)
  steps.say(
    `From ${title} as ${start.modelClass} to ${shown.configuration.modelClass}${!all ? `: on the way there are more than the ${whole(MOST)} parameters that are counted here` : found.length ? "" : ": nothing differs"}`,
  )
  steps.show(
    [
      { name: "start", cells: [title, whole(from.total), whole(from.trainable), ""] },
      ...found.map(({ words, step }, order) => ({
        name: `step ${order}`,
        cells: [
          words,
          signed(step.value),
          signed(step.trainable),
          cell(step.formula, () => (step.formula ? [code(step.formula)] : [])),
        ],
      })),
    ],
    ["your model", whole(counted.total), whole(counted.trainable), ""],
  )
  draw(title, from.total, found)
}

/** @param {string} title @param {number} start @param {{ words: string, step: ChangeStep }[]} found */
function draw(title, start, found) {
  const seen = found.filter(({ step }) => step.value)
  const key = [title, start, ...seen.map(({ words, step }) => `${words} ${step.value}`)].join("\n")
  if (key === before) return
  before = key
  const bars = seen.map(({ words, step }) => ({ label: words, value: step.value }))
  drawn.replaceChildren(...(bars.length ? [waterfall(start, bars, [title, "your model"])] : []))
}

/** @type {Listen} */
export function listen(current, changed) {
  select.addEventListener("change", () => changed({ ...current(), to: select.value }, "to"))
}

/** @type {Panel} */
export const panel = { show, place: place("bridge-place") }
