// Whether a training step fits on a card, in the calculator: the form of the page on
// training memory, set to the model at hand. What a step keeps is exported for some
// published models as classifiers, so of any other configuration the command line is
// offered, which counts all of them. The form and its numbers are fetched when the
// reader unfolds them.

import { models, usualChoices } from "../counting/engine.js"
import { byId } from "./live.js"

const fold = /** @type {HTMLDetailsElement} */ (byId("fits"))
const form = /** @type {HTMLFormElement} */ (byId("batch-form"))
const list = /** @type {HTMLSelectElement} */ (form.elements.namedItem("model"))
const MODELS = Array.from(list.options, ({ value }) => value)

/** @type {Configuration} */
let configuration

/** Whether two objects have the same values for the keys of the first. @param {Record<string, unknown>} one @param {Record<string, unknown>} other */
const agree = (one, other) => Object.keys(one).every((key) => one[key] === other[key])

/** The model of the form that has the sizes of a configuration, whose labels do not matter; undefined if there is none.
 * @param {Configuration} configuration */
function modelOf({ architecture, sizes, choices, biases, pruned }) {
  if (!biases || pruned || !agree(usualChoices(architecture), choices)) return undefined
  return MODELS.find((name) => {
    const model = models.get(name)
    return model.architecture === architecture && agree({ ...model.sizes, C: sizes.C }, sizes)
  })
}

/** What the form calls that which a configuration trains; undefined if the form does not offer it.
 * @param {Configuration} configuration */
function trainedOf({ frozen, lora, sizes }) {
  const isFrozen = frozen.embeddings || frozen.all_but_head || frozen.layers > 0
  if (lora) {
    if (isFrozen) return undefined
    if (lora.method === "bitfit") return "bitfit"
    const isUsual = lora.method === "lora" && lora.rank === 8 && [...lora.modules].sort().join() === "query,value"
    return isUsual ? "lora" : undefined
  }
  if (!isFrozen) return "all"
  return frozen.embeddings && !frozen.all_but_head && 2 * frozen.layers === sizes.L ? "half" : undefined
}

async function set() {
  if (!fold.open) return
  const { choose } = await import("../pages/fits.js")
  const model = modelOf(configuration)
  const trained = trainedOf(configuration)
  form.hidden = !(model && trained)
  byId("fits-otherwise").hidden = !form.hidden
  if (model && trained) choose(model, trained)
}

/** @param {Shown} shown */
export function show(shown) {
  configuration = shown.configuration
  set()
}

fold.addEventListener("toggle", set)
