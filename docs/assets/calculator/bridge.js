// The bridge of the calculator: from any published checkpoint to the reader's
// model, each change with a line of its own, as a table and to scale.

import table from "../../data/table.js"
import { code, signed } from "../answering/elements.js"
import { waterfall } from "../answering/waterfall.js"
import { steps as stepsOf } from "../counting/changes.js"
import { ofModel } from "../counting/configuration.js"
import { MOST, models, whole } from "../counting/engine.js"
import { labelOf, wordsOf } from "./form.js"
import { placeIn, showTable } from "./live.js"
import { published } from "./state.js"

const figure = placeIn("bridge-place", ".bc-waterfall")
/** @type {Columns} */
const COLUMNS = { change: "text", parameters: "num", trainable: "num", formula: "prose" }
/** What is said of changes that are not in a shape. @type {Record<string, string>} */
const CHANGES = { frozen: "frozen, so not trained", lora: "LoRA's adapters, everything else frozen" }

/** What a step changes, in words. @param {ChangeStep} step @param {string} stage  the what-if that brings it, or "" */
function words({ kind, key, from, to, value }, stage) {
  const what = wordsOf(stage) || CHANGES[stage]
  const [old, now] = [from, to].map((each) => whole(Number(each)))
  if (what) return `${what}${kind === "size" ? `: ${key} = ${now}` : ""}`
  if (kind === "size") return `${stage ? "vocabulary resized" : labelOf(key)}: ${key} = ${now}, not ${old}`
  if (kind === "class" || kind === "architecture") {
    const title = table.changes.blocks.find((each) => each.name === key)?.title
    const [less, more] = [from, to].map((each) => table.architectures.find(({ name }) => name === each)?.title ?? each)
    return value > 0 ? `${title} of ${more}` : `${title}, without what only ${less} has`
  }
  return `${labelOf(kind)}: ${to ? "yes" : "no"}`
}

/** Every change on the way, those of the typed sizes first; null where it leads through a model that is too large to count.
 * @param {Pick<Shown, "stages">} shown @param {Configuration} start */
export function way({ stages }, start) {
  const found = stages.map(({ name, configuration }, order) =>
    stepsOf(order ? stages[order - 1].configuration : start, configuration)?.map((step) => ({
      ...step,
      words: words(step, name),
    })),
  )
  return found.every((each) => each !== undefined) ? found.flat() : null
}

/** @param {Shown} shown */
export function show(shown) {
  const { counted, fields } = shown
  const name = fields.from || fields.model
  const { title } = models.get(name)
  const [start, from] = [ofModel(name), published(name)]
  const all = way(shown, start)
  const found = all ?? []
  const most = `: on the way there are more than the ${whole(MOST)} parameters that are counted here`
  const nothing = found.length ? "" : ": nothing differs"
  const caption = `From ${title} as ${start.modelClass} to ${shown.configuration.modelClass}${all ? nothing : most}`
  const rows = found.map(({ words, value, trainable, formula }) => [
    ...[words, signed(value), signed(trainable)],
    formula && code(formula),
  ])
  const first = [title, whole(from.total), whole(from.trainable), ""]
  const last = ["your model", whole(counted.total), whole(counted.trainable), ""]
  const made = showTable("calculator-bridge", caption, COLUMNS, [first, ...rows], last)
  made.classList.toggle("bc-all-trained", counted.trainable === counted.total)
  const bars = found.map(({ words, value }) => ({ label: words, value })).filter(({ value }) => value)
  figure.replaceChildren(...(bars.length ? [waterfall(from.total, bars, [title, last[0]])] : []))
}
