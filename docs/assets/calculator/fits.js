// Whether a training step fits on a card, in the calculator: the form of the page on
// training memory, set to the model at hand. What a step keeps is exported for some
// published models as classifiers; for any other configuration, readers are sent to the
// command line. The numbers of the form are fetched when the reader unfolds it.

import { FREE, publishedModels } from "../counting/configuration.js"
import { usualChoices } from "../counting/engine.js"
import { byId } from "./live.js"

const fold = /** @type {HTMLDetailsElement} */ (byId("fits"))
const form = /** @type {HTMLFormElement} */ (byId("batch-form"))
const list = /** @type {HTMLSelectElement} */ (form.elements.namedItem("model"))
const MODELS = Array.from(list.options, ({ value }) => value)

/** @type {Configuration} */
let configuration

/** Whether two objects have the same values for the keys of the first.
 * @template {object} Fields @param {Fields} one @param {Fields} other */
const agree = (one, other) => {
  const keys = /** @type {(keyof Fields)[]} */ (Object.keys(one))
  return keys.every((key) => one[key] === other[key])
}

/** The name of the form's model with the sizes of a configuration, whose labels do not matter; undefined if there is none.
 * @param {Configuration} configuration */
function modelOf(configuration) {
  const { architecture, choices, biases, pruned } = configuration
  if (!biases || pruned || !agree(usualChoices(architecture), choices)) return undefined
  return publishedModels(configuration).find(({ name }) => MODELS.includes(name))?.name
}

/** The option of the form for what a configuration trains; undefined if there is none. The options are those of `TRAINED`
 * in macros/rendering/components/training_steps.py.
 * @param {Configuration} configuration */
function trainedOf({ frozen, lora, sizes }) {
  const isFrozen = !agree(FREE, frozen)
  if (lora) {
    if (isFrozen) return undefined
    if (lora.method === "bitfit") return "bitfit"
    const isUsual = lora.method === "lora" && lora.rank === 8 && [...lora.modules].sort().join() === "query,value"
    return isUsual ? "lora" : undefined
  }
  if (!isFrozen) return "all"
  return frozen.embeddings && !frozen.all_but_head && 2 * frozen.layers === sizes.L ? "half" : undefined
}

/** Set the form to the configuration, or show the command in its place. */
async function set() {
  if (!fold.open) return
  const { choose } = await import("../pages/fits.js")
  const model = modelOf(configuration)
  const option = trainedOf(configuration)
  form.hidden = !(model && option)
  byId("fits-otherwise").hidden = !form.hidden
  if (model && option) choose(model, option)
}

/** @param {View} view */
export function show(view) {
  configuration = view.configuration
  set()
}

fold.addEventListener("toggle", set)
