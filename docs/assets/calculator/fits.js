// Shows in the calculator whether a training step of the configuration in its fields fits on
// a GPU, using the form of the page on training memory. The memory of a step can be
// computed here for some architectures and some choices of what to train; for any other
// configuration, the page shows a command instead. The scripts are fetched when the reader
// opens the section with the form.

import { LORA } from "../counting/changes.js"
import { commandOptions } from "../counting/command.js"
import { NOTHING_FROZEN } from "../counting/configuration.js"
import { byId } from "./live.js"

const section = /** @type {HTMLDetailsElement} */ (byId("fits"))
const form = /** @type {HTMLFormElement} */ (byId("batch-form"))

/** The LoRA that the form offers to save memory, as in `TRAINED_PARTS` of
 * macros/rendering/components/training_steps.py. */
const USUAL_LORA = { method: LORA, rank: 8, width: 0, modules: ["query", "value"], feedforward: [] }

/** The configuration in the fields. @type {Configuration} */
let configuration
let isRefused = false // whether transformers refuses the number of heads

/** If the section is open, sets the form to the configuration, or shows a note or the command instead. */
async function updateForm() {
  if (!section.open) return
  const [{ useModel }, { modelToTrain }] = await Promise.all([
    import("../pages/fits.js"),
    import("../counting/trained-model.js"),
  ])
  byId("fits-refused").hidden = !isRefused
  byId("fits-change").textContent = commandOptions(configuration)
  const loraConfiguration = configuration.tuning
    ? null
    : { ...configuration, frozen: NOTHING_FROZEN, tuning: USUAL_LORA }
  const isComputed =
    !isRefused && useModel(modelToTrain(configuration), loraConfiguration && modelToTrain(loraConfiguration))
  form.hidden = !isComputed
  byId("fits-otherwise").hidden = isComputed || isRefused
}

/** Stores the configuration in the fields, and updates the form. @param {View} view */
export function show(view) {
  configuration = view.configuration
  isRefused = Boolean(view.note)
  updateForm()
}

section.addEventListener("toggle", updateForm)
