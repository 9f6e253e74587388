// The bridge of the calculator: from any published checkpoint to the reader's
// model, each change with a line of its own, as a table and to scale.

import table from "../../data/table.js"
import { code, signed } from "../answering/elements.js"
import { waterfall } from "../answering/waterfall.js"
import { steps as stepsOf } from "../counting/changes.js"
import { ofModel } from "../counting/configuration.js"
import { MOST, models, whole } from "../counting/engine.js"
import { labelOf } from "./form.js"
import { cell, hold, liveTable, modelSelect, panel as panelOf, place } from "./live.js"
import { published } from "./state.js"
import { wordsOf } from "./what-if.js"

const around = place("bridge-place")
const select = modelSelect("bridge-from")
const drawn = /** @type {HTMLElement} */ (around.querySelector(".bc-waterfall"))
const steps = liveTable("bridge", { change: "text", parameters: "num", trainable: "num", formula: "prose" })

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

/** What a step changes, in words. @param {ChangeStep} step @param {string} hop  the what-if that brings it, or "" */
function words({ kind, key, from, to, value }, hop) {
  const what = wordsOf(hop)
  const [old, now] = [from, to].map((each) => whole(Number(each)))
  if (what) return `${what}${kind === "size" ? `: ${key} = ${now}` : ""}`
  if (kind === "size") return `${hop ? "vocabulary resized" : labelOf(key)}: ${key} = ${now}, not ${old}`
  if (kind === "class" || kind === "architecture") {
    const title = table.changes.blocks.find((each) => each.name === key)?.title
    const [less, more] = [from, to].map((each) => table.architectures.find(({ name }) => name === each)?.title ?? each)
    return value > 0 ? `${title} of ${more}` : `${title}, without what only ${less} has`
  }
  return (SWITCHED[kind] ?? [LORA, LORA])[to ? 0 : 1]
}

/** Every change on the way, those of the typed sizes first. @param {Shown} shown @param {Configuration} start @returns {{ words: string, step: ChangeStep }[] | null} */
export function way({ base, hops }, start) {
  const legs = [{ name: "", from: start, to: base }, ...hops].map(({ name, from, to }) =>
    stepsOf(from, to)?.map((step) => ({ words: words(step, name), step })),
  )
  return legs.every((each) => each !== undefined) ? legs.flat() : null
}

let before = ""

/** @param {Shown} shown */
function show(shown) {
  const {
    counted,
    typed: { to, model },
  } = shown
  const name = to || model
  hold(select, name)
  const start = ofModel(name)
  const from = published(name)
  const all = way(shown, start)
  const found = all ?? []
  const { title } = models.get(name)
  const most = `: on the way there are more than the ${whole(MOST)} parameters that are counted here`
  const last = "your model"
  steps.element.classList.toggle("bc-all-trained", counted.trainable === counted.total)
  steps.show(
    `From ${title} as ${start.modelClass} to ${shown.configuration.modelClass}${!all ? most : found.length ? "" : ": nothing differs"}`,
    [
      ["start", [title, whole(from.total), whole(from.trainable), ""]],
      ...found.map(
        ({ words, step: { value, trainable, formula } }, order) =>
          /** @type {[string, Cell[]]} */ ([
            `step ${order}`,
            [words, signed(value), signed(trainable), cell(formula, () => (formula ? [code(formula)] : []))],
          ]),
      ),
    ],
    [last, whole(counted.total), whole(counted.trainable), ""],
  )
  const bars = found.map(({ words, step: { value } }) => ({ label: words, value })).filter(({ value }) => value)
  const key = JSON.stringify([title, from.total, bars])
  if (key !== before) drawn.replaceChildren(...(bars.length ? [waterfall(from.total, bars, [title, last])] : []))
  before = key
}

/** @type {Listen} */
export function listen(current, changed) {
  select.addEventListener("change", () => changed({ ...current(), to: select.value }, "to"))
}

export const panel = panelOf("bridge-place", show)
